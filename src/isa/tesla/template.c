/* template.c - syntaxes to items, words to numbers, and the tables by which rows are found. */
#include "isa/tesla/template.h"

#include "isa/tesla/operand.h"
#include "isa/tesla/source.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static struct tesla_tables tables; /* built once, constant afterwards */
static struct tesla_item item_pool[TESLA_ROWS * 12];
static uint32_t items_taken;

/* ---- words ---- */

static const struct {
    const char *text;
    uint8_t type;
    uint16_t modifier;
} word_meanings[] = {
    {"b8", TESLA_B8, 0},          {"b16", TESLA_B16, 0},          {"b32", TESLA_B32, 0},
    {"b64", TESLA_B64, 0},        {"b128", TESLA_B128, 0},        {"u8", TESLA_U8, 0},
    {"s8", TESLA_S8, 0},          {"u16", TESLA_U16, 0},          {"s16", TESLA_S16, 0},
    {"u24", TESLA_U24, 0},        {"s24", TESLA_S24, 0},          {"u32", TESLA_U32, 0},
    {"s32", TESLA_S32, 0},        {"u64", TESLA_U64, 0},          {"s64", TESLA_S64, 0},
    {"f16", TESLA_F16, 0},        {"f32", TESLA_F32, 0},          {"f64", TESLA_F64, 0},
    {"sat", 0, TESLA_SAT},        {"high", 0, TESLA_HIGH},        {"sfu", 0, TESLA_SFU_PATH},
    {"rni", 0, TESLA_TO_INTEGER}, {"rmi", 0, TESLA_TO_INTEGER},   {"rpi", 0, TESLA_TO_INTEGER},
    {"rzi", 0, TESLA_TO_INTEGER}, {"cent", 0, TESLA_CENT},        {"flat", 0, TESLA_FLAT},
    {"live", 0, TESLA_LIVE},      {"deriv", 0, TESLA_DERIV},      {"cube", 0, TESLA_CUBE},
    {"lim", 0, TESLA_LIMIT},      {"inc", 0, TESLA_INC},          {"wait", 0, TESLA_WAIT},
    {"exit", 0, 0},               {"join", 0, 0},                 {"long", 0, 0},
    {"short", 0, 0},
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
    assert(tables.nwords < TESLA_MAX_WORDS && length <= TESLA_WORD_LENGTH);
    struct tesla_word *w = &tables.word[tables.nwords];
    memcpy(w->text, text, length);
    w->spaced[0] = ' ';
    memcpy(w->spaced + 1, text, length);
    w->length = (uint8_t)length;
    for (size_t i = 0; i < sizeof word_meanings / sizeof word_meanings[0]; i++)
        if (strcmp(word_meanings[i].text, w->text) == 0) {
            w->type = word_meanings[i].type;
            w->modifier = word_meanings[i].modifier;
            tables.type_word[w->type] = (uint8_t)tables.nwords;
        }
    tables.slot[at] = (uint16_t)tables.nwords;
    return (uint8_t)tables.nwords++;
}

/* ---- syntaxes ---- */

/* Choices that have a name in the reference ("Modifier codes"). */
static const struct {
    const char *name, *choice;
} named_choices[] = {
    {"ICMP", "{never|l|e|le|g|lg|ge|always:b46-48}"},
    {"FCMP", "{never|l|e|le|g|lg|ge|lge|u|lu|eu|leu|gu|lgu|geu|always:b46-49}"},
    {"QOP0", "{add|subr|sub|mov2:b58-59}"},
    {"QOP1", "{add|subr|sub|mov2:b56-57}"},
    {"QOP2", "{add|subr|sub|mov2:b54-55}"},
    {"QOP3", "{add|subr|sub|mov2:b20-21}"},
    {"QLANE", "{l0|l1|l2|l3|dx|dy:b16-18}"},
};

static const char *const slot_names[TESLA_SLOTS] = {
#define SLOT(name, ...) #name,
#include "isa/tesla/slots.inc"
#undef SLOT
};

static int find_slot_name(const char *name, size_t length)
{
    for (int i = 0; i < TESLA_SLOTS; i++)
        if (strlen(slot_names[i]) == length && memcmp(slot_names[i], name, length) == 0)
            return i;
    return -1;
}

/* An operand's slot. Short and immediate forms have narrower fields under the same names; names ending in 7 do not. */
static int slot_of(const char *name, size_t length, bool small)
{
    static const struct {
        const char *name;
        uint8_t small, wide;
    } widths[] = {
        {"D", TESLA_SLOT_DS, TESLA_SLOT_D},     {"Dh", TESLA_SLOT_DSh, TESLA_SLOT_Dh},
        {"D7", TESLA_SLOT_D, TESLA_SLOT_D},     {"Dh7", TESLA_SLOT_Dh, TESLA_SLOT_Dh},
        {"R1", TESLA_SLOT_RS1, TESLA_SLOT_R1},  {"R1h", TESLA_SLOT_RS1h, TESLA_SLOT_R1h},
        {"R2", TESLA_SLOT_RS2, TESLA_SLOT_R2},  {"R2h", TESLA_SLOT_RS2h, TESLA_SLOT_R2h},
        {"TSRC", TESLA_SLOT_TSRCS, TESLA_SLOT_TSRC},
        {"[CDST]", TESLA_SLOT_MAYBE_CDST, TESLA_SLOT_MAYBE_CDST},
    };
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
        if (strlen(widths[i].name) == length && memcmp(widths[i].name, name, length) == 0)
            return small ? widths[i].small : widths[i].wide;
    return find_slot_name(name, length);
}

struct compiler {
    struct tesla_template *t;
    struct tesla_item *items;
    bool written; /* a destination was seen: the next D is the same again */
};

static struct tesla_item *add_item(struct compiler *c, unsigned kind)
{
    assert(items_taken < sizeof item_pool / sizeof item_pool[0] && c->t->nitems < TESLA_MAX_ITEMS);
    struct tesla_item *item = &c->items[c->t->nitems++];
    items_taken++;
    item->kind = (uint8_t)kind;
    return item;
}

static void add_word(struct compiler *c, const char *text, size_t length)
{
    struct tesla_item *item = add_item(c, TESLA_I_WORD);
    item->words[0] = intern(text, length);
    item->tight = *text == ')' || (c->t->nitems > 1 && tables.word[item[-1].words[0]].text[0] == '(');
}

/* "b16-17=0|3]" behind the colon of a choice: the field, and the codes of the words. */
static void read_field(const char *p, struct tesla_item *item, uint8_t codes[16])
{
    unsigned low = 0, high = 0;
    for (p++; *p >= '0' && *p <= '9'; p++)
        low = low * 10 + (unsigned)(*p - '0');
    high = low;
    if (*p == '-')
        for (high = 0, p++; *p >= '0' && *p <= '9'; p++)
            high = high * 10 + (unsigned)(*p - '0');
    item->low = (uint8_t)low;
    item->width = (uint8_t)(high - low + 1);
    for (unsigned i = 0; i < 16; i++)
        codes[i] = (uint8_t)i;
    for (unsigned n = 0; *p == '=' || *p == '|'; p += 2)
        codes[n++] = (uint8_t)(p[1] - '0');
}

/* "{a|b:b8}" or "[a:b8]". Returns what follows it. */
static const char *add_choice(struct compiler *c, const char *p)
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
    for (unsigned i = 0; i < item->nwords; i++)
        c->t->partial |= item->words[i] == TESLA_BAD_CODE;
    c->t->used |= tesla_field_mask(item->low, item->width);
    return p + strcspn(p, "]}") + 1;
}

static void add_operand(struct compiler *c, int slot)
{
    bool destination = slot == TESLA_SLOT_DS || slot == TESLA_SLOT_D;
    if (destination && c->written)
        slot = TESLA_SLOT_SAME;
    c->written |= destination || slot == TESLA_SLOT_TDM || slot == TESLA_SLOT_TD4;
    struct tesla_item *item = add_item(c, TESLA_I_OPERAND);
    item->slot = (uint8_t)slot;
    tesla_slot_shape(item);
    c->t->used |= tesla_slot_used((enum tesla_slot)slot);
    c->t->plus_carry |= slot == TESLA_SLOT_CSRC;
    c->t->maybe_cdst |= slot == TESLA_SLOT_MAYBE_CDST;
    c->t->isrc |= slot == TESLA_SLOT_ISRC;
    c->t->ignored |= slot == TESLA_SLOT_CDST ? UINT64_C(1) << 38 : 0;
    c->t->vector |= slot == TESLA_SLOT_TDM || slot == TESLA_SLOT_TD4;
    c->t->sources |= tesla_slot_source((enum tesla_slot)slot);
}

static void add_name(struct compiler *c, const char *p, size_t length, const struct tesla_row *row)
{
    for (size_t i = 0; i < sizeof named_choices / sizeof named_choices[0]; i++)
        if (strlen(named_choices[i].name) == length && memcmp(named_choices[i].name, p, length) == 0) {
            add_choice(c, named_choices[i].choice);
            return;
        }
    int slot = slot_of(p, length, row->form == TESLA_SHORT || row->form == TESLA_IMMEDIATE);
    if (slot >= 0)
        add_operand(c, slot);
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
    struct compiler c = {.t = t, .items = &item_pool[items_taken]};
    const char *p = row->syntax;
    t->items = c.items;
    t->used = row->mask | 3;
    t->small = row->form == TESLA_SHORT || row->form == TESLA_IMMEDIATE;
    if (row->form == TESLA_LONG || row->form == TESLA_IMMEDIATE)
        t->used |= tesla_field_mask(32, 2);
    t->predicated = prefix(&p, "[PRED] ");
    t->lanes = prefix(&p, "[LANE] ");
    t->used |= t->predicated ? tesla_field_mask(39, 7) : 0;
    t->used |= t->lanes ? tesla_field_mask(46, 4) : 0;
    while (*p) {
        size_t length = strcspn(p, " []{}()");
        if (*p == ' ')
            p++;
        else if (strncmp(p, "[CDST]", 6) == 0)
            add_operand(&c, TESLA_SLOT_MAYBE_CDST), p += 6;
        else if (*p == '[' || *p == '{')
            p = add_choice(&c, p);
        else if (*p == '(' || *p == ')')
            add_word(&c, p++, 1);
        else
            add_name(&c, p, length, row), p += length;
    }
    t->mnemonic = t->items[0].words[0];
    if (row->form == TESLA_LONG && t->sources && !(t->sources & TESLA_HAS_C))
        t->ignored |= UINT64_C(1) << TESLA_SELECT_C;
    if (row->form == TESLA_CONTROL)
        t->ignored |= tesla_field_mask(32, 2) | (t->predicated ? 0 : tesla_field_mask(39, 7));
    if (row->meaning == TESLA_M_MOV_FROM_A || row->meaning == TESLA_M_ADD_A)
        t->ignored |= UINT64_C(1) << 25; /* that of post-increments, which are not done */
}

/* ---- finding rows ---- */

static unsigned cell_of(unsigned form, uint64_t word)
{
    unsigned secondary = form == TESLA_LONG ? tesla_bits(word, 61, 3) : 0;
    return form * 128 + tesla_bits(word, 28, 4) * 8 + secondary;
}

/* The kind of a word ("Instruction kinds"). */
static unsigned form_of(uint64_t word)
{
    if (!tesla_is_long(word))
        return TESLA_SHORT;
    if (tesla_is_control(word))
        return TESLA_CONTROL;
    return tesla_bits(word, 32, 2) == 3 ? TESLA_IMMEDIATE : TESLA_LONG;
}

static bool in_cell(const struct tesla_row *row, unsigned cell)
{
    uint64_t word = (uint64_t)(cell / 8 % 16) << 28 | (uint64_t)(cell % 8) << 61;
    uint64_t bits = tesla_field_mask(28, 4) | (row->form == TESLA_LONG ? tesla_field_mask(61, 3) : 0);
    return cell / 128 == row->form && ((word ^ row->value) & row->mask & bits) == 0;
}

static void fill_cells(void)
{
    unsigned n = 0;
    for (unsigned cell = 0; cell < 4 * 128; cell++) {
        tables.cell_first[cell] = (uint16_t)n;
        if (cell / 128 != TESLA_LONG && cell % 8 != 0)
            continue;
        for (uint32_t r = 0; r < TESLA_ROWS; r++)
            if (in_cell(&tesla_rows[r], cell)) {
                assert(n < sizeof tables.cell_row / sizeof tables.cell_row[0]);
                tables.cell_row[n++] = (uint16_t)r;
            }
    }
    tables.cell_first[4 * 128] = (uint16_t)n;
}

/* Rows by mnemonic, those that text prefers first. */
static void fill_mnemonics(void)
{
    uint16_t n = 0;
    for (uint32_t w = 1; w < tables.nwords; w++) {
        tables.word[w].first_row = n;
        for (unsigned form = TESLA_SHORT; form <= TESLA_IMMEDIATE; form++)
            for (uint32_t r = 0; r < TESLA_ROWS; r++)
                if (tables.row[r].mnemonic == w && tesla_rows[r].form == form)
                    tables.by_mnemonic[n++] = (uint16_t)r;
        tables.word[w].nrows = (uint16_t)(n - tables.word[w].first_row);
    }
}

/* What every text of a row has: its words and operands without the optional ones. */
static unsigned next_required(const struct tesla_template *t, unsigned i)
{
    while (i < t->nitems && ((t->items[i].kind == TESLA_I_CHOICE && t->items[i].words[0] == TESLA_NO_WORD) ||
                             (t->items[i].kind == TESLA_I_OPERAND && t->items[i].slot == TESLA_SLOT_MAYBE_CDST)))
        i++;
    return i;
}

static bool alike(const struct tesla_template *a, const struct tesla_template *b)
{
    unsigned i = next_required(a, 0), j = next_required(b, 0);
    while (i < a->nitems && j < b->nitems) {
        const struct tesla_item *x = &a->items[i], *y = &b->items[j];
        if (x->kind != y->kind || (x->kind != TESLA_I_OPERAND && x->words[0] != y->words[0]))
            return false;
        i = next_required(a, i + 1);
        j = next_required(b, j + 1);
    }
    return i == a->nitems && j == b->nitems;
}

static void find_short_forms(void)
{
    for (uint32_t r = 0; r < TESLA_ROWS; r++) {
        bool possible = tesla_rows[r].form == TESLA_LONG || tesla_rows[r].form == TESLA_CONTROL;
        for (uint32_t s = 0; s < TESLA_ROWS && possible; s++) {
            struct tesla_template *t = &tables.row[r];
            if (tesla_rows[s].form != TESLA_SHORT || !alike(t, &tables.row[s]))
                continue;
            assert(t->nshort < TESLA_MAX_SHORT);
            t->short_row[t->nshort++] = (uint16_t)s;
        }
    }
}

/* The same but for a destination of 32 bits in place of 16. */
static bool widens(const struct tesla_template *wide, const struct tesla_template *narrow)
{
    bool differs = false;
    if (wide->nitems != narrow->nitems)
        return false;
    for (unsigned i = 0; i < wide->nitems; i++) {
        struct tesla_item x = wide->items[i], y = narrow->items[i];
        if (x.kind == TESLA_I_OPERAND && x.slot == TESLA_SLOT_LD32 && y.slot == TESLA_SLOT_LD16) {
            differs = true;
            y.slot = x.slot;
            y.shape = x.shape;
        }
        if (memcmp(&x, &y, sizeof x) != 0)
            return false;
    }
    return differs;
}

static void find_wide_rows(void)
{
    for (uint32_t r = 0; r < TESLA_ROWS; r++)
        for (uint32_t n = 0; n < TESLA_ROWS; n++)
            tables.row[r].wide |= tesla_rows[n].form == tesla_rows[r].form && widens(&tables.row[r], &tables.row[n]);
}

static void build(void)
{
    tables.nwords = 1; /* 0 is no word */
    for (unsigned i = 0; i < 128; i++)
        tables.reg[i].length = (uint8_t)snprintf(tables.reg[i].spaced, sizeof tables.reg[i].spaced, " $r%u", i);
    for (size_t i = 0; i < sizeof word_meanings / sizeof word_meanings[0]; i++)
        intern(word_meanings[i].text, strlen(word_meanings[i].text));
    tables.ignored_word = intern("ignored", 7);
    tables.wide_word = intern("wide", 4);
    for (uint32_t r = 0; r < TESLA_ROWS; r++)
        compile(&tesla_rows[r], &tables.row[r]);
    fill_cells();
    fill_mnemonics();
    find_short_forms();
    find_wide_rows();
}

const struct tesla_tables *tesla_tables(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, build);
    return &tables;
}

/* ---- decoding ---- */

/* Undefined codes of a choice. */
static bool choices_defined(const struct tesla_template *t, uint64_t word)
{
    for (unsigned i = 0; i < t->nitems; i++) {
        const struct tesla_item *item = &t->items[i];
        if (item->kind == TESLA_I_CHOICE && item->words[tesla_bits(word, item->low, item->width)] == TESLA_BAD_CODE)
            return false;
    }
    return true;
}

/* Codes 14 to 1b are undefined. */
static bool predicate_defined(uint64_t word)
{
    unsigned code = tesla_bits(word, 39, 5);
    return code < 0x14 || code > 0x1b;
}

/* Whether all of the word means something, and can be said in text. */
static bool well_formed(const struct tesla_template *t, uint64_t word, uint8_t stage)
{
    uint64_t used = t->used;
    if (t->partial && !choices_defined(t, word))
        return false;
    if (t->predicated && !predicate_defined(word))
        return false;
    if (t->maybe_cdst && tesla_bit(word, 38))
        used |= tesla_field_mask(36, 2);
    if (t->vector && !tesla_vectors_fit(t, word))
        return false;
    if (tesla_selects(t, word)) {
        struct tesla_selection s;
        if (!tesla_select(t, word, stage, &s))
            return false;
        used |= s.used;
    }
    return (word & ~used & ~tesla_ignored(t, word)) == 0;
}

const struct tesla_row *tesla_find_row(const struct tesla_tables *t, uint64_t word, const struct tesla_target *target)
{
    unsigned cell = cell_of(form_of(word), word);
    for (unsigned i = t->cell_first[cell]; i < t->cell_first[cell + 1]; i++) {
        const struct tesla_row *row = &tesla_rows[t->cell_row[i]];
        if ((word & row->mask) != row->value || (row->features & ~target->features) ||
            (row->stages != TESLA_ANY && !(row->stages & target->stage)))
            continue;
        if (well_formed(&t->row[t->cell_row[i]], word, target->stage))
            return row;
    }
    return NULL;
}
