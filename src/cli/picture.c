/* picture.c - PNG files, and raw ones of floats. */
#include "cli/picture.h"

#include "device/image.h"
#include "device/pool.h"

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
