/* alu_sfu.c - the special function unit (alu.h). Results are made in double and rounded once. */
#include "isa/valhall/alu.h"

#include "base/fmath.h"

#include <math.h>
#include <stdbool.h>

enum { TURN = 64, APPROX_BITS = 14 };

static bool is_special(float x)
{
    return x == 0 || !isfinite(x);
}

/* ---- splitting ---- */

static int split(float x, enum valhall_split how, double *significand)
{
    int exponent;
    double m = frexp((double)x, &exponent);
    if (how == VALHALL_SPLIT_SQRT && (exponent & 1)) {
        m *= 0.5;
        exponent++;
    }
    if (how == VALHALL_SPLIT_LOG && fabs(m) < 0.75) {
        m *= 2;
        exponent--;
    }
    *significand = m;
    return how == VALHALL_SPLIT_SQRT ? exponent / 2 : exponent;
}

float valhall_significand(float x, enum valhall_split how)
{
    double m;
    if (is_special(x))
        return x;
    split(x, how, &m);
    return (float)m;
}

int32_t valhall_exponent(float x, enum valhall_split how)
{
    double m;
    return is_special(x) ? 0 : split(x, how, &m);
}

/* ---- logarithms: log2 x = exponent + (m - 1) * flogd(x) ---- */

/* log2(m) / (m - 1) by the series of atanh: with s = (m - 1) / (m + 1), log m = 2 (s + s^3 / 3 + ...). m is in
 * [0.75, 1.5), so |s| <= 0.2 and sixteen terms reach beyond double. */
static double log_factor(double m)
{
    double s = (m - 1) / (m + 1), square = s * s, sum = 0;
    for (int k = 31; k >= 1; k -= 2)
        sum = sum * square + 1.0 / k;
    return 2 * sum / (m + 1) * 0x1.71547652b82fep+0; /* 1 / log 2 */
}

float valhall_flogd(float x)
{
    if (x == 0 || x == INFINITY)
        return INFINITY;
    if (!(x > 0))
        return NAN;
    return (float)log_factor((double)valhall_significand(x, VALHALL_SPLIT_LOG));
}

float valhall_log_table(float x)
{
    if (x == 0)
        return -INFINITY;
    if (x == INFINITY)
        return INFINITY;
    if (!(x > 0))
        return NAN;
    float m = valhall_significand(x, VALHALL_SPLIT_LOG);
    double inverse = (double)valhall_rcp_approx(m) * (m < 1 ? 1 : 0.5); /* FRCP_APPROX has halved what is 1 and more */
    return (float)-(log_factor(inverse) * (inverse - 1));
}

/* ---- exponentials ---- */

/* No float below 2^31 converts to INT32_MAX: the conversion was saturated. INT32_MIN may have been -128 or less: then
 * the float decides, which is the argument itself, or 2^24 times it as Mesa's compiler passes it. */
float valhall_fexp(int32_t fixed, float x)
{
    if (isnan(x))
        return NAN;
    if (fixed == INT32_MAX)
        return INFINITY;
    double exponent = (double)fixed * 0x1p-24;
    if (fixed == INT32_MIN && x < -128.0f)
        exponent = x <= -0x1p31f ? (double)x * 0x1p-24 : (double)x;
    if (exponent < -160)
        return 0;
    double whole = floor(exponent);
    return (float)ldexp(fmath_exp2_core(exponent - whole, FMATH_TWICE), (int)whole);
}

float valhall_exp_table(uint32_t index)
{
    return (float)fmath_exp2_core((double)(index & 15) / 16, FMATH_TWICE);
}

/* ---- sines ---- */

/* Of k 64ths of a turn: reduced to an eighth of a turn, where the polynomials are good to double. */
static double sine(uint32_t k)
{
    static const double step = 0x1.921fb54442d18p-4; /* 2 pi / 64 */
    uint32_t quadrant = k / (TURN / 4) & 3, in = k % (TURN / 4);
    bool far = in > TURN / 8, cosine = (quadrant & 1) != far;
    double angle = (far ? TURN / 4 - in : in) * step, square = angle * angle, v = 0;
    for (int n = 10; n >= 0; n--) /* sum of (-1)^n x^(2n [+ 1]) / (2n [+ 1])! by Horner's rule */
        v = 1 - v * square / ((2 * n + (cosine ? 1 : 2)) * (2 * n + (cosine ? 2 : 3)));
    v = cosine ? v : v * angle;
    return quadrant & 2 ? -v : v;
}

float valhall_sin_table(uint32_t index)
{
    return (float)sine(index % TURN);
}

float valhall_cos_table(uint32_t index)
{
    return (float)sine((index + TURN / 4) % TURN);
}

float valhall_sincos_offset(uint32_t index)
{
    int32_t k = (int32_t)(index % TURN);
    return (float)((k > TURN / 2 ? k - TURN : k) * 0x1.921fb54442d18p-4);
}

/* ---- roots and reciprocals ---- */

float valhall_rsq(float x)
{
    if (x == 0)
        return copysignf(INFINITY, x);
    return x < 0 ? NAN : (float)(1 / sqrt((double)x));
}

/* Keep the first bits of a significand, rounded, as a table would have them. */
static float coarse(double v)
{
    uint32_t drop = 23 - APPROX_BITS, bits = f32_bits((float)v);
    return f32_from((bits + (1u << (drop - 1))) & ~((1u << drop) - 1));
}

float valhall_rcp_approx(float x)
{
    if (isnan(x))
        return NAN;
    if (x == 0)
        return copysignf(INFINITY, x);
    if (isinf(x))
        return copysignf(0, x);
    return coarse(1 / (double)valhall_significand(x, VALHALL_SPLIT_FREXP));
}

float valhall_rsq_approx(float x)
{
    if (is_special(x) || x < 0)
        return valhall_rsq(x);
    return coarse(1 / sqrt((double)valhall_significand(x, VALHALL_SPLIT_SQRT)));
}

/* ---- classes ---- */

static uint32_t class_of(bool negative, uint32_t exponent, uint32_t most, uint32_t fraction, uint32_t quiet)
{
    if (exponent == most && fraction)
        return fraction & quiet ? 1u << 9 : 1u << 8;
    unsigned magnitude = exponent == most ? 0 : exponent ? 1 : fraction ? 2 : 3;
    return 1u << (negative ? magnitude : 7 - magnitude);
}

uint32_t valhall_class32(uint32_t bits)
{
    return class_of(bits >> 31, bits >> 23 & 0xff, 0xff, bits & 0x7fffff, 0x400000);
}

uint32_t valhall_class16(uint32_t bits)
{
    return class_of(bits >> 15 & 1, bits >> 10 & 0x1f, 0x1f, bits & 0x3ff, 0x200);
}

/* ---- arc tangent ---- */

struct octant {
    uint32_t number; /* bit 0: |y| > |x|, bit 1: x negative, bit 2: y negative */
    double ratio;
};

static struct octant octant_of(float y, float x)
{
    double ay = fabs((double)y), ax = fabs((double)x), large = ay > ax ? ay : ax, small = ay > ax ? ax : ay;
    struct octant o = {(ay > ax) | (signbit(x) ? 2u : 0) | (signbit(y) ? 4u : 0), 0};
    if (isnan(x) || isnan(y))
        o.ratio = NAN;
    else if (isinf(large))
        o.ratio = isinf(small) ? 1 : 0;
    else if (large != 0)
        o.ratio = floor(small / large * 64 + 0.5) / 64;
    return o;
}

uint32_t valhall_atan_assist(float y, float x)
{
    struct octant o = octant_of(y, x);
    return o.number | f16_from_f32((float)o.ratio) << 16;
}

/* atan of 0 to 1: halved twice by atan r = 2 atan(r / (1 + sqrt(1 + r^2))), then its series. */
static double atan_ratio(double r)
{
    for (int k = 0; k < 2; k++)
        r = r / (1 + sqrt(1 + r * r));
    double square = r * r, sum = 0;
    for (int k = 31; k >= 1; k -= 2)
        sum = 1.0 / k - square * sum;
    return 4 * r * sum;
}

float valhall_atan_table(float y, float x)
{
    struct octant o = octant_of(y, x);
    if (isnan(o.ratio))
        return NAN;
    double angle = atan_ratio(o.ratio);
    if (o.number & 1)
        angle = 0x1.921fb54442d18p+0 - angle;
    if (o.number & 2)
        angle = 0x1.921fb54442d18p+1 - angle;
    return (float)(o.number & 4 ? -angle : angle);
}

/* ---- rows of lanes ---- */

#define UNARY(name, function, from, to)                                                                                \
    VALHALL_LANES_FN(name)                                                                                             \
    {                                                                                                                  \
        const from *x = args[0];                                                                                       \
        to *r = results[0];                                                                                            \
        (void)imm;                                                                                                     \
        for (unsigned i = 0; i < count; i++)                                                                           \
            r[i] = function(x[i]);                                                                                     \
    }
#define SPLIT(name, function, to)                                                                                      \
    VALHALL_LANES_FN(name)                                                                                             \
    {                                                                                                                  \
        const float *x = args[0];                                                                                      \
        to *r = results[0];                                                                                            \
        for (unsigned i = 0; i < count; i++)                                                                           \
            r[i] = function(x[i], (enum valhall_split)imm);                                                            \
    }
#define BINARY(name, function, first, second, to)                                                                      \
    VALHALL_LANES_FN(name)                                                                                             \
    {                                                                                                                  \
        const first *x = args[0];                                                                                      \
        const second *y = args[1];                                                                                     \
        to *r = results[0];                                                                                            \
        (void)imm;                                                                                                     \
        for (unsigned i = 0; i < count; i++)                                                                           \
            r[i] = function(x[i], y[i]);                                                                               \
    }
SPLIT(significand, valhall_significand, float)
SPLIT(exponent, valhall_exponent, int32_t)
UNARY(flogd, valhall_flogd, float, float)
UNARY(log_table, valhall_log_table, float, float)
BINARY(fexp, valhall_fexp, int32_t, float, float)
UNARY(exp_table, valhall_exp_table, uint32_t, float)
UNARY(sin_table, valhall_sin_table, uint32_t, float)
UNARY(cos_table, valhall_cos_table, uint32_t, float)
UNARY(sincos_offset, valhall_sincos_offset, uint32_t, float)
UNARY(rsq, valhall_rsq, float, float)
UNARY(rcp_approx, valhall_rcp_approx, float, float)
UNARY(rsq_approx, valhall_rsq_approx, float, float)
UNARY(class32, valhall_class32, uint32_t, uint32_t)
UNARY(class16, valhall_class16, uint32_t, uint32_t)
BINARY(atan_assist, valhall_atan_assist, float, float, uint32_t)
BINARY(atan_table, valhall_atan_table, float, float, float)
