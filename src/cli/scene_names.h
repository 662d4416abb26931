/* scene_names.h - programs of a picture meet each other and the mesh by the names of GLSL. */
#ifndef WEFT_CLI_SCENE_NAMES_H
#define WEFT_CLI_SCENE_NAMES_H

#include "cli/scene.h"

/* Inputs of a program that gives no locations itself get those of the mesh by their names, or those of the vertex
 * program's outputs; uniforms of a vertex program that gives no bindings get buffers and textures of their own. */
bool scene_meet(struct scene *scene, const struct scene_args *args, weft_diags *diags);

#endif
