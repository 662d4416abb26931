/* instrument.c - probes in a lifted program: one before each instruction, one before each access, as far as there are
 * hooks for them. A probe is followed by a check whether its hook stopped the run; an access gets a condition that
 * holds where its hook did not refuse it. Hooks answer through registers of three files that are added here. The
 * program is not optimised afterwards: passes move values across instructions. */
#include "run/runner.h"

#include "ir/build.h"

#include <string.h>

#define WITHIN UINT32_MAX

struct instrument {
    weft_runner *r;
    struct runner_program *p;
    struct ir_program *ir;
    struct arena scratch;
    uint32_t *home; /* by instruction: the block that begins with it, or WITHIN; 0: nowhere */
};

static void add_probe(struct instrument *n, struct ir_builder *b, struct runner_point point, ir_value address,
                      ir_value pred)
{
    ir_value args[8];
    weft_runner *r = n->r;
    unsigned count = ir_invocation(b, args);
    point.program = n->p;
    point.insn = b->insn;
    point.keys = (uint8_t)count;
    if (address)
        args[count++] = address;
    struct runner_point *more =
        arena_grow(&r->arena, r->points, sizeof *more, r->npoints, &r->points_cap, r->npoints + 1);
    if (!more)
        return;
    r->points = more;
    ir_emit(b, IR_PROBE, IR_VOID, 0, 0, args, count, 0, r->npoints, pred);
    r->points[r->npoints++] = point;
    ir_check(b, ir_get(b, n->p->stopped, 0, IR_I1), FAILURE_BY_HOOK);
}

static void append(struct ir_program *p, uint32_t block, const struct ir_op *op)
{
    struct ir_block *b = &p->blocks[block];
    struct ir_op *ops = arena_grow(p->arena, b->ops, sizeof *ops, b->count, &b->cap, b->count + 1);
    if (!ops)
        return;
    b->ops = ops;
    b->ops[b->count++] = *op;
}

/* ---- accesses ---- */

/* Is a load or a store one for all lanes? An atomic never is. */
static bool is_uniform(const struct ir_program *p, const struct ir_op *op)
{
    const struct ir_space *s = &p->spaces[p->mems[op->desc].space];
    if (op->code == IR_LOAD)
        return op->uniform;
    bool uniform = op->code == IR_STORE && s->kind != IR_SPACE_PRIVATE && s->kind != IR_SPACE_INPUT &&
                   (!op->pred || p->value_uniform[op->pred]);
    for (unsigned i = 0; i < op->nargs; i++)
        uniform = uniform && p->value_uniform[ir_args(p, op)[i]];
    return uniform;
}

static void add_access(struct instrument *n, struct ir_builder *b, struct ir_op op)
{
    bool uniform = is_uniform(n->ir, &op);
    enum ir_type address = (enum ir_type)n->ir->value_type[ir_args(n->ir, &op)[0]];
    struct runner_point point = {.mem = op.desc,
                                 .wide = address == IR_I64,
                                 .uniform = uniform,
                                 .reads = op.code != IR_STORE,
                                 .writes = op.code != IR_LOAD};
    add_probe(n, b, point, ir_args(n->ir, &op)[0], op.pred);
    ir_value fine = ir_op1(b, IR_NOT, 0, ir_get(b, uniform ? n->p->refused_all : n->p->refused, 0, IR_I1));
    op.pred = op.pred ? ir_op2(b, IR_AND, 0, op.pred, fine) : fine;
    append(n->ir, b->block, &op);
}

/* ---- instructions ---- */

/* Where each instruction begins: within a block, after another one; or with a block. Of several blocks it is one that
 * counts instructions. One that counts none goes on with an instruction of another block, and may come to the next. */
static void find_beginnings(struct instrument *n)
{
    for (uint32_t k = IR_ENTRY; k < n->ir->nblocks; k++)
        for (uint32_t i = 1; i < n->ir->blocks[k].count; i++) {
            const struct ir_op *op = &n->ir->blocks[k].ops[i];
            if (op->insn != op[-1].insn && op->insn < n->ir->ninsns)
                n->home[op->insn] = WITHIN;
        }
    for (unsigned counted = 2; counted-- > 0;)
        for (uint32_t k = IR_ENTRY; k < n->ir->nblocks; k++) {
            const struct ir_block *b = &n->ir->blocks[k];
            uint32_t insn = b->count ? b->ops[0].insn : n->ir->ninsns;
            if (insn < n->ir->ninsns && !n->home[insn] && (counted ? b->insns > 0 : !b->insns && b->insn != insn))
                n->home[insn] = k;
        }
}

static bool begins(const struct instrument *n, uint32_t block, const struct ir_op *ops, uint32_t i)
{
    uint32_t insn = ops[i].insn;
    if (insn >= n->ir->ninsns)
        return false;
    return i > 0 ? insn != ops[i - 1].insn && n->home[insn] == WITHIN : n->home[insn] == block;
}

static bool is_access(const struct ir_op *op)
{
    return op->code == IR_LOAD || op->code == IR_STORE || op->code == IR_ATOMIC;
}

static void rewrite_block(struct instrument *n, uint32_t k)
{
    struct ir_block *block = &n->ir->blocks[k];
    struct ir_op *ops = block->ops;
    uint32_t count = block->count;
    block->ops = NULL;
    block->count = 0;
    block->cap = 0;
    /* A first block without instructions makes what the program begins with: parameters in memory are not accesses. */
    bool setting_up = k == IR_ENTRY && !block->insns;
    for (uint32_t i = 0; i < count; i++) {
        struct ir_builder b = {n->ir, k, ops[i].insn};
        if (n->r->options.instruction && begins(n, k, ops, i))
            add_probe(n, &b, (struct runner_point){.mem = RUNNER_NO_ACCESS}, 0, 0);
        if (n->r->options.access && is_access(&ops[i]) && !setting_up)
            add_access(n, &b, ops[i]);
        else
            append(n->ir, k, &ops[i]);
    }
}

weft_status runner_instrument(weft_runner *r, struct runner_program *p, struct ir_program *ir, weft_diags *diags)
{
    struct instrument n = {.r = r, .p = p, .ir = ir};
    n.home = ARENA_ARRAY(&n.scratch, uint32_t, ir->ninsns + 1);
    if (!n.home)
        return WEFT_ERROR_MEMORY;
    p->refused = ir_add_file(ir, (struct ir_file){.name = "hook_refused", .bits = 1, .count = 1});
    p->refused_all =
        ir_add_file(ir, (struct ir_file){.name = "hook_refused_all", .bits = 1, .count = 1, .uniform = true});
    p->stopped = ir_add_file(ir, (struct ir_file){.name = "hook_stopped", .bits = 1, .count = 1, .uniform = true});
    ir->precise = true;
    find_beginnings(&n);
    for (uint32_t k = IR_ENTRY; k < ir->nblocks; k++)
        rewrite_block(&n, k);
    arena_free(&n.scratch);
    return arena_failed(&r->arena) ? WEFT_ERROR_MEMORY : ir_verify(ir, diags);
}
