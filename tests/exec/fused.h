/* fused.h - the functions of base/fmath.h over rows, as two builds of fused.c have them. */
#ifndef WEFT_TESTS_EXEC_FUSED_H
#define WEFT_TESTS_EXEC_FUSED_H

#include <stdint.h>

enum { FUSED_ROW = 4096, FUSED_FUNCTIONS = 4 };

/* The results of function `f` (of fused_names) for the floats whose bits are `first` and those after it. */
typedef void fused_row(unsigned f, uint32_t first, uint32_t out[FUSED_ROW]);

fused_row fused_row_twice; /* products and sums are rounded */
fused_row fused_row_fused; /* one rounding for both: for processors with AVX2 and FMA */

static const char *const fused_names[FUSED_FUNCTIONS] = {"exp2", "log2", "sine", "cosine"};

#endif
