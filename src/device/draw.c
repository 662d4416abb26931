/* draw.c - a draw from its vertices to its tiles.
 *
 * All vertices of an instance, or of a group of them, are shaded first. Tessellation and geometry stages take some of
 * their primitives at a time and make new vertices and primitives. Primitives then go in rounds: each round sets up
 * batches of primitives in parallel, every batch sorting its triangles into the tiles they touch, and then draws all
 * tiles in parallel, each by one thread that takes the batches in order. So the order of primitives within a pixel, and
 * with it every result, is that of the draw, whatever the number of threads; memory stays proportional to the vertices
 * and one round. */
#include "device/fragment.h"
#include "device/order.h"
#include "device/primitive.h"
#include "device/tess.h"
#include "device/vertex.h"
#include "device/warps.h"

#include <stdlib.h>
#include <string.h>

enum {
    BATCH_PRIMITIVES = 256,
    ROUND_BATCHES = 64,
    GROUP_VERTICES = 1 << 18, /* of instances shaded together, unless one has more */
    EXPAND_JOBS = 64          /* warps of a geometry stage, or patches, whose results are kept together */
};
/* Bytes of shaded vertices: more for one instance is refused, more of a geometry stage goes in several passes. */
#define VERTEX_MEMORY ((size_t)1 << 31)
#define EXPAND_MEMORY ((size_t)1 << 28)

struct draw {
    const struct pipeline *p;
    struct pool *pool;
    struct failure failure;
    struct vertex_source source;
    struct vertices own;
    size_t own_cap; /* floats */
    struct vertex_place *places; /* of `own`; NULL: they do not serve */
    size_t places_cap;
    uint16_t *own_link;

    /* What is drawn next: the vertices and primitives of the last stage. */
    struct stage_input input;
    uint64_t primitives;
    struct outlet outlet;
    struct setup setup;
    uint32_t tiles_x, tiles_y;

    unsigned threads;
    struct vertex_stage **vertex; /* by thread, made by the thread at its first job */
    struct tess_stage **tess;
    struct geometry_stage **geometry;
    struct fragment_stage **fragment;
    struct batch *batches;
    size_t nbatches;
    uint64_t first_primitive; /* of the round */
    bool first_round;
    uint64_t drawn;
};

/* A pass of a tessellation or geometry stage over some primitives. */
struct expand {
    struct draw *d;
    struct stage_input input;
    uint64_t first, count;
    struct expansion results[EXPAND_JOBS];
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

/* Before a piece of work: something failed, or there is no time left. Programs that run long look at the clock too. */
static bool stopped(struct draw *d)
{
    if (!failed(d) && failure_late(d->failure.until))
        failure_set(&d->failure, WEFT_ERROR_TIME, NULL, 0, NULL);
    return failed(d);
}

/* ---- vertices ---- */

static void vertex_job(void *context, unsigned thread, size_t job)
{
    struct draw *d = context;
    if (stopped(d))
        return;
    if (!d->vertex[thread] && !(d->vertex[thread] = vertex_stage_new(d->p, &d->source, &d->own, &d->failure))) {
        out_of_memory(d);
        return;
    }
    if (failed(d))
        return;
    vertex_stage_run(d->vertex[thread], (uint32_t)job);
    uint32_t first = (uint32_t)job * 64, left = d->own.count - first;
    if (d->places && !failed(d))
        places_make(&d->setup, first, left < 64 ? left : 64, d->places);
}

static bool make_places(struct draw *d, size_t count)
{
    if (!places_serve(d->p, &d->outlet) || count <= d->places_cap)
        return true;
    free(d->places);
    d->places = malloc(count * sizeof *d->places);
    d->places_cap = d->places ? count : 0;
    return d->places;
}

/* Shade the vertices of some instances. */
static void shade_vertices(struct draw *d, uint32_t first_instance, uint32_t instances)
{
    const struct ir_io *io = &d->p->vertex.ir->io;
    size_t count = (size_t)d->source.count * instances, warps = (count + 63) / 64;
    size_t floats = warps * io->noutputs * 4 * 64;
    d->source.first_instance = first_instance;
    d->own.slots = io->noutputs;
    d->own.slot = io->outputs;
    d->own.count = (uint32_t)count;
    if (floats > VERTEX_MEMORY / sizeof(float)) {
        failure_set(&d->failure, WEFT_ERROR_MEMORY, NULL, 0, "the vertices of the draw need more than 2 GiB");
        return;
    }
    if (floats > d->own_cap) {
        free(d->own.rows);
        d->own.rows = aligned_alloc(64, floats * sizeof(float));
        d->own_cap = d->own.rows ? floats : 0;
    }
    if ((floats && !d->own.rows) || !make_places(d, count)) {
        out_of_memory(d);
        return;
    }
    if (floats)
        memset(d->own.rows, 0, floats * sizeof(float));
    d->setup.v = &d->own;
    pool_run(d->pool, vertex_job, d, warps);
    d->setup.places = d->places;
}

/* ---- primitives ---- */

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
    if (stopped(d))
        return;
    b->ntriangles = b->nshadings = b->nplanes = b->npairs = 0;
    uint64_t first = d->first_primitive + job * BATCH_PRIMITIVES;
    uint64_t end = d->primitives - first < BATCH_PRIMITIVES ? d->primitives : first + BATCH_PRIMITIVES;
    struct setup setup = d->setup;
    setup.out = b;
    bool ok = true;
    for (uint64_t i = first; ok && i < end; i++) {
        struct primitive primitive;
        if (assembly_primitive(d->input.a, i, &primitive))
            ok = setup_primitive(&setup, &primitive);
    }
    for (uint32_t i = 0; ok && i < b->ntriangles; i++)
        ok = bin_triangle(d, b, i);
    if (!ok || !sort_bins(d, b))
        out_of_memory(d);
}

/* ---- tiles ---- */

static void fetch_ahead(const void *memory, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 64)
        __builtin_prefetch((const char *)memory + i);
}

/* A batch is larger than the caches next to the processor, and tiles take its triangles from here and there. */
static void fetch_triangles(const struct batch *b, uint32_t k, uint32_t end, size_t inputs)
{
    enum { FAR = 6, NEAR = 3 };
    if (k + FAR < end)
        fetch_ahead(&b->triangles[b->bins[k + FAR]], sizeof *b->triangles);
    if (k + NEAR >= end)
        return;
    uint32_t shading = b->triangles[b->bins[k + NEAR]].shading;
    fetch_ahead(&b->shadings[shading], sizeof *b->shadings);
    if (inputs)
        fetch_ahead(b->planes + shading * inputs, inputs * sizeof *b->planes);
}

static void tile_job(void *context, unsigned thread, size_t job)
{
    struct draw *d = context;
    const struct pipeline *p = d->p;
    if (stopped(d) || !share_has(&p->share, job % d->tiles_x + job / d->tiles_x))
        return;
    if (!d->fragment[thread] && !(d->fragment[thread] = fragment_stage_new(p, &d->failure))) {
        out_of_memory(d);
        return;
    }
    struct fragment_stage *s = d->fragment[thread];
    const struct device_kernels *kernels = device_kernels(p->resources.level);
    int32_t x = (int32_t)(job % d->tiles_x) * PIPELINE_TILE, y = (int32_t)(job / d->tiles_x) * PIPELINE_TILE;
    struct rect tile = {x, y, x + PIPELINE_TILE, y + PIPELINE_TILE};
    bool several = fragment_samples(s) > 1, windows = fragment_takes_windows(s);
    fragment_tile(s, x, y, p->clear && d->first_round);
    size_t inputs = (size_t)p->fragment.ir->io.ninputs * 4;
    for (size_t i = 0; i < d->nbatches; i++) {
        const struct batch *b = &d->batches[i];
        for (uint32_t k = b->bin_start[job]; k < b->bin_start[job + 1] && !stopped(d); k++) {
            fetch_triangles(b, k, b->bin_start[job + 1], inputs);
            const struct triangle *t = &b->triangles[b->bins[k]];
            const struct shading *shading = &b->shadings[t->shading];
            const struct exec_plane *planes = b->planes ? b->planes + t->shading * inputs : NULL;
            if (!windows || !raster_window(t, &tile, kernels, s, shading, planes))
                (several ? raster_samples : raster_triangle)(t, &tile, &shading->clip, kernels, s, shading, planes);
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

/* Draw the primitives of d->input. */
static void draw_rounds(struct draw *d)
{
    d->first_primitive = 0;
    d->drawn += d->primitives;
    do {
        uint64_t left = d->primitives - d->first_primitive, batches = (left + BATCH_PRIMITIVES - 1) / BATCH_PRIMITIVES;
        if (!make_batches(d, batches < ROUND_BATCHES ? (size_t)batches : ROUND_BATCHES)) {
            out_of_memory(d);
            return;
        }
        pool_run(d->pool, setup_job, d, d->nbatches);
        if (failed(d))
            return;
        pool_run_ranges(d->pool, tile_job, d, (size_t)d->tiles_x * d->tiles_y);
        uint64_t done = (uint64_t)d->nbatches * BATCH_PRIMITIVES;
        d->first_primitive = left > done ? d->first_primitive + done : d->primitives;
        d->first_round = false;
    } while (d->first_primitive < d->primitives && !failed(d));
}

/* ---- stages that make primitives ---- */

static void geometry_job(void *context, unsigned thread, size_t job)
{
    struct expand *e = context;
    struct draw *d = e->d;
    if (stopped(d))
        return;
    if (!d->geometry[thread] && !(d->geometry[thread] = geometry_stage_new(d->p, &d->failure))) {
        out_of_memory(d);
        return;
    }
    uint32_t batch = geometry_batch(d->p);
    uint64_t first = job * batch, left = e->count - first;
    if (!failed(d))
        geometry_stage_run(d->geometry[thread], &e->input, e->first + first, left < batch ? (uint32_t)left : batch,
                           &e->results[job]);
}

static void tess_job(void *context, unsigned thread, size_t job)
{
    struct expand *e = context;
    struct draw *d = e->d;
    if (stopped(d))
        return;
    if (!d->tess[thread] && !(d->tess[thread] = tess_stage_new(d->p, &d->failure))) {
        out_of_memory(d);
        return;
    }
    if (!failed(d))
        tess_stage_run(d->tess[thread], &e->input, e->first + job, &e->results[job]);
}

static void draw_primitives(struct draw *d, const struct stage_input *in, uint64_t primitives, bool tess,
                            bool geometry);

/* Warps or patches of one pass: so few that what they make at most stays within bounds. */
static uint64_t expand_jobs(const struct pipeline *p, bool tess)
{
    const struct ir_io *io = tess ? &p->tess_eval.ir->io : &p->geometry.ir->io;
    size_t vertices = tess ? (size_t)(TESS_MAX_LEVEL + 1) * (TESS_MAX_LEVEL + 1) : (size_t)64 * io->gs_max_vertices;
    size_t bytes = (vertices + 1) * (io->noutputs + 1) * 16, jobs = EXPAND_MEMORY / bytes;
    return jobs < 1 ? 1 : jobs < EXPAND_JOBS ? jobs : EXPAND_JOBS;
}

/* Let a stage make primitives of some of the input's at a time, and draw those. */
static void draw_expanded(struct draw *d, const struct stage_input *in, uint64_t primitives, bool tess, bool geometry)
{
    struct expand *e = calloc(1, sizeof *e);
    if (!e) {
        out_of_memory(d);
        return;
    }
    const struct stage *stage = tess ? &d->p->tess_eval : &d->p->geometry;
    uint64_t batch = tess ? 1 : geometry_batch(d->p), most = batch * expand_jobs(d->p, tess);
    *e = (struct expand){.d = d, .input = *in};
    for (; e->first < primitives && !failed(d); e->first += e->count) {
        uint64_t left = primitives - e->first;
        e->count = left < most ? left : most;
        size_t jobs = (size_t)((e->count + batch - 1) / batch);
        pool_run(d->pool, tess ? tess_job : geometry_job, e, jobs);
        if (failed(d))
            break;
        struct expanded made;
        if (!expanded_join(&made, e->results, jobs, &stage->ir->io,
                           tess ? tess_topology(d->p) : geometry_topology(d->p), d->p->provoking_first))
            out_of_memory(d);
        else
            draw_primitives(d, &(struct stage_input){&made.vertices, &made.assembly}, made.assembly.primitives, false,
                            tess && geometry);
        expanded_free(&made);
    }
    for (size_t i = 0; i < EXPAND_JOBS; i++)
        expansion_free(&e->results[i]);
    free(e);
}

static void draw_primitives(struct draw *d, const struct stage_input *in, uint64_t primitives, bool tess, bool geometry)
{
    if (tess || geometry) {
        draw_expanded(d, in, primitives, tess, geometry);
        return;
    }
    if (!primitives)
        return;
    d->input = *in;
    d->setup.v = in->v;
    d->primitives = primitives;
    draw_rounds(d);
}

/* ---- the draw ---- */

/* The slots of the last stage before setup, and how fragment inputs meet them. */
static bool link_fragments(struct draw *d)
{
    const struct pipeline *p = d->p;
    const struct ir_io *in = &p->fragment.ir->io, *last = p->geometry.program    ? &p->geometry.ir->io
                                                          : p->tess_eval.program ? &p->tess_eval.ir->io
                                                          : p->vertex.program    ? &p->vertex.ir->io
                                                                                 : NULL;
    const struct ir_slot *slot = last ? last->outputs : p->ready->slot;
    uint32_t slots = last ? last->noutputs : p->ready->slots;
    d->outlet = outlet_find(slot, slots, last);
    d->own_link = calloc(2 * (size_t)in->ninputs + 1, sizeof *d->own_link);
    if (!d->own_link) {
        out_of_memory(d);
        return false;
    }
    for (uint32_t i = 0; i < in->ninputs; i++)
        d->own_link[i] = (uint16_t)link_slot(&in->inputs[i], slot, slots);
    const uint16_t *link = p->link ? p->link : d->own_link;
    uint16_t *back = d->own_link + in->ninputs;
    for (uint32_t i = 0; i < in->ninputs; i++) {
        struct ir_slot twin = {.semantic = IR_SEM_BCOLOR, .index = in->inputs[i].index};
        uint32_t found = in->inputs[i].semantic == IR_SEM_COLOR ? link_slot(&twin, slot, slots) : LINK_NONE;
        back[i] = found == LINK_NONE ? link[i] : (uint16_t)found;
    }
    d->setup = (struct setup){
        .p = p, .outlet = &d->outlet, .link = link, .back = back, .multisample = pipeline_multisampled(p)};
    if (d->outlet.position != LINK_NONE)
        return true;
    failure_set(&d->failure, WEFT_ERROR_INPUT, p->vertex.ir, 0,
                "the last stage before the fragment program writes no POSITION");
    return false;
}

/* What does not fit together. */
static const char *misfit(const struct pipeline *p)
{
    if (p->tess_eval.program && p->topology != PATCH_LIST)
        return "a tessellation program takes patches, the draw has none";
    if (!p->tess_eval.program && p->topology == PATCH_LIST)
        return "patches need a tessellation evaluation program";
    if (p->topology == PATCH_LIST && (!p->patch_vertices || p->patch_vertices > PIPELINE_PATCH_VERTICES))
        return "a patch has 1 to 32 vertices";
    return NULL;
}

static void count_tiles(struct draw *d)
{
    const struct surface *s = d->p->color[0].pixels ? &d->p->color[0] : &d->p->depth;
    for (unsigned i = 1; !s->pixels && i < PIPELINE_COLORS; i++)
        s = &d->p->color[i];
    d->tiles_x = (s->width + PIPELINE_TILE - 1) / PIPELINE_TILE;
    d->tiles_y = (s->height + PIPELINE_TILE - 1) / PIPELINE_TILE;
}

/* Instances in groups, each shaded and drawn. */
static void draw_instances(struct draw *d, struct assembly *a)
{
    const struct pipeline *p = d->p;
    uint32_t instances = p->instances ? p->instances : 1, group = instances;
    bool tess = p->tess_eval.program != NULL, geometry = p->geometry.program != NULL;
    if (p->vertex.program && a->stride)
        group = a->stride < GROUP_VERTICES ? GROUP_VERTICES / a->stride : 1;
    for (uint32_t first = 0; first < instances && !failed(d); first += group) {
        uint32_t count = instances - first < group ? instances - first : group;
        if (p->vertex.program)
            shade_vertices(d, first, count);
        struct stage_input in = {p->vertex.program ? &d->own : p->ready, a};
        if (!failed(d))
            draw_primitives(d, &in, (uint64_t)a->primitives * count, tess, geometry);
        if (instances - first <= group)
            break;
    }
    if (d->first_round && !failed(d)) { /* nothing was drawn: the targets may still be to clear */
        d->primitives = 0;
        draw_rounds(d);
    }
}

static void draw_all(struct draw *d)
{
    const struct pipeline *p = d->p;
    const char *fault = misfit(p);
    if (fault) {
        failure_set(&d->failure, WEFT_ERROR_INPUT, NULL, 0, fault);
        return;
    }
    count_tiles(d);
    if (!link_fragments(d))
        return;
    if (!vertex_source_init(&d->source, p)) {
        out_of_memory(d);
        return;
    }
    struct assembly a = {.topology = p->topology,
                         .provoking_first = p->provoking_first,
                         .patch_vertices = p->patch_vertices,
                         .indices = d->source.indices,
                         .stride = p->vertex.program ? d->source.count : 0,
                         .vertices = p->vertex.program ? d->source.count : p->ready->count};
    if (!assembly_init(&a, p->indices ? p->index_count : p->vertex_count, p->restart, d->source.restart_index))
        out_of_memory(d);
    else
        draw_instances(d, &a);
    assembly_free(&a);
}

static void report(const struct draw *d, weft_diags *diags)
{
    const struct pipeline *p = d->p;
    const struct stage *const stages[] = {&p->vertex, &p->tess_ctrl, &p->tess_eval, &p->geometry, &p->fragment};
    const struct source *source = NULL;
    for (unsigned i = 0; i < sizeof stages / sizeof *stages; i++)
        if (d->failure.ir && stages[i]->ir == d->failure.ir)
            source = stages[i]->source;
    if (!d->failure.ir && d->failure.fault)
        diag_add(diags, WEFT_ERROR, "draw", NULL, NULL, "%s", d->failure.fault);
    else
        failure_report(&d->failure, source, p->budget, "draw", diags);
}

static void free_draw(struct draw *d, struct pipeline_stats *stats)
{
    for (unsigned i = 0; i < d->threads; i++) {
        if (d->vertex)
            vertex_stage_free(d->vertex[i], stats);
        if (d->tess)
            tess_stage_free(d->tess[i], stats);
        if (d->geometry)
            geometry_stage_free(d->geometry[i], stats);
        uint64_t before = stats->instructions;
        if (d->fragment)
            fragment_stage_free(d->fragment[i], stats);
        stats->tile_instructions += stats->instructions - before;
    }
    free(d->vertex);
    free(d->tess);
    free(d->geometry);
    free(d->fragment);
    free_batches(d);
    vertex_source_free(&d->source);
    free(d->own.rows);
    free(d->places);
    free(d->own_link);
}

/* What stages of a draw cannot be, each by its name. */
static weft_status check_stage(const struct stage *stage, weft_diags *diags)
{
    if (!stage->program)
        return WEFT_OK;
    const struct ir_program *ir = stage->ir;
    bool patches = ir->stage == IR_TESS_CTRL || ir->stage == IR_TESS_EVAL;
    bool whole_patch = ir->stage == IR_TESS_CTRL && ir->lanes < PIPELINE_PATCH_VERTICES;
    if (whole_patch || !warps_fit(ir)) {
        diag_add(
            diags, WEFT_ERROR, "unsupported", NULL, NULL, "a %s program with warps of %u lanes: %s", ir->isa, ir->lanes,
            whole_patch ? "tessellation control has a lane for every vertex of a patch" : "a draw has 16, 32 or 64");
        return WEFT_ERROR_UNSUPPORTED;
    }
    for (uint32_t i = 0; i < ir->nspaces; i++)
        if (ir->spaces[i].kind == IR_SPACE_PRIVATE && (patches || ir->spaces[i].size > WARPS_MAX_PRIVATE)) {
            diag_add(diags, WEFT_ERROR, "unsupported", NULL, NULL, "%llu bytes of private memory ('%s'): %s",
                     (unsigned long long)ir->spaces[i].size, ir->spaces[i].name,
                     patches ? "tessellation has none" : "a draw has at most 65536 for each lane");
            return WEFT_ERROR_UNSUPPORTED;
        }
    return WEFT_OK;
}

static weft_status check_stages(const struct pipeline *p, weft_diags *diags)
{
    const struct stage *const stages[] = {&p->vertex, &p->tess_ctrl, &p->tess_eval, &p->geometry, &p->fragment};
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        weft_status status = check_stage(stages[i], diags);
        if (status != WEFT_OK)
            return status;
    }
    return WEFT_OK;
}

/* Do tasks of some stage take turns, or does their order show? */
static bool takes_turns(const struct pipeline *p)
{
    const struct stage *const stages[] = {&p->vertex, &p->tess_ctrl, &p->tess_eval, &p->geometry, &p->fragment};
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        if (stages[i]->ir && (stages[i]->ir->io.in_order || order_matters(stages[i]->ir, &p->resources)))
            return true;
    return false;
}

/* A fill of so few pixels, by few primitives, takes no longer than other threads take to wake. */
static bool is_small_fill(const struct pipeline *p)
{
    enum { FEW_PIXELS = 1 << 20, FEW_VERTICES = 256 };
    const struct surface *s = p->color[0].pixels ? &p->color[0] : &p->depth;
    uint64_t vertices = p->ready ? p->ready->count : p->indices ? p->index_count : p->vertex_count;
    vertices *= p->instances ? p->instances : 1;
    return !p->tess_eval.ir && !p->geometry.ir && vertices <= FEW_VERTICES &&
           (uint64_t)s->width * s->height <= FEW_PIXELS && fragment_same_outputs(p->fragment.ir);
}

/* Other stages run as a whole in each process: what they wrote would be there again after what fragments wrote. */
bool pipeline_divisible(const struct pipeline *p)
{
    const struct stage *const others[] = {&p->vertex, &p->tess_ctrl, &p->tess_eval, &p->geometry};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i]->ir && order_has_writes(others[i]->ir))
            return false;
    return !p->resources.probe && !takes_turns(p) && !order_has_atomics(p->fragment.ir);
}

weft_status pipeline_draw(const struct pipeline *p, struct pool *pool, struct pipeline_stats *stats, weft_diags *diags)
{
    weft_status fits = check_stages(p, diags);
    if (fits != WEFT_OK)
        return fits;
    pool_set_in_order(pool, takes_turns(p) || is_small_fill(p));
    struct draw d = {.p = p, .pool = pool, .threads = pool_threads(pool), .first_round = true,
                     .failure.until = p->until};
    d.vertex = calloc(d.threads, sizeof *d.vertex);
    d.tess = calloc(d.threads, sizeof *d.tess);
    d.geometry = calloc(d.threads, sizeof *d.geometry);
    d.fragment = calloc(d.threads, sizeof *d.fragment);
    d.batches = calloc(ROUND_BATCHES, sizeof *d.batches);
    if (!d.vertex || !d.tess || !d.geometry || !d.fragment || !d.batches)
        out_of_memory(&d);
    else
        draw_all(&d);
    pool_set_in_order(pool, false);
    weft_status status = (weft_status)atomic_load(&d.failure.status);
    if (status != WEFT_OK)
        report(&d, diags);
    stats->primitives += d.drawn;
    free_draw(&d, stats);
    return status;
}
