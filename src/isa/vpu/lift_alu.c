/* lift_alu.c - chapter "Arithmetic and Logical Operations". */
#include "isa/vpu/lift.h"

static const struct vpu_op_row *row_of(const struct vpu_insn *i)
{
    return &vpu_ops[i->op];
}

void vpu_lift_move(struct vpu_lifter *l, const struct vpu_insn *i)
{
    vpu_result(l, i, vpu_right(l, i));
}

/* d = a op b, b op a, a op ~b; shift counts are taken modulo 32 by lane IR too. */
void vpu_lift_two(struct vpu_lifter *l, const struct vpu_insn *i)
{
    unsigned how = row_of(i)->attr;
    ir_value b = vpu_right(l, i), a = vpu_left(l, i);
    if (how & VPU_INVERTS)
        b = vpu_op1(l, IR_NOT, b);
    vpu_result(l, i, vpu_op2(l, (enum ir_opcode)row_of(i)->ir, how & VPU_REVERSES ? b : a, how & VPU_REVERSES ? a : b));
}

/* d = op b */
void vpu_lift_one(struct vpu_lifter *l, const struct vpu_insn *i)
{
    vpu_result(l, i, vpu_op1(l, (enum ir_opcode)row_of(i)->ir, vpu_right(l, i)));
}

void vpu_lift_ror(struct vpu_lifter *l, const struct vpu_insn *i)
{
    ir_value a = vpu_left(l, i), n = vpu_right(l, i);
    ir_value low = vpu_op2(l, IR_SHR_U, a, n), high = vpu_op2(l, IR_SHL, a, vpu_op1(l, IR_NEG, n));
    vpu_result(l, i, vpu_op2(l, IR_OR, low, high));
}

/* ---- compares ---- */

void vpu_lift_cmp(struct vpu_lifter *l, const struct vpu_insn *i)
{
    vpu_set_flags(l, i, vpu_left(l, i), vpu_right(l, i));
}

/* C is the carry of a + b; no comparison leaves such flags. */
void vpu_lift_cmn(struct vpu_lifter *l, const struct vpu_insn *i)
{
    ir_value a = vpu_left(l, i), b = vpu_right(l, i), sum = vpu_op2(l, IR_ADD, a, b);
    ir_value over = vpu_op2(l, IR_AND, vpu_op2(l, IR_XOR, a, sum), vpu_op2(l, IR_XOR, b, sum));
    ir_value bits = vpu_op2c(l, IR_SHR_U, over, 31);
    ir_value carry = vpu_op2(l, IR_LT_U, sum, a), zero = vpu_op2c(l, IR_EQ, sum, 0);
    bits = vpu_op2(l, IR_OR, bits, vpu_op2c(l, IR_AND, ir_cvt(&l->b, IR_SEXT, IR_I32, 0, carry), VPU_C));
    bits = vpu_op2(l, IR_OR, bits, vpu_op2c(l, IR_AND, vpu_op2c(l, IR_SHR_U, sum, 29), VPU_N));
    bits = vpu_op2(l, IR_OR, bits, vpu_op2c(l, IR_AND, ir_cvt(&l->b, IR_SEXT, IR_I32, 0, zero), VPU_Z));
    vpu_set_flag_bits(l, i, bits);
}

/* Z: the bit is clear. As after a comparison of the masked value with 0. */
void vpu_lift_btest(struct vpu_lifter *l, const struct vpu_insn *i)
{
    ir_value bit = vpu_op2(l, IR_SHL, vpu_const(l, 1), vpu_right(l, i));
    vpu_set_flags(l, i, vpu_op2(l, IR_AND, vpu_left(l, i), bit), vpu_const(l, 0));
}

/* ---- bits ---- */

void vpu_lift_bmask(struct vpu_lifter *l, const struct vpu_insn *i)
{
    ir_value mask;
    if (i->flags & VPU_IMMEDIATE)
        mask = vpu_const(l, ((uint32_t)1 << (i->imm & 31)) - 1);
    else
        mask = vpu_op2c(l, IR_SUB, vpu_op2(l, IR_SHL, vpu_const(l, 1), vpu_right(l, i)), 1);
    vpu_result(l, i, vpu_op2(l, IR_AND, vpu_left(l, i), mask));
}

/* bitset, bitclear, bitflip: OR, AND with the complement, XOR. */
void vpu_lift_bit(struct vpu_lifter *l, const struct vpu_insn *i)
{
    enum ir_opcode code = (enum ir_opcode)row_of(i)->ir;
    ir_value bit = vpu_op2(l, IR_SHL, vpu_const(l, 1), vpu_right(l, i));
    vpu_result(l, i, vpu_op2(l, code, vpu_left(l, i), code == IR_AND ? vpu_op1(l, IR_NOT, bit) : bit));
}

/* The count is taken modulo 32, so that 32 - b is -b. */
void vpu_lift_brev(struct vpu_lifter *l, const struct vpu_insn *i)
{
    ir_value reversed = vpu_op1(l, IR_BITREV, vpu_left(l, i));
    vpu_result(l, i, vpu_op2(l, IR_SHR_U, reversed, vpu_op1(l, IR_NEG, vpu_right(l, i))));
}

/* addscale, subscale */
void vpu_lift_scaled(struct vpu_lifter *l, const struct vpu_insn *i)
{
    ir_value b;
    if (i->flags & VPU_IMMEDIATE)
        b = vpu_const(l, (uint32_t)i->imm << row_of(i)->shift);
    else
        b = vpu_op2c(l, IR_SHL, vpu_right(l, i), row_of(i)->shift);
    vpu_result(l, i, vpu_op2(l, (enum ir_opcode)row_of(i)->ir, vpu_left(l, i), b));
}

/* b is the width; a width of 0 leaves nothing. */
void vpu_lift_signext(struct vpu_lifter *l, const struct vpu_insn *i)
{
    ir_value a = vpu_left(l, i), n = vpu_right(l, i), shift = vpu_op1(l, IR_NEG, n);
    ir_value v = vpu_op2(l, IR_SHR_S, vpu_op2(l, IR_SHL, a, shift), shift);
    if (i->flags & VPU_IMMEDIATE) {
        vpu_result(l, i, (i->imm & 31) == 0 ? vpu_const(l, 0) : v);
        return;
    }
    ir_value none = vpu_op2c(l, IR_EQ, vpu_op2c(l, IR_AND, n, 31), 0);
    vpu_result(l, i, ir_select(&l->b, none, vpu_const(l, 0), v));
}

void vpu_lift_msb(struct vpu_lifter *l, const struct vpu_insn *i)
{
    vpu_result(l, i, vpu_op2(l, IR_SUB, vpu_const(l, 31), vpu_op1(l, IR_CLZ, vpu_right(l, i))));
}

/* ---- multiplication and division ---- */

/* mulhd.su and .us: the unsigned product, less the unsigned factor where the signed one (.su: a, .us: b) is
 * negative. */
void vpu_lift_mulhd_mixed(struct vpu_lifter *l, const struct vpu_insn *i)
{
    ir_value a = vpu_left(l, i), b = vpu_right(l, i), high = vpu_op2(l, IR_MULHI_U, a, b);
    bool swapped = row_of(i)->attr != 0;
    ir_value is_signed = swapped ? b : a, other = swapped ? a : b;
    ir_value less = vpu_op2(l, IR_AND, vpu_op2c(l, IR_SHR_S, is_signed, 31), other);
    vpu_result(l, i, vpu_op2(l, IR_SUB, high, less));
}

static void raise_division(struct vpu_lifter *l, const struct vpu_insn *i, ir_value b)
{
    if ((i->flags & VPU_IMMEDIATE) && i->imm != 0)
        return;
    vpu_raise_when(l, vpu_op2c(l, IR_EQ, b, 0), vpu_condition(l, i->cond), VPU_EXCEPTION_DIVISION);
}

void vpu_lift_div(struct vpu_lifter *l, const struct vpu_insn *i)
{
    ir_value a = vpu_left(l, i), b = vpu_right(l, i);
    raise_division(l, i, b);
    vpu_result(l, i, vpu_op2(l, (enum ir_opcode)row_of(i)->ir, a, b));
}

/* div.su and .us, in 64 bits. */
void vpu_lift_div_mixed(struct vpu_lifter *l, const struct vpu_insn *i)
{
    ir_value a = vpu_left(l, i), b = vpu_right(l, i);
    bool swapped = row_of(i)->attr != 0;
    raise_division(l, i, b);
    ir_value x = ir_cvt(&l->b, swapped ? IR_ZEXT : IR_SEXT, IR_I64, 0, a);
    ir_value y = ir_cvt(&l->b, swapped ? IR_SEXT : IR_ZEXT, IR_I64, 0, b);
    vpu_result(l, i, ir_cvt(&l->b, IR_LO32, IR_I32, 0, vpu_op2(l, IR_DIV_S, x, y)));
}

/* ---- saturation ---- */

void vpu_lift_saturate(struct vpu_lifter *l, const struct vpu_insn *i)
{
    vpu_result(l, i, ir_op2(&l->b, (enum ir_opcode)row_of(i)->ir, IR_SAT, vpu_left(l, i), vpu_right(l, i)));
}

void vpu_lift_shls(struct vpu_lifter *l, const struct vpu_insn *i)
{
    ir_value wide = ir_cvt(&l->b, IR_SEXT, IR_I64, 0, vpu_left(l, i));
    wide = vpu_op2(l, IR_SHL, wide, vpu_op2c(l, IR_AND, vpu_right(l, i), 31));
    wide = vpu_op2(l, IR_MIN_S, wide, ir_const(&l->b, IR_I64, INT32_MAX));
    wide = vpu_op2(l, IR_MAX_S, wide, ir_const(&l->b, IR_I64, (uint64_t)(int64_t)INT32_MIN));
    vpu_result(l, i, ir_cvt(&l->b, IR_LO32, IR_I32, 0, wide));
}

void vpu_lift_clamp16(struct vpu_lifter *l, const struct vpu_insn *i)
{
    ir_value v = vpu_op2c(l, IR_MIN_S, vpu_right(l, i), INT16_MAX);
    vpu_result(l, i, vpu_op2c(l, IR_MAX_S, v, (uint32_t)INT16_MIN));
}
