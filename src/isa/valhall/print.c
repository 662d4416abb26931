/* print.c - words to text.
 *
 * Every row has a template, made once: a list of steps, most of which copy a word chosen by some bits of the
 * instruction. That is what makes printing fast. */
#include "isa/text.h"
#include "isa/valhall/names.h"
#include "isa/valhall/table.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

/* A short text, copied whole whatever its length. */
struct piece {
    char text[31];
    uint8_t length;
};

enum step_kind { STEP_TEXT, STEP_CHOICE, STEP_SOURCE, STEP_STAGING, STEP_HEX, STEP_SIGNED };

struct step {
    uint8_t kind;      /* enum step_kind */
    uint8_t at, size;  /* bits */
    uint8_t number;    /* STEP_STAGING: of the rule */
    const struct piece *pieces; /* STEP_TEXT: one; STEP_CHOICE: by the bits */
};

enum { STEPS = 40 };

struct template {
    uint8_t nsteps;
    struct step steps[STEPS];
    struct piece name;
};

static struct {
    struct template templates[VALHALL_OPS];
    struct piece modifiers[VALHALL_MODIFIER_IDS][16]; /* ".h0", and nothing for the number that is not written */
    struct piece selects[VALHALL_SELECTS][16];
    struct piece flows[16];
    struct piece signs[4];        /* neg, abs: neighbours in the word */
    struct piece inverts[2];
    struct piece sources[4][256]; /* by page and byte */
    struct piece destinations[256];
    struct piece registers[64];
    struct piece first, next;     /* before operands */
    struct piece immediates[VALHALL_OPS][VALHALL_IMMEDIATES];
} tables;
static pthread_once_t made = PTHREAD_ONCE_INIT;

/* ---- making the templates ---- */

static struct piece piece_of(const char *before, const char *text)
{
    struct piece p = {0};
    size_t n = strlen(before), m = strlen(text);
    assert(n + m < sizeof p.text);
    memcpy(p.text, before, n);
    memcpy(p.text + n, text, m);
    p.length = (uint8_t)(n + m);
    return p;
}

static void append(struct piece *p, const char *text)
{
    char before[sizeof p->text];
    memcpy(before, p->text, sizeof before);
    *p = piece_of(before, text);
}

/* letter, number */
static struct piece numbered(const char *letter, unsigned number)
{
    char digits[4] = {(char)('0' + number / 100), (char)('0' + number / 10 % 10), (char)('0' + number % 10)};
    return piece_of(letter, digits + (number < 10 ? 2 : number < 100 ? 1 : 0));
}

static void make_words(void)
{
    for (unsigned id = 0; id < VALHALL_MODIFIER_IDS; id++) {
        const struct valhall_modifier *m = &valhall_modifiers[id];
        if (!m->values)
            tables.modifiers[id][1] = piece_of(".", m->name);
        for (int v = 0; m->values && v < 1 << m->size; v++)
            if (v != m->initial && m->values[v])
                tables.modifiers[id][v] = piece_of(".", m->values[v]);
    }
    for (unsigned s = VALHALL_SELECT_NONE + 1; s < VALHALL_SELECTS; s++) {
        unsigned bits;
        int initial;
        const struct valhall_pick *picks = valhall_picks(s, &bits, &initial);
        for (int v = 0; v < 1 << bits; v++)
            if (v != initial && picks[v].name)
                tables.selects[s][v] = piece_of(".", picks[v].name);
    }
    for (unsigned f = 1; f < 16; f++)
        if (valhall_flow_names[f])
            tables.flows[f] = piece_of(".", valhall_flow_names[f]);
    tables.signs[1] = piece_of("", ".neg");
    tables.signs[2] = piece_of("", ".abs");
    tables.signs[3] = piece_of("", ".neg.abs");
    tables.inverts[1] = piece_of("", ".not");
    tables.first = piece_of("", " ");
    tables.next = piece_of("", ", ");
}

static struct piece constant_piece(uint32_t value)
{
    char digits[9];
    unsigned n = 1;
    while (n < 8 && value >> 4 * n)
        n++;
    for (unsigned k = 0; k < n; k++)
        digits[k] = "0123456789ABCDEF"[value >> 4 * (n - 1 - k) & 15];
    digits[n] = '\0';
    return piece_of("0x", digits);
}

static void make_registers(void)
{
    for (unsigned r = 0; r < 64; r++) {
        tables.registers[r] = numbered("r", r);
        for (unsigned mask = 1; mask < 4; mask++) {
            tables.destinations[mask << 6 | r] = numbered("r", r);
            if (mask < 3)
                append(&tables.destinations[mask << 6 | r], mask == 1 ? ".h0" : ".h1");
        }
        for (unsigned page = 0; page < 4; page++) {
            struct piece *p = tables.sources[page];
            p[r] = numbered("r", r);
            p[0x40 + r] = numbered("^r", r);
            p[0x80 + r] = numbered("u", r + 64 * page);
            const char *special = r < 32 ? NULL : valhall_special_names[page * 16 + (r - 32) / 2];
            if (r < 32)
                p[0xC0 + r] = constant_piece(valhall_constants[r]);
            else if (special)
                p[0xC0 + r] = piece_of(special, r & 1 ? ".w1" : ".w0");
        }
    }
}

static void add(struct template *t, struct step step)
{
    assert(t->nsteps < STEPS);
    t->steps[t->nsteps++] = step;
}

static void add_choice(struct template *t, unsigned at, unsigned size, const struct piece *pieces)
{
    add(t, (struct step){STEP_CHOICE, (uint8_t)at, (uint8_t)size, 0, pieces});
}

static void add_text(struct template *t, const struct piece *piece)
{
    add(t, (struct step){.kind = STEP_TEXT, .pieces = piece});
}

static void add_source(struct template *t, const struct valhall_source_rule *s)
{
    add(t, (struct step){.kind = STEP_SOURCE, .at = s->at});
    if (s->neg)
        add_choice(t, s->neg, 2, tables.signs);
    if (s->select) {
        unsigned bits;
        int initial;
        valhall_picks(s->select, &bits, &initial);
        add_choice(t, s->select_at, bits, tables.selects[s->select]);
    }
    if (s->invert)
        add_choice(t, s->invert, 1, tables.inverts);
}

static void add_immediate(struct template *t, const struct valhall_immediate_rule *rule, struct piece *name)
{
    *name = strcmp(rule->name, "constant") == 0 ? piece_of("#", "") : piece_of(rule->name, ":");
    add_text(t, name);
    add(t, (struct step){.kind = rule->is_signed ? STEP_SIGNED : STEP_HEX, .at = rule->at, .size = rule->size});
}

static void make_template(struct template *t, const struct valhall_row *row, struct piece *immediate_names)
{
    const struct piece *before = &tables.first;
    t->name = piece_of("", row->name);
    add_text(t, &t->name);
    for (unsigned i = 0; i < row->nmods; i++) {
        const struct valhall_modifier *m = &valhall_modifiers[row->mods[i]];
        add_choice(t, m->start, m->size, tables.modifiers[row->mods[i]]);
    }
    add_choice(t, 59, 4, tables.flows);
    for (unsigned i = 0; i < row->nstaging; i++, before = &tables.next) {
        add_text(t, before);
        add(t, (struct step){.kind = STEP_STAGING, .number = (uint8_t)i});
    }
    if (row->has_dst) {
        add_text(t, before);
        add_choice(t, 40, 8, tables.destinations);
        before = &tables.next;
    }
    for (unsigned i = 0; i < row->nsrc; i++, before = &tables.next) {
        add_text(t, before);
        add_source(t, &row->src[i]);
    }
    for (unsigned i = 0; i < row->nimm; i++, before = &tables.next) {
        add_text(t, before);
        add_immediate(t, &row->imm[i], &immediate_names[i]);
    }
}

static void make_tables(void)
{
    const struct valhall_row *rows = valhall_rows();
    make_words();
    make_registers();
    for (unsigned i = 0; i < VALHALL_OPS; i++)
        make_template(&tables.templates[i], &rows[i], tables.immediates[i]);
}

/* ---- printing ---- */

/* There is room for a whole piece, though only its length counts. */
static inline char *put_piece(char *p, const struct piece *piece)
{
    memcpy(p, piece, sizeof piece->text);
    return p + piece->length;
}

static char *put_staging(char *p, const struct valhall_staging_rule *rule, uint64_t word)
{
    unsigned base = word >> rule->at & 63, count = valhall_staging_count(rule, word);
    *p++ = '@';
    for (unsigned i = 0; i < count; i++) {
        if (i)
            *p++ = ':';
        p = put_piece(p, &tables.registers[base + i]);
    }
    return p;
}

static char *put_digits(char *p, uint32_t value)
{
    unsigned digits = value ? (35u - (unsigned)__builtin_clz(value)) / 4 : 1;
    *p++ = '0';
    *p++ = 'x';
    while (digits-- > 0)
        *p++ = "0123456789ABCDEF"[value >> 4 * digits & 15];
    return p;
}

static char *put_decimal(char *p, uint64_t bits, unsigned size)
{
    struct text t = {.p = p};
    put_signed(&t, (int64_t)(bits << (64 - size)) >> (64 - size));
    return t.p;
}

static char *put_instruction(char *p, const struct valhall_row *row, const struct template *t, uint64_t word)
{
    const struct piece *sources = tables.sources[word >> 57 & 3];
    for (const struct step *s = t->steps, *end = s + t->nsteps; s < end; s++) {
        uint64_t bits = word >> s->at;
        switch (s->kind) {
        case STEP_TEXT:
            p = put_piece(p, s->pieces);
            break;
        case STEP_CHOICE:
            p = put_piece(p, &s->pieces[bits & ((1u << s->size) - 1)]);
            break;
        case STEP_SOURCE:
            p = put_piece(p, &sources[bits & 255]);
            break;
        case STEP_STAGING:
            p = put_staging(p, &row->staging[s->number], word);
            break;
        case STEP_HEX:
            p = put_digits(p, (uint32_t)(bits & ((1ull << s->size) - 1)));
            break;
        case STEP_SIGNED:
            p = put_decimal(p, bits, s->size);
            break;
        }
    }
    return p;
}

/* A word that text cannot say in words, and why. */
static void put_data(struct text *t, const struct valhall_row *row, enum valhall_fault fault, uint64_t word)
{
    put_text(t, ".quad 0x");
    for (unsigned k = 16; k-- > 0;)
        put_char(t, "0123456789ABCDEF"[word >> 4 * k & 15]);
    if (row) {
        put_text(t, " // ");
        put_text(t, row->name);
        put_text(t, ": ");
        put_text(t, valhall_fault_names[fault]);
    }
}

static void put_line(struct text *t, const struct valhall_table *table, uint64_t word)
{
    const struct valhall_row *row = valhall_row_by_opcode(table, word);
    enum valhall_fault fault = row ? valhall_fault_of(table, row, word) : VALHALL_FIXED_BITS;
    if (fault == VALHALL_FINE)
        t->p = put_instruction(t->p, row, &tables.templates[row - table->rows], word);
    else
        put_data(t, word ? row : NULL, fault, word);
    put_char(t, '\n');
}

weft_status valhall_print(const struct isa_module *m, struct arena *arena, char **text, size_t *size,
                          struct isa_places *places)
{
    enum { LINE = 48 /* bytes of a line, more or less */ };
    const struct valhall_table *table = valhall_table();
    pthread_once(&made, make_tables);
    struct text t;
    struct isa_place *place = places ? ARENA_ARRAY(arena, struct isa_place, (size_t)m->nwords + 1) : NULL;
    if (!text_start(&t, arena, (size_t)m->nwords * LINE) || (places && !place))
        return WEFT_ERROR_MEMORY;
    for (uint32_t i = 0; i < m->nwords; i++) {
        if (!text_room(&t))
            return WEFT_ERROR_MEMORY;
        if (place)
            place[i] = (struct isa_place){m->base + 8 * (uint64_t)i, 8 * i, 8, (uint32_t)text_length(&t)};
        put_line(&t, table, m->words[i]);
    }
    text_end(&t);
    if (places)
        *places = (struct isa_places){place, m->nwords};
    *text = t.begin;
    *size = text_length(&t);
    return WEFT_OK;
}
