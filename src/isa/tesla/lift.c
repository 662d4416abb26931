/* lift.c - a program to lane IR. */
#include "isa/tesla/tesla.h"

tesla_lift_fn *const tesla_lifts[TESLA_MEANINGS] = {NULL};

weft_status tesla_lift(const struct isa_module *m, const struct source *src, struct arena *arena,
                       struct ir_program **out, weft_diags *diags)
{
    (void)src;
    (void)arena;
    *out = NULL;
    diag_add(diags, WEFT_ERROR, "not-executed", m->name, NULL, "weft does not run Tesla programs yet");
    return WEFT_ERROR_UNSUPPORTED;
}
