/* ext.h - inside the lift of GLSL.std.450. */
#ifndef WEFT_ISA_SPIRV_EXT_H
#define WEFT_ISA_SPIRV_EXT_H

#include "isa/spirv/lift.h"

/* Functions of one or two floats that are not ops of the IR. 0: it is none of these. */
ir_value spirv_ext_function(struct spirv_lifter *l, uint32_t number, const ir_value *x, unsigned n);
/* Instructions on whole vectors and matrices, and those with pointers. */
void spirv_ext_whole(struct spirv_lifter *l, uint32_t number, const uint32_t *ids, unsigned n);

/* The scalars of an operand of floats; NULL after an error. */
const ir_value *spirv_ext_floats(struct spirv_lifter *l, uint32_t id, uint32_t *n);

/* Determinant and MatrixInverse (lift_ext_matrix.c). */
void spirv_ext_matrix(struct spirv_lifter *l, uint32_t number, const uint32_t *ids);

/* Inputs of fragment programs at another place (lift_interpolate.c). */
void spirv_ext_interpolate(struct spirv_lifter *l, uint32_t number, const uint32_t *ids, unsigned n);

#endif
