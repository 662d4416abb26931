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

/* Each texel has the four that lie where it is: row 1 of 6x4 texels is made of rows 2 and 3. */
static void each_is_the_mean_of_its_four(void **state)
{
    enum { WIDTH = 6, HEIGHT = 4 };
    uint8_t pixels[HEIGHT][WIDTH][4];
    weft_texture *t;
    (void)state;
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++)
            for (unsigned c = 0; c < 4; c++)
                pixels[y][x][c] = (uint8_t)(y * 61 + x * x * 7 + c);
    assert_int_equal(weft_texture_new(WEFT_RGBA8_UNORM, WIDTH, HEIGHT, pixels, 1, &t), WEFT_OK);
    for (unsigned y = 0; y < HEIGHT / 2; y++)
        for (unsigned x = 0; x < WIDTH / 2; x++)
            for (unsigned c = 0; c < 4; c++) {
                unsigned sum = 2;
                for (unsigned i = 0; i < 4; i++)
                    sum += pixels[2 * y + i / 2][2 * x + i % 2][c];
                assert_int_equal(texture_texel(t, 1, x, y)[c], sum >> 2);
            }
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

static struct texture_desc desc(uint8_t dim, uint32_t width, uint32_t height, uint32_t depth)
{
    return (struct texture_desc){
        .format = &formats[FORMAT_R16_UNORM], .dim = dim, .width = width, .height = height, .depth = depth};
}

static void levels_of_every_kind_follow_each_other(void **state)
{
    (void)state;
    struct weft_texture *t;
    struct texture_desc d = desc(IR_TEX_3D, 8, 4, 4);
    assert_int_equal(texture_bytes(&d), 2 * (8 * 4 * 4 + 4 * 2 * 2 + 2 + 1));
    assert_int_equal(texture_create(&d, &t), WEFT_OK);
    assert_int_equal(t->level[1].depth, 2);
    assert_int_equal(t->level[1].first, 8 * 4 * 4);
    assert_ptr_equal(texture_plane(t, 1, 1, 0), t->data + 2 * (8 * 4 * 4 + 8));
    weft_texture_free(t);

    d = desc(IR_TEX_CUBE, 4, 4, 1);
    d.array = true;
    d.layers = 2;
    assert_int_equal(texture_bytes(&d), 2 * 12 * (16 + 4 + 1));
    d = desc(IR_TEX_2D, 3, 2, 1);
    d.samples = 4;
    assert_int_equal(texture_bytes(&d), 2 * 6 * 4);
    assert_int_equal(texture_create(&d, &t), WEFT_OK);
    assert_ptr_equal(texture_plane(t, 0, 0, 3), t->data + 2 * 18);
    weft_texture_free(t);
    d = desc(IR_TEX_BUFFER, 100000, 7, 7); /* height and depth are not looked at */
    assert_int_equal(texture_bytes(&d), 200000);
}

static void absurd_kinds_are_refused(void **state)
{
    (void)state;
    struct weft_texture *t, view;
    const struct texture_desc bad[] = {desc(IR_TEX_2D, 0, 1, 1),          desc(IR_TEX_2D, 16385, 1, 1),
                                       desc(IR_TEX_3D, 16384, 16384, 16), desc(IR_TEX_3D, 1, 1, 0),
                                       desc(IR_TEX_CUBE, 4, 5, 1),        desc(IR_TEX_BUFFER, 1u << 29, 1, 1),
                                       desc(IR_TEX_3D, 16384, 16384, 16384)};
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(texture_bytes(&bad[i]), 0);
        assert_int_equal(texture_create(&bad[i], &t), WEFT_ERROR_USAGE);
        assert_null(t);
        assert_int_equal(texture_over(&bad[i], &view, SIZE_MAX, &view), WEFT_ERROR_USAGE);
    }
    struct texture_desc d = desc(IR_TEX_2D, 4, 4, 1);
    d.samples = 3;
    assert_int_equal(texture_bytes(&d), 0);
    d.samples = 1;
    d.array = true; /* of no layers */
    assert_int_equal(texture_bytes(&d), 0);
}

static void views_share_the_memory(void **state)
{
    (void)state;
    uint16_t memory[21];
    for (unsigned i = 0; i < 21; i++)
        memory[i] = (uint16_t)(i * 100);
    struct texture_desc d = desc(IR_TEX_2D, 4, 4, 1);
    struct weft_texture t, from;
    assert_int_equal(texture_over(&d, memory, sizeof memory - 1, &t), WEFT_ERROR_USAGE);
    assert_int_equal(texture_over(&d, memory, sizeof memory, &t), WEFT_OK);
    assert_int_equal(t.levels, 3);
    assert_int_equal(*(uint16_t *)texture_texel(&t, 0, 3, 2), 1100);
    assert_int_equal(texture_from_level(&t, 1, &from), WEFT_OK);
    assert_int_equal(from.levels, 2);
    assert_int_equal(from.level[0].width, 2);
    assert_int_equal(*(uint16_t *)texture_texel(&from, 0, 1, 1), 1900);
    assert_int_equal(texture_from_level(&t, 3, &from), WEFT_ERROR_USAGE);
}

static void ops_fit_textures_of_their_kind(void **state)
{
    (void)state;
    const struct weft_texture t = {.dim = IR_TEX_2D, .samples = 1}, ms = {.dim = IR_TEX_2D, .samples = 4};
    const struct ir_texture flat = {.dim = IR_TEX_2D}, rect = {.dim = IR_TEX_RECT}, cube = {.dim = IR_TEX_CUBE},
                            layers = {.dim = IR_TEX_2D, .array = true},
                            samples = {.dim = IR_TEX_2D, .multisample = true};
    assert_true(texture_fits(&t, &flat) && texture_fits(&t, &rect) && texture_fits(&ms, &samples));
    assert_false(texture_fits(&t, &cube) || texture_fits(&t, &layers) || texture_fits(&ms, &flat));
}

TEST_MAIN(TEST(levels_halve_down_to_one), TEST(means_round_half_up), TEST(each_is_the_mean_of_its_four),
          TEST(narrow_levels_use_their_texel_twice), TEST(floats_are_averaged), TEST(absurd_sizes_are_refused),
          TEST(levels_of_every_kind_follow_each_other), TEST(absurd_kinds_are_refused), TEST(views_share_the_memory),
          TEST(ops_fit_textures_of_their_kind))
