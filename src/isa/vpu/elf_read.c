/* elf_read.c - sections and symbols of an ELF file. Every offset comes from the file and is checked. */
#include "isa/vpu/elf.h"
#include "isa/vpu/decode.h"

#include <stdlib.h>

struct reader {
    const uint8_t *bytes;
    size_t size;
    struct arena *arena;
    struct vpu_image *image;
    weft_diags *diags;
    uint32_t nsections, sections; /* headers: how many, and where */
    uint32_t *section_of;         /* by section of the file: of the image, or VPU_ABSOLUTE */
    uint32_t next;                /* of a relocatable file: where its next section goes */
    bool relocatable;
};

static uint32_t get16(const struct reader *r, size_t at)
{
    return r->bytes[at] | (uint32_t)r->bytes[at + 1] << 8;
}

static uint32_t get32(const struct reader *r, size_t at)
{
    return get16(r, at) | get16(r, at + 2) << 16;
}

/* Are [at, at + count * size) bytes of the file? */
static bool inside(const struct reader *r, uint64_t at, uint64_t count, uint64_t size)
{
    return at <= r->size && count * size <= r->size - at;
}

static bool wrong(struct reader *r, const char *message)
{
    diag_add(r->diags, WEFT_ERROR, "elf", r->image->name, NULL, "%s", message);
    return false;
}

bool vpu_is_elf(const uint8_t *bytes, size_t size)
{
    return size >= 4 && memcmp(bytes, "\177ELF", 4) == 0;
}

/* ---- names ---- */

/* A string of a string table, NULL when it does not end in it. */
static const char *string_at(const struct reader *r, uint32_t table, uint32_t offset)
{
    uint32_t at = get32(r, table + SH_OFFSET), size = get32(r, table + SH_SIZE);
    if (!inside(r, at, 1, size) || offset >= size)
        return NULL;
    const char *s = (const char *)r->bytes + at + offset;
    return memchr(s, '\0', size - offset) ? s : NULL;
}

/* Does the assembler take the name for a symbol? */
static bool is_symbol_name(const char *s)
{
    enum { LONGEST = 200 };
    size_t n = 0;
    if (*s >= '0' && *s <= '9')
        return false;
    for (; s[n]; n++)
        if (!((s[n] | 32) >= 'a' && (s[n] | 32) <= 'z') && !(s[n] >= '0' && s[n] <= '9') && !strchr("._$", s[n]))
            return false;
    return n > 0 && n <= LONGEST && !(n == 1 && *s == '.') && vpu_find_register(s, n) < 0;
}

static uint32_t header_of(const struct reader *r, uint32_t section)
{
    return r->sections + section * ELF_SECTION;
}

/* ---- sections ---- */

static struct vpu_image_section *new_section(struct reader *r)
{
    return &r->image->section[r->image->nsections++];
}

static bool read_section(struct reader *r, uint32_t number, uint32_t names)
{
    uint32_t h = header_of(r, number), type = get32(r, h + SH_TYPE), flags = get32(r, h + SH_FLAGS);
    uint32_t offset = get32(r, h + SH_OFFSET), size = get32(r, h + SH_SIZE), align = get32(r, h + SH_ALIGN);
    const char *name = string_at(r, names, get32(r, h + SH_NAME));
    if (!(flags & SHF_ALLOC) || size == 0)
        return true;
    if (type != SHT_NOBITS && !inside(r, offset, 1, size))
        return wrong(r, "a section reaches past the end of the file");
    if (size > VPU_MOST_BYTES)
        return wrong(r, "a section of more than 256 MiB");
    r->section_of[number] = r->image->nsections;
    if (align == 0 || (align & (align - 1)) || align > 1u << 20)
        align = 1;
    struct vpu_image_section *s = new_section(r);
    *s = (struct vpu_image_section){.out = {.name = name && is_symbol_name(name) ? name : ".section",
                                            .address = get32(r, h + SH_ADDR),
                                            .size = size,
                                            .align = align,
                                            .code = flags & SHF_EXEC,
                                            .writable = flags & SHF_WRITE,
                                            .nobits = type == SHT_NOBITS},
                                    .bytes = type == SHT_NOBITS ? NULL : r->bytes + offset};
    if (r->relocatable) {
        s->out.address = (r->next + align - 1) & ~(align - 1);
        r->next = s->out.address + size;
    }
    return true;
}

/* Sections of a relocatable file keep what relocations would change. */
static bool has_relocations(const struct reader *r)
{
    for (uint32_t n = 0; n < r->nsections; n++) {
        uint32_t h = header_of(r, n), type = get32(r, h + SH_TYPE);
        if ((type == SHT_RELA || type == SHT_REL) && get32(r, h + SH_SIZE) && r->relocatable)
            return true;
    }
    return false;
}

static bool read_sections(struct reader *r)
{
    uint32_t names = get16(r, EH_SHSTRNDX);
    r->sections = get32(r, EH_SHOFF);
    r->nsections = get16(r, EH_SHNUM);
    if (r->nsections == 0)
        return true;
    if (get16(r, EH_SHENTSIZE) != ELF_SECTION || !inside(r, r->sections, r->nsections, ELF_SECTION) ||
        names >= r->nsections)
        return wrong(r, "the section headers are not those of a 32-bit file, or reach past its end");
    if (has_relocations(r))
        diag_add(r->diags, WEFT_WARNING, "relocations", r->image->name, NULL,
                 "this file is not linked: its relocations are not done");
    for (uint32_t n = 0; n < r->nsections; n++)
        if (!read_section(r, n, header_of(r, names)))
            return false;
    return true;
}

/* A file without section headers: its segments. */
static bool read_segments(struct reader *r)
{
    uint32_t at = get32(r, EH_PHOFF), count = get16(r, EH_PHNUM);
    if (!inside(r, at, count, ELF_SEGMENT))
        return wrong(r, "the program headers reach past the end of the file");
    for (uint32_t n = 0; n < count; n++, at += ELF_SEGMENT) {
        uint32_t offset = get32(r, at + PH_OFFSET), file = get32(r, at + PH_FILESZ), memory = get32(r, at + PH_MEMSZ);
        uint32_t flags = get32(r, at + PH_FLAGS);
        struct vpu_section out = {.name = ".segment",
                                  .address = get32(r, at + PH_VADDR),
                                  .size = file,
                                  .align = 1,
                                  .code = flags & PF_EXEC,
                                  .writable = flags & PF_WRITE};
        if (get32(r, at + PH_TYPE) != PT_LOAD)
            continue;
        if (!inside(r, offset, 1, file) || memory < file || memory > VPU_MOST_BYTES)
            return wrong(r, "a segment reaches past the end of the file, or is too large");
        if (file)
            *new_section(r) = (struct vpu_image_section){out, r->bytes + offset};
        out.address += file;
        out.size = memory - file;
        out.nobits = true;
        out.code = false;
        if (out.size)
            *new_section(r) = (struct vpu_image_section){out, NULL};
    }
    return true;
}

static int by_address(const void *x, const void *y)
{
    const struct vpu_image_section *s = *(struct vpu_image_section *const *)x,
                                   *t = *(struct vpu_image_section *const *)y;
    return s->out.address < t->out.address ? -1 : s->out.address > t->out.address;
}

/* Section names are those of the text too: each names one section there. */
static bool name_apart(struct reader *r)
{
    enum { MOST = 1000 };
    if (r->image->nsections > MOST)
        return wrong(r, "more than 1000 sections");
    for (uint32_t n = 0; n < r->image->nsections; n++)
        for (uint32_t k = 0; k < n; k++)
            if (strcmp(r->image->section[k].out.name, r->image->section[n].out.name) == 0) {
                r->image->section[n].out.name = arena_printf(r->arena, "%.100s.%u", r->image->section[n].out.name, n);
                if (!r->image->section[n].out.name)
                    return false;
                break;
            }
    return true;
}

/* In the order of their addresses; section_of follows. */
static bool sort_sections(struct reader *r)
{
    struct vpu_image *image = r->image;
    uint32_t count = image->nsections;
    struct vpu_image_section **order = ARENA_ARRAY(r->arena, struct vpu_image_section *, count + 1);
    struct vpu_image_section *sorted = ARENA_ARRAY(r->arena, struct vpu_image_section, count + 1);
    uint32_t *place = ARENA_ARRAY(r->arena, uint32_t, count + 1);
    if (!order || !sorted || !place)
        return false;
    for (uint32_t n = 0; n < count; n++)
        order[n] = &image->section[n];
    if (count)
        qsort(order, count, sizeof *order, by_address);
    for (uint32_t n = 0; n < count; n++) {
        sorted[n] = *order[n];
        place[order[n] - image->section] = n;
        uint64_t end = (uint64_t)sorted[n].out.address + sorted[n].out.size;
        if (end > UINT64_C(1) << 32 || (n + 1 < count && end > order[n + 1]->out.address))
            return wrong(r, "sections overlap, or reach past 32 bits");
    }
    for (uint32_t n = 0; n < r->nsections; n++)
        if (r->section_of[n] != VPU_ABSOLUTE)
            r->section_of[n] = place[r->section_of[n]];
    image->section = sorted;
    return true;
}

/* ---- symbols ---- */

static int by_name(const void *x, const void *y)
{
    const struct vpu_symbol *s = x, *t = y;
    int order = strcmp(s->name, t->name);
    if (order || s->global != t->global)
        return order ? order : t->global - s->global;
    return (s->address > t->address) - (s->address < t->address);
}

/* Names that occur twice are kept once: the global one, or that of the lowest address. */
static void drop_twins(struct vpu_image *image)
{
    size_t kept = 0;
    if (image->nsymbols)
        qsort(image->symbol, image->nsymbols, sizeof *image->symbol, by_name);
    for (size_t i = 0; i < image->nsymbols; i++)
        if (kept == 0 || strcmp(image->symbol[kept - 1].name, image->symbol[i].name) != 0)
            image->symbol[kept++] = image->symbol[i];
    image->nsymbols = kept;
}

static void read_symbol(struct reader *r, uint32_t at, uint32_t strings)
{
    const char *name = string_at(r, strings, get32(r, at + ST_NAME));
    uint32_t type = r->bytes[at + ST_INFO] & 15, section = get16(r, at + ST_SHNDX), value = get32(r, at + ST_VALUE);
    if (!name || !is_symbol_name(name) || type > STT_FUNC || section == 0)
        return;
    struct vpu_symbol s = {.name = name,
                           .address = value,
                           .size = get32(r, at + ST_SIZE),
                           .section = VPU_ABSOLUTE,
                           .global = r->bytes[at + ST_INFO] >> 4 == STB_GLOBAL,
                           .function = type == STT_FUNC};
    if (section < r->nsections && r->section_of[section] != VPU_ABSOLUTE) {
        s.section = r->section_of[section];
        const struct vpu_section *in = &r->image->section[s.section].out;
        s.address += r->relocatable ? in->address : 0;
        if (s.address - in->address > in->size)
            s.section = VPU_ABSOLUTE;
    }
    r->image->symbol[r->image->nsymbols++] = s;
}

static bool read_symbols(struct reader *r)
{
    for (uint32_t n = 0; n < r->nsections; n++) {
        uint32_t h = header_of(r, n), link = get32(r, h + SH_LINK), at = get32(r, h + SH_OFFSET);
        uint32_t count = get32(r, h + SH_SIZE) / ELF_SYMBOL;
        if (get32(r, h + SH_TYPE) != SHT_SYMTAB)
            continue;
        if (link >= r->nsections || !inside(r, at, count, ELF_SYMBOL))
            return wrong(r, "the symbols reach past the end of the file");
        r->image->symbol_capacity = count;
        r->image->symbol = ARENA_ARRAY(r->arena, struct vpu_symbol, count);
        if (!r->image->symbol)
            return false;
        for (uint32_t i = 0; i < count; i++)
            read_symbol(r, at + i * ELF_SYMBOL, header_of(r, link));
        drop_twins(r->image);
        return true;
    }
    return true;
}

/* ---- the file ---- */

static bool has_header(struct reader *r)
{
    if (r->size < ELF_HEADER)
        return wrong(r, "an ELF file that ends within its header");
    if (r->bytes[4] != 1 || r->bytes[5] != 1)
        return wrong(r, "this ELF file is of another machine: a VPU's has 32 bits, little endian, and number 137");
    return true;
}

weft_status vpu_read_elf(const uint8_t *bytes, size_t size, struct arena *arena, struct vpu_image *out,
                         weft_diags *diags)
{
    struct reader r = {.bytes = bytes, .size = size, .arena = arena, .image = out, .diags = diags};
    if (!has_header(&r))
        return WEFT_ERROR_INPUT;
    uint32_t type = get16(&r, EH_TYPE);
    r.relocatable = type == ELF_RELOCATABLE;
    bool fine = true;
    if (get16(&r, EH_MACHINE) != ELF_MACHINE)
        fine = wrong(&r, "this ELF file is of another machine: a VPU's has number 137");
    else if (type != ELF_RELOCATABLE && type != ELF_EXECUTABLE)
        fine = wrong(&r, "an ELF file that is neither executable nor relocatable");
    size_t most = get16(&r, EH_SHNUM) + 2 * (size_t)get16(&r, EH_PHNUM) + 1;
    r.section_of = ARENA_ARRAY(arena, uint32_t, most);
    out->section = ARENA_ARRAY(arena, struct vpu_image_section, most);
    if (!r.section_of || !out->section)
        return WEFT_ERROR_MEMORY;
    memset(r.section_of, 0xff, most * sizeof *r.section_of);
    fine = fine && read_sections(&r) && (r.nsections || read_segments(&r)) && sort_sections(&r) && name_apart(&r) &&
           read_symbols(&r);
    out->entry = get32(&r, EH_ENTRY);
    out->has_entry = type == ELF_EXECUTABLE;
    if (!fine)
        return arena_failed(arena) ? WEFT_ERROR_MEMORY : WEFT_ERROR_INPUT;
    return WEFT_OK;
}
