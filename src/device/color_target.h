/* color_target.h - from the colours of a block of fragments to the pixels of a target: blending, logic operations,
 * write masks and conversion. What has to be done is chosen once per draw. */
#ifndef WEFT_DEVICE_COLOR_TARGET_H
#define WEFT_DEVICE_COLOR_TARGET_H

#include "device/blend.h"

struct color_target;

/* Store the lanes of `mask`. `pixels` is the block's place in the plane of a layer and sample; rows are of f32, or of
 * 32-bit integers for integer formats. */
typedef void color_store(const struct color_target *t, uint8_t *pixels, const float *const src[4],
                         const float *const src1[4], lane_mask mask);

struct color_target {
    color_store *store;
    const struct device_kernels *kernels;
    const struct format *format;
    size_t stride;
    uint8_t order[4]; /* of four unorm bytes: which component the lowest, second... byte holds */
    bool bytes4;      /* four unorm bytes in any order */
    bool overwrites;  /* what was there does not matter */
    struct blend_target blend;
    float constant[4];
    float low, high; /* struct blend_call */
    bool dual;
    enum logic_op logic_op;
};

/* `index`: which of the state's targets. False: the format cannot be drawn to. */
bool color_target_init(struct color_target *t, const struct surface *s, const struct target_state *state,
                       unsigned index, const struct device_kernels *kernels);

/* Whether a target's blending takes a second source, COLOR[1] of target 0. */
bool blend_is_dual(const struct blend_target *b);

/* Formats that colours can be drawn to: neither depth nor stencil, nor with a shared exponent or
 * components that are the same bits. */
bool color_format_renderable(const struct format *f);

#endif
