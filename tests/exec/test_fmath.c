/* The float functions against the C library in double: within 0.501 ulp over samples of the whole range. */
#include "test.h"

#include <math.h>

#include "base/fmath.h"

static double ulps(float got, double want)
{
    float w = (float)want;
    if (f32_bits(got) == f32_bits(w) || (isnan(got) && isnan(w)) || got == w)
        return 0;
    if (isnan(got) || isnan(w) || isinf(got) || isinf(w))
        return 1e9;
    int e;
    frexp(want, &e);
    return fabs((double)got - want) / ldexp(1, (e < -125 ? -125 : e) - 24);
}

static void functions(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 0x100000000u; i += 9973) {
        float x = f32_from((uint32_t)i);
        assert_true(ulps(fmath_exp2(x), exp2((double)x)) <= 0.501);
        assert_true(ulps(fmath_log2(x), log2((double)x)) <= 0.501);
        assert_true(ulps(fmath_sin(x), sin((double)x)) <= 0.501);
        assert_true(ulps(fmath_cos(x), cos((double)x)) <= 0.501);
    }
}

static void powers(void **state)
{
    (void)state;
    struct test_rng r = test_seed("powers");
    for (int i = 0; i < 300000; i++) {
        float x = f32_from(test_next(&r)),
              y = i & 1 ? f32_from(test_next(&r)) : (float)((int)(test_next(&r) >> 20) - 2048) / 16.0f;
        if (i % 3 == 0)
            x = fabsf(x);
        assert_true(ulps(fmath_pow(x, y), pow((double)x, (double)y)) <= 0.501);
    }
    static const float special[] = {0,      -0.0f,  1,        -1,       2,         -2,      3,
                                    -3,     0.5f,   -0.5f,    INFINITY, -INFINITY, NAN,     1e10f,
                                    -1e10f, 1e-40f, 16777216, 16777218, 8388607,   8388609, -8388609};
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
        for (size_t k = 0; k < sizeof special / sizeof special[0]; k++) {
            float got = fmath_pow(special[i], special[k]), want = powf(special[i], special[k]);
            if (isnan(want))
                assert_true(isnan(got));
            else
                assert_int_equal(f32_bits(got), f32_bits(want));
        }
}

/* All halves to floats and back; floats against the definition: the nearest half, ties to even. */
static void halves(void **state)
{
    (void)state;
    for (uint32_t h = 0; h < 65536; h++) {
        float f = f16_to_f32(h);
        int e = (int)(h >> 10 & 31), m = (int)(h & 1023);
        double want = e == 0 ? ldexp(m, -24) : e == 31 ? (m ? (double)NAN : (double)INFINITY) : ldexp(1024 + m, e - 25);
        if (h & 0x8000)
            want = -want;
        if (isnan(want)) {
            assert_true(isnan(f));
            continue;
        }
        assert_true((double)f == want && !signbit(f) == !signbit(want));
        assert_int_equal(f16_from_f32(f), h);
    }
    struct test_rng r = test_seed("halves");
    for (int i = 0; i < 400000; i++) {
        float x = f32_from((test_next(&r) & 0x8fffffff) | (test_next(&r) & 0x70000000));
        if (isnan(x))
            continue;
        uint32_t h = f16_from_f32(x) & 0x7fff;
        double a = fabs((double)x), here = h == 0x7c00 ? 65536 : (double)f16_to_f32(h);
        double below = h ? (double)f16_to_f32(h - 1) : 0, above = h >= 0x7bff ? 65536 : (double)f16_to_f32(h + 1);
        if (h == 0x7c00) {
            assert_true(a >= 65520);
            continue;
        }
        double d = fabs(a - here);
        assert_true(h == 0 || d <= a - below);
        assert_true(d <= above - a);
        if (h && d == a - below)
            assert_int_equal(h & 1, 0);
        if (d == above - a)
            assert_int_equal(h & 1, 0);
    }
}

TEST_MAIN(TEST(functions), TEST(powers), TEST(halves))
