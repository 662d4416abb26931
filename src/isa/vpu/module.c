/* module.c - looking things up in a module, the bytes of a section, and the flat image of all. */
#include "isa/vpu/encode.h"

#include <string.h>

const struct vpu_insn *vpu_insn_at(const struct isa_module *m, uint32_t address)
{
    for (uint32_t s = 0; s < m->nsections; s++) {
        const struct vpu_section *section = &m->sections[s];
        if (address - section->address >= section->size)
            continue;
        uint32_t low = section->first, high = section->first + section->count;
        while (low < high) {
            uint32_t middle = (low + high) / 2;
            if (m->insns[middle].address < address)
                low = middle + 1;
            else
                high = middle;
        }
        return low < section->first + section->count && m->insns[low].address == address ? &m->insns[low] : NULL;
    }
    return NULL;
}

int vpu_by_address(const void *x, const void *y)
{
    const struct vpu_symbol *s = x, *t = y;
    if (s->address != t->address)
        return s->address < t->address ? -1 : 1;
    return strcmp(s->name, t->name);
}

size_t vpu_symbol_from(const struct vpu_symbol *symbols, size_t count, uint32_t address)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (symbols[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct vpu_symbol *vpu_label_at(const struct vpu_symbol *symbols, size_t count, uint32_t address)
{
    for (size_t n = vpu_symbol_from(symbols, count, address); n < count && symbols[n].address == address; n++)
        if (symbols[n].section != VPU_ABSOLUTE)
            return &symbols[n];
    return NULL;
}

bool vpu_symbol_value(const struct isa_module *m, const char *name, uint32_t *value)
{
    for (uint32_t i = 0; i < m->nsymbols; i++)
        if (strcmp(m->symbols[i].name, name) == 0) {
            *value = m->symbols[i].address;
            return true;
        }
    return false;
}

/* The bytes of a section that has some. */
void vpu_section_bytes(const struct isa_module *m, const struct vpu_section *s, uint8_t *out)
{
    for (uint32_t n = 0; n < s->count; n++) {
        const struct vpu_insn *i = &m->insns[s->first + n];
        if (vpu_is_data(i))
            memcpy(out, i->bytes, i->size);
        else if (i->op == VPU_FILL)
            memset(out, (uint8_t)i->imm, i->size);
        else
            vpu_encode_insn(i, out);
        out += i->size;
    }
}

/* The last section with bytes ends the image: .bss is not in it. */
weft_status vpu_encode(const struct isa_module *m, struct arena *arena, uint8_t **bytes, size_t *size,
                       weft_diags *diags)
{
    uint64_t begin = 0, end = 0;
    *size = 0;
    for (uint32_t s = m->nsections; s-- > 0;) {
        const struct vpu_section *section = &m->sections[s];
        if (section->nobits || section->size == 0)
            continue;
        end = end ? end : (uint64_t)section->address + section->size;
        begin = section->address;
    }
    if (end - begin > VPU_MOST_BYTES) {
        diag_add(diags, WEFT_ERROR, "too-large", m->name, "-f elf keeps sections apart from one another",
                 "a flat image of more than 256 MiB: its sections are from 0x%llx to 0x%llx", (unsigned long long)begin,
                 (unsigned long long)end);
        return WEFT_ERROR_MEMORY;
    }
    *bytes = arena_alloc(arena, (size_t)(end - begin) + 1);
    if (!*bytes)
        return WEFT_ERROR_MEMORY;
    for (uint32_t s = 0; s < m->nsections; s++)
        if (!m->sections[s].nobits && m->sections[s].size)
            vpu_section_bytes(m, &m->sections[s], *bytes + (m->sections[s].address - begin));
    *size = (size_t)(end - begin);
    return WEFT_OK;
}
