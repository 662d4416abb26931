/* print.h - what the parts of the printer share. */
#ifndef WEFT_ISA_VPU_PRINT_H
#define WEFT_ISA_VPU_PRINT_H

#include "isa/text.h"
#include "isa/vpu/choose.h"
#include "isa/vpu/names.h"

struct short_text;

struct vpu_printer {
    struct text text;
    const struct isa_module *m;     /* for the names of addresses */
    const struct vpu_tables *tables;
    const struct vpu_names *names;
    enum vpu_reach reach;           /* VPU_PERHAPS when targets are labels */
    const struct short_text *texts; /* of scalar16 by halfword; NULL: none are kept */
};

static inline void vpu_put_word_text(struct text *t, const struct vpu_word *w)
{
    memcpy(t->p, w->text, sizeof w->text); /* always all of it: faster than its length */
    t->p += w->length;
}

static inline void vpu_put_register(struct text *t, unsigned number)
{
    vpu_put_word_text(t, &vpu_register_names[number]);
}

/* An address by its symbol, or as a number. */
void vpu_put_address(struct vpu_printer *p, uint32_t address);

void vpu_print_scalar(struct vpu_printer *p, const struct vpu_insn *insn);
void vpu_print_vector(struct vpu_printer *p, const struct vpu_insn *insn);

/* " {name}" */
void vpu_put_form_pin(struct text *t, const struct vpu_form *f);

#endif
