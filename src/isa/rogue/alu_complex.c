/* alu_complex.c - complex and trigonometric operations (chapter 6), by the exact functions of base/fmath.h in double,
 * rounded once. Denormals count as zeros; every NaN is +NaN. */
#include "base/fmath.h"
#include "isa/rogue/alu.h"

#include <math.h>

enum { INFINITE = 0x7f800000, ONE = 0x3f800000 };

static uint32_t rounded(double v)
{
    uint32_t u = f32_bits((float)v);
    if ((u & 0x7fffffff) > INFINITE)
        return ROGUE_NAN;
    return (u & 0x7f800000) ? u : u & 0x80000000; /* denormals */
}

static double exp2_of(double x)
{
    return fmath_exp2_core(x, FMATH_TWICE);
}

static double log2_of(double x)
{
    return fmath_log2_core(x, FMATH_TWICE);
}

/* sRGB's curves, with the constants that the appendix has for them: SC136 to SC140, SC156 to SC159. */
static double compress(double x)
{
    return x <= 0.0031308 ? 12.92 * x : 1.055 * exp2_of(log2_of(x) / 2.4) - 0.055;
}

static double expand(double x)
{
    return x <= 0.04045 ? x / 12.92 : exp2_of(log2_of((x + 0.055) / 1.055) * 2.4);
}

/* Infinities would leave the range of the cores. */
static uint32_t gamma_curve(enum rogue_complex op, double x)
{
    if (x > 0x1p127)
        return op == ROGUE_GAMMA_COMPRESS && x < INFINITY ? rounded(compress(x)) : INFINITE;
    return rounded(op == ROGUE_GAMMA_COMPRESS ? compress(x) : expand(x));
}

/* sin(x pi/2) / x on [-1, 1]; pi/2 below an exponent of 103. */
static uint32_t sinc(uint32_t x)
{
    double d = f32_from(x);
    if ((x >> 23 & 0xff) < 103)
        return rounded(0x1.921fb54442d18p0);
    return rounded((fabs(d) <= 1.0 ? sin(d * 0x1.921fb54442d18p0) : 0.0) / d);
}

/* arctan(x) / x; 1 below 0x39c00000. */
static uint32_t arctanc(uint32_t x)
{
    double d = fabs((double)f32_from(x));
    return (x & 0x7fffffff) < 0x39c00000 ? ONE : rounded(atan(d) / d);
}

/* What sinc must be asked and multiplied with: r in [-1, 1] with sin(r pi/2) the sine or cosine of x. */
static uint32_t reduce(uint32_t x, unsigned turns)
{
    float f = f32_from(x);
    uint32_t quadrant;
    double r;
    if ((x & 0x7fffffff) >= INFINITE)
        return ROGUE_NAN;
    if (fmath_is_far(f)) {
        r = fmath_reduce_far(f, &quadrant);
    } else {
        double d = f, k = rint(d * 0x1.45f306dc9c883p-1);
        r = (d - k * 0x1.921fb54400000p+0) - k * 0x1.0b4611a626331p-34;
        quadrant = (uint32_t)(int64_t)k;
    }
    r *= 0x1.45f306dc9c883p-1; /* quadrants: -1/2 to 1/2 */
    switch ((quadrant + turns) & 3) {
    case 0:
        return rounded(r);
    case 2:
        return rounded(-r);
    default: /* a quarter turn further: from the top down on both sides */
        r = 1.0 - fabs(r);
        return rounded(((quadrant + turns) & 3) == 1 ? r : -r);
    }
}

uint32_t rogue_complex(enum rogue_complex op, uint32_t x)
{
    uint32_t magnitude = x & 0x7fffffff, sign = x & 0x80000000;
    if (magnitude > INFINITE)
        return ROGUE_NAN;
    if (magnitude < 0x00800000) {
        magnitude = 0;
        x = sign;
    }
    double d = f32_from(x);
    switch (op) {
    case ROGUE_RCP:
        return magnitude == 0 ? sign | INFINITE : rounded(1.0 / d);
    case ROGUE_RSQ:
        return magnitude == 0 ? sign | INFINITE : sign ? ROGUE_NAN : rounded(1.0 / sqrt(d));
    case ROGUE_SQRT:
        return magnitude == 0 ? x : sign ? ROGUE_NAN : rounded(sqrt(d));
    case ROGUE_LOG:
        return rounded(fmath_log2(f32_from(x)));
    case ROGUE_EXP:
        return rounded(fmath_exp2(f32_from(x)));
    case ROGUE_GAMMA_COMPRESS:
    case ROGUE_GAMMA_EXPAND:
        return gamma_curve(op, d);
    case ROGUE_SINC:
        return sinc(x);
    case ROGUE_ARCTANC:
        return arctanc(x);
    case ROGUE_RED_SIN:
        return reduce(x, 0);
    case ROGUE_RED_COS:
        return reduce(x, 1);
    default:
        return 0;
    }
}

void rogue_lanes_complex(unsigned count, const void *const *args, void *const *results, uint64_t imm)
{
    const uint32_t *x = args[0];
    uint32_t *out = results[0];
    for (unsigned i = 0; i < count; i++)
        out[i] = rogue_complex((enum rogue_complex)imm, x[i]);
}
