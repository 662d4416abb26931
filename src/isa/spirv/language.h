/* language.h - the languages that OpSource names, the newer of which SPIRV-Tools may not know. They change nothing of
 * what a module means, so weft takes them all: SPIRV-Tools sees Unknown instead, and weft puts the name into text.
 *
 * The numbers are those of the SPIR-V registry (SPIRV-Headers). */
#ifndef WEFT_ISA_SPIRV_LANGUAGE_H
#define WEFT_ISA_SPIRV_LANGUAGE_H

#include "isa/spirv/tools.h"

/* The name of a language that is newer than HLSL. NULL: none has that number. */
const char *spirv_language_name(uint32_t value);

/* The number of the language with this name, the same ones. */
bool spirv_language_value(const char *name, size_t length, uint32_t *value);

/* Words in which OpSource says Unknown in place of a language newer than HLSL: *words themselves, if none does. False:
 * there is no memory. */
bool spirv_hide_languages(struct spirv_words *words, struct arena *a);

/* What SPIRV-Tools made of such words, with the languages of `words` in it. False: there is no memory. */
bool spirv_show_languages(struct spirv_words words, const char **text, size_t *size, struct arena *a);

/* Text in which newer languages are numbers in the form that SPIRV-Tools reads ("!11"), at the same columns. False:
 * there is no memory. */
bool spirv_number_languages(const char **text, size_t size, struct arena *a);

#endif
