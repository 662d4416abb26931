/* program.h - Rogue programs for tests: assembled, with what was said about them. */
#ifndef WEFT_TESTS_ROGUE_PROGRAM_H
#define WEFT_TESTS_ROGUE_PROGRAM_H

#include "isa/rogue/rogue.h"
#include "test.h"

/* Free with program_free. */
struct program {
    struct arena arena;
    struct source src;
    struct isa_module *m;
    weft_diags *diags;
    weft_status status;
};

static inline struct program program_parse(const char *text)
{
    struct program p = {.src = {"t", text, strlen(text)}, .diags = weft_diags_new()};
    struct isa_params params = {.stage = -1};
    p.status = rogue_parse(&p.src, &params, &p.arena, &p.m, p.diags);
    return p;
}

static inline void program_free(struct program *p)
{
    weft_diags_free(p->diags);
    arena_free(&p->arena);
}

/* The code of the first diagnostic, or "". */
static inline const char *program_code(const struct program *p)
{
    return weft_diags_count(p->diags) ? weft_diags_get(p->diags, 0)->code : "";
}

static inline char *program_print(struct program *p)
{
    char *text;
    size_t size;
    assert_int_equal(rogue_print(p->m, &p->arena, &text, &size, NULL), WEFT_OK);
    return text;
}

#endif
