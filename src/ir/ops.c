/* ops.c - the facts about ops and types that every part of the IR reads. */
#include "ir/ir.h"

enum { P = IR_OP_PURE, E = IR_OP_EFFECT, L = IR_OP_LANE, T = IR_OP_TERM, X = IR_OP_STATE };

const struct ir_op_info ir_op_info[IR_OPCODES] = {
/* The macro must be called X: the column of flags has an X of its own. */
#define X(name, text, args, result, flags, doc) [IR_##name] = {text, args, IR_RES_##result, flags, doc},
    IR_OPS(X)
#undef X
};

static const struct {
    const char *name;
    uint8_t bits;
} types[IR_TYPES] = {
    [IR_VOID] = {"void", 0}, [IR_I1] = {"i1", 1},    [IR_I8] = {"i8", 8},
    [IR_I16] = {"i16", 16},  [IR_I32] = {"i32", 32}, [IR_I64] = {"i64", 64},
    [IR_F16] = {"f16", 16},  [IR_F32] = {"f32", 32}, [IR_F64] = {"f64", 64},
};

unsigned ir_type_bits(enum ir_type type)
{
    return type < IR_TYPES ? types[type].bits : 0;
}

const char *ir_type_name(enum ir_type type)
{
    return type < IR_TYPES ? types[type].name : "?";
}

unsigned ir_targets(const struct ir_program *p, const struct ir_op *op, uint32_t target[IR_TARGETS])
{
    switch (op->code) {
    case IR_GOTO:
    case IR_BARRIER:
        target[0] = op->desc;
        return 1;
    case IR_BRANCH:
        target[0] = op->desc;
        target[1] = (uint32_t)op->imm;
        return 2;
    case IR_CONTROL: {
        if (op->desc >= p->ncontrols)
            return 0;
        const struct ir_control *c = &p->controls[op->desc];
        unsigned n = c->ntargets < IR_TARGETS ? c->ntargets : IR_TARGETS;
        for (unsigned i = 0; i < n; i++)
            target[i] = c->target[i];
        return n;
    }
    default:
        return 0;
    }
}

bool ir_computes_target(const struct ir_program *p, const struct ir_op *op)
{
    if (op->code == IR_JUMP)
        return true;
    for (unsigned i = 0; op->code == IR_CONTROL && i < op->nargs; i++)
        if (p->value_type[ir_args(p, op)[i]] != IR_I1)
            return true;
    return false;
}

/* System values that are one for all lanes of a warp. */
static const bool sysval_uniform[IR_SYSVALS] = {
    [IR_SYS_BASE_VERTEX] = true,   [IR_SYS_BASE_INSTANCE] = true, [IR_SYS_DRAW_ID] = true,
    [IR_SYS_BLOCK_ID] = true,      [IR_SYS_BLOCK_SIZE] = true,    [IR_SYS_GRID_SIZE] = true,
    [IR_SYS_WORK_DIM] = true,      [IR_SYS_WARP_ID] = true,       [IR_SYS_SUBGROUP_SIZE] = true,
    [IR_SYS_USER_DATA] = true,     [IR_SYS_CLOCK] = true,
};

static bool args_uniform(const struct ir_program *p, const struct ir_op *op)
{
    const ir_value *args = ir_args(p, op);
    for (unsigned i = 0; i < op->nargs; i++)
        if (args[i] >= p->nvalues || !p->value_uniform[args[i]])
            return false;
    return true;
}

static bool pred_uniform(const struct ir_program *p, const struct ir_op *op)
{
    return !op->pred || (op->pred < p->nvalues && p->value_uniform[op->pred]);
}

static bool file_uniform(const struct ir_program *p, const struct ir_op *op)
{
    return op->desc < p->nregs && p->regs[op->desc].file < p->nfiles && p->files[p->regs[op->desc].file].uniform;
}

/* Each lane has a memory of its own, so that the same address is another place in each lane. */
static bool space_per_lane(const struct ir_program *p, const struct ir_op *op)
{
    if (op->desc >= p->nmems || p->mems[op->desc].space >= p->nspaces)
        return true;
    unsigned kind = p->spaces[p->mems[op->desc].space].kind;
    return kind == IR_SPACE_PRIVATE || kind == IR_SPACE_INPUT;
}

bool ir_derive_uniform(const struct ir_program *p, const struct ir_op *op)
{
    if (!op->nres || op->code >= IR_OPCODES || (ir_op_info[op->code].flags & (IR_OP_LANE | IR_OP_EFFECT)))
        return false;
    switch (op->code) {
    case IR_GET:
        return file_uniform(p, op);
    case IR_GET_DYN:
        return file_uniform(p, op) && args_uniform(p, op);
    case IR_LOAD:
        return !space_per_lane(p, op) && args_uniform(p, op) && pred_uniform(p, op);
    case IR_SYSVAL:
        return op->imm < IR_SYSVALS && sysval_uniform[op->imm];
    case IR_BALLOT:
    case IR_ANY:
    case IR_ALL:
    case IR_FIRST:
    case IR_REDUCE:
        return true;
    default:
        return args_uniform(p, op);
    }
}
