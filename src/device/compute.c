/* compute.c - dispatches: workgroups over threads, warps of a workgroup from barrier to barrier. See compute.h. */
#include "device/compute.h"

#include "device/barriers.h"
#include "device/order.h"
#include "device/windows.h"

#include <stdlib.h>
#include <string.h>

enum {
    GROUP_ROWS = 3 /* BLOCK_ID */ + 3 /* BLOCK_SIZE */ + 3 /* GRID_SIZE */ + 1 /* WORK_DIM */ + 1 /* SUBGROUP_SIZE */,
    WARP_ROWS = 3 /* THREAD_ID */ + 1 /* WARP_ID */
};

typedef uint32_t value_row[COMPUTE_MOST_LANES];

/* A warp of the workgroup: its lanes and the system values that are its own. */
struct seat {
    lane_mask lanes;
    const void *sysval[IR_SYSVALS * 4];
};

/* Guest instructions that a warp runs before others of its workgroup get their turn, where it may wait for something
 * that they store: at first, so that most programs never see it, and then. */
enum { FIRST_SLICE = 65536, SLICE = 4096 };

/* A warp as the engine runs it. Programs without barriers have one, which takes the seats in turn, until a warp is
 * paused. */
struct runner {
    struct exec_warp *warp;
    struct exec_env env;
    uint8_t *lane_memory; /* PRIVATE and INPUT spaces, all lanes of them */
    enum exec_stop stop;
    bool paused;          /* its slice is used up: it goes on when the others had theirs */
    uint64_t left;        /* of the budget, beyond this slice */
};

/* What one thread works with. */
struct worker {
    value_row group[GROUP_ROWS], own[COMPUTE_MAX_WARPS][WARP_ROWS];
    struct seat seat[COMPUTE_MAX_WARPS];
    struct runner runner[COMPUTE_MAX_WARPS];
    unsigned runners;
    uint8_t *shared;
    struct windows windows;
    struct failure failure;
    uint64_t failed_group; /* the first one that stopped; UINT64_MAX: none */
    uint64_t groups;
};

struct grid {
    const struct dispatch *d;
    const struct ir_program *ir;
    uint32_t block[3];
    unsigned threads, warps; /* of a workgroup */
    uint64_t groups, groups_per_job;
    size_t shared_bytes, lane_bytes;
    bool barriers, counted; /* warps wait for each other; by counters */
    bool in_order;
    bool sliced; /* a warp may wait for what another one stores */
    struct worker **workers;
    atomic_uint_least64_t first_failed; /* the first workgroup known to have stopped: those after it need not run */
};

/* ---- memory of a worker ---- */

static bool lane_space(const struct ir_space *s)
{
    return s->kind == IR_SPACE_PRIVATE || s->kind == IR_SPACE_INPUT;
}

static size_t padded(uint64_t bytes)
{
    return ((size_t)bytes + 63) / 64 * 64;
}

static void bind_memory(const struct grid *g, struct exec_env *env, uint8_t *shared, uint8_t *lane_memory)
{
    for (uint32_t i = 0; i < g->ir->nspaces && i < EXEC_MAX_SPACES; i++) {
        const struct ir_space *s = &g->ir->spaces[i];
        if (!s->size)
            continue;
        if (s->kind == IR_SPACE_SHARED) {
            env->space[i] = (struct exec_buffer){shared, s->size};
            shared += padded(s->size);
        } else if (lane_space(s)) {
            env->space[i] = (struct exec_buffer){lane_memory, s->size * g->ir->lanes};
            lane_memory += padded(s->size * g->ir->lanes);
        }
    }
}

static void fill(value_row row, uint32_t v)
{
    for (unsigned i = 0; i < COMPUTE_MOST_LANES; i++)
        row[i] = v;
}

/* System values that all workgroups share, and those of each warp. */
static void make_values(const struct grid *g, struct worker *w)
{
    const unsigned lanes = g->ir->lanes;
    for (unsigned c = 0; c < 3; c++) {
        fill(w->group[3 + c], g->block[c]);
        fill(w->group[6 + c], g->d->groups[c]);
    }
    fill(w->group[9], g->d->work_dim ? g->d->work_dim : 3);
    fill(w->group[10], lanes);
    for (unsigned k = 0; k < g->warps; k++) {
        struct seat *s = &w->seat[k];
        unsigned first = k * lanes, left = g->threads - first;
        left = left < lanes ? left : lanes;
        s->lanes = left < 64 ? ((lane_mask)1 << left) - 1 : ~(lane_mask)0;
        for (unsigned i = 0; i < lanes; i++) {
            uint32_t n = first + i;
            w->own[k][0][i] = n % g->block[0];
            w->own[k][1][i] = n / g->block[0] % g->block[1];
            w->own[k][2][i] = n / g->block[0] / g->block[1];
        }
        fill(w->own[k][3], k);
        for (unsigned c = 0; c < 3; c++) {
            s->sysval[IR_SYS_THREAD_ID * 4 + c] = w->own[k][c];
            s->sysval[IR_SYS_BLOCK_ID * 4 + c] = w->group[c];
            s->sysval[IR_SYS_BLOCK_SIZE * 4 + c] = w->group[3 + c];
            s->sysval[IR_SYS_GRID_SIZE * 4 + c] = w->group[6 + c];
        }
        s->sysval[IR_SYS_WORK_DIM * 4] = w->group[9];
        s->sysval[IR_SYS_SUBGROUP_SIZE * 4] = w->group[10];
        s->sysval[IR_SYS_WARP_ID * 4] = w->own[k][3];
    }
}

/* bind_resources makes the resources the environment's device; they are part of the dispatch. */
static void probe_call(void *device, struct exec_warp *w, const struct ir_op *op, const void *const *args)
{
    const char *resources = device;
    const struct dispatch *d = (const void *)(resources - offsetof(struct dispatch, resources));
    d->probe(d->probe_context, w, op, args);
}

static bool make_runner(const struct grid *g, struct worker *w, struct runner *r, unsigned seat)
{
    r->warp = exec_warp_new(g->d->program.program);
    r->lane_memory = g->lane_bytes ? aligned_alloc(64, g->lane_bytes) : NULL;
    if (!r->warp || (g->lane_bytes && !r->lane_memory))
        return false;
    bind_resources(&g->d->resources, g->ir, &r->env);
    bind_memory(g, &r->env, w->shared, r->lane_memory);
    if (g->ir->nwindows)
        r->env.bus = &w->windows.bus;
    r->env.sysval = w->seat[seat].sysval;
    r->env.concurrent = !g->in_order;
    r->env.probe = g->d->probe ? probe_call : NULL;
    r->env.w_one = true;
    r->env.frag_y_sign = 1;
    return true;
}

static void worker_free(struct worker *w)
{
    if (!w)
        return;
    for (unsigned i = 0; i < w->runners; i++) {
        if (w->runner[i].warp)
            exec_warp_free(w->runner[i].warp);
        free(w->runner[i].lane_memory);
    }
    free(w->shared);
    windows_close(&w->windows);
    free(w);
}

static struct worker *worker_new(const struct grid *g)
{
    struct worker *w = aligned_alloc(64, (sizeof *w + 63) / 64 * 64);
    if (!w)
        return NULL;
    memset(w, 0, sizeof *w);
    w->failed_group = UINT64_MAX;
    make_values(g, w);
    w->shared = g->shared_bytes ? aligned_alloc(64, g->shared_bytes) : NULL;
    bool fine = !g->shared_bytes || w->shared;
    if (g->ir->nwindows)
        fine = windows_open(&w->windows, g->ir, &g->d->resources) && fine;
    w->runners = g->barriers ? g->warps : 1;
    for (unsigned i = 0; i < w->runners && fine; i++)
        fine = make_runner(g, w, &w->runner[i], i);
    if (!fine) {
        worker_free(w);
        return NULL;
    }
    return w;
}

/* ---- a workgroup ---- */

/* The budget of the warp's next turn. */
static uint64_t take_slice(const struct grid *g, struct runner *r, uint64_t slice)
{
    if (!g->sliced)
        return g->d->budget;
    if (g->d->budget && r->left < slice)
        slice = r->left;
    r->left -= g->d->budget ? slice : 0;
    return slice;
}

/* True where the warp may go on, now or later. */
static bool note_stop(const struct grid *g, struct runner *r, enum exec_stop stop)
{
    r->stop = stop;
    r->paused = stop == EXEC_OUT_OF_BUDGET && g->sliced && (!g->d->budget || r->left) && !failure_late(g->d->until);
    return r->paused || stop == EXEC_DONE || stop == EXEC_AT_BARRIER;
}

static bool run_seat(const struct grid *g, struct runner *r, const struct seat *s)
{
    if (r->lane_memory)
        memset(r->lane_memory, 0, g->lane_bytes);
    r->env.sysval = s->sysval;
    r->left = g->d->budget;
    return note_stop(g, r, exec_run(r->warp, s->lanes, s->lanes, take_slice(g, r, FIRST_SLICE)));
}

static bool go_on(const struct grid *g, struct runner *r)
{
    return note_stop(g, r, exec_continue(r->warp, take_slice(g, r, SLICE)));
}

static bool stopped(const struct grid *g, struct worker *w, const struct runner *r)
{
    if (r->stop == EXEC_OUT_OF_BUDGET && failure_late(g->d->until))
        failure_set(&w->failure, WEFT_ERROR_TIME, g->ir, exec_warp_insn(r->warp), NULL);
    failure_of_warp(&w->failure, r->stop, r->warp, g->ir);
    return false;
}

static bool fault(const struct grid *g, struct worker *w, const struct runner *r, const char *why)
{
    failure_set(&w->failure, WEFT_ERROR_INPUT, g->ir, exec_warp_insn(r->warp), why);
    return false;
}

/* All warps have run to a stop. True with *waiting false: all are done; with *waiting true: all are at one barrier. */
static bool meet(const struct grid *g, struct worker *w, bool *waiting)
{
    const struct runner *first = NULL;
    for (unsigned k = 0; k < g->warps && !first; k++)
        if (w->runner[k].stop == EXEC_AT_BARRIER)
            first = &w->runner[k];
    *waiting = first != NULL;
    for (unsigned k = 0; k < g->warps && first; k++) {
        const struct runner *r = &w->runner[k];
        if (r->stop != EXEC_AT_BARRIER)
            return fault(g, w, first, "a barrier that other invocations of the workgroup never reach");
        if (exec_active(r->warp) != w->seat[k].lanes)
            return fault(g, w, r, "a barrier that other invocations of the workgroup never reach");
        if (exec_warp_insn(r->warp) != exec_warp_insn(first->warp) ||
            exec_warp_barrier(r->warp) != exec_warp_barrier(first->warp))
            return fault(g, w, r, "invocations of one workgroup wait at different barriers");
    }
    return true;
}

/* Warps that are paused take turns until none is. */
static bool finish_paused(const struct grid *g, struct worker *w, unsigned runners)
{
    for (bool paused = true; paused;) {
        paused = false;
        for (unsigned k = 0; k < runners; k++) {
            if (!w->runner[k].paused)
                continue;
            paused = true;
            if (!go_on(g, &w->runner[k]))
                return stopped(g, w, &w->runner[k]);
        }
    }
    return true;
}

static bool run_with_barriers(const struct grid *g, struct worker *w)
{
    for (unsigned k = 0; k < g->warps; k++)
        if (!run_seat(g, &w->runner[k], &w->seat[k]))
            return stopped(g, w, &w->runner[k]);
    for (;;) {
        bool waiting;
        if (!finish_paused(g, w, g->warps) || !meet(g, w, &waiting))
            return false;
        if (!waiting)
            return true;
        for (unsigned k = 0; k < g->warps; k++)
            if (!note_stop(g, &w->runner[k], exec_resume(w->runner[k].warp)))
                return stopped(g, w, &w->runner[k]);
    }
}

/* A warp has stopped: false when it has failed. What it does to the barriers lets others go on, or makes it wait. */
static bool count_stop(const struct grid *g, struct worker *w, struct barriers *b, unsigned seat, uint32_t waits[])
{
    struct runner *r = &w->runner[seat];
    uint64_t barrier = exec_warp_barrier(r->warp);
    if (r->paused)
        return true;
    if (r->stop != EXEC_DONE && r->stop != EXEC_AT_BARRIER)
        return stopped(g, w, r);
    uint32_t released = r->stop == EXEC_DONE ? barriers_leave(b) : barriers_arrive(b, barrier);
    for (unsigned k = 0; k < g->warps; k++)
        waits[k] &= ~released;
    if (r->stop == EXEC_AT_BARRIER && barriers_wait(b, barrier))
        waits[seat] = 1u << (barrier & IR_BARRIER_NUMBER);
    return true;
}

/* Barriers that count warps: warps run in turn, each until it has to wait. */
static bool run_with_counters(const struct grid *g, struct worker *w)
{
    struct barriers b;
    uint32_t waits[COMPUTE_MAX_WARPS] = {0}; /* for one of these barriers; 0: it can go on */
    barriers_start(&b, g->warps);
    for (unsigned k = 0; k < g->warps; k++) {
        run_seat(g, &w->runner[k], &w->seat[k]);
        if (!count_stop(g, w, &b, k, waits))
            return false;
    }
    for (;;) {
        const struct runner *waiting = NULL;
        bool went_on = false;
        for (unsigned k = 0; k < g->warps; k++) {
            struct runner *r = &w->runner[k];
            if (r->paused) {
                went_on = true;
                go_on(g, r);
                if (!count_stop(g, w, &b, k, waits))
                    return false;
            }
            while (r->stop == EXEC_AT_BARRIER && !waits[k]) {
                went_on = true;
                note_stop(g, r, exec_resume(r->warp));
                if (!count_stop(g, w, &b, k, waits))
                    return false;
            }
            waiting = waits[k] ? r : waiting;
        }
        if (!went_on)
            return !waiting ||
                   fault(g, w, waiting, "a barrier that other warps of the workgroup never bring back to 0");
    }
}

/* Warps without barriers: one runner takes the seats in turn. A warp that is paused keeps its runner, and the next seat
 * takes the next one. */
static bool run_freely(const struct grid *g, struct worker *w)
{
    unsigned at = 0;
    for (unsigned k = 0; k < g->warps; k++) {
        if (at == w->runners && (!make_runner(g, w, &w->runner[w->runners++], k) ||
                                 exec_bind(w->runner[at].warp, &w->runner[at].env) != WEFT_OK)) {
            failure_set(&w->failure, WEFT_ERROR_MEMORY, g->ir, 0, NULL);
            return false;
        }
        if (!run_seat(g, &w->runner[at], &w->seat[k]))
            return stopped(g, w, &w->runner[at]);
        at += w->runner[at].paused;
    }
    return finish_paused(g, w, at);
}

static bool run_group(const struct grid *g, struct worker *w, uint64_t group)
{
    const uint32_t *n = g->d->groups;
    if (failure_late(g->d->until)) {
        failure_set(&w->failure, WEFT_ERROR_TIME, NULL, 0, NULL);
        return false;
    }
    fill(w->group[0], (uint32_t)(group % n[0]));
    fill(w->group[1], (uint32_t)(group / n[0] % n[1]));
    fill(w->group[2], (uint32_t)(group / n[0] / n[1]));
    if (w->shared)
        memset(w->shared, 0, g->shared_bytes);
    windows_begin(&w->windows, g->ir);
    w->groups++;
    if (g->counted)
        return run_with_counters(g, w);
    if (g->barriers)
        return run_with_barriers(g, w);
    return run_freely(g, w);
}

/* ---- workgroups over threads ---- */

static void note_failure(struct grid *g, struct worker *w, uint64_t group)
{
    if (w)
        w->failed_group = group;
    uint64_t first = atomic_load(&g->first_failed);
    while (group < first && !atomic_compare_exchange_weak(&g->first_failed, &first, group))
        continue;
}

static bool bind_runners(const struct grid *g, struct worker *w)
{
    for (unsigned i = 0; i < w->runners; i++)
        if (exec_bind(w->runner[i].warp, &w->runner[i].env) != WEFT_OK)
            return fault(g, w, &w->runner[i], NULL);
    return true;
}

/* Once a workgroup has stopped, those before it still run: one of them may stop too, and the first one counts. */
static void grid_job(void *context, unsigned thread, size_t job)
{
    struct grid *g = context;
    uint64_t group = job * g->groups_per_job, end = group + g->groups_per_job;
    struct worker *w = g->workers[thread];
    if (!share_has(&g->d->share, job))
        return;
    if (group > atomic_load_explicit(&g->first_failed, memory_order_relaxed))
        return;
    if (!w) {
        w = g->workers[thread] = worker_new(g);
        if (!w || !bind_runners(g, w)) {
            note_failure(g, w, group);
            return;
        }
    }
    for (; group < end && group < g->groups; group++) {
        if (group > atomic_load_explicit(&g->first_failed, memory_order_relaxed) || w->failed_group != UINT64_MAX)
            return;
        if (!run_group(g, w, group))
            note_failure(g, w, group);
    }
}

static void run_grid(struct grid *g, struct pool *pool)
{
    enum { MOST_JOBS = 1 << 20, GROUPS_OF_A_JOB = 16 };
    uint64_t most = (g->groups + MOST_JOBS - 1) / MOST_JOBS;
    g->groups_per_job = g->in_order ? g->groups : most > GROUPS_OF_A_JOB ? most : GROUPS_OF_A_JOB;
    /* few workgroups: one each, so that all threads have some */
    uint64_t takers = (uint64_t)pool_threads(pool) * (g->d->share.count ? g->d->share.count : 1);
    if (!g->in_order && g->groups / GROUPS_OF_A_JOB < 4 * takers)
        g->groups_per_job = 1;
    pool_run(pool, grid_job, g, (size_t)((g->groups + g->groups_per_job - 1) / g->groups_per_job));
}

/* ---- the dispatch ---- */

static weft_status refuse(weft_diags *diags, const char *what, unsigned long long is, unsigned long long most)
{
    diag_add(diags, WEFT_ERROR, "dispatch-size", NULL, NULL, "%s: %llu; the most is %llu", what, is, most);
    return WEFT_ERROR_USAGE;
}

static weft_status measure(struct grid *g, weft_diags *diags)
{
    const struct dispatch *d = g->d;
    const uint64_t most_invocations = (uint64_t)1 << 36;
    uint64_t threads = 1;
    g->groups = 1;
    for (unsigned c = 0; c < 3; c++) {
        g->block[c] = g->ir->io.block[c] ? g->ir->io.block[c] : d->block[c] ? d->block[c] : 1;
        if (g->block[c] > COMPUTE_MAX_BLOCK)
            return refuse(diags, "size of a workgroup", g->block[c], COMPUTE_MAX_BLOCK);
        if (d->groups[c] > COMPUTE_MAX_GROUPS)
            return refuse(diags, "workgroups in a row", d->groups[c], COMPUTE_MAX_GROUPS);
        threads *= g->block[c];
        g->groups *= d->groups[c];
    }
    if (threads > COMPUTE_MAX_BLOCK)
        return refuse(diags, "invocations of a workgroup", threads, COMPUTE_MAX_BLOCK);
    if (g->groups > most_invocations / threads)
        return refuse(diags, "workgroups", g->groups, most_invocations / threads);
    g->threads = (unsigned)threads;
    g->warps = (g->threads + g->ir->lanes - 1) / g->ir->lanes;
    for (uint32_t i = 0; i < g->ir->nspaces; i++) {
        const struct ir_space *s = &g->ir->spaces[i];
        if (s->kind == IR_SPACE_SHARED && s->size > COMPUTE_MAX_SHARED - g->shared_bytes)
            return refuse(diags, "bytes of shared memory", s->size, COMPUTE_MAX_SHARED);
        if (lane_space(s) && s->size > COMPUTE_MAX_PRIVATE - g->lane_bytes / g->ir->lanes)
            return refuse(diags, "bytes of private memory", s->size, COMPUTE_MAX_PRIVATE);
        g->shared_bytes += s->kind == IR_SPACE_SHARED ? padded(s->size) : 0;
        g->lane_bytes += lane_space(s) ? padded(s->size * g->ir->lanes) : 0;
    }
    return WEFT_OK;
}

static void find_barriers(struct grid *g)
{
    for (uint32_t b = 0; b < g->ir->nblocks; b++) {
        const struct ir_block *block = &g->ir->blocks[b];
        const struct ir_op *last = block->count ? &block->ops[block->count - 1] : NULL;
        if (!last || last->code != IR_BARRIER)
            continue;
        g->barriers = true;
        g->counted |= (last->imm & IR_BARRIER_COUNTED) != 0;
    }
}

/* Whether the program loads what it stores in memory of the workgroup. */
static bool shares(const struct ir_program *ir)
{
    bool loads = false, stores = false;
    for (uint32_t b = 0; b < ir->nblocks; b++)
        for (uint32_t i = 0; i < ir->blocks[b].count; i++) {
            const struct ir_op *op = &ir->blocks[b].ops[i];
            if ((op->code != IR_LOAD && op->code != IR_STORE && op->code != IR_ATOMIC) ||
                ir->spaces[ir->mems[op->desc].space].kind != IR_SPACE_SHARED)
                continue;
            loads |= op->code != IR_STORE;
            stores |= op->code != IR_LOAD;
        }
    return loads && stores;
}

static void add_stats(const struct grid *g, const struct worker *w, struct dispatch_stats *stats)
{
    stats->groups += w->groups;
    stats->invocations += w->groups * g->threads;
    for (unsigned i = 0; i < w->runners; i++) {
        const struct exec_counts *c = exec_warp_counts(w->runner[i].warp);
        stats->instructions += c->lane_insns;
        stats->bad_accesses += c->bad_access;
        outside_add(&stats->outside, g->ir, g->d->program.source, c, i * g->ir->lanes);
    }
}

static weft_status conclude(struct grid *g, unsigned threads, struct dispatch_stats *stats, weft_diags *diags)
{
    uint64_t first = atomic_load(&g->first_failed);
    struct failure no_memory = {.status = WEFT_ERROR_MEMORY}, *failure = first == UINT64_MAX ? NULL : &no_memory;
    for (unsigned i = 0; i < threads; i++) {
        if (!g->workers[i])
            continue;
        add_stats(g, g->workers[i], stats);
        if (failure && g->workers[i]->failed_group == first)
            failure = &g->workers[i]->failure;
    }
    if (!failure)
        return WEFT_OK;
    failure_report(failure, g->d->program.source, g->d->budget, "dispatch", diags);
    return (weft_status)atomic_load(&failure->status);
}

bool compute_divisible(const struct dispatch *d)
{
    const struct ir_program *ir = d->program.ir;
    return !d->probe && !order_matters(ir, &d->resources) && !order_has_atomics(ir);
}

weft_status compute_dispatch(const struct dispatch *d, struct pool *pool, struct dispatch_stats *stats,
                             weft_diags *diags)
{
    struct grid g = {.d = d, .ir = d->program.ir, .first_failed = UINT64_MAX};
    if (g.ir->lanes % COMPUTE_LEAST_LANES || !g.ir->lanes || g.ir->lanes > COMPUTE_MOST_LANES) {
        diag_add(diags, WEFT_ERROR, "unsupported", NULL, NULL, "a dispatch has warps of 16, 32 or 64 lanes, not %u",
                 g.ir->lanes);
        return WEFT_ERROR_UNSUPPORTED;
    }
    weft_status status = measure(&g, diags);
    if (status != WEFT_OK || g.groups == 0)
        return status;
    find_barriers(&g);
    bool tells = order_matters(g.ir, &d->resources);
    g.in_order = d->probe || tells;
    g.sliced = d->until > 0 || (g.warps > 1 && (tells || shares(g.ir)));
    stats->in_order = g.in_order;
    unsigned threads = pool_threads(pool);
    g.workers = calloc(threads, sizeof *g.workers);
    if (!g.workers) {
        diag_add(diags, WEFT_ERROR, "memory", NULL, NULL, "no memory for the dispatch");
        return WEFT_ERROR_MEMORY;
    }
    run_grid(&g, pool);
    status = conclude(&g, threads, stats, diags);
    for (unsigned i = 0; i < threads; i++)
        worker_free(g.workers[i]);
    free(g.workers);
    return status;
}
