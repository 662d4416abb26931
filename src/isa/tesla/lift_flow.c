/* lift_flow.c - blocks, predicates and control instructions. Where threads may part, the policy (policy.c) keeps the
 * warp's stack; the lift names the operation and its targets: where to go, the next instruction, the epilogue. */
#include "exec/exec.h"
#include "isa/tesla/lift.h"

#include <string.h>

enum { FAULT_TRAP = 1, FAULT_DATA = 2 };

/* ---- blocks ---- */

/* Whether it ends a block. */
static bool is_control(const struct tesla_row *row)
{
    uint8_t flow = row ? tesla_meanings[row->meaning].flow : WEFT_FLOW_NEXT;
    return flow != WEFT_FLOW_NEXT && flow != WEFT_FLOW_EMIT;
}

/* Whether it parts threads or brings them together, which is the policy's. */
static bool parts(const struct tesla_flow *f)
{
    switch ((weft_flow)f->flow) {
    case WEFT_FLOW_NEXT:
    case WEFT_FLOW_EMIT:
    case WEFT_FLOW_BARRIER:
    case WEFT_FLOW_TRAP:
        return f->joins || (f->exits && f->predicate != TESLA_ALWAYS);
    case WEFT_FLOW_BRANCH:
        return !f->has_target || f->predicate != TESLA_ALWAYS;
    default:
        return true;
    }
}

bool tesla_is_lifted(const struct tesla_lifter *l, uint32_t insn)
{
    return l->reach.insn[insn] ||
           (l->reach.indirect && tesla_kernel_of(l->m, insn) == tesla_kernel_of(l->m, tesla_entry(l->m)));
}

static void lead(struct tesla_lifter *l, uint32_t i)
{
    if (i < l->ninsns && tesla_is_lifted(l, i))
        lift_lead(&l->lift, i);
}

/* What the whole program has to be asked for before any of it is lifted. */
static void survey(struct tesla_lifter *l, uint32_t i)
{
    struct tesla_insn insn = l->m->insns[i];
    if (!tesla_is_lifted(l, i) || (!insn.row && !tesla_take_unlisted(&insn, &l->m->target)))
        return;
    struct tesla_flow flow = tesla_flow_of(&insn);
    l->locks |= (tesla_meanings[insn.row->meaning].properties & TESLA_LOCKS) != 0;
    l->diverges |= parts(&flow);
    if (flow.exits || is_control(insn.row))
        lead(l, i + 1);
    if (flow.joins)
        lead(l, i);
    struct tesla_ways ways = tesla_ways_of(l->m, i);
    if (ways.branches)
        lead(l, ways.target);
}

void tesla_flow_prepare(struct tesla_lifter *l)
{
    for (uint32_t i = 0; i < l->m->ninsns; i++)
        survey(l, i);
    lead(l, tesla_entry(l->m));
    for (uint32_t i = 0; l->reach.indirect && i < l->m->ninsns; i++)
        lead(l, i); /* an address from memory may be that of any instruction */
    lift_make_blocks(&l->lift);
    if (l->locks)
        l->file_lock = ir_add_file(l->b.p, (struct ir_file){.name = "lock", .bits = 32, .count = 1, .uniform = true});
}

/* ---- control instructions ---- */

/* Where control goes on after the instruction at work: its kernel may end there. */
static uint32_t next_block(struct tesla_lifter *l)
{
    bool last = l->at + 1 >= l->m->ninsns || tesla_kernel_of(l->m, l->at) != tesla_kernel_of(l->m, l->at + 1);
    return last ? l->epilogue : lift_block_at(&l->lift, l->at + 1);
}

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
    struct ir_control c = {.op = (uint16_t)op, .ntargets = 3, .target = {target, next_block(l), l->epilogue}};
    c.direct_none = op == TESLA_CTL_BRA || leaves;
    c.direct_all = op == TESLA_CTL_BRA;
    c.imm = l->link.call_limit;
    ir_control(&l->b, c, &arg, arg ? 1 : 0);
}

/* exit: threads that pass the predicate are done. */
static void leave(struct tesla_lifter *l, ir_value pred)
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
    ir_emit(&l->b, IR_BARRIER, IR_VOID, 0, 0, NULL, 0, next_block(l), imm, 0);
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
    leave(l, l->pred);
}

void tesla_lift_nop(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    (void)l;
    (void)d;
}

/* ---- instructions in order ---- */

void tesla_begin(struct tesla_lifter *l, uint32_t block)
{
    l->b.block = block;
    l->b.p->blocks[block].addr = l->m->insns[l->at].address;
    l->b.p->blocks[block].insn = l->at;
}

/* `join` comes before the instruction that it is tacked to: a block of its own. */
static void join(struct tesla_lifter *l)
{
    uint32_t main = ir_new_block(l->b.p);
    struct ir_control c = {.op = TESLA_CTL_JOIN, .ntargets = 3, .target = {main, main, l->epilogue}};
    ir_control(&l->b, c, NULL, 0);
    tesla_begin(l, main);
}

/* The lanes of a quad that a mov or ld a[] is for. */
static void limit_lanes(struct tesla_lifter *l, unsigned lanes)
{
    ir_value lane =
        ir_op2(&l->b, IR_AND, 0, ir_lane_id(&l->b), ir_const_i32(&l->b, 3));
    ir_value bit =
        ir_op2(&l->b, IR_AND, 0, ir_op2(&l->b, IR_SHR_U, 0, ir_const_i32(&l->b, lanes), lane), ir_const_i32(&l->b, 1));
    ir_value in = ir_op2(&l->b, IR_NE, 0, bit, ir_const_i32(&l->b, 0));
    l->pred = l->pred ? ir_op2(&l->b, IR_AND, 0, l->pred, in) : in;
}

/* A word that is not an instruction: the fault names it. */
static void stop_at_data(struct tesla_lifter *l)
{
    const char *what = tesla_unknown_words(l->arena, &l->m->target, l->insn, 1);
    lift_stop(&l->lift, what ? what : "a word that is not an instruction", FAULT_DATA);
}

static void lift_one(struct tesla_lifter *l)
{
    struct tesla_insn insn = l->m->insns[l->at];
    struct tesla_decoded d;
    l->insn = &l->m->insns[l->at];
    l->b.insn = l->at;
    if (!insn.row && !tesla_take_unlisted(&insn, &l->m->target)) {
        stop_at_data(l);
        return;
    }
    tesla_explain(&insn, &l->m->target, &d);
    if (d.join)
        join(l);
    if (!tesla_wait_for_lock(l, &d))
        l->b.p->blocks[l->b.block].insns++;
    l->pred = tesla_condition_of(l, tesla_flow_of(&insn).predicate, d.csrc);
    ir_value passes = l->pred;
    if (d.lanes != 15)
        limit_lanes(l, d.lanes);
    if (l->insn->row)
        tesla_meanings[d.row->meaning].lift(l, &d);
    else
        tesla_lift_unlisted_atomic(l, &d);
    if (d.exit && !is_control(insn.row))
        leave(l, passes);
}

/* $r0 of a compute program: the thread's number in its block, packed. */
static void set_thread_number(struct tesla_lifter *l)
{
    static const uint8_t shifts[3] = {0, 16, 26};
    ir_value v = ir_const_i32(&l->b, 0);
    for (unsigned c = 0; c < 3; c++) {
        ir_value part = ir_sysval(&l->b, IR_SYS_THREAD_ID, IR_I32, c);
        v = ir_op2(&l->b, IR_OR, 0, v, ir_op2(&l->b, IR_SHL, 0, part, ir_const_i32(&l->b, shifts[c])));
    }
    tesla_set_r(l, 0, v);
}

/* Instructions of the kernel, one after the other. */
static void lift_in_order(struct tesla_lifter *l)
{
    for (l->at = 0; l->at < l->m->ninsns && !arena_failed(l->arena); l->at++) {
        if (!tesla_is_lifted(l, l->at))
            continue;
        if (l->block[l->at])
            lift_begin(&l->lift);
        if (!lift_is_open(&l->lift))
            continue; /* control does not come here */
        lift_one(l);
        uint32_t next = next_block(l);
        bool ends = l->at + 1 >= l->m->ninsns || !tesla_is_lifted(l, l->at + 1);
        if (lift_is_open(&l->lift) && (ends || next != l->epilogue))
            ir_goto(&l->b, next);
    }
}

void tesla_flow_run(struct tesla_lifter *l)
{
    if (l->stage == IR_COMPUTE) {
        tesla_fill_shared(l);
        set_thread_number(l);
    }
    ir_goto(&l->b, lift_block_at(&l->lift, tesla_entry(l->m)));
    lift_in_order(l);
    lift_begin_epilogue(&l->lift);
    if (l->stage == IR_FRAGMENT)
        tesla_write_results(l);
    lift_end(&l->lift);
}
