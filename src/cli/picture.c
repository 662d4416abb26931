/* picture.c - PNG files, and raw ones of floats. */
#include "cli/picture.h"

#include <endian.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

enum picture_kind picture_kind(const char *path)
{
    size_t n = strlen(path);
    if (strcmp(path, "-") == 0 || (n > 4 && strcmp(path + n - 4, ".png") == 0))
        return PICTURE_PNG;
    return n > 4 && strcmp(path + n - 4, ".raw") == 0 ? PICTURE_RAW : PICTURE_NONE;
}

static int save_png(const char *path, const weft_picture *p)
{
    png_image image = {.version = PNG_IMAGE_VERSION, .width = p->width, .height = p->height, .format = PNG_FORMAT_RGBA};
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    void *file = malloc(size);
    /* A negative stride: the file's first row is the picture's last. */
    if (!file || !png_image_write_to_memory(&image, file, &size, 0, p->pixels, -(png_int_32)p->stride, NULL)) {
        cli_message("cannot make a PNG file: %s", file ? image.message : "out of memory");
        free(file);
        return STATUS_INPUT;
    }
    int status = cli_write(path, file, size);
    free(file);
    return status;
}

/* Rows from the bottom up without padding, little-endian floats. */
static int save_raw(const char *path, const weft_picture *p)
{
    size_t row = (size_t)p->width * 4;
    uint32_t *file = malloc(row * p->height * sizeof *file);
    if (!file) {
        cli_message("out of memory");
        return STATUS_INPUT;
    }
    for (uint32_t y = 0; y < p->height; y++) {
        uint32_t *to = file + row * y;
        memcpy(to, (const char *)p->pixels + p->stride * y, row * sizeof *to);
        for (size_t i = 0; i < row; i++)
            to[i] = htole32(to[i]);
    }
    int status = cli_write(path, file, row * p->height * sizeof *file);
    free(file);
    return status;
}

int picture_save(const char *path, const weft_picture *picture)
{
    return picture->format == WEFT_RGBA32_SFLOAT ? save_raw(path, picture) : save_png(path, picture);
}

static bool decode_texture(png_image *image, const struct cli_bytes *in, bool mipmaps, weft_texture **texture)
{
    if (!png_image_begin_read_from_memory(image, in->data, in->size)) {
        cli_message("'%s': %s", in->name, image->message);
        return false;
    }
    if (image->width > WEFT_MAX_PICTURE_SIZE || image->height > WEFT_MAX_PICTURE_SIZE) {
        cli_message("'%s' is larger than %d pixels", in->name, WEFT_MAX_PICTURE_SIZE);
        return false;
    }
    image->format = PNG_FORMAT_RGBA;
    void *pixels = malloc(PNG_IMAGE_SIZE(*image));
    bool fine = pixels && png_image_finish_read(image, NULL, pixels, 0, NULL);
    if (!fine)
        cli_message("'%s': %s", in->name, pixels ? image->message : "out of memory");
    weft_status status =
        fine ? weft_texture_new(WEFT_RGBA8_UNORM, image->width, image->height, pixels, mipmaps, texture) : WEFT_OK;
    if (status != WEFT_OK)
        cli_message("'%s' cannot be a texture: %s", in->name, weft_status_name(status));
    free(pixels);
    return fine && status == WEFT_OK;
}

bool texture_load(const char *path, bool mipmaps, weft_texture **texture)
{
    struct cli_bytes in;
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!cli_read(path, &in))
        return false;
    bool fine = decode_texture(&image, &in, mipmaps, texture);
    png_image_free(&image);
    free(in.data);
    return fine;
}
