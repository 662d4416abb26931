/* resolve.c - clearing surfaces and resolving samples, outside of draws. */
#include "device/targets.h"

#include <string.h>

/* ---- clearing ---- */

static uint8_t *area_row(const struct surface *s, struct target_rect area, uint32_t layer, uint32_t sample, uint32_t y)
{
    return surface_plane(s, layer, sample) + (size_t)(area.y + y) * s->stride + (size_t)area.x * s->format->bytes;
}

void surface_clear_color(const struct surface *s, struct target_rect area, const union target_color *color)
{
    uint8_t pixel[32] = {0};
    format_encode_words(s->format, color->u, pixel);
    for (uint32_t layer = 0; layer < surface_layers(s); layer++)
        for (uint32_t sample = 0; sample < surface_samples(s); sample++)
            for (uint32_t y = 0; y < area.height; y++) {
                uint8_t *at = area_row(s, area, layer, sample, y);
                for (uint32_t x = 0; x < area.width; x++)
                    memcpy(at + (size_t)x * s->format->bytes, pixel, s->format->bytes);
            }
}

void surface_clear_depth_stencil(const struct surface *s, struct target_rect area, bool depth, float depth_value,
                                 bool stencil, uint8_t stencil_value)
{
    for (uint32_t layer = 0; layer < surface_layers(s); layer++)
        for (uint32_t sample = 0; sample < surface_samples(s); sample++)
            for (uint32_t y = 0; y < area.height; y++) {
                uint8_t *at = area_row(s, area, layer, sample, y);
                for (uint32_t x = 0; x < area.width; x++, at += s->format->bytes) {
                    if (depth)
                        format_set_depth(s->format, depth_value, at);
                    if (stencil)
                        format_set_stencil(s->format, stencil_value, at);
                }
            }
}

/* ---- resolving ---- */

static bool averages(const struct format *f)
{
    return format_class(f) == FORMAT_CLASS_FLOAT && !f->depth && !f->stencil.bits;
}

static void average(const struct surface *from, uint32_t layer, size_t at, uint8_t *to)
{
    uint32_t samples = surface_samples(from);
    float sum[4] = {0};
    for (uint32_t s = 0; s < samples; s++) {
        float rgba[4];
        format_decode(from->format, surface_plane(from, layer, s) + at, rgba);
        for (unsigned c = 0; c < 4; c++)
            sum[c] += rgba[c];
    }
    for (unsigned c = 0; c < 4; c++)
        sum[c] /= (float)samples;
    format_encode(from->format, sum, to);
}

void surface_resolve(const struct surface *from, const struct surface *to)
{
    size_t bytes = from->format->bytes;
    bool mean = averages(from->format);
    for (uint32_t layer = 0; layer < surface_layers(from); layer++)
        for (uint32_t y = 0; y < from->height; y++) {
            uint8_t *row = surface_plane(to, layer, 0) + (size_t)y * to->stride;
            size_t at = (size_t)y * from->stride;
            if (!mean) {
                memcpy(row, surface_plane(from, layer, 0) + at, from->width * bytes);
                continue;
            }
            for (uint32_t x = 0; x < from->width; x++)
                average(from, layer, at + x * bytes, row + x * bytes);
        }
}
