/* check.c - the rules of groups beyond what their encoding can say (chapter 3). */
#include "isa/rogue/template.h"

weft_status rogue_check(const struct isa_module *m, const struct source *src, const struct isa_params *params, weft_diags *diags)
{
    (void)m;
    (void)src;
    (void)params;
    (void)diags;
    return WEFT_OK;
}
