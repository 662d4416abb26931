/* Conversions of pixel formats, over the whole range where it is small. */
#include "test.h"

#include "device/format.h"

#include <math.h>

static void unorm8_decodes_to_the_nearest_quotient(void **state)
{
    (void)state;
    for (unsigned v = 0; v < 256; v++) {
        uint8_t pixel[4] = {(uint8_t)v, (uint8_t)(255 - v), 0, 255};
        float rgba[4];
        format_decode(&formats[FORMAT_R8G8B8A8_UNORM], pixel, rgba);
        assert_true(rgba[0] == (float)v / 255.0f);
        assert_true(rgba[1] == (float)(255 - v) / 255.0f);
        assert_true(rgba[2] == 0.0f && rgba[3] == 1.0f);
    }
}

static void unorm8_round_trips(void **state)
{
    (void)state;
    for (unsigned v = 0; v < 256; v++) {
        uint8_t pixel[4] = {(uint8_t)v, 1, 2, 3}, back[4];
        float rgba[4];
        format_decode(&formats[FORMAT_R8G8B8A8_UNORM], pixel, rgba);
        format_encode(&formats[FORMAT_R8G8B8A8_UNORM], rgba, back);
        assert_memory_equal(pixel, back, 4);
    }
}

static void unorm_clamps_and_rounds_to_even(void **state)
{
    (void)state;
    assert_int_equal(format_unorm(NAN, 8), 0);
    assert_int_equal(format_unorm(-INFINITY, 8), 0);
    assert_int_equal(format_unorm(INFINITY, 8), 255);
    assert_int_equal(format_unorm(-0.5f, 8), 0);
    assert_int_equal(format_unorm(1.5f, 8), 255);
    assert_int_equal(format_unorm(0.5f, 8), 128);    /* 127.5: to even */
    assert_int_equal(format_unorm(0.5f, 16), 32768); /* 32767.5: to even */
    assert_int_equal(format_unorm(0.499f, 8), 127);
    /* a little more than 0.5, 2.5 and 4.5 codes, which the product of floats is not any more: as softpipe has it */
    assert_int_equal(format_unorm(0.00196078443f, 8), 0);
    assert_int_equal(format_unorm(0.00980392192f, 8), 2);
    assert_int_equal(format_unorm(0.0176470596f, 8), 4);
    for (unsigned i = 0; i < 100000; i++) {
        float v = (float)i / 100000.0f;
        assert_int_equal(format_unorm(v, 8), (unsigned)nearbyintf(v * 255.0f));
    }
}

static void floats_keep_their_bits_but_nan(void **state)
{
    (void)state;
    const uint32_t bits[4] = {0x80000000u, 0x00000001u, 0xff800000u, 0xffc12345u};
    uint32_t out[4];
    float rgba[4];
    memcpy(rgba, bits, 16);
    format_encode(&formats[FORMAT_R32G32B32A32_SFLOAT], rgba, out);
    assert_int_equal(out[0], bits[0]);
    assert_int_equal(out[1], bits[1]);
    assert_int_equal(out[2], bits[2]);
    assert_int_equal(out[3], 0x7fc00000u);
}

static void absent_components_are_0001(void **state)
{
    (void)state;
    float depth = 0.25f, rgba[4];
    format_decode(&formats[FORMAT_D32_SFLOAT], &depth, rgba);
    assert_true(rgba[0] == 0.25f && rgba[1] == 0 && rgba[2] == 0 && rgba[3] == 1);
}

static void shown(enum format_id id, const void *pixel, unsigned r, unsigned g, unsigned b, unsigned a)
{
    uint8_t rgba[4];
    format_show(&formats[id], pixel, rgba);
    assert_int_equal(rgba[0], r);
    assert_int_equal(rgba[1], g);
    assert_int_equal(rgba[2], b);
    assert_int_equal(rgba[3], a);
}

static void pixels_are_shown_in_bytes(void **state)
{
    (void)state;
    const int32_t ints[4] = {-5, 300, 255, 7};
    const float floats[4] = {-1.0f, 0.5f, 2.0f, 1.0f};
    shown(FORMAT_R32G32B32A32_SINT, ints, 0, 255, 255, 7);
    shown(FORMAT_R32_SINT, &ints[3], 7, 7, 7, 255);
    shown(FORMAT_R32G32_SINT, &ints[2], 255, 7, 0, 255);
    shown(FORMAT_R32G32B32A32_SFLOAT, floats, 0, 128, 255, 255);
    shown(FORMAT_D32_SFLOAT, &floats[1], 128, 128, 128, 255);
    shown(FORMAT_R8G8B8A8_SRGB, (const uint8_t[]){1, 100, 200, 3}, 1, 100, 200, 3); /* as a picture has it */
}

TEST_MAIN(TEST(pixels_are_shown_in_bytes), TEST(unorm8_decodes_to_the_nearest_quotient), TEST(unorm8_round_trips),
          TEST(unorm_clamps_and_rounds_to_even),
          TEST(floats_keep_their_bits_but_nan), TEST(absent_components_are_0001))
