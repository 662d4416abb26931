/* run_compute.c - dispatches. */
#include "script/run.h"

#include "device/compute.h"

static weft_status dispatch_part(struct weft_job *j, void *context, struct share part,
                                 uint64_t counts[JOB_SHARE_COUNTS], weft_diags *diags)
{
    struct dispatch *d = context;
    struct dispatch_stats stats = {0};
    d->share = part;
    weft_status status = compute_dispatch(d, j->pool, &stats, diags);
    d->share = (struct share){0};
    counts[0] = stats.invocations;
    counts[1] = stats.instructions;
    return stats.bad_accesses ? WEFT_ERROR_INPUT : status;
}

/* This process alone, or with others. */
static weft_status dispatch(struct weft_job *j, const struct script_pipeline *p, struct dispatch *d,
                            struct dispatch_stats *stats, weft_diags *diags)
{
    const uint16_t *block = d->program.ir->io.block; /* 0: the program does not say */
    uint64_t groups = (uint64_t)d->groups[0] * d->groups[1] * d->groups[2], counts[JOB_SHARE_COUNTS] = {0};
    uint64_t invocations = groups;
    for (unsigned c = 0; c < 3; c++)
        invocations *= block[c] ? block[c] : 1;
    const struct job_work work = {.pipeline = p,
                                  .pieces = j->params.share && compute_divisible(d) ? groups : 0,
                                  .invocations = invocations,
                                  .part = dispatch_part,
                                  .context = d};
    enum job_shared shared = job_share(j, &work, counts);
    if (shared == JOB_SHARE_LOST)
        return job_no_memory(j, p->where);
    if (shared == JOB_SHARE_NOT)
        return compute_dispatch(d, j->pool, stats, diags);
    stats->invocations = counts[0];
    stats->instructions = counts[1];
    return WEFT_OK;
}

weft_status job_dispatch(struct weft_job *j, const struct script_command *c)
{
    const struct script_pipeline *p = c->pipeline;
    const struct script_attachment *a = script_shader_of(p, WEFT_COMPUTE);
    if (!a)
        return job_error(j, p->where, "missing-shader", "'%s' has no compute shader", p->name);
    struct dispatch d = {.groups = {c->groups[0], c->groups[1], c->groups[2]}, .budget = j->budget, .until = j->until};
    const struct stage *stage = &d.program;
    struct arena arena = {0};
    weft_status status = job_stage(j, a, false, &d.program);
    if (status == WEFT_OK)
        status = job_bind(j, p, &stage, 1, &arena, &d.resources);
    if (status == WEFT_OK)
        job_look_over_dispatch(j, p, &d.program, &d.resources);
    weft_diags *diags = weft_diags_new();
    struct dispatch_stats stats = {0};
    if (status == WEFT_OK && !diags)
        status = job_no_memory(j, c->where);
    if (j->trace) {
        job_trace_target(j->trace, 0, d.groups);
        d.probe = job_trace_probe;
        d.probe_context = j->trace;
    }
    if (status == WEFT_OK) {
        status = dispatch(j, p, &d, &stats, diags);
        j->stats.invocations += stats.invocations;
        j->stats.instructions += stats.instructions;
        outside_report(&stats.outside, stats.bad_accesses, job_buffer_of(j, &stats.outside, &d.resources), diags);
        job_relay(j, diags, c->where);
        if (status == WEFT_ERROR_USAGE) /* sizes of the script's own */
            status = WEFT_ERROR_INPUT;
    }
    weft_diags_free(diags);
    arena_free(&arena);
    return status;
}
