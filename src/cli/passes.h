/* passes.h - programs whose pictures the shader of a scene has as textures, and each other, and the ones before. */
#ifndef WEFT_CLI_PASSES_H
#define WEFT_CLI_PASSES_H

#include "cli/scene.h"

/* Take --pass NAME=FILE. False, having said what is wrong. */
bool passes_take(struct scene_args *s, const struct cli_args *a);

/* The arguments of a pass, or of SHADER (pass = args->npasses): textures and uniforms that are called NAME.x are those
 * of pass NAME alone, whose names are x. */
struct scene_args *passes_args(const struct scene_args *args, size_t pass);

/* The number of the pass whose picture the texture is, or SCENE_MOST_PASSES: it is of files. */
size_t passes_named(const struct scene_args *args, const struct scene_texture *t);

/* Load the passes of a scene; NULL in *out: there are none. An exit status, as scene_load. */
int passes_load(const struct scene_args *args, const struct cli_command *command, weft_diags *diags,
                struct passes **out);
void passes_free(struct passes *p); /* NULL is fine, here and below */

/* The frame and the time are now those of `args`. An exit status. */
int passes_advance(struct passes *p, const struct scene_args *args, const struct cli_command *command);

/* Draw them in order. A pass has the pictures of those before it, and the ones before of itself and of those after it.
 * What they took is added to `stats`, which may be NULL. */
weft_status passes_draw(struct passes *p, weft_draw_stats *stats, weft_diags *diags);

/* Put the pictures in the place of a scene's textures. */
void passes_feed(const struct passes *p, const struct scene *scene, weft_draw_params *params);

#endif
