/* sample_lanes.c - texture sampling one lane at a time: every dimension, arrays, cubes, comparison, integers.
 *
 * The arithmetic is that of sample.c (sample_math.h), with texels decoded before they are filtered. Where Vulkan and
 * OpenGL leave a choice:
 *   layers        floor(layer + 0.5), clamped to the array
 *   cube edges    a filter that leaves a face goes on on the neighbour; at a corner the fourth texel is the mean of the
 *                 three that exist
 *   comparison    each texel is compared (the reference clamped to 0..1 for unorm depth), then the results are filtered
 *   level         as in sample.c; of cubes half the largest difference of the direction times the size, the direction
 *                 not being normalised, as in Mesa's softpipe
 *   integers      are never filtered: the nearest texel of the nearest level */
#include "device/sample_lanes.h"

#include "device/sample_math.h"
#include "device/sample_query.h"
#include "device/texel.h"

#include <math.h>

enum { MOST_AXES = 3, MOST_TEXELS = 1 << MOST_AXES };

/* ---- arguments ---- */

static bool has_level(const struct ir_texture *op)
{
    switch (op->op) {
    case IR_TEX_BIAS:
        return true;
    case IR_TEX_LOD:
        return !op->zero_lod;
    case IR_TEX_GATHER:
        return op->gather_level;
    case IR_TEX_FETCH:
    case IR_TEX_QUERY_SIZE:
        return !op->zero_lod && (!op->multisample || op->as_bound) && op->dim != IR_TEX_BUFFER &&
               op->dim != IR_TEX_RECT;
    default:
        return false;
    }
}

static unsigned coordinates(const struct ir_texture *op)
{
    return op->op == IR_TEX_FETCH && op->dim == IR_TEX_CUBE ? 2 : texture_axes(op->dim);
}

void texture_args(const struct exec_texture_call *call, struct texture_args *a)
{
    const struct ir_texture *op = call->op;
    const void *const *next = call->args;
    bool placed = op->op != IR_TEX_QUERY_SIZE && op->op != IR_TEX_QUERY_SAMPLES && op->op != IR_TEX_QUERY_POS;
    bool fetch = op->op == IR_TEX_FETCH;
    *a = (struct texture_args){.axes = placed ? coordinates(op) : 0};
    for (unsigned i = 0; i < a->axes; i++)
        a->coord[i] = *next++;
    if (placed && (op->array || (fetch && op->dim == IR_TEX_CUBE)))
        a->layer = *next++;
    if (placed && op->shadow && !fetch)
        a->compare = *next++;
    if ((fetch && op->multisample) || op->op == IR_TEX_QUERY_POS)
        a->sample = *next++;
    if (has_level(op))
        a->level = *next++;
    for (unsigned i = 0; op->op == IR_TEX_GRAD && i < a->axes; i++)
        a->ddx[i] = *next++;
    for (unsigned i = 0; op->op == IR_TEX_GRAD && i < a->axes; i++)
        a->ddy[i] = *next++;
    if (op->min_lod && op->op <= IR_TEX_GRAD)
        a->min_lod = *next++;
    for (unsigned i = 0; placed && op->has_offset && op->dim != IR_TEX_CUBE && i < a->axes; i++)
        a->offset[i] = *next++;
    if (op->view_arg)
        a->view = *next++;
    if (op->sampler_arg)
        a->sampler = *next++;
}

/* ---- texels ---- */

/* What all lanes of a call have in common. */
struct look {
    const struct weft_texture *t;
    const weft_sampler *s;
    const struct ir_texture *op;
    struct texture_args args;
    unsigned axes;          /* that texels are chosen along: those of a face for a cube */
    bool integer, compare, clamp_reference, cube;
    weft_wrap wrap[MOST_AXES];
};

/* Where one lane looks. */
struct spot {
    float c[MOST_AXES]; /* coordinates; of a cube within the face */
    float offset[MOST_AXES];
    float reference;
    int32_t slice; /* layer; face + 6 * layer */
};

static void border_texel(const struct look *k, union texel *out)
{
    memcpy(out, k->integer ? (const void *)k->s->border_int : (const void *)k->s->border, sizeof *out);
    for (unsigned c = 0; c < 4; c++)
        if (format_lacks(k->t->format, c))
            out->u[c] = c < 3 ? 0 : k->integer ? 1 : 0x3f800000;
}

static void read_texel(const struct weft_texture *t, const struct texture_level *l, int32_t x, int32_t y, int32_t slice,
                       union texel *out)
{
    const uint8_t *p =
        t->data + (size_t)(l->first + slice * l->slice + y * l->stride + x) * t->format->bytes;
    texel_load(t->format, p, out);
}

static float compare(weft_compare op, float reference, float texel)
{
    switch (op) {
    case WEFT_COMPARE_LESS:
        return reference < texel;
    case WEFT_COMPARE_EQUAL:
        return reference == texel;
    case WEFT_COMPARE_LESS_EQUAL:
        return reference <= texel;
    case WEFT_COMPARE_GREATER:
        return reference > texel;
    case WEFT_COMPARE_NOT_EQUAL:
        return reference != texel;
    case WEFT_COMPARE_GREATER_EQUAL:
        return reference >= texel;
    case WEFT_COMPARE_ALWAYS:
        return 1.0f;
    default:
        return 0.0f;
    }
}

static void compare_texel(const struct look *k, const struct spot *p, union texel *v)
{
    float result = compare(k->s->compare_op, p->reference, v->f[0]);
    *v = (union texel){.f = {result, result, result, 1.0f}};
}

/* ---- wrap modes ---- */

/* The texels along one axis, and the weight of the second. -1 and the size mean the border. */
struct along {
    int32_t index[2];
    float weight;
};

static int32_t wrap_texel(weft_wrap mode, float f, float size)
{
    switch (mode) {
    case WEFT_WRAP_REPEAT:
        return (int32_t)modulo(f, size);
    case WEFT_WRAP_MIRROR_REPEAT: {
        float m = modulo(f, 2.0f * size);
        return (int32_t)(m < size ? m : 2.0f * size - 1.0f - m);
    }
    case WEFT_WRAP_CLAMP_TO_EDGE:
        return (int32_t)clampf(f, 0.0f, size - 1.0f);
    case WEFT_WRAP_MIRROR_CLAMP_TO_EDGE:
        return (int32_t)clampf(mirrored(f), 0.0f, size - 1.0f);
    case WEFT_WRAP_MIRROR_CLAMP:
    case WEFT_WRAP_MIRROR_CLAMP_TO_BORDER: /* texel -1 mirrors texel 0: there is no border there */
        return (int32_t)clampf(mirrored(f), 0.0f, size);
    default:
        return (int32_t)clampf(f, -1.0f, size);
    }
}

static struct along choose(weft_wrap mode, float u, float size, bool linear)
{
    u = clampf(u, -SAMPLE_MAX_POSITION, SAMPLE_MAX_POSITION);
    if (mode == WEFT_WRAP_MIRROR_CLAMP)
        u = magnitude(u);
    if (mode == WEFT_WRAP_CLAMP || mode == WEFT_WRAP_MIRROR_CLAMP)
        u = clampf(u, 0.0f, size);
    if (!linear) {
        /* never reaches the border: position 1.0 is the last texel */
        if (mode == WEFT_WRAP_CLAMP || mode == WEFT_WRAP_MIRROR_CLAMP)
            mode = WEFT_WRAP_CLAMP_TO_EDGE;
        return (struct along){.index = {wrap_texel(mode, floor_small(u), size)}};
    }
    float centre = u - 0.5f, low = floor_small(centre);
    return (struct along){{wrap_texel(mode, low, size), wrap_texel(mode, low + 1.0f, size)}, centre - low};
}

/* The same on a cube's face whose filter crosses edges: texels just outside it, -1 and the size,
 * are the neighbours'. */
static struct along choose_on_face(float u, float size)
{
    float centre = clampf(u, 0.0f, size) - 0.5f, low = floor_small(centre);
    return (struct along){{(int32_t)low, (int32_t)low + 1}, centre - low};
}

/* ---- cubes ---- */

unsigned cube_face(const float d[3], float place[2])
{
    float ax = magnitude(d[0]), ay = magnitude(d[1]), az = magnitude(d[2]), sc, tc, ma;
    unsigned face;
    if (ax >= ay && ax >= az) {
        face = d[0] >= 0.0f ? 0 : 1;
        sc = face ? d[2] : -d[2];
        tc = -d[1];
        ma = ax;
    } else if (ay >= az) {
        face = d[1] >= 0.0f ? 2 : 3;
        sc = d[0];
        tc = face == 2 ? d[2] : -d[2];
        ma = ay;
    } else {
        face = d[2] >= 0.0f ? 4 : 5;
        sc = face == 4 ? d[0] : -d[0];
        tc = -d[1];
        ma = az;
    }
    place[0] = (sc / ma) * 0.5f + 0.5f;
    place[1] = (tc / ma) * 0.5f + 0.5f;
    return face;
}

/* The direction of a place on a face, s and t from 0 to 1 on it and beyond. */
static void cube_direction(unsigned face, float s, float t, float d[3])
{
    float sc = s * 2.0f - 1.0f, tc = t * 2.0f - 1.0f;
    const float to[6][3] = {{1, -tc, -sc}, {-1, -tc, sc}, {sc, 1, tc}, {sc, -1, -tc}, {sc, -tc, 1}, {-sc, -tc, -1}};
    memcpy(d, to[face], sizeof to[face]);
}

/* The texel of a neighbouring face beside texel (x, y), one of which is -1 or the size. The texel's centre, seen from
 * the cube's centre, is in the neighbour's texel that shares the edge: for size n and tangential number j the place on
 * the neighbour is n (j + 1) / (n + 1), which is in j..j + 1. */
static int32_t beyond_edge(int32_t slice, int32_t size, int32_t *x, int32_t *y)
{
    float d[3], place[2], n = (float)size;
    cube_direction((unsigned)(slice % 6), ((float)*x + 0.5f) / n, ((float)*y + 0.5f) / n, d);
    unsigned face = cube_face(d, place);
    *x = (int32_t)clampf(place[0] * n, 0.0f, n - 1.0f);
    *y = (int32_t)clampf(place[1] * n, 0.0f, n - 1.0f);
    return slice / 6 * 6 + (int32_t)face;
}

/* The four texels of a bilinear footprint on a cube. */
static void cube_texels(const struct look *k, const struct spot *p, const struct texture_level *l,
                        const struct along a[2], union texel v[4])
{
    int missing = -1;
    for (int i = 0; i < 4; i++) {
        int32_t x = a[0].index[i & 1], y = a[1].index[i >> 1], slice = p->slice;
        bool out_x = x < 0 || x >= l->width, out_y = y < 0 || y >= l->height;
        if (out_x && out_y) {
            missing = i;
            continue;
        }
        if (out_x || out_y)
            slice = beyond_edge(slice, l->width, &x, &y);
        read_texel(k->t, l, x, y, slice < l->depth ? slice : l->depth - 1, &v[i]);
        if (k->compare)
            compare_texel(k, p, &v[i]);
    }
    if (missing < 0)
        return;
    const union texel *a0 = &v[missing ^ 1], *a1 = &v[missing ^ 2], *a2 = &v[missing ^ 3];
    for (unsigned c = 0; c < 4; c++)
        if (k->integer)
            v[missing].u[c] = a0->u[c];
        else
            v[missing].f[c] = (a0->f[c] + a1->f[c] + a2->f[c]) / 3.0f;
}

/* ---- filters ---- */

/* Coordinates in texels of the level rather than parts of it. */
static bool counts_texels(const struct look *k)
{
    return k->s->unnormalized || k->op->texel_coords || k->op->dim == IR_TEX_RECT || k->op->dim == IR_TEX_BUFFER;
}

/* The texels of a footprint in a level, in the order x, y, z, and the weights along them. Returns their number. */
static unsigned footprint(const struct look *k, const struct spot *p, const struct texture_level *l, bool linear,
                          union texel v[MOST_TEXELS], float weight[MOST_AXES])
{
    const int32_t sizes[MOST_AXES] = {l->width, l->height, l->depth};
    bool across = k->cube && linear && !k->s->separate_faces;
    bool texels = counts_texels(k);
    struct along a[MOST_AXES];
    for (unsigned i = 0; i < k->axes; i++) {
        float size = (float)sizes[i], u = (texels ? p->c[i] : p->c[i] * size) + p->offset[i];
        a[i] = across ? choose_on_face(u, size) : choose(k->wrap[i], u, size, linear);
        weight[i] = a[i].weight;
    }
    unsigned count = linear ? 1u << k->axes : 1;
    if (across) {
        cube_texels(k, p, l, a, v);
        return count;
    }
    for (unsigned n = 0; n < count; n++) {
        int32_t at[MOST_AXES] = {0, 0, 0};
        bool border = false;
        for (unsigned i = 0; i < k->axes; i++) {
            at[i] = a[i].index[n >> i & 1];
            border |= at[i] < 0 || at[i] >= sizes[i];
        }
        int32_t slice = k->axes == 3 ? at[2] : p->slice < l->depth ? p->slice : l->depth - 1;
        if (border)
            border_texel(k, &v[n]);
        else
            read_texel(k->t, l, at[0], at[1], slice, &v[n]);
        if (k->compare)
            compare_texel(k, p, &v[n]);
    }
    return count;
}

static void filter_level(const struct look *k, const struct spot *p, uint32_t level, weft_filter filter,
                         union texel *out)
{
    union texel v[MOST_TEXELS];
    float weight[MOST_AXES];
    unsigned count = footprint(k, p, &k->t->level[level], filter == WEFT_LINEAR && !k->integer, v, weight);
    for (unsigned axis = 0; count > 1; axis++, count /= 2)
        for (unsigned n = 0; n < count / 2; n++)
            for (unsigned c = 0; c < 4; c++)
                v[n].f[c] = lerp(v[2 * n].f[c], v[2 * n + 1].f[c], weight[axis]);
    *out = v[0];
}

/* One sample with the mip levels that lod asks for. */
static void filter_mips(const struct look *k, const struct spot *p, float lod, union texel *out)
{
    const weft_sampler *s = k->s;
    weft_filter filter = lod <= 0.0f ? s->mag_filter : s->min_filter;
    uint32_t last = k->t->levels - 1;
    if (s->mip_filter == WEFT_MIP_NONE) {
        filter_level(k, p, 0, filter, out);
        return;
    }
    if (s->mip_filter == WEFT_MIP_NEAREST || k->integer) {
        uint32_t n = (uint32_t)(clampf(lod, 0.0f, (float)TEXTURE_MAX_LEVELS) + 0.5f);
        filter_level(k, p, n < last ? n : last, filter, out);
        return;
    }
    float l = clampf(lod, 0.0f, (float)last);
    uint32_t level = (uint32_t)l;
    float weight = mip_weight(l - (float)level);
    filter_level(k, p, level, filter, out);
    if (weight > 0.0f) {
        union texel next;
        filter_level(k, p, level + 1, filter, &next);
        for (unsigned c = 0; c < 4; c++)
            out->f[c] = lerp(out->f[c], next.f[c], weight);
    }
}

/* ---- level of detail ---- */

/* Derivatives of a lane's coordinates along x and y of the screen. */
struct derivatives {
    float dx[MOST_AXES], dy[MOST_AXES];
};

static void derivatives_of(const struct look *k, unsigned lane, struct derivatives *d)
{
    const struct texture_args *a = &k->args;
    unsigned quad = lane & ~3u;
    for (unsigned i = 0; i < a->axes; i++) {
        const float *c = a->coord[i];
        bool given = a->ddx[i] != NULL;
        d->dx[i] = given ? a->ddx[i][lane] : c[quad + 3] - c[quad + 2];
        d->dy[i] = given ? a->ddy[i][lane] : c[quad] - c[quad + 2];
    }
}

static float axis_size(const struct look *k, unsigned axis)
{
    const struct texture_level *l = &k->t->level[0];
    if (counts_texels(k))
        return 1.0f;
    if (k->cube)
        return (float)l->width * 0.5f;
    return (float)(axis == 0 ? l->width : axis == 1 ? l->height : l->depth);
}

static float lod_of(const struct look *k, const struct derivatives *d)
{
    float rho = 0.0f;
    for (unsigned i = 0; i < k->args.axes; i++)
        rho = larger(larger(magnitude(d->dx[i]), magnitude(d->dy[i])) * axis_size(k, i), rho);
    return log2_lod(rho);
}

/* A level of detail, or a bias to be added to it, that the program gives. */
static float level_argument(const struct look *k, unsigned lane)
{
    return k->args.level ? ((const float *)k->args.level)[lane] : 0.0f;
}

static float limit_lod(const struct look *k, unsigned lane, float lod)
{
    const weft_sampler *s = k->s;
    float least = k->args.min_lod ? larger(k->args.min_lod[lane], s->min_lod) : s->min_lod;
    return clampf(lod + s->lod_bias, least, s->max_lod);
}

/* ---- lanes ---- */

static void find_spot(const struct look *k, unsigned lane, struct spot *p)
{
    const struct texture_args *a = &k->args;
    float c[MOST_AXES] = {0, 0, 0};
    *p = (struct spot){.slice = 0};
    for (unsigned i = 0; i < a->axes; i++) {
        c[i] = ((const float *)a->coord[i])[lane];
        if (a->offset[i])
            p->offset[i] = (float)a->offset[i][lane];
    }
    if (a->layer) {
        float layer = clampf(((const float *)a->layer)[lane], -1.0f, (float)TEXTURE_MAX_SIZE);
        p->slice = (int32_t)clampf(floor_small(layer + 0.5f), 0.0f, (float)(k->t->layers - 1));
    }
    if (k->cube)
        p->slice = p->slice * 6 + (int32_t)cube_face(c, p->c);
    else
        memcpy(p->c, c, sizeof c);
    if (a->compare) {
        float reference = ((const float *)a->compare)[lane];
        p->reference = k->clamp_reference ? clampf(reference, 0.0f, 1.0f) : reference;
    }
}

static void store(const struct look *k, const struct exec_texture_call *call, unsigned lane, const union texel *v)
{
    const union texel constants = k->integer ? (union texel){.u = {0, 1}} : (union texel){.f = {0.0f, 1.0f}};
    for (unsigned c = 0; c < 4; c++) {
        uint32_t *to = call->results[c];
        unsigned from = k->compare ? c : k->t->swizzle[c];
        if (to)
            to[lane] = from < 4 ? v->u[from] : constants.u[from - SWIZZLE_ZERO];
    }
}

/* The mean of samples along the longer edge of a lane's footprint. */
static void sample_anisotropic(const struct look *k, unsigned lane, const struct spot *p, const struct derivatives *d,
                               union texel *out)
{
    float x2 = 0.0f, y2 = 0.0f, lod;
    for (unsigned i = 0; i < k->axes; i++) {
        float x = d->dx[i] * axis_size(k, i), y = d->dy[i] * axis_size(k, i);
        x2 = x2 + x * x;
        y2 = y2 + y * y;
    }
    unsigned most = (unsigned)clampf(k->s->max_anisotropy, 1.0f, (float)SAMPLE_MAX_ANISOTROPY);
    float longest = larger(x2, y2), shortest = x2 < y2 ? x2 : y2, count = 1.0f;
    for (unsigned n = 1; n < most; n++)
        count += anisotropic_more(longest, shortest, (float)n);
    lod = limit_lod(k, lane, anisotropic_lod(longest, count) + level_argument(k, lane));
    union texel sum = {.f = {0, 0, 0, 0}};
    for (float n = 0.0f; n < count; n = n + 1.0f) {
        struct spot at = *p;
        float along = anisotropic_place(n, count);
        for (unsigned i = 0; i < k->axes; i++)
            at.c[i] = p->c[i] + (x2 >= y2 ? d->dx[i] : d->dy[i]) * along;
        union texel one;
        filter_mips(k, &at, lod, &one);
        for (unsigned c = 0; c < 4; c++)
            sum.f[c] = sum.f[c] + one.f[c];
    }
    for (unsigned c = 0; c < 4; c++)
        out->f[c] = sum.f[c] / count;
}

static void sample_lane(const struct look *k, unsigned lane, union texel *out)
{
    const weft_sampler *s = k->s;
    struct derivatives d;
    struct spot p;
    find_spot(k, lane, &p);
    float level = level_argument(k, lane);
    if (k->op->op == IR_TEX_LOD) {
        filter_mips(k, &p, limit_lod(k, lane, level), out);
        return;
    }
    derivatives_of(k, lane, &d);
    if (s->max_anisotropy > 1.0f && !k->integer && !k->cube)
        sample_anisotropic(k, lane, &p, &d, out);
    else
        filter_mips(k, &p, limit_lod(k, lane, lod_of(k, &d) + level), out);
}

static bool inside(int32_t i, int32_t size)
{
    return i >= 0 && i < size;
}

/* OpenGL's order: (low, high) (high, high) (high, low) (low, low). */
static void gather_lane(const struct look *k, unsigned lane, union texel *out)
{
    static const uint8_t order[4] = {2, 3, 1, 0};
    struct spot p;
    union texel v[MOST_TEXELS];
    float weight[MOST_AXES];
    find_spot(k, lane, &p);
    int32_t level = k->args.level ? ((const int32_t *)k->args.level)[lane] : 0;
    if (!inside(level, (int32_t)k->t->levels))
        return;
    unsigned count = footprint(k, &p, &k->t->level[level], true, v, weight);
    unsigned from = k->compare ? 0 : k->t->swizzle[k->op->gather_component & 3];
    for (unsigned c = 0; c < 4; c++) {
        if (from < 4)
            out->u[c] = v[order[c] & (count - 1)].u[from] /* 1D textures have one row */;
        else if (k->integer)
            out->u[c] = from == SWIZZLE_ONE;
        else
            out->f[c] = from == SWIZZLE_ONE ? 1.0f : 0.0f;
    }
}

/* The level that would be read, and the level as it was computed. */
static void query_lod_lane(const struct look *k, unsigned lane, union texel *out)
{
    struct derivatives d;
    derivatives_of(k, lane, &d);
    float lod = lod_of(k, &d);
    float computed = k->op->no_bias ? lod : lod + k->s->lod_bias;
    float read = clampf(clampf(computed, k->s->min_lod, k->s->max_lod), 0.0f, (float)(k->t->levels - 1));
    if (k->s->mip_filter == WEFT_MIP_NEAREST)
        read = floor_small(read + 0.5f);
    if (k->s->mip_filter == WEFT_MIP_NONE)
        read = 0.0f;
    *out = (union texel){.f = {read, computed, 0.0f, 0.0f}};
}

/* ---- texel fetch ---- */

static void fetch_lane(const struct look *k, unsigned lane, union texel *out)
{
    const struct texture_args *a = &k->args;
    const struct weft_texture *t = k->t;
    int32_t level = a->level ? ((const int32_t *)a->level)[lane] : 0;
    int32_t sample = a->sample ? ((const int32_t *)a->sample)[lane] : 0;
    int32_t slice = a->layer ? ((const int32_t *)a->layer)[lane] : 0;
    int32_t at[MOST_AXES] = {0, 0, 0};
    if (k->op->as_bound && t->samples > 1)
        level = 0;
    else if (k->op->as_bound)
        sample = 0;
    memset(out, 0, sizeof *out);
    for (unsigned i = 0; i < a->axes; i++) {
        uint32_t offset = a->offset[i] ? (uint32_t)a->offset[i][lane] : 0;
        at[i] = (int32_t)(((const uint32_t *)a->coord[i])[lane] + offset);
    }
    if (!inside(level, (int32_t)t->levels) || !inside(sample, (int32_t)t->samples))
        return;
    struct texture_level l = t->level[level];
    if (a->axes == 3)
        slice = at[2];
    if (!inside(at[0], l.width) || !inside(at[1], l.height) || !inside(slice, l.depth))
        return;
    l.first += sample * l.sample;
    read_texel(t, &l, at[0], at[1], slice, out);
}

static void fetch_stored(const struct look *k, const struct exec_texture_call *call, unsigned lane)
{
    union texel v;
    fetch_lane(k, lane, &v);
    store(k, call, lane, &v);
}

/* ---- calls ---- */

static void store_as_is(const struct exec_texture_call *call, unsigned lane, const union texel *v)
{
    for (unsigned c = 0; c < 4; c++)
        if (call->results[c])
            ((uint32_t *)call->results[c])[lane] = v->u[c];
}

void sample_lanes(const struct weft_texture *t, const weft_sampler *s, const struct exec_texture_call *call)
{
    const struct ir_texture *op = call->op;
    struct look k = {.t = t,
                     .s = s,
                     .op = op,
                     .axes = op->dim == IR_TEX_3D                                ? 3
                             : op->dim == IR_TEX_1D || op->dim == IR_TEX_BUFFER ? 1
                                                                                : 2,
                     .integer = t && format_class(t->format) != FORMAT_CLASS_FLOAT,
                     .compare = op->shadow && (s->compare || op->compares) && op->op != IR_TEX_FETCH,
                     .clamp_reference = t && t->format->channel[0].kind == FORMAT_UNORM,
                     .cube = op->dim == IR_TEX_CUBE,
                     .wrap = {s->wrap_s, s->wrap_t, s->wrap_r}};
    texture_args(call, &k.args);
    for (unsigned i = 0; k.cube && i < 2; i++)
        k.wrap[i] = WEFT_WRAP_CLAMP_TO_EDGE;
    for (unsigned lane = 0; lane < call->lanes; lane++) {
        if (!(call->active >> lane & 1))
            continue;
        union texel v = {.u = {0, 0, 0, 0}};
        if (!t) {
            store_as_is(call, lane, &v);
            continue;
        }
        switch ((enum ir_tex_op)op->op) {
        case IR_TEX_SAMPLE:
        case IR_TEX_BIAS:
        case IR_TEX_LOD:
        case IR_TEX_GRAD:
            sample_lane(&k, lane, &v);
            for (unsigned c = 0; c < 4 && !k.integer && sampler_mixes(s); c++)
                v.f[c] = one_nan(v.f[c]);
            store(&k, call, lane, &v);
            break;
        case IR_TEX_FETCH:
            fetch_stored(&k, call, lane);
            break;
        case IR_TEX_GATHER:
            gather_lane(&k, lane, &v);
            store_as_is(call, lane, &v);
            break;
        case IR_TEX_QUERY_LOD:
            query_lod_lane(&k, lane, &v);
            store_as_is(call, lane, &v);
            break;
        case IR_TEX_QUERY_SIZE:
            texture_size(t, op, k.args.level ? ((const int32_t *)k.args.level)[lane] : 0, v.i);
            store_as_is(call, lane, &v);
            break;
        case IR_TEX_QUERY_SAMPLES:
            for (unsigned c = 0; c < 4; c++)
                v.u[c] = op->multisample || t->samples > 1 ? t->samples : 0;
            store_as_is(call, lane, &v);
            break;
        case IR_TEX_QUERY_POS:
            texture_sample_position(t, ((const int32_t *)k.args.sample)[lane], v.f);
            store_as_is(call, lane, &v);
            break;
        }
    }
}
