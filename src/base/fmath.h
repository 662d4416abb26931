/* fmath.h - the float functions of lane IR: one definition, the same bits everywhere.
 *
 * Everything is made of IEEE additions, multiplications, divisions and integer operations, computed in
 * double and rounded once to f32, without tables or branches that depend on the value (the far ranges of
 * sine and cosine aside), so that compilers turn a loop over lanes into vector code and every vector width
 * gives the same bits. Polynomials are interpolations through Chebyshev nodes; the error before the final
 * rounding is below 2^-37, so that results are within 0.501 ulp of exact.
 *
 * Functions of one f32 fuse products with sums where the host does that in one instruction: exp2, log2, sine and
 * cosine. Each of the 2^32 arguments gives the same f32 with and without that, which tests/exec/test_fused.c tries: the
 * doubles differ in their last bits, but no f32 lies between them. A power has too many arguments to try, and is never
 * fused. */
#ifndef WEFT_BASE_FMATH_H
#define WEFT_BASE_FMATH_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t f32_bits(float x)
{
    union {
        float f;
        uint32_t u;
    } v = {.f = x};
    return v.u;
}

static inline float f32_from(uint32_t u)
{
    union {
        uint32_t u;
        float f;
    } v = {.u = u};
    return v.f;
}

static inline uint64_t f64_bits(double x)
{
    union {
        double f;
        uint64_t u;
    } v = {.f = x};
    return v.u;
}

static inline double f64_from(uint64_t u)
{
    union {
        uint64_t u;
        double f;
    } v = {.u = u};
    return v.f;
}

static const double fmath_shift = 0x1.8p52; /* adding it rounds to an integer and leaves that in the low bits */

enum fmath_rounding {
    FMATH_TWICE, /* products and sums are rounded */
    FMATH_FUSED, /* one rounding for both, where the host has it */
};

/* a * b + c. */
static inline double fmath_add_product(enum fmath_rounding how, double a, double b, double c)
{
#if defined(__FMA__)
    if (how == FMATH_FUSED)
        return __builtin_fma(a, b, c);
#endif
    (void)how;
    return a * b + c;
}

/* 2^d as a double for |d| <= 1000; NaN for NaN. */
static inline double fmath_exp2_core(double d, enum fmath_rounding how)
{
    const double shift = fmath_shift + 1023.0; /* so that the exponent is in t's low bits */
    double t = d + shift;
    double r = d - (t - shift);
    double scale = f64_from(f64_bits(t) << 52);
    double p = 0x1.63d136366db24p-20;
    p = fmath_add_product(how, p, r, 0x1.00dc4a532fb8ep-16);
    p = fmath_add_product(how, p, r, 0x1.4308ac85aa947p-13);
    p = fmath_add_product(how, p, r, 0x1.5d8745a728441p-10);
    p = fmath_add_product(how, p, r, 0x1.3b2ab7181b755p-7);
    p = fmath_add_product(how, p, r, 0x1.c6b08dd6fd234p-5);
    p = fmath_add_product(how, p, r, 0x1.ebfbdff823cedp-3);
    p = fmath_add_product(how, p, r, 0x1.62e42fef84cf0p-1);
    p = fmath_add_product(how, p, r, 1.0);
    return p * scale;
}

/* log2 of a positive, finite, normal double. */
static inline double fmath_log2_core(double d, enum fmath_rounding how)
{
    /* d = 2^e * m with m in [sqrt(1/2), sqrt(2)) */
    uint64_t u = f64_bits(d) - 0x3fe6a09e667f3bcdu + ((uint64_t)1024 << 52);
    double e = f64_from((u >> 52) | 0x4330000000000000u) - (0x1p52 + 1024.0);
    double m = f64_from(f64_bits(d) - (u & 0xfff0000000000000u) + ((uint64_t)1024 << 52));
    double s = (m - 1.0) / (m + 1.0), v = s * s;
    double p = 0x1.b594042f590e9p-3;
    p = fmath_add_product(how, p, v, 0x1.c46df723fd2ebp-3);
    p = fmath_add_product(how, p, v, 0x1.0ca160eda205bp-2);
    p = fmath_add_product(how, p, v, 0x1.484afb77d8797p-2);
    p = fmath_add_product(how, p, v, 0x1.a61762d699b46p-2);
    p = fmath_add_product(how, p, v, 0x1.2776c50ee39a4p-1);
    p = fmath_add_product(how, p, v, 0x1.ec709dc3a047dp-1);
    p = fmath_add_product(how, p, v, 0x1.71547652b82fep+1);
    return fmath_add_product(how, s, p, e);
}

static inline float fmath_exp2(float x)
{
    x = x > 200.0f ? 200.0f : x;
    x = x < -200.0f ? -200.0f : x;
    return (float)fmath_exp2_core(x, FMATH_FUSED);
}

static inline float fmath_log2(float x)
{
    float inf = f32_from(0x7f800000);
    bool usual = x > 0.0f && x < inf;
    float r = (float)fmath_log2_core(usual ? (double)x : 1.0, FMATH_FUSED);
    float odd = x == 0.0f ? -inf : x == inf ? inf : x != x ? x : f32_from(0x7fc00000);
    return usual ? r : odd;
}

/* C's powf: pow(x, 0) and pow(1, y) are 1, negative bases need integral exponents. */
static inline float fmath_pow(float x, float y)
{
    uint32_t ax = f32_bits(x) & 0x7fffffff, ay = f32_bits(y) & 0x7fffffff;
    bool zero = ax == 0, big = ax >= 0x7f800000;
    double l = fmath_log2_core((zero | big) ? 1.0 : (double)f32_from(ax), FMATH_TWICE);
    double z = l * (double)y;
    /* 0 and infinity have logarithms of their own */
    double zy = y > 0.0f ? 1000.0 : -1000.0;
    z = zero ? -zy : z;
    z = ax == 0x7f800000 ? zy : z;
    z = ax == 0x3f800000 ? 0.0 : z;
    z = z > 200.0 ? 200.0 : z;
    z = z < -200.0 ? -200.0 : z;
    float r = (float)fmath_exp2_core(z, FMATH_TWICE);
    /* integral exponents, and odd ones: adding 2^23 to |y| (or to |y|/2) rounds away what is after the point;
     * from 2^24 on every float is an even integer */
    float fy = f32_from(ay), half = fy * 0.5f;
    float whole = fy < 0x1p23f ? (fy + 0x1p23f) - 0x1p23f : fy;
    float half_whole = half < 0x1p23f ? (half + 0x1p23f) - 0x1p23f : half;
    uint32_t integral = whole == fy ? ~0u : 0, even = half_whole == half ? ~0u : 0;
    uint32_t negative = (uint32_t)((int32_t)f32_bits(x) >> 31);
    uint32_t plain_base = (zero | big) ? 0 : ~0u;
    r = f32_from(f32_bits(r) ^ (negative & integral & ~even & 0x80000000u));
    r = (negative & ~integral & plain_base) ? f32_from(0x7fc00000) : r;
    r = ((x != x) | (y != y)) ? x + y : r;
    r = ((ay == 0) | (x == 1.0f)) ? 1.0f : r;
    return r;
}

/* ---- sine and cosine ----
 * r = x - k * pi with k the nearest integer, of a cosine the nearest half of an odd one: the sine of r, or minus it.
 * pi is split into a part of 31 bits, whose product with k is exact while |k| < 2^21, and the rest. Larger arguments
 * are reduced with the bits of 2/pi. */

static const float fmath_far = 0x1p20f; /* from here on reduction needs fmath_reduce_far */

/* The far reduction: x = m * 2^e, so the quadrant is in a window of 2/pi * m. Exact to 2^-63 of a quadrant. */
static inline double fmath_reduce_far(float x, uint32_t *quadrant)
{
    static const uint32_t two_over_pi[] = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0,
                                           0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561, 0xb7246e3a};
    uint32_t u = f32_bits(x) & 0x7fffffff;
    int e = (int)(u >> 23) - 127 - 23;              /* x = m * 2^e, e from -3 to 104 */
    uint64_t m = (u & 0x7fffff) | 0x800000;
    unsigned skip = (unsigned)(e + 32) / 32, bit = (unsigned)(e + 32) % 32;
    /* 128 bits of 2/pi from the word that holds weight 2^-e on; higher words only give multiples of 4 quadrants */
    uint64_t f[4];
    for (unsigned i = 0; i < 4; i++) {
        uint64_t high = skip - 1 + i < 10 ? two_over_pi[skip - 1 + i] : 0;
        uint64_t next = skip + i < 10 ? two_over_pi[skip + i] : 0;
        f[i] = ((high << 32 | next) << bit) >> 32;
    }
    /* the product, 32 bits of quadrants before the point and 96 after it */
    uint64_t p3 = m * f[3], p2 = m * f[2] + (p3 >> 32), p1 = m * f[1] + (p2 >> 32), p0 = m * f[0] + (p1 >> 32);
    uint64_t fixed = (p0 << 32) | (p1 & 0xffffffff);
    uint64_t low = p2 & 0xffffffff;
    uint64_t q = (fixed + 0x80000000u) >> 32;
    int64_t frac = (int64_t)(fixed - (q << 32)); /* -2^31 .. 2^31, units of 2^-32 */
    double r = ((double)frac + (double)low * 0x1p-32) * 0x1p-32 * 0x1.921fb54442d18p0;
    bool negative = f32_bits(x) >> 31;
    *quadrant = negative ? (uint32_t)-q : (uint32_t)q;
    return negative ? -r : r;
}

/* Of half a turn: |r| <= pi/2. The error is 2^-43.8 of the sine. */
static inline double fmath_sin_poly(double r, enum fmath_rounding how)
{
    double v = r * r;
    double p = 0x1.52ace1b0688a6p-33;
    p = fmath_add_product(how, p, v, -0x1.ae00fcf69e436p-26);
    p = fmath_add_product(how, p, v, 0x1.71dce5a9d7545p-19);
    p = fmath_add_product(how, p, v, -0x1.a019fce967168p-13);
    p = fmath_add_product(how, p, v, 0x1.111111090ed51p-7);
    p = fmath_add_product(how, p, v, -0x1.5555555540b89p-3);
    p = p * v + 0x1.ffffffffffdcep-1; /* fused it would change two sines */
    return p * r;
}

/* sin(x + turns * pi/2) for |x| < fmath_far and turns 0 or 1; anything for others. The sine of -0 is -0. */
static inline float fmath_sin_near(float x, uint32_t turns)
{
    const double part = 0x1.45f306dc9c883p-2; /* 1 / pi */
    double half = turns ? 0.5 : 0.0, d = x;
    double t = turns ? fmath_add_product(FMATH_FUSED, d, part, half) + fmath_shift
                     : fmath_add_product(FMATH_FUSED, d, part, fmath_shift);
    double k = (t - fmath_shift) - half;
    double r = fmath_add_product(FMATH_FUSED, k, -0x1.921fb54400000p+1, d);
    r = fmath_add_product(FMATH_FUSED, k, -0x1.0b4611a626331p-33, r);
    return (float)f64_from(f64_bits(fmath_sin_poly(r, FMATH_FUSED)) ^ (f64_bits(t) << 63));
}

static inline float fmath_sin_far(float x, uint32_t turns)
{
    if ((f32_bits(x) & 0x7fffffff) >= 0x7f800000)
        return x - x;
    uint32_t q;
    double r = fmath_reduce_far(x, &q);
    q += turns;
    if (q & 1) /* a cosine */
        r = 0x1.921fb54442d18p0 - (r < 0.0 ? -r : r);
    double s = fmath_sin_poly(r, FMATH_TWICE);
    return (float)((q & 2) ? -s : s);
}

static inline bool fmath_is_far(float x)
{
    return !(x > -fmath_far && x < fmath_far);
}

static inline float fmath_sin(float x)
{
    return fmath_is_far(x) ? fmath_sin_far(x, 0) : fmath_sin_near(x, 0);
}

static inline float fmath_cos(float x)
{
    return fmath_is_far(x) ? fmath_sin_far(x, 1) : fmath_sin_near(x, 1);
}

/* ---- halves ---- */

/* f32 to f16 bits, ties to even, overflow to infinity, denormals kept, NaN quieted with its top payload bits. */
static inline uint32_t f16_from_f32(float x)
{
    uint32_t u = f32_bits(x), sign = (u >> 16) & 0x8000, a = u & 0x7fffffff;
    uint32_t normal = (a - 0x38000000u + 0xfff + ((a >> 13) & 1)) >> 13;
    /* below 2^-14: adding 0.5 leaves the half's denormal, correctly rounded, in the low bits */
    uint32_t denormal = f32_bits(f32_from(a) + 0.5f) - 0x3f000000u;
    uint32_t r = a < 0x38800000u ? denormal : normal;
    r = a >= 0x477ff000u ? 0x7c00 : r;
    r = a > 0x7f800000u ? (0x7e00 | ((a >> 13) & 0x3ff)) : r;
    return sign | r;
}

/* f16 bits to f32, exact; NaN payloads move up. */
static inline float f16_to_f32(uint32_t h)
{
    uint32_t sign = (h & 0x8000) << 16, a = (h & 0x7fff) << 13;
    float normal = f32_from(a + 0x38000000u);
    float denormal = f32_from(a + 0x38800000u) - f32_from(0x38800000u);
    uint32_t r = (h & 0x7c00) == 0 ? f32_bits(denormal) : f32_bits(normal);
    r = (h & 0x7c00) == 0x7c00 ? (a | 0x7f800000u) : r;
    return f32_from(sign | r);
}

#endif
