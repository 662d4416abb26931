/* lift_integer.c - chapter 8: integers. Absolute and negate act on the source as it is, before it is widened. The carry
 * that TSTC tests is the one out of the result's width. */
#include "isa/rogue/lift.h"

static ir_value i64(struct rogue_lifter *l, uint64_t v)
{
    return ir_const(&l->b, IR_I64, v);
}

/* ---- 8 and 16 bits ---- */

struct small {
    unsigned bits;
    bool is_signed;
};

static ir_value small_source(struct rogue_lifter *l, const struct small *s, unsigned n, unsigned element, bool abs,
                             bool neg)
{
    ir_value v = ir_op2(&l->b, IR_SHR_U, 0, rogue_source(l, n), rogue_word(l, element * s->bits & 31));
    v = ir_cvt(&l->b, IR_TRUNC, s->bits == 8 ? IR_I8 : IR_I16, 0, v);
    v = ir_cvt(&l->b, s->is_signed ? IR_SEXT : IR_ZEXT, IR_I64, 0, v);
    v = abs ? ir_op1(&l->b, IR_ABS, 0, v) : v;
    return neg ? ir_op1(&l->b, IR_NEG, 0, v) : v;
}

/* Saturated, or its low bits; widened by its sign. */
static ir_value small_result(struct rogue_lifter *l, const struct small *s, bool saturate, ir_value v)
{
    if (saturate) {
        uint64_t top = (UINT64_C(1) << (s->bits - s->is_signed)) - 1;
        v = ir_op2(&l->b, IR_MIN_S, 0, v, i64(l, top));
        v = ir_op2(&l->b, IR_MAX_S, 0, v, i64(l, s->is_signed ? ~top : 0));
    }
    v = ir_cvt(&l->b, IR_TRUNC, s->bits == 8 ? IR_I8 : IR_I16, 0, v);
    return ir_cvt(&l->b, s->is_signed ? IR_SEXT : IR_ZEXT, IR_I32, 0, v);
}

void rogue_lift_small(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    struct small s = {rogue_get(insn, ROGUE_F_F) ? 16 : 8, rogue_get(insn, ROGUE_F_S)};
    ir_value a = small_source(l, &s, 0, (unsigned)rogue_get(insn, ROGUE_F_S0CH), rogue_get(insn, ROGUE_F_S0ABS),
                              rogue_get(insn, ROGUE_F_S0NEG));
    ir_value b = small_source(l, &s, 1, (unsigned)rogue_get(insn, ROGUE_F_S1CH), rogue_get(insn, ROGUE_F_S1ABS), false);
    unsigned op = (unsigned)rogue_get(insn, ROGUE_F_INT8_16_OP);
    ir_value v = ir_op2(&l->b, op == 0 ? IR_ADD : IR_MUL, 0, a, b);
    if (op >= 2)
        v = ir_op2(&l->b, IR_ADD, 0, v,
                   small_source(l, &s, 2, (unsigned)rogue_get(insn, ROGUE_F_S2ELEM), rogue_get(insn, ROGUE_F_S2ABS),
                                rogue_get(insn, ROGUE_F_S2NEG)));
    ir_value beyond = ir_op2(&l->b, IR_SHR_U, 0, v, rogue_word(l, s.bits));
    l->carry = ir_op2(&l->b, IR_NE, 0, ir_op2(&l->b, IR_AND, 0, beyond, i64(l, 1)), i64(l, 0));
    l->ft[0] = small_result(l, &s, rogue_get(insn, ROGUE_F_SAT), v);
}

/* ---- 32 and 64 bits ---- */

static ir_value large_source(struct rogue_lifter *l, const struct rogue_insn *insn, unsigned n)
{
    static const enum rogue_field abs[] = {ROGUE_F_S0ABS, ROGUE_F_S1ABS, ROGUE_F_S2ABS},
                                  neg[] = {ROGUE_F_S0NEG, ROGUE_F_S1NEG, ROGUE_F_S2NEG};
    ir_value v = rogue_source(l, n);
    v = rogue_get(insn, abs[n]) ? ir_op1(&l->b, IR_ABS, 0, v) : v;
    return rogue_get(insn, neg[n]) ? ir_op1(&l->b, IR_NEG, 0, v) : v;
}

static ir_value carry_in(struct rogue_lifter *l, const struct rogue_insn *insn, enum ir_type type)
{
    if (!rogue_get(insn, ROGUE_F_CIN))
        return 0;
    return ir_cvt(&l->b, IR_ZEXT, type, 0, rogue_p0(l));
}

/* The high word of the addend. */
static ir_value high_addend(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    ir_value v = rogue_fte(l);
    v = rogue_get(insn, ROGUE_F_IS0ABS) ? ir_op1(&l->b, IR_ABS, 0, v) : v;
    return rogue_get(insn, ROGUE_F_IS0NEG) ? ir_op1(&l->b, IR_NEG, 0, v) : v;
}

/* a + b, or a if b is 0; *carry becomes the carry out of this or an earlier sum. */
static ir_value add(struct rogue_lifter *l, ir_value a, ir_value b, ir_value *carry)
{
    if (!b)
        return a;
    ir_value sum = ir_op2(&l->b, IR_ADD, 0, a, b), out = ir_op2(&l->b, IR_LT_U, 0, sum, a);
    *carry = *carry ? ir_op2(&l->b, IR_OR, 0, *carry, out) : out;
    return sum;
}

static void wide_result(struct rogue_lifter *l, ir_value v)
{
    l->ft[0] = ir_cvt(&l->b, IR_LO32, IR_I32, 0, v);
    l->fte = ir_cvt(&l->b, IR_HI32, IR_I32, 0, v);
}

static ir_value pair(struct rogue_lifter *l, ir_value low, ir_value high)
{
    return ir_cvt2(&l->b, IR_PACK64, IR_I64, 0, low, high);
}

/* {S1, S0} + {IS0, S2}. */
void rogue_lift_add64(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    ir_value a = pair(l, large_source(l, insn, 0), large_source(l, insn, 1)),
             b = pair(l, large_source(l, insn, 2), high_addend(l, insn));
    wide_result(l, add(l, add(l, a, b, &l->carry), carry_in(l, insn, IR_I64), &l->carry));
}

/* {S1, S0} + S2. */
void rogue_lift_add6432(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    ir_value a = pair(l, large_source(l, insn, 0), large_source(l, insn, 1));
    ir_value b = ir_cvt(&l->b, rogue_get(insn, ROGUE_F_S) ? IR_SEXT : IR_ZEXT, IR_I64, 0, large_source(l, insn, 2));
    wide_result(l, add(l, add(l, a, b, &l->carry), carry_in(l, insn, IR_I64), &l->carry));
}

void rogue_lift_madd32(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    ir_value product = ir_op2(&l->b, IR_MUL, 0, large_source(l, insn, 0), large_source(l, insn, 1));
    ir_value sum = add(l, product, large_source(l, insn, 2), &l->carry);
    l->ft[0] = add(l, sum, carry_in(l, insn, IR_I32), &l->carry);
}

/* S0 * S1 + {IS0, S2}. */
void rogue_lift_madd64(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    enum ir_opcode extend = rogue_get(insn, ROGUE_F_S) ? IR_SEXT : IR_ZEXT;
    ir_value a = ir_cvt(&l->b, extend, IR_I64, 0, large_source(l, insn, 0));
    ir_value b = ir_cvt(&l->b, extend, IR_I64, 0, large_source(l, insn, 1));
    ir_value addend = pair(l, large_source(l, insn, 2), high_addend(l, insn));
    ir_value v = add(l, ir_op2(&l->b, IR_MUL, 0, a, b), addend, &l->carry);
    wide_result(l, add(l, v, carry_in(l, insn, IR_I64), &l->carry));
}
