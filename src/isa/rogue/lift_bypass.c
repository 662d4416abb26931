/* lift_bypass.c - SMP's .data, .info and .both (chapter 5, "SBMode"): the texels that a filter would read, and what it
 * would weigh them with. Orders are those that Mesa's compiler reads its gathers and level queries by. */
#include "isa/rogue/lift_texture.h"

enum { TEXELS_OF_SQUARE = 4, COEFFICIENTS = 7, LEVEL_BIAS = 128 };

unsigned rogue_bypass_count(const struct rogue_insn *insn)
{
    unsigned mode = (unsigned)rogue_get(insn, ROGUE_F_SBMODE);
    unsigned texels = 1u << rogue_get(insn, ROGUE_F_DMN), channels = (unsigned)rogue_get(insn, ROGUE_F_CHAN);
    return (mode & ROGUE_BYPASS_DATA ? texels * channels : 0) + (mode & ROGUE_BYPASS_INFO ? COEFFICIENTS : 0);
}

static ir_value number(const struct rogue_request *r, float v)
{
    return ir_const_f32(&r->l->b, v);
}

static ir_value op(const struct rogue_request *r, enum ir_opcode code, ir_value a, ir_value b)
{
    return ir_op2(&r->l->b, code, code == IR_FMIN || code == IR_FMAX ? 0 : ROGUE_FLOAT, a, b);
}

static ir_value size_along(const struct rogue_request *r, ir_value size, unsigned axis)
{
    return ir_cvt(&r->l->b, IR_S2F, IR_F32, 0, size + axis);
}

/* ---- texels ---- */

/* The square of texels in one slice: the second coordinate counts first. The device gathers in OpenGL's order. */
static void square(struct rogue_request *r, ir_value *v, unsigned channels, unsigned texels, ir_value level)
{
    static const uint8_t gathered[TEXELS_OF_SQUARE] = {3, 0, 2, 1}, of_row[] = {0, 1};
    enum ir_type type = rogue_request_has(r, ROGUE_F_FCNORM) ? IR_F32 : IR_I32;
    for (unsigned c = 0; c < channels; c++) {
        ir_value first = rogue_gather(r, c, level, type);
        for (unsigned t = 0; t < texels; t++)
            v[t * channels + c] = first + (r->axes == 1 ? of_row[t & 1] : gathered[t & 3]);
    }
}

/* Texels of a level. A footprint of three dimensions has two squares, a slice apart. */
static unsigned texel_values(struct rogue_request *r, ir_value *v, ir_value level)
{
    unsigned channels = (unsigned)rogue_get(r->insn, ROGUE_F_CHAN), texels = 1u << r->axes;
    if (r->axes < 3 || r->ir.dim == IR_TEX_CUBE) {
        texels = texels < TEXELS_OF_SQUARE ? texels : TEXELS_OF_SQUARE;
        square(r, v, channels, texels, level);
        return texels * channels;
    }
    struct rogue_request next = *r;
    ir_value slice =
        r->texels ? number(r, 1.0f) : op(r, IR_FDIV, number(r, 1.0f), size_along(r, rogue_texture_size(r, level), 2));
    next.coord[2] = op(r, IR_FADD, r->coord[2], slice);
    square(r, v, channels, TEXELS_OF_SQUARE, level);
    square(&next, v + (size_t)TEXELS_OF_SQUARE * channels, channels, TEXELS_OF_SQUARE, level);
    return texels * channels;
}

/* ---- coefficients ---- */

static ir_value floor_of(const struct rogue_request *r, ir_value v)
{
    return ir_op1(&r->l->b, IR_FRINT, IR_RDN, v);
}

static ir_value magnitude(const struct rogue_request *r, ir_value v)
{
    return ir_op1(&r->l->b, IR_FABS, 0, v);
}

/* Where a direction comes out of a cube: the place on the face, 0 to 1 along its two axes, as OpenGL has it. */
static void place_on_face(const struct rogue_request *r, ir_value place[2])
{
    struct ir_builder *b = &r->l->b;
    ir_value c[ROGUE_AXES], minus[ROGUE_AXES], size[ROGUE_AXES], back[ROGUE_AXES];
    for (unsigned i = 0; i < ROGUE_AXES; i++) {
        c[i] = r->coord[i];
        minus[i] = ir_op1(b, IR_FNEG, 0, c[i]);
        size[i] = magnitude(r, c[i]);
        back[i] = ir_op2(b, IR_FLT, 0, c[i], number(r, 0));
    }
    ir_value x = ir_op2(b, IR_AND, 0, ir_op2(b, IR_FLE, 0, size[1], size[0]), ir_op2(b, IR_FLE, 0, size[2], size[0]));
    ir_value y = ir_op2(b, IR_FLE, 0, size[2], size[1]);
    ir_value along[2] = {ir_select(b, x, ir_select(b, back[0], c[2], minus[2]),
                                   ir_select(b, y, c[0], ir_select(b, back[2], minus[0], c[0]))),
                         ir_select(b, x, minus[1], ir_select(b, y, ir_select(b, back[1], minus[2], c[2]), minus[1]))};
    ir_value longest = ir_select(b, x, size[0], ir_select(b, y, size[1], size[2]));
    for (unsigned i = 0; i < 2; i++)
        place[i] = op(r, IR_FADD, op(r, IR_FMUL, op(r, IR_FDIV, along[i], longest), number(r, 0.5f)), number(r, 0.5f));
}

/* Weights of the second texels along the axes, of a level of that size: of cubes those of the face. */
static void fractions(const struct rogue_request *r, ir_value size, ir_value *v)
{
    bool cube = r->ir.dim == IR_TEX_CUBE;
    unsigned axes = cube ? 2 : r->axes;
    ir_value place[ROGUE_AXES] = {r->coord[0], r->coord[1], r->coord[2]};
    if (cube)
        place_on_face(r, place);
    for (unsigned axis = 0; axis < ROGUE_AXES; axis++) {
        v[axis] = number(r, 0);
        if (axis >= axes)
            continue;
        ir_value u = r->texels ? place[axis] : op(r, IR_FMUL, place[axis], size_along(r, size, axis));
        ir_value centre = op(r, IR_FSUB, u, number(r, 0.5f));
        v[axis] = op(r, IR_FSUB, centre, floor_of(r, centre));
    }
}

/* Log2 of the longest step in texels, as the device has it: of cubes half a direction's. */
static ir_value level_of_gradients(const struct rogue_request *r, ir_value size)
{
    ir_value longest = number(r, 0);
    for (unsigned i = 0; i < r->axes; i++) {
        ir_value step = op(r, IR_FMAX, magnitude(r, r->gradient[i][0]), magnitude(r, r->gradient[i][1]));
        if (r->ir.dim == IR_TEX_CUBE)
            step = op(r, IR_FMUL, step, op(r, IR_FMUL, size_along(r, size, 0), number(r, 0.5f)));
        else if (!r->texels)
            step = op(r, IR_FMUL, step, size_along(r, size, i));
        longest = op(r, IR_FMAX, longest, step);
    }
    return ir_op1(&r->l->b, IR_FLOG2, 0, longest);
}

/* The level as it comes out, and that which is read. A level that the program gives is held against the levels there
 * are. */
static void levels(struct rogue_request *r, ir_value size, ir_value *before, ir_value *read)
{
    ir_value last = op(r, IR_FSUB, size_along(r, size, 3), number(r, 1.0f));
    ir_value computed = 0;
    if (r->lod_mode == ROGUE_LOD_NORMAL) {
        computed = rogue_texture_op(r, IR_TEX_QUERY_LOD, 0, IR_F32);
        *before = computed + 1;
        *read = computed;
        return;
    }
    if (r->lod_mode == ROGUE_LOD_GRADIENTS)
        computed = level_of_gradients(r, size);
    else if (r->lod_mode == ROGUE_LOD_BIAS)
        computed = op(r, IR_FADD, rogue_texture_op(r, IR_TEX_QUERY_LOD, 0, IR_F32) + 1, r->lod);
    else
        computed = r->lod;
    *before = computed;
    *read = op(r, IR_FMIN, op(r, IR_FMAX, computed, number(r, 0)), last);
}

/* Whole levels in units of 1/255, those before clamping from -128 on; the fraction of the level in units of 256/255. */
static void push_level(const struct rogue_request *r, ir_value level, float bias, ir_value *whole, ir_value *part)
{
    ir_value low = floor_of(r, level);
    *whole = op(r, IR_FDIV, op(r, IR_FADD, low, number(r, bias)), number(r, 255.0f));
    *part = op(r, IR_FDIV, op(r, IR_FMUL, op(r, IR_FSUB, level, low), number(r, 256.0f)), number(r, 255.0f));
}

/* The level of a footprint: the whole part of what is read. IR_I32. */
static ir_value whole_level(const struct rogue_request *r, ir_value read)
{
    return ir_cvt(&r->l->b, IR_F2S, IR_I32, IR_RTZ, read);
}

static unsigned coefficient_values(struct rogue_request *r, ir_value *v, ir_value before, ir_value read)
{
    enum { U_FRACTION, POST_LEVEL = 3, PRE_LEVEL, POST_FRACTION, PRE_FRACTION };
    fractions(r, rogue_texture_size(r, whole_level(r, read)), v + U_FRACTION);
    push_level(r, read, 0, &v[POST_LEVEL], &v[POST_FRACTION]);
    push_level(r, before, LEVEL_BIAS, &v[PRE_LEVEL], &v[PRE_FRACTION]);
    return COEFFICIENTS;
}

unsigned rogue_bypass_values(struct rogue_request *r, ir_value *v)
{
    unsigned mode = (unsigned)rogue_get(r->insn, ROGUE_F_SBMODE), count = 0;
    ir_value before, read;
    levels(r, rogue_texture_size(r, 0), &before, &read);
    if (mode & ROGUE_BYPASS_DATA)
        count = texel_values(r, v, whole_level(r, read));
    if (mode & ROGUE_BYPASS_INFO)
        count += coefficient_values(r, v + count, before, read);
    return r->l->failed ? 0 : count;
}
