/* depth_stencil.c - depth, stencil and depth bounds tests ("Fragment Operations" of Vulkan). */
#include "device/depth_stencil.h"

#include <string.h>

void depth_stencil_init(struct depth_stencil *d, const struct surface *s, const struct target_state *state,
                        bool depth_test, bool depth_write, enum compare_op depth_op,
                        const struct device_kernels *kernels)
{
    *d = (struct depth_stencil){.kernels = kernels};
    if (!s->pixels)
        return;
    d->format = s->format;
    d->stride = s->stride;
    d->depth_test = depth_test && s->format->depth;
    d->depth_write = depth_write && d->depth_test;
    d->depth_op = depth_op;
    d->stencil_test = state->stencil_test && s->format->stencil.bits;
    d->face[0] = state->back;
    d->face[1] = state->front;
    d->bounds_test = state->depth_bounds && s->format->depth;
    d->low = state->bounds_low;
    d->high = state->bounds_high;
    d->plain = d->depth_test && !d->stencil_test && !d->bounds_test && s->format->channel[0].kind == FORMAT_SFLOAT &&
               s->format->channel[0].bits == 32 && s->format->bytes == 4;
}

bool compare_values(enum compare_op op, bool less, bool equal)
{
    switch (op) {
    case COMPARE_NEVER:
        return false;
    case COMPARE_LESS:
        return less;
    case COMPARE_EQUAL:
        return equal;
    case COMPARE_LESS_EQUAL:
        return less || equal;
    case COMPARE_GREATER:
        return !less && !equal;
    case COMPARE_NOT_EQUAL:
        return !equal;
    case COMPARE_GREATER_EQUAL:
        return !less;
    case COMPARE_ALWAYS:
        return true;
    }
    return false;
}

uint8_t stencil_apply(enum stencil_op op, uint8_t stored, uint8_t reference)
{
    switch (op) {
    case STENCIL_KEEP:
        return stored;
    case STENCIL_ZERO:
        return 0;
    case STENCIL_REPLACE:
        return reference;
    case STENCIL_INCREMENT_CLAMP:
        return (uint8_t)(stored + (stored < 255));
    case STENCIL_DECREMENT_CLAMP:
        return (uint8_t)(stored - (stored > 0));
    case STENCIL_INVERT:
        return (uint8_t)~stored;
    case STENCIL_INCREMENT_WRAP:
        return (uint8_t)(stored + 1);
    case STENCIL_DECREMENT_WRAP:
        return (uint8_t)(stored - 1);
    }
    return stored;
}

/* `value` against what the pixel holds, after conversion to its format. */
static bool depth_passes(const struct depth_stencil *d, float value, const void *pixel)
{
    const struct format_channel *channel = &d->format->channel[0];
    uint8_t fresh[16] = {0};
    format_set_depth(d->format, value, fresh);
    if (channel->kind == FORMAT_UNORM) {
        uint64_t z = format_channel_get(channel, fresh), stored = format_channel_get(channel, pixel);
        return compare_values(d->depth_op, z < stored, z == stored);
    }
    float z = format_depth(d->format, fresh), stored = format_depth(d->format, pixel);
    return compare_values(d->depth_op, z < stored, z == stored);
}

static void stencil_write(const struct depth_stencil *d, const struct stencil_face *face, uint8_t op, uint8_t stored,
                          uint8_t reference, void *pixel)
{
    uint8_t value = stencil_apply((enum stencil_op)op, stored, reference);
    value = (uint8_t)((stored & ~face->write_mask) | (value & face->write_mask));
    if (value != stored)
        format_set_stencil(d->format, value, pixel);
}

/* The tests in Vulkan's order: depth bounds, stencil, depth. */
static bool test_pixel(const struct depth_stencil *d, const struct stencil_face *face, float z, uint8_t reference,
                       void *pixel)
{
    if (d->bounds_test) {
        float stored = format_depth(d->format, pixel);
        if (!(stored >= d->low && stored <= d->high))
            return false;
    }
    uint8_t stored = d->stencil_test ? format_stencil(d->format, pixel) : 0;
    if (d->stencil_test) {
        uint8_t a = reference & face->compare_mask, b = stored & face->compare_mask;
        if (!compare_values((enum compare_op)face->compare, a < b, a == b)) {
            stencil_write(d, face, face->fail, stored, reference, pixel);
            return false;
        }
    }
    bool passes = !d->depth_test || depth_passes(d, z, pixel);
    if (d->stencil_test)
        stencil_write(d, face, passes ? face->pass : face->depth_fail, stored, reference, pixel);
    if (passes && d->depth_write)
        format_set_depth(d->format, z, pixel);
    return passes;
}

lane_mask depth_stencil_test(const struct depth_stencil *d, bool front, uint8_t *pixels, const float z[BLOCK_LANES],
                             const uint32_t *reference, lane_mask mask)
{
    if (!mask || !depth_stencil_used(d))
        return mask;
    if (d->plain) {
        mask = d->kernels->depth_test(pixels, d->stride, z, d->depth_op, mask);
        if (mask && d->depth_write)
            d->kernels->depth_write(pixels, d->stride, z, mask);
        return mask;
    }
    const struct stencil_face *face = &d->face[front];
    lane_mask passed = 0;
    for (lane_mask m = mask; m; m &= m - 1) {
        unsigned i = (unsigned)__builtin_ctzll(m);
        uint8_t *pixel = pixels + lane_y(i) * d->stride + (size_t)lane_x(i) * d->format->bytes;
        uint8_t ref = reference ? (uint8_t)reference[i] : face->reference;
        if (test_pixel(d, face, z[i], ref, pixel))
            passed |= (lane_mask)1 << i;
    }
    return passed;
}
