/* decode.c - programs as bytes: all groups, one behind the other. */
#include "isa/rogue/template.h"

#include <string.h>

static struct isa_module *new_module(const struct isa_params *params, struct arena *arena)
{
    struct isa_module *m = ARENA_NEW(arena, struct isa_module);
    if (m)
        *m = (struct isa_module){
            .base = params->base, .strict = params->strict, .stage = params->stage, .linkage = params->linkage,
            .labels = params->labels};
    return m;
}

weft_status rogue_decode(const uint8_t *bytes, size_t size, const char *name, const struct isa_params *params,
                         struct arena *arena, struct isa_module **out, weft_diags *diags)
{
    enum { USUAL_BYTES = 10 }; /* of a group */
    *out = NULL;
    (void)diags; /* what is no group is data */
    const struct rogue_table *t = rogue_table();
    struct isa_module *m = new_module(params, arena);
    uint8_t *kept = ARENA_ARRAY(arena, uint8_t, size + 1);
    size_t capacity = 0;
    if (!m || !kept)
        return WEFT_ERROR_MEMORY;
    memcpy(kept, bytes, size);
    m->name = name ? arena_printf(arena, "%s", name) : NULL;
    for (size_t at = 0; at < size;) {
        if (m->ngroups >= capacity) {
            size_t need = m->ngroups + size / USUAL_BYTES + 1;
            m->groups = arena_grow(arena, m->groups, sizeof *m->groups, m->ngroups, &capacity, need);
            if (!m->groups)
                return WEFT_ERROR_MEMORY;
        }
        struct rogue_group *g = &m->groups[m->ngroups++];
        rogue_read_into(t, kept + at, size - at, g);
        g->offset = (uint32_t)at;
        at += g->size;
    }
    *out = m;
    return WEFT_OK;
}

weft_status rogue_encode(const struct isa_module *m, struct arena *arena, uint8_t **bytes, size_t *size,
                         weft_diags *diags)
{
    (void)diags; /* the groups of a module have been fitted */
    *size = m->ngroups ? m->groups[m->ngroups - 1].offset + m->groups[m->ngroups - 1].size : 0;
    *bytes = ARENA_ARRAY(arena, uint8_t, *size + 1);
    if (!*bytes)
        return WEFT_ERROR_MEMORY;
    for (uint32_t i = 0; i < m->ngroups; i++)
        rogue_write_group(&m->groups[i], *bytes + m->groups[i].offset);
    return WEFT_OK;
}
