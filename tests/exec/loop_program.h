/* loop_program.h - loops of loads as programs have them: what the JIT does many passes at a time of (jit/strip.c). */
#ifndef WEFT_TESTS_EXEC_LOOP_PROGRAM_H
#define WEFT_TESTS_EXEC_LOOP_PROGRAM_H

#include "test.h"

#include "exec/exec.h"
#include "ir/build.h"

enum { NEAR, NEAR_STEP, LOW, HIGH, FAR_STEP, SUM, MIX, LEFT, FLOAT, BITS, REGISTERS };

/* How a loop ends: lanes go on by themselves; all end with the first; while any lane is to; while all are; by a number
 * of the warp. */
enum ending { EACH_LANE, WITH_FIRST, ANY_LEFT, ALL_LEFT, BY_NUMBER, ENDINGS };

/* Tesla's multiply-add in place of one that rounds once: of numbers of any size, about 1, or whose products are about
 * the least normal number. */
enum cut { NOT_CUT, CUT_ANY, CUT_ABOUT_1, CUT_SMALL, CUTS };

struct loop {
    struct ir_program *p;
    unsigned file, number, space, bus, times;
    enum ending ending;
    bool floats, constant_steps;
    bool x86; /* NaNs are what x86 makes, and denormals stay; else as chips do that flush and have a NaN of their own */
    enum cut cut;
    bool loads_term; /* what it adds is loaded */
    bool indexed;    /* near addresses are numbers of words */
    bool closer;     /* rows of words apart become rows of words */
    bool carries;    /* far addresses are numbers of 64 bits; else their high words stay */
    unsigned align;
    uint32_t near_step, far_step;
    uint32_t seed[REGISTERS][64];
};

/* Words of the control policy: lanes of which the condition does not hold wait, until others come to where they do. */
enum { PART, JOIN };

/* The program of a loop, of so many lanes: what follows from the fields above `seed`. */
void loop_make(struct loop *l, struct arena *a, unsigned lanes, const struct exec_policy *policy, unsigned insns);

#endif
