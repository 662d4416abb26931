/* lift_memory.c - instructions that load and store c[], s[], l[] and g[] ("memory spaces").
 *
 * s[] begins with what the hardware puts there: the sizes of block and grid, the number of the block, the kernel's
 * parameters. */
#include "isa/tesla/lift.h"

enum { PARAMETERS = 0x10, PUSH_CONSTANTS = 15 };

static void load_registers(struct tesla_lifter *l, const struct tesla_decoded *d, unsigned count)
{
    int64_t offset;
    ir_value address = tesla_address(l, &d->src[0], &offset);
    ir_value first = tesla_load_elements(l, tesla_memory(l, &d->src[0], 32, count, offset), address);
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
    struct ir_mem mem = tesla_memory(l, to, bits > 32 ? 32 : bits, count, offset);
    if (bits < 32)
        data[0] = ir_cvt(&l->b, IR_TRUNC, (enum ir_type)mem.elem, 0, data[0]);
    ir_store(&l->b, mem, address, data, l->pred);
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
