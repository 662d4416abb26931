/* scan.c - characters, words, numbers and errors of assembler text. */
#include "isa/scan.h"

#include "base/mark.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LETTER SCAN_LETTER
#define HEX (SCAN_LETTER | SCAN_HEX)
#define DIGIT (SCAN_DIGIT | SCAN_HEX)

const uint8_t scan_class[256] = {
    [' '] = SCAN_BLANK, ['\t'] = SCAN_BLANK, ['\r'] = SCAN_BLANK, ['\v'] = SCAN_BLANK, ['\f'] = SCAN_BLANK,
    ['#'] = SCAN_STOP,  [';'] = SCAN_STOP,   ['/'] = SCAN_STOP,
    ['0'] = DIGIT, ['1'] = DIGIT, ['2'] = DIGIT, ['3'] = DIGIT, ['4'] = DIGIT,
    ['5'] = DIGIT, ['6'] = DIGIT, ['7'] = DIGIT, ['8'] = DIGIT, ['9'] = DIGIT,
    ['A'] = HEX, ['B'] = HEX, ['C'] = HEX, ['D'] = HEX, ['E'] = HEX, ['F'] = HEX,
    ['G'] = LETTER, ['H'] = LETTER, ['I'] = LETTER, ['J'] = LETTER, ['K'] = LETTER, ['L'] = LETTER, ['M'] = LETTER,
    ['N'] = LETTER, ['O'] = LETTER, ['P'] = LETTER, ['Q'] = LETTER, ['R'] = LETTER, ['S'] = LETTER, ['T'] = LETTER,
    ['U'] = LETTER, ['V'] = LETTER, ['W'] = LETTER, ['X'] = LETTER, ['Y'] = LETTER, ['Z'] = LETTER, ['_'] = LETTER,
    ['a'] = HEX, ['b'] = HEX, ['c'] = HEX, ['d'] = HEX, ['e'] = HEX, ['f'] = HEX,
    ['g'] = LETTER, ['h'] = LETTER, ['i'] = LETTER, ['j'] = LETTER, ['k'] = LETTER, ['l'] = LETTER, ['m'] = LETTER,
    ['n'] = LETTER, ['o'] = LETTER, ['p'] = LETTER, ['q'] = LETTER, ['r'] = LETTER, ['s'] = LETTER, ['t'] = LETTER,
    ['u'] = LETTER, ['v'] = LETTER, ['w'] = LETTER, ['x'] = LETTER, ['y'] = LETTER, ['z'] = LETTER,
};

bool scan_start(struct scan *s, const struct source *src, uint32_t comments, struct arena *arena, weft_diags *diags)
{
    *s = (struct scan){.src = src, .comments = comments, .arena = arena, .diags = diags};
    char *copy = arena_alloc(arena, src->size + SCAN_PADDING);
    if (!copy)
        return false;
    if (src->size)
        memcpy(copy, src->text, src->size);
    s->p = s->begin = s->last = copy;
    s->end = copy + src->size;
    s->p = s->last = copy + mark_size(copy, src->size);
    return true;
}

/* ---- comments and lines ---- */

static const char *to_line_end(const struct scan *s, const char *p)
{
    const char *newline = memchr(p, '\n', (size_t)(s->end - p));
    return newline ? newline : s->end;
}

static bool first_of_line(const struct scan *s, const char *p)
{
    while (p > s->begin && scan_is(p[-1], SCAN_BLANK))
        p--;
    return p == s->begin || p[-1] == '\n';
}

static bool starts_line_comment(const struct scan *s, const char *p)
{
    switch (*p) {
    case '#':
        return (s->comments & SCAN_HASH) || ((s->comments & SCAN_HASH_FIRST) && first_of_line(s, p));
    case ';':
        return s->comments & SCAN_SEMICOLON;
    case '/':
        return p[1] == '/' && (s->comments & SCAN_SLASHES);
    default:
        return false;
    }
}

static const char *nested_comment_end(const struct scan *s, const char *p)
{
    unsigned depth = 0;
    for (; p + 1 < s->end; p++) {
        bool opens = p[0] == '/' && p[1] == '+', closes = p[0] == '+' && p[1] == '/';
        p += opens || closes;
        depth = depth + opens - closes;
        if (depth == 0)
            return p + 1;
    }
    return NULL;
}

/* Where the comment ends that starts at p and is no more than blanks: p itself when there is none, NULL when it is
 * open. */
static const char *comment_end(const struct scan *s, const char *p)
{
    if (p[0] != '/')
        return p;
    if (p[1] == '+' && (s->comments & SCAN_NESTED))
        return nested_comment_end(s, p);
    if (p[1] != '*' || !(s->comments & SCAN_C))
        return p;
    size_t left = (size_t)(s->end - p);
    const char *close = memmem(p + 2, left > 2 ? left - 2 : 0, "*/", 2);
    return close ? close + 2 : NULL;
}

void scan_skip_comments(struct scan *s)
{
    for (;;) {
        const char *p = s->p;
        while (scan_is(*p, SCAN_BLANK))
            p++;
        s->p = p;
        if (p >= s->end)
            return;
        if (starts_line_comment(s, p)) {
            s->p = to_line_end(s, p);
            return;
        }
        const char *close = comment_end(s, p);
        if (close == p)
            return;
        if (!close) {
            s->p = s->end;
            scan_error(s, scan_at(s, p, 2), "open-comment", NULL, "this comment is not closed");
            return;
        }
        s->p = close;
    }
}

bool scan_next_line(struct scan *s)
{
    while (!scan_at_line_end(s)) {
        /* a comment over lines may follow: a token at a time */
        s->p++;
        while (s->p < s->end && !scan_is(*s->p, SCAN_BLANK | SCAN_STOP) && *s->p != '\n')
            s->p++;
    }
    while (s->p < s->end && scan_at_separator(s)) {
        s->p++;
        scan_blanks(s);
    }
    s->last = s->p;
    return s->p < s->end;
}

/* ---- numbers ---- */

static unsigned digit_value(char c)
{
    return c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a') + 10;
}

/* Digits from p on, underscores between them. Returns their end. */
static const char *read_digits(const char *p, unsigned base, uint64_t *value, bool *overflow)
{
    *value = 0;
    *overflow = false;
    for (; scan_is(*p, SCAN_HEX) || *p == '_'; p++) {
        if (*p == '_')
            continue;
        unsigned d = digit_value(*p);
        if (d >= base)
            break;
        *overflow |= __builtin_mul_overflow(*value, (uint64_t)base, value);
        *overflow |= __builtin_add_overflow(*value, d, value);
    }
    return p;
}

bool scan_number(struct scan *s, uint64_t *value)
{
    bool overflow;
    scan_blanks(s);
    const char *p = s->p;
    if (!scan_is(*p, SCAN_DIGIT))
        return false;
    unsigned base = 10;
    if (*p == '0' && scan_is(p[1], SCAN_LETTER)) {
        char c = (char)(p[1] | 0x20);
        base = c == 'x' ? 16 : c == 'b' ? 2 : c == 'o' ? 8 : 10;
        p += base == 10 ? 0 : 2;
        if (base == 16 ? !scan_is(*p, SCAN_HEX) : !scan_is(*p, SCAN_DIGIT))
            return scan_error(s, scan_at(s, s->p, p - s->p), "bad-number", NULL, "expected digits after '%.2s'", s->p);
    }
    const char *stop = read_digits(p, base, value, &overflow);
    struct span where = {scan_offset(s, s->p), (uint32_t)(stop - s->p)};
    if (scan_is(*stop, SCAN_LETTER | SCAN_DIGIT)) {
        where.length += (uint32_t)scan_word_length(stop);
        return scan_error(s, where, "bad-number", NULL, "'%.*s' is not a number",
                          (int)(where.length < 40 ? where.length : 40), s->p);
    }
    if (overflow)
        return scan_error(s, where, "bad-number", NULL, "a number of more than 64 bits");
    s->last = s->p = stop;
    return true;
}

bool scan_signed(struct scan *s, uint64_t *value, bool *negative)
{
    scan_blanks(s);
    const char *start = s->p;
    *negative = *start == '-';
    if (*start == '-' || *start == '+')
        s->p++;
    if (scan_number(s, value))
        return true;
    s->p = start;
    return false;
}

/* ---- words ---- */

static char upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

bool scan_all_is(const char *word, size_t length, const char *name)
{
    for (size_t i = 0; i < length; i++)
        if (name[i] == '\0' || (word[i] != name[i] && upper(word[i]) != upper(name[i])))
            return false;
    return name[length] == '\0';
}

int scan_word_index(const char *word, size_t length, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count && names[i] != NULL; i++)
        if (scan_word_is(word, length, names[i]))
            return (int)i;
    return -1;
}

/* ---- errors ---- */

bool scan_error(struct scan *s, struct span where, const char *code, const char *hint, const char *fmt, ...)
{
    char message[240];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(message, sizeof message, fmt, ap);
    va_end(ap);
    if (s->errors++ < SCAN_MAX_ERRORS)
        diag_at(s->diags, WEFT_ERROR, code, s->src, where, hint, "%s", message);
    return false;
}

/* What word processors and web pages put in the place of characters that a language has. */
static const struct printed {
    char bytes[4]; /* of UTF-8 */
    const char *name, *hint;
} printed_marks[] = {
    {"\xe2\x88\x92", "a printed minus sign (U+2212)", "write - instead"},
    {"\xe2\x80\x93", "a dash (U+2013)", "write - instead"},
    {"\xe2\x80\x94", "a dash (U+2014)", "write - instead"},
    {"\xe2\x80\x9c", "a printed quotation mark (U+201C)", "write \" instead"},
    {"\xe2\x80\x9d", "a printed quotation mark (U+201D)", "write \" instead"},
    {"\xe2\x80\x98", "a printed apostrophe (U+2018)", "write ' instead"},
    {"\xe2\x80\x99", "a printed apostrophe (U+2019)", "write ' instead"},
    {"\xc3\x97", "a multiplication sign (U+00D7)", "write * instead"},
    {"\xc2\xa0", "a space that does not break (U+00A0)", "write a plain space instead"},
};

static const struct printed *printed_next(const struct scan *s)
{
    for (size_t i = 0; i < sizeof printed_marks / sizeof printed_marks[0]; i++) {
        size_t n = strlen(printed_marks[i].bytes);
        if ((size_t)(s->end - s->p) >= n && memcmp(s->p, printed_marks[i].bytes, n) == 0)
            return &printed_marks[i];
    }
    return NULL;
}

const char *scan_printed_hint(const struct scan *s)
{
    const struct printed *mark = (unsigned char)*s->p < 0x80 ? NULL : printed_next(s);
    return mark ? mark->hint : NULL;
}

uint32_t scan_describe_next(const struct scan *s, char *out, size_t size)
{
    const char *p = s->p;
    size_t n = scan_word_length(p);
    const struct printed *mark = (unsigned char)*p < 0x80 ? NULL : printed_next(s);
    if (p >= s->end)
        snprintf(out, size, "the end of the text");
    else if (*p == '\n')
        snprintf(out, size, "the end of the line");
    else if (n > 0)
        snprintf(out, size, "'%.*s'%s", n > 40 ? 40 : (int)n, p, n > 40 ? "..." : "");
    else if (*p > ' ' && *p < 0x7f)
        snprintf(out, size, "'%c'", *p);
    else if (mark)
        snprintf(out, size, "%s", mark->name);
    else
        snprintf(out, size, "the byte 0x%02x", (unsigned char)*p);
    return n ? (uint32_t)n : mark ? (uint32_t)strlen(mark->bytes) : 1;
}

bool scan_expected_or(struct scan *s, const char *what, const char *hint)
{
    char found[64];
    scan_blanks(s);
    struct span where = {scan_offset(s, s->p), scan_describe_next(s, found, sizeof found)};
    const char *printed = scan_printed_hint(s);
    return scan_error(s, where, "syntax", printed ? printed : hint, "expected %s, found %s", what, found);
}

bool scan_expected(struct scan *s, const char *what)
{
    return scan_expected_or(s, what, NULL);
}

const char *scan_meant(struct scan *s, const struct scan_meant *list, size_t count, const char *word, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (scan_word_is(word, length, list[i].word))
            return arena_printf(s->arena, list[i].why ? "write %s: %s" : "write %s", list[i].write, list[i].why);
    return NULL;
}

bool scan_unknown(struct scan *s, const char *code, const char *what, const char *word, size_t length,
                  const char *const *names, size_t count)
{
    char hint[160];
    /* A hint compares all names: only messages that are kept get one. */
    bool seen = s->diags && weft_diags_errors(s->diags) < DIAGS_KEPT;
    const char *text = seen ? word_hint(word, length, names, count, hint, sizeof hint) : NULL;
    struct span where = {scan_offset(s, word), (uint32_t)length};
    return scan_error(s, where, code, text, "unknown %s '%.*s'%s", what, length > 40 ? 40 : (int)length, word,
                      length > 40 ? "..." : "");
}

const char *scan_label_hint(const char *word)
{
    const char *p = word;
    while (scan_is(*p, SCAN_LETTER | SCAN_DIGIT) || *p == '.' || *p == '$' || *p == '-' || *p == '@')
        p++;
    bool label = p > word && *p == ':' && p != word + scan_word_length(word);
    return label ? "the name of a label has letters, digits and _" : NULL;
}

bool scan_expect_line_end(struct scan *s)
{
    static const char hash[] = "'#' begins a comment only at the start of a line; '//' does anywhere";
    const unsigned both = SCAN_HASH_FIRST | SCAN_SLASHES;
    return scan_at_line_end(s) ||
           scan_expected_or(s, "the end of the line", *s->p == '#' && (s->comments & both) == both ? hash : NULL);
}

bool scan_need_number(struct scan *s, uint64_t *value, const char *what)
{
    uint32_t errors = s->errors;
    if (scan_number(s, value))
        return true;
    return s->errors > errors ? false : scan_expected(s, what);
}

bool scan_number_to(struct scan *s, uint64_t most, uint32_t *value)
{
    uint64_t v;
    scan_blanks(s);
    const char *from = s->p;
    if (!scan_need_number(s, &v, "a number"))
        return false;
    if (v > most)
        return scan_error(s, scan_span(s, from), "out-of-range", NULL, "at most %llu is possible here",
                          (unsigned long long)most);
    *value = (uint32_t)v;
    return true;
}

bool scan_need(struct scan *s, char c)
{
    char what[4] = {'\'', c, '\'', 0};
    return scan_take(s, c) || scan_expected(s, what);
}

int scan_choice(struct scan *s, const char *const *names, size_t count, const char *what)
{
    const char *word;
    size_t n = scan_word(s, &word);
    int found = n ? scan_word_index(word, n, names, count) : -1;
    if (!n)
        scan_expected(s, what);
    else if (found < 0)
        scan_unknown(s, "unknown-word", what, word, n, names, count);
    return found;
}
