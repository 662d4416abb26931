/* lift_jumps.c - control flow of programs whose BRA leads into or out of a construct (document: "BRA", pc = target).
 *
 * Such a program has no masks that nest. Every instruction that changes the flow is a jump to another place: IF to what
 * follows its ELSE or ENDIF, BRK to what follows its loop, and so on; a lane that jumps into a construct goes on there
 * as if it had come in at the beginning. Each lane has a stack of return addresses, the numbers of calls from 1. Blocks
 * that lanes may wait at are made first, in the order of the program (policy_jumps.c). */
#include "isa/tgsi/lift_flow.h"

#include "ir/program.h"
#include "isa/tgsi/policy.h"

enum { CALLS = 160 }; /* return addresses of a lane, as deep as the constructs of policy.c */

/* A construct that is open at the instruction that is lifted. */
struct open {
    uint32_t begin, end; /* the loop or the switch */
    bool loop;
};

struct jumps {
    struct tgsi_lifter *l;
    struct tgsi_lift_flow *f;
    uint32_t *block; /* by instruction, 0: no lane may wait there; [ninsns] is the end of the text */
    uint32_t *chain; /* SWITCH, CALLNZ: the first of their own blocks, which follow each other */
    uint32_t *call;  /* calls by number, their instructions */
    uint32_t ncalls, end;
    uint32_t returns;    /* the first of ncalls + 2 blocks, which find where a lane returns to */
    uint32_t stack, top; /* files of return addresses */
    struct open open[TGSI_LIFT_NESTING];
    uint32_t depth;
};

static uint8_t flow_of(const struct jumps *j, uint32_t insn)
{
    return tgsi_lift_row(&j->l->m->insns[insn])->flow;
}

static bool is_jump(const struct jumps *j, uint32_t insn)
{
    return !tgsi_flow_goes_on(flow_of(j, insn));
}

/* ---- blocks ---- */

static uint32_t cases_of(const struct jumps *j, uint32_t insn)
{
    uint32_t n = 0;
    for (uint32_t i = j->f->link[insn]; flow_of(j, i) != TGSI_FLOW_ENDSWITCH; i = j->f->link[i])
        n += flow_of(j, i) == TGSI_FLOW_CASE;
    return n;
}

/* Blocks that an instruction needs besides those of the places that it leads to. */
static uint32_t chain_length(const struct jumps *j, uint32_t insn)
{
    switch (flow_of(j, insn)) {
    case TGSI_FLOW_SWITCH:
        return cases_of(j, insn);
    case TGSI_FLOW_CALL:
        return j->l->m->insns[insn].nsrc; /* CALLNZ, where it calls */
    default:
        return 0;
    }
}

static bool make_blocks(struct jumps *j)
{
    struct tgsi_lifter *l = j->l;
    uint32_t n = j->f->ninsns;
    j->block = ARENA_ARRAY(l->arena, uint32_t, n + 1);
    j->chain = ARENA_ARRAY(l->arena, uint32_t, n + 1);
    j->call = ARENA_ARRAY(l->arena, uint32_t, n + 1);
    if (!j->block || !j->chain || !j->call)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (flow_of(j, i) == TGSI_FLOW_CALL)
            j->call[++j->ncalls] = i;
    for (uint32_t i = 0; i <= n && !arena_failed(l->arena); i++) {
        if (i == n || j->f->target[i] || i == 0 || is_jump(j, i - 1))
            j->block[i] = ir_new_block(l->b.p);
        uint32_t more = i < n ? chain_length(j, i) : 0;
        for (uint32_t k = 0; k < more && !arena_failed(l->arena); k++) {
            uint32_t made = ir_new_block(l->b.p);
            j->chain[i] = k ? j->chain[i] : made;
        }
    }
    j->returns = ir_new_block(l->b.p);
    for (uint32_t k = 0; k <= j->ncalls && !arena_failed(l->arena); k++)
        ir_new_block(l->b.p);
    j->end = ir_new_block(l->b.p);
    return !arena_failed(l->arena);
}

/* ---- jumps ---- */

static void control(const struct jumps *j, struct ir_control c, ir_value arg)
{
    c.target[c.ntargets++] = j->end;
    ir_control(&j->l->b, c, &arg, arg ? 1 : 0);
}

static void go(const struct jumps *j, uint32_t block)
{
    control(j, (struct ir_control){.op = TGSI_JUMP_GO, .ntargets = 1, .target = {block}}, 0);
}

/* To one block where the condition holds, else to another. */
static void branch(const struct jumps *j, ir_value c, uint32_t holds, uint32_t other)
{
    control(j, (struct ir_control){.op = TGSI_JUMP_BRANCH, .ntargets = 2, .target = {holds, other}}, c);
}

static void end_lanes(const struct jumps *j)
{
    control(j, (struct ir_control){.op = TGSI_JUMP_END}, 0);
}

/* ---- subroutines ---- */

static struct ir_reg stack_entry(const struct jumps *j)
{
    return (struct ir_reg){.file = (uint16_t)j->stack, .part = IR_I32, .stride = 1, .last = CALLS - 1};
}

static void call(struct jumps *j, const struct tgsi_insn *insn)
{
    struct tgsi_lifter *l = j->l;
    uint32_t at = j->l->at, number = 1;
    while (j->call[number] != at)
        number++;
    if (insn->nsrc) { /* CALLNZ */
        branch(j, tgsi_lift_condition(l, insn), j->chain[at], j->block[at + 1]);
        tgsi_lift_start_block(l, j->chain[at]);
    }
    ir_value top = ir_get(&l->b, j->top, 0, IR_I32);
    ir_value full = ir_op2(&l->b, IR_LE_U, 0, ir_const_i32(&l->b, CALLS), top);
    ir_set_dyn(&l->b, stack_entry(j), top, ir_const_i32(&l->b, number), 0);
    ir_set(&l->b, j->top, 0, ir_op2(&l->b, IR_ADD, 0, top, ir_const_i32(&l->b, 1)), 0);
    control(j, (struct ir_control){.op = TGSI_JUMP_CALL, .ntargets = 1, .target = {j->block[insn->label + 1]}}, full);
}

/* Where RET and ENDSUB go: to after the call whose number is on top of the stack. Without one the lane is done. */
static void lift_returns(struct jumps *j)
{
    struct tgsi_lifter *l = j->l;
    uint32_t next = j->returns, none = next + j->ncalls + 1;
    tgsi_lift_start_block(l, next++);
    ir_value top = ir_get(&l->b, j->top, 0, IR_I32), one = ir_const_i32(&l->b, 1);
    ir_value empty = ir_op2(&l->b, IR_EQ, 0, top, ir_const_i32(&l->b, 0));
    ir_set(&l->b, j->top, 0, ir_select(&l->b, empty, top, ir_op2(&l->b, IR_SUB, 0, top, one)), 0);
    branch(j, empty, none, next);
    for (uint32_t k = 1; k <= j->ncalls; k++) {
        tgsi_lift_start_block(l, next++);
        ir_value number = ir_get_dyn(&l->b, stack_entry(j), ir_get(&l->b, j->top, 0, IR_I32), IR_I32);
        branch(j, ir_op2(&l->b, IR_EQ, 0, number, ir_const_i32(&l->b, k)), j->block[j->call[k] + 1], next);
    }
    tgsi_lift_start_block(l, none);
    end_lanes(j);
}

/* ---- constructs ---- */

static void open_construct(struct jumps *j, bool loop)
{
    uint32_t at = j->l->at, end = j->f->link[at];
    while (!loop && flow_of(j, end) != TGSI_FLOW_ENDSWITCH)
        end = j->f->link[end];
    j->open[j->depth++] = (struct open){at, end, loop};
}

static const struct open *innermost(const struct jumps *j, bool switches_too)
{
    uint32_t d = j->depth;
    while (!switches_too && !j->open[d - 1].loop)
        d--;
    return &j->open[d - 1];
}

static void lift_switch(struct jumps *j, const struct tgsi_insn *insn)
{
    struct tgsi_lifter *l = j->l;
    struct tgsi_lift_flow *f = j->f;
    uint32_t next = j->chain[l->at], reg = f->switch_of[l->at], label = f->link[l->at], other = 0;
    ir_set(&l->b, f->switch_file, reg, tgsi_lift_source(l, &insn->src[0], 0, TGSI_T_U32), 0);
    for (; flow_of(j, label) != TGSI_FLOW_ENDSWITCH; label = f->link[label]) {
        if (flow_of(j, label) == TGSI_FLOW_DEFAULT) {
            other = label;
            continue;
        }
        ir_value v = ir_get(&l->b, f->switch_file, reg, IR_I32);
        branch(j, tgsi_lift_switch_equals(l, v, label), j->block[label + 1], next);
        tgsi_lift_start_block(l, next++);
    }
    go(j, j->block[(other ? other : label) + 1]);
}

static void lift_leave(struct jumps *j, const struct tgsi_insn *insn)
{
    const struct open *o = innermost(j, tgsi_lift_row(insn)->flow == TGSI_FLOW_BREAK);
    uint32_t to = tgsi_lift_row(insn)->flow == TGSI_FLOW_BREAK ? o->end + 1 : o->begin + 1;
    if (insn->nsrc) /* BREAKC */
        branch(j, tgsi_lift_condition(j->l, insn), j->block[to], j->block[j->l->at + 1]);
    else
        go(j, j->block[to]);
}

/* An instruction that changes the flow; the block that it is in is ended. */
static void lift_jump(struct jumps *j, const struct tgsi_insn *insn)
{
    struct tgsi_lift_flow *f = j->f;
    uint32_t at = j->l->at, next = j->block[at + 1];
    switch ((enum tgsi_flow)tgsi_lift_row(insn)->flow) {
    case TGSI_FLOW_IF:
        branch(j, tgsi_lift_condition(j->l, insn), next, j->block[f->link[at] + 1]);
        return;
    case TGSI_FLOW_ELSE:
        go(j, j->block[f->link[at] + 1]);
        return;
    case TGSI_FLOW_LOOP:
        open_construct(j, true);
        break;
    case TGSI_FLOW_ENDLOOP:
        go(j, j->block[j->open[--j->depth].begin + 1]);
        return;
    case TGSI_FLOW_SWITCH:
        open_construct(j, false);
        lift_switch(j, insn);
        return;
    case TGSI_FLOW_ENDSWITCH:
        j->depth--;
        break;
    case TGSI_FLOW_BREAK:
    case TGSI_FLOW_CONTINUE:
        lift_leave(j, insn);
        return;
    case TGSI_FLOW_CALL:
        call(j, insn);
        return;
    case TGSI_FLOW_RETURN:
    case TGSI_FLOW_ENDSUB:
        go(j, j->returns);
        return;
    case TGSI_FLOW_SUB: /* the end of a main program without END */
    case TGSI_FLOW_END:
        end_lanes(j);
        return;
    case TGSI_FLOW_ENDIF:
    case TGSI_FLOW_CASE:
    case TGSI_FLOW_DEFAULT:
        break;
    case TGSI_FLOW_JUMP:
        go(j, j->block[insn->label]);
        return;
    case TGSI_FLOW_NONE:
    case TGSI_FLOW_DISCARD:
    case TGSI_FLOW_BARRIER:
    case TGSI_FLOW_EMIT:
        break;
    }
    go(j, next);
}

void tgsi_lift_jumps_run(struct tgsi_lifter *l)
{
    struct jumps j = {.l = l, .f = l->flow};
    uint32_t n = j.f->ninsns;
    if (!make_blocks(&j))
        return;
    j.stack = ir_add_file(l->b.p, (struct ir_file){.name = "CALLS", .bits = 32, .count = CALLS});
    j.top = ir_add_file(l->b.p, (struct ir_file){.name = "CALLTOP", .bits = 32, .count = 1});
    go(&j, j.block[j.f->main_begin]);
    bool open = false; /* the block that is lifted has no terminator yet */
    for (uint32_t i = 0; i < n && !l->failed && !arena_failed(l->arena); i++) {
        const struct tgsi_insn *insn = &l->m->insns[i];
        l->at = i;
        l->b.insn = i;
        if (j.block[i]) {
            if (open)
                go(&j, j.block[i]);
            tgsi_lift_start_block(l, j.block[i]);
        }
        open = !is_jump(&j, i);
        l->b.p->blocks[l->b.block].insns++;
        if (open)
            tgsi_lift_insn(l, insn);
        else
            lift_jump(&j, insn);
    }
    if (l->failed || arena_failed(l->arena))
        return;
    if (open)
        go(&j, j.block[n]);
    tgsi_lift_start_block(l, j.block[n]);
    end_lanes(&j);
    lift_returns(&j);
    tgsi_lift_start_block(l, j.end);
}
