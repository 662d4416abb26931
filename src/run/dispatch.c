/* dispatch.c - a runner's dispatches. */
#include "run/runner.h"

#include "device/compute.h"

#include <string.h>

weft_status weft_runner_dispatch(weft_runner *r, uint32_t x, uint32_t y, uint32_t z, weft_diags *diags)
{
    if (!r->compute)
        return runner_usage(diags, "a dispatch needs a compute program, and this runner draws");
    weft_status status = runner_check(r, diags);
    if (status != WEFT_OK)
        return status;
    struct dispatch d = {.program = r->program[0].stage, .groups = {x, y, z}, .budget = r->options.budget};
    struct dispatch_stats stats = {0};
    d.until = r->options.seconds > 0 ? failure_clock() + r->options.seconds : 0;
    memcpy(d.block, r->options.block, sizeof d.block);
    memcpy(r->groups, d.groups, sizeof r->groups);
    runner_resources(r, &d.resources);
    d.probe = d.resources.probe; /* a dispatch has its own way to it */
    d.probe_context = d.resources.probe_context;
    d.resources.probe = NULL;
    d.resources.probe_context = NULL;
    double start = runner_seconds();
    status = compute_dispatch(&d, r->pool, &stats, diags);
    exec_jit_settle();
    r->stats.seconds += runner_seconds() - start;
    r->stats.runs++;
    r->stats.invocations += stats.invocations;
    r->stats.instructions += stats.instructions;
    r->stats.bad_accesses += stats.bad_accesses;
    outside_report(&stats.outside, stats.bad_accesses, NULL, diags);
    return runner_ended(r, status, diags);
}
