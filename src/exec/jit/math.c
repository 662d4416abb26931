/* math.c - the functions of base/fmath.h as LLVM builds them: the same operations in the same order, so the same
 * bits. */
#include "exec/jit/gen.h"

#include "base/fmath.h"

/* a * b + c. */
static V add_product(struct gen *g, enum fmath_rounding how, V a, V b, V c)
{
    V args[3] = {a, b, c};
    if (how == FMATH_TWICE || g->request->level == EXEC_BASELINE)
        return fadd(g, fmul(g, a, b), c);
    return intrinsic(g, "llvm.fma", LLVMTypeOf(a), args, 3);
}

/* ((c[0] * x + c[1]) * x + c[2]) ... */
static V polynomial(struct gen *g, enum fmath_rounding how, V x, const double *c, unsigned n)
{
    V p = coefficient(g, c[0]);
    for (unsigned i = 1; i < n; i++)
        p = add_product(g, how, p, x, coefficient(g, c[i]));
    return p;
}

static V exp2_core(struct gen *g, enum fmath_rounding how, V d)
{
    static const double c[] = {0x1.63d136366db24p-20, 0x1.00dc4a532fb8ep-16, 0x1.4308ac85aa947p-13,
                               0x1.5d8745a728441p-10, 0x1.3b2ab7181b755p-7,  0x1.c6b08dd6fd234p-5,
                               0x1.ebfbdff823cedp-3,  0x1.62e42fef84cf0p-1,  1.0};
    V shift = kd(g, fmath_shift + 1023.0), t = fadd(g, d, shift), r = fsub(g, d, fsub(g, t, shift));
    V scale = shl(g, as_i64(g, t), k64(g, 52));
    return fmul(g, polynomial(g, how, r, c, sizeof c / sizeof c[0]), as_f64(g, scale));
}

static V log2_core(struct gen *g, enum fmath_rounding how, V d)
{
    static const double c[] = {0x1.b594042f590e9p-3, 0x1.c46df723fd2ebp-3, 0x1.0ca160eda205bp-2, 0x1.484afb77d8797p-2,
                               0x1.a61762d699b46p-2, 0x1.2776c50ee39a4p-1, 0x1.ec709dc3a047dp-1, 0x1.71547652b82fep+1};
    V bits = as_i64(g, d), limit = k64(g, (uint64_t)1024 << 52);
    V u = add(g, sub(g, bits, k64(g, 0x3fe6a09e667f3bcdu)), limit);
    V e = fsub(g, as_f64(g, or2(g, lshr(g, u, k64(g, 52)), k64(g, 0x4330000000000000u))), kd(g, 0x1p52 + 1024.0));
    V m = as_f64(g, add(g, sub(g, bits, and2(g, u, k64(g, 0xfff0000000000000u))), limit));
    V s = fdiv(g, fsub(g, m, kd(g, 1.0)), fadd(g, m, kd(g, 1.0))), v = fmul(g, s, s);
    return add_product(g, how, s, polynomial(g, how, v, c, sizeof c / sizeof c[0]), e);
}

static V clamp200(struct gen *g, V d)
{
    d = sel(g, fcmp(g, LLVMRealOGT, d, kd(g, 200.0)), kd(g, 200.0), d);
    return sel(g, fcmp(g, LLVMRealOLT, d, kd(g, -200.0)), kd(g, -200.0), d);
}

V math_exp2(struct gen *g, V x)
{
    V low = kf(g, -200.0f), high = kf(g, 200.0f);
    x = sel(g, fcmp(g, LLVMRealOGT, x, high), high, x);
    x = sel(g, fcmp(g, LLVMRealOLT, x, low), low, x);
    return to_f32(g, exp2_core(g, FMATH_FUSED, to_f64(g, x)));
}

V math_log2(struct gen *g, V x)
{
    V inf = as_f32(g, k32(g, 0x7f800000)), zero = kf(g, 0.0f);
    V usual = and2(g, fcmp(g, LLVMRealOGT, x, zero), fcmp(g, LLVMRealOLT, x, inf));
    V r = to_f32(g, log2_core(g, FMATH_FUSED, sel(g, usual, to_f64(g, x), kd(g, 1.0))));
    V odd = sel(g, fcmp(g, LLVMRealUNO, x, x), x, as_f32(g, k32(g, 0x7fc00000)));
    odd = sel(g, fcmp(g, LLVMRealOEQ, x, inf), inf, odd);
    odd = sel(g, fcmp(g, LLVMRealOEQ, x, zero), as_f32(g, k32(g, 0xff800000)), odd);
    return sel(g, usual, r, odd);
}

/* Is |y|, given as fy, what rounding to an integer leaves? */
static V is_integral(struct gen *g, V fy)
{
    V shift = kf(g, 0x1p23f), small = fcmp(g, LLVMRealOLT, fy, shift);
    V whole = sel(g, small, fsub(g, fadd(g, fy, shift), shift), fy);
    return fcmp(g, LLVMRealOEQ, whole, fy);
}

V math_pow(struct gen *g, V x, V y)
{
    V bx = as_i32(g, x), ax = and2(g, bx, k32(g, 0x7fffffff)), ay = and2(g, as_i32(g, y), k32(g, 0x7fffffff));
    V zero = icmp(g, LLVMIntEQ, ax, k32(g, 0)), big = icmp(g, LLVMIntUGE, ax, k32(g, 0x7f800000));
    V odd_base = or2(g, zero, big);
    V l = log2_core(g, FMATH_TWICE, sel(g, odd_base, kd(g, 1.0), to_f64(g, as_f32(g, ax))));
    V z = fmul(g, l, to_f64(g, y)), up = fcmp(g, LLVMRealOGT, y, kf(g, 0.0f));
    z = sel(g, zero, sel(g, up, kd(g, -1000.0), kd(g, 1000.0)), z);
    z = sel(g, icmp(g, LLVMIntEQ, ax, k32(g, 0x7f800000)), sel(g, up, kd(g, 1000.0), kd(g, -1000.0)), z);
    z = sel(g, icmp(g, LLVMIntEQ, ax, k32(g, 0x3f800000)), kd(g, 0.0), z);
    V r = to_f32(g, exp2_core(g, FMATH_TWICE, clamp200(g, z)));
    V fy = as_f32(g, ay), integral = is_integral(g, fy), even = is_integral(g, fmul(g, fy, kf(g, 0.5f)));
    V negative = icmp(g, LLVMIntSLT, bx, k32(g, 0));
    V flip = and2(g, negative, and2(g, integral, not1(g, even)));
    r = as_f32(g, xor2(g, as_i32(g, r), sel(g, flip, k32(g, 0x80000000u), k32(g, 0))));
    V none = and2(g, negative, and2(g, not1(g, integral), not1(g, odd_base)));
    r = sel(g, none, as_f32(g, k32(g, 0x7fc00000)), r);
    r = sel(g, fcmp(g, LLVMRealUNO, x, y), fadd(g, x, y), r);
    V one = or2(g, icmp(g, LLVMIntEQ, ay, k32(g, 0)), fcmp(g, LLVMRealOEQ, x, kf(g, 1.0f)));
    return sel(g, one, kf(g, 1.0f), r);
}

V math_sin_near(struct gen *g, V x, uint32_t turns)
{
    static const double c[] = {0x1.52ace1b0688a6p-33,  -0x1.ae00fcf69e436p-26, 0x1.71dce5a9d7545p-19,
                               -0x1.a019fce967168p-13, 0x1.111111090ed51p-7,   -0x1.5555555540b89p-3};
    V d = to_f64(g, x), part = coefficient(g, 0x1.45f306dc9c883p-2), half = coefficient(g, 0.5);
    V shift = coefficient(g, fmath_shift), t = add_product(g, FMATH_FUSED, d, part, turns ? half : shift);
    t = turns ? fadd(g, t, shift) : t;
    V k = fsub(g, t, coefficient(g, fmath_shift));
    k = turns ? fsub(g, k, half) : k;
    V r = add_product(g, FMATH_FUSED, k, coefficient(g, -0x1.921fb54400000p+1), d);
    r = add_product(g, FMATH_FUSED, k, coefficient(g, -0x1.0b4611a626331p-33), r);
    V v = fmul(g, r, r), p = polynomial(g, FMATH_FUSED, v, c, sizeof c / sizeof c[0]);
    V s = fmul(g, add_product(g, FMATH_TWICE, p, v, coefficient(g, 0x1.ffffffffffdcep-1)), r);
    return to_f32(g, as_f64(g, xor2(g, as_i64(g, s), shl(g, as_i64(g, t), k64(g, 63)))));
}

V math_half_from_f32(struct gen *g, V x)
{
    V u = as_i32(g, x), sign = and2(g, lshr(g, u, k32(g, 16)), k32(g, 0x8000)), a = and2(g, u, k32(g, 0x7fffffff));
    V round = add(g, k32(g, 0xfff), and2(g, lshr(g, a, k32(g, 13)), k32(g, 1)));
    V normal = lshr(g, add(g, sub(g, a, k32(g, 0x38000000u)), round), k32(g, 13));
    V denormal = sub(g, as_i32(g, fadd(g, as_f32(g, a), kf(g, 0.5f))), k32(g, 0x3f000000u));
    V r = sel(g, icmp(g, LLVMIntULT, a, k32(g, 0x38800000u)), denormal, normal);
    r = sel(g, icmp(g, LLVMIntUGE, a, k32(g, 0x477ff000u)), k32(g, 0x7c00), r);
    V nan = or2(g, k32(g, 0x7e00), and2(g, lshr(g, a, k32(g, 13)), k32(g, 0x3ff)));
    return or2(g, sign, sel(g, icmp(g, LLVMIntUGT, a, k32(g, 0x7f800000u)), nan, r));
}

V math_half_to_f32(struct gen *g, V h)
{
    V sign = shl(g, and2(g, h, k32(g, 0x8000)), k32(g, 16)), a = shl(g, and2(g, h, k32(g, 0x7fff)), k32(g, 13));
    V least = as_f32(g, k32(g, 0x38800000u)), exponent = and2(g, h, k32(g, 0x7c00));
    V denormal = as_i32(g, fsub(g, as_f32(g, add(g, a, k32(g, 0x38800000u))), least));
    V r = sel(g, icmp(g, LLVMIntEQ, exponent, k32(g, 0)), denormal, add(g, a, k32(g, 0x38000000u)));
    r = sel(g, icmp(g, LLVMIntEQ, exponent, k32(g, 0x7c00)), or2(g, a, k32(g, 0x7f800000u)), r);
    return as_f32(g, or2(g, sign, r));
}
