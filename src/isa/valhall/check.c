/* check.c - the rules of a program beyond those of its instructions. */
#include "isa/valhall/valhall.h"
weft_status valhall_check(const struct isa_module *m, const struct source *src, const struct isa_params *params,
                          weft_diags *diags)
{
    (void)m, (void)src, (void)params, (void)diags;
    return WEFT_OK;
}
