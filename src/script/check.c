/* check.c - the programs of a job, looked at without running a command. */
#include "script/run.h"

/* A shader of no pipeline, as one would have it that says nothing of its entry point and constants. */
static weft_status check_alone(struct weft_job *j, const struct script_shader *s)
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
    struct stage stage;
    return job_stage(j, a, false, &stage);
}

weft_status job_check_programs(struct weft_job *j)
{
    weft_status first = WEFT_OK;
    struct stage stage;
    for (uint32_t p = 0; p < j->script->npipelines; p++)
        for (uint32_t i = 0; i < j->script->pipelines[p]->nshaders; i++) {
            weft_status status = job_stage(j, &j->script->pipelines[p]->shaders[i], false, &stage);
            first = first == WEFT_OK ? status : first;
        }
    for (uint32_t i = 0; i < j->script->nshaders; i++)
        if (!j->shaders[i].programs) { /* of no pipeline */
            weft_status status = check_alone(j, j->script->shaders[i]);
            first = first == WEFT_OK ? status : first;
        }
    return first;
}

size_t job_count_programs(const struct weft_job *j)
{
    size_t count = 0;
    for (uint32_t i = 0; j->shaders && i < j->script->nshaders; i++)
        for (const struct job_program *p = j->shaders[i].programs; p; p = p->next)
            count++;
    return count;
}
