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

/* The same name? Underscores do not count: to patterns they are blanks. */
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

int rogue_find_field(const char *name, size_t length)
{
    for (int i = 0; i < ROGUE_FIELDS; i++)
        if (same_name(rogue_fields[i].name, name, length))
            return i;
    return -1;
}

/* ---- rows and forms as written ---- */

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
    [ROGUE_OP_##id] = {.name = name_, .text = text_, .units = units_, .op = ROGUE_OP_##id, .provenance = provenance_,  \
                       .weft = (provenance_) == ISA_INFERRED, .forms = forms_, .group = group_, .doc = doc_,                  \
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
} forms[] = {
#define FORM(name, pattern) {#name, pattern},
#include "isa/rogue/forms.inc"
#undef FORM
};

static const char *find_form(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (strlen(forms[i].name) == length && memcmp(forms[i].name, name, length) == 0)
            return forms[i].pattern;
    return NULL;
}

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

static void fix(struct rogue_variant *v, const char *name, size_t length, uint64_t value, uint64_t bits)
{
    int field = rogue_find_field(name, length);
    if (field < 0 || v->slot[field] < 0)
        abort();
    const struct pattern_field *f = &v->pattern.field[v->slot[field]];
    uint64_t all = ~UINT64_C(0) >> (64 - f->width);
    struct pattern_word mask = {{0}}, set = {{0}};
    pattern_set(f, &mask, bits & all);
    pattern_set(f, &set, value);
    for (int i = 0; i < 2; i++) {
        v->pattern.mask.w[i] |= mask.w[i];
        v->pattern.value.w[i] |= set.w[i] & mask.w[i];
    }
}

/* "form:field=value,field=value/mask" */
static const char *compile_variant(const char *p, struct rogue_variant *v)
{
    char text[512];
    const char *wrong;
    size_t length = strcspn(p, ": ");
    const char *pattern = find_form(p, length);
    if (!pattern || length >= sizeof v->name)
        abort();
    memcpy(v->name, p, length);
    v->weft = strncmp(v->name, "weft_", 5) == 0;
    memset(v->slot, -1, sizeof v->slot);
    if (*pattern) {
        rogue_reverse_bytes(pattern, text, sizeof text);
        if (!pattern_compile(text, &v->pattern, &wrong) || v->pattern.bits % 8)
            abort();
    }
    v->bytes = (uint8_t)(v->pattern.bits / 8);
    for (unsigned i = 0; i < v->bytes; i++)
        v->used.w[i >> 3] |= UINT64_C(0xFF) << 8 * (i & 7);
    for (int i = 0; i < v->pattern.nfields; i++) {
        int field = rogue_find_field(v->pattern.field[i].name, strlen(v->pattern.field[i].name));
        if (field < 0)
            abort();
        v->slot[field] = (int8_t)i;
        v->field[i] = (uint8_t)field;
    }
    p += length;
    while (*p == ':' || *p == ',') {
        const char *name = ++p;
        length = strcspn(p, "=");
        char *end;
        uint64_t value = strtoull(p + length + 1, &end, 10), bits = ~UINT64_C(0);
        if (*end == '/')
            bits = strtoull(end + 1, &end, 10);
        fix(v, name, length, value, bits);
        p = end;
    }
    return p + strspn(p, " ");
}

/* Codes of a field that have a meaning. */
static uint64_t valid_codes(enum rogue_field field)
{
    const struct rogue_field_info *info = &rogue_fields[field];
    enum { SOURCES_MASK = (1 << ROGUE_SOURCES) - 1 };
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
    for (int i = 0; i < v->pattern.nfields; i++)
        pattern_set(&v->pattern.field[i], &v->start, initial_code((enum rogue_field)v->field[i]));
    for (int i = 0; i < 2; i++)
        v->start.w[i] = (v->start.w[i] & ~v->pattern.mask.w[i]) | v->pattern.value.w[i];
}

static void add_checks(struct rogue_variant *v)
{
    for (unsigned i = 0; i < ROGUE_FIELDS; i++) {
        int slot = v->slot[i];
        unsigned width = slot < 0 ? 0 : v->pattern.field[slot].width;
        uint64_t valid = rogue_is_sop_argument(i) ? rogue_sop_valid((enum rogue_op)v->row) : valid_codes((enum rogue_field)i);
        uint64_t all = width < 6 ? (UINT64_C(1) << (1u << width)) - 1 : ~UINT64_C(0);
        if (slot < 0 || (valid & all) == all)
            continue;
        if (v->nchecks >= ROGUE_CHECKS)
            abort();
        v->checks[v->nchecks++] = (struct rogue_code_check){(uint8_t)slot, valid};
    }
}

/* Encoding, section 2. */
static uint8_t ctrlop_of(const char *form)
{
    static const char *const names[16] = {"branch", "lapc", "savl", "cnd", "wop", "wdf", "mutex", "nop", "itrsmp",
                                          "uniq", "fetch", "sbo", "ditr", "weft_bpret", "14", "15"};
    for (uint8_t i = 0; i < 16; i++)
        if (strncmp(form, names[i], strlen(names[i])) == 0)
            return i;
    return 0xFF;
}

static uint8_t ports_of(const struct rogue_template *t)
{
    uint8_t ports = 0;
    for (int i = 0; i < t->noperands; i++)
        if (t->operands[i].kind == ROGUE_ON_PORT && !t->operands[i].optional)
            ports |= (uint8_t)(1u << t->operands[i].n);
    return ports;
}

static unsigned fixed_bits(const struct pattern *p)
{
    return (unsigned)(__builtin_popcountll(p->mask.w[0]) + __builtin_popcountll(p->mask.w[1]));
}

/* More fixed bits first; then the shorter one; then by number. */
static int by_fixed_bits(const void *a, const void *b)
{
    uint16_t i = *(const uint16_t *)a, j = *(const uint16_t *)b;
    const struct rogue_variant *x = &table.variants[i], *y = &table.variants[j];
    unsigned m = fixed_bits(&x->pattern), n = fixed_bits(&y->pattern);
    if (x->bytes == y->bytes && m != n)
        return m > n ? -1 : 1;
    return x->bytes != y->bytes ? x->bytes - y->bytes : i - j;
}

/* Control operations by their number in the header; the others by their first byte. */
static bool may_start(const struct rogue_variant *v, unsigned unit, unsigned byte)
{
    if ((rows[v->row].units >> unit & 1) == 0)
        return false;
    return unit == ROGUE_CTRL ? v->ctrlop == byte : ((byte ^ v->pattern.value.w[0]) & v->pattern.mask.w[0] & 0xFF) == 0;
}

static void make_lookup(struct rogue_lookup *l, unsigned unit)
{
    uint16_t n = 0;
    for (unsigned byte = 0; byte < 256; byte++) {
        l->first[byte] = n;
        for (uint16_t i = 0; i < table.nvariants; i++) {
            if (!may_start(&table.variants[i], unit, byte))
                continue;
            if (n >= sizeof l->variant / sizeof l->variant[0])
                abort();
            l->variant[n++] = i;
        }
        if (n > l->first[byte])
            qsort(l->variant + l->first[byte], n - l->first[byte], sizeof l->variant[0], by_fixed_bits);
    }
    l->first[256] = n;
}

static void make_table(void)
{
    for (uint16_t op = 0; op < ROGUE_OPS; op++) {
        const char *p = rows[op].forms;
        table.first[op] = table.nvariants;
        for (uint8_t form = 0; *p; form++) {
            if (table.nvariants >= ROGUE_VARIANTS || form >= ROGUE_FORMS)
                abort();
            struct rogue_variant *v = &table.variants[table.nvariants++];
            v->row = op;
            v->form = form;
            p = compile_variant(p, v);
            v->ctrlop = ctrlop_of(v->name);
            v->weft |= rows[op].weft;
            add_checks(v);
            make_start(v);
        }
        if (!rogue_template_compile(rows[op].text, &table.templates[op]))
            abort();
        table.reads[op] = ports_of(&table.templates[op]);
    }
    for (unsigned unit = 0; unit < ROGUE_UNITS; unit++)
        make_lookup(&table.lookup[unit], unit);
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
    int slot = v->slot[field];
    return slot < 0 ? initial_code(field) : pattern_get(&v->pattern.field[slot], bits);
}

bool rogue_set(const struct rogue_variant *v, struct pattern_word *bits, enum rogue_field field, uint64_t code)
{
    if (field == ROGUE_F_S2ELEM)
        return rogue_set(v, bits, ROGUE_F_INT8_16_OP, 2 | code >> 1) && rogue_set(v, bits, ROGUE_F_S2CH, code & 1);
    int slot = v->slot[field];
    if (slot < 0)
        return code == initial_code(field);
    if (!pattern_fits(&v->pattern.field[slot], code))
        return false;
    pattern_set(&v->pattern.field[slot], bits, code);
    return true;
}

bool rogue_rewrite(const struct rogue_variant *v, const struct pattern_word *from, const struct rogue_variant *shorter,
                   struct pattern_word *bits)
{
    *bits = shorter->start;
    for (int i = 0; i < v->pattern.nfields; i++)
        if (!rogue_set(shorter, bits, (enum rogue_field)v->field[i], pattern_get(&v->pattern.field[i], from)))
            return false;
    return pattern_matches(&shorter->pattern, bits);
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
    int slot = v->slot[field];
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
