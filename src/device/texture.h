/* texture.h - texture objects with their mip levels, and sampler state. */
#ifndef WEFT_DEVICE_TEXTURE_H
#define WEFT_DEVICE_TEXTURE_H

#include <weft/draw.h>

#include "device/format.h"

enum { TEXTURE_MAX_SIZE = WEFT_MAX_PICTURE_SIZE, TEXTURE_MAX_LEVELS = 15 };

/* A mip level. Positions are counted in texels from the start of the texture's memory, which all levels share;
 * the largest texture has fewer than 2^29, so that they fit an int32_t. */
struct texture_level {
    int32_t width, height;
    int32_t first;  /* texel (0, 0) */
    int32_t stride; /* texels from a row to the next */
};

struct weft_texture {
    const struct format *format;
    uint32_t levels;
    struct texture_level level[TEXTURE_MAX_LEVELS];
    uint8_t *data;
    size_t size;
};

/* A texture of zeroed levels, each half of the one before (rounded down, at least 1); levels 0: all down to 1x1. */
weft_status texture_new(const struct format *format, uint32_t width, uint32_t height, uint32_t levels,
                        struct weft_texture **out);

/* The memory of a texel. */
static inline uint8_t *texture_texel(const struct weft_texture *t, uint32_t level, uint32_t x, uint32_t y)
{
    const struct texture_level *l = &t->level[level];
    return t->data + ((size_t)l->first + (size_t)y * (size_t)l->stride + x) * t->format->bytes;
}

/* Make level 1 and the following from the one before: means of 2x2 texels. Channels of at most 8 bits are averaged
 * as (a + b + c + d + 2) >> 2 of their numbers, floats as ((a + b) + (c + d)) * 0.25. Where a level is one texel wide
 * or high, that texel counts twice. */
void texture_make_mipmaps(struct weft_texture *t);

#endif
