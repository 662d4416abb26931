/* lift_integer.c - integer arithmetic on words and vectors, saturating where asked for, shifts combined with logic, and
 * operations on bits. */
#include "isa/valhall/lift.h"
#include "isa/valhall/lift_rows.h"

/* ---- one operation for every element of the row's type ---- */

static bool saturates(const struct valhall_lifter *l)
{
    return valhall_has_flag(l->insn, VALHALL_MOD_SATURATE);
}

/* Sum or difference, held to what the type has where that is asked for. The i types count as unsigned. */
static ir_value bounded(struct valhall_lifter *l, enum ir_opcode op, enum ir_opcode unsigned_op, ir_value a, ir_value b)
{
    if (saturates(l) && !valhall_is_signed(l->insn))
        return ir_op2(&l->b, unsigned_op, 0, a, b);
    return ir_op2(&l->b, op, saturates(l) ? IR_SAT : 0, a, b);
}

ir_value valhall_element_iadd(struct valhall_lifter *l, const ir_value *v)
{
    return bounded(l, IR_ADD, IR_ADD_SATU, v[0], v[1]);
}

ir_value valhall_element_isub(struct valhall_lifter *l, const ir_value *v)
{
    return bounded(l, IR_SUB, IR_SUB_SATU, v[0], v[1]);
}

/* The product in the next wider type, held to what the type has. */
static ir_value saturated_product(struct valhall_lifter *l, ir_value a, ir_value b)
{
    bool is_signed = valhall_is_signed(l->insn);
    enum ir_type type = ir_type_of(&l->b, a), wide = type == IR_I32 ? IR_I64 : IR_I32;
    enum ir_opcode extend = is_signed ? IR_SEXT : IR_ZEXT;
    unsigned bits = ir_type_bits(type);
    uint64_t most = (UINT64_C(1) << (is_signed ? bits - 1 : bits)) - 1;
    ir_value v = ir_op2(&l->b, IR_MUL, 0, ir_cvt(&l->b, extend, wide, 0, a), ir_cvt(&l->b, extend, wide, 0, b));
    v = ir_op2(&l->b, is_signed ? IR_MIN_S : IR_MIN_U, 0, v, ir_const(&l->b, wide, most));
    if (is_signed) /* ~most is the least value, in any width */
        v = ir_op2(&l->b, IR_MAX_S, 0, v, ir_const(&l->b, wide, wide == IR_I32 ? (uint32_t)~most : ~most));
    return ir_cvt(&l->b, IR_TRUNC, type, 0, v);
}

ir_value valhall_element_imul(struct valhall_lifter *l, const ir_value *v)
{
    return saturates(l) ? saturated_product(l, v[0], v[1]) : ir_op2(&l->b, IR_MUL, 0, v[0], v[1]);
}

/* (a + b) >> 1 = (a & b) + ((a ^ b) >> 1); rounded up: (a | b) - ((a ^ b) >> 1). */
ir_value valhall_element_hadd(struct valhall_lifter *l, const ir_value *v)
{
    bool up = valhall_mod(l->insn, VALHALL_MOD_RHADD);
    ir_value half = ir_op2(&l->b, IR_XOR, 0, v[0], v[1]);
    half = ir_op2(&l->b, valhall_is_signed(l->insn) ? IR_SHR_S : IR_SHR_U, 0, half, valhall_i32(l, 1));
    ir_value base = ir_op2(&l->b, up ? IR_OR : IR_AND, 0, v[0], v[1]);
    return ir_op2(&l->b, up ? IR_SUB : IR_ADD, 0, base, half);
}

#define UNARY(name, op)                                                                                                \
    ir_value valhall_element_##name(struct valhall_lifter *l, const ir_value *v)                                       \
    {                                                                                                                  \
        return ir_op1(&l->b, op, 0, v[0]);                                                                             \
    }
UNARY(clz, IR_CLZ)
UNARY(iabs, IR_ABS)
UNARY(popcount, IR_POPCOUNT)
UNARY(bitrev, IR_BITREV)
UNARY(not, IR_NOT)

ir_value valhall_element_mov(struct valhall_lifter *l, const ir_value *v)
{
    (void)l;
    return v[0];
}

/* ---- 64 bits ---- */

static ir_value low_word(struct valhall_lifter *l, ir_value v)
{
    return ir_type_of(&l->b, v) == IR_I64 ? ir_cvt(&l->b, IR_LO32, IR_I32, 0, v) : v;
}

/* A 32-bit by 32-bit product of 64 bits. */
void valhall_lift_imuld(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    ir_value v[2];
    for (unsigned i = 0; i < 2; i++)
        v[i] = ir_cvt(&l->b, IR_ZEXT, IR_I64, 0, low_word(l, valhall_whole(l, &insn->src[i], false)));
    valhall_write(l, ir_op2(&l->b, IR_MUL, 0, v[0], v[1]));
}

/* As SHADDX, without a shift: 64 bits with their carry. */
void valhall_lift_seg_add(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    ir_value a = valhall_bits64(l, &insn->src[0]), by = valhall_whole(l, &insn->src[1], false);
    ir_value moved = ir_op2(&l->b, valhall_mod(insn, VALHALL_MOD_NEG) ? IR_SUB : IR_ADD, 0, a, by);
    if (valhall_mod(insn, VALHALL_MOD_PRESERVE_NULL)) {
        ir_value null = ir_op2(&l->b, IR_EQ, 0, a, ir_const(&l->b, IR_I64, 0));
        moved = ir_select(&l->b, null, a, moved);
    }
    valhall_write(l, moved);
}

/* b is 64 bits, or the word, half or byte of them that its swizzle picks. */
void valhall_lift_shaddx(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    ir_value v = valhall_whole(l, &insn->src[1], valhall_is_signed(insn));
    v = ir_op2(&l->b, IR_SHL, 0, v, valhall_i32(l, (uint32_t)insn->imm[0]));
    valhall_write(l, ir_op2(&l->b, IR_ADD, 0, valhall_bits64(l, &insn->src[0]), v));
}

/* ---- dot product of bytes ---- */

/* The accumulator is summed in 64 bits, so that saturation sees the exact sum. */
void valhall_lift_idp(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    bool is_signed = valhall_is_signed(insn);
    enum ir_opcode extend = is_signed ? IR_SEXT : IR_ZEXT;
    ir_value sum = valhall_i32(l, 0);
    for (unsigned lane = 0; lane < 4; lane++) {
        ir_value v[2];
        for (unsigned i = 0; i < 2; i++)
            v[i] = ir_cvt(&l->b, extend, IR_I32, 0, valhall_element(l, &insn->src[i], IR_I8, lane, is_signed));
        sum = ir_op2(&l->b, IR_ADD, 0, sum, ir_op2(&l->b, IR_MUL, 0, v[0], v[1]));
    }
    ir_value with = valhall_bits(l, &insn->src[2]); /* the sum is at most 4 * 255 * 255: its sign is right */
    valhall_write(l, bounded(l, IR_ADD, IR_ADD_SATU, sum, with));
}

/* ---- bits ---- */

void valhall_lift_mkvec16(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    ir_value v[2] = {valhall_element(l, &insn->src[0], IR_I16, 0, false),
                     valhall_element(l, &insn->src[1], IR_I16, 0, false)};
    valhall_write_lanes(l, v, 2);
}

void valhall_lift_mkvec8(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    ir_value v[4] = {valhall_element(l, &insn->src[0], IR_I8, 0, false),
                     valhall_element(l, &insn->src[1], IR_I8, 0, false)};
    struct valhall_source cd = insn->src[2];
    cd.pick = NULL;
    for (unsigned i = 0; i < 2; i++)
        v[2 + i] = valhall_element(l, &cd, IR_I8, i, false);
    valhall_write_lanes(l, v, 4);
}

/* ---- shift, then logic ---- */

/* Counts are bytes of the second source, modulo the width: element i takes the i-th of those that are picked. Of
 * vectors of bytes the two picked ones come round again, but for b02, whose number is 0: each has its own. */
static ir_value count_of(struct valhall_lifter *l, const struct valhall_source *s, unsigned lane, unsigned bits)
{
    struct valhall_source own = *s;
    own.pick = NULL;
    if (bits == 8 && s->pick && s->pick->element[0] == 0 && s->pick->element[1] == 2)
        s = &own;
    ir_value count = ir_cvt(&l->b, IR_ZEXT, IR_I32, 0, valhall_element(l, s, IR_I8, lane, false));
    return ir_op2(&l->b, IR_AND, 0, count, valhall_i32(l, bits - 1));
}

static ir_value shift_logic(struct valhall_lifter *l, ir_value a, ir_value count, ir_value c)
{
    const struct valhall_row *row = l->insn->row;
    static const enum ir_opcode logic[3] = {IR_AND, IR_OR, IR_XOR};
    bool left = row->arg >= VALHALL_LSHIFT_AND, is_signed = !left && valhall_mod(l->insn, VALHALL_MOD_SIGNED);
    a = ir_op2(&l->b, left ? IR_SHL : is_signed ? IR_SHR_S : IR_SHR_U, 0, a, count);
    a = ir_op2(&l->b, logic[row->arg - (left ? VALHALL_LSHIFT_AND : VALHALL_RSHIFT_AND)], 0, a, c);
    return valhall_mod(l->insn, VALHALL_MOD_NOT_RESULT) ? ir_op1(&l->b, IR_NOT, 0, a) : a;
}

void valhall_lift_shift(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    unsigned lanes = insn->row->lanes;
    ir_value v[4];
    for (unsigned lane = 0; lane < lanes; lane++)
        v[lane] = shift_logic(l, valhall_number(l, &insn->src[0], lane, false),
                              count_of(l, &insn->src[1], lane, insn->row->size),
                              valhall_number(l, &insn->src[2], lane, false));
    valhall_write_lanes(l, v, lanes);
}
