/* alu_lanes.h - rows of the f32 operations of alu.h, compiled once per level of the host's instruction set. All give
 * the same bits. */
#ifndef WEFT_ISA_TESLA_ALU_LANES_H
#define WEFT_ISA_TESLA_ALU_LANES_H

#include "exec/exec.h"
#include "isa/tesla/alu.h"

struct tesla_float_lanes {
    tesla_lanes_fn *fadd, *fmul, *fmad, *fsat;
};

/* Of a level that is usable. */
const struct tesla_float_lanes *tesla_float_lanes(enum exec_level level);

#endif
