/* lift_ext_function.c - functions of GLSL.std.450 that are not ops of the IR: exponentials, inverse and hyperbolic.
 *
 * They are computed in doubles by additions, products, divisions and square roots alone, so that every host gives the
 * same bits. The inverse tangent is reduced to a small argument by atan x = atan c + atan((x - c) / (1 + x c)) and
 * summed by its series; the others follow from it and from 2^x and log2 x, which are far more precise than f32 asks
 * for. */
#include "isa/spirv/ext.h"

#include "base/fmath.h"

#include <math.h>
#include <spirv/unified1/GLSL.std.450.h>

#define HALF_PI 1.57079632679489661923
#define PI 3.14159265358979323846
#define LN2 0.693147180559945309417
#define LOG2E 1.44269504088896340736

/* atan x for 0 <= x <= 1. */
static double atan_unit(double x)
{
    static const double base[] = {0, 0.24497866312686415417, 0.46364760900080611621, 0.64350110879328438680, PI / 4};
    unsigned k = (unsigned)(x * 4 + 0.5);
    double c = k / 4.0, t = (x - c) / (1 + x * c), t2 = t * t;
    double s = 1 / 15.0;
    s = 1 / 13.0 - t2 * s;
    s = 1 / 11.0 - t2 * s;
    s = 1 / 9.0 - t2 * s;
    s = 1 / 7.0 - t2 * s;
    s = 1 / 5.0 - t2 * s;
    s = 1 / 3.0 - t2 * s;
    return base[k] + t * (1 - t2 * s);
}

static double atan_any(double x)
{
    double a = fabs(x);
    double v = a <= 1 ? atan_unit(a) : HALF_PI - atan_unit(1 / a);
    return x < 0 ? -v : v;
}

static double atan_two(double y, double x)
{
    double a = fabs(x), b = fabs(y), v;
    if (a == 0 && b == 0)
        v = 0;
    else if (isinf(a) && isinf(b))
        v = PI / 4;
    else
        v = b <= a ? atan_unit(b / a) : HALF_PI - atan_unit(a / b);
    v = signbit(x) ? PI - v : v;
    return signbit(y) ? -v : v;
}

static double exp_any(double x)
{
    double d = x * LOG2E;
    if (d >= 1000)
        return (double)INFINITY;
    if (d < -1000)
        return 0;
    return fmath_exp2_core(d, FMATH_TWICE);
}

static double log_any(double x)
{
    if (x < 0)
        return (double)NAN;
    if (x == 0)
        return -(double)INFINITY;
    if (!(x < (double)INFINITY))
        return x;
    return fmath_log2_core(x, FMATH_TWICE) * LN2;
}

static double one(unsigned number, double x)
{
    double a = fabs(x), s;
    switch (number) {
    case GLSLstd450Exp:
        return exp_any(x);
    case GLSLstd450Log:
        return log_any(x);
    case GLSLstd450Atan:
        return atan_any(x);
    case GLSLstd450Asin:
        return a > 1 ? (double)NAN : atan_two(x, sqrt((1 - x) * (1 + x)));
    case GLSLstd450Acos:
        return a > 1 ? (double)NAN : atan_two(sqrt((1 - x) * (1 + x)), x);
    case GLSLstd450Sinh:
        if (a < 0.1) /* the difference of exponentials would lose digits */
            return x * (1 + x * x / 6 * (1 + x * x / 20 * (1 + x * x / 42)));
        return (exp_any(x) - exp_any(-x)) / 2;
    case GLSLstd450Cosh:
        return (exp_any(x) + exp_any(-x)) / 2;
    case GLSLstd450Tanh:
        if (a < 0.1)
            return one(GLSLstd450Sinh, x) / one(GLSLstd450Cosh, x);
        s = exp_any(-2 * a);
        return x < 0 ? -(1 - s) / (1 + s) : (1 - s) / (1 + s);
    case GLSLstd450Asinh:
        if (a < 0.05) {
            double t = x * x;
            return x * (1 - t / 6 * (1 - t * 9 / 20 * (1 - t * 25 / 42)));
        }
        s = a > 1e150 ? log_any(a) + LN2 : log_any(a + sqrt(a * a + 1));
        return x < 0 ? -s : s;
    case GLSLstd450Acosh:
        return x < 1 ? (double)NAN : x > 1e150 ? log_any(x) + LN2 : log_any(x + sqrt((x - 1) * (x + 1)));
    default: /* GLSLstd450Atanh */
        if (a < 0.05) {
            double t = x * x;
            return x * (1 + t * (1 / 3.0 + t * (1 / 5.0 + t * (1 / 7.0 + t / 9))));
        }
        return a > 1 ? (double)NAN : log_any((1 + x) / (1 - x)) / 2;
    }
}

/* ---- over lanes ---- */

static void ones_f32(unsigned count, const void *const *args, void *const *results, uint64_t imm)
{
    const float *x = args[0];
    float *out = results[0];
    for (unsigned i = 0; i < count; i++)
        out[i] = isnan(x[i]) ? x[i] : (float)one((unsigned)imm, (double)x[i]);
}

static void atans_f32(unsigned count, const void *const *args, void *const *results, uint64_t imm)
{
    const float *y = args[0], *x = args[1];
    float *out = results[0];
    (void)imm;
    for (unsigned i = 0; i < count; i++)
        out[i] = isnan(x[i]) ? x[i] : isnan(y[i]) ? y[i] : (float)atan_two((double)y[i], (double)x[i]);
}

static ir_value widened(struct spirv_lifter *l, ir_value v)
{
    return ir_type_of(&l->b, v) == IR_F32 ? v : spirv_cvt(l, IR_F2F, IR_F32, v);
}

ir_value spirv_ext_function(struct spirv_lifter *l, uint32_t number, const ir_value *x, unsigned n)
{
    enum ir_type type = ir_type_of(&l->b, x[0]);
    bool known = (number >= GLSLstd450Asin && number <= GLSLstd450Atan2) || number == GLSLstd450Exp ||
                 number == GLSLstd450Log;
    if (!known || type == IR_F64)
        return 0;
    ir_value a[2] = {widened(l, x[0]), n > 1 ? widened(l, x[1]) : 0};
    ir_value v = n > 1 ? spirv_call(l, "spirv_atan2", atans_f32, IR_F32, 0, a, 2)
                       : spirv_call(l, "spirv_function", ones_f32, IR_F32, number, a, 1);
    return type == IR_F32 ? v : spirv_cvt(l, IR_F2F, type, v);
}
