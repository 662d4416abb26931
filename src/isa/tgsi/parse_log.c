/* parse_log.c - where the programs of a text are: a log may hold several, with lines of other things between them. */
#include "isa/tgsi/parse.h"

#include "base/mark.h"

#include <string.h>

/* A text that is being looked through. */
struct search {
    const char *text;
    size_t size, at;
    bool comments; /* C's occur */
};

static char char_at(const struct search *s, size_t at)
{
    return at < s->size ? s->text[at] : '\0';
}

static size_t end_of_line(const struct search *s, size_t at)
{
    const char *newline = at < s->size ? memchr(s->text + at, '\n', s->size - at) : NULL;
    return newline ? (size_t)(newline - s->text) : s->size;
}

static size_t skip_blanks(const struct search *s, size_t at)
{
    while (char_at(s, at) == ' ' || char_at(s, at) == '\t' || char_at(s, at) == '\r')
        at++;
    return at;
}

static size_t word_length(const struct search *s, size_t at)
{
    size_t n = 0;
    while (scan_is(char_at(s, at + n), SCAN_LETTER | SCAN_DIGIT))
        n++;
    return n;
}

static bool begins_comment(const struct search *s, size_t at)
{
    return char_at(s, at) == '#' || char_at(s, at) == ';' || (char_at(s, at) == '/' && char_at(s, at + 1) == '/');
}

/* The end of C's comment at `at`; 0: none, or it is not closed. */
static size_t end_of_comment(const struct search *s, size_t at)
{
    if (char_at(s, at) != '/' || char_at(s, at + 1) != '*')
        return 0;
    const char *close = memmem(s->text + at + 2, s->size - at - 2, "*/", 2);
    return close ? (size_t)(close - s->text) + 2 : 0;
}

/* Length of a processor's name with the version that dumps of 2008 have after it (FRAG1.1); 0: none. */
static size_t processor_length(const struct search *s, size_t at, bool any_case)
{
    size_t n = word_length(s, at), whole = n;
    if (n > 1 && char_at(s, at + n - 1) == '1' && char_at(s, at + n) == '.' &&
        scan_is(char_at(s, at + n + 1), SCAN_DIGIT)) {
        n--;
        whole += 2;
    }
    for (unsigned p = 0; p < TGSI_PROCESSORS; p++) {
        const char *name = tgsi_processor_names[p];
        if (any_case ? scan_word_is(s->text + at, n, name) : strlen(name) == n && memcmp(s->text + at, name, n) == 0)
            return whole;
    }
    return 0;
}

/* To the first byte that is neither white space nor in a comment. */
static void skip_to_word(struct search *s)
{
    for (size_t end;;) {
        while (s->at < s->size && tgsi_is_space(s->text[s->at]))
            s->at++;
        if (begins_comment(s, s->at))
            s->at = end_of_line(s, s->at);
        else if ((end = end_of_comment(s, s->at)) != 0)
            s->at = end;
        else
            return;
    }
}

/* Past the line at s->at, and past comments that begin in it. */
static inline void next_line(struct search *s)
{
    size_t end = end_of_line(s, s->at);
    for (; s->comments && s->at < end; s->at++) {
        if (begins_comment(s, s->at))
            break;
        size_t closed = end_of_comment(s, s->at);
        if (closed) {
            s->at = closed - 1;
            end = end_of_line(s, closed);
        }
    }
    s->at = end < s->size ? end + 1 : s->size;
}

static bool may_be_processor(char first)
{
    if (!scan_is(first, SCAN_LETTER))
        return false; /* most lines begin with the instruction's number */
    for (unsigned p = 0; p < TGSI_PROCESSORS; p++)
        if (tgsi_processor_names[p][0] == first)
            return true;
    return false;
}

/* Whether the line at s->at has a processor's name and nothing else; s->at is then at the name. */
static bool is_processor_line(struct search *s)
{
    size_t at = skip_blanks(s, s->at);
    if (!may_be_processor(char_at(s, at)))
        return false; /* as almost every line */
    size_t n = processor_length(s, at, false);
    if (!n)
        return false;
    size_t rest = skip_blanks(s, at + n);
    if (rest < s->size && s->text[rest] != '\n' && !begins_comment(s, rest))
        return false;
    s->at = at;
    return true;
}

static bool find_processor_line(struct search *s)
{
    for (; s->at < s->size; next_line(s))
        if (is_processor_line(s))
            return true;
    return false;
}

static bool is_number(const char *word, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!scan_is(word[i], SCAN_DIGIT))
            return false;
    return true;
}

/* Whether a statement, perhaps with its number, is at s->at. */
static bool is_statement(const struct search *s)
{
    size_t at = s->at, n = word_length(s, at);
    if (n && is_number(s->text + at, n) && char_at(s, at + n) == ':') {
        at = skip_blanks(s, at + n + 1);
        n = word_length(s, at);
    }
    return n && tgsi_begins_statement(s->text + at, n);
}

/* To the first program; false: the text is one, and what is wrong with it is for the parser to say. */
static bool find_first(struct search *s, bool *elsewhere)
{
    s->at += mark_size(s->text, s->size);
    skip_to_word(s);
    *elsewhere = false;
    if (processor_length(s, s->at, true))
        return true;
    struct search further = *s;
    if (is_statement(s) || !find_processor_line(&further))
        return false;
    *elsewhere = true;
    *s = further;
    return true;
}

/* Whether C's comments begin anywhere. A slash is rare: looking for it alone takes no time. */
static bool has_comments(const char *text, size_t size)
{
    const char *end = text + size, *p = text;
    while (p < end && (p = memchr(p, '/', (size_t)(end - p))) != NULL)
        if (++p < end && *p == '*')
            return true;
    return false;
}

static struct search search_of(const struct source *src)
{
    struct search s = {.text = src->text, .size = src->size};
    s.comments = has_comments(src->text, src->size);
    return s;
}

uint32_t tgsi_programs(const struct source *src)
{
    struct search s = search_of(src);
    bool elsewhere;
    uint32_t n = 1;
    if (!find_first(&s, &elsewhere))
        return n;
    for (next_line(&s); find_processor_line(&s); next_line(&s))
        n++;
    return n;
}

bool tgsi_find_program(const struct source *src, uint32_t number, struct tgsi_region *out)
{
    struct search s = search_of(src);
    bool elsewhere, found = find_first(&s, &elsewhere);
    size_t begin = s.at;
    *out = (struct tgsi_region){.begin = begin, .end = src->size, .log = elsewhere};
    if (!found)
        return number == 0;
    next_line(&s);
    for (; number && find_processor_line(&s); number--, next_line(&s)) {
        begin = s.at;
        out->log = true;
    }
    if (number)
        return false;
    out->begin = begin;
    bool more = find_processor_line(&s);
    out->end = more ? s.at : src->size;
    out->log |= more;
    return true;
}
