/* image.c - a flat image as a module: all of it instructions, one behind the other. */
#include "isa/vpu/image.h"

uint32_t vpu_count_insns(const uint8_t *bytes, size_t size)
{
    uint32_t count = 0;
    for (size_t at = 0; at < size; count++) {
        size_t length = size - at < 2 ? 1 : vpu_length(bytes[at] | (unsigned)bytes[at + 1] << 8);
        at += length;
    }
    return count;
}

bool vpu_sweep(struct isa_module *m, struct vpu_section *s, const uint8_t *bytes, size_t size)
{
    s->first = m->ninsns;
    for (size_t at = 0; at < size;) {
        struct vpu_insn *insn = &m->insns[m->ninsns++];
        vpu_decode_insn(bytes + at, size - at, s->address + (uint32_t)at, insn);
        m->unknown += insn->op == VPU_DATA;
        at += insn->size;
    }
    s->count = m->ninsns - s->first;
    s->size = (uint32_t)size;
    return true;
}

/* A module of one section; its instructions are to be filled in. */
static struct isa_module *vpu_new_image(const uint8_t *bytes, size_t size, const struct isa_params *params, struct arena *arena)
{
    struct isa_module *m = ARENA_NEW(arena, struct isa_module);
    struct vpu_section *s = ARENA_NEW(arena, struct vpu_section);
    if (!m || !s)
        return NULL;
    *s = (struct vpu_section){.name = ".text", .address = params ? (uint32_t)params->base : 0, .align = 2, .code = true};
    m->sections = s;
    m->nsections = 1;
    m->entry = s->address;
    m->insns = ARENA_ARRAY(arena, struct vpu_insn, vpu_count_insns(bytes, size) + 1);
    return m->insns ? m : NULL;
}

weft_status vpu_decode(const uint8_t *bytes, size_t size, const char *name, const struct isa_params *params,
                       struct arena *arena, struct isa_module **out, weft_diags *diags)
{
    *out = NULL;
    if (!vpu_tables() || !vpu_names())
        return WEFT_ERROR_MEMORY;
    if (size > VPU_MOST_BYTES) {
        diag_add(diags, WEFT_ERROR, "too-large", name, NULL, "a program of more than 256 MiB");
        return WEFT_ERROR_MEMORY;
    }
    uint8_t *copy = arena_alloc(arena, size + 16);
    if (!copy)
        return WEFT_ERROR_MEMORY;
    if (size)
        memcpy(copy, bytes, size);
    struct isa_module *m = vpu_new_image(copy, size, params, arena);
    if (!m)
        return WEFT_ERROR_MEMORY;
    vpu_sweep(m, m->sections, copy, size);
    *out = m;
    return WEFT_OK;
}
