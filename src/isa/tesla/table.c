/* table.c - syntaxes to items, words to numbers, and the tables by which rows are found. */
#include "isa/tesla/table.h"

#include "isa/scan.h"
#include "isa/tesla/names.h"
#include "isa/tesla/short.h"
#include "isa/tesla/slots.h"
#include "isa/tesla/source.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static struct tesla_tables tables; /* built once, constant afterwards */
static struct tesla_item item_pool[TESLA_ROWS * 12];
static uint32_t items_taken;

/* ---- what is wrong with the rows ---- */

static const char *first_fault;
static uint32_t faulty_row, compiled; /* the row at work */

static void fault(const char *what, uint32_t row)
{
    if (!first_fault) {
        first_fault = what;
        faulty_row = row;
    }
}

const char *tesla_table_fault(uint32_t *row)
{
    tesla_tables();
    *row = faulty_row;
    return first_fault;
}

/* ---- words ---- */

static const struct {
    const char *text;
    uint8_t type;
    uint16_t modifier;
    uint8_t role;
} word_meanings[] = {
#define TYPE(name, text, ...) {text, TESLA_##name, 0, TESLA_W_PLAIN},
#define WORD(text, modifier, role) {text, TESLA_NOTYPE, modifier, TESLA_W_##role},
#include "isa/tesla/words.inc"
#undef TYPE
#undef WORD
};

static uint32_t hash(const char *text, size_t length)
{
    uint32_t h = (uint32_t)length;
    for (size_t i = 0; i < length; i++)
        h = h * 37 + (unsigned char)text[i];
    return (h ^ h >> 7) % (sizeof tables.slot / sizeof tables.slot[0]);
}

static uint32_t find_slot(const struct tesla_tables *t, const char *text, size_t length)
{
    uint32_t at = hash(text, length);
    for (; t->slot[at]; at = (at + 1) % (sizeof t->slot / sizeof t->slot[0])) {
        const struct tesla_word *w = &t->word[t->slot[at]];
        if (w->length == length && memcmp(w->text, text, length) == 0)
            break;
    }
    return at;
}

uint8_t tesla_find_word(const struct tesla_tables *t, const char *text, size_t length)
{
    return length > TESLA_WORD_LENGTH ? TESLA_NO_WORD : (uint8_t)t->slot[find_slot(t, text, length)];
}

static uint8_t intern(const char *text, size_t length)
{
    uint32_t at = find_slot(&tables, text, length);
    if (tables.slot[at])
        return (uint8_t)tables.slot[at];
    if (tables.nwords == TESLA_MAX_WORDS || length > TESLA_WORD_LENGTH) {
        fault("has a word that is too long, or one too many", compiled);
        return TESLA_NO_WORD;
    }
    struct tesla_word *w = &tables.word[tables.nwords];
    memcpy(w->text, text, length);
    w->spaced[0] = ' ';
    memcpy(w->spaced + 1, text, length);
    w->length = (uint8_t)length;
    for (size_t i = 0; i < sizeof word_meanings / sizeof word_meanings[0]; i++)
        if (strcmp(word_meanings[i].text, w->text) == 0) {
            w->type = word_meanings[i].type;
            w->modifier = word_meanings[i].modifier;
            w->role = word_meanings[i].role;
            tables.type_word[w->type] = (uint8_t)tables.nwords;
        }
    tables.slot[at] = (uint16_t)tables.nwords;
    return (uint8_t)tables.nwords++;
}

/* ---- syntaxes ---- */

/* Choices that have a name. */
static const struct {
    const char *name, *choice;
    uint8_t role; /* enum tesla_role */
} named_choices[] = {
    {"ICMP", "{never|l|e|le|g|lg|ge|always:b46-48}", TESLA_R_CONDITION},
    {"FCMP", "{never|l|e|le|g|lg|ge|lge|u|lu|eu|leu|gu|lgu|geu|always:b46-49}", TESLA_R_CONDITION},
    {"QOP0", "{add|subr|sub|mov2:b58-59}", TESLA_R_QUAD_OPERATION},
    {"QOP1", "{add|subr|sub|mov2:b56-57}", TESLA_R_QUAD_OPERATION},
    {"QOP2", "{add|subr|sub|mov2:b54-55}", TESLA_R_QUAD_OPERATION},
    {"QOP3", "{add|subr|sub|mov2:b20-21}", TESLA_R_QUAD_OPERATION},
    {"QLANE", "{l0|l1|l2|l3|dx|dy|dx|dy:b16-18}", TESLA_R_QUAD_LANE},
};

static const char *const slot_names[TESLA_SLOTS] = {
#define OPERAND(name, ...) #name,
#include "isa/tesla/operands.inc"
#undef OPERAND
};

/* Names that mean narrower fields in short and immediate forms; names ending in 7 do not. */
static const struct {
    const char *name;
    uint8_t small, wide;
} widths[] = {
#define WIDTHS(name, small, wide) {name, TESLA_SLOT_##small, TESLA_SLOT_##wide}
    WIDTHS("D", DS, D),          WIDTHS("Dh", DSh, Dh),
    WIDTHS("D7", D, D),          WIDTHS("Dh7", Dh, Dh),
    WIDTHS("R1", RS1, R1),       WIDTHS("R1h", RS1h, R1h),
    WIDTHS("R2", RS2, R2),       WIDTHS("R2h", RS2h, R2h),
    WIDTHS("TSRC", TSRCS, TSRC), WIDTHS("[CDST]", MAYBE_CDST, MAYBE_CDST),
#undef WIDTHS
};

int tesla_slot_named(const char *name, size_t length, bool small)
{
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
        if (scan_same(name, length, widths[i].name))
            return small ? widths[i].small : widths[i].wide;
    for (int i = 0; i < TESLA_SLOTS; i++)
        if (scan_same(name, length, slot_names[i]))
            return i;
    return -1;
}

/* Its number; -1: none has that name. */
static int find_choice(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof named_choices / sizeof named_choices[0]; i++)
        if (scan_same(name, length, named_choices[i].name))
            return (int)i;
    return -1;
}

const char *tesla_choice_named(const char *name, size_t length)
{
    int i = find_choice(name, length);
    return i >= 0 ? named_choices[i].choice : NULL;
}

struct compiler {
    struct tesla_template *t;
    struct tesla_item *items;
    const struct tesla_meaning_info *meaning;
    bool wants_result; /* the next value is the result */
    bool written;      /* a destination was seen: the next D is the same again */
};

static struct tesla_item *add_item(struct compiler *c, unsigned kind)
{
    static struct tesla_item spare; /* of a row that has too many */
    struct tesla_item *item = &spare;
    if (items_taken == sizeof item_pool / sizeof item_pool[0] || c->t->nitems == TESLA_MAX_ITEMS) {
        fault("has too many words and operands", compiled);
    } else {
        item = &c->items[c->t->nitems++];
        items_taken++;
    }
    item->kind = (uint8_t)kind;
    return item;
}

static void add_word(struct compiler *c, const char *text, size_t length)
{
    struct tesla_item *item = add_item(c, TESLA_I_WORD);
    item->words[0] = intern(text, length);
    item->tight = *text == ')' || (c->t->nitems > 1 && tables.word[item[-1].words[0]].text[0] == '(');
}

/* "b16-17=0|3]" after the colon of a choice: the field, and the codes of the words. */
static void read_field(const char *p, struct tesla_item *item, uint8_t codes[16])
{
    unsigned low = 0, high = 0;
    for (p++; *p >= '0' && *p <= '9'; p++)
        low = low * 10 + (unsigned)(*p - '0');
    high = low;
    if (*p == '-')
        for (high = 0, p++; *p >= '0' && *p <= '9'; p++)
            high = high * 10 + (unsigned)(*p - '0');
    tesla_set_field(item, low, high - low + 1);
    for (unsigned i = 0; i < 16; i++)
        codes[i] = (uint8_t)i;
    for (unsigned n = 0; *p == '=' || *p == '|'; p += 2)
        codes[n++] = (uint8_t)(p[1] - '0');
}

/* "{a|b:b8}" or "[a:b8]". Returns what follows it. */
static const char *add_choice(struct compiler *c, const char *p, enum tesla_role role)
{
    uint8_t codes[16], words[16];
    unsigned n = 0;
    struct tesla_item *item = add_item(c, TESLA_I_CHOICE);
    if (*p == '[')
        words[n++] = TESLA_NO_WORD;
    do {
        size_t length = strcspn(++p, "|:");
        words[n++] = intern(p, length);
        p += length;
    } while (*p == '|');
    read_field(p + 1, item, codes);
    item->nwords = (uint8_t)(1u << item->width);
    memset(item->words, TESLA_BAD_CODE, sizeof item->words);
    for (unsigned i = 0; i < n; i++)
        item->words[codes[i]] = words[i];
    c->t->limited |= tables.word[words[n - 1]].modifier == TESLA_LIMIT;
    bool rounds = tables.word[words[n - 1]].role == TESLA_W_ROUNDING;
    item->role = (uint8_t)(rounds ? TESLA_R_ROUNDING : role);
    c->t->quad_lane |= role == TESLA_R_QUAD_LANE;
    for (unsigned i = 0; i < item->nwords; i++)
        c->t->partial |= item->words[i] == TESLA_BAD_CODE;
    c->t->used |= tesla_field_mask(item->low, item->width);
    return p + strcspn(p, "]}") + 1;
}

/* What an operand does whatever its bits are. */
static uint32_t effects_of(const struct compiler *c, const struct tesla_item *item)
{
    const struct tesla_slot_info *s = &tesla_slots[item->slot];
    if (item->role == TESLA_R_CDST)
        return s->kind == TESLA_S_OPTIONAL ? 0 : WEFT_EFFECT_WRITES_FLAGS;
    if (item->role == TESLA_R_CSRC)
        return WEFT_EFFECT_READS_FLAGS;
    if (s->kind != TESLA_S_MEMORY && s->kind != TESLA_S_GLOBAL)
        return 0;
    bool updates = c->meaning->properties & TESLA_UPDATES;
    bool output = s->kind == TESLA_S_MEMORY && s->column[TESLA_MEM_SPACE] == TESLA_O_SPACE;
    return (item->role == TESLA_R_RESULT || updates ? WEFT_EFFECT_WRITES_MEMORY : 0) |
           (item->role == TESLA_R_SOURCE || updates ? WEFT_EFFECT_READS_MEMORY : 0) | (output ? WEFT_EFFECT_OUTPUT : 0);
}

/* D, whose second mention is the same register again. */
static bool is_destination(const struct tesla_slot_info *s)
{
    uint8_t field = s->column[TESLA_REG_FIELD];
    return s->kind == TESLA_S_REGISTER && s->column[TESLA_REG_KIND] == TESLA_O_REG &&
           (field == TESLA_FIELD_DST || field == TESLA_FIELD_DST_SHORT);
}

static void add_operand(struct compiler *c, int slot)
{
    bool destination = is_destination(&tesla_slots[slot]);
    if (destination && c->written)
        slot = TESLA_SLOT_SAME;
    const struct tesla_slot_info *s = &tesla_slots[slot];
    c->written |= destination || s->kind == TESLA_S_WRITTEN;
    struct tesla_item *item = add_item(c, TESLA_I_OPERAND);
    item->slot = (uint8_t)slot;
    item->role = s->role;
    if (item->role == TESLA_R_SOURCE && c->wants_result) {
        item->role = TESLA_R_RESULT;
        c->wants_result = false;
    }
    c->t->effects |= effects_of(c, item);
    tesla_slot_shape(item);
    c->t->used |= tesla_slot_used((enum tesla_slot)slot);
    c->t->kinds |= (uint16_t)(1u << s->kind);
    c->t->plus_carry |= s->kind == TESLA_S_REGISTER && s->role == TESLA_R_CSRC;
    if (s->kind == TESLA_S_REGISTER && s->role == TESLA_R_CDST)
        c->t->ignored |= tesla_mask_of(TESLA_FIELD_DST_C_ENABLE);
    c->t->sources |= tesla_slot_source((enum tesla_slot)slot);
}

static void add_name(struct compiler *c, const char *p, size_t length)
{
    int choice = find_choice(p, length), slot = tesla_slot_named(p, length, c->t->small);
    if (choice >= 0)
        add_choice(c, named_choices[choice].choice, named_choices[choice].role);
    else if (slot >= 0)
        add_operand(c, slot);
    else if (*p >= 'A' && *p <= 'Z')
        fault("names an operand that there is not", compiled);
    else
        add_word(c, p, length);
}

static bool prefix(const char **p, const char *text)
{
    size_t length = strlen(text);
    if (strncmp(*p, text, length) != 0)
        return false;
    *p += length;
    return true;
}

static void compile(const struct tesla_row *row, struct tesla_template *t)
{
    struct compiler c = {.t = t, .items = &item_pool[items_taken], .meaning = &tesla_meanings[row->meaning]};
    const char *p = row->syntax;
    c.wants_result = !(c.meaning->properties & TESLA_NO_RESULT);
    t->items = c.items;
    t->effects = c.meaning->effects;
    t->used = row->mask | 3;
    t->small = row->form == TESLA_SHORT || row->form == TESLA_IMMEDIATE;
    if (row->form == TESLA_LONG || row->form == TESLA_IMMEDIATE)
        t->used |= tesla_mask_of(TESLA_FIELD_TAIL);
    t->predicated = prefix(&p, "[PRED] ");
    t->lanes = prefix(&p, "[LANE] ");
    t->used |= t->predicated ? (tesla_mask_of(TESLA_FIELD_PREDICATE) | tesla_mask_of(TESLA_FIELD_CSRC)) : 0;
    t->used |= t->lanes ? tesla_mask_of(TESLA_FIELD_LANES) : 0;
    while (*p) {
        size_t length = strcspn(p, " []{}()");
        if (*p == ' ')
            p++;
        else if (strncmp(p, "[CDST]", 6) == 0)
            add_operand(&c, TESLA_SLOT_MAYBE_CDST), p += 6;
        else if (*p == '[' || *p == '{')
            p = add_choice(&c, p, TESLA_R_WORD);
        else if (*p == '(' || *p == ')')
            add_word(&c, p++, 1);
        else
            add_name(&c, p, length), p += length;
    }
    t->mnemonic = t->items[0].words[0];
    if (row->form == TESLA_LONG && t->sources && !(t->sources & TESLA_HAS_C))
        t->ignored |= tesla_mask_of(TESLA_FIELD_SRC3_TYPE);
    if (row->form == TESLA_LONG && t->sources && !(t->sources & TESLA_HAS_B))
        t->ignored |= tesla_mask_of(TESLA_FIELD_SRC2_TYPE);
    if (row->form == TESLA_CONTROL)
        t->ignored |= tesla_mask_of(TESLA_FIELD_TAIL) |
                      (t->predicated ? 0 : (tesla_mask_of(TESLA_FIELD_PREDICATE) | tesla_mask_of(TESLA_FIELD_CSRC)));
    if (c.meaning->properties & TESLA_STEPS_NOT)
        t->ignored |= tesla_mask_of(TESLA_FIELD_INCREMENT);
}

/* ---- finding rows ---- */

static unsigned cell_of(unsigned form, uint64_t word)
{
    unsigned secondary = form == TESLA_LONG ? tesla_get(word, TESLA_FIELD_SECONDARY) : 0;
    return form * 128 + tesla_get(word, TESLA_FIELD_PRIMARY) * 8 + secondary;
}

/* The kind of a word ("Instruction kinds"). */
static unsigned form_of(uint64_t word)
{
    if (!tesla_is_long(word))
        return TESLA_SHORT;
    if (tesla_is_control(word))
        return TESLA_CONTROL;
    return tesla_get(word, TESLA_FIELD_TAIL) == 3 ? TESLA_IMMEDIATE : TESLA_LONG;
}

/* The opcode bits of a cell. */
static uint64_t word_of_cell(unsigned cell)
{
    return (uint64_t)(cell / 8 % 16) << tesla_fields[TESLA_FIELD_PRIMARY].low |
           (uint64_t)(cell % 8) << tesla_fields[TESLA_FIELD_SECONDARY].low;
}

static void fill_cell(unsigned cell, unsigned *n)
{
    uint64_t word = word_of_cell(cell), bits = tesla_mask_of(TESLA_FIELD_PRIMARY);
    unsigned form = cell / 128;
    if (form == TESLA_LONG)
        bits |= tesla_mask_of(TESLA_FIELD_SECONDARY);
    for (uint32_t r = 0; r < TESLA_ROWS; r++) {
        const struct tesla_row *row = &tesla_rows[r];
        if (row->form != form || ((word ^ row->value) & row->mask & bits) != 0)
            continue;
        if (*n == sizeof tables.cell_row / sizeof tables.cell_row[0])
            fault("is in too many cells of the opcode map", r);
        else
            tables.cell_row[(*n)++] = (uint16_t)r;
    }
}

static void fill_cells(void)
{
    unsigned n = 0;
    for (unsigned cell = 0; cell < 4 * 128; cell++) {
        tables.cell_first[cell] = (uint16_t)n;
        if (cell / 128 == TESLA_LONG || cell % 8 == 0)
            fill_cell(cell, &n);
    }
    tables.cell_first[4 * 128] = (uint16_t)n;
}

/* Rows by mnemonic, those that text prefers first. */
static void fill_mnemonics(void)
{
    uint16_t n = 0, next[TESLA_MAX_WORDS];
    for (uint32_t r = 0; r < TESLA_ROWS; r++)
        tables.word[tables.row[r].mnemonic].nrows++;
    for (uint32_t w = 1; w < tables.nwords; w++) {
        tables.word[w].first_row = next[w] = n;
        n = (uint16_t)(n + tables.word[w].nrows);
    }
    for (unsigned form = TESLA_SHORT; form <= TESLA_IMMEDIATE; form++)
        for (uint32_t r = 0; r < TESLA_ROWS; r++)
            if (tesla_rows[r].form == form)
                tables.by_mnemonic[next[tables.row[r].mnemonic]++] = (uint16_t)r;
}

/* The rows that have the mnemonic of one. */
static const uint16_t *rows_of_mnemonic(uint32_t row, unsigned *count)
{
    const struct tesla_word *w = &tables.word[tables.row[row].mnemonic];
    *count = w->nrows;
    return &tables.by_mnemonic[w->first_row];
}

static void find_short_forms(uint32_t row)
{
    unsigned count;
    const uint16_t *rows = rows_of_mnemonic(row, &count);
    if (tesla_rows[row].form != TESLA_LONG && tesla_rows[row].form != TESLA_CONTROL)
        return;
    for (unsigned i = 0; i < count; i++)
        if (tesla_rows[rows[i]].form == TESLA_SHORT && !tesla_add_short_form(&tables, row, rows[i]))
            fault("has too many short forms", row);
}

/* Of a destination that may be o[]; 0: it is not one. */
static unsigned destination_bits(const struct tesla_item *item)
{
    const struct tesla_slot_info *s = &tesla_slots[item->slot];
    return item->kind == TESLA_I_OPERAND && s->kind == TESLA_S_DESTINATION ? s->column[0] : 0;
}

/* The same but for a destination of 32 bits in place of 16. */
static bool widens(const struct tesla_template *wide, const struct tesla_template *narrow)
{
    bool differs = false;
    if (wide->nitems != narrow->nitems)
        return false;
    for (unsigned i = 0; i < wide->nitems; i++) {
        struct tesla_item x = wide->items[i], y = narrow->items[i];
        if (destination_bits(&x) == 32 && destination_bits(&y) == 16) {
            differs = true;
            y.slot = x.slot;
            y.shape = x.shape;
        }
        if (memcmp(&x, &y, sizeof x) != 0)
            return false;
    }
    return differs;
}

static void find_wide_rows(uint32_t row)
{
    unsigned count;
    const uint16_t *rows = rows_of_mnemonic(row, &count);
    for (unsigned i = 0; i < count; i++)
        tables.row[row].wide |=
            tesla_rows[rows[i]].form == tesla_rows[row].form && widens(&tables.row[row], &tables.row[rows[i]]);
}

static void build(void)
{
    tables.nwords = 1; /* 0 is not a word */
    for (unsigned i = 0; i < sizeof tables.reg / sizeof tables.reg[0]; i++)
        tables.reg[i].length = (uint8_t)snprintf(tables.reg[i].spaced, sizeof tables.reg[i].spaced, " $r%u", i);
    for (size_t i = 0; i < sizeof word_meanings / sizeof word_meanings[0]; i++)
        intern(word_meanings[i].text, strlen(word_meanings[i].text));
    tables.ignored_word = intern("ignored", 7);
    tables.wide_word = intern("wide", 4);
    tables.nearest_word = intern("rn", 2);
    tables.product_word = intern("mul", 3);
    for (compiled = 0; compiled < TESLA_ROWS; compiled++)
        compile(&tesla_rows[compiled], &tables.row[compiled]);
    fill_cells();
    fill_mnemonics();
    for (uint32_t r = 0; r < TESLA_ROWS; r++) {
        find_short_forms(r);
        find_wide_rows(r);
    }
}

const struct tesla_tables *tesla_tables(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, build);
    return &tables;
}

/* ---- decoding ---- */

unsigned tesla_rows_near(const struct tesla_tables *t, uint64_t word, const uint16_t **rows)
{
    unsigned cell = cell_of(form_of(word), word);
    *rows = &t->cell_row[t->cell_first[cell]];
    return t->cell_first[cell + 1] - t->cell_first[cell];
}

/* Bits of choices whose codes are undefined. */
static uint64_t undefined_choices(const struct tesla_template *t, uint64_t word)
{
    uint64_t wrong = 0;
    for (unsigned i = 0; i < t->nitems; i++) {
        const struct tesla_item *item = &t->items[i];
        if (item->kind == TESLA_I_CHOICE && item->words[tesla_bits(word, item->low, item->width)] == TESLA_BAD_CODE)
            wrong |= tesla_field_mask(item->low, item->width);
    }
    return wrong;
}

uint64_t tesla_wrong_bits(const struct tesla_template *t, uint64_t word, uint8_t stage)
{
    uint64_t used = t->used, wrong = t->partial ? undefined_choices(t, word) : 0;
    if (wrong)
        return wrong;
    if (t->predicated && !tesla_predicates[tesla_get(word, TESLA_FIELD_PREDICATE)])
        return tesla_mask_of(TESLA_FIELD_PREDICATE);
    if (tesla_has(t, TESLA_S_OPTIONAL) && tesla_get(word, TESLA_FIELD_DST_C_ENABLE))
        used |= tesla_mask_of(TESLA_FIELD_DST_C);
    if (tesla_has(t, TESLA_S_WRITTEN) && !tesla_vectors_fit(t, word))
        return tesla_mask_of(TESLA_FIELD_DST);
    if (tesla_selects(t, word)) {
        struct tesla_selection s;
        if (!tesla_select(t, word, stage, &s))
            return s.used;
        used |= s.used;
    }
    return word & ~used & ~tesla_ignored(t, word);
}

const struct tesla_row *tesla_find_row(const struct tesla_tables *t, uint64_t word, const struct tesla_target *target)
{
    unsigned cell = cell_of(form_of(word), word);
    for (unsigned i = t->cell_first[cell]; i < t->cell_first[cell + 1]; i++) {
        const struct tesla_row *row = &tesla_rows[t->cell_row[i]];
        if ((word & row->mask) != row->value || (row->features & ~target->features) ||
            (row->stages != TESLA_ANY && !(row->stages & target->stage)))
            continue;
        if (!tesla_wrong_bits(&t->row[t->cell_row[i]], word, target->stage))
            return row;
    }
    return NULL;
}
