/* test_pack.c - pack formats: values of each component worked out by hand from the format's definition, every word of
 * the small ones out and in again, and PCK and UNPCK with repeats; the fences. */
#include "machine.h"

#include "base/fmath.h"

enum {
    U8888, S8888, O8888, U1616, S1616, O1616, U32, S32, U1010102, S1010102, U111110, S111110, F111110, SE9995,
    F16F16, F32, COV, U565, D24S8, S8D24, F32_MASK, F10F10F10, S8888OGL, S1616OGL, ZERO = 30, ONE
};

static void test_packed_words(void **state)
{
    (void)state;
    static const struct {
        unsigned how;
        float value[4];
        uint32_t want;
    } cases[] = {
        {U8888 | ROGUE_PACK_SCALE, {0, 1, 0.5f, 2}, 0xff80ff00},
        {U8888, {0, 255, 300, -1}, 0x00ffff00},
        {U8888, {1.5f, 2.5f, 0.4f, 0}, 0x00000202},
        {U8888 | ROGUE_PACK_TRUNCATE, {1.5f, 2.9f, 0.4f, 0}, 0x00000201},
        {S8888 | ROGUE_PACK_SCALE, {-1, 1, -0.5f, 0}, 0x00c07f81},
        {O8888 | ROGUE_PACK_SCALE, {-1, 1, 0, 0}, 0x8080ff01},
        {U1616 | ROGUE_PACK_SCALE, {1, 0.5f, 0, 0}, 0x8000ffff},
        {S1616 | ROGUE_PACK_SCALE, {-1, 1, 0, 0}, 0x7fff8001},
        {S1616, {-40000, 40000, 0, 0}, 0x7fff8000},
        {O1616 | ROGUE_PACK_SCALE, {-1, 0, 0, 0}, 0x80000001},
        {U32, {4e9f, 0, 0, 0}, 4000000000u},
        {U32, {-1, 0, 0, 0}, 0},
        {S32, {-2.5f, 0, 0, 0}, 0xfffffffe},
        {S32 | ROGUE_PACK_TRUNCATE, {-2.9f, 0, 0, 0}, 0xfffffffe},
        {S32, {3e9f, 0, 0, 0}, 0x7fffffff},
        {U1010102 | ROGUE_PACK_SCALE, {1, 0, 1, 1}, 0xfff003ff},
        {S1010102 | ROGUE_PACK_SCALE, {1, -1, 0, -1}, 0xc00805ff},
        {U111110 | ROGUE_PACK_SCALE, {1, 0, 1, 0}, 0xffc007ff},
        {F111110, {1, 0.5f, 2, 0}, 0x801c03c0},
        {F111110, {-1, 1e9f, 0, 0}, 0x7c0 << 11},
        {SE9995, {1, 0.5f, 0, 0}, 0x80000000 | 128 << 9 | 256},
        {F16F16, {1, -2, 0, 0}, 0xc0003c00},
        {U565 | ROGUE_PACK_SCALE, {1, 0, 1, 0}, 0xf81f},
        {D24S8 | ROGUE_PACK_SCALE, {1, 7, 0, 0}, 0x07ffffff},
        {S8D24 | ROGUE_PACK_SCALE, {7, 1, 0, 0}, 0xffffff07},
        {S8888OGL | ROGUE_PACK_SCALE, {1, -1, 0, 0}, 0x0000807f},
        {F10F10F10, {1, 2, 0.5f, 3}, 0xdc0801e0},
        {U565 | ROGUE_PACK_SCALE, {1, 0, 1, 1}, 0x1ff81f}, /* the fourth is of the second 565 */
        /* (255 v - 1) / 2 of numbers about 0: the tie at -1/2, and what is below it by less than doubles can say */
        {S8888OGL | ROGUE_PACK_SCALE, {0, 0x1p-100f, -0x1p-100f, -0x1p-20f}, 0xffff0000},
        {S1616OGL | ROGUE_PACK_SCALE, {-0x1p-126f, 0x1p-126f, 0, 0}, 0x0000ffff},
        {S1616OGL | ROGUE_PACK_SCALE, {-0x1p-127f, -0x1p-149f, 0, 0}, 0}, /* denormals are 0 */
        {S1616OGL | ROGUE_PACK_SCALE | ROGUE_PACK_TRUNCATE, {-0x1p-126f, -1, 0, 0}, 0x80000000},
        {COV, {1, 0, 0, 0}, 15}, {COV, {0.5f, 0, 0, 0}, 3}, {ZERO, {5, 0, 0, 0}, 0}, {ONE, {5, 0, 0, 0}, 0x3f800000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t v[4];
        for (unsigned c = 0; c < 4; c++)
            v[c] = f32_bits(cases[i].value[c]);
        if (rogue_pack(cases[i].how, v) != cases[i].want)
            fail_msg("case %zu, format %u: %#x, not %#x", i, cases[i].how & 31, rogue_pack(cases[i].how, v),
                     cases[i].want);
    }
}

/* What is unpacked packs to the same word again: every component of every code of 16 bits or fewer. */
static void test_out_and_in(void **state)
{
    (void)state;
    static const unsigned codes[] = {U8888, S8888, O8888, U1616, S1616, O1616, U1010102, S1010102, U111110, S111110,
                                      F111110, F16F16, U565, D24S8, S8D24};
    for (size_t f = 0; f < sizeof codes / sizeof *codes; f++)
        for (uint32_t n = 0; n < 0x10000; n++) {
            uint32_t word = n * 0x00010001u ^ n << 7, v[6] = {0};
            unsigned how = codes[f], count = rogue_pack_components(how);
            bool nan = false;
            for (unsigned c = 0; c < count; c++) {
                v[c] = rogue_unpack(how, c, word);
                nan |= (v[c] & 0x7fffffff) > 0x7f800000;
            }
            uint32_t mask = how == U565 ? 0x1fffff : UINT32_MAX;
            if (!nan && rogue_pack(how, v) != (word & mask))
                fail_msg("format %u: %#x became %#x", how, word, rogue_pack(how, v));
        }
}

/* NaNs have one pattern, in each width and whatever their sign and payload; infinities keep their sign in halves. */
static void test_nans(void **state)
{
    (void)state;
    static const struct {
        unsigned format, element;
        uint32_t word, value;
    } out[] = {
        {F16F16, 0, 0xfe007c01, 0x7fffffff},
        {F16F16, 1, 0xfe007c01, 0x7fffffff}, {F16F16, 1, 0xfc000000, 0xff800000},
        {F111110, 0, 0x7c1, 0x7fffffff}, {F111110, 2, 0xffc00000, 0x7fffffff}, {F111110, 1, 0x7c0 << 11, 0x7f800000},
        {F10F10F10, 1, 0x3f0 << 10, 0x7fffffff}, {F32, 0, 0xffc12345, 0xffc12345},
        {F32_MASK, 0, 0x7f800001, 0x7f800001},
    };
    for (size_t i = 0; i < sizeof out / sizeof *out; i++)
        assert_int_equal(rogue_unpack(out[i].format, out[i].element, out[i].word), out[i].value);
    static const uint32_t nans[4] = {0xffc12345, 0x7f800001, 0x7fffffff, 0xff800001};
    assert_int_equal(rogue_pack(F16F16, nans), 0x7fff7fff);
    assert_int_equal(rogue_pack(F16F16 | ROGUE_PACK_TRUNCATE, nans), 0x7fff7fff);
    assert_int_equal(rogue_pack(F111110, nans), 0xffffffff);
    assert_int_equal(rogue_pack(F10F10F10, nans), 0x3fffffff);
    assert_int_equal(rogue_pack(U8888, nans), 0);
    assert_int_equal(rogue_pack(O8888 | ROGUE_PACK_SCALE, nans), 0x80808080);
    assert_int_equal(rogue_pack(SE9995, nans), 0);
    assert_int_equal(rogue_pack(F32, nans), 0xffc12345);
}

/* Both colours of u565u565: elements 0 to 2 and 3 to 5. */
static void test_two_colours(void **state)
{
    (void)state;
    static const float want[] = {31, 0, 1, 2, 63, 30};
    for (unsigned e = 0; e < 6; e++)
        assert_int_equal(rogue_unpack(U565, e, 30u << 27 | 63u << 21 | 2u << 16 | 1u << 11 | 31u), f32_bits(want[e]));
    assert_int_equal(rogue_unpack(U565, 6, UINT32_MAX), 0);
}

static void test_repeats(void **state)
{
    (void)state;
    struct machine m;
    assert_true(machine_start(
        &m,
        "0 : { repeat 4 s0 = r4, is3 = ft0, is4 = ft2 p0: mbyp ft0, s0; p2_pck: pck.scale.u8888 ft2, is3; w0 = r0 }\n"
        "1 : { repeat 4 s0 = r0, is4 = ft0 p0: unpck.scale.u8888 ft0, s0.e0; w0 = r8 }\n",
        false, true));
    static const float in[4] = {0, 1, 0.5f, 0.25f};
    for (unsigned c = 0; c < 4; c++)
        machine_put(&m, ROGUE_FILE_R, 4 + c, 0, f32_bits(in[c]));
    assert_true(machine_run(&m));
    assert_int_equal(machine_get(&m, ROGUE_FILE_R, 0, 0), 0x4080ff00);
    for (unsigned c = 0; c < 4; c++)
        assert_int_equal(machine_get(&m, ROGUE_FILE_R, 8 + c, 0),
                         f32_bits((float)(0x4080ff00u >> 8 * c & 255) / 255.0f));
    machine_end(&m);
}

/* A load lands where its fence is waited for; strict programs find poison until then. Nothing is mapped: it reads 0. */
static void test_fences(void **state)
{
    (void)state;
    for (unsigned strict = 0; strict < 2; strict++) {
        struct machine m;
        assert_true(machine_start(
            &m,
            "0 : mov ft0, c5\n    mov r2, ft0\n1 : ld r2, drc0, 1, r6\n2 : mov ft0, r2\n    mov r0, ft0\n"
            "3 : wdf drc1\n4 : mov ft0, r2\n    mov r1, ft0\n5 : wdf drc0\n6 : mov ft0, r2\n    mov r3, ft0\n",
            strict, true));
        assert_true(machine_run(&m));
        uint32_t early = strict ? 0x7fdeadbd : 5;
        assert_int_equal(machine_get(&m, ROGUE_FILE_R, 0, 0), early);
        assert_int_equal(machine_get(&m, ROGUE_FILE_R, 1, 0), early);
        assert_int_equal(machine_get(&m, ROGUE_FILE_R, 3, 0), 0);
        machine_end(&m);
    }
}

TEST_MAIN(TEST(test_packed_words), TEST(test_out_and_in), TEST(test_nans), TEST(test_two_colours),
          TEST(test_repeats), TEST(test_fences))
