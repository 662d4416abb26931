/* sample_query.h - what programs ask about textures themselves. */
#ifndef WEFT_DEVICE_SAMPLE_QUERY_H
#define WEFT_DEVICE_SAMPLE_QUERY_H

#include "device/texture.h"

/* The results of QUERY_SIZE (struct ir_texture): width, height or layers, depth, layers or cubes, levels. A level that
 * does not exist has size 0. */
void texture_size(const struct weft_texture *t, const struct ir_texture *op, int32_t level, int32_t size[4]);

/* Where a sample is in its pixel: x and y, 0 to 1, 0, 0. Zeros for a sample that does not exist. */
void texture_sample_position(const struct weft_texture *t, int32_t sample, float position[4]);

#endif
