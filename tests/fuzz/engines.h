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

/* Both have a NaN in the four bytes at `at`. */
static inline bool both_nan(const uint8_t *x, const uint8_t *y, size_t at)
{
    uint32_t a, b;
    memcpy(&a, x + at, 4);
    memcpy(&b, y + at, 4);
    return (a & 0x7fffffff) > 0x7f800000 && (b & 0x7fffffff) > 0x7f800000;
}

/* The same of memory, in which a program that nobody validated may store a float at any byte. */
static inline bool same_memory(const uint8_t *x, const uint8_t *y, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        bool nan = x[i] == y[i];
        for (size_t back = 0; back < 4 && back <= i && !nan; back++)
            nan = i - back + 4 <= bytes && both_nan(x, y, i - back);
        if (!nan)
            return false;
    }
    return true;
}

#endif
