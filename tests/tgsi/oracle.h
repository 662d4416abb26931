/* oracle.h - TGSI's instructions one lane at a time, in plain C, written from the document and apart from the lift. */
#ifndef WEFT_TESTS_TGSI_ORACLE_H
#define WEFT_TESTS_TGSI_ORACLE_H

#include <stdint.h>

/* d[0] and d[1] are the destinations, s the sources after swizzle and modifiers: bits of four components each.
 * `mask` is the write mask of the first destination; only components in it need be right. */
typedef void oracle_fn(uint32_t d[2][4], const uint32_t s[5][4], unsigned mask);

struct oracle {
    const char *name;
    oracle_fn *fn;
    unsigned ulp; /* 0: exact. NaN is NaN whatever its bits when `number` is set. */
    char number;  /* 0: bits, 'f': floats, 'd': doubles */
};

extern const struct oracle oracles[]; /* ends with a NULL name */

#endif
