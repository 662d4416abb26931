/* names.h - names of operands in text: what printer and parser share. */
#ifndef WEFT_ISA_TESLA_NAMES_H
#define WEFT_ISA_TESLA_NAMES_H

#include "isa/tesla/tesla.h"

/* Predicates by code; NULL: undefined. "never" has no $c, and always is not written at all. */
extern const char *const tesla_predicates[32];
/* Special registers; the others are $srN. $sampleid is one of the chips with TESLA_D3D10_1 alone. */
enum { TESLA_SAMPLEID = 8 };
extern const char *const tesla_special_registers[16];
/* Registers that have numbers: $r0, $r0l, $a1. */
struct tesla_register {
    uint8_t kind; /* enum tesla_operand_kind */
    bool high;
    char letter, suffix; /* 0: none */
    uint16_t count;
    const char *hint; /* about those that there are not */
};
enum { TESLA_REGISTERS = 9 };
extern const struct tesla_register tesla_registers[TESLA_REGISTERS];
/* One letter each: a p v o s l c g. */
extern const char tesla_space_letters[TESLA_SPACES + 1];

#endif
