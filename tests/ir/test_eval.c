/* The reference evaluator against the host's own arithmetic. */
#include "test.h"

#include "eval.h"

#include <fenv.h>
#include <math.h>

static uint64_t bits64(double d) { uint64_t b; memcpy(&b, &d, 8); return b; }

static uint64_t bits32(float f) { uint32_t b; memcpy(&b, &f, 4); return b; }

static double double_of(uint64_t b) { double d; memcpy(&d, &b, 8); return d; }

static float float_of(uint64_t b) { uint32_t w = (uint32_t)b; float f; memcpy(&f, &w, 4); return f; }

/* Numbers whose exponents are near each other half of the time. */
static uint64_t pattern(struct test_rng *r, enum ir_type t)
{
    uint64_t v = test_next64(r);
    unsigned frac = t == IR_F32 ? 23 : 52, bits = ir_type_bits(t);
    uint64_t bias = t == IR_F32 ? 127 : 1023;
    switch (test_next(r) % 8) {
    case 0: v &= (1ull << frac) - 1; break;
    case 1: v &= ~0ull << (frac - 3); break;
    case 2:
    case 3:
    case 4:
        v = (v & ((1ull << frac) - 1)) | (bias - 2 + test_next(r) % 5) << frac | (v >> 63) << (bits - 1);
        break;
    default: break;
    }
    return bits == 32 ? (uint32_t)v : v;
}

static const int host_mode[] = {
    [IR_RNE] = FE_TONEAREST, [IR_RTZ] = FE_TOWARDZERO, [IR_RUP] = FE_UPWARD, [IR_RDN] = FE_DOWNWARD};

/* Called, not inlined: what compilers put in place of rint holds for one rounding mode. */
static double (*volatile host_rint)(double) = rint;
static float (*volatile host_rintf)(float) = rintf;

static uint64_t host64(enum ir_opcode code, const uint64_t *v)
{
    volatile double a = double_of(v[0]), b = double_of(v[1]), c = double_of(v[2]), r;
    switch (code) {
    case IR_FADD: r = a + b; break;
    case IR_FSUB: r = a - b; break;
    case IR_FMUL: r = a * b; break;
    case IR_FDIV: r = a / b; break;
    case IR_FFMA: r = fma(a, b, c); break;
    case IR_FSQRT: r = sqrt(a); break;
    default: r = host_rint(a);
    }
    return bits64(r);
}

static uint64_t host32(enum ir_opcode code, const uint64_t *v)
{
    volatile float a = float_of(v[0]), b = float_of(v[1]), c = float_of(v[2]), r;
    switch (code) {
    case IR_FADD: r = a + b; break;
    case IR_FSUB: r = a - b; break;
    case IR_FMUL: r = a * b; break;
    case IR_FDIV: r = a / b; break;
    case IR_FFMA: r = fmaf(a, b, c); break;
    case IR_FSQRT: r = sqrtf(a); break;
    default: r = host_rintf(a);
    }
    return bits32(r);
}

static void arithmetic(void **state)
{
    (void)state;
    static const enum ir_opcode codes[] = {IR_FADD, IR_FSUB, IR_FMUL, IR_FDIV, IR_FFMA, IR_FSQRT, IR_FRINT};
    struct test_rng r = test_seed("float arithmetic");
    for (unsigned n = 0; n < 400000; n++) {
        enum ir_type t = n % 2 ? IR_F32 : IR_F64, types[] = {t, t, t};
        uint64_t v[] = {pattern(&r, t), pattern(&r, t), pattern(&r, t)};
        enum ir_opcode code = codes[test_next(&r) % 7];
        unsigned mode = test_next(&r) % 4, how;
        fesetround(host_mode[mode]);
        uint64_t want = t == IR_F32 ? host32(code, v) : host64(code, v);
        fesetround(FE_TONEAREST);
        uint64_t got = eval_op(code, t, mode, 0, types, v, (unsigned)ir_op_info[code].args, &how);
        if (!eval_accepts(t, got, how, want))
            print_message("# %s %s mode %u of %llx %llx %llx: %llx, the host says %llx\n", ir_op_info[code].text,
                          ir_type_name(t), mode, (unsigned long long)v[0], (unsigned long long)v[1],
                          (unsigned long long)v[2], (unsigned long long)got, (unsigned long long)want);
        assert_true(eval_accepts(t, got, how, want));
    }
}

static uint64_t one(enum ir_opcode code, enum ir_type to, unsigned attr, enum ir_type from, uint64_t v)
{
    return eval_op(code, to, attr, 0, &from, &v, 1, NULL);
}

static uint64_t two(enum ir_opcode code, enum ir_type t, unsigned attr, uint64_t a, uint64_t b)
{
    enum ir_type types[] = {t, code == IR_FLDEXP ? IR_I32 : t};
    return eval_op(code, t, attr, 0, types, (const uint64_t[]){a, b}, 2, NULL);
}

static void conversions(void **state)
{
    (void)state;
    struct test_rng r = test_seed("conversions");
    for (unsigned n = 0; n < 100000; n++) {
        uint64_t v = pattern(&r, IR_F64), i = test_next64(&r) >> test_next(&r) % 64;
        unsigned mode = test_next(&r) % 4;
        fesetround(host_mode[mode]);
        volatile double d = double_of(v);
        volatile float narrow = (float)d, from_s = (float)(int64_t)i, from_u = (float)i;
        fesetround(FE_TONEAREST);
        if (!isnan(d))
            assert_int_equal(one(IR_F2F, IR_F32, mode, IR_F64, v), bits32(narrow));
        assert_int_equal(one(IR_S2F, IR_F32, mode, IR_I64, i), bits32(from_s));
        assert_int_equal(one(IR_U2F, IR_F32, mode, IR_I64, i), bits32(from_u));
        if (fabs(d) < 0x1p62)
            assert_int_equal(one(IR_F2S, IR_I64, IR_RTZ, IR_F64, v), (uint64_t)(int64_t)d);
    }
    assert_int_equal(one(IR_F2S, IR_I32, IR_RTZ, IR_F32, bits32(3e9f)), 0x7fffffff);
    assert_int_equal(one(IR_F2S, IR_I32, IR_RTZ, IR_F32, bits32(-3e9f)), 0x80000000);
    assert_int_equal(one(IR_F2S, IR_I32, IR_RTZ, IR_F32, 0x7fc00000), 0);
    assert_int_equal(one(IR_F2S, IR_I32, IR_RTZ | IR_CVT_X86, IR_F32, 0x7fc00000), 0x80000000);
    assert_int_equal(one(IR_F2U, IR_I32, IR_RTZ, IR_F32, bits32(-1.0f)), 0);
    assert_int_equal(one(IR_F2U, IR_I32, IR_RTZ | IR_CVT_WRAP, IR_F32, bits32(-1.0f)), 0xffffffff);
    assert_int_equal(one(IR_F2U, IR_I8, IR_RTZ | IR_CVT_WRAP, IR_F32, bits32(257.5f)), 1);
    assert_int_equal(one(IR_F2S, IR_I32, IR_RNE, IR_F32, bits32(2.5f)), 2);
    assert_int_equal(one(IR_F2S, IR_I32, IR_RNA, IR_F32, bits32(2.5f)), 3);
    assert_int_equal(one(IR_F2S, IR_I32, IR_RUP, IR_F32, bits32(-2.5f)), (uint32_t)-2);
}

static void halves(void **state)
{
    (void)state;
    assert_int_equal(one(IR_F2F, IR_F16, 0, IR_F32, bits32(1.0f)), 0x3c00);
    assert_int_equal(one(IR_F2F, IR_F16, 0, IR_F32, bits32(65520.0f)), 0x7c00);
    assert_int_equal(one(IR_F2F, IR_F16, IR_RTZ, IR_F32, bits32(65520.0f)), 0x7bff);
    assert_int_equal(one(IR_F2F, IR_F16, 0, IR_F32, bits32(0x1p-24f)), 1);
    assert_int_equal(one(IR_F2F, IR_F16, 0, IR_F32, bits32(0x1p-25f)), 0);
    assert_int_equal(two(IR_FADD, IR_F16, 0, 0x3c00, 0x1000), 0x3c00); /* 1 + 2^-11: a tie goes to even */
    assert_int_equal(two(IR_FADD, IR_F16, IR_RUP, 0x3c00, 0x1000), 0x3c01);
    assert_int_equal(two(IR_FMUL, IR_F16, 0, 0x4200, 0x4500), 0x4b80); /* 3 * 5 */
    /* every half is itself after a way through f32 */
    for (uint32_t h = 0; h < 0x10000; h++)
        if ((h & 0x7fff) <= 0x7c00)
            assert_int_equal(one(IR_F2F, IR_F16, 0, IR_F32, one(IR_F2F, IR_F32, 0, IR_F16, h)), h);
}

static void attributes(void **state)
{
    (void)state;
    const uint64_t nan = 0xffc12345, least = 0x00800000;
    assert_int_equal(two(IR_FADD, IR_F32, IR_NAN_CANON, nan, 0), 0x7fffffff);
    assert_int_equal(two(IR_FADD, IR_F32, IR_SAT, bits32(1), bits32(1)), bits32(1));
    assert_int_equal(two(IR_FADD, IR_F32, IR_SAT, nan, 0), 0);
    assert_int_equal(two(IR_FMUL, IR_F32, IR_SAT, 0x80000000, 0), 0);
    assert_int_equal(two(IR_FMUL, IR_F32, IR_FLUSH_OUT, 0x80000000 | least, bits32(0.5f)), 0x80000000);
    assert_int_equal(two(IR_FADD, IR_F32, IR_FLUSH_IN, 1, least), least);
    assert_int_equal(two(IR_FMIN, IR_F32, 0, nan, bits32(1)), bits32(1));
    assert_int_equal(two(IR_FMIN, IR_F32, IR_MINMAX_SECOND, nan, bits32(1)), bits32(1));
    assert_int_equal(two(IR_FMIN, IR_F32, IR_MINMAX_SECOND, bits32(1), nan), nan);
    assert_int_equal(two(IR_FMIN, IR_F32, IR_MINMAX_PROPAGATE | IR_NAN_CANON, nan, bits32(1)), 0x7fffffff);
    assert_int_equal(two(IR_FMIN, IR_F32, IR_MINMAX_ZEROS, 0, 0x80000000), 0x80000000);
    assert_int_equal(two(IR_FMAX, IR_F32, IR_MINMAX_ZEROS, 0x80000000, 0), 0);
    assert_int_equal(two(IR_FLDEXP, IR_F32, 0, bits32(1.5f), 3), bits32(12));
    assert_int_equal(two(IR_FLDEXP, IR_F32, 0, bits32(1.5f), (uint32_t)-149), 2);
    assert_int_equal(one(IR_FREXP_MANT, IR_F32, 0, IR_F32, bits32(-12)), bits32(-0.75f));
    assert_int_equal(one(IR_FREXP_EXP, IR_I32, 0, IR_F32, bits32(-12)), 4);
    assert_int_equal(one(IR_FREXP_EXP, IR_I32, 0, IR_F32, 1), (uint32_t)-148);
    assert_int_equal(one(IR_FRINT, IR_F32, IR_RNA, IR_F32, bits32(-0.5f)), bits32(-1));
    assert_int_equal(one(IR_FRINT, IR_F32, IR_RNE, IR_F32, bits32(-0.5f)), 0x80000000);
}

static void integers(void **state)
{
    (void)state;
    assert_int_equal(two(IR_DIV_S, IR_I32, 0, 0x80000000, 0xffffffff), 0x80000000);
    assert_int_equal(two(IR_REM_S, IR_I32, 0, 0x80000000, 0xffffffff), 0);
    assert_int_equal(two(IR_DIV_S, IR_I32, 0, 7, 0), 0xffffffff);
    assert_int_equal(two(IR_REM_S, IR_I32, 0, (uint32_t)-7, 3), (uint32_t)-1);
    assert_int_equal(two(IR_ADD, IR_I8, IR_SAT, 100, 100), 127);
    assert_int_equal(two(IR_SUB, IR_I8, IR_SAT, 0x80, 1), 0x80);
    assert_int_equal(two(IR_SUB_SATU, IR_I64, 0, 1, 2), 0);
    assert_int_equal(two(IR_MULHI_S, IR_I64, 0, UINT64_MAX, UINT64_MAX), 0);
    assert_int_equal(two(IR_MULHI_U, IR_I64, 0, UINT64_MAX, UINT64_MAX), UINT64_MAX - 1);
    assert_int_equal(two(IR_SHL, IR_I16, 0, 3, 17), 6);
    assert_int_equal(two(IR_SHR_S, IR_I16, 0, 0x8000, 15), 0xffff);
    assert_int_equal(one(IR_CLZ, IR_I8, 0, IR_I8, 0), 8);
    assert_int_equal(one(IR_CTZ, IR_I64, 0, IR_I64, 1ull << 40), 40);
    assert_int_equal(one(IR_BITREV, IR_I16, 0, IR_I16, 1), 0x8000);
    assert_int_equal(one(IR_SEXT, IR_I32, 0, IR_I1, 1), 0xffffffff);
    assert_int_equal(one(IR_NOT, IR_I1, 0, IR_I1, 1), 0);
}

TEST_MAIN(TEST(arithmetic), TEST(conversions), TEST(halves), TEST(attributes), TEST(integers))
