/* lift_texture.c - texture instructions. A program does not say what kind of texture it reads: the chip's descriptors
 * do. Here the linkage says it, or the number of coordinates: one 1D, two 2D, three 3D, or a cube for
 * the cube forms. */
#include "isa/tesla/lift.h"

struct access {
    struct tesla_lifter *l;
    const struct tesla_decoded *d;
    struct ir_texture ir;
    struct lift_arguments args;
    unsigned next, count; /* source registers: the next one, how many there are */
    bool as_bound;        /* neither the linkage nor the instruction says the kind */
    bool level;           /* the last register is a level or a bias */
    bool derivatives;
};

static const struct tesla_view *linked_view(const struct access *a)
{
    return &a->l->link.view[a->d->texture < TESLA_TEXTURES ? a->d->texture : 0];
}

/* The next source register; 0 where the program gave fewer than the texture takes. */
static ir_value next_register(struct access *a)
{
    if (a->next >= a->count)
        return ir_const_i32(&a->l->b, 0);
    return tesla_get_r(a->l, a->d->src[0].reg + a->next++);
}

static ir_value as_float(struct access *a, ir_value v)
{
    return ir_as(&a->l->b, IR_F32, v);
}

static unsigned dimensions(uint8_t dim)
{
    return dim == IR_TEX_1D || dim == IR_TEX_BUFFER ? 1 : dim == IR_TEX_3D || dim == IR_TEX_CUBE ? 3 : 2;
}

/* By the coordinates that are left when the level has its register. A fourth one of a cube is the value that its
 * sampler compares with, if it does. */
static struct tesla_view guess_view(const struct tesla_decoded *d, unsigned coordinates)
{
    struct tesla_view v = {.known = true};
    v.dim = (uint8_t)(coordinates <= 1 ? IR_TEX_1D : coordinates == 2 ? IR_TEX_2D : IR_TEX_3D);
    if (d->modifiers & TESLA_CUBE) {
        v.dim = IR_TEX_CUBE;
        v.shadow = coordinates > 3;
    }
    return v;
}

static struct tesla_view view_of(const struct access *a)
{
    const struct tesla_view *linked = linked_view(a);
    return linked->known ? *linked : guess_view(a->d, a->count - (a->level && a->count > 1));
}

/* ---- arguments in the device's order ---- */

static void push_offsets(struct access *a)
{
    const int8_t *offset = a->d->texel_offset;
    if (a->ir.dim == IR_TEX_CUBE || !(offset[0] | offset[1] | offset[2]))
        return;
    a->ir.has_offset = true;
    for (unsigned i = 0; i < dimensions(a->ir.dim); i++)
        lift_argument(&a->args, ir_const_i32(&a->l->b, (uint32_t)(int32_t)offset[i]));
}

/* What is bound says what the registers are. Cube forms say it themselves. */
static void push_registers(struct access *a)
{
    const int8_t *offset = a->d->texel_offset;
    a->ir.registers = (uint8_t)(a->count ? a->count : 1);
    for (unsigned i = 0; i < a->ir.registers; i++)
        lift_argument(&a->args, next_register(a));
    a->ir.has_offset = offset[0] | offset[1] | offset[2];
    for (unsigned i = 0; a->ir.has_offset && i < 3; i++)
        lift_argument(&a->args, ir_const_i32(&a->l->b, (uint32_t)(int32_t)offset[i]));
}

/* Registers come as x, y, z, array index, reference value, level; the array index is an integer. */
static void push_sample(struct access *a)
{
    if (a->as_bound) {
        push_registers(a);
        return;
    }
    for (unsigned i = 0; i < dimensions(a->ir.dim); i++)
        lift_argument(&a->args, as_float(a, next_register(a)));
    if (a->ir.array)
        lift_argument(&a->args, ir_cvt(&a->l->b, IR_U2F, IR_F32, 0, next_register(a)));
    if (a->ir.shadow)
        lift_argument(&a->args, as_float(a, next_register(a)));
    if (a->level)
        lift_argument(&a->args, as_float(a, next_register(a)));
    push_offsets(a);
}

static void push_fetch(struct access *a)
{
    if (a->as_bound) {
        push_registers(a);
        return;
    }
    bool cube = a->ir.dim == IR_TEX_CUBE;
    for (unsigned i = 0; i < (cube ? 2 : dimensions(a->ir.dim)); i++)
        lift_argument(&a->args, next_register(a));
    if (a->ir.array || cube)
        lift_argument(&a->args, next_register(a));
    if (a->ir.multisample)
        lift_argument(&a->args, next_register(a));
    else if (a->ir.dim != IR_TEX_BUFFER && a->ir.dim != IR_TEX_RECT)
        lift_argument(&a->args, next_register(a));
    push_offsets(a);
}

/* ---- results ---- */

/* The components of the mask, into consecutive registers. */
static void write_vector(struct access *a, ir_value first)
{
    const struct tesla_operand *to = &a->d->dst;
    unsigned number = to->reg;
    for (unsigned c = 0; c < 4; c++)
        if (to->mask >> c & 1)
            tesla_set_r(a->l, number++, ir_as(&a->l->b, IR_I32, first + c));
}

/* `live`: threads that draw nothing keep what they had. */
static void live_only(struct access *a)
{
    struct tesla_lifter *l = a->l;
    if (!(a->d->modifiers & TESLA_LIVE))
        return;
    ir_value live = ir_op1(&l->b, IR_NOT, 0, ir_sysval(&l->b, IR_SYS_HELPER, IR_I1, 0));
    l->pred = l->pred ? ir_op2(&l->b, IR_AND, 0, l->pred, live) : live;
}

static void run(struct access *a, enum ir_type type)
{
    struct tesla_lifter *l = a->l;
    live_only(a);
    write_vector(a, ir_texture_op(&l->b, a->ir, type, a->args.v, a->args.n));
}

/* The level that a lookup would take and the one computed, as numbers with 8 fractional bits, which is what the
 * compilers expect (Mesa's nv50). Derivatives of 0 are those of the sharpest level. */
static void query_level(struct access *a)
{
    struct tesla_lifter *l = a->l;
    ir_value found[4] = {0}, scale = ir_const_f32(&l->b, 256);
    push_sample(a);
    ir_value first = a->derivatives ? ir_texture_op(&l->b, a->ir, IR_F32, a->args.v, a->args.n) : 0;
    unsigned number = a->d->dst.reg;
    live_only(a);
    for (unsigned c = 0; c < 4; c++) {
        found[c] = ir_const_i32(&l->b, 0);
        if (a->derivatives && c < 2)
            found[c] = ir_cvt(&l->b, IR_F2S, IR_I32, IR_RDN, ir_op2(&l->b, IR_FMUL, 0, first + c, scale));
    }
    for (unsigned c = 0; c < 4; c++)
        if (a->d->dst.mask >> c & 1)
            tesla_set_r(l, number++, found[c]);
}

static void texture_size(struct access *a)
{
    const struct tesla_view *linked = linked_view(a);
    a->ir.dim = linked->known ? linked->dim : IR_TEX_2D;
    a->ir.array = linked->array;
    a->ir.multisample = linked->multisample;
    a->ir.shadow = false;
    a->ir.registers = !linked->known;
    if (a->ir.registers || (a->ir.dim != IR_TEX_BUFFER && a->ir.dim != IR_TEX_RECT && !a->ir.multisample))
        lift_argument(&a->args, tesla_source_bits(a->l, &a->d->src[0]));
    run(a, IR_I32);
}

/* A cube's direction over its largest component: the coordinates that the hardware's sampler takes. */
static void prepare_cube(struct access *a)
{
    struct tesla_lifter *l = a->l;
    ir_value v[4], largest = 0;
    for (unsigned i = 0; i < 4; i++)
        v[i] = as_float(a, next_register(a));
    for (unsigned i = 0; i < 3; i++) {
        ir_value magnitude = ir_op1(&l->b, IR_FABS, 0, v[i]);
        largest = largest ? ir_op2(&l->b, IR_FMAX, 0, largest, magnitude) : magnitude;
    }
    ir_value by = lift_call(&l->b, "rcp", tesla_lanes_rcp, IR_F32, 0, &largest, 1);
    unsigned number = a->d->dst.reg;
    for (unsigned c = 0; c < 4; c++)
        if (a->d->dst.mask >> c & 1)
            tesla_set_r(l, number++, ir_as(&l->b, IR_I32, c < 3 ? ir_op2(&l->b, IR_FMUL, 0, v[c], by) : v[c]));
}

/* Registers to arguments, and the results. */
static void sample(struct access *a)
{
    push_sample(a);
    run(a, view_of(a).integer ? IR_I32 : IR_F32);
}

static void fetch(struct access *a)
{
    a->ir.shadow = false;
    push_fetch(a);
    run(a, view_of(a).integer ? IR_I32 : IR_F32);
}

/* By enum tesla_tex. Without derivatives, what needs some looks up a level. Every coverage sample has a colour sample
 * of its own here: docs/fidelity.md. */
static const struct {
    void (*access)(struct access *a);
    uint8_t op, without; /* enum ir_tex_op: with and without derivatives */
    bool level;
} accesses[] = {
    [TESLA_TEXAUTO] = {sample, IR_TEX_SAMPLE, IR_TEX_LOD, false},
    [TESLA_TEXBIAS] = {sample, IR_TEX_BIAS, IR_TEX_LOD, true},
    [TESLA_TEXLOD] = {sample, IR_TEX_LOD, IR_TEX_LOD, true},
    [TESLA_TEXGATHER] = {sample, IR_TEX_GATHER, IR_TEX_GATHER, false},
    [TESLA_TEXFETCH] = {fetch, IR_TEX_FETCH, IR_TEX_FETCH, true},
    [TESLA_TEXCSAA] = {fetch, IR_TEX_FETCH, IR_TEX_FETCH, true},
    [TESLA_TEXQUERYLOD] = {query_level, IR_TEX_QUERY_LOD, IR_TEX_QUERY_LOD, false},
    [TESLA_TEXSIZE] = {texture_size, IR_TEX_QUERY_SIZE, IR_TEX_QUERY_SIZE, false},
    [TESLA_TEXPREP] = {prepare_cube, IR_TEX_SAMPLE, IR_TEX_SAMPLE, false},
};

void tesla_lift_tex(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    unsigned which = d->row->variant;
    struct access a = {.l = l, .d = d, .count = (unsigned)__builtin_popcount(d->src[0].mask)};
    a.level = accesses[which].level;
    a.derivatives = l->stage == IR_FRAGMENT || (d->modifiers & TESLA_DERIV);
    struct tesla_view v = view_of(&a);
    a.as_bound = !linked_view(&a)->known && !(d->modifiers & TESLA_CUBE);
    a.ir.view = l->link.texture[d->texture < TESLA_TEXTURES ? d->texture : 0];
    a.ir.sampler = l->link.linked_samplers ? a.ir.view : l->link.sampler[d->sampler % TESLA_SAMPLERS];
    a.ir.op = a.derivatives ? accesses[which].op : accesses[which].without;
    a.ir.zero_lod = accesses[which].op == IR_TEX_SAMPLE && !a.derivatives;
    a.ir.dim = v.dim;
    a.ir.array = v.array;
    a.ir.multisample = v.multisample;
    a.ir.shadow = v.shadow;
    accesses[which].access(&a);
}
