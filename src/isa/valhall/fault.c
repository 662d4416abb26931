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
    if (byte < VALHALL_BYTE_CONSTANT)
        return page > 1 ? VALHALL_PAGE : VALHALL_FINE;
    if (byte < VALHALL_BYTE_SPECIAL)
        return VALHALL_FINE;
    return valhall_special_names[page * 16 + (byte - VALHALL_BYTE_SPECIAL) / 2] ? VALHALL_FINE : VALHALL_SOURCE;
}

/* Mesa's description of the limits of the fast access uniforms: at most two different sources from them, constants
 * included; of uniforms and special values, one 64-bit slot (messages: two). */
enum valhall_fault valhall_fau_fault(const struct valhall_row *row, uint64_t word)
{
    uint8_t values[VALHALL_SOURCES], slots[VALHALL_SOURCES];
    unsigned nvalues = 0, nslots = 0, page = (unsigned)valhall_get_field(word, VALHALL_FIELD_PAGE);
    bool special = false;
    for (unsigned i = 0; i < row->nsrc; i++) {
        uint8_t byte = (uint8_t)(word >> row->src[i].at);
        if (byte < VALHALL_BYTE_UNIFORM)
            continue;
        enum valhall_fault fault = source_fault(byte, page);
        if (fault)
            return fault;
        unsigned k = 0;
        while (k < nvalues && values[k] != byte)
            k++;
        if (k == nvalues)
            values[nvalues++] = byte;
        if (byte >= VALHALL_BYTE_CONSTANT && byte < VALHALL_BYTE_SPECIAL)
            continue;
        special |= byte >= VALHALL_BYTE_SPECIAL;
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
        unsigned base = (unsigned)valhall_get_field(word, row->staging[i].base);
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
    if (row->also && valhall_get_field(word, VALHALL_FIELD_OPCODE) == row->also)
        word ^= valhall_put_field(VALHALL_FIELD_OPCODE, row->also ^ row->opcode);
    if ((word & l->mask) != l->value)
        return VALHALL_FIXED_BITS;
    for (unsigned i = 0; i < l->nchecks; i++)
        if (!(l->checks[i].allowed >> (word >> l->checks[i].at & l->checks[i].mask) & 1))
            return VALHALL_RESERVED;
    if (word & (l->sources | valhall_put_field(VALHALL_FIELD_PAGE, 3))) {
        enum valhall_fault fault = valhall_fau_fault(row, word);
        if (fault)
            return fault;
    }
    return row->nstaging ? valhall_staging_fault(row, word) : VALHALL_FINE;
}

/* The first of the row's bits that a word has otherwise, or that hold a reserved number. */
static weft_bits wrong_bits(const struct valhall_layout *l, uint64_t word, bool fixed)
{
    for (unsigned i = 0; i < l->nfields; i++) {
        const struct valhall_bits *b = &l->fields[i];
        uint64_t value = word >> b->at & ((1ull << b->size) - 1);
        if (fixed ? b->fixed && value != b->value : b->allowed && !(b->allowed >> value & 1))
            return (weft_bits){b->at, b->size};
    }
    return (weft_bits){0, 0};
}

static weft_bits field_bits(unsigned id)
{
    return (weft_bits){valhall_fields[id].at, valhall_fields[id].size};
}

/* The last source that takes part in a rule about fast access uniforms: the one too many. */
static weft_bits source_bits(const struct valhall_row *row, enum valhall_fault fault, uint64_t word)
{
    weft_bits bits = {0, 0};
    for (unsigned i = 0; i < row->nsrc; i++) {
        unsigned byte = word >> row->src[i].at & 0xFF;
        bool is_fault =
            byte >= VALHALL_BYTE_UNIFORM && source_fault(byte, (unsigned)valhall_get_field(word, VALHALL_FIELD_PAGE));
        if (fault == VALHALL_SOURCE ? is_fault : byte >= VALHALL_BYTE_UNIFORM)
            bits = (weft_bits){row->src[i].at, 8};
    }
    return bits;
}

weft_bits valhall_fault_bits(const struct valhall_table *t, const struct valhall_row *row, enum valhall_fault fault,
                             uint64_t word)
{
    if (!row) { /* the secondary opcode where the primary one is known */
        const struct valhall_primary *p = &t->primaries[valhall_get_field(word, VALHALL_FIELD_OPCODE)];
        return p->mask ? (weft_bits){p->shift, (uint16_t)__builtin_popcount(p->mask)}
                       : field_bits(VALHALL_FIELD_OPCODE);
    }
    switch (fault) {
    case VALHALL_FIXED_BITS:
    case VALHALL_RESERVED:
        return wrong_bits(&t->layouts[row - t->rows], word, fault == VALHALL_FIXED_BITS);
    case VALHALL_PAGE:
        return field_bits(VALHALL_FIELD_PAGE);
    case VALHALL_SOURCE:
    case VALHALL_FAU_VALUES:
    case VALHALL_FAU_SLOTS:
    case VALHALL_FAU_SPECIALS:
        return source_bits(row, fault, word);
    case VALHALL_STAGING_PAIR:
    case VALHALL_STAGING_END:
    case VALHALL_STAGING_NONE:
        return field_bits(row->staging[0].base);
    case VALHALL_FINE:
    case VALHALL_FAULTS:
        break;
    }
    return (weft_bits){0, 0};
}
