/* lift_texture.c - the TEX family (document: "Core ISA", "Compute ISA"): which component is which argument of a TEXTURE
 * op.
 *
 * Targets, as the description of TEX has them: coordinates come first; the array layer and the compare value follow
 * in the next components, the compare value of SHADOW1D in z, that of SHADOWCUBE_ARRAY in src1.x (TXB2 and TXL2 have
 * their level there, and the compare value in src1.y). */
#include "isa/tgsi/lookup.h"

const struct tgsi_lookup_target tgsi_lookup_targets[TGSI_TEX_TARGETS] = {
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

/* ---- what both families do ---- */

void tgsi_lookup_push(struct tgsi_lookup *k, ir_value v)
{
    if (k->nargs < sizeof k->args / sizeof *k->args)
        k->args[k->nargs++] = v;
}

void tgsi_lookup_push_vector(struct tgsi_lookup *k, const struct tgsi_operand *o, unsigned count, unsigned type)
{
    for (unsigned c = 0; c < count; c++)
        tgsi_lookup_push(k, tgsi_lift_source(k->l, o, c, type));
}

void tgsi_lookup_push_texel(struct tgsi_lookup *k, const struct tgsi_operand *address,
                            const struct tgsi_operand *sample, unsigned sample_component)
{
    tgsi_lookup_push_vector(k, address, tgsi_lookup_texel_size(k->target), TGSI_T_I32);
    if (k->target->multisample)
        tgsi_lookup_push(k, tgsi_lift_source(k->l, sample, sample_component, TGSI_T_I32));
}

void tgsi_lookup_push_offset(struct tgsi_lookup *k, unsigned n)
{
    if (n >= k->insn->noffsets || k->target->dim == IR_TEX_CUBE || k->target->dim == IR_TEX_BUFFER)
        return;
    const struct tgsi_tex_offset *o = &k->insn->offset[n];
    struct tgsi_operand as = {.file = o->file, .index = {.value = o->reg}, .where = k->insn->where};
    for (unsigned i = 0; i < 3; i++)
        as.swizzle[i] = o->swizzle[i];
    k->ir.has_offset = true;
    tgsi_lookup_push_vector(k, &as, k->target->coordinates, TGSI_T_I32);
}

const struct tgsi_decl *tgsi_lookup_view(const struct tgsi_lifter *l, const struct tgsi_operand *view)
{
    unsigned file = view->file == TGSI_RESOURCE ? TGSI_RESOURCE : TGSI_SAMPLER_VIEW;
    if (view->file != TGSI_SAMPLER && view->file != file)
        return NULL; /* a handle */
    return tgsi_lift_declaration(l, file, &view->index);
}

/* Integer views give integers; which is told by the view's declaration. */
static enum ir_type result_type(const struct tgsi_lifter *l, const struct tgsi_operand *view)
{
    const struct tgsi_decl *d = tgsi_lookup_view(l, view);
    return d && d->file == TGSI_SAMPLER_VIEW && (d->rettype[0] == TGSI_SINT || d->rettype[0] == TGSI_UINT) ? IR_I32
                                                                                                           : IR_F32;
}

/* A number known now goes into the descriptor; one chosen at run time is the last argument. */
static bool push_number(struct tgsi_lookup *k, const struct tgsi_operand *o, uint16_t *number)
{
    if (o->index.indirect && (o->file == TGSI_SAMPLER || o->file == TGSI_SAMPLER_VIEW || o->file == TGSI_RESOURCE))
        tgsi_lookup_push(k, tgsi_lift_index(k->l, &o->index));
    else if (o->file != TGSI_SAMPLER && o->file != TGSI_SAMPLER_VIEW && o->file != TGSI_RESOURCE)
        tgsi_lookup_push(k, tgsi_lift_source(k->l, o, 0, TGSI_T_U32)); /* bindless: a handle, see SAMP2HND */
    else {
        *number = (uint16_t)o->index.value;
        return false;
    }
    return true;
}

unsigned tgsi_lookup_operation(const struct tgsi_lifter *l, unsigned op)
{
    bool derivatives = l->m->processor == TGSI_FRAG;
    return (op == IR_TEX_SAMPLE || op == IR_TEX_BIAS) && !derivatives ? IR_TEX_LOD : op;
}

ir_value tgsi_lookup_done(struct tgsi_lookup *k, const struct tgsi_operand *view, const struct tgsi_operand *sampler,
                          enum ir_type type)
{
    k->ir.dim = k->target->dim;
    k->ir.array = k->target->layer >= 0;
    k->ir.multisample = k->target->multisample;
    k->ir.view_arg = push_number(k, view, &k->ir.view);
    if (sampler)
        k->ir.sampler_arg = push_number(k, sampler, &k->ir.sampler);
    if (k->ir.op == IR_TEX_SAMPLE || k->ir.op == IR_TEX_BIAS || k->ir.op == IR_TEX_QUERY_LOD)
        k->l->b.p->io.uses_derivatives = true;
    return ir_texture_op(&k->l->b, k->ir, type == IR_VOID ? result_type(k->l, view) : type, k->args, k->nargs);
}

/* ---- the TEX family ---- */

/* Component n of the first two sources. */
static ir_value component(const struct tgsi_lookup *k, unsigned n)
{
    return tgsi_lift_source(k->l, &k->insn->src[n / 4], n % 4, TGSI_T_F32);
}

/* Coordinates and compare value of TXP are divided by w; the layer of an array is not. */
static ir_value projected(const struct tgsi_lookup *k, unsigned n)
{
    ir_value v = component(k, n);
    return tgsi_lift_row(k->insn)->attr & TGSI_LOOKUP_PROJECTED ? ir_op2(&k->l->b, IR_FDIV, 0, v, component(k, 3)) : v;
}

static unsigned compare_component(const struct tgsi_lookup *k)
{
    bool after_level = k->target->compare == 4 && tgsi_lift_row(k->insn)->attr & TGSI_LOOKUP_LEVEL_SECOND;
    return (unsigned)k->target->compare + after_level;
}

/* Of what is filtered. */
static const char *filter_problem(const struct tgsi_row *row, const struct tgsi_lookup_target *t)
{
    bool projects = row->attr & TGSI_LOOKUP_PROJECTED;
    if (!t->coordinates)
        return "it has no coordinates";
    if (t->dim == IR_TEX_BUFFER || t->multisample)
        return "a buffer or a multisample texture is not filtered; fetch its texels with TXF";
    if (t->compare == 4 && !(row->attr & TGSI_LOOKUP_SECOND))
        return "the compare value has no component left; expected an opcode with a second source, such as TEX2";
    if (!projects && !(row->attr & TGSI_LOOKUP_LEVEL_W))
        return NULL;
    if (t->compare == 3)
        return projects ? "w would be the compare value and the divisor" : "w would be the compare value and the level";
    if (t->layer == 3)
        return projects ? "w would be the layer and the divisor" : "w would be the layer and the level";
    return NULL;
}

const char *tgsi_lookup_problem(const struct tgsi_row *row, unsigned target)
{
    const struct tgsi_lookup_target *t = &tgsi_lookup_targets[target];
    if (row->unit == TGSI_UNIT_PLAIN_SAMPLER)
        return NULL; /* its handle is wanted */
    switch (row->ir) {
    case IR_TEX_FETCH: /* the document: neither cubes nor comparisons; today's producers fetch from shadow targets */
        return t->dim == IR_TEX_CUBE ? "texels of a cube have no integer coordinates" : NULL;
    case IR_TEX_QUERY_SIZE:
        return NULL;
    case IR_TEX_QUERY_SAMPLES:
        return t->multisample ? NULL : "it has no samples";
    default:
        return filter_problem(row, t);
    }
}

static void push_sampled(struct tgsi_lookup *k)
{
    const struct tgsi_lookup_target *t = k->target;
    unsigned flags = tgsi_lift_row(k->insn)->attr;
    for (unsigned c = 0; c < t->coordinates; c++)
        tgsi_lookup_push(k, projected(k, c));
    if (t->layer >= 0)
        tgsi_lookup_push(k, component(k, (unsigned)t->layer));
    if (t->compare >= 0)
        tgsi_lookup_push(k, projected(k, compare_component(k)));
    bool level = k->ir.op == IR_TEX_BIAS || k->ir.op == IR_TEX_LOD;
    if (level && flags & (TGSI_LOOKUP_LEVEL_W | TGSI_LOOKUP_LEVEL_SECOND))
        tgsi_lookup_push(k, component(k, flags & TGSI_LOOKUP_LEVEL_W ? 3 : 4));
    else
        k->ir.zero_lod = level;
    for (unsigned s = 1; k->ir.op == IR_TEX_GRAD && s <= 2; s++)
        tgsi_lookup_push_vector(k, &k->insn->src[s], t->coordinates, TGSI_T_F32);
}

/* The target of an instruction; NULL after an error. */
static const struct tgsi_lookup_target *target_of(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    const struct tgsi_lookup_target *t = tgsi_lookup_target(insn->target);
    if (t->coordinates)
        return t;
    lift_error_at(&l->lift, insn->where, "bad-target", "%s needs a texture target", tgsi_lift_row(insn)->name);
    return NULL;
}

static ir_value sample(struct tgsi_lifter *l, const struct tgsi_insn *insn, const struct tgsi_lookup_target *t,
                       unsigned gather_component, unsigned offset)
{
    unsigned op = tgsi_lift_row(insn)->ir;
    const struct tgsi_operand *unit = &insn->src[insn->nsrc - 1];
    struct tgsi_lookup k = {.l = l, .insn = insn, .target = t};
    k.ir.op = (uint8_t)tgsi_lookup_operation(l, op);
    k.ir.shadow = t->compare >= 0;
    k.ir.gather_component = (uint8_t)gather_component;
    push_sampled(&k);
    tgsi_lookup_push_offset(&k, offset);
    return tgsi_lookup_done(&k, unit, unit, op == IR_TEX_QUERY_LOD ? IR_F32 : IR_VOID);
}

static void store(struct tgsi_lifter *l, const struct tgsi_insn *insn, unsigned type, ir_value first)
{
    if (first)
        tgsi_lift_result(l, insn, &insn->dst[0], type, (const ir_value[4]){first, first + 1, first + 2, first + 3});
}

static const struct tgsi_lookup_target *fitting_target(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    const struct tgsi_lookup_target *t = target_of(l, insn);
    const char *problem = t ? tgsi_lookup_problem(tgsi_lift_row(insn), insn->target) : NULL;
    if (problem)
        lift_error_at(&l->lift, insn->where, "bad-target", "%s cannot have target %s: %s", tgsi_lift_row(insn)->name,
                      tgsi_target_names[insn->target], problem);
    return problem ? NULL : t;
}

void tgsi_lift_tex(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    const struct tgsi_lookup_target *t = fitting_target(l, insn);
    if (t)
        store(l, insn, TGSI_T_UNTYPED, sample(l, insn, t, 0, 0));
}

void tgsi_lift_lodq(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    const struct tgsi_lookup_target *t = fitting_target(l, insn);
    ir_value first = t ? sample(l, insn, t, 0, 0) : 0;
    if (first) /* z and w are left alone */
        tgsi_lift_result(l, insn, &insn->dst[0], TGSI_T_F32, (const ir_value[4]){first, first + 1, 0, 0});
}

/* ---- TG4 ---- */

static ir_value gather_any(struct tgsi_lifter *l, const struct tgsi_insn *insn, const struct tgsi_lookup_target *t,
                           unsigned offset, ir_value out[4])
{
    const struct tgsi_operand *which = &insn->src[1];
    uint32_t n = 0;
    bool known = tgsi_immediate(l->m, which, &n);
    ir_value first = sample(l, insn, t, t->compare >= 0 ? 0 : n & 3, offset);
    for (unsigned c = 0; first && c < 4; c++)
        out[c] = first + c;
    if (known || t->compare >= 0 || !first)
        return first;
    ir_value chosen = ir_op2(&l->b, IR_AND, 0, tgsi_lift_source(l, which, 0, TGSI_T_U32), ir_const_i32(&l->b, 3));
    for (n = 1; n < 4; n++) { /* a component chosen at run time: one of four gathers */
        ir_value other = sample(l, insn, t, n, offset);
        ir_value is = ir_op2(&l->b, IR_EQ, 0, chosen, ir_const_i32(&l->b, n));
        for (unsigned c = 0; other && c < 4; c++)
            out[c] = ir_select(&l->b, is, other + c, out[c]);
    }
    return first;
}

/* With four offsets (GLSL's textureGatherOffsets) each result is the texel (i0, j0), the fourth of a gather, of its own
 * offset. */
void tgsi_lift_tg4(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    const struct tgsi_lookup_target *t = fitting_target(l, insn);
    ir_value v[4] = {0}, result[4] = {0};
    if (!t)
        return;
    if (insn->noffsets < 4) {
        if (gather_any(l, insn, t, 0, result))
            tgsi_lift_result(l, insn, &insn->dst[0], TGSI_T_UNTYPED, result);
        return;
    }
    for (unsigned c = 0; c < 4; c++) {
        if (!gather_any(l, insn, t, c, v))
            return;
        result[c] = v[3];
    }
    tgsi_lift_result(l, insn, &insn->dst[0], TGSI_T_UNTYPED, result);
}

/* ---- texels and queries ---- */

void tgsi_lift_txf(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct tgsi_lookup k = {.l = l, .insn = insn, .target = fitting_target(l, insn), .ir = {.op = IR_TEX_FETCH}};
    if (!k.target)
        return;
    tgsi_lookup_push_texel(&k, &insn->src[0], &insn->src[0], 3);
    if (!(tgsi_lift_row(insn)->attr & TGSI_LOOKUP_LEVEL_W))
        k.ir.zero_lod = true;
    else if (tgsi_lookup_has_levels(k.target))
        tgsi_lookup_push(&k, tgsi_lift_source(l, &insn->src[0], 3, TGSI_T_I32));
    tgsi_lookup_push_offset(&k, 0);
    store(l, insn, TGSI_T_UNTYPED, tgsi_lookup_done(&k, &insn->src[1], NULL, IR_VOID));
}

void tgsi_lift_txq(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct tgsi_lookup k = {.l = l, .insn = insn, .target = target_of(l, insn), .ir = {.op = IR_TEX_QUERY_SIZE}};
    if (!k.target)
        return;
    if (tgsi_lookup_has_levels(k.target))
        tgsi_lookup_push(&k, tgsi_lift_source(l, &insn->src[0], 0, TGSI_T_I32));
    store(l, insn, TGSI_T_I32, tgsi_lookup_done(&k, &insn->src[1], NULL, IR_I32));
}

void tgsi_lift_txqs(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct tgsi_lookup k = {
        .l = l, .insn = insn, .target = fitting_target(l, insn), .ir = {.op = IR_TEX_QUERY_SAMPLES}};
    if (k.target)
        store(l, insn, TGSI_T_I32, tgsi_lookup_done(&k, &insn->src[0], NULL, IR_I32));
}

/* Bindless handles: the number of the unit, in 64 bits. */
void tgsi_lift_handle(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    const struct tgsi_operand *unit = &insn->src[0];
    ir_value number =
        unit->index.indirect ? tgsi_lift_index(l, &unit->index) : ir_const_i32(&l->b, (uint32_t)unit->index.value);
    ir_value zero = ir_const_i32(&l->b, 0);
    tgsi_lift_result(l, insn, &insn->dst[0], TGSI_T_U32, (const ir_value[4]){number, zero, number, zero});
}
