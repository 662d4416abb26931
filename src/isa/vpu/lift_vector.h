/* lift_vector.h - operands and repetition of vector instructions, for vector data and vector memory operations. */
#ifndef WEFT_ISA_VPU_LIFT_VECTOR_H
#define WEFT_ISA_VPU_LIFT_VECTOR_H

#include "ir/program.h"
#include "isa/vpu/lift.h"

/* One repetition. */
struct vpu_turn {
    const struct vpu_insn *i;
    uint32_t n;          /* its number, when `count` is 0 */
    ir_value count;      /* its number, when that is known at run time only */
    ir_value on;         /* lanes that the condition lets run; 0: all */
    bool rows;           /* registers that are added are known to move by whole rows */
    ir_value lane;       /* 0 to 15 */
};

/* A vector register, or lanes 0 of a dash: words, bytes zero-extended and halves sign-extended. */
ir_value vpu_vread(struct vpu_lifter *l, const struct vpu_turn *t, const struct vpu_operand *o);
/* Low bits of a word to a vector register, in lanes that run; nothing to a dash. */
void vpu_vwrite(struct vpu_lifter *l, const struct vpu_turn *t, const struct vpu_operand *o, ir_value v);
/* B as it is read: a vector register, a scalar with its displacement, or an immediate. */
ir_value vpu_vread_b(struct vpu_lifter *l, const struct vpu_turn *t);

/* A repetition in the block at work: values live in their own block. */
struct vpu_turn vpu_turn_here(struct vpu_lifter *l, const struct vpu_turn *t);

/* A value cut to its low 16 bits and sign-extended, where bits is 16. */
ir_value vpu_narrow(struct vpu_lifter *l, ir_value v, unsigned bits);

/* Accumulation or scalar result of a result of `bits` bits, and the write to D (chapters "Accumulation", "Scalar
 * Register Update"). */
void vpu_finish(struct vpu_lifter *l, const struct vpu_turn *t, ir_value result, unsigned bits);

#endif
