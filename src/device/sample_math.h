/* sample_math.h - the arithmetic that all texture sampling shares, lane by lane or in rows: the same f32 operations in
 * the same order, so that results are the same bits. */
#ifndef WEFT_DEVICE_SAMPLE_MATH_H
#define WEFT_DEVICE_SAMPLE_MATH_H

#include "device/texture.h"

#include <string.h>

/* Positions in texels are limited to this on both sides of 0. */
#define SAMPLE_MAX_POSITION 4194304.0f

/* floor for |x| < 2^31: SSE2 has no rounding instruction, and this is the same everywhere. */
static inline float floor_small(float x)
{
    float t = (float)(int32_t)x;
    return t - (t > x ? 1.0f : 0.0f);
}

static inline float clampf(float x, float low, float high)
{
    x = x > low ? x : low; /* NaN: low */
    return x < high ? x : high;
}

static inline bool wrap_sees_border(weft_wrap mode)
{
    return mode == WEFT_WRAP_CLAMP || mode == WEFT_WRAP_CLAMP_TO_BORDER || mode == WEFT_WRAP_MIRROR_CLAMP ||
           mode == WEFT_WRAP_MIRROR_CLAMP_TO_BORDER;
}

/* Texels are mirrored, not positions: a position between texels -3 and -2 belongs to -2, which is texel 1. */
static inline float mirrored(float f)
{
    return f < 0.0f ? -1.0f - f : f;
}

/* f modulo size for integers |f| <= 2^23: off by at most one period before the corrections. */
static inline float modulo(float f, float size)
{
    float r = f - floor_small(f / size) * size;
    r = r < 0.0f ? r + size : r;
    return r >= size ? r - size : r;
}

static inline float lerp(float a, float b, float weight)
{
    return a + weight * (b - a);
}

/* A weight between mip levels is 0 from here down, so that divided_by_255 has no product without its last bits. */
#define SAMPLE_LEAST_MIP_WEIGHT 0x1p-40f

static inline float mip_weight(float weight)
{
    return weight >= SAMPLE_LEAST_MIP_WEIGHT ? weight : 0.0f;
}

/* Whether a sampler makes numbers of texels; else they keep their bits. */
static inline bool sampler_mixes(const weft_sampler *s)
{
    return s->mag_filter == WEFT_LINEAR || s->min_filter == WEFT_LINEAR || s->mip_filter == WEFT_MIP_LINEAR ||
           s->max_anisotropy > 1.0f;
}

/* What was made of texels: every NaN is the one that programs' arithmetic makes (IR_NAN_X86). */
static inline float one_nan(float x)
{
    const uint32_t nan = 0xffc00000;
    float is;
    memcpy(&is, &nan, sizeof is);
    return x == x ? x : is;
}

/* 1 / 255 as the sum of two floats: to 52 bits. */
#define SAMPLE_255TH (1.0f / 255.0f)
#define SAMPLE_255TH_REST ((float)(1.0 / 255.0 - (double)SAMPLE_255TH))

/* x / 255, correctly rounded, for 0 and finite x from 2^-93 on (or below -2^-93). Where the host fuses products with
 * sums, it is the product by a number within 2^-47 of 1 / 255: no quotient of a float by 255 is nearer than 2^-34 of
 * itself to the middle between two floats, and none is in the middle, because 255 is odd. */
static inline float divided_by_255(float x)
{
#if defined(__FMA__)
    return __builtin_fmaf(x, SAMPLE_255TH, x * SAMPLE_255TH_REST);
#else
    return x / 255.0f;
#endif
}

/* log2 of x >= 0 for levels of detail: x is rounded to a significand of 9 bits first, as Mesa's table of 256 logarithms
 * has it, so that trilinear weights are comparable with softpipe's; then within 2^-20. Exact for powers of two; 0 and
 * denormals give -127, infinity 128. The series is of atanh((m - 1) / (m + 1)) for a significand m in sqrt(1/2) ..
 * sqrt(2). */
static inline float log2_lod(float x)
{
    int32_t bits;
    memcpy(&bits, &x, 4);
    bits &= 0x7fffffff; /* of a NaN, whose sign is nobody's to see */
    bits = bits > 0x7f800000 ? 0x7f800000 : bits; /* NaN as infinity */
    bits = (bits + (1 << 14)) & ~0x7fff;
    int32_t above = (bits & 0x7fffff) >= 0x3504f3; /* sqrt(2) */
    int32_t exponent = (bits >> 23) - 127 + above;
    int32_t mbits = (bits & 0x7fffff) | (above ? 0x3f000000 : 0x3f800000);
    float m;
    memcpy(&m, &mbits, 4);
    float t = (m - 1.0f) / (m + 1.0f), t2 = t * t;
    float series = t * (2.885390082f + t2 * (0.961796694f + t2 * (0.577078016f + t2 * 0.412198583f)));
    float r = (float)exponent + series;
    r = bits < 0x00800000 ? -127.0f : r;
    return bits >= 0x7f800000 ? 128.0f : r;
}

static inline float larger(float a, float b)
{
    return a > b ? a : b; /* NaN in a: b */
}

static inline float magnitude(float a)
{
    return a < 0.0f ? -a : a;
}

/* EXT_texture_filter_anisotropic: how many samples, 1 to the most that are wanted, a filter takes along the longer edge
 * of a footprint; `longest` and `shortest` are the squared lengths of its edges in texels. It is one, and one more for
 * each n from 1 to one below the most for which anisotropic_more holds. A footprint that is not longer than a texel is
 * sampled once. */
enum { SAMPLE_MAX_ANISOTROPY = 16 };

static inline float anisotropic_more(float longest, float shortest, float n)
{
    return longest > 1.0f ? n * n * shortest < longest ? 1.0f : 0.0f : 0.0f;
}

/* The level of detail for them. */
static inline float anisotropic_lod(float longest, float count)
{
    return 0.5f * log2_lod(longest / (count * count));
}

/* Where sample n of `count` is along that edge, -1/2 to 1/2. */
static inline float anisotropic_place(float n, float count)
{
    return (n + 1.0f) / (count + 1.0f) - 0.5f;
}

#endif
