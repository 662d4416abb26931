/* encode.c - one instruction to its bytes: whether a form holds it, of those that do the shortest, and the bits of that
 * form, the reverse of read.c.
 *
 * Most of what a form asks for is about single members, so that it is compiled to a comparison of the eight bytes of
 * them, and a range of the immediate. What is left is looked at field by field. */
#include "isa/vpu/encode.h"
#include "isa/vpu/operand.h"

#include <stddef.h>

/* ---- does a scalar form hold it? ---- */

static bool fits_signed(int64_t value, unsigned width, unsigned scale)
{
    int64_t limit = INT64_C(1) << (width - 1);
    if (scale > 1) {
        if (value % (int64_t)scale != 0)
            return false;
        value /= (int64_t)scale;
    }
    return value >= -limit && value < limit;
}

static bool fits_bank(const struct vpu_insn *i)
{
    for (unsigned bank = 0; bank < 4; bank++)
        if (vpu_banks[bank] == i->a)
            return true;
    return false;
}

/* Distances to labels shrink to a fifth at most when the text is assembled again: vector80 is five times as long as
 * scalar16. */
static bool fits_distance(uint32_t distance, unsigned width, unsigned scale, enum vpu_reach reach)
{
    int32_t d = (int32_t)distance;
    return reach == VPU_PERHAPS ? fits_signed(d / 5 / (int32_t)scale, width, 1) : fits_signed(d, width, scale);
}

static bool is_number(const struct vpu_field *f)
{
    return f->role == VPU_ROLE_SIGNED || f->role == VPU_ROLE_UNSIGNED;
}

/* What the comparison of members and the range of the immediate leave open. */
static bool fits_role(const struct vpu_field *f, const struct vpu_insn *i, int32_t imm, enum vpu_reach reach)
{
    unsigned width = f->width, scale = f->scale;
    if (reach == VPU_ANYWHERE && (f->role == VPU_ROLE_TARGET || is_number(f)))
        return true;
    switch (f->role) {
    case VPU_ROLE_SIGNED:
        return fits_distance((uint32_t)imm, width, scale, reach);
    case VPU_ROLE_UNSIGNED:
        return imm % (int32_t)scale == 0 && imm >= 0 && (int64_t)imm / scale < INT64_C(1) << width;
    case VPU_ROLE_TARGET:
        return fits_distance(i->target - i->address, width, scale, reach);
    case VPU_ROLE_STEP:
        return fits_signed(i->step, width, 1);
    case VPU_ROLE_BANK:
        return fits_bank(i);
    default:
        return true;
    }
}

static bool fits_scalar(const struct vpu_form *f, const struct vpu_insn *i, int32_t imm, enum vpu_reach reach)
{
    bool offset = false;
    for (unsigned n = 0; n < f->nroles; n++) {
        if (!fits_role(&f->field[n], i, imm, reach))
            return false;
        offset |= is_number(&f->field[n]);
    }
    return offset || !(f->has & VPU_ITEM(ACCESS)) || imm == 0;
}

/* ---- does a vector form? ---- */

bool vpu_direction48(const struct vpu_insn *i)
{
    if (i->vd.kind == VPU_VREG)
        return i->vd.vertical;
    if (i->va.kind == VPU_VREG)
        return i->va.vertical;
    return i->vb.kind == VPU_VREG && i->vb.vertical;
}

/* One operand of the 48-bit form; *rs is the register that the operands share so far, VPU_NO_REG if there is none. */
static bool fits_operand48(const struct vpu_operand *o, bool vertical, unsigned *rs)
{
    if (o->inc || o->column || !vpu_is_coarse(o) || (o->kind == VPU_VREG && o->vertical != vertical))
        return false;
    if (o->kind == VPU_DASH && o->x)
        return false;
    if (o->reg == VPU_NO_REG)
        return true;
    if (o->reg > 7 || (*rs != VPU_NO_REG && *rs != o->reg))
        return false;
    *rs = o->reg;
    return true;
}

static bool fits_vector48(const struct vpu_form *f, const struct vpu_insn *i)
{
    bool vertical = vpu_direction48(i);
    unsigned rs = VPU_NO_REG;
    if (i->acc || i->rep || i->step_reg != VPU_NO_REG || (i->va.kind == VPU_DASH && i->va.vertical))
        return false;
    if (!fits_operand48(&i->vd, vertical, &rs) || !fits_operand48(&i->va, vertical, &rs))
        return false;
    if (vpu_has_slot(f, VPU_F_b))
        return i->vb.kind == VPU_VREG && fits_operand48(&i->vb, vertical, &rs) && !i->setf && i->lanes == VPU_ALL;
    if (vpu_has_slot(f, VPU_F_rb))
        return i->vb.kind == VPU_SCALAR && i->imm == 0 && i->lanes == VPU_ALL;
    return i->vb.kind == VPU_VIMM && fits_signed(i->imm, 6, 1);
}

static bool fits_vector80(const struct vpu_form *f, const struct vpu_insn *i)
{
    if (!vpu_is_coarse(&i->vd))
        return false;
    if (!vpu_has_slot(f, VPU_F_fi) && i->acc)
        return false;
    if (vpu_has_slot(f, VPU_F_b))
        return i->vb.kind == VPU_VREG && vpu_is_coarse(&i->vb);
    if (vpu_has_slot(f, VPU_F_rb)) {
        unsigned high = f->slot[VPU_F_i].width;
        return i->vb.kind == VPU_SCALAR && i->vb.reg < 16 && fits_signed(i->imm, high + 7, 1);
    }
    return i->vb.kind == VPU_VIMM && fits_signed(i->imm, 16, 1);
}

bool vpu_fits_fields(const struct vpu_form *f, const struct vpu_insn *i, int32_t imm, enum vpu_reach reach)
{
    if (!f->vector)
        return fits_scalar(f, i, imm, reach);
    return f->size == 6 ? fits_vector48(f, i) : fits_vector80(f, i);
}

/* ---- compiled ---- */

enum { KIND_FLAGS = VPU_IMMEDIATE | VPU_STEP | VPU_TO_REGISTER | VPU_LINK };

static void want(uint8_t *mask, uint8_t *value, unsigned bits, unsigned wanted)
{
    *mask |= (uint8_t)bits;
    *value |= (uint8_t)wanted;
}

/* The register of a field has no bits beyond its width. */
static void want_narrow(uint8_t *mask, unsigned width)
{
    *mask |= (uint8_t)(255u << width);
}

static void want_left(struct vpu_candidate *c, struct vpu_insn *mask, struct vpu_insn *value, unsigned width)
{
    switch (vpu_ops[c->op].class) {
    case VPU_UNARY:
        want(&mask->a, &value->a, 255, 0);
        want_narrow(&mask->d, width);
        break;
    case VPU_COMPARE:
        want(&mask->d, &value->d, 255, 0);
        want_narrow(&mask->a, width);
        break;
    default:
        c->same = true;
        want_narrow(&mask->d, width);
    }
}

static void want_number(struct vpu_candidate *c, const struct vpu_field *f)
{
    uint32_t half = f->role == VPU_ROLE_SIGNED ? UINT32_C(1) << (f->width - 1) : 0;
    c->least = (int32_t)(0 - half * f->scale);
    c->range = (UINT32_MAX >> (32 - f->width)) * f->scale;
    c->odd = f->scale - 1u;
    c->rest |= (f->scale & (f->scale - 1)) != 0;
}

static void want_role(struct vpu_candidate *c, const struct vpu_field *f, struct vpu_insn *mask, struct vpu_insn *value)
{
    switch (f->role) {
    case VPU_ROLE_D:
    case VPU_ROLE_A:
    case VPU_ROLE_B:
        want_narrow((uint8_t *)mask + vpu_role_member[f->role], f->width);
        break;
    case VPU_ROLE_LEFT:
        want_left(c, mask, value, f->width);
        break;
    case VPU_ROLE_SIGNED:
    case VPU_ROLE_UNSIGNED:
        want_number(c, f);
        break;
    case VPU_ROLE_TARGET:
    case VPU_ROLE_STEP:
    case VPU_ROLE_BANK:
        c->rest = true;
        break;
    default:
        break;
    }
}

void vpu_compile_candidate(const struct vpu_form *f, unsigned op, struct vpu_candidate *c)
{
    struct vpu_insn mask = {0}, value = {0};
    bool offset = false;
    c->size = f->size;
    c->writes = (uint8_t)vpu_form_writes(f, c->op);
    c->range = UINT32_MAX;
    c->least = INT32_MIN;
    if (f->vector) {
        c->rest = true;
        return;
    }
    want(&mask.flags, &value.flags, KIND_FLAGS, f->flags);
    want(&mask.mode, &value.mode, 255, f->mode);
    if (!f->conditional)
        want(&mask.cond, &value.cond, 255, VPU_ALWAYS);
    if (f->row->implied)
        want(&mask.a, &value.a, 255, f->implied);
    for (unsigned n = 0; n < f->nroles; n++) {
        want_role(c, &f->field[n], &mask, &value);
        offset |= is_number(&f->field[n]);
    }
    if (!offset && f->has & VPU_ITEM(ACCESS)) {
        c->least = 0;
        c->range = 0;
    }
    if (c->op != op) {
        c->shift = vpu_ops[c->op].shift;
        c->least = (int32_t)((uint32_t)c->least << c->shift);
        c->range <<= c->shift;
        c->odd = c->odd << c->shift | ((1u << c->shift) - 1);
    }
    c->mask = vpu_head(&mask);
    c->value = vpu_head(&value);
}

/* ---- which form ---- */

/* How unlike the text is to what a disassembly of the form looks like. */
static unsigned unlike(unsigned writes, unsigned written)
{
    static const uint8_t bits[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    return bits[(writes ^ written) & 15];
}

bool vpu_is_wished(const struct vpu_form *f, const struct vpu_wish *wish)
{
    if (wish->size && f->size != wish->size)
        return false;
    const char *name = f->row->name;
    return !wish->name || (strncmp(name, wish->name, wish->name_length) == 0 && name[wish->name_length] == '\0');
}

unsigned vpu_least_size(const struct vpu_insn *i, const struct vpu_wish *wish)
{
    const struct vpu_tables *t = vpu_tables();
    for (unsigned n = t->candidate_first[i->op]; n < t->candidate_first[i->op + 1]; n++) {
        const struct vpu_candidate *c = &t->candidate[n];
        if (vpu_is_wished(&t->form[c->form], wish) && vpu_fits(t, c, i, VPU_ANYWHERE))
            return c->size;
    }
    return 0;
}

bool vpu_choose(const struct vpu_insn *i, const struct vpu_wish *wish, struct vpu_choice *out)
{
    const struct vpu_tables *t = vpu_tables();
    unsigned best_unlike = 0;
    bool found = false;
    for (unsigned n = t->candidate_first[i->op]; n < t->candidate_first[i->op + 1]; n++) {
        const struct vpu_candidate *c = &t->candidate[n];
        if (found && c->size > t->form[out->form].size)
            break;
        if (!vpu_fits(t, c, i, VPU_EXACTLY) || !vpu_is_wished(&t->form[c->form], wish))
            continue;
        unsigned u = unlike(c->writes, wish->written);
        if (found && u >= best_unlike)
            continue;
        found = true;
        best_unlike = u;
        *out = (struct vpu_choice){c->form, c->op, i->imm >> c->shift};
    }
    return found;
}

/* Is the operand an address that is encoded as a distance? */
static bool is_distance(const struct vpu_form *f)
{
    return (f->has & (VPU_ITEM(TARGET) | VPU_ITEM(NEAR))) != 0;
}

enum vpu_pin vpu_pin_needed(const struct vpu_tables *t, const struct vpu_rivals *rivals, const struct vpu_insn *i,
                            unsigned written, enum vpu_reach reach)
{
    const struct vpu_form *own = &t->form[i->form];
    const struct vpu_candidate *first = &t->rival[rivals->first], *end = first + rivals->count;
    enum vpu_pin pin = VPU_PIN_NONE;
    if (!is_distance(own))
        reach = VPU_EXACTLY;
    for (const struct vpu_candidate *c = first; c < end; c++) {
        if (!vpu_fits(t, c, i, reach))
            continue;
        if (c->size < own->size) {
            pin = pin == VPU_PIN_NONE ? VPU_PIN_SIZE : pin;
            continue;
        }
        unsigned u = unlike(c->writes, written), own_unlike = unlike(vpu_form_writes(own, i->op), written);
        if (u < own_unlike || (u == own_unlike && c - first < rivals->before))
            pin = VPU_PIN_NAME;
    }
    return pin;
}

/* ---- bits of a scalar form ---- */

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

/* ---- bits of a vector form ---- */

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

/* ---- bytes ---- */

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
