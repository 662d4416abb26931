/* table.c - the rows, their forms and the look-up of bytes. */
#include "isa/rogue/lift.h"
#include "isa/rogue/template.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- fields ---- */

#define ANY 0xFF
#define NONE NULL
#define WORDS(...) (const char *const[]){__VA_ARGS__, NULL}
const struct rogue_field_info rogue_fields[ROGUE_FIELDS] = {
#define FIELD(id, name, type, initial, words) [ROGUE_F_##id] = {name, type, (uint8_t)(initial), words},
#include "isa/rogue/fields.inc"
#undef FIELD
};
#undef WORDS
#undef NONE
#undef ANY

/* Fields by their names, in a table with free places: number of the field and 1, 0 where there is none. Underscores do
 * not count: to patterns they are blanks. */
enum { NAMES = 1024 };
static uint8_t by_name[NAMES];
static pthread_once_t named = PTHREAD_ONCE_INIT;
_Static_assert(ROGUE_FIELDS < UINT8_MAX, "a byte holds the number of a field");

static unsigned hash(const char *word, size_t length)
{
    uint32_t h = 2166136261u;
    for (const char *end = word + length; word < end; word++)
        if (*word != '_')
            h = (h ^ (unsigned char)*word) * 16777619u;
    return (h ^ h >> 15) % NAMES;
}

static bool same_name(const char *name, const char *word, size_t length)
{
    const char *end = word + length;
    for (; word < end; word++)
        if (*word != '_') {
            name += *name == '_';
            if (*name++ != *word)
                return false;
        }
    return *name == '\0';
}

static void name_fields(void)
{
    for (unsigned i = 0; i < ROGUE_FIELDS; i++) {
        unsigned at = hash(rogue_fields[i].name, strlen(rogue_fields[i].name));
        while (by_name[at])
            at = (at + 1) % NAMES;
        by_name[at] = (uint8_t)(i + 1);
    }
}

int rogue_find_field(const char *name, size_t length)
{
    pthread_once(&named, name_fields);
    for (unsigned at = hash(name, length); by_name[at]; at = (at + 1) % NAMES)
        if (same_name(rogue_fields[by_name[at] - 1].name, name, length))
            return by_name[at] - 1;
    return -1;
}

/* ---- rows and forms as written ---- */

#define DIFFERENCES_FILE "isa/rogue/differences.inc"
#define DIFFERENCES_LIST rogue_differences
#include "isa/differences.h"

#define KNOWN ISA_KNOWN
#define INFERRED ISA_INFERRED
enum {
    P0 = 1 << ROGUE_P0, P1 = 1 << ROGUE_P1, PCK = 1 << ROGUE_PCK, TST = 1 << ROGUE_TST, MOV = 1 << ROGUE_MOV,
    BACKEND = 1 << ROGUE_BACKEND, BITMASK = 1 << ROGUE_BITMASK, SHIFT1 = 1 << ROGUE_SHIFT1, COUNT = 1 << ROGUE_COUNT,
    LOGICAL_UNIT = 1 << ROGUE_LOGICAL, SHIFT2 = 1 << ROGUE_SHIFT2, BITTEST = 1 << ROGUE_BITTEST, CTRL = 1 << ROGUE_CTRL
};

#define rogue_lift_none NULL
static const struct rogue_row rows[ROGUE_OPS] = {
#define ROW(id, name_, units_, forms_, text_, provenance_, lift_, group_, doc_)                                        \
    [ROGUE_OP_##id] = {.name = name_,                                                                                  \
                       .text = text_,                                                                                  \
                       .units = units_,                                                                                \
                       .op = ROGUE_OP_##id,                                                                            \
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
    size_t length;             /* of the name */
} forms[] = {
#define FORM(name, pattern) {#name, pattern, sizeof #name - 1},
#include "isa/rogue/forms.inc"
#undef FORM
};
enum { FORMS = sizeof forms / sizeof forms[0] };
_Static_assert((int)FORMS <= (int)ROGUE_FORMS, "room for all forms");

/* ---- compiling: an error in the tables is one in the program, which tests find ---- */

static struct rogue_table table;
static pthread_once_t made = PTHREAD_ONCE_INIT;

/* Bytes are written first to last; patterns are read from the most significant bit. */
void rogue_reverse_bytes(const char *text, char *out, size_t size)
{
    size_t n = 0;
    for (const char *end = text + strlen(text), *p = end; p > text;) {
        const char *begin = p;
        while (begin > text && begin[-1] != '|')
            begin--;
        size_t length = (size_t)(p - begin);
        if (n + length + 2 > size)
            abort();
        for (size_t i = 0; i < length; i++)
            if (begin[i] != '_')
                out[n++] = begin[i];
        out[n++] = ' ';
        p = begin > text ? begin - 1 : begin;
    }
    out[n] = '\0';
}

/* Encoding, section 2. */
static uint8_t ctrlop_of(const char *form)
{
    static const char *const names[16] = {"branch", "lapc", "savl",  "cnd", "wop",  "wdf",        "mutex", "nop",
                                          "itrsmp", "uniq", "fetch", "sbo", "ditr", "weft_bpret", "14",    "15"};
    for (uint8_t i = 0; i < 16; i++)
        if (strncmp(form, names[i], strlen(names[i])) == 0)
            return i;
    return 0xFF;
}

static void compile_form(struct rogue_form *f, const char *name, const char *pattern)
{
    char text[512];
    const char *wrong;
    size_t length = strlen(name);
    if (length >= sizeof f->name)
        abort();
    memcpy(f->name, name, length);
    memset(f->slot, -1, sizeof f->slot);
    f->weft = strncmp(name, "weft_", 5) == 0;
    f->ctrlop = ctrlop_of(name);
    if (*pattern) {
        rogue_reverse_bytes(pattern, text, sizeof text);
        if (!pattern_compile(text, &f->pattern, &wrong) || f->pattern.bits % 8)
            abort();
    }
    f->bytes = (uint8_t)(f->pattern.bits / 8);
    for (int i = 0; i < f->pattern.nfields; i++) {
        int field = rogue_find_field(f->pattern.field[i].name, strlen(f->pattern.field[i].name));
        if (field < 0)
            abort();
        f->slot[field] = (int8_t)i;
        f->field[i] = (uint8_t)field;
    }
}

static const struct rogue_form *find_form(const char *name, size_t length)
{
    for (size_t i = 0; i < FORMS; i++)
        if (forms[i].length == length && memcmp(forms[i].name, name, length) == 0)
            return &table.forms[i];
    abort();
}

/* The bits of a field that are set in `value`. */
static struct pattern_word bits_of(const struct pattern_field *f, uint64_t value)
{
    struct pattern_word w = {{0}};
    pattern_set(f, &w, value);
    return w;
}

static void fix(struct rogue_variant *v, const char *name, size_t length, uint64_t value, uint64_t bits)
{
    int field = rogue_find_field(name, length);
    if (field < 0 || v->form->slot[field] < 0)
        abort();
    const struct pattern_field *f = &v->form->pattern.field[v->form->slot[field]];
    struct pattern_word mask = bits_of(f, bits), set = bits_of(f, value);
    for (int i = 0; i < 2; i++) {
        v->mask.w[i] |= mask.w[i];
        v->value.w[i] |= set.w[i] & mask.w[i];
    }
}

static uint64_t number(const char **p)
{
    uint64_t n = 0;
    while (**p >= '0' && **p <= '9')
        n = 10 * n + (uint64_t)(*(*p)++ - '0');
    return n;
}

/* "form:field=value,field=value/mask" */
static const char *compile_variant(const char *p, struct rogue_variant *v)
{
    size_t length = strcspn(p, ": ");
    v->form = find_form(p, length);
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
        fix(v, name, length, value, bits);
    }
    return p + strspn(p, " ");
}

/* Codes of a field that have a meaning. */
static uint64_t valid_codes(enum rogue_op op, enum rogue_field field)
{
    const struct rogue_field_info *info = &rogue_fields[field];
    enum { SOURCES_MASK = (1 << ROGUE_SOURCES) - 1 };
    if (rogue_is_sop_argument(field))
        return rogue_sop_valid(op);
    if (info->type == ROGUE_SOURCE)
        return SOURCES_MASK;
    if (info->type != ROGUE_WORDS)
        return ~UINT64_C(0);
    uint64_t valid = 0;
    for (unsigned code = 0; info->words[code]; code++)
        valid |= (uint64_t)(info->words[code][0] || code == info->initial) << code;
    return valid;
}

static unsigned initial_code(enum rogue_field field)
{
    unsigned initial = rogue_fields[field].initial;
    return initial == 0xFF ? (rogue_fields[field].type == ROGUE_WRAP ? 1u : 0u) : initial;
}

static void make_start(struct rogue_variant *v)
{
    const struct rogue_form *f = v->form;
    for (int i = 0; i < f->pattern.nfields; i++)
        pattern_set(&f->pattern.field[i], &v->start, initial_code((enum rogue_field)f->field[i]));
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
        uint64_t valid = valid_codes((enum rogue_op)v->row->op, field);
        uint64_t all = f->width < 6 ? (UINT64_C(1) << (1u << f->width)) - 1 : ~UINT64_C(0);
        v->weft_codes |= (field == ROGUE_F_PCK_FORMAT || field == ROGUE_F_TYPE);
        if (field == ROGUE_F_P2END)
            v->p2end = (uint16_t)bits_of(f, 1).w[0];
        if ((valid & all) == all || !is_open(v, f))
            continue;
        if (table.nchecks >= ROGUE_CHECKS)
            abort();
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
        if (l->first[256] > sizeof l->variant / sizeof l->variant[0])
            abort();
    }
}

static void make_table(void)
{
    for (size_t i = 0; i < FORMS; i++)
        compile_form(&table.forms[i], forms[i].name, forms[i].pattern);
    for (uint16_t op = 0; op < ROGUE_OPS; op++) {
        const char *p = rows[op].forms;
        if (!rogue_template_compile(rows[op].text, &table.templates[op]))
            abort();
        table.first[op] = table.nvariants;
        for (uint8_t number = 0; *p; number++) {
            if (table.nvariants >= ROGUE_VARIANTS)
                abort();
            struct rogue_variant *v = &table.variants[table.nvariants++];
            v->row = &rows[op];
            v->number = number;
            p = compile_variant(p, v);
            add_checks(v);
            make_start(v);
            v->reads = ports_of(&table.templates[op]);
        }
    }
    uint32_t ranks[ROGUE_VARIANTS];
    for (uint16_t i = 0; i < table.nvariants; i++)
        ranks[i] = rank_of(i);
    qsort(ranks, table.nvariants, sizeof ranks[0], by_rank);
    for (unsigned unit = 0; unit < ROGUE_UNITS; unit++)
        make_lookup(&table.lookup[unit], unit, ranks);
    rogue_make_ports(table.ports);
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

/* The addend's element of 8 and 16 bit integers: pairs 0, 1 and 2, 3 are two operations (encoding, "DOUBT"). */
static unsigned long long addend_element(const struct rogue_variant *v, const struct pattern_word *bits)
{
    return (rogue_code(v, bits, ROGUE_F_INT8_16_OP) & 1) * 2 + rogue_code(v, bits, ROGUE_F_S2CH);
}

unsigned long long rogue_code(const struct rogue_variant *v, const struct pattern_word *bits, enum rogue_field field)
{
    if (field == ROGUE_F_S2ELEM)
        return addend_element(v, bits);
    int slot = v->form->slot[field];
    return slot < 0 ? initial_code(field) : pattern_get(&v->form->pattern.field[slot], bits);
}

bool rogue_set(const struct rogue_variant *v, struct pattern_word *bits, enum rogue_field field, uint64_t code)
{
    if (field == ROGUE_F_S2ELEM)
        return rogue_set(v, bits, ROGUE_F_INT8_16_OP, 2 | code >> 1) && rogue_set(v, bits, ROGUE_F_S2CH, code & 1);
    int slot = v->form->slot[field];
    if (slot < 0)
        return code == initial_code(field);
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
