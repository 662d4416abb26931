/* lift_vdata.c - chapter "Vector data operations", as silicon does them (docs/fidelity.md). */
#include "isa/vpu/lift_vector.h"

/* An operation in one repetition. A and B are sign-extended to 32 bits from the width of the operation; of its result
 * the low `bits` count. */
struct vpu_vdata {
    const struct vpu_turn *t;
    const struct vpu_operand *d;
    const struct vpu_op_row *row;
    unsigned bits;
    ir_value a, b;
    ir_value carry; /* what SETF makes of C; 0: C stays */
};

static uint32_t mask_of(const struct vpu_vdata *v)
{
    return v->bits == 32 ? UINT32_MAX : 0xffff;
}

static ir_value unsigned_of(struct vpu_lifter *l, const struct vpu_vdata *v, ir_value x)
{
    return v->bits == 32 ? x : vpu_op2c(l, IR_AND, x, 0xffff);
}

static ir_value word_of_bit(struct vpu_lifter *l, ir_value bit)
{
    return vpu_op2c(l, IR_AND, ir_cvt(&l->b, IR_SEXT, IR_I32, 0, bit), 1);
}

/* ---- exact results, and clamping them to what D holds ---- */

/* i32 holds every exact result of 16 bits, i64 of 32. */
static ir_value widen(struct vpu_lifter *l, const struct vpu_vdata *v, ir_value x)
{
    return v->bits == 32 ? ir_cvt(&l->b, IR_SEXT, IR_I64, 0, x) : x;
}

static ir_value wide_const(struct vpu_lifter *l, const struct vpu_vdata *v, int64_t x)
{
    return ir_const(&l->b, v->bits == 32 ? IR_I64 : IR_I32, (uint64_t)x);
}

static ir_value narrow(struct vpu_lifter *l, ir_value wide)
{
    return ir_type_of(&l->b, wide) == IR_I64 ? ir_cvt(&l->b, IR_LO32, IR_I32, 0, wide) : wide;
}

/* To 0..255 for bytes, else signed; C says whether it was. */
static ir_value saturate(struct vpu_lifter *l, struct vpu_vdata *v, ir_value wide)
{
    bool byte = v->d->kind == VPU_VREG && v->d->width == VPU_8;
    unsigned bits = v->d->kind == VPU_VREG && v->d->width == VPU_16 ? 16 : v->bits;
    int64_t most = byte ? 255 : ((int64_t)1 << (bits - 1)) - 1, least = byte ? 0 : -most - 1;
    enum ir_type type = ir_type_of(&l->b, wide);
    ir_value held = vpu_op2(l, IR_MIN_S, wide, ir_const(&l->b, type, (uint64_t)most));
    held = vpu_op2(l, IR_MAX_S, held, ir_const(&l->b, type, (uint64_t)least));
    if (v->t->i->setf)
        v->carry = vpu_op2(l, IR_NE, held, wide);
    return narrow(l, held);
}

/* ---- moves ---- */

ir_value vpu_vdata_move(struct vpu_lifter *l, struct vpu_vdata *v)
{
    (void)l;
    return v->b;
}

static ir_value shuffle(struct vpu_lifter *l, struct vpu_vdata *v, ir_value x, ir_value lane)
{
    /* A value that is the same in all lanes is still asked lane by lane. */
    if (l->b.p->value_uniform[x])
        x = vpu_op2(l, IR_OR, x, vpu_op2c(l, IR_AND, v->t->lane, 0));
    return vpu_op2(l, IR_SHUFFLE, x, lane);
}

/* Lane i, bit j is bit i of lane j. A matrix is transposed by halves: blocks of n by n change places across its
 * diagonal, for n of 8, 4, 2 and 1. */
ir_value vpu_vdata_bitplanes(struct vpu_lifter *l, struct vpu_vdata *v)
{
    static const uint16_t low[] = {0x5555, 0x3333, 0x0f0f, 0x00ff}; /* bits whose number has not bit k */
    ir_value x = vpu_op2c(l, IR_AND, v->b, 0xffff);
    for (unsigned k = 4; k-- > 0;) {
        unsigned n = 1u << k;
        ir_value lower = vpu_op2c(l, IR_AND, v->t->lane, n); /* 0, and n in the lower rows of blocks */
        ir_value other = shuffle(l, v, x, vpu_op2c(l, IR_XOR, v->t->lane, n));
        ir_value moved = vpu_op2(l, IR_SHR_U, vpu_op2c(l, IR_SHL, other, n), vpu_op2c(l, IR_SHL, lower, 1));
        ir_value stays = vpu_op2(l, IR_SHL, vpu_const(l, low[k]), lower);
        x = vpu_op2(l, IR_XOR, moved, vpu_op2(l, IR_AND, vpu_op2(l, IR_XOR, x, moved), stays));
    }
    return vpu_op2c(l, IR_AND, x, 0xffff);
}

/* even, odd: A fills lanes 0 to 7, B the others. */
ir_value vpu_vdata_pluck(struct vpu_lifter *l, struct vpu_vdata *v)
{
    ir_value from = vpu_op2c(l, IR_AND, vpu_op2c(l, IR_SHL, v->t->lane, 1), 15);
    if (v->row->attr)
        from = vpu_op2c(l, IR_OR, from, 1);
    ir_value low = vpu_op2c(l, IR_LT_U, v->t->lane, 8);
    return ir_select(&l->b, low, shuffle(l, v, v->a, from), shuffle(l, v, v->b, from));
}

/* interl, interh: A and B in turn. */
ir_value vpu_vdata_interleave(struct vpu_lifter *l, struct vpu_vdata *v)
{
    ir_value from = vpu_op2c(l, IR_SHR_U, v->t->lane, 1);
    if (v->row->attr)
        from = vpu_op2c(l, IR_ADD, from, v->row->attr);
    ir_value odd = vpu_op2c(l, IR_NE, vpu_op2c(l, IR_AND, v->t->lane, 1), 0);
    return ir_select(&l->b, odd, shuffle(l, v, v->b, from), shuffle(l, v, v->a, from));
}

/* ---- bits and shifts: counts are taken modulo the width, but for those with a sign ---- */

static ir_value count_of(struct vpu_lifter *l, const struct vpu_vdata *v)
{
    return vpu_op2c(l, IR_AND, v->b, v->bits - 1);
}

/* Bit n of A, n modulo the width. */
static ir_value bit_of_a(struct vpu_lifter *l, const struct vpu_vdata *v, ir_value n)
{
    ir_value at = vpu_op2c(l, IR_AND, n, v->bits - 1);
    return vpu_op2c(l, IR_NE, vpu_op2c(l, IR_AND, vpu_op2(l, IR_SHR_U, v->a, at), 1), 0);
}

ir_value vpu_vdata_bitrev(struct vpu_lifter *l, struct vpu_vdata *v)
{
    ir_value reversed = vpu_op2c(l, IR_SHR_U, vpu_op1(l, IR_BITREV, v->a), 32 - v->bits);
    ir_value away = vpu_op2c(l, IR_AND, vpu_op1(l, IR_NEG, v->b), v->bits - 1);
    return vpu_op2(l, IR_SHR_U, reversed, away);
}

ir_value vpu_vdata_shift_left(struct vpu_lifter *l, struct vpu_vdata *v)
{
    if (v->t->i->setf)
        v->carry = bit_of_a(l, v, vpu_op1(l, IR_NEG, count_of(l, v)));
    return vpu_op2(l, IR_SHL, v->a, count_of(l, v));
}

/* ror, lsr, asr */
ir_value vpu_vdata_shift_right(struct vpu_lifter *l, struct vpu_vdata *v)
{
    ir_value n = count_of(l, v), a = unsigned_of(l, v, v->a);
    if (v->t->i->setf)
        v->carry = bit_of_a(l, v, vpu_op2c(l, IR_SUB, n, 1));
    if (v->row->ir)
        return vpu_op2(l, (enum ir_opcode)v->row->ir, v->row->ir == IR_SHR_S ? v->a : a, n);
    if (v->bits == 16)
        return vpu_op2(l, IR_SHR_U, vpu_op2(l, IR_OR, a, vpu_op2c(l, IR_SHL, a, 16)), n);
    return vpu_op2(l, IR_OR, vpu_op2(l, IR_SHR_U, a, n), vpu_op2(l, IR_SHL, a, vpu_op1(l, IR_NEG, n)));
}

/* A shifted left in 64 bits by at most 31. */
static ir_value shifted_wide(struct vpu_lifter *l, struct vpu_vdata *v, ir_value n)
{
    return vpu_op2(l, IR_SHL, ir_cvt(&l->b, IR_SEXT, IR_I64, 0, v->a), n);
}

ir_value vpu_vdata_shift_left_saturated(struct vpu_lifter *l, struct vpu_vdata *v)
{
    return saturate(l, v, shifted_wide(l, v, count_of(l, v)));
}

/* C of a shift by a signed count: the last bit that leaves A. To the right it is A's sign, or nothing, past the width.
 * To the left only the logical shift has it, and the saturating one does not say whether it was held. */
static ir_value carry_of_signed_shift(struct vpu_lifter *l, struct vpu_vdata *v, ir_value negative)
{
    bool arithmetic = (v->row->attr & VPU_ARITHMETIC) != 0;
    ir_value n = v->b, before = vpu_op1(l, IR_NOT, n), none = vpu_const(l, 0); /* -n - 1 */
    ir_value right = vpu_op2(l, IR_SHR_S, v->a, vpu_op2(l, IR_MIN_U, before, vpu_const(l, 31))), left = none;
    if (!arithmetic) {
        ir_value from_top = vpu_op2(l, IR_SUB, vpu_const(l, v->bits), n);
        right = ir_select(&l->b, vpu_op2c(l, IR_LT_U, before, v->bits), right, none);
        left = vpu_op2(l, IR_SHR_U, v->a, from_top);
        left = ir_select(&l->b, vpu_op2c(l, IR_LT_U, vpu_op2c(l, IR_SUB, n, 1), v->bits - 1), left, none);
    }
    return vpu_op2c(l, IR_NE, vpu_op2c(l, IR_AND, ir_select(&l->b, negative, right, left), 1), 0);
}

/* signshl, signasl, signasls: to the right by negative counts. A count past the width shifts everything out. */
ir_value vpu_vdata_shift_signed(struct vpu_lifter *l, struct vpu_vdata *v)
{
    bool arithmetic = (v->row->attr & VPU_ARITHMETIC) != 0;
    ir_value n = v->b, right = vpu_op1(l, IR_NEG, n), last = vpu_const(l, 31), none = vpu_const(l, 0);
    ir_value left_count = vpu_op2(l, IR_MIN_U, n, last), right_count = vpu_op2(l, IR_MIN_U, right, last);
    ir_value negative = vpu_op2c(l, IR_LT_S, n, 0);
    ir_value away = arithmetic ? vpu_op2(l, IR_SHR_S, v->a, right_count)
                               : ir_select(&l->b, vpu_op2c(l, IR_LT_U, right, v->bits),
                                           vpu_op2(l, IR_SHR_U, unsigned_of(l, v, v->a), right_count), none);
    ir_value result;
    if (v->row->attr & VPU_SATURATES) {
        ir_value wide = ir_cvt(&l->b, IR_SEXT, IR_I64, 0, away);
        result = saturate(l, v, ir_select(&l->b, negative, wide, shifted_wide(l, v, left_count)));
    } else {
        ir_value left = vpu_op2(l, IR_SHL, v->a, left_count);
        left = ir_select(&l->b, vpu_op2c(l, IR_LT_U, n, v->bits), left, none);
        result = ir_select(&l->b, negative, away, left);
    }
    if (v->t->i->setf)
        v->carry = carry_of_signed_shift(l, v, negative);
    return result;
}

ir_value vpu_vdata_logic(struct vpu_lifter *l, struct vpu_vdata *v)
{
    ir_value b = v->row->attr & VPU_INVERTS ? vpu_op1(l, IR_NOT, v->b) : v->b;
    return vpu_op2(l, (enum ir_opcode)v->row->ir, v->a, b);
}

ir_value vpu_vdata_count_bits(struct vpu_lifter *l, struct vpu_vdata *v)
{
    ir_value a = vpu_op1(l, IR_POPCOUNT, unsigned_of(l, v, v->a)), b = vpu_op1(l, IR_POPCOUNT, unsigned_of(l, v, v->b));
    return vpu_op2(l, IR_ADD, a, b);
}

ir_value vpu_vdata_highest_bit(struct vpu_lifter *l, struct vpu_vdata *v)
{
    ir_value both = unsigned_of(l, v, vpu_op2(l, IR_OR, v->a, v->b));
    return vpu_op2(l, IR_SUB, vpu_const(l, 31), vpu_op1(l, IR_CLZ, both));
}

/* ---- comparisons ---- */

ir_value vpu_vdata_least_or_most(struct vpu_lifter *l, struct vpu_vdata *v)
{
    bool least = v->row->ir == IR_MIN_S;
    if (v->t->i->setf)
        v->carry = least ? vpu_op2(l, IR_LT_S, v->b, v->a) : vpu_op2(l, IR_LT_S, v->a, v->b);
    return vpu_op2(l, (enum ir_opcode)v->row->ir, v->a, v->b);
}

ir_value vpu_vdata_distance(struct vpu_lifter *l, struct vpu_vdata *v)
{
    ir_value less = vpu_op2(l, IR_LT_S, v->a, v->b), a = v->a, b = v->b;
    bool saturates = (v->row->attr & VPU_SATURATES) != 0;
    if (saturates) {
        a = widen(l, v, a);
        b = widen(l, v, b);
    }
    ir_value d = ir_select(&l->b, less, vpu_op2(l, IR_SUB, b, a), vpu_op2(l, IR_SUB, a, b));
    return saturates ? saturate(l, v, d) : d;
}

ir_value vpu_vdata_clip(struct vpu_lifter *l, struct vpu_vdata *v)
{
    return vpu_op2c(l, IR_MAX_S, vpu_op2(l, IR_MIN_S, v->a, v->b), 0);
}

ir_value vpu_vdata_sign(struct vpu_lifter *l, struct vpu_vdata *v)
{
    ir_value one = vpu_op2c(l, IR_MIN_S, v->a, 1);
    return vpu_op2(l, IR_ADD, v->b, vpu_op2c(l, IR_MAX_S, one, UINT32_MAX));
}

ir_value vpu_vdata_sign_product(struct vpu_lifter *l, struct vpu_vdata *v)
{
    return ir_select(&l->b, vpu_op2c(l, IR_LT_S, v->a, 0), vpu_op1(l, IR_NEG, v->b), v->b);
}

ir_value vpu_vdata_test_magnitude(struct vpu_lifter *l, struct vpu_vdata *v)
{
    return word_of_bit(l, vpu_op2(l, IR_LE_S, v->b, vpu_op1(l, IR_ABS, v->a)));
}

/* ---- sums ---- */

/* The carry of x + y + in, or the borrow of x - y - in: whether the result, or x, came out too small. */
static ir_value carry_of(struct vpu_lifter *l, const struct vpu_vdata *v, bool subtracts, ir_value x, ir_value y,
                         ir_value result)
{
    ir_value small = unsigned_of(l, v, subtracts ? x : result), large = unsigned_of(l, v, subtracts ? y : x);
    ir_value less = vpu_op2(l, IR_LT_U, small, large);
    if (!(v->row->attr & VPU_CARRIES))
        return less;
    ir_value in = ir_get(&l->b, VPU_FILE_C, 0, IR_I1);
    return vpu_op2(l, IR_OR, less, vpu_op2(l, IR_AND, in, vpu_op2(l, IR_EQ, small, large)));
}

/* add, sub, rsub. C is the carry or borrow of the unsigned sum, or whether it was held. */
ir_value vpu_vdata_sum(struct vpu_lifter *l, struct vpu_vdata *v)
{
    enum ir_opcode code = (enum ir_opcode)v->row->ir;
    unsigned how = v->row->attr;
    ir_value x = how & VPU_REVERSES ? v->b : v->a, y = how & VPU_REVERSES ? v->a : v->b;
    ir_value in = how & VPU_CARRIES ? word_of_bit(l, ir_get(&l->b, VPU_FILE_C, 0, IR_I1)) : 0;
    if (how & VPU_SATURATES) {
        ir_value wide = vpu_op2(l, code, widen(l, v, x), widen(l, v, y));
        return saturate(l, v, in ? vpu_op2(l, code, wide, widen(l, v, in)) : wide);
    }
    ir_value result = vpu_op2(l, code, x, y);
    if (in)
        result = vpu_op2(l, code, result, in);
    if (v->t->i->setf)
        v->carry = carry_of(l, v, code == IR_SUB, x, y, result);
    return result;
}

/* ---- products ---- */

/* The exact product, in i32 of 16-bit factors and i64 of 32-bit ones. */
static ir_value product(struct vpu_lifter *l, struct vpu_vdata *v, enum vpu_variant how)
{
    ir_value a = v->a, b = v->b;
    if (v->bits == 16) {
        a = how >= VPU_US ? vpu_op2c(l, IR_AND, a, 0xffff) : a;
        b = how & 1 ? vpu_op2c(l, IR_AND, b, 0xffff) : b;
    } else {
        a = ir_cvt(&l->b, how >= VPU_US ? IR_ZEXT : IR_SEXT, IR_I64, 0, a);
        b = ir_cvt(&l->b, how & 1 ? IR_ZEXT : IR_SEXT, IR_I64, 0, b);
    }
    return vpu_op2(l, IR_MUL, a, b);
}

/* C stays, but for vmulls. */
ir_value vpu_vdata_multiply(struct vpu_lifter *l, struct vpu_vdata *v)
{
    enum vpu_variant how = (enum vpu_variant)(v->row->attr & VPU_SIGNS);
    ir_value p = product(l, v, how);
    switch (v->row->ir) {
    case VPU_MUL_MIDDLE:
        p = vpu_op2c(l, IR_SHR_S, p, 8);
        p = v->row->attr & VPU_SATURATES ? saturate(l, v, p) : narrow(l, p);
        v->carry = 0;
        return p;
    case VPU_MUL_LOW:
        return v->row->attr & VPU_SATURATES ? saturate(l, v, p) : narrow(l, p);
    case VPU_MUL_NEAREST:
        p = vpu_op2(l, IR_ADD, p, wide_const(l, v, (int64_t)1 << (v->bits - 1)));
        break;
    case VPU_MUL_TOWARDS_ZERO: {
        ir_value low = vpu_op2(l, IR_AND, vpu_op2c(l, IR_SHR_S, p, 2 * v->bits - 1), wide_const(l, v, mask_of(v)));
        p = vpu_op2(l, IR_ADD, p, low);
        break;
    }
    default:
        break;
    }
    return narrow(l, vpu_op2c(l, how == VPU_UU ? IR_SHR_U : IR_SHR_S, p, v->bits));
}

/* vmul32: factors of 16 bits, all of the product. */
ir_value vpu_vdata_multiply_halves(struct vpu_lifter *l, struct vpu_vdata *v)
{
    enum vpu_variant how = (enum vpu_variant)(v->row->attr & VPU_SIGNS);
    ir_value a = how >= VPU_US ? vpu_op2c(l, IR_AND, v->a, 0xffff) : vpu_narrow(l, v->a, 16);
    ir_value b = how & 1 ? vpu_op2c(l, IR_AND, v->b, 0xffff) : vpu_narrow(l, v->b, 16);
    return vpu_op2(l, IR_MUL, a, b);
}

/* Most multiplications work at the widest register that they read. */
static unsigned width_of(const struct vpu_insn *i)
{
    const struct vpu_operand *read[] = {&i->va, &i->vb};
    if (!(vpu_ops[i->op].uses & VPU_WIDTH_NAMED))
        return i->x == VPU_32 ? 32 : 16;
    for (unsigned k = 0; k < 2; k++)
        if (read[k]->kind == VPU_VREG && read[k]->width == VPU_32)
            return 32;
    return 16;
}

/* Bytes and halves fit 16 bits as they are read. */
static ir_value cut(struct vpu_lifter *l, const struct vpu_operand *o, ir_value x, unsigned bits)
{
    bool fits = o->kind == VPU_DASH || (o->kind == VPU_VREG && o->width != VPU_32);
    return fits ? x : vpu_narrow(l, x, bits);
}

static void set_flags(struct vpu_lifter *l, const struct vpu_vdata *v, ir_value result)
{
    ir_set(&l->b, VPU_FILE_Z, 0, vpu_op2c(l, IR_EQ, result, 0), v->t->on);
    ir_set(&l->b, VPU_FILE_N, 0, vpu_op2c(l, IR_LT_S, result, 0), v->t->on);
    if (v->carry)
        ir_set(&l->b, VPU_FILE_C, 0, v->carry, v->t->on);
}

void vpu_turn_data(struct vpu_lifter *l, const struct vpu_turn *t)
{
    const struct vpu_insn *i = t->i;
    const struct vpu_op_row *row = &vpu_ops[i->op];
    struct vpu_vdata v = {.t = t, .d = &i->vd, .row = row, .bits = width_of(i)};
    bool zeros = vpu_writes_zeros(i);
    if (!zeros && row->uses & VPU_A_READ)
        v.a = cut(l, &i->va, vpu_vread(l, t, &i->va), v.bits);
    if (!zeros && row->uses & VPU_B_READ)
        v.b = cut(l, &i->vb, vpu_vread_b(l, t), v.bits);
    ir_value result = zeros ? vpu_const(l, 0) : row->meaning(l, &v);
    if (i->setf || (i->vd.kind == VPU_VREG && i->vd.width == VPU_32))
        result = vpu_narrow(l, result, v.bits);
    if (i->setf)
        set_flags(l, &v, result);
    vpu_finish(l, t, result, v.bits);
}
