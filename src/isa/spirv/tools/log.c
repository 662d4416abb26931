/* log.c - glslang's messages. It writes them as lines of a text: "ERROR: NAME:LINE: 'word' : what is wrong". NAME is
 * that of a text that it was given, LINE counts from 1, and a column is not said: it is that of the word, if the line
 * has it. */
#include "isa/spirv/tools/module.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *word;
    weft_severity severity;
} beginnings[] = {
    {"ERROR: ", WEFT_ERROR},
    {"INTERNAL ERROR: ", WEFT_ERROR},
    {"UNIMPLEMENTED: ", WEFT_ERROR},
    {"error: ", WEFT_ERROR},
    {"WARNING: ", WEFT_WARNING},
    {"warning: ", WEFT_WARNING},
    {"NOTE: ", WEFT_NOTE},
};
enum { BEGINNINGS = sizeof beginnings / sizeof *beginnings };

/* Lines that sum up what the others say. */
static bool sums_up(const char *p, size_t n)
{
    while (n && p[n - 1] == ' ')
        n--;
    static const char *const ends[] = {"compilation errors.  No code generated.", "compilation terminated"};
    for (int i = 0; i < 2; i++) {
        size_t length = strlen(ends[i]);
        if (n >= length && memcmp(p + n - length, ends[i], length) == 0)
            return true;
    }
    return n == 0;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The place of `word` in line `line` of the text, as a whole word if it is one; 0: none. */
static uint32_t column_of(const struct spirv_text *t, uint32_t line, const char *word, size_t length)
{
    const char *at = t->text, *end = at + t->size;
    for (uint32_t i = 1; i < line && at; i++) {
        at = memchr(at, '\n', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
    if (!at || !length)
        return 0;
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    stop = stop ? stop : end;
    for (const char *p = at; (size_t)(stop - p) >= length; p++) {
        bool before = p == at || !is_word(p[-1]) || !is_word(*p);
        bool after = p + length == stop || !is_word(p[length]) || !is_word(p[length - 1]);
        if (before && after && memcmp(p, word, length) == 0)
            return (uint32_t)(p - at) + 1;
    }
    return 0;
}

/* "NAME:LINE: " at p: how long it is, 0 if it is not one. */
static size_t place(const char *p, size_t n, const struct spirv_text *texts, size_t ntexts, size_t *which,
                    uint32_t *line)
{
    for (size_t i = 0; i < ntexts + 1; i++) {
        const char *name = i < ntexts ? texts[i].name : "0"; /* by number: where a #line has taken the name away */
        size_t length = strlen(name);
        if (n <= length + 1 || memcmp(p, name, length) != 0 || p[length] != ':')
            continue;
        if (!isdigit((unsigned char)p[length + 1]))
            continue;
        char *after;
        unsigned long number = strtoul(p + length + 1, &after, 10);
        if (after[0] != ':' || after[1] != ' ' || (size_t)(after + 2 - p) > n)
            continue;
        *which = i < ntexts ? i : 0;
        *line = number < UINT32_MAX ? (uint32_t)number : 0;
        return (size_t)(after + 2 - p);
    }
    return 0;
}

/* "'word' : " at p: the word, and what is after it. Nothing quoted: *length is 0. */
static size_t quoted(const char *p, size_t n, const char **word, size_t *length)
{
    *length = 0;
    if (n < 2 || *p != '\'')
        return 0;
    const char *end = NULL;
    for (const char *q = p + 1; q + 4 <= p + n && !end; q++)
        if (memcmp(q, "' : ", 4) == 0)
            end = q;
    if (!end)
        return 0;
    *word = p + 1;
    *length = (size_t)(end - p) - 1;
    return (size_t)(end - p) + 4;
}

/* What it says without the colon and the blanks that glslang leaves when it has nothing to add: "'x' : text " to
 * "'x': text". */
static void say(struct spirv_result *r, struct spirv_message m, const char *word, size_t length, const char *p,
                size_t n)
{
    while (n && *p == ' ')
        p++, n--;
    if (!length) {
        tools_say(r, m, p, n);
        return;
    }
    char *text = tools_alloc(r, length + n + 8);
    if (!text)
        return;
    text[0] = '\'';
    memcpy(text + 1, word, length);
    memcpy(text + 1 + length, "': ", 3);
    if (n)
        memcpy(text + 4 + length, p, n);
    tools_say(r, m, text, length + 4 + n);
}

static void read_line(struct spirv_result *r, const char *p, size_t n, const struct spirv_text *texts, size_t ntexts)
{
    int i = 0;
    while (i < BEGINNINGS &&
           !(n >= strlen(beginnings[i].word) && memcmp(p, beginnings[i].word, strlen(beginnings[i].word)) == 0))
        i++;
    struct spirv_message m = {.severity = i < BEGINNINGS ? beginnings[i].severity : WEFT_NOTE};
    size_t skip = i < BEGINNINGS ? strlen(beginnings[i].word) : 0, which = 0, length;
    if (sums_up(p, n))
        return;
    p += skip;
    n -= skip;
    skip = place(p, n, texts, ntexts, &which, &m.line);
    p += skip;
    n -= skip;
    m.file = which ? texts[which].name : NULL;
    const char *word = NULL;
    skip = quoted(p, n, &word, &length);
    if (m.line && length)
        m.column = column_of(&texts[which], m.line, word, length);
    m.length = m.column ? (uint32_t)length : 0;
    say(r, m, word, length, p + skip, n - skip);
}

void tools_read_log(struct spirv_result *r, const char *log, const struct spirv_text *texts, size_t ntexts)
{
    for (const char *p = log; *p;) {
        size_t n = strcspn(p, "\n");
        read_line(r, p, n, texts, ntexts);
        p += n + (p[n] == '\n');
    }
}
