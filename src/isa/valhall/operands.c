/* operands.c - what one instruction reads and writes (weft/insn.h), from the columns of its row.
 *
 * Registers are those of the file "r", 32 bits each; uniforms of the file "u"; a special value is a file of its name,
 * its words numbered. Elements that are packed into a register count as its 32 bits, unless one of them alone is
 * picked. Memory is an operand that the text does not show: the address and the offset are operands of their own. */
#include "base/fmath.h"
#include "isa/insn.h"
#include "isa/valhall/names.h"
#include "isa/valhall/table.h"

#include <string.h>

/* ---- registers as sets ---- */

struct valhall_part valhall_source_part(const struct valhall_source *s)
{
    const struct valhall_pick *pick = s->pick;
    if (!pick || !pick->part)
        return (struct valhall_part){0, s->size == 64 ? 64 : 32};
    for (unsigned i = 1; i < pick->count; i++)
        if (pick->element[i] != pick->element[0])
            return (struct valhall_part){0, 32};
    return (struct valhall_part){(uint8_t)(pick->element[0] * pick->part), pick->part};
}

/* Registers base .. base + count - 1, a bit each; of a pair the even one comes first. */
static uint64_t registers(unsigned base, unsigned count, bool pair)
{
    if (pair)
        return 3ull << (base & ~1u);
    return count ? (count < 64 ? (1ull << count) - 1 : ~0ull) << base : 0;
}

uint64_t valhall_reads(const struct valhall_insn *insn)
{
    uint64_t set = 0;
    for (unsigned i = 0; i < insn->nsrc; i++)
        if (insn->src[i].kind == VALHALL_REGISTER)
            set |= registers(insn->src[i].index, 1, valhall_source_part(&insn->src[i]).width == 64);
    for (unsigned i = 0; i < insn->nstaging; i++)
        if (insn->staging[i].read)
            set |= registers(insn->staging[i].base, insn->staging[i].count, false);
    return set;
}

uint64_t valhall_writes(const struct valhall_insn *insn)
{
    uint64_t set = insn->has_dst ? registers(insn->dst, 1, insn->row->size == 64) : 0;
    for (unsigned i = 0; i < insn->nstaging; i++)
        if (insn->staging[i].write)
            set |= registers(insn->staging[i].base, insn->staging[i].count, false);
    return set;
}

/* ---- operands ---- */

static const char file_r[] = "r", file_u[] = "u";

struct list {
    struct weft_operand *operands;
    size_t n;
    const struct weft_insn *public;
    struct valhall_insn insn;
};

static void add_modifier(struct weft_operand *o, const char *word)
{
    unsigned i = 0;
    while (i < WEFT_OPERAND_MODIFIERS - 1 && o->modifiers[i])
        i++;
    o->modifiers[i] = word;
}

static struct weft_operand *add_register(struct list *l, const char *file, unsigned number, unsigned count, int access,
                                         struct valhall_part part)
{
    struct weft_operand *o = insn_register(l->operands, &l->n, file, number, count, access, part.width);
    o->shift = part.shift;
    return o;
}

/* ---- sources ---- */

/* Shift counts of vectors of bytes: b02 is a count of each byte. */
static bool is_packed(const struct valhall_source *s, struct valhall_part part)
{
    return part.width == 32 && s->size < 32;
}

static int64_t sign_extended(uint64_t v, unsigned width)
{
    return (int64_t)(v << (64 - width)) >> (64 - width);
}

static double float_value(uint64_t bits, unsigned width)
{
    float v;
    uint32_t word = (uint32_t)bits;
    if (width == 16)
        return (double)f16_to_f32((uint16_t)bits);
    memcpy(&v, &word, sizeof v);
    return (double)v;
}

static struct weft_operand *add_constant(struct list *l, uint64_t value, unsigned width, unsigned type)
{
    struct weft_operand *o = insn_immediate(l->operands, &l->n, (int64_t)value, width);
    if (type == WEFT_TYPE_SIGNED)
        o->integer = sign_extended(value, width);
    o->number = type == WEFT_TYPE_FLOAT ? float_value(value, width) : (double)o->integer;
    return o;
}

static struct weft_operand *add_value(struct list *l, const struct valhall_source *s, struct valhall_part part,
                                      unsigned type)
{
    bool pair = part.width == 64;
    unsigned count = pair ? 2 : 1, index = pair ? s->index & ~1u : s->index;
    index += part.shift / 32;
    part.shift %= 32;
    switch ((enum valhall_source_kind)s->kind) {
    case VALHALL_REGISTER:
        return add_register(l, file_r, index, count, WEFT_READ, part);
    case VALHALL_UNIFORM:
        return add_register(l, file_u, index, count, WEFT_READ, part);
    case VALHALL_CONSTANT:
        return add_constant(l, pair ? s->value : s->value >> part.shift & (UINT32_MAX >> (32 - part.width)), part.width,
                            type);
    case VALHALL_SPECIAL:
        break;
    }
    return add_register(l, valhall_special_names[s->special], pair ? 0 : s->word, count, WEFT_READ, part);
}

/* Whether the text says what is picked. */
static bool is_written(const struct valhall_source *s)
{
    const struct valhall_picks *all = &valhall_picks[s->select];
    return s->pick && s->pick - all->picks != all->initial;
}

static void add_source(struct list *l, unsigned i)
{
    static const char *const words[] = {".w0", ".w1"};
    const struct valhall_source *s = &l->insn.src[i];
    const struct valhall_source_rule *rule = &l->insn.row->src[i];
    struct valhall_part part = valhall_source_part(s);
    unsigned type = is_packed(s, part) ? (unsigned)WEFT_TYPE_BITS : rule->kind;
    struct weft_operand *o = add_value(l, s, part, type);
    o->type = (weft_operand_type)type;
    if (s->last)
        add_modifier(o, "^");
    if (s->kind == VALHALL_SPECIAL)
        add_modifier(o, words[s->word]);
    if (s->neg)
        add_modifier(o, ".neg");
    if (s->abs)
        add_modifier(o, ".abs");
    if (is_written(s))
        add_modifier(o, s->pick->text);
    if (s->invert)
        add_modifier(o, ".not");
}

/* ---- registers ---- */

static void add_destination(struct list *l)
{
    static const struct valhall_part halves[] = {{0, 32}, {0, 16}, {16, 16}, {0, 32}};
    static const char *const words[] = {NULL, ".h0", ".h1", NULL};
    const struct valhall_row *row = l->insn.row;
    bool pair = row->size == 64;
    struct valhall_part part = pair ? (struct valhall_part){0, 64} : halves[l->insn.dst_mask];
    struct weft_operand *o =
        add_register(l, file_r, pair ? l->insn.dst & ~1u : l->insn.dst, pair ? 2 : 1, WEFT_WRITE, part);
    bool whole = part.width == (row->size < 32 ? row->size : pair ? 64 : 32);
    bool compares = valhall_has_modifier(row, VALHALL_MOD_RESULT_TYPE);
    o->type = whole && !compares ? (weft_operand_type)row->kind : WEFT_TYPE_BITS;
    if (words[l->insn.dst_mask])
        add_modifier(o, words[l->insn.dst_mask]);
}

/* What the registers of a message hold: by its format. */
static weft_operand_type staging_type(const struct valhall_insn *insn)
{
    static const uint8_t formats[8] = {[VALHALL_FMT_F32] = WEFT_TYPE_FLOAT,
                                       [VALHALL_FMT_S32] = WEFT_TYPE_SIGNED,
                                       [VALHALL_FMT_U32] = WEFT_TYPE_UNSIGNED};
    static const uint8_t types[4] = {
        [VALHALL_TYPE_F] = WEFT_TYPE_FLOAT, [VALHALL_TYPE_U] = WEFT_TYPE_UNSIGNED, [VALHALL_TYPE_S] = WEFT_TYPE_SIGNED};
    if (valhall_has_modifier(insn->row, VALHALL_MOD_REGFMT))
        return (weft_operand_type)formats[valhall_mod(insn, VALHALL_MOD_REGFMT)];
    if (valhall_has_flag(insn, VALHALL_MOD_REGISTER_WIDTH))
        return (weft_operand_type)types[valhall_mod(insn, VALHALL_MOD_REGISTER_TYPE)];
    return insn->row->size == 32 ? (weft_operand_type)insn->row->kind : WEFT_TYPE_BITS;
}

static void add_staging(struct list *l, unsigned i)
{
    const struct valhall_staging *s = &l->insn.staging[i];
    struct valhall_part part = s->write ? valhall_loaded_part(&l->insn) : (struct valhall_part){0, 0};
    if (!part.width || part.width > 32)
        part = (struct valhall_part){0, 32};
    if (!s->count)
        return; /* "@": no registers */
    struct weft_operand *o =
        add_register(l, file_r, s->base, s->count, (s->read ? WEFT_READ : 0) | (s->write ? WEFT_WRITE : 0), part);
    o->type = s->write ? staging_type(&l->insn) : WEFT_TYPE_BITS;
}

/* ---- immediates ---- */

static void add_immediate(struct list *l, unsigned i)
{
    const struct valhall_row *row = l->insn.row;
    const struct valhall_field *f = &valhall_fields[row->imm[i]];
    int64_t value = l->insn.imm[i];
    if (f->role >= VALHALL_ROLE_BLEND_TARGET) {
        struct weft_operand *o = &l->operands[l->n++];
        o->kind = WEFT_OPERAND_TARGET;
        o->access = WEFT_READ;
        o->width = 64;
        o->count = 1;
        o->integer = (int64_t)(l->public->address + 8 * (uint64_t)(value + 1));
        return;
    }
    bool is_float = f->role == VALHALL_ROLE_CONSTANT && row->kind == WEFT_TYPE_FLOAT && row->size == 32;
    struct weft_operand *o = insn_immediate(l->operands, &l->n, value, f->size);
    o->type = is_float ? WEFT_TYPE_FLOAT : f->is_signed ? WEFT_TYPE_SIGNED : WEFT_TYPE_UNSIGNED;
    if (is_float)
        o->number = float_value((uint64_t)value, 32);
}

/* ---- memory ---- */

/* The register that has an address or offset; a constant is a part of the displacement. */
static void set_base(struct weft_operand *o, const struct valhall_source *s)
{
    unsigned index = s->size == 64 ? s->index & ~1u : s->index;
    if (s->kind == VALHALL_REGISTER)
        o->base = (weft_register){file_r, index};
    else if (s->kind == VALHALL_UNIFORM)
        o->base = (weft_register){file_u, index};
    else if (s->kind == VALHALL_SPECIAL)
        o->base = (weft_register){valhall_special_names[s->special], s->word};
    else
        o->displacement += s->value;
}

static const char *space_of(const struct valhall_source *address)
{
    if (address->kind == VALHALL_SPECIAL && address->special == VALHALL_THREAD_LOCAL_POINTER)
        return "local";
    if (address->kind == VALHALL_SPECIAL && address->special == VALHALL_WORKGROUP_LOCAL_POINTER)
        return "workgroup";
    return "global";
}

/* Elements that are moved: of vectors those of the register format, else the type in pieces of a power of two. */
static void set_elements(struct weft_operand *o, const struct valhall_insn *insn)
{
    static const uint8_t formats[8] = {32, 32, 32, 16, 32, 16, 32, 16};
    const struct valhall_row *row = insn->row;
    unsigned bits = row->size, unit = bits % 64 == 0 ? 64 : bits % 32 == 0 ? 32 : bits % 16 == 0 ? 16 : 8;
    o->width = unit;
    o->count = bits / unit;
    if (valhall_has_modifier(row, VALHALL_MOD_REGFMT))
        o->width = formats[valhall_mod(insn, VALHALL_MOD_REGFMT)];
    if (valhall_has_modifier(row, VALHALL_MOD_VECSIZE))
        o->count = valhall_mod(insn, VALHALL_MOD_VECSIZE) + 1;
}

static void add_memory(struct list *l)
{
    static const char *const names[] = {[VALHALL_SPACE_BUFFERS] = "buffer",
                                        [VALHALL_SPACE_TILE] = "tile",
                                        [VALHALL_SPACE_VARYINGS] = "varying",
                                        [VALHALL_SPACE_ATTRIBUTES] = "attribute"};
    const struct valhall_form *form = l->insn.row->form;
    const struct valhall_source *address = &l->insn.src[0];
    if (form->space == VALHALL_SPACE_NONE)
        return;
    struct weft_operand *o = &l->operands[l->n++];
    o->kind = WEFT_OPERAND_MEMORY;
    o->role = WEFT_ROLE_IMPLIED;
    o->access = (form->effects & WEFT_EFFECT_READS_MEMORY ? WEFT_READ : 0) |
                (form->effects & WEFT_EFFECT_WRITES_MEMORY ? WEFT_WRITE : 0);
    o->space = form->space == VALHALL_SPACE_MEMORY ? space_of(address) : names[form->space];
    set_elements(o, &l->insn);
    if (form->space == VALHALL_SPACE_MEMORY || form->space == VALHALL_SPACE_BUFFERS)
        set_base(o, address);
    if (form->space == VALHALL_SPACE_MEMORY)
        o->displacement += l->insn.imm[0];
}

size_t valhall_operands(const struct isa_decoder *d, const struct weft_insn *insn, struct weft_operand *operands)
{
    (void)d;
    struct list l = {.operands = operands, .public = insn};
    valhall_read_as(&valhall_rows()[insn->rows[0]], valhall_word_at(insn->bytes), &l.insn);
    for (unsigned i = 0; i < l.insn.nstaging; i++)
        add_staging(&l, i);
    if (l.insn.has_dst)
        add_destination(&l);
    for (unsigned i = 0; i < l.insn.nsrc; i++)
        add_source(&l, i);
    for (unsigned i = 0; i < l.insn.nimm; i++)
        add_immediate(&l, i);
    add_memory(&l);
    return l.n;
}
