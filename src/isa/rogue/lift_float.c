/* lift_float.c - chapter 6: floating point. Modifiers of sources act in the order floor, absolute, negate. */
#include "isa/rogue/lift.h"

struct modifiers {
    enum rogue_field flr, abs, neg; /* 0: the source has none (field 0 is SAT, which no source has) */
};
static const struct modifiers modifiers[3] = {{ROGUE_F_S0FLR, ROGUE_F_S0ABS, ROGUE_F_S0NEG},
                                              {0, ROGUE_F_S1ABS, ROGUE_F_S1NEG},
                                              {ROGUE_F_S2FLR, ROGUE_F_S2ABS, ROGUE_F_S2NEG}};

/* Floor leaves NaNs, infinities and zeros alone (chapter 5). */
static ir_value modify(struct rogue_lifter *l, const struct rogue_insn *insn, unsigned n, ir_value bits)
{
    const struct modifiers *m = &modifiers[n];
    ir_value v = ir_as(&l->b, IR_F32, bits);
    if (m->flr && rogue_get(insn, m->flr))
        v = ir_op1(&l->b, IR_FRINT, IR_RDN | IR_FLUSH_IN, v);
    if (rogue_get(insn, m->abs))
        v = ir_op1(&l->b, IR_FABS, 0, v);
    if (rogue_get(insn, m->neg))
        v = ir_op1(&l->b, IR_FNEG, 0, v);
    return v;
}

/* Phase 2 has IS3 and FTE. */
static ir_value source(struct rogue_lifter *l, const struct rogue_insn *insn, unsigned n)
{
    ir_value bits = l->unit != ROGUE_PCK ? rogue_unit_source(l, n) : n ? rogue_fte(l) : rogue_is3(l);
    return modify(l, insn, n, bits);
}

/* The feedthrough of the phase: FT0, FT1 or FT2. */
static void result(struct rogue_lifter *l, const struct rogue_insn *insn, ir_value v)
{
    if (rogue_get(insn, ROGUE_F_SAT))
        v = ir_op1(&l->b, IR_FSAT, 0, v);
    l->ft[l->unit] = ir_as(&l->b, IR_I32, v);
}

void rogue_lift_fmad(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    ir_value a = source(l, insn, 0), b = source(l, insn, 1), c = source(l, insn, 2);
    result(l, insn, ir_op3(&l->b, IR_FFMA, ROGUE_FLOAT, a, b, c));
}

/* Sums and products. */
void rogue_lift_float_pair(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    ir_value a = source(l, insn, 0), b = source(l, insn, 1);
    result(l, insn, ir_op2(&l->b, (enum ir_opcode)rogue_argument(insn->row), ROGUE_FLOAT, a, b));
}

void rogue_lift_mbyp(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    result(l, insn, source(l, insn, 0));
}

/* Gradients: of the whole quad, from its first pixel; the fine ones of the pixel's own row or column. */
void rogue_lift_gradient(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    bool x = rogue_argument(insn->row) & ROGUE_GRADIENT_X, fine = rogue_argument(insn->row) & ROGUE_GRADIENT_FINE;
    ir_value v = source(l, insn, 0), from, to;
    unsigned way = x ? 1 : 2;
    if (fine) {
        ir_value other = ir_emit(&l->b, IR_QUAD_XOR, IR_F32, 0, 1, &v, 1, 0, way, 0);
        ir_value lane = ir_emit(&l->b, IR_LANE_ID, IR_I32, 0, 1, NULL, 0, 0, 0, 0);
        ir_value bit = ir_op2(&l->b, IR_AND, 0, lane, rogue_word(l, way));
        ir_value last = ir_op2(&l->b, IR_NE, 0, bit, rogue_word(l, 0));
        from = ir_select(&l->b, last, other, v);
        to = ir_select(&l->b, last, v, other);
    } else {
        from = ir_emit(&l->b, IR_QUAD_LANE, IR_F32, 0, 1, &v, 1, 0, 0, 0);
        to = ir_emit(&l->b, IR_QUAD_LANE, IR_F32, 0, 1, &v, 1, 0, way, 0);
    }
    result(l, insn, ir_op2(&l->b, IR_FSUB, ROGUE_FLOAT, to, from));
}

/* ---- complex operations: W0 whatever IS4 says ---- */

static ir_value complex_source(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    ir_value bits = rogue_source(l, 0);
    unsigned element = (unsigned)rogue_get(insn, ROGUE_F_S0F16); /* 1: .f16.e0, 2: .f16.e1 */
    if (element) {
        bits = ir_op2(&l->b, IR_SHR_U, 0, bits, rogue_word(l, (element - 1) * 16));
        ir_value half = ir_as(&l->b, IR_F16, ir_cvt(&l->b, IR_TRUNC, IR_I16, 0, bits));
        bits = ir_cvt(&l->b, IR_F2F, IR_F32, 0, half);
    }
    return ir_as(&l->b, IR_I32, modify(l, insn, 0, bits));
}

/* Halves that are not named keep what the destination had. */
static ir_value as_halves(struct rogue_lifter *l, const struct rogue_group *g, ir_value v, unsigned elements)
{
    ir_value half = ir_as(&l->b, IR_I16, ir_cvt(&l->b, IR_F2F, IR_F16, 0, ir_as(&l->b, IR_F32, v)));
    ir_value low = ir_cvt(&l->b, IR_ZEXT, IR_I32, 0, half);
    ir_value both = ir_op2(&l->b, IR_OR, 0, low, ir_op2(&l->b, IR_SHL, 0, low, rogue_word(l, 16)));
    if (elements == 3)
        return both;
    uint32_t mask = elements == 1 ? 0xffff : 0xffff0000;
    ir_value old = ir_op2(&l->b, IR_AND, 0, rogue_read(l, g->w[0], l->step), rogue_word(l, ~mask));
    return ir_op2(&l->b, IR_OR, 0, old, ir_op2(&l->b, IR_AND, 0, both, rogue_word(l, mask)));
}

static ir_value complex_op(struct rogue_lifter *l, enum rogue_complex op, ir_value v)
{
    if (op == ROGUE_RCP)
        return ir_as(&l->b, IR_I32,
                     ir_op2(&l->b, IR_FDIV, ROGUE_FLOAT, ir_const_f32(&l->b, 1.0f), ir_as(&l->b, IR_F32, v)));
    return lift_call(&l->b, "complex", rogue_lanes_complex, IR_I32, op, &v, 1);
}

void rogue_lift_complex(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    ir_value v = complex_op(l, (enum rogue_complex)rogue_argument(insn->row), complex_source(l, insn));
    unsigned elements = (unsigned)rogue_get(insn, ROGUE_F_W0F16);
    l->direct[0] = l->ft[0] = elements ? as_halves(l, l->group, v, elements) : v;
}

/* P0: the result is to be multiplied by the argument. */
void rogue_lift_sinc(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    ir_value x = complex_source(l, insn), f = ir_as(&l->b, IR_F32, x);
    l->direct[0] = l->ft[0] = complex_op(l, ROGUE_SINC, x);
    rogue_set_p0(l, ir_op1(&l->b, IR_NOT, 0, ir_op2(&l->b, IR_FUNORD, 0, f, f)));
}

/* Part A reduces, exactly for every angle, and hands on what it found in W1; part B gives it out in W0. No further
 * iteration is ever asked for. */
void rogue_lift_fred(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    enum rogue_complex op = (enum rogue_complex)rogue_argument(insn->row);
    bool part_b = rogue_get(insn, ROGUE_F_RED_PART);
    ir_value v = part_b ? rogue_source(l, 3) : complex_op(l, op, complex_source(l, insn));
    l->direct[0] = l->direct[1] = v;
    if (rogue_get(insn, ROGUE_F_PWEN))
        rogue_set_p0(l, ir_const(&l->b, IR_I1, 0));
}

/* ---- 64-bit floats ---- */

enum { FORMAT_F32, FORMAT_S32, FORMAT_U32 };

void rogue_lift_to_f64(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    ir_value v = rogue_is3(l);
    unsigned format = (unsigned)rogue_get(insn, ROGUE_F_FORMAT);
    ir_value wide = format == FORMAT_F32 ? ir_cvt(&l->b, IR_F2F, IR_F64, IR_NAN_CANON, ir_as(&l->b, IR_F32, v))
                                         : ir_cvt(&l->b, format == FORMAT_S32 ? IR_S2F : IR_U2F, IR_F64, 0, v);
    wide = ir_as(&l->b, IR_I64, wide);
    l->ft[0] = ir_cvt(&l->b, IR_LO32, IR_I32, 0, wide);
    l->ft[2] = ir_cvt(&l->b, IR_HI32, IR_I32, 0, wide);
}

/* To integers by rounding to nearest, as PCK does without .roundzero. */
void rogue_lift_from_f64(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    ir_value bits = ir_cvt2(&l->b, IR_PACK64, IR_I64, 0, rogue_source(l, 0), rogue_source(l, 2));
    ir_value v = ir_as(&l->b, IR_F64, bits);
    unsigned format = (unsigned)rogue_get(insn, ROGUE_F_FORMAT);
    if (format == FORMAT_F32)
        l->ft[0] = ir_as(&l->b, IR_I32, ir_cvt(&l->b, IR_F2F, IR_F32, IR_NAN_CANON, v));
    else
        l->ft[0] = ir_cvt(&l->b, format == FORMAT_S32 ? IR_F2S : IR_F2U, IR_I32, 0, v);
}
