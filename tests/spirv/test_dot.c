/* test_dot.c - dot products of integers: every instruction, width and form on random numbers, against plain C. */
#include "module.h"
#include "number.h"

enum { ROUNDS = 8 };

struct dot {
    const char *name;
    uint32_t opcode;
    bool signed_a, signed_b, sum;
};

static const struct dot dots[] = {
    {"SDot", SpvOpSDot, true, true, false},
    {"UDot", SpvOpUDot, false, false, false},
    {"SUDot", SpvOpSUDot, true, false, false},
    {"SDotAccSat", SpvOpSDotAccSat, true, true, true},
    {"UDotAccSat", SpvOpUDotAccSat, false, false, true},
    {"SUDotAccSat", SpvOpSUDotAccSat, true, false, true},
};

/* An operand's form: vectors of `count` integers of `from` bits, or (count 0) four bytes in a word. */
struct form {
    unsigned count, from, to;
};

static const struct form forms[] = {
    {0, 8, 8},  {0, 8, 16}, {0, 8, 32}, {0, 8, 64},  {4, 8, 8},   {4, 8, 32},  {2, 8, 16},  {3, 16, 16},
    {2, 16, 32}, {3, 16, 64}, {2, 32, 32}, {3, 32, 64}, {4, 16, 32}, {2, 64, 64},
};

static uint32_t next(uint32_t *random)
{
    *random = *random * 1664525 + 1013904223;
    uint32_t v = *random >> 3;
    switch (v & 7) { /* often an end of the range */
    case 0:
        return 0x7f7f7f7f;
    case 1:
        return 0x80808080;
    case 2:
        return 0xffffffff;
    default:
        return *random ^ *random >> 16;
    }
}

/* Component c of the operand whose first word is `words[0]`. */
static uint64_t component(const uint32_t *words, const struct form *f, unsigned c)
{
    unsigned at = f->count ? c % 2 : 0; /* see operand(): components 2 and 3 are those before, shifted */
    uint64_t v = words[at];
    if (!f->count)
        return v >> (8 * c) & 255;
    if (f->from == 64)
        v = words[0] | (uint64_t)words[1] << 32;
    v = cut_to(v, f->from);
    return c < 2 ? (f->from == 64 && c ? ~v : v) : cut_to(v >> 1, f->from);
}

__extension__ typedef __int128 whole;

static whole wide(uint64_t v, unsigned bits, bool is_signed)
{
    return is_signed ? (whole)signed_of(v, bits) : (whole)v;
}

static uint64_t expected(const struct dot *d, const struct form *f, const uint32_t *in)
{
    uint64_t sum = 0;
    for (unsigned c = 0; c < (f->count ? f->count : 4); c++) {
        uint64_t a = component(in, f, c), b = component(in + 2, f, c);
        a = d->signed_a ? (uint64_t)signed_of(a, f->from) : a;
        b = d->signed_b ? (uint64_t)signed_of(b, f->from) : b;
        sum = cut_to(sum + a * b, f->to);
    }
    if (!d->sum)
        return sum;
    uint64_t before = f->to == 64 ? in[4] | (uint64_t)in[5] << 32 : cut_to(in[4], f->to);
    whole all = wide(sum, f->to, d->signed_a) + wide(before, f->to, d->signed_a);
    whole top = ((whole)1 << (f->to - d->signed_a)) - 1;
    whole bottom = d->signed_a ? -top - 1 : 0;
    return cut_to((uint64_t)(all > top ? top : all < bottom ? bottom : all), f->to);
}

/* Two words become a vector: both, and both shifted by one. */
static uint32_t operand(struct module *m, uint32_t id, unsigned which, const struct form *f, uint32_t vector)
{
    if (!f->count)
        return input(m, id, which);
    uint32_t c[4], type = m->type[0][f->from], all = fresh(m);
    c[0] = fetch(m, id, which, 'i', f->from);
    c[1] = f->from == 64 ? op1(m, SpvOpNot, type, c[0]) : fetch(m, id, which + 1, 'i', f->from);
    for (unsigned i = 2; i < f->count; i++) {
        c[i] = fresh(m);
        ADD(m, SpvOpShiftRightLogical, type, c[i], c[i - 2], ONE);
    }
    uint32_t w[6] = {vector, all, c[0], c[1], f->count > 2 ? c[2] : 0, f->count > 3 ? c[3] : 0};
    words(m, SpvOpCompositeConstruct, w, 2 + f->count);
    return all;
}

static void make(struct module *m, const struct dot *d, const struct form *f)
{
    static const uint32_t capabilities[] = {SpvCapabilityInt8, SpvCapabilityInt16, SpvCapabilityInt64,
                                            SpvCapabilityDotProduct, SpvCapabilityDotProductInputAll,
                                            SpvCapabilityDotProductInput4x8Bit,
                                            SpvCapabilityDotProductInput4x8BitPacked};
    static const char *const extensions[] = {"SPV_KHR_integer_dot_product", NULL};
    declare(m, capabilities, sizeof capabilities / sizeof *capabilities, extensions);
    declare_number(m, 'i', f->from);
    declare_number(m, 'i', f->to);
    uint32_t vector = f->count ? fresh(m) : 0;
    if (vector)
        ADD(m, SpvOpTypeVector, vector, m->type[0][f->from], f->count);
    enter(m);
    uint32_t id = invocation(m), a = operand(m, id, 0, f, vector), b = operand(m, id, 2, f, vector);
    uint32_t w[6] = {m->type[0][f->to], fresh(m), a, b}, n = 4;
    if (d->sum)
        w[n++] = fetch(m, id, 4, 'i', f->to);
    if (!f->count)
        w[n++] = SpvPackedVectorFormatPackedVectorFormat4x8Bit;
    words(m, d->opcode, w, n);
    put(m, id, 0, 'i', f->to, w[1]);
    leave(m);
}

static void products(void **state)
{
    uint32_t random = 7;
    (void)state;
    for (size_t k = 0; k < sizeof dots / sizeof *dots; k++)
        for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
            static uint32_t in[STRIDE * COUNT], out[STRIDE * COUNT];
            struct module m;
            for (unsigned w = 0; w < STRIDE * COUNT; w++)
                in[w] = next(&random);
            make(&m, &dots[k], &forms[i]);
            if (!run(&m, in, out))
                continue;
            for (unsigned v = 0; v < COUNT; v++) {
                uint64_t have = cut_to(number_at(out, v, 0, forms[i].to), forms[i].to);
                uint64_t want = expected(&dots[k], &forms[i], in + (size_t)v * STRIDE);
                if (have != want)
                    fail_msg("%s, %u of %u bits to %u: 0x%llx, expected 0x%llx", dots[k].name, forms[i].count,
                             forms[i].from, forms[i].to, (unsigned long long)have, (unsigned long long)want);
            }
        }
}

TEST_MAIN(TEST(products))
