/* blend.h - blending of a block's colours: inner loops that are compiled once per CPU level (kernels.h). */
#ifndef WEFT_DEVICE_BLEND_H
#define WEFT_DEVICE_BLEND_H

#include "device/targets.h"

/* Rows of a block, by component. src1 is the second source of dual-source blending. */
struct blend_call {
    const struct blend_target *target;
    const float *const *src, *const *src1;
    float *const *dst; /* what the target holds, decoded */
    float *const *out; /* may not be dst */
    float constant[4];
    float low, high; /* range of a fixed-point target; equal: floats, nothing is clamped */
    bool dual;       /* src1 is there */
};

#ifdef WEFT_LEVEL
void LEVEL(blend)(const struct blend_call *call);
void LEVEL(blend_over)(uint8_t *pixels, size_t stride, const float *const rows[4], const float *alpha, unsigned ones,
                       lane_mask mask);
void LEVEL(load_bytes4)(const uint8_t *pixels, size_t stride, lane_mask mask, float *const rows[4]);
void LEVEL(load_floats4)(const uint8_t *pixels, size_t stride, lane_mask mask, float *const rows[4]);
#endif

#endif
