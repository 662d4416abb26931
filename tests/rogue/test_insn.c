/* test_insn.c - instructions against plain functions written from the seed: sources in r4, r5, r6 (a, b, c) and r7 (d),
 * P0 set or not, results in r0, r1 and P0. Corner values in every combination of the first two, then random ones. */
#include "coverage.h"
#include "oracle.h"

#include "base/fmath.h"

#include <math.h>

typedef struct out oracle_fn(struct in x);

static struct out one(uint32_t r0, const struct in *x)
{
    return (struct out){r0, 0, x->p0};
}

/* ---- floats ---- */

static float flushed(uint32_t u)
{
    return f32_from((u & 0x7f800000) ? u : u & 0x80000000);
}

static uint32_t rounded(float v)
{
    uint32_t u = f32_bits(v);
    if (v != v)
        return 0x7fffffff;
    return (u & 0x7f800000) ? u : u & 0x80000000;
}

static struct out sum(struct in x) { return one(rounded(flushed(x.a) + flushed(x.b)), &x); }
static struct out fmul_neg(struct in x) { return one(rounded(-fabsf(flushed(x.a)) * flushed(x.b)), &x); }
static struct out fadd_floor_sat(struct in x)
{
    float v = floorf(flushed(x.a)) + fabsf(flushed(x.b));
    return one(v > 0 ? v < 1 ? rounded(v) : 0x3f800000 : 0, &x);
}
static struct out two_phases(struct in x)
{
    return (struct out){rounded(flushed(x.c) * flushed(x.d)), rounded(flushed(x.a) + flushed(x.b)), x.p0};
}
static struct out mbyp_abs_neg(struct in x) { return one(x.a | 0x80000000, &x); }

/* ---- integers ---- */

static struct out umadd32(struct in x) { return one(x.a * x.b + x.c, &x); }
static struct out smadd32_carry(struct in x) { return one(-x.a * x.b + x.c + x.p0, &x); }
static struct out uadd8_sat(struct in x)
{
    uint32_t v = (x.a >> 8 & 255) + (x.b & 255);
    return one(v > 255 ? 255 : v, &x);
}
static struct out iadd16(struct in x) { return one((uint32_t)(int16_t)((x.a >> 16) + x.b), &x); }
static struct out imul16_sat(struct in x)
{
    int64_t v = (int64_t)(int16_t)x.a * (int16_t)x.b;
    return one((uint32_t)(v > 32767 ? 32767 : v < -32768 ? -32768 : v), &x);
}
static struct out umad8(struct in x) { return one(((x.a & 255) * (x.b & 255) + (x.c >> 24)) & 255, &x); }
static struct out add64(struct in x)
{
    uint64_t v = ((uint64_t)x.b << 32 | x.a) + ((uint64_t)x.d << 32 | x.c);
    return (struct out){(uint32_t)v, (uint32_t)(v >> 32), x.p0};
}
static struct out sadd6432(struct in x)
{
    uint64_t v = ((uint64_t)x.b << 32 | x.a) + (uint64_t)(int64_t)(int32_t)x.c + x.p0;
    return (struct out){(uint32_t)v, (uint32_t)(v >> 32), x.p0};
}
static struct out umadd64(struct in x)
{
    uint64_t v = (uint64_t)x.a * x.b + ((uint64_t)x.d << 32 | x.c);
    return (struct out){(uint32_t)v, (uint32_t)(v >> 32), x.p0};
}
static struct out smadd64(struct in x)
{
    uint64_t v = (uint64_t)((int64_t)(int32_t)x.a * (int32_t)x.b) + ((uint64_t)x.d << 32 | x.c);
    return (struct out){(uint32_t)v, (uint32_t)(v >> 32), x.p0};
}
static struct out carry_out(struct in x) { return (struct out){x.a + x.b, 0, x.a + x.b < x.a}; }

/* ---- tests and moves ---- */

static struct out tstg_s32(struct in x) { return (struct out){0, 0, (int32_t)x.a > (int32_t)x.b}; }
static struct out tstl_u32(struct in x) { return (struct out){0, 0, x.a < x.b}; }
static struct out tste_f32(struct in x) { return (struct out){0, 0, flushed(x.a) == flushed(x.b)}; }
static struct out tstne_f32(struct in x) { return (struct out){0, 0, flushed(x.a) != flushed(x.b)}; }
static struct out tstge_s16(struct in x) { return (struct out){0, 0, (int16_t)(x.a >> 16) >= (int16_t)(x.b >> 16)}; }
static struct out tstle_u8(struct in x) { return (struct out){0, 0, (x.a >> 16 & 255) <= (x.b >> 16 & 255)}; }
static struct out tstgz_f32(struct in x) { return (struct out){0, 0, flushed(x.a) > 0}; }
static struct out minimum(struct in x) { return one((int32_t)x.a < (int32_t)x.b ? x.a : x.b, &x); }
static struct out byte_move(struct in x) { return one((x.a & 0x00ff00ff) | (x.b & 0xff00ff00), &x); }
static struct out under_p0(struct in x) { return one(x.p0 ? x.a : 0, &x); }
static struct out under_not_p0(struct in x) { return one(x.p0 ? 0 : x.a, &x); }

/* ---- bitwise ---- */

static unsigned popcount(uint32_t v)
{
    unsigned n = 0;
    for (; v; v &= v - 1)
        n++;
    return n;
}
static uint32_t top_bit(uint32_t v)
{
    uint32_t c = 0;
    while (c < 32 && v >> c)
        c++;
    return c - 1;
}
static struct out and_count(struct in x) { return (struct out){x.a & x.b, popcount(x.a), x.p0}; }
static struct out xnor(struct in x) { return one(~(x.a ^ x.b), &x); }
static struct out shl(struct in x) { return one(x.a << (x.b & 31), &x); }
static struct out shr(struct in x) { return one(x.a >> (x.b & 31), &x); }
static struct out rol(struct in x) { return one(x.a << (x.b & 31) | (x.b & 31 ? x.a >> (32 - (x.b & 31)) : 0), &x); }
static struct out asr(struct in x) { return one((uint32_t)((int32_t)x.a >> (x.b & 31)), &x); }
static struct out asr_half(struct in x) { return one((uint32_t)((int32_t)(int16_t)x.a >> (x.b & 31)), &x); }
static struct out cps(struct in x) { return one((x.b & ~x.a) | (x.p0 ? x.a : 0), &x); }
static struct out ftb(struct in x) { return (struct out){x.a, top_bit(x.a), x.p0}; }
static struct out ftb_shi(struct in x) { return (struct out){x.a, top_bit(x.a >> 31 ? ~x.a : x.a), x.p0}; }
static struct out reverse(struct in x)
{
    uint32_t v = 0;
    for (unsigned i = 0; i < 32; i++)
        v |= (x.a >> i & 1) << (31 - i);
    return one(v, &x);
}
static struct out interleave(struct in x)
{
    uint32_t v = 0;
    for (unsigned i = 0; i < 16; i++)
        v |= (x.a >> i & 1) << 2 * i | (x.b >> i & 1) << (2 * i + 1);
    return one(v, &x);
}
static struct out bit_insert(struct in x) /* width c, position d of a into b */
{
    unsigned width = x.c & 63, position = x.d & 63;
    uint64_t ones = width >= 32 ? UINT32_MAX : (UINT64_C(1) << width) - 1;
    uint32_t mask = position >= 32 ? 0 : (uint32_t)(ones << position);
    return one((mask & x.a) | (~mask & x.b), &x);
}
static struct out bit_test(struct in x) { return (struct out){x.a & x.b, 0, (x.a & x.b) == 0}; }

/* ---- 64-bit floats, phase 2 ---- */

static struct out to_f64(struct in x)
{
    uint64_t v = f64_bits((double)(int32_t)x.a);
    return (struct out){(uint32_t)v, (uint32_t)(v >> 32), x.p0};
}
/* Codes without the bytes that they announce: a byte unpacked, and a sum of nothing. */
static struct out unpack_code(struct in x) { return one(f32_bits((float)(x.a & 255)), &x); }
static struct out sum_code(struct in x) { return one(0, &x); }
static struct out phase2_add(struct in x)
{
    return one(rounded(flushed(rounded(flushed(x.a) * flushed(x.b))) + flushed(x.a)), &x);
}

#define BITS(shift1, logical, shift2)                                                                                  \
    "0 : byp ft0, ft1, c0, c0\n    " shift1 "\n    cbs ft3, r4\n    " logical "\n    " shift2 "\n"

static const struct {
    const char *text;
    oracle_fn *oracle;
} rows[] = {
    {"0 : fadd ft0, r4, r5\n    mov r0, ft0\n", sum},
    {"0 : fmul ft0, r4.abs.neg, r5\n    mov r0, ft0\n", fmul_neg},
    {"0 : fadd.sat ft0, r4.flr, r5.abs\n    mov r0, ft0\n", fadd_floor_sat},
    {"0 : fadd ft0, r4, r5\n    fmul ft1, r6, r7\n    mov r0, ft1\n    mov r1, ft0\n", two_phases},
    {"0 : mbyp ft0, r4.abs.neg\n    mov r0, ft0\n", mbyp_abs_neg},
    {"0 : umadd32 ft0, r4, r5, r6,\n    mov r0, ft0\n", umadd32},
    {"0 : smadd32 ft0, r4.neg, r5, r6, p0\n    mov r0, ft0\n", smadd32_carry},
    {"0 : uadd8.sat ft0, r4.e1, r5.e0\n    mov r0, ft0\n", uadd8_sat},
    {"0 : iadd16 ft0, r4.e1, r5.e0\n    mov r0, ft0\n", iadd16},
    {"0 : imul16.sat ft0, r4.e0, r5.e0\n    mov r0, ft0\n", imul16_sat},
    {"0 : umad8 ft0, r4.e0, r5.e0, r6.e3\n    mov r0, ft0\n", umad8},
    {"0 : add64 ft0, r4, r5, r6, r7, _\n    mov r0, ft0\n    mov r1, fte\n", add64},
    {"0 : sadd6432 ft0, r4, r5, r6, p0\n    mov r0, ft0\n    mov r1, fte\n", sadd6432},
    {"0 : umadd64 ft0, r4, r5, r6, r7, _\n    mov r0, ft0\n    mov r1, fte\n", umadd64},
    {"0 : smadd64 ft0, r4, r5, r6, r7, _\n    mov r0, ft0\n    mov r1, fte\n", smadd64},
    {"0 : umadd32 ft0, r4, c1, r5, _\n    tstc.u32 ftt, p0\n    mov r0, ft0\n", carry_out},
    {"0 : mov ft0, r4\n    mov ft1, r5\n    tstg.s32 ftt, p0, ft0, ft1\n", tstg_s32},
    {"0 : mov ft0, r4\n    mov ft1, r5\n    tstl.u32 ftt, p0, ft0, ft1\n", tstl_u32},
    {"0 : mov ft0, r4\n    mov ft1, r5\n    tste.f32 ftt, p0, ft0, ft1\n", tste_f32},
    {"0 : mov ft0, r4\n    mov ft1, r5\n    tstne.f32 ftt, p0, ft0, ft1\n", tstne_f32},
    {"0 : mov ft0, r4\n    mov ft1, r5\n    tstge.s16 ftt, p0, ft0.e1, ft1\n", tstge_s16},
    {"0 : mov ft0, r4\n    mov ft1, r5\n    tstle.u8 ftt, p0, ft0.e2, ft1\n", tstle_u8},
    {"0 : mov ft0, r4\n    tstgz.f32 ftt, p0, ft0\n", tstgz_f32},
    {"0 : mov ft0, r4\n    mov ft1, r5\n    tstl.s32 ftt, _, ft0, ft1\n    mov r0.e0.e1.e2.e3, ft1, ftt, ft0, ft1\n",
     minimum},
    {"0 : mov ft0, r4\n    mov ft1, r5\n    is4 = ft1\n    mov r0.e0.e2, ft0\n", byte_move},
    {"0 : if(p0)\n    mov ft0, r4\n    mov r0, ft0\n", under_p0},
    {"0 : if(!p0)\n    mov ft0, r4\n    mov r0, ft0\n", under_not_p0},
    {BITS("mov ft2, r4", "and ft4, _, ft2, _, r5", "lsl ft5, ft4, c0\n    mov r0, ft5\n    mov r1, ft3"), and_count},
    {BITS("mov ft2, r4", "xnor ft4, _, ft2, _, r5", "lsl ft5, ft4, c0\n    mov r0, ft5"), xnor},
    {BITS("mov ft2, r4", "or ft4, _, ft2, _, c0", "lsl ft5, ft4, r5\n    mov r0, ft5"), shl},
    {BITS("mov ft2, r4", "or ft4, _, ft2, _, c0", "shr ft5, ft4, r5\n    mov r0, ft5"), shr},
    {BITS("mov ft2, r4", "or ft4, _, ft2, _, c0", "rol ft5, ft4, r5\n    mov r0, ft5"), rol},
    {BITS("mov ft2, r4", "or ft4, _, ft2, _, c0", "asr.twb ft5, ft4, r5\n    mov r0, ft5"), asr},
    {BITS("mov ft2, r4", "or ft4, _, ft2, _, c0", "asr.pwb ft5, ft4, r5\n    mov r0, ft5"), asr_half},
    {BITS("mov ft2, r4", "or ft4, _, ft2, _, c0", "cps ft5, p0, ft4, r5\n    mov r0, ft5"), cps},
    {"0 : mov ft2, r4\n    ftb ft3, r4\n    or ft4, _, ft2, _, c0\n    lsl ft5, ft4, c0\n    mov r0, ft5\n"
     "    mov r1, ft3\n",
     ftb},
    {"0 : mov ft2, r4\n    ftb_shi ft3, r4\n    or ft4, _, ft2, _, c0\n    lsl ft5, ft4, c0\n    mov r0, ft5\n"
     "    mov r1, ft3\n",
     ftb_shi},
    {"0 : rev ft2, r4\n    or ft4, _, ft2, _, c0\n    lsl ft5, ft4, c0\n    mov r0, ft5\n", reverse},
    {"0 : shfl ft2, r4, r5\n    or ft4, _, ft2, _, c0\n    lsl ft5, ft4, c0\n    mov r0, ft5\n", interleave},
    {"0 : msk ft0, ft1, r6, r7\n    mov ft2, r4\n    or ft4, ft1, ft2, ft1.invert, r5\n    lsl ft5, ft4, c0\n"
     "    mov r0, ft5\n",
     bit_insert},
    {"0 : mov ft2, r4\n    and ft4, _, ft2, _, r5\n    lsl ft5, ft4, c0\n    tz p0, ft5\n    mov r0, ft5\n", bit_test},
    {"0 : mov ft0, r4\n    converttof64.s32 ft0, ft2, ft0\n    mov r0, ft0\n    mov r1, ft2\n", to_f64},
    {"0 : fmul ft0, r4, r5\n    fadd ft2, ft0, fte\n    mov r0, ft2\n", phase2_add},
    {"0 : unpck.code ft0, r4\n    mov r0, ft0\n", unpack_code},
    {"0 : f16sop.code ft0, r4.neg\n    mov r0, ft0\n", sum_code},
};

static const uint32_t corners[] = {0,          1,          2,          31,         32,         0x7f,       0x80,
                                   0xff,       0x7fff,     0x8000,     0xffff,     0x7fffffff, 0x80000000, 0xffffffff,
                                   0x3f800000, 0xbf800000, 0x3f000000, 0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff,
                                   0x7f800000, 0xff800000, 0x7fc00000, 0x40490fdb, 0xc2f00000};
enum { CORNERS = sizeof corners / sizeof *corners, RANDOM = 60 };

static void check_row(struct machine *m, size_t row, const struct in *x)
{
    struct out results[LANES];
    oracle_run(m, x, results);
    for (unsigned lane = 0; lane < LANES; lane++) {
        struct out want = rows[row].oracle(x[lane]), got = results[lane];
        if (got.r0 != want.r0 || got.r1 != want.r1 || got.p0 != want.p0)
            fail_msg("%s a %#x b %#x c %#x d %#x p0 %d: %#x %#x %d, not %#x %#x %d", rows[row].text, x[lane].a,
                     x[lane].b, x[lane].c, x[lane].d, x[lane].p0, got.r0, got.r1, got.p0, want.r0, want.r1, want.p0);
    }
}

static void test_rows(void **state)
{
    (void)state;
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        struct machine m;
        struct in x[LANES];
        uint64_t random = row;
        assert_true(machine_start(&m, rows[row].text, false, row & 1));
        for (unsigned run = 0; run < CORNERS * CORNERS / LANES + RANDOM; run++) {
            for (unsigned lane = 0; lane < LANES; lane++) {
                unsigned n = run * LANES + lane;
                bool corner = n < CORNERS * CORNERS;
                x[lane] = (struct in){.a = corner ? corners[n / CORNERS] : machine_random(&random),
                                      .b = corner ? corners[n % CORNERS] : machine_random(&random),
                                      .c = machine_random(&random),
                                      .d = machine_random(&random),
                                      .p0 = machine_random(&random) & 1};
            }
            check_row(&m, row, x);
        }
        machine_end(&m);
    }
}

/* ---- complex operations ---- */

static uint32_t run_one(const char *text, uint32_t a)
{
    struct machine m;
    assert_true(machine_start(&m, text, false, true));
    machine_put(&m, ROGUE_FILE_R, 4, 0, a);
    assert_true(machine_run(&m));
    uint32_t v = machine_get(&m, ROGUE_FILE_R, 0, 0);
    machine_end(&m);
    return v;
}

/* The special cases that chapter 6 lists. */
static void test_special_cases(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t a, want;
    } cases[] = {
        {"frcp", 0xffc00001, 0x7fffffff}, {"frcp", 0x7f800000, 0}, {"frcp", 0xff800000, 0x80000000},
        {"frcp", 0, 0x7f800000}, {"frcp", 0x80000000, 0xff800000}, {"frcp", 0xbf800000, 0xbf800000},
        {"frsq", 0x7f800000, 0}, {"frsq", 0x80000000, 0xff800000}, {"frsq", 0xbf800000, 0x7fffffff},
        {"frsq", 0x3f800000, 0x3f800000}, {"flog", 0xff800000, 0x7fffffff}, {"flog", 0x80000000, 0xff800000},
        {"flog", 0x7f800000, 0x7f800000}, {"flog", 0x3f800000, 0}, {"fexp", 0x7f800000, 0x7f800000},
        {"fexp", 0x80000000, 0x3f800000}, {"fexp", 0xffffffff, 0x7fffffff}, {"fsqrt", 0x40800000, 0x40000000},
        {"farctanc", 0x39bfffff, 0x3f800000}, {"gcmp", 0x3f800000, 0x3f800000}, {"gexp", 0x3f800000, 0x3f800000},
        {"gexp", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        snprintf(text, sizeof text, "0 : %s r0, r4\n", cases[i].name);
        if (run_one(text, cases[i].a) != cases[i].want)
            fail_msg("%s %#x is %#x, not %#x", cases[i].name, cases[i].a, run_one(text, cases[i].a), cases[i].want);
    }
}

static double ulps(uint32_t got, double want)
{
    int exponent;
    frexp(want, &exponent);
    exponent = exponent < -125 ? -125 : exponent;
    return fabs((double)f32_from(got) - want) / ldexp(1.0, exponent - 24);
}

/* The seed's sequences for sine and arctangent, and the same for a cosine, within 2 units in the last place. */
static void test_chains(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double (*exact)(double);
    } chains[] = {
        {"0 : fred.sin r1, r2, _, 0, r4,\n1 : fred.sin.partb r1, r3, _, 0, r4, r2\n2 : fsinc r0, p0, r1\n"
         "3 : if(p0)\n    fmul ft0, r0, r1\n    mov r0, ft0\n", sin},
        {"0 : fred.code r1, r2, r4\n1 : fred.sin.partb r1, r3, _, 0, r4, r2\n2 : fsinc r0, p0, r1\n"
         "3 : if(p0)\n    fmul ft0, r0, r1\n    mov r0, ft0\n", sin},
        {"0 : fred.cos r1, r2, _, 0, r4,\n1 : fred.cos.partb r1, r3, _, 0, r4, r2\n2 : fsinc r0, p0, r1\n"
         "3 : if(p0)\n    fmul ft0, r0, r1\n    mov r0, ft0\n", cos},
        {"0 : farctanc r0, r4\n1 : fmul ft0, r0, r4\n    mov r0, ft0\n", atan},
    };
    for (unsigned c = 0; c < sizeof chains / sizeof *chains; c++) {
        struct machine m;
        uint64_t random = c;
        assert_true(machine_start(&m, chains[c].text, false, true));
        for (unsigned run = 0; run < 4000; run++) {
            uint32_t x[LANES];
            for (unsigned lane = 0; lane < LANES; lane++) {
                unsigned most = c == 3 ? 27 : 60; /* exponents from 2^-100 to 1, or 2^-27 to 2^33 */
                x[lane] = (machine_random(&random) & 0x807fffff) | (127u - 27 + machine_random(&random) % most) << 23;
                machine_put(&m, ROGUE_FILE_R, 4, lane, x[lane]);
            }
            assert_true(machine_run(&m));
            for (unsigned lane = 0; lane < LANES; lane++) {
                double want = chains[c].exact((double)f32_from(x[lane]));
                uint32_t got = machine_get(&m, ROGUE_FILE_R, 0, lane);
                if (!(ulps(got, want) <= 2))
                    fail_msg("chain %u of %a is %a, not %a: %g ulp", c, (double)f32_from(x[lane]),
                             (double)f32_from(got), want, ulps(got, want));
            }
        }
        machine_end(&m);
    }
}

static void test_coverage(void **state)
{
    (void)state;
    check_coverage(BY_INSN);
}

TEST_MAIN(TEST(test_rows), TEST(test_special_cases), TEST(test_chains), TEST(test_coverage))
