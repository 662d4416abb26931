/* convert.h - what assembling and disassembling share: one input becomes one output, or nothing. */
#ifndef WEFT_CLI_CONVERT_H
#define WEFT_CLI_CONVERT_H

#include "cli/cli.h"

#include <stdio.h>

struct convert {
    const struct cli_command *command;
    struct cli_target target;
    const weft_isa *isa;
    const char *input, *output; /* NULL: the standard ones */
    bool hex, elf, each, shorten;
    bool linear, no_relax, pack, labels;
    uint64_t base;
    const char *entry;
    const char *listing; /* "--addr" or "--bytes" when one was given */
    bool address, bytes; /* what a listing shows */
    size_t unknown;      /* instructions that were printed as data */
};

enum { CONVERT_ADDR = 256, CONVERT_BYTES, CONVERT_LINEAR, CONVERT_NO_RELAX, CONVERT_BASE, CONVERT_ENTRY, CONVERT_SHORT,
       CONVERT_PACK, CONVERT_LABELS };

/* From the whole input to the output; WEFT_ERROR_MEMORY also when the stream fails. */
typedef weft_status convert_fn(struct convert *c, const struct cli_bytes *in, FILE *out, weft_diags *diags);

/* Read the arguments. False: return *status. */
bool convert_parse(struct convert *c, int argc, char **argv, int *status);

/* Do it: nothing is written unless all of it went well. Returns an exit status. */
int convert_run(struct convert *c, convert_fn *fn);

/* The options of a program, for the library. */
weft_program_options convert_options(const struct convert *c);

#endif
