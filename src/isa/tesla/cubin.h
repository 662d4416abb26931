/* cubin.h - CUDA's textual .cubin files of the time: kernels, what they need, and constant segments. */
#ifndef WEFT_ISA_TESLA_CUBIN_H
#define WEFT_ISA_TESLA_CUBIN_H

#include "isa/tesla/tesla.h"

/* Whether a text is such a file: it begins with "architecture {sm_". */
bool tesla_is_cubin(const char *text, size_t size);

/* Read one. Every kernel has addresses of its own, from 0. */
weft_status tesla_read_cubin(const struct source *src, const struct isa_params *params, struct arena *arena,
                             struct isa_module **out, weft_diags *diags);

#endif
