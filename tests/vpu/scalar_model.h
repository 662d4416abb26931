/* scalar_model.h - scalar operations in plain C, written from the manual and its notes: results, flags, conditions. */
#ifndef WEFT_TESTS_VPU_SCALAR_MODEL_H
#define WEFT_TESTS_VPU_SCALAR_MODEL_H

#include <math.h>
#include <stdbool.h>

#include "test.h"

static inline int64_t clamp(int64_t v, int64_t least, int64_t most)
{
    return v < least ? least : v > most ? most : v;
}

static inline uint32_t reversed(uint32_t a)
{
    uint32_t v = 0;
    for (unsigned k = 0; k < 32; k++)
        v |= (a >> k & 1) << (31 - k);
    return v;
}

/* The 57 operations but for the compares. */
static inline uint32_t oracle(unsigned op, uint32_t a, uint32_t b)
{
    static const uint8_t scales[57] = {[19] = 1, [21] = 2, [22] = 3, [23] = 4, [44] = 5, [45] = 6, [46] = 7, [47] = 8};
    uint32_t n = b & 31, bit = 1u << n, v = 0;
    int64_t sa = (int32_t)a, sb = (int32_t)b, ua = a, ub = b;
    if (scales[op])
        return a + (b << scales[op]);
    if (op >= 49 && op <= 56)
        return a - (b << (op - 48));
    switch (op) {
    case 0: return b;
    case 2: return a + b;
    case 3: return a & ~b;
    case 4: return a * b;
    case 5: return a ^ b;
    case 6: return a - b;
    case 7: return a & b;
    case 8: return ~b;
    case 9: return n ? a >> n | a << (32 - n) : a;
    case 11: return b - a;
    case 13: return a | b;
    case 14: return a & (bit - 1);
    case 15: return sa > sb ? a : b;
    case 16: return a | bit;
    case 17: return sa < sb ? a : b;
    case 18: return a & ~bit;
    case 20: return a ^ bit;
    case 24: /* width n */
        if (n == 0)
            return 0;
        v = a & (bit - 1);
        return v >> (n - 1) & 1 ? v | ~(bit - 1) : v;
    case 25: return 0u - b;
    case 26: return a >> n;
    case 27:
        for (int k = 31; k >= 0; k--)
            if (b >> k & 1)
                return (uint32_t)k;
        return UINT32_MAX;
    case 28: return a << n;
    case 29: return reversed(a) >> ((32 - n) & 31);
    case 30: return (uint32_t)((int32_t)a >> n);
    case 31: return sb < 0 ? 0u - b : b;
    case 32: return (uint32_t)((sa * sb) >> 32);
    case 33: return (uint32_t)((sa * ub) >> 32);
    case 34: return (uint32_t)((ua * sb) >> 32);
    case 35: return (uint32_t)(((uint64_t)a * b) >> 32);
    case 36: return (uint32_t)(sa / sb);
    case 37: return (uint32_t)(sa / ub);
    case 38: return (uint32_t)(ua / sb);
    case 39: return a / b;
    case 40: return (uint32_t)clamp(sa + sb, INT32_MIN, INT32_MAX);
    case 41: return (uint32_t)clamp(sa - sb, INT32_MIN, INT32_MAX);
    case 42: return (uint32_t)clamp(sa * ((int64_t)1 << n), INT32_MIN, INT32_MAX);
    case 43: return (uint32_t)clamp(sb, INT16_MIN, INT16_MAX);
    case 48: return (uint32_t)__builtin_popcount(b);
    default: fail_msg("operation %u", op); return 0;
    }
}

static inline bool is_compare(unsigned op) { return op == 1 || op == 10 || op == 12; }

/* sr: Z 8, N 4, C 2, V 1 */
static inline unsigned flags_of(unsigned op, uint32_t a, uint32_t b)
{
    if (op == 12)
        return (a >> (b & 31) & 1) == 0 ? 8 : (b & 31) == 31 ? 4 : 0;
    uint32_t v = op == 1 ? a + b : a - b;
    bool carry = op == 1 ? v < a : a < b;
    int64_t x = (int32_t)a, y = (int32_t)b;
    bool over = (op == 1 ? x + y : x - y) != (int32_t)v;
    return (v == 0) * 8u | (v >> 31) * 4u | carry * 2u | over * 1u;
}

static inline bool passes(unsigned cond, unsigned flags)
{
    bool z = flags & 8, n = flags & 4, c = flags & 2, v = flags & 1;
    bool less = n != v;
    const bool all[] = {z, !z, c, !c, n, !n, v, !v, !c && !z, c || z, !less, less, !z && !less, z || less, true, false};
    return all[cond];
}

/* ---- floats ---- */

static inline float as_float(uint32_t v) { float f; memcpy(&f, &v, 4); return f; }
static inline uint32_t as_bits(float f) { uint32_t v; memcpy(&v, &f, 4); return v; }

static inline float float_oracle(unsigned op, float a, float b)
{
    switch (op) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * b;
    case 3: return a / b;
    case 5: return fabsf(b);
    case 6: return b - a;
    case 7: return a > b ? a : b;
    case 8: return 1 / b;
    case 9: return (float)(1 / sqrt((double)b));
    case 10: return -(a * b);
    case 11: return a < b ? a : b;
    case 12: return ceilf(b);
    default: return floorf(b);
    }
}

#endif
