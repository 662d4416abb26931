/* scene.c - from the arguments of `weft draw` to a picture. */
#include "cli/scene.h"
#include "cli/constants.h"
#include "cli/picture.h"

#include <stdlib.h>
#include <string.h>

/* The program of a stage and how it meets its inputs, if a file says so. */
static int load_program(const struct scene_args *args, const struct cli_command *command, const char *path,
                        const char *linkage_path, weft_stage stage, weft_diags *diags, weft_program **out)
{
    struct cli_bytes in, linkage = {0};
    struct cli_target target = args->target;
    /* A vertex shader may be of another instruction set than the fragment shader, if its name says so. */
    const weft_isa *isa = stage == WEFT_VERTEX ? weft_isa_of_file(path) : NULL;
    if (!isa)
        isa = cli_isa(&target, command, path);
    if (!isa)
        return STATUS_USAGE;
    target.stage = stage;
    if (linkage_path && !cli_read(linkage_path, &linkage))
        return STATUS_INPUT;
    if (!cli_read(path, &in)) {
        free(linkage.data);
        return STATUS_INPUT;
    }
    weft_status status = cli_program(&target, isa, &in, linkage_path ? &linkage : NULL, diags, out);
    free(in.data);
    free(linkage.data);
    return cli_status(status);
}

static int load_texture(struct scene *scene, const struct scene_args *args, size_t n, weft_diags *diags)
{
    weft_sampler *sampler = &scene->params.samplers[n];
    enum scene_filter filter = args->filter[n];
    char *path = cli_kept(strndup(args->texture[n], args->texture_length[n]));
    bool fine = path && texture_load(path, filter == SCENE_MIPMAP, &scene->textures[n], diags);
    free(path);
    if (!fine)
        return STATUS_INPUT;
    scene->params.textures[n] = scene->textures[n];
    sampler->min_filter = sampler->mag_filter = filter == SCENE_NEAREST ? WEFT_NEAREST : WEFT_LINEAR;
    sampler->mip_filter = filter == SCENE_MIPMAP ? WEFT_MIP_LINEAR : WEFT_MIP_NONE;
    return STATUS_FINE;
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

int scene_load(struct scene *scene, const struct scene_args *args, const struct cli_command *command, weft_diags *diags)
{
    *scene = (struct scene){.params = args->params};
    int status = load_program(args, command, args->shader, args->linkage, WEFT_FRAGMENT, diags, &scene->fragment);
    if (status == STATUS_FINE && args->vertex)
        status = load_program(args, command, args->vertex, args->vertex_linkage, WEFT_VERTEX, diags, &scene->vertex);
    for (size_t n = 0; n < WEFT_MAX_TEXTURES && status == STATUS_FINE; n++)
        if (args->texture[n])
            status = load_texture(scene, args, n, diags);
    for (size_t n = 0; n < WEFT_MAX_CONSTANT_BUFFERS && status == STATUS_FINE; n++)
        if (args->constants[n])
            status = load_constants(scene, args, n, diags);
    scene->params.fragment = scene->fragment;
    scene->params.vertex = scene->vertex;
    return status;
}

void scene_free(struct scene *scene)
{
    weft_program_free(scene->fragment);
    weft_program_free(scene->vertex);
    for (size_t n = 0; n < WEFT_MAX_TEXTURES; n++)
        weft_texture_free(scene->textures[n]);
    for (size_t n = 0; n < WEFT_MAX_CONSTANT_BUFFERS; n++)
        free(scene->constants[n]);
}

weft_status scene_draw(const struct scene *scene, const struct scene_args *args, weft_pixel_format format,
                       weft_picture *picture, weft_draw_stats *stats, weft_diags *diags)
{
    weft_status status = weft_picture_new(format, args->width, args->height, picture);
    if (status != WEFT_OK)
        return status;
    status = weft_draw(&scene->params, picture, stats, diags);
    if (status != WEFT_OK)
        weft_picture_free(picture);
    return status;
}
