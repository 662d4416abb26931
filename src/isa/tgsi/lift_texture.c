/* lift_texture.c - lookups: which component is which argument of a TEXTURE op.
 *
 * The TEX family (document: "Core ISA", "Compute ISA") names its target. Coordinates come first; the array layer and
 * the compare value follow in the next components, the compare value of SHADOW1D in z, that of SHADOWCUBE_ARRAY in
 * src1.x (TXB2 and TXL2 have their level there, and the compare value in src1.y).
 *
 * The SAMPLE family ("Resource Sampling Opcodes") has views and samplers as operands of their own, and the target is
 * what the view is declared with. The components of the result are chosen by the swizzle of the view, as in tgsi_exec.
 * Whether to compare is said by the opcode, never by the target. */
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

/* ---- what a target must be ---- */

int tgsi_lookup_view_source(const struct tgsi_row *row)
{
    for (unsigned i = 0; row->unit == TGSI_UNIT_VIEW && i < row->nsrc; i++)
        if (row->src_type[i] == TGSI_T_NONE)
            return (int)i;
    return -1;
}

/* Of views. */
static const char *view_problem(const struct tgsi_row *row, const struct tgsi_lookup_target *t)
{
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
    if (row->unit == TGSI_UNIT_VIEW)
        return view_problem(row, t);
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

/* ---- what both families do ---- */

/* A TEXTURE op in the making: it gets its arguments in the order of struct ir_texture, and is then done. */
struct lookup {
    struct tgsi_lifter *l;
    const struct tgsi_insn *insn;
    const struct tgsi_operand *view; /* the TEX family: the sampler, which is the view's number too */
    const struct tgsi_lookup_target *target;
    struct ir_texture ir;
    struct lift_arguments args;
};

/* The first `count` components of an operand. */
static void push_vector(struct lookup *k, const struct tgsi_operand *o, unsigned count, unsigned type)
{
    for (unsigned c = 0; c < count; c++)
        lift_argument(&k->args, tgsi_lift_source(k->l, o, c, type));
}

/* Integer coordinates, layer and sample number (at `sample` of an operand, where the target has samples). */
static void push_texel(struct lookup *k, const struct tgsi_operand *address, const struct tgsi_operand *sample,
                       unsigned sample_component)
{
    push_vector(k, address, tgsi_lookup_texel_size(k->target), TGSI_T_I32);
    if (k->target->multisample)
        lift_argument(&k->args, tgsi_lift_source(k->l, sample, sample_component, TGSI_T_I32));
}

/* Offset n of the instruction; nothing where it has none. */
static void push_offset(struct lookup *k, unsigned n)
{
    if (n >= k->insn->noffsets || k->target->dim == IR_TEX_CUBE || k->target->dim == IR_TEX_BUFFER)
        return;
    const struct tgsi_tex_offset *o = &k->insn->offset[n];
    struct tgsi_operand as = {.file = o->file, .index = {.value = o->reg}, .where = k->insn->where};
    for (unsigned i = 0; i < 3; i++)
        as.swizzle[i] = o->swizzle[i];
    k->ir.has_offset = true;
    push_vector(k, &as, k->target->coordinates, TGSI_T_I32);
}

/* The declaration of a view, or NULL. */
static const struct tgsi_decl *view_of(const struct tgsi_lifter *l, const struct tgsi_operand *view)
{
    unsigned file = view->file == TGSI_RESOURCE ? TGSI_RESOURCE : TGSI_SAMPLER_VIEW;
    if (view->file != TGSI_SAMPLER && view->file != file)
        return NULL; /* a handle */
    return tgsi_lift_declaration(l, file, &view->index);
}

/* Integer views give integers; which is told by the view's declaration. */
static enum ir_type result_type(const struct tgsi_lifter *l, const struct tgsi_operand *view)
{
    const struct tgsi_decl *d = view_of(l, view);
    return d && d->file == TGSI_SAMPLER_VIEW && (d->rettype[0] == TGSI_SINT || d->rettype[0] == TGSI_UINT) ? IR_I32
                                                                                                           : IR_F32;
}

/* A number known now goes into the descriptor; one chosen at run time is the last argument. */
static bool push_number(struct lookup *k, const struct tgsi_operand *o, uint16_t *number)
{
    if (o->index.indirect && (o->file == TGSI_SAMPLER || o->file == TGSI_SAMPLER_VIEW || o->file == TGSI_RESOURCE))
        lift_argument(&k->args, tgsi_lift_index(k->l, &o->index));
    else if (o->file != TGSI_SAMPLER && o->file != TGSI_SAMPLER_VIEW && o->file != TGSI_RESOURCE)
        lift_argument(&k->args, tgsi_lift_source(k->l, o, 0, TGSI_T_U32)); /* bindless: a handle, see SAMP2HND */
    else {
        *number = (uint16_t)o->index.value;
        return false;
    }
    return true;
}

/* Levels come from derivatives in fragment programs alone: elsewhere SAMPLE is at level 0, and a bias is the level. */
static unsigned operation(const struct tgsi_lifter *l, unsigned op)
{
    bool derivatives = l->m->processor == TGSI_FRAG;
    return (op == IR_TEX_SAMPLE || op == IR_TEX_BIAS) && !derivatives ? IR_TEX_LOD : op;
}

/* Emit: the first of four results of the type that the view has (`type` other than VOID: of that type). `sampler` is
 * NULL where none is asked for, and the view's own operand in the TEX family. */
static ir_value done(struct lookup *k, const struct tgsi_operand *sampler, enum ir_type type)
{
    k->ir.dim = k->target->dim;
    k->ir.array = k->target->layer >= 0;
    k->ir.multisample = k->target->multisample;
    k->ir.view_arg = push_number(k, k->view, &k->ir.view);
    if (sampler)
        k->ir.sampler_arg = push_number(k, sampler, &k->ir.sampler);
    if (k->ir.op == IR_TEX_SAMPLE || k->ir.op == IR_TEX_BIAS || k->ir.op == IR_TEX_QUERY_LOD)
        k->l->b.p->io.uses_derivatives = true;
    return ir_texture_op(&k->l->b, k->ir, type == IR_VOID ? result_type(k->l, k->view) : type, k->args.v, k->args.n);
}

/* False after an error. */
static bool begin(struct lookup *k, struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    const struct tgsi_row *row = l->row;
    int source = tgsi_lookup_view_source(row);
    bool viewed = source >= 0;
    const struct tgsi_operand *view = &insn->src[viewed ? source : insn->nsrc - 1];
    const struct tgsi_decl *d = viewed ? view_of(l, view) : NULL;
    unsigned target = !viewed ? insn->target : d ? d->target : TGSI_TEX_UNKNOWN;
    struct span where = viewed ? view->where : insn->where;
    const char *code = viewed ? "view-target" : "bad-target";
    *k = (struct lookup){.l = l, .insn = insn, .view = view, .target = tgsi_lookup_target(target)};
    k->ir.op = (uint8_t)operation(l, row->ir);
    const char *problem = k->target->coordinates ? tgsi_lookup_problem(row, target) : NULL;
    if (!k->target->coordinates)
        lift_error_at(&l->lift, where, code, "%s needs a %s", row->name,
                      viewed ? "view that is declared with its target" : "texture target");
    else if (problem)
        lift_error_at(&l->lift, where, code, "%s cannot have %s %s: %s", row->name, viewed ? "a view of" : "target",
                      tgsi_target_names[target], problem);
    return k->target->coordinates && !problem;
}

static void store(struct lookup *k, unsigned type, ir_value first)
{
    ir_value v[4];
    for (unsigned c = 0; c < 4; c++)
        v[c] = first + (k->l->row->unit == TGSI_UNIT_VIEW ? k->view->swizzle[c] & 3 : c);
    if (first)
        tgsi_lift_result(k->l, k->insn, &k->insn->dst[0], type, v);
}

/* ---- the TEX family ---- */

/* Component n of the first two sources. */
static ir_value component(const struct lookup *k, unsigned n)
{
    return tgsi_lift_source(k->l, &k->insn->src[n / 4], n % 4, TGSI_T_F32);
}

/* Coordinates and compare value of TXP are divided by w; the layer of an array is not. */
static ir_value projected(const struct lookup *k, unsigned n)
{
    ir_value v = component(k, n);
    return tgsi_lift_row(k->insn)->attr & TGSI_LOOKUP_PROJECTED ? ir_op2(&k->l->b, IR_FDIV, 0, v, component(k, 3)) : v;
}

static unsigned compare_component(const struct lookup *k)
{
    bool after_level = k->target->compare == 4 && tgsi_lift_row(k->insn)->attr & TGSI_LOOKUP_LEVEL_SECOND;
    return (unsigned)k->target->compare + after_level;
}

static void push_sampled(struct lookup *k)
{
    const struct tgsi_lookup_target *t = k->target;
    unsigned flags = tgsi_lift_row(k->insn)->attr;
    for (unsigned c = 0; c < t->coordinates; c++)
        lift_argument(&k->args, projected(k, c));
    if (t->layer >= 0)
        lift_argument(&k->args, component(k, (unsigned)t->layer));
    if (t->compare >= 0)
        lift_argument(&k->args, projected(k, compare_component(k)));
    bool level = k->ir.op == IR_TEX_BIAS || k->ir.op == IR_TEX_LOD;
    if (level && flags & (TGSI_LOOKUP_LEVEL_W | TGSI_LOOKUP_LEVEL_SECOND))
        lift_argument(&k->args, component(k, flags & TGSI_LOOKUP_LEVEL_W ? 3 : 4));
    else
        k->ir.zero_lod = level;
    for (unsigned s = 1; k->ir.op == IR_TEX_GRAD && s <= 2; s++)
        push_vector(k, &k->insn->src[s], t->coordinates, TGSI_T_F32);
}

/* k, begun, as often as it is asked with other components and offsets. */
static ir_value sample(struct lookup k, unsigned gather_component, unsigned offset)
{
    k.ir.shadow = k.target->compare >= 0;
    k.ir.gather_component = (uint8_t)gather_component;
    push_sampled(&k);
    push_offset(&k, offset);
    return done(&k, k.view, k.l->row->ir == IR_TEX_QUERY_LOD ? IR_F32 : IR_VOID);
}

void tgsi_lift_tex(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct lookup k;
    if (begin(&k, l, insn))
        store(&k, TGSI_T_UNTYPED, sample(k, 0, 0));
}

void tgsi_lift_lodq(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct lookup k;
    ir_value first = begin(&k, l, insn) ? sample(k, 0, 0) : 0;
    if (first) /* z and w are left alone */
        tgsi_lift_result(l, insn, &insn->dst[0], TGSI_T_F32, (const ir_value[4]){first, first + 1, 0, 0});
}

/* ---- TG4 ---- */

static ir_value gather_any(const struct lookup *k, unsigned offset, ir_value out[4])
{
    struct tgsi_lifter *l = k->l;
    const struct tgsi_lookup_target *t = k->target;
    const struct tgsi_operand *which = &k->insn->src[1];
    uint32_t n = 0;
    bool known = tgsi_immediate(l->m, which, &n);
    ir_value first = sample(*k, t->compare >= 0 ? 0 : n & 3, offset);
    for (unsigned c = 0; first && c < 4; c++)
        out[c] = first + c;
    if (known || t->compare >= 0 || !first)
        return first;
    ir_value chosen = ir_op2(&l->b, IR_AND, 0, tgsi_lift_source(l, which, 0, TGSI_T_U32), ir_const_i32(&l->b, 3));
    for (n = 1; n < 4; n++) { /* a component chosen at run time: one of four gathers */
        ir_value other = sample(*k, n, offset);
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
    struct lookup k;
    ir_value v[4] = {0}, result[4] = {0};
    if (!begin(&k, l, insn))
        return;
    if (insn->noffsets < 4) {
        if (gather_any(&k, 0, result))
            tgsi_lift_result(l, insn, &insn->dst[0], TGSI_T_UNTYPED, result);
        return;
    }
    for (unsigned c = 0; c < 4; c++) {
        if (!gather_any(&k, c, v))
            return;
        result[c] = v[3];
    }
    tgsi_lift_result(l, insn, &insn->dst[0], TGSI_T_UNTYPED, result);
}

/* ---- the SAMPLE family ---- */

void tgsi_lift_sample(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    const struct tgsi_row *row = l->row;
    struct lookup k;
    if (!begin(&k, l, insn))
        return;
    k.ir.shadow = k.ir.compares = (row->attr & TGSI_LOOKUP_COMPARES) != 0;
    push_vector(&k, &insn->src[0], k.target->coordinates, TGSI_T_F32);
    if (k.target->layer >= 0)
        lift_argument(&k.args, tgsi_lift_source(l, &insn->src[0], (unsigned)k.target->layer, TGSI_T_F32));
    if (row->attr & TGSI_LOOKUP_COMPARES)
        lift_argument(&k.args, tgsi_lift_source(l, &insn->src[3], 0, TGSI_T_F32));
    if (row->attr & TGSI_LOOKUP_LEVEL_LAST)
        lift_argument(&k.args, tgsi_lift_source(l, &insn->src[3], 0, TGSI_T_F32));
    else
        k.ir.zero_lod = k.ir.op == IR_TEX_LOD;
    for (unsigned s = 3; row->ir == IR_TEX_GRAD && s <= 4; s++)
        push_vector(&k, &insn->src[s], k.target->coordinates, TGSI_T_F32);
    push_offset(&k, 0);
    enum ir_type type = row->ir == IR_TEX_QUERY_LOD ? IR_F32 : IR_VOID;
    store(&k, TGSI_T_UNTYPED, done(&k, &insn->src[2], type));
}

/* ---- texels and queries ---- */

/* TXF and SAMPLE_I: texels by number. */
void tgsi_lift_txf(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct lookup k;
    bool sample_last = l->row->attr & TGSI_LOOKUP_SAMPLE_LAST, level = l->row->attr & TGSI_LOOKUP_LEVEL_W;
    if (!begin(&k, l, insn))
        return;
    push_texel(&k, &insn->src[0], &insn->src[sample_last ? insn->nsrc - 1 : 0], sample_last ? 0 : 3);
    k.ir.zero_lod = !level && !sample_last;
    if (level && tgsi_lookup_has_levels(k.target))
        lift_argument(&k.args, tgsi_lift_source(l, &insn->src[0], 3, TGSI_T_I32));
    push_offset(&k, 0);
    store(&k, TGSI_T_UNTYPED, done(&k, NULL, IR_VOID));
}

/* TXQ and SVIEWINFO. */
void tgsi_lift_txq(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct lookup k;
    if (!begin(&k, l, insn))
        return;
    if (tgsi_lookup_has_levels(k.target))
        lift_argument(&k.args, tgsi_lift_source(l, &insn->src[0], 0, TGSI_T_I32));
    store(&k, TGSI_T_I32, done(&k, NULL, IR_I32));
}

void tgsi_lift_txqs(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct lookup k;
    if (begin(&k, l, insn))
        store(&k, TGSI_T_I32, done(&k, NULL, IR_I32));
}

void tgsi_lift_sample_pos(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct lookup k;
    if (!begin(&k, l, insn))
        return;
    lift_argument(&k.args, tgsi_lift_source(l, &insn->src[1], 0, TGSI_T_I32));
    store(&k, TGSI_T_F32, done(&k, NULL, IR_F32));
}

/* (n, 0, 0, 0), through the swizzle of the view. */
void tgsi_lift_sample_info(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct lookup k;
    if (!begin(&k, l, insn))
        return;
    ir_value first = done(&k, NULL, IR_I32), v[4];
    for (unsigned c = 0; c < 4; c++)
        v[c] = (k.view->swizzle[c] & 3) == 0 ? first : ir_const_i32(&l->b, 0);
    if (first)
        tgsi_lift_result(l, insn, &insn->dst[0], TGSI_T_U32, v);
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
