/* rounding.h - f16 and f32 arithmetic in every rounding direction, with denormal results flushed or kept. Plain C
 * without branches that depend on values, so that compilers turn loops over lanes into vector code.
 *
 * A result is made in the next wider type, exactly or *rounded to odd* (truncated, and the last bit set where anything
 * was lost), which a second rounding to at least two bits less cannot tell from the exact number. `narrow` is that
 * second rounding: the host's to nearest even, and one step back where the direction asks for it. mode
 * is a constant. */
#ifndef WEFT_EXEC_ROUNDING_H
#define WEFT_EXEC_ROUNDING_H

#include "exec/scalar.h"
#include "ir/ir.h"

#define ALWAYS static inline __attribute__((always_inline))

ALWAYS float sign_of32(float x) { return f32_from(f32_bits(x) & 0x80000000u); }
ALWAYS double magnitude64(double x) { return f64_from(f64_bits(x) & ~((uint64_t)1 << 63)); }
ALWAYS float magnitude32(float x) { return f32_from(f32_bits(x) & 0x7fffffffu); }

/* ---- rounded to odd ---- */

/* A sum s that lost err. */
ALWAYS double odd64(double s, double err)
{
    uint64_t u = f64_bits(s), lost = (err > 0 ? 1u : 0) | (err < 0 ? 1u : 0);
    uint64_t inward = lost & ((f64_bits(err) ^ u) >> 63);
    return f64_from((u - inward) | lost);
}

ALWAYS float odd32(float s, float err)
{
    uint32_t u = f32_bits(s), lost = (err > 0 ? 1u : 0) | (err < 0 ? 1u : 0);
    uint32_t inward = lost & ((f32_bits(err) ^ u) >> 31);
    return f32_from((u - inward) | lost);
}

/* What the sum s of x and y lost: from the larger one, so that nothing overflows on the way. */
ALWAYS float lost32(float x, float y, float s)
{
    bool first = magnitude32(x) >= magnitude32(y);
    float large = first ? x : y, small = first ? y : x;
    return small - (s - large);
}

ALWAYS double odd_sum64(double x, double y, unsigned mode)
{
    double s = x + y, t = s - x, sum = odd64(s, (x - (s - t)) + (y - t));
    uint64_t down = (f64_bits(x) | f64_bits(y)) & (uint64_t)1 << 63;
    if (mode == IR_RDN)
        sum = s == 0 ? f64_from(down) : sum;
    return sum;
}

ALWAYS float odd_sum32(float x, float y, unsigned mode)
{
    float s = x + y, sum = odd32(s, lost32(x, y, s));
    uint32_t down = (f32_bits(x) | f32_bits(y)) & 0x80000000u;
    if (mode == IR_RDN)
        sum = s == 0 ? f32_from(down) : sum;
    return sum;
}

ALWAYS float odd_float(double x)
{
    float r = (float)x;
    double d = (double)r;
    uint32_t lost = (d < x ? 1u : 0) | (d > x ? 1u : 0), inward = magnitude64(d) > magnitude64(x) ? 1 : 0;
    return f32_from((f32_bits(r) - inward) | lost);
}

ALWAYS double odd_u64(uint64_t x)
{
    uint64_t big = x >> 11 | ((x & 0x7ff) != 0);
    return x >> 53 ? (double)(int64_t)big * 2048.0 : (double)(int64_t)x;
}

ALWAYS double odd_s64(int64_t x)
{
    double size = odd_u64(x < 0 ? 0 - (uint64_t)x : (uint64_t)x);
    return x < 0 ? -size : size;
}

/* ---- narrowing ---- */

/* The step, in last places, from the nearest-even result to the one that the direction asks for. above and below tell
 * where the result lies from the exact number, negative is its sign: 0 or 1 each, because compilers make vector code of
 * arithmetic rather than of conditions. */
ALWAYS uint32_t round_step(unsigned mode, uint32_t negative, uint32_t above, uint32_t below)
{
    uint32_t outside = negative ? below : above, inside = negative ? above : below;
    switch (mode) {
    case IR_RTZ:
        return 0 - outside;
    case IR_RUP:
        return negative ? 0 - outside : inside;
    case IR_RDN:
        return negative ? inside : 0 - outside;
    default:
        return 0;
    }
}

/* Whether a number is below the least normal one when rounded as if the exponent had no limit; `least` is that number,
 * `ulp` its last place just below it. */
ALWAYS bool rounds_below64(double w, double least, double ulp, unsigned mode)
{
    double size = magnitude64(w);
    uint64_t sign = f64_bits(w) >> 63, away = mode == IR_RUP ? !sign : mode == IR_RDN ? sign : 0;
    if (mode == IR_RNE || mode == IR_RNA)
        return size < least - ulp / 2;
    /* away from zero: everything above least - ulp becomes least */
    double limit = away ? f64_from(f64_bits(least - ulp) + 1) : least;
    return size < limit;
}

ALWAYS float narrow32(double w, unsigned mode, bool flush)
{
    float r = (float)w;
    double d = (double)r;
    uint32_t negative = (uint32_t)(f64_bits(w) >> 63), bits = f32_bits(r);
    if (mode == IR_RNA) {
        /* a tie went to the even number, which may be the one nearer to zero */
        double next = (double)f32_from(bits + 1);
        uint32_t tie = (d + next) * 0.5 == w ? 1 : 0, inward = magnitude64(w) > magnitude64(d) ? 1 : 0;
        bits += tie & inward;
    } else if (mode != IR_RNE) {
        bits += round_step(mode, negative, d > w ? 1 : 0, d < w ? 1 : 0);
    }
    if (flush)
        bits = rounds_below64(w, 0x1p-126, 0x1p-150, mode) ? bits & 0x80000000u : bits;
    return f32_from(bits);
}

ALWAYS uint32_t narrow16(float w, unsigned mode, bool flush)
{
    uint32_t bits = f16_from_f32(w);
    float d = f16_to_f32(bits);
    uint32_t negative = f32_bits(w) >> 31;
    if (mode == IR_RNA) {
        float next = f16_to_f32(bits + 1);
        uint32_t tie = (d + next) * 0.5f == w ? 1 : 0, inward = magnitude32(w) > magnitude32(d) ? 1 : 0;
        bits += tie & inward;
    } else if (mode != IR_RNE) {
        bits += round_step(mode, negative, d > w ? 1 : 0, d < w ? 1 : 0);
    }
    if (flush)
        bits = rounds_below64((double)w, 0x1p-14, 0x1p-25, mode) ? bits & 0x8000u : bits;
    return bits;
}

/* ---- f32 ---- */

ALWAYS float flushed32(float r)
{
    return magnitude32(r) < 0x1p-126f ? sign_of32(r) : r;
}

/* The sum of two f32 is exact below 2^-125, so that flushing it after rounding is right. */
ALWAYS float add32(float x, float y, unsigned mode, bool flush)
{
    float s = x + y;
    if (mode == IR_RNA) {
        s = narrow32(odd_sum64(x, y, mode), mode, flush);
    } else if (mode != IR_RNE) {
        float lost = lost32(x, y, s);
        uint32_t bits = f32_bits(s);
        uint32_t negative = bits >> 31, above = lost < 0 ? 1 : 0, below = lost > 0 ? 1 : 0;
        /* an infinity from finite numbers */
        uint32_t large = (f32_bits(x) & 0x7fffffff) > (f32_bits(y) & 0x7fffffff) ? f32_bits(x) : f32_bits(y);
        uint32_t over = (bits & 0x7fffffff) == 0x7f800000 ? 1 : 0;
        over = (large & 0x7fffffff) < 0x7f800000 ? over : 0;
        bits += round_step(mode, negative, above | (over & ~negative), below | (over & negative));
        uint32_t down = (f32_bits(x) | f32_bits(y)) & 0x80000000u;
        if (mode == IR_RDN)
            bits = s == 0 ? down : bits;
        s = f32_from(bits);
    }
    return flush ? flushed32(s) : s;
}

ALWAYS float mul32(float x, float y, unsigned mode, bool flush)
{
    if (mode != IR_RNE)
        return narrow32((double)x * (double)y, mode, flush);
    float r = x * y;
    /* the same product with exponents to spare: where it counts, x is far below 2^68 */
    if (flush)
        r = magnitude32((x * 0x1p60f) * y) < 0x1p-66f ? sign_of32(r) : r;
    return r;
}

ALWAYS float div32(float x, float y, unsigned mode, bool flush)
{
    /* a quotient of 24 bits by 24 bits is no nearer than 2^-49 to a number of 25 bits that it is not */
    return mode == IR_RNE && !flush ? x / y : narrow32((double)x / (double)y, mode, flush);
}

ALWAYS float rfma32(float x, float y, float z, unsigned mode, bool flush)
{
    return narrow32(odd_sum64((double)x * (double)y, (double)z, mode), mode, flush);
}

ALWAYS float sqrt32(float x, unsigned mode, bool flush)
{
    return mode == IR_RNE ? __builtin_sqrtf(x) : narrow32(__builtin_sqrt((double)x), mode, flush);
}

ALWAYS double scaled64(double x, int32_t n)
{
    n = n > 400 ? 400 : n < -400 ? -400 : n;
    return x * f64_from((uint64_t)(1023 + (int64_t)n) << 52);
}

/* ---- f32 to nearest even, denormal results zero and NaNs canonical: what most chips do ---- */

/* A denormal argument as zero of its sign. */
ALWAYS float zeroed32(float x)
{
    uint32_t bits = f32_bits(x);
    return f32_from((bits & 0x7f800000) == 0 ? bits & 0x80000000u : bits);
}

/* The result r, of which `tiny` tells whether it counts as denormal. */
ALWAYS float chip32(float r, bool tiny)
{
    uint32_t bits = f32_bits(r);
    bits = tiny ? bits & 0x80000000u : bits;
    return f32_from(r != r ? 0x7fffffff : bits);
}

ALWAYS float chip_add32(float x, float y)
{
    float s = x + y;
    return chip32(s, magnitude32(s) < 0x1p-126f);
}

/* Near the least normal number the product with exponents to spare tells: see mul32. */
ALWAYS float chip_mul32(float x, float y)
{
    return chip32(x * y, magnitude32((x * 0x1p60f) * y) < 0x1p-66f);
}

/* The same for sums of products: where the scaled terms overflow, what is left of them is 0, z or far above the least
 * normal number, being a multiple of their last places. */
ALWAYS float chip_fma32(float x, float y, float z)
{
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
    float r = fma32(x, y, z), scaled = fma32(x * 0x1p60f, y, z * 0x1p60f);
    int tiny = magnitude32(r) < 0x1p-126f, scaled_tiny = magnitude32(scaled) < 0x1p-66f;
    return chip32(r, tiny | scaled_tiny);
#else
    float r = rfma32(x, y, z, IR_RNE, true);
    return f32_from(r != r ? 0x7fffffff : f32_bits(r));
#endif
}

/* ---- f16, in f32 ---- */

ALWAYS uint32_t add16(float x, float y, unsigned mode, bool flush)
{
    return narrow16(mode == IR_RNE ? x + y : odd_sum32(x, y, mode), mode, flush);
}

ALWAYS uint32_t fma16(float x, float y, float z, unsigned mode, bool flush)
{
    return narrow16(odd_sum32(x * y, z, mode), mode, flush);
}

#endif
