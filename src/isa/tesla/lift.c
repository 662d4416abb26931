/* lift.c - a whole Tesla program becomes lane IR. */
#include "isa/tesla/lift.h"

#include <stdarg.h>
#include <string.h>

tesla_lift_fn *const tesla_lifts[TESLA_MEANINGS] = {
    [TESLA_M_MOV] = tesla_lift_mov, [TESLA_M_MOV_FROM_C] = tesla_lift_mov_from_c,
    [TESLA_M_MOV_FROM_A] = tesla_lift_mov_from_a, [TESLA_M_MOV_FROM_SREG] = tesla_lift_mov_from_sreg,
    [TESLA_M_MOV_TO_C] = tesla_lift_mov_to_c, [TESLA_M_SHL_TO_A] = tesla_lift_shl_to_a, [TESLA_M_ADD_A] = tesla_lift_add_a,
    [TESLA_M_ADD] = tesla_lift_add, [TESLA_M_MUL] = tesla_lift_mul, [TESLA_M_MUL_ADD] = tesla_lift_mul_add,
    [TESLA_M_SAD] = tesla_lift_sad, [TESLA_M_MIN] = tesla_lift_min_max, [TESLA_M_MAX] = tesla_lift_min_max,
    [TESLA_M_SET] = tesla_lift_set, [TESLA_M_LOGIC] = tesla_lift_logic, [TESLA_M_SHL] = tesla_lift_shift,
    [TESLA_M_SHR] = tesla_lift_shift, [TESLA_M_LOAD] = tesla_lift_load, [TESLA_M_LOAD_LOCK] = tesla_lift_load_lock,
    [TESLA_M_STORE] = tesla_lift_store, [TESLA_M_STORE_UNLOCK] = tesla_lift_store_unlock,
    [TESLA_M_REDUCE] = tesla_lift_atomic, [TESLA_M_ATOMIC] = tesla_lift_atomic, [TESLA_M_VOTE] = tesla_lift_vote,
    [TESLA_M_INTERP] = tesla_lift_interp, [TESLA_M_SFU] = tesla_lift_sfu, [TESLA_M_PRE] = tesla_lift_pre,
    [TESLA_M_CVT] = tesla_lift_cvt, [TESLA_M_FADD] = tesla_lift_fadd, [TESLA_M_FMUL] = tesla_lift_fmul,
    [TESLA_M_FMUL_FADD] = tesla_lift_fmul_fadd, [TESLA_M_FMA] = tesla_lift_fma, [TESLA_M_SLCT] = tesla_lift_slct,
    [TESLA_M_QUADOP] = tesla_lift_quadop, [TESLA_M_TEX] = tesla_lift_tex, [TESLA_M_EMIT] = tesla_lift_emit,
    [TESLA_M_RESTART] = tesla_lift_emit, [TESLA_M_NOP] = tesla_lift_nop, [TESLA_M_PMEVENT] = tesla_lift_nop,
    [TESLA_M_BRKPT] = tesla_lift_nop, [TESLA_M_DISCARD] = tesla_lift_discard, [TESLA_M_BRA] = tesla_lift_flow,
    [TESLA_M_BRA_C] = tesla_lift_flow, [TESLA_M_CALL] = tesla_lift_flow, [TESLA_M_RET] = tesla_lift_flow,
    [TESLA_M_BREAKADDR] = tesla_lift_flow, [TESLA_M_BREAK] = tesla_lift_flow, [TESLA_M_QUADON] = tesla_lift_flow,
    [TESLA_M_QUADPOP] = tesla_lift_flow, [TESLA_M_BAR] = tesla_lift_flow, [TESLA_M_TRAP] = tesla_lift_flow,
    [TESLA_M_JOINAT] = tesla_lift_flow, [TESLA_M_PRERET] = tesla_lift_flow,
};

void tesla_refuse(struct tesla_lifter *l, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *text = arena_vprintf(l->arena, fmt, ap);
    va_end(ap);
    l->failed = true;
    if (l->src && l->insn && l->insn->where.length)
        diag_at(l->diags, WEFT_ERROR, "not-executed", l->src, l->insn->where, NULL, "%s", text ? text : "out of memory");
    else
        diag_at_address(l->diags, WEFT_ERROR, "not-executed", l->m->name, l->insn ? l->insn->address : 0, NULL, "%s",
                        text ? text : "out of memory");
}

/* Control bit 19 works on G200 and later, but for two of the integrated chips; on G200 itself only where an operand was NaN. */
static uint64_t chip_rules(const struct tesla_lifter *l)
{
    const char *chip = l->m->target.chip;
    bool g200 = chip && strcmp(chip, "g200") == 0;
    bool integrated = chip && (strcmp(chip, "mcp77") == 0 || strcmp(chip, "mcp79") == 0);
    uint64_t how = l->link.control & 2 ? HOW_ZERO_WINS : 0;
    if ((l->link.control & 0x80000) && (l->m->target.features & TESLA_SM12) && !integrated)
        how |= HOW_SAT_NAN | (g200 ? HOW_SAT_NAN_INPUT : 0);
    return how;
}

static bool make_insns(struct tesla_lifter *l)
{
    struct ir_program *p = l->b.p;
    p->insns = ARENA_ARRAY(p->arena, struct ir_insn, l->m->ninsns + 1);
    if (!p->insns)
        return false;
    p->ninsns = l->m->ninsns;
    for (uint32_t i = 0; i < l->m->ninsns; i++) {
        const struct tesla_insn *insn = &l->m->insns[i];
        p->insns[i] = (struct ir_insn){insn->address, insn->line, insn->row ? (uint32_t)(insn->row - tesla_rows) : 0};
    }
    return true;
}

static void make_files(struct tesla_lifter *l)
{
    uint32_t registers = l->link.registers ? l->link.registers : 1;
    l->file_r = ir_add_file(l->b.p, (struct ir_file){.name = "r", .bits = 32, .count = registers});
    l->file_a = ir_add_file(l->b.p, (struct ir_file){.name = "a", .bits = 32, .count = 5});
    l->file_warp_a = TESLA_NONE;
    l->file_c = ir_add_file(l->b.p, (struct ir_file){.name = "c", .bits = 1, .count = 16});
    for (unsigned i = 0; i < TESLA_IR_SPACES; i++)
        l->space[i] = TESLA_NONE;
}

static void lift_program(struct tesla_lifter *l)
{
    if (!make_insns(l))
        return;
    make_files(l);
    l->fault = ARENA_ARRAY(l->arena, const char *, l->m->ninsns + 1);
    if (!l->fault || !tesla_find_reach(l->m, false, l->arena, &l->reach))
        return;
    tesla_declare_io(l);
    if (arena_failed(l->arena) || !tesla_flow_prepare(l))
        return;
    l->b.block = IR_ENTRY;
    tesla_flow_run(l);
    if (!l->failed && !arena_failed(l->arena))
        l->b.p->lanes = tesla_lanes(l);
}

weft_status tesla_lift(const struct isa_module *m, const struct source *src, struct arena *arena, struct ir_program **out,
                       weft_diags *diags)
{
    *out = NULL;
    struct tesla_lifter *l = ARENA_NEW(arena, struct tesla_lifter);
    if (!l)
        return WEFT_ERROR_MEMORY;
    *l = (struct tesla_lifter){.m = m, .src = src, .diags = diags, .arena = arena};
    int stage = isa_tesla.stage(m);
    if (stage < 0) {
        diag_add(diags, WEFT_ERROR, "no-stage", m->name, "give -s vertex, geometry, fragment or compute",
                 "a Tesla program does not say which stage it is for");
        return WEFT_ERROR_USAGE;
    }
    l->stage = (enum ir_stage)stage;
    weft_status status = tesla_read_linkage(m->linkage, l->stage, arena, &l->link, diags);
    if (status != WEFT_OK)
        return status;
    l->how = chip_rules(l);
    l->derivative_infinite = l->link.control & 1;
    l->b.p = ir_program_new(arena, "tesla", l->stage, TESLA_LANES);
    if (l->b.p)
        lift_program(l);
    if (!l->b.p || arena_failed(arena))
        return WEFT_ERROR_MEMORY;
    if (l->failed)
        return WEFT_ERROR_UNSUPPORTED;
    *out = l->b.p;
    return WEFT_OK;
}
