/* test_numbers.c - instructions on single numbers (number_cases.inc), for each width that they take, against plain C in
 * wider numbers; conversions from each width to each other one; results of two parts. */
#include "module.h"
#include "number.h"

#include <stdlib.h>

enum { W8 = 1, W16 = 2, W32 = 4, W64 = 8, ALL = 15, FLOATS = W16 | W32 | W64, HALVES = W16 | W32 };
/* Sums of products cancel: these are compared by what they are made of. */
enum { MIXED = 1000 };

#define PI 3.14159265358979323846264338327950288L
/* Where the specification lets the result be anything. */
#define ANY UINT64_C(0xabad1deaabad1dea)
static bool nothing_said;
#define NAN_OF_ANY (nothing_said = true, 0.0L)

static uint64_t ones(uint64_t count)
{
    return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

static uint64_t reversed(uint64_t a, unsigned width)
{
    uint64_t out = 0;
    for (unsigned i = 0; i < width; i++)
        out |= (a >> i & 1) << (width - 1 - i);
    return out;
}

static uint64_t field_in(uint64_t base, uint64_t insert, uint64_t offset, uint64_t count)
{
    uint64_t mask = ones(count) << offset;
    return (base & ~mask) | ((insert << offset) & mask);
}

static long double smooth(long double t)
{
    return t * t * (3 - 2 * t);
}

/* Denormal halves become zeroes of their sign. */
static long double quantized(long double a)
{
    uint64_t half = float_bits(a, 16);
    return (half & 0x7c00) ? (long double)float_of(half, 16) : a < 0 || signbit(a) ? -0.0L : 0.0L;
}

typedef uint64_t oracle_fn(const uint64_t v[4], unsigned width);

#define INTEGER(name, expression)                                                                                      \
    static uint64_t o_##name(const uint64_t v[4], unsigned width)                                                      \
    {                                                                                                                  \
        uint64_t a = v[0], b = v[1], c = v[2], d = v[3];                                                               \
        int64_t sa = signed_of(a, width), sb = signed_of(b, width), sc = signed_of(c, width);                          \
        (void)a, (void)b, (void)c, (void)d, (void)sa, (void)sb, (void)sc;                                              \
        return (uint64_t)(expression);                                                                                 \
    }
#define REAL(name, expression)                                                                                         \
    static uint64_t o_##name(const uint64_t v[4], unsigned width)                                                      \
    {                                                                                                                  \
        long double a = float_of(v[0], width), b = float_of(v[1], width), c = float_of(v[2], width);                   \
        (void)a, (void)b, (void)c;                                                                                     \
        return float_bits(expression, width);                                                                          \
    }
#define TRUTH(name, expression)                                                                                        \
    static uint64_t o_##name(const uint64_t v[4], unsigned width)                                                      \
    {                                                                                                                  \
        double a = float_of(v[0], width), b = float_of(v[1], width);                                                   \
        (void)a, (void)b;                                                                                              \
        return expression;                                                                                             \
    }
#define CASE(name, opcode, ext, operands, result, widths, tolerance, domain, kind, expression) kind(name, expression)
#include "number_cases.inc"
#undef CASE

static const struct number_case {
    const char *name;
    uint32_t opcode, ext;
    const char *operands;
    char result;
    unsigned widths, tolerance;
    char domain;
    oracle_fn *oracle;
} cases[] = {
#define CASE(name, opcode, ext, operands, result, widths, tolerance, domain, kind, expression)                         \
    {#name, opcode, ext, operands, result, widths, tolerance, domain, o_##name},
#include "number_cases.inc"
#undef CASE
};

/* ---- operands ---- */

static uint32_t next(uint32_t *random)
{
    *random = *random * 1664525 + 1013904223;
    return *random ^ *random >> 15;
}

static uint64_t integer_operand(const struct number_case *c, unsigned k, unsigned width, unsigned i, uint32_t *random)
{
    const uint64_t corners[] = {0, 1, 2, 7, width - 1, ones(width - 1), UINT64_C(1) << (width - 1), UINT64_MAX,
                                UINT64_MAX - 1, 0x55};
    enum { CORNERS = 10 };
    uint64_t any = (uint64_t)next(random) << 32 | next(random);
    uint64_t v = i < CORNERS * CORNERS ? corners[k ? i / CORNERS : i % CORNERS] : any;
    bool of_field = strchr(c->operands, 'n') != NULL;
    if (of_field && c->operands[k] == 'n') /* the whole number, or a part of it */
        v = i % 8 == 7 ? (c->operands[k + 1] ? 0 : 32) : v % 17;
    else if (c->domain == 's' && k && !of_field)
        v %= c->opcode == SpvOpExtInst ? 16 : width;
    v = cut_to(v, width);
    return c->domain == 'd' && k && (v == 0 || v == ones(width)) ? 3 : v;
}

static uint64_t float_operand(const struct number_case *c, unsigned k, unsigned width, unsigned i, uint32_t *random)
{
    static const double corners[] = {0, -0.0, 1, -1, 0.5, 2.5, -7.75, 1e-3, 60000, INFINITY, -INFINITY, NAN};
    enum { CORNERS = 12 };
    double unit = (double)((int32_t)next(random)) / 2147483648.0; /* -1 to 1 */
    switch (c->domain) {
    case 'a':
        return float_bits(i < CORNERS * CORNERS ? corners[k ? i / CORNERS : i % CORNERS] : unit * 300, width);
    case 'u':
        return float_bits(i < 4 ? (double)i - 2 + (i > 1) : unit, width);
    case 'p':
        return float_bits(fabs(unit) * 8 + 0.01, width);
    case 'g':
        return float_bits(fabs(unit) * 20 + 1, width);
    default:
        return float_bits(unit * 16, width);
    }
}

static uint64_t operand(const struct number_case *c, unsigned k, unsigned width, unsigned i, uint32_t *random)
{
    char kind = c->operands[k];
    if (kind == 'f')
        return float_operand(c, k, width, i, random);
    return kind == 'b' ? next(random) >> 9 & 1 : integer_operand(c, k, kind == 'n' ? 32 : width, i, random);
}

/* ---- single instructions ---- */

static unsigned width_of(char kind, unsigned width)
{
    return kind == 'n' || kind == 'b' ? 32 : width;
}

/* Operands are words 0, 2, 4 and 6 of the input, the result is word 0 of the output. */
static void make(struct module *m, const struct number_case *c, unsigned width)
{
    uint32_t w[8], n = 0, operands[4];
    declare(m, all_widths, sizeof all_widths / sizeof *all_widths, NULL);
    declare_number(m, 'i', 32);
    declare_number(m, 'i', width);
    if (width > 8)
        declare_number(m, 'f', width);
    enter(m);
    uint32_t id = invocation(m), v = fresh(m);
    for (unsigned k = 0; c->operands[k]; k++) {
        char kind = c->operands[k] == 'n' ? 'i' : c->operands[k];
        operands[k] = fetch(m, id, 2 * k, kind, width_of(c->operands[k], width));
    }
    w[n++] = number_type(m, c->result, width);
    w[n++] = v;
    if (c->opcode == SpvOpExtInst) {
        w[n++] = GLSL;
        w[n++] = c->ext;
    }
    for (unsigned k = 0; c->operands[k]; k++)
        w[n++] = operands[k];
    words(m, c->opcode, w, n);
    put(m, id, 0, c->result, width_of(c->result, width), v);
    leave(m);
}

/* How far apart two floats are, in units of the last place of the larger one. */
static double apart(uint64_t have, uint64_t want, unsigned width)
{
    double x = float_of(have, width), y = float_of(want, width);
    if (isnan(x) || isnan(y) || isinf(x) || isinf(y) || have == want)
        return (isnan(x) && isnan(y)) || have == want ? 0 : INFINITY;
    unsigned mantissa = width == 16 ? 10 : width == 32 ? 23 : 52;
    double larger = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
    double unit = ldexp(1, (larger > 0 ? ilogb(larger) : 0) - (int)mantissa);
    double least = ldexp(1, width == 16 ? -24 : width == 32 ? -149 : -1074);
    return x == y ? 0.5 : fabs(x - y) / (unit > least ? unit : least);
}

static bool fits(const struct number_case *c, uint64_t have, uint64_t want, unsigned width)
{
    if (c->result != 'f')
        return have == cut_to(want, width_of(c->result, width));
    if (c->tolerance != MIXED)
        return c->tolerance ? apart(have, want, width) <= c->tolerance : apart(have, want, width) == 0;
    double mantissa = width == 16 ? 10 : width == 32 ? 23 : 52;
    return fabs(float_of(have, width) - float_of(want, width)) <= 4 * exp2(-mantissa);
}

/* Says the first mistake of a case; false: there was one. */
static bool check_case(const struct number_case *c, unsigned width)
{
    static uint32_t in[STRIDE * COUNT], out[STRIDE * COUNT];
    static uint64_t v[COUNT][4];
    uint32_t random = 77 + width;
    struct module m;
    memset(v, 0, sizeof v);
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned k = 0; c->operands[k]; k++) {
            v[i][k] = operand(c, k, width, i, &random);
            set_number(in, i, 2 * k, width_of(c->operands[k], width), v[i][k]);
        }
    make(&m, c, width);
    if (!run(&m, in, out))
        return true;
    for (unsigned i = 0; i < COUNT; i++) {
        nothing_said = false;
        uint64_t want = c->oracle(v[i], width), have = number_at(out, i, 0, width_of(c->result, width));
        if (nothing_said || want == ANY || fits(c, have, want, width))
            continue;
        print_error("%s of %u bits: 0x%llx, 0x%llx and 0x%llx give 0x%llx, expected 0x%llx\n", c->name, width,
                    (unsigned long long)v[i][0], (unsigned long long)v[i][1], (unsigned long long)v[i][2],
                    (unsigned long long)have, (unsigned long long)cut_to(want, width_of(c->result, width)));
        return false;
    }
    return true;
}

static void single_numbers(void **state)
{
    (void)state;
    unsigned wrong = 0;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (unsigned k = 0; k < 4; k++)
            if (cases[c].widths >> k & 1)
                wrong += !check_case(&cases[c], 8u << k);
    assert_int_equal(wrong, 0);
}

/* ---- conversions ---- */

static const struct conversion {
    uint32_t opcode;
    char from, to;
} conversions[] = {
    {SpvOpUConvert, 'i', 'i'},    {SpvOpSConvert, 'i', 'i'},    {SpvOpFConvert, 'f', 'f'},
    {SpvOpConvertUToF, 'i', 'f'}, {SpvOpConvertSToF, 'i', 'f'}, {SpvOpConvertFToU, 'f', 'i'},
    {SpvOpConvertFToS, 'f', 'i'},
};

/* What is beyond the result's range may be anything: *said is false then. */
static uint64_t converted(const struct conversion *c, uint64_t v, unsigned from, unsigned to, bool *said)
{
    *said = true;
    if (c->from == 'i' && c->to == 'i')
        return cut_to(c->opcode == SpvOpSConvert ? (uint64_t)signed_of(v, from) : v, to);
    if (c->from == 'i')
        return float_bits(c->opcode == SpvOpConvertSToF ? (long double)signed_of(v, from) : (long double)v, to);
    double x = float_of(v, from);
    if (c->to == 'f')
        return float_bits(x, to);
    bool sign = c->opcode == SpvOpConvertFToS;
    *said = sign ? x > -ldexp(1, (int)to - 1) - 1 && x < ldexp(1, (int)to - 1) : x > -1 && x < ldexp(1, (int)to);
    if (sign && x <= -ldexp(1, (int)to - 1))
        *said = x == -ldexp(1, (int)to - 1);
    return !*said ? 0 : cut_to(sign ? (uint64_t)(int64_t)x : (uint64_t)x, to);
}

static uint64_t number_to_convert(const struct conversion *c, unsigned from, unsigned to, unsigned i, uint32_t *random)
{
    uint64_t any = (uint64_t)next(random) << 32 | next(random);
    if (c->from == 'i')
        return cut_to(i & 1 ? any >> (any & 31) : any, from);
    if (c->to == 'i')
        return float_bits((double)(int64_t)any / 9.3e18 * ldexp(1, (int)(any & 63) % (int)(to + 2)), from);
    /* halves of denormals, of large numbers and of ties */
    return from == 16 ? any & 0xffff : float_bits((double)(int32_t)any * ldexp(1, (int)(any >> 40 & 63) - 56), from);
}

static void check_conversion(const struct conversion *c, unsigned from, unsigned to)
{
    static uint32_t in[STRIDE * COUNT], out[STRIDE * COUNT];
    uint32_t random = from * 100 + to;
    struct module m;
    for (unsigned i = 0; i < COUNT; i++)
        set_number(in, i, 0, from, number_to_convert(c, from, to, i, &random));
    declare(&m, all_widths, sizeof all_widths / sizeof *all_widths, NULL);
    declare_number(&m, c->from, from);
    declare_number(&m, c->to, to);
    enter(&m);
    uint32_t id = invocation(&m), v = fetch(&m, id, 0, c->from, from), w = fresh(&m);
    ADD(&m, c->opcode, number_type(&m, c->to, to), w, v);
    put(&m, id, 0, c->to, to, w);
    leave(&m);
    if (!run(&m, in, out))
        return;
    for (unsigned i = 0; i < COUNT; i++) {
        bool said;
        uint64_t a = number_at(in, i, 0, from), have = number_at(out, i, 0, to);
        uint64_t want = converted(c, a, from, to, &said);
        bool nan = c->to == 'f' && isnan(float_of(want, to)) && isnan(float_of(have, to));
        if (said && have != want && !nan)
            fail_msg("opcode %u from %u to %u bits: 0x%llx gives 0x%llx, expected 0x%llx", c->opcode, from, to,
                     (unsigned long long)a, (unsigned long long)have, (unsigned long long)want);
    }
}

static void conversions_between_widths(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof conversions / sizeof *conversions; c++)
        for (unsigned from = conversions[c].from == 'f' ? 16 : 8; from <= 64; from *= 2)
            for (unsigned to = conversions[c].to == 'f' ? 16 : 8; to <= 64; to *= 2)
                if (conversions[c].from != conversions[c].to || from != to)
                    check_conversion(&conversions[c], from, to);
}

/* ---- results of two parts ---- */

static void extended(uint32_t opcode, uint32_t a, uint32_t b, uint32_t want[2])
{
    uint64_t u = (uint64_t)a * b, s = (uint64_t)((int64_t)(int32_t)a * (int32_t)b);
    uint64_t v = opcode == SpvOpIAddCarry    ? (uint64_t)a + b
                 : opcode == SpvOpISubBorrow ? (uint64_t)(uint32_t)(a - b) | (uint64_t)(a < b) << 32
                 : opcode == SpvOpUMulExtended ? u
                                             : s;
    want[0] = (uint32_t)v;
    want[1] = (uint32_t)(v >> 32);
}

static void results_of_two_parts(void **state)
{
    static const uint32_t opcodes[] = {SpvOpIAddCarry, SpvOpISubBorrow, SpvOpUMulExtended, SpvOpSMulExtended};
    static const uint32_t corners[] = {0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 0x10000};
    static uint32_t in[STRIDE * COUNT], out[STRIDE * COUNT];
    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        struct module m;
        uint32_t random = k;
        for (unsigned i = 0; i < COUNT; i++)
            for (unsigned w = 0; w < 2; w++)
                in[STRIDE * i + w] = i < 64 ? corners[w ? i / 8 : i % 8] : next(&random);
        declare(&m, NULL, 0, NULL);
        uint32_t pair = fresh(&m);
        ADD(&m, SpvOpTypeStruct, pair, UINT, UINT);
        enter(&m);
        uint32_t id = invocation(&m), a = input(&m, id, 0), b = input(&m, id, 1), v = fresh(&m);
        uint32_t low = fresh(&m), high = fresh(&m);
        ADD(&m, opcodes[k], pair, v, a, b);
        ADD(&m, SpvOpCompositeExtract, UINT, low, v, 0);
        ADD(&m, SpvOpCompositeExtract, UINT, high, v, 1);
        output(&m, id, 1, high);
        end(&m, id, low);
        if (!run(&m, in, out))
            continue;
        for (unsigned i = 0; i < COUNT; i++) {
            uint32_t want[2];
            extended(opcodes[k], in[STRIDE * i], in[STRIDE * i + 1], want);
            if (memcmp(want, out + STRIDE * i, sizeof want) != 0)
                fail_msg("opcode %u of 0x%08x and 0x%08x is 0x%08x 0x%08x, expected 0x%08x 0x%08x", opcodes[k],
                         in[STRIDE * i], in[STRIDE * i + 1], out[STRIDE * i], out[STRIDE * i + 1], want[0], want[1]);
        }
    }
}

/* ---- the same bits in other components ---- */

struct shape {
    char kind;
    unsigned width, count;
};

enum { MOST_BITS = 128, MOST_COMPONENTS = 4 };

static uint32_t op2(struct module *m, unsigned opcode, uint32_t type, uint32_t a, uint32_t b)
{
    uint32_t v = fresh(m);
    ADD(m, opcode, type, v, a, b);
    return v;
}

/* A constant of `width` bits. */
static uint32_t distance(struct module *m, unsigned width, uint32_t value)
{
    uint32_t v = fresh(m), type = number_type(m, 'i', width);
    if (width == 64)
        ADD(m, SpvOpConstant, type, v, value, 0);
    else
        ADD(m, SpvOpConstant, type, v, value);
    return v;
}

static uint32_t shape_type(struct module *m, const struct shape *s)
{
    declare_number(m, s->kind, s->width);
    uint32_t type = number_type(m, s->kind, s->width), vector = fresh(m);
    if (s->count == 1)
        return type;
    ADD(m, SpvOpTypeVector, vector, type, s->count);
    return vector;
}

/* Component i of the shape, from the words of the input: by shifts. */
static uint32_t component(struct module *m, const struct shape *s, const uint32_t *word, unsigned i,
                          const uint32_t *by)
{
    unsigned at = i * s->width;
    uint32_t v = word[at / 32], type = number_type(m, 'i', s->width);
    if (s->width == 64) {
        uint32_t high = op1(m, SpvOpUConvert, type, word[at / 32 + 1]);
        high = op2(m, SpvOpShiftLeftLogical, type, high, by[4]); /* one after the other: the same module always */
        v = op2(m, SpvOpBitwiseOr, type, op1(m, SpvOpUConvert, type, v), high);
    } else if (s->width < 32) {
        v = op1(m, SpvOpUConvert, type, op2(m, SpvOpShiftRightLogical, UINT, v, by[at % 32 / 8]));
    }
    return s->kind == 'f' ? cast(m, number_type(m, 'f', s->width), v) : v;
}

/* Writes component i of a value of the shape to the words of the output. */
static void spread(struct module *m, const struct shape *s, uint32_t v, unsigned i, uint32_t *word, const uint32_t *by)
{
    unsigned at = i * s->width;
    if (s->count > 1) {
        uint32_t part = fresh(m);
        ADD(m, SpvOpCompositeExtract, number_type(m, s->kind, s->width), part, v, i);
        v = part;
    }
    if (s->kind == 'f')
        v = cast(m, number_type(m, 'i', s->width), v);
    if (s->width == 64) {
        word[at / 32 + 1] =
            op1(m, SpvOpUConvert, UINT, op2(m, SpvOpShiftRightLogical, number_type(m, 'i', 64), v, by[4]));
        v = op1(m, SpvOpUConvert, UINT, v);
    } else if (s->width < 32) {
        v = op2(m, SpvOpShiftLeftLogical, UINT, op1(m, SpvOpUConvert, UINT, v), by[at % 32 / 8]);
    }
    word[at / 32] = at % 32 ? op2(m, SpvOpBitwiseOr, UINT, word[at / 32], v) : v;
}

static void make_cast(struct module *m, const struct shape *from, const struct shape *to)
{
    uint32_t word[MOST_BITS / 32], by[5], part[2 + MOST_COMPONENTS];
    declare(m, all_widths, sizeof all_widths / sizeof *all_widths, NULL);
    declare_number(m, 'i', from->width);
    declare_number(m, 'i', to->width);
    uint32_t before = shape_type(m, from), after = shape_type(m, to);
    for (unsigned k = 0; k < 5; k++)
        by[k] = distance(m, k < 4 ? 32 : from->width == 64 || to->width == 64 ? 64 : 32, 8 * k);
    enter(m);
    uint32_t id = invocation(m), v;
    unsigned words_in = (from->width * from->count + 31) / 32;
    for (unsigned k = 0; k < words_in; k++)
        word[k] = input(m, id, k);
    for (unsigned i = 0; i < from->count; i++)
        part[2 + i] = component(m, from, word, i, by);
    v = part[2];
    if (from->count > 1) {
        v = part[1] = fresh(m);
        part[0] = before;
        words(m, SpvOpCompositeConstruct, part, 2 + from->count);
    }
    v = cast(m, after, v);
    for (unsigned i = 0; i < to->count; i++)
        spread(m, to, v, i, word, by);
    for (unsigned k = 0; k < words_in; k++)
        output(m, id, k, word[k]);
    leave(m);
}

static void check_cast(const struct shape *from, const struct shape *to)
{
    static uint32_t in[STRIDE * COUNT], out[STRIDE * COUNT];
    uint32_t random = from->width * 100 + to->width;
    unsigned bits = from->width * from->count;
    struct module m;
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned k = 0; k < MOST_BITS / 32; k++) /* without bits that are not a number in some shape */
            in[STRIDE * i + k] = next(&random) & 0xbbffbbff;
    make_cast(&m, from, to);
    if (!run(&m, in, out))
        return;
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned at = 0; at < bits; at += 32) {
            uint32_t want = (uint32_t)cut_to(in[STRIDE * i + at / 32], bits - at < 32 ? bits - at : 32);
            uint32_t have = out[STRIDE * i + at / 32];
            if (have != want)
                fail_msg("%u of %c%u as %u of %c%u: word %u is 0x%08x, expected 0x%08x", from->count, from->kind,
                         from->width, to->count, to->kind, to->width, at / 32, have, want);
        }
}

static void same_bits(void **state)
{
    (void)state;
    static struct shape shapes[2 * 4 * MOST_COMPONENTS];
    unsigned n = 0;
    for (unsigned width = 8; width <= 64; width *= 2)
        for (unsigned count = 1; count <= MOST_COMPONENTS && width * count <= MOST_BITS; count++)
            for (unsigned k = 0; k <= (width > 8); k++)
                shapes[n++] = (struct shape){"if"[k], width, count};
    for (unsigned a = 0; a < n; a++)
        for (unsigned b = 0; b < n; b++)
            if (a != b && shapes[a].width * shapes[a].count == shapes[b].width * shapes[b].count)
                check_cast(&shapes[a], &shapes[b]);
}

TEST_MAIN(TEST(single_numbers), TEST(conversions_between_widths), TEST(results_of_two_parts),
          TEST(same_bits))
