/* clip.c - cutting primitives where they leave what can be rasterised.
 *
 * The left, right, top and bottom of the view are not clip planes: the scissor takes care of them. A triangle is cut
 * only by the near and the far plane and by a guard band far outside, so planes of attributes, which come from the
 * whole triangle, never change. */
#include "device/primitive.h"

enum { CLIP_PLANES = 6, CLIP_FAR_PLANES = 2 };

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
                               in->w + t * (out->w - in->w), false};
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
        if (da >= 0 && db < 0) {
            out[n++] = between(a, da, b, db);
        } else if (da < 0 && db >= 0) {
            out[n] = between(b, db, a, da);
            out[n++].cut = a->cut;
        }
    }
    return n;
}

/* Planes that a point is outside of. */
static unsigned outside_of(const struct clip_point *p, bool half_z, bool depth_clamp)
{
    unsigned outside = 0;
    for (unsigned plane = depth_clamp ? CLIP_FAR_PLANES : 0; plane < CLIP_PLANES; plane++)
        outside |= (unsigned)(distance(p, plane, half_z) < 0) << plane;
    return outside;
}

bool clip_inside(const struct clip_point *p, bool half_z, bool depth_clamp)
{
    return p->w > 0 && !outside_of(p, half_z, depth_clamp);
}

unsigned clip_polygon(const struct clip_point *in, unsigned count, bool half_z, bool depth_clamp,
                      struct clip_point out[CLIP_MAX_POINTS])
{
    unsigned some = 0, all = ~0u;
    for (unsigned i = 0; i < count; i++) {
        unsigned outside = outside_of(&in[i], half_z, depth_clamp);
        some |= outside;
        all &= outside;
    }
    if (all)
        return 0;
    struct clip_point buffer[2][CLIP_MAX_POINTS];
    unsigned from = 0;
    for (unsigned i = 0; i < count; i++)
        buffer[0][i] = in[i];
    for (unsigned plane = 0; plane < CLIP_PLANES && count >= 3; plane++)
        if (some >> plane & 1) {
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

/* ---- clip and cull distances ---- */

/* A distance of a vertex; NaN is outside. */
static double distance_at(const struct setup *s, uint32_t vertex, struct component c)
{
    double d = vertex_value(s->v, vertex, c.slot, c.component);
    return d == d ? d : -1;
}

bool read_distances(const struct setup *s, const uint32_t *vertex, unsigned n, struct distances *d)
{
    const struct outlet *o = s->outlet;
    d->count = 0;
    for (unsigned k = 0; k < o->culls; k++) {
        unsigned outside = 0;
        for (unsigned i = 0; i < n; i++)
            outside += distance_at(s, vertex[i], o->cull[k]) < 0;
        if (outside == n)
            return false;
    }
    for (unsigned k = 0; k < o->clips; k++) {
        unsigned outside = 0;
        for (unsigned i = 0; i < n; i++) {
            double at = distance_at(s, vertex[i], o->clip[k]);
            d->at[i][d->count] = at;
            outside += at < 0;
        }
        if (outside == n)
            return false;
        d->count += outside > 0; /* the others cut nothing */
    }
    return true;
}

/* A point with its distances. */
struct distant {
    struct clip_point point;
    double at[MAX_DISTANCES];
};

static struct distant meet(const struct distant *in, const struct distant *out, unsigned plane, unsigned count)
{
    double t = in->at[plane] / (in->at[plane] - out->at[plane]);
    struct distant m = {.point = between(&in->point, in->at[plane], &out->point, out->at[plane])};
    for (unsigned k = 0; k < count; k++)
        m.at[k] = in->at[k] + t * (out->at[k] - in->at[k]);
    m.at[plane] = 0;
    return m;
}

unsigned clip_distances(const struct clip_point in[3], const struct distances *d, struct clip_point *out)
{
    struct distant buffer[2][3 + MAX_DISTANCES];
    unsigned count = 3, from = 0;
    for (unsigned i = 0; i < 3; i++) {
        buffer[0][i].point = in[i];
        for (unsigned k = 0; k < d->count; k++)
            buffer[0][i].at[k] = d->at[i][k];
    }
    for (unsigned k = 0; k < d->count && count; k++) {
        const struct distant *poly = buffer[from];
        unsigned n = 0;
        for (unsigned i = 0; i < count; i++) {
            const struct distant *a = &poly[i], *b = &poly[(i + 1) % count];
            bool a_in = a->at[k] >= 0, b_in = b->at[k] >= 0;
            if (a_in)
                buffer[!from][n++] = *a;
            if (a_in != b_in) {
                buffer[!from][n] = a_in ? meet(a, b, k, d->count) : meet(b, a, k, d->count);
                buffer[!from][n++].point.cut = a_in || a->point.cut;
            }
        }
        count = n;
        from = !from;
    }
    if (count < 3)
        return 0;
    for (unsigned i = 0; i < count; i++)
        out[i] = buffer[from][i].point;
    return count;
}

/* ---- lines ---- */

/* Keep the part of t0..t1 where the line from distance a to distance b is inside. */
static bool cut(double a, double b, double *t0, double *t1)
{
    if (a < 0 && b < 0)
        return false;
    if (a < 0) {
        double t = 1 - b / (b - a);
        *t0 = t > *t0 ? t : *t0;
    } else if (b < 0) {
        double t = a / (a - b);
        *t1 = t < *t1 ? t : *t1;
    }
    return *t0 < *t1;
}

bool clip_line(const struct clip_point in[2], const struct distances *d, bool half_z, bool depth_clamp, double *t0,
               double *t1)
{
    *t0 = 0;
    *t1 = 1;
    for (unsigned k = 0; k < d->count; k++)
        if (!cut(d->at[0][k], d->at[1][k], t0, t1))
            return false;
    for (unsigned plane = depth_clamp ? CLIP_FAR_PLANES : 0; plane < CLIP_PLANES; plane++)
        if (!cut(distance(&in[0], plane, half_z), distance(&in[1], plane, half_z), t0, t1))
            return false;
    return true;
}
