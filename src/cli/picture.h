/* picture.h - pictures and textures as files. */
#ifndef WEFT_CLI_PICTURE_H
#define WEFT_CLI_PICTURE_H

#include "cli/cli.h"

#include <weft/draw.h>

/* What a picture's file name asks for. */
enum picture_kind { PICTURE_PNG, PICTURE_RAW, PICTURE_NONE };

/* By extension; "-", standard output, is PNG. */
enum picture_kind picture_kind(const char *path);

/* Write a picture (8 bits a channel for PNG, floats for raw), on so many threads (0: as many as there are processors).
 * Returns an exit status, having said what is wrong. */
int picture_save(const char *path, const weft_picture *picture, uint32_t threads);

/* A texture from a PNG file, whose first row is t = 0. False: what is wrong has been said or is in `diags`. */
bool texture_load(const char *path, bool mipmaps, weft_texture **texture, weft_diags *diags);

/* A cube or an array of pictures of one size from PNG files, with commas between their names. A cube has six:
 * +x, -x, +y, -y, +z, -z. `paths` is written to. */
bool texture_load_slices(char *paths, bool cube, weft_texture **texture, weft_diags *diags);

#endif
