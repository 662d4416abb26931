/* raster.c - which pixels of a tile a triangle covers.
 *
 * Edges are tested against the tile, then against each 8x8 block, both by the corner where the edge's value is largest
 * and the one where it is smallest; only edges that cross a block are evaluated in its pixels, in 32 bits: inside a
 * block that an edge crosses, |value| is below 7 * (|a| + |b|) < 2^29, as coordinates stay within the guard band
 * (clip.c). */
#include "device/pipeline.h"

/* The largest and smallest value over a square of pixels, above the one in its corner. */
static int64_t rise(const struct edge *e, int32_t size)
{
    return (int64_t)(size - 1) * ((e->a > 0 ? e->a : 0) + (int64_t)(e->b > 0 ? e->b : 0));
}

static int64_t fall(const struct edge *e, int32_t size)
{
    return (int64_t)(size - 1) * ((e->a < 0 ? e->a : 0) + (int64_t)(e->b < 0 ? e->b : 0));
}

static int64_t edge_at(const struct edge *e, int32_t x, int32_t y)
{
    return e->c + (int64_t)e->a * x + (int64_t)e->b * y;
}

/* Lanes of block (x, y) inside a rectangle. */
static lane_mask rect_mask(const struct rect *r, int32_t x, int32_t y)
{
    if (x >= r->x0 && y >= r->y0 && x + BLOCK_SIZE <= r->x1 && y + BLOCK_SIZE <= r->y1)
        return ~(lane_mask)0;
    lane_mask mask = 0;
    for (unsigned i = 0; i < BLOCK_LANES; i++) {
        int32_t px = x + (int32_t)lane_x(i), py = y + (int32_t)lane_y(i);
        if (px >= r->x0 && px < r->x1 && py >= r->y0 && py < r->y1)
            mask |= (lane_mask)1 << i;
    }
    return mask;
}

/* An edge that crosses the tile, and what moves it through the blocks. */
struct crossing {
    int64_t row, value, rise, fall;
    int32_t a, b;
};

void raster_triangle(const struct triangle *t, const struct rect *tile, const struct rect *scissor,
                     const struct device_kernels *kernels, struct fragment_stage *s, const struct shading *shading,
                     const struct exec_plane *planes)
{
    int32_t x0 = (t->bounds.x0 > tile->x0 ? t->bounds.x0 : tile->x0) & ~(BLOCK_SIZE - 1);
    int32_t y0 = (t->bounds.y0 > tile->y0 ? t->bounds.y0 : tile->y0) & ~(BLOCK_SIZE - 1);
    int32_t x1 = t->bounds.x1 < tile->x1 ? t->bounds.x1 : tile->x1,
            y1 = t->bounds.y1 < tile->y1 ? t->bounds.y1 : tile->y1;

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
            lane_mask mask = rect_mask(scissor, x, y);
            if (count)
                mask &= kernels->cover(partial, count);
            if (mask)
                fragment_block(s, shading, planes, x, y, mask);
        }
        for (unsigned k = 0; k < n; k++)
            cross[k].row += (int64_t)cross[k].b * BLOCK_SIZE;
    }
}
