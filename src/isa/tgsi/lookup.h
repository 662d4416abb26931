/* lookup.h - TEXTURE ops in the making: what the TEX family (lift_texture.c) and the SAMPLE family (lift_sample.c)
 * share.
 *
 * A lookup is begun with its operation and target, gets its arguments in the order of struct ir_texture, and is then
 * done. */
#ifndef WEFT_ISA_TGSI_LOOKUP_H
#define WEFT_ISA_TGSI_LOOKUP_H

#include "isa/tgsi/lift.h"

/* Where a target's coordinates are in the first source of TEX. */
struct lookup_target {
    uint8_t dim, coordinates; /* enum ir_tex_dim */
    int8_t layer, compare;    /* components; 4 is src1.x; -1: none */
    bool multisample;
};
extern const struct lookup_target lookup_targets[TGSI_TEX_TARGETS];

struct lookup {
    struct tgsi_lifter *l;
    const struct tgsi_insn *insn;
    const struct lookup_target *target;
    struct ir_texture ir;
    ir_value args[16];
    unsigned nargs;
};

void lookup_push(struct lookup *k, ir_value v);
/* The first `count` components of an operand. */
void lookup_push_vector(struct lookup *k, const struct tgsi_operand *o, unsigned count, unsigned type);
/* Integer coordinates, layer and sample number (at `sample` of an operand, where the target has samples). */
void lookup_push_texel(struct lookup *k, const struct tgsi_operand *address, const struct tgsi_operand *sample,
                       unsigned sample_component);
/* A level for FETCH and QUERY_SIZE: nothing where the target has none. */
bool lookup_has_levels(const struct lookup *k);
/* Offset n of the instruction; nothing where it has none. */
void lookup_push_offset(struct lookup *k, unsigned n);
/* Emit: the first of four results of the type that the view has (`type` other than VOID: of that type), 0 after an
 * error. `sampler` is NULL where none is asked for, and the view's own operand in the TEX family. */
ir_value lookup_done(struct lookup *k, const struct tgsi_operand *view, const struct tgsi_operand *sampler,
                     enum ir_type type);
/* The declaration of a view, or NULL. */
const struct tgsi_decl *lookup_view(const struct tgsi_lifter *l, const struct tgsi_operand *view);
/* Which source of an opcode of the SAMPLE family is its view; -1: it has none. */
int lookup_view_source(unsigned opcode);
/* Why an opcode of the SAMPLE family cannot have a view of this target; NULL: it can. */
const char *lookup_view_problem(unsigned opcode, unsigned target);
/* Why an opcode of the TEX family cannot have a target; NULL: it can. */
const char *lookup_problem(unsigned opcode, unsigned target);
/* Levels come from derivatives in fragment programs alone: elsewhere SAMPLE is at level 0, and a bias is the level. */
unsigned lookup_operation(const struct tgsi_lifter *l, unsigned op);

#endif
