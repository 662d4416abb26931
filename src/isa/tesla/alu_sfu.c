/* alu_sfu.c - the special function unit: quadratic interpolation between the values of a ROM, in fixed point, bit for
 * bit (envytools' model; the unit's patents describe the data path). */
#include "isa/tesla/alu.h"

/* c0 + c1 * t + c2 * t * t over an interval; the binary points differ from function to function. */
struct sfu_interval {
    int32_t c0;
    int32_t c1;
    int32_t c2;
};

#include "isa/tesla/sfu_tables.inc"

enum { SIGN = (int)0x80000000, INFINITE = 0x7f800000, FRACTION = 0x7fffff };

static inline bool is_nan(uint32_t x)
{
    return (x & 0x7fffffffu) > INFINITE;
}

static inline uint32_t flush(uint32_t x)
{
    return x & 0x7f800000u ? x : x & 0x80000000u;
}

static inline int32_t exponent(uint32_t x)
{
    return (int32_t)(x >> 23 & 0xff);
}

/* About t * t >> 19, as the unit's squarer has it: each partial product is cut before they are added. */
static inline int64_t square(uint32_t t)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < 17; i++)
        sum += t >> (18 - i) & (0u - (t >> i & 1));
    return sum >> 1;
}

/* A sign, a biased exponent and 24 bits with the leading one (2^24 is 1.0 of the next exponent). */
static inline uint32_t pack(uint32_t sign, int32_t e, int64_t m)
{
    if (m >> 24) {
        m >>= 1;
        e++;
    }
    if (e <= 0)
        return sign;
    return e >= 255 ? sign | INFINITE : sign | (uint32_t)e << 23 | ((uint32_t)m & FRACTION);
}

uint32_t tesla_rcp(uint32_t x)
{
    uint32_t sign = x & 0x80000000u, f = x & FRACTION;
    if (is_nan(x))
        return TESLA_NAN;
    x = flush(x);
    if (exponent(x) == 255)
        return sign;
    if (exponent(x) == 0)
        return sign | INFINITE;
    const struct sfu_interval *t = &rcp_table[f >> 16];
    uint32_t d = f & 0xffff;
    int64_t m = (((int64_t)t->c0 << 13) + (int64_t)t->c1 * d + t->c2 * square(2 * d) + 0x47e7) >> 15;
    return pack(sign, 253 - exponent(x), m);
}

uint32_t tesla_rsqrt(uint32_t x)
{
    if (is_nan(x))
        return TESLA_NAN;
    x = flush(x);
    if (!(x & 0x7fffffffu))
        return x | INFINITE;
    if (x >> 31)
        return TESLA_NAN;
    if (x == INFINITE)
        return 0;
    int32_t e = exponent(x) - 127, half = e >> 1;
    uint32_t u = (x & FRACTION) + (e & 1 ? 0x800000u : 0);
    if (!u)
        return pack(0, 127 - half, 0x800000);
    const struct sfu_interval *t = &rsqrt_table[u >> 17];
    uint32_t d = u & 0x1ffff;
    int64_t m = (((int64_t)t->c0 << 14) + (int64_t)t->c1 * d + t->c2 * square(d) * 4 + 0x7fff) >> 16;
    return pack(0, 126 - half, m);
}

uint32_t tesla_lg2(uint32_t x)
{
    if (is_nan(x))
        return TESLA_NAN;
    x = flush(x);
    if (!(x & 0x7fffffffu))
        return 0xff800000u;
    if (x >> 31)
        return TESLA_NAN;
    if (x == INFINITE)
        return INFINITE;
    uint32_t f = x & FRACTION, d = f & 0x1ffff, sign = 0;
    const struct sfu_interval *t = &lg2_table[f >> 17];
    int64_t r = (((int64_t)t->c0 * 4096) + (int64_t)t->c1 * d + t->c2 * square(d) * 2 + 0x3345) >> 2;
    if (x == 0x3f800000u)
        r = 0;
    r += (int64_t)(exponent(x) - 127) * ((int64_t)1 << 36);
    if (r < 0) {
        sign = 0x80000000u;
        r = ~r;
    }
    if (!r)
        return sign;
    int32_t k = __builtin_clzll((uint64_t)r) - 21; /* the leading one goes to bit 42 */
    return pack(sign, 133 - k, (k >= 0 ? r << k : r >> -k) >> 19);
}

/* The sine of a quadrant count and fraction, of which the sign is taken as it is. */
static uint32_t sine(uint32_t x, uint32_t e)
{
    uint32_t f = x & FRACTION, sign = (x & 0x80000000u) ^ (e & 2 ? 0x80000000u : 0);
    if (e & 1)
        f = ~f & FRACTION;
    const struct sfu_interval *t = &sin_table[f >> 17];
    uint32_t d = f & 0x1ffff;
    int64_t r = ((int64_t)t->c0 << 11) + (int64_t)t->c1 * d + t->c2 * square(d);
    if (r <= 0)
        return sign;
    int32_t k = __builtin_clzll((uint64_t)r) - 26; /* the leading one goes to bit 37 */
    return pack(sign, 127 - k, (k >= 0 ? r << k : r >> -k) >> 14);
}

uint32_t tesla_sin(uint32_t x)
{
    return x & 0x40000000u ? TESLA_NAN : sine(x, x >> 23);
}

uint32_t tesla_cos(uint32_t x)
{
    return x & 0x40000000u ? TESLA_NAN : sine(x & 0x7fffffffu, (x >> 23) + 1);
}

uint32_t tesla_ex2(uint32_t x)
{
    uint32_t f = x & FRACTION;
    int32_t e = exponent(x);
    if (e & 0x80) {
        if (!(e & 1))
            return TESLA_NAN;
        return x >> 31 ? 0 : INFINITE;
    }
    if (x >> 31) {
        e = f ? -e - 1 : -e;
        f = f ? ~f & FRACTION : 0;
    }
    const struct sfu_interval *t = &ex2_table[f >> 17];
    uint32_t d = f & 0x1ffff;
    int64_t m = (((int64_t)t->c0 << 13) + (int64_t)t->c1 * d + t->c2 * square(d) + 0x77e2) >> 15;
    return pack(0, e + 127, m);
}

/* NaN and infinity as the arguments of sin, cos and ex2 say them. */
static bool special_argument(uint32_t x, uint32_t *out)
{
    uint32_t sign = x & 0x80000000u;
    if ((x & 0x7f800000u) != INFINITE)
        return false;
    *out = sign | (is_nan(x) ? 0x40000000u : 0x40800000u);
    return true;
}

uint32_t tesla_presin(uint32_t x)
{
    uint32_t out;
    if (special_argument(x, &out))
        return out;
    x = flush(x);
    uint64_t f = exponent(x) ? (x & FRACTION) | 0x800000u : 0;
    int32_t e = (exponent(x) ? exponent(x) : 1) - 127 - 8;
    uint32_t q = (uint32_t)(f * 0xa2f983 >> 16);
    if (e >= 0)
        q = e < 32 ? q << e : 0;
    else
        q = -e < 32 ? q >> -e : 0;
    return (q & 0x1ffffffu) | (x & 0x80000000u);
}

uint32_t tesla_preex2(uint32_t x)
{
    uint32_t out, sign = x & 0x80000000u;
    if (special_argument(x, &out))
        return out;
    x = flush(x);
    uint32_t f = exponent(x) ? (x & FRACTION) | 0x800000u : 0;
    int32_t e = exponent(x) - 127;
    if (e >= 7)
        return sign | 0x40800000u;
    return sign | (e >= 0 ? f << e : -e < 32 ? f >> -e : 0);
}

/* ---- over lanes ---- */

#define LANES(name) TESLA_OVER_LANES(name, uint32_t, uint32_t, tesla_##name(a[i]))
LANES(rcp)
LANES(rsqrt)
LANES(lg2)
LANES(sin)
LANES(cos)
LANES(ex2)
LANES(presin)
LANES(preex2)
