/* table.c - the rows and their forms, compiled once, and the look-up of bytes; the values of fields. */
#include "isa/rogue/lift.h"
#include "isa/rogue/template.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows and forms as written ---- */

#define DIFFERENCES_FILE "isa/rogue/differences.inc"
#define DIFFERENCES_LIST rogue_differences
#include "isa/differences.h"

#define KNOWN    ISA_KNOWN
#define INFERRED ISA_INFERRED
enum {
#define UNIT(id, ...) id = 1 << ROGUE_##id,
#include "isa/rogue/units.inc"
#undef UNIT
};
enum {
#define TRAIT(id) id = ROGUE_##id,
#include "isa/rogue/traits.inc"
#undef TRAIT
};
#define FLOW(flow)     ((uint64_t)WEFT_FLOW_##flow << ROGUE_FLOW_AT)
#define EFFECT(effect) ((uint64_t)WEFT_EFFECT_##effect << ROGUE_EFFECTS_AT)
#define STAGES(stage)  (UINT64_C(1) << (ROGUE_STAGES_AT + IR_##stage))
#define ARG(argument)  ((uint64_t)(argument) << ROGUE_ARGUMENT_AT)
#define MASKS(how)     (FLOW(MASK) | ROGUE_WRITES_PE | ARG(ROGUE_CND_##how))
#define SUMS           (ROGUE_SUMS | ROGUE_FLOATS)
#define ASKS           (ROGUE_ASKS | EFFECT(MESSAGE))
#define LARGE          (ROGUE_LARGE | ROGUE_INTEGERS)
#define LOADS          (ASKS | EFFECT(READS_MEMORY))
#define STORES         (ASKS | EFFECT(WRITES_MEMORY))
#define ATOMIC         (LOADS | STORES | EFFECT(ATOMIC))
#define WRITES_VERTEX  (STAGES(VERTEX) | STAGES(TESS_CTRL) | STAGES(TESS_EVAL) | STAGES(GEOMETRY) | EFFECT(OUTPUT))
#define EMITS          (WRITES_VERTEX | FLOW(EMIT) | ARG(ROGUE_UVSW_EMITS))
#define CUTS           (STAGES(GEOMETRY) | FLOW(EMIT) | EFFECT(OUTPUT) | ARG(ROGUE_UVSW_CUTS))
_Static_assert(ROGUE_TRAITS <= ROGUE_EFFECTS_AT && IR_STAGES == 6, "the stages have their bits among the traits");

#define rogue_lift_none NULL
static const struct rogue_row rows[ROGUE_OPS] = {
#define ROW(id, name_, units_, forms_, text_, traits_, provenance_, lift_, group_, doc_)                               \
    [ROGUE_OP_##id] = {.name = name_,                                                                                  \
                       .text = text_,                                                                                  \
                       .units = units_,                                                                                \
                       .op = ROGUE_OP_##id,                                                                            \
                       .traits = (uint64_t)(traits_),                                                                  \
                       .provenance = provenance_,                                                                      \
                       .weft = (int)(provenance_) == ISA_INFERRED,                                                     \
                       .forms = forms_,                                                                                \
                       .group = group_,                                                                                \
                       .doc = doc_,                                                                                    \
                       .lift = rogue_lift_##lift_},
#include "isa/rogue/rows.inc"
#undef ROW
};
#undef rogue_lift_none

const struct rogue_row *rogue_rows(void)
{
    return rows;
}

static const struct {
    const char *name, *pattern;
    size_t length; /* of the name */
    uint8_t ctrlop, misc;
    bool sources;
} forms[] = {
#define FORM(name, pattern) {#name, pattern, sizeof #name - 1, 0xFF, ROGUE_MISC_NONE, false},
#define CONTROL(name, ctrlop, misc, sources, pattern)                                                                  \
    {#name, pattern, sizeof #name - 1, ctrlop, ROGUE_MISC_##misc, sources},
#include "isa/rogue/forms.inc"
#undef CONTROL
#undef FORM
};
enum { FORMS = sizeof forms / sizeof forms[0] };
_Static_assert((int)FORMS <= (int)ROGUE_FORMS, "room for all forms");

/* ---- compiling: what is at fault is left out, and tests find it by its name ---- */

static struct rogue_table table;
static pthread_once_t made = PTHREAD_ONCE_INIT;
static char fault[160];

void rogue_note_fault(const char *name, const char *what)
{
    if (!fault[0])
        snprintf(fault, sizeof fault, "%s %s", name, what);
}

/* Bytes are written first to last; patterns are read from the most significant bit. */
bool rogue_reverse_bytes(const char *text, char *out, size_t size)
{
    size_t n = 0;
    for (const char *end = text + strlen(text), *p = end; p > text;) {
        const char *begin = p;
        while (begin > text && begin[-1] != '|')
            begin--;
        size_t length = (size_t)(p - begin);
        if (n + length + 2 > size)
            return false;
        for (size_t i = 0; i < length; i++)
            if (begin[i] != '_')
                out[n++] = begin[i];
        out[n++] = ' ';
        p = begin > text ? begin - 1 : begin;
    }
    out[n] = '\0';
    return true;
}

/* NULL, or what is wrong with it. */
static const char *compile_form(struct rogue_form *f, size_t number)
{
    const char *name = forms[number].name, *pattern = forms[number].pattern;
    char text[512];
    const char *wrong;
    size_t length = forms[number].length;
    memset(f->slot, -1, sizeof f->slot);
    if (length >= sizeof f->name)
        return "has too long a name";
    memcpy(f->name, name, length);
    f->weft = strncmp(name, "weft_", 5) == 0;
    f->ctrlop = forms[number].ctrlop;
    f->misc = forms[number].misc;
    f->sources = forms[number].sources;
    if (*pattern) {
        if (!rogue_reverse_bytes(pattern, text, sizeof text) || !pattern_compile(text, &f->pattern, &wrong) ||
            f->pattern.bits % 8)
            return "is not a pattern of whole bytes";
    }
    f->bytes = (uint8_t)(f->pattern.bits / 8);
    for (int i = 0; i < f->pattern.nfields; i++) {
        int field = rogue_find_field(f->pattern.field[i].name, strlen(f->pattern.field[i].name));
        if (field < 0)
            return "names a field that does not exist";
        f->slot[field] = (int8_t)i;
        f->field[i] = (uint8_t)field;
    }
    return NULL;
}

static const struct rogue_form *find_form(const char *name, size_t length)
{
    for (size_t i = 0; i < FORMS; i++)
        if (forms[i].length == length && memcmp(forms[i].name, name, length) == 0)
            return &table.forms[i];
    return NULL;
}

/* The bits of a field that are set in `value`. */
static struct pattern_word bits_of(const struct pattern_field *f, uint64_t value)
{
    struct pattern_word w = {{0}};
    pattern_set(f, &w, value);
    return w;
}

static bool fix(struct rogue_variant *v, const char *name, size_t length, uint64_t value, uint64_t bits)
{
    int field = rogue_find_field(name, length);
    if (field < 0 || v->form->slot[field] < 0)
        return false;
    const struct pattern_field *f = &v->form->pattern.field[v->form->slot[field]];
    struct pattern_word mask = bits_of(f, bits), set = bits_of(f, value);
    for (int i = 0; i < 2; i++) {
        v->mask.w[i] |= mask.w[i];
        v->value.w[i] |= set.w[i] & mask.w[i];
    }
    return true;
}

static uint64_t number(const char **p)
{
    uint64_t n = 0;
    while (**p >= '0' && **p <= '9')
        n = 10 * n + (uint64_t)(*(*p)++ - '0');
    return n;
}

/* "form:field=value,field=value/mask". NULL when it names a form or field that does not exist. */
static const char *compile_variant(const char *p, struct rogue_variant *v)
{
    size_t length = strcspn(p, ": ");
    v->form = find_form(p, length);
    if (!v->form)
        return NULL;
    v->mask = v->form->pattern.mask;
    v->value = v->form->pattern.value;
    v->bytes = v->form->bytes;
    v->weft = v->form->weft || v->row->weft;
    for (unsigned i = 0; i < v->bytes; i++)
        v->used.w[i >> 3] |= UINT64_C(0xFF) << 8 * (i & 7);
    p += length;
    while (*p == ':' || *p == ',') {
        const char *name = ++p;
        length = strcspn(p, "=");
        p += length + 1;
        uint64_t value = number(&p), bits = ~UINT64_C(0);
        if (*p == '/') {
            p++;
            bits = number(&p);
        }
        if (!fix(v, name, length, value, bits))
            return NULL;
    }
    return p + strspn(p, " ");
}

/* Codes of a field that have a meaning. */
static uint64_t valid_codes(const struct rogue_form *form, enum rogue_field field)
{
    const struct rogue_field_info *info = &rogue_fields[field];
    enum { SOURCES_MASK = (1 << ROGUE_SOURCES) - 1 };
    if (rogue_is_sop_argument(field))
        return rogue_sop_valid(form);
    if (info->type == ROGUE_SOURCE)
        return SOURCES_MASK;
    if (info->type != ROGUE_WORDS)
        return ~UINT64_C(0);
    uint64_t valid = 0;
    for (unsigned code = 0; info->words[code]; code++)
        valid |= (uint64_t)(info->words[code][0] || code == info->initial) << code;
    return valid;
}

static void make_start(struct rogue_variant *v)
{
    const struct rogue_form *f = v->form;
    for (int i = 0; i < f->pattern.nfields; i++)
        pattern_set(&f->pattern.field[i], &v->start, rogue_initial_code((enum rogue_field)f->field[i]));
    for (int i = 0; i < 2; i++)
        v->start.w[i] = (v->start.w[i] & ~v->mask.w[i]) | v->value.w[i];
}

/* Is there a bit of the field that the row leaves open? */
static bool is_open(const struct rogue_variant *v, const struct pattern_field *f)
{
    struct pattern_word bits = bits_of(f, ~UINT64_C(0));
    return (bits.w[0] & ~v->mask.w[0]) | (bits.w[1] & ~v->mask.w[1]);
}

static void add_checks(struct rogue_variant *v)
{
    v->checks = &table.checks[table.nchecks];
    for (uint8_t slot = 0; slot < v->form->pattern.nfields; slot++) {
        const struct pattern_field *f = &v->form->pattern.field[slot];
        enum rogue_field field = (enum rogue_field)v->form->field[slot];
        uint64_t valid = valid_codes(v->form, field);
        uint64_t all = f->width < 6 ? (UINT64_C(1) << (1u << f->width)) - 1 : ~UINT64_C(0);
        v->weft_codes |= (field == ROGUE_F_PCK_FORMAT || field == ROGUE_F_TYPE);
        if (field == ROGUE_F_P2END)
            v->p2end = (uint16_t)bits_of(f, 1).w[0];
        if ((valid & all) == all || !is_open(v, f))
            continue;
        if (table.nchecks >= ROGUE_CHECKS) {
            rogue_note_fault(v->row->name, "has one field too many to check");
            return;
        }
        table.checks[table.nchecks++] = (struct rogue_code_check){slot, valid};
        v->nchecks++;
    }
}

static uint8_t ports_of(const struct rogue_template *t)
{
    uint8_t ports = 0;
    for (int i = 0; i < t->noperands; i++)
        if (t->operands[i].kind == ROGUE_ON_PORT && !t->operands[i].optional)
            ports |= (uint8_t)(1u << t->operands[i].n);
    return ports;
}

/* Which bits say that P0 is read or written: fields with the word p0, and the condition of conditionals, which is P0 or
 * not P0 where its lower bit is set. */
static void find_p0(struct rogue_variant *v, const struct rogue_template *t)
{
    for (int i = 0; i < t->noperands; i++) {
        const struct rogue_operand *o = &t->operands[i];
        bool writes = o->access.how & ROGUE_WRITE;
        if (o->length != 2 || memcmp(o->word, "p0", 2) != 0)
            continue;
        int slot = o->kind == ROGUE_ON_OPTION ? v->form->slot[o->field] : -1;
        *(writes ? &v->always_writes_p0 : &v->always_reads_p0) |= o->kind == ROGUE_ON_WORD;
        if (slot >= 0)
            *(writes ? &v->writes_p0 : &v->reads_p0) |= bits_of(&v->form->pattern.field[slot], 1).w[0];
    }
    if (v->form->slot[ROGUE_F_PCND] >= 0)
        v->reads_p0 |= bits_of(&v->form->pattern.field[v->form->slot[ROGUE_F_PCND]], 1).w[0];
}

/* ---- the look-up ---- */

/* Shorter ones first; then more fixed bits; then by number. */
static uint32_t rank_of(uint16_t number)
{
    const struct rogue_variant *v = &table.variants[number];
    int fixed = __builtin_popcountll(v->mask.w[0]) + __builtin_popcountll(v->mask.w[1]);
    return (uint32_t)v->bytes << 24 | (uint32_t)(255 - fixed) << 16 | number;
}

static int by_rank(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The keys that a variant is looked up by in a unit: control operations by their number in the header, the others by
 * their first byte. They are `value` with every choice of the bits that are open. */
struct keys {
    unsigned value, open;
};
static struct keys keys_of(const struct rogue_variant *v, unsigned unit)
{
    if (unit == ROGUE_CTRL)
        return (struct keys){v->form->ctrlop, 0};
    return (struct keys){v->value.w[0] & 0xFF, ~(unsigned)v->mask.w[0] & 0xFF};
}

/* Enter the variants in the order of their ranks: first count those of each key, then put them. */
static void make_lookup(struct rogue_lookup *l, unsigned unit, const uint32_t *ranks)
{
    uint16_t next[256];
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned i = 0; i < table.nvariants; i++) {
            uint16_t number = (uint16_t)ranks[i];
            const struct rogue_variant *v = &table.variants[number];
            if (!(v->row->units >> unit & 1))
                continue;
            struct keys keys = keys_of(v, unit);
            unsigned choice = keys.open;
            do {
                unsigned key = keys.value | choice;
                if (pass)
                    l->variant[next[key]++] = number;
                else
                    l->first[key + 1]++;
                choice = (choice - 1) & keys.open;
            } while (choice != keys.open);
        }
        for (unsigned key = 0; !pass && key < 256; key++) {
            l->first[key + 1] = (uint16_t)(l->first[key + 1] + l->first[key]);
            next[key] = l->first[key];
        }
        if (l->first[256] > sizeof l->variant / sizeof l->variant[0]) {
            rogue_note_fault(rogue_units[unit].title, "has more instructions than the look-up has room for");
            return;
        }
    }
}

/* The forms of a row; false when something in it is at fault. */
static bool make_variants(uint16_t op)
{
    const char *p = rows[op].forms;
    for (uint8_t number = 0; p && *p; number++) {
        if (table.nvariants >= ROGUE_VARIANTS)
            return false;
        struct rogue_variant *v = &table.variants[table.nvariants];
        v->row = &rows[op];
        v->number = number;
        p = compile_variant(p, v);
        if (!p)
            return false;
        table.nvariants++;
        add_checks(v);
        make_start(v);
        v->reads = ports_of(&table.templates[op]);
        find_p0(v, &table.templates[op]);
    }
    return true;
}

static void make_table(void)
{
    for (size_t i = 0; i < FORMS; i++) {
        const char *wrong = compile_form(&table.forms[i], i);
        if (wrong)
            rogue_note_fault(forms[i].name, wrong);
    }
    for (uint16_t op = 0; op < ROGUE_OPS; op++) {
        table.first[op] = table.nvariants;
        if (!rogue_template_compile(rows[op].text, &table.templates[op]))
            rogue_note_fault(rows[op].name, "has a text that is not a template");
        else if (!make_variants(op))
            rogue_note_fault(rows[op].name, "names a form or field that does not exist, or has too many forms");
    }
    uint32_t ranks[ROGUE_VARIANTS];
    for (uint16_t i = 0; i < table.nvariants; i++)
        ranks[i] = rank_of(i);
    qsort(ranks, table.nvariants, sizeof ranks[0], by_rank);
    for (unsigned unit = 0; unit < ROGUE_UNITS; unit++)
        make_lookup(&table.lookup[unit], unit, ranks);
    rogue_make_ports(table.ports);
}

const char *rogue_table_fault(void)
{
    rogue_table();
    rogue_know_names(); /* the names and aliases too */
    return fault[0] ? fault : NULL;
}

const struct rogue_table *rogue_table(void)
{
    pthread_once(&made, make_table);
    return &table;
}

unsigned rogue_nforms(unsigned op)
{
    const struct rogue_table *t = rogue_table();
    return (unsigned)(op + 1 < ROGUE_OPS ? t->first[op + 1] : t->nvariants) - t->first[op];
}

/* ---- fields of an instruction ---- */

/* The addend's element of 8 and 16 bit integers: pairs 0, 1 and 2, 3 are two operations. */
static unsigned long long addend_element(const struct rogue_variant *v, const struct pattern_word *bits)
{
    return (rogue_code(v, bits, ROGUE_F_INT8_16_OP) & 1) * 2 + rogue_code(v, bits, ROGUE_F_S2CH);
}

unsigned long long rogue_code(const struct rogue_variant *v, const struct pattern_word *bits, enum rogue_field field)
{
    if (field == ROGUE_F_S2ELEM)
        return addend_element(v, bits);
    int slot = v->form->slot[field];
    return slot < 0 ? rogue_initial_code(field) : pattern_get(&v->form->pattern.field[slot], bits);
}

bool rogue_set(const struct rogue_variant *v, struct pattern_word *bits, enum rogue_field field, uint64_t code)
{
    if (field == ROGUE_F_S2ELEM)
        return rogue_set(v, bits, ROGUE_F_INT8_16_OP, 2 | code >> 1) && rogue_set(v, bits, ROGUE_F_S2CH, code & 1);
    int slot = v->form->slot[field];
    if (slot < 0)
        return code == rogue_initial_code(field);
    if (!pattern_fits(&v->form->pattern.field[slot], code))
        return false;
    pattern_set(&v->form->pattern.field[slot], bits, code);
    return true;
}

bool rogue_rewrite(const struct rogue_variant *v, const struct pattern_word *from, const struct rogue_variant *shorter,
                   struct pattern_word *bits)
{
    *bits = shorter->start;
    for (int i = 0; i < v->form->pattern.nfields; i++)
        if (!rogue_set(shorter, bits, (enum rogue_field)v->form->field[i],
                       pattern_get(&v->form->pattern.field[i], from)))
            return false;
    return rogue_matches(shorter, bits);
}

unsigned rogue_shortest(const struct rogue_insn *insn)
{
    const struct rogue_table *t = rogue_table();
    const struct rogue_variant *v = rogue_variant_of(t, insn);
    struct pattern_word bits;
    for (unsigned form = 0; form < insn->form; form++)
        if (rogue_rewrite(v, &insn->bits, v - insn->form + form, &bits))
            return form;
    return insn->form;
}

bool rogue_waits_itself(const struct rogue_insn *insn)
{
    enum { SCHEDWDF = 2 };
    return rogue_has_field(insn, ROGUE_F_SCHED_CTRL) && rogue_get(insn, ROGUE_F_SCHED_CTRL) == SCHEDWDF;
}

bool rogue_has_field(const struct rogue_insn *insn, enum rogue_field field)
{
    return rogue_variant_of(rogue_table(), insn)->form->slot[field] >= 0;
}

int64_t rogue_get(const struct rogue_insn *insn, enum rogue_field field)
{
    const struct rogue_variant *v = rogue_variant_of(rogue_table(), insn);
    uint64_t code = rogue_code(v, &insn->bits, field);
    int slot = v->form->slot[field];
    switch ((enum rogue_field_type)rogue_fields[field].type) {
    case ROGUE_WRAP:
        return code ? (int64_t)code : 16;
    case ROGUE_PLUS1:
        return (int64_t)code + 1;
    case ROGUE_TIMES4:
        return (int64_t)code * 4;
    case ROGUE_BYTES:
        return slot < 0 ? 0 : pattern_sign_extend(code << 1, 32);
    default:
        return (int64_t)code;
    }
}
