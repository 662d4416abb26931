/* insn.h - the answers about one instruction (isa.insn). */
#ifndef WEFT_ISA_VPU_INSN_H
#define WEFT_ISA_VPU_INSN_H

#include "isa/vpu/vpu.h"

extern const struct isa_insn_ops vpu_insn_ops;

/* A known instruction as decode.c gives it. */
void vpu_insn_again(const struct weft_insn *insn, struct vpu_insn *out);

/* operands.c */
size_t vpu_insn_operands(const struct isa_decoder *d, const struct weft_insn *insn, struct weft_operand *operands);
/* fields.c */
size_t vpu_insn_fields(const struct isa_decoder *d, const struct weft_insn *insn, struct weft_field *fields);

#endif
