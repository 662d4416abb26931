/* check.c - the programs of a job, looked at without running a command. */
#include "script/run.h"

/* One program that a command would take: what is wrong with it goes to the job's diagnostics. */
static weft_status check_attachment(struct weft_job *j, const struct script_attachment *a, size_t *programs)
{
    struct stage stage;
    ++*programs;
    return job_stage(j, a, false, &stage);
}

/* Whether a pipeline before this one, or this one before its attachment i, has the same program. */
static bool seen(const struct weft_job *j, uint32_t pipeline, uint32_t i)
{
    const struct script_attachment *a = &j->script->pipelines[pipeline]->shaders[i];
    for (uint32_t p = 0; p <= pipeline; p++) {
        const struct script_pipeline *before = j->script->pipelines[p];
        for (uint32_t k = 0; k < (p == pipeline ? i : before->nshaders); k++)
            if (job_same_program(&before->shaders[k], a))
                return true;
    }
    return false;
}

static bool is_attached(const struct weft_job *j, const struct script_shader *s)
{
    for (uint32_t p = 0; p < j->script->npipelines; p++)
        for (uint32_t i = 0; i < j->script->pipelines[p]->nshaders; i++)
            if (j->script->pipelines[p]->shaders[i].shader == s)
                return true;
    return false;
}

/* A shader of no pipeline, as one would have it that says nothing of its entry point and constants. */
static weft_status check_alone(struct weft_job *j, const struct script_shader *s, size_t *programs)
{
    if (s->stage == WEFT_STAGE_NONE) {
        diag_at(j->diags, WEFT_WARNING, "unattached-shader", &j->source, s->where,
                "attach it to a pipeline: ATTACH NAME TYPE STAGE",
                "'%s' is not looked at: no pipeline says of which stage it is", s->name);
        return WEFT_OK;
    }
    struct script_attachment *a = ARENA_NEW(&j->arena, struct script_attachment);
    if (!a)
        return job_no_memory(j, s->where);
    *a = (struct script_attachment){.shader = s, .where = s->where, .entry_point = "main", .stage = s->stage};
    return check_attachment(j, a, programs);
}

weft_status job_check_programs(struct weft_job *j, size_t *programs)
{
    weft_status first = WEFT_OK;
    for (uint32_t p = 0; p < j->script->npipelines; p++)
        for (uint32_t i = 0; i < j->script->pipelines[p]->nshaders; i++) {
            const struct script_attachment *a = &j->script->pipelines[p]->shaders[i];
            weft_status status = seen(j, p, i) ? WEFT_OK : check_attachment(j, a, programs);
            first = first == WEFT_OK ? status : first;
        }
    for (uint32_t i = 0; i < j->script->nshaders; i++)
        if (!is_attached(j, j->script->shaders[i])) {
            weft_status status = check_alone(j, j->script->shaders[i], programs);
            first = first == WEFT_OK ? status : first;
        }
    return first;
}
