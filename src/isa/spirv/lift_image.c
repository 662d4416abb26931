/* lift_image.c - sampling, fetching, gathering and asking about textures; reading and writing of storage images. */
#include "isa/spirv/image.h"

static bool is_integer(const struct spirv_lifter *l, ir_value v)
{
    return ir_type_of(&l->b, v) >= IR_I8 && ir_type_of(&l->b, v) <= IR_I64;
}

/* A float or an integer of an operand as one of 32 bits. */
static ir_value as_word(struct spirv_lifter *l, ir_value v)
{
    enum ir_type type = ir_type_of(&l->b, v);
    if (type == IR_F16)
        return spirv_cvt(l, IR_F2F, IR_F32, v);
    if (type == IR_I16 || type == IR_I8)
        return spirv_cvt(l, IR_SEXT, IR_I32, v);
    return type == IR_I64 ? spirv_cvt(l, IR_TRUNC, IR_I32, v) : v;
}

/* At least n coordinates, all floats or all integers; NULL after an error. */
static const ir_value *coordinates(struct spirv_lifter *l, uint32_t id, uint32_t n, bool integers)
{
    uint32_t have;
    const ir_value *a = spirv_use(l, id, &have);
    bool fits = a && have >= n;
    for (uint32_t i = 0; fits && i < have; i++)
        fits = is_integer(l, a[i]) == integers && ir_type_of(&l->b, a[i]) != IR_I1 && ir_type_of(&l->b, a[i]) != IR_F64;
    if (fits)
        return a;
    spirv_wrong(l, "the coordinate is not of %u %s", n, integers ? "integers" : "floats");
    return NULL;
}

static ir_value scalar(struct spirv_lifter *l, uint32_t id, bool integer)
{
    const ir_value *a = coordinates(l, id, 1, integer);
    return a ? as_word(l, a[0]) : 0;
}

/* Append n scalars of an operand. */
static bool append(struct spirv_lifter *l, struct lift_arguments *args, uint32_t id, unsigned n, bool integers)
{
    const ir_value *a = coordinates(l, id, n, integers);
    for (unsigned i = 0; a && i < n; i++)
        lift_argument(args, as_word(l, a[i]));
    return a != NULL;
}

/* ---- textures ---- */

static struct ir_texture texture_of(const struct spirv_image *image, unsigned op)
{
    return (struct ir_texture){.op = (uint8_t)op,
                               .dim = image->dim,
                               .array = image->array,
                               .multisample = image->multisample,
                               .view = image->view,
                               .sampler = image->sampler,
                               .view_arg = image->view_chosen != 0,
                               .sampler_arg = image->sampler_chosen != 0};
}

/* What the program chose of an array of textures and samplers. */
static void append_chosen(struct lift_arguments *args, const struct spirv_image *image)
{
    if (image->view_chosen)
        lift_argument(args, image->view_chosen);
    if (image->sampler_chosen)
        lift_argument(args, image->sampler_chosen);
}

/* The four results, of the image's type. */
static bool read_texels(struct spirv_lifter *l, const struct spirv_image *image, struct ir_texture t,
                        struct lift_arguments *args, ir_value v[4])
{
    append_chosen(args, image);
    if (l->failed)
        return false;
    ir_value first = ir_texture_op(&l->b, t, image->is_float ? IR_F32 : IR_I32, args->v, args->n);
    for (unsigned i = 0; first && i < 4; i++)
        v[i] = first + i;
    return first != 0;
}

/* What the instruction gives: four, or one of a comparison. */
static void finish(struct spirv_lifter *l, const struct spirv_image *image, struct ir_texture t,
                   struct lift_arguments *args, bool single)
{
    ir_value v[4];
    if (read_texels(l, image, t, args, v))
        spirv_result(l, v, single ? 1 : 4);
}

/* Coordinates and layer; projective ones are divided by the last. */
static bool append_place(struct spirv_lifter *l, struct lift_arguments *args, const struct spirv_image *image,
                         uint32_t id, bool projective, bool integers)
{
    unsigned n = image->coordinates + image->array + projective;
    const ir_value *a = coordinates(l, id, n, integers);
    if (!a)
        return false;
    ir_value q = projective ? as_word(l, a[n - 1]) : 0;
    for (unsigned i = 0; i < n - projective; i++)
        lift_argument(args, q ? spirv_2(l, IR_FDIV, as_word(l, a[i]), q) : as_word(l, a[i]));
    return true;
}

static void append_offset(struct spirv_lifter *l, struct lift_arguments *args, const struct spirv_image *image,
                          const struct spirv_image_operands *o, struct ir_texture *t)
{
    t->has_offset = o->offset != 0;
    if (o->offset)
        append(l, args, o->offset, image->coordinates, true);
}

enum { COMPARES = 1, PROJECTIVE = 2 };

void spirv_lift_sample(struct spirv_lifter *l, const uint32_t *w)
{
    const struct spirv_meaning *m = l->meaning;
    bool compares = m->attr & COMPARES, projective = m->attr & PROJECTIVE;
    struct spirv_image image;
    struct spirv_image_operands o;
    struct lift_arguments args = {.n = 0};
    if (!spirv_image_of(l, w[3], false, &image) || !spirv_image_operands_of(l, compares ? 6 : 5, &o) ||
        !append_place(l, &args, &image, w[4], projective, false))
        return;
    struct ir_texture t = texture_of(&image, m->op);
    t.shadow = t.compares = compares;
    if (compares) {
        ir_value reference = scalar(l, w[5], false);
        if (!reference)
            return;
        if (projective) {
            const ir_value *a = coordinates(l, w[4], image.coordinates + 1, false);
            reference = a ? spirv_2(l, IR_FDIV, reference, as_word(l, a[image.coordinates])) : reference;
        }
        lift_argument(&args, reference);
    }
    if (o.dx) {
        t.op = IR_TEX_GRAD;
        append(l, &args, o.dx, image.coordinates, false);
        append(l, &args, o.dy, image.coordinates, false);
    } else if (o.lod || o.bias) {
        t.op = o.lod ? IR_TEX_LOD : IR_TEX_BIAS;
        ir_value level = scalar(l, o.lod ? o.lod : o.bias, false);
        if (level)
            lift_argument(&args, level);
    } else if (t.op == IR_TEX_SAMPLE && !l->b.p->io.uses_derivatives) {
        t.op = IR_TEX_LOD; /* without derivatives it is level 0 */
        lift_argument(&args, spirv_f32(l, 0));
    }
    t.min_lod = o.min_lod != 0;
    if (t.min_lod)
        append(l, &args, o.min_lod, 1, false);
    append_offset(l, &args, &image, &o, &t);
    finish(l, &image, t, &args, compares);
}

void spirv_lift_fetch(struct spirv_lifter *l, const uint32_t *w)
{
    struct spirv_image image;
    struct spirv_image_operands o;
    struct lift_arguments args = {.n = 0};
    if (!spirv_image_of(l, w[3], false, &image) || !spirv_image_operands_of(l, 5, &o) ||
        !append_place(l, &args, &image, w[4], false, true))
        return;
    struct ir_texture t = texture_of(&image, IR_TEX_FETCH);
    bool level = image.dim != IR_TEX_BUFFER && image.dim != IR_TEX_RECT && !image.multisample;
    if (image.multisample) {
        ir_value sample = o.sample ? scalar(l, o.sample, true) : spirv_i32(l, 0);
        if (sample)
            lift_argument(&args, sample);
    }
    if (level) {
        ir_value lod = o.lod ? scalar(l, o.lod, true) : spirv_i32(l, 0);
        if (lod)
            lift_argument(&args, lod);
    }
    append_offset(l, &args, &image, &o, &t);
    finish(l, &image, t, &args, false);
}

/* Four texels, each at an offset of its own: the last one of what is gathered there. */
static void gather_at_offsets(struct spirv_lifter *l, const struct spirv_image *image, struct ir_texture t,
                              const struct lift_arguments *place, uint32_t offsets)
{
    uint32_t count;
    const ir_value *by = spirv_use(l, offsets, &count);
    ir_value v[4];
    bool fits = by && count == 4 * image->coordinates;
    for (uint32_t i = 0; fits && i < count; i++)
        fits = is_integer(l, by[i]);
    if (!fits) {
        spirv_wrong(l, "its offsets are not four vectors of %u integers", image->coordinates);
        return;
    }
    t.has_offset = true;
    for (unsigned k = 0; k < 4; k++) {
        struct lift_arguments args = *place;
        ir_value texels[4];
        for (unsigned c = 0; c < image->coordinates; c++)
            lift_argument(&args, as_word(l, by[k * image->coordinates + c]));
        if (!read_texels(l, image, t, &args, texels))
            return;
        v[k] = texels[3];
    }
    spirv_result(l, v, 4);
}

void spirv_lift_gather(struct spirv_lifter *l, const uint32_t *w)
{
    bool compares = l->meaning->op;
    struct spirv_image image;
    struct spirv_image_operands o;
    struct lift_arguments args = {.n = 0};
    uint64_t component = 0;
    if (!spirv_image_of(l, w[3], false, &image) || !spirv_image_operands_of(l, 6, &o) ||
        !append_place(l, &args, &image, w[4], false, false))
        return;
    struct ir_texture t = texture_of(&image, IR_TEX_GATHER);
    if (compares) {
        ir_value reference = scalar(l, w[5], false);
        if (!reference)
            return;
        lift_argument(&args, reference);
        t.shadow = t.compares = true;
    } else if (!spirv_constant(l, w[5], &component) || component > 3) {
        spirv_wrong(l, "the component is not a constant from 0 to 3");
        return;
    }
    t.gather_component = (uint8_t)component;
    if (o.offsets) {
        gather_at_offsets(l, &image, t, &args, o.offsets);
        return;
    }
    append_offset(l, &args, &image, &o, &t);
    finish(l, &image, t, &args, false);
}

void spirv_lift_sampled_image(struct spirv_lifter *l, const uint32_t *w)
{
    const ir_value *which[2];
    const struct spirv_opaque *image = spirv_use_opaque(l, w[3], &which[0]);
    const struct spirv_opaque *sampler = image ? spirv_use_opaque(l, w[4], &which[1]) : NULL;
    if (!sampler)
        return;
    struct spirv_opaque o = *image;
    ir_value none = spirv_i32(l, 0);
    o.sampler = sampler->sampler;
    o.sampler_index = sampler->sampler_index;
    o.sampler_chosen = sampler->sampler_chosen;
    spirv_result_opaque(
        l, &o, (const ir_value[]){o.image_chosen ? which[0][0] : none, o.sampler_chosen ? which[1][1] : none});
}

void spirv_lift_image(struct spirv_lifter *l, const uint32_t *w)
{
    const ir_value *chosen;
    const struct spirv_opaque *e = spirv_use_opaque(l, w[3], &chosen);
    if (!e)
        return;
    struct spirv_opaque o = *e;
    o.sampler = 0;
    spirv_result_opaque(l, &o, chosen);
}

/* ---- questions ---- */

/* Whether it is of a storage image: Sampled is 2. */
static bool is_storage(struct spirv_lifter *l, uint32_t id)
{
    const struct spirv_value *e = &l->values[id];
    return e->what == SPIRV_OPAQUE && e->opaque.type && spirv_type(l, e->opaque.type)->w[7] == 2;
}

static struct ir_image storage_of(const struct spirv_image *image)
{
    return (struct ir_image){.dim = image->dim,
                             .array = image->array,
                             .multisample = image->multisample,
                             .is_float = image->is_float,
                             .image = image->view,
                             .image_arg = image->view_chosen != 0,
                             .binding = IR_IMAGE_IMAGE};
}

/* Sizes in the order of the coordinates: width, height, depth, layers. */
static void result_size(struct spirv_lifter *l, const struct spirv_image *image, ir_value first)
{
    unsigned sides = image->dim == IR_TEX_CUBE ? 2 : image->coordinates;
    ir_value v[4];
    for (unsigned i = 0; i < sides; i++)
        v[i] = first + i;
    /* layers are in y of a 1D array, in z of the others */
    if (image->array)
        v[sides] = first + (image->dim == IR_TEX_1D ? 1 : 2);
    spirv_result(l, v, sides + image->array);
}

void spirv_lift_query_size(struct spirv_lifter *l, const uint32_t *w)
{
    struct spirv_image image;
    struct lift_arguments args = {.n = 0};
    bool storage = is_storage(l, w[3]), lod = l->meaning->op;
    if (!spirv_image_of(l, w[3], storage, &image))
        return;
    if (storage) {
        append_chosen(&args, &image);
        result_size(l, &image, ir_image_op(&l->b, IR_SVC_RESOURCE_SIZE, storage_of(&image), args.v, args.n));
        return;
    }
    struct ir_texture t = texture_of(&image, IR_TEX_QUERY_SIZE);
    bool level = image.dim != IR_TEX_BUFFER && image.dim != IR_TEX_RECT && !image.multisample;
    ir_value at = lod ? scalar(l, w[4], true) : spirv_i32(l, 0);
    if (level && at)
        lift_argument(&args, at);
    append_chosen(&args, &image);
    if (at)
        result_size(l, &image, ir_texture_op(&l->b, t, IR_I32, args.v, args.n));
}

void spirv_lift_query_levels(struct spirv_lifter *l, const uint32_t *w)
{
    struct spirv_image image;
    if (!spirv_image_of(l, w[3], false, &image))
        return;
    struct lift_arguments args = {.v = {spirv_i32(l, 0)}, .n = 1};
    append_chosen(&args, &image);
    ir_value v = ir_texture_op(&l->b, texture_of(&image, IR_TEX_QUERY_SIZE), IR_I32, args.v, args.n);
    v = v ? v + 3 : 0;
    spirv_result(l, &v, 1);
}

void spirv_lift_query_samples(struct spirv_lifter *l, const uint32_t *w)
{
    struct spirv_image image;
    bool storage = is_storage(l, w[3]);
    if (!spirv_image_of(l, w[3], storage, &image))
        return;
    struct lift_arguments args = {.n = 0};
    append_chosen(&args, &image);
    ir_value v = storage
                     ? ir_image_op(&l->b, IR_SVC_RESOURCE_SIZE, storage_of(&image), args.v, args.n)
                     : ir_texture_op(&l->b, texture_of(&image, IR_TEX_QUERY_SAMPLES), IR_I32, args.v, args.n);
    v = storage && v ? v + 3 : v;
    spirv_result(l, &v, 1);
}

void spirv_lift_query_lod(struct spirv_lifter *l, const uint32_t *w)
{
    struct spirv_image image;
    struct lift_arguments args = {.n = 0};
    if (!spirv_image_of(l, w[3], false, &image) || !append(l, &args, w[4], image.coordinates, false))
        return;
    if (image.array)
        lift_argument(&args, spirv_f32(l, 0));
    append_chosen(&args, &image);
    ir_value first = ir_texture_op(&l->b, texture_of(&image, IR_TEX_QUERY_LOD), IR_F32, args.v, args.n);
    ir_value v[2] = {first, first ? first + 1 : 0};
    spirv_result(l, v, 2);
}

/* ---- storage images ---- */

/* Coordinates, layer and sample. Those of cubes are two and face + 6 * layer already. */
static bool place_of(struct spirv_lifter *l, struct lift_arguments *args, struct spirv_image *image, uint32_t id,
                     const struct spirv_image_operands *o)
{
    unsigned sides = image->dim == IR_TEX_CUBE ? 2 : image->coordinates;
    unsigned count = sides + (image->array || image->dim == IR_TEX_CUBE);
    if (!append(l, args, id, count, true))
        return false;
    if (image->multisample) {
        ir_value sample = o->sample ? scalar(l, o->sample, true) : spirv_i32(l, 0);
        if (!sample)
            return false;
        lift_argument(args, sample);
    }
    return true;
}

/* The flat address of a texel, for what images themselves do not do: 64 bits, and atomics on floats. */
static ir_value address_of(struct spirv_lifter *l, const struct spirv_image *image, struct lift_arguments *args)
{
    struct ir_image of = storage_of(image);
    of.is_float = false;
    append_chosen(args, image);
    ir_value low = ir_image_op(&l->b, IR_SVC_IMAGE_ADDRESS, of, args->v, args->n);
    return spirv_emit(l, IR_PACK64, IR_I64, 0, (const ir_value[]){low, low + 1}, 2, 0);
}

static struct ir_mem texel_at(struct spirv_lifter *l, enum ir_type type)
{
    return (struct ir_mem){.space = (uint16_t)spirv_flat_space(l), .elem = (uint8_t)type, .count = 1};
}

static bool is_input_attachment(struct spirv_lifter *l, uint32_t id)
{
    const struct spirv_value *e = &l->values[id];
    return e->what == SPIRV_OPAQUE && e->opaque.type &&
           spirv_type(l, e->opaque.type)->w[3] == SpvDimSubpassData;
}

/* The texel of the fragment's own pixel: coordinates count from there. */
static void read_attachment(struct spirv_lifter *l, const uint32_t *w)
{
    static const enum ir_sysval own[] = {IR_SYS_FRAG_X, IR_SYS_FRAG_Y};
    struct spirv_image image;
    struct spirv_image_operands o;
    struct lift_arguments args = {.n = 0};
    const ir_value *at = coordinates(l, w[4], 2, true);
    if (!at || !spirv_image_of(l, w[3], false, &image) || !spirv_image_operands_of(l, 5, &o))
        return;
    for (unsigned c = 0; c < 2; c++) {
        ir_value place = spirv_sysval(l, own[c], IR_F32, 0);
        ir_value pixel = spirv_emit(l, IR_F2S, IR_I32, IR_RTZ, &place, 1, 0);
        lift_argument(&args, spirv_2(l, IR_ADD, pixel, as_word(l, at[c])));
    }
    ir_value sample = image.multisample && o.sample ? scalar(l, o.sample, true) : spirv_i32(l, 0);
    lift_argument(&args, sample); /* or level 0 */
    ir_value v[4];
    uint32_t count = spirv_type(l, w[1])->scalars;
    if (sample && read_texels(l, &image, texture_of(&image, IR_TEX_FETCH), &args, v))
        spirv_result(l, v, count < 4 ? count : 4);
}

void spirv_lift_image_read(struct spirv_lifter *l, const uint32_t *w)
{
    struct spirv_image image;
    struct spirv_image_operands o;
    struct lift_arguments args = {.n = 0};
    if (is_input_attachment(l, w[3])) {
        read_attachment(l, w);
        return;
    }
    if (!spirv_image_of(l, w[3], true, &image) || !spirv_image_operands_of(l, 5, &o) ||
        !place_of(l, &args, &image, w[4], &o))
        return;
    ir_value v[4];
    if (image.wide) {
        v[0] = ir_load(&l->b, texel_at(l, IR_I64), IR_I64, address_of(l, &image, &args));
        v[1] = v[2] = spirv_const(l, IR_I64, 0);
        v[3] = spirv_const(l, IR_I64, 1);
    } else {
        append_chosen(&args, &image);
        ir_value first = ir_image_op(&l->b, IR_SVC_IMAGE_LOAD, storage_of(&image), args.v, args.n);
        for (unsigned i = 0; i < 4; i++)
            v[i] = first + i;
    }
    uint32_t count = spirv_type(l, w[1])->scalars;
    spirv_result(l, v, count < 4 ? count : 4);
}

void spirv_lift_image_write(struct spirv_lifter *l, const uint32_t *w)
{
    struct spirv_image image;
    struct spirv_image_operands o;
    struct lift_arguments args = {.n = 0};
    uint32_t count;
    if (!spirv_image_of(l, w[1], true, &image) || !spirv_image_operands_of(l, 4, &o) ||
        !place_of(l, &args, &image, w[2], &o))
        return;
    const ir_value *a = spirv_use(l, w[3], &count);
    enum ir_type type = image.is_float ? IR_F32 : image.wide ? IR_I64 : IR_I32;
    bool fits = a && count;
    for (uint32_t i = 0; fits && i < count; i++)
        fits = ir_type_of(&l->b, a[i]) == type;
    if (!fits) {
        spirv_wrong(l, "the texel is not of the image's type");
        return;
    }
    if (image.wide) {
        ir_store(&l->b, texel_at(l, IR_I64), address_of(l, &image, &args), a, 0);
        return;
    }
    for (uint32_t i = 0; i < 4; i++)
        lift_argument(&args, i < count ? a[i] : spirv_const(l, type, 0));
    append_chosen(&args, &image);
    ir_image_op(&l->b, IR_SVC_IMAGE_STORE, storage_of(&image), args.v, args.n);
}

/* ---- atomics on texels ---- */

void spirv_lift_texel_pointer(struct spirv_lifter *l, const uint32_t *w)
{
    struct spirv_pointer p;
    ir_value dynamic;
    const struct spirv_type *to = spirv_type(l, w[1]);
    if (!spirv_pointer_of(l, w[3], &p, &dynamic))
        return;
    if (p.place != SPIRV_RESOURCE || spirv_type(l, p.type)->kind != SPIRV_T_IMAGE || to->kind != SPIRV_T_POINTER) {
        spirv_wrong(l, "its operand is not an image");
        return;
    }
    if (spirv_type(l, to->elem)->ir != spirv_type(l, spirv_type(l, p.type)->w[2])->ir) {
        spirv_wrong(l, "the texel is not of the image's type");
        return;
    }
    p.image = p.type;
    p.type = to->elem;
    p.place = SPIRV_TEXEL;
    p.coordinate = w[4];
    p.sample = w[5];
    spirv_result_pointer(l, &p, dynamic);
}

/* The image and the place of a texel; false after an error. */
static bool texel_of(struct spirv_lifter *l, const struct spirv_pointer *p, ir_value chosen, struct spirv_image *image,
                     struct lift_arguments *args)
{
    struct spirv_opaque o = {.image = p->var, .image_index = p->index, .image_chosen = p->dynamic, .type = p->image};
    struct spirv_image_operands operands = {.sample = p->sample};
    args->n = 0;
    return spirv_image_from(l, &o, &chosen, true, image) && place_of(l, args, image, p->coordinate, &operands);
}

ir_value spirv_texel_atomic(struct spirv_lifter *l, const struct spirv_pointer *p, ir_value chosen, enum ir_atomic op,
                            ir_value value, ir_value compare)
{
    struct spirv_image image;
    struct lift_arguments args;
    if (!texel_of(l, p, chosen, &image, &args))
        return 0;
    if (image.wide || image.is_float) {
        enum ir_type type = ir_type_of(&l->b, value);
        ir_value a[3] = {address_of(l, &image, &args), value, compare};
        uint32_t mem = ir_add_mem(l->b.p, texel_at(l, type));
        return ir_emit(&l->b, IR_ATOMIC, type, 0, 1, a, compare ? 3 : 2, mem, op, 0);
    }
    lift_argument(&args, value);
    if (compare)
        lift_argument(&args, compare);
    append_chosen(&args, &image);
    struct ir_image to = storage_of(&image);
    to.atomic = (uint8_t)op;
    return ir_image_op(&l->b, IR_SVC_IMAGE_ATOMIC, to, args.v, args.n);
}

ir_value spirv_texel_load(struct spirv_lifter *l, const struct spirv_pointer *p, ir_value chosen)
{
    struct spirv_image image;
    struct lift_arguments args;
    enum ir_type type = (enum ir_type)spirv_type(l, p->type)->ir;
    if (!texel_of(l, p, chosen, &image, &args))
        return 0;
    if (image.wide)
        return ir_load(&l->b, texel_at(l, type), type, address_of(l, &image, &args));
    append_chosen(&args, &image);
    return ir_image_op(&l->b, IR_SVC_IMAGE_LOAD, storage_of(&image), args.v, args.n);
}
