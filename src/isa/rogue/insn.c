/* insn.c - one group without a program: decoding, its line of text, examples of forms (weft/insn.h). */
#include "isa/rogue/insn.h"

#include "isa/rogue/parse.h"
#include "isa/rogue/print.h"

#include <ctype.h>

/* ---- decoding ---- */

/* weft_insn.reserved */
enum { PADDING /* that the text leaves out */, BYTES_LEFT, OURS };

/* The units of the group: those that the text shows first. */
static void find_parts(struct rogue_parts *p)
{
    enum rogue_unit first = rogue_first_unit(&p->g);
    p->count = 0;
    for (unsigned slot = 0; slot < ROGUE_SLOTS; slot++)
        if (p->g.insn[slot].row && (first != ROGUE_BITMASK || !rogue_is_default(&p->g, first + slot)))
            p->unit[p->count++] = (uint8_t)(first + slot);
    for (unsigned slot = 0; first == ROGUE_BITMASK && slot < ROGUE_SLOTS; slot++)
        if (p->g.insn[slot].row && rogue_is_default(&p->g, first + slot))
            p->unit[p->count++] = (uint8_t)(first + slot);
}

unsigned rogue_part_of(const struct rogue_parts *p, unsigned unit)
{
    unsigned part = 0;
    while (part + 1 < p->count && p->unit[part] != unit)
        part++;
    return part;
}

void rogue_read_parts(const struct weft_insn *insn, struct rogue_parts *p)
{
    rogue_read_group(insn->bytes, insn->size, &p->g);
    find_parts(p);
}

uint32_t rogue_predicates(const struct rogue_insn *insn)
{
    const struct rogue_variant *v = rogue_variant_of(rogue_table(), insn);
    uint32_t effects = 0;
    if ((insn->bits.w[0] & v->writes_p0) || v->always_writes_p0)
        effects |= WEFT_EFFECT_WRITES_FLAGS;
    if ((insn->bits.w[0] & v->reads_p0) || v->always_reads_p0)
        effects |= WEFT_EFFECT_READS_FLAGS;
    return effects;
}

static void add_part(const struct rogue_table *t, const struct rogue_group *g, const struct rogue_insn *insn,
                     struct weft_insn *out)
{
    const struct rogue_variant *v = rogue_variant_of(t, insn);
    weft_flow flow = rogue_flow_of(insn->row);
    out->rows[out->nrows++] = insn->row->op;
    out->effects |= rogue_effects_of(insn->row) | rogue_predicates(insn);
    if (flow != WEFT_FLOW_NEXT)
        out->flow = flow;
    if (insn->row->traits & ROGUE_ASKS) {
        unsigned drc = (unsigned)rogue_code(v, &insn->bits, ROGUE_F_DRC) & 1;
        bool waits = rogue_waits_itself(insn);
        out->signals |= 1u << drc;
        out->waits |= waits ? 1u << drc : 0;
        out->effects |= waits ? WEFT_EFFECT_WAITS : 0;
    }
    if (g->alu == ROGUE_CONTROL && v->form->misc == ROGUE_MISC_DRC)
        out->waits |= 1u << g->drc;
    if (flow == WEFT_FLOW_BRANCH || flow == WEFT_FLOW_CALL) {
        int64_t offset = rogue_get(insn, ROGUE_F_OFFSET);
        out->has_target = 1;
        out->target = rogue_get(insn, ROGUE_F_ABS) ? (uint32_t)offset : out->address + (uint64_t)offset;
        out->conditional |= rogue_get(insn, ROGUE_F_BPRED) != 0;
    }
}

/* The padding that a program which ends with the bytes has there. */
static int usual_padding(const struct rogue_table *t, const struct rogue_group *g, const struct weft_insn *insn,
                         size_t left)
{
    struct rogue_group next = {0};
    if (left == g->size)
        return g->end ? rogue_padding_of(g, 0, true) : 0;
    if (left > g->size + (size_t)ROGUE_GROUP_BYTES)
        return 0;
    rogue_read_into(t, insn->bytes + g->size, left - g->size, &next, &(struct rogue_fault){0});
    return next.end && next.size == left - g->size ? rogue_padding_of(g, (uint32_t)insn->address, false) : 0;
}

static bool decode(const struct isa_decoder *d, size_t size, struct weft_insn *out)
{
    (void)d;
    const struct rogue_table *t = rogue_table();
    struct rogue_parts p = {.count = 0};
    struct rogue_fault fault = {0};
    struct rogue_group *g = &p.g;
    rogue_read_into(t, out->bytes, size, g, &fault);
    out->reserved[BYTES_LEFT] = size;
    if (g->data) {
        bool whole = rogue_group_size(out->bytes) <= size;
        out->size = whole ? g->size : 0;
        out->fault = !whole      ? "the group goes beyond the bytes that are left"
                     : fault.why ? fault.why
                                 : "two bytes are not a group";
        out->fault_bit = fault.bit;
        out->fault_width = fault.width;
        return false;
    }
    find_parts(&p);
    out->size = g->size;
    for (unsigned part = 0; part < p.count; part++)
        add_part(t, g, rogue_insn_of(&p, part), out);
    out->unit = rogue_units[p.unit[0]].title;
    bool predicated = rogue_is_predicated(g);
    out->effects |= predicated ? WEFT_EFFECT_READS_FLAGS : 0;
    if (g->end)
        out->flow = WEFT_FLOW_END;
    else if (out->flow != WEFT_FLOW_NEXT)
        out->conditional |= predicated || out->flow == WEFT_FLOW_DISCARD;
    out->reserved[PADDING] = size < g->size + 2u * ROGUE_GROUP_BYTES ? (uint64_t)usual_padding(t, g, out, size) : 0;
    return true;
}

/* ---- text ---- */

static size_t text(const struct isa_decoder *d, const struct weft_insn *insn, const struct weft_format *format,
                   char *out)
{
    (void)d;
    struct text t = {.p = out, .begin = out, .size = TEXT_ROOM};
    struct rogue_group g = {0};
    size_t left = insn->reserved[BYTES_LEFT] < ROGUE_GROUP_BYTES ? insn->reserved[BYTES_LEFT] : ROGUE_GROUP_BYTES;
    if (insn->nrows)
        rogue_read_group(insn->bytes, insn->size, &g);
    else
        g = (struct rogue_group){.data = insn->bytes, .size = (uint8_t)(insn->size ? insn->size : left)};
    const char *name = insn->has_target && format && format->name ? format->name(format->user, insn->target) : NULL;
    rogue_put_group(&t, &g, (int)insn->reserved[PADDING], name);
    return (size_t)(t.p - out);
}

/* p0 is a phase before a colon; what may be a mnemonic is not a register. */
static int token(const char *word, size_t length, bool first)
{
    (void)first;
    size_t letters = 0;
    while (letters < length && isalpha((unsigned char)word[letters]))
        letters++;
    struct rogue_reg reg;
    struct rogue_raw raw;
    uint64_t number = 0;
    for (size_t i = letters; i < length && number < 10000; i++)
        number = isdigit((unsigned char)word[i]) ? number * 10 + (uint64_t)(word[i] - '0') : 10000;
    if (letters == 0)
        return *word == '_' ? WEFT_TOKEN_MODIFIER : WEFT_TOKEN_NUMBER;
    if (word[length] == ':')
        return WEFT_TOKEN_LABEL;
    bool numbered = letters < length;
    if (rogue_find_port_word(word, letters, number, numbered, &raw) ||
        (numbered && rogue_find_reg(word, letters, number, &reg)) || (length == 2 && memcmp(word, "p0", 2) == 0) ||
        (length == 3 && (memcmp(word, "fte", 3) == 0 || memcmp(word, "ftt", 3) == 0)))
        return WEFT_TOKEN_REGISTER;
    return rogue_is_mnemonic(word, length) ? WEFT_TOKEN_MNEMONIC : WEFT_TOKEN_MODIFIER;
}

/* ---- forms ---- */

static void put_row(struct rogue_group *g, unsigned unit, const struct rogue_variant *v)
{
    g->insn[rogue_slot((enum rogue_unit)unit)] =
        (struct rogue_insn){.row = v->row, .form = v->number, .bits = v->start};
}

/* A group with the form and as little else as it can be with. A move or test that does not say that it is the last of
 * phase 2 has a pack after it. */
static size_t form(const struct isa_decoder *d, uint32_t row, uint32_t number, uint8_t *bytes, const char **name)
{
    (void)d;
    const struct rogue_table *t = rogue_table();
    struct rogue_group g = {.repeat = 1, .pad = -1};
    if (number >= rogue_nforms(row))
        return 0;
    const struct rogue_variant *v = &t->variants[t->first[row] + number];
    unsigned unit = (unsigned)__builtin_ctz(v->row->units);
    *name = v->form->name;
    g.alu = unit == ROGUE_CTRL ? ROGUE_CONTROL : unit >= ROGUE_BITMASK ? ROGUE_BITWISE : ROGUE_MAIN;
    put_row(&g, unit, v);
    if ((unit == ROGUE_TST || unit == ROGUE_MOV) && !v->p2end)
        put_row(&g, ROGUE_PCK, &t->variants[t->first[rogue_units[ROGUE_PCK].plain]]);
    rogue_finish(&g);
    if (rogue_fit(&g))
        return 0;
    g.pad = 0;
    rogue_write_group(&g, bytes);
    return g.size;
}

const struct isa_insn_ops rogue_insn_ops = {
    .decode = decode,
    .operands = rogue_insn_operands,
    .fields = rogue_insn_fields,
    .text = text,
    .token = token,
    .form = form,
};
