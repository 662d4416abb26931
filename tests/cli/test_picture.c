/* test_picture.c - which kind of picture the name of a file asks for, and what is written. */
#include "test.h"

#include <stdbool.h>
#include <unistd.h>

#include "cli/picture.h"

static const struct {
    const char *path;
    enum picture_kind kind;
} names[] = {
    {"-", PICTURE_PNG},     {"a.png", PICTURE_PNG},      {"A.PNG", PICTURE_PNG},       {"d/a.b.png", PICTURE_PNG},
    {"a.raw", PICTURE_RAW}, {"A.RaW", PICTURE_RAW},      {"d/a.png.raw", PICTURE_RAW}, {"a.raw.png", PICTURE_PNG},
    {"", PICTURE_NONE},     {"a", PICTURE_NONE},         {".png", PICTURE_NONE},       {".raw", PICTURE_NONE},
    {"png", PICTURE_NONE},  {"a.pn", PICTURE_NONE},      {"a.pngx", PICTURE_NONE},     {"a.gif", PICTURE_NONE},
    {"araw", PICTURE_NONE}, {"long_name", PICTURE_NONE}, {"--", PICTURE_NONE},         {"a.raw/b", PICTURE_NONE},
};

static void kinds_are_told_from_names(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (picture_kind(names[i].path) != names[i].kind)
            fail_msg("'%s' is kind %u", names[i].path, (unsigned)picture_kind(names[i].path));
}

/* Floats, from the bottom row on; rows may have more bytes after them. */
static void floats_are_written(void **state)
{
    (void)state;
    enum { WIDTH = 3, HEIGHT = 2, STRIDE = 80 };
    char path[] = "/tmp/weft-picture-XXXXXX", named[40];
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    unlink(path);
    snprintf(named, sizeof named, "%s.raw", path);
    uint8_t pixels[HEIGHT * STRIDE], got[HEIGHT * STRIDE];
    for (unsigned i = 0; i < sizeof pixels; i++)
        pixels[i] = (uint8_t)(7 * i);
    const weft_picture p = {
        .format = WEFT_RGBA32_SFLOAT, .width = WIDTH, .height = HEIGHT, .stride = STRIDE, .pixels = pixels};
    assert_int_equal(picture_save(named, &p, 1), 0);
    FILE *f = fopen(named, "rb");
    assert_non_null(f);
    assert_int_equal(fread(got, 1, sizeof got, f), WIDTH * HEIGHT * 16);
    fclose(f);
    unlink(named);
    for (unsigned row = 0; row < HEIGHT; row++)
        for (unsigned n = 0; n < WIDTH * 4; n++) { /* little endian */
            const uint8_t *b = got + (row * WIDTH * 4 + n) * 4;
            uint32_t word;
            memcpy(&word, pixels + row * STRIDE + n * 4, 4);
            assert_true(word == (b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24));
        }
}

TEST_MAIN(TEST(kinds_are_told_from_names), TEST(floats_are_written))
