/* picture.c - weft_draw: programs, a mesh and a picture become a pipeline. */
#include <weft/draw.h>

#include "base/bytes.h"
#include "base/sized.h"
#include "device/mesh.h"
#include "device/pipeline.h"
#include "ir/pass.h"
#include "isa/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- pictures and parameters ---- */

static const struct format *picture_format(weft_pixel_format format)
{
    switch (format) {
    case WEFT_RGBA8_UNORM:
        return &formats[FORMAT_R8G8B8A8_UNORM];
    case WEFT_RGBA32_SFLOAT:
        return &formats[FORMAT_R32G32B32A32_SFLOAT];
    }
    return NULL;
}

static bool good_size(uint32_t width, uint32_t height)
{
    return width && height && width <= WEFT_MAX_PICTURE_SIZE && height <= WEFT_MAX_PICTURE_SIZE;
}

weft_status weft_picture_new(weft_pixel_format format, uint32_t width, uint32_t height, weft_picture *picture)
{
    *picture = (weft_picture){0};
    const struct format *f = picture_format(format);
    if (!f || !good_size(width, height))
        return WEFT_ERROR_USAGE;
    size_t stride = (size_t)width * f->bytes;
    void *pixels = calloc(height, stride);
    if (!pixels)
        return WEFT_ERROR_MEMORY;
    *picture = (weft_picture){format, width, height, stride, pixels};
    return WEFT_OK;
}

void weft_picture_free(weft_picture *picture)
{
    if (!picture)
        return;
    free(picture->pixels);
    *picture = (weft_picture){0};
}

void weft_draw_params_init_sized(weft_draw_params *params, size_t size)
{
    weft_draw_params defaults = {.budget = WEFT_DEFAULT_BUDGET};
    for (unsigned i = 0; i < WEFT_MAX_TEXTURES; i++)
        weft_sampler_init(&defaults.samplers[i]);
    sized_init(params, size, &defaults, sizeof defaults);
}

/* ---- programs ---- */

static const char *name_of(const weft_program *program)
{
    return program->source.name ? program->source.name : "<program>";
}

/* What the device does not do yet, each by its name. */
static weft_status check_device(const struct ir_program *ir, const char *name, weft_diags *diags)
{
    for (uint32_t i = 0; i < ir->nspaces; i++)
        if (ir->spaces[i].kind != IR_SPACE_CONST && ir->spaces[i].kind != IR_SPACE_PRIVATE &&
            ir->spaces[i].kind != IR_SPACE_BUS) {
            diag_add(diags, WEFT_ERROR, "unsupported", name, NULL,
                     "a draw has constant buffers alone, and the program has other memory ('%s'): run it by a job, "
                     "which has BIND BUFFER, or by weft/run.h", ir->spaces[i].name);
            return WEFT_ERROR_UNSUPPORTED;
        }
    return WEFT_OK;
}

static weft_status check_textures(const struct ir_program *ir, const weft_draw_params *params, const char *name,
                                  weft_diags *diags)
{
    for (uint32_t i = 0; i < ir->ntextures; i++) {
        const struct ir_texture *t = &ir->textures[i];
        if (t->view >= WEFT_MAX_TEXTURES || t->sampler >= WEFT_MAX_TEXTURES) {
            diag_add(diags, WEFT_ERROR, "texture-number", name, NULL,
                     "sampler %u or sampler view %u is above the limit of %d", t->sampler, t->view,
                     WEFT_MAX_TEXTURES - 1);
            return WEFT_ERROR_INPUT;
        }
        if (!params->textures[t->view]) {
            diag_add(diags, WEFT_ERROR, "no-texture", name, NULL,
                     "the program samples texture %u, but none is bound there", t->view);
            return WEFT_ERROR_INPUT;
        }
        const weft_texture *bound = params->textures[t->view];
        if (!texture_fits(bound, t)) {
            diag_add(diags, WEFT_ERROR, "texture-kind", name, NULL,
                     "the program samples texture %u as %s, but what is bound there is %s", t->view,
                     texture_kind_name(t->dim, t->array), texture_kind_name(bound->dim, bound->array));
            return WEFT_ERROR_INPUT;
        }
    }
    return WEFT_OK;
}

static const char *const stage_names[IR_STAGES] = {[IR_VERTEX] = "vertex",
                                                   [IR_TESS_CTRL] = "tessellation control",
                                                   [IR_TESS_EVAL] = "tessellation evaluation",
                                                   [IR_GEOMETRY] = "geometry",
                                                   [IR_FRAGMENT] = "fragment",
                                                   [IR_COMPUTE] = "compute"};

/* Check, lift, optimise and compile a program. */
static weft_status prepare(const weft_program *program, enum ir_stage stage, const weft_draw_params *params,
                           const struct exec_options *options, struct arena *arena, struct stage *out,
                           weft_diags *diags)
{
    const struct source *source = program_source(program);
    const char *name = name_of(program);
    int is = program->isa->stage ? program->isa->stage(program->module) : -1;
    if (is >= 0 && is < IR_STAGES && is != (int)stage) {
        diag_add(diags, WEFT_ERROR, "wrong-stage", name, NULL, "a %s program is wanted here, this is a %s program",
                 stage_names[stage], stage_names[is]);
        return WEFT_ERROR_INPUT;
    }
    struct isa_params running = program->params;
    running.running = true;
    weft_status status = isa_check(program->isa, program->module, name, source, &running, diags);
    if (status != WEFT_OK)
        return status;
    struct ir_program *ir = NULL;
    status = isa_lift(program->isa, program->module, name, source, arena, &ir, diags);
    if (status != WEFT_OK)
        return status;
    if ((status = check_device(ir, name, diags)) != WEFT_OK ||
        (status = check_textures(ir, params, name, diags)) != WEFT_OK)
        return status;
    ir->integer_targets = false; /* pictures have none */
    ir_optimise(ir);
    return stage_compile(ir, source, options, arena, out, diags);
}

/* ---- vertices without a vertex program ---- */

/* The outputs of the built-in vertex stage. */
enum { BUILTIN_POSITION, BUILTIN_TEXCOORD, BUILTIN_NORMAL, BUILTIN_PLACE, BUILTIN_TINT, BUILTIN_SLOTS };
static const struct ir_slot builtin_slots[BUILTIN_SLOTS] = {
    [BUILTIN_POSITION] = {.semantic = IR_SEM_POSITION, .mask = 15}};

void weft_draw_camera(float aspect, float matrix[16])
{
    const double eye[3] = {0.45, 0.42, 1.0}, distance = 3.8, near = 1, far = 10;
    double length = sqrt(eye[0] * eye[0] + eye[1] * eye[1] + eye[2] * eye[2]);
    double back[3] = {eye[0] / length, eye[1] / length, eye[2] / length};
    double across = hypot(back[0], back[2]), right[3] = {back[2] / across, 0, -back[0] / across};
    double up[3] = {back[1] * right[2] - back[2] * right[1], back[2] * right[0] - back[0] * right[2],
                    back[0] * right[1] - back[1] * right[0]};
    double focus = 2.414213562373095; /* 1 / tan(45 degrees / 2) */
    double fx = aspect > 1 ? focus / aspect : focus, fy = aspect > 1 ? focus : focus * aspect;
    double zz = -(far + near) / (far - near), zw = -2 * far * near / (far - near);
    /* Rows of the product of projection and view: the view moves the eye's point to -distance along z. */
    for (unsigned i = 0; i < 3; i++) {
        matrix[i * 4 + 0] = (float)(fx * right[i]);
        matrix[i * 4 + 1] = (float)(fy * up[i]);
        matrix[i * 4 + 2] = (float)(zz * back[i]);
        matrix[i * 4 + 3] = (float)-back[i];
    }
    matrix[12] = matrix[13] = 0;
    matrix[14] = (float)(zz * -distance + zw);
    matrix[15] = (float)distance;
}

static void put(struct vertices *v, uint32_t vertex, uint32_t slot, const float value[4])
{
    for (unsigned c = 0; c < 4; c++)
        vertex_row(v, vertex / 64, slot, c)[vertex % 64] = value[c];
}

/* The mesh as the built-in vertex stage gives it. */
static weft_status builtin_vertices(const struct mesh *mesh, bool quad, float aspect, struct vertices *out)
{
    *out = (struct vertices){.count = mesh->nvertices, .slots = BUILTIN_SLOTS, .slot = builtin_slots};
    size_t floats = (((size_t)mesh->nvertices + 63) / 64) * BUILTIN_SLOTS * 4 * 64;
    out->rows = aligned_alloc(64, floats * sizeof(float));
    if (!out->rows)
        return WEFT_ERROR_MEMORY;
    memset(out->rows, 0, floats * sizeof(float));
    float camera[16];
    weft_draw_camera(aspect, camera);
    for (uint32_t i = 0; i < mesh->nvertices; i++) {
        const struct mesh_vertex *v = &mesh->vertices[i];
        float clip[4], tint[4] = {0, 0, 0, 1};
        for (unsigned r = 0; r < 4; r++)
            clip[r] = camera[r] * v->position[0] + camera[4 + r] * v->position[1] + camera[8 + r] * v->position[2] +
                      camera[12 + r];
        for (unsigned c = 0; c < 3; c++)
            tint[c] = v->normal[c] * 0.5f + 0.5f;
        put(out, i, BUILTIN_POSITION, quad ? v->position : clip);
        put(out, i, BUILTIN_TEXCOORD, v->texcoord);
        put(out, i, BUILTIN_NORMAL, v->normal);
        put(out, i, BUILTIN_PLACE, v->position);
        put(out, i, BUILTIN_TINT, tint);
    }
    return WEFT_OK;
}

/* ---- linking ---- */

static uint16_t link_builtin(const struct ir_slot *in, bool quad)
{
    switch (in->semantic) {
    case IR_SEM_GENERIC:
        if (!quad && in->index == 1)
            return BUILTIN_NORMAL;
        if (!quad && in->index == 2)
            return BUILTIN_PLACE;
        return quad || in->index == 0 ? BUILTIN_TEXCOORD : (uint16_t)LINK_NONE;
    case IR_SEM_TEXCOORD:
        return BUILTIN_TEXCOORD;
    case IR_SEM_NORMAL:
        return BUILTIN_NORMAL;
    case IR_SEM_COLOR:
        return quad ? BUILTIN_TEXCOORD : BUILTIN_TINT;
    default:
        return LINK_NONE;
    }
}

static uint16_t link_outputs(const struct ir_slot *in, const struct ir_io *vertex)
{
    for (uint32_t i = 0; i < vertex->noutputs; i++)
        if (vertex->outputs[i].semantic == in->semantic && vertex->outputs[i].index == in->index)
            return (uint16_t)i;
    return LINK_NONE;
}

/* Inputs that the device makes itself. */
static bool made_by_device(unsigned semantic)
{
    return semantic == IR_SEM_POSITION || semantic == IR_SEM_FACE || semantic == IR_SEM_PRIMID ||
           semantic == IR_SEM_PCOORD || semantic == IR_SEM_BARYCENTRIC || semantic == IR_SEM_NONE;
}

static uint16_t *link_stages(const struct pipeline *p, bool quad, struct arena *arena, const char *name,
                             weft_diags *diags)
{
    const struct ir_io *io = &p->fragment.ir->io;
    uint16_t *link = ARENA_ARRAY(arena, uint16_t, io->ninputs + 1);
    for (uint32_t i = 0; link && i < io->ninputs; i++) {
        const struct ir_slot *in = &io->inputs[i];
        link[i] = p->vertex.ir ? link_outputs(in, &p->vertex.ir->io) : link_builtin(in, quad);
        if (link[i] == LINK_NONE && !made_by_device(in->semantic))
            diag_add(diags, WEFT_WARNING, "unbound-input", name, NULL,
                     "nothing feeds fragment input %u (index %u of its semantic): it is (0, 0, 0, 1)", i, in->index);
    }
    return link;
}

/* Who reads the normal of a quad, and not the texture coordinate, has most likely taken one for the other. */
static void warn_of_normal(const struct ir_program *vertex, const char *name, weft_diags *diags)
{
    enum { NORMAL = 1, TEXCOORD = 2 };
    const struct ir_io *io = &vertex->io;
    unsigned read = 0;
    for (uint32_t i = 0; i < io->ninputs; i++)
        if (io->inputs[i].mask && io->inputs[i].index <= TEXCOORD)
            read |= 1u << io->inputs[i].index;
    if ((read & (1u << NORMAL)) && !(read & (1u << TEXCOORD)))
        diag_add(diags, WEFT_WARNING, "constant-input", name, "input 2 is the texture coordinate",
                 "vertex input 1 is the normal, which is the same all over the quad");
}

/* ---- the draw ---- */

static enum exec_level choose_level(weft_cpu_level level)
{
    switch (level) {
    case WEFT_CPU_BASELINE:
        return EXEC_BASELINE;
    case WEFT_CPU_AVX2:
        return EXEC_AVX2;
    case WEFT_CPU_AVX512:
        return EXEC_AVX512;
    default:
        return exec_best_level();
    }
}

static weft_status usage(weft_diags *diags, const char *message)
{
    diag_add(diags, WEFT_ERROR, "usage", NULL, NULL, "%s", message);
    return WEFT_ERROR_USAGE;
}

static weft_status check_params(const weft_draw_params *params, const weft_picture *picture, weft_diags *diags)
{
    if (!params->fragment)
        return usage(diags, "a draw needs a fragment program");
    const struct format *f = picture_format(picture->format);
    if (!f || !picture->pixels || picture->stride < (size_t)picture->width * f->bytes)
        return usage(diags, "the picture has no memory, or too little of it");
    if (!good_size(picture->width, picture->height))
        return usage(diags, "a picture is 1 to 16384 pixels wide and high");
    if (params->threads > WEFT_MAX_THREADS)
        return usage(diags, "too many threads");
    if (!(params->seconds >= 0))
        return usage(diags, "the time limit is 0, which is none, or a number of seconds");
    if (!exec_level_usable(choose_level(params->cpu_level)))
        return usage(diags, "this machine or build does not have that CPU level");
    return WEFT_OK;
}

/* Everything a draw holds on to. */
struct job {
    struct arena arena;
    struct pipeline pipeline;
    struct mesh mesh;
    struct vertices ready;
    float *depth;
    float environment[4]; /* CONST[0][0] unless given */
    struct pool *pool;
};

static void job_free(struct job *j)
{
    pool_free(j->pool);
    mesh_free(&j->mesh);
    free(j->ready.rows);
    free(j->depth);
    arena_free(&j->arena);
}

/* Words as memory that programs read, which has the least byte of each first. */
static uint8_t *memory_of(const uint32_t *words, size_t count, struct arena *arena)
{
    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
        return (uint8_t *)(uintptr_t)words;
    uint32_t *turned = ARENA_ARRAY(arena, uint32_t, count + 1);
    if (turned)
        bytes_turn_words(memcpy(turned, words, count * sizeof *words), count);
    return (uint8_t *)turned;
}

static weft_status bind_constants(struct job *j, const weft_draw_params *params, const weft_picture *picture)
{
    float w = (float)picture->width, h = (float)picture->height;
    const float environment[4] = {params->time, 1.0f / w, 1.0f / h, w / h};
    memcpy(j->environment, environment, sizeof environment);
    bytes_turn_words(j->environment, 4);
    for (unsigned i = 0; i < WEFT_MAX_CONSTANT_BUFFERS; i++) {
        const weft_constants *c = &params->constants[i];
        uint8_t *memory = c->words ? memory_of(c->words, c->count, &j->arena) : NULL;
        if (c->words && !memory)
            return WEFT_ERROR_MEMORY;
        if (memory)
            j->pipeline.resources.constants[i] = (struct exec_buffer){memory, c->count * 4};
    }
    if (!params->constants[0].words)
        j->pipeline.resources.constants[0] = (struct exec_buffer){(uint8_t *)j->environment, sizeof j->environment};
    resources_map(&j->pipeline.resources);
    return WEFT_OK;
}

static void bind_mesh(struct pipeline *p, struct mesh *m)
{
    bytes_turn_words(m->vertices, m->nvertices * sizeof *m->vertices / sizeof(float));
    const size_t offsets[3] = {offsetof(struct mesh_vertex, position), offsetof(struct mesh_vertex, normal),
                               offsetof(struct mesh_vertex, texcoord)};
    for (unsigned i = 0; i < 3; i++)
        p->attribute[i] =
            (struct attribute){&formats[FORMAT_R32G32B32A32_SFLOAT], (const uint8_t *)m->vertices,
                               (size_t)m->nvertices * sizeof *m->vertices, offsets[i], sizeof *m->vertices};
    p->vertex_count = m->nvertices;
    p->indices = m->indices;
    p->index_count = m->nindices;
    p->topology = TRIANGLE_LIST;
}

static bool is_quad(const weft_draw_params *params)
{
    return !params->geometry && params->mesh == WEFT_MESH_QUAD;
}

static weft_status make_mesh(const weft_draw_params *params, struct mesh *out, weft_diags *diags)
{
    weft_status status = params->geometry ? mesh_of(params->geometry, out) : mesh_make(params->mesh, out);
    if (status != WEFT_ERROR_USAGE)
        return status;
    return usage(diags, params->geometry ? "the indices of a mesh name its vertices, three for each triangle"
                                         : "there is no such mesh");
}

static weft_status bind_targets(struct job *j, const weft_draw_params *params, const weft_picture *picture)
{
    struct pipeline *p = &j->pipeline;
    int32_t w = (int32_t)picture->width, h = (int32_t)picture->height;
    p->color[0] = (struct surface){picture_format(picture->format), picture->pixels, picture->stride, picture->width,
                                   picture->height};
    p->viewport[0] = viewport_make(0, 0, w, h, 0, 1, p->half_z);
    p->scissor = (struct rect){0, 0, w, h};
    p->front_positive = true;
    p->origin_far_row = !p->fragment.ir->io.origin_lower_left;
    p->clear = true;
    memcpy(p->clear_color, params->clear, sizeof p->clear_color);
    p->clear_depth = 1.0f;
    if (is_quad(params))
        return WEFT_OK;
    j->depth = calloc((size_t)picture->width * picture->height, sizeof *j->depth);
    if (!j->depth)
        return WEFT_ERROR_MEMORY;
    p->depth = (struct surface){&formats[FORMAT_D32_SFLOAT], (uint8_t *)j->depth,
                                (size_t)picture->width * sizeof *j->depth, picture->width, picture->height};
    p->depth_test = p->depth_write = true;
    p->depth_op = COMPARE_LESS;
    return WEFT_OK;
}

static weft_status make_job(struct job *j, const weft_draw_params *params, const weft_picture *picture,
                            weft_diags *diags)
{
    struct pipeline *p = &j->pipeline;
    bool quad = is_quad(params);
    p->resources.level = choose_level(params->cpu_level);
    p->budget = params->budget;
    p->until = params->seconds > 0 ? failure_clock() + params->seconds : 0;
    const struct exec_options options = {.level = p->resources.level, .engine = stage_engine(params->engine)};
    weft_status status = prepare(params->fragment, IR_FRAGMENT, params, &options, &j->arena, &p->fragment, diags);
    if (status == WEFT_OK && params->vertex)
        status = prepare(params->vertex, IR_VERTEX, params, &options, &j->arena, &p->vertex, diags);
    if (status != WEFT_OK)
        return status;
    if ((status = make_mesh(params, &j->mesh, diags)) != WEFT_OK)
        return status;
    if (!params->vertex) {
        status = builtin_vertices(&j->mesh, quad, (float)picture->width / (float)picture->height, &j->ready);
        if (status != WEFT_OK)
            return status;
        p->ready = &j->ready;
    }
    if (params->vertex && quad)
        warn_of_normal(p->vertex.ir, name_of(params->vertex), diags);
    if (!(p->link = link_stages(p, quad, &j->arena, name_of(params->fragment), diags)))
        return WEFT_ERROR_MEMORY;
    memcpy(p->resources.textures, params->textures, sizeof p->resources.textures);
    p->resources.samplers = params->samplers;
    bind_mesh(p, &j->mesh);
    status = bind_constants(j, params, picture);
    if (status == WEFT_OK)
        status = bind_targets(j, params, picture);
    j->pool = pool_new(pool_threads_for(params->threads));
    return j->pool ? status : WEFT_ERROR_MEMORY;
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static weft_status draw(const weft_draw_params *params, weft_picture *picture, weft_draw_stats *stats,
                        weft_diags *diags)
{
    weft_status status = check_params(params, picture, diags);
    if (status != WEFT_OK)
        return status;
    struct job j = {0};
    struct pipeline_stats counts = {0};
    status = make_job(&j, params, picture, diags);
    if (status == WEFT_ERROR_MEMORY)
        diag_add(diags, WEFT_ERROR, "memory", NULL, NULL, "not enough memory to draw");
    double start = seconds_now();
    uint32_t repeat = params->repeat ? params->repeat : 1;
    for (uint32_t i = 0; i < repeat && status == WEFT_OK; i++)
        status = pipeline_draw(&j.pipeline, j.pool, &counts, diags);
    double elapsed = seconds_now() - start;
    if (picture->format == WEFT_RGBA32_SFLOAT)
        for (uint32_t y = 0; y < picture->height; y++)
            bytes_turn_words((uint8_t *)picture->pixels + picture->stride * y, (size_t)picture->width * 4);
    exec_jit_settle();
    outside_report(&counts.outside, counts.bad_accesses, NULL, diags);
    if (stats)
        *stats = (weft_draw_stats){.vertices = counts.vertices,
                                   .primitives = counts.primitives,
                                   .fragments = counts.fragments,
                                   .instructions = counts.instructions,
                                   .bad_accesses = counts.bad_accesses,
                                   .seconds = elapsed,
                                   .cpu_seconds = j.pool ? pool_cpu_seconds(j.pool) : 0,
                                   .threads = j.pool ? pool_threads(j.pool) : 0};
    if (stats) {
        stage_report(&j.pipeline.fragment, &stats->engine);
        stage_report(&j.pipeline.vertex, &stats->engine);
    }
    job_free(&j);
    return status;
}

weft_status weft_draw(const weft_draw_params *params, weft_picture *picture, weft_draw_stats *stats, weft_diags *diags)
{
    weft_draw_params known;
    weft_status status = sized_copy(&known, sizeof known, SIZED_FIRST(weft_draw_params, engine), params,
                                    "weft_draw_params", diags);
    return status == WEFT_OK ? draw(&known, picture, stats, diags) : status;
}
