/* alu_float_lanes.c - rows of f32 operations. Compiled once per level of the host's instruction set (meson.build
 * defines LEVEL); all levels compute the same bits. The plain cases come apart, so that they are loops without
 * branches. */
#include "isa/tesla/alu_float.h"
#include "isa/tesla/alu_lanes.h"

#define ROW_OF_TWO(name, op)                                                                                           \
    static void name(unsigned count, const void *const *args, void *const *results, uint64_t how)                      \
    {                                                                                                                  \
        const uint32_t *a = args[0], *b = args[1];                                                                     \
        uint32_t *d = results[0];                                                                                      \
        if (how == TESLA_HOW_SAT)                                                                                      \
            for (unsigned i = 0; i < count; i++)                                                                       \
                d[i] = op(a[i], b[i], TESLA_HOW_SAT);                                                                  \
        else                                                                                                           \
            for (unsigned i = 0; i < count; i++)                                                                       \
                d[i] = op(a[i], b[i], how);                                                                            \
    }
ROW_OF_TWO(row_fadd, add)
ROW_OF_TWO(row_fmul, mul)

static void mad_rows(unsigned count, const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t *d)
{
    for (unsigned i = 0; i < count; i++)
        d[i] = mad(a[i], b[i], c[i], 0);
}

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)

/* Bits of the least normal number, and of 2^-100: what products lose is a number from there on, and denormal addends
 * make no difference. */
enum { SIGN = (int)0x80000000, LEAST_NORMAL = 1 << 23, LEAST_EXACT = (127 - 100) << 23, INFINITE = 0xff << 23 };

static inline float word(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static inline uint32_t bits_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static inline uint32_t least_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static inline uint32_t most_of(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* In f32, and whether that was right: with factors, products and sums that are zero or large enough (one less than
 * zero is the largest word). The product is cut by one step towards zero where rounding took it away from there. */
static bool mad_exact(unsigned count, const uint32_t *restrict a, const uint32_t *restrict b,
                      const uint32_t *restrict c, uint32_t *restrict d)
{
    uint32_t factor = UINT32_MAX, least = UINT32_MAX, product = 0, sum = 0;
    for (unsigned i = 0; i < count; i++) {
        uint32_t x = a[i] & 0x7fffffffu, y = b[i] & 0x7fffffffu, sign = (a[i] ^ b[i]) & (uint32_t)SIGN;
        float near = word(x) * word(y), lost = __builtin_fmaf(word(x), word(y), -near);
        uint32_t p = bits_of(near), cut_down = p + (uint32_t)((int32_t)bits_of(lost) >> 31);
        uint32_t term = (c[i] & INFINITE) == 0 ? p : cut_down;
        uint32_t s = bits_of(word(term | sign) + word(c[i])), size = s & 0x7fffffffu;
        d[i] = s;
        factor = least_of(factor, least_of(x - 1, y - 1));
        least = least_of(least, least_of(p - 1, size - 1));
        product = most_of(product, p);
        sum = most_of(sum, size);
    }
    return factor >= LEAST_NORMAL - 1 && least >= LEAST_EXACT - 1 && product < INFINITE && sum <= INFINITE;
}

static void mad_plain(unsigned count, const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t *d)
{
    enum { SOME = 16 };
    if (mad_exact(count, a, b, c, d))
        return;
    for (unsigned i = 0; i < count; i += SOME) {
        unsigned n = count - i < SOME ? count - i : SOME;
        if (!mad_exact(n, a + i, b + i, c + i, d + i))
            mad_rows(n, a + i, b + i, c + i, d + i);
    }
}

#else
#define mad_plain mad_rows
#endif

static void row_fmad(unsigned count, const void *const *args, void *const *results, uint64_t how)
{
    const uint32_t *a = args[0], *b = args[1], *c = args[2];
    uint32_t *d = results[0];
    if (how & ~(uint64_t)TESLA_HOW_SAT) {
        for (unsigned i = 0; i < count; i++)
            d[i] = mad(a[i], b[i], c[i], how);
        return;
    }
    mad_plain(count, a, b, c, d);
    for (unsigned i = 0; how && i < count; i++)
        d[i] = saturate(d[i], how);
}

static void row_fsat(unsigned count, const void *const *args, void *const *results, uint64_t how)
{
    const uint32_t *a = args[0];
    uint32_t *d = results[0];
    for (unsigned i = 0; i < count; i++)
        d[i] = saturate(a[i], how);
}

#define CAT2(a, b) a##b
#define CAT(a, b) CAT2(a, b)
extern const struct tesla_float_lanes CAT(tesla_float_lanes_, LEVEL);
const struct tesla_float_lanes CAT(tesla_float_lanes_, LEVEL) = {row_fadd, row_fmul, row_fmad, row_fsat};
