/* frames.h - weft draw --frames: the pictures of an animation, in one file or in one each. */
#ifndef WEFT_CLI_FRAMES_H
#define WEFT_CLI_FRAMES_H

#include "cli/scene.h"

/* What is wrong with the name of the output: NAME.png or "-" for an animation, NAME%d.png or NAME%03d.raw for numbered
 * files. NULL: nothing. */
const char *frames_fault(const char *output, enum picture_kind kind);
/* Whether no file that is written is one that is read: `kept` says so of args->output. */
bool frames_kept(const struct scene_args *args, bool (*kept)(const struct scene_args *args));
/* Draw and write them; an exit status. */
int frames_draw(const struct scene_args *args, enum picture_kind kind, weft_diags *diags);

#endif
