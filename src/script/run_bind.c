/* run_bind.c - what a pipeline binds, as the resources of its programs (docs/amberscript.md):
 *
 *   set 0, binding n   CONST[n]                          uniform buffers
 *   set 1, binding n   SAMP[n] and SVIEW[n]              images, samplers, uniform texel buffers
 *   set 2, binding n   BUFFER[n], RES[n]                 storage buffers; storage images of RES[n]
 *   set 3, binding n   IMAGE[n]                          storage images, storage texel buffers
 *   push constants     CONST[15], unless set 0 binds it
 *
 * Element i of an array of buffers or samplers takes the number n + i. Where a pipeline has programs of SPIR-V any set
 * holds anything, and the numbers are those of run_slots.c. */
#include "script/run.h"

#include "device/image_access.h"
#include "ir/gallium.h"

#include <string.h>

enum { SET_CONSTANTS, SET_TEXTURES, SET_STORAGE, SET_IMAGES, PUSH_CONSTANTS = 15 };

struct binder {
    struct weft_job *j;
    const struct script_pipeline *p;
    const struct stage *const *stages;
    unsigned nstages;
    struct arena *arena;
    struct resources *out;
    weft_sampler *samplers;
    bool slots; /* numbers are those of run_slots.c */
};

/* ---- buffers ---- */

static struct exec_buffer window(const struct binder *b, const struct script_binding *bind, uint32_t i)
{
    const struct job_memory *m = job_memory_of(b->j, bind->buffers[i]);
    uint64_t offset = (bind->dynamic_offsets ? bind->dynamic_offsets[i] : 0) +
                      (bind->descriptor_offsets ? bind->descriptor_offsets[i] : 0);
    uint64_t range = bind->descriptor_ranges ? bind->descriptor_ranges[i] : UINT64_MAX;
    if (offset > m->size)
        offset = m->size;
    uint64_t left = m->size - offset;
    return (struct exec_buffer){m->data + offset, range < left ? range : left};
}

static weft_status out_of_place(const struct binder *b, const struct script_binding *bind, unsigned set, unsigned limit)
{
    if (bind->set != set)
        return job_unsupported(b->j, bind->where, "this kind of binding belongs into DESCRIPTOR_SET %u, not %u", set,
                               bind->set);
    return job_error(b->j, bind->where, "out-of-range", "BINDING is at most %u here", limit - 1);
}

/* The first number of what is bound. */
static weft_status number_of(const struct binder *b, const struct script_binding *bind, enum job_slot_kind kind,
                             unsigned set, unsigned limit, uint32_t *number)
{
    const struct job_slot *slot = b->slots ? job_slot_of(b->j, kind, bind->set, bind->binding) : NULL;
    *number = slot ? slot->number : bind->binding;
    if (!slot && (bind->set != set || bind->binding >= limit || bind->count > limit - bind->binding))
        return out_of_place(b, bind, set, limit);
    return WEFT_OK;
}

static weft_status bind_buffers(const struct binder *b, const struct script_binding *bind, enum job_slot_kind kind,
                                unsigned set, struct exec_buffer *slots, unsigned limit)
{
    uint32_t first;
    weft_status status = number_of(b, bind, kind, set, limit, &first);
    for (uint32_t i = 0; i < bind->count && status == WEFT_OK; i++)
        slots[first + i] = window(b, bind, i);
    return status;
}

/* ---- textures ---- */

/* A kind of texture or image, as a program names it. */
struct kind {
    bool named;
    uint8_t dim; /* enum ir_tex_dim */
    bool array;
};

/* Whether number n of an array from `first` on is the one that an op names, or that it may choose. */
static bool names(uint32_t named, bool chosen, uint32_t first, uint32_t n)
{
    return named == n || (chosen && named >= first && named < n);
}

/* How the programs see texture n, which is part of an array from `first` on; what they look up counts before what they
 * only ask the size of. */
static struct kind texture_kind(const struct binder *b, uint32_t first, uint32_t view)
{
    struct kind kind = {0};
    for (unsigned s = 0; s < b->nstages; s++)
        for (uint32_t i = 0; i < b->stages[s]->ir->ntextures; i++) {
            const struct ir_texture *t = &b->stages[s]->ir->textures[i];
            if (!names(t->view, t->view_arg, first, view) || t->registers || (kind.named && t->op == IR_TEX_QUERY_SIZE))
                continue;
            kind = (struct kind){true, t->dim, t->array};
            if (t->op != IR_TEX_QUERY_SIZE)
                return kind;
        }
    return kind;
}

/* How they see IMAGE[n] or, in set 2, RES[n]. */
static struct kind image_kind(const struct binder *b, unsigned set, uint32_t first, uint32_t number)
{
    uint8_t binding = set == SET_STORAGE ? IR_IMAGE_RESOURCE : IR_IMAGE_IMAGE;
    for (unsigned s = 0; s < b->nstages; s++)
        for (uint32_t i = 0; i < b->stages[s]->ir->nimages; i++) {
            const struct ir_image *m = &b->stages[s]->ir->images[i];
            if (m->binding == binding && names(m->image, m->image_arg, first, number))
                return (struct kind){true, m->dim, m->array};
        }
    return (struct kind){0};
}

/* The image's own description, or the one that a program's target makes of its memory: layers serve as cubes, a 3D
 * image of one level as a 2D array or as cubes by its slices, a 2D one as a 1D array by its rows. */
static bool view_desc(const struct job_memory *m, struct kind seen, struct texture_desc *d)
{
    const struct weft_texture *t = &m->texture;
    *d = (struct texture_desc){.format = m->format,
                               .dim = t->dim,
                               .array = t->array,
                               .width = m->width,
                               .height = m->height,
                               .depth = m->depth,
                               .layers = t->layers,
                               .levels = t->levels,
                               .samples = t->samples};
    if (!seen.named || (seen.dim == t->dim && seen.array == t->array))
        return true;
    d->dim = seen.dim;
    d->array = seen.array;
    bool single = t->levels == 1 && t->samples <= 1;
    bool flat = t->dim == IR_TEX_2D && !t->array;
    switch ((enum ir_tex_dim)seen.dim) {
    case IR_TEX_1D:
        d->layers = m->height; /* rows: 1 of a 1D image */
        return (t->dim == IR_TEX_1D && !t->array) || (flat && seen.array && single);
    case IR_TEX_2D:
        d->layers = m->depth; /* slices: 1 of a 2D image */
        return flat || (t->dim == IR_TEX_3D && seen.array && single);
    case IR_TEX_RECT:
        return flat && single;
    case IR_TEX_CUBE:
        d->layers = m->depth / 6;
        return ((t->dim == IR_TEX_2D && t->array) || (t->dim == IR_TEX_3D && single)) && m->width == m->height &&
               m->depth % 6 == 0 && (seen.array || m->depth == 6);
    default:
        return false;
    }
}

/* How lookups that choose their texture at run time see number n, which no lookup names: as what the image is, if one
 * of them looks for that, or else as the first kind that its memory can be. Another kind reads as nothing, so that none
 * is an error. */
static struct kind chosen_kind(const struct binder *b, const struct job_memory *m, uint32_t n)
{
    struct kind kind = {0};
    struct texture_desc d;
    for (unsigned s = 0; s < b->nstages && m->is_texture; s++)
        for (uint32_t i = 0; i < b->stages[s]->ir->ntextures; i++) {
            const struct ir_texture *t = &b->stages[s]->ir->textures[i];
            struct kind seen = {true, t->dim, t->array};
            if (!t->view_arg || t->view > n || t->registers)
                continue;
            if (t->dim == m->texture.dim && t->array == m->texture.array)
                return (struct kind){0};
            if (!kind.named && view_desc(m, seen, &d))
                kind = seen;
        }
    return kind;
}

static weft_status wrong_kind(const struct binder *b, const struct script_binding *bind, const struct job_memory *m,
                              struct kind seen)
{
    static const char *const names[][2] = {[IR_TEX_1D] = {"1D", "1D_ARRAY"},
                                           [IR_TEX_2D] = {"2D", "2D_ARRAY"},
                                           [IR_TEX_3D] = {"3D", "3D"},
                                           [IR_TEX_RECT] = {"RECT", "RECT"},
                                           [IR_TEX_CUBE] = {"CUBE", "CUBE_ARRAY"},
                                           [IR_TEX_BUFFER] = {"BUFFER", "BUFFER"}};
    static const char *const takes[][2] = {
        [IR_TEX_1D] = {"DIM_1D", "DIM_1D with LAYERS, or DIM_2D with one level"},
        [IR_TEX_2D] = {"DIM_2D", "DIM_2D with LAYERS, or DIM_3D with one level"},
        [IR_TEX_3D] = {"DIM_3D", "DIM_3D"},
        [IR_TEX_CUBE] = {"a square DIM_2D with LAYERS 6, or DIM_3D with DEPTH 6 and one level",
                         "a square DIM_2D with LAYERS 6 n, or DIM_3D with DEPTH 6 n and one level"},
        [IR_TEX_RECT] = {"DIM_2D with one level", "DIM_2D with one level"},
        [IR_TEX_BUFFER] = {"a texel buffer", "a texel buffer"}};
    diag_at(b->j->diags, WEFT_ERROR, "texture-kind", &b->j->source, bind->where, NULL,
            "the programs read '%s' as %s, and it cannot be that: it would have to be %s", m->buffer->name,
            names[seen.dim][seen.array], takes[seen.dim][seen.array]);
    return WEFT_ERROR_INPUT;
}

static weft_status make_view(const struct binder *b, const struct script_binding *bind, uint32_t i, struct kind seen,
                             const struct weft_texture **out)
{
    struct job_memory *m = job_memory_of(b->j, bind->buffers[i]);
    struct weft_texture *t = ARENA_NEW(b->arena, struct weft_texture);
    if (!t)
        return job_no_memory(b->j, bind->where);
    struct texture_desc d;
    bool texels = bind->as == SCRIPT_BIND_UNIFORM_TEXEL_BUFFER || bind->as == SCRIPT_BIND_STORAGE_TEXEL_BUFFER;
    if (!m->is_texture || texels) {
        if (!m->format)
            return job_error(b->j, bind->where, "no-format", "'%s' has no pixel format", m->buffer->name);
        d = (struct texture_desc){.format = m->format, .dim = IR_TEX_BUFFER, .height = 1, .depth = 1, .levels = 1};
        struct exec_buffer w = window(b, bind, i);
        d.width = (uint32_t)(w.size / m->format->bytes);
        if (texture_over(&d, w.data, w.size, t) != WEFT_OK)
            return job_error(b->j, bind->where, "texel-buffer",
                             "'%s' cannot be a texel buffer: it is empty or too large", m->buffer->name);
    } else {
        if (!view_desc(m, seen, &d))
            return wrong_kind(b, bind, m, seen);
        if (texture_over(&d, m->data, m->size, t) != WEFT_OK ||
            (bind->base_level && texture_from_level(t, bind->base_level, t) != WEFT_OK))
            return job_error(b->j, bind->where, "texture-kind", "'%s' cannot be seen as the programs do",
                             m->buffer->name);
    }
    *out = t;
    return WEFT_OK;
}

static weft_sampler make_sampler(const struct script_sampler *s)
{
    static const weft_wrap wraps[] = {[SCRIPT_REPEAT] = WEFT_WRAP_REPEAT,
                                      [SCRIPT_MIRRORED_REPEAT] = WEFT_WRAP_MIRROR_REPEAT,
                                      [SCRIPT_CLAMP_TO_EDGE] = WEFT_WRAP_CLAMP_TO_EDGE,
                                      [SCRIPT_CLAMP_TO_BORDER] = WEFT_WRAP_CLAMP_TO_BORDER,
                                      [SCRIPT_MIRROR_CLAMP_TO_EDGE] = WEFT_WRAP_MIRROR_CLAMP_TO_EDGE};
    bool opaque = s->border != SCRIPT_FLOAT_TRANSPARENT_BLACK && s->border != SCRIPT_INT_TRANSPARENT_BLACK;
    bool white = s->border == SCRIPT_FLOAT_OPAQUE_WHITE || s->border == SCRIPT_INT_OPAQUE_WHITE;
    weft_sampler out;
    weft_sampler_init(&out);
    out.mag_filter = s->mag == SCRIPT_LINEAR ? WEFT_LINEAR : WEFT_NEAREST;
    out.min_filter = s->min == SCRIPT_LINEAR ? WEFT_LINEAR : WEFT_NEAREST;
    out.mip_filter = s->unnormalized ? WEFT_MIP_NONE : s->mip == SCRIPT_LINEAR ? WEFT_MIP_LINEAR : WEFT_MIP_NEAREST;
    out.wrap_s = wraps[s->address[0]];
    out.wrap_t = wraps[s->address[1]];
    out.wrap_r = wraps[s->address[2]];
    out.lod_bias = s->lod_bias;
    out.min_lod = s->min_lod;
    out.max_lod = s->max_lod;
    for (unsigned c = 0; c < 4; c++) {
        out.border_int[c] = c == 3 ? opaque : white;
        out.border[c] = (float)out.border_int[c];
    }
    out.max_anisotropy = s->max_anisotropy;
    out.compare = s->compare;
    out.compare_op = (weft_compare)s->compare_op; /* both in Vulkan's order */
    out.unnormalized = s->unnormalized;
    return out;
}

static weft_status bind_textures(const struct binder *b, const struct script_binding *bind)
{
    uint32_t texture = 0, sampler = 0;
    weft_status status = WEFT_OK;
    if (bind->buffers)
        status = number_of(b, bind, JOB_TEXTURE, SET_TEXTURES, RESOURCE_TEXTURES, &texture);
    if (bind->samplers && status == WEFT_OK)
        status = number_of(b, bind, JOB_SAMPLER, SET_TEXTURES, RESOURCE_TEXTURES, &sampler);
    for (uint32_t i = 0; i < bind->count && status == WEFT_OK; i++) {
        if (bind->samplers)
            b->samplers[sampler + i] = make_sampler(bind->samplers[bind->as == SCRIPT_BIND_SAMPLER ? i : 0]);
        if (!bind->buffers)
            continue;
        struct kind seen = texture_kind(b, texture, texture + i);
        if (!seen.named)
            seen = chosen_kind(b, job_memory_of(b->j, bind->buffers[i]), texture + i);
        status = make_view(b, bind, i, seen, &b->out->textures[texture + i]);
    }
    return status;
}

/* ---- images ---- */

static weft_status bind_image(const struct binder *b, const struct script_binding *bind, uint32_t i, struct kind seen,
                              const struct image_view **slot)
{
    struct image_view *view = ARENA_NEW(b->arena, struct image_view);
    if (!view)
        return job_no_memory(b->j, bind->where);
    *slot = view;
    return make_view(b, bind, i, seen, &view->texture);
}

static weft_status bind_images(const struct binder *b, const struct script_binding *bind)
{
    bool storage = bind->set == SET_STORAGE && !b->slots;
    unsigned limit = storage ? RESOURCE_STORAGE : RESOURCE_IMAGES, set = storage ? SET_STORAGE : SET_IMAGES;
    const struct image_view **slots = storage ? b->out->storage_images : b->out->images;
    uint32_t first;
    weft_status status = number_of(b, bind, JOB_IMAGE, set, limit, &first);
    for (uint32_t i = 0; i < bind->count && status == WEFT_OK; i++)
        status = bind_image(b, bind, i, image_kind(b, set, first, first + i), &slots[first + i]);
    return status;
}

/* ---- storage ---- */

/* A buffer is words to RES[n] with RAW, and texels of its own format to one without. */
static weft_status bind_storage(const struct binder *b, const struct script_binding *bind)
{
    weft_status status = bind_buffers(b, bind, JOB_STORAGE, SET_STORAGE, b->out->storage, RESOURCE_STORAGE);
    for (uint32_t i = 0; i < bind->count && status == WEFT_OK && !b->slots; i++) {
        uint32_t n = bind->binding + i;
        struct kind seen = image_kind(b, SET_STORAGE, bind->binding, n);
        if (!seen.named)
            continue;
        if (seen.dim != IR_TEX_BUFFER)
            return job_error(
                b->j, bind->where, "storage",
                "the programs read RES[%u] as an image, and a buffer is bound; bind an IMAGE AS storage_image", n);
        if (!job_memory_of(b->j, bind->buffers[i])->format)
            return job_error(
                b->j, bind->where, "storage",
                "the programs read RES[%u] as texels, and '%s' has no pixel format; give it a FORMAT, or declare "
                "the RES with RAW",
                n, bind->buffers[i]->name);
        status = bind_image(b, bind, i, seen, &b->out->storage_images[n]);
    }
    return status;
}

/* ---- everything ---- */

static weft_status bind_one(const struct binder *b, const struct script_binding *bind)
{
    switch (bind->as) {
    case SCRIPT_BIND_COLOR:
    case SCRIPT_BIND_RESOLVE:
    case SCRIPT_BIND_DEPTH_STENCIL:
        return WEFT_OK; /* run_draw.c */
    case SCRIPT_BIND_UNIFORM:
    case SCRIPT_BIND_UNIFORM_DYNAMIC:
        return bind_buffers(b, bind, JOB_UNIFORM, SET_CONSTANTS, b->out->constants, RESOURCE_CONSTANTS);
    case SCRIPT_BIND_STORAGE:
    case SCRIPT_BIND_STORAGE_DYNAMIC:
        return bind_storage(b, bind);
    case SCRIPT_BIND_PUSH_CONSTANT:
        if (!b->out->constants[PUSH_CONSTANTS].data)
            b->out->constants[PUSH_CONSTANTS] = window(b, bind, 0);
        return WEFT_OK;
    case SCRIPT_BIND_SAMPLED_IMAGE:
    case SCRIPT_BIND_COMBINED_IMAGE_SAMPLER:
    case SCRIPT_BIND_SAMPLER:
    case SCRIPT_BIND_UNIFORM_TEXEL_BUFFER:
        return bind_textures(b, bind);
    case SCRIPT_BIND_STORAGE_IMAGE:
    case SCRIPT_BIND_STORAGE_TEXEL_BUFFER:
        return bind_images(b, bind);
    case SCRIPT_BIND_KERNEL:
        break;
    }
    return job_unsupported(b->j, bind->where, "it is not supported"); /* never: a job with KERNEL is refused */
}

/* Programs that do not say themselves what a texture is. */
static const char *linkage_says(const struct ir_program *ir)
{
    return strcmp(ir->isa, "tesla") == 0 ? "; a line '.link texture N KIND [array] [shadow]' says what it is" : "";
}

/* One texture that a program names. TGSI has names of its own for textures and samplers. */
static weft_status check_texture(const struct binder *b, const struct ir_program *ir, const struct ir_texture *t)
{
    bool tgsi = strcmp(ir->isa, "tgsi") == 0;
    const char *before = tgsi ? "SVIEW[" : "texture ", *after = tgsi ? "]" : "";
    if (t->view >= RESOURCE_TEXTURES || t->sampler >= RESOURCE_TEXTURES)
        return job_error(b->j, b->p->where, "texture-number", "%s%u%s or %s%u%s is above the limit of %d",
                         tgsi ? "SAMP[" : "sampler ", t->sampler, after, before, t->view, after, RESOURCE_TEXTURES - 1);
    if (t->view_arg)
        return WEFT_OK;
    const struct weft_texture *bound = b->out->textures[t->view];
    const struct job_slot *slot = b->slots ? job_slot_numbered(b->j, JOB_TEXTURE, t->view) : NULL;
    if (!bound && slot)
        return job_error(b->j, b->p->where, "no-texture",
                         "a program of '%s' reads texture %s%s%sDESCRIPTOR_SET %u BINDING %u, which is not bound",
                         b->p->name, slot->name && *slot->name ? "'" : "", slot->name ? slot->name : "",
                         slot->name && *slot->name ? "' of " : "", slot->set, slot->binding);
    if (!bound)
        return job_error(b->j, b->p->where, "no-texture",
                         "a program of '%s' reads %s%u%s, and DESCRIPTOR_SET 1 BINDING %u is not bound", b->p->name,
                         before, t->view, after, t->view);
    if (texture_fits(bound, t))
        return WEFT_OK;
    const char *multisampled = bound->samples > 1 ? "multisampled " : "",
               *kind = texture_kind_name(bound->dim, bound->array);
    if (t->registers)
        return job_error(b->j, b->p->where, "texture-kind",
                         "a program of '%s' reads texture %u by %u register%s: too few for what is bound there, %s%s",
                         b->p->name, t->view, t->registers, t->registers == 1 ? "" : "s", multisampled, kind);
    return job_error(b->j, b->p->where, "texture-kind",
                     "a program of '%s' reads %s%u%s as %s, and what is bound there is %s%s%s", b->p->name, before,
                     t->view, after, texture_kind_name(t->dim, t->array), multisampled, kind, linkage_says(ir));
}

/* Textures that programs name and nobody binds. */
static weft_status check_textures(const struct binder *b)
{
    for (unsigned s = 0; s < b->nstages; s++)
        for (uint32_t i = 0; i < b->stages[s]->ir->ntextures; i++) {
            weft_status status = check_texture(b, b->stages[s]->ir, &b->stages[s]->ir->textures[i]);
            if (status != WEFT_OK)
                return status;
        }
    return WEFT_OK;
}

/* Texels that an image of a program is made of, and atomics, are of sizes that the bound image must have: any other
 * would read 0 and store nothing. Images chosen at run time are left to that rule. */
static weft_status check_image(const struct binder *b, const struct ir_image *image, bool atomic)
{
    bool storage = image->binding == IR_IMAGE_RESOURCE;
    unsigned limit = storage ? RESOURCE_STORAGE : RESOURCE_IMAGES;
    if (image->image_arg || image->binding == IR_IMAGE_SPACE || image->image >= limit)
        return WEFT_OK;
    const struct image_view *v = (storage ? b->out->storage_images : b->out->images)[image->image];
    const char *name = storage ? "RES" : "IMAGE";
    if (!v || !v->texture)
        return WEFT_OK;
    const struct format *own = v->texture->format, *named = own;
    if (image->format && image->format < gallium_format_count)
        named = format_find_gallium(gallium_format_names[image->format]);
    if (!named || named->bytes != own->bytes)
        return job_error(b->j, b->p->where, "image-format",
                         "a program of '%s' sees %s[%u] as %s, whose texels have another size than %s, which is bound",
                         b->p->name, name, image->image, gallium_format_names[image->format], own->name);
    if (atomic && !image->raw && own->bytes != 4)
        return job_unsupported(b->j, b->p->where,
                               "atomics of %s[%u] of '%s' are not executed: %s does not hold one number of 32 bits",
                               name, image->image, b->p->name, own->name);
    return WEFT_OK;
}

static weft_status check_images(const struct binder *b)
{
    weft_status status = WEFT_OK;
    for (unsigned s = 0; s < b->nstages; s++) {
        const struct ir_program *ir = b->stages[s]->ir;
        for (uint32_t k = 0; k < ir->nblocks; k++)
            for (uint32_t i = 0; i < ir->blocks[k].count && status == WEFT_OK; i++) {
                const struct ir_op *op = &ir->blocks[k].ops[i];
                if (op->code == IR_SERVICE &&
                    (op->imm == IR_SVC_IMAGE_LOAD || op->imm == IR_SVC_IMAGE_STORE || op->imm == IR_SVC_IMAGE_ATOMIC))
                    status = check_image(b, &ir->images[op->desc], op->imm == IR_SVC_IMAGE_ATOMIC);
            }
    }
    return status;
}

weft_status job_bind(struct weft_job *j, const struct script_pipeline *p, const struct stage *const *stages,
                     unsigned nstages, struct arena *arena, struct resources *out)
{
    struct binder b = {
        j, p, stages, nstages, arena, out, ARENA_ARRAY(arena, weft_sampler, RESOURCE_TEXTURES), job_has_slots(p)};
    if (!b.samplers)
        return job_no_memory(j, p->where);
    for (unsigned i = 0; i < RESOURCE_TEXTURES; i++)
        weft_sampler_init(&b.samplers[i]);
    *out = (struct resources){.samplers = b.samplers, .level = j->level};
    weft_status status = WEFT_OK;
    /* Push constants give way to set 0, wherever they are written. */
    for (unsigned pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < p->nbindings && status == WEFT_OK; i++)
            if ((p->bindings[i].as == SCRIPT_BIND_PUSH_CONSTANT) == (pass == 1))
                status = bind_one(&b, &p->bindings[i]);
    resources_map(out);
    if (status == WEFT_OK)
        status = check_textures(&b);
    return status == WEFT_OK ? check_images(&b) : status;
}

const char *job_buffer_of(const struct weft_job *j, const struct outside *o, const struct resources *r)
{
    if (!o->ir || o->first.is_register)
        return NULL;
    const struct ir_space *s = &o->ir->spaces[o->first.place];
    const uint8_t *data = s->kind == IR_SPACE_CONST && s->slot < RESOURCE_CONSTANTS  ? r->constants[s->slot].data
                          : s->kind == IR_SPACE_GLOBAL && s->slot < RESOURCE_STORAGE ? r->storage[s->slot].data
                                                                                     : NULL;
    for (uint32_t i = 0; data && i < j->script->nbuffers; i++) {
        const struct job_memory *m = &j->memories[i];
        if (m->data && data >= m->data && (size_t)(data - m->data) < m->size)
            return m->buffer->name;
    }
    return NULL;
}
