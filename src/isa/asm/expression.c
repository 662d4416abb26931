/* expression.c - expressions of the assembler. Precedence is GNU's: * / % << >> bind first, then | & ^, then + and -
 * and comparisons, then &&, then ||. Comparisons give -1 or 0, && and || and ! give 1 or 0. */
#include "isa/asm/asm.h"

#include <string.h>

/* ---- nodes ---- */

static const struct asm_expr *node(struct asm_state *a, struct asm_expr value)
{
    struct asm_expr *e = ARENA_NEW(a->arena, struct asm_expr);
    if (!e) {
        asm_no_memory(a);
        return NULL;
    }
    *e = value;
    return e;
}

static bool count_node(struct asm_state *a, const char *from)
{
    return ++a->nodes <= ASM_MAX_NODES ||
           asm_error(a, from, "expression", NULL, "an expression of more than %d parts", ASM_MAX_NODES);
}

/* The operators that operators[] gives letters. */
static uint64_t compare(char op, int64_t x, int64_t y)
{
    switch (op) {
    case 'e':
        return x == y ? UINT64_MAX : 0;
    case 'n':
        return x != y ? UINT64_MAX : 0;
    case 'l':
        return x < y ? UINT64_MAX : 0;
    case 'L':
        return x <= y ? UINT64_MAX : 0;
    case 'g':
        return x > y ? UINT64_MAX : 0;
    case 'G':
        return x >= y ? UINT64_MAX : 0;
    case 'a':
        return x && y;
    default:
        return x || y;
    }
}

static bool compute(char op, uint64_t x, uint64_t y, uint64_t *out)
{
    switch (op) {
    case '+':
        *out = x + y;
        return true;
    case '-':
        *out = x - y;
        return true;
    case '*':
        *out = x * y;
        return true;
    case '/':
    case '%':
        if (y == 0)
            return false;
        if ((int64_t)y == -1) /* the quotient may not fit */
            *out = op == '/' ? 0 - x : 0;
        else
            *out = (uint64_t)(op == '/' ? (int64_t)x / (int64_t)y : (int64_t)x % (int64_t)y);
        return true;
    case '<':
        *out = y < 64 ? x << y : 0;
        return true;
    case '>':
        *out = y < 64 ? x >> y : 0;
        return true;
    case '&':
        *out = x & y;
        return true;
    case '|':
        *out = x | y;
        return true;
    case '^':
        *out = x ^ y;
        return true;
    default:
        *out = compare(op, (int64_t)x, (int64_t)y);
        return true;
    }
}

static const struct asm_expr *binary(struct asm_state *a, char op, const struct asm_expr *left,
                                     const struct asm_expr *right, const char *from)
{
    if (asm_is_number(left) && asm_is_number(right)) {
        uint64_t value;
        if (!compute(op, (uint64_t)left->value, (uint64_t)right->value, &value)) {
            asm_error(a, from, "division-by-zero", NULL, "division by zero");
            return NULL;
        }
        return node(a, (struct asm_expr){.op = '0', .value = (int64_t)value});
    }
    return node(a, (struct asm_expr){.op = op, .left = left, .right = right});
}

/* ---- reading ---- */

static const struct asm_expr *read_level(struct asm_state *a, unsigned level, unsigned depth);

/* 'x', and escapes as in strings: '\n'. The backslash itself may be alone. */
static const struct asm_expr *read_character(struct asm_state *a)
{
    const char *from = a->scan.p, *end = a->scan.end;
    bool plain = from + 2 < end && from[2] == '\'' && from[1] != '\n';
    if (plain && from[1] == '\\' && from + 3 < end && from[3] == '\'')
        plain = false; /* '\'' */
    uint8_t value = (uint8_t)(plain ? from[1] : 0);
    a->scan.p = from + (plain ? 2 : 1);
    bool escape = !plain && from + 3 < end && from[1] == '\\' && from[2] != '\n';
    if (escape) {
        a->scan.p = from + 2;
        value = asm_read_escape(a);
    }
    if ((!plain && !escape) || a->scan.p >= end || *a->scan.p != '\'') {
        asm_error(a, from, "syntax", NULL, "a quote begins one character and a quote, as in 'c' or '%s'", "\\n");
        return NULL;
    }
    a->scan.last = ++a->scan.p;
    return node(a, (struct asm_expr){.op = '0', .value = value});
}

/* 1b, 1f: the label 1: before or after this. Digits after a b make it a number in binary. */
static bool is_numbered_label(const char *p)
{
    uint32_t number;
    size_t digits = asm_label_number(p, &number);
    char way = (char)(p[digits] | 32);
    return digits && (way == 'b' || way == 'f') && !scan_is(p[digits + 1], SCAN_LETTER | SCAN_DIGIT);
}

static const struct asm_expr *read_numbered_label(struct asm_state *a)
{
    const char *p = a->scan.p;
    uint32_t number;
    size_t digits = asm_label_number(p, &number);
    a->scan.last = a->scan.p = p + digits + 1;
    struct asm_symbol *s = asm_numbered_label(a, number, (p[digits] | 32) == 'f', p);
    return s ? node(a, (struct asm_expr){.op = 's', .symbol = s}) : NULL;
}

static const struct asm_expr *read_symbol(struct asm_state *a)
{
    const char *name;
    size_t length = asm_name(a, &name);
    if (length == 1 && (name[0] == '.' || name[0] == '$')) /* the manual's: $+o */
        return node(a, (struct asm_expr){.op = '.', .section = a->current, .index = asm_here(a)});
    if (length == 0) {
        scan_expected(&a->scan, "a number or a symbol");
        return NULL;
    }
    if (a->isa->is_register && a->isa->is_register(name, length)) {
        asm_error(a, name, "expression", NULL, "register '%.*s' is not a number", (int)length, name);
        return NULL;
    }
    struct asm_symbol *s = asm_symbol(a, name, length);
    return s ? asm_symbol_here(a, s) : NULL;
}

/* Number, character or symbol. */
static const struct asm_expr *read_value(struct asm_state *a)
{
    uint64_t value;
    const char *p = a->scan.p;
    uint32_t errors = a->scan.errors;
    if (*p == '\'')
        return read_character(a);
    if (is_numbered_label(p))
        return read_numbered_label(a);
    if (scan_number(&a->scan, &value))
        return node(a, (struct asm_expr){.op = '0', .value = (int64_t)value});
    return a->scan.errors == errors ? read_symbol(a) : NULL;
}

/* What is in parentheses, past the first of them. */
static const struct asm_expr *read_inside(struct asm_state *a, unsigned depth)
{
    bool outer = a->in_brackets;
    a->in_brackets = true;
    const struct asm_expr *inside = read_level(a, 0, depth + 1);
    a->in_brackets = outer;
    return inside && asm_expect(a, ')', "')'") ? inside : NULL;
}

static const struct asm_expr *read_primary(struct asm_state *a, unsigned depth)
{
    enum { DEPTH = 64 };
    scan_blanks(&a->scan);
    const char *p = a->scan.p;
    if (!count_node(a, p))
        return NULL;
    if (depth > DEPTH) {
        asm_error(a, p, "too-deep", NULL, "an expression of more than %d levels", DEPTH);
        return NULL;
    }
    if (scan_take(&a->scan, '('))
        return read_inside(a, depth);
    char op = *p;
    if (op != '-' && op != '+' && op != '~' && op != '!')
        return a->isa->value ? a->isa->value(a) : read_value(a);
    scan_take(&a->scan, op);
    const struct asm_expr *e = read_primary(a, depth + 1), zero = {.op = '0'}, ones = {.op = '0', .value = -1};
    if (!e || op == '+')
        return e;
    if (op == '!') { /* -(x == 0) */
        const struct asm_expr *none = node(a, zero), *is_zero = none ? binary(a, 'e', e, none, p) : NULL;
        return is_zero ? binary(a, '-', none, is_zero, p) : NULL;
    }
    const struct asm_expr *left = asm_is_number(e) ? (op == '-' ? &zero : &ones) : node(a, op == '-' ? zero : ones);
    return left ? binary(a, op == '-' ? '-' : '^', left, e, p) : NULL;
}

/* GNU's. */
static const struct asm_operator gnu_operators[] = {
    {"||", 'o', 0}, {"&&", 'a', 1}, {"==", 'e', 2}, {"!=", 'n', 2}, {"<>", 'n', 2}, {"<=", 'L', 2}, {">=", 'G', 2},
    {"<<", '<', 4}, {">>", '>', 4}, {"<", 'l', 2},  {">", 'g', 2},  {"+", '+', 2},  {"-", '-', 2},  {"|", '|', 3},
    {"&", '&', 3},  {"^", '^', 3},  {"*", '*', 4},  {"/", '/', 4},  {"%", '%', 4},  {"", 0, 0},
};

/* The operator that is next; NULL: none. It is not taken. */
static const struct asm_operator *next_operator(struct asm_state *a)
{
    scan_blanks(&a->scan);
    const char *p = a->scan.p;
    if (*p == '\0' || !strchr("|&=!<>+-^*/%", *p))
        return NULL;
    /* (r1+4+=r2), (r1++): not an operator */
    if ((*p == '+' || *p == '-') && (p[1] == '=' || p[1] == *p))
        return NULL;
    if (*p == '-' && a->isa->minus_may_start && !a->in_brackets && p > a->scan.begin && scan_is(p[-1], SCAN_BLANK))
        return NULL;
    const struct asm_operator *o = a->isa->operators ? a->isa->operators : gnu_operators;
    while (o->text[0] && (o->text[0] != *p || (o->text[1] && o->text[1] != p[1])))
        o++;
    return o->text[0] ? o : NULL;
}

/* Operators of that level and higher ones. */
static const struct asm_expr *read_level(struct asm_state *a, unsigned level, unsigned depth)
{
    const struct asm_operator *o;
    const struct asm_expr *left = read_primary(a, depth);
    while (left && (o = next_operator(a)) != NULL && o->level >= level) {
        const char *from = a->scan.p;
        a->scan.last = a->scan.p = from + (o->text[1] ? 2 : 1);
        const struct asm_expr *right = read_level(a, o->level + 1u, depth);
        left = right ? binary(a, o->op, left, right, from) : NULL;
    }
    return left;
}

const struct asm_expr *asm_symbol_here(struct asm_state *a, struct asm_symbol *s)
{
    int64_t value;
    /* A symbol that is a number has the value that it has here: it may be set again. */
    if (s->value && asm_is_number(s->value))
        return s->value;
    const struct asm_expr e = {.op = 's', .symbol = s};
    return a->pass && asm_evaluate(a, &e, &value) ? asm_number(a, value) : node(a, e);
}

const struct asm_expr *asm_expression(struct asm_state *a)
{
    a->nodes = 0;
    if (!a->isa->value) /* GNU's mark of numbers */
        scan_take(&a->scan, '#');
    return read_level(a, 0, 0);
}

/* Is there an operator after a number? Two slashes, and one with a star, begin a comment. */
static bool operator_follows(const char *q)
{
    while (*q == ' ' || *q == '\t')
        q++;
    return (*q && strchr("+-*%&|^", *q)) || (*q == '/' && q[1] != '/' && q[1] != '*') ||
           ((*q == '<' || *q == '>') && q[1] == *q);
}

bool asm_expression_begins(struct asm_state *a)
{
    const char *q = a->scan.p + (*a->scan.p == '-');
    size_t length = scan_word_length(q);
    if (*q == '(')
        return true;
    if (scan_is(*q, SCAN_DIGIT))
        return operator_follows(q + length);
    return length && asm_known_value(a, q, length);
}

const struct asm_expr *asm_primary(struct asm_state *a)
{
    a->nodes = 0;
    scan_take(&a->scan, '#');
    return read_primary(a, 0);
}

bool asm_is_hex(struct asm_state *a)
{
    scan_blanks(&a->scan);
    const char *p = a->scan.p;
    while (*p == '#' || *p == '-' || *p == '+')
        p++;
    return p[0] == '0' && (p[1] | 32) == 'x';
}

const struct asm_expr *asm_from_here(struct asm_state *a, const struct asm_expr *distance)
{
    const struct asm_expr *here = node(a, (struct asm_expr){.op = '.', .section = a->current, .index = asm_here(a)});
    return here ? node(a, (struct asm_expr){.op = '+', .left = here, .right = distance}) : NULL;
}

const struct asm_expr *asm_number(struct asm_state *a, int64_t value)
{
    return node(a, (struct asm_expr){.op = '0', .value = value});
}

const struct asm_expr *asm_difference(struct asm_state *a, const struct asm_expr *to, struct asm_symbol *from)
{
    const struct asm_expr *base = node(a, (struct asm_expr){.op = 's', .symbol = from});
    return base ? node(a, (struct asm_expr){.op = '-', .left = to, .right = base}) : NULL;
}

/* ---- values ---- */

static bool label_address(const struct asm_state *a, uint32_t section, uint32_t index, int64_t *value)
{
    const struct asm_section *s = &a->section[section];
    if (a->pass == 0)
        return false;
    *value = index < s->count ? *asm_address(asm_item(a, s, index)) : (int64_t)s->address + s->size;
    return true;
}

static bool symbol_value(struct asm_state *a, struct asm_symbol *s, int64_t *value)
{
    enum { DEPTH = 64 };
    if (!s->value)
        return s->defined && label_address(a, s->section, s->index, value);
    if (s->known && s->pass == a->pass) {
        *value = s->result;
        return true;
    }
    if (s->busy || a->passes_evaluating >= DEPTH)
        return false;
    s->busy = true;
    a->passes_evaluating++;
    s->known = asm_evaluate(a, s->value, &s->result);
    a->passes_evaluating--;
    s->busy = false;
    s->pass = a->pass;
    *value = s->result;
    return s->known;
}

bool asm_evaluate(struct asm_state *a, const struct asm_expr *e, int64_t *value)
{
    int64_t left, right;
    switch (e->op) {
    case '0':
        *value = e->value;
        return true;
    case 's':
        return symbol_value(a, e->symbol, value);
    case '.':
        return label_address(a, e->section, e->index, value);
    default:
        return asm_evaluate(a, e->left, &left) && asm_evaluate(a, e->right, &right) &&
               compute(e->op, (uint64_t)left, (uint64_t)right, (uint64_t *)value);
    }
}

bool asm_constant(struct asm_state *a, int64_t least, int64_t most, const char *what, int64_t *value)
{
    scan_blanks(&a->scan);
    const char *from = a->scan.p;
    const struct asm_expr *e = asm_expression(a);
    if (!e)
        return false;
    if (!asm_evaluate(a, e, value))
        return asm_error(a, from, "not-constant", NULL, "%s must be known here", what);
    if (*value < least || *value > most)
        return asm_error(a, from, "out-of-range", NULL, "%s is %lld, must be %lld to %lld", what, (long long)*value,
                         (long long)least, (long long)most);
    return true;
}
