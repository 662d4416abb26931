/* lift.c - a whole Rogue program becomes lane IR. */
#include "isa/rogue/lift.h"

#include <stdarg.h>

void rogue_refuse(struct rogue_lifter *l, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *text = arena_vprintf(l->arena, fmt, ap);
    va_end(ap);
    l->failed = true;
    if (l->src && l->m->where && l->m->where[l->at].length)
        diag_at(l->diags, WEFT_ERROR, "not-executed", l->src, l->m->where[l->at], NULL, "%s",
                text ? text : "out of memory");
    else
        diag_at_address(l->diags, WEFT_ERROR, "not-executed", l->m->name,
                        l->m->base + (l->m->ngroups ? l->m->groups[l->at].offset : 0), NULL, "group %u: %s", l->at,
                        text ? text : "out of memory");
}

/* A place in the source, as far as it has been counted. */
struct place {
    uint32_t offset, line;
};

/* The line of group i; 0 of a program of bytes. */
static uint32_t line_of(const struct rogue_lifter *l, uint32_t i, struct place *p)
{
    if (!l->src || !l->m->where)
        return 0;
    if (p->line == 0 || l->m->where[i].offset < p->offset)
        *p = (struct place){0, 1};
    for (; p->offset < l->m->where[i].offset; p->offset++)
        p->line += l->src->text[p->offset] == '\n';
    return p->line;
}

static bool make_insns(struct rogue_lifter *l)
{
    struct place at = {0, 0};
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
        p->insns[i] = (struct ir_insn){l->m->base + g->offset, line_of(l, i, &at), row};
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
    bool anywhere;
    l->b.block = IR_ENTRY;
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

weft_status rogue_lift(const struct isa_module *m, const struct source *src, struct arena *arena,
                       struct ir_program **out, weft_diags *diags)
{
    *out = NULL;
    struct rogue_lifter *l = ARENA_NEW(arena, struct rogue_lifter);
    if (!l)
        return WEFT_ERROR_MEMORY;
    *l = (struct rogue_lifter){.m = m, .src = src, .diags = diags, .arena = arena};
    if (m->stage < 0) {
        diag_add(diags, WEFT_ERROR, "no-stage", NULL,
                 "give -s vertex, tess_control, tess_evaluation, geometry, fragment or compute",
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
