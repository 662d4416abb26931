/* group.c - groups as bytes: fitting, writing and reading one, and laying out programs. */
#include "isa/rogue/ports.h"
#include "isa/rogue/template.h"

#include <string.h>

/* ---- header (encoding, section 2) ---- */

/* Bits of byte 1 and byte 2. */
enum { EXT = 0x80, OLCHK = 8, W1P = 4, W0P = 2, END = 0x80, WEFT = 0x10, ATOM = 8 };
/* The parts of a main group by its oporg. */
enum { HAS_P0 = 1, HAS_P1 = 2, HAS_P2 = 4, HAS_BACKEND = 8 };
static const uint8_t oporgs[8] = {HAS_P0,
                                  HAS_P2,
                                  HAS_BACKEND,
                                  HAS_P0 | HAS_P1,
                                  HAS_P0 | HAS_P2,
                                  HAS_P0 | HAS_P1 | HAS_P2,
                                  HAS_P0 | HAS_P2 | HAS_BACKEND,
                                  HAS_P0 | HAS_P1 | HAS_P2 | HAS_BACKEND};

static bool has(const struct rogue_group *g, enum rogue_unit unit)
{
    return rogue_at(g, unit)->row != NULL;
}

static unsigned parts_of(const struct rogue_group *g)
{
    if (g->alu == ROGUE_BITWISE)
        return (has(g, ROGUE_BITMASK) ? HAS_P0 : 0) | (has(g, ROGUE_LOGICAL) ? HAS_P1 : 0) |
               (has(g, ROGUE_SHIFT2) ? HAS_P2 : 0);
    return (has(g, ROGUE_P0) ? HAS_P0 : 0) | (has(g, ROGUE_P1) ? HAS_P1 : 0) |
           (has(g, ROGUE_PCK) || has(g, ROGUE_TST) || has(g, ROGUE_MOV) ? HAS_P2 : 0) |
           (has(g, ROGUE_BACKEND) ? HAS_BACKEND : 0);
}

static int oporg_of(const struct rogue_group *g)
{
    for (int i = 0; i < 8; i++)
        if (oporgs[i] == parts_of(g))
            return i;
    return -1;
}

bool rogue_phases_fit(const struct rogue_group *g)
{
    return g->alu != ROGUE_MAIN || oporg_of(g) >= 0;
}

bool rogue_takes_alu(const struct rogue_row *row)
{
    bool sop = row->op >= ROGUE_OP_F16SOP && row->op <= ROGUE_OP_F16SOP_U8MAD;
    return row->units & 1u << ROGUE_P0 && (sop || rogue_table()->templates[row->op].operands[0].kind == ROGUE_ON_W);
}

static bool needs_long_header(const struct rogue_group *g)
{
    return g->alu != ROGUE_MAIN || g->cc > ROGUE_CC_PE_P0 || g->end || g->atom || g->repeat != 1 || g->weft;
}

static const struct rogue_variant *variant_at(const struct rogue_table *t, const struct rogue_group *g,
                                              enum rogue_unit unit)
{
    const struct rogue_insn *insn = rogue_at(g, unit);
    return insn->row ? rogue_variant_of(t, insn) : NULL;
}

static unsigned bytes_at(const struct rogue_table *t, const struct rogue_group *g, enum rogue_unit unit)
{
    const struct rogue_variant *v = variant_at(t, g, unit);
    return v ? v->bytes : 0;
}

/* Control groups have sources only with conditionals. */
static bool has_sources(const struct rogue_table *t, const struct rogue_group *g)
{
    return g->alu != ROGUE_CONTROL || variant_at(t, g, ROGUE_CTRL)->form->ctrlop == 3;
}

/* ---- fitting ---- */

bool rogue_insn_is_weft(const struct rogue_insn *insn)
{
    return rogue_is_weft(rogue_variant_of(rogue_table(), insn), &insn->bits);
}

static void set_default(struct rogue_group *g, enum rogue_unit unit, enum rogue_op op)
{
    struct rogue_insn *insn = &g->insn[rogue_slot(unit)];
    if (insn->row)
        return;
    *insn = (struct rogue_insn){.row = &rogue_rows()[op]};
    insn->bits = rogue_variant_of(rogue_table(), insn)->start;
}

/* "The compiler will fill in default encoding values for unused instructions in any phase that is used" (chapter 3). */
static void fill_phases(struct rogue_group *g)
{
    if (has(g, ROGUE_BITMASK) || has(g, ROGUE_SHIFT1) || has(g, ROGUE_COUNT)) {
        set_default(g, ROGUE_BITMASK, ROGUE_OP_BYP_BITMASK);
        set_default(g, ROGUE_SHIFT1, ROGUE_OP_BYP_SHIFT1);
        set_default(g, ROGUE_COUNT, ROGUE_OP_BYP_COUNT);
    }
    if (has(g, ROGUE_SHIFT2) || has(g, ROGUE_BITTEST)) {
        set_default(g, ROGUE_SHIFT2, ROGUE_OP_LSL);
        set_default(g, ROGUE_BITTEST, ROGUE_OP_TZ);
    }
}

/* A phase-2 move or test that nothing follows says so, which takes its long form. */
static void mark_phase_2_end(struct rogue_group *g)
{
    const struct rogue_table *t = rogue_table();
    for (int unit = ROGUE_TST; unit <= ROGUE_MOV; unit++) {
        struct rogue_insn *insn = &g->insn[unit];
        if (!insn->row)
            continue;
        bool last = !has(g, ROGUE_PCK) && (unit == ROGUE_TST || !has(g, ROGUE_TST));
        const struct rogue_variant *v = rogue_variant_of(t, insn);
        struct pattern_word bits;
        for (uint8_t form = 0; last && v->form->slot[ROGUE_F_P2END] < 0 && form < rogue_nforms(insn->row->op); form++)
            if (v[form - insn->form].form->slot[ROGUE_F_P2END] >= 0 &&
                rogue_rewrite(v, &insn->bits, v + form - insn->form, &bits)) {
                v += form - insn->form;
                insn->bits = bits;
                insn->form = form;
            }
        rogue_set(v, &insn->bits, ROGUE_F_P2END, last);
    }
}

void rogue_finish(struct rogue_group *g)
{
    g->weft = false;
    if (g->alu == ROGUE_BITWISE)
        fill_phases(g);
    else if (g->alu == ROGUE_MAIN)
        mark_phase_2_end(g);
    for (int slot = 0; slot < ROGUE_SLOTS; slot++)
        if (g->insn[slot].row && rogue_insn_is_weft(&g->insn[slot]))
            g->weft = true;
    for (int i = 0; i < ROGUE_SOURCES; i++)
        g->weft |= g->s[i].dim != 0;
    for (int i = 0; i < ROGUE_DESTINATIONS; i++)
        g->weft |= g->w[i].dim != 0;
}

unsigned rogue_reads(const struct rogue_group *g)
{
    const struct rogue_table *t = rogue_table();
    unsigned reads = 0;
    for (int slot = 0; slot < ROGUE_SLOTS; slot++)
        if (g->insn[slot].row)
            reads |= (unsigned)rogue_variant_of(t, &g->insn[slot])->reads
                     << (g->alu == ROGUE_MAIN && slot == ROGUE_P1 ? 3 : 0);
    return reads;
}

void rogue_fill_gaps(struct rogue_group *g)
{
    g->sources |= (uint8_t)rogue_gaps(g->sources, rogue_reads(g));
}

static unsigned instruction_bytes(const struct rogue_table *t, const struct rogue_group *g)
{
    unsigned n = 0;
    if (g->alu == ROGUE_CONTROL)
        return bytes_at(t, g, ROGUE_CTRL);
    if (g->alu == ROGUE_BITWISE) /* a phase is as long as its first unit */
        return bytes_at(t, g, ROGUE_BITMASK) + (has(g, ROGUE_LOGICAL) ? 1 : 0) + (has(g, ROGUE_SHIFT2) ? 1 : 0);
    for (int unit = ROGUE_P0; unit <= ROGUE_BACKEND; unit++)
        n += bytes_at(t, g, (enum rogue_unit)unit);
    return n;
}

struct rogue_ports rogue_ports_of(const struct rogue_group *g, enum rogue_part part)
{
    if (part == ROGUE_LOWER)
        return (struct rogue_ports){{g->s[0], g->s[1], g->s[2]}, g->is0};
    if (part == ROGUE_UPPER)
        return (struct rogue_ports){{g->s[3], g->s[4], g->s[5]}, 0};
    if (g->destinations == 2)
        return (struct rogue_ports){{g->w[1], {0}, {0}}, 0};
    return (struct rogue_ports){{g->w[0], g->w[1], {0}}, 0};
}

unsigned rogue_natural_form(const struct rogue_group *g, unsigned part, bool mux)
{
    struct rogue_ports ports = rogue_ports_of(g, (enum rogue_part)part);
    unsigned count = part == ROGUE_LOWER   ? rogue_source_count(g->sources & 7u)
                     : part == ROGUE_UPPER ? rogue_source_count(g->sources >> 3)
                                           : (g->destinations & 1u) + (g->destinations >> 1 & 1u);
    return count ? rogue_choose_packed(&rogue_table()->ports[part], rogue_pack_ports(&ports), count, mux) : 0;
}

/* Does form n of a part hold the registers? */
static bool holds(const struct rogue_table *t, enum rogue_part part, unsigned n, const struct rogue_ports *ports)
{
    const struct rogue_port_form *f = rogue_port_form(t, part, n);
    return f && rogue_ports_fit(f, ports);
}

/* In weft's own encoding space the top bits of an indexed register's offset are its dimension. */
static bool offsets_fit(const struct rogue_group *g)
{
    enum { MOST = 255 };
    for (int i = 0; i < ROGUE_SOURCES; i++)
        if (rogue_reg_is_indexed(g->s[i]) && g->s[i].index > MOST)
            return false;
    for (int i = 0; i < ROGUE_DESTINATIONS; i++)
        if (rogue_reg_is_indexed(g->w[i]) && g->w[i].index > MOST)
            return false;
    return true;
}

const char *rogue_fit(struct rogue_group *g)
{
    const struct rogue_table *t = rogue_table();
    unsigned size;
    if (g->data)
        return NULL;
    if (g->alu == ROGUE_MAIN && oporg_of(g) < 0)
        return "these phases cannot be together: phase 1 needs phase 0, the backend is alone or with phases 0 and 2";
    if (g->weft && !offsets_fit(g))
        return "beside what has no public encoding, an offset from an index register is 31 at most";
    if (g->header == 0)
        g->header = needs_long_header(g) ? 3 : 2;
    size = g->header + instruction_bytes(t, g);
    if (has_sources(t, g)) {
        struct rogue_ports lower = rogue_ports_of(g, ROGUE_LOWER), upper = rogue_ports_of(g, ROGUE_UPPER);
        g->lower = g->lower ? g->lower : (uint8_t)rogue_natural_form(g, ROGUE_LOWER, g->mux);
        g->upper = g->upper ? g->upper : (uint8_t)rogue_natural_form(g, ROGUE_UPPER, false);
        if (!holds(t, ROGUE_LOWER, g->lower, &lower))
            return "no form of the lower sources holds these registers: S1 has only temporaries, vertex inputs, "
                   "coefficients, "
                   "constants and special registers up to 255";
        if (!holds(t, ROGUE_UPPER, g->upper, &upper))
            return "no form of the upper sources holds these registers: S4 and S5 have only temporaries, vertex "
                   "inputs, "
                   "coefficients, constants and special registers up to 255";
        size += rogue_port_form(t, ROGUE_LOWER, g->lower)->bytes + rogue_port_form(t, ROGUE_UPPER, g->upper)->bytes;
    } else {
        g->lower = g->upper = 0;
    }
    size += g->alu == ROGUE_MAIN;
    if (g->destinations) {
        struct rogue_ports dst = rogue_ports_of(g, ROGUE_DESTINATION);
        g->dst = g->dst ? g->dst : (uint8_t)rogue_natural_form(g, ROGUE_DESTINATION, false);
        if (!holds(t, ROGUE_DESTINATION, g->dst, &dst))
            return "no form of the destinations holds these registers";
        size += rogue_port_form(t, ROGUE_DESTINATION, g->dst)->bytes;
    } else {
        g->dst = 0;
    }
    size += size & 1;
    if (size > ROGUE_GROUP_BYTES)
        return "the group needs more than 32 bytes";
    g->size = (uint8_t)size;
    return NULL;
}

void rogue_shorten(struct rogue_group *g)
{
    const struct rogue_table *t = rogue_table();
    g->header = g->lower = g->upper = g->dst = 0;
    g->pad = -1;
    for (int slot = 0; slot < ROGUE_SLOTS; slot++) {
        struct rogue_insn *insn = &g->insn[slot];
        struct pattern_word bits;
        unsigned form = insn->row ? rogue_shortest(insn) : 0;
        if (!insn->row || form == insn->form)
            continue;
        const struct rogue_variant *v = rogue_variant_of(t, insn);
        rogue_rewrite(v, &insn->bits, v - insn->form + form, &bits);
        insn->bits = bits;
        insn->form = (uint8_t)form;
    }
}

/* ---- writing ---- */

static uint8_t *put_bits(const struct rogue_variant *v, const struct rogue_insn *insn, uint8_t *p)
{
    for (unsigned i = 0; i < v->bytes; i++)
        *p++ = (uint8_t)(insn->bits.w[i >> 3] >> 8 * (i & 7));
    return p;
}

static uint8_t *put_insn(const struct rogue_table *t, const struct rogue_group *g, enum rogue_unit unit, uint8_t *p)
{
    const struct rogue_variant *v = variant_at(t, g, unit);
    return v ? put_bits(v, rogue_at(g, unit), p) : p;
}

static uint8_t first_byte(const struct rogue_group *g, enum rogue_unit unit)
{
    return (uint8_t)rogue_at(g, unit)->bits.w[0];
}

/* Highest phase first. The units of a phase share its bytes. */
static uint8_t *put_bitwise(const struct rogue_table *t, const struct rogue_group *g, uint8_t *p)
{
    enum { PH0 = 0x80 };
    if (has(g, ROGUE_SHIFT2))
        *p++ = first_byte(g, ROGUE_SHIFT2) | first_byte(g, ROGUE_BITTEST);
    p = put_insn(t, g, ROGUE_LOGICAL, p);
    uint8_t *phase_0 = p;
    p = put_insn(t, g, ROGUE_BITMASK, p);
    if (p > phase_0)
        *phase_0 |= first_byte(g, ROGUE_SHIFT1) | first_byte(g, ROGUE_COUNT) | (g->ph0_low ? 0 : PH0);
    return p;
}

static uint8_t *put_header(const struct rogue_table *t, const struct rogue_group *g, uint8_t *p)
{
    unsigned parts = g->alu == ROGUE_MAIN ? (unsigned)oporg_of(g) : g->alu == ROGUE_BITWISE ? parts_of(g) : 0;
    p[1] = (uint8_t)(parts << 4 | (g->olchk ? OLCHK : 0) | (g->destinations & 2 ? W1P : 0) |
                     (g->destinations & 1 ? W0P : 0) | (g->cc & 1));
    if (g->header == 2)
        return p + 2;
    p[1] |= EXT;
    if (g->alu == ROGUE_CONTROL) {
        unsigned ctrlop = variant_at(t, g, ROGUE_CTRL)->form->ctrlop;
        p[2] = (uint8_t)((g->end || g->drc ? END : 0u) | (unsigned)g->alu << 5 | ctrlop << 1 | (unsigned)g->cc >> 1);
    } else {
        p[2] = (uint8_t)((g->end ? END : 0) | g->alu << 5 | (g->weft ? WEFT : 0) | (g->atom ? ATOM : 0) |
                         (g->repeat - 1) << 1 | g->cc >> 1);
    }
    return p + 3;
}

void rogue_write_group(const struct rogue_group *g, uint8_t *out)
{
    static const uint8_t main_order[] = {ROGUE_BACKEND, ROGUE_MOV, ROGUE_TST, ROGUE_PCK, ROGUE_P1, ROGUE_P0};
    const struct rogue_table *t = rogue_table();
    if (g->data) {
        memcpy(out, g->data, g->size);
        return;
    }
    uint8_t buffer[2 * ROGUE_GROUP_BYTES], *p = put_header(t, g, buffer);
    size_t assist = 0;
    for (size_t i = 0; g->alu == ROGUE_MAIN && i < sizeof main_order; i++) {
        assist = main_order[i] == ROGUE_P1 ? (size_t)(p - buffer) : assist;
        p = put_insn(t, g, main_order[i], p);
    }
    if (g->alu == ROGUE_BITWISE)
        p = put_bitwise(t, g, p);
    else if (g->alu == ROGUE_CONTROL)
        p = put_insn(t, g, ROGUE_CTRL, p);
    if (g->alu == ROGUE_BITWISE || (g->alu == ROGUE_CONTROL && (g->lower || g->dst)))
        assist = (size_t)(p - buffer);
    if (g->lower) {
        struct rogue_ports lower = rogue_ports_of(g, ROGUE_LOWER), upper = rogue_ports_of(g, ROGUE_UPPER);
        p += rogue_write_ports(rogue_port_form(t, ROGUE_LOWER, g->lower), &lower, p);
        p += rogue_write_ports(rogue_port_form(t, ROGUE_UPPER, g->upper), &upper, p);
    }
    if (g->alu == ROGUE_MAIN)
        *p++ = (uint8_t)(g->is5 << 6 | g->is4 << 4 | g->is3 << 2 | g->is2 << 1 | g->is1);
    if (g->dst) {
        struct rogue_ports dst = rogue_ports_of(g, ROGUE_DESTINATION);
        p += rogue_write_ports(rogue_port_form(t, ROGUE_DESTINATION, g->dst), &dst, p);
    }
    if ((p - buffer) & 1)
        *p++ = 0xFF;
    int pad = g->pad > 0 ? g->pad : 0;
    if (pad)
        *p++ = (uint8_t)(0xF0 + pad / 2);
    for (int i = 1; i < pad; i++)
        *p++ = 0xFF;
    buffer[0] = (uint8_t)(assist << 4 | ((p - buffer) / 2 & 15));
    memcpy(out, buffer, (size_t)(p - buffer));
}

/* ---- programs ---- */

int rogue_padding(const struct isa_module *m, uint32_t i)
{
    uint32_t n = m->ngroups;
    if (n == 0 || !m->groups[n - 1].end || i + 2 < n)
        return 0;
    const struct rogue_group *g = &m->groups[i];
    unsigned size = g->size - (unsigned)(g->pad > 0 && !g->data ? g->pad : 0);
    unsigned pad = i + 1 == n ? -size & 7 : -(g->offset + size) & 7;
    return g->data || size + pad > ROGUE_GROUP_BYTES ? 0 : (int)pad;
}

int64_t rogue_layout(struct isa_module *m, const char **why)
{
    uint32_t offset = 0;
    for (uint32_t i = 0; i < m->ngroups; i++) {
        struct rogue_group *g = &m->groups[i];
        *why = rogue_fit(g);
        if (*why)
            return i;
        g->offset = offset;
        int pad = g->pad >= 0 ? g->pad : rogue_padding(m, i);
        if (!g->data) {
            if (g->size + (unsigned)pad > ROGUE_GROUP_BYTES) {
                *why = "the group and its padding need more than 32 bytes";
                return i;
            }
            g->pad = (int8_t)pad;
            g->size = (uint8_t)(g->size + pad);
        }
        offset += g->size;
    }
    return -1;
}
