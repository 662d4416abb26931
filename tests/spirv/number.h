/* number.h - floats of 16, 32 and 64 bits as their bits and back, without the code of weft. */
#ifndef WEFT_TESTS_SPIRV_NUMBER_H
#define WEFT_TESTS_SPIRV_NUMBER_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline double float_of(uint64_t bits, unsigned width)
{
    double d;
    if (width == 64) {
        memcpy(&d, &bits, sizeof d);
        return d;
    }
    unsigned mantissa = width == 32 ? 23 : 10, most = width == 32 ? 255 : 31;
    uint64_t part = bits & (((uint64_t)1 << mantissa) - 1);
    unsigned exponent = (unsigned)(bits >> mantissa) & most;
    int bias = (int)most / 2 + (int)mantissa;
    if (exponent == most)
        d = part ? (double)NAN : (double)INFINITY;
    else if (exponent == 0)
        d = ldexp((double)part, 1 - bias);
    else
        d = ldexp((double)(part | (uint64_t)1 << mantissa), (int)exponent - bias);
    return bits >> (width - 1) & 1 ? -d : d;
}

/* To nearest, ties to even; from a number that is exact, or precise enough that rounding it twice is the same. */
static inline uint64_t float_bits(long double v, unsigned width)
{
    if (width == 64) {
        double d = (double)v;
        uint64_t bits;
        memcpy(&bits, &d, sizeof bits);
        return bits;
    }
    unsigned mantissa = width == 32 ? 23 : 10, most = width == 32 ? 255 : 31;
    int least = 2 - (int)most / 2 - 1 - (int)mantissa; /* exponent of the smallest denormal */
    uint64_t sign = signbit(v) ? (uint64_t)1 << (width - 1) : 0, infinity = (uint64_t)most << mantissa;
    if (isnan(v))
        return infinity | (uint64_t)1 << (mantissa - 1);
    v = fabsl(v);
    if (isinf(v))
        return sign | infinity;
    if (v == 0)
        return sign;
    int exponent = ilogbl(v) - (int)mantissa;
    exponent = exponent < least ? least : exponent;
    uint64_t whole = (uint64_t)llrintl(ldexpl(v, -exponent)), low = (uint64_t)1 << mantissa;
    if (whole >= 2 * low) {
        whole /= 2;
        exponent++;
    }
    uint64_t bits = whole < low ? whole : (((uint64_t)(exponent - least) + 1) << mantissa) + (whole - low);
    return sign | (bits < infinity ? bits : infinity);
}

static inline int64_t signed_of(uint64_t bits, unsigned width)
{
    return width == 64 ? (int64_t)bits : (int64_t)(bits << (64 - width)) >> (64 - width);
}

static inline uint64_t cut_to(uint64_t bits, unsigned width)
{
    return width == 64 ? bits : bits & (((uint64_t)1 << width) - 1);
}

#endif
