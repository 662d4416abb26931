/* print.c - groups to text: one line each, in the layout of the published compiler (syntax.md, section 2). */
#include "isa/rogue/ports.h"
#include "isa/rogue/template.h"
#include "isa/text.h"

#include <string.h>

/* ---- registers and fields ---- */

static void put_reg(struct text *t, struct rogue_reg r, unsigned count)
{
    struct rogue_reg_name n = rogue_name_reg(r);
    if (r.bank >= ROGUE_IDX0 && r.index == ROGUE_INDEXED_IDX && !r.dim) {
        put_text(t, "idx");
        put_unsigned(t, (unsigned)(r.bank - ROGUE_IDX0));
        return;
    }
    put_text(t, n.name);
    put_unsigned(t, n.number);
    if (count > 1) {
        put_text(t, "..");
        put_unsigned(t, n.number + count - 1);
    }
    if (r.bank >= ROGUE_IDX0) {
        put_text(t, "[idx");
        put_unsigned(t, (unsigned)(r.bank - ROGUE_IDX0));
        if (r.dim) {
            put_text(t, ", ");
            put_unsigned(t, 1u << r.dim);
        }
        put_char(t, ']');
    }
}

static void put_sop(struct text *t, const struct rogue_insn *insn, enum rogue_field field)
{
    struct rogue_sop_source s = rogue_sop_get(insn, field);
    if (s.from < ROGUE_SOURCES) {
        put_char(t, 's');
        put_unsigned(t, s.from);
    } else {
        put_char(t, s.from == ROGUE_SOP_ZERO ? '0' : 'z');
    }
    if (s.type == ROGUE_SOP_U8)
        put_text(t, ".u8");
    if (s.type != ROGUE_SOP_F32) {
        put_text(t, ".e");
        put_unsigned(t, s.element);
    }
    static const char *const words[] = {".oneminus", ".clamp", ".flr", ".abs", ".neg"};
    const bool set[] = {s.oneminus, s.clamp, s.flr, s.abs, s.neg};
    for (int i = 0; i < 5; i++)
        if (set[i])
            put_text(t, words[i]);
}

static void put_value(struct text *t, const struct rogue_insn *insn, enum rogue_field field)
{
    const struct rogue_field_info *info = &rogue_fields[field];
    int64_t value = rogue_get(insn, field);
    if (rogue_is_sop_argument(field)) {
        put_sop(t, insn, field);
    } else if (info->type == ROGUE_WORDS) {
        put_text(t, info->words[value]);
    } else {
        if (info->type == ROGUE_SOURCE)
            put_char(t, 's');
        put_signed(t, value);
    }
}

static void put_mask(struct text *t, uint64_t mask)
{
    enum { ALL = 15 };
    if (mask == ALL)
        return;
    if (mask == 0)
        put_text(t, ".none");
    for (unsigned i = 0; i < 4; i++)
        if (mask >> i & 1) {
            put_text(t, ".e");
            put_unsigned(t, i);
        }
}

static void put_mods(struct text *t, const struct rogue_variant *v, const struct rogue_insn *insn,
                     const struct rogue_mod *mods, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const struct rogue_mod *m = &mods[i];
        const struct rogue_field_info *info = &rogue_fields[m->field];
        if (v->slot[m->field] < 0 && m->field != ROGUE_F_S2ELEM)
            continue;
        uint64_t code = rogue_code(v, &insn->bits, m->field);
        if (info->type == ROGUE_MASK) {
            put_mask(t, code);
            continue;
        }
        if (code == info->initial)
            continue;
        put_char(t, '.');
        if (info->type == ROGUE_WORDS) {
            put_text(t, info->words[code]);
            continue;
        }
        put_bytes(t, m->word, m->length);
        if (info->type == ROGUE_NUMBER)
            put_unsigned(t, code);
    }
}

/* ---- instructions ---- */

static void put_operand(struct text *t, const struct rogue_group *g, const struct rogue_insn *insn, enum rogue_unit unit,
                        const struct rogue_operand *o)
{
    unsigned port = o->n + (unit == ROGUE_P1 && o->n < 3 ? 3u : 0u);
    switch ((enum rogue_operand_kind)o->kind) {
    case ROGUE_ON_WORD:
        put_bytes(t, o->word, o->length);
        break;
    case ROGUE_ON_FIELD:
        put_bytes(t, o->word, o->length);
        put_value(t, insn, o->field);
        break;
    case ROGUE_ON_OPTION:
        if (rogue_get(insn, o->field))
            put_bytes(t, o->word, o->length);
        else
            put_char(t, '_');
        break;
    case ROGUE_ON_FT:
        put_text(t, unit == ROGUE_P1 ? "ft1" : "ft0");
        break;
    case ROGUE_ON_PORT:
        if (o->optional && g->s[port].bank == ROGUE_SPECIAL && g->s[port].index == 0) {
            put_char(t, '_');
            break;
        }
        put_char(t, 's');
        put_unsigned(t, port);
        break;
    case ROGUE_ON_IS:
        put_text(t, "is");
        put_unsigned(t, o->n);
        break;
    case ROGUE_ON_W:
        put_char(t, 'w');
        put_unsigned(t, o->n);
        break;
    case ROGUE_ON_DRC:
        put_bytes(t, o->word, o->length);
        put_unsigned(t, g->drc);
        break;
    }
}

static void put_insn(struct text *t, const struct rogue_table *table, const struct rogue_group *g, enum rogue_unit unit)
{
    static const char *const labels[ROGUE_UNITS] = {"p0: ", "p1: ", "p2_pck: ", "p2_tst: ", "p2_mov: ", "backend: ", "p0: ",
                                                    "p0: ", "p0: ", "p1: ",     "p2: ",     "p2: ",     "ctrl: "};
    const struct rogue_insn *insn = rogue_at(g, unit);
    const struct rogue_variant *v = rogue_variant_of(table, insn);
    const struct rogue_template *form = &table->templates[insn->row->op];
    put_text(t, labels[unit]);
    put_text(t, insn->row->name);
    put_mods(t, v, insn, form->mods, form->nmods);
    if (insn->form && rogue_shortest(insn) != insn->form) {
        put_text(t, ".form");
        put_unsigned(t, insn->form);
    }
    for (unsigned i = 0; i < form->noperands; i++) {
        const struct rogue_operand *o = &form->operands[i];
        put_text(t, i ? ", " : " ");
        put_operand(t, g, insn, unit, o);
        put_mods(t, v, insn, o->mods, o->nmods);
    }
    put_text(t, "; ");
}

/* Units of a used phase that do what they do by default are not written; something of each phase is. */
static bool is_default(const struct rogue_group *g, enum rogue_unit unit)
{
    const struct rogue_insn *insn = rogue_at(g, unit);
    static const uint8_t defaults[ROGUE_UNITS] = {[ROGUE_BITMASK] = ROGUE_OP_BYP_BITMASK, [ROGUE_SHIFT1] = ROGUE_OP_BYP_SHIFT1,
                                                  [ROGUE_COUNT] = ROGUE_OP_BYP_COUNT, [ROGUE_BITTEST] = ROGUE_OP_TZ};
    if (!defaults[unit] || insn->row->op != defaults[unit])
        return false;
    return rogue_variant_of(rogue_table(), insn)->start.w[0] == insn->bits.w[0];
}

static bool is_written(const struct rogue_group *g, enum rogue_unit unit)
{
    if (!rogue_at(g, unit)->row)
        return false;
    if (unit == ROGUE_BITMASK && is_default(g, ROGUE_SHIFT1) && is_default(g, ROGUE_COUNT))
        return true;
    return !is_default(g, unit);
}

/* ---- ports ---- */

/* How many registers a port is the first of, as far as the group tells. */
static unsigned registers_at(const struct rogue_group *g, unsigned port)
{
    enum { SET = 4, ADDRESS = 2 };
    const struct rogue_insn *b = g->alu == ROGUE_MAIN ? rogue_at(g, ROGUE_BACKEND) : NULL;
    unsigned op = b && b->row ? b->row->op : ROGUE_OPS;
    if (op == ROGUE_OP_FITR || op == ROGUE_OP_FITRP) {
        unsigned count = (unsigned)rogue_get(b, ROGUE_F_COUNT);
        return port == 0 ? SET * count : port == 2 ? SET : port == 3 ? count : 1;
    }
    if (op == ROGUE_OP_LD)
        return port == 3 ? (unsigned)rogue_get(b, ROGUE_F_BURSTLEN) : port == rogue_get(b, ROGUE_F_SRCSELADD) ? ADDRESS : 1;
    if (op >= ROGUE_OP_SMP1D && op <= ROGUE_OP_SMP3D_WRT)
        return port == 0 || port == 2 ? SET : port == 4 ? (unsigned)rogue_get(b, ROGUE_F_CHAN) : 1;
    return port == 0 ? g->repeat : 1;
}

struct items {
    struct text *t;
    bool some;
};

static void put_item(struct items *i, const char *name, unsigned n)
{
    if (i->some)
        put_text(i->t, ", ");
    i->some = true;
    put_text(i->t, name);
    put_unsigned(i->t, n);
    put_text(i->t, " = ");
}

static void put_feed(struct items *i, unsigned n, const char *const *names, unsigned code, bool used)
{
    if (!code && !used)
        return;
    put_item(i, "is", n);
    put_text(i->t, names[code]);
}

static bool has(const struct rogue_group *g, enum rogue_unit unit)
{
    return rogue_at(g, unit)->row != NULL;
}

/* Sources that are declared or read, then the internal selectors that are not zero or are used. */
static void put_sources(struct text *t, const struct rogue_group *g)
{
    static const char *const mux[] = {"s0", "s3", "s4", "s5", "s1", "s2"};
    static const char *const feeds[] = {"ft0", "ft1", "ft2", "fte"}, *const is3[] = {"ft0", "ft1", "s2", "fte"};
    static const char *const is1[] = {"ft0", "fte"}, *const is2[] = {"ft1", "fte"};
    struct items items = {t, false};
    unsigned read = rogue_reads(g);
    for (unsigned i = 0; i < ROGUE_SOURCES; i++)
        if (g->sources >> i & 1 || (g->lower && read >> i & 1 && i % 3 == 0)) {
            put_item(&items, "s", i);
            put_reg(t, g->s[i], rogue_reg_is_constant(g->s[i]) ? 1 : registers_at(g, i));
        }
    if (g->mux) {
        put_item(&items, "is", 0);
        put_text(t, mux[g->is0]);
    }
    if (g->alu == ROGUE_MAIN) {
        put_feed(&items, 1, is1, g->is1, has(g, ROGUE_TST));
        put_feed(&items, 2, is2, g->is2, false);
        put_feed(&items, 3, is3, g->is3, has(g, ROGUE_PCK));
        put_feed(&items, 4, feeds, g->is4, g->destinations & 1);
        put_feed(&items, 5, feeds, g->is5, g->destinations & 2);
    }
    if (items.some)
        put_char(t, ' ');
}

static void put_destinations(struct text *t, const struct rogue_group *g)
{
    struct items items = {t, false};
    for (unsigned i = 0; i < ROGUE_DESTINATIONS; i++)
        if (g->destinations >> i & 1) {
            put_item(&items, "w", i);
            put_reg(t, g->w[i], 1);
        }
    if (items.some)
        put_char(t, ' ');
}

/* ---- groups ---- */

static void put_suffix(struct text *t, const char *name, int number)
{
    put_char(t, '.');
    put_text(t, name);
    if (number >= 0)
        put_unsigned(t, (unsigned)number);
}

static bool long_header_is_needed(const struct rogue_group *g)
{
    return g->alu != ROGUE_MAIN || g->cc > ROGUE_CC_PE_P0 || g->end || g->atom || g->repeat != 1 || g->weft;
}

/* What the text so far would be encoded differently without. */
static void put_encoding(struct text *t, const struct rogue_group *g, int padding)
{
    if (g->header == 3 && !long_header_is_needed(g))
        put_suffix(t, "hdr", g->header);
    if (g->lower && rogue_natural_form(g, ROGUE_LOWER, g->mux) != g->lower)
        put_suffix(t, "lo", g->lower);
    if (g->upper && rogue_natural_form(g, ROGUE_UPPER, false) != g->upper)
        put_suffix(t, "up", g->upper);
    if (g->dst && rogue_natural_form(g, ROGUE_DESTINATION, false) != g->dst)
        put_suffix(t, "dst", g->dst);
    if (g->ph0_low)
        put_suffix(t, "ph0", -1);
    if (g->pad != padding)
        put_suffix(t, "pad", g->pad);
}

static void put_number(struct text *t, uint32_t n)
{
    for (uint32_t k = 1000; k > 1 && n < k; k /= 10)
        put_char(t, '0');
    put_unsigned(t, n);
    put_text(t, ": ");
}

static void put_group(struct text *t, const struct isa_module *m, uint32_t number)
{
    static const char *const conditions[] = {"", "if(p0) ", "(ignorepe) ", "if(!p0) "};
    const struct rogue_table *table = rogue_table();
    const struct rogue_group *g = &m->groups[number];
    struct rogue_group plain;
    if (m->where && !g->data) { /* what was declared for nothing is not shown: the text is that of the bytes */
        plain = *g;
        rogue_normalise(&plain);
        g = &plain;
    }
    put_number(t, number);
    if (g->data) {
        put_text(t, ".data ");
        for (unsigned i = 0; i < g->size; i++) {
            put_char(t, "0123456789abcdef"[g->data[i] >> 4]);
            put_char(t, "0123456789abcdef"[g->data[i] & 15]);
        }
        put_char(t, '\n');
        return;
    }
    put_text(t, conditions[g->cc]);
    put_text(t, "{ ");
    if (g->repeat > 1) {
        put_text(t, "repeat ");
        put_unsigned(t, g->repeat);
        put_char(t, ' ');
    }
    put_sources(t, g);
    enum rogue_unit first = g->alu == ROGUE_MAIN ? ROGUE_P0 : g->alu == ROGUE_BITWISE ? ROGUE_BITMASK : ROGUE_CTRL;
    for (unsigned i = 0; i < ROGUE_SLOTS && first + i < ROGUE_UNITS; i++)
        if (is_written(g, first + i))
            put_insn(t, table, g, first + i);
    put_destinations(t, g);
    put_char(t, '}');
    if (g->olchk)
        put_suffix(t, "olchk", -1);
    if (g->atom)
        put_suffix(t, "atom", -1);
    if (g->end)
        put_suffix(t, "end", -1);
    put_encoding(t, g, rogue_padding(m, number));
    put_char(t, '\n');
}

weft_status rogue_print(const struct isa_module *m, struct arena *arena, char **text, size_t *size, struct isa_places *places)
{
    enum { EXPECTED = 80 };
    struct text t;
    struct isa_place *place = places ? ARENA_ARRAY(arena, struct isa_place, m->ngroups + 1) : NULL;
    if ((places && !place) || !text_start(&t, arena, (size_t)m->ngroups * EXPECTED))
        return WEFT_ERROR_MEMORY;
    for (uint32_t i = 0; i < m->ngroups; i++) {
        if (!text_room(&t))
            return WEFT_ERROR_MEMORY;
        if (place)
            place[i] = (struct isa_place){m->base + m->groups[i].offset, m->groups[i].offset, m->groups[i].size,
                                          (uint32_t)text_length(&t)};
        put_group(&t, m, i);
    }
    text_end(&t);
    *text = t.begin;
    *size = text_length(&t);
    if (places)
        *places = (struct isa_places){place, m->ngroups};
    return WEFT_OK;
}
