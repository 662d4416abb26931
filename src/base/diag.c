/* diag.c - diagnostic lists, and a diagnostic as people read it. */
#include "base/diag.h"

#include "base/arena.h"
#include "base/printable.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SHOWN = 400 };

struct weft_diags {
    struct arena arena;
    weft_diag *list;
    size_t stored, cap, count, errors;
    const char *name; /* of the input, where a diagnostic does not say it */
    uint32_t lines_before; /* of the source in its file */
    bool last_stored;
    bool lost; /* memory was not enough: after those in the list comes one that says so */
};

static const weft_diag LOST = {.severity = WEFT_ERROR, .code = "memory", .file = "", .message = "out of memory"};

const char *weft_status_name(weft_status status)
{
    static const char *const names[] = {"ok",     "input",  "unsupported", "usage",  "file",
                                        "memory", "budget", "internal",    "stopped", "time"};
    return (size_t)status < sizeof names / sizeof names[0] ? names[status] : "unknown";
}

weft_diags *weft_diags_new(void)
{
    return calloc(1, sizeof(weft_diags));
}

void weft_diags_free(weft_diags *d)
{
    if (!d)
        return;
    arena_free(&d->arena);
    free(d);
}

size_t weft_diags_count(const weft_diags *d)
{
    return d ? d->count : 0;
}

size_t weft_diags_errors(const weft_diags *d)
{
    return d ? d->errors : 0;
}

const weft_diag *weft_diags_get(const weft_diags *d, size_t index)
{
    if (!d)
        return NULL;
    return index < d->stored ? &d->list[index] : d->lost && index == d->stored ? &LOST : NULL;
}

static weft_diag *diags_push(weft_diags *d, weft_severity sev)
{
    d->count++;
    if (sev == WEFT_ERROR)
        d->errors++;
    d->last_stored = false;
    if ((sev == WEFT_ERROR ? d->errors : d->count - d->errors) > DIAGS_KEPT)
        return NULL;
    weft_diag *list = arena_grow(&d->arena, d->list, sizeof *list, d->stored, &d->cap, d->stored + 1);
    if (!list) {
        d->lost = true;
        return NULL;
    }
    d->list = list;
    d->last_stored = true;
    weft_diag *g = &list[d->stored++];
    memset(g, 0, sizeof *g);
    g->severity = sev;
    return g;
}

static const char *dup_or_empty(struct arena *a, const char *s)
{
    const char *p = s ? arena_strndup(a, s, strlen(s)) : NULL;
    return p ? p : "";
}

/* A message that there was no memory for says that. */
static const char *kept_message(const char *message)
{
    return message ? message : LOST.message;
}

void diags_lines_before(weft_diags *d, uint32_t lines)
{
    if (d)
        d->lines_before = lines;
}

/* A code that is not in codes.inc is a mistake of weft's, which builds for development stop at. */
static const char *keep_code(struct arena *a, const char *code)
{
    assert(weft_diag_explain(code));
    return dup_or_empty(a, code);
}

struct span source_line_span(const struct source *src, uint32_t line)
{
    const char *at = src->text, *end = src->text + src->size;
    for (uint32_t i = 1; i < line && at < end; i++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline ? newline + 1 : end;
    }
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    const char *stop = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    return (struct span){(uint32_t)(at - src->text), (uint32_t)((stop ? stop : end) - at)};
}

uint32_t source_line(const struct source *src, uint32_t offset)
{
    uint32_t line = 1;
    size_t n = offset < src->size ? offset : src->size;
    const char *p = src->text, *end = src->text + n;
    while (p < end && (p = memchr(p, '\n', (size_t)(end - p)))) {
        line++;
        p++;
    }
    return line;
}

void diag_at(weft_diags *d, weft_severity sev, const char *code, const struct source *src, struct span where,
             const char *hint, const char *fmt, ...)
{
    weft_diag *g = d ? diags_push(d, sev) : NULL;
    if (!g)
        return;
    g->code = keep_code(&d->arena, code);
    g->hint = hint ? dup_or_empty(&d->arena, hint) : NULL;
    g->file = dup_or_empty(&d->arena, src ? src->name : NULL);
    va_list ap;
    va_start(ap, fmt);
    const char *m = arena_vprintf(&d->arena, fmt, ap);
    va_end(ap);
    g->message = kept_message(m);
    if (!src || !src->text)
        return;
    size_t at = where.offset < src->size ? where.offset : src->size;
    size_t begin = at, end = at;
    while (begin > 0 && src->text[begin - 1] != '\n')
        begin--;
    while (end < src->size && src->text[end] != '\n')
        end++;
    g->line = d->lines_before + source_line(src, (uint32_t)at);
    g->column = (uint32_t)(at - begin) + 1;
    g->length = where.length ? where.length : 1;
    if (end > begin && src->text[end - 1] == '\r')
        end--;
    if (g->length > end - at + 1)
        g->length = end > at ? (uint32_t)(end - at) : 1;
    if (end - begin <= LINE_SHOWN)
        g->source = arena_strndup(&d->arena, src->text + begin, end - begin);
}

static void add(weft_diags *d, weft_severity sev, const char *code, const char *file, const char *hint,
                const char *fmt, va_list ap)
{
    weft_diag *g = d ? diags_push(d, sev) : NULL;
    if (!g)
        return;
    g->code = keep_code(&d->arena, code);
    g->file = dup_or_empty(&d->arena, file ? file : d->name);
    g->hint = hint ? dup_or_empty(&d->arena, hint) : NULL;
    const char *m = arena_vprintf(&d->arena, fmt, ap);
    g->message = kept_message(m);
}

void diag_add(weft_diags *d, weft_severity sev, const char *code, const char *file, const char *hint,
              const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    add(d, sev, code, file, hint, fmt, ap);
    va_end(ap);
}

void diag_at_address(weft_diags *d, weft_severity sev, const char *code, const char *file, uint64_t address,
                     const char *hint, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    add(d, sev, code, file, hint, fmt, ap);
    va_end(ap);
    diag_set_address(d, address);
}

void diag_set_address(weft_diags *d, uint64_t address)
{
    if (!d || !d->last_stored)
        return;
    d->list[d->stored - 1].has_address = 1;
    d->list[d->stored - 1].address = address;
}

weft_status diags_memory(weft_diags *d, const char *file, weft_status status)
{
    if (status != WEFT_ERROR_MEMORY || !d || d->lost)
        return status;
    for (size_t i = 0; i < d->stored; i++)
        if (strcmp(d->list[i].code, "memory") == 0 || strcmp(d->list[i].code, "too-large") == 0)
            return status;
    diag_add(d, WEFT_ERROR, "memory", file, NULL, "out of memory");
    return status;
}

void diag_count_more(weft_diags *d, const weft_diags *from)
{
    size_t errors = from->errors;
    for (size_t i = 0; i < from->stored; i++)
        errors -= from->list[i].severity == WEFT_ERROR;
    if (!d)
        return;
    d->count += from->count - from->stored;
    d->errors += errors;
}

const char *diags_name(weft_diags *d, const char *name)
{
    const char *before = d ? d->name : NULL;
    if (d)
        d->name = name;
    return before;
}

struct text_out {
    char *buffer;
    size_t size, length;
};

static void put(struct text_out *o, const char *s, size_t n)
{
    if (o->size && o->length < o->size - 1) {
        size_t room = o->size - 1 - o->length;
        memcpy(o->buffer + o->length, s, n < room ? n : room);
    }
    o->length += n;
}

static void puts_to(struct text_out *o, const char *s)
{
    put(o, s, strlen(s));
}

/* What came from outside may hold anything. */
static void put_printable_part(struct text_out *o, const char *s, size_t left)
{
    while (left) {
        struct printable p = printable_next(s, left);
        put(o, p.text, p.length);
        s += p.bytes;
        left -= p.bytes;
    }
}

static void put_printable(struct text_out *o, const char *s)
{
    put_printable_part(o, s, strlen(s));
}

/* A hint may have several lines. */
static void put_hint(struct text_out *o, const char *s)
{
    puts_to(o, "  ");
    for (const char *stop; (stop = strchr(s, '\n')) != NULL; s = stop + 1) {
        put_printable_part(o, s, (size_t)(stop - s));
        puts_to(o, "\n");
    }
    put_printable(o, s);
    puts_to(o, "\n");
}

/* The line below the shown one: as wide up to the place, then the marks. A place may be past the end of the line. */
static void put_caret(struct text_out *o, const weft_diag *g, const char *ink)
{
    size_t size = strlen(g->source), from = g->column - 1, to = from + g->length, at = 0;
    unsigned marks = 0;
    while (at < to) {
        struct printable p = {.bytes = 1, .columns = 1};
        if (at < size)
            p = printable_next(g->source + at, size - at);
        at += p.bytes;
        if (at <= from && p.text[0] == '\t')
            puts_to(o, "\t");
        else if (at <= from)
            for (unsigned i = 0; i < p.columns; i++)
                puts_to(o, " ");
        else
            for (unsigned i = 0; i < p.columns; i++, marks++) {
                puts_to(o, marks ? "" : ink);
                puts_to(o, marks ? "~" : "^");
            }
    }
}

/* Does the message say the address itself? */
static bool names_address(const weft_diag *g)
{
    char word[24];
    size_t length = (size_t)snprintf(word, sizeof word, "0x%llx", (unsigned long long)g->address);
    const char *found = strstr(g->message, word);
    return found && !isxdigit((unsigned char)found[length]);
}

size_t weft_diag_format(const weft_diag *g, int colour, char *buffer, size_t size)
{
    static const char *const words[] = {"note", "warning", "error"};
    static const char *const inks[] = {"\033[1;36m", "\033[1;35m", "\033[1;31m"};
    struct text_out o = {buffer, size, 0};
    char pos[48] = "", at[32] = "";
    if (g->has_address && !names_address(g))
        snprintf(at, sizeof at, "at 0x%llx: ", (unsigned long long)g->address);
    if (g->line && g->column)
        snprintf(pos, sizeof pos, "%u:%u:", g->line, g->column);
    else if (g->line)
        snprintf(pos, sizeof pos, "%u:", g->line);
    if (colour)
        puts_to(&o, "\033[1m");
    if (g->file && g->file[0]) {
        put_printable(&o, g->file);
        puts_to(&o, ":");
    }
    puts_to(&o, pos);
    if (o.length > (colour ? 4u : 0u))
        puts_to(&o, " ");
    if (colour)
        puts_to(&o, inks[g->severity]);
    puts_to(&o, words[g->severity]);
    puts_to(&o, ": ");
    if (colour)
        puts_to(&o, "\033[0m");
    puts_to(&o, at);
    put_printable(&o, g->message);
    puts_to(&o, "\n");
    if (g->source && g->column) {
        puts_to(&o, "  ");
        put_printable(&o, g->source);
        puts_to(&o, "\n  ");
        put_caret(&o, g, colour ? inks[g->severity] : "");
        if (colour)
            puts_to(&o, "\033[0m");
        puts_to(&o, "\n");
    }
    if (g->hint)
        put_hint(&o, g->hint);
    if (size)
        buffer[o.length < size ? o.length : size - 1] = 0;
    return o.length;
}

/* Edit distance with transpositions; some number beyond `most` as soon as it is known to be that. */
static unsigned edit_distance(const char *a, size_t na, const char *b, size_t nb, unsigned most)
{
    enum { WORD = 40 };
    unsigned row[3][WORD + 1], least_before = 0;
    if (na > WORD || nb > WORD || (na > nb ? na - nb : nb - na) > most)
        return most + 1;
    for (size_t j = 0; j <= nb; j++)
        row[1][j] = (unsigned)j;
    for (size_t i = 1; i <= na; i++) {
        unsigned *now = row[2], *last = row[1], *before = row[0], least = (unsigned)i;
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= nb; j++) {
            int ca = toupper((unsigned char)a[i - 1]), cb = toupper((unsigned char)b[j - 1]);
            unsigned v = last[j - 1] + (ca != cb);
            if (last[j] + 1 < v)
                v = last[j] + 1;
            if (now[j - 1] + 1 < v)
                v = now[j - 1] + 1;
            if (i > 1 && j > 1 && ca == toupper((unsigned char)b[j - 2]) &&
                cb == toupper((unsigned char)a[i - 2]) && before[j - 2] + 1 < v)
                v = before[j - 2] + 1;
            now[j] = v;
            least = v < least ? v : least;
        }
        if (least > most && least_before > most) /* all that follow come from these two rows */
            return most + 1;
        least_before = least;
        memcpy(row[0], row[1], sizeof row[0]);
        memcpy(row[1], row[2], sizeof row[0]);
    }
    return row[1][nb];
}

static size_t same_beginning(const char *word, size_t length, const char *other)
{
    size_t n = 0;
    while (n < length && toupper((unsigned char)word[n]) == toupper((unsigned char)other[n]))
        n++;
    return n;
}

/* Of several that are as near, the one that begins like the word the longest. */
const char *nearest_word(const char *word, size_t length, const char *const *candidates, size_t count)
{
    unsigned best = length < 3 ? 2 : (unsigned)(length + 2) / 3 + 1;
    const char *found = NULL;
    for (size_t i = 0; i < count && best > 0; i++) {
        if (!candidates[i])
            continue;
        unsigned v = edit_distance(word, length, candidates[i], strlen(candidates[i]), found ? best : best - 1);
        if (v < best || (found && v == best &&
                         same_beginning(word, length, candidates[i]) > same_beginning(word, length, found))) {
            best = v;
            found = candidates[i];
        }
    }
    return found;
}

/* Those that are the word and something after it, from three letters on, at the beginning of `list`; returns how many,
 * or more than fit. */
static size_t words_that_begin(const char *word, size_t length, const char *const *names, size_t count,
                               const char **list, size_t room)
{
    size_t n = 0;
    for (size_t i = 0; i < count && n <= room && length > 2; i++)
        if (names[i] && same_beginning(word, length, names[i]) == length && n++ < room)
            list[n - 1] = names[i];
    return n;
}

const char *word_hint(const char *word, size_t length, const char *const *names, size_t count, char *hint, size_t size)
{
    enum { FEW = 6 };
    const char *near = nearest_word(word, length, names, count), *list[FEW];
    size_t begin = words_that_begin(word, length, names, count, list, FEW);
    if (begin && begin <= FEW) {
        names = list;
        count = begin;
    }
    if (near || begin == 1) {
        snprintf(hint, size, "did you mean '%s'?", near ? near : list[0]);
        return hint;
    }
    if (count == 0 || count > FEW)
        return NULL;
    size_t n = (size_t)snprintf(hint, size, "one of");
    for (size_t i = 0; i < count && n < size; i++)
        n += (size_t)snprintf(hint + n, size - n, "%s %s", i ? "," : "", names[i]);
    return hint;
}
