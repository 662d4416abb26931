/* picture.c - PNG files, and raw ones of floats. */
#include "cli/picture.h"

#include "device/image.h"
#include "device/pool.h"
#include "device/texture.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum picture_kind picture_kind(const char *path)
{
    size_t n = strlen(path);
    if (strcmp(path, "-") == 0 || (n > 4 && strcasecmp(path + n - 4, ".png") == 0))
        return PICTURE_PNG;
    return n > 4 && strcasecmp(path + n - 4, ".raw") == 0 ? PICTURE_RAW : PICTURE_NONE;
}

static int save_png(const char *path, const weft_picture *p, uint32_t threads)
{
    const uint8_t *top = (const uint8_t *)p->pixels + p->stride * (p->height - 1);
    uint8_t *file = NULL;
    size_t size = 0;
    if (image_encode_png(p->width, p->height, top, -(ptrdiff_t)p->stride, pool_threads_for(threads), &file, &size,
                         NULL) != WEFT_OK) {
        cli_message("out of memory");
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

int picture_save(const char *path, const weft_picture *picture, uint32_t threads)
{
    return picture->format == WEFT_RGBA32_SFLOAT ? save_raw(path, picture) : save_png(path, picture, threads);
}

static bool read_image(const char *path, struct image *image, weft_diags *diags)
{
    struct cli_bytes in;
    if (!cli_read(path, &in))
        return false;
    bool fine = image_decode_png(in.data, in.size, in.name, image, diags) == WEFT_OK;
    free(in.data);
    return fine;
}

bool texture_load(const char *path, bool mipmaps, weft_texture **texture, weft_diags *diags)
{
    struct image image;
    if (!read_image(path, &image, diags))
        return false;
    weft_status status = weft_texture_new(WEFT_RGBA8_UNORM, image.width, image.height, image.rgba, mipmaps, texture);
    if (status != WEFT_OK)
        cli_message("'%s' cannot be a texture: %s", path, weft_status_name(status));
    image_free(&image);
    return status == WEFT_OK;
}

/* The texture that a first picture begins; NULL, having said why. */
static weft_texture *begin_slices(const char *path, const struct image *first, bool cube, uint32_t count)
{
    weft_texture *t = NULL;
    struct texture_desc d = {&formats[FORMAT_R8G8B8A8_UNORM], .dim = cube ? IR_TEX_CUBE : IR_TEX_2D, .array = !cube,
                             .width = first->width, .height = first->height, .depth = 1,
                             .layers = cube ? 1 : count, .levels = 1};
    if (cube && first->width != first->height) {
        cli_message("'%s' cannot be a face of a cube: it is %ux%u, and a face is as wide as it is high", path,
                    first->width, first->height);
        return NULL;
    }
    weft_status status = texture_create(&d, &t);
    if (status != WEFT_OK)
        cli_message("'%s' and the others cannot be a texture: %s", path, weft_status_name(status));
    return status == WEFT_OK ? t : NULL;
}

static bool load_slice(const char *path, bool cube, uint32_t slice, uint32_t count, weft_texture **texture,
                       weft_diags *diags)
{
    struct image image;
    if (!read_image(path, &image, diags))
        return false;
    if (slice == 0)
        *texture = begin_slices(path, &image, cube, count);
    const struct texture_level *level = *texture ? &(*texture)->level[0] : NULL;
    bool fine = level && (uint32_t)level->width == image.width && (uint32_t)level->height == image.height;
    if (fine)
        memcpy(texture_plane(*texture, 0, slice, 0), image.rgba, (size_t)image.width * image.height * 4);
    else if (level)
        cli_message("'%s' is %ux%u, and the first picture of the texture is %dx%d", path, image.width, image.height,
                    level->width, level->height);
    image_free(&image);
    return fine;
}

bool texture_load_slices(char *paths, bool cube, weft_texture **texture, weft_diags *diags)
{
    uint32_t count = 1, slice = 0;
    bool fine = true;
    for (const char *p = paths; *p; p++)
        count += *p == ',';
    *texture = NULL;
    if (cube && count != 6) {
        cli_message("a cube is six files, +x,-x,+y,-y,+z,-z, and '%s' is %u", paths, count);
        return false;
    }
    for (char *path; fine && (path = strsep(&paths, ",")) != NULL;)
        fine = load_slice(path, cube, slice++, count, texture, diags);
    if (!fine) {
        weft_texture_free(*texture);
        *texture = NULL;
    }
    return fine;
}
