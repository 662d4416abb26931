/* encode.c - a module to bytes. */
#include "isa/tesla/tesla.h"

#include <string.h>

weft_status tesla_encode(const struct isa_module *m, struct arena *arena, uint8_t **bytes, size_t *size,
                         weft_diags *diags)
{
    (void)diags;
    *bytes = arena_alloc(arena, m->size + 1);
    if (!*bytes)
        return WEFT_ERROR_MEMORY;
    memcpy(*bytes, m->bytes, m->size);
    *size = m->size;
    return WEFT_OK;
}
