/* lift_legacy.c - opcodes of fixed function and of old shader models, most of them gone from today's Gallium. */
#include "isa/tgsi/lift.h"

static ir_value source_f32(struct tgsi_lifter *l, const struct tgsi_insn *insn, unsigned i, unsigned component)
{
    return tgsi_lift_source(l, &insn->src[i], component, TGSI_T_F32);
}

static ir_value number(struct tgsi_lifter *l, float value)
{
    return ir_const_f32(&l->b, value);
}

static ir_value op2(struct tgsi_lifter *l, enum ir_opcode code, ir_value a, ir_value c)
{
    return ir_op2(&l->b, code, 0, a, c);
}

static void store4(struct tgsi_lifter *l, const struct tgsi_insn *insn, ir_value x, ir_value y, ir_value z, ir_value w)
{
    tgsi_lift_result(l, insn, &insn->dst[0], tgsi_lift_row(insn)->dst_type, (const ir_value[4]){x, y, z, w});
}

/* Sum of the products of the first n components of two vectors. */
static ir_value dot(struct tgsi_lifter *l, const ir_value *a, const ir_value *c, unsigned n)
{
    ir_value sum = op2(l, IR_FMUL, a[0], c[0]);
    for (unsigned i = 1; i < n; i++)
        sum = op2(l, IR_FADD, sum, op2(l, IR_FMUL, a[i], c[i]));
    return sum;
}

/* The first n components of a source. */
static void vector(struct tgsi_lifter *l, const struct tgsi_insn *insn, unsigned i, ir_value v[4], unsigned n)
{
    for (unsigned c = 0; c < n; c++)
        v[c] = source_f32(l, insn, i, c);
}

/* clamp(x, y, z) of "Functions": (x < y) ? y : (x > z) ? z : x. */
static ir_value clamp_value(struct tgsi_lifter *l, ir_value x, ir_value low, ir_value high)
{
    ir_value top = ir_select(&l->b, op2(l, IR_FLT, high, x), high, x);
    return ir_select(&l->b, op2(l, IR_FLT, x, low), low, top);
}

/* ---- vectors made of several things ---- */

void tgsi_lift_lit(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    ir_value zero = number(l, 0), one = number(l, 1);
    ir_value x = source_f32(l, insn, 0, 0), y = source_f32(l, insn, 0, 1), w = source_f32(l, insn, 0, 3);
    ir_value base = ir_op2(&l->b, IR_FMAX, IR_MINMAX_SECOND, y, zero);
    ir_value power = op2(l, IR_FPOW, base, clamp_value(l, w, number(l, -128), number(l, 128)));
    ir_value specular = ir_select(&l->b, op2(l, IR_FLT, zero, x), power, zero);
    store4(l, insn, one, ir_op2(&l->b, IR_FMAX, IR_MINMAX_SECOND, x, zero), specular, one);
}

void tgsi_lift_exp(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    ir_value x = source_f32(l, insn, 0, 0), floor = ir_op1(&l->b, IR_FRINT, IR_RDN, x);
    store4(l, insn, ir_op1(&l->b, IR_FEXP2, 0, floor), op2(l, IR_FSUB, x, floor), ir_op1(&l->b, IR_FEXP2, 0, x),
           number(l, 1));
}

/* Exponent and significand come from the number's own bits, so that a logarithm rounded up to an integer cannot
 * spoil them; at 0, infinity and NaN the formula's own values. */
void tgsi_lift_log(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct ir_builder *b = &l->b;
    ir_value x = ir_op1(b, IR_FABS, 0, source_f32(l, insn, 0, 0)), log = ir_op1(b, IR_FLOG2, 0, x);
    ir_value finite =
        op2(l, IR_AND, op2(l, IR_FLT, number(l, 0), x), op2(l, IR_FLT, x, ir_const(b, IR_F32, 0x7f800000)));
    ir_value exponent = op2(l, IR_SUB, ir_op1(b, IR_FREXP_EXP, 0, x), ir_const_i32(b, 1));
    ir_value significand = op2(l, IR_FMUL, ir_op1(b, IR_FREXP_MANT, 0, x), number(l, 2));
    store4(l, insn, ir_select(b, finite, ir_cvt(b, IR_S2F, IR_F32, 0, exponent), log),
           ir_select(b, finite, significand, ir_const(b, IR_F32, 0x7fc00000)), log, number(l, 1));
}

void tgsi_lift_dst(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    store4(l, insn, number(l, 1), op2(l, IR_FMUL, source_f32(l, insn, 0, 1), source_f32(l, insn, 1, 1)),
           source_f32(l, insn, 0, 2), source_f32(l, insn, 1, 3));
}

void tgsi_lift_xpd(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    ir_value a[4] = {0}, c[4] = {0}, r[3];
    vector(l, insn, 0, a, 3);
    vector(l, insn, 1, c, 3);
    for (unsigned i = 0; i < 3; i++) {
        unsigned y = (i + 1) % 3, z = (i + 2) % 3;
        r[i] = op2(l, IR_FSUB, op2(l, IR_FMUL, a[y], c[z]), op2(l, IR_FMUL, c[y], a[z]));
    }
    store4(l, insn, r[0], r[1], r[2], number(l, 1));
}

/* src1 reflected at the axis src0: 2 * (a.b) / (a.a) * a - b. */
void tgsi_lift_rfl(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    ir_value a[4] = {0}, c[4] = {0}, r[3];
    vector(l, insn, 0, a, 3);
    vector(l, insn, 1, c, 3);
    ir_value twice = op2(l, IR_FMUL, number(l, 2), dot(l, a, c, 3));
    ir_value scale = op2(l, IR_FDIV, twice, dot(l, a, a, 3));
    for (unsigned i = 0; i < 3; i++)
        r[i] = op2(l, IR_FSUB, op2(l, IR_FMUL, scale, a[i]), c[i]);
    store4(l, insn, r[0], r[1], r[2], number(l, 1));
}

void tgsi_lift_x2d(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    ir_value a[4] = {0}, c[4] = {0}, d[4] = {0};
    vector(l, insn, 0, a, 2);
    vector(l, insn, 1, c, 2);
    vector(l, insn, 2, d, 4);
    ir_value x = op2(l, IR_FADD, op2(l, IR_FADD, a[0], op2(l, IR_FMUL, c[0], d[0])), op2(l, IR_FMUL, c[1], d[1]));
    ir_value y = op2(l, IR_FADD, op2(l, IR_FADD, a[1], op2(l, IR_FMUL, c[0], d[2])), op2(l, IR_FMUL, c[1], d[3]));
    store4(l, insn, x, y, x, y);
}

void tgsi_lift_scs(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    ir_value x = source_f32(l, insn, 0, 0);
    store4(l, insn, ir_op1(&l->b, IR_FCOS, 0, x), ir_op1(&l->b, IR_FSIN, 0, x), number(l, 0), number(l, 1));
}

/* NRM and NRM4 (attr: 3 and 4). The document forgets the square root, and has NRM4 replicate x. */
void tgsi_lift_nrm(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    unsigned n = tgsi_lift_row(insn)->attr;
    ir_value v[4] = {0};
    vector(l, insn, 0, v, n);
    ir_value length = ir_op1(&l->b, IR_FSQRT, 0, dot(l, v, v, n));
    for (unsigned c = 0; c < n; c++)
        v[c] = op2(l, IR_FDIV, v[c], length);
    if (n == 3)
        v[3] = number(l, 1);
    store4(l, insn, v[0], v[1], v[2], v[3]);
}

/* ---- scalars ---- */

void tgsi_lift_dp2a(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    ir_value a[4] = {0}, c[4] = {0};
    vector(l, insn, 0, a, 2);
    vector(l, insn, 1, c, 2);
    tgsi_lift_store_all(l, insn, op2(l, IR_FADD, dot(l, a, c, 2), source_f32(l, insn, 2, 0)));
}

void tgsi_lift_dph(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    ir_value a[4] = {0}, c[4] = {0};
    vector(l, insn, 0, a, 3);
    vector(l, insn, 1, c, 4);
    tgsi_lift_store_all(l, insn, op2(l, IR_FADD, dot(l, a, c, 3), c[3]));
}

/* The document's decimals, which are 2^-64 and 1.02 * 2^64. */
void tgsi_lift_rcc(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    const float least = 5.42101e-020f, most = 1.884467e+019f;
    ir_value r = op2(l, IR_FDIV, number(l, 1), source_f32(l, insn, 0, 0));
    ir_value above = clamp_value(l, r, number(l, least), number(l, most));
    ir_value below = clamp_value(l, r, number(l, -most), number(l, -least));
    tgsi_lift_store_all(l, insn, ir_select(&l->b, op2(l, IR_FLT, number(l, 0), r), above, below));
}

/* SFL and STR (attr: 0 and 1). */
void tgsi_lift_set_constant(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    tgsi_lift_store_all(l, insn, number(l, (float)tgsi_lift_row(insn)->attr));
}

/* ---- component-wise ---- */

ir_value tgsi_element_cnd(struct tgsi_lifter *l, const ir_value *a)
{
    return ir_select(&l->b, op2(l, IR_FLT, number(l, 0.5f), a[2]), a[0], a[1]);
}

ir_value tgsi_element_clamp(struct tgsi_lifter *l, const ir_value *a)
{
    return clamp_value(l, a[0], a[1], a[2]);
}

/* Unsigned, as the operation of NV_gpu_program4 with its default type. */
ir_value tgsi_element_sad(struct tgsi_lifter *l, const ir_value *a)
{
    ir_value difference = op2(l, IR_SUB, op2(l, IR_MAX_U, a[0], a[1]), op2(l, IR_MIN_U, a[0], a[1]));
    return op2(l, IR_ADD, difference, a[2]);
}

/* ---- address registers ---- */

/* TBD in the document; NV_vertex_program2's ARA: (x + z, y + w, x + z, y + w). */
void tgsi_lift_ara(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    ir_value v[4] = {0};
    for (unsigned c = 0; c < 4; c++)
        v[c] = tgsi_lift_source(l, &insn->src[0], c, TGSI_T_I32);
    ir_value x = op2(l, IR_ADD, v[0], v[2]), y = op2(l, IR_ADD, v[1], v[3]);
    store4(l, insn, x, y, x, y);
}

static ir_value address_top(struct tgsi_lifter *l)
{
    return ir_get(&l->b, l->address_top, 0, IR_I32);
}

/* One component of the stack; pushing too much or popping too much follows the rule for registers out of range. */
static struct ir_reg address_slot(const struct tgsi_lifter *l)
{
    return (struct ir_reg){.file = (uint16_t)l->address_stack,
                           .part = IR_I32,
                           .stride = 1,
                           .first = 0,
                           .last = TGSI_LIFT_ADDRESS_STACK - 1};
}

void tgsi_lift_pusha(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    ir_value top = address_top(l);
    for (unsigned c = 0; c < 4; c++)
        ir_set_dyn(&l->b, address_slot(l), op2(l, IR_ADD, top, ir_const_i32(&l->b, c)),
                   tgsi_lift_source(l, &insn->src[0], c, TGSI_T_I32), 0);
    ir_set(&l->b, l->address_top, 0, op2(l, IR_ADD, top, ir_const_i32(&l->b, 4)), 0);
}

void tgsi_lift_popa(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    ir_value top = address_top(l), v[4];
    for (unsigned c = 0; c < 4; c++)
        v[c] = ir_get_dyn(&l->b, address_slot(l), op2(l, IR_SUB, top, ir_const_i32(&l->b, 4 - c)), IR_I32);
    ir_set(&l->b, l->address_top, 0, op2(l, IR_SUB, top, ir_const_i32(&l->b, 4)), 0);
    store4(l, insn, v[0], v[1], v[2], v[3]);
}
