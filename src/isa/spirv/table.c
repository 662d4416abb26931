/* table.c - looking up rows, enumerations and operands. */
#include "isa/spirv/table.h"

#include "isa/spirv/language.h"

#include <stddef.h>
#include <string.h>

#define ROW(opcode, name, class, form, operands, capabilities, version)                                                \
    {opcode, name, class, form, operands, capabilities, version},
#define KIND(number, name, bits, open)
#define ENUMERANT(kind, value, name, form)
#define EXT(number, name, operands)
const struct spirv_row spirv_rows[] = {
#include "isa/spirv/spirv_rows.inc"
};
#undef ROW
#define ROW(opcode, name, class, form, operands, capabilities, version)
const uint32_t spirv_row_count = sizeof spirv_rows / sizeof *spirv_rows;

#undef KIND
#define KIND(number, name, bits, open) {name, bits, open},
static const struct {
    const char *name;
    bool bits;
    bool open; /* the newer of its values are in language.c */
} kinds[] = {
#include "isa/spirv/spirv_rows.inc"
};
#undef KIND
#define KIND(number, name, bits, open)

#undef ENUMERANT
#define ENUMERANT(kind, value, name, form) {kind, value, name, form},
static const struct enumerant {
    uint32_t kind, value;
    const char *name, *form;
} enumerants[] = {
#include "isa/spirv/spirv_rows.inc"
};
#undef ENUMERANT
#define ENUMERANT(kind, value, name, form)

#undef EXT
#define EXT(number, name, operands) [number] = name,
static const char *const ext_names[] = {
#include "isa/spirv/spirv_rows.inc"
};

enum { ENUMERANTS = sizeof enumerants / sizeof *enumerants };

const struct spirv_row *spirv_row_of(uint32_t opcode)
{
    if (opcode < spirv_row_count && spirv_rows[opcode].opcode == opcode)
        return &spirv_rows[opcode];
    uint32_t low = 0, high = spirv_row_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (spirv_rows[middle].opcode == opcode)
            return &spirv_rows[middle];
        if (spirv_rows[middle].opcode < opcode)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

uint32_t spirv_row_number(const struct spirv_row *row)
{
    return (uint32_t)(row - spirv_rows);
}

const char *spirv_kind_name(unsigned kind)
{
    return kinds[kind].name;
}

bool spirv_kind_is_bits(unsigned kind)
{
    return kinds[kind].bits;
}

bool spirv_kind_is_open(unsigned kind)
{
    return kinds[kind].open;
}

const char *spirv_enumerant(unsigned kind, uint32_t value, const char **form)
{
    uint32_t low = 0, high = ENUMERANTS;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        const struct enumerant *e = &enumerants[middle];
        if (e->kind == kind && e->value == value) {
            if (form)
                *form = e->form;
            return e->name;
        }
        if (e->kind < kind || (e->kind == kind && e->value < value))
            low = middle + 1;
        else
            high = middle;
    }
    if (form)
        *form = "";
    return kinds[kind].open ? spirv_language_name(value) : NULL;
}

const char *spirv_enumerant_of(const char *kind, uint32_t value)
{
    for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (strcmp(kinds[k].name, kind) == 0) {
            const char *name = spirv_enumerant(k, value, NULL);
            return name ? name : "unknown";
        }
    return "unknown";
}

bool spirv_enumerant_value(unsigned kind, const char *name, uint32_t length, uint32_t *value)
{
    for (uint32_t i = 0; i < ENUMERANTS; i++)
        if (enumerants[i].kind == kind && strlen(enumerants[i].name) == length &&
            memcmp(enumerants[i].name, name, length) == 0) {
            *value = enumerants[i].value;
            return true;
        }
    return kinds[kind].open && spirv_language_value(name, length, value);
}

const char *spirv_ext_name(uint32_t number)
{
    return number < sizeof ext_names / sizeof *ext_names ? ext_names[number] : NULL;
}

/* ---- operands ---- */

const char SPIRV_UNKNOWN_VALUE[] = "a value or a bit of an enumeration is not known";

struct walk {
    const uint32_t *w;
    uint32_t n, at;
    spirv_visit *visit;
    void *context;
    const char *fault;
};

static void walk_form(struct walk *k, const char *form, unsigned depth);

/* Words of a text that begins at word i; 0: it does not end. */
static uint32_t text_words(const struct walk *k, uint32_t i)
{
    for (uint32_t end = i; end < k->n; end++)
        for (unsigned b = 0; b < 4; b++)
            if (!(k->w[end] >> 8 * b & 0xff))
                return end - i + 1;
    return 0;
}

static void take(struct walk *k, char letter, unsigned kind, uint32_t count)
{
    if (count > k->n - k->at) {
        k->fault = "it has too few words";
        return;
    }
    k->visit(k->context, letter, kind, k->at, count);
    k->at += count;
}

/* A value or bits of an enumeration, and what they bring along. */
static void take_enumeration(struct walk *k, unsigned kind, unsigned depth)
{
    if (k->at >= k->n) {
        k->fault = "it has too few words";
        return;
    }
    uint32_t value = k->w[k->at];
    const char *form = "";
    take(k, '@', kind, 1);
    if (!kinds[kind].bits) {
        if (!spirv_enumerant(kind, value, &form) && !kinds[kind].open)
            k->fault = SPIRV_UNKNOWN_VALUE;
        else
            walk_form(k, form, depth + 1);
        return;
    }
    for (unsigned bit = 0; bit < 32 && !k->fault; bit++)
        if (value >> bit & 1) {
            if (!spirv_enumerant(kind, (uint32_t)1 << bit, &form))
                k->fault = SPIRV_UNKNOWN_VALUE;
            else
                walk_form(k, form, depth + 1);
        }
}

/* One word, whatever it is. */
static bool is_plain(char letter)
{
    return letter == 'i' || letter == 't' || letter == 'r' || letter == 'n';
}

static void take_operand(struct walk *k, char letter, unsigned kind, unsigned depth)
{
    switch (letter) {
    case '@':
        take_enumeration(k, kind, depth);
        break;
    case 'S': {
        uint32_t words = text_words(k, k->at);
        if (words)
            take(k, letter, 0, words);
        else
            k->fault = "a text does not end";
        break;
    }
    case 'c':
        take(k, letter, 0, k->n > k->at ? k->n - k->at : 1);
        break;
    case 'p':
        take(k, 'n', 0, 1);
        take(k, 'i', 0, 1);
        break;
    case 'q':
        take(k, 'i', 0, 1);
        take(k, 'n', 0, 1);
        break;
    case 'P':
        take(k, 'i', 0, 1);
        take(k, 'i', 0, 1);
        break;
    case 'o': /* what follows depends on the opcode: numbers or ids, which nobody asks for */
        take(k, letter, 0, 1);
        while (!k->fault && k->at < k->n)
            take(k, 'x', 0, 1);
        break;
    case 'e':
        take(k, letter, 0, 1);
        while (!k->fault && k->at < k->n)
            take(k, 'i', 0, 1);
        break;
    default:
        take(k, letter, 0, 1);
        break;
    }
}

static void walk_form(struct walk *k, const char *form, unsigned depth)
{
    if (depth > 4)
        return;
    while (*form && !k->fault) {
        char letter = *form++;
        unsigned kind = 0;
        if (is_plain(letter) && *form != '?' && *form != '*') { /* most operands are */
            take(k, letter, 0, 1);
            continue;
        }
        if (letter == '@') {
            kind = (unsigned)(form[0] - '0') * 10 + (unsigned)(form[1] - '0');
            form += 2;
        }
        if (*form == '?' || *form == '*') {
            bool many = *form++ == '*';
            while (!k->fault && k->at < k->n) {
                take_operand(k, letter, kind, depth);
                if (!many)
                    break;
            }
        } else {
            take_operand(k, letter, kind, depth);
        }
    }
}

const char *spirv_walk(const struct spirv_row *row, const uint32_t *w, unsigned n, spirv_visit *visit, void *context)
{
    struct walk k = {.w = w, .n = n, .at = 1, .visit = visit, .context = context};
    walk_form(&k, row->form, 0);
    if (!k.fault && k.at != n)
        k.fault = "it has too many words";
    return k.fault;
}
