/* lift.c - a whole Rogue program becomes lane IR. */
#include "isa/rogue/lift.h"

#include <stdarg.h>

<<<<<<< HEAD
#define SMALL(s, wide)                                                                                                  \
    [ROGUE_OP_##s##ADD##wide] = rogue_lift_small, [ROGUE_OP_##s##MUL##wide] = rogue_lift_small,                         \
                      [ROGUE_OP_##s##MAD##wide] = rogue_lift_small

rogue_lift_fn *const rogue_lifts[ROGUE_OPS] = {
    /* chapter 6 */
    [ROGUE_OP_FMAD] = rogue_lift_fmad, [ROGUE_OP_FADD] = rogue_lift_fadd, [ROGUE_OP_FADD_LP] = rogue_lift_fadd,
    [ROGUE_OP_FMUL] = rogue_lift_fmul, [ROGUE_OP_FMUL_LP] = rogue_lift_fmul, [ROGUE_OP_FADD_P2] = rogue_lift_phase2_float,
    [ROGUE_OP_FMUL_P2] = rogue_lift_phase2_float, [ROGUE_OP_FRCP] = rogue_lift_complex, [ROGUE_OP_FRSQ] = rogue_lift_complex,
    [ROGUE_OP_FSQRT] = rogue_lift_complex, [ROGUE_OP_FLOG] = rogue_lift_complex, [ROGUE_OP_FLOGCN] = rogue_lift_complex,
    [ROGUE_OP_FEXP] = rogue_lift_complex, [ROGUE_OP_GCMP] = rogue_lift_complex, [ROGUE_OP_GEXP] = rogue_lift_complex,
    [ROGUE_OP_FARCTANC] = rogue_lift_complex, [ROGUE_OP_MBYP] = rogue_lift_mbyp, [ROGUE_OP_FDSX] = rogue_lift_gradient,
    [ROGUE_OP_FDSY] = rogue_lift_gradient, [ROGUE_OP_FDSXF] = rogue_lift_gradient, [ROGUE_OP_FDSYF] = rogue_lift_gradient,
    [ROGUE_OP_CONVERTTOF64] = rogue_lift_to_f64, [ROGUE_OP_CONVERTFROMF64] = rogue_lift_from_f64,
    [ROGUE_OP_FSINC] = rogue_lift_sinc, [ROGUE_OP_FRED_SIN] = rogue_lift_fred, [ROGUE_OP_FRED_COS] = rogue_lift_fred,
    /* chapter 7 */
    [ROGUE_OP_MOV] = rogue_lift_mov, [ROGUE_OP_MOVC] = rogue_lift_mov, [ROGUE_OP_PCK] = rogue_lift_pck,
    [ROGUE_OP_UNPCK] = rogue_lift_unpck,
    /* chapter 8 */
    SMALL(U, 8), SMALL(I, 8), SMALL(U, 16), SMALL(I, 16), [ROGUE_OP_ADD64] = rogue_lift_add64,
    [ROGUE_OP_ADD64_S] = rogue_lift_add64, [ROGUE_OP_UADD6432] = rogue_lift_add6432,
    [ROGUE_OP_SADD6432] = rogue_lift_add6432, [ROGUE_OP_UMADD32] = rogue_lift_madd32,
    [ROGUE_OP_SMADD32] = rogue_lift_madd32, [ROGUE_OP_UMADD64] = rogue_lift_madd64, [ROGUE_OP_SMADD64] = rogue_lift_madd64,
    /* chapter 9 */
    [ROGUE_OP_TSTZ] = rogue_lift_test, [ROGUE_OP_TSTGZ] = rogue_lift_test, [ROGUE_OP_TSTGEZ] = rogue_lift_test,
    [ROGUE_OP_TSTC] = rogue_lift_test, [ROGUE_OP_TSTE] = rogue_lift_test, [ROGUE_OP_TSTG] = rogue_lift_test,
    [ROGUE_OP_TSTGE] = rogue_lift_test, [ROGUE_OP_TSTNE] = rogue_lift_test, [ROGUE_OP_TSTL] = rogue_lift_test,
    [ROGUE_OP_TSTLE] = rogue_lift_test, [ROGUE_OP_TSTMIN] = rogue_lift_test, [ROGUE_OP_TSTMAX] = rogue_lift_test,
    /* chapter 10 */
    [ROGUE_OP_BYP_BITMASK] = rogue_lift_bitmask, [ROGUE_OP_BYP_IMM] = rogue_lift_bitmask, [ROGUE_OP_MSK] = rogue_lift_bitmask, [ROGUE_OP_BYP_SHIFT1] = rogue_lift_shift1,
    [ROGUE_OP_SHFL] = rogue_lift_shift1, [ROGUE_OP_REV] = rogue_lift_shift1, [ROGUE_OP_LSL_SHIFT1] = rogue_lift_shift1,
    [ROGUE_OP_CBS] = rogue_lift_count, [ROGUE_OP_BYP_COUNT] = rogue_lift_count, [ROGUE_OP_FTB] = rogue_lift_count,
    [ROGUE_OP_FTB_SHI] = rogue_lift_count, [ROGUE_OP_FTB_MSB] = rogue_lift_count, [ROGUE_OP_OR] = rogue_lift_logical,
    [ROGUE_OP_AND] = rogue_lift_logical, [ROGUE_OP_XOR] = rogue_lift_logical, [ROGUE_OP_NOR] = rogue_lift_logical,
    [ROGUE_OP_NAND] = rogue_lift_logical, [ROGUE_OP_XNOR] = rogue_lift_logical, [ROGUE_OP_BYP_LOGICAL] = rogue_lift_logical,
    [ROGUE_OP_LSL] = rogue_lift_shift2, [ROGUE_OP_SHR] = rogue_lift_shift2, [ROGUE_OP_ROL] = rogue_lift_shift2,
    [ROGUE_OP_CPS] = rogue_lift_shift2, [ROGUE_OP_ASR_TWB] = rogue_lift_shift2, [ROGUE_OP_ASR_PWB] = rogue_lift_shift2,
    [ROGUE_OP_ASR_MTB] = rogue_lift_shift2, [ROGUE_OP_ASR_FTB] = rogue_lift_shift2, [ROGUE_OP_TZ] = rogue_lift_bit_test,
    [ROGUE_OP_TNZ] = rogue_lift_bit_test,
    /* chapters 12 and 13 */
    [ROGUE_OP_BA] = rogue_lift_flow, [ROGUE_OP_BAL] = rogue_lift_flow, [ROGUE_OP_BR] = rogue_lift_flow,
    [ROGUE_OP_BRL] = rogue_lift_flow, [ROGUE_OP_LAPC] = rogue_lift_flow, [ROGUE_OP_SAVL] = rogue_lift_savl,
    [ROGUE_OP_SETL] = rogue_lift_setl, [ROGUE_OP_CNDST] = rogue_lift_conditional, [ROGUE_OP_CNDEF] = rogue_lift_conditional,
    [ROGUE_OP_CNDSM] = rogue_lift_conditional, [ROGUE_OP_CNDLT] = rogue_lift_conditional,
    [ROGUE_OP_CNDEND] = rogue_lift_conditional, [ROGUE_OP_CNDSETL_A] = rogue_lift_nothing,
    [ROGUE_OP_CNDSETL_B] = rogue_lift_cndsetl, [ROGUE_OP_CNDLPC] = rogue_lift_conditional, [ROGUE_OP_NOP] = rogue_lift_nothing,
    [ROGUE_OP_WOP] = rogue_lift_nothing,
    /* chapters 11 and 14 */
    [ROGUE_OP_UVSW_WRITE] = rogue_lift_uvsw_write, [ROGUE_OP_UVSW_WRITE_REG] = rogue_lift_uvsw_write,
    [ROGUE_OP_UVSW_WRITE_EMIT_ENDTASK] = rogue_lift_uvsw_write, [ROGUE_OP_UVSW_WRITE_EMIT_ENDTASK_REG] = rogue_lift_uvsw_write,
    [ROGUE_OP_UVSW_EMIT] = rogue_lift_uvsw, [ROGUE_OP_UVSW_EMIT_IMM] = rogue_lift_uvsw, [ROGUE_OP_UVSW_CUT] = rogue_lift_uvsw,
    [ROGUE_OP_UVSW_CUT_IMM] = rogue_lift_uvsw, [ROGUE_OP_UVSW_EMIT_CUT] = rogue_lift_uvsw,
    [ROGUE_OP_UVSW_EMIT_CUT_IMM] = rogue_lift_uvsw, [ROGUE_OP_UVSW_ENDTASK] = rogue_lift_uvsw,
    [ROGUE_OP_UVSW_EMIT_ENDTASK] = rogue_lift_uvsw, [ROGUE_OP_TESSW] = rogue_lift_tessw, [ROGUE_OP_ATST] = rogue_lift_atst, [ROGUE_OP_DEPTHF] = rogue_lift_depthf,
    [ROGUE_OP_FITR] = rogue_lift_fitr, [ROGUE_OP_FITRP] = rogue_lift_fitr, [ROGUE_OP_DITR] = rogue_lift_ditr,
    [ROGUE_OP_DITRP] = rogue_lift_ditr, [ROGUE_OP_DITRP_WRITE] = rogue_lift_ditr, [ROGUE_OP_DITRP_READ] = rogue_lift_ditr,
    [ROGUE_OP_LD] = rogue_lift_ld, [ROGUE_OP_LD_REG] = rogue_lift_ld, [ROGUE_OP_ST] = rogue_lift_st,
    [ROGUE_OP_ST_REG] = rogue_lift_st, [ROGUE_OP_ST_TILED] = rogue_lift_st, [ROGUE_OP_ST_TILED_REG] = rogue_lift_st,
    [ROGUE_OP_ST_TEXELMODE] = rogue_lift_st_texelmode, [ROGUE_OP_GTA] = rogue_lift_gta, [ROGUE_OP_ATOM] = rogue_lift_atomic,
    [ROGUE_OP_SMP1D] = rogue_lift_smp, [ROGUE_OP_SMP2D] = rogue_lift_smp, [ROGUE_OP_SMP3D] = rogue_lift_smp,
    [ROGUE_OP_SMP1D_WRT] = rogue_lift_smp_wrt, [ROGUE_OP_SMP2D_WRT] = rogue_lift_smp_wrt, [ROGUE_OP_SMP3D_WRT] = rogue_lift_smp_wrt,
    [ROGUE_OP_ITRSMP1D] = rogue_lift_itrsmp, [ROGUE_OP_ITRSMP2D] = rogue_lift_itrsmp, [ROGUE_OP_ITRSMP3D] = rogue_lift_itrsmp,
    [ROGUE_OP_SBO] = rogue_lift_sbo,
    [ROGUE_OP_IDF] = rogue_lift_nothing, [ROGUE_OP_WDF] = rogue_lift_wdf, [ROGUE_OP_EMITPIX] = rogue_lift_nothing,
};
#undef SMALL

=======
>>>>>>> next
void rogue_refuse(struct rogue_lifter *l, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *text = arena_vprintf(l->arena, fmt, ap);
    va_end(ap);
    l->failed = true;
    if (l->src && l->m->where && l->m->where[l->at].length)
        diag_at(l->diags, WEFT_ERROR, "not-executed", l->src, l->m->where[l->at], NULL, "%s", text ? text : "out of memory");
    else
        diag_add(l->diags, WEFT_ERROR, "not-executed", NULL, NULL, "group %u: %s", l->at, text ? text : "out of memory");
}

static bool make_insns(struct rogue_lifter *l)
{
    struct ir_program *p = l->b.p;
    p->insns = ARENA_ARRAY(p->arena, struct ir_insn, l->m->ngroups + 1);
    l->block = ARENA_ARRAY(l->arena, uint32_t, l->m->ngroups + 1);
    if (!p->insns || !l->block)
        return false;
    p->ninsns = l->m->ngroups;
    for (uint32_t i = 0; i < l->m->ngroups; i++) {
        const struct rogue_group *g = &l->m->groups[i];
        uint32_t row = 0;
        for (unsigned slot = ROGUE_SLOTS; slot-- > 0;)
            row = g->insn[slot].row ? g->insn[slot].row->op : row;
        p->insns[i] = (struct ir_insn){l->m->base + g->offset, 0, row};
        l->block[i] = 0;
    }
    return true;
}

static void lift_program(struct rogue_lifter *l)
{
    if (!make_insns(l))
        return;
    if (l->m->ngroups == 0) {
        diag_add(l->diags, WEFT_ERROR, "not-executed", NULL, NULL, "a program without groups");
        l->failed = true;
        return;
    }
    l->b.block = IR_ENTRY;
    rogue_apply_bases(l);
    rogue_note_registers(l);
    rogue_declare_io(l);
    rogue_make_files(l);
    if (!l->failed && !arena_failed(l->arena) && rogue_flow_prepare(l))
        rogue_flow_run(l);
}

weft_status rogue_lift(const struct isa_module *m, const struct source *src, struct arena *arena, struct ir_program **out,
                       weft_diags *diags)
{
    *out = NULL;
    struct rogue_lifter *l = ARENA_NEW(arena, struct rogue_lifter);
    if (!l)
        return WEFT_ERROR_MEMORY;
    *l = (struct rogue_lifter){.m = m, .src = src, .diags = diags, .arena = arena};
    if (m->stage < 0) {
        diag_add(diags, WEFT_ERROR, "no-stage", NULL, "give -s vertex, tess_control, tess_evaluation, geometry, fragment or compute",
                 "a Rogue program does not say which stage it is for");
        return WEFT_ERROR_USAGE;
    }
    l->stage = (enum ir_stage)m->stage;
    weft_status status = rogue_read_linkage(m->linkage, l->stage, arena, &l->link, diags);
    if (status != WEFT_OK)
        return status;
    l->b.p = ir_program_new(arena, "rogue", l->stage, ROGUE_INSTANCES);
    if (l->b.p)
        lift_program(l);
    if (!l->b.p || arena_failed(arena))
        return WEFT_ERROR_MEMORY;
    if (l->failed)
        return WEFT_ERROR_UNSUPPORTED;
    *out = l->b.p;
    return WEFT_OK;
}
