/* lift_flow.c - control flow (document: "GLSL ISA"): blocks, and what the control policy is asked to do.
 *
 * Every instruction that closes something (ELSE, ENDIF, ENDLOOP, CASE, DEFAULT, ENDSWITCH, ENDSUB, END) has a *join*:
 * a block of its own that the code before it goes to, and that is the place to go on when no lane is left. Every path
 * that a lane can take is a path of the block graph, so that the passes may think of one lane only.
 *
 * Programs whose BRA leads into or out of a construct are lifted by lift_jumps.c instead. */
#include "isa/tgsi/lift_flow.h"

#include <string.h>

#include "isa/tgsi/policy.h"

/* ---- blocks ---- */

static uint32_t block_in(struct tgsi_lifter *l, uint32_t *table, uint32_t i)
{
    if (!table[i])
        table[i] = ir_new_block(l->b.p);
    return table[i];
}

static uint32_t join_of(struct tgsi_lifter *l, uint32_t insn)
{
    return block_in(l, l->flow->join, insn);
}

void tgsi_lift_start_block(struct tgsi_lifter *l, uint32_t block)
{
    l->b.block = block;
    if (block >= l->b.p->nblocks)
        return; /* no memory */
    l->b.p->blocks[block].insn = l->at < l->flow->ninsns ? l->at : 0;
    l->b.p->blocks[block].addr = l->b.p->blocks[block].insn;
}

static void start_new_block(struct tgsi_lifter *l)
{
    tgsi_lift_start_block(l, ir_new_block(l->b.p));
}

/* Where lanes are joined again when none is left here. */
static uint32_t skip_block(struct tgsi_lifter *l)
{
    struct tgsi_lift_flow *f = l->flow;
    return join_of(l, f->narms ? f->arms[f->narms - 1].close : f->region_end);
}

static void control(struct tgsi_lifter *l, struct ir_control c, ir_value arg)
{
    ir_control(&l->b, c, &arg, arg ? 1 : 0);
}

static void push_arm(struct tgsi_lift_flow *f, uint32_t opener)
{
    f->arms[f->narms++] = (struct tgsi_arm){.open = opener, .close = f->link[opener]};
}

/* ---- IF ---- */

ir_value tgsi_lift_condition(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    unsigned type = tgsi_lift_row(insn)->src_type[0];
    ir_value v = tgsi_lift_source(l, &insn->src[0], 0, type);
    enum ir_type t = ir_type_of(&l->b, v);
    return ir_op2(&l->b, t == IR_F32 ? IR_FNE : IR_NE, 0, v, ir_const(&l->b, t, 0));
}

static const struct tgsi_insn *insn_at(const struct tgsi_lifter *l, uint32_t i)
{
    return i < l->m->ninsns ? &l->m->insns[i] : NULL;
}

/* Lanes leave a construct or a subroutine: those where `which` holds, 0: all. The ir column has the policy's word. */
static void leave(struct tgsi_lifter *l, const struct tgsi_row *row, ir_value which)
{
    uint32_t next = ir_new_block(l->b.p);
    control(l,
            (struct ir_control){.op = row->ir,
                                .ntargets = which ? 2 : 1,
                                .direct_none = which != 0,
                                .target = {skip_block(l), which ? next : 0}},
            which);
    tgsi_lift_start_block(l, next);
}

/* `IF c; BRK; ENDIF` and its like (CONT, RET, KILL) are one conditional step without masks to keep. */
static bool lift_short_if(struct tgsi_lifter *l, ir_value c)
{
    struct tgsi_lift_flow *f = l->flow;
    const struct tgsi_insn *inner = insn_at(l, l->at + 1), *end = insn_at(l, l->at + 2);
    if (!inner || !end || tgsi_lift_row(end)->flow != TGSI_FLOW_ENDIF || f->target[l->at + 1] || f->target[l->at + 2])
        return false;
    uint8_t flow = tgsi_lift_row(inner)->flow;
    bool leaves =
        flow == TGSI_FLOW_BREAK || flow == TGSI_FLOW_CONTINUE || flow == TGSI_FLOW_RETURN || flow == TGSI_FLOW_END;
    bool kills = flow == TGSI_FLOW_DISCARD;
    if ((!leaves && !kills) || inner->nsrc)
        return false;
    f->next = l->at + 3;
    l->b.p->blocks[l->b.block].insns += 2;
    if (leaves) {
        leave(l, tgsi_lift_row(inner), c);
        return true;
    }
    l->b.p->io.uses_discard = true;
    ir_emit(&l->b, IR_DISCARD, IR_VOID, 0, 0, &c, 1, 0, 0, 0);
    return true;
}

void tgsi_lift_if(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct tgsi_lift_flow *f = l->flow;
    ir_value c = tgsi_lift_condition(l, insn);
    if (lift_short_if(l, c))
        return;
    uint32_t close = f->link[l->at], then = ir_new_block(l->b.p);
    bool has_else = tgsi_lift_row(&l->m->insns[close])->flow == TGSI_FLOW_ELSE;
    control(l,
            (struct ir_control){.op = has_else ? TGSI_CTL_IF_ELSE : TGSI_CTL_IF,
                                .ntargets = 2,
                                .direct_none = !has_else,
                                .target = {then, block_in(l, f->after, close)}},
            c);
    push_arm(f, l->at);
    tgsi_lift_start_block(l, then);
}

void tgsi_lift_else(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct tgsi_lift_flow *f = l->flow;
    (void)insn;
    uint32_t end = f->link[l->at], other = block_in(l, f->after, l->at), next = block_in(l, f->after, end);
    f->narms--;
    control(l, (struct ir_control){.op = TGSI_CTL_ELSE, .ntargets = 3, .target = {other, next, skip_block(l)}}, 0);
    push_arm(f, l->at);
    tgsi_lift_start_block(l, other);
}

/* ENDIF and ENDSWITCH. */
void tgsi_lift_end(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct tgsi_lift_flow *f = l->flow;
    (void)insn;
    uint32_t next = block_in(l, f->after, l->at);
    f->narms--;
    control(l, (struct ir_control){.op = l->row->ir, .ntargets = 2, .target = {next, skip_block(l)}}, 0);
    tgsi_lift_start_block(l, next);
}

/* ---- loops ---- */

void tgsi_lift_bgnloop(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct tgsi_lift_flow *f = l->flow;
    (void)insn;
    uint32_t head = ir_new_block(l->b.p);
    control(l, (struct ir_control){.op = TGSI_CTL_LOOP, .ntargets = 1, .target = {head}}, 0);
    f->head[f->narms] = head;
    push_arm(f, l->at);
    tgsi_lift_start_block(l, head);
}

void tgsi_lift_endloop(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct tgsi_lift_flow *f = l->flow;
    (void)insn;
    uint32_t next = ir_new_block(l->b.p), head = f->head[--f->narms];
    control(l, (struct ir_control){.op = TGSI_CTL_ENDLOOP, .ntargets = 3, .target = {head, next, skip_block(l)}}, 0);
    tgsi_lift_start_block(l, next);
}

/* BRK, BREAKC, CONT, RET, and END before the end. */
void tgsi_lift_leave(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    leave(l, l->row, insn->nsrc ? tgsi_lift_condition(l, insn) : 0);
}

/* ---- switches ---- */

ir_value tgsi_lift_switch_equals(struct tgsi_lifter *l, ir_value v, uint32_t label)
{
    return ir_op2(&l->b, IR_EQ, 0, v, tgsi_lift_source(l, &l->m->insns[label].src[0], 0, TGSI_T_U32));
}

/* DEFAULT may be anywhere, so which lanes want it has to be known before the first label. */
void tgsi_lift_switch(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct tgsi_lift_flow *f = l->flow;
    ir_value v = tgsi_lift_source(l, &insn->src[0], 0, TGSI_T_U32), wanted = ir_const(&l->b, IR_I1, 0);
    bool has_default = false;
    uint32_t label = f->link[l->at];
    for (; tgsi_lift_row(&l->m->insns[label])->flow != TGSI_FLOW_ENDSWITCH; label = f->link[label]) {
        if (tgsi_lift_row(&l->m->insns[label])->flow == TGSI_FLOW_DEFAULT)
            has_default = true;
        else
            wanted = ir_op2(&l->b, IR_OR, 0, wanted, tgsi_lift_switch_equals(l, v, label));
    }
    ir_value others = has_default ? ir_op1(&l->b, IR_NOT, 0, wanted) : ir_const(&l->b, IR_I1, 0);
    ir_set(&l->b, f->switch_file, f->switch_of[l->at], v, 0);
    control(l, (struct ir_control){.op = TGSI_CTL_SWITCH, .ntargets = 1, .target = {join_of(l, f->link[l->at])}},
            others);
    push_arm(f, l->at);
    start_new_block(l); /* instructions before the first label are never reached */
}

void tgsi_lift_case(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct tgsi_lift_flow *f = l->flow;
    (void)insn;
    uint32_t test = ir_new_block(l->b.p), body = ir_new_block(l->b.p), next = join_of(l, f->link[l->at]);
    control(l, (struct ir_control){.op = TGSI_CTL_CASE, .ntargets = 3, .target = {test, body, next}}, 0);
    tgsi_lift_start_block(l, test);
    ir_value v = ir_get(&l->b, f->switch_file, f->switch_of[l->at], IR_I32);
    control(l, (struct ir_control){.op = TGSI_CTL_MATCH, .ntargets = 2, .target = {body, next}},
            tgsi_lift_switch_equals(l, v, l->at));
    f->arms[f->narms - 1].close = f->link[l->at];
    tgsi_lift_start_block(l, body);
}

void tgsi_lift_default(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct tgsi_lift_flow *f = l->flow;
    (void)insn;
    uint32_t body = ir_new_block(l->b.p), next = join_of(l, f->link[l->at]);
    control(l, (struct ir_control){.op = TGSI_CTL_DEFAULT, .ntargets = 2, .target = {body, next}}, 0);
    f->arms[f->narms - 1].close = f->link[l->at];
    tgsi_lift_start_block(l, body);
}

/* ---- subroutines ---- */

static void add_return(struct tgsi_lifter *l, struct tgsi_subroutine *sub, uint32_t block)
{
    uint32_t *grown =
        arena_grow(l->arena, sub->returns, sizeof *grown, sub->nreturns, &sub->returns_cap, sub->nreturns + 1u);
    if (!grown)
        return;
    sub->returns = grown;
    sub->returns[sub->nreturns++] = block;
}

/* CAL and CALLNZ. */
void tgsi_lift_call(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct tgsi_subroutine *sub = &l->flow->subs[tgsi_lift_sub_at(l->flow, insn->label)];
    uint32_t next = ir_new_block(l->b.p);
    if (!sub->called) {
        sub->called = true;
        sub->body = ir_new_block(l->b.p);
    }
    add_return(l, sub, next);
    ir_value c = insn->nsrc ? tgsi_lift_condition(l, insn) : 0;
    control(l,
            (struct ir_control){.op = c ? TGSI_CTL_CALL_IF : TGSI_CTL_CALL,
                                .ntargets = 2,
                                .direct_none = c != 0,
                                .target = {sub->body, next},
                                .imm = 1 + sub->frames},
            c);
    tgsi_lift_start_block(l, next);
}

/* All lanes that run go together, and stay inside the construct: a plain jump. Others are lift_jumps.c's. */
void tgsi_lift_bra(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    ir_goto(&l->b, join_of(l, insn->label));
    start_new_block(l);
}

/* The warp stops between two blocks. */
void tgsi_lift_barrier(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    (void)insn;
    if (l->m->processor == TGSI_TESS_CTRL)
        return; /* a patch is one warp: what comes before has been done by all its lanes */
    uint32_t next = ir_new_block(l->b.p);
    ir_emit(&l->b, IR_BARRIER, IR_VOID, 0, 0, NULL, 0, next, 0, 0);
    tgsi_lift_start_block(l, next);
}

/* ---- lifting instructions in order ---- */

static bool is_join(const struct tgsi_row *row)
{
    switch ((enum tgsi_flow)row->flow) {
    case TGSI_FLOW_ELSE:
    case TGSI_FLOW_ENDIF:
    case TGSI_FLOW_ENDLOOP:
    case TGSI_FLOW_CASE:
    case TGSI_FLOW_DEFAULT:
    case TGSI_FLOW_ENDSWITCH:
        return true;
    default:
        return false;
    }
}

static void go_to_join(struct tgsi_lifter *l, uint32_t insn)
{
    uint32_t join = join_of(l, insn);
    ir_goto(&l->b, join);
    tgsi_lift_start_block(l, join);
}

/* ENDLOOP where no lane waits for the next iteration: those that get here go round again, and the policy need not be
 * asked. Its join is only for when no lane is left. */
static void repeat(struct tgsi_lifter *l, uint32_t insn)
{
    struct tgsi_lift_flow *f = l->flow;
    l->b.p->blocks[l->b.block].insns++;
    ir_goto(&l->b, f->head[f->narms - 1]);
    tgsi_lift_start_block(l, join_of(l, insn));
}

static void lift_range(struct tgsi_lifter *l, uint32_t begin, uint32_t end)
{
    struct tgsi_lift_flow *f = l->flow;
    f->narms = 0;
    f->region_end = end;
    for (uint32_t i = begin; i < end; i = f->next) {
        const struct tgsi_insn *insn = &l->m->insns[i];
        l->at = i;
        f->next = i + 1;
        l->b.insn = i;
        if (tgsi_lift_row(insn)->flow == TGSI_FLOW_ENDLOOP && !f->continues[f->arms[f->narms - 1].open])
            repeat(l, i);
        else if (is_join(tgsi_lift_row(insn)) || f->target[i])
            go_to_join(l, i);
        if (arena_failed(l->arena))
            return;
        l->b.p->blocks[l->b.block].insns++;
        tgsi_lift_insn(l, insn);
        if (l->failed)
            return;
    }
    l->at = end;
    l->b.insn = end < f->ninsns ? end : f->ninsns ? f->ninsns - 1 : 0;
    go_to_join(l, end);
    if (end < f->ninsns && !arena_failed(l->arena))
        l->b.p->blocks[l->b.block].insns++;
}

/* The policy knows which call to return to; the targets tell the passes about all of them, in a chain of blocks
 * where one control cannot hold them. Only the first block of the chain is ever run. */
static void end_of_sub(struct tgsi_lifter *l, const struct tgsi_subroutine *sub)
{
    l->b.block = sub->leave;
    l->b.insn = sub->end;
    for (uint32_t done = 0;;) {
        struct ir_control c = {.op = TGSI_CTL_ENDSUB};
        while (done < sub->nreturns && c.ntargets < IR_TARGETS - 1)
            c.target[c.ntargets++] = sub->returns[done++];
        bool more = done < sub->nreturns;
        uint32_t rest = more ? ir_new_block(l->b.p) : 0;
        if (more)
            c.target[c.ntargets++] = rest;
        control(l, c, 0);
        if (!more || arena_failed(l->arena))
            return;
        l->b.block = rest;
    }
}

static bool lift_subs(struct tgsi_lifter *l)
{
    struct tgsi_lift_flow *f = l->flow;
    bool found = false;
    for (uint32_t i = 0; i < f->nsubs && !l->failed && !arena_failed(l->arena); i++) {
        struct tgsi_subroutine *sub = &f->subs[i];
        if (!sub->called || sub->lifted)
            continue;
        sub->lifted = found = true;
        l->at = sub->begin;
        l->b.insn = sub->begin;
        tgsi_lift_start_block(l, sub->body);
        lift_range(l, sub->begin, sub->end);
        sub->leave = l->b.block;
    }
    return found;
}

void tgsi_lift_flow_run(struct tgsi_lifter *l)
{
    struct tgsi_lift_flow *f = l->flow;
    if (f->jumps) {
        tgsi_lift_jumps_run(l);
        return;
    }
    lift_range(l, f->main_begin, f->main_end);
    uint32_t last = ir_new_block(l->b.p);
    if (f->main_returns)
        control(l, (struct ir_control){.op = TGSI_CTL_FINISH, .ntargets = 1, .target = {last}}, 0);
    else
        ir_goto(&l->b, last);
    while (lift_subs(l))
        continue;
    for (uint32_t i = 0; i < f->nsubs && !l->failed && !arena_failed(l->arena); i++)
        if (f->subs[i].lifted)
            end_of_sub(l, &f->subs[i]);
    l->at = f->main_end;
    l->b.insn = f->main_end < f->ninsns ? f->main_end : 0;
    tgsi_lift_start_block(l, last);
}
