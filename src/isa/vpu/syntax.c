/* syntax.c - the texts of forms as lists of operands, which parser, printer and reference walk, and what an
 * instruction's text leaves out of them. */
#include "isa/vpu/table.h"

#include <string.h>

/* ---- a form's text ---- */

static enum vpu_item item_of(const struct vpu_form *f, const char *word, size_t length)
{
    static const struct {
        char word[7];
        uint8_t item;
    } words[] = {{"rd", VPU_ITEM_D},          {"ra", VPU_ITEM_A},       {"rb", VPU_ITEM_B},
                 {"rs", VPU_ITEM_B},          {"pd", VPU_ITEM_PD},      {"pa", VPU_ITEM_PA},
                 {"rb-rm", VPU_ITEM_LIST},    {"pc", VPU_ITEM_LINK},    {"lr", VPU_ITEM_LINK},
                 {"u", VPU_ITEM_CONSTANT},    {"i", VPU_ITEM_NUMBER},   {"target", VPU_ITEM_TARGET},
                 {"(sp++)", VPU_ITEM_STACK}, {"(--sp)", VPU_ITEM_STACK}};
    if (vpu_ops[f->row->op].uses & VPU_VECTOR)
        return *word == 'D' ? VPU_ITEM_VD : *word == 'A' ? VPU_ITEM_VA : VPU_ITEM_VB;
    for (size_t n = 0; n < sizeof words / sizeof words[0]; n++)
        if (strlen(words[n].word) == length && memcmp(word, words[n].word, length) == 0)
            return (enum vpu_item)words[n].item;
    return *word == '(' ? VPU_ITEM_ACCESS : VPU_ITEM_NONE;
}

bool vpu_compile_text(struct vpu_form *f)
{
    const char *at = f->row->text;
    while (*at != '\0' && *at != ' ') {
        size_t length = strcspn(at, ", ");
        enum vpu_item item = item_of(f, at, length);
        if (item == VPU_ITEM_NUMBER && f->row->flags & VPU_STEP)
            item = VPU_ITEM_STEP;
        if (item == VPU_ITEM_TARGET && f->row->implied)
            item = VPU_ITEM_NEAR;
        if (item == VPU_ITEM_NONE || f->nitems == VPU_MAX_ITEMS)
            return false;
        f->item[f->nitems++] = (uint8_t)item;
        at += length + (at[length] == ',');
    }
    bool source = f->nitems >= 2 && (f->item[f->nitems - 1] == VPU_ITEM_B || f->item[f->nitems - 1] == VPU_ITEM_NUMBER);
    if (source && f->nitems == 2)
        f->item[0] = VPU_ITEM_LEFT;
    f->three = source && f->nitems == 3;
    for (unsigned n = 0; n < f->nitems; n++)
        f->has |= UINT32_C(1) << f->item[n];
    f->optional = f->has & (VPU_ITEM(STEP) | VPU_ITEM(LIST) | VPU_ITEM(VD) | VPU_ITEM(VA));
    if (f->three)
        f->optional |= VPU_ITEM(D) | VPU_ITEM(A);
    return true;
}

/* ---- what is left out ---- */

/* The operand that an operation ignores. */
static enum vpu_item ignored(unsigned op, enum vpu_item d, enum vpu_item a)
{
    if (vpu_ops[op].class == VPU_UNARY || vpu_is_load(op))
        return a;
    return vpu_ops[op].class == VPU_COMPARE || vpu_is_store(op) ? d : VPU_ITEM_NONE;
}

enum vpu_item vpu_left_out(const struct vpu_form *f, unsigned op)
{
    if (f->three)
        return ignored(op, VPU_ITEM_D, VPU_ITEM_A);
    return f->addressed ? ignored(op, VPU_ITEM_VD, VPU_ITEM_VA) : VPU_ITEM_NONE;
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

/* Is it "-" and nothing else? Bits of it that mean nothing are written after the instruction. */
static bool is_plain_dash(const struct vpu_operand *o)
{
    return o->kind == VPU_DASH && o->reg == VPU_NO_REG && !o->inc && !o->column;
}

static bool shows_scalar(const struct vpu_form *f, const struct vpu_insn *i, enum vpu_item item)
{
    if (item == VPU_ITEM_A && f->row->implied && i->a == i->d)
        return false;
    if (vpu_names_all(i))
        return true;
    return item != (vpu_ops[i->op].class == VPU_REVERSE ? VPU_ITEM_A : vpu_left_out(f, i->op));
}

bool vpu_shows_optional(const struct vpu_form *f, const struct vpu_insn *i, enum vpu_item item)
{
    switch (item) {
    case VPU_ITEM_D:
    case VPU_ITEM_A:
        return shows_scalar(f, i, item);
    case VPU_ITEM_STEP:
        return i->step != 0;
    case VPU_ITEM_LIST:
        return !(i->flags & VPU_LINK_ONLY) || i->a != VPU_GP || ((i->b - i->a) & 31) != 15;
    case VPU_ITEM_VD:
        return !(f->addressed && vpu_is_store(i->op) && is_plain_dash(&i->vd));
    case VPU_ITEM_VA:
        return !(is_plain_dash(&i->va) &&
                 ((f->addressed && vpu_is_load(i->op)) || vpu_ops[i->op].class == VPU_UNARY));
    default:
        return true;
    }
}

/* May values decide whether an operand of the template is there? */
static bool may_be_left_out(const struct vpu_form *f, unsigned op, enum vpu_item item)
{
    if (!(f->optional >> item & 1))
        return false;
    unsigned class = vpu_ops[op].class;
    switch (item) {
    case VPU_ITEM_D:
        return class == VPU_COMPARE;
    case VPU_ITEM_A:
        return class == VPU_UNARY || class == VPU_REVERSE || f->row->implied;
    case VPU_ITEM_VD:
        return f->addressed && vpu_is_store(op);
    case VPU_ITEM_VA:
        return class == VPU_UNARY || (f->addressed && vpu_is_load(op));
    default:
        return true;
    }
}

struct vpu_line vpu_compile_line(const struct vpu_form *f, unsigned op)
{
    struct vpu_line line = {.written = (uint8_t)vpu_form_text(f, op)};
    unsigned class = vpu_ops[op].class;
    line.varies = (f->three && class != VPU_BINARY) || (f->implied == VPU_SP && f->size == 2);
    line.special = vpu_ops[op].shift || vpu_ops[op].instead || f->flags & VPU_TO_REGISTER;
    line.sized = (f->has & (VPU_ITEM(PD) | VPU_ITEM(PA))) != 0;
    for (unsigned n = 0; n < f->nitems; n++) {
        enum vpu_item item = (enum vpu_item)f->item[n];
        if (may_be_left_out(f, op, item))
            line.item[n] = VPU_OPTIONAL;
        if (item == VPU_ITEM_LEFT)
            item = class == VPU_COMPARE ? VPU_ITEM_A : VPU_ITEM_D;
        else if (item == VPU_ITEM_B && !(f->flags & VPU_IMMEDIATE) && !vpu_ops[op].before)
            item = VPU_ITEM_REGISTER_B;
        line.item[n] |= (uint8_t)item;
    }
    return line;
}

/* ---- every way to write an operation ---- */

/* Ways that are not a form's text: those that leave out more. */
static const struct short_row {
    uint8_t mnemonic, op; /* rows of vpu_ops: what is written, what is meant */
    const char *text;     /* as of forms */
    uint8_t flags;        /* of struct vpu_insn */
} short_rows[] = {
    {VPU_B, VPU_ADDCMPB, "rd,rs,target", VPU_STEP},
    {VPU_B, VPU_ADDCMPB, "rd,u,target", VPU_STEP | VPU_IMMEDIATE},
    {VPU_LEA, VPU_ADD, "rd,(ra+o)", VPU_IMMEDIATE},
    {VPU_LDM, VPU_LDM, "pc", VPU_LINK | VPU_LINK_ONLY},
    {VPU_LDM, VPU_LDM, "pc,(sp++)", VPU_LINK | VPU_LINK_ONLY},
    {VPU_STM, VPU_STM, "lr", VPU_LINK | VPU_LINK_ONLY},
    {VPU_STM, VPU_STM, "lr,(--sp)", VPU_LINK | VPU_LINK_ONLY},
};

/* Unless it is there: operations of one name that differ in their scale are told apart by what follows. */
static void add(struct vpu_tables *t, unsigned mnemonic, struct vpu_syntax s)
{
    struct vpu_syntax *list = t->syntax[mnemonic];
    struct vpu_ways *ways = &t->ways[mnemonic];
    unsigned n = 0;
    for (; n < VPU_MAX_SYNTAXES && ways->item[0][n]; n++)
        if (memcmp(list[n].item, s.item, sizeof s.item) == 0 && (list[n].op == s.op || vpu_ops[s.op].shift))
            return;
    if (n == VPU_MAX_SYNTAXES)
        return;
    list[n] = s;
    for (unsigned at = 0; at <= s.nitems; at++)
        ways->item[at][n] = at < s.nitems ? UINT32_C(1) << s.item[at] : VPU_ITEM(NONE);
}

static struct vpu_syntax without(struct vpu_syntax s, enum vpu_item item)
{
    struct vpu_syntax kept = {.op = s.op, .flags = s.flags};
    for (unsigned n = 0; n < s.nitems; n++)
        if (s.item[n] != item)
            kept.item[kept.nitems++] = s.item[n];
    return kept;
}

/* "op rd,rb": the operand that the operation ignores is left out, or d is a too. */
static struct vpu_syntax shortened(const struct vpu_form *f, struct vpu_syntax s)
{
    enum vpu_item out = f->vector ? ignored(s.op, VPU_ITEM_VD, VPU_ITEM_VA) : ignored(s.op, VPU_ITEM_D, VPU_ITEM_A);
    s = without(s, out == VPU_ITEM_NONE && f->three ? VPU_ITEM_A : out);
    if (out == VPU_ITEM_NONE && f->three)
        s.item[0] = VPU_ITEM_LEFT;
    else if (s.item[0] == VPU_ITEM_LEFT && out != VPU_ITEM_NONE)
        s.item[0] = out == VPU_ITEM_A ? VPU_ITEM_D : VPU_ITEM_A;
    return s;
}

static void add_form(struct vpu_tables *t, const struct vpu_form *f, unsigned mnemonic, unsigned op)
{
    struct vpu_syntax s = {.op = (uint8_t)op, .flags = f->flags, .nitems = f->nitems};
    memcpy(s.item, f->item, sizeof s.item);
    if (!(f->has & VPU_ITEM(LEFT)))
        add(t, mnemonic, s);
    if (f->has & VPU_ITEM(LEFT) || f->three || f->vector)
        add(t, mnemonic, shortened(f, s));
}

static void add_short(struct vpu_tables *t, const struct short_row *way)
{
    const struct vpu_form_row row = {.text = way->text};
    struct vpu_form f = {.row = &row};
    vpu_compile_text(&f);
    struct vpu_syntax s = {.op = way->op, .flags = way->flags, .nitems = f.nitems};
    memcpy(s.item, f.item, sizeof s.item);
    add(t, way->mnemonic, s);
}

/* The first operation of the same name and kind: mov, brev and addscale are one mnemonic for several. */
static unsigned mnemonic_of(unsigned op)
{
    for (unsigned n = 0; n < op && !(vpu_ops[op].uses & VPU_VECTOR); n++)
        if (vpu_ops[n].name && *vpu_ops[n].name == *vpu_ops[op].name && strcmp(vpu_ops[n].name, vpu_ops[op].name) == 0)
            return n;
    return op;
}

void vpu_list_syntaxes(struct vpu_tables *t)
{
    for (unsigned op = 0; op < VPU_DATA; op++) {
        unsigned mnemonic = vpu_ops[op].name ? mnemonic_of(op) : op;
        for (unsigned n = t->candidate_first[op]; n < t->candidate_first[op + 1]; n++)
            if (t->candidate[n].op == op)
                add_form(t, &t->form[t->candidate[n].form], mnemonic, op);
    }
    for (unsigned n = 0; n < sizeof short_rows / sizeof *short_rows; n++)
        add_short(t, &short_rows[n]);
}
