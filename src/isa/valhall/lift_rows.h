/* lift_rows.h - the lifts that the rows of the table name, and what they are told. Each is in the file of its subject:
 * lift_float.c, lift_memory.c, ... */
#ifndef WEFT_ISA_VALHALL_LIFT_ROWS_H
#define WEFT_ISA_VALHALL_LIFT_ROWS_H

#include "isa/valhall/valhall.h"

/* What a lift of several rows is told: their ARG. */
enum valhall_lift_arg {
    VALHALL_FROM_SIGNED = 1, /* widen */
    /* compare: what is done with the third source */
    VALHALL_CHAIN_OR = 0, VALHALL_CHAIN_AND, VALHALL_CHAIN_MULTI,
    /* shift: 4 to the left, and the logic */
    VALHALL_RSHIFT_AND = 0, VALHALL_RSHIFT_OR, VALHALL_RSHIFT_XOR,
    VALHALL_LSHIFT_AND = 4, VALHALL_LSHIFT_OR, VALHALL_LSHIFT_XOR,
    /* fma_rscale: how it treats 0, or its last source */
    VALHALL_RSCALE_N = 1, VALHALL_RSCALE_LEFT, VALHALL_RSCALE_SCALE16,
    /* tex, var_tex_gradient: the second source is a byte offset, not a number; two lookups */
    VALHALL_AT_OFFSET = 1, VALHALL_DUAL = 2, VALHALL_DUAL_AT_OFFSET = 3,
    /* sfu: which function */
    VALHALL_SFU_SIN = 0, VALHALL_SFU_COS, VALHALL_SFU_SINCOS_OFFSET, VALHALL_SFU_LOGD, VALHALL_SFU_CLASS,
    VALHALL_SFU_LOG_TABLE, VALHALL_SFU_EXP_TABLE, VALHALL_SFU_RCP_APPROX, VALHALL_SFU_RSQ_APPROX
};

/* The lifts that rows name. */
#define TYPED(base, type, unit, opcode, second, form, provenance, lift, ...) valhall_lift_fn valhall_lift_##lift;
#define EACH(base, type, unit, opcode, second, form, provenance, element, ...)                                         \
    valhall_element_fn valhall_element_##element;
#define PLAIN TYPED
#include "isa/valhall/rows.inc"
#undef TYPED
#undef EACH
#undef PLAIN
valhall_lift_fn valhall_lift_each; /* lift_operand.c */

#endif
