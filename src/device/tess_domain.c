/* tess_domain.c - points and primitives of triangles, quads and isolines. */
#include "device/pipeline.h"
#include "device/tess.h"

#include <math.h>
#include <stdlib.h>

/* An edge from 0 to 1 in n segments. t[i] and t[n - i] have the sum 1, so that neighbours agree from either end. */
struct division {
    unsigned n;
    double t[TESS_MAX_LEVEL + 1];
};

static struct division divide(double level, unsigned spacing)
{
    struct division d = {.n = 1};
    double low = spacing == IR_SPACING_FRACTIONAL_EVEN ? 2 : 1;
    double high = spacing == IR_SPACING_FRACTIONAL_ODD ? TESS_MAX_LEVEL - 1 : TESS_MAX_LEVEL;
    level = level > low ? level < high ? level : high : low;
    unsigned n = (unsigned)ceil(level);
    bool odd = n & 1;
    if ((spacing == IR_SPACING_FRACTIONAL_ODD && !odd) || (spacing == IR_SPACING_FRACTIONAL_EVEN && odd))
        n++;
    if (spacing == IR_SPACING_EQUAL)
        level = n;
    d.n = n;
    /* n - 2 segments of 1 / level, and the rest at both ends. */
    double first = n > 1 ? (1 - (n - 2) / level) / 2 : 1;
    for (unsigned i = 0; i <= n / 2; i++) {
        d.t[i] = i == 0 ? 0 : 2 * i == n ? 0.5 : first + (i - 1) / level;
        d.t[n - i] = 1 - d.t[i];
    }
    return d;
}

/* Inside levels of 1 beside others that are more count as just above 1. */
static struct division divide_more(double level, unsigned spacing)
{
    return divide(level > 1 ? level : 1 + 1.0 / (1 << 20), spacing);
}

static uint32_t add_point(struct tess_domain *d, double u, double v, double w)
{
    if (!GROW(d->points, d->points_cap, d->npoints, 1))
        return UINT32_MAX;
    d->points[d->npoints] = (struct tess_point){{(float)u, (float)v, (float)w}};
    return (uint32_t)d->npoints++;
}

/* A triangle, turned so that it is counter-clockwise in (u, v), or clockwise. */
static bool add_triangle_of(struct tess_domain *d, bool cw, uint32_t a, uint32_t b, uint32_t c)
{
    if (a == UINT32_MAX || b == UINT32_MAX || c == UINT32_MAX || !GROW(d->indices, d->indices_cap, d->nindices, 3))
        return false;
    const float *p = d->points[a].at, *q = d->points[b].at, *r = d->points[c].at;
    double area = ((double)q[0] - p[0]) * ((double)r[1] - p[1]) - ((double)q[1] - p[1]) * ((double)r[0] - p[0]);
    bool turn = cw ? area > 0 : area < 0;
    d->indices[d->nindices++] = a;
    d->indices[d->nindices++] = turn ? c : b;
    d->indices[d->nindices++] = turn ? b : c;
    return true;
}

/* Points along a side, and where they are on it. */
struct side {
    unsigned n; /* segments */
    uint32_t point[TESS_MAX_LEVEL + 1];
    double t[TESS_MAX_LEVEL + 1];
};

/* Triangles between two sides that run alongside. */
static bool join_sides(struct tess_domain *d, bool cw, const struct side *a, const struct side *b)
{
    unsigned i = 0, j = 0;
    while (i < a->n || j < b->n) {
        bool outer = j == b->n || (i < a->n && a->t[i] + a->t[i + 1] <= b->t[j] + b->t[j + 1]);
        uint32_t next = outer ? a->point[i + 1] : b->point[j + 1];
        if (!add_triangle_of(d, cw, a->point[i], next, b->point[j]))
            return false;
        i += outer;
        j += !outer;
    }
    return true;
}

/* ---- triangles ---- */

/* A ring of points around the centre, side by side: from corner s (that of coordinate s) to the next. */
static void make_ring(struct tess_domain *d, const struct division *side, double corner, unsigned first,
                      const unsigned *last, struct side ring[3])
{
    for (unsigned s = 0; s < 3; s++) {
        double from = side[s].t[first], length = 1 - 2 * from;
        ring[s].n = last[s] - first;
        for (unsigned j = first; j <= last[s]; j++) {
            double g = length > 0 ? (side[s].t[j] - from) / length : 0, at[3];
            at[s] = (1 - 2 * corner) * (1 - g) + corner * g;
            at[(s + 1) % 3] = corner * (1 - g) + (1 - 2 * corner) * g;
            at[(s + 2) % 3] = corner;
            ring[s].t[j - first] = side[s].t[j];
            if (j < last[s])
                ring[s].point[j - first] = add_point(d, at[0], at[1], at[2]);
        }
    }
    for (unsigned s = 0; s < 3; s++)
        ring[s].point[ring[s].n] = ring[(s + 1) % 3].point[0];
}

static bool divide_triangle(struct tess_domain *d, const struct ir_io *io, const float outer[4], const float inner[2])
{
    struct division edge[3], in = divide((double)inner[0], io->tes_spacing);
    unsigned last[3];
    for (unsigned s = 0; s < 3; s++) { /* from corner s to the next: the third coordinate is 0 */
        edge[s] = divide((double)outer[(s + 2) % 3], io->tes_spacing);
        last[s] = edge[s].n;
    }
    bool whole = in.n == 1 && edge[0].n == 1 && edge[1].n == 1 && edge[2].n == 1;
    if (in.n == 1 && !whole)
        in = divide_more((double)inner[0], io->tes_spacing);
    struct side rings[2][3];
    make_ring(d, edge, 0, 0, last, rings[0]);
    const struct division same[3] = {in, in, in};
    unsigned k = 0;
    for (; 2 * (k + 1) <= in.n; k++) {
        struct side *from = rings[k & 1], *to = rings[!(k & 1)];
        unsigned first = k + 1, end = in.n - first;
        /* Lines square to the sides through the k-th points meet two thirds of the way in. */
        if (first == end) {
            uint32_t centre = add_point(d, 1.0 / 3, 1.0 / 3, 1.0 / 3);
            for (unsigned s = 0; s < 3; s++)
                to[s] = (struct side){.n = 0, .point = {centre}, .t = {0.5}};
        } else {
            make_ring(d, same, in.t[first] * 2 / 3, first, (const unsigned[]){end, end, end}, to);
        }
        for (unsigned s = 0; s < 3; s++)
            if (!join_sides(d, io->tes_cw, &from[s], &to[s]))
                return false;
    }
    const struct side *innermost = rings[k & 1];
    return in.n % 2 == 0 ||
           add_triangle_of(d, io->tes_cw, innermost[0].point[0], innermost[1].point[0], innermost[2].point[0]);
}

/* ---- quads ---- */

static double along(const struct division *d, unsigned i, bool back)
{
    return back ? 1 - d->t[i] : d->t[i];
}

/* The four outer sides, around from (0, 0) by (1, 0). */
static void make_frame(struct tess_domain *d, const struct division edge[4], struct side frame[4])
{
    for (unsigned s = 0; s < 4; s++) {
        frame[s].n = edge[s].n;
        for (unsigned j = 0; j <= edge[s].n; j++) {
            double t = edge[s].t[j], u = s == 0 ? t : s == 1 ? 1 : s == 2 ? 1 - t : 0;
            double v = s == 0 ? 0 : s == 1 ? t : s == 2 ? 1 : 1 - t;
            frame[s].t[j] = t;
            if (j < edge[s].n)
                frame[s].point[j] = add_point(d, u, v, 0);
        }
    }
    for (unsigned s = 0; s < 4; s++)
        frame[s].point[frame[s].n] = frame[(s + 1) % 4].point[0];
}

/* The side of the inner grid, whose point (1, 1) is `first`, that runs alongside outer side s. */
static void grid_side(const struct division *u, const struct division *v, uint32_t first, unsigned s, struct side *to)
{
    const struct division *d = s % 2 ? v : u;
    bool back = s >= 2;
    to->n = d->n - 2;
    for (unsigned k = 0; k <= to->n; k++) {
        unsigned i = back ? d->n - 1 - k : k + 1; /* along d */
        unsigned x = s % 2 ? (s == 1 ? u->n - 1 : 1) : i, y = s % 2 ? i : (s == 0 ? 1 : v->n - 1);
        to->point[k] = first + (y - 1) * (u->n - 1) + (x - 1);
        to->t[k] = along(d, i, back);
    }
}

static bool divide_quad(struct tess_domain *d, const struct ir_io *io, const float outer[4], const float inner[2])
{
    struct division edge[4], u = divide((double)inner[0], io->tes_spacing),
                             v = divide((double)inner[1], io->tes_spacing);
    bool whole = u.n == 1 && v.n == 1;
    for (unsigned s = 0; s < 4; s++) { /* outer levels: u = 0, v = 0, u = 1, v = 1 */
        edge[s] = divide((double)outer[(s + 1) % 4], io->tes_spacing);
        whole &= edge[s].n == 1;
    }
    struct side frame[4], in;
    make_frame(d, edge, frame);
    if (whole)
        return add_triangle_of(d, io->tes_cw, frame[0].point[0], frame[1].point[0], frame[2].point[0]) &&
               add_triangle_of(d, io->tes_cw, frame[0].point[0], frame[2].point[0], frame[3].point[0]);
    if (u.n == 1)
        u = divide_more((double)inner[0], io->tes_spacing);
    if (v.n == 1)
        v = divide_more((double)inner[1], io->tes_spacing);
    uint32_t first = (uint32_t)d->npoints;
    for (unsigned y = 1; y < v.n; y++)
        for (unsigned x = 1; x < u.n; x++)
            if (add_point(d, u.t[x], v.t[y], 0) == UINT32_MAX)
                return false;
    for (unsigned s = 0; s < 4; s++) {
        grid_side(&u, &v, first, s, &in);
        if (!join_sides(d, io->tes_cw, &frame[s], &in))
            return false;
    }
    for (unsigned y = 1; y + 1 < v.n; y++)
        for (unsigned x = 1; x + 1 < u.n; x++) {
            uint32_t a = first + (y - 1) * (u.n - 1) + (x - 1), b = a + u.n - 1;
            if (!add_triangle_of(d, io->tes_cw, a, a + 1, b + 1) || !add_triangle_of(d, io->tes_cw, a, b + 1, b))
                return false;
        }
    return true;
}

/* ---- isolines ---- */

static bool divide_lines(struct tess_domain *d, const struct ir_io *io, const float outer[4])
{
    struct division lines = divide((double)outer[0], IR_SPACING_EQUAL),
                    along_u = divide((double)outer[1], io->tes_spacing);
    for (unsigned y = 0; y < lines.n; y++)
        for (unsigned x = 0; x <= along_u.n; x++) {
            uint32_t point = add_point(d, along_u.t[x], lines.t[y], 0);
            if (point == UINT32_MAX || !GROW(d->indices, d->indices_cap, d->nindices, 2))
                return false;
            if (x) {
                d->indices[d->nindices++] = point - 1;
                d->indices[d->nindices++] = point;
            }
        }
    return true;
}

/* ---- any of them ---- */

static bool list_points(struct tess_domain *d)
{
    d->nindices = 0;
    d->corners = 1;
    if (!GROW(d->indices, d->indices_cap, 0, d->npoints))
        return false;
    for (uint32_t i = 0; i < d->npoints; i++)
        d->indices[d->nindices++] = i;
    return true;
}

bool tess_divide(struct tess_domain *d, const struct ir_io *io, const float outer[4], const float inner[2])
{
    bool lines = io->tes_mode == IR_PRIM_LINES, quads = io->tes_mode == IR_PRIM_QUADS, ok;
    unsigned edges = lines ? 2 : quads ? 4 : 3;
    d->npoints = d->nindices = 0;
    d->corners = lines ? 2 : 3;
    for (unsigned i = 0; i < edges; i++)
        if (!(outer[i] > 0))
            return true;
    if (lines)
        ok = divide_lines(d, io, outer);
    else
        ok = quads ? divide_quad(d, io, outer, inner) : divide_triangle(d, io, outer, inner);
    return ok && (!io->tes_points || list_points(d));
}

void tess_domain_free(struct tess_domain *d)
{
    free(d->points);
    free(d->indices);
    *d = (struct tess_domain){0};
}
