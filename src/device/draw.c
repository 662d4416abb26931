/* draw.c - a draw from its vertices to its tiles.
 *
 * All vertices are shaded first. Primitives then go in rounds: each round sets up batches of primitives in parallel,
 * every batch sorting its triangles into the tiles they touch, and then draws all tiles in parallel, each by one thread
 * that takes the batches in order. So the order of primitives within a pixel, and with it every result, is that of the
 * draw, whatever the number of threads; memory stays proportional to the vertices and one round. */
#include "device/pipeline.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH_PRIMITIVES = 256, ROUND_BATCHES = 64 };

struct draw {
    const struct pipeline *p;
    struct pool *pool;
    struct failure failure;
    struct vertices own;
    const struct vertices *vertices;
    uint32_t position; /* slot */
    uint32_t tiles_x, tiles_y;
    uint32_t primitives;

    unsigned threads;
    struct vertex_stage **vertex; /* by thread, made by the thread at its first job */
    struct fragment_stage **fragment;
    struct batch *batches;
    size_t nbatches;
    uint32_t first_primitive; /* of the round */
    bool first_round;
};

/* ---- failures ---- */

static bool failed(const struct draw *d)
{
    return failure_seen(&d->failure);
}

static void out_of_memory(struct draw *d)
{
    failure_set(&d->failure, WEFT_ERROR_MEMORY, NULL, 0, NULL);
}

/* ---- vertices ---- */

static void vertex_job(void *context, unsigned thread, size_t job)
{
    struct draw *d = context;
    if (failed(d))
        return;
    if (!d->vertex[thread] && !(d->vertex[thread] = vertex_stage_new(d->p, &d->own, &d->failure))) {
        out_of_memory(d);
        return;
    }
    if (!failed(d))
        vertex_stage_run(d->vertex[thread], (uint32_t)job);
}

static void shade_vertices(struct draw *d)
{
    if (!d->p->vertex.program) {
        d->vertices = d->p->ready;
        return;
    }
    const struct ir_io *io = &d->p->vertex.ir->io;
    size_t warps = ((size_t)d->p->vertex_count + 63) / 64, floats = warps * io->noutputs * 4 * 64;
    d->own = (struct vertices){.count = d->p->vertex_count, .slots = io->noutputs, .slot = io->outputs};
    d->own.rows = floats ? aligned_alloc(64, floats * sizeof(float)) : NULL;
    if (floats && !d->own.rows) {
        out_of_memory(d);
        return;
    }
    if (floats)
        memset(d->own.rows, 0, floats * sizeof(float));
    d->vertices = &d->own;
    pool_run(d->pool, vertex_job, d, warps);
}

/* ---- primitives ---- */

static uint32_t count_primitives(const struct pipeline *p)
{
    uint32_t n = p->indices ? p->index_count : p->vertex_count;
    if (p->topology == TRIANGLE_STRIP)
        return n < 3 ? 0 : n - 2;
    return n / 3;
}

/* The vertices of a primitive in the order of its orientation, and the one that flat inputs come from. In a strip, odd
 * triangles swap their first two vertices. */
static bool assemble(const struct draw *d, uint32_t primitive, uint32_t vertex[3], uint32_t *provoking)
{
    const struct pipeline *p = d->p;
    bool strip = p->topology == TRIANGLE_STRIP;
    uint32_t at[3] = {0, 1, 2};
    uint32_t first = strip ? primitive : primitive * 3;
    *provoking = p->provoking_first ? first : first + 2;
    if (strip && (primitive & 1)) {
        at[0] = 1;
        at[1] = 0;
    }
    for (unsigned i = 0; i < 3; i++) {
        vertex[i] = p->indices ? p->indices[first + at[i]] : first + at[i];
        if (vertex[i] >= d->vertices->count)
            return false;
    }
    if (p->indices)
        *provoking = p->indices[*provoking];
    return true;
}

/* Add (tile, triangle) for the tiles that triangle `index` may touch. */
static bool bin_triangle(const struct draw *d, struct batch *b, uint32_t index)
{
    const struct triangle *t = &b->triangles[index];
    uint32_t x0 = (uint32_t)t->bounds.x0 / PIPELINE_TILE, x1 = (uint32_t)(t->bounds.x1 - 1) / PIPELINE_TILE;
    uint32_t y0 = (uint32_t)t->bounds.y0 / PIPELINE_TILE, y1 = (uint32_t)(t->bounds.y1 - 1) / PIPELINE_TILE;
    if (!GROW(b->pairs, b->pairs_cap, b->npairs, 2 * (size_t)(x1 - x0 + 1) * (y1 - y0 + 1)))
        return false;
    for (uint32_t y = y0; y <= y1; y++)
        for (uint32_t x = x0; x <= x1; x++) {
            b->pairs[b->npairs++] = y * d->tiles_x + x;
            b->pairs[b->npairs++] = index;
        }
    return true;
}

/* Sort the pairs by tile; the order within a tile stays. */
static bool sort_bins(const struct draw *d, struct batch *b)
{
    size_t tiles = (size_t)d->tiles_x * d->tiles_y, count = b->npairs / 2;
    if (!GROW(b->bins, b->bins_cap, 0, count + 1))
        return false;
    memset(b->bin_start, 0, (tiles + 1) * sizeof *b->bin_start);
    for (size_t i = 0; i < count; i++)
        b->bin_start[b->pairs[2 * i] + 1]++;
    for (size_t i = 0; i < tiles; i++)
        b->bin_start[i + 1] += b->bin_start[i];
    for (size_t i = 0; i < count; i++)
        b->bins[b->bin_start[b->pairs[2 * i]]++] = b->pairs[2 * i + 1];
    /* Each start has moved to the next one's place. */
    memmove(b->bin_start + 1, b->bin_start, tiles * sizeof *b->bin_start);
    b->bin_start[0] = 0;
    return true;
}

static void setup_job(void *context, unsigned thread, size_t job)
{
    struct draw *d = context;
    struct batch *b = &d->batches[job];
    (void)thread;
    if (failed(d))
        return;
    b->ntriangles = b->nshadings = b->nplanes = b->npairs = 0;
    uint32_t first = d->first_primitive + (uint32_t)job * BATCH_PRIMITIVES;
    uint32_t end = d->primitives - first < BATCH_PRIMITIVES ? d->primitives : first + BATCH_PRIMITIVES;
    bool ok = true;
    for (uint32_t i = first; ok && i < end; i++) {
        uint32_t vertex[3], provoking;
        if (assemble(d, i, vertex, &provoking))
            ok = setup_triangle(d->p, d->vertices, vertex, provoking, d->position, b);
    }
    for (uint32_t i = 0; ok && i < b->ntriangles; i++)
        ok = bin_triangle(d, b, i);
    if (!ok || !sort_bins(d, b))
        out_of_memory(d);
}

/* ---- tiles ---- */

static void tile_job(void *context, unsigned thread, size_t job)
{
    struct draw *d = context;
    const struct pipeline *p = d->p;
    if (failed(d))
        return;
    if (!d->fragment[thread] && !(d->fragment[thread] = fragment_stage_new(p, &d->failure))) {
        out_of_memory(d);
        return;
    }
    struct fragment_stage *s = d->fragment[thread];
    const struct device_kernels *kernels = device_kernels(p->resources.level);
    int32_t x = (int32_t)(job % d->tiles_x) * PIPELINE_TILE, y = (int32_t)(job / d->tiles_x) * PIPELINE_TILE;
    struct rect tile = {x, y, x + PIPELINE_TILE, y + PIPELINE_TILE};
    fragment_tile(s, x, y, p->clear && d->first_round);
    size_t inputs = (size_t)p->fragment.ir->io.ninputs * 4;
    for (size_t i = 0; i < d->nbatches; i++) {
        const struct batch *b = &d->batches[i];
        for (uint32_t k = b->bin_start[job]; k < b->bin_start[job + 1] && !failed(d); k++) {
            const struct triangle *t = &b->triangles[b->bins[k]];
            (fragment_samples(s) > 1 ? raster_samples : raster_triangle)(t, &tile, &p->scissor, kernels, s, &b->shadings[t->shading],
                            b->planes ? b->planes + t->shading * inputs : NULL);
        }
    }
    fragment_tile_end(s);
}

/* ---- the draw ---- */

static void free_batches(struct draw *d)
{
    for (size_t i = 0; d->batches && i < ROUND_BATCHES; i++) {
        struct batch *b = &d->batches[i];
        free(b->triangles);
        free(b->shadings);
        free(b->planes);
        free(b->pairs);
        free(b->bins);
        free(b->bin_start);
    }
    free(d->batches);
}

static bool make_batches(struct draw *d, size_t count)
{
    size_t tiles = (size_t)d->tiles_x * d->tiles_y;
    d->nbatches = count;
    for (size_t i = 0; i < count; i++)
        if (!d->batches[i].bin_start && !(d->batches[i].bin_start = calloc(tiles + 1, sizeof(uint32_t))))
            return false;
    return true;
}

static void draw_rounds(struct draw *d)
{
    d->first_round = true;
    do {
        uint32_t left = d->primitives - d->first_primitive;
        size_t batches = ((size_t)left + BATCH_PRIMITIVES - 1) / BATCH_PRIMITIVES;
        if (!make_batches(d, batches < ROUND_BATCHES ? batches : ROUND_BATCHES)) {
            out_of_memory(d);
            return;
        }
        pool_run(d->pool, setup_job, d, d->nbatches);
        if (failed(d))
            return;
        pool_run(d->pool, tile_job, d, (size_t)d->tiles_x * d->tiles_y);
        uint32_t done = (uint32_t)d->nbatches * BATCH_PRIMITIVES;
        d->first_primitive = left > done ? d->first_primitive + done : d->primitives;
        d->first_round = false;
    } while (d->first_primitive < d->primitives && !failed(d));
}

static bool find_position(struct draw *d)
{
    for (d->position = 0; d->position < d->vertices->slots; d->position++)
        if (d->vertices->slot[d->position].semantic == IR_SEM_POSITION)
            return true;
    return false;
}

static void count_tiles(struct draw *d)
{
    const struct surface *s = d->p->color[0].pixels ? &d->p->color[0] : &d->p->depth;
    d->tiles_x = (s->width + PIPELINE_TILE - 1) / PIPELINE_TILE;
    d->tiles_y = (s->height + PIPELINE_TILE - 1) / PIPELINE_TILE;
}

static void report(const struct draw *d, weft_diags *diags)
{
    const struct stage *stage = d->failure.ir == d->p->vertex.ir ? &d->p->vertex : &d->p->fragment;
    failure_report(&d->failure, stage->source, d->p->budget, "draw", diags);
}

weft_status pipeline_draw(const struct pipeline *p, struct pool *pool, struct pipeline_stats *stats, weft_diags *diags)
{
    struct draw d = {.p = p, .pool = pool, .threads = pool_threads(pool)};
    d.vertex = calloc(d.threads, sizeof *d.vertex);
    d.fragment = calloc(d.threads, sizeof *d.fragment);
    d.batches = calloc(ROUND_BATCHES, sizeof *d.batches);
    if (!d.vertex || !d.fragment || !d.batches) {
        out_of_memory(&d);
    } else {
        shade_vertices(&d);
        count_tiles(&d);
    }
    if (!failed(&d) && !find_position(&d))
        failure_set(&d.failure, WEFT_ERROR_INPUT, p->vertex.ir, 0, "the vertex program writes no POSITION");
    if (!failed(&d)) {
        d.primitives = count_primitives(p);
        draw_rounds(&d);
    }
    weft_status status = (weft_status)atomic_load(&d.failure.status);
    if (status != WEFT_OK)
        report(&d, diags);
    for (unsigned i = 0; i < d.threads; i++) {
        if (d.vertex)
            vertex_stage_free(d.vertex[i], stats);
        if (d.fragment)
            fragment_stage_free(d.fragment[i], stats);
    }
    stats->primitives += d.primitives;
    free(d.vertex);
    free(d.fragment);
    free_batches(&d);
    free(d.own.rows);
    return status;
}
