/* table.h - the table of instructions as decoder, printer and assembler use it: made once from the rows. */
#ifndef WEFT_ISA_VALHALL_TABLE_H
#define WEFT_ISA_VALHALL_TABLE_H

#include "isa/valhall/valhall.h"

/* A field of an instruction's word. */
struct valhall_field {
    const char *name;  /* NULL: `value` always */
    uint8_t at, size;
    uint64_t value;
    uint16_t allowed;  /* fields of up to 4 bits: the numbers that are not reserved, a bit each; 0: all */
};

enum { VALHALL_FIELDS = 40 };

/* What follows from a row for its words. */
struct valhall_layout {
    uint64_t mask, value;      /* bits that all of its words have; value alone assembles */
    uint32_t sources;          /* bit 7 of the byte of every source, bits 7, 15, 23, 31 */
    uint8_t nfields, nchecks;
    struct {
        uint8_t at, mask;
        uint16_t allowed;
    } checks[VALHALL_MODIFIERS + VALHALL_SOURCES + 2]; /* fields with reserved numbers */
    struct valhall_field fields[VALHALL_FIELDS];       /* highest first, without gaps */
};

/* Rows that share a primary opcode: row number + 1 by secondary opcode; 0: none. */
struct valhall_primary {
    uint8_t shift, mask;
    bool left;                 /* bit 32 counts 4 */
    uint16_t rows[32];
};

extern const struct isa_difference valhall_differences[];

struct valhall_table {
    struct valhall_row rows[VALHALL_OPS];
    struct valhall_layout layouts[VALHALL_OPS];
    struct valhall_primary primaries[512];
};

/* Made at the first call. */
const struct valhall_table *valhall_table(void);

/* The row that the opcodes of a word name, whatever its other bits are; NULL: none. */
static inline const struct valhall_row *valhall_row_by_opcode(const struct valhall_table *t, uint64_t word)
{
    const struct valhall_primary *p = &t->primaries[word >> 48 & 511];
    unsigned second = (unsigned)(word >> p->shift) & p->mask;
    if (p->left)
        second += (unsigned)(word >> 30) & 4;
    unsigned row = p->rows[second];
    return row ? &t->rows[row - 1] : NULL;
}

/* What text cannot say of a word whose opcodes name a row: the first reason, in the words of a message. */
enum valhall_fault {
    VALHALL_FINE,
    VALHALL_FIXED_BITS,   /* bits that must be 0 (or 1) are not */
    VALHALL_RESERVED,     /* a field holds a reserved number */
    VALHALL_SOURCE,       /* a source names a special value that its page does not have */
    VALHALL_PAGE,         /* the page does not fit the sources */
    VALHALL_FAU_VALUES,   /* more than two uniforms and constants */
    VALHALL_FAU_SLOTS,    /* uniforms from several 64-bit slots */
    VALHALL_FAU_SPECIALS, /* several special values */
    VALHALL_STAGING_PAIR, /* several staging registers from an odd one on */
    VALHALL_STAGING_END,  /* staging registers beyond r63 */
    VALHALL_STAGING_NONE, /* a register for no staging registers */
    VALHALL_FAULTS
};
extern const char *const valhall_fault_names[VALHALL_FAULTS];

/* The rules about sources from the fast access uniforms (FAU): how many, of which slots, of one page. */
enum valhall_fault valhall_fau_fault(const struct valhall_row *row, uint64_t word);
/* The rules about a row's staging registers. */
enum valhall_fault valhall_staging_fault(const struct valhall_row *row, uint64_t word);
/* All rules, of the row that the word's opcodes name. */
enum valhall_fault valhall_fault_of(const struct valhall_table *t, const struct valhall_row *row, uint64_t word);

/* Number of staging registers. */
static inline unsigned valhall_staging_count(const struct valhall_staging_rule *s, uint64_t word)
{
    return ((unsigned)(word >> s->count_at) & 7) + (s->count_at == 36);
}

#endif
