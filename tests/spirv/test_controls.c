/* test_controls.c - float controls: results cut instead of rounded, denormals that are flushed, for each width, against
 * the same in numbers that are wide enough. */
#include "module.h"
#include "number.h"

#include <float.h>

struct control {
    uint32_t mode, capability;
    bool cuts, flushes;
};

static const struct control controls[] = {
    {SpvExecutionModeRoundingModeRTE, SpvCapabilityRoundingModeRTE, false, false},
    {SpvExecutionModeRoundingModeRTZ, SpvCapabilityRoundingModeRTZ, true, false},
    {SpvExecutionModeDenormPreserve, SpvCapabilityDenormPreserve, false, false},
    {SpvExecutionModeDenormFlushToZero, SpvCapabilityDenormFlushToZero, false, true},
};

static const struct {
    const char *name;
    uint32_t opcode;
} ops[] = {
    {"FAdd", SpvOpFAdd}, {"FSub", SpvOpFSub}, {"FMul", SpvOpFMul}, {"FDiv", SpvOpFDiv},
    {"FOrdLessThan", SpvOpFOrdLessThan},
};

static unsigned mantissa_of(unsigned width)
{
    return width == 16 ? 10 : width == 32 ? 23 : 52;
}

static uint64_t infinity_of(unsigned width)
{
    return ((UINT64_C(1) << (width - 1)) - 1) >> mantissa_of(width) << mantissa_of(width);
}

static uint64_t without_sign(uint64_t v, unsigned width)
{
    return cut_to(v, width) & ~(UINT64_C(1) << (width - 1));
}

static uint64_t flushed(uint64_t v, unsigned width)
{
    return without_sign(v, width) >> mantissa_of(width) ? v : v & UINT64_C(1) << (width - 1);
}

/* Whether the exact result of an op is further from zero than `v` (finite): 1, nearer -1, the same 0. Products of
 * operands of 24 bits are exact in a long double, of a quotient the product tells, and a sum has what was lost beside
 * it (Knuth's TwoSum). */
static int beyond(unsigned op, long double a, long double b, long double v)
{
    if (op == 3) {
        long double back = fabsl(v) * fabsl(b);
        return (fabsl(a) > back) - (fabsl(a) < back);
    }
    b = op == 1 ? -b : b;
    long double s = op == 2 ? a * b : a + b, other = s - a, lost = op == 2 ? 0 : (a - (s - other)) + (b - other);
    if (s != v)
        return (fabsl(s) > fabsl(v)) - (fabsl(s) < fabsl(v));
    return (lost * s > 0) - (lost * s < 0);
}

/* The nearest number, or the next one to zero of those around the exact result. */
static uint64_t rounded(unsigned op, uint64_t a, uint64_t b, unsigned width, bool cuts)
{
    long double x = float_of(a, width), y = float_of(b, width);
    long double v = op == 0 ? x + y : op == 1 ? x - y : op == 2 ? x * y : x / y;
    uint64_t bits = float_bits(v, width), inf = infinity_of(width);
    if (!cuts || isnan(v) || isinf(v) || without_sign(bits, width) == 0)
        return bits;
    if (without_sign(bits, width) == inf)
        return bits - 1; /* the largest number */
    return beyond(op, x, y, float_of(bits, width)) < 0 ? bits - 1 : bits;
}

static uint64_t expected(unsigned op, uint64_t a, uint64_t b, unsigned width, const struct control *c)
{
    if (c->flushes) {
        a = flushed(a, width);
        b = flushed(b, width);
    }
    if (op == 4)
        return float_of(a, width) < float_of(b, width);
    uint64_t v = rounded(op, a, b, width, c->cuts);
    return c->flushes ? flushed(v, width) : v;
}

/* Numbers of 24 bits at most, often small. */
static uint64_t operand(uint32_t *random, unsigned width)
{
    *random = *random * 1664525 + 1013904223;
    uint32_t v = *random ^ *random >> 15;
    if (width == 32)
        return (v & 3) == 0 ? v & 0x80ffffff : (v & 0x81ffffff) + 0x3e000000;
    if (width == 16)
        return (v & 3) == 0 ? v >> 8 & 0x83ff : v >> 8 & 0xffff;
    uint64_t mantissa = (uint64_t)(v >> 8 & 0x3fffff) << 30, sign = (uint64_t)(v >> 31) << 63;
    return sign | mantissa | (uint64_t)((v & 3) == 0 ? 0 : 1020 + (v >> 3 & 7)) << 52;
}

static void make(struct module *m, const struct control *c, unsigned width, unsigned op)
{
    uint32_t capabilities[] = {SpvCapabilityInt8, SpvCapabilityInt16, SpvCapabilityInt64, SpvCapabilityFloat16,
                               SpvCapabilityFloat64, c->capability};
    static const char *const extensions[] = {"SPV_KHR_float_controls", NULL};
    declare(m, capabilities, sizeof capabilities / sizeof *capabilities, extensions);
    /* The mode comes after the one that is there: modes are together. */
    uint32_t at = 5;
    while ((m->w[at] & 0xffff) != SpvOpExecutionMode)
        at += m->w[at] >> 16;
    at += m->w[at] >> 16;
    memmove(m->w + at + 4, m->w + at, (m->n - at) * sizeof *m->w);
    memcpy(m->w + at, (const uint32_t[]){4u << 16 | SpvOpExecutionMode, MAIN, c->mode, width}, 16);
    m->n += 4;
    declare_number(m, 'f', width);
    enter(m);
    uint32_t id = invocation(m), a = fetch(m, id, 0, 'f', width), b = fetch(m, id, 2, 'f', width), v = fresh(m);
    char kind = op == 4 ? 'b' : 'f';
    ADD(m, ops[op].opcode, number_type(m, kind, width), v, a, b);
    put(m, id, 0, kind, width, v);
    leave(m);
}

static void results(void **state)
{
    static const unsigned widths[] = {16, 32, 64};
    uint32_t random = 3;
    (void)state;
    for (size_t c = 0; c < sizeof controls / sizeof *controls; c++)
        for (unsigned k = 0; k < 3; k++)
            for (unsigned op = 0; op < sizeof ops / sizeof *ops; op++) {
                static uint32_t in[STRIDE * COUNT], out[STRIDE * COUNT];
                unsigned width = widths[k], result = op == 4 ? 32 : width;
                struct module m;
                for (unsigned i = 0; i < COUNT; i++) {
                    set_number(in, i, 0, width, operand(&random, width));
                    set_number(in, i, 2, width, operand(&random, width));
                }
                make(&m, &controls[c], width, op);
                if (!run(&m, in, out))
                    continue;
                for (unsigned i = 0; i < COUNT; i++) {
                    uint64_t a = number_at(in, i, 0, width), b = number_at(in, i, 2, width);
                    uint64_t want = expected(op, a, b, width, &controls[c]), have = number_at(out, i, 0, result);
                    bool nan = op < 4 && without_sign(want, width) > infinity_of(width);
                    if (nan ? without_sign(have, width) <= infinity_of(width) : have != want)
                        fail_msg("%s of %u bits with mode %u: 0x%llx and 0x%llx give 0x%llx, expected 0x%llx",
                                 ops[op].name, width, controls[c].mode, (unsigned long long)a, (unsigned long long)b,
                                 (unsigned long long)have, (unsigned long long)want);
                }
            }
}

TEST_MAIN(TEST(results))
