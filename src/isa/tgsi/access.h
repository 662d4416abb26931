/* access.h - which components of its operands an instruction reads and writes, by the columns of its row. */
#ifndef WEFT_ISA_TGSI_ACCESS_H
#define WEFT_ISA_TGSI_ACCESS_H

#include "isa/tgsi/tgsi.h"

/* How the elements of operands meet components. Most of TGSI is component-wise; where 64-bit numbers take part an
 * operand has two elements, each in two components ("Double ISA"). */
enum tgsi_shape {
    TGSI_SHAPE_NARROW,      /* component by component */
    TGSI_SHAPE_WIDE,        /* pair xy, pair zw; a 32-bit source (a shift count, an exponent) is x, then z */
    TGSI_SHAPE_WIDEN,       /* pair xy from x, pair zw from y */
    TGSI_SHAPE_NARROWING,   /* the first component of the mask from pair xy, the second from pair zw */
    TGSI_SHAPE_WIDE_COMPARE /* x (or y, when x is not in the mask) from pair xy, z (or w) from pair zw */
};

static inline bool tgsi_is_wide(unsigned type)
{
    return type == TGSI_T_F64 || type == TGSI_T_I64 || type == TGSI_T_U64;
}

enum tgsi_shape tgsi_shape_of(const struct tgsi_row *row);
static inline unsigned tgsi_elements(enum tgsi_shape shape)
{
    return shape == TGSI_SHAPE_NARROW ? 4 : 2;
}
/* The component that element k of the result goes to (of a 64-bit result the first of two); -1: none. */
int tgsi_component_of(enum tgsi_shape shape, unsigned mask, unsigned k);

/* The components, as a set, that the instruction writes of destination i. */
unsigned tgsi_written(const struct tgsi_insn *insn, unsigned i);
/* The components of the register that source i is, after its swizzle, that it reads. Of a source without numbers: x
 * where it is a register that holds a handle, else none. */
unsigned tgsi_read(const struct tgsi_insn *insn, unsigned i);
/* Whether a declaration may say that fewer are read: tgsi_read gives those that may be. */
bool tgsi_reads_at_most(const struct tgsi_insn *insn, unsigned i);
/* The same for texture offset i. */
unsigned tgsi_offset_read(const struct tgsi_insn *insn, unsigned i);
/* What SAMPLE and its kin read of their offsets depends on the view. */
static inline bool tgsi_offsets_at_most(const struct tgsi_insn *insn)
{
    return tgsi_rows[insn->opcode].unit == TGSI_UNIT_VIEW;
}

/* Whether a declaration is of registers that each vertex, or each number in the first bracket, has. The number of the
 * primitive is not, though Mesa's dumps of geometry programs declare it so: `DCL IN[][3], PRIM_ID`, read as IN[3]. */
static inline bool tgsi_has_first_bracket(const struct tgsi_decl *d)
{
    bool primitive = d->dim_empty && d->file == TGSI_INPUT && d->has_semantic && d->semantic == TGSI_SEMANTIC_PRIM_ID;
    return d->dimensional && !primitive;
}

/* Whether a file holds samplers, views or memories. */
bool tgsi_is_resource(unsigned file);

/* The number of a MEMORY that a program names: its own, or that of the only memory declared, whatever the name. Mesa
 * 22.3 declares MEMORY[1] for SHARED and names MEMORY[0]. */
uint32_t tgsi_memory_number(const struct isa_module *m, uint32_t number);

#endif
