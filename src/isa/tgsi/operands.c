/* operands.c - the operands of one instruction (weft/insn.h), in the order of the text.
 *
 * An address register within a bracket follows the operand that it belongs to, as an operand of its own that names the
 * component. A label, which counts instructions, is an immediate with the modifier "label". */
#include "isa/tgsi/access.h"
#include "isa/tgsi/insn.h"

#include <string.h>

enum { X = 1, WORD = 32 };

struct list {
    struct weft_operand *o;
    size_t n;
};

static struct weft_operand *add_register(struct list *l, uint8_t file, int32_t number, int access)
{
    return insn_register(l->o, &l->n, tgsi_file_names[file], (uint32_t)number, 1, access, WORD);
}

static void add_modifier(struct weft_operand *o, const char *word)
{
    for (unsigned i = 0; i < WEFT_OPERAND_MODIFIERS; i++)
        if (!o->modifiers[i]) {
            o->modifiers[i] = word;
            return;
        }
}

static void set_type(struct weft_operand *o, unsigned type)
{
    static const uint8_t types[] = {
        [TGSI_T_NONE] = WEFT_TYPE_BITS,    [TGSI_T_F32] = WEFT_TYPE_FLOAT,    [TGSI_T_I32] = WEFT_TYPE_SIGNED,
        [TGSI_T_U32] = WEFT_TYPE_UNSIGNED, [TGSI_T_F64] = WEFT_TYPE_FLOAT,    [TGSI_T_I64] = WEFT_TYPE_SIGNED,
        [TGSI_T_U64] = WEFT_TYPE_UNSIGNED, [TGSI_T_UNTYPED] = WEFT_TYPE_BITS,
    };
    o->type = (weft_operand_type)types[type];
    o->width = tgsi_is_wide(type) ? 2 * WORD : WORD;
}

/* ---- registers ---- */

static void add_address(struct list *l, const struct tgsi_index *index, int access)
{
    if (!index->indirect)
        return;
    struct weft_operand *o = add_register(l, index->file, index->reg, access ? WEFT_READ : 0);
    o->type = WEFT_TYPE_SIGNED;
    o->components = (uint8_t)(1u << index->component);
}

/* Where memory is, for those files that say it. */
static const char *space_of(uint8_t file)
{
    switch (file) {
    case TGSI_BUFFER:
    case TGSI_HW_ATOMIC:
        return "global";
    case TGSI_CONSTBUF:
        return "constant";
    case TGSI_IMAGE:
        return "image";
    default:
        return NULL;
    }
}

/* The register that an operand names, with its address registers, which are read only where it is used. Returns its own
 * operand. */
static struct weft_operand *add_operand(struct list *l, const struct tgsi_operand *op, int access)
{
    struct weft_operand *o = add_register(l, op->file, op->index.value, access);
    if (tgsi_is_resource(op->file)) {
        o->kind = WEFT_OPERAND_RESOURCE;
        o->space = space_of(op->file);
    }
    o->indirect = op->index.indirect;
    if (op->index.indirect)
        o->index = (weft_register){tgsi_file_names[op->index.file], (uint32_t)op->index.reg};
    o->has_dimension = op->dimensional;
    o->dimension = op->dimensional ? (uint32_t)op->dim.value : 0;
    if (op->dimensional)
        add_address(l, &op->dim, access);
    add_address(l, &op->index, access);
    return o;
}

/* What the instruction says of the texture, the image or the buffer that its resource is. */
static void add_attributes(const struct tgsi_row *row, const struct tgsi_insn *in, struct weft_operand *resource)
{
    if (in->has_target && (row->texture || row->memory))
        add_modifier(resource, tgsi_target_names[in->target]);
    for (unsigned i = 0; tgsi_memory_names[i]; i++)
        if (in->memory >> i & 1)
            add_modifier(resource, tgsi_memory_names[i]);
    if (in->format)
        add_modifier(resource, gallium_format_names[in->format]);
}

static int resource_access(const struct tgsi_row *row)
{
    bool writes = row->effects & WEFT_EFFECT_WRITES_MEMORY;
    bool reads = !writes || row->effects & WEFT_EFFECT_READS_MEMORY;
    return (reads ? WEFT_READ : 0) | (writes ? WEFT_WRITE : 0);
}

static void add_destination(struct list *l, const struct tgsi_row *row, const struct tgsi_insn *in, unsigned i)
{
    const struct tgsi_operand *op = &in->dst[i];
    unsigned set = tgsi_written(in, i);
    bool resource = row->dst_type == TGSI_T_NONE;
    bool handle = resource && !tgsi_is_resource(op->file);
    struct weft_operand *o = add_operand(l, op, op->file == TGSI_NULL || (!set && !resource) ? 0 : WEFT_WRITE);
    o->components = (uint8_t)set;
    set_type(o, i ? TGSI_T_I32 : row->dst_type); /* a second result is an exponent */
    if (resource) {
        o->access = handle ? WEFT_READ : resource_access(row);
        o->components = handle ? X : (uint8_t)set;
        add_attributes(row, in, o);
    }
    if (in->saturate)
        add_modifier(o, "_SAT");
    if (in->precise)
        add_modifier(o, "_PRECISE");
}

static void add_source(struct list *l, const struct tgsi_row *row, const struct tgsi_insn *in, unsigned i)
{
    const struct tgsi_operand *op = &in->src[i];
    unsigned set = tgsi_read(in, i);
    bool resource = row->src_type[i] == TGSI_T_NONE;
    struct weft_operand *o = add_operand(l, op, set || resource ? WEFT_READ : 0);
    o->components = (uint8_t)set;
    memcpy(o->swizzle, op->swizzle, sizeof o->swizzle);
    set_type(o, row->src_type[i]);
    if (resource) {
        bool color = row->unit == TGSI_UNIT_COLOR;
        o->kind = color ? WEFT_OPERAND_RESOURCE : o->kind;
        o->access = o->kind == WEFT_OPERAND_RESOURCE ? resource_access(row) : WEFT_READ;
        add_attributes(row, in, o);
    }
    if (op->absolute)
        add_modifier(o, "|");
    if (op->negate)
        add_modifier(o, "-");
}

static void add_offset(struct list *l, const struct tgsi_insn *in, unsigned i)
{
    const struct tgsi_tex_offset *offset = &in->offset[i];
    unsigned set = tgsi_offset_read(in, i);
    struct weft_operand *o = add_register(l, offset->file, offset->reg, set ? WEFT_READ : 0);
    o->type = WEFT_TYPE_SIGNED;
    o->components = (uint8_t)set;
    memcpy(o->swizzle, offset->swizzle, sizeof offset->swizzle);
}

/* ---- what the text does not show ---- */

static void add_implied(struct list *l, const char *file, uint32_t count, int access, bool indirect)
{
    struct weft_operand *o = insn_register(l->o, &l->n, file, 0, count, access, WORD);
    o->role = WEFT_ROLE_IMPLIED;
    o->indirect = indirect;
}

/* Registers have the names that the lifted program gives them: the address stack is ASTACK, with its top in ATOP, and
 * the value of a SWITCH is SWITCH, one for each of the program. */
static void add_all_implied(struct list *l, const struct tgsi_row *row)
{
    enum { STACK = 64, OUTPUT_COMPONENTS = 1 << 15 };
    if (row->implies == TGSI_IMPLIES_STACK) {
        add_implied(l, "ASTACK", STACK, row->ndst ? WEFT_READ : WEFT_WRITE, true);
        add_implied(l, "ATOP", 1, WEFT_READ | WEFT_WRITE, false);
    }
    if (row->implies == TGSI_IMPLIES_OUTPUTS)
        add_implied(l, tgsi_file_names[TGSI_OUTPUT], OUTPUT_COMPONENTS, WEFT_READ, true);
    if (row->flow == TGSI_FLOW_SWITCH)
        add_implied(l, "SWITCH", 1, WEFT_WRITE, true);
    if (row->flow == TGSI_FLOW_CASE)
        add_implied(l, "SWITCH", 1, WEFT_READ, true);
}

/* ---- items ---- */

static void add_instruction(struct list *l, const struct tgsi_insn *in)
{
    const struct tgsi_row *row = &tgsi_rows[in->opcode];
    for (unsigned i = 0; i < in->ndst; i++)
        add_destination(l, row, in, i);
    for (unsigned i = 0; i < in->nsrc; i++)
        add_source(l, row, in, i);
    for (unsigned i = 0; i < in->noffsets; i++)
        add_offset(l, in, i);
    if (in->has_label) {
        struct weft_operand *o = insn_immediate(l->o, &l->n, in->label, WORD);
        o->type = WEFT_TYPE_UNSIGNED;
        add_modifier(o, "label");
    }
    add_all_implied(l, row);
}

static void add_declaration(struct list *l, const struct tgsi_decl *d)
{
    struct weft_operand *o = add_register(l, d->file, (int32_t)d->first, 0);
    if (tgsi_is_resource(d->file))
        o->kind = WEFT_OPERAND_RESOURCE;
    o->count = d->last - d->first + 1;
    o->components = d->mask;
    o->has_dimension = d->dimensional;
    o->dimension = d->dim;
}

static void add_immediate(struct list *l, const struct tgsi_imm *imm)
{
    static const uint8_t types[] = {TGSI_T_F32, TGSI_T_U32, TGSI_T_I32, TGSI_T_F64, TGSI_T_U64, TGSI_T_I64};
    bool wide = imm->type >= TGSI_FLT64;
    for (unsigned i = 0; i < (wide ? 2u : 4u); i++) {
        uint64_t bits = wide ? imm->bits[2 * i] | (uint64_t)imm->bits[2 * i + 1] << 32 : imm->bits[i];
        struct weft_operand *o = insn_immediate(l->o, &l->n, (int64_t)bits, WORD);
        set_type(o, types[imm->type]);
        float f;
        double g;
        memcpy(&f, &imm->bits[i], sizeof f);
        memcpy(&g, &bits, sizeof g);
        if (o->type == WEFT_TYPE_FLOAT)
            o->number = wide ? g : (double)f;
        else if (imm->type == TGSI_INT32)
            o->number = (double)(o->integer = (int32_t)imm->bits[i]);
        else if (o->type == WEFT_TYPE_UNSIGNED)
            o->number = (double)bits;
    }
}

static void add_property(struct list *l, const struct tgsi_property *p)
{
    for (unsigned i = 0; i < p->count; i++)
        insn_immediate(l->o, &l->n, p->value[i], WORD)->type = WEFT_TYPE_UNSIGNED;
}

size_t tgsi_operands(const struct isa_decoder *d, const struct weft_insn *insn, struct weft_operand *operands)
{
    struct list l = {operands, 0};
    struct tgsi_any any;
    if (insn->rows[0] == TGSI_ROW_PROCESSOR)
        return 0;
    tgsi_read_again(d, insn, &any);
    switch (any.kind) {
    case TGSI_ITEM_DECL:
        add_declaration(&l, &any.decl);
        break;
    case TGSI_ITEM_IMM:
        add_immediate(&l, &any.imm);
        break;
    case TGSI_ITEM_PROPERTY:
        add_property(&l, &any.property);
        break;
    case TGSI_ITEM_INSN:
        add_instruction(&l, &any.insn);
        break;
    }
    return l.n;
}
