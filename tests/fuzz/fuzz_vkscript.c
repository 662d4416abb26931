/* VkScript: parsed, or refused with a reason. What was parsed and is small is run, twice: with one thread and with
 * three it ends with the same status, as many failures, and the same bits in all buffers. Scripts with GLSL are parsed
 * alone: fuzz_glsl is about that. */
#include "exec/exec.h"
#include "text_mutator.h"

#include "script/run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 1 << 20, MOST_COMMANDS = 24, BUDGET = 2000, MOST_WORK = 1 << 14 };

static bool is_small(const struct script *s)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < s->nbuffers; i++)
        bytes += script_buffer_bytes(s->buffers[i]);
    for (uint32_t i = 0; i < s->nshaders; i++)
        if (s->shaders[i]->language == SCRIPT_GLSL || s->shaders[i]->language == SCRIPT_HLSL)
            return false;
    for (uint32_t i = 0; i < s->npipelines; i++)
        bytes += (uint64_t)s->pipelines[i]->width * s->pipelines[i]->height * 8;
    for (uint32_t i = 0; i < s->ncommands; i++) {
        const struct script_command *c = &s->commands[i];
        if (c->kind == SCRIPT_RUN_COMPUTE && (uint64_t)c->groups[0] * c->groups[1] * c->groups[2] > MOST_WORK)
            return false;
        if (c->kind == SCRIPT_DRAW_ARRAY && (uint64_t)c->array.count * c->array.instances > MOST_WORK)
            return false;
    }
    return bytes < MOST_BYTES && s->ncommands <= MOST_COMMANDS;
}

static weft_job *run(const char *text, size_t size, uint32_t threads, weft_status *status)
{
    weft_job *job = NULL;
    weft_diags *diags = weft_diags_new();
    weft_job_params params;
    weft_job_params_init(&params);
    params.threads = threads;
    params.budget = BUDGET;
    params.memory = 256u << 20;
    params.engine = WEFT_ENGINE_INTERP;
    *status = weft_job_new("fuzz.vkscript", text, size, diags, &job);
    if (*status == WEFT_OK)
        *status = weft_job_run(job, &params, diags);
    must(*status == WEFT_OK || weft_diags_errors(diags) > 0);
    weft_diags_free(diags);
    return job;
}

static void compare(const char *text, size_t size)
{
    weft_status first, second;
    weft_job *a = run(text, size, 1, &first), *b = run(text, size, 3, &second);
    must(first == second && !a == !b);
    if (a && first == WEFT_OK) {
        must(weft_job_failures(a) == weft_job_failures(b));
        for (uint32_t i = 0; i < a->script->nbuffers; i++) {
            must(a->memories[i].size == b->memories[i].size);
            must(!a->memories[i].size || !memcmp(a->memories[i].data, b->memories[i].data, a->memories[i].size));
        }
    }
    weft_job_free(a);
    weft_job_free(b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > MOST_TEXT)
        return 0;
    struct arena arena = {.limit = 256u << 20};
    const struct source src = {"fuzz.vkscript", (const char *)data, size};
    struct script *s = NULL;
    weft_diags *diags = weft_diags_new();
    weft_status status = script_parse(&src, &arena, &s, diags);
    must((status == WEFT_OK) == (weft_diags_errors(diags) == 0));
    bool runs = status == WEFT_OK && is_small(s);
    weft_diags_free(diags);
    arena_free(&arena);
    if (runs)
        compare((const char *)data, size);
    return 0;
}
