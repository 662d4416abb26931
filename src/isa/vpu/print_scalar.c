/* print_scalar.c - scalar instructions as text, in the spelling of the GNU port. */
#include "isa/vpu/print.h"

#include "base/decimal.h"

#include <stdio.h>

static void put_number(struct text *t, int64_t v, bool hex)
{
    if (hex)
        put_signed_hex(t, v);
    else
        put_signed(t, v);
}

static void put_comma(struct text *t)
{
    put_char(t, ',');
}

/* ---- mnemonic ---- */

/* ".s", ".m" or ".l". */
static void put_size_pin(struct text *t, const struct vpu_form *f)
{
    put_char(t, '.');
    put_char(t, f->size == 2 ? 's' : f->size == 4 ? 'm' : 'l');
}

/* mulhd.eq.ss: the condition stands before the signs. */
static void put_mnemonic(struct vpu_printer *p, unsigned op, unsigned cond, const struct vpu_form *f, enum vpu_pin pin)
{
    struct text *t = &p->text;
    const struct vpu_word *w = &p->names->spelling[op][0];
    unsigned stem = p->names->stem[op];
    memcpy(t->p, w->text, sizeof w->text);
    t->p += stem;
    if (cond != VPU_ALWAYS) {
        put_char(t, '.');
        vpu_put_word_text(t, &vpu_cond_names[cond]);
    }
    put_bytes(t, w->text + stem, w->length - stem);
    if (pin == VPU_PIN_SIZE)
        put_size_pin(t, f);
}

/* ---- operands ---- */

/* A 6-bit float: its value, or the bits where another encoding has the same value. */
static void put_float6(struct text *t, const struct vpu_insn *i)
{
    unsigned exponent = i->raw >> 2 & 7, mantissa = i->raw & 3;
    if (exponent == 0 && mantissa != 0) {
        put_hex(t, i->raw);
        return;
    }
    if (i->raw & 32)
        put_char(t, '-');
    /* All others are multiples of 1/32 below 32. */
    unsigned value = exponent ? (4 + mantissa) << exponent : 0;
    put_unsigned(t, value >> 5);
    put_char(t, '.');
    for (unsigned rest = value & 31, digits = 0; digits == 0 || rest != 0; digits++, rest &= 31) {
        rest *= 10;
        put_char(t, (char)('0' + (rest >> 5)));
    }
}

/* The last source of an arithmetic operation. */
static void put_source(struct vpu_printer *p, const struct vpu_insn *i, const struct vpu_form *f)
{
    struct text *t = &p->text;
    if (i->op >= VPU_CONVERT && i->op < VPU_CONVERT + 4)
        put_bytes(t, i->op < VPU_CONVERT + 2 ? "sasl " : "sasr ", 5);
    if (!(i->flags & VPU_IMMEDIATE))
        vpu_put_register(t, i->b);
    else if (i->op >= VPU_FLOAT && i->op < VPU_CONVERT)
        put_float6(t, i);
    else if (f->hex)
        put_hex(t, (uint32_t)i->imm);
    else
        put_signed(t, i->imm);
}

/* ---- arithmetic ---- */

static bool is_sum_of_multiple(const struct vpu_insn *i, const struct vpu_form *f)
{
    return vpu_ops[i->op].shift != 0 && (i->flags & VPU_IMMEDIATE) && f->size < 6;
}

/* addscale by an immediate is written as the sum that it is, if that comes back. */
static bool as_sum(const struct vpu_insn *i, unsigned written, struct vpu_insn *sum)
{
    *sum = *i;
    sum->op = i->op < VPU_ALU + 48 ? VPU_ADD : VPU_SUB;
    sum->imm = (int32_t)((uint32_t)i->imm << vpu_ops[i->op].shift);
    struct vpu_wish wish = {.written = written};
    struct vpu_choice choice;
    return vpu_choose(sum, &wish, &choice) && choice.form == i->form && choice.op == i->op;
}

static void print_arithmetic(struct vpu_printer *p, const struct vpu_insn *i, const struct vpu_form *f)
{
    struct text *t = &p->text;
    unsigned class = vpu_ops[i->op].class, written = vpu_form_writes(f, i->op), shift = vpu_ops[i->op].shift;
    bool ignored = (class == VPU_UNARY && i->a != 0) || (class == VPU_COMPARE && i->d != 0);
    if (ignored)
        written &= ~(unsigned)VPU_WRITTEN_TWO;
    struct vpu_insn sum;
    if (is_sum_of_multiple(i, f) && as_sum(i, written, &sum)) {
        i = &sum;
        shift = 0;
    }
    bool two = f->shape == VPU_SHAPE_TWO || (f->shape == VPU_SHAPE_THREE && f->row->implied && i->a == i->d);
    enum vpu_pin pin = i == &sum ? VPU_PIN_NONE : vpu_pin_needed(i, written, p->reach);
    put_mnemonic(p, i->op, i->cond, f, pin);
    put_char(t, ' ');
    if (class == VPU_BINARY || ignored) {
        vpu_put_register(t, i->d);
        put_comma(t);
        if (!two) {
            vpu_put_register(t, i->a);
            put_comma(t);
        }
    } else {
        vpu_put_register(t, class == VPU_UNARY ? i->d : i->a);
        put_comma(t);
    }
    put_source(p, i, f);
    if (shift) {
        put_bytes(t, "<<", 2);
        put_char(t, (char)('0' + shift));
    }
    if (pin == VPU_PIN_NAME)
        vpu_put_form_pin(t, f);
}

/* ---- memory ---- */

static void put_list(struct vpu_printer *p, const struct vpu_insn *i)
{
    struct text *t = &p->text;
    bool load = i->op == VPU_LDM;
    bool alone = (i->flags & VPU_LINK_ONLY) && i->a == VPU_GP && ((i->b - i->a) & 31) == 15;
    if (!alone) {
        vpu_put_register(t, i->a);
        if (i->b != i->a) {
            put_char(t, '-');
            vpu_put_register(t, i->b);
        }
        put_comma(t);
    }
    if (i->flags & VPU_LINK)
        put_bytes(t, load ? "pc," : "lr,", 3);
    put_text(t, load ? "(sp++)" : "(--sp)");
}

static void put_reached(struct vpu_printer *p, const struct vpu_insn *i, const struct vpu_form *f, unsigned written)
{
    struct text *t = &p->text;
    put_char(t, '(');
    if (i->mode == VPU_PREDEC)
        put_bytes(t, "--", 2);
    vpu_put_register(t, i->a);
    if (i->mode == VPU_POSTINC)
        put_bytes(t, "++", 2);
    if (i->mode == VPU_INDEX) {
        unsigned width = (i->op - VPU_MEMORY) >> 1;
        put_char(t, '+');
        vpu_put_register(t, i->b);
        if (width == 0 || width == 1 || i->op == VPU_MEMORY + 6)
            put_bytes(t, width == 0 ? "<<2" : "<<1", 3);
    }
    if (written & VPU_WRITTEN_OFFSET) {
        put_char(t, '+');
        put_number(t, i->imm, f->hex);
    }
    put_char(t, ')');
}

static void print_access(struct vpu_printer *p, const struct vpu_insn *i, const struct vpu_form *f)
{
    struct text *t = &p->text;
    unsigned written = vpu_form_writes(f, i->op);
    if (f->row->implied == 1 + VPU_SP && i->imm == 0 && f->size == 2)
        written &= ~(unsigned)VPU_WRITTEN_OFFSET;
    enum vpu_pin pin = vpu_pin_needed(i, written, p->reach);
    put_mnemonic(p, i->op, i->cond, f, pin);
    put_char(t, ' ');
    vpu_put_register(t, i->d);
    put_comma(t);
    if (f->shape == VPU_SHAPE_NEAR)
        vpu_put_address(p, i->address + (uint32_t)i->imm);
    else
        put_reached(p, i, f, written);
    if (pin == VPU_PIN_NAME)
        vpu_put_form_pin(t, f);
}

/* ---- branches ---- */

static void print_branch(struct vpu_printer *p, const struct vpu_insn *i, const struct vpu_form *f)
{
    struct text *t = &p->text;
    vpu_put_word_text(t, &p->names->spelling[i->op][0]);
    vpu_put_word_text(t, &vpu_cond_names[i->cond]);
    enum vpu_pin pin = vpu_pin_needed(i, 0, p->reach);
    if (pin == VPU_PIN_SIZE)
        put_size_pin(t, f);
    put_char(t, ' ');
    vpu_put_address(p, i->target);
    if (pin == VPU_PIN_NAME)
        vpu_put_form_pin(t, f);
}

/* b<cc> rd,rs,target is addcmpb that adds 0. */
static void print_addcmpb(struct vpu_printer *p, const struct vpu_insn *i)
{
    struct text *t = &p->text;
    bool compare = (i->flags & VPU_STEP) && i->step == 0;
    vpu_put_word_text(t, &p->names->spelling[compare ? VPU_B : VPU_ADDCMPB][0]);
    vpu_put_word_text(t, &vpu_cond_names[i->cond]);
    put_char(t, ' ');
    vpu_put_register(t, i->d);
    put_comma(t);
    if (!compare) {
        if (i->flags & VPU_STEP)
            put_signed(t, i->step);
        else
            vpu_put_register(t, i->a);
        put_comma(t);
    }
    if (i->flags & VPU_IMMEDIATE)
        put_hex(t, (uint32_t)i->imm);
    else
        vpu_put_register(t, i->b);
    put_comma(t);
    vpu_put_address(p, i->target);
}

static void print_register(struct vpu_printer *p, const struct vpu_insn *i)
{
    if (i->op == VPU_B && i->d == VPU_LR) {
        put_bytes(&p->text, "rts", 3);
        return;
    }
    vpu_put_word_text(&p->text, &p->names->spelling[i->op][0]);
    put_char(&p->text, ' ');
    vpu_put_register(&p->text, i->d);
}

static void print_lea(struct vpu_printer *p, const struct vpu_insn *i, const struct vpu_form *f)
{
    put_mnemonic(p, i->op, i->cond, f, vpu_pin_needed(i, 0, p->reach));
    put_char(&p->text, ' ');
    vpu_put_register(&p->text, i->d);
    put_comma(&p->text);
    vpu_put_address(p, i->target);
}

static void put_control(struct text *t, unsigned number)
{
    put_char(t, 'p');
    put_unsigned(t, number);
}

/* The GNU port takes p registers only with the size written. */
static void print_control(struct vpu_printer *p, const struct vpu_insn *i)
{
    struct text *t = &p->text;
    put_bytes(t, "mov.m ", 6);
    if (i->op == VPU_MOV_TO_P)
        put_control(t, i->d);
    else
        vpu_put_register(t, i->d);
    put_comma(t);
    if (i->op == VPU_MOV_FROM_P)
        put_control(t, i->a);
    else
        vpu_put_register(t, i->a);
}

void vpu_print_scalar(struct vpu_printer *p, const struct vpu_insn *i)
{
    const struct vpu_form *f = &p->tables->form[i->form];
    struct text *t = &p->text;
    switch (f->shape) {
    case VPU_SHAPE_TWO:
    case VPU_SHAPE_THREE:
        print_arithmetic(p, i, f);
        break;
    case VPU_SHAPE_ACCESS:
    case VPU_SHAPE_NEAR:
        print_access(p, i, f);
        break;
    case VPU_SHAPE_BRANCH:
        print_branch(p, i, f);
        break;
    case VPU_SHAPE_ADDCMPB:
        print_addcmpb(p, i);
        break;
    case VPU_SHAPE_REGISTER:
        print_register(p, i);
        break;
    case VPU_SHAPE_LEA:
        print_lea(p, i, f);
        break;
    case VPU_SHAPE_CONTROL:
        print_control(p, i);
        break;
    default: /* PLAIN, NUMBER, LIST */
        vpu_put_word_text(t, &p->names->spelling[i->op][0]);
        if (f->shape != VPU_SHAPE_PLAIN)
            put_char(t, ' ');
        if (f->shape == VPU_SHAPE_NUMBER)
            put_hex(t, (uint32_t)i->imm);
        if (f->shape == VPU_SHAPE_LIST)
            put_list(p, i);
    }
}
