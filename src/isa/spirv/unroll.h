/* unroll.h - short loops of compiled programs are unrolled. */
#ifndef WEFT_ISA_SPIRV_UNROLL_H
#define WEFT_ISA_SPIRV_UNROLL_H

#include "isa/spirv/spirv.h"

/* *out is the module itself, or one with the same meaning that is to be lifted in its place. */
weft_status spirv_unroll(const struct isa_module *m, struct arena *arena, const struct isa_module **out,
                         weft_diags *diags);

#endif
