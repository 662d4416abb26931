/* lift_rows.h - the lifts that the rows of the table name. Each is in the file of its subject: lift_float.c,
 * lift_memory.c, ... */
#ifndef WEFT_ISA_VALHALL_LIFT_ROWS_H
#define WEFT_ISA_VALHALL_LIFT_ROWS_H

#include "isa/valhall/valhall.h"

/* What a lift of several rows is told: their ARG. */
enum valhall_lift_arg {
    VALHALL_FROM_SIGNED = 1, /* widen */
    /* icmp, fcmp: what is done with the third source */
    VALHALL_CHAIN_OR = 0, VALHALL_CHAIN_AND, VALHALL_CHAIN_MULTI,
    /* shift: 4 to the left, and the logic */
    VALHALL_RSHIFT_AND = 0, VALHALL_RSHIFT_OR, VALHALL_RSHIFT_XOR,
    VALHALL_LSHIFT_AND = 4, VALHALL_LSHIFT_OR, VALHALL_LSHIFT_XOR,
    /* fma_rscale: how it treats 0, or its last source */
    VALHALL_RSCALE_N = 1, VALHALL_RSCALE_LEFT, VALHALL_RSCALE_SCALE16,
    /* var_tex_*: the second source is a byte offset, not a number */
    VALHALL_AT_OFFSET = 1,
    /* sfu: which function */
    VALHALL_SFU_SIN = 0, VALHALL_SFU_COS, VALHALL_SFU_SINCOS_OFFSET, VALHALL_SFU_LOGD, VALHALL_SFU_CLASS,
    VALHALL_SFU_LOG_TABLE, VALHALL_SFU_EXP_TABLE, VALHALL_SFU_RCP_APPROX, VALHALL_SFU_RSQ_APPROX
};

extern valhall_lift_fn valhall_lift_atest, valhall_lift_atom, valhall_lift_atom_1, valhall_lift_barrier,
    valhall_lift_bitrev, valhall_lift_blend, valhall_lift_branchz, valhall_lift_branchzi, valhall_lift_clper,
    valhall_lift_clz, valhall_lift_csel, valhall_lift_cube_ssel, valhall_lift_cube_tsel, valhall_lift_cubeface1,
    valhall_lift_cubeface2, valhall_lift_discard, valhall_lift_f16_to_f32, valhall_lift_fadd, valhall_lift_fadd_imm,
    valhall_lift_fadd_lscale, valhall_lift_fatan, valhall_lift_fcmp, valhall_lift_fexp, valhall_lift_fma,
    valhall_lift_fma_rscale, valhall_lift_fmax, valhall_lift_fmin, valhall_lift_fpclass16, valhall_lift_frcp,
    valhall_lift_frexpe, valhall_lift_frexpm, valhall_lift_fround, valhall_lift_frsq, valhall_lift_hadd,
    valhall_lift_iabs, valhall_lift_iadd, valhall_lift_iadd_imm, valhall_lift_icmp, valhall_lift_idp,
    valhall_lift_imul, valhall_lift_imuld, valhall_lift_isub, valhall_lift_ld_attr, valhall_lift_ld_buffer,
    valhall_lift_ld_tex, valhall_lift_ld_tile, valhall_lift_ld_var, valhall_lift_ld_var_buf,
    valhall_lift_ld_var_flat, valhall_lift_ld_var_special, valhall_lift_ldexp, valhall_lift_lea_attr,
    valhall_lift_lea_buf, valhall_lift_lea_tex, valhall_lift_load, valhall_lift_mkvec16, valhall_lift_mkvec8,
    valhall_lift_mov, valhall_lift_mux, valhall_lift_nop, valhall_lift_not, valhall_lift_popcount,
    valhall_lift_seg_add, valhall_lift_sfu, valhall_lift_shaddx, valhall_lift_shift, valhall_lift_st_cvt,
    valhall_lift_st_tile, valhall_lift_store, valhall_lift_tex_dual, valhall_lift_tex_fetch,
    valhall_lift_tex_gather, valhall_lift_tex_single, valhall_lift_to_halves, valhall_lift_to_integer,
    valhall_lift_var_tex_dual, valhall_lift_var_tex_gather, valhall_lift_var_tex_gradient,
    valhall_lift_var_tex_single, valhall_lift_widen, valhall_lift_wmask, valhall_lift_zs_emit;

#endif
