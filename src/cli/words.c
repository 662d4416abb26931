/* words.c - machine words as people print them, back to bytes. */
#include "cli/words.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { MOST_DIGITS = 64 };

/* The text that is read, and the bytes that were made. */
struct word_reader {
    const char *at, *end;
    unsigned unit;
    uint8_t *bytes;
    size_t count;
};

static unsigned digit(char c)
{
    return isdigit((unsigned char)c) ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a') + 10;
}

static size_t count_digits(const char *p, const char *end)
{
    size_t n = 0;
    while (p + n < end && isxdigit((unsigned char)p[n]))
        n++;
    return n;
}

static bool is_separator(char c)
{
    return isspace((unsigned char)c) || strchr(",;()[]{}", c) != NULL;
}

static const char *end_of_line(const struct word_reader *r)
{
    const char *stop = memchr(r->at, '\n', (size_t)(r->end - r->at));
    return stop ? stop : r->end;
}

/* Skip a comment. False: there is none. */
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
    memset(r->bytes + r->count, 0, size);
    for (size_t i = 0; i < n; i++)
        r->bytes[r->count + i / 2] |= (uint8_t)(digit(digits[n - 1 - i]) << (i & 1) * 4);
    r->count += size;
}

/* Bytes in memory order. */
static void put_pairs(struct word_reader *r, const char *digits, size_t n)
{
    for (size_t i = 0; i + 1 < n; i += 2)
        r->bytes[r->count++] = (uint8_t)(digit(digits[i]) << 4 | digit(digits[i + 1]));
}

/* A line of xxd: eight digits, a colon, groups of digits one blank apart, two blanks, then the bytes as text. Groups of
 * four digits are bytes in memory order, longer ones words (xxd -e). False: it is not one; nothing is read. */
static bool read_xxd(struct word_reader *r)
{
    const char *stop = end_of_line(r), *p = r->at;
    size_t group = 0, groups = 0;
    if (count_digits(p, stop) != 8 || p + 9 >= stop || p[8] != ':' || p[9] != ' ')
        return false;
    const char *first = p + 10;
    for (p = first; p < stop; groups++) {
        size_t n = count_digits(p, stop);
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
    for (const char *q = first; groups-- > 0; q += count_digits(q, stop) + 1)
        (group > 4 ? put_word : put_pairs)(r, q, count_digits(q, stop));
    r->at = stop;
    return true;
}

/* "0010:" at the start of a line. */
static bool skip_offset(struct word_reader *r)
{
    const char *p = r->at;
    if (r->end - p > 2 && p[0] == '0' && (p[1] | 0x20) == 'x')
        p += 2;
    size_t n = count_digits(p, r->end);
    if (n == 0 || p + n >= r->end || p[n] != ':')
        return false;
    r->at = p + n + 1;
    return true;
}

static bool read_word(struct word_reader *r)
{
    const char *p = r->at;
    if (r->end - p > 2 && p[0] == '0' && (p[1] | 0x20) == 'x')
        p += 2;
    size_t n = count_digits(p, r->end);
    if (n == 0 || n > MOST_DIGITS || (p + n < r->end && !is_separator(p[n]) && p[n] != '/' && p[n] != '#'))
        return false;
    put_word(r, p, n);
    r->at = p + n;
    return true;
}

size_t words_parse(const char *text, size_t size, unsigned unit, uint8_t *bytes, size_t *count)
{
    struct word_reader r = {text, text + size, unit, bytes, 0};
    bool line_starts = true;
    while (r.at < r.end) {
        if (is_separator(*r.at)) {
            line_starts |= *r.at++ == '\n';
            continue;
        }
        if (skip_comment(&r) || (line_starts && (read_xxd(&r) || skip_offset(&r)))) {
            line_starts = false;
            continue;
        }
        line_starts = false;
        if (!read_word(&r))
            break;
    }
    *count = r.count;
    return (size_t)(r.at - text);
}

int words_is_word(const char *text)
{
    if (text[0] == '0' && (text[1] | 0x20) == 'x')
        text += 2;
    size_t n = count_digits(text, text + strlen(text));
    return n > 0 && n <= MOST_DIGITS && text[n] == '\0';
}
