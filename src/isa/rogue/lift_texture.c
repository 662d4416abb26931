/* lift_texture.c - SMP1D, SMP2D and SMP3D (chapter 11; semantics, section 6): the words of the data registers in their order
 * become the device's arguments. Which texture and sampler it is, the linkage says of the registers of their states. */
#include "isa/rogue/lift.h"

enum { MOST_ARGUMENTS = 16 };

struct access {
    struct rogue_lifter *l;
    const struct rogue_insn *insn;
    struct ir_texture ir;
    ir_value args[MOST_ARGUMENTS];
    unsigned nargs, next; /* of the data words */
    unsigned dimensions;
};

static bool has(const struct access *a, enum rogue_field field)
{
    return rogue_get(a->insn, field) != 0;
}

static void push(struct access *a, ir_value v)
{
    if (a->nargs < MOST_ARGUMENTS)
        a->args[a->nargs++] = v;
}

static ir_value next_word(struct access *a)
{
    return rogue_read(a->l, a->l->group->s[1], a->l->step + a->next++);
}

static ir_value as_float(struct access *a, ir_value v)
{
    return ir_as(&a->l->b, IR_F32, v);
}

/* What has no meaning that anybody published, or none in the device. */
static bool refuse_odd(struct access *a)
{
    static const enum rogue_field odd[] = {ROGUE_F_NNCOORDS, ROGUE_F_TAO, ROGUE_F_SNO, ROGUE_F_SBMODE, ROGUE_F_COMPARISON,
                                           ROGUE_F_F16, ROGUE_F_F16INPUT};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        if (has(a, odd[i])) {
            rogue_refuse(a->l, "'%s' with .%s is not executed", a->insn->row->name, rogue_fields[odd[i]].name);
            return true;
        }
    return false;
}

static bool find_states(struct access *a)
{
    const struct rogue_group *g = a->l->group;
    const struct rogue_shared_range *texture = rogue_shared_state(a->l, g->s[0], ROGUE_SH_TEXTURE);
    const struct rogue_shared_range *sampler = rogue_shared_state(a->l, g->s[2], ROGUE_SH_SAMPLER);
    if (!texture || !sampler) {
        rogue_refuse(a->l, "the linkage does not say which %s the state in %s is of ('sh N %s M')", texture ? "sampler" : "texture",
                     texture ? "S2" : "S0", texture ? "sampler" : "texture");
        return false;
    }
    a->ir.view = (uint16_t)texture->number;
    a->ir.sampler = (uint16_t)sampler->number;
    const struct rogue_view *view = &a->l->link.view[texture->number];
    static const uint8_t dims[] = {IR_TEX_2D, IR_TEX_1D, IR_TEX_2D, IR_TEX_3D};
    unsigned dmn = (unsigned)rogue_get(a->insn, ROGUE_F_DMN);
    a->dimensions = dmn;
    a->ir.dim = view->known && view->dim == IR_TEX_CUBE && dmn == 3 ? (uint8_t)IR_TEX_CUBE : dims[dmn & 3];
    a->ir.array = has(a, ROGUE_F_ARRAY);
    return true;
}

/* ---- words of the data, in their order ---- */

enum { LOD_NORMAL, LOD_BIAS, LOD_REPLACE, LOD_GRADIENTS };

/* With a level for each pixel it is the next word, else the shared one in S3. */
static ir_value level(struct access *a)
{
    return has(a, ROGUE_F_PPLOD) ? next_word(a) : rogue_source(a->l, 3);
}

static void push_sampled(struct access *a, unsigned lod)
{
    static const uint8_t ops[] = {IR_TEX_SAMPLE, IR_TEX_BIAS, IR_TEX_LOD, IR_TEX_GRAD};
    struct ir_builder *b = &a->l->b;
    a->ir.op = ops[lod & 3];
    for (unsigned i = 0; i < a->dimensions; i++)
        push(a, as_float(a, next_word(a)));
    if (has(a, ROGUE_F_PROJ)) {
        ir_value by = as_float(a, next_word(a));
        for (unsigned i = 0; i < a->dimensions; i++)
            a->args[i] = ir_op2(b, IR_FDIV, ROGUE_FLOAT, a->args[i], by);
    }
    if (a->ir.array)
        push(a, ir_cvt(b, IR_U2F, IR_F32, 0, next_word(a)));
    if (lod == LOD_BIAS || lod == LOD_REPLACE)
        push(a, as_float(a, level(a)));
    if (lod == LOD_GRADIENTS) { /* d/dx and d/dy of one coordinate after the other */
        ir_value d[3][2];
        for (unsigned i = 0; i < a->dimensions; i++)
            for (unsigned n = 0; n < 2; n++)
                d[i][n] = as_float(a, next_word(a));
        for (unsigned n = 0; n < 2; n++)
            for (unsigned i = 0; i < a->dimensions; i++)
                push(a, d[i][n]);
    }
}

/* Integer coordinates: one texel. */
static void push_fetch(struct access *a)
{
    a->ir.op = IR_TEX_FETCH;
    for (unsigned i = 0; i < a->dimensions; i++)
        push(a, next_word(a));
    if (a->ir.array)
        push(a, next_word(a));
    ir_value lod = has(a, ROGUE_F_LODM) ? level(a) : ir_const_i32(&a->l->b, 0);
    push(a, ir_cvt(&a->l->b, IR_F2S, IR_I32, IR_RTZ, as_float(a, lod)));
}

/* The option word: two offsets of 6 bits and one of 4, signed. */
static void push_offsets(struct access *a)
{
    struct ir_builder *b = &a->l->b;
    static const uint8_t bits[] = {6, 6, 4}, from[] = {0, 6, 12};
    ir_value word = next_word(a);
    a->ir.has_offset = true;
    for (unsigned i = 0; i < a->dimensions; i++) {
        ir_value top = ir_op2(b, IR_SHL, 0, word, ir_const_i32(b, 32u - from[i] - bits[i]));
        push(a, ir_op2(b, IR_SHR_S, 0, top, ir_const_i32(b, 32u - bits[i])));
    }
}

void rogue_lift_smp(struct rogue_lifter *l, const struct rogue_group *g, const struct rogue_insn *insn, enum rogue_unit unit)
{
    (void)unit;
    struct access a = {.l = l, .insn = insn};
    if (refuse_odd(&a) || !find_states(&a))
        return;
    if (has(&a, ROGUE_F_INTEGER))
        push_fetch(&a);
    else
        push_sampled(&a, (unsigned)rogue_get(insn, ROGUE_F_LODM));
    if (has(&a, ROGUE_F_SOO) && a.ir.dim != IR_TEX_CUBE)
        push_offsets(&a);
    ir_value first = ir_texture_op(&l->b, a.ir, has(&a, ROGUE_F_FCNORM) ? IR_F32 : IR_I32, a.args, a.nargs);
    for (unsigned c = 0; c < (unsigned)rogue_get(insn, ROGUE_F_CHAN); c++)
        rogue_send(l, (unsigned)rogue_get(insn, ROGUE_F_DRC), g->s[4], c, ir_as(&l->b, IR_I32, first + c));
}
