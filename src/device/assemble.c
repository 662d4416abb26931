/* assemble.c - the primitives of each topology.
 *
 * Any primitive can be had by its number, so that batches are set up in parallel. Orders of vertices and provoking
 * vertices are those of OpenGL 4.6, chapter 10.1 and table 13.2, and of Vulkan's chapter Drawing, which agree. */
#include "device/primitive.h"

#include <stdlib.h>

/* Primitives of n vertices: (n - less) / step. */
static const struct {
    uint8_t least, less, step;
    uint8_t corners; /* of a primitive; quads are two triangles each */
} kinds[TOPOLOGIES] = {
    [TRIANGLE_LIST] = {3, 0, 3, 3},
    [TRIANGLE_STRIP] = {3, 2, 1, 3},
    [TRIANGLE_FAN] = {3, 2, 1, 3},
    [POINT_LIST] = {1, 0, 1, 1},
    [LINE_LIST] = {2, 0, 2, 2},
    [LINE_STRIP] = {2, 1, 1, 2},
    [LINE_LOOP] = {2, 0, 1, 2},
    [QUAD_LIST] = {4, 0, 4, 3},
    [QUAD_STRIP] = {4, 2, 2, 3},
    [POLYGON] = {3, 2, 1, 3},
    [LINE_LIST_ADJACENCY] = {4, 0, 4, 2},
    [LINE_STRIP_ADJACENCY] = {4, 3, 1, 2},
    [TRIANGLE_LIST_ADJACENCY] = {6, 0, 6, 3},
    [TRIANGLE_STRIP_ADJACENCY] = {6, 4, 2, 3},
};

static bool is_quads(enum topology t)
{
    return t == QUAD_LIST || t == QUAD_STRIP;
}

static uint32_t count_primitives(const struct assembly *a, uint32_t vertices)
{
    if (a->topology == PATCH_LIST)
        return a->patch_vertices ? vertices / a->patch_vertices : 0;
    if (vertices < kinds[a->topology].least)
        return 0;
    uint32_t n = (vertices - kinds[a->topology].less) / kinds[a->topology].step;
    return is_quads(a->topology) ? 2 * n : n;
}

static bool add_run(struct assembly *a, size_t *cap, uint32_t first, uint32_t count)
{
    uint32_t primitives = count_primitives(a, count);
    if (!primitives)
        return true;
    if (!GROW(a->runs, *cap, a->nruns, 1))
        return false;
    a->runs[a->nruns++] = (struct run){first, count, a->primitives};
    a->primitives += primitives;
    return true;
}

bool assembly_init(struct assembly *a, uint32_t count, bool restart, uint32_t restart_index)
{
    size_t cap = 0;
    uint32_t first = 0;
    a->runs = NULL;
    a->nruns = a->primitives = 0;
    for (uint32_t i = 0; restart && a->indices && i < count; i++)
        if (a->indices[i] == restart_index) {
            if (!add_run(a, &cap, first, i - first))
                return false;
            first = i + 1;
        }
    return add_run(a, &cap, first, count - first);
}

void assembly_free(struct assembly *a)
{
    free(a->runs);
    a->runs = NULL;
}

/* The run that primitive n is in. */
static const struct run *find_run(const struct assembly *a, uint32_t n)
{
    uint32_t low = 0, high = a->nruns;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (a->runs[middle].primitive <= n)
            low = middle;
        else
            high = middle;
    }
    return &a->runs[low];
}

/* Places in the run of the vertices of its primitive n. */
struct places {
    uint32_t at[3];
    uint32_t provoking;
    uint8_t edges;
};

/* Quad q's vertices around it are v, the triangles are such that both have the provoking vertex. */
static struct places quad_half(const uint32_t v[4], uint32_t half, bool first, uint32_t provoking)
{
    if (first)
        return half ? (struct places){{v[0], v[2], v[3]}, provoking, 6}
                    : (struct places){{v[0], v[1], v[2]}, provoking, 3};
    return half ? (struct places){{v[1], v[2], v[3]}, provoking, 3} : (struct places){{v[0], v[1], v[3]}, provoking, 5};
}

static struct places places_of(const struct assembly *a, const struct run *run, uint32_t n)
{
    bool first = a->provoking_first, odd = n & 1;
    uint32_t q = n / 2;
    switch (a->topology) {
    case TRIANGLE_STRIP: /* odd triangles swap their first two vertices, for one orientation */
        return (struct places){{n + odd, n + !odd, n + 2}, first ? n : n + 2, 7};
    case TRIANGLE_FAN:
        return (struct places){{0, n + 1, n + 2}, first ? n + 1 : n + 2, 7};
    case POLYGON: /* outer edges: the first triangle has the one from vertex 0, the last the one back to it */
        return (struct places){
            {0, n + 1, n + 2}, 0, (uint8_t)(2 | (n == 0) | (n + 3 == run->count) << 2)};
    case POINT_LIST:
        return (struct places){{n, 0, 0}, n, 1};
    case LINE_LIST:
        return (struct places){{2 * n, 2 * n + 1, 0}, first ? 2 * n : 2 * n + 1, 1};
    case LINE_STRIP:
        return (struct places){{n, n + 1, 0}, first ? n : n + 1, 1};
    case LINE_LOOP: {
        uint32_t next = n + 1 == run->count ? 0 : n + 1;
        return (struct places){{n, next, 0}, first ? n : next, 1};
    }
    case QUAD_LIST:
        return quad_half((const uint32_t[]){4 * q, 4 * q + 1, 4 * q + 2, 4 * q + 3}, odd, first,
                         first ? 4 * q : 4 * q + 3);
    case QUAD_STRIP: /* around: 0, 1, 3, 2; the last vertex is the third one around */
        if (first)
            return quad_half((const uint32_t[]){2 * q, 2 * q + 1, 2 * q + 3, 2 * q + 2}, odd, true, 2 * q);
        return quad_half((const uint32_t[]){2 * q + 2, 2 * q, 2 * q + 1, 2 * q + 3}, odd, false, 2 * q + 3);
    case LINE_LIST_ADJACENCY:
        return (struct places){{4 * n + 1, 4 * n + 2, 0}, first ? 4 * n + 1 : 4 * n + 2, 1};
    case LINE_STRIP_ADJACENCY:
        return (struct places){{n + 1, n + 2, 0}, first ? n + 1 : n + 2, 1};
    case TRIANGLE_LIST_ADJACENCY:
        return (struct places){{6 * n, 6 * n + 2, 6 * n + 4}, first ? 6 * n : 6 * n + 4, 7};
    case TRIANGLE_STRIP_ADJACENCY:
        return (struct places){{2 * n + 2 * odd, 2 * n + 2 * !odd, 2 * n + 4}, first ? 2 * n : 2 * n + 4, 7};
    default:
        return (struct places){{3 * n, 3 * n + 1, 3 * n + 2}, first ? 3 * n : 3 * n + 2, 7};
    }
}

/* The vertex at a place of a run; false when there is none. */
static bool vertex_at(const struct assembly *a, const struct run *run, uint32_t place, uint32_t offset,
                      uint32_t *vertex)
{
    uint32_t v = a->indices ? a->indices[run->first + place] : run->first + place;
    *vertex = v + offset;
    return v < a->vertices;
}

bool assembly_primitive(const struct assembly *a, uint64_t number, struct primitive *out)
{
    uint32_t instance = (uint32_t)(number / a->primitives), n = (uint32_t)(number % a->primitives);
    const struct run *run = find_run(a, n);
    struct places places = places_of(a, run, n - run->primitive);
    out->count = kinds[a->topology].corners;
    out->edges = places.edges;
    out->id = a->ids                   ? a->ids[n]
              : is_quads(a->topology)  ? n / 2
              : a->topology == POLYGON ? (uint32_t)(run - a->runs)
                                       : n;
    bool there = vertex_at(a, run, places.provoking, instance * a->stride, &out->provoking);
    for (unsigned i = 0; i < out->count; i++)
        there &= vertex_at(a, run, places.at[i], instance * a->stride, &out->vertex[i]);
    return there;
}

/* Places of a triangle strip's vertices with adjacency (Vulkan, "Triangle Strips With Adjacency"). */
static void strip_adjacency(uint32_t n, uint32_t count, bool first, uint32_t at[6])
{
    uint32_t last = count / 2 - 3, next = n == last ? 2 * n + 5 : 2 * n + 6, before = n ? 2 * n - 2 : 1;
    if (n % 2 == 0) {
        const uint32_t even[6] = {2 * n, before, 2 * n + 2, next, 2 * n + 4, 2 * n + 3};
        for (unsigned i = 0; i < 6; i++)
            at[i] = even[i];
        return;
    }
    /* Turned so that the provoking vertex comes first or last of the corners. */
    const uint32_t odd[6] = {2 * n, 2 * n + 3, 2 * n + 4, next, 2 * n + 2, before};
    for (unsigned i = 0; i < 6; i++)
        at[i] = odd[(i + (first ? 0 : 4)) % 6];
}

unsigned assembly_vertices(const struct assembly *a, uint64_t number, uint32_t vertex[PIPELINE_PATCH_VERTICES],
                           uint32_t *id)
{
    uint32_t instance = (uint32_t)(number / a->primitives), k = (uint32_t)(number % a->primitives);
    const struct run *run = find_run(a, k);
    uint32_t n = k - run->primitive, at[PIPELINE_PATCH_VERTICES];
    unsigned count = kinds[a->topology].corners;
    *id = a->ids ? a->ids[k] : k;
    if (a->topology == PATCH_LIST) {
        count = a->patch_vertices;
        for (uint32_t i = 0; i < count; i++)
            at[i] = n * count + i;
    } else if (a->topology == LINE_LIST_ADJACENCY || a->topology == LINE_STRIP_ADJACENCY) {
        count = 4;
        for (uint32_t i = 0; i < 4; i++)
            at[i] = n * kinds[a->topology].step + i;
    } else if (a->topology == TRIANGLE_LIST_ADJACENCY) {
        count = 6;
        for (uint32_t i = 0; i < 6; i++)
            at[i] = 6 * n + i;
    } else if (a->topology == TRIANGLE_STRIP_ADJACENCY) {
        count = 6;
        strip_adjacency(n, run->count, a->provoking_first, at);
    } else {
        struct places places = places_of(a, run, n);
        bool turn = a->topology == TRIANGLE_STRIP && (n & 1) && a->provoking_first;
        for (unsigned i = 0; i < count; i++) /* with the provoking vertex first, an odd triangle is n, n + 2, n + 1 */
            at[i] = places.at[turn ? (i + 1) % 3 : i];
    }
    bool there = true;
    for (unsigned i = 0; i < count; i++)
        there &= vertex_at(a, run, at[i], instance * a->stride, &vertex[i]);
    return there ? count : 0;
}
