/* texture.c - making textures and their mip levels. */
#include "device/texture.h"

#include "base/bytes.h"

#include <stdlib.h>
#include <string.h>

/* ---- layout ---- */

static uint32_t half(uint32_t size)
{
    return size > 1 ? size / 2 : 1;
}

/* Numbers that a kind of texture does not use are 1. */
static struct texture_desc normalised(const struct texture_desc *d)
{
    struct texture_desc n = *d;
    bool flat = n.dim == IR_TEX_1D || n.dim == IR_TEX_BUFFER;
    n.height = flat ? 1 : n.height;
    n.depth = n.dim == IR_TEX_3D ? n.depth : 1;
    n.layers = n.array ? n.layers : 1;
    n.samples = n.samples ? n.samples : 1;
    if (n.dim == IR_TEX_BUFFER || n.dim == IR_TEX_RECT || n.samples > 1)
        n.levels = 1;
    return n;
}

static bool sizes_allowed(const struct texture_desc *d)
{
    uint32_t width_limit = d->dim == IR_TEX_BUFFER ? TEXTURE_MAX_TEXELS : TEXTURE_MAX_SIZE;
    if (!d->format || !d->format->bytes || !d->width || !d->height || !d->depth || !d->layers)
        return false;
    if (d->width > width_limit || d->height > TEXTURE_MAX_SIZE || d->depth > TEXTURE_MAX_SIZE ||
        d->layers > TEXTURE_MAX_SIZE)
        return false;
    if (d->dim == IR_TEX_CUBE && d->width != d->height)
        return false;
    return d->samples <= TEXTURE_MAX_SAMPLES && (d->samples & (d->samples - 1)) == 0;
}

/* Places of all levels; 0: above the limits. Returns the bytes of them. */
static size_t lay_out(const struct texture_desc *desc, struct weft_texture *t)
{
    struct texture_desc d = normalised(desc);
    *t = (struct weft_texture){.format = d.format,
                               .dim = d.dim,
                               .array = d.array,
                               .layers = d.layers,
                               .samples = d.samples,
                               .swizzle = {0, 1, 2, 3}};
    if (!sizes_allowed(&d))
        return 0;
    uint64_t texels = 0;
    uint32_t w = d.width, h = d.height, z = d.depth;
    for (;;) {
        uint64_t slices = d.dim == IR_TEX_3D ? z : (uint64_t)d.layers * (d.dim == IR_TEX_CUBE ? 6 : 1);
        uint64_t plane = (uint64_t)w * h;
        if (texels + plane * slices * d.samples > TEXTURE_MAX_TEXELS)
            return 0;
        t->level[t->levels++] = (struct texture_level){.width = (int32_t)w,
                                                       .height = (int32_t)h,
                                                       .depth = (int32_t)slices,
                                                       .first = (int32_t)texels,
                                                       .stride = (int32_t)w,
                                                       .slice = (int32_t)(plane * d.samples),
                                                       .sample = (int32_t)plane};
        texels += plane * slices * d.samples;
        if ((w == 1 && h == 1 && z == 1) || t->levels == d.levels || t->levels == TEXTURE_MAX_LEVELS)
            break;
        w = half(w);
        h = half(h);
        z = half(z);
    }
    t->size = (size_t)texels * d.format->bytes;
    return t->size <= TEXTURE_MAX_BYTES ? t->size : 0;
}

size_t texture_bytes(const struct texture_desc *d)
{
    struct weft_texture t;
    return lay_out(d, &t);
}

weft_status texture_create(const struct texture_desc *d, struct weft_texture **out)
{
    *out = NULL;
    struct weft_texture *t = malloc(sizeof *t);
    if (!t)
        return WEFT_ERROR_MEMORY;
    if (!lay_out(d, t)) {
        free(t);
        return WEFT_ERROR_USAGE;
    }
    /* Sixteen bytes more than the texels, so that wide loads of the last one stay inside. */
    t->data = calloc(1, t->size + 16);
    if (!t->data) {
        free(t);
        return WEFT_ERROR_MEMORY;
    }
    t->gallium = format_gallium_number(t->format);
    *out = t;
    return WEFT_OK;
}

weft_status texture_over(const struct texture_desc *d, void *memory, size_t size, struct weft_texture *out)
{
    size_t needed = lay_out(d, out);
    if (!needed || needed > size)
        return WEFT_ERROR_USAGE;
    out->gallium = format_gallium_number(out->format);
    out->data = memory;
    return WEFT_OK;
}

weft_status texture_from_level(const struct weft_texture *t, uint32_t base, struct weft_texture *out)
{
    if (base >= t->levels)
        return WEFT_ERROR_USAGE;
    *out = *t;
    out->levels -= base;
    memmove(out->level, out->level + base, out->levels * sizeof out->level[0]);
    return WEFT_OK;
}

weft_status texture_new(const struct format *format, uint32_t width, uint32_t height, uint32_t levels,
                        struct weft_texture **out)
{
    const struct texture_desc d = {
        .format = format, .dim = IR_TEX_2D, .width = width, .height = height, .levels = levels};
    return texture_create(&d, out);
}

/* ---- kinds ---- */

static uint8_t flat_dim(uint8_t dim)
{
    return dim == IR_TEX_RECT ? IR_TEX_2D : dim;
}

unsigned texture_axes(uint8_t dim)
{
    static const uint8_t axes[] = {[IR_TEX_1D] = 1,   [IR_TEX_2D] = 2,   [IR_TEX_3D] = 3,
                                   [IR_TEX_CUBE] = 3, [IR_TEX_RECT] = 2, [IR_TEX_BUFFER] = 1};
    return axes[dim];
}

/* Whether an op that takes the kind from what is bound has enough registers for it. */
static bool has_registers(const struct weft_texture *t, const struct ir_texture *op)
{
    bool level = op->op == IR_TEX_BIAS || op->op == IR_TEX_FETCH || (op->op == IR_TEX_LOD && !op->zero_lod);
    return op->op == IR_TEX_QUERY_SIZE ||
           texture_axes(t->dim) + t->array + (level && op->registers > 1) <= op->registers;
}

bool texture_fits(const struct weft_texture *t, const struct ir_texture *op)
{
    if (op->registers)
        return has_registers(t, op);
    if (op->as_bound && op->dim == IR_TEX_1D && t->dim == IR_TEX_BUFFER)
        return !op->array;
    return flat_dim(t->dim) == flat_dim(op->dim) && t->array == op->array && (t->samples == 1 || op->multisample);
}

const char *texture_kind_name(uint8_t dim, bool array)
{
    static const char *const names[][2] = {[IR_TEX_1D] = {"1D", "1D array"},     [IR_TEX_2D] = {"2D", "2D array"},
                                           [IR_TEX_3D] = {"3D", "3D array"},     [IR_TEX_CUBE] = {"cube", "cube array"},
                                           [IR_TEX_RECT] = {"rectangle", "rectangle array"},
                                           [IR_TEX_BUFFER] = {"buffer", "buffer array"}};
    return names[dim][array];
}

/* ---- mip levels ---- */

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
    if (format == WEFT_RGBA32_SFLOAT)
        bytes_turn_words(t->data, (size_t)width * height * 4);
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
                              .wrap_r = WEFT_WRAP_REPEAT,
                              .max_lod = 1000.0f};
}
