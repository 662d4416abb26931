/* scan.h - the cursor over assembler text that the parsers of the hardware instruction sets share.
 *
 * The text is scanned from a copy that ends in zero bytes, so that no function has to look for the end before it looks
 * at a byte. Blanks are spaces, tabs and carriage returns; a newline ends a statement. What starts a comment is the
 * instruction set's choice. Every function that reports an error answers false, so that a parser can return it. */
#ifndef WEFT_ISA_SCAN_H
#define WEFT_ISA_SCAN_H

#include "base/arena.h"
#include "base/diag.h"

#include <string.h>

enum { SCAN_PADDING = 16, SCAN_MAX_ERRORS = 10000 };

/* Which comments a language has. A comment up to the end of its line counts as the end of the line. */
enum scan_comments {
    SCAN_HASH = 1,            /* # to the end of the line */
    SCAN_SEMICOLON = 2,       /* ; to the end of the line */
    SCAN_SLASHES = 4,         /* // to the end of the line */
    SCAN_C = 8,               /* slash star to star slash, over lines too: blanks */
    SCAN_HASH_FIRST = 16,     /* # as the first character of a line that is not a blank */
    SCAN_NESTED = 32,         /* slash plus to plus slash, which may hold others of its kind: blanks */
    SCAN_SEPARATED = 64,      /* not a comment: ; ends a statement, as a newline does */
};

struct scan {
    const char *p;          /* the next byte */
    const char *begin, *end;
    const char *last;       /* end of the last token: what spans end at */
    const struct source *src;
    struct arena *arena;
    weft_diags *diags;
    uint32_t comments;      /* enum scan_comments, or-ed */
    uint32_t errors;
};

/* ---- characters ---- */

enum {
    SCAN_BLANK = 1,
    SCAN_LETTER = 2 /* and _ */,
    SCAN_DIGIT = 4,
    SCAN_HEX = 8,
    SCAN_STOP = 16 /* may start a comment */
};
extern const uint8_t scan_class[256];

static inline bool scan_is(char c, unsigned classes)
{
    return (scan_class[(unsigned char)c] & classes) != 0;
}

/* Start on a padded copy of src's text in the arena. False without memory. */
bool scan_start(struct scan *s, const struct source *src, uint32_t comments, struct arena *arena, weft_diags *diags);

void scan_skip_comments(struct scan *s);

/* To the next byte that is neither a blank nor in a comment: a newline, a token or the end. */
static inline void scan_blanks(struct scan *s)
{
    const char *p = s->p;
    while (scan_is(*p, SCAN_BLANK))
        p++;
    s->p = p;
    if (scan_is(*p, SCAN_STOP))
        scan_skip_comments(s);
}

/* Whether the byte itself ends a statement. */
static inline bool scan_at_separator(const struct scan *s)
{
    return *s->p == '\n' || (*s->p == ';' && (s->comments & SCAN_SEPARATED));
}

/* Blanks, then: is this the end of the statement? What ends it is not taken. */
static inline bool scan_at_line_end(struct scan *s)
{
    scan_blanks(s);
    return scan_at_separator(s) || s->p >= s->end;
}

/* To the first statement after this one, past what is left of it. False at the end of the text. */
bool scan_next_line(struct scan *s);

/* ---- tokens ---- */

/* Length of the run of letters, digits and _ at p. */
static inline size_t scan_word_length(const char *p)
{
    const char *q = p;
    while (scan_is(*q, SCAN_LETTER | SCAN_DIGIT))
        q++;
    return (size_t)(q - p);
}

/* Take the word that is next after blanks; its length, or 0 (nothing taken) when something else is next. */
static inline size_t scan_word(struct scan *s, const char **word)
{
    scan_blanks(s);
    *word = s->p;
    size_t n = scan_is(*s->p, SCAN_LETTER) ? scan_word_length(s->p) : 0;
    if (n) {
        s->p += n;
        s->last = s->p;
    }
    return n;
}

/* Take the punctuation c, and the blanks before it, if it is next. */
static inline bool scan_take(struct scan *s, char c)
{
    if (*s->p != c) {
        scan_blanks(s);
        if (*s->p != c)
            return false;
    }
    s->last = ++s->p;
    return true;
}

/* A number without sign: decimal, 0x, 0b or 0o, underscores between digits. False, with nothing taken and nothing said,
 * when none is next; false with an error when it has more than 64 bits or runs into a letter. */
bool scan_number(struct scan *s, uint64_t *value);
/* The same with an optional sign in front. *negative says whether there was a minus; *value is the magnitude. */
bool scan_signed(struct scan *s, uint64_t *value, bool *negative);

/* ---- words ---- */

/* Equal, whatever the case. `name` is terminated. Most words differ in their first letter. */
bool scan_all_is(const char *word, size_t length, const char *name);
static inline bool scan_word_is(const char *word, size_t length, const char *name)
{
    enum { BUT_CASE = 0xDF };
    return (length == 0 || ((word[0] ^ name[0]) & BUT_CASE) == 0) && scan_all_is(word, length, name);
}
/* Equal, the case too. */
static inline bool scan_same(const char *word, size_t length, const char *name)
{
    return length > 0 && *word == *name && strlen(name) == length && memcmp(name, word, length) == 0;
}
/* Index of a word in a list that ends at `count` or NULL, any case; -1 when it is not there. */
int scan_word_index(const char *word, size_t length, const char *const *names, size_t count);

/* What neighbouring tools call a thing: a word of theirs, what to write instead, and why or NULL (hints.inc). */
struct scan_meant {
    const char *word, *write, *why;
};
/* "write WRITE: WHY" for a word of theirs, any case; NULL: it is none of them. */
const char *scan_meant(struct scan *s, const struct scan_meant *list, size_t count, const char *word, size_t length);

/* ---- places and errors ---- */

static inline uint32_t scan_offset(const struct scan *s, const char *p)
{
    return (uint32_t)(p - s->begin);
}

/* So many bytes from p on. */
static inline struct span scan_at(const struct scan *s, const char *p, size_t length)
{
    return (struct span){scan_offset(s, p), (uint32_t)length};
}

/* From `from` to the end of the last token. */
static inline struct span scan_span(const struct scan *s, const char *from)
{
    return (struct span){scan_offset(s, from), (uint32_t)(s->last > from ? s->last - from : 0)};
}

bool scan_error(struct scan *s, struct span where, const char *code, const char *hint, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
/* The next token as a message shows it, at most 40 printable bytes of it; how long it is. */
uint32_t scan_describe_next(const struct scan *s, char *out, size_t size);
/* "write - instead", where the next character is one of print that looks like it; NULL: it is not that. */
const char *scan_printed_hint(const struct scan *s);
/* "expected WHAT, found 'the next word'" at the next byte. */
bool scan_expected(struct scan *s, const char *what);
/* The same with a hint. */
bool scan_expected_or(struct scan *s, const char *what, const char *hint);
/* What to say of a word where labels begin that no label's name can be, although a colon ends it: "a.b:"; NULL: it is
 * another word. */
const char *scan_label_hint(const char *word);
/* "unknown WHAT 'word'", with the nearest of the names as a hint, or all of them when they are few. */
bool scan_unknown(struct scan *s, const char *code, const char *what, const char *word, size_t length,
                  const char *const *names, size_t count);
/* A number, which must be next: scan_number with its error, or that `what` is expected. */
bool scan_need_number(struct scan *s, uint64_t *value, const char *what);
/* The same of one that is at most `most`. */
bool scan_number_to(struct scan *s, uint64_t most, uint32_t *value);
/* This character, which must be next. */
bool scan_need(struct scan *s, char c);
/* One of a list of words, which must be next: its index; -1 with an error that calls them `what`. */
int scan_choice(struct scan *s, const char *const *names, size_t count, const char *what);
/* The end of the statement must be next. */
bool scan_expect_line_end(struct scan *s);

#endif
