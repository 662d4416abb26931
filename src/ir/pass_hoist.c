/* pass_hoist.c - what is the same in every warp is computed once, in the prologue. */
#include "ir/pass.h"

#include "ir/rewrite.h"

#include <string.h>

/* Loads from constant spaces give the same whenever they run, unless they may stop the warp. */
static bool constant_load(const struct ir_program *p, const struct ir_op *op)
{
    if (op->code != IR_LOAD || op->pred)
        return false;
    const struct ir_space *s = &p->spaces[p->mems[op->desc].space];
    return s->kind == IR_SPACE_CONST && s->bounds != IR_BOUNDS_TRAP;
}

static bool hoistable(const struct ir_program *p, const struct ir_op *op, const uint8_t *in_prologue)
{
    if (!op->uniform || (!(ir_op_info[op->code].flags & IR_OP_PURE) && !constant_load(p, op)))
        return false;
    for (unsigned i = 0; i < op->nargs; i++)
        if (!in_prologue[ir_args(p, op)[i]])
            return false;
    return true;
}

static bool hoist_block(struct ir_program *p, uint32_t block, uint8_t *in_prologue)
{
    struct ir_block *b = &p->blocks[block], *to = &p->blocks[IR_PROLOGUE];
    /* Room for all first: half a block cannot be left behind. */
    struct ir_op *ops = arena_grow(p->arena, to->ops, sizeof *ops, to->count, &to->cap, (size_t)to->count + b->count);
    if (!ops)
        return false;
    to->ops = ops;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        const struct ir_op *op = &b->ops[i];
        if (!hoistable(p, op, in_prologue)) {
            b->ops[kept++] = *op;
            continue;
        }
        memset(in_prologue + op->res, 1, op->nres);
        to->ops[to->count++] = *op;
    }
    b->count = kept;
    return true;
}

void ir_pass_hoist(struct ir_program *p)
{
    struct arena scratch = {.limit = PASS_MEMORY};
    uint8_t *in_prologue = arena_failed(p->arena) || p->frozen ? NULL : ARENA_ARRAY(&scratch, uint8_t, p->nvalues);
    if (in_prologue) {
        const struct ir_block *prologue = &p->blocks[IR_PROLOGUE];
        for (uint32_t i = 0; i < prologue->count; i++)
            memset(in_prologue + prologue->ops[i].res, 1, prologue->ops[i].nres);
        for (uint32_t b = IR_ENTRY; b < p->nblocks; b++)
            if (p->blocks[b].count && !hoist_block(p, b, in_prologue))
                break;
    }
    pass_end(p, &scratch);
}
