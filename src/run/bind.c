/* bind.c - what is bound to a runner, and all of it as the resources of a run. */
#include "run/runner.h"

#include <string.h>

static weft_status check_number(const char *what, uint32_t number, uint32_t limit, weft_diags *diags)
{
    if (number < limit)
        return WEFT_OK;
    return runner_usage(diags, "%s %u: the numbers end at %u", what, number, limit - 1);
}

static weft_status bind_memory(const char *what, struct exec_buffer *slots, uint32_t number, uint32_t limit,
                               const void *memory, size_t size, weft_diags *diags)
{
    weft_status status = check_number(what, number, limit, diags);
    if (status != WEFT_OK)
        return status;
    if ((uintptr_t)memory % 4)
        return runner_usage(diags, "the memory of %s %u is not aligned to 4 bytes", what, number);
    if (!memory && size)
        return runner_usage(diags, "%s %u has %zu bytes and no memory", what, number, size);
    slots[number] = (struct exec_buffer){(uint8_t *)(uintptr_t)memory, size};
    return WEFT_OK;
}

weft_status weft_runner_bind_buffer(weft_runner *r, uint32_t number, void *memory, size_t size, weft_diags *diags)
{
    return bind_memory("buffer", r->bound.storage, number, RESOURCE_STORAGE, memory, size, diags);
}

weft_status weft_runner_bind_constants(weft_runner *r, uint32_t number, const void *memory, size_t size,
                                       weft_diags *diags)
{
    return bind_memory("constant buffer", r->bound.constants, number, RESOURCE_CONSTANTS, memory, size, diags);
}

/* ---- textures and images ---- */

weft_status weft_runner_bind_texture(weft_runner *r, uint32_t number, const weft_texture *texture, weft_diags *diags)
{
    weft_status status = check_number("texture", number, RESOURCE_TEXTURES, diags);
    if (status == WEFT_OK)
        r->bound.textures[number] = texture;
    return status;
}

weft_status weft_runner_bind_sampler(weft_runner *r, uint32_t number, const weft_sampler *sampler, weft_diags *diags)
{
    weft_status status = check_number("sampler", number, RESOURCE_TEXTURES, diags);
    if (status == WEFT_OK && sampler)
        r->sampler[number] = *sampler;
    else if (status == WEFT_OK)
        weft_sampler_init(&r->sampler[number]);
    return status;
}

/* An image of the caller's into a place of the runner's, which stays as it was when the image makes no sense. */
static weft_status place_image(const weft_image *image, struct weft_texture *place, weft_diags *diags)
{
    struct weft_texture t;
    if (!runner_texture(image, true, &t, diags))
        return WEFT_ERROR_USAGE;
    *place = t;
    return WEFT_OK;
}

weft_status weft_runner_bind_texture_image(weft_runner *r, uint32_t number, const weft_image *image, weft_diags *diags)
{
    weft_status status = check_number("texture", number, RESOURCE_TEXTURES, diags);
    if (status == WEFT_OK && image)
        status = place_image(image, &r->texture[number], diags);
    if (status == WEFT_OK)
        r->bound.textures[number] = image ? &r->texture[number] : NULL;
    return status;
}

/* An image as what programs read and write: in a place of the runner's, from which a slot is bound. */
static weft_status bind_view(const weft_image *image, struct weft_texture *place, struct image_view *view,
                             const struct image_view **slot, weft_diags *diags)
{
    weft_status status = image ? place_image(image, place, diags) : WEFT_OK;
    if (status != WEFT_OK)
        return status;
    *view = (struct image_view){place, 0};
    *slot = image ? view : NULL;
    return WEFT_OK;
}

weft_status weft_runner_bind_image(weft_runner *r, uint32_t number, const weft_image *image, weft_diags *diags)
{
    weft_status status = check_number("image", number, RESOURCE_IMAGES, diags);
    return status != WEFT_OK ? status
                             : bind_view(image, &r->image_texture[number], &r->image[number],
                                         &r->bound.images[number], diags);
}

weft_status weft_runner_bind_buffer_image(weft_runner *r, uint32_t number, const weft_image *image, weft_diags *diags)
{
    weft_status status = check_number("buffer", number, RESOURCE_STORAGE, diags);
    return status != WEFT_OK ? status
                             : bind_view(image, &r->storage_texture[number], &r->storage[number],
                                         &r->bound.storage_images[number], diags);
}

/* ---- of draws ---- */

weft_status weft_runner_bind_attribute(weft_runner *r, uint32_t number, const char *format, const void *memory,
                                       size_t size, size_t stride, uint32_t divisor, weft_diags *diags)
{
    weft_status status = check_number("attribute", number, PIPELINE_ATTRIBUTES, diags);
    if (status != WEFT_OK)
        return status;
    const struct format *f = format ? format_find(format) : NULL;
    if (memory && !f)
        return runner_no_format(diags, format);
    r->attribute[number] = (struct attribute){
        .format = memory ? f : NULL, .data = memory, .size = memory ? size : 0, .stride = stride, .divisor = divisor};
    return WEFT_OK;
}

static weft_status bind_surface(const weft_image *image, bool depth, struct surface *to, weft_diags *diags)
{
    struct weft_texture t;
    if (!image) {
        *to = (struct surface){0};
        return WEFT_OK;
    }
    if (!runner_texture(image, true, &t, diags))
        return WEFT_ERROR_USAGE;
    if (t.dim != IR_TEX_2D)
        return runner_usage(diags, "a target is a 2D image");
    if (t.samples > TARGET_MAX_SAMPLES)
        return runner_usage(diags, "a target of %u samples: the most is %d", t.samples, TARGET_MAX_SAMPLES);
    bool for_depth = t.format->depth || t.format->stencil.kind != FORMAT_VOID;
    if (for_depth != depth)
        return runner_usage(diags, depth ? "%s has neither depth nor stencil" : "%s is not a format of colours",
                            t.format->name);
    *to = runner_surface(&t);
    return WEFT_OK;
}

weft_status weft_runner_bind_target(weft_runner *r, uint32_t number, const weft_image *image, weft_diags *diags)
{
    weft_status status = check_number("target", number, PIPELINE_COLORS, diags);
    return status == WEFT_OK ? bind_surface(image, false, &r->color[number], diags) : status;
}

weft_status weft_runner_bind_depth(weft_runner *r, const weft_image *image, weft_diags *diags)
{
    return bind_surface(image, true, &r->depth, diags);
}

/* ---- a run ---- */

void runner_resources(weft_runner *r, struct resources *out)
{
    *out = r->bound;
    out->samplers = r->sampler;
    if (runner_hooked(r)) {
        out->probe = runner_probe;
        out->probe_context = r;
    }
    resources_map(out);
}
