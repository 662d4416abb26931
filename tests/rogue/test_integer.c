/* test_integer.c - chapter 8: every integer instruction with random modifiers and elements against plain C, at corners
 * and at random. Results in r0, the high word of 64 bits in r1, the carry in P0. */
#include "coverage.h"
#include "oracle.h"

static const uint32_t corners[] = {0,          1,          2,          0x7f,       0x80,       0x81,       0xff,
                                   0x100,      0x7fff,     0x8000,     0xffff,     0x10000,    0x7fffffff, 0x80000000,
                                   0x80000001, 0xffffffff, 0xfffffffe, 0x01ff807f, 0x80ff7f01, 0x7fff8000};
enum { CORNERS = sizeof corners / sizeof *corners, RUNS = 4 };

static uint32_t random_word(struct test_rng *r)
{
    return test_next(r) & 1 ? corners[test_next(r) % CORNERS] : test_next(r);
}

struct modifiers {
    bool abs[4], neg[4], sat, carry; /* the fourth is IS0 */
    unsigned element[4];
};

static struct modifiers random_modifiers(struct test_rng *r)
{
    struct modifiers m = {.sat = test_next(r) & 1, .carry = test_next(r) & 1};
    for (unsigned i = 0; i < 4; i++) {
        m.abs[i] = test_next(r) % 3 == 0;
        m.neg[i] = test_next(r) % 3 == 0;
        m.element[i] = test_next(r) % 4;
    }
    return m;
}

static const char *word_of(char out[24], unsigned n, const struct modifiers *m, bool negates, bool elements)
{
    char element[4] = {'.', 'e', (char)('0' + m->element[n]), 0};
    snprintf(out, 24, "%s%u%s%s%s", n == 3 ? "is" : "s", n % 3, m->abs[n] ? ".abs" : "",
             negates && m->neg[n] ? ".neg" : "", elements ? element : "");
    return out;
}

typedef struct out oracle_fn(unsigned op, const struct modifiers *m, const struct in *x);

static void check(const char *text, oracle_fn *oracle, unsigned op, const struct modifiers *m, struct test_rng *r)
{
    struct machine machine;
    assert_true(machine_start(&machine, text, false, op & 1));
    for (unsigned run = 0; run < RUNS; run++) {
        struct in x[LANES];
        struct out got[LANES];
        for (unsigned lane = 0; lane < LANES; lane++)
            x[lane] = (struct in){.a = random_word(r),
                                  .b = random_word(r),
                                  .c = random_word(r),
                                  .d = random_word(r),
                                  .p0 = test_next(r) & 1};
        oracle_run(&machine, x, got);
        for (unsigned lane = 0; lane < LANES; lane++) {
            struct out want = oracle(op, m, &x[lane]);
            if (got[lane].r0 != want.r0 || got[lane].r1 != want.r1 || got[lane].p0 != want.p0)
                fail_msg("%s a %#x b %#x c %#x d %#x p0 %d: %#x %#x %d, not %#x %#x %d", text, x[lane].a, x[lane].b,
                         x[lane].c, x[lane].d, x[lane].p0, got[lane].r0, got[lane].r1, got[lane].p0, want.r0, want.r1,
                         want.p0);
        }
    }
    machine_end(&machine);
}

/* ---- 8 and 16 bits ---- */

enum { ADD, MUL, MAD, OPS, SIGNED = 4, HALF = 8 };

static int64_t small_source(unsigned op, const struct modifiers *m, unsigned n, uint32_t word, bool negates)
{
    unsigned bits = op & HALF ? 16 : 8;
    uint32_t part = word >> (m->element[n] * bits & 31) & ((1u << bits) - 1);
    int64_t v = op & SIGNED && part >> (bits - 1) ? (int64_t)part - (1 << bits) : part;
    v = m->abs[n] && v < 0 ? -v : v;
    return negates && m->neg[n] ? -v : v;
}

static struct out small(unsigned op, const struct modifiers *m, const struct in *x)
{
    unsigned bits = op & HALF ? 16 : 8;
    int64_t a = small_source(op, m, 0, x->a, true), b = small_source(op, m, 1, x->b, false),
            c = small_source(op, m, 2, x->c, true);
    int64_t v = (op & 3) == ADD ? a + b : (op & 3) == MUL ? a * b : a * b + c;
    int64_t low = op & SIGNED ? -(1 << (bits - 1)) : 0, high = op & SIGNED ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
    bool carry = (uint64_t)v >> bits & 1;
    if (m->sat)
        v = v < low ? low : v > high ? high : v;
    uint32_t part = (uint32_t)((uint64_t)v & ((1u << bits) - 1));
    part |= op & SIGNED && part >> (bits - 1) ? ~((1u << bits) - 1) : 0;
    return (struct out){part, 0, carry};
}

static void test_small(void **state)
{
    (void)state;
    enum { SAMPLES = 24 };
    static const char *const names[] = {"add", "mul", "mad"};
    struct test_rng r = test_seed("8 and 16 bits");
    for (unsigned n = 0; n < 12 * SAMPLES; n++) {
        unsigned op = n % 3 | (n / 3 % 2 ? SIGNED : 0) | (n / 6 % 2 ? HALF : 0);
        struct modifiers m = random_modifiers(&r);
        for (unsigned i = 0; i < 3; i++)
            m.element[i] &= op & HALF ? 1 : 3;
        char text[256], s0[24], s1[24], s2[24];
        snprintf(text, sizeof text,
                 "0 : { s0 = r4, s1 = r5, s2 = r6, is4 = ft0 p0: %c%s%s%s ft0, %s, %s%s%s; p2_tst: tstc.u32 ftt, p0; "
                 "w0 = r0 }\n",
                 op & SIGNED ? 'i' : 'u', names[op & 3], op & HALF ? "16" : "8", m.sat ? ".sat" : "",
                 word_of(s0, 0, &m, true, true), word_of(s1, 1, &m, false, true), (op & 3) == MAD ? ", " : "",
                 (op & 3) == MAD ? word_of(s2, 2, &m, true, true) : "");
        check(text, small, op, &m, &r);
    }
}

/* ---- 32 and 64 bits ---- */

enum { ADD64, ADD64_S, UADD6432, SADD6432, UMADD32, SMADD32, UMADD64, SMADD64, LARGE_OPS };

static uint32_t large_source(const struct modifiers *m, unsigned n, uint32_t v)
{
    v = m->abs[n] && v >> 31 ? 0 - v : v;
    return m->neg[n] ? 0 - v : v;
}

static uint64_t extend(bool is_signed, uint32_t v)
{
    return is_signed && v >> 31 ? v | UINT64_C(0xffffffff00000000) : v;
}

static struct out large(unsigned op, const struct modifiers *m, const struct in *x)
{
    uint32_t s[3] = {large_source(m, 0, x->a), large_source(m, 1, x->b), large_source(m, 2, x->c)};
    bool is_signed = op & 1, in = m->carry && x->p0, out = false;
    uint64_t pair = (uint64_t)s[1] << 32 | s[0], addend = (uint64_t)large_source(m, 3, x->d) << 32 | s[2], v;
    switch (op) {
    case ADD64:
    case ADD64_S:
        v = pair;
        break;
    case UADD6432:
    case SADD6432:
        v = pair;
        addend = extend(is_signed, s[2]);
        break;
    case UMADD32:
    case SMADD32:
        v = (uint64_t)(s[0] * s[1]) << 32; /* in the high word, so that the carry is that of 32 bits */
        addend = (uint64_t)s[2] << 32;
        break;
    default:
        v = extend(is_signed, s[0]) * extend(is_signed, s[1]);
        break;
    }
    bool wide = op != UMADD32 && op != SMADD32;
    uint64_t sum = v + addend, more = sum + (wide ? in : (uint64_t)in << 32);
    out = sum < v || more < sum;
    if (!wide)
        return (struct out){(uint32_t)(more >> 32), 0, out};
    return (struct out){(uint32_t)more, (uint32_t)(more >> 32), out};
}

static void test_large(void **state)
{
    (void)state;
    enum { SAMPLES = 30 };
    static const char *const names[] = {"add64",   "add64.s", "uadd6432", "sadd6432",
                                        "umadd32", "smadd32", "umadd64",  "smadd64"};
    struct test_rng r = test_seed("32 and 64 bits");
    for (unsigned n = 0; n < LARGE_OPS * SAMPLES; n++) {
        unsigned op = n % LARGE_OPS;
        bool four = op <= ADD64_S || op >= UMADD64, wide = op != UMADD32 && op != SMADD32;
        struct modifiers m = random_modifiers(&r);
        char text[256], s0[24], s1[24], s2[24], is0[24];
        snprintf(
            text, sizeof text,
            "0 : { s0 = r4, s1 = r5, s2 = r6, s3 = r7, is0 = s3, is4 = ft0, is5 = fte p0: %s ft0, %s, %s, %s%s%s, %s; "
            "p2_tst: tstc.u32 ftt, p0; w0 = r0%s }\n",
            names[op], word_of(s0, 0, &m, true, false), word_of(s1, 1, &m, true, false),
            word_of(s2, 2, &m, true, false), four ? ", " : "", four ? word_of(is0, 3, &m, true, false) : "",
            m.carry ? "p0" : "_", wide ? ", w1 = r1" : "");
        check(text, large, op, &m, &r);
    }
}

static void test_coverage(void **state)
{
    (void)state;
    check_coverage(BY_INTEGER);
}

TEST_MAIN(TEST(test_small), TEST(test_large), TEST(test_coverage))
