/* lift_lanes.c - whether two tasks may run as one of 64 instances: where no instance can tell which others its task
 * has.
 *
 * What shows the task is asking for its instances, what one of them does for all, and where the task goes. A branch
 * that is taken when no instance runs, or while some still loop, leads a task of two through groups that one of them
 * would have left out, or takes it round a loop again. That does nothing to instances that do not run where the
 * conditionals are nested (lift_nesting.c). */
#include "isa/rogue/lift.h"

enum { ALONE = ROGUE_INSTANCES, TOGETHER = 2 * ROGUE_INSTANCES };

uint16_t rogue_lanes(const struct rogue_lifter *l)
{
    if (!lift_fills(l->stage, l->link.block, TOGETHER) || !l->nested || l->common[ROGUE_FILE_SH] ||
        l->common[ROGUE_FILE_CF] || l->common[ROGUE_FILE_CFA] ||
        (l->stage != IR_COMPUTE && l->stage != IR_VERTEX && l->stage != IR_FRAGMENT))
        return ALONE;
    return lift_shows_warp(l->b.p) ? ALONE : TOGETHER;
}
