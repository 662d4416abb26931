/* flow.c - where branches go, and what control flow gets to (chapter 12). */
#include "isa/rogue/rogue.h"

const struct rogue_insn *rogue_branch_of(const struct rogue_group *g)
{
    const struct rogue_insn *insn = rogue_control_of(g);
    return insn && rogue_is_branch(insn->row) ? insn : NULL;
}

uint32_t rogue_group_at(const struct isa_module *m, int64_t offset)
{
    uint32_t low = 0, high = m->ngroups;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if ((int64_t)m->groups[mid].offset < offset)
            low = mid + 1;
        else
            high = mid;
    }
    return low < m->ngroups && (int64_t)m->groups[low].offset == offset ? low : UINT32_MAX;
}

uint32_t rogue_target_of(const struct isa_module *m, const struct rogue_group *g)
{
    const struct rogue_insn *insn = rogue_branch_of(g);
    int64_t offset = rogue_get(insn, ROGUE_F_OFFSET);
    offset = rogue_get(insn, ROGUE_F_ABS) ? (int64_t)(uint32_t)offset - (int64_t)m->base : offset + (int64_t)g->offset;
    const struct rogue_group *last = &m->groups[m->ngroups - 1];
    return offset == (int64_t)last->offset + last->size ? m->ngroups : rogue_group_at(m, offset);
}

struct walk {
    const struct isa_module *m;
    uint8_t *reach;
    uint32_t *waiting;
    uint32_t nwaiting;
    bool masks; /* some conditional sets Pe */
};

/* Each group waits at most once for each level. */
static void go(struct walk *w, uint32_t group, uint8_t level)
{
    if (group >= w->m->ngroups || w->reach[group] >= level)
        return;
    w->reach[group] = level;
    w->waiting[w->nwaiting++] = group;
}

uint64_t rogue_flow_traits(const struct rogue_group *g)
{
    const struct rogue_insn *insn = g->alu == ROGUE_CONTROL ? rogue_control_of(g) : rogue_backend_of(g);
    return insn ? insn->row->traits : 0;
}

/* Does a control operation happen whichever instances run? */
static bool is_certain(const struct walk *w, const struct rogue_group *g)
{
    return g->cc == ROGUE_CC_IGNORE_PE || (g->cc == ROGUE_CC_PE && !w->masks);
}

static void step(struct walk *w, uint32_t i)
{
    const struct rogue_group *g = &w->m->groups[i];
    const struct rogue_insn *branch = rogue_branch_of(g);
    uint8_t level = w->reach[i];
    if (g->data)
        return;
    if (branch) {
        bool certain = is_certain(w, g) && rogue_get(branch, ROGUE_F_BPRED) == 0;
        bool returns = rogue_flow_of(branch->row) == WEFT_FLOW_CALL;
        go(w, rogue_target_of(w->m, g), certain ? level : ROGUE_REACH_MAYBE);
        if (!certain || returns)
            go(w, i + 1, ROGUE_REACH_MAYBE);
        return;
    }
    bool leaves = g->alu == ROGUE_CONTROL && rogue_flow_of(rogue_at(g, ROGUE_CTRL)->row) == WEFT_FLOW_RETURN;
    if (!g->end && !(leaves && is_certain(w, g)))
        go(w, i + 1, leaves ? ROGUE_REACH_MAYBE : level);
}

uint8_t *rogue_find_reach(const struct isa_module *m, struct arena *arena, bool *anywhere)
{
    struct walk w = {.m = m,
                     .reach = ARENA_ARRAY(arena, uint8_t, m->ngroups + 1),
                     .waiting = ARENA_ARRAY(arena, uint32_t, 2 * (size_t)m->ngroups + 1)};
    *anywhere = false;
    if (!w.reach || !w.waiting)
        return NULL;
    for (uint32_t i = 0; i < m->ngroups; i++) {
        uint64_t traits = rogue_flow_traits(&m->groups[i]);
        w.masks |= (traits >> ROGUE_FLOW_AT & 15) == WEFT_FLOW_MASK;
        *anywhere |= (traits & ROGUE_COMPUTES) != 0;
    }
    go(&w, 0, ROGUE_REACH_ALWAYS);
    while (w.nwaiting)
        step(&w, w.waiting[--w.nwaiting]);
    return w.reach;
}
