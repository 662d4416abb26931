/* lookup.h - texture targets and what they say of lookups: for lift, checker and the answers about operands. */
#ifndef WEFT_ISA_TGSI_LOOKUP_H
#define WEFT_ISA_TGSI_LOOKUP_H

#include "isa/tgsi/lift.h"

/* Where a target's coordinates are in the first source of TEX. */
struct tgsi_lookup_target {
    uint8_t dim, coordinates; /* enum ir_tex_dim */
    int8_t layer, compare;    /* components; 4 is src1.x; -1: none */
    bool multisample;
};
extern const struct tgsi_lookup_target tgsi_lookup_targets[TGSI_TEX_TARGETS];

/* The row of a target, UNKNOWN for numbers beyond. */
static inline const struct tgsi_lookup_target *tgsi_lookup_target(unsigned target)
{
    return &tgsi_lookup_targets[target < TGSI_TEX_TARGETS ? target : TGSI_TEX_UNKNOWN];
}

/* How many components the address of a texel has: the layer of an array follows the coordinates; the face of a cube,
 * with the array's layer (face + 6 * layer), is a layer. */
static inline unsigned tgsi_lookup_texel_size(const struct tgsi_lookup_target *t)
{
    return t->coordinates + (t->layer >= 0 && t->dim != IR_TEX_CUBE);
}

static inline bool tgsi_lookup_has_levels(const struct tgsi_lookup_target *t)
{
    return t->dim != IR_TEX_BUFFER && t->dim != IR_TEX_RECT && !t->multisample;
}

/* Which source of an opcode of the SAMPLE family is its view; -1: it has none. */
int tgsi_lookup_view_source(const struct tgsi_row *row);
/* Why an opcode cannot have a target, or in the SAMPLE family a view of it; NULL: it can. */
const char *tgsi_lookup_problem(const struct tgsi_row *row, unsigned target);

#endif
