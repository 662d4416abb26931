/* table.c - the rows of rows.inc worked out: where each operand stands in the word. */
#include "isa/valhall/names.h"
#include "isa/valhall/table.h"
#include "isa/valhall/lift_rows.h"

#include <pthread.h>
#include <string.h>

/* ---- columns of rows.inc ---- */

enum { NONE = VALHALL_NO_SECOND, SPELLING = VALHALL_NO_SECOND + 1 };
enum { NOTHING, RESULT };
#define DIFFERENCES_FILE "isa/valhall/differences.inc"
#define DIFFERENCES_LIST valhall_differences
#include "isa/differences.h"

enum { DOC = ISA_DOCUMENTED, KNOWN = ISA_KNOWN, INFERRED = ISA_INFERRED };
enum {
    FMA = VALHALL_FMA,
    CVT = VALHALL_CVT,
    SFU = VALHALL_SFU,
    MESSAGE = VALHALL_NONE,
    LS = VALHALL_LS,
    V = VALHALL_V,
    T = VALHALL_T,
    VT = VALHALL_VT
};

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

enum { LOADS = 1, LOADS_8, STORES, RETURNS, EXCHANGES, OPERANDS };
static const struct valhall_staging_rule stagings[] = {
    [LOADS] = {.write = true, .at = 40, .flags = 2, .count_at = 33},
    [LOADS_8] = {.write = true, .at = 40, .flags = 2, .count_at = 36},
    [STORES] = {.read = true, .at = 40, .flags = 1, .count_at = 33},
    [RETURNS] = {.write = true, .at = 16, .count_at = 36},
    [EXCHANGES] = {.read = true, .at = 40, .flags = 3, .count_at = 33},
    [OPERANDS] = {.read = true, .at = 40, .count_at = 33},
};

enum {
    OFFSET_27 = 1, OFFSET_16, OFFSET_8, OFFSET_8U, INDEX_12_4, INDEX_12_8, INDEX_16_8, INDEX_20_4, TABLE_8_4,
    TABLE_16_4, TARGET, SHIFT, CONSTANT
};
static const struct valhall_immediate_rule immediates[] = {
    [OFFSET_27] = {"offset", 8, 27, true},   [OFFSET_16] = {"offset", 8, 16, true},
    [OFFSET_8] = {"offset", 8, 8, false},    [OFFSET_8U] = {"offset", 8, 8, false},
    [INDEX_12_4] = {"index", 12, 4, false},  [INDEX_12_8] = {"index", 12, 8, false},
    [INDEX_16_8] = {"index", 16, 8, false},  [INDEX_20_4] = {"index", 20, 4, false},
    [TABLE_8_4] = {"table", 8, 4, false},    [TABLE_16_4] = {"table", 16, 4, false},
    [TARGET] = {"target", 8, 8, false},      [SHIFT] = {"shift", 20, 3, false},
    [CONSTANT] = {"constant", 8, 32, false},
};

/* Modifiers, one more than their number: 0 ends the list. */
enum {
#define MODIFIER(id, ...) id = VALHALL_MOD_##id + 1,
#include "isa/valhall/modifiers.inc"
#undef MODIFIER
};

struct spec {
    const char *name;
    uint16_t opcode, second;
    uint8_t unit, result, provenance;
    uint32_t sources[VALHALL_SOURCES];
    uint8_t staging[VALHALL_STAGINGS], immediates[VALHALL_IMMEDIATES], modifiers[VALHALL_MODIFIERS];
    valhall_lift_fn *lift;
    const char *group, *doc;
};

#define LIST(...) {__VA_ARGS__}
#define SPEC(name_, opcode_, second_, unit_, result_, sources_, staging_, immediates_, modifiers_, provenance_, lift_, \
             group_, doc_)                                                                                             \
    {.name = name_,                                                                                                    \
     .opcode = opcode_,                                                                                                \
     .second = second_,                                                                                                \
     .unit = unit_,                                                                                                    \
     .result = result_,                                                                                                \
     .provenance = provenance_,                                                                                        \
     .sources = LIST sources_,                                                                                         \
     .staging = LIST staging_,                                                                                         \
     .immediates = LIST immediates_,                                                                                   \
     .modifiers = LIST modifiers_,                                                                                     \
     .lift = lift_,                                                                                                    \
     .group = group_,                                                                                                  \
     .doc = doc_},
#define TYPED(base, type, ...) SPEC(#base "." #type, __VA_ARGS__)
#define PLAIN(base, ...) SPEC(#base, __VA_ARGS__)
static const struct spec specs[VALHALL_OPS] = {
#include "isa/valhall/rows.inc"
};
#undef TYPED
#undef PLAIN

/* ---- working them out ---- */

/* Bits of the type that a name ends in: its last digits, 32 when there are none. */
static uint8_t type_size(const char *name)
{
    static const struct {
        const char *end;
        uint8_t size;
    } ends[] = {{"128", 128}, {"64", 64}, {"48", 48}, {"32", 32}, {"96", 96}, {"24", 24}, {"16", 16}, {"8", 8}};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        size_t n = strlen(ends[i].end);
        if (length > n && strcmp(name + length - n, ends[i].end) == 0)
            return ends[i].size;
    }
    return 32;
}

static uint8_t select_by_size(uint8_t size)
{
    return size == 8    ? VALHALL_SELECT_SWIZZLE8
           : size == 16 ? VALHALL_SELECT_SWIZZLE16
           : size == 64 ? VALHALL_SELECT_SWIZZLE64
                        : VALHALL_SELECT_SWIZZLE32;
}

/* The word after the operand of source `number`, and where its field is. */
static void set_select(struct valhall_source_rule *s, unsigned number, uint32_t spec)
{
    static const uint8_t wide_at[] = {36, 26};
    if ((spec & SWIZZLE) == SWIZZLE) {
        s->select = s->size == 16 ? VALHALL_SELECT_SWIZZLE16_2 : VALHALL_SELECT_WIDEN;
        s->select_at = (uint8_t)(28 - 2 * number);
    } else if ((spec & LANE) == LANE || (spec & LANE_AT_28) == LANE_AT_28) {
        s->select = s->size == 16 ? VALHALL_SELECT_LANE16 : VALHALL_SELECT_LANE8;
        s->select_at = (spec & LANE_AT_28) == LANE_AT_28 ? 28 : number == 0 ? 38 : 36;
    } else if ((spec & COMBINE) == COMBINE) {
        s->select = VALHALL_SELECT_COMBINE;
        s->select_at = 37;
    } else if (number < 2 && (spec & (WIDEN | LANES | HALVES) & ~(uint32_t)X)) {
        s->select = (spec & LANES) == LANES     ? VALHALL_SELECT_LANES8
                    : (spec & HALVES) == HALVES ? VALHALL_SELECT_HALF8
                                                : select_by_size(s->size);
        s->select_at = wide_at[number];
    }
}

static void set_sources(struct valhall_row *row, const struct spec *spec)
{
    unsigned at = 0;
    for (unsigned i = 0; i < VALHALL_SOURCES && spec->sources[i]; i++) {
        uint32_t flags = spec->sources[i];
        struct valhall_source_rule *s = &row->src[row->nsrc++];
        s->size = flags >> 16 ? (uint8_t)(flags >> 16) : row->size;
        s->at = (uint8_t)at;
        set_select(s, i, flags);
        if ((flags & ABSNEG) == ABSNEG) {
            s->neg = (uint8_t)(38 - 2 * i);
            s->abs = (uint8_t)(39 - 2 * i);
        }
        if ((flags & NOT) == NOT)
            s->invert = 35;
        /* A 64-bit source of an instruction that is not one takes two slots: BLEND, ST_CVT, VAR_TEX. */
        at += s->size == 64 && row->size != 64 ? 16 : 8;
    }
}

static bool begins(const char *name, const char *start)
{
    return strncmp(name, start, strlen(start)) == 0;
}

/* Where the secondary opcode stands. */
static void set_second(struct valhall_row *row, const struct spec *spec)
{
    row->second = spec->second < NONE ? spec->second : NONE;
    if (spec->second == NONE)
        return;
    row->second_at = (uint8_t)(row->nsrc > 2 ? 8 * row->nsrc : 16);
    row->second_mask = 0xF;
    if (row->nsrc == 3 && row->src[1].select != VALHALL_SELECT_NONE)
        row->second_mask = 0x3; /* the second source's field begins at bit 26 */
    if (row->opcode == 0x90)
        row->second_mask = 0x1F;
    if (begins(row->name, "LSHIFT") || begins(row->name, "RSHIFT"))
        row->second_mask |= 0x100;
    /* Opcodes that are the memory's width, or the type of descriptor. */
    if (begins(row->name, "LOAD.") || begins(row->name, "STORE.") || begins(row->name, "LD_BUFFER.") ||
        begins(row->name, "ATOM")) {
        row->second_at = 27;
        row->second_mask = 0x7;
    } else if (valhall_is_message(row->unit)) {
        row->second_at = 37;
        row->second_mask = 0x3;
    }
}

static void set_row(struct valhall_row *row, const struct spec *spec)
{
    *row = (struct valhall_row){.name = spec->name,
                                .group = spec->group,
                                .doc = spec->doc,
                                .opcode = spec->opcode,
                                .also = spec->opcode == 0xAA ? 0x1A2 : 0,
                                .unit = spec->unit,
                                .size = type_size(spec->name),
                                .provenance = spec->provenance,
                                .has_dst = spec->result == RESULT,
                                .lift = spec->lift};
    for (; row->nstaging < VALHALL_STAGINGS && spec->staging[row->nstaging]; row->nstaging++)
        row->staging[row->nstaging] = stagings[spec->staging[row->nstaging]];
    for (; row->nimm < VALHALL_IMMEDIATES && spec->immediates[row->nimm]; row->nimm++)
        row->imm[row->nimm] = immediates[spec->immediates[row->nimm]];
    for (; row->nmods < VALHALL_MODIFIERS && spec->modifiers[row->nmods]; row->nmods++)
        row->mods[row->nmods] = (uint8_t)(spec->modifiers[row->nmods] - 1);
    row->spelling = valhall_has_modifier(row, VALHALL_MOD_AND);
    set_sources(row, spec);
    set_second(row, spec);
}

/* ---- the fields of a row's words ---- */

static void add_field(struct valhall_layout *l, struct valhall_field field)
{
    unsigned i = l->nfields++;
    for (; i > 0 && l->fields[i - 1].at < field.at; i--)
        l->fields[i] = l->fields[i - 1];
    l->fields[i] = field;
    if (!field.name) {
        l->mask |= ((1ull << field.size) - 1) << field.at;
        l->value |= field.value << field.at;
    }
    if (field.allowed) {
        l->checks[l->nchecks].at = field.at;
        l->checks[l->nchecks].mask = (uint8_t)((1u << field.size) - 1);
        l->checks[l->nchecks++].allowed = field.allowed;
    }
}

static uint16_t reserved(uint16_t allowed, unsigned size)
{
    return allowed == (1u << (1u << size)) - 1 ? 0 : allowed;
}

static void add_modifier(struct valhall_layout *l, enum valhall_modifier_id id)
{
    const struct valhall_modifier *m = &valhall_modifiers[id];
    uint16_t allowed = 0;
    for (unsigned v = 0; m->values && v < 1u << m->size; v++)
        if (m->values[v])
            allowed |= (uint16_t)(1u << v);
    add_field(l, (struct valhall_field){m->name, m->start, m->size, 0, reserved(allowed, m->size)});
}

static void add_select(struct valhall_layout *l, const struct valhall_source_rule *s)
{
    unsigned bits;
    int initial;
    const struct valhall_pick *picks = valhall_picks(s->select, &bits, &initial);
    uint16_t allowed = 0;
    for (unsigned v = 0; v < 1u << bits; v++)
        if (picks[v].name)
            allowed |= (uint16_t)(1u << v);
    add_field(l, (struct valhall_field){valhall_select_names[s->select], s->select_at, (uint8_t)bits, 0,
                                        reserved(allowed, bits)});
}

static void add_sources(struct valhall_layout *l, const struct valhall_row *row)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    static const char *const negs[] = {"neg_a", "neg_b", "neg_c"}, *const abses[] = {"abs_a", "abs_b", "abs_c"};
    for (unsigned i = 0; i < row->nsrc; i++) {
        const struct valhall_source_rule *s = &row->src[i];
        add_field(l, (struct valhall_field){names[i], s->at, 8, 0, 0});
        l->sources |= 0x80u << s->at;
        if (s->select)
            add_select(l, s);
        if (s->neg)
            add_field(l, (struct valhall_field){negs[i], s->neg, 1, 0, 0});
        if (s->abs)
            add_field(l, (struct valhall_field){abses[i], s->abs, 1, 0, 0});
        if (s->invert)
            add_field(l, (struct valhall_field){"not", s->invert, 1, 0, 0});
    }
}

/* Bits 40..47: the destination, or the base of staging registers and what is done with them, or neither. */
static void add_registers(struct valhall_layout *l, const struct valhall_row *row)
{
    if (row->has_dst) {
        add_field(l, (struct valhall_field){"dst", 40, 6, 0, 0});
        add_field(l, (struct valhall_field){"halves", 46, 2, 0, 0xE});
    }
    for (unsigned i = 0; i < row->nstaging; i++) {
        const struct valhall_staging_rule *s = &row->staging[i];
        add_field(l, (struct valhall_field){s->write ? "w" : "r", s->at, 6, 0, 0});
        add_field(l, (struct valhall_field){s->count_at == 36 ? "nw" : "n", s->count_at, 3, 0, 0});
        if (s->flags)
            add_field(l, (struct valhall_field){NULL, 46, 2, s->flags, 0});
    }
    if (!row->has_dst && !row->nstaging)
        add_field(l, (struct valhall_field){NULL, 46, 2, 3, 0});
}

static void add_second(struct valhall_layout *l, const struct valhall_row *row)
{
    if (row->second == NONE || row->spelling)
        return;
    unsigned low = row->second_mask & 0x1F;
    uint8_t size = (uint8_t)(low > 15 ? 5 : low > 7 ? 4 : low > 3 ? 3 : 2);
    add_field(l, (struct valhall_field){NULL, row->second_at, size, row->second & low, 0});
    if (row->second_mask & 0x100)
        add_field(l, (struct valhall_field){NULL, 32, 1, row->second >> 8, 0});
}

/* What is left is zero. */
static void add_gaps(struct valhall_layout *l)
{
    uint64_t used = 0;
    for (unsigned i = 0; i < l->nfields; i++)
        used |= ((1ull << l->fields[i].size) - 1) << l->fields[i].at;
    for (unsigned at = 0, end; at < 64; at = end) {
        for (end = at + 1; end < 64 && (used >> end & 1) == (used >> at & 1); end++)
            ;
        if (!(used >> at & 1))
            add_field(l, (struct valhall_field){NULL, (uint8_t)at, (uint8_t)(end - at), 0, 0});
    }
}

static void set_layout(struct valhall_layout *l, const struct valhall_row *row)
{
    uint16_t flows = 0;
    for (unsigned f = 0; f < 16; f++)
        if (valhall_flow_names[f])
            flows |= (uint16_t)(1u << f);
    *l = (struct valhall_layout){0};
    add_field(l, (struct valhall_field){"flow", 59, 4, 0, flows});
    add_field(l, (struct valhall_field){"page", 57, 2, 0, 0});
    add_field(l, (struct valhall_field){NULL, 48, 9, row->opcode, 0});
    add_second(l, row);
    add_sources(l, row);
    add_registers(l, row);
    for (unsigned i = 0; i < row->nmods; i++)
        add_modifier(l, row->mods[i]);
    for (unsigned i = 0; i < row->nimm; i++)
        add_field(l, (struct valhall_field){row->imm[i].name, row->imm[i].at, row->imm[i].size, 0, 0});
    add_gaps(l);
}

static void set_primary(struct valhall_table *t, unsigned opcode, unsigned number)
{
    const struct valhall_row *row = &t->rows[number];
    struct valhall_primary *p = &t->primaries[opcode];
    p->shift = row->second_at;
    p->mask = (uint8_t)(row->second_mask & 0x1F);
    p->left = row->second_mask >> 8;
    unsigned second = row->second == NONE ? 0 : (row->second & 0x1F) + (row->second >> 8) * 4;
    p->rows[second] = (uint16_t)(number + 1);
}

static struct valhall_table table;
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void make_table(void)
{
    for (unsigned i = 0; i < VALHALL_OPS; i++) {
        set_row(&table.rows[i], &specs[i]);
        set_layout(&table.layouts[i], &table.rows[i]);
        if (specs[i].second != SPELLING)
            set_primary(&table, table.rows[i].opcode, i);
        if (table.rows[i].also)
            set_primary(&table, table.rows[i].also, i);
    }
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
