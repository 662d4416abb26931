/* test_compare.c - chapters 7 and 9: tests of every type and element, and the moves that follow them, against plain C.
 */
#include "coverage.h"
#include "half.h"
#include "oracle.h"

#include "base/fmath.h"

static const uint32_t corners[] = {0,          0x80000000, 1,          0x80000001, 0x7f,       0x80,
                                   0xff,       0x7fff,     0x8000,     0xffff,     0x7fffffff, 0xffffffff,
                                   0x3f800000, 0xbf800000, 0x007fffff, 0x00800000, 0x7f7fffff, 0x7f800000,
                                   0xff800000, 0x7fc00000, 0x80ff7f01, 0x8000};
enum { CORNERS = sizeof corners / sizeof *corners };

static uint32_t random_word(struct test_rng *r)
{
    return test_next(r) & 3 ? corners[test_next(r) % CORNERS] : test_next(r);
}

static struct in random_in(struct test_rng *r)
{
    struct in x = {
        .a = random_word(r), .b = random_word(r), .c = test_next(r), .d = test_next(r), .p0 = test_next(r) & 1};
    x.b = test_next(r) % 4 ? x.b : x.a;
    return x;
}

/* ---- tests ---- */

enum op { Z, GZ, GEZ, E, G, GE, NE, L, LE, MIN, MAX, TESTS };
static const char *const names[] = {"tstz",  "tstgz", "tstgez", "tste",   "tstg",  "tstge",
                                    "tstne", "tstl",  "tstle",  "tstmin", "tstmax"};
enum type { F32, U16, S16, U8, S8, U32, S32, F16, TYPES };
static const char *const types[] = {"f32", "u16", "s16", "u8", "s8", "u32", "s32", "f16"};

/* What the type sees; a double has all of them. */
static double number(enum type type, unsigned element, uint32_t word)
{
    uint32_t half = word >> (16 * element & 31) & 0xffff, byte = word >> (8 * element & 31) & 0xff;
    switch (type) {
    case F32:
        return (double)f32_from((word & 0x7f800000) ? word : word & 0x80000000);
    case U16:
        return half;
    case S16:
        return (double)(int32_t)(half ^ 0x8000) - 0x8000;
    case U8:
        return byte;
    case S8:
        return (double)(int32_t)(byte ^ 0x80) - 0x80;
    case U32:
        return word;
    case F16:
        return half_value((uint16_t)half);
    default:
        return (double)(int64_t)(word ^ 0x80000000) - 2147483648.0;
    }
}

static bool holds(enum op op, double a, double b)
{
    switch (op) {
    case Z:
        return a == 0;
    case GZ:
        return a > 0;
    case GEZ:
        return a >= 0;
    case E:
        return a == b;
    case G:
        return a > b;
    case GE:
    case MAX:
        return a >= b;
    case NE:
        return a != b;
    case LE:
        return a <= b;
    default:
        return a < b;
    }
}

/* FTE, which is S1 here, in place of FT0 or FT1 half the time; P0 written or not; the result seen in P0 and through
 * MOVC. */
static void test_tests(void **state)
{
    (void)state;
    struct test_rng r = test_seed("tests");
    for (unsigned n = 0; n < TESTS * TYPES * 4; n++) {
        enum op op = (enum op)(n % TESTS);
        enum type type = (enum type)(n / TESTS % TYPES);
        unsigned element = n / (TESTS * TYPES) %
                           (type == U16 || type == S16 || type == F16 ? 2
                            : type == U8 || type == S8                ? 4
                                                                      : 1);
        bool pwen = test_next(&r) & 1, left = test_next(&r) & 1, right = !left && (test_next(&r) & 1), two = op >= E;
        char text[256], dot[4] = {'.', 'e', (char)('0' + element), 0};
        snprintf(text, sizeof text,
                 "0 : { s0 = r4, s1 = r6, s3 = r5, is0 = s1, is1 = %s, is2 = %s, is4 = ft0, is5 = ft1 p0: mbyp ft0, "
                 "s0; p1: mbyp ft1, s3; "
                 "p2_tst: %s.%s ftt, %s, is1%s%s; p2_mov: movc w0, w1, ftt, ft1, ft0; w0 = r0, w1 = r1 }\n",
                 left ? "fte" : "ft0", right ? "fte" : "ft1", names[op], types[type], pwen ? "p0" : "_",
                 element ? dot : "", two ? ", is2" : "");
        struct machine m;
        assert_true(machine_start(&m, text, false, n & 1));
        for (unsigned run = 0; run < 6; run++) {
            struct in x[LANES];
            struct out got[LANES];
            for (unsigned lane = 0; lane < LANES; lane++) {
                x[lane] = random_in(&r);
                x[lane].c = random_word(&r);
            }
            oracle_run(&m, x, got);
            for (unsigned lane = 0; lane < LANES; lane++) {
                bool yes = holds(op, number(type, element, left ? x[lane].c : x[lane].a),
                                 number(type, element, right ? x[lane].c : x[lane].b));
                struct out want = {yes ? x[lane].b : x[lane].a, yes ? x[lane].a : x[lane].b, pwen ? yes : x[lane].p0};
                if (got[lane].r0 != want.r0 || got[lane].r1 != want.r1 || got[lane].p0 != want.p0)
                    fail_msg("%s a %#x b %#x c %#x: %#x %#x %d, not %#x %#x %d", text, x[lane].a, x[lane].b, x[lane].c,
                             got[lane].r0, got[lane].r1, got[lane].p0, want.r0, want.r1, want.p0);
            }
        }
        machine_end(&m);
    }
}

/* The document has the modifier F16 at the sources. */
static void test_halves(void **state)
{
    (void)state;
    struct machine m;
    assert_true(
        machine_start(&m, "0 : mov ft0, r4\n    mov ft1, r5\n    tstl ftt, p0, ft0.f16.e1, ft1.f16\n", false, true));
    struct in x[LANES] = {{.a = 0x3c000000, .b = 0x40000000}, {.a = 0x40003c00, .b = 0x3c004000}};
    struct out got[LANES];
    oracle_run(&m, x, got);
    assert_true(got[0].p0);
    assert_false(got[1].p0);
    machine_end(&m);
}

/* ---- moves ---- */

/* Every mask, from every feedthrough, under a test or always. FTE is S1, FT2 a packed constant 1. */
static void test_moves(void **state)
{
    (void)state;
    static const char *const feeds[] = {"ft0", "ft1", "ft2", "fte"};
    struct test_rng r = test_seed("moves");
    for (unsigned n = 0; n < 16 * 12; n++) {
        unsigned mask = n % 16, w0 = test_next(&r) % 4, w1 = test_next(&r) % 4, is4 = test_next(&r) % 4,
                 is5 = test_next(&r) % 4;
        bool always = test_next(&r) & 1;
        char text[384], bytes[20] = "", move[96];
        for (unsigned i = 0; i < 4; i++)
            if (mask != 15 && (mask >> i & 1))
                snprintf(bytes + strlen(bytes), sizeof bytes - strlen(bytes), ".e%u", i);
        const char *elements = mask ? bytes : ".none";
        if (always)
            snprintf(move, sizeof move, "mov w0%s, %s", elements, feeds[w0]);
        else
            snprintf(move, sizeof move, "movc w0%s, w1, ftt, %s, %s", elements, feeds[w0], feeds[w1]);
        snprintf(text, sizeof text,
                 "0 : { s0 = r4, s1 = r6, s3 = r5, is0 = s1, is1 = ft0, is3 = ft0, is4 = %s, is5 = %s p0: mbyp ft0, "
                 "s0; p1: mbyp ft1, s3; "
                 "p2_pck: pck.one ft2, is3; p2_tst: tstgz.s32 ftt, _, is1; p2_mov: %s; w0 = r0, w1 = r1 }\n",
                 feeds[is4], feeds[is5], move);
        struct machine m;
        assert_true(machine_start(&m, text, false, n & 1));
        struct in x[LANES];
        struct out got[LANES];
        for (unsigned lane = 0; lane < LANES; lane++)
            x[lane] = random_in(&r);
        oracle_run(&m, x, got);
        for (unsigned lane = 0; lane < LANES; lane++) {
            const uint32_t feed[] = {x[lane].a, x[lane].b, 0x3f800000, x[lane].c};
            uint32_t bits = 0;
            for (unsigned i = 0; i < 4; i++)
                bits |= mask >> i & 1 ? 0xffu << 8 * i : 0;
            bool passes = always || (x[lane].a != 0 && x[lane].a >> 31 == 0);
            uint32_t want0 = passes ? (feed[w0] & bits) | (feed[is4] & ~bits) : feed[is4];
            uint32_t want1 = passes && !always ? feed[w1] : feed[is5];
            if (got[lane].r0 != want0 || got[lane].r1 != want1)
                fail_msg("%s a %#x b %#x c %#x: %#x %#x, not %#x %#x", text, x[lane].a, x[lane].b, x[lane].c,
                         got[lane].r0, got[lane].r1, want0, want1);
        }
        machine_end(&m);
    }
}

static void test_coverage(void **state)
{
    (void)state;
    check_coverage(BY_COMPARE);
}

TEST_MAIN(TEST(test_tests), TEST(test_halves), TEST(test_moves), TEST(test_coverage))
