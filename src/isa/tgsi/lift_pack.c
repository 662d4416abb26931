/* lift_pack.c - packing and unpacking: TBD in the document; as NV_fragment_program's instructions of these names,
 * whose results TGSI took over. Values are clamped, then rounded to nearest (ties to even). */
#include "isa/tgsi/lift.h"

/* Clamped to low..high, scaled, biased and rounded: an integer. NaN gives the lower end. */
static ir_value quantise(struct tgsi_lifter *l, ir_value v, float low, float high, float scale, float bias)
{
    struct ir_builder *b = &l->b;
    ir_value held = ir_op2(b, IR_FMAX, IR_MINMAX_SECOND, v, ir_const_f32(b, low)); /* NaN loses */
    held = ir_op2(b, IR_FMIN, IR_MINMAX_SECOND, held, ir_const_f32(b, high));
    held = ir_op2(b, IR_FMUL, 0, held, ir_const_f32(b, scale));
    if (bias != 0)
        held = ir_op2(b, IR_FADD, 0, held, ir_const_f32(b, bias));
    return tgsi_lift_to_integer(l, held, IR_RNE);
}

/* Fields of `bits` each, the first in the low bits. */
static ir_value join(struct tgsi_lifter *l, const ir_value *field, unsigned bits)
{
    ir_value word = field[0];
    for (unsigned c = 1; c < 32 / bits; c++)
        word = ir_op2(&l->b, IR_OR, 0, word, ir_op2(&l->b, IR_SHL, 0, field[c], ir_const_i32(&l->b, c * bits)));
    return word;
}

static ir_value field_of(struct tgsi_lifter *l, ir_value word, unsigned i, unsigned bits)
{
    ir_value v = i ? ir_op2(&l->b, IR_SHR_U, 0, word, ir_const_i32(&l->b, i * bits)) : word;
    return (i + 1) * bits == 32 ? v : ir_op2(&l->b, IR_AND, 0, v, ir_const_i32(&l->b, (1u << bits) - 1));
}

void tgsi_lift_pk2h(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    ir_value half[2];
    for (unsigned c = 0; c < 2; c++) {
        ir_value h = ir_cvt(&l->b, IR_F2F, IR_F16, 0, tgsi_lift_source(l, &insn->src[0], c, TGSI_T_F32));
        half[c] = ir_cvt(&l->b, IR_ZEXT, IR_I32, 0, ir_cvt(&l->b, IR_BITCAST, IR_I16, 0, h));
    }
    tgsi_lift_store_all(l, insn, join(l, half, 16));
}

/* PK2US and PK4UB: attr is the bits of a field. */
void tgsi_lift_pk_unorm(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    unsigned bits = tgsi_lift_row(insn)->attr;
    ir_value field[4];
    for (unsigned c = 0; c < 32 / bits; c++)
        field[c] = quantise(l, tgsi_lift_source(l, &insn->src[0], c, TGSI_T_F32), 0, 1, (float)((1u << bits) - 1), 0);
    tgsi_lift_store_all(l, insn, join(l, field, bits));
}

void tgsi_lift_pk4b(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    ir_value field[4];
    for (unsigned c = 0; c < 4; c++)
        field[c] = quantise(l, tgsi_lift_source(l, &insn->src[0], c, TGSI_T_F32), -128.0f / 127.0f, 1, 127, 128);
    tgsi_lift_store_all(l, insn, join(l, field, 8));
}

void tgsi_lift_up2h(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    ir_value word = tgsi_lift_source(l, &insn->src[0], 0, TGSI_T_U32), v[4];
    for (unsigned c = 0; c < 4; c++) {
        ir_value half = ir_cvt(&l->b, IR_TRUNC, IR_I16, 0, field_of(l, word, c & 1, 16));
        v[c] = ir_cvt(&l->b, IR_F2F, IR_F32, 0, ir_cvt(&l->b, IR_BITCAST, IR_F16, 0, half));
    }
    tgsi_lift_result(l, insn, &insn->dst[0], TGSI_T_F32, v);
}

/* UP2US and UP4UB: attr is the bits of a field. */
void tgsi_lift_up_unorm(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    unsigned bits = tgsi_lift_row(insn)->attr, fields = 32 / bits;
    ir_value word = tgsi_lift_source(l, &insn->src[0], 0, TGSI_T_U32), v[4];
    for (unsigned c = 0; c < 4; c++) {
        ir_value f = ir_cvt(&l->b, IR_U2F, IR_F32, 0, field_of(l, word, c % fields, bits));
        v[c] = ir_op2(&l->b, IR_FDIV, 0, f, ir_const_f32(&l->b, (float)((1u << bits) - 1)));
    }
    tgsi_lift_result(l, insn, &insn->dst[0], TGSI_T_F32, v);
}

void tgsi_lift_up4b(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    ir_value word = tgsi_lift_source(l, &insn->src[0], 0, TGSI_T_U32), v[4];
    for (unsigned c = 0; c < 4; c++) {
        ir_value biased = ir_op2(&l->b, IR_SUB, 0, field_of(l, word, c, 8), ir_const_i32(&l->b, 128));
        v[c] = ir_op2(&l->b, IR_FDIV, 0, ir_cvt(&l->b, IR_S2F, IR_F32, 0, biased), ir_const_f32(&l->b, 127));
    }
    tgsi_lift_result(l, insn, &insn->dst[0], TGSI_T_F32, v);
}
