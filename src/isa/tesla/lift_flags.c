/* lift_flags.c - the condition registers $c0 to $c3 and the predicates on them ("Predicates"). */
#include "isa/tesla/lift.h"

ir_value tesla_flag(struct tesla_lifter *l, uint8_t c, enum tesla_flag flag)
{
    return ir_get(&l->b, l->file_c, (uint32_t)(c & 3) * 4 + flag, IR_I1);
}

void tesla_set_flags(struct tesla_lifter *l, uint8_t c, ir_value z, ir_value s, ir_value carry, ir_value overflow)
{
    const ir_value flags[4] = {z, s, carry, overflow};
    for (unsigned i = 0; i < 4; i++)
        ir_set(&l->b, l->file_c, (uint32_t)(c & 3) * 4 + i, flags[i] ? flags[i] : ir_const(&l->b, IR_I1, 0), l->pred);
}

void tesla_integer_flags(struct tesla_lifter *l, const struct tesla_decoded *d, ir_value v, unsigned bits,
                         ir_value carry, ir_value overflow)
{
    if (d->cdst == TESLA_NO_C)
        return;
    ir_value zero = ir_const_i32(&l->b, 0);
    if (bits < 32)
        v = ir_op2(&l->b, IR_SHL, 0, v, ir_const_i32(&l->b, 32 - bits));
    tesla_set_flags(l, d->cdst, ir_op2(&l->b, IR_EQ, 0, v, zero), ir_op2(&l->b, IR_LT_S, 0, v, zero), carry, overflow);
}

void tesla_float_flags(struct tesla_lifter *l, const struct tesla_decoded *d, ir_value v)
{
    if (d->cdst == TESLA_NO_C)
        return;
    ir_value zero = ir_const(&l->b, ir_type_of(&l->b, v), 0);
    ir_value nan = ir_op2(&l->b, IR_FUNORD, 0, v, v);
    ir_value z = ir_op2(&l->b, IR_OR, 0, ir_op2(&l->b, IR_FEQ, 0, v, zero), nan);
    ir_value s = ir_op2(&l->b, IR_OR, 0, ir_op2(&l->b, IR_FLT, 0, v, zero), nan);
    tesla_set_flags(l, d->cdst, z, s, 0, 0);
}

/* ---- predicates ---- */

static ir_value both(struct tesla_lifter *l, ir_value a, ir_value b)
{
    return ir_op2(&l->b, IR_AND, 0, a, b);
}

static ir_value either(struct tesla_lifter *l, ir_value a, ir_value b)
{
    return ir_op2(&l->b, IR_OR, 0, a, b);
}

static ir_value differ(struct tesla_lifter *l, ir_value a, ir_value b)
{
    return ir_op2(&l->b, IR_XOR, 0, a, b);
}

static ir_value no(struct tesla_lifter *l, ir_value a)
{
    return ir_op1(&l->b, IR_NOT, 0, a);
}

/* The formulas of the document's table; the second half of it has the same ones negated. */
ir_value tesla_condition_of(struct tesla_lifter *l, uint8_t code, uint8_t c)
{
    if (code == TESLA_ALWAYS)
        return 0;
    ir_value z = tesla_flag(l, c, TESLA_FLAG_Z), s = tesla_flag(l, c, TESLA_FLAG_S);
    ir_value carry = tesla_flag(l, c, TESLA_FLAG_C), o = tesla_flag(l, c, TESLA_FLAG_O);
    switch (code) {
    case 0x00: return ir_const(&l->b, IR_I1, 0);
    case 0x01: return differ(l, both(l, s, no(l, z)), o);
    case 0x02: return both(l, z, no(l, s));
    case 0x03: return differ(l, s, either(l, z, o));
    case 0x04: return both(l, no(l, z), no(l, differ(l, s, o)));
    case 0x05: return no(l, z);
    case 0x06: return no(l, differ(l, s, o));
    case 0x07: return either(l, no(l, z), no(l, s));
    case 0x08: return both(l, z, s);
    case 0x09: return differ(l, s, o);
    case 0x0a: return z;
    case 0x0b: return either(l, z, differ(l, s, o));
    case 0x0c: return differ(l, no(l, s), either(l, z, o));
    case 0x0d: return either(l, no(l, z), s);
    case 0x0e: return differ(l, either(l, no(l, s), z), o);
    case 0x10: return o;
    case 0x11: return carry;
    case 0x12: return both(l, no(l, z), carry);
    case 0x13: return s;
    case 0x1c: return no(l, s);
    case 0x1d: return either(l, z, no(l, carry));
    case 0x1e: return no(l, carry);
    case 0x1f: return no(l, o);
    default:
        lift_refuse(&l->lift, "predicate %#x has no meaning", code);
        return 0;
    }
}

/* ---- instructions on $c and $a ---- */

void tesla_lift_mov_from_c(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    ir_value v = ir_const_i32(&l->b, 0);
    for (unsigned i = 0; i < 4; i++) {
        ir_value flag = tesla_flag(l, d->csrc, i);
        ir_value bit = ir_select(&l->b, flag, ir_const_i32(&l->b, 1u << i), ir_const_i32(&l->b, 0));
        v = ir_op2(&l->b, IR_OR, 0, v, bit);
    }
    tesla_write(l, &d->dst, v);
}

void tesla_lift_mov_to_c(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    ir_value v = tesla_source_bits(l, &d->src[0]), flag[4];
    for (unsigned i = 0; i < 4; i++)
        flag[i] = ir_op2(&l->b, IR_NE, 0, ir_op2(&l->b, IR_AND, 0, v, ir_const_i32(&l->b, 1u << i)),
                         ir_const_i32(&l->b, 0));
    tesla_set_flags(l, d->cdst, flag[0], flag[1], flag[2], flag[3]);
}

void tesla_lift_mov_from_a(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    tesla_write(l, &d->dst, tesla_source_bits(l, &d->src[0]));
}

void tesla_lift_shl_to_a(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    ir_value count = tesla_source_bits(l, &d->src[1]);
    tesla_write(l, &d->dst, ir_op2(&l->b, IR_SHL, 0, tesla_source_bits(l, &d->src[0]), count));
}

void tesla_lift_add_a(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    tesla_write(l, &d->dst,
                ir_op2(&l->b, IR_ADD, 0, tesla_source_bits(l, &d->src[0]), tesla_source_bits(l, &d->src[1])));
}

/* vote: threads give the predicate, and all of them get the answer as set gives it. */
void tesla_lift_vote(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    ir_value p = tesla_condition_of(l, d->predicate, d->csrc);
    if (!p)
        p = ir_const(&l->b, IR_I1, 1);
    ir_value answer = ir_op1(&l->b, d->row->variant ? IR_ALL : IR_ANY, 0, p);
    l->pred = 0;
    if (d->cdst != TESLA_NO_C)
        tesla_set_flags(l, d->cdst, no(l, answer), answer, 0, 0);
}
