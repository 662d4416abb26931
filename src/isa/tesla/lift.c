/* lift.c - a whole Tesla program becomes lane IR. */
#include "isa/tesla/lift.h"

#include <stdarg.h>
#include <string.h>

const struct tesla_meaning_info tesla_meanings[TESLA_MEANINGS] = {
#define MEANING(name, lift, flow, properties, effects, what) {tesla_lift_##lift, WEFT_FLOW_##flow, properties, effects},
#include "isa/tesla/meanings.inc"
#undef MEANING
};

void tesla_refuse(struct tesla_lifter *l, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *text = arena_vprintf(l->arena, fmt, ap);
    va_end(ap);
    l->failed = true;
    if (l->src && l->insn && l->insn->where.length)
        diag_at(l->diags, WEFT_ERROR, "not-executed", l->src, l->insn->where, NULL, "%s",
                text ? text : "out of memory");
    else
        diag_at_address(l->diags, WEFT_ERROR, "not-executed", l->m->name, l->insn ? l->insn->address : 0, NULL, "%s",
                        text ? text : "out of memory");
}

static uint64_t chip_rules(const struct tesla_lifter *l)
{
    uint8_t features = l->m->target.features;
    uint64_t how = l->link.control & 2 ? TESLA_HOW_ZERO_WINS : 0;
    if ((l->link.control & 0x80000) && (features & TESLA_NAN_CONTROL))
        how |= TESLA_HOW_SAT_NAN | (features & TESLA_NAN_OPERAND ? TESLA_HOW_SAT_NAN_INPUT : 0);
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

weft_status tesla_lift(const struct isa_module *m, const struct source *src, struct arena *arena,
                       struct ir_program **out, weft_diags *diags)
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
