/* lift_lanes.c - whether two tasks may run as one of 64 instances: where no instance can tell which others its task
 * has.
 *
 * What shows the task is asking for its instances, what one of them does for all, and where the task goes. A branch
 * that is taken when no instance runs, or while some still loop, leads a task of two through groups that one of them
 * would have left out, or takes it round a loop again. That does nothing to instances that do not run when all groups
 * there are for instances with Pe alone and the conditionals are nested (chapter 13): their mask counter goes up and
 * comes down again, Pe stays 0, and P0 is what the loop's test makes of it in the end. So regions may nest, but loops
 * must be outermost, since their test sets P0 in all instances. */
#include "isa/rogue/lift.h"

enum { ALONE = ROGUE_INSTANCES, TOGETHER = 2 * ROGUE_INSTANCES, DEPTH = 16 };
enum { LEVEL = 1, LOOP = 2 }; /* what the conditionals of a region count: those of a branch, of a loop */

/* ---- ops ---- */

static bool op_shows_task(const struct rogue_lifter *l, const struct ir_op *op)
{
    switch (op->code) {
    case IR_BALLOT:
    case IR_ALL:
    case IR_FIRST:
    case IR_REDUCE:
    case IR_SHUFFLE:
    case IR_LANE_ID:
    case IR_GET_LANE:
    case IR_SET_LANE:
    case IR_ATOMIC:
    case IR_SERVICE:
    case IR_EMIT:
    case IR_CUT:
    case IR_JUMP:
    case IR_BARRIER:
    case IR_TRAP:
        return true;
    case IR_SYSVAL:
        return op->imm == IR_SYS_WARP_ID || op->imm == IR_SYS_SUBGROUP_SIZE;
    case IR_SET:
    case IR_SET_DYN:
        return l->b.p->files[l->b.p->regs[op->desc].file].uniform;
    default:
        return op->attr & IR_ALL_LANES && op->code == IR_ANY;
    }
}

/* ---- groups ---- */

/* Regions between a conditional that starts one and that which ends it, innermost last. */
struct regions {
    const struct rogue_lifter *l;
    struct {
        uint32_t start;  /* its first group */
        uint32_t skip;   /* where a branch out of it goes: it must be what ends this part; ROGUE_NONE: there is none */
        uint8_t adjust;
    } open[DEPTH];
    unsigned depth;
    bool counted;        /* some conditional came */
    uint32_t counter;    /* register of the mask counter */
    uint32_t looped;     /* the group before ended the loop that starts here; ROGUE_NONE: it did not */
};

static const struct rogue_insn *control_of(const struct rogue_group *g)
{
    return g->alu == ROGUE_CONTROL && !g->data && rogue_at(g, ROGUE_CTRL)->row ? rogue_at(g, ROGUE_CTRL) : NULL;
}

static bool is_conditional(const struct rogue_group *g)
{
    const struct rogue_insn *insn = control_of(g);
    unsigned op = insn ? insn->row->op : ROGUE_OP_NOP;
    return op == ROGUE_OP_CNDST || op == ROGUE_OP_CNDEF || op == ROGUE_OP_CNDEND || op == ROGUE_OP_CNDLT;
}

/* The counter is one register for all. */
static bool counts(struct regions *r, const struct rogue_group *g, bool begins)
{
    bool same = g->s[0].bank == ROGUE_TEMP && g->s[0].index == g->w[0].index && !g->s[0].dim;
    if (g->cc != ROGUE_CC_IGNORE_PE || !(g->destinations & 1) || g->w[0].bank != ROGUE_TEMP || (!same && !begins))
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
    if (first) /* the counter's own beginning, with all instances running */
        return i == 0 && rogue_get(insn, ROGUE_F_PCND) == 0;
    if (r->depth == DEPTH || (adjust != LEVEL && adjust != LOOP) || (adjust == LOOP && r->depth))
        return false;
    r->open[r->depth].start = i + 1;
    r->open[r->depth].skip = ROGUE_NONE;
    r->open[r->depth++].adjust = (uint8_t)adjust;
    return true;
}

/* CNDEF, CNDEND and CNDLT: what comes before them in the region ends here, and so do branches out of it. */
static bool end_part(struct regions *r, const struct rogue_group *g, const struct rogue_insn *insn, uint32_t i)
{
    bool loop = insn->row->op == ROGUE_OP_CNDLT;
    if (!r->depth || !counts(r, g, false))
        return false;
    unsigned at = r->depth - 1;
    if ((r->open[at].skip != ROGUE_NONE && r->open[at].skip != i) || r->open[at].adjust != (loop ? LOOP : LEVEL) ||
        rogue_get(insn, ROGUE_F_ADJUST) != r->open[at].adjust)
        return false;
    r->open[at].skip = ROGUE_NONE;
    if (loop)
        r->looped = r->open[at].start;
    if (insn->row->op != ROGUE_OP_CNDEF)
        r->depth--;
    return true;
}

/* Over the rest of a part where no instance runs, or back to the loop that has just been tested. */
static bool branch(struct regions *r, const struct rogue_group *g, const struct rogue_insn *insn, uint32_t i,
                   uint32_t loop)
{
    enum { PLAIN, ALLINST };
    uint32_t target = rogue_branch_target(r->l, g);
    int64_t how = rogue_get(insn, ROGUE_F_BPRED);
    if (how == PLAIN)
        return g->cc == ROGUE_CC_PE_P0 && loop != ROGUE_NONE && target >= loop && target < i && !r->depth;
    if (how != ALLINST || !r->depth || target == ROGUE_NONE || target <= i)
        return false;
    uint32_t *skip = &r->open[r->depth - 1].skip;
    if (*skip != ROGUE_NONE && *skip != target)
        return false;
    *skip = target;
    return true;
}

static bool control(struct regions *r, const struct rogue_group *g, const struct rogue_insn *insn, uint32_t i,
                    uint32_t loop)
{
    switch ((enum rogue_op)insn->row->op) {
    case ROGUE_OP_CNDST:
        return open_region(r, g, insn, i);
    case ROGUE_OP_CNDEF:
    case ROGUE_OP_CNDEND:
    case ROGUE_OP_CNDLT:
        return end_part(r, g, insn, i);
    case ROGUE_OP_BR:
    case ROGUE_OP_BA:
        return branch(r, g, insn, i, loop);
    case ROGUE_OP_WDF:
    case ROGUE_OP_WOP:
    case ROGUE_OP_NOP:
        return true;
    default:
        return false;
    }
}

/* Whether the groups are as said above. */
static bool nests(struct regions *r)
{
    const struct isa_module *m = r->l->m;
    r->looped = ROGUE_NONE;
    for (uint32_t i = 0; i < m->ngroups; i++) {
        const struct rogue_group *g = &m->groups[i];
        uint32_t loop = r->looped;
        r->looped = ROGUE_NONE;
        if (g->data || (g->end && r->depth))
            return false;
        const struct rogue_insn *insn = control_of(g);
        if (insn ? !control(r, g, insn, i, loop) : r->depth && g->cc == ROGUE_CC_IGNORE_PE)
            return false;
    }
    return !r->depth;
}

/* Whether the op writes the mask counter without being a conditional. */
static bool disturbs(const struct regions *r, const struct ir_op *op)
{
    const struct rogue_lifter *l = r->l;
    if (!r->counted || (op->code != IR_SET && op->code != IR_SET_DYN))
        return false;
    const struct ir_reg *reg = &l->b.p->regs[op->desc];
    if (reg->file != l->file[ROGUE_FILE_R] || (op->code == IR_SET && reg->elem != r->counter))
        return false;
    return op->code == IR_SET_DYN || !is_conditional(&l->m->groups[op->insn]);
}

uint16_t rogue_lanes(const struct rogue_lifter *l)
{
    struct regions r = {.l = l};
    const struct ir_program *p = l->b.p;
    bool fills = l->stage != IR_COMPUTE || (l->link.block[0] * l->link.block[1] * l->link.block[2]) % TOGETHER == 0;
    if (!fills || (l->stage != IR_COMPUTE && l->stage != IR_VERTEX && l->stage != IR_FRAGMENT) || !nests(&r))
        return ALONE;
    for (uint32_t b = 0; b < p->nblocks; b++)
        for (uint32_t i = 0; i < p->blocks[b].count; i++)
            if (op_shows_task(l, &p->blocks[b].ops[i]) || disturbs(&r, &p->blocks[b].ops[i]))
                return ALONE;
    return TOGETHER;
}
