/* lift_vmem.c - chapter "Vector Memory operations", as silicon does them (docs/fidelity.md). */
#include "isa/vpu/lift_vector.h"

static unsigned bytes_of(const struct vpu_insn *i)
{
    return i->x == VPU_16 ? 2 : i->x == VPU_32 ? 4 : 1;
}

static struct ir_mem element(unsigned bytes)
{
    return (struct ir_mem){.space = 0, .elem = bytes == 1 ? IR_I8 : bytes == 2 ? IR_I16 : IR_I32, .count = 1};
}

static ir_value load(struct vpu_lifter *l, unsigned bytes, ir_value address, ir_value on)
{
    return ir_emit(&l->b, IR_LOAD, IR_I32, 0, 1, &address, 1, ir_add_mem(l->b.p, element(bytes)), 0, on);
}

/* The address of B, stepped by the repetitions so far. Where B is a vector register there is none, and loads read from
 * 0. */
static ir_value base_of(struct vpu_lifter *l, const struct vpu_turn *t)
{
    const struct vpu_insn *i = t->i;
    if (i->vb.kind == VPU_VREG)
        return vpu_const(l, 0);
    ir_value base = vpu_vread_b(l, t);
    if (i->step_reg == VPU_NO_REG || (!t->count && t->n == 0))
        return base;
    ir_value times = t->count ? t->count : vpu_const(l, t->n);
    return vpu_op2(l, IR_ADD, base, vpu_op2(l, IR_MUL, vpu_get(l, i->step_reg), times));
}

static ir_value index_of_lane(struct vpu_lifter *l, const struct vpu_turn *t)
{
    unsigned index = vpu_ops[t->i->op].attr;
    if (index == VPU_BY_LANE)
        return t->lane;
    ir_value acc = ir_get(&l->b, VPU_FILE_ACC, 0, IR_I64);
    if (index == VPU_BY_ACC_HIGH)
        return ir_cvt(&l->b, IR_LO32, IR_I32, 0, vpu_op2c(l, IR_SHR_S, acc, 16));
    return vpu_op2c(l, IR_AND, ir_cvt(&l->b, IR_LO32, IR_I32, 0, acc), 0xffff);
}

static ir_value address_of(struct vpu_lifter *l, const struct vpu_turn *t, unsigned bytes)
{
    ir_value index = index_of_lane(l, t);
    unsigned shift = bytes == 4 ? 2 : bytes == 2;
    return vpu_op2(l, IR_ADD, base_of(l, t), shift ? vpu_op2c(l, IR_SHL, index, shift) : index);
}

/* An element that crosses 16 bytes goes on at their beginning: byte by byte. */
static ir_value load_wrapped(struct vpu_lifter *l, unsigned bytes, ir_value address, ir_value on)
{
    ir_value block = vpu_op2c(l, IR_AND, address, ~15u), v = 0;
    for (unsigned k = 0; k < bytes; k++) {
        ir_value at = vpu_op2c(l, IR_AND, vpu_op2c(l, IR_ADD, address, k), 15);
        ir_value byte = load(l, 1, vpu_op2(l, IR_OR, block, at), on);
        v = v ? vpu_op2(l, IR_OR, v, vpu_op2c(l, IR_SHL, byte, 8 * k)) : byte;
    }
    return v;
}

void vpu_turn_load(struct vpu_lifter *l, const struct vpu_turn *t)
{
    unsigned bytes = bytes_of(t->i);
    ir_value address = address_of(l, t, bytes);
    if (bytes == 1) {
        vpu_vwrite(l, t, &t->i->vd, load(l, 1, address, t->on));
        return;
    }
    /* Aligned all together, or one by one: which, is decided once. */
    ir_value odd = vpu_op2c(l, IR_NE, vpu_op2c(l, IR_AND, base_of(l, t), bytes - 1), 0);
    uint32_t wrapped = vpu_inner_block(l), plain = vpu_inner_block(l), end = vpu_inner_block(l);
    ir_branch(&l->b, odd, wrapped, plain);
    for (unsigned k = 0; k < 2; k++) {
        l->b.block = k ? plain : wrapped;
        struct vpu_turn here = vpu_turn_here(l, t);
        address = address_of(l, &here, bytes);
        ir_value v = k ? load(l, bytes, address, here.on) : load_wrapped(l, bytes, address, here.on);
        vpu_vwrite(l, &here, &t->i->vd, v);
        ir_goto(&l->b, end);
    }
    l->b.block = end;
}

void vpu_turn_store(struct vpu_lifter *l, const struct vpu_turn *t)
{
    const struct vpu_operand *a = &t->i->va;
    unsigned bytes = bytes_of(t->i);
    ir_value v = vpu_vread(l, t, a);
    if (bytes == 4 && a->kind == VPU_VREG && a->width == VPU_16) /* zeros enter, although halves are read with a sign */
        v = vpu_op2c(l, IR_AND, v, 0xffff);
    ir_store(&l->b, element(bytes), address_of(l, t, bytes), &v, t->on);
}

/* ---- the table of each lane: 64 bytes ---- */

static struct ir_reg table(unsigned bytes)
{
    enum ir_type part = bytes == 1 ? IR_I8 : bytes == 2 ? IR_I16 : IR_I32;
    return (struct ir_reg){
        .file = VPU_FILE_LUT, .part = (uint8_t)part, .stride = (int32_t)bytes, .last = (int32_t)(64 / bytes) - 1};
}

static ir_value entry(struct vpu_lifter *l, const struct vpu_turn *t, unsigned bytes)
{
    return vpu_op2c(l, IR_AND, vpu_vread_b(l, t), 64 / bytes - 1);
}

void vpu_turn_read_table(struct vpu_lifter *l, const struct vpu_turn *t)
{
    unsigned bytes = bytes_of(t->i);
    struct ir_reg reg = table(bytes);
    ir_value v = ir_get_dyn(&l->b, reg, entry(l, t, bytes), (enum ir_type)reg.part);
    vpu_finish(l, t, bytes == 4 ? v : ir_cvt(&l->b, IR_ZEXT, IR_I32, 0, v), 32);
}

void vpu_turn_write_table(struct vpu_lifter *l, const struct vpu_turn *t)
{
    unsigned bytes = bytes_of(t->i);
    struct ir_reg reg = table(bytes);
    ir_value a = vpu_vread(l, t, &t->i->va);
    ir_value low = bytes == 4 ? a : ir_cvt(&l->b, IR_TRUNC, (enum ir_type)reg.part, 0, a);
    ir_set_dyn(&l->b, reg, entry(l, t, bytes), low, t->on);
    vpu_finish(l, t, a, 32);
}

/* ---- getacc ---- */

void vpu_turn_read_acc(struct vpu_lifter *l, const struct vpu_turn *t)
{
    ir_value count = vpu_op2c(l, IR_AND, vpu_vread_b(l, t), 31);
    ir_value v = vpu_op2(l, IR_SHR_S, ir_get(&l->b, VPU_FILE_ACC, 0, IR_I64), count);
    int64_t limit = t->i->x == VPU_8 ? 0 : t->i->x == VPU_16 ? INT32_MAX : INT16_MAX; /* 0: as it is */
    if (limit) {
        v = vpu_op2(l, IR_MIN_S, v, ir_const(&l->b, IR_I64, (uint64_t)limit));
        v = vpu_op2(l, IR_MAX_S, v, ir_const(&l->b, IR_I64, (uint64_t)(-limit - 1)));
    }
    vpu_finish(l, t, ir_cvt(&l->b, IR_LO32, IR_I32, 0, v), 32);
}

void vpu_turn_zero(struct vpu_lifter *l, const struct vpu_turn *t)
{
    vpu_finish(l, t, vpu_const(l, 0), 32);
}
