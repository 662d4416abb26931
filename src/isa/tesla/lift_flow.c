/* lift_flow.c - control instructions. Where threads may part, the policy (policy.c) keeps the warp's stack; the lift
 * names the operation and its targets: where to go, the next instruction, the epilogue. */
#include "exec/exec.h"
#include "isa/tesla/lift.h"

enum { FAULT_TRAP = 1 };

static uint32_t target_of(struct tesla_lifter *l)
{
    struct tesla_ways ways = tesla_ways_of(l->m, l->at);
    if (ways.branches && ways.target == l->m->ninsns)
        lift_refuse(&l->lift, "there is no instruction at the target");
    return lift_block_at(&l->lift, ways.target);
}

static void ask(struct tesla_lifter *l, enum tesla_control op, uint32_t target, ir_value arg)
{
    bool leaves = op == TESLA_CTL_EXIT || op == TESLA_CTL_BREAK || op == TESLA_CTL_RET;
    if (leaves && !arg)
        arg = ir_const(&l->b, IR_I1, 1);
    struct ir_control c = {.op = (uint16_t)op, .ntargets = 3, .target = {target, tesla_next_block(l), l->epilogue}};
    c.direct_none = op == TESLA_CTL_BRA || leaves;
    c.direct_all = op == TESLA_CTL_BRA;
    c.imm = l->link.call_limit;
    ir_control(&l->b, c, &arg, arg ? 1 : 0);
}

void tesla_leave(struct tesla_lifter *l, ir_value pred)
{
    if (l->diverges)
        ask(l, TESLA_CTL_EXIT, l->epilogue, pred);
    else
        ir_goto(&l->b, l->epilogue);
}

/* One of the sixteen counters of warps. `bar inc wait N all` is the usual barrier. */
static void barrier(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    if (l->stage != IR_COMPUTE)
        lift_refuse(&l->lift, "barriers are those of a block: only compute programs have them");
    uint64_t imm = IR_BARRIER_COUNTED | d->barrier | (uint64_t)d->barrier_count << IR_BARRIER_COUNT;
    imm |= (d->modifiers & TESLA_INC ? IR_BARRIER_INC : 0) | (d->modifiers & TESLA_WAIT ? IR_BARRIER_WAIT : 0) |
           (d->modifiers & TESLA_ALL ? IR_BARRIER_ALL : 0);
    ir_emit(&l->b, IR_BARRIER, IR_VOID, 0, 0, NULL, 0, tesla_next_block(l), imm, 0);
}

void tesla_lift_flow(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    struct tesla_flow f = tesla_flow_of(l->insn);
    enum tesla_control op = (enum tesla_control)d->row->variant;
    uint32_t target = f.has_target ? target_of(l) : l->epilogue;
    switch ((weft_flow)f.flow) {
    case WEFT_FLOW_BRANCH:
        if (!f.has_target)
            ask(l, op, target, tesla_source_bits(l, &d->src[0]));
        else if (l->pred)
            ask(l, op, target, l->pred);
        else
            ir_goto(&l->b, target);
        return;
    case WEFT_FLOW_BARRIER:
        barrier(l, d);
        return;
    case WEFT_FLOW_TRAP:
        ir_emit(&l->b, IR_TRAP, IR_VOID, 0, 0, NULL, 0, 0, FAULT_TRAP, 0);
        return;
    default:
        ask(l, (enum tesla_control)(op + f.limited), target, l->pred);
        return;
    }
}

void tesla_lift_discard(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    (void)d;
    ir_value gone = l->pred ? l->pred : ir_const(&l->b, IR_I1, 1);
    ir_emit(&l->b, IR_DISCARD, IR_VOID, 0, 0, &gone, 1, 0, 0, 0);
    l->b.p->io.uses_discard = true;
     tesla_leave(l, l->pred);
}

void tesla_lift_nop(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    (void)l;
    (void)d;
}
