/* program.h - Valhall programs for tests: assembled, checked, with what was said about them. */
#ifndef WEFT_TESTS_VALHALL_PROGRAM_H
#define WEFT_TESTS_VALHALL_PROGRAM_H

#include "isa/valhall/valhall.h"
#include "test.h"

/* Free with program_free. */
struct program {
    struct arena arena;
    struct source src;
    struct isa_module *m;
    weft_diags *diags;
    weft_status status;
};

static inline struct program program_parse_sized(const char *text, size_t size)
{
    struct program p = {.src = {"t", text, size}, .diags = weft_diags_new()};
    struct isa_params params = {.stage = -1};
    p.status = valhall_parse(&p.src, &params, &p.arena, &p.m, p.diags);
    return p;
}

static inline struct program program_parse(const char *text)
{
    return program_parse_sized(text, strlen(text));
}

static inline struct program program_of_words(const uint64_t *words, uint32_t count)
{
    struct program p = {.diags = weft_diags_new()};
    struct isa_params params = {.stage = -1};
    p.m = valhall_module(&params, &p.arena);
    p.m->words = (uint64_t *)words;
    p.m->nwords = count;
    return p;
}

static inline void program_free(struct program *p)
{
    weft_diags_free(p->diags);
    arena_free(&p->arena);
}

/* The text of a program, in its arena. */
static inline const char *program_text(struct program *p, size_t *size)
{
    char *text;
    assert_int_equal(valhall_print(p->m, &p->arena, &text, size, NULL), WEFT_OK);
    return text;
}

/* All that was said, a line each: "line:column severity code: message". */
static inline const char *program_messages(struct program *p)
{
    static const char *const severities[] = {
        [WEFT_NOTE] = "note", [WEFT_WARNING] = "warning", [WEFT_ERROR] = "error"};
    char *all = arena_printf(&p->arena, "%s", "");
    for (size_t i = 0; i < weft_diags_count(p->diags); i++) {
        const weft_diag *d = weft_diags_get(p->diags, i);
        all = arena_printf(&p->arena, "%s%u:%u %s %s: %s\n", all, d->line, d->column, severities[d->severity], d->code,
                           d->message);
    }
    return all;
}

#endif
