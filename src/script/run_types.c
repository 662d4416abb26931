/* run_types.c - warnings about what a program of SPIR-V and the job take for different things: floats and integers,
 * formats of images, constants that the program does not have. Vulkan says nothing of the results, and they are hardly
 * ever what was meant. */
#include "script/run.h"

#include <inttypes.h>
#include <stdio.h>

static bool is_integer(const struct format *f)
{
    return !f->depth && format_class(f) != FORMAT_CLASS_FLOAT;
}

/* Whether one is of integers and the other of floats. */
static bool differ(enum spirv_number number, const struct format *f)
{
    return f && number != SPIRV_NO_NUMBER && (number != SPIRV_FLOATS) != is_integer(f);
}

static const char *words_for(enum spirv_number number)
{
    return number == SPIRV_FLOATS ? "floats" : "integers";
}

/* What messages call a variable. */
static void name_variable(const struct spirv_named *v, char *text, size_t size)
{
    if (*v->name)
        snprintf(text, size, "'%.60s'", v->name);
    else
        snprintf(text, size, "%%%" PRIu32, v->id);
}

static void warn_numbers(struct weft_job *j, const struct script_attachment *a, const struct spirv_named *v,
                         struct span where, const char *what, const char *bound, const struct format *f)
{
    char name[80];
    name_variable(v, name, sizeof name);
    diag_at(j->diags, WEFT_WARNING, "other-numbers", &j->source, where, NULL,
            "%s %s of '%s' is of %s, and '%s' is %s: the bits are taken as they are", what, name, a->shader->name,
            words_for(v->number), bound, f->name);
}

static void look_at_input(struct weft_job *j, const struct script_pipeline *p, const struct script_attachment *a,
                          const struct spirv_named *v)
{
    for (uint32_t i = 0; i < p->nvertex_data; i++) {
        const struct script_vertex_data *d = &p->vertex_data[i];
        const struct format *f = d->location == v->location && d->format ? format_find(d->format->name) : NULL;
        if (differ(v->number, f))
            warn_numbers(j, a, v, d->where, "input", d->buffer->name, f);
    }
}

static void look_at_output(struct weft_job *j, const struct script_pipeline *p, const struct script_attachment *a,
                           const struct spirv_named *v)
{
    for (uint32_t i = 0; i < p->nbindings; i++) {
        const struct script_binding *b = &p->bindings[i];
        if (b->as != SCRIPT_BIND_COLOR || b->location != v->location)
            continue;
        const struct format *f = job_memory_of(j, b->buffers[0])->format;
        if (differ(v->number, f))
            warn_numbers(j, a, v, b->where, "output", b->buffers[0]->name, f);
    }
}

static bool is_texel_binding(enum script_bind as)
{
    return as == SCRIPT_BIND_SAMPLED_IMAGE || as == SCRIPT_BIND_COMBINED_IMAGE_SAMPLER ||
           as == SCRIPT_BIND_UNIFORM_TEXEL_BUFFER || as == SCRIPT_BIND_STORAGE_IMAGE ||
           as == SCRIPT_BIND_STORAGE_TEXEL_BUFFER;
}

static void look_at_texels(struct weft_job *j, const struct script_pipeline *p, const struct script_attachment *a,
                           const struct spirv_named *v)
{
    const char *declared = spirv_format_name(v->format);
    for (uint32_t i = 0; i < p->nbindings; i++) {
        const struct script_binding *b = &p->bindings[i];
        if (!is_texel_binding(b->as) || b->set != v->set || b->binding != v->binding || !b->buffers)
            continue;
        const struct format *f = job_memory_of(j, b->buffers[0])->format;
        char name[80];
        name_variable(v, name, sizeof name);
        if (differ(v->number, f))
            warn_numbers(j, a, v, b->where, "image", b->buffers[0]->name, f);
        else if (f && declared && format_find(declared) && format_find(declared) != f)
            diag_at(j->diags, WEFT_WARNING, "other-format", &j->source, b->where, NULL,
                    "'%s' says that image %s is %s, and '%s' is %s: it is read and written as that", a->shader->name,
                    name, declared, b->buffers[0]->name, f->name);
    }
}

static void look_at_constants(struct weft_job *j, const struct script_attachment *a, const struct spirv_inventory *has)
{
    for (uint32_t i = 0; i < a->nconstants; i++) {
        size_t k = 0;
        while (k < has->nspecial && has->special[k] != a->constants[i].id)
            k++;
        if (k == has->nspecial)
            diag_at(j->diags, WEFT_WARNING, "no-constant", &j->source, a->where, NULL,
                    "SPECIALIZE: '%s' has no constant with the number %" PRIu32, a->shader->name, a->constants[i].id);
    }
}

void job_look_at_types(struct weft_job *j, const struct script_pipeline *p)
{
    for (uint32_t s = 0; s < p->nshaders; s++) {
        const struct script_attachment *a = &p->shaders[s];
        const struct job_program *program = job_program_of(j, a);
        if (!program)
            continue;
        for (size_t i = 0; i < program->inventory.nnamed; i++) {
            const struct spirv_named *v = &program->inventory.named[i];
            bool sure = program->inventory.entries == 1; /* whose inputs and outputs they are */
            if (v->input && a->stage == WEFT_VERTEX && sure)
                look_at_input(j, p, a, v);
            else if (v->output && a->stage == WEFT_FRAGMENT && sure)
                look_at_output(j, p, a, v);
            else if (v->kinds)
                look_at_texels(j, p, a, v);
        }
        if (a->nconstants && a->shader->isa == isa_find("spirv"))
            look_at_constants(j, a, &program->inventory);
    }
}
