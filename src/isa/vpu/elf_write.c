/* elf_write.c - a module as an executable ELF file: a segment for each section, section headers and symbols. */
#include "isa/vpu/elf.h"
#include "isa/vpu/vpu.h"

#include <string.h>

struct writer {
    uint8_t *bytes; /* NULL while sizes are counted */
    size_t size;
    const struct isa_module *m;
};

static void put16(struct writer *w, size_t at, uint32_t value)
{
    w->bytes[at] = (uint8_t)value;
    w->bytes[at + 1] = (uint8_t)(value >> 8);
}

static void put32(struct writer *w, size_t at, uint32_t value)
{
    put16(w, at, value);
    put16(w, at + 2, value >> 16);
}

/* Room for `size` bytes at a multiple of `align`; where it is. */
static size_t reserve(struct writer *w, size_t size, size_t align)
{
    size_t at = (w->size + align - 1) & ~(align - 1);
    w->size = at + size;
    return at;
}

/* ---- strings ---- */

/* Add a string to a table that begins at `table` and has *size bytes; its offset in it. */
static uint32_t put_string(struct writer *w, size_t table, size_t *size, const char *s)
{
    uint32_t offset = (uint32_t)*size;
    size_t length = strlen(s) + 1;
    if (w->bytes)
        memcpy(w->bytes + table + *size, s, length);
    *size += length;
    return offset;
}

static size_t symbol_strings(const struct isa_module *m)
{
    size_t size = 1;
    for (uint32_t i = 0; i < m->nsymbols; i++)
        size += strlen(m->symbols[i].name) + 1;
    return size;
}

static const char *const own_names[] = {".symtab", ".strtab", ".shstrtab"};
enum { OWN_SYMTAB, OWN_STRTAB, OWN_SHSTRTAB, OWN_SECTIONS };

static size_t section_strings(const struct isa_module *m)
{
    size_t size = 1;
    for (uint32_t i = 0; i < m->nsections; i++)
        size += strlen(m->sections[i].name) + 1;
    for (unsigned i = 0; i < OWN_SECTIONS; i++)
        size += strlen(own_names[i]) + 1;
    return size;
}

/* ---- parts of the file ---- */

struct layout {
    size_t segments, strings, symbols, names, headers; /* offsets */
    size_t *section;                                   /* of the bytes of each section */
    size_t symbol_bytes, string_bytes, name_bytes;
    uint32_t locals; /* symbols that are not global, the one of index 0 included */
};

static bool lay_out(struct writer *w, struct layout *l, struct arena *arena)
{
    const struct isa_module *m = w->m;
    l->section = ARENA_ARRAY(arena, size_t, m->nsections + 1);
    if (!l->section)
        return false;
    w->size = ELF_HEADER;
    l->segments = reserve(w, (size_t)m->nsections * ELF_SEGMENT, 4);
    for (uint32_t i = 0; i < m->nsections; i++) {
        const struct vpu_section *s = &m->sections[i];
        l->section[i] = reserve(w, s->nobits ? 0 : s->size, s->align < 4096 ? s->align : 4096);
    }
    l->symbol_bytes = ((size_t)m->nsymbols + 1) * ELF_SYMBOL;
    l->string_bytes = symbol_strings(m);
    l->name_bytes = section_strings(m);
    l->symbols = reserve(w, l->symbol_bytes, 4);
    l->strings = reserve(w, l->string_bytes, 1);
    l->names = reserve(w, l->name_bytes, 1);
    l->headers = reserve(w, ((size_t)m->nsections + 1 + OWN_SECTIONS) * ELF_SECTION, 4);
    return true;
}

static void put_file_header(struct writer *w, const struct layout *l)
{
    memcpy(w->bytes, "\177ELF\1\1\1", 7);
    put16(w, EH_TYPE, ELF_EXECUTABLE);
    put16(w, EH_MACHINE, ELF_MACHINE);
    put32(w, EH_VERSION, 1);
    put32(w, EH_ENTRY, w->m->entry);
    put32(w, EH_PHOFF, w->m->nsections ? (uint32_t)l->segments : 0);
    put32(w, EH_SHOFF, (uint32_t)l->headers);
    put16(w, EH_EHSIZE, ELF_HEADER);
    put16(w, EH_PHENTSIZE, ELF_SEGMENT);
    put16(w, EH_PHNUM, w->m->nsections);
    put16(w, EH_SHENTSIZE, ELF_SECTION);
    put16(w, EH_SHNUM, w->m->nsections + 1 + OWN_SECTIONS);
    put16(w, EH_SHSTRNDX, w->m->nsections + 1 + OWN_SHSTRTAB);
}

static void put_segment(struct writer *w, size_t at, const struct vpu_section *s, size_t offset)
{
    put32(w, at + PH_TYPE, PT_LOAD);
    put32(w, at + PH_OFFSET, (uint32_t)offset);
    put32(w, at + PH_VADDR, s->address);
    put32(w, at + PH_PADDR, s->address);
    put32(w, at + PH_FILESZ, s->nobits ? 0 : s->size);
    put32(w, at + PH_MEMSZ, s->size);
    put32(w, at + PH_FLAGS, PF_READ | (s->code ? PF_EXEC : 0u) | (s->writable ? PF_WRITE : 0u));
    put32(w, at + PH_ALIGN, 1);
}

/* The words of a section header, in their order. */
static void put_section_header(struct writer *w, size_t at, const uint32_t words[10])
{
    for (size_t i = 0; i < 10; i++)
        put32(w, at + 4 * i, words[i]);
}

static void put_sections(struct writer *w, const struct layout *l)
{
    size_t names = 1, at = l->headers + ELF_SECTION;
    for (uint32_t i = 0; i < w->m->nsections; i++, at += ELF_SECTION) {
        const struct vpu_section *s = &w->m->sections[i];
        uint32_t flags = SHF_ALLOC | (s->code ? SHF_EXEC : 0u) | (s->writable ? SHF_WRITE : 0u);
        put_segment(w, l->segments + i * ELF_SEGMENT, s, l->section[i]);
        put_section_header(w, at,
                           (uint32_t[10]){put_string(w, l->names, &names, s->name),
                                          s->nobits ? SHT_NOBITS : SHT_PROGBITS, flags, s->address,
                                          (uint32_t)l->section[i], s->size, 0, 0, s->align, 0});
        if (!s->nobits && s->size)
            vpu_section_bytes(w->m, s, w->bytes + l->section[i]);
    }
    const uint32_t first = w->m->nsections + 1;
    const uint32_t own[OWN_SECTIONS][10] = {
        {0, SHT_SYMTAB, 0, 0, (uint32_t)l->symbols, (uint32_t)l->symbol_bytes, first + OWN_STRTAB, l->locals, 4,
         ELF_SYMBOL},
        {0, SHT_STRTAB, 0, 0, (uint32_t)l->strings, (uint32_t)l->string_bytes, 0, 0, 1, 0},
        {0, SHT_STRTAB, 0, 0, (uint32_t)l->names, (uint32_t)l->name_bytes, 0, 0, 1, 0}};
    for (unsigned i = 0; i < OWN_SECTIONS; i++, at += ELF_SECTION) {
        put_section_header(w, at, own[i]);
        put32(w, at + SH_NAME, put_string(w, l->names, &names, own_names[i]));
    }
}

/* Local symbols come first. */
static void put_symbols(struct writer *w, struct layout *l)
{
    size_t names = 1, at = l->symbols + ELF_SYMBOL;
    l->locals = 1;
    for (unsigned global = 0; global < 2; global++)
        for (uint32_t i = 0; i < w->m->nsymbols; i++) {
            const struct vpu_symbol *s = &w->m->symbols[i];
            if (s->global != (global != 0))
                continue;
            put32(w, at + ST_NAME, put_string(w, l->strings, &names, s->name));
            put32(w, at + ST_VALUE, s->address);
            put32(w, at + ST_SIZE, s->size);
            w->bytes[at + ST_INFO] = (uint8_t)(global << 4 | (s->function ? STT_FUNC : STT_NOTYPE));
            put16(w, at + ST_SHNDX, s->section == VPU_ABSOLUTE ? SHN_ABS : s->section + 1);
            at += ELF_SYMBOL;
            l->locals += !global;
        }
}

weft_status vpu_encode_elf(const struct isa_module *m, struct arena *arena, uint8_t **bytes, size_t *size,
                           weft_diags *diags)
{
    struct writer w = {.m = m};
    struct layout l = {0};
    if (!lay_out(&w, &l, arena))
        return WEFT_ERROR_MEMORY;
    if (w.size > VPU_MOST_BYTES || m->nsections > 10000) {
        diag_add(diags, WEFT_ERROR, "too-large", m->name, NULL, "an ELF file of more than 256 MiB, or 10000 sections");
        return WEFT_ERROR_MEMORY;
    }
    w.bytes = arena_alloc(arena, w.size);
    if (!w.bytes)
        return WEFT_ERROR_MEMORY;
    put_file_header(&w, &l);
    put_symbols(&w, &l);
    put_sections(&w, &l);
    *bytes = w.bytes;
    *size = w.size;
    return WEFT_OK;
}
