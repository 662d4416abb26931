/* test_bitwise.c - chapter 10: whole bitwise groups with random units, as text, against plain C that follows the units
 * in order. Sources S0 to S4 are r4 to r8; W0 is r0, W1 r1. */
#include "coverage.h"
#include "oracle.h"

static const uint32_t corners[] = {0,          1,          2,          15,         16,         31,        32,
                                   33,         63,         64,         0x7fff,     0x8000,     0xffff,    0x7fffffff,
                                   0x80000000, 0xffffffff, 0xaaaaaaaa, 0x00ff00ff, 0xfffffffe, 0x00010000};
enum { CORNERS = sizeof corners / sizeof *corners };

static uint32_t random_word(struct test_rng *r)
{
    return test_next(r) & 1 ? corners[test_next(r) % CORNERS] : test_next(r);
}

enum { BYP, IMM, MSK, MASKS };
enum { SHIFT_BYP, SHFL, REV, LSL, SHIFTS };
enum { CBS, COUNT_BYP, FTB, FTB_SHI, FTB_MSB, COUNTS };
enum { OR, AND, XOR, NOR, NAND, XNOR, LOGICAL_BYP, LOGICALS };
enum { LSL2, SHR, ROL, CPS, TWB, PWB, MTB, FTB2, SHIFTS2 };
enum { NO_TEST, TZ, TNZ, TESTS };

struct group {
    unsigned mask, shift, count, logical, shift2, test;
    uint32_t imm;
    bool count_ft2, mska, mskb, test_ft3;
};

static struct group random_group(struct test_rng *r)
{
    struct group g = {.mask = test_next(r) % MASKS,
                      .shift = test_next(r) % SHIFTS,
                      .count = test_next(r) % COUNTS,
                      .logical = test_next(r) % LOGICALS,
                      .shift2 = test_next(r) % SHIFTS2,
                      .test = test_next(r) % TESTS};
    g.imm = test_next(r) & 1 ? test_next(r) & 0xffff : test_next(r);
    g.count_ft2 = g.count == FTB_MSB || (g.count != FTB_SHI && (test_next(r) & 1));
    g.mska = g.logical != LOGICAL_BYP && (test_next(r) & 1);
    g.mskb = g.logical != LOGICAL_BYP && (test_next(r) & 1);
    g.test_ft3 = test_next(r) & 1;
    return g;
}

static void write_group(char *text, size_t size, const struct group *g)
{
    static const char *const shifts[] = {"byp ft2, s2", "shfl ft2, s2, s1", "rev ft2, s2", "lsl ft2, s2, s1"};
    static const char *const counts[] = {"cbs", "byp", "ftb", "ftb_shi", "ftb_msb"};
    static const char *const logicals[] = {"or", "and", "xor", "nor", "nand", "xnor"};
    static const char *const shifts2[] = {"lsl", "shr", "rol", "cps", "asr.twb", "asr.pwb", "asr.mtb", "asr.ftb"};
    char mask[48], logical[64], test[24] = "";
    if (g->mask == IMM)
        snprintf(mask, sizeof mask, "byp ft0, ft1, s0, %u", g->imm);
    else
        snprintf(mask, sizeof mask, "%s ft0, ft1, s0, s1", g->mask == MSK ? "msk" : "byp");
    if (g->logical == LOGICAL_BYP)
        snprintf(logical, sizeof logical, "byp ft4, ft1");
    else
        snprintf(logical, sizeof logical, "%s ft4, %s, ft2, %s, s3", logicals[g->logical], g->mska ? "ft1" : "_",
                 g->mskb ? "ft1.invert" : "_");
    if (g->test)
        snprintf(test, sizeof test, "%s p0, %s;", g->test == TZ ? "tz" : "tnz", g->test_ft3 ? "ft3" : "ft5");
    snprintf(
        text, size,
        "0 : { s0 = r4, s1 = r5, s2 = r6, s3 = r7, s4 = r8 p0: %s; %s; %s ft3, %s; p1: %s; p2: %s ft5, %sft4, s4; %s "
        "w0 = r0, w1 = r1 }\n",
        mask, shifts[g->shift], counts[g->count], g->count_ft2 ? "ft2" : "s2", logical, shifts2[g->shift2],
        g->shift2 == CPS ? "p0, " : "", test);
}

/* ---- units ---- */

static uint32_t top_bit(uint32_t v)
{
    uint32_t c = 0;
    while (c < 32 && v >> c)
        c++;
    return c - 1;
}

static uint32_t counted(unsigned op, uint32_t v)
{
    uint32_t c = 0;
    switch (op) {
    case CBS:
        for (unsigned i = 0; i < 32; i++)
            c += v >> i & 1;
        return c;
    case FTB:
        return top_bit(v);
    case FTB_SHI:
        return top_bit(v >> 31 ? ~v : v);
    case FTB_MSB:
        return v ? 31 - top_bit(v) : UINT32_MAX;
    default:
        return v;
    }
}

static uint32_t shifted(unsigned op, uint32_t s2, uint32_t s1)
{
    uint32_t v = 0;
    for (unsigned i = 0; op == SHFL && i < 16; i++)
        v |= (s1 >> i & 1) << (2 * i + 1) | (s2 >> i & 1) << 2 * i;
    for (unsigned i = 0; op == REV && i < 32; i++)
        v |= (s2 >> i & 1) << (31 - i);
    return op == SHIFT_BYP ? s2 : op == LSL ? s2 << (s1 & 31) : v;
}

static uint32_t mask_of(uint32_t width, uint32_t position)
{
    uint32_t v = 0;
    for (unsigned i = 0; i < (width & 63); i++)
        if (i + (position & 63) < 32)
            v |= UINT32_C(1) << (i + (position & 63));
    return v;
}

static uint32_t combined(unsigned op, uint32_t a, uint32_t b)
{
    uint32_t v = op == OR || op == NOR ? a | b : op == AND || op == NAND ? a & b : a ^ b;
    return op >= NOR ? ~v : v;
}

/* (v << (31 - sb)) >> (31 + by - sb), as if of any width. */
static uint32_t arithmetic(uint32_t v, unsigned by, unsigned sb)
{
    int64_t top = (int32_t)(v << (31 - sb));
    return (uint32_t)(top >> (31 + by - sb));
}

static struct out oracle(const struct group *g, const struct in *x)
{
    uint32_t s0 = x->a, s1 = x->b, s2 = x->c, s3 = x->d, by = x->e & 31;
    uint32_t ft0 = g->mask == MSK ? (s0 + s1 - 1) & 63 : s0;
    uint32_t ft1 = g->mask == MSK ? mask_of(s0, s1) : g->mask == IMM ? g->imm : s1;
    uint32_t ft2 = shifted(g->shift, s2, s1), ft3 = counted(g->count, g->count_ft2 ? ft2 : s2);
    uint32_t ft4 = g->logical == LOGICAL_BYP
                       ? ft1
                       : combined(g->logical, g->mska ? ft1 & ft2 : ft2, g->mskb ? ~ft1 & s3 : s3),
             ft5;
    switch (g->shift2) {
    case LSL2:
        ft5 = ft4 << by;
        break;
    case SHR:
        ft5 = ft4 >> by;
        break;
    case ROL:
        ft5 = ft4 << by | (by ? ft4 >> (32 - by) : 0);
        break;
    case CPS:
        ft5 = (x->e & ~ft4) | (x->p0 ? ft4 : 0);
        break;
    default:
        ft5 = arithmetic(ft4, by, g->shift2 == TWB ? 31 : g->shift2 == PWB ? 15 : (g->shift2 == MTB ? ft0 : ft3) & 31);
        break;
    }
    uint32_t tested = g->test_ft3 ? ft3 : ft5;
    return (struct out){ft5, ft3, g->test == TZ ? tested == 0 : g->test == TNZ ? tested != 0 : x->p0};
}

static void test_groups(void **state)
{
    (void)state;
    struct test_rng r = test_seed("bitwise");
    for (unsigned n = 0; n < 500; n++) {
        struct group g = random_group(&r);
        struct machine m;
        char text[384];
        write_group(text, sizeof text, &g);
        assert_true(machine_start(&m, text, false, n & 1));
        for (unsigned run = 0; run < 6; run++) {
            struct in x[LANES];
            struct out got[LANES];
            for (unsigned lane = 0; lane < LANES; lane++)
                x[lane] = (struct in){random_word(&r),
                                      random_word(&r),
                                      random_word(&r),
                                      random_word(&r),
                                      random_word(&r),
                                      0,
                                      test_next(&r) & 1,
                                      0,
                                      0};
            oracle_run(&m, x, got);
            for (unsigned lane = 0; lane < LANES; lane++) {
                struct out want = oracle(&g, &x[lane]);
                if (got[lane].r0 != want.r0 || got[lane].r1 != want.r1 || got[lane].p0 != want.p0)
                    fail_msg("%s r4.. %#x %#x %#x %#x %#x p0 %d: %#x %#x %d, not %#x %#x %d", text, x[lane].a,
                             x[lane].b, x[lane].c, x[lane].d, x[lane].e, x[lane].p0, got[lane].r0, got[lane].r1,
                             got[lane].p0, want.r0, want.r1, want.p0);
            }
        }
        machine_end(&m);
    }
}

/* A phase that a group leaves out hands on what comes before it, in the end a source; so does a unit of the others, but
 * that FT5 is shifted by S4. */
static void test_bypasses(void **state)
{
    (void)state;
    static const struct {
        const char *units;
        struct in x;
        struct out want;
    } rows[] = {
        {"p0: byp ft0, ft1, s0, 64;", {.b = 5, .c = 6}, {64, 6, false}},
        {"p0: rev ft2, s2;", {.b = 5, .c = 6}, {5, 6, false}}, /* FT3 is S2 */
        {"p0: cbs ft3, s2;", {.b = 5, .c = 6}, {5, 2, false}},
        {"p0: cbs ft3, ft2;", {.b = 5, .c = 6}, {5, 2, false}},
        {"p1: and ft4, ft1, ft2, _, s3;", {.b = 0xff, .c = 0xf0f, .d = 0x3c}, {0xc, 0xf0f, false}},
        {"p1: and ft4, _, ft2, ft1.invert, s3;", {.b = 0xff, .c = 0xf0f, .d = 0xf3c}, {0xf00, 0xf0f, false}},
        {"p1: byp ft4, ft1;", {.b = 5, .c = 6}, {5, 6, false}},
        {"p2: shr ft5, ft4, s4;", {.b = 0x50, .c = 6, .e = 4}, {5, 6, false}},
        /* the sign is bit 4, what S0 says, and bit 16, what S2 says */
        {"p2: asr.mtb ft5, ft4, s4;", {.a = 0x24, .b = 0xf0, .c = 6, .e = 4}, {UINT32_MAX, 6, false}},
        {"p2: asr.ftb ft5, ft4, s4;", {.b = 0x180f0, .c = 0x30, .e = 4}, {0xfffff80f, 0x30, false}},
        {"p2: tnz p0, ft5;", {.b = 5}, {5, 0, true}},
        {"p2: tnz p0, ft5;", {.a = 5, .c = 6, .p0 = true}, {0, 6, false}},
        {"p0: byp ft0, ft1, s0, 64; p2: tnz p0, ft5;", {.c = 6}, {64, 6, true}},
        {"p1: and ft4, _, ft2, _, s3; p2: tz p0, ft5;", {.b = 5, .c = 6, .d = 8}, {0, 6, true}},
        {"p1: and ft4, _, ft2, _, s3; p2: shr ft5, ft4, s4; p2: tz p0, ft5;",
         {.b = 5, .c = 6, .d = 6, .e = 4}, {0, 6, true}},
        {"p2: tz p0, ft3;", {.b = 5}, {5, 0, true}},
        {"p2: tz p0, ft3;", {.c = 6, .p0 = true}, {0, 6, false}},
        /* a test whose result goes nowhere */
        {"p2: tz _, ft5;", {.c = 6}, {0, 6, false}},
        {"p2: tz _, ft5;", {.b = 5, .p0 = true}, {5, 0, true}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct machine m;
        struct in x[LANES] = {rows[i].x};
        struct out got[LANES], want = rows[i].want;
        char text[160];
        snprintf(text, sizeof text, "0 : { s0 = r4, s1 = r5, s2 = r6, s3 = r7, s4 = r8 %s w0 = r0, w1 = r1 }\n",
                 rows[i].units);
        assert_true(machine_start(&m, text, false, false));
        oracle_run(&m, x, got);
        if (got[0].r0 != want.r0 || got[0].r1 != want.r1 || got[0].p0 != want.p0)
            fail_msg("%s gives %#x %#x %d, not %#x %#x %d", text, got[0].r0, got[0].r1, got[0].p0, want.r0, want.r1,
                     want.p0);
        machine_end(&m);
    }
}

static void test_coverage(void **state)
{
    (void)state;
    check_coverage(BY_BITWISE);
}

TEST_MAIN(TEST(test_groups), TEST(test_bypasses), TEST(test_coverage))
