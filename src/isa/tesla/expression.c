/* expression.c - numbers in text: what is Tesla's own of expressions, which src/isa/asm reads. */
#include "isa/tesla/parse.h"

#include <string.h>

/* Decimal, octal with a leading 0, or hexadecimal. */
static bool parse_number(struct scan *s, int64_t *value)
{
    const char *p = s->p;
    size_t length = scan_word_length(p);
    unsigned base = p[0] == '0' ? (p[1] | 0x20) == 'x' ? 16 : 8 : 10;
    uint64_t v = 0;
    bool fits = true;
    for (size_t i = base == 16 ? 2 : 0; i < length; i++) {
        unsigned digit = scan_is(p[i], SCAN_DIGIT) ? (unsigned)(p[i] - '0') : (unsigned)((p[i] | 0x20) - 'a') + 10;
        if (digit >= base)
            return scan_error(s, scan_at(s, p, length), "bad-number", NULL, "'%.*s' is not a number",
                              (int)(length < 40 ? length : 40), p);
        fits = fits && !__builtin_mul_overflow(v, (uint64_t)base, &v) && !__builtin_add_overflow(v, digit, &v);
    }
    s->p = s->last = p + length;
    if (!fits || (base == 16 && length == 2))
        return scan_error(s, scan_at(s, p, length), "bad-number", NULL,
                          fits ? "expected digits after '0x'" : "a number of more than 64 bits");
    *value = (int64_t)v;
    return true;
}

const char *tesla_full_name(struct tesla_parser *ps, const char *name, size_t *length)
{
    if (name[0] != '_' || (*length > 1 && name[1] == '_') || ps->scope_length == 0)
        return name;
    char *full = arena_alloc(ps->a.arena, ps->scope_length + *length + 1);
    if (!full)
        return name;
    memcpy(full, ps->scope, ps->scope_length);
    memcpy(full + ps->scope_length, name, *length);
    *length += ps->scope_length;
    return full;
}

/* "#name": its address so far, if it has one. */
static const struct asm_expr *parse_symbol(struct tesla_parser *ps)
{
    struct scan *s = &ps->a.scan;
    const char *start = s->p++, *name;
    size_t length = scan_word(s, &name), full_length = length;
    if (length == 0) {
        scan_expected(s, "a name after '#'");
        return NULL;
    }
    ps->used_symbol = true;
    const char *full = tesla_full_name(ps, name, &full_length);
    struct asm_symbol *symbol = asm_symbol(&ps->a, full, full_length);
    if (symbol && !symbol->defined && ps->final) {
        scan_error(s, scan_span(s, start), "unknown-label",
                   asm_near_symbol(&ps->a, full, full_length, full_length - length),
                   "there is no label '%.*s'", (int)(length < 60 ? length : 60), name);
        return NULL;
    }
    return symbol ? asm_symbol_here(&ps->a, symbol) : NULL;
}

const struct asm_expr *tesla_read_value(struct asm_state *a)
{
    int64_t value;
    if (*a->scan.p == '#')
        return parse_symbol(a->own);
    if (scan_is(*a->scan.p, SCAN_DIGIT))
        return parse_number(&a->scan, &value) ? asm_number(a, value) : NULL;
    scan_expected(&a->scan, "a number");
    return NULL;
}

/* Those of C, without comparisons. */
const struct asm_operator tesla_operators[] = {{"|", '|', 0},  {"^", '^', 1},  {"&", '&', 2}, {"<<", '<', 3},
                                               {">>", '>', 3}, {"+", '+', 4},  {"-", '-', 4}, {"*", '*', 5},
                                               {"/", '/', 5},  {"%", '%', 5},  {"", 0, 0}};

/* Most numbers are by themselves. */
static bool stands_alone(const char *p)
{
    return *p == ' ' ? scan_is(p[1], SCAN_LETTER | SCAN_DIGIT) || p[1] == '$' || p[1] == '#' : *p == '\n' || *p == ']';
}

bool tesla_parse_expression(struct tesla_parser *ps, bool in_brackets, int64_t *value)
{
    struct scan *s = &ps->a.scan;
    const char *start = s->p;
    if (scan_is(*start, SCAN_DIGIT) && stands_alone(start + scan_word_length(start)))
        return parse_number(s, value);
    ps->a.in_brackets = in_brackets;
    const struct asm_expr *e = asm_expression(&ps->a);
    if (!e || asm_evaluate(&ps->a, e, value))
        return e != NULL;
    *value = 0;
    ps->unknown_symbol = true;
    return true;
}
