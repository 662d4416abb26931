/* lift_dot.c - dot products of integers, of vectors or of four bytes in a word. */
#include "isa/spirv/lift.h"

/* Component i of an operand, which is a vector, or a word of four bytes; as wide as the result. */
static ir_value component(struct spirv_lifter *l, const ir_value *a, bool packed, uint32_t i, bool is_signed,
                          enum ir_type to)
{
    ir_value v = a[packed ? 0 : i];
    if (packed)
        v = spirv_cvt(l, IR_TRUNC, IR_I8, i ? spirv_2(l, IR_SHR_U, v, spirv_i32(l, 8 * i)) : v);
    return ir_type_of(&l->b, v) == to ? v : spirv_cvt(l, is_signed ? IR_SEXT : IR_ZEXT, to, v);
}

/* The nearest number of the type to a + b: with a sign, where the sum has another one than both. */
static ir_value saturated(struct spirv_lifter *l, ir_value a, ir_value b, bool is_signed)
{
    enum ir_type type = ir_type_of(&l->b, a);
    unsigned bits = ir_type_bits(type);
    ir_value sum = spirv_2(l, IR_ADD, a, b);
    if (!is_signed)
        return spirv_select(l, spirv_2(l, IR_LT_U, sum, a), spirv_const(l, type, UINT64_MAX), sum);
    ir_value differs = spirv_2(l, IR_AND, spirv_2(l, IR_XOR, a, sum), spirv_2(l, IR_XOR, b, sum));
    ir_value most = spirv_const(l, type, (UINT64_C(1) << (bits - 1)) - 1);
    ir_value end = spirv_2(l, IR_XOR, most, spirv_2(l, IR_SHR_S, a, spirv_i32(l, bits - 1)));
    return spirv_select(l, spirv_2(l, IR_LT_S, differs, spirv_const(l, type, 0)), end, sum);
}

void spirv_lift_integer_dot(struct spirv_lifter *l, const uint32_t *w)
{
    unsigned flags = l->meaning->op;
    uint32_t count, other;
    const ir_value *a = spirv_use_alike(l, w[3], &count), *b = a ? spirv_use_alike(l, w[4], &other) : NULL;
    const uint8_t *leaf = b ? spirv_leaves(l, w[1]) : NULL;
    if (!leaf)
        return;
    enum ir_type to = (enum ir_type)leaf[0], from = ir_type_of(&l->b, a[0]);
    bool packed = count == 1, integers = to >= IR_I8 && to <= IR_I64 && from >= IR_I8 && from <= IR_I64;
    if (!integers || other != count || ir_type_of(&l->b, b[0]) != from || (packed && from != IR_I32) ||
        (!packed && ir_type_bits(to) < ir_type_bits(from))) {
        spirv_wrong(l, "its operands are of types that it does not take");
        return;
    }
    ir_value sum = 0;
    for (uint32_t i = 0; i < (packed ? 4 : count); i++) {
        ir_value product = spirv_2(l, IR_MUL, component(l, a, packed, i, flags & SPIRV_DOT_A, to),
                                   component(l, b, packed, i, flags & SPIRV_DOT_B, to));
        sum = sum ? spirv_2(l, IR_ADD, sum, product) : product;
    }
    if (flags & SPIRV_DOT_SUM) {
        ir_value before = spirv_use_one(l, w[5], to);
        sum = before ? saturated(l, before, sum, flags & SPIRV_DOT_A) : 0;
    }
    if (sum && !l->failed)
        spirv_result(l, &sum, 1);
}
