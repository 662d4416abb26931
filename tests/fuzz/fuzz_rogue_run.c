/* Programs of Rogue, made of rows of the table with random fields and registers, legal together or not: what is lifted
 * satisfies the verifier before and after optimising, and leaves the same in registers either way.
 * Where the first byte is 128 or more the program's own bytes come after HEAD bytes, to be changed one by one. */
#include "choice.h"
#include "insn_change.h"
#include "verified.h"

#include "exec/exec.h"
#include "ir/pass.h"
#include "isa/rogue/lift.h"
#include "isa/rogue/template.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    LANES = 64 /* two tasks may run as one */,
    MOST_GROUPS = 24,
    GROUP_BYTES = 8,
    BUDGET = 500,
    MEMORY = 1024,
    MOST_INPUT = 2048,
    WORDS = 128,
    HEAD = 2
};

/* What stages have in common, and what is theirs. */
#define STATES                                                                                                         \
    "sh 0 16 constants 0\nsh 16 texture 0\nsh 20 sampler 0\nsh 24 storage 0\nsh 26 image 0\nsh 30 texels 0 5 3 2 4\n"  \
    "sh 34 texture_address 0\nsh 40 texture 1\nsh 44 sampler 1\ntexture 1 CUBE\n"
static const char *const linkages[IR_STAGES] = {
    [IR_VERTEX] = STATES,
    [IR_TESS_CTRL] = STATES "tess_control 4\n",
    [IR_TESS_EVAL] = STATES "tess_evaluation quads odd cw\n",
    [IR_GEOMETRY] = STATES "geometry lines points 8 2\n",
    [IR_FRAGMENT] =
        STATES "in W cf0\nin GENERIC[0].x cf4\nin GENERIC[0].y cf8 linear\nin GENERIC[1].x cf12 flat\nout COLOR[0] o0 "
               "u8888\nout COLOR[1].x r3\n",
    [IR_COMPUTE] = STATES,
};

/* ---- programs ---- */

static struct rogue_reg take_register(struct choices *c)
{
    static const uint8_t banks[] = {ROGUE_TEMP,    ROGUE_TEMP,  ROGUE_TEMP, ROGUE_SHARED,
                                    ROGUE_SPECIAL, ROGUE_VTXIN, ROGUE_COEFF};
    if (seldom(c, 12))
        return (struct rogue_reg){(uint8_t)take(c, 8), (uint8_t)take(c, 5), (uint16_t)take(c, 2048)};
    uint8_t bank = banks[take(c, sizeof banks)];
    return (struct rogue_reg){bank, 0, (uint16_t)take(c, bank == ROGUE_TEMP ? 12 : 100)};
}

/* Random bits in the fields of a random row that can be on that unit; branches go to groups, or seldom do not. */
static void take_insn(struct choices *c, struct rogue_group *g, enum rogue_unit unit, unsigned count)
{
    unsigned op = take(c, ROGUE_OPS);
    const struct rogue_table *t = rogue_table();
    while ((rogue_rows()[op].units >> unit & 1) == 0)
        op = (op + 1) % ROGUE_OPS;
    struct rogue_insn *insn = &g->insn[rogue_slot(unit)];
    *insn = (struct rogue_insn){.row = &rogue_rows()[op], .form = (uint8_t)take(c, rogue_nforms(op))};
    const struct rogue_variant *v = rogue_variant_of(t, insn);
    insn->bits = v->start;
    for (int f = 0; f < ROGUE_FIELDS; f++)
        if (v->form->slot[f] >= 0 && take_bool(c)) {
            uint64_t code = take(c, 256);
            if (f == ROGUE_F_OFFSET && !seldom(c, 16))
                code = (take(c, count) * GROUP_BYTES - g->offset) / 2 & 0x7fffffff;
            pattern_set(&v->form->pattern.field[v->form->slot[f]], &insn->bits,
                        code & ((UINT64_C(1) << v->form->pattern.field[v->form->slot[f]].width) - 1));
        }
    for (unsigned i = 0; i < v->nchecks; i++) { /* codes that mean nothing decode to no instruction */
        const struct pattern_field *f = &v->form->pattern.field[v->checks[i].slot];
        if (!(v->checks[i].valid >> (pattern_get(f, &insn->bits) & 63) & 1))
            pattern_set(f, &insn->bits, pattern_get(f, &v->start));
    }
    for (int i = 0; i < 2; i++)
        insn->bits.w[i] = (insn->bits.w[i] & ~v->mask.w[i]) | v->value.w[i];
}

static void take_group(struct choices *c, struct rogue_group *g, unsigned number, unsigned count)
{
    static const uint8_t first[] = {ROGUE_P0, ROGUE_P0, ROGUE_BITMASK, ROGUE_CTRL};
    static const uint8_t alus[] = {ROGUE_MAIN, ROGUE_MAIN, ROGUE_BITWISE, ROGUE_CONTROL};
    unsigned kind = take(c, 4);
    *g = (struct rogue_group){.alu = alus[kind],
                              .cc = (uint8_t)take(c, 4),
                              .repeat = (uint8_t)(seldom(c, 4) ? take(c, 4) + 1 : 1),
                              .end = seldom(c, 40),
                              .is0 = (uint8_t)take(c, 8),
                              .is1 = take_bool(c),
                              .is2 = take_bool(c),
                              .is3 = (uint8_t)take(c, 4),
                              .is4 = (uint8_t)take(c, 4),
                              .is5 = (uint8_t)take(c, 4),
                              .destinations = (uint8_t)take(c, 4),
                              .sources = 63,
                              .offset = number * GROUP_BYTES,
                              .size = GROUP_BYTES,
                              .drc = take_bool(c)};
    for (unsigned i = 0; i < ROGUE_SOURCES; i++)
        g->s[i] = take_register(c);
    for (unsigned i = 0; i < ROGUE_DESTINATIONS; i++)
        g->w[i] = seldom(c, 16) ? take_register(c) : (struct rogue_reg){ROGUE_TEMP, 0, (uint16_t)take(c, 12)};
    take_insn(c, g, (enum rogue_unit)first[kind], count);
    for (unsigned i = 1; kind < 3 && i < ROGUE_SLOTS; i++)
        if (seldom(c, 3))
            take_insn(c, g, (enum rogue_unit)(first[kind] + i), count);
    if (kind == 3) { /* a control group is not repeated, and few end */
        g->repeat = 1;
        g->end &= rogue_variant_at(rogue_table(), g, ROGUE_CTRL)->form->misc == ROGUE_MISC_END;
    }
    rogue_finish(g); /* as what reads texts and bytes does */
}

static const struct isa_module *take_program(struct choices *c, struct arena *arena, weft_diags *diags)
{
    bool words = c->data[0] >= WORDS;
    int stage = (int)take(c, IR_STAGES);
    struct isa_linkage *linkage = arena_alloc(arena, sizeof *linkage);
    struct isa_module *m = arena_alloc(arena, sizeof *m);
    must(linkage && m);
    *linkage = (struct isa_linkage){{"linkage", linkages[stage], strlen(linkages[stage])}};
    *m = (struct isa_module){.stage = stage, .strict = take_bool(c), .linkage = linkage};
    if (words) {
        const struct isa_params params = {.stage = stage, .strict = m->strict, .linkage = linkage};
        must(rogue_decode(c->data + c->at, c->size - c->at, "input", &params, arena, &m, diags) == WEFT_OK);
        return m;
    }
    m->ngroups = take(c, MOST_GROUPS) + 1;
    m->groups = ARENA_ARRAY(arena, struct rogue_group, m->ngroups);
    must(m->groups != NULL);
    for (uint32_t i = 0; i < m->ngroups; i++)
        take_group(c, &m->groups[i], i, m->ngroups);
    return m;
}

/* ---- running ---- */

static void sample(void *device, const struct exec_texture_call *call)
{
    (void)device;
    for (unsigned i = 0; i < 4; i++)
        memset(call->results[i], 0, call->lanes * sizeof(uint32_t));
}

static weft_status serve(void *device, struct exec_warp *w, const struct ir_op *op, const void *const *args,
                         void *const *results)
{
    const struct ir_program *p = device;
    (void)w, (void)args;
    for (unsigned i = 0; i < op->nres; i++)
        if (results[i])
            memset(results[i], 0, p->lanes * sizeof(uint32_t));
    return WEFT_OK;
}

static struct ir_program *lift(const struct isa_module *m, struct arena *arena, weft_diags *diags)
{
    struct ir_program *p = NULL;
    weft_status s = rogue_lift(m, NULL, arena, &p, diags);
    must((s == WEFT_OK) == (p != NULL));
    must(s == WEFT_OK || s == WEFT_ERROR_MEMORY || weft_diags_errors(diags) > 0);
    must(!p || verified(p, diags));
    for (uint32_t i = 0; p && i < p->nfiles; i++)
        p->files[i].preserved = true;
    return p;
}

static struct exec_warp *run(struct ir_program *p, enum exec_engine engine, struct arena *arena, enum exec_stop *stop,
                             weft_diags *diags)
{
    static const uint8_t constants[MEMORY];
    static _Alignas(64) const uint32_t zeros[LANES];
    static const void *sysval[IR_SYSVALS * 4];
    struct exec_program *code = NULL;
    const struct exec_options options = {.level = exec_best_level(), .engine = engine};
    must(exec_compile(p, &options, arena, &code, diags) == WEFT_OK);
    struct exec_env *env = arena_alloc_aligned(arena, sizeof *env, 64);
    struct exec_warp *w = exec_warp_new(code);
    must(env && w);
    for (unsigned i = 0; i < IR_SYSVALS * 4; i++)
        sysval[i] = zeros;
    static const struct exec_plane planes[64];
    static _Alignas(64) uint32_t rows[64 * 4][LANES];
    static void *output[64 * 4];
    static const void *attr[64 * 4];
    static uint8_t shared[MEMORY * 16];
    must(p->io.ninputs <= 64 && p->io.noutputs <= 64);
    for (unsigned i = 0; i < 64 * 4; i++) {
        output[i] = rows[i];
        attr[i] = zeros;
    }
    *env = (struct exec_env){.device = p,
                             .sysval = sysval,
                             .texture = sample,
                             .service = serve,
                             .plane = planes,
                             .w_plane = {1, 0, 0},
                             .output = output,
                             .attr = attr};
    for (uint32_t i = 0; i < p->nspaces && i < EXEC_MAX_SPACES; i++)
        if (p->spaces[i].kind == IR_SPACE_CONST)
            env->space[i] = (struct exec_buffer){(uint8_t *)(uintptr_t)constants, MEMORY};
        else if (p->spaces[i].kind == IR_SPACE_SHARED)
            env->space[i] = (struct exec_buffer){shared, sizeof shared};
        else if (p->spaces[i].kind == IR_SPACE_INPUT && p->spaces[i].size * LANES <= sizeof shared)
            env->space[i] = (struct exec_buffer){shared, p->spaces[i].size};
    memset(shared, 0, sizeof shared); /* as every workgroup finds it */
    must(exec_bind(w, env) == WEFT_OK);
    lane_mask all = UINT64_MAX >> (64 - p->lanes);
    *stop = exec_run(w, all, all, BUDGET);
    return w;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < HEAD || size > MOST_INPUT)
        return 0;
    struct choices c = {data, size, 0};
    struct arena arena = {0};
    weft_diags *diags = weft_diags_new();
    const struct isa_module *m = take_program(&c, &arena, diags);
    struct ir_program *p = lift(m, &arena, diags), *q = p ? lift(m, &arena, diags) : NULL;
    if (q) {
        enum exec_stop a, b, n;
        ir_optimise(q);
        must(verified(q, diags));
        struct exec_warp *plain = run(p, EXEC_ENGINE_INTERP, &arena, &a, diags);
        struct exec_warp *optimised = run(q, EXEC_ENGINE_INTERP, &arena, &b, diags);
        struct exec_warp *native = run(q, EXEC_ENGINE_JIT, &arena, &n, diags);
        must(b == n && exec_warp_counts(optimised)->insns == exec_warp_counts(native)->insns);
        for (uint32_t r = 0; r < p->files[ROGUE_FILE_R].count; r++)
            must(memcmp(exec_warp_register(optimised, ROGUE_FILE_R, r), exec_warp_register(native, ROGUE_FILE_R, r),
                        p->lanes * sizeof(uint32_t)) == 0);
        for (uint32_t r = 0; a == EXEC_DONE && b == EXEC_DONE && r < p->files[ROGUE_FILE_R].count; r++)
            must(memcmp(exec_warp_register(plain, ROGUE_FILE_R, r), exec_warp_register(optimised, ROGUE_FILE_R, r),
                        p->lanes * sizeof(uint32_t)) == 0);
        exec_warp_free(plain);
        exec_warp_free(optimised);
        exec_warp_free(native);
    }
    weft_diags_free(diags);
    arena_free(&arena);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    bool words = size >= HEAD && data[0] >= WORDS;
    return change_program(words ? decoder_of("rogue") : NULL, HEAD, data, size, most, seed);
}
