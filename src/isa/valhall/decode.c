/* decode.c - bytes to a module. */
#include "isa/valhall/table.h"

#include <string.h>

struct isa_module *valhall_module(const struct isa_params *params, struct arena *arena)
{
    struct isa_module *m = ARENA_NEW(arena, struct isa_module);
    if (m)
        *m = (struct isa_module){.base = params->base,
                                 .strict = params->strict,
                                 .stage = params->stage,
                                 .linkage = params->linkage,
                                 .put_labels = params->labels};
    return m;
}

weft_status valhall_decode(const uint8_t *bytes, size_t size, const char *name, const struct isa_params *params,
                           struct arena *arena, struct isa_module **out, weft_diags *diags)
{
    *out = NULL;
    weft_status status = valhall_refuse_table(valhall_table()->fault, diags);
    if (status != WEFT_OK)
        return status;
    struct isa_module *m = valhall_module(params, arena);
    uint64_t *words = m ? ARENA_ARRAY(arena, uint64_t, size / 8 + 1) : NULL;
    if (!words)
        return WEFT_ERROR_MEMORY;
    m->words = words;
    m->nwords = (uint32_t)(size / 8);
    m->name = name ? arena_strndup(arena, name, strlen(name)) : NULL;
    m->ntail = (uint8_t)(size % 8);
    memcpy(m->tail, bytes + (size - m->ntail), m->ntail);
    for (uint32_t i = 0; i < m->nwords; i++)
        words[i] = valhall_word_at(bytes + 8 * (size_t)i);
    *out = m;
    return WEFT_OK;
}

/* Zero words fill programs up to a whole number of cache lines: they do not count as unknown. */
size_t valhall_unknown(const struct isa_module *m)
{
    size_t unknown = m->ntail != 0;
    for (uint32_t i = 0; i < m->nwords; i++)
        unknown += m->words[i] != 0 && !valhall_row_of(m->words[i]);
    return unknown;
}
