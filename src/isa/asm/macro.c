/* macro.c - text that is read again: .macro, .rept, .irp and .irpc, as in GNU's assemblers.
 *
 * An expansion is a source of its own, whose name says where it was used: "prog.s:12: in 'copy'". Its lines are those
 * of the body, so that an error names both places. */
#include "isa/asm/asm.h"

#include <string.h>

struct piece {
    const char *text;
    size_t size;
};

struct parameter {
    struct piece name, value; /* value: the default */
    bool required, rest;      /* :req, :vararg */
};

struct asm_macro {
    struct piece name, body;
    struct parameter *parameter;
    unsigned nparameters;
    struct asm_macro *next;
};

static bool is_piece(struct piece piece, const char *word, size_t length)
{
    return piece.size == length && memcmp(piece.text, word, length) == 0;
}

/* ---- blocks of text ---- */

bool asm_next_statement(struct asm_state *a, const char **begin, const char **word, size_t *length)
{
    asm_skip_statement(a);
    if (a->scan.p >= a->scan.end)
        return false;
    *begin = ++a->scan.p;
    while ((*length = asm_name(a, word)) != 0 && *a->scan.p == ':')
        a->scan.p++;
    return true;
}

static bool is_one_of(const char *word, size_t length, const char *const *words)
{
    for (; *words; words++)
        if (scan_word_is(word, length, *words))
            return true;
    return false;
}

/* The statements up to the one that closes the block; blocks of its kind nest. */
static bool take_block(struct asm_state *a, const char *from, const char *const *opens, const char *const *closes,
                       struct piece *body)
{
    const char *begin, *word;
    size_t length;
    unsigned depth = 1;
    if (!asm_at_end(a))
        return scan_expected(&a->scan, "the end of the statement");
    body->text = a->scan.p < a->scan.end ? a->scan.p + 1 : a->scan.p;
    while (asm_next_statement(a, &begin, &word, &length)) {
        if (is_one_of(word, length, opens))
            depth++;
        else if (is_one_of(word, length, closes) && --depth == 0) {
            body->size = (size_t)(begin - body->text);
            return true;
        }
    }
    struct span where = {scan_offset(&a->scan, from), (uint32_t)strcspn(from, " \t\r\n")};
    return scan_error(&a->scan, where, "block", NULL, "there is no %s", closes[0]);
}

static bool take_macro_body(struct asm_state *a, const char *from, struct piece *body)
{
    static const char *const opens[] = {".macro", NULL}, *const closes[] = {".endm", ".endmacro", NULL};
    return take_block(a, from, opens, closes, body);
}

static bool take_repeated(struct asm_state *a, const char *from, struct piece *body)
{
    static const char *const opens[] = {".rept", ".irp", ".irpc", NULL}, *const closes[] = {".endr", NULL};
    return take_block(a, from, opens, closes, body);
}

/* ---- arguments ---- */

enum argument { TO_COMMA, TO_BLANK /* or a comma */, TO_END };

static const char *past_string(const char *p)
{
    for (p++; *p != '"' && *p != '\n' && *p != '\0'; p++)
        if (*p == '\\' && p[1] != '\n' && p[1] != '\0')
            p++;
    return *p == '"' ? p + 1 : p;
}

/* The text of an argument: commas within parentheses and strings belong to it, and so HX(0,0) is one. */
static struct piece take_argument(struct asm_state *a, enum argument kind)
{
    unsigned depth = 0;
    scan_blanks(&a->scan);
    const char *begin = a->scan.p, *end = begin;
    for (;;) {
        const char *p = a->scan.p;
        if (asm_at_end(a) || (*a->scan.p == ',' && depth == 0 && kind != TO_END))
            break;
        if (a->scan.p != p && kind == TO_BLANK && depth == 0)
            break;
        p = a->scan.p;
        depth += *p == '(';
        depth -= *p == ')' && depth;
        end = *p == '"' ? past_string(p) : *p == '\\' && p[1] > ' ' ? p + 2 : p + 1;
        a->scan.last = a->scan.p = end;
    }
    bool quoted = *begin == '"' && end > begin + 1 && past_string(begin) == end && end[-1] == '"';
    if (quoted && kind != TO_END)
        return (struct piece){begin + 1, (size_t)(end - begin) - 2};
    return (struct piece){begin, (size_t)(end - begin)};
}

/* ---- expansion ---- */

struct substitution {
    const struct parameter *parameter;
    const struct piece *value;
    unsigned count;
    uint32_t number; /* \@ */
};

static const struct piece *value_of(const struct substitution *s, const char *word, size_t length)
{
    for (unsigned i = 0; i < s->count; i++)
        if (is_piece(s->parameter[i].name, word, length))
            return &s->value[i];
    return NULL;
}

static size_t put(char *out, size_t at, const char *text, size_t size)
{
    if (out && size)
        memcpy(out + at, text, size);
    return at + size;
}

/* The body with values for \NAME, a number for \@ and nothing for \(): its size, and the text into `out` unless it is
 * NULL. */
static size_t substitute(const struct piece *body, const struct substitution *s, char *out)
{
    size_t at = 0;
    const char *p = body->text, *end = p + body->size;
    while (p < end) {
        const char *next = memchr(p, '\\', (size_t)(end - p));
        at = put(out, at, p, (size_t)((next ? next : end) - p));
        if (!next)
            break;
        size_t length = scan_word_length(next + 1);
        const struct piece *value = value_of(s, next + 1, length);
        if (value) {
            at = put(out, at, value->text, value->size);
            p = next + 1 + length;
        } else if (next[1] == '@') {
            char digits[10];
            size_t n = sizeof digits;
            uint32_t rest = s->number;
            do
                digits[--n] = (char)('0' + rest % 10);
            while ((rest /= 10) != 0);
            at = put(out, at, digits + n, sizeof digits - n);
            p = next + 2;
        } else if (next[1] == '(' && next[2] == ')') {
            p = next + 3;
        } else {
            at = put(out, at, next, 1);
            p = next + 1;
        }
    }
    return at;
}

/* Each expansion costs something, so that even empty ones come to an end. */
static bool charge(struct asm_state *a, const char *from, size_t size)
{
    enum { COST = 64 };
    a->expanded += size + COST;
    return a->expanded <= ASM_MAX_EXPANDED ||
           asm_error(a, from, "too-large", NULL, "macros and repetitions make more than %d MiB of text",
                     ASM_MAX_EXPANDED >> 20);
}

static uint32_t line_of(struct asm_state *a, const char *from)
{
    for (const char *p = a->counted; (p = memchr(p, '\n', (size_t)(from - p))) != NULL; p++)
        a->line++;
    a->counted = from;
    return a->line;
}

/* The source of an expansion, without its text. */
static struct source *name_source(struct asm_state *a, const char *from, struct piece name)
{
    enum { LONGEST = 300 };
    struct source *src = ARENA_NEW(a->arena, struct source);
    const char *outer = a->scan.src->name ? a->scan.src->name : "";
    const char *cut = strlen(outer) > LONGEST ? "..." : "";
    char *text = arena_printf(a->arena, "%.*s%s:%u: in '%.*s'", LONGEST, outer, cut, (unsigned)line_of(a, from),
                              (int)name.size, name.text);
    if (!src || !text) {
        asm_no_memory(a);
        return NULL;
    }
    src->name = text;
    return src;
}

/* Read an expansion. False when it, or what it expanded, was at fault: it is not repeated then. */
static bool read_again(struct asm_state *a, const struct source *src)
{
    uint32_t errors = a->errors;
    bool included = a->included;
    a->included = true;
    a->depth++;
    asm_read(a, src);
    a->depth--;
    a->included = included;
    return !a->failed && a->errors == errors;
}

static bool may_nest(struct asm_state *a, const char *from)
{
    return a->depth < ASM_MAX_DEPTH ||
           asm_error(a, from, "macro", NULL, "macros and repetitions nest more than %d deep", ASM_MAX_DEPTH);
}

static bool expand(struct asm_state *a, const char *from, struct source *src, const struct piece *body,
                   const struct substitution *s)
{
    size_t size = substitute(body, s, NULL);
    char *text = charge(a, from, body->size + size) ? arena_alloc(a->arena, size + 1) : NULL;
    if (!text)
        return a->expanded > ASM_MAX_EXPANDED ? false : asm_no_memory(a);
    substitute(body, s, text);
    src->text = text;
    src->size = size;
    return read_again(a, src);
}

/* ---- macros ---- */

static bool read_parameter(struct asm_state *a, struct asm_macro *m)
{
    struct parameter *p = &m->parameter[m->nparameters];
    p->name.size = scan_word(&a->scan, &p->name.text);
    if (p->name.size == 0)
        return scan_expected(&a->scan, "the name of a parameter");
    for (unsigned i = 0; i < m->nparameters; i++)
        if (is_piece(m->parameter[i].name, p->name.text, p->name.size))
            return asm_error(a, p->name.text, "macro", NULL, "a second parameter '%.*s'", (int)p->name.size,
                             p->name.text);
    if (m->nparameters && m->parameter[m->nparameters - 1].rest)
        return asm_error(a, p->name.text, "macro", NULL, "the parameter of all other arguments is the last");
    if (scan_take(&a->scan, ':')) {
        static const char *const kinds[] = {"req", "vararg", NULL};
        int kind = scan_choice(&a->scan, kinds, 2, "kind of parameter");
        if (kind < 0)
            return false;
        p->required = kind == 0;
        p->rest = kind == 1;
    }
    if (scan_take(&a->scan, '='))
        p->value = take_argument(a, TO_BLANK);
    m->nparameters++;
    return true;
}

static struct asm_macro **find_macro(struct asm_state *a, const char *word, size_t length)
{
    struct asm_macro **at = &a->macros;
    while (*at && ((*at)->name.size != length || !scan_word_is(word, length, (*at)->name.text)))
        at = &(*at)->next;
    return at;
}

/* .macro NAME [PARAMETER[:req|:vararg][=DEFAULT]]... to .endm */
bool asm_define_macro(struct asm_state *a, const struct asm_call *call)
{
    struct asm_macro *m = ARENA_NEW(a->arena, struct asm_macro);
    struct piece body = {0};
    const char *name;
    size_t length = asm_name(a, &name);
    if (length == 0 || length > ASM_NAME)
        return scan_expected(&a->scan, "the name of a macro");
    char *copy = arena_strndup(a->arena, name, length);
    struct parameter *parameters = ARENA_ARRAY(a->arena, struct parameter, ASM_MAX_PARAMETERS);
    if (!m || !copy || !parameters)
        return asm_no_memory(a);
    *m = (struct asm_macro){.name = {copy, length}, .parameter = parameters};
    for (scan_take(&a->scan, ','); !asm_at_end(a); scan_take(&a->scan, ',')) {
        if (m->nparameters == ASM_MAX_PARAMETERS)
            return asm_error(a, call->from, "macro", NULL, "more than %d parameters", ASM_MAX_PARAMETERS);
        if (!read_parameter(a, m))
            return false;
    }
    if (!take_macro_body(a, call->from, &body))
        return false;
    m->body = body;
    struct asm_macro **at = find_macro(a, name, length);
    if (*at)
        return asm_error(a, name, "macro", ".purgem forgets it", "macro '%s' is defined already", copy);
    *at = m;
    return true;
}

/* .purgem NAME */
bool asm_forget_macro(struct asm_state *a, const struct asm_call *call)
{
    (void)call;
    const char *name;
    size_t length = asm_name(a, &name);
    struct asm_macro **at = length ? find_macro(a, name, length) : NULL;
    if (!at)
        return scan_expected(&a->scan, "the name of a macro");
    if (!*at)
        return asm_error(a, name, "macro", NULL, "there is no macro '%.*s'", (int)length, name);
    *at = (*at)->next;
    return true;
}

/* NAME=VALUE: the number of the parameter; -1 when no parameter is named. */
static int take_parameter_name(struct asm_state *a, const struct asm_macro *m)
{
    struct scan before = a->scan;
    const char *word;
    size_t length = scan_word(&a->scan, &word);
    scan_blanks(&a->scan);
    if (length && a->scan.p[0] == '=' && a->scan.p[1] != '=')
        for (unsigned i = 0; i < m->nparameters; i++)
            if (is_piece(m->parameter[i].name, word, length)) {
                a->scan.p++;
                return (int)i;
            }
    a->scan = before;
    return -1;
}

/* The arguments of a use; an empty one has the default. */
static bool read_arguments(struct asm_state *a, const char *from, const struct asm_macro *m, struct piece *value)
{
    unsigned next = 0;
    for (unsigned i = 0; i < m->nparameters; i++)
        value[i] = (struct piece){"", 0};
    while (!asm_at_end(a)) {
        int named = take_parameter_name(a, m);
        unsigned i = named >= 0 ? (unsigned)named : next++;
        if (i >= m->nparameters)
            return asm_error(a, a->scan.p, "macro", NULL, "macro '%s' has %u parameter%s", m->name.text, m->nparameters,
                             m->nparameters == 1 ? "" : "s");
        value[i] = take_argument(a, m->parameter[i].rest ? TO_END : TO_COMMA);
        if (!scan_take(&a->scan, ','))
            break;
    }
    if (!asm_at_end(a))
        return scan_expected(&a->scan, "',' or the end of the statement");
    for (unsigned i = 0; i < m->nparameters; i++) {
        const struct parameter *p = &m->parameter[i];
        if (value[i].size == 0 && p->required)
            return asm_error(a, from, "macro", NULL, "macro '%s' needs a value for '%.*s'", m->name.text,
                             (int)p->name.size, p->name.text);
        if (value[i].size == 0)
            value[i] = p->value;
    }
    return true;
}

bool asm_use_macro(struct asm_state *a, const char *word, size_t length, bool *fine)
{
    const struct asm_macro *m = a->macros ? *find_macro(a, word, length) : NULL;
    struct piece value[ASM_MAX_PARAMETERS];
    if (!m)
        return false;
    *fine = may_nest(a, word) && read_arguments(a, word, m, value);
    struct source *src = *fine ? name_source(a, word, m->name) : NULL;
    const struct substitution s = {m->parameter, value, m->nparameters, a->expansions};
    if (!src)
        return true;
    a->expansions++;
    expand(a, word, src, &m->body, &s);
    a->leaving = false;
    *fine = !a->failed;
    return true;
}

bool asm_leave(struct asm_state *a, const struct asm_call *call)
{
    if (a->depth == 0)
        return asm_error(a, call->from, "macro", NULL, ".exitm belongs in a macro or a repetition");
    a->leaving = true;
    return true;
}

/* ---- repetitions ---- */

/* .rept COUNT to .endr */
bool asm_repeat(struct asm_state *a, const struct asm_call *call)
{
    struct piece body;
    int64_t count;
    if (!may_nest(a, call->from) || !asm_constant(a, 0, INT32_MAX, "how many times", &count) ||
        !take_repeated(a, call->from, &body))
        return false;
    struct source *src = count ? name_source(a, call->from, (struct piece){".rept", 5}) : NULL;
    if (!src)
        return !a->failed;
    src->text = body.text;
    src->size = body.size;
    for (int64_t n = 0; n < count && !a->leaving; n++)
        if (!charge(a, call->from, body.size) || !read_again(a, src))
            break;
    a->leaving = false;
    return !a->failed;
}

/* The next value of .irp, or the next character of .irpc; false: none. */
static bool next_value(struct asm_state *a, struct piece *letters, bool each, struct piece *value)
{
    if (each) {
        *value = (struct piece){letters->text, 1};
        letters->text++;
        return letters->size-- != 0;
    }
    if (asm_at_end(a))
        return false;
    *value = take_argument(a, TO_COMMA);
    scan_take(&a->scan, ',');
    return true;
}

/* .irp NAME,VALUE,... or .irpc NAME,LETTERS to .endr */
bool asm_repeat_for(struct asm_state *a, const struct asm_call *call)
{
    unsigned each = call->argument;
    struct parameter p = {0};
    struct piece body, value = {"", 0}, letters = {"", 0};
    p.name.size = may_nest(a, call->from) ? scan_word(&a->scan, &p.name.text) : 0;
    if (p.name.size == 0)
        return a->depth < ASM_MAX_DEPTH ? scan_expected(&a->scan, "the name of a parameter") : false;
    scan_take(&a->scan, ',');
    struct scan values = a->scan;
    if (each)
        letters = take_argument(a, TO_COMMA);
    else
        take_argument(a, TO_END);
    if (!take_repeated(a, call->from, &body))
        return false;
    struct scan after = a->scan;
    struct source *src = name_source(a, call->from, (struct piece){each ? ".irpc" : ".irp", each ? 5 : 4});
    const struct substitution s = {&p, &value, 1, a->expansions};
    a->scan.p = values.p;
    /* Without values once, with nothing. */
    bool any = next_value(a, &letters, each != 0, &value), more = src != NULL;
    if (!any)
        value = (struct piece){"", 0};
    while (more && !a->leaving)
        more = expand(a, call->from, src, &body, &s) && any && next_value(a, &letters, each != 0, &value);
    a->leaving = false;
    after.errors = a->scan.errors;
    a->scan = after;
    return !a->failed;
}
