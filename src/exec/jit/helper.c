/* helper.c - calls of helpers that are computed here where they are plain (enum ir_helper_form): all lanes of a chunk
 * at once, and whether that was right. A chunk in which it was not goes to the helper's function, by way of the
 * frame's rows, as loads do in memory.c. */
#include "exec/jit/strip.h"

#include <stddef.h>

bool helper_known(const struct jit_step *s, enum exec_level level)
{
    return s->handler == H_HELPER && s->more == IR_HELPER_CUT_MAD && !s->imm && level != EXEC_BASELINE;
}

/* Bits of the least normal number, of 2^-100, and of infinity. */
enum { LEAST_NORMAL = 1 << 23, LEAST_EXACT = (127 - 100) << 23, INFINITE = 0xff << 23 };

static V lesser(struct gen *g, V x, V y)
{
    return sel(g, icmp(g, LLVMIntULT, x, y), x, y);
}

static V is_alone(struct gen *g, V z)
{
    return icmp(g, LLVMIntEQ, and2(g, z, k32(g, INFINITE)), k32(g, 0));
}

/* The term: where the host makes denormal sums zeros a denormal term would give them its sign. */
static V term_of(struct gen *g, V z, V alone)
{
    V zero = and2(g, z, k32(g, 0x80000000u));
    return as_f32(g, g->flushes && !g->zeroes ? sel(g, alone, zero, z) : z);
}

static V without_sign(struct gen *g, V x)
{
    return add(g, as_i32(g, x), as_i32(g, x));
}

static V cut_product(struct gen *g, V x, V y)
{
    enum { TO_ZERO = 11 };
    V args[3] = {x, y, LLVMConstInt(g->i32, TO_ZERO, false)};
    return host_instruction(g, g->b, "llvm.x86.avx512.mul.ps.512", args, 3);
}

/* Which lanes hold numbers of these classes. */
static V is_of_class(struct gen *g, V x, unsigned classes)
{
    V args[2] = {x, LLVMConstInt(g->i32, classes, false)};
    return host_instruction(g, g->b, "llvm.x86.avx512.fpclass.ps.512", args, 2);
}

enum { QUIET_NAN = 1, PLUS_INFINITY = 8, MINUS_INFINITY = 16, DENORMAL = 32, SIGNALLING_NAN = 128 };

/* The multiply-add where the host takes denormal numbers for zeros and makes none. AVX-512 rounds the product to zero,
 * which cuts it. The host makes a product zero that is less than the least normal number: that changes a small sum
 * only. The product that is rounded to nearest says whether it is finite: the cut one of two large factors may be the
 * largest number instead of infinity. */
static V cut_mad_flushed(struct gen *g, const V bits[3], V *right)
{
    V x = as_f32(g, bits[0]), y = as_f32(g, bits[1]), z = as_f32(g, bits[2]), near = fmul(g, x, y);
    V sum = fadd(g, sel(g, is_alone(g, bits[2]), near, cut_product(g, x, y)), z);
    V finite = not1(g, is_of_class(g, near, QUIET_NAN | PLUS_INFINITY | MINUS_INFINITY | SIGNALLING_NAN));
    V below = sub(g, without_sign(g, sum), k32(g, 1)); /* zero is the largest word */
    V large = and2(g, finite, icmp(g, LLVMIntUGE, below, k32(g, 2 * LEAST_EXACT - 1)));
    *right = and2(g, large, fcmp(g, LLVMRealORD, sum, sum));
    return as_i32(g, sum);
}

/* The same where the host makes denormal numbers. */
static V cut_mad_rounding(struct gen *g, const V bits[3], V *right)
{
    V x = as_f32(g, bits[0]), y = as_f32(g, bits[1]), one = k32(g, 1);
    V alone = is_alone(g, bits[2]), product = sel(g, alone, fmul(g, x, y), cut_product(g, x, y));
    V sum = fadd(g, product, term_of(g, bits[2], alone));
    V p = without_sign(g, product), s = without_sign(g, sum);
    V least = lesser(g, sub(g, p, one), sub(g, s, one)); /* one less than zero is the largest word */
    V most = sel(g, icmp(g, LLVMIntUGT, p, s), p, s);
    V small = or2(g, is_of_class(g, x, DENORMAL), is_of_class(g, y, DENORMAL));
    V large = and2(g, not1(g, small), icmp(g, LLVMIntUGE, least, k32(g, 2 * LEAST_EXACT - 1)));
    *right = and2(g, large, icmp(g, LLVMIntULT, most, k32(g, 2 * (INFINITE - 1u))));
    return as_i32(g, sum);
}

/* The same by what rounding to nearest loses. */
static V cut_mad(struct gen *g, const V bits[3], V *right)
{
    V size = k32(g, 0x7fffffff), one = k32(g, 1), x = and2(g, bits[0], size), y = and2(g, bits[1], size);
    V sign = and2(g, xor2(g, bits[0], bits[1]), k32(g, 0x80000000u));
    V near = fmul(g, as_f32(g, x), as_f32(g, y));
    V factors[3] = {as_f32(g, x), as_f32(g, y), neg_f32(g, near)};
    V lost = intrinsic(g, "llvm.fma", LLVMTypeOf(near), factors, 3), product = as_i32(g, near);
    V cut = add(g, product, ashr(g, as_i32(g, lost), k32(g, 31)));
    V alone = is_alone(g, bits[2]), signed_product = as_f32(g, or2(g, sel(g, alone, product, cut), sign));
    V sum = as_i32(g, fadd(g, signed_product, term_of(g, bits[2], alone))), rest = and2(g, sum, size);
    V below = sub(g, rest, one); /* one less than zero is the largest number, or as a signed one the least */
    V factor = lesser(g, sub(g, x, one), sub(g, y, one)), least = lesser(g, sub(g, product, one), below);
    V most = sel(g, icmp(g, LLVMIntSGT, product, below), product, below);
    V large = and2(g, icmp(g, LLVMIntUGE, factor, k32(g, LEAST_NORMAL - 1)),
                   icmp(g, LLVMIntUGE, least, k32(g, LEAST_EXACT - 1)));
    *right = and2(g, large, icmp(g, LLVMIntSLT, most, k32(g, INFINITE)));
    return sum;
}

/* Frame, operation and chunk. */
static void slow_body(struct gen *g, V args[RARE_ARGS])
{
    LLVMTypeRef types[3] = {g->pointer, g->pointer, g->i32};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(g->context), types, 3, false);
    V frame = LLVMBuildIntToPtr(g->b, args[0], g->pointer, "");
    V to[3] = {frame, LLVMBuildIntToPtr(g->b, args[1], g->pointer, ""), LLVMBuildTrunc(g->b, args[2], g->i32, "")};
    V program = load_at(g, g->b, offset_const(g, g->b, frame, offsetof(struct frame, program)), g->pointer, 8);
    V fn = load_at(g, g->b, offset_const(g, g->b, program, offsetof(struct exec_program, helper_chunk)), g->i64, 8);
    call_address(g, fn, type, to, 3);
}

/* The function's result. */
static V call_slowly(struct gen *g, const V x[3])
{
    const uint32_t at[3] = {g->s->a, g->s->b, g->s->c};
    for (unsigned k = 0; k < 3; k++)
        store_at(g, g->b, x[k], row_pointer(g, at[k], false), 64);
    V args[3] = {LLVMBuildPtrToInt(g->b, g->frame, g->i64, ""),
                 LLVMBuildPtrToInt(g->b, this_operation(g, g->b), g->i64, ""), g->chunk};
    rare_call(g, rare_function(g, "helper_chunk", slow_body), args, 3);
    return load_at(g, g->b, row_pointer(g, g->s->d, false), row_type(g, g->i32), 64);
}

void helper_emit(struct gen *g)
{
    g->lane = true;
    g->b = g->loop;
    const uint32_t at[3] = {g->s->a, g->s->b, g->s->c};
    V x[3], right = NULL;
    for (unsigned k = 0; k < 3; k++)
        x[k] = row_get(g, at[k], EXEC_CHUNK, false, KIND_INT);
    if (g->failed)
        return;
    bool rounds = g->request->level == EXEC_AVX512;
    V fast = !rounds     ? cut_mad(g, x, &right)
             : g->zeroes ? cut_mad_flushed(g, x, &right)
                         : cut_mad_rounding(g, x, &right);
    if (g->strip) {
        strip_expect(g, right);
        row_put(g, g->s->d, false, fast);
        return;
    }
    V all = all_lanes(g, right);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->loop);
    V fn = LLVMGetBasicBlockParent(here);
    LLVMBasicBlockRef rare = LLVMAppendBasicBlockInContext(g->context, fn, "call");
    LLVMBasicBlockRef on = LLVMAppendBasicBlockInContext(g->context, fn, "on");
    LLVMBuildCondBr(g->b, all, on, rare);
    LLVMPositionBuilderAtEnd(g->loop, rare);
    V slow = call_slowly(g, x);
    LLVMBuildBr(g->b, on);
    LLVMPositionBuilderAtEnd(g->loop, on);
    V result = LLVMBuildPhi(g->b, row_type(g, g->i32), "");
    LLVMAddIncoming(result, &fast, &here, 1);
    LLVMAddIncoming(result, &slow, &rare, 1);
    row_put(g, g->s->d, false, result);
}
