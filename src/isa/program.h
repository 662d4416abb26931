/* program.h - a weft_program as the library's own parts see it. */
#ifndef WEFT_ISA_PROGRAM_H
#define WEFT_ISA_PROGRAM_H

#include "base/arena.h"
#include "isa/isa.h"

#include <weft/program.h>

/* Read-only once made. */
struct weft_program {
    struct arena arena; /* owns everything below, and the object itself does not live in it */
    const struct isa *isa;
    struct isa_params params;
    struct isa_linkage linkage; /* what params.linkage points to, if anything */
    struct isa_module *module;
    struct source source; /* owned copy of the text; text is NULL for a program made from bytes */
};

/* The source to give to isa functions: NULL for a program made from bytes. */
static inline const struct source *program_source(const struct weft_program *p)
{
    return p->source.text ? &p->source : NULL;
}

#endif
