/* insn.c - one instruction without a module (weft/insn.h): decoding, text, tokens, forms. */
#include "base/bytes.h"
#include "isa/tesla/parse_match.h"
#include "isa/tesla/names.h"
#include "isa/tesla/slots.h"
#include "isa/tesla/flow.h"

#include <ctype.h>
#include <string.h>

/* ---- why a word is unknown ---- */

static void set_fault(struct weft_insn *out, const char *fault, uint64_t bits)
{
    out->fault = fault;
    if (!bits)
        return;
    out->fault_bit = (uint32_t)__builtin_ctzll(bits);
    uint64_t rest = ~(bits >> out->fault_bit);
    out->fault_width = rest ? (uint32_t)__builtin_ctzll(rest) : 64;
}

/* By the rows whose fixed bits the word has; else by the bits that differ from the nearest row. */
static void find_fault(const struct tesla_tables *t, uint64_t word, const struct tesla_target *target,
                       struct weft_insn *out)
{
    const uint16_t *rows;
    unsigned count = tesla_rows_near(t, word, &rows);
    uint64_t nearest = tesla_mask_of(TESLA_FIELD_PRIMARY);
    int least = 65;
    for (unsigned i = 0; i < count; i++) {
        const struct tesla_row *row = &tesla_rows[rows[i]];
        uint64_t differing = (word ^ row->value) & row->mask;
        if (differing && __builtin_popcountll(differing) < least) {
            nearest = differing;
            least = __builtin_popcountll(differing);
        }
        if (differing)
            continue;
        if (row->features & ~target->features)
            set_fault(out, "the chip does not have this instruction", row->mask & ~(uint64_t)3);
        else if (row->stages != TESLA_ANY && !(row->stages & target->stage))
            set_fault(out, "programs of this type do not have this instruction", row->mask & ~(uint64_t)3);
        else
            set_fault(out, "these bits have no meaning in this instruction",
                      tesla_wrong_bits(&t->row[rows[i]], word, target->stage));
        return;
    }
    set_fault(out, "no instruction has these bits", nearest);
}

/* ---- decoding ---- */

static struct tesla_target target_of(const struct isa_decoder *d)
{
    return tesla_target_at(d->chip_number, d->stage);
}

static uint32_t dynamic_effects(const struct tesla_template *t, const struct tesla_row *row, uint64_t word,
                                const struct tesla_target *target)
{
    uint32_t effects = 0;
    if (t->predicated) {
        uint32_t predicate = tesla_get(word, TESLA_FIELD_PREDICATE);
        effects |= predicate != TESLA_ALWAYS && predicate != TESLA_NEVER ? WEFT_EFFECT_READS_FLAGS : 0;
    }
    if (tesla_has(t, TESLA_S_OPTIONAL) && tesla_get(word, TESLA_FIELD_DST_C_ENABLE))
        effects |= WEFT_EFFECT_WRITES_FLAGS;
    if (tesla_has(t, TESLA_S_DESTINATION) && tesla_get(word, TESLA_FIELD_DST_TYPE) &&
        tesla_get(word, TESLA_FIELD_DST) != TESLA_NO_DESTINATION)
        effects |= WEFT_EFFECT_WRITES_MEMORY | WEFT_EFFECT_OUTPUT;
    if (tesla_selects(t, word)) {
        struct tesla_selection s;
        tesla_select(t, word, target->stage, &s);
        effects |= s.kind[0] | s.kind[1] | s.kind[2] ? WEFT_EFFECT_READS_MEMORY : 0;
    }
    (void)row;
    return effects;
}

static void describe(const struct tesla_insn *insn, const struct tesla_target *target, struct weft_insn *out)
{
    const struct tesla_template *t = tesla_template_of(insn->row);
    struct tesla_flow f = tesla_flow_of(insn);
    out->nrows = 1;
    out->rows[0] = tesla_row_number(insn->row);
    out->flow = f.flow;
    if (f.exits)
        out->flow = WEFT_FLOW_END;
    else if (f.joins && f.flow == WEFT_FLOW_NEXT)
        out->flow = WEFT_FLOW_MASK;
    out->conditional = f.predicate != TESLA_ALWAYS || f.limited ||
                       (t->lanes && tesla_get(insn->word, TESLA_FIELD_LANES) != TESLA_ALL_LANES);
    out->has_target = f.has_target;
    out->target = f.target;
    out->effects = t->effects | dynamic_effects(t, insn->row, insn->word, target);
}

/* The instruction at the bytes of *from; its size is 0 when they end too early. */
static struct tesla_insn read_one(const struct tesla_target *target, const struct weft_insn *from, size_t size)
{
    struct tesla_insn insn = {.address = (uint32_t)from->address};
    tesla_decode_one(target, from->bytes, size, &insn);
    return insn;
}

static bool decode(const struct isa_decoder *d, size_t size, struct weft_insn *out)
{
    struct tesla_target target = target_of(d);
    struct tesla_insn insn = read_one(&target, out, size);
    out->size = insn.size;
    out->reserved[0] = size < 8 ? size : 8; /* for text */
    if (insn.row) {
        describe(&insn, &target, out);
        return true;
    }
    if (insn.size < 4 || (tesla_is_long(insn.word) && insn.size < 8)) {
        out->size = 0;
        out->fault = "the bytes end within an instruction";
    } else if (tesla_is_long(insn.word) && out->address % 8 != 0) {
        set_fault(out, "a long instruction is at a multiple of 8", tesla_mask_of(TESLA_FIELD_LENGTH));
    } else {
        find_fault(tesla_tables(), insn.word, &target, out);
    }
    return false;
}

/* ---- text ---- */

static size_t text(const struct isa_decoder *d, const struct weft_insn *insn, const struct weft_format *format,
                   char *out)
{
    struct tesla_target target = target_of(d);
    if (insn->reserved[0] == 0)
        return 0;
    struct tesla_insn one = read_one(&target, insn, insn->reserved[0]);
    return tesla_print_insn(&one, &target, format, out);
}

/* c0, g15, s: spaces are named as registers are. */
static bool is_space(const char *word, size_t length)
{
    if (!strchr(tesla_space_letters, *word))
        return false;
    for (size_t i = 1; i < length; i++)
        if (!isdigit((unsigned char)word[i]))
            return false;
    return length == 1 || *word == 'c' || *word == 'g';
}

/* Before the mnemonic are words of prefixes: exit, predicates, lanes. */
static int token(const char *word, size_t length, bool first)
{
    const struct tesla_tables *t = tesla_tables();
    if (*word == '$')
        return WEFT_TOKEN_REGISTER;
    if (isdigit((unsigned char)*word))
        return WEFT_TOKEN_NUMBER;
    if (first)
        return t->word[tesla_find_word(t, word, length)].nrows ? WEFT_TOKEN_MNEMONIC : WEFT_TOKEN_MODIFIER;
    return is_space(word, length) ? WEFT_TOKEN_REGISTER : WEFT_TOKEN_MODIFIER;
}

/* ---- forms ---- */

/* A row has one form: that of its words. It is not there on chips or in programs that lack it. */
static size_t form(const struct isa_decoder *d, uint32_t number, uint32_t which, uint8_t *bytes, const char **name)
{
    static const char *const names[] = {
        [TESLA_SHORT] = "short", [TESLA_CONTROL] = "control", [TESLA_LONG] = "long", [TESLA_IMMEDIATE] = "immediate"};
    struct tesla_target target = target_of(d);
    const struct tesla_row *row = &tesla_rows[number];
    const struct tesla_template *t = tesla_template_of(row);
    uint64_t word = row->value;
    if (t->predicated)
        tesla_put(&word, TESLA_FIELD_PREDICATE, TESLA_ALWAYS);
    if (t->lanes)
        tesla_put(&word, TESLA_FIELD_LANES, TESLA_ALL_LANES);
    if (which > 0 || tesla_find_row(tesla_tables(), word, &target) != row)
        return 0;
    bytes_put(bytes, word, 8);
    *name = names[row->form];
    return row->form == TESLA_SHORT ? 4 : 8;
}

const struct isa_insn_ops tesla_insn_ops = {
    .decode = decode,
    .operands = tesla_insn_operands,
    .fields = tesla_insn_fields,
    .text = text,
    .token = token,
    .form = form,
};
