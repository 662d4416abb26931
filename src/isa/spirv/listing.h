/* listing.h - SPIR-V's own text, with what a disassembler says of the module before its first instruction. */
#ifndef WEFT_ISA_SPIRV_LISTING_H
#define WEFT_ISA_SPIRV_LISTING_H

#include "isa/isa.h"
#include "isa/spirv/tools.h"

/* Text to words. Comments before the first instruction give the version ("; Version: 1.3"), unless `env` does, the
 * generator and the bound; ids that are numbers stay where there is a bound: a listing gives its own words again. */
weft_status spirv_assemble_listing(const struct source *src, const char *env, struct arena *arena,
                                   struct spirv_words *words, struct spirv_messages *messages);

#endif
