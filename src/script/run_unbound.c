/* run_unbound.c - warnings about what the programs of a pipeline read and nobody gives them. It is legal, and has a
 * value (zeros, or 0, 0, 0, 1), and hardly ever is what was meant. Each pipeline is looked over once. */
#include "script/run.h"

#include <inttypes.h>
#include <stdio.h>

static struct span place_of(const struct script_pipeline *p, weft_stage stage)
{
    const struct script_attachment *a = script_shader_of(p, stage);
    return a ? a->where : p->where;
}

static const char *name_of(const struct script_pipeline *p, weft_stage stage)
{
    const struct script_attachment *a = script_shader_of(p, stage);
    return a ? a->shader->name : "";
}

static bool is_passthrough(const struct script_pipeline *p, weft_stage stage)
{
    const struct script_attachment *a = script_shader_of(p, stage);
    return a && a->shader->language == SCRIPT_PASSTHROUGH;
}

/* What a program has, and where the job would bind it. */
struct lacking {
    char what[80], place[80];
    const char *hint; /* NULL: nothing else is bound there */
    char stray[200];  /* the hint, where it names what is bound elsewhere */
};

static bool is_of_kind(const struct script_binding *b, enum job_slot_kind kind)
{
    switch (b->as) {
    case SCRIPT_BIND_UNIFORM:
    case SCRIPT_BIND_UNIFORM_DYNAMIC:
        return kind == JOB_UNIFORM;
    case SCRIPT_BIND_STORAGE:
    case SCRIPT_BIND_STORAGE_DYNAMIC:
        return kind == JOB_STORAGE;
    case SCRIPT_BIND_STORAGE_IMAGE:
    case SCRIPT_BIND_STORAGE_TEXEL_BUFFER:
        return kind == JOB_IMAGE;
    default:
        return false;
    }
}

/* Whether a program of SPIR-V has something at a set and binding. */
static bool is_named(const struct weft_job *j, const struct script_pipeline *p, const struct script_binding *b)
{
    for (uint32_t s = 0; s < p->nshaders; s++) {
        const struct job_program *program = job_program_of(j, &p->shaders[s]);
        for (size_t i = 0; program && i < program->inventory.nnamed; i++) {
            const struct spirv_named *v = &program->inventory.named[i];
            if (v->kinds && v->set == b->set && v->binding == b->binding)
                return true;
        }
    }
    return false;
}

/* What the pipeline binds of that kind where no program has anything: it may have been meant. */
static void look_for_stray(const struct weft_job *j, const struct script_pipeline *p, enum job_slot_kind kind,
                           struct lacking *l)
{
    for (uint32_t i = 0; i < p->nbindings; i++) {
        const struct script_binding *b = &p->bindings[i];
        if (!is_of_kind(b, kind) || is_named(j, p, b))
            continue;
        snprintf(l->stray, sizeof l->stray,
                 "'%.60s' is bound to DESCRIPTOR_SET %" PRIu32 " BINDING %" PRIu32 ", which no program of '%.60s' has",
                 b->buffers[0]->name, b->set, b->binding, p->name);
        return;
    }
}

static const char *hint_of(const struct lacking *l)
{
    return l->hint || !*l->stray ? l->hint : l->stray;
}

/* Resource `number` of the device: programs of SPIR-V name it by set and binding, others by the number, which is the
 * binding in a set of its own. */
static struct lacking lacking(const struct weft_job *j, const struct script_pipeline *p, enum job_slot_kind kind,
                              const char *what, uint32_t number, unsigned set)
{
    static const char *const hints[JOB_SLOT_KINDS] = {
        [JOB_UNIFORM] = "what is bound there is a uniform buffer",
        [JOB_STORAGE] = "what is bound there is a storage buffer",
        [JOB_TEXTURE] = "what is bound there is a texture",
        [JOB_SAMPLER] = "what is bound there is a sampler",
        [JOB_IMAGE] = "what is bound there is a storage image",
    };
    struct lacking l = {.hint = NULL};
    const struct job_slot *slot = job_has_slots(p) ? job_slot_numbered(j, kind, number) : NULL;
    if (slot && slot->name && *slot->name)
        snprintf(l.what, sizeof l.what, "%s '%.60s'", what, slot->name);
    else
        snprintf(l.what, sizeof l.what, "%s %" PRIu32, what, number);
    snprintf(l.place, sizeof l.place, "DESCRIPTOR_SET %" PRIu32 " BINDING %" PRIu32, slot ? slot->set : set,
             slot ? slot->binding : number);
    for (unsigned other = 0; slot && other < JOB_SLOT_KINDS; other++) {
        const struct job_slot *bound = job_slot_of(j, (enum job_slot_kind)other, slot->set, slot->binding);
        if (bound && other != kind && !bound->name)
            l.hint = hints[other];
    }
    if (slot)
        look_for_stray(j, p, kind, &l);
    return l;
}

static void look_for_constants(struct weft_job *j, const struct script_pipeline *p, const struct stage *s,
                               const struct resources *r)
{
    weft_stage stage = (weft_stage)s->ir->stage;
    for (uint32_t i = 0; i < s->ir->nspaces; i++) {
        const struct ir_space *space = &s->ir->spaces[i];
        if (space->kind != IR_SPACE_CONST || space->slot >= RESOURCE_CONSTANTS || r->constants[space->slot].data)
            continue;
        struct lacking l = lacking(j, p, JOB_UNIFORM, "constant buffer", space->slot, 0);
        diag_at(j->diags, WEFT_WARNING, "unbound-constants", &j->source, place_of(p, stage), hint_of(&l),
                "'%s' has %s, and '%s' binds nothing to %s: it reads zeros", name_of(p, stage), l.what, p->name,
                l.place);
    }
}

/* Whether an instruction of the program reaches a space. */
static bool is_reached(const struct ir_program *ir, uint32_t space)
{
    for (uint32_t i = 0; i < ir->nmems; i++)
        if (ir->mems[i].space == space)
            return true;
    return false;
}

static void look_for_storage(struct weft_job *j, const struct script_pipeline *p, const struct stage *s,
                             const struct resources *r)
{
    weft_stage stage = (weft_stage)s->ir->stage;
    for (uint32_t i = 0; i < s->ir->nspaces; i++) {
        const struct ir_space *space = &s->ir->spaces[i];
        if (space->kind != IR_SPACE_GLOBAL || space->slot >= RESOURCE_STORAGE || r->storage[space->slot].data ||
            !is_reached(s->ir, i))
            continue;
        struct lacking l = lacking(j, p, JOB_STORAGE, "storage buffer", space->slot, 2);
        diag_at(j->diags, WEFT_WARNING, "unbound-storage", &j->source, place_of(p, stage), hint_of(&l),
                "'%s' reads or writes %s, and nothing is bound to %s of '%s': it reads zeros, and what it stores is "
                "lost", name_of(p, stage), l.what, l.place, p->name);
    }
}

/* Images that programs name by their number; those chosen at run time may be any. */
static void look_for_images(struct weft_job *j, const struct script_pipeline *p, const struct stage *s,
                            const struct resources *r)
{
    weft_stage stage = (weft_stage)s->ir->stage;
    uint64_t said[2] = {0, 0};
    for (uint32_t i = 0; i < s->ir->nimages; i++) {
        const struct ir_image *m = &s->ir->images[i];
        bool resource = m->binding == IR_IMAGE_RESOURCE;
        if (m->image_arg || m->binding == IR_IMAGE_SPACE ||
            m->image >= (resource ? RESOURCE_STORAGE : RESOURCE_IMAGES) ||
            (resource ? r->storage_images : r->images)[m->image] || (said[resource] >> m->image & 1))
            continue;
        said[resource] |= UINT64_C(1) << m->image;
        struct lacking l = lacking(j, p, JOB_IMAGE, "image", m->image, resource ? 2 : 3);
        if (!job_has_slots(p))
            snprintf(l.what, sizeof l.what, "%s[%u]", resource ? "RES" : "IMAGE", (unsigned)m->image);
        diag_at(j->diags, WEFT_WARNING, "unbound-image", &j->source, place_of(p, stage), hint_of(&l),
                "'%s' has %s, and nothing is bound to %s of '%s': it reads zeros, and what it stores is lost",
                name_of(p, stage), l.what, l.place, p->name);
    }
}

static bool binds_sampler(const struct weft_job *j, const struct script_pipeline *p, uint32_t number)
{
    for (uint32_t i = 0; i < p->nbindings; i++) {
        const struct script_binding *b = &p->bindings[i];
        const struct job_slot *slot = job_has_slots(p) ? job_slot_of(j, JOB_SAMPLER, b->set, b->binding) : NULL;
        uint32_t first = slot ? slot->number : b->binding;
        if (b->samplers && first <= number && number - first < b->count)
            return true;
    }
    return false;
}

static bool takes_sampler(const struct ir_texture *t)
{
    return t->op <= IR_TEX_GATHER ? t->op != IR_TEX_FETCH : t->op == IR_TEX_QUERY_LOD;
}

/* The numbers are below RESOURCE_TEXTURES: what was bound was checked for that. */
static void look_for_samplers(struct weft_job *j, const struct script_pipeline *p, const struct stage *s)
{
    weft_stage stage = (weft_stage)s->ir->stage;
    uint64_t said = 0;
    _Static_assert(RESOURCE_TEXTURES <= 64, "a bit each");
    for (uint32_t i = 0; i < s->ir->ntextures; i++) {
        const struct ir_texture *t = &s->ir->textures[i];
        if (!takes_sampler(t) || t->sampler_arg || binds_sampler(j, p, t->sampler) || (said >> t->sampler & 1))
            continue;
        said |= UINT64_C(1) << t->sampler;
        struct lacking l = lacking(j, p, JOB_SAMPLER, "sampler", t->sampler, 1);
        diag_at(j->diags, WEFT_WARNING, "unbound-sampler", &j->source, place_of(p, stage), hint_of(&l),
                "'%s' has %s, and nothing is bound there by '%s': it reads the nearest texel of the largest level, "
                "and repeats", name_of(p, stage), l.what, p->name);
    }
}

static void look_for_resources(struct weft_job *j, const struct script_pipeline *p, const struct stage *s,
                               const struct resources *r)
{
    look_for_constants(j, p, s, r);
    look_for_storage(j, p, s, r);
    look_for_images(j, p, s, r);
    look_for_samplers(j, p, s);
}

static void look_for_attributes(struct weft_job *j, const struct script_pipeline *p, const struct pipeline *d)
{
    const struct ir_io *io = &d->vertex.ir->io;
    for (uint32_t i = 0; i < io->ninputs && !is_passthrough(p, WEFT_VERTEX); i++) {
        unsigned n = io->inputs[i].index - (io->inputs[i].convert == IR_CONVERT_WIDE_REST);
        if (io->inputs[i].mask && n < PIPELINE_ATTRIBUTES && !d->attribute[n].format)
            diag_at(j->diags, WEFT_WARNING, "unbound-input", &j->source, place_of(p, WEFT_VERTEX), NULL,
                    "input %u of '%s' has no VERTEX_DATA at LOCATION %u: it reads (0, 0, 0, 1)", n,
                    name_of(p, WEFT_VERTEX), n);
    }
}

/* Inputs of fragments that the stage before does not write. What the rasteriser makes itself is none of them. */
static void look_for_varyings(struct weft_job *j, const struct script_pipeline *p, const struct pipeline *d)
{
    weft_stage last = d->geometry.program ? WEFT_GEOMETRY : d->tess_eval.program ? WEFT_TESS_EVALUATION : WEFT_VERTEX;
    const struct ir_io *from = last == WEFT_GEOMETRY          ? &d->geometry.ir->io
                               : last == WEFT_TESS_EVALUATION ? &d->tess_eval.ir->io
                                                              : &d->vertex.ir->io;
    const struct ir_io *to = &d->fragment.ir->io;
    const struct script_attachment *reader = script_shader_of(p, WEFT_FRAGMENT);
    bool is_spirv = reader && reader->shader->isa == isa_find("spirv");
    bool passes = is_passthrough(p, last); /* LOCATION 1 to 7, where there is something */
    for (uint32_t i = 0; i < to->ninputs && !d->link; i++) {
        const struct ir_slot *in = &to->inputs[i];
        bool found = in->semantic != IR_SEM_GENERIC || !in->mask;
        for (uint32_t o = 0; o < from->noutputs && !found; o++)
            found = from->outputs[o].semantic == IR_SEM_GENERIC && from->outputs[o].index == in->index &&
                    (!passes || d->attribute[in->index].format);
        if (!found)
            diag_at(j->diags, WEFT_WARNING, "unbound-input", &j->source, place_of(p, WEFT_FRAGMENT),
                    passes ? "PASSTHROUGH takes LOCATION 0 for the position, and hands 1 to 7 on" : NULL,
                    is_spirv ? "'%s' reads location %u, and '%s' does not write it: it reads (0, 0, 0, 1)"
                             : "'%s' reads GENERIC[%u], and '%s' does not write it: it reads (0, 0, 0, 1)",
                    name_of(p, WEFT_FRAGMENT), in->index, name_of(p, last));
    }
}

/* True the first time. */
static bool first_look(struct weft_job *j, const struct script_pipeline *p)
{
    uint32_t i = 0;
    while (i < j->script->npipelines && j->script->pipelines[i] != p)
        i++;
    if (i == j->script->npipelines || j->pipelines[i].looked_over)
        return false;
    j->pipelines[i].looked_over = true;
    return true;
}

void job_look_over_draw(struct weft_job *j, const struct script_pipeline *p, const struct pipeline *d)
{
    const struct stage *const stages[] = {&d->vertex, &d->tess_ctrl, &d->tess_eval, &d->geometry, &d->fragment};
    if (!first_look(j, p))
        return;
    for (unsigned s = 0; s < 5; s++)
        if (stages[s]->program)
            look_for_resources(j, p, stages[s], &d->resources);
    look_for_attributes(j, p, d);
    look_for_varyings(j, p, d);
    job_look_at_types(j, p);
}

void job_look_over_dispatch(struct weft_job *j, const struct script_pipeline *p, const struct stage *program,
                            const struct resources *r)
{
    if (!first_look(j, p))
        return;
    look_for_resources(j, p, program, r);
    job_look_at_types(j, p);
}
