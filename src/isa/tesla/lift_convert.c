/* lift_convert.c - cvt between all types: the operand's and the destination's say which. */
#include "isa/tesla/lift.h"

#define CALL(l, name, type, how, a) lift_call(&l->b, #name, tesla_lanes_##name, type, how, &(ir_value){a}, 1)

static uint64_t how_of(const struct tesla_lifter *l, const struct tesla_decoded *d)
{
    uint64_t how = d->rounding;
    if (d->modifiers & TESLA_SAT)
        how |= TESLA_HOW_SAT | (l->how & TESLA_HOW_SAT_NAN);
    if (d->modifiers & TESLA_TO_INTEGER)
        how |= TESLA_HOW_RINT;
    return how | tesla_how_types((struct tesla_convert_types){
                     (uint8_t)tesla_type_bits(d->src[0].type), (uint8_t)tesla_type_bits(d->dst.type),
                     tesla_type_is_signed(d->src[0].type), tesla_type_is_signed(d->dst.type)});
}

/* abs and neg of a float that is f32 by now. */
static ir_value modify(struct tesla_lifter *l, const struct tesla_operand *o, ir_value v)
{
    if (o->abs)
        v = ir_op1(&l->b, IR_FABS, 0, v);
    return o->neg ? ir_op1(&l->b, IR_FNEG, 0, v) : v;
}

static void finish_float(struct tesla_lifter *l, const struct tesla_decoded *d, ir_value v)
{
    tesla_float_flags(l, d, v);
    tesla_write(l, &d->dst, v);
}

static void finish_half(struct tesla_lifter *l, const struct tesla_decoded *d, uint64_t how, ir_value half)
{
    tesla_float_flags(l, d, CALL(l, half_to_float, IR_F32, how, half));
    tesla_write(l, &d->dst, half);
}

/* An integer whose overflow is known. */
static void finish_integer(struct tesla_lifter *l, const struct tesla_decoded *d, ir_value v, ir_value overflow)
{
    ir_value zero = ir_const(&l->b, ir_type_of(&l->b, v), 0);
    if (d->cdst != TESLA_NO_C)
        tesla_set_flags(l, d->cdst, ir_op2(&l->b, IR_EQ, 0, v, zero), ir_op2(&l->b, IR_LT_S, 0, v, zero), 0,
                        ir_op2(&l->b, IR_NE, 0, overflow, ir_const_i32(&l->b, 0)));
    tesla_write(l, &d->dst, v);
}

static void from_double(struct tesla_lifter *l, const struct tesla_decoded *d, uint64_t how)
{
    ir_value v = tesla_source(l, &d->src[0]);
    if (d->dst.type == TESLA_F64) {
        finish_float(l, d, CALL(l, double_to_double, IR_F64, how, v));
    } else if (d->dst.type == TESLA_F32) {
        finish_float(l, d, CALL(l, double_to_float, IR_F32, how, v));
    } else {
        ir_value res = CALL(l, double_to_int, IR_I64, how, v),
                 overflow = CALL(l, double_to_int_overflow, IR_I32, how, v);
        bool wide = tesla_type_bits(d->dst.type) == 64;
        finish_integer(l, d, wide ? res : ir_cvt(&l->b, IR_LO32, IR_I32, 0, res), overflow);
    }
}

static void from_float(struct tesla_lifter *l, const struct tesla_decoded *d, uint64_t how)
{
    ir_value bits = tesla_source_bits(l, &d->src[0]);
    ir_value plain =
        d->src[0].type == TESLA_F16 ? CALL(l, half_to_float, IR_F32, how, bits) : ir_as(&l->b, IR_F32, bits);
    ir_value v = modify(l, &d->src[0], plain);
    if (d->dst.type == TESLA_F64 && (d->src[0].abs || d->src[0].neg)) /* the signs of NaNs stay */
        v = ir_select(&l->b, ir_op2(&l->b, IR_FUNORD, 0, plain, plain), plain, v);
    switch ((enum tesla_type)d->dst.type) {
    case TESLA_F64:
        finish_float(l, d, CALL(l, float_to_double, IR_F64, how, v));
        return;
    case TESLA_F32:
        finish_float(l, d, CALL(l, float_to_float, IR_F32, how, v));
        return;
    case TESLA_F16:
        finish_half(l, d, how, CALL(l, float_to_half, IR_I32, how, v));
        return;
    case TESLA_U64:
    case TESLA_S64:
        finish_integer(l, d, CALL(l, float_to_int64, IR_I64, how, v), CALL(l, float_to_int64_overflow, IR_I32, how, v));
        return;
    default:
        break;
    }
    ir_value res = CALL(l, float_to_int, IR_I32, how, v);
    tesla_integer_flags(l, d, res, tesla_type_bits(d->dst.type) == 16 ? 16 : 32, 0, 0);
    tesla_write(l, &d->dst, res);
}

/* From whole words to the nearest f32, as the IR has it. */
static bool is_ordinary(const struct tesla_decoded *d, uint64_t how)
{
    uint64_t types = ~(uint64_t)0 << TESLA_HOW_WIDTH;
    return tesla_type_bits(d->src[0].type) == 32 && (how & ~types) == TESLA_RN;
}

static void from_integer(struct tesla_lifter *l, const struct tesla_decoded *d, uint64_t how)
{
    how |= (d->src[0].abs ? (uint64_t)TESLA_HOW_ABS : 0) | (d->src[0].neg ? (uint64_t)TESLA_HOW_NEG : 0);
    ir_value v = tesla_source_bits(l, &d->src[0]);
    bool wide = ir_type_of(&l->b, v) == IR_I64;
    switch ((enum tesla_type)d->dst.type) {
    case TESLA_F64:
        finish_float(l, d, CALL(l, int_to_double, IR_F64, how, wide ? v : ir_cvt(&l->b, IR_ZEXT, IR_I64, 0, v)));
        return;
    case TESLA_F32:
        if (is_ordinary(d, how))
            v = ir_cvt(&l->b, tesla_type_is_signed(d->src[0].type) ? IR_S2F : IR_U2F, IR_F32, IR_RNE, v);
        else
            v = wide ? CALL(l, int64_to_float, IR_F32, how, v) : CALL(l, int_to_float, IR_F32, how, v);
        finish_float(l, d, v);
        return;
    case TESLA_F16:
        finish_half(l, d, how, CALL(l, int_to_half, IR_I32, how, v));
        return;
    default:
        break;
    }
    ir_value res = CALL(l, int_to_int, IR_I32, how, v);
    bool wide_register = l->insn->word >> 58 & 1; /* `#` and o[] do not say */
    tesla_integer_flags(l, d, res, wide_register ? 32 : 16, 0, 0);
    tesla_write(l, &d->dst, res);
}

void tesla_lift_cvt(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    uint64_t how = how_of(l, d);
    /* Between floats the chip rounds to an integer when bit 59 says so, even where text has no word for it. */
    if (tesla_type_is_float(d->src[0].type) && tesla_type_is_float(d->dst.type) && (l->insn->word >> 59 & 1))
        how = (how & ~(uint64_t)TESLA_HOW_ROUND) | TESLA_HOW_RINT | (l->insn->word >> 49 & 3);
    if (d->src[0].type == TESLA_F64)
        from_double(l, d, how);
    else if (tesla_type_is_float(d->src[0].type))
        from_float(l, d, how);
    else
        from_integer(l, d, how);
}
