/* encode.c - one instruction to its bytes, the reverse of read.c, and a module to its flat image. */
#include "isa/vpu/choose.h"
#include "isa/vpu/operand.h"

#include <stddef.h>

/* ---- scalar ---- */

static unsigned bank_of(unsigned first)
{
    unsigned bank = 0;
    while (bank < 3 && vpu_banks[bank] != first)
        bank++;
    return bank;
}

const uint8_t vpu_role_member[VPU_ROLE_COUNT + 1] = {
    [VPU_ROLE_D] = offsetof(struct vpu_insn, d),       [VPU_ROLE_A] = offsetof(struct vpu_insn, a),
    [VPU_ROLE_B] = offsetof(struct vpu_insn, b),       [VPU_ROLE_COND] = offsetof(struct vpu_insn, cond),
    [VPU_ROLE_FLOAT] = offsetof(struct vpu_insn, raw), [VPU_ROLE_STEP] = offsetof(struct vpu_insn, step)};

static uint32_t value_of(const struct vpu_insn *i, const struct vpu_field *field)
{
    const uint8_t member = vpu_role_member[field->role];
    if (member)
        return ((const uint8_t *)i)[member];
    switch ((enum vpu_role)field->role) {
    case VPU_ROLE_LEFT:
        return vpu_ops[i->op].class == VPU_COMPARE ? i->a : i->d;
    case VPU_ROLE_SIGNED:
    case VPU_ROLE_UNSIGNED:
        return (uint32_t)(i->imm / field->scale);
    case VPU_ROLE_TARGET:
        return (uint32_t)((int32_t)(i->target - i->address) / field->scale);
    case VPU_ROLE_ABSOLUTE:
        return i->target;
    case VPU_ROLE_BANK:
        return bank_of(i->a);
    default: /* VPU_ROLE_COUNT */
        return (i->b - i->a) & 31u;
    }
}

static void encode_scalar(const struct vpu_insn *i, const struct vpu_form *f, struct pattern_word *word)
{
    vpu_put(&f->op, word, (uint32_t)(i->op - f->first_op) >> f->spread);
    for (unsigned n = 0; n < f->nroles; n++)
        vpu_put(&f->field[n], word, value_of(i, &f->field[n]));
}

/* ---- vector ---- */

static void set(const struct vpu_form *f, enum vpu_slot slot, struct pattern_word *word, uint32_t value)
{
    vpu_put(&f->slot[slot], word, value);
}

static void set_vector_op(const struct vpu_insn *i, const struct vpu_form *f, struct pattern_word *word)
{
    vpu_put_number(f, word, (unsigned)(i->op - f->first_op));
    if (vpu_has_slot(f, VPU_F_X))
        set(f, VPU_F_X, word, i->x == VPU_32);
    else
        set(f, VPU_F_w, word, i->x);
}

/* A or B in 48 bits: the bit of the direction says whether r[rs] is added. */
static uint32_t place48(const struct vpu_operand *o)
{
    uint32_t place = vpu_put_operand(o, false).place & ~(uint32_t)VPU_VERTICAL_PLACE;
    return o->reg == VPU_NO_REG ? place : place | VPU_VERTICAL_PLACE;
}

static uint32_t shared_register(const struct vpu_insn *i)
{
    if (i->vd.reg != VPU_NO_REG)
        return i->vd.reg;
    if (i->va.reg != VPU_NO_REG)
        return i->va.reg;
    return i->vb.kind == VPU_VREG && i->vb.reg != VPU_NO_REG ? i->vb.reg : i->rs;
}

static void encode_vector48(const struct vpu_insn *i, const struct vpu_form *f, struct pattern_word *word)
{
    set(f, VPU_F_rs, word, shared_register(i));
    set(f, VPU_F_d, word, vpu_put_operand(&i->vd, false).place);
    set(f, VPU_F_z, word, i->vd.reg != VPU_NO_REG);
    set(f, VPU_F_a, word, place48(&i->va));
    if (vpu_has_slot(f, VPU_F_b)) {
        set(f, VPU_F_b, word, place48(&i->vb));
        return;
    }
    set(f, VPU_F_F, word, i->setf);
    if (vpu_has_slot(f, VPU_F_rb)) {
        set(f, VPU_F_rb, word, i->vb.reg);
    } else {
        set(f, VPU_F_P, word, i->lanes);
        set(f, VPU_F_i, word, (uint32_t)i->imm);
    }
}

/* An operand of 80 bits; the unused one of an address holds the register of its step. */
static struct vpu_operand_bits put80(const struct vpu_insn *i, const struct vpu_form *f, const struct vpu_operand *o)
{
    struct vpu_operand_bits bits = vpu_put_operand(o, o == &i->va);
    if (f->row->only == VPU_ADDRESSED && o->kind == VPU_DASH && o == (vpu_is_load(i->op) ? &i->va : &i->vd))
        bits.flags = (bits.flags & 3) | (uint32_t)i->step_reg << 2;
    return bits;
}

static void encode_vector80(const struct vpu_insn *i, const struct vpu_form *f, struct pattern_word *word)
{
    struct vpu_operand_bits bits = put80(i, f, &i->vd);
    set(f, VPU_F_d, word, bits.place);
    set(f, VPU_F_fd, word, i->vd.kind == VPU_DASH ? vpu_swap_no_register(bits.flags, i->op) : bits.flags);
    bits = put80(i, f, &i->va);
    set(f, VPU_F_a, word, bits.place);
    set(f, VPU_F_fa, word, bits.flags);
    set(f, VPU_F_xa, word, bits.low_x);
    set(f, VPU_F_r, word, i->rep);
    set(f, VPU_F_F, word, i->setf);
    set(f, VPU_F_P, word, i->lanes);
    if (vpu_has_slot(f, VPU_F_fi))
        set(f, VPU_F_fi, word, i->acc);
    if (vpu_has_slot(f, VPU_F_b)) {
        bits = vpu_put_operand(&i->vb, false);
        set(f, VPU_F_b, word, bits.place);
        set(f, VPU_F_fb, word, bits.flags);
    } else if (vpu_has_slot(f, VPU_F_rb)) {
        set(f, VPU_F_rb, word, i->vb.reg);
        set(f, VPU_F_l, word, (uint32_t)i->imm & 127);
        set(f, VPU_F_i, word, (uint32_t)(i->imm >> 7));
    } else {
        set(f, VPU_F_k, word, (uint32_t)i->imm & 1023);
        set(f, VPU_F_j, word, (uint32_t)(i->imm >> 10));
    }
}

/* ---- any ---- */

void vpu_encode_insn(const struct vpu_insn *i, uint8_t *bytes)
{
    const struct vpu_form *f = &vpu_tables()->form[i->form];
    struct pattern_word word = f->pattern.value;
    if (f->vector) {
        set_vector_op(i, f, &word);
        (f->size == 6 ? encode_vector48 : encode_vector80)(i, f, &word);
    } else {
        encode_scalar(i, f, &word);
    }
    vpu_put_word(word, f, bytes);
}

/* ---- the flat image ---- */

/* The last section with bytes ends the image: .bss is not in it. */
weft_status vpu_encode(const struct isa_module *m, struct arena *arena, uint8_t **bytes, size_t *size,
                       weft_diags *diags)
{
    uint64_t begin = 0, end = 0;
    *size = 0;
    for (uint32_t s = m->nsections; s-- > 0;) {
        const struct vpu_section *section = &m->sections[s];
        if (section->nobits || section->size == 0)
            continue;
        end = end ? end : (uint64_t)section->address + section->size;
        begin = section->address;
    }
    if (end - begin > VPU_MOST_BYTES) {
        diag_add(diags, WEFT_ERROR, "too-large", m->name, "-f elf keeps sections apart from one another",
                 "a flat image of more than 256 MiB: its sections are from 0x%llx to 0x%llx", (unsigned long long)begin,
                 (unsigned long long)end);
        return WEFT_ERROR_MEMORY;
    }
    *bytes = arena_alloc(arena, (size_t)(end - begin) + 1);
    if (!*bytes)
        return WEFT_ERROR_MEMORY;
    for (uint32_t s = 0; s < m->nsections; s++)
        if (!m->sections[s].nobits && m->sections[s].size)
            vpu_section_bytes(m, &m->sections[s], *bytes + (m->sections[s].address - begin));
    *size = (size_t)(end - begin);
    return WEFT_OK;
}
