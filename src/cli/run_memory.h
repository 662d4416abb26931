/* run_memory.h - what `weft run SHADER` binds to a program, and what it writes of it. */
#ifndef WEFT_CLI_RUN_MEMORY_H
#define WEFT_CLI_RUN_MEMORY_H

#include "cli/interface.h"
#include "cli/run_shader.h"

/* Buffers, textures and images are in the order of struct run_shader. */
struct run_memory {
    struct interface names;
    struct cli_bytes buffer[RUN_NAMED];
    size_t contents[RUN_NAMED]; /* whose are written: one buffer may go by two names */
    weft_texture *texture[RUN_NAMED], *image[RUN_NAMED];
    weft_constants constants[WEFT_RUN_CONSTANTS];
    uint32_t *words[WEFT_RUN_CONSTANTS];
};

/* Read and bind all that the command line says, and say what it leaves out. An exit status. Free the memory after the
 * runner, either way. */
int run_memory_bind(const struct run_shader *s, const weft_program *program, struct run_memory *m, weft_runner *r,
                    weft_diags *diags);

/* Write --dump-buffer and --dump-image. An exit status. */
int run_memory_write(const struct run_shader *s, const struct run_memory *m);

void run_memory_free(struct run_memory *m);

#endif
