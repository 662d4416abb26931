/* pass_flatten.c - branches around little work become selects: both arms run for all lanes, and each register that an
 * arm writes takes the value of its lanes.
 *
 * And lanes that go where nobody else comes need not ask who is there. Others may come there later by the same way: out
 * of a loop, after more turns. And a turn ends when all have ended it. Blocks run in the order of their numbers, which
 * tells both.
 *
 * Only where the control says what it does (enum ir_way): lanes split in two and meet again. An arm has one way in, few
 * ops that cost little, and no effect but on registers, so that nobody can tell that more lanes ran it. */
#include "ir/pass.h"

#include "ir/build.h"
#include "ir/rewrite.h"

#include <string.h>

enum { MOST_COST = 24 /* of both arms */, DEAR = 8, MOST_WRITES = 16 };

/* What a register is after the arms. */
struct written {
    uint32_t reg;          /* its descriptor */
    ir_value value[2];     /* by arm; 0: not written there */
};

struct branch {
    uint32_t head, arm[2]; /* blocks; the arm is the merge block itself where there is nothing to do */
    uint32_t merge;
    ir_value condition;
    struct written written[MOST_WRITES];
    unsigned nwritten;
};

struct flatten {
    struct ir_program *p;
    uint32_t *ways; /* by block: terminators that name it, of blocks that are seen */
    uint8_t *seen;  /* by block: some path leads there */
    uint32_t *turn; /* by block: the first from it on that goes back to it or before it; the number of blocks: none */
};

/* ---- loops ---- */

static unsigned targets_of(const struct ir_program *p, uint32_t block, uint32_t target[IR_TARGETS])
{
    const struct ir_op *t = block_terminator(p, block);
    unsigned count = t ? ir_targets(p, t, target) : 0;
    if (t && t->code == IR_CONTROL && p->controls[t->desc].way == IR_WAY_MEET)
        count = 1; /* what else it names is where lanes that have ended are */
    return count;
}

/* Blocks between `from` and `last`, which is the first so far to go back as far as that. `next` leaps over those that
 * have one: the next lower block that may have none. */
static void note_turn(struct flatten *f, uint32_t from, uint32_t last, uint32_t *next)
{
    for (uint32_t b = last; b >= from;) {
        if (f->turn[b] == f->p->nblocks)
            f->turn[b] = last;
        uint32_t lower = next[b];
        next[b] = lower < from ? lower : from - 1;
        b = lower;
    }
}

static bool find_turns(struct flatten *f, struct arena *scratch)
{
    const struct ir_program *p = f->p;
    uint32_t *next = ARENA_ARRAY(scratch, uint32_t, p->nblocks);
    f->turn = ARENA_ARRAY(scratch, uint32_t, p->nblocks);
    for (uint32_t b = 0; next && f->turn && b < p->nblocks; b++) {
        f->turn[b] = p->nblocks;
        next[b] = b ? b - 1 : 0;
    }
    for (uint32_t b = IR_ENTRY; next && f->turn && b < p->nblocks; b++) {
        uint32_t target[IR_TARGETS];
        for (unsigned i = targets_of(p, b, target); i-- > 0;)
            if (target[i] <= b && target[i] >= IR_ENTRY)
                note_turn(f, target[i], b, next);
    }
    return next && f->turn;
}

/* Whether lanes wait at `to` for others: for those that come there from `block` after more turns of a loop; or, where a
 * turn ends, for those that are between the two and have not ended it. */
static bool waits(const struct flatten *f, uint32_t block, uint32_t to)
{
    if (to <= block || f->turn[block] < to)
        return to > block;
    uint32_t next = block + 1;
    while (next < to && !f->seen[next])
        next++;
    return next < to && f->turn[to] == to;
}

/* ---- what an arm may have ---- */

/* 0: it may not be there. */
static unsigned cost_of(const struct ir_op *op)
{
    switch (op->code) {
    case IR_GET:
    case IR_SET:
    case IR_COPY:
    case IR_CONST:
    case IR_BITCAST:
    case IR_INTERP:
    case IR_ATTR:
        return 1;
    case IR_QUAD_LANE:
    case IR_QUAD_XOR:
    case IR_SHUFFLE:
    case IR_HELPER:
    case IR_DIV_S:
    case IR_DIV_U:
    case IR_REM_S:
    case IR_REM_U:
        return 0;
    case IR_FPOW:
        return 2 * DEAR;
    case IR_FDIV:
    case IR_FSQRT:
    case IR_FEXP2:
    case IR_FLOG2:
    case IR_FSIN:
    case IR_FCOS:
        return DEAR;
    default:
        return ir_op_info[op->code].flags & IR_OP_PURE ? 1 : 0;
    }
}

static bool same_span(const struct reg_span *a, const struct reg_span *b)
{
    return a->file == b->file && a->elem == b->elem && a->count == b->count && a->mask == b->mask;
}

static bool overlap(const struct reg_span *a, const struct reg_span *b)
{
    return a->file == b->file && a->elem < b->elem + b->count && b->elem < a->elem + a->count && (a->mask & b->mask);
}

/* The entry for a register, perhaps a new one; NULL: a part of it is written otherwise, or there are too many. */
static struct written *entry_for(const struct ir_program *p, struct branch *b, uint32_t reg)
{
    struct reg_span s = reg_span(p, &p->regs[reg]);
    for (unsigned i = 0; i < b->nwritten; i++) {
        struct reg_span other = reg_span(p, &p->regs[b->written[i].reg]);
        if (same_span(&s, &other) && p->regs[reg].part == p->regs[b->written[i].reg].part)
            return &b->written[i];
        if (overlap(&s, &other))
            return NULL;
    }
    if (b->nwritten == MOST_WRITES)
        return NULL;
    b->written[b->nwritten] = (struct written){.reg = reg};
    return &b->written[b->nwritten++];
}

/* Whether this arm has written a part of what op reads. */
static bool reads_written(const struct ir_program *p, const struct branch *b, unsigned arm, const struct ir_op *op)
{
    struct reg_span s = reg_span(p, &p->regs[op->desc]);
    for (unsigned i = 0; i < b->nwritten; i++) {
        struct reg_span other = reg_span(p, &p->regs[b->written[i].reg]);
        if (b->written[i].value[arm] && overlap(&s, &other))
            return true;
    }
    return false;
}

/* Look at an arm's ops, and note what it writes. A predicated write is left to the branch. */
static bool look_at_arm(const struct ir_program *p, struct branch *b, unsigned arm, unsigned *cost)
{
    const struct ir_block *block = &p->blocks[b->arm[arm]];
    for (uint32_t i = 0; i + 1 < block->count; i++) {
        const struct ir_op *op = &block->ops[i];
        unsigned own = cost_of(op);
        *cost += own;
        if (!own || op->pred || *cost > MOST_COST || (op->code == IR_GET && reads_written(p, b, arm, op)))
            return false;
        if (op->code != IR_SET)
            continue;
        struct written *w = p->files[p->regs[op->desc].file].uniform ? NULL : entry_for(p, b, op->desc);
        if (!w)
            return false;
        w->value[arm] = ir_args(p, op)[0];
    }
    return true;
}

/* ---- the shape ---- */

/* Where a block goes on to, with all its lanes; 0: elsewhere or nowhere. */
static uint32_t goes_to(const struct ir_program *p, uint32_t block)
{
    const struct ir_op *t = block_terminator(p, block);
    if (t && t->code == IR_GOTO)
        return t->desc;
    return t && t->code == IR_CONTROL && p->controls[t->desc].way == IR_WAY_MEET ? p->controls[t->desc].target[0] : 0;
}

/* A block that only `head` leads to, and that goes on to one place. */
static bool is_arm(const struct flatten *f, uint32_t block, uint32_t head)
{
    return block != head && block >= pass_first(f->p) && f->ways[block] == 1 && goes_to(f->p, block) != 0 &&
           goes_to(f->p, block) != block;
}

/* Whether an arm ends with a control. */
static bool meets(const struct ir_program *p, const struct branch *b)
{
    for (unsigned i = 0; i < 2; i++)
        if (b->arm[i] != b->merge && block_terminator(p, b->arm[i])->code == IR_CONTROL)
            return true;
    return false;
}

static bool find_branch(const struct flatten *f, uint32_t head, struct branch *b)
{
    const struct ir_program *p = f->p;
    const struct ir_op *t = block_terminator(p, head);
    if (!t || t->code != IR_CONTROL || p->controls[t->desc].way != IR_WAY_SPLIT)
        return false;
    const uint32_t *to = p->controls[t->desc].target;
    bool arm0 = is_arm(f, to[0], head), arm1 = is_arm(f, to[1], head);
    *b = (struct branch){.head = head, .arm = {to[0], to[1]}, .condition = ir_args(p, t)[0]};
    if (to[0] == to[1])
        return false;
    if (arm0 && (goes_to(p, to[0]) == to[1] || (arm1 && goes_to(p, to[0]) == goes_to(p, to[1]))))
        b->merge = goes_to(p, to[0]);
    else if (arm1 && goes_to(p, to[1]) == to[0])
        b->merge = to[0];
    unsigned cost = 0;
    for (unsigned i = 0; i < 2 && b->merge; i++)
        if (b->arm[i] != b->merge && !look_at_arm(p, b, i, &cost))
            return false;
    return b->merge != 0 && b->merge != head && (!waits(f, head, b->merge) || meets(p, b));
}

/* ---- doing it ---- */

/* Add to the ways of the blocks that a block leads to, or take them off again. */
static void add_ways(struct flatten *f, uint32_t block, int ways)
{
    uint32_t target[IR_TARGETS];
    unsigned count = f->seen[block] ? targets_of(f->p, block, target) : 0;
    for (unsigned i = 0; i < count; i++)
        f->ways[target[i]] += (uint32_t)ways;
}

/* The arm's ops but for its writes follow those of the head; nothing leads to the arm any more. */
static bool move_ops(struct ir_program *p, uint32_t head, uint32_t arm)
{
    struct ir_block *a = &p->blocks[head], *b = &p->blocks[arm];
    a->ops = arena_grow(p->arena, a->ops, sizeof *a->ops, a->count, &a->cap, (size_t)a->count + b->count);
    if (!a->ops)
        return false;
    for (uint32_t i = 0; i + 1 < b->count; i++)
        if (b->ops[i].code != IR_SET)
            a->ops[a->count++] = b->ops[i];
    a->insns += b->insns;
    b->ops[0] = (struct ir_op){.code = IR_END, .insn = b->ops[b->count - 1].insn};
    b->count = 1;
    return true;
}

static void write_all(struct ir_builder *b, const struct branch *br)
{
    struct ir_program *p = b->p;
    for (unsigned i = 0; i < br->nwritten; i++) {
        const struct written *w = &br->written[i];
        enum ir_type type = (enum ir_type)p->regs[w->reg].part;
        ir_value old = 0;
        if (!w->value[0] || !w->value[1])
            old = ir_emit(b, IR_GET, type, 0, 1, NULL, 0, w->reg, 0, 0);
        ir_value v = ir_select(b, br->condition, w->value[0] ? w->value[0] : old, w->value[1] ? w->value[1] : old);
        ir_emit(b, IR_SET, IR_VOID, 0, 0, &v, 1, w->reg, 0, 0);
    }
}

/* What the arms' ends were: one that meets others, if there is one and others can come to the merge block. */
static void go_on(struct ir_builder *b, const struct branch *br, struct ir_op meet, bool others)
{
    struct ir_program *p = b->p;
    if (meet.code == IR_CONTROL && others) {
        struct ir_block *head = &p->blocks[br->head];
        head->ops = arena_grow(p->arena, head->ops, sizeof *head->ops, head->count, &head->cap, head->count + 1u);
        if (head->ops)
            head->ops[head->count++] = meet;
        return;
    }
    ir_goto(b, br->merge);
}

static bool flatten_branch(struct flatten *f, const struct branch *br)
{
    struct ir_program *p = f->p;
    struct ir_builder b = {.p = p, .block = br->head, .insn = block_terminator(p, br->head)->insn};
    struct ir_op meet = {.code = IR_GOTO};
    bool others = f->ways[br->merge] > 2 || waits(f, br->head, br->merge);
    add_ways(f, br->head, -1);
    p->blocks[br->head].count--;
    for (unsigned i = 0; i < 2; i++) {
        if (br->arm[i] == br->merge)
            continue;
        struct ir_op t = *block_terminator(p, br->arm[i]);
        meet = t.code == IR_CONTROL ? t : meet;
        add_ways(f, br->arm[i], -1);
        if (!move_ops(p, br->head, br->arm[i]))
            return false;
        f->seen[br->arm[i]] = 0;
    }
    write_all(&b, br);
    go_on(&b, br, meet, others);
    if (arena_failed(p->arena))
        return false;
    add_ways(f, br->head, 1);
    return true;
}

/* A control that lets lanes meet, where there is no other way to the place. */
static bool go_straight(struct flatten *f)
{
    bool any = false;
    for (uint32_t b = pass_first(f->p); b < f->p->nblocks; b++) {
        struct ir_block *block = &f->p->blocks[b];
        struct ir_op *t = f->seen[b] && block->count ? &block->ops[block->count - 1] : NULL;
        const struct ir_control *c = t && t->code == IR_CONTROL ? &f->p->controls[t->desc] : NULL;
        if (!c || c->way != IR_WAY_MEET || f->ways[c->target[0]] != 1 || c->target[0] == b ||
            waits(f, b, c->target[0]))
            continue;
        *t = (struct ir_op){.code = IR_GOTO, .desc = c->target[0], .insn = t->insn};
        any = true;
    }
    return any;
}

/* Inner constructs have higher numbers: from the last block on, so that an arm is flat before its branch is looked at.
 */
bool ir_pass_flatten(struct ir_program *p)
{
    struct arena scratch = {.limit = PASS_MEMORY};
    struct flatten f = {.p = p};
    struct flow flow;
    bool any = false;
    if (!arena_failed(p->arena) && !p->frozen && !p->precise && flow_make(&flow, p, &scratch) && !flow.computed) {
        f.seen = ARENA_ARRAY(&scratch, uint8_t, flow.nodes);
        f.ways = ARENA_ARRAY(&scratch, uint32_t, flow.nodes);
        bool ok = f.seen && f.ways && find_turns(&f, &scratch) && flow_reach(&flow, IR_ENTRY, f.seen, &scratch);
        for (uint32_t b = IR_ENTRY; ok && b < p->nblocks; b++)
            add_ways(&f, b, 1);
        for (uint32_t b = p->nblocks; ok && b-- > IR_ENTRY;) {
            struct branch br;
            if (!f.seen[b] || !find_branch(&f, b, &br))
                continue;
            ok = flatten_branch(&f, &br);
            any = true;
        }
        any |= ok && go_straight(&f);
    }
    pass_end(p, &scratch);
    return any;
}
