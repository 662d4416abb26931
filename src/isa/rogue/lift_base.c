/* lift_base.c - SBO (chapter 14): what is added to the numbers of shared and coefficient registers. It is one for the
 * task and is known when the program is lifted, wherever every way to a group sets the same. */
#include "isa/rogue/lift.h"

enum { COEFF, SHARED, KINDS };

/* What all ways to a group have set: not reached, several, or an offset. */
enum { UNSEEN = -2, SEVERAL = -1 };
struct state {
    int16_t base[KINDS];
};

struct finder {
    const struct rogue_lifter *l;
    struct state *before;       /* by group */
    struct state any, returned; /* what is set before a group that is reached from anywhere, and after a call */
    uint32_t *waiting;          /* groups whose state has changed, each once */
    bool *waits;
    uint32_t nwaiting;
    bool anywhere;
};

static bool sets_base(const struct rogue_group *g)
{
    const struct rogue_insn *insn = rogue_control_of(g);
    return insn && rogue_has_field(insn, ROGUE_F_BASE_OFFSET);
}

/* True when there is something new in it. */
static bool add(struct state *to, const struct state *s)
{
    bool changed = false;
    for (unsigned k = 0; k < KINDS; k++) {
        int16_t was = to->base[k], now = was == UNSEEN || was == s->base[k] ? s->base[k] : SEVERAL;
        changed |= now != was;
        to->base[k] = now;
    }
    return changed;
}

static void merge(struct finder *f, uint32_t group, const struct state *s)
{
    if (group >= f->l->m->ngroups || !add(&f->before[group], s) || f->waits[group])
        return;
    f->waits[group] = true;
    f->waiting[f->nwaiting++] = group;
}

static bool is_bpret(uint64_t traits)
{
    return traits & ROGUE_COMPUTES && (traits >> ROGUE_FLOW_AT & 15) == WEFT_FLOW_RETURN;
}

/* Does the program make addresses itself? Then a group may be reached from any other. */
static bool goes_anywhere(const struct rogue_lifter *l)
{
    bool anywhere = false;
    for (uint32_t i = 0; i < l->m->ngroups; i++) {
        uint64_t traits = rogue_flow_traits(&l->m->groups[i]);
        anywhere |= traits & ROGUE_COMPUTES && !is_bpret(traits);
    }
    return anywhere;
}

static void merge_everywhere(struct finder *f, const struct state *s)
{
    if (add(&f->any, s))
        for (uint32_t i = 0; i < f->l->m->ngroups; i++)
            merge(f, i, s);
}

/* A return goes to after any call. */
static void merge_returns(struct finder *f, const struct state *s)
{
    const struct isa_module *m = f->l->m;
    bool changed = add(&f->returned, s);
    for (uint32_t i = 0; changed && i < m->ngroups; i++) {
        const struct rogue_insn *insn = rogue_control_of(&m->groups[i]);
        if (insn && rogue_flow_of(insn->row) == WEFT_FLOW_CALL)
            merge(f, i + 1, s);
    }
}

/* From a group with a breakpoint to the handler, and with BPRET back to where any breakpoint is. */
static void merge_breakpoints(struct finder *f, const struct rogue_group *g, const struct state *before,
                              const struct state *after)
{
    const struct rogue_lifter *l = f->l;
    for (uint32_t k = 0; k < l->link.nbreakpoints; k++) {
        const struct rogue_breakpoint *b = &l->link.breakpoints[k];
        if (b->at == g->offset)
            merge(f, rogue_group_at(l->m, b->handler), before);
        if (is_bpret(rogue_flow_traits(g)))
            merge(f, rogue_group_at(l->m, b->at), after);
    }
}

static void step(struct finder *f, uint32_t i)
{
    const struct rogue_group *g = &f->l->m->groups[i];
    const struct rogue_insn *insn = rogue_control_of(g);
    struct state s = f->before[i], before = s;
    if (sets_base(g))
        s.base[rogue_get(insn, ROGUE_F_TGT) ? SHARED : COEFF] = (int16_t)rogue_get(insn, ROGUE_F_BASE_OFFSET);
    weft_flow flow = insn ? rogue_flow_of(insn->row) : WEFT_FLOW_NEXT;
    if (f->anywhere && sets_base(g))
        merge_everywhere(f, &s);
    if (flow == WEFT_FLOW_RETURN && insn->row->traits & ROGUE_READS_LINK)
        merge_returns(f, &s);
    if (flow == WEFT_FLOW_BRANCH || flow == WEFT_FLOW_CALL)
        merge(f, rogue_target_of(f->l->m, g), &s);
    if (!g->end)
        merge(f, i + 1, &s);
    merge_breakpoints(f, g, &before, &s);
}

/* A group's state changes twice at most for each kind, and so do those of all groups together. */
static bool find_bases(struct rogue_lifter *l, struct state **out)
{
    static const struct state unseen = {{UNSEEN, UNSEEN}}, start = {{0, 0}};
    uint32_t count = l->m->ngroups;
    struct finder f = {.l = l,
                       .before = ARENA_ARRAY(l->arena, struct state, count),
                       .any = unseen,
                       .returned = unseen,
                       .waiting = ARENA_ARRAY(l->arena, uint32_t, count),
                       .waits = ARENA_ARRAY(l->arena, bool, count),
                       .anywhere = goes_anywhere(l)};
    if (!f.before || !f.waiting || !f.waits)
        return false;
    for (uint32_t i = 0; i < count; i++)
        f.before[i] = unseen;
    if (f.anywhere)
        merge_everywhere(&f, &start);
    else
        merge(&f, 0, &start);
    while (f.nwaiting) {
        uint32_t i = f.waiting[--f.nwaiting];
        f.waits[i] = false;
        step(&f, i);
    }
    *out = f.before;
    return true;
}

/* ---- registers counted from their bases ---- */

/* Which base a register counts from; KINDS: none. */
static unsigned kind_of(struct rogue_reg r)
{
    uint8_t file = rogue_spot_of(r, 0).file;
    return file == ROGUE_FILE_SH ? SHARED : file == ROGUE_FILE_CF ? COEFF : KINDS;
}

static void move_register(struct rogue_lifter *l, struct rogue_reg *r, const struct state *s)
{
    unsigned kind = kind_of(*r);
    if (kind == KINDS || s->base[kind] == UNSEEN)
        return;
    if (s->base[kind] == SEVERAL)
        lift_refuse(&l->lift, "the base offset of %s registers is not the same on all ways to here",
                    kind == SHARED ? "shared" : "coefficient");
    else
        r->index = (uint16_t)(r->index + (rogue_reg_is_indexed(*r) ? s->base[kind] << 3 : s->base[kind]));
}

void rogue_apply_bases(struct rogue_lifter *l)
{
    bool any = false;
    for (uint32_t i = 0; i < l->m->ngroups; i++)
        any |= sets_base(&l->m->groups[i]);
    struct state *bases;
    if (!any || !find_bases(l, &bases))
        return;
    struct isa_module *moved = ARENA_NEW(l->arena, struct isa_module);
    struct rogue_group *groups = ARENA_ARRAY(l->arena, struct rogue_group, l->m->ngroups);
    l->base[COEFF] = ARENA_ARRAY(l->arena, int16_t, l->m->ngroups);
    l->base[SHARED] = ARENA_ARRAY(l->arena, int16_t, l->m->ngroups);
    if (!moved || !groups || !l->base[COEFF] || !l->base[SHARED])
        return;
    for (uint32_t i = 0; i < l->m->ngroups; i++) {
        l->at = i;
        groups[i] = l->m->groups[i];
        for (unsigned k = 0; k < KINDS; k++)
            l->base[k][i] = bases[i].base[k];
        for (unsigned n = 0; !groups[i].data && n < ROGUE_REGISTERS; n++)
            if (n < ROGUE_SOURCES || rogue_names(&groups[i], n))
                move_register(l, &groups[i].reg[n], &bases[i]);
    }
    *moved = *l->m;
    moved->groups = groups;
    l->m = moved;
}

struct rogue_reg rogue_based(struct rogue_lifter *l, enum rogue_bank bank, uint32_t number)
{
    struct rogue_reg r = {.bank = (uint8_t)bank, .index = (uint16_t)number};
    if (l->base[COEFF])
        move_register(l, &r, &(struct state){{l->base[COEFF][l->at], l->base[SHARED][l->at]}});
    return r;
}

/* Nothing is left to do when the group itself comes. */
void rogue_lift_sbo(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    if (rogue_is_predicated(l->group))
        lift_refuse(&l->lift, "'%s' under a predicate is not executed: the base offset is one for all instances",
                    insn->row->name);
}
