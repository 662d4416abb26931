/* multisample.c - sample positions and coverage. */
#include "device/multisample.h"

/* "Multisampling" in Vulkan's chapter "Rasterization": standard sample locations. */
static const struct sample_position positions1[] = {{8, 8}};
static const struct sample_position positions2[] = {{12, 12}, {4, 4}};
static const struct sample_position positions4[] = {{6, 2}, {14, 6}, {2, 10}, {10, 14}};
static const struct sample_position positions8[] = {{9, 5},  {7, 11}, {13, 9},  {5, 3},
                                                    {3, 13}, {1, 7},  {11, 15}, {15, 1}};

const struct sample_position *sample_positions(uint32_t samples)
{
    switch (samples) {
    case 0:
    case 1:
        return positions1;
    case 2:
        return positions2;
    case 4:
        return positions4;
    case 8:
        return positions8;
    default:
        return NULL;
    }
}

void sample_distance(uint32_t samples, uint32_t sample, float distance[2])
{
    struct sample_position at = sample_positions(samples)[sample];
    distance[0] = ((float)at.x - 8.0f) / 16.0f;
    distance[1] = ((float)at.y - 8.0f) / 16.0f;
}

void plane_at(const struct exec_plane *p, int32_t x, int32_t y, const float distance[2], float low, float high,
              float z[BLOCK_LANES])
{
    for (unsigned i = 0; i < BLOCK_LANES; i++) {
        float px = (float)(x + (int32_t)lane_x(i)) + distance[0], py = (float)(y + (int32_t)lane_y(i)) + distance[1];
        float v = (p->a0 + p->dx * px) + p->dy * py;
        v = v > low ? v : low;
        z[i] = v < high ? v : high;
    }
}

void centroid_rows(const lane_mask cover[TARGET_MAX_SAMPLES], uint32_t samples, float *const rows[2])
{
    lane_mask all = ~(lane_mask)0, left = 0;
    for (unsigned i = 0; i < BLOCK_LANES; i++)
        rows[0][i] = rows[1][i] = 0.0f;
    for (uint32_t s = 0; s < samples; s++) {
        all &= cover[s];
        left |= cover[s];
    }
    left &= ~all;
    for (uint32_t s = 0; s < samples && left; s++) {
        float distance[2];
        sample_distance(samples, s, distance);
        for (lane_mask m = left & cover[s]; m; m &= m - 1) {
            unsigned i = (unsigned)__builtin_ctzll(m);
            rows[0][i] = distance[0];
            rows[1][i] = distance[1];
        }
        left &= ~cover[s];
    }
}

void mask_rows(const lane_mask cover[TARGET_MAX_SAMPLES], uint32_t samples, uint32_t row[BLOCK_LANES])
{
    for (unsigned i = 0; i < BLOCK_LANES; i++) {
        row[i] = 0;
        for (uint32_t s = 0; s < samples; s++)
            row[i] |= (uint32_t)(cover[s] >> i & 1) << s;
    }
}

void limit_cover(lane_mask cover[TARGET_MAX_SAMPLES], uint32_t samples, const uint32_t row[BLOCK_LANES])
{
    for (uint32_t s = 0; s < samples; s++)
        for (lane_mask m = cover[s]; m; m &= m - 1) {
            unsigned i = (unsigned)__builtin_ctzll(m);
            if (!(row[i] >> s & 1))
                cover[s] &= ~((lane_mask)1 << i);
        }
}

void alpha_to_coverage(lane_mask cover[TARGET_MAX_SAMPLES], uint32_t samples, const float alpha[BLOCK_LANES])
{
    uint32_t row[BLOCK_LANES];
    for (unsigned i = 0; i < BLOCK_LANES; i++) {
        float a = alpha[i] > 0.0f ? alpha[i] : 0.0f;
        uint32_t count = (uint32_t)((a < 1.0f ? a : 1.0f) * (float)samples + 0.5f);
        row[i] = (1u << count) - 1;
    }
    limit_cover(cover, samples, row);
}
