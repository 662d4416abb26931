/* lift_float.c - chapters "Floating Point Operations" and "Floating Point Integer Conversion": IEEE binary32. A NaN
 * result is the canonical one, since programs see its bits. */
#include "isa/vpu/lift.h"

static const struct vpu_op_row *row_of(const struct vpu_insn *i)
{
    return &vpu_ops[i->op];
}

static ir_value left(struct vpu_lifter *l, const struct vpu_insn *i)
{
    return ir_as(&l->b, IR_F32, vpu_left(l, i));
}

static ir_value right(struct vpu_lifter *l, const struct vpu_insn *i)
{
    return ir_as(&l->b, IR_F32, vpu_right(l, i));
}

static void result(struct vpu_lifter *l, const struct vpu_insn *i, ir_value v)
{
    vpu_result(l, i, ir_as(&l->b, IR_I32, v));
}

void vpu_lift_float(struct vpu_lifter *l, const struct vpu_insn *i)
{
    unsigned attr = row_of(i)->attr | IR_NAN_CANON;
    result(l, i, ir_op2(&l->b, (enum ir_opcode)row_of(i)->ir, attr, left(l, i), right(l, i)));
}

void vpu_lift_float_one(struct vpu_lifter *l, const struct vpu_insn *i)
{
    enum ir_opcode code = (enum ir_opcode)row_of(i)->ir;
    unsigned attr = row_of(i)->attr | (code == IR_FABS ? 0u : IR_NAN_CANON);
    result(l, i, ir_op1(&l->b, code, attr, right(l, i)));
}

void vpu_lift_frsub(struct vpu_lifter *l, const struct vpu_insn *i)
{
    result(l, i, ir_op2(&l->b, IR_FSUB, IR_NAN_CANON, right(l, i), left(l, i)));
}

void vpu_lift_fnmul(struct vpu_lifter *l, const struct vpu_insn *i)
{
    result(l, i, vpu_op1(l, IR_FNEG, ir_op2(&l->b, IR_FMUL, IR_NAN_CANON, left(l, i), right(l, i))));
}

void vpu_lift_frcp(struct vpu_lifter *l, const struct vpu_insn *i)
{
    result(l, i, ir_op2(&l->b, IR_FDIV, IR_NAN_CANON, ir_const_f32(&l->b, 1), right(l, i)));
}

/* In double, then rounded once more: the nearest float in all but halfway cases that do not occur. */
void vpu_lift_frsqrt(struct vpu_lifter *l, const struct vpu_insn *i)
{
    ir_value root = vpu_op1(l, IR_FSQRT, ir_cvt(&l->b, IR_F2F, IR_F64, 0, right(l, i)));
    ir_value one = ir_const(&l->b, IR_F64, 0x3ff0000000000000);
    result(l, i, ir_cvt(&l->b, IR_F2F, IR_F32, IR_NAN_CANON, vpu_op2(l, IR_FDIV, one, root)));
}

/* Less: N and C; equal: Z; greater or unordered: none. These are the flags of cmp 0,1, cmp 0,0 and cmp 1,0. */
void vpu_lift_fcmp(struct vpu_lifter *l, const struct vpu_insn *i)
{
    ir_value a = left(l, i), b = right(l, i), zero = vpu_const(l, 0), one = vpu_const(l, 1);
    ir_value less = vpu_op2(l, IR_FLT, a, b), most = vpu_op2(l, IR_FLE, a, b);
    vpu_set_flags(l, i, ir_select(&l->b, most, zero, one), ir_select(&l->b, less, one, zero));
}

/* The integer of a * 2^b: scaled before it is rounded, both exactly. */
void vpu_lift_to_integer(struct vpu_lifter *l, const struct vpu_insn *i)
{
    ir_value a = ir_cvt(&l->b, IR_F2F, IR_F64, 0, left(l, i));
    ir_value scaled = vpu_op2(l, IR_FLDEXP, a, vpu_right(l, i));
    vpu_result(l, i, ir_cvt(&l->b, IR_F2S, IR_I32, row_of(i)->attr, scaled));
}

/* A float divided by 2^b, rounded once. */
void vpu_lift_to_float(struct vpu_lifter *l, const struct vpu_insn *i)
{
    ir_value a = ir_cvt(&l->b, (enum ir_opcode)row_of(i)->ir, IR_F64, 0, vpu_left(l, i));
    ir_value shift =
        i->flags & VPU_IMMEDIATE ? vpu_const(l, 0u - (uint32_t)i->imm) : vpu_op1(l, IR_NEG, vpu_right(l, i));
    result(l, i, ir_cvt(&l->b, IR_F2F, IR_F32, 0, vpu_op2(l, IR_FLDEXP, a, shift)));
}
