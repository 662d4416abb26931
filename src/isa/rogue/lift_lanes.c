/* lift_lanes.c - whether two tasks may run as one of 64 instances: where no instance can tell which others its task
 * has.
 *
 * What shows the task is asking for its instances, what one of them does for all, and where the task goes. A branch
 * that is taken when no instance runs, or while some still loop, leads a task of two through groups that one of them
 * would have left out, or takes it round a loop again. That does nothing to instances that do not run where the
 * conditionals are nested (lift_nesting.c). */
#include "isa/rogue/lift.h"

enum { ALONE = ROGUE_INSTANCES, TOGETHER = 2 * ROGUE_INSTANCES };

static bool op_shows_task(const struct rogue_lifter *l, const struct ir_op *op)
{
    switch (op->code) {
    case IR_BALLOT:
    case IR_ALL:
    case IR_FIRST:
    case IR_REDUCE:
    case IR_SHUFFLE:
    case IR_LANE_ID:
    case IR_GET_LANE:
    case IR_SET_LANE:
    case IR_ATOMIC:
    case IR_SERVICE:
    case IR_EMIT:
    case IR_CUT:
    case IR_JUMP:
    case IR_BARRIER:
    case IR_TRAP:
        return true;
    case IR_SYSVAL:
        return op->imm == IR_SYS_WARP_ID || op->imm == IR_SYS_SUBGROUP_SIZE;
    case IR_SET:
    case IR_SET_DYN:
        return l->b.p->files[l->b.p->regs[op->desc].file].uniform;
    default:
        return op->attr & IR_ALL_LANES && op->code == IR_ANY;
    }
}

uint16_t rogue_lanes(const struct rogue_lifter *l)
{
    const struct ir_program *p = l->b.p;
    bool fills = l->stage != IR_COMPUTE || (l->link.block[0] * l->link.block[1] * l->link.block[2]) % TOGETHER == 0;
    if (!fills || !l->nested || l->common[ROGUE_FILE_SH] || l->common[ROGUE_FILE_CF] || l->common[ROGUE_FILE_CFA] ||
        (l->stage != IR_COMPUTE && l->stage != IR_VERTEX && l->stage != IR_FRAGMENT))
        return ALONE;
    for (uint32_t b = 0; b < p->nblocks; b++)
        for (uint32_t i = 0; i < p->blocks[b].count; i++)
            if (op_shows_task(l, &p->blocks[b].ops[i]))
                return ALONE;
    return TOGETHER;
}
