/* encode.c - groups to bytes, and programs of them. */
#include "isa/rogue/header.h"
#include "isa/rogue/ports.h"
#include "isa/rogue/template.h"

#include <endian.h>
#include <string.h>

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
    unsigned parts = g->alu == ROGUE_MAIN      ? (unsigned)rogue_oporg_of(g)
                     : g->alu == ROGUE_BITWISE ? rogue_parts_of(g)
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
