/* round.c - the arithmetic of exec/rounding.h as LLVM builds it: results made exactly, or rounded to odd, in the
 * next wider type and narrowed. Each function is the twin of the one there with the same name. */
#include "exec/jit/strip.h"

#include "base/fmath.h"

#include <llvm/Config/llvm-config.h>

/* ---- to nearest even, denormal results zero, NaNs canonical ---- */

/* Through changes of type alone. */
static V underlying(V x)
{
    while (LLVMIsABitCastInst(x))
        x = LLVMGetOperand(x, 0);
    return x;
}

static const char fixup[] = "llvm.x86.avx512.mask.fixupimm.ps.512";

static V half_of(struct gen *g, V x, unsigned half)
{
    V from[EXEC_CHUNK];
    for (unsigned i = 0; i < EXEC_CHUNK; i++)
        from[i] = LLVMConstInt(g->i32, half * EXEC_CHUNK + i, false);
    return LLVMBuildShuffleVector(g->b, x, LLVMGetUndef(LLVMTypeOf(x)), LLVMConstVector(from, EXEC_CHUNK), "");
}

static V concatenated(struct gen *g, V x, V y)
{
    V from[2 * EXEC_CHUNK];
    for (unsigned i = 0; i < 2 * EXEC_CHUNK; i++)
        from[i] = LLVMConstInt(g->i32, i, false);
    return LLVMBuildShuffleVector(g->b, x, y, LLVMConstVector(from, 2 * EXEC_CHUNK), "");
}

static V bits_of_chunk(struct gen *g, uint32_t bits)
{
    V words = spread_over(g, g->b, LLVMConstInt(g->i32, bits, false), EXEC_CHUNK);
    return LLVMConstBitCast(words, LLVMVectorType(g->f32, EXEC_CHUNK));
}

/* Of 16 lanes: one instruction, which leaves what is in its destination where the number is a NaN. Where the host takes
 * denormal operands for zeros it would lose the sign of zeros. */
static V fixed_chunk(struct gen *g, V x, uint32_t nan)
{
    enum { NAN_STAYS_OTHERS_ARE_COPIED = 0x11111100, CURRENT_ROUNDING = 4 };
    V table = spread_over(g, g->b, LLVMConstInt(g->i32, NAN_STAYS_OTHERS_ARE_COPIED, false), EXEC_CHUNK);
    V none = LLVMConstInt(g->i32, 0, false), all = LLVMConstAllOnes(LLVMInt16TypeInContext(g->context));
    V rounding = LLVMConstInt(g->i32, CURRENT_ROUNDING, false);
    V args[6] = {bits_of_chunk(g, nan), x, table, none, all, rounding};
    return host_instruction(g, g->b, fixup, args, 6);
}

/* In a strip there is none, so that nothing waits for the choice: NaNs are rare. */
V one_nan_f32(struct gen *g, V x, uint32_t nan)
{
    if (g->strip && g->lane) {
        strip_expect(g, fcmp(g, LLVMRealORD, x, x));
        return x;
    }
    if (!g->lane || g->zeroes || g->request->level != EXEC_AVX512)
        return as_f32(g, sel(g, fcmp(g, LLVMRealUNO, x, x), k32(g, nan), as_i32(g, x)));
    if (g->width == EXEC_CHUNK)
        return fixed_chunk(g, x, nan);
    return concatenated(g, fixed_chunk(g, half_of(g, x, 0), nan), fixed_chunk(g, half_of(g, x, 1), nan));
}

/* Made by fixed_chunk, with the canonical NaN? */
static bool is_fixed(struct gen *g, V x)
{
    V fn = LLVMIsACallInst(x) ? LLVMGetCalledValue(x) : NULL;
    return fn && LLVMIsAFunction(fn) && LLVMGetIntrinsicID(fn) == LLVMLookupIntrinsicID(fixup, sizeof fixup - 1) &&
           LLVMGetOperand(x, 0) == bits_of_chunk(g, 0x7fffffff);
}

/* NaNs of a result are canonical. An operation that does the same with its own result can take it as it was before
 * that; where all that use it are such, LLVM leaves the choice out. */
V before_canon(struct gen *g, V x)
{
    V choice = underlying(x);
    if (LLVMIsAShuffleVectorInst(choice) && is_fixed(g, LLVMGetOperand(choice, 0)))
        return LLVMGetOperand(LLVMGetOperand(LLVMGetOperand(choice, 0), 1), 0);
    if (is_fixed(g, choice))
        return LLVMGetOperand(choice, 1);
    if (!LLVMIsASelectInst(choice))
        return x;
    V is_nan = LLVMGetOperand(choice, 0), bits = LLVMGetOperand(choice, 2);
    if (!LLVMIsAFCmpInst(is_nan) || LLVMGetFCmpPredicate(is_nan) != LLVMRealUNO ||
        LLVMGetOperand(is_nan, 0) != LLVMGetOperand(is_nan, 1) ||
        LLVMGetOperand(choice, 1) != k32(g, 0x7fffffff))
        return x;
    return as_f32(g, bits);
}

/* Is it an operation whose denormal results the host makes zero? One of constants is not: LLVM computes it itself. */
static bool is_flushed(const struct gen *g, V x)
{
    static const char fma_name[] = "llvm.fma";
    if (!g->flushes || !LLVMIsAInstruction(x))
        return false;
    V called = LLVMIsACallInst(x) ? LLVMGetCalledValue(x) : NULL;
    if (called)
        return LLVMIsAFunction(called) &&
               LLVMGetIntrinsicID(called) == LLVMLookupIntrinsicID(fma_name, sizeof fma_name - 1);
    LLVMOpcode code = LLVMGetInstructionOpcode(x);
    return code == LLVMFAdd || code == LLVMFSub || code == LLVMFMul;
}

/* What chip() made is never denormal. */
V zeroed(struct gen *g, V x)
{
    V made = before_canon(g, x);
    if (made != x || is_flushed(g, underlying(x)) || (g->zeroes && !LLVMIsConstant(x)))
        return made;
    V bits = as_i32(g, x), denormal = icmp(g, LLVMIntEQ, and2(g, bits, k32(g, 0x7f800000)), k32(g, 0));
    return as_f32(g, sel(g, denormal, and2(g, bits, k32(g, 0x80000000u)), bits));
}

static V sign_of(struct gen *g, V x)
{
    return and2(g, as_i32(g, x), k32(g, 0x80000000u));
}

/* tiny: NULL where the host has done it. */
static V chip(struct gen *g, V r, V tiny)
{
    V bits = tiny ? sel(g, tiny, sign_of(g, r), as_i32(g, r)) : as_i32(g, r);
    V x = as_f32(g, bits);
    return g->s->imm & CHIP_ANY_NAN ? x : one_nan_f32(g, x, 0x7fffffff);
}

static V below(struct gen *g, V x, float limit)
{
    return fcmp(g, LLVMRealOLT, magnitude_f32(g, x), kf(g, limit));
}

/* A constant of that size, in every lane? */
static bool is_constant(V v, double size)
{
    LLVMBool lossy;
    if (!LLVMIsConstant(v))
        return false;
    if (LLVMIsNull(v))
        return size == 0;
    if (LLVMIsAConstantDataVector(v))
#if LLVM_VERSION_MAJOR >= 15
        v = LLVMGetAggregateElement(v, 0);
#else
        v = LLVMGetElementAsConstant(v, 0);
#endif
    if (!LLVMIsAConstantFP(v))
        return true; /* not known to be another */
    double is = LLVMConstRealGetDouble(v, &lossy);
    return is == size || -is == size;
}

/* Does the host flush the result of an operation on these? Not where LLVM leaves the operation out: of constants, and
 * of a number to which nothing is added (`neutral` 0) or that is multiplied by 1 or -1. */
static bool host_flushes(const struct gen *g, V x, V y, double neutral)
{
    bool constant = LLVMIsConstant(x) && LLVMIsConstant(y);
    return g->flushes && !constant && !is_constant(x, neutral) && !is_constant(y, neutral);
}

V chip_add(struct gen *g, V x, V y)
{
    x = before_canon(g, x);
    y = before_canon(g, y);
    V s = fadd(g, x, y);
    return chip(g, s, host_flushes(g, x, y, 0) ? NULL : below(g, s, 0x1p-126f));
}

V chip_sub(struct gen *g, V x, V y)
{
    x = before_canon(g, x);
    y = before_canon(g, y);
    V s = fsub(g, x, y);
    return chip(g, s, host_flushes(g, x, y, 0) ? NULL : below(g, s, 0x1p-126f));
}

V chip_mul(struct gen *g, V x, V y)
{
    x = before_canon(g, x);
    y = before_canon(g, y);
    if (host_flushes(g, x, y, 1))
        return chip(g, fmul(g, x, y), NULL);
    V scaled = fmul(g, fmul(g, x, kf(g, 0x1p60f)), y);
    return chip(g, fmul(g, x, y), below(g, scaled, 0x1p-66f));
}

V chip_fma(struct gen *g, V x, V y, V z)
{
    x = before_canon(g, x);
    y = before_canon(g, y);
    z = before_canon(g, z);
    V plain[3] = {x, y, z};
    bool known = LLVMIsConstant(x) || LLVMIsConstant(y) || LLVMIsConstant(z);
    if (g->flushes && (!known || (host_flushes(g, x, y, 1) && !is_constant(z, 0))))
        return chip(g, intrinsic(g, "llvm.fma", LLVMTypeOf(x), plain, 3), NULL);
    V wide[3] = {fmul(g, x, kf(g, 0x1p60f)), y, fmul(g, z, kf(g, 0x1p60f))};
    LLVMTypeRef t = LLVMTypeOf(x);
    V r = intrinsic(g, "llvm.fma", t, plain, 3), scaled = intrinsic(g, "llvm.fma", t, wide, 3);
    return chip(g, r, or2(g, below(g, r, 0x1p-126f), below(g, scaled, 0x1p-66f)));
}

/* ---- rounded to odd ---- */

static V differs(struct gen *g, V x, V zero)
{
    return or2(g, fcmp(g, LLVMRealOGT, x, zero), fcmp(g, LLVMRealOLT, x, zero));
}

static V odd64(struct gen *g, V s, V err)
{
    V u = as_i64(g, s), lost = zext64(g, differs(g, err, kd(g, 0)));
    V inward = and2(g, lost, lshr(g, xor2(g, as_i64(g, err), u), k64(g, 63)));
    return as_f64(g, or2(g, sub(g, u, inward), lost));
}

static V odd32(struct gen *g, V s, V err)
{
    V u = as_i32(g, s), lost = one_or_zero(g, differs(g, err, kf(g, 0)));
    V inward = and2(g, lost, lshr(g, xor2(g, as_i32(g, err), u), k32(g, 31)));
    return as_f32(g, or2(g, sub(g, u, inward), lost));
}

static V lost32(struct gen *g, V x, V y, V s)
{
    V first = fcmp(g, LLVMRealOGE, magnitude_f32(g, x), magnitude_f32(g, y));
    V large = sel(g, first, x, y), small = sel(g, first, y, x);
    return fsub(g, small, fsub(g, s, large));
}

static V odd_sum64(struct gen *g, V x, V y, unsigned mode)
{
    V s = fadd(g, x, y), t = fsub(g, s, x);
    V sum = odd64(g, s, fadd(g, fsub(g, x, fsub(g, s, t)), fsub(g, y, t)));
    if (mode != IR_RDN)
        return sum;
    V down = and2(g, or2(g, as_i64(g, x), as_i64(g, y)), k64(g, (uint64_t)1 << 63));
    return sel(g, fcmp(g, LLVMRealOEQ, s, kd(g, 0)), as_f64(g, down), sum);
}

static V odd_sum32(struct gen *g, V x, V y, unsigned mode)
{
    V s = fadd(g, x, y), sum = odd32(g, s, lost32(g, x, y, s));
    if (mode != IR_RDN)
        return sum;
    V down = and2(g, or2(g, as_i32(g, x), as_i32(g, y)), k32(g, 0x80000000u));
    return sel(g, fcmp(g, LLVMRealOEQ, s, kf(g, 0)), as_f32(g, down), sum);
}

static V odd_float(struct gen *g, V x)
{
    V r = to_f32(g, x), d = to_f64(g, r);
    V lost = one_or_zero(g, or2(g, fcmp(g, LLVMRealOLT, d, x), fcmp(g, LLVMRealOGT, d, x)));
    V inward = one_or_zero(g, fcmp(g, LLVMRealOGT, magnitude_f64(g, d), magnitude_f64(g, x)));
    return as_f32(g, or2(g, sub(g, as_i32(g, r), inward), lost));
}

/* ---- narrowing ---- */

/* above, below and negative are conditions; the result is 0, 1 or -1. */
static V round_step(struct gen *g, unsigned mode, V negative, V above, V below_)
{
    V zero = k32(g, 0), minus = k32(g, ~0u), one = k32(g, 1);
    V outside = sel(g, sel(g, negative, below_, above), minus, zero);
    V inside = sel(g, sel(g, negative, above, below_), one, zero);
    switch (mode) {
    case IR_RTZ:
        return outside;
    case IR_RUP:
        return sel(g, negative, outside, inside);
    case IR_RDN:
        return sel(g, negative, inside, outside);
    default:
        return zero;
    }
}

static V rounds_below64(struct gen *g, V w, double least, double ulp, unsigned mode)
{
    V size = magnitude_f64(g, w);
    if (mode == IR_RNE || mode == IR_RNA)
        return fcmp(g, LLVMRealOLT, size, kd(g, least - ulp / 2));
    double near = f64_from(f64_bits(least - ulp) + 1);
    V negative = icmp(g, LLVMIntSLT, as_i64(g, w), k64(g, 0));
    V in = fcmp(g, LLVMRealOLT, size, kd(g, least)), away = fcmp(g, LLVMRealOLT, size, kd(g, near));
    return mode == IR_RUP ? sel(g, negative, in, away) : mode == IR_RDN ? sel(g, negative, away, in) : in;
}

static V narrow32(struct gen *g, V w, unsigned mode, bool flush)
{
    V r = to_f32(g, w), d = to_f64(g, r), bits = as_i32(g, r);
    if (mode == IR_RNA) {
        V next = to_f64(g, as_f32(g, add(g, bits, k32(g, 1))));
        V tie = fcmp(g, LLVMRealOEQ, fmul(g, fadd(g, d, next), kd(g, 0.5)), w);
        V inward = fcmp(g, LLVMRealOGT, magnitude_f64(g, w), magnitude_f64(g, d));
        bits = add(g, bits, one_or_zero(g, and2(g, tie, inward)));
    } else if (mode != IR_RNE) {
        V negative = icmp(g, LLVMIntSLT, as_i64(g, w), k64(g, 0));
        bits = add(g, bits, round_step(g, mode, negative, fcmp(g, LLVMRealOGT, d, w), fcmp(g, LLVMRealOLT, d, w)));
    }
    if (flush)
        bits = sel(g, rounds_below64(g, w, 0x1p-126, 0x1p-150, mode), and2(g, bits, k32(g, 0x80000000u)), bits);
    return as_f32(g, bits);
}

static V narrow16(struct gen *g, V w, unsigned mode, bool flush)
{
    V bits = math_half_from_f32(g, w), d = math_half_to_f32(g, bits);
    if (mode == IR_RNA) {
        V next = math_half_to_f32(g, add(g, bits, k32(g, 1)));
        V tie = fcmp(g, LLVMRealOEQ, fmul(g, fadd(g, d, next), kf(g, 0.5f)), w);
        V inward = fcmp(g, LLVMRealOGT, magnitude_f32(g, w), magnitude_f32(g, d));
        bits = add(g, bits, one_or_zero(g, and2(g, tie, inward)));
    } else if (mode != IR_RNE) {
        V negative = icmp(g, LLVMIntSLT, as_i32(g, w), k32(g, 0));
        bits = add(g, bits, round_step(g, mode, negative, fcmp(g, LLVMRealOGT, d, w), fcmp(g, LLVMRealOLT, d, w)));
    }
    if (flush)
        bits = sel(g, rounds_below64(g, to_f64(g, w), 0x1p-14, 0x1p-25, mode), and2(g, bits, k32(g, 0x8000)), bits);
    return bits;
}

/* ---- f32 ---- */

static V flushed32(struct gen *g, V r)
{
    return as_f32(g, sel(g, below(g, r, 0x1p-126f), sign_of(g, r), as_i32(g, r)));
}

/* The sum in another direction than the host's: one step back where it went too far. */
static V directed_sum(struct gen *g, V x, V y, V s, unsigned mode)
{
    V lost = lost32(g, x, y, s), bits = as_i32(g, s), zero = kf(g, 0), ones = k32(g, 0x7fffffff);
    V inf = k32(g, 0x7f800000), negative = icmp(g, LLVMIntSLT, bits, k32(g, 0));
    V above = fcmp(g, LLVMRealOLT, lost, zero), under = fcmp(g, LLVMRealOGT, lost, zero);
    V ax = and2(g, as_i32(g, x), ones), ay = and2(g, as_i32(g, y), ones);
    V large = sel(g, icmp(g, LLVMIntUGT, ax, ay), ax, ay);
    V over = and2(g, icmp(g, LLVMIntEQ, and2(g, bits, ones), inf), icmp(g, LLVMIntULT, large, inf));
    above = or2(g, above, and2(g, over, not1(g, negative)));
    under = or2(g, under, and2(g, over, negative));
    bits = add(g, bits, round_step(g, mode, negative, above, under));
    if (mode == IR_RDN) {
        V down = and2(g, or2(g, as_i32(g, x), as_i32(g, y)), k32(g, 0x80000000u));
        bits = sel(g, fcmp(g, LLVMRealOEQ, s, zero), down, bits);
    }
    return as_f32(g, bits);
}

static V add32(struct gen *g, V x, V y, unsigned mode, bool flush)
{
    V s = fadd(g, x, y);
    if (mode == IR_RNA)
        s = narrow32(g, odd_sum64(g, to_f64(g, x), to_f64(g, y), mode), mode, flush);
    else if (mode != IR_RNE)
        s = directed_sum(g, x, y, s, mode);
    return flush ? flushed32(g, s) : s;
}

static V mul32(struct gen *g, V x, V y, unsigned mode, bool flush)
{
    if (mode != IR_RNE)
        return narrow32(g, fmul(g, to_f64(g, x), to_f64(g, y)), mode, flush);
    V r = fmul(g, x, y);
    if (!flush)
        return r;
    V tiny = below(g, fmul(g, fmul(g, x, kf(g, 0x1p60f)), y), 0x1p-66f);
    return as_f32(g, sel(g, tiny, sign_of(g, r), as_i32(g, r)));
}

static V div32(struct gen *g, V x, V y, unsigned mode, bool flush)
{
    if (mode == IR_RNE && !flush)
        return fdiv(g, x, y);
    return narrow32(g, fdiv(g, to_f64(g, x), to_f64(g, y)), mode, flush);
}

static V rfma32(struct gen *g, V x, V y, V z, unsigned mode, bool flush)
{
    V product = fmul(g, to_f64(g, x), to_f64(g, y));
    return narrow32(g, odd_sum64(g, product, to_f64(g, z), mode), mode, flush);
}

static V sqrt32(struct gen *g, V x, unsigned mode, bool flush)
{
    if (mode == IR_RNE)
        return intrinsic(g, "llvm.sqrt", LLVMTypeOf(x), &x, 1);
    V w = to_f64(g, x);
    return narrow32(g, intrinsic(g, "llvm.sqrt", LLVMTypeOf(w), &w, 1), mode, flush);
}

static V scaled64(struct gen *g, V x, V n)
{
    V high = k32(g, 400), low = k32(g, (uint32_t)-400);
    n = sel(g, icmp(g, LLVMIntSGT, n, high), high, n);
    n = sel(g, icmp(g, LLVMIntSLT, n, low), low, n);
    return fmul(g, x, as_f64(g, shl(g, add(g, sext64(g, n), k64(g, 1023)), k64(g, 52))));
}

/* ---- f16, in f32 ---- */

static V add16(struct gen *g, V x, V y, unsigned mode, bool flush)
{
    return narrow16(g, mode == IR_RNE ? fadd(g, x, y) : odd_sum32(g, x, y, mode), mode, flush);
}

static V fma16(struct gen *g, V x, V y, V z, unsigned mode, bool flush)
{
    return narrow16(g, odd_sum32(g, fmul(g, x, y), z, mode), mode, flush);
}

static V number(struct gen *g, V x, bool is_signed)
{
    return is_signed ? LLVMBuildSIToFP(g->b, x, shaped(g, g->f64), "")
                     : LLVMBuildUIToFP(g->b, x, shaped(g, g->f64), "");
}

/* ---- the list ---- */

#define ROUNDED(E)                                                                                                   \
    E(ADD_R32, 2, f, f, f, add32(g, x, y, M, FO))                                                                    \
    E(SUB_R32, 2, f, f, f, add32(g, x, neg_f32(g, y), M, FO))                                                        \
    E(MUL_R32, 2, f, f, f, mul32(g, x, y, M, FO))                                                                    \
    E(DIV_R32, 2, f, f, f, div32(g, x, y, M, FO))                                                                    \
    E(FMA_R32, 3, f, f, f, rfma32(g, x, y, z, M, FO))                                                                \
    E(SQRT_R32, 1, f, f, f, sqrt32(g, x, M, FO))                                                                     \
    E(LDEXP_R32, 2, f, f, i, narrow32(g, scaled64(g, to_f64(g, x), y), M, FO))                                       \
    E(D2F_R, 1, f, F, F, narrow32(g, x, M, FO))                                                                      \
    E(S2F_R, 1, f, i, i, narrow32(g, number(g, x, true), M, FO))                                                     \
    E(U2F_R, 1, f, i, i, narrow32(g, number(g, x, false), M, FO))                                                    \
    E(ADD_R16, 2, h, h, h, add16(g, x, y, M, FO))                                                                    \
    E(SUB_R16, 2, h, h, h, add16(g, x, neg_f32(g, y), M, FO))                                                        \
    E(MUL_R16, 2, h, h, h, narrow16(g, fmul(g, x, y), M, FO))                                                        \
    E(DIV_R16, 2, h, h, h, narrow16(g, fdiv(g, x, y), M, FO))                                                        \
    E(FMA_R16, 3, h, h, h, fma16(g, x, y, z, M, FO))                                                                 \
    E(SQRT_R16, 1, h, h, h, narrow16(g, sqrt32(g, x, IR_RNE, false), M, FO))                                         \
    E(LDEXP_R16, 2, h, h, i, narrow16(g, odd_float(g, scaled64(g, to_f64(g, x), y)), M, FO))                         \
    E(F2H_R, 1, h, f, f, narrow16(g, x, M, FO))                                                                      \
    E(D2H_R, 1, h, F, F, narrow16(g, odd_float(g, x), M, FO))                                                        \
    E(S2H_R, 1, h, i, i, narrow16(g, odd_float(g, number(g, x, true)), M, FO))                                       \
    E(U2H_R, 1, h, i, i, narrow16(g, odd_float(g, number(g, x, false)), M, FO))

typedef V rounded_fn(struct gen *g, V x, V y, V z, unsigned M, bool FO);
#define E(name, n, td, ta, tb, ...)                                                                                  \
    static V rounded_##name(struct gen *g, V x, V y, V z, unsigned M, bool FO)                                       \
    {                                                                                                                \
        (void)x, (void)y, (void)z;                                                                                   \
        return __VA_ARGS__;                                                                                          \
    }
ROUNDED(E)
#undef E

static const struct rounded {
    uint16_t handler;
    uint8_t nargs;
    char types[4]; /* letters: result, first argument, the others */
    rounded_fn *fn;
} rounded[] = {
#define E(name, n, td, ta, tb, ...) {H_##name, n, #td #ta #tb, rounded_##name},
    ROUNDED(E)
#undef E
};

static const struct rounded *find_rounded(uint16_t handler)
{
    for (size_t i = 0; i < sizeof rounded / sizeof rounded[0]; i++)
        if (rounded[i].handler == handler)
            return &rounded[i];
    return NULL;
}

bool rounded_known(const struct jit_step *s, enum exec_level level)
{
    (void)level;
    return find_rounded(s->handler) && (s->aux & IR_ROUND_MASK) <= IR_RNA;
}

static bool letter_wide(char letter)
{
    return letter == 'F';
}

/* An argument: denormals flushed where that is asked for, and a half as f32. */
static V argument(struct gen *g, char letter, uint32_t at, unsigned stride)
{
    V bits = row_get(g, at, stride, letter_wide(letter), KIND_INT);
    bool flush = g->s->aux & IR_FLUSH_IN;
    if (letter == 'i')
        return bits;
    if (letter == 'F') {
        V size = and2(g, bits, k64(g, ~((uint64_t)1 << 63)));
        V tiny = icmp(g, LLVMIntULT, size, k64(g, (uint64_t)1 << 52));
        return as_f64(g, flush ? sel(g, tiny, and2(g, bits, k64(g, (uint64_t)1 << 63)), bits) : bits);
    }
    uint32_t sign = letter == 'h' ? 0x8000 : 0x80000000u, least = letter == 'h' ? 0x0400 : 0x00800000;
    if (flush) {
        V tiny = icmp(g, LLVMIntULT, and2(g, bits, k32(g, sign - 1)), k32(g, least));
        bits = sel(g, tiny, and2(g, bits, k32(g, sign)), bits);
    }
    return letter == 'h' ? math_half_to_f32(g, bits) : as_f32(g, bits);
}

void rounded_emit(struct gen *g)
{
    const struct jit_step *s = g->s;
    const struct rounded *r = find_rounded(s->handler);
    const uint32_t at[3] = {s->a, s->b, s->c};
    const uint8_t stride[3] = {s->sa, s->sb, s->sc};
    V x[3] = {NULL, NULL, NULL};
    g->lane = false;
    for (unsigned k = 0; k < r->nargs && s->form != JIT_SCALAR; k++)
        g->lane |= stride[k] != 0;
    g->b = g->lane ? g->loop : g->entry;
    for (unsigned k = 0; k < r->nargs; k++)
        x[k] = argument(g, r->types[k ? 2 : 1], at[k], s->form == JIT_SCALAR ? 0 : stride[k]);
    V v = r->fn(g, x[0], x[1], x[2], s->aux & IR_ROUND_MASK, s->aux & IR_FLUSH_OUT);
    if (r->types[0] == 'f')
        v = as_i32(g, v);
    if (s->aux & (IR_NAN_CANON | IR_NAN_X86)) {
        bool half = r->types[0] == 'h', x86 = s->aux & IR_NAN_X86;
        uint32_t ones = half ? 0x7fff : 0x7fffffff, inf = half ? 0x7c00 : 0x7f800000;
        uint32_t nan = !x86 ? ones : half ? 0xfe00 : 0xffc00000;
        V is_nan = half ? icmp(g, LLVMIntUGT, and2(g, v, k32(g, ones)), k32(g, inf))
                        : fcmp(g, LLVMRealUNO, as_f32(g, v), as_f32(g, v));
        v = sel(g, is_nan, k32(g, nan), v);
    }
    row_put(g, s->d, false, v);
}
