/* lift.c - a whole Rogue program becomes lane IR. */
#include "isa/rogue/lift.h"

static struct rogue_lifter *lifter_of(struct lift *l)
{
    return (struct rogue_lifter *)l;
}

/* The row of a group is that of its first slot that has one. */
static struct lift_insn insn_at(const struct lift *l, uint32_t number)
{
    const struct rogue_group *g = &l->m->groups[number];
    uint32_t row = 0;
    for (unsigned slot = ROGUE_SLOTS; slot-- > 0;)
        row = g->insn[slot].row ? g->insn[slot].row->op : row;
    return (struct lift_insn){l->m->where ? &l->m->where[number] : NULL, l->m->base + g->offset, row};
}

static weft_status read_linkage(struct lift *l)
{
    return rogue_read_linkage(l->m->linkage, l->stage, l->arena, &lifter_of(l)->link, l->diags);
}

static void lift_program(struct lift *base)
{
    struct rogue_lifter *l = lifter_of(base);
    if (l->m->ngroups == 0) {
        diag_add(l->diags, WEFT_ERROR, "not-executed", NULL, NULL, "a program without groups");
        l->failed = true;
        return;
    }
    bool anywhere;
    l->reach = rogue_find_reach(l->m, l->arena, &anywhere);
    for (uint32_t i = 0; l->reach && (anywhere || l->link.nbreakpoints) && i < l->m->ngroups; i++)
        l->reach[i] = l->reach[i] ? l->reach[i] : ROGUE_REACH_MAYBE;
    if (!l->reach)
        return;
    rogue_apply_bases(l);
    rogue_note_registers(l);
    rogue_declare_io(l);
    rogue_make_files(l);
    if (!l->failed && !arena_failed(l->arena) && rogue_flow_prepare(l)) {
        rogue_flow_run(l);
        if (!l->failed && !arena_failed(l->arena))
            l->b.p->lanes = rogue_lanes(l);
    }
}

static const struct lift_set set = {.name = "rogue",
                                    .title = "Rogue",
                                    .noun = "group",
                                    .stages = (1u << IR_STAGES) - 1,
                                    .lanes = ROGUE_INSTANCES,
                                    .insn = insn_at,
                                    .linkage = read_linkage,
                                    .program = lift_program};

weft_status rogue_lift(const struct isa_module *m, const struct source *src, struct arena *arena,
                       struct ir_program **out, weft_diags *diags)
{
    *out = NULL;
    struct rogue_lifter *l = ARENA_NEW(arena, struct rogue_lifter);
    if (!l)
        return WEFT_ERROR_MEMORY;
    *l = (struct rogue_lifter){
        .lift = {
            .set = &set, .m = m, .src = src, .name = m->name, .diags = diags, .arena = arena, .ninsns = m->ngroups}};
    return lift_run(&l->lift, m->stage, out);
}
