/* half.h - halves for oracles: exact values, and numbers rounded to eleven bits, ties to even. */
#ifndef WEFT_TESTS_ROGUE_HALF_H
#define WEFT_TESTS_ROGUE_HALF_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum { HALF_NAN = 0x7fff, HALF_INFINITE = 0x7c00, HALF_ONE = 0x3c00 };

static inline bool half_is_nan(uint16_t h)
{
    return (h & 0x7fff) > HALF_INFINITE;
}

static inline double half_value(uint16_t h)
{
    unsigned exponent = h >> 10 & 31, fraction = h & 1023;
    double v = exponent == 31 ? fraction ? NAN : INFINITY
                              : ldexp(exponent ? fraction + 1024.0 : fraction, exponent ? (int)exponent - 25 : -24);
    return h >> 15 ? -v : v;
}

static inline uint16_t half_rounded(double v)
{
    uint16_t sign = signbit(v) ? 0x8000 : 0;
    int exponent;
    if (v != v)
        return HALF_NAN;
    v = fabs(v);
    if (v >= 65520)
        return sign | HALF_INFINITE;
    frexp(v, &exponent);
    exponent = exponent < -13 ? -13 : exponent;        /* denormals share the least exponent */
    double units = nearbyint(ldexp(v, 11 - exponent)); /* the unit is 2^(exponent - 11) */
    return (uint16_t)(sign | (v == 0 ? 0 : (uint32_t)units + ((uint32_t)(exponent + 13) << 10)));
}

#endif
