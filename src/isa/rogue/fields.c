/* fields.c - the bits of a group by their names: its header, the instructions' fields (fields.inc), the bytes of
 * sources and destinations (ports.inc), selectors and padding. */
#include "isa/rogue/insn.h"
#include "isa/rogue/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct walk {
    const struct weft_insn *insn;
    const struct rogue_table *t;
    const struct rogue_parts *parts;
    struct weft_field *fields;
    size_t n;
    unsigned at; /* byte */
};

static struct weft_field *add(struct walk *w, const char *name, weft_field_kind kind, unsigned bit, unsigned width)
{
    return insn_field(w->fields, &w->n, w->insn, name, kind, bit, width);
}

static void set_word(struct weft_field *f, const char *word)
{
    snprintf(f->word, sizeof f->word, "%s", word);
}

/* ---- header ---- */

static void set_header_word(const struct walk *w, struct weft_field *f, enum rogue_header field)
{
    static const char *const conditions[] = {"", "if(p0)", "(ignorepe)", "if(!p0)"},
                             *const alus[] = {"main", "", "bitwise", "control"},
                             *const flags[ROGUE_HEADER_FIELDS] = {[ROGUE_H_OLCHK] = ".olchk",
                                                                  [ROGUE_H_ATOM] = ".atom",
                                                                  [ROGUE_H_END] = ".end",
                                                                  [ROGUE_H_W0P] = "w0",
                                                                  [ROGUE_H_W1P] = "w1"};
    const struct rogue_group *g = &w->parts->g;
    if (field == ROGUE_H_CC)
        set_word(f, conditions[g->cc]);
    else if (field == ROGUE_H_ALUTYPE)
        set_word(f, alus[g->alu]);
    else if (field == ROGUE_H_CTRLOP)
        set_word(f, rogue_insn_of(w->parts, 0)->row->name);
    else if (field == ROGUE_H_RPT && g->repeat > 1)
        snprintf(f->word, sizeof f->word, "repeat %u", g->repeat);
    else if (flags[field] && f->value)
        set_word(f, flags[field]);
}

static void put_header(struct walk *w)
{
    enum in { ANY, LONG, UNITS, CONTROL };
    static const struct {
        const char *name;
        uint8_t bit, width, kind, in;
    } header[] = {
#define HEADER(id, name, bit, width, kind, in) {name, bit, width, WEFT_FIELD_##kind, in},
#include "isa/rogue/header.inc"
#undef HEADER
    };
    const struct rogue_group *g = &w->parts->g;
    struct weft_field *cc = NULL;
    for (unsigned i = 0; i < ROGUE_HEADER_FIELDS; i++) {
        bool is_long = g->header == ROGUE_LONG_HEADER, control = g->alu == ROGUE_CONTROL;
        bool has = header[i].in == ANY || (is_long && (header[i].in == LONG || (header[i].in == CONTROL) == control));
        if (!has)
            continue;
        if (i == ROGUE_H_CCEXT) {
            insn_piece(cc, w->insn, header[i].bit, header[i].width);
            continue;
        }
        bool counts = i == ROGUE_H_OPORG && g->alu == ROGUE_BITWISE;
        struct weft_field *f =
            add(w, counts ? "opcnt" : header[i].name, (weft_field_kind)header[i].kind, header[i].bit, header[i].width);
        cc = i == ROGUE_H_CC ? f : cc;
        set_header_word(w, f, (enum rogue_header)i);
    }
    w->at = g->header;
}

/* ---- instructions ---- */

static weft_field_kind kind_of(const struct walk *w, const struct rogue_variant *v, enum rogue_field field,
                               unsigned slot)
{
    struct pattern_word bits = {{0}};
    const struct rogue_template *t = &w->t->templates[v->row->op];
    pattern_set(&v->form->pattern.field[slot], &bits, ~UINT64_C(0));
    if (!((bits.w[0] & ~v->mask.w[0]) | (bits.w[1] & ~v->mask.w[1])))
        return WEFT_FIELD_OPCODE;
    if (field == ROGUE_F_P2END || field == ROGUE_F_PWEN || field == ROGUE_F_DRC)
        return WEFT_FIELD_CONTROL;
    for (unsigned i = 0; i < t->noperands; i++)
        if ((t->operands[i].kind == ROGUE_ON_FIELD || t->operands[i].kind == ROGUE_ON_OPTION) &&
            t->operands[i].field == field)
            return WEFT_FIELD_OPERAND;
    return WEFT_FIELD_MODIFIER;
}

static void set_field_word(struct weft_field *f, const struct rogue_insn *insn, enum rogue_field field)
{
    const struct rogue_field_info *info = &rogue_fields[field];
    if (info->type == ROGUE_WORDS)
        set_word(f, info->words[f->value]);
    else if (info->type == ROGUE_FLAG && f->value)
        set_word(f, info->name);
    else if (info->type == ROGUE_SOURCE)
        snprintf(f->word, sizeof f->word, "s%u", (unsigned)f->value);
    else if (info->type != ROGUE_NUMBER && info->type != ROGUE_FLAG && info->type != ROGUE_MASK)
        snprintf(f->word, sizeof f->word, "%lld", (long long)rogue_get(insn, field));
}

static void put_pattern_field(struct walk *w, unsigned part, const struct rogue_variant *v, unsigned slot)
{
    const struct pattern_field *p = &v->form->pattern.field[slot];
    enum rogue_field field = (enum rogue_field)v->form->field[slot];
    struct weft_field *f = NULL;
    for (unsigned i = p->npieces; i-- > 0;) {
        unsigned bit = 8 * w->at + p->piece[i].low, width = p->piece[i].width;
        if (f)
            insn_piece(f, w->insn, bit, width);
        else
            f = add(w, rogue_fields[field].name, kind_of(w, v, field, slot), bit, width);
    }
    if (!f)
        return;
    f->part = part;
    set_field_word(f, rogue_insn_of(w->parts, part), field);
}

/* Fixed digits, a field for each run of them: those of the first byte, and ones, say which instruction it is. */
static void put_fixed(struct walk *w, unsigned part, const struct rogue_variant *v, unsigned own)
{
    for (unsigned bit = 0; bit < 8u * v->bytes;) {
        unsigned start = bit, shift;
        uint64_t ones = 0;
        for (; bit < 8u * v->bytes && bit / 8 == start / 8; bit++) {
            shift = bit & 63;
            bool mine = bit >= 8 || own >> bit & 1;
            if (!mine || !(v->form->pattern.mask.w[bit >> 6] >> shift & 1))
                break;
            ones |= v->form->pattern.value.w[bit >> 6] >> shift & 1;
        }
        if (bit == start) {
            bit++;
            continue;
        }
        bool says = start < 8 || ones;
        struct weft_field *f = add(w, says ? "op" : "reserved", WEFT_FIELD_OPCODE, 8 * w->at + start, bit - start);
        f->part = part;
        if (start < 8)
            set_word(f, v->row->name);
    }
}

/* The instruction of a unit, if there is one; its first byte may be shared. */
static void put_insn(struct walk *w, enum rogue_unit unit)
{
    const struct rogue_insn *insn = rogue_at(&w->parts->g, unit);
    if (!insn->row)
        return;
    const struct rogue_variant *v = rogue_variant_of(w->t, insn);
    unsigned part = rogue_part_of(w->parts, unit), own = rogue_units[unit].own ? rogue_units[unit].own : 0xFF;
    put_fixed(w, part, v, own);
    for (unsigned slot = 0; slot < v->form->pattern.nfields; slot++)
        put_pattern_field(w, part, v, slot);
    if (!rogue_units[unit].own)
        w->at += v->bytes;
}

static void put_bitwise(struct walk *w)
{
    const struct rogue_insn *first = rogue_at(&w->parts->g, ROGUE_BITMASK);
    if (rogue_at(&w->parts->g, ROGUE_SHIFT2)->row) {
        put_insn(w, ROGUE_SHIFT2);
        put_insn(w, ROGUE_BITTEST);
        add(w, "reserved", WEFT_FIELD_OPCODE, 8 * w->at + 6, 2);
        w->at++;
    }
    put_insn(w, ROGUE_LOGICAL);
    if (!first->row)
        return;
    put_insn(w, ROGUE_BITMASK);
    put_insn(w, ROGUE_SHIFT1);
    put_insn(w, ROGUE_COUNT);
    add(w, "ph0", WEFT_FIELD_UNUSED, 8 * w->at + 7, 1);
    w->at += rogue_variant_of(w->t, first)->bytes;
}

static void put_insns(struct walk *w)
{
    if (w->parts->g.alu == ROGUE_BITWISE)
        put_bitwise(w);
    else if (w->parts->g.alu == ROGUE_CONTROL)
        put_insn(w, ROGUE_CTRL);
    else
        for (unsigned i = 0; i < ROGUE_SLOTS; i++)
            put_insn(w, (enum rogue_unit)rogue_main_order[i]);
}

/* ---- sources and destinations ---- */

/* A piece of a port's field: its bits in the part's bytes, and where they are in the packed registers. */
struct place {
    unsigned packed, bit, width;
};

static int by_packed(const void *a, const void *b)
{
    return (int)((const struct place *)a)->packed - (int)((const struct place *)b)->packed;
}

/* What a bit of the packed registers belongs to: indices 0 to 2, banks 3 to 5, IS0 6. */
static unsigned field_at(unsigned packed)
{
    return packed >= ROGUE_MUX_AT    ? 6
           : packed >= ROGUE_BANK_AT ? 3 + (packed - ROGUE_BANK_AT) / ROGUE_BANK_BITS
                                     : packed / ROGUE_INDEX_BITS;
}

static void set_port_word(struct weft_field *f, const struct rogue_group *g, unsigned port, unsigned field)
{
    static const char *const banks[] = {"special", "temp", "vtxin", "coeff", "shared", "coeff_alt", "idx0", "idx1"};
    struct rogue_reg r = g->reg[port];
    if (field == 6) {
        set_word(f, rogue_selectors[0].words[g->is0]);
    } else if (field >= 3) {
        set_word(f, banks[r.bank]);
    } else {
        char text[32];
        struct text t = {.p = text};
        rogue_put_any_reg(&t, r, 1);
        snprintf(f->word, sizeof f->word, "%.*s", (int)(t.p - text), text);
    }
}

/* Bits that say which form it is, and reserved ones. */
static void put_form_bits(struct walk *w, const struct rogue_port_form *form)
{
    static const char *const ext[] = {"ext0", "ext1", "ext2", "ext3", "ext4", "ext5"};
    enum { SEL = 14, EXT4 = 34 };
    for (unsigned bit = 0; bit < 8u * form->bytes; bit++) {
        if (!(form->mask >> bit & 1))
            continue;
        bool select = bit % 8 == 7 || bit == EXT4, source = form->part != ROGUE_DESTINATION;
        const char *name = source && bit == SEL ? "sel" : select ? ext[bit / 8] : "rsvd";
        add(w, name, WEFT_FIELD_CONTROL, 8 * w->at + bit, 1);
    }
}

static void put_part(struct walk *w, enum rogue_part part, unsigned number)
{
    static const char *const names[ROGUE_PARTS][7] = {{"s0", "s1", "s2", "sb0", "sb1", "sb2", "is0"},
                                                      {"s3", "s4", "s5", "sb3", "sb4", "sb5"},
                                                      {"d0", "d1", "", "db0", "db1"}};
    static const char *const single[] = {"dN", "", "", "dbN"};
    static const uint8_t first[ROGUE_PARTS] = {0, 3, ROGUE_SOURCES};
    const struct rogue_port_form *form = rogue_port_form(w->t, part, number);
    const struct rogue_group *g = &w->parts->g;
    struct place places[ROGUE_PORT_PIECES];
    struct weft_field *fields[7] = {NULL};
    unsigned n = form->npieces;
    for (unsigned i = 0; i < n; i++) {
        unsigned bit = (unsigned)__builtin_ctzll(form->piece[i].bits);
        places[i] =
            (struct place){(bit + form->piece[i].turn) & 63, bit, (unsigned)__builtin_popcountll(form->piece[i].bits)};
    }
    qsort(places, n, sizeof *places, by_packed);
    for (unsigned i = 0; i < n; i++) {
        unsigned which = field_at(places[i].packed);
        bool one = part == ROGUE_DESTINATION && form->count == 1;
        unsigned port = first[part] + which % 3 + (one && g->destinations == 2);
        if (fields[which]) {
            insn_piece(fields[which], w->insn, 8 * w->at + places[i].bit, places[i].width);
            continue;
        }
        fields[which] = add(w, one ? single[which] : names[part][which], WEFT_FIELD_OPERAND, 8 * w->at + places[i].bit,
                            places[i].width);
        set_port_word(fields[which], g, port, which);
    }
    put_form_bits(w, form);
    w->at += form->bytes;
}

static void put_selectors(struct walk *w)
{
    static const char *const names[ROGUE_SELECTORS] = {"is0", "is1", "is2", "is3", "is4", "is5"};
    for (unsigned n = ROGUE_SELECTORS; n-- > 1;) {
        const struct rogue_selector *s = &rogue_selectors[n];
        struct weft_field *f = add(w, names[n], WEFT_FIELD_OPERAND, 8 * w->at + s->bit, s->width);
        set_word(f, s->words[f->value]);
    }
    w->at++;
}

/* ---- the whole ---- */

/* Padding: a byte to make whole words, then the number of words that align and bytes of ones. */
static void put_padding(struct walk *w)
{
    if (w->at & 1)
        add(w, "pad", WEFT_FIELD_CONTROL, 8 * w->at++, 8);
    if (w->at < w->insn->size)
        add(w, "align", WEFT_FIELD_CONTROL, 8 * w->at++, 8);
    for (; w->at < w->insn->size; w->at++)
        add(w, "pad", WEFT_FIELD_CONTROL, 8 * w->at, 8);
}

/* Where a field is drawn: the first byte first, its most significant bit first. */
static unsigned drawn_at(const struct weft_field *f)
{
    unsigned first = UINT16_MAX;
    for (uint32_t i = 0; i < f->npieces; i++) {
        unsigned top = f->pieces[i].bit + f->pieces[i].width - 1u;
        unsigned at = top / 8 * 8 + 7 - top % 8;
        first = at < first ? at : first;
    }
    return first;
}

static int by_place(const void *a, const void *b)
{
    return (int)drawn_at(a) - (int)drawn_at(b);
}

size_t rogue_insn_fields(const struct isa_decoder *d, const struct weft_insn *insn, struct weft_field *fields)
{
    (void)d;
    struct rogue_parts p;
    struct walk w = {.insn = insn, .t = rogue_table(), .parts = &p, .fields = fields};
    rogue_read_parts(insn, &p);
    put_header(&w);
    put_insns(&w);
    if (p.g.lower) {
        put_part(&w, ROGUE_LOWER, p.g.lower);
        put_part(&w, ROGUE_UPPER, p.g.upper);
    }
    if (p.g.alu == ROGUE_MAIN)
        put_selectors(&w);
    if (p.g.dst)
        put_part(&w, ROGUE_DESTINATION, p.g.dst);
    put_padding(&w);
    qsort(fields, w.n, sizeof *fields, by_place);
    return w.n;
}
