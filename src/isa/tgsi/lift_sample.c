/* lift_sample.c - the SAMPLE family (document: "Resource Sampling Opcodes"): views and samplers are operands of their
 * own, and the target is what the view is declared with.
 *
 * The components of the result are chosen by the swizzle of the view, as in tgsi_exec. Whether to compare is said by
 * the opcode, never by the target. */
#include "isa/tgsi/lookup.h"

#include "isa/tgsi/op.h"

/* What the sources after view and sampler are. */
enum extra { EXTRA_NONE, EXTRA_LEVEL, EXTRA_ZERO, EXTRA_DERIVATIVES };

static const struct kind {
    uint16_t opcode;
    uint8_t op; /* enum ir_tex_op */
    uint8_t extra;
    bool compare; /* src3.x */
} kinds[] = {
    {TGSI_OP_SAMPLE, IR_TEX_SAMPLE, EXTRA_NONE, false},       {TGSI_OP_SAMPLE_B, IR_TEX_BIAS, EXTRA_LEVEL, false},
    {TGSI_OP_SAMPLE_C, IR_TEX_SAMPLE, EXTRA_NONE, true},      {TGSI_OP_SAMPLE_C_LZ, IR_TEX_LOD, EXTRA_ZERO, true},
    {TGSI_OP_SAMPLE_D, IR_TEX_GRAD, EXTRA_DERIVATIVES, false}, {TGSI_OP_SAMPLE_L, IR_TEX_LOD, EXTRA_LEVEL, false},
    {TGSI_OP_GATHER4, IR_TEX_GATHER, EXTRA_NONE, false},      {TGSI_OP_LOD, IR_TEX_QUERY_LOD, EXTRA_NONE, false},
};

static const struct kind *kind_of(const struct tgsi_insn *insn)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].opcode == insn->opcode)
            return &kinds[i];
    return &kinds[0];
}

int lookup_view_source(unsigned opcode)
{
    switch (opcode) {
    case TGSI_OP_SAMPLE:
    case TGSI_OP_SAMPLE_B:
    case TGSI_OP_SAMPLE_C:
    case TGSI_OP_SAMPLE_C_LZ:
    case TGSI_OP_SAMPLE_D:
    case TGSI_OP_SAMPLE_L:
    case TGSI_OP_SAMPLE_I:
    case TGSI_OP_SAMPLE_I_MS:
    case TGSI_OP_GATHER4:
    case TGSI_OP_LOD:
    case TGSI_OP_SVIEWINFO:
        return 1;
    case TGSI_OP_SAMPLE_POS:
    case TGSI_OP_SAMPLE_INFO:
        return 0;
    default:
        return -1;
    }
}

const char *lookup_view_problem(unsigned opcode, unsigned target)
{
    const struct lookup_target *t = &lookup_targets[target];
    if (!t->coordinates)
        return "it has no coordinates";
    switch (opcode) {
    case TGSI_OP_SVIEWINFO:
    case TGSI_OP_SAMPLE_POS:
    case TGSI_OP_SAMPLE_INFO:
        return NULL;
    case TGSI_OP_SAMPLE_I:
        return t->dim == IR_TEX_CUBE  ? "texels of a cube have no integer coordinates"
               : t->multisample ? "its texels have samples; expected SAMPLE_I_MS"
                                : NULL;
    case TGSI_OP_SAMPLE_I_MS:
        return t->multisample ? NULL : "it has no samples; expected SAMPLE_I";
    case TGSI_OP_GATHER4:
        if (t->dim != IR_TEX_2D && t->dim != IR_TEX_CUBE && t->dim != IR_TEX_RECT)
            return "it works with 2D, 2D_ARRAY, CUBE and CUBEARRAY alone";
        break;
    default:
        break;
    }
    return t->multisample || t->dim == IR_TEX_BUFFER
               ? "a buffer or a multisample texture is not filtered; fetch its texels "
                 "with SAMPLE_I or SAMPLE_I_MS"
               : NULL;
}

/* The target that a view is declared with, false after an error. */
static bool begin(struct lookup *k, struct tgsi_lifter *l, const struct tgsi_insn *insn,
                  const struct tgsi_operand *view, unsigned op)
{
    const struct tgsi_decl *d = lookup_view(l, view);
    *k = (struct lookup){.l = l, .insn = insn, .ir = {.op = (uint8_t)op}};
    if (d && d->target < TGSI_TEX_TARGETS && lookup_targets[d->target].coordinates)
        k->target = &lookup_targets[d->target];
    else
        lift_error(l, view->where, "view-target", "%s needs a view that is declared with its target",
                   lift_row(insn)->name);
    const char *problem = k->target ? lookup_view_problem(insn->opcode, d->target) : NULL;
    if (problem)
        lift_error(l, view->where, "view-target", "%s cannot have a view of %s: %s", lift_row(insn)->name,
                   tgsi_target_names[d->target], problem);
    return k->target && !problem;
}

static void store(struct lookup *k, const struct tgsi_operand *view, unsigned type, ir_value first)
{
    ir_value v[4];
    for (unsigned c = 0; c < 4; c++)
        v[c] = first + (view->swizzle[c] & 3);
    if (first)
        lift_store(k->l, k->insn, &k->insn->dst[0], type, v);
}

void tgsi_lift_sample(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    const struct kind *kind = kind_of(insn);
    const struct tgsi_operand *view = &insn->src[1];
    struct lookup k;
    if (!begin(&k, l, insn, view, lookup_operation(l, kind->op)))
        return;
    k.ir.shadow = k.ir.compares = kind->compare;
    lookup_push_vector(&k, &insn->src[0], k.target->coordinates, TGSI_T_F32);
    if (k.target->layer >= 0)
        lookup_push(&k, lift_source(l, &insn->src[0], (unsigned)k.target->layer, TGSI_T_F32));
    if (kind->compare)
        lookup_push(&k, lift_source(l, &insn->src[3], 0, TGSI_T_F32));
    if (kind->extra == EXTRA_LEVEL)
        lookup_push(&k, lift_source(l, &insn->src[3], 0, TGSI_T_F32));
    else
        k.ir.zero_lod = k.ir.op == IR_TEX_LOD;
    for (unsigned s = 3; kind->extra == EXTRA_DERIVATIVES && s <= 4; s++)
        lookup_push_vector(&k, &insn->src[s], k.target->coordinates, TGSI_T_F32);
    lookup_push_offset(&k, 0);
    enum ir_type type = kind->op == IR_TEX_QUERY_LOD ? IR_F32 : IR_VOID;
    store(&k, view, TGSI_T_UNTYPED, lookup_done(&k, view, &insn->src[2], type));
}

/* SAMPLE_I and SAMPLE_I_MS: texels by number. */
void tgsi_lift_sample_i(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    const struct tgsi_operand *view = &insn->src[1];
    struct lookup k;
    if (!begin(&k, l, insn, view, IR_TEX_FETCH))
        return;
    lookup_push_texel(&k, &insn->src[0], &insn->src[insn->nsrc - 1], 0);
    if (lookup_has_levels(&k))
        lookup_push(&k, lift_source(l, &insn->src[0], 3, TGSI_T_I32));
    lookup_push_offset(&k, 0);
    store(&k, view, TGSI_T_UNTYPED, lookup_done(&k, view, NULL, IR_VOID));
}

void tgsi_lift_sviewinfo(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    const struct tgsi_operand *view = &insn->src[1];
    struct lookup k;
    if (!begin(&k, l, insn, view, IR_TEX_QUERY_SIZE))
        return;
    if (lookup_has_levels(&k))
        lookup_push(&k, lift_source(l, &insn->src[0], 0, TGSI_T_I32));
    store(&k, view, TGSI_T_I32, lookup_done(&k, view, NULL, IR_I32));
}

void tgsi_lift_sample_pos(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct lookup k;
    if (!begin(&k, l, insn, &insn->src[0], IR_TEX_QUERY_POS))
        return;
    lookup_push(&k, lift_source(l, &insn->src[1], 0, TGSI_T_I32));
    store(&k, &insn->src[0], TGSI_T_F32, lookup_done(&k, &insn->src[0], NULL, IR_F32));
}

/* (n, 0, 0, 0), through the swizzle of the view. */
void tgsi_lift_sample_info(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    const struct tgsi_operand *view = &insn->src[0];
    struct lookup k;
    if (!begin(&k, l, insn, view, IR_TEX_QUERY_SAMPLES))
        return;
    ir_value first = lookup_done(&k, view, NULL, IR_I32), v[4];
    for (unsigned c = 0; c < 4; c++)
        v[c] = (view->swizzle[c] & 3) == 0 ? first : ir_const_i32(&l->b, 0);
    if (first)
        lift_store(l, insn, &insn->dst[0], TGSI_T_U32, v);
}
