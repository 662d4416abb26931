/* print.h - what the parts of the printer share. */
#ifndef WEFT_ISA_VPU_PRINT_H
#define WEFT_ISA_VPU_PRINT_H

#include "isa/text.h"
#include "isa/vpu/encode.h"
#include "isa/vpu/names.h"

struct short_text;

struct vpu_printer {
    struct text text;
    const struct isa_module *m;     /* for the names of addresses */
    const struct vpu_tables *tables;
    const struct vpu_names *names;
    const struct weft_format *format; /* a hook that names addresses; NULL: the symbols of m do */
    enum vpu_reach reach;           /* VPU_PERHAPS when targets are labels */
    const struct short_text *texts; /* of scalar16 by halfword; NULL: none are kept */
};

/* Words are copied whole, with the byte of their length, which is faster than so many letters. All that is written is
 * within the room for one statement, and each function returns where the text goes on. */
static inline char *vpu_write_word(char *p, const struct vpu_word *w)
{
    memcpy(p, w, sizeof *w);
    return p + w->length;
}

static inline char *vpu_write_part(char *p, const struct vpu_part *w)
{
    memcpy(p, w, sizeof *w);
    return p + w->length;
}

static inline char *vpu_write_letters(char *p, const struct vpu_letters *w)
{
    memcpy(p, w, sizeof *w);
    return p + w->length;
}

static inline char *vpu_write_register(char *p, unsigned number)
{
    return vpu_write_letters(p, &vpu_register_names[number]);
}

/* An address by its symbol, or as a number. */
char *vpu_write_address(const struct vpu_printer *printer, char *p, uint32_t address);

char *vpu_write_insn(const struct vpu_printer *printer, char *p, const struct vpu_insn *insn);

/* print_vector.c */
char *vpu_write_vector(const struct vpu_printer *printer, char *p, const struct vpu_insn *insn,
                       const struct vpu_form *f);

/* Parts of operands: a vector register with what is added to it, that alone, a scalar register by a number up to 63,
 * p0 to p31, a 6-bit float, the accumulation or scalar result with a blank before it. */
char *vpu_write_vector_register(const struct vpu_names *names, char *p, const struct vpu_operand *o);
char *vpu_write_operand_flags(char *p, const struct vpu_operand *o);
char *vpu_write_scalar_register(char *p, unsigned number);
char *vpu_write_control(char *p, unsigned number);
char *vpu_write_float6(char *p, const struct vpu_insn *i);
char *vpu_write_accumulate(char *p, unsigned acc);

/* The data of an unknown instruction. */
char *vpu_write_data(char *p, const uint8_t *bytes, uint32_t size);

/* " {name}" */
char *vpu_write_form_pin(char *p, const struct vpu_form *f);

#endif
