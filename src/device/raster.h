/* raster.h - edges and rectangles of pixels, for the files that find what a triangle covers. */
#ifndef WEFT_DEVICE_RASTER_H
#define WEFT_DEVICE_RASTER_H

#include "device/pipeline.h"

/* The largest and smallest value over a square of pixels, above the one in its corner. */
static inline int64_t rise(const struct edge *e, int32_t size)
{
    return (int64_t)(size - 1) * ((e->a > 0 ? e->a : 0) + (int64_t)(e->b > 0 ? e->b : 0));
}

static inline int64_t fall(const struct edge *e, int32_t size)
{
    return (int64_t)(size - 1) * ((e->a < 0 ? e->a : 0) + (int64_t)(e->b < 0 ? e->b : 0));
}

static inline int64_t edge_at(const struct edge *e, int32_t x, int32_t y)
{
    return e->c + (int64_t)e->a * x + (int64_t)e->b * y;
}

/* Lanes of block (x, y) inside a rectangle. */
static inline lane_mask rect_mask(const struct rect *r, int32_t x, int32_t y)
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

static inline struct rect rect_intersect(const struct rect *a, const struct rect *b)
{
    return (struct rect){a->x0 > b->x0 ? a->x0 : b->x0, a->y0 > b->y0 ? a->y0 : b->y0, a->x1 < b->x1 ? a->x1 : b->x1,
                         a->y1 < b->y1 ? a->y1 : b->y1};
}

/* The blocks of a tile that a triangle may touch. */
static inline struct rect touched_blocks(const struct triangle *t, const struct rect *tile)
{
    struct rect r = rect_intersect(&t->bounds, tile);
    r.x0 &= ~(BLOCK_SIZE - 1);
    r.y0 &= ~(BLOCK_SIZE - 1);
    return r;
}

/* Pixels that a piece of a primitive may cover: a rectangle ends with its bounds, a triangle by its edges. */
static inline struct rect raster_limits(const struct triangle *t, const struct rect *scissor)
{
    return t->rectangle ? rect_intersect(scissor, &t->bounds) : *scissor;
}

#endif
