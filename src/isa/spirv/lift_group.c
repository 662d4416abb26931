/* lift_group.c - what lanes of a subgroup tell each other. A subgroup is a warp. The forms without a scope operand (the
 * extensions that came first) have `op` or `attr` 1 in their rows. */
#include "isa/spirv/lift.h"

static ir_value state_op(struct spirv_lifter *l, enum ir_opcode code, ir_value a)
{
    return ir_emit(&l->b, code, IR_VOID, 0, 1, &a, 1, 0, 0, 0);
}

void spirv_lift_elect(struct spirv_lifter *l, const uint32_t *w)
{
    ir_value lane = ir_lane_id(&l->b), v = spirv_2(l, IR_EQ, lane, state_op(l, IR_FIRST, lane));
    (void)w;
    spirv_result(l, &v, 1);
}

void spirv_lift_is_helper(struct spirv_lifter *l, const uint32_t *w)
{
    ir_value v = spirv_sysval(l, IR_SYS_HELPER, IR_I1, 0);
    (void)w;
    spirv_result(l, &v, 1);
}

void spirv_lift_vote(struct spirv_lifter *l, const uint32_t *w)
{
    ir_value a = spirv_use_one(l, w[l->meaning->attr ? 3 : 4], IR_I1);
    if (!a || (!l->meaning->attr && !spirv_in_subgroup(l, w[3])))
        return;
    ir_value v = state_op(l, (enum ir_opcode)l->meaning->op, a);
    spirv_result(l, &v, 1);
}

/* ---- a scalar of another lane ---- */

/* What is made of each half of 64 bits, or of a Boolean as a word, and put together again. */
typedef ir_value lane_fn(struct spirv_lifter *l, ir_value v, ir_value lane);
static ir_value in_words(struct spirv_lifter *l, ir_value v, ir_value lane, lane_fn *fn)
{
    enum ir_type type = ir_type_of(&l->b, v);
    if (type == IR_I1)
        return spirv_2(l, IR_NE, fn(l, spirv_cvt(l, IR_SEXT, IR_I32, v), lane), spirv_i32(l, 0));
    if (ir_type_bits(type) < 64)
        return fn(l, v, lane);
    ir_value bits = spirv_as(l, IR_I64, v);
    ir_value half[2] = {fn(l, spirv_cvt(l, IR_LO32, IR_I32, bits), lane),
                        fn(l, spirv_cvt(l, IR_HI32, IR_I32, bits), lane)};
    return spirv_as(l, type, spirv_emit(l, IR_PACK64, IR_I64, 0, half, 2, 0));
}

static ir_value word_of_lane(struct spirv_lifter *l, ir_value v, ir_value lane)
{
    return ir_op2(&l->b, IR_SHUFFLE, 0, v, lane);
}

static ir_value word_of_first(struct spirv_lifter *l, ir_value v, ir_value lane)
{
    (void)lane;
    return state_op(l, IR_FIRST, v);
}

ir_value spirv_of_lane(struct spirv_lifter *l, ir_value v, ir_value lane)
{
    return in_words(l, v, lane, word_of_lane);
}

ir_value spirv_of_first(struct spirv_lifter *l, ir_value v, ir_value lane)
{
    return in_words(l, v, lane, word_of_first);
}

/* Each scalar by a function. */
static void each(struct spirv_lifter *l, uint32_t id, ir_value lane, lane_fn *fn)
{
    uint32_t count;
    const ir_value *a = spirv_use(l, id, &count);
    ir_value *v = a ? spirv_room(l, count) : NULL;
    for (uint32_t i = 0; v && i < count; i++)
        v[i] = fn(l, a[i], lane);
    if (v)
        spirv_result(l, v, count);
}

/* Numbers compare as numbers: two zeros are equal, NaN is equal to nothing. */
void spirv_lift_all_equal(struct spirv_lifter *l, const uint32_t *w)
{
    uint32_t count;
    const ir_value *a = spirv_use(l, w[l->meaning->op ? 3 : 4], &count);
    ir_value all = 0;
    if (!a)
        return;
    for (uint32_t i = 0; i < count; i++) {
        enum ir_type type = ir_type_of(&l->b, a[i]);
        ir_value x = type == IR_I1 ? spirv_cvt(l, IR_SEXT, IR_I32, a[i]) : a[i];
        ir_value same = spirv_2(l, type >= IR_F16 ? IR_FEQ : IR_EQ, x, spirv_of_first(l, x, 0));
        all = all ? spirv_2(l, IR_AND, all, same) : same;
    }
    ir_value v = state_op(l, IR_ALL, all);
    spirv_result(l, &v, 1);
}

void spirv_lift_broadcast(struct spirv_lifter *l, const uint32_t *w)
{
    unsigned at = l->meaning->op ? 3 : 4;
    ir_value lane = spirv_use_index(l, w[at + 1]);
    if (lane && (l->meaning->op || spirv_in_subgroup(l, w[3])))
        each(l, w[at], lane, spirv_of_lane);
}

void spirv_lift_broadcast_first(struct spirv_lifter *l, const uint32_t *w)
{
    each(l, w[l->meaning->op ? 3 : 4], 0, spirv_of_first);
}

void spirv_lift_group_shuffle(struct spirv_lifter *l, const uint32_t *w)
{
    ir_value by = spirv_use_index(l, w[5]);
    if (!by)
        return;
    ir_value lane = l->meaning->op ? spirv_2(l, (enum ir_opcode)l->meaning->op, ir_lane_id(&l->b), by) : by;
    each(l, w[4], lane, spirv_of_lane);
}

/* The lane `delta` further on, around its cluster: a power of two, 64 where none is given. */
void spirv_lift_rotate(struct spirv_lifter *l, const uint32_t *w)
{
    uint64_t size = SPIRV_LANES;
    ir_value delta = spirv_use_index(l, w[5]), lane = ir_lane_id(&l->b);
    if (!delta || (l->nw > 6 && !spirv_cluster(l, w[6], &size)))
        return;
    ir_value inside = spirv_i32(l, (uint32_t)size - 1), outside = spirv_i32(l, ~((uint32_t)size - 1));
    ir_value to = spirv_2(l, IR_AND, spirv_2(l, IR_ADD, lane, delta), inside);
    each(l, w[4], spirv_2(l, IR_OR, to, spirv_2(l, IR_AND, lane, outside)), spirv_of_lane);
}

void spirv_lift_quad_broadcast(struct spirv_lifter *l, const uint32_t *w)
{
    ir_value index = spirv_use_index(l, w[5]);
    if (!index)
        return;
    ir_value quad = spirv_2(l, IR_AND, ir_lane_id(&l->b), spirv_i32(l, ~(uint32_t)3));
    each(l, w[4], spirv_2(l, IR_OR, quad, spirv_2(l, IR_AND, index, spirv_i32(l, 3))), spirv_of_lane);
}

/* 0: across, 1: up and down, 2: both. */
void spirv_lift_quad_swap(struct spirv_lifter *l, const uint32_t *w)
{
    uint64_t way;
    if (!spirv_constant(l, w[5], &way) || way > 2)
        spirv_wrong(l, "the direction is not a constant from 0 to 2");
    else
        each(l, w[4], spirv_2(l, IR_XOR, ir_lane_id(&l->b), spirv_i32(l, (uint32_t)way + 1)), spirv_of_lane);
}

/* ---- ballots ---- */

void spirv_lift_ballot(struct spirv_lifter *l, const uint32_t *w)
{
    ir_value a = spirv_use_one(l, w[l->meaning->op ? 3 : 4], IR_I1), v[4];
    if (!a)
        return;
    ir_value set = state_op(l, IR_BALLOT, a);
    for (uint32_t c = 0; c < 4; c++)
        v[c] = spirv_ballot_word(l, set, c);
    spirv_result(l, v, 4);
}

static ir_value set_of(struct spirv_lifter *l, uint32_t id)
{
    const ir_value *a = spirv_use_n(l, id, 4, IR_I32);
    return a ? spirv_emit(l, IR_PACK64, IR_I64, 0, a, 2, 0) : 0;
}

static void result_bit(struct spirv_lifter *l, ir_value set, ir_value lane)
{
    ir_value bit = spirv_2(l, IR_AND, spirv_2(l, IR_SHR_U, set, lane), spirv_const(l, IR_I64, 1));
    ir_value v = spirv_2(l, IR_NE, bit, spirv_const(l, IR_I64, 0));
    spirv_result(l, &v, 1);
}

void spirv_lift_inverse_ballot(struct spirv_lifter *l, const uint32_t *w)
{
    ir_value set = set_of(l, w[4]);
    if (set)
        result_bit(l, set, ir_lane_id(&l->b));
}

void spirv_lift_ballot_bit(struct spirv_lifter *l, const uint32_t *w)
{
    ir_value set = set_of(l, w[4]), lane = set ? spirv_use_index(l, w[5]) : 0;
    if (lane)
        result_bit(l, set, lane);
}

void spirv_lift_ballot_count(struct spirv_lifter *l, const uint32_t *w)
{
    ir_value set = set_of(l, w[5]);
    if (!set)
        return;
    if (w[4] == SpvGroupOperationInclusiveScan)
        set = spirv_2(l, IR_AND, set, spirv_lane_set(l, SpvBuiltInSubgroupLeMask));
    else if (w[4] == SpvGroupOperationExclusiveScan)
        set = spirv_2(l, IR_AND, set, spirv_lane_set(l, SpvBuiltInSubgroupLtMask));
    else if (w[4] != SpvGroupOperationReduce)
        spirv_wrong(l, "this group operation is not executed");
    ir_value v = spirv_cvt(l, IR_LO32, IR_I32, spirv_1(l, IR_POPCOUNT, set));
    spirv_result(l, &v, 1);
}

void spirv_lift_ballot_find(struct spirv_lifter *l, const uint32_t *w)
{
    ir_value set = set_of(l, w[4]);
    if (!set)
        return;
    bool high = l->meaning->op;
    ir_value v = spirv_cvt(l, IR_LO32, IR_I32, spirv_1(l, high ? IR_CLZ : IR_CTZ, set));
    v = high ? spirv_2(l, IR_SUB, spirv_i32(l, 63), v) : v;
    spirv_result(l, &v, 1);
}
