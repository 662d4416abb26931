/* engines.h - what both engines must agree about. */
#ifndef WEFT_FUZZ_ENGINES_H
#define WEFT_FUZZ_ENGINES_H

#include "exec/exec.h"

#include <string.h>

/* Words are equal, or both a NaN: which NaN arithmetic gives is left open where no rule of a chip says so. */
static inline bool same_words(const void *x, const void *y, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 4) {
        uint32_t a, b;
        memcpy(&a, (const char *)x + i, 4);
        memcpy(&b, (const char *)y + i, 4);
        if (a != b && ((a & 0x7fffffff) <= 0x7f800000 || (b & 0x7fffffff) <= 0x7f800000))
            return false;
    }
    return true;
}

#endif
