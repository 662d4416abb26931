/* isa_row.h - what weft isa shows of one instruction: all rows of a mnemonic. */
#ifndef WEFT_CLI_ISA_ROW_H
#define WEFT_CLI_ISA_ROW_H

#include <weft/weft.h>

/* Show the rows whose numbers are given as one entry: what they do, a table of their forms, their bits, a legend. */
void isa_row_show(const weft_isa *isa, const size_t *rows, size_t count);

#endif
