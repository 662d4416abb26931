/* run_numbers.h - buffers of numbers as text: the types of --buffer N=FILE:TYPE and --dump-buffer N=FILE:TYPE. */
#ifndef WEFT_CLI_RUN_NUMBERS_H
#define WEFT_CLI_RUN_NUMBERS_H

#include "cli/cli.h"

/* RUN_BYTES: not text, the file is the bytes. */
enum run_numbers { RUN_BYTES, RUN_FLOAT, RUN_DOUBLE, RUN_INT, RUN_UINT };

/* The type that ":float", ":double", ":int" or ":uint" at the end of a file's name says; its length is without it. */
enum run_numbers run_numbers_type(const char *file, size_t *length);
size_t run_numbers_width(enum run_numbers type);

/* The text in `io` becomes bytes: numbers with blanks, commas or line ends between them, 0x and digits for bits, # up
 * to the end of a line for a comment. */
weft_status run_numbers_read(struct cli_bytes *io, enum run_numbers type, weft_diags *diags);

/* Bytes as text, a number a line; their size is a multiple of the width. free() the result. */
char *run_numbers_print(const void *bytes, size_t size, enum run_numbers type, size_t *length);

#endif
