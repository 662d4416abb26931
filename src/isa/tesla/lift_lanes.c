/* lift_lanes.c - whether two warps may run as one of 64 lanes: where no thread can tell which others its warp has.
 *
 * Each thread of a warp does what it would do alone. What shows the warp is asking for its threads (vote, locks,
 * physid), a target that is one for all of them, what atomics tell each other about the order of things, and a barrier
 * that only one of the two warps reaches: barriers stop warps. */
#include "ir/rewrite.h"
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
    switch ((enum tesla_meaning)insn->row->meaning) {
    case TESLA_M_VOTE:
    case TESLA_M_LOAD_LOCK:
    case TESLA_M_STORE_UNLOCK:
    case TESLA_M_ATOMIC:
    case TESLA_M_BRA_C:
    case TESLA_M_MOV_FROM_SREG:
        return true;
    case TESLA_M_BAR:
        return !(d.modifiers & TESLA_ALL_WARPS); /* the instruction counts warps */
    default:
        return false;
    }
}

/* ---- whether threads of a block ever part ---- */

struct parting {
    const struct ir_program *p;
    struct elements elements;
    uint8_t *value, *reg; /* it may differ among the threads of a block: by value, by register element */
    bool changed;         /* some register turned out so */
    bool parts;           /* some control operation has threads of both kinds */
};

static bool sysval_varies(uint64_t which)
{
    return which != IR_SYS_BLOCK_ID && which != IR_SYS_BLOCK_SIZE && which != IR_SYS_GRID_SIZE;
}

static bool argument_varies(const struct parting *g, const struct ir_op *op)
{
    for (unsigned k = 0; k < op->nargs; k++)
        if (g->value[ir_args(g->p, op)[k]])
            return true;
    return op->pred && g->value[op->pred];
}

/* One address is one number, whichever threads load it. */
static bool result_varies(const struct parting *g, const struct ir_op *op)
{
    switch (op->code) {
    case IR_GET: {
        struct reg_span s = reg_span(g->p, &g->p->regs[op->desc]);
        for (uint32_t i = 0; i < s.count; i++)
            if (g->reg[g->elements.base[s.file] + s.elem + i])
                return true;
        return false;
    }
    case IR_SYSVAL:
        return sysval_varies(op->imm);
    case IR_LOAD:
        return g->p->spaces[g->p->mems[op->desc].space].kind >= IR_SPACE_PRIVATE || argument_varies(g, op);
    case IR_LANE_ID:
    case IR_SHUFFLE:
        return true;
    default:
        return !(ir_op_info[op->code].flags & IR_OP_PURE) || argument_varies(g, op);
    }
}

static void note_set(struct parting *g, const struct ir_op *op)
{
    const struct ir_reg *r = &g->p->regs[op->desc];
    bool range = reg_access(op) == REG_WRITE_RANGE;
    if (!range && !argument_varies(g, op))
        return;
    struct reg_span s = range ? reg_range(g->p, r) : reg_span(g->p, r);
    for (uint32_t i = 0; i < s.count; i++) {
        uint8_t *reg = &g->reg[g->elements.base[s.file] + s.elem + i];
        g->changed |= !*reg;
        *reg = 1;
    }
}

static void look(struct parting *g)
{
    for (uint32_t b = 0; b < g->p->nblocks; b++) {
        for (uint32_t i = 0; i < g->p->blocks[b].count; i++) {
            const struct ir_op *op = &g->p->blocks[b].ops[i];
            enum reg_access access = reg_access(op);
            if (access == REG_WRITE || access == REG_WRITE_RANGE)
                note_set(g, op);
            g->parts |= op->code == IR_CONTROL && argument_varies(g, op);
            for (unsigned k = 0; k < op->nres; k++)
                g->value[op->res + k] = result_varies(g, op);
        }
    }
}

/* Registers are looked at without regard to the order of things; all of them are zero in the beginning. */
static bool threads_part(const struct ir_program *p)
{
    struct arena scratch = {0};
    struct parting g = {.p = p, .changed = true};
    bool ok = elements_number(&g.elements, p, &scratch);
    g.value = ARENA_ARRAY(&scratch, uint8_t, p->nvalues);
    g.reg = ARENA_ARRAY(&scratch, uint8_t, g.elements.count + 1u);
    while (ok && g.value && g.reg && g.changed && !g.parts) {
        g.changed = false;
        look(&g);
    }
    bool parts = g.parts || !ok || !g.value || !g.reg;
    arena_free(&scratch);
    return parts;
}

/* ---- the choice ---- */

static bool has_barriers(const struct tesla_lifter *l)
{
    const struct isa_module *m = l->m;
    for (uint32_t i = 0; i < m->ninsns; i++)
        if (tesla_is_lifted(l, i) && m->insns[i].row && m->insns[i].row->meaning == TESLA_M_BAR)
            return true;
    return false;
}

/* Half a warp would be empty where the threads of a block do not fill it. */
static bool fills(const struct tesla_lifter *l)
{
    return l->stage != IR_COMPUTE || (l->link.block[0] * l->link.block[1] * l->link.block[2]) % TOGETHER == 0;
}

uint16_t tesla_lanes(const struct tesla_lifter *l)
{
    if (l->stage == IR_GEOMETRY || !fills(l))
        return ALONE;
    for (uint32_t i = 0; i < l->m->ninsns; i++)
        if (tesla_is_lifted(l, i) && shows_warp(&l->m->insns[i], &l->m->target))
            return ALONE;
    return has_barriers(l) && threads_part(l->b.p) ? ALONE : TOGETHER;
}
