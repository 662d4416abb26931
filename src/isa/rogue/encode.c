/* encode.c - groups to bytes: the forms, header and size that a group has, where the groups of a program are, and their
 * bytes. */
#include "isa/rogue/header.h"
#include "isa/rogue/ports.h"
#include "isa/rogue/template.h"

#include <endian.h>
#include <string.h>

/* ---- header ---- */

enum { HAS_P0 = ROGUE_HAS_P0, HAS_P1 = ROGUE_HAS_P1, HAS_P2 = ROGUE_HAS_P2, HAS_BACKEND = ROGUE_HAS_BACKEND };
const uint8_t rogue_oporgs[8] = {HAS_P0,
                                 HAS_P2,
                                 HAS_BACKEND,
                                 HAS_P0 | HAS_P1,
                                 HAS_P0 | HAS_P2,
                                 HAS_P0 | HAS_P1 | HAS_P2,
                                 HAS_P0 | HAS_P2 | HAS_BACKEND,
                                 HAS_P0 | HAS_P1 | HAS_P2 | HAS_BACKEND};

const uint8_t rogue_main_order[ROGUE_SLOTS] = {ROGUE_BACKEND, ROGUE_MOV, ROGUE_TST, ROGUE_PCK, ROGUE_P1, ROGUE_P0};

/* The parts that a group has. */
static unsigned parts_of(const struct rogue_group *g)
{
    enum rogue_unit first = rogue_first_unit(g);
    unsigned parts = 0;
    for (unsigned slot = 0; slot < ROGUE_SLOTS; slot++)
        parts |= g->insn[slot].row ? rogue_units[first + slot].part : 0u;
    return parts;
}

/* That of a main group; -1: there is none. */
static int oporg_of(const struct rogue_group *g)
{
    unsigned parts = parts_of(g);
    for (int oporg = 0; oporg < 8; oporg++)
        if (rogue_oporgs[oporg] == parts)
            return oporg;
    return -1;
}

bool rogue_phases_fit(const struct rogue_group *g)
{
    return g->alu != ROGUE_MAIN || oporg_of(g) >= 0;
}

bool rogue_takes_alu(const struct rogue_row *row)
{
    return row->units & 1u << ROGUE_P0 &&
           (row->traits & ROGUE_SUMS || rogue_table()->templates[row->op].operands[0].kind == ROGUE_ON_W);
}

bool rogue_needs_long_header(const struct rogue_group *g)
{
    return g->alu != ROGUE_MAIN || g->cc > ROGUE_CC_PE_P0 || g->end || g->atom || g->repeat != 1 || g->weft;
}

static unsigned bytes_at(const struct rogue_table *t, const struct rogue_group *g, enum rogue_unit unit)
{
    const struct rogue_variant *v = rogue_variant_at(t, g, unit);
    return v ? v->bytes : 0;
}

/* Control groups have sources only with conditionals. */
static bool has_sources(const struct rogue_table *t, const struct rogue_group *g)
{
    return g->alu != ROGUE_CONTROL || rogue_variant_at(t, g, ROGUE_CTRL)->form->sources;
}

/* ---- fitting ---- */

bool rogue_insn_is_weft(const struct rogue_insn *insn)
{
    return rogue_is_weft(rogue_variant_of(rogue_table(), insn), &insn->bits);
}

/* "The compiler will fill in default encoding values for unused instructions in any phase that is used" (chapter 3). */
static void fill_phases(struct rogue_group *g)
{
    unsigned parts = parts_of(g);
    for (enum rogue_unit unit = ROGUE_BITMASK; unit <= ROGUE_BITTEST; unit++) {
        struct rogue_insn *insn = &g->insn[rogue_slot(unit)];
        if (insn->row || !(rogue_units[unit].part & parts))
            continue;
        *insn = (struct rogue_insn){.row = &rogue_rows()[rogue_units[unit].plain]};
        insn->bits = rogue_variant_of(rogue_table(), insn)->start;
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
        bool last = !rogue_has(g, ROGUE_PCK) && (unit == ROGUE_TST || !rogue_has(g, ROGUE_TST));
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
    for (int i = 0; i < ROGUE_REGISTERS; i++)
        g->weft |= g->reg[i].dim != 0;
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
        return bytes_at(t, g, ROGUE_BITMASK) + (rogue_has(g, ROGUE_LOGICAL) ? 1 : 0) +
               (rogue_has(g, ROGUE_SHIFT2) ? 1 : 0);
    for (int unit = ROGUE_P0; unit <= ROGUE_BACKEND; unit++)
        n += bytes_at(t, g, (enum rogue_unit)unit);
    return n;
}

static unsigned natural_form(const struct rogue_group *g, unsigned part, bool mux)
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
    for (int i = 0; i < ROGUE_REGISTERS; i++)
        if (rogue_reg_is_indexed(g->reg[i]) && g->reg[i].index > MOST)
            return false;
    return true;
}

/* The header of a control group has one bit for its end or for its fence, and none for repeats and .atom. */
static const char *control_fault(const struct rogue_table *t, const struct rogue_group *g)
{
    if (g->end && rogue_variant_at(t, g, ROGUE_CTRL)->form->misc != ROGUE_MISC_END)
        return "a control group other than 'nop' cannot end the program: write '{ ctrl: nop; }.end' after it";
    return g->repeat != 1 || g->atom ? "a control group takes neither a repeat nor .atom: leave them out" : NULL;
}

const char *rogue_fit(struct rogue_group *g)
{
    const struct rogue_table *t = rogue_table();
    unsigned size;
    if (g->data)
        return NULL;
    if (g->alu == ROGUE_MAIN && oporg_of(g) < 0)
        return "these phases cannot be together: phase 1 needs phase 0, the backend is alone or with phases 0 and 2";
    const char *fault = g->alu == ROGUE_CONTROL ? control_fault(t, g) : NULL;
    if (fault)
        return fault;
    if (g->weft && !offsets_fit(g))
        return "beside what has no public encoding, an offset from an index register is 31 at most";
    if (g->header == 0)
        g->header = rogue_needs_long_header(g) ? 3 : 2;
    size = g->header + instruction_bytes(t, g);
    if (has_sources(t, g)) {
        struct rogue_ports lower = rogue_ports_of(g, ROGUE_LOWER), upper = rogue_ports_of(g, ROGUE_UPPER);
        g->lower = g->lower ? g->lower : (uint8_t)natural_form(g, ROGUE_LOWER, g->mux);
        g->upper = g->upper ? g->upper : (uint8_t)natural_form(g, ROGUE_UPPER, false);
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
        g->dst = g->dst ? g->dst : (uint8_t)natural_form(g, ROGUE_DESTINATION, false);
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

/* ---- programs ---- */

int rogue_padding_of(const struct rogue_group *g, uint32_t offset, bool last)
{
    unsigned size = g->size - (unsigned)(g->pad > 0 && !g->data ? g->pad : 0);
    unsigned pad = last ? -size & 7 : -(offset + size) & 7;
    return g->data || size + pad > ROGUE_GROUP_BYTES ? 0 : (int)pad;
}

int rogue_padding(const struct isa_module *m, uint32_t i)
{
    uint32_t n = m->ngroups;
    if (n == 0 || !m->groups[n - 1].end || i + 2 < n)
        return 0;
    return rogue_padding_of(&m->groups[i], m->groups[i].offset, i + 1 == n);
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

/* ---- bytes ---- */

/* All words of the pattern are stored, which is quicker than to stop at the last byte; what follows is put over it. */
static uint8_t *put_bits(const struct rogue_variant *v, const struct rogue_insn *insn, uint8_t *p)
{
    for (size_t i = 0; i < sizeof insn->bits.w / sizeof *insn->bits.w; i++) {
        uint64_t word = htole64(insn->bits.w[i]);
        memcpy(p + i * sizeof word, &word, sizeof word);
    }
    return p + v->bytes;
}

static uint8_t *put_insn(const struct rogue_table *t, const struct rogue_group *g, enum rogue_unit unit, uint8_t *p)
{
    const struct rogue_variant *v = rogue_variant_at(t, g, unit);
    return v ? put_bits(v, rogue_at(g, unit), p) : p;
}

static uint8_t first_byte(const struct rogue_group *g, enum rogue_unit unit)
{
    return (uint8_t)rogue_at(g, unit)->bits.w[0];
}

/* Highest phase first. The units of a phase share its bytes. */
static uint8_t *put_bitwise(const struct rogue_table *t, const struct rogue_group *g, uint8_t *p)
{
    if (rogue_has(g, ROGUE_SHIFT2))
        *p++ = first_byte(g, ROGUE_SHIFT2) | first_byte(g, ROGUE_BITTEST);
    p = put_insn(t, g, ROGUE_LOGICAL, p);
    uint8_t *phase_0 = p;
    p = put_insn(t, g, ROGUE_BITMASK, p);
    if (p > phase_0)
        *phase_0 |= first_byte(g, ROGUE_SHIFT1) | first_byte(g, ROGUE_COUNT) | (g->ph0_low ? 0 : ROGUE_PH0);
    return p;
}

static uint8_t *put_header(const struct rogue_table *t, const struct rogue_group *g, uint8_t *p)
{
    unsigned parts = g->alu == ROGUE_MAIN      ? (unsigned)oporg_of(g)
                     : g->alu == ROGUE_BITWISE ? parts_of(g)
                                               : 0;
    uint32_t h = ROGUE_HEADER_PUT(OPORG, parts) | ROGUE_HEADER_PUT(OLCHK, g->olchk) |
                 ROGUE_HEADER_PUT(W1P, g->destinations >> 1) | ROGUE_HEADER_PUT(W0P, g->destinations) |
                 ROGUE_HEADER_PUT(CC, g->cc) | ROGUE_HEADER_PUT(CCEXT, g->cc >> 1) | ROGUE_HEADER_PUT(ALUTYPE, g->alu) |
                 ROGUE_HEADER_PUT(EXT, g->header == ROGUE_LONG_HEADER);
    if (g->alu == ROGUE_CONTROL)
        h |= ROGUE_HEADER_PUT(MISCCTL, g->end || g->drc) |
             ROGUE_HEADER_PUT(CTRLOP, rogue_variant_at(t, g, ROGUE_CTRL)->form->ctrlop);
    else
        h |= ROGUE_HEADER_PUT(END, g->end) | ROGUE_HEADER_PUT(WEFT, g->weft) | ROGUE_HEADER_PUT(ATOM, g->atom) |
             ROGUE_HEADER_PUT(RPT, g->repeat - 1);
    uint32_t bytes = htole32(h);
    memcpy(p, &bytes, sizeof bytes); /* what follows the header is put over the rest */
    return p + g->header;
}

static void write_group(const struct rogue_table *t, const struct rogue_group *g, uint8_t *out)
{
    if (g->data) {
        memcpy(out, g->data, g->size);
        return;
    }
    uint8_t buffer[2 * ROGUE_GROUP_BYTES], *p = put_header(t, g, buffer);
    size_t assist = 0;
    for (unsigned i = 0; g->alu == ROGUE_MAIN && i < ROGUE_SLOTS; i++) {
        assist = rogue_main_order[i] == ROGUE_P1 ? (size_t)(p - buffer) : assist;
        p = put_insn(t, g, rogue_main_order[i], p);
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
    if (g->alu == ROGUE_MAIN) {
        unsigned selectors = 0;
        for (unsigned n = 1; n < ROGUE_SELECTORS; n++)
            selectors |= (unsigned)g->is[n] << rogue_selectors[n].bit;
        *p++ = (uint8_t)selectors;
    }
    if (g->dst) {
        struct rogue_ports dst = rogue_ports_of(g, ROGUE_DESTINATION);
        p += rogue_write_ports(rogue_port_form(t, ROGUE_DESTINATION, g->dst), &dst, p);
    }
    if ((p - buffer) & 1)
        *p++ = ROGUE_PAD;
    int pad = g->pad > 0 ? g->pad : 0;
    if (pad)
        *p++ = (uint8_t)(ROGUE_PAD_START + pad / 2);
    for (int i = 1; i < pad; i++)
        *p++ = ROGUE_PAD;
    buffer[0] = (uint8_t)(ROGUE_HEADER_PUT(DA, assist) | ROGUE_HEADER_PUT(LENGTH, (p - buffer) / 2));
    memcpy(out, buffer, (size_t)(p - buffer));
}

void rogue_write_group(const struct rogue_group *g, uint8_t *out)
{
    write_group(rogue_table(), g, out);
}

weft_status rogue_encode(const struct isa_module *m, struct arena *arena, uint8_t **bytes, size_t *size,
                         weft_diags *diags)
{
    const struct rogue_table *t = rogue_table();
    (void)diags; /* the groups of a module have been fitted */
    *size = m->ngroups ? m->groups[m->ngroups - 1].offset + m->groups[m->ngroups - 1].size : 0;
    *bytes = ARENA_ARRAY(arena, uint8_t, *size + 1);
    if (!*bytes)
        return WEFT_ERROR_MEMORY;
    for (uint32_t i = 0; i < m->ngroups; i++)
        write_group(t, &m->groups[i], *bytes + m->groups[i].offset);
    return WEFT_OK;
}
