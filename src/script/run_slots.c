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

/* The number of slot i after those before it; numbers of constants leave out that of the push constants. False: there
 * is no room. */
static bool number(struct weft_job *j, size_t i)
{
    struct job_slot *s = &j->slots[i];
    uint32_t next = 0;
    for (size_t k = 0; k < i; k++)
        if (j->slots[k].kind == s->kind)
            next = j->slots[k].number + j->slots[k].count;
    if (s->kind == JOB_UNIFORM && next <= PUSH_CONSTANTS && s->count > PUSH_CONSTANTS - next)
        next = PUSH_CONSTANTS + 1;
    s->number = next;
    return next <= kinds[s->kind].limit && s->count <= kinds[s->kind].limit - next;
}

weft_status job_slots_new(struct weft_job *j)
{
    weft_status status = WEFT_OK;
    for (uint32_t i = 0; i < j->script->npipelines && status == WEFT_OK; i++)
        if (job_has_slots(j->script->pipelines[i]))
            status = add_pipeline(j, j->script->pipelines[i]);
    for (size_t i = 0; i < j->nslots && status == WEFT_OK; i++)
        if (!number(j, i))
            status = job_unsupported(j, j->slots[i].where,
                                     "the pipelines of the job bind more than %u things of this kind",
                                     kinds[j->slots[i].kind].limit);
    return status;
}

const struct job_slot *job_slot_numbered(const struct weft_job *j, enum job_slot_kind kind, uint32_t number)
{
    for (size_t i = 0; i < j->nslots; i++)
        if (j->slots[i].kind == kind && number - j->slots[i].number < j->slots[i].count)
            return &j->slots[i];
    return NULL;
}

/* A slot that nothing is bound to. Without room it has the number that the module gives it, as programs outside of jobs
 * have: an array of thousands that is not used. */
static bool add_unbound(struct weft_job *j, const struct script_attachment *a, enum job_slot_kind kind,
                        const struct spirv_named *v)
{
    if (job_slot_of(j, kind, v->set, v->binding))
        return true;
    struct job_slot *more = arena_grow(&j->arena, j->slots, sizeof *more, j->nslots, &j->slots_cap, j->nslots + 1);
    if (!more)
        return false;
    j->slots = more;
    more[j->nslots] = (struct job_slot){
        .kind = kind, .set = v->set, .binding = v->binding, .count = v->count, .where = a->where, .name = v->name};
    if (number(j, j->nslots))
        j->nslots++;
    return true;
}

weft_status job_slots_of_module(struct weft_job *j, const struct script_attachment *a, const struct isa_module *module,
                                struct spirv_inventory *inventory, weft_diags *diags)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    weft_status status = a->shader->isa->encode(module, &j->arena, &bytes, &size, diags);
    if (status != WEFT_OK)
        return status;
    uint32_t *words = ARENA_ARRAY(&j->arena, uint32_t, size / sizeof *words + 1);
    if (!words)
        return job_no_memory(j, a->where);
    for (size_t i = 0; i < size / sizeof *words; i++)
        words[i] = (uint32_t)bytes[i * 4] | (uint32_t)bytes[i * 4 + 1] << 8 | (uint32_t)bytes[i * 4 + 2] << 16 |
                   (uint32_t)bytes[i * 4 + 3] << 24;
    if (!spirv_take_inventory(words, size / sizeof *words, &j->arena, inventory))
        return job_no_memory(j, a->where);
    for (size_t i = 0; i < inventory->nnamed; i++)
        for (unsigned kind = 0; kind < JOB_SLOT_KINDS; kind++)
            if (inventory->named[i].kinds >> kind & 1 &&
                !add_unbound(j, a, (enum job_slot_kind)kind, &inventory->named[i]))
                return job_no_memory(j, a->where);
    return WEFT_OK;
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
