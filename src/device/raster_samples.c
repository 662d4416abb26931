/* raster_samples.c - which samples of the pixels of a tile a triangle covers. */
#include "device/raster.h"

/* Lanes of block (x, y) whose sample at (sx, sy), in 1/256 of a pixel from the centre, is inside the edges. */
static lane_mask sample_mask(const struct triangle *t, int32_t x, int32_t y, int32_t sx, int32_t sy,
                             const struct device_kernels *kernels)
{
    struct block_edge partial[3];
    unsigned count = 0;
    for (unsigned k = 0; k < 3; k++) {
        const struct edge *e = &t->edge[k];
        /* From pixel to pixel the exact value changes by multiples of 256. */
        int64_t corner = ((e->exact + (int64_t)e->a * sx + (int64_t)e->b * sy) >> 8) + (int64_t)e->a * x +
                         (int64_t)e->b * y;
        if (corner + rise(e, BLOCK_SIZE) < 0)
            return 0;
        if (corner + fall(e, BLOCK_SIZE) < 0)
            partial[count++] = (struct block_edge){(int32_t)corner, e->a, e->b};
    }
    return count ? kernels->cover(partial, count) : ~(lane_mask)0;
}

void raster_samples(const struct triangle *t, const struct rect *tile, const struct rect *scissor,
                    const struct device_kernels *kernels, struct fragment_stage *s, const struct shading *shading,
                    const struct exec_plane *planes)
{
    uint32_t samples = fragment_samples(s);
    const struct sample_position *at = sample_positions(samples);
    struct rect limits = raster_limits(t, scissor);
    struct rect blocks = touched_blocks(t, tile);
    for (int32_t y = blocks.y0; y < blocks.y1; y += BLOCK_SIZE)
        for (int32_t x = blocks.x0; x < blocks.x1; x += BLOCK_SIZE) {
            lane_mask cover[TARGET_MAX_SAMPLES] = {0}, inside = rect_mask(&limits, x, y), any = 0;
            for (uint32_t i = 0; inside && i < samples; i++) {
                cover[i] = inside & sample_mask(t, x, y, (at[i].x - 8) * 16, (at[i].y - 8) * 16, kernels);
                any |= cover[i];
            }
            if (any)
                fragment_block_samples(s, shading, planes, x, y, cover);
        }
}
