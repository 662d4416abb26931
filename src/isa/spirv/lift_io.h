/* lift_io.h - inputs and outputs of a stage. */
#ifndef WEFT_ISA_SPIRV_LIFT_IO_H
#define WEFT_ISA_SPIRV_LIFT_IO_H

#include "isa/spirv/lift.h"

struct spirv_variable *spirv_variable_of(struct spirv_lifter *l, uint32_t id);
/* A pointer to the buffer that is element `index` of a variable's. */
bool spirv_buffer_pointer(struct spirv_lifter *l, struct spirv_pointer *p, uint32_t index, uint32_t type);
/* Slots for an input or output that is used. */
bool spirv_open_interface(struct spirv_lifter *l, struct spirv_variable *v);
/* Its registers get what the device makes. */
void spirv_read_inputs(struct spirv_lifter *l, struct spirv_variable *v);
void spirv_set_initial(struct spirv_lifter *l, uint32_t id);
/* The execution modes of the entry point. */
void spirv_take_modes(struct spirv_lifter *l);

#endif
