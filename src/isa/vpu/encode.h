/* encode.h - which of the encodings of an instruction hold it, which is meant, and its bytes. */
#ifndef WEFT_ISA_VPU_ENCODE_H
#define WEFT_ISA_VPU_ENCODE_H

#include "isa/vpu/table.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* How far a target is. */
enum vpu_reach {
    VPU_EXACTLY, /* as the addresses say */
    VPU_PERHAPS, /* so or nearer: the text names a label, and instructions between may get shorter */
    VPU_ANYWHERE
};

/* The members of an instruction from `form` to `mode`, as one number. */
static inline uint64_t vpu_head(const struct vpu_insn *i)
{
    uint64_t head;
    static_assert(offsetof(struct vpu_insn, mode) - offsetof(struct vpu_insn, form) == sizeof head - 1,
                  "they are all of it");
    memcpy(&head, (const char *)i + offsetof(struct vpu_insn, form), sizeof head);
    return head;
}

/* Of candidate c, called `op` in the text, what vpu_fits compares. */
void vpu_compile_candidate(const struct vpu_form *f, unsigned op, struct vpu_candidate *c);

/* What the comparison leaves open, field by field. */
bool vpu_fits_fields(const struct vpu_form *f, const struct vpu_insn *i, int32_t imm, enum vpu_reach reach);

/* Does the candidate hold the operands? */
static inline bool vpu_fits(const struct vpu_tables *t, const struct vpu_candidate *c, const struct vpu_insn *i,
                            enum vpu_reach reach)
{
    if ((vpu_head(i) & c->mask) != c->value || (c->same && i->a != i->d))
        return false;
    if (reach == VPU_EXACTLY) {
        if (((uint32_t)i->imm & c->odd) != 0 || (uint32_t)i->imm - (uint32_t)c->least > c->range)
            return false;
        if (!c->rest)
            return true;
    }
    return vpu_fits_fields(&t->form[c->form], i, i->imm >> c->shift, reach);
}

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
