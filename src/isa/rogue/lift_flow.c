/* lift_flow.c - chapters 12 and 13: groups become blocks; branches decide for the whole task, conditionals for each
 * instance by its mask counter and Pe. There is no control policy: what a task does not skip, it runs under Pe. */
#include "isa/rogue/lift.h"

/* ---- blocks ---- */

bool rogue_ends_block(const struct rogue_group *g)
{
    const struct rogue_insn *control = rogue_control_of(g);
    return control && (rogue_is_branch(control->row) || rogue_flow_of(control->row) == WEFT_FLOW_RETURN ||
                       rogue_stops_task(control));
}

/* Jumps to what a register says may lead to any group. */
static void note_jumps(struct rogue_lifter *l, const struct rogue_group *g)
{
    uint64_t traits = rogue_flow_traits(g);
    l->phases |= (traits & ROGUE_STARTS_PHASE) != 0;
    l->jumps |= g->alu == ROGUE_MAIN && traits & ROGUE_COMPUTES;
    l->covers |= (traits & ROGUE_WRITES_COVER) != 0;
}

/* Breakpoints are at groups, and so are their handlers. */
static bool prepare_breakpoints(struct rogue_lifter *l)
{
    for (uint32_t i = 0; i < l->link.nbreakpoints; i++) {
        const struct rogue_breakpoint *b = &l->link.breakpoints[i];
        uint32_t at = rogue_group_at(l->m, b->at), handler = rogue_group_at(l->m, b->handler);
        if (at == LIFT_NONE || handler == LIFT_NONE) {
            l->at = 0;
            lift_refuse(&l->lift, "the linkage has a breakpoint %s%u, where no group begins",
                        at == LIFT_NONE ? "at " : "with its handler at ", at == LIFT_NONE ? b->at : b->handler);
            return false;
        }
        lift_lead(&l->lift, at);
        lift_lead(&l->lift, handler);
    }
    return true;
}

bool rogue_flow_prepare(struct rogue_lifter *l)
{
    lift_lead(&l->lift, 0);
    if (!prepare_breakpoints(l))
        return false;
    for (uint32_t i = 0; i < l->m->ngroups; i++) {
        const struct rogue_group *g = &l->m->groups[i];
        if (!l->reach[i])
            continue;
        note_jumps(l, g);
        if (rogue_ends_block(g) || rogue_ends_phase(g))
            lift_lead(&l->lift, i + 1);
        if (rogue_branch_of(g)) {
            uint32_t target = rogue_target_of(l->m, g);
            l->at = i;
            if (target == LIFT_NONE) {
                lift_refuse(&l->lift, "a branch to where no group begins");
                return false;
            }
            lift_lead(&l->lift, target);
        }
    }
    for (uint32_t i = 0; l->jumps && i < l->m->ngroups; i++) /* any group may be where the link address says */
        lift_lead(&l->lift, i);
    rogue_find_nesting(l);
    rogue_keep_results(l);
    lift_make_blocks(&l->lift);
    l->ending = l->phases ? lift_new_block(&l->lift) : l->epilogue;
    return !l->failed && !arena_failed(l->arena);
}

uint32_t rogue_block_of(const struct rogue_lifter *l, uint32_t i)
{
    return i < l->m->ngroups ? l->block[i] : l->ending;
}

/* Where Pe is in step, the next group of each CNDLT is its branch (lift_nesting.c). */
bool rogue_closes_loop(const struct rogue_lifter *l, uint32_t i)
{
    const struct rogue_insn *test = rogue_control_of(&l->m->groups[i]);
    return l->in_step && test && rogue_is_conditional(test->row, ROGUE_CND_LOOP) && !l->block[i + 1];
}

/* ---- branches ---- */

static ir_value any(struct rogue_lifter *l, ir_value v)
{
    return ir_emit(&l->b, IR_ANY, IR_I1, 0, 1, &v, 1, 0, 0, 0);
}

/* Does the task go there? Plain: when some instance that the header lets run does. .anyinst is the same, of the
 * instances with Pe. .allinst: when all instances with Pe pass the header's predicate; without one, when none has Pe,
 * that is all are through with it. 0: always. */
static ir_value taken(struct rogue_lifter *l, const struct rogue_group *g, const struct rogue_insn *insn)
{
    enum { PLAIN, ALLINST };
    unsigned how = (unsigned)rogue_get(insn, ROGUE_F_BPRED);
    bool predicated = rogue_is_predicated(g);
    if (how == PLAIN)
        return l->run ? any(l, l->run) : 0;
    if (how != ALLINST)
        return any(l, predicated ? l->run : rogue_pe(l));
    ir_value stays = rogue_pe(l), p0 = predicated ? rogue_p0(l) : 0;
    if (predicated)
        stays = rogue_and(l, stays, g->cc == ROGUE_CC_PE_P0 ? ir_op1(&l->b, IR_NOT, 0, p0) : p0);
    return ir_op1(&l->b, IR_NOT, 0, any(l, stays));
}

static void set_link(struct rogue_lifter *l, ir_value address)
{
    ir_set(&l->b, l->file[ROGUE_FILE_LINK], 0, address, 0);
}

static ir_value link_address(struct rogue_lifter *l)
{
    return ir_get(&l->b, l->file[ROGUE_FILE_LINK], 0, IR_I32);
}

static void return_to_link(struct rogue_lifter *l)
{
    rogue_carry(l);
    if (l->run) {
        uint32_t jump = lift_new_block(&l->lift);
        ir_branch(&l->b, any(l, l->run), jump, rogue_block_of(l, l->at + 1));
        l->b.block = jump;
    }
    ir_value address = link_address(l);
    ir_emit(&l->b, IR_JUMP, IR_VOID, 0, 0, &address, 1, 0, 0, 0);
}

void rogue_lift_flow(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    const struct rogue_group *g = l->group;
    if (rogue_flow_of(insn->row) == WEFT_FLOW_RETURN) {
        return_to_link(l);
        return;
    }
    uint32_t target = rogue_block_of(l, rogue_target_of(l->m, g)), next = rogue_block_of(l, l->at + 1);
    ir_value goes = taken(l, g, insn);
    rogue_carry(l);
    if (rogue_flow_of(insn->row) == WEFT_FLOW_CALL) {
        uint64_t after = l->at + 1 < l->m->ngroups ? l->m->groups[l->at + 1].offset : g->offset + g->size;
        ir_value address = rogue_word(l, (uint32_t)(l->m->base + after));
        set_link(l, goes ? ir_select(&l->b, goes, address, link_address(l)) : address);
    }
    if (goes)
        ir_branch(&l->b, goes, target, next);
    else
        ir_goto(&l->b, target);
}

/* The link address in registers is in units of 16 bits. */
void rogue_lift_savl(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    (void)insn;
    const struct rogue_group *g = l->group;
    ir_value v = ir_op2(&l->b, IR_SHR_U, 0, link_address(l), rogue_word(l, 1));
    if (g->destinations & 1)
        rogue_write(l, g->w[0], 0, v, l->run);
}

ir_value rogue_first_of(struct rogue_lifter *l, ir_value v, ir_value which)
{
    ir_value mask = ir_emit(&l->b, IR_BALLOT, IR_I64, 0, 1, &which, 1, 0, 0, 0);
    ir_value lane = ir_cvt(&l->b, IR_LO32, IR_I32, 0, ir_op1(&l->b, IR_CTZ, 0, mask));
    ir_value moved = ir_op2(&l->b, IR_SHUFFLE, 0, v, lane);
    return ir_emit(&l->b, IR_FIRST, IR_I32, 0, 1, &moved, 1, 0, 0, 0);
}

static void set_link_units(struct rogue_lifter *l, ir_value units, ir_value which)
{
    ir_value address = ir_op2(&l->b, IR_SHL, 0, rogue_first_of(l, units, which), rogue_word(l, 1));
    set_link(l, ir_select(&l->b, any(l, which), address, link_address(l)));
}

void rogue_lift_setl(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    ir_value which = l->run ? l->run : ir_const(&l->b, IR_I1, 1);
    set_link_units(l, l->w[rogue_get(insn, ROGUE_F_RESSEL) != 0], which);
}

/* ---- conditionals: the pseudo-code of chapter 13 ---- */

struct conditional {
    struct rogue_lifter *l;
    ir_value count;   /* S0: the mask counter */
    ir_value running; /* S0 == 0 */
    ir_value passes;  /* the condition of the predicate */
    ir_value adjust;  /* sourceAdjust, IR_I32 */
    ir_value pe;      /* result: the new Pe; 0: where the new counter is 0 */
};

enum { PCND_ALWAYS, PCND_P0_TRUE, PCND_NEVER, PCND_P0_FALSE };

static ir_value predicate(struct rogue_lifter *l, unsigned pcnd)
{
    if (pcnd == PCND_ALWAYS || pcnd == PCND_NEVER)
        return ir_const(&l->b, IR_I1, pcnd == PCND_ALWAYS);
    ir_value p0 = rogue_p0(l);
    return pcnd == PCND_P0_TRUE ? p0 : ir_op1(&l->b, IR_NOT, 0, p0);
}

static ir_value word(const struct conditional *c, uint32_t v)
{
    return ir_const_i32(&c->l->b, v);
}

static ir_value equals(const struct conditional *c, ir_value a, uint32_t v)
{
    return ir_op2(&c->l->b, IR_EQ, 0, a, word(c, v));
}

static ir_value choose(const struct conditional *c, ir_value when, ir_value yes, ir_value no)
{
    return ir_select(&c->l->b, when, yes, no);
}

static ir_value plus_adjust(const struct conditional *c)
{
    return ir_op2(&c->l->b, IR_ADD, 0, c->count, c->adjust);
}

static ir_value both(const struct conditional *c, ir_value a, ir_value b)
{
    return ir_op2(&c->l->b, IR_AND, 0, a, b);
}

/* Count down by the adjustment, to no less than 0. */
static ir_value count_down(const struct conditional *c)
{
    return ir_op2(&c->l->b, IR_SUB_SATU, 0, c->count, c->adjust);
}

/* Each gives the new counter. */

static ir_value conditional_start(struct conditional *c)
{
    c->pe = both(c, c->passes, c->running);
    return choose(c, c->pe, word(c, 0), plus_adjust(c));
}

static ir_value conditional_else(struct conditional *c)
{
    ir_value enters = both(c, c->passes, equals(c, c->count, 1));
    return choose(c, c->running, plus_adjust(c), choose(c, enters, word(c, 0), c->count));
}

static ir_value conditional_set_mask(struct conditional *c)
{
    return choose(c, both(c, c->passes, c->running), rogue_source(c->l, 2), c->count);
}

/* P0 says whether the loop goes on: while the test passes in some instance with Pe. Then those that run and do not pass
 * stop until it is over. */
static ir_value conditional_loop_test(struct conditional *c)
{
    struct ir_builder *b = &c->l->b;
    ir_value on = any(c->l, both(c, c->passes, rogue_pe(c->l)));
    ir_value stays = both(c, c->passes, c->running), stops = ir_op2(b, IR_XOR, 0, c->running, stays),
             down = count_down(c);
    rogue_set_p0(c->l, on);
    c->pe = choose(c, on, stays, equals(c, down, 0));
    return choose(c, on, choose(c, stops, c->adjust, c->count), down);
}

static ir_value conditional_call_loop(struct conditional *c)
{
    return choose(c, c->running, word(c, 2), choose(c, equals(c, c->count, 1), word(c, 0), c->count));
}

/* CNDLT and its branch: the same as one after the other. While the loop goes on those that do not pass stop; when it is
 * over all have stopped, and counting down gives each what it was before. */
static void close_loop(struct conditional *c, const struct rogue_group *g)
{
    struct rogue_lifter *l = c->l;
    struct ir_builder *b = &l->b;
    uint32_t target = rogue_block_of(l, rogue_target_of(l->m, g + 1)), over = lift_new_block(&l->lift);
    ir_value stays = both(c, c->passes, c->running), stops = ir_op2(b, IR_XOR, 0, c->running, stays);
    ir_value on = any(l, stays);
    rogue_set_p0(l, on);
    rogue_write(l, g->w[0], 0, c->adjust, stops);
    ir_set(b, l->file[ROGUE_FILE_PE], 0, stays, 0);
    rogue_carry(l);
    b->insn = l->at + 1;
    ir_branch(b, on, target, over);
    b->block = over;
    c->count = rogue_read(l, g->w[0], 0);
    c->adjust = word(c, (uint32_t)rogue_get(rogue_at(g, ROGUE_CTRL), ROGUE_F_ADJUST));
    ir_value down = count_down(c);
    rogue_write(l, g->w[0], 0, down, 0);
    ir_set(b, l->file[ROGUE_FILE_PE], 0, equals(c, down, 0), 0);
    ir_goto(b, rogue_block_of(l, l->at + 2));
}

static void set_counter(const struct conditional *c, const struct rogue_group *g, ir_value counter)
{
    struct rogue_lifter *l = c->l;
    ir_value pe = c->pe ? c->pe : equals(c, counter, 0);
    if (g->destinations & 1)
        rogue_write(l, g->w[0], 0, counter, l->run);
    ir_set(&l->b, l->file[ROGUE_FILE_PE], 0, pe, l->run);
}

void rogue_lift_conditional(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    const struct rogue_group *g = l->group;
    struct conditional c = {.l = l, .count = rogue_source(l, 0)};
    c.running = l->in_step && l->at > 0 ? rogue_pe(l) : equals(&c, c.count, 0);
    c.passes = predicate(l, (unsigned)rogue_get(insn, ROGUE_F_PCND));
    c.adjust = word(&c, (uint32_t)rogue_get(insn, ROGUE_F_ADJUST));
    ir_value counter;
    if (rogue_closes_loop(l, l->at)) {
        close_loop(&c, g);
        return;
    }
    switch ((enum rogue_conditional)rogue_argument(insn->row)) {
    case ROGUE_CND_START:
        counter = conditional_start(&c);
        break;
    case ROGUE_CND_ELSE:
        counter = conditional_else(&c);
        break;
    case ROGUE_CND_MASK:
        counter = conditional_set_mask(&c);
        break;
    case ROGUE_CND_LOOP:
        counter = conditional_loop_test(&c);
        break;
    case ROGUE_CND_END:
        counter = count_down(&c);
        break;
    default:
        counter = conditional_call_loop(&c);
        break;
    }
    set_counter(&c, g, counter);
}

/* Part B; part A does nothing that can be seen. The first instance with Pe says which address is called: those that
 * want another one wait for their turn. */
void rogue_lift_cndsetl(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    (void)insn;
    struct conditional c = {.l = l, .count = rogue_source(l, 0)};
    ir_value wanted = rogue_source(l, 2), pe = rogue_pe(l), first = rogue_first_of(l, wanted, pe);
    ir_value other = ir_op2(&l->b, IR_NE, 0, wanted, first);
    set_link_units(l, wanted, pe);
    set_counter(&c, l->group, choose(&c, both(&c, equals(&c, c.count, 0), other), word(&c, 1), c.count));
}
