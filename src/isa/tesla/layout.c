/* layout.c - where instructions and data are: sections, alignment of long instructions, labels; look-up by address.
 *
 * Long instructions are at addresses divisible by 8. Where an odd number of short ones comes before, one of them is
 * made long (docs/manual/tesla.md, "Which encoding"): the last that has a long form and is on
 * such an address. */
#include "isa/tesla/parse.h"

#include <string.h>

enum { LONGEST_LOOK_BACK = 64 /* short instructions */ };

bool tesla_add_label(struct tesla_parser *ps, const char *name, size_t length)
{
    size_t full_length = length;
    const char *full = tesla_full_name(ps, name, &full_length);
    struct asm_symbol *symbol = asm_symbol(&ps->a, full, full_length);
    if (full == name) {
        ps->scope = name;
        ps->scope_length = (uint32_t)length;
    }
    ps->nlabels++;
    return symbol && asm_define_label(&ps->a, symbol, name);
}

/* ---- sections ---- */

bool tesla_set_base(struct tesla_parser *ps, uint32_t base, const struct asm_fixup *place)
{
    tesla_section(ps)->address = base;
    return (base < TESLA_CODE_SPACE && base % 4 == 0) ||
           asm_error_at(&ps->a, place, "bad-address", NULL,
                        "a section starts at a multiple of 4 below 0x1000000, not at 0x%x", base);
}

bool tesla_open_section(struct tesla_parser *ps, const char *name, size_t length, uint32_t base, struct span where)
{
    struct asm_state *a = &ps->a;
    size_t before = a->nsections;
    if (!asm_enter_section(a, name, length))
        return false;
    if (a->nsections == before)
        return true;
    if (before == 1 && a->section[0].count == 0 && ps->nlabels == 0) { /* nothing is in the default section */
        a->section[0].name = a->section[1].name;
        a->nsections = 1;
        a->current = 0;
    }
    return tesla_set_base(ps, base, &(struct asm_fixup){.where = where, .src = a->scan.src});
}

/* ---- instructions ---- */

static bool add(struct tesla_parser *ps, const struct tesla_insn *insn)
{
    struct asm_section *section = tesla_section(ps);
    uint32_t at = tesla_address(section);
    if (at > (uint32_t)TESLA_LONGEST - insn->size)
        return scan_error(&ps->a.scan, insn->where, "too-large", NULL, "a program of more than 1 GiB");
    struct tesla_insn *out = asm_append(&ps->a);
    if (!out)
        return false;
    *out = *insn;
    out->address = at;
    section->size += insn->size;
    return true;
}

bool tesla_align_long(struct tesla_parser *ps)
{
    struct asm_section *section = tesla_section(ps);
    if (section->count == 0)
        return false;
    struct tesla_insn *first = asm_item(&ps->a, section, 0), *end = first + section->count;
    for (struct tesla_insn *insn = end; insn > first && end - insn < LONGEST_LOOK_BACK;) {
        insn--;
        if (!insn->row || insn->size != 4)
            break;
        if (insn->address % 8 != 0 || !tesla_lengthen(ps, insn))
            continue;
        for (insn++; insn < end; insn++)
            insn->address += 4;
        section->size += 4;
        return true;
    }
    return false;
}

/* What comes after an odd one is not wrong for that: it is said once. */
static bool unaligned(struct tesla_parser *ps, struct span where)
{
    struct asm_section *section = tesla_section(ps);
    if (section->align < 8)
        return false;
    section->align = 4;
    return scan_error(&ps->a.scan, where, "unaligned",
                      "make the number of short instructions before it even, or put .align 8 before it",
                      "a long instruction is at a multiple of 8, and this is 0x%x", tesla_address(section));
}

bool tesla_is_odd(struct tesla_parser *ps, const struct tesla_insn *insn)
{
    return insn->row && insn->size == 8 && tesla_address(tesla_section(ps)) % 8 != 0;
}

bool tesla_append(struct tesla_parser *ps, const struct tesla_insn *insn)
{
    return tesla_is_odd(ps, insn) && !tesla_align_long(ps) ? unaligned(ps, insn->where) : add(ps, insn);
}

bool tesla_append_data(struct tesla_parser *ps, uint64_t value, unsigned unit, uint64_t count, struct span where)
{
    struct tesla_insn data = {.word = value, .unit = (uint8_t)unit, .where = where};
    while (count > 0) {
        unsigned take = count * unit > 8 ? 8 / unit : (unsigned)count;
        data.size = take * unit;
        if (!add(ps, &data))
            return false;
        count -= take;
    }
    return true;
}

/* ---- what is where ---- */

uint32_t tesla_kernel_of(const struct isa_module *m, uint32_t insn)
{
    uint32_t k = 0;
    while (k < m->nkernels && insn - m->kernels[k].first >= m->kernels[k].count)
        k++;
    return k;
}

/* Kernels have addresses of their own. */
static void range_of(const struct isa_module *m, uint32_t near, uint32_t *first, uint32_t *end)
{
    uint32_t k = tesla_kernel_of(m, near);
    *first = k < m->nkernels ? m->kernels[k].first : 0;
    *end = k < m->nkernels ? *first + m->kernels[k].count : m->ninsns;
}

const struct tesla_insn *tesla_item_at(const struct isa_module *m, uint32_t near, uint32_t address)
{
    uint32_t low, end;
    range_of(m, near, &low, &end);
    for (uint32_t high = end; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        if (m->insns[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && m->insns[low].address == address ? &m->insns[low] : NULL;
}

const struct tesla_insn *tesla_insn_at(const struct isa_module *m, uint32_t near, uint32_t address)
{
    const struct tesla_insn *item = tesla_item_at(m, near, address);
    return item && item->row ? item : NULL;
}
