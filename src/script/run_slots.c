/* run_slots.c - sets and bindings of a job as numbers of the device.
 *
 * Programs of SPIR-V name what they use by set and binding, in any order; the device has lists with numbers. Each set
 * and binding that a pipeline with SPIR-V binds gets numbers of its own, the same ones in all pipelines of the job, so
 * that a shader is compiled once. Lines of linkage tell the shaders. */
#include "script/run.h"

#include "device/resources.h"

#include <inttypes.h>
#include <string.h>

enum { PUSH_CONSTANTS = 15 };

static const struct {
    const char *word; /* of the linkage */
    uint32_t limit;
} kinds[JOB_SLOT_KINDS] = {
    [JOB_UNIFORM] = {"uniform", RESOURCE_CONSTANTS}, [JOB_STORAGE] = {"storage", RESOURCE_STORAGE},
    [JOB_TEXTURE] = {"texture", RESOURCE_TEXTURES},  [JOB_SAMPLER] = {"sampler", RESOURCE_TEXTURES},
    [JOB_IMAGE] = {"image", RESOURCE_IMAGES},
};

bool job_has_slots(const struct script_pipeline *p)
{
    const struct isa *spirv = isa_find("spirv");
    for (uint32_t i = 0; i < p->nshaders; i++)
        if (spirv && p->shaders[i].shader->isa == spirv)
            return true;
    return false;
}

const struct job_slot *job_slot_of(const struct weft_job *j, enum job_slot_kind kind, uint32_t set, uint32_t binding)
{
    for (size_t i = 0; i < j->nslots; i++)
        if (j->slots[i].kind == kind && j->slots[i].set == set && j->slots[i].binding == binding)
            return &j->slots[i];
    return NULL;
}

/* The kinds of slots that a binding takes, as bits. */
static unsigned kinds_of(enum script_bind as)
{
    switch (as) {
    case SCRIPT_BIND_UNIFORM:
    case SCRIPT_BIND_UNIFORM_DYNAMIC:
        return 1u << JOB_UNIFORM;
    case SCRIPT_BIND_STORAGE:
    case SCRIPT_BIND_STORAGE_DYNAMIC:
        return 1u << JOB_STORAGE;
    case SCRIPT_BIND_SAMPLED_IMAGE:
    case SCRIPT_BIND_UNIFORM_TEXEL_BUFFER:
        return 1u << JOB_TEXTURE;
    case SCRIPT_BIND_COMBINED_IMAGE_SAMPLER:
        return 1u << JOB_TEXTURE | 1u << JOB_SAMPLER;
    case SCRIPT_BIND_SAMPLER:
        return 1u << JOB_SAMPLER;
    case SCRIPT_BIND_STORAGE_IMAGE:
    case SCRIPT_BIND_STORAGE_TEXEL_BUFFER:
        return 1u << JOB_IMAGE;
    default:
        return 0;
    }
}

static weft_status add_slot(struct weft_job *j, enum job_slot_kind kind, const struct script_binding *bind)
{
    struct job_slot *known = (struct job_slot *)(uintptr_t)job_slot_of(j, kind, bind->set, bind->binding);
    if (known) {
        known->count = known->count > bind->count ? known->count : bind->count;
        return WEFT_OK;
    }
    struct job_slot *more = arena_grow(&j->arena, j->slots, sizeof *more, j->nslots, &j->slots_cap, j->nslots + 1);
    if (!more)
        return job_no_memory(j, bind->where);
    j->slots = more;
    j->slots[j->nslots++] = (struct job_slot){
        .kind = kind, .set = bind->set, .binding = bind->binding, .count = bind->count, .where = bind->where};
    return WEFT_OK;
}

static weft_status add_pipeline(struct weft_job *j, const struct script_pipeline *p)
{
    weft_status status = WEFT_OK;
    for (uint32_t i = 0; i < p->nbindings; i++)
        for (unsigned kind = 0; kind < JOB_SLOT_KINDS && status == WEFT_OK; kind++)
            if (kinds_of(p->bindings[i].as) >> kind & 1)
                status = add_slot(j, (enum job_slot_kind)kind, &p->bindings[i]);
    return status;
}

/* Numbers one after the other; those of constants leave out that of the push constants. */
static weft_status number(struct weft_job *j)
{
    uint32_t next[JOB_SLOT_KINDS] = {0};
    for (size_t i = 0; i < j->nslots; i++) {
        struct job_slot *s = &j->slots[i];
        if (s->kind == JOB_UNIFORM && next[s->kind] <= PUSH_CONSTANTS && s->count > PUSH_CONSTANTS - next[s->kind])
            next[s->kind] = PUSH_CONSTANTS + 1;
        if (s->count > kinds[s->kind].limit - next[s->kind])
            return job_unsupported(j, s->where, "the pipelines of the job bind more than %u things of this kind",
                                   kinds[s->kind].limit);
        s->number = next[s->kind];
        next[s->kind] += s->count;
    }
    return WEFT_OK;
}

weft_status job_slots_new(struct weft_job *j)
{
    weft_status status = WEFT_OK;
    for (uint32_t i = 0; i < j->script->npipelines && status == WEFT_OK; i++)
        if (job_has_slots(j->script->pipelines[i]))
            status = add_pipeline(j, j->script->pipelines[i]);
    return status == WEFT_OK ? number(j) : status;
}

weft_status job_spirv_linkage(struct weft_job *j, const struct script_attachment *a, struct source *out)
{
    const char *text = arena_printf(&j->arena, "push %d\n", PUSH_CONSTANTS);
    for (size_t i = 0; i < j->nslots && text; i++) {
        const struct job_slot *s = &j->slots[i];
        text = arena_printf(&j->arena, "%s%s %" PRIu32 " %" PRIu32 " = %" PRIu32 "\n", text, kinds[s->kind].word,
                            s->set, s->binding, s->number);
    }
    for (uint32_t i = 0; i < a->nconstants && text; i++)
        text = arena_printf(&j->arena, "%sconstant %" PRIu32 " = 0x%" PRIx32 "\n", text, a->constants[i].id,
                            a->constants[i].bits);
    if (!text)
        return job_no_memory(j, a->where);
    *out = (struct source){"bindings of the job", text, strlen(text)};
    return WEFT_OK;
}
