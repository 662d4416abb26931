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
/* Where the device has the scalar that is register `element` of a fragment program's input. */
struct spirv_input {
    uint32_t slot, component;
    uint8_t interp, type; /* enum ir_interp, enum ir_type */
};
/* False: it is not such an input, or is made by the device. */
bool spirv_input_at(struct spirv_lifter *l, uint32_t var, uint32_t element, struct spirv_input *out);
/* Geometry and tessellation programs: slots of all that is in memory. */
void spirv_open_stage(struct spirv_lifter *l);
/* Whether a variable of the interface is in memory. */
bool spirv_in_slots(const struct spirv_lifter *l, const struct spirv_variable *v);
/* Whether it belongs to the patch, not to a vertex. */
bool spirv_of_patch(struct spirv_lifter *l, const struct spirv_variable *v);
uint32_t spirv_locations_of(struct spirv_lifter *l, uint32_t type);
uint32_t spirv_location_slot(struct spirv_lifter *l, uint32_t var, uint32_t location);
uint32_t spirv_builtin_slot(struct spirv_lifter *l, uint32_t builtin, bool input);
void spirv_set_initial(struct spirv_lifter *l, uint32_t id);
/* ---- lift_slots.c ---- */
bool spirv_slots_pointer(struct spirv_lifter *l, const struct spirv_variable *v, struct spirv_pointer *p);
/* A step of an access chain: by `index` (i32) or, where that is 0, by `known`. False: there is no such part. */
bool spirv_slots_step(struct spirv_lifter *l, struct spirv_pointer *p, uint64_t known, ir_value index,
                      ir_value *dynamic);
/* Load or store the scalars of p->type. */
bool spirv_slots_move(struct spirv_lifter *l, const struct spirv_pointer *p, ir_value dynamic, ir_value *v,
                      bool store);

/* ---- lift_builtin.c ---- */
/* The execution modes of the entry point. */
void spirv_take_modes(struct spirv_lifter *l);

#endif
