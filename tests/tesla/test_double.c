/* test_double.c - arithmetic and conversions of doubles against the processor's own, in each rounding, and the rules
 * for what is not a number: of several operands the second counts first, then the third, then the first, made quiet; an
 * invalid operation gives the one with a sign. */
#include "isa/tesla/alu.h"
#include "test.h"

#include <fenv.h>
#include <math.h>

#define QUIET   UINT64_C(0x0008000000000000)
#define INVALID UINT64_C(0xfff8000000000000)

static const struct {
    enum tesla_rounding is;
    int host;
} modes[] = {{TESLA_RN, FE_TONEAREST}, {TESLA_RM, FE_DOWNWARD}, {TESLA_RP, FE_UPWARD}, {TESLA_RZ, FE_TOWARDZERO}};

/* Zeroes, ones, the smallest, the largest, infinities, what is not a number, and neighbours of powers of two. */
static const uint64_t special[] = {0,
                                   UINT64_C(0x8000000000000000),
                                   1,
                                   UINT64_C(0x8000000000000001),
                                   UINT64_C(0x000fffffffffffff),
                                   UINT64_C(0x0010000000000000),
                                   UINT64_C(0x3ff0000000000000),
                                   UINT64_C(0xbff0000000000000),
                                   UINT64_C(0x3ff0000000000001),
                                   UINT64_C(0x3fefffffffffffff),
                                   UINT64_C(0x4340000000000000),
                                   UINT64_C(0xc33fffffffffffff),
                                   UINT64_C(0x7fefffffffffffff),
                                   UINT64_C(0xffefffffffffffff),
                                   UINT64_C(0x7ff0000000000000),
                                   UINT64_C(0xfff0000000000000),
                                   UINT64_C(0x7ff0000000000001),
                                   UINT64_C(0xfff0000000000123),
                                   UINT64_C(0x7ff8000000000456),
                                   UINT64_C(0xffffffffffffffff)};
enum { SPECIAL = sizeof special / sizeof special[0] };

/* The C library's: what compilers put in their place may know one rounding alone. */
static double (*volatile const round_to_whole)(double) = rint;
static double (*volatile const multiply_add)(double, double, double) = fma;

static double number(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static uint64_t bits_of(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

static bool is_none(uint64_t x)
{
    return (x & ~(UINT64_C(1) << 63)) > UINT64_C(0x7ff0000000000000);
}

enum { ADD, MUL, FMA, OPS };

static uint64_t host(unsigned op, uint64_t a, uint64_t b, uint64_t c, int mode)
{
    if (is_none(b))
        return b | QUIET;
    if (op == FMA && is_none(c))
        return c | QUIET;
    if (is_none(a))
        return a | QUIET;
    volatile double x = number(a), y = number(b), z = number(c), result;
    fesetround(mode);
    result = op == ADD ? x + y : op == MUL ? x * y : multiply_add(x, y, z);
    fesetround(FE_TONEAREST);
    return result != result ? INVALID : bits_of(result);
}

static uint64_t weft(unsigned op, uint64_t a, uint64_t b, uint64_t c, uint64_t how)
{
    return op == ADD ? tesla_dadd(a, b, how) : op == MUL ? tesla_dmul(a, b, how) : tesla_dfma(a, b, c, how);
}

static void check(uint64_t a, uint64_t b, uint64_t c)
{
    static const char *const names[OPS] = {"add", "mul", "fma"};
    for (unsigned op = 0; op < OPS; op++)
        for (unsigned m = 0; m < 4; m++) {
            uint64_t want = host(op, a, b, c, modes[m].host), got = weft(op, a, b, c, (uint64_t)modes[m].is);
            if (got != want)
                fail_msg("%s.%u of %016llx %016llx %016llx is %016llx, not %016llx", names[op], m,
                         (unsigned long long)a, (unsigned long long)b, (unsigned long long)c, (unsigned long long)got,
                         (unsigned long long)want);
        }
}

static void arithmetic(void **state)
{
    (void)state;
    struct test_rng r = test_seed("arithmetic");
    for (unsigned i = 0; i < SPECIAL; i++)
        for (unsigned k = 0; k < SPECIAL; k++)
            for (unsigned n = 0; n < SPECIAL; n++)
                check(special[i], special[k], special[n]);
    for (unsigned n = 0; n < 20000; n++) {
        uint64_t a = test_next64(&r), b = test_next64(&r), c = test_next64(&r);
        if (n % 3) { /* numbers near each other, of which few bits are left */
            b = (b & UINT64_C(0x800fffffffffffff)) | ((a & UINT64_C(0x7ff0000000000000)) ^ (c & 7) << 52);
            c = bits_of(-(number(a) * number(b))) ^ (c >> 60);
        }
        check(a, b, c);
    }
}

/* -0 is below +0, and a number counts before what is not one. */
static void least_and_greatest(void **state)
{
    (void)state;
    for (unsigned i = 0; i < SPECIAL; i++)
        for (unsigned k = 0; k < SPECIAL; k++) {
            uint64_t a = special[i], b = special[k], least, greatest;
            double x = number(a), y = number(b);
            bool below = x < y || (x == y && signbit(x) && !signbit(y));
            least = below ? a : b;
            greatest = below ? b : a;
            if (is_none(a) && is_none(b))
                least = greatest = b | QUIET;
            else if (is_none(a) || is_none(b))
                least = greatest = is_none(a) ? b : a;
            assert_true(tesla_dmin(a, b) == least);
            assert_true(tesla_dmax(a, b) == greatest);
        }
}

static void check_narrow(uint64_t a)
{
    for (unsigned m = 0; m < 4; m++) {
        volatile double x = number(a);
        fesetround(modes[m].host);
        volatile float f = (float)x;
        volatile double whole = round_to_whole(x);
        fesetround(FE_TONEAREST);
        float narrow = f;
        uint32_t want;
        memcpy(&want, &narrow, sizeof want);
        if (is_none(a))
            want = (uint32_t)(a >> 63) << 31 | 0x7fc00000 | (uint32_t)(a >> 29 & 0x3fffff);
        uint64_t how = (uint64_t)modes[m].is, rounded = is_none(a) ? a | QUIET : bits_of(whole);
        if (tesla_double_to_float(a, how) != want)
            fail_msg("f32.%u of %016llx is %08x, not %08x", m, (unsigned long long)a, tesla_double_to_float(a, how),
                     want);
        if (tesla_double_to_double(a, how | TESLA_HOW_RINT) != rounded)
            fail_msg("rint.%u of %016llx is %016llx, not %016llx", m, (unsigned long long)a,
                     (unsigned long long)tesla_double_to_double(a, how | TESLA_HOW_RINT), (unsigned long long)rounded);
        if (!is_none(a) && (want & 0x7f800000) != 0x7f800000) /* each float is a double */
            assert_true(tesla_float_to_double(want, how) == bits_of((double)narrow));
    }
}

static void conversions(void **state)
{
    (void)state;
    struct test_rng r = test_seed("conversions");
    for (unsigned i = 0; i < SPECIAL; i++)
        check_narrow(special[i]);
    for (unsigned n = 0; n < 20000; n++) {
        uint64_t a = test_next64(&r);
        if (n % 4) /* from below the smallest float to beyond the largest whole number with a fraction */
            a = (a & UINT64_C(0x800fffffffffffff)) | (uint64_t)(860 + test_next(&r) % 300) << 52;
        check_narrow(n % 8 == 1 ? a & ~UINT64_C(0x0fffffff) : a);
    }
    assert_true(tesla_float_to_double(0x7fa00001, 0) == UINT64_C(0x7ffc000020000000));
    assert_true(tesla_float_to_double(0xff800000, 0) == UINT64_C(0xfff0000000000000));
    assert_true(tesla_double_to_double(UINT64_C(0x3ff8000000000000), 0) == UINT64_C(0x3ff8000000000000));
}

TEST_MAIN(TEST(arithmetic), TEST(least_and_greatest), TEST(conversions))
