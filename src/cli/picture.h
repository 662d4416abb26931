/* picture.h - pictures as files. */
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

#endif
