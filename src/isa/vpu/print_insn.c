/* print_insn.c - instructions as text, in the spelling of the GNU port: the operands of their forms, one after the
 * other. */
#include "isa/vpu/flow.h"
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

/* mulhd.eq.ss: the condition comes before the signs; of a branch it is part of the name. */
static char *write_mnemonic(const struct vpu_names *names, char *p, const struct vpu_insn *i)
{
    const struct vpu_word *w = &names->spelling[i->op][0];
    if (i->cond == VPU_ALWAYS)
        return vpu_write_word(p, w);
    memcpy(p, w->text, sizeof w->text);
    p += names->stem[i->op];
    if (!(vpu_ops[i->op].uses & VPU_BRANCHES_ON))
        *p++ = '.';
    p = vpu_write_letters(p, &vpu_cond_names[i->cond]);
    return vpu_write_part(p, &names->tail[i->op]);
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

/* addscale by an immediate is written as the sum that it is, if that comes back. */
static bool as_sum(const struct vpu_insn *i, unsigned written, struct vpu_insn *sum)
{
    *sum = *i;
    sum->op = vpu_ops[i->op].sum;
    sum->imm = (int32_t)((uint32_t)i->imm << vpu_ops[i->op].shift);
    struct vpu_wish wish = {.written = written};
    struct vpu_choice choice;
    return !vpu_is_pc_sum(sum) && vpu_choose(sum, &wish, &choice) && choice.form == i->form && choice.op == i->op;
}

/* ---- operands ---- */

static char *write_list(char *p, const struct vpu_insn *i)
{
    p = vpu_write_register(p, i->a);
    if (i->b == i->a)
        return p;
    *p++ = '-';
    return vpu_write_register(p, i->b);
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

char *vpu_write_control(char *p, unsigned number)
{
    *p++ = 'p';
    return write_unsigned(p, number);
}

static char *write_item(const struct vpu_printer *printer, char *p, const struct vpu_insn *i, const struct vpu_form *f,
                        enum vpu_item item, unsigned written)
{
    switch (item) {
    case VPU_ITEM_D:
        return vpu_write_register(p, i->d);
    case VPU_ITEM_A:
        return vpu_write_register(p, i->a);
    case VPU_ITEM_REGISTER_B:
        return vpu_write_register(p, i->b);
    case VPU_ITEM_B:
    case VPU_ITEM_NUMBER:
    case VPU_ITEM_CONSTANT:
        return write_source(p, i, f);
    case VPU_ITEM_STEP:
        return write_signed(p, i->step);
    case VPU_ITEM_TARGET:
        return vpu_write_address(printer, p, i->target);
    case VPU_ITEM_NEAR:
        return vpu_write_address(printer, p, i->address + (uint32_t)i->imm);
    case VPU_ITEM_PD:
        return vpu_write_control(p, i->d);
    case VPU_ITEM_PA:
        return vpu_write_control(p, i->a);
    case VPU_ITEM_ACCESS:
        return write_reached(p, i, f, written);
    case VPU_ITEM_LIST:
        return write_list(p, i);
    case VPU_ITEM_LINK:
        return write_bytes(p, vpu_is_load(i->op) ? "pc" : "lr", 2);
    case VPU_ITEM_STACK:
        return write_bytes(p, vpu_is_load(i->op) ? "(sp++)" : "(--sp)", 6);
    default: /* vectors have others */
        return p;
    }
}

/* ---- instructions ---- */

/* What the text says beside the operands: enum vpu_written. */
static unsigned written_of(const struct vpu_insn *i, const struct vpu_form *f, const struct vpu_line *line)
{
    unsigned written = line->written;
    if (!line->varies)
        return written;
    if (written & VPU_WRITTEN_TWO && f->three && vpu_names_all(i))
        written &= ~(unsigned)VPU_WRITTEN_TWO;
    if (i->imm == 0 && f->implied == VPU_SP && f->size == 2)
        written &= ~(unsigned)VPU_WRITTEN_OFFSET;
    return written;
}

/* What is written as another operation: a multiple as its sum, a comparison that adds nothing without the 0. */
static bool is_other(const struct vpu_insn *i, const struct vpu_form *f, unsigned written, struct vpu_insn *other)
{
    if (is_sum_of_multiple(i, f))
        return as_sum(i, written, other);
    if (!(f->has & VPU_ITEM(STEP)) || i->step != 0)
        return false;
    *other = *i;
    other->op = vpu_ops[i->op].instead;
    return true;
}

static char *write_scalar(const struct vpu_printer *printer, char *p, const struct vpu_insn *i,
                          const struct vpu_form *f)
{
    const unsigned place = vpu_place_of(f, i->op);
    const struct vpu_line *line = &printer->tables->line[place];
    const struct vpu_rivals *rivals = &printer->tables->rivals[place];
    const unsigned written = written_of(i, f, line);
    const bool special = line->special;
    enum vpu_pin pin = VPU_PIN_NONE;
    struct vpu_insn other;
    char separator = ' ';
    if (special && i->flags & VPU_TO_REGISTER && vpu_flow_of(i) == WEFT_FLOW_RETURN)
        return write_bytes(p, "rts", 3);
    if (special && is_other(i, f, written, &other))
        i = &other;
    else if (special && vpu_ops[i->op].instead && vpu_is_pc_sum(i))
        pin = VPU_PIN_NAME;
    else if (rivals->count)
        pin = vpu_pin_needed(printer->tables, rivals, i, written, printer->reach);
    p = write_mnemonic(printer->names, p, i);
    if (pin == VPU_PIN_SIZE || line->sized)
        p = write_size_pin(p, f);
    for (const uint8_t *at = line->item; *at; at++) {
        enum vpu_item item = (enum vpu_item)(*at & ~VPU_OPTIONAL);
        if (*at & VPU_OPTIONAL && !vpu_shows_optional(f, i, item))
            continue;
        *p++ = separator;
        separator = ',';
        p = write_item(printer, p, i, f, item, written);
    }
    if (special && vpu_ops[i->op].shift) {
        p = write_bytes(p, "<<", 2);
        *p++ = (char)('0' + vpu_ops[i->op].shift);
    }
    return pin == VPU_PIN_NAME ? vpu_write_form_pin(p, f) : p;
}

char *vpu_write_insn(const struct vpu_printer *printer, char *p, const struct vpu_insn *i)
{
    const struct vpu_form *f = &printer->tables->form[i->form];
    return (f->vector ? vpu_write_vector : write_scalar)(printer, p, i, f);
}
