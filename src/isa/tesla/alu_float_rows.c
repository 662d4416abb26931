/* alu_float_rows.c - rows of f32 operations. Compiled once per level of the host's instruction set (meson.build defines LEVEL); all
 * levels compute the same bits. The plain cases come apart, so that they are loops without branches. */
#include "isa/tesla/alu_float.h"
#include "isa/tesla/alu_rows.h"

static void row_fadd(unsigned count, const void *const *args, void *const *results, uint64_t how)
{
    const uint32_t *a = args[0], *b = args[1];
    uint32_t *d = results[0];
    if (how == HOW_SAT)
        for (unsigned i = 0; i < count; i++)
            d[i] = add(a[i], b[i], HOW_SAT);
    else
        for (unsigned i = 0; i < count; i++)
            d[i] = add(a[i], b[i], how);
}

static void row_fmul(unsigned count, const void *const *args, void *const *results, uint64_t how)
{
    const uint32_t *a = args[0], *b = args[1];
    uint32_t *d = results[0];
    if (how == HOW_SAT)
        for (unsigned i = 0; i < count; i++)
            d[i] = mul(a[i], b[i], HOW_SAT);
    else
        for (unsigned i = 0; i < count; i++)
            d[i] = mul(a[i], b[i], how);
}

static void mad_rows(unsigned count, const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t *d)
{
    for (unsigned i = 0; i < count; i++)
        d[i] = mad(a[i], b[i], c[i], 0);
}

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)

enum { CHUNK = 16, LEAST_EXACT = (127 - 101) << 23 /* bits of 2^-101: what products lose is a number from there on */ };

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

static inline float source(uint32_t bits)
{
    return word((bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits);
}

/* In f32, and whether that was right. The product is cut by one step towards zero where rounding took it away from there.
 * Sums below the least normal number are exact, so that they can be flushed afterwards. */
static inline bool mad_exact(const uint32_t *restrict a, const uint32_t *restrict b, const uint32_t *restrict c,
                             uint32_t *restrict d)
{
    uint32_t least = UINT32_MAX, most = 0; /* of the products; where they are zero there is nothing to lose */
    for (unsigned i = 0; i < CHUNK; i++) {
        float x = source(a[i]), y = source(b[i]), z = source(c[i]);
        float product = x * y, lost = __builtin_fmaf(x, y, -product);
        uint32_t p = bits_of(product), size = p & 0x7fffffffu;
        uint32_t away = lost == 0 ? 0 : (p ^ bits_of(lost)) >> 31;
        float sum = word(z == 0 ? p : p - away) + z;
        uint32_t s = bits_of(sum);
        s = (s & 0x7f800000u) == 0 ? s & 0x80000000u : s;
        d[i] = sum != sum ? TESLA_NAN : s;
        least = size - 1 < least ? size - 1 : least;
        most = size > most ? size : most;
    }
    return least >= LEAST_EXACT - 1 && most < 0x7f800000u;
}

static void mad_plain(unsigned count, const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t *d)
{
    for (; count >= CHUNK; count -= CHUNK, a += CHUNK, b += CHUNK, c += CHUNK, d += CHUNK)
        if (!mad_exact(a, b, c, d))
            mad_rows(CHUNK, a, b, c, d);
    mad_rows(count, a, b, c, d);
}

#else
#define mad_plain mad_rows
#endif

static void row_fmad(unsigned count, const void *const *args, void *const *results, uint64_t how)
{
    const uint32_t *a = args[0], *b = args[1], *c = args[2];
    uint32_t *d = results[0];
    if (how & ~(uint64_t)HOW_SAT) {
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
extern const struct tesla_float_rows CAT(tesla_float_rows_, LEVEL);
const struct tesla_float_rows CAT(tesla_float_rows_, LEVEL) = {row_fadd, row_fmul, row_fmad, row_fsat};
