/* eval.h - a reference evaluator of lane IR, for tests: plain C, one lane at a time, independent of the engines and of
 * the passes' constant folding. Float arithmetic is done in integers (exact to a sticky bit, rounded once).
 *
 * Values are uint64_t bit patterns of their type, zero-extended; i1 is 0 or 1. */
#ifndef WEFT_TESTS_IR_EVAL_H
#define WEFT_TESTS_IR_EVAL_H

#include "ir/ir.h"

/* How far a result is defined. */
enum {
    EVAL_EXACT = 0,
    EVAL_ANY_NAN = 1,   /* a NaN whose sign and payload the op leaves open (no IR_NAN_CANON, no IR_NAN_X86) */
    EVAL_ANY_ZERO = 2,  /* a zero whose sign is open (fmin/fmax of -0 and +0 without IR_MINMAX_ZEROS) */
    EVAL_ULP = 4        /* within 1 ulp (FEXP2, FLOG2, FPOW, FSIN, FCOS) */
};

/* One pure op without state that stays in its lane: not LANE_ID, SHUFFLE, QUAD_*, HELPER. type is the result's,
 * arg_type the arguments' (as verified). *how gets EVAL_* flags; it may be NULL. */
uint64_t eval_op(enum ir_opcode code, enum ir_type type, unsigned attr, uint64_t imm, const enum ir_type *arg_type,
                 const uint64_t *args, unsigned nargs, unsigned *how);
/* Whether eval_op knows the op. */
bool eval_knows(enum ir_opcode code);

/* Whether `got` is an acceptable result where eval_op gave `want` with `how`. */
bool eval_accepts(enum ir_type type, uint64_t want, unsigned how, uint64_t got);

/* What surrounds one lane while a program runs. */
enum { EVAL_SPACES = 8, EVAL_OUTPUTS = 64, EVAL_FILES = 8 };
struct eval_lane {
    const struct ir_program *p;
    uint64_t *file[EVAL_FILES];     /* elements of each register file, one uint64_t each; given by the caller */
    uint8_t *space[EVAL_SPACES];    /* bytes of each address space */
    uint64_t space_size[EVAL_SPACES];
    uint64_t output[EVAL_OUTPUTS];  /* by slot * 4 + component */
    unsigned lane;
    bool discarded;                 /* outputs and stores are dropped from then on */
    uint64_t steps;                 /* blocks run */
};

/* Run from the prologue to END, at most `budget` blocks; false when the budget ran out or an op is not known. SYSVAL,
 * ATTR and INTERP give numbers made of their operands and the lane. A CONTROL with two targets goes to target 0
 * when its argument 0 holds, else to target 1. Votes see the one lane. */
bool eval_run(struct eval_lane *lane, uint64_t budget);

#endif
