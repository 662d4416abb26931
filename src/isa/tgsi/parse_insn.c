/* parse_insn.c - instructions and their operands. */
#include "isa/tgsi/op.h"
#include "isa/tgsi/parse.h"

#include <endian.h>
#include <stdio.h>
#include <string.h>

/* ---- register files ---- */

/* A word of at most eight letters as one number, in upper case. The text's padding makes reading eight bytes safe. */
static inline uint64_t pack_word(const char *word, size_t length)
{
    const uint64_t upper = UINT64_C(0xdfdfdfdfdfdfdfdf), kept = length ? UINT64_MAX >> (64 - 8 * length) : 0;
    uint64_t v;
    memcpy(&v, word, sizeof v);
    return le64toh(v) & upper & kept;
}

#define W2(a, b)                   ((uint64_t)(a) | (uint64_t)(b) << 8)
#define W4(a, b, c, d)             (W2(a, b) | W2(c, d) << 16)
#define W8(a, b, c, d, e, f, g, h) (W4(a, b, c, d) | W4(e, f, g, h) << 32)

int tgsi_file_of(const char *word, size_t length)
{
    if (length > 8)
        return -1;
    switch (pack_word(word, length)) {
    case W2('I', 'N'):
        return TGSI_INPUT;
    case W2('S', 'V'):
        return TGSI_SYSTEM_VALUE;
    case W4('O', 'U', 'T', 0):
        return TGSI_OUTPUT;
    case W4('I', 'M', 'M', 0):
        return TGSI_IMMEDIATE;
    case W4('R', 'E', 'S', 0):
        return TGSI_RESOURCE;
    case W4('T', 'E', 'M', 'P'):
        return TGSI_TEMPORARY;
    case W4('S', 'A', 'M', 'P'):
        return TGSI_SAMPLER;
    case W4('A', 'D', 'D', 'R'):
        return TGSI_ADDRESS;
    case W4('N', 'U', 'L', 'L'):
        return TGSI_NULL;
    case W4('P', 'R', 'E', 'D'):
        return TGSI_PREDICATE;
    case W8('C', 'O', 'N', 'S', 'T', 0, 0, 0):
        return TGSI_CONSTANT;
    case W8('I', 'M', 'A', 'G', 'E', 0, 0, 0):
        return TGSI_IMAGE;
    case W8('S', 'V', 'I', 'E', 'W', 0, 0, 0):
        return TGSI_SAMPLER_VIEW;
    case W8('B', 'U', 'F', 'F', 'E', 'R', 0, 0):
        return TGSI_BUFFER;
    case W8('M', 'E', 'M', 'O', 'R', 'Y', 0, 0):
        return TGSI_MEMORY;
    case W8('C', 'O', 'N', 'S', 'T', 'B', 'U', 'F'):
        return TGSI_CONSTBUF;
    case W8('H', 'W', 'A', 'T', 'O', 'M', 'I', 'C'):
        return TGSI_HW_ATOMIC;
    default:
        return -1;
    }
}

bool tgsi_unknown_file(struct tgsi_parser *ps)
{
    const char *end = ps->scan.p;
    while (scan_is(*end, SCAN_LETTER | SCAN_DIGIT) || *end == '.')
        end++;
    if (scan_is(*ps->scan.p, SCAN_DIGIT))
        return scan_error(&ps->scan, scan_at(&ps->scan, ps->scan.p, end - ps->scan.p), "literal",
                          "write numbers as immediates: 'IMM[0] FLT32 {1.0, 0.5, 0.0, 0.0}', and then IMM[0].x",
                          "expected a register, found the number '%.*s'",
                          (int)(end - ps->scan.p < 40 ? end - ps->scan.p : 40), ps->scan.p);
    return tgsi_unknown_or(ps, "unknown-file", "register file", ps->scan.p, scan_word_length(ps->scan.p),
                           tgsi_file_names, TGSI_FILES, "a register is a file and a number, such as TEMP[0]");
}

/* ---- indices ---- */

static int component_of(char letter)
{
    switch (letter | 0x20) {
    case 'x':
    case 'r':
        return 0;
    case 'y':
    case 'g':
        return 1;
    case 'z':
    case 'b':
        return 2;
    case 'w':
    case 'a':
        return 3;
    default:
        return -1;
    }
}

/* A small decimal number at the cursor; false, without a message, when there is none or it is long. */
static inline bool take_short_number(struct tgsi_parser *ps, int32_t *value)
{
    const char *p = ps->scan.p;
    uint32_t v = (uint32_t)(unsigned char)*p - '0';
    if (v > 9)
        return false;
    int digits = 1;
    for (uint32_t d; (d = (uint32_t)(unsigned char)*++p - '0') <= 9; digits++) {
        if (digits == 9)
            return false;
        v = v * 10 + d;
    }
    *value = (int32_t)v;
    ps->scan.last = ps->scan.p = p;
    return true;
}

static bool parse_number(struct tgsi_parser *ps, const char *what, int32_t *value)
{
    uint32_t v;
    if (take_short_number(ps, value))
        return true;
    if (!tgsi_parse_uint(ps, INT32_MAX, what, &v))
        return false;
    *value = (int32_t)v;
    return true;
}

/* FILE[n].c + n: the register may be of any file. */
static bool parse_relative(struct tgsi_parser *ps, struct tgsi_index *index)
{
    size_t length = scan_word_length(ps->scan.p);
    if (length == 0)
        return tgsi_expected(ps, "a register number or an address register");
    int file = tgsi_file_of(ps->scan.p, length);
    if (file < 0)
        return tgsi_unknown_file(ps);
    index->indirect = true;
    index->file = (uint8_t)file;
    ps->scan.last = ps->scan.p += length;
    if (!tgsi_parse_take(ps, '['))
        return tgsi_expected(ps, "'[' and a register number");
    if (!parse_number(ps, "a register number", &index->reg))
        return false;
    if (!tgsi_parse_take(ps, ']'))
        return tgsi_expected(ps, "']'");
    if (tgsi_parse_take(ps, '.')) {
        tgsi_parse_skip(ps);
        int component = component_of(*ps->scan.p);
        if (component < 0 || scan_word_length(ps->scan.p) != 1)
            return tgsi_expected(ps, "one component (x, y, z or w) of the address register");
        index->component = (uint8_t)component;
        ps->scan.last = ++ps->scan.p;
    }
    bool minus = tgsi_parse_take(ps, '-');
    if (minus || tgsi_parse_take(ps, '+')) {
        tgsi_parse_skip(ps);
        if (!parse_number(ps, "the number to add", &index->value))
            return false;
        if (minus)
            index->value = -index->value;
    }
    return true;
}

/* A bracket and what it holds; '[' is next. An array id in parentheses may follow. */
static bool parse_index(struct tgsi_parser *ps, struct tgsi_index *index)
{
    ps->scan.last = ++ps->scan.p;
    if (!take_short_number(ps, &index->value)) {
        tgsi_parse_skip(ps);
        bool number = scan_is(*ps->scan.p, SCAN_DIGIT);
        if (number ? !parse_number(ps, "a register number", &index->value) : !parse_relative(ps, index))
            return false;
    }
    if (!tgsi_parse_take(ps, ']'))
        return tgsi_expected(ps, "']'");
    if (*ps->scan.p == '(') {
        ps->scan.last = ++ps->scan.p;
        if (!tgsi_parse_uint(ps, INT32_MAX, "an array id", &index->array))
            return false;
        if (!tgsi_parse_take(ps, ')'))
            return tgsi_expected(ps, "')'");
    }
    return true;
}

/* ---- operands ---- */

/* No register file is next, but the next statement: the operand is missing. */
static bool is_on_another_line(const struct tgsi_parser *ps)
{
    const struct scan *s = &ps->scan;
    return s->p > s->last && memchr(s->last, '\n', (size_t)(s->p - s->last)) && s->p[scan_word_length(s->p)] != '[';
}

/* FILE[..] or FILE[..][..] */
static bool parse_register(struct tgsi_parser *ps, struct tgsi_operand *o, const char *what)
{
    size_t length = scan_word_length(ps->scan.p);
    if (length == 0)
        return tgsi_expected(ps, what);
    int file = tgsi_file_of(ps->scan.p, length);
    if (file < 0)
        return is_on_another_line(ps) ? tgsi_expected(ps, what) : tgsi_unknown_file(ps);
    o->file = (uint8_t)file;
    ps->scan.last = ps->scan.p += length;
    if (*ps->scan.p != '[') {
        tgsi_parse_skip(ps);
        if (*ps->scan.p != '[')
            return file == TGSI_NULL || tgsi_expected(ps, "'[' and a register number");
    }
    if (!parse_index(ps, &o->index))
        return false;
    if (*ps->scan.p == ',' || *ps->scan.p == '.' || *ps->scan.p == '\n')
        return true;
    tgsi_parse_skip(ps);
    if (*ps->scan.p != '[')
        return true;
    o->dimensional = true;
    o->dim = o->index;
    o->index = (struct tgsi_index){0};
    return parse_index(ps, &o->index);
}

/* Up to `count` letters after a point; fewer of them repeat the last one. */
static bool parse_swizzle(struct tgsi_parser *ps, uint8_t *swizzle, size_t count)
{
    tgsi_parse_skip(ps);
    const char *word = ps->scan.p;
    size_t length = scan_word_length(word);
    if (length == 0)
        return tgsi_expected(ps, "a swizzle");
    struct span where = {scan_offset(&ps->scan, word), (uint32_t)length};
    if (length > count)
        return scan_error(&ps->scan, where, "swizzle", NULL, "a swizzle has at most %d letters here", (int)count);
    for (size_t i = 0; i < count; i++) {
        int component = component_of(word[i < length ? i : length - 1]);
        if (component < 0)
            return scan_error(&ps->scan, where, "swizzle", NULL, "a swizzle is made of the letters x, y, z and w");
        swizzle[i] = (uint8_t)component;
    }
    ps->scan.last = ps->scan.p = word + length;
    return true;
}

static void identity_swizzle(uint8_t *swizzle, size_t count)
{
    for (size_t i = 0; i < count; i++)
        swizzle[i] = (uint8_t)i;
}

static bool parse_destination(struct tgsi_parser *ps, struct tgsi_operand *o)
{
    tgsi_parse_skip(ps);
    const char *start = ps->scan.p;
    if (!parse_register(ps, o, "a destination register"))
        return false;
    o->mask = 15;
    identity_swizzle(o->swizzle, 4);
    if (tgsi_parse_take(ps, '.') && !tgsi_parse_mask(ps, &o->mask))
        return false;
    o->where = scan_span(&ps->scan, start);
    return true;
}

static bool parse_source(struct tgsi_parser *ps, struct tgsi_operand *o)
{
    tgsi_parse_skip(ps);
    const char *start = ps->scan.p;
    if (*ps->scan.p == '-') {
        o->negate = true;
        ps->scan.last = ++ps->scan.p;
        tgsi_parse_skip(ps);
    }
    if (*ps->scan.p == '|') {
        o->absolute = true;
        ps->scan.last = ++ps->scan.p;
        tgsi_parse_skip(ps);
        if (*ps->scan.p == '-')
            return scan_error(&ps->scan, scan_at(&ps->scan, ps->scan.p, 1), "bad-modifier",
                              "|-x| is |x|; minus an absolute value is -|x|",
                              "write the minus sign before the bar, not inside it");
    }
    if (*ps->scan.p == '~')
        return scan_error(&ps->scan, scan_at(&ps->scan, ps->scan.p, 1), "bad-modifier", "use NOT",
                          "there is no '~' modifier");
    if (!parse_register(ps, o, "a source register"))
        return false;
    identity_swizzle(o->swizzle, 4);
    if (tgsi_parse_take(ps, '.') && !parse_swizzle(ps, o->swizzle, 4))
        return false;
    if (o->absolute && !tgsi_parse_take(ps, '|'))
        return tgsi_expected(ps, "the closing '|'");
    o->where = scan_span(&ps->scan, start);
    return true;
}

/* ---- what may follow the operands ---- */

static bool parse_offset_operand(struct tgsi_parser *ps, struct tgsi_insn *insn)
{
    struct tgsi_operand o = {0};
    const char *start = ps->scan.p;
    if (insn->noffsets == TGSI_OFFSETS)
        return scan_error(&ps->scan, scan_at(&ps->scan, start, 1), "texture-offset", NULL,
                          "an instruction has at most four texture offsets");
    if (!parse_register(ps, &o, "a texture offset"))
        return false;
    if (!insn->offset)
        insn->offset = ARENA_ARRAY(ps->scan.arena, struct tgsi_tex_offset, TGSI_OFFSETS);
    if (!insn->offset)
        return false;
    struct tgsi_tex_offset *off = &insn->offset[insn->noffsets];
    identity_swizzle(off->swizzle, 3);
    if (tgsi_parse_take(ps, '.') && !parse_swizzle(ps, off->swizzle, 3))
        return false;
    if (o.index.indirect || o.dimensional)
        return scan_error(&ps->scan, scan_span(&ps->scan, start), "texture-offset", NULL,
                          "a texture offset is a plain register without relative or second index");
    off->file = o.file;
    off->reg = o.index.value;
    insn->noffsets++;
    return true;
}

static bool parse_target(struct tgsi_parser *ps, struct tgsi_insn *insn)
{
    tgsi_parse_skip(ps);
    size_t length = scan_word_length(ps->scan.p);
    int target = tgsi_target_of(ps->scan.p, length);
    if (length == 0)
        return tgsi_expected(ps, "a texture target");
    if (target < 0)
        return tgsi_unknown(ps, "unknown-target", "texture target", ps->scan.p, length, tgsi_target_names,
                            TGSI_TEX_TARGETS);
    insn->has_target = true;
    insn->target = (uint8_t)target;
    ps->scan.last = ps->scan.p += length;
    return true;
}

/* COHERENT, VOLATILE, ..., a target, a format: in any order. */
static bool parse_memory_attribute(struct tgsi_parser *ps, struct tgsi_insn *insn)
{
    tgsi_parse_skip(ps);
    size_t length = scan_word_length(ps->scan.p);
    if (length == 0)
        return tgsi_expected(ps, "a memory attribute");
    int flag = scan_word_index(ps->scan.p, length, tgsi_memory_names, SIZE_MAX);
    int format = tgsi_format_of(ps->scan.p, length);
    insn->has_memory = true;
    if (flag >= 0)
        insn->memory |= (uint8_t)(1u << flag);
    else if (format >= 0)
        insn->format = (uint16_t)format;
    else if (length > 12 && scan_word_is(ps->scan.p, 12, "PIPE_FORMAT_"))
        return tgsi_unknown(ps, "unknown-format", "format", ps->scan.p, length, gallium_format_names, 419);
    else if (tgsi_target_of(ps->scan.p, length) < 0)
        return tgsi_unknown(ps, "unknown-attribute", "memory attribute", ps->scan.p, length, tgsi_memory_names, 4);
    else
        return parse_target(ps, insn);
    ps->scan.last = ps->scan.p += length;
    return true;
}

static bool takes_offsets(const struct tgsi_row *row)
{
    return row->offsets;
}

static bool too_many(struct tgsi_parser *ps, const struct tgsi_row *row)
{
    tgsi_parse_skip(ps);
    struct span where = scan_at(&ps->scan, ps->scan.p, scan_word_length(ps->scan.p));
    if (row->ndst + row->nsrc == 0)
        return scan_error(&ps->scan, where, "operand-count", NULL, "%s takes no operands", row->name);
    return scan_error(&ps->scan, where, "operand-count", NULL,
                      "%s takes %d destination%s and %d source%s, and no more", row->name, row->ndst,
                      row->ndst == 1 ? "" : "s", row->nsrc, row->nsrc == 1 ? "" : "s");
}

static bool parse_trailer(struct tgsi_parser *ps, const struct tgsi_row *row, struct tgsi_insn *insn)
{
    if (row->texture) {
        if (!tgsi_parse_take(ps, ','))
            return tgsi_expected(ps, "',' and a texture target");
        if (!parse_target(ps, insn))
            return false;
    }
    while (tgsi_parse_take(ps, ',')) {
        if (row->memory) {
            if (!parse_memory_attribute(ps, insn))
                return false;
        } else if (takes_offsets(row)) {
            tgsi_parse_skip(ps);
            if (!parse_offset_operand(ps, insn))
                return false;
        } else {
            return too_many(ps, row);
        }
    }
    if (*ps->scan.p == ':') {
        if (!row->label) {
            return scan_error(&ps->scan, scan_at(&ps->scan, ps->scan.p, 1), "label", NULL, "%s takes no label",
                              row->name);
        }
        ps->scan.last = ++ps->scan.p;
        if (!tgsi_parse_uint(ps, UINT32_MAX, "the number of an instruction", &insn->label))
            return false;
        insn->has_label = true;
    }
    return true;
}

/* ---- mnemonics ---- */

static bool has_suffix(const char *word, size_t *length, const char *suffix)
{
    size_t n = strlen(suffix);
    if (*length <= n || !scan_word_is(word + *length - n, n, suffix))
        return false;
    *length -= n;
    return true;
}

/* Without the suffixes that a word has. */
static int find_suffixed(const char *word, size_t length, bool *saturate, bool *precise)
{
    bool has_precise = has_suffix(word, &length, "_PRECISE"), has_saturate = has_suffix(word, &length, "_SAT");
    if (saturate)
        *saturate = has_saturate;
    if (precise)
        *precise = has_precise;
    return tgsi_find_row(word, length);
}

int tgsi_find_opcode(const char *word, size_t length, bool *saturate, bool *precise)
{
    int row = tgsi_find_row(word, length);
    return row >= 0 ? row : find_suffixed(word, length, saturate, precise);
}

/* A known opcode before an underscore, and no known suffix after it. */
static bool only_the_suffix_is_unknown(const char *word, size_t length)
{
    const char *underscore = memchr(word, '_', length);
    return underscore && tgsi_find_row(word, (size_t)(underscore - word)) >= 0;
}

static bool unknown_opcode(struct tgsi_parser *ps, const char *word, size_t length)
{
    const char *names[TGSI_OPS];
    for (uint32_t i = 0; i < TGSI_OPS; i++)
        names[i] = tgsi_rows[i].name;
    const bool is_label = word[length] == ':';
    if (!is_label && (!only_the_suffix_is_unknown(word, length) || nearest_word(word, length, names, TGSI_OPS)))
        return tgsi_unknown(ps, "unknown-instruction", "opcode", word, length, names, TGSI_OPS);
    struct span where = {scan_offset(&ps->scan, word), (uint32_t)length};
    if (is_label)
        return scan_error(&ps->scan, where, "unknown-instruction",
                          "labels have no names: CAL :3 and the like give the number of an instruction",
                          "unknown opcode '%.*s'", length > 40 ? 40 : (int)length, word);
    return scan_error(&ps->scan, where, "unknown-instruction", "the suffixes are _SAT and _PRECISE, in this order",
                      "unknown opcode '%.*s'", length > 40 ? 40 : (int)length, word);
}

static int parse_mnemonic(struct tgsi_parser *ps, struct tgsi_insn *insn)
{
    size_t length = scan_word_length(ps->scan.p);
    int row = tgsi_find_opcode(ps->scan.p, length, &insn->saturate, &insn->precise);
    if (row < 0)
        unknown_opcode(ps, ps->scan.p, length);
    else
        ps->scan.last = ps->scan.p += length;
    return row;
}

/* Is a register next on the same line? */
static bool register_follows(const struct tgsi_parser *ps)
{
    const char *p = ps->scan.last;
    while (*p == ' ' || *p == '\t' || *p == '-' || *p == '|')
        p++;
    size_t length = scan_word_length(p);
    if (length == 0 || tgsi_file_of(p, length) < 0)
        return false;
    for (p += length; *p == ' ' || *p == '\t'; p++)
        ;
    return *p == '[';
}

/* A number on the same line that is not that of a next instruction. */
static bool number_follows(const struct tgsi_parser *ps)
{
    const char *p = ps->scan.last;
    while (*p == ' ' || *p == '\t')
        p++;
    if (!scan_is(*p, SCAN_DIGIT))
        return false;
    while (scan_is(*p, SCAN_DIGIT) || *p == '.' || *p == ' ' || *p == '\t')
        p++;
    return *p == '\n' || *p == '\0' || *p == '\r';
}

/* More operands, without a comma before them. */
static bool ends_early(struct tgsi_parser *ps, const struct tgsi_row *row)
{
    bool number = number_follows(ps);
    if (!number && !register_follows(ps))
        return true;
    if (!number || !row->label)
        return too_many(ps, row);
    tgsi_parse_skip(ps);
    return scan_error(&ps->scan, scan_at(&ps->scan, ps->scan.p, scan_word_length(ps->scan.p)), "label",
                      "the number of an instruction follows a colon: CAL :12", "expected ':' before this number");
}

bool tgsi_parse_instruction(struct tgsi_parser *ps, struct tgsi_insn *insn)
{
    const char *start = ps->scan.p;
    insn->line = ps->line;
    int number = parse_mnemonic(ps, insn);
    if (number < 0)
        return false;
    const struct tgsi_row *row = &tgsi_rows[number];
    insn->opcode = (uint16_t)number;
    insn->ndst = row->ndst;
    insn->nsrc = row->nsrc;
    /* EMIT and ENDPRIM had no operand before 2014. A register on the same line is one. */
    if (tgsi_may_stand_bare(row) && !register_follows(ps))
        insn->nsrc = 0;
    if (!tgsi_new_operands(ps->scan.arena, insn, 0))
        return false;
    for (unsigned i = 0; i < insn->ndst; i++) {
        if (i > 0 && !tgsi_parse_take(ps, ','))
            return tgsi_expected(ps, "',' and another destination");
        if (!parse_destination(ps, &insn->dst[i]))
            return false;
    }
    for (unsigned i = 0; i < insn->nsrc; i++) {
        if ((i > 0 || insn->ndst > 0) && !tgsi_parse_take(ps, ','))
            return tgsi_expected(ps, "',' and another source");
        if (!parse_source(ps, &insn->src[i]))
            return false;
    }
    if (!parse_trailer(ps, row, insn) || (*ps->scan.last != '\n' && !ends_early(ps, row)))
        return false;
    insn->where = scan_span(&ps->scan, start);
    return true;
}
