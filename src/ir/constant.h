/* constant.h - ops on constants. */
#ifndef WEFT_IR_CONSTANT_H
#define WEFT_IR_CONSTANT_H

#include "ir/ir.h"

/* The bits that a pure op gives for constant arguments, when this is known to be what every engine computes: integers
 * always, floats where the result is a number and no attribute asks for anything unusual. Otherwise false. */
bool ir_constant(const struct ir_program *p, const struct ir_op *op, const uint64_t *args, uint64_t *result);

#endif
