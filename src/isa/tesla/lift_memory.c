/* lift_memory.c - c[], s[], l[] and g[]: loads and stores ("memory spaces").
 *
 * s[] begins with what the hardware puts there: the sizes of block and grid, the number of the block, the kernel's
 * parameters. */
#include "isa/tesla/lift.h"

enum { PARAMETERS = 0x10, PUSH_CONSTANTS = 15 };

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

static ir_value guarded_load(struct tesla_lifter *l, struct ir_mem mem, ir_value address)
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
        ir_value first = guarded_load(l, tesla_memory(l, o, 32, 2, offset), address);
        return ir_cvt2(&l->b, IR_PACK64, IR_I64, 0, first, first + 1);
    }
    ir_value v = guarded_load(l, tesla_memory(l, o, bits, 1, offset), address);
    if (bits == 32 || !tesla_type_is_signed(o->access))
        return v;
    ir_value narrow = ir_cvt(&l->b, IR_TRUNC, element(bits), 0, v);
    return ir_cvt(&l->b, IR_SEXT, IR_I32, 0, narrow);
}

/* ---- instructions ---- */

static void load_registers(struct tesla_lifter *l, const struct tesla_decoded *d, unsigned count)
{
    int64_t offset;
    ir_value address = tesla_address(l, &d->src[0], &offset);
    ir_value first = guarded_load(l, tesla_memory(l, &d->src[0], 32, count, offset), address);
    for (unsigned i = 0; i < count; i++)
        tesla_set_r(l, d->dst.reg + i, first + i);
}

void tesla_lift_load(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    unsigned bits = tesla_type_bits(d->src[0].access);
    if (bits >= 64) {
        load_registers(l, d, bits / 32);
    } else {
        tesla_write(l, &d->dst, tesla_load(l, &d->src[0]));
    }
    tesla_increment(l, &d->src[0]);
}

static void store(struct tesla_lifter *l, const struct tesla_operand *to, const struct tesla_operand *from)
{
    unsigned bits = tesla_type_bits(to->access), count = bits > 32 ? bits / 32 : 1;
    int64_t offset;
    ir_value data[4], address;
    if (to->space == TESLA_O_SPACE) {
        tesla_output(l, to, tesla_source_bits(l, from));
        return;
    }
    address = tesla_address(l, to, &offset);
    for (unsigned i = 0; i < count; i++)
        data[i] = count > 1 ? tesla_get_r(l, from->reg + i) : tesla_source_bits(l, from);
    if (bits < 32)
        data[0] = ir_cvt(&l->b, IR_TRUNC, element(bits), 0, data[0]);
    ir_store(&l->b, tesla_memory(l, to, bits > 32 ? 32 : bits, count, offset), address, data, l->pred);
}

void tesla_lift_store(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    store(l, &d->dst, &d->src[0]);
    tesla_increment(l, &d->dst);
}

/* ---- what s[] holds when a block begins ---- */

static void put_half(struct tesla_lifter *l, int64_t at, ir_value v, ir_value pred)
{
    struct ir_mem mem = {(uint16_t)tesla_space(l, TESLA_SPACE_S), IR_I16, 1, 2, at};
    ir_value half = ir_cvt(&l->b, IR_TRUNC, IR_I16, 0, v);
    ir_store(&l->b, mem, ir_const_i32(&l->b, 0), &half, pred);
}

void tesla_fill_shared(struct tesla_lifter *l)
{
    static const struct {
        uint8_t at;
        uint8_t sysval, component;
    } halves[] = {{0x2, IR_SYS_BLOCK_SIZE, 0}, {0x4, IR_SYS_BLOCK_SIZE, 1}, {0x6, IR_SYS_BLOCK_SIZE, 2},
                  {0x8, IR_SYS_GRID_SIZE, 0},  {0xa, IR_SYS_GRID_SIZE, 1},  {0xc, IR_SYS_BLOCK_ID, 0},
                  {0xe, IR_SYS_BLOCK_ID, 1}};
    if (l->link.shared_bytes < PARAMETERS)
        return;
    /* the first warp alone: later ones would write over what it has stored there */
    ir_value first = ir_op2(&l->b, IR_EQ, 0, ir_sysval(&l->b, IR_SYS_WARP_ID, IR_I32, 0), ir_const_i32(&l->b, 0));
    for (unsigned i = 0; i < sizeof halves / sizeof *halves; i++)
        put_half(l, halves[i].at,
                 ir_sysval(&l->b, (enum ir_sysval)halves[i].sysval, IR_I32, halves[i].component), first);
    for (uint32_t at = 0; at + 4 <= l->link.parameter_bytes; at += 4) {
        struct ir_mem from = {(uint16_t)tesla_space(l, PUSH_CONSTANTS), IR_I32, 1, 4, at};
        struct ir_mem to = {(uint16_t)tesla_space(l, TESLA_SPACE_S), IR_I32, 1, 4, PARAMETERS + at};
        ir_value v = ir_load(&l->b, from, IR_I32, ir_const_i32(&l->b, 0));
        ir_store(&l->b, to, ir_const_i32(&l->b, 0), &v, first);
    }
}
