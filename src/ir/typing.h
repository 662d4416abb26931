/* typing.h - the types that ops take and give: checked by the builder (in debug builds) and the verifier. */
#ifndef WEFT_IR_TYPING_H
#define WEFT_IR_TYPING_H

#include "ir/ir.h"

static inline bool ir_is_float(unsigned type) { return type >= IR_F16 && type <= IR_F64; }
static inline bool ir_is_int(unsigned type) { return type >= IR_I8 && type <= IR_I64; } /* i1 is not one */

/* What is wrong with the number and types of an op's arguments and results, in static words; NULL: nothing.
 * Arguments and the descriptor must be in range. */
const char *ir_type_fault(const struct ir_program *p, const struct ir_op *op);

#endif
