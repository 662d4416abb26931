/* targets.h - what fragments end in: colour and depth surfaces, and the state of the operations before them.
 *
 * The state is of plain data whose zero value means "off", in the terms of Vulkan's chapters Fragment Operations and
 * The Framebuffer. Enumerations of factors and operations are in Vulkan's order. */
#ifndef WEFT_DEVICE_TARGETS_H
#define WEFT_DEVICE_TARGETS_H

#include "device/format.h"
#include "device/kernels.h"

enum { TARGET_MAX_SAMPLES = 8 };

/* Pixels to draw to. pixels NULL: nothing is bound.
 *
 * Sample s of pixel (x, y) of layer l is at pixels + l * layer_stride + s * sample_stride + y * stride + x * bytes:
 * every sample is a plane of its own, so that a block of one sample is in memory what a block of a single-sampled
 * surface is. */
struct surface {
    const struct format *format;
    uint8_t *pixels;
    size_t stride;
    uint32_t width, height;
    uint32_t layers; /* 0 counts as 1; primitives with a layer beyond go nowhere */
    size_t layer_stride;
    uint32_t samples; /* 0 counts as 1; else 2, 4, 8 */
    size_t sample_stride;
};

static inline uint32_t surface_samples(const struct surface *s)
{
    return s->samples > 1 ? s->samples : 1;
}
static inline uint32_t surface_layers(const struct surface *s)
{
    return s->layers > 1 ? s->layers : 1;
}
static inline uint8_t *surface_plane(const struct surface *s, uint32_t layer, uint32_t sample)
{
    return s->pixels + layer * s->layer_stride + sample * s->sample_stride;
}

/* ---- stencil ---- */

enum stencil_op {
    STENCIL_KEEP,
    STENCIL_ZERO,
    STENCIL_REPLACE,
    STENCIL_INCREMENT_CLAMP,
    STENCIL_DECREMENT_CLAMP,
    STENCIL_INVERT,
    STENCIL_INCREMENT_WRAP,
    STENCIL_DECREMENT_WRAP
};

/* The state of one face. The test passes if (reference & compare_mask) op (stored & compare_mask). */
struct stencil_face {
    uint8_t fail, pass, depth_fail; /* enum stencil_op */
    uint8_t compare;                /* enum compare_op */
    uint8_t compare_mask, write_mask, reference;
};

/* ---- blending ---- */

enum blend_factor {
    BLEND_ZERO,
    BLEND_ONE,
    BLEND_SRC_COLOR,
    BLEND_ONE_MINUS_SRC_COLOR,
    BLEND_DST_COLOR,
    BLEND_ONE_MINUS_DST_COLOR,
    BLEND_SRC_ALPHA,
    BLEND_ONE_MINUS_SRC_ALPHA,
    BLEND_DST_ALPHA,
    BLEND_ONE_MINUS_DST_ALPHA,
    BLEND_CONSTANT_COLOR,
    BLEND_ONE_MINUS_CONSTANT_COLOR,
    BLEND_CONSTANT_ALPHA,
    BLEND_ONE_MINUS_CONSTANT_ALPHA,
    BLEND_SRC_ALPHA_SATURATE,
    BLEND_SRC1_COLOR,
    BLEND_ONE_MINUS_SRC1_COLOR,
    BLEND_SRC1_ALPHA,
    BLEND_ONE_MINUS_SRC1_ALPHA
};

enum blend_op { BLEND_ADD, BLEND_SUBTRACT, BLEND_REVERSE_SUBTRACT, BLEND_MIN, BLEND_MAX };

enum logic_op {
    LOGIC_CLEAR,
    LOGIC_AND,
    LOGIC_AND_REVERSE,
    LOGIC_COPY,
    LOGIC_AND_INVERTED,
    LOGIC_NO_OP,
    LOGIC_XOR,
    LOGIC_OR,
    LOGIC_NOR,
    LOGIC_EQUIVALENT,
    LOGIC_INVERT,
    LOGIC_OR_REVERSE,
    LOGIC_COPY_INVERTED,
    LOGIC_OR_INVERTED,
    LOGIC_NAND,
    LOGIC_SET
};

/* One colour target. Blending has no effect on integer formats (Vulkan forbids it there). Blending is in f32: a
 * destination that is not floating is decoded first (srgb to linear), source and constant are clamped to the format's
 * range for unorm and snorm, each operation is rounded once, and the result is encoded like any colour. */
struct blend_target {
    bool blend;
    uint8_t color_src, color_dst, color_op; /* enum blend_factor, blend_op */
    uint8_t alpha_src, alpha_dst, alpha_op;
    uint8_t keep; /* components that are not written: bit 0 is red; the complement of a write mask */
};

/* ---- everything together ---- */

struct target_state {
    bool stencil_test;
    struct stencil_face front, back;
    bool depth_bounds; /* discard where the stored depth is outside low..high */
    float bounds_low, bounds_high;

    struct blend_target blend[8]; /* PIPELINE_COLORS */
    float blend_constant[4];
    bool logic; /* instead of blending, on unorm, snorm and integer formats; floats and srgb are written plainly */
    enum logic_op logic_op;

    bool alpha_to_coverage; /* by the alpha of COLOR[0] */
    float min_sample_shading; /* fraction of samples to shade apart, 0..1; programs may ask for more */
    bool has_sample_mask;
    uint32_t sample_mask;
};

/* ---- clearing and resolving, outside of draws ---- */

/* What a colour is before it becomes a pixel: f32, or 32-bit integers for integer formats. */
union target_color {
    float f[4];
    uint32_t u[4];
    int32_t i[4];
};

/* Fill all layers and samples inside `area`, which is inside the surface. */
struct target_rect {
    uint32_t x, y, width, height;
};
void surface_clear_color(const struct surface *s, struct target_rect area, const union target_color *color);
void surface_clear_depth_stencil(const struct surface *s, struct target_rect area, bool depth, float depth_value,
                                 bool stencil, uint8_t stencil_value);

/* Average of the samples of each pixel (in linear for srgb; f32 sums in the order of the samples); sample 0 for
 * integer, depth and stencil formats. The surfaces have one format, size and number of layers; `to` is
 * single-sampled. */
void surface_resolve(const struct surface *from, const struct surface *to);

/* Where sample s of `samples` is in its pixel, in sixteenths (Vulkan's standard sample locations). */
struct sample_position {
    uint8_t x, y;
};
const struct sample_position *sample_positions(uint32_t samples);

#endif
