/* statement.c - statements of the assembler: labels, directives, instructions, and the sources that hold them. Syntax
 * is that of GNU's assemblers. */
#include "isa/asm/asm.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- errors ---- */

bool asm_error(struct asm_state *a, const char *from, const char *code, const char *hint, const char *fmt, ...)
{
    char message[240];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(message, sizeof message, fmt, ap);
    va_end(ap);
    struct span where = scan_span(&a->scan, from);
    if (where.length == 0)
        where.length = 1;
    return scan_error(&a->scan, where, code, hint, "%s", message);
}

bool asm_error_at(struct asm_state *a, const struct asm_fixup *f, const char *code, const char *hint, const char *fmt,
                  ...)
{
    char message[300];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(message, sizeof message, fmt, ap);
    va_end(ap);
    if (a->errors++ >= SCAN_MAX_ERRORS)
        return false;
    if (f)
        diag_at(a->diags, WEFT_ERROR, code, f->src, f->where, hint, "%s", message);
    else
        diag_add(a->diags, WEFT_ERROR, code, a->scan.src ? a->scan.src->name : NULL, hint, "%s", message);
    return false;
}

bool asm_no_memory(struct asm_state *a)
{
    a->failed = true;
    return false;
}

/* ---- tokens ---- */

static bool is_separator(const struct asm_state *a)
{
    return a->isa->separator && *a->scan.p == a->isa->separator;
}

bool asm_at_end(struct asm_state *a)
{
    return scan_at_line_end(&a->scan) || is_separator(a);
}

bool asm_expect(struct asm_state *a, char c, const char *what)
{
    return scan_take(&a->scan, c) || scan_expected(&a->scan, what);
}

static bool is_name(char c)
{
    return scan_is(c, SCAN_LETTER | SCAN_DIGIT) || c == '.' || c == '$';
}

size_t asm_name(struct asm_state *a, const char **name)
{
    scan_blanks(&a->scan);
    const char *p = a->scan.p;
    *name = p;
    if (scan_is(*p, SCAN_DIGIT))
        return 0;
    while (is_name(*p))
        p++;
    if (p > *name)
        a->scan.last = a->scan.p = p;
    return (size_t)(p - *name);
}

/* ---- statements ---- */

/* Labels before a statement. *word is its first word. */
static bool read_labels(struct asm_state *a, const char **word, size_t *length)
{
    for (;;) {
        scan_blanks(&a->scan);
        const char *p = a->scan.p;
        uint32_t number;
        size_t digits = asm_label_number(p, &number);
        if (digits && p[digits] == ':') {
            a->scan.last = a->scan.p = p + digits + 1;
            if (!asm_define_numbered(a, number, p))
                return false;
            continue;
        }
        *length = asm_name(a, word);
        if (*length == 0 || *a->scan.p != ':')
            return true;
        a->scan.p++;
        struct asm_symbol *s = asm_symbol(a, *word, *length);
        if (!s || !asm_define_label(a, s, *word))
            return false;
    }
}

/* What had to come did not. */
static bool expected(struct asm_state *a, const char *what)
{
    static const char hash[] = "'#' begins a comment only at the start of a line; ';' and '//' do anywhere";
    scan_blanks(&a->scan);
    return scan_expected_or(&a->scan, what, *a->scan.p == '#' ? hash : NULL);
}

static bool read_statement(struct asm_state *a)
{
    const char *word;
    size_t length;
    if (a->isa->statement)
        return a->isa->statement(a);
    if (!read_labels(a, &word, &length))
        return false;
    if (length == 0)
        return asm_at_end(a) || expected(a, "an instruction, a directive or a label");
    scan_blanks(&a->scan);
    bool fine;
    if (*a->scan.p == '=' && a->scan.p[1] != '=') {
        a->scan.p++;
        fine = asm_equ(a, word, length);
    } else if (asm_use_macro(a, word, length, &fine)) {
        return fine;
    } else if (*word == '.') {
        fine = asm_directive(a, word, length);
    } else {
        fine = a->isa->instruction(a, word, length);
    }
    return fine && (asm_at_end(a) || expected(a, "the end of the statement"));
}

void asm_skip_statement(struct asm_state *a)
{
    while (!asm_at_end(a)) {
        char c = *a->scan.p++;
        if (c == '\\' && *a->scan.p != '\n')
            a->scan.p++; /* \@ */
        if (c == '"')
            while (a->scan.p < a->scan.end && *a->scan.p != '"' && *a->scan.p != '\n')
                a->scan.p += *a->scan.p == '\\' && a->scan.p[1] != '\n' ? 2 : 1;
    }
    if (a->scan.p > a->scan.end)
        a->scan.p = a->scan.end;
}

bool asm_read(struct asm_state *a, const struct source *src)
{
    struct scan outer = a->scan;
    const char *counted = a->counted;
    uint32_t line = a->line, first_if = a->first_if;
    if (!scan_start(&a->scan, src, a->isa->comments, a->arena, a->diags)) {
        a->scan = outer;
        return asm_no_memory(a);
    }
    a->counted = a->scan.begin;
    a->line = 1;
    a->first_if = a->nifs;
    while (a->scan.p < a->scan.end && !a->failed && !a->leaving && a->errors + a->scan.errors < SCAN_MAX_ERRORS) {
        if (!read_statement(a)) {
            asm_drop_fixups(a);
            asm_skip_statement(a);
        }
        scan_blanks(&a->scan);
        if (is_separator(a) || *a->scan.p == '\n')
            a->scan.p++;
    }
    asm_close_conditions(a);
    a->errors += a->scan.errors;
    uint32_t errors = a->errors;
    a->counted = counted;
    a->line = line;
    a->first_if = first_if;
    if (outer.begin)
        a->scan = outer;
    return !a->failed && errors < SCAN_MAX_ERRORS;
}

bool asm_start(struct asm_state *a, const char *section)
{
    a->nbuckets = 256;
    a->bucket = ARENA_ARRAY(a->arena, struct asm_symbol *, a->nbuckets);
    return a->bucket && asm_enter_section(a, section, strlen(section));
}
