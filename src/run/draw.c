/* draw.c - a runner's draws: a pipeline of the device from what is bound and what the call says. */
#include "run/runner.h"

#include "base/sized.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void weft_draw_call_init_sized(weft_draw_call *call, size_t size)
{
    const weft_draw_call defaults = {
        .topology = WEFT_TRIANGLE_LIST, .instances = 1, .depth_range = {0, 1}, .clear_depth = 1};
    sized_init(call, size, &defaults, sizeof defaults);
}

/* ---- what is asked for ---- */

static weft_status check_call(const weft_draw_call *c, weft_diags *diags)
{
    bool finite = isfinite(c->depth_range[0]) && isfinite(c->depth_range[1]);
    for (unsigned i = 0; i < 4; i++)
        finite = finite && fabsf(c->viewport[i]) <= (float)VIEWPORT_MOST;
    if (!finite)
        return runner_usage(diags, "the viewport of a draw is finite, and at most %d pixels wide and high",
                            VIEWPORT_MOST);
    if ((unsigned)c->topology > WEFT_TRIANGLE_FAN || (unsigned)c->cull > WEFT_CULL_BOTH ||
        (unsigned)c->depth_compare > WEFT_COMPARE_ALWAYS)
        return runner_usage(diags, "a topology, a comparison or a side to cull that does not exist");
    if (c->scissor[0] < 0 || c->scissor[1] < 0 || c->scissor[2] < 0 || c->scissor[3] < 0)
        return runner_usage(diags, "the scissor of a draw is inside its targets");
    uint64_t vertices = (uint64_t)(c->indices ? c->index_count : c->vertex_count) * c->instances;
    if (vertices > (uint64_t)1 << 32)
        return runner_usage(diags, "a draw of %llu vertices: the most is 2^32", (unsigned long long)vertices);
    return WEFT_OK;
}

/* All targets have one size. */
static weft_status find_size(const weft_runner *r, const struct surface **size, weft_diags *diags)
{
    *size = NULL;
    for (unsigned i = 0; i <= PIPELINE_COLORS; i++) {
        const struct surface *s = i < PIPELINE_COLORS ? &r->color[i] : &r->depth;
        if (!s->pixels)
            continue;
        if (*size && (s->width != (*size)->width || s->height != (*size)->height ||
                      surface_samples(s) != surface_samples(*size)))
            return runner_usage(diags, "the targets of a draw have different sizes or numbers of samples");
        *size = *size ? *size : s;
    }
    return *size ? WEFT_OK : runner_usage(diags, "a draw needs a target (weft_runner_bind_target)");
}

/* ---- the pipeline ---- */

static void set_area(struct pipeline *p, const weft_draw_call *c, const struct surface *size)
{
    const float *v = c->viewport;
    bool whole = v[2] == 0;
    p->viewport[0] = viewport_make(
        whole ? 0 : (double)v[0], whole ? 0 : (double)v[1], whole ? (double)size->width : (double)v[2],
        whole ? (double)size->height : (double)v[3], (double)c->depth_range[0], (double)c->depth_range[1], true);
    for (unsigned i = 1; i < PIPELINE_VIEWPORTS; i++)
        p->viewport[i] = p->viewport[0];
    int64_t x = c->scissor[0], y = c->scissor[1], right = x + c->scissor[2], below = y + c->scissor[3];
    int32_t width = (int32_t)size->width, height = (int32_t)size->height;
    p->scissor = (struct rect){0, 0, width, height};
    if (c->scissor[2])
        p->scissor = (struct rect){x < width ? (int32_t)x : width, y < height ? (int32_t)y : height,
                                   right < width ? (int32_t)right : width, below < height ? (int32_t)below : height};
}

static void set_state(const weft_runner *r, const weft_draw_call *c, struct pipeline *p)
{
    static const enum topology topologies[] = {
        [WEFT_POINT_LIST] = POINT_LIST,         [WEFT_LINE_LIST] = LINE_LIST,
        [WEFT_LINE_STRIP] = LINE_STRIP,         [WEFT_TRIANGLE_LIST] = TRIANGLE_LIST,
        [WEFT_TRIANGLE_STRIP] = TRIANGLE_STRIP, [WEFT_TRIANGLE_FAN] = TRIANGLE_FAN};
    p->vertex = r->program[0].stage;
    p->fragment = r->program[1].stage;
    memcpy(p->attribute, r->attribute, sizeof p->attribute);
    p->topology = topologies[c->topology];
    p->first_vertex = c->first_vertex;
    p->vertex_count = c->indices ? 0 : c->vertex_count;
    p->indices = c->indices;
    p->index_count = c->index_count;
    p->base_vertex = c->base_vertex;
    p->instances = c->instances;
    p->base_instance = c->base_instance;
    p->provoking_first = true;
    p->half_z = true;
    /* y goes down: round counter-clockwise with row 0 on top is a negative area. */
    p->front_positive = c->front_clockwise != 0;
    p->origin_far_row = p->fragment.ir->io.origin_lower_left;
    p->cull = (enum cull_mode)c->cull;
    p->depth_test = c->depth_test != 0;
    p->depth_write = c->depth_write != 0;
    p->depth_op = (enum compare_op)c->depth_compare; /* both in Vulkan's order */
    memcpy(p->color, r->color, sizeof p->color);
    p->depth = r->depth;
    p->budget = r->options.budget;
    p->until = r->options.seconds > 0 ? failure_clock() + r->options.seconds : 0;
}

static int32_t whole_number(float v)
{
    return v >= 2147483648.0f ? INT32_MAX : v > -2147483648.0f ? (int32_t)v : v == v ? INT32_MIN : 0;
}

/* All layers, whatever is drawn to. */
static void clear(const weft_runner *r, const weft_draw_call *c, const struct surface *size)
{
    struct target_rect area = {0, 0, size->width, size->height};
    for (unsigned i = 0; i < PIPELINE_COLORS; i++) {
        union target_color color;
        if (!r->color[i].pixels)
            continue;
        for (unsigned k = 0; k < 4; k++)
            if (format_class(r->color[i].format) == FORMAT_CLASS_FLOAT)
                color.f[k] = c->clear_color[k];
            else
                color.i[k] = whole_number(c->clear_color[k]);
        surface_clear_color(&r->color[i], area, &color);
    }
    if (r->depth.pixels)
        surface_clear_depth_stencil(&r->depth, area, true, c->clear_depth, true, 0);
}

static weft_status draw(weft_runner *r, const weft_draw_call *c, const struct surface *size, struct pipeline *p,
                        weft_diags *diags)
{
    struct pipeline_stats stats = {0};
    set_state(r, c, p);
    set_area(p, c, size);
    runner_resources(r, &p->resources);
    r->width = size->width;
    r->height = size->height;
    double start = runner_seconds();
    weft_status status = pipeline_draw(p, r->pool, &stats, diags);
    exec_jit_settle();
    r->stats.seconds += runner_seconds() - start;
    r->stats.vertices += stats.vertices;
    r->stats.fragments += stats.fragments;
    r->stats.instructions += stats.instructions;
    r->stats.bad_accesses += stats.bad_accesses;
    outside_report(&stats.outside, stats.bad_accesses, NULL, diags);
    return runner_ended(r, status, diags);
}

weft_status weft_runner_draw(weft_runner *r, const weft_draw_call *call, weft_diags *diags)
{
    weft_draw_call c;
    const struct surface *size = NULL;
    struct arena arena = {0};
    if (r->compute)
        return runner_usage(diags,
                            "a draw needs a vertex and a fragment program, and this runner has a compute program");
    weft_status status =
        sized_copy(&c, sizeof c, SIZED_FIRST(weft_draw_call, clear_depth), call, "weft_draw_call", diags);
    if (status == WEFT_OK)
        status = check_call(&c, diags);
    if (status == WEFT_OK)
        status = find_size(r, &size, diags);
    if (status == WEFT_OK)
        status = runner_check(r, diags);
    if (status != WEFT_OK)
        return status;
    r->stats.runs++;
    if (c.clear)
        clear(r, &c, size);
    if (!c.instances || !(c.indices ? c.index_count : c.vertex_count))
        return WEFT_OK;
    struct pipeline *p = arena_alloc_aligned(&arena, sizeof *p, 64);
    status = p ? draw(r, &c, size, p, diags) : runner_no_memory(diags);
    arena_free(&arena);
    return status;
}
