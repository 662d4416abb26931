/* lift_reduce.c - sums, products, minima and the like over the lanes of a subgroup, of parts of it, and up to a lane.
 *
 * All of them are made of an inclusive scan in six steps: each lane takes what the lane 1, 2, 4 ... 32 before it has
 * gathered. Lanes that are not active, which may have left anything, count as the op's identity. Of a partition, whose
 * lanes may be anywhere, each lane knows the one before it, and goes back twice as far with each step. */
#include "isa/spirv/lift.h"

#include <math.h>

/* ---- identities ---- */

static ir_value identity(struct spirv_lifter *l, enum ir_opcode code, enum ir_type type)
{
    uint64_t sign = (uint64_t)1 << (ir_type_bits(type) - 1);
    switch (code) {
    case IR_FMUL:
        return spirv_float(l, type, 1);
    case IR_FMIN:
        return spirv_float(l, type, (double)INFINITY);
    case IR_FMAX:
        return spirv_float(l, type, -(double)INFINITY);
    case IR_MUL:
        return spirv_const(l, type, 1);
    case IR_AND:
    case IR_MIN_U:
        return spirv_const(l, type, UINT64_MAX);
    case IR_MIN_S:
        return spirv_const(l, type, sign - 1);
    case IR_MAX_S:
        return spirv_const(l, type, sign);
    default:
        return spirv_const(l, type, 0);
    }
}

/* ---- scans ---- */

struct reduction {
    struct spirv_lifter *l;
    enum ir_opcode code;
    ir_value lane, active; /* active: the set of all lanes that are */
    uint32_t size;         /* lanes of a cluster */
    ir_value previous;     /* of a partition: 1 + the lane before, 0: none; 0: it is not a partition */
    ir_value last;         /* the last lane of the lane's cluster or partition */
};

static ir_value is_active(const struct reduction *r)
{
    ir_value bit = spirv_2(r->l, IR_SHR_U, r->active, r->lane);
    ir_value one = spirv_const(r->l, IR_I64, 1);
    return spirv_2(r->l, IR_EQ, spirv_2(r->l, IR_AND, bit, one), one);
}

static ir_value below(struct spirv_lifter *l, ir_value one_more)
{
    return spirv_2(l, IR_SUB, one_more, spirv_i32(l, 1));
}

static ir_value scan_partition(const struct reduction *r, ir_value x)
{
    struct spirv_lifter *l = r->l;
    ir_value from = r->previous;
    for (uint32_t d = 1; d < SPIRV_LANES; d *= 2) {
        ir_value sum = spirv_2(l, r->code, spirv_of_lane(l, x, below(l, from)), x);
        x = spirv_select(l, spirv_2(l, IR_NE, from, spirv_i32(l, 0)), sum, x);
        from = spirv_of_lane(l, from, below(l, from)); /* 0 where there was none */
    }
    return x;
}

static ir_value scan(const struct reduction *r, ir_value x)
{
    struct spirv_lifter *l = r->l;
    if (r->previous)
        return scan_partition(r, x);
    ir_value place = spirv_2(l, IR_AND, r->lane, spirv_i32(l, r->size - 1));
    for (uint32_t d = 1; d < r->size; d *= 2) {
        ir_value sum = spirv_2(l, r->code, spirv_of_lane(l, x, spirv_2(l, IR_SUB, r->lane, spirv_i32(l, d))), x);
        x = spirv_select(l, spirv_2(l, IR_LE_U, spirv_i32(l, d), place), sum, x);
    }
    return x;
}

/* What the lane before has; the identity where there is none. */
static ir_value exclusive(const struct reduction *r, ir_value x, ir_value none)
{
    struct spirv_lifter *l = r->l;
    ir_value zero = spirv_i32(l, 0);
    ir_value one_more = r->previous ? r->previous : r->lane;
    ir_value first = r->previous ? r->previous : spirv_2(l, IR_AND, r->lane, spirv_i32(l, r->size - 1));
    return spirv_select(l, spirv_2(l, IR_EQ, first, zero), none, spirv_of_lane(l, x, below(l, one_more)));
}

static ir_value reduce(const struct reduction *r, ir_value a, uint32_t operation)
{
    struct spirv_lifter *l = r->l;
    enum ir_type type = ir_type_of(&l->b, a);
    ir_value none = identity(l, r->code, type);
    bool whole = operation == SpvGroupOperationReduce || operation == SpvGroupOperationClusteredReduce ||
                 operation == SpvGroupOperationPartitionedReduceNV;
    bool all = whole && !r->previous && r->size == SPIRV_LANES;
    if (all && type == IR_I32)
        return ir_emit(&l->b, IR_REDUCE, IR_I32, 0, 1, &a, 1, 0, r->code, 0);
    bool excludes =
        operation == SpvGroupOperationExclusiveScan || operation == SpvGroupOperationPartitionedExclusiveScanNV;
    /* A sum of nothing is 0, which would take the sign of sums of -0. */
    ir_value unused = r->code == IR_FADD && !excludes ? spirv_float(l, type, -0.0) : none;
    ir_value x = scan(r, spirv_select(l, is_active(r), a, unused));
    if (excludes)
        return exclusive(r, x, none);
    x = whole ? spirv_of_lane(l, x, r->last) : x;
    return all ? spirv_of_first(l, x, 0) : x; /* one for the warp */
}

/* ---- instructions ---- */

bool spirv_in_subgroup(struct spirv_lifter *l, uint32_t id)
{
    uint64_t scope;
    bool fine = spirv_constant(l, id, &scope) && scope == SpvScopeSubgroup;
    if (!fine)
        spirv_wrong(l, "lanes of a subgroup work together, those of a greater scope do not");
    return fine;
}

bool spirv_cluster(struct spirv_lifter *l, uint32_t id, uint64_t *size)
{
    if (!spirv_constant(l, id, size) || *size == 0 || (*size & (*size - 1)) != 0) {
        spirv_wrong(l, "the size of a cluster is not a constant power of two");
        return false;
    }
    *size = *size > SPIRV_LANES ? SPIRV_LANES : *size;
    return true;
}

static bool take_partition(struct reduction *r, uint32_t id)
{
    struct spirv_lifter *l = r->l;
    const ir_value *set = spirv_use_n(l, id, 4, IR_I32);
    if (!set)
        return false;
    ir_value mine = spirv_2(l, IR_AND, spirv_emit(l, IR_PACK64, IR_I64, 0, set, 2, 0), r->active);
    ir_value before = spirv_2(l, IR_AND, mine, spirv_lane_set(l, SpvBuiltInSubgroupLtMask));
    ir_value zeros = spirv_cvt(l, IR_LO32, IR_I32, spirv_1(l, IR_CLZ, before));
    r->previous = spirv_2(l, IR_SUB, spirv_i32(l, 64), zeros);
    r->last = spirv_2(l, IR_SUB, spirv_i32(l, 63), spirv_cvt(l, IR_LO32, IR_I32, spirv_1(l, IR_CLZ, mine)));
    return true;
}

/* How the lanes are parted. */
static bool take_operation(struct reduction *r, const uint32_t *w, unsigned n)
{
    struct spirv_lifter *l = r->l;
    uint64_t size = SPIRV_LANES;
    bool clustered = w[4] == SpvGroupOperationClusteredReduce, partitioned;
    partitioned = w[4] >= SpvGroupOperationPartitionedReduceNV && w[4] <= SpvGroupOperationPartitionedExclusiveScanNV;
    if ((clustered || partitioned) && n < 7) {
        spirv_wrong(l, "the size of its clusters or its partition is missing");
        return false;
    }
    if (clustered && !spirv_cluster(l, w[6], &size))
        return false;
    r->size = (uint32_t)size;
    r->last = spirv_2(l, IR_OR, r->lane, spirv_i32(l, r->size - 1));
    return !partitioned || take_partition(r, w[6]);
}

static bool takes(enum ir_opcode code, enum ir_type type)
{
    if (type == IR_I1)
        return code == IR_AND || code == IR_OR || code == IR_XOR;
    return (type >= IR_F16) == (code >= IR_FADD && code <= IR_FMAX);
}

void spirv_lift_group_reduce(struct spirv_lifter *l, const uint32_t *w)
{
    uint32_t count;
    const ir_value *a = spirv_use_alike(l, w[5], &count);
    ir_value *v = a ? spirv_room(l, count) : NULL;
    ir_value yes = spirv_const(l, IR_I1, 1);
    if (!v)
        return;
    struct reduction r = {.l = l, .code = (enum ir_opcode)l->meaning->op};
    if (!takes(r.code, ir_type_of(&l->b, a[0]))) {
        spirv_wrong(l, "its operand is of a type that it does not take");
        return;
    }
    if (!spirv_in_subgroup(l, w[3]))
        return;
    r.lane = ir_lane_id(&l->b);
    r.active = ir_emit(&l->b, IR_BALLOT, IR_VOID, 0, 1, &yes, 1, 0, 0, 0);
    if (!take_operation(&r, w, l->nw))
        return;
    for (uint32_t i = 0; i < count; i++)
        v[i] = reduce(&r, a[i], w[4]);
    spirv_result(l, v, count);
}

/* The lanes that have the same value: each lane's is compared with all. Numbers compare as numbers. */
void spirv_lift_partition(struct spirv_lifter *l, const uint32_t *w)
{
    uint32_t count;
    const ir_value *a = spirv_use(l, w[3], &count);
    ir_value set = spirv_const(l, IR_I64, 0), yes = spirv_const(l, IR_I1, 1), v[4];
    if (!a)
        return;
    for (uint32_t lane = 0; lane < SPIRV_LANES; lane++) {
        ir_value all = yes;
        for (uint32_t i = 0; i < count; i++) {
            enum ir_type type = ir_type_of(&l->b, a[i]);
            ir_value x = type == IR_I1 ? spirv_cvt(l, IR_SEXT, IR_I32, a[i]) : a[i];
            ir_value same = spirv_2(l, type >= IR_F16 ? IR_FEQ : IR_EQ, x, spirv_of_lane(l, x, spirv_i32(l, lane)));
            all = spirv_2(l, IR_AND, all, same);
        }
        ir_value bit = spirv_const(l, IR_I64, (uint64_t)1 << lane);
        set = spirv_2(l, IR_OR, set, spirv_select(l, all, bit, spirv_const(l, IR_I64, 0)));
    }
    set = spirv_2(l, IR_AND, set, ir_emit(&l->b, IR_BALLOT, IR_VOID, 0, 1, &yes, 1, 0, 0, 0));
    for (uint32_t c = 0; c < 4; c++)
        v[c] = spirv_ballot_word(l, set, c);
    spirv_result(l, v, 4);
}
