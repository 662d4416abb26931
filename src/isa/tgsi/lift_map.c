/* lift_map.c - instructions that do the same to every element of their operands.
 *
 * Most of TGSI is component-wise. Where 64-bit numbers take part an operand has two elements, each in two
 * components ("Double ISA"), and how elements meet components is here, once:
 *   64 bits from 64 bits       pair xy, pair zw; a 32-bit source (a shift count, an exponent) is x, then z
 *   64 bits from 32 bits       pair xy from x, pair zw from y
 *   32 bits from 64 bits       the first component of the mask from pair xy, the second from pair zw
 *   a comparison of 64 bits    x (or y, when x is not in the mask) from pair xy, z (or w) from pair zw */
#include "isa/tgsi/lift.h"

enum shape { SHAPE_NARROW, SHAPE_WIDE, SHAPE_WIDEN, SHAPE_NARROWING, SHAPE_WIDE_COMPARE };

static enum shape shape_of(const struct tgsi_row *row)
{
    unsigned wide = 0;
    for (unsigned i = 0; i < row->nsrc; i++)
        wide += lift_is_wide(row->src_type[i]);
    if (lift_is_wide(row->dst_type))
        return wide ? SHAPE_WIDE : SHAPE_WIDEN;
    if (!wide)
        return SHAPE_NARROW;
    return row->nsrc > 1 ? SHAPE_WIDE_COMPARE : SHAPE_NARROWING;
}

static unsigned elements(enum shape shape)
{
    return shape == SHAPE_NARROW ? 4 : 2;
}

/* The component that element k of a 32-bit result goes to, -1: none. */
static int component_of(enum shape shape, unsigned mask, unsigned k)
{
    switch (shape) {
    case SHAPE_NARROW:
        return mask >> k & 1 ? (int)k : -1;
    case SHAPE_WIDE_COMPARE:
        return mask >> (2 * k) & 1 ? (int)(2 * k) : mask >> (2 * k) & 2 ? (int)(2 * k + 1) : -1;
    default:
        if (k)
            mask &= mask - 1;
        return mask ? __builtin_ctz(mask) : -1;
    }
}

static ir_value element_of(struct tgsi_lifter *l, const struct tgsi_operand *o, unsigned type, enum shape shape,
                           unsigned k)
{
    if (lift_is_wide(type))
        return lift_source_pair(l, o, k, type);
    return lift_source(l, o, shape == SHAPE_WIDE ? 2 * k : k, type);
}

void lift_map(struct tgsi_lifter *l, const struct tgsi_insn *insn, lift_element_fn *fn)
{
    const struct tgsi_row *row = lift_row(insn);
    enum shape shape = shape_of(row);
    bool wide = shape == SHAPE_WIDE || shape == SHAPE_WIDEN;
    unsigned mask = insn->ndst ? insn->dst[0].mask : 0;
    ir_value result[4] = {0};

    for (unsigned k = 0; k < elements(shape); k++) {
        int to = wide ? (mask >> (2 * k) & 3 ? (int)(2 * k) : -1) : component_of(shape, mask, k);
        if (to < 0)
            continue;
        ir_value a[5] = {0};
        for (unsigned i = 0; i < row->nsrc; i++)
            a[i] = element_of(l, &insn->src[i], row->src_type[i], shape, k);
        ir_value v = fn(l, row, a);
        if (!wide) {
            result[to] = v;
            continue;
        }
        if (insn->saturate && row->dst_type == TGSI_T_F64)
            v = ir_op1(&l->b, IR_FSAT, 0, v);
        result[to] = ir_cvt(&l->b, IR_LO32, IR_I32, 0, v);
        result[to + 1] = ir_cvt(&l->b, IR_HI32, IR_I32, 0, v);
    }
    lift_store(l, insn, &insn->dst[0], row->dst_type, result);
}

void lift_store_all(struct tgsi_lifter *l, const struct tgsi_insn *insn, ir_value value)
{
    lift_store(l, insn, &insn->dst[0], lift_row(insn)->dst_type, (const ir_value[4]){value, value, value, value});
}

void lift_replicate(struct tgsi_lifter *l, const struct tgsi_insn *insn, lift_element_fn *fn)
{
    const struct tgsi_row *row = lift_row(insn);
    ir_value a[5] = {0};
    for (unsigned i = 0; i < row->nsrc; i++)
        a[i] = lift_source(l, &insn->src[i], 0, row->src_type[i]);
    lift_store_all(l, insn, fn(l, row, a));
}

/* The op of the row's ir and attr columns. */
static ir_value row_op(struct tgsi_lifter *l, const struct tgsi_row *row, const ir_value *a)
{
    return ir_emit(&l->b, (enum ir_opcode)row->ir, lift_type(row->dst_type), row->attr, 1, a, row->nsrc, 0, 0, 0);
}

void tgsi_lift_each(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    lift_map(l, insn, row_op);
}

void tgsi_lift_scalar(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    lift_replicate(l, insn, row_op);
}

/* A truth value as the row's destination has it: 1.0 and 0.0, or all ones and zero. */
static ir_value compare(struct tgsi_lifter *l, const struct tgsi_row *row, const ir_value *a)
{
    bool swap = row->attr & LIFT_SWAP;
    ir_value holds = ir_op2(&l->b, (enum ir_opcode)row->ir, 0, a[swap], a[!swap]);
    if (row->dst_type == TGSI_T_F32)
        return ir_select(&l->b, holds, ir_const_f32(&l->b, 1), ir_const_f32(&l->b, 0));
    return ir_cvt(&l->b, IR_SEXT, IR_I32, 0, holds);
}

void tgsi_lift_compare(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    lift_map(l, insn, compare);
}
