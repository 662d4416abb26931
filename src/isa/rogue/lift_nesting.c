/* lift_nesting.c - whether the conditionals of a program are nested (chapter 13).
 *
 * Then groups that run for no instance of a task do nothing to it: where all groups of a region are for instances with
 * Pe alone, their mask counter goes up and comes down again, Pe stays 0, and P0 is what the loop's test makes of it in
 * the end. So regions may nest, but loops must be outermost, since their test sets P0 in all instances. The branch back
 * must follow a loop's test: without it, instances that have stopped stay so, unless those of the whole task have.
 *
 * And Pe is in step with the counter: it holds just where that is 0. This is so in programs too where instances leave
 * loops or go on with the next turn (CNDSM, and CNDEND with CNDST where they go on), and wherever loops are. */
#include "isa/rogue/lift.h"

enum { DEPTH = 16 };
enum { LEVEL = 1, LOOP = 2 }; /* what the conditionals of a region count: those of a branch, of a loop */
enum { FARTHEST = 63 };       /* levels that an instance leaves at once */

/* Regions between a conditional that starts one and that which ends it, innermost last. */
struct regions {
    const struct rogue_lifter *l;
    struct {
        uint32_t start; /* its first group */
        uint32_t skip;  /* where a branch out of it goes: it must be what ends this part; LIFT_NONE: none */
        uint32_t inner; /* the first conditional that starts a region in it; LIFT_NONE: none */
        uint8_t adjust;
    } open[DEPTH];
    unsigned depth;
    bool counted;     /* some conditional came */
    bool reset;       /* the first group sets the counter to 0 */
    bool leaves;      /* instances leave loops, or loops are in regions */
    uint32_t resumes; /* group where instances begin to run that have gone on with the next turn of a loop */
    uint32_t counter; /* register of the mask counter */
    uint32_t looped;  /* the group before ended the loop that starts here; LIFT_NONE: it did not */
    uint32_t turn;    /* the last group of that loop where a turn may begin: no region of its own is open there */
};

static bool is_conditional(const struct rogue_group *g)
{
    const struct rogue_insn *insn = rogue_control_of(g);
    return insn && insn->row->traits & ROGUE_WRITES_PE && rogue_argument(insn->row) != ROGUE_CND_CALL;
}

/* The counter is one register for all. */
static bool counts(struct regions *r, const struct rogue_group *g, bool begins)
{
    bool same = g->s[0].bank == ROGUE_TEMP && g->s[0].index == g->w[0].index;
    bool leaves = rogue_is_conditional(rogue_control_of(g)->row, ROGUE_CND_MASK); /* only instances that run do */
    if ((g->cc != ROGUE_CC_IGNORE_PE && !(leaves && g->cc == ROGUE_CC_PE)) || g->w[0].bank != ROGUE_TEMP ||
        (!same && !begins))
        return false;
    if (r->counted && r->counter != g->w[0].index)
        return false;
    r->counted = true;
    r->counter = g->w[0].index;
    return true;
}

static bool open_region(struct regions *r, const struct rogue_group *g, const struct rogue_insn *insn, uint32_t i)
{
    int64_t adjust = rogue_get(insn, ROGUE_F_ADJUST);
    bool known, first = rogue_reg_is_constant(g->s[0]) && rogue_constant(g->s[0].index, &known) == 0;
    if (!counts(r, g, first))
        return false;
    if (first) { /* the counter's own beginning, with all instances running */
        r->reset = i == 0 && rogue_get(insn, ROGUE_F_PCND) == 0;
        return r->reset;
    }
    if (i == r->resumes)
        return adjust == LEVEL && rogue_get(insn, ROGUE_F_PCND) == 0;
    if (r->depth == DEPTH)
        return false;
    r->leaves |= adjust == LOOP && r->depth;
    if (r->depth && r->open[r->depth - 1].inner == LIFT_NONE)
        r->open[r->depth - 1].inner = i;
    r->open[r->depth].start = i + 1;
    r->open[r->depth].skip = r->open[r->depth].inner = LIFT_NONE;
    r->open[r->depth++].adjust = (uint8_t)adjust;
    return true;
}

/* Instances that have gone on with the next turn of the innermost loop run again: CNDEND of one level, and CNDST. */
static bool resumes(struct regions *r, const struct rogue_insn *insn, uint32_t i)
{
    const struct rogue_insn *next = i + 1 < r->l->m->ngroups ? rogue_control_of(&r->l->m->groups[i + 1]) : NULL;
    if (!rogue_is_conditional(insn->row, ROGUE_CND_END) || rogue_get(insn, ROGUE_F_ADJUST) != LEVEL ||
        r->open[r->depth - 1].adjust != LOOP || !next || !rogue_is_conditional(next->row, ROGUE_CND_START))
        return false;
    r->resumes = i + 1;
    return true;
}

/* Out of regions and the loop around them, to a level that is known. */
static bool leave(struct regions *r, const struct rogue_group *g)
{
    bool known = rogue_reg_is_constant(g->s[2]);
    uint32_t level = known ? rogue_constant(g->s[2].index, &known) : 0;
    r->leaves = true;
    return known && level <= FARTHEST && counts(r, g, false);
}

/* CNDEF, CNDEND and CNDLT: what comes before them in the region ends here, and so do branches out of it. */
static bool end_part(struct regions *r, const struct rogue_group *g, const struct rogue_insn *insn, uint32_t i)
{
    bool loop = rogue_is_conditional(insn->row, ROGUE_CND_LOOP);
    if (!r->depth || !counts(r, g, false))
        return false;
    if (resumes(r, insn, i))
        return true;
    unsigned at = r->depth - 1;
    if ((r->open[at].skip != LIFT_NONE && r->open[at].skip != i) || r->open[at].adjust != (loop ? LOOP : LEVEL) ||
        rogue_get(insn, ROGUE_F_ADJUST) != r->open[at].adjust)
        return false;
    r->open[at].skip = LIFT_NONE;
    if (loop) {
        r->looped = r->open[at].start;
        r->turn = r->open[at].inner == LIFT_NONE ? i : r->open[at].inner;
    }
    if (!rogue_is_conditional(insn->row, ROGUE_CND_ELSE))
        r->depth--;
    return true;
}

/* Over the rest of a part where no instance runs, or back to the loop that has just been tested. */
static bool branch(struct regions *r, const struct rogue_group *g, const struct rogue_insn *insn, uint32_t i,
                   uint32_t loop)
{
    enum { PLAIN, ALLINST };
    uint32_t target = rogue_target_of(r->l->m, g);
    int64_t how = rogue_get(insn, ROGUE_F_BPRED);
    if (how == PLAIN)
        return g->cc == ROGUE_CC_PE_P0 && loop != LIFT_NONE && target >= loop && target <= r->turn;
    if (how != ALLINST || loop != LIFT_NONE || rogue_is_predicated(g) || !r->depth)
        return false;
    if (target <= i)
        return false;
    uint32_t *skip = &r->open[r->depth - 1].skip;
    if (*skip != LIFT_NONE && *skip != target)
        return false;
    *skip = target;
    return true;
}

static bool control(struct regions *r, const struct rogue_group *g, const struct rogue_insn *insn, uint32_t i,
                    uint32_t loop)
{
    weft_flow flow = rogue_flow_of(insn->row);
    if (loop != LIFT_NONE && flow != WEFT_FLOW_BRANCH)
        return false;
    if (flow == WEFT_FLOW_BRANCH)
        return branch(r, g, insn, i, loop);
    if (flow != WEFT_FLOW_MASK)
        return flow == WEFT_FLOW_NEXT &&
               (rogue_effects_of(insn->row) & WEFT_EFFECT_WAITS || insn->row->lift == rogue_lift_nothing);
    switch ((enum rogue_conditional)rogue_argument(insn->row)) {
    case ROGUE_CND_START:
        return open_region(r, g, insn, i);
    case ROGUE_CND_ELSE:
    case ROGUE_CND_END:
    case ROGUE_CND_LOOP:
        return end_part(r, g, insn, i);
    case ROGUE_CND_MASK:
        return leave(r, g);
    default:
        return false;
    }
}

/* Whether the groups are as said above. */
static bool nests(struct regions *r)
{
    const struct isa_module *m = r->l->m;
    r->looped = r->resumes = LIFT_NONE;
    for (uint32_t i = 0; i < m->ngroups; i++) {
        const struct rogue_group *g = &m->groups[i];
        uint32_t loop = r->looped;
        if (!r->l->reach[i])
            continue;
        r->looped = LIFT_NONE;
        if (g->data || (g->end && r->depth))
            return false;
        const struct rogue_insn *insn = rogue_control_of(g);
        if (insn ? !control(r, g, insn, i, loop) : loop != LIFT_NONE || (r->depth && g->cc == ROGUE_CC_IGNORE_PE))
            return false;
    }
    return !r->depth && r->looped == LIFT_NONE;
}

/* ---- what else writes the counter ---- */

/* Is it one of `count` registers from r on? */
static bool is_among(const struct regions *r, struct rogue_reg first, unsigned count)
{
    if (rogue_reg_is_indexed(first))
        return (first.index & 7) == ROGUE_INDEXED_TEMP;
    return first.bank == ROGUE_TEMP && r->counter >= first.index && r->counter - first.index < count;
}

static bool disturbs(const struct regions *r, const struct rogue_group *g)
{
    struct rogue_reg first;
    unsigned drc, results = rogue_results_of(g, &first, &drc);
    if (results && is_among(r, first, results))
        return true;
    for (unsigned n = 0; n < ROGUE_DESTINATIONS; n++)
        if (g->destinations >> n & 1 && !is_conditional(g) && is_among(r, g->w[n], g->repeat))
            return true;
    return false;
}

/* Does the linkage put something into it before the program starts? */
static bool begins_with_value(const struct regions *r)
{
    for (uint32_t i = 0; i < r->l->link.nplaces; i++) {
        const struct rogue_place *p = &r->l->link.places[i];
        if (!p->output && p->where == ROGUE_AT_R && p->number == r->counter)
            return true;
    }
    return false;
}

static bool is_undisturbed(const struct regions *r)
{
    for (uint32_t i = 0; i < r->l->m->ngroups; i++)
        if (disturbs(r, &r->l->m->groups[i]))
            return false;
    return r->reset || !begins_with_value(r);
}

void rogue_find_nesting(struct rogue_lifter *l)
{
    struct regions r = {.l = l};
    bool known = nests(&r) && (!r.counted || is_undisturbed(&r));
    l->nested = known && !r.leaves;
    l->in_step = known && r.reset && !l->phases && !l->link.nbreakpoints;
}
