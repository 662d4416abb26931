/* insn.h - the answers about one group (weft/insn.h): what their files share. Private to the instruction set. */
#ifndef WEFT_ISA_ROGUE_INSN_H
#define WEFT_ISA_ROGUE_INSN_H

#include "isa/insn.h"
#include "isa/rogue/header.h"
#include "isa/rogue/template.h"

/* A group with the units of its instructions in the order of weft_insn.rows. */
struct rogue_parts {
    struct rogue_group g;
    unsigned count;
    uint8_t unit[ROGUE_SLOTS];
};

/* Read a group that rogue_insn_ops.decode knew. */
void rogue_read_parts(const struct weft_insn *insn, struct rogue_parts *p);

/* Index in weft_insn.rows of the instruction of a unit, which the group has. */
unsigned rogue_part_of(const struct rogue_parts *p, unsigned unit);

static inline const struct rogue_insn *rogue_insn_of(const struct rogue_parts *p, unsigned part)
{
    return rogue_at(&p->g, (enum rogue_unit)p->unit[part]);
}

/* What an instruction does with a source port, by the first operand that names it; NULL: none does. */
const struct rogue_access *rogue_access_of(const struct rogue_insn *insn, unsigned port);
/* How many registers an operand of an instruction is of (template.h). */
unsigned rogue_extent_of(const struct rogue_insn *insn, const struct rogue_access *access);

/* What an instruction does with P0, as its bits say: WEFT_EFFECT_READS_FLAGS, WEFT_EFFECT_WRITES_FLAGS. */
uint32_t rogue_predicates(const struct rogue_insn *insn);

size_t rogue_insn_operands(const struct isa_decoder *, const struct weft_insn *, struct weft_operand *);
size_t rogue_insn_fields(const struct isa_decoder *, const struct weft_insn *, struct weft_field *);

/* Operands that the lift does without, as their rows say ([x] of template.h): bit n is the one with index n. */
uint64_t rogue_not_lifted(const struct weft_insn *insn);

extern const struct isa_insn_ops rogue_insn_ops;

#endif
