/* reference.c - what the reference (weft isa) shows of a row: its bits, its operands, and what the names in its syntax
 * mean. */
#include "ir/io.h"
#include "isa/tesla/names.h"
#include "isa/tesla/slots.h"
#include "isa/text.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { LEGENDS = 1 << 17, LINES = 128, LINE = 110, COLUMN = 7 };

/* ---- the names of a syntax ---- */

/* The line of a name, made when it is met first. */
struct line {
    const char *name;
    size_t length; /* of the name */
    bool small;    /* it is of short and immediate forms */
    size_t size;
    char text[LINE];
};

static char pool[LEGENDS]; /* made once, as are the places of the rows in it */
static uint32_t starts[TESLA_ROWS], used;
static struct line lines[LINES];

static void describe_operand(enum tesla_slot slot, char *out, size_t size)
{
    uint32_t step, last;
    int n = snprintf(out, size, "%s", tesla_slots[slot].wants);
    if (n > 0 && (size_t)n < size && tesla_slot_range(slot, &step, &last))
        snprintf(out + n, size - (size_t)n, step == 1 ? " at 0x0 to 0x%x" : " at 0x0 to 0x%x in steps of %u", last,
                 step);
}

/* "{l|e|le:b46-48}" as "l, e, le". */
static void describe_choice(const char *choice, char *out)
{
    size_t n = 0;
    for (const char *p = choice + 1; *p != ':' && n + 3 < LINE - COLUMN; p++) {
        out[n++] = *p == '|' ? ',' : *p;
        if (*p == '|')
            out[n++] = ' ';
    }
    out[n] = '\0';
}

static void describe(const char *name, size_t length, bool small, char *out, size_t size)
{
    static const struct {
        const char *name, *meaning;
    } prefixes[] = {{"PRED", "a predicate, (lg $c0) and the like"},
                    {"LANE", "lanes of each quad, (l012) and the like"}};
    const char *choice = tesla_choice_named(name, length);
    int slot = tesla_slot_named(name, length, small);
    *out = '\0';
    for (size_t i = 0; i < 2; i++)
        if (strncmp(name, prefixes[i].name, length) == 0 && length == 4)
            snprintf(out, size, "%s", prefixes[i].meaning);
    if (choice)
        describe_choice(choice, out);
    else if (slot >= 0)
        describe_operand((enum tesla_slot)slot, out, size);
}

static const struct line *line_of(const char *name, size_t length, bool small)
{
    unsigned at = ((unsigned)name[0] * 5 + (unsigned)name[length - 1] * 3 + (unsigned)name[length / 2] * 17 +
                   (unsigned)length * 29 + small) %
                  LINES;
    while (lines[at].name &&
           (lines[at].length != length || lines[at].small != small || memcmp(lines[at].name, name, length) != 0))
        at = (at + 1) % LINES;
    struct line *line = &lines[at];
    if (!line->name) {
        *line = (struct line){.name = name, .length = length, .small = small};
        memset(line->text, ' ', COLUMN);
        memcpy(line->text, name, length < COLUMN ? length : COLUMN - 1);
        describe(name, length, small, line->text + COLUMN, LINE - COLUMN);
        line->size = strlen(line->text);
    }
    return line;
}

/* The names of a syntax are its words in capitals. A second D is the destination again: it has its line. */
static void make_legend(const struct tesla_row *row)
{
    const struct line *shown[TESLA_MAX_ITEMS];
    unsigned nshown = 0;
    bool small = row->form == TESLA_SHORT || row->form == TESLA_IMMEDIATE;
    size_t length;
    for (const char *p = row->syntax; *p; p += length + (p[length] != '\0')) {
        length = strcspn(p, " []{}()");
        if (*p < 'A' || *p > 'Z' || nshown == TESLA_MAX_ITEMS)
            continue;
        unsigned before = 0;
        const struct line *line = line_of(p, length, small);
        while (before < nshown && shown[before] != line)
            before++;
        if (before < nshown || used + line->size + 2 > LEGENDS)
            continue;
        if (nshown)
            pool[used++] = '\n';
        shown[nshown++] = line;
        memcpy(pool + used, line->text, line->size);
        used += (uint32_t)line->size;
    }
}

static void make_legends(void)
{
    used = 1; /* before the first is the empty one */
    for (uint32_t i = 0; i < TESLA_ROWS; i++) {
        uint32_t start = used;
        make_legend(&tesla_rows[i]);
        starts[i] = used > start ? start : 0;
        used += used > start; /* its end */
    }
}

/* ---- bits ---- */

enum { PATTERN = 40 };

static char patterns[TESLA_ROWS][PATTERN];

/* "10000001/f0000003" */
static char *write_half(char *p, uint32_t value, uint32_t mask)
{
    for (int digit = 28; digit >= 0; digit -= 4)
        *p++ = "0123456789abcdef"[value >> digit & 15];
    *p++ = '/';
    for (int digit = 28; digit >= 0; digit -= 4)
        *p++ = "0123456789abcdef"[mask >> digit & 15];
    return p;
}

static void make_patterns(void)
{
    for (uint32_t i = 0; i < TESLA_ROWS; i++) {
        const struct tesla_row *r = &tesla_rows[i];
        char *p = write_half(patterns[i], (uint32_t)r->value, (uint32_t)r->mask);
        if (r->form == TESLA_SHORT)
            continue;
        *p++ = ' ';
        write_half(p, (uint32_t)(r->value >> 32), (uint32_t)(r->mask >> 32));
    }
}

/* ---- operands ---- */

enum { OPERANDS = 160 };

static char operands[TESLA_ROWS][OPERANDS];

/* Where the types are that a row's operands have, in the order of the text. */
struct types {
    const struct tesla_item *item; /* of the operands that follow; NULL: none */
    const struct tesla_item *outer; /* outside of the parenthesis */
};

static const struct tesla_word *word_of(const struct tesla_item *item, unsigned code)
{
    uint8_t number = item->words[code];
    return &tesla_tables()->word[number == TESLA_BAD_CODE ? TESLA_NO_WORD : number];
}

static void take_word(struct types *t, const struct tesla_item *item)
{
    for (unsigned code = 0; code < (item->kind == TESLA_I_CHOICE ? item->nwords : 1u); code++) {
        const struct tesla_word *w = word_of(item, code);
        if (w->type)
            t->item = item;
        if (w->role == TESLA_W_OPEN)
            t->outer = t->item;
        if (w->role == TESLA_W_CLOSE)
            t->item = t->outer;
    }
}

/* " u16|s16": the words of the type, if it has the bits of the register; otherwise those: the rest of a register is not
 * looked at. 0 bits: nothing. */
static char *write_type(char *p, const struct tesla_item *item, unsigned bits)
{
    const char *before = " ";
    if (!bits)
        return p;
    if (!item || tesla_type_bits(word_of(item, 0)->type) != bits)
        return write_unsigned(write_text(p, " b"), bits);
    for (unsigned code = 0; code < (item->kind == TESLA_I_CHOICE ? item->nwords : 1u); code++) {
        p = write_text(write_text(p, before), word_of(item, code)->text);
        before = "|";
    }
    return p;
}

/* What is in the place of a register: "$r b32". A pair has 64 bits and so on. */
static char *write_register(char *p, unsigned kind, const struct types *t)
{
    static const struct {
        const char *name;
        uint8_t bits;
        bool typed; /* it has the type of the text */
    } kinds[] = {
        [TESLA_O_REG] = {"$r", 32, true},       [TESLA_O_HALF] = {"$r", 16, true},
        [TESLA_O_PAIR] = {"$r", 64, true},      [TESLA_O_QUAD] = {"$r", 128, true},
        [TESLA_O_A] = {"$a", 16, false},        [TESLA_O_C] = {"$c", 4, false},
        [TESLA_O_SREG] = {"special", 32, true}, [TESLA_O_TEXTURE] = {"texture", 0, false},
        [TESLA_O_SAMPLER] = {"sampler", 0, false},
    };
    return write_type(write_text(p, kinds[kind].name), kinds[kind].typed ? t->item : NULL, kinds[kind].bits);
}

/* Bits of what the type says. */
static unsigned bits_of(const struct tesla_item *item)
{
    return item ? tesla_type_bits(word_of(item, 0)->type) : 32;
}

/* One of 32 bits has those of the type. */
static char *write_number(char *p, enum tesla_slot slot, const struct types *t)
{
    unsigned bits = tesla_width_of(tesla_slots[slot].column[TESLA_NUM_FIELD]);
    return write_type(write_text(p, "number"), t->item, bits == 32 ? bits_of(t->item) : bits);
}

static char *write_memory(char *p, unsigned space, const struct types *t)
{
    *p++ = tesla_space_letters[space];
    return write_type(write_text(p, "[]"), t->item, bits_of(t->item));
}

static char *write_operand(char *p, enum tesla_slot slot, const struct types *t)
{
    const struct tesla_slot_info *s = &tesla_slots[slot];
    const uint8_t *c = s->column;
    switch ((enum tesla_slot_kind)s->kind) {
    case TESLA_S_REGISTER:
    case TESLA_S_ADDRESS:
        return write_register(p, c[TESLA_REG_KIND], t);
    case TESLA_S_OPTIONAL:
        return write_text(write_register(write_text(p, "["), c[TESLA_REG_KIND], t), "]");
    case TESLA_S_FIXED:
        return write_register(p, c[0], t);
    case TESLA_S_NUMBER:
        return write_number(p, slot, t);
    case TESLA_S_TARGET:
        return write_text(p, "address");
    case TESLA_S_MEMORY:
        return write_memory(p, c[TESLA_MEM_SPACE], t);
    case TESLA_S_GLOBAL:
        return write_memory(p, TESLA_G_SPACE, t);
    case TESLA_S_SOURCE:
        return write_type(write_text(p, "$r or memory"), t->item, c[TESLA_SRC_SIZE]);
    case TESLA_S_INTEGER:
        return write_text(p, "$r or memory u8|s8|u16|s16|u32|s32");
    case TESLA_S_DESTINATION:
        return write_type(write_text(p, "$r or o[]"), t->item, c[0]);
    case TESLA_S_SAME:
        return write_register(p, TESLA_O_REG, t);
    case TESLA_S_WRITTEN:
    case TESLA_S_READ:
        return write_type(write_text(p, "1 to 4 $r"), t->item, 32);
    }
    return p;
}

/* Memory that an atomic operation updates is on both sides. */
static bool is_of_direction(const struct tesla_row *row, const struct tesla_item *item, bool written)
{
    enum tesla_slot_kind kind = (enum tesla_slot_kind)tesla_slots[item->slot].kind;
    bool updated = tesla_meanings[row->meaning].properties & TESLA_UPDATES;
    return (updated && (kind == TESLA_S_MEMORY || kind == TESLA_S_GLOBAL)) ||
           (item->role == TESLA_R_RESULT || item->role == TESLA_R_CDST) == written;
}

/* The operands of one direction, with ", " between them. */
static char *write_direction(char *p, const struct tesla_row *row, bool written)
{
    const struct tesla_template *t = tesla_template_of(row);
    struct types types = {0};
    const char *before = "";
    if (!written && t->predicated) {
        p = write_text(p, "[$c b4]");
        before = ", ";
    }
    for (unsigned i = 1; i < t->nitems; i++) {
        const struct tesla_item *item = &t->items[i];
        if (item->kind != TESLA_I_OPERAND) {
            take_word(&types, item);
        } else if (is_of_direction(row, item, written)) {
            p = write_operand(write_text(p, before), (enum tesla_slot)item->slot, &types);
            before = ", ";
        }
    }
    return p;
}

/* "$r b32, [$c b4] = $r b32, number b7": results, sources; what is in brackets may be left out. */
static void make_operands(void)
{
    for (uint32_t i = 0; i < TESLA_ROWS; i++) {
        char *p = write_direction(operands[i], &tesla_rows[i], true);
        if (p > operands[i])
            p = write_text(p, " = ");
        *write_direction(p, &tesla_rows[i], false) = '\0';
    }
}

/* ---- rows ---- */

static void make_texts(void)
{
    make_legends();
    make_patterns();
    make_operands();
}

void tesla_row_info(uint32_t number, struct isa_row_info *info)
{
    const struct tesla_row *row = &tesla_rows[number];
    *info = (struct isa_row_info){
        .mnemonic = row->mnemonic,
        .syntax = row->syntax,
        .group = row->group,
        .chips = tesla_chips_of(row->features),
        .provenance = (enum isa_provenance)row->provenance,
        .executes = tesla_meanings[row->meaning].lift != NULL,
        .doc = row->doc,
    };
    for (unsigned s = 0; s < 4; s++)
        if (row->stages >> s & 1)
            info->stages |= 1u << tesla_ir_stage((uint8_t)(1u << s));
}

void tesla_row_texts(uint32_t number, struct isa_row_info *info)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_texts);
    info->pattern = patterns[number];
    info->operands = operands[number];
    info->modifiers = starts[number] ? pool + starts[number] : NULL;
}
