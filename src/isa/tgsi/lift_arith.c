/* lift_arith.c - arithmetic that is more than one op (document: "Core ISA", "Compute ISA", "Integer ISA", "Double
 * ISA").
 *
 * The functions take elements of any width: MAD and DMAD are one. */
#include "isa/tgsi/lift.h"

static ir_value number_like(struct tgsi_lifter *l, ir_value like, double value)
{
    return tgsi_lift_number(l, ir_type_of(&l->b, like), value);
}

/* Two roundings: FMA is the one with one. */
ir_value tgsi_element_mad(struct tgsi_lifter *l, const ir_value *a)
{
    return ir_op2(&l->b, IR_FADD, 0, ir_op2(&l->b, IR_FMUL, 0, a[0], a[1]), a[2]);
}

ir_value tgsi_element_lrp(struct tgsi_lifter *l, const ir_value *a)
{
    ir_value rest = ir_op2(&l->b, IR_FSUB, 0, number_like(l, a[0], 1), a[0]);
    return ir_op2(&l->b, IR_FADD, 0, ir_op2(&l->b, IR_FMUL, 0, a[0], a[1]), ir_op2(&l->b, IR_FMUL, 0, rest, a[2]));
}

ir_value tgsi_element_frac(struct tgsi_lifter *l, const ir_value *a)
{
    return ir_op2(&l->b, IR_FSUB, 0, a[0], ir_op1(&l->b, IR_FRINT, IR_RDN, a[0]));
}

ir_value tgsi_element_reciprocal(struct tgsi_lifter *l, const ir_value *a)
{
    return ir_op2(&l->b, IR_FDIV, 0, number_like(l, a[0], 1), a[0]);
}

ir_value tgsi_element_rsqrt(struct tgsi_lifter *l, const ir_value *a)
{
    return ir_op2(&l->b, IR_FDIV, 0, number_like(l, a[0], 1), ir_op1(&l->b, IR_FSQRT, 0, a[0]));
}

ir_value tgsi_element_sign(struct tgsi_lifter *l, const ir_value *a)
{
    ir_value zero = number_like(l, a[0], 0);
    ir_value below = ir_select(&l->b, ir_op2(&l->b, IR_FLT, 0, a[0], zero), number_like(l, a[0], -1), zero);
    return ir_select(&l->b, ir_op2(&l->b, IR_FLT, 0, zero, a[0]), number_like(l, a[0], 1), below);
}

ir_value tgsi_element_cmp(struct tgsi_lifter *l, const ir_value *a)
{
    return ir_select(&l->b, ir_op2(&l->b, IR_FLT, 0, a[0], number_like(l, a[0], 0)), a[1], a[2]);
}

ir_value tgsi_element_umad(struct tgsi_lifter *l, const ir_value *a)
{
    return ir_op2(&l->b, IR_ADD, 0, ir_op2(&l->b, IR_MUL, 0, a[0], a[1]), a[2]);
}

/* Division by zero is TBD in the document for IDIV; 0, as in tgsi_exec, I64DIV too. */
ir_value tgsi_element_idiv(struct tgsi_lifter *l, const ir_value *a)
{
    ir_value zero = number_like(l, a[0], 0);
    return ir_select(&l->b, ir_op2(&l->b, IR_EQ, 0, a[1], zero), zero, ir_op2(&l->b, IR_DIV_S, 0, a[0], a[1]));
}

ir_value tgsi_element_ucmp(struct tgsi_lifter *l, const ir_value *a)
{
    return ir_select(&l->b, ir_op2(&l->b, IR_NE, 0, a[0], number_like(l, a[0], 0)), a[1], a[2]);
}

ir_value tgsi_element_isign(struct tgsi_lifter *l, const ir_value *a)
{
    return ir_op2(&l->b, IR_MAX_S, 0, ir_op2(&l->b, IR_MIN_S, 0, a[0], number_like(l, a[0], 1)),
                  number_like(l, a[0], -1));
}

ir_value tgsi_element_lsb(struct tgsi_lifter *l, const ir_value *a)
{
    ir_value none = ir_op2(&l->b, IR_EQ, 0, a[0], ir_const_i32(&l->b, 0));
    return ir_select(&l->b, none, ir_const_i32(&l->b, UINT32_MAX), ir_op1(&l->b, IR_CTZ, 0, a[0]));
}

ir_value tgsi_element_umsb(struct tgsi_lifter *l, const ir_value *a)
{
    return ir_op2(&l->b, IR_SUB, 0, ir_const_i32(&l->b, 31), ir_op1(&l->b, IR_CLZ, 0, a[0]));
}

/* The highest bit that differs from the sign. */
ir_value tgsi_element_imsb(struct tgsi_lifter *l, const ir_value *a)
{
    ir_value sign_bits = ir_op2(&l->b, IR_SHR_S, 0, a[0], ir_const_i32(&l->b, 31));
    ir_value folded = ir_op2(&l->b, IR_XOR, 0, a[0], sign_bits);
    return tgsi_element_umsb(l, &folded);
}

/* Bit fields as in tgsi_exec and D3D11: offset modulo 32; width modulo 32, except that the whole word is 32 bits
 * at 0; a field that goes past bit 31 ends there. */
ir_value tgsi_element_bfe(struct tgsi_lifter *l, const ir_value *a)
{
    struct ir_builder *b = &l->b;
    enum ir_opcode shr = l->row->ir;
    ir_value zero = ir_const_i32(b, 0), low5 = ir_const_i32(b, 31), word = ir_const_i32(b, 32);
    ir_value offset = ir_op2(b, IR_AND, 0, a[1], low5), width = ir_op2(b, IR_AND, 0, a[2], low5);
    ir_value end = ir_op2(b, IR_ADD, 0, offset, width);

    ir_value inside = ir_op2(b, shr, 0, ir_op2(b, IR_SHL, 0, a[0], ir_op2(b, IR_SUB, 0, word, end)),
                             ir_op2(b, IR_SUB, 0, word, width));
    ir_value field = ir_select(b, ir_op2(b, IR_LT_U, 0, end, word), inside, ir_op2(b, shr, 0, a[0], offset));
    field = ir_select(b, ir_op2(b, IR_EQ, 0, width, zero), zero, field);
    ir_value whole = ir_op2(b, IR_AND, 0, ir_op2(b, IR_EQ, 0, a[2], word), ir_op2(b, IR_EQ, 0, offset, zero));
    return ir_select(b, whole, a[0], field);
}

ir_value tgsi_element_bfi(struct tgsi_lifter *l, const ir_value *a)
{
    struct ir_builder *b = &l->b;
    ir_value one = ir_const_i32(b, 1);
    ir_value ones = ir_op2(b, IR_SUB, 0, ir_op2(b, IR_SHL, 0, one, a[3]), one);
    ir_value mask = ir_op2(b, IR_SHL, 0, ones, a[2]);
    ir_value in = ir_op2(b, IR_AND, 0, ir_op2(b, IR_SHL, 0, a[1], a[2]), mask);
    ir_value rest = ir_op2(b, IR_AND, 0, a[0], ir_op1(b, IR_NOT, 0, mask));
    return ir_select(b, ir_op2(b, IR_EQ, 0, a[3], ir_const_i32(b, 32)), a[1], ir_op2(b, IR_OR, 0, in, rest));
}

ir_value tgsi_element_arl(struct tgsi_lifter *l, const ir_value *a)
{
    return tgsi_lift_to_integer(l, a[0], IR_RDN);
}

/* How ties are rounded the document does not say; upwards, as in tgsi_exec. */
ir_value tgsi_element_arr(struct tgsi_lifter *l, const ir_value *a)
{
    return tgsi_lift_to_integer(l, ir_op2(&l->b, IR_FADD, 0, a[0], ir_const_f32(&l->b, 0.5f)), IR_RDN);
}

/* Out of range the document leaves open: the low word of a conversion to 64 bits, as compilers make it on x86-64. F2U,
 * where the two are the same, is IR_CVT_WRAP. */
ir_value tgsi_element_d2u(struct tgsi_lifter *l, const ir_value *a)
{
    return ir_cvt(&l->b, IR_LO32, IR_I32, 0, ir_cvt(&l->b, IR_F2S, IR_I64, IR_RTZ | IR_CVT_X86, a[0]));
}

/* DP2, DP3, DP4: attr is the number of components; summed from x on. */
void tgsi_lift_dot(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    ir_value sum = 0;
    for (unsigned c = 0; c < tgsi_lift_row(insn)->attr; c++) {
        ir_value product = ir_op2(&l->b, IR_FMUL, 0, tgsi_lift_source(l, &insn->src[0], c, TGSI_T_F32),
                                  tgsi_lift_source(l, &insn->src[1], c, TGSI_T_F32));
        sum = sum ? ir_op2(&l->b, IR_FADD, 0, sum, product) : product;
    }
    tgsi_lift_store_all(l, insn, sum);
}

/* The document has the exponent in dst0; every implementation and producer has the significand there and the exponent,
 * an integer, in the first component that dst1 names. */
void tgsi_lift_dfracexp(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    ir_value significand[4] = {0}, exponent[4] = {0};
    unsigned mask = insn->dst[1].mask;
    /* The pairs whose significands are written come first: zw alone is the first of its mask. */
    unsigned first = insn->dst[0].mask & 3 ? 0 : 1;
    for (unsigned i = 0; i < 2; i++) {
        unsigned k = i ^ first;
        ir_value v = tgsi_lift_source_pair(l, &insn->src[0], k, TGSI_T_F64);
        ir_value m = ir_op1(&l->b, IR_FREXP_MANT, 0, v);
        significand[2 * k] = ir_cvt(&l->b, IR_LO32, IR_I32, 0, m);
        significand[2 * k + 1] = ir_cvt(&l->b, IR_HI32, IR_I32, 0, m);
        if (mask)
            exponent[__builtin_ctz(mask)] = ir_op1(&l->b, IR_FREXP_EXP, 0, v);
        mask &= mask ? mask - 1 : 0;
    }
    tgsi_lift_result(l, insn, &insn->dst[0], TGSI_T_F64, significand);
    tgsi_lift_result(l, insn, &insn->dst[1], TGSI_T_I32, exponent);
}

void tgsi_lift_nop(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    (void)l;
    (void)insn;
}
