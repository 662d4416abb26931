/* setup.c - a triangle's edges and planes.
 *
 * Planes come from the homogeneous form: for vertices (X, Y, W), X and Y being window coordinates times w, a value u
 * that is linear in clip space has u / w = a x + b y + c on the screen, where a, b, c solve u_i = a X_i + b Y_i + c
 * W_i. That holds for vertices behind the eye too, so clipping never touches a plane. All in f64, rounded to f32 once.
 */
#include "device/pipeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SUBPIXEL = 256 };

bool grow(void **array, size_t *cap, size_t count, size_t more, size_t size)
{
    if (count + more <= *cap)
        return true;
    size_t want = *cap ? *cap * 2 : 64;
    while (want < count + more)
        want *= 2;
    void *bigger = realloc(*array, want * size);
    if (!bigger)
        return false;
    *array = bigger;
    *cap = want;
    return true;
}

struct viewport viewport_make(double x, double y, double width, double height, double near, double far, bool half_z)
{
    double left = width < 0 ? x + width : x, low = height < 0 ? y + height : y;
    return (struct viewport){
        .scale = {0.5 * width, 0.5 * height, half_z ? far - near : 0.5 * (far - near)},
        .translate = {x + 0.5 * width, y + 0.5 * height, half_z ? near : 0.5 * (far + near)},
        .area = {(int32_t)ceil(left - 0.5), (int32_t)ceil(low - 0.5), (int32_t)ceil(left + fabs(width) - 0.5),
                 (int32_t)ceil(low + fabs(height) - 0.5)},
        .depth_min = (float)near,
        .depth_max = (float)far,
    };
}

/* The inverse of the matrix of rows (X, Y, W): what a vertex's value adds to a, b and c. */
struct basis {
    double a[3], b[3], c[3];
};

/* False for a triangle seen edge-on. */
static bool make_basis(const struct clip_point v[3], struct basis *basis)
{
    for (unsigned i = 0; i < 3; i++) {
        const struct clip_point *j = &v[(i + 1) % 3], *k = &v[(i + 2) % 3];
        basis->a[i] = j->y * k->w - k->y * j->w;
        basis->b[i] = k->x * j->w - j->x * k->w;
        basis->c[i] = j->x * k->y - k->x * j->y;
    }
    double det = v[0].x * basis->a[0] + v[0].y * basis->b[0] + v[0].w * basis->c[0];
    if (!(fabs(det) > 0) || !isfinite(det))
        return false;
    for (unsigned i = 0; i < 3; i++) {
        basis->a[i] /= det;
        basis->b[i] /= det;
        basis->c[i] /= det;
    }
    return true;
}

/* The plane whose value / w at vertex i is u[i] / w; a0 is that of the centre of pixel (0, 0). */
static struct exec_plane make_plane(const struct basis *m, const double u[3])
{
    double a = m->a[0] * u[0] + m->a[1] * u[1] + m->a[2] * u[2];
    double b = m->b[0] * u[0] + m->b[1] * u[1] + m->b[2] * u[2];
    double c = m->c[0] * u[0] + m->c[1] * u[1] + m->c[2] * u[2];
    return (struct exec_plane){(float)(c + 0.5 * a + 0.5 * b), (float)a, (float)b};
}

/* Planes of all fragment inputs. */
static void make_planes(const struct pipeline *p, const struct vertices *v, const uint32_t vertex[3],
                        uint32_t provoking, const struct clip_point point[3], const struct basis *m,
                        struct exec_plane *planes)
{
    const struct ir_io *io = &p->fragment.ir->io;
    for (uint32_t s = 0; s < io->ninputs; s++) {
        const struct ir_slot *slot = &io->inputs[s];
        bool linear = slot->interp == IR_INTERP_LINEAR;
        for (unsigned c = 0; c < 4; c++) {
            struct exec_plane *plane = &planes[s * 4 + c];
            *plane = (struct exec_plane){c == 3 ? 1.0f : 0.0f, 0, 0};
            bool fed = p->link[s] != LINK_NONE;
            if (slot->interp == IR_INTERP_CONSTANT) {
                if (fed) /* moved as bits: it may be an integer */
                    memcpy(&plane->a0, vertex_row(v, provoking / 64, p->link[s], c) + provoking % 64, 4);
                continue;
            }
            if (!(slot->mask >> c & 1))
                continue;
            double u[3];
            for (unsigned i = 0; i < 3; i++) {
                u[i] = fed ? (double)vertex_value(v, vertex[i], p->link[s], c) : plane->a0;
                if (linear)
                    u[i] *= point[i].w;
            }
            *plane = make_plane(m, u);
        }
    }
}

/* Window coordinates in 1/256 of a pixel, nearest; half-way cases go up. */
static int32_t snap(double v)
{
    return (int32_t)floor(v * SUBPIXEL + 0.5);
}

struct point {
    int32_t x, y;
};

/* The half-plane to the left of a to b where x goes right and y up, that is, inside for a positive area. */
static struct edge make_edge(struct point a, struct point b)
{
    int32_t dx = b.x - a.x, dy = b.y - a.y;
    struct edge e = {.a = -dy, .b = dx};
    int64_t c = (int64_t)dx * (SUBPIXEL / 2 - a.y) - (int64_t)dy * (SUBPIXEL / 2 - a.x);
    /* Inside grows along (a, b): a left edge has a > 0, a top edge (row 0 is the top) is level with b > 0. On others
     * the edge itself is outside. */
    bool inclusive = e.a > 0 || (e.a == 0 && e.b > 0);
    c -= !inclusive;
    e.exact = c;
    /* Steps from pixel to pixel are multiples of 256, so the low bits never matter again. */
    e.c = c >> 8;
    return e;
}

static struct rect intersect(struct rect a, struct rect b)
{
    return (struct rect){a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0, a.x1 < b.x1 ? a.x1 : b.x1,
                         a.y1 < b.y1 ? a.y1 : b.y1};
}

static int32_t min3(int32_t a, int32_t b, int32_t c)
{
    int32_t m = a < b ? a : b;
    return m < c ? m : c;
}

static int32_t max3(int32_t a, int32_t b, int32_t c)
{
    int32_t m = a > b ? a : b;
    return m > c ? m : c;
}

static int64_t area_of(const struct point v[3])
{
    return (int64_t)(v[1].x - v[0].x) * (v[2].y - v[0].y) - (int64_t)(v[1].y - v[0].y) * (v[2].x - v[0].x);
}

/* Pixels whose centres can be inside, or any of whose samples. */
static struct rect bounds_of(const struct point v[3], bool samples)
{
    if (samples)
        return (struct rect){min3(v[0].x, v[1].x, v[2].x) >> 8, min3(v[0].y, v[1].y, v[2].y) >> 8,
                             (max3(v[0].x, v[1].x, v[2].x) >> 8) + 1, (max3(v[0].y, v[1].y, v[2].y) >> 8) + 1};
    return (struct rect){(min3(v[0].x, v[1].x, v[2].x) + 127) >> 8, (min3(v[0].y, v[1].y, v[2].y) + 127) >> 8,
                         ((max3(v[0].x, v[1].x, v[2].x) - 128) >> 8) + 1,
                         ((max3(v[0].y, v[1].y, v[2].y) - 128) >> 8) + 1};
}

/* A triangle in fixed point with the sign of its area known. False: without memory. */
static bool add_triangle(const struct pipeline *p, struct point v[3], bool positive, uint32_t shading,
                         struct batch *out)
{
    struct rect bounds = intersect(bounds_of(v, pipeline_multisampled(p)), p->scissor);
    if (bounds.x0 >= bounds.x1 || bounds.y0 >= bounds.y1)
        return true;
    if (!GROW(out->triangles, out->triangles_cap, out->ntriangles, 1))
        return false;
    struct triangle *t = &out->triangles[out->ntriangles++];
    unsigned second = positive ? 1 : 2, third = positive ? 2 : 1;
    t->edge[0] = make_edge(v[0], v[second]);
    t->edge[1] = make_edge(v[second], v[third]);
    t->edge[2] = make_edge(v[third], v[0]);
    t->bounds = bounds;
    t->shading = shading;
    return true;
}

/* The points of the triangle; false when one is not finite. */
static bool read_points(const struct pipeline *p, const struct vertices *v, const uint32_t vertex[3], uint32_t position,
                        struct clip_point point[3])
{
    for (unsigned i = 0; i < 3; i++) {
        double x = vertex_value(v, vertex[i], position, 0), y = vertex_value(v, vertex[i], position, 1);
        double z = vertex_value(v, vertex[i], position, 2), w = vertex_value(v, vertex[i], position, 3);
        if (!isfinite(x) || !isfinite(y) || !isfinite(z) || !isfinite(w))
            return false;
        point[i] =
            (struct clip_point){p->viewport[0].scale[0] * x + p->viewport[0].translate[0] * w, p->viewport[0].scale[1] * y + p->viewport[0].translate[1] * w, z, w};
    }
    return true;
}

bool setup_triangle(const struct pipeline *p, const struct vertices *v, const uint32_t vertex[3], uint32_t provoking,
                    uint32_t position, struct batch *out)
{
    struct clip_point corner[3], clipped[CLIP_MAX_POINTS];
    if (!read_points(p, v, vertex, position, corner))
        return true;
    unsigned count = clip_triangle(corner, p->half_z, clipped);
    if (!count)
        return true;

    struct point at[CLIP_MAX_POINTS];
    for (unsigned i = 0; i < count; i++)
        at[i] = (struct point){snap(clipped[i].x / clipped[i].w), snap(clipped[i].y / clipped[i].w)};
    /* The orientation is that of the largest part: parts of the other sign are artefacts of snapping. */
    int64_t largest = 0;
    for (unsigned i = 2; i < count; i++) {
        int64_t area = area_of((struct point[3]){at[0], at[i - 1], at[i]});
        if (llabs(area) > llabs(largest))
            largest = area;
    }
    struct basis basis;
    if (!largest || !make_basis(corner, &basis))
        return true;

    size_t before = out->ntriangles, inputs = (size_t)p->fragment.ir->io.ninputs * 4;
    for (unsigned i = 2; i < count; i++) {
        struct point part[3] = {at[0], at[i - 1], at[i]};
        int64_t area = area_of(part);
        if (area && (area > 0) == (largest > 0) && !add_triangle(p, part, area > 0, (uint32_t)out->nshadings, out))
            return false;
    }
    if (out->ntriangles == before)
        return true;
    if (!GROW(out->shadings, out->shadings_cap, out->nshadings, 1) ||
        !GROW(out->planes, out->planes_cap, out->nplanes, inputs))
        return false;
    struct shading *shading = &out->shadings[out->nshadings++];
    const struct viewport *view = &p->viewport[0];
    double one[3] = {1, 1, 1}, z[3];
    *shading = (struct shading){.clip = p->scissor,
                                .z_low = fminf(view->depth_min, view->depth_max),
                                .z_high = fmaxf(view->depth_min, view->depth_max)};
    for (unsigned i = 0; i < 3; i++)
        z[i] = p->viewport[0].scale[2] * corner[i].z + p->viewport[0].translate[2] * corner[i].w;
    shading->w_one = corner[0].w == 1 && corner[1].w == 1 && corner[2].w == 1;
    shading->front = (largest > 0) == p->front_positive;
    shading->w_plane = shading->w_one ? (struct exec_plane){1, 0, 0} : make_plane(&basis, one);
    shading->z_plane = make_plane(&basis, z);
    make_planes(p, v, vertex, provoking, corner, &basis, out->planes + out->nplanes);
    out->nplanes += inputs;
    return true;
}
