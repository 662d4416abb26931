/* oracle.h - what a Valhall instruction computes, as plain scalar C written from the description: the second copy of
 * its meaning, for tests alone. It takes the word apart by itself (oracle_read.c): of the table it knows the mnemonic.
 */
#ifndef WEFT_TESTS_VALHALL_ORACLE_H
#define WEFT_TESTS_VALHALL_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

/* Numbers of modifiers as the description encodes them. */
enum { RTE, RTP, RTN, RTZ };
enum { CLAMP_0_INF = 1, CLAMP_M1_1 };
enum { MUX_NEG, MUX_INT_ZERO, MUX_BIT = 3 };
enum { RESULT_F1 = 1, RESULT_M1, RESULT_U1 };
enum { LANE_XOR = 1, LANE_ACCUMULATE, LANE_SHIFT };

enum { ORACLE_SOURCES = 4, ORACLE_LANES = 16 };

struct oracle_source {
    bool neg, abs, invert;
    unsigned part;       /* bits of the parts that are picked; 0: the operand as it is */
    unsigned count;      /* how many */
    unsigned element[4]; /* and which */
};

struct oracle_insn {
    uint64_t word;
    const char *name;    /* its mnemonic, with the type */
    const char *shape;   /* a letter for each source (oracle_read.c) */
    unsigned size, nsrc; /* bits of an element */
    struct oracle_source src[ORACLE_SOURCES];
    uint32_t constant;   /* of the instructions that have one */
};
struct oracle_insn oracle_read(uint64_t word, const char *name);

/* `size` bits of the word, from bit `at` on. */
static inline uint64_t oracle_bits(const struct oracle_insn *insn, unsigned at, unsigned size)
{
    return insn->word >> at & ((UINT64_C(1) << size) - 1);
}

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

/* src[i]: 64 bits of the registers that source i names. */
struct oracle_result oracle(const struct oracle_insn *insn, const uint64_t *src);

/* What looks at other lanes (oracle_lanes.c): CLPER and WMASK. src[lane][i]; active: the lanes that run. */
struct oracle_result oracle_lanes(const struct oracle_insn *insn, const uint64_t src[ORACLE_LANES][ORACLE_SOURCES],
                                  uint32_t active, unsigned lane);

#endif
