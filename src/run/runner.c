/* runner.c - runners: their life, and programs made ready for them. */
#include "run/runner.h"

#include "base/sized.h"
#include "ir/pass.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

weft_status runner_usage(weft_diags *diags, const char *fmt, ...)
{
    char text[300];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    diag_add(diags, WEFT_ERROR, "usage", NULL, NULL, "%s", text);
    return WEFT_ERROR_USAGE;
}

weft_status runner_no_format(weft_diags *diags, const char *name)
{
    char hint[80] = "formats have Vulkan's names, such as R8G8B8A8_UNORM";
    const char *near = name ? format_near(name) : NULL;
    if (near)
        snprintf(hint, sizeof hint, "did you mean '%s'?", near);
    diag_add(diags, WEFT_ERROR, "usage", NULL, hint, "there is no format '%.60s'", name ? name : "");
    return WEFT_ERROR_USAGE;
}

weft_status runner_no_memory(weft_diags *diags)
{
    diag_add(diags, WEFT_ERROR, "memory", NULL, NULL, "out of memory");
    return WEFT_ERROR_MEMORY;
}

weft_status runner_ended(weft_runner *r, weft_status status, weft_diags *diags)
{
    bool no_text = r->no_text;
    r->no_text = false;
    return status == WEFT_OK && no_text ? runner_no_memory(diags) : status;
}

double runner_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void weft_runner_options_init_sized(weft_runner_options *options, size_t size)
{
    const weft_runner_options defaults = {.budget = WEFT_DEFAULT_BUDGET};
    sized_init(options, size, &defaults, sizeof defaults);
}

/* ---- programs ---- */

/* Check and lift; with hooks the program stays as it was lifted, so that registers are what they are before each
 * instruction. */
static weft_status prepare(weft_runner *r, struct runner_program *p, weft_diags *diags)
{
    const weft_program *program = p->program;
    const struct source *source = program_source(program);
    const char *name = program->source.name;
    struct isa_params params = program->params;
    struct ir_program *ir = NULL;
    params.running = true;
    weft_status status = isa_check(program->isa, program->module, name, source, &params, diags);
    if (status == WEFT_OK)
        status = isa_lift(program->isa, program->module, name, source, &r->arena, &ir, diags);
    if (status != WEFT_OK)
        return status;
    if (runner_hooked(r))
        status = runner_instrument(r, p, ir, diags);
    else
        ir_optimise(ir);
    const struct exec_options options = {.level = r->level, .engine = stage_engine(r->options.engine)};
    return status == WEFT_OK ? stage_compile(ir, source, &options, &r->arena, &p->stage, diags) : status;
}

/* One compute program, or vertex and fragment in any order. */
static weft_status take_programs(weft_runner *r, const weft_program *const *programs, size_t count, weft_diags *diags)
{
    if (count < 1 || count > RUNNER_PROGRAMS || !programs)
        return runner_usage(diags, "a runner has one compute program, or a vertex and a fragment program");
    for (size_t i = 0; i < count; i++) {
        if (!programs[i])
            return runner_usage(diags, "programs[%zu] is NULL", i);
        weft_stage stage = weft_program_stage(programs[i]);
        if (stage == WEFT_STAGE_NONE)
            return runner_usage(diags, "'%.200s' does not say its stage: give weft_program_options.stage",
                                programs[i]->source.name);
        bool first = stage == WEFT_VERTEX || stage == WEFT_COMPUTE;
        bool fits = count == 1 ? stage == WEFT_COMPUTE : first ? stage == WEFT_VERTEX : stage == WEFT_FRAGMENT;
        if (!fits || r->program[!first].program)
            return runner_usage(diags, "a runner has one compute program, or a vertex and a fragment program");
        r->program[!first].program = programs[i];
    }
    r->nprograms = count;
    r->compute = count == 1;
    return WEFT_OK;
}

/* ---- life ---- */

static bool choose_level(weft_cpu_level wanted, enum exec_level *level)
{
    static const enum exec_level levels[] = {
        [WEFT_CPU_BASELINE] = EXEC_BASELINE, [WEFT_CPU_AVX2] = EXEC_AVX2, [WEFT_CPU_AVX512] = EXEC_AVX512};
    if (wanted == WEFT_CPU_BEST)
        *level = exec_best_level();
    else if ((unsigned)wanted < sizeof levels / sizeof *levels)
        *level = levels[wanted];
    else
        return false;
    return exec_level_usable(*level);
}

static weft_status set_up(weft_runner *r, const weft_program *const *programs, size_t count, weft_diags *diags)
{
    if (r->options.threads > WEFT_MAX_THREADS)
        return runner_usage(diags, "too many threads: %u; the most is %d", r->options.threads, WEFT_MAX_THREADS);
    if (!(r->options.seconds >= 0))
        return runner_usage(diags, "the time limit is 0, which is none, or a number of seconds");
    if (!choose_level(r->options.cpu_level, &r->level))
        return runner_usage(diags, "this machine or build does not have that CPU level");
    if ((unsigned)r->options.engine > WEFT_ENGINE_JIT)
        return runner_usage(diags, "there is no engine %d", (int)r->options.engine);
    weft_status status = take_programs(r, programs, count, diags);
    for (size_t i = 0; i < r->nprograms && status == WEFT_OK; i++)
        status = prepare(r, &r->program[i], diags);
    if (status != WEFT_OK)
        return status;
    for (unsigned i = 0; i < RESOURCE_TEXTURES; i++)
        weft_sampler_init(&r->sampler[i]);
    r->bound.level = r->level;
    r->pool = pool_new(runner_hooked(r) ? 1 : pool_threads_for(r->options.threads));
    return r->pool && !arena_failed(&r->arena) ? WEFT_OK : WEFT_ERROR_MEMORY;
}

weft_status weft_runner_new(const weft_program *const *programs, size_t count, const weft_runner_options *options,
                            weft_diags *diags, weft_runner **out)
{
    weft_runner_options defaults;
    weft_runner_options_init(&defaults);
    *out = NULL;
    weft_runner *r = calloc(1, sizeof *r);
    if (!r)
        return runner_no_memory(diags);
    weft_status status = sized_copy(&r->options, sizeof r->options, SIZED_FIRST(weft_runner_options, context),
                                    options ? options : &defaults, "weft_runner_options", diags);
    if (status == WEFT_OK)
        status = set_up(r, programs, count, diags);
    diags_memory(diags, NULL, status);
    if (status != WEFT_OK) {
        weft_runner_free(r);
        return status;
    }
    *out = r;
    return WEFT_OK;
}

void weft_runner_free(weft_runner *r)
{
    if (!r)
        return;
    exec_jit_settle();
    pool_free(r->pool);
    arena_free(&r->arena);
    free(r);
}

/* ---- what was done ---- */

weft_status weft_runner_get_stats(const weft_runner *r, weft_run_stats *stats)
{
    weft_run_stats now = r->stats;
    now.cpu_seconds = pool_cpu_seconds(r->pool);
    return sized_return(stats, SIZED_FIRST(weft_run_stats, cpu_seconds), &now, sizeof now);
}

void weft_runner_get_engine(const weft_runner *r, weft_engine_stats *stats)
{
    *stats = (weft_engine_stats){0};
    for (size_t i = 0; i < r->nprograms; i++)
        stage_report(&r->program[i].stage, stats);
}
