/* text.h - parsing and printing for the tests of TGSI text. */
#ifndef WEFT_TESTS_TGSI_TEXT_H
#define WEFT_TESTS_TGSI_TEXT_H

#include "isa/tgsi/tgsi.h"

#include "equal.h"

/* A parsed text: free with text_free. */
struct text {
    struct arena arena;
    struct source src;
    struct isa_module *m;
    weft_diags *diags;
    weft_status status;
};

static inline struct text text_parse_sized(const char *name, const char *text, size_t size)
{
    struct text t = {.src = {name, text, size}, .diags = weft_diags_new()};
    struct isa_params params = {NULL, -1};
    t.status = tgsi_parse(&t.src, &params, &t.arena, &t.m, t.diags);
    return t;
}

static inline struct text text_parse(const char *text)
{
    return text_parse_sized("t.tgsi", text, strlen(text));
}

static inline void text_free(struct text *t)
{
    weft_diags_free(t->diags);
    arena_free(&t->arena);
}

/* "line:column: message (hint)" of the first diagnostic; "" without one. */
static inline const char *text_message(const struct text *t, char *buffer, size_t size)
{
    const weft_diag *d = weft_diags_get(t->diags, 0);
    buffer[0] = '\0';
    if (d && d->hint)
        snprintf(buffer, size, "%u:%u: %s (%s)", d->line, d->column, d->message, d->hint);
    else if (d)
        snprintf(buffer, size, "%u:%u: %s", d->line, d->column, d->message);
    return buffer;
}

/* Print a module and parse that: the two must be equal. Fails the test otherwise. Returns the text, in t's arena. */
static inline const char *text_round_trip(struct text *t)
{
    char *out, message[400];
    size_t size;
    assert_int_equal(tgsi_print(t->m, &t->arena, &out, &size, NULL), WEFT_OK);
    struct text again = text_parse_sized("printed", out, size);
    if (again.status != WEFT_OK)
        fail_msg("%s: printed text: %s\n%s", t->src.name, text_message(&again, message, sizeof message), out);
    if (!tgsi_module_equal(t->m, again.m))
        fail_msg("%s: printed text says something else:\n%s", t->src.name, out);
    char *twice;
    size_t twice_size;
    assert_int_equal(tgsi_print(again.m, &again.arena, &twice, &twice_size, NULL), WEFT_OK);
    assert_int_equal(size, twice_size);
    assert_memory_equal(out, twice, size);
    text_free(&again);
    return out;
}

#endif
