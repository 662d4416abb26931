/* test_lookups.c - GLSL's functions on textures of every kind: what they ask of the device, argument by argument, and
 * their results, against the order of operands that the GLSL specification gives ("Texture Functions"). */
#include "exec/exec.h"
#include "isa/spirv/spirv.h"
#include "isa/spirv/tools.h"
#include "ir/pass.h"
#include "test.h"

#include <stdarg.h>

enum { NUMBERS = 32, RESULTS = 4, MOST_CALLS = 4 };

/* A kind of texture: the type in GLSL, coordinates, whether it has layers and compares. */
static const struct kind {
    const char *name;
    unsigned dim, coordinates;
    bool array, shadow, samples;
} kinds[] = {{"1D", IR_TEX_1D, 1, false, false, false},
             {"2D", IR_TEX_2D, 2, false, false, false},
             {"3D", IR_TEX_3D, 3, false, false, false},
             {"Cube", IR_TEX_CUBE, 3, false, false, false},
             {"1DArray", IR_TEX_1D, 1, true, false, false},
             {"2DArray", IR_TEX_2D, 2, true, false, false},
             {"CubeArray", IR_TEX_CUBE, 3, true, false, false},
             {"1DShadow", IR_TEX_1D, 1, false, true, false},
             {"2DShadow", IR_TEX_2D, 2, false, true, false},
             {"CubeShadow", IR_TEX_CUBE, 3, false, true, false},
             {"1DArrayShadow", IR_TEX_1D, 1, true, true, false},
             {"2DArrayShadow", IR_TEX_2D, 2, true, true, false},
             {"CubeArrayShadow", IR_TEX_CUBE, 3, true, true, false},
             {"2DMS", IR_TEX_2D, 2, false, false, true},
             {"2DMSArray", IR_TEX_2D, 2, true, false, true},
             {"Buffer", IR_TEX_BUFFER, 1, false, false, false}};
enum { KINDS = sizeof kinds / sizeof *kinds };
enum function { SAMPLE, BIAS, LOD, GRAD, GATHER, FETCH, SIZE, LEVELS, SAMPLES, QUERY, FUNCTIONS };

struct lookup {
    const struct kind *kind;
    enum function function;
    unsigned component;
    bool projected, offset, fragment, integer;
};

/* What the device is asked, and answers. */
static struct {
    struct ir_texture op;
    unsigned nargs;
    uint32_t arg[20];
} asked;
static unsigned ncalls;

static uint32_t answer(unsigned c, bool integer)
{
    float f = 3.25f * (float)(c + 1);
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return integer ? 0x1000u * (c + 1) + 7 : bits;
}

static bool answers_integers;

static void take(void *device, const struct exec_texture_call *call)
{
    (void)device;
    asked.op = *call->op;
    asked.nargs = call->nargs;
    for (unsigned a = 0; a < call->nargs && a < 20; a++)
        asked.arg[a] = *(const uint32_t *)call->args[a];
    for (unsigned c = 0; c < 4; c++)
        for (unsigned lane = 0; call->results[c] && lane < call->lanes; lane++)
            ((uint32_t *)call->results[c])[lane] = answer(c, answers_integers);
    ncalls++;
}

/* ---- calls as text, and what they should ask ---- */

struct made {
    char text[400];
    size_t n;
    unsigned used; /* numbers of the buffer */
    uint32_t arg[20];
    unsigned nargs;
};

__attribute__((format(printf, 2, 3))) static void say(struct made *m, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    m->n += (size_t)vsnprintf(m->text + m->n, sizeof m->text - m->n, format, list);
    va_end(list);
    assert_true(m->n < sizeof m->text);
}

static float number_of(unsigned n)
{
    return 0.5f + (float)(n * n + 3 * n);
}

static uint32_t bits_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* `count` numbers of the buffer as a vector, or as one of integers. */
static void vector(struct made *m, unsigned count, bool integers)
{
    static const char *const names[] = {"", "float", "vec2", "vec3", "vec4"};
    static const char *const whole[] = {"", "int", "ivec2", "ivec3"};
    say(m, "%s(", integers ? whole[count] : names[count]);
    for (unsigned i = 0; i < count; i++)
        say(m, "%s%s[%u]", i ? ", " : "", integers ? "n" : "f", m->used++);
    say(m, ")");
}

static void argue(struct made *m, uint32_t v)
{
    m->arg[m->nargs++] = v;
}

/* Numbers of the buffer from `first` on, each over that of `by` (0: as they are). */
static void argue_numbers(struct made *m, unsigned first, unsigned count, unsigned by)
{
    for (unsigned i = 0; i < count; i++)
        argue(m, bits_of(by ? number_of(first + i) / number_of(by) : number_of(first + i)));
}

static const unsigned by_function[FUNCTIONS] = {IR_TEX_SAMPLE,     IR_TEX_BIAS,       IR_TEX_LOD,  IR_TEX_GRAD,
                                                IR_TEX_GATHER,     IR_TEX_FETCH,      IR_TEX_QUERY_SIZE,
                                                IR_TEX_QUERY_SIZE, IR_TEX_QUERY_SAMPLES, IR_TEX_QUERY_LOD};

/* Coordinates, layer and reference: all in P but where they do not fit, and those of gathers. */
static void place(const struct lookup *k, struct made *m)
{
    unsigned sides = k->kind->coordinates, in_p = sides + k->kind->array, by = 0, reference = 0;
    bool apart = k->kind->shadow && k->function != QUERY && (k->function == GATHER || in_p == 4), gap = false;
    if (k->function == QUERY)
        in_p = sides;
    else if (k->projected || (k->kind->shadow && !apart)) {
        gap = k->kind->shadow && sides == 1 && !k->kind->array; /* s, nothing, reference */
        in_p += gap + k->kind->shadow + k->projected;
    }
    unsigned first = m->used;
    say(m, ", ");
    vector(m, in_p, false);
    by = k->projected ? first + in_p - 1 : 0;
    reference = first + in_p - 1 - k->projected;
    if (apart) {
        reference = m->used;
        say(m, ", ");
        vector(m, 1, false);
    }
    argue_numbers(m, first, sides, by);
    if (k->kind->array)
        argue(m, k->function == QUERY ? 0 : bits_of(number_of(first + sides)));
    if (k->kind->shadow && k->function != QUERY)
        argue(m, bits_of(by ? number_of(reference) / number_of(by) : number_of(reference)));
}

static void offsets(const struct lookup *k, struct made *m)
{
    static const int by[3] = {-3, 5, 2};
    unsigned sides = k->kind->coordinates;
    if (!k->offset)
        return;
    say(m, sides == 1 ? ", -3" : sides == 2 ? ", ivec2(-3, 5)" : ", ivec3(-3, 5, 2)");
    for (unsigned i = 0; i < sides; i++)
        argue(m, (uint32_t)by[i]);
}

static void fetch(const struct lookup *k, struct made *m)
{
    unsigned first = m->used, count = k->kind->coordinates + k->kind->array;
    say(m, "texelFetch%s(t, ", k->offset ? "Offset" : "");
    vector(m, count, true);
    for (unsigned i = 0; i < count; i++)
        argue(m, 100 + first + i);
    if (k->kind->dim != IR_TEX_BUFFER) {
        argue(m, 100 + m->used);
        say(m, ", n[%u]", m->used++);
    }
    offsets(k, m);
    say(m, ")");
}

static void sample(const struct lookup *k, struct made *m)
{
    unsigned sides = k->kind->coordinates, levels;
    if (k->function == GATHER) {
        say(m, "textureGather%s(t", k->offset ? "Offset" : "");
        place(k, m);
        offsets(k, m);
        if (!k->kind->shadow)
            say(m, ", %u", k->component);
        say(m, ")");
        return;
    }
    say(m, "texture%s%s%s(t", k->projected ? "Proj" : "",
        k->function == LOD    ? "Lod"
        : k->function == GRAD ? "Grad"
                              : "",
        k->offset ? "Offset" : "");
    place(k, m);
    levels = m->used;
    if (k->function == LOD) {
        say(m, ", ");
        vector(m, 1, false);
        argue_numbers(m, levels, 1, 0);
    } else if (k->function == GRAD) {
        for (unsigned n = 0; n < 2; n++) {
            say(m, ", ");
            vector(m, sides, false);
        }
        argue_numbers(m, levels, 2 * sides, 0);
    } else if (k->function == BIAS) { /* the last argument, after the offsets */
        argue(m, bits_of(2.5f));
    } else if (!k->fragment) {
        argue(m, 0); /* level 0 */
    }
    offsets(k, m);
    say(m, k->function == BIAS ? ", 2.5)" : ")");
}

static void make(const struct lookup *k, struct made *m)
{
    bool level = k->kind->dim != IR_TEX_BUFFER && !k->kind->samples;
    switch (k->function) {
    case FETCH:
        fetch(k, m);
        return;
    case SIZE:
        say(m, "textureSize(t%s)", level ? ", n[3]" : "");
        if (level)
            argue(m, 103);
        return;
    case LEVELS:
        say(m, "textureQueryLevels(t)");
        argue(m, 0);
        return;
    case SAMPLES:
        say(m, "textureSamples(t)");
        return;
    case QUERY:
        say(m, "textureQueryLod(t");
        place(k, m);
        say(m, ")");
        return;
    default:
        sample(k, m);
    }
}

/* Which there are in GLSL. */
static bool exists(const struct lookup *k)
{
    const struct kind *t = k->kind;
    bool filtered = t->dim != IR_TEX_BUFFER && !t->samples, cube = t->dim == IR_TEX_CUBE;
    unsigned in_p = t->coordinates + t->array + t->shadow;
    if ((k->offset && cube) || (k->integer && t->shadow) || (k->component && k->function != GATHER))
        return false;
    if (k->projected && (cube || t->array || k->function > GRAD))
        return false;
    switch (k->function) {
    case SAMPLE:
        return filtered;
    case BIAS:
        return filtered && k->fragment && !(t->shadow && (in_p > 4 || (t->array && t->coordinates == 2)));
    case LOD:
        return filtered && !(t->shadow && (cube || (t->array && t->coordinates == 2)));
    case GRAD:
        return filtered && !(cube && t->shadow && t->array);
    case GATHER:
        return filtered && (t->dim == IR_TEX_2D || cube) && !(t->shadow && k->component);
    case FETCH:
        return !t->shadow && !cube && !(k->offset && !filtered);
    case SIZE:
        return !k->offset;
    case LEVELS:
        return filtered && !k->offset;
    case SAMPLES:
        return t->samples && !k->offset;
    default:
        return filtered && k->fragment && !k->offset;
    }
}

/* ---- running them ---- */

static char *text_of(const struct lookup *k, const struct made *m, struct arena *arena)
{
    static const char *const sizes[] = {"int", "ivec2", "ivec3"};
    const char *prefix = k->integer ? "i" : "";
    unsigned sides = k->kind->dim == IR_TEX_CUBE ? 2 : k->kind->coordinates;
    const char *type = k->function == SIZE      ? sizes[sides + k->kind->array - 1]
                       : k->function == LEVELS || k->function == SAMPLES ? "int"
                       : k->function == QUERY   ? "vec2"
                       : k->kind->shadow && k->function != GATHER ? "float"
                       : k->integer             ? "ivec4"
                                                : "vec4";
    return arena_printf(arena,
                        "#version 450\n#extension GL_ARB_shader_texture_image_samples : enable\n%s"
                        "layout(set = 0, binding = 0) uniform %ssampler%s t;\n"
                        "layout(set = 0, binding = 1, std430) buffer B { float f[%u]; int n[%u]; %s result; };\n"
                        "void main() { result = %s; }\n",
                        k->fragment ? "" : "layout(local_size_x = 1) in;\n", prefix, k->kind->name, NUMBERS, NUMBERS,
                        type, m->text);
}

static struct ir_program *lifted(const struct lookup *k, const char *text, struct arena *arena, weft_diags *diags)
{
    struct spirv_words words = {0};
    struct spirv_messages messages = {0};
    enum ir_stage stage = k->fragment ? IR_FRAGMENT : IR_COMPUTE;
    struct source src = {"t", text, strlen(text)};
    const struct spirv_source source = {
        .text = {"t", text, strlen(text)}, .language = SPIRV_GLSL, .stage = (weft_stage)stage, .map = true};
    struct isa_params params = {.stage = stage};
    struct isa_module *module = NULL;
    struct ir_program *ir = NULL;
    if (spirv_compile(&source, arena, &words, &messages) != WEFT_OK)
        fail_msg("%s\n%s", messages.count ? messages.list[0].text : "?", text);
    weft_status status =
        isa_spirv.decode((const uint8_t *)words.word, words.count * 4, "t", &params, arena, &module, diags);
    if (status == WEFT_OK)
        status = isa_spirv.lift(module, &src, arena, &ir, diags);
    if (status == WEFT_OK)
        status = ir_verify(ir, diags);
    if (status != WEFT_OK)
        fail_msg("%s\n%s", weft_diags_count(diags) ? weft_diags_get(diags, 0)->message : "?", text);
    return ir;
}

static bool differs;

static void same(const char *what, uint32_t got, uint32_t wanted)
{
    if (got != wanted)
        printf("# %s is %#x, not %#x\n", what, got, wanted);
    differs |= got != wanted;
}
#define SAME(got, wanted) same(#got, (uint32_t)(got), (uint32_t)(wanted))

static void check(const struct lookup *k, const struct made *m, const uint32_t *result)
{
    const struct ir_texture *op = &asked.op;
    bool compares = k->kind->shadow && k->function <= GATHER;
    unsigned sides = k->kind->dim == IR_TEX_CUBE ? 2 : k->kind->coordinates, count = 4;
    SAME(ncalls, 1);
    SAME(op->op, k->function == SAMPLE && !k->fragment ? IR_TEX_LOD : by_function[k->function]);
    SAME(op->dim, k->kind->dim);
    SAME(op->array, k->kind->array);
    SAME(op->multisample, k->kind->samples);
    SAME(op->shadow, compares);
    SAME(op->compares, compares);
    SAME(op->has_offset, k->offset);
    SAME(op->gather_component, k->component);
    SAME(op->zero_lod || op->texel_coords || op->as_bound || op->min_lod || op->registers || op->view_arg, 0);
    SAME(asked.nargs, m->nargs);
    for (unsigned a = 0; a < m->nargs; a++)
        SAME(asked.arg[a], m->arg[a]);
    if (k->function == SIZE)
        count = sides + k->kind->array;
    else if (k->function >= LEVELS)
        count = k->function == QUERY ? 2 : 1;
    else if (k->kind->shadow && k->function != GATHER)
        count = 1;
    for (unsigned i = 0; i < count; i++) {
        unsigned from = k->function == LEVELS                                ? 3
                        : k->function == SIZE && k->kind->array && i == sides ? (sides == 1 ? 1 : 2)
                                                                             : i;
        SAME(result[i], answer(from, answers_integers));
    }
}

static void try_lookup(const struct lookup *k)
{
    struct made m = {.n = 0};
    struct arena *arena = calloc(1, sizeof *arena);
    weft_diags *diags = weft_diags_new();
    uint32_t buffer[2 * NUMBERS + RESULTS] = {0};
    struct exec_program *program;
    struct exec_env env = {.texture = take};
    const struct exec_options options = {.level = exec_best_level()};
    make(k, &m);
    assert_true(m.used < NUMBERS);
    const char *text = text_of(k, &m, arena);
    struct ir_program *ir = lifted(k, text, arena, diags);
    for (uint32_t i = 0; i < NUMBERS; i++) {
        buffer[i] = bits_of(number_of(i));
        buffer[NUMBERS + i] = 100 + i;
    }
    for (uint32_t i = 0; i < ir->nspaces; i++)
        if (ir->spaces[i].kind == IR_SPACE_GLOBAL)
            env.space[i] = (struct exec_buffer){(uint8_t *)buffer, sizeof buffer};
    ncalls = 0;
    answers_integers = k->integer || (k->function >= SIZE && k->function != QUERY);
    assert_int_equal(exec_compile(ir, &options, arena, &program, diags), WEFT_OK);
    struct exec_warp *warp = exec_warp_new(program);
    assert_int_equal(exec_bind(warp, &env), WEFT_OK);
    assert_int_equal(exec_run(warp, 1, 1, 0), EXEC_DONE);
    check(k, &m, buffer + 2 * NUMBERS);
    if (differs)
        printf("# %s: %s\n", k->fragment ? "fragment" : "compute", m.text);
    assert_false(differs);
    exec_warp_free(warp);
    weft_diags_free(diags);
    arena_free(arena);
    free(arena);
}

static void test_lookups(void **state)
{
    (void)state;
    unsigned count = 0;
    for (unsigned n = 0; n < KINDS * FUNCTIONS * 64; n++) {
        struct lookup k = {.kind = &kinds[n % KINDS],
                           .function = n / KINDS % FUNCTIONS,
                           .projected = n / KINDS / FUNCTIONS & 1,
                           .offset = n / KINDS / FUNCTIONS >> 1 & 1,
                           .fragment = n / KINDS / FUNCTIONS >> 2 & 1,
                           .integer = n / KINDS / FUNCTIONS >> 3 & 1,
                           .component = n / KINDS / FUNCTIONS >> 4};
        if (!exists(&k) || (k.component && (k.integer || k.offset)))
            continue;
        try_lookup(&k);
        count++;
    }
    printf("# %u lookups\n", count);
    assert_true(count > 250);
}

TEST_MAIN(TEST(test_lookups))
