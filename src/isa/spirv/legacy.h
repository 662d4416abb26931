/* legacy.h - names that GLSL had before it had profiles, and that SPIR-V does not have. */
#ifndef WEFT_ISA_SPIRV_LEGACY_H
#define WEFT_ISA_SPIRV_LEGACY_H

#include "isa/isa.h"

/* A name, one of the same length for it, and what declares that, in some stages (1 << WEFT_VERTEX, ...). */
#define SPIRV_LEGACY_ALL (~0u) /* stages, and versions */
struct spirv_renamed {
    const char *name, *as, *declared;
    unsigned stages;
    const char *also; /* a word that needs the declaration too */
};

/* What the fixed pipeline gives and takes, by GLSL 1.20, chapters 7.1 to 7.6. Ends with an empty one. */
extern const struct spirv_renamed spirv_legacy_names[];

/* Which of the names above and of the functions for textures a text has. */
struct spirv_legacy_words {
    char list[8192]; /* each once, with a space before and after */
};

/* Adds a word if it is one of them. */
void spirv_legacy_word(struct spirv_legacy_words *w, const char *word, size_t length);
bool spirv_legacy_has(const struct spirv_legacy_words *w, const char *word);
/* Declarations of the functions for textures that a text names, and of its qualifiers. NULL: no memory. */
const char *spirv_legacy_lookups(const struct spirv_legacy_words *w, weft_stage stage, struct arena *arena);

/* One text after the other; NULL: no memory, or one of them is. */
const char *spirv_join(struct arena *arena, const char *a, const char *b);

#endif
