/* walks.h - operations of control policies, for test_walks.c; each instruction set's in a file of its own, since their
 * headers do not go together. */
#ifndef WEFT_TESTS_ISA_WALKS_H
#define WEFT_TESTS_ISA_WALKS_H

#include "exec/exec.h"

#include <stdbool.h>

struct walked_op {
    const char *name;
    unsigned op, targets;
    /* Where constructs nest: letters of those that it may be in, as the innermost; '-' is none. NULL: any. */
    const char *of;
    char opens, turns;        /* the construct that it opens, or makes of the innermost, when it goes to target 0 */
    const char *closes;       /* the targets with which it ends the innermost */
    bool always;              /* it makes another of the innermost wherever it goes */
    bool may_lack_condition;  /* the last target is there where it has one */
};

struct walked {
    const struct exec_policy *policy;
    const struct walked_op *ops;
    unsigned nops;
    bool nests;
};

extern const struct walked walked_tgsi, walked_tgsi_jumps, walked_tesla, walked_valhall, walked_spirv;

#endif
