/* lift_tile.c - the end of a fragment: alpha test, depth and stencil, blending, and the pixels that are there. */
#include "isa/valhall/check.h"
#include "isa/valhall/lift.h"
#include "isa/valhall/lift_rows.h"

void valhall_put(struct valhall_lifter *l, uint32_t slot, unsigned component, ir_value v, ir_value pred)
{
    v = ir_as(&l->b, IR_F32, v);
    ir_emit(&l->b, IR_OUTPUT, IR_VOID, 0, 0, &v, 1, slot, component, pred);
}

static uint32_t output(struct valhall_lifter *l, uint32_t *slot, enum ir_semantic semantic, unsigned index)
{
    if (*slot == LIFT_NONE)
        *slot = ir_add_output(l->b.p,
                              (struct ir_slot){.semantic = (uint8_t)semantic, .index = (uint16_t)index, .mask = 15});
    return *slot;
}

/* The colour of a vector, for the samples of a mask: what it has not is 0, and alpha 1. */
static void put_color(struct valhall_lifter *l, unsigned target, unsigned base, ir_value coverage, ir_value pred)
{
    unsigned format = valhall_mod(l->insn, VALHALL_MOD_REGFMT), count = valhall_vector_size(l->insn);
    bool integer = valhall_is_integer_format(format);
    ir_value v[4];
    valhall_read_vector(l, base, format, v, count);
    uint32_t slot = output(l, &l->color[target], IR_SEM_COLOR, target);
    for (unsigned c = 0; c < 4; c++)
        valhall_put(l, slot, c,
                    c < count ? v[c]
                    : integer ? valhall_i32(l, c == 3)
                              : ir_const_f32(&l->b, c == 3),
                    pred);
    if (l->colormask[target] != LIFT_NONE)
        valhall_put(l, l->colormask[target], 0, coverage, pred);
}

static ir_value covered(struct valhall_lifter *l, ir_value coverage)
{
    return ir_op2(&l->b, IR_NE, 0, coverage, valhall_i32(l, 0));
}

/* A program that makes its own coverage: a fragment covers what any of its stores covers. */
static void put_coverage(struct valhall_lifter *l, ir_value coverage, ir_value pred)
{
    if (!l->own_coverage)
        return;
    ir_set(&l->b, l->file_coverage, 0, coverage, pred);
    valhall_put(l, output(l, &l->samplemask, IR_SEM_SAMPLEMASK, 0), 0, coverage, pred);
    l->b.p->io.writes_samplemask = true;
}

static void add_coverage(struct valhall_lifter *l, ir_value coverage, ir_value pred)
{
    if (l->own_coverage)
        put_coverage(l, ir_op2(&l->b, IR_OR, 0, ir_get(&l->b, l->file_coverage, 0, IR_I32), coverage), pred);
}

static ir_value both(struct valhall_lifter *l, ir_value a, ir_value b)
{
    return a && b ? ir_op2(&l->b, IR_AND, 0, a, b) : a ? a : b;
}

/* Lanes where `target` is colour target n. */
static ir_value is_target(struct valhall_lifter *l, ir_value target, unsigned n)
{
    return ir_op2(&l->b, IR_EQ, 0, target, valhall_i32(l, n));
}

/* A descriptor's high word is the address of the blend shader, 0 for fixed functions. */
ir_value valhall_blends_fixed(struct valhall_lifter *l)
{
    ir_value high = ir_cvt(&l->b, IR_HI32, IR_I32, 0, valhall_bits64(l, &l->insn->src[0]));
    return ir_op2(&l->b, IR_EQ, 0, high, valhall_i32(l, 0));
}

/* The target that a descriptor of lanes has in its low word. */
static void blend_by_register(struct valhall_lifter *l, const struct valhall_insn *insn, ir_value coverage,
                              ir_value pred)
{
    const struct valhall_source *descriptor = &insn->src[0];
    uint32_t known;
    if (valhall_constant(l, descriptor, &known)) {
        put_color(l, known & (VALHALL_TARGETS - 1), insn->staging[0].base, coverage, pred);
        return;
    }
    ir_value low = ir_cvt(&l->b, IR_LO32, IR_I32, 0, valhall_bits64(l, descriptor));
    ir_value target = ir_op2(&l->b, IR_AND, 0, low, valhall_i32(l, VALHALL_TARGETS - 1));
    for (unsigned n = 0; n < VALHALL_TARGETS; n++)
        put_color(l, n, insn->staging[0].base, coverage, both(l, pred, is_target(l, target, n)));
}

/* Fixed function: the colour is written, and the program ends or goes on at the target. A target whose linkage says
 * `blend N shader` goes on with the next instruction, which calls its blend shader. */
void valhall_lift_blend(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    const struct valhall_source *descriptor = &insn->src[0];
    enum valhall_blend_path path = valhall_blend_path(&l->link, insn);
    if (path == VALHALL_BLEND_SHADER)
        return;
    ir_value coverage = valhall_bits(l, &insn->src[1]);
    ir_value fixed = path == VALHALL_BLEND_EITHER ? valhall_blends_fixed(l) : 0;
    add_coverage(l, coverage, fixed);
    if (descriptor->kind != VALHALL_SPECIAL)
        blend_by_register(l, insn, coverage, fixed);
    else if (descriptor->special >= VALHALL_BLEND_DESCRIPTOR_0 && descriptor->special <= VALHALL_BLEND_DESCRIPTOR_7)
        put_color(l, descriptor->special - VALHALL_BLEND_DESCRIPTOR_0, insn->staging[0].base, coverage, 0);
    else
        lift_refuse(&l->lift, "BLEND takes a register, a uniform or one of blend_descriptor_0 to _7");
}

/* No alpha to coverage: the coverage stays. */
void valhall_lift_atest(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    valhall_set(l, insn->staging[0].base, valhall_bits(l, &insn->src[0]));
}

void valhall_lift_zs_emit(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    ir_value coverage = valhall_bits(l, &insn->src[2]), pred = covered(l, coverage);
    if (valhall_mod(insn, VALHALL_MOD_Z)) {
        valhall_put(l, output(l, &l->depth, IR_SEM_POSITION, 0), 2, valhall_bits(l, &insn->src[0]), pred);
        l->b.p->io.writes_depth = true;
    }
    if (valhall_mod(insn, VALHALL_MOD_STENCIL)) {
        ir_value value = ir_op2(&l->b, IR_AND, 0, valhall_bits(l, &insn->src[1]), valhall_i32(l, 0xff));
        valhall_put(l, output(l, &l->stencil, IR_SEM_STENCIL, 0), 1, value, pred);
        l->b.p->io.writes_stencil = true;
    }
    valhall_set(l, insn->staging[0].base, coverage);
}

/* ---- pixels ---- */

/* Which target a pixel indices descriptor names: bits 4 to 7. The pixel is the fragment's own. */
static ir_value target_of(struct valhall_lifter *l, uint32_t *known)
{
    uint32_t indices;
    if (valhall_constant(l, &l->insn->src[0], &indices)) {
        *known = indices >> 4 & (VALHALL_TARGETS - 1);
        return 0;
    }
    ir_value v = ir_op2(&l->b, IR_SHR_U, 0, valhall_bits(l, &l->insn->src[0]), valhall_i32(l, 4));
    return ir_op2(&l->b, IR_AND, 0, v, valhall_i32(l, VALHALL_TARGETS - 1));
}

static ir_value tile(struct valhall_lifter *l, unsigned target)
{
    return ir_emit(&l->b, IR_SERVICE, IR_F32, 0, 4, NULL, 0, target, IR_SVC_TILE_LOAD, 0);
}

void valhall_lift_ld_tile(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    unsigned format = valhall_mod(insn, VALHALL_MOD_REGFMT), count = valhall_vector_size(insn);
    uint32_t known = 0;
    ir_value v[4], target = target_of(l, &known), first = tile(l, known);
    for (unsigned c = 0; c < 4; c++)
        v[c] = first + c;
    for (unsigned n = 1; target && n < VALHALL_TARGETS; n++) {
        ir_value this_one = is_target(l, target, n);
        first = tile(l, n);
        for (unsigned c = 0; c < 4; c++)
            v[c] = ir_select(&l->b, this_one, first + c, v[c]);
    }
    valhall_write_vector(l, insn->staging[0].base, format, v, count);
}

void valhall_lift_st_tile(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    uint32_t known = 0;
    ir_value target = target_of(l, &known), coverage = valhall_bits(l, &insn->src[1]);
    add_coverage(l, coverage, 0);
    for (unsigned n = target ? 0 : known; n < (target ? VALHALL_TARGETS : known + 1); n++)
        put_color(l, n, insn->staging[0].base, coverage, target ? is_target(l, target, n) : 0);
}

/* ---- what is drawn where nothing is ---- */

uint8_t valhall_targets(const struct valhall_insn *insn)
{
    const struct valhall_source *s = &insn->src[0];
    switch ((enum valhall_colours)insn->row->form->colours) {
    case VALHALL_COLOURS_BY_DESCRIPTOR:
        return (uint8_t)(s->kind == VALHALL_SPECIAL ? 1u << (s->special & (VALHALL_TARGETS - 1)) : UINT8_MAX);
    case VALHALL_COLOURS_BY_PIXEL:
        return (uint8_t)(s->kind == VALHALL_CONSTANT ? 1u << (s->value >> 4 & (VALHALL_TARGETS - 1)) : UINT8_MAX);
    case VALHALL_COLOURS_NONE:
        break;
    }
    return 0;
}

/* Whether the coverage operand of BLEND or ST_TILE is the one that the fragment began with, as far as it is not
 * written.
 */
static bool is_given(const struct valhall_source *coverage)
{
    return coverage->kind == VALHALL_REGISTER && coverage->index == VALHALL_COVERAGE_REGISTER;
}

void valhall_survey_coverage(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    bool passes = false;
    for (unsigned i = 0; i < insn->nsrc; i++)
        passes |= (insn->row->form->coverage >> i & 1) && is_given(&insn->src[i]);
    if (l->stage != IR_FRAGMENT)
        return;
    l->own_coverage |= !passes && (valhall_writes(insn) >> VALHALL_COVERAGE_REGISTER & 1);
    l->own_coverage |= valhall_targets(insn) && !is_given(&insn->src[1]);
}

/* A fragment whose program ends without BLEND leaves its pixel as it is: its colour is for no sample. */
void valhall_begin_outputs(struct valhall_lifter *l)
{
    if (l->own_coverage) {
        l->file_coverage = ir_add_file(l->b.p, (struct ir_file){.name = "coverage", .bits = 32, .count = 1});
        valhall_put(l, output(l, &l->samplemask, IR_SEM_SAMPLEMASK, 0), 0, valhall_get(l, VALHALL_COVERAGE_REGISTER),
                    0);
        l->b.p->io.writes_samplemask = true;
    }
    for (unsigned n = 0; n < VALHALL_TARGETS; n++)
        if ((l->targets >> n & 1) && (l->own_coverage || valhall_may_miss(l, n)))
            valhall_put(l, output(l, &l->colormask[n], IR_SEM_COLORMASK, n), 0, valhall_i32(l, 0), 0);
}
