/* choose.c - the encoding of an instruction: the shortest form that holds its operands. */
#include "isa/vpu/choose.h"
#include "isa/vpu/operand.h"

/* ---- scalar ---- */

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

static bool fits_left(const struct vpu_insn *i, unsigned op, unsigned width)
{
    switch (vpu_ops[op].class) {
    case VPU_UNARY:
        return i->a == 0 && i->d >> width == 0;
    case VPU_COMPARE:
        return i->d == 0 && i->a >> width == 0;
    default:
        return i->a == i->d && i->d >> width == 0;
    }
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

static bool fits_role(const struct vpu_field *f, const struct vpu_insn *i, unsigned op, int32_t imm,
                      enum vpu_reach reach)
{
    unsigned width = f->width, scale = f->scale;
    if (reach == VPU_ANYWHERE && (f->role == VPU_ROLE_TARGET || f->role == VPU_ROLE_SIGNED ||
                                  f->role == VPU_ROLE_UNSIGNED))
        return true;
    switch (f->role) {
    case VPU_ROLE_D:
        return i->d >> width == 0;
    case VPU_ROLE_LEFT:
        return fits_left(i, op, width);
    case VPU_ROLE_A:
        return i->a >> width == 0;
    case VPU_ROLE_B:
        return i->b >> width == 0;
    case VPU_ROLE_SIGNED:
        return reach == VPU_PERHAPS ? fits_distance((uint32_t)imm, width, scale, reach)
                                    : fits_signed(imm, width, scale);
    case VPU_ROLE_UNSIGNED:
        return imm % (int32_t)scale == 0 && imm >= 0 && (int64_t)imm / scale < INT64_C(1) << width;
    case VPU_ROLE_TARGET:
        return fits_distance(i->target - i->address, width, scale, reach);
    case VPU_ROLE_STEP:
        return fits_signed(i->step, width, 1);
    case VPU_ROLE_BANK:
        return fits_bank(i);
    default: /* whatever the operation is written with */
        return true;
    }
}

enum { KIND_FLAGS = VPU_IMMEDIATE | VPU_STEP | VPU_TO_REGISTER | VPU_LINK };

static bool fits_scalar(const struct vpu_form *f, const struct vpu_insn *i, unsigned op, int32_t imm,
                        enum vpu_reach reach)
{
    const struct vpu_form_row *row = f->row;
    if ((i->flags & KIND_FLAGS) != (row->flags | (f->immediate ? VPU_IMMEDIATE : 0)) || i->mode != row->mode)
        return false;
    if (!f->conditional && i->cond != VPU_ALWAYS)
        return false;
    if (row->implied && i->a != row->implied - 1)
        return false;
    bool offset = false;
    for (unsigned n = 0; n < f->nroles; n++) {
        if (!fits_role(&f->field[n], i, op, imm, reach))
            return false;
        offset |= f->field[n].role == VPU_ROLE_SIGNED || f->field[n].role == VPU_ROLE_UNSIGNED;
    }
    return offset || row->shape != VPU_SHAPE_ACCESS || imm == 0;
}

/* ---- vector ---- */

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

/* ---- any ---- */

static bool fits(const struct vpu_form *f, const struct vpu_insn *i, unsigned op, int32_t imm, enum vpu_reach reach)
{
    if (!f->vector)
        return fits_scalar(f, i, op, imm, reach);
    return f->size == 6 ? fits_vector48(f, i) : fits_vector80(f, i);
}

/* The immediate of a candidate: add by a multiple is addscale by a number. False when it is no multiple. */
static bool immediate_of(const struct vpu_candidate *c, const struct vpu_insn *i, int32_t *imm)
{
    *imm = i->imm;
    if (c->op == i->op)
        return true;
    unsigned shift = vpu_ops[c->op].shift;
    if (!(i->flags & VPU_IMMEDIATE) || (uint32_t)i->imm & ((1u << shift) - 1))
        return false;
    *imm = i->imm >> shift;
    return true;
}

/* How unlike the text is to what a disassembly of the form looks like. */
static unsigned unlike(const struct vpu_form *f, unsigned op, unsigned written)
{
    static const uint8_t bits[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    return bits[(vpu_form_writes(f, op) ^ written) & 15];
}

static bool is_wished(const struct vpu_form *f, const struct vpu_wish *wish)
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
        const struct vpu_form *f = &t->form[c->form];
        if (is_wished(f, wish) && fits(f, i, c->op, i->imm, VPU_ANYWHERE))
            return f->size;
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
        const struct vpu_form *f = &t->form[c->form];
        int32_t imm;
        if (found && f->size > t->form[out->form].size)
            break;
        if (!is_wished(f, wish))
            continue;
        if (!immediate_of(c, i, &imm) || !fits(f, i, c->op, imm, VPU_EXACTLY))
            continue;
        unsigned u = unlike(f, c->op, wish->written);
        if (found && u >= best_unlike)
            continue;
        found = true;
        best_unlike = u;
        *out = (struct vpu_choice){c->form, c->op, imm};
    }
    return found;
}

/* Is the operand an address that is encoded as a distance? */
static bool is_distance(const struct vpu_form *f)
{
    return f->row->shape == VPU_SHAPE_BRANCH || f->row->shape == VPU_SHAPE_LEA || f->row->shape == VPU_SHAPE_NEAR;
}

enum vpu_pin vpu_pin_needed(const struct vpu_insn *i, unsigned written, enum vpu_reach reach)
{
    const struct vpu_tables *t = vpu_tables();
    const struct vpu_form *own = &t->form[i->form];
    const struct vpu_rivals *rivals = vpu_rivals_of(t, own, i->op);
    if (!rivals->count)
        return VPU_PIN_NONE;
    unsigned own_unlike = unlike(own, i->op, written);
    enum vpu_pin pin = VPU_PIN_NONE;
    if (!is_distance(own))
        reach = VPU_EXACTLY;
    for (unsigned n = 0; n < rivals->count; n++) {
        const struct vpu_candidate *c = &t->rival[rivals->first + n];
        const struct vpu_form *f = &t->form[c->form];
        int32_t imm;
        if (!immediate_of(c, i, &imm) || !fits(f, i, c->op, imm, reach))
            continue;
        if (f->size < own->size) {
            pin = pin == VPU_PIN_NONE ? VPU_PIN_SIZE : pin;
            continue;
        }
        unsigned u = unlike(f, c->op, written);
        if (u < own_unlike || (u == own_unlike && n < rivals->before))
            pin = VPU_PIN_NAME;
    }
    return pin;
}
