/* operands.c - the operands of one instruction: the form's template says which, the operation's row what it does with
 * them.
 *
 * A register of the vector register file is 16 elements from (y,x) on, in the coordinates of the text: number is
 * y * 64 + x. Those of H, HX and HY lie in row y from column x on, those of V, VX and VY in column x from row y on. */
#include "isa/insn.h"

#include "isa/vpu/flow.h"
#include "isa/vpu/insn.h"
#include "isa/vpu/lift.h"
#include "isa/vpu/print.h"

enum { LANES = 16, WORD = 32, FLAG_WIDTH = 4 };

struct writer {
    const struct vpu_insn *i;
    const struct vpu_form *f;
    const struct vpu_op_row *row;
    struct weft_operand *out;
    size_t n;
};

static struct weft_operand *put_register(struct writer *w, const char *file, unsigned number, int access)
{
    return insn_register(w->out, &w->n, file, number, 1, access, WORD);
}

static void put_implied(struct writer *w, const char *file, unsigned number, int access, unsigned width)
{
    if (!access)
        return;
    struct weft_operand *o = put_register(w, file, number, access);
    o->role = WEFT_ROLE_IMPLIED;
    o->width = width;
    o->type = width == 1 || width == FLAG_WIDTH ? WEFT_TYPE_FLAG : WEFT_TYPE_BITS;
}

static int access_of(const struct writer *w, unsigned read, unsigned write)
{
    return (w->row->uses & read ? WEFT_READ : 0) | (w->row->uses & write ? WEFT_WRITE : 0);
}

static int memory_access(const struct writer *w)
{
    return (w->row->effects & WEFT_EFFECT_READS_MEMORY ? WEFT_READ : 0) |
           (w->row->effects & WEFT_EFFECT_WRITES_MEMORY ? WEFT_WRITE : 0);
}

static struct weft_operand *put_memory(struct writer *w, unsigned bytes, unsigned count)
{
    struct weft_operand *o = &w->out[w->n++];
    *o = (struct weft_operand){.kind = WEFT_OPERAND_MEMORY, .access = memory_access(w), .count = count};
    o->width = bytes * 8;
    o->space = "bus";
    return o;
}

static struct weft_register scalar(unsigned number)
{
    return (struct weft_register){vpu_file_name(VPU_FILE_R), number};
}

/* ---- scalar ---- */

static void put_d(struct writer *w)
{
    const struct vpu_insn *i = w->i;
    bool control = (w->row->uses & VPU_D_CONTROL) != 0;
    bool both = w->f->has & VPU_ITEM(LEFT) || !vpu_shows(w->f, i, VPU_ITEM_A);
    unsigned number = w->f->left && w->row->class == VPU_COMPARE ? i->a : i->d;
    int access = access_of(w, VPU_D_READ | (both ? VPU_A_READ : 0u), VPU_D_WRITE);
    struct weft_operand *o = put_register(w, vpu_file_name(control ? VPU_FILE_P : VPU_FILE_R), number, access);
    o->type = (weft_operand_type)(w->row->class == VPU_COMPARE ? w->row->a_type : w->row->d_type);
}

static void put_a(struct writer *w)
{
    bool control = (w->row->uses & VPU_A_CONTROL) != 0;
    bool taken = control && vpu_controls[w->i->a].kind == VPU_CONTROL_MUTEX;
    int access = access_of(w, VPU_A_READ, 0) | (taken ? WEFT_WRITE : 0);
    struct weft_operand *o = put_register(w, vpu_file_name(control ? VPU_FILE_P : VPU_FILE_R), w->i->a, access);
    o->type = (weft_operand_type)w->row->a_type;
}

static void put_b(struct writer *w)
{
    bool ignored = w->row->uses & VPU_COMPARES && w->i->cond >= VPU_ALWAYS;
    int access = ignored ? 0 : access_of(w, VPU_B_READ, 0);
    struct weft_operand *o = put_register(w, vpu_file_name(VPU_FILE_R), w->i->b, access);
    o->type = (weft_operand_type)w->row->b_type;
    o->modifiers[0] = w->row->before;
    static const char *const shifts[] = {NULL, "<<1", "<<2", "<<3", "<<4", "<<5", "<<6", "<<7", "<<8"};
    if (w->row->shift)
        o->modifiers[0] = shifts[w->row->shift];
}

/* What is added of a multiple, whatever the text writes it as. */
static void put_number(struct writer *w)
{
    int32_t v = (int32_t)((uint32_t)w->i->imm << w->row->shift);
    struct weft_operand *o = insn_immediate(w->out, &w->n, v, WORD);
    o->type = w->row->b_type == WEFT_TYPE_FLOAT ? WEFT_TYPE_FLOAT : WEFT_TYPE_SIGNED;
    o->modifiers[0] = w->row->before;
    if (o->type == WEFT_TYPE_FLOAT) {
        float value;
        memcpy(&value, &v, sizeof value);
        o->integer = (uint32_t)v;
        o->number = (double)value;
    }
}

static void put_target(struct writer *w)
{
    struct weft_operand *o = insn_immediate(w->out, &w->n, w->i->target, WORD);
    if (w->row->flow != WEFT_FLOW_NEXT)
        o->kind = WEFT_OPERAND_TARGET;
    o->type = WEFT_TYPE_UNSIGNED;
}

static unsigned listed(const struct vpu_insn *i)
{
    return ((i->b - i->a) & 31u) + 1;
}

/* Registers a to b, which may go on at r0; none of them where the list means the link register alone. A list that is
 * loaded skips pc. */
static void put_list(struct writer *w)
{
    const struct vpu_insn *i = w->i;
    bool none = (i->flags & VPU_LINK_ONLY) != 0, load = vpu_is_load(i->op);
    int access = none ? 0 : load ? WEFT_WRITE : WEFT_READ;
    unsigned number = i->a, left = none && i->a == VPU_GP ? 0 : listed(i);
    while (left > 0) {
        unsigned end = number == VPU_PC ? VPU_REGISTERS : VPU_PC, count = left < end - number ? left : end - number;
        put_register(w, vpu_file_name(VPU_FILE_R), number, load && number == VPU_PC ? 0 : access)->count = count;
        number = (number + count) & 31;
        left -= count;
    }
}

static void put_stack(struct writer *w)
{
    const struct vpu_insn *i = w->i;
    unsigned words = (i->flags & VPU_LINK_ONLY ? 0 : listed(i)) + ((i->flags & VPU_LINK) != 0);
    struct weft_operand *o = put_memory(w, 4, words);
    o->base = scalar(VPU_SP);
    o->modifiers[0] = vpu_is_load(i->op) ? "++" : "--";
}

static void put_access(struct writer *w)
{
    const struct vpu_insn *i = w->i;
    struct weft_operand *o = put_memory(w, w->row->bytes, 1);
    o->base = scalar(i->a);
    o->type = (weft_operand_type)w->row->d_type;
    if (i->mode == VPU_INDEX) {
        o->index = scalar(i->b);
        o->scale = w->row->bytes;
    } else if (i->mode == VPU_OFFSET) {
        o->displacement = i->imm;
    } else {
        o->modifiers[0] = i->mode == VPU_POSTINC ? "++" : "--";
    }
}

static void put_link(struct writer *w)
{
    bool load = vpu_is_load(w->i->op);
    put_register(w, vpu_file_name(VPU_FILE_R), load ? VPU_PC : VPU_LR, load ? WEFT_WRITE : WEFT_READ);
}

/* What the text does not show. */
static void put_scalar_implied(struct writer *w)
{
    const struct vpu_insn *i = w->i;
    const char *r = vpu_file_name(VPU_FILE_R);
    bool reads = i->cond < VPU_ALWAYS && !(w->row->uses & VPU_COMPARES);
    int flags = access_of(w, 0, VPU_FLAGS_WRITE) | (reads ? WEFT_READ : 0);
    bool steps = i->mode == VPU_PREDEC || i->mode == VPU_POSTINC;
    put_implied(w, r, VPU_SR, flags, FLAG_WIDTH);
    put_implied(w, r, VPU_LR, access_of(w, 0, VPU_LINKS), WORD);
    put_implied(w, r, VPU_SP, access_of(w, VPU_USES_SP, VPU_USES_SP), WORD);
    put_implied(w, r, VPU_SR, access_of(w, VPU_USES_SR, VPU_USES_SR), WORD);
    put_implied(w, r, i->a, steps ? WEFT_READ | WEFT_WRITE : 0, WORD);
    if (w->row->uses & VPU_TABLE) {
        struct weft_operand *o = put_memory(w, w->row->bytes, 1);
        o->role = WEFT_ROLE_IMPLIED;
        o->base = scalar(VPU_PC);
        o->index = scalar(i->d);
        o->scale = w->row->bytes;
        o->displacement = (int64_t)i->size;
    }
}

static void put_step(struct writer *w)
{
    insn_immediate(w->out, &w->n, w->i->step, WORD)->type = WEFT_TYPE_SIGNED;
}

static void put_scalar(struct writer *w)
{
    static void (*const put[])(struct writer *) = {
        [VPU_ITEM_D] = put_d,           [VPU_ITEM_A] = put_a,           [VPU_ITEM_LEFT] = put_d,
        [VPU_ITEM_B] = put_b,           [VPU_ITEM_NUMBER] = put_number, [VPU_ITEM_CONSTANT] = put_number,
        [VPU_ITEM_STEP] = put_step,     [VPU_ITEM_TARGET] = put_target, [VPU_ITEM_NEAR] = put_access,
        [VPU_ITEM_PD] = put_d,          [VPU_ITEM_PA] = put_a,          [VPU_ITEM_ACCESS] = put_access,
        [VPU_ITEM_LIST] = put_list,     [VPU_ITEM_LINK] = put_link,     [VPU_ITEM_STACK] = put_stack};
    for (unsigned n = 0; n < w->f->nitems; n++)
        if (!w->f->three || vpu_shows(w->f, w->i, (enum vpu_item)w->f->item[n]))
            put[w->f->item[n]](w);
    put_scalar_implied(w);
}

/* ---- vector ---- */

static int vector_access(const struct writer *w, unsigned read, unsigned write)
{
    if (vpu_does_nothing(w->i))
        return 0;
    return access_of(w, vpu_writes_zeros(w->i) ? 0 : read, write);
}

static void put_vector_register(struct writer *w, const struct vpu_operand *v, int access)
{
    static const char *const names[2][4] = {{"H", "HX", "HY", ""}, {"V", "VX", "VY", ""}};
    unsigned modifiers = 1;
    bool dash = v->kind == VPU_DASH;
    struct weft_operand *o =
        put_register(w, vpu_file_name(VPU_FILE_VRF), dash ? 0 : v->y * 64u + v->x, dash ? 0 : access);
    o->count = LANES;
    o->width = dash ? 0 : 8u << v->width;
    o->modifiers[0] = dash ? "-" : names[v->vertical][v->width];
    if (v->inc)
        o->modifiers[modifiers++] = "++";
    if (v->column)
        o->modifiers[modifiers++] = "*";
    if (v->reg != VPU_NO_REG) {
        o->indirect = !dash;
        o->index = scalar(v->reg);
    }
}

/* B as an address: with the register that is added at each repetition. */
static void put_vector_memory(struct writer *w)
{
    const struct vpu_insn *i = w->i;
    unsigned bytes = i->x == VPU_16 ? 2 : i->x == VPU_32 ? 4 : 1;
    struct weft_operand *o = put_memory(w, bytes, LANES);
    if (vpu_does_nothing(i))
        o->access = 0;
    if (i->vb.kind == VPU_SCALAR && i->vb.reg < VPU_REGISTERS)
        o->base = scalar(i->vb.reg);
    if (i->vb.kind == VPU_VREG)
        o->role = WEFT_ROLE_IMPLIED;
    else
        o->displacement = i->imm;
    if (w->row->attr != VPU_BY_LANE) {
        o->index = (struct weft_register){vpu_file_name(VPU_FILE_ACC), 0};
        o->scale = bytes;
    }
    if (i->step_reg == VPU_NO_REG)
        return;
    int access = i->rep && !vpu_does_nothing(i) ? WEFT_READ : 0;
    put_register(w, vpu_file_name(VPU_FILE_R), i->step_reg, access)->modifiers[0] = "+=";
}

static void put_last(struct writer *w)
{
    const struct vpu_insn *i = w->i;
    int access = vector_access(w, VPU_B_READ, 0);
    if (i->vb.kind == VPU_VREG) {
        put_vector_register(w, &i->vb, memory_access(w) ? 0 : access);
    } else if (memory_access(w)) {
        put_vector_memory(w);
    } else if (i->vb.kind == VPU_VIMM) {
        insn_immediate(w->out, &w->n, i->imm, WORD)->type = WEFT_TYPE_SIGNED;
    } else {
        struct weft_operand *o = put_register(w, vpu_file_name(VPU_FILE_R), i->vb.reg, access);
        o->displacement = i->imm;
        if (i->vb.reg >= VPU_REGISTERS)
            o->access = 0;
    }
}

/* REP r0, IFxx and a scalar result are in the text, after the operands. */
static void put_vector_modifiers(struct writer *w)
{
    static const uint8_t files[] = {[VPU_IFZ] = VPU_FILE_Z, [VPU_IFN] = VPU_FILE_N, [VPU_IFC] = VPU_FILE_C};
    const struct vpu_insn *i = w->i;
    bool nothing = vpu_does_nothing(i);
    if (i->rep == VPU_REP_R0)
        put_register(w, vpu_file_name(VPU_FILE_R), VPU_R0, nothing ? 0 : WEFT_READ)->modifiers[0] = "REP";
    if (i->lanes >= VPU_IFZ) {
        struct weft_operand *o = put_register(w, vpu_file_name(files[i->lanes & ~1u]), 0, nothing ? 0 : WEFT_READ);
        o->role = WEFT_ROLE_PREDICATE;
        o->type = WEFT_TYPE_FLAG;
        o->width = 1;
        o->modifiers[0] = vpu_lane_names[i->lanes];
    }
    if (i->acc & VPU_SRU) {
        int access = w->row->uses & VPU_FINISHES && !nothing ? WEFT_WRITE : 0;
        put_register(w, vpu_file_name(VPU_FILE_R), i->acc & 7, access)->modifiers[0] = vpu_sru_names[i->acc >> 3 & 7];
    }
}

static int accumulator_access(const struct writer *w)
{
    unsigned acc = w->row->uses & VPU_FINISHES && !(w->i->acc & VPU_SRU) ? w->i->acc : 0;
    int access = vector_access(w, VPU_ACC_READ, 0);
    if (vpu_does_nothing(w->i))
        return 0;
    if (acc & VPU_ACC_ENA && !(acc & VPU_ACC_CLRA))
        access |= WEFT_READ;
    if (acc & VPU_ACC_CLRA || (acc & VPU_ACC_ENA && acc & VPU_ACC_WBA))
        access |= WEFT_WRITE;
    return access;
}

static bool uses_column(const struct writer *w)
{
    const struct vpu_insn *i = w->i;
    const struct {
        const struct vpu_operand *o;
        int access;
    } named[] = {{&i->vd, vector_access(w, 0, VPU_D_WRITE)},
                 {&i->va, vector_access(w, VPU_A_READ, 0)},
                 {&i->vb, memory_access(w) ? 0 : vector_access(w, VPU_B_READ, 0)}};
    for (unsigned n = 0; n < 3; n++)
        if (named[n].o->kind == VPU_VREG && named[n].o->column && named[n].access)
            return true;
    return false;
}

static void put_vector_implied(struct writer *w)
{
    const struct vpu_insn *i = w->i;
    bool sets = i->setf && w->row->uses & VPU_SETS_LANE_FLAGS;
    int carry = vector_access(w, VPU_CARRY_READ, 0), lut = vector_access(w, VPU_LUT_READ, VPU_LUT_WRITE);
    if (sets && w->row->uses & VPU_CARRY_SET && !vpu_writes_zeros(i))
        carry |= WEFT_WRITE;
    put_implied(w, vpu_file_name(VPU_FILE_Z), 0, sets ? WEFT_WRITE : 0, 1);
    put_implied(w, vpu_file_name(VPU_FILE_N), 0, sets ? WEFT_WRITE : 0, 1);
    put_implied(w, vpu_file_name(VPU_FILE_C), 0, carry, 1);
    put_implied(w, vpu_file_name(VPU_FILE_ACC), 0, accumulator_access(w), 48);
    put_implied(w, vpu_file_name(VPU_FILE_LUT), 0, lut, 8);
    if (lut)
        w->out[w->n - 1].count = 64;
    put_implied(w, vpu_file_name(VPU_FILE_R), VPU_SR, uses_column(w) ? WEFT_READ : 0, WORD);
    if (vpu_is_load(i->op) && i->vb.kind == VPU_VREG)
        put_vector_memory(w);
}

static void put_vector(struct writer *w)
{
    if (vpu_shows(w->f, w->i, VPU_ITEM_VD))
        put_vector_register(w, &w->i->vd, vector_access(w, 0, VPU_D_WRITE));
    if (vpu_shows(w->f, w->i, VPU_ITEM_VA))
        put_vector_register(w, &w->i->va, vector_access(w, VPU_A_READ, 0));
    put_last(w);
    put_vector_modifiers(w);
    put_vector_implied(w);
}

size_t vpu_insn_operands(const struct isa_decoder *d, const struct weft_insn *insn, struct weft_operand *operands)
{
    (void)d;
    struct vpu_insn i;
    vpu_insn_again(insn, &i);
    struct writer w = {.i = &i, .f = &vpu_tables()->form[i.form], .row = &vpu_ops[i.op], .out = operands};
    (w.f->vector ? put_vector : put_scalar)(&w);
    return w.n;
}
