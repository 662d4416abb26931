/* language.c - languages of OpSource that SPIRV-Tools may not know (language.h). */
#include "isa/spirv/language.h"

#include <stdio.h>
#include <string.h>

enum { MAGIC = 0x07230203, NEWEST_OF_ALL = 5 /* HLSL */ };

static const struct {
    uint32_t value;
    const char *name;
} languages[] = {
    {6, "CPP_for_OpenCL"}, {7, "SYCL"}, {8, "HERO_C"}, {9, "NZSL"},
    {10, "WGSL"},          {11, "Slang"}, {12, "Zig"}, {13, "Rust"},
};
enum { LANGUAGES = sizeof languages / sizeof *languages };

const char *spirv_language_name(uint32_t value)
{
    for (unsigned i = 0; i < LANGUAGES; i++)
        if (languages[i].value == value)
            return languages[i].name;
    return NULL;
}

bool spirv_language_value(const char *name, size_t length, uint32_t *value)
{
    for (unsigned i = 0; i < LANGUAGES; i++)
        if (strlen(languages[i].name) == length && memcmp(languages[i].name, name, length) == 0) {
            *value = languages[i].value;
            return true;
        }
    return false;
}

/* ---- words ---- */

/* The next OpSource after *at, 0 at first. False: the functions begin, or the module ends. */
static bool next_source(struct spirv_words words, size_t *at)
{
    while (spirv_next(words, at)) {
        uint32_t first = words.word[*at];
        if (spirv_op_of(first) == SPIRV_OP_FUNCTION)
            return false;
        if (spirv_op_of(first) == SPIRV_OP_SOURCE && spirv_count_of(first) > 1)
            return true;
    }
    return false;
}

bool spirv_hide_languages(struct spirv_words *words, struct arena *a)
{
    uint32_t *copy = NULL;
    if (!words->count || words->word[0] != MAGIC)
        return true;
    for (size_t at = 0; next_source(*words, &at);) {
        if (words->word[at + 1] <= NEWEST_OF_ALL)
            continue;
        if (!copy) {
            copy = ARENA_ARRAY(a, uint32_t, words->count);
            if (!copy)
                return false;
            memcpy(copy, words->word, words->count * sizeof *copy);
            words->word = copy;
        }
        copy[at + 1] = 0;
    }
    return true;
}

/* ---- text ---- */

/* Where a text is: what is in quotes or in a comment is not an instruction. */
struct reader {
    const char *text;
    size_t size, at;
};

static void skip_quoted(struct reader *r)
{
    for (r->at++; r->at < r->size && r->text[r->at] != '"'; r->at++)
        if (r->text[r->at] == '\\')
            r->at++;
    r->at += r->at < r->size;
}

static void skip_comment(struct reader *r)
{
    const char *end = memchr(r->text + r->at, '\n', r->size - r->at);
    r->at = end ? (size_t)(end - r->text) : r->size;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The next word outside quotes and comments. False: the text is over. */
static bool next_word(struct reader *r, size_t *from, size_t *length)
{
    while (r->at < r->size) {
        char c = r->text[r->at];
        if (c == '"') {
            skip_quoted(r);
        } else if (c == ';') {
            skip_comment(r);
        } else if (is_blank(c)) {
            r->at++;
        } else {
            *from = r->at;
            while (r->at < r->size && !is_blank(r->text[r->at]) && r->text[r->at] != ';' && r->text[r->at] != '"')
                r->at++;
            *length = r->at - *from;
            return true;
        }
    }
    return false;
}

/* The language of the next OpSource in a text. */
static bool next_language(struct reader *r, size_t *from, size_t *length)
{
    static const char op[] = "OpSource";
    while (next_word(r, from, length))
        if (*length == sizeof op - 1 && memcmp(r->text + *from, op, sizeof op - 1) == 0)
            return next_word(r, from, length);
    return false;
}

bool spirv_show_languages(struct spirv_words words, const char **text, size_t *size, struct arena *a)
{
    struct reader r = {*text, *size, 0};
    size_t at = 0, from, length;
    while (next_source(words, &at) && next_language(&r, &from, &length)) {
        uint32_t value = words.word[at + 1];
        const char *name = spirv_language_name(value);
        char number[16];
        if (value <= NEWEST_OF_ALL)
            continue;
        snprintf(number, sizeof number, "!%u", value);
        if (!name)
            name = number;
        size_t put = strlen(name), rest = r.size - from - length;
        char *longer = arena_block(a, NULL, r.size - length + put + 1);
        if (!longer)
            return false;
        memcpy(longer, r.text, from);
        memcpy(longer + from, name, put);
        memcpy(longer + from + put, r.text + from + length, rest);
        r = (struct reader){longer, from + put + rest, from + put};
        longer[r.size] = 0;
    }
    *text = r.text;
    *size = r.size;
    return true;
}

bool spirv_number_languages(const char **text, size_t size, struct arena *a)
{
    struct reader r = {*text, size, 0};
    char *copy = NULL;
    uint32_t value;
    for (size_t from, length; next_language(&r, &from, &length);) {
        if (!spirv_language_value(r.text + from, length, &value))
            continue;
        if (!copy) {
            copy = arena_block(a, NULL, size + 1);
            if (!copy)
                return false;
            memcpy(copy, *text, size);
            copy[size] = 0;
            r.text = *text = copy;
        }
        char number[16];
        int put = snprintf(number, sizeof number, "!%u", value);
        memset(copy + from, ' ', length);
        memcpy(copy + from, number, (size_t)put);
    }
    return true;
}
