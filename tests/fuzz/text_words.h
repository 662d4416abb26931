/* text_words.h - changes of a text by lines and words, so that most of it still is what it was. */
#ifndef WEFT_FUZZ_TEXT_WORDS_H
#define WEFT_FUZZ_TEXT_WORDS_H

#include "choice.h"

enum { MOST_TEXT = 1 << 15 };

struct text_change {
    char text[MOST_TEXT];
    size_t size;
};

struct text_part {
    size_t at, size;
};

static inline bool is_word_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

static inline struct text_part any_line(const struct text_change *t, uint32_t *random)
{
    size_t at = next_random(random) % t->size, end;
    while (at && t->text[at - 1] != '\n')
        at--;
    for (end = at; end < t->size && t->text[end] != '\n';)
        end++;
    return (struct text_part){at, end - at + (end < t->size)};
}

/* Empty: there is none near. */
static inline struct text_part any_word(const struct text_change *t, uint32_t *random)
{
    size_t at = next_random(random) % t->size, end;
    while (at < t->size && !is_word_letter(t->text[at]))
        at++;
    while (at && at < t->size && is_word_letter(t->text[at - 1]))
        at--;
    for (end = at; end < t->size && is_word_letter(t->text[end]);)
        end++;
    return (struct text_part){at, end - at};
}

static inline void text_replace(struct text_change *t, struct text_part part, const char *with, size_t size)
{
    char copy[4096];
    if (size > sizeof copy || t->size - part.size + size > MOST_TEXT)
        return;
    if (size) /* it may be within the text */
        memcpy(copy, with, size);
    memmove(t->text + part.at + size, t->text + part.at + part.size, t->size - part.at - part.size);
    memcpy(t->text + part.at, copy, size);
    t->size += size - part.size;
}

/* One to four changes: a line away, twice or at another place; a word instead of another one, a number instead of a
 * word, a character more. */
static inline size_t change_text(struct text_change *t, uint8_t *data, size_t size, size_t most, uint32_t seed)
{
    static const char *const odd[] = {"0", "1", "-1", "2", "4", "31", "32", "64", "255", "65536", "2147483647",
                                      "4294967295", "-2147483648", "0.5", "1e30", "-0.0", "1e-40", "nan", "0x7fffffff"};
    static const char signs[] = "(){}[],;+-*/%<>=!&|^~?:.# \"\\\n";
    uint32_t random = seed * 2654435761u | 1, turns = 1 + next_random(&random) % 4;
    if (size == 0 || size > MOST_TEXT)
        return 0;
    memcpy(t->text, data, size);
    t->size = size;
    for (uint32_t i = 0; i < turns && t->size; i++) {
        uint32_t how = next_random(&random) % 12;
        struct text_part from = how < 4 ? any_line(t, &random) : any_word(t, &random), to = any_line(t, &random);
        const char *number = odd[next_random(&random) % (sizeof odd / sizeof *odd)];
        if (how == 0)
            text_replace(t, from, "", 0);
        else if (how < 4)
            text_replace(t, (struct text_part){to.at, how == 3 ? to.size : 0}, t->text + from.at, from.size);
        else if (how < 8)
            to = any_word(t, &random), text_replace(t, from, t->text + to.at, to.size);
        else if (how < 11)
            text_replace(t, from, number, strlen(number));
        else
            text_replace(t, (struct text_part){from.at, 0},
                         signs + next_random(&random) % (sizeof signs - 1), 1);
    }
    if (t->size > most)
        return 0;
    memcpy(data, t->text, t->size);
    return t->size;
}

#endif
