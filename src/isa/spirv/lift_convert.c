/* lift_convert.c - conversions, shifts and bit fields. */
#include "isa/spirv/lift.h"

static enum ir_type result_scalar(struct spirv_lifter *l)
{
    const uint8_t *leaf = spirv_leaves(l, l->w[1]);
    return leaf && spirv_type(l, l->w[1])->scalars ? (enum ir_type)leaf[0] : IR_VOID;
}

static bool is_integer(enum ir_type type)
{
    return type >= IR_I8 && type <= IR_I64;
}

/* An integer as another width. */
static ir_value resize(struct spirv_lifter *l, ir_value v, enum ir_type to, bool sign)
{
    unsigned have = ir_type_bits(ir_type_of(&l->b, v)), want = ir_type_bits(to);
    return have == want ? v : spirv_cvt(l, have > want ? IR_TRUNC : sign ? IR_SEXT : IR_ZEXT, to, v);
}

/* ---- conversions ---- */

void spirv_lift_convert(struct spirv_lifter *l, const uint32_t *w)
{
    const struct spirv_meaning *m = l->meaning;
    enum ir_opcode code = (enum ir_opcode)m->op;
    enum ir_type to = result_scalar(l);
    uint32_t count;
    const ir_value *a = spirv_use_alike(l, w[3], &count);
    ir_value *v = a ? spirv_room(l, count) : NULL;
    if (!v)
        return;
    bool from_float = code == IR_F2S || code == IR_F2U || code == IR_F2F, to_float = code != IR_F2S && code != IR_F2U;
    enum ir_type from = ir_type_of(&l->b, a[0]);
    if ((from_float ? from < IR_F16 : !is_integer(from)) || (to_float ? to < IR_F16 : !is_integer(to)) ||
        (code == IR_F2F && from == to)) {
        spirv_wrong(l, "its operand or result is of a type that it does not take");
        return;
    }
    unsigned attr = m->attr;
    const struct spirv_decoration *round = spirv_decoration_of(l->m, w[2], SPIRV_NONE, SpvDecorationFPRoundingMode);
    if (round && to_float)
        attr = round->w[0] == SpvFPRoundingModeRTZ   ? IR_RTZ
               : round->w[0] == SpvFPRoundingModeRTP ? IR_RUP
               : round->w[0] == SpvFPRoundingModeRTN ? IR_RDN
                                                     : IR_RNE;
    for (uint32_t i = 0; i < count; i++)
        v[i] = spirv_emit(l, code, to, attr, &a[i], 1, 0);
    spirv_result(l, v, count);
}

void spirv_lift_widen(struct spirv_lifter *l, const uint32_t *w)
{
    enum ir_type to = result_scalar(l);
    uint32_t count;
    const ir_value *a = spirv_use_alike(l, w[3], &count);
    ir_value *v = a ? spirv_room(l, count) : NULL;
    if (!v)
        return;
    if (!is_integer(to) || !is_integer(ir_type_of(&l->b, a[0]))) {
        spirv_wrong(l, "its operand or result is not of integers");
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        v[i] = resize(l, a[i], to, l->meaning->op == IR_SEXT);
    spirv_result(l, v, count);
}

/* Components of another width: the first one has the low bits. */
static void split_bits(struct spirv_lifter *l, ir_value *v, uint32_t *at, ir_value from, enum ir_type to)
{
    unsigned have = ir_type_bits(ir_type_of(&l->b, from)), want = ir_type_bits(to);
    enum ir_type wide = have == 64 ? IR_I64 : have == 32 ? IR_I32 : IR_I16;
    enum ir_type narrow = want == 32 ? IR_I32 : want == 16 ? IR_I16 : IR_I8;
    ir_value bits = spirv_as(l, wide, from);
    for (unsigned shift = 0; shift < have; shift += want) {
        ir_value part = shift ? spirv_2(l, IR_SHR_U, bits, spirv_i32(l, shift)) : bits;
        v[(*at)++] = spirv_as(l, to, spirv_cvt(l, IR_TRUNC, narrow, part));
    }
}

static ir_value join_bits(struct spirv_lifter *l, const ir_value *a, enum ir_type to)
{
    unsigned have = ir_type_bits(ir_type_of(&l->b, a[0])), want = ir_type_bits(to);
    enum ir_type wide = want == 64 ? IR_I64 : want == 32 ? IR_I32 : IR_I16;
    enum ir_type narrow = have == 32 ? IR_I32 : have == 16 ? IR_I16 : IR_I8;
    ir_value all = 0;
    for (unsigned shift = 0; shift < want; shift += have, a++) {
        ir_value part = spirv_cvt(l, IR_ZEXT, wide, spirv_as(l, narrow, *a));
        part = shift ? spirv_2(l, IR_SHL, part, spirv_i32(l, shift)) : part;
        all = all ? spirv_2(l, IR_OR, all, part) : part;
    }
    return spirv_as(l, to, all);
}

void spirv_lift_bitcast(struct spirv_lifter *l, const uint32_t *w)
{
    enum ir_type to = result_scalar(l);
    uint32_t count, at = 0, wanted = spirv_type(l, w[1])->scalars;
    const ir_value *a = spirv_use_alike(l, w[3], &count);
    if (!a)
        return;
    enum ir_type from = ir_type_of(&l->b, a[0]);
    unsigned have = ir_type_bits(from), want = ir_type_bits(to);
    if (from < IR_I8 || to < IR_I8 || (uint64_t)have * count != (uint64_t)want * wanted) {
        spirv_wrong(l, "its operand has not as many bits as its result, or is not of numbers");
        return;
    }
    ir_value *v = spirv_room(l, wanted);
    for (uint32_t i = 0; v && i < count && at < wanted; i++) {
        if (have == want)
            v[at++] = spirv_as(l, to, a[i]);
        else if (have > want)
            split_bits(l, v, &at, a[i], to);
        else {
            v[at++] = join_bits(l, a + i, to);
            i += want / have - 1;
        }
    }
    if (v)
        spirv_result(l, v, wanted);
}

void spirv_lift_quantize(struct spirv_lifter *l, const uint32_t *w)
{
    uint32_t count;
    const ir_value *a = spirv_use_alike(l, w[3], &count);
    ir_value *v = a ? spirv_room(l, count) : NULL;
    if (!v)
        return;
    for (uint32_t i = 0; i < count; i++) {
        if (ir_type_of(&l->b, a[i]) != IR_F32) {
            spirv_wrong(l, "its operand is not of floats of 32 bits");
            return;
        }
        ir_value half = spirv_emit(l, IR_F2F, IR_F16, IR_FLUSH_OUT, &a[i], 1, 0);
        v[i] = spirv_cvt(l, IR_F2F, IR_F32, half);
    }
    spirv_result(l, v, count);
}

/* ---- shifts and fields ---- */

/* n integers of the result's type, any number of them. */
static const ir_value *integers(struct spirv_lifter *l, uint32_t id, uint32_t *n)
{
    const ir_value *a = spirv_use_alike(l, id, n);
    if (a && is_integer(ir_type_of(&l->b, a[0])))
        return a;
    spirv_wrong(l, "its operands are not integers");
    return NULL;
}

void spirv_lift_shift(struct spirv_lifter *l, const uint32_t *w)
{
    uint32_t count, counts;
    const ir_value *a = integers(l, w[3], &count), *by = a ? integers(l, w[4], &counts) : NULL;
    ir_value *v = by ? spirv_room(l, count) : NULL;
    if (!v)
        return;
    if (counts != count) {
        spirv_wrong(l, "its operands are of sizes that do not go together");
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        v[i] = spirv_2(l, (enum ir_opcode)l->meaning->op, a[i], resize(l, by[i], IR_I32, false));
    spirv_result(l, v, count);
}

/* The low `bits` bits set; all of them for the whole width. */
static ir_value mask_of(struct spirv_lifter *l, enum ir_type type, ir_value bits)
{
    unsigned width = ir_type_bits(type);
    ir_value one = spirv_const(l, type, 1);
    ir_value part = spirv_2(l, IR_SUB, spirv_2(l, IR_SHL, one, bits), one);
    ir_value whole = spirv_2(l, IR_LE_U, spirv_i32(l, width), bits);
    return spirv_select(l, whole, spirv_const(l, type, UINT64_MAX), part);
}

void spirv_lift_field_insert(struct spirv_lifter *l, const uint32_t *w)
{
    uint32_t count, others;
    const ir_value *base = integers(l, w[3], &count), *insert = base ? integers(l, w[4], &others) : NULL;
    if (!insert)
        return;
    ir_value offset = spirv_use_index(l, w[5]), bits = spirv_use_index(l, w[6]), *v = spirv_room(l, count);
    if (!offset || !bits || !v)
        return;
    enum ir_type type = ir_type_of(&l->b, base[0]);
    if (others != count || ir_type_of(&l->b, insert[0]) != type) {
        spirv_wrong(l, "its operands are of types that do not go together");
        return;
    }
    ir_value mask = spirv_2(l, IR_SHL, mask_of(l, type, bits), offset);
    /* no bits: nothing is inserted, wherever it would be */
    mask = spirv_select(l, spirv_2(l, IR_EQ, bits, spirv_i32(l, 0)), spirv_const(l, type, 0), mask);
    for (uint32_t i = 0; i < count; i++)
        v[i] = spirv_2(l, IR_OR, spirv_2(l, IR_AND, base[i], spirv_1(l, IR_NOT, mask)),
                       spirv_2(l, IR_AND, spirv_2(l, IR_SHL, insert[i], offset), mask));
    spirv_result(l, v, count);
}

void spirv_lift_field_extract(struct spirv_lifter *l, const uint32_t *w)
{
    uint32_t count;
    const ir_value *base = integers(l, w[3], &count);
    if (!base)
        return;
    ir_value offset = spirv_use_index(l, w[4]), bits = spirv_use_index(l, w[5]), *v = spirv_room(l, count);
    if (!offset || !bits || !v)
        return;
    enum ir_type type = ir_type_of(&l->b, base[0]);
    enum ir_opcode right = (enum ir_opcode)l->meaning->op;
    ir_value width = spirv_i32(l, ir_type_bits(type)), none = spirv_2(l, IR_EQ, bits, spirv_i32(l, 0));
    ir_value down = spirv_2(l, IR_SUB, width, bits);
    ir_value up = spirv_2(l, IR_SUB, down, offset);
    for (uint32_t i = 0; i < count; i++)
        v[i] = spirv_select(l, none, spirv_const(l, type, 0),
                            spirv_2(l, right, spirv_2(l, IR_SHL, base[i], up), down));
    spirv_result(l, v, count);
}

void spirv_lift_bit_count(struct spirv_lifter *l, const uint32_t *w)
{
    uint32_t count;
    const ir_value *a = integers(l, w[3], &count);
    enum ir_type to = result_scalar(l);
    ir_value *v = a ? spirv_room(l, count) : NULL;
    if (!v)
        return;
    if (!is_integer(to)) {
        spirv_wrong(l, "its result is not of integers");
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        v[i] = resize(l, spirv_1(l, IR_POPCOUNT, a[i]), to, false);
    spirv_result(l, v, count);
}
