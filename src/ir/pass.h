/* pass.h - what is done to a program between lifting and running. Every pass keeps results bit for bit, NaNs'
 * signs and payloads included where they are seen, so that engines need not agree on which passes ran. */
#ifndef WEFT_IR_PASS_H
#define WEFT_IR_PASS_H

#include "ir/ir.h"

/* The first block that passes may change: after the entry, or after what ir_program.frozen says. */
static inline uint32_t pass_first(const struct ir_program *p)
{
    return p->frozen > IR_ENTRY ? p->frozen : IR_ENTRY;
}

/* All float ops get IR_NAN_X86, and COPYs with it follow what else makes floats: inputs that are interpolated, sums
 * over lanes, helpers of numbers. For lifts: it is part of what a program means. */
void ir_nans_of_x86(struct ir_program *p);

/* Inside each block, where the lanes that do not run cannot be seen to differ: a GET after a SET of the same part is
 * the value set; two GETs of one register without a write between are one; a SET overwritten before anything reads it
 * goes. */
void ir_pass_forward(struct ir_program *p);
/* Constants folded (exactly, in C: constant.h), copies and bitcasts to the same type removed, x & x, select with
 * equal arms, double negation, comparisons of selected constants, branches on constants, cuts of small numbers.
 * fadd(a, fneg b) becomes fsub(a, b) only where all NaNs are one: of one in b the two give different signs. */
void ir_pass_fold(struct ir_program *p);
/* Equal pure ops of a block become one, and equal reads between two writes; ops of the prologue serve all blocks. */
void ir_pass_cse(struct ir_program *p);
/* SETs of registers that no path reads before they are written again or the warp ends; files marked preserved
 * are read at the end. Then ops without effects whose results nobody uses. */
void ir_pass_dead(struct ir_program *p);
/* Pure uniform ops, and loads from constant spaces at uniform addresses, whose arguments are in the prologue move
 * there. */
void ir_pass_hoist(struct ir_program *p);
/* IR_FLUSH_IN goes from ops on f32 whose arguments are never denormal: flushed when they were made. Not where registers
 * may change behind the program's back (ir_program.precise). */
void ir_pass_flush(struct ir_program *p);
/* FMIN and FMAX of f32 that let numbers win over NaN, where an argument is never NaN: the second argument wins. */
void ir_pass_minmax(struct ir_program *p);
/* IR_NAN_X86 goes from ops whose results nothing looks at bit by bit: only numbers are made of them. So no bit of what
 * a program shows changes. Not where registers may be looked at (ir_program.precise). */
void ir_pass_nan(struct ir_program *p);
/* The same, of IR_NAN_CANON too, which the passes before it make use of; and where registers have results of arithmetic
 * alone, a copy with the attribute follows those reads whose bits are seen, instead of what is SET. */
void ir_pass_nan_reads(struct ir_program *p);
/* Blocks joined where one goto leads to a block that nothing else enters; blocks no path reaches removed. */
void ir_pass_blocks(struct ir_program *p);
/* Values numbered anew in the order of blocks, and arguments put together, so that what passes removed takes no memory
 * in tables by value. */
void ir_pass_number(struct ir_program *p);
/* Branches around a few ops that cost little become selects, and ways that nobody else takes gotos. True: there was
 * one. */
bool ir_pass_flatten(struct ir_program *p);
/* All of the above in the order that serves the engines. Of a program with frozen blocks the new ones only, and only
 * what can be done inside each of them. */
void ir_optimise(struct ir_program *p);

#endif
