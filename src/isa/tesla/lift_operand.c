/* lift_operand.c - what an instruction reads and writes: registers, constants and memory as values, values into
 * destinations ("Instruction format": operands), the condition registers $c0 to $c3 and the predicates on them
 * ("Predicates"). */
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

/* ---- memory ---- */

static struct ir_space describe(const struct tesla_lifter *l, unsigned number)
{
    static const char *const constants[] = {"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7",
                                            "c8", "c9", "c10", "c11", "c12", "c13", "c14", "c15"};
    static const char *const globals[] = {"g0", "g1", "g2", "g3", "g4", "g5", "g6", "g7",
                                          "g8", "g9", "g10", "g11", "g12", "g13", "g14", "g15"};
    if (number < TESLA_SPACE_G)
        return (struct ir_space){constants[number], IR_SPACE_CONST, IR_BOUNDS_ZERO,
                                 l->link.constant[number], 0};
    if (number < TESLA_SPACE_S)
        return (struct ir_space){globals[number - TESLA_SPACE_G], IR_SPACE_GLOBAL, IR_BOUNDS_ZERO,
                                 (uint16_t)(number - TESLA_SPACE_G), 0};
    switch (number) {
    case TESLA_SPACE_S:
        return (struct ir_space){"s", IR_SPACE_SHARED, IR_BOUNDS_ZERO, 0, l->link.shared_bytes};
    case TESLA_SPACE_LOCKS:
        return (struct ir_space){"locks", IR_SPACE_SHARED, IR_BOUNDS_ZERO, 0, l->link.shared_bytes};
    case TESLA_SPACE_L:
        return (struct ir_space){"l", IR_SPACE_PRIVATE, IR_BOUNDS_ZERO, 0, l->link.local_bytes};
    default:
        return (struct ir_space){"p", IR_SPACE_INPUT, IR_BOUNDS_ZERO, 0, (uint64_t)l->b.p->io.ninputs * 16 * 6};
    }
}

uint32_t tesla_space(struct tesla_lifter *l, unsigned number)
{
    if (l->space[number] == LIFT_NONE)
        l->space[number] = ir_add_space(l->b.p, describe(l, number));
    return l->space[number];
}

static unsigned space_number(struct tesla_lifter *l, const struct tesla_operand *o)
{
    switch ((enum tesla_space)o->space) {
    case TESLA_C_SPACE:
        return o->index & 15u;
    case TESLA_G_SPACE:
        return TESLA_SPACE_G + (o->index & 15u);
    case TESLA_S_SPACE:
        return TESLA_SPACE_S;
    case TESLA_L_SPACE:
        return TESLA_SPACE_L;
    default:
        lift_refuse(&l->lift, "this space cannot be addressed here");
        return TESLA_SPACE_S;
    }
}

/* 2d mode: x in the low half of the address, in bytes, y in the high half. What is next to a row is outside. */
static ir_value surface_address(struct tesla_lifter *l, ir_value address, uint32_t pitch)
{
    ir_value x = ir_op2(&l->b, IR_AND, 0, address, ir_const_i32(&l->b, 0xffff));
    ir_value y = ir_op2(&l->b, IR_SHR_U, 0, address, ir_const_i32(&l->b, 16));
    ir_value at = ir_op2(&l->b, IR_ADD, 0, ir_op2(&l->b, IR_MUL, 0, y, ir_const_i32(&l->b, pitch)), x);
    return ir_select(&l->b, ir_op2(&l->b, IR_LT_U, 0, x, ir_const_i32(&l->b, pitch)), at,
                     ir_const_i32(&l->b, UINT32_MAX));
}

ir_value tesla_address(struct tesla_lifter *l, const struct tesla_operand *o, int64_t *offset)
{
    *offset = 0;
    if (o->space == TESLA_G_SPACE) {
        uint32_t pitch = l->link.pitch[o->index & 15];
        ir_value address = tesla_get_r(l, o->reg);
        return pitch ? surface_address(l, address, pitch) : address;
    }
    if (!o->areg) {
        *offset = o->offset;
        return ir_const_i32(&l->b, 0);
    }
    ir_value base = tesla_get_a(l, o->areg);
    if (o->increment || o->offset == 0)
        return base;
    ir_value sum = ir_op2(&l->b, IR_ADD, 0, base, ir_const_i32(&l->b, (uint32_t)o->offset));
    return ir_op2(&l->b, IR_AND, 0, sum, ir_const_i32(&l->b, 0xffff)); /* 16-bit addresses wrap */
}

void tesla_increment(struct tesla_lifter *l, const struct tesla_operand *o)
{
    if (!o->increment || !o->areg)
        return;
    tesla_set_a(l, o->areg,
                ir_op2(&l->b, IR_ADD, 0, tesla_get_a(l, o->areg), ir_const_i32(&l->b, (uint32_t)o->offset)));
}

static enum ir_type element(unsigned bits)
{
    return bits == 8 ? IR_I8 : bits == 16 ? IR_I16 : bits == 64 ? IR_I64 : IR_I32;
}

struct ir_mem tesla_memory(struct tesla_lifter *l, const struct tesla_operand *o, unsigned bits, unsigned count,
                            int64_t offset)
{
    unsigned size = bits / 8 * count;
    offset &= -(int64_t)size; /* where there is an offset it is the address: it is rounded down as one */
    return (struct ir_mem){(uint16_t)tesla_space(l, space_number(l, o)), (uint8_t)element(bits), (uint8_t)count,
                           (uint8_t)size, offset};
}

ir_value tesla_load_elements(struct tesla_lifter *l, struct ir_mem mem, ir_value address)
{
    return ir_emit(&l->b, IR_LOAD, IR_I32, 0, mem.count, &address, 1, ir_add_mem(l->b.p, mem), 0, l->pred);
}

ir_value tesla_load(struct tesla_lifter *l, const struct tesla_operand *o)
{
    if (o->space == TESLA_A_SPACE || o->space == TESLA_P_SPACE)
        return tesla_input(l, o);
    int64_t offset;
    ir_value address = tesla_address(l, o, &offset);
    unsigned bits = tesla_type_bits(o->access);
    if (bits == 64) {
        ir_value first = tesla_load_elements(l, tesla_memory(l, o, 32, 2, offset), address);
        return ir_cvt2(&l->b, IR_PACK64, IR_I64, 0, first, first + 1);
    }
    ir_value v = tesla_load_elements(l, tesla_memory(l, o, bits, 1, offset), address);
    if (bits == 32 || !tesla_type_is_signed(o->access))
        return v;
    ir_value narrow = ir_cvt(&l->b, IR_TRUNC, element(bits), 0, v);
    return ir_cvt(&l->b, IR_SEXT, IR_I32, 0, narrow);
}

/* ---- sources ---- */

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

/* ---- flags ---- */

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
