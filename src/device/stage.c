/* stage.c - programs made ready for the stages of a pipeline. */
#include "device/pipeline.h"

#include <string.h>

bool stage_runs_anywhere(const struct ir_program *ir)
{
    for (uint32_t b = IR_ENTRY; b < ir->nblocks; b++)
        for (uint32_t i = 0; i < ir->blocks[b].count; i++) {
            const struct ir_op *op = &ir->blocks[b].ops[i];
            switch (op->code) {
            case IR_CONTROL:
            case IR_BRANCH:
            case IR_JUMP:
            case IR_BARRIER:
            case IR_TRAP:
            case IR_GET_DYN:
            case IR_SET_DYN:
            case IR_GET_LANE:
            case IR_SET_LANE:
            case IR_STORE:
            case IR_ATOMIC:
            case IR_SERVICE:
            case IR_CHECK:
            case IR_PROBE:
            case IR_BALLOT:
            case IR_ANY:
            case IR_ALL:
            case IR_FIRST:
            case IR_REDUCE:
                return false;
            case IR_GOTO:
                if (op->desc <= b)
                    return false;
                break;
            case IR_SYSVAL:
                if (op->imm == IR_SYS_HELPER)
                    return false;
                break;
            case IR_LOAD:
                if (!op->uniform)
                    return false;
                break;
            default:
                break;
            }
        }
    return true;
}

/* Whether an op asks for the number of its lane, or for a row of values that are those of a whole block. */
static bool knows_its_lane(const struct ir_op *op)
{
    if (op->code == IR_LANE_ID || op->code == IR_SHUFFLE)
        return true;
    return op->code == IR_SYSVAL && op->imm > IR_SYS_FRAG_W && op->imm != IR_SYS_FACE && op->imm != IR_SYS_PRIM_ID &&
           op->imm != IR_SYS_LAYER && op->imm != IR_SYS_VIEWPORT;
}

/* A program of more ops is made for whole warps only: the memory for its code counts. */
enum { FEW_MOST_OPS = 100000 };

static bool is_large(const struct ir_program *ir)
{
    size_t ops = 0;
    for (uint32_t b = 0; b < ir->nblocks; b++)
        ops += ir->blocks[b].count;
    return ops > FEW_MOST_OPS;
}

/* Whether a fragment program computes the same for a quad wherever in a warp the quad is. */
static bool quads_are_free(const struct ir_program *ir)
{
    if (ir->stage != IR_FRAGMENT || ir->lanes != BLOCK_LANES || ir->io.per_sample || !stage_runs_anywhere(ir))
        return false;
    for (uint32_t b = 0; b < ir->nblocks; b++)
        for (uint32_t i = 0; i < ir->blocks[b].count; i++)
            if (knows_its_lane(&ir->blocks[b].ops[i]))
                return false;
    return true;
}

/* Whether it computes the same in a warp of quads of several triangles, if its inputs are in rows; and whether its
 * tests may come before it. */
static bool triangles_may_meet(const struct ir_program *ir)
{
    if (ir->io.uses_discard || ir->io.writes_depth || ir->io.writes_stencil || ir->io.writes_samplemask)
        return false;
    for (uint32_t b = 0; b < ir->nblocks; b++)
        for (uint32_t i = 0; i < ir->blocks[b].count; i++) {
            const struct ir_op *op = &ir->blocks[b].ops[i];
            bool place = op->imm == IR_SYS_FRAG_X || op->imm == IR_SYS_FRAG_Y;
            if (op->code == IR_DISCARD || (op->code == IR_SYSVAL && !place))
                return false;
        }
    return true;
}

/* How each component is interpolated; false where it is in more than one way. */
static bool one_way_each(const struct ir_program *ir, struct arena *arena)
{
    uint8_t *way = ARENA_ARRAY(arena, uint8_t, (size_t)ir->io.ninputs * 4 + 1);
    if (!way)
        return false;
    memset(way, 0, (size_t)ir->io.ninputs * 4);
    for (uint32_t b = 0; b < ir->nblocks; b++)
        for (uint32_t i = 0; i < ir->blocks[b].count; i++) {
            const struct ir_op *op = &ir->blocks[b].ops[i];
            if (op->code != IR_INTERP)
                continue;
            uint8_t *seen = &way[op->desc * 4 + op->imm], mode = (uint8_t)(1 + (op->attr & 15));
            if (*seen && *seen != mode)
                return false;
            *seen = mode;
        }
    return true;
}

/* A program whose inputs are rows that the device has made. */
static struct ir_program *with_rows(const struct ir_program *ir, struct arena *arena)
{
    struct ir_program *out = ARENA_NEW(arena, struct ir_program);
    if (!out)
        return NULL;
    *out = *ir;
    out->blocks = ARENA_ARRAY(arena, struct ir_block, ir->nblocks);
    if (!out->blocks)
        return NULL;
    memcpy(out->blocks, ir->blocks, ir->nblocks * sizeof *out->blocks);
    for (uint32_t b = 0; b < ir->nblocks; b++) {
        struct ir_block *block = &out->blocks[b];
        block->ops = ARENA_ARRAY(arena, struct ir_op, block->count + 1);
        if (!block->ops)
            return NULL;
        block->cap = block->count + 1;
        for (uint32_t i = 0; i < block->count; i++) {
            block->ops[i] = ir->blocks[b].ops[i];
            if (block->ops[i].code != IR_INTERP)
                continue;
            block->ops[i].code = IR_ATTR;
            block->ops[i].attr = 0;
        }
    }
    return out;
}

weft_status stage_compile(const struct ir_program *ir, const struct source *source,
                          const struct exec_options *options, struct arena *arena, struct stage *out,
                          weft_diags *diags)
{
    struct exec_program *program = NULL;
    weft_status status = exec_compile(ir, options, arena, &program, diags);
    *out = (struct stage){.ir = ir, .program = program, .source = source};
    if (status != WEFT_OK || is_large(ir) || !quads_are_free(ir))
        return status;
    struct exec_options spare = *options;
    spare.spare = true;
    bool shared = triangles_may_meet(ir) && one_way_each(ir, arena);
    struct ir_program *few = shared ? with_rows(ir, arena) : ARENA_NEW(arena, struct ir_program);
    if (!few)
        return WEFT_ERROR_MEMORY;
    if (!shared) {
        *few = *ir;
        few->lanes = STAGE_FEW_LANES;
    }
    status = exec_compile(few, &spare, arena, &program, diags);
    *(shared ? &out->shared : &out->few) = program;
    return status;
}

static void report(const struct exec_program *program, weft_engine_stats *sum)
{
    struct exec_engine_report r;
    if (!program)
        return;
    exec_engine_report(program, &r);
    sum->programs++;
    sum->native += r.native;
    sum->operations += r.operations;
    sum->compiled += r.compiled;
    sum->seconds += r.seconds;
    sum->refused = r.why ? r.why : sum->refused;
}

void stage_report(const struct stage *s, weft_engine_stats *sum)
{
    report(s->program, sum);
    report(s->few, sum);
    report(s->shared, sum);
}

enum exec_engine stage_engine(weft_engine engine)
{
    return engine == WEFT_ENGINE_INTERP ? EXEC_ENGINE_INTERP
           : engine == WEFT_ENGINE_JIT  ? EXEC_ENGINE_JIT
                                        : EXEC_ENGINE_AUTO;
}

const char *weft_jit(void)
{
    return exec_jit_name();
}
