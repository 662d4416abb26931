/* multisample.h - samples of pixels: where they are, coverage as rows, alpha to coverage. */
#ifndef WEFT_DEVICE_MULTISAMPLE_H
#define WEFT_DEVICE_MULTISAMPLE_H

#include "device/targets.h"
#include "exec/exec.h"

/* Distance of a sample from the pixel's centre, in pixels. */
void sample_distance(uint32_t samples, uint32_t sample, float distance[2]);

/* A plane at the pixels of a block, `distance` from their centres, held to low..high. */
void plane_at(const struct exec_plane *p, int32_t x, int32_t y, const float distance[2], float low, float high,
              float z[BLOCK_LANES]);

/* Where inputs of location CENTROID are evaluated, as distances from the centre: the centre where it is covered by
 * all samples (or by none: helpers), else the covered sample with the lowest number. */
void centroid_rows(const lane_mask cover[TARGET_MAX_SAMPLES], uint32_t samples, float *const rows[2]);

/* The samples of each pixel as numbers, and back. */
void mask_rows(const lane_mask cover[TARGET_MAX_SAMPLES], uint32_t samples, uint32_t row[BLOCK_LANES]);
void limit_cover(lane_mask cover[TARGET_MAX_SAMPLES], uint32_t samples, const uint32_t row[BLOCK_LANES]);

/* Keep the first floor(alpha * samples + 0.5) samples. */
void alpha_to_coverage(lane_mask cover[TARGET_MAX_SAMPLES], uint32_t samples, const float alpha[BLOCK_LANES]);

#endif
