/* tokens_rules.h - what the reader and the writer of token streams must agree on. */
#ifndef WEFT_ISA_TGSI_TOKENS_RULES_H
#define WEFT_ISA_TGSI_TOKENS_RULES_H

#include "isa/tgsi/tgsi.h"
#include "isa/tgsi/tokens.h"

static inline uint32_t tgsi_names_count(const char *const *names)
{
    uint32_t n = 0;
    while (names[n])
        n++;
    return n;
}

static inline bool tgsi_usually_has_texture(const struct tgsi_row *row)
{
    return row->texture || row->view_token;
}

static inline bool tgsi_counts_fit(const struct tgsi_row *row, unsigned ndst, unsigned nsrc)
{
    return ndst == row->ndst && (nsrc == row->nsrc || (nsrc == 0 && tgsi_may_stand_bare(row)));
}

/* A view has a target and return types and nothing else: its text could not tell the one from the other. */
static inline bool tgsi_view_says_more(const struct tgsi_decl *d)
{
    return d->file == TGSI_SAMPLER_VIEW && (d->local || d->invariant || d->has_semantic || d->has_interp ||
                                            d->has_stream || d->location || d->cylindrical);
}

/* Whether the stage gives a declaration an empty first bracket: one vertex each of a primitive or patch. Gallium
 * writes no token for it. */
static inline bool tgsi_empty_bracket_implied(uint8_t processor, const struct tgsi_decl *d)
{
    bool patch = d->has_semantic && tgsi_semantic_of(d)->per != TGSI_PER_VERTEX;
    switch (d->file) {
    case TGSI_INPUT:
        return processor == TGSI_GEOM || (!patch && (processor == TGSI_TESS_CTRL || processor == TGSI_TESS_EVAL));
    case TGSI_OUTPUT:
        return !patch && processor == TGSI_TESS_CTRL;
    default:
        return false;
    }
}

/* Whether there is something that only a texture token can say. */
static inline bool tgsi_needs_texture(const struct tgsi_insn *in)
{
    return in->noffsets || in->return_type || in->form & TGSI_FORM_TARGET;
}

#endif
