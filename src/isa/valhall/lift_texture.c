/* lift_texture.c - texture messages: TEX_* with staging registers, and VAR_TEX_* that take their coordinates from a
 * varying.
 *
 * Staging registers come in this order, each where the instruction needs it: coordinates (of a cube the face in the
 * upper bits of s, then t), array layer, reference value, offsets, level of detail or bias in signed 8.8 fixed point,
 * or the gradient descriptor. The bytes of the offsets are x, y, z; those of TEX_FETCH x, y, z or the sample, and the
 * level (Mesa's compiler packs them so). The handle has sampler table and index in its low half, those of the texture
 * in the high half (11 bits of index each); wide indices have a word for each: the sampler's, then the texture's. */
#include "isa/valhall/lift.h"
#include "isa/valhall/lift_rows.h"

enum { NARROW_INDEX = 0x7ff, WIDE_INDEX = 0xffffff };

struct access {
    struct valhall_lifter *l;
    const struct valhall_insn *insn;
    struct ir_texture ir;
    struct lift_arguments args;
    unsigned next, count;                          /* staging registers: the next one, how many there are */
    ir_value coordinates[VALHALL_MOST_COMPONENTS]; /* VAR_TEX: what the varying has, instead of registers */
    bool from_varying;
    ir_value view, sampler; /* numbers that only the lanes know */
};

/* The next register; 0 where the program gave fewer than the instruction takes. */
static ir_value next_register(struct access *a)
{
    if (a->next >= a->count)
        return valhall_i32(a->l, 0);
    unsigned i = a->next++;
    if (a->from_varying)
        return ir_as(&a->l->b, IR_I32, a->coordinates[i]);
    return valhall_get(a->l, a->insn->staging[1].base + i);
}

static ir_value as_float(struct access *a, ir_value v)
{
    return ir_as(&a->l->b, IR_F32, v);
}

static unsigned dimensions(const struct access *a)
{
    return a->ir.dim == IR_TEX_1D ? 1 : a->ir.dim == IR_TEX_2D ? 2 : 3;
}

/* ---- coordinates ---- */

/* s and t on a face become a direction: the inverse of what CUBE_SSEL and CUBE_TSEL do, with 1 along the axis. Bit 29
 * of s is set in every float from 2^-63 to 1, so the face's bits take nothing away from it. */
static void push_cube(struct access *a)
{
    enum { FACE_SHIFT = 29 };
    struct ir_builder *b = &a->l->b;
    ir_value packed = next_register(a), t = as_float(a, next_register(a));
    ir_value face = ir_op2(b, IR_SHR_U, 0, packed, valhall_i32(a->l, FACE_SHIFT));
    ir_value s = ir_op2(b, IR_AND, 0, packed, valhall_i32(a->l, (1u << FACE_SHIFT) - 1));
    s = as_float(a, ir_op2(b, IR_OR, 0, s, valhall_i32(a->l, 1u << FACE_SHIFT)));
    ir_value one = ir_const_f32(b, 1), minus = ir_const_f32(b, -1), two = ir_const_f32(b, 2);
    ir_value sc = ir_op3(b, IR_FFMA, 0, s, two, minus), tc = ir_op3(b, IR_FFMA, 0, t, two, minus);
    ir_value down = ir_op1(b, IR_FNEG, 0, tc), left = ir_op1(b, IR_FNEG, 0, sc);
    const ir_value directions[6][3] = {{one, down, left}, {minus, down, sc}, {sc, one, tc},
                                       {sc, minus, down}, {sc, down, one},   {left, down, minus}};
    for (unsigned i = 0; i < 3; i++) {
        ir_value v = directions[5][i];
        for (unsigned f = 5; f-- > 0;)
            v = ir_select(b, ir_op2(b, IR_EQ, 0, face, valhall_i32(a->l, f)), directions[f][i], v);
        lift_argument(&a->args, v);
    }
}

/* Offsets of texels: a signed byte for each coordinate. */
static void push_offsets(struct access *a, ir_value packed)
{
    if (!a->ir.has_offset)
        return;
    for (unsigned i = 0; i < dimensions(a); i++) {
        ir_value v = ir_op2(&a->l->b, IR_SHL, 0, packed, valhall_i32(a->l, 24 - 8 * i));
        lift_argument(&a->args, ir_op2(&a->l->b, IR_SHR_S, 0, v, valhall_i32(a->l, 24)));
    }
}

/* Signed 8.8 fixed point in the low half. */
static ir_value level(struct access *a, ir_value v)
{
    struct ir_builder *b = &a->l->b;
    v = ir_op2(b, IR_SHR_S, 0, ir_op2(b, IR_SHL, 0, v, valhall_i32(a->l, 16)), valhall_i32(a->l, 16));
    return ir_op2(b, IR_FMUL, 0, ir_cvt(b, IR_S2F, IR_F32, 0, v), ir_const_f32(b, 1.0f / 256));
}

static void push_choice(struct access *a)
{
    if (a->ir.view_arg)
        lift_argument(&a->args, a->view);
    if (a->ir.sampler_arg)
        lift_argument(&a->args, a->sampler);
}

/* Integer coordinates of a gather name the first of its texels: the footprint's middle is one further. */
static void push_texel_coordinates(struct access *a)
{
    struct ir_builder *b = &a->l->b;
    struct ir_texture size = {.op = IR_TEX_QUERY_SIZE,
                              .dim = a->ir.dim,
                              .array = a->ir.array,
                              .zero_lod = true,
                              .view = a->ir.view,
                              .view_arg = a->ir.view_arg};
    ir_value first = ir_texture_op(b, size, IR_I32, &a->view, a->ir.view_arg ? 1 : 0);
    for (unsigned i = 0; i < dimensions(a); i++) {
        ir_value v = ir_cvt(b, IR_S2F, IR_F32, 0, ir_op2(b, IR_ADD, 0, next_register(a), valhall_i32(a->l, 1)));
        lift_argument(&a->args, ir_op2(b, IR_FDIV, 0, v, ir_cvt(b, IR_S2F, IR_F32, 0, first + i)));
    }
}

static void push_sample(struct access *a)
{
    ir_value layer = 0, reference = 0, offsets = 0, lod = 0;
    if (valhall_has_flag(a->insn, VALHALL_MOD_INTEGER_COORDINATES) && a->ir.op == IR_TEX_GATHER)
        push_texel_coordinates(a);
    else if (a->ir.dim == IR_TEX_CUBE && !a->from_varying)
        push_cube(a);
    else /* a varying has the direction itself: what has a face in it cannot be interpolated */
        for (unsigned i = 0; i < dimensions(a); i++)
            lift_argument(&a->args, as_float(a, next_register(a)));
    if (a->ir.array)
        layer = as_float(a, next_register(a));
    if (a->ir.shadow)
        reference = as_float(a, next_register(a));
    if (a->ir.has_offset)
        offsets = next_register(a);
    if (a->ir.op == IR_TEX_BIAS || (a->ir.op == IR_TEX_LOD && !a->ir.zero_lod))
        lod = level(a, next_register(a));
    if (layer)
        lift_argument(&a->args, layer);
    if (reference)
        lift_argument(&a->args, reference);
    if (lod)
        lift_argument(&a->args, lod);
    if (a->ir.dim == IR_TEX_CUBE)
        a->ir.has_offset = false;
    push_offsets(a, offsets);
    push_choice(a);
}

static ir_value byte_of(struct access *a, ir_value packed, unsigned i)
{
    return ir_op2(&a->l->b, IR_AND, 0, ir_op2(&a->l->b, IR_SHR_U, 0, packed, valhall_i32(a->l, 8 * i)),
                  valhall_i32(a->l, 0xff));
}

/* The sample of a texture that has several is where 3D textures have the offset of z. */
static void push_fetch_sample(struct access *a, ir_value offsets)
{
    a->ir.multisample = a->ir.dim == IR_TEX_2D;
    if (a->ir.multisample)
        lift_argument(&a->args, offsets ? byte_of(a, offsets, 2) : valhall_i32(a->l, 0));
}

/* The level is in the word of the offsets. Without that it follows the other registers where there is one more. */
static void push_fetch(struct access *a)
{
    ir_value layer = 0, offsets = 0;
    bool cube = a->ir.dim == IR_TEX_CUBE;
    a->ir.as_bound = true;
    for (unsigned i = 0; i < (cube ? 2 : dimensions(a)); i++)
        lift_argument(&a->args, next_register(a));
    if (a->ir.array || cube)
        layer = next_register(a);
    if (a->ir.has_offset)
        offsets = next_register(a);
    if (layer)
        lift_argument(&a->args, layer);
    push_fetch_sample(a, offsets);
    a->ir.zero_lod = !offsets && a->next >= a->count;
    if (offsets)
        lift_argument(&a->args, byte_of(a, offsets, 3));
    else if (!a->ir.zero_lod)
        lift_argument(&a->args, next_register(a));
    if (cube)
        a->ir.has_offset = false;
    push_offsets(a, offsets);
    push_choice(a);
}

/* ---- which texture ---- */

static void choose_word(struct access *a, uint32_t known, ir_value word, bool is_known, unsigned shift, uint32_t mask,
                        uint16_t *number, bool *by_argument, ir_value *argument)
{
    struct ir_builder *b = &a->l->b;
    *number = (uint16_t)(is_known ? known >> shift & mask : 0);
    *by_argument = !is_known;
    if (!is_known)
        *argument =
            ir_op2(b, IR_AND, 0, ir_op2(b, IR_SHR_U, 0, word, valhall_i32(a->l, shift)), valhall_i32(a->l, mask));
}

/* Word i of the handle. */
static struct valhall_source handle_word(const struct valhall_insn *insn, unsigned i)
{
    struct valhall_source part = insn->src[0];
    part.size = 32;
    part.pick = NULL;
    if (part.kind != VALHALL_CONSTANT)
        part.index = (uint8_t)((part.index & ~1u) + i);
    part.word = (uint8_t)i;
    part.value = i ? 0 : part.value;
    return part;
}

/* word: which of the handle's words, for narrow indices. */
static void choose_texture(struct access *a, unsigned word)
{
    bool wide = valhall_has_flag(a->insn, VALHALL_MOD_WIDE_INDICES);
    uint32_t known[2] = {0, 0};
    bool is_known[2];
    ir_value words[2] = {0, 0};
    for (unsigned i = 0; i < 2; i++) {
        struct valhall_source part = handle_word(a->insn, i);
        is_known[i] = valhall_constant(a->l, &part, &known[i]);
        if (!is_known[i])
            words[i] = valhall_bits(a->l, &part);
    }
    unsigned sampler = wide ? 0 : word, view = wide ? 1 : word;
    choose_word(a, known[sampler], words[sampler], is_known[sampler], 0, wide ? WIDE_INDEX : NARROW_INDEX,
                &a->ir.sampler, &a->ir.sampler_arg, &a->sampler);
    choose_word(a, known[view], words[view], is_known[view], wide ? 0 : 16, wide ? WIDE_INDEX : NARROW_INDEX,
                &a->ir.view, &a->ir.view_arg, &a->view);
}

/* ---- what is asked ---- */

static void set_shape(struct access *a)
{
    static const uint8_t dims[4] = {IR_TEX_1D, IR_TEX_2D, IR_TEX_3D, IR_TEX_CUBE};
    a->ir.dim = dims[valhall_mod(a->insn, VALHALL_MOD_DIMENSION)];
    a->ir.array = valhall_has_flag(a->insn, VALHALL_MOD_ARRAY);
    a->ir.shadow = valhall_has_flag(a->insn, VALHALL_MOD_SHADOW);
    a->ir.has_offset = valhall_has_flag(a->insn, VALHALL_MOD_TEXEL_OFFSET);
}

void valhall_note_texture(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    struct access a = {.l = l, .insn = insn};
    bool wide = valhall_has_flag(a.insn, VALHALL_MOD_WIDE_INDICES);
    struct valhall_source part = handle_word(insn, wide);
    uint32_t word;
    if (!valhall_constant(l, &part, &word))
        return;
    uint32_t view = wide ? word & WIDE_INDEX : word >> 16 & NARROW_INDEX;
    set_shape(&a);
    struct valhall_image *value = l->link.sysval, *end = value + VALHALL_SYSVALS;
    for (; value != end; value++)
        if (!value->given && value->texture == view) {
            value->dim = a.ir.dim;
            value->array = a.ir.array;
        }
}

/* Only fragments have neighbours: elsewhere the level is 0. */
static void set_level(struct access *a)
{
    bool derivatives = a->l->stage == IR_FRAGMENT;
    switch ((enum valhall_lod)valhall_mod(a->insn, VALHALL_MOD_LOD_MODE)) {
    case VALHALL_LOD_COMPUTED:
        a->ir.op = derivatives ? IR_TEX_SAMPLE : IR_TEX_LOD;
        a->ir.zero_lod = !derivatives;
        return;
    case VALHALL_LOD_COMPUTED_BIAS:
        a->ir.op = derivatives ? IR_TEX_BIAS : IR_TEX_LOD;
        return;
    case VALHALL_LOD_EXPLICIT:
    case VALHALL_LOD_GRDESC: /* its low half is a level too: VAR_TEX_GRADIENT */
        a->ir.op = IR_TEX_LOD;
        return;
    case VALHALL_LOD_ZERO:
        a->ir.op = IR_TEX_LOD;
        a->ir.zero_lod = true;
        return;
    }
}

/* ---- results ---- */

/* Integers have one format: their low bits are the same with and without a sign. */
static unsigned texture_format(unsigned type, bool narrow)
{
    if (type == VALHALL_TYPE_F)
        return narrow ? VALHALL_FMT_F16 : VALHALL_FMT_F32;
    return narrow ? VALHALL_FMT_U16 : VALHALL_FMT_U32;
}

/* Run it and write the components of the mask, from register base on; how many registers that took. */
static unsigned run(struct access *a, unsigned base, unsigned mask, bool narrow)
{
    struct valhall_lifter *l = a->l;
    unsigned format = texture_format(valhall_mod(a->insn, VALHALL_MOD_REGISTER_TYPE), narrow), count = 0;
    ir_value first =
                 ir_texture_op(&l->b, a->ir, valhall_is_integer_format(format) ? IR_I32 : IR_F32, a->args.v, a->args.n),
             v[4];
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1)
            v[count++] = first + c;
    valhall_write_vector(l, base, format, v, count);
    return narrow ? (count + 1) / 2 : count;
}

/* ---- coordinates from a varying: VAR_TEX_* ---- */

/* The coordinates: components of one varying, at a byte offset (VAR_TEX_BUF_*) or of a number. */
static void read_varying(struct access *a)
{
    static const uint8_t samples[8] = {VALHALL_CENTER, VALHALL_CENTROID, VALHALL_SAMPLE, VALHALL_EXPLICIT,
                                       VALHALL_CENTER, VALHALL_CENTER,   VALHALL_SAMPLE, VALHALL_CENTER};
    enum { RETRIEVE = 7 };
    struct valhall_lifter *l = a->l;
    unsigned how = valhall_mod(a->insn, VALHALL_MOD_SAMPLE_UPDATE);
    unsigned sample = how == RETRIEVE ? l->saved_sample : samples[how];
    const struct valhall_source *index = &a->insn->src[1];
    bool of_buffer = a->insn->row->arg & VALHALL_AT_OFFSET;
    uint32_t known;
    if (how < 4)
        l->saved_sample = (uint8_t)sample;
    a->from_varying = true;
    a->count = dimensions(a) + a->ir.array + a->ir.shadow;
    if (valhall_constant(l, index, &known))
        valhall_varying(l, of_buffer ? known / 4 : (known & WIDE_INDEX) * 4, a->count, VALHALL_SMOOTH, sample,
                        l->saved_offset, a->coordinates);
    else if (of_buffer)
        valhall_varying_at(l, valhall_bits(l, index), a->count, VALHALL_SMOOTH, sample, l->saved_offset,
                           a->coordinates);
    else
        valhall_varying_number(l, ir_op2(&l->b, IR_AND, 0, valhall_bits(l, index), valhall_i32(l, WIDE_INDEX)),
                               a->count, VALHALL_SMOOTH, sample, l->saved_offset, a->coordinates);
}

/* ---- lookups ---- */

static bool is_of_varying(const struct valhall_insn *insn)
{
    return insn->row->unit == VALHALL_VT;
}

/* Everything up to the coordinates. */
static struct access begin(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    struct access a = {.l = l, .insn = insn};
    set_shape(&a);
    if (is_of_varying(insn))
        read_varying(&a);
    else
        a.count = insn->staging[1].count;
    return a;
}

/* What is asked: a gather names its component, what is filtered its level, a fetch neither. */
static void set_operation(struct access *a)
{
    const struct valhall_row *row = a->insn->row;
    a->ir.op = IR_TEX_FETCH;
    if (valhall_has_modifier(row, VALHALL_MOD_LOD_MODE))
        set_level(a);
    if (valhall_has_modifier(row, VALHALL_MOD_FETCH_COMPONENT)) {
        a->ir.op = IR_TEX_GATHER;
        a->ir.gather_component = (uint8_t)valhall_mod(a->insn, VALHALL_MOD_FETCH_COMPONENT);
    }
    if (!is_of_varying(a->insn))
        return;
    if (a->ir.op == IR_TEX_BIAS) /* a bias or level has no register there: it is 0 */
        a->ir.op = IR_TEX_SAMPLE;
    else if (a->ir.op == IR_TEX_LOD)
        a->ir.zero_lod = true;
}

/* Whether the results of a lookup have 16 bits. VAR_TEX_* say both in one: .16, .32, .16.32, .32.32. */
static bool is_narrow(const struct valhall_insn *insn, unsigned lookup)
{
    unsigned width = valhall_mod(insn, VALHALL_MOD_VARTEX_WIDTH);
    if (is_of_varying(insn))
        return width == 0 || (width == 2 && lookup == 0);
    return !valhall_mod(insn, lookup ? VALHALL_MOD_SECOND_WIDTH : VALHALL_MOD_REGISTER_WIDTH);
}

/* One lookup, or two at one place: the second word of the handle names the second texture. */
void valhall_lift_tex(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    struct access a[2];
    unsigned lookups = insn->row->arg & VALHALL_DUAL ? 2 : 1, base = insn->staging[0].base;
    bool masked = valhall_has_modifier(insn->row, VALHALL_MOD_WRITE_MASK);
    for (unsigned i = 0; i < lookups; i++) { /* of both before any result: registers may be the same */
        a[i] = begin(l, insn);
        set_operation(&a[i]);
        choose_texture(&a[i], i);
        if (a[i].ir.op == IR_TEX_FETCH)
            push_fetch(&a[i]);
        else
            push_sample(&a[i]);
    }
    for (unsigned i = 0; i < lookups; i++)
        base += run(&a[i], base, masked ? valhall_mod(insn, VALHALL_MOD_WRITE_MASK) : 15, is_narrow(insn, i));
}

/* The gradient descriptor: the level of detail in 8.8 fixed point in the low half of the first register. */
void valhall_lift_var_tex_gradient(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    struct access a = begin(l, insn);
    struct ir_builder *b = &l->b;
    a.ir.op = IR_TEX_QUERY_LOD;
    a.ir.no_bias = valhall_mod(insn, VALHALL_MOD_LOD_BIAS_DISABLE);
    choose_texture(&a, 0);
    push_sample(&a);
    ir_value first = ir_texture_op(b, a.ir, IR_F32, a.args.v, a.args.n);
    ir_value lod = valhall_mod(insn, VALHALL_MOD_LOD_CLAMP_DISABLE) ? first + 1 : first;
    lod = ir_cvt(b, IR_F2S, IR_I32, IR_RNE, ir_op2(b, IR_FMUL, 0, lod, ir_const_f32(b, 256)));
    lod =
        ir_op2(b, IR_MIN_S, 0, ir_op2(b, IR_MAX_S, 0, lod, valhall_i32(l, (uint32_t)-0x8000)), valhall_i32(l, 0x7fff));
    for (unsigned i = 0; i < insn->staging[0].count; i++)
        valhall_set(l, insn->staging[0].base + i,
                    i ? valhall_i32(l, 0) : ir_op2(b, IR_AND, 0, lod, valhall_i32(l, 0xffff)));
}
