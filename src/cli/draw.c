/* draw.c - weft draw: a shader becomes a picture. */
#include "cli/frames.h"
#include "cli/picture.h"
#include "cli/scene.h"

#include <stdlib.h>
#include <string.h>

static int draw(const struct scene_args *args, enum picture_kind kind, weft_diags *diags)
{
    struct scene scene;
    weft_picture picture = {0};
    weft_draw_stats stats = {0};
    int status = scene_load(&scene, args, &command_draw, diags);
    if (status == STATUS_FINE)
        status = scene_picture(&scene, args, kind, &picture, &stats, diags);
    cli_report(diags);
    if (status == STATUS_FINE && args->stats)
        scene_show_stats(args, &stats);
    if (status == STATUS_FINE)
        status = picture_save(args->output, &picture, scene.params.threads);
    weft_picture_free(&picture);
    scene_free(&scene);
    return status;
}

/* False, having said so, when the picture would replace a file that is read for it. */
static bool inputs_kept(const struct scene_args *args)
{
    const char *const files[] = {args->shader, args->vertex, args->linkage, args->vertex_linkage, args->mesh};
    for (size_t n = 0; n < sizeof files / sizeof files[0]; n++)
        if (!cli_distinct(&command_draw, files[n], args->output))
            return false;
    for (size_t n = 0; n < args->npasses; n++)
        if (!cli_distinct(&command_draw, args->pass[n].file, args->output))
            return false;
    for (size_t n = 0; n < WEFT_MAX_CONSTANT_BUFFERS; n++)
        if (!cli_distinct(&command_draw, args->constants[n], args->output))
            return false;
    for (size_t n = 0; n < WEFT_MAX_TEXTURES; n++)
        if (!scene_texture_distinct(&args->texture[n], &command_draw, args->output) ||
            !scene_texture_distinct(&args->named[n], &command_draw, args->output))
            return false;
    return true;
}

static int run(int argc, char **argv)
{
    struct scene_args args;
    int status;
    if (!scene_parse(&args, &command_draw, argc, argv, &status))
        return status;
    if (!args.output)
        return cli_wrong(&command_draw, "where to? Give -o OUT.png or -o OUT.raw");
    enum picture_kind kind = picture_kind(args.output);
    const char *fault = args.frames ? frames_fault(args.output, kind) : NULL;
    if (fault)
        return cli_wrong(&command_draw, "%s", fault);
    if (kind == PICTURE_NONE)
        return cli_wrong(&command_draw, "'%s' is not the name of a picture: give NAME.png or NAME.raw", args.output);
    if (cli_to_terminal(args.output))
        return cli_wrong(&command_draw, "a picture is not for a terminal: give -o OUT.png");
    if (args.frames ? !frames_kept(&args, inputs_kept) : !inputs_kept(&args))
        return STATUS_USAGE;
    if (args.target.stage != WEFT_STAGE_NONE && args.target.stage != WEFT_FRAGMENT)
        return cli_wrong(&command_draw, "SHADER is a fragment shader: -s can only be fragment");
    weft_diags *diags = cli_kept(weft_diags_new());
    if (!diags) {
        cli_message("out of memory");
        return STATUS_INPUT;
    }
    status = args.frames ? frames_draw(&args, kind, diags) : draw(&args, kind, diags);
    weft_diags_free(diags);
    return status;
}

const struct cli_command command_draw = {
    "draw",
    "SHADER [-i ISA] [--vertex FILE] [--mesh NAME] [--size WxH] [--uniform NAME=V[,V...]]\n"
    "                 [--texture N|NAME=FILE.png] [--const [N=]FILE] [--time T] [--linkage FILE] -o OUT.png|OUT.raw",
    "draw a picture with a fragment shader",
    "SHADER runs for every pixel of a quad that fills the picture: GENERIC[0] is (u, v) from (0, 0) at the bottom\n"
    "left to (1, 1) at the top right, and CONST[0][0] is (time, 1/W, 1/H, W/H). With --mesh it runs on a mesh\n"
    "instead: GENERIC[0] is then the texture coordinate, GENERIC[1] the normal, GENERIC[2] the position.",
    scene_options,
    run,
};
