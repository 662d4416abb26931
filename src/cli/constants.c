/* constants.c - constant buffers as text. */
#include "cli/constants.h"
#include "cli/cli.h"

#include "base/diag.h"
#include "base/mark.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct source source;
    size_t at;
    uint32_t *words;
    size_t count, room;
    weft_diags *diags;
};

static weft_status fault(struct reader *r, size_t at, size_t length, const char *what)
{
    diag_at(r->diags, WEFT_ERROR, "constants", &r->source, (struct span){(uint32_t)at, (uint32_t)length}, NULL, "%s",
            what);
    return WEFT_ERROR_INPUT;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The bits that a word of the text means. */
static bool parse_value(const char *text, size_t length, uint32_t *bits)
{
    char word[64], *end;
    if (length >= sizeof word)
        return false;
    memcpy(word, text, length);
    word[length] = 0;
    if (word[0] == '0' && (word[1] == 'x' || word[1] == 'X')) {
        unsigned long pattern = strtoul(word + 2, &end, 16);
        *bits = (uint32_t)pattern;
        return length == 10 && strspn(word + 2, "0123456789abcdefABCDEF") == 8;
    }
    errno = 0;
    float value = strtof(word, &end);
    memcpy(bits, &value, sizeof value);
    return end != word && !*end && !(errno == ERANGE && isinf(value));
}

static bool append(struct reader *r, uint32_t word)
{
    if (r->count == r->room) {
        size_t room = r->room ? r->room * 2 : 256;
        uint32_t *larger = cli_kept(realloc(r->words, room * sizeof *larger));
        if (!larger)
            return false;
        r->words = larger;
        r->room = room;
    }
    r->words[r->count++] = word;
    return true;
}

/* One line, from r->at to `end`. */
static weft_status read_line(struct reader *r, size_t end)
{
    const char *text = r->source.text;
    size_t values = 0, begin = r->at;
    for (size_t i = r->at; i < end;) {
        size_t start = i;
        if (is_blank(text[i])) {
            i++;
            continue;
        }
        if (text[i] == '#')
            break;
        while (i < end && !is_blank(text[i]) && text[i] != '#')
            i++;
        uint32_t bits = 0;
        if (values == 4)
            return fault(r, start, i - start, "a line has four values: x y z w");
        if (!parse_value(text + start, i - start, &bits))
            return fault(r, start, i - start, "expected a number, or 0x and eight digits");
        if (!append(r, bits))
            return WEFT_ERROR_MEMORY;
        values++;
    }
    if (values && values < 4)
        return fault(r, begin, 1, "a line has four values: x y z w");
    return WEFT_OK;
}

weft_status constants_parse(const struct cli_bytes *in, uint32_t **words, size_t *count, weft_diags *diags)
{
    struct reader r = {
        .source = {in->name, in->data, in->size}, .at = mark_size(in->data, in->size), .diags = diags};
    weft_status status = WEFT_OK;
    while (r.at < in->size && status == WEFT_OK) {
        const char *stop = memchr(in->data + r.at, '\n', in->size - r.at);
        size_t end = stop ? (size_t)(stop - in->data) : in->size;
        status = read_line(&r, end);
        r.at = end + 1;
    }
    if (status == WEFT_OK && r.count == 0) { /* a file without vectors binds an empty buffer, not none */
        status = append(&r, 0) ? WEFT_OK : WEFT_ERROR_MEMORY;
        r.count = 0;
    }
    if (status != WEFT_OK) {
        free(r.words);
        r.words = NULL;
        r.count = 0;
    }
    *words = r.words;
    *count = r.count;
    return status;
}
