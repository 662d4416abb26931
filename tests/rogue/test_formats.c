/* test_formats.c - PCK and UNPCK in every format with every modifier against the formats' definitions in plain C;
 * PCK.PROG, whose format is in a register. Values are in r4 to r7, a format in r8; the packed word in r0, what is
 * unpacked in r12 and on. */
#include "coverage.h"
#include "half.h"

#include "base/fmath.h"

enum {
    U8888,
    S8888,
    O8888,
    U1616,
    S1616,
    O1616,
    U32,
    S32,
    U1010102,
    S1010102,
    U111110,
    S111110,
    F111110,
    SE9995,
    F16F16,
    F32,
    COV,
    U565,
    D24S8,
    S8D24,
    F32_MASK,
    F10F10F10,
    S8888OGL,
    S1616OGL,
    ZERO = 30,
    ONE,
    LAYOUTS
};

static const struct {
    const char *name;
    unsigned count, bits[6];
    char kind; /* of the fields: unsigned, signed, offset, OpenGL, float, half, integers of 32 bits (n, i), copy */
    unsigned integers; /* bit n: field n is a plain unsigned integer */
} layouts[LAYOUTS] = {
    [U8888] = {"u8888", 4, {8, 8, 8, 8}, 'u', 0},
    [S8888] = {"s8888", 4, {8, 8, 8, 8}, 's', 0},
    [O8888] = {"o8888", 4, {8, 8, 8, 8}, 'o', 0},
    [U1616] = {"u1616", 2, {16, 16}, 'u', 0},
    [S1616] = {"s1616", 2, {16, 16}, 's', 0},
    [O1616] = {"o1616", 2, {16, 16}, 'o', 0},
    [U32] = {"u32", 1, {32}, 'n', 0},
    [S32] = {"s32", 1, {32}, 'i', 0},
    [U1010102] = {"u1010102", 4, {10, 10, 10, 2}, 'u', 0},
    [S1010102] = {"s1010102", 4, {10, 10, 10, 2}, 's', 0},
    [U111110] = {"u111110", 3, {11, 11, 10}, 'u', 0},
    [S111110] = {"s111110", 3, {11, 11, 10}, 's', 0},
    [F111110] = {"f111110", 3, {11, 11, 10}, 'f', 0},
    [SE9995] = {"se9995", 3, {9, 9, 9}, 'e', 0},
    [F16F16] = {"f16f16", 2, {16, 16}, 'h', 0},
    [F32] = {"f32", 1, {32}, 'c', 0},
    [COV] = {"cov", 1, {32}, 'a', 0},
    [U565] = {"u565u565", 6, {5, 6, 5, 5, 6, 5}, 'u', 0},
    [D24S8] = {"d24s8", 2, {24, 8}, 'u', 2},
    [S8D24] = {"s8d24", 2, {8, 24}, 'u', 1},
    [F32_MASK] = {"f32_mask", 1, {32}, 'c', 0},
    [F10F10F10] = {"2f10f10f10", 4, {10, 10, 10, 2}, 'f', 8},
    [S8888OGL] = {"s8888ogl", 4, {8, 8, 8, 8}, 'g', 0},
    [S1616OGL] = {"s1616ogl", 2, {16, 16}, 'g', 0},
    [ZERO] = {"zero", 1, {32}, '0', 0},
    [ONE] = {"one", 1, {32}, '1', 0},
};

/* ---- fields ---- */

/* A number in units of the field's least bit, held to its range; NaN is 0. */
static int64_t whole(double v, double low, double high, bool truncate)
{
    v = v != v ? 0 : truncate ? trunc(v) : nearbyint(v);
    return (int64_t)(v < low ? low : v > high ? high : v);
}

static double held(double v, double low, double high)
{
    return v < low ? low : v > high ? high : v;
}

/* Floats without a sign, of `bits` bits with five of exponent. */
static double small_value(uint32_t v, unsigned bits)
{
    unsigned fraction = bits - 5, exponent = v >> fraction;
    double rest = v & ((1u << fraction) - 1);
    if (exponent == 31)
        return rest > 0 ? (double)NAN : (double)INFINITY;
    return exponent ? ldexp(1 + ldexp(rest, -(int)fraction), (int)exponent - 15) : ldexp(rest, -14 - (int)fraction);
}

/* The nearest of all values, found by looking at each. */
static uint32_t small_float(float v, unsigned bits, bool truncate)
{
    uint32_t infinite = 31u << (bits - 5), best = 0;
    if (v != v || signbit(v) || isinf(v))
        return v != v ? (1u << bits) - 1 : signbit(v) ? 0 : infinite;
    for (uint32_t k = 0; k < infinite; k++)
        if (small_value(k, bits) <= (double)v)
            best = k;
    double low = small_value(best, bits), high = best + 1 < infinite ? small_value(best + 1, bits) : 65536;
    double up = high - (double)v, down = (double)v - low;
    return truncate || down < up || (down == up && best % 2 == 0) ? best : best + 1;
}

/* What is left of a number when it is cut to 11 bits, or to the least bit of halves, and to their range. */
static double cut_to_half(double v)
{
    int exponent;
    frexp(v, &exponent);
    if (v != v || isinf(v))
        return v;
    double least = ldexp(1, (exponent > -13 ? exponent : -13) - 11), cut = trunc(v / least) * least;
    return held(cut, -65504, 65504);
}

/* OpenGL 2.0: v is (2 c + 1) / n. c is half of n v - 1, which is rounded without being computed: with half of n v
 * between m and m + 1, c is between m - 1/2 and m + 1/2. */
static double gl_number(double v, double n, bool truncate)
{
    double twice = v * n / 2, m = floor(twice), rest = twice - m;
    if (v != v || isinf(v))
        return v;
    if (!truncate)
        return rest > 0 || fmod(m, 2) == 0 ? m : m - 1;
    if (m < 0 || (m == 0 && rest < 0.5))
        return rest > 0.5 ? m + 1 : m;
    return rest < 0.5 ? m - 1 : m;
}

static uint32_t field(char kind, unsigned bits, bool scale, bool truncate, float value)
{
    double v = (double)value, top = ldexp(1, (int)bits) - 1, half = ldexp(1, (int)bits - 1);
    switch (kind) {
    case 'n':
        return (uint32_t)whole(v, 0, top, truncate);
    case 'i':
        return (uint32_t)whole(v, -half, half - 1, truncate);
    case 'u':
        return (uint32_t)whole(scale ? held(v, 0, 1) * top : v, 0, top, truncate);
    case 's':
        return (uint32_t)whole(scale ? held(v, -1, 1) * (half - 1) : v, -half, half - 1, truncate);
    case 'o':
        return (uint32_t)(whole(scale ? held(v, -1, 1) * (half - 1) : v, -half, half - 1, truncate) + (int64_t)half);
    case 'g':
        return (uint32_t)whole(scale ? gl_number(v, top, truncate) : v, -half, half - 1, truncate);
    case 'f':
        return small_float(value, bits, truncate);
    case 'h':
        return half_rounded(truncate ? cut_to_half(v) : v);
    default:
        return f32_bits(value);
    }
}

/* EXT_texture_shared_exponent: nine bits each, one exponent with a bias of 15. */
static uint32_t shared_exponent(const float *v, bool truncate)
{
    double c[3], most = 0, half = truncate ? 0 : 0.5;
    int exponent;
    for (unsigned i = 0; i < 3; i++) {
        c[i] = (double)v[i] > 0 ? held((double)v[i], 0, 65408) : 0;
        most = c[i] > most ? c[i] : most;
    }
    frexp(most, &exponent); /* floor(log2) + 1 */
    exponent = (most == 0 || exponent < -15 ? -15 : exponent) + 15;
    if (floor(most / ldexp(1, exponent - 24) + half) == 512)
        exponent++;
    uint32_t word = (uint32_t)exponent << 27;
    for (unsigned i = 0; i < 3; i++)
        word |= (uint32_t)floor(c[i] / ldexp(1, exponent - 24) + half) << 9 * i;
    return word;
}

static uint32_t packed(unsigned format, bool scale, bool truncate, const float v[4])
{
    uint32_t word = 0, samples = (uint32_t)whole(held((double)v[0], 0, 1) * 4, 0, 4, false);
    switch (layouts[format].kind) {
    case 'e':
        return shared_exponent(v, truncate);
    case 'a':
        return (1u << samples) - 1;
    case '0':
        return 0;
    case '1':
        return 0x3f800000;
    case 0:
        return 0;
    default:
        break;
    }
    for (unsigned i = 0, at = 0; i < 4 && i < layouts[format].count; at += layouts[format].bits[i++]) {
        unsigned bits = layouts[format].bits[i];
        uint32_t f = field(layouts[format].integers >> i & 1 ? 'n' : layouts[format].kind, bits, scale, truncate, v[i]);
        word |= (bits < 32 ? f & ((1u << bits) - 1) : f) << at;
    }
    return word;
}

static float cut_to_float(double v)
{
    float f = (float)v;
    return fabs((double)f) > fabs(v) ? nextafterf(f, 0) : f;
}

static double unpacked(unsigned format, bool scale, unsigned i, uint32_t word)
{
    unsigned at = 0, bits = layouts[format].bits[i];
    for (unsigned k = 0; k < i; k++)
        at += layouts[format].bits[k];
    uint32_t v = bits < 32 ? word >> at & ((1u << bits) - 1) : word;
    double top = ldexp(1, (int)bits) - 1, half = ldexp(1, (int)bits - 1), n = v, s = n >= half ? n - top - 1 : n;
    switch (layouts[format].integers >> i & 1 ? 'n' : layouts[format].kind) {
    case 'u':
        return scale ? n / top : n;
    case 's':
        return scale ? held(s / (half - 1), -1, 1) : s;
    case 'o':
        return scale ? held((n - half) / (half - 1), -1, 1) : n - half;
    case 'g':
        return scale ? (2 * s + 1) / top : s;
    case 'i':
        return s;
    case 'f':
        return small_value(v, bits);
    case 'e':
        return ldexp(n, (int)(word >> 27) - 24);
    case 'h':
        return half_value((uint16_t)v);
    case 'c':
        return (double)f32_from(v);
    default:
        return n;
    }
}

/* ---- running ---- */

static const float corners[] = {
    0,      -0.0f,         1,        -1,        0.5f,     0.49999997f, 1.5f,          2.5f,  -0.5f,   127.5f,
    255,    255.5f,        256,      1023,      32767.5f, 65504,       65520,         1e-8f, 6.1e-5f, 1e10f,
    -1e10f, 4294967296.0f, INFINITY, -INFINITY, NAN,      0.99999994f, 0.0039215689f, 65408, 0x1p-90f, -0x1p-90f};

static float random_value(struct test_rng *r)
{
    unsigned n = test_next(r);
    if (n % 4 == 0)
        return corners[n / 4 % (sizeof corners / sizeof *corners)];
    double v = (double)(int32_t)test_next(r) / 2147483648.0;
    return n % 4 == 1 ? (float)v : n % 4 == 2 ? (float)ldexp(v, (int)(n / 4 % 48) - 24) : f32_from(test_next(r));
}

static const char *flags(char out[24], bool truncate, bool scale)
{
    snprintf(out, 24, "%s%s", truncate ? ".roundzero" : "", scale ? ".scale" : "");
    return out;
}

/* prog: the formats are in r8, one for each instance. */
static void check_pack(struct test_rng *r, unsigned format, bool scale, bool truncate, bool prog)
{
    char text[256], words[24];
    unsigned count = prog || layouts[format].count > 4 ? 4 : layouts[format].count;
    snprintf(text, sizeof text,
             "0 : { repeat %u s0 = r4, s1 = r8, is0 = s1, is3 = ft0, is4 = ft2 p0: mbyp ft0, s0; p2_pck: pck%s%s.%s "
             "ft2, is3; "
             "w0 = r0 }\n",
             count, prog ? ".prog" : "", flags(words, truncate, scale), layouts[format].name);
    struct machine m;
    assert_true(machine_start(&m, text, false, format & 1));
    for (unsigned run = 0; run < (prog ? 40 : 12); run++) {
        float v[LANES][4];
        unsigned of[LANES];
        for (unsigned lane = 0; lane < LANES; lane++) {
            of[lane] = prog ? test_next(r) % LAYOUTS : format;
            for (unsigned i = 0; i < 4; i++) {
                v[lane][i] = i < count ? random_value(r) : 0;
                machine_put(&m, ROGUE_FILE_R, 4 + i, lane, f32_bits(v[lane][i]));
            }
            machine_put(&m, ROGUE_FILE_R, 8, lane, of[lane] | (test_next(r) & ~31u)); /* its low five bits count */
        }
        assert_true(machine_run(&m));
        for (unsigned lane = 0; lane < LANES; lane++) {
            uint32_t want = packed(of[lane], scale, truncate, v[lane]), got = machine_get(&m, ROGUE_FILE_R, 0, lane);
            if (got != want)
                fail_msg("%s format %u of %a %a %a %a: %#x, not %#x", text, of[lane], (double)v[lane][0],
                         (double)v[lane][1], (double)v[lane][2], (double)v[lane][3], got, want);
        }
    }
    machine_end(&m);
}

static void test_pack(void **state)
{
    (void)state;
    struct test_rng r = test_seed("pack");
    for (unsigned format = 0; format < LAYOUTS; format++)
        for (unsigned how = 0; how < 4 && layouts[format].name; how++)
            check_pack(&r, format, how & 1, how & 2, false);
}

static void test_pack_prog(void **state)
{
    (void)state;
    struct test_rng r = test_seed("pack by a register's format");
    for (unsigned how = 0; how < 4; how++)
        check_pack(&r, U8888, how & 1, how & 2, true);
}

static void check_unpack(struct test_rng *r, unsigned format, bool scale)
{
    char text[160];
    unsigned count = layouts[format].count > 4 ? 4 : layouts[format].count;
    const char *name = layouts[format].name;
    bool whole = format == U32 || format == S32 || strchr(name, 'f') || strcmp(name, "se9995") == 0;
    snprintf(text, sizeof text, "0 : { repeat %u s0 = r4, is4 = ft0 p0: unpck%s.%s ft0, s0.e0; w0 = r12 }\n", count,
             !scale  ? ""
             : whole ? ".roundzero" /* one bit, named by what it does to the format */
                     : ".scale",
             name);
    struct machine m;
    assert_true(machine_start(&m, text, false, format & 1));
    for (unsigned run = 0; run < 12; run++) {
        uint32_t word[LANES];
        for (unsigned lane = 0; lane < LANES; lane++) {
            static const uint32_t edges[] = {0, 0xffffffff, 0x80808080, 0x7f7f7f7f, 0x80008000, 0x7fff7fff, 0x00010001};
            word[lane] = test_next(r) % 4 ? test_next(r) : edges[test_next(r) % 7];
            machine_put(&m, ROGUE_FILE_R, 4, lane, word[lane]);
        }
        assert_true(machine_run(&m));
        for (unsigned lane = 0; lane < LANES; lane++)
            for (unsigned i = 0; i < count; i++) {
                double exact = unpacked(format, scale, i, word[lane]);
                bool cut = scale && (format == U32 || format == S32); /* the same bit is .roundzero */
                float want = cut ? cut_to_float(exact) : (float)exact;
                uint32_t got = machine_get(&m, ROGUE_FILE_R, 12 + i, lane), bits = f32_bits(want);
                if (want != want)
                    bits = layouts[format].kind == 'c' ? word[lane] : 0x7fffffff;
                if (got != bits)
                    fail_msg("%s of %#x, component %u: %#x, not %#x", text, word[lane], i, got, bits);
            }
    }
    machine_end(&m);
}

static void test_unpack(void **state)
{
    (void)state;
    struct test_rng r = test_seed("unpack");
    for (unsigned format = 0; format < LAYOUTS; format++)
        for (unsigned scale = 0; scale < 2 && layouts[format].name && format != COV && format < ZERO; scale++)
            check_unpack(&r, format, scale);
}

static void test_coverage(void **state)
{
    (void)state;
    check_coverage(BY_FORMATS);
}

TEST_MAIN(TEST(test_pack), TEST(test_pack_prog), TEST(test_unpack), TEST(test_coverage))
