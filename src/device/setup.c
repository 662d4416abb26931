/* setup.c - primitives' pieces and planes: edges of triangles, and what all primitives share.
 *
 * Planes come from the homogeneous form: for vertices (X, Y, W), X and Y being window coordinates times w, a value u
 * that is linear in clip space has u / w = a x + b y + c on the screen, where a, b, c solve u_i = a X_i + b Y_i + c
 * W_i. That holds for vertices behind the eye too, so clipping never touches a plane. All in f64, rounded
 * to f32 once. */
#include "device/primitive.h"

#include "base/fmath.h"

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

/* The inverse of the matrix of rows (X, Y, W): what a vertex's value adds to a, to b and to c, three numbers each. */
struct basis {
    double of[9];
};
enum { BASIS_A = 0, BASIS_B = 3, BASIS_C = 6 };

/* False for a triangle seen edge-on. */
static bool make_basis(const struct clip_point v[3], struct basis *basis)
{
    for (unsigned i = 0; i < 3; i++) {
        const struct clip_point *j = &v[(i + 1) % 3], *k = &v[(i + 2) % 3];
        basis->of[BASIS_A + i] = j->y * k->w - k->y * j->w;
        basis->of[BASIS_B + i] = k->x * j->w - j->x * k->w;
        basis->of[BASIS_C + i] = j->x * k->y - k->x * j->y;
    }
    double det = v[0].x * basis->of[BASIS_A] + v[0].y * basis->of[BASIS_B] + v[0].w * basis->of[BASIS_C];
    if (!(fabs(det) > 0) || !isfinite(det))
        return false;
    for (unsigned i = 0; i < 9; i++)
        basis->of[i] /= det;
    return true;
}

/* The plane whose value / w at vertex i is u[i] / w; a0 is that of the centre of pixel (0, 0). */
static struct exec_plane make_plane(const struct basis *m, const double u[3])
{
    const double *ma = m->of + BASIS_A, *mb = m->of + BASIS_B, *mc = m->of + BASIS_C;
    double a = ma[0] * u[0] + ma[1] * u[1] + ma[2] * u[2];
    double b = mb[0] * u[0] + mb[1] * u[1] + mb[2] * u[2];
    double c = mc[0] * u[0] + mc[1] * u[1] + mc[2] * u[2];
    return (struct exec_plane){(float)(c + 0.5 * a + 0.5 * b), (float)a, (float)b};
}

/* The planes of an input's four components, with the operations of make_plane. u[k] is vertex k's. */
static void make_four_planes(const struct basis *m, const double u[3][4], struct exec_plane planes[4])
{
    const double *ma = m->of + BASIS_A, *mb = m->of + BASIS_B, *mc = m->of + BASIS_C;
    float a0[4], dx[4], dy[4];
    for (unsigned i = 0; i < 4; i++) {
        double a = ma[0] * u[0][i] + ma[1] * u[1][i] + ma[2] * u[2][i];
        double b = mb[0] * u[0][i] + mb[1] * u[1][i] + mb[2] * u[2][i];
        double c = mc[0] * u[0][i] + mc[1] * u[1][i] + mc[2] * u[2][i];
        a0[i] = (float)(c + 0.5 * a + 0.5 * b);
        dx[i] = (float)a;
        dy[i] = (float)b;
    }
    for (unsigned i = 0; i < 4; i++)
        planes[i] = (struct exec_plane){a0[i], dx[i], dy[i]};
}

/* Component c of an input at a vertex: a float, or a half of two that are in one word. */
static double input_value(const struct setup *s, const struct ir_slot *slot, uint32_t vertex, uint32_t from, unsigned c)
{
    if (!slot->halves)
        return (double)vertex_value(s->v, vertex, from, c);
    float word = vertex_value(s->v, vertex, from, (slot->halves - 1u) * 2 + c / 2);
    uint32_t bits;
    memcpy(&bits, &word, sizeof bits);
    return (double)f16_to_f32(bits >> 16 * (c % 2) & 0xffff);
}

/* Cylindrical wrapping: where two corners are more than half a circle apart, the smaller one has gone round once more.
 */
static void wrap_round(double u[3])
{
    for (unsigned i = 0; i < 3; i++) {
        double *a = &u[i], *b = &u[(i + 1) % 3];
        if (*b - *a > 0.5)
            *a += 1;
        else if (*b - *a < -0.5)
            *b += 1;
    }
}

/* What the corners are called: the provoking vertex is number 0 where it comes first. A line and a point name a vertex
 * more than once. */
static void number_corners(const struct setup *s, const struct face *face, const uint32_t vertex[3], uint32_t corner[3],
                           unsigned number[3])
{
    unsigned turn = 0;
    while (s->p->provoking_first && turn < 2 && vertex[turn] != face->provoking)
        turn++;
    for (unsigned k = 0; k < 3; k++) {
        unsigned same = 0;
        while (vertex[same] != vertex[k])
            same++;
        corner[k] = vertex[(k + turn) % 3];
        number[k] = (same + 3 - turn) % 3;
    }
}

/* What most inputs are: numbers of the corners, component by component as the program before wrote them. */
static bool is_plain(const struct setup *s, const struct ir_slot *slot, uint32_t from)
{
    return from != LINK_NONE && !slot->halves && !slot->corner && !slot->cylindrical && slot->mask &&
           slot->semantic != IR_SEM_BARYCENTRIC && slot->interp != IR_INTERP_CONSTANT &&
           slot->interp != IR_INTERP_LINEAR && !(slot->interp == IR_INTERP_COLOR && s->p->flat_colors);
}

static void make_plain_planes(const struct setup *s, uint32_t from, unsigned mask, const uint32_t vertex[3],
                              const struct basis *m, struct exec_plane planes[4])
{
    double u[3][4];
    for (unsigned k = 0; k < 3; k++) {
        const float *row = vertex_row(s->v, vertex[k] / 64, from, 0) + vertex[k] % 64;
        for (unsigned c = 0; c < 4; c++)
            u[k][c] = (double)row[c * 64];
    }
    make_four_planes(m, u, planes);
    for (unsigned c = 0; mask != 15 && c < 4; c++)
        if (!(mask >> c & 1))
            planes[c] = (struct exec_plane){c == 3 ? 1.0f : 0.0f, 0, 0};
}

/* Planes of all fragment inputs. */
static void make_planes(const struct setup *s, const struct face *face, const uint32_t vertex[3],
                        const struct clip_point point[3], const struct basis *m, struct exec_plane *planes)
{
    const struct ir_io *io = &s->p->fragment.ir->io;
    uint32_t corner[3] = {0};
    unsigned number[3] = {0};
    for (uint32_t i = 0; i < io->ninputs; i++) {
        const struct ir_slot *slot = &io->inputs[i];
        uint32_t from = face->front || !s->back ? s->link[i] : s->back[i];
        if (is_plain(s, slot, from)) {
            make_plain_planes(s, from, slot->mask, vertex, m, planes + (size_t)i * 4);
            continue;
        }
        if (slot->corner || slot->semantic == IR_SEM_BARYCENTRIC)
            number_corners(s, face, vertex, corner, number);
        uint32_t provoking = slot->corner ? corner[slot->corner - 1] : face->provoking;
        bool linear = slot->interp == IR_INTERP_LINEAR, flat = slot->interp == IR_INTERP_COLOR && s->p->flat_colors;
        for (unsigned c = 0; c < 4; c++) {
            struct exec_plane *plane = &planes[i * 4 + c];
            *plane = (struct exec_plane){c == 3 ? 1.0f : 0.0f, 0, 0};
            bool fed = from != LINK_NONE;
            if (slot->interp == IR_INTERP_CONSTANT) {
                if (fed) /* moved as bits: it may be an integer */
                    memcpy(&plane->a0, vertex_row(s->v, provoking / 64, from, c) + provoking % 64, 4);
                continue;
            }
            if (!(slot->mask >> c & 1))
                continue;
            double u[3];
            for (unsigned k = 0; k < 3; k++)
                u[k] = slot->semantic == IR_SEM_BARYCENTRIC ? number[k] == c
                       : fed ? input_value(s, slot, flat ? provoking : vertex[k], from, c)
                             : (double)plane->a0;
            if (slot->cylindrical >> c & 1)
                wrap_round(u);
            for (unsigned k = 0; linear && k < 3; k++)
                u[k] *= point[k].w;
            *plane = make_plane(m, u);
        }
    }
}

/* ---- pieces ---- */

int32_t snap(double v)
{
    /* What was clipped may still be out of range where numbers of very different sizes have cancelled. */
    v = v < CLIP_GUARD ? v : CLIP_GUARD;
    v = v > -CLIP_GUARD ? v : -CLIP_GUARD;
    double at = v * SUBPIXEL + 0.5;
    int32_t whole = (int32_t)at;
    return whole - ((double)whole > at); /* floor */
}

/* The half-plane to the left of a to b where x goes right and y up, that is, inside for a positive area. Where the edge
 * is a cut, all of it is inside. */
static struct edge make_edge(struct point a, struct point b, bool cut)
{
    int32_t dx = b.x - a.x, dy = b.y - a.y;
    struct edge e = {.a = -dy, .b = dx};
    int64_t c = (int64_t)dx * (SUBPIXEL / 2 - a.y) - (int64_t)dy * (SUBPIXEL / 2 - a.x);
    /* Inside grows along (a, b): a left edge has a > 0, a top edge (row 0 is the top) is level with b > 0. On others
     * the edge itself is outside. */
    bool inclusive = cut || e.a > 0 || (e.a == 0 && e.b > 0);
    c -= !inclusive;
    e.exact = c;
    /* Steps from pixel to pixel are multiples of 256, so the low bits never matter again. */
    e.c = c >> 8;
    return e;
}

struct rect intersect(struct rect a, struct rect b)
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

/* Pixels whose centres, or with several samples any part, can be inside. */
static struct rect bounds_of(const struct point v[3], bool multisample)
{
    int32_t before = multisample ? 0 : 127, after = multisample ? 0 : 128;
    return (struct rect){(min3(v[0].x, v[1].x, v[2].x) + before) >> 8, (min3(v[0].y, v[1].y, v[2].y) + before) >> 8,
                         ((max3(v[0].x, v[1].x, v[2].x) - after) >> 8) + 1,
                         ((max3(v[0].y, v[1].y, v[2].y) - after) >> 8) + 1};
}

static bool is_small(const struct rect *r)
{
    return r->x1 - (r->x0 & ~1) <= BLOCK_SIZE && r->y1 - (r->y0 & ~1) <= BLOCK_SIZE;
}

/* A piece within bounds, of the shading that comes next; NULL without memory. */
static struct triangle *add_piece(const struct setup *s, struct rect bounds)
{
    struct batch *out = s->out;
    if (!GROW(out->triangles, out->triangles_cap, out->ntriangles, 1))
        return NULL;
    struct triangle *t = &out->triangles[out->ntriangles++];
    t->bounds = bounds;
    t->shading = (uint32_t)out->nshadings;
    t->rectangle = t->small = false;
    return t;
}

bool add_triangle(const struct setup *s, const struct face *face, const struct point v[3], bool positive, unsigned cuts)
{
    const struct rect all = bounds_of(v, s->multisample), bounds = intersect(all, face->clip);
    if (bounds.x0 >= bounds.x1 || bounds.y0 >= bounds.y1)
        return true;
    struct triangle *t = add_piece(s, bounds);
    if (!t)
        return false;
    t->small = is_small(&all) && all.x0 == bounds.x0 && all.y0 == bounds.y0 && all.x1 == bounds.x1 &&
               all.y1 == bounds.y1;
    unsigned second = positive ? 1 : 2, third = positive ? 2 : 1;
    t->edge[0] = make_edge(v[0], v[second], cuts >> (positive ? 0 : 2) & 1);
    t->edge[1] = make_edge(v[second], v[third], cuts >> 1 & 1);
    t->edge[2] = make_edge(v[third], v[0], cuts >> (positive ? 2 : 0) & 1);
    return true;
}

bool add_rectangle(const struct setup *s, const struct face *face, struct rect bounds)
{
    bounds = intersect(bounds, face->clip);
    if (bounds.x0 >= bounds.x1 || bounds.y0 >= bounds.y1)
        return true;
    struct triangle *t = add_piece(s, bounds);
    if (!t)
        return false;
    memset(t->edge, 0, sizeof t->edge);
    t->rectangle = true;
    return true;
}

/* ---- shadings ---- */

/* What depth bias adds (Vulkan, "Depth Bias"): the constant counts steps of the depth buffer, for floats those of the
 * primitive's largest depth. */
static double depth_bias(const struct setup *s, const struct exec_plane *z, const struct clip_point corner[3],
                         const struct viewport *view)
{
    const struct pipeline *p = s->p;
    if (!p->depth_bias.enable)
        return 0;
    double unit = 0, slope = fmax(fabs((double)z->dx), fabs((double)z->dy));
    const struct format *f = p->depth.format;
    if (f && f->channel[0].kind == FORMAT_SFLOAT) {
        double largest = 0;
        int exponent = 0;
        for (unsigned i = 0; i < 3; i++)
            largest = fmax(largest, fabs(view->scale[2] * corner[i].z / corner[i].w + view->translate[2]));
        frexp(largest, &exponent); /* 0.5 to 1 times 2^exponent */
        unit = ldexp(1, exponent - 24);
    } else if (f) {
        unit = ldexp(1, -(int)f->channel[0].bits);
    }
    double bias = slope * (double)p->depth_bias.slope + unit * (double)p->depth_bias.constant;
    double clamp = (double)p->depth_bias.clamp;
    if (clamp > 0)
        return fmin(bias, clamp);
    return clamp < 0 ? fmax(bias, clamp) : bias;
}

bool add_shading(const struct setup *s, const struct face *face, size_t before, const struct clip_point corner[3],
                 const uint32_t vertex[3])
{
    struct batch *out = s->out;
    size_t inputs = (size_t)s->p->fragment.ir->io.ninputs * 4;
    struct basis basis;
    if (out->ntriangles == before)
        return true;
    if (!make_basis(corner, &basis)) {
        out->ntriangles = before;
        return true;
    }
    if (!GROW(out->shadings, out->shadings_cap, out->nshadings, 1) ||
        !GROW(out->planes, out->planes_cap, out->nplanes, inputs))
        return false;
    struct shading *shading = &out->shadings[out->nshadings++];
    const struct viewport *view = face->view;
    const struct format *depth = s->p->depth.format;
    bool free_depth = s->p->depth_unrestricted && (!depth || depth->channel[0].kind == FORMAT_SFLOAT);
    double one[3] = {1, 1, 1}, z[3];
    for (unsigned i = 0; i < 3; i++)
        z[i] = view->scale[2] * corner[i].z + view->translate[2] * corner[i].w;
    *shading = (struct shading){
        .w_one = corner[0].w == 1 && corner[1].w == 1 && corner[2].w == 1,
        .front = face->front,
        .z_plane = make_plane(&basis, z),
        .z_low = s->p->depth_clamp ? fminf(view->depth_min, view->depth_max) : free_depth ? -INFINITY : 0,
        .z_high = s->p->depth_clamp ? fmaxf(view->depth_min, view->depth_max) : free_depth ? INFINITY : 1,
        .prim_id = face->prim_id,
        .layer = face->layer,
        .viewport = face->viewport,
        .clip = face->clip,
    };
    shading->w_plane = shading->w_one ? (struct exec_plane){1, 0, 0} : make_plane(&basis, one);
    if (s->p->depth_bias.enable) {
        double bias = face->own_depth ? face->bias : depth_bias(s, &shading->z_plane, corner, view);
        shading->z_plane.a0 = (float)((double)shading->z_plane.a0 + bias);
    }
    if (inputs)
        make_planes(s, face, vertex, corner, &basis, out->planes + out->nplanes);
    out->nplanes += inputs;
    return true;
}

/* ---- primitives ---- */

bool read_point(const struct setup *s, const struct viewport *view, uint32_t vertex, struct clip_point *point)
{
    uint32_t slot = s->outlet->position;
    double x = vertex_value(s->v, vertex, slot, 0), y = vertex_value(s->v, vertex, slot, 1);
    double z = vertex_value(s->v, vertex, slot, 2), w = vertex_value(s->v, vertex, slot, 3);
    if (!isfinite(x) || !isfinite(y) || !isfinite(z) || !isfinite(w))
        return false;
    if (s->outlet->window_space) { /* x, y and z are final, w is what 1 / w is elsewhere */
        w = w > 0 ? 1 / w : 1;
        *point = (struct clip_point){x * w, y * w, z * w, w, false};
        return true;
    }
    *point = (struct clip_point){view->scale[0] * x + view->translate[0] * w,
                                 view->scale[1] * y + view->translate[1] * w, z, w, false};
    return true;
}

/* The depth bias of a triangle that is drawn as lines or points. */
static double bias_of_triangle(const struct setup *s, const struct face *face, const struct clip_point corner[3])
{
    struct basis basis;
    if (!s->p->depth_bias.enable || !make_basis(corner, &basis))
        return 0;
    double z[3];
    for (unsigned i = 0; i < 3; i++)
        z[i] = face->view->scale[2] * corner[i].z + face->view->translate[2] * corner[i].w;
    struct exec_plane plane = make_plane(&basis, z);
    return depth_bias(s, &plane, corner, face->view);
}

/* Corners that have no edge flag of 0. */
static unsigned flagged_corners(const struct setup *s, const struct primitive *primitive)
{
    unsigned corners = 7;
    for (unsigned i = 0; s->outlet->edge_flag != LINK_NONE && i < 3; i++)
        if (vertex_value(s->v, primitive->vertex[i], s->outlet->edge_flag, 0) == 0.0f)
            corners &= ~(1u << i);
    return corners;
}

/* A triangle by its edges or its corners. */
static bool setup_outline(const struct setup *s, const struct face *triangle, const struct primitive *primitive,
                          const struct clip_point corner[3])
{
    struct face face = *triangle;
    unsigned flags = flagged_corners(s, primitive), edges = primitive->edges;
    face.own_depth = true;
    face.bias = bias_of_triangle(s, triangle, corner);
    for (unsigned i = 0; i < 3; i++) {
        uint32_t edge[2] = {primitive->vertex[i], primitive->vertex[(i + 1) % 3]};
        /* The flag of a corner is that of its point, and of the edge that begins there. */
        bool corner_drawn = (edges >> i & 1) || (edges >> (i + 2) % 3 & 1);
        if (!(flags >> i & 1))
            continue;
        if (s->p->polygon_mode == POLYGON_LINE ? (edges >> i & 1) && !setup_line(s, &face, edge)
                                               : corner_drawn && !setup_point(s, &face, edge[0]))
            return false;
    }
    return true;
}

/* Which edges of the piece (0, i - 1, i) of a polygon are cuts. */
static unsigned cuts_of_piece(const struct clip_point *polygon, unsigned count, unsigned i)
{
    return (unsigned)(i == 2 && polygon[0].cut) | (unsigned)polygon[i - 1].cut << 1 |
           (unsigned)(i == count - 1 && polygon[i].cut) << 2;
}

/* A triangle's corners, and what clipping leaves of it. */
struct outline {
    struct clip_point corner[3], polygon[CLIP_MAX_POINTS];
    struct point at[CLIP_MAX_POINTS];
    unsigned count; /* 0: nothing is left */
};

/* From places that are known; false: something may clip it. */
static bool outline_of_places(const struct setup *s, const uint32_t vertex[3], struct outline *o)
{
    for (unsigned i = 0; i < 3; i++)
        if (!s->places || !s->places[vertex[i]].inside)
            return false;
    for (unsigned i = 0; i < 3; i++) {
        const struct vertex_place *place = &s->places[vertex[i]];
        o->corner[i] = place->point;
        o->polygon[i].cut = false;
        o->at[i] = place->at;
    }
    o->count = 3;
    return true;
}

static void find_outline(const struct setup *s, const struct face *face, const uint32_t vertex[3], struct outline *o)
{
    struct clip_point part[CLIP_MAX_POINTS];
    struct distances distances;
    o->count = 0;
    for (unsigned i = 0; i < 3; i++)
        if (!read_point(s, face->view, vertex[i], &o->corner[i]))
            return;
    if (!read_distances(s, vertex, 3, &distances))
        return;
    unsigned count = 3;
    if (distances.count)
        count = clip_distances(o->corner, &distances, part);
    bool clamp = s->p->depth_clamp || s->outlet->window_space;
    o->count = clip_polygon(distances.count ? part : o->corner, count, s->p->half_z, clamp, o->polygon);
    for (unsigned i = 0; i < o->count; i++)
        o->at[i] =
            (struct point){snap(o->polygon[i].x / o->polygon[i].w), snap(o->polygon[i].y / o->polygon[i].w)};
}

static bool setup_triangle(const struct setup *s, struct face *face, const struct primitive *primitive)
{
    const struct pipeline *p = s->p;
    struct outline o;
    if (!outline_of_places(s, primitive->vertex, &o))
        find_outline(s, face, primitive->vertex, &o);
    const unsigned count = o.count;
    const struct point *at = o.at;
    /* The orientation is that of the largest part: parts of the other sign are artefacts of snapping. */
    int64_t largest = 0;
    for (unsigned i = 2; i < count; i++) {
        int64_t area = area_of((struct point[3]){at[0], at[i - 1], at[i]});
        if (llabs(area) > llabs(largest))
            largest = area;
    }
    if (!largest)
        return true;
    face->front = (largest > 0) == p->front_positive;
    if (p->cull & (face->front ? CULL_FRONT : CULL_BACK))
        return true;
    if (p->polygon_mode != POLYGON_FILL)
        return setup_outline(s, face, primitive, o.corner);

    size_t before = s->out->ntriangles;
    for (unsigned i = 2; i < count; i++) {
        struct point piece[3] = {at[0], at[i - 1], at[i]};
        int64_t area = area_of(piece);
        if (area && (area > 0) == (largest > 0) &&
            !add_triangle(s, face, piece, area > 0, cuts_of_piece(o.polygon, count, i)))
            return false;
    }
    return add_shading(s, face, before, o.corner, primitive->vertex);
}

/* An integer output of a vertex; 0 where there is none. */
static uint32_t integer_of(const struct setup *s, uint32_t vertex, uint32_t slot)
{
    uint32_t v = 0;
    if (slot != LINK_NONE)
        memcpy(&v, vertex_row(s->v, vertex / 64, slot, 0) + vertex % 64, sizeof v);
    return v;
}

static const struct viewport *choose_viewport(const struct setup *s, uint32_t *number)
{
    if (*number >= PIPELINE_VIEWPORTS)
        *number = 0;
    return &s->p->viewport[*number];
}

/* Layers of the targets. */
static uint32_t count_layers(const struct pipeline *p)
{
    uint32_t layers = surface_layers(&p->depth);
    for (unsigned i = 0; i < PIPELINE_COLORS; i++) {
        uint32_t more = p->color[i].pixels ? surface_layers(&p->color[i]) : 1;
        layers = more > layers ? more : layers;
    }
    return layers;
}

static bool setup_in_viewport(const struct setup *s, const struct primitive *primitive, struct face face)
{
    static const struct viewport window = {.scale = {1, 1, 1}, .depth_max = 1};
    bool window_space = s->outlet->window_space;
    face.view = window_space ? &window : choose_viewport(s, &face.viewport);
    face.clip = window_space ? s->p->scissor : intersect(s->p->scissor, face.view->area);
    switch (primitive->count) {
    case 1:
        return setup_point(s, &face, primitive->vertex[0]);
    case 2:
        return setup_line(s, &face, primitive->vertex);
    default:
        return setup_triangle(s, &face, primitive);
    }
}

bool setup_primitive(const struct setup *s, const struct primitive *primitive)
{
    const struct outlet *o = s->outlet;
    struct face face = {.provoking = primitive->provoking, .front = true};
    face.viewport = integer_of(s, face.provoking, o->viewport);
    face.layer = integer_of(s, face.provoking, o->layer);
    face.prim_id = o->prim_id == LINK_NONE ? primitive->id : integer_of(s, face.provoking, o->prim_id);
    if (face.layer && face.layer >= count_layers(s->p))
        return true;
    if (o->viewport_mask == LINK_NONE)
        return setup_in_viewport(s, primitive, face);
    /* Once for each bit, in ascending order (NV_viewport_array2). */
    uint32_t mask = integer_of(s, face.provoking, o->viewport_mask);
    for (face.viewport = 0; face.viewport < PIPELINE_VIEWPORTS; face.viewport++)
        if ((mask >> face.viewport & 1) && !setup_in_viewport(s, primitive, face))
            return false;
    return true;
}

/* ---- outlets ---- */

static uint32_t find_slot(const struct ir_slot *slot, uint32_t slots, enum ir_semantic semantic)
{
    for (uint32_t i = 0; i < slots; i++)
        if (slot[i].semantic == semantic)
            return i;
    return LINK_NONE;
}

/* Written components of a semantic's registers, in order. */
static unsigned find_components(const struct ir_slot *slot, uint32_t slots, enum ir_semantic semantic,
                                struct component found[MAX_DISTANCES])
{
    unsigned count = 0;
    for (uint16_t index = 0; index < 2; index++)
        for (uint32_t i = 0; i < slots; i++)
            for (unsigned c = 0; slot[i].semantic == semantic && slot[i].index == index && c < 4; c++)
                if ((slot[i].mask >> c & 1) && count < MAX_DISTANCES)
                    found[count++] = (struct component){(uint16_t)i, (uint8_t)c};
    return count;
}

struct outlet outlet_find(const struct ir_slot *slot, uint32_t slots, const struct ir_io *io)
{
    struct outlet o = {
        .position = find_slot(slot, slots, IR_SEM_POSITION),
        .psize = find_slot(slot, slots, IR_SEM_PSIZE),
        .layer = find_slot(slot, slots, IR_SEM_LAYER),
        .viewport = find_slot(slot, slots, IR_SEM_VIEWPORT_INDEX),
        .viewport_mask = find_slot(slot, slots, IR_SEM_VIEWPORT_MASK),
        .prim_id = find_slot(slot, slots, IR_SEM_PRIMID),
        .edge_flag = find_slot(slot, slots, IR_SEM_EDGEFLAG),
        .window_space = io && io->window_space_position,
    };
    o.clips = find_components(slot, slots, IR_SEM_CLIPDIST, o.clip);
    o.culls = find_components(slot, slots, IR_SEM_CULLDIST, o.cull);
    if (!io || !(io->clip_distances + io->cull_distances))
        return o;
    /* The program says how many: cull distances come after clip distances in the same registers. */
    for (unsigned k = io->clip_distances; k < o.clips && k < io->clip_distances + io->cull_distances; k++)
        if (o.culls < MAX_DISTANCES)
            o.cull[o.culls++] = o.clip[k];
    o.clips = o.clips < io->clip_distances ? o.clips : io->clip_distances;
    return o;
}
