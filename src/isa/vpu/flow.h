/* flow.h - where control goes after an instruction. */
#ifndef WEFT_ISA_VPU_FLOW_H
#define WEFT_ISA_VPU_FLOW_H

#include "isa/vpu/vpu.h"

/* A branch or call to `target`? */
bool vpu_has_target(const struct vpu_insn *i);

/* Does the next instruction never run after this one? bkpt counts: padding is zero. */
bool vpu_ends_flow(const struct vpu_insn *i);

/* Control reaches an address where bytes are not an instruction (insn: VPU_DATA), or the end of a section (NULL);
 * surely, or perhaps: after a call or swi. An address may be told twice, first as perhaps. */
typedef void vpu_reached_fn(void *context, uint32_t address, const struct vpu_insn *insn, bool surely);

/* Follow a program from its entry up to sleep, jumps to registers and tables. False without memory. */
bool vpu_walk(const struct isa_module *m, vpu_reached_fn *reached, void *context);

#endif
