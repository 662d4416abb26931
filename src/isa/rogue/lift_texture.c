/* lift_texture.c - SMP1D, SMP2D, SMP3D and ITRSMP (chapters 5, 11 and 14): the words of a request's data in their
 * order, whose states they go with, and the ops of the device that it becomes. */
#include "isa/rogue/lift_texture.h"

static struct ir_builder *builder(const struct rogue_request *r)
{
    return &r->l->b;
}

static ir_value bits(struct rogue_lifter *l, ir_value v, unsigned from, unsigned count, bool is_signed)
{
    ir_value top = ir_op2(&l->b, IR_SHL, 0, v, rogue_word(l, 32u - from - count));
    return ir_op2(&l->b, is_signed ? IR_SHR_S : IR_SHR_U, 0, top, rogue_word(l, 32u - count));
}

ir_value rogue_offset_in(struct rogue_lifter *l, ir_value options, unsigned axis)
{
    static const uint8_t from[ROGUE_AXES] = {0, 6, 12}, count[ROGUE_AXES] = {6, 6, 4};
    return bits(l, options, from[axis], count[axis], true);
}

/* ---- the words of a request ---- */

static ir_value word(struct rogue_request *r, unsigned n)
{
    if (r->given)
        return ir_as(builder(r), IR_I32, r->given[n]);
    return rogue_read(r->l, r->l->group->s[1], r->l->step + n);
}

/* An item of 32 bits; with .f16input of 16, two to a word. */
static ir_value next_item(struct rogue_request *r, bool is_float)
{
    struct ir_builder *b = builder(r);
    if (!rogue_request_has(r, ROGUE_F_F16INPUT)) {
        ir_value v = word(r, r->words++);
        return is_float ? ir_as(b, IR_F32, v) : v;
    }
    unsigned n = r->items++;
    r->words = (r->items + 1) / 2;
    ir_value half = bits(r->l, word(r, n / 2), n % 2 * 16, 16, true);
    if (!is_float)
        return half;
    return ir_cvt(b, IR_F2F, IR_F32, 0, ir_as(b, IR_F16, ir_cvt(b, IR_TRUNC, IR_I16, 0, half)));
}

static void read_coordinates(struct rogue_request *r)
{
    bool integer = rogue_request_has(r, ROGUE_F_INTEGER);
    for (unsigned i = 0; i < r->axes; i++)
        r->coord[i] = next_item(r, !integer);
    ir_value by = rogue_request_has(r, ROGUE_F_PROJ) ? next_item(r, true) : 0;
    if (by && integer)
        lift_refuse(&r->l->lift, "'%s' has .proj and .integer: texel numbers have no projector", r->insn->row->name);
    else
        for (unsigned i = 0; by && i < r->axes; i++)
            r->coord[i] = ir_op2(builder(r), IR_FDIV, ROGUE_FLOAT, r->coord[i], by);
    if (rogue_request_has(r, ROGUE_F_ARRAY))
        r->layer = next_item(r, false);
    if (rogue_request_has(r, ROGUE_F_COMPARISON)) {
        ir_value reference = next_item(r, true);
        r->reference = by ? ir_op2(builder(r), IR_FDIV, ROGUE_FLOAT, reference, by) : reference;
    }
}

/* With a level for each pixel it is the next item, else the shared one in S3. Gradients: d/dx and d/dy of one
 * coordinate after the other. */
static void read_level(struct rogue_request *r)
{
    r->lod_mode = (unsigned)rogue_get(r->insn, ROGUE_F_LODM);
    if (r->lod_mode == ROGUE_LOD_BIAS || r->lod_mode == ROGUE_LOD_REPLACE)
        r->lod =
            rogue_request_has(r, ROGUE_F_PPLOD) ? next_item(r, true) : ir_as(builder(r), IR_F32, rogue_source(r->l, 3));
    for (unsigned i = 0; r->lod_mode == ROGUE_LOD_GRADIENTS && i < r->axes; i++)
        for (unsigned n = 0; n < 2; n++)
            r->gradient[i][n] = next_item(r, true);
}

/* Whole words again: low and high word of an address; an option word with offsets, and the sample in bits 16 to 18. */
static void read_options(struct rogue_request *r)
{
    bool offsets = rogue_request_has(r, ROGUE_F_SOO), sample = rogue_request_has(r, ROGUE_F_SNO);
    if (rogue_request_has(r, ROGUE_F_TAO)) {
        r->address = word(r, r->words + 1);
        r->words += 2;
    }
    if (!offsets && !sample)
        return;
    ir_value options = word(r, r->words++);
    for (unsigned i = 0; offsets && i < r->axes; i++)
        r->offset[i] = rogue_offset_in(r->l, options, i);
    if (sample)
        r->sample = bits(r->l, options, 16, 3, false);
}

static void read_data(struct rogue_request *r)
{
    bool is_float = rogue_request_has(r, ROGUE_F_FCNORM);
    unsigned channels = (unsigned)rogue_get(r->insn, ROGUE_F_CHAN);
    r->items = 2 * r->words;
    for (unsigned c = 0; c < channels; c++)
        r->data[c] = next_item(r, is_float);
}

bool rogue_read_request(struct rogue_request *r)
{
    r->axes = (unsigned)rogue_get(r->insn, ROGUE_F_DMN);
    r->texels = rogue_request_has(r, ROGUE_F_NNCOORDS);
    read_coordinates(r);
    read_level(r);
    read_options(r);
    if (rogue_effects_of(r->insn->row) & WEFT_EFFECT_WRITES_MEMORY)
        read_data(r);
    return !r->l->failed;
}

/* ---- states ---- */

/* The number in a state: the linkage's where one begins at the register; elsewhere the word that the register holds at
 * run time, which some program has moved there (docs/manual/rogue.md). */
static bool find_state(struct rogue_request *r, struct rogue_reg at, enum rogue_shared_kind kind, uint16_t *number,
                       ir_value *argument)
{
    const struct rogue_shared_range *range = rogue_shared_state(r->l, at, kind);
    const char *what = kind == ROGUE_SH_SAMPLER ? "sampler" : "texture";
    if (range) {
        *number = (uint16_t)range->number;
        return true;
    }
    if (at.bank == ROGUE_SHARED || (at.bank == ROGUE_SPECIAL && kind == ROGUE_SH_TEXTURE)) {
        lift_refuse(&r->l->lift, "the linkage does not say which %s the state in %s is of ('sh N %s M')", what,
                    kind == ROGUE_SH_SAMPLER ? "S2" : "S0", what);
        return false;
    }
    *argument = rogue_read(r->l, at, 0);
    return true;
}

/* Which texture and sampler it is. False after an error. */
static bool find_texture(struct rogue_request *r)
{
    static const uint8_t dims[] = {IR_TEX_2D, IR_TEX_1D, IR_TEX_2D, IR_TEX_3D};
    if (!find_state(r, r->texture, ROGUE_SH_TEXTURE, &r->ir.view, &r->view_arg) ||
        !find_state(r, r->sampler, ROGUE_SH_SAMPLER, &r->ir.sampler, &r->sampler_arg))
        return false;
    const struct rogue_view *view = &r->l->link.view[r->ir.view];
    bool cube = !r->view_arg && view->known && view->dim == IR_TEX_CUBE && r->axes == 3;
    r->ir.dim = cube ? (uint8_t)IR_TEX_CUBE : dims[r->axes];
    r->ir.array = r->layer != 0;
    if (r->address) { /* texture n is at ROGUE_TEXTURE_ADDRESS(n) */
        uint32_t here = (uint32_t)(ROGUE_TEXTURE_ADDRESS(r->ir.view) >> 32);
        r->view_arg = ir_op2(builder(r), IR_SUB, 0, r->address, ir_const_i32(builder(r), here));
    }
    r->ir.view_arg = r->view_arg != 0;
    r->ir.sampler_arg = r->sampler_arg != 0;
    return true;
}

/* ---- arguments ---- */

/* Append an argument that the request has. */
static void push(struct lift_arguments *a, ir_value v)
{
    if (v)
        lift_argument(a, v);
}

static ir_value to_integer(struct rogue_request *r, ir_value f)
{
    return ir_cvt(&r->l->b, IR_F2S, IR_I32, IR_RTZ, f);
}

/* ---- sizes and texel numbers ---- */

ir_value rogue_texture_size(struct rogue_request *r, ir_value level)
{
    struct ir_texture size = {.op = IR_TEX_QUERY_SIZE,
                              .dim = r->ir.dim,
                              .array = r->ir.array,
                              .multisample = r->ir.multisample,
                              .view = r->ir.view,
                              .sampler = r->ir.sampler,
                              .view_arg = r->ir.view_arg};
    struct lift_arguments a = {.n = 0};
    size.zero_lod = !level && !size.multisample;
    if (!size.multisample)
        push(&a, level);
    push(&a, r->view_arg);
    return ir_texture_op(&r->l->b, size, IR_I32, a.v, a.n);
}

ir_value rogue_texel_number(struct rogue_request *r, unsigned axis, ir_value size)
{
    struct ir_builder *b = &r->l->b;
    ir_value u = r->coord[axis];
    if (rogue_request_has(r, ROGUE_F_INTEGER))
        return u;
    if (!rogue_request_has(r, ROGUE_F_NNCOORDS))
        u = ir_op2(b, IR_FMUL, ROGUE_FLOAT, u, ir_cvt(b, IR_S2F, IR_F32, 0, size + axis));
    return to_integer(r, ir_op1(b, IR_FRINT, IR_RDN, u));
}

/* ---- ops ---- */

/* The layer of a texel by number: the faces of cubes are layers, which the third coordinate counts. */
static ir_value fetch_layer(struct rogue_request *r, ir_value face)
{
    struct ir_builder *b = &r->l->b;
    if (r->ir.dim != IR_TEX_CUBE || !r->layer)
        return r->ir.dim == IR_TEX_CUBE ? face : r->layer;
    return ir_op2(b, IR_ADD, 0, face, ir_op2(b, IR_MUL, 0, r->layer, ir_const_i32(b, 6)));
}

/* One texel by its number: .integer, or a sample of a texture that has some. */
static ir_value fetch(struct rogue_request *r, enum ir_type type)
{
    struct lift_arguments a = {.n = 0};
    ir_value size = 0, number[ROGUE_AXES] = {0};
    r->ir.op = IR_TEX_FETCH;
    r->ir.multisample = r->sample != 0;
    r->ir.has_offset = r->offset[0] != 0;
    if (!rogue_request_has(r, ROGUE_F_INTEGER) && !rogue_request_has(r, ROGUE_F_NNCOORDS))
        size = rogue_texture_size(r, 0);
    unsigned axes = r->ir.dim == IR_TEX_CUBE ? 2 : r->axes;
    for (unsigned i = 0; i < r->axes; i++)
        number[i] = rogue_texel_number(r, i, size);
    for (unsigned i = 0; i < axes; i++)
        push(&a, number[i]);
    push(&a, fetch_layer(r, number[2]));
    push(&a, r->sample);
    r->ir.zero_lod = !r->sample && !r->lod;
    if (!r->sample && r->lod)
        push(&a, to_integer(r, r->lod));
    for (unsigned i = 0; i < axes && r->ir.dim != IR_TEX_CUBE; i++)
        push(&a, r->offset[i]);
    push(&a, r->view_arg);
    push(&a, r->sampler_arg);
    return ir_texture_op(&r->l->b, r->ir, type, a.v, a.n);
}

static ir_value texture_op(struct rogue_request *r, enum ir_tex_op op, unsigned component, ir_value level,
                           enum ir_type type)
{
    struct ir_builder *b = &r->l->b;
    struct lift_arguments a = {.n = 0};
    struct ir_texture t = r->ir;
    t.op = (uint8_t)op;
    t.gather_component = (uint8_t)component;
    t.gather_level = op == IR_TEX_GATHER && level;
    t.shadow = r->reference != 0;
    t.texel_coords = r->texels;
    t.has_offset = r->offset[0] != 0 && t.dim != IR_TEX_CUBE && op != IR_TEX_QUERY_LOD;
    for (unsigned i = 0; i < r->axes; i++)
        push(&a, r->coord[i]);
    if (r->layer)
        push(&a, ir_cvt(b, IR_U2F, IR_F32, 0, r->layer));
    push(&a, r->reference);
    push(&a, level);
    for (unsigned n = 0; op == IR_TEX_GRAD && n < 2; n++)
        for (unsigned i = 0; i < r->axes; i++)
            push(&a, r->gradient[i][n]);
    for (unsigned i = 0; t.has_offset && i < r->axes; i++)
        push(&a, r->offset[i]);
    push(&a, r->view_arg);
    push(&a, r->sampler_arg);
    return ir_texture_op(b, t, type, a.v, a.n);
}

ir_value rogue_texture_op(struct rogue_request *r, enum ir_tex_op op, unsigned component, enum ir_type type)
{
    return texture_op(r, op, component, op == IR_TEX_BIAS || op == IR_TEX_LOD ? r->lod : 0, type);
}

ir_value rogue_gather(struct rogue_request *r, unsigned component, ir_value level, enum ir_type type)
{
    return texture_op(r, IR_TEX_GATHER, component, level, type);
}

/* ---- texels by number that a filter has to do with ---- */

/* A comparison or a footprint of the texel with a number is what sampling at its centre gives, at the level that
 * reading it would take. */
static void sample_at_centre(struct rogue_request *r)
{
    struct ir_builder *b = &r->l->b;
    for (unsigned i = 0; i < r->axes; i++)
        r->coord[i] = ir_op2(b, IR_FADD, 0, ir_cvt(b, IR_S2F, IR_F32, 0, r->coord[i]), ir_const_f32(b, 0.5f));
    r->lod = r->lod ? ir_op1(b, IR_FRINT, IR_RTZ, r->lod) : ir_const_f32(b, 0);
    r->lod_mode = ROGUE_LOD_REPLACE;
    r->texels = true;
}

/* Only fragments have neighbours in a quad: elsewhere the level is 0, and a bias is the level. */
static void without_neighbours(struct rogue_request *r)
{
    if (r->l->stage == IR_FRAGMENT || r->lod_mode == ROGUE_LOD_REPLACE || r->lod_mode == ROGUE_LOD_GRADIENTS)
        return;
    r->lod = r->lod ? r->lod : ir_const_f32(&r->l->b, 0);
    r->lod_mode = ROGUE_LOD_REPLACE;
}

/* ---- results ---- */

static unsigned bypass_of(const struct rogue_insn *insn)
{
    return (unsigned)rogue_get(insn, ROGUE_F_SBMODE);
}

static unsigned values_of(const struct rogue_insn *insn)
{
    return bypass_of(insn) == ROGUE_BYPASS_NONE ? (unsigned)rogue_get(insn, ROGUE_F_CHAN) : rogue_bypass_count(insn);
}

unsigned rogue_smp_registers(const struct rogue_insn *insn)
{
    return rogue_registers_of(values_of(insn), rogue_get(insn, ROGUE_F_F16) != 0);
}

static bool refuse_combination(const struct rogue_request *r)
{
    const char *why = NULL;
    bool filters = bypass_of(r->insn) != ROGUE_BYPASS_NONE || r->reference;
    if (r->sample && filters)
        why = "a texture of samples is not filtered: it has no footprint, and nothing is compared";
    else if (r->ir.dim == IR_TEX_CUBE && rogue_request_has(r, ROGUE_F_INTEGER) && filters)
        why = "a filter goes over the edges of a cube, which texel numbers have no names for";
    else if (r->ir.dim == IR_TEX_CUBE && rogue_request_has(r, ROGUE_F_NNCOORDS))
        why = "the direction into a cube counts no texels";
    if (why)
        lift_refuse(&r->l->lift, "'%s' has modifiers that do not go together: %s", r->insn->row->name, why);
    return why != NULL;
}

/* Values of a request, by the instruction's modifiers; 0 after an error. */
static unsigned sample(struct rogue_request *r, ir_value v[ROGUE_BYPASS_MOST])
{
    static const uint8_t ops[] = {IR_TEX_SAMPLE, IR_TEX_BIAS, IR_TEX_LOD, IR_TEX_GRAD};
    enum ir_type type = rogue_request_has(r, ROGUE_F_FCNORM) ? IR_F32 : IR_I32;
    if (!rogue_read_request(r) || !find_texture(r) || refuse_combination(r))
        return 0;
    r->ir.fixed_floats = type == IR_F32; /* "fixed point texture data, converted to floating point" (chapter 5) */
    r->ir.fixed_words = type != IR_F32;
    r->ir.half_floats = r->ir.fixed_words && rogue_request_has(r, ROGUE_F_F16);
    bool numbers = rogue_request_has(r, ROGUE_F_INTEGER) || r->sample;
    if (numbers && (r->reference || bypass_of(r->insn) != ROGUE_BYPASS_NONE)) {
        sample_at_centre(r);
        numbers = false;
    }
    if (!numbers)
        without_neighbours(r);
    if (bypass_of(r->insn) != ROGUE_BYPASS_NONE)
        return rogue_bypass_values(r, v);
    ir_value first = numbers ? fetch(r, type) : rogue_texture_op(r, (enum ir_tex_op)ops[r->lod_mode & 3], 0, type);
    unsigned channels = (unsigned)rogue_get(r->insn, ROGUE_F_CHAN);
    for (unsigned c = 0; c < channels; c++)
        v[c] = first + c;
    return channels;
}

void rogue_lift_smp(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    const struct rogue_group *g = l->group;
    ir_value v[ROGUE_BYPASS_MOST];
    struct rogue_request r = {.l = l, .insn = insn, .texture = g->s[0], .sampler = g->s[2]};
    unsigned count = rogue_shared_state(l, g->s[0], ROGUE_SH_IMAGE) ? rogue_image_values(&r, v) : sample(&r, v);
    rogue_send_values(l, (unsigned)rogue_get(insn, ROGUE_F_DRC), g->s[4], v, count, rogue_get(insn, ROGUE_F_F16) != 0);
}

/* ---- iterated coordinates ---- */

/* The sets of coordinates, projector and reference come in that order; each further lookup takes the sets after those
 * of the one before, and its result comes after that one's. */
void rogue_lift_itrsmp(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    enum { MOST = ROGUE_AXES + 2 };
    struct rogue_iteration it;
    if (!rogue_iteration_of(l, insn, (enum rogue_perspective)rogue_get(insn, ROGUE_F_P), &it))
        return;
    unsigned lookups = (unsigned)rogue_get(insn, ROGUE_F_COUNT), drc = (unsigned)rogue_get(insn, ROGUE_F_DRC);
    unsigned sets = (unsigned)rogue_get(insn, ROGUE_F_DMN) + (rogue_get(insn, ROGUE_F_PROJ) != 0) +
                    (rogue_get(insn, ROGUE_F_COMPARISON) != 0);
    bool halves = rogue_get(insn, ROGUE_F_F16) != 0;
    struct rogue_reg to = {ROGUE_TEMP, 0, (uint16_t)rogue_get(insn, ROGUE_F_DEST)};
    for (unsigned n = 0; n < lookups && !l->failed; n++) {
        ir_value given[MOST], v[ROGUE_BYPASS_MOST];
        for (unsigned i = 0; i < sets && i < MOST; i++)
            given[i] = rogue_iterate(&it, n * sets + i);
        struct rogue_request r = {.l = l,
                                  .insn = insn,
                                  .given = given,
                                  .texture = rogue_based(l, ROGUE_SHARED, (uint32_t)rogue_get(insn, ROGUE_F_TEXOFF)),
                                  .sampler = rogue_based(l, ROGUE_SHARED, (uint32_t)rogue_get(insn, ROGUE_F_SMPOFF))};
        unsigned count = sample(&r, v);
        rogue_send_values(l, drc, to, v, count, halves);
        to.index = (uint16_t)(to.index + rogue_registers_of(count, halves));
    }
    if (rogue_waits_itself(insn))
        rogue_wait(l, drc);
}
