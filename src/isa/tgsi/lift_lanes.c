/* lift_lanes.c - instructions that look at other lanes or at the lane itself: derivatives, discards, votes. */
#include "isa/tgsi/lift.h"

static ir_value quad_lane(struct tgsi_lifter *l, ir_value v, unsigned lane)
{
    return ir_emit(&l->b, IR_QUAD_LANE, ir_type_of(&l->b, v), 0, 1, &v, 1, 0, lane, 0);
}

/* Lanes of a quad: 0 (x, y), 1 (x + 1, y), 2 (x, y + 1), 3 (x + 1, y + 1). Which difference DDX and DDY take the
 * document leaves open: those of tgsi_exec, one for the whole quad. ir and attr: to which lane, from which. */
ir_value tgsi_element_coarse(struct tgsi_lifter *l, const ir_value *a)
{
    l->b.p->io.uses_derivatives = true;
    return ir_op2(&l->b, IR_FSUB, 0, quad_lane(l, a[0], l->row->ir), quad_lane(l, a[0], l->row->attr));
}

/* Within the lane's own row (attr: 1) or column (attr: 2). */
ir_value tgsi_element_fine(struct tgsi_lifter *l, const ir_value *a)
{
    struct ir_builder *b = &l->b;
    unsigned axis = l->row->attr;
    l->b.p->io.uses_derivatives = true;
    ir_value v = a[0], other = ir_emit(b, IR_QUAD_XOR, ir_type_of(b, v), 0, 1, &v, 1, 0, axis, 0);
    ir_value lane = ir_emit(b, IR_LANE_ID, IR_I32, 0, 1, NULL, 0, 0, 0, 0);
    ir_value far = ir_op2(b, IR_NE, 0, ir_op2(b, IR_AND, 0, lane, ir_const_i32(b, axis)), ir_const_i32(b, 0));
    return ir_op2(b, IR_FSUB, 0, ir_select(b, far, v, other), ir_select(b, far, other, v));
}

/* ---- discards: the lane runs on as a helper ---- */

static void discard(struct tgsi_lifter *l, ir_value which)
{
    l->b.p->io.uses_discard = true;
    ir_emit(&l->b, IR_DISCARD, IR_VOID, 0, 0, &which, 1, 0, 0, 0);
}

void tgsi_lift_kill(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    (void)insn;
    discard(l, ir_const(&l->b, IR_I1, 1));
}

void tgsi_lift_kill_if(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    ir_value any = 0;
    unsigned seen = 0;
    for (unsigned c = 0; c < 4; c++) {
        unsigned bit = 1u << (insn->src[0].swizzle[c] & 3);
        if (seen & bit)
            continue;
        seen |= bit;
        ir_value below =
            ir_op2(&l->b, IR_FLT, 0, tgsi_lift_source(l, &insn->src[0], c, TGSI_T_F32), ir_const_f32(&l->b, 0));
        any = any ? ir_op2(&l->b, IR_OR, 0, any, below) : below;
    }
    discard(l, any);
}

/* ---- what the lane is ---- */

static ir_value all_ones(struct tgsi_lifter *l, ir_value flag)
{
    return ir_cvt(&l->b, IR_SEXT, IR_I32, 0, flag);
}

void tgsi_lift_read_helper(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    tgsi_lift_store_all(l, insn, all_ones(l, ir_sysval(&l->b, IR_SYS_HELPER, IR_I1, 0)));
}

void tgsi_lift_clock(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    ir_value now = ir_sysval(&l->b, IR_SYS_CLOCK, IR_I64, 0);
    tgsi_lift_result(
        l, insn, &insn->dst[0], TGSI_T_U32,
        (const ir_value[4]){ir_cvt(&l->b, IR_LO32, IR_I32, 0, now), ir_cvt(&l->b, IR_HI32, IR_I32, 0, now)});
}

/* ---- the warp as a subgroup ---- */

static ir_value holds(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    return ir_op2(&l->b, IR_NE, 0, tgsi_lift_source(l, &insn->src[0], 0, TGSI_T_U32), ir_const_i32(&l->b, 0));
}

void tgsi_lift_ballot(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    ir_value lanes = ir_op1(&l->b, IR_BALLOT, 0, holds(l, insn));
    ir_value low = ir_cvt(&l->b, IR_LO32, IR_I32, 0, lanes), high = ir_cvt(&l->b, IR_HI32, IR_I32, 0, lanes);
    tgsi_lift_result(l, insn, &insn->dst[0], TGSI_T_U32, (const ir_value[4]){low, high, 0, 0});
}

/* VOTE_ANY and VOTE_ALL: the ir column says which. */
void tgsi_lift_vote(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    tgsi_lift_store_all(l, insn,
                        all_ones(l, ir_op1(&l->b, (enum ir_opcode)tgsi_lift_row(insn)->ir, 0, holds(l, insn))));
}

void tgsi_lift_vote_eq(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    ir_value v = tgsi_lift_source(l, &insn->src[0], 0, TGSI_T_U32);
    ir_value same = ir_op2(&l->b, IR_EQ, 0, v, ir_op1(&l->b, IR_FIRST, 0, v));
    tgsi_lift_store_all(l, insn, all_ones(l, ir_op1(&l->b, IR_ALL, 0, same)));
}

void tgsi_lift_read_invoc(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    ir_value lane = tgsi_lift_source(l, &insn->src[1], 0, TGSI_T_U32), v[4] = {0};
    for (unsigned c = 0; c < 4; c++)
        if (insn->dst[0].mask >> c & 1)
            v[c] = ir_op2(&l->b, IR_SHUFFLE, 0, tgsi_lift_source(l, &insn->src[0], c, TGSI_T_F32), lane);
    tgsi_lift_result(l, insn, &insn->dst[0], TGSI_T_UNTYPED, v);
}
