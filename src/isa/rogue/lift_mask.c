/* lift_mask.c - the mask of the samples that a fragment covers: SAVMSK and MOVMSK, which only Mesa names. */
#include "isa/rogue/lift.h"

/* What SAVMSK saves. Mesa takes VM as the samples that are covered, in W0, and has no use for W1. For the others, which
 * are names alone, docs/fidelity.md says what is taken. */
enum mode { VALID, COVERED, COVERED_ANYWHERE, COVERED_EVERYWHERE, CENTROID };

/* All samples that the targets have. */
static ir_value all_samples(struct rogue_lifter *l)
{
    enum { MOST = 32 };
    ir_value samples = ir_emit(&l->b, IR_SERVICE, IR_I32, 0, 4, NULL, 0, 0, IR_SVC_TARGET_INFO, 0);
    return ir_op2(&l->b, IR_SHR_U, 0, rogue_word(l, UINT32_MAX),
                  ir_op2(&l->b, IR_SUB, 0, rogue_word(l, MOST), samples));
}

/* Where inputs at the centroid are taken, from the pixel's centre: there where all samples are covered or none is, else
 * at the first sample that is. */
static void centroid(struct rogue_lifter *l, ir_value mask, ir_value all)
{
    struct ir_builder *b = &l->b;
    ir_value none = ir_op2(b, IR_EQ, 0, mask, rogue_word(l, 0)), whole = ir_op2(b, IR_EQ, 0, mask, all);
    ir_value centre = ir_op2(b, IR_OR, 0, none, whole);
    ir_value first = ir_select(b, none, rogue_word(l, 0), ir_op1(b, IR_CTZ, 0, mask));
    ir_value at = ir_emit(b, IR_SERVICE, IR_F32, 0, 4, &first, 1, 0, IR_SVC_SAMPLE_POS, 0);
    for (unsigned n = 0; n < ROGUE_DESTINATIONS; n++) {
        ir_value distance = ir_op2(b, IR_FSUB, 0, at + n, ir_const_f32(b, 0.5f));
        l->w[n] = ir_as(b, IR_I32, ir_select(b, centre, ir_const_f32(b, 0), distance));
    }
}

void rogue_lift_savmsk(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    struct ir_builder *b = &l->b;
    enum mode mode = (enum mode)rogue_get(insn, ROGUE_F_MSK_MODE);
    bool fragment = l->stage == IR_FRAGMENT;
    ir_value mask = fragment ? ir_sysval(&l->b, IR_SYS_SAMPLE_MASK, IR_I32, 0) : rogue_word(l, mode != CENTROID);
    l->w[0] = mask;
    l->w[1] = rogue_word(l, 0);
    if (fragment && mode == COVERED_ANYWHERE)
        l->w[0] = ir_select(b, ir_op2(b, IR_NE, 0, mask, rogue_word(l, 0)), all_samples(l), rogue_word(l, 0));
    else if (fragment && mode == COVERED_EVERYWHERE)
        l->w[0] = ir_select(b, ir_op2(b, IR_EQ, 0, mask, all_samples(l)), mask, rogue_word(l, 0));
    else if (fragment && mode == CENTROID)
        centroid(l, mask, all_samples(l));
}

/* W0, or of MOVMSK.SM the source, has the samples that are left. */
void rogue_lift_movmsk(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    if (l->stage != IR_FRAGMENT) {
        lift_refuse(&l->lift, "'%s' outside fragment programs is not executed", insn->row->name);
        return;
    }
    bool source = rogue_has_field(insn, ROGUE_F_SRCSEL);
    ir_set(&l->b, l->file[ROGUE_FILE_COVER], 0,
           source ? rogue_source(l, (unsigned)rogue_get(insn, ROGUE_F_SRCSEL)) : l->w[0], l->run);
}

void rogue_write_cover(struct rogue_lifter *l)
{
    if (!l->covers)
        return;
    ir_value cover = ir_get(&l->b, l->file[ROGUE_FILE_COVER], 0, IR_I32);
    uint32_t slot = ir_add_output(l->b.p, (struct ir_slot){.semantic = IR_SEM_SAMPLEMASK, .mask = 1});
    l->b.p->io.writes_samplemask = true;
    cover = ir_as(&l->b, IR_F32, cover);
    ir_emit(&l->b, IR_OUTPUT, IR_VOID, 0, 0, &cover, 1, slot, 0, 0);
}
