/* lift_interp.c - fragment inputs at other places than their declaration says, and the frame buffer read back. */
#include "isa/tgsi/access.h"
#include "isa/tgsi/lift.h"

/* Where an input is wanted. */
struct place {
    bool centroid;
    ir_value x, y; /* else: offset from the pixel's centre */
};

static struct place place_of(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct ir_builder *b = &l->b;
    if (insn->nsrc == 1)
        return (struct place){.centroid = true};
    if (tgsi_lift_row(insn)->reads[1] == TGSI_READS_XY) /* an offset, not the number of a sample */
        return (struct place){.x = tgsi_lift_source(l, &insn->src[1], 0, TGSI_T_F32),
                              .y = tgsi_lift_source(l, &insn->src[1], 1, TGSI_T_F32)};
    ir_value sample = tgsi_lift_source(l, &insn->src[1], 0, TGSI_T_I32);
    ir_value at = ir_emit(b, IR_SERVICE, IR_F32, 0, 4, &sample, 1, 0, IR_SVC_SAMPLE_POS, 0);
    return (struct place){.x = ir_op2(b, IR_FSUB, 0, at, ir_const_f32(b, 0.5f)),
                          .y = ir_op2(b, IR_FSUB, 0, at + 1, ir_const_f32(b, 0.5f))};
}

/* Components of an input slot at a place; those not interpolated are left as they are. */
static void interpolate(struct tgsi_lifter *l, uint32_t slot, const struct place *p, ir_value v[4])
{
    struct ir_builder *b = &l->b;
    const struct ir_slot *s = &b->p->io.inputs[slot];
    ir_value at[2] = {p->x, p->y};
    ir_value first = p->centroid ? 0 : ir_emit(b, IR_SERVICE, IR_F32, 0, 4, at, 2, slot, IR_SVC_INTERP_AT, 0);
    for (unsigned c = 0; c < 4; c++) {
        if (!(s->mask >> c & 1))
            continue;
        if (p->centroid)
            v[c] = ir_emit(b, IR_INTERP, IR_F32, s->interp | (unsigned)IR_LOC_CENTROID << 4, 1, NULL, 0, slot, c, 0);
        else
            v[c] = first + c;
    }
}

/* The register itself, those components that are wanted: what inputs are that no plane holds. */
static void plain(struct tgsi_lifter *l, uint32_t reg, unsigned wanted, ir_value v[4])
{
    for (unsigned c = 0; c < 4; c++)
        v[c] =
            !(wanted >> c & 1) ? ir_const_f32(&l->b, 0) : ir_get(&l->b, l->file[TGSI_INPUT].file, reg * 4 + c, IR_F32);
}

static void input_at(struct tgsi_lifter *l, uint32_t reg, const struct place *p, unsigned wanted, ir_value v[4])
{
    plain(l, reg, wanted, v);
    if (l->in_slot[reg] != LIFT_NONE)
        interpolate(l, l->in_slot[reg], p, v);
}

/* An input chosen at run time is one of all that it may be. */
static void chosen_input(struct tgsi_lifter *l, const struct tgsi_operand *o, const struct place *p, unsigned wanted,
                         ir_value v[4])
{
    uint32_t first, last;
    tgsi_lift_reach(l, TGSI_INPUT, o->index.array, &first, &last);
    ir_value index = tgsi_lift_index(l, &o->index);
    for (unsigned c = 0; c < 4; c++)
        v[c] = ir_const_f32(&l->b, 0);
    for (uint32_t reg = first; reg <= last; reg++) {
        ir_value here[4], is = ir_op2(&l->b, IR_EQ, 0, index, ir_const_i32(&l->b, reg));
        input_at(l, reg, p, wanted, here);
        for (unsigned c = 0; c < 4; c++)
            v[c] = ir_select(&l->b, is, here[c], v[c]);
    }
}

void tgsi_lift_interp(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    const struct tgsi_operand *o = &insn->src[0];
    if (o->file != TGSI_INPUT || o->dimensional || l->file[TGSI_INPUT].file == LIFT_NONE) {
        lift_error_at(&l->lift, o->where, "operand-file", "%s interpolates inputs (IN) only",
                      tgsi_lift_row(insn)->name);
        return;
    }
    if (!o->index.indirect && (o->index.value < 0 || (uint32_t)o->index.value >= l->file[TGSI_INPUT].count)) {
        lift_error_at(&l->lift, o->where, "bad-register", "IN[%d] does not exist", o->index.value);
        return;
    }
    struct place p = place_of(l, insn);
    ir_value in[4], v[4];
    if (o->index.indirect)
        chosen_input(l, o, &p, tgsi_read(insn, 0), in);
    else
        input_at(l, (uint32_t)o->index.value, &p, tgsi_read(insn, 0), in);
    for (unsigned c = 0; c < 4; c++)
        v[c] = tgsi_lift_modify(l, o, in[o->swizzle[c] & 3]);
    tgsi_lift_result(l, insn, &insn->dst[0], TGSI_T_F32, v);
}

/* The colour that the target of an output holds; with several samples, the sample's own. */
void tgsi_lift_fbfetch(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    const struct tgsi_operand *o = &insn->src[0];
    bool there = o->file == TGSI_OUTPUT && !o->index.indirect && o->index.value >= 0 &&
                 (uint32_t)o->index.value < l->file[TGSI_OUTPUT].count && l->out_slot[o->index.value] != LIFT_NONE;
    const struct ir_slot *s = there ? &l->b.p->io.outputs[l->out_slot[o->index.value]] : NULL;
    if (!s || s->semantic != IR_SEM_COLOR) {
        lift_error_at(&l->lift, o->where, "operand-file", "FBFETCH reads outputs that are declared COLOR");
        return;
    }
    l->b.p->io.per_sample = true;
    ir_value first = ir_emit(&l->b, IR_SERVICE, IR_F32, 0, 4, NULL, 0, s->index, IR_SVC_TILE_LOAD, 0), v[4];
    for (unsigned c = 0; c < 4; c++)
        v[c] = tgsi_lift_modify(l, o, first + (o->swizzle[c] & 3));
    tgsi_lift_result(l, insn, &insn->dst[0], TGSI_T_UNTYPED, v);
}
