/* run_compute.c - dispatches. */
#include "script/run.h"

#include "device/compute.h"

weft_status job_dispatch(struct weft_job *j, const struct script_command *c)
{
    const struct script_pipeline *p = c->pipeline;
    const struct script_attachment *a = script_shader_of(p, WEFT_COMPUTE);
    if (!a)
        return job_error(j, p->where, "missing-shader", "'%s' has no compute shader", p->name);
    struct dispatch d = {.groups = {c->groups[0], c->groups[1], c->groups[2]}, .budget = j->budget, .until = j->until};
    const struct stage *stage = &d.program;
    struct arena arena = {0};
    weft_status status = job_stage(j, a, &d.program);
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
        status = compute_dispatch(&d, j->pool, &stats, diags);
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
