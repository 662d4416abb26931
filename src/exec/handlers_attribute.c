/* handlers_attribute.c - the handlers of attribute_handlers.h: rounding directions, flushing, canonical NaNs, clamping.
 * Compiled once per level of the host's instruction set, as handlers.c is. */
#include "exec/dispatch.h"
#include "exec/lanewise.h"
#include "exec/rounding.h"
#include "exec/soft64.h"

/* ---- what the expressions of the list use ---- */

/* a < b, where -0 is below +0. */
ALWAYS uint32_t less_zeros32(float a, float b)
{
    uint32_t same = a == b ? 1 : 0;
    return (a < b ? 1u : 0) | (same & (f32_bits(a) >> 31) & ~(f32_bits(b) >> 31));
}

ALWAYS uint64_t less_zeros64(double a, double b)
{
    uint64_t same = a == b ? 1 : 0;
    return (a < b ? 1u : 0) | (same & (f64_bits(a) >> 63) & ~(f64_bits(b) >> 63));
}

ALWAYS int32_t add_sats32(int32_t x, int32_t y)
{
    uint32_t s = (uint32_t)x + (uint32_t)y, over = ((uint32_t)x ^ s) & ((uint32_t)y ^ s);
    return (int32_t)(over >> 31 ? 0x7fffffffu + ((uint32_t)x >> 31) : s);
}

ALWAYS int32_t sub_sats32(int32_t x, int32_t y)
{
    uint32_t s = (uint32_t)x - (uint32_t)y, over = ((uint32_t)x ^ s) & (uint32_t)(x ^ y);
    return (int32_t)(over >> 31 ? 0x7fffffffu + ((uint32_t)x >> 31) : s);
}

ALWAYS int64_t add_sats64(int64_t x, int64_t y)
{
    uint64_t s = (uint64_t)x + (uint64_t)y, over = ((uint64_t)x ^ s) & ((uint64_t)y ^ s);
    return (int64_t)(over >> 63 ? (~(uint64_t)0 >> 1) + ((uint64_t)x >> 63) : s);
}

ALWAYS int64_t sub_sats64(int64_t x, int64_t y)
{
    uint64_t s = (uint64_t)x - (uint64_t)y, over = ((uint64_t)x ^ s) & (uint64_t)(x ^ y);
    return (int64_t)(over >> 63 ? (~(uint64_t)0 >> 1) + ((uint64_t)x >> 63) : s);
}

/* The low bits of the integer part, however large. */
ALWAYS uint64_t d2ul_wrap(double x)
{
    uint64_t u = f64_bits(x), mantissa = (u & 0xfffffffffffffu) | (uint64_t)1 << 52;
    int e = (int)(u >> 52 & 0x7ff) - 1075;
    uint64_t big = e < 64 && e > 0 ? mantissa << e : 0;
    bool near = x > -0x1p63 && x < 0x1p63;
    return near ? (uint64_t)(int64_t)x : u >> 63 ? 0 - big : big;
}

/* ---- arguments and results ---- */

typedef uint32_t T_h;

/* `tiny` is the least normal number's bits where denormal arguments are flushed, else 0. */
ALWAYS float in_f(uint32_t bits, uint32_t tiny)
{
    return f32_from((bits & 0x7fffffff) < tiny ? bits & 0x80000000u : bits);
}
ALWAYS float in_h(uint32_t bits, uint32_t tiny)
{
    return f16_to_f32((bits & 0x7fff) < tiny ? bits & 0x8000 : bits);
}
ALWAYS double in_F(uint64_t bits, uint64_t tiny)
{
    return f64_from((bits & ~((uint64_t)1 << 63)) < tiny ? bits & (uint64_t)1 << 63 : bits);
}
#define in_i(bits, tiny) ((int32_t)(bits))
#define in_u(bits, tiny) (bits)
#define in_I(bits, tiny) ((int64_t)(bits))
#define in_U(bits, tiny) (bits)

static const uint64_t tiny_f = 0x00800000, tiny_h = 0x0400, tiny_F = (uint64_t)1 << 52, tiny_i = 0, tiny_u = 0,
                      tiny_I = 0, tiny_U = 0;

typedef uint32_t B_f;
typedef uint32_t B_h;
typedef uint32_t B_i;
typedef uint32_t B_u;
typedef uint64_t B_F;
typedef uint64_t B_I;
typedef uint64_t B_U;

/* What every NaN becomes; 0: NaNs stay. */
ALWAYS uint64_t nan_of(uint32_t attr, uint64_t canon, uint64_t x86)
{
    return attr & IR_NAN_X86 ? x86 : attr & IR_NAN_CANON ? canon : 0;
}
#define nan_f(attr) (uint32_t)nan_of(attr, 0x7fffffff, 0xffc00000)
#define nan_h(attr) (uint32_t)nan_of(attr, 0x7fff, 0xfe00)
#define nan_F(attr) nan_of(attr, ~(uint64_t)0 >> 1, (uint64_t)0xfff8 << 48)

/* `which`: ones where NaN becomes `nan`. */
ALWAYS uint32_t out_f(float r, uint32_t which, uint32_t nan)
{
    uint32_t bits = f32_bits(r);
    return (bits & which & 0x7fffffff) > 0x7f800000 ? nan : bits;
}
ALWAYS uint32_t out_h(uint32_t bits, uint32_t which, uint32_t nan)
{
    return (bits & which & 0x7fff) > 0x7c00 ? nan : bits;
}
ALWAYS uint64_t out_F(double r, uint64_t which, uint64_t nan)
{
    uint64_t bits = f64_bits(r);
    return (bits & which & ~((uint64_t)1 << 63)) > (uint64_t)0x7ff << 52 ? nan : bits;
}

/* ---- the forms ---- */

#define ROUNDED_ARGS_1(ta)                                                                                           \
    const B_##ta *a = ROW(B_##ta, op->a);                                                                            \
    size_t sa = op->sa;                                                                                              \
    B_##ta ia = (B_##ta)(op->aux & IR_FLUSH_IN ? tiny_##ta : 0);
#define ROUNDED_ARGS_2(ta, tb)                                                                                       \
    ROUNDED_ARGS_1(ta)                                                                                               \
    const B_##tb *b = ROW(B_##tb, op->b);                                                                            \
    size_t sb = op->sb;                                                                                              \
    B_##tb ib = (B_##tb)(op->aux & IR_FLUSH_IN ? tiny_##tb : 0);
#define ROUNDED_ARGS_3(ta, tb, tc)                                                                                   \
    ROUNDED_ARGS_2(ta, tb)                                                                                           \
    const B_##tc *c = ROW(B_##tc, op->c);                                                                            \
    size_t sc = op->sc;                                                                                              \
    B_##tc ic = (B_##tc)(op->aux & IR_FLUSH_IN ? tiny_##tc : 0);
#define ROUNDED_TAKE_1(ta)                                                                                           \
    __auto_type x = in_##ta((a + k * sa)[i], ia);                                                                    \
    (void)ia;
#define ROUNDED_TAKE_2(ta, tb)                                                                                       \
    ROUNDED_TAKE_1(ta)                                                                                               \
    __auto_type y = in_##tb((b + k * sb)[i], ib);                                                                    \
    (void)ib;
#define ROUNDED_TAKE_3(ta, tb, tc)                                                                                   \
    ROUNDED_TAKE_2(ta, tb)                                                                                           \
    __auto_type z = in_##tc((c + k * sc)[i], ic);                                                                    \
    (void)ic;

#define LOOP(name, count, td, expr, ...)                                                                             \
    ALWAYS void loop_##name(struct frame *f, const struct lop *op, const unsigned M, const bool FO, const bool one)  \
    {                                                                                                                \
        const B_##td nan = nan_##td(op->aux), which = nan ? ~(B_##td)0 : 0;                                          \
        B_##td *d = ROW(B_##td, op->d);                                                                              \
        ROUNDED_ARGS_##count(__VA_ARGS__)                                                                            \
        (void)M, (void)FO;                                                                                           \
        if (one) {                                                                                                   \
            const size_t k = 0, i = 0;                                                                               \
            ROUNDED_TAKE_##count(__VA_ARGS__)                                                                        \
            *d = out_##td(expr, which, nan);                                                                         \
            return;                                                                                                  \
        }                                                                                                            \
        for (size_t k = 0, n = op->n; k < n; k++, d += EXEC_CHUNK) {                                                 \
            LANES                                                                                                    \
            {                                                                                                        \
                ROUNDED_TAKE_##count(__VA_ARGS__)                                                                    \
                d[i] = out_##td(expr, which, nan);                                                                   \
            }                                                                                                        \
        }                                                                                                            \
    }

#define GIVEN(form, name, one)                                                                                       \
    static const struct lop *form##_##name(struct frame *f, const struct lop *op)                                    \
    {                                                                                                                \
        loop_##name(f, op, op->aux & IR_ROUND_MASK, op->aux & IR_FLUSH_OUT, one);                                    \
        NEXT;                                                                                                        \
    }

#define SOFT(name, ...) LOOP(name, __VA_ARGS__) GIVEN(plain, name, false) GIVEN(scalar, name, true)

#define ROUNDED(name, ...)                                                                                           \
    LOOP(name, __VA_ARGS__)                                                                                          \
    static const struct lop *plain_##name(struct frame *f, const struct lop *op)                                     \
    {                                                                                                                \
        ROUNDED_CASES(loop_##name)                                                                                   \
        NEXT;                                                                                                        \
    }                                                                                                                \
    GIVEN(scalar, name, true)

#define ROUNDED_CASES(loop)                                                                                          \
    switch (op->aux & (IR_ROUND_MASK | IR_FLUSH_OUT)) {                                                              \
        ROUNDED_CASE(loop, IR_RTZ)                                                                                   \
        ROUNDED_CASE(loop, IR_RUP)                                                                                   \
        ROUNDED_CASE(loop, IR_RDN)                                                                                   \
        ROUNDED_CASE(loop, IR_RNA)                                                                                   \
    case IR_RNE | IR_FLUSH_OUT:                                                                                      \
        loop(f, op, IR_RNE, true, false);                                                                            \
        break;                                                                                                       \
    default:                                                                                                         \
        loop(f, op, IR_RNE, false, false);                                                                           \
        break;                                                                                                       \
    }
#define ROUNDED_CASE(loop, mode)                                                                                     \
    case mode:                                                                                                       \
        loop(f, op, mode, false, false);                                                                             \
        break;                                                                                                       \
    case mode | IR_FLUSH_OUT:                                                                                        \
        loop(f, op, mode, true, false);                                                                              \
        break;

#define R1(name, td, ta, expr) ROUNDED(name, 1, td, expr, ta)
#define R2(name, td, ta, tb, expr) ROUNDED(name, 2, td, expr, ta, tb)
#define R3(name, td, ta, tb, tc, expr) ROUNDED(name, 3, td, expr, ta, tb, tc)
#define S1(name, td, ta, expr) SOFT(name, 1, td, expr, ta)
#define S2(name, td, ta, tb, expr) SOFT(name, 2, td, expr, ta, tb)
#define S3(name, td, ta, tb, tc, expr) SOFT(name, 3, td, expr, ta, tb, tc)

ATTRIBUTE_HANDLERS(R1, R2, R3, S1, S2, S3, V1, V2, W1, W2, B2, T3)

#define CAT2(a, b) a##b
#define CAT(a, b) CAT2(a, b)
#define FOUR(name, ...) {plain_##name, masked_##name, plain4_##name, masked4_##name, scalar_##name},
#define TWO(name, ...) {plain_##name, masked_##name, NULL, NULL, scalar_##name},
#define ONE(name, ...) {plain_##name, NULL, NULL, NULL, scalar_##name},
const struct handler CAT(exec_attribute_handlers_, LEVEL)[] = {
    ATTRIBUTE_HANDLERS(ONE, ONE, ONE, ONE, ONE, ONE, TWO, TWO, ONE, ONE, FOUR, FOUR)};
