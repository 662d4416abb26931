/* Programs of Tesla, made of rows of the tables with random operands, and of random words: what is lifted satisfies the
 * verifier before and after optimising, and gives the same results either way. Both engines give the same.
 * Compute programs are dispatched: on one thread by the JIT and on three interpreted, at different levels of the CPU,
 * they end alike, with the same counts; and with the same bytes in memory where order is kept.
 * Where the first byte is 128 or more the program's own bytes come after HEAD bytes, to be changed one by one. */
#include "choice.h"
#include "exec/exec.h"
#include "insn_change.h"
#include "threads.h"
#include "verified.h"

#include "device/compute.h"
#include "ir/pass.h"
#include "base/bytes.h"
#include "isa/tesla/table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    LANES = 64 /* two warps may run as one */,
    SLOTS = 96,
    BUDGET = 2000,
    MEMORY = 1024,
    MOST_INSNS = 64,
    MOST_INPUT = 2048,
    WORDS = 128,
    HEAD = 3
};

static const char linkage_text[] = "registers 128\nlocal 64\nshared 256\nparameters 16\nblock 40 2 1\n";

/* ---- programs ---- */

static uint64_t random_word(struct choices *c)
{
    uint64_t word = 0;
    for (unsigned i = 0; i < 8; i++)
        word = word << 8 | take_byte(c);
    return word;
}

/* Long instructions, or two short ones. Branches go to instructions; predicates and tacked-on exits are seldom. */
static uint64_t take_insn(struct choices *c, const struct tesla_target *target, unsigned count)
{
    if (seldom(c, 24))
        return random_word(c);
    const struct tesla_row *row = &tesla_rows[take(c, TESLA_ROWS)];
    uint64_t word = (random_word(c) & ~row->mask) | row->value;
    if (row->form == TESLA_SHORT)
        return (word & UINT32_MAX) | word << 32;
    if (row->form == TESLA_CONTROL) {
        word = (word & ~(UINT64_C(0xffff) << 11)) | (uint64_t)take(c, count + 1) * 2 << 11;
        word &= UINT32_MAX | ~(UINT64_C(63) << 46); /* the high bits of the target */
    }
    if (row->form == TESLA_LONG && !seldom(c, 12))
        word &= ~(UINT64_C(3) << 32);
    if (!seldom(c, 3) || !tesla_find_row(tesla_tables(), word, target))
        word = (word & ~(UINT64_C(127) << 39) & ~(UINT64_C(0xe0) << 32 & ~row->mask)) | UINT64_C(15) << 39;
    if (!tesla_find_row(tesla_tables(), word, target))
        word = row->value | (word & 0x00ff0ffc & ~row->mask) | UINT64_C(15) << 39;
    return word;
}

/* The program of an input: how many bytes. */
static size_t take_program(struct choices *c, bool words, const struct tesla_target *target, uint8_t bytes[MOST_INPUT])
{
    if (words) {
        size_t size = c->size - c->at;
        memcpy(bytes, c->data + c->at, size);
        return size;
    }
    uint32_t count = 1 + take(c, MOST_INSNS);
    for (uint32_t i = 0; i < count; i++)
        bytes_put(bytes + i * 8, take_insn(c, target, count), 8);
    return count * 8;
}

static struct ir_program *lift(const struct isa_module *m, struct arena *arena, weft_diags *diags)
{
    struct ir_program *p = NULL;
    weft_status s = tesla_lift(m, NULL, arena, &p, diags);
    must((s == WEFT_OK) == (p != NULL));
    must(s == WEFT_OK || s == WEFT_ERROR_MEMORY || weft_diags_errors(diags) > 0);
    must(!p || verified(p, diags));
    return p && p->io.ninputs <= SLOTS && p->io.noutputs <= SLOTS ? p : NULL;
}

/* ---- programs of the pipeline: a warp ---- */

struct outputs {
    _Alignas(64) uint32_t row[SLOTS * 4][LANES];
};

static void sample(void *device, const struct exec_texture_call *call)
{
    (void)device;
    for (unsigned c = 0; c < 4; c++)
        memset(call->results[c], 0, call->lanes * sizeof(uint32_t));
}

static weft_status serve(void *device, struct exec_warp *w, const struct ir_op *op, const void *const *args,
                         void *const *results)
{
    (void)device, (void)w, (void)args;
    for (unsigned i = 0; i < op->nres; i++)
        memset(results[i], 0, LANES * sizeof(uint32_t));
    return WEFT_OK;
}

static enum exec_stop run_alone(struct ir_program *p, enum exec_engine engine, struct arena *arena, struct outputs *out,
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
    const struct exec_options options = {.level = exec_best_level(), .engine = engine};
    must(exec_compile(p, &options, arena, &code, diags) == WEFT_OK);
    struct exec_env *env = arena_alloc_aligned(arena, sizeof *env, 64);
    struct exec_warp *w = exec_warp_new(code);
    if (!env || !w)
        return EXEC_FAULT;
    *env = (struct exec_env){.plane = plane, .w_one = true, .frag_y_sign = 1, .attr = attr, .sysval = sysval,
                             .output = output, .texture = sample, .service = serve};
    for (uint32_t i = 0; i < p->nspaces && i < EXEC_MAX_SPACES; i++) {
        const struct ir_space *s = &p->spaces[i];
        bool lanes = s->kind == IR_SPACE_PRIVATE || s->kind == IR_SPACE_INPUT;
        size_t bytes = lanes ? s->size * LANES : MEMORY;
        env->space[i] = (struct exec_buffer){arena_alloc_aligned(arena, bytes + 64, 64), bytes};
        must(env->space[i].data != NULL);
        memset(env->space[i].data, 0, bytes);
    }
    must(exec_bind(w, env) == WEFT_OK);
    lane_mask all = UINT64_MAX >> (64 - p->lanes);
    enum exec_stop stop = exec_run(w, all, all, BUDGET);
    exec_warp_free(w);
    return stop;
}

static void draw(const struct isa_module *m, struct arena *arena, weft_diags *diags)
{
    static struct outputs plain, optimised, native;
    memset(&plain, 0, sizeof plain);
    memset(&optimised, 0, sizeof optimised);
    memset(&native, 0, sizeof native);
    struct ir_program *p = lift(m, arena, diags), *q = p ? lift(m, arena, diags) : NULL;
    if (!q)
        return;
    q->integer_targets = true; /* all outputs are compared */
    ir_optimise(q);
    must(verified(q, diags));
    enum exec_stop a = run_alone(p, EXEC_ENGINE_INTERP, arena, &plain, diags);
    enum exec_stop b = run_alone(q, EXEC_ENGINE_INTERP, arena, &optimised, diags);
    enum exec_stop c = run_alone(q, EXEC_ENGINE_JIT, arena, &native, diags);
    must(b == c && memcmp(&optimised, &native, sizeof native) == 0);
    if (a == EXEC_DONE && b == EXEC_DONE)
        must(memcmp(&plain, &optimised, sizeof plain) == 0);
}

/* ---- compute programs: a dispatch ---- */

static weft_status dispatch(const struct ir_program *ir, uint32_t groups, enum exec_level level,
                            enum exec_engine engine, struct pool *pool, struct arena *arena, uint8_t memory[MEMORY],
                            struct dispatch_stats *stats)
{
    static uint8_t constants[MEMORY];
    static weft_sampler samplers[RESOURCE_TEXTURES];
    struct dispatch d = {.groups = {groups, 1, 1}, .budget = BUDGET};
    weft_diags *diags = weft_diags_new();
    for (unsigned i = 0; i < RESOURCE_TEXTURES; i++)
        weft_sampler_init(&samplers[i]);
    d.resources.samplers = samplers;
    d.resources.level = level;
    for (unsigned i = 0; i < 16; i++) {
        d.resources.constants[i] = (struct exec_buffer){constants, sizeof constants};
        d.resources.storage[i] = (struct exec_buffer){memory + i * 64, 64};
    }
    const struct exec_options options = {.level = level, .engine = engine};
    must(stage_compile(ir, NULL, &options, arena, &d.program, diags) == WEFT_OK);
    *stats = (struct dispatch_stats){0};
    weft_status status = compute_dispatch(&d, pool, stats, diags);
    must((status == WEFT_OK) == (weft_diags_errors(diags) == 0));
    weft_diags_free(diags);
    return status;
}

static void compute(const struct isa_module *m, uint32_t groups, struct arena *arena, weft_diags *diags)
{
    static _Alignas(64) uint8_t memory[2][MEMORY];
    struct dispatch_stats stats[2];
    struct ir_program *p = lift(m, arena, diags);
    if (!p)
        return;
    ir_optimise(p);
    must(verified(p, diags));
    memset(memory, 0x5a, sizeof memory);
    weft_status first =
        dispatch(p, groups, exec_best_level(), EXEC_ENGINE_JIT, pool_of(1), arena, memory[0], &stats[0]);
    weft_status second =
        dispatch(p, groups, EXEC_BASELINE, EXEC_ENGINE_INTERP, pool_of(MOST_THREADS), arena, memory[1], &stats[1]);
    must(first == second);
    if (first != WEFT_OK)
        return;
    must(stats[0].in_order == stats[1].in_order && stats[0].invocations == stats[1].invocations);
    if (groups == 1 || stats[0].in_order) {
        must(stats[0].instructions == stats[1].instructions && stats[0].bad_accesses == stats[1].bad_accesses);
        must(memcmp(memory[0], memory[1], MEMORY) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const chips[] = {"g80", "g84", "mcp77", "g200", "gt215"};
    static const enum ir_stage stages[] = {IR_COMPUTE, IR_FRAGMENT, IR_VERTEX, IR_GEOMETRY};
    static uint8_t bytes[MOST_INPUT];
    if (size < HEAD || size > MOST_INPUT)
        return 0;
    struct choices c = {data, size, 0};
    struct arena arena = {.limit = 256u << 20};
    struct isa_linkage linkage = {.source = {"linkage", linkage_text, strlen(linkage_text)}};
    enum ir_stage stage = stages[take(&c, 4)];
    struct isa_params params = {.chip = chips[take(&c, 5)], .stage = (int)stage, .linkage = &linkage};
    struct tesla_target target = tesla_target_of(&params);
    uint32_t groups = 1 + take(&c, 3);
    size_t length = take_program(&c, data[0] >= WORDS, &target, bytes);
    weft_diags *diags = weft_diags_new();
    struct isa_module *m = NULL;
    must(tesla_decode(bytes, length, "input", &params, &arena, &m, diags) == WEFT_OK);
    if (stage == IR_COMPUTE)
        compute(m, groups, &arena, diags);
    else
        draw(m, &arena, diags);
    weft_diags_free(diags);
    arena_free(&arena);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    bool words = size >= HEAD && data[0] >= WORDS;
    return change_program(words ? decoder_of("tesla") : NULL, HEAD, data, size, most, seed);
}
