/* lift.c - a whole Tesla program becomes lane IR. */
#include "isa/tesla/lift.h"
#include "isa/tesla/table.h"

const struct tesla_meaning_info tesla_meanings[TESLA_MEANINGS] = {
#define MEANING(name, lift, flow, properties, effects, what) {tesla_lift_##lift, WEFT_FLOW_##flow, properties, effects},
#include "isa/tesla/meanings.inc"
#undef MEANING
};

static uint64_t chip_rules(const struct tesla_lifter *l)
{
    uint8_t features = l->m->target.features;
    uint64_t how = l->link.control & 2 ? TESLA_HOW_ZERO_WINS : 0;
    if ((l->link.control & 0x80000) && (features & TESLA_NAN_CONTROL))
        how |= TESLA_HOW_SAT_NAN | (features & TESLA_NAN_OPERAND ? TESLA_HOW_SAT_NAN_INPUT : 0);
    return how;
}

static void make_files(struct tesla_lifter *l)
{
    uint32_t registers = l->link.registers ? l->link.registers : 1;
    l->file_r = ir_add_file(l->b.p, (struct ir_file){.name = "r", .bits = 32, .count = registers});
    l->file_a = ir_add_file(l->b.p, (struct ir_file){.name = "a", .bits = 32, .count = 5});
    l->file_warp_a = LIFT_NONE;
    l->file_c = ir_add_file(l->b.p, (struct ir_file){.name = "c", .bits = 1, .count = 16});
    for (unsigned i = 0; i < TESLA_IR_SPACES; i++)
        l->space[i] = LIFT_NONE;
}

static struct tesla_lifter *lifter_of(const struct lift *l)
{
    return (struct tesla_lifter *)l;
}

static struct lift_insn insn_at(const struct lift *l, uint32_t number)
{
    const struct tesla_insn *insn = &l->m->insns[number];
    return (struct lift_insn){insn->where.length ? &insn->where : NULL, insn->address,
                              insn->row ? tesla_row_number(insn->row) : 0};
}

static weft_status read_linkage(struct lift *base)
{
    struct tesla_lifter *l = lifter_of(base);
    weft_status status = tesla_read_linkage(l->m->linkage, l->stage, l->arena, &l->link, l->diags);
    if (status == WEFT_OK)
        l->how = chip_rules(l);
    l->derivative_infinite = l->link.control & 1;
    return status;
}

static void lift_program(struct lift *base)
{
    struct tesla_lifter *l = lifter_of(base);
    make_files(l);
    if (!tesla_find_reach(l->m, false, l->arena, &l->reach))
        return;
    tesla_declare_io(l);
    if (arena_failed(l->arena))
        return;
    tesla_flow_prepare(l);
    tesla_flow_run(l);
    if (!l->failed && !arena_failed(l->arena))
        l->b.p->lanes = tesla_lanes(l);
}

static const struct lift_set set = {.name = "tesla",
                                    .title = "Tesla",
                                    .stages = 1u << IR_VERTEX | 1u << IR_GEOMETRY | 1u << IR_FRAGMENT |
                                              1u << IR_COMPUTE,
                                    .lanes = TESLA_LANES,
                                    .insn = insn_at,
                                    .linkage = read_linkage,
                                    .program = lift_program,
                                    .policy = &tesla_policy};

weft_status tesla_lift(const struct isa_module *m, const struct source *src, struct arena *arena,
                       struct ir_program **out, weft_diags *diags)
{
    *out = NULL;
    struct tesla_lifter *l = ARENA_NEW(arena, struct tesla_lifter);
    if (!l)
        return WEFT_ERROR_MEMORY;
    *l = (struct tesla_lifter){
        .lift = {
            .set = &set, .m = m, .src = src, .name = m->name, .diags = diags, .arena = arena, .ninsns = m->ninsns}};
    return lift_run(&l->lift, tesla_ir_stage(m->target.stage), out);
}
