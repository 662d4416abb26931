/* table.c - the rows of rows.inc worked out: which fields of the word each one has. */
#include "isa/valhall/table.h"
#include "isa/valhall/lift_rows.h"
#include "isa/valhall/names.h"
#include "isa/valhall/parse_words.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* ---- columns of rows.inc, forms.inc and types.inc ---- */

#define DIFFERENCES_FILE "isa/valhall/differences.inc"
#define DIFFERENCES_LIST valhall_differences
#include "isa/differences.h"

enum { DOCUMENTED = ISA_DOCUMENTED, KNOWN = ISA_KNOWN, INFERRED = ISA_INFERRED };
enum { NOTHING, RESULT };
/* What a source may carry. */
enum {
    X = 1, /* there is such a source */
    ABSNEG = 1 << 1 | X,
    SWIZZLE = 1 << 2 | X,
    WIDEN = 1 << 3 | X,
    LANES = 1 << 4 | X,
    HALVES = 1 << 5 | X,
    NOT = 1 << 6 | X,
    COMBINE = 1 << 7 | X,
    LANE = 1 << 8 | X,
    LANE_AT_28 = 1 << 9 | X,
    S8 = 8 << 16 | X,
    S16 = 16 << 16 | X,
    S32 = 32 << 16 | X,
    S64 = 64 << 16 | X
};

/* What staging registers are for, and above that how many there are: enum valhall_count. */
enum {
    LOADS = 1,
    LOADS_8,
    STORES,
    RETURNS,
    EXCHANGES,
    OPERANDS,
    STAGING_KINDS,
    COUNT_SHIFT = 4,
    ONE = VALHALL_COUNT_ONE << COUNT_SHIFT,
    TWO = VALHALL_COUNT_TWO << COUNT_SHIFT,
    THREE = VALHALL_COUNT_THREE << COUNT_SHIFT,
    OF_TYPE = VALHALL_COUNT_OF_TYPE << COUNT_SHIFT,
    OF_TYPE_OR_NONE = VALHALL_COUNT_OF_TYPE_OR_NONE << COUNT_SHIFT,
    LOADED = VALHALL_COUNT_LOADED << COUNT_SHIFT,
    EXCHANGED = VALHALL_COUNT_EXCHANGED << COUNT_SHIFT,
    OF_FORMAT = VALHALL_COUNT_OF_FORMAT << COUNT_SHIFT,
    OF_VECTOR = VALHALL_COUNT_OF_VECTOR << COUNT_SHIFT,
    TEXELS = VALHALL_COUNT_TEXELS << COUNT_SHIFT,
    TEXELS_2 = VALHALL_COUNT_TEXELS_2 << COUNT_SHIFT
};
static const struct valhall_staging_rule stagings[STAGING_KINDS] = {
    [LOADS] = {.write = true, .base = VALHALL_FIELD_STAGING, .flags = 2, .number = VALHALL_FIELD_COUNT},
    [LOADS_8] = {.write = true, .base = VALHALL_FIELD_STAGING, .flags = 2, .number = VALHALL_FIELD_COUNT_1, .least = 1},
    [STORES] = {.read = true, .base = VALHALL_FIELD_STAGING, .flags = 1, .number = VALHALL_FIELD_COUNT},
    [RETURNS] = {.write = true, .base = VALHALL_FIELD_RETURN, .number = VALHALL_FIELD_COUNT_1, .least = 1},
    [EXCHANGES] = {.read = true, .base = VALHALL_FIELD_STAGING, .flags = 3, .number = VALHALL_FIELD_COUNT},
    [OPERANDS] = {.read = true, .base = VALHALL_FIELD_STAGING, .number = VALHALL_FIELD_COUNT},
};

/* Immediates and modifiers. */
enum {
#define FIELD(...)
#define IMMEDIATE(id, ...) id = VALHALL_IMM_##id,
#define MODIFIER(id, ...)  id = VALHALL_MOD_##id,
#include "isa/valhall/fields.inc"
#undef FIELD
#undef IMMEDIATE
#undef MODIFIER
    NO_LANE = VALHALL_FIELD_NONE,
    LANE_OF_TYPE = UINT8_MAX
};

/* The other members of forms. */
#define WAY(kind)     .way = VALHALL_WAY_##kind
#define SPACE(kind)   .space = VALHALL_SPACE_##kind
#define TABLES(kind)  .tables = VALHALL_TABLES_##kind
#define PIXEL(kind)   .pixel = VALHALL_PIXEL_##kind
#define COLOURS(kind) .colours = VALHALL_COLOURS_##kind
enum { VERTEX = 1 << IR_VERTEX, FRAGMENT = 1 << IR_FRAGMENT };
enum { A = VALHALL_SOURCE_A, B = VALHALL_SOURCE_B, C = VALHALL_SOURCE_C, STAGING = VALHALL_STAGING };
enum {
    READS = WEFT_EFFECT_READS_MEMORY,
    WRITES = WEFT_EFFECT_WRITES_MEMORY,
    ATOMIC = WEFT_EFFECT_ATOMIC,
    TEXTURE = WEFT_EFFECT_TEXTURE,
    OUTPUT = WEFT_EFFECT_OUTPUT,
    OTHER_LANES = WEFT_EFFECT_LANES
};

#define LIST(...)                                                                                                      \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
#define FORM(name_, group_, second_, result_, sources_, staging_, immediates_, modifiers_, ...)                        \
    static const struct valhall_form form_##name_ = {.name = #name_,                                                   \
                                                     .group = group_,                                                  \
                                                     .second = VALHALL_FIELD_##second_,                                \
                                                     .has_dst = result_,                                               \
                                                     .sources = LIST sources_,                                         \
                                                     .staging = LIST staging_,                                         \
                                                     .immediates = LIST immediates_,                                   \
                                                     .modifiers = LIST modifiers_,                                     \
                                                     __VA_ARGS__};
#include "isa/valhall/forms.inc"
#undef FORM

static const struct {
    uint8_t size, lanes, kind, lane;
} types[VALHALL_TYPES] = {
#define TYPE(name, bits, lanes, kind, lane) [VALHALL_TYPE_##name] = {bits, lanes, WEFT_TYPE_##kind, lane},
#include "isa/valhall/types.inc"
#undef TYPE
};

/* What rows.inc says; make_row works out the rest. */
#define ROW(name_, type_, unit_, opcode_, second_, shape_, provenance_, lift_, doc_, ...)                              \
    {.name = name_,                                                                                                    \
     .type = VALHALL_TYPE_##type_,                                                                                     \
     .unit = VALHALL_##unit_,                                                                                          \
     .opcode = opcode_,                                                                                                \
     .second = second_,                                                                                                \
     .form = &form_##shape_,                                                                                           \
     .provenance = provenance_,                                                                                        \
     .lift = lift_,                                                                                                    \
     .doc = doc_,                                                                                                      \
     __VA_ARGS__},
#define ARG(name) .arg = VALHALL_##name
#define TYPED(base, type, unit_, opcode_, second_, shape_, provenance_, lift_, ...)                                    \
    ROW(#base "." #type, type, unit_, opcode_, second_, shape_, provenance_, valhall_lift_##lift_, __VA_ARGS__)
#define EACH(base, type, unit_, opcode_, second_, shape_, provenance_, element_, ...)                                  \
    ROW(#base "." #type, type, unit_, opcode_, second_, shape_, provenance_, valhall_lift_each, __VA_ARGS__,           \
        .element = valhall_element_##element_)
#define PLAIN(base, type, unit_, opcode_, second_, shape_, provenance_, lift_, ...)                                    \
    ROW(#base, type, unit_, opcode_, second_, shape_, provenance_, valhall_lift_##lift_, __VA_ARGS__)
static const struct valhall_row specs[VALHALL_OPS] = {
#include "isa/valhall/rows.inc"
};
#undef TYPED
#undef EACH
#undef PLAIN

/* ---- working them out ---- */

static uint8_t select_by_size(uint8_t size)
{
    return size == 8    ? VALHALL_SELECT_SWIZZLE8
           : size == 16 ? VALHALL_SELECT_SWIZZLE16
           : size == 64 ? VALHALL_SELECT_SWIZZLE64
                        : VALHALL_SELECT_SWIZZLE32;
}

static bool has(uint32_t flags, uint32_t all)
{
    return (flags & all) == all;
}

static uint8_t bit_of(unsigned field)
{
    return valhall_fields[field].at;
}

/* The word after the operand of source `number`, and where its field is. */
static void set_select(struct valhall_source_rule *s, unsigned number, uint32_t flags)
{
    if (has(flags, SWIZZLE)) {
        s->select = s->size == 16 ? VALHALL_SELECT_SWIZZLE16_2 : VALHALL_SELECT_WIDEN;
        s->select_at = bit_of(VALHALL_FIELD_SWIZZLE_A + number);
    } else if (has(flags, LANE) || has(flags, LANE_AT_28)) {
        s->select = s->size == 16 ? VALHALL_SELECT_LANE16 : VALHALL_SELECT_LANE8;
        s->select_at = bit_of(has(flags, LANE) ? VALHALL_FIELD_LANE_A + number : VALHALL_FIELD_LANE_28);
    } else if (has(flags, COMBINE)) {
        s->select = VALHALL_SELECT_COMBINE;
        s->select_at = bit_of(VALHALL_FIELD_COMBINE);
    } else if (has(flags, WIDEN) || has(flags, LANES) || has(flags, HALVES)) {
        s->select = has(flags, LANES)    ? VALHALL_SELECT_LANES8
                    : has(flags, HALVES) ? VALHALL_SELECT_HALF8
                                         : select_by_size(s->size);
        s->select_at = bit_of(VALHALL_FIELD_WIDEN_A + number);
    }
}

static void make_source(struct valhall_row *row, unsigned number, unsigned slot)
{
    uint32_t flags = row->form->sources[number];
    struct valhall_source_rule *s = &row->src[number];
    s->size = flags >> 16 ? (uint8_t)(flags >> 16) : row->size;
    s->at = bit_of(VALHALL_FIELD_SOURCE_0 + slot);
    set_select(s, number, flags);
    s->kind = WEFT_TYPE_BITS;
    if (has(flags, ABSNEG)) {
        s->neg = bit_of(VALHALL_FIELD_NEG_A + number);
        s->abs = bit_of(VALHALL_FIELD_ABS_A + number);
        s->kind = WEFT_TYPE_FLOAT;
    } else if (s->size == row->size && !row->nstaging) {
        s->kind = row->kind;
    }
    if (has(flags, NOT))
        s->invert = bit_of(VALHALL_FIELD_NOT_C);
}

static void make_sources(struct valhall_row *row)
{
    unsigned slot = 0;
    for (unsigned i = 0; i < VALHALL_SOURCES && row->form->sources[i]; i++) {
        make_source(row, i, slot);
        row->nsrc++;
        /* A 64-bit source of an instruction that is not one takes two slots: BLEND, ST_CVT, VAR_TEX. */
        slot += row->src[i].size == 64 && row->size != 64 ? 2 : 1;
    }
}

static void make_row(struct valhall_row *row, const struct valhall_row *spec)
{
    const struct valhall_form *form = spec->form;
    *row = *spec;
    row->nsrc = row->nstaging = row->nimm = row->nmods = 0;
    row->group = form->group;
    row->size = types[row->type].size;
    row->lanes = types[row->type].lanes;
    row->kind = types[row->type].kind;
    row->has_dst = form->has_dst;
    for (; row->nstaging < VALHALL_STAGINGS && form->staging[row->nstaging]; row->nstaging++) {
        uint16_t staging = form->staging[row->nstaging];
        row->staging[row->nstaging] = stagings[staging & ((1 << COUNT_SHIFT) - 1)];
        row->staging[row->nstaging].count = (uint8_t)(staging >> COUNT_SHIFT);
    }
    for (; row->nimm < VALHALL_IMMEDIATES && form->immediates[row->nimm]; row->nimm++)
        row->imm[row->nimm] = form->immediates[row->nimm];
    for (; row->nmods < VALHALL_MODIFIERS && form->modifiers[row->nmods]; row->nmods++) {
        uint8_t id = form->modifiers[row->nmods];
        row->mods[row->nmods] = id == LANE_OF_TYPE ? types[row->type].lane : id;
    }
    row->has_slot = form->slot_0 || valhall_has_modifier(row, VALHALL_MOD_SLOT);
    make_sources(row);
}

/* ---- the fields of a row's words ---- */

static uint64_t mask_of(const struct valhall_bits *b)
{
    return ((1ull << b->size) - 1) << b->at;
}

static void add_bits(struct valhall_layout *l, struct valhall_bits bits)
{
    if (l->nfields >= VALHALL_LAYOUT_BITS || l->nchecks >= sizeof l->checks / sizeof *l->checks) {
        l->overlap = "fields"; /* too many of them */
        return;
    }
    unsigned i = l->nfields++;
    for (; i > 0 && l->fields[i - 1].at < bits.at; i--)
        l->fields[i] = l->fields[i - 1];
    l->fields[i] = bits;
    if (l->used & mask_of(&bits))
        l->overlap = bits.name;
    l->used |= mask_of(&bits);
    if (bits.fixed) {
        l->mask |= mask_of(&bits);
        l->value |= (uint64_t)bits.value << bits.at;
    }
    if (bits.allowed) {
        l->checks[l->nchecks].at = bits.at;
        l->checks[l->nchecks].mask = (uint8_t)((1u << bits.size) - 1);
        l->checks[l->nchecks++].allowed = bits.allowed;
    }
}

static struct valhall_bits bits_of(unsigned id, weft_field_kind kind)
{
    const struct valhall_field *f = &valhall_fields[id];
    return (struct valhall_bits){
        .name = f->name, .at = f->at, .size = f->size, .kind = (uint8_t)kind, .field = (uint8_t)id};
}

static void add_field(struct valhall_layout *l, unsigned id, weft_field_kind kind)
{
    add_bits(l, bits_of(id, kind));
}

static void add_fixed(struct valhall_layout *l, unsigned id, unsigned value)
{
    struct valhall_bits bits = bits_of(id, WEFT_FIELD_OPCODE);
    bits.fixed = true;
    bits.value = (uint16_t)value;
    add_bits(l, bits);
}

/* The numbers of a field that have a word; 0: all of them. */
static uint16_t allowed(const char *const *words, unsigned size)
{
    uint32_t set = 0, all = (1u << (1u << size)) - 1;
    for (unsigned v = 0; words && v < 1u << size; v++)
        set |= words[v] ? 1u << v : 0;
    return set == all ? 0 : (uint16_t)set;
}

static void add_modifier(struct valhall_layout *l, unsigned id)
{
    struct valhall_bits bits = bits_of(id, WEFT_FIELD_MODIFIER);
    bits.allowed = allowed(valhall_fields[id].words, bits.size);
    add_bits(l, bits);
}

static void add_select(struct valhall_layout *l, const struct valhall_source_rule *s, unsigned number)
{
    const struct valhall_picks *all = &valhall_picks[s->select];
    const char *words[16] = {0};
    for (unsigned v = 0; v < 1u << all->bits; v++)
        words[v] = all->picks[v].name;
    add_bits(l, (struct valhall_bits){.name = valhall_select_names[s->select][1 + number],
                                      .at = s->select_at,
                                      .size = all->bits,
                                      .kind = WEFT_FIELD_OPERAND,
                                      .select = s->select,
                                      .allowed = allowed(words, all->bits)});
}

static void add_sources(struct valhall_layout *l, const struct valhall_row *row)
{
    for (unsigned i = 0; i < row->nsrc; i++) {
        const struct valhall_source_rule *s = &row->src[i];
        struct valhall_bits source = bits_of(VALHALL_FIELD_SOURCE_0 + i, WEFT_FIELD_OPERAND);
        source.at = s->at; /* that of a later slot after a source of two */
        add_bits(l, source);
        l->sources |= (uint32_t)VALHALL_BYTE_UNIFORM << s->at;
        if (s->select)
            add_select(l, s, i);
        if (s->neg)
            add_field(l, VALHALL_FIELD_NEG_A + i, WEFT_FIELD_OPERAND);
        if (s->abs)
            add_field(l, VALHALL_FIELD_ABS_A + i, WEFT_FIELD_OPERAND);
        if (s->invert)
            add_field(l, VALHALL_FIELD_NOT_C, WEFT_FIELD_OPERAND);
    }
}

/* The destination, or the base of staging registers and what is done with them, or neither. */
static void add_registers(struct valhall_layout *l, const struct valhall_row *row)
{
    if (row->has_dst) {
        struct valhall_bits halves = bits_of(VALHALL_FIELD_HALVES, WEFT_FIELD_OPERAND);
        halves.allowed = 0xE;
        add_field(l, VALHALL_FIELD_DST, WEFT_FIELD_OPERAND);
        add_bits(l, halves);
    }
    for (unsigned i = 0; i < row->nstaging; i++) {
        const struct valhall_staging_rule *s = &row->staging[i];
        struct valhall_bits base = bits_of(s->base, WEFT_FIELD_OPERAND);
        base.name = s->write ? "w" : "r";
        add_bits(l, base);
        add_field(l, s->number, WEFT_FIELD_OPERAND);
        if (s->flags)
            add_fixed(l, VALHALL_FIELD_STAGING_ACCESS, s->flags);
    }
    if (!row->has_dst && !row->nstaging)
        add_fixed(l, VALHALL_FIELD_STAGING_ACCESS, 3);
}

static void add_second(struct valhall_layout *l, const struct valhall_row *row)
{
    unsigned id = row->form->second;
    if (!id || row->form->older)
        return;
    add_fixed(l, id, row->second & ((1u << valhall_fields[id].size) - 1));
    if (id == VALHALL_FIELD_SECOND_SHIFT)
        add_fixed(l, VALHALL_FIELD_LEFT, row->second >> valhall_fields[id].size);
}

/* What is left is zero. */
static void add_gaps(struct valhall_layout *l)
{
    uint64_t used = l->used;
    for (unsigned at = 0, end; at < 64; at = end) {
        for (end = at + 1; end < 64 && (used >> end & 1) == (used >> at & 1); end++)
            ;
        if (!(used >> at & 1))
            add_bits(l, (struct valhall_bits){.name = "zero",
                                              .at = (uint8_t)at,
                                              .size = (uint8_t)(end - at),
                                              .kind = WEFT_FIELD_UNUSED,
                                              .fixed = true});
    }
}

static void make_layout(struct valhall_layout *l, const struct valhall_row *row)
{
    struct valhall_bits flow = bits_of(VALHALL_FIELD_FLOW, WEFT_FIELD_CONTROL);
    *l = (struct valhall_layout){0};
    flow.allowed = allowed(valhall_flow_names, flow.size);
    add_bits(l, flow);
    add_field(l, VALHALL_FIELD_PAGE, WEFT_FIELD_OPERAND);
    add_fixed(l, VALHALL_FIELD_OPCODE, row->opcode);
    add_second(l, row);
    add_sources(l, row);
    add_registers(l, row);
    for (unsigned i = 0; i < row->nmods; i++)
        add_modifier(l, row->mods[i]);
    for (unsigned i = 0; i < row->nimm; i++)
        add_field(l, row->imm[i], WEFT_FIELD_OPERAND);
    add_gaps(l);
}

/* ---- the index by opcodes ---- */

void valhall_blame(char fault[VALHALL_FAULT_TEXT], const char *name, const char *what)
{
    if (!fault[0])
        snprintf(fault, VALHALL_FAULT_TEXT, "%s: %s", name, what);
}

static void enter(struct valhall_table *t, unsigned opcode, unsigned number)
{
    const struct valhall_row *row = &t->rows[number];
    const struct valhall_field *second = &valhall_fields[row->form->second];
    struct valhall_primary *p = &t->primaries[opcode];
    unsigned high = row->form->second == VALHALL_FIELD_SECOND_SHIFT ? 1u << second->size : 0;
    unsigned mask = (1u << second->size) - 1;
    bool first = !p->used;
    if (row->second > mask + high)
        valhall_blame(t->fault, row->name, "the secondary opcode does not fit its field");
    else if (!first && (p->shift != second->at || p->mask != mask || p->high != high))
        valhall_blame(t->fault, row->name, "another row of this opcode has its secondary opcode elsewhere");
    else if (p->rows[row->second])
        valhall_blame(t->fault, row->name, "another row has these opcodes");
    else
        p->rows[row->second] = (uint16_t)(number + 1);
    p->used = true;
    p->shift = second->at;
    p->mask = (uint8_t)mask;
    p->high = (uint8_t)high;
}

static void check_layout(struct valhall_table *t, unsigned number)
{
    const struct valhall_layout *l = &t->layouts[number];
    char what[80];
    if (!l->overlap)
        return;
    snprintf(what, sizeof what, "bits of the field '%s' are another one's too", l->overlap);
    valhall_blame(t->fault, t->rows[number].name, what);
}

void valhall_compile(struct valhall_table *t, const struct valhall_row *specs_of, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const struct valhall_row *row = &t->rows[i];
        make_row(&t->rows[i], &specs_of[i]);
        make_layout(&t->layouts[i], row);
        check_layout(t, i);
        if (!row->lift || !row->doc || !row->doc[0])
            valhall_blame(t->fault, row->name, "it has no lift, or no line of documentation");
        if (!row->form->older || row->second) /* the opcodes of other older names are newer ones' */
            enter(t, row->opcode, i);
        if (row->also)
            enter(t, row->also, i);
    }
}

static struct valhall_table table;
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void make_table(void)
{
    valhall_compile(&table, specs, VALHALL_OPS);
}

const struct valhall_table *valhall_table(void)
{
    pthread_once(&made, make_table);
    return &table;
}

const struct valhall_row *valhall_rows(void)
{
    return valhall_table()->rows;
}

const char *valhall_table_fault(void)
{
    const char *const faults[] = {valhall_table()->fault, valhall_words()->fault, valhall_print_fault()};
    for (unsigned i = 0; i < sizeof faults / sizeof *faults; i++)
        if (faults[i][0])
            return faults[i];
    return NULL;
}

weft_status valhall_refuse_table(const char *fault, weft_diags *diags)
{
    if (!fault[0])
        return WEFT_OK;
    diag_add(diags, WEFT_ERROR, "internal", NULL, NULL, "the table of Valhall's instructions is at fault: %s", fault);
    return WEFT_ERROR_INTERNAL;
}
