/* Warps: frames made, bound and run. */
#include "exec/frame.h"

#include <stdlib.h>
#include <string.h>

struct exec_warp {
    struct frame frame; /* the rows follow */
};

struct exec_warp *exec_warp_new(const struct exec_program *p)
{
    size_t state = p->ir->policy ? (p->ir->policy->state_size + 63) / 64 * 64 : 0;
    void *memory = NULL;
    if (posix_memalign(&memory, 4096, p->frame_size + state))
        return NULL;
    memset(memory, 0, p->frame_size + state);
    struct exec_warp *w = memory;
    struct frame *f = &w->frame;
    f->program = p;
    f->policy_state = state ? (char *)memory + p->frame_size : NULL;
    /* Lanes are quads; quads go row by row across a rectangle 8 pixels wide: 8x8, 8x4, 8x2. */
    enum { ACROSS = 4 /* quads */ };
    for (unsigned i = 0; i < p->chunks * EXEC_CHUNK; i++) {
        unsigned quad = i / 4;
        f->lane_x[i] = (float)(quad % ACROSS * 2 + (i & 1));
        f->lane_y[i] = (float)(quad / ACROSS * 2 + (i >> 1 & 1));
    }
    for (uint32_t k = 0; k < p->nconsts; k++) {
        char *row = (char *)f + p->consts[k].row;
        for (unsigned i = 0; i < EXEC_CHUNK; i++)
            memcpy(row + (size_t)i * p->consts[k].bytes, &p->consts[k].bits, p->consts[k].bytes);
    }
    return w;
}

void exec_warp_free(struct exec_warp *w)
{
    free(w);
}

void exec_place(struct exec_warp *w, const float *x, const float *y)
{
    size_t bytes = w->frame.program->chunks * EXEC_CHUNK * sizeof(float);
    memcpy(w->frame.lane_x, x, bytes);
    memcpy(w->frame.lane_y, y, bytes);
}

weft_status exec_bind(struct exec_warp *w, const struct exec_env *env)
{
    struct frame *f = &w->frame;
    f->env = env;
    f->active = f->live = f->all = f->program->full;
    f->budget = INT64_MAX;
    f->counts = (struct exec_counts){0};
    exec_handlers(f->program->level)->go(f, f->program->prologue);
    f->prologue_bad_access = f->counts.bad_access;
    f->counts = (struct exec_counts){0};
    return f->stop == EXEC_DONE ? WEFT_OK : WEFT_ERROR_INPUT;
}

static enum exec_stop run_from(struct frame *f, uint32_t block)
{
    const struct exec_block_code *code = &f->program->blocks[block];
    bool full = f->active == f->program->full && !f->program->no_full;
    exec_handlers(f->program->level)->go(f, full ? code->full : code->masked);
    return f->stop;
}

enum exec_stop exec_run(struct exec_warp *w, lane_mask active, lane_mask live, uint64_t budget)
{
    struct frame *f = &w->frame;
    const struct exec_program *p = f->program;
    f->active = f->all = active & p->full;
    f->live = live & p->full;
    f->budget = budget == 0 || budget > INT64_MAX ? INT64_MAX : (int64_t)budget;
    f->w_valid = false;
    f->counts.bad_access += f->prologue_bad_access; /* a load serves all runs: how often it is bound must not show */
    f->fault = NULL;
    for (uint32_t k = 0; k < p->nzero; k++)
        memset((char *)f + p->zero_rows[k].row, 0, p->zero_rows[k].bytes);
    if (p->ir->policy) {
        struct exec_masks m = {.active = f->active, .all = f->all, .live = f->live, .block = IR_ENTRY, .program = p->ir};
        if (p->ir->policy->start)
            p->ir->policy->start(f->policy_state, &m);
        f->active = m.active;
    }
    if (!f->active) {
        f->stop = EXEC_DONE;
        return EXEC_DONE;
    }
    return run_from(f, IR_ENTRY);
}

enum exec_stop exec_resume(struct exec_warp *w)
{
    return run_from(&w->frame, w->frame.block);
}

lane_mask exec_live(const struct exec_warp *w)
{
    return w->frame.live;
}

const struct exec_counts *exec_warp_counts(const struct exec_warp *w)
{
    return &w->frame.counts;
}

uint32_t exec_warp_insn(const struct exec_warp *w)
{
    return w->frame.insn;
}

const char *exec_warp_fault(const struct exec_warp *w)
{
    return w->frame.fault;
}

uint64_t exec_warp_fault_code(const struct exec_warp *w)
{
    return w->frame.fault_code;
}

uint64_t exec_warp_barrier(const struct exec_warp *w)
{
    return w->frame.fault_code;
}

lane_mask exec_active(const struct exec_warp *w)
{
    return w->frame.acting;
}

const struct ir_program *exec_warp_ir(const struct exec_warp *w)
{
    return w->frame.program->ir;
}

const struct exec_env *exec_warp_env(const struct exec_warp *w)
{
    return w->frame.env;
}

void *exec_warp_register(struct exec_warp *w, unsigned file, uint32_t elem)
{
    const struct exec_program *p = w->frame.program;
    const struct ir_file *r = &p->ir->files[file];
    size_t bytes = (size_t)EXEC_CHUNK * (r->bits == 64 ? 8 : 4) * (r->uniform ? 1 : p->chunks);
    return (char *)&w->frame + p->file_row[file] + elem * bytes;
}
