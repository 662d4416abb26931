/* alu_float.h - f32 add, multiply, multiply-add and saturation as the chip does them: denormals count as zero and
 * become zero, every NaN is 7fffffff, and only a multiply-add is neither rounded once nor twice (envytools' models).
 *
 * All of it is done in double: sums and products of two 24-bit numbers, rounded to 53 bits and then to 24, are those
 * rounded once, and there is room below the least normal number. */
#ifndef WEFT_ISA_TESLA_ALU_FLOAT_H
#define WEFT_ISA_TESLA_ALU_FLOAT_H

#include "isa/tesla/alu.h"
#include "isa/tesla/tesla.h"

#include <math.h>
#include <string.h>

#define LEAST 0x1p-126
#define LARGEST 0x1.fffffep127

static inline double from_bits(uint32_t x)
{
    float f;
    x = x & 0x7f800000u ? x : x & 0x80000000u; /* denormals are zeros */
    memcpy(&f, &x, sizeof f);
    return f;
}

static inline uint32_t to_bits(double v)
{
    float f = (float)v;
    uint32_t x;
    memcpy(&x, &f, sizeof x);
    return x;
}

/* The 24 high bits of a number. */
static inline double cut(double v)
{
    uint64_t x;
    memcpy(&x, &v, sizeof x);
    x &= ~UINT64_C(0x1fffffff);
    memcpy(&v, &x, sizeof v);
    return v;
}

/* To f32, to nearest; `least` is where numbers begin that round up to the least normal one instead of down to zero. */
static inline uint32_t round_near(double v, double least)
{
    double magnitude = fabs(v);
    uint32_t sign = signbit(v) ? 0x80000000u : 0;
    uint32_t x = magnitude < LEAST ? (magnitude < least ? sign : sign | 0x00800000u) : to_bits(v);
    return isnan(v) ? TESLA_NAN : x;
}

/* A number below the least normal one rounds to it from half a 24-bit step below on. */
#define NEAR_LEAST (0x1p-126 - 0x1p-151)

/* To f32, towards zero. */
static inline uint32_t round_zero(double v)
{
    double magnitude = fabs(v);
    uint32_t sign = signbit(v) ? 0x80000000u : 0;
    if (isnan(v))
        return TESLA_NAN;
    if (magnitude < LEAST)
        return sign;
    if (magnitude > LARGEST && !isinf(v))
        return sign | 0x7f7fffffu;
    return to_bits(cut(v));
}

static inline uint32_t saturate(uint32_t x, uint64_t how)
{
    uint32_t magnitude = x & 0x7fffffffu;
    if (magnitude > 0x7f800000u)
        return how & TESLA_HOW_SAT_NAN ? 0 : TESLA_NAN;
    if (x >> 31)
        return 0;
    return magnitude > 0x3f800000u ? 0x3f800000u : x;
}

static inline bool is_nan(uint32_t x)
{
    return (x & 0x7fffffffu) > 0x7f800000u;
}

/* Saturation at the end of an operation; any_nan: one of its operands was NaN. */
static inline uint32_t finish(uint32_t x, uint64_t how, bool any_nan)
{
    if (!(how & TESLA_HOW_SAT))
        return x;
    if ((how & TESLA_HOW_SAT_NAN_INPUT) && !any_nan)
        how &= ~(uint64_t)TESLA_HOW_SAT_NAN;
    return saturate(x, how);
}

static inline uint32_t add(uint32_t a, uint32_t b, uint64_t how)
{
    double x = from_bits(a), y = from_bits(b), sum = x + y;
    if ((how & TESLA_HOW_ROUND) == TESLA_RN)
        return finish(round_near(sum, NEAR_LEAST), how, is_nan(a) || is_nan(b));
    /* What the sum lost when it was rounded to 53 bits: if that took it away from zero, it is just below. */
    double lost = (x - (sum - (sum - x))) + (y - (sum - x));
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    if (isfinite(sum) && sum != 0 && lost != 0 && (lost < 0) != (sum < 0)) {
        bits--;
        memcpy(&sum, &bits, sizeof sum);
    }
    return finish(round_zero(sum), how, is_nan(a) || is_nan(b));
}

static inline uint32_t mul(uint32_t a, uint32_t b, uint64_t how)
{
    double x = from_bits(a), y = from_bits(b);
    if ((how & TESLA_HOW_ZERO_WINS) && (x == 0 || y == 0))
        return finish(0, how, false);
    double product = x * y; /* exact */
    uint32_t result = (how & TESLA_HOW_ROUND) == TESLA_RN ? round_near(product, NEAR_LEAST) : round_zero(product);
    return finish(result, how, is_nan(a) || is_nan(b));
}

static inline uint32_t mad(uint32_t a, uint32_t b, uint32_t c, uint64_t how)
{
    double x = from_bits(a), y = from_bits(b), z = from_bits(c);
    bool zero = x == 0 || y == 0;
    double product = how & TESLA_HOW_ZERO_WINS && zero ? 0.0 : x * y;
    double sum = cut(product) + z;
    /* Numbers below the least normal one are shifted to where it is before they are rounded, so that all 24 ones and
     * anything after them round up to it. */
    uint32_t result = round_near(sum, 0x1p-126 - 0x1p-150);
    if (z == 0) /* as mul and add, each rounded to nearest */
        result = round_near(from_bits(round_near(product, NEAR_LEAST)) + z, NEAR_LEAST);
    if ((how & TESLA_HOW_SAT) && (how & TESLA_HOW_SAT_NAN) && (is_nan(a) || is_nan(b)))
        return 0; /* even where the other factor is a zero that wins */
    return finish(result, how, is_nan(a) || is_nan(b) || is_nan(c));
}

#endif
