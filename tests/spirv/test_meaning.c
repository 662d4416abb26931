/* test_meaning.c - what instructions of SPIR-V compute: modules made word by word run on buffers, against plain C. */
#include "module.h"

#include <math.h>

static void begin(struct module *m)
{
    declare(m, NULL, 0, NULL);
    enter(m);
}

/* ---- single instructions ---- */

typedef uint32_t oracle_fn(uint32_t a, uint32_t b);

static float as_float(uint32_t v)
{
    float f;
    memcpy(&f, &v, sizeof f);
    return f;
}

static uint32_t bits(float f)
{
    uint32_t v;
    memcpy(&v, &f, sizeof v);
    return v;
}

#define U(name, expression)                                                                                            \
    static uint32_t u_##name(uint32_t a, uint32_t b)                                                                   \
    {                                                                                                                  \
        (void)a;                                                                                                       \
        (void)b;                                                                                                       \
        return (uint32_t)(expression);                                                                                 \
    }
#define F(name, expression)                                                                                            \
    static uint32_t f_##name(uint32_t ia, uint32_t ib)                                                                 \
    {                                                                                                                  \
        float a = as_float(ia), b = as_float(ib);                                                                      \
        (void)a;                                                                                                       \
        (void)b;                                                                                                       \
        return bits((float)(expression));                                                                              \
    }
#define C(name, expression)                                                                                            \
    static uint32_t c_##name(uint32_t ia, uint32_t ib)                                                                 \
    {                                                                                                                  \
        float a = as_float(ia), b = as_float(ib);                                                                      \
        return (expression) ? 1 : 0;                                                                                   \
    }

U(add, a + b)
U(sub, a - b)
U(mul, a *b)
U(udiv, b ? a / b : UINT32_MAX)
U(umod, b ? a % b : UINT32_MAX)
U(and, a &b)
U(or, a | b)
U(xor, a ^ b)
U(not, ~a)
U(shl, a << (b & 31))
U(shr, a >> (b & 31))
U(sar, (int32_t)a >> (b & 31))
U(less, a < b)
U(sless, (int32_t)a < (int32_t)b)
U(equal, a == b)
U(count, __builtin_popcount(a))
U(smax, (int32_t)a > (int32_t)b ? a : b)
U(umsb, a ? 31 - __builtin_clz(a) : -1)
U(lsb, a ? __builtin_ctz(a) : -1)
F(add, a + b)
F(sub, a - b)
F(mul, a *b)
F(div, a / b)
F(neg, -a)
F(abs, fabsf(a))
F(floor, floorf(a))
F(ceil, ceilf(a))
F(trunc, truncf(a))
F(sqrt, sqrtf(a))
F(sin, sin((double)a))
F(atan, atan((double)a))
F(tanh, tanh((double)a))
F(asinh, asinh((double)a))
F(exp, exp((double)a))
F(log, log((double)a))
F(atan2, atan2((double)a, (double)b))
C(less, a < b)
C(uless, !(a >= b))
C(equal, a == b)
C(unequal, a != b)
C(ordered_unequal, a < b || a > b)
C(unordered_equal, !(a < b || a > b))

static const struct {
    const char *name;
    uint32_t opcode, ext; /* ext: of GLSL.std.450 */
    uint8_t operands;
    char takes, gives; /* u, f, b */
    uint32_t ulps;
    oracle_fn *oracle;
} cases[] = {
    {"IAdd", SpvOpIAdd, 0, 2, 'u', 'u', 0, u_add},
    {"ISub", SpvOpISub, 0, 2, 'u', 'u', 0, u_sub},
    {"IMul", SpvOpIMul, 0, 2, 'u', 'u', 0, u_mul},
    {"UDiv", SpvOpUDiv, 0, 2, 'u', 'u', 0, u_udiv},
    {"UMod", SpvOpUMod, 0, 2, 'u', 'u', 0, u_umod},
    {"BitwiseAnd", SpvOpBitwiseAnd, 0, 2, 'u', 'u', 0, u_and},
    {"BitwiseOr", SpvOpBitwiseOr, 0, 2, 'u', 'u', 0, u_or},
    {"BitwiseXor", SpvOpBitwiseXor, 0, 2, 'u', 'u', 0, u_xor},
    {"Not", SpvOpNot, 0, 1, 'u', 'u', 0, u_not},
    {"ShiftLeftLogical", SpvOpShiftLeftLogical, 0, 2, 'u', 'u', 0, u_shl},
    {"ShiftRightLogical", SpvOpShiftRightLogical, 0, 2, 'u', 'u', 0, u_shr},
    {"ShiftRightArithmetic", SpvOpShiftRightArithmetic, 0, 2, 'u', 'u', 0, u_sar},
    {"ULessThan", SpvOpULessThan, 0, 2, 'u', 'b', 0, u_less},
    {"SLessThan", SpvOpSLessThan, 0, 2, 'u', 'b', 0, u_sless},
    {"IEqual", SpvOpIEqual, 0, 2, 'u', 'b', 0, u_equal},
    {"BitCount", SpvOpBitCount, 0, 1, 'u', 'u', 0, u_count},
    {"FAdd", SpvOpFAdd, 0, 2, 'f', 'f', 0, f_add},
    {"FSub", SpvOpFSub, 0, 2, 'f', 'f', 0, f_sub},
    {"FMul", SpvOpFMul, 0, 2, 'f', 'f', 0, f_mul},
    {"FDiv", SpvOpFDiv, 0, 2, 'f', 'f', 0, f_div},
    {"FNegate", SpvOpFNegate, 0, 1, 'f', 'f', 0, f_neg},
    {"FOrdLessThan", SpvOpFOrdLessThan, 0, 2, 'f', 'b', 0, c_less},
    {"FUnordLessThan", SpvOpFUnordLessThan, 0, 2, 'f', 'b', 0, c_uless},
    {"FOrdEqual", SpvOpFOrdEqual, 0, 2, 'f', 'b', 0, c_equal},
    {"FUnordNotEqual", SpvOpFUnordNotEqual, 0, 2, 'f', 'b', 0, c_unequal},
    {"FOrdNotEqual", SpvOpFOrdNotEqual, 0, 2, 'f', 'b', 0, c_ordered_unequal},
    {"FUnordEqual", SpvOpFUnordEqual, 0, 2, 'f', 'b', 0, c_unordered_equal},
    {"SMax", SpvOpExtInst, GLSLstd450SMax, 2, 'u', 'u', 0, u_smax},
    {"FindUMsb", SpvOpExtInst, GLSLstd450FindUMsb, 1, 'u', 'u', 0, u_umsb},
    {"FindILsb", SpvOpExtInst, GLSLstd450FindILsb, 1, 'u', 'u', 0, u_lsb},
    {"FAbs", SpvOpExtInst, GLSLstd450FAbs, 1, 'f', 'f', 0, f_abs},
    {"Floor", SpvOpExtInst, GLSLstd450Floor, 1, 'f', 'f', 0, f_floor},
    {"Ceil", SpvOpExtInst, GLSLstd450Ceil, 1, 'f', 'f', 0, f_ceil},
    {"Trunc", SpvOpExtInst, GLSLstd450Trunc, 1, 'f', 'f', 0, f_trunc},
    {"Sqrt", SpvOpExtInst, GLSLstd450Sqrt, 1, 'f', 'f', 0, f_sqrt},
    {"Sin", SpvOpExtInst, GLSLstd450Sin, 1, 'f', 'f', 1, f_sin},
    {"Atan", SpvOpExtInst, GLSLstd450Atan, 1, 'f', 'f', 2, f_atan},
    {"Tanh", SpvOpExtInst, GLSLstd450Tanh, 1, 'f', 'f', 2, f_tanh},
    {"Asinh", SpvOpExtInst, GLSLstd450Asinh, 1, 'f', 'f', 4, f_asinh},
    {"Exp", SpvOpExtInst, GLSLstd450Exp, 1, 'f', 'f', 2, f_exp},
    {"Log", SpvOpExtInst, GLSLstd450Log, 1, 'f', 'f', 2, f_log},
    {"Atan2", SpvOpExtInst, GLSLstd450Atan2, 2, 'f', 'f', 2, f_atan2},
};

static void make_inputs(uint32_t *in, char type)
{
    static const float corners[] = {0, -0.0f, 1, -1, 0.5f, 1e-3f, -7.75f, 100, 3e38f, 1e-30f, INFINITY, -INFINITY, NAN};
    static const uint32_t words[] = {0, 1, 2, 31, 32, 0x7fffffff, 0x80000000, 0xffffffff, 0x12345678, 7, 64, 3, 0xffff};
    enum { CORNERS = 13 };
    uint32_t state = 12345;
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned k = 0; k < 2; k++) {
            unsigned corner = k ? i / CORNERS : i % CORNERS;
            state = state * 1664525 + 1013904223;
            float f = (float)((int32_t)state >> 8) / 65536;
            bool plain = i >= CORNERS * CORNERS;
            in[STRIDE * i + k] = type == 'f' ? bits(plain ? f : corners[corner]) : plain ? state : words[corner];
        }
}

/* Numbers of floats from one to the other. */
static bool near(uint32_t a, uint32_t b, uint32_t ulps)
{
    float fa = as_float(a), fb = as_float(b);
    if (isnan(fa) || isnan(fb))
        return isnan(fa) && isnan(fb);
    int64_t x = a & 0x80000000 ? -(int64_t)(a & 0x7fffffff) : (int64_t)a;
    int64_t y = b & 0x80000000 ? -(int64_t)(b & 0x7fffffff) : (int64_t)b;
    return x - y <= (int64_t)ulps && y - x <= (int64_t)ulps;
}

static void instructions(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct module m;
        uint32_t in[STRIDE * COUNT], out[STRIDE * COUNT] = {0};
        begin(&m);
        uint32_t id = invocation(&m), operand[2], w[7], n = 0, result = fresh(&m);
        for (unsigned k = 0; k < cases[c].operands; k++) {
            operand[k] = input(&m, id, k);
            operand[k] = cases[c].takes == 'f' ? cast(&m, FLOAT, operand[k]) : operand[k];
        }
        w[n++] = cases[c].gives == 'f' ? FLOAT : cases[c].gives == 'b' ? BOOL : UINT;
        w[n++] = result;
        if (cases[c].opcode == SpvOpExtInst) {
            w[n++] = GLSL;
            w[n++] = cases[c].ext;
        }
        for (unsigned k = 0; k < cases[c].operands; k++)
            w[n++] = operand[k];
        words(&m, cases[c].opcode, w, n);
        uint32_t word = result;
        if (cases[c].gives == 'b') {
            word = fresh(&m);
            ADD(&m, SpvOpSelect, UINT, word, result, ONE, ZERO);
        } else if (cases[c].gives == 'f') {
            word = cast(&m, UINT, result);
        }
        end(&m, id, word);
        make_inputs(in, cases[c].takes);
        if (!run(&m, in, out))
            continue;
        for (unsigned i = 0; i < COUNT; i++) {
            uint32_t expected = cases[c].oracle(in[STRIDE * i], in[STRIDE * i + 1]);
            uint32_t have = out[STRIDE * i];
            bool fits = cases[c].gives == 'f' ? near(have, expected, cases[c].ulps) : have == expected;
            if (!fits)
                fail_msg("%s of 0x%08x and 0x%08x is 0x%08x, expected 0x%08x", cases[c].name, in[STRIDE * i],
                         in[STRIDE * i + 1], have, expected);
        }
    }
}

/* ---- control flow ---- */

/* Steps of Collatz from the invocation's number on: a loop that each lane leaves at another time, with two phis that
 * exchange what they hold and a selection inside. */
static void loops(void **state)
{
    struct module m;
    uint32_t in[STRIDE * COUNT] = {0}, out[STRIDE * COUNT] = {0};
    (void)state;
    begin(&m);
    uint32_t id = invocation(&m), head = fresh(&m), test = fresh(&m), body = fresh(&m), odd = fresh(&m);
    uint32_t join = fresh(&m), next = fresh(&m), merge = fresh(&m), v = fresh(&m), steps = fresh(&m);
    uint32_t goes = fresh(&m), low = fresh(&m), is_odd = fresh(&m), half = fresh(&m), three = fresh(&m);
    uint32_t more = fresh(&m), to = fresh(&m), one_more = fresh(&m), twice = fresh(&m);
    ADD(&m, SpvOpBranch, head);
    ADD(&m, SpvOpLabel, head);
    ADD(&m, SpvOpPhi, UINT, v, id, ENTRY, to, next);
    ADD(&m, SpvOpPhi, UINT, steps, ZERO, ENTRY, one_more, next);
    ADD(&m, SpvOpLoopMerge, merge, next, SpvLoopControlMaskNone);
    ADD(&m, SpvOpBranch, test);
    ADD(&m, SpvOpLabel, test);
    ADD(&m, SpvOpUGreaterThan, BOOL, goes, v, ONE);
    ADD(&m, SpvOpBranchConditional, goes, body, merge);
    ADD(&m, SpvOpLabel, body);
    ADD(&m, SpvOpBitwiseAnd, UINT, low, v, ONE);
    ADD(&m, SpvOpINotEqual, BOOL, is_odd, low, ZERO);
    ADD(&m, SpvOpShiftRightLogical, UINT, half, v, ONE);
    ADD(&m, SpvOpSelectionMerge, join, SpvSelectionControlMaskNone);
    ADD(&m, SpvOpBranchConditional, is_odd, odd, join);
    ADD(&m, SpvOpLabel, odd);
    ADD(&m, SpvOpIMul, UINT, twice, v, TWO);
    ADD(&m, SpvOpIAdd, UINT, three, twice, v);
    ADD(&m, SpvOpIAdd, UINT, more, three, ONE);
    ADD(&m, SpvOpBranch, join);
    ADD(&m, SpvOpLabel, join);
    ADD(&m, SpvOpPhi, UINT, to, half, body, more, odd);
    ADD(&m, SpvOpBranch, next);
    ADD(&m, SpvOpLabel, next);
    ADD(&m, SpvOpIAdd, UINT, one_more, steps, ONE);
    ADD(&m, SpvOpBranch, head);
    ADD(&m, SpvOpLabel, merge);
    end(&m, id, steps);
    if (!run(&m, in, out))
        return;
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t expected = 0;
        for (uint32_t k = i; k > 1; expected++)
            k = k & 1 ? 3 * k + 1 : k / 2;
        assert_int_equal(out[STRIDE * i], expected);
    }
}

/* Two phis that exchange their values: both are read before one is written. */
static void swaps(void **state)
{
    struct module m;
    uint32_t in[STRIDE * COUNT] = {0}, out[STRIDE * COUNT] = {0};
    (void)state;
    begin(&m);
    uint32_t id = invocation(&m), head = fresh(&m), next = fresh(&m), merge = fresh(&m), a = fresh(&m), b = fresh(&m);
    uint32_t k = fresh(&m), k2 = fresh(&m), goes = fresh(&m), high = fresh(&m), sum = fresh(&m);
    ADD(&m, SpvOpBranch, head);
    ADD(&m, SpvOpLabel, head);
    ADD(&m, SpvOpPhi, UINT, a, ONE, ENTRY, b, next);
    ADD(&m, SpvOpPhi, UINT, b, TWO, ENTRY, a, next);
    ADD(&m, SpvOpPhi, UINT, k, ZERO, ENTRY, k2, next);
    ADD(&m, SpvOpULessThan, BOOL, goes, k, id);
    ADD(&m, SpvOpLoopMerge, merge, next, SpvLoopControlMaskNone);
    ADD(&m, SpvOpBranchConditional, goes, next, merge);
    ADD(&m, SpvOpLabel, next);
    ADD(&m, SpvOpIAdd, UINT, k2, k, ONE);
    ADD(&m, SpvOpBranch, head);
    ADD(&m, SpvOpLabel, merge);
    ADD(&m, SpvOpIMul, UINT, high, a, TWO);
    ADD(&m, SpvOpIAdd, UINT, sum, high, b);
    end(&m, id, sum);
    if (!run(&m, in, out))
        return;
    for (uint32_t i = 0; i < COUNT; i++)
        assert_int_equal(out[STRIDE * i], i & 1 ? 2 * 2 + 1 : 1 * 2 + 2);
}

/* ---- what is not a module ---- */

/* Any one word changed: an answer, whatever it is. */
static void damaged(void **state)
{
    struct module m;
    uint32_t random = 99;
    (void)state;
    if (getenv("WEFT_TEST_MODULES")) /* none of these is a module */
        skip();
    begin(&m);
    uint32_t id = invocation(&m);
    end(&m, id, input(&m, id, 0));
    for (unsigned i = 0; i < 20000; i++) {
        struct module other = m;
        random = random * 1664525 + 1013904223;
        uint32_t at = (random >> 8) % m.n, how = random & 3;
        other.w[at] = how == 0   ? m.w[at] ^ 1u << (random >> 3 & 31)
                      : how == 1 ? random >> 27
                                 : m.w[(random >> 4) % m.n];
        weft_diags *diags = weft_diags_new();
        weft_program *p = NULL;
        size_t size = m.n * 4 - (how == 3) * 4;
        weft_status status =
            weft_program_from_bytes("spirv", "test", (const uint8_t *)other.w, size, NULL, diags, &p);
        if (status != WEFT_OK)
            assert_true(weft_diags_count(diags) > 0);
        weft_program_free(p);
        weft_diags_free(diags);
    }
}

TEST_MAIN(TEST(instructions), TEST(loops), TEST(swaps), TEST(damaged))
