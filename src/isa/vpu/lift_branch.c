/* lift_branch.c - branches, and the instructions that are about the processor itself. */
#include "ir/program.h"
#include "isa/vpu/lift.h"

static uint32_t next_of(const struct vpu_insn *i)
{
    return i->address + i->size;
}

/* b, j */
void vpu_lift_b(struct vpu_lifter *l, const struct vpu_insn *i)
{
    if (i->flags & VPU_TO_REGISTER)
        vpu_jump(l, vpu_get(l, i->d));
    else if (i->cond == VPU_ALWAYS)
        vpu_goto(l, i->target);
    else
        vpu_branch(l, vpu_condition(l, i->cond), i->target, next_of(i));
}

/* bl, jl */
void vpu_lift_bl(struct vpu_lifter *l, const struct vpu_insn *i)
{
    ir_value to = i->flags & VPU_TO_REGISTER ? vpu_get(l, i->d) : 0;
    if (to && i->d == VPU_LR) /* lr is written before the jump */
        to = vpu_op1(l, IR_COPY, to);
    vpu_set(l, VPU_LR, vpu_const(l, next_of(i)));
    if (l->job)
        vpu_job_return_to(l, next_of(i));
    if (to)
        vpu_jump(l, to);
    else
        vpu_goto(l, i->target);
}

/* tbb, tbh: a signed entry of the table after the instruction counts in halfwords from there (docs/fidelity.md). */
void vpu_lift_switch(struct vpu_lifter *l, const struct vpu_insn *i)
{
    bool bytes = vpu_ops[i->op].bytes == 1;
    ir_value index = vpu_get(l, i->d);
    enum ir_type type = bytes ? IR_I8 : IR_I16;
    struct ir_mem mem = {.space = 0, .elem = (uint8_t)type, .count = 1};
    ir_value at = vpu_op2c(l, IR_ADD, bytes ? index : vpu_op2c(l, IR_SHL, index, 1), next_of(i));
    ir_value entry = ir_cvt(&l->b, IR_SEXT, IR_I32, 0, ir_load(&l->b, mem, type, at));
    vpu_jump(l, vpu_op2c(l, IR_ADD, vpu_op2c(l, IR_SHL, entry, 1), next_of(i)));
}

/* The comparison is the instruction's own: flags stay. */
void vpu_lift_addcmpb(struct vpu_lifter *l, const struct vpu_insn *i)
{
    ir_value by = i->flags & VPU_STEP ? vpu_const(l, (uint32_t)i->step) : vpu_get(l, i->a);
    ir_value sum = vpu_op2(l, IR_ADD, vpu_get(l, i->d), by);
    vpu_set(l, i->d, sum);
    if (i->cond == VPU_ALWAYS)
        vpu_goto(l, i->target);
    else if (i->cond == VPU_NEVER)
        vpu_goto(l, next_of(i));
    else
        vpu_branch(l, vpu_compare(l, i->cond, sum, vpu_right(l, i)), i->target, next_of(i));
}

/* ---- the processor ---- */

void vpu_lift_to_p(struct vpu_lifter *l, const struct vpu_insn *i)
{
    bool mutex = vpu_controls[i->d].kind == VPU_CONTROL_MUTEX;
    ir_value v = vpu_get(l, i->a);
    ir_set(&l->b, VPU_FILE_P, i->d, mutex ? vpu_op2c(l, IR_AND, v, 1) : v, 0);
}

/* A mutex is taken by reading it: 0 says that it was free. */
void vpu_lift_from_p(struct vpu_lifter *l, const struct vpu_insn *i)
{
    unsigned kind = vpu_controls[i->a].kind;
    vpu_result(l, i, kind == VPU_CONTROL_ZERO ? vpu_const(l, 0) : ir_get(&l->b, VPU_FILE_P, i->a, IR_I32));
    if (kind == VPU_CONTROL_MUTEX)
        ir_set(&l->b, VPU_FILE_P, i->a, vpu_const(l, 1), 0);
}

void vpu_lift_version(struct vpu_lifter *l, const struct vpu_insn *i)
{
    vpu_result(l, i, vpu_const(l, 0x04000104)); /* BCM2835, core 0 */
}

void vpu_lift_nop(struct vpu_lifter *l, const struct vpu_insn *i)
{
    (void)l;
    (void)i;
}

/* cbclr, cbadd1-3 */
void vpu_lift_column(struct vpu_lifter *l, const struct vpu_insn *i)
{
    ir_value sr = ir_get(&l->b, VPU_FILE_R, VPU_SR, IR_I32);
    ir_value rest = vpu_op2c(l, IR_AND, sr, ~(uint32_t)VPU_SR_COLUMN), column = vpu_const(l, 0);
    if (vpu_ops[i->op].attr)
        column = vpu_op2c(l, IR_AND, vpu_op2c(l, IR_ADD, sr, (uint32_t)vpu_ops[i->op].attr << 4), VPU_SR_COLUMN);
    ir_set(&l->b, VPU_FILE_R, VPU_SR, vpu_op2(l, IR_OR, rest, column), 0);
}

void vpu_lift_system(struct vpu_lifter *l, const struct vpu_insn *i)
{
    vpu_system_call(l, i);
}
