/* lift_run.h - a TGSI program from text to results, for tests: parse, check, lift, verify, optimise or not, compile,
 * run. */
#ifndef WEFT_TESTS_TGSI_LIFT_RUN_H
#define WEFT_TESTS_TGSI_LIFT_RUN_H

#include "test.h"

#include "exec/exec.h"
#include "ir/pass.h"
#include "isa/tgsi/tgsi.h"

enum { RUN_LANES = 64, RUN_SLOTS = 8, RUN_BUFFERS = 4 };

/* What goes in and comes out: rows of 64 lanes. */
struct run {
    _Alignas(64) uint32_t in[RUN_SLOTS][4][RUN_LANES];
    _Alignas(64) uint32_t out[RUN_SLOTS][4][RUN_LANES];
    struct exec_buffer constant[RUN_BUFFERS]; /* CONST[n] */
    lane_mask active, live;
    uint64_t budget;
    bool optimise, no_full;
    /* What the device does, and the memory of geometry and tessellation programs by slot (io.h). */
    void *device;
    void (*texture)(void *device, const struct exec_texture_call *call);
    weft_status (*service)(void *device, struct exec_warp *w, const struct ir_op *op, const void *const *args,
                           void *const *results);
    struct exec_buffer stage[3];
    const void *sysval[IR_SYSVALS * 4];
    const struct ir_program *program; /* while the device's functions run */
    /* Answers: */
    enum exec_stop stop;
    struct exec_counts counts;
    lane_mask live_after;
    uint32_t insn;
    char fault[128];
};

static inline void run_print_diags(const weft_diags *d)
{
    char text[2000];
    for (size_t i = 0; i < weft_diags_count(d) && weft_diags_get(d, i); i++) {
        weft_diag_format(weft_diags_get(d, i), 0, text, sizeof text);
        print_error("%s\n", text);
    }
}

/* Lift a program; the diagnostics say why not. */
static inline weft_status run_lift(const char *text, struct arena *arena, struct ir_program **p, weft_diags *diags)
{
    struct source *src = ARENA_NEW(arena, struct source);
    *src = (struct source){"test", text, strlen(text)};
    const struct isa_params params = {.stage = -1};
    struct isa_module *m = NULL;
    *p = NULL;
    weft_status s = tgsi_parse(src, &params, arena, &m, diags);
    if (s == WEFT_OK)
        s = tgsi_check(m, src, &params, diags);
    if (s == WEFT_OK)
        s = tgsi_lift(m, src, arena, p, diags);
    if (s == WEFT_OK)
        s = ir_verify(*p, diags);
    return s;
}

static inline void run_program(struct ir_program *p, struct run *r, struct arena *arena, weft_diags *diags)
{
    if (r->optimise) {
        ir_optimise(p);
        assert_int_equal(ir_verify(p, diags), WEFT_OK);
    }
    struct exec_program *code = NULL;
    const struct exec_options options = {.level = exec_best_level(), .no_full = r->no_full};
    if (exec_compile(p, &options, arena, &code, diags) != WEFT_OK) {
        run_print_diags(diags);
        fail();
    }

    static const void *attr[RUN_SLOTS * 4];
    static void *output[RUN_SLOTS * 4];
    for (unsigned s = 0; s < RUN_SLOTS; s++)
        for (unsigned c = 0; c < 4; c++) {
            attr[s * 4 + c] = r->in[s][c];
            output[s * 4 + c] = r->out[s][c];
        }
    static struct exec_env env;
    env = (struct exec_env){.attr = attr, .output = output, .sysval = r->sysval, .w_one = true, .frag_y_sign = 1};
    env.device = r->device;
    env.texture = r->texture;
    env.service = r->service;
    r->program = p;
    static struct exec_plane planes[RUN_SLOTS * 4];
    env.plane = planes;
    for (uint32_t i = 0; i < p->nspaces; i++)
        if (p->spaces[i].kind == IR_SPACE_CONST && p->spaces[i].slot < RUN_BUFFERS)
            env.space[i] = r->constant[p->spaces[i].slot];

    for (uint32_t i = 0; i < p->nspaces; i++)
        if ((p->spaces[i].kind == IR_SPACE_SHARED || p->spaces[i].kind == IR_SPACE_INPUT) && p->spaces[i].slot < 3)
            env.space[i] = r->stage[p->spaces[i].slot];

    struct exec_warp *w = exec_warp_new(code);
    assert_non_null(w);
    assert_int_equal(exec_bind(w, &env), WEFT_OK);
    r->stop = exec_run(w, r->active, r->live, r->budget);
    r->counts = *exec_warp_counts(w);
    r->live_after = exec_live(w);
    r->insn = exec_warp_insn(w);
    const char *fault = r->stop == EXEC_FAULT ? exec_warp_fault(w) : NULL;
    snprintf(r->fault, sizeof r->fault, "%s", fault ? fault : "");
    exec_warp_free(w);
}

/* The whole way; everything up to the run must succeed. */
static inline void run_text(const char *text, struct run *r)
{
    struct arena arena = {0};
    weft_diags *diags = weft_diags_new();
    struct ir_program *p = NULL;
    if (run_lift(text, &arena, &p, diags) != WEFT_OK) {
        run_print_diags(diags);
        print_error("%s\n", text);
        fail();
    }
    run_program(p, r, &arena, diags);
    weft_diags_free(diags);
    arena_free(&arena);
}

#endif
