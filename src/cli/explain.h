/* explain.h - what weft explain shows of one instruction. */
#ifndef WEFT_CLI_EXPLAIN_H
#define WEFT_CLI_EXPLAIN_H

#include <stdio.h>
#include <weft/weft.h>

/* The bits of a known instruction unit by unit, as manuals draw them, and a table of its fields. */
void explain_bits(FILE *out, const weft_decoder *decoder, const weft_insn *insn);

/* Its operands, what it does, where that is known from, and its meaning in words. */
void explain_meaning(FILE *out, const weft_decoder *decoder, const weft_insn *insn);

#endif
