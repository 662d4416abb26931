/* clip.c - cutting triangles where they leave what can be rasterised.
 *
 * The left, right, top and bottom of the view are no clip planes: the scissor takes care of them. A triangle is cut
 * only by the near and the far plane and by a guard band far outside, so planes of attributes, which come from the
 * whole triangle, never change. */
#include "device/pipeline.h"

enum { CLIP_PLANES = 6 };

/* Distance from a plane, positive inside. */
static double distance(const struct clip_point *p, unsigned plane, bool half_z)
{
    switch (plane) {
    case 0:
        return half_z ? p->z : p->w + p->z;
    case 1:
        return p->w - p->z;
    case 2:
        return p->x + CLIP_GUARD * p->w;
    case 3:
        return CLIP_GUARD * p->w - p->x;
    case 4:
        return p->y + CLIP_GUARD * p->w;
    default:
        return CLIP_GUARD * p->w - p->y;
    }
}

/* The point on the plane between one inside and one outside it. Always computed from the inside one, so that two
 * triangles that share the edge get the same point. */
static struct clip_point between(const struct clip_point *in, double d_in, const struct clip_point *out, double d_out)
{
    double t = d_in / (d_in - d_out);
    return (struct clip_point){in->x + t * (out->x - in->x), in->y + t * (out->y - in->y), in->z + t * (out->z - in->z),
                               in->w + t * (out->w - in->w)};
}

static unsigned clip_plane(const struct clip_point *in, unsigned count, unsigned plane, bool half_z,
                           struct clip_point *out)
{
    unsigned n = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct clip_point *a = &in[i], *b = &in[(i + 1) % count];
        double da = distance(a, plane, half_z), db = distance(b, plane, half_z);
        if (da >= 0)
            out[n++] = *a;
        if (da >= 0 && db < 0)
            out[n++] = between(a, da, b, db);
        else if (da < 0 && db >= 0)
            out[n++] = between(b, db, a, da);
    }
    return n;
}

unsigned clip_triangle(const struct clip_point in[3], bool half_z, struct clip_point out[CLIP_MAX_POINTS])
{
    unsigned crossed = 0;
    for (unsigned plane = 0; plane < CLIP_PLANES; plane++) {
        unsigned outside = 0;
        for (unsigned i = 0; i < 3; i++)
            outside += distance(&in[i], plane, half_z) < 0;
        if (outside == 3)
            return 0;
        crossed |= (outside > 0) << plane;
    }
    struct clip_point buffer[2][CLIP_MAX_POINTS];
    unsigned count = 3, from = 0;
    for (unsigned i = 0; i < 3; i++)
        buffer[0][i] = in[i];
    for (unsigned plane = 0; plane < CLIP_PLANES && count >= 3; plane++)
        if (crossed >> plane & 1) {
            count = clip_plane(buffer[from], count, plane, half_z, buffer[!from]);
            from = !from;
        }
    if (count < 3)
        return 0;
    for (unsigned i = 0; i < count; i++) {
        if (!(buffer[from][i].w > 0)) /* only at the eye itself */
            return 0;
        out[i] = buffer[from][i];
    }
    return count;
}
