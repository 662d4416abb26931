/* policies.h - steps of control policies and what they say of their state then; each instruction set's in a file of its
 * own, since their headers do not go together. */
#ifndef WEFT_TESTS_ISA_POLICIES_H
#define WEFT_TESTS_ISA_POLICIES_H

#include "exec/exec.h"
#include "ir/ir.h"

enum { MOST_STEPS = 8 };

struct step {
    unsigned op, target[3];
    lane_mask lanes; /* of its argument */
};

struct policy_state {
    const struct exec_policy *policy;
    struct step steps[MOST_STEPS];
    unsigned count;
    const char *text; /* NULL: no more states */
};

extern const struct policy_state tesla_states[], valhall_states[], spirv_states[];

#endif
