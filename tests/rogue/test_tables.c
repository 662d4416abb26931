/* test_tables.c - every example of the seed's tables computes what its GLSL says: a task of 32 instances with corner
 * and random values runs the example as it is, and a plain function written from the GLSL says what each instance's
 * registers hold afterwards. A register that the function leaves alone must be as it was. */
#include "machine.h"

#include "base/fmath.h"

#include <math.h>

enum { SHARED_WORDS = 16, TEMPORARIES = 40, INTERNALS = 8, POSITION_WORDS = 4, TASKS = 48 };

/* What an instance has before and after. */
struct instance {
    uint32_t r[TEMPORARIES], i[INTERNALS];
    uint32_t position[POSITION_WORDS]; /* vertex programs: the attribute before, the output after */
    bool p0;
    int x, y;                /* its pixel */
};
struct task {
    uint32_t sh[SHARED_WORDS];
    struct instance at[LANES];
};

typedef void glsl_fn(const struct task *before, unsigned lane, struct instance *x);
typedef void prepare_fn(struct task *t);
typedef void finish_fn(struct instance *x);

enum { PROGRAMS = 0
#define EXAMPLE(id, text, printed) +1
#include "seed_examples.inc"
#undef EXAMPLE
};
enum example_id {
#define EXAMPLE(id, text, printed) id,
#include "seed_examples.inc"
#undef EXAMPLE
};
static const char *const texts[PROGRAMS] = {
#define EXAMPLE(id, text, printed) text,
#include "seed_examples.inc"
#undef EXAMPLE
};

/* ---- floats: denormals are zeros (docs/fidelity.md) ---- */

static float number(uint32_t u)
{
    return f32_from(u & 0x7f800000 ? u : u & 0x80000000);
}

static bool same_float(uint32_t got, uint32_t want, double ulps)
{
    float a = number(got), b = number(want);
    int exponent;
    if (a != a || b != b)
        return a != a && b != b;
    if (a == b)
        return true;
    frexp(b, &exponent);
    return fabs((double)a - (double)b) <= ulps * ldexp(1.0, (exponent < -125 ? -125 : exponent) - 24);
}

/* ---- chapters 4 and 5 ---- */

/* gl_Position = inVertex; the example has the w of it. */
static void position_w(const struct task *t, unsigned lane, struct instance *x)
{
    x->position[3] = t->at[lane].position[3];
}

/* The planes of the test: value times 1/w at pixel (0, 0), and what a pixel adds; 1/w is 1/2 everywhere. */
static float plane_start(unsigned c) { return 0.25f + 0.5f * (float)c; }
static float plane_x(unsigned c) { return c & 1 ? -0.0625f : 0.03125f; }
static float plane_y(unsigned c) { return c & 1 ? 0.015625f : 0.125f; }

static uint32_t coordinate(const struct instance *x, unsigned c)
{
    return f32_bits(2 * (plane_start(c) + plane_x(c) * (float)x->x + plane_y(c) * (float)x->y));
}

/* fragColor = vec4(textureCoordinate, 0.0, 1.0): the example has the coordinates. */
static void iterated(const struct task *t, unsigned lane, struct instance *x)
{
    x->r[0] = coordinate(&t->at[lane], 0);
    x->r[1] = coordinate(&t->at[lane], 1);
}

static void uniform_copy(const struct task *t, unsigned lane, struct instance *x)
{
    (void)lane;
    x->r[0] = t->sh[0];
    x->r[1] = t->sh[1];
}

static void all_one(const struct task *t, unsigned lane, struct instance *x)
{
    (void)t, (void)lane;
    x->r[0] = x->r[1] = 0x3f800000;
}

/* r0 and r1 are a function of sh0 and sh1. */
#define OF_UNIFORM(name, expression)                                                                                  \
    static float name##_of(float a) { return expression; }                                                            \
    static void name(const struct task *t, unsigned lane, struct instance *x)                                         \
    {                                                                                                                 \
        (void)lane;                                                                                                   \
        x->r[0] = f32_bits(name##_of(number(t->sh[0])));                                                              \
        x->r[1] = f32_bits(name##_of(number(t->sh[1])));                                                              \
    }
OF_UNIFORM(absolute, fabsf(a))
OF_UNIFORM(floored, floorf(a))
OF_UNIFORM(negated, -a)
OF_UNIFORM(clamped, a > 0 ? a < 1 ? a : 1 : 0)

/* ---- textures: what comes back tells what was asked for ---- */

enum { LOOKUP_ARGUMENTS = 8 };
struct lookup {
    uint32_t op, dim, array, shadow, offset, view, sampler;
    uint32_t argument[LOOKUP_ARGUMENTS];
};

static uint32_t texel(const struct lookup *l, unsigned channel)
{
    const uint32_t *word = (const uint32_t *)l;
    uint32_t h = 2166136261u + channel;
    for (size_t i = 0; i < sizeof *l / sizeof *word; i++)
        h = (h ^ word[i]) * 16777619u ^ h >> 15;
    return 0x3f800000 | h >> 9;
}

static void looked_up(struct instance *x, const struct lookup *l)
{
    for (unsigned c = 0; c < 4; c++)
        x->r[c] = texel(l, c);
}

/* texture(sampler, vec3(textureCoordinate, 0.0)) of an array: the texture's state is at sh4, the sampler's at sh0. */
static void layer_0(struct task *t)
{
    for (unsigned lane = 0; lane < LANES; lane++)
        t->at[lane].r[3] = 0;
}
static void array_lookup(const struct task *t, unsigned lane, struct instance *x)
{
    const struct instance *b = &t->at[lane];
    looked_up(x, &(struct lookup){IR_TEX_SAMPLE, IR_TEX_2D, 1, 0, 0, 4, 1, {b->r[1], b->r[2], 0}});
}

static void iterated_lookup(const struct task *t, unsigned lane, struct instance *x)
{
    const struct instance *b = &t->at[lane];
    looked_up(x, &(struct lookup){IR_TEX_SAMPLE, IR_TEX_2D, 0, 0, 0, 4, 1, {coordinate(b, 0), coordinate(b, 1)}});
}

/* textureOffset(sampler, textureCoordinate, ivec2(1, 1)), where P0 is not set. */
static void offsets_1_1(struct task *t)
{
    for (unsigned lane = 0; lane < LANES; lane++)
        t->at[lane].r[34] = 1 | 1 << 6;
}
static void offset_lookup(const struct task *t, unsigned lane, struct instance *x)
{
    const struct instance *b = &t->at[lane];
    if (!b->p0)
        looked_up(x, &(struct lookup){IR_TEX_SAMPLE, IR_TEX_2D, 0, 0, 1, 4, 1, {b->r[32], b->r[33], 1, 1}});
}

/* vec4(texture(sampler, vec3(textureCoordinate, 0.0))) of a shadow texture, in the x of one that has MAP texels each
 * way. The example gets the footprint, r0 to r3, and what it is weighed with, r4 and r5 for the coordinates: what is
 * left to do is to compare and to weigh. */
enum { MAP = 8, FOOTPRINT_WORDS = 11 };
static float depth(int i, int j)
{
    uint32_t h = (uint32_t)((i & (MAP - 1)) + MAP * (j & (MAP - 1))) * 2654435761u;
    return (float)(int32_t)(h ^ h << 7) * 0x1p-31f;
}
static float passes(float texel)
{
    return 0.0f <= texel ? 1.0f : 0.0f;
}
static void near_coordinates(struct task *t)
{
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned n = 1; n <= 2; n++)
            t->at[lane].r[n] = f32_bits((float)((int32_t)t->at[lane].r[n] >> 20) * 0x1p-9f);
}
static float mixed(float a, float b, float weight)
{
    return a * (1 - weight) + b * weight;
}
static void shadow(const struct task *t, unsigned lane, struct instance *x)
{
    float u = number(t->at[lane].r[1]) * MAP - 0.5f, v = number(t->at[lane].r[2]) * MAP - 0.5f;
    int i = (int)floorf(u), j = (int)floorf(v);
    float low = mixed(passes(depth(i, j)), passes(depth(i + 1, j)), u - floorf(u));
    float high = mixed(passes(depth(i, j + 1)), passes(depth(i + 1, j + 1)), u - floorf(u));
    memset(x->r, 0, FOOTPRINT_WORDS * sizeof *x->r);
    x->r[0] = f32_bits(mixed(low, high, v - floorf(v)));
}
static void weigh(struct instance *x)
{
    float value[4], s = number(x->r[4]), t = number(x->r[5]);
    for (unsigned n = 0; n < 4; n++)
        value[n] = passes(number(x->r[n]));
    memset(x->r, 0, FOOTPRINT_WORDS * sizeof *x->r);
    x->r[0] = f32_bits(mixed(mixed(value[0], value[2], s), mixed(value[1], value[3], s), t));
}
/* The four texels in the order of OpenGL's gathers. */
static void gather(const uint32_t *u, const uint32_t *v, unsigned lane, uint32_t out[4])
{
    static const uint8_t di[] = {0, 1, 1, 0}, dj[] = {1, 1, 0, 0};
    int i = (int)floorf(number(u[lane]) * MAP - 0.5f), j = (int)floorf(number(v[lane]) * MAP - 0.5f);
    for (unsigned c = 0; c < 4; c++)
        out[c] = f32_bits(depth(i + di[c], j + dj[c]));
}

/* texelFetch(sampler, ivec2(gl_FragCoord.xy), 0) */
static void level_0(struct task *t)
{
    t->sh[11] = 0;
}
static void fetch(const struct task *t, unsigned lane, struct instance *x)
{
    const struct instance *b = &t->at[lane];
    looked_up(x, &(struct lookup){IR_TEX_FETCH, IR_TEX_2D, 0, 0, 0, 4, 1, {b->r[1], b->r[2], 0}});
}

/* What the device answers. */
static void answer_one(const struct exec_texture_call *call, unsigned lane, uint32_t out[4])
{
    const struct ir_texture *op = call->op;
    struct lookup l = {op->op, op->dim, op->array, op->shadow, op->has_offset, op->view, op->sampler, {0}};
    memset(out, 0, 4 * sizeof *out);
    if (op->op == IR_TEX_QUERY_SIZE) {
        out[0] = out[1] = MAP;
        out[3] = 1;
    } else if (op->op == IR_TEX_GATHER) {
        gather(call->args[0], call->args[1], lane, out);
    } else if (op->op != IR_TEX_QUERY_LOD) {
        for (unsigned i = 0; i < call->nargs && i < LOOKUP_ARGUMENTS; i++)
            l.argument[i] = ((const uint32_t *)call->args[i])[lane];
        for (unsigned c = 0; c < 4; c++)
            out[c] = texel(&l, c);
    }
}
static void answer(void *device, const struct exec_texture_call *call)
{
    (void)device;
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint32_t out[4];
        if (!(call->active >> lane & 1))
            continue;
        answer_one(call, lane, out);
        for (unsigned c = 0; c < 4; c++)
            ((uint32_t *)call->results[c])[lane] = out[c];
    }
}

/* ---- chapter 6 ---- */

static void fused(const struct task *t, unsigned lane, struct instance *x) /* a * b + c */
{
    const struct instance *b = &t->at[lane];
    x->r[0] = f32_bits(fmaf(number(t->sh[4]), number(b->i[1]), number(b->i[0])));
    x->r[1] = f32_bits(fmaf(number(t->sh[5]), number(b->i[3]), number(t->sh[9])));
}
static void summed(const struct task *t, unsigned lane, struct instance *x) /* a + b */
{
    x->r[0] = f32_bits(number(t->sh[4]) + number(t->sh[0]));
    x->r[1] = f32_bits(number(t->sh[5]) + number(t->at[lane].i[0]));
}
static void multiplied(const struct task *t, unsigned lane, struct instance *x) /* a * b */
{
    x->r[0] = f32_bits(number(t->sh[4]) * number(t->at[lane].i[1]));
    x->r[1] = f32_bits(number(t->sh[5]) * number(t->at[lane].i[0]));
}

/* r0 is a function of sh0. */
#define COMPLEX(name, expression)                                                                                     \
    static void name(const struct task *t, unsigned lane, struct instance *x)                                         \
    {                                                                                                                 \
        double a = (double)number(t->sh[0]);                                                                          \
        (void)lane;                                                                                                   \
        x->r[0] = f32_bits((float)(expression));                                                                      \
    }
COMPLEX(reciprocal, 1 / a)
COMPLEX(reciprocal_root, a == 0 ? 1 / a : 1 / sqrt(a))
COMPLEX(root, sqrt(a))
COMPLEX(logarithm, log2(a))
COMPLEX(exponential, exp2(a))
COMPLEX(sine_of_uniform, sin(a))

/* mediump vec4 a, b and c: halves from 1/16 to 32, so that no result is beyond one or a denormal. */
static uint32_t middling(uint32_t u)
{
    uint32_t exponent = 123 + (u >> 23) % 9;
    return (u & 0x807fe000) | exponent << 23;
}
static void halves(struct task *t)
{
    for (unsigned n = 0; n < SHARED_WORDS; n++)
        t->sh[n] = middling(t->sh[n]);
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned n = 0; n < INTERNALS; n++)
            t->at[lane].i[n] = middling(t->at[lane].i[n]);
}
static double to_half(double v)
{
    int exponent;
    frexp(v, &exponent);
    return ldexp(nearbyint(ldexp(v, 11 - exponent)), exponent - 11);
}
static uint32_t half_sum(uint32_t a, uint32_t b, uint32_t c)
{
    return f32_bits((float)to_half(to_half((double)number(a) * (double)number(b)) + (double)number(c)));
}
static void mediump_multiply_add(const struct task *t, unsigned lane, struct instance *x) /* a16 * b16 + c16 */
{
    const struct instance *b = &t->at[lane];
    x->r[0] = half_sum(t->sh[4], b->i[3], t->sh[8]);
    x->r[1] = half_sum(t->sh[5], b->i[1], b->i[0]);
}

static void gradient(const struct task *t, unsigned lane, struct instance *x, unsigned step)
{
    const struct instance *quad = &t->at[lane & ~3u];
    x->r[0] = f32_bits(number(quad[step].r[2]) - number(quad[0].r[2]));
    x->r[1] = f32_bits(number(quad[step].r[3]) - number(quad[0].r[3]));
}
static void gradient_x(const struct task *t, unsigned lane, struct instance *x) { gradient(t, lane, x, 1); }
static void gradient_y(const struct task *t, unsigned lane, struct instance *x) { gradient(t, lane, x, 2); }

/* The reduced angle of a sine, in quarter turns, and the argument of an arctangent: -1 to 1. */
static void reduced_angle(struct task *t)
{
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned n = 0; n < 2; n++)
            t->at[lane].i[n] = f32_bits((float)(int32_t)t->at[lane].i[n] * 0x1p-31f);
}
static void sine_of_reduced(const struct task *t, unsigned lane, struct instance *x)
{
    x->r[0] = f32_bits((float)sin((double)number(t->at[lane].i[0]) * 1.57079632679489661923));
}
static void arctangent(const struct task *t, unsigned lane, struct instance *x)
{
    if (x->p0)
        x->i[0] = f32_bits((float)atan((double)number(t->at[lane].i[1])));
}

/* Angles from 2^-100, as the reduced ones of smaller ones are denormals, to 2^40; and 0. */
static void angle(struct task *t)
{
    uint32_t exponent = 27 + (t->sh[0] >> 23 & 0xff) % 141;
    if (t->sh[0] << 1)
        t->sh[0] = (t->sh[0] & 0x807fffff) | exponent << 23;
}

/* ---- chapter 7 ---- */

/* float(int(a)); GLSL leaves open what is beyond an int. */
static void within_int(struct task *t)
{
    uint32_t exponent = t->sh[0] >> 23 & 0xff;
    t->sh[0] = (t->sh[0] & 0x807fffff) | (exponent % 158) << 23;
}
static void truncated(const struct task *t, unsigned lane, struct instance *x)
{
    int32_t a = (int32_t)number(t->sh[0]);
    (void)lane;
    x->i[0] = (uint32_t)a;
    x->r[0] = x->r[1] = a ? f32_bits((float)a) : 0; /* GCC 12 makes of both conversions one that keeps the sign of 0 */
}
static void half_integer(const struct task *t, unsigned lane, struct instance *x)
{
    (void)lane;
    x->r[0] = x->r[1] = f32_bits((float)(int16_t)t->sh[0]);
}

/* ---- chapter 8: a in sh1, b in i0, c in sh2, the result in i0 ---- */

#define INTEGERS(name, type, wide, expression)                                                                        \
    static void name(const struct task *t, unsigned lane, struct instance *x)                                         \
    {                                                                                                                 \
        wide a = (type)t->sh[1], b = (type)t->at[lane].i[0], c = (type)t->sh[2];                                      \
        (void)c;                                                                                                      \
        x->i[0] = (uint32_t)(type)(expression);                                                                       \
    }
#define THREE_OF(name, type, wide)                                                                                    \
    INTEGERS(name##_sum, type, wide, a + b) INTEGERS(name##_product, type, wide, a * b)                               \
    INTEGERS(name##_multiply_add, type, wide, a * b + c)
THREE_OF(lowp_uint, uint8_t, uint32_t)
THREE_OF(lowp_int, int8_t, int32_t)
THREE_OF(mediump_uint, uint16_t, uint32_t)
THREE_OF(mediump_int, int16_t, int64_t)
INTEGERS(uint_multiply_add, uint32_t, uint32_t, a * b + c)
INTEGERS(int_multiply_add, int32_t, uint64_t, a * b + c)

/* ---- chapter 9: the result in i0 ---- */

#define CHOICE(name, condition, yes, no)                                                                              \
    static void name(const struct task *t, unsigned lane, struct instance *x)                                         \
    {                                                                                                                 \
        int32_t sh0 = (int32_t)t->sh[0], sh1 = (int32_t)t->sh[1], sh2 = (int32_t)t->sh[2];                            \
        (void)lane, (void)sh2;                                                                                        \
        x->i[0] = (uint32_t)((condition) ? yes : no);                                                                 \
    }
CHOICE(if_zero, sh0 == 0, sh1, sh2) /* a, b and c are sh0, sh1 and sh2 */
CHOICE(if_positive, sh0 > 0, sh1, sh2)
CHOICE(if_not_negative, sh0 >= 0, sh1, sh2)
CHOICE(if_equal, sh1 == sh0, sh0, sh2) /* a and b are sh1 and sh0 */
CHOICE(if_above, sh1 > sh0, sh0, sh2)
CHOICE(if_different, sh0 != sh1, sh0, sh1)
CHOICE(if_below, sh0 < sh1, sh0, sh1)

/* ---- chapter 10: the result in i0 ---- */

#define BITS(name, expression)                                                                                        \
    static void name(const struct task *t, unsigned lane, struct instance *x)                                         \
    {                                                                                                                 \
        uint32_t sh0 = t->sh[0], sh1 = t->sh[1], i0 = t->at[lane].i[0] & 31;                                          \
        (void)sh0, (void)sh1, (void)i0;                                                                               \
        x->i[0] = expression;                                                                                         \
    }
BITS(bits_and, sh1 & sh0)
BITS(bits_or, sh1 | sh0)
BITS(bits_xor, sh1 ^ sh0)
BITS(shifted_left, sh0 << i0)
BITS(shifted_right, (uint32_t)((int32_t)sh0 >> i0))

/* The C of tables 55 to 58; a shift by 32 is meant to leave nothing. */
static uint32_t bits_set(uint32_t s2)
{
    uint32_t c = 0;
    for (unsigned i = 0; i < 32; i++)
        c += s2 >> i & 1;
    return c;
}
static uint32_t top_bit(uint32_t s2)
{
    uint32_t c = 0;
    while (c < 32 && s2 >> c)
        ++c;
    return c - 1;
}
static uint32_t top_bit_from_msb(uint32_t ft2)
{
    uint32_t c = 31;
    if (ft2 == 0)
        return UINT32_MAX;
    while (c > 0 && ft2 >> (32 - c))
        --c;
    return c;
}
BITS(count_bits, bits_set(sh1))
BITS(find_top, top_bit(sh1))
BITS(find_top_signed, top_bit(sh1 >> 31 ? ~sh1 : sh1))
BITS(find_top_msb, top_bit_from_msb(sh1))

/* ---- the tables ---- */

#define UNIFORMS "sh 0 16 constants 0\n"
#define STATES(texture, sampler) "sh " #texture " texture 4\nsh " #sampler " sampler 1\nsh 11 1 constants 0 44\n"
#define FINISH_SINE(angle) "3 : if(p0)\n    fmul ft0, r0, " angle "\n    mov r0, ft0\n"

enum { BITS_ALIKE = -1 };
enum { SCRATCH_I0 = 1, SCRATCH_I1 = 2, SCRATCH_P0 = 4 };

static const struct table {
    enum example_id example;
    glsl_fn *glsl;
    const char *linkage;
    float ulps;            /* how far a float may be away; BITS_ALIKE: not at all, and it need not be a float */
    prepare_fn *prepare;   /* NULL: any inputs do */
    const char *rest;      /* what the GLSL needs after the example; NULL: nothing */
    unsigned scratch;      /* what holds no result */
    finish_fn *finish;     /* the same in C, of what the example left; NULL: nothing */
    bool vertex;           /* else a fragment program */
} tables[] = {
    {TABLE_1, position_w, NULL, BITS_ALIKE, .vertex = true},
    {UVSW, position_w, NULL, BITS_ALIKE, .vertex = true},
    {TABLE_2, iterated, NULL, BITS_ALIKE},
    {FITR, iterated, NULL, BITS_ALIKE},
    {TABLE_3, uniform_copy, UNIFORMS, BITS_ALIKE},
    {TABLE_4, all_one, NULL, BITS_ALIKE},
    {TABLE_5, absolute, UNIFORMS, 0},
    {TABLE_6, array_lookup, STATES(4, 0), BITS_ALIKE, layer_0},
    {TABLE_7, iterated_lookup, STATES(4, 0), BITS_ALIKE},
    {TABLE_8, floored, UNIFORMS, 0},
    {TABLE_9, negated, UNIFORMS, 0},
    {TABLE_10, clamped, UNIFORMS, 0},
    {TABLE_11, shadow, "sh 12 texture 4\nsh 4 sampler 1\n", 8, near_coordinates, .finish = weigh},
    {TABLE_12, offset_lookup, STATES(8, 0), BITS_ALIKE, offsets_1_1},
    {FMAD, fused, UNIFORMS, 0},
    {TABLE_13, summed, UNIFORMS, 0},
    {TABLE_14, multiplied, UNIFORMS, 0},
    {TABLE_15, reciprocal, UNIFORMS, 0.5f},
    {TABLE_16, reciprocal_root, UNIFORMS, 1},
    {TABLE_17, root, UNIFORMS, 0.5f},
    {TABLE_18, logarithm, UNIFORMS, 1},
    {TABLE_19, exponential, UNIFORMS, 1},
    {TABLE_20, mediump_multiply_add, UNIFORMS, 0, halves},
    {TABLE_21, mediump_multiply_add, UNIFORMS, 0, halves},
    {TABLE_22, gradient_x, NULL, 0},
    {TABLE_23, gradient_y, NULL, 0},
    {TABLE_24, sine_of_reduced, NULL, 2, reduced_angle, FINISH_SINE("i0"), SCRATCH_P0},
    {TABLE_25, arctangent, NULL, 2, reduced_angle, "6 : if(p0)\n    fmul ft0, i0, i1\n    mov i0, ft0\n"},
    {TABLE_26, sine_of_uniform, UNIFORMS, 2, angle, FINISH_SINE("i0"), SCRATCH_I0 | SCRATCH_I1 | SCRATCH_P0},
    {TABLE_27, truncated, UNIFORMS, BITS_ALIKE, within_int},
    {TABLE_28, half_integer, UNIFORMS, BITS_ALIKE},
    {TABLE_29, lowp_uint_sum, UNIFORMS, BITS_ALIKE},
    {TABLE_30, lowp_uint_product, UNIFORMS, BITS_ALIKE},
    {TABLE_31, lowp_uint_multiply_add, UNIFORMS, BITS_ALIKE},
    {TABLE_32, lowp_int_sum, UNIFORMS, BITS_ALIKE},
    {TABLE_33, lowp_int_product, UNIFORMS, BITS_ALIKE},
    {TABLE_34, lowp_int_multiply_add, UNIFORMS, BITS_ALIKE},
    {TABLE_35, mediump_uint_sum, UNIFORMS, BITS_ALIKE},
    {TABLE_36, mediump_uint_product, UNIFORMS, BITS_ALIKE},
    {TABLE_37, mediump_uint_multiply_add, UNIFORMS, BITS_ALIKE},
    {TABLE_38, mediump_int_sum, UNIFORMS, BITS_ALIKE},
    {TABLE_39, mediump_int_product, UNIFORMS, BITS_ALIKE},
    {TABLE_40, mediump_int_multiply_add, UNIFORMS, BITS_ALIKE},
    {TABLE_41, uint_multiply_add, UNIFORMS, BITS_ALIKE},
    {TABLE_42, int_multiply_add, UNIFORMS, BITS_ALIKE},
    {TABLE_43, if_zero, UNIFORMS, BITS_ALIKE},
    {TABLE_44, if_positive, UNIFORMS, BITS_ALIKE},
    {TABLE_45, if_not_negative, UNIFORMS, BITS_ALIKE},
    {TABLE_46, if_equal, UNIFORMS, BITS_ALIKE},
    {TABLE_47, if_above, UNIFORMS, BITS_ALIKE},
    {TABLE_48, if_different, UNIFORMS, BITS_ALIKE},
    {TABLE_49, if_below, UNIFORMS, BITS_ALIKE},
    {TABLE_50, bits_and, UNIFORMS, BITS_ALIKE},
    {TABLE_51, bits_or, UNIFORMS, BITS_ALIKE},
    {TABLE_52, bits_xor, UNIFORMS, BITS_ALIKE},
    {TABLE_53, shifted_left, UNIFORMS, BITS_ALIKE},
    {TABLE_54, shifted_right, UNIFORMS, BITS_ALIKE},
    {TABLE_55, count_bits, UNIFORMS, BITS_ALIKE},
    {TABLE_56, find_top, UNIFORMS, BITS_ALIKE},
    {TABLE_57, find_top_signed, UNIFORMS, BITS_ALIKE},
    {TABLE_58, find_top_msb, UNIFORMS, BITS_ALIKE},
    {TABLE_59, fetch, STATES(4, 0), BITS_ALIKE, level_0},
    {SMP, fetch, STATES(4, 0), BITS_ALIKE, level_0},
    {TABLE_60, iterated_lookup, STATES(4, 0), BITS_ALIKE},
};

/* ---- running one ---- */

static const uint32_t corners[] = {0,          1,          2,          31,         32,         0x80,       0xff,
                                   0x7fff,     0x8000,     0xffff,     0x7fffffff, 0x80000000, 0xffffffff, 0x3f800000,
                                   0xbf800000, 0x3f000000, 0xbfc00000, 0x807fffff, 0x00800000, 0x7f7fffff, 0x7f800000,
                                   0xff800000, 0x7fc00000, 0x40490fdb, 0xc2f00000};

/* A corner value, a float not far from one, or anything. */
static uint32_t any_word(uint64_t *random)
{
    uint32_t how = machine_random(random) % 3, v = machine_random(random);
    return how == 0 ? corners[v % (sizeof corners / sizeof *corners)] : how == 1 ? (v & 0x83ffffff) | 0x3c000000 : v;
}

static void fill(struct task *t, uint64_t *random)
{
    for (unsigned n = 0; n < SHARED_WORDS; n++)
        t->sh[n] = any_word(random);
    for (unsigned lane = 0; lane < LANES; lane++) {
        struct instance *x = &t->at[lane];
        for (unsigned n = 0; n < TEMPORARIES; n++)
            x->r[n] = any_word(random);
        for (unsigned n = 0; n < INTERNALS; n++)
            x->i[n] = any_word(random);
        for (unsigned n = 0; n < POSITION_WORDS; n++)
            x->position[n] = any_word(random);
        x->p0 = machine_random(random) & 1;
        x->x = (int)(2 * (lane / 4 % 4) + (lane & 1)); /* quads row by row across 8 pixels */
        x->y = (int)(2 * (lane / 16) + (lane >> 1 & 1));
    }
}

enum { SLOTS = 32, WORDS = 4 * SLOTS };
struct rows {
    _Alignas(64) uint32_t attribute[WORDS][LANES];
    _Alignas(64) uint32_t output[WORDS][LANES];
    const void *attributes[WORDS];
    void *outputs[WORDS];
    struct exec_plane planes[WORDS];
};

static void load(struct machine *m, struct rows *rows, struct task *t)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        const struct instance *x = &t->at[lane];
        for (unsigned n = 0; n < TEMPORARIES; n++)
            machine_put(m, ROGUE_FILE_R, n, lane, x->r[n]);
        for (unsigned n = 0; n < INTERNALS; n++)
            machine_put(m, ROGUE_FILE_I, n, lane, x->i[n]);
        for (unsigned n = 0; n < POSITION_WORDS; n++) {
            rows->attribute[n][lane] = x->position[n];
            rows->output[n][lane] = x->position[n];
        }
        machine_put(m, ROGUE_FILE_P0, 0, lane, x->p0 ? UINT32_MAX : 0);
    }
    for (unsigned n = 0; n < WORDS; n++) {
        rows->attributes[n] = rows->attribute[n];
        rows->outputs[n] = n < POSITION_WORDS ? rows->output[n] : NULL;
        rows->planes[n] = (struct exec_plane){plane_start(n), plane_x(n), plane_y(n)};
    }
    m->env = (struct exec_env){.plane = rows->planes, .w_plane = {0.5f, 0, 0}, .attr = rows->attributes,
                               .output = rows->outputs, .texture = answer, .front = true, .frag_y_sign = 1};
    for (uint32_t i = 0; i < m->ir->nspaces; i++)
        m->env.space[i] = (struct exec_buffer){(uint8_t *)t->sh, sizeof t->sh};
    assert_int_equal(exec_bind(m->warp, &m->env), WEFT_OK);
}

static void must_be(const struct table *table, const char *bank, unsigned n, unsigned lane, uint32_t got, uint32_t want,
                    uint32_t before)
{
    bool fine = got == want || (table->ulps >= 0 && same_float(got, want, (double)table->ulps));
    if (!fine)
        fail_msg("%s%s%u of instance %u is %#x, not %#x; it was %#x", texts[table->example], bank, n, lane, got, want,
                 before);
}

/* What an instance has: registers that the program does not have are as they were. */
static struct instance instance_of(struct machine *m, const struct rows *rows, unsigned lane,
                                   const struct instance *was)
{
    struct instance x = *was;
    for (unsigned n = 0; n < TEMPORARIES; n++)
        x.r[n] = machine_row(m, ROGUE_FILE_R, n) ? machine_get(m, ROGUE_FILE_R, n, lane) : x.r[n];
    for (unsigned n = 0; n < INTERNALS; n++)
        x.i[n] = machine_get(m, ROGUE_FILE_I, n, lane);
    for (unsigned n = 0; n < POSITION_WORDS; n++)
        x.position[n] = rows->output[n][lane];
    x.p0 = machine_get(m, ROGUE_FILE_P0, 0, lane) != 0;
    return x;
}

static void compare(struct machine *m, const struct rows *rows, const struct table *table, const struct task *before)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        const struct instance *was = &before->at[lane];
        struct instance want = *was, got = instance_of(m, rows, lane, was);
        table->glsl(before, lane, &want);
        if (table->finish)
            table->finish(&got);
        for (unsigned n = 0; n < TEMPORARIES; n++)
            must_be(table, "r", n, lane, got.r[n], want.r[n], was->r[n]);
        for (unsigned n = 0; n < INTERNALS; n++)
            if (!(n < 2 && table->scratch >> n & 1))
                must_be(table, "i", n, lane, got.i[n], want.i[n], was->i[n]);
        for (unsigned n = 0; table->vertex && n < POSITION_WORDS; n++)
            must_be(table, "vo", n, lane, got.position[n], want.position[n], was->position[n]);
        if (!(table->scratch & SCRATCH_P0))
            assert_int_equal(got.p0, want.p0);
    }
}

static void run_table(const struct table *table, bool optimise, uint64_t random)
{
    struct machine m;
    struct task task;
    struct rows *rows = aligned_alloc(64, sizeof *rows);
    char text[512];
    assert_non_null(rows);
    memset(rows, 0, sizeof *rows);
    snprintf(text, sizeof text, "%s%s", texts[table->example], table->rest ? table->rest : "");
    if (!machine_start_at(&m, table->vertex ? IR_VERTEX : IR_FRAGMENT, table->linkage, text, false, optimise))
        fail_msg("%s", text);
    for (unsigned run = 0; run < TASKS; run++) {
        fill(&task, &random);
        if (table->prepare)
            table->prepare(&task);
        load(&m, rows, &task);
        assert_true(machine_run(&m));
        compare(&m, rows, table, &task);
    }
    machine_end(&m);
    free(rows);
}

static void test_tables(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("tables");
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        run_table(&tables[i], false, test_next64(&rng));
        run_table(&tables[i], true, test_next64(&rng));
    }
}

/* No table is left out. */
static void test_all_there(void **state)
{
    (void)state;
    static const enum example_id others[] = {CHAPTER_3_MAIN, CHAPTER_3_BITWISE}; /* without a meaning of their own */
    bool there[PROGRAMS] = {false};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        there[tables[i].example] = true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        there[others[i]] = true;
    for (unsigned i = 0; i < PROGRAMS; i++)
        if (!there[i])
            fail_msg("nothing says what this computes: %s", texts[i]);
}

TEST_MAIN(TEST(test_tables), TEST(test_all_there))
