/* print_scalar.c - scalar instructions as text, in the spelling of the GNU port. */
#include "isa/vpu/print.h"

static char *write_number(char *p, int32_t v, bool hex)
{
    return hex ? write_signed_hex(p, v) : write_signed(p, v);
}

/* ---- mnemonic ---- */

/* ".s", ".m" or ".l". */
static char *write_size_pin(char *p, const struct vpu_form *f)
{
    *p++ = '.';
    *p++ = f->size == 2 ? 's' : f->size == 4 ? 'm' : 'l';
    return p;
}

/* mulhd.eq.ss: the condition comes before the signs. */
static char *write_mnemonic(const struct vpu_names *names, char *p, const struct vpu_insn *i, const struct vpu_form *f,
                            enum vpu_pin pin)
{
    const struct vpu_word *w = &names->spelling[i->op][0];
    if (i->cond == VPU_ALWAYS) {
        p = vpu_write_word(p, w);
    } else {
        memcpy(p, w->text, sizeof w->text);
        p += names->stem[i->op];
        *p++ = '.';
        p = vpu_write_letters(p, &vpu_cond_names[i->cond]);
        p = vpu_write_part(p, &names->tail[i->op]);
    }
    if (pin == VPU_PIN_SIZE)
        p = write_size_pin(p, f);
    *p++ = ' ';
    return p;
}

static char *write_register_comma(char *p, unsigned number)
{
    p = vpu_write_register(p, number);
    *p++ = ',';
    return p;
}

static char *write_name_pin(char *p, enum vpu_pin pin, const struct vpu_form *f)
{
    return pin == VPU_PIN_NAME ? vpu_write_form_pin(p, f) : p;
}

/* ---- operands ---- */

/* A 6-bit float: its value, or the bits where another encoding has the same value. */
char *vpu_write_float6(char *p, const struct vpu_insn *i)
{
    unsigned exponent = i->raw >> 2 & 7, mantissa = i->raw & 3;
    if (exponent == 0 && mantissa != 0)
        return write_hex(p, i->raw);
    if (i->raw & 32)
        *p++ = '-';
    /* All others are multiples of 1/32 below 32. */
    unsigned value = exponent ? (4 + mantissa) << exponent : 0;
    p = write_unsigned(p, value >> 5);
    *p++ = '.';
    for (unsigned rest = value & 31, digits = 0; digits == 0 || rest != 0; digits++, rest &= 31) {
        rest *= 10;
        *p++ = (char)('0' + (rest >> 5));
    }
    return p;
}

/* The last source of an arithmetic operation. */
static char *write_source(char *p, const struct vpu_insn *i, const struct vpu_form *f)
{
    if (vpu_ops[i->op].before)
        p = write_text(p, vpu_ops[i->op].before);
    if (!(i->flags & VPU_IMMEDIATE))
        return vpu_write_register(p, i->b);
    if (vpu_ops[i->op].b_type == WEFT_TYPE_FLOAT)
        return vpu_write_float6(p, i);
    return f->hex ? write_hex(p, (uint32_t)i->imm) : write_signed(p, i->imm);
}

/* ---- arithmetic ---- */

static bool is_sum_of_multiple(const struct vpu_insn *i, const struct vpu_form *f)
{
    return vpu_ops[i->op].shift != 0 && (i->flags & VPU_IMMEDIATE) && f->size < 6;
}

/* add rd,pc,i is read as lea, which has encodings of its own. */
static bool is_pc_sum(const struct vpu_insn *i)
{
    return vpu_ops[i->op].instead == VPU_LEA && i->a == VPU_PC && i->d != VPU_PC && (i->flags & VPU_IMMEDIATE) &&
           i->cond == VPU_ALWAYS;
}

/* addscale by an immediate is written as the sum that it is, if that comes back. */
static bool as_sum(const struct vpu_insn *i, unsigned written, struct vpu_insn *sum)
{
    *sum = *i;
    sum->op = vpu_ops[i->op].sum;
    sum->imm = (int32_t)((uint32_t)i->imm << vpu_ops[i->op].shift);
    struct vpu_wish wish = {.written = written};
    struct vpu_choice choice;
    return !is_pc_sum(sum) && vpu_choose(sum, &wish, &choice) && choice.form == i->form && choice.op == i->op;
}

/* brev of two registers is another operation. */
bool vpu_names_all(const struct vpu_insn *i)
{
    switch (vpu_ops[i->op].class) {
    case VPU_UNARY:
        return i->a != 0;
    case VPU_COMPARE:
        return i->d != 0;
    case VPU_REVERSE:
        return !(i->flags & VPU_IMMEDIATE) || i->a != i->d;
    default:
        return false;
    }
}

static char *write_arithmetic(const struct vpu_printer *printer, char *p, const struct vpu_insn *i,
                              const struct vpu_form *f)
{
    unsigned class = vpu_ops[i->op].class, written = vpu_form_writes(f, i->op), shift = vpu_ops[i->op].shift;
    bool all = vpu_names_all(i);
    if (all)
        written &= ~(unsigned)VPU_WRITTEN_TWO;
    struct vpu_insn sum;
    if (is_sum_of_multiple(i, f) && as_sum(i, written, &sum)) {
        i = &sum;
        shift = 0;
    }
    bool two = f->shape == VPU_SHAPE_TWO || (f->shape == VPU_SHAPE_THREE && f->row->implied && i->a == i->d);
    enum vpu_pin pin = i == &sum ? VPU_PIN_NONE : vpu_pin_needed(i, written, printer->reach);
    if (is_pc_sum(i))
        pin = VPU_PIN_NAME;
    p = write_mnemonic(printer->names, p, i, f, pin);
    if (class == VPU_BINARY || all) {
        p = write_register_comma(p, i->d);
        if (!two)
            p = write_register_comma(p, i->a);
    } else {
        p = write_register_comma(p, class == VPU_UNARY ? i->d : i->a);
    }
    p = write_source(p, i, f);
    if (shift) {
        p = write_bytes(p, "<<", 2);
        *p++ = (char)('0' + shift);
    }
    return write_name_pin(p, pin, f);
}

/* ---- memory ---- */

static char *write_list(char *p, const struct vpu_insn *i)
{
    bool load = vpu_is_load(i->op);
    bool alone = (i->flags & VPU_LINK_ONLY) && i->a == VPU_GP && ((i->b - i->a) & 31) == 15;
    if (!alone) {
        p = vpu_write_register(p, i->a);
        if (i->b != i->a) {
            *p++ = '-';
            p = vpu_write_register(p, i->b);
        }
        *p++ = ',';
    }
    if (i->flags & VPU_LINK)
        p = write_bytes(p, load ? "pc," : "lr,", 3);
    return write_text(p, load ? "(sp++)" : "(--sp)");
}

static char *write_reached(char *p, const struct vpu_insn *i, const struct vpu_form *f, unsigned written)
{
    *p++ = '(';
    if (i->mode == VPU_PREDEC)
        p = write_bytes(p, "--", 2);
    p = vpu_write_register(p, i->a);
    if (i->mode == VPU_POSTINC)
        p = write_bytes(p, "++", 2);
    if (i->mode == VPU_INDEX) {
        unsigned bytes = vpu_ops[i->op].bytes;
        *p++ = '+';
        p = vpu_write_register(p, i->b);
        if (bytes > 1)
            p = write_bytes(p, bytes == 4 ? "<<2" : "<<1", 3);
    }
    if (written & VPU_WRITTEN_OFFSET) {
        *p++ = '+';
        p = write_number(p, i->imm, f->hex);
    }
    *p++ = ')';
    return p;
}

static char *write_access(const struct vpu_printer *printer, char *p, const struct vpu_insn *i,
                          const struct vpu_form *f)
{
    unsigned written = vpu_form_text(f, i->op);
    if (f->row->implied == 1 + VPU_SP && i->imm == 0 && f->size == 2)
        written &= ~(unsigned)VPU_WRITTEN_OFFSET;
    enum vpu_pin pin = vpu_pin_needed(i, written, printer->reach);
    p = write_mnemonic(printer->names, p, i, f, pin);
    p = write_register_comma(p, i->d);
    if (f->shape == VPU_SHAPE_NEAR)
        p = vpu_write_address(printer, p, i->address + (uint32_t)i->imm);
    else
        p = write_reached(p, i, f, written);
    return write_name_pin(p, pin, f);
}

/* ---- branches ---- */

static char *write_branch(const struct vpu_printer *printer, char *p, const struct vpu_insn *i,
                          const struct vpu_form *f)
{
    p = vpu_write_word(p, &printer->names->spelling[i->op][0]);
    p = vpu_write_letters(p, &vpu_cond_names[i->cond]);
    enum vpu_pin pin = vpu_pin_needed(i, 0, printer->reach);
    if (pin == VPU_PIN_SIZE)
        p = write_size_pin(p, f);
    *p++ = ' ';
    p = vpu_write_address(printer, p, i->target);
    return write_name_pin(p, pin, f);
}

/* b<cc> rd,rs,target is addcmpb that adds 0. */
static char *write_addcmpb(const struct vpu_printer *printer, char *p, const struct vpu_insn *i)
{
    bool compare = (i->flags & VPU_STEP) && i->step == 0;
    p = vpu_write_word(p, &printer->names->spelling[compare ? vpu_ops[i->op].instead : i->op][0]);
    p = vpu_write_letters(p, &vpu_cond_names[i->cond]);
    *p++ = ' ';
    p = write_register_comma(p, i->d);
    if (!compare) {
        p = i->flags & VPU_STEP ? write_signed(p, i->step) : vpu_write_register(p, i->a);
        *p++ = ',';
    }
    p = i->flags & VPU_IMMEDIATE ? write_hex(p, (uint32_t)i->imm) : vpu_write_register(p, i->b);
    *p++ = ',';
    return vpu_write_address(printer, p, i->target);
}

static char *write_to_register(const struct vpu_names *names, char *p, const struct vpu_insn *i)
{
    if (vpu_ops[i->op].flow == WEFT_FLOW_BRANCH && i->flags & VPU_TO_REGISTER && i->d == VPU_LR)
        return write_bytes(p, "rts", 3);
    p = vpu_write_word(p, &names->spelling[i->op][0]);
    *p++ = ' ';
    return vpu_write_register(p, i->d);
}

static char *write_lea(const struct vpu_printer *printer, char *p, const struct vpu_insn *i, const struct vpu_form *f)
{
    p = write_mnemonic(printer->names, p, i, f, vpu_pin_needed(i, 0, printer->reach));
    p = write_register_comma(p, i->d);
    return vpu_write_address(printer, p, i->target);
}

char *vpu_write_control(char *p, unsigned number)
{
    *p++ = 'p';
    return write_unsigned(p, number);
}

/* The GNU port takes p registers only with the size written. */
static char *write_move_control(char *p, const struct vpu_insn *i)
{
    p = write_bytes(p, "mov.m ", 6);
    p = vpu_ops[i->op].uses & VPU_D_CONTROL ? vpu_write_control(p, i->d) : vpu_write_register(p, i->d);
    *p++ = ',';
    return vpu_ops[i->op].uses & VPU_A_CONTROL ? vpu_write_control(p, i->a) : vpu_write_register(p, i->a);
}

char *vpu_write_scalar(const struct vpu_printer *printer, char *p, const struct vpu_insn *i)
{
    const struct vpu_form *f = &printer->tables->form[i->form];
    switch (f->shape) {
    case VPU_SHAPE_TWO:
    case VPU_SHAPE_THREE:
        return write_arithmetic(printer, p, i, f);
    case VPU_SHAPE_ACCESS:
    case VPU_SHAPE_NEAR:
        return write_access(printer, p, i, f);
    case VPU_SHAPE_BRANCH:
        return write_branch(printer, p, i, f);
    case VPU_SHAPE_ADDCMPB:
        return write_addcmpb(printer, p, i);
    case VPU_SHAPE_REGISTER:
        return write_to_register(printer->names, p, i);
    case VPU_SHAPE_LEA:
        return write_lea(printer, p, i, f);
    case VPU_SHAPE_CONTROL:
        return write_move_control(p, i);
    default: /* PLAIN, NUMBER, LIST */
        p = vpu_write_word(p, &printer->names->spelling[i->op][0]);
        if (f->shape == VPU_SHAPE_PLAIN)
            return p;
        *p++ = ' ';
        return f->shape == VPU_SHAPE_NUMBER ? write_hex(p, (uint32_t)i->imm) : write_list(p, i);
    }
}
