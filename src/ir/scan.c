/* scan.c - characters, words and numbers of the text form. */
#include "ir/parse.h"

#include <stdio.h>
#include <string.h>

/* ---- characters and words ---- */

bool ir_fail(struct ir_parser *ps, size_t at, size_t length, const char *hint, const char *message)
{
    if (!ps->failed)
        diag_at(ps->diags, WEFT_ERROR, "ir-syntax", ps->src, (struct span){(uint32_t)at, (uint32_t)length}, hint, "%s",
                message);
    ps->failed = true;
    return false;
}

bool ir_expected(struct ir_parser *ps, const char *what)
{
    if (ps->failed)
        return false;
    diag_at(ps->diags, WEFT_ERROR, "ir-syntax", ps->src, (struct span){(uint32_t)ps->at, 1}, NULL, "expected %s", what);
    ps->failed = true;
    return false;
}

int ir_peek(const struct ir_parser *ps)
{
    return ps->at < ps->src->size ? (unsigned char)ps->src->text[ps->at] : -1;
}

/* Skip blanks and a comment; stops at the end of the line. */
void ir_skip(struct ir_parser *ps)
{
    while (ir_peek(ps) == ' ' || ir_peek(ps) == '\t' || ir_peek(ps) == '\r')
        ps->at++;
    if (ir_peek(ps) == '#')
        while (ir_peek(ps) != '\n' && ir_peek(ps) >= 0)
            ps->at++;
}

bool ir_accept(struct ir_parser *ps, char c)
{
    ir_skip(ps);
    if (ps->failed || ir_peek(ps) != c)
        return false;
    ps->at++;
    return true;
}

bool ir_expect(struct ir_parser *ps, char c)
{
    char what[] = "'?'";
    what[1] = c;
    return ir_accept(ps, c) || ir_expected(ps, what);
}

bool ir_at_line_end(struct ir_parser *ps)
{
    ir_skip(ps);
    return ir_peek(ps) == '\n' || ir_peek(ps) < 0;
}

static bool is_digit(int c) { return c >= '0' && c <= '9'; }

static bool is_letter(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static bool is_letter_or_digit(int c) { return is_letter(c) || is_digit(c); }

/* The word at the current place, without taking it; its length, 0 when there is none. */
static size_t word_length(struct ir_parser *ps)
{
    ir_skip(ps);
    size_t end = ps->at;
    if (!is_letter(ir_peek(ps)))
        return 0;
    while (end < ps->src->size && is_letter_or_digit((unsigned char)ps->src->text[end]))
        end++;
    return end - ps->at;
}

bool ir_next_is(struct ir_parser *ps, const char *word)
{
    size_t n = word_length(ps);
    return !ps->failed && n && n == strlen(word) && !memcmp(ps->src->text + ps->at, word, n);
}

bool ir_accept_word(struct ir_parser *ps, const char *word)
{
    if (!ir_next_is(ps, word))
        return false;
    ps->at += strlen(word);
    return true;
}

bool ir_expect_word(struct ir_parser *ps, const char *word)
{
    char quoted[40];
    snprintf(quoted, sizeof quoted, "'%s'", word);
    return ir_accept_word(ps, word) || ir_expected(ps, quoted);
}

/* A word of a list; its index into *out. */
bool ir_take_word(struct ir_parser *ps, const struct ir_words *words, unsigned *out)
{
    size_t n = word_length(ps);
    if (ps->failed || !n)
        return ir_expected(ps, words->what);
    const char *at = ps->src->text + ps->at;
    for (unsigned i = 0; i < words->count; i++) {
        if (words->list[i][0] == at[0] && strlen(words->list[i]) == n && !memcmp(words->list[i], at, n)) {
            ps->at += n;
            *out = i;
            return true;
        }
    }
    char message[64];
    snprintf(message, sizeof message, "not %s", words->what);
    const char *near = nearest_word(at, n, words->list, words->count);
    const char *hint = near ? arena_printf(ps->arena, "did you mean '%s'?", near) : NULL;
    return ir_fail(ps, ps->at, n, hint, message);
}

/* A name that the text declares, copied. */
const char *ir_take_name(struct ir_parser *ps)
{
    size_t n = word_length(ps);
    if (ps->failed || !n) {
        ir_expected(ps, "a name");
        return NULL;
    }
    const char *name = arena_strndup(ps->arena, ps->src->text + ps->at, n);
    ps->at += n;
    return name;
}

/* ---- numbers ---- */

static int digit_of(int c, unsigned base)
{
    int d = is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
    return d >= 0 && (unsigned)d < base ? d : -1;
}

bool ir_take_u64(struct ir_parser *ps, uint64_t most, uint64_t *out)
{
    ir_skip(ps);
    size_t start = ps->at;
    uint64_t value = 0;
    unsigned base = 10;
    bool over = false;
    if (ps->failed || !is_digit(ir_peek(ps)))
        return ir_expected(ps, "a number");
    if (ir_peek(ps) == '0' && ps->at + 1 < ps->src->size && (ps->src->text[ps->at + 1] | 32) == 'x') {
        ps->at += 2;
        base = 16;
        if (digit_of(ir_peek(ps), 16) < 0)
            return ir_expected(ps, "hexadecimal digits");
    }
    for (int d; (d = digit_of(ir_peek(ps), base)) >= 0; ps->at++) {
        over |= value > (UINT64_MAX - (unsigned)d) / base;
        value = value * base + (unsigned)d;
    }
    if (over || value > most)
        return ir_fail(ps, start, ps->at - start, NULL, "number out of range");
    *out = value;
    return true;
}

bool ir_take_u32(struct ir_parser *ps, uint32_t most, uint32_t *out)
{
    uint64_t value = 0;
    bool ok = ir_take_u64(ps, most, &value);
    *out = (uint32_t)value;
    return ok;
}

bool ir_take_u16(struct ir_parser *ps, uint16_t *out)
{
    uint64_t value = 0;
    bool ok = ir_take_u64(ps, UINT16_MAX, &value);
    *out = (uint16_t)value;
    return ok;
}

bool ir_take_u8(struct ir_parser *ps, uint8_t *out)
{
    uint64_t value = 0;
    bool ok = ir_take_u64(ps, UINT8_MAX, &value);
    *out = (uint8_t)value;
    return ok;
}

bool ir_take_i32(struct ir_parser *ps, int32_t *out)
{
    bool negative = ir_accept(ps, '-');
    uint64_t value = 0;
    bool ok = ir_take_u64(ps, (uint64_t)INT32_MAX + negative, &value);
    *out = (int32_t)(negative ? -(int64_t)value : (int64_t)value);
    return ok;
}
