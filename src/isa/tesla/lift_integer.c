/* lift_integer.c - moves, integer arithmetic, bit operations and shifts, with the flags that the document's formulas
 * give. 16-bit operations are done in 32 bits and cut when they are written. */
#include "isa/tesla/lift.h"

static ir_value constant(struct tesla_lifter *l, uint32_t v)
{
    return ir_const_i32(&l->b, v);
}

static ir_value op2(struct tesla_lifter *l, enum ir_opcode code, ir_value a, ir_value b)
{
    return ir_op2(&l->b, code, 0, a, b);
}

/* Whether the operation works on 16 bits. */
static unsigned width_of(const struct tesla_operand *o)
{
    return tesla_type_bits(o->type) == 16 ? 16 : 32;
}

static ir_value cut(struct tesla_lifter *l, ir_value v, unsigned bits)
{
    return bits == 32 ? v : op2(l, IR_AND, v, constant(l, 0xffff));
}

/* ---- moves ---- */

void tesla_lift_mov(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    tesla_write(l, &d->dst, tesla_source_bits(l, &d->src[0]));
}

/* physid: the thread in bits 0-7 and its warp in 8-15, as if there were one MP; $clock is not modelled: it
 * reads 0. */
void tesla_lift_mov_from_sreg(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    enum { PHYSID, CLOCK, SR2, VSTRIDE, SAMPLEID = 8 };
    ir_value v = constant(l, 0);
    if (d->src[0].reg == PHYSID) {
        v = ir_lane_id(&l->b);
        if (l->stage == IR_COMPUTE) {
            ir_value warp = ir_sysval(&l->b, IR_SYS_WARP_ID, IR_I32, 0);
            v = op2(l, IR_OR, v, op2(l, IR_SHL, warp, constant(l, 8)));
        }
    } else if (d->src[0].reg == VSTRIDE) {
        v = constant(l, 0x20);
    } else if (d->src[0].reg == SAMPLEID && l->stage == IR_FRAGMENT) {
        v = ir_sysval(&l->b, IR_SYS_SAMPLE_ID, IR_I32, 0);
    }
    tesla_write(l, &d->dst, v);
}

/* ---- the add family ---- */

/* res = s1 + s2 + carry in `bits` bits, s1 and s2 being inverted already; flags and destination. */
static void add_and_write(struct tesla_lifter *l, const struct tesla_decoded *d, ir_value a, ir_value b,
                          ir_value carry_in, unsigned bits)
{
    bool flags = d->cdst != TESLA_NO_C, sat = d->modifiers & TESLA_SAT;
    ir_value sum = op2(l, IR_ADD, a, b), carry = 0;
    ir_value res = carry_in ? op2(l, IR_ADD, sum, carry_in) : sum;
    if (flags && bits == 32) {
        carry = op2(l, IR_LT_U, sum, a);
        if (carry_in)
            carry = op2(l, IR_OR, carry, op2(l, IR_LT_U, res, sum));
    } else if (flags) {
        carry = op2(l, IR_LT_U, constant(l, 0xffff), res);
    }
    res = cut(l, res, bits);
    ir_value overflow = 0;
    if (flags || sat) {
        ir_value away = op2(l, IR_AND, op2(l, IR_XOR, a, res), op2(l, IR_XOR, b, res));
        overflow = op2(l, IR_NE, op2(l, IR_AND, away, constant(l, 1u << (bits - 1))), constant(l, 0));
    }
    if (sat) {
        ir_value negative = op2(l, IR_NE, op2(l, IR_AND, res, constant(l, 1u << (bits - 1))), constant(l, 0));
        ir_value limit = ir_select(&l->b, negative, constant(l, (1u << (bits - 1)) - 1), constant(l, 1u << (bits - 1)));
        res = ir_select(&l->b, overflow, limit, res);
    }
    tesla_integer_flags(l, d, res, bits, carry, overflow);
    tesla_write(l, &d->dst, res);
}

/* One of the four additions by `variant`. */
static void add_by_variant(struct tesla_lifter *l, const struct tesla_decoded *d, ir_value a, ir_value b, unsigned bits)
{
    ir_value ones = constant(l, bits == 32 ? UINT32_MAX : 0xffff), carry = 0;
    switch ((enum tesla_variant)d->row->variant) {
    case TESLA_ADD:
        break;
    case TESLA_SUB:
        b = op2(l, IR_XOR, b, ones);
        carry = constant(l, 1);
        break;
    case TESLA_SUBR:
        a = op2(l, IR_XOR, a, ones);
        carry = constant(l, 1);
        break;
    case TESLA_ADDC:
        carry = ir_select(&l->b, tesla_flag(l, d->csrc, TESLA_FLAG_C), constant(l, 1), constant(l, 0));
        break;
    }
    add_and_write(l, d, a, b, carry, bits);
}

void tesla_lift_add(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    unsigned bits = width_of(&d->src[0]);
    ir_value a = tesla_source(l, &d->src[0]), b = tesla_source(l, &d->src[1]);
    add_by_variant(l, d, cut(l, a, bits), cut(l, b, bits), bits);
}

/* ---- multiplication ---- */

static ir_value low24(struct tesla_lifter *l, ir_value v, bool is_signed)
{
    if (!is_signed)
        return op2(l, IR_AND, v, constant(l, 0xffffff));
    return op2(l, IR_SHR_S, op2(l, IR_SHL, v, constant(l, 8)), constant(l, 8));
}

/* The 32 bits of a product of 16-bit or 24-bit numbers: the types of the sources and `high` say which. */
static ir_value product(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    ir_value a = tesla_source(l, &d->src[0]), b = tesla_source(l, &d->src[1]);
    uint8_t type = d->src[0].type;
    if (type != TESLA_U24 && type != TESLA_S24)
        return op2(l, IR_MUL, a, b);
    bool is_signed = type == TESLA_S24;
    a = low24(l, a, is_signed);
    b = low24(l, b, is_signed);
    ir_value low = op2(l, IR_MUL, a, b);
    if (!(d->modifiers & TESLA_HIGH))
        return low;
    ir_value high = op2(l, is_signed ? IR_MULHI_S : IR_MULHI_U, a, b);
    return op2(l, IR_OR, op2(l, IR_SHR_U, low, constant(l, 16)), op2(l, IR_SHL, high, constant(l, 16)));
}

void tesla_lift_mul(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    ir_value res = product(l, d);
    tesla_integer_flags(l, d, res, 32, 0, 0);
    tesla_write(l, &d->dst, res);
}

void tesla_lift_mul_add(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    ir_value p = product(l, d);
    add_by_variant(l, d, p, tesla_source(l, &d->src[2]), 32);
}

/* The difference is of 16 or 32 bits; the sum and its flags are of 32 on hardware, against the document. */
void tesla_lift_sad(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    bool is_signed = tesla_type_is_signed(d->src[0].type);
    ir_value a = tesla_source(l, &d->src[0]), b = tesla_source(l, &d->src[1]), c = tesla_source(l, &d->src[2]);
    ir_value less = op2(l, is_signed ? IR_LT_S : IR_LT_U, a, b);
    ir_value difference = ir_select(&l->b, less, op2(l, IR_SUB, b, a), op2(l, IR_SUB, a, b));
    add_and_write(l, d, difference, c, 0, 32);
}

/* ---- minimum, maximum, set ---- */

static void float_min_max(struct tesla_lifter *l, const struct tesla_decoded *d, bool min)
{
    ir_value a = tesla_source(l, &d->src[0]), b = tesla_source(l, &d->src[1]), res;
    if (d->src[0].type == TESLA_F64) {
        res = lift_call(&l->b, min ? "dmin" : "dmax", min ? tesla_lanes_dmin : tesla_lanes_dmax, IR_F64, 0,
                         (const ir_value[2]){a, b}, 2);
    } else {
        unsigned attr = IR_FLUSH_IN | IR_FLUSH_OUT | IR_NAN_CANON | IR_MINMAX_NUMBER | IR_MINMAX_ZEROS;
        res = ir_op2(&l->b, min ? IR_FMIN : IR_FMAX, attr, a, b);
    }
    tesla_float_flags(l, d, res);
    tesla_write(l, &d->dst, res);
}

static void min_max(struct tesla_lifter *l, const struct tesla_decoded *d, bool min)
{
    bool is_signed = tesla_type_is_signed(d->src[0].type);
    if (tesla_type_is_float(d->src[0].type)) {
        float_min_max(l, d, min);
        return;
    }
    enum ir_opcode code = is_signed ? (min ? IR_MIN_S : IR_MAX_S) : (min ? IR_MIN_U : IR_MAX_U);
    ir_value res = op2(l, code, tesla_source(l, &d->src[0]), tesla_source(l, &d->src[1]));
    tesla_integer_flags(l, d, res, width_of(&d->src[0]), 0, 0);
    tesla_write(l, &d->dst, res);
}

void tesla_lift_min(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    min_max(l, d, true);
}

void tesla_lift_max(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    min_max(l, d, false);
}

/* Comparisons of a type. */
struct comparisons {
    uint8_t less, less_equal, equal; /* enum ir_opcode */
    unsigned attr;
};

/* Some of less, equal and greater but not all, of numbers that have an order. */
static ir_value compare_some(struct tesla_lifter *l, unsigned condition, const struct comparisons *c, ir_value a,
                             ir_value b)
{
    struct ir_builder *to = &l->b;
    switch (condition) {
    case TESLA_L: return ir_op2(to, c->less, c->attr, a, b);
    case TESLA_L | TESLA_E: return ir_op2(to, c->less_equal, c->attr, a, b);
    case TESLA_G: return ir_op2(to, c->less, c->attr, b, a);
    case TESLA_G | TESLA_E: return ir_op2(to, c->less_equal, c->attr, b, a);
    case TESLA_E: return ir_op2(to, c->equal, c->attr, a, b);
    default: return ir_const(to, IR_I1, 0);
    }
}

static ir_value compare_integers(struct tesla_lifter *l, unsigned condition, bool is_signed, ir_value a, ir_value b)
{
    static const struct comparisons of_unsigned = {IR_LT_U, IR_LE_U, IR_EQ, 0};
    static const struct comparisons of_signed = {IR_LT_S, IR_LE_S, IR_EQ, 0};
    if (condition == (TESLA_L | TESLA_G))
        return op2(l, IR_NE, a, b);
    if (condition == (TESLA_L | TESLA_G | TESLA_E))
        return ir_const(&l->b, IR_I1, 1);
    return compare_some(l, condition, is_signed ? &of_signed : &of_unsigned, a, b);
}

static ir_value compare_floats(struct tesla_lifter *l, unsigned condition, unsigned attr, ir_value a, ir_value b)
{
    const struct comparisons c = {IR_FLT, IR_FLE, IR_FEQ, attr};
    if (condition == (TESLA_L | TESLA_G))
        return op2(l, IR_OR, ir_op2(&l->b, IR_FLT, attr, a, b), ir_op2(&l->b, IR_FLT, attr, b, a));
    if (condition == (TESLA_L | TESLA_G | TESLA_E))
        return ir_op1(&l->b, IR_NOT, 0, op2(l, IR_FUNORD, a, b));
    return compare_some(l, condition, &c, a, b);
}

/* Some of less, equal, greater and unordered. */
static ir_value compare(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    ir_value a = tesla_source(l, &d->src[0]), b = tesla_source(l, &d->src[1]);
    unsigned condition = d->condition & (TESLA_L | TESLA_G | TESLA_E);
    if (!tesla_type_is_float(d->src[0].type))
        return compare_integers(l, condition, tesla_type_is_signed(d->src[0].type), a, b);
    unsigned attr = d->src[0].type == TESLA_F32 ? IR_FLUSH_IN : 0;
    if ((d->condition & TESLA_U) && condition == (TESLA_L | TESLA_G))
        return ir_op2(&l->b, IR_FNE, attr, a, b);
    ir_value res = compare_floats(l, condition, attr, a, b);
    return d->condition & TESLA_U ? op2(l, IR_OR, res, op2(l, IR_FUNORD, a, b)) : res;
}

void tesla_lift_set(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    ir_value holds = compare(l, d);
    ir_value res = ir_select(&l->b, holds, constant(l, UINT32_MAX), constant(l, 0));
    tesla_integer_flags(l, d, res, 32, 0, 0);
    tesla_write(l, &d->dst, res);
}

/* ---- bits ---- */

static void write_with_flags(struct tesla_lifter *l, const struct tesla_decoded *d, ir_value res)
{
    tesla_integer_flags(l, d, res, width_of(&d->src[0]), 0, 0);
    tesla_write(l, &d->dst, res);
}

void tesla_lift_logic(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    static const enum ir_opcode codes[] = {[TESLA_AND] = IR_AND, [TESLA_OR] = IR_OR, [TESLA_XOR] = IR_XOR};
    ir_value a = tesla_source(l, &d->src[0]), b = tesla_source(l, &d->src[1]);
    write_with_flags(l, d, op2(l, codes[d->row->variant], a, b));
}

/* mov2: the first source is read for what its address does. */
void tesla_lift_second(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    tesla_source(l, &d->src[0]);
    write_with_flags(l, d, tesla_source(l, &d->src[1]));
}

/* Counts are not taken modulo the width: too large ones shift everything out. */
static void shift(struct tesla_lifter *l, const struct tesla_decoded *d, bool left)
{
    bool is_signed = tesla_type_is_signed(d->src[0].type);
    unsigned bits = width_of(&d->src[0]);
    ir_value v = tesla_source(l, &d->src[0]), count = tesla_source(l, &d->src[1]);
    if (bits == 16 && d->src[1].kind != TESLA_O_IMMEDIATE)
        count = op2(l, IR_AND, count, constant(l, 0xffff));
    ir_value inside = op2(l, IR_LT_U, count, constant(l, bits));
    ir_value all_out = !left && is_signed ? op2(l, IR_SHR_S, v, constant(l, 31)) : constant(l, 0);
    ir_value shifted = op2(l, left ? IR_SHL : is_signed ? IR_SHR_S : IR_SHR_U, v, count);
    ir_value res = cut(l, ir_select(&l->b, inside, shifted, all_out), bits);
    if (d->cdst != TESLA_NO_C) {
        ir_value before = op2(l, IR_SUB, count, constant(l, 1)); /* one step less: the bit that goes out last */
        ir_value last = left ? op2(l, IR_SHR_U, op2(l, IR_SHL, v, before), constant(l, bits - 1))
                             : op2(l, IR_SHR_U, v, before);
        ir_value carry = op2(l, IR_NE, op2(l, IR_AND, last, constant(l, 1)), constant(l, 0));
        carry = op2(l, IR_AND, carry, op2(l, IR_LT_U, before, constant(l, bits - 1)));
        ir_value sign = constant(l, 1u << (bits - 1));
        ir_value turned = op2(l, IR_NE, op2(l, IR_AND, op2(l, IR_XOR, v, res), sign), constant(l, 0));
        ir_value overflow = op2(l, IR_AND, turned, op2(l, IR_EQ, count, constant(l, 1)));
        tesla_integer_flags(l, d, res, bits, carry, overflow);
    }
    tesla_write(l, &d->dst, res);
}

void tesla_lift_shl(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    shift(l, d, true);
}

void tesla_lift_shr(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    shift(l, d, false);
}
