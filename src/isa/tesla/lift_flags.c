/* lift_flags.c - instructions on $c and $a. */
#include "isa/tesla/lift.h"

void tesla_lift_mov_from_c(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    ir_value v = ir_const_i32(&l->b, 0);
    for (unsigned i = 0; i < 4; i++) {
        ir_value flag = tesla_flag(l, d->csrc, i);
        ir_value bit = ir_select(&l->b, flag, ir_const_i32(&l->b, 1u << i), ir_const_i32(&l->b, 0));
        v = ir_op2(&l->b, IR_OR, 0, v, bit);
    }
    tesla_write(l, &d->dst, v);
}

void tesla_lift_mov_to_c(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    ir_value v = tesla_source_bits(l, &d->src[0]), flag[4];
    for (unsigned i = 0; i < 4; i++)
        flag[i] = ir_op2(&l->b, IR_NE, 0, ir_op2(&l->b, IR_AND, 0, v, ir_const_i32(&l->b, 1u << i)),
                         ir_const_i32(&l->b, 0));
    tesla_set_flags(l, d->cdst, flag[0], flag[1], flag[2], flag[3]);
}

void tesla_lift_mov_from_a(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    tesla_write(l, &d->dst, tesla_source_bits(l, &d->src[0]));
}

void tesla_lift_shl_to_a(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    ir_value count = tesla_source_bits(l, &d->src[1]);
    tesla_write(l, &d->dst, ir_op2(&l->b, IR_SHL, 0, tesla_source_bits(l, &d->src[0]), count));
}

void tesla_lift_add_a(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    tesla_write(l, &d->dst,
                ir_op2(&l->b, IR_ADD, 0, tesla_source_bits(l, &d->src[0]), tesla_source_bits(l, &d->src[1])));
}

/* vote: threads give the predicate, and all of them get the answer as set gives it. */
void tesla_lift_vote(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    ir_value p = tesla_condition_of(l, d->predicate, d->csrc);
    if (!p)
        p = ir_const(&l->b, IR_I1, 1);
    ir_value answer = ir_op1(&l->b, d->row->variant ? IR_ALL : IR_ANY, 0, p);
    l->pred = 0;
    if (d->cdst != TESLA_NO_C)
        tesla_set_flags(l, d->cdst, ir_op1(&l->b, IR_NOT, 0, answer), answer, 0, 0);
}
