/* check.c - what the programs of a runner name and nobody binds: an error where the device could not go on, a warning,
 * once, where there is a value for it that hardly anybody wants. */
#include "run/runner.h"

#include "ir/gallium.h"

static weft_status error_of(const struct runner_program *p, const char *code, weft_diags *diags, const char *what,
                            uint32_t number, const char *why)
{
    diag_add(diags, WEFT_ERROR, code, p->program->source.name, NULL, "the program %s %u, %s", what, number, why);
    return WEFT_ERROR_INPUT;
}

static weft_status check_texture(const weft_runner *r, const struct runner_program *p, const struct ir_texture *t,
                                 weft_diags *diags)
{
    if (t->view >= RESOURCE_TEXTURES || t->sampler >= RESOURCE_TEXTURES)
        return error_of(p, "texture-number", diags, "reads texture",
                        t->view >= RESOURCE_TEXTURES ? t->view : t->sampler, "and the numbers end at 31");
    if (t->view_arg)
        return WEFT_OK;
    const struct weft_texture *bound = r->bound.textures[t->view];
    if (!bound)
        return error_of(p, "no-texture", diags, "reads texture", t->view,
                        "and none is bound there (weft_runner_bind_texture)");
    if (texture_fits(bound, t))
        return WEFT_OK;
    diag_add(diags, WEFT_ERROR, "texture-kind", p->program->source.name, NULL,
             "the program reads texture %u as %s, and what is bound there is %s%s", t->view,
             texture_kind_name(t->dim, t->array), bound->samples > 1 ? "multisampled " : "",
             texture_kind_name(bound->dim, bound->array));
    return WEFT_ERROR_INPUT;
}

/* Texels of a bound image have the size that the program says: others would read 0 and store nothing. */
static weft_status check_image(const weft_runner *r, const struct runner_program *p, const struct ir_image *m,
                               bool atomic, weft_diags *diags)
{
    bool storage = m->binding == IR_IMAGE_RESOURCE;
    if (m->image_arg || m->binding == IR_IMAGE_SPACE || m->image >= (storage ? RESOURCE_STORAGE : RESOURCE_IMAGES))
        return WEFT_OK;
    const struct image_view *v = (storage ? r->bound.storage_images : r->bound.images)[m->image];
    if (!v)
        return WEFT_OK;
    const struct format *own = v->texture->format, *named = own;
    if (m->format && m->format < gallium_format_count)
        named = format_find_gallium(gallium_format_names[m->format]);
    if (!named || named->bytes != own->bytes)
        return error_of(p, "image-format", diags, "sees image", m->image,
                        "whose texels have another size than those of what is bound there");
    if (atomic && !m->raw && own->bytes != 4) {
        error_of(p, "unsupported", diags, "has atomics of image", m->image,
                 "whose format is not one number of 32 bits: they are not executed");
        return WEFT_ERROR_UNSUPPORTED;
    }
    return WEFT_OK;
}

static weft_status check_program(const weft_runner *r, const struct runner_program *p, weft_diags *diags)
{
    const struct ir_program *ir = p->stage.ir;
    weft_status status = WEFT_OK;
    for (uint32_t i = 0; i < ir->ntextures && status == WEFT_OK; i++)
        status = check_texture(r, p, &ir->textures[i], diags);
    for (uint32_t k = 0; k < ir->nblocks; k++)
        for (uint32_t i = 0; i < ir->blocks[k].count && status == WEFT_OK; i++) {
            const struct ir_op *op = &ir->blocks[k].ops[i];
            if (op->code == IR_SERVICE &&
                (op->imm == IR_SVC_IMAGE_LOAD || op->imm == IR_SVC_IMAGE_STORE || op->imm == IR_SVC_IMAGE_ATOMIC))
                status = check_image(r, p, &ir->images[op->desc], op->imm == IR_SVC_IMAGE_ATOMIC, diags);
        }
    return status;
}

/* ---- warnings ---- */

static void warn(const struct runner_program *p, const char *code, const char *what, uint32_t number, weft_diags *diags)
{
    diag_add(diags, WEFT_WARNING, code, p->program->source.name, NULL,
             "the program has %s %u, and nothing is bound there: it reads zeros, and what it stores is lost", what,
             number);
}

static bool is_reached(const struct ir_program *ir, uint32_t space)
{
    for (uint32_t i = 0; i < ir->nmems; i++)
        if (ir->mems[i].space == space)
            return true;
    return false;
}

static void look_over(const weft_runner *r, const struct runner_program *p, weft_diags *diags)
{
    const struct ir_program *ir = p->stage.ir;
    uint64_t said = 0;
    for (uint32_t i = 0; i < ir->nspaces; i++) {
        const struct ir_space *s = &ir->spaces[i];
        if (s->kind == IR_SPACE_CONST && s->slot < RESOURCE_CONSTANTS && !r->bound.constants[s->slot].data)
            warn(p, "unbound-constants", "constant buffer", s->slot, diags);
        if (s->kind == IR_SPACE_GLOBAL && s->slot < RESOURCE_STORAGE && !r->bound.storage[s->slot].data &&
            is_reached(ir, i))
            warn(p, "unbound-storage", "buffer", s->slot, diags);
    }
    for (uint32_t i = 0; i < ir->nimages; i++) {
        const struct ir_image *m = &ir->images[i];
        if (m->binding != IR_IMAGE_IMAGE || m->image_arg || m->image >= RESOURCE_IMAGES || r->bound.images[m->image] ||
            (said >> m->image & 1))
            continue;
        said |= UINT64_C(1) << m->image;
        warn(p, "unbound-image", "image", m->image, diags);
    }
}

weft_status runner_check(weft_runner *r, weft_diags *diags)
{
    weft_status status = WEFT_OK;
    for (size_t i = 0; i < r->nprograms && status == WEFT_OK; i++)
        status = check_program(r, &r->program[i], diags);
    for (size_t i = 0; i < r->nprograms && status == WEFT_OK && !r->looked_over; i++)
        look_over(r, &r->program[i], diags);
    r->looked_over = r->looked_over || status == WEFT_OK;
    return status;
}
