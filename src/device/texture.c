/* texture.c - making textures and their mip levels. */
#include "device/texture.h"

#include <stdlib.h>
#include <string.h>

weft_status texture_new(const struct format *format, uint32_t width, uint32_t height, uint32_t levels,
                        struct weft_texture **out)
{
    *out = NULL;
    if (!width || !height || width > TEXTURE_MAX_SIZE || height > TEXTURE_MAX_SIZE)
        return WEFT_ERROR_USAGE;
    struct weft_texture *t = calloc(1, sizeof *t);
    if (!t)
        return WEFT_ERROR_MEMORY;
    t->format = format;
    size_t texels = 0;
    for (uint32_t w = width, h = height;; w = w > 1 ? w / 2 : 1, h = h > 1 ? h / 2 : 1) {
        t->level[t->levels++] = (struct texture_level){(int32_t)w, (int32_t)h, (int32_t)texels, (int32_t)w};
        texels += (size_t)w * h;
        if ((w == 1 && h == 1) || t->levels == levels)
            break;
    }
    t->size = texels * format->bytes;
    /* Sixteen bytes more than the texels, so that wide loads of the last one stay inside. */
    t->data = calloc(1, t->size + 16);
    if (!t->data) {
        free(t);
        return WEFT_ERROR_MEMORY;
    }
    *out = t;
    return WEFT_OK;
}

/* One texel from four, channel by channel, as the description says. */
static void mean_of_four(const struct format *f, uint8_t *const src[4], uint8_t *dst)
{
    if (f->layout == FORMAT_BYTES4) {
        for (unsigned c = 0; c < 4; c++)
            dst[c] = (uint8_t)((src[0][c] + src[1][c] + src[2][c] + src[3][c] + 2) >> 2);
        return;
    }
    float v[4][4], mean[4];
    for (unsigned i = 0; i < 4; i++)
        format_decode(f, src[i], v[i]);
    for (unsigned c = 0; c < 4; c++)
        mean[c] = ((v[0][c] + v[1][c]) + (v[2][c] + v[3][c])) * 0.25f;
    format_encode(f, mean, dst);
}

void texture_make_mipmaps(struct weft_texture *t)
{
    for (uint32_t level = 1; level < t->levels; level++) {
        const struct texture_level *from = &t->level[level - 1], *to = &t->level[level];
        uint32_t right = from->width > 1, below = from->height > 1;
        for (uint32_t y = 0; y < (uint32_t)to->height; y++)
            for (uint32_t x = 0; x < (uint32_t)to->width; x++) {
                uint8_t *const src[4] = {texture_texel(t, level - 1, 2 * x, 2 * y),
                                         texture_texel(t, level - 1, 2 * x + right, 2 * y),
                                         texture_texel(t, level - 1, 2 * x, 2 * y + below),
                                         texture_texel(t, level - 1, 2 * x + right, 2 * y + below)};
                mean_of_four(t->format, src, texture_texel(t, level, x, y));
            }
    }
}

weft_status weft_texture_new(weft_pixel_format format, uint32_t width, uint32_t height, const void *pixels, int mipmaps,
                             weft_texture **texture)
{
    *texture = NULL;
    if (!pixels || (format != WEFT_RGBA8_UNORM && format != WEFT_RGBA32_SFLOAT))
        return WEFT_ERROR_USAGE;
    const struct format *f = &formats[format == WEFT_RGBA8_UNORM ? FORMAT_R8G8B8A8_UNORM : FORMAT_R32G32B32A32_SFLOAT];
    struct weft_texture *t;
    weft_status status = texture_new(f, width, height, mipmaps ? 0 : 1, &t);
    if (status != WEFT_OK)
        return status;
    memcpy(t->data, pixels, (size_t)width * height * f->bytes);
    texture_make_mipmaps(t);
    *texture = t;
    return WEFT_OK;
}

void weft_texture_free(weft_texture *texture)
{
    if (!texture)
        return;
    free(texture->data);
    free(texture);
}

void weft_sampler_init(weft_sampler *sampler)
{
    *sampler = (weft_sampler){.min_filter = WEFT_NEAREST,
                              .mag_filter = WEFT_NEAREST,
                              .mip_filter = WEFT_MIP_NONE,
                              .wrap_s = WEFT_WRAP_REPEAT,
                              .wrap_t = WEFT_WRAP_REPEAT,
                              .max_lod = 1000.0f};
}
