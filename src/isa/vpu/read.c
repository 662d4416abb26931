/* read.c - one instruction from its bytes: the fields of its form fill the members of struct vpu_insn. */
#include "isa/vpu/table.h"
#include "isa/vpu/operand.h"

/* ---- scalar ---- */

const uint8_t vpu_banks[4] = {0, 6, 16, 24};

/* The 6-bit float immediate: sign, 3 bits of exponent, 2 of mantissa; exponent 0 is zero (chapter "Floating Point
 * Operations"). */
uint32_t vpu_float6(uint32_t raw)
{
    uint32_t sign = raw >> 5 << 31, exponent = raw >> 2 & 7, mantissa = raw & 3;
    return exponent == 0 ? sign : sign | (exponent + 124) << 23 | mantissa << 21;
}

static inline uint32_t reg(struct vpu_place place, uint64_t bits)
{
    return (uint32_t)(bits >> place.low) & place.mask;
}

static inline uint32_t number(const struct vpu_number *n, uint64_t bits)
{
    uint32_t high = (uint32_t)(bits >> n->low[0]) & n->mask[0], low = (uint32_t)(bits >> n->low[1]) & n->mask[1];
    return (((high << n->shift | low) ^ n->sign) - n->sign) * n->scale;
}

/* The fields that have no place in the form. */
static void fill(struct vpu_insn *out, const struct vpu_field *field, const struct pattern_word *word)
{
    uint32_t v = vpu_take(field, word);
    switch ((enum vpu_role)field->role) {
    case VPU_ROLE_TARGET: /* of addcmpb */
        out->target = out->address + (uint32_t)pattern_sign_extend(v, field->width) * field->scale;
        break;
    case VPU_ROLE_FLOAT:
        out->raw = (uint8_t)v;
        out->imm = (int32_t)vpu_float6(v);
        break;
    case VPU_ROLE_STEP:
        out->step = (int8_t)pattern_sign_extend(v, field->width);
        break;
    case VPU_ROLE_BANK:
        out->a = vpu_banks[v];
        break;
    case VPU_ROLE_COUNT:
        out->b = (uint8_t)((out->a + v) & 31);
        break;
    default:
        break;
    }
}

static void decode_scalar(const struct vpu_form *f, const struct pattern_word *word, struct vpu_insn *out)
{
    const uint64_t bits = word->w[0];
    out->op = (uint8_t)(f->first_op + (reg(f->which, bits) << f->spread));
    /* Of "op rd, rs" the operation says whether the first operand is read, written or both. */
    unsigned class = vpu_ops[out->op].class & f->left;
    uint32_t d = reg(f->d, bits), a = reg(f->a, bits) | f->implied;
    out->d = (uint8_t)(class == VPU_COMPARE ? 0 : d);
    out->a = (uint8_t)(class == VPU_UNARY ? 0 : a);
    out->b = (uint8_t)reg(f->b, bits);
    out->cond = (uint8_t)(reg(f->cond, bits) | f->always);
    out->flags = f->flags;
    out->mode = f->mode;
    uint32_t n = number(&f->number, bits);
    out->imm = (int32_t)(n & ~f->to_target);
    out->target = (n & f->to_target) + (out->address & f->relative);
    for (unsigned i = f->nplaced; i < f->nroles; i++)
        fill(out, &f->field[i], word);
    if (out->flags & VPU_LINK)
        vpu_find_link_only(out);
}

/* ---- vector ---- */

static uint32_t slot(const struct vpu_form *f, enum vpu_slot s, const struct pattern_word *word)
{
    return vpu_take_one(&f->slot[s], word);
}

static void get_vector_op(const struct vpu_form *f, const struct pattern_word *word, struct vpu_insn *out)
{
    unsigned number = slot(f, VPU_F_op, word);
    bool wide = slot(f, VPU_F_X, word) != 0;
    out->op = (uint8_t)(f->first_op + number + (wide && number >= VPU_X_SHARED ? VPU_X_APART : 0));
    if (!vpu_has_slot(f, VPU_F_X)) {
        out->x = (uint8_t)slot(f, VPU_F_w, word);
        return;
    }
    out->x = wide ? VPU_32 : VPU_16;
}

/* 48 bits: all registers lie as D does; what is the direction in D says in A and B whether r[rs] is added. */
static void decode_vector48(const struct vpu_tables *t, const struct vpu_form *f, const struct pattern_word *word,
                            struct vpu_insn *out)
{
    uint32_t d = slot(f, VPU_F_d, word), a = slot(f, VPU_F_a, word), rs = slot(f, VPU_F_rs, word);
    bool vertical = (d & VPU_VERTICAL_PLACE) != 0;
    struct vpu_operand_bits bits = {.flags = (slot(f, VPU_F_z, word) ? rs : VPU_NO_REG) << 2, .place = d};
    out->rs = (uint8_t)rs;
    out->vd = vpu_get_operand(t->coarse, bits, vertical);
    bits = (struct vpu_operand_bits){.flags = (a & VPU_VERTICAL_PLACE ? rs : VPU_NO_REG) << 2, .place = a};
    out->va = vpu_get_operand(t->coarse, bits, vertical && !vpu_place_is_dash(a));
    if (vpu_has_slot(f, VPU_F_b)) {
        uint32_t b = slot(f, VPU_F_b, word);
        bits = (struct vpu_operand_bits){.flags = (b & VPU_VERTICAL_PLACE ? rs : VPU_NO_REG) << 2, .place = b};
        out->vb = vpu_get_operand(t->coarse, bits, vertical);
        return;
    }
    out->setf = slot(f, VPU_F_F, word) != 0;
    if (vpu_has_slot(f, VPU_F_rb)) {
        out->vb.kind = VPU_SCALAR;
        out->vb.reg = (uint8_t)slot(f, VPU_F_rb, word);
        return;
    }
    out->vb.kind = VPU_VIMM;
    out->lanes = (uint8_t)slot(f, VPU_F_P, word);
    out->imm = (int32_t)pattern_sign_extend(slot(f, VPU_F_i, word), 6);
}

/* The immediate in parts, the low ones first: an address has 16 bits, another scalar 9. */
static int32_t scalar_displacement(const struct vpu_form *f, const struct pattern_word *word)
{
    unsigned high = f->slot[VPU_F_i].width;
    return (int32_t)pattern_sign_extend(vpu_take(&f->slot[VPU_F_i], word) << 7 | slot(f, VPU_F_l, word), high + 7);
}

static void decode_vector80(const struct vpu_tables *t, const struct vpu_form *f, const struct pattern_word *word,
                            struct vpu_insn *out)
{
    struct vpu_operand_bits bits = {.place = slot(f, VPU_F_d, word), .flags = slot(f, VPU_F_fd, word)};
    if (vpu_place_is_dash(bits.place))
        bits.flags = vpu_swap_no_register(bits.flags, out->op);
    out->vd = vpu_get_operand(t->coarse, bits, (bits.place & VPU_VERTICAL_PLACE) != 0);
    bits = (struct vpu_operand_bits){slot(f, VPU_F_a, word), slot(f, VPU_F_fa, word), slot(f, VPU_F_xa, word)};
    out->va = vpu_get_operand(t->fine, bits, (bits.place & VPU_VERTICAL_PLACE) != 0);
    out->rep = (uint8_t)slot(f, VPU_F_r, word);
    out->setf = slot(f, VPU_F_F, word) != 0;
    out->lanes = (uint8_t)slot(f, VPU_F_P, word);
    out->acc = (uint8_t)slot(f, VPU_F_fi, word);
    struct vpu_operand *stepping = vpu_is_load(out->op) ? &out->va : &out->vd;
    if (f->addressed && stepping->kind == VPU_DASH) {
        out->step_reg = stepping->reg;
        stepping->reg = VPU_NO_REG;
    }
    if (vpu_has_slot(f, VPU_F_b)) {
        bits = (struct vpu_operand_bits){.place = slot(f, VPU_F_b, word), .flags = slot(f, VPU_F_fb, word)};
        out->vb = vpu_get_operand(t->coarse, bits, (bits.place & VPU_VERTICAL_PLACE) != 0);
    } else if (vpu_has_slot(f, VPU_F_rb)) {
        out->vb.kind = VPU_SCALAR;
        out->vb.reg = (uint8_t)slot(f, VPU_F_rb, word);
        out->imm = scalar_displacement(f, word);
    } else {
        out->vb.kind = VPU_VIMM;
        out->imm = (int32_t)pattern_sign_extend(slot(f, VPU_F_j, word) << 10 | slot(f, VPU_F_k, word), 16);
    }
}

static void decode_vector(const struct vpu_tables *t, const struct vpu_form *f, const struct pattern_word *word,
                          struct vpu_insn *out)
{
    out->cond = VPU_ALWAYS;
    get_vector_op(f, word, out);
    out->step_reg = VPU_NO_REG;
    (f->size == 6 ? decode_vector48 : decode_vector80)(t, f, word, out);
}

/* ---- any ---- */

/* Is an operation there under the number that the bits of a form give? */
static bool is_valid(const struct vpu_form *f, const struct pattern_word *word)
{
    if (!f->vector)
        return vpu_take_one(&f->op, word) < f->ops;
    if (f->row->only && !(f->row->only >> slot(f, VPU_F_op, word) & 1))
        return false;
    return f->size != 6 || !vpu_has_slot(f, VPU_F_b) || !vpu_place_is_dash(slot(f, VPU_F_b, word));
}

static bool has_fixed_bits(const struct vpu_form *f, const struct pattern_word *word)
{
    return (((word->w[0] ^ f->value.w[0]) & f->mask.w[0]) | ((word->w[1] ^ f->value.w[1]) & f->mask.w[1])) == 0;
}

static inline const struct vpu_form *match(const struct vpu_tables *t, const uint8_t *bytes, size_t size,
                                           struct pattern_word *word)
{
    unsigned first = size < 2 ? 0 : bytes[0] | (unsigned)bytes[1] << 8, length = vpu_length(first);
    unsigned form = t->first[first];
    if (size < length || form == VPU_NO_FORM)
        return NULL;
    *word = vpu_word(bytes, length);
    const struct vpu_form *f = &t->form[form];
    if (f->sure)
        return f;
    for (unsigned run = f->run; run > 0; run--, f++)
        if (has_fixed_bits(f, word) && is_valid(f, word))
            return f;
    return NULL;
}

const struct vpu_form *vpu_match(const struct vpu_tables *t, const uint8_t *bytes, size_t size,
                                 struct pattern_word *word)
{
    return match(t, bytes, size, word);
}

/* What is not an instruction: data of the length that its first bits announce. */
static void decode_unknown(const uint8_t *bytes, size_t size, struct vpu_insn *out)
{
    size_t length = size < 2 ? size : vpu_length(bytes[0] | (unsigned)bytes[1] << 8);
    *out = vpu_data(out->address, bytes, (uint32_t)(length < size ? length : size));
}

static inline void decode_as(const struct vpu_tables *t, const struct vpu_form *f, const struct pattern_word *word,
                             uint32_t address, struct vpu_insn *out)
{
    *out = (struct vpu_insn){.address = address, .form = (uint8_t)(f - t->form), .size = f->size};
    if (f->vector) {
        decode_vector(t, f, word, out);
        return;
    }
    decode_scalar(f, word, out);
    if (f->size == 2) {
        out->flags |= VPU_SHORT;
        out->halfword = (uint16_t)word->w[0];
    }
}

void vpu_decode_as(const struct vpu_tables *t, const struct vpu_form *f, const struct pattern_word *word,
                   uint32_t address, struct vpu_insn *out)
{
    decode_as(t, f, word, address, out);
}

void vpu_decode_with(const struct vpu_tables *t, const uint8_t *bytes, size_t size, uint32_t address,
                     struct vpu_insn *out)
{
    struct pattern_word word;
    const struct vpu_form *f = t ? match(t, bytes, size, &word) : NULL;
    out->address = address;
    if (f)
        decode_as(t, f, &word, address, out);
    else
        decode_unknown(bytes, size, out);
}

void vpu_decode_insn(const uint8_t *bytes, size_t size, uint32_t address, struct vpu_insn *out)
{
    vpu_decode_with(vpu_tables(), bytes, size, address, out);
}
