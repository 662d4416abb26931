/* scene.h - what a command line asks to be drawn, and everything that is read for it. */
#ifndef WEFT_CLI_SCENE_H
#define WEFT_CLI_SCENE_H

#include "cli/interface.h"
#include "cli/mesh_file.h"
#include "cli/picture.h"
#include "cli/scene_texture.h"

#include <weft/draw.h>

enum scene_stage { SCENE_FRAGMENT, SCENE_VERTEX, SCENE_STAGES };
enum { SCENE_MOST_UNIFORMS = 256, SCENE_MOST_PASSES = 16 };

/* --pass NAME=FILE. */
struct scene_pass {
    const char *name; /* `length` characters */
    size_t length;
    const char *file;
};

/* The arguments of `weft draw`. Strings are the command line's own. */
struct scene_args {
    struct cli_target target;
    const char *shader, *vertex, *output;
    const char *mesh; /* a file; NULL: that of the parameters */
    uint32_t vertices; /* without data, in the place of a mesh; 0: there is one */
    const char *linkage, *vertex_linkage; /* files; NULL: the default */
    const char *vertex_entry;             /* NULL: as the program says; SHADER's is that of `target` */
    uint32_t width, height;
    struct scene_texture texture[WEFT_MAX_TEXTURES]; /* by number */
    struct scene_texture named[WEFT_MAX_TEXTURES];
    size_t nnamed;
    const char *uniform[SCENE_MOST_UNIFORMS]; /* NAME=V[,V...] */
    size_t uniforms;
    struct scene_pass pass[SCENE_MOST_PASSES];
    size_t npasses;
    struct scene_pass self; /* of a pass: what it is; name NULL: SHADER */
    const char *constants[WEFT_MAX_CONSTANT_BUFFERS]; /* files, by number; NULL: none */
    weft_draw_params params;                          /* everything that needs no file */
    bool stats;
    uint32_t frames; /* pictures, each 1 / `rate` seconds after the one before; 0: a single one */
    uint32_t rate, frame; /* which of them, from 0 */
    bool one_frame;       /* that one is asked for */
};

/* A program and what its file says. */
struct scene_program {
    weft_program *program;
    const char *name, *language; /* of the file; what it is written in, if its name does not say */
    const char *entry; /* NULL: as it says */
    weft_stage stage;
    struct cli_bytes linkage;          /* data NULL: the default */
    bool glsl, locations, bindings;    /* text of GLSL; it gives locations, bindings */
};

/* A texture that is the picture of a pass. */
struct scene_feed {
    size_t texture, pass;
};

struct scene {
    weft_draw_params params;
    struct passes *passes; /* passes.h */
    struct scene_pass self;
    struct scene_feed feed[WEFT_MAX_TEXTURES];
    size_t nfeeds;
    struct scene_program program[SCENE_STAGES];
    struct interface interface[SCENE_STAGES];
    struct mesh_file mesh;
    weft_texture *textures[WEFT_MAX_TEXTURES];
    uint32_t *constants[WEFT_MAX_CONSTANT_BUFFERS];
};

/* Whether a quad that fills the picture is drawn, and no mesh. */
static inline bool scene_is_quad(const struct scene_args *args)
{
    return !args->mesh && !args->vertices && args->params.mesh == WEFT_MESH_QUAD;
}

extern const struct cli_option scene_options[];

/* Read the arguments. False: return *status, whose reason has been said. */
bool scene_parse(struct scene_args *s, const struct cli_command *command, int argc, char **argv, int *status);

/* The arguments at picture number `frame` of an animation. */
struct scene_args scene_at(const struct scene_args *args, uint32_t frame);

/* Read every file, and draw the passes of all frames before args->frame. Returns an exit status; what is wrong has been
 * said or is in `diags`. Free the scene either way. The second leaves out passes. */
int scene_load(struct scene *scene, const struct scene_args *args, const struct cli_command *command,
               weft_diags *diags);
int scene_load_alone(struct scene *scene, const struct scene_args *args, const struct cli_command *command,
                     weft_diags *diags);
void scene_free(struct scene *scene);

/* The frame and the time are now those of `args`. An exit status. */
int scene_advance(struct scene *scene, const struct scene_args *args, const struct cli_command *command);

/* Draw its passes, then into a new picture of the right size. The caller frees the picture if WEFT_OK is returned. The
 * second draws no passes, and has the pictures of those that are given, which may be NULL. */
weft_status scene_draw(const struct scene *scene, const struct scene_args *args, weft_pixel_format format,
                       weft_picture *picture, weft_draw_stats *stats, weft_diags *diags);
weft_status scene_draw_alone(const struct scene *scene, const struct scene_args *args, const struct passes *passes,
                             weft_pixel_format format, weft_picture *picture, weft_draw_stats *stats,
                             weft_diags *diags);
/* The same for a kind of file; an exit status, having said what is wrong or put it into `diags`. */
int scene_picture(const struct scene *scene, const struct scene_args *args, enum picture_kind kind,
                  weft_picture *picture, weft_draw_stats *stats, weft_diags *diags);
/* Add what another draw took. */
void scene_add_stats(weft_draw_stats *sum, const weft_draw_stats *s);
/* --stats: on standard error. */
void scene_show_stats(const struct scene_args *args, const weft_draw_stats *s);

#endif
