/* short.h - long instructions that a short form could say. */
#ifndef WEFT_ISA_TESLA_SHORT_H
#define WEFT_ISA_TESLA_SHORT_H

#include "isa/tesla/table.h"

/* Note a row of a short instruction with a long one's mnemonic as its short form, if it has the same words and
 * operands. False: the long one has too many. */
bool tesla_add_short_form(struct tesla_tables *t, uint32_t row, uint32_t short_row);

/* Whether a long instruction's text would be read as a short one. */
bool tesla_reads_short(const struct tesla_tables *t, const struct tesla_row *row, uint64_t word, uint8_t stage);

#endif
