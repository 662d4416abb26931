/* lift_lanes.c - whether two warps may run as one of 64 lanes: where no thread can tell which others its warp has.
 *
 * Each thread of a warp does what it would do alone. What shows the warp is asking for its threads (vote, locks,
 * physid), a target that is one for all of them, what atomics tell each other about the order of things, and a barrier
 * that only one of the two warps reaches: barriers stop warps. */
#include "isa/tesla/lift.h"

enum { ALONE = TESLA_LANES, TOGETHER = 2 * TESLA_LANES };

/* ---- instructions ---- */

/* $a7 is the warp's. */
static bool has_a7(const struct tesla_decoded *d)
{
    bool has = d->dst.areg == 7 || (d->dst.kind == TESLA_O_A && d->dst.reg == 7);
    for (unsigned i = 0; i < d->nsrc; i++)
        has |= d->src[i].areg == 7 || (d->src[i].kind == TESLA_O_A && d->src[i].reg == 7);
    return has;
}

static bool shows_warp(const struct tesla_insn *insn, const struct tesla_target *target)
{
    struct tesla_decoded d;
    if (!insn->row)
        return true; /* an atomic without a word, or what stops the warp */
    tesla_explain(insn, target, &d);
    if (has_a7(&d))
        return true;
    uint16_t properties = tesla_meanings[insn->row->meaning].properties;
    return (properties & TESLA_SEES_WARP) || ((properties & TESLA_COUNTS_WARPS) && !(d.modifiers & TESLA_ALL));
}

/* ---- the choice ---- */

static bool has_barriers(const struct tesla_lifter *l)
{
    const struct isa_module *m = l->m;
    for (uint32_t i = 0; i < m->ninsns; i++)
        if (tesla_is_lifted(l, i) && m->insns[i].row &&
            tesla_meanings[m->insns[i].row->meaning].flow == WEFT_FLOW_BARRIER)
            return true;
    return false;
}

uint16_t tesla_lanes(const struct tesla_lifter *l)
{
    /* half a warp would be empty where the threads of a block do not fill it */
    if (l->stage == IR_GEOMETRY || !lift_fills(l->stage, l->link.block, TOGETHER))
        return ALONE;
    for (uint32_t i = 0; i < l->m->ninsns; i++)
        if (tesla_is_lifted(l, i) && shows_warp(&l->m->insns[i], &l->m->target))
            return ALONE;
    return has_barriers(l) && lift_lanes_part(l->b.p) ? ALONE : TOGETHER;
}
