/* expression.c - numbers in text: C's operators on 64 bits, and names. */
#include "isa/tesla/parse.h"

#include <string.h>

enum { DEEPEST = 64 };

struct expression {
    struct tesla_parser *ps;
    bool in_brackets;
    unsigned depth;
};

static bool parse_binary(struct expression *e, unsigned level, int64_t *value);

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
            return scan_error(s, (struct span){scan_offset(s, p), (uint32_t)length}, "bad-number", NULL,
                              "'%.*s' is not a number", (int)(length < 40 ? length : 40), p);
        fits = fits && !__builtin_mul_overflow(v, (uint64_t)base, &v) && !__builtin_add_overflow(v, digit, &v);
    }
    s->p = s->last = p + length;
    if (!fits || (base == 16 && length == 2))
        return scan_error(s, (struct span){scan_offset(s, p), (uint32_t)length}, "bad-number", NULL,
                          fits ? "expected digits after '0x'" : "a number of more than 64 bits");
    *value = (int64_t)v;
    return true;
}

const char *tesla_full_name(struct tesla_parser *ps, const char *name, size_t *length)
{
    if (name[0] != '_' || (*length > 1 && name[1] == '_') || ps->scope_length == 0)
        return name;
    char *full = arena_alloc(ps->s.arena, ps->scope_length + *length + 1);
    if (!full)
        return name;
    memcpy(full, ps->scope, ps->scope_length);
    memcpy(full + ps->scope_length, name, *length);
    *length += ps->scope_length;
    return full;
}

/* "#name" */
static bool parse_symbol(struct tesla_parser *ps, int64_t *value)
{
    struct scan *s = &ps->s;
    const char *start = s->p++, *name;
    size_t length = scan_word(s, &name), full_length = length;
    if (length == 0)
        return scan_expected(s, "a name after '#'");
    const char *full = tesla_full_name(ps, name, &full_length);
    const struct tesla_symbol *symbol = tesla_find_symbol(&ps->symbols, full, full_length);
    *value = symbol ? symbol->value : 0;
    if (symbol)
        return true;
    ps->unknown_symbol = true;
    return !ps->final || scan_error(s, scan_span(s, start), "unknown-label", NULL, "there is no label '%.*s'",
                                    (int)(length < 60 ? length : 60), name);
}

static bool parse_primary(struct expression *e, int64_t *value)
{
    struct scan *s = &e->ps->s;
    scan_blanks(s);
    char c = *s->p;
    if (scan_is(c, SCAN_DIGIT))
        return parse_number(s, value);
    if (c == '#')
        return parse_symbol(e->ps, value);
    if (++e->depth > DEEPEST)
        return scan_error(s, (struct span){scan_offset(s, s->p), 1}, "too-deep", NULL,
                          "an expression of more than %d levels", DEEPEST);
    if (c == '(') {
        bool outer = e->in_brackets;
        s->last = ++s->p;
        e->in_brackets = true;
        bool fine = parse_binary(e, 0, value) && (scan_take(s, ')') || scan_expected(s, "')'"));
        e->in_brackets = outer;
        e->depth--;
        return fine;
    }
    if (c != '-' && c != '~' && c != '!' && c != '+')
        return scan_expected(s, "a number");
    s->last = ++s->p;
    if (!parse_primary(e, value))
        return false;
    e->depth--;
    uint64_t v = (uint64_t)*value;
    *value = (int64_t)(c == '-' ? 0 - v : c == '~' ? ~v : c == '!' ? v == 0 : v);
    return true;
}

/* Operators by level, the loosest first. */
static const char *const levels[] = {"|", "^", "&", "<>", "+-", "*/%"};
enum { LEVELS = sizeof levels / sizeof levels[0] };

/* The operator at the cursor, if it is one of the level; 0 otherwise. `<<` and `>>` are two characters. */
static char operator_at(const struct expression *e, unsigned level)
{
    const char *p = e->ps->s.p;
    bool blank = p > e->ps->s.begin && scan_is(p[-1], SCAN_BLANK);
    if (*p == '\0' || !strchr(levels[level], *p))
        return 0;
    if ((*p == '<' || *p == '>') && p[1] != *p)
        return 0;
    if ((*p == '+' || *p == '-') && p[1] == *p)
        return 0; /* an increment */
    return *p == '-' && blank && !e->in_brackets ? 0 : *p;
}

static bool apply(struct expression *e, char op, int64_t right, int64_t *value, const char *where)
{
    uint64_t a = (uint64_t)*value, b = (uint64_t)right, out = 0;
    if ((op == '/' || op == '%') && right == 0) {
        if (e->ps->unknown_symbol)
            return true; /* not known yet */
        return scan_error(&e->ps->s, scan_span(&e->ps->s, where), "division-by-zero", NULL, "division by zero");
    }
    switch (op) {
    case '|':
        out = a | b;
        break;
    case '^':
        out = a ^ b;
        break;
    case '&':
        out = a & b;
        break;
    case '<':
        out = b < 64 ? a << b : 0;
        break;
    case '>':
        out = b < 64 ? a >> b : 0;
        break;
    case '+':
        out = a + b;
        break;
    case '-':
        out = a - b;
        break;
    case '*':
        out = a * b;
        break;
    case '/':
        out = right == -1 ? 0 - a : (uint64_t)(*value / right);
        break;
    default: /* % */
        out = right == -1 ? 0 : (uint64_t)(*value % right);
        break;
    }
    *value = (int64_t)out;
    return true;
}

static bool parse_binary(struct expression *e, unsigned level, int64_t *value)
{
    struct scan *s = &e->ps->s;
    if (level == LEVELS)
        return parse_primary(e, value);
    if (!parse_binary(e, level + 1, value))
        return false;
    for (char op;;) {
        scan_blanks(s);
        const char *where = s->p;
        op = operator_at(e, level);
        if (!op)
            return true;
        s->p += op == '<' || op == '>' ? 2 : 1;
        s->last = s->p;
        int64_t right;
        if (!parse_binary(e, level + 1, &right) || !apply(e, op, right, value, where))
            return false;
    }
}

/* Most numbers are by themselves. */
static bool stands_alone(const char *p)
{
    return *p == ' ' ? scan_is(p[1], SCAN_LETTER | SCAN_DIGIT) || p[1] == '$' || p[1] == '#' : *p == '\n' || *p == ']';
}

bool tesla_parse_expression(struct tesla_parser *ps, bool in_brackets, int64_t *value)
{
    struct expression e = {.ps = ps, .in_brackets = in_brackets};
    if (scan_is(*ps->s.p, SCAN_DIGIT)) {
        const char *end = ps->s.p + scan_word_length(ps->s.p);
        if (stands_alone(end))
            return parse_number(&ps->s, value);
    }
    return parse_binary(&e, 0, value);
}
