/* damage.h - a text with one thing wrong: a word is gone, there twice, after the next one, something else, or the last
 * one. What reads texts must read each of these or say what is wrong with it. With WEFT_TEST_SHARE=N a run tries one in
 * N of these texts, others each time. */
#ifndef WEFT_TESTS_DAMAGE_H
#define WEFT_TESTS_DAMAGE_H

#include "test.h"

#include <stdbool.h>
#include <weft/diag.h>

struct damaged {
    char *text; /* terminated */
    size_t size;
    size_t at;     /* the word's first byte */
    uint32_t line; /* of the word, from 1 */
    bool nonsense; /* instead of the word there is a character that no language has */
    const char *what;
};

/* No language has this character. */
#define NONSENSE "\xc2\xbf"

/* What judges call the text. */
#define DAMAGED_NAME "damaged"

typedef void damage_judge(const struct damaged *d, void *user);

struct damage_word {
    size_t at, size;
    uint32_t line;
};

static inline bool damage_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* All words, strings, and signs as words of one character, but for those from `comment` to the end of a line; *n: how
 * many. */
static inline struct damage_word *damage_words(const char *text, size_t size, const char *comment, size_t *n)
{
    struct damage_word *words = calloc(size + 1, sizeof *words);
    uint32_t line = 1;
    *n = 0;
    for (size_t i = 0, end; i < size; i = end) {
        end = i + 1;
        if (strncmp(text + i, comment, strlen(comment)) == 0) {
            end = i + strcspn(text + i, "\n");
            continue;
        }
        if (text[i] == '\n')
            line++;
        if (text[i] == '\n' || text[i] == ' ' || text[i] == '\t')
            continue;
        if (text[i] == '"')
            end += strcspn(text + end, "\"\n") + 1;
        while (damage_is_letter(text[i]) && end < size && damage_is_letter(text[end]))
            end++;
        words[(*n)++] = (struct damage_word){i, end - i, line};
    }
    return words;
}

/* `text` with `size` bytes at `at` replaced; all that follows is left out where `cut`. How many texts were judged. */
static inline size_t damage_at(const char *text, size_t length, const struct damage_word *word, size_t size,
                               const char *with, size_t with_size, bool cut, const char *what, damage_judge *judge,
                               void *user)
{
    static unsigned texts;
    if (!test_takes(test_quick_share(), &texts))
        return 0;
    size_t rest = cut ? 0 : length - word->at - size;
    char *copy = malloc(word->at + with_size + rest + 1);
    memcpy(copy, text, word->at);
    memcpy(copy + word->at, with, with_size);
    memcpy(copy + word->at + with_size, text + word->at + size, rest);
    copy[word->at + with_size + rest] = 0;
    struct damaged d = {copy, word->at + with_size + rest, word->at, word->line, strcmp(what, "nonsense") == 0, what};
    judge(&d, user);
    free(copy);
    return 1;
}

/* Every word of the text in every way; the text is terminated. */
static inline size_t damage_each(const char *text, size_t size, const char *comment, damage_judge *judge, void *user)
{
    static const char *const others[] = {"0",   "1", "-1", "3", "64", "256", "65536", "99999999999999999999",
                                         "0.5", "x", "r1", "[", "]",  ",",   ".",     "(",
                                         "-",   "|", "\n"};
    enum { OTHERS = sizeof others / sizeof *others, OF_OTHERS = 5, OF_WORDS = 2 };
    size_t n, made = 0;
    struct damage_word *words = damage_words(text, size, comment, &n);
    for (size_t i = 0; i < n; i++) {
        const struct damage_word *w = &words[i];
        const char *word = text + w->at;
        char both[512];
        made += damage_at(text, size, w, w->size, NONSENSE, strlen(NONSENSE), false, "nonsense", judge, user);
        made += damage_at(text, size, w, w->size, "", 0, false, "gone", judge, user);
        made += damage_at(text, size, w, w->size, "", 0, true, "the end", judge, user);
        int length = snprintf(both, sizeof both, "%.*s %.*s", (int)w->size, word, (int)w->size, word);
        if (length < (int)sizeof both)
            made += damage_at(text, size, w, w->size, both, (size_t)length, false, "twice", judge, user);
        if (i + 1 < n && words[i + 1].line == w->line) {
            size_t all = words[i + 1].at + words[i + 1].size - w->at, gap = words[i + 1].at - w->at - w->size;
            length = snprintf(both, sizeof both, "%.*s%.*s%.*s", (int)words[i + 1].size, text + words[i + 1].at,
                              (int)gap, word + w->size, (int)w->size, word);
            if (length < (int)sizeof both)
                made += damage_at(text, size, w, all, both, (size_t)length, false, "after the next", judge, user);
        }
        for (size_t k = 0; k < OF_OTHERS; k++) {
            const char *other = others[(i * 7 + k * 4) % OTHERS];
            made += damage_at(text, size, w, w->size, other, strlen(other), false, "another", judge, user);
        }
        for (size_t k = 0; k < OF_WORDS; k++) {
            const struct damage_word *o = &words[(i * 31 + k * (n / 2) + 1) % n];
            made += damage_at(text, size, w, w->size, text + o->at, o->size, false, "a word of elsewhere", judge, user);
        }
    }
    free(words);
    return made;
}

/* The text of a file, terminated; the caller frees it. */
static inline char *damage_read(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        fail_msg("cannot read %s", path);
    char *text = malloc(1 << 20);
    *size = fread(text, 1, (1 << 20) - 1, f);
    text[*size] = 0;
    fclose(f);
    return text;
}

/* Line `line` of the text is what the message shows, and its mark lies in it (or behind its end). */
static inline void damage_judge_place(const struct damaged *d, const weft_diag *m)
{
    if (m->line == 0 || strcmp(m->file, DAMAGED_NAME) != 0) /* within a macro, say */
        return;
    const char *at = d->text;
    uint32_t line = 1;
    for (; line < m->line && (at = strchr(at, '\n')) != NULL; line++)
        at++;
    if (!at)
        fail_msg("%s in line %u: '%s' is said of line %u, which there is not\n%s", d->what, d->line, m->message,
                 m->line, d->text);
    size_t length = strcspn(at, "\n");
    if (m->column > length + 1)
        fail_msg("%s in line %u: '%s' is said of column %u of line %u\n%s", d->what, d->line, m->message, m->column,
                 m->line, d->text);
    if (m->source && (strlen(m->source) != length || memcmp(m->source, at, length) != 0))
        fail_msg("%s in line %u: '%s' shows '%s', and line %u is '%.*s'", d->what, d->line, m->message, m->source,
                 m->line, (int)length, at);
}

#endif
