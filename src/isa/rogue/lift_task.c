/* lift_task.c - what becomes of a task as a whole: mutexes between tasks, the phases of a program, and breakpoints. */
#include "isa/rogue/lift.h"

/* Marks an address that is there, and the way into a group past its breakpoint: groups begin at even addresses. */
enum { THERE = 1 };

static ir_value get(struct rogue_lifter *l, enum rogue_file file)
{
    return ir_get(&l->b, l->file[file], 0, IR_I32);
}

static void set(struct rogue_lifter *l, enum rogue_file file, ir_value v)
{
    ir_set(&l->b, l->file[file], 0, v, 0);
}

static void jump(struct rogue_lifter *l, ir_value address)
{
    ir_emit(&l->b, IR_JUMP, IR_VOID, 0, 0, &address, 1, 0, 0, 0);
}

/* ---- mutexes ---- */

/* Tasks of a workgroup run in turn, each until it sleeps, and workgroups that can see each other's memory one after the
 * other, as do the tasks of a draw with mutexes: what is between lock and release is never interrupted, and the order
 * is always the same. In a draw nothing can wake a task: each begins when the one before it has ended. */
enum { RELEASE, RELEASE_SLEEP, RELEASE_WAKEUP, LOCK };

bool rogue_stops_task(const struct rogue_insn *insn)
{
    unsigned how = rogue_has_field(insn, ROGUE_F_LR) ? (unsigned)rogue_get(insn, ROGUE_F_LR) : RELEASE;
    return how == RELEASE_SLEEP || how == RELEASE_WAKEUP;
}

void rogue_lift_mutex(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    l->b.p->io.in_order |= l->stage != IR_COMPUTE;
    if (!rogue_stops_task(insn))
        return;
    if (l->stage != IR_COMPUTE && rogue_get(insn, ROGUE_F_LR) == RELEASE_SLEEP) {
        lift_refuse(
            &l->lift,
            "'%s.release.sleep' outside compute programs is not executed: a task of a draw ends before the next "
            "one begins, so nothing would wake it",
            insn->row->name);
        return;
    }
    rogue_carry(l);
    if (l->stage != IR_COMPUTE) {
        ir_goto(&l->b, rogue_block_of(l, l->at + 1));
        return;
    }
    uint64_t imm = IR_BARRIER_COUNTED | (uint64_t)rogue_get(insn, ROGUE_F_ID);
    imm |= rogue_get(insn, ROGUE_F_LR) == RELEASE_SLEEP ? IR_BARRIER_INC | IR_BARRIER_WAIT : IR_BARRIER_ALL;
    ir_emit(&l->b, IR_BARRIER, IR_VOID, 0, 0, NULL, 0, rogue_block_of(l, l->at + 1), imm, 0);
}

/* ---- phases ---- */

/* The address, in units of 16 bits as SAVL has them, is where the task goes on when this phase ends: at the end of the
 * program, or with .end at once. At a rate of samples a fragment program runs for each sample from its first phase on:
 * what comes before computes the same for all of them (docs/manual/rogue.md). */
void rogue_lift_phas(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    if (rogue_get(insn, ROGUE_F_RATE))
        l->b.p->io.per_sample |= l->stage == IR_FRAGMENT;
    ir_value units = rogue_source(l, (unsigned)rogue_get(insn, ROGUE_F_EXEADDRSRC));
    ir_value which = l->run ? l->run : ir_const(&l->b, IR_I1, 1);
    ir_value address = ir_op2(&l->b, IR_SHL, 0, rogue_first_of(l, units, which), rogue_word(l, 1));
    set(l, ROGUE_FILE_PHASE, ir_op2(&l->b, IR_OR, 0, address, rogue_word(l, THERE)));
}

bool rogue_ends_phase(const struct rogue_group *g)
{
    const struct rogue_insn *insn = rogue_backend_of(g);
    return g->end || (insn && rogue_get(insn, ROGUE_F_END));
}

void rogue_next_phase(struct rogue_lifter *l)
{
    uint32_t next = lift_new_block(&l->lift);
    ir_value there = ir_op2(&l->b, IR_NE, 0, get(l, ROGUE_FILE_PHASE), rogue_word(l, 0));
    ir_branch(&l->b, there, next, l->epilogue);
    l->b.block = next;
    ir_value address = ir_op2(&l->b, IR_AND, 0, get(l, ROGUE_FILE_PHASE), rogue_word(l, ~(uint32_t)THERE));
    set(l, ROGUE_FILE_PHASE, rogue_word(l, 0));
    jump(l, address);
}

/* ---- breakpoints ---- */

/* A group with one has two blocks: the one that everything goes to saves where to return to and calls the handler, the
 * other one has the group. */
void rogue_break(struct rogue_lifter *l, uint32_t handler)
{
    uint64_t back = (l->m->base + l->group->offset) | THERE;
    set(l, ROGUE_FILE_BREAK, rogue_word(l, (uint32_t)back));
    ir_goto(&l->b, handler);
    l->b.block = ir_new_block(l->b.p);
    l->b.p->blocks[l->b.block].addr = back;
    l->b.p->blocks[l->b.block].insn = l->at;
}

void rogue_lift_bpret(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    if (!l->link.nbreakpoints) {
        lift_refuse(&l->lift, "'%s' in a program without breakpoints: the linkage names them", insn->row->name);
        return;
    }
    rogue_carry(l);
    jump(l, get(l, ROGUE_FILE_BREAK));
}
