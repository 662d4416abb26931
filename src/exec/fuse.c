/* fuse.c - two ops in one operation.
 *
 * Every intermediate result is rounded as it would be alone; only the sign of a NaN may differ, which is nobody's to
 * see (docs/architecture.md): ops whose NaNs are seen have an attribute. `order` says which operands the handler takes:
 * i and j are the inner op's arguments, o the outer op's other one. */
#include "exec/select.h"

static const struct fusion fusions[] = {
    {IR_FADD, IR_FMUL, IR_F32, -1, 0, 0, H_FMULADD32, "ijo"},
    {IR_FSUB, IR_FMUL, IR_F32, 0, 0, 0, H_FMULSUB32, "ijo"},
    {IR_FSUB, IR_FMUL, IR_F32, 1, 0, 0, H_FSUBMUL32, "ijo"},
    {IR_FADD, IR_FNEG, IR_F32, -1, 0, 0, H_FSUB32, "oi"},
    {IR_FSUB, IR_FNEG, IR_F32, 1, 0, 0, H_FADD32, "oi"},
    {IR_FADD, IR_FADD, IR_F32, -1, 0, 0, H_FADDADD32, "ijo"},
    {IR_FMUL, IR_FMUL, IR_F32, -1, 0, 0, H_FMULMUL32, "ijo"},
    {IR_FMUL, IR_FADD, IR_F32, -1, 0, 0, H_FADDMUL32, "ijo"},
    {IR_FMUL, IR_FSUB, IR_F32, -1, 0, 0, H_FSUBMULT32, "ijo"},
    {IR_FMUL, IR_U2F, IR_F32, -1, 0, 0, H_U2F_MUL32, "io"},
    {IR_FMUL, IR_S2F, IR_F32, -1, 0, 0, H_S2F_MUL32, "io"},
    {IR_FMIN, IR_FMAX, IR_F32, 0, IR_MINMAX_SECOND, IR_MINMAX_SECOND, H_CLAMP_SEC32, "ijo"},
    {IR_ADD, IR_MUL, IR_I32, -1, 0, 0, H_MULADD_I32, "ijo"},
    {IR_XOR, IR_SHR_U, IR_I32, -1, 0, 0, H_XOR_SHR32, "ijo"},
    {IR_XOR, IR_MUL, IR_I32, -1, 0, 0, H_XOR_MUL32, "ijo"},
    {IR_XOR, IR_XOR, IR_I32, -1, 0, 0, H_XOR_XOR32, "ijo"},
    {IR_MUL, IR_XOR, IR_I32, -1, 0, 0, H_MUL_XOR32, "ijo"},
    {IR_SHR_U, IR_MUL, IR_I32, 0, 0, 0, H_SHR_MUL32, "ijo"},
    {IR_AND, IR_SHR_U, IR_I32, -1, 0, 0, H_AND_SHR32, "ijo"},
    {IR_SHR_S, IR_SHL, IR_I32, 0, 0, 0, H_SHL_SHRS32, "ijo"},
    {IR_MAX_S, IR_MIN_S, IR_I32, -1, 0, 0, H_CLAMP_S32, "ijo"},
    {IR_MAX_S, IR_MIN_S, IR_I64, -1, 0, 0, H_CLAMP_S64, "ijo"},
};

const struct fusion *find_fusion(const struct ir_program *ir, const struct ir_op *op, unsigned side,
                                 const struct ir_op *inner)
{
    for (size_t i = 0; i < sizeof fusions / sizeof fusions[0]; i++) {
        const struct fusion *f = &fusions[i];
        if (f->outer != op->code || f->inner != inner->code || f->type != op->type || f->type != inner->type)
            continue;
        if (f->side >= 0 && (unsigned)f->side != side)
            continue;
        if (f->outer_attr != op->attr || f->inner_attr != inner->attr)
            continue;
        bool converts = inner->code == IR_U2F || inner->code == IR_S2F;
        if (converts && ir->value_type[ir_args(ir, inner)[0]] != IR_I32)
            continue;
        return f;
    }
    return NULL;
}
