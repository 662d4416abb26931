/* test_lookups.c - TEX_SINGLE, TEX_FETCH, TEX_GATHER and TEX_DUAL with any modifiers: what they ask of the device,
 * argument by argument, and where results go, against the order of the staging registers that docs/manual/valhall.md
 * has. */
#include "exec/exec.h"
#include "isa/valhall/lift.h"
#include "program.h"
#include "rogue/half.h"

#include <math.h>

enum { LANES = 16, FIRST = 4, HANDLE = 20, TO = 30, MOST_CALLS = 6, WORDS = 8 };

enum kind { SINGLE, FETCH, GATHER, DUAL };
enum lod { ZERO, COMPUTED, EXPLICIT, BIAS, GRADIENT };

struct lookup {
    enum kind kind;
    enum lod lod;
    unsigned dim; /* 1D, 2D, 3D, cube */
    unsigned type, mask, component, words;
    bool array, shadow, offsets, wide, integers, fragment;
    bool fixed;       /* the handle is a constant */
    bool narrow[2];   /* results of 16 bits */
    bool level_word;  /* of a fetch without offsets */
    uint32_t handle[2];
};

struct call {
    struct ir_texture op;
    unsigned nargs;
    uint32_t arg[16][LANES];
};

static struct call calls[MOST_CALLS];
static unsigned ncalls;
static bool floats_asked;

static uint32_t bits_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* What the device answers to the n-th call: small numbers, which halves hold too, and words that differ in all bits. */
static uint32_t answer(unsigned n, unsigned c, unsigned lane)
{
    unsigned which = 64 * n + 16 * c + lane;
    return floats_asked ? bits_of((float)which + 0.5f) : 0x5a5a0000u + 0x10801u * which;
}

static void take(void *device, const struct exec_texture_call *call)
{
    static const uint32_t size[4] = {64, 32, 16, 7};
    struct call *k = &calls[ncalls < MOST_CALLS ? ncalls : MOST_CALLS - 1];
    (void)device;
    *k = (struct call){.op = *call->op, .nargs = call->nargs};
    for (unsigned a = 0; a < call->nargs && a < 16; a++)
        memcpy(k->arg[a], call->args[a], sizeof k->arg[a]);
    for (unsigned c = 0; c < 4; c++)
        for (unsigned lane = 0; call->results[c] && lane < LANES; lane++)
            ((uint32_t *)call->results[c])[lane] =
                call->op->op == IR_TEX_QUERY_SIZE ? size[c] : answer(ncalls, c, lane);
    ncalls++;
}

/* ---- lookups at random ---- */

static bool some(struct test_rng *rng, unsigned of)
{
    return test_next(rng) % of == 0;
}

static struct lookup random_lookup(struct test_rng *rng)
{
    struct lookup k = {.kind = test_next(rng) % 4, .lod = test_next(rng) % 5, .dim = test_next(rng) % 4};
    bool fetch = k.kind == FETCH;
    k.type = 1 + test_next(rng) % 3;
    k.mask = 1 + test_next(rng) % 15;
    k.component = test_next(rng) % 4;
    k.array = k.dim != 2 && some(rng, 3);
    k.shadow = !fetch && some(rng, 3);
    k.offsets = some(rng, 3);
    k.wide = k.kind != DUAL && some(rng, 3);
    k.integers = k.kind == GATHER && k.dim != 3 && some(rng, 2);
    k.fragment = some(rng, 2);
    k.fixed = some(rng, 2);
    k.narrow[0] = some(rng, 2);
    k.narrow[1] = some(rng, 2);
    k.level_word = fetch && !k.offsets && some(rng, 2);
    if (k.kind != SINGLE && k.kind != DUAL)
        k.lod = ZERO;
    bool level = k.lod == EXPLICIT || k.lod == BIAS || k.lod == GRADIENT || k.level_word;
    k.words = (k.dim == 0 ? 1 : k.dim == 2 || (k.dim == 3 && fetch) ? 3 : 2) + (k.array && !(fetch && k.dim == 3));
    k.words += k.shadow + k.offsets + level;
    for (unsigned i = 0; i < 2; i++) {
        uint32_t sampler = test_next(rng) % 12, texture = test_next(rng) % 12;
        k.handle[i] = k.wide ? i ? texture | 4u << 24 : sampler | 3u << 24
                             : 3u << 11 | sampler | (4u << 11 | texture) << 16;
    }
    return k;
}

static unsigned results_of(const struct lookup *k, unsigned lookup)
{
    unsigned count = 0;
    for (unsigned c = 0; c < 4; c++)
        count += k->mask >> c & 1;
    return k->narrow[lookup] ? (count + 1) / 2 : count;
}

static size_t write_registers(char *text, size_t size, unsigned from, unsigned count)
{
    size_t n = 0;
    for (unsigned i = 0; i < count; i++)
        n += (size_t)snprintf(text + n, size - n, "%s%u", i ? ":r" : "@r", from + i);
    return n;
}

static void write_text(const struct lookup *k, char *text, size_t size)
{
    static const char *const names[] = {"TEX_SINGLE", "TEX_FETCH", "TEX_GATHER", "TEX_DUAL"};
    static const char *const types[] = {"", "f", "u", "s"}, *const dims[] = {"1d", "2d", "3d", "cube"};
    static const char *const lods[] = {".zero", ".computed", ".explicit", ".computed_bias", ".grdesc"};
    size_t n = 0;
    for (unsigned i = 0; i < 2 && k->fixed; i++)
        n += (size_t)snprintf(text + n, size - n, "IADD_IMM.i32 r%u, 0x0, #0x%x\n", HANDLE + i, (unsigned)k->handle[i]);
    n += (size_t)snprintf(text + n, size - n, "%s.slot0.skip.%s.%s", names[k->kind], types[k->type],
                          k->narrow[0] ? "16" : "32");
    if (k->kind == DUAL)
        n += (size_t)snprintf(text + n, size - n, ".%s", k->narrow[1] ? "16" : "32");
    n += (size_t)snprintf(text + n, size - n, "%s", k->mask == 15 ? "" : ".");
    for (unsigned c = 0; c < 4 && k->mask != 15; c++)
        n += (size_t)snprintf(text + n, size - n, "%.*s", (int)(k->mask >> c & 1), &"rgba"[c]);
    n += (size_t)snprintf(text + n, size - n, ".%s%s%s%s%s", dims[k->dim], k->wide ? ".wide_indices" : "",
                          k->array ? ".array_enable" : "", k->offsets ? ".texel_offset" : "",
                          k->integers ? ".integer_coordinates" : "");
    if (k->kind == GATHER)
        n += (size_t)snprintf(text + n, size - n, ".gather4_%c", "rgba"[k->component]);
    n += (size_t)snprintf(text + n, size - n, "%s%s.wait0 ", k->shadow ? ".shadow" : "",
                          k->kind == SINGLE || k->kind == DUAL ? lods[k->lod] : "");
    n += write_registers(text + n, size - n, TO, results_of(k, 0) + (k->kind == DUAL ? results_of(k, 1) : 0));
    n += (size_t)snprintf(text + n, size - n, ", ");
    n += write_registers(text + n, size - n, FIRST, k->words);
    snprintf(text + n, size - n, ", r%u\n", HANDLE);
}

/* ---- what should be asked ---- */

struct wanted {
    unsigned op, nargs;
    uint32_t arg[16];
};

static void push(struct wanted *w, uint32_t v)
{
    w->arg[w->nargs++] = v;
}

/* A place on a face as a direction: the tables of cube maps, with the major axis 1. */
static void push_direction(struct wanted *w, uint32_t packed, uint32_t second)
{
    unsigned face = packed >> 29;
    float s = fmaf(float_of((packed & 0x1fffffff) | 0x20000000), 2, -1), t = fmaf(float_of(second), 2, -1);
    const float all[6][3] = {{1, -t, -s}, {-1, -t, s}, {s, 1, t}, {s, -1, -t}, {s, -t, 1}, {-s, -t, -1}};
    for (unsigned i = 0; i < 3; i++)
        push(w, bits_of(all[face][i]));
}

static uint32_t level_of(uint32_t word)
{
    return bits_of((float)(int16_t)(word & 0xffff) / 256);
}

static void push_fetch(const struct lookup *k, struct wanted *w, const uint32_t *word)
{
    uint32_t layer = 0, offsets = 0;
    for (unsigned i = 0; i < (k->dim == 0 ? 1u : k->dim == 2 ? 3u : 2u); i++)
        push(w, *word++);
    if (k->dim == 3 || k->array)
        layer = *word++;
    if (k->offsets)
        offsets = *word++;
    if (k->dim == 3 || k->array)
        push(w, layer);
    if (k->dim == 1)
        push(w, offsets >> 16 & 0xff);
    if (k->offsets)
        push(w, offsets >> 24);
    else if (k->level_word)
        push(w, *word);
    for (unsigned i = 0; i <= k->dim && k->offsets && k->dim != 3; i++)
        push(w, (uint32_t)(int32_t)(int8_t)(offsets >> 8 * i));
}

static void push_sample(const struct lookup *k, struct wanted *w, const uint32_t *word)
{
    static const float size[3] = {64, 32, 16};
    uint32_t layer = 0, reference = 0, offsets = 0;
    if (k->dim == 3) {
        push_direction(w, word[0], word[1]);
        word += 2;
    }
    for (unsigned i = 0; i <= k->dim && k->dim != 3; i++, word++)
        push(w, k->integers ? bits_of((float)(int32_t)(*word + 1) / size[i]) : *word);
    layer = k->array ? *word++ : 0;
    reference = k->shadow ? *word++ : 0;
    offsets = k->offsets ? *word++ : 0;
    if (k->array)
        push(w, layer);
    if (k->shadow)
        push(w, reference);
    if (k->lod == EXPLICIT || k->lod == BIAS || k->lod == GRADIENT)
        push(w, level_of(*word));
    for (unsigned i = 0; i <= k->dim && k->offsets && k->dim != 3; i++)
        push(w, (uint32_t)(int32_t)(int8_t)(offsets >> 8 * i));
}

static struct wanted wanted_of(const struct lookup *k, const uint32_t *words, const uint32_t handle[2], unsigned lookup)
{
    struct wanted w = {.op = k->kind == FETCH ? IR_TEX_FETCH : k->kind == GATHER ? IR_TEX_GATHER : IR_TEX_LOD};
    if (k->kind == FETCH)
        push_fetch(k, &w, words);
    else
        push_sample(k, &w, words);
    if (k->fragment && k->kind != GATHER && k->kind != FETCH)
        w.op = k->lod == COMPUTED ? IR_TEX_SAMPLE : k->lod == BIAS ? IR_TEX_BIAS : w.op;
    if (!k->fixed) {
        push(&w, k->wide ? handle[1] & 0xffffff : handle[lookup] >> 16 & 0x7ff);
        push(&w, k->wide ? handle[0] & 0xffffff : handle[lookup] & 0x7ff);
    }
    return w;
}

/* ---- one lookup ---- */

static bool differs;

static void same(const char *what, uint32_t got, uint32_t wanted)
{
    if (got != wanted)
        printf("# %s is %#x, not %#x\n", what, got, wanted);
    differs |= got != wanted;
}
#define SAME(got, wanted) same(#got, (uint32_t)(got), (uint32_t)(wanted))

static void check_op(const struct lookup *k, const struct wanted *w, const struct call *c, unsigned lookup)
{
    static const unsigned dims[] = {IR_TEX_1D, IR_TEX_2D, IR_TEX_3D, IR_TEX_CUBE};
    bool fetch = k->kind == FETCH;
    SAME(c->op.op, w->op);
    SAME(c->op.dim, dims[k->dim]);
    SAME(c->op.array, k->array);
    SAME(c->op.shadow, k->shadow);
    SAME(c->op.multisample, fetch && k->dim == 1);
    SAME(c->op.has_offset, k->offsets && k->dim != 3);
    SAME(c->op.as_bound, fetch);
    SAME(c->op.zero_lod, fetch ? !k->offsets && !k->level_word
                               : k->kind != GATHER && (k->lod == ZERO || (k->lod == COMPUTED && !k->fragment)));
    SAME(c->op.view_arg, !k->fixed);
    SAME(c->op.sampler_arg, !k->fixed);
    SAME(c->op.view, !k->fixed ? 0 : k->wide ? k->handle[1] & 0xffffff & 0xffff : k->handle[lookup] >> 16 & 0x7ff);
    SAME(c->op.sampler, !k->fixed ? 0 : k->wide ? k->handle[0] & 0xffff : k->handle[lookup] & 0x7ff);
    SAME(c->op.gather_component, k->kind == GATHER ? k->component : 0);
    SAME(c->op.texel_coords || c->op.gather_level || c->op.compares || c->op.min_lod || c->op.registers, 0);
}

/* From register `at` on; where the next results go. */
static unsigned check_results(const struct lookup *k, struct exec_warp *warp, unsigned at, unsigned lookup,
                              unsigned call, unsigned lane)
{
    uint32_t want[4] = {0};
    unsigned count = 0;
    for (unsigned c = 0; c < 4; c++) {
        if (!(k->mask >> c & 1))
            continue;
        uint32_t v = answer(call, c, lane);
        uint32_t half = k->type == 1 ? half_rounded(float_of(v)) : v & 0xffff;
        if (k->narrow[lookup])
            want[count / 2] |= half << count % 2 * 16;
        else
            want[count] = v;
        count++;
    }
    for (unsigned i = 0; i < results_of(k, lookup); i++)
        SAME(((uint32_t *)exec_warp_register(warp, 0, at + i))[lane], want[i]);
    return at + results_of(k, lookup);
}

static struct exec_warp *start(struct program *p, const struct lookup *k, struct arena *arena)
{
    struct ir_program *ir = NULL;
    struct exec_program *code;
    const struct exec_options options = {.level = exec_best_level()};
    p->m->stage = k->fragment ? IR_FRAGMENT : IR_COMPUTE;
    if (p->status != WEFT_OK || valhall_lift(p->m, &p->src, arena, &ir, p->diags) != WEFT_OK ||
        ir_verify(ir, p->diags) != WEFT_OK)
        fail_msg("%s%s", p->src.text, program_messages(p));
    ir->files[0].preserved = true;
    assert_int_equal(exec_compile(ir, &options, arena, &code, p->diags), WEFT_OK);
    return exec_warp_new(code);
}

static void check(const struct lookup *k, struct exec_warp *warp, uint32_t words[LANES][WORDS],
                  uint32_t handles[LANES][2])
{
    unsigned lookups = k->kind == DUAL ? 2 : 1, questions = k->integers;
    SAME(ncalls, lookups + questions);
    for (unsigned lane = 0; lane < LANES && !differs; lane++) {
        unsigned at = TO;
        for (unsigned i = 0; i < lookups; i++) {
            struct wanted w = wanted_of(k, words[lane], handles[lane], i);
            const struct call *c = &calls[i + questions];
            check_op(k, &w, c, i);
            SAME(c->nargs, w.nargs);
            for (unsigned a = 0; a < w.nargs; a++)
                SAME(c->arg[a][lane], w.arg[a]);
            at = check_results(k, warp, at, i, i + questions, lane);
        }
    }
}

static uint32_t random_word(const struct lookup *k, unsigned i, struct test_rng *rng)
{
    float f = (float)(1 + test_next(rng) % 1000) / 1024;
    uint32_t word = test_next(rng);
    if (k->dim == 3 && k->kind != FETCH && i == 0)
        return (bits_of(f) & 0x1fffffff) | word % 6 << 29;
    if (k->kind == FETCH || k->integers)
        return word % 3 ? word : word % 60;
    return i < 4 && !some(rng, 3) ? bits_of(f) : word & 0xbfffffff; /* no NaN */
}

static void test_lookups(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("lookups");
    for (unsigned n = 0; n < 1500; n++) {
        struct lookup k = random_lookup(&rng);
        uint32_t words[LANES][WORDS], handles[LANES][2];
        char text[400];
        struct arena *arena = calloc(1, sizeof *arena);
        write_text(&k, text, sizeof text);
        struct program p = program_parse(text);
        struct exec_warp *warp = start(&p, &k, arena);
        struct exec_env env = {.texture = take};
        ncalls = 0;
        floats_asked = k.type == 1;
        assert_int_equal(exec_bind(warp, &env), WEFT_OK);
        for (unsigned lane = 0; lane < LANES; lane++) {
            for (unsigned i = 0; i < WORDS; i++) {
                words[lane][i] = random_word(&k, i, &rng);
                ((uint32_t *)exec_warp_register(warp, 0, FIRST + i))[lane] = words[lane][i];
            }
            for (unsigned i = 0; i < 2; i++) {
                handles[lane][i] = k.handle[i] ^ lane;
                ((uint32_t *)exec_warp_register(warp, 0, HANDLE + i))[lane] = handles[lane][i];
            }
        }
        assert_int_equal(exec_run(warp, 0xffff, 0xffff, 100000), EXEC_DONE);
        check(&k, warp, words, handles);
        if (differs)
            printf("# %s: %s", k.fragment ? "fragment" : "compute", text);
        assert_false(differs);
        exec_warp_free(warp);
        arena_free(arena);
        free(arena);
        program_free(&p);
    }
}

TEST_MAIN(TEST(test_lookups))
