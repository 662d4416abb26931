/* lift.c - Rogue to lane IR. */
#include "isa/rogue/rogue.h"

weft_status rogue_lift(const struct isa_module *m, const struct source *src, struct arena *arena,
                       struct ir_program **out, weft_diags *diags)
{
    (void)m;
    (void)arena;
    *out = NULL;
    diag_add(diags, WEFT_ERROR, "not-executed", src ? src->name : NULL, NULL,
             "Rogue programs cannot be run yet: they assemble, disassemble and check");
    return WEFT_ERROR_UNSUPPORTED;
}
