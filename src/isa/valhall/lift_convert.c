/* lift_convert.c - conversions between integers and floats, and rounding to integral floats. */
#include "isa/valhall/lift.h"
#include "isa/valhall/lift_rows.h"

/* ---- integers to wider integers and to floats: the row says from and to what ---- */

struct widening {
    enum ir_type from, to;
    bool is_signed;
};

static struct widening widening_of(const struct valhall_insn *insn)
{
    static const struct {
        uint8_t second;
        struct widening w;
    } rows[] = {
        {0x00, {IR_I8, IR_I32, true}},   {0x10, {IR_I8, IR_I32, false}},  {0x01, {IR_I8, IR_F32, true}},
        {0x11, {IR_I8, IR_F32, false}},  {0x02, {IR_I8, IR_I16, true}},   {0x12, {IR_I8, IR_I16, false}},
        {0x03, {IR_I8, IR_F16, true}},   {0x13, {IR_I8, IR_F16, false}},  {0x04, {IR_I16, IR_I32, true}},
        {0x14, {IR_I16, IR_I32, false}}, {0x05, {IR_I16, IR_F32, true}},  {0x15, {IR_I16, IR_F32, false}},
        {0x07, {IR_I16, IR_F16, true}},  {0x17, {IR_I16, IR_F16, false}}, {0x09, {IR_I32, IR_F32, true}},
        {0x19, {IR_I32, IR_F32, false}},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].second == insn->row->second)
            return rows[i].w;
    return (struct widening){IR_I32, IR_I32, false};
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
    if (w.to == IR_I32 || w.to == IR_F32) {
        valhall_write(l, widened(l, w, rounding, 0));
        return;
    }
    ir_value v[2] = {widened(l, w, rounding, 0), widened(l, w, rounding, 1)};
    valhall_write_lanes(l, v, 2);
}

/* ---- floats to integers, saturating; NaN gives 0 ---- */

static void to_integer(struct valhall_lifter *l, enum ir_opcode op)
{
    const struct valhall_insn *insn = l->insn;
    unsigned rounding = valhall_rounding(insn);
    switch (insn->row->second & 0xf) {
    case 0xC:
        valhall_write(l, ir_cvt(&l->b, op, IR_I32, rounding, valhall_f32(l, &insn->src[0])));
        return;
    case 0xA:
        valhall_write(l, ir_cvt(&l->b, op, IR_I32, rounding, valhall_f16(l, &insn->src[0], 0)));
        return;
    default: {
        ir_value v[2];
        for (unsigned lane = 0; lane < 2; lane++)
            v[lane] = ir_cvt(&l->b, op, IR_I16, rounding, valhall_f16(l, &insn->src[0], lane));
        valhall_write_lanes(l, v, 2);
    }
    }
}

void valhall_lift_to_signed(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    (void)insn;
    to_integer(l, IR_F2S);
}

void valhall_lift_to_unsigned(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    (void)insn;
    to_integer(l, IR_F2U);
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

void valhall_lift_fround(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    unsigned rounding = valhall_rounding(insn);
    if (insn->row->size == 32) {
        valhall_write(l, ir_op1(&l->b, IR_FRINT, rounding, valhall_f32(l, &insn->src[0])));
        return;
    }
    ir_value v[2];
    for (unsigned lane = 0; lane < 2; lane++)
        v[lane] = ir_op1(&l->b, IR_FRINT, rounding, valhall_f16(l, &insn->src[0], lane));
    valhall_write_lanes(l, v, 2);
}
