/* lift_map.c - instructions that do the same to every element of their operands (access.h). */
#include "isa/tgsi/access.h"
#include "isa/tgsi/lift.h"

static ir_value element_of(struct tgsi_lifter *l, const struct tgsi_operand *o, unsigned type, enum tgsi_shape shape,
                           unsigned k)
{
    if (tgsi_is_wide(type))
        return tgsi_lift_source_pair(l, o, k, type);
    return tgsi_lift_source(l, o, shape == TGSI_SHAPE_WIDE ? 2 * k : k, type);
}

void tgsi_lift_insn(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    l->row = tgsi_lift_row(insn);
    l->row->lift(l, insn);
}

/* Each element by itself; of rows that read x alone, the function of the x components in every component. */
void tgsi_lift_map(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    const struct tgsi_row *row = l->row;
    enum tgsi_shape shape = tgsi_shape_of(row);
    bool wide = shape == TGSI_SHAPE_WIDE || shape == TGSI_SHAPE_WIDEN;
    unsigned mask = insn->ndst ? insn->dst[0].mask : 0;
    ir_value result[4] = {0};

    if (row->reads[0] == TGSI_READS_X) {
        ir_value a[5] = {0};
        for (unsigned i = 0; i < row->nsrc; i++)
            a[i] = tgsi_lift_source(l, &insn->src[i], 0, row->src_type[i]);
        tgsi_lift_store_all(l, insn, row->element(l, a));
        return;
    }
    for (unsigned k = 0; k < tgsi_elements(shape); k++) {
        int to = tgsi_component_of(shape, mask, k);
        if (to < 0)
            continue;
        ir_value a[5] = {0};
        for (unsigned i = 0; i < row->nsrc; i++)
            a[i] = element_of(l, &insn->src[i], row->src_type[i], shape, k);
        ir_value v = row->element(l, a);
        if (!wide) {
            result[to] = v;
            continue;
        }
        if (insn->saturate && row->dst_type == TGSI_T_F64)
            v = ir_op1(&l->b, IR_FSAT, 0, v);
        result[to] = ir_cvt(&l->b, IR_LO32, IR_I32, 0, v);
        result[to + 1] = ir_cvt(&l->b, IR_HI32, IR_I32, 0, v);
    }
    tgsi_lift_result(l, insn, &insn->dst[0], row->dst_type, result);
}

void tgsi_lift_store_all(struct tgsi_lifter *l, const struct tgsi_insn *insn, ir_value value)
{
    tgsi_lift_result(l, insn, &insn->dst[0], tgsi_lift_row(insn)->dst_type,
                     (const ir_value[4]){value, value, value, value});
}

/* The op of the row's ir and attr columns. */
ir_value tgsi_element_op(struct tgsi_lifter *l, const ir_value *a)
{
    const struct tgsi_row *row = l->row;
    return ir_emit(&l->b, (enum ir_opcode)row->ir, tgsi_lift_type(row->dst_type), row->attr, 1, a, row->nsrc, 0, 0, 0);
}

/* A truth value as the row's destination has it: 1.0 and 0.0, or all ones and zero. */
ir_value tgsi_element_compare(struct tgsi_lifter *l, const ir_value *a)
{
    bool swap = l->row->attr & TGSI_LIFT_SWAP;
    ir_value holds = ir_op2(&l->b, (enum ir_opcode)l->row->ir, 0, a[swap], a[!swap]);
    if (l->row->dst_type == TGSI_T_F32)
        return ir_select(&l->b, holds, ir_const_f32(&l->b, 1), ir_const_f32(&l->b, 0));
    return ir_cvt(&l->b, IR_SEXT, IR_I32, 0, holds);
}
