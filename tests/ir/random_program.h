/* random_program.h - verified programs of random ops, for tests that compare two ways to run or write one. */
#ifndef WEFT_TESTS_IR_RANDOM_PROGRAM_H
#define WEFT_TESTS_IR_RANDOM_PROGRAM_H

#include "test.h"

#include "ir/build.h"

struct random_options {
    unsigned blocks;        /* besides the prologue, at least 2 */
    unsigned ops;           /* of each block, about */
    bool control;           /* CONTROLs of an i1 and two targets */
    bool backward;          /* loops: the program may not end */
    bool arms;              /* CONTROLs that split lanes into short arms, and let them meet */
    bool tight;             /* few values and numbers, so that ops often meet what has a rule of its own */
    bool everything;        /* what the reference evaluator does not know, too: lanes, textures, services, probes */
};

/* Register files: 0 "r" 32 bits x 8, 1 "h" 16 bits x 8, 2 "u" 32 bits x 4 uniform, 3 "f" 1 bit x 4, 4 "keep" 32 bits x
 * 2 preserved. Spaces: 0 const, 1 global. Four outputs. With `everything` spaces of other kinds, inputs, a colour and
 * helpers. */
struct ir_program *random_program(struct arena *a, struct test_rng *r, struct random_options options);

#endif
