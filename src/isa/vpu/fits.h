/* fits.h - whether an encoding holds an instruction. */
#ifndef WEFT_ISA_VPU_FITS_H
#define WEFT_ISA_VPU_FITS_H

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

#endif
