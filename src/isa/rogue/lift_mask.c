/* lift_mask.c - the mask of the samples that a fragment covers: SAVMSK and MOVMSK, which only Mesa names. */
#include "isa/rogue/lift.h"

/* Mesa takes VM as the samples that are covered, in W0; it has no use for W1. */
void rogue_lift_savmsk(struct rogue_lifter *l, const struct rogue_group *g, const struct rogue_insn *insn,
                       enum rogue_unit unit)
{
    (void)g, (void)unit;
    enum { VALID, MODES = 5 };
    unsigned mode = (unsigned)rogue_get(insn, ROGUE_F_MSK_MODE);
    if (mode != VALID || l->stage != IR_FRAGMENT) {
        const char *word = mode < MODES ? rogue_fields[ROGUE_F_MSK_MODE].words[mode] : "?";
        rogue_refuse(l, "'%s.%s' in a %s program is not executed: nobody says which mask that is", insn->row->name,
                     word, l->stage == IR_FRAGMENT ? "fragment" : "vertex or compute");
        return;
    }
    l->w[0] = ir_emit(&l->b, IR_SYSVAL, IR_I32, 0, 1, NULL, 0, 0, IR_SYS_SAMPLE_MASK, 0);
    l->w[1] = ir_const_i32(&l->b, 0);
}

/* W0, or of MOVMSK.SM the source, has the samples that are left. */
void rogue_lift_movmsk(struct rogue_lifter *l, const struct rogue_group *g, const struct rogue_insn *insn,
                       enum rogue_unit unit)
{
    (void)g, (void)unit;
    if (l->stage != IR_FRAGMENT) {
        rogue_refuse(l, "'%s' outside fragment programs is not executed", insn->row->name);
        return;
    }
    bool source = insn->row->op == ROGUE_OP_MOVMSK_SM;
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
