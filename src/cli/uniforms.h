/* uniforms.h - values of uniforms by name, for programs that keep their names (interface.h). */
#ifndef WEFT_CLI_UNIFORMS_H
#define WEFT_CLI_UNIFORMS_H

#include "cli/interface.h"
#include "cli/scene.h"

/* Fill the constant buffers: the common names, then what --uniform says. Returns an exit status, having said what is
 * wrong; uniforms that nobody sets are said too. */
int uniforms_set(struct scene *scene, const struct scene_args *args, const struct cli_command *command);

/* The same for another picture of the scene, whose time is another. */
int uniforms_set_again(struct scene *scene, const struct scene_args *args, const struct cli_command *command);

/* The number of the texture of that name, INTERFACE_UNUSED, or WEFT_MAX_TEXTURES, having said that there is none. */
size_t uniforms_texture(const struct scene *scene, const struct cli_command *command, const char *name, size_t length);

/* A note for each named texture that is not there: how to give it. */
void uniforms_missing_textures(const struct scene *scene, weft_diags *diags);

#endif
