/* constants.h - constant buffers as text. */
#ifndef WEFT_CLI_CONSTANTS_H
#define WEFT_CLI_CONSTANTS_H

#include "cli/cli.h"

/* The words of a file of constants: a line "x y z w" for each vector, decimal or as 0x and the eight digits of a
 * 32-bit pattern; empty lines and what follows '#' do not count. free() the words. Places of errors are in `diags`. */
weft_status constants_parse(const struct cli_bytes *in, uint32_t **words, size_t *count, weft_diags *diags);

#endif
