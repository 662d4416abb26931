/* test_insn.c - weft/insn.h for every instruction set: forms, fields, text and operands of single instructions agree.
 */
#include "test.h"

#include <weft/weft.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANDOM_WORDS = 20000, FORM_BYTES = 256 };

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void show_bytes(const uint8_t *bytes, size_t size, char *out, size_t room)
{
    size_t at = 0;
    for (size_t i = 0; i < size && at + 4 < room; i++)
        at += (size_t)snprintf(out + at, room - at, "%s%02x", i ? " " : "", bytes[i]);
}

/* Each bit of the instruction is in one field, and the fields put back together give its bytes. */
static void check_fields(const weft_decoder *decoder, const weft_insn *insn, const char *what)
{
    static weft_field fields[WEFT_INSN_FIELDS];
    size_t n = weft_insn_fields(decoder, insn, fields, WEFT_INSN_FIELDS);
    uint8_t covered[FORM_BYTES] = {0}, made[FORM_BYTES];
    assert_true(n <= WEFT_INSN_FIELDS && insn->size <= FORM_BYTES);
    for (size_t i = 0; i < n; i++) {
        if (!fields[i].name || !*fields[i].name)
            fail_msg("%s: field %zu has no name", what, i);
        for (uint32_t p = 0; p < fields[i].npieces; p++)
            for (unsigned b = 0; b < fields[i].pieces[p].width; b++) {
                unsigned bit = fields[i].pieces[p].bit + b;
                if (bit >= insn->size * 8)
                    fail_msg("%s: bit %u of field %s is beyond the instruction", what, bit, fields[i].name);
                if (covered[bit / 8] >> bit % 8 & 1)
                    fail_msg("%s: bit %u is in two fields, one of them %s", what, bit, fields[i].name);
                covered[bit / 8] |= (uint8_t)(1 << bit % 8);
            }
    }
    for (unsigned bit = 0; bit < insn->size * 8; bit++)
        if (!(covered[bit / 8] >> bit % 8 & 1))
            fail_msg("%s: bit %u is in no field", what, bit);
    assert_int_equal(weft_insn_from_fields(fields, n, made, insn->size), WEFT_OK);
    if (memcmp(made, insn->bytes, insn->size) != 0)
        fail_msg("%s: its fields put back together give other bytes", what);
}

static void check_operands(const weft_decoder *decoder, const weft_insn *insn, const char *what)
{
    static weft_operand operands[WEFT_INSN_OPERANDS];
    size_t n = weft_insn_operands(decoder, insn, operands, WEFT_INSN_OPERANDS);
    assert_true(n <= WEFT_INSN_OPERANDS);
    bool target = false;
    for (size_t i = 0; i < n; i++) {
        const weft_operand *o = &operands[i];
        if (o->part >= insn->nrows)
            fail_msg("%s: operand %zu is of part %u of %u", what, i, o->part, insn->nrows);
        if ((o->kind == WEFT_OPERAND_REGISTER || o->kind == WEFT_OPERAND_RESOURCE) && (!o->reg.file || o->count == 0))
            fail_msg("%s: operand %zu has no register", what, i);
        if (o->kind == WEFT_OPERAND_MEMORY && (!o->space || o->count == 0))
            fail_msg("%s: operand %zu has no space", what, i);
        if (o->kind == WEFT_OPERAND_TARGET) {
            target = true;
            if (insn->has_target && (uint64_t)o->integer != insn->target)
                fail_msg("%s: operand %zu is another target than the instruction's", what, i);
        }
    }
    if (insn->has_target && !target)
        fail_msg("%s: it has a target, but no operand is one", what);
}

static unsigned accesses(uint32_t effects, uint32_t reads, uint32_t writes)
{
    return (effects & reads ? WEFT_READ : 0) | (effects & writes ? WEFT_WRITE : 0);
}

/* Memory that an operand has is an effect, too; of Tesla and Valhall all effects on memory and flags are of operands,
 * of Rogue those on its flag. Others have some that no operand shows: addresses in registers, flags without a name. */
static void check_effects(const weft_decoder *decoder, const weft_insn *insn, const char *what)
{
    static weft_operand operands[WEFT_INSN_OPERANDS];
    const char *isa = weft_isa_name(weft_decoder_isa(decoder));
    bool rogue = strcmp(isa, "rogue") == 0, all = strcmp(isa, "tesla") == 0 || strcmp(isa, "valhall") == 0;
    size_t n = weft_insn_operands(decoder, insn, operands, WEFT_INSN_OPERANDS);
    unsigned memory = 0, flags = 0;
    for (size_t i = 0; i < n; i++) {
        bool flag = operands[i].kind == WEFT_OPERAND_REGISTER && strcmp(operands[i].reg.file, rogue ? "p0" : "c") == 0;
        memory |= operands[i].kind == WEFT_OPERAND_MEMORY ? (unsigned)operands[i].access : 0;
        flags |= flag ? (unsigned)operands[i].access : 0;
    }
    unsigned told = accesses(insn->effects, WEFT_EFFECT_READS_MEMORY, WEFT_EFFECT_WRITES_MEMORY);
    if (memory & ~told || (all && memory != told))
        fail_msg("%s: its effects on memory are %u, its operands' %u", what, told, memory);
    told = accesses(insn->effects, WEFT_EFFECT_READS_FLAGS, WEFT_EFFECT_WRITES_FLAGS);
    if ((all || rogue) && flags != told)
        fail_msg("%s: its effects on flags are %u, its operands' %u", what, told, flags);
}

/* Tokens come in order, do not overlap, and leave only blanks between them; there is a mnemonic. */
static void check_tokens(const weft_decoder *decoder, const weft_insn *insn, const char *what, char *text)
{
    static weft_token tokens[WEFT_INSN_TOKENS];
    size_t n = WEFT_INSN_TOKENS, end = 0;
    size_t length = weft_insn_text(decoder, insn, NULL, text, WEFT_INSN_TEXT, tokens, &n);
    bool mnemonic = false;
    if (length == 0 || length != strlen(text) || n == 0 || n > WEFT_INSN_TOKENS)
        fail_msg("%s: bad text '%s'", what, text);
    for (size_t i = 0; i < n; i++) {
        for (size_t c = end; c < tokens[i].start; c++)
            if (text[c] != ' ' && text[c] != '\n' && text[c] != '\t')
                fail_msg("%s: '%c' of '%s' is in no token", what, text[c], text);
        assert_true(tokens[i].start >= end && tokens[i].size > 0);
        end = tokens[i].start + tokens[i].size;
        mnemonic |= tokens[i].kind == WEFT_TOKEN_MNEMONIC;
    }
    if (!mnemonic)
        fail_msg("%s: '%s' has no mnemonic", what, text);
}

/* The text of one instruction assembles to bytes that print the same, and to the same bytes where `exact`. */
static void check_text(const weft_decoder *decoder, const weft_insn *insn, const char *what, bool exact)
{
    static char text[WEFT_INSN_TEXT], again[WEFT_INSN_TEXT];
    uint8_t made[FORM_BYTES];
    size_t used;
    check_tokens(decoder, insn, what, text);
    weft_diags *diags = weft_diags_new();
    weft_status status = weft_insn_assemble(decoder, text, insn->address, made, sizeof made, &used, diags);
    if (status != WEFT_OK)
        fail_msg("%s: '%s' does not assemble: %s", what, text,
                 weft_diags_count(diags) ? weft_diags_get(diags, 0)->message : "?");
    weft_diags_free(diags);
    if (exact && (used != insn->size || memcmp(made, insn->bytes, used) != 0))
        fail_msg("%s: '%s' assembles to other bytes", what, text);
    weft_insn second;
    weft_insn_decode(decoder, made, used, insn->address, &second);
    weft_insn_text(decoder, &second, NULL, again, sizeof again, NULL, NULL);
    assert_string_equal(text, again);
}

static void check_insn(const weft_decoder *decoder, const weft_insn *insn, const char *what, bool exact)
{
    check_fields(decoder, insn, what);
    check_operands(decoder, insn, what);
    check_effects(decoder, insn, what);
    check_text(decoder, insn, what, exact);
}

/* Every form of every row decodes to that row. */
static void check_forms(const char *isa, const char *chip, weft_stage stage)
{
    weft_decoder_options options = {sizeof options, chip, stage};
    weft_decoder *decoder;
    assert_int_equal(weft_decoder_new(isa, &options, &decoder), WEFT_OK);
    const weft_isa *set = weft_decoder_isa(decoder);
    for (size_t r = 0; r < weft_isa_rows(set); r++) {
        weft_isa_row row;
        assert_true(weft_isa_get_row(set, r, &row));
        for (uint32_t form = 0;; form++) {
            uint8_t bytes[FORM_BYTES] = {0};
            const char *name;
            size_t size = weft_insn_form(decoder, (uint32_t)r, form, bytes, sizeof bytes, &name);
            char what[200], hex[100];
            if (size == 0)
                break;
            show_bytes(bytes, size, hex, sizeof hex);
            snprintf(what, sizeof what, "%s %s (row %zu, form %u '%s': %s)", isa, row.mnemonic, r, form, name, hex);
            weft_insn insn;
            if (weft_insn_decode(decoder, bytes, size, 0, &insn) != WEFT_OK)
                fail_msg("%s: unknown: %s", what, insn.fault ? insn.fault : "?");
            bool found = false;
            for (uint32_t i = 0; i < insn.nrows; i++)
                found |= insn.rows[i] == r;
            if (!found)
                fail_msg("%s: decodes to row %u", what, insn.rows[0]);
            assert_int_equal(insn.size, size);
            check_insn(decoder, &insn, what, true);
        }
    }
    weft_decoder_free(decoder);
}

/* Each name that others use leads to an instruction, and says something where it is more than another spelling. */
static void other_names_lead_somewhere(void **state)
{
    (void)state;
    size_t count = 0;
    for (size_t i = 0; i < weft_isa_count(); i++) {
        const weft_isa *set = weft_isa_get(i);
        const char *name, *what;
        for (size_t n = 0, row; (name = weft_isa_other_name(set, n, &row, &what)); n++, count++) {
            weft_isa_row of;
            if (!weft_isa_get_row(set, row, &of))
                fail_msg("%s: '%s' (%s) is no instruction", weft_isa_name(set), name, what);
            if (!*what && !weft_isa_row_is(set, row, name))
                fail_msg("%s: '%s' is not %s", weft_isa_name(set), name, of.mnemonic);
        }
    }
    assert_true(count > 100);
}

/* Whether a chip and a stage have a form of the row. */
static bool has_form(const weft_isa *set, uint32_t row)
{
    for (size_t chip = 0; chip == 0 || weft_isa_chip(set, chip); chip++)
        for (int stage = WEFT_STAGE_NONE; stage < WEFT_STAGES; stage++) {
            weft_decoder_options options = {sizeof options, weft_isa_chip(set, chip), (weft_stage)stage};
            weft_decoder *decoder;
            uint8_t bytes[FORM_BYTES];
            const char *name;
            assert_int_equal(weft_decoder_new(weft_isa_name(set), &options, &decoder), WEFT_OK);
            size_t size = weft_insn_form(decoder, row, 0, bytes, sizeof bytes, &name);
            weft_decoder_free(decoder);
            if (size)
                return true;
        }
    return false;
}

/* Every row can be reached: some word decodes to it. Two names of Valhall are read from text alone; their words are
 * those of a newer name. */
static void every_row_has_a_form(void **state)
{
    (void)state;
    for (size_t i = 0; i < weft_isa_count(); i++) {
        const weft_isa *set = weft_isa_get(i);
        for (size_t r = 0; r < weft_isa_rows(set); r++) {
            weft_isa_row row;
            assert_true(weft_isa_get_row(set, r, &row));
            bool older = strncmp(row.mnemonic, "FCMP.", 5) == 0;
            if (has_form(set, (uint32_t)r) == older)
                fail_msg("%s %s: %s", weft_isa_name(set), row.mnemonic, older ? "has words now" : "no word is it");
        }
    }
}

/* Random bytes: what is known holds together; what is not says why and can be skipped and printed. With
 * WEFT_TEST_SHARE=N a run has one in N. */
static void check_random(const char *isa, const char *chip, weft_stage stage)
{
    weft_decoder_options options = {sizeof options, chip, stage};
    weft_decoder *decoder;
    assert_int_equal(weft_decoder_new(isa, &options, &decoder), WEFT_OK);
    uint64_t seed = UINT64_C(0x9e3779b97f4a7c15), state = seed;
    static unsigned words;
    for (int i = 0; i < RANDOM_WORDS; i++) {
        uint8_t bytes[32];
        for (size_t b = 0; b < sizeof bytes; b += 8) {
            uint64_t r = next_random(&state);
            memcpy(bytes + b, &r, 8);
        }
        if (!test_of_share(&words))
            continue;
        char what[160], hex[100], text[WEFT_INSN_TEXT];
        show_bytes(bytes, sizeof bytes, hex, sizeof hex);
        snprintf(what, sizeof what, "%s, seed %llx, %d: %s", isa, (unsigned long long)seed, i, hex);
        weft_insn insn;
        weft_status status = weft_insn_decode(decoder, bytes, sizeof bytes, 0x100, &insn);
        if (insn.size > sizeof bytes)
            fail_msg("%s: of %u bytes", what, insn.size);
        if (insn.size == 0)
            continue;
        if (status == WEFT_OK) {
            check_insn(decoder, &insn, what, false);
        } else if (!insn.fault || insn.nrows != 0 ||
                   !weft_insn_text(decoder, &insn, NULL, text, sizeof text, NULL, NULL)) {
            fail_msg("%s: unknown, but it does not say why, or has no text", what);
        }
    }
    weft_decoder_free(decoder);
}

static void with_chips(const char *isa, weft_stage stage)
{
    const weft_isa *set = weft_isa_find(isa);
    weft_decoder *decoder;
    if (weft_decoder_new(isa, NULL, &decoder) != WEFT_OK)
        return; /* it does not answer yet */
    weft_decoder_free(decoder);
    check_forms(isa, NULL, stage);
    check_random(isa, NULL, stage);
    for (size_t c = 1; weft_isa_chip(set, c); c++)
        check_random(isa, weft_isa_chip(set, c), stage);
}

static void tgsi(void **state)
{
    (void)state;
    with_chips("tgsi", WEFT_STAGE_NONE);
}

static void tesla(void **state)
{
    (void)state;
    with_chips("tesla", WEFT_STAGE_NONE);
    with_chips("tesla", WEFT_VERTEX);
    with_chips("tesla", WEFT_FRAGMENT);
    check_forms("tesla", "g200", WEFT_COMPUTE); /* double precision; s[] and g[] */
    check_random("tesla", "g200", WEFT_COMPUTE);
    check_forms("tesla", "gt215", WEFT_GEOMETRY);
}

static void valhall(void **state)
{
    (void)state;
    with_chips("valhall", WEFT_STAGE_NONE);
}

static void rogue(void **state)
{
    (void)state;
    with_chips("rogue", WEFT_STAGE_NONE);
}

static void vpu(void **state)
{
    (void)state;
    with_chips("vpu", WEFT_STAGE_NONE);
}

/* Wrong arguments are a status, and too little room is no harm. */
static void arguments(void **state)
{
    (void)state;
    weft_decoder *decoder;
    assert_int_equal(weft_decoder_new("nothing", NULL, &decoder), WEFT_ERROR_USAGE);
    assert_null(decoder);
    assert_int_equal(weft_decoder_new(NULL, NULL, &decoder), WEFT_ERROR_USAGE);
    weft_decoder_free(NULL);
    weft_field field = {.name = "far", .npieces = 1, .pieces = {{60, 8}}};
    uint8_t bytes[8];
    assert_int_equal(weft_insn_from_fields(&field, 1, bytes, sizeof bytes), WEFT_ERROR_USAGE);
    assert_string_equal(weft_flow_name(WEFT_FLOW_TRAP), "trap");
    assert_string_equal(weft_token_name(WEFT_TOKEN_PUNCTUATION), "punctuation");
}

/* The bits of a row of Valhall as its pattern writes them, from bit 63 down: digits are those of the row's form, and
 * what has a name has the number of bits that it says. */
static void patterns_are_of_forms(void **state)
{
    (void)state;
    const weft_isa *set = weft_isa_find("valhall");
    weft_decoder *decoder;
    assert_int_equal(weft_decoder_new("valhall", NULL, &decoder), WEFT_OK);
    for (uint32_t r = 0; r < weft_isa_rows(set); r++) {
        weft_isa_row row;
        uint8_t bytes[8];
        unsigned left = 64;
        assert_true(weft_isa_get_row(set, r, &row));
        bool has_form = weft_insn_form(decoder, r, 0, bytes, sizeof bytes, NULL) == 8;
        for (const char *p = row.pattern; *p;) {
            if (*p == '0' || *p == '1') {
                left--;
                if (left > 63 || (has_form && (bytes[left / 8] >> left % 8 & 1) != *p - '0'))
                    fail_msg("%s: '%s': bit %u is another one", row.mnemonic, row.pattern, left);
                p++;
            } else if (*p == ' ') {
                p++;
            } else {
                const char *width = p + strcspn(p, ": ");
                char *end = NULL;
                unsigned long n = *width == ':' ? strtoul(width + 1, &end, 10) : 0;
                if (!end || n < 1 || n > left || (*end && *end != ' '))
                    fail_msg("%s: '%s': what is '%s'?", row.mnemonic, row.pattern, p);
                left -= (unsigned)n;
                p = end;
            }
        }
        if (left)
            fail_msg("%s: '%s': %u bits are missing", row.mnemonic, row.pattern, left);
    }
    weft_decoder_free(decoder);
}

enum { MARK = 0xa5 };

/* `made` of `size` bytes has the first `room` bytes of `whole`, and nothing was written after them. */
static void check_cut(const void *made, const void *whole, size_t room, size_t size, const char *what)
{
    if (memcmp(made, whole, room) != 0)
        fail_msg("%s: with room for %zu bytes others are written", what, room);
    for (size_t i = room; i < size; i++)
        if (((const uint8_t *)made)[i] != MARK)
            fail_msg("%s: with room for %zu bytes byte %zu is written", what, room, i);
}

/* Of lists that do not fit the first ones are written, and how many there are is said. */
static void check_cut_lists(const weft_decoder *decoder, const weft_insn *insn, const char *what)
{
    static weft_operand operands[WEFT_INSN_OPERANDS], some[WEFT_INSN_OPERANDS];
    static weft_field fields[WEFT_INSN_FIELDS], few[WEFT_INSN_FIELDS];
    static weft_token tokens[WEFT_INSN_TOKENS], most[WEFT_INSN_TOKENS];
    char text[WEFT_INSN_TEXT], part[WEFT_INSN_TEXT];
    memset(operands, MARK, sizeof operands), memset(some, MARK, sizeof some);
    memset(fields, MARK, sizeof fields), memset(few, MARK, sizeof few);
    size_t n = weft_insn_operands(decoder, insn, operands, WEFT_INSN_OPERANDS);
    for (size_t i = n; i-- > 0;) {
        memset(some, MARK, sizeof some);
        assert_int_equal(weft_insn_operands(decoder, insn, some, i), n);
        for (size_t k = i; k < n; k++)
            check_cut(&some[k], operands, 0, sizeof some[k], what);
    }
    n = weft_insn_fields(decoder, insn, fields, WEFT_INSN_FIELDS);
    for (size_t i = n; i-- > 0;) {
        memset(few, MARK, sizeof few);
        assert_int_equal(weft_insn_fields(decoder, insn, few, i), n);
        for (size_t k = i; k < n; k++)
            check_cut(&few[k], fields, 0, sizeof few[k], what);
    }
    n = WEFT_INSN_TOKENS;
    size_t length = weft_insn_text(decoder, insn, NULL, text, sizeof text, tokens, &n);
    for (size_t room = 0; room <= length + 1; room++) {
        size_t count = room < n ? room : n;
        memset(part, MARK, sizeof part), memset(most, MARK, sizeof most);
        size_t given = count;
        assert_int_equal(weft_insn_text(decoder, insn, NULL, part, room, most, &given), length);
        assert_int_equal(given, n);
        check_cut(part, text, room ? room - 1 : 0, 0, what);
        if (room)
            assert_int_equal(part[room - 1], 0);
        check_cut(part + room, text, 0, sizeof part - room, what);
        check_cut(most, tokens, count * sizeof *most, sizeof most, what);
    }
    uint8_t whole[FORM_BYTES], made[FORM_BYTES];
    size_t used, whole_used;
    assert_int_equal(weft_insn_assemble(decoder, text, 0, whole, sizeof whole, &whole_used, NULL), WEFT_OK);
    for (size_t room = 0; room <= whole_used; room++) {
        memset(made, MARK, sizeof made);
        assert_int_equal(weft_insn_assemble(decoder, text, 0, made, room, &used, NULL), WEFT_OK);
        assert_int_equal(used, whole_used);
        check_cut(made, whole, room, sizeof made, what);
    }
    for (size_t size = 0; size < insn->size; size++) {
        weft_insn less;
        weft_status status = weft_insn_decode(decoder, insn->bytes, size, 0, &less);
        if (status == WEFT_OK ? less.size > size || !less.nrows : status != WEFT_ERROR_INPUT || less.size > size ||
                                                                       less.nrows || !less.fault)
            fail_msg("%s: its first %zu bytes are of %u bytes", what, size, less.size);
    }
}

/* The first form of every 16th row, with each room that is too small, and rows and forms beyond the last. */
static void room_that_is_too_small(void **state)
{
    (void)state;
    for (size_t i = 0; i < weft_isa_count(); i++) {
        const weft_isa *set = weft_isa_get(i);
        weft_decoder *decoder;
        weft_decoder_options options = {sizeof options, NULL, WEFT_STAGE_NONE};
        assert_int_equal(weft_decoder_new(weft_isa_name(set), &options, &decoder), WEFT_OK);
        uint32_t nrows = (uint32_t)weft_isa_rows(set);
        const uint32_t beyond[] = {nrows, nrows + 1, UINT32_MAX};
        uint8_t bytes[FORM_BYTES], whole[FORM_BYTES];
        const char *name;
        for (size_t k = 0; k < sizeof beyond / sizeof *beyond; k++) {
            memset(bytes, MARK, sizeof bytes);
            assert_int_equal(weft_insn_form(decoder, beyond[k], 0, bytes, sizeof bytes, &name), 0);
            assert_string_equal(name, "");
            check_cut(bytes, whole, 0, sizeof bytes, weft_isa_name(set));
        }
        for (uint32_t row = 0; row < nrows; row += 16) {
            size_t size = weft_insn_form(decoder, row, 0, whole, sizeof whole, NULL);
            assert_int_equal(weft_insn_form(decoder, row, UINT32_MAX, bytes, sizeof bytes, &name), 0);
            for (size_t room = 0; room <= size; room++) {
                memset(bytes, MARK, sizeof bytes);
                assert_int_equal(weft_insn_form(decoder, row, 0, bytes, room, &name), size);
                check_cut(bytes, whole, room, sizeof bytes, weft_isa_name(set));
            }
            weft_insn insn;
            char what[80];
            snprintf(what, sizeof what, "%s, row %u", weft_isa_name(set), row);
            if (size && weft_insn_decode(decoder, whole, size, 0, &insn) == WEFT_OK)
                check_cut_lists(decoder, &insn, what);
        }
        weft_decoder_free(decoder);
    }
}

/* A row for lists says what the whole row says, but for texts that may be empty. */
static void names_of_rows(void **state)
{
    (void)state;
    const weft_isa *isa;
    for (size_t s = 0; (isa = weft_isa_get(s)); s++) {
        weft_isa_row names, row;
        for (size_t i = 0; i < weft_isa_rows(isa); i++) {
            assert_true(weft_isa_get_row_names(isa, i, &names) && weft_isa_get_row(isa, i, &row));
            assert_string_equal(names.mnemonic, row.mnemonic);
            assert_string_equal(names.group, row.group);
            assert_string_equal(names.doc, row.doc);
            assert_int_equal(names.provenance, row.provenance);
            assert_int_equal(names.stages, row.stages);
            assert_int_equal(names.executes, row.executes);
            assert_true(*row.mnemonic && *row.syntax);
        }
        assert_int_equal(weft_isa_get_row_names(isa, weft_isa_rows(isa), &names), 0);
    }
}

TEST_MAIN(TEST(tgsi), TEST(tesla), TEST(valhall), TEST(rogue), TEST(vpu), TEST(every_row_has_a_form),
          TEST(other_names_lead_somewhere),
          TEST(arguments), TEST(patterns_are_of_forms), TEST(room_that_is_too_small), TEST(names_of_rows))
