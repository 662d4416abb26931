/* decode.c - bytes to groups (docs/manual/rogue.md), and programs of them. */
#include "isa/rogue/header.h"
#include "isa/rogue/ports.h"
#include "isa/rogue/template.h"

#include <endian.h>
#include <string.h>

/* The bytes of one group. A group whose parts go beyond its end is unknown, so the bytes there do not matter. */
struct reader {
    const struct rogue_table *t;
    struct rogue_group *g;
    const uint8_t *bytes; /* READ_AFTER more can be read */
    unsigned size;
    unsigned pos;
    unsigned reads;           /* ports that its instructions read: bit n is Sn */
    struct rogue_fault fault; /* of the attempt that came furthest */
    bool declares;            /* find out what the text of the group declares and asks for */
};

enum { READ_AFTER = 48 };

/* Answers false: the bits say nothing that a group can be. */
static bool no(struct reader *r, const char *why, unsigned byte, unsigned bit, unsigned width)
{
    r->fault = (struct rogue_fault){why, (uint16_t)(8 * byte + bit), (uint16_t)width};
    return false;
}

static bool no_instruction(struct reader *r)
{
    if (r->pos >= r->size)
        return no(r, "its instructions go beyond its end", 0, ROGUE_H_LENGTH_AT, ROGUE_H_LENGTH_WIDTH);
    return no(r, "no instruction has these bits", r->pos, 0, 8);
}

static bool wrong_da(struct reader *r)
{
    return no(r, "its instructions do not end where da says", 0, ROGUE_H_DA_AT, ROGUE_H_DA_WIDTH);
}

static struct pattern_word word_at(const struct reader *r, unsigned pos)
{
    struct pattern_word w;
    memcpy(&w, r->bytes + pos, sizeof w);
    for (size_t i = 0; i < sizeof w.w / sizeof *w.w; i++)
        w.w[i] = le64toh(w.w[i]);
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

/* The next instruction of `unit` that `word` may be, from candidate *from of the look-up; *from becomes the candidate
 * after it. */
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

/* Has the unit instructions that begin with the next byte? */
static bool may_be(const struct reader *r, enum rogue_unit unit)
{
    const uint16_t *first = &r->t->lookup[unit].first[r->bytes[r->pos]];
    return first[0] < first[1];
}

/* move, test, pack: each says whether another one follows. */
static bool read_phase_2(struct reader *r)
{
    for (;;) {
        enum rogue_unit unit = may_be(r, ROGUE_MOV) ? ROGUE_MOV : may_be(r, ROGUE_TST) ? ROGUE_TST : ROGUE_PCK;
        bool in_order =
            unit == ROGUE_PCK || (!rogue_at(r->g, ROGUE_TST)->row && !(unit == ROGUE_MOV && rogue_at(r->g, unit)->row));
        const struct rogue_variant *v = in_order ? take(r, unit) : NULL;
        if (!v)
            return no_instruction(r);
        if (unit == ROGUE_PCK || rogue_at(r->g, unit)->bits.w[0] & v->p2end)
            return true;
    }
}

/* The units of a phase share its bytes: each is looked up by the bits that are its own. */
static bool read_unit(struct reader *r, enum rogue_unit unit)
{
    unsigned from = 0, mask = rogue_units[unit].own;
    struct pattern_word w = word_at(r, r->pos);
    w.w[0] = (w.w[0] & ~UINT64_C(0xFF)) | (w.w[0] & mask);
    return find(r, unit, r->bytes[r->pos] & mask, w, &from) || no_instruction(r);
}

static bool read_bitwise(struct reader *r, unsigned opcnt)
{
    if (opcnt & 4) {
        unsigned own = rogue_units[ROGUE_SHIFT2].own | rogue_units[ROGUE_BITTEST].own;
        if (r->bytes[r->pos] & ~own)
            return no(r, "reserved bits are set", r->pos, 6, 2);
        if (!read_unit(r, ROGUE_SHIFT2) || !read_unit(r, ROGUE_BITTEST))
            return false;
        r->pos++;
    }
    if (opcnt & 2 && !take(r, ROGUE_LOGICAL))
        return no_instruction(r);
    if (opcnt & 1) {
        if (!read_unit(r, ROGUE_BITMASK) || !read_unit(r, ROGUE_SHIFT1) || !read_unit(r, ROGUE_COUNT))
            return false;
        r->g->ph0_low = !(r->bytes[r->pos] & ROGUE_PH0);
        r->pos += rogue_variant_of(r->t, rogue_at(r->g, ROGUE_BITMASK))->bytes;
    }
    return opcnt != 0 || no(r, "it has no instruction", 0, ROGUE_H_OPORG_AT, ROGUE_H_OPORG_WIDTH);
}

/* ---- after the instructions ---- */

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
        return no(r, "the lower sources have reserved bits", r->pos, 0, 8);
    r->pos += r->t->ports[ROGUE_LOWER].form[g->lower - 1].bytes;
    g->upper = (uint8_t)rogue_read_ports(&r->t->ports[ROGUE_UPPER], r->bytes + r->pos, HALF, &upper);
    if (!g->upper)
        return no(r, "the upper sources have reserved bits", r->pos, 0, 8);
    r->pos += r->t->ports[ROGUE_UPPER].form[g->upper - 1].bytes;
    for (unsigned i = 0; i < HALF; i++) {
        g->s[i] = rogue_packed_reg(lower, i);
        g->s[HALF + i] = rogue_packed_reg(upper, i);
    }
    g->is0 = rogue_packed_mux(lower);
    if (r->declares)
        declare_sources(r->t, g, r->reads, lower, upper);
    return g->is0 <= ROGUE_IS0_S2 || no(r, "IS0 has a code without a meaning", r->pos, 0, 0);
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
        return no(r, "the destinations have reserved bits", r->pos, 0, 8);
    for (unsigned i = 0; i < count; i++)
        g->w[(g->destinations == 2) + i] = rogue_packed_reg(packed, i);
    if (r->declares)
        declare_destinations(r->t, g, packed);
    r->pos += r->t->ports[ROGUE_DESTINATION].form[g->dst - 1].bytes;
    return true;
}

/* Section 9. */
static bool read_padding(struct reader *r)
{
    static const char wrong[] = "the rest of it is not padding";
    if (r->pos > r->size)
        return no(r, "its parts go beyond its end", 0, ROGUE_H_LENGTH_AT, ROGUE_H_LENGTH_WIDTH);
    if (r->pos & 1 && r->bytes[r->pos++] != ROGUE_PAD)
        return no(r, wrong, r->pos - 1, 0, 8);
    unsigned left = r->size - r->pos;
    r->g->pad = (int8_t)left;
    if (left && r->bytes[r->pos] != ROGUE_PAD_START + left / 2)
        return no(r, wrong, r->pos, 0, 8);
    for (unsigned i = 1; i < left; i++)
        if (r->bytes[r->pos + i] != ROGUE_PAD)
            return no(r, wrong, r->pos + i, 0, 8);
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
        for (unsigned n = 1; n < ROGUE_SELECTORS; n++)
            g->is[n] = (uint8_t)(iss >> rogue_selectors[n].bit & ((1u << rogue_selectors[n].width) - 1));
    }
    if (!read_destinations(r) || !read_padding(r))
        return false;
    for (int i = 0; g->weft && i < ROGUE_REGISTERS; i++)
        if (!read_dimension(&g->reg[i]))
            return no(r, "an index register has a dimension above 16", 0, 0, 0);
    return !g->weft || g->alu == ROGUE_CONTROL || is_weft(g) ||
           no(r, "nothing in it needs weft's encodings", 0, ROGUE_H_WEFT_AT, ROGUE_H_WEFT_WIDTH);
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
    return r->fault.why ? false : no_instruction(r);
}

static bool read_main(struct reader *r, unsigned oporg)
{
    unsigned parts = rogue_oporgs[oporg];
    if (parts & ROGUE_HAS_BACKEND && !take(r, ROGUE_BACKEND))
        return no_instruction(r);
    if (parts & ROGUE_HAS_P2 && !read_phase_2(r))
        return false;
    if (r->bytes[0] >> ROGUE_H_DA_AT != r->pos)
        return wrong_da(r);
    if (parts & ROGUE_HAS_P1 && !take(r, ROGUE_P1))
        return no_instruction(r);
    return parts & ROGUE_HAS_P0 ? read_phase_0(r) : read_rest(r, true);
}

static bool read_control(struct reader *r, uint32_t header)
{
    unsigned ctrlop = ROGUE_HEADER_GET(header, CTRLOP);
    bool miscctl = ROGUE_HEADER_GET(header, MISCCTL);
    struct rogue_group *g = r->g;
    unsigned from = 0;
    const struct rogue_variant *v = find(r, ROGUE_CTRL, ctrlop, word_at(r, r->pos), &from);
    if (!v)
        return no(r, "no control operation has these bits", r->pos, 0, 8 * (r->pos < r->size));
    if (ROGUE_HEADER_GET(header, OPORG))
        return no(r, "oporg is reserved in control groups", 0, ROGUE_H_OPORG_AT, ROGUE_H_OPORG_WIDTH);
    r->pos += v->bytes;
    g->drc = v->form->misc == ROGUE_MISC_DRC && miscctl;
    g->end = v->form->misc == ROGUE_MISC_END && miscctl;
    g->weft = v->weft;
    if (miscctl && v->form->misc == ROGUE_MISC_NONE)
        return no(r, "miscctl is reserved in this operation", 0, ROGUE_H_MISCCTL_AT, ROGUE_H_MISCCTL_WIDTH);
    unsigned assist = v->form->sources || g->destinations ? r->pos : 0;
    return (ROGUE_HEADER_GET(header, DA) == assist || wrong_da(r)) && read_rest(r, v->form->sources);
}

static bool read_group(struct reader *r)
{
    struct rogue_group *g = r->g;
    const uint8_t *b = r->bytes;
    uint32_t h = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16;
    unsigned parts = ROGUE_HEADER_GET(h, OPORG);
    g->olchk = ROGUE_HEADER_GET(h, OLCHK);
    g->destinations = (uint8_t)(ROGUE_HEADER_GET(h, W0P) | ROGUE_HEADER_GET(h, W1P) << 1);
    g->cc = (uint8_t)ROGUE_HEADER_GET(h, CC);
    g->repeat = 1;
    g->header = ROGUE_HEADER_GET(h, EXT) ? ROGUE_LONG_HEADER : ROGUE_SHORT_HEADER;
    r->pos = g->header;
    if (g->header == ROGUE_SHORT_HEADER)
        return read_main(r, parts);
    g->cc |= (uint8_t)(ROGUE_HEADER_GET(h, CCEXT) << 1);
    g->alu = (uint8_t)ROGUE_HEADER_GET(h, ALUTYPE);
    if (g->alu == ROGUE_CONTROL)
        return read_control(r, h);
    g->end = ROGUE_HEADER_GET(h, END);
    g->weft = ROGUE_HEADER_GET(h, WEFT);
    g->atom = ROGUE_HEADER_GET(h, ATOM);
    g->repeat = (uint8_t)(ROGUE_HEADER_GET(h, RPT) + 1);
    if (g->alu == ROGUE_MAIN)
        return read_main(r, parts);
    if (g->alu != ROGUE_BITWISE)
        return no(r, "nothing published has this alutype", 0, ROGUE_H_ALUTYPE_AT, ROGUE_H_ALUTYPE_WIDTH);
    return read_bitwise(r, parts) && (ROGUE_HEADER_GET(h, DA) == r->pos || wrong_da(r)) && read_rest(r, true);
}

void rogue_read_into(const struct rogue_table *t, const uint8_t *bytes, size_t size, struct rogue_group *g,
                     struct rogue_fault *fault)
{
    uint8_t copy[ROGUE_GROUP_BYTES + READ_AFTER];
    unsigned length = size ? rogue_group_size(bytes) : ROGUE_GROUP_BYTES;
    bool whole = length <= size && length > 2;
    if (length > size)
        length = (unsigned)size;
    struct reader r = {.t = t, .g = g, .bytes = bytes, .size = length, .declares = !fault};
    if (size < length + READ_AFTER) { /* bytes after the group do not matter, but may be read */
        memset(copy, 0, sizeof copy);
        memcpy(copy, bytes, length);
        r.bytes = copy;
    }
    if (!whole || !read_group(&r)) {
        *g = (struct rogue_group){.data = bytes};
        if (fault)
            *fault = r.fault;
    }
    g->size = (uint8_t)length;
}

void rogue_read_group(const uint8_t *bytes, size_t size, struct rogue_group *g)
{
    memset(g, 0, sizeof *g);
    rogue_read_into(rogue_table(), bytes, size, g, NULL);
}

/* ---- programs ---- */

struct isa_module *rogue_new_module(const struct isa_params *params, struct arena *arena)
{
    struct isa_module *m = ARENA_NEW(arena, struct isa_module);
    if (m)
        *m = (struct isa_module){.base = params->base,
                                 .strict = params->strict,
                                 .stage = params->stage,
                                 .linkage = params->linkage,
                                 .labels = params->labels};
    return m;
}

weft_status rogue_decode(const uint8_t *bytes, size_t size, const char *name, const struct isa_params *params,
                         struct arena *arena, struct isa_module **out, weft_diags *diags)
{
    enum { USUAL_BYTES = 10 }; /* of a group */
    *out = NULL;
    (void)diags; /* unknown bytes are data */
    const struct rogue_table *t = rogue_table();
    struct isa_module *m = rogue_new_module(params, arena);
    uint8_t *kept = ARENA_ARRAY(arena, uint8_t, size + 1);
    size_t capacity = 0;
    if (!m || !kept)
        return WEFT_ERROR_MEMORY;
    memcpy(kept, bytes, size);
    m->name = name ? arena_strndup(arena, name, strlen(name)) : NULL;
    for (size_t at = 0; at < size;) {
        if (m->ngroups >= capacity) {
            size_t need = m->ngroups + size / USUAL_BYTES + 1;
            m->groups = arena_grow(arena, m->groups, sizeof *m->groups, m->ngroups, &capacity, need);
            if (!m->groups)
                return WEFT_ERROR_MEMORY;
        }
        struct rogue_group *g = &m->groups[m->ngroups++];
        rogue_read_into(t, kept + at, size - at, g, NULL);
        g->offset = (uint32_t)at;
        at += g->size;
    }
    *out = m;
    return WEFT_OK;
}
