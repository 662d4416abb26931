/* lift_operand.c - registers, constants and memory as values, and values into destinations ("Instruction format":
 * operands). */
#include "isa/tesla/lift.h"

enum { WARP_A = 7 };

static uint32_t warp_file(struct tesla_lifter *l)
{
    if (l->file_warp_a == LIFT_NONE)
        l->file_warp_a = ir_add_file(l->b.p, (struct ir_file){.name = "a7", .bits = 32, .count = 1, .uniform = true});
    return l->file_warp_a;
}

/* Registers that the program was not given read as zero, and what is written there is lost. */
ir_value tesla_get_r(struct tesla_lifter *l, uint32_t number)
{
    return number < l->link.registers ? ir_get(&l->b, l->file_r, number, IR_I32) : ir_const_i32(&l->b, 0);
}

void tesla_set_r(struct tesla_lifter *l, uint32_t number, ir_value v)
{
    if (number < l->link.registers)
        ir_set(&l->b, l->file_r, number, v, l->pred);
}

/* ---- address registers ---- */

/* $a1 to $a4 of each thread, and $a7 of the warp; there are no others. */
ir_value tesla_get_a(struct tesla_lifter *l, uint32_t number)
{
    if (number == WARP_A)
        return ir_get(&l->b, warp_file(l), 0, IR_I32);
    return number >= 1 && number <= 4 ? ir_get(&l->b, l->file_a, number, IR_I32) : ir_const_i32(&l->b, 0);
}

/* The register of the warp gets what the highest of the threads writes. */
static void set_warp_a(struct tesla_lifter *l, ir_value v)
{
    ir_value writes = l->pred ? l->pred : ir_const(&l->b, IR_I1, 1);
    ir_value lane = ir_lane_id(&l->b), zero = ir_const_i32(&l->b, 0);
    ir_value one = ir_select(&l->b, writes, ir_op2(&l->b, IR_ADD, 0, lane, ir_const_i32(&l->b, 1)), zero);
    ir_value highest = ir_emit(&l->b, IR_REDUCE, IR_I32, 0, 1, &one, 1, 0, IR_MAX_U, 0);
    ir_value mine = ir_select(&l->b, ir_op2(&l->b, IR_EQ, 0, one, highest), v, zero);
    ir_value chosen = ir_emit(&l->b, IR_REDUCE, IR_I32, 0, 1, &mine, 1, 0, IR_MAX_U, 0);
    ir_set(&l->b, warp_file(l), 0, chosen, ir_op2(&l->b, IR_NE, 0, highest, zero));
}

void tesla_set_a(struct tesla_lifter *l, uint32_t number, ir_value v)
{
    v = ir_op2(&l->b, IR_AND, 0, v, ir_const_i32(&l->b, 0xffff));
    if (number == WARP_A)
        set_warp_a(l, v);
    else if (number >= 1 && number <= 4)
        ir_set(&l->b, l->file_a, number, v, l->pred);
}

static ir_value extend(struct tesla_lifter *l, ir_value narrow, bool is_signed)
{
    return ir_cvt(&l->b, is_signed ? IR_SEXT : IR_ZEXT, IR_I32, 0, narrow);
}

static ir_value pair(struct tesla_lifter *l, uint32_t number)
{
    if (number + 1 < l->link.registers)
        return ir_get(&l->b, l->file_r, number, IR_I64);
    return ir_cvt2(&l->b, IR_PACK64, IR_I64, 0, tesla_get_r(l, number), tesla_get_r(l, number + 1));
}

ir_value tesla_source_bits(struct tesla_lifter *l, const struct tesla_operand *o)
{
    bool is_signed = tesla_type_is_signed(o->type);
    switch ((enum tesla_operand_kind)o->kind) {
    case TESLA_O_REG:
        return tesla_get_r(l, o->reg);
    case TESLA_O_HALF:
        if (o->reg >= l->link.registers)
            return ir_const_i32(&l->b, 0);
        return extend(l, ir_get_part(&l->b, l->file_r, o->reg, o->high ? 16 : 0, IR_I16), is_signed);
    case TESLA_O_PAIR:
        return pair(l, o->reg);
    case TESLA_O_A:
        return tesla_get_a(l, o->reg);
    case TESLA_O_IMMEDIATE:
        if (tesla_type_bits(o->type) == 16)
            return ir_const_i32(&l->b, is_signed ? (uint32_t)(int16_t)o->value : o->value & 0xffff);
        return ir_const_i32(&l->b, o->value);
    case TESLA_O_MEMORY: {
        ir_value v = tesla_load(l, o);
        tesla_increment(l, o);
        /* a 16-bit operand is the low half of what was read, with the operation's sign, not the access's */
        if (tesla_type_bits(o->type) == 16 && tesla_type_bits(o->access) >= 16 && o->access != o->type)
            v = extend(l, ir_cvt(&l->b, IR_TRUNC, IR_I16, 0, v), is_signed);
        return v;
    }
    default:
        lift_refuse(&l->lift, "an operand of '%s' that is not a value", l->insn->row->mnemonic);
        return ir_const_i32(&l->b, 0);
    }
}

static ir_value float_modifiers(struct tesla_lifter *l, const struct tesla_operand *o, ir_value v)
{
    if (o->abs)
        v = ir_op1(&l->b, IR_FABS, 0, v);
    return o->neg ? ir_op1(&l->b, IR_FNEG, 0, v) : v;
}

ir_value tesla_source(struct tesla_lifter *l, const struct tesla_operand *o)
{
    ir_value bits = tesla_source_bits(l, o);
    if (o->type == TESLA_F32)
        return float_modifiers(l, o, ir_as(&l->b, IR_F32, bits));
    if (o->type == TESLA_F64) {
        ir_value v = ir_as(&l->b, IR_F64, bits);
        if (!o->abs && !o->neg)
            return v;
        /* the signs of NaNs stay ("f64") */
        return ir_select(&l->b, ir_op2(&l->b, IR_FUNORD, 0, v, v), v, float_modifiers(l, o, v));
    }
    if (o->inv)
        bits = ir_op1(&l->b, IR_NOT, 0, bits);
    if (o->inv && tesla_type_bits(o->type) == 16)
        bits = ir_op2(&l->b, IR_AND, 0, bits, ir_const_i32(&l->b, 0xffff));
    return bits;
}

/* ---- destinations ---- */

static ir_value low_half(struct tesla_lifter *l, ir_value v)
{
    return ir_cvt(&l->b, IR_TRUNC, IR_I16, 0, v);
}

static ir_value as_bits(struct tesla_lifter *l, ir_value v)
{
    switch (ir_type_of(&l->b, v)) {
    case IR_F32:
        return ir_as(&l->b, IR_I32, v);
    case IR_F64:
        return ir_as(&l->b, IR_I64, v);
    default:
        return v;
    }
}

void tesla_write(struct tesla_lifter *l, const struct tesla_operand *o, ir_value v)
{
    v = as_bits(l, v);
    switch ((enum tesla_operand_kind)o->kind) {
    case TESLA_O_NONE:
        return;
    case TESLA_O_REG:
        tesla_set_r(l, o->reg, v);
        return;
    case TESLA_O_HALF:
        if (o->reg < l->link.registers)
            ir_set_part(&l->b, l->file_r, o->reg, o->high ? 16 : 0, IR_I16, low_half(l, v), l->pred);
        return;
    case TESLA_O_PAIR:
        tesla_set_r(l, o->reg, ir_cvt(&l->b, IR_LO32, IR_I32, 0, v));
        tesla_set_r(l, o->reg + 1u, ir_cvt(&l->b, IR_HI32, IR_I32, 0, v));
        return;
    case TESLA_O_A:
        tesla_set_a(l, o->reg, v);
        return;
    case TESLA_O_MEMORY:
        if (o->space == TESLA_O_SPACE) {
            tesla_output(l, o, v);
            return;
        }
        break;
    default:
        break;
    }
    lift_refuse(&l->lift, "a destination of '%s' that cannot be written", l->insn->row->mnemonic);
}
