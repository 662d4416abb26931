/* pass_dead.c - what nobody reads.
 *
 * A SET applies to active lanes only, and what it leaves in the others may still be read: so no SET of another block
 * ends the life of a register here. A SET lives when any block that control can reach from its own reads the
 * element. (Inside a block the mask is constant, and ir_pass_forward drops what is overwritten.) */
#include "ir/pass.h"

#include "ir/rewrite.h"

#include <string.h>

struct liveness {
    struct ir_program *p;
    struct arena scratch;
    struct elements elements;
    struct flow flow;
    size_t words;        /* of a set of elements */
    uint64_t *reads;     /* by component of the flow graph: elements that it or what it reaches reads */
    uint32_t *component; /* by node */
    uint64_t *later;     /* elements read later in the block at hand */
};

static void mark_range(uint64_t *set, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count;) {
        if (i % 64 == 0 && first + count - i >= 64) {
            set[i / 64] = UINT64_MAX;
            i += 64;
        } else {
            set[i / 64] |= (uint64_t)1 << i % 64;
            i++;
        }
    }
}

static void mark_reads(const struct liveness *l, const struct ir_op *op, uint64_t *set)
{
    enum reg_access access = reg_access(op);
    if (may_stop(l->p, op))
        memset(set, 0xff, l->words * sizeof *set);
    if (access != REG_READ && access != REG_READ_RANGE)
        return;
    const struct ir_reg *r = &l->p->regs[op->desc];
    struct reg_span s = access == REG_READ ? reg_span(l->p, r) : reg_range(l->p, r);
    mark_range(set, l->elements.base[s.file] + s.elem, s.count);
}

/* Strongly connected components in reverse topological order (Tarjan's algorithm, without recursion): whatever a
 * component reaches has a lower number. Returns how many; 0 without memory. */
static uint32_t find_components(struct liveness *l)
{
    const struct flow *f = &l->flow;
    uint32_t *index = ARENA_ARRAY(&l->scratch, uint32_t, f->nodes), *low = ARENA_ARRAY(&l->scratch, uint32_t, f->nodes);
    uint32_t *stack = ARENA_ARRAY(&l->scratch, uint32_t, f->nodes),
             *path = ARENA_ARRAY(&l->scratch, uint32_t, f->nodes);
    uint32_t *edge = ARENA_ARRAY(&l->scratch, uint32_t, f->nodes);
    l->component = ARENA_ARRAY(&l->scratch, uint32_t, f->nodes);
    if (arena_failed(&l->scratch))
        return 0;
    uint32_t count = 0, next = 1, depth = 0, length = 0;
    const uint32_t none = UINT32_MAX;
    memset(l->component, 0xff, f->nodes * sizeof *l->component);
    for (uint32_t root = 0; root < f->nodes; root++) {
        if (index[root])
            continue;
        path[length++] = root;
        while (length) {
            uint32_t n = path[length - 1];
            if (!index[n]) {
                index[n] = low[n] = next++;
                stack[depth++] = n;
                edge[n] = f->first[n];
            }
            if (edge[n] < f->first[n + 1]) {
                uint32_t to = f->to[edge[n]++];
                if (!index[to])
                    path[length++] = to;
                else if (l->component[to] == none && index[to] < low[n])
                    low[n] = index[to];
                continue;
            }
            if (low[n] == index[n]) {
                uint32_t member;
                do {
                    member = stack[--depth];
                    l->component[member] = count;
                } while (member != n);
                count++;
            }
            length--;
            if (length && low[n] < low[path[length - 1]])
                low[path[length - 1]] = low[n];
        }
    }
    return count;
}

static bool find_reads(struct liveness *l)
{
    const struct ir_program *p = l->p;
    const struct flow *f = &l->flow;
    l->words = l->elements.count / 64 + 1;
    uint32_t count = find_components(l);
    if (!count)
        return false;
    l->reads = ARENA_ARRAY(&l->scratch, uint64_t, l->words * count);
    l->later = ARENA_ARRAY(&l->scratch, uint64_t, l->words);
    /* The nodes of each component together, so that components can be closed in order. */
    uint32_t *start = ARENA_ARRAY(&l->scratch, uint32_t, count + 1u),
             *member = ARENA_ARRAY(&l->scratch, uint32_t, f->nodes);
    if (arena_failed(&l->scratch))
        return false;
    for (uint32_t n = 0; n < f->nodes; n++)
        start[l->component[n]]++;
    for (uint32_t c = 0, sum = 0; c <= count; c++) {
        uint32_t size = c < count ? start[c] : 0;
        start[c] = sum;
        sum += size;
    }
    for (uint32_t n = f->nodes; n-- > 0;)
        member[start[l->component[n]]++] = n; /* start[c] becomes the end of c */
    for (uint32_t c = 0; c < count; c++) {
        uint64_t *set = &l->reads[c * l->words];
        for (uint32_t m = c ? start[c - 1] : 0; m < start[c]; m++) {
            uint32_t n = member[m];
            for (uint32_t i = f->first[n]; i < f->first[n + 1]; i++)
                if (l->component[f->to[i]] != c)
                    for (size_t w = 0; w < l->words; w++)
                        set[w] |= l->reads[l->component[f->to[i]] * l->words + w];
            for (uint32_t i = 0; n < p->nblocks && i < p->blocks[n].count; i++)
                mark_reads(l, &p->blocks[n].ops[i], set);
        }
    }
    return true;
}

/* What is read once the block has ended: by its successors and, in a loop, by itself. */
static void live_at_end(struct liveness *l, uint32_t block)
{
    const struct flow *f = &l->flow;
    memset(l->later, 0, l->words * sizeof *l->later);
    for (uint32_t i = f->first[block]; i < f->first[block + 1]; i++) {
        const uint64_t *set = &l->reads[l->component[f->to[i]] * l->words];
        for (size_t w = 0; w < l->words; w++)
            l->later[w] |= set[w];
    }
}

static bool is_live(const struct liveness *l, const struct ir_op *op)
{
    bool range = reg_access(op) == REG_WRITE_RANGE;
    const struct ir_reg *r = &l->p->regs[op->desc];
    struct reg_span s = range ? reg_range(l->p, r) : reg_span(l->p, r);
    if (l->p->files[s.file].preserved)
        return true;
    for (uint32_t i = 0; i < s.count; i++) {
        uint32_t e = l->elements.base[s.file] + s.elem + i;
        if (l->later[e / 64] >> e % 64 & 1)
            return true;
    }
    return false;
}

static void drop_sets(struct liveness *l, uint32_t block)
{
    struct ir_block *b = &l->p->blocks[block];
    uint32_t kept = b->count;
    live_at_end(l, block);
    for (uint32_t i = b->count; i-- > 0;) {
        enum reg_access access = reg_access(&b->ops[i]);
        if ((access == REG_WRITE || access == REG_WRITE_RANGE) && !is_live(l, &b->ops[i]))
            continue;
        mark_reads(l, &b->ops[i], l->later);
        b->ops[--kept] = b->ops[i];
    }
    memmove(b->ops, b->ops + kept, (b->count - kept) * sizeof *b->ops);
    b->count -= kept;
}

static void dead_sets(struct ir_program *p)
{
    struct liveness l = {.p = p, .scratch = {.limit = PASS_MEMORY}};
    if (elements_number(&l.elements, p, &l.scratch) && flow_make(&l.flow, p, &l.scratch) && find_reads(&l))
        for (uint32_t b = IR_ENTRY; b < p->nblocks; b++)
            drop_sets(&l, b);
    pass_end(p, &l.scratch);
}

/* ---- ops ---- */

/* Whether an op may go when nobody uses its results. Loads that trap, or that a device sees, may not. */
static bool removable(const struct ir_program *p, const struct ir_op *op)
{
    if (ir_op_info[op->code].flags & (IR_OP_EFFECT | IR_OP_TERM))
        return false;
    if (op->code != IR_LOAD)
        return true;
    const struct ir_space *s = &p->spaces[p->mems[op->desc].space];
    return s->kind != IR_SPACE_BUS && s->bounds != IR_BOUNDS_TRAP;
}

/* `used`: by value, from `start` on. */
static void drop_unused(const struct ir_program *p, struct ir_block *b, uint8_t *used, ir_value start)
{
    uint32_t kept = b->count;
    for (uint32_t i = b->count; i-- > 0;) {
        const struct ir_op *op = &b->ops[i];
        bool wanted = !removable(p, op);
        for (unsigned k = 0; k < op->nres && !wanted; k++)
            wanted = used[op->res - start + k];
        if (!wanted)
            continue;
        for (unsigned k = 0; k < op->nargs; k++)
            used[ir_args(p, op)[k] - start] = 1;
        if (op->pred)
            used[op->pred - start] = 1;
        b->ops[--kept] = b->ops[i];
    }
    memmove(b->ops, b->ops + kept, (b->count - kept) * sizeof *b->ops);
    b->count -= kept;
}

static void dead_ops(struct ir_program *p)
{
    struct arena scratch = {.limit = PASS_MEMORY};
    ir_value start = pass_first_value(p);
    uint8_t *used = ARENA_ARRAY(&scratch, uint8_t, p->nvalues - start + 1u);
    uint32_t first = p->frozen ? pass_first(p) : IR_PROLOGUE;
    for (uint32_t b = p->nblocks; used && b-- > first;) /* the prologue last: its values are used everywhere */
        if (p->blocks[b].count)
            drop_unused(p, &p->blocks[b], used, start);
    pass_end(p, &scratch);
}

void ir_pass_dead(struct ir_program *p)
{
    if (arena_failed(p->arena))
        return;
    dead_ops(p); /* GETs that nobody uses keep no SET alive */
    if (!p->precise && !p->frozen) /* blocks to come may read anything */
        dead_sets(p);
    dead_ops(p);
}
