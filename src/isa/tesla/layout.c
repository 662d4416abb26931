/* layout.c - where instructions and data are: sections, alignment of long instructions, labels.
 *
 * Long instructions are at addresses divisible by 8. Where an odd number of short ones comes before, one of them is
 * made long (docs/manual/tesla.md, "Which encoding"): the last that has a long form and is on
 * such an address. */
#include "isa/tesla/parse.h"

#include <string.h>

enum { LONGEST_LOOK_BACK = 64 /* short instructions */ };

/* ---- symbols ---- */

static uint32_t hash(const char *name, size_t length)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)name[i]) * 16777619u;
    return (h ^ h >> 16) % TESLA_SYMBOL_SLOTS;
}

struct tesla_symbol *tesla_find_symbol(const struct tesla_symbols *s, const char *name, size_t length)
{
    struct tesla_symbol *symbol = s->slot[hash(name, length)];
    while (symbol && !(symbol->length == length && memcmp(symbol->name, name, length) == 0))
        symbol = symbol->next;
    return symbol;
}

struct tesla_symbol *tesla_add_symbol(struct tesla_symbols *s, struct arena *arena, const char *name, size_t length)
{
    struct tesla_symbol *symbol = ARENA_NEW(arena, struct tesla_symbol);
    struct tesla_symbol **slot = &s->slot[hash(name, length)];
    if (!symbol)
        return NULL;
    *symbol = (struct tesla_symbol){name, (uint32_t)length, 0, TESLA_NO_SECTION, *slot};
    *slot = symbol;
    return symbol;
}

bool tesla_add_label(struct tesla_parser *ps, const char *name, size_t length)
{
    struct scan *s = &ps->s;
    struct span where = {scan_offset(s, name), (uint32_t)length};
    size_t full_length = length;
    const char *full = tesla_full_name(ps, name, &full_length);
    if (tesla_find_symbol(&ps->symbols, full, full_length))
        return scan_error(s, where, "duplicate-label", NULL, "'%.*s' is defined twice",
                          (int)(length < 60 ? length : 60), name);
    if (full == name) {
        ps->scope = name;
        ps->scope_length = (uint32_t)length;
    }
    struct tesla_symbol *symbol = tesla_add_symbol(&ps->symbols, s->arena, full, full_length);
    struct tesla_symbol **labels = arena_grow(s->arena, ps->labels, sizeof *labels, ps->nlabels, &ps->cap_labels,
                                              ps->nlabels + 1);
    if (!symbol || !labels)
        return false;
    ps->labels = labels;
    labels[ps->nlabels++] = symbol;
    symbol->value = ps->sections[ps->section].at;
    symbol->section = ps->section;
    return true;
}

/* ---- sections ---- */

bool tesla_open_section(struct tesla_parser *ps, const char *name, size_t length, uint32_t base, struct span where)
{
    struct tesla_section *grown;
    for (size_t i = 0; i < ps->nsections; i++)
        if (ps->sections[i].length == length && memcmp(ps->sections[i].name, name, length) == 0) {
            ps->section = (uint32_t)i;
            return true;
        }
    if (ps->nsections == 1 && ps->sections[0].ninsns == 0 && ps->nlabels == 0)
        ps->nsections = 0; /* nothing is in the default section */
    grown = arena_grow(ps->s.arena, ps->sections, sizeof *grown, ps->nsections, &ps->cap_sections, ps->nsections + 1);
    if (!grown)
        return false;
    ps->sections = grown;
    ps->section = (uint32_t)ps->nsections++;
    grown[ps->section] = (struct tesla_section){.name = name, .length = (uint32_t)length, .base = base, .at = base};
    if (base >= TESLA_CODE_SPACE || base % 4 != 0)
        return scan_error(&ps->s, where, "bad-address", NULL,
                          "a section starts at a multiple of 4 below 0x1000000, not at 0x%x", base);
    return true;
}

/* ---- instructions ---- */

static bool add(struct tesla_parser *ps, struct tesla_section *section, const struct tesla_insn *insn)
{
    if (section->at > (uint32_t)TESLA_LONGEST - insn->size)
        return scan_error(&ps->s, insn->where, "too-large", NULL, "a program of more than 1 GiB");
    if (section->ninsns == section->cap) {
        struct tesla_insn *grown =
            arena_grow(ps->s.arena, section->insns, sizeof *grown, section->ninsns, &section->cap, section->ninsns + 1);
        if (!grown)
            return false;
        section->insns = grown;
    }
    struct tesla_insn *out = &section->insns[section->ninsns++];
    *out = *insn;
    out->address = section->at;
    out->line = ps->line;
    section->at += insn->size;
    return true;
}

/* Move what comes after `address` by a word. */
static void move_later(struct tesla_parser *ps, struct tesla_section *section, size_t first, uint32_t address)
{
    for (size_t i = first; i < section->ninsns; i++)
        section->insns[i].address += 4;
    for (size_t i = ps->nlabels; i-- > 0;) {
        struct tesla_symbol *label = ps->labels[i];
        if (label->section != ps->section)
            continue;
        if (label->value <= address)
            break;
        label->value += 4;
    }
    section->at += 4;
}

/* Bring the section's end to a multiple of 8 by making a short instruction long. */
bool tesla_align_long(struct tesla_parser *ps, struct tesla_section *section)
{
    for (size_t n = 0; n < LONGEST_LOOK_BACK && n < section->ninsns; n++) {
        struct tesla_insn *insn = &section->insns[section->ninsns - 1 - n];
        if (!insn->row || insn->size != 4)
            break;
        if (insn->address % 8 == 0 && tesla_lengthen(ps, insn)) {
            move_later(ps, section, section->ninsns - n, insn->address);
            return true;
        }
    }
    return false;
}

/* What comes after an odd one is not wrong for that: it is said once. */
static bool unaligned(struct tesla_parser *ps, struct tesla_section *section, struct span where)
{
    if (section->unaligned)
        return false;
    section->unaligned = true;
    return scan_error(&ps->s, where, "unaligned",
                      "make the number of short instructions before it even, or put .align 8 before it",
                      "a long instruction is at a multiple of 8, and this is 0x%x", section->at);
}

bool tesla_append(struct tesla_parser *ps, const struct tesla_insn *insn)
{
    struct tesla_section *section = &ps->sections[ps->section];
    if (insn->row && insn->size == 8 && section->at % 8 != 0 && !tesla_align_long(ps, section) &&
        !unaligned(ps, section, insn->where))
        return false;
    return add(ps, section, insn);
}

bool tesla_append_data(struct tesla_parser *ps, uint64_t value, unsigned unit, uint64_t count, struct span where)
{
    struct tesla_insn data = {.word = value, .unit = (uint8_t)unit, .where = where};
    while (count > 0) {
        unsigned take = count * unit > 8 ? 8 / unit : (unsigned)count;
        data.size = (uint8_t)(take * unit);
        if (!add(ps, &ps->sections[ps->section], &data))
            return false;
        count -= take;
    }
    return true;
}

bool tesla_defer(struct tesla_parser *ps, const char *text, const struct tesla_listing *listing)
{
    struct tesla_deferred *grown =
        arena_grow(ps->s.arena, ps->deferred, sizeof *grown, ps->ndeferred, &ps->cap_deferred, ps->ndeferred + 1);
    if (!grown)
        return false;
    ps->deferred = grown;
    grown[ps->ndeferred++] = (struct tesla_deferred){
        ps->section, (uint32_t)ps->sections[ps->section].ninsns - 1, text, ps->scope, ps->scope_length, *listing};
    return true;
}
