/* lanewise.h - the forms of a component-wise handler, for handlers.c: plain and masked, for any number of chunks and
 * unrolled for four. One argument (U), two (B) or three (T), named x, y and z in the expression.
 *
 * A chunk is a loop over 16 lanes without dependences between them, which compilers turn into one vector operation (or
 * a few). Strides are 16 or 0 elements: see frame.h. */
#ifndef WEFT_EXEC_LANEWISE_H
#define WEFT_EXEC_LANEWISE_H

#include "base/fmath.h"
#include "exec/frame.h"

#if defined(__clang__)
#define LANES                                                                                                          \
    _Pragma("clang loop vectorize(assume_safety) interleave(disable) unroll(disable)") for (int i = 0; i < EXEC_CHUNK; \
                                                                                            i++)
#else
#define LANES _Pragma("GCC ivdep") _Pragma("GCC unroll 1") for (int i = 0; i < EXEC_CHUNK; i++)
#endif

typedef uint32_t T_u;
typedef int32_t T_i;
typedef float T_f;
typedef uint64_t T_U;
typedef int64_t T_I;
typedef double T_F;

#define ROW(type, offset) ((type *)((char *)f + (offset)))

/* v in lanes where m is all ones, the old contents elsewhere: by bits, because a masked store is slow to read back. */
static inline uint32_t blend_u(uint32_t v, uint32_t old, uint32_t m)
{
    return (v & m) | (old & ~m);
}
static inline int32_t blend_i(int32_t v, int32_t old, uint32_t m)
{
    return (int32_t)blend_u((uint32_t)v, (uint32_t)old, m);
}
static inline float blend_f(float v, float old, uint32_t m)
{
    return f32_from(blend_u(f32_bits(v), f32_bits(old), m));
}

static inline uint64_t blend_U(uint64_t v, uint64_t old, uint32_t m)
{
    return m ? v : old;
}

/* Rows and strides of the arguments, and the lane's elements in chunk k. */
#define ARGS_U(ta)                                                                                                   \
    const T_##ta *a = ROW(T_##ta, op->a);                                                                            \
    size_t sa = op->sa;
#define ARGS_B(ta, tb)                                                                                               \
    ARGS_U(ta)                                                                                                       \
    const T_##tb *b = ROW(T_##tb, op->b);                                                                            \
    size_t sb = op->sb;
#define ARGS_T(ta, tb, tc)                                                                                           \
    ARGS_B(ta, tb)                                                                                                   \
    const T_##tc *c = ROW(T_##tc, op->c);                                                                            \
    size_t sc = op->sc;
#define TAKE_U(k, ta) T_##ta x = (a + (k) * sa)[i];
#define TAKE_B(k, ta, tb) TAKE_U(k, ta) T_##tb y = (b + (k) * sb)[i];
#define TAKE_T(k, ta, tb, tc) TAKE_B(k, ta, tb) T_##tc z = (c + (k) * sc)[i];

/* What becomes of the result. aux of masked forms: the row of the lanes that are written. */
#define WITH_KEEP_PLAIN
#define WITH_KEEP_MASKED const uint32_t *m = ROW(uint32_t, op->aux);
#define KEEP_PLAIN(k, td, expr) d[(k) * EXEC_CHUNK + i] = (expr);
#define KEEP_MASKED(k, td, expr)                                                                                     \
    T_##td v = (expr);                                                                                               \
    d[(k) * EXEC_CHUNK + i] = blend_##td(v, d[(k) * EXEC_CHUNK + i], m[(k) * EXEC_CHUNK + i]);

#define CHUNK(k, TAKE, KEEP, td, expr, ...)                                                                          \
    LANES                                                                                                            \
    {                                                                                                                \
        TAKE(k, __VA_ARGS__)                                                                                         \
        KEEP(k, td, expr)                                                                                            \
    }

#define FORM_ANY(fn, ARGS, TAKE, KEEP, td, expr, ...)                                                                \
    static const struct lop *fn(struct frame *f, const struct lop *op)                                               \
    {                                                                                                                \
        T_##td *d = ROW(T_##td, op->d);                                                                              \
        ARGS(__VA_ARGS__)                                                                                            \
        WITH_##KEEP                                                                                                  \
        size_t k = 0, n = op->n;                                                                                     \
        do                                                                                                           \
            CHUNK(k, TAKE, KEEP, td, expr, __VA_ARGS__)                                                              \
        while (++k < n);                                                                                             \
        NEXT;                                                                                                        \
    }
#define FORM_FOUR(fn, ARGS, TAKE, KEEP, td, expr, ...)                                                               \
    static const struct lop *fn(struct frame *f, const struct lop *op)                                               \
    {                                                                                                                \
        T_##td *d = ROW(T_##td, op->d);                                                                              \
        ARGS(__VA_ARGS__)                                                                                            \
        WITH_##KEEP                                                                                                  \
        CHUNK(0, TAKE, KEEP, td, expr, __VA_ARGS__)                                                                  \
        CHUNK(1, TAKE, KEEP, td, expr, __VA_ARGS__)                                                                  \
        CHUNK(2, TAKE, KEEP, td, expr, __VA_ARGS__)                                                                  \
        CHUNK(3, TAKE, KEEP, td, expr, __VA_ARGS__)                                                                  \
        NEXT;                                                                                                        \
    }

/* One element. */
#define SCALAR_U(fn, td, expr, ta)                                                                                   \
    static const struct lop *fn(struct frame *f, const struct lop *op)                                               \
    {                                                                                                                \
        T_##ta x = *ROW(T_##ta, op->a);                                                                              \
        *ROW(T_##td, op->d) = (expr);                                                                                \
        NEXT;                                                                                                        \
    }
#define SCALAR_B(fn, td, expr, ta, tb)                                                                               \
    static const struct lop *fn(struct frame *f, const struct lop *op)                                               \
    {                                                                                                                \
        T_##ta x = *ROW(T_##ta, op->a);                                                                              \
        T_##tb y = *ROW(T_##tb, op->b);                                                                              \
        *ROW(T_##td, op->d) = (expr);                                                                                \
        NEXT;                                                                                                        \
    }
#define SCALAR_T(fn, td, expr, ta, tb, tc)                                                                           \
    static const struct lop *fn(struct frame *f, const struct lop *op)                                               \
    {                                                                                                                \
        T_##ta x = *ROW(T_##ta, op->a);                                                                              \
        T_##tb y = *ROW(T_##tb, op->b);                                                                              \
        T_##tc z = *ROW(T_##tc, op->c);                                                                              \
        *ROW(T_##td, op->d) = (expr);                                                                                \
        NEXT;                                                                                                        \
    }

/* The macros that HANDLERS of frame.h is used with: W makes the plain and the scalar form, V the masked one too, and
 * U1, B2, T3 all. */
#define W1(name, td, ta, expr)                                                                                       \
    FORM_ANY(plain_##name, ARGS_U, TAKE_U, KEEP_PLAIN, td, expr, ta) SCALAR_U(scalar_##name, td, expr, ta)
#define W2(name, td, ta, tb, expr)                                                                                   \
    FORM_ANY(plain_##name, ARGS_B, TAKE_B, KEEP_PLAIN, td, expr, ta, tb) SCALAR_B(scalar_##name, td, expr, ta, tb)
#define W3(name, td, ta, tb, tc, expr)                                                                               \
    FORM_ANY(plain_##name, ARGS_T, TAKE_T, KEEP_PLAIN, td, expr, ta, tb, tc)                                         \
    SCALAR_T(scalar_##name, td, expr, ta, tb, tc)
#define V1(name, td, ta, expr)                                                                                       \
    W1(name, td, ta, expr) FORM_ANY(masked_##name, ARGS_U, TAKE_U, KEEP_MASKED, td, expr, ta)
#define V2(name, td, ta, tb, expr)                                                                                   \
    W2(name, td, ta, tb, expr) FORM_ANY(masked_##name, ARGS_B, TAKE_B, KEEP_MASKED, td, expr, ta, tb)
#define V3(name, td, ta, tb, tc, expr)                                                                               \
    W3(name, td, ta, tb, tc, expr) FORM_ANY(masked_##name, ARGS_T, TAKE_T, KEEP_MASKED, td, expr, ta, tb, tc)
#define U1(name, td, ta, expr)                                                                                       \
    V1(name, td, ta, expr)                                                                                           \
    FORM_FOUR(plain4_##name, ARGS_U, TAKE_U, KEEP_PLAIN, td, expr, ta)                                               \
    FORM_FOUR(masked4_##name, ARGS_U, TAKE_U, KEEP_MASKED, td, expr, ta)
#define B2(name, td, ta, tb, expr)                                                                                   \
    V2(name, td, ta, tb, expr)                                                                                       \
    FORM_FOUR(plain4_##name, ARGS_B, TAKE_B, KEEP_PLAIN, td, expr, ta, tb)                                           \
    FORM_FOUR(masked4_##name, ARGS_B, TAKE_B, KEEP_MASKED, td, expr, ta, tb)
#define T3(name, td, ta, tb, tc, expr)                                                                               \
    V3(name, td, ta, tb, tc, expr)                                                                                   \
    FORM_FOUR(plain4_##name, ARGS_T, TAKE_T, KEEP_PLAIN, td, expr, ta, tb, tc)                                       \
    FORM_FOUR(masked4_##name, ARGS_T, TAKE_T, KEEP_MASKED, td, expr, ta, tb, tc)

#endif
