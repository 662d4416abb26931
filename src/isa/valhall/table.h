/* table.h - the table of instructions as decoder, printer and assembler use it: made once from the rows. */
#ifndef WEFT_ISA_VALHALL_TABLE_H
#define WEFT_ISA_VALHALL_TABLE_H

#include "isa/valhall/valhall.h"

/* Some bits of an instruction's word. */
struct valhall_bits {
    const char *name;
    uint8_t at, size;
    uint8_t kind;      /* weft_field_kind */
    bool fixed;        /* they are `value` in each word of the row */
    uint8_t select;    /* enum valhall_select: words of its enumeration; VALHALL_SELECT_NONE */
    uint8_t field;     /* enum valhall_field_id, or VALHALL_FIELD_NONE */
    uint16_t value;
    uint16_t allowed;  /* of up to 4 bits: the numbers that are not reserved, a bit each; 0: all */
};

enum { VALHALL_LAYOUT_BITS = 40, VALHALL_FAULT_TEXT = 120 };

/* What follows from a row for its words. */
struct valhall_layout {
    uint64_t mask, value;      /* bits that all of its words have; value alone assembles */
    uint32_t sources;          /* bit 7 of the byte of every source, bits 7, 15, 23, 31 */
    uint64_t used;             /* bits that are in some field */
    const char *overlap;       /* a field that shares bits with another one; NULL: none does */
    uint8_t nfields, nchecks;
    struct {
        uint8_t at, mask;
        uint16_t allowed;
    } checks[VALHALL_MODIFIERS + VALHALL_SOURCES + 2]; /* fields with reserved numbers */
    struct valhall_bits fields[VALHALL_LAYOUT_BITS];   /* highest first, without gaps */
};

/* Rows that share a primary opcode: row number + 1 by secondary opcode; 0: none. */
struct valhall_primary {
    uint8_t shift, mask;
    uint8_t high;              /* bit 32 counts this much */
    bool used;
    uint16_t rows[32];
};

extern const struct isa_difference valhall_differences[];

struct valhall_table {
    struct valhall_row rows[VALHALL_OPS];
    struct valhall_layout layouts[VALHALL_OPS];
    struct valhall_primary primaries[512];
    char fault[VALHALL_FAULT_TEXT]; /* "" or the first row that is at fault, and why */
};

/* Made at the first call. */
const struct valhall_table *valhall_table(void);
/* Work out `count` rows (at most VALHALL_OPS), as rows.inc and forms.inc give them, into a table of zeros. */
void valhall_compile(struct valhall_table *t, const struct valhall_row *specs, unsigned count);
/* What is at fault in the rows, or in the tables that parser and printer make of them; NULL: nothing. */
const char *valhall_table_fault(void);
/* Note the first of such faults. */
void valhall_blame(char fault[VALHALL_FAULT_TEXT], const char *name, const char *what);
/* A message that says so: WEFT_OK without a fault. */
weft_status valhall_refuse_table(const char *fault, weft_diags *diags);

/* The row that the opcodes of a word name, whatever its other bits are; NULL: none. */
static inline const struct valhall_row *valhall_row_by_opcode(const struct valhall_table *t, uint64_t word)
{
    const struct valhall_primary *p = &t->primaries[valhall_get_field(word, VALHALL_FIELD_OPCODE)];
    unsigned second = (unsigned)(word >> p->shift) & p->mask;
    if (p->high && valhall_get_field(word, VALHALL_FIELD_LEFT))
        second += p->high;
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
/* The bits of a word that a fault is in, of the row that its opcodes name (NULL: none); width 0: no bits in particular.
 */
weft_bits valhall_fault_bits(const struct valhall_table *t, const struct valhall_row *row, enum valhall_fault fault,
                             uint64_t word);
/* All rules, of the row that the word's opcodes name. */
enum valhall_fault valhall_fault_of(const struct valhall_table *t, const struct valhall_row *row, uint64_t word);

/* Number of staging registers. */
static inline unsigned valhall_staging_count(const struct valhall_staging_rule *s, uint64_t word)
{
    return (unsigned)valhall_get_field(word, s->number) + s->least;
}

#endif
