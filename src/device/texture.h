/* texture.h - texture objects with their mip levels, and sampler state. */
#ifndef WEFT_DEVICE_TEXTURE_H
#define WEFT_DEVICE_TEXTURE_H

#include <weft/draw.h>

#include "device/format.h"
#include "ir/io.h"

/* Positions are counted in texels from the start of the texture's memory, which all levels share; the largest texture
 * has no more than 2^29 - 1, so that four components of each fit an int32_t. */
enum {
    TEXTURE_MAX_SIZE = WEFT_MAX_PICTURE_SIZE,
    TEXTURE_MAX_LEVELS = 15,
    TEXTURE_MAX_SAMPLES = 64,
    TEXTURE_MAX_TEXELS = (1 << 29) - 1
};
#define TEXTURE_MAX_BYTES ((size_t)1 << 31)

/* A mip level. A slice is one of a 3D texture, a layer of an array, a face of a cube (+x -x +y -y +z -z, cube by cube);
 * each sample of a slice is a plane of its own. */
struct texture_level {
    int32_t width, height;
    int32_t depth;  /* slices */
    int32_t first;  /* texel (0, 0) of slice 0 */
    int32_t stride; /* texels from a row to the next */
    int32_t slice, sample; /* from a slice to the next, from a sample's plane to the next */
};

struct weft_texture {
    const struct format *format;
    uint16_t gallium; /* its number there (ir/gallium.h), 0: it has none */
    uint32_t levels;
    struct texture_level level[TEXTURE_MAX_LEVELS];
    uint8_t *data;
    size_t size;
    uint8_t dim;              /* enum ir_tex_dim */
    bool array;
    uint32_t layers, samples; /* of arrays (cubes of CUBE), else 1 */
    uint8_t swizzle[4];       /* enum texture_swizzle: what programs see as x, y, z, w */
};

enum texture_swizzle { SWIZZLE_R, SWIZZLE_G, SWIZZLE_B, SWIZZLE_A, SWIZZLE_ZERO, SWIZZLE_ONE };

/* What a texture is. Sizes that its kind has no use for are not looked at. */
struct texture_desc {
    const struct format *format;
    uint8_t dim; /* enum ir_tex_dim */
    bool array;
    uint32_t width, height, depth; /* of level 0; a cube's width is its height */
    uint32_t layers;               /* array: how many; of a CUBE: cubes */
    uint32_t levels;               /* 0: all down to 1x1x1; BUFFER, RECT and multisampled textures have one */
    uint32_t samples;              /* 0 or a power of 2, at most TEXTURE_MAX_SAMPLES */
};

/* Bytes of a texture's memory: level by level (each half of the one before, rounded down, at least 1), slice by slice,
 * sample by sample, row by row, without padding. 0: a size is 0 or above the limits. */
size_t texture_bytes(const struct texture_desc *d);

/* A texture of zeroes; weft_texture_free it. WEFT_ERROR_USAGE: texture_bytes says 0. */
weft_status texture_create(const struct texture_desc *d, struct weft_texture **out);

/* The same over the caller's memory, into the caller's struct; nothing is to be freed. WEFT_ERROR_USAGE: also if
 * `size` is too small. */
weft_status texture_over(const struct texture_desc *d, void *memory, size_t size, struct weft_texture *out);

/* A view of the levels from `base` on, of the same memory. WEFT_ERROR_USAGE: there is no such level. */
weft_status texture_from_level(const struct weft_texture *t, uint32_t base, struct weft_texture *out);

/* Whether a texture is of the kind that an op asks for: dimension, array, samples. 2D and RECT fit each other. */
/* How many coordinates a kind of texture has. */
unsigned texture_axes(uint8_t dim);
bool texture_fits(const struct weft_texture *t, const struct ir_texture *op);
/* What kind that is, for messages: "2D array". */
const char *texture_kind_name(uint8_t dim, bool array);

/* A 2D texture of zeroes; levels 0: all. */
weft_status texture_new(const struct format *format, uint32_t width, uint32_t height, uint32_t levels,
                        struct weft_texture **out);

/* The memory of a texel of slice 0. */
static inline uint8_t *texture_texel(const struct weft_texture *t, uint32_t level, uint32_t x, uint32_t y)
{
    const struct texture_level *l = &t->level[level];
    return t->data + ((size_t)l->first + (size_t)y * (size_t)l->stride + x) * t->format->bytes;
}

/* The memory of texel (0, 0) of a sample of a slice. */
static inline uint8_t *texture_plane(const struct weft_texture *t, uint32_t level, uint32_t slice, uint32_t sample)
{
    const struct texture_level *l = &t->level[level];
    return t->data + ((size_t)l->first + (size_t)slice * (size_t)l->slice + (size_t)sample * (size_t)l->sample) *
                         t->format->bytes;
}

/* Make level 1 and the following of a 2D texture from the one before: means of 2x2 texels. Channels of at most 8 bits
 * are averaged as (a + b + c + d + 2) >> 2 of their numbers, floats as ((a + b) + (c + d)) * 0.25. Where a level is one
 * texel wide or high, that texel counts twice. */
void texture_make_mipmaps(struct weft_texture *t);

#endif
