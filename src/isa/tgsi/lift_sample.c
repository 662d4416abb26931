/* lift_sample.c - the SAMPLE family (document: "Resource Sampling Opcodes"): views and samplers are operands of their
 * own, and the target is what the view is declared with.
 *
 * The components of the result are chosen by the swizzle of the view, as in tgsi_exec. Whether to compare is said by
 * the opcode, never by the target. */
#include "isa/tgsi/lookup.h"

int tgsi_lookup_view_source(const struct tgsi_row *row)
{
    for (unsigned i = 0; row->unit == TGSI_UNIT_VIEW && i < row->nsrc; i++)
        if (row->src_type[i] == TGSI_T_NONE)
            return (int)i;
    return -1;
}

const char *tgsi_lookup_view_problem(const struct tgsi_row *row, unsigned target)
{
    const struct tgsi_lookup_target *t = &tgsi_lookup_targets[target];
    if (!t->coordinates)
        return "it has no coordinates";
    switch (row->ir) {
    case IR_TEX_QUERY_SIZE:
    case IR_TEX_QUERY_POS:
    case IR_TEX_QUERY_SAMPLES:
        return NULL;
    case IR_TEX_FETCH:
        if (row->attr & TGSI_LOOKUP_SAMPLE_LAST)
            return t->multisample ? NULL : "it has no samples; expected SAMPLE_I";
        return t->dim == IR_TEX_CUBE ? "texels of a cube have no integer coordinates"
               : t->multisample      ? "its texels have samples; expected SAMPLE_I_MS"
                                     : NULL;
    case IR_TEX_GATHER:
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
static bool begin(struct tgsi_lookup *k, struct tgsi_lifter *l, const struct tgsi_insn *insn,
                  const struct tgsi_operand *view, unsigned op)
{
    const struct tgsi_decl *d = tgsi_lookup_view(l, view);
    *k = (struct tgsi_lookup){.l = l, .insn = insn, .ir = {.op = (uint8_t)op}};
    if (d && tgsi_lookup_target(d->target)->coordinates)
        k->target = tgsi_lookup_target(d->target);
    else
        lift_error_at(&l->lift, view->where, "view-target", "%s needs a view that is declared with its target",
                      tgsi_lift_row(insn)->name);
    const char *problem = k->target ? tgsi_lookup_view_problem(tgsi_lift_row(insn), d->target) : NULL;
    if (problem)
        lift_error_at(&l->lift, view->where, "view-target", "%s cannot have a view of %s: %s",
                      tgsi_lift_row(insn)->name, tgsi_target_names[d->target], problem);
    return k->target && !problem;
}

static void store(struct tgsi_lookup *k, const struct tgsi_operand *view, unsigned type, ir_value first)
{
    ir_value v[4];
    for (unsigned c = 0; c < 4; c++)
        v[c] = first + (view->swizzle[c] & 3);
    if (first)
        tgsi_lift_result(k->l, k->insn, &k->insn->dst[0], type, v);
}

void tgsi_lift_sample(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    const struct tgsi_row *row = tgsi_lift_row(insn);
    const struct tgsi_operand *view = &insn->src[1];
    struct tgsi_lookup k;
    if (!begin(&k, l, insn, view, tgsi_lookup_operation(l, row->ir)))
        return;
    k.ir.shadow = k.ir.compares = (row->attr & TGSI_LOOKUP_COMPARES) != 0;
    tgsi_lookup_push_vector(&k, &insn->src[0], k.target->coordinates, TGSI_T_F32);
    if (k.target->layer >= 0)
        tgsi_lookup_push(&k, tgsi_lift_source(l, &insn->src[0], (unsigned)k.target->layer, TGSI_T_F32));
    if (row->attr & TGSI_LOOKUP_COMPARES)
        tgsi_lookup_push(&k, tgsi_lift_source(l, &insn->src[3], 0, TGSI_T_F32));
    if (row->attr & TGSI_LOOKUP_LEVEL_LAST)
        tgsi_lookup_push(&k, tgsi_lift_source(l, &insn->src[3], 0, TGSI_T_F32));
    else
        k.ir.zero_lod = k.ir.op == IR_TEX_LOD;
    for (unsigned s = 3; row->ir == IR_TEX_GRAD && s <= 4; s++)
        tgsi_lookup_push_vector(&k, &insn->src[s], k.target->coordinates, TGSI_T_F32);
    tgsi_lookup_push_offset(&k, 0);
    enum ir_type type = row->ir == IR_TEX_QUERY_LOD ? IR_F32 : IR_VOID;
    store(&k, view, TGSI_T_UNTYPED, tgsi_lookup_done(&k, view, &insn->src[2], type));
}

/* SAMPLE_I and SAMPLE_I_MS: texels by number. */
void tgsi_lift_sample_i(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    const struct tgsi_operand *view = &insn->src[1];
    struct tgsi_lookup k;
    if (!begin(&k, l, insn, view, IR_TEX_FETCH))
        return;
    tgsi_lookup_push_texel(&k, &insn->src[0], &insn->src[insn->nsrc - 1], 0);
    if (tgsi_lookup_has_levels(k.target))
        tgsi_lookup_push(&k, tgsi_lift_source(l, &insn->src[0], 3, TGSI_T_I32));
    tgsi_lookup_push_offset(&k, 0);
    store(&k, view, TGSI_T_UNTYPED, tgsi_lookup_done(&k, view, NULL, IR_VOID));
}

void tgsi_lift_sviewinfo(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    const struct tgsi_operand *view = &insn->src[1];
    struct tgsi_lookup k;
    if (!begin(&k, l, insn, view, IR_TEX_QUERY_SIZE))
        return;
    if (tgsi_lookup_has_levels(k.target))
        tgsi_lookup_push(&k, tgsi_lift_source(l, &insn->src[0], 0, TGSI_T_I32));
    store(&k, view, TGSI_T_I32, tgsi_lookup_done(&k, view, NULL, IR_I32));
}

void tgsi_lift_sample_pos(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct tgsi_lookup k;
    if (!begin(&k, l, insn, &insn->src[0], IR_TEX_QUERY_POS))
        return;
    tgsi_lookup_push(&k, tgsi_lift_source(l, &insn->src[1], 0, TGSI_T_I32));
    store(&k, &insn->src[0], TGSI_T_F32, tgsi_lookup_done(&k, &insn->src[0], NULL, IR_F32));
}

/* (n, 0, 0, 0), through the swizzle of the view. */
void tgsi_lift_sample_info(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    const struct tgsi_operand *view = &insn->src[0];
    struct tgsi_lookup k;
    if (!begin(&k, l, insn, view, IR_TEX_QUERY_SAMPLES))
        return;
    ir_value first = tgsi_lookup_done(&k, view, NULL, IR_I32), v[4];
    for (unsigned c = 0; c < 4; c++)
        v[c] = (view->swizzle[c] & 3) == 0 ? first : ir_const_i32(&l->b, 0);
    if (first)
        tgsi_lift_result(l, insn, &insn->dst[0], TGSI_T_U32, v);
}
