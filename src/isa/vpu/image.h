/* image.h - from bytes to sections of instructions and data. */
#ifndef WEFT_ISA_VPU_IMAGE_H
#define WEFT_ISA_VPU_IMAGE_H

#include "isa/vpu/names.h"

#include <string.h>

/* How many instructions a linear sweep finds. */
uint32_t vpu_count_insns(const uint8_t *bytes, size_t size);

/* Append the instructions of a linear sweep to m->insns, which has room for them. */
bool vpu_sweep(struct isa_module *m, struct vpu_section *s, const uint8_t *bytes, size_t size);

#endif
