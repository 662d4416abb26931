/* decode.c - from the bytes of a file to a module: a flat image or ELF, swept or traced. */
#include "base/diag.h"
#include "isa/entry.h"
#include "isa/vpu/elf.h"
#include "isa/vpu/decode.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- linear: all of it instructions, one after the other ---- */

static uint32_t length_at(const uint8_t *bytes, size_t left)
{
    uint32_t length = left < 2 ? 1 : vpu_length(bytes[0] | (unsigned)bytes[1] << 8);
    return length < left ? length : (uint32_t)left;
}

static size_t count_swept(const struct vpu_image_section *s)
{
    size_t count = 0;
    for (size_t at = 0; at < s->out.size; count++)
        at += length_at(s->bytes + at, s->out.size - at);
    return count;
}

static void sweep(struct isa_module *m, const struct vpu_image_section *s)
{
    const struct vpu_tables *t = vpu_tables();
    struct vpu_insn *insn = &m->insns[m->ninsns];
    uint32_t unknown = 0;
    for (size_t at = 0; at < s->out.size; insn++) {
        vpu_decode_with(t, s->bytes + at, s->out.size - at, s->out.address + (uint32_t)at, insn);
        unknown += vpu_is_data(insn);
        at += insn->size;
    }
    m->unknown += unknown;
    m->ninsns = (uint32_t)(insn - m->insns);
}

/* ---- data ---- */

enum { DATA_LINE = 16, DATA_ZEROS = 64 /* and more are .space */ };

/* How many bytes of `left` come before the next symbol. */
static uint32_t up_to_symbol(const struct vpu_image *image, uint32_t address, uint32_t left, size_t *symbol)
{
    while (*symbol < image->nsymbols && image->symbol[*symbol].address <= address)
        ++*symbol;
    if (*symbol < image->nsymbols && image->symbol[*symbol].address - address < left)
        return image->symbol[*symbol].address - address;
    return left;
}

static uint32_t count_zeros(const uint8_t *bytes, uint32_t size)
{
    uint32_t n = 0;
    while (n < size && bytes[n] == 0)
        n++;
    return n;
}

/* Data between two instructions, or of a section without code: a line at a time, up to symbols; many zeros at once. */
static void put_data(struct isa_module *m, const struct vpu_image *image, const struct vpu_image_section *s,
                     uint32_t at, uint32_t end, size_t *symbol)
{
    while (at < end) {
        uint32_t address = s->out.address + at, left = up_to_symbol(image, address, end - at, symbol);
        uint32_t zeros = count_zeros(s->bytes + at, left), line = DATA_LINE - address % DATA_LINE;
        struct vpu_insn *insn = &m->insns[m->ninsns++];
        *insn = zeros >= DATA_ZEROS ? vpu_fill(address, 0, zeros)
                                    : vpu_data(address, s->bytes + at, line < left ? line : left);
        at += insn->size;
    }
}

/* ---- traced ---- */

/* Entries count from the end of the switch before the first of them. */
static uint32_t put_case(struct isa_module *m, const struct vpu_image_section *s, const uint8_t *marks, uint32_t at)
{
    uint32_t size = marks[at] == VPU_MARK_CASE8 ? 1 : 2;
    struct vpu_insn insn = vpu_data(s->out.address + at, s->bytes + at, size);
    const struct vpu_insn *before = m->ninsns ? &m->insns[m->ninsns - 1] : NULL;
    insn.flags = VPU_CASE;
    insn.imm = before && vpu_is_data(before) && before->flags & VPU_CASE ? before->imm : (int32_t)insn.address;
    m->insns[m->ninsns++] = insn;
    return size;
}

static void put_traced(struct isa_module *m, const struct vpu_image *image, const struct vpu_image_section *s,
                       const uint8_t *marks)
{
    const struct vpu_tables *t = vpu_tables();
    size_t symbol = 0;
    for (uint32_t at = 0; at < s->out.size;) {
        uint32_t end = at;
        if (marks[at] & VPU_MARK_CODE) {
            struct vpu_insn *insn = &m->insns[m->ninsns++];
            const struct vpu_form *f = &t->form[marks[at] & ~VPU_MARK_CODE];
            struct pattern_word word = vpu_word(s->bytes + at, f->size);
            vpu_decode_as(t, f, &word, s->out.address + at, insn);
            at += insn->size;
            continue;
        }
        if (marks[at] == VPU_MARK_CASE8 || marks[at] == VPU_MARK_CASE16) {
            at += put_case(m, s, marks, at);
            continue;
        }
        while (end < s->out.size && marks[end] == VPU_MARK_DATA)
            end++;
        put_data(m, image, s, at, end, &symbol);
        at = end;
    }
}

/* Data of a line each, and what its beginning and end cut off. */
static size_t data_lines(uint32_t size)
{
    return size / DATA_LINE + 2u;
}

static size_t count_traced(const struct vpu_image_section *s, const uint8_t *marks)
{
    size_t count = 0;
    for (uint32_t at = 0, end; at < s->out.size; at = end) {
        for (end = at + 1; end < s->out.size && marks[end] == marks[at] && !(marks[at] & VPU_MARK_CODE);)
            end++;
        switch (marks[at]) {
        case VPU_MARK_INSIDE:
            break;
        case VPU_MARK_DATA:
            count += data_lines(end - at);
            break;
        default:
            count += marks[at] == VPU_MARK_CASE8 ? end - at : marks[at] == VPU_MARK_CASE16 ? (end - at) / 2 : 1;
        }
    }
    return count;
}

/* At most this many pieces. */
static size_t most_insns(const struct vpu_image *image, uint8_t *const *marks)
{
    size_t most = 1 + image->nsymbols;
    for (uint32_t n = 0; n < image->nsections; n++) {
        const struct vpu_image_section *s = &image->section[n];
        if (!s->bytes)
            most++;
        else if (marks[n])
            most += count_traced(s, marks[n]);
        else
            most += s->out.code ? count_swept(s) : data_lines(s->out.size);
    }
    return most;
}

static void fill(struct isa_module *m, const struct vpu_image *image, uint8_t *const *marks)
{
    for (uint32_t n = 0; n < image->nsections; n++) {
        const struct vpu_image_section *s = &image->section[n];
        struct vpu_section *out = &m->sections[n];
        size_t symbol = 0;
        *out = s->out;
        out->first = m->ninsns;
        if (!s->bytes)
            m->insns[m->ninsns++] = vpu_fill(s->out.address, 0, s->out.size);
        else if (marks[n])
            put_traced(m, image, s, marks[n]);
        else if (s->out.code)
            sweep(m, s);
        else
            put_data(m, image, s, 0, s->out.size, &symbol);
        out->count = m->ninsns - out->first;
    }
}

/* ---- the module ---- */

static bool is_sorted(const struct isa_module *m)
{
    for (uint32_t i = 1; i < m->nsymbols; i++)
        if (vpu_by_address(&m->symbols[i - 1], &m->symbols[i]) > 0)
            return false;
    return true;
}

/* A symbol within an instruction cannot be a label: it keeps its value. */
static void settle_symbols(struct isa_module *m, const struct vpu_image *image)
{
    m->symbols = image->symbol;
    m->nsymbols = (uint32_t)image->nsymbols;
    for (uint32_t i = 0; i < m->nsymbols; i++) {
        struct vpu_symbol *s = &m->symbols[i];
        if (s->section == VPU_ABSOLUTE || s->made)
            continue;
        const struct vpu_section *in = &m->sections[s->section];
        if (s->address != in->address + in->size && !vpu_insn_at(m, s->address))
            s->section = VPU_ABSOLUTE;
    }
    if (!is_sorted(m))
        qsort(m->symbols, m->nsymbols, sizeof *m->symbols, vpu_by_address);
}

/* An instruction may begin there. */
static weft_status check_entry(const struct vpu_image *image, uint64_t entry, weft_diags *diags)
{
    const char *why = entry & 1 ? "is odd: instructions begin at even addresses" : "is outside the image";
    for (uint32_t n = 0; n < image->nsections && !(entry & 1); n++) {
        const struct vpu_section *s = &image->section[n].out;
        if (entry >= s->address && entry - s->address < s->size)
            return WEFT_OK;
    }
    diag_add(diags, WEFT_ERROR, "entry", image->name, NULL, "the entry 0x%" PRIx64 " %s", entry, why);
    return WEFT_ERROR_INPUT;
}

/* The symbol that may have been meant. */
static const char *entry_hint(const struct vpu_image *image, const char *name, char *hint, size_t size)
{
    const char **names = malloc((image->nsymbols + 1) * sizeof *names), *near = NULL;
    for (size_t i = 0; names && i < image->nsymbols; i++)
        names[i] = image->symbol[i].name;
    if (names)
        near = word_hint(name, strlen(name), names, image->nsymbols, hint, size);
    free(names);
    return near ? near : "give a symbol or an address";
}

/* The entry that is asked for: a symbol or an address. */
static weft_status find_entry(struct vpu_image *image, const struct isa_params *params, weft_diags *diags)
{
    const char *name = params ? params->entry : NULL;
    char hint[400];
    uint64_t value;
    if (!name)
        return WEFT_OK;
    image->has_entry = true;
    for (size_t i = 0; i < image->nsymbols; i++)
        if (strcmp(image->symbol[i].name, name) == 0) {
            image->entry = image->symbol[i].address;
            return check_entry(image, image->entry, diags);
        }
    if (entry_address(name, &value)) {
        image->entry = (uint32_t)value;
        return check_entry(image, value, diags);
    }
    diag_add(diags, WEFT_ERROR, "unknown-label", image->name, entry_hint(image, name, hint, sizeof hint),
             "there is no symbol '%s' to begin at", name);
    return WEFT_ERROR_INPUT;
}

/* One section of code. */
static bool flat(struct vpu_image *image, const uint8_t *bytes, size_t size, const struct isa_params *params,
                 struct arena *arena)
{
    struct vpu_image_section *s = ARENA_NEW(arena, struct vpu_image_section);
    if (!s)
        return false;
    uint32_t base = params ? (uint32_t)params->base : 0;
    *s = (struct vpu_image_section){
        {.name = ".text", .address = base, .size = (uint32_t)size, .align = 2, .code = true}, bytes};
    image->section = s;
    image->nsections = 1;
    image->entry = base;
    image->has_entry = true;
    return true;
}

/* Which bytes are code, for sections that are not swept. */
static bool find_code(struct vpu_image *image, bool linear, uint8_t **marks, struct arena *arena)
{
    bool any = false;
    for (uint32_t n = 0; n < image->nsections && !linear; n++)
        if (image->section[n].out.code && image->section[n].bytes) {
            marks[n] = arena_alloc(arena, image->section[n].out.size);
            any = true;
            if (!marks[n])
                return false;
        }
    return !any || vpu_trace(image, arena, marks);
}

static struct isa_module *make_module(struct vpu_image *image, const struct isa_params *params, struct arena *arena)
{
    bool linear = params && params->linear;
    struct isa_module *m = ARENA_NEW(arena, struct isa_module);
    uint8_t **marks = ARENA_ARRAY(arena, uint8_t *, image->nsections);
    if (!m || !marks || !find_code(image, linear, marks, arena))
        return NULL;
    m->sections = ARENA_ARRAY(arena, struct vpu_section, image->nsections);
    m->insns = ARENA_ARRAY(arena, struct vpu_insn, most_insns(image, marks));
    if (!m->sections || !m->insns)
        return NULL;
    m->nsections = image->nsections;
    m->entry = image->entry;
    fill(m, image, marks);
    if (linear && params->labels && !vpu_label_swept(image, m, arena))
        return NULL;
    settle_symbols(m, image);
    return m;
}

weft_status vpu_decode(const uint8_t *bytes, size_t size, const char *name, const struct isa_params *params,
                       struct arena *arena, struct isa_module **out, weft_diags *diags)
{
    struct vpu_image image = {.name = name};
    *out = NULL;
    if (!vpu_tables())
        return vpu_no_tables(diags);
    if (!vpu_names())
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
    bool linear = params && params->linear;
    bool elf = vpu_is_elf(copy, size) && (!linear || size >= ELF_HEADER);
    weft_status status = elf                                       ? vpu_read_elf(copy, size, arena, &image, diags)
                         : flat(&image, copy, size, params, arena) ? WEFT_OK
                                                                   : WEFT_ERROR_MEMORY;
    if (status == WEFT_OK)
        status = find_entry(&image, params, diags);
    if (status != WEFT_OK)
        return status;
    *out = make_module(&image, params, arena);
    if (!*out)
        return WEFT_ERROR_MEMORY;
    (*out)->elf = elf;
    (*out)->name = name;
    (*out)->linkage = params ? params->linkage : NULL;
    return WEFT_OK;
}
