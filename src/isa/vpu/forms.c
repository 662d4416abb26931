/* forms.c - the encodings: chapters "Scalar 16 Bit Instruction Word" to "Vector 80 Bit Instruction Word". */
#include "isa/vpu/fits.h"
#include "isa/vpu/operand.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

/* Forms whose first halfwords have the same fixed bits stand together. Among encodings of the same size the assembler
 * takes the first that fits, so their order is that of preference. */
static const struct vpu_form_row rows[] = {
    /* ---- scalar16 ---- */
    {"0000 0000 0000 op:4", "plain", VPU_SHAPE_PLAIN, VPU_BKPT, 11},
    {"0000 0000 001 d:5", "swir", VPU_SHAPE_REGISTER, VPU_SWI, 1, .flags = VPU_TO_REGISTER},
    {"0000 0000 010 d:5", "br", VPU_SHAPE_REGISTER, VPU_B, 1, .flags = VPU_TO_REGISTER},
    {"0000 0000 011 d:5", "blr", VPU_SHAPE_REGISTER, VPU_BL, 1, .flags = VPU_TO_REGISTER},
    {"0000 0000 100 d:5", "tbb", VPU_SHAPE_REGISTER, VPU_SWITCH_B, 1},
    {"0000 0000 101 d:5", "tbh", VPU_SHAPE_REGISTER, VPU_SWITCH, 1},
    {"0000 0000 111 d:5", "version", VPU_SHAPE_REGISTER, VPU_VERSION, 1},
    {"0000 0001 11 u:6", "swi", VPU_SHAPE_NUMBER, VPU_SWI, 1, .hex = true},
    {"0000 0010 0 b:2 m:5", "ldm", VPU_SHAPE_LIST, VPU_LDM, 1},
    {"0000 0010 1 b:2 m:5", "stm", VPU_SHAPE_LIST, VPU_STM, 1},
    {"0000 0011 0 b:2 m:5", "ldmpc", VPU_SHAPE_LIST, VPU_LDM, 1, .flags = VPU_LINK},
    {"0000 0011 1 b:2 m:5", "stmlr", VPU_SHAPE_LIST, VPU_STM, 1, .flags = VPU_LINK},
    {"0000 010 u:5 d:4", "ldsp", VPU_SHAPE_ACCESS, VPU_MEMORY, 1, .scale = 4, .implied = 1 + VPU_SP, .hex = true},
    {"0000 011 u:5 d:4", "stsp", VPU_SHAPE_ACCESS, VPU_MEMORY + 1, 1, .scale = 4, .implied = 1 + VPU_SP, .hex = true},
    {"0000 1 op:3 s:4 d:4", "mem", VPU_SHAPE_ACCESS, VPU_MEMORY, 8},
    {"0001 0 o:6 d:5", "addsp", VPU_SHAPE_THREE, VPU_ADD, 1, .scale = 4, .implied = 1 + VPU_SP},
    {"0001 1 c:4 o:7", "b7", VPU_SHAPE_BRANCH, VPU_B, 1, .scale = 2},
    {"0010 u:4 s:4 d:4", "ld4", VPU_SHAPE_ACCESS, VPU_MEMORY, 1, .scale = 4, .hex = true},
    {"0011 u:4 s:4 d:4", "st4", VPU_SHAPE_ACCESS, VPU_MEMORY + 1, 1, .scale = 4, .hex = true},
    {"010 11101 s:4 d:4", "reg4", VPU_SHAPE_TWO, VPU_REVERSED, 1},
    {"010 op:5 s:4 d:4", "reg4", VPU_SHAPE_TWO, VPU_ALU, 32, .except = 1 + VPU_BREV},
    {"011 op:4 u:5 d:4", "imm5", VPU_SHAPE_TWO, VPU_ALU, 16, .every = 2, .hex = true},

    /* ---- scalar32 ---- */
    {"1000 c:4 a:4 d:4 00 s:4 o:10", "cmpr", VPU_SHAPE_ADDCMPB, VPU_ADDCMPB, 1, .scale = 2},
    {"1000 c:4 i:4 d:4 01 s:4 o:10", "icmpr", VPU_SHAPE_ADDCMPB, VPU_ADDCMPB, 1, .scale = 2, .flags = VPU_STEP},
    {"1000 c:4 a:4 d:4 10 u:6 o:8", "cmpu", VPU_SHAPE_ADDCMPB, VPU_ADDCMPB, 1, .scale = 2, .hex = true},
    {"1000 c:4 i:4 d:4 11 u:6 o:8", "icmpu", VPU_SHAPE_ADDCMPB, VPU_ADDCMPB, 1, .scale = 2, .flags = VPU_STEP,
     .hex = true},
    {"1001 c:4 0 o:23", "b23", VPU_SHAPE_BRANCH, VPU_B, 1, .scale = 2},
    {"1001 o:4 1 o:23", "bl27", VPU_SHAPE_BRANCH, VPU_BL, 1, .scale = 2},
    {"1010 001 o:1 op:3 d:5 a:5 o:11", "disp12", VPU_SHAPE_ACCESS, VPU_MEMORY, 8},
    {"1010 0000 op:3 d:5 a:5 c:4 00 b:5", "index", VPU_SHAPE_ACCESS, VPU_MEMORY, 8, .mode = VPU_INDEX},
    {"1010 0000 op:3 d:5 a:5 c:4 10 u:5", "disp5", VPU_SHAPE_ACCESS, VPU_MEMORY, 8, .hex = true},
    {"1010 0100 op:3 d:5 a:5 c:4 00 00000", "predec", VPU_SHAPE_ACCESS, VPU_MEMORY, 8, .mode = VPU_PREDEC},
    {"1010 0101 op:3 d:5 a:5 c:4 00 00000", "postinc", VPU_SHAPE_ACCESS, VPU_MEMORY, 8, .mode = VPU_POSTINC},
    {"1010 1000 op:3 d:5 o:16", "disp16", VPU_SHAPE_ACCESS, VPU_MEMORY, 8, .implied = 1 + VPU_GP},
    {"1010 1001 op:3 d:5 o:16", "disp16", VPU_SHAPE_ACCESS, VPU_MEMORY, 8, .implied = 1 + VPU_SP},
    {"1010 1010 op:3 d:5 o:16", "disp16", VPU_SHAPE_ACCESS, VPU_MEMORY, 8, .implied = 1 + VPU_PC},
    {"1010 1011 op:3 d:5 o:16", "disp16", VPU_SHAPE_ACCESS, VPU_MEMORY, 8, .implied = 1 + VPU_R0},
    {"1100 0 op:6 d:5 a:5 c:4 00 b:5", "reg", VPU_SHAPE_THREE, VPU_ALU, 57},
    {"1100 0 op:6 d:5 a:5 c:4 1 i:6", "imm6", VPU_SHAPE_THREE, VPU_ALU, 57},
    {"1011 00 op:5 d:5 i:16", "imm16", VPU_SHAPE_TWO, VPU_ALU, 32},
    {"1011 01 s:5 d:5 i:16", "add16", VPU_SHAPE_THREE, VPU_ADD, 1},
    {"1011 1111 111 d:5 o:16", "lea16", VPU_SHAPE_LEA, VPU_LEA, 1},
    {"1100 100 op:4 d:5 a:5 c:4 00 b:5", "reg", VPU_SHAPE_THREE, VPU_FLOAT, 16},
    {"1100 100 op:4 d:5 a:5 c:4 1 i:6", "imm6", VPU_SHAPE_THREE, VPU_FLOAT, 16},
    {"1100 1010 0 op:2 d:5 a:5 c:4 00 b:5", "reg", VPU_SHAPE_THREE, VPU_CONVERT, 4},
    {"1100 1010 0 op:2 d:5 a:5 c:4 1 i:6", "imm6", VPU_SHAPE_THREE, VPU_CONVERT, 4},
    {"1100 1100 000 d:5 0000 0000 000 a:5", "top", VPU_SHAPE_CONTROL, VPU_MOV_TO_P, 1},
    {"1100 1100 001 d:5 0000 0000 000 a:5", "fromp", VPU_SHAPE_CONTROL, VPU_MOV_FROM_P, 1},

    /* ---- scalar48: a halfword and a word ---- */
    {"1110 0001 0000 0000 o:32", "b32", VPU_SHAPE_BRANCH, VPU_B, 1},
    {"1110 0011 0000 0000 o:32", "bl32", VPU_SHAPE_BRANCH, VPU_BL, 1},
    {"1110 0000 0000 0000 u:32", "j", VPU_SHAPE_BRANCH, VPU_J, 1},
    {"1110 0010 0000 0000 u:32", "jl", VPU_SHAPE_BRANCH, VPU_JL, 1},
    {"1110 0101 000 d:5 o:32", "lea32", VPU_SHAPE_LEA, VPU_LEA, 1},
    {"1110 0110 op:3 d:5 s:5 o:27", "disp27", VPU_SHAPE_ACCESS, VPU_MEMORY, 8},
    {"1110 0111 op:3 d:5 11111 o:27", "near", VPU_SHAPE_NEAR, VPU_MEMORY, 8, .implied = 1 + VPU_PC},
    {"1110 10 op:5 d:5 i:32", "imm32", VPU_SHAPE_TWO, VPU_ALU, 32, .hex = true},
    {"1110 11 s:5 d:5 i:32", "add32", VPU_SHAPE_THREE, VPU_ADD, 1, .hex = true},

    /* ---- vector48 ---- */
    {"1111 00 op:5 w:2 rs:3 d:10 a:10 z 0 111 F rb:6", "48s", VPU_SHAPE_VMEM, VPU_VMEM, 32},
    {"1111 00 op:5 w:2 rs:3 d:10 a:10 z 0 b:10", "48v", VPU_SHAPE_VMEM, VPU_VMEM, 32},
    {"1111 00 op:5 w:2 rs:3 d:10 a:10 z 1 P:3 F i:6", "48i", VPU_SHAPE_VMEM, VPU_VMEM, 32},
    {"1111 01 X op:6 rs:3 d:10 a:10 z 0 111 F rb:6", "48s", VPU_SHAPE_VDATA, VPU_VDATA, 80},
    {"1111 01 X op:6 rs:3 d:10 a:10 z 0 b:10", "48v", VPU_SHAPE_VDATA, VPU_VDATA, 80},
    {"1111 01 X op:6 rs:3 d:10 a:10 z 1 P:3 F i:6", "48i", VPU_SHAPE_VDATA, VPU_VDATA, 80},

    /* ---- vector80; the displacement of an address has 16 bits, of which i is the high ones ---- */
    {"1111 10 op:5 w:2 r:3 d:10 a:10 F 0 111 l:7 fd:6 fa:6 xa:4 P:3 i:7 rb:4 i:2", "80a", VPU_SHAPE_VMEM, VPU_VMEM, 32,
     .only = VPU_ADDRESSED},
    {"1111 10 op:5 w:2 r:3 d:10 a:10 F 0 111 l:7 fd:6 fa:6 xa:4 P:3 fi:7 rb:4 i:2", "80s", VPU_SHAPE_VMEM, VPU_VMEM, 32,
     .only = ~(uint32_t)VPU_ADDRESSED},
    {"1111 10 op:5 w:2 r:3 d:10 a:10 F 0 b:10 fd:6 fa:6 xa:4 P:3 fi:7 fb:6", "80v", VPU_SHAPE_VMEM, VPU_VMEM, 32},
    {"1111 10 op:5 w:2 r:3 d:10 a:10 F 1 k:10 fd:6 fa:6 xa:4 P:3 fi:7 j:6", "80i", VPU_SHAPE_VMEM, VPU_VMEM, 32},
    {"1111 11 X op:6 r:3 d:10 a:10 F 0 111 l:7 fd:6 fa:6 xa:4 P:3 fi:7 rb:4 i:2", "80s", VPU_SHAPE_VDATA, VPU_VDATA,
     80},
    {"1111 11 X op:6 r:3 d:10 a:10 F 0 b:10 fd:6 fa:6 xa:4 P:3 fi:7 fb:6", "80v", VPU_SHAPE_VDATA, VPU_VDATA, 80},
    {"1111 11 X op:6 r:3 d:10 a:10 F 1 k:10 fd:6 fa:6 xa:4 P:3 fi:7 j:6", "80i", VPU_SHAPE_VDATA, VPU_VDATA, 80},
};

enum { NROWS = sizeof rows / sizeof rows[0] };
static_assert((int)NROWS <= (int)VPU_MAX_FORMS, "every form has a place in the tables");

/* ---- what a letter of a pattern fills ---- */

static enum vpu_role role_of_displacement(const struct vpu_form_row *row)
{
    switch (row->shape) {
    case VPU_SHAPE_BRANCH:
    case VPU_SHAPE_ADDCMPB:
    case VPU_SHAPE_LEA:
        return VPU_ROLE_TARGET;
    default:
        return VPU_ROLE_SIGNED;
    }
}

static enum vpu_role role_of(const struct vpu_form_row *row, const char *name)
{
    switch (name[0]) {
    case 'd':
        return row->shape == VPU_SHAPE_TWO ? VPU_ROLE_LEFT : VPU_ROLE_D;
    case 'a':
        return VPU_ROLE_A;
    case 's':
        return row->shape == VPU_SHAPE_TWO || row->shape == VPU_SHAPE_ADDCMPB ? VPU_ROLE_B : VPU_ROLE_A;
    case 'b':
        return row->shape == VPU_SHAPE_LIST ? VPU_ROLE_BANK : VPU_ROLE_B;
    case 'm':
        return VPU_ROLE_COUNT;
    case 'c':
        return VPU_ROLE_COND;
    case 'i':
        if (row->shape == VPU_SHAPE_ADDCMPB)
            return VPU_ROLE_STEP;
        return row->op == VPU_FLOAT ? VPU_ROLE_FLOAT : VPU_ROLE_SIGNED;
    case 'u':
        return row->shape == VPU_SHAPE_BRANCH ? VPU_ROLE_ABSOLUTE : VPU_ROLE_UNSIGNED;
    default:
        return name[1] == 'p' ? VPU_ROLE_OP : role_of_displacement(row);
    }
}

static bool is_immediate(const struct vpu_form_row *row, enum vpu_role role)
{
    if (row->shape == VPU_SHAPE_ACCESS || row->shape == VPU_SHAPE_NEAR)
        return false;
    return role == VPU_ROLE_SIGNED || role == VPU_ROLE_UNSIGNED || role == VPU_ROLE_FLOAT;
}

static uint8_t written_of(const struct vpu_form *f)
{
    unsigned written = f->row->hex ? VPU_WRITTEN_HEX : 0;
    if (f->shape == VPU_SHAPE_TWO)
        written |= VPU_WRITTEN_TWO;
    if (f->shape == VPU_SHAPE_NEAR || f->row->implied == 1 + VPU_PC)
        written |= VPU_WRITTEN_NEAR;
    if (f->shape == VPU_SHAPE_ACCESS)
        for (unsigned n = 0; n < f->nroles; n++)
            if (f->field[n].role == VPU_ROLE_SIGNED || f->field[n].role == VPU_ROLE_UNSIGNED)
                written |= VPU_WRITTEN_OFFSET;
    return (uint8_t)written;
}

static struct vpu_field compile_field(const struct pattern_field *field)
{
    struct vpu_field out = {.width = field->width};
    for (unsigned n = 0; n < field->npieces && n < 2; n++) {
        out.mask[n] = (uint32_t)(~UINT64_C(0) >> (64 - field->piece[n].width));
        out.low[n] = field->piece[n].low;
        out.shift = n ? field->piece[n].width : 0;
    }
    return out;
}

/* Of addcmpb the distance alone counts in halfwords. */
static uint8_t scale_of(const struct vpu_form_row *row, enum vpu_role role)
{
    return row->scale == 0 || (row->shape == VPU_SHAPE_ADDCMPB && role != VPU_ROLE_TARGET) ? 1 : row->scale;
}

/* A number has the place unless another one took it. */
static bool place_number(struct vpu_form *f, const struct vpu_field *field)
{
    bool is_signed = field->role == VPU_ROLE_SIGNED || field->role == VPU_ROLE_TARGET;
    if (f->number.scale)
        return false;
    f->number = (struct vpu_number){.mask = {field->mask[0], field->mask[1]},
                                    .low = {field->low[0], field->low[1]},
                                    .shift = field->shift,
                                    .scale = field->scale,
                                    .sign = is_signed ? UINT32_C(1) << (field->width - 1) : 0};
    f->to_target = field->role == VPU_ROLE_TARGET || field->role == VPU_ROLE_ABSOLUTE ? ~UINT32_C(0) : 0;
    f->relative = field->role == VPU_ROLE_TARGET ? ~UINT32_C(0) : 0;
    return true;
}

/* Give a field its place in the form; false: it has none. */
static bool place(struct vpu_form *f, const struct vpu_field *field)
{
    struct vpu_place bits = {field->low[0], (uint8_t)field->mask[0]};
    switch (field->role) {
    case VPU_ROLE_OP:
        f->which = bits;
        return true;
    case VPU_ROLE_LEFT:
        f->left = 255;
        f->d = f->a = bits;
        return true;
    case VPU_ROLE_D:
        f->d = bits;
        return true;
    case VPU_ROLE_A:
        f->a = bits;
        return true;
    case VPU_ROLE_B:
        f->b = bits;
        return true;
    case VPU_ROLE_COND:
        f->cond = bits;
        f->always = 0;
        return true;
    case VPU_ROLE_SIGNED:
    case VPU_ROLE_UNSIGNED:
    case VPU_ROLE_ABSOLUTE:
    case VPU_ROLE_TARGET:
        return place_number(f, field);
    default:
        return false;
    }
}

static void compile_scalar(struct vpu_form *f)
{
    struct vpu_field other[VPU_MAX_ROLES];
    unsigned nothers = 0;
    f->always = VPU_ALWAYS;
    for (unsigned i = 0; i < f->pattern.nfields; i++) {
        struct vpu_field field = compile_field(&f->pattern.field[i]);
        enum vpu_role role = role_of(f->row, f->pattern.field[i].name);
        field.role = (uint8_t)role;
        field.scale = scale_of(f->row, role);
        f->conditional |= role == VPU_ROLE_COND;
        f->immediate |= is_immediate(f->row, role);
        if (!place(f, &field))
            other[nothers++] = field;
        else if (role == VPU_ROLE_OP)
            f->op = field;
        else
            f->field[f->nplaced++] = field;
    }
    f->nroles = (uint8_t)(f->nplaced + nothers);
    memcpy(f->field + f->nplaced, other, nothers * sizeof *other);
    f->writes = written_of(f);
    f->flags = (uint8_t)(f->row->flags | (f->immediate ? VPU_IMMEDIATE : 0));
    f->mode = f->row->mode;
    f->implied = f->row->implied ? (uint8_t)(f->row->implied - 1) : 0;
    f->kind = (uint8_t)(f->flags | f->mode << 5);
}

static void compile_vector(struct vpu_form *f)
{
    static const char *const names[VPU_SLOTS] = {"op", "w", "X", "r",  "rs", "d",  "a",  "z",  "b",  "F", "rb",
                                                 "P",  "i", "k", "j", "fd", "fa", "xa", "fi", "fb", "l"};
    f->vector = true;
    f->addressed = f->row->only == VPU_ADDRESSED;
    for (unsigned slot = 0; slot < VPU_SLOTS; slot++) {
        int field = pattern_find_field(&f->pattern, names[slot]);
        if (field >= 0)
            f->slot[slot] = compile_field(&f->pattern.field[field]);
    }
    f->kind = vpu_has_slot(f, VPU_F_b) ? VPU_VREG : vpu_has_slot(f, VPU_F_rb) ? VPU_SCALAR : VPU_VIMM;
}

static bool has_pieces(const struct pattern *p, unsigned most)
{
    for (unsigned i = 0; i < p->nfields; i++)
        if (p->field[i].npieces > most)
            return true;
    return false;
}

static bool compile_form(const struct vpu_form_row *row, struct vpu_form *f)
{
    const char *wrong;
    *f = (struct vpu_form){.row = row,
                           .shape = row->shape,
                           .ops = row->ops,
                           .hex = row->hex,
                           .first_op = row->op,
                           .spread = row->every > 1};
    if (!pattern_compile(row->pattern, &f->pattern, &wrong) || has_pieces(&f->pattern, 2))
        return false;
    f->size = (uint8_t)(f->pattern.bits / 8);
    f->value = f->pattern.value;
    f->mask = f->pattern.mask;
    if (row->shape == VPU_SHAPE_VMEM || row->shape == VPU_SHAPE_VDATA)
        compile_vector(f);
    else
        compile_scalar(f);
    return true;
}

/* ---- which forms a first halfword may begin ---- */

/* The part of a pattern's fixed bits that is in the first halfword. */
static uint16_t first_halfword(const struct pattern_word *w, unsigned bits)
{
    unsigned low = bits - 16;
    return (uint16_t)(w->w[low >> 6] >> (low & 63));
}

static bool same_first_halfword(const struct vpu_form *f, const struct vpu_form *g)
{
    return f->size == g->size &&
           first_halfword(&f->pattern.mask, f->pattern.bits) == first_halfword(&g->pattern.mask, g->pattern.bits) &&
           first_halfword(&f->pattern.value, f->pattern.bits) == first_halfword(&g->pattern.value, g->pattern.bits);
}

/* All fixed bits are in the first halfword, and all numbers of operations are there. */
static bool is_sure(const struct vpu_form *f)
{
    unsigned behind = f->pattern.bits - 16u;
    struct pattern_word rest = f->pattern.mask;
    if (f->vector || (f->op.width && f->row->ops != 1u << f->op.width) || behind > 63)
        return false;
    return (rest.w[0] & ((UINT64_C(1) << behind) - 1)) == 0;
}

static void index_first_halfwords(struct vpu_tables *t)
{
    memset(t->first, VPU_NO_FORM, sizeof t->first);
    for (unsigned i = t->nforms; i-- > 0;) {
        struct vpu_form *f = &t->form[i];
        uint16_t mask = first_halfword(&f->pattern.mask, f->pattern.bits);
        uint16_t value = first_halfword(&f->pattern.value, f->pattern.bits);
        f->sure = is_sure(f);
        f->run = i + 1 < t->nforms && same_first_halfword(f, f + 1) ? (uint8_t)((f + 1)->run + 1) : 1;
        /* All values of the open bits. */
        for (uint32_t open = 0;; open = ((open | mask) + 1) & ~(uint32_t)mask & 0xffff) {
            t->first[value | open] = (uint8_t)i;
            if (open == (uint16_t)~mask)
                break;
        }
    }
}

/* ---- which forms an operation may take ---- */

static bool encodes(const struct vpu_form *f, unsigned op)
{
    unsigned every = f->row->every ? f->row->every : 1;
    if (op < f->row->op || (op - f->row->op) % every != 0 || (op - f->row->op) / every >= f->row->ops)
        return false;
    if (f->shape == VPU_SHAPE_VMEM && f->row->only)
        return f->row->only >> (op - VPU_VMEM) & 1;
    return op - f->row->op + 1 != f->row->except;
}

/* The operation that adds or subtracts a multiple: row of a + (b << shift). */
static unsigned scaled(unsigned op, unsigned shift)
{
    unsigned first = op == VPU_ADD ? VPU_ALU + 19 : VPU_ALU + 49, last = op == VPU_ADD ? VPU_ALU + 47 : VPU_ALU + 56;
    for (unsigned i = first; i <= last; i++)
        if (vpu_ops[i].shift == shift)
            return i;
    return VPU_DATA;
}

static struct vpu_candidate candidate(const struct vpu_tables *t, unsigned form, unsigned op, unsigned encoded)
{
    struct vpu_candidate c = {.form = (uint8_t)form, .op = (uint8_t)encoded};
    vpu_compile_candidate(&t->form[form], op, &c);
    return c;
}

/* The candidates of an operation, into `out` unless it is NULL. */
static unsigned list_candidates(const struct vpu_tables *t, unsigned op, struct vpu_candidate *out)
{
    unsigned n = 0;
    for (unsigned i = 0; i < t->nforms; i++) {
        const struct vpu_form *f = &t->form[i];
        if (encodes(f, op)) {
            if (out)
                out[n] = candidate(t, i, op, op);
            n++;
        }
        bool scales = (op == VPU_ADD || op == VPU_SUB) && f->immediate && f->size < 6;
        for (unsigned shift = 1; scales && shift <= 8; shift++)
            if (encodes(f, scaled(op, shift))) {
                if (out)
                    out[n] = candidate(t, i, op, scaled(op, shift));
                n++;
            }
    }
    return n;
}

static bool may_hold_same(const struct vpu_form *own, const struct vpu_form *f)
{
    if (f->size > own->size || f->kind != own->kind)
        return false;
    return !f->row->implied || !own->row->implied || f->row->implied == own->row->implied;
}

/* Would the assembler rather take candidate c than `form`, if both held an instruction? */
static bool is_preferred(const struct vpu_tables *t, const struct vpu_candidate *c, unsigned form, unsigned op)
{
    const struct vpu_form *own = &t->form[form], *f = &t->form[c->form];
    unsigned text = vpu_form_text(own, op), unlike = text ^ vpu_form_writes(f, c->op);
    if (f->size < own->size || (text ^ vpu_form_writes(own, op)) == unlike)
        return f->size < own->size || c->form < form;
    return unlike == 0;
}

/* The rivals of a form and operation, into `out` unless it is NULL. */
static struct vpu_rivals list_rivals(const struct vpu_tables *t, unsigned form, unsigned op, struct vpu_candidate *out)
{
    struct vpu_rivals r = {0};
    bool any = false, behind = false;
    for (unsigned n = t->candidate_first[op]; n < t->candidate_first[op + 1]; n++) {
        const struct vpu_candidate *c = &t->candidate[n];
        if (c->form == form && c->op == op) {
            behind = true;
        } else if (may_hold_same(&t->form[form], &t->form[c->form])) {
            any |= is_preferred(t, c, form, op);
            r.before += !behind;
            if (out)
                out[r.count] = *c;
            r.count++;
        }
    }
    return any ? r : (struct vpu_rivals){0};
}

static bool find_rivals(struct vpu_tables *t, struct arena *arena)
{
    unsigned count = 0, total = 0;
    for (unsigned form = 0; form < t->nforms; form++) {
        t->form[form].first_rivals = (uint16_t)count;
        count += t->form[form].row->ops;
    }
    t->rivals = ARENA_ARRAY(arena, struct vpu_rivals, count);
    for (unsigned pass = 0; pass < 2 && t->rivals; pass++) {
        t->rival = pass ? ARENA_ARRAY(arena, struct vpu_candidate, total + t->candidate_first[VPU_OPS]) : NULL;
        if (pass && !t->rival)
            return false;
        total = 0;
        for (unsigned form = 0; form < t->nforms; form++)
            for (unsigned n = 0; n < t->form[form].row->ops; n++) {
                const struct vpu_form *f = &t->form[form];
                struct vpu_rivals *r = &t->rivals[f->first_rivals + n];
                *r = list_rivals(t, form, f->first_op + (n << f->spread), pass ? t->rival + total : NULL);
                r->first = (uint16_t)total;
                total += r->count;
            }
    }
    return t->rivals != NULL;
}

static bool index_candidates(struct vpu_tables *t, struct arena *arena)
{
    unsigned total = 0;
    for (unsigned op = 0; op < VPU_OPS; op++) {
        t->candidate_first[op] = (uint16_t)total;
        total += list_candidates(t, op, NULL);
    }
    t->candidate_first[VPU_OPS] = (uint16_t)total;
    t->candidate = ARENA_ARRAY(arena, struct vpu_candidate, total);
    if (!t->candidate)
        return false;
    for (unsigned op = 0; op < VPU_OPS; op++)
        list_candidates(t, op, &t->candidate[t->candidate_first[op]]);
    return find_rivals(t, arena);
}

/* ---- made once ---- */

static struct arena tables_arena;
static struct vpu_tables *tables;
static pthread_once_t tables_once = PTHREAD_ONCE_INIT;

static void list_operands(struct vpu_tables *t)
{
    for (uint32_t place = 0; place < 1024; place++) {
        bool vertical = (place & VPU_VERTICAL_PLACE) != 0;
        t->coarse[place] = vpu_operand_at(place, vertical, false);
        t->fine[place] = vpu_operand_at(place, vertical, true);
    }
}

static void make_tables(void)
{
    struct vpu_tables *t = ARENA_NEW(&tables_arena, struct vpu_tables);
    if (!t)
        return;
    t->nforms = NROWS;
    for (unsigned i = 0; i < NROWS; i++)
        if (!compile_form(&rows[i], &t->form[i]))
            return;
    index_first_halfwords(t);
    list_operands(t);
    if (index_candidates(t, &tables_arena))
        tables = t;
}

const struct vpu_tables *vpu_tables(void)
{
    pthread_once(&tables_once, make_tables);
    return tables;
}

/* ---- bytes ---- */

static void put_halfword(uint8_t *bytes, unsigned number, uint64_t value)
{
    bytes[2 * number] = (uint8_t)value;
    bytes[2 * number + 1] = (uint8_t)(value >> 8);
}

void vpu_put_word(struct pattern_word w, const struct vpu_form *form, uint8_t *bytes)
{
    unsigned halfwords = form->size / 2u;
    if (form->size == 6 && vpu_is_scalar48((unsigned)(w.w[0] >> 32))) {
        put_halfword(bytes, 0, w.w[0] >> 32);
        put_halfword(bytes, 1, w.w[0]);
        put_halfword(bytes, 2, w.w[0] >> 16);
        return;
    }
    for (unsigned i = halfwords; i-- > 0;) {
        put_halfword(bytes, i, w.w[0]);
        w.w[0] = w.w[0] >> 16 | w.w[1] << 48;
        w.w[1] >>= 16;
    }
}
