/* fault.c - the rules that a single instruction must keep: assembler and checker refuse what breaks them, and the
 * disassembler shows it as data. */
#include "isa/valhall/names.h"
#include "isa/valhall/table.h"

const char *const valhall_fault_names[VALHALL_FAULTS] = {
    [VALHALL_FINE] = "no fault",
    [VALHALL_FIXED_BITS] = "bits that the instruction does not have are set, or bits that it needs are not",
    [VALHALL_RESERVED] = "a field holds a reserved number",
    [VALHALL_SOURCE] = "a source is a special value that does not exist",
    [VALHALL_PAGE] = ("an instruction has one page of uniforms and special values: u0 to u63, u64 to u127, and special "
                      "values of different pages do not go together"),
    [VALHALL_FAU_VALUES] =
        "an instruction may access no more than 64 bits of uniforms and constants together (two values)",
    [VALHALL_FAU_SLOTS] = "an instruction may access no more than a single 64-bit uniform slot (a message: two)",
    [VALHALL_FAU_SPECIALS] = "an instruction may access no more than a single special value, and no uniform beside it",
    [VALHALL_STAGING_PAIR] = "several staging registers must be aligned to a register pair: the first one must be even",
    [VALHALL_STAGING_END] = "staging registers run past r63",
    [VALHALL_STAGING_NONE] = "a register is named where there are no staging registers",
};

/* A source by itself. */
static enum valhall_fault source_fault(unsigned byte, unsigned page)
{
    if (byte < 0xC0)
        return page > 1 ? VALHALL_PAGE : VALHALL_FINE;
    if (byte < 0xE0)
        return VALHALL_FINE;
    return valhall_special_names[page * 16 + (byte - 0xE0) / 2] ? VALHALL_FINE : VALHALL_SOURCE;
}

/* Mesa's description of the limits of the fast access uniforms: at most two different sources from them, constants
 * included; of uniforms and special values, one 64-bit slot (messages: two). */
enum valhall_fault valhall_fau_fault(const struct valhall_row *row, uint64_t word)
{
    uint8_t values[VALHALL_SOURCES], slots[VALHALL_SOURCES];
    unsigned nvalues = 0, nslots = 0, page = word >> 57 & 3;
    bool special = false;
    for (unsigned i = 0; i < row->nsrc; i++) {
        uint8_t byte = (uint8_t)(word >> row->src[i].at);
        if (byte < 0x80)
            continue;
        enum valhall_fault fault = source_fault(byte, page);
        if (fault)
            return fault;
        unsigned k = 0;
        while (k < nvalues && values[k] != byte)
            k++;
        if (k == nvalues)
            values[nvalues++] = byte;
        if (byte >= 0xC0 && byte < 0xE0)
            continue;
        special |= byte >= 0xE0;
        for (k = 0; k < nslots && slots[k] != byte >> 1; k++)
            ;
        if (k == nslots)
            slots[nslots++] = byte >> 1;
    }
    if (page && !nslots)
        return VALHALL_PAGE;
    if (nslots > (valhall_is_message(row->unit) ? 2 : 1))
        return special ? VALHALL_FAU_SPECIALS : VALHALL_FAU_SLOTS;
    return nvalues > 2 ? VALHALL_FAU_VALUES : VALHALL_FINE;
}

enum valhall_fault valhall_staging_fault(const struct valhall_row *row, uint64_t word)
{
    for (unsigned i = 0; i < row->nstaging; i++) {
        unsigned base = word >> row->staging[i].at & 63;
        unsigned count = valhall_staging_count(&row->staging[i], word);
        if (count == 0 && base)
            return VALHALL_STAGING_NONE;
        if (count > 1 && base & 1)
            return VALHALL_STAGING_PAIR;
        if (base + count > 64)
            return VALHALL_STAGING_END;
    }
    return VALHALL_FINE;
}

enum valhall_fault valhall_fault_of(const struct valhall_table *t, const struct valhall_row *row, uint64_t word)
{
    const struct valhall_layout *l = &t->layouts[row - t->rows];
    if (row->also && (word >> 48 & 511) == row->also)
        word ^= (uint64_t)(row->also ^ row->opcode) << 48;
    if ((word & l->mask) != l->value)
        return VALHALL_FIXED_BITS;
    for (unsigned i = 0; i < l->nchecks; i++)
        if (!(l->checks[i].allowed >> (word >> l->checks[i].at & l->checks[i].mask) & 1))
            return VALHALL_RESERVED;
    if (word & (l->sources | 3ull << 57)) {
        enum valhall_fault fault = valhall_fau_fault(row, word);
        if (fault)
            return fault;
    }
    return row->nstaging ? valhall_staging_fault(row, word) : VALHALL_FINE;
}
