/* point.c - points: squares around their vertex, with coordinates of their own. */
#include "device/primitive.h"

#include <math.h>
#include <string.h>

enum { POINT_MAX_SIZE = 8192 };

static double size_of(const struct setup *s, uint32_t vertex)
{
    double size = s->outlet->psize == LINK_NONE ? (double)s->p->point_size
                                                : (double)vertex_value(s->v, vertex, s->outlet->psize, 0);
    if (!(size > 1))
        return 1;
    return size < POINT_MAX_SIZE ? size : POINT_MAX_SIZE;
}

/* A point outside the view is not drawn, however large it is (OpenGL 4.6, 13.7). */
static bool in_view(const struct setup *s, const struct viewport *view, const struct clip_point *p)
{
    if (s->outlet->window_space)
        return clip_inside(p, s->p->half_z, true);
    return clip_inside(p, s->p->half_z, s->p->depth_clamp) &&
           fabs(p->x - view->translate[0] * p->w) <= fabs(view->scale[0]) * p->w &&
           fabs(p->y - view->translate[1] * p->w) <= fabs(view->scale[1]) * p->w;
}

static bool add_square(const struct setup *s, const struct face *face, const struct point low, const struct point high)
{
    if (!s->multisample) /* centres from low up to, but not at, high: the top-left rule */
        return add_rectangle(
            s, face, (struct rect){(low.x + 127) >> 8, (low.y + 127) >> 8, (high.x + 127) >> 8, (high.y + 127) >> 8});
    const struct point a[3] = {low, {high.x, low.y}, high}, b[3] = {low, high, {low.x, high.y}};
    return add_triangle(s, face, a, true, 0) && add_triangle(s, face, b, true, 0);
}

/* Whether sprite coordinates take the place of an input. */
static bool is_sprite(const struct pipeline *p, const struct ir_slot *slot)
{
    uint32_t replaced = slot->semantic == IR_SEM_TEXCOORD  ? p->sprite_texcoords
                        : slot->semantic == IR_SEM_GENERIC ? p->sprite_generics
                                                           : 0;
    return slot->semantic == IR_SEM_PCOORD || (slot->index < 32 && (replaced >> slot->index & 1));
}

/* PCOORD grows to the right and, as the state says, up or down: 1/2 at the vertex. */
static void add_coordinates(const struct setup *s, double x, double y, double size)
{
    const struct pipeline *p = s->p;
    const struct ir_io *io = &p->fragment.ir->io;
    struct batch *out = s->out;
    struct shading *shading = &out->shadings[out->nshadings - 1];
    double dy = p->point_origin_lower_left ? -1 / size : 1 / size;
    shading->point = true;
    shading->point_coord[0] = (struct exec_plane){(float)(0.5 + (0.5 - x) / size), (float)(1 / size), 0};
    shading->point_coord[1] = (struct exec_plane){(float)(0.5 + (0.5 - y) * dy), 0, (float)dy};
    size_t first = (out->nshadings - 1) * (size_t)io->ninputs * 4;
    for (uint32_t i = 0; i < io->ninputs; i++) {
        const struct ir_slot *slot = &io->inputs[i];
        if (!is_sprite(p, slot))
            continue;
        struct exec_plane *planes = out->planes + first + i * 4;
        double w = (double)shading->w_plane.a0; /* a perspective input is divided by it again */
        bool divided = slot->interp == IR_INTERP_PERSPECTIVE || slot->interp == IR_INTERP_COLOR;
        float scale = divided && !shading->w_one ? (float)w : 1.0f;
        for (unsigned c = 0; c < 2; c++) {
            const struct exec_plane *from = &shading->point_coord[c];
            planes[c] = (struct exec_plane){from->a0 * scale, from->dx * scale, from->dy * scale};
        }
        planes[2] = (struct exec_plane){0, 0, 0};
        planes[3] = (struct exec_plane){scale, 0, 0};
    }
}

bool setup_point(const struct setup *s, const struct face *face, uint32_t vertex)
{
    struct clip_point p;
    struct distances distances;
    if (!read_point(s, face->view, vertex, &p) || !in_view(s, face->view, &p) ||
        !read_distances(s, &vertex, 1, &distances))
        return true;
    struct face whole = *face; /* the square may leave the viewport */
    whole.clip = s->p->scissor;
    double x = p.x / p.w, y = p.y / p.w, size = size_of(s, vertex);
    size_t before = s->out->ntriangles, shadings = s->out->nshadings;
    if (!add_square(s, &whole, (struct point){snap(x - size / 2), snap(y - size / 2)},
                    (struct point){snap(x + size / 2), snap(y + size / 2)}))
        return false;
    /* The same inputs everywhere: three corners with those of the vertex. */
    const struct clip_point corner[3] = {p, {p.x + p.w, p.y, p.z, p.w, false}, {p.x, p.y + p.w, p.z, p.w, false}};
    const uint32_t same[3] = {vertex, vertex, vertex};
    if (!add_shading(s, &whole, before, corner, same))
        return false;
    if (s->out->nshadings > shadings)
        add_coordinates(s, x, y, size);
    return true;
}
