/* choose.h - which of the encodings of an instruction is meant. */
#ifndef WEFT_ISA_VPU_CHOOSE_H
#define WEFT_ISA_VPU_CHOOSE_H

#include "isa/vpu/fits.h"

/* What the text asks for. */
struct vpu_wish {
    unsigned size;    /* bytes; 0: any */
    const char *name; /* the form's, not terminated; NULL: any */
    size_t name_length;
    unsigned written; /* enum vpu_written */
};

struct vpu_choice {
    uint8_t form, op; /* op differs from the instruction's when a sum is encoded as addscale or subscale */
    int32_t imm;
};

/* The shortest form that is wished for and holds the operands; of several of the same size, the one that is written
 * most like the text, and the first of these. False: none does. */
bool vpu_choose(const struct vpu_insn *insn, const struct vpu_wish *wish, struct vpu_choice *out);

/* The size of the shortest form that might hold the operands, whatever immediate or distance it is; 0: none does. */
unsigned vpu_least_size(const struct vpu_insn *insn, const struct vpu_wish *wish);

/* Is the form one that the text asks for? */
bool vpu_is_wished(const struct vpu_form *f, const struct vpu_wish *wish);

/* What of an instruction no form that is wished for holds, and what it may be. False: nothing is known. */
struct vpu_why {
    uint32_t items; /* the operands at fault (VPU_ITEM); 0: the mnemonic, or all of them together */
    char text[200];
};
bool vpu_why_not(const struct vpu_insn *insn, const struct vpu_wish *wish, struct vpu_why *out);

/* What a text must say for vpu_choose to come back to the instruction's own form. `rivals` are those of that form. */
enum vpu_pin { VPU_PIN_NONE, VPU_PIN_SIZE /* .s .m .l */, VPU_PIN_NAME /* {name} */ };
enum vpu_pin vpu_pin_needed(const struct vpu_tables *t, const struct vpu_rivals *rivals,
                            const struct vpu_insn *insn, unsigned written, enum vpu_reach reach);

/* Direction of the registers in 48 bits: that of the first vector register; horizontal if there is none. */
bool vpu_direction48(const struct vpu_insn *insn);

/* Write the vpu_tables()->form[insn->form].size bytes of an instruction whose form holds it. */
void vpu_encode_insn(const struct vpu_insn *insn, uint8_t *bytes);

#endif
