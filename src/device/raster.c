/* raster.c - which pixels of a tile a triangle covers.
 *
 * Edges are tested against the tile, then against each 8x8 block, both by the corner where the edge's value is largest
 * and the one where it is smallest; only edges that cross a block are evaluated in its pixels, in 32 bits: inside a
 * block that an edge crosses, |value| is below 7 * (|a| + |b|) < 2^29, as coordinates stay within the guard band
 * (clip.c). */
#include "device/raster.h"

/* An edge that crosses the tile, and what moves it through the blocks. */
struct crossing {
    int64_t row, value, rise, fall;
    int32_t a, b;
};

void raster_triangle(const struct triangle *t, const struct rect *tile, const struct rect *scissor,
                     const struct device_kernels *kernels, struct fragment_stage *s, const struct shading *shading,
                     const struct exec_plane *planes)
{
    struct rect inside = raster_limits(t, scissor);
    struct rect blocks = touched_blocks(t, tile);
    int32_t x0 = blocks.x0, y0 = blocks.y0, x1 = blocks.x1, y1 = blocks.y1;

    struct crossing cross[3];
    unsigned n = 0;
    for (unsigned i = 0; i < 3; i++) {
        const struct edge *e = &t->edge[i];
        int64_t corner = edge_at(e, tile->x0, tile->y0);
        if (corner + rise(e, PIPELINE_TILE) < 0)
            return;
        if (corner + fall(e, PIPELINE_TILE) < 0)
            cross[n++] = (struct crossing){.row = edge_at(e, x0, y0),
                                           .rise = rise(e, BLOCK_SIZE),
                                           .fall = fall(e, BLOCK_SIZE),
                                           .a = e->a,
                                           .b = e->b};
    }
    for (int32_t y = y0; y < y1; y += BLOCK_SIZE) {
        for (unsigned k = 0; k < n; k++)
            cross[k].value = cross[k].row;
        for (int32_t x = x0; x < x1; x += BLOCK_SIZE) {
            struct block_edge partial[3];
            unsigned count = 0;
            bool outside = false;
            for (unsigned k = 0; k < n; k++) {
                struct crossing *c = &cross[k];
                outside |= c->value + c->rise < 0;
                if (c->value + c->fall < 0)
                    partial[count++] = (struct block_edge){(int32_t)c->value, c->a, c->b};
                c->value += (int64_t)c->a * BLOCK_SIZE;
            }
            if (outside)
                continue;
            lane_mask mask = rect_mask(&inside, x, y);
            if (count)
                mask &= kernels->cover(partial, count);
            if (mask)
                fragment_block(s, shading, planes, x, y, mask);
        }
        for (unsigned k = 0; k < n; k++)
            cross[k].row += (int64_t)cross[k].b * BLOCK_SIZE;
    }
}
