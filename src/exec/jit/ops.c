/* ops.c - component-wise operations: for each handler of frame.h that has no loop of its own the same expression,
 * as LLVM builds it. What a handler takes and gives is read from frame.h's own list. */
#include "exec/jit/gen.h"

#include <string.h>

/* ---- what handlers take and give ---- */

struct signature {
    char types[5]; /* letters of frame.h: the result, then the arguments */
};

#define S1(name, td, ta, ...) [H_##name] = {#td #ta},
#define S2(name, td, ta, tb, ...) [H_##name] = {#td #ta #tb},
#define S3(name, td, ta, tb, tc, ...) [H_##name] = {#td #ta #tb #tc},
#define NONE(name, ...)
static const struct signature signatures[HANDLER_COUNT] = {
    HANDLERS(S1, S2, S3, S1, S2, S3, S1, S2, S3, NONE, NONE)
        ATTRIBUTE_HANDLERS(NONE, NONE, NONE, NONE, NONE, NONE, S1, S2, S1, S2, S2, S3)};

static bool is_wide(char letter)
{
    return letter == 'U' || letter == 'I' || letter == 'F';
}

static enum kind kind_of_letter(char letter)
{
    return letter == 'f' || letter == 'F' ? KIND_FLOAT : KIND_INT;
}

/* ---- expressions that several handlers share ---- */

static V unary_intrinsic(struct gen *g, const char *name, V x)
{
    return intrinsic(g, name, LLVMTypeOf(x), &x, 1);
}

/* Functions that say what they do at zero: ctlz and cttz. */
static V count_intrinsic(struct gen *g, const char *name, V x)
{
    V args[2] = {x, LLVMConstInt(g->i1, 0, false)};
    return intrinsic(g, name, LLVMTypeOf(x), args, 2);
}

static V fma3(struct gen *g, V x, V y, V z)
{
    V args[3] = {x, y, z};
    return intrinsic(g, "llvm.fma", LLVMTypeOf(x), args, 3);
}

static V min_s(struct gen *g, V x, V y) { return sel(g, icmp(g, LLVMIntSLT, x, y), x, y); }
static V max_s(struct gen *g, V x, V y) { return sel(g, icmp(g, LLVMIntSGT, x, y), x, y); }
static V min_u(struct gen *g, V x, V y) { return sel(g, icmp(g, LLVMIntULT, x, y), x, y); }
static V max_u(struct gen *g, V x, V y) { return sel(g, icmp(g, LLVMIntUGT, x, y), x, y); }
static V fmin_sec(struct gen *g, V x, V y) { return sel(g, fcmp(g, LLVMRealOLT, x, y), x, y); }
static V fmax_sec(struct gen *g, V x, V y) { return sel(g, fcmp(g, LLVMRealOGT, x, y), x, y); }

/* A number against a NaN: `nan` is the operand whose NaN gives x. */
static V minmax(struct gen *g, LLVMRealPredicate p, V x, V y, V nan)
{
    V first = or2(g, fcmp(g, p, x, y), fcmp(g, LLVMRealUNO, nan, nan));
    return sel(g, first, x, y);
}

static V half_high(struct gen *g, V x, V y, bool is_signed)
{
    V wx = is_signed ? sext64(g, x) : zext64(g, x), wy = is_signed ? sext64(g, y) : zext64(g, y);
    return trunc32(g, lshr(g, mul(g, wx, wy), k64(g, 32)));
}

static V float_of(struct gen *g, V x, LLVMTypeRef to, bool is_signed)
{
    return is_signed ? LLVMBuildSIToFP(g->b, x, shaped(g, to), "") : LLVMBuildUIToFP(g->b, x, shaped(g, to), "");
}

/* x to an integer by truncation, 0 where `inside` does not hold. */
static V int_of(struct gen *g, V x, LLVMTypeRef to, V inside)
{
    V zero = LLVMConstNull(LLVMTypeOf(x));
    return LLVMBuildFPToSI(g->b, sel(g, inside, x, zero), shaped(g, to), "");
}

static V saturated(struct gen *g, V x, V one, bool keep_nan)
{
    V zero = LLVMConstNull(LLVMTypeOf(x));
    V r = sel(g, fcmp(g, LLVMRealOGT, x, zero), x, zero); /* in this order LLVM makes MAXPS and MINPS of them */
    r = sel(g, fcmp(g, LLVMRealOLT, r, one), r, one);
    return keep_nan ? sel(g, fcmp(g, LLVMRealUNO, x, x), x, r) : r;
}

static V f2s_limits(struct gen *g, V x, V low, V high)
{
    return and2(g, fcmp(g, LLVMRealOGE, x, low), fcmp(g, LLVMRealOLT, x, high));
}

static V f2s32(struct gen *g, V x, bool clamp)
{
    V high = kf(g, 0x1p31f), in = f2s_limits(g, x, kf(g, -0x1p31f), high), v = int_of(g, x, g->i32, in);
    V out = k32(g, 0x80000000u);
    if (clamp) {
        out = sel(g, fcmp(g, LLVMRealUNO, x, x), k32(g, 0), out);
        out = sel(g, fcmp(g, LLVMRealOGE, x, high), k32(g, 0x7fffffff), out);
    }
    return sel(g, in, v, out);
}

static V f2u32_clamp_(struct gen *g, V x)
{
    V top = kf(g, 0x1p32f), half = kf(g, 0x1p31f);
    V in = and2(g, fcmp(g, LLVMRealOGT, x, kf(g, 0)), fcmp(g, LLVMRealOLT, x, top));
    V high = and2(g, in, fcmp(g, LLVMRealOGE, x, half));
    V v = int_of(g, sel(g, high, fsub(g, x, half), x), g->i32, in);
    v = xor2(g, v, sel(g, high, k32(g, 0x80000000u), k32(g, 0)));
    return sel(g, fcmp(g, LLVMRealOGE, x, top), k32(g, ~0u), v);
}

static V f2u32_x86_(struct gen *g, V x)
{
    V in = and2(g, fcmp(g, LLVMRealOGT, x, kf(g, -1.0f)), fcmp(g, LLVMRealOLT, x, kf(g, 0x1p32f)));
    return sel(g, in, f2u32_clamp_(g, x), k32(g, 0x80000000u));
}

static V d2sl_in(struct gen *g, V x, uint64_t out)
{
    V in = f2s_limits(g, x, kd(g, -0x1p63), kd(g, 0x1p63));
    return sel(g, in, int_of(g, x, g->i64, in), k64(g, out));
}

static V d2s32(struct gen *g, V x, bool clamp)
{
    V high = kd(g, 2147483648.0);
    V in = and2(g, fcmp(g, LLVMRealOGT, x, kd(g, -2147483649.0)), fcmp(g, LLVMRealOLT, x, high));
    V v = int_of(g, x, g->i32, in), out = k32(g, 0x80000000u);
    if (clamp) {
        out = sel(g, fcmp(g, LLVMRealUNO, x, x), k32(g, 0), out);
        out = sel(g, fcmp(g, LLVMRealOGE, x, high), k32(g, 0x7fffffff), out);
    }
    return sel(g, in, v, out);
}

/* The divisor, where it is a constant that LLVM's division and frame.h's agree about; 0: it is not. */
static uint32_t known_divisor(const struct gen *g, bool is_signed)
{
    uint64_t bits;
    bool known = row_known(g, g->s->b, &bits) && bits;
    return known && !(is_signed && (uint32_t)bits == UINT32_MAX) ? (uint32_t)bits : 0;
}

/* Quotients through doubles, as scalar.h has them. */
static V quotient(struct gen *g, V x, V y, bool is_signed)
{
    if (known_divisor(g, is_signed))
        return is_signed ? LLVMBuildSDiv(g->b, x, y, "") : LLVMBuildUDiv(g->b, x, y, "");
    V zero = icmp(g, LLVMIntEQ, y, k32(g, 0)), safe = sel(g, zero, k32(g, 1), y);
    V q = fdiv(g, float_of(g, x, g->f64, is_signed), float_of(g, safe, g->f64, is_signed));
    q = trunc32(g, LLVMBuildFPToSI(g->b, q, shaped(g, g->i64), ""));
    return sel(g, zero, k32(g, ~0u), q);
}

static V remainder_(struct gen *g, V x, V y, bool is_signed)
{
    V r = sub(g, x, mul(g, quotient(g, x, y, is_signed), y));
    return sel(g, icmp(g, LLVMIntEQ, y, k32(g, 0)), k32(g, ~0u), r);
}

static V flushed_bits(struct gen *g, V x, uint32_t exponent, uint32_t sign)
{
    V denormal = icmp(g, LLVMIntEQ, and2(g, x, k32(g, exponent)), k32(g, 0));
    return sel(g, denormal, and2(g, x, k32(g, sign)), x);
}

static V is_nan(struct gen *g, V x) { return fcmp(g, LLVMRealUNO, x, x); }

static V canon_bits(struct gen *g, V x, uint32_t magnitude, uint32_t inf, uint32_t nan)
{
    return sel(g, icmp(g, LLVMIntUGT, and2(g, x, k32(g, magnitude)), k32(g, inf)), k32(g, nan), x);
}

static V one_nan32(struct gen *g, V x, uint32_t nan)
{
    return as_i32(g, one_nan_f32(g, as_f32(g, x), nan));
}

static V one_nan64(struct gen *g, V x, uint64_t nan)
{
    return sel(g, is_nan(g, as_f64(g, x)), k64(g, nan), x);
}

static V ldexp_(struct gen *g, V x, V n)
{
    n = min_s(g, n, k32(g, 400));
    n = max_s(g, n, k32(g, (uint32_t)-400));
    V scale = shl(g, add(g, sext64(g, n), k64(g, 1023)), k64(g, 52));
    return to_f32(g, fmul(g, to_f64(g, x), as_f64(g, scale)));
}

/* Of f32: neither 0 nor infinite nor NaN. */
static V plain_number(struct gen *g, V x)
{
    V a = and2(g, as_i32(g, x), k32(g, 0x7fffffff));
    return and2(g, icmp(g, LLVMIntNE, a, k32(g, 0)), icmp(g, LLVMIntULT, a, k32(g, 0x7f800000)));
}

static V mantissa(struct gen *g, V x)
{
    V u = as_i64(g, to_f64(g, x));
    u = or2(g, and2(g, u, k64(g, 0x800fffffffffffffu)), k64(g, 0x3fe0000000000000u));
    return sel(g, plain_number(g, x), to_f32(g, as_f64(g, u)), x);
}

static V exponent(struct gen *g, V x)
{
    V u = lshr(g, as_i64(g, to_f64(g, x)), k64(g, 52));
    V e = sub(g, trunc32(g, and2(g, u, k64(g, 0x7ff))), k32(g, 1022));
    return sel(g, plain_number(g, x), e, k32(g, 0));
}

/* a < b, where -0 is below +0. */
static V less_zeros(struct gen *g, V a, V b)
{
    V same = fcmp(g, LLVMRealOEQ, a, b), x = as_i32(g, a), y = as_i32(g, b);
    V signs = and2(g, icmp(g, LLVMIntSLT, x, k32(g, 0)), icmp(g, LLVMIntSGE, y, k32(g, 0)));
    return or2(g, fcmp(g, LLVMRealOLT, a, b), and2(g, same, signs));
}

static V add_sat(struct gen *g, V x, V y, bool minus)
{
    V s = minus ? sub(g, x, y) : add(g, x, y);
    V over = and2(g, xor2(g, x, s), xor2(g, minus ? x : y, minus ? y : s));
    V limit = add(g, k32(g, 0x7fffffff), lshr(g, x, k32(g, 31)));
    return sel(g, icmp(g, LLVMIntSLT, over, k32(g, 0)), limit, s);
}

static V count32(struct gen *g, V y) { return and2(g, y, k32(g, 31)); }
static V count64(struct gen *g, V y) { return zext64(g, and2(g, y, k32(g, 63))); }

static V rounded_away(struct gen *g, V x)
{
    V t = unary_intrinsic(g, "llvm.trunc", x), rest = magnitude_f32(g, fsub(g, x, t));
    V step = as_f32(g, or2(g, and2(g, as_i32(g, x), k32(g, 0x80000000u)), k32(g, 0x3f800000u)));
    V away = and2(g, fcmp(g, LLVMRealOGE, rest, kf(g, 0.5f)), fcmp(g, LLVMRealOLT, rest, kf(g, 1.0f)));
    return sel(g, away, fadd(g, t, step), t);
}

/* ---- the list: E(handler, expression of x, y, z) ---- */

#define EMITTERS(E)                                                                                                  \
    E(COPY64, x)                                                                                                     \
    E(PACK64, or2(g, shl(g, zext64(g, y), k64(g, 32)), zext64(g, x)))                                                \
    E(LO32, trunc32(g, x))                                                                                           \
    E(HI32, trunc32(g, lshr(g, x, k64(g, 32))))                                                                      \
    E(ADD_I32, add(g, x, y))                                                                                         \
    E(SUB_I32, sub(g, x, y))                                                                                         \
    E(MUL_I32, mul(g, x, y))                                                                                         \
    E(MULADD_I32, add(g, mul(g, x, y), z))                                                                           \
    E(MULHI_S32, half_high(g, x, y, true))                                                                           \
    E(MULHI_U32, half_high(g, x, y, false))                                                                          \
    E(DIV_S32, quotient(g, x, y, true))                                                                              \
    E(DIV_U32, quotient(g, x, y, false))                                                                             \
    E(REM_S32, remainder_(g, x, y, true))                                                                            \
    E(REM_U32, remainder_(g, x, y, false))                                                                           \
    E(NEG_I32, sub(g, k32(g, 0), x))                                                                                 \
    E(ABS_I32, sel(g, icmp(g, LLVMIntSLT, x, k32(g, 0)), sub(g, k32(g, 0), x), x))                                   \
    E(MIN_S32, min_s(g, x, y))                                                                                       \
    E(MAX_S32, max_s(g, x, y))                                                                                       \
    E(MIN_U32, min_u(g, x, y))                                                                                       \
    E(MAX_U32, max_u(g, x, y))                                                                                       \
    E(SHL32, shl(g, x, count32(g, y)))                                                                               \
    E(SHR_S32, ashr(g, x, count32(g, y)))                                                                            \
    E(SHR_U32, lshr(g, x, count32(g, y)))                                                                            \
    E(POPCOUNT32, unary_intrinsic(g, "llvm.ctpop", x))                                                               \
    E(CLZ32, count_intrinsic(g, "llvm.ctlz", x))                                                                     \
    E(CTZ32, count_intrinsic(g, "llvm.cttz", x))                                                                     \
    E(BITREV32, unary_intrinsic(g, "llvm.bitreverse", x))                                                            \
    E(EQ32, icmp(g, LLVMIntEQ, x, y))                                                                                \
    E(NE32, icmp(g, LLVMIntNE, x, y))                                                                                \
    E(LT_S32, icmp(g, LLVMIntSLT, x, y))                                                                             \
    E(LE_S32, icmp(g, LLVMIntSLE, x, y))                                                                             \
    E(LT_U32, icmp(g, LLVMIntULT, x, y))                                                                             \
    E(LE_U32, icmp(g, LLVMIntULE, x, y))                                                                             \
    E(FADD32, fadd(g, x, y))                                                                                         \
    E(FSUB32, fsub(g, x, y))                                                                                         \
    E(FMUL32, fmul(g, x, y))                                                                                         \
    E(FDIV32, fdiv(g, x, y))                                                                                         \
    E(FMULADD32, fadd(g, fmul(g, x, y), z))                                                                          \
    E(FMULSUB32, fsub(g, fmul(g, x, y), z))                                                                          \
    E(FSUBMUL32, fsub(g, z, fmul(g, x, y)))                                                                          \
    E(FMULMUL32, fmul(g, fmul(g, x, y), z))                                                                          \
    E(FADDADD32, fadd(g, fadd(g, x, y), z))                                                                          \
    E(FADDMUL32, fmul(g, fadd(g, x, y), z))                                                                          \
    E(FSUBMULT32, fmul(g, fsub(g, x, y), z))                                                                         \
    E(XOR_SHR32, xor2(g, lshr(g, x, count32(g, y)), z))                                                              \
    E(XOR_XOR32, xor2(g, xor2(g, x, y), z))                                                                          \
    E(XOR_MUL32, xor2(g, mul(g, x, y), z))                                                                           \
    E(MUL_XOR32, mul(g, xor2(g, x, y), z))                                                                           \
    E(SHR_MUL32, lshr(g, mul(g, x, y), count32(g, z)))                                                               \
    E(AND_SHR32, and2(g, lshr(g, x, count32(g, y)), z))                                                              \
    E(SHL_SHRS32, ashr(g, shl(g, x, count32(g, y)), count32(g, z)))                                                  \
    E(CLAMP_S32, max_s(g, min_s(g, x, y), z))                                                                        \
    E(CLAMP_S64, max_s(g, min_s(g, x, y), z))                                                                        \
    E(U2F_MUL32, fmul(g, float_of(g, x, g->f32, false), y))                                                          \
    E(S2F_MUL32, fmul(g, float_of(g, x, g->f32, true), y))                                                           \
    E(CLAMP_SEC32, fmin_sec(g, fmax_sec(g, x, y), z))                                                                \
    E(FFMA32, fma3(g, x, y, z))                                                                                      \
    E(FSQRT32, unary_intrinsic(g, "llvm.sqrt", x))                                                                   \
    E(FNEG32, xor2(g, x, k32(g, 0x80000000u)))                                                                       \
    E(FABS32, and2(g, x, k32(g, 0x7fffffffu)))                                                                       \
    E(FMIN_NUM32, minmax(g, LLVMRealOLT, x, y, y))                                                                   \
    E(FMAX_NUM32, minmax(g, LLVMRealOGT, x, y, y))                                                                   \
    E(FMIN_SEC32, fmin_sec(g, x, y))                                                                                 \
    E(FMAX_SEC32, fmax_sec(g, x, y))                                                                                 \
    E(FMIN_NAN32, minmax(g, LLVMRealOLT, x, y, x))                                                                   \
    E(FMAX_NAN32, minmax(g, LLVMRealOGT, x, y, x))                                                                   \
    E(FSAT32, saturated(g, x, kf(g, 1.0f), false))                                                                   \
    E(FSAT_NAN32, saturated(g, x, kf(g, 1.0f), true))                                                                \
    E(FRINT_RNE32, unary_intrinsic(g, "llvm.nearbyint", x))                                                          \
    E(FRINT_RTZ32, unary_intrinsic(g, "llvm.trunc", x))                                                              \
    E(FRINT_RUP32, unary_intrinsic(g, "llvm.ceil", x))                                                               \
    E(FRINT_RDN32, unary_intrinsic(g, "llvm.floor", x))                                                              \
    E(FRINT_RNA32, rounded_away(g, x))                                                                               \
    E(FEQ32, fcmp(g, LLVMRealOEQ, x, y))                                                                             \
    E(FNE32, fcmp(g, LLVMRealUNE, x, y))                                                                             \
    E(FLT32, fcmp(g, LLVMRealOLT, x, y))                                                                             \
    E(FLE32, fcmp(g, LLVMRealOLE, x, y))                                                                             \
    E(FUNORD32, fcmp(g, LLVMRealUNO, x, y))                                                                          \
    E(FLDEXP32, ldexp_(g, x, y))                                                                                     \
    E(FREXP_MANT32, mantissa(g, x))                                                                                  \
    E(FREXP_EXP32, exponent(g, x))                                                                                   \
    E(FEXP2_32, math_exp2(g, x))                                                                                     \
    E(FLOG2_32, math_log2(g, x))                                                                                     \
    E(FPOW32, math_pow(g, x, y))                                                                                     \
    E(S2F32, float_of(g, x, g->f32, true))                                                                           \
    E(U2F32, float_of(g, x, g->f32, false))                                                                          \
    E(F2S32_CLAMP, f2s32(g, x, true))                                                                                \
    E(F2U32_CLAMP, f2u32_clamp_(g, x))                                                                               \
    E(F2S32_X86, f2s32(g, x, false))                                                                                 \
    E(F2U32_X86, f2u32_x86_(g, x))                                                                                   \
    E(F2U32_WRAP, trunc32(g, d2sl_in(g, to_f64(g, x), (uint64_t)1 << 63)))                                           \
    E(F2H, math_half_from_f32(g, x))                                                                                 \
    E(H2F, math_half_to_f32(g, x))                                                                                   \
    E(ADD_I64, add(g, x, y))                                                                                         \
    E(SUB_I64, sub(g, x, y))                                                                                         \
    E(MUL_I64, mul(g, x, y))                                                                                         \
    E(NEG_I64, sub(g, k64(g, 0), x))                                                                                 \
    E(ABS_I64, sel(g, icmp(g, LLVMIntSLT, x, k64(g, 0)), sub(g, k64(g, 0), x), x))                                   \
    E(MIN_S64, min_s(g, x, y))                                                                                       \
    E(MAX_S64, max_s(g, x, y))                                                                                       \
    E(MIN_U64, min_u(g, x, y))                                                                                       \
    E(MAX_U64, max_u(g, x, y))                                                                                       \
    E(AND64, and2(g, x, y))                                                                                          \
    E(OR64, or2(g, x, y))                                                                                            \
    E(XOR64, xor2(g, x, y))                                                                                          \
    E(NOT64, not1(g, x))                                                                                             \
    E(SHL64, shl(g, x, count64(g, y)))                                                                               \
    E(SHR_S64, ashr(g, x, count64(g, y)))                                                                            \
    E(SHR_U64, lshr(g, x, count64(g, y)))                                                                            \
    E(POPCOUNT64, unary_intrinsic(g, "llvm.ctpop", x))                                                               \
    E(CLZ64, count_intrinsic(g, "llvm.ctlz", x))                                                                     \
    E(CTZ64, count_intrinsic(g, "llvm.cttz", x))                                                                     \
    E(BITREV64, unary_intrinsic(g, "llvm.bitreverse", x))                                                            \
    E(EQ64, icmp(g, LLVMIntEQ, x, y))                                                                                \
    E(NE64, icmp(g, LLVMIntNE, x, y))                                                                                \
    E(LT_S64, icmp(g, LLVMIntSLT, x, y))                                                                             \
    E(LE_S64, icmp(g, LLVMIntSLE, x, y))                                                                             \
    E(LT_U64, icmp(g, LLVMIntULT, x, y))                                                                             \
    E(LE_U64, icmp(g, LLVMIntULE, x, y))                                                                             \
    E(FADD64, fadd(g, x, y))                                                                                         \
    E(FSUB64, fsub(g, x, y))                                                                                         \
    E(FMUL64, fmul(g, x, y))                                                                                         \
    E(FDIV64, fdiv(g, x, y))                                                                                         \
    E(FFMA64, fma3(g, x, y, z))                                                                                      \
    E(FSQRT64, unary_intrinsic(g, "llvm.sqrt", x))                                                                   \
    E(FNEG64, xor2(g, x, k64(g, (uint64_t)1 << 63)))                                                                 \
    E(FABS64, and2(g, x, k64(g, ~((uint64_t)1 << 63))))                                                              \
    E(FMIN_NUM64, minmax(g, LLVMRealOLT, x, y, y))                                                                   \
    E(FMAX_NUM64, minmax(g, LLVMRealOGT, x, y, y))                                                                   \
    E(FMIN_SEC64, fmin_sec(g, x, y))                                                                                 \
    E(FMAX_SEC64, fmax_sec(g, x, y))                                                                                 \
    E(FMIN_NAN64, minmax(g, LLVMRealOLT, x, y, x))                                                                   \
    E(FMAX_NAN64, minmax(g, LLVMRealOGT, x, y, x))                                                                   \
    E(FSAT64, saturated(g, x, kd(g, 1.0), false))                                                                    \
    E(FSAT_NAN64, saturated(g, x, kd(g, 1.0), true))                                                                 \
    E(FRINT_RNE64, unary_intrinsic(g, "llvm.nearbyint", x))                                                          \
    E(FRINT_RTZ64, unary_intrinsic(g, "llvm.trunc", x))                                                              \
    E(FRINT_RUP64, unary_intrinsic(g, "llvm.ceil", x))                                                               \
    E(FRINT_RDN64, unary_intrinsic(g, "llvm.floor", x))                                                              \
    E(FEQ64, fcmp(g, LLVMRealOEQ, x, y))                                                                             \
    E(FNE64, fcmp(g, LLVMRealUNE, x, y))                                                                             \
    E(FLT64, fcmp(g, LLVMRealOLT, x, y))                                                                             \
    E(FLE64, fcmp(g, LLVMRealOLE, x, y))                                                                             \
    E(FUNORD64, fcmp(g, LLVMRealUNO, x, y))                                                                          \
    E(ZEXT64, zext64(g, x))                                                                                          \
    E(SEXT64, sext64(g, x))                                                                                          \
    E(F2F64, to_f64(g, x))                                                                                           \
    E(F2F32, to_f32(g, x))                                                                                           \
    E(S2F64, float_of(g, x, g->f64, true))                                                                           \
    E(U2F64, float_of(g, x, g->f64, false))                                                                          \
    E(SL2F64, float_of(g, x, g->f64, true))                                                                          \
    E(SL2F32, float_of(g, x, g->f32, true))                                                                          \
    E(D2S32_CLAMP, d2s32(g, x, true))                                                                                \
    E(D2S32_X86, d2s32(g, x, false))                                                                                 \
    E(D2SL_X86, d2sl_in(g, x, (uint64_t)1 << 63))                                                                    \
    E(F2SL_X86, d2sl_in(g, to_f64(g, x), (uint64_t)1 << 63))                                                         \
    E(FLUSH16, flushed_bits(g, x, 0x7c00, 0x8000))                                                                   \
    E(FLUSH32, flushed_bits(g, x, 0x7f800000, 0x80000000u))                                                          \
    E(CANON16, canon_bits(g, x, 0x7fff, 0x7c00, 0x7fff))                                                             \
    E(CANON32, canon_bits(g, x, 0x7fffffff, 0x7f800000, 0x7fffffff))                                                 \
    E(CANON64, one_nan64(g, x, ~(uint64_t)0 >> 1))                                                                   \
    E(X86_NAN16, canon_bits(g, x, 0x7fff, 0x7c00, 0xfe00))                                                           \
    E(X86_NAN32, one_nan32(g, x, 0xffc00000u))                                                                       \
    E(X86_NAN64, one_nan64(g, x, (uint64_t)0xfff8 << 48))                                                            \
    E(FMIN_NUMZ32, sel(g, or2(g, less_zeros(g, x, y), is_nan(g, y)), x, y))                                          \
    E(FMAX_NUMZ32, sel(g, or2(g, less_zeros(g, y, x), is_nan(g, y)), x, y))                                          \
    E(FMIN_SECZ32, sel(g, less_zeros(g, x, y), x, y))                                                                \
    E(FMAX_SECZ32, sel(g, less_zeros(g, y, x), x, y))                                                                \
    E(FMIN_NANZ32, sel(g, or2(g, less_zeros(g, x, y), is_nan(g, x)), x, y))                                          \
    E(FMAX_NANZ32, sel(g, or2(g, less_zeros(g, y, x), is_nan(g, x)), x, y))                                          \
    E(ADD_SATS32, add_sat(g, x, y, false))                                                                           \
    E(SUB_SATS32, add_sat(g, x, y, true))                                                                            \
    E(ADD_SATU32, sel(g, icmp(g, LLVMIntULT, add(g, x, y), x), k32(g, ~0u), add(g, x, y)))                           \
    E(SUB_SATU32, sel(g, icmp(g, LLVMIntULT, x, y), k32(g, 0), sub(g, x, y)))                                        \
    E(FADD_Z32, chip_add(g, zeroed(g, x), zeroed(g, y)))                                                             \
    E(FSUB_Z32, chip_sub(g, zeroed(g, x), zeroed(g, y)))                                                             \
    E(FMUL_Z32, chip_mul(g, zeroed(g, x), zeroed(g, y)))                                                             \
    E(FFMA_Z32, chip_fma(g, zeroed(g, x), zeroed(g, y), zeroed(g, z)))                                               \
    E(FADD_N32, chip_add(g, x, y))                                                                                   \
    E(FSUB_N32, chip_sub(g, x, y))                                                                                   \
    E(FMUL_N32, chip_mul(g, x, y))                                                                                   \
    E(FFMA_N32, chip_fma(g, x, y, z))

typedef V emit_fn(struct gen *g, V x, V y, V z);
#define E(name, ...)                                                                                                 \
    static V emit_##name(struct gen *g, V x, V y, V z)                                                               \
    {                                                                                                                \
        (void)g, (void)x, (void)y, (void)z;                                                                          \
        return __VA_ARGS__;                                                                                          \
    }
EMITTERS(E)
#undef E
#define E(name, ...) [H_##name] = emit_##name,
static emit_fn *const emitters[HANDLER_COUNT] = {EMITTERS(E)};
#undef E

/* ---- one operation ---- */

/* Without instructions of the host for them these are calls of the C library, lane by lane: handlers do better. */
static bool wants_avx2(uint16_t handler)
{
    switch (handler) {
    case H_FFMA32:
    case H_FFMA64:
    case H_FFMA_Z32:
    case H_FFMA_N32:
    case H_FRINT_RNE32:
    case H_FRINT_RTZ32:
    case H_FRINT_RUP32:
    case H_FRINT_RDN32:
    case H_FRINT_RNA32:
    case H_FRINT_RNE64:
    case H_FRINT_RTZ64:
    case H_FRINT_RUP64:
    case H_FRINT_RDN64:
        return true;
    default:
        return false;
    }
}

bool op_known(const struct jit_step *s, enum exec_level level)
{
    switch (s->handler) {
    case H_COPY32:
    case H_SEL32:
    case H_SEL64:
    case H_AND32:
    case H_OR32:
    case H_XOR32:
    case H_NOT32:
        return true;
    default:
        break;
    }
    if (emitters[s->handler])
        return level != EXEC_BASELINE || !wants_avx2(s->handler);
    return own_known(s, level) || straight_known(s) || bus_lanes_known(s) || columns_known(s) ||
           rounded_known(s, level) || terminator_known(s) || memory_known(s) || vote_known(s) || helper_known(s, level);
}

bool op_is_word(const struct jit_step *s)
{
    const char *types = signatures[s->handler].types;
    return types[0] && !strpbrk(types, "UIF") && op_late_known(s);
}

bool op_late_known(const struct jit_step *s)
{
    switch (s->handler) {
    case H_COPY32:
    case H_AND32:
    case H_OR32:
    case H_XOR32:
    case H_NOT32:
    case H_SEL32:
        return true;
    default:
        return emitters[s->handler] != NULL;
    }
}

static bool takes_floats(uint16_t handler)
{
    const char *types = signatures[handler].types;
    return strpbrk(types, "fF");
}

enum flushing op_flushing(const struct jit_step *s)
{
    switch (s->handler) {
    case H_FADD_Z32:
    case H_FSUB_Z32:
    case H_FMUL_Z32:
    case H_FFMA_Z32:
    case H_FADD_N32:
    case H_FSUB_N32:
    case H_FMUL_N32:
    case H_FFMA_N32:
    case H_HELPER: /* its product loses no bit that matters: of what it lost the sign decides, which stays */
        return FLUSHING_WANTED;
    case H_FEQ32: /* these give one of their arguments, or no denormal number */
    case H_FNE32:
    case H_FLT32:
    case H_FLE32:
    case H_FUNORD32:
    case H_FMIN_SEC32:
    case H_FMAX_SEC32:
    case H_FMIN_NUM32:
    case H_FMAX_NUM32:
    case H_FSAT32:
    case H_FSAT_NAN32:
    case H_S2F32:
    case H_U2F32:
    case H_F2S32_CLAMP:
    case H_F2S32_X86:
        return FLUSHING_IS_NOTHING;
    default:
        break;
    }
    if (rounded_known(s, EXEC_BASELINE) || own_rounds(s) || s->handler == H_H2F || s->handler == H_F2H)
        return FLUSHING_HARMS;
    return takes_floats(s->handler) ? FLUSHING_HARMS : FLUSHING_IS_NOTHING;
}

bool op_minds_zeroing(const struct jit_step *s)
{
    switch (s->handler) {
    case H_FADD_Z32:
    case H_FSUB_Z32:
    case H_FMUL_Z32:
    case H_FFMA_Z32:
    case H_HELPER: /* is not done here where a factor is denormal, and a denormal term is too small to matter */
    case H_S2F32:
    case H_U2F32:
    case H_F2S32_CLAMP:
        return false;
    default:
        return takes_floats(s->handler) || op_flushing(s) != FLUSHING_IS_NOTHING;
    }
}

static void operand_places(const struct jit_step *s, uint32_t at[3], uint8_t stride[3])
{
    at[0] = s->a, at[1] = s->b, at[2] = s->c;
    stride[0] = s->sa, stride[1] = s->sb, stride[2] = s->sc;
}

/* Where the operation's code goes: with the uniform values when all that it takes is uniform. */
static void choose_shape(struct gen *g, unsigned nargs)
{
    uint32_t at[3];
    uint8_t stride[3];
    operand_places(g->s, at, stride);
    g->lane = g->s->form == JIT_MASKED;
    for (unsigned k = 0; k < nargs && g->s->form != JIT_SCALAR; k++)
        g->lane |= stride[k] != 0;
    g->b = g->lane ? g->loop : g->entry;
    for (unsigned k = 0; k < nargs && !g->lane; k++)
        if (row_is_late(g, at[k]))
            g->b = g->leave;
}

/* Scalar forms read first elements, whatever the row. */
static V operand(struct gen *g, unsigned k, bool wide, enum kind kind)
{
    uint32_t at[3];
    uint8_t stride[3];
    operand_places(g->s, at, stride);
    return row_get(g, at[k], g->s->form == JIT_SCALAR ? 0 : stride[k], wide, kind);
}

/* Bits of conditions are conditions again, where all of them are known to be conditions. */
static void emit_logic(struct gen *g)
{
    bool two = g->s->handler != H_NOT32, copy = g->s->handler == H_COPY32;
    choose_shape(g, two && !copy ? 2 : 1);
    enum kind kind = row_is_bool(g, g->s->a) && (!two || copy || row_is_bool(g, g->s->b)) ? KIND_BOOL : KIND_INT;
    V x = operand(g, 0, false, kind), y = two && !copy ? operand(g, 1, false, kind) : NULL, r = NULL;
    switch (g->s->handler) {
    case H_COPY32:
        r = x;
        break;
    case H_AND32:
        r = and2(g, x, y);
        break;
    case H_OR32:
        r = or2(g, x, y);
        break;
    case H_XOR32:
        r = xor2(g, x, y);
        break;
    case H_NOT32:
        r = not1(g, x);
        break;
    default:
        g->failed = true;
        return;
    }
    row_put(g, g->s->d, false, r);
}

static void emit_select(struct gen *g)
{
    bool wide = g->s->handler == H_SEL64;
    choose_shape(g, 3);
    V c = operand(g, 0, false, KIND_BOOL);
    bool conditions = row_is_bool(g, g->s->b) && row_is_bool(g, g->s->c);
    enum kind kind = conditions ? KIND_BOOL : KIND_INT;
    row_put(g, g->s->d, wide, choose(g, c, operand(g, 1, wide, kind), operand(g, 2, wide, kind)));
}

void op_emit(struct gen *g)
{
    uint16_t h = g->s->handler;
    if (memory_known(g->s)) {
        memory_emit(g);
        return;
    }
    if (vote_known(g->s)) {
        vote_emit(g);
        return;
    }
    if (bus_lanes_known(g->s)) {
        bus_lanes_emit(g);
        return;
    }
    if (columns_known(g->s)) {
        columns_emit(g);
        return;
    }
    if (straight_known(g->s)) {
        straight_emit(g);
        return;
    }
    if (h == H_HELPER) {
        helper_emit(g);
        return;
    }
    if (h == H_SEL32 || h == H_SEL64) {
        emit_select(g);
        return;
    }
    if (words_emit(g))
        return;
    emit_fn *fn = emitters[h];
    if (!fn) {
        if (rounded_known(g->s, (enum exec_level)g->request->level))
            rounded_emit(g);
        else if (!own_emit(g))
            emit_logic(g);
        return;
    }
    const struct signature *t = &signatures[h];
    unsigned n = (unsigned)strlen(t->types) - 1;
    V x[3] = {NULL, NULL, NULL};
    choose_shape(g, n);
    for (unsigned k = 0; k < n; k++)
        x[k] = operand(g, k, is_wide(t->types[k + 1]), kind_of_letter(t->types[k + 1]));
    if (!g->failed)
        row_put(g, g->s->d, is_wide(t->types[0]), fn(g, x[0], x[1], x[2]));
}
