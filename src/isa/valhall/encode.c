/* encode.c - a module to bytes. */
#include "isa/valhall/valhall.h"

#include "base/bytes.h"

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
        bytes_put(*bytes + 8 * (size_t)i, m->words[i], 8);
    memcpy(*bytes + 8 * (size_t)m->nwords, m->tail, m->ntail);
    return WEFT_OK;
}
