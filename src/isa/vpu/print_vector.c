/* print_vector.c - vector instructions as text, in the spelling of the GNU port. */
#include "isa/vpu/print.h"

static void put_flags(struct text *t, const struct vpu_operand *o)
{
    if (o->reg != VPU_NO_REG) {
        put_char(t, '+');
        vpu_put_register(t, o->reg);
    }
    if (o->kind == VPU_DASH && o->inc)
        put_bytes(t, "++", 2);
    if (o->column)
        put_char(t, '*');
}

static void put_small(struct text *t, unsigned v)
{
    if (v >= 10)
        put_char(t, (char)('0' + v / 10));
    put_char(t, (char)('0' + v % 10));
}

static void put_vector_register(struct text *t, const struct vpu_operand *o)
{
    if (o->kind == VPU_DASH) {
        put_char(t, '-');
    } else {
        put_char(t, o->vertical ? 'V' : 'H');
        if (o->width != VPU_8)
            put_char(t, o->width == VPU_16 ? 'X' : 'Y');
        put_char(t, '(');
        put_small(t, o->y);
        if (o->inc && !o->vertical)
            put_bytes(t, "++", 2);
        put_char(t, ',');
        put_small(t, o->x);
        if (o->inc && o->vertical)
            put_bytes(t, "++", 2);
        put_char(t, ')');
    }
    put_flags(t, o);
}

/* (r3+-16+=r4) */
static void put_reached(struct text *t, const struct vpu_insn *i)
{
    put_char(t, '(');
    vpu_put_register(t, i->vb.reg);
    if (i->imm) {
        put_char(t, '+');
        put_signed(t, i->imm);
    }
    if (i->step_reg != VPU_NO_REG) {
        put_bytes(t, "+=", 2);
        vpu_put_register(t, i->step_reg);
    }
    put_char(t, ')');
}

static void put_last(struct text *t, const struct vpu_insn *i, bool addressed)
{
    if (i->vb.kind == VPU_VREG) {
        put_vector_register(t, &i->vb);
    } else if (i->vb.kind == VPU_VIMM) {
        put_signed(t, i->imm);
    } else if (addressed) {
        put_reached(t, i);
    } else {
        vpu_put_register(t, i->vb.reg);
        if (i->imm > 0)
            put_char(t, '+');
        if (i->imm)
            put_signed(t, i->imm);
    }
}

/* Is it "-" and nothing else? Bits of it that mean nothing are written behind the instruction. */
static bool is_plain_dash(const struct vpu_operand *o)
{
    return o->kind == VPU_DASH && o->reg == VPU_NO_REG && !o->inc && !o->column;
}

static void put_operands(struct text *t, const struct vpu_insn *i)
{
    bool addressed = (vpu_is_load(i->op) || vpu_is_store(i->op)) && i->vb.kind == VPU_SCALAR;
    bool no_d = addressed && vpu_is_store(i->op) && is_plain_dash(&i->vd);
    bool no_a = is_plain_dash(&i->va) && ((addressed && vpu_is_load(i->op)) || vpu_ops[i->op].class == VPU_UNARY);
    if (!no_d) {
        put_vector_register(t, &i->vd);
        put_char(t, ',');
    }
    if (!no_a) {
        put_vector_register(t, &i->va);
        put_char(t, ',');
    }
    put_last(t, i, addressed);
}

static void put_name(struct text *t, const char *name)
{
    put_char(t, ' ');
    put_text(t, name);
}

/* ---- modifiers: repeat, flags, lanes, scalar result or accumulator ---- */

static void put_accumulate(struct text *t, unsigned acc)
{
    if (acc & VPU_SRU) {
        put_name(t, vpu_sru_names[acc >> 3 & 7]);
        put_name(t, vpu_register_names[acc & 7].text);
        return;
    }
    if (!(acc & VPU_ACC_ENA)) {
        for (unsigned bit = 5; bit-- > 0;)
            if (acc >> bit & 1)
                put_name(t, vpu_accumulate_names[bit]);
        return;
    }
    if (acc & VPU_ACC_CLRA)
        put_name(t, vpu_accumulate_names[2]);
    put_name(t, vpu_accumulator_names[vpu_accumulator_index(acc)]);
}

static void put_modifiers(struct text *t, const struct vpu_insn *i)
{
    if (i->rep)
        put_name(t, vpu_repeat_names[i->rep]);
    if (i->setf)
        put_bytes(t, " SETF", 5);
    if (i->lanes)
        put_name(t, vpu_lane_names[i->lanes]);
    if (i->acc)
        put_accumulate(t, i->acc);
}

/* ---- bits that mean nothing ---- */

static void put_stray(struct text *t, const char *name, unsigned value, unsigned usual)
{
    if (value == usual)
        return;
    put_bytes(t, " {", 2);
    put_text(t, name);
    put_char(t, '=');
    put_unsigned(t, value);
    put_char(t, '}');
}

static bool shares_register(const struct vpu_insn *i)
{
    return i->vd.reg != VPU_NO_REG || i->va.reg != VPU_NO_REG || (i->vb.kind == VPU_VREG && i->vb.reg != VPU_NO_REG);
}

static void put_strays(struct text *t, const struct vpu_insn *i, const struct vpu_form *f)
{
    if (f->size == 6 && !shares_register(i))
        put_stray(t, "rs", i->rs, 0);
    if (i->vd.kind == VPU_DASH)
        put_stray(t, "d", i->vd.y | (i->vd.vertical ? 64u : 0), f->size == 6 && vpu_direction48(i) ? 64 : 0);
    if (i->va.kind == VPU_DASH) {
        put_stray(t, "a", i->va.y | (i->va.vertical ? 64u : 0), 0);
        put_stray(t, "xa", i->va.x, 0);
    }
}

void vpu_print_vector(struct vpu_printer *p, const struct vpu_insn *i)
{
    struct text *t = &p->text;
    const struct vpu_form *f = &p->tables->form[i->form];
    vpu_put_word_text(t, &p->names->spelling[i->op][i->x]);
    put_char(t, ' ');
    put_operands(t, i);
    put_modifiers(t, i);
    if (f->size == 10 && vpu_pin_needed(i, 0, p->reach) != VPU_PIN_NONE)
        vpu_put_form_pin(t, f);
    put_strays(t, i, f);
}
