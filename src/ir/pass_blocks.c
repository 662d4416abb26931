/* pass_blocks.c - blocks joined where one goto leads to a block that nothing else enters; blocks that no path
 * reaches go. Where jumps are computed every block may be entered by its address, and all stay as they are. */
#include "ir/pass.h"

#include "ir/rewrite.h"

#include <string.h>

/* How many ways lead into each block; the entry has the way in. Edges of the policies' node count, too. */
static uint32_t *count_ways(const struct flow *f, const uint8_t *seen, struct arena *scratch)
{
    uint32_t *ways = ARENA_ARRAY(scratch, uint32_t, f->nodes);
    if (!ways)
        return NULL;
    ways[IR_ENTRY] = 2;
    for (uint32_t n = 0; n < f->nodes; n++)
        for (uint32_t i = f->first[n]; seen[n] && i < f->first[n + 1]; i++)
            ways[f->to[i]]++;
    return ways;
}

/* Put the ops of the block that `head` goes to in place of its goto. */
static bool join_next(struct ir_program *p, uint32_t head, uint32_t next)
{
    struct ir_block *a = &p->blocks[head], *b = &p->blocks[next];
    struct ir_op *rest = b->ops, *ops = a->ops;
    if (!arena_absorb(a->ops, b->ops, sizeof *ops, &a->cap, b->cap))
        ops = arena_grow(p->arena, a->ops, sizeof *ops, a->count, &a->cap, (size_t)a->count + b->count);
    if (!ops)
        return false;
    a->ops = ops;
    memmove(a->ops + a->count - 1, rest, b->count * sizeof *rest);
    a->count += b->count - 1;
    a->insns += b->insns;
    *b = (struct ir_block){.addr = b->addr, .insn = b->insn};
    return true;
}

static void join_chains(struct ir_program *p, const uint32_t *ways, uint8_t *seen)
{
    for (uint32_t head = IR_ENTRY; head < p->nblocks; head++) {
        while (seen[head]) {
            const struct ir_op *t = block_terminator(p, head);
            uint32_t next = t->desc;
            if (t->code != IR_GOTO || next == head || ways[next] != 1 || !join_next(p, head, next))
                break;
            seen[next] = 0;
        }
    }
}

/* Blocks that stay move together; every target follows. */
static void compact(struct ir_program *p, const uint8_t *seen, uint32_t *moved, uint8_t *patched)
{
    uint32_t kept = 0;
    for (uint32_t b = 0; b < p->nblocks; b++) {
        moved[b] = kept;
        if (seen[b])
            p->blocks[kept++] = p->blocks[b];
    }
    p->nblocks = kept;
    for (uint32_t b = IR_ENTRY; b < kept; b++) {
        struct ir_op *t = &p->blocks[b].ops[p->blocks[b].count - 1];
        if (t->code == IR_GOTO || t->code == IR_BARRIER || t->code == IR_BRANCH)
            t->desc = moved[t->desc];
        if (t->code == IR_BRANCH)
            t->imm = moved[t->imm];
        if (t->code != IR_CONTROL || patched[t->desc])
            continue;
        patched[t->desc] = 1; /* descriptors may be shared */
        struct ir_control *c = &p->controls[t->desc];
        for (unsigned i = 0; i < c->ntargets; i++)
            c->target[i] = moved[c->target[i]];
    }
}

void ir_pass_blocks(struct ir_program *p)
{
    struct arena scratch = {.limit = PASS_MEMORY};
    struct flow flow;
    if (!arena_failed(p->arena) && !p->frozen && flow_make(&flow, p, &scratch) && !flow.computed) {
        uint8_t *seen = ARENA_ARRAY(&scratch, uint8_t, flow.nodes),
                *patched = ARENA_ARRAY(&scratch, uint8_t, p->ncontrols);
        uint32_t *moved = ARENA_ARRAY(&scratch, uint32_t, flow.nodes);
        bool ok = seen && patched && moved && flow_reach(&flow, IR_ENTRY, seen, &scratch);
        uint32_t *ways = ok ? count_ways(&flow, seen, &scratch) : NULL;
        if (ways) {
            seen[IR_PROLOGUE] = 1;
            join_chains(p, ways, seen);
            compact(p, seen, moved, patched);
        }
    }
    pass_end(p, &scratch);
}
