/* Texture objects and their mip levels. */
#include "test.h"

#include "device/texture.h"

static void levels_halve_down_to_one(void **state)
{
    (void)state;
    struct weft_texture *t;
    assert_int_equal(texture_new(&formats[FORMAT_R8G8B8A8_UNORM], 48, 20, 0, &t), WEFT_OK);
    const int32_t sizes[][2] = {{48, 20}, {24, 10}, {12, 5}, {6, 2}, {3, 1}, {1, 1}};
    assert_int_equal(t->levels, 6);
    int32_t first = 0;
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(t->level[i].width, sizes[i][0]);
        assert_int_equal(t->level[i].height, sizes[i][1]);
        assert_int_equal(t->level[i].first, first);
        first += sizes[i][0] * sizes[i][1];
    }
    assert_int_equal(t->size, first * 4);
    weft_texture_free(t);
}

static void means_round_half_up(void **state)
{
    (void)state;
    const uint8_t pixels[4][4] = {{0, 1, 255, 10}, {0, 1, 255, 20}, {1, 0, 255, 30}, {1, 0, 254, 41}};
    weft_texture *t;
    assert_int_equal(weft_texture_new(WEFT_RGBA8_UNORM, 2, 2, pixels, 1, &t), WEFT_OK);
    const uint8_t *mean = texture_texel(t, 1, 0, 0);
    const uint8_t wanted[4] = {1, 1, 255, 25}; /* (2+2)>>2, (2+2)>>2, (1019+2)>>2, (101+2)>>2 */
    assert_memory_equal(mean, wanted, 4);
    weft_texture_free(t);
}

static void narrow_levels_use_their_texel_twice(void **state)
{
    (void)state;
    const uint8_t pixels[2][4] = {{10, 0, 0, 0}, {21, 0, 0, 0}};
    weft_texture *t;
    assert_int_equal(weft_texture_new(WEFT_RGBA8_UNORM, 2, 1, pixels, 1, &t), WEFT_OK);
    assert_int_equal(t->levels, 2);
    assert_int_equal(texture_texel(t, 1, 0, 0)[0], 16); /* (10 + 21 + 10 + 21 + 2) >> 2 */
    weft_texture_free(t);
}

static void floats_are_averaged(void **state)
{
    (void)state;
    const float pixels[4][4] = {{1, 0, 0, 0}, {2, 0, 0, 0}, {3, 0, 0, -8}, {4, 1, 0, 0}};
    weft_texture *t;
    assert_int_equal(weft_texture_new(WEFT_RGBA32_SFLOAT, 2, 2, pixels, 1, &t), WEFT_OK);
    float mean[4];
    memcpy(mean, texture_texel(t, 1, 0, 0), 16);
    assert_true(mean[0] == 2.5f && mean[1] == 0.25f && mean[2] == 0 && mean[3] == -2);
    weft_texture_free(t);
}

static void absurd_sizes_are_refused(void **state)
{
    (void)state;
    uint8_t pixel[4] = {0};
    weft_texture *t;
    assert_int_equal(weft_texture_new(WEFT_RGBA8_UNORM, 0, 1, pixel, 0, &t), WEFT_ERROR_USAGE);
    assert_int_equal(weft_texture_new(WEFT_RGBA8_UNORM, 1, 16385, pixel, 0, &t), WEFT_ERROR_USAGE);
    assert_int_equal(weft_texture_new(WEFT_RGBA8_UNORM, UINT32_MAX, UINT32_MAX, pixel, 0, &t), WEFT_ERROR_USAGE);
    assert_null(t);
}

TEST_MAIN(TEST(levels_halve_down_to_one), TEST(means_round_half_up), TEST(narrow_levels_use_their_texel_twice),
          TEST(floats_are_averaged), TEST(absurd_sizes_are_refused))
