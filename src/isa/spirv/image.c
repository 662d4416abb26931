/* image.c - images and the operands of image instructions. */
#include "isa/spirv/image.h"

static bool dimension(struct spirv_lifter *l, uint32_t dim, struct spirv_image *out)
{
    static const struct {
        uint8_t dim, coordinates;
    } dims[] = {[SpvDim1D] = {IR_TEX_1D, 1},     [SpvDim2D] = {IR_TEX_2D, 2},     [SpvDim3D] = {IR_TEX_3D, 3},
                [SpvDimCube] = {IR_TEX_CUBE, 3}, [SpvDimRect] = {IR_TEX_RECT, 2}, [SpvDimBuffer] = {IR_TEX_BUFFER, 1},
                [SpvDimSubpassData] = {IR_TEX_2D, 2}};
    if (dim >= sizeof dims / sizeof *dims) {
        spirv_wrong(l, "images of dimension %s are not executed", spirv_enumerant_of("Dim", dim));
        return false;
    }
    out->dim = dims[dim].dim;
    out->coordinates = dims[dim].coordinates;
    return true;
}

bool spirv_image_of(struct spirv_lifter *l, uint32_t id, bool storage, struct spirv_image *out)
{
    const ir_value *chosen;
    const struct spirv_opaque *o = spirv_use_opaque(l, id, &chosen);
    if (o && o->image)
        return spirv_image_from(l, o, chosen, storage, out);
    spirv_wrong(l, "%s is not an image", spirv_name(l->m, l->arena, id));
    return false;
}

bool spirv_image_from(struct spirv_lifter *l, const struct spirv_opaque *o, const ir_value *chosen, bool storage,
                      struct spirv_image *out)
{
    *out = (struct spirv_image){0};
    const struct spirv_type *t = spirv_type(l, o->type);
    if (t->kind != SPIRV_T_IMAGE || !dimension(l, t->w[3], out))
        return false;
    out->array = t->w[5] != 0;
    out->multisample = t->w[6] != 0;
    out->format = t->w[8];
    const struct spirv_type *sampled = spirv_type(l, t->w[2]);
    out->is_float = sampled->kind == SPIRV_T_FLOAT;
    out->wide = storage && sampled->bits == 64 && !out->is_float;
    if (sampled->bits != 32 && !out->wide) {
        spirv_wrong(l, "images of numbers of %u bits are not executed", sampled->bits);
        return false;
    }
    uint32_t kind = storage ? SPIRV_IMAGE : SPIRV_TEXTURE;
    out->view = (uint16_t)spirv_resource_number(l, o->image, kind, o->image_index);
    out->sampler = out->view;
    if (o->sampler)
        out->sampler = (uint16_t)spirv_resource_number(l, o->sampler, SPIRV_SAMPLER, o->sampler_index);
    out->view_chosen = o->image_chosen ? chosen[0] : 0;
    out->sampler_chosen = o->sampler && o->sampler_chosen ? chosen[1] : 0;
    return !l->failed;
}

bool spirv_image_operands_of(struct spirv_lifter *l, unsigned at, struct spirv_image_operands *out)
{
    *out = (struct spirv_image_operands){0};
    if (at >= l->nw)
        return true;
    uint32_t mask = l->w[at++];
    uint32_t *const ids[] = {&out->bias,   &out->lod,    NULL, NULL /* offset, constant or not: below */,
                             &out->offset, &out->offsets, &out->sample, &out->min_lod};
    for (unsigned bit = 0; bit < 32; bit++) {
        if (!(mask >> bit & 1))
            continue;
        if (bit == 2) { /* two ids */
            out->dx = l->w[at++];
            out->dy = l->w[at++];
        } else if (bit == 3) {
            out->offset = l->w[at++];
        } else if (bit < 8) {
            *ids[bit] = l->w[at++];
        } else if (bit == 8 || bit == 9) { /* what MakeTexelAvailable and MakeTexelVisible need is a scope */
            at++;
        } else if (bit == 12 || bit == 13) {
            *(bit == 12 ? &out->sign_extend : &out->zero_extend) = true;
        } else if (bit != 10 && bit != 11 && bit != 14) {
            spirv_wrong(l, "an image operand is not executed");
            return false;
        }
    }
    return !l->failed;
}
