/* scene_texture.h - --texture NAME=FILE[,FILE...][:WORD...]: what it says, and the texture that its files make. */
#ifndef WEFT_CLI_SCENE_TEXTURE_H
#define WEFT_CLI_SCENE_TEXTURE_H

#include "cli/cli.h"

#include <weft/draw.h>

struct format;

/* What the files of a texture are: 2D, or slices of something. */
enum scene_kind { SCENE_2D, SCENE_CUBE, SCENE_ARRAY, SCENE_3D };

struct scene_texture {
    const char *name; /* `name_length` characters; NULL: numbered */
    size_t name_length;
    const char *file; /* `length` characters, with commas between several; NULL: none */
    size_t length;
    enum scene_kind kind;
    weft_filter min, mag;
    weft_mip_filter mip;
    weft_wrap wrap[3]; /* s, t, r */
    int compare;       /* shadow samplers do so, by compare_op */
    weft_compare compare_op;
    uint32_t levels;             /* that the files have, each after the larger one; 0: one */
    const struct format *format; /* of the texels of files without a heading; NULL: they are PNG */
    uint32_t size[3];            /* of level 0: width, height, slices; 0: the files say so */
};

/* Read FILE[,FILE...][:WORD...], up to the end of the text. NULL, or what is wrong with it. */
const char *scene_texture_take(struct scene_texture *t, const char *text);

/* What comes between the names of files. A single picture may have commas in its name. */
static inline const char *scene_texture_separator(const struct scene_texture *t)
{
    return t->kind == SCENE_2D && !t->levels ? "" : ",";
}

/* False when the output is one of the texture's files, having said so (cli_distinct). */
bool scene_texture_distinct(const struct scene_texture *t, const struct cli_command *command, const char *output);

/* What the words say of a sampler. */
void scene_texture_sampler(const struct scene_texture *t, weft_sampler *sampler);

/* The texture and its sampler. False: what is wrong has been said or is in `diags`. */
bool scene_texture_load(const struct scene_texture *t, weft_texture **texture, weft_sampler *sampler,
                        weft_diags *diags);

#endif
