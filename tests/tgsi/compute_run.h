/* compute_run.h - a compute program from text to what it leaves in its buffers. */
#ifndef WEFT_TESTS_TGSI_COMPUTE_RUN_H
#define WEFT_TESTS_TGSI_COMPUTE_RUN_H

#include "lift_run.h"

#include "device/compute.h"

enum { COMPUTE_BUFFERS = 64 };

struct compute_job {
    const char *text;
    struct exec_buffer storage[COMPUTE_BUFFERS]; /* BUFFER and RES */
    struct exec_buffer constants[RESOURCE_CONSTANTS];
    uint32_t groups[3], block[3]; /* groups 0: 1 */
    unsigned threads;             /* 0: 1 */
    uint64_t budget;
    bool plain, no_full;          /* not optimised; masked code alone */
    enum exec_level level;
    /* Answers: */
    weft_status status;
    struct dispatch_stats stats;
    char message[300];
};

static inline void compute_print(const weft_diags *diags, char *text, size_t size)
{
    text[0] = 0;
    if (weft_diags_count(diags))
        weft_diag_format(weft_diags_get(diags, 0), 0, text, size);
}

/* Everything up to the dispatch must succeed. */
static inline void compute_run(struct compute_job *j)
{
    struct arena arena = {0};
    weft_diags *diags = weft_diags_new();
    struct ir_program *ir = NULL;
    struct exec_program *code = NULL;
    if (run_lift(j->text, &arena, &ir, diags) != WEFT_OK) {
        run_print_diags(diags);
        print_error("%s\n", j->text);
        fail();
    }
    if (!j->plain)
        ir_optimise(ir);
    assert_int_equal(ir_verify(ir, diags), WEFT_OK);
    const struct exec_options options = {.level = j->level, .no_full = j->no_full};
    if (exec_compile(ir, &options, &arena, &code, diags) != WEFT_OK) {
        run_print_diags(diags);
        fail();
    }
    struct dispatch d = {.program = {ir, code, NULL}, .budget = j->budget, .resources = {.level = j->level}};
    for (unsigned c = 0; c < 3; c++) {
        d.groups[c] = j->groups[c] ? j->groups[c] : 1;
        d.block[c] = j->block[c];
    }
    memcpy(d.resources.storage, j->storage, sizeof j->storage);
    memcpy(d.resources.constants, j->constants, sizeof j->constants);
    struct pool *pool = pool_new(j->threads ? j->threads : 1);
    j->stats = (struct dispatch_stats){0};
    j->status = compute_dispatch(&d, pool, &j->stats, diags);
    pool_free(pool);
    compute_print(diags, j->message, sizeof j->message);
    weft_diags_free(diags);
    arena_free(&arena);
}

#endif
