/* print.h - parts of the printer. Private to the instruction set. */
#ifndef WEFT_ISA_ROGUE_PRINT_H
#define WEFT_ISA_ROGUE_PRINT_H

#include "isa/rogue/template.h"
#include "isa/text.h"

/* What has been written of a program's instructions, to be copied where one repeats. NULL: too few groups for that, or
 * no memory. */
struct rogue_insn_text;
struct rogue_insn_text *rogue_insn_texts(const struct isa_module *m, struct arena *arena);

/* "p0: fadd ft0, s0, s1; ": the instruction of a unit, which must have one. texts may be NULL. */
void rogue_put_insn(struct text *t, const struct rogue_table *table, const struct rogue_group *g, enum rogue_unit unit,
                    struct rogue_insn_text *texts);

#endif
