/* encode.c - a module to bytes. */
#include "isa/valhall/valhall.h"

#include <string.h>

weft_status valhall_encode(const struct isa_module *m, struct arena *arena, uint8_t **bytes, size_t *size,
                           weft_diags *diags)
{
    (void)diags; /* every word has an encoding */
    *size = 8 * (size_t)m->nwords + m->ntail;
    *bytes = ARENA_ARRAY(arena, uint8_t, *size + 1);
    if (!*bytes)
        return WEFT_ERROR_MEMORY;
    for (uint32_t i = 0; i < m->nwords; i++)
        for (unsigned k = 0; k < 8; k++)
            (*bytes)[8 * (size_t)i + k] = (uint8_t)(m->words[i] >> 8 * k);
    memcpy(*bytes + 8 * (size_t)m->nwords, m->tail, m->ntail);
    return WEFT_OK;
}
