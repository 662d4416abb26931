/* terminator.c - the ends of blocks: what goes on to another block without asking the control policy.
 *
 * The way on is a pointer to an operation: the first of the next block; or the one after the terminator, which asks the
 * policy; or the terminator itself, whose handler does all that is rare: it stops a warp whose budget is used up or
 * that was interrupted. The budget changes where the block is left here, and nowhere else. */
#include "exec/jit/gen.h"

#include <stddef.h>

bool terminator_known(const struct jit_step *s)
{
    switch (s->handler) {
    case H_GOTO:
    case H_BRANCH:
    case H_BRANCH_EQ:
    case H_BRANCH_NE:
    case H_BRANCH_LT_S:
    case H_BRANCH_LE_S:
    case H_BRANCH_LT_U:
    case H_BRANCH_LE_U:
    case H_CONTROL_NONE:
    case H_CONTROL_EITHER:
    case H_END:
        return true;
    default:
        return false;
    }
}

static bool asks_lanes(const struct jit_step *s)
{
    return s->handler == H_CONTROL_NONE || s->handler == H_CONTROL_EITHER;
}

bool terminator_in_loop(const struct jit_step *s)
{
    return asks_lanes(s) && s->sa;
}

static V uniform_condition(struct gen *g)
{
    static const LLVMIntPredicate predicates[] = {
        [H_BRANCH_EQ - H_BRANCH] = LLVMIntEQ,    [H_BRANCH_NE - H_BRANCH] = LLVMIntNE,
        [H_BRANCH_LT_S - H_BRANCH] = LLVMIntSLT, [H_BRANCH_LE_S - H_BRANCH] = LLVMIntSLE,
        [H_BRANCH_LT_U - H_BRANCH] = LLVMIntULT, [H_BRANCH_LE_U - H_BRANCH] = LLVMIntULE,
    };
    g->lane = false;
    g->b = g->entry;
    if (g->s->handler == H_BRANCH)
        return row_get(g, g->s->a, 0, false, KIND_BOOL);
    V x = row_get(g, g->s->a, 0, false, KIND_INT), y = row_get(g, g->s->b, 0, false, KIND_INT);
    return LLVMBuildICmp(g->b, predicates[g->s->handler - H_BRANCH], x, y, "");
}

/* What decides: a uniform condition, or the lanes where a condition holds. */
void terminator_emit(struct gen *g)
{
    if (g->s->handler == H_GOTO || g->s->handler == H_END)
        return;
    if (!asks_lanes(g->s)) {
        g->taken = uniform_condition(g);
        return;
    }
    active_mask(g);
    g->lane = g->s->sa != 0;
    g->b = g->lane ? g->loop : g->entry;
    V c = row_get(g, g->s->a, g->s->sa, false, KIND_BOOL);
    if (!g->lane) {
        V all = LLVMConstInt(g->i64, UINT64_MAX, false);
        g->holds = LLVMBuildSelect(g->b, c, all, LLVMConstNull(g->i64), "");
        return;
    }
    V bits = LLVMBuildZExt(g->b, LLVMBuildBitCast(g->b, c, g->i16, ""), g->i64, "");
    V shift = LLVMBuildShl(g->b, g->chunk, LLVMConstInt(g->i64, 4, false), "");
    bits = LLVMBuildShl(g->b, bits, shift, "");
    g->holds = g->held ? LLVMBuildOr(g->b, g->held, bits, "") : bits;
}

/* The operation `n` after the terminator. */
static V operation(struct gen *g, uint32_t n)
{
    return offset_const(g, g->leave, g->op, (uint64_t)(g->run->count - 1 + n) * sizeof(struct lop));
}

/* Where operation `n` after the terminator goes to. */
static V target(struct gen *g, uint32_t n)
{
    V at = offset_const(g, g->leave, operation(g, n), offsetof(struct lop, imm));
    return load_at(g, g->leave, at, g->pointer, 8);
}

static V choice(struct gen *g, V c, V x, V y)
{
    return LLVMBuildSelect(g->leave, c, x, y, "");
}

static void note(struct gen *g, size_t offset, uint32_t v)
{
    store_at(g, g->leave, LLVMConstInt(g->i32, v, false), offset_const(g, g->leave, g->frame, offset), 4);
}

_Static_assert(sizeof(enum exec_stop) == 4, "what is stored");

/* The warp is done: NULL is no operation to go on with. `more` is the instruction where it ends. */
static void end(struct gen *g)
{
    V at = offset_const(g, g->leave, g->frame, offsetof(struct frame, budget));
    V before = load_at(g, g->leave, at, g->i64, 8);
    store_at(g, g->leave, LLVMBuildSub(g->leave, before, LLVMConstInt(g->i64, g->s->c, false), ""), at, 8);
    note(g, offsetof(struct frame, stop), EXEC_DONE);
    note(g, offsetof(struct frame, block), g->s->aux);
    note(g, offsetof(struct frame, insn), g->s->more);
    g->next = LLVMConstNull(g->pointer);
}

/* In `leave`. */
void terminator_leave(struct gen *g)
{
    if (g->s->handler == H_END) {
        end(g);
        return;
    }
    V at = offset_const(g, g->leave, g->frame, offsetof(struct frame, budget)), asks = NULL, to = target(g, 0);
    V before = load_at(g, g->leave, at, g->i64, 8);
    V after = LLVMBuildSub(g->leave, before, LLVMConstInt(g->i64, g->s->c, false), "");
    V floor = load_at(g, g->leave, offset_const(g, g->leave, g->frame, offsetof(struct frame, floor)), g->i64, 8);
    LLVMSetOrdering(floor, LLVMAtomicOrderingMonotonic);
    V leaves = LLVMBuildICmp(g->leave, LLVMIntSGT, after, floor, "");
    if (asks_lanes(g->s)) {
        V active = active_mask(g), holds = LLVMBuildAnd(g->leave, g->holds, active, "");
        V none = LLVMBuildICmp(g->leave, LLVMIntEQ, holds, LLVMConstNull(g->i64), "");
        asks = LLVMBuildNot(g->leave, none, "");
        if (g->s->handler == H_CONTROL_EITHER) {
            V all = LLVMBuildICmp(g->leave, LLVMIntEQ, holds, active, "");
            asks = LLVMBuildNot(g->leave, LLVMBuildOr(g->leave, none, all, ""), "");
            to = choice(g, none, to, target(g, 1));
        }
        leaves = LLVMBuildAnd(g->leave, leaves, LLVMBuildNot(g->leave, asks, ""), "");
    } else if (g->taken) {
        to = choice(g, g->taken, to, target(g, 1));
    }
    store_at(g, g->leave, choice(g, leaves, after, before), at, 8);
    g->next = choice(g, leaves, to, operation(g, 0));
    if (asks)
        g->next = choice(g, asks, operation(g, g->s->handler == H_CONTROL_EITHER ? 2 : 1), g->next);
}
