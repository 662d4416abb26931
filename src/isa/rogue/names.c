/* names.c - units, selectors, fields, instructions and registers by their names, values of
 * constants (chapter 4, appendix). */
#include "isa/rogue/header.h"
#include "isa/rogue/template.h"
#include "isa/scan.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* Of a word whatever its case, without underscores. */
enum { HASHES = 1024 };
static unsigned hash(const char *word, size_t length)
{
    uint32_t h = 2166136261u;
    for (const char *end = word + length; word < end; word++)
        if (*word != '_')
            h = (h ^ (unsigned char)(*word | 32)) * 16777619u;
    return (h ^ h >> 15) % HASHES;
}

const struct rogue_unit_info rogue_units[ROGUE_UNITS] = {
#define UNIT(id, alu, part, label, alias, title, name, own, ft, plain)                                                 \
    [ROGUE_##id] = {label, alias, title, name, sizeof label - 1, sizeof alias - 1, ROGUE_##alu, ROGUE_HAS_##part,      \
                    own,   ft,    plain},
#include "isa/rogue/units.inc"
#undef UNIT
};

const struct rogue_selector rogue_selectors[ROGUE_SELECTORS] = {
#define SELECTOR(n, bit, width, ...) [n] = {bit, width, {__VA_ARGS__}},
#include "isa/rogue/selectors.inc"
#undef SELECTOR
};

/* ---- fields ---- */

#define ANY  0xFF
#define NONE NULL
#define WORDS(...)                                                                                                     \
    (const char *const[])                                                                                              \
    {                                                                                                                  \
        __VA_ARGS__, NULL                                                                                              \
    }
const struct rogue_field_info rogue_fields[ROGUE_FIELDS] = {
#define FIELD(id, name, type, initial, words) [ROGUE_F_##id] = {name, type, (uint8_t)(initial), words},
#include "isa/rogue/fields.inc"
#undef FIELD
};
#undef WORDS
#undef NONE
#undef ANY

const struct rogue_type rogue_types[8] = {{32, true, false}, {16, false, false}, {16, false, true}, {8, false, false},
                                          {8, false, true},  {32, false, false}, {32, false, true}, {16, true, false}};

/* Fields by their names, in a table with free places: number of the field and 1, 0 where there is none. Underscores do
 * not count: to patterns they are blanks. */
static uint8_t by_name[HASHES];
static pthread_once_t named = PTHREAD_ONCE_INIT;
_Static_assert(ROGUE_FIELDS < UINT8_MAX, "a byte holds the number of a field");

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
            at = (at + 1) % HASHES;
        by_name[at] = (uint8_t)(i + 1);
    }
}

int rogue_find_field(const char *name, size_t length)
{
    pthread_once(&named, name_fields);
    for (unsigned at = hash(name, length); by_name[at]; at = (at + 1) % HASHES)
        if (same_name(rogue_fields[by_name[at] - 1].name, name, length))
            return by_name[at] - 1;
    return -1;
}

unsigned rogue_initial_code(enum rogue_field field)
{
    unsigned initial = rogue_fields[field].initial;
    return initial == 0xFF ? (rogue_fields[field].type == ROGUE_WRAP ? 1u : 0u) : initial;
}

/* ---- instructions ---- */

enum { MOST_NAMES = 400, ALIASES = 128 };
static struct rogue_name names[MOST_NAMES];
static struct rogue_name *by_word[HASHES]; /* by the first word */
static uint16_t nnames;
static struct rogue_template alias_templates[ALIASES];
static pthread_once_t names_made = PTHREAD_ONCE_INIT;

static const struct {
    const char *name;
    uint16_t op;
    const char *operands;
    bool halves;
} aliases[] = {
#define ALIAS(name, row, operands) {name, ROGUE_OP_##row, operands, false},
#define HALVES(name, row)          {name, ROGUE_OP_##row, NULL, true},
#include "isa/rogue/aliases.inc"
#undef HALVES
#undef ALIAS
};
enum { NALIASES = sizeof aliases / sizeof aliases[0] };

/* After the others of its first word, but before those with shorter names: "uvsw.write.emit.endtask" is not
 * "uvsw.write" with modifiers. */
static void add_name(const char *name, uint16_t op, const struct rogue_template *operands)
{
    if (nnames >= MOST_NAMES) {
        rogue_note_fault(name, "is one name too many");
        return;
    }
    struct rogue_name **at = &by_word[hash(name, strcspn(name, "."))];
    while (*at && strlen((*at)->name) >= strlen(name))
        at = &(*at)->next;
    names[nnames] = (struct rogue_name){name, operands, *at, op, (uint16_t)strcspn(name, ".")};
    *at = &names[nnames++];
}

static void make_names(void)
{
    const struct rogue_table *t = rogue_table();
    for (uint16_t op = 0; op < ROGUE_OPS; op++)
        add_name(rogue_rows()[op].name, op, &t->templates[op]);
    for (unsigned i = 0; i < NALIASES; i++) {
        const struct rogue_template *operands = &t->templates[aliases[i].op];
        if (aliases[i].operands) {
            if (i >= ALIASES || !rogue_template_compile(aliases[i].operands, &alias_templates[i])) {
                rogue_note_fault(aliases[i].name, "has operands that are not a template, or is one alias too many");
                continue;
            }
            operands = &alias_templates[i];
        }
        add_name(aliases[i].name, aliases[i].op, operands);
    }
}

void rogue_know_names(void)
{
    pthread_once(&names_made, make_names);
}

static bool begins(const struct rogue_name *n, const char *word, size_t length)
{
    return n->first == length && strncasecmp(n->name, word, length) == 0;
}

const struct rogue_name *rogue_first_name(const char *word, size_t length)
{
    pthread_once(&names_made, make_names);
    const struct rogue_name *n = by_word[hash(word, length)];
    return n && !begins(n, word, length) ? rogue_next_name(n, word, length) : n;
}

const struct rogue_name *rogue_next_name(const struct rogue_name *n, const char *word, size_t length)
{
    do
        n = n->next;
    while (n && !begins(n, word, length));
    return n;
}

bool rogue_is_mnemonic(const char *word, size_t length)
{
    return rogue_first_name(word, length) != NULL;
}

const char *rogue_near_mnemonic(const char *word, size_t length)
{
    const char *all[MOST_NAMES];
    pthread_once(&names_made, make_names);
    for (unsigned i = 0; i < nnames; i++)
        all[i] = names[i].name;
    return nearest_word(word, length, all, nnames);
}

bool rogue_is_half(const char *word, size_t length)
{
    for (unsigned i = 0; i < NALIASES; i++)
        if (aliases[i].halves && scan_word_is(word, length, aliases[i].name))
            return true;
    return false;
}

size_t rogue_name_endings(const char *word, size_t length, const char **endings, size_t most)
{
    size_t count = 0;
    for (const struct rogue_name *n = rogue_first_name(word, length); n && count < most;
         n = rogue_next_name(n, word, length))
        if (n->name[length] == '.')
            endings[count++] = n->name + length + 1;
    return count;
}

/* ---- constants ---- */

enum { CONSTANT_RUNS = 3, RUN = 32 };
static const struct {
    unsigned first;
    uint32_t value[RUN];
} constants[CONSTANT_RUNS] = {
#define CONSTANTS(first, ...) {first, {__VA_ARGS__}},
#include "isa/rogue/constants.inc"
#undef CONSTANTS
};

uint32_t rogue_constant(unsigned index, bool *known)
{
    for (int i = 0; i < CONSTANT_RUNS; i++)
        if (index - constants[i].first < RUN) {
            *known = true;
            return constants[i].value[index - constants[i].first];
        }
    *known = false;
    return 0;
}

int rogue_find_constant(uint32_t value)
{
    for (unsigned i = 0; i < CONSTANT_RUNS; i++)
        for (unsigned k = 0; k < RUN; k++)
            if (constants[i].value[k] == value)
                return (int)(constants[i].first + k);
    return -1;
}

/* ---- registers ---- */

/* Names with the numbers that they have in their bank. The first name of a range is the one printed. */
static const struct {
    const char *name;
    uint8_t bank;
    uint16_t from, count, first; /* name0 .. are registers first .. of the bank; from: the number of the first */
} ranges[] = {
    {"sc", ROGUE_SPECIAL, 0, 32, 0},      {"po", ROGUE_SPECIAL, 0, 4, 32},   {"i", ROGUE_SPECIAL, 0, 8, 36},
    {"sc", ROGUE_SPECIAL, 64, 32, 64},    {"g", ROGUE_SPECIAL, 0, 8, 104},   {"sc", ROGUE_SPECIAL, 128, 32, 128},
    {"po", ROGUE_SPECIAL, 4, 4, 164},     {"sr", ROGUE_SPECIAL, 0, 2048, 0}, {"r", ROGUE_TEMP, 0, 2048, 0},
    {"vi", ROGUE_VTXIN, 0, 2048, 0},      {"cf", ROGUE_COEFF, 0, 2048, 0},   {"sh", ROGUE_SHARED, 0, 2048, 0},
    {"cfa", ROGUE_COEFF_ALT, 0, 2048, 0}, {"c", ROGUE_SPECIAL, 0, 32, 0},    {"c", ROGUE_SPECIAL, 64, 32, 64},
    {"c", ROGUE_SPECIAL, 128, 32, 128},   {"o", ROGUE_SPECIAL, 0, 4, 32},    {"o", ROGUE_SPECIAL, 4, 4, 164},
};
enum { RANGES = sizeof ranges / sizeof ranges[0] };

static const char *const indexed_names[8] = {"r", "vi", "cf", "sh", "dc", "idx", "cfa", "po"};

struct rogue_reg_name rogue_name_reg(struct rogue_reg r)
{
    if (r.bank >= ROGUE_IDX0)
        return (struct rogue_reg_name){indexed_names[r.index & 7], r.index >> 3};
    for (int i = 0; i < RANGES; i++)
        if (ranges[i].bank == r.bank && (unsigned)(r.index - ranges[i].first) < ranges[i].count)
            return (struct rogue_reg_name){ranges[i].name, (uint16_t)(r.index - ranges[i].first + ranges[i].from)};
    return (struct rogue_reg_name){"sr", r.index};
}

bool rogue_find_reg(const char *name, size_t length, uint64_t number, struct rogue_reg *out)
{
    enum { SLOTS = 8 };
    if (scan_word_is(name, length, "sl") &&
        number < SLOTS) { /* slot registers are the internal ones from the last to the first */
        *out = (struct rogue_reg){ROGUE_SPECIAL, 0, (uint16_t)(ROGUE_SR_INTERNAL7 - number)};
        return true;
    }
    if (scan_word_is(name, length, "idx") && number < 2) {
        *out = (struct rogue_reg){(uint8_t)(ROGUE_IDX0 + number), 0, ROGUE_INDEXED_IDX};
        return true;
    }
    for (int i = 0; i < RANGES; i++)
        if (scan_word_is(name, length, ranges[i].name) && number - ranges[i].from < ranges[i].count) {
            *out = (struct rogue_reg){ranges[i].bank, 0, (uint16_t)(number - ranges[i].from + ranges[i].first)};
            return true;
        }
    return false;
}

/* Chapter 4; of shared registers groups can name the first half. */
static const struct {
    const char *name;
    uint8_t bank;
    uint16_t count;
} banks[] = {{"r", ROGUE_TEMP, 248},
             {"vi", ROGUE_VTXIN, 248},
             {"cf", ROGUE_COEFF, 256},
             {"sh", ROGUE_SHARED, 2048},
             {"cfa", ROGUE_COEFF_ALT, 256}};
enum { BANKS = sizeof banks / sizeof banks[0] };

int rogue_last_named(const char *name, size_t length)
{
    static const struct {
        const char *name;
        uint16_t last;
    } others[] = {{"i", 7}, {"g", 7}, {"o", 7}, {"po", 7}, {"sl", 7}, {"idx", 1}, {"sr", 2047}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (scan_word_is(name, length, others[i].name))
            return others[i].last;
    return rogue_last_register(name, length);
}

int rogue_last_register(const char *name, size_t length)
{
    for (unsigned i = 0; i < BANKS; i++)
        if (scan_word_is(name, length, banks[i].name))
            return banks[i].count - 1;
    return -1;
}

const struct rogue_file_info rogue_files[ROGUE_FILES] = {
#define REGISTERS(id, name, count, bits, uniform) [ROGUE_FILE_##id] = {name, count, bits, uniform},
#include "isa/rogue/files.inc"
#undef REGISTERS
};

static struct rogue_spot special_spot(uint32_t n)
{
    static const struct {
        uint8_t first, count, file, from;
    } runs[] = {{ROGUE_SR_PIXOUT0, 4, ROGUE_FILE_O, 0},
                {ROGUE_SR_PIXOUT4, 4, ROGUE_FILE_O, 4},
                {ROGUE_SR_INTERNAL0, ROGUE_INTERNALS, ROGUE_FILE_I, 0}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        if (n - runs[i].first < runs[i].count)
            return (struct rogue_spot){runs[i].file, n - runs[i].first + runs[i].from, -1, 1};
    return (struct rogue_spot){ROGUE_FILES, n, -1, 1};
}

struct rogue_spot rogue_spot_of(struct rogue_reg r, unsigned further)
{
    static const uint8_t of_bank[] = {[ROGUE_TEMP] = ROGUE_FILE_R,
                                      [ROGUE_VTXIN] = ROGUE_FILE_VI,
                                      [ROGUE_COEFF] = ROGUE_FILE_CF,
                                      [ROGUE_SHARED] = ROGUE_FILE_SH,
                                      [ROGUE_COEFF_ALT] = ROGUE_FILE_CFA};
    static const uint8_t of[] = {[ROGUE_INDEXED_TEMP] = ROGUE_FILE_R,        [ROGUE_INDEXED_VTXIN] = ROGUE_FILE_VI,
                                 [ROGUE_INDEXED_COEFF] = ROGUE_FILE_CF,      [ROGUE_INDEXED_SHARED] = ROGUE_FILE_SH,
                                 [ROGUE_INDEXED_DC] = ROGUE_FILES,           [ROGUE_INDEXED_IDX] = ROGUE_FILE_IDX,
                                 [ROGUE_INDEXED_COEFF_ALT] = ROGUE_FILE_CFA, [ROGUE_INDEXED_PIXOUT] = ROGUE_FILE_O};
    int index = r.bank == ROGUE_IDX1;
    if (r.bank == ROGUE_SPECIAL)
        return special_spot(r.index);
    if (r.bank < ROGUE_IDX0)
        return (struct rogue_spot){of_bank[r.bank], r.index + further, -1, 1};
    if (!rogue_reg_is_indexed(r))
        return (struct rogue_spot){ROGUE_FILE_IDX, (uint32_t)index, -1, 1};
    return (struct rogue_spot){of[r.index & 7], (uint32_t)(r.index >> 3) + further, index, 1u << r.dim};
}

const char *rogue_missing_register(struct rogue_reg r, char text[ROGUE_MISSING_TEXT])
{
    for (unsigned i = 0; i < BANKS; i++)
        if (r.bank == banks[i].bank && r.index >= banks[i].count) {
            const char *name = banks[i].name;
            snprintf(text, ROGUE_MISSING_TEXT, "there is no register %s%u: %s0 to %s%u", name, r.index, name, name,
                     banks[i].count - 1u);
            return text;
        }
    return NULL;
}

int rogue_find_indexed(const char *name, size_t length)
{
    return scan_word_is(name, length, "o") ? ROGUE_INDEXED_PIXOUT : scan_word_index(name, length, indexed_names, 8);
}
