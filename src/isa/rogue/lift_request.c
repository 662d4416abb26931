/* lift_request.c - the words of SMP's data in their order (chapter 11), and whose states they go
 * with. */
#include "isa/rogue/lift_request.h"

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

/* ---- words ---- */

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
    if (r->axes == 0 || r->axes > ROGUE_AXES) {
        lift_refuse(&r->l->lift, "'%s' of %u dimensions has no meaning", r->insn->row->name, r->axes);
        return false;
    }
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

bool rogue_find_texture(struct rogue_request *r)
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
