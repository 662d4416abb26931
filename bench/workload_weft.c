/* workload_weft.c - workloads on weft's device: pipeline.h and compute.h, without a script between. */
#include "workload_weft.h"

#include "scenes.h"
#include "statistics.h"

#include "cli/scene_texture.h"
#include "device/compute.h"
#include "device/image_access.h"
#include "ir/pass.h"
#include "isa/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IMAGES = 2, STAGES = 2 };

struct weft_workload {
    const struct workload *w;
    struct arena arena; /* programs, and all memory but textures */
    weft_program *text[STAGES];
    struct pool *pool;
    struct pipeline pipeline;
    struct dispatch dispatch;
    weft_sampler samplers[RESOURCE_TEXTURES];
    weft_texture *texture;
    weft_texture *image[IMAGES];
    struct image_view view[IMAGES];
    void *result;
};

/* ---- programs ---- */

static bool compile(struct weft_workload *r, weft_program *text, struct stage *out, weft_diags *diags)
{
    const struct source *source = program_source(text);
    struct ir_program *ir = NULL;
    if (text->isa->check(text->module, source, &text->params, diags) != WEFT_OK ||
        text->isa->lift(text->module, source, &r->arena, &ir, diags) != WEFT_OK)
        return false;
    ir_optimise(ir);
    const struct exec_options options = {.level = exec_best_level(), .engine = stage_engine(bench_engine())};
    return stage_compile(ir, source, &options, &r->arena, out, diags) == WEFT_OK;
}

static bool load_stage(struct weft_workload *r, unsigned number, const char *kind, struct stage *out)
{
    char path[SCENE_PATH];
    snprintf(path, sizeof path, "bench/tgsi/%s.%s.tgsi", r->w->shaders, kind);
    r->text[number] = load_program(path);
    if (!r->text[number])
        return false;
    weft_diags *diags = weft_diags_new();
    bool ok = compile(r, r->text[number], out, diags);
    if (!ok)
        cli_report(diags);
    weft_diags_free(diags);
    return ok;
}

/* ---- draws ---- */

static bool bind_mesh(struct weft_workload *r)
{
    struct pipeline *p = &r->pipeline;
    float *vertices;
    uint32_t *indices;
    size_t nvertices, nindices;
    if (!workload_make_mesh(r->w->mesh, &vertices, &nvertices, &indices, &nindices))
        return false;
    size_t bytes = nvertices * WORKLOAD_COMPONENTS * sizeof(float);
    float *kept = arena_alloc(&r->arena, bytes);
    uint32_t *kept_indices = ARENA_ARRAY(&r->arena, uint32_t, nindices);
    if (kept && kept_indices) {
        memcpy(kept, vertices, bytes);
        memcpy(kept_indices, indices, nindices * sizeof *indices);
    }
    free(vertices);
    free(indices);
    for (unsigned i = 0; kept && i < 2; i++)
        p->attribute[i] = (struct attribute){&formats[FORMAT_R32G32B32A32_SFLOAT], (const uint8_t *)kept, bytes,
                                             i * 4 * sizeof(float), WORKLOAD_COMPONENTS * sizeof(float)};
    p->vertex_count = (uint32_t)nvertices;
    p->indices = kept_indices;
    p->index_count = (uint32_t)nindices;
    p->topology = TRIANGLE_LIST;
    p->instances = r->w->instances;
    return kept && kept_indices;
}

static bool bind_targets(struct weft_workload *r)
{
    const struct workload *w = r->w;
    struct pipeline *p = &r->pipeline;
    r->result = arena_alloc_aligned(&r->arena, workload_result_size(w), 64);
    p->color[0] =
        (struct surface){&formats[FORMAT_R8G8B8A8_UNORM], r->result, (size_t)w->width * 4, w->width, w->height};
    p->viewport[0] = viewport_make(0, 0, w->width, w->height, 0, 1, false);
    p->scissor = (struct rect){0, 0, (int32_t)w->width, (int32_t)w->height};
    p->front_positive = true;
    p->clear = true;
    p->clear_depth = 1;
    if (w->blend)
        p->targets.blend[0] = (struct blend_target){.blend = true,
                                                    .color_src = BLEND_SRC_ALPHA,
                                                    .color_dst = BLEND_ONE_MINUS_SRC_ALPHA,
                                                    .alpha_src = BLEND_SRC_ALPHA,
                                                    .alpha_dst = BLEND_ONE_MINUS_SRC_ALPHA};
    if (!w->depth)
        return r->result != NULL;
    void *depth = arena_alloc_aligned(&r->arena, (size_t)w->width * w->height * 4, 64);
    p->depth = (struct surface){&formats[FORMAT_D32_SFLOAT], depth, (size_t)w->width * 4, w->width, w->height};
    p->depth_test = p->depth_write = true;
    p->depth_op = COMPARE_LESS;
    return r->result && depth;
}

static bool bind_texture(struct weft_workload *r)
{
    for (unsigned i = 0; i < RESOURCE_TEXTURES; i++)
        weft_sampler_init(&r->samplers[i]);
    r->pipeline.resources.samplers = r->samplers;
    if (!r->w->texture)
        return true;
    struct scene_texture tiles = {0};
    weft_diags *diags = weft_diags_new();
    scene_texture_take(&tiles, "examples/textures/tiles.png:linear:mipmap");
    if (!scene_texture_load(&tiles, &r->texture, &r->samplers[0], diags))
        cli_report(diags);
    weft_diags_free(diags);
    r->pipeline.resources.textures[0] = r->texture;
    r->samplers[0].max_anisotropy = r->w->anisotropy;
    return r->texture != NULL;
}

static bool make_draw(struct weft_workload *r)
{
    struct pipeline *p = &r->pipeline;
    p->resources.level = exec_best_level();
    p->resources.constants[0] = (struct exec_buffer){(uint8_t *)(uintptr_t)workload_camera, sizeof workload_camera};
    return load_stage(r, 0, "vert", &p->vertex) && load_stage(r, 1, "frag", &p->fragment) &&
           bind_mesh(r) && bind_targets(r) && bind_texture(r);
}

/* ---- dispatches ---- */

static bool make_buffers(struct weft_workload *r)
{
    const struct workload *w = r->w;
    uint32_t *numbers = ARENA_ARRAY(&r->arena, uint32_t, w->numbers);
    r->result = arena_alloc(&r->arena, workload_result_size(w));
    if (!numbers || !r->result)
        return false;
    workload_fill(numbers, w->numbers);
    r->dispatch.resources.storage[0] = (struct exec_buffer){(uint8_t *)numbers, (size_t)w->numbers * sizeof *numbers};
    r->dispatch.resources.storage[1] = (struct exec_buffer){r->result, workload_result_size(w)};
    r->dispatch.groups[0] = w->numbers / WORKLOAD_GROUP;
    return true;
}

static bool make_images(struct weft_workload *r)
{
    const struct workload *w = r->w;
    for (unsigned i = 0; i < IMAGES; i++) {
        if (texture_new(&formats[FORMAT_R8G8B8A8_UNORM], w->width, w->height, 1, &r->image[i]) != WEFT_OK)
            return false;
        r->view[i].texture = r->image[i];
        r->dispatch.resources.images[i] = &r->view[i];
    }
    workload_fill((uint32_t *)(void *)r->image[0]->data, (size_t)w->width * w->height);
    r->result = r->image[1]->data;
    r->dispatch.groups[0] = w->width / 8;
    r->dispatch.groups[1] = w->height / 8;
    return true;
}

static bool make_dispatch(struct weft_workload *r)
{
    struct dispatch *d = &r->dispatch;
    d->resources.level = exec_best_level();
    d->resources.samplers = r->samplers;
    d->groups[0] = d->groups[1] = d->groups[2] = 1;
    return load_stage(r, 0, "comp", &d->program) && (r->w->numbers ? make_buffers(r) : make_images(r));
}

/* ---- */

struct weft_workload *weft_workload_new(const struct workload *w)
{
    struct weft_workload *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->w = w;
    r->pool = pool_new(1);
    if (r->pool && (w->mesh ? make_draw(r) : make_dispatch(r)))
        return r;
    fprintf(stderr, "bench: %s cannot be made\n", w->name);
    weft_workload_free(r);
    return NULL;
}

void weft_workload_free(struct weft_workload *r)
{
    if (!r)
        return;
    for (unsigned i = 0; i < STAGES; i++)
        weft_program_free(r->text[i]);
    for (unsigned i = 0; i < IMAGES; i++)
        weft_texture_free(r->image[i]);
    weft_texture_free(r->texture);
    pool_free(r->pool);
    arena_free(&r->arena);
    free(r);
}

double weft_workload_run(struct weft_workload *r, unsigned count)
{
    struct pipeline_stats drawn = {0};
    struct dispatch_stats computed = {0};
    weft_status status = WEFT_OK;
    weft_diags *diags = weft_diags_new();
    double start = cpu_seconds();
    for (unsigned i = 0; i < count && status == WEFT_OK; i++)
        status = r->w->mesh ? pipeline_draw(&r->pipeline, r->pool, &drawn, diags)
                            : compute_dispatch(&r->dispatch, r->pool, &computed, diags);
    double end = cpu_seconds();
    if (status != WEFT_OK)
        cli_report(diags);
    weft_diags_free(diags);
    return status == WEFT_OK ? end - start : -1;
}

const void *weft_workload_result(const struct weft_workload *r)
{
    return r->result;
}
