/* lift_special.c - special functions, the steps of their sequences, and cube maps. What is more than a few operations
 * is a function of alu.h. */
#include "isa/valhall/lift.h"
#include "isa/valhall/lift_rows.h"
#include "isa/valhall/alu.h"

static ir_value call(struct valhall_lifter *l, const char *name, lift_lanes_fn *fn, enum ir_type type, uint64_t imm,
                     ir_value arg)
{
    return lift_call(&l->b, name, fn, type, imm, &arg, 1);
}

/* ---- reciprocals and roots ---- */

/* One half, in both halves of the result: which is written is the destination's matter. */
static void write_one_half(struct valhall_lifter *l, ir_value v)
{
    ir_value both[2] = {v, v};
    valhall_write_lanes(l, both, 2);
}

void valhall_lift_frcp(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    if (insn->row->size == 32)
        valhall_write(l, ir_op2(&l->b, IR_FDIV, 0, ir_const_f32(&l->b, 1), valhall_f32(l, &insn->src[0])));
    else
        write_one_half(l, ir_op2(&l->b, IR_FDIV, 0, ir_const(&l->b, IR_F16, 0x3c00), valhall_f16(l, &insn->src[0], 0)));
}

void valhall_lift_frsq(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    ir_value v = call(l, "rsq", valhall_lanes_rsq, IR_F32, 0, valhall_wide_float(l, &insn->src[0], 0));
    if (insn->row->size == 32)
        valhall_write(l, v);
    else
        write_one_half(l, ir_cvt(&l->b, IR_F2F, IR_F16, 0, v));
}

/* ---- splitting ---- */

static enum valhall_split split_of(const struct valhall_insn *insn)
{
    return valhall_mod(insn, VALHALL_MOD_LOG)    ? VALHALL_SPLIT_LOG
           : valhall_mod(insn, VALHALL_MOD_SQRT) ? VALHALL_SPLIT_SQRT
                                                 : VALHALL_SPLIT_FREXP;
}

void valhall_lift_frexpm(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    ir_value v[2];
    for (unsigned lane = 0; lane < insn->row->lanes; lane++) {
        v[lane] = call(l, "significand", valhall_lanes_significand, IR_F32, split_of(insn),
                       valhall_wide_float(l, &insn->src[0], lane));
        if (insn->row->size == 16)
            v[lane] = ir_cvt(&l->b, IR_F2F, IR_F16, 0, v[lane]);
    }
    valhall_write_lanes(l, v, insn->row->lanes);
}

void valhall_lift_frexpe(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    ir_value v[2];
    for (unsigned lane = 0; lane < insn->row->lanes; lane++) {
        v[lane] = call(l, "exponent", valhall_lanes_exponent, IR_I32, split_of(insn),
                       valhall_wide_float(l, &insn->src[0], lane));
        if (insn->row->size == 16)
            v[lane] = ir_cvt(&l->b, IR_TRUNC, IR_I16, 0, v[lane]);
    }
    valhall_write_lanes(l, v, insn->row->lanes);
}

/* ---- functions of one float, or of the bits of an integer ---- */

void valhall_lift_sfu(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    static const struct {
        bool of_bits, integer;
        const char *name;
        lift_lanes_fn *fn;
    } functions[] = {
        [VALHALL_SFU_SIN] = {true, false, "sin_table", valhall_lanes_sin_table},
        [VALHALL_SFU_COS] = {true, false, "cos_table", valhall_lanes_cos_table},
        [VALHALL_SFU_SINCOS_OFFSET] = {true, false, "sincos_offset", valhall_lanes_sincos_offset},
        [VALHALL_SFU_LOGD] = {false, false, "flogd", valhall_lanes_flogd},
        [VALHALL_SFU_CLASS] = {true, true, "class32", valhall_lanes_class32},
        [VALHALL_SFU_LOG_TABLE] = {false, false, "log_table", valhall_lanes_log_table},
        [VALHALL_SFU_EXP_TABLE] = {true, false, "exp_table", valhall_lanes_exp_table},
        [VALHALL_SFU_RCP_APPROX] = {false, false, "rcp_approx", valhall_lanes_rcp_approx},
        [VALHALL_SFU_RSQ_APPROX] = {false, false, "rsq_approx", valhall_lanes_rsq_approx},
    };
    const struct valhall_source *a = &insn->src[0];
    unsigned i = insn->row->arg;
    ir_value v = functions[i].integer   ? ir_as(&l->b, IR_I32, valhall_f32(l, a))
                 : functions[i].of_bits ? valhall_bits(l, a)
                                        : valhall_f32(l, a);
    valhall_write(l, call(l, functions[i].name, functions[i].fn, functions[i].integer ? IR_I32 : IR_F32, 0, v));
}

void valhall_lift_fpclass16(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    ir_value v = ir_cvt(&l->b, IR_ZEXT, IR_I32, 0, ir_as(&l->b, IR_I16, valhall_f16(l, &insn->src[0], 0)));
    v = call(l, "class16", valhall_lanes_class16, IR_I32, 0, v);
    write_one_half(l, ir_cvt(&l->b, IR_TRUNC, IR_I16, 0, v));
}

void valhall_lift_fexp(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    ir_value args[2] = {valhall_bits(l, &insn->src[0]), valhall_f32(l, &insn->src[1])};
    valhall_write(l, valhall_clamped(l, lift_call(&l->b, "fexp", valhall_lanes_fexp, IR_F32, 0, args, 2)));
}

/* The second source is its significand for logarithms: -1 + m is exact. */
void valhall_lift_fadd_lscale(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    ir_value m =
        call(l, "significand", valhall_lanes_significand, IR_F32, VALHALL_SPLIT_LOG, valhall_f32(l, &insn->src[1]));
    valhall_write(l, valhall_clamped(l, ir_op2(&l->b, IR_FADD, 0, valhall_f32(l, &insn->src[0]), m)));
}

void valhall_lift_fatan(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    ir_value args[2] = {valhall_f32(l, &insn->src[0]), valhall_f32(l, &insn->src[1])};
    if (valhall_mod(insn, VALHALL_MOD_SECOND))
        valhall_write(l, lift_call(&l->b, "atan_table", valhall_lanes_atan_table, IR_F32, 0, args, 2));
    else
        valhall_write(l, lift_call(&l->b, "atan_assist", valhall_lanes_atan_assist, IR_I32, 0, args, 2));
}

/* ---- scaling ---- */

void valhall_lift_ldexp(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    ir_value v[2];
    for (unsigned lane = 0; lane < insn->row->lanes; lane++) {
        ir_value by = valhall_number(l, &insn->src[1], lane, true);
        if (insn->row->size == 16)
            by = ir_cvt(&l->b, IR_SEXT, IR_I32, 0, by);
        v[lane] = ir_op2(&l->b, IR_FLDEXP, valhall_rounding(insn), valhall_float(l, &insn->src[0], lane), by);
    }
    valhall_write_lanes(l, v, insn->row->lanes);
}

static ir_value is_zero(struct valhall_lifter *l, ir_value v)
{
    return ir_op2(&l->b, IR_FEQ, 0, v, ir_const(&l->b, IR_F32, 0));
}

/* (a * b + c) * 2^d. Where a or b is 0, _N takes the product as 0 and _LEFT as a, whatever the other one is. */
void valhall_lift_fma_rscale(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    unsigned form = insn->row->arg;
    ir_value a = valhall_f32(l, &insn->src[0]), b = valhall_f32(l, &insn->src[1]), c = valhall_f32(l, &insn->src[2]);
    ir_value by = valhall_bits(l, &insn->src[3]), v = ir_op3(&l->b, IR_FFMA, 0, a, b, c);
    if (form == VALHALL_RSCALE_N || form == VALHALL_RSCALE_LEFT) {
        ir_value zero = ir_op2(&l->b, IR_OR, 0, is_zero(l, a), is_zero(l, b));
        ir_value product = form == VALHALL_RSCALE_N ? ir_const(&l->b, IR_F32, 0) : a;
        v = ir_select(&l->b, zero, ir_op2(&l->b, IR_FADD, 0, product, c), v);
    }
    if (form == VALHALL_RSCALE_SCALE16)
        by = ir_cvt(&l->b, IR_SEXT, IR_I32, 0, ir_cvt(&l->b, IR_TRUNC, IR_I16, 0, by));
    valhall_write(l, valhall_clamped(l, ir_op2(&l->b, IR_FLDEXP, 0, v, by)));
}

/* ---- cube maps: the face is in the upper three bits: +x, -x, +y, -y, +z, -z ---- */

enum { FACE_SHIFT = 29 };

static void magnitudes(struct valhall_lifter *l, ir_value *v, ir_value *m)
{
    for (unsigned i = 0; i < 3; i++) {
        v[i] = valhall_f32(l, &l->insn->src[i]);
        m[i] = ir_op1(&l->b, IR_FABS, 0, v[i]);
    }
}

void valhall_lift_cubeface1(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    ir_value v[3], m[3];
    (void)insn;
    magnitudes(l, v, m);
    valhall_write(l, ir_op2(&l->b, IR_FMAX, 0, m[0], ir_op2(&l->b, IR_FMAX, 0, m[1], m[2])));
}

static ir_value at_least(struct valhall_lifter *l, ir_value x, ir_value y)
{
    return ir_op2(&l->b, IR_FLE, 0, y, x);
}

/* Of equal magnitudes x goes before y, and y before z. */
void valhall_lift_cubeface2(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    ir_value v[3], m[3], face[3];
    (void)insn;
    magnitudes(l, v, m);
    for (unsigned i = 0; i < 3; i++) {
        ir_value negative = ir_op2(&l->b, IR_LT_S, 0, ir_as(&l->b, IR_I32, v[i]), valhall_i32(l, 0));
        face[i] =
            ir_select(&l->b, negative, valhall_i32(l, (2 * i + 1) << FACE_SHIFT), valhall_i32(l, 2 * i << FACE_SHIFT));
    }
    ir_value x = ir_op2(&l->b, IR_AND, 0, at_least(l, m[0], m[1]), at_least(l, m[0], m[2]));
    ir_value rest = ir_select(&l->b, at_least(l, m[1], m[2]), face[1], face[2]);
    valhall_write(l, ir_select(&l->b, x, face[0], rest));
}

static ir_value on_face(struct valhall_lifter *l, ir_value face, unsigned number)
{
    return ir_op2(&l->b, IR_EQ, 0, face, valhall_i32(l, number));
}

static ir_value face_source(struct valhall_lifter *l)
{
    return ir_op2(&l->b, IR_SHR_U, 0, valhall_bits(l, &l->insn->src[2]), valhall_i32(l, FACE_SHIFT));
}

/* +x: -z, -x: z, -z: -x, else x. */
void valhall_lift_cube_ssel(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    ir_value z = valhall_f32(l, &insn->src[0]), x = valhall_f32(l, &insn->src[1]), face = face_source(l);
    ir_value v = ir_select(&l->b, on_face(l, face, 5), ir_op1(&l->b, IR_FNEG, 0, x), x);
    v = ir_select(&l->b, on_face(l, face, 1), z, v);
    valhall_write(l, ir_select(&l->b, on_face(l, face, 0), ir_op1(&l->b, IR_FNEG, 0, z), v));
}

/* +y: z, -y: -z, else -y. */
void valhall_lift_cube_tsel(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    ir_value y = valhall_f32(l, &insn->src[0]), z = valhall_f32(l, &insn->src[1]), face = face_source(l);
    ir_value v = ir_select(&l->b, on_face(l, face, 3), ir_op1(&l->b, IR_FNEG, 0, z), ir_op1(&l->b, IR_FNEG, 0, y));
    valhall_write(l, ir_select(&l->b, on_face(l, face, 2), z, v));
}
