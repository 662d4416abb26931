/* run_draw.c - draws and clears: a pipeline of the script as one of the device. */
#include "script/run.h"

#include "base/bytes.h"

#include <stdlib.h>
#include <string.h>

/* ---- targets ---- */

/* The surface that a binding names; checked against the framebuffer's size. */
static weft_status bound_surface(struct weft_job *j, const struct script_pipeline *p, const struct script_binding *b,
                                 struct surface *out)
{
    const struct job_memory *m = job_memory_of(j, b->buffers[0]);
    if (!m->is_texture || b->base_level >= m->texture.levels) /* never: parse_bind.c refuses such a BIND */
        return job_error(j, b->where, "target", "not an image, or it does not have this level"); /* never: the same */
    *out = job_memory_surface(m, b->base_level);
    if (out->width < p->width || out->height < p->height) /* never: parse.c compares them (size_targets) */
        return job_error(j, b->where, "target", "it is smaller than the framebuffer"); /* never: the same */
    /* What lies outside the framebuffer stays as it is. */
    out->width = p->width;
    out->height = p->height;
    return WEFT_OK;
}

_Static_assert((int)SCRIPT_COLORS == (int)PIPELINE_COLORS, "what is bound as a colour has a place");

struct targets {
    struct surface color[PIPELINE_COLORS], depth, resolve[PIPELINE_COLORS];
};

static weft_status find_targets(struct weft_job *j, const struct script_pipeline *p, struct targets *t)
{
    *t = (struct targets){0};
    weft_status status = WEFT_OK;
    unsigned resolves = 0;
    for (uint32_t i = 0; i < p->nbindings && status == WEFT_OK; i++) {
        const struct script_binding *b = &p->bindings[i];
        if (b->as == SCRIPT_BIND_COLOR) /* SCRIPT_COLORS of them, as many as there are */
            status = bound_surface(j, p, b, &t->color[b->location]);
        else if (b->as == SCRIPT_BIND_DEPTH_STENCIL)
            status = bound_surface(j, p, b, &t->depth);
        else if (b->as == SCRIPT_BIND_RESOLVE && resolves < PIPELINE_COLORS)
            status = bound_surface(j, p, b, &t->resolve[resolves++]);
    }
    uint32_t samples = 0;
    for (unsigned i = 0; i <= PIPELINE_COLORS && status == WEFT_OK; i++) {
        const struct surface *s = i < PIPELINE_COLORS ? &t->color[i] : &t->depth;
        if (s->pixels && surface_samples(s) > TARGET_MAX_SAMPLES)
            status = job_unsupported(j, p->where,
                                     "'%s' draws to an image of %u samples: what is drawn to has at most %d", p->name,
                                     surface_samples(s), TARGET_MAX_SAMPLES);
        else if (s->pixels && samples && surface_samples(s) != samples)
            status =
                job_error(j, p->where, "target", "the attachments of '%s' differ in their number of samples", p->name);
        if (s->pixels)
            samples = surface_samples(s);
    }
    return status;
}

/* The resolve attachments, in order, take the averages of the colour attachments. */
static weft_status resolve(struct weft_job *j, const struct script_command *c, const struct targets *t)
{
    unsigned next = 0;
    for (unsigned i = 0; i < PIPELINE_COLORS; i++) {
        if (!t->color[i].pixels || !t->resolve[next].pixels)
            continue;
        const struct surface *to = &t->resolve[next++];
        if (to->format != t->color[i].format || surface_samples(to) != 1)
            return job_error(j, c->where, "resolve", "a resolve attachment has one sample and its colour's format");
        surface_resolve(&t->color[i], to);
    }
    return WEFT_OK;
}

/* ---- clears ---- */

/* CLEAR_COLOR's numbers are 0 to 255 for 0 to 1; integer formats take them as they are. */
static union target_color clear_color(const struct format *f, const float given[4])
{
    union target_color color;
    for (unsigned c = 0; c < 4; c++)
        if (format_class(f) == FORMAT_CLASS_FLOAT)
            color.f[c] = given[c] / 255.0f;
        else
            color.i[c] = (int32_t)given[c];
    return color;
}

weft_status job_clear(struct weft_job *j, const struct script_command *c)
{
    const struct script_pipeline *p = c->pipeline;
    const struct job_pipeline *state = NULL;
    for (uint32_t i = 0; i < j->script->npipelines; i++)
        if (j->script->pipelines[i] == p)
            state = &j->pipelines[i];
    struct targets t;
    weft_status status = find_targets(j, p, &t);
    if (status != WEFT_OK)
        return status;
    struct target_rect area = {0, 0, p->width, p->height};
    for (unsigned i = 0; i < PIPELINE_COLORS; i++)
        if (t.color[i].pixels) {
            union target_color color = clear_color(t.color[i].format, state->clear_color);
            surface_clear_color(&t.color[i], area, &color);
        }
    if (t.depth.pixels)
        surface_clear_depth_stencil(&t.depth, area, true, state->clear_depth, true, (uint8_t)state->clear_stencil);
    return resolve(j, c, &t);
}

/* ---- vertices ---- */

/* What one draw holds on to. */
struct draw_memory {
    struct arena arena;
    float *corners;
    uint32_t *indices;
    void *scratch; /* a target for pipelines that have none */
};

static void release(struct draw_memory *d)
{
    free(d->corners);
    free(d->indices);
    free(d->scratch);
    arena_free(&d->arena);
}

static weft_status bind_vertices(struct weft_job *j, const struct script_pipeline *p, struct pipeline *out)
{
    for (uint32_t i = 0; i < p->nvertex_data; i++) {
        const struct script_vertex_data *v = &p->vertex_data[i];
        const struct job_memory *m = job_memory_of(j, v->buffer);
        const struct format *f = v->format ? format_find(v->format->name) : NULL;
        if (!f)
            return job_unsupported(j, v->where, "vertex data of %s is not supported",
                                   v->format ? v->format->name : "a type that is not a pixel format");
        if (v->location >= PIPELINE_ATTRIBUTES)
            return job_error(j, v->where, "out-of-range", "LOCATION is at most %d", PIPELINE_ATTRIBUTES - 1);
        out->attribute[v->location] = (struct attribute){.format = f,
                                                         .data = m->data,
                                                         .size = m->size,
                                                         .offset = (size_t)v->offset,
                                                         .stride = (size_t)v->stride,
                                                         .divisor = v->per_instance};
    }
    return WEFT_OK;
}

/* Vertices that the per-vertex buffers hold from element `first` on; the shortest one counts. */
static uint32_t vertices_left(const struct weft_job *j, const struct script_pipeline *p, uint32_t first)
{
    uint64_t most = UINT32_MAX;
    bool any = false;
    for (uint32_t i = 0; i < p->nvertex_data; i++) {
        const struct script_vertex_data *v = &p->vertex_data[i];
        if (v->per_instance || !v->stride)
            continue;
        uint64_t size = job_memory_of(j, v->buffer)->size;
        uint64_t count = size > v->offset ? (size - v->offset) / v->stride : 0;
        any = true;
        if (count < most)
            most = count;
    }
    return any && most > first ? (uint32_t)(most - first) : 0;
}

static weft_status bind_indices(struct weft_job *j, const struct script_command *c, struct draw_memory *d,
                                struct pipeline *out)
{
    const struct script_buffer *b = c->pipeline->index_data;
    if (!b)
        return job_error(j, c->where, "missing-data", "'%s' has no INDEX_DATA", c->pipeline->name);
    const struct job_memory *m = job_memory_of(j, b);
    if (b->layout.nleaves != 1 || script_scalar_is_float(b->layout.leaves[0].scalar) ||
        script_scalar_bytes(b->layout.leaves[0].scalar) > 4)
        return job_error(j, c->where, "indices", "indices are integers of 8, 16 or 32 bits, and '%s' holds others",
                         b->name);
    uint64_t there = m->size / b->layout.stride;
    uint64_t left = there > c->array.first ? there - c->array.first : 0;
    uint64_t count = c->array.has_count ? c->array.count : left;
    if (count > left)
        return job_error(j, c->where, "indices", "indices %u to %llu of '%s' are wanted, and it has %llu",
                         c->array.first, (unsigned long long)(c->array.first + count - 1), b->name,
                         (unsigned long long)there);
    d->indices = malloc(((size_t)count + 1) * sizeof *d->indices);
    if (!d->indices)
        return job_no_memory(j, c->where);
    enum script_scalar s = b->layout.leaves[0].scalar;
    unsigned bits = script_scalar_bytes(s) * 8;
    for (uint64_t i = 0; i < count; i++) {
        struct script_number n = script_load(s, m->data + (c->array.first + i) * b->layout.stride);
        d->indices[i] = (uint32_t)(bits == 32 ? n.bits : n.bits & ((1u << bits) - 1));
    }
    out->indices = d->indices;
    out->index_count = (uint32_t)count;
    return WEFT_OK;
}

static const enum topology topologies[] = {
    [SCRIPT_POINT_LIST] = POINT_LIST,
    [SCRIPT_LINE_LIST] = LINE_LIST,
    [SCRIPT_LINE_LIST_WITH_ADJACENCY] = LINE_LIST_ADJACENCY,
    [SCRIPT_LINE_STRIP] = LINE_STRIP,
    [SCRIPT_LINE_STRIP_WITH_ADJACENCY] = LINE_STRIP_ADJACENCY,
    [SCRIPT_TRIANGLE_LIST] = TRIANGLE_LIST,
    [SCRIPT_TRIANGLE_LIST_WITH_ADJACENCY] = TRIANGLE_LIST_ADJACENCY,
    [SCRIPT_TRIANGLE_STRIP] = TRIANGLE_STRIP,
    [SCRIPT_TRIANGLE_STRIP_WITH_ADJACENCY] = TRIANGLE_STRIP_ADJACENCY,
    [SCRIPT_TRIANGLE_FAN] = TRIANGLE_FAN,
    [SCRIPT_PATCH_LIST] = PATCH_LIST,
};

static weft_status array_vertices(struct weft_job *j, const struct script_command *c, struct draw_memory *d,
                                  struct pipeline *out)
{
    weft_status status = bind_vertices(j, c->pipeline, out);
    out->topology = topologies[c->array.topology];
    out->instances = c->array.instances;
    out->base_instance = c->array.first_instance;
    out->base_vertex = (int32_t)c->array.base_vertex;
    if (status != WEFT_OK || c->array.indexed)
        return status == WEFT_OK ? bind_indices(j, c, d, out) : status;
    out->first_vertex = c->array.first;
    out->vertex_count = c->array.has_count ? c->array.count : vertices_left(j, c->pipeline, c->array.first);
    return WEFT_OK;
}

/* A corner of a rectangle of pixels, in clip space. */
static void corner(const struct script_pipeline *p, double x, double y, float to[2])
{
    to[0] = (float)(2 * x / p->width - 1);
    to[1] = (float)(2 * y / p->height - 1);
}

/* Amber's order of a grid's vertices: two triangles to a cell, each from its bottom right corner on. */
static void grid_corners(const struct script_command *c, float *to)
{
    const struct script_pipeline *p = c->pipeline;
    static const uint8_t across[6] = {1, 0, 0, 1, 0, 1}, down[6] = {1, 1, 0, 1, 0, 0};
    double w = (double)c->rect.width / c->rect.columns, h = (double)c->rect.height / c->rect.rows;
    for (uint32_t row = 0; row < c->rect.rows; row++)
        for (uint32_t column = 0; column < c->rect.columns; column++)
            for (unsigned i = 0; i < 6; i++, to += 2)
                corner(p, c->rect.x + w * (column + across[i]), c->rect.y + h * (row + down[i]), to);
}

/* And of a rectangle's: a strip of bottom left, top left, bottom right, top right. */
static void rect_corners(const struct script_command *c, float *to)
{
    const float *box = c->rect.box;
    for (unsigned i = 0; i < 4 && c->rect.free; i++) {
        to[2 * i] = box[0] + (i >> 1 ? box[2] : 0);
        to[2 * i + 1] = box[1] + (i & 1 ? 0 : box[3]);
    }
    for (unsigned i = 0; i < 4 && !c->rect.free; i++)
        corner(c->pipeline, (double)c->rect.x + (i >> 1) * (double)c->rect.width,
               (double)c->rect.y + !(i & 1) * (double)c->rect.height, to + 2 * i);
}

static weft_status shape_vertices(struct weft_job *j, const struct script_command *c, struct draw_memory *d,
                                  struct pipeline *out)
{
    bool grid = c->kind == SCRIPT_DRAW_GRID;
    uint64_t count = grid ? (uint64_t)c->rect.columns * c->rect.rows * 6 : 4;
    size_t bytes = (size_t)count * 2 * sizeof(float);
    d->corners = malloc(bytes + 1);
    if (!d->corners)
        return job_no_memory(j, c->where);
    if (grid)
        grid_corners(c, d->corners);
    else
        rect_corners(c, d->corners);
    bytes_turn_words(d->corners, (size_t)count * 2);
    out->attribute[0] = (struct attribute){.format = format_find("R32G32_SFLOAT"),
                                           .data = (const uint8_t *)d->corners,
                                           .size = bytes,
                                           .stride = 2 * sizeof(float)};
    out->vertex_count = (uint32_t)count;
    out->instances = 1;
    out->topology = grid ? TRIANGLE_LIST : c->rect.patch ? PATCH_LIST : TRIANGLE_STRIP;
    if (c->rect.patch)
        out->patch_vertices = 4;
    return WEFT_OK;
}

/* ---- state ---- */

static void set_depth_state(const struct script_pipeline *p, struct pipeline *out)
{
    if (!p->has_depth)
        return;
    out->depth_test = p->depth_test;
    out->depth_write = p->depth_write;
    out->depth_op = (enum compare_op)p->depth_compare; /* both in Vulkan's order, as all that follow */
    out->depth_clamp = p->depth_clamp;
    out->targets.depth_bounds = p->depth_bounds;
    out->targets.bounds_low = p->bounds_min;
    out->targets.bounds_high = p->bounds_max;
    out->depth_bias.enable = p->depth_bias;
    out->depth_bias.constant = p->bias_constant;
    out->depth_bias.slope = p->bias_slope;
    out->depth_bias.clamp = p->bias_clamp;
}

static struct stencil_face stencil_face(const struct script_stencil *s)
{
    return (struct stencil_face){.fail = (uint8_t)s->fail,
                                 .pass = (uint8_t)s->pass,
                                 .depth_fail = (uint8_t)s->depth_fail,
                                 .compare = (uint8_t)s->compare,
                                 .compare_mask = s->compare_mask,
                                 .write_mask = s->write_mask,
                                 .reference = s->reference};
}

static void set_blend_state(const struct script_pipeline *p, struct pipeline *out)
{
    for (unsigned i = 0; i < PIPELINE_COLORS; i++)
        out->targets.blend[i] = (struct blend_target){.blend = p->blend,
                                                      .color_src = (uint8_t)p->src_color,
                                                      .color_dst = (uint8_t)p->dst_color,
                                                      .color_op = (uint8_t)p->color_op,
                                                      .alpha_src = (uint8_t)p->src_alpha,
                                                      .alpha_dst = (uint8_t)p->dst_alpha,
                                                      .alpha_op = (uint8_t)p->alpha_op,
                                                      .keep = p->color_keep};
    out->targets.logic = p->logic;
    out->targets.logic_op = (enum logic_op)p->logic_op; /* both in Vulkan's order */
}

static weft_status set_targets(struct weft_job *j, const struct script_pipeline *p, const struct targets *t,
                               struct draw_memory *d, struct pipeline *out)
{
    bool any = t->depth.pixels != NULL;
    memcpy(out->color, t->color, sizeof out->color);
    out->depth = t->depth;
    for (unsigned i = 0; i < PIPELINE_COLORS; i++)
        any = any || t->color[i].pixels;
    if (any)
        return WEFT_OK;
    /* Programs may still store to buffers. */
    size_t stride = (size_t)p->width * 4;
    d->scratch = calloc(p->height, stride);
    if (!d->scratch)
        return job_no_memory(j, p->where);
    out->color[0] = (struct surface){.format = format_find("R8G8B8A8_UNORM"),
                                     .pixels = d->scratch,
                                     .stride = stride,
                                     .width = p->width,
                                     .height = p->height};
    return WEFT_OK;
}

static void set_viewports(const struct script_pipeline *p, struct pipeline *out)
{
    const struct script_viewport whole = {true, {0, 0, (float)p->width, (float)p->height}, 0, 1};
    const struct script_viewport *first = p->viewport[0].given ? &p->viewport[0] : &whole;
    for (unsigned i = 0; i < PIPELINE_VIEWPORTS && i < SCRIPT_VIEWPORTS; i++) {
        const struct script_viewport *v = p->viewport[i].given ? &p->viewport[i] : first;
        out->viewport[i] = viewport_make((double)v->box[0], (double)v->box[1], (double)v->box[2], (double)v->box[3],
                                         (double)v->min_depth, (double)v->max_depth, true);
    }
}

static void set_state(const struct weft_job *j, const struct script_pipeline *p, struct pipeline *out)
{
    out->half_z = true;
    out->depth_unrestricted = j->script->depth_unrestricted;
    set_viewports(p, out);
    out->sprite_texcoords = p->sprite_texcoords;
    out->sprite_generics = p->sprite_generics;
    out->point_origin_lower_left = p->sprite_lower_left;
    if (!p->raster_discard) /* nothing is inside of an empty one */
        out->scissor = (struct rect){0, 0, (int32_t)p->width, (int32_t)p->height};
    out->line_width = p->line_width;
    out->provoking_first = true;
    /* Counter-clockwise faces the front, as Amber has it, and Vulkan's y goes down. */
    out->front_positive = p->front_clockwise;
    out->cull = (enum cull_mode)p->cull;
    out->restart = p->restart;
    out->restart_index = UINT32_MAX;
    out->polygon_mode = (enum polygon_mode)p->polygon_mode;
    out->flat_colors = p->flat_colors;
    out->patch_vertices = p->patch_control_points;
    set_depth_state(p, out);
    if (p->has_stencil) {
        out->targets.stencil_test = p->stencil[0].test || p->stencil[1].test;
        out->targets.front = stencil_face(&p->stencil[0]);
        out->targets.back = stencil_face(&p->stencil[1]);
    }
    set_blend_state(p, out);
}

/* ---- programs ---- */

static bool draws_integers(const struct pipeline *p)
{
    for (unsigned i = 0; i < PIPELINE_COLORS; i++)
        if (p->color[i].pixels && format_class(p->color[i].format) != FORMAT_CLASS_FLOAT)
            return true;
    return false;
}

static weft_status set_programs(struct weft_job *j, const struct script_pipeline *p, struct draw_memory *d,
                                struct pipeline *out)
{
    struct stage *const to[] = {[WEFT_VERTEX] = &out->vertex,
                                [WEFT_TESS_CONTROL] = &out->tess_ctrl,
                                [WEFT_TESS_EVALUATION] = &out->tess_eval,
                                [WEFT_GEOMETRY] = &out->geometry,
                                [WEFT_FRAGMENT] = &out->fragment};
    const struct stage *stages[5];
    unsigned nstages = 0;
    for (unsigned s = 0; s < 5; s++) {
        const struct script_attachment *a = script_shader_of(p, (weft_stage)s);
        if (!a)
            continue;
        weft_status status = job_stage(j, a, s == WEFT_FRAGMENT && draws_integers(out), to[s]);
        if (status != WEFT_OK)
            return status;
        stages[nstages++] = to[s];
    }
    if (!out->vertex.program || !out->fragment.program) /* never: a pipeline has both where it is declared */
        return job_error(j, p->where, "missing-shader", "a program is missing"); /* never: the same */
    out->origin_far_row = out->fragment.ir->io.origin_lower_left;
    return job_bind(j, p, stages, nstages, &d->arena, &out->resources);
}

/* A draw as work that can be divided. */
struct drawing {
    struct pipeline *pipeline;
    struct pipeline_stats stats;
};

/* Each process does all that comes before the tiles; the first one counts it. */
static weft_status draw_part(struct weft_job *j, void *context, struct share part, uint64_t counts[JOB_SHARE_COUNTS],
                             weft_diags *diags)
{
    struct drawing *d = context;
    d->pipeline->share = part;
    weft_status status = pipeline_draw(d->pipeline, j->pool, &d->stats, diags);
    d->pipeline->share = (struct share){0};
    counts[0] = d->stats.fragments;
    counts[1] = part.index == 0 ? d->stats.instructions : d->stats.tile_instructions;
    return d->stats.bad_accesses ? WEFT_ERROR_INPUT : status;
}

/* This process alone, or with others. */
static weft_status run_pipeline(struct weft_job *j, const struct script_pipeline *p, struct pipeline *out,
                                struct pipeline_stats *stats, weft_diags *diags)
{
    uint64_t tiles_x = (p->width + PIPELINE_TILE - 1) / PIPELINE_TILE, counts[JOB_SHARE_COUNTS] = {0};
    uint64_t tiles = tiles_x * ((p->height + PIPELINE_TILE - 1) / PIPELINE_TILE);
    struct drawing d = {.pipeline = out};
    const struct job_work work = {.pipeline = p,
                                  .pieces = j->params.share && pipeline_divisible(out) ? tiles : 0,
                                  .invocations = (uint64_t)p->width * p->height,
                                  .part = draw_part,
                                  .context = &d};
    enum job_shared shared = job_share(j, &work, counts);
    if (shared == JOB_SHARE_LOST)
        return job_no_memory(j, p->where);
    if (shared == JOB_SHARE_NOT)
        return pipeline_draw(out, j->pool, stats, diags);
    *stats = d.stats;
    stats->fragments = counts[0];
    stats->instructions = counts[1];
    return WEFT_OK;
}

static weft_status draw(struct weft_job *j, const struct script_command *c, const struct targets *t,
                        struct draw_memory *d, struct pipeline *out)
{
    out->budget = j->budget;
    out->until = j->until;
    set_state(j, c->pipeline, out);
    weft_status status = set_targets(j, c->pipeline, t, d, out);
    if (status == WEFT_OK)
        status = set_programs(j, c->pipeline, d, out);
    if (status == WEFT_OK)
        status = c->kind == SCRIPT_DRAW_ARRAY ? array_vertices(j, c, d, out) : shape_vertices(j, c, d, out);
    /* To the device no instances and no vertices may mean something else. */
    if (status != WEFT_OK || out->instances == 0 || (out->indices ? !out->index_count : !out->vertex_count))
        return status;
    uint64_t vertices = (uint64_t)(out->indices ? out->index_count : out->vertex_count) * out->instances;
    if (vertices > SCRIPT_MAX_INVOCATIONS)
        return job_error(j, c->where, "too-large", "a draw of %llu vertices: at most %llu are possible",
                         (unsigned long long)vertices, (unsigned long long)SCRIPT_MAX_INVOCATIONS);
    job_look_over_draw(j, c->pipeline, out);
    weft_diags *diags = weft_diags_new();
    if (!diags)
        return job_no_memory(j, c->where);
    struct pipeline_stats stats = {0};
    if (j->trace) {
        job_trace_target(j->trace, c->pipeline->height, NULL);
        out->resources.probe = job_trace_probe;
        out->resources.probe_context = j->trace;
    }
    status = run_pipeline(j, c->pipeline, out, &stats, diags);
    j->stats.vertices += stats.vertices;
    j->stats.fragments += stats.fragments;
    j->stats.instructions += stats.instructions;
    outside_report(&stats.outside, stats.bad_accesses, job_buffer_of(j, &stats.outside, &out->resources), diags);
    geometry_report(out, &stats, diags);
    job_relay(j, diags, c->where);
    weft_diags_free(diags);
    return status;
}

weft_status job_draw(struct weft_job *j, const struct script_command *c)
{
    struct targets t;
    weft_status status = find_targets(j, c->pipeline, &t);
    if (status != WEFT_OK)
        return status;
    struct draw_memory d = {0};
    struct pipeline *p = arena_alloc_aligned(&d.arena, sizeof *p, 64);
    status = p ? draw(j, c, &t, &d, p) : job_no_memory(j, c->where);
    release(&d);
    return status == WEFT_OK ? resolve(j, c, &t) : status;
}
