/* machine.h - a task of 32 instances for tests: a program as text, registers before it and after it. */
#ifndef WEFT_TESTS_ROGUE_MACHINE_H
#define WEFT_TESTS_ROGUE_MACHINE_H

#include "exec/exec.h"
#include "ir/pass.h"
#include "isa/rogue/lift.h"
#include "test.h"

enum { LANES = ROGUE_INSTANCES };

struct machine {
    struct arena arena;
    weft_diags *diags;
    struct ir_program *ir;
    struct exec_program *program;
    struct exec_warp *warp;
    struct exec_env env;
};

/* Instructions of the programs that were started. */
static bool machine_ran[ROGUE_OPS];

static inline void machine_note(const struct isa_module *m)
{
    for (uint32_t i = 0; i < m->ngroups; i++)
        for (unsigned slot = 0; slot < ROGUE_SLOTS; slot++)
            if (m->groups[i].insn[slot].row)
                machine_ran[m->groups[i].insn[slot].row->op] = true;
}

/* False after a diagnostic, which is printed. */
static inline bool machine_start_with(struct machine *m, struct isa_params params, const char *text, bool optimise)
{
    *m = (struct machine){.diags = weft_diags_new()};
    struct source src = {"test", text, strlen(text)};
    struct isa_module *module = NULL;
    weft_status status = rogue_parse(&src, &params, &m->arena, &module, m->diags);
    if (status == WEFT_OK)
        status = rogue_check(module, &src, &params, m->diags);
    if (status == WEFT_OK)
        status = rogue_lift(module, &src, &m->arena, &m->ir, m->diags);
    if (status == WEFT_OK)
        status = ir_verify(m->ir, m->diags);
    if (status == WEFT_OK) {
        for (uint32_t i = 0; i < m->ir->nfiles; i++)
            m->ir->files[i].preserved = true;
        if (optimise)
            ir_optimise(m->ir);
        struct exec_options options = {.level = exec_best_level()};
        status = exec_compile(m->ir, &options, &m->arena, &m->program, m->diags);
    }
    if (status != WEFT_OK) {
        printf("# %s\n# ", weft_diags_count(m->diags) ? weft_diags_get(m->diags, 0)->message : "?");
        for (const char *c = text; *c; c++)
            printf("%c%s", *c, *c == '\n' ? "# " : "");
        printf("\n");
        return false;
    }
    machine_note(module);
    m->warp = exec_warp_new(m->program);
    exec_bind(m->warp, &m->env);
    return true;
}

/* As a program of a stage, with lines of linkage (NULL: the defaults). */
static inline bool machine_start_at(struct machine *m, enum ir_stage stage, const char *linkage, const char *text,
                                    bool strict, bool optimise)
{
    struct isa_linkage lines = {{"linkage", linkage, linkage ? strlen(linkage) : 0}};
    struct isa_params params = {.stage = stage, .strict = strict, .linkage = linkage ? &lines : NULL};
    return machine_start_with(m, params, text, optimise);
}

static inline bool machine_start(struct machine *m, const char *text, bool strict, bool optimise)
{
    return machine_start_at(m, IR_COMPUTE, NULL, text, strict, optimise);
}

static inline void machine_end(struct machine *m)
{
    if (m->warp)
        exec_warp_free(m->warp);
    weft_diags_free(m->diags);
    arena_free(&m->arena);
}

/* Row of a register; NULL where the program has none of that number. */
static inline uint32_t *machine_row(struct machine *m, enum rogue_file file, uint32_t n)
{
    return n < m->ir->files[file].count ? exec_warp_register(m->warp, file, n) : NULL;
}

static inline void machine_put(struct machine *m, enum rogue_file file, uint32_t n, unsigned lane, uint32_t v)
{
    uint32_t *row = machine_row(m, file, n);
    if (row)
        row[lane] = v;
}

static inline uint32_t machine_get(struct machine *m, enum rogue_file file, uint32_t n, unsigned lane)
{
    const uint32_t *row = machine_row(m, file, n);
    return row ? row[lane] : 0;
}

static inline bool machine_run(struct machine *m)
{
    return exec_run(m->warp, UINT32_MAX, UINT32_MAX, 0) == EXEC_DONE;
}

/* A generator that every platform has alike. */
static inline uint32_t machine_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) ^ (uint32_t)(*state >> 12);
}

#endif
