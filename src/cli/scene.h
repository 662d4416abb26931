/* scene.h - what a command line asks to be drawn, and everything that is read for it. */
#ifndef WEFT_CLI_SCENE_H
#define WEFT_CLI_SCENE_H

#include "cli/cli.h"

#include <weft/draw.h>

enum scene_filter { SCENE_NEAREST, SCENE_LINEAR, SCENE_MIPMAP };

/* The arguments of `weft draw`. Strings are the command line's own. */
struct scene_args {
    struct cli_target target;
    const char *shader, *vertex, *output;
    const char *linkage, *vertex_linkage; /* files; NULL: the default */
    uint32_t width, height;
    const char *texture[WEFT_MAX_TEXTURES]; /* by number; NULL: none; `FILE` with filter and number cut off */
    size_t texture_length[WEFT_MAX_TEXTURES];
    enum scene_filter filter[WEFT_MAX_TEXTURES];
    const char *constants[WEFT_MAX_CONSTANT_BUFFERS]; /* files, by number; NULL: none */
    weft_draw_params params;                          /* everything that needs no file */
    bool stats;
};

struct scene {
    weft_draw_params params;
    weft_program *fragment, *vertex;
    weft_texture *textures[WEFT_MAX_TEXTURES];
    uint32_t *constants[WEFT_MAX_CONSTANT_BUFFERS];
};

extern const struct cli_option scene_options[];

/* Read the arguments. False: return *status, whose reason has been said. */
bool scene_parse(struct scene_args *s, const struct cli_command *command, int argc, char **argv, int *status);

/* Read every file. Returns an exit status; what is wrong has been said or is in `diags`. Free the scene either way. */
int scene_load(struct scene *scene, const struct scene_args *args, const struct cli_command *command,
               weft_diags *diags);
void scene_free(struct scene *scene);

/* Draw into a new picture of the right size. The caller frees the picture if WEFT_OK is returned. */
weft_status scene_draw(const struct scene *scene, const struct scene_args *args, weft_pixel_format format,
                       weft_picture *picture, weft_draw_stats *stats, weft_diags *diags);

#endif
