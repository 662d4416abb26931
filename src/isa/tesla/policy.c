/* policy.c - the warp's control stack and thread states ("Other execution state and
 * resources").
 *
 * Threads that broke, returned or exited wait until the entry that they went to is popped; run() of a mask is those of
 * it that do not wait. The way that a branch takes runs first; the other waits on the stack. */
#include "exec/exec.h"
#include "isa/tesla/lift.h"

#include <stdio.h>

enum entry_type { ENTRY_BRANCH = 1, ENTRY_CALL, ENTRY_CALL_LIMITED, ENTRY_BREAK, ENTRY_QUADON, ENTRY_JOINAT };

enum { DEPTH = 256 };

struct entry {
    lane_mask lanes;
    uint32_t block;
    uint8_t type;
};

struct state {
    lane_mask broke, returned, exited;
    uint32_t depth, limited; /* entries; calls with a limit among them */
    struct entry stack[DEPTH];
};

static void start(void *state, struct exec_masks *m)
{
    struct state *s = state;
    (void)m;
    s->broke = s->returned = s->exited = 0;
    s->depth = s->limited = 0;
}

static lane_mask run(const struct state *s, lane_mask lanes)
{
    return lanes & ~(s->broke | s->returned | s->exited);
}

static void push(struct state *s, enum entry_type type, lane_mask lanes, uint32_t block, const char **fault)
{
    if (s->depth == DEPTH) {
        *fault = "the control stack is full (256 entries)";
        return;
    }
    s->limited += type == ENTRY_CALL_LIMITED;
    s->stack[s->depth++] = (struct entry){lanes, block, (uint8_t)type};
}

static struct entry pop(struct state *s)
{
    struct entry e = s->stack[--s->depth];
    s->limited -= e.type == ENTRY_CALL_LIMITED;
    if (e.type == ENTRY_BREAK)
        s->broke &= ~e.lanes;
    if (e.type == ENTRY_CALL || e.type == ENTRY_CALL_LIMITED)
        s->returned &= ~e.lanes;
    return e;
}

/* No thread is left here: the nearest entry with threads that can run. A joinat stays for the join flag that it leads
 * to. */
static uint32_t unwind(struct state *s, struct exec_masks *m, const struct ir_control *c, const char **fault)
{
    while (s->depth) {
        struct entry *top = &s->stack[s->depth - 1];
        if (top->type == ENTRY_JOINAT && run(s, top->lanes)) {
            m->active = run(s, top->lanes);
            return top->block;
        }
        struct entry e = pop(s);
        m->active = e.type == ENTRY_JOINAT || e.type == ENTRY_QUADON ? 0 : run(s, e.lanes);
        if (m->active)
            return e.block;
    }
    if (s->broke | s->returned)
        *fault = s->broke ? "break without breakaddr: the control stack is empty"
                          : "ret without call: the control stack is empty";
    m->active = m->all; /* all are done */
    return c->target[2];
}

/* break, ret, exit: these threads wait in *state_of. */
static uint32_t leave(struct state *s, struct exec_masks *m, const struct ir_control *c, lane_mask *state_of,
                      lane_mask lanes, const char **fault)
{
    *state_of |= lanes;
    m->active &= ~lanes;
    return m->active ? c->target[1] : unwind(s, m, c, fault);
}

static uint32_t join(struct state *s, struct exec_masks *m, const struct ir_control *c, const char **fault)
{
    while (s->depth) {
        struct entry e = pop(s);
        if (e.type == ENTRY_JOINAT) {
            m->active = run(s, e.lanes);
            return m->active ? c->target[1] : unwind(s, m, c, fault);
        }
        if (e.type != ENTRY_BRANCH) {
            *fault = "join meets an entry of the control stack that is not a branch or a joinat";
            return c->target[2];
        }
        m->active = run(s, e.lanes);
        if (m->active)
            return e.block;
    }
    *fault = "join without joinat: the control stack is empty";
    return c->target[2];
}

static lane_mask whole_quads(lane_mask m)
{
    lane_mask any = m | m >> 1;
    any = (any | any >> 2) & 0x1111111111111111u;
    return any * 15;
}

/* An address that the program read from memory: the same one for all threads. */
static uint32_t indirect(struct exec_masks *m, const struct ir_control *c, const uint32_t *row, const char **fault)
{
    uint32_t block = m->active ? exec_block_at(m->program, row[__builtin_ctzll(m->active)] & 0xfffffc) : IR_PROLOGUE;
    if (block != IR_PROLOGUE)
        return block;
    *fault = "a branch to an address where no instruction is";
    return c->target[2];
}

static uint32_t control(void *state, struct exec_masks *m, const struct ir_control *c, const lane_mask *args,
                        const void *const *rows, const char **fault)
{
    struct state *s = state;
    enum tesla_control op = (enum tesla_control)c->op;
    lane_mask lanes = m->active;
    if (s->depth && s->stack[s->depth - 1].type == ENTRY_QUADON && op != TESLA_CTL_QUADPOP) {
        *fault = "control flow between quadon and quadpop";
        return c->target[2];
    }
    switch (op) {
    case TESLA_CTL_BRA:
        lanes = args[0];
        if (!lanes)
            return c->target[1];
        if (m->active & ~lanes)
            push(s, ENTRY_BRANCH, m->active & ~lanes, c->target[1], fault);
        m->active = lanes;
        return c->target[0];
    case TESLA_CTL_BRA_C:
        return indirect(m, c, rows[0], fault);
    case TESLA_CTL_CALL:
        push(s, ENTRY_CALL, m->active, c->target[1], fault);
        return c->target[0];
    case TESLA_CTL_CALL_LIMITED:
        if (c->imm && s->limited >= c->imm)
            return c->target[1];
        push(s, ENTRY_CALL_LIMITED, m->active, c->target[1], fault);
        return c->target[0];
    case TESLA_CTL_PRERET:
        push(s, ENTRY_CALL, m->active, c->target[0], fault);
        return c->target[1];
    case TESLA_CTL_PRERET_LIMITED:
        if (!c->imm || s->limited < c->imm)
            push(s, ENTRY_CALL_LIMITED, m->active, c->target[0], fault);
        return c->target[1];
    case TESLA_CTL_BREAKADDR:
        push(s, ENTRY_BREAK, m->active, c->target[0], fault);
        return c->target[1];
    case TESLA_CTL_JOINAT:
        push(s, ENTRY_JOINAT, m->active, c->target[0], fault);
        return c->target[1];
    case TESLA_CTL_JOIN:
        return join(s, m, c, fault);
    case TESLA_CTL_RET:
        return leave(s, m, c, &s->returned, args[0], fault);
    case TESLA_CTL_BREAK:
        return leave(s, m, c, &s->broke, args[0], fault);
    case TESLA_CTL_EXIT:
        return leave(s, m, c, &s->exited, args[0], fault);
    case TESLA_CTL_QUADON:
        push(s, ENTRY_QUADON, m->active, 0, fault);
        m->active = whole_quads(m->active) & m->all;
        return c->target[1];
    case TESLA_CTL_QUADPOP:
        if (!s->depth || s->stack[s->depth - 1].type != ENTRY_QUADON) {
            *fault = "quadpop without quadon";
            return c->target[2];
        }
        m->active = run(s, pop(s).lanes);
        return m->active ? c->target[1] : unwind(s, m, c, fault);
    }
    *fault = "an operation that the control stack does not know";
    return c->target[2];
}

/* The entries from the top of the stack down, each "type address:threads", then the threads that wait for an entry to
 * be popped. As snprintf: what does not fit is counted. */
static int describe(const void *state, const struct ir_program *program, char *buffer, size_t size)
{
    static const char *const names[] = {[ENTRY_BRANCH] = "branch",    [ENTRY_CALL] = "call",
                                        [ENTRY_CALL_LIMITED] = "call-limited", [ENTRY_BREAK] = "break",
                                        [ENTRY_QUADON] = "quadon",    [ENTRY_JOINAT] = "joinat"};
    const struct state *s = state;
    const struct {
        const char *name;
        lane_mask lanes;
    } waiting[] = {{"broke", s->broke}, {"returned", s->returned}, {"exited", s->exited}};
    size_t n = 0;
    for (uint32_t i = s->depth; i-- > 0;) {
        const struct entry *e = &s->stack[i];
        n += (size_t)snprintf(n < size ? buffer + n : NULL, n < size ? size - n : 0, "%s%s 0x%llx:%08llx",
                              n ? ", " : "", names[e->type], (unsigned long long)program->blocks[e->block].addr,
                              (unsigned long long)e->lanes);
    }
    for (size_t i = 0; i < sizeof waiting / sizeof *waiting; i++)
        if (waiting[i].lanes)
            n += (size_t)snprintf(n < size ? buffer + n : NULL, n < size ? size - n : 0, "%s%s %08llx", n ? ", " : "",
                                  waiting[i].name, (unsigned long long)waiting[i].lanes);
    return (int)n;
}

const struct exec_policy tesla_policy = {
    .name = "tesla",
    .state_size = sizeof(struct state),
    .start = start,
    .control = control,
    .describe = describe,
};
