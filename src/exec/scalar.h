/* scalar.h - what component-wise ops do to one lane, where it takes more than an expression: plain C that compilers
 * turn into vector code, the same bits on every host. */
#ifndef WEFT_EXEC_SCALAR_H
#define WEFT_EXEC_SCALAR_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/fmath.h"

#ifdef __SSE4_1__
static inline float rint_rne32(float x) { return __builtin_nearbyintf(x); }
static inline float rint_rtz32(float x) { return __builtin_truncf(x); }
static inline float rint_rup32(float x) { return __builtin_ceilf(x); }
static inline float rint_rdn32(float x) { return __builtin_floorf(x); }
static inline double rint_rne64(double x) { return __builtin_nearbyint(x); }
static inline double rint_rtz64(double x) { return __builtin_trunc(x); }
static inline double rint_rup64(double x) { return __builtin_ceil(x); }
static inline double rint_rdn64(double x) { return __builtin_floor(x); }
#else
/* Adding and taking away 2^23 (2^52) rounds to an integer; the sign is put back for zeros. */
static inline float rint_rne32(float x)
{
    uint32_t sign = f32_bits(x) & 0x80000000u;
    float a = f32_from(f32_bits(x) ^ sign);
    float t = (a + 0x1p23f) - 0x1p23f;
    return a < 0x1p23f ? f32_from(f32_bits(t) | sign) : x;
}
static inline float rint_rdn32(float x)
{
    float t = rint_rne32(x);
    float r = t > x ? t - 1.0f : t;
    return f32_from(f32_bits(r) | (f32_bits(x) & 0x80000000u));
}
static inline float rint_rup32(float x)
{
    return f32_from(f32_bits(rint_rdn32(f32_from(f32_bits(x) ^ 0x80000000u))) ^ 0x80000000u);
}
static inline float rint_rtz32(float x)
{
    uint32_t sign = f32_bits(x) & 0x80000000u;
    return f32_from(f32_bits(rint_rdn32(f32_from(f32_bits(x) ^ sign))) | sign);
}
static inline double rint_rne64(double x)
{
    uint64_t sign = f64_bits(x) & (uint64_t)1 << 63;
    double a = f64_from(f64_bits(x) ^ sign);
    double t = (a + 0x1p52) - 0x1p52;
    return a < 0x1p52 ? f64_from(f64_bits(t) | sign) : x;
}
static inline double rint_rdn64(double x)
{
    double t = rint_rne64(x);
    double r = t > x ? t - 1.0 : t;
    return f64_from(f64_bits(r) | (f64_bits(x) & (uint64_t)1 << 63));
}
static inline double rint_rup64(double x)
{
    return f64_from(f64_bits(rint_rdn64(f64_from(f64_bits(x) ^ (uint64_t)1 << 63))) ^ (uint64_t)1 << 63);
}
static inline double rint_rtz64(double x)
{
    uint64_t sign = f64_bits(x) & (uint64_t)1 << 63;
    return f64_from(f64_bits(rint_rdn64(f64_from(f64_bits(x) ^ sign))) | sign);
}
#endif

/* Ties away from zero: what truncation leaves is exact. */
static inline float rint_rna32(float x)
{
    float t = rint_rtz32(x), rest = f32_from(f32_bits(x - t) & 0x7fffffff);
    float step = f32_from(0x3f800000u | (f32_bits(x) & 0x80000000u));
    return rest >= 0.5f && rest < 1.0f ? t + step : t;
}
static inline double rint_rna64(double x)
{
    double t = rint_rtz64(x), rest = f64_from(f64_bits(x - t) & ~((uint64_t)1 << 63));
    double step = f64_from(0x3ff0000000000000u | (f64_bits(x) & (uint64_t)1 << 63));
    return rest >= 0.5 && rest < 1.0 ? t + step : t;
}

/* min(max(x, y), z) where unordered gives the second operand. */
static inline float clamp_sec32(float x, float y, float z)
{
    float v = x > y ? x : y;
    return v < z ? v : z;
}

static inline float fma32(float x, float y, float z) { return __builtin_fmaf(x, y, z); }

static inline uint32_t popcount32(uint32_t x)
{
    x -= (x >> 1) & 0x55555555;
    x = (x & 0x33333333) + ((x >> 2) & 0x33333333);
    return (((x + (x >> 4)) & 0x0f0f0f0f) * 0x01010101) >> 24;
}

static inline uint32_t clz32(uint32_t x)
{
    x |= x >> 1;
    x |= x >> 2;
    x |= x >> 4;
    x |= x >> 8;
    x |= x >> 16;
    return popcount32(~x);
}

static inline uint32_t ctz32(uint32_t x) { return popcount32(~x & (x - 1)); }

static inline uint32_t bitrev32(uint32_t x)
{
    x = (x >> 16) | (x << 16);
    x = ((x >> 8) & 0x00ff00ff) | ((x & 0x00ff00ff) << 8);
    x = ((x >> 4) & 0x0f0f0f0f) | ((x & 0x0f0f0f0f) << 4);
    x = ((x >> 2) & 0x33333333) | ((x & 0x33333333) << 2);
    return ((x >> 1) & 0x55555555) | ((x & 0x55555555) << 1);
}

/* 32-bit quotients are exact through doubles. */
static inline uint32_t div_u32(uint32_t x, uint32_t y)
{
    uint32_t q = (uint32_t)(int64_t)((double)x / (double)(y ? y : 1));
    return y ? q : ~0u;
}
static inline uint32_t rem_u32(uint32_t x, uint32_t y) { return y ? x - div_u32(x, y) * y : ~0u; }
static inline int32_t div_s32(int32_t x, int32_t y)
{
    int32_t q = (int32_t)(int64_t)((double)x / (double)(y ? y : 1));
    return y ? q : -1;
}
static inline int32_t rem_s32(int32_t x, int32_t y)
{
    return y ? (int32_t)((uint32_t)x - (uint32_t)div_s32(x, y) * (uint32_t)y) : -1;
}

static inline float ldexp32(float x, int32_t n)
{
    n = n > 400 ? 400 : n < -400 ? -400 : n;
    return (float)((double)x * f64_from((uint64_t)(1023 + (int64_t)n) << 52));
}
static inline double ldexp64(double x, int32_t n)
{
    return __builtin_ldexp(x, n > 5000 ? 5000 : n < -5000 ? -5000 : n);
}

static inline float frexp_mant32(float x)
{
    uint64_t u = f64_bits((double)x);
    float m = (float)f64_from((u & 0x800fffffffffffffu) | 0x3fe0000000000000u);
    uint32_t a = f32_bits(x) & 0x7fffffff;
    return a == 0 || a >= 0x7f800000 ? x : m;
}
static inline int32_t frexp_exp32(float x)
{
    int32_t e = (int32_t)(f64_bits((double)x) >> 52 & 0x7ff) - 1022;
    uint32_t a = f32_bits(x) & 0x7fffffff;
    return a == 0 || a >= 0x7f800000 ? 0 : e;
}
static inline double frexp_mant64(double x)
{
    int e;
    return x != x || x - x != 0 ? x : __builtin_frexp(x, &e);
}
static inline int32_t frexp_exp64(double x)
{
    int e = 0;
    if (x == x && x - x == 0)
        __builtin_frexp(x, &e);
    return e;
}

static inline int32_t f2s32_clamp(float x)
{
    bool in = x >= -0x1p31f && x < 0x1p31f;
    int32_t v = (int32_t)(in ? x : 0.0f);
    return in ? v : x >= 0x1p31f ? INT_MAX : x != x ? 0 : INT_MIN;
}
static inline int32_t f2s32_x86(float x)
{
    bool in = x >= -0x1p31f && x < 0x1p31f;
    int32_t v = (int32_t)(in ? x : 0.0f);
    return in ? v : INT_MIN;
}
static inline uint32_t f2u32_clamp(float x)
{
    bool in = x > 0.0f && x < 0x1p32f;
    /* the upper half goes through a signed conversion that every host has */
    bool high = x >= 0x1p31f;
    float y = in ? (high ? x - 0x1p31f : x) : 0.0f;
    uint32_t v = (uint32_t)(int32_t)y ^ (in && high ? 0x80000000u : 0);
    return x >= 0x1p32f ? ~0u : v;
}
static inline int64_t d2sl_x86(double x)
{
    bool in = x >= -0x1p63 && x < 0x1p63;
    return in ? (int64_t)x : INT64_MIN;
}
static inline int64_t d2sl_clamp(double x) { return x >= 0x1p63 ? INT64_MAX : x != x ? 0 : d2sl_x86(x); }
static inline uint64_t d2ul_clamp(double x)
{
    bool high = x >= 0x1p63;
    uint64_t v = x > 0.0 ? (uint64_t)d2sl_x86(high ? x - 0x1p63 : x) ^ (high ? (uint64_t)1 << 63 : 0) : 0;
    return x >= 0x1p64 ? UINT64_MAX : v;
}
/* The low word of the integer part, however large: beyond 2^63 the significand shifted left. */
static inline uint32_t d2u32_wrap(double x)
{
    uint64_t u = f64_bits(x);
    int e = (int)(u >> 52 & 0x7ff) - 1075;
    uint32_t mantissa = (uint32_t)u; /* its upper bits, the leading one too, are shifted out */
    uint32_t big = e < 32 && e > 0 ? mantissa << e : 0;
    bool near = x > -0x1p63 && x < 0x1p63;
    return near ? (uint32_t)(int64_t)x : u >> 63 ? 0 - big : big;
}
static inline uint32_t f2u32_wrap(float x) { return (uint32_t)d2sl_x86((double)x); }
static inline uint32_t f2u32_x86(float x)
{
    bool in = x > -1.0f && x < 0x1p32f;
    return in ? f2u32_clamp(x) : 0x80000000u;
}
static inline int32_t d2s32_clamp(double x)
{
    bool in = x > -2147483649.0 && x < 2147483648.0;
    int32_t v = (int32_t)(in ? x : 0.0);
    return in ? v : x >= 2147483648.0 ? INT_MAX : x != x ? 0 : INT_MIN;
}
static inline int32_t d2s32_x86(double x)
{
    bool in = x > -2147483649.0 && x < 2147483648.0;
    int32_t v = (int32_t)(in ? x : 0.0);
    return in ? v : INT_MIN;
}
static inline uint32_t d2u32_clamp(double x)
{
    return x >= 4294967296.0 ? ~0u : x > 0.0 ? (uint32_t)(int64_t)x : 0;
}

#endif
