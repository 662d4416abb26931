/* mesh_teapot.c - a teapot of our own: a turned body with lid, a spout and a handle, all from cubic Bezier curves. */
#include "device/mesh.h"

#include <math.h>

struct point2 {
    double x, y;
};

static struct point2 bezier(const struct point2 c[4], double t)
{
    double s = 1 - t, b0 = s * s * s, b1 = 3 * s * s * t, b2 = 3 * s * t * t, b3 = t * t * t;
    return (struct point2){b0 * c[0].x + b1 * c[1].x + b2 * c[2].x + b3 * c[3].x,
                           b0 * c[0].y + b1 * c[1].y + b2 * c[2].y + b3 * c[3].y};
}

static struct point2 bezier_slope(const struct point2 c[4], double t)
{
    double s = 1 - t, b0 = 3 * s * s, b1 = 6 * s * t, b2 = 3 * t * t;
    return (struct point2){b0 * (c[1].x - c[0].x) + b1 * (c[2].x - c[1].x) + b2 * (c[3].x - c[2].x),
                           b0 * (c[1].y - c[0].y) + b1 * (c[2].y - c[1].y) + b2 * (c[3].y - c[2].y)};
}

/* A profile turned about the y axis: x is the radius. v follows the profile upwards, u begins at the back. */
static struct mesh_point turned_at(const void *shape, double u, double v)
{
    const struct point2 *profile = shape;
    struct point2 p = bezier(profile, v), slope = bezier_slope(profile, v);
    double angle = (2 * u - 1) * 3.14159265358979323846, s = sin(angle), c = cos(angle);
    return (struct mesh_point){{p.x * s, p.y, p.x * c}, {slope.y * s, -slope.x, slope.y * c}};
}

/* A round tube along a path in the plane z = 0, from one radius to another. */
struct tube {
    struct point2 path[4];
    double radius[2];
};

static struct mesh_point tube_at(const void *shape, double u, double v)
{
    const struct tube *t = shape;
    struct point2 p = bezier(t->path, v), slope = bezier_slope(t->path, v);
    double length = hypot(slope.x, slope.y), nx = -slope.y / length, ny = slope.x / length;
    double radius = t->radius[0] + (t->radius[1] - t->radius[0]) * v * v;
    double angle = (2 * u - 1) * 3.14159265358979323846, s = sin(angle), c = cos(angle);
    return (struct mesh_point){{p.x + radius * c * nx, p.y + radius * c * ny, radius * s}, {c * nx, c * ny, s}};
}

bool mesh_add_teapot(struct mesh *m)
{
    static const struct point2 profiles[][4] = {
        {{0.00, -0.55}, {0.20, -0.55}, {0.30, -0.55}, {0.38, -0.53}}, /* foot */
        {{0.38, -0.53}, {0.68, -0.40}, {0.76, 0.02}, {0.42, 0.30}},   /* body */
        {{0.42, 0.30}, {0.41, 0.34}, {0.38, 0.34}, {0.37, 0.31}},     /* rim */
        {{0.37, 0.31}, {0.30, 0.42}, {0.08, 0.40}, {0.06, 0.46}},     /* lid */
        {{0.06, 0.46}, {0.02, 0.50}, {0.15, 0.59}, {0.00, 0.60}},     /* knob */
    };
    static const struct tube spout = {{{0.48, -0.25}, {0.85, -0.20}, {0.66, 0.20}, {0.98, 0.30}}, {0.16, 0.055}};
    static const struct tube handle = {{{-0.50, 0.20}, {-1.10, 0.45}, {-1.10, -0.30}, {-0.56, -0.30}}, {0.055, 0.055}};
    bool ok = true;
    for (unsigned i = 0; ok && i < sizeof profiles / sizeof *profiles; i++)
        ok = mesh_add_surface(m, i == 1 ? 24 : 8, 64, turned_at, profiles[i]);
    return ok && mesh_add_surface(m, 24, 24, tube_at, &spout) && mesh_add_surface(m, 24, 24, tube_at, &handle);
}
