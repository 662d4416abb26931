#include "oracle.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* ---- numbers in bits ---- */

static float f32(uint32_t bits)
{
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static uint32_t bits(float v)
{
    uint32_t b;
    memcpy(&b, &v, sizeof b);
    return b;
}

static uint64_t u64(const uint32_t v[4], unsigned pair)
{
    return v[2 * pair] | (uint64_t)v[2 * pair + 1] << 32;
}

static double f64(const uint32_t v[4], unsigned pair)
{
    uint64_t b = u64(v, pair);
    double d;
    memcpy(&d, &b, sizeof d);
    return d;
}

static void put64(uint32_t v[4], unsigned pair, uint64_t b)
{
    v[2 * pair] = (uint32_t)b;
    v[2 * pair + 1] = (uint32_t)(b >> 32);
}

static void putd(uint32_t v[4], unsigned pair, double d)
{
    uint64_t b;
    memcpy(&b, &d, sizeof b);
    put64(v, pair, b);
}

#define ORACLE(name) static void o_##name(uint32_t d[2][4], const uint32_t s[5][4], unsigned mask)

/* Component-wise, of floats a, b, c or of integers. */
#define EACH(name, expr)                                                                                               \
    ORACLE(name)                                                                                                       \
    {                                                                                                                  \
        (void)mask;                                                                                                    \
        for (int i = 0; i < 4; i++) {                                                                                  \
            uint32_t u = s[0][i], v = s[1][i], w = s[2][i], x = s[3][i];                                               \
            float a = f32(u), b = f32(v), c = f32(w);                                                                  \
            (void)u, (void)v, (void)w, (void)x, (void)a, (void)b, (void)c;                                             \
            d[0][i] = (expr);                                                                                          \
        }                                                                                                              \
    }
/* Of the x components, the same in every component. */
#define SAME(name, expr)                                                                                               \
    ORACLE(name)                                                                                                       \
    {                                                                                                                  \
        (void)mask;                                                                                                    \
        float a = f32(s[0][0]), b = f32(s[1][0]);                                                                      \
        (void)a, (void)b;                                                                                              \
        uint32_t r = (expr);                                                                                           \
        for (int i = 0; i < 4; i++)                                                                                    \
            d[0][i] = r;                                                                                               \
    }
/* Whole vectors of floats: A(i), B(i), C(i). */
#define A(i) f32(s[0][i])
#define B(i) f32(s[1][i])
#define C(i) f32(s[2][i])
#define VECTOR(name, x, y, z, w)                                                                                       \
    ORACLE(name)                                                                                                       \
    {                                                                                                                  \
        (void)mask;                                                                                                    \
        d[0][0] = bits(x);                                                                                             \
        d[0][1] = bits(y);                                                                                             \
        d[0][2] = bits(z);                                                                                             \
        d[0][3] = bits(w);                                                                                             \
    }
#define ALL(name, expr) VECTOR(name, expr, expr, expr, expr)

/* "Functions" of the document. */
static float doc_max(float x, float y) { return x > y ? x : y; }
static float doc_min(float x, float y) { return x < y ? x : y; }
static float doc_clamp(float x, float y, float z) { return x < y ? y : x > z ? z : x; }

/* Truncating conversions, out of range as tgsi_exec does on x86; to unsigned 64 bits the nearest. */
static uint32_t to_int(double v)
{
    return v > -2147483649.0 && v < 2147483648.0 ? (uint32_t)(int32_t)v : 0x80000000u;
}

static uint32_t to_uint(double v)
{
    return v >= -9223372036854775808.0 && v < 9223372036854775808.0 ? (uint32_t)(int64_t)v : 0;
}

static uint64_t to_int64(double v)
{
    return v >= -9223372036854775808.0 && v < 9223372036854775808.0 ? (uint64_t)(int64_t)v : 0x8000000000000000u;
}

static uint64_t to_uint64(double v)
{
    return !(v > 0) ? 0 : v < 18446744073709551616.0 ? (uint64_t)v : UINT64_MAX;
}

/* ---- core ---- */
EACH(arl, to_int(floorf(a)))
EACH(arr, to_int(floorf(a + 0.5f)))
EACH(mov, u)
EACH(mul, bits(a *b))
EACH(add, bits(a + b))
EACH(sub, bits(a - b))
EACH(div, bits(a / b))
EACH(min, bits(doc_min(a, b)))
EACH(max, bits(doc_max(a, b)))
EACH(slt, bits(a < b ? 1.0f : 0.0f))
EACH(sge, bits(a >= b ? 1.0f : 0.0f))
EACH(seq, bits(a == b ? 1.0f : 0.0f))
EACH(sgt, bits(a > b ? 1.0f : 0.0f))
EACH(sle, bits(a <= b ? 1.0f : 0.0f))
EACH(sne, bits(a != b ? 1.0f : 0.0f))
static float mad(float a, float b, float c)
{
    volatile float product = a * b;
    return product + c;
}
EACH(mad, bits(mad(a, b, c)))
EACH(lrp, bits(mad(a, b, (1 - a) * c)))
EACH(fma, bits(fmaf(a, b, c)))
EACH(cnd, c > 0.5f ? u : v)
EACH(cmp, a < 0 ? v : w)
EACH(clamp, bits(doc_clamp(a, b, c)))
EACH(frc, bits(a - floorf(a)))
EACH(flr, bits(floorf(a)))
EACH(round, bits(nearbyintf(a)))
EACH(ceil, bits(ceilf(a)))
EACH(trunc, bits(truncf(a)))
EACH(abs, u & 0x7fffffff)
EACH(ssg, bits(a > 0 ? 1.0f : a < 0 ? -1.0f : 0.0f))
EACH(ldexp, bits(ldexpf(a, (int32_t)v)))
SAME(rcp, bits(1 / a))
SAME(rsq, bits(1 / sqrtf(a)))
SAME(sqrt, bits(sqrtf(a)))
SAME(ex2, bits((float)exp2(a)))
SAME(lg2, bits((float)log2(a)))
SAME(pow, bits((float)pow(a, b)))
SAME(sin, bits((float)sin(a)))
SAME(cos, bits((float)cos(a)))
ALL(dp2, mad(A(1), B(1), A(0) * B(0)))
ALL(dp3, mad(A(2), B(2), mad(A(1), B(1), A(0) * B(0))))
ALL(dp4, mad(A(3), B(3), mad(A(2), B(2), mad(A(1), B(1), A(0) * B(0)))))
ALL(dp2a, mad(A(1), B(1), A(0) * B(0)) + C(0))
ALL(dph, mad(A(2), B(2), mad(A(1), B(1), A(0) * B(0))) + B(3))
VECTOR(dst, 1, A(1) * B(1), A(2), B(3))
VECTOR(lit, 1, doc_max(A(0), 0), A(0) > 0 ? (float)pow(doc_max(A(1), 0), doc_clamp(A(3), -128, 128)) : 0, 1)
VECTOR(exp, (float)exp2(floor(A(0))), A(0) - floorf(A(0)), (float)exp2(A(0)), 1)
static float log_floor(float v) { return v > 0 && !isinf(v) ? (float)ilogbf(v) : (float)floor(log2(v)); }
static float log_rest(float v) { return v > 0 && !isinf(v) ? (float)ldexp(v, -ilogbf(v)) : NAN; }
VECTOR(log, log_floor(fabsf(A(0))), log_rest(fabsf(A(0))), (float)log2(fabsf(A(0))), 1)
static float diff(float a, float b, float c, float e)
{
    volatile float left = a * b, right = c * e;
    return left - right;
}
VECTOR(xpd, diff(A(1), B(2), B(1), A(2)), diff(A(2), B(0), B(2), A(0)), diff(A(0), B(1), B(0), A(1)), 1)
static float rfl(const uint32_t s[5][4], int i)
{
    volatile float dot = mad(A(2), B(2), mad(A(1), B(1), A(0) * B(0)));
    volatile float own = mad(A(2), A(2), mad(A(1), A(1), A(0) * A(0)));
    volatile float scaled = 2 * dot / own * A(i);
    return scaled - B(i);
}
VECTOR(rfl, rfl(s, 0), rfl(s, 1), rfl(s, 2), 1)
static float x2d(const uint32_t s[5][4], int i, int j) { return mad(B(1), C(j + 1), mad(B(0), C(j), A(i))); }
VECTOR(x2d, x2d(s, 0, 0), x2d(s, 1, 2), x2d(s, 0, 0), x2d(s, 1, 2))
VECTOR(scs, (float)cos(A(0)), (float)sin(A(0)), 0, 1)
static float length_of(const uint32_t s[5][4], int n)
{
    float sum = A(0) * A(0);
    for (int i = 1; i < n; i++)
        sum = mad(A(i), A(i), sum);
    return sqrtf(sum);
}
VECTOR(nrm, A(0) / length_of(s, 3), A(1) / length_of(s, 3), A(2) / length_of(s, 3), 1)
VECTOR(nrm4, A(0) / length_of(s, 4), A(1) / length_of(s, 4), A(2) / length_of(s, 4), A(3) / length_of(s, 4))
static float rcc(float x)
{
    float r = 1 / x;
    return r > 0 ? doc_clamp(r, 5.42101e-020f, 1.884467e+019f) : doc_clamp(r, -1.884467e+019f, -5.42101e-020f);
}
SAME(rcc, bits(rcc(a)))
SAME(sfl, bits(0.0f))
SAME(str, bits(1.0f))
ORACLE(ara)
{
    (void)mask;
    for (int i = 0; i < 4; i++)
        d[0][i] = s[0][i & 1] + s[0][(i & 1) + 2];
}

/* ---- packing ---- */
/* A float as a half, by searching: the nearest of all halves, ties to the even one. */
static float half_value(uint32_t h)
{
    int e = (int)(h >> 10 & 31);
    float m = (float)(h & 1023);
    float v = e == 31 ? (h & 1023 ? NAN : INFINITY) : e ? ldexpf(1024 + m, e - 25) : ldexpf(m, -24);
    return h & 0x8000 ? -v : v;
}
static uint32_t half_of(float v)
{
    uint32_t sign = bits(v) >> 16 & 0x8000;
    float a = fabsf(v);
    if (isnan(v))
        return sign | 0x7e00 | (bits(v) >> 13 & 0x3ff); /* the high bits of the payload stay */
    if (a >= 65520.0f)
        return sign | 0x7c00;
    uint32_t low = 0, high = 0x7bff;
    while (low < high) { /* the greatest half that is not above */
        uint32_t mid = (low + high + 1) / 2;
        if (half_value(mid) <= a)
            low = mid;
        else
            high = mid - 1;
    }
    if (low == 0x7bff)
        return sign | low;
    double under = (double)a - half_value(low), over = (double)half_value(low + 1) - a;
    if (over < under || (over == under && low & 1))
        low++;
    return sign | low;
}
static uint32_t unorm(float v, float most)
{
    return v > 0 ? (uint32_t)nearbyintf((v < 1 ? v : 1) * most) : 0;
}
static uint32_t snorm8(float v)
{
    float least = -128.0f / 127.0f;
    float held = v > least ? (v < 1 ? v : 1) : least;
    return (uint32_t)nearbyintf(held * 127 + 128);
}
SAME(pk2h, half_of(a) | half_of(f32(s[0][1])) << 16)
SAME(pk2us, unorm(a, 65535) | unorm(f32(s[0][1]), 65535) << 16)
SAME(pk4ub, unorm(a, 255) | unorm(f32(s[0][1]), 255) << 8 | unorm(f32(s[0][2]), 255) << 16 | unorm(f32(s[0][3]),
       255) << 24)
SAME(pk4b, snorm8(a) | snorm8(f32(s[0][1])) << 8 | snorm8(f32(s[0][2])) << 16 | snorm8(f32(s[0][3])) << 24)
VECTOR(up2h, half_value(s[0][0] & 0xffff), half_value(s[0][0] >> 16), half_value(s[0][0] & 0xffff),
       half_value(s[0][0] >> 16))
VECTOR(up2us, (float)(s[0][0] & 0xffff) / 65535, (float)(s[0][0] >> 16) / 65535, (float)(s[0][0] & 0xffff) / 65535,
       (float)(s[0][0] >> 16) / 65535)
#define BYTE(i) (s[0][0] >> (8 * (i)) & 255)
VECTOR(up4ub, (float)BYTE(0) / 255, (float)BYTE(1) / 255, (float)BYTE(2) / 255, (float)BYTE(3) / 255)
VECTOR(up4b, ((float)BYTE(0) - 128) / 127, ((float)BYTE(1) - 128) / 127, ((float)BYTE(2) - 128) / 127,
       ((float)BYTE(3) - 128) / 127)

/* ---- integers ---- */
static uint32_t idiv(uint32_t a, uint32_t b)
{
    return b == 0 ? 0 : b == UINT32_MAX ? 0 - a : (uint32_t)((int32_t)a / (int32_t)b);
}
static uint32_t imod(uint32_t a, uint32_t b)
{
    return b == 0 ? UINT32_MAX : b == UINT32_MAX ? 0 : (uint32_t)((int32_t)a % (int32_t)b);
}
static uint32_t flag(bool holds) { return holds ? UINT32_MAX : 0; }
EACH(mod, imod(u, v))
EACH(idiv, idiv(u, v))
EACH(udiv, v ? u / v : UINT32_MAX)
EACH(umod, v ? u % v : UINT32_MAX)
EACH(sad, (u > v ? u - v : v - u) + w)
EACH(i2f, bits((float)(int32_t)u))
EACH(u2f, bits((float)u))
EACH(f2i, to_int(a))
EACH(f2u, to_uint(a))
EACH(uadd, u + v)
EACH(umad, u *v + w)
EACH(umul, u *v)
EACH(not, ~u)
EACH(and, u &v)
EACH(or, u | v)
EACH(xor, u ^ v)
EACH(imax, (int32_t)u > (int32_t)v ? u : v)
EACH(umax, u > v ? u : v)
EACH(imin, (int32_t)u < (int32_t)v ? u : v)
EACH(umin, u < v ? u : v)
EACH(shl, u << (v & 31))
EACH(ishr, (uint32_t)((int32_t)u >> (v & 31)))
EACH(ushr, u >> (v & 31))
EACH(ucmp, u ? v : w)
EACH(issg, u == 0 ? 0 : (int32_t)u < 0 ? UINT32_MAX : 1)
EACH(islt, flag((int32_t)u < (int32_t)v))
EACH(uslt, flag(u < v))
EACH(isge, flag((int32_t)u >= (int32_t)v))
EACH(usge, flag(u >= v))
EACH(useq, flag(u == v))
EACH(usne, flag(u != v))
EACH(ineg, 0 - u)
EACH(iabs, (int32_t)u < 0 ? 0 - u : u)
EACH(imul_hi, (uint32_t)((int64_t)(int32_t)u * (int32_t)v >> 32))
EACH(umul_hi, (uint32_t)((uint64_t)u * v >> 32))
EACH(fseq, flag(a == b))
EACH(fsge, flag(a >= b))
EACH(fslt, flag(a < b))
EACH(fsne, flag(a != b))
/* Bit by bit. */
static uint32_t field(uint32_t value, uint32_t offset, uint32_t width, bool is_signed)
{
    if (width == 32 && (offset & 31) == 0)
        return value;
    offset &= 31;
    width &= 31;
    uint32_t r = 0, last = 0;
    for (uint32_t i = 0; i < width; i++) {
        if (offset + i < 32)
            last = value >> (offset + i) & 1;
        else if (!is_signed)
            last = 0;
        r |= last << i;
    }
    for (uint32_t i = width; is_signed && width && i < 32; i++)
        r |= last << i;
    return r;
}
static uint32_t insert(uint32_t base, uint32_t value, uint32_t offset, uint32_t width)
{
    if (width == 32)
        return value;
    for (uint32_t i = 0; i < (width & 31); i++) {
        uint32_t at = (offset & 31) + i;
        if (at < 32)
            base = (base & ~(1u << at)) | (value >> i & 1) << at;
    }
    return base;
}
static uint32_t reverse(uint32_t v)
{
    uint32_t r = 0;
    for (int i = 0; i < 32; i++)
        r |= (v >> i & 1) << (31 - i);
    return r;
}
static uint32_t ones(uint32_t v)
{
    uint32_t n = 0;
    for (int i = 0; i < 32; i++)
        n += v >> i & 1;
    return n;
}
static uint32_t lowest(uint32_t v)
{
    for (uint32_t i = 0; i < 32; i++)
        if (v >> i & 1)
            return i;
    return UINT32_MAX;
}
static uint32_t highest(uint32_t v)
{
    for (uint32_t i = 32; i; i--)
        if (v >> (i - 1) & 1)
            return i - 1;
    return UINT32_MAX;
}
EACH(ibfe, field(u, v, w, true))
EACH(ubfe, field(u, v, w, false))
EACH(bfi, insert(u, v, w, x))
EACH(brev, reverse(u))
EACH(popc, ones(u))
EACH(lsb, lowest(u))
EACH(umsb, highest(u))
EACH(imsb, highest((int32_t)u < 0 ? ~u : u))

/* ---- 64 bits ---- */
#define PAIRS(name, statement)                                                                                         \
    ORACLE(name)                                                                                                       \
    {                                                                                                                  \
        (void)mask;                                                                                                    \
        for (unsigned k = 0; k < 2; k++) {                                                                             \
            double a = f64(s[0], k), b = f64(s[1], k), c = f64(s[2], k);                                               \
            uint64_t u = u64(s[0], k), v = u64(s[1], k);                                                               \
            (void)a, (void)b, (void)c, (void)u, (void)v;                                                               \
            statement;                                                                                                 \
        }                                                                                                              \
    }
#define DOUBLE(name, expr) PAIRS(name, putd(d[0], k, expr))
#define LONG(name, expr) PAIRS(name, put64(d[0], k, (uint64_t)(expr)))
#define FLAG64(name, expr) PAIRS(name, d[0][mask >> (2 * k) & 1 ? 2 * k : 2 * k + 1] = flag(expr))
/* A 32-bit result: component k of those that the mask names. */
static unsigned nth(unsigned mask, unsigned k)
{
    for (unsigned i = 0; i < 4; i++)
        if (mask >> i & 1 && k-- == 0)
            return i;
    return 4;
}
#define NARROW(name, expr)                                                                                             \
    PAIRS(name, if (nth(mask, k) < 4) d[0][nth(mask, k)] = (expr))
static double dmad(double a, double b, double c)
{
    volatile double product = a * b;
    return product + c;
}
DOUBLE(dadd, a + b)
DOUBLE(ddiv, a / b)
DOUBLE(dmul, a *b)
DOUBLE(dmad, dmad(a, b, c))
DOUBLE(dfma, fma(a, b, c))
DOUBLE(dmin, a < b ? a : b)
DOUBLE(dmax, a > b ? a : b)
DOUBLE(dfrac, a - floor(a))
DOUBLE(drcp, 1 / a)
DOUBLE(dsqrt, sqrt(a))
DOUBLE(drsq, 1 / sqrt(a))
DOUBLE(dabs, fabs(a))
DOUBLE(dneg, -a)
DOUBLE(dtrunc, trunc(a))
DOUBLE(dceil, ceil(a))
DOUBLE(dflr, floor(a))
DOUBLE(dround, nearbyint(a))
DOUBLE(dssg, a > 0 ? 1.0 : a < 0 ? -1.0 : 0.0)
DOUBLE(dldexp, ldexp(a, (int32_t)s[1][2 * k]))
FLAG64(dseq, a == b)
FLAG64(dslt, a < b)
FLAG64(dsge, a >= b)
FLAG64(dsne, a != b)
NARROW(d2f, bits((float)a))
NARROW(d2i, to_int(a))
NARROW(d2u, to_uint(a))
DOUBLE(f2d, (double)f32(s[0][k]))
DOUBLE(i2d, (double)(int32_t)s[0][k])
DOUBLE(u2d, (double)s[0][k])
ORACLE(dfracexp)
{
    unsigned first = mask & 3 ? 0 : 1; /* the exponents of the pairs that are written come first */
    for (unsigned k = 0; k < 2; k++) {
        int e = 0;
        double v = f64(s[0], k), m = frexp(v, &e);
        putd(d[0], k, m);
        d[1][k ^ first] = v == 0 || isnan(v) || isinf(v) ? 0 : (uint32_t)e;
    }
}
LONG(f2u64, to_uint64(f32(s[0][k])))
LONG(f2i64, to_int64(f32(s[0][k])))
LONG(u2i64, s[0][k])
LONG(i2i64, (int64_t)(int32_t)s[0][k])
LONG(d2u64, to_uint64(a))
LONG(d2i64, to_int64(a))
DOUBLE(u642d, (double)u)
DOUBLE(i642d, (double)(int64_t)u)
NARROW(u642f, bits((float)u))
NARROW(i642f, bits((float)(int64_t)u))
FLAG64(u64seq, u == v)
FLAG64(u64sne, u != v)
FLAG64(i64slt, (int64_t)u < (int64_t)v)
FLAG64(u64slt, u < v)
FLAG64(i64sge, (int64_t)u >= (int64_t)v)
FLAG64(u64sge, u >= v)
LONG(i64min, (int64_t)u < (int64_t)v ? u : v)
LONG(u64min, u < v ? u : v)
LONG(i64max, (int64_t)u > (int64_t)v ? u : v)
LONG(u64max, u > v ? u : v)
LONG(i64abs, (int64_t)u < 0 ? 0 - u : u)
LONG(i64ssg, u == 0 ? 0 : (int64_t)u < 0 ? -1 : 1)
LONG(i64neg, 0 - u)
LONG(u64add, u + v)
LONG(u64mul, u *v)
LONG(u64shl, u << (s[1][2 * k] & 63))
LONG(i64shr, (int64_t)u >> (s[1][2 * k] & 63))
LONG(u64shr, u >> (s[1][2 * k] & 63))
LONG(i64div, v == 0 ? 0 : v == UINT64_MAX ? 0 - u : (uint64_t)((int64_t)u / (int64_t)v))
LONG(u64div, v ? u / v : UINT64_MAX)
LONG(i64mod, v == 0 ? UINT64_MAX : v == UINT64_MAX ? 0 : (uint64_t)((int64_t)u % (int64_t)v))
LONG(u64mod, v ? u % v : UINT64_MAX)

#define FLOATS(NAME, name) {#NAME, o_##name, 0, 'f'}
#define FUNCTION(NAME, name, n) {#NAME, o_##name, n, 'f'}
#define BITS(NAME, name) {#NAME, o_##name, 0, 0}
#define DOUBLES(NAME, name) {#NAME, o_##name, 0, 'd'}
const struct oracle oracles[] = {
    BITS(ARL, arl), BITS(ARR, arr), BITS(UARL, mov), BITS(MOV, mov), BITS(ABS, abs), BITS(ARA, ara), BITS(CMP, cmp),
    BITS(CND, cnd),
    FLOATS(MUL, mul), FLOATS(ADD, add), FLOATS(SUB, sub), FLOATS(DIV, div), FLOATS(MIN, min), FLOATS(MAX, max),
    BITS(SLT, slt), BITS(SGE, sge), BITS(SEQ, seq), BITS(SGT, sgt), BITS(SLE, sle), BITS(SNE, sne),
    FLOATS(MAD, mad), FLOATS(LRP, lrp), FLOATS(FMA, fma), FLOATS(CLAMP, clamp), FLOATS(FRC, frc), FLOATS(FLR, flr),
    FLOATS(ROUND, round), FLOATS(CEIL, ceil), FLOATS(TRUNC, trunc), BITS(SSG, ssg), FLOATS(LDEXP, ldexp),
    FLOATS(RCP, rcp), FLOATS(RSQ, rsq), FLOATS(SQRT, sqrt), FLOATS(RCC, rcc), BITS(SFL, sfl), BITS(STR, str),
    FUNCTION(EX2, ex2, 2), FUNCTION(LG2, lg2, 2), FUNCTION(POW, pow, 2), FUNCTION(SIN, sin, 2), FUNCTION(COS, cos, 2),
    FUNCTION(LIT, lit, 2), FUNCTION(EXP, exp, 2), FUNCTION(LOG, log, 2), FUNCTION(SCS, scs, 2),
    FLOATS(DP2, dp2), FLOATS(DP3, dp3), FLOATS(DP4, dp4), FLOATS(DP2A, dp2a), FLOATS(DPH, dph), FLOATS(DST, dst),
    FLOATS(XPD, xpd), FLOATS(RFL, rfl), FLOATS(X2D, x2d), FLOATS(NRM, nrm), FLOATS(NRM4, nrm4),
    BITS(PK2H, pk2h), BITS(PK2US, pk2us), BITS(PK4UB, pk4ub), BITS(PK4B, pk4b),
    FLOATS(UP2H, up2h), FLOATS(UP2US, up2us), FLOATS(UP4UB, up4ub), FLOATS(UP4B, up4b),
    BITS(MOD, mod), BITS(IDIV, idiv), BITS(UDIV, udiv), BITS(UMOD, umod), BITS(SAD, sad), BITS(I2F, i2f), BITS(U2F,
    u2f),
    BITS(F2I, f2i), BITS(F2U, f2u), BITS(UADD, uadd), BITS(UMAD, umad), BITS(UMUL, umul), BITS(NOT, not), BITS(AND,
    and),
    BITS(OR, or), BITS(XOR, xor), BITS(IMAX, imax), BITS(UMAX, umax), BITS(IMIN, imin), BITS(UMIN, umin), BITS(SHL,
    shl),
    BITS(ISHR, ishr), BITS(USHR, ushr), BITS(UCMP, ucmp), BITS(ISSG, issg), BITS(ISLT, islt), BITS(USLT, uslt),
    BITS(ISGE, isge), BITS(USGE, usge), BITS(USEQ, useq), BITS(USNE, usne), BITS(INEG, ineg), BITS(IABS, iabs),
    BITS(IMUL_HI, imul_hi), BITS(UMUL_HI, umul_hi), BITS(FSEQ, fseq), BITS(FSGE, fsge), BITS(FSLT, fslt), BITS(FSNE,
    fsne),
    BITS(IBFE, ibfe), BITS(UBFE, ubfe), BITS(BFI, bfi), BITS(BREV, brev), BITS(POPC, popc), BITS(LSB, lsb),
    BITS(UMSB, umsb),
    BITS(IMSB, imsb),
    DOUBLES(DADD, dadd), DOUBLES(DDIV, ddiv), DOUBLES(DMUL, dmul), DOUBLES(DMAD, dmad), DOUBLES(DFMA, dfma),
    DOUBLES(DMIN, dmin), DOUBLES(DMAX, dmax), DOUBLES(DFRAC, dfrac), DOUBLES(DRCP, drcp), DOUBLES(DSQRT, dsqrt),
    DOUBLES(DRSQ, drsq), BITS(DABS, dabs), BITS(DNEG, dneg), DOUBLES(DTRUNC, dtrunc), DOUBLES(DCEIL, dceil),
    DOUBLES(DFLR, dflr), DOUBLES(DROUND, dround), DOUBLES(DSSG, dssg), DOUBLES(DLDEXP, dldexp), BITS(DSEQ, dseq),
    BITS(DSLT, dslt), BITS(DSGE, dsge), BITS(DSNE, dsne), FLOATS(D2F, d2f), BITS(D2I, d2i), BITS(D2U, d2u),
    DOUBLES(F2D, f2d), DOUBLES(I2D, i2d), DOUBLES(U2D, u2d), DOUBLES(DFRACEXP, dfracexp),
    BITS(F2U64, f2u64), BITS(F2I64, f2i64), BITS(U2I64, u2i64), BITS(I2I64, i2i64), BITS(D2U64, d2u64), BITS(D2I64,
    d2i64),
    DOUBLES(U642D, u642d), DOUBLES(I642D, i642d), FLOATS(U642F, u642f), FLOATS(I642F, i642f), BITS(U64SEQ, u64seq),
    BITS(U64SNE, u64sne), BITS(I64SLT, i64slt), BITS(U64SLT, u64slt), BITS(I64SGE, i64sge), BITS(U64SGE, u64sge),
    BITS(I64MIN, i64min), BITS(U64MIN, u64min), BITS(I64MAX, i64max), BITS(U64MAX, u64max), BITS(I64ABS, i64abs),
    BITS(I64SSG, i64ssg), BITS(I64NEG, i64neg), BITS(U64ADD, u64add), BITS(U64MUL, u64mul), BITS(U64SHL, u64shl),
    BITS(I64SHR, i64shr), BITS(U64SHR, u64shr), BITS(I64DIV, i64div), BITS(U64DIV, u64div), BITS(I64MOD, i64mod),
    BITS(U64MOD, u64mod),
    {0},
};
