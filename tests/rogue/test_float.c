/* test_float.c - chapter 6 but for sums of products: arithmetic with random modifiers in all phases, complex
 * operations, gradients and 64-bit floats, against plain C. */
#include "coverage.h"
#include "oracle.h"

#include "base/fmath.h"

#include <math.h>

static const uint32_t corners[] = {0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x00800000,
                                   0x80800000, 0x00800001, 0x3f800000, 0xbf800000, 0x3f7fffff, 0x3fc00000,
                                   0xbfc00000, 0x4b000000, 0xcb000001, 0x7f7fffff, 0xff7fffff, 0x7f800000,
                                   0xff800000, 0x7fc00000, 0xffc00001, 0x40490fdb, 0x3f000000, 0x34000000};
enum { CORNERS = sizeof corners / sizeof *corners, NOT_A_NUMBER = 0x7fffffff };

static uint32_t random_float(struct test_rng *r)
{
    uint32_t v = test_next(r);
    return v & 1   ? corners[v / 2 % CORNERS]
           : v & 2 ? test_next(r)
                   : (test_next(r) & 0x807fffff) | (0x30000000 + (test_next(r) % 30 << 23));
}

static float flushed(uint32_t u)
{
    return f32_from((u & 0x7f800000) ? u : u & 0x80000000);
}

static uint32_t rounded(float v)
{
    uint32_t u = f32_bits(v);
    return v != v ? NOT_A_NUMBER : (u & 0x7f800000) ? u : u & 0x80000000;
}

/* Just at the least normal number nobody says whether the exponent's limit counts before or after rounding. */
static bool same(uint32_t got, uint32_t want)
{
    return got == want || ((want & 0x7fffffff) == 0x00800000 && got == (want & 0x80000000));
}

/* ---- sums and products ---- */

struct modifiers {
    bool flr[3], abs[3], neg[3], sat;
};

static uint32_t modify(const struct modifiers *m, unsigned n, uint32_t u)
{
    if (m->flr[n] && (u & 0x7f800000) != 0x7f800000)
        u = f32_bits(floorf(flushed(u)));
    u = m->abs[n] ? u & 0x7fffffff : u;
    return m->neg[n] ? u ^ 0x80000000 : u;
}

static uint32_t saturated(const struct modifiers *m, float v)
{
    return !m->sat ? rounded(v) : v > 0 ? v < 1 ? rounded(v) : 0x3f800000 : 0;
}

enum op { FMAD, FADD, FADD_LP, FMUL, FMUL_LP, FADD_2, FMUL_2, OPS };
static const char *const names[] = {"fmad", "fadd", "fadd.lp", "fmul", "fmul.lp", "fadd", "fmul"};

static uint32_t calculate(enum op op, const struct modifiers *m, uint32_t a, uint32_t b, uint32_t c)
{
    float x = flushed(modify(m, 0, a)), y = flushed(modify(m, 1, b));
    if (op == FMAD)
        return saturated(m, fmaf(x, y, flushed(modify(m, 2, c))));
    return saturated(m, op == FADD || op == FADD_LP || op == FADD_2 ? x + y : x * y);
}

static struct modifiers random_modifiers(struct test_rng *r, enum op op)
{
    struct modifiers m = {.sat = test_next(r) % 3 == 0};
    for (unsigned i = 0; i < 3; i++) {
        m.abs[i] = test_next(r) & 1;
        m.neg[i] = (test_next(r) & 1) &&
                   (i != 1 || op == FMAD); /* of the second source FADD and FMUL take the absolute alone */
    }
    unsigned floored = op == FMAD ? 2 : 0;
    m.flr[floored] = op < FADD_2 && (test_next(r) & 1);
    return m;
}

static void append(char *text, size_t size, const char *what, const struct modifiers *m, unsigned n)
{
    size_t length = strlen(text);
    snprintf(text + length, size - length, ", %s%s%s%s", what, m->flr[n] ? ".flr" : "", m->abs[n] ? ".abs" : "",
             m->neg[n] ? ".neg" : "");
}

/* In phase 0 with S0 to S2, in phase 1 with S3 to S5, in phase 2 with FT0 and FTE, which is S1. */
static void test_arithmetic(void **state)
{
    (void)state;
    static const char *const sources[2][3] = {{"s0", "s1", "s2"}, {"s3", "s4", "s5"}};
    struct test_rng r = test_seed("arithmetic");
    for (unsigned n = 0; n < OPS * 36; n++) {
        enum op op = (enum op)(n % OPS);
        bool pack = op >= FADD_2, phase1 = !pack && (n / OPS & 1), lp = op == FMAD && (test_next(&r) & 1);
        struct modifiers m = random_modifiers(&r, op);
        char operands[96] = "", text[384];
        if (pack) {
            append(operands, sizeof operands, "is3", &m, 0);
            append(operands, sizeof operands, "fte", &m, 1);
        }
        for (unsigned i = 0; i < (op == FMAD ? 3u : 2u) && !pack; i++)
            append(operands, sizeof operands, sources[phase1][i], &m, i);
        snprintf(text, sizeof text,
                 "0 : { s0 = r4, s1 = r5, s2 = r6, s3 = r4, s4 = r5, s5 = r6, is0 = s1, is3 = ft0, is4 = %s %s%s: "
                 "%s%s%s %s%s; w0 = r0 }\n",
                 pack     ? "ft2"
                 : phase1 ? "ft1"
                          : "ft0",
                 phase1 || pack ? "p0: mbyp ft0, s0; " : "",
                 pack     ? "p2_pck"
                 : phase1 ? "p1"
                          : "p0",
                 names[op], lp ? ".lp" : "", m.sat ? ".sat" : "",
                 pack     ? "ft2"
                 : phase1 ? "ft1"
                          : "ft0",
                 operands);
        struct machine machine;
        assert_true(machine_start(&machine, text, false, n & 1));
        for (unsigned run = 0; run < 8; run++) {
            struct in x[LANES];
            struct out got[LANES];
            for (unsigned lane = 0; lane < LANES; lane++)
                x[lane] = (struct in){.a = random_float(&r), .b = random_float(&r), .c = random_float(&r)};
            oracle_run(&machine, x, got);
            for (unsigned lane = 0; lane < LANES; lane++) {
                uint32_t want = calculate(op, &m, x[lane].a, x[lane].b, x[lane].c);
                if (!same(got[lane].r0, want))
                    fail_msg("%s a %#x b %#x c %#x: %#x, not %#x", text, x[lane].a, x[lane].b, x[lane].c, got[lane].r0,
                             want);
            }
        }
        machine_end(&machine);
    }
}

/* ---- complex operations ---- */

static double log2_of(double x)
{
    return x == 0 ? -INFINITY : log2(x);
}
static double rcp(double x)
{
    return 1 / x;
}
static double rsq(double x)
{
    return x == 0 ? copysign(INFINITY, x) : 1 / sqrt(x);
}
static double arctanc(double x)
{
    return fabs(x) < 0x1.8p-12 ? 1 : atan(x) / x;
}
static double sinc(double x)
{
    return fabs(x) < 0x1p-24 ? 0x1.921fb54442d18p0 : sin(x * 0x1.921fb54442d18p0) / x;
}
static double compress(double x)
{
    return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
}
static double expand(double x)
{
    return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

static const struct {
    const char *name;
    double (*exact)(double);
    bool halves, unit; /* has element modifiers; is defined from -1 to 1 */
} complex_ops[] = {{"frcp", rcp, true, false},         {"frsq", rsq, true, false},
                   {"fsqrt", sqrt, true, false},       {"flog", log2_of, true, false},
                   {"flogcn", log2_of, true, false},   {"fexp", exp2, true, false},
                   {"gcmp", compress, true, false},    {"gexp", expand, true, false},
                   {"farctanc", arctanc, false, true}, {"fsinc", sinc, false, true}};

static bool within(uint32_t got, double want, double ulps)
{
    float nearest = (float)want;
    int exponent;
    if (want != want)
        return got == NOT_A_NUMBER;
    if (isinf(nearest) || fabsf(nearest) < 0x1p-125f)
        return fabs((double)f32_from(got) - (double)nearest) <= 0x1p-126 || got == f32_bits(nearest);
    frexp(want, &exponent);
    return fabs((double)f32_from(got) - want) <= ldexp(ulps, exponent - 24);
}

static void test_complex(void **state)
{
    (void)state;
    enum { NUMBER = sizeof complex_ops / sizeof *complex_ops };
    struct test_rng r = test_seed("complex");
    for (unsigned n = 0; n < NUMBER * 4; n++) {
        unsigned op = n % NUMBER;
        bool abs = n / NUMBER & 1, neg = n / NUMBER & 2;
        char text[96];
        snprintf(text, sizeof text, "0 : %s r0,%s r4%s%s\n", complex_ops[op].name, op == NUMBER - 1 ? " p0," : "",
                 abs ? ".abs" : "", neg ? ".neg" : "");
        struct machine m;
        assert_true(machine_start(&m, text, false, true));
        for (unsigned run = 0; run < 20; run++) {
            struct in x[LANES];
            struct out got[LANES];
            for (unsigned lane = 0; lane < LANES; lane++) {
                x[lane] = (struct in){.a = random_float(&r)};
                if (complex_ops[op].unit && !(fabsf(f32_from(x[lane].a)) <= 1))
                    x[lane].a = (x[lane].a & 0x807fffff) | 0x3e000000;
            }
            oracle_run(&m, x, got);
            for (unsigned lane = 0; lane < LANES; lane++) {
                uint32_t u = abs ? x[lane].a & 0x7fffffff : x[lane].a;
                double want = complex_ops[op].exact((double)flushed(neg ? u ^ 0x80000000 : u));
                if (!within(got[lane].r0, want, 0.51))
                    fail_msg("%s of %#x: %#x, not %a", text, x[lane].a, got[lane].r0, want);
            }
        }
        machine_end(&m);
    }
}

/* .F16: the source is one half of the register, and the result goes into the named halves; the other one stays. */
static void test_complex_halves(void **state)
{
    (void)state;
    static const uint16_t in[] = {0x3c00, 0x4000, 0x3555, 0x0400, 0x5640, 0x3800};
    for (unsigned n = 0; n < 3 * 3; n++) {
        static const char *const to[] = {".f16.e0", ".f16.e1", ".f16.e0.e1"}, *const from[] = {"", ".f16.e0",
                                                                                               ".f16.e1"};
        char text[96];
        snprintf(text, sizeof text, "0 : frcp r0%s, r4%s\n", to[n % 3], from[n / 3]);
        struct machine m;
        assert_true(machine_start(&m, text, false, true));
        struct in x[LANES] = {{0}};
        struct out got[LANES];
        for (unsigned lane = 0; lane < LANES; lane++) {
            float whole = f16_to_f32(in[lane % 6]);
            x[lane].a = n / 3 == 0   ? f32_bits(whole)
                        : n / 3 == 1 ? in[lane % 6] | 0xabcd0000u
                                     : (uint32_t)in[lane % 6] << 16 | 0x1234;
            x[lane].r0 = 0x77778888;
        }
        oracle_run(&m, x, got);
        for (unsigned lane = 0; lane < LANES; lane++) {
            uint32_t half = f16_from_f32(1 / f16_to_f32(in[lane % 6]));
            uint32_t want = (n % 3 == 1 ? 0x8888 : half) | (n % 3 == 0 ? 0x77770000 : half << 16);
            if (got[lane].r0 != want)
                fail_msg("%s of %#x: %#x, not %#x", text, x[lane].a, got[lane].r0, want);
        }
        machine_end(&m);
    }
}

/* ---- gradients ---- */

static void test_gradients(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned way;
        bool fine;
    } ops[] = {{"fdsx", 1, false}, {"fdsy", 2, false}, {"fdsxf", 1, true}, {"fdsyf", 2, true}};
    struct test_rng r = test_seed("gradients");
    for (unsigned n = 0; n < 8; n++) {
        char text[128];
        bool phase1 = n & 4;
        unsigned way = ops[n & 3].way;
        snprintf(text, sizeof text, "0 : { s0 = r4, s3 = r4, is4 = %s %s%s %s, %s.abs.neg; w0 = r0 }\n",
                 phase1 ? "ft1" : "ft0", phase1 ? "p0: mbyp ft0, s0; p1: " : "p0: ", ops[n & 3].name,
                 phase1 ? "ft1" : "ft0", phase1 ? "s3" : "s0");
        struct machine m;
        struct in x[LANES] = {{0}};
        struct out got[LANES];
        assert_true(machine_start(&m, text, false, true));
        for (unsigned lane = 0; lane < LANES; lane++)
            x[lane].a = random_float(&r);
        oracle_run(&m, x, got);
        for (unsigned lane = 0; lane < LANES; lane++) {
            unsigned quad = lane & ~3u, first = ops[n & 3].fine ? lane & ~way : quad;
            float from = flushed(x[first].a | 0x80000000), to = flushed(x[first | way].a | 0x80000000);
            if (!same(got[lane].r0, rounded(to - from)))
                fail_msg("%s lane %u: %#x, not %#x", text, lane, got[lane].r0, rounded(to - from));
        }
        machine_end(&m);
    }
}

/* ---- 64 bits ---- */

static uint64_t widened(unsigned format, uint32_t v)
{
    double d = format == 0 ? (double)f32_from(v) : format == 1 ? (double)(int32_t)v : (double)v;
    return d != d ? UINT64_C(0x7fffffffffffffff) : f64_bits(d);
}

static uint32_t narrowed(unsigned format, uint64_t bits)
{
    double d = f64_from(bits), low = format == 1 ? -2147483648.0 : 0, high = format == 1 ? 2147483647.0 : 4294967295.0;
    if (format == 0)
        return d != d ? NOT_A_NUMBER : f32_bits((float)d);
    d = d != d ? 0 : nearbyint(d);
    return (uint32_t)(int64_t)(d < low ? low : d > high ? high : d);
}

static void test_doubles(void **state)
{
    (void)state;
    static const char *const words[] = {"f32", "s32", "u32"};
    struct test_rng r = test_seed("doubles");
    for (unsigned n = 0; n < 6; n++) {
        unsigned format = n % 3;
        char text[160];
        if (n < 3)
            snprintf(text, sizeof text,
                     "0 : { s0 = r4, is3 = ft0, is4 = ft0, is5 = ft2 p0: mbyp ft0, s0; p2_pck: converttof64.%s ft0, "
                     "ft2, is3; "
                     "w0 = r0, w1 = r1 }\n",
                     words[format]);
        else
            snprintf(text, sizeof text,
                     "0 : { s0 = r4, s1 = r4, s2 = r5, is4 = ft0 p0: convertfromf64.%s ft0, s0, s2; w0 = r0 }\n",
                     words[format]);
        struct machine m;
        assert_true(machine_start(&m, text, false, true));
        for (unsigned run = 0; run < 40; run++) {
            struct in x[LANES] = {{0}};
            struct out got[LANES];
            for (unsigned lane = 0; lane < LANES; lane++) {
                uint64_t bits = widened(test_next(&r) % 3, random_float(&r)) + test_next(&r) % 3 * (test_next(&r) >> 3);
                x[lane].a = n < 3 ? random_float(&r) : (uint32_t)bits;
                x[lane].b = (uint32_t)(bits >> 32);
            }
            oracle_run(&m, x, got);
            for (unsigned lane = 0; lane < LANES; lane++) {
                uint64_t bits = widened(format, x[lane].a);
                uint32_t want0 = n < 3 ? (uint32_t)bits : narrowed(format, (uint64_t)x[lane].b << 32 | x[lane].a);
                uint32_t want1 = n < 3 ? (uint32_t)(bits >> 32) : 0;
                if (got[lane].r0 != want0 || got[lane].r1 != want1)
                    fail_msg("%s %#x %#x: %#x %#x, not %#x %#x", text, x[lane].a, x[lane].b, got[lane].r0, got[lane].r1,
                             want0, want1);
            }
        }
        machine_end(&m);
    }
}

static void test_coverage(void **state)
{
    (void)state;
    check_coverage(BY_FLOAT);
}

TEST_MAIN(TEST(test_arithmetic), TEST(test_complex), TEST(test_complex_halves), TEST(test_gradients),
          TEST(test_doubles), TEST(test_coverage))
