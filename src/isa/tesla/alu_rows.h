/* alu_rows.h - rows of the f32 operations of alu.h, compiled once per level of the host's instruction set. All give the same bits. */
#ifndef WEFT_ISA_TESLA_ALU_ROWS_H
#define WEFT_ISA_TESLA_ALU_ROWS_H

#include "exec/exec.h"
#include "isa/tesla/alu.h"

struct tesla_float_rows {
    tesla_lanes_fn *fadd, *fmul, *fmad, *fsat;
};

/* Of a level that is usable. */
const struct tesla_float_rows *tesla_float_rows(enum exec_level level);

#endif
