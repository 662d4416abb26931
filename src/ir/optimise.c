/* optimise.c - the passes in their order. */
#include "ir/pass.h"

#include "ir/program.h"

/* A branch that is flat may be part of another one's arm. */
static void flatten(struct ir_program *p)
{
    enum { ROUNDS = 8 };
    for (unsigned i = 0; i < ROUNDS && ir_pass_flatten(p); i++) {
        ir_pass_blocks(p);
        ir_pass_forward(p);
        ir_pass_fold(p);
        ir_pass_cse(p);
        ir_pass_dead(p);
    }
}

void ir_optimise(struct ir_program *p)
{
    ir_pass_nan(p);     /* little stays of what would hinder the others */
    ir_pass_fold(p);    /* branches on constants open the way for blocks to join */
    ir_pass_blocks(p);
    ir_pass_forward(p);
    ir_give_back(p);
    ir_pass_fold(p);
    ir_pass_cse(p);
    ir_pass_dead(p);
    ir_pass_nan_reads(p); /* by now registers are what goes from block to block */
    ir_pass_fold(p);
    ir_pass_dead(p);
    ir_pass_number(p);
    ir_give_back(p);
    ir_pass_flush(p);
    ir_pass_hoist(p);   /* takes loads of constants out of arms, */
    flatten(p);
    ir_pass_hoist(p);   /* brings equal constants of many blocks together, */
    ir_pass_cse(p);     /* which are then one */
    ir_pass_dead(p);
    ir_pass_minmax(p);
    ir_pass_number(p);
}
