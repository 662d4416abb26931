/* image.c - reading PNG by libpng. */
#include "device/image.h"

#include "base/diag.h"

#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that one chunk (a text, a profile) may unpack to, and how many such chunks are kept: a small file must not
 * become a large one. */
enum { CHUNK_BYTES = 1 << 23, CHUNK_COUNT = 128 };

struct bytes {
    uint8_t *data;
    size_t size, at, cap;
};

static void quiet_warning(png_structp png, png_const_charp message)
{
    (void)png, (void)message;
}

struct fault {
    char message[128];
};

static void keep_error(png_structp png, png_const_charp message)
{
    struct fault *f = png_get_error_ptr(png);
    snprintf(f->message, sizeof f->message, "%s", message);
    png_longjmp(png, 1);
}

static void read_bytes(png_structp png, png_bytep to, size_t count)
{
    struct bytes *from = png_get_io_ptr(png);
    if (from->size - from->at < count)
        png_error(png, "the file ends too early");
    memcpy(to, from->data + from->at, count);
    from->at += count;
}

/* Ask libpng for 8-bit RGBA whatever the file holds. */
static void want_rgba8(png_structp png, png_infop info)
{
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_filler(png, 255, PNG_FILLER_AFTER);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
}

/* The part that libpng may leave by a jump: everything it owns is in the arguments. */
static int decode(png_structp png, png_infop info, struct image *image, png_bytep **rows)
{
    if (setjmp(png_jmpbuf(png)))
        return -1;
    png_set_user_limits(png, IMAGE_MAX_SIZE, IMAGE_MAX_SIZE);
    png_set_chunk_malloc_max(png, CHUNK_BYTES);
    png_set_chunk_cache_max(png, CHUNK_COUNT);
    png_read_info(png, info);
    image->width = png_get_image_width(png, info);
    image->height = png_get_image_height(png, info);
    want_rgba8(png, info);
    size_t stride = (size_t)image->width * 4;
    if (png_get_rowbytes(png, info) != stride)
        png_error(png, "an unknown kind of pixel");
    image->rgba = calloc(image->height, stride);
    *rows = calloc(image->height, sizeof **rows);
    if (!image->rgba || !*rows)
        return 1;
    for (uint32_t y = 0; y < image->height; y++)
        (*rows)[y] = image->rgba + y * stride;
    png_read_image(png, *rows);
    png_read_end(png, NULL);
    return 0;
}

weft_status image_decode_png(const void *data, size_t size, const char *name, struct image *out, weft_diags *diags)
{
    *out = (struct image){0};
    struct fault fault = {"not a PNG file"};
    struct bytes from = {(uint8_t *)(uintptr_t)data, size, 0, size};
    png_bytep *rows = NULL;
    int result = -1;
    if (size >= 8 && png_sig_cmp(data, 0, 8) == 0) {
        png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &fault, keep_error, quiet_warning);
        png_infop info = png ? png_create_info_struct(png) : NULL;
        if (info) {
            png_set_read_fn(png, &from, read_bytes);
            result = decode(png, info, out, &rows);
        } else {
            result = 1;
        }
        png_destroy_read_struct(&png, &info, NULL);
    }
    free(rows);
    if (result == 0)
        return WEFT_OK;
    image_free(out);
    if (result > 0) {
        diag_add(diags, WEFT_ERROR, "memory", name, NULL, "no memory for the picture");
        return WEFT_ERROR_MEMORY;
    }
    diag_add(diags, WEFT_ERROR, "png", name, NULL, "%s", fault.message);
    return WEFT_ERROR_INPUT;
}

void image_free(struct image *image)
{
    free(image->rgba);
    *image = (struct image){0};
}

/* A whole file; pipes have no size, so it grows. */
static int read_file(const char *path, struct bytes *to)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return -1;
    for (;;) {
        if (to->size == to->cap) {
            size_t cap = to->cap ? to->cap * 2 : 65536;
            uint8_t *bigger = realloc(to->data, cap);
            if (!bigger)
                break;
            to->data = bigger;
            to->cap = cap;
        }
        size_t n = fread(to->data + to->size, 1, to->cap - to->size, f);
        to->size += n;
        if (!n)
            break;
    }
    int failed = ferror(f) || !feof(f);
    fclose(f);
    return failed ? -1 : 0;
}

weft_status image_read_png(const char *path, struct image *out, weft_diags *diags)
{
    struct bytes file = {0};
    *out = (struct image){0};
    weft_status status = WEFT_ERROR_FILE;
    errno = 0;
    if (read_file(path, &file) == 0)
        status = image_decode_png(file.data, file.size, path, out, diags);
    else
        diag_add(diags, WEFT_ERROR, "file", path, NULL, "cannot be read: %s", errno ? strerror(errno) : "read error");
    free(file.data);
    return status;
}
