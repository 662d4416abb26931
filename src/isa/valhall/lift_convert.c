/* lift_convert.c - conversions between integers and floats, and rounding to integral floats. */
#include "isa/valhall/lift.h"
#include "isa/valhall/lift_rows.h"

/* ---- integers to wider integers and to floats: the row says from and to what ---- */

struct widening {
    enum ir_type from, to;
    bool is_signed;
};

static enum ir_type type_of(unsigned bits, bool is_float)
{
    if (is_float)
        return bits == 16 ? IR_F16 : IR_F32;
    return bits == 8 ? IR_I8 : bits == 16 ? IR_I16 : IR_I32;
}

static struct widening widening_of(const struct valhall_insn *insn)
{
    const struct valhall_row *row = insn->row;
    return (struct widening){type_of(row->src[0].size, false), type_of(row->size, row->kind == WEFT_TYPE_FLOAT),
                             row->arg == VALHALL_FROM_SIGNED};
}

static ir_value widened(struct valhall_lifter *l, struct widening w, unsigned rounding, unsigned lane)
{
    const struct valhall_source *s = &l->insn->src[0];
    ir_value v = w.from == IR_I32 ? valhall_whole(l, s, w.is_signed) : valhall_element(l, s, w.from, lane, w.is_signed);
    if (w.to == IR_F32 || w.to == IR_F16)
        return ir_cvt(&l->b, w.is_signed ? IR_S2F : IR_U2F, w.to, rounding, v);
    return ir_cvt(&l->b, w.is_signed ? IR_SEXT : IR_ZEXT, w.to, 0, v);
}

void valhall_lift_widen(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    struct widening w = widening_of(insn);
    bool rounds = insn->row->nmods;
    unsigned rounding = rounds ? valhall_rounding(insn) : IR_RNE;
    ir_value v[2];
    for (unsigned lane = 0; lane < insn->row->lanes; lane++)
        v[lane] = widened(l, w, rounding, lane);
    valhall_write_lanes(l, v, insn->row->lanes);
}

/* ---- floats to integers, saturating; NaN gives 0 ---- */

void valhall_lift_to_integer(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    unsigned rounding = valhall_rounding(insn);
    enum ir_opcode op = valhall_is_signed(insn) ? IR_F2S : IR_F2U;
    unsigned lanes = insn->row->lanes;
    ir_value v[2];
    for (unsigned lane = 0; lane < lanes; lane++) {
        const struct valhall_source *s = &insn->src[0];
        ir_value from = s->size == 32 ? valhall_f32(l, s) : valhall_f16(l, s, lane);
        v[lane] = ir_cvt(&l->b, op, lanes == 1 ? IR_I32 : IR_I16, rounding, from);
    }
    valhall_write_lanes(l, v, lanes);
}

/* ---- floats to floats ---- */

void valhall_lift_f16_to_f32(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    valhall_write(l, ir_cvt(&l->b, IR_F2F, IR_F32, 0, valhall_f16(l, &insn->src[0], 0)));
}

void valhall_lift_to_halves(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    ir_value v[2];
    for (unsigned i = 0; i < 2; i++)
        v[i] = valhall_clamped(l, ir_cvt(&l->b, IR_F2F, IR_F16, valhall_rounding(insn), valhall_f32(l, &insn->src[i])));
    valhall_write_lanes(l, v, 2);
}

ir_value valhall_element_fround(struct valhall_lifter *l, const ir_value *v)
{
    return ir_op1(&l->b, IR_FRINT, valhall_rounding(l->insn), v[0]);
}
