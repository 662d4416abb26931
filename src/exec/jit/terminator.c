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

static V uniform_condition(struct gen *g)
{
    static const LLVMIntPredicate predicates[] = {
        [H_BRANCH_EQ - H_BRANCH] = LLVMIntEQ,    [H_BRANCH_NE - H_BRANCH] = LLVMIntNE,
        [H_BRANCH_LT_S - H_BRANCH] = LLVMIntSLT, [H_BRANCH_LE_S - H_BRANCH] = LLVMIntSLE,
        [H_BRANCH_LT_U - H_BRANCH] = LLVMIntULT, [H_BRANCH_LE_U - H_BRANCH] = LLVMIntULE,
    };
    bool late = row_is_late(g, g->s->a) || (g->s->handler != H_BRANCH && row_is_late(g, g->s->b));
    g->lane = false;
    g->b = late ? g->leave : g->entry;
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
    g->holds = vote_lanes(g, g->s->a, g->s->sa);
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

/* The warp is done. `more` is the instruction where it ends. */
static void end(struct gen *g)
{
    V at = offset_const(g, g->leave, g->frame, offsetof(struct frame, budget));
    V before = load_at(g, g->leave, at, g->i64, 8), cost = LLVMConstInt(g->i64, g->paid + g->s->c, false);
    store_at(g, g->leave, LLVMBuildSub(g->leave, before, cost, ""), at, 8);
    note(g, offsetof(struct frame, stop), EXEC_DONE);
    note(g, offsetof(struct frame, block), g->s->aux);
    note(g, offsetof(struct frame, insn), g->s->more);
}

/* Is the policy to know that the lanes go to the target of the operation at `at`? See goes_freely of
 * handlers_control.h. */
static V is_not_free(struct gen *g, V at)
{
    V to = load_at(g, g->leave, offset_const(g, g->leave, at, offsetof(struct lop, d)), g->i32, 4);
    V state = offset_const(g, g->leave, g->frame, offsetof(struct frame, policy_state));
    state = load_at(g, g->leave, state, g->pointer, 8);
    V low = load_at(g, g->leave, offset_const(g, g->leave, state, g->s->b), g->i32, 4);
    return LLVMBuildICmp(g->leave, LLVMIntUGE, to, low, "");
}

/* Where lanes disagree, or agree about what the policy is to know: g->asks. Else the lanes' target is the first, or the
 * second where the result holds. */
static V ask_lanes(struct gen *g)
{
    V active = active_mask(g), holds = LLVMBuildAnd(g->leave, g->holds, active, "");
    V some = LLVMBuildICmp(g->leave, LLVMIntNE, holds, LLVMConstNull(g->i64), ""), second = NULL;
    g->asks = some;
    if (g->s->handler == H_CONTROL_EITHER) {
        V not_all = LLVMBuildICmp(g->leave, LLVMIntNE, holds, active, "");
        g->asks = LLVMBuildAnd(g->leave, some, not_all, "");
        second = some;
    }
    if (g->s->sb) {
        V at = second ? choice(g, second, operation(g, 1), operation(g, 0)) : operation(g, 0);
        g->asks = LLVMBuildOr(g->leave, g->asks, is_not_free(g, at), "");
    }
    return second;
}

V terminator_is_free(struct gen *g, unsigned k)
{
    return g->s->sb ? LLVMBuildNot(g->leave, is_not_free(g, operation(g, k)), "") : NULL;
}

void terminator_pay(struct gen *g)
{
    V at = offset_const(g, g->leave, g->frame, offsetof(struct frame, budget));
    V before = g->paid ? load_at(g, g->leave, at, g->i64, 8) : NULL;
    if (before)
        store_at(g, g->leave, LLVMBuildSub(g->leave, before, LLVMConstInt(g->i64, g->paid, false), ""), at, 8);
}

/* Other threads may change it. */
static V budget_floor(struct gen *g, LLVMBuilderRef b)
{
    V floor = load_at(g, b, offset_const(g, b, g->frame, offsetof(struct frame, floor)), g->i64, 8);
    LLVMSetOrdering(floor, LLVMAtomicOrderingMonotonic);
    return floor;
}

static V budget_in_leave(struct gen *g)
{
    return offset_const(g, g->leave, g->frame, offsetof(struct frame, budget));
}

V terminator_pays(struct gen *g, V cost)
{
    V after = LLVMBuildSub(g->leave, load_at(g, g->leave, budget_in_leave(g), g->i64, 8), cost, "");
    return LLVMBuildICmp(g->leave, LLVMIntSGT, after, budget_floor(g, g->leave), "");
}

void terminator_spend(struct gen *g, V cost)
{
    V at = budget_in_leave(g);
    store_at(g, g->leave, LLVMBuildSub(g->leave, load_at(g, g->leave, at, g->i64, 8), cost, ""), at, 8);
}

/* ---- straight runs: the budget is looked at before anything is stored ---- */

bool terminator_is_plain(const struct jit_step *s)
{
    return terminator_known(s) && s->handler != H_END && !asks_lanes(s);
}

static V budget_at(struct gen *g)
{
    return offset_const(g, g->entry, g->frame, offsetof(struct frame, budget));
}

V terminator_spent(struct gen *g, uint64_t more)
{
    V cost = LLVMConstInt(g->i64, g->s->c + more, false);
    return LLVMBuildSub(g->entry, load_at(g, g->entry, budget_at(g), g->i64, 8), cost, "");
}

V terminator_goes_on(struct gen *g, V budget)
{
    return LLVMBuildICmp(g->entry, LLVMIntSGT, budget, budget_floor(g, g->entry), "");
}

void terminator_store(struct gen *g, V budget)
{
    store_at(g, g->entry, budget, budget_at(g), 8);
}

V terminator_target(struct gen *g, unsigned k)
{
    return target(g, k);
}

/* ---- others ---- */

V terminator_affords(struct gen *g, uint64_t cost)
{
    V at = offset_const(g, g->entry, g->frame, offsetof(struct frame, budget));
    V after = LLVMBuildSub(g->entry, load_at(g, g->entry, at, g->i64, 8), LLVMConstInt(g->i64, cost, false), "");
    return LLVMBuildICmp(g->entry, LLVMIntSGT, after, budget_floor(g, g->entry), "");
}

void terminator_leave(struct gen *g)
{
    if (g->s->handler == H_END) {
        end(g);
        return;
    }
    V at = offset_const(g, g->leave, g->frame, offsetof(struct frame, budget));
    V before = load_at(g, g->leave, at, g->i64, 8);
    if (g->paid)
        before = LLVMBuildSub(g->leave, before, LLVMConstInt(g->i64, g->paid, false), "");
    V after = LLVMBuildSub(g->leave, before, LLVMConstInt(g->i64, g->s->c, false), "");
    V floor = budget_floor(g, g->leave);
    g->leaves = LLVMBuildICmp(g->leave, LLVMIntSGT, after, floor, "");
    V second = asks_lanes(g->s) ? ask_lanes(g) : g->taken ? LLVMBuildNot(g->leave, g->taken, "") : NULL;
    if (g->asks)
        g->leaves = LLVMBuildAnd(g->leave, g->leaves, LLVMBuildNot(g->leave, g->asks, ""), "");
    store_at(g, g->leave, choice(g, g->leaves, after, before), at, 8);
    g->goes[0] = second ? LLVMBuildAnd(g->leave, g->leaves, LLVMBuildNot(g->leave, second, ""), "") : g->leaves;
    g->goes[1] = second ? LLVMBuildAnd(g->leave, g->leaves, second, "") : NULL;
}

/* NULL cannot be gone on with. */
V terminator_next(struct gen *g)
{
    if (g->s->handler == H_END)
        return LLVMConstNull(g->pointer);
    V next = choice(g, g->goes[0], target(g, 0), operation(g, 0));
    if (g->goes[1])
        next = choice(g, g->goes[1], target(g, 1), next);
    if (g->asks)
        next = choice(g, g->asks, operation(g, g->s->handler == H_CONTROL_EITHER ? 2 : 1), next);
    return next;
}
