/* run.c - jobs: their life, and their commands in order. */
#include "script/run.h"

#include "base/confine.h"
#include "base/sized.h"
#include "isa/spirv/tools.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- errors ---- */

static void report(struct weft_job *j, struct span where, const char *code, const char *fmt, va_list ap)
{
    char text[512];
    vsnprintf(text, sizeof text, fmt, ap);
    diag_at(j->diags, WEFT_ERROR, code, &j->source, where, NULL, "%s", text);
}

weft_status job_error(struct weft_job *j, struct span where, const char *code, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    report(j, where, code, fmt, ap);
    va_end(ap);
    return WEFT_ERROR_INPUT;
}

weft_status job_unsupported(struct weft_job *j, struct span where, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    report(j, where, "unsupported", fmt, ap);
    va_end(ap);
    return WEFT_ERROR_UNSUPPORTED;
}

weft_status job_no_memory(struct weft_job *j, struct span where)
{
    if (j->params.memory && arena_failed(&j->arena))
        diag_at(j->diags, WEFT_ERROR, "memory-limit", &j->source, where, NULL,
                "the job takes more than the %llu bytes it may", (unsigned long long)j->params.memory);
    else
        diag_at(j->diags, WEFT_ERROR, "memory", &j->source, where, NULL, "out of memory");
    return WEFT_ERROR_MEMORY;
}

/* ---- life ---- */

void weft_job_free(weft_job *job)
{
    if (!job)
        return;
    job_memories_free(job);
    job_trace_free(job->trace);
    free(job->expectations);
    arena_free(&job->arena);
    free(job);
}

static weft_status parse(struct weft_job *j, const char *name, const char *text, size_t size, weft_diags *diags)
{
    if (size >= UINT32_MAX / 4) {
        diag_add(diags, WEFT_ERROR, "too-large", name, NULL, "a script of more than 1 GiB");
        return WEFT_ERROR_MEMORY;
    }
    j->source =
        (struct source){arena_strndup(&j->arena, name, strlen(name)), arena_strndup(&j->arena, text, size), size};
    if (arena_failed(&j->arena))
        return WEFT_ERROR_MEMORY;
    weft_status status = script_parse(&j->source, &j->arena, &j->script, diags);
    return status == WEFT_OK ? script_refuse(j->script, diags) : status;
}

weft_status weft_job_new(const char *name, const char *text, size_t size, weft_diags *diags, weft_job **out)
{
    *out = NULL;
    struct weft_job *j = calloc(1, sizeof *j);
    weft_status status = j ? parse(j, name ? name : "<script>", text ? text : "", size, diags) : WEFT_ERROR_MEMORY;
    diags_memory(diags, name, status);
    if (status != WEFT_OK) {
        weft_job_free(j);
        return status;
    }
    *out = j;
    return WEFT_OK;
}

void weft_job_params_init_sized(weft_job_params *params, size_t size)
{
    const weft_job_params defaults = {.budget = WEFT_DEFAULT_BUDGET};
    sized_init(params, size, &defaults, sizeof defaults);
}

/* ---- commands ---- */

static struct job_pipeline *state_of(struct weft_job *j, const struct script_pipeline *p)
{
    uint32_t i = 0;
    while (i < j->script->npipelines && j->script->pipelines[i] != p)
        i++;
    return i < j->script->npipelines ? &j->pipelines[i] : NULL;
}

static weft_status run_all(struct weft_job *j, const struct script_command *commands, uint32_t count);

static weft_status repeat(struct weft_job *j, const struct script_command *c)
{
    weft_status status = WEFT_OK;
    for (uint32_t i = 0; i < c->repeat.times && status == WEFT_OK; i++)
        status = run_all(j, c->repeat.commands, c->repeat.count);
    return status;
}

static weft_status run_command(struct weft_job *j, const struct script_command *c)
{
    struct job_pipeline *state = c->pipeline ? state_of(j, c->pipeline) : NULL;
    switch (c->kind) {
    case SCRIPT_CLEAR:
        return job_clear(j, c);
    case SCRIPT_CLEAR_COLOR:
        if (state)
            memcpy(state->clear_color, c->color, sizeof state->clear_color);
        return WEFT_OK;
    case SCRIPT_CLEAR_DEPTH:
        if (state)
            state->clear_depth = c->clear_depth;
        return WEFT_OK;
    case SCRIPT_CLEAR_STENCIL:
        if (state)
            state->clear_stencil = c->clear_stencil;
        return WEFT_OK;
    case SCRIPT_RUN_COMPUTE:
        return job_dispatch(j, c);
    case SCRIPT_DRAW_RECT:
    case SCRIPT_DRAW_GRID:
    case SCRIPT_DRAW_ARRAY:
        return job_draw(j, c);
    case SCRIPT_WRITE:
        return job_write(j, c);
    case SCRIPT_COPY:
        return job_copy(j, c);
    case SCRIPT_EXPECT_VALUES:
    case SCRIPT_EXPECT_PIXELS:
    case SCRIPT_EXPECT_BUFFERS:
        return job_expect(j, c);
    case SCRIPT_REPEAT_BLOCK:
        return repeat(j, c);
    }
    return job_unsupported(j, c->where, "this command is not supported yet"); /* never: these are all kinds */
}

static weft_status late(struct weft_job *j, struct span where)
{
    job_error(j, where, "time-limit", "the time limit is used up before this command");
    return WEFT_ERROR_TIME;
}

static weft_status run_all(struct weft_job *j, const struct script_command *commands, uint32_t count)
{
    weft_status status = WEFT_OK;
    for (uint32_t i = 0; i < count && status == WEFT_OK; i++)
        status = failure_late(j->until) ? late(j, commands[i].where) : run_command(j, &commands[i]);
    return status;
}

/* ---- running ---- */

static bool choose_level(weft_cpu_level wanted, enum exec_level *level)
{
    switch (wanted) {
    case WEFT_CPU_BASELINE:
        *level = EXEC_BASELINE;
        break;
    case WEFT_CPU_AVX2:
        *level = EXEC_AVX2;
        break;
    case WEFT_CPU_AVX512:
        *level = EXEC_AVX512;
        break;
    default:
        *level = exec_best_level();
    }
    return exec_level_usable(*level);
}

static weft_status usage(weft_diags *diags, const char *message)
{
    diag_add(diags, WEFT_ERROR, "usage", NULL, NULL, "%s", message);
    return WEFT_ERROR_USAGE;
}

static weft_status prepare(struct weft_job *j)
{
    const struct span nowhere = {0, 0};
    j->shaders = ARENA_ARRAY(&j->arena, struct job_shader, j->script->nshaders + 1);
    j->pipelines = ARENA_ARRAY(&j->arena, struct job_pipeline, j->script->npipelines + 1);
    if (!j->shaders || !j->pipelines)
        return job_no_memory(j, nowhere);
    for (uint32_t i = 0; i < j->script->npipelines; i++)
        j->pipelines[i] = (struct job_pipeline){.clear_depth = 1.0f};
    return job_slots_new(j);
}

/* All commands, with the parameters that it has. */
static weft_status run_job(struct weft_job *j)
{
    weft_diags *diags = j->diags;
    bool traced = j->params.trace != WEFT_TRACE_NONE;
    if (j->script->nshaders && !j->script->ncommands)
        diag_add(diags, WEFT_WARNING, "no-command", j->source.name,
                 "write what it draws or dispatches, and what has to come out",
                 "the job has no command: its shaders are not looked at");
    j->until = j->params.seconds > 0 ? failure_clock() + j->params.seconds : 0;
    j->pool = pool_new(traced ? 1 : pool_threads_for(j->params.threads));
    weft_status status = j->pool ? prepare(j) : job_no_memory(j, (struct span){0, 0});
    if (status == WEFT_OK)
        status = job_memories_new(j);
    if (status == WEFT_OK && traced && !(j->trace = job_trace_new(j)))
        status = job_no_memory(j, (struct span){0, 0});
    if (status == WEFT_OK)
        status = run_all(j, j->script->commands, j->script->ncommands);
    exec_jit_settle();
    if (j->trace) {
        if (!job_trace_end(j->trace))
            status = WEFT_ERROR_MEMORY;
        else
            job_trace_report(j->trace, diags);
    }
    j->stats.cpu_seconds = j->pool ? pool_cpu_seconds(j->pool) : 0;
    pool_free(j->pool);
    j->pool = NULL;
    return status;
}

/* All programs, by the interpreter's compiler, which is quick. */
static weft_status check_job(struct weft_job *j)
{
    j->params.engine = WEFT_ENGINE_INTERP;
    weft_status status = prepare(j);
    return status == WEFT_OK ? job_check_programs(j) : status;
}

/* ---- in the sandbox: on a thread that gives up its rights, so that the caller keeps them ---- */

struct confined {
    struct weft_job *job;
    weft_status (*work)(struct weft_job *j);
    weft_status status;
};

static void *run_confined(void *argument)
{
    struct confined *c = argument;
    struct confine rights = {0};
    const char *why = NULL, *folder = job_folder(c->job);
    if (folder)
        confine_read(&rights, folder);
    if (confine_thread(&rights, &why)) {
        c->status = c->work(c->job);
        return NULL;
    }
    diag_add(c->job->diags, WEFT_ERROR, "sandbox", c->job->source.name, NULL, "there is no sandbox: %s", why);
    c->status = WEFT_ERROR_UNSUPPORTED;
    return NULL;
}

static weft_status work_in_sandbox(struct weft_job *j, weft_status (*work)(struct weft_job *j))
{
    struct confined c = {j, work, WEFT_ERROR_MEMORY};
    pthread_t thread;
    spirv_tools_name(); /* loads them: later there is no file to be opened */
    if (j->params.engine != WEFT_ENGINE_INTERP)
        exec_jit_name();
    if (pthread_create(&thread, NULL, run_confined, &c) != 0)
        return job_no_memory(j, (struct span){0, 0});
    pthread_join(thread, NULL);
    return c.status;
}

/* With parameters that are sound; a job does something once. */
static weft_status do_once(struct weft_job *j, const weft_job_params *params, weft_diags *diags,
                           weft_status (*work)(struct weft_job *j))
{
    weft_job_params defaults, known;
    weft_job_params_init(&defaults);
    weft_status fits = sized_copy(&known, sizeof known, SIZED_FIRST(weft_job_params, strict),
                                  params ? params : &defaults, "weft_job_params", diags);
    if (fits != WEFT_OK)
        return fits;
    if (j->ran)
        return usage(diags, "a job runs, or is checked, only once");
    if (known.threads > WEFT_MAX_THREADS)
        return usage(diags, "too many threads");
    if (!(known.seconds >= 0))
        return usage(diags, "the time limit is 0, which is none, or a number of seconds");
    if (!choose_level(known.cpu_level, &j->level))
        return usage(diags, "this machine or build does not have that CPU level");
    j->ran = true;
    j->budget = known.budget;
    j->diags = diags;
    j->params = known;
    j->arena.limit = known.memory && known.memory < SIZE_MAX ? (size_t)known.memory : 0;
    weft_status status = known.sandbox ? work_in_sandbox(j, work) : work(j);
    j->diags = NULL;
    j->params.files_from = NULL; /* the caller's */
    return diags_memory(diags, j->source.name, status);
}

weft_status weft_job_run(weft_job *j, const weft_job_params *params, weft_diags *diags)
{
    return do_once(j, params, diags, run_job);
}

weft_status weft_job_check(weft_job *j, const weft_job_params *params, weft_diags *diags, size_t *programs)
{
    weft_status status = do_once(j, params, diags, check_job);
    if (programs)
        *programs = job_count_programs(j);
    return status;
}

void weft_job_get_stats(const weft_job *j, weft_job_stats *stats)
{
    *stats = j->stats;
    for (uint32_t i = 0; j->shaders && i < j->script->nshaders; i++)
        for (const struct job_program *p = j->shaders[i].programs; p; p = p->next)
            if (p->status == WEFT_OK)
                stage_report(&p->stage, &stats->engine);
}
