/* test_sequences.c - what compilers make of functions without an instruction of their own, run as programs and held
 * against the C library: reciprocals, roots, quotients, logarithms, exponentials, powers, sines, coordinates of cube
 * maps. Whole ranges of arguments; where a sequence itself is coarser than its last steps, the bound is its own. */
#include "exec/exec.h"
#include "isa/valhall/lift.h"
#include "program.h"

#include <math.h>

enum { LANES = VALHALL_LANES_TOGETHER, ARGUMENTS = 3, RESULT = 8, RUNS = 1200 };

static uint64_t random_state = 20250301;

static uint32_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 16);
}

static float from_bits(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

static uint32_t to_bits(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

/* One unit in the last place of a float of this size. */
static double unit(double v)
{
    int exponent;
    frexp(v, &exponent);
    return ldexp(1, exponent - 24 > -149 ? exponent - 24 : -149);
}

/* ---- arguments: r0, r2, r4 ---- */

static void any_float(float *x)
{
    x[0] = from_bits(random_bits());
}

static void any_positive(float *x)
{
    x[0] = from_bits(random_bits() >> 1);
}

/* The reciprocal of the divisor, and the quotient, are not denormals. */
static void dividend_and_divisor(float *x)
{
    x[1] = from_bits((random_bits() & 0x807fffff) | (67 + random_bits() % 120) << 23);
    x[0] = from_bits((random_bits() & 0x807fffff) | (67 + random_bits() % 120) << 23);
}

static void base_and_exponent(float *x)
{
    x[0] = from_bits(random_bits() >> 1);
    x[1] = from_bits((random_bits() & 0x807fffff) | (100 + random_bits() % 40) << 23);
}

static void angle(float *x)
{
    x[0] = ((float)random_bits() * 0x1p-32f - 0.5f) * 128;
}

static void direction(float *x)
{
    for (unsigned i = 0; i < 3; i++)
        x[i] = ((float)random_bits() * 0x1p-32f - 0.5f) * 64;
}

/* ---- what they should give, and how far from it a result may be ---- */

static double reciprocal(const float *x, double *slack)
{
    double v = 1 / (double)x[0];
    *slack = unit(v);
    return v;
}

static double reciprocal_root(const float *x, double *slack)
{
    double v = 1 / sqrt((double)x[0]);
    *slack = unit(v);
    return v;
}

static double root(const float *x, double *slack)
{
    double v = sqrt((double)x[0]);
    *slack = 2 * unit(v);
    return v;
}

static double quotient(const float *x, double *slack)
{
    double v = (double)x[0] / (double)x[1];
    *slack = 2 * unit(v);
    return v;
}

static double logarithm(const float *x, double *slack)
{
    double v = log2((double)x[0]);
    *slack = 2 * unit(v);
    return v;
}

static double exponential(const float *x, double *slack)
{
    double v = exp2((double)x[0]);
    *slack = 2 * unit(v);
    return v;
}

/* The logarithm is a float: its error, two units, counts as often as the exponent of the result says. */
static double power(const float *x, double *slack)
{
    double exponent = (double)x[1] * log2((double)x[0]), v = exp2(exponent);
    *slack = 2 * unit(v) + v * fabs(exponent) * 0x1p-22;
    return v;
}

/* Two terms of Taylor's series at 64 points of a turn leave e^3 / 6, e being up to pi / 64; and the sequence's pi / 2
 * ends early. */
static double taylor_slack(float x)
{
    return 2.0e-5 + 2.0e-7 * 64 + 9.0e-7 * fabs((double)x);
}

static double sine(const float *x, double *slack)
{
    *slack = taylor_slack(x[0]);
    return sin((double)x[0]);
}

static double cosine(const float *x, double *slack)
{
    *slack = taylor_slack(x[0]);
    return cos((double)x[0]);
}

/* The coordinate s of the face that a direction sees, by the tables of OpenGL. */
static double cube_s(const float *x, double *slack)
{
    double a[3] = {fabs((double)x[0]), fabs((double)x[1]), fabs((double)x[2])}, major, s;
    if (a[0] >= a[1] && a[0] >= a[2]) {
        major = a[0];
        s = x[0] < 0 ? (double)x[2] : -(double)x[2];
    } else if (a[1] >= a[2]) {
        major = a[1];
        s = (double)x[0];
    } else {
        major = a[2];
        s = x[2] < 0 ? -(double)x[0] : (double)x[0];
    }
    *slack = 2 * unit(0.5); /* of the coordinate's range, 0 to 1 */
    return s / major / 2 + 0.5;
}

/* Arguments in r0, r2 and r4, the result in r8. */
static const struct sequence {
    const char *name, *text;
    void (*arguments)(float *x);
    double (*exact)(const float *x, double *slack);
} sequences[] = {
    {"1 / x", "FRCP.f32 r8, r0\n", any_float, reciprocal},
    {"1 / sqrt x", "FRSQ.f32 r8, r0\n", any_float, reciprocal_root},
    {"sqrt x", "FRSQ.f32 r1, r0\nFRCP.f32 r8, r1\n", any_positive, root},
    {"x / y", "FRCP.f32 r1, r2\nFMA.f32 r8, r0, r1, 0x0.neg\n", dividend_and_divisor, quotient},
    {"log2 x",
     "FREXPE.f32.log r1, r0\nS32_TO_F32 r1, r1\nFADD_LSCALE.f32 r3, 0x3F800000.neg, r0\nFLOGD.f32 r5, r0\nFMA.f32 r8, "
     "r5, r3, r1\n",
     any_float, logarithm},
    {"2^x",
     "IADD_IMM.i32 r1, 0x0, #0x18\nFMA_RSCALE.f32 r3, r0, 0x3F800000, 0x0.neg, r1\nF32_TO_S32 r5, r3\nFEXP.f32 r8, r5, "
     "r3\n",
     any_float, exponential},
    {"x^y",
     "FREXPE.f32.log r1, r0\nS32_TO_F32 r1, r1\nFADD_LSCALE.f32 r3, 0x3F800000.neg, r0\nFLOGD.f32 r5, r0\nFMA.f32 r6, "
     "r5, r3, r1\n"
     "IADD_IMM.i32 r1, 0x0, #0x18\nFMA_RSCALE.f32 r3, r2, r6, 0x0.neg, r1\nF32_TO_S32 r5, r3\nFEXP.f32 r8, r5, r3\n",
     base_and_exponent, power},
    {"sin x",
     "IADD_IMM.i32 r1, 0x0, #0x49400000\nIADD_IMM.i32 r3, 0x0, #0x3F22F98C\nFMA.f32 r5, r0, r3, r1\nIADD_IMM.i32 r3, "
     "0x0, #0xBFC90FD0\n"
     "FADD_IMM.f32 r6, r5, #0xC9400000\nFMA.f32 r6, r6, r3, r0\nFSIN_TABLE.u6 r9, r5\nFCOS_TABLE.u6 r10, r5\n"
     "FMA_RSCALE.f32 r11, r6, r6, 0x0.neg, 0xFFFFFFFF\nFMA.f32 r11, r11.neg, r9, 0x0.neg\nFMA.f32.clamp_m1_1 r11, r6, "
     "r10, r11\n"
     "FADD.f32 r8, r11, r9\n",
     angle, sine},
    {"cos x",
     "IADD_IMM.i32 r1, 0x0, #0x49400000\nIADD_IMM.i32 r3, 0x0, #0x3F22F98C\nFMA.f32 r5, r0, r3, r1\nIADD_IMM.i32 r3, "
     "0x0, #0xBFC90FD0\n"
     "FADD_IMM.f32 r6, r5, #0xC9400000\nFMA.f32 r6, r6, r3, r0\nFSIN_TABLE.u6 r9, r5\nFCOS_TABLE.u6 r10, r5\n"
     "FMA_RSCALE.f32 r11, r6, r6, 0x0.neg, 0xFFFFFFFF\nFMA.f32 r11, r11.neg, r10, 0x0.neg\nFMA.f32.clamp_m1_1 r11, r6, "
     "r9.neg, r11\n"
     "FADD.f32 r8, r11, r10\n",
     angle, cosine},
    {"s of a cube map",
     "CUBEFACE1 r1, r0, r2, r4\nCUBEFACE2 r3, r0, r2, r4\nCUBE_SSEL r5, r4, r0, r3\nFRCP.f32 r1, r1\n"
     "FMA.f32 r1, r1, 0x38000000.h1, 0x0.neg\nFMA.f32.clamp_0_1 r8, r1, r5, 0x38000000.h1\n",
     direction, cube_s},
};

static struct exec_warp *compile(struct program *p, struct arena *arena)
{
    struct ir_program *ir;
    struct exec_program *code;
    const struct exec_options options = {.level = exec_best_level()};
    if (p->status != WEFT_OK)
        fail_msg("%s", program_messages(p));
    p->m->stage = IR_COMPUTE;
    assert_int_equal(valhall_lift(p->m, &p->src, arena, &ir, p->diags), WEFT_OK);
    ir->files[0].preserved = true;
    assert_int_equal(exec_compile(ir, &options, arena, &code, p->diags), WEFT_OK);
    return exec_warp_new(code);
}

/* Whether a result is what it should be; NaN where there is none, infinities as a float has them. */
static bool is_near(float got, double want, double slack)
{
    if (isnan(want))
        return isnan(got);
    if (isinf((float)want) || isinf(got))
        return got == (float)want || (double)fabsf(got) + slack >= 0x1.ffffffp127;
    return fabs((double)got - want) <= slack;
}

static void run_sequence(const struct sequence *s)
{
    static const float corners[] = {0,         -0.0f,           1,     -1,  INFINITY, -INFINITY, NAN, 0x1p-126f,
                                    0x1p-149f, 0x1.fffffep127f, 0.75f, 1.5f};
    struct program p = program_parse(s->text);
    struct arena arena = {0};
    struct exec_warp *warp = compile(&p, &arena);
    struct exec_env env = {0};
    bool one = s->arguments == any_float || s->arguments == any_positive;
    double worst = 0;
    assert_int_equal(exec_bind(warp, &env), WEFT_OK);
    for (unsigned k = 0; k < RUNS; k++) {
        float x[LANES][ARGUMENTS] = {{0}};
        for (unsigned lane = 0; lane < LANES; lane++) {
            s->arguments(x[lane]);
            if (k == 0 && one && lane < sizeof corners / sizeof *corners &&
                (s->arguments == any_float || !signbit(corners[lane])))
                x[lane][0] = corners[lane];
            for (unsigned i = 0; i < ARGUMENTS; i++)
                ((uint32_t *)exec_warp_register(warp, 0, i * 2))[lane] = to_bits(x[lane][i]);
        }
        assert_int_equal(exec_run(warp, ~(lane_mask)0, ~(lane_mask)0, 0), EXEC_DONE);
        for (unsigned lane = 0; lane < LANES; lane++) {
            double slack, want = s->exact(x[lane], &slack);
            float got = ((const float *)exec_warp_register(warp, 0, RESULT))[lane];
            if (!is_near(got, want, slack))
                fail_msg("%s of %a, %a, %a: %a, not %a", s->name, (double)x[lane][0], (double)x[lane][1],
                         (double)x[lane][2], (double)got, want);
            if (isfinite(want) && isfinite(got) && fabs((double)got - want) / slack > worst)
                worst = fabs((double)got - want) / slack;
        }
    }
    print_message("# %s: the worst of %u is %.2f of what is allowed\n", s->name, RUNS * LANES, worst);
    exec_warp_free(warp);
    arena_free(&arena);
    program_free(&p);
}

static void sequences_are_close(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof sequences / sizeof *sequences; i++)
        run_sequence(&sequences[i]);
}

TEST_MAIN(TEST(sequences_are_close))
