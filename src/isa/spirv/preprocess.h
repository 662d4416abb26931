/* preprocess.h - macros of shaders from outside, and the files that they include. */
#ifndef WEFT_ISA_SPIRV_PREPROCESS_H
#define WEFT_ISA_SPIRV_PREPROCESS_H

#include "isa/isa.h"
#include "isa/spirv/tools.h"

/* `lines` and a #define for NAME, which is 1, or NAME=VALUE. NULL: no memory, or `lines` is. */
const char *spirv_define(struct arena *arena, const char *lines, const char *define);

/* The files that a text includes, and those that they do. */
struct spirv_includes {
    struct arena *arena;
    const struct isa_compiling *compiling; /* NULL: nothing can be included */
    struct spirv_text *texts;
    size_t count, capacity;
    unsigned included; /* how often the compiler asked */
    const char *missing, *why; /* the last name in quotes that was not found, and the reason */
};

/* Read the files that are included before each text. NULL, or why one cannot be read. */
const char *spirv_read_common(struct spirv_includes *in);

/* Read all that the text, and what was read before, includes anywhere; what cannot be read is left to the compiler's
 * question. False: nothing is included. */
bool spirv_read_includes(struct spirv_includes *in, const struct spirv_text *text);

/* The context is a struct spirv_includes. */
spirv_include_fn spirv_find_include;

#endif
