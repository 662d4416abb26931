/* op.h - the opcodes by name: TGSI_OP_ADD is the index of ADD's row in tgsi_rows. */
#ifndef WEFT_ISA_TGSI_OP_H
#define WEFT_ISA_TGSI_OP_H

enum tgsi_op {
#define ROW(name, ...) TGSI_OP_##name,
#define MAP ROW
#include "isa/tgsi/rows.inc"
#undef MAP
#undef ROW
    TGSI_OPS
};

#endif
