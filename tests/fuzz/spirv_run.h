/* spirv_run.h - a module of SPIR-V is taken apart, checked, lifted, optimised and run with a small budget, valid or
 * not.
 *
 * What the reader refuses, the validator refuses; what the validator accepts, weft runs or says what it does not have;
 * the lift says why it refuses; what is lifted satisfies the verifier, before and after optimising; the optimiser
 * changes no result, unless the budget is used up. */
#ifndef WEFT_FUZZ_SPIRV_RUN_H
#define WEFT_FUZZ_SPIRV_RUN_H

#include "bindings.h"
#include "exec/exec.h"
#include "threads.h"
#include "verified.h"

#include "device/compute.h"
#include "ir/pass.h"
#include "isa/spirv/spirv.h"
#include "isa/spirv/tools.h"

enum { LANES = EXEC_MAX_LANES, SLOTS = 64, BUDGET = 600, SPACE = 4096, MOST_INVOCATIONS = 128 };

struct outputs {
    _Alignas(64) uint32_t row[SLOTS * 4][LANES];
};

static inline void sample_zeros(void *device, const struct exec_texture_call *call)
{
    (void)device;
    for (unsigned c = 0; c < 4; c++)
        memset(call->results[c], 0, call->lanes * sizeof(uint32_t));
}

static inline weft_status serve_zeros(void *device, struct exec_warp *w, const struct ir_op *op,
                                      const void *const *args, void *const *results)
{
    (void)device, (void)args;
    for (unsigned i = 0; i < op->nres; i++)
        memset(results[i], 0, exec_warp_ir(w)->lanes * (ir_type_bits((enum ir_type)op->type) > 32 ? 8u : 4u));
    return WEFT_OK;
}

/* A warp by itself, on inputs of zeros. */
static inline enum exec_stop run_alone(struct ir_program *p, struct arena *arena, struct outputs *out,
                                       weft_diags *diags)
{
    static const struct exec_plane plane[SLOTS * 4];
    static _Alignas(64) const uint32_t zeros[LANES];
    const void *attr[SLOTS * 4], *sysval[IR_SYSVALS * 4] = {0};
    void *output[SLOTS * 4];
    for (unsigned i = 0; i < SLOTS * 4; i++) {
        attr[i] = zeros;
        output[i] = out->row[i];
    }
    struct exec_program *code = NULL;
    const struct exec_options options = {.level = exec_best_level(), .engine = EXEC_ENGINE_INTERP};
    if (exec_compile(p, &options, arena, &code, diags) != WEFT_OK)
        return EXEC_FAULT;
    struct exec_env *env = arena_alloc_aligned(arena, sizeof *env, 64);
    struct exec_warp *w = exec_warp_new(code);
    if (!env || !w)
        return EXEC_FAULT;
    *env = (struct exec_env){.plane = plane, .w_one = true, .frag_y_sign = 1, .attr = attr, .sysval = sysval,
                             .output = output, .texture = sample_zeros, .service = serve_zeros};
    for (uint32_t i = 0; i < p->nspaces && i < EXEC_MAX_SPACES; i++) {
        const struct ir_space *s = &p->spaces[i];
        bool lanes = s->kind == IR_SPACE_PRIVATE || s->kind == IR_SPACE_INPUT;
        size_t bytes = lanes && s->size < SPACE ? s->size * p->lanes : SPACE;
        env->space[i] = (struct exec_buffer){arena_alloc_aligned(arena, bytes + 64, 64), bytes};
        must(env->space[i].data != NULL);
        memset(env->space[i].data, 0, bytes);
    }
    enum exec_stop stop = exec_bind(w, env) == WEFT_OK ? exec_run(w, 0xffff, 0xffff, BUDGET) : EXEC_FAULT;
    exec_warp_free(w);
    return stop;
}

static inline weft_status dispatch(const struct ir_program *ir, const struct bindings *b, unsigned set,
                                   struct arena *arena)
{
    struct dispatch d = {.groups = {1, 1, 1}, .budget = BUDGET};
    struct dispatch_stats stats = {0};
    weft_diags *diags = weft_diags_new();
    const struct exec_options options = {.level = exec_best_level(), .engine = EXEC_ENGINE_INTERP};
    bindings_use(b, set, exec_best_level(), &d.resources);
    weft_status status = stage_compile(ir, NULL, &options, arena, &d.program, diags);
    if (status == WEFT_OK)
        status = compute_dispatch(&d, pool_of(1), &stats, diags);
    must((status == WEFT_OK) == (weft_diags_errors(diags) == 0));
    weft_diags_free(diags);
    return status;
}

static inline void run_compute(const struct ir_program *plain, const struct ir_program *optimised, struct arena *arena)
{
    uint8_t bytes[64];
    uint32_t random = plain->nblocks * 2654435761u + 1;
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)next_random(&random);
    struct choices c = {bytes, sizeof bytes, 0};
    struct bindings *b = claim(sizeof *b);
    bindings_init(&c, b);
    bind_program(&c, b, plain);
    weft_status first = dispatch(plain, b, 0, arena), second = dispatch(optimised, b, 1, arena);
    /* A branch that became selects pays for both arms. */
    bool ended = first != WEFT_ERROR_BUDGET && second != WEFT_ERROR_BUDGET;
    must(!ended || first == second);
    for (unsigned i = 0; i < BOUND_STORAGE && ended && first == WEFT_OK; i++)
        must(memcmp(b->set[0].storage[i], b->set[1].storage[i], b->storage_size) == 0);
    bindings_free(b);
    free(b);
}

static inline void run_lifted(struct ir_program *plain, struct ir_program *optimised, struct arena *arena,
                              weft_diags *diags)
{
    static struct outputs outputs[2];
    if (plain->stage == IR_COMPUTE) {
        const uint16_t *size = plain->io.block;
        if ((uint64_t)size[0] * size[1] * size[2] <= MOST_INVOCATIONS)
            run_compute(plain, optimised, arena);
        return;
    }
    if (plain->io.ninputs > SLOTS || plain->io.noutputs > SLOTS)
        return;
    memset(outputs, 0, sizeof outputs);
    enum exec_stop a = run_alone(plain, arena, &outputs[0], diags), b = run_alone(optimised, arena, &outputs[1], diags);
    if (a == EXEC_OUT_OF_BUDGET || b == EXEC_OUT_OF_BUDGET) /* a branch that became selects pays for both arms */
        return;
    must(a == b);
    if (a == EXEC_DONE)
        must(memcmp(&outputs[0], &outputs[1], sizeof outputs[0]) == 0);
}

static inline struct ir_program *lift_module(const struct isa_module *m, bool valid, struct arena *arena,
                                             weft_diags *diags)
{
    struct ir_program *p = NULL;
    size_t before = weft_diags_errors(diags);
    weft_status s = spirv_lift(m, NULL, arena, &p, diags);
    must((s == WEFT_OK) == (p != NULL));
    must(s == WEFT_OK || s == WEFT_ERROR_MEMORY || weft_diags_errors(diags) > before);
    must(!valid || s != WEFT_ERROR_INPUT);
    must(!p || verified(p, diags));
    return p;
}

/* True: the validator has nothing against it. */
static inline bool run_words(struct spirv_words words, const char *entry, struct arena *arena)
{
    static const struct isa_params no_params = {.stage = -1};
    struct isa_params params = no_params;
    struct isa_module *m = NULL;
    struct spirv_messages messages = {0};
    weft_diags *diags = weft_diags_new();
    params.entry = entry;
    weft_status status = spirv_read(words.word, words.count, "input", NULL, &params, arena, &m, diags);
    must(status == WEFT_OK || weft_diags_errors(diags) > 0);
    bool valid = spirv_validate(words, &(struct spirv_validate_options){.env = "spv1.6"}, arena, &messages) == WEFT_OK;
    if (status != WEFT_OK) {
        const weft_diag *first = weft_diags_get(diags, 0);
        must(!valid || strcmp(first->code, "no-entry") == 0 || strcmp(first->code, "memory") == 0);
    } else {
        char *text;
        size_t size;
        must(!valid || spirv_check(m, NULL, &params, diags) == WEFT_OK);
        spirv_print(m, arena, &text, &size, NULL);
        struct ir_program *p = lift_module(m, valid, arena, diags), *q = p ? lift_module(m, valid, arena, diags) : NULL;
        if (q) {
            q->integer_targets = true; /* all outputs are compared */
            ir_optimise(q);
            must(verified(q, diags));
            run_lifted(p, q, arena, diags);
        }
    }
    weft_diags_free(diags);
    return valid;
}

#endif
