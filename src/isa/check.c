/* check.c - what an instruction set checks and lifts, with the program's name for messages. */
#include "isa/isa.h"

weft_status isa_check(const struct isa *isa, const struct isa_module *m, const char *name, const struct source *src,
                      const struct isa_params *params, weft_diags *diags)
{
    weft_diags *own = diags ? NULL : weft_diags_new(); /* checkers count what they say */
    if (!diags && !own)
        return WEFT_ERROR_MEMORY;
    weft_diags *to = diags ? diags : own;
    const char *before = diags_name(to, name);
    weft_status status = isa->check(m, src, params, to);
    diags_name(to, before);
    weft_diags_free(own);
    return status;
}

weft_status isa_lift(const struct isa *isa, const struct isa_module *m, const char *name, const struct source *src,
                     struct arena *arena, struct ir_program **out, weft_diags *diags)
{
    const char *before = diags_name(diags, name);
    weft_status status = isa->lift(m, src, arena, out, diags);
    diags_name(diags, before);
    return status;
}
