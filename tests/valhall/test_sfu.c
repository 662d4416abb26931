/* test_sfu.c - the well-known sequences that the special functions are steps of, over their whole range: logarithm,
 * exponential, reciprocal, reciprocal square root, arc tangent. */
#include "isa/valhall/alu.h"
#include "test.h"

#include <math.h>
#include <string.h>

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

/* Units in the last place of `exact` that v is away. */
static double ulps(float v, double exact)
{
    if (isnan(exact))
        return isnan(v) ? 0 : INFINITY;
    float near = (float)exact;
    if (isinf(near) || isinf(v))
        return near == v ? 0 : INFINITY;
    int exponent;
    frexp(exact, &exponent);
    return fabs((double)v - exact) / ldexp(1, exponent - 24 > -149 ? exponent - 24 : -149);
}

static void within(const char *what, float x, float v, double exact, double most)
{
    if (ulps(v, exact) > most)
        fail_msg("%s(%a) is %a, not %a: %g ulps", what, (double)x, (double)v, exact, ulps(v, exact));
}

/* Positive floats of every exponent, and the special ones. */
enum { STEP = 104729 };

static float log2_sequence(float x)
{
    float exponent = (float)valhall_exponent(x, VALHALL_SPLIT_LOG);
    float scaled = -1.0f + valhall_significand(x, VALHALL_SPLIT_LOG);
    return fmaf(valhall_flogd(x), scaled, exponent);
}

static void logarithms(void **state)
{
    (void)state;
    for (uint32_t u = 0; u <= 0x7f800000; u += STEP)
        within("log2", from_bits(u), log2_sequence(from_bits(u)), log2((double)from_bits(u)), 2);
    for (uint32_t u = 0x3f7f0000; u < 0x3f810000; u++) /* near 1, where the result is small */
        within("log2", from_bits(u), log2_sequence(from_bits(u)), log2((double)from_bits(u)), 2);
    assert_true(log2_sequence(0) == -INFINITY && log2_sequence(INFINITY) == INFINITY && isnan(log2_sequence(-1)));
}

/* F32_TO_S32: nearest, saturating, 0 of NaN. */
static int32_t fixed(float x)
{
    if (isnan(x))
        return 0;
    return x >= 0x1p31f ? INT32_MAX : x <= -0x1p31f ? INT32_MIN : (int32_t)rintf(x);
}

static void exponentials(void **state)
{
    (void)state;
    for (uint32_t u = 0; u < 0x80000000; u += STEP)
        for (int negative = 0; negative < 2; negative++) {
            float x = negative ? -from_bits(u) : from_bits(u), scaled = ldexpf(x, 24);
            within("exp2", x, valhall_fexp(fixed(scaled), scaled), exp2((double)x), 2);
        }
}

/* Mesa's sequences for chips without FRCP and FRSQ: one step of Newton's method on the approximation. */
static void approximations(void **state)
{
    (void)state;
    for (uint32_t u = 0x00800000; u < 0x7e800000; u += STEP) {
        float x = from_bits(u), t = valhall_rcp_approx(x), m = valhall_significand(x, VALHALL_SPLIT_FREXP);
        float e = fmaf(m, -t, 1), v = ldexpf(fmaf(e, t, t), -valhall_exponent(x, VALHALL_SPLIT_FREXP));
        within("rcp", x, v, 1 / (double)x, 1);
        within("rsq", x, valhall_rsq(x), 1 / sqrt((double)x), 1);
        double rough = (double)valhall_rsq_approx(x) * sqrt((double)valhall_significand(x, VALHALL_SPLIT_SQRT));
        assert_true(fabs(rough - 1) < 0x1p-12);
        double log = (double)valhall_log_table(x),
               inverse = (double)valhall_rcp_approx(valhall_significand(x, VALHALL_SPLIT_LOG));
        assert_true(fabs(exp2(-log) / inverse - 1) < 0x1p-22 || fabs(exp2(-log) * 2 / inverse - 1) < 0x1p-22);
    }
    assert_int_equal(to_bits(valhall_rcp_approx(0)), 0x7f800000);
    assert_int_equal(to_bits(valhall_rcp_approx(-INFINITY)), 0x80000000);
}

/* Sine by tables of 64ths of a turn and a polynomial of second order, on the table's own points. */
static void sines(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 128; k++) {
        double angle = (k % 64) * acos(-1) / 32;
        assert_true(fabs((double)valhall_sin_table(k) - sin(angle)) < 0x1p-24);
        assert_true(fabs((double)valhall_cos_table(k) - cos(angle)) < 0x1p-24);
        assert_true(fabs(remainder((double)valhall_sincos_offset(k) - angle, 2 * acos(-1))) < 0x1p-22);
    }
}

static void arc_tangents(void **state)
{
    static const float values[] = {0, -0.0f, 1, -1, 0.5f, -0.25f, 3, 100, -INFINITY, INFINITY, 1e-30f};
    (void)state;
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++)
        for (unsigned k = 0; k < sizeof values / sizeof *values; k++) {
            float y = values[i], x = values[k];
            assert_true(fabs((double)valhall_atan_table(y, x) - atan2((double)y, (double)x)) < 1.0 / 127);
            uint32_t octant = valhall_atan_assist(y, x) & 0xffff;
            assert_int_equal(octant >> 2 & 1, signbit(y) != 0);
            assert_int_equal(octant >> 1 & 1, signbit(x) != 0);
        }
    assert_true(isnan(valhall_atan_table(NAN, 1)));
    within("atan", 1, valhall_atan_table(1, 1), atan(1), 1);
}

TEST_MAIN(TEST(logarithms), TEST(exponentials), TEST(approximations), TEST(sines), TEST(arc_tangents))
