/* test_lookups.c - texture instructions with any modifiers and textures of any kind: what they ask of the device,
 * argument by argument, and which registers get results, against the order of registers that docs/manual/tesla.md and
 * the linkage's words say. */
#include "exec/exec.h"
#include "isa/tesla/lift.h"
#include "lifted.h"

#include <math.h>

enum { LANES = 32, FIRST = 4, TEXTURE = 2, SAMPLER = 3, BOUND_TEXTURE = 6, BOUND_SAMPLER = 5 };
enum what { AUTO, BIAS, LOD, GATHER, FETCH, CSAA, QUERY };
enum kind { K_1D, K_2D, K_3D, K_CUBE, K_RECT, K_BUFFER, KINDS };

struct lookup {
    enum what what;
    enum kind kind;
    bool said; /* the linkage says the kind */
    bool array, shadow, samples, integer, cube_form, live, deriv, fragment, linked;
    unsigned mask, words;
    int offset[3];
};

struct call {
    struct ir_texture op;
    unsigned nargs;
    uint32_t arg[16][LANES];
};

static struct call asked;
static unsigned ncalls;

static uint32_t bits_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static float answer(unsigned c, unsigned lane)
{
    return (float)(100 * c + lane) / 64 - 1;
}

static void take(void *device, const struct exec_texture_call *call)
{
    (void)device;
    asked = (struct call){.op = *call->op, .nargs = call->nargs};
    for (unsigned a = 0; a < call->nargs && a < 16; a++)
        memcpy(asked.arg[a], call->args[a], sizeof asked.arg[a]);
    for (unsigned c = 0; c < 4; c++)
        for (unsigned lane = 0; call->results[c] && lane < LANES; lane++)
            ((float *)call->results[c])[lane] = answer(c, lane);
    ncalls++;
}

static bool some(struct test_rng *rng, unsigned of)
{
    return test_next(rng) % of == 0;
}

static bool fetches(const struct lookup *k)
{
    return k->what == FETCH || k->what == CSAA;
}

static bool has_level(const struct lookup *k)
{
    return k->what == BIAS || k->what == LOD ||
           (fetches(k) && !k->samples && k->kind != K_BUFFER && k->kind != K_RECT);
}

static unsigned coordinates_of(const struct lookup *k)
{
    static const unsigned count[KINDS] = {1, 2, 3, 3, 2, 1};
    return fetches(k) && k->kind == K_CUBE ? 2 : count[k->kind];
}

static bool has_layer(const struct lookup *k)
{
    return k->array || (fetches(k) && k->kind == K_CUBE);
}

/* Modifiers and kinds that go together; false where they do not. */
static bool random_lookup(struct lookup *k, struct test_rng *rng)
{
    *k = (struct lookup){.what = test_next(rng) % 7, .kind = test_next(rng) % KINDS, .mask = 1 + test_next(rng) % 15};
    k->said = !some(rng, 4);
    k->array = k->kind != K_3D && k->kind != K_RECT && k->kind != K_BUFFER && some(rng, 3);
    k->shadow = some(rng, 3);
    k->samples = fetches(k) && k->kind == K_2D && some(rng, 2);
    k->integer = some(rng, 3);
    k->cube_form = k->kind == K_CUBE && !fetches(k) && some(rng, 2);
    k->live = some(rng, 3);
    k->deriv = some(rng, 2);
    k->fragment = some(rng, 2);
    k->linked = some(rng, 4);
    for (unsigned i = 0; i < 3 && !k->cube_form && k->what != QUERY; i++)
        k->offset[i] = some(rng, 2) ? 0 : (int)(test_next(rng) % 16) - 8;
    if (!k->said && !k->cube_form) /* what is bound says the rest */
        k->kind = K_2D, k->array = k->shadow = k->samples = k->integer = false;
    else if (!k->said)
        k->array = k->samples = k->integer = false;
    k->words = coordinates_of(k) + has_layer(k) + (k->shadow && !fetches(k)) + k->samples + has_level(k);
    return k->words <= 4 && (k->kind != K_BUFFER || fetches(k));
}

static size_t write_registers(char *text, size_t size, unsigned mask, bool result)
{
    size_t n = 0;
    unsigned reg = FIRST;
    for (unsigned c = 0; c < (result ? 4u : mask); c++) {
        const char *colon = c ? ":" : " ";
        if (result && !(mask >> c & 1))
            n += (size_t)snprintf(text + n, size - n, "%s#", colon);
        else
            n += (size_t)snprintf(text + n, size - n, "%s$r%u", colon, reg++);
    }
    return n;
}

static void write_text(const struct lookup *k, char *text, size_t size)
{
    static const char *const names[] = {"texauto",  "texbias", "texlod",     "texgather",
                                        "texfetch", "texcsaa", "texquerylod"};
    size_t n = (size_t)snprintf(text, size, "%s%s %s%s", names[k->what], k->cube_form ? " cube" : "",
                                k->live ? "live" : "all", k->deriv ? " deriv" : "");
    n += write_registers(text + n, size - n, k->mask, true);
    n += (size_t)snprintf(text + n, size - n, " $t%u $s%u", TEXTURE, SAMPLER);
    n += write_registers(text + n, size - n, k->words, false);
    for (unsigned i = 0; i < 3 && !k->cube_form && k->what != QUERY; i++)
        n += (size_t)snprintf(text + n, size - n, " %s0x%x", k->offset[i] < 0 ? "-" : "", (unsigned)abs(k->offset[i]));
    snprintf(text + n, size - n, "\nexit nop\n");
}

static void write_linkage(const struct lookup *k, char *text, size_t size)
{
    static const char *const kinds[KINDS] = {"1D", "2D", "3D", "CUBE", "RECT", "BUFFER"};
    size_t n = (size_t)snprintf(text, size, "registers 16\nbind t%u %u\nbind s%u %u\n%s", TEXTURE, BOUND_TEXTURE,
                                SAMPLER, BOUND_SAMPLER, k->linked ? "samplers linked\n" : "");
    if (k->said)
        snprintf(text + n, size - n, "texture %u %s%s%s%s%s\n", TEXTURE, kinds[k->kind], k->array ? " array" : "",
                 k->shadow ? " shadow" : "", k->samples ? " multisample" : "", k->integer ? " integer" : "");
}

/* ---- what should be asked ---- */

static bool derivatives(const struct lookup *k)
{
    return k->fragment || k->deriv;
}

static unsigned op_of(const struct lookup *k)
{
    switch (k->what) {
    case AUTO:
        return derivatives(k) ? IR_TEX_SAMPLE : IR_TEX_LOD;
    case BIAS:
        return derivatives(k) ? IR_TEX_BIAS : IR_TEX_LOD;
    case LOD:
        return IR_TEX_LOD;
    case GATHER:
        return IR_TEX_GATHER;
    case QUERY:
        return IR_TEX_QUERY_LOD;
    default:
        return IR_TEX_FETCH;
    }
}

static unsigned arguments(const struct lookup *k, const uint32_t *word, uint32_t *arg)
{
    bool as_bound = !k->said && !k->cube_form, any = k->offset[0] || k->offset[1] || k->offset[2];
    unsigned n = 0;
    for (unsigned i = 0; i < coordinates_of(k); i++)
        arg[n++] = *word++;
    if (has_layer(k))
        arg[n++] = fetches(k) ? *word++ : bits_of((float)*word++);
    for (unsigned i = n; i < k->words; i++)
        arg[n++] = *word++;
    for (unsigned i = 0; i < (as_bound ? 3 : coordinates_of(k)) && any && k->kind != K_CUBE; i++)
        arg[n++] = (uint32_t)k->offset[i];
    return n;
}

static bool differs;

static void same(const char *what, uint32_t got, uint32_t wanted)
{
    if (got != wanted)
        printf("# %s is %#x, not %#x\n", what, got, wanted);
    differs |= got != wanted;
}
#define SAME(got, wanted) same(#got, (uint32_t)(got), (uint32_t)(wanted))

static void check_op(const struct lookup *k)
{
    static const unsigned dims[KINDS] = {IR_TEX_1D, IR_TEX_2D, IR_TEX_3D, IR_TEX_CUBE, IR_TEX_RECT, IR_TEX_BUFFER};
    const struct ir_texture *op = &asked.op;
    bool as_bound = !k->said && !k->cube_form;
    SAME(op->op, op_of(k));
    SAME(op->registers, as_bound ? k->words : 0);
    if (!as_bound) {
        SAME(op->dim, dims[k->kind]);
        SAME(op->array, k->array);
        SAME(op->shadow, k->shadow && !fetches(k));
        SAME(op->multisample, k->samples);
    }
    SAME(op->has_offset, (k->offset[0] || k->offset[1] || k->offset[2]) && k->kind != K_CUBE);
    SAME(op->zero_lod, k->what == AUTO && !derivatives(k));
    SAME(op->view, BOUND_TEXTURE);
    SAME(op->sampler, k->linked ? BOUND_TEXTURE : BOUND_SAMPLER);
    SAME(op->view_arg || op->sampler_arg || op->texel_coords || op->as_bound || op->compares, 0);
    SAME(op->gather_component, 0);
}

static void check(const struct lookup *k, struct exec_warp *warp, uint32_t words[LANES][4], lane_mask live)
{
    bool asks = k->what != QUERY || derivatives(k);
    SAME(ncalls, asks);
    if (asks)
        check_op(k);
    for (unsigned lane = 0; lane < LANES && !differs; lane++) {
        uint32_t arg[16] = {0};
        unsigned n = asks ? arguments(k, words[lane], arg) : 0, reg = FIRST;
        SAME(asks ? asked.nargs : 0, n);
        for (unsigned a = 0; a < n; a++)
            SAME(asked.arg[a][lane], arg[a]);
        for (unsigned c = 0; c < 4; c++) {
            if (!(k->mask >> c & 1))
                continue;
            uint32_t want = bits_of(answer(c, lane));
            if (k->what == QUERY)
                want = asks && c < 2 ? (uint32_t)(int32_t)floorf(answer(c, lane) * 256) : 0;
            if (k->live && !(live >> lane & 1))
                want = words[lane][reg - FIRST];
            SAME(((uint32_t *)exec_warp_register(warp, 0, reg))[lane], want);
            reg++;
        }
    }
}

static struct exec_warp *start(const struct lookup *k, const char *text, struct arena *arena, weft_diags *diags)
{
    char linkage[200];
    write_linkage(k, linkage, sizeof linkage);
    enum ir_stage stage = k->fragment ? IR_FRAGMENT : IR_COMPUTE;
    struct ir_program *ir = lifted(text, linkage, "gt215", stage, arena, diags);
    struct exec_program *program;
    const struct exec_options options = {.level = exec_best_level()};
    ir->lanes = LANES;
    assert_int_equal(exec_compile(ir, &options, arena, &program, diags), WEFT_OK);
    return exec_warp_new(program);
}

static void test_lookups(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("lookups");
    for (unsigned n = 0; n < 1500;) {
        struct lookup k;
        uint32_t words[LANES][4];
        char text[200];
        if (!random_lookup(&k, &rng))
            continue;
        n++;
        write_text(&k, text, sizeof text);
        struct arena *arena = calloc(1, sizeof *arena);
        weft_diags *diags = weft_diags_new();
        struct exec_warp *warp = start(&k, text, arena, diags);
        struct exec_env env = {.texture = take};
        lane_mask live = k.fragment ? 0x7fffeffb : UINT32_MAX;
        ncalls = 0;
        assert_int_equal(exec_bind(warp, &env), WEFT_OK);
        for (unsigned lane = 0; lane < LANES; lane++)
            for (unsigned i = 0; i < 4; i++) {
                words[lane][i] = some(&rng, 2) ? test_next(&rng) % 100 : bits_of((float)(test_next(&rng) % 1000) / 8);
                ((uint32_t *)exec_warp_register(warp, 0, FIRST + i))[lane] = words[lane][i];
            }
        assert_int_equal(exec_run(warp, UINT32_MAX, live, 0), EXEC_DONE);
        check(&k, warp, words, live);
        if (differs)
            printf("# %s: %s", k.fragment ? "fragment" : "compute", text);
        assert_false(differs);
        exec_warp_free(warp);
        weft_diags_free(diags);
        arena_free(arena);
        free(arena);
    }
}

TEST_MAIN(TEST(test_lookups))
