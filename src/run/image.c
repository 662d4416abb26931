/* image.c - images in the caller's memory, as the device's textures and targets. */
#include "run/runner.h"

#include "base/sized.h"

#include <string.h>

static bool refuse(weft_diags *diags, const char *why)
{
    runner_usage(diags, "%s", why);
    return false;
}

static bool describe(const weft_image *i, struct texture_desc *d, weft_diags *diags)
{
    static const uint8_t dims[] = {
        [WEFT_IMAGE_1D] = IR_TEX_1D,     [WEFT_IMAGE_2D] = IR_TEX_2D,     [WEFT_IMAGE_3D] = IR_TEX_3D,
        [WEFT_IMAGE_CUBE] = IR_TEX_CUBE, [WEFT_IMAGE_RECT] = IR_TEX_RECT, [WEFT_IMAGE_BUFFER] = IR_TEX_BUFFER};
    if ((unsigned)i->kind >= sizeof dims)
        return refuse(diags, "an image of a kind that does not exist");
    *d = (struct texture_desc){.format = i->format ? format_find(i->format) : NULL,
                               .dim = dims[i->kind],
                               .array = i->array != 0,
                               .width = i->width,
                               .height = i->kind == WEFT_IMAGE_CUBE ? i->width : i->height,
                               .depth = i->depth,
                               .layers = i->layers,
                               .levels = i->levels ? i->levels : 1,
                               .samples = i->samples};
    if (!d->format) {
        runner_no_format(diags, i->format);
        return false;
    }
    if (d->array && (i->kind == WEFT_IMAGE_3D || i->kind == WEFT_IMAGE_RECT || i->kind == WEFT_IMAGE_BUFFER))
        return refuse(diags, "images of this kind have no layers");
    if (i->samples > 1 && i->kind != WEFT_IMAGE_2D)
        return refuse(diags, "2D images alone have samples");
    return true;
}

/* Rows that do not follow each other: one level, whose places in memory are counted in texels. */
static size_t spread_rows(struct weft_texture *t, size_t pitch, weft_diags *diags)
{
    struct texture_level *l = &t->level[0];
    size_t texel = t->format->bytes, width = (size_t)l->width * texel;
    uint64_t rows = (uint64_t)l->height * (uint64_t)l->depth * t->samples;
    if (t->levels > 1 || pitch % texel || pitch < width) {
        refuse(diags, "a pitch is a multiple of the texel's bytes, holds a row, and is for one level");
        return 0;
    }
    if (pitch / texel > TEXTURE_MAX_TEXELS / rows || pitch > TEXTURE_MAX_BYTES / rows) {
        refuse(diags, "an image of that pitch is beyond the limits");
        return 0;
    }
    l->stride = (int32_t)(pitch / texel);
    l->sample = l->stride * l->height;
    l->slice = l->sample * (int32_t)t->samples;
    return t->size = (size_t)(rows - 1) * pitch + width;
}

/* The bytes that an image needs; 0: none. */
static size_t measure(const weft_image *i, struct weft_texture *t, weft_diags *diags)
{
    struct texture_desc d;
    if (!describe(i, &d, diags))
        return 0;
    if (texture_over(&d, NULL, SIZE_MAX, t) != WEFT_OK) {
        refuse(diags, "an image of these sizes does not exist, or is beyond the limits");
        return 0;
    }
    return i->pitch ? spread_rows(t, i->pitch, diags) : t->size;
}

bool runner_texture(const weft_image *image, bool in_memory, struct weft_texture *out, weft_diags *diags)
{
    weft_image i;
    if (sized_copy(&i, sizeof i, SIZED_FIRST(weft_image, pitch), image, "weft_image", diags) != WEFT_OK)
        return false;
    size_t needed = measure(&i, out, diags);
    if (!needed || !in_memory)
        return needed != 0;
    if (!i.memory || (uintptr_t)i.memory % 16)
        return refuse(diags, "the memory of an image is aligned to 16 bytes");
    if (i.bytes < needed) {
        runner_usage(diags, "the image needs %zu bytes, and its memory has %zu", needed, i.bytes);
        return false;
    }
    out->data = i.memory;
    return true;
}

size_t weft_image_bytes(const weft_image *image, weft_diags *diags)
{
    struct weft_texture t;
    return runner_texture(image, false, &t, diags) ? t.size : 0;
}

struct surface runner_surface(const struct weft_texture *t)
{
    const struct texture_level *l = &t->level[0];
    size_t texel = t->format->bytes;
    return (struct surface){.format = t->format,
                            .pixels = t->data,
                            .stride = (size_t)l->stride * texel,
                            .width = (uint32_t)l->width,
                            .height = (uint32_t)l->height,
                            .layers = (uint32_t)l->depth,
                            .layer_stride = (size_t)l->slice * texel,
                            .samples = t->samples,
                            .sample_stride = (size_t)l->sample * texel};
}
