/* fields.c - the bit fields of one instruction, as the manual draws them: those of the form's pattern, and its fixed
 * bits. */
#include "isa/insn.h"
#include "isa/vpu/insn.h"
#include "isa/vpu/print.h"

/* ---- names ---- */

/* What the manual calls a field of a vector pattern, and what it is. */
static const struct {
    const char *pattern, *manual;
    uint8_t kind;
} vector_fields[VPU_SLOTS] = {
#define FIELD(name, manual, kind) {#name, manual, WEFT_FIELD_##kind},
#include "isa/vpu/fields.inc"
#undef FIELD
};

static enum vpu_slot slot_of(const char *name)
{
    for (unsigned n = 0; n < sizeof vector_fields / sizeof vector_fields[0]; n++)
        if (strcmp(vector_fields[n].pattern, name) == 0)
            return (enum vpu_slot)n;
    return VPU_SLOTS;
}

/* ---- words: each returns where the text goes on ---- */

static char *word_of_scalar(char *p, const struct vpu_insn *i, const struct vpu_form *f, enum vpu_role role)
{
    const struct vpu_op_row *row = &vpu_ops[i->op];
    switch (role) {
    case VPU_ROLE_OP:
        return write_text(p, row->name);
    case VPU_ROLE_D:
        return row->uses & VPU_D_CONTROL ? vpu_write_control(p, i->d) : vpu_write_register(p, i->d);
    case VPU_ROLE_A:
    case VPU_ROLE_BANK:
        return row->uses & VPU_A_CONTROL ? vpu_write_control(p, i->a) : vpu_write_register(p, i->a);
    case VPU_ROLE_LEFT:
        return vpu_write_register(p, row->class == VPU_COMPARE ? i->a : i->d);
    case VPU_ROLE_B:
    case VPU_ROLE_COUNT:
        return vpu_write_register(p, i->b);
    case VPU_ROLE_COND:
        return i->cond == VPU_ALWAYS ? write_text(p, "always") : vpu_write_letters(p, &vpu_cond_names[i->cond]);
    case VPU_ROLE_SIGNED:
    case VPU_ROLE_UNSIGNED:
        return f->hex ? write_signed_hex(p, i->imm) : write_signed(p, i->imm);
    case VPU_ROLE_FLOAT:
        return vpu_write_float6(p, i);
    case VPU_ROLE_TARGET:
    case VPU_ROLE_ABSOLUTE:
        return write_hex(p, i->target);
    case VPU_ROLE_STEP:
        return write_signed(p, i->step);
    }
    return p;
}

/* A vector operand without its flags, or these alone. */
static char *word_of_operand(char *p, const struct vpu_names *names, const struct vpu_operand *o, bool flags)
{
    struct vpu_operand part = *o;
    if (flags)
        return vpu_write_operand_flags(p, o);
    part.reg = VPU_NO_REG;
    part.inc = part.column = false;
    return vpu_write_vector_register(names, p, &part);
}

static char *word_of_vector(char *p, const struct vpu_names *names, const struct vpu_insn *i, enum vpu_slot slot,
                            uint64_t value)
{
    static const char *const widths[] = {"8", "16", "32", ""};
    switch (slot) {
    case VPU_F_op:
        return write_text(p, vpu_ops[i->op].name);
    case VPU_F_w:
    case VPU_F_X:
        return write_text(p, widths[i->x]);
    case VPU_F_r:
        return write_text(p, vpu_repeat_names[i->rep]);
    case VPU_F_rs:
        return vpu_write_register(p, i->rs);
    case VPU_F_d:
    case VPU_F_fd:
        return word_of_operand(p, names, &i->vd, slot == VPU_F_fd);
    case VPU_F_a:
    case VPU_F_fa:
        return word_of_operand(p, names, &i->va, slot == VPU_F_fa);
    case VPU_F_b:
    case VPU_F_fb:
        return word_of_operand(p, names, &i->vb, slot == VPU_F_fb);
    case VPU_F_z:
        return write_text(p, value ? "+rs" : "");
    case VPU_F_F:
        return write_text(p, i->setf ? "SETF" : "");
    case VPU_F_rb:
        return vpu_write_scalar_register(p, i->vb.reg);
    case VPU_F_P:
        return write_text(p, vpu_lane_names[i->lanes]);
    case VPU_F_fi:
        return i->acc ? vpu_write_accumulate(p, i->acc) : p;
    default:
        return p;
    }
}

/* ---- bits ---- */

/* Bits low .. low + width - 1 of the pattern, as pieces of the bytes in memory, the least significant first. Of
 * scalar48 the second part is one word; everything else is halfwords, the first one highest. */
static void add_bits(struct weft_field *field, const struct weft_insn *insn, unsigned low, unsigned width)
{
    unsigned bits = insn->size * 8;
    bool word = bits == 48 && vpu_is_scalar48((unsigned)vpu_halfword(insn->bytes, 0));
    while (width > 0) {
        unsigned unit = word && low < 32 ? 32 : 16, left = unit - low % unit;
        unsigned at = word ? (low < 32 ? 16 + low : low - 32) : (bits / 16 - 1 - low / 16) * 16 + low % 16;
        unsigned count = width < left ? width : left;
        insn_piece(field, insn, at, count);
        low += count;
        width -= count;
    }
}

/* The fixed bits from `at` down to `end`. */
static void add_fixed(struct weft_field *opcode, const struct weft_insn *insn, unsigned end, unsigned at)
{
    if (at > end)
        add_bits(opcode, insn, end, at - end);
}

static void put_word(struct weft_field *field, const struct vpu_insn *i, const struct vpu_form *f,
                     const struct pattern_field *from)
{
    char text[WEFT_INSN_TEXT / 4], *end;
    const struct vpu_names *names = vpu_names();
    enum vpu_slot slot = f->vector ? slot_of(from->name) : VPU_SLOTS;
    if (f->vector)
        end = names ? word_of_vector(text, names, i, slot, field->value) : text;
    else
        end = word_of_scalar(text, i, f, vpu_role_of(f, from->name));
    const char *word = text;
    while (word < end && *word == ' ')
        word++;
    size_t length = (size_t)(end - word);
    length = length < sizeof field->word ? length : sizeof field->word - 1;
    memcpy(field->word, word, length);
}

static weft_field_kind kind_of(const struct vpu_form *f, const struct pattern_field *from)
{
    if (f->vector)
        return (weft_field_kind)vector_fields[slot_of(from->name)].kind;
    enum vpu_role role = vpu_role_of(f, from->name);
    return role == VPU_ROLE_OP ? WEFT_FIELD_OPCODE : role == VPU_ROLE_COND ? WEFT_FIELD_CONTROL : WEFT_FIELD_OPERAND;
}

static void put_field(struct weft_field *field, const struct weft_insn *insn, const struct vpu_insn *i,
                      const struct vpu_form *f, const struct pattern_field *from)
{
    field->name = f->vector ? vector_fields[slot_of(from->name)].manual : from->name;
    field->kind = kind_of(f, from);
    for (unsigned n = from->npieces; n-- > 0;)
        add_bits(field, insn, from->piece[n].low, from->piece[n].width);
    put_word(field, i, f, from);
}

/* Which bits of the pattern no field has, from the top down. */
static void put_opcode(struct weft_field *field, const struct weft_insn *insn, const struct vpu_form *f)
{
    field->name = "opcode";
    field->kind = WEFT_FIELD_OPCODE;
    for (unsigned bit = 0; bit < f->pattern.bits;) {
        unsigned end = bit;
        while (end < f->pattern.bits && f->mask.w[end >> 6] >> (end & 63) & 1)
            end++;
        add_fixed(field, insn, bit, end);
        bit = end + 1;
    }
}

size_t vpu_insn_fields(const struct isa_decoder *d, const struct weft_insn *insn, struct weft_field *fields)
{
    (void)d;
    struct vpu_insn i;
    vpu_insn_again(insn, &i);
    const struct vpu_form *f = &vpu_tables()->form[i.form];
    put_opcode(&fields[0], insn, f);
    for (unsigned n = 0; n < f->pattern.nfields; n++)
        put_field(&fields[1 + n], insn, &i, f, &f->pattern.field[n]);
    return 1u + f->pattern.nfields;
}
