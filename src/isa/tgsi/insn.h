/* insn.h - the answers about one instruction (weft/insn.h): what their parts share.
 *
 * An instruction is an item of the token stream. Declarations, immediates and properties are items too, and so are the
 * two tokens at address 0; they have rows of their own, after those of tgsi_rows. */
#ifndef WEFT_ISA_TGSI_INSN_H
#define WEFT_ISA_TGSI_INSN_H

#include "isa/insn.h"
#include "isa/tgsi/items.h"
#include "isa/tgsi/op.h"

enum {
    TGSI_ROW_DCL = TGSI_OPS,
    TGSI_ROW_IMM,
    TGSI_ROW_PROPERTY,
    TGSI_ROW_PROCESSOR, /* the two tokens at the start of a stream */
    TGSI_ROWS
};

/* What the reference says of the rows from TGSI_OPS on. */
extern const struct isa_row_info tgsi_item_rows[TGSI_ROWS - TGSI_OPS];

/* The processor that programs of the decoder's stage name; without a stage FRAG. */
uint8_t tgsi_processor_of(int stage);
/* Read a known instruction again, unless it is a TGSI_ROW_PROCESSOR. */
void tgsi_read_again(const struct isa_decoder *d, const struct weft_insn *insn, struct tgsi_any *any);

/* operands.c and fields.c: see struct isa_insn_ops. */
size_t tgsi_operands(const struct isa_decoder *d, const struct weft_insn *insn, struct weft_operand *operands);
size_t tgsi_fields(const struct isa_decoder *d, const struct weft_insn *insn, struct weft_field *fields);
/* forms.c */
size_t tgsi_form(const struct isa_decoder *d, uint32_t row, uint32_t form, uint8_t *bytes, const char **name);

extern const struct isa_insn_ops tgsi_insn_ops;

#endif
