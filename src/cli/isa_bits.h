/* isa_bits.h - the forms of an instruction and their bits, for the reference. */
#ifndef WEFT_CLI_ISA_BITS_H
#define WEFT_CLI_ISA_BITS_H

#include <stdbool.h>
#include <weft/weft.h>

enum { FORM_BYTES = 256, FORM_PICTURE = 8 * FORM_BYTES + FORM_BYTES };

/* One form of a row: an example of it, and its fields. */
struct isa_form {
    const char *name;
    const char *chip; /* of the decoder that knows it; NULL: the newest, or none */
    weft_stage stage;
    uint8_t bytes[FORM_BYTES];
    weft_insn insn;
    weft_field fields[WEFT_INSN_FIELDS];
    size_t nfields;
};

/* Form `number` of a row, for the first chip and stage that have it. False: there is no such form. */
bool isa_form_get(const weft_isa *isa, uint32_t row, uint32_t number, struct isa_form *form);

/* The letter of a field that is free in a picture, by its index among those: "a", "b", ..., "A", ...; '?' beyond. */
char isa_form_letter(const struct isa_form *form, size_t field);

/* The bits, most significant first, a blank between units: digits that are fixed, letters of fields, x where nothing
 * depends on them. text has FORM_PICTURE bytes. */
void isa_form_picture(const struct isa_form *form, unsigned unit, char *text);

/* The field and the piece that bit `bit` is in; NULL: none. *low is the first bit of the piece, *width how many. */
const weft_field *isa_form_field_at(const struct isa_form *form, unsigned bit, unsigned *low, unsigned *width);

#endif
