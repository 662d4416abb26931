/* line.c - lines: those of one pixel by the diamond-exit rule, wider and multisampled ones as rectangles.
 *
 * The rule (OpenGL 4.6, 14.5.1; Vulkan, "Bresenham Line Segment Rasterization"): a line covers the pixels whose diamond
 * |x - xc| + |y - yc| < 1/2 it leaves. Ends on a diamond's border count as moved by (-e, -e^2).
 *
 * A line that is at most as steep as 45 degrees crosses each column's centre inside one diamond, and no other
 * diamond of that column: so columns whose centres it crosses have a pixel, but for the diamond in which it ends;
 * and the column of its start has one too when it starts inside a diamond, past the centre. Steep lines are the
 * same with x and y exchanged. All of it is exact, in 1/256 of a pixel. */
#include "device/primitive.h"

#include <math.h>
#include <stdlib.h>

/* A line along its major axis, u; v is the minor one. */
struct walk {
    int64_t u0, v0, du, dv;
    bool steep; /* u is y */
};

static int64_t floor_div(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return q - ((a % b != 0) && ((a < 0) != (b < 0)));
}

/* The row whose diamond the line is in at the centre of column u. */
static int64_t row_at(const struct walk *w, int64_t u)
{
    int64_t n = w->v0 * w->du + (u * 256 + 128 - w->u0) * w->dv, d = 256 * w->du;
    int64_t row = floor_div(n, d);
    if (n % d)
        return row;
    /* Between two rows: moved by (-e, -e^2), the line is higher by e * slope - e^2 where u is x, else lower by e. */
    bool up = !w->steep && (w->dv > 0) == (w->du > 0) && w->dv != 0;
    return up ? row : row - 1;
}

/* Whether a point, moved by (-e, -e^2), is in the diamond of pixel (u, v). */
static bool in_diamond(const struct walk *w, int64_t pu, int64_t pv, int64_t u, int64_t v)
{
    int64_t du = pu - (u * 256 + 128), dv = pv - (v * 256 + 128), distance = llabs(du) + llabs(dv);
    return distance < 128 || (distance == 128 && (w->steep ? dv : du) > 0);
}

static bool add_span(const struct setup *s, const struct face *face, const struct walk *w, int64_t u0, int64_t u1,
                     int64_t v)
{
    int32_t a = (int32_t)u0, b = (int32_t)u1, c = (int32_t)v;
    return add_rectangle(s, face, w->steep ? (struct rect){c, a, c + 1, b} : (struct rect){a, c, b, c + 1});
}

/* Pixels of columns first..last (in rising order), those of one row in one piece. */
static bool add_columns(const struct setup *s, const struct face *face, const struct walk *w, int64_t first,
                        int64_t last)
{
    int64_t low = w->steep ? face->clip.y0 : face->clip.x0, high = w->steep ? face->clip.y1 : face->clip.x1;
    first = first > low ? first : low;
    last = last < high - 1 ? last : high - 1;
    for (int64_t u = first; u <= last;) {
        int64_t row = row_at(w, u), from = u;
        for (u++; u <= last && row_at(w, u) == row; u++)
            ;
        if (!add_span(s, face, w, from, u, row))
            return false;
    }
    return true;
}

static bool thin_line(const struct setup *s, const struct face *face, struct point a, struct point b)
{
    struct walk w = {a.x, a.y, (int64_t)b.x - a.x, (int64_t)b.y - a.y, false};
    if (llabs(w.dv) > llabs(w.du))
        w = (struct walk){w.v0, w.u0, w.dv, w.du, true};
    if (!w.du)
        return true;
    int64_t u1 = w.u0 + w.du, v1 = w.v0 + w.dv;
    /* Columns whose centres are crossed: from <= centre < to, the ends being moved by -e. */
    int64_t from = w.du > 0 ? w.u0 : u1, to = w.du > 0 ? u1 : w.u0;
    int64_t first = floor_div(from + 127, 256), last = floor_div(to + 127, 256) - 1;
    int64_t start = w.du > 0 ? first - 1 : last + 1, end = w.du > 0 ? last : first;
    bool starts =
        in_diamond(&w, w.u0, w.v0, start, row_at(&w, start)) && !in_diamond(&w, u1, v1, start, row_at(&w, start));
    if (last >= first && in_diamond(&w, u1, v1, end, row_at(&w, end))) {
        first += w.du < 0;
        last -= w.du > 0;
    }
    if (starts) {
        /* Beside the others, or alone. */
        if (first > last)
            first = last = start;
        else if (w.du > 0)
            first = start;
        else
            last = start;
    }
    return add_columns(s, face, &w, first, last);
}

/* Half the width to either side, ends square. `along` has the line's length. */
static bool wide_line(const struct setup *s, const struct face *face, const double at[2][2], const double along[2],
                      double width)
{
    double length = hypot(along[0], along[1]), x = -along[1] / length * width / 2, y = along[0] / length * width / 2;
    struct point corner[4];
    for (unsigned i = 0; i < 4; i++) {
        double side = i == 1 || i == 2 ? -1 : 1;
        corner[i] = (struct point){snap(at[i / 2][0] + side * x), snap(at[i / 2][1] + side * y)};
    }
    /* Around the rectangle: a + n, a - n, b - n, b + n; where x goes right and y down that is a positive area. */
    const struct point first[3] = {corner[0], corner[1], corner[2]}, second[3] = {corner[0], corner[2], corner[3]};
    int64_t area = (int64_t)(corner[1].x - corner[0].x) * (corner[2].y - corner[0].y) -
                   (int64_t)(corner[1].y - corner[0].y) * (corner[2].x - corner[0].x);
    return !area || (add_triangle(s, face, first, area > 0, 0) && add_triangle(s, face, second, area > 0, 0));
}

bool setup_line(const struct setup *s, const struct face *face, const uint32_t vertex[2])
{
    const struct pipeline *p = s->p;
    struct clip_point end[3];
    struct distances distances;
    double t[2], at[2][2];
    bool clamp = p->depth_clamp || s->outlet->window_space;
    if (!read_point(s, face->view, vertex[0], &end[0]) || !read_point(s, face->view, vertex[1], &end[1]) ||
        !read_distances(s, vertex, 2, &distances) || !clip_line(end, &distances, p->half_z, clamp, &t[0], &t[1]))
        return true;
    for (unsigned i = 0; i < 2; i++) {
        double w = end[0].w + t[i] * (end[1].w - end[0].w);
        if (!(w > 0))
            return true;
        at[i][0] = (end[0].x + t[i] * (end[1].x - end[0].x)) / w;
        at[i][1] = (end[0].y + t[i] * (end[1].y - end[0].y)) / w;
    }
    const double along[2] = {at[1][0] - at[0][0], at[1][1] - at[0][1]};
    double width = p->line_width > 0 ? (double)p->line_width : 1;
    if (along[0] == 0 && along[1] == 0)
        return true;
    size_t before = s->out->ntriangles;
    if (width == 1 && !s->multisample ? !thin_line(s, face, (struct point){snap(at[0][0]), snap(at[0][1])},
                                                   (struct point){snap(at[1][0]), snap(at[1][1])})
                                      : !wide_line(s, face, (const double(*)[2])at, along, width))
        return false;
    /* Inputs change along the line alone: a third point beside the first has the first one's. */
    end[2] =
        (struct clip_point){end[0].x - along[1] * end[0].w, end[0].y + along[0] * end[0].w, end[0].z, end[0].w, false};
    const uint32_t plane[3] = {vertex[0], vertex[1], vertex[0]};
    return add_shading(s, face, before, end, plane);
}
