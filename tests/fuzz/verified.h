/* verified.h - prints why the verifier refuses lane IR, for those who look into what a fuzzer found. */
#ifndef WEFT_FUZZ_VERIFIED_H
#define WEFT_FUZZ_VERIFIED_H

#include "ir/ir.h"

#include <stdio.h>

static inline bool verified(const struct ir_program *p, weft_diags *d)
{
    if (ir_verify(p, d) == WEFT_OK)
        return true;
    for (size_t i = 0; i < weft_diags_count(d); i++)
        fprintf(stderr, "%s\n", weft_diags_get(d, i)->message);
    return false;
}

#endif
