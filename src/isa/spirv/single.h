/* single.h - one instruction without a module, in words and in a line of text. */
#ifndef WEFT_ISA_SPIRV_SINGLE_H
#define WEFT_ISA_SPIRV_SINGLE_H

#include "isa/spirv/spirv.h"
#include "isa/text.h"

enum { SPIRV_SINGLE_WORDS = 24 /* an instruction of more is not told alone */ };

/* The line: "%3 = OpFAdd %2 %1 %1". */
void spirv_put_single(struct text *t, const struct spirv_row *row, const uint32_t *w, unsigned n);
void spirv_put_header(struct text *t, const uint32_t *w);
/* Words of a line, in w; how many, 0 after an error. `at` is where the error is. */
unsigned spirv_read_single(const char *text, size_t size, uint32_t w[SPIRV_SINGLE_WORDS], size_t *at,
                           const char **fault);

#endif
