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

const struct isa *isa_find_language(const char *name, const struct isa_language **language)
{
    *language = NULL;
    const struct isa *own = isa_find(name);
    for (const struct isa *const *i = isa_list; *i && !own; i++)
        for (const struct isa_language *l = (*i)->languages; l && l->name; l++)
            if (strcmp(l->name, name) == 0 && l->stage < 0) {
                *language = l;
                return *i;
            }
    return own;
}

const struct isa *isa_of_file(const char *file_name, const struct isa_language **language)
{
    const char *dot = file_name ? strrchr(file_name, '.') : NULL;
    *language = NULL;
    for (const struct isa *const *i = isa_list; dot && *i; i++) {
        if (((*i)->extension && strcmp((*i)->extension, dot + 1) == 0) ||
            ((*i)->text_extension && strcmp((*i)->text_extension, dot + 1) == 0))
            return *i;
        for (const struct isa_language *l = (*i)->languages; l && l->name; l++)
            if (strcmp(l->extension, dot + 1) == 0) {
                *language = l;
                return *i;
            }
    }
    return dot ? isa_find(dot + 1) : NULL;
}
