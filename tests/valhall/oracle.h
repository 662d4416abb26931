/* oracle.h - what a Valhall instruction computes, as plain scalar C written from the description: the second copy of
 * its meaning, for tests alone. It shares the decoded instruction with the lift, and nothing else. */
#ifndef WEFT_TESTS_VALHALL_ORACLE_H
#define WEFT_TESTS_VALHALL_ORACLE_H

#include "isa/valhall/valhall.h"

enum oracle_kind {
    ORACLE_NONE,  /* it passes a message, branches, or looks at other lanes */
    ORACLE_BITS,  /* the result, bit by bit */
    ORACLE_F32,   /* a float: NaN is NaN whatever its bits, and `ulps` may be between */
    ORACLE_V2F16, /* two half floats: NaN is NaN */
    ORACLE_NEAR   /* a float that is no further than `slack` */
};

struct oracle_result {
    enum oracle_kind kind;
    uint64_t bits;
    unsigned ulps;
    float slack;
};

enum { ORACLE_LANES = 16 };

/* src[i]: 64 bits of the registers that source i names. */
struct oracle_result oracle(const struct valhall_insn *insn, const uint64_t *src);

/* What looks at other lanes (oracle_lanes.c): CLPER and WMASK. src[lane][i]; active: the lanes that run. */
struct oracle_result oracle_lanes(const struct valhall_insn *insn, const uint64_t src[ORACLE_LANES][VALHALL_SOURCES],
                                  uint32_t active, unsigned lane);

#endif
