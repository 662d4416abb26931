/* raster_window.c - a small triangle in a tile: as one window of 8x8 pixels, instead of up to four blocks. */
#include "device/raster.h"

static bool is_inside(const struct rect *r, const struct rect *of)
{
    return r->x0 >= of->x0 && r->y0 >= of->y0 && r->x1 <= of->x1 && r->y1 <= of->y1;
}

bool raster_window(const struct triangle *t, const struct rect *tile, const struct device_kernels *kernels,
                   struct fragment_stage *s, const struct shading *shading, const struct exec_plane *planes)
{
    const int32_t x = t->bounds.x0 & ~1, y = t->bounds.y0 & ~1;
    struct block_edge edge[3];
    if (!t->small || !is_inside(&t->bounds, tile))
        return false;
    for (unsigned i = 0; i < 3; i++) /* below 2^20, as far as the window goes */
        edge[i] = (struct block_edge){(int32_t)edge_at(&t->edge[i], x, y), t->edge[i].a, t->edge[i].b};
    lane_mask mask = kernels->cover(edge, 3);
    if (mask)
        fragment_window(s, shading, planes, x, y, mask);
    return true;
}
