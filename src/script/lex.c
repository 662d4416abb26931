/* lex.c - an AmberScript text as words and lines, and the parser's small change.
 *
 * A word ends at a blank or at '#', which begins a comment. A backslash before the end of a line joins the next one. */
#include "script/parse.h"

#include "base/decimal.h"
#include "base/mark.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MAX_ERRORS = 100, MAX_NUMBER = 400 };

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* In VkScript parentheses and commas are between words too. */
static bool is_between(const struct parser *ps, char c)
{
    return is_blank(c) || (ps->vkscript && (c == '(' || c == ')' || c == ','));
}

static uint32_t offset_of(const struct parser *ps, const char *p)
{
    return (uint32_t)(p - ps->src->text);
}

/* Past blanks, comments and joined lines. */
static const char *skip_blanks(const struct parser *ps, const char *p, const char *end)
{
    for (;;) {
        while (p < end && is_between(ps, *p))
            p++;
        if (p < end && *p == '#')
            while (p < end && *p != '\n')
                p++;
        if (p == end || *p != '\\')
            return p;
        const char *q = p + 1;
        while (q < end && is_blank(*q))
            q++;
        if (q < end && *q != '\n')
            return p;
        p = q < end ? q + 1 : q;
    }
}

static void scan(struct parser *ps)
{
    const char *p = skip_blanks(ps, ps->p, ps->end), *start = p;
    struct token *t = &ps->token;
    t->kind = TOKEN_WORD;
    if (p == ps->end) {
        t->kind = TOKEN_END;
    } else if (*p == '\n') {
        t->kind = TOKEN_LINE_END;
        p++;
    } else if (*p == '"') {
        const char *close = memchr(p + 1, '"', (size_t)(ps->end - p - 1));
        const char *line_end = memchr(p, '\n', (size_t)(ps->end - p));
        if (close && (!line_end || close < line_end)) {
            *t = (struct token){
                TOKEN_STRING, p + 1, (size_t)(close - p - 1), {offset_of(ps, p), (uint32_t)(close + 1 - p)}};
            ps->p = close + 1;
            return;
        }
        p++;
    } else {
        while (p < ps->end && !is_between(ps, *p) && *p != '\n' && *p != '#')
            p++;
    }
    t->text = start;
    t->length = (size_t)(p - start);
    t->where = (struct span){offset_of(ps, start), (uint32_t)(p - start)};
    ps->p = p;
}

void lex_begin(struct parser *ps)
{
    ps->p = ps->src->text + mark_size(ps->src->text, ps->src->size);
    ps->end = ps->src->text + ps->src->size;
    scan(ps);
}

struct token lex_next(struct parser *ps)
{
    struct token t = ps->token;
    if (t.kind != TOKEN_LINE_END && t.kind != TOKEN_END)
        ps->last = t.where;
    if (t.kind != TOKEN_END)
        scan(ps);
    return t;
}

void lex_skip_line(struct parser *ps)
{
    while (!at_line_end(ps))
        lex_next(ps);
}

void lex_skip_line_ends(struct parser *ps)
{
    while (ps->token.kind == TOKEN_LINE_END)
        lex_next(ps);
}

bool lex_raw_line(const struct parser *ps, const char **at, struct raw_line *line)
{
    if (*at == ps->end)
        return false;
    const char *end = memchr(*at, '\n', (size_t)(ps->end - *at)), *p = *at;
    const char *last = end ? end : ps->end;
    line->start = p;
    while (p < last && is_blank(*p))
        p++;
    while (last > p && is_blank(last[-1]))
        last--;
    line->text = p;
    line->length = (size_t)(last - p);
    *at = end ? end + 1 : ps->end;
    return true;
}

void lex_resume(struct parser *ps, const char *at)
{
    ps->p = at;
    scan(ps);
}

/* ---- errors ---- */

bool parse_error(struct parser *ps, struct span where, const char *code, const char *hint, const char *fmt, ...)
{
    char message[240];
    va_list ap;
    if (where.offset + 1 == ps->wrong_at)
        return false;
    ps->wrong_at = where.offset + 1;
    va_start(ap, fmt);
    vsnprintf(message, sizeof message, fmt, ap);
    va_end(ap);
    if (ps->errors++ < MAX_ERRORS)
        diag_at(ps->diags, WEFT_ERROR, code, ps->src, where, hint, "%s", message);
    if (ps->errors == MAX_ERRORS)
        lex_resume(ps, ps->end); /* nobody reads more */
    return false;
}

static void describe(const struct token *t, char *out, size_t size)
{
    if (t->kind == TOKEN_END)
        snprintf(out, size, "the end of the script");
    else if (t->kind == TOKEN_LINE_END)
        snprintf(out, size, "the end of the line");
    else
        snprintf(out, size, "'%.*s'%s", t->length > 40 ? 40 : (int)t->length, t->text, t->length > 40 ? "..." : "");
}

/* Where something is missing: at the next word, or after the last one of the line. */
static struct span missing_at(const struct parser *ps)
{
    if (at_line_end(ps) && ps->last.length)
        return (struct span){ps->last.offset + ps->last.length, 1};
    return ps->token.where;
}

bool parse_expected(struct parser *ps, const char *what)
{
    char found[64];
    describe(&ps->token, found, sizeof found);
    return parse_error(ps, missing_at(ps), "syntax", NULL, "expected %s, found %s", what, found);
}

/* "there is a, b, c": a list short enough to be read, unless `what` names the words; of more those that begin with the
 * word that was found; or NULL. */
static const char *list_words(struct parser *ps, const char *what, const char *const *words, size_t count)
{
    enum { MOST_SHOWN = 12 };
    char begin[200];
    if (count > MOST_SHOWN)
        return ps->token.kind == TOKEN_WORD &&
                       word_hint(ps->token.text, ps->token.length, words, count, begin, sizeof begin)
                   ? arena_strndup(ps->arena, begin, strlen(begin))
                   : NULL;
    const char *list = count && !strstr(what, words[0]) ? arena_printf(ps->arena, "there is %s", words[0]) : NULL;
    for (size_t i = 1; list && i < count; i++)
        list = arena_printf(ps->arena, "%s, %s", list, words[i]);
    return list;
}

bool parse_expected_word(struct parser *ps, const char *what, const char *const *words, size_t count)
{
    char found[64];
    const char *near =
        ps->token.kind == TOKEN_WORD ? nearest_word(ps->token.text, ps->token.length, words, count) : NULL;
    const char *hint = near ? arena_printf(ps->arena, "did you mean '%s'?", near) : list_words(ps, what, words, count);
    describe(&ps->token, found, sizeof found);
    return parse_error(ps, missing_at(ps), "unknown-word", hint, "expected %s, found %s", what, found);
}

/* ---- words ---- */

bool token_is(const struct token *t, const char *word)
{
    return t->kind == TOKEN_WORD && t->length == strlen(word) && !memcmp(t->text, word, t->length);
}

bool next_is(const struct parser *ps, const char *word)
{
    return token_is(&ps->token, word);
}

bool take_word(struct parser *ps, const char *word)
{
    if (!next_is(ps, word))
        return false;
    lex_next(ps);
    return true;
}

bool expect(struct parser *ps, const char *word)
{
    return take_word(ps, word) || parse_expected_word(ps, word, &word, 1);
}

bool at_line_end(const struct parser *ps)
{
    return ps->token.kind == TOKEN_LINE_END || ps->token.kind == TOKEN_END;
}

bool expect_line_end(struct parser *ps, const char *after)
{
    if (at_line_end(ps))
        return true;
    char found[64];
    describe(&ps->token, found, sizeof found);
    return parse_error(ps, ps->token.where, "extra-word", NULL, "expected the end of the line after %s, found %s",
                       after, found);
}

char *token_copy(struct parser *ps, const struct token *t)
{
    return arena_strndup(ps->arena, t->text, t->length);
}

bool expect_name(struct parser *ps, const char *what, const char **name, struct span *where)
{
    if (ps->token.kind != TOKEN_WORD || next_is_number(ps))
        return parse_expected(ps, what);
    if (where)
        *where = ps->token.where;
    *name = token_copy(ps, &ps->token);
    lex_next(ps);
    return *name != NULL;
}

bool expect_path(struct parser *ps, const char *what, const char **path)
{
    if (at_line_end(ps) || !ps->token.length)
        return parse_expected(ps, what);
    *path = token_copy(ps, &ps->token);
    lex_next(ps);
    return *path != NULL;
}

bool expect_choice(struct parser *ps, const char *what, const char *const *words, size_t count, unsigned *index)
{
    for (size_t i = 0; i < count; i++)
        if (next_is(ps, words[i])) {
            *index = (unsigned)i;
            lex_next(ps);
            return true;
        }
    return parse_expected_word(ps, what, words, count);
}

bool expect_switch(struct parser *ps, bool *value)
{
    static const char *const words[] = {"off", "on"};
    unsigned index = 0;
    bool ok = EXPECT_CHOICE(ps, "'on' or 'off'", words, &index);
    *value = index != 0;
    return ok;
}

/* ---- numbers ---- */

static bool hex_integer(const char *p, const char *end, uint64_t *value)
{
    if (p == end)
        return false;
    for (*value = 0; p < end; p++) {
        unsigned digit = *p >= '0' && *p <= '9'   ? (unsigned)(*p - '0')
                         : *p >= 'a' && *p <= 'f' ? (unsigned)(*p - 'a' + 10)
                         : *p >= 'A' && *p <= 'F' ? (unsigned)(*p - 'A' + 10)
                                                  : 16;
        if (digit == 16 || *value >> 60)
            return false;
        *value = *value << 4 | digit;
    }
    return true;
}

/* False: not only digits, or above 64 bits. */
static bool decimal_integer(const char *p, const char *end, uint64_t *value)
{
    if (p == end)
        return false;
    for (*value = 0; p < end; p++) {
        if (*p < '0' || *p > '9' || *value > (UINT64_MAX - (uint64_t)(*p - '0')) / 10)
            return false;
        *value = *value * 10 + (uint64_t)(*p - '0');
    }
    return true;
}

static bool word_equal(const char *p, const char *end, const char *lower)
{
    size_t n = strlen(lower);
    if ((size_t)(end - p) != n)
        return false;
    for (size_t i = 0; i < n; i++)
        if ((p[i] | 0x20) != lower[i])
            return false;
    return true;
}

static bool real_number(const char *p, const char *end, double *value, bool *too_large)
{
    char text[MAX_NUMBER + 1];
    uint64_t bits = 0x7ff8000000000000;
    size_t n = (size_t)(end - p);
    if (word_equal(p, end, "inf"))
        bits = 0x7ff0000000000000;
    else if (!word_equal(p, end, "nan")) {
        if (!n || n > MAX_NUMBER)
            return false;
        memcpy(text, p, n);
        text[n] = 0;
        if (decimal_to_f64(text, &bits) != n)
            return false;
        *too_large = bits == 0x7ff0000000000000;
    }
    memcpy(value, &bits, 8);
    return true;
}

bool script_read_number(const char *p, size_t length, struct script_number *n)
{
    const char *end = p + length;
    if (p == end)
        return false;
    bool negative = *p == '-';
    if (*p == '-' || *p == '+')
        p++;
    *n = (struct script_number){.integral = true};
    bool hex = end - p > 2 && p[0] == '0' && (p[1] | 0x20) == 'x';
    if (hex ? hex_integer(p + 2, end, &n->bits) : decimal_integer(p, end, &n->bits)) {
        n->real = negative ? -(double)n->bits : (double)n->bits;
        n->bits = negative ? 0 - n->bits : n->bits;
        return true;
    }
    n->integral = false;
    if (!real_number(p, end, &n->real, &n->too_large))
        return false;
    n->real = negative ? -n->real : n->real;
    n->bits = script_truncate(n->real);
    return true;
}

bool token_number(const struct token *t, struct script_number *n)
{
    return t->kind == TOKEN_WORD && script_read_number(t->text, t->length, n);
}

bool next_is_number(const struct parser *ps)
{
    struct script_number n;
    return ps->token.kind == TOKEN_WORD && memchr("+-.0123456789", ps->token.text[0], 13) &&
           token_number(&ps->token, &n);
}

bool expect_number(struct parser *ps, const char *what, struct script_number *n)
{
    if (!token_number(&ps->token, n))
        return parse_expected(ps, what);
    lex_next(ps);
    return true;
}

bool expect_real(struct parser *ps, const char *what, float *value)
{
    struct script_number n;
    if (!expect_number(ps, what, &n))
        return false;
    *value = (float)n.real;
    return true;
}

bool expect_integer(struct parser *ps, const char *what, uint64_t max, uint64_t *value)
{
    struct script_number n;
    struct span where = ps->token.where;
    if (!token_number(&ps->token, &n) || !n.integral)
        return parse_expected(ps, what);
    lex_next(ps);
    if (n.real < 0)
        return parse_error(ps, where, "out-of-range", NULL, "%s cannot be negative", what);
    if (n.bits > max)
        return parse_error(ps, where, "out-of-range", NULL, "%s is at most %" PRIu64, what, max);
    *value = n.bits;
    return true;
}

bool expect_u32(struct parser *ps, const char *what, uint32_t max, uint32_t *value)
{
    uint64_t wide = 0;
    if (!expect_integer(ps, what, max, &wide))
        return false;
    *value = (uint32_t)wide;
    return true;
}

/* ---- lists, refusals ---- */

void *list_add(struct parser *ps, void *list, struct list_size *size, size_t element)
{
    void *grown = arena_grow(ps->arena, list, element, size->count, &size->cap, size->count + 1);
    if (!grown || arena_failed(ps->arena))
        return list;
    memset((char *)grown + size->count * element, 0, element);
    size->count++;
    return grown;
}

bool count_part(struct parser *ps)
{
    if (ps->parts++ < SCRIPT_MAX_PARTS)
        return true;
    parse_error(ps, ps->token.where, "too-large", NULL, "a script has at most %d declarations", SCRIPT_MAX_PARTS);
    lex_resume(ps, ps->end);
    return false;
}

void refuse(struct parser *ps, struct span where, const struct script_shader *shader,
            const struct script_pipeline *pipeline, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const char *what = arena_vprintf(ps->arena, fmt, ap);
    va_end(ap);
    if (!LIST_ADD(ps, ps->script->refusals, &ps->refusals))
        return;
    ps->script->nrefusals = (uint32_t)ps->refusals.count;
    ps->script->refusals[ps->refusals.count - 1] = (struct script_refusal){where, what, shader, pipeline};
}

bool skip_block(struct parser *ps, const char *what, struct span opened, const char *const *openers, size_t count)
{
    for (unsigned depth = 1; ps->token.kind != TOKEN_END;) {
        struct token t = lex_next(ps);
        for (size_t i = 0; i < count; i++)
            depth += token_is(&t, openers[i]);
        /* FLAGS opens a block only when its words are on lines of their own. */
        depth += token_is(&t, "FLAGS") && at_line_end(ps);
        if (token_is(&t, "END") && --depth == 0)
            return true;
    }
    return parse_error(ps, opened, "missing-end", NULL, "%s has no END", what);
}
