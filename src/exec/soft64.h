/* soft64.h - f64 arithmetic in integers, for what the host's nearest-even arithmetic does not give: the other rounding
 * directions and IR_FLUSH_OUT. Exact to a sticky bit and rounded once. */
#ifndef WEFT_EXEC_SOFT64_H
#define WEFT_EXEC_SOFT64_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fmath.h"
#include "ir/ir.h"

__extension__ typedef unsigned __int128 soft_mant;

/* (-1)^sign * mant * 2^exp; bit 0 of mant may stand for "and something below". */
struct soft {
    bool sign;
    int exp;
    soft_mant mant;
};

static inline bool soft_usual(double x)
{
    uint64_t u = f64_bits(x) << 1;
    return u != 0 && u < (uint64_t)0x7ff << 53;
}

/* A finite number that is not zero. */
static inline struct soft soft_unpack(double x)
{
    uint64_t u = f64_bits(x), frac = u & 0xfffffffffffffu;
    int e = (int)(u >> 52 & 0x7ff);
    return (struct soft){u >> 63, (e ? e : 1) - 1075, frac | (e ? (uint64_t)1 << 52 : 0)};
}

/* Bit `top` becomes the highest one that is set. No number here has a higher one. */
static inline struct soft soft_normal(struct soft s, unsigned top)
{
    uint64_t high = (uint64_t)(s.mant >> 64), low = (uint64_t)s.mant;
    int have = high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll(low), by = (int)top - have;
    s.exp -= by;
    s.mant <<= by;
    return s;
}

/* mant / 2^drop, rounded to an integer. */
static inline uint64_t soft_cut(soft_mant mant, int drop, bool sign, unsigned mode)
{
    if (drop > 127) { /* all below the half */
        mant = 1;
        drop = 3;
    }
    soft_mant keep = mant >> drop, rest = mant - (keep << drop), half = (soft_mant)1 << (drop - 1);
    bool up = mode == IR_RNE   ? rest > half || (rest == half && (keep & 1))
              : mode == IR_RNA ? rest >= half
              : mode == IR_RUP ? rest && !sign
              : mode == IR_RDN ? rest && sign
                               : false;
    return (uint64_t)keep + up;
}

static inline double soft_pack(struct soft s, unsigned mode, bool flush)
{
    const uint64_t inf = (uint64_t)0x7ff << 52, sign = (uint64_t)s.sign << 63;
    s = soft_normal(s, 126);
    int e = s.exp + 126, drop = 126 - 52;
    uint64_t m = soft_cut(s.mant, drop, s.sign, mode);
    if (flush && e + (int)(m >> 53) < -1022)
        return f64_from(sign);
    if (e < -1022)
        return f64_from(sign | soft_cut(s.mant, drop + (-1022 - e), s.sign, mode));
    if (e > 1023) { /* what rounds up to 2^1024 is infinite by what follows */
        bool whole = mode == IR_RNE || mode == IR_RNA || (mode == IR_RUP && !s.sign) || (mode == IR_RDN && s.sign);
        return f64_from(sign | (whole ? inf : inf - 1));
    }
    return f64_from(sign | (((uint64_t)(e + 1022) << 52) + m));
}

/* What native arithmetic gave, flushed. */
static inline double soft_flushed(double x, bool flush)
{
    uint64_t u = f64_bits(x);
    return flush && (u & ~((uint64_t)1 << 63)) < (uint64_t)1 << 52 ? f64_from(u & (uint64_t)1 << 63) : x;
}

static inline double soft_sum(struct soft a, struct soft b, unsigned mode, bool flush)
{
    a = soft_normal(a, 125);
    b = soft_normal(b, 125);
    if (a.exp < b.exp || (a.exp == b.exp && a.mant < b.mant)) {
        struct soft t = a;
        a = b;
        b = t;
    }
    int gap = a.exp - b.exp;
    soft_mant y = gap > 125 ? 1 : gap ? b.mant >> gap | ((b.mant << (128 - gap)) != 0) : b.mant;
    a.mant = a.sign == b.sign ? a.mant + y : a.mant - y;
    if (!a.mant)
        return mode == IR_RDN ? -0.0 : 0.0;
    return soft_pack(a, mode, flush);
}

/* Zero from numbers that cancel, or from zeros: only rounding down makes it negative, unless both are. */
static inline double soft_zero_sum(double x, double y, unsigned mode)
{
    uint64_t sx = f64_bits(x) >> 63, sy = f64_bits(y) >> 63;
    return (mode == IR_RDN ? sx | sy : sx & sy) ? -0.0 : 0.0;
}

static inline double soft_add(double x, double y, unsigned mode, bool flush)
{
    if (soft_usual(x) && soft_usual(y))
        return soft_sum(soft_unpack(x), soft_unpack(y), mode, flush);
    double s = x + y;
    return s == 0 ? soft_zero_sum(x, y, mode) : soft_flushed(s, flush);
}

static inline struct soft soft_product(double x, double y)
{
    struct soft a = soft_unpack(x), b = soft_unpack(y);
    return (struct soft){a.sign != b.sign, a.exp + b.exp, a.mant * b.mant};
}

static inline double soft_mul(double x, double y, unsigned mode, bool flush)
{
    return soft_usual(x) && soft_usual(y) ? soft_pack(soft_product(x, y), mode, flush) : x * y;
}

static inline double soft_fma(double x, double y, double z, unsigned mode, bool flush)
{
    if (soft_usual(x) && soft_usual(y))
        return soft_usual(z) ? soft_sum(soft_product(x, y), soft_unpack(z), mode, flush)
               : z == 0      ? soft_pack(soft_product(x, y), mode, flush)
                             : z;
    double p = x * y, s = p + z;
    return s == 0 ? soft_zero_sum(p, z, mode) : soft_flushed(s, flush);
}

static inline double soft_div(double x, double y, unsigned mode, bool flush)
{
    if (!soft_usual(x) || !soft_usual(y))
        return x / y;
    struct soft a = soft_normal(soft_unpack(x), 126), b = soft_normal(soft_unpack(y), 52);
    soft_mant q = a.mant / b.mant;
    return soft_pack((struct soft){a.sign != b.sign, a.exp - b.exp - 2, q << 2 | (q * b.mant != a.mant)}, mode, flush);
}

static inline double soft_sqrt(double x, unsigned mode, bool flush)
{
    if (!soft_usual(x) || x < 0)
        return __builtin_sqrt(x);
    struct soft a = soft_normal(soft_unpack(x), 125);
    if (a.exp & 1) {
        a.mant <<= 1;
        a.exp--;
    }
    soft_mant root = 0;
    for (int bit = 63; bit >= 0; bit--) {
        soft_mant next = root | (soft_mant)1 << bit;
        if (next <= a.mant / next)
            root = next;
    }
    return soft_pack((struct soft){false, a.exp / 2 - 2, root << 2 | (root * root != a.mant)}, mode, flush);
}

static inline double soft_ldexp(double x, int32_t n, unsigned mode, bool flush)
{
    if (!soft_usual(x))
        return x;
    struct soft a = soft_unpack(x);
    a.exp += n > 5000 ? 5000 : n < -5000 ? -5000 : n;
    return soft_pack(a, mode, flush);
}

static inline double soft_integer(bool sign, uint64_t size, unsigned mode)
{
    return size ? soft_pack((struct soft){sign, 0, size}, mode, false) : 0.0;
}

#endif
