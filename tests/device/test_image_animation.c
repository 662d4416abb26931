/* Animated PNGs: taken apart chunk by chunk as the specification has them, each picture is the one that was put in. */
#include "test.h"

#include "device/image.h"
#include "device/image_animation.h"

#include <zlib.h>

enum { PICTURES = 5, WIDTH = 300, HEIGHT = 420 /* of several strips, so of several chunks */ };

static uint32_t get(const uint8_t *b)
{
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static void put(uint8_t *b, uint32_t n)
{
    for (unsigned i = 0; i < 4; i++)
        b[i] = (uint8_t)(n >> (24 - 8 * i));
}

static void make_pixels(uint8_t *pixels, unsigned picture)
{
    struct test_rng rng = {picture + 1};
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT * 4; i++)
        pixels[i] = (uint8_t)(test_next(&rng) & 31);
}

/* A chunk at the end of a file. */
static void add(uint8_t *file, size_t *size, const char *name, const uint8_t *data, size_t bytes)
{
    uint8_t *to = file + *size;
    put(to, (uint32_t)bytes);
    memcpy(to + 4, name, 4);
    memcpy(to + 8, data, bytes);
    put(to + 8 + bytes, (uint32_t)crc32(0, to + 4, (uInt)(bytes + 4)));
    *size += bytes + 12;
}

/* The picture that the data of the chunks from `at` on make, as a file of its own. */
static void one_picture(const uint8_t *heading, const uint8_t *chunks, size_t end, unsigned picture)
{
    uint8_t *file = malloc(end + 64), *pixels = malloc((size_t)WIDTH * HEIGHT * 4);
    size_t size = 33;
    struct image image;
    memcpy(file, heading, 33);
    for (size_t at = 0; at < end; at += get(chunks + at) + 12) {
        bool first = memcmp(chunks + at + 4, "IDAT", 4) == 0;
        add(file, &size, "IDAT", chunks + at + (first ? 8 : 12), get(chunks + at) - (first ? 0 : 4));
    }
    add(file, &size, "IEND", file, 0);
    assert_int_equal(image_decode_png(file, size, "one", &image, NULL), WEFT_OK);
    make_pixels(pixels, picture);
    assert_memory_equal(image.rgba, pixels, (size_t)WIDTH * HEIGHT * 4);
    image_free(&image);
    free(pixels);
    free(file);
}

static void each_picture_is_there(void **state)
{
    (void)state;
    struct image_animation a = {0};
    uint8_t *pixels = malloc((size_t)WIDTH * HEIGHT * 4);
    for (unsigned i = 0; i < PICTURES; i++) {
        uint8_t *png;
        size_t size;
        make_pixels(pixels, i);
        assert_int_equal(image_encode_png(WIDTH, HEIGHT, pixels, WIDTH * 4, 2, &png, &size, NULL), WEFT_OK);
        assert_true(image_animation_add(&a, png, size, 1, 25));
        free(png);
    }
    assert_true(image_animation_end(&a));
    uint32_t sequence = 0, pictures = 0;
    size_t begin = 0, at = 8;
    for (uint32_t n; at < a.size; at += n + 12) {
        const uint8_t *chunk = a.bytes + at, *data = chunk + 8;
        n = get(chunk);
        assert_true(at + n + 12 <= a.size);
        assert_int_equal(get(data + n), crc32(0, chunk + 4, n + 4));
        bool control = memcmp(chunk + 4, "fcTL", 4) == 0;
        if (begin && (control || memcmp(chunk + 4, "IEND", 4) == 0))
            one_picture(a.bytes, a.bytes + begin, at - begin, pictures - 1);
        if (control || memcmp(chunk + 4, "fdAT", 4) == 0)
            assert_int_equal(get(data), sequence++);
        if (control) {
            assert_int_equal(n, 26);
            assert_int_equal(get(data + 4), WIDTH);
            assert_int_equal(get(data + 8), HEIGHT);
            assert_int_equal(get(data + 12) | get(data + 16), 0);
            assert_int_equal(get(data + 20), 1u << 16 | 25);
            assert_int_equal(data[24] | data[25], 0);
            begin = at + n + 12;
            pictures++;
        }
    }
    assert_int_equal(at, a.size);
    assert_int_equal(pictures, PICTURES);
    /* Right after the heading: how many there are, and that they go on without end. */
    assert_memory_equal(a.bytes + 33, "\0\0\0\10acTL\0\0\0\5\0\0\0\0", 16);
    assert_memory_equal(a.bytes + a.size - 8, "IEND", 4);
    /* Who does not know animations sees the first. */
    struct image image;
    assert_int_equal(image_decode_png(a.bytes, a.size, "first", &image, NULL), WEFT_OK);
    make_pixels(pixels, 0);
    assert_memory_equal(image.rgba, pixels, (size_t)WIDTH * HEIGHT * 4);
    image_free(&image);
    free(pixels);
    free(a.bytes);
}

TEST_MAIN(TEST(each_picture_is_there))
