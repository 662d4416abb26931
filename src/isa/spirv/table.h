/* table.h - the rows of SPIR-V: what the grammar of spirv-headers says of each instruction, and weft's own columns. */
#ifndef WEFT_ISA_SPIRV_TABLE_H
#define WEFT_ISA_SPIRV_TABLE_H

#include <weft/insn.h>

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct spirv_lifter;

/* Lift the instruction at work, whose words are w: l->nw of them. */
typedef void spirv_lift_fn(struct spirv_lifter *l, const uint32_t *w);

/* What weft adds to a row of the grammar: rows.inc, declarations.inc. */
struct spirv_meaning {
    uint16_t opcode;
    uint16_t op;    /* an IR op, or another argument of the lift function */
    uint16_t attr;  /* its attributes; enum spirv_map_flag */
    spirv_lift_fn *lift; /* NULL: there is no meaning */
};

struct spirv_row {
    uint16_t opcode;
    const char *name, *group;
    const char *form;         /* a letter for each operand: rows.py */
    const char *operands;     /* their names */
    const char *capabilities; /* any of these is needed; "": none */
    const char *version;      /* of SPIR-V that has it */
};

/* Of an opcode; NULL: none. */
const struct spirv_row *spirv_row_of(uint32_t opcode);
/* Of an instruction in a function, and outside functions; NULL: it is not executed there. */
const struct spirv_meaning *spirv_meaning_of(uint32_t opcode);
const struct spirv_meaning *spirv_declaration_of(const struct spirv_row *row);
/* Where control goes after it, and what it does beside its result: flow.inc. */
struct spirv_does {
    weft_flow flow;
    uint32_t effects; /* set of WEFT_EFFECT_... */
    uint8_t label, labels; /* words that name blocks: so many from word `label` on */
};
struct spirv_does spirv_does(const struct spirv_row *row);
/* Is the opcode of that group of the grammar? */
bool spirv_is_of(unsigned op, const char *group);
/* Has it pairs of a number, as wide as what it compares with, and a label? */
static inline bool spirv_has_cases(const struct spirv_row *row)
{
    return strchr(row->form, 'p') != NULL;
}
uint32_t spirv_row_number(const struct spirv_row *row);
/* Rows in the order of their opcodes. */
extern const struct spirv_row spirv_rows[];
extern const uint32_t spirv_row_count;

/* An enumeration's value: its name, NULL: it has none (bits: one bit). `form` (may be NULL) becomes the form of what
 * follows. Kinds have the numbers of the forms. */
const char *spirv_enumerant(unsigned kind, uint32_t value, const char **form);
/* The same by the name of the kind ("Decoration"). */
const char *spirv_enumerant_of(const char *kind, uint32_t value);
const char *spirv_kind_name(unsigned kind);
bool spirv_kind_is_bits(unsigned kind);
/* Its values may be newer than the grammar (language.h). */
bool spirv_kind_is_open(unsigned kind);
/* The value of a name; false: none. */
bool spirv_enumerant_value(unsigned kind, const char *name, uint32_t length, uint32_t *value);
/* An instruction of GLSL.std.450; NULL: none. */
const char *spirv_ext_name(uint32_t number);

/* Walk over the operands: visit gets each one's letter, kind (of '@') and where it is: words at .. at + count - 1.
 * NULL, or what is wrong with the words: SPIRV_UNKNOWN_VALUE if the last '@' visited has a value or a bit that the
 * grammar lacks. */
extern const char SPIRV_UNKNOWN_VALUE[];
typedef void spirv_visit(void *context, char letter, unsigned kind, uint32_t at, uint32_t count);
const char *spirv_walk(const struct spirv_row *row, const uint32_t *w, unsigned n, spirv_visit *visit, void *context);

#endif
