/* interp.c - warps: frames made, bound and run. */
#include "exec/frame.h"

#include "base/pages.h"

#include <stdlib.h>
#include <string.h>

struct exec_warp {
    struct frame frame; /* the rows follow */
};

enum { PAGE = 4096 };

/* A frame with the policy's state after it. */
static size_t frame_bytes(const struct exec_program *p)
{
    return p->frame_size + (p->ir->policy ? (p->ir->policy->state_size + 63) / 64 * 64 : 0);
}

struct exec_warp *exec_warp_new(const struct exec_program *p)
{
    /* what the frame of a program that grows keeps free costs no memory before it is used */
    char *raw = zeroed_new(frame_bytes(p) + PAGE);
    if (!raw)
        return NULL;
    void *memory = raw + (PAGE - (uintptr_t)raw % PAGE);
    struct exec_warp *w = memory;
    struct frame *f = &w->frame;
    f->program = p;
    f->memory = raw;
    f->policy_state = frame_bytes(p) > p->frame_size ? (char *)memory + p->frame_size : NULL;
    /* Lanes are quads; quads go row by row across a rectangle 8 pixels wide: 8x8, 8x4, 8x2. */
    enum { ACROSS = 4 /* quads */ };
    for (unsigned i = 0; i < p->chunks * EXEC_CHUNK; i++) {
        unsigned quad = i / 4;
        f->lane_x[i] = (float)(quad % ACROSS * 2 + (i & 1));
        f->lane_y[i] = (float)(quad / ACROSS * 2 + (i >> 1 & 1));
    }
    return w;
}

enum { TICK = 32 }; /* runs */

static void tick(struct frame *f)
{
    const uint64_t ran[EXEC_FORMS] = {f->counts.insns - f->partial, f->partial};
    const uint64_t insns[EXEC_FORMS] = {ran[0] - f->told[0], ran[1] - f->told[1]};
    memcpy(f->told, ran, sizeof ran);
    exec_native_tick(f->program, insns);
}

void exec_warp_free(struct exec_warp *w)
{
    if (w)
        zeroed_free(w->frame.memory, frame_bytes(w->frame.program) + PAGE);
}

static void fill_constants(struct frame *f)
{
    const struct exec_program *p = f->program;
    for (; f->nconsts < p->nconsts; f->nconsts++) {
        const struct exec_const *k = &p->consts[f->nconsts];
        char *row = (char *)f + k->row;
        const uint32_t low = (uint32_t)k->bits; /* elsewhere in k->bits than at its first byte, on some hosts */
        for (unsigned i = 0; i < EXEC_CHUNK; i++)
            memcpy(row + (size_t)i * k->bytes, k->bytes == 8 ? (const void *)&k->bits : &low, k->bytes);
    }
}

static void run_prologue(struct frame *f)
{
    const struct exec_program *p = f->program;
    fill_constants(f);
    for (; f->nprologues < p->nprologues; f->nprologues++)
        exec_handlers(p->level)->go(f, p->prologues[f->nprologues]);
}

/* What the program has got since the warp ran last. */
static void catch_up(struct frame *f)
{
    if (f->generation == f->program->generation)
        return;
    f->generation = f->program->generation;
    memset(f->jumps, 0, sizeof f->jumps);
    run_prologue(f);
}

static void set_budget(struct frame *f, uint64_t budget)
{
    frame_count(f);
    f->budget = budget == 0 || budget > INT64_MAX ? INT64_MAX : (int64_t)budget;
    f->marked = f->budget;
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
    if (f->program->native)
        tick(f);
    f->env = env;
    f->active = f->live = f->all = f->program->full;
    f->nprologues = 0;
    exec_bus_changed(w);
    f->counts = (struct exec_counts){0};
    run_prologue(f);
    f->prologue_bad_access = f->counts.bad_access;
    f->prologue_outside = f->counts.outside;
    f->runs = f->partial = f->told[0] = f->told[1] = 0;
    f->generation = f->program->generation;
    f->budget = f->marked = INT64_MAX;
    f->counts = (struct exec_counts){0};
    return f->stop == EXEC_DONE ? WEFT_OK : WEFT_ERROR_INPUT;
}

static enum exec_stop run_from(struct frame *f, uint32_t block)
{
    const struct exec_block_code *code = &f->program->blocks[block];
    enum exec_form form = frame_form(f);
    frame_await(f, form);
    exec_handlers(f->program->level)->go(f, form == EXEC_FULL ? code->full : code->masked);
    return f->stop;
}

enum exec_stop exec_run(struct exec_warp *w, lane_mask active, lane_mask live, uint64_t budget)
{
    struct frame *f = &w->frame;
    const struct exec_program *p = f->program;
    set_budget(f, budget);
    catch_up(f);
    if (p->native && f->runs++ % TICK == 0)
        tick(f);
    f->active = f->all = active & p->full;
    f->live = live & p->full;
    f->jumping = false;
    f->w_valid = false;
    if (f->prologue_bad_access) { /* a load serves all runs: how often it is bound must not show */
        f->counts.bad_access += f->prologue_bad_access;
        exec_outside_merge(&f->counts.outside, &f->prologue_outside);
    }
    f->fault = NULL;
    for (uint32_t k = 0; k < p->nzero; k++)
        memset((char *)f + p->zero_rows[k].row, 0, p->zero_rows[k].bytes);
    if (p->ir->policy) {
        struct exec_masks m = {.active = f->active, .all = f->all, .live = f->live, .block = IR_ENTRY, .program = p};
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

/* Of a program whose blocks come at run time: every now and then it is looked where the warp is. It stops where it
 * would without: the budget is cut in parts. */
static enum exec_stop run_sampled(struct frame *f)
{
    enum { SAMPLE = 200000 }; /* instructions */
    int64_t left = f->budget;
    for (;;) {
        int64_t part = left < SAMPLE ? left : SAMPLE;
        set_budget(f, (uint64_t)part);
        run_from(f, f->block);
        int64_t used = part - f->budget;
        left -= used;
        f->unsampled += (uint64_t)used;
        if (f->stop != EXEC_OUT_OF_BUDGET && f->stop != EXEC_INTERRUPTED)
            return f->stop;
        if (f->unsampled >= SAMPLE) {
            exec_native_sample(f->program, f->block, f->unsampled);
            f->unsampled = 0;
        }
        if (f->stop == EXEC_INTERRUPTED || left <= 0)
            return f->stop;
    }
}

enum exec_stop exec_continue(struct exec_warp *w, uint64_t budget)
{
    struct frame *f = &w->frame;
    set_budget(f, budget);
    catch_up(f);
    f->fault = NULL;
    if (f->jumping) {
        const struct exec_block_code *code = exec_find_address(f->program, f->address);
        if (!code) {
            f->stop = EXEC_NO_BLOCK;
            return EXEC_NO_BLOCK;
        }
        f->block = (uint32_t)(code - f->program->blocks);
        f->jumping = false;
    }
    return f->program->native && f->program->grows ? run_sampled(f) : run_from(f, f->block);
}

void exec_goto(struct exec_warp *w, uint32_t block)
{
    w->frame.block = block;
    w->frame.jumping = false;
}

void exec_goto_address(struct exec_warp *w, uint64_t address)
{
    w->frame.address = address;
    w->frame.jumping = true;
}

uint64_t exec_warp_address(const struct exec_warp *w)
{
    const struct frame *f = &w->frame;
    return f->jumping ? f->address : f->program->ir->blocks[f->block].addr;
}

void exec_interrupt(struct exec_warp *w)
{
    __atomic_store_n(&w->frame.floor, INT64_MAX, __ATOMIC_RELAXED);
}

void exec_bus_changed(struct exec_warp *w)
{
    struct frame *f = &w->frame;
    f->bus_load = f->bus_store = (struct exec_range){0};
    for (unsigned i = 0; i < BUS_SITES; i++) {
        f->bus_loads[i] = f->bus_stores[i] = (struct exec_range){0};
        f->bus_views[i] = (struct bus_view){0};
    }
}

uint64_t exec_warp_fault_address(const struct exec_warp *w)
{
    return w->frame.fault_address;
}

lane_mask exec_live(const struct exec_warp *w)
{
    return w->frame.live;
}

void exec_outside_merge(struct exec_outside *to, const struct exec_outside *from)
{
    bool sooner = from->insn != to->insn         ? from->insn < to->insn
                  : from->address != to->address ? from->address < to->address
                                                 : from->lane < to->lane;
    if (from->any && (!to->any || sooner))
        *to = *from;
}

const struct exec_counts *exec_warp_counts(struct exec_warp *w)
{
    frame_count(&w->frame);
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

int exec_describe(const struct exec_warp *w, char *buffer, size_t size)
{
    const struct frame *f = &w->frame;
    const struct ir_program *ir = f->program->ir;
    return ir->policy && ir->policy->describe ? ir->policy->describe(f->policy_state, ir, buffer, size) : 0;
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
    return (char *)&w->frame + p->file_row[file] + (size_t)elem * p->file_pitch[file];
}
