/* depth_stencil.h - the depth, stencil and depth bounds tests of a block, and what they write.
 *
 * A depth value is first converted to the surface's format; fixed-point formats compare codes, others floats. */
#ifndef WEFT_DEVICE_DEPTH_STENCIL_H
#define WEFT_DEVICE_DEPTH_STENCIL_H

#include "device/targets.h"

struct depth_stencil {
    const struct device_kernels *kernels;
    const struct format *format; /* NULL: there is no surface, and everything passes */
    size_t stride;
    bool depth_test, depth_write, stencil_test, bounds_test;
    bool plain; /* only a depth test, of D32_SFLOAT: the inner loops do */
    enum compare_op depth_op;
    struct stencil_face face[2]; /* back, front */
    float low, high;             /* bounds */
};

void depth_stencil_init(struct depth_stencil *d, const struct surface *s, const struct target_state *state,
                        bool depth_test, bool depth_write, enum compare_op depth_op,
                        const struct device_kernels *kernels);

/* Whether anything is tested or written. */
static inline bool depth_stencil_used(const struct depth_stencil *d)
{
    return d->depth_test || d->stencil_test || d->bounds_test;
}

/* Test the lanes of `mask` and write stencil and depth: those that pass. `pixels` is the block's place in the plane of
 * a layer and sample; `reference` is a row of stencil references that the program wrote, or NULL. */
lane_mask depth_stencil_test(const struct depth_stencil *d, bool front, uint8_t *pixels, const float z[BLOCK_LANES],
                             const uint32_t *reference, lane_mask mask);

bool compare_values(enum compare_op op, bool less, bool equal);
uint8_t stencil_apply(enum stencil_op op, uint8_t stored, uint8_t reference);

#endif
