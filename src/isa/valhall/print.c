/* print.c - words to text.
 *
 * Every row has a template, made once: a list of steps, most of which copy a word chosen by some bits of the
 * instruction. Choices that most instructions leave at what is not written are passed over together, by the step before
 * them. That is what makes printing fast. */
#include "isa/text.h"
#include "isa/valhall/flow.h"
#include "isa/valhall/names.h"
#include "isa/valhall/table.h"

#include <pthread.h>
#include <string.h>

/* A short text, copied whole whatever its length. */
struct piece {
    char text[31];
    uint8_t length;
};

enum step_kind { STEP_TEXT, STEP_CHOICE, STEP_SOURCE, STEP_STAGING, STEP_HEX, STEP_SIGNED };

struct step {
    uint8_t kind;               /* enum step_kind */
    uint8_t at, size;           /* bits */
    uint8_t number;             /* STEP_STAGING: of the rule; TEXT, CHOICE, SOURCE: how many choices of a run follow */
    uint32_t ones;              /* as many as the bits are */
    const struct piece *pieces; /* STEP_TEXT: one; STEP_CHOICE: by the bits; STEP_SOURCE: by page and byte */
    uint64_t mask, value;       /* none of these choices writes anything when these bits are so */
};

enum { STEPS = 40 };

struct template
{
    uint8_t nsteps;
    struct step steps[STEPS];
    struct piece name;
};

static struct {
    struct template templates[VALHALL_OPS];
    struct piece modifiers[VALHALL_FIELD_IDS][16]; /* ".h0", and nothing for the number that is not written */
    struct piece selects[VALHALL_SELECTS][16];
    struct piece flows[16];
    struct piece signs[4]; /* neg, abs: neighbours in the word */
    struct piece inverts[2];
    struct piece sources[2][4][256]; /* by page and byte; with a blank before them, or a comma and a blank */
    struct piece destinations[256];  /* with a blank before them */
    struct piece registers[64];
    struct piece first, next; /* written before operands */
    struct piece immediates[VALHALL_OPS][VALHALL_IMMEDIATES];
    char fault[VALHALL_FAULT_TEXT];
} tables;
static pthread_once_t made = PTHREAD_ONCE_INIT;

/* ---- making the templates ---- */

static struct piece piece_of(const char *before, const char *text)
{
    struct piece p = {0};
    size_t n = strlen(before), m = strlen(text);
    if (n + m >= sizeof p.text) {
        valhall_blame(tables.fault, text, "too long a word");
        return p;
    }
    memcpy(p.text, before, n);
    memcpy(p.text + n, text, m);
    p.length = (uint8_t)(n + m);
    return p;
}

static struct piece after(const char *before, struct piece p)
{
    return piece_of(before, p.text);
}

/* letter, number */
static struct piece numbered(const char *letter, unsigned number)
{
    char digits[4] = {(char)('0' + number / 100), (char)('0' + number / 10 % 10), (char)('0' + number % 10)};
    return piece_of(letter, digits + (number < 10 ? 2 : number < 100 ? 1 : 0));
}

static void make_words(void)
{
    for (unsigned id = 0; id < VALHALL_FIELD_IDS; id++) {
        const struct valhall_field *m = &valhall_fields[id];
        if (m->role != VALHALL_ROLE_MODIFIER)
            continue;
        if (!m->words)
            tables.modifiers[id][1] = piece_of(".", m->name);
        for (int v = 0; m->words && v < 1 << m->size; v++)
            if (v != m->initial && m->words[v])
                tables.modifiers[id][v] = piece_of(".", m->words[v]);
    }
    for (unsigned s = VALHALL_SELECT_NONE + 1; s < VALHALL_SELECTS; s++) {
        const struct valhall_picks *all = &valhall_picks[s];
        for (int v = 0; v < 1 << all->bits; v++)
            if (v != all->initial && all->picks[v].name)
                tables.selects[s][v] = piece_of(".", all->picks[v].name);
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

/* The source that a byte names. */
static struct piece source_piece(unsigned page, unsigned byte)
{
    unsigned index = byte & 63;
    if (byte < VALHALL_BYTE_UNIFORM)
        return numbered(byte < VALHALL_BYTE_LAST ? "r" : "^r", index);
    if (byte < VALHALL_BYTE_CONSTANT)
        return numbered("u", index + 64 * page);
    if (byte < VALHALL_BYTE_SPECIAL)
        return index == VALHALL_FLOAT_ZERO ? piece_of("", "0.0") : constant_piece(valhall_constants[index]);
    const char *special = valhall_special_names[page * 16 + (index - 32) / 2];
    return special ? piece_of(special, index & 1 ? ".w1" : ".w0") : (struct piece){0};
}

static void make_registers(void)
{
    static const char *const halves[] = {"", ".h0", ".h1", ""}; /* code 0 never decodes */
    for (unsigned r = 0; r < 64; r++)
        tables.registers[r] = numbered("r", r);
    for (unsigned d = 0; d < 256; d++)
        tables.destinations[d] = after(" ", piece_of(tables.registers[d & 63].text, halves[d >> 6]));
    for (unsigned page = 0; page < 4; page++)
        for (unsigned byte = 0; byte < 256; byte++) {
            tables.sources[0][page][byte] = after(" ", source_piece(page, byte));
            tables.sources[1][page][byte] = after(", ", source_piece(page, byte));
        }
}

static void add(struct template *t, struct step step)
{
    step.ones = (uint32_t)((1ull << step.size) - 1);
    if (t->nsteps < STEPS)
        t->steps[t->nsteps++] = step;
    else
        valhall_blame(tables.fault, t->name.text, "too many operands and modifiers");
}

static void add_text(struct template *t, const struct piece *piece)
{
    add(t, (struct step){.kind = STEP_TEXT, .pieces = piece});
}

/* A run of choices begins: the step before it knows how many there are and when they write nothing. */
static struct step *begin_choices(struct template *t)
{
    return &t->steps[t->nsteps - 1];
}

/* `quiet`: the number that writes nothing, -1: all write something. */
static void add_choice(struct template *t, struct step *run, unsigned at, unsigned size, const struct piece *pieces,
                       int quiet)
{
    add(t, (struct step){.kind = STEP_CHOICE, .at = (uint8_t)at, .size = (uint8_t)size, .pieces = pieces});
    run->number++;
    run->mask |= ((1ull << size) - 1) << at;
    if (quiet >= 0)
        run->value |= (uint64_t)quiet << at;
    else
        run->value = ~0ull; /* beyond the mask: never so, and the run is not passed over */
}

static void add_modifiers(struct template *t, const struct valhall_row *row)
{
    unsigned i = 0;
    for (; i < row->nmods && valhall_fields[row->mods[i]].initial < 0; i++)
        ; /* those in front that are always written */
    for (unsigned k = 0; k < i; k++) {
        const struct valhall_field *m = &valhall_fields[row->mods[k]];
        add(t,
            (struct step){.kind = STEP_CHOICE, .at = m->at, .size = m->size, .pieces = tables.modifiers[row->mods[k]]});
    }
    struct step *run = begin_choices(t);
    for (; i < row->nmods; i++) {
        const struct valhall_field *m = &valhall_fields[row->mods[i]];
        add_choice(t, run, m->at, m->size, tables.modifiers[row->mods[i]], m->initial);
    }
    add_choice(t, run, valhall_fields[VALHALL_FIELD_FLOW].at, valhall_fields[VALHALL_FIELD_FLOW].size, tables.flows, 0);
}

static void add_source(struct template *t, const struct valhall_source_rule *s, bool first)
{
    add(t, (struct step){.kind = STEP_SOURCE, .at = s->at, .pieces = tables.sources[!first][0]});
    struct step *run = begin_choices(t);
    if (s->neg)
        add_choice(t, run, s->neg, 2, tables.signs, 0);
    if (s->select)
        add_choice(t, run, s->select_at, valhall_picks[s->select].bits, tables.selects[s->select],
                   valhall_picks[s->select].initial);
    if (s->invert)
        add_choice(t, run, s->invert, 1, tables.inverts, 0);
}

static void add_immediate(struct template *t, const struct valhall_field *rule, struct piece *name)
{
    *name = rule->role == VALHALL_ROLE_CONSTANT ? piece_of("#", "") : piece_of(rule->name, ":");
    add_text(t, name);
    add(t, (struct step){.kind = rule->is_signed ? STEP_SIGNED : STEP_HEX, .at = rule->at, .size = rule->size});
}

static void make_template(struct template *t, const struct valhall_row *row, struct piece *immediate_names)
{
    bool first = true;
    t->name = piece_of("", row->name);
    add_text(t, &t->name);
    add_modifiers(t, row);
    for (unsigned i = 0; i < row->nstaging; i++, first = false) {
        add_text(t, first ? &tables.first : &tables.next);
        add(t, (struct step){.kind = STEP_STAGING, .number = (uint8_t)i});
    }
    if (row->has_dst) {
        add(t, (struct step){.kind = STEP_CHOICE,
                             .at = valhall_fields[VALHALL_FIELD_DST].at,
                             .size = 8,
                             .pieces = tables.destinations});
        first = false;
    }
    for (unsigned i = 0; i < row->nsrc; i++, first = false)
        add_source(t, &row->src[i], first);
    for (unsigned i = 0; i < row->nimm; i++, first = false) {
        add_text(t, first ? &tables.first : &tables.next);
        add_immediate(t, &valhall_fields[row->imm[i]], &immediate_names[i]);
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
    unsigned base = (unsigned)valhall_get_field(word, rule->base), count = valhall_staging_count(rule, word);
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

/* The step after one that a run of choices may follow. */
static inline const struct step *past(const struct step *s, uint64_t word)
{
    return (word & s->mask) == s->value ? s + s->number : s;
}

static inline char *put_instruction(char *p, const struct valhall_row *row, const struct template *t, uint64_t word)
{
    size_t page = valhall_get_field(word, VALHALL_FIELD_PAGE) * 256;
    for (const struct step *s = t->steps, *end = s + t->nsteps; s < end; s++) {
        uint64_t bits = word >> s->at;
        switch (s->kind) {
        case STEP_TEXT:
            p = put_piece(p, s->pieces);
            s = past(s, word);
            break;
        case STEP_CHOICE:
            p = put_piece(p, &s->pieces[bits & s->ones]);
            s = past(s, word);
            break;
        case STEP_SOURCE:
            p = put_piece(p, &s->pieces[page + (bits & 255)]);
            s = past(s, word);
            break;
        case STEP_STAGING:
            p = put_staging(p, &row->staging[s->number], word);
            break;
        case STEP_HEX:
            p = put_digits(p, (uint32_t)bits & s->ones);
            break;
        case STEP_SIGNED:
            p = put_decimal(p, bits, s->size);
            break;
        }
    }
    return p;
}

/* A word that text cannot say in words, and why. */
static char *put_data(char *p, const struct valhall_row *row, enum valhall_fault fault, uint64_t word)
{
    p = write_text(p, ".quad 0x");
    for (unsigned k = 16; k-- > 0;)
        *p++ = "0123456789ABCDEF"[word >> 4 * k & 15];
    if (row) {
        p = write_text(p, " // ");
        p = write_text(p, row->name);
        p = write_text(p, ": ");
        p = write_text(p, valhall_fault_names[fault]);
    }
    return p;
}

static inline char *put_word(char *p, const struct valhall_table *table, uint64_t word)
{
    const struct valhall_row *row = valhall_row_by_opcode(table, word);
    enum valhall_fault fault = row ? valhall_fault_of(table, row, word) : VALHALL_FIXED_BITS;
    if (fault == VALHALL_FINE)
        return put_instruction(p, row, &tables.templates[row - table->rows], word);
    return put_data(p, word ? row : NULL, fault, word);
}

const char *valhall_print_fault(void)
{
    pthread_once(&made, make_tables);
    return tables.fault;
}

char *valhall_print_word(char *p, uint64_t word)
{
    pthread_once(&made, make_tables);
    return put_word(p, valhall_table(), word);
}

char *valhall_print_named(char *p, uint64_t word, const char *name)
{
    p = valhall_print_word(p, word);
    while (p[-1] != ':')
        p--;
    return write_text(p, name);
}

const char *valhall_source_text(unsigned page, unsigned byte)
{
    pthread_once(&made, make_tables);
    const struct piece *piece = &tables.sources[0][page][byte];
    return piece->length > 1 ? piece->text + 1 : NULL; /* past the blank before it */
}

char *valhall_print_tail(char *p, const uint8_t *bytes, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        p = write_text(p, i ? ", 0x" : ".byte 0x");
        *p++ = "0123456789ABCDEF"[bytes[i] >> 4];
        *p++ = "0123456789ABCDEF"[bytes[i] & 15];
    }
    return p;
}

/* ---- labels ---- */

static bool *find_labels(const struct isa_module *m, struct arena *arena)
{
    bool *labels = ARENA_ARRAY(arena, bool, (size_t)m->nwords + 1);
    for (uint32_t i = 0; labels && i < m->nwords; i++) {
        struct valhall_insn insn;
        valhall_insn_at(m, i, &insn);
        uint32_t target = valhall_way_of(&insn).target;
        if (target < m->nwords)
            labels[target] = true;
    }
    return labels;
}

static char *put_label(char *p, uint64_t address)
{
    *p++ = 'L';
    return write_hex(p, address);
}

static uint64_t address_of(const struct isa_module *m, uint32_t number)
{
    return m->base + 8 * (uint64_t)number;
}

/* The last operand of a branch is the way to its target: a label takes the number's place. */
static char *put_branch(char *p, const struct isa_module *m, uint32_t number)
{
    char label[32];
    struct valhall_insn insn;
    valhall_insn_at(m, number, &insn);
    uint32_t target = valhall_way_of(&insn).target;
    if (target >= m->nwords)
        return valhall_print_word(p, insn.word);
    *put_label(label, address_of(m, target)) = '\0';
    return valhall_print_named(p, insn.word, label);
}

weft_status valhall_print(const struct isa_module *m, struct arena *arena, char **text, size_t *size,
                          struct isa_places *places)
{
    enum { LINE = 48 /* bytes of a line, more or less */ };
    const struct valhall_table *table = valhall_table();
    if (valhall_print_fault()[0])
        return WEFT_ERROR_INTERNAL;
    struct text t;
    struct isa_place *place = places ? ARENA_ARRAY(arena, struct isa_place, (size_t)m->nwords + 2) : NULL;
    bool *labels = m->put_labels ? find_labels(m, arena) : NULL;
    if (!text_start(&t, arena, (size_t)m->nwords * LINE) || (places && !place) || (m->put_labels && !labels))
        return WEFT_ERROR_MEMORY;
    for (uint32_t i = 0; i < m->nwords; i++) {
        if (!text_room(&t))
            return WEFT_ERROR_MEMORY;
        if (labels && labels[i]) {
            t.p = put_label(t.p, address_of(m, i));
            put_text(&t, ":\n");
        }
        if (place)
            place[i] = (struct isa_place){address_of(m, i), 8 * i, 8, (uint32_t)text_length(&t)};
        t.p = labels ? put_branch(t.p, m, i) : put_word(t.p, table, m->words[i]);
        put_char(&t, '\n');
    }
    if (!text_room(&t))
        return WEFT_ERROR_MEMORY;
    if (place && m->ntail)
        place[m->nwords] =
            (struct isa_place){address_of(m, m->nwords), 8 * m->nwords, m->ntail, (uint32_t)text_length(&t)};
    t.p = valhall_print_tail(t.p, m->tail, m->ntail);
    if (m->ntail)
        put_char(&t, '\n');
    text_end(&t);
    if (places)
        *places = (struct isa_places){place, m->nwords + (m->ntail != 0)};
    *text = t.begin;
    *size = text_length(&t);
    return WEFT_OK;
}
