/* PNG pictures: round trips, kinds of pixels, damage. */
#include "test.h"

#include "device/image.h"

static void pictures_round_trip(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("pictures");
    for (unsigned round = 0; round < 20; round++) {
        uint32_t w = 1 + test_next(&rng) % 70, h = 1 + test_next(&rng) % 70;
        uint8_t *pixels = malloc((size_t)w * h * 4), *png;
        size_t size;
        for (size_t i = 0; i < (size_t)w * h * 4; i++)
            pixels[i] = (uint8_t)test_next(&rng);
        /* Bottom row first: the stride goes backwards. */
        const uint8_t *top = pixels + (size_t)(h - 1) * w * 4;
        assert_int_equal(image_encode_png(w, h, top, -(ptrdiff_t)w * 4, 1, &png, &size, NULL), WEFT_OK);
        struct image image;
        assert_int_equal(image_decode_png(png, size, "test", &image, NULL), WEFT_OK);
        assert_int_equal(image.width, w);
        assert_int_equal(image.height, h);
        for (uint32_t y = 0; y < h; y++)
            assert_memory_equal(image.rgba + (size_t)y * w * 4, pixels + (size_t)(h - 1 - y) * w * 4, w * 4);
        image_free(&image);
        free(png);
        free(pixels);
    }
}

/* A picture of several strips, smooth with noise so that every filter is chosen: the same bytes for any number of
 * threads. */
static void large_pictures_round_trip(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("large pictures");
    for (unsigned round = 0; round < 3; round++) {
        uint32_t w = 900 + test_next(&rng) % 300, h = round == 2 ? 2500 : 400 + test_next(&rng) % 300;
        size_t bytes = (size_t)w * h * 4;
        uint8_t *pixels = malloc(bytes), *png, *again;
        for (uint32_t y = 0; y < h; y++)
            for (uint32_t x = 0; x < w * 4; x++)
                pixels[(size_t)y * w * 4 + x] = (uint8_t)(x % 4 == 3  ? 255
                                                          : y < h / 3 ? x / 4
                                                          : y < h / 2 ? y
                                                                      : x * y / 64 + test_next(&rng) % 3);
        size_t size, size_again;
        struct image image;
        assert_int_equal(image_encode_png(w, h, pixels, (ptrdiff_t)w * 4, 1, &png, &size, NULL), WEFT_OK);
        assert_int_equal(image_encode_png(w, h, pixels, (ptrdiff_t)w * 4, 3, &again, &size_again, NULL), WEFT_OK);
        assert_int_equal(size, size_again);
        assert_memory_equal(png, again, size);
        assert_int_equal(image_decode_png(png, size, "large", &image, NULL), WEFT_OK);
        assert_int_equal(image.width, w);
        assert_int_equal(image.height, h);
        assert_memory_equal(image.rgba, pixels, bytes);
        image_free(&image);
        free(again);
        free(png);
        free(pixels);
    }
}

static void damage_is_an_error(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("damaged pictures");
    uint8_t pixels[16 * 16 * 4], *png;
    size_t size;
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (uint8_t)test_next(&rng);
    assert_int_equal(image_encode_png(16, 16, pixels, 64, 1, &png, &size, NULL), WEFT_OK);
    struct image image;
    for (size_t cut = 0; cut < size - 12; cut++) { /* the last chunk, IEND, may be missing */
        assert_int_equal(image_decode_png(png, cut, "cut", &image, NULL), WEFT_ERROR_INPUT);
        assert_null(image.rgba);
    }
    uint8_t *copy = malloc(size);
    for (unsigned round = 0; round < 2000; round++) {
        memcpy(copy, png, size);
        for (unsigned i = 0; i < 1 + round % 3; i++)
            copy[test_next(&rng) % size] = (uint8_t)test_next(&rng);
        if (image_decode_png(copy, size, "damaged", &image, NULL) == WEFT_OK)
            image_free(&image);
    }
    free(copy);
    free(png);
}

static void huge_pictures_are_refused_from_their_header(void **state)
{
    (void)state;
    /* IHDR of 30000 x 30000, 8-bit RGBA, with its right checksum; nothing follows. */
    static const uint8_t png[] = {0x89, 'P',  'N',  'G', 13, 10,   26,   10, 0, 0, 0, 13, 'I',  'H',  'D',  'R', 0,
                                  0,    0x75, 0x30, 0,   0,  0x75, 0x30, 8,  6, 0, 0, 0,  0xae, 0x8b, 0x7c, 0x4b};
    struct image image;
    weft_diags *diags = weft_diags_new();
    assert_int_equal(image_decode_png(png, sizeof png, "huge", &image, diags), WEFT_ERROR_INPUT);
    assert_int_equal(weft_diags_errors(diags), 1);
    weft_diags_free(diags);
}

static void missing_files_are_file_errors(void **state)
{
    (void)state;
    struct image image;
    assert_int_equal(image_read_png("/nonexistent/a.png", &image, NULL), WEFT_ERROR_FILE);
    assert_int_equal(image_read_png("/", &image, NULL), WEFT_ERROR_FILE);
    uint8_t pixel[4] = {0};
    assert_int_equal(image_write_png("/nonexistent/a.png", 1, 1, pixel, 4, NULL), WEFT_ERROR_FILE);
}

TEST_MAIN(TEST(pictures_round_trip), TEST(large_pictures_round_trip), TEST(damage_is_an_error),
          TEST(huge_pictures_are_refused_from_their_header), TEST(missing_files_are_file_errors))
