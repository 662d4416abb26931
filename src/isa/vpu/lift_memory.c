/* lift_memory.c - chapters "Memory Operations", "Memory access": loads, stores, lists of registers, addresses. */
#include "ir/program.h"
#include "isa/vpu/lift.h"

/* An access in the making: `address` and the offset of `mem` are what is accessed, `base` what goes back into the base
 * register, 0: nothing does. An address is as aligned as what is accessed. */
struct access {
    ir_value address, base, pred;
    struct ir_mem mem;
};

static struct access access_of(struct vpu_lifter *l, const struct vpu_insn *i)
{
    unsigned width = vpu_ops[i->op].bytes;
    uint8_t elem = width == 4 ? IR_I32 : width == 2 ? IR_I16 : IR_I8;
    struct access x = {.pred = vpu_condition(l, i->cond), .mem = {.space = 0, .elem = elem, .count = 1}};
    ir_value a = i->a == VPU_PC ? vpu_const(l, i->address) : vpu_get(l, i->a);
    switch (i->mode) {
    case VPU_INDEX: {
        ir_value b = vpu_get(l, i->b);
        unsigned shift = width == 4 ? 2 : width == 2 ? 1 : 0;
        x.address = vpu_op2(l, IR_ADD, a, shift ? vpu_op2c(l, IR_SHL, b, shift) : b);
        break;
    }
    case VPU_PREDEC:
        x.address = x.base = vpu_op2c(l, IR_SUB, a, width);
        break;
    case VPU_POSTINC:
        x.address = a;
        x.base = vpu_op2c(l, IR_ADD, a, width);
        break;
    default:
        x.address = a;
        if (i->imm & (int32_t)(width - 1))
            x.address = vpu_op2c(l, IR_ADD, a, (uint32_t)i->imm);
        else
            x.mem.offset = i->imm;
        if (i->a == VPU_PC) {
            x.address = vpu_const(l, i->address + (uint32_t)i->imm);
            x.mem.offset = 0;
        }
        break;
    }
    if (width > 1) {
        ir_value low = vpu_op2c(l, IR_AND, x.address, width - 1);
        vpu_raise_when(l, vpu_op2c(l, IR_NE, low, 0), x.pred, VPU_EXCEPTION_MISALIGNED);
    }
    return x;
}

static void put_base(struct vpu_lifter *l, const struct vpu_insn *i, const struct access *x)
{
    if (!x->base)
        return;
    vpu_set(l, i->a, x->pred ? ir_select(&l->b, x->pred, x->base, vpu_get(l, i->a)) : x->base);
}

static ir_value load_when(struct vpu_lifter *l, struct ir_mem mem, enum ir_type type, ir_value address, ir_value pred)
{
    return ir_emit(&l->b, IR_LOAD, type, 0, 1, &address, 1, ir_add_mem(l->b.p, mem), 0, pred);
}

/* The loaded value wins over the base register. */
void vpu_lift_load(struct vpu_lifter *l, const struct vpu_insn *i)
{
    struct access x = access_of(l, i);
    bool is_signed = vpu_ops[i->op].d_type == WEFT_TYPE_SIGNED;
    enum ir_type type = is_signed ? (enum ir_type)x.mem.elem : IR_I32;
    ir_value v = load_when(l, x.mem, type, x.address, x.pred);
    if (is_signed)
        v = ir_cvt(&l->b, IR_SEXT, IR_I32, 0, v);
    if (i->a != i->d)
        put_base(l, i, &x);
    vpu_result(l, i, v);
}

void vpu_lift_store(struct vpu_lifter *l, const struct vpu_insn *i)
{
    struct access x = access_of(l, i);
    ir_value v = vpu_get(l, i->d);
    ir_store(&l->b, x.mem, x.address, &v, x.pred);
    put_base(l, i, &x);
}

void vpu_lift_lea(struct vpu_lifter *l, const struct vpu_insn *i)
{
    vpu_result(l, i, vpu_const(l, i->target));
}

/* ---- ldm, stm: the highest register at the lowest address, lr or pc above them all ---- */

static unsigned listed(const struct vpu_insn *i)
{
    return i->flags & VPU_LINK_ONLY ? 0 : ((i->b - i->a) & 31u) + 1;
}

static ir_value aligned_stack(struct vpu_lifter *l)
{
    ir_value sp = vpu_get(l, VPU_SP);
    ir_value low = vpu_op2c(l, IR_AND, sp, 3);
    vpu_raise_when(l, vpu_op2c(l, IR_NE, low, 0), 0, VPU_EXCEPTION_MISALIGNED);
    return sp;
}

/* sp in the list is stored as it is after the push. */
void vpu_lift_stm(struct vpu_lifter *l, const struct vpu_insn *i)
{
    unsigned count = listed(i), words = count + ((i->flags & VPU_LINK) != 0);
    ir_value below = vpu_op2c(l, IR_SUB, aligned_stack(l), words * 4);
    struct ir_mem mem = {.space = 0, .elem = IR_I32, .count = 1};
    if (i->flags & VPU_LINK) {
        ir_value lr = vpu_get(l, VPU_LR);
        mem.offset = 4 * count;
        ir_store(&l->b, mem, below, &lr, 0);
    }
    for (unsigned k = 0; k < count; k++) {
        unsigned reg = (i->a + k) & 31;
        ir_value v = reg == VPU_SP ? below : vpu_get(l, reg);
        mem.offset = 4 * (count - 1 - k);
        ir_store(&l->b, mem, below, &v, 0);
    }
    vpu_set(l, VPU_SP, below);
}

/* A loaded sp wins over the increment; a word for pc in the list is skipped. With sr in the list the machine does the
 * rest. */
void vpu_lift_ldm(struct vpu_lifter *l, const struct vpu_insn *i)
{
    unsigned count = listed(i), words = count + ((i->flags & VPU_LINK) != 0);
    ir_value sp = aligned_stack(l), pc = 0, new_sp = 0, sr = 0;
    struct ir_mem mem = {.space = 0, .elem = IR_I32, .count = 1};
    ir_value above = vpu_op2c(l, IR_ADD, sp, words * 4);
    if (i->flags & VPU_LINK) {
        mem.offset = 4 * count;
        pc = ir_load(&l->b, mem, IR_I32, sp);
    }
    for (unsigned k = count; k-- > 0;) {
        unsigned reg = (i->a + k) & 31;
        mem.offset = 4 * (count - 1 - k);
        if (reg == VPU_PC)
            continue;
        ir_value v = ir_load(&l->b, mem, IR_I32, sp);
        if (reg == VPU_SP)
            new_sp = v;
        else if (reg == VPU_SR)
            sr = v;
        else
            vpu_set(l, reg, v);
    }
    vpu_set(l, VPU_SP, new_sp ? new_sp : above);
    if (sr && pc) /* the machine goes there */
        ir_set(&l->b, VPU_FILE_R, VPU_PC, pc, 0);
    if (sr)
        vpu_set(l, VPU_SR, sr);
    if (sr && pc)
        ir_set(&l->b, VPU_FILE_R, VPU_PC, pc, 0);
    else if (pc)
        vpu_jump(l, pc);
}
