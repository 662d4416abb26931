/* lift_texture.c - the TEX family (document: "Core ISA"): which component is which argument of a TEXTURE op.
 *
 * Targets, as the description of TEX has them: coordinates come first; the array layer and the compare value follow
 * in the next components, the compare value of SHADOW1D in z, that of SHADOWCUBE_ARRAY in src1.x. */
#include "isa/tgsi/lift.h"

#include "isa/tgsi/op.h"

enum { MOST_ARGS = 16 };

static const struct target {
    uint8_t dim, coordinates;
    int8_t layer, compare; /* components of src0; 4 is src1.x; -1: none */
    bool multisample;
} targets[TGSI_TEX_TARGETS] = {
    [TGSI_TEX_BUFFER] = {IR_TEX_BUFFER, 1, -1, -1, false},
    [TGSI_TEX_1D] = {IR_TEX_1D, 1, -1, -1, false},
    [TGSI_TEX_2D] = {IR_TEX_2D, 2, -1, -1, false},
    [TGSI_TEX_3D] = {IR_TEX_3D, 3, -1, -1, false},
    [TGSI_TEX_CUBE] = {IR_TEX_CUBE, 3, -1, -1, false},
    [TGSI_TEX_RECT] = {IR_TEX_RECT, 2, -1, -1, false},
    [TGSI_TEX_SHADOW1D] = {IR_TEX_1D, 1, -1, 2, false},
    [TGSI_TEX_SHADOW2D] = {IR_TEX_2D, 2, -1, 2, false},
    [TGSI_TEX_SHADOWRECT] = {IR_TEX_RECT, 2, -1, 2, false},
    [TGSI_TEX_1D_ARRAY] = {IR_TEX_1D, 1, 1, -1, false},
    [TGSI_TEX_2D_ARRAY] = {IR_TEX_2D, 2, 2, -1, false},
    [TGSI_TEX_SHADOW1D_ARRAY] = {IR_TEX_1D, 1, 1, 2, false},
    [TGSI_TEX_SHADOW2D_ARRAY] = {IR_TEX_2D, 2, 2, 3, false},
    [TGSI_TEX_SHADOWCUBE] = {IR_TEX_CUBE, 3, -1, 3, false},
    [TGSI_TEX_2D_MSAA] = {IR_TEX_2D, 2, -1, -1, true},
    [TGSI_TEX_2D_ARRAY_MSAA] = {IR_TEX_2D, 2, 2, -1, true},
    [TGSI_TEX_CUBE_ARRAY] = {IR_TEX_CUBE, 3, 3, -1, false},
    [TGSI_TEX_SHADOWCUBE_ARRAY] = {IR_TEX_CUBE, 3, 3, 4, false},
    [TGSI_TEX_UNKNOWN] = {IR_TEX_2D, 0, -1, -1, false},
};

struct arguments {
    ir_value v[MOST_ARGS];
    unsigned count;
};

static void push(struct arguments *a, ir_value v)
{
    if (a->count < MOST_ARGS)
        a->v[a->count++] = v;
}

static ir_value component(struct tgsi_lifter *l, const struct tgsi_insn *insn, unsigned c)
{
    return lift_source(l, &insn->src[c / 4], c % 4, TGSI_T_F32);
}

/* Coordinates and compare value of TXP are divided by w; the layer of an array is not. */
static ir_value projected(struct tgsi_lifter *l, const struct tgsi_insn *insn, unsigned c)
{
    ir_value v = component(l, insn, c);
    return insn->opcode == TGSI_OP_TXP ? ir_op2(&l->b, IR_FDIV, 0, v, component(l, insn, 3)) : v;
}

static unsigned operation(const struct tgsi_insn *insn)
{
    switch (insn->opcode) {
    case TGSI_OP_TXB:
    case TGSI_OP_TXB2:
        return IR_TEX_BIAS;
    case TGSI_OP_TXL:
    case TGSI_OP_TXL2:
    case TGSI_OP_TEX_LZ:
        return IR_TEX_LOD;
    case TGSI_OP_TXD:
        return IR_TEX_GRAD;
    default:
        return IR_TEX_SAMPLE;
    }
}

/* Level or bias: w of the coordinates (the document says z for TXB; nobody does that), or src1.x. */
static ir_value level(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    switch (insn->opcode) {
    case TGSI_OP_TEX_LZ:
        return ir_const_f32(&l->b, 0);
    case TGSI_OP_TXB2:
    case TGSI_OP_TXL2:
        return component(l, insn, 4);
    default:
        return component(l, insn, 3);
    }
}

static ir_value offset(struct tgsi_lifter *l, const struct tgsi_insn *insn, unsigned c)
{
    const struct tgsi_tex_offset *o = &insn->offset[0];
    struct tgsi_operand as = {.file = o->file, .index = {.value = o->reg}, .where = insn->where};
    for (unsigned i = 0; i < 3; i++)
        as.swizzle[i] = o->swizzle[i];
    return lift_source(l, &as, c, TGSI_T_I32);
}

/* Integer views give integers; which is told by the view's declaration. */
static enum ir_type result_type(const struct tgsi_lifter *l, uint32_t view)
{
    for (uint32_t i = 0; i < l->m->ndecls; i++) {
        const struct tgsi_decl *d = &l->m->decls[i];
        if (d->file == TGSI_SAMPLER_VIEW && d->first <= view && view <= d->last)
            return d->rettype[0] == TGSI_SINT || d->rettype[0] == TGSI_UINT ? IR_I32 : IR_F32;
    }
    return IR_F32;
}

static void texture_arguments(struct tgsi_lifter *l, const struct tgsi_insn *insn, const struct target *t,
                              const struct ir_texture *tex, struct arguments *a)
{
    for (unsigned c = 0; c < t->coordinates; c++)
        push(a, projected(l, insn, c));
    if (t->layer >= 0)
        push(a, component(l, insn, (unsigned)t->layer));
    if (t->compare >= 0)
        push(a, projected(l, insn, (unsigned)t->compare));
    if (tex->op == IR_TEX_BIAS || tex->op == IR_TEX_LOD)
        push(a, level(l, insn));
    for (unsigned s = 1; tex->op == IR_TEX_GRAD && s <= 2; s++)
        for (unsigned c = 0; c < t->coordinates; c++)
            push(a, lift_source(l, &insn->src[s], c, TGSI_T_F32));
    for (unsigned c = 0; tex->has_offset && c < t->coordinates; c++)
        push(a, offset(l, insn, c));
}

void tgsi_lift_tex(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    const char *name = lift_row(insn)->name;
    const struct target *t = &targets[insn->target < TGSI_TEX_TARGETS ? insn->target : TGSI_TEX_UNKNOWN];
    const struct tgsi_operand *sampler = &insn->src[insn->nsrc - 1];
    /* The second source of TEX2, TXB2 and TXL2 is the only one that can hold a fifth component. */
    bool second = insn->opcode == TGSI_OP_TEX2 || insn->opcode == TGSI_OP_TXB2 || insn->opcode == TGSI_OP_TXL2;
    if (!t->coordinates || t->dim == IR_TEX_BUFFER || t->multisample || (t->compare == 4 && !second)) {
        lift_unsupported(l, insn->where, "%s with target %s is not executed yet", name,
                         tgsi_target_names[insn->target]);
        return;
    }
    if (sampler->file != TGSI_SAMPLER || sampler->index.indirect) {
        lift_unsupported(l, sampler->where, "%s with a sampler that is not a plain SAMP[n] is not executed yet", name);
        return;
    }
    struct ir_texture tex = {.op = (uint8_t)operation(insn),
                             .dim = t->dim,
                             .array = t->layer >= 0,
                             .shadow = t->compare >= 0,
                             .has_offset = insn->noffsets > 0 && t->dim != IR_TEX_CUBE,
                             .view = (uint16_t)sampler->index.value,
                             .sampler = (uint16_t)sampler->index.value};
    if (tex.op == IR_TEX_SAMPLE || tex.op == IR_TEX_BIAS)
        l->b.p->io.uses_derivatives = true;
    struct arguments a = {.count = 0};
    texture_arguments(l, insn, t, &tex, &a);
    ir_value first = ir_texture_op(&l->b, tex, result_type(l, tex.view), a.v, a.count);
    if (first)
        lift_store(l, insn, &insn->dst[0], TGSI_T_UNTYPED, (const ir_value[4]){first, first + 1, first + 2, first + 3});
}
