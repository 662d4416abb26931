/* registry.c - the instruction sets that weft knows: one line each. */
#include "isa/isa.h"

#include <string.h>

#ifdef WEFT_ISA_SPIRV
extern const struct isa isa_spirv;
#endif
extern const struct isa isa_tgsi;
extern const struct isa isa_tesla;
extern const struct isa isa_rogue;
extern const struct isa isa_valhall;
extern const struct isa isa_vpu;

const struct isa *const isa_list[] = {
    &isa_tgsi,
    &isa_tesla,
    &isa_rogue,
    &isa_valhall,
    &isa_vpu,
#ifdef WEFT_ISA_SPIRV
    &isa_spirv,
#endif
    NULL,
};

const struct isa *isa_find(const char *name)
{
    for (const struct isa *const *i = isa_list; *i; i++)
        if (strcmp((*i)->name, name) == 0)
            return *i;
    return NULL;
}
