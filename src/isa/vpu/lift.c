/* lift.c - VPU to lane IR. */
#include "isa/vpu/vpu.h"

weft_status vpu_lift(const struct isa_module *m, const struct source *src, struct arena *arena, struct ir_program **out,
                     weft_diags *diags)
{
    (void)m;
    (void)arena;
    *out = NULL;
    diag_add(diags, WEFT_ERROR, "unsupported", src ? src->name : NULL, NULL, "running VPU programs is not done yet");
    return WEFT_ERROR_UNSUPPORTED;
}
