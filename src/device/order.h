/* order.h - whether the order in which a program's warps run can be seen in what they leave: where memory that is
 * written is also read, where atomics on a memory are of several kinds or of one that cares for order, or where their
 * results are used. Such dispatches and draws run on one thread. */
#ifndef WEFT_DEVICE_ORDER_H
#define WEFT_DEVICE_ORDER_H

#include "device/resources.h"
#include "exec/exec.h"

bool order_matters(const struct ir_program *ir, const struct resources *resources);

/* Whether a program has atomics on memory that other warps see, or writes there at all. */
bool order_has_atomics(const struct ir_program *ir);
bool order_has_writes(const struct ir_program *ir);

#endif
