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
    unsigned reads; /* ports that its instructions read: bit n is Sn */
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
        if (!(v->checks[i].valid >> (pattern_get(&v->form->pattern.field[v->checks[i].slot], word) & 63) & 1))
            return false;
    return true;
}

/* May a group without the mark of weft's encodings have it? */
static bool is_public(const struct rogue_variant *v, const struct pattern_word *word)
{
    return !v->weft && !(v->weft_codes && rogue_is_weft(v, word));
}

/* The next instruction of `unit` that `word` may be, from candidate *from of the look-up; *from is moved behind it. */
static inline const struct rogue_variant *find(struct reader *r, enum rogue_unit unit, unsigned key,
                                               struct pattern_word word, unsigned *from)
{
    const struct rogue_lookup *l = &r->t->lookup[unit];
    for (unsigned i = l->first[key] + *from; i < l->first[key + 1]; i++) {
        const struct rogue_variant *v = &r->t->variants[l->variant[i]];
        if (!rogue_matches(v, &word) || (v->nchecks && !codes_are_valid(v, &word)))
            continue;
        if (!r->g->weft && unit != ROGUE_CTRL && !is_public(v, &word))
            continue;
        r->g->insn[rogue_slot(unit)] =
            (struct rogue_insn){v->row, v->number, {{word.w[0] & v->used.w[0], word.w[1] & v->used.w[1]}}};
        r->reads |= (unsigned)v->reads << (unit == ROGUE_P1 ? 3 : 0);
        *from = i - l->first[key] + 1;
        return v;
    }
    return NULL;
}

/* The instruction of `unit` that is next; NULL: none is. */
static inline const struct rogue_variant *take(struct reader *r, enum rogue_unit unit)
{
    unsigned from = 0;
    if (r->pos >= r->size)
        return NULL;
    const struct rogue_variant *v = find(r, unit, r->bytes[r->pos], word_at(r, r->pos), &from);
    r->pos += v ? v->bytes : 0;
    return v;
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
        const struct rogue_variant *v = in_order ? take(r, unit) : NULL;
        if (!v)
            return false;
        if (unit == ROGUE_PCK || rogue_at(r->g, unit)->bits.w[0] & v->p2end)
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
static unsigned declared(uint64_t packed, unsigned count)
{
    unsigned mask = count > 1 ? 1u << (count - 1) : 0;
    for (unsigned i = 0; i < count; i++)
        mask |= rogue_packed_is_zero(packed, i) ? 0 : 1u << i;
    return mask;
}

/* Does a part whose registers form n holds have it without being asked for? The first form of as many always is. */
static inline bool is_natural(const struct rogue_part_forms *part, unsigned n, uint64_t packed, unsigned count,
                              bool mux)
{
    return (!mux && part->first[count] + 1u == n) || rogue_choose_packed(part, packed, count, mux) == n;
}

/* What the bytes of the sources say. */
static void declare_sources(const struct rogue_table *t, struct rogue_group *g, unsigned reads, uint64_t lower,
                            uint64_t upper)
{
    const struct rogue_part_forms *low = &t->ports[ROGUE_LOWER], *up = &t->ports[ROGUE_UPPER];
    const struct rogue_port_form *form = &low->form[g->lower - 1];
    unsigned sources = declared(lower, form->count) | declared(upper, up->form[g->upper - 1].count) << 3;
    sources |= rogue_gaps(sources, reads);
    unsigned below = rogue_source_count(sources & 7u), above = rogue_source_count(sources >> 3);
    bool plain = is_natural(low, g->lower, lower, below, false);
    bool for_mux = !plain && form->mux && is_natural(low, g->lower, lower, below, true);
    g->sources = (uint8_t)sources;
    g->mux = g->is0 != 0 || for_mux;
    g->asked =
        (uint8_t)((!plain && !for_mux) << ROGUE_LOWER | !is_natural(up, g->upper, upper, above, false) << ROGUE_UPPER);
}

static void declare_destinations(const struct rogue_table *t, struct rogue_group *g, uint64_t packed)
{
    unsigned count = g->destinations == 3 ? 2 : 1;
    g->asked |= (uint8_t)(!is_natural(&t->ports[ROGUE_DESTINATION], g->dst, packed, count, false) << ROGUE_DESTINATION);
}

void rogue_normalise(struct rogue_group *g)
{
    const struct rogue_table *t = rogue_table();
    struct rogue_ports lower = rogue_ports_of(g, ROGUE_LOWER), upper = rogue_ports_of(g, ROGUE_UPPER),
                       dst = rogue_ports_of(g, ROGUE_DESTINATION);
    g->asked = 0;
    if (g->lower && g->upper)
        declare_sources(t, g, rogue_reads(g), rogue_pack_ports(&lower), rogue_pack_ports(&upper));
    if (g->dst)
        declare_destinations(t, g, rogue_pack_ports(&dst));
}

static bool read_sources(struct reader *r)
{
    enum { HALF = ROGUE_SOURCES / 2 };
    struct rogue_group *g = r->g;
    uint64_t lower, upper;
    g->lower = (uint8_t)rogue_read_ports(&r->t->ports[ROGUE_LOWER], r->bytes + r->pos, HALF, &lower);
    if (!g->lower)
        return false;
    r->pos += r->t->ports[ROGUE_LOWER].form[g->lower - 1].bytes;
    g->upper = (uint8_t)rogue_read_ports(&r->t->ports[ROGUE_UPPER], r->bytes + r->pos, HALF, &upper);
    if (!g->upper)
        return false;
    r->pos += r->t->ports[ROGUE_UPPER].form[g->upper - 1].bytes;
    for (unsigned i = 0; i < HALF; i++) {
        g->s[i] = rogue_packed_reg(lower, i);
        g->s[HALF + i] = rogue_packed_reg(upper, i);
    }
    g->is0 = rogue_packed_mux(lower);
    declare_sources(r->t, g, r->reads, lower, upper);
    return g->is0 <= ROGUE_IS0_S2;
}

static bool read_destinations(struct reader *r)
{
    struct rogue_group *g = r->g;
    uint64_t packed;
    if (g->destinations == 0)
        return true;
    unsigned count = g->destinations == 3 ? 2 : 1;
    g->dst = (uint8_t)rogue_read_ports(&r->t->ports[ROGUE_DESTINATION], r->bytes + r->pos, count, &packed);
    if (!g->dst)
        return false;
    for (unsigned i = 0; i < count; i++)
        g->w[(g->destinations == 2) + i] = rogue_packed_reg(packed, i);
    declare_destinations(r->t, g, packed);
    r->pos += r->t->ports[ROGUE_DESTINATION].form[g->dst - 1].bytes;
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

/* The sources if it has some, the selectors, the destinations and the padding. */
static bool read_rest(struct reader *r, bool has_sources)
{
    struct rogue_group *g = r->g;
    g->asked = 0;
    if (has_sources && !read_sources(r))
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
    unsigned start = r->pos, from = 0, reads = r->reads;
    const struct rogue_variant *v;
    while (start < r->size && (v = find(r, ROGUE_P0, r->bytes[start], word_at(r, start), &from))) {
        r->pos = start + v->bytes;
        if (read_rest(r, true)) /* which sets the same parts of the group each time */
            return true;
        r->reads = reads;
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
    return parts[oporg].p0 ? read_phase_0(r) : read_rest(r, true);
}

static bool read_control(struct reader *r, unsigned ctrlop, bool miscctl)
{
    enum { CND = 3, WDF = 5, NOP = 7, WEFT_BPRET = 13 };
    struct rogue_group *g = r->g;
    unsigned from = 0;
    const struct rogue_variant *v = find(r, ROGUE_CTRL, ctrlop, word_at(r, r->pos), &from);
    if (!v || r->bytes[1] >> 4 & 7)
        return false;
    r->pos += v->bytes;
    g->drc = ctrlop == WDF && miscctl;
    g->end = ctrlop == NOP && miscctl;
    g->weft = ctrlop == WEFT_BPRET;
    if (miscctl && !g->drc && !g->end)
        return false;
    unsigned assist = ctrlop == CND || g->destinations ? r->pos : 0;
    return r->bytes[0] >> 4 == assist && read_rest(r, ctrlop == CND);
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
    return g->alu == ROGUE_BITWISE && read_bitwise(r, op) && b[0] >> 4 == r->pos && read_rest(r, true);
}

void rogue_read_into(const struct rogue_table *t, const uint8_t *bytes, size_t size, struct rogue_group *g)
{
    uint8_t copy[ROGUE_GROUP_BYTES + READ_BEHIND];
    unsigned length = size ? 2 * (bytes[0] & 15u) : 0;
    length = length ? length : ROGUE_GROUP_BYTES;
    bool whole = length <= size && length > 2;
    if (length > size)
        length = (unsigned)size;
    struct reader r = {.t = t, .g = g, .bytes = bytes, .size = length};
    if (size < length + READ_BEHIND) { /* what is behind the group does not matter, but may be looked at */
        memset(copy, 0, sizeof copy);
        memcpy(copy, bytes, length);
        r.bytes = copy;
    }
    if (!whole || !read_group(&r))
        *g = (struct rogue_group){.data = bytes};
    g->size = (uint8_t)length;
}

void rogue_read_group(const uint8_t *bytes, size_t size, struct rogue_group *g)
{
    memset(g, 0, sizeof *g);
    rogue_read_into(rogue_table(), bytes, size, g);
}
