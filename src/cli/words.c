/* words.c - machine words as people print them, back to bytes. */
#include "cli/words.h"

#include "cli/cli.h"
#include "cli/digits.h"
#include "cli/dump.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIGITS = 16 };

/* The text that is read, and the bytes that were made. */
struct word_reader {
    const char *text, *at, *end;
    unsigned unit;
    uint8_t *bytes;
    size_t count;
    size_t words;    /* that were read one by one */
    size_t widest;   /* digits of a word */
    bool only_pairs; /* those that were read one by one had two digits each */
    size_t heading;  /* where the first line without words is; SIZE_MAX: there was none */
    bool in_array;   /* of C */
};

static bool is_separator(char c)
{
    return isspace((unsigned char)c) || strchr(",;()[]{}", c) != NULL;
}

static bool starts_with_0x(const char *p, const char *end)
{
    return end - p > 2 && p[0] == '0' && (p[1] | 0x20) == 'x';
}

static const char *end_of_line(const struct word_reader *r)
{
    const char *stop = memchr(r->at, '\n', (size_t)(r->end - r->at));
    return stop ? stop : r->end;
}

/* Skip a comment. False if none. */
static bool skip_comment(struct word_reader *r)
{
    if (*r->at == '#' || (r->end - r->at > 1 && r->at[0] == '/' && r->at[1] == '/')) {
        r->at = end_of_line(r);
        return true;
    }
    if (r->end - r->at < 4 || r->at[0] != '/' || r->at[1] != '*')
        return false;
    for (const char *p = r->at + 2; p + 1 < r->end; p++)
        if (p[0] == '*' && p[1] == '/') {
            r->at = p + 2;
            return true;
        }
    return false;
}

/* Digits of one word, the most significant first, become bytes, the least significant first. */
static void put_word(struct word_reader *r, const char *digits, size_t n)
{
    size_t size = ((n + 1) / 2 + r->unit - 1) / r->unit * r->unit;
    r->widest = n > r->widest ? n : r->widest;
    memset(r->bytes + r->count, 0, size);
    for (size_t i = 0; i < n; i++)
        r->bytes[r->count + i / 2] |= (uint8_t)(digits_value(digits[n - 1 - i]) << (i & 1) * 4);
    r->count += size;
}

/* Bytes in memory order. */
static void put_pairs(struct word_reader *r, const char *digits, size_t n)
{
    for (size_t i = 0; i + 1 < n; i += 2)
        r->bytes[r->count++] = (uint8_t)(digits_value(digits[i]) << 4 | digits_value(digits[i + 1]));
}

/* A line of xxd: eight digits, a colon, groups of digits one blank apart, two blanks, then the bytes as text. Groups of
 * four digits are bytes in memory order, longer ones words (xxd -e). False: it is not one; nothing is read. */
static bool read_xxd(struct word_reader *r)
{
    const char *stop = end_of_line(r), *p = r->at;
    size_t group = 0, groups = 0;
    if (digits_count(p, stop) != 8 || p + 9 >= stop || p[8] != ':' || p[9] != ' ')
        return false;
    const char *first = p + 10;
    for (p = first; p < stop; groups++) {
        size_t n = digits_count(p, stop);
        if (n == 0 || n % 2 != 0 || (group != 0 && n > group))
            break;
        group = group ? group : n;
        p += n;
        if (p >= stop || *p != ' ')
            break;
        p++;
    }
    if (groups == 0 || p >= stop || *p != ' ') /* no second blank: no text comes after the groups */
        return false;
    for (const char *q = first; groups-- > 0; q += digits_count(q, stop) + 1)
        (group > 4 ? put_word : put_pairs)(r, q, digits_count(q, stop));
    r->at = stop;
    return true;
}

/* A line of a listing without offsets: at least four pairs of digits one blank apart, two blanks or a tab, then text.
 * False: it is not one; nothing is read. */
static bool read_listing(struct word_reader *r)
{
    enum { FEWEST = 4 };
    const char *stop = end_of_line(r), *p = r->at;
    size_t pairs = 0;
    while (digits_count(p, stop) == 2 && stop - p > 2 && (p[2] == ' ' || p[2] == '\t')) {
        pairs++;
        p += 2;
        if (*p == '\t' || p[1] == ' ')
            break;
        p++;
    }
    while (p < stop && isspace((unsigned char)*p))
        p++;
    if (pairs < FEWEST || p == stop || (digits_count(p, stop) == 2 && (stop - p == 2 || is_separator(p[2]))))
        return false;
    for (const char *q = r->at; pairs-- > 0; q += 3)
        put_pairs(r, q, 2);
    r->at = stop;
    return true;
}

/* "0010:" or gdb's "0x7fff5000 <code+16>:" at the start of a line. */
static bool skip_offset(struct word_reader *r)
{
    const char *p = r->at, *stop = end_of_line(r);
    p += starts_with_0x(p, stop) ? 2 : 0;
    size_t n = digits_count(p, stop);
    if (n == 0)
        return false;
    p += n;
    if (stop - p > 2 && p[0] == ' ' && p[1] == '<') {
        p = memchr(p, '>', (size_t)(stop - p));
        p = p ? p + 1 : stop;
    }
    if (p >= stop || *p != ':')
        return false;
    r->at = p + 1;
    return true;
}

/* A word, or an offset, and then the end of the text or something else than a letter. */
static bool is_word_at(const char *p, const char *stop)
{
    p += starts_with_0x(p, stop) ? 2 : 0;
    size_t n = digits_count(p, stop);
    return n > 1 && n <= MOST_DIGITS && (p + n == stop || is_separator(p[n]) || p[n] == ':');
}

/* After the next colon with a blank after it; NULL if none. */
static const char *behind_colon(const char *p, const char *stop)
{
    while ((p = memchr(p, ':', (size_t)(stop - p))) != NULL)
        if (++p < stop && *p == ' ')
            return p;
    return NULL;
}

/* The time before a line of a kernel's log: "[   12.345678]". Returns what comes after it; NULL if none. */
static const char *behind_time(const char *p, const char *stop)
{
    if (*p++ != '[')
        return NULL;
    while (p < stop && *p == ' ')
        p++;
    size_t seconds = digits_count(p, stop);
    if (seconds == 0 || p + seconds >= stop || p[seconds] != '.')
        return NULL;
    p += seconds + 1;
    p += digits_count(p, stop);
    return p < stop && *p == ']' ? p + 1 : NULL;
}

/* What a kernel's log has before the words: "[   12.345678] driver 0000:01:00.0: shader: ". */
static bool skip_log(struct word_reader *r)
{
    const char *stop = end_of_line(r), *p = behind_time(r->at, stop);
    while (p && p < stop && !is_word_at(p + 1, stop))
        p = behind_colon(p, stop);
    if (!p || p >= stop)
        return false;
    r->at = p;
    return true;
}

static bool has(const char *p, const char *stop, char c)
{
    return memchr(p, c, (size_t)(stop - p)) != NULL;
}

/* What C has before the words of an array: "static const uint32_t code[] = {". */
static bool skip_array_head(struct word_reader *r)
{
    const char *open = memchr(r->at, '{', (size_t)(r->end - r->at));
    if (r->count || !open || !has(r->at, open, '[') || !has(r->at, open, '='))
        return false;
    r->in_array = true;
    r->at = open + 1;
    return true;
}

/* What xxd -i has after an array: "unsigned int code_len = 240;". */
static bool skip_array_length(struct word_reader *r)
{
    const char *stop = end_of_line(r);
    if (!r->in_array || !has(r->at, stop, '=') || !has(r->at, stop, ';') || has(r->at, stop, '{'))
        return false;
    r->at = stop;
    return true;
}

/* Are there words in a line: two side by side, or one of eight digits with 0x? What ends with a colon is an address. */
static bool has_words(const struct word_reader *r, const char *p, const char *stop)
{
    enum { LONG = 8 };
    const size_t shortest = r->unit > 2 ? LONG : 4;
    unsigned run = 0;
    while (p < stop) {
        if (is_separator(*p)) {
            p++;
            continue;
        }
        bool marked = starts_with_0x(p, stop);
        size_t n = digits_count(p + (marked ? 2 : 0), stop);
        p += n + (marked ? 2 : 0);
        bool whole = n >= (marked ? shortest : LONG) && (p == stop || is_separator(*p));
        run = whole ? run + 1 + (marked && n >= LONG) : 0;
        if (run > 1)
            return true;
        while (p < stop && !is_separator(*p))
            p++;
    }
    return false;
}

/* Before the first word, a line that begins with a word of letters, or with the time of a kernel's log. A line
 * that has words is not a heading: they would be lost. */
static bool skip_heading(struct word_reader *r)
{
    const char *stop = end_of_line(r), *p = behind_time(r->at, stop);
    if (r->count)
        return false;
    for (p = p ? p : r->at; p < stop && *p == ' '; p++)
        ;
    const char *word = p;
    while (p < stop && isalpha((unsigned char)*p))
        p++;
    if (p == word || digits_count(word, p) == (size_t)(p - word) || (p < stop && !is_separator(*p) && *p != ':') ||
        has_words(r, p, stop))
        return false;
    r->heading = r->heading == SIZE_MAX ? (size_t)(r->at - r->text) : r->heading;
    r->at = stop;
    return true;
}

/* What a line begins with that is not a word. */
static bool skip_beginning(struct word_reader *r)
{
    return skip_offset(r) || skip_array_head(r) || skip_array_length(r) || skip_heading(r);
}

size_t words_odd_digits(const char *at, const char *end, unsigned unit)
{
    size_t n = digits_count(at + (starts_with_0x(at, end) ? 2 : 0), end), whole = 2 * (size_t)unit;
    return n > whole && n % whole ? n : 0;
}

static bool read_word(struct word_reader *r)
{
    const char *p = r->at + (starts_with_0x(r->at, r->end) ? 2 : 0);
    size_t n = digits_count(p, r->end);
    if (words_odd_digits(r->at, r->end, r->unit))
        return false;
    if (n == 0 || n > MOST_DIGITS || (p + n < r->end && !is_separator(p[n]) && p[n] != '/' && p[n] != '#'))
        return false;
    put_word(r, p, n);
    r->only_pairs &= n == 2;
    r->words++;
    r->at = p + n;
    return true;
}

/* Words of two digits each are bytes in memory order. */
static void make_bytes(struct word_reader *r)
{
    for (size_t i = 0; i < r->words; i++)
        r->bytes[i] = r->bytes[i * r->unit];
    r->count = r->words;
}

static struct word_reader read_words(const char *text, size_t size, unsigned unit, uint8_t *bytes)
{
    struct word_reader r = {text, text, text + size, unit, bytes, .only_pairs = true, .heading = SIZE_MAX};
    bool line_starts = true;
    while (r.at < r.end) {
        if (line_starts && (skip_log(&r) || (*r.at == '[' && skip_heading(&r))))
            continue;
        if (is_separator(*r.at)) {
            line_starts |= *r.at++ == '\n';
            continue;
        }
        if (skip_comment(&r))
            continue;
        bool skipped = line_starts && (read_xxd(&r) || read_listing(&r) || skip_beginning(&r));
        line_starts = false;
        if (!skipped && !read_word(&r))
            break;
    }
    if (r.words > 1 && r.only_pairs && r.count == r.words * unit)
        make_bytes(&r);
    if (r.count == 0 && r.heading != SIZE_MAX) /* nothing but headings */
        r.at = text + r.heading;
    return r;
}

size_t words_parse(const char *text, size_t size, unsigned unit, uint8_t *bytes, size_t *count)
{
    enum { HALF = 4 };
    *count = dump_parse(text, size, bytes);
    if (*count)
        return size;
    struct word_reader r = read_words(text, size, unit, bytes);
    if (unit == 2 * HALF && r.widest <= 2 * HALF && r.count > unit && r.at == r.end) /* words of 32 bits */
        r = read_words(text, size, HALF, bytes);
    *count = r.count;
    return (size_t)(r.at - text);
}

static char *print_line(char *p, const uint8_t *bytes, size_t size, unsigned unit)
{
    for (size_t at = 0; at < size; at += unit) {
        p += sprintf(p, at ? " 0x" : "0x");
        for (unsigned i = unit; i-- > 0;)
            p += sprintf(p, "%02x", bytes[at + i]);
        *p++ = ',';
    }
    *p++ = '\n';
    return p;
}

char *words_print(const uint8_t *bytes, size_t size, unsigned unit, const weft_place *places, size_t count,
                  size_t *length)
{
    enum { AROUND = 5 /* " 0x", a comma, the end of a line */ };
    for (size_t i = 0; i < count; i++)
        if (places[i].size % unit)
            count = 0;
    char *text = cli_kept(malloc(size * 2 + (size / unit + count + 1) * AROUND)), *p = text;
    for (size_t i = 0; i < count; i++)
        p = print_line(p, bytes + places[i].offset, places[i].size, unit);
    for (size_t at = 0; count == 0 && at < size; at += unit)
        p = print_line(p, bytes + at, unit, unit);
    *length = (size_t)(p - text);
    return text;
}

int words_is_word(const char *text)
{
    size_t length = strlen(text);
    text += starts_with_0x(text, text + length) ? 2 : 0;
    size_t n = strspn(text, "0123456789abcdefABCDEF");
    return n > 0 && n <= MOST_DIGITS && text[n] == '\0';
}
