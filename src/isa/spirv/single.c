/* single.c - one instruction as a line of text and back. Numbers that only a module gives a meaning are written as they
 * are, in the form that SPIRV-Tools has for words: !0x3f800000. */
#include "isa/spirv/single.h"

#include <string.h>

/* ---- printing ---- */

struct printer {
    struct text *t;
    const uint32_t *w;
};

static void put_string(struct text *t, const uint32_t *w)
{
    put_char(t, '"');
    for (unsigned i = 0;; i++) {
        char c = (char)(w[i / 4] >> i % 4 * 8 & 0xff);
        if (!c)
            break;
        if (c == '"' || c == '\\')
            put_char(t, '\\');
        put_char(t, c);
    }
    put_char(t, '"');
}

static void put_raw(struct text *t, uint32_t word)
{
    put_char(t, '!');
    put_hex_digits(t, word, 8);
}

static void put_enumeration(struct text *t, unsigned kind, uint32_t value)
{
    const char *name = spirv_enumerant(kind, value, NULL);
    if (!name && spirv_kind_is_open(kind)) {
        put_raw(t, value);
        return;
    }
    if (name || !spirv_kind_is_bits(kind)) {
        put_text(t, name ? name : "?");
        return;
    }
    const char *before = "";
    for (unsigned bit = 0; bit < 32; bit++)
        if (value >> bit & 1) {
            put_text(t, before);
            put_text(t, spirv_enumerant(kind, (uint32_t)1 << bit, NULL));
            before = "|";
        }
    if (!value)
        put_text(t, "None");
}

static void put_operand(void *context, char letter, unsigned kind, uint32_t at, uint32_t count)
{
    struct printer *p = context;
    if (letter == 'r')
        return; /* it is on the left */
    put_char(p->t, ' ');
    for (uint32_t i = 0; letter == 'c' && i < count; i++) {
        put_text(p->t, i ? " " : "");
        put_raw(p->t, p->w[at + i]);
    }
    switch (letter) {
    case 'c':
        break;
    case '@':
        put_enumeration(p->t, kind, p->w[at]);
        break;
    case 'S':
        put_string(p->t, p->w + at);
        break;
    case 'n':
    case 'e':
    case 'o':
        put_unsigned(p->t, p->w[at]);
        break;
    case 'x':
        put_raw(p->t, p->w[at]);
        break;
    default:
        put_char(p->t, '%');
        put_unsigned(p->t, p->w[at]);
        break;
    }
}

void spirv_put_single(struct text *t, const struct spirv_row *row, const uint32_t *w, unsigned n)
{
    struct printer p = {t, w};
    unsigned result = row->form[0] == 'r' ? 1 : row->form[0] == 't' && row->form[1] == 'r' ? 2 : 0;
    if (result) {
        put_char(t, '%');
        put_unsigned(t, w[result]);
        put_text(t, " = ");
    }
    put_text(t, row->name);
    spirv_walk(row, w, n, put_operand, &p);
}

void spirv_put_header(struct text *t, const uint32_t *w)
{
    put_text(t, "SPIR-V");
    for (unsigned i = 1; i < SPIRV_HEADER_WORDS; i++) {
        put_char(t, ' ');
        put_raw(t, w[i]);
    }
}

/* ---- reading ---- */

enum { NAMES = 32 }; /* more than a line of SPIRV_SINGLE_WORDS has, and one operand too many */
_Static_assert(NAMES > SPIRV_SINGLE_WORDS + 4, "names of a line have room");

struct reader {
    const char *p, *end, *begin;
    uint32_t *w;
    unsigned n;
    const char *fault;
    struct {
        const char *text;
        size_t size;
    } name[NAMES]; /* of ids, as %float */
    unsigned names;
    uint32_t first; /* number of the first of them */
};

static void blanks(struct reader *r)
{
    while (r->p < r->end && (*r->p == ' ' || *r->p == '\t' || *r->p == '\n' || *r->p == '\r'))
        r->p++;
}

static bool more(struct reader *r)
{
    blanks(r);
    return !r->fault && r->p < r->end;
}

static void fail(struct reader *r, const char *fault)
{
    if (!r->fault)
        r->fault = fault;
}

static void add(struct reader *r, uint32_t word)
{
    if (r->n == SPIRV_SINGLE_WORDS)
        fail(r, "the instruction is longer than weft reads alone");
    else
        r->w[r->n++] = word;
}

static uint32_t digits(struct reader *r)
{
    uint64_t v = 0;
    unsigned base = 10, count = 0;
    if (r->end - r->p > 2 && r->p[0] == '0' && r->p[1] == 'x') {
        base = 16;
        r->p += 2;
    }
    for (; r->p < r->end; r->p++, count++) {
        char c = *r->p;
        unsigned d = c >= '0' && c <= '9' ? (unsigned)(c - '0') : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 99;
        if (d >= base)
            break;
        v = v * base + d;
        if (v > UINT32_MAX)
            fail(r, "a number has 32 bits");
    }
    if (!count)
        fail(r, "a number is expected");
    return (uint32_t)v;
}

static uint32_t marked(struct reader *r, char mark, const char *expected)
{
    blanks(r);
    if (r->p == r->end || *r->p != mark) {
        fail(r, expected);
        return 0;
    }
    r->p++;
    return digits(r);
}

static bool in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Ids with names get the numbers after those that the line has. */
static uint32_t first_free(const char *text, size_t size)
{
    struct reader r = {.p = text, .end = text + size};
    uint32_t most = 0;
    while (r.p < r.end) {
        if (*r.p++ != '%' || r.p == r.end || *r.p < '0' || *r.p > '9')
            continue;
        uint32_t id = digits(&r);
        most = id > most ? id : most;
    }
    return most < UINT32_MAX - NAMES ? most + 1 : 1;
}

static uint32_t read_id(struct reader *r, const char *expected)
{
    blanks(r);
    if (r->end - r->p < 2 || r->p[0] != '%' || !in_name(r->p[1]) || (r->p[1] >= '0' && r->p[1] <= '9'))
        return marked(r, '%', expected);
    const char *name = ++r->p;
    while (r->p < r->end && in_name(*r->p))
        r->p++;
    size_t size = (size_t)(r->p - name);
    unsigned i = 0;
    while (i < r->names && (r->name[i].size != size || memcmp(r->name[i].text, name, size) != 0))
        i++;
    if (i == r->names && i < NAMES) {
        r->name[r->names].text = name;
        r->name[r->names++].size = size;
    }
    return r->first + i;
}

static void read_string(struct reader *r)
{
    uint32_t word = 0;
    unsigned n = 0;
    blanks(r);
    if (r->p == r->end || *r->p != '"') {
        fail(r, "a text in quotes is expected");
        return;
    }
    for (r->p++; r->p < r->end && *r->p != '"'; r->p++, n++) {
        if (*r->p == '\\' && r->p + 1 < r->end)
            r->p++;
        word |= (uint32_t)(uint8_t)*r->p << n % 4 * 8;
        if (n % 4 == 3) {
            add(r, word);
            word = 0;
        }
    }
    if (r->p == r->end)
        fail(r, "the text does not end");
    else
        r->p++;
    add(r, word);
}

static void read_form(struct reader *r, const char *form, unsigned depth);

static void read_enumeration(struct reader *r, unsigned kind, unsigned depth)
{
    uint32_t value = 0, one;
    const char *form = "";
    blanks(r);
    if (spirv_kind_is_open(kind) && r->p < r->end && *r->p == '!') {
        add(r, marked(r, '!', "a number such as !0x0000000b is expected"));
        return;
    }
    do {
        const char *word = r->p;
        while (r->p < r->end && *r->p != ' ' && *r->p != '|' && *r->p != '\t')
            r->p++;
        if (!spirv_enumerant_value(kind, word, (uint32_t)(r->p - word), &one)) {
            r->p = word;
            fail(r, "a word of an enumeration is expected");
            return;
        }
        value |= one;
    } while (spirv_kind_is_bits(kind) && r->p < r->end && *r->p == '|' && r->p++);
    add(r, value);
    if (!spirv_kind_is_bits(kind)) {
        spirv_enumerant(kind, value, &form);
        read_form(r, form, depth + 1);
        return;
    }
    for (unsigned bit = 0; bit < 32; bit++)
        if (value >> bit & 1 && spirv_enumerant(kind, (uint32_t)1 << bit, &form))
            read_form(r, form, depth + 1);
}

static void read_operand(struct reader *r, char letter, unsigned kind, unsigned depth)
{
    switch (letter) {
    case '@':
        read_enumeration(r, kind, depth);
        break;
    case 'S':
        read_string(r);
        break;
    case 'c':
        do
            add(r, marked(r, '!', "a word such as !0x3f800000 is expected"));
        while (more(r));
        break;
    case 'n':
    case 'e':
        blanks(r);
        add(r, digits(r));
        break;
    case 'o':
        blanks(r);
        add(r, digits(r));
        while (more(r))
            add(r, marked(r, '!', "a word such as !0x00000007 is expected"));
        break;
    case 'p':
    case 'q':
        read_operand(r, letter == 'p' ? 'n' : 'i', 0, depth);
        read_operand(r, letter == 'p' ? 'i' : 'n', 0, depth);
        break;
    case 'P':
        read_operand(r, 'i', 0, depth);
        read_operand(r, 'i', 0, depth);
        break;
    default:
        add(r, read_id(r, "an id such as %7 or %color is expected"));
        break;
    }
}

static void read_form(struct reader *r, const char *form, unsigned depth)
{
    while (*form && !r->fault && depth < 5) {
        char letter = *form++;
        unsigned kind = 0;
        if (letter == '@') {
            kind = (unsigned)(form[0] - '0') * 10 + (unsigned)(form[1] - '0');
            form += 2;
        }
        bool optional = *form == '?' || *form == '*', many = *form == '*';
        form += optional;
        if (letter == 'r')
            continue;
        if (!optional)
            read_operand(r, letter, kind, depth);
        while (optional && more(r)) {
            read_operand(r, letter, kind, depth);
            if (!many)
                break;
        }
    }
}

static const struct spirv_row *read_name(struct reader *r)
{
    blanks(r);
    const char *word = r->p;
    while (r->p < r->end && *r->p != ' ' && *r->p != '\t' && *r->p != '\n')
        r->p++;
    size_t n = (size_t)(r->p - word);
    for (uint32_t i = 0; i < spirv_row_count; i++)
        if (strlen(spirv_rows[i].name) == n && memcmp(spirv_rows[i].name, word, n) == 0)
            return &spirv_rows[i];
    r->p = word;
    fail(r, "no instruction has this name");
    return NULL;
}

static void read_header(struct reader *r)
{
    r->p += 6;
    add(r, SpvMagicNumber);
    for (unsigned i = 1; i < SPIRV_HEADER_WORDS; i++)
        add(r, marked(r, '!', "a word such as !0x00010500 is expected"));
}

static void read_insn(struct reader *r)
{
    uint32_t result = 0;
    bool has_result = *r->p == '%';
    if (has_result) {
        result = read_id(r, "an id");
        blanks(r);
        if (r->p < r->end && *r->p == '=')
            r->p++;
        else
            fail(r, "'=' is expected");
    }
    const struct spirv_row *row = r->fault ? NULL : read_name(r);
    if (!row)
        return;
    bool typed = row->form[0] == 't', gives = row->form[typed] == 'r';
    if (gives != has_result) {
        fail(r, gives ? "write the result before the name: '%id = '"
                      : "the instruction has no result: write no '%id = '");
        return;
    }
    add(r, row->opcode);
    read_form(r, row->form, 0);
    if (gives && !r->fault) { /* the result comes first, or after the type */
        unsigned at = typed ? 2 : 1;
        add(r, 0);
        memmove(r->w + at + 1, r->w + at, (r->n - at - 1) * sizeof *r->w);
        r->w[at] = result;
    }
    r->w[0] |= (uint32_t)r->n << 16;
}

unsigned spirv_read_single(const char *text, size_t size, uint32_t w[SPIRV_SINGLE_WORDS], size_t *at,
                           const char **fault)
{
    struct reader r = {.p = text, .end = text + size, .begin = text, .w = w, .first = first_free(text, size)};
    *fault = NULL;
    *at = 0;
    if (!more(&r))
        return 0;
    if (r.end - r.p >= 6 && memcmp(r.p, "SPIR-V", 6) == 0)
        read_header(&r);
    else
        read_insn(&r);
    if (more(&r))
        fail(&r, "the instruction ends here");
    *at = (size_t)(r.p - text);
    *fault = r.fault;
    return r.fault ? 0 : r.n;
}
