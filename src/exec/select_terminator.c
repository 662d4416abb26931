/* select_terminator.c - the ends of blocks: where the program goes on, and what stops it. */
#include "exec/select.h"

/* What comes before CONTROL where a look at argument 0 may do. */
static void select_direct(struct compiler *c, const struct ir_op *op)
{
    const struct ir_control *k = &c->p->ir->controls[op->desc];
    if (!k->direct_none)
        return;
    struct operand o = operand_of(c, ir_args(c->p->ir, op)[0]);
    struct lop *l = emit(c, k->direct_all ? H_CONTROL_EITHER : H_CONTROL_NONE, 0);
    set_operands(l, &o, 1);
    l->aux = c->block;
    l->c = c->p->ir->blocks[c->block].insns;
    l->sb = c->p->ir->policy->low_at != 0;
    l->b = (uint32_t)c->p->ir->policy->low_at;
    patch_target(c, l, k->target[1]);
    if (k->direct_all)
        patch_target(c, emit(c, H_GOTO, 0), k->target[0]);
}

static void select_control(struct compiler *c, const struct ir_op *op)
{
    const struct ir_control *k = &c->p->ir->controls[op->desc];
    if (op->nargs > 16 || !c->p->ir->policy) {
        compile_unsupported(c, op, "without a policy");
        return;
    }
    struct lop_call *call = call_new(c, op, op->nargs, 0);
    struct spread spread = {.count = 0};
    if (!call)
        return;
    call->desc = k;
    select_direct(c, op);
    for (unsigned i = 0; i < op->nargs; i++) {
        ir_value a = ir_args(c->p->ir, op)[i];
        struct operand o = operand_of(c, a);
        call->arg_mask[i] = c->p->ir->value_type[a] == IR_I1;
        call->arg_lane[i] = o.stride != 0;
        call->arg[i] = call->arg_mask[i] || o.stride ? o.row : spread_out(c, a, o, &spread);
    }
    struct lop *l = emit(c, H_CONTROL, 0);
    l->b = c->p->ncalls - 1;
    l->aux = c->block;
    l->c = c->p->ir->blocks[c->block].insns;
    spread_end(c, &spread);
}

/* Two operations; the comparison that makes the condition is part of the first where it can be. */
static void select_branch(struct compiler *c, const struct ir_op *op)
{
    static const uint16_t by_test[] = {[IR_EQ - IR_EQ] = H_BRANCH_EQ,     [IR_NE - IR_EQ] = H_BRANCH_NE,
                                       [IR_LT_S - IR_EQ] = H_BRANCH_LT_S, [IR_LE_S - IR_EQ] = H_BRANCH_LE_S,
                                       [IR_LT_U - IR_EQ] = H_BRANCH_LT_U, [IR_LE_U - IR_EQ] = H_BRANCH_LE_U};
    ir_value cond = ir_args(c->p->ir, op)[0];
    struct operand o[2] = {{0, 0}, {0, 0}};
    enum handler_id h = H_BRANCH;
    if (info_of(c, cond)->fused) {
        const struct ir_op *test = &c->ops[info_of(c, cond)->def];
        h = (enum handler_id)by_test[test->code - IR_EQ];
        o[0] = operand_of(c, ir_args(c->p->ir, test)[0]);
        o[1] = operand_of(c, ir_args(c->p->ir, test)[1]);
    } else {
        o[0] = o[1] = operand_of(c, cond);
    }
    struct lop *l = emit(c, h, 0);
    set_operands(l, o, 2);
    l->aux = c->block;
    l->c = c->p->ir->blocks[c->block].insns;
    patch_target(c, l, op->desc);
    l = emit(c, H_GOTO, 0);
    patch_target(c, l, (uint32_t)op->imm);
}

void select_terminator(struct compiler *c, const struct ir_op *op)
{
    if (op->code == IR_CONTROL) {
        select_control(c, op);
        return;
    }
    if (op->code == IR_BRANCH) {
        select_branch(c, op);
        return;
    }
    enum handler_id h = op->code == IR_GOTO      ? H_GOTO
                        : op->code == IR_JUMP    ? H_JUMP
                        : op->code == IR_BARRIER ? H_BARRIER
                        : op->code == IR_TRAP    ? H_TRAP
                                                 : H_END;
    struct operand address = {0, 0};
    if (op->code == IR_JUMP)
        address = operand_of(c, ir_args(c->p->ir, op)[0]);
    struct lop *l = emit(c, h, 0);
    l->aux = c->block;
    l->c = c->p->ir->blocks[c->block].insns;
    if (op->code == IR_GOTO) {
        patch_target(c, l, op->desc);
    } else if (op->code == IR_JUMP) {
        l->a = address.row;
        l->sb = arg_type(c, op, 0) == IR_I64;
        l->sc = c->masked;
    } else {
        l->b = op->desc;
        l->imm = op->imm;
    }
}
