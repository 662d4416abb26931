/* tokens_rules.h - what the reader and the writer of token streams must agree on. */
#ifndef WEFT_ISA_TGSI_TOKENS_RULES_H
#define WEFT_ISA_TGSI_TOKENS_RULES_H

#include "isa/tgsi/tgsi.h"
#include "isa/tgsi/tokens.h"

#include <string.h>

enum { OPCODE_NUMBERS = 512, SLOT_SOURCES = 2, RETURN_TYPES = 5, RETURN_UNKNOWN = 5, PROPERTY_VALUES = 8 };

static const uint8_t processor_numbers[TGSI_PROCESSORS] = TOKEN_PROCESSORS;

static inline uint32_t names_count(const char *const *names)
{
    uint32_t n = 0;
    while (names[n])
        n++;
    return n;
}

/* SAMPLE .. GATHER4: a texture token without a target, there for the offsets. */
static inline bool is_sample(const struct tgsi_row *row)
{
    return row->number >= 145 && row->number <= 153;
}

static inline bool usually_has_texture(const struct tgsi_row *row)
{
    return row->texture || is_sample(row);
}

/* The other opcodes of the chapter may have offsets, and the token only then. */
static inline bool may_have_texture(const struct tgsi_row *row)
{
    return usually_has_texture(row) || strcmp(row->group, "sampling") == 0;
}

/* Mesa's text parser gives every opcode from LOAD to ATOMIMAX a memory token, BARRIER too. */
static inline bool may_have_memory(const struct tgsi_row *row)
{
    return row->memory || (row->number >= 161 && row->number <= 176);
}

static inline bool counts_fit(const struct tgsi_row *row, unsigned ndst, unsigned nsrc)
{
    return ndst == row->ndst && (nsrc == row->nsrc || (nsrc == 0 && tgsi_may_stand_bare(row)));
}

/* A view has a target and return types and nothing else: its text could not tell the one from the other. */
static inline bool view_says_more(const struct tgsi_decl *d)
{
    return d->file == TGSI_SAMPLER_VIEW && (d->local || d->invariant || d->has_semantic || d->has_interp ||
                                            d->has_stream || d->location || d->cylindrical);
}

/* Only where primitives or patches have vertices may a first bracket be empty. */
static inline bool has_vertices(uint8_t processor)
{
    return processor == TGSI_GEOM || processor == TGSI_TESS_CTRL || processor == TGSI_TESS_EVAL;
}

/* Whether the stage gives a declaration an empty first bracket: one vertex each of a primitive or patch. Gallium
 * writes no token for it. */
static inline bool empty_bracket_implied(uint8_t processor, const struct tgsi_decl *d)
{
    enum { PRIMID = 9, PATCH = 29, TESSOUTER = 31, TESSINNER = 32 };
    bool patch = d->has_semantic && (d->semantic == PRIMID || d->semantic == PATCH || d->semantic == TESSOUTER ||
                                     d->semantic == TESSINNER);
    switch (d->file) {
    case TGSI_INPUT:
        return processor == TGSI_GEOM || (!patch && (processor == TGSI_TESS_CTRL || processor == TGSI_TESS_EVAL));
    case TGSI_OUTPUT:
        return !patch && processor == TGSI_TESS_CTRL;
    default:
        return false;
    }
}

/* Gallium's text form always writes the index of these two, also when it is 0. */
static inline bool semantic_index_written(const struct tgsi_decl *d)
{
    enum { GENERIC = 5, TEXCOORD = 19 };
    return d->semantic_index || d->semantic == GENERIC || d->semantic == TEXCOORD;
}

/* Whether there is something that only a texture token can say. */
static inline bool needs_texture(const struct tgsi_insn *in)
{
    return in->noffsets || in->return_type || in->form & TGSI_FORM_TARGET;
}

#endif
