/* scene.c - from the arguments of `weft draw` to a picture. */
#include "cli/scene.h"
#include "cli/constants.h"
#include "cli/passes.h"
#include "cli/picture.h"
#include "cli/scene_names.h"
#include "cli/uniforms.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool has(const struct cli_bytes *in, const char *word)
{
    return memmem(in->data, in->size, word, strlen(word)) != NULL;
}

/* The program of a stage and how it meets its inputs, if a file says so. */
static int load_program(const struct scene_args *args, const struct cli_command *command, const char *path,
                        const char *linkage_path, struct scene_program *p, weft_diags *diags)
{
    struct cli_bytes in;
    struct cli_target target = args->target;
    /* A vertex shader may be of another instruction set than the fragment shader, if its name says so. */
    const weft_isa *isa = p->stage == WEFT_VERTEX ? weft_isa_of_file(path) : NULL;
    if (p->stage == WEFT_VERTEX && isa)
        target.isa = NULL;
    if (!isa)
        isa = cli_isa(&target, command, path);
    if (!isa)
        return STATUS_USAGE;
    target.stage = p->stage;
    if (p->stage == WEFT_VERTEX)
        target.entry = args->vertex_entry;
    p->entry = target.entry;
    if (linkage_path && !cli_read(linkage_path, &p->linkage))
        return STATUS_INPUT;
    if (!cli_read(path, &in))
        return STATUS_INPUT;
    p->name = in.name;
    p->language = target.isa ? target.isa : weft_isa_name(isa);
    p->glsl = strcmp(weft_isa_name(isa), "spirv") == 0 && has(&in, "main") && !memchr(in.data, 0, in.size) &&
              !has(&in, "OpEntryPoint") && !has(&in, "SV_");
    p->locations = has(&in, "location");
    p->bindings = has(&in, "binding");
    weft_status status = cli_program(&target, isa, &in, linkage_path ? &p->linkage : NULL, diags, &p->program);
    free(in.data);
    return cli_status(status);
}

/* The texture is the picture of a pass. */
static int feed_texture(struct scene *scene, const struct scene_texture *t, size_t n, size_t pass)
{
    if (t->mip != WEFT_MIP_NONE || t->kind != SCENE_2D || t->format) {
        cli_message("'%.*s' is a pass, whose picture has one level, two dimensions and a format: leave such words out",
                    (int)t->length, t->file);
        return STATUS_USAGE;
    }
    scene_texture_sampler(t, &scene->params.samplers[n]);
    if (scene->nfeeds == WEFT_MAX_TEXTURES) {
        cli_message("there are at most %d textures", WEFT_MAX_TEXTURES);
        return STATUS_USAGE;
    }
    scene->feed[scene->nfeeds++] = (struct scene_feed){n, pass};
    return STATUS_FINE;
}

static int load_texture(struct scene *scene, const struct scene_args *args, const struct scene_texture *t, size_t n,
                        weft_diags *diags)
{
    size_t pass = passes_named(args, t);
    if (pass < SCENE_MOST_PASSES)
        return feed_texture(scene, t, n, pass);
    weft_texture_free(scene->textures[n]);
    scene->textures[n] = NULL;
    if (!scene_texture_load(t, &scene->textures[n], &scene->params.samplers[n], diags))
        return STATUS_INPUT;
    scene->params.textures[n] = scene->textures[n];
    return STATUS_FINE;
}

static int load_named(struct scene *scene, const struct scene_args *args, const struct scene_texture *t,
                      const struct cli_command *command, weft_diags *diags)
{
    size_t n = uniforms_texture(scene, command, t->name, t->name_length);
    if (n < WEFT_MAX_TEXTURES && scene->textures[n])
        return cli_wrong(command, "--texture %.*s: texture %zu is given twice, by two names of it", (int)t->name_length,
                         t->name, n);
    return n < WEFT_MAX_TEXTURES   ? load_texture(scene, args, t, n, diags)
           : n == INTERFACE_UNUSED ? STATUS_FINE
                                   : STATUS_USAGE;
}

/* Samplers apart from textures are as the words of the first texture say. */
static void set_samplers(struct scene *scene, const struct scene_args *args)
{
    const struct scene_texture *first = args->nnamed ? &args->named[0] : NULL;
    struct interface_variable v;
    for (size_t n = WEFT_MAX_TEXTURES; n-- > 0;)
        first = args->texture[n].file ? &args->texture[n] : first;
    for (int stage = 0; stage < SCENE_STAGES && first; stage++)
        for (size_t at = 0; interface_next(&scene->interface[stage], &at, &v);)
            for (uint32_t i = 0; v.kind == INTERFACE_SAMPLER && i < v.elements && v.number < WEFT_MAX_TEXTURES - i; i++)
                scene_texture_sampler(first, &scene->params.samplers[v.number + i]);
}

static int load_constants(struct scene *scene, const struct scene_args *args, size_t n, weft_diags *diags)
{
    struct cli_bytes in;
    size_t count = 0;
    if (!cli_read(args->constants[n], &in))
        return STATUS_INPUT;
    weft_status status = constants_parse(&in, &scene->constants[n], &count, diags);
    scene->params.constants[n] = (weft_constants){scene->constants[n], count};
    free(in.data);
    return cli_status(status);
}

/* Without a vertex program the camera looks at what is within -1 to 1. */
static int load_mesh(struct scene *scene, const struct scene_args *args, weft_diags *diags)
{
    struct cli_bytes in;
    if (!cli_read(args->mesh, &in))
        return STATUS_INPUT;
    weft_status status = mesh_file_parse(&in, &scene->mesh, diags);
    if (!args->vertex)
        mesh_file_fit(&scene->mesh);
    scene->params.geometry = &scene->mesh.geometry;
    free(in.data);
    return cli_status(status);
}

static int load_programs(struct scene *scene, const struct scene_args *args, const struct cli_command *command,
                         weft_diags *diags)
{
    struct scene_program *fragment = &scene->program[SCENE_FRAGMENT], *vertex = &scene->program[SCENE_VERTEX];
    fragment->stage = WEFT_FRAGMENT;
    vertex->stage = WEFT_VERTEX;
    int status = load_program(args, command, args->shader, args->linkage, fragment, diags);
    if (status == STATUS_FINE && args->vertex)
        status = load_program(args, command, args->vertex, args->vertex_linkage, vertex, diags);
    for (int i = 0; i < SCENE_STAGES && status == STATUS_FINE; i++)
        if (!interface_read(scene->program[i].program, &scene->interface[i]))
            status = STATUS_INPUT;
    if (status == STATUS_FINE && !scene_meet(scene, args, diags))
        status = STATUS_INPUT;
    scene->params.fragment = fragment->program;
    scene->params.vertex = vertex->program;
    return status;
}

int scene_load_alone(struct scene *scene, const struct scene_args *args, const struct cli_command *command,
                     weft_diags *diags)
{
    *scene = (struct scene){.params = args->params, .self = args->self};
    int status = load_programs(scene, args, command, diags);
    if (status == STATUS_FINE && args->mesh)
        status = load_mesh(scene, args, diags);
    if (status == STATUS_FINE && args->vertices) {
        mesh_file_empty(args->vertices, &scene->mesh);
        scene->params.geometry = &scene->mesh.geometry;
    }
    for (size_t n = 0; n < WEFT_MAX_TEXTURES && status == STATUS_FINE; n++)
        if (args->texture[n].file)
            status = load_texture(scene, args, &args->texture[n], n, diags);
    for (size_t n = 0; n < args->nnamed && status == STATUS_FINE; n++)
        status = load_named(scene, args, &args->named[n], command, diags);
    if (status == STATUS_FINE)
        set_samplers(scene, args);
    for (size_t n = 0; n < WEFT_MAX_CONSTANT_BUFFERS && status == STATUS_FINE; n++)
        if (args->constants[n])
            status = load_constants(scene, args, n, diags);
    return status == STATUS_FINE ? uniforms_set(scene, args, command) : status;
}

struct scene_args scene_at(const struct scene_args *args, uint32_t frame)
{
    struct scene_args now = *args;
    now.frame = frame;
    now.params.time += (float)frame / (float)args->rate;
    return now;
}

/* What the passes are when the first frame that is asked for is drawn. */
static int draw_before(struct scene *scene, const struct scene_args *args, const struct cli_command *command,
                       weft_diags *diags)
{
    int status = STATUS_FINE;
    for (uint32_t i = 0; scene->passes && i < args->frame && status == STATUS_FINE; i++) {
        struct scene_args *now = cli_kept(malloc(sizeof *now));
        *now = scene_at(args, i);
        status = passes_advance(scene->passes, now, command);
        if (status == STATUS_FINE)
            status = cli_status(passes_draw(scene->passes, NULL, diags));
        free(now);
    }
    return status;
}

int scene_load(struct scene *scene, const struct scene_args *args, const struct cli_command *command, weft_diags *diags)
{
    struct scene_args *own = passes_args(args, args->npasses);
    int status = scene_load_alone(scene, own, command, diags);
    if (status == STATUS_FINE)
        status = passes_load(args, command, diags, &scene->passes);
    if (status == STATUS_FINE)
        status = draw_before(scene, args, command, diags);
    if (status == STATUS_FINE && args->frame) {
        *own = scene_at(args, args->frame);
        status = scene_advance(scene, own, command);
    }
    free(own);
    return status;
}

int scene_advance(struct scene *scene, const struct scene_args *args, const struct cli_command *command)
{
    struct scene_args *own = passes_args(args, args->npasses);
    scene->params.time = args->params.time;
    int status = passes_advance(scene->passes, args, command);
    if (status == STATUS_FINE)
        status = uniforms_set_again(scene, own, command);
    free(own);
    return status;
}

void scene_free(struct scene *scene)
{
    for (int i = 0; i < SCENE_STAGES; i++) {
        weft_program_free(scene->program[i].program);
        free(scene->program[i].linkage.data);
        interface_free(&scene->interface[i]);
    }
    passes_free(scene->passes);
    mesh_file_free(&scene->mesh);
    for (size_t n = 0; n < WEFT_MAX_TEXTURES; n++)
        weft_texture_free(scene->textures[n]);
    for (size_t n = 0; n < WEFT_MAX_CONSTANT_BUFFERS; n++)
        free(scene->constants[n]);
}

weft_status scene_draw_alone(const struct scene *scene, const struct scene_args *args, const struct passes *passes,
                             weft_pixel_format format, weft_picture *picture, weft_draw_stats *stats,
                             weft_diags *diags)
{
    weft_draw_params params = scene->params;
    weft_status status = weft_picture_new(format, args->width, args->height, picture);
    if (status != WEFT_OK)
        return status;
    passes_feed(passes, scene, &params);
    status = weft_draw(&params, picture, stats, diags);
    if (status != WEFT_OK)
        weft_picture_free(picture);
    const weft_diag *last = weft_diags_count(diags) ? weft_diags_get(diags, weft_diags_count(diags) - 1) : NULL;
    if (status != WEFT_OK && last && last->code && strcmp(last->code, "no-texture") == 0)
        uniforms_missing_textures(scene, diags);
    return status;
}

weft_status scene_draw(const struct scene *scene, const struct scene_args *args, weft_pixel_format format,
                       weft_picture *picture, weft_draw_stats *stats, weft_diags *diags)
{
    weft_draw_stats before = {0};
    weft_status status = passes_draw(scene->passes, &before, diags);
    if (status == WEFT_OK)
        status = scene_draw_alone(scene, args, scene->passes, format, picture, stats, diags);
    if (status == WEFT_OK && stats && scene->passes) {
        scene_add_stats(&before, stats);
        *stats = before;
    }
    return status;
}

int scene_picture(const struct scene *scene, const struct scene_args *args, enum picture_kind kind,
                  weft_picture *picture, weft_draw_stats *stats, weft_diags *diags)
{
    weft_pixel_format format = kind == PICTURE_RAW ? WEFT_RGBA32_SFLOAT : WEFT_RGBA8_UNORM;
    weft_status drawn = scene_draw(scene, args, format, picture, stats, diags);
    if (drawn != WEFT_OK && weft_diags_errors(diags) == 0)
        cli_message("cannot draw: %s", weft_status_name(drawn));
    return cli_status(drawn);
}

void scene_add_stats(weft_draw_stats *sum, const weft_draw_stats *s)
{
    weft_draw_stats all = *s;
    all.vertices += sum->vertices;
    all.primitives += sum->primitives;
    all.fragments += sum->fragments;
    all.instructions += sum->instructions;
    all.bad_accesses += sum->bad_accesses;
    all.seconds += sum->seconds;
    all.cpu_seconds += sum->cpu_seconds;
    *sum = all;
}

void scene_show_stats(const struct scene_args *args, const weft_draw_stats *s)
{
    double fragments = (double)s->fragments;
    fprintf(stderr,
            "size %ux%u\nthreads %u\nvertices %" PRIu64 "\nprimitives %" PRIu64 "\nfragments %" PRIu64
            "\ninstructions %" PRIu64 "\nbad-accesses %" PRIu64 "\nseconds %.6f\ncpu-seconds %.6f\n",
            args->width, args->height, s->threads, s->vertices, s->primitives, s->fragments, s->instructions,
            s->bad_accesses, s->seconds, s->cpu_seconds);
    cli_show_engine(stderr, &s->engine);
    if (s->seconds > 0)
        fprintf(stderr, "mfragments-per-second %.3f\n", fragments / s->seconds * 1e-6);
    if (s->cpu_seconds > 0)
        fprintf(stderr, "mfragments-per-cpu-second %.3f\n", fragments / s->cpu_seconds * 1e-6);
}
