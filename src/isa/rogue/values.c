/* values.c - the fields of instructions by their names (fields.inc), and their values in one instruction. */
#include "isa/rogue/template.h"

#include <pthread.h>
#include <string.h>

/* ---- names ---- */

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

unsigned rogue_initial_code(enum rogue_field field)
{
    unsigned initial = rogue_fields[field].initial;
    return initial == 0xFF ? (rogue_fields[field].type == ROGUE_WRAP ? 1u : 0u) : initial;
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
