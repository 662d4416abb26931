/* lookup.h - TEXTURE ops in the making: what the TEX family (lift_texture.c) and the SAMPLE family (lift_sample.c)
 * share.
 *
 * A lookup is begun with its operation and target, gets its arguments in the order of struct ir_texture, and is then
 * done. */
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

struct tgsi_lookup {
    struct tgsi_lifter *l;
    const struct tgsi_insn *insn;
    const struct tgsi_lookup_target *target;
    struct ir_texture ir;
    ir_value args[16];
    unsigned nargs;
};

void tgsi_lookup_push(struct tgsi_lookup *k, ir_value v);
/* The first `count` components of an operand. */
void tgsi_lookup_push_vector(struct tgsi_lookup *k, const struct tgsi_operand *o, unsigned count, unsigned type);
/* Integer coordinates, layer and sample number (at `sample` of an operand, where the target has samples). */
void tgsi_lookup_push_texel(struct tgsi_lookup *k, const struct tgsi_operand *address,
                            const struct tgsi_operand *sample, unsigned sample_component);
/* Offset n of the instruction; nothing where it has none. */
void tgsi_lookup_push_offset(struct tgsi_lookup *k, unsigned n);
/* Emit: the first of four results of the type that the view has (`type` other than VOID: of that type), 0 after an
 * error. `sampler` is NULL where none is asked for, and the view's own operand in the TEX family. */
ir_value tgsi_lookup_done(struct tgsi_lookup *k, const struct tgsi_operand *view, const struct tgsi_operand *sampler,
                     enum ir_type type);
/* The declaration of a view, or NULL. */
const struct tgsi_decl *tgsi_lookup_view(const struct tgsi_lifter *l, const struct tgsi_operand *view);
/* Which source of an opcode of the SAMPLE family is its view; -1: it has none. */
int tgsi_lookup_view_source(const struct tgsi_row *row);
/* Why an opcode of the SAMPLE family cannot have a view of this target; NULL: it can. */
const char *tgsi_lookup_view_problem(const struct tgsi_row *row, unsigned target);
/* Why an opcode of the TEX family cannot have a target; NULL: it can. */
const char *tgsi_lookup_problem(const struct tgsi_row *row, unsigned target);
/* Levels come from derivatives in fragment programs alone: elsewhere SAMPLE is at level 0, and a bias is the level. */
unsigned tgsi_lookup_operation(const struct tgsi_lifter *l, unsigned op);

#endif
