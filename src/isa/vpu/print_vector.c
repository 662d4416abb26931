/* print_vector.c - vector instructions as text, in the spelling of the GNU port. */
#include "isa/vpu/print.h"

char *vpu_write_operand_flags(char *p, const struct vpu_operand *o)
{
    if (o->reg != VPU_NO_REG) {
        *p++ = '+';
        p = vpu_write_register(p, o->reg);
    }
    if (o->kind == VPU_DASH && o->inc)
        p = write_bytes(p, "++", 2);
    if (o->column)
        *p++ = '*';
    return p;
}

static inline char *write_register(const struct vpu_names *names, char *p, const struct vpu_operand *o)
{
    if (o->kind == VPU_DASH) {
        *p++ = '-';
    } else {
        p = vpu_write_part(p, &names->row[o->width][o->vertical][o->y][o->inc]);
        p = vpu_write_part(p, &names->column[o->x][o->inc & o->vertical]);
    }
    return vpu_write_operand_flags(p, o);
}

char *vpu_write_vector_register(const struct vpu_names *names, char *p, const struct vpu_operand *o)
{
    return write_register(names, p, o);
}

/* A scalar of 48 bits has numbers up to r63, which means no register. */
char *vpu_write_scalar_register(char *p, unsigned number)
{
    if (number < VPU_REGISTERS)
        return vpu_write_register(p, number);
    *p++ = 'r';
    return write_unsigned(p, number);
}

/* (r3+-16+=r4) */
static char *write_reached(char *p, const struct vpu_insn *i)
{
    *p++ = '(';
    p = vpu_write_scalar_register(p, i->vb.reg);
    if (i->imm) {
        *p++ = '+';
        p = write_signed(p, i->imm);
    }
    if (i->step_reg != VPU_NO_REG) {
        p = write_bytes(p, "+=", 2);
        p = vpu_write_register(p, i->step_reg);
    }
    *p++ = ')';
    return p;
}

/* The last operand, which may be other things than a vector register. */
static char *write_last(const struct vpu_names *names, char *p, const struct vpu_insn *i, const struct vpu_form *f)
{
    if (i->vb.kind == VPU_VREG)
        return write_register(names, p, &i->vb);
    if (i->vb.kind == VPU_VIMM)
        return write_signed(p, i->imm);
    if (f->addressed)
        return write_reached(p, i);
    p = vpu_write_scalar_register(p, i->vb.reg);
    if (i->imm > 0)
        *p++ = '+';
    return i->imm ? write_signed(p, i->imm) : p;
}

static char *write_name(char *p, const char *name)
{
    *p++ = ' ';
    return write_text(p, name);
}

/* ---- modifiers: repeat, flags, lanes, scalar result or accumulator ---- */

char *vpu_write_accumulate(char *p, unsigned acc)
{
    if (acc & VPU_SRU) {
        p = write_name(p, vpu_sru_names[acc >> 3 & 7]);
        *p++ = ' ';
        return vpu_write_register(p, acc & 7);
    }
    if (!(acc & VPU_ACC_ENA)) {
        for (unsigned bit = 5; bit-- > 0;)
            if (acc >> bit & 1)
                p = write_name(p, vpu_accumulate_names[bit]);
        return p;
    }
    if (acc & VPU_ACC_CLRA)
        p = write_name(p, vpu_accumulate_names[2]);
    return write_name(p, vpu_accumulator_names[vpu_accumulator_index(acc)]);
}

static char *write_modifiers(char *p, const struct vpu_insn *i)
{
    if (i->rep)
        p = write_name(p, vpu_repeat_names[i->rep]);
    if (i->setf)
        p = write_bytes(p, " SETF", 5);
    if (i->lanes)
        p = write_name(p, vpu_lane_names[i->lanes]);
    return i->acc ? vpu_write_accumulate(p, i->acc) : p;
}

/* ---- bits that mean nothing ---- */

static char *write_stray(char *p, const char *name, unsigned value, unsigned usual)
{
    if (value == usual)
        return p;
    p = write_bytes(p, " {", 2);
    p = write_text(p, name);
    *p++ = '=';
    p = write_unsigned(p, value);
    *p++ = '}';
    return p;
}

static bool shares_register(const struct vpu_insn *i)
{
    return i->vd.reg != VPU_NO_REG || i->va.reg != VPU_NO_REG || (i->vb.kind == VPU_VREG && i->vb.reg != VPU_NO_REG);
}

static char *write_strays(char *p, const struct vpu_insn *i, const struct vpu_form *f)
{
    if (f->size == 6 && i->rs && !shares_register(i))
        p = write_stray(p, "rs", i->rs, 0);
    if (i->vd.kind == VPU_DASH)
        p = write_stray(p, "d", i->vd.y | (i->vd.vertical ? 64u : 0), f->size == 6 && vpu_direction48(i) ? 64 : 0);
    if (i->va.kind == VPU_DASH) {
        p = write_stray(p, "a", i->va.y | (i->va.vertical ? 64u : 0), 0);
        p = write_stray(p, "xa", i->va.x, 0);
    }
    return p;
}

char *vpu_write_vector(const struct vpu_printer *printer, char *p, const struct vpu_insn *i, const struct vpu_form *f)
{
    const struct vpu_names *names = printer->names;
    const unsigned place = vpu_place_of(f, i->op);
    const struct vpu_rivals *rivals = &printer->tables->rivals[place];
    char separator = ' ';
    p = vpu_write_word(p, &names->spelling[i->op][i->x]);
    for (const uint8_t *at = printer->tables->line[place].item; *at; at++) {
        enum vpu_item item = (enum vpu_item)(*at & ~VPU_OPTIONAL);
        if (*at & VPU_OPTIONAL && !vpu_shows_optional(f, i, item))
            continue;
        *p++ = separator;
        separator = ',';
        p = item == VPU_ITEM_VB ? write_last(names, p, i, f)
                                : write_register(names, p, item == VPU_ITEM_VD ? &i->vd : &i->va);
    }
    p = write_modifiers(p, i);
    if (f->size == 10 && rivals->count &&
        vpu_pin_needed(printer->tables, rivals, i, 0, printer->reach) != VPU_PIN_NONE)
        p = vpu_write_form_pin(p, f);
    return write_strays(p, i, f);
}
