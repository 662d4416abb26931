/* read.c - bytes to groups (encoding, section 11). */
#include "isa/rogue/ports.h"
#include "isa/rogue/template.h"

#include <string.h>

/* The bytes of one group. A group whose parts go beyond its end is none, so that what is there does not matter. */
struct reader {
    const struct rogue_table *t;
    struct rogue_group *g;
    const uint8_t *bytes;      /* READ_BEHIND more can be read */
    unsigned size;
    unsigned pos;
};

enum { READ_BEHIND = 48, PH0 = 0x80 };

static struct pattern_word word_at(const struct reader *r, unsigned pos)
{
    struct pattern_word w;
    memcpy(&w, r->bytes + pos, sizeof w);
    return w;
}

static bool codes_are_valid(const struct rogue_variant *v, const struct pattern_word *word)
{
    for (unsigned i = 0; i < v->nchecks; i++)
        if (!(v->checks[i].valid >> (pattern_get(&v->pattern.field[v->checks[i].slot], word) & 63) & 1))
            return false;
    return true;
}

/* The next instruction of `unit` that `word` may be, from candidate *from of the look-up; *from is moved behind it. */
static bool find(struct reader *r, enum rogue_unit unit, unsigned key, struct pattern_word word, unsigned *from)
{
    const struct rogue_lookup *l = &r->t->lookup[unit];
    for (unsigned i = l->first[key] + *from; i < l->first[key + 1]; i++) {
        const struct rogue_variant *v = &r->t->variants[l->variant[i]];
        if (!pattern_matches(&v->pattern, &word) || !codes_are_valid(v, &word))
            continue;
        if (!r->g->weft && unit != ROGUE_CTRL && rogue_is_weft(v, &word))
            continue;
        struct pattern_word bits = {{word.w[0] & v->used.w[0], word.w[1] & v->used.w[1]}};
        r->g->insn[rogue_slot(unit)] = (struct rogue_insn){&rogue_rows()[v->row], v->form, bits};
        *from = i - l->first[key] + 1;
        return true;
    }
    return false;
}

static bool take(struct reader *r, enum rogue_unit unit)
{
    unsigned from = 0;
    if (r->pos >= r->size || !find(r, unit, r->bytes[r->pos], word_at(r, r->pos), &from))
        return false;
    r->pos += rogue_variant_of(r->t, rogue_at(r->g, unit))->bytes;
    return true;
}

/* move, test, pack: each says whether another one follows. */
static bool read_phase_2(struct reader *r)
{
    enum { OP_SHIFT = 5, OP_PCK = 4, OP_MOVC = 6, OP_TST = 7 };
    for (;;) {
        unsigned op = r->bytes[r->pos] >> OP_SHIFT;
        enum rogue_unit unit = op == OP_MOVC ? ROGUE_MOV : op == OP_TST ? ROGUE_TST : ROGUE_PCK;
        bool in_order =
            unit == ROGUE_PCK || (!rogue_at(r->g, ROGUE_TST)->row && !(unit == ROGUE_MOV && rogue_at(r->g, unit)->row));
        if (!in_order || !take(r, unit))
            return false;
        const struct rogue_insn *insn = rogue_at(r->g, unit);
        if (unit == ROGUE_PCK || rogue_code(rogue_variant_of(r->t, insn), &insn->bits, ROGUE_F_P2END))
            return true;
    }
}

/* The units of a phase share its bytes: each is looked up by the bits that are its own. */
static bool read_unit(struct reader *r, enum rogue_unit unit, unsigned mask)
{
    unsigned from = 0;
    struct pattern_word w = word_at(r, r->pos);
    w.w[0] = (w.w[0] & ~UINT64_C(0xFF)) | (w.w[0] & mask);
    return find(r, unit, r->bytes[r->pos] & mask, w, &from);
}

static bool read_bitwise(struct reader *r, unsigned opcnt)
{
    if (opcnt & 4) {
        if (r->bytes[r->pos] & 0xC0 || !read_unit(r, ROGUE_SHIFT2, 0x07) || !read_unit(r, ROGUE_BITTEST, 0x38))
            return false;
        r->pos++;
    }
    if (opcnt & 2 && !take(r, ROGUE_LOGICAL))
        return false;
    if (opcnt & 1) {
        if (!read_unit(r, ROGUE_BITMASK, 0x11) || !read_unit(r, ROGUE_SHIFT1, 0x0C) || !read_unit(r, ROGUE_COUNT, 0x62))
            return false;
        r->g->ph0_low = !(r->bytes[r->pos] & PH0);
        r->pos += rogue_variant_of(r->t, rogue_at(r->g, ROGUE_BITMASK))->bytes;
    }
    return opcnt != 0;
}

/* ---- behind the instructions ---- */

/* Weft's own: the top three bits of an index register's offset are the logarithm of its dimension, up to 16. */
static bool read_dimension(struct rogue_reg *reg)
{
    enum { MOST = 4 };
    if (!rogue_reg_is_indexed(*reg))
        return true;
    reg->dim = (uint8_t)(reg->index >> 8);
    reg->index &= 0xFF;
    return reg->dim <= MOST;
}

/* Which of a part's registers count as declared: those that are not constant 0, and the last one that the form has. */
static unsigned declared(const struct rogue_reg *reg, unsigned count)
{
    unsigned mask = count > 1 ? 1u << (count - 1) : 0;
    for (unsigned i = 0; i < count; i++)
        mask |= (reg[i].bank || reg[i].index) ? 1u << i : 0;
    return mask;
}

void rogue_normalise(struct rogue_group *g)
{
    const struct rogue_table *t = rogue_table();
    const struct rogue_port_form *lower = rogue_port_form(t, ROGUE_LOWER, g->lower),
                                 *upper = rogue_port_form(t, ROGUE_UPPER, g->upper);
    if (!lower || !upper)
        return;
    g->sources = (uint8_t)(declared(g->s, lower->count) | declared(g->s + 3, upper->count) << 3);
    rogue_fill_gaps(g);
    g->mux = g->is0 != 0 || (lower->mux && rogue_natural_form(g, ROGUE_LOWER, false) != g->lower &&
                             rogue_natural_form(g, ROGUE_LOWER, true) == g->lower);
}

static bool read_sources(struct reader *r)
{
    enum { HALF = ROGUE_SOURCES / 2 };
    struct rogue_group *g = r->g;
    uint8_t none;
    g->lower = (uint8_t)rogue_read_ports(&r->t->ports[ROGUE_LOWER], r->bytes + r->pos, HALF, g->s, &g->is0);
    const struct rogue_port_form *f = rogue_port_form(r->t, ROGUE_LOWER, g->lower);
    if (!f)
        return false;
    r->pos += f->bytes;
    g->upper = (uint8_t)rogue_read_ports(&r->t->ports[ROGUE_UPPER], r->bytes + r->pos, HALF, g->s + HALF, &none);
    const struct rogue_port_form *u = rogue_port_form(r->t, ROGUE_UPPER, g->upper);
    if (!u || g->is0 > ROGUE_IS0_S2)
        return false;
    r->pos += u->bytes;
    rogue_normalise(g);
    return true;
}

static bool read_destinations(struct reader *r)
{
    struct rogue_group *g = r->g;
    unsigned count = (g->destinations & 1u) + (g->destinations >> 1);
    uint8_t none;
    if (count == 0)
        return true;
    g->dst = (uint8_t)rogue_read_ports(&r->t->ports[ROGUE_DESTINATION], r->bytes + r->pos, count,
                                       &g->w[g->destinations == 2], &none);
    if (!g->dst)
        return false;
    r->pos += rogue_port_form(r->t, ROGUE_DESTINATION, g->dst)->bytes;
    return true;
}

/* Section 9. */
static bool read_padding(struct reader *r)
{
    if (r->pos > r->size)
        return false;
    if (r->pos & 1 && r->bytes[r->pos++] != 0xFF)
        return false;
    unsigned left = r->size - r->pos;
    r->g->pad = (int8_t)left;
    if (left && r->bytes[r->pos] != 0xF0 + left / 2)
        return false;
    for (unsigned i = 1; i < left; i++)
        if (r->bytes[r->pos + i] != 0xFF)
            return false;
    return true;
}

static bool is_weft(const struct rogue_group *g)
{
    struct rogue_group copy = *g;
    rogue_finish(&copy);
    return copy.weft;
}

static bool read_rest(struct reader *r)
{
    struct rogue_group *g = r->g;
    bool conditional = g->alu == ROGUE_CONTROL && rogue_variant_of(r->t, rogue_at(g, ROGUE_CTRL))->ctrlop == 3;
    if ((g->alu != ROGUE_CONTROL || conditional) && !read_sources(r))
        return false;
    if (g->alu == ROGUE_MAIN) {
        unsigned iss = r->bytes[r->pos++];
        g->is1 = iss & 1;
        g->is2 = iss >> 1 & 1;
        g->is3 = iss >> 2 & 3;
        g->is4 = iss >> 4 & 3;
        g->is5 = (uint8_t)(iss >> 6);
    }
    if (!read_destinations(r) || !read_padding(r))
        return false;
    for (int i = 0; g->weft && i < ROGUE_SOURCES; i++)
        if (!read_dimension(&g->s[i]))
            return false;
    for (int i = 0; g->weft && i < ROGUE_DESTINATIONS; i++)
        if (!read_dimension(&g->w[i]))
            return false;
    return !g->weft || g->alu == ROGUE_CONTROL || is_weft(g);
}

/* Nothing says whether an 8 or 16 bit integer instruction has two or three bytes: what makes the rest a group is it. */
static bool read_phase_0(struct reader *r)
{
    unsigned start = r->pos, from = 0;
    while (start < r->size && find(r, ROGUE_P0, r->bytes[start], word_at(r, start), &from)) {
        struct rogue_insn insn = r->g->insn[ROGUE_P0];
        r->pos = start + rogue_variant_of(r->t, &insn)->bytes;
        if (read_rest(r)) /* which sets the same parts of the group each time */
            return true;
    }
    return false;
}

static bool read_main(struct reader *r, unsigned oporg)
{
    static const struct {
        bool p0, p1, p2, backend;
    } parts[8] = {{1, 0, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {1, 1, 0, 0},
                  {1, 0, 1, 0}, {1, 1, 1, 0}, {1, 0, 1, 1}, {1, 1, 1, 1}};
    if (parts[oporg].backend && !take(r, ROGUE_BACKEND))
        return false;
    if (parts[oporg].p2 && !read_phase_2(r))
        return false;
    if (r->bytes[0] >> 4 != r->pos)
        return false;
    if (parts[oporg].p1 && !take(r, ROGUE_P1))
        return false;
    return parts[oporg].p0 ? read_phase_0(r) : read_rest(r);
}

static bool read_control(struct reader *r, unsigned ctrlop, bool miscctl)
{
    enum { CND = 3, WDF = 5, NOP = 7, WEFT_BPRET = 13 };
    struct rogue_group *g = r->g;
    unsigned from = 0;
    if (!find(r, ROGUE_CTRL, ctrlop, word_at(r, r->pos), &from) || r->bytes[1] >> 4 & 7)
        return false;
    r->pos += rogue_variant_of(r->t, rogue_at(g, ROGUE_CTRL))->bytes;
    g->drc = ctrlop == WDF && miscctl;
    g->end = ctrlop == NOP && miscctl;
    g->weft = ctrlop == WEFT_BPRET;
    if (miscctl && !g->drc && !g->end)
        return false;
    unsigned assist = ctrlop == CND || g->destinations ? r->pos : 0;
    return r->bytes[0] >> 4 == assist && read_rest(r);
}

static bool read_group(struct reader *r)
{
    enum { EXT = 0x80, RESERVED = 0x10 };
    struct rogue_group *g = r->g;
    const uint8_t *b = r->bytes;
    unsigned op = b[1] >> 4 & 7;
    g->olchk = b[1] >> 3 & 1;
    g->destinations = (uint8_t)((b[1] >> 1 & 1) | (b[1] >> 2 & 1) << 1);
    g->cc = b[1] & 1;
    g->repeat = 1;
    g->header = b[1] & EXT ? 3 : 2;
    r->pos = g->header;
    if (g->header == 2)
        return read_main(r, op);
    g->cc |= (uint8_t)((b[2] & 1) << 1);
    g->alu = b[2] >> 5 & 3;
    if (g->alu == ROGUE_CONTROL)
        return read_control(r, b[2] >> 1 & 15, b[2] >> 7);
    g->end = b[2] >> 7;
    g->weft = (b[2] & RESERVED) != 0;
    g->atom = b[2] >> 3 & 1;
    g->repeat = (uint8_t)((b[2] >> 1 & 3) + 1);
    if (g->alu == ROGUE_MAIN)
        return read_main(r, op);
    return g->alu == ROGUE_BITWISE && read_bitwise(r, op) && b[0] >> 4 == r->pos && read_rest(r);
}

void rogue_read_group(const uint8_t *bytes, size_t size, struct rogue_group *g)
{
    uint8_t copy[ROGUE_GROUP_BYTES + READ_BEHIND];
    unsigned length = size ? 2 * (bytes[0] & 15u) : 0;
    length = length ? length : ROGUE_GROUP_BYTES;
    bool whole = length <= size && length > 2;
    if (length > size)
        length = (unsigned)size;
    *g = (struct rogue_group){0};
    struct reader r = {rogue_table(), g, bytes, length, 0};
    if (size < length + READ_BEHIND) { /* what is behind the group does not matter, but may be looked at */
        memset(copy, 0, sizeof copy);
        memcpy(copy, bytes, length);
        r.bytes = copy;
    }
    if (!whole || !read_group(&r))
        *g = (struct rogue_group){.data = bytes};
    g->size = (uint8_t)length;
}
