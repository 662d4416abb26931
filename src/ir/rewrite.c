/* rewrite.c - a program with some ops replaced. */
#include "ir/rewrite.h"

#include "ir/pass.h"
#include "ir/words.h"

#include <string.h>

/* ---- values ---- */

ir_value pass_first_value(const struct ir_program *p)
{
    ir_value first = p->nvalues;
    if (!p->frozen || p->blocks[IR_PROLOGUE].count)
        return 0;
    for (uint32_t b = pass_first(p); b < p->nblocks; b++)
        for (uint32_t i = 0; i < p->blocks[b].count; i++)
            if (p->blocks[b].ops[i].nres && p->blocks[b].ops[i].res < first)
                first = p->blocks[b].ops[i].res;
    return first;
}

bool rewrite_start(struct rewrite *rw, struct ir_program *p, struct arena *scratch)
{
    *rw = (struct rewrite){.p = p, .first = pass_first_value(p), .nvalues = p->nvalues};
    rw->with = ARENA_ARRAY(scratch, ir_value, p->nvalues - rw->first + 1u);
    return rw->with != NULL;
}

/* What a value stands for. */
static ir_value replacement(const struct rewrite *rw, ir_value v)
{
    ir_value with = v >= rw->first && v < rw->nvalues ? rw->with[v - rw->first] : 0;
    return with ? with : v;
}

void rewrite_uniform(struct ir_program *p, struct ir_op *op)
{
    op->uniform = ir_derive_uniform(p, op);
    if (op->nres)
        memset(p->value_uniform + op->res, op->uniform, op->nres);
}

void rewrite_op(struct rewrite *rw, struct ir_op *op)
{
    ir_value *args = op->nargs ? rw->p->pool + op->args : NULL;
    for (unsigned i = 0; i < op->nargs; i++)
        args[i] = replacement(rw, args[i]);
    if (op->pred)
        op->pred = replacement(rw, op->pred);
    rewrite_uniform(rw->p, op);
}

void rewrite_results(struct rewrite *rw, const struct ir_op *op, ir_value value)
{
    for (unsigned i = 0; i < op->nres; i++)
        rw->with[op->res - rw->first + i] = value + i;
}

/* ---- registers ---- */

struct reg_span reg_span(const struct ir_program *p, const struct ir_reg *reg)
{
    unsigned bits = ir_type_bits((enum ir_type)reg->part), width = p->files[reg->file].bits;
    unsigned touched = bits < width ? bits : width;
    struct reg_span s = {.file = reg->file, .elem = reg->elem, .count = 1, .mask = UINT64_MAX >> (64 - touched)};
    if (bits > width)
        s.count = bits / width;
    else if (bits < width)
        s.mask <<= reg->shift;
    return s;
}

struct reg_span reg_range(const struct ir_program *p, const struct ir_reg *reg)
{
    struct reg_span s = reg_span(p, reg);
    if (reg->first > reg->last) {
        s.count = 0;
        return s;
    }
    int64_t a = (int64_t)reg->first * reg->stride, b = (int64_t)reg->last * reg->stride;
    int64_t low = a < b ? a : b, high = a < b ? b : a;
    s.elem = (uint32_t)(reg->elem + low);
    s.count += (uint32_t)(high - low);
    return s;
}

enum reg_access reg_access(const struct ir_op *op)
{
    switch (op->code) {
    case IR_GET:
        return REG_READ;
    case IR_GET_DYN:
    case IR_GET_LANE:
        return REG_READ_RANGE;
    case IR_SET:
        return REG_WRITE;
    case IR_SET_DYN:
    case IR_SET_LANE:
        return REG_WRITE_RANGE;
    default:
        return REG_NONE;
    }
}

bool may_stop(const struct ir_program *p, const struct ir_op *op)
{
    switch (op->code) {
    case IR_PROBE: /* what is inserted to look may look at registers */
        return true;
    case IR_CHECK:
    case IR_LOAD:
    case IR_STORE:
    case IR_ATOMIC:
    case IR_SERVICE:
        return p->precise;
    default:
        return false;
    }
}

bool elements_number(struct elements *e, const struct ir_program *p, struct arena *scratch)
{
    *e = (struct elements){0};
    e->base = ARENA_ARRAY(scratch, uint32_t, p->nfiles + 1u);
    if (!e->base)
        return false;
    for (uint32_t b = p->frozen ? pass_first(p) : IR_PROLOGUE; b < p->nblocks; b++) {
        for (uint32_t i = 0; i < p->blocks[b].count; i++) {
            const struct ir_op *op = &p->blocks[b].ops[i];
            enum reg_access access = reg_access(op);
            if (access == REG_NONE)
                continue;
            bool range = access == REG_READ_RANGE || access == REG_WRITE_RANGE;
            const struct ir_reg *r = &p->regs[op->desc];
            struct reg_span s = range ? reg_range(p, r) : reg_span(p, r);
            if (s.count && s.elem + s.count > e->base[s.file + 1])
                e->base[s.file + 1] = s.elem + s.count;
        }
    }
    uint64_t total = 0;
    for (uint32_t f = 0; f < p->nfiles; f++) {
        total += e->base[f + 1];
        if (total > PASS_MEMORY / 8)
            return false;
        e->base[f + 1] = (uint32_t)total;
    }
    e->count = (uint32_t)total;
    return true;
}

/* ---- the end of a pass ---- */

void pass_end(struct ir_program *p, struct arena *scratch)
{
    p->arena->failed |= scratch->refused;
    arena_free(scratch);
}

/* ---- flow ---- */

const struct ir_op *block_terminator(const struct ir_program *p, uint32_t block)
{
    const struct ir_block *b = &p->blocks[block];
    return block == IR_PROLOGUE || !b->count ? NULL : &b->ops[b->count - 1];
}

bool flow_make(struct flow *f, const struct ir_program *p, struct arena *scratch)
{
    uint32_t target[IR_TARGETS];
    *f = (struct flow){.nblocks = p->nblocks, .nodes = p->nblocks + 1};
    size_t edges = p->nblocks; /* those of the node of policies, when jumps are computed */
    for (uint32_t b = IR_ENTRY; b < p->nblocks; b++) {
        const struct ir_op *t = block_terminator(p, b);
        if (!t)
            continue;
        edges += 2u * ir_targets(p, t, target) + 1;
        f->computed |= ir_computes_target(p, t);
        f->control |= t->code == IR_CONTROL;
    }
    f->first = ARENA_ARRAY(scratch, uint32_t, f->nodes + 1u);
    f->to = ARENA_ARRAY(scratch, uint32_t, edges);
    if (!f->first || !f->to || edges > UINT32_MAX)
        return false;
    uint32_t n = 0;
    for (uint32_t b = 0; b < p->nblocks; b++) {
        const struct ir_op *t = block_terminator(p, b);
        f->first[b] = n;
        if (!t)
            continue;
        unsigned count = ir_targets(p, t, target);
        for (unsigned i = 0; i < count; i++)
            f->to[n++] = target[i];
        if (t->code == IR_CONTROL || t->code == IR_JUMP)
            f->to[n++] = p->nblocks;
    }
    f->first[p->nblocks] = n;
    for (uint32_t b = IR_ENTRY; b < p->nblocks; b++) {
        const struct ir_op *t = block_terminator(p, b);
        if (f->computed)
            f->to[n++] = b;
        else if (t && t->code == IR_CONTROL)
            for (unsigned i = 0, count = ir_targets(p, t, target); i < count; i++)
                f->to[n++] = target[i];
    }
    f->first[f->nodes] = n;
    return true;
}

bool flow_reach(const struct flow *f, uint32_t from, uint8_t *seen, struct arena *scratch)
{
    uint32_t *stack = ARENA_ARRAY(scratch, uint32_t, f->nodes), depth = 0;
    if (!stack)
        return false;
    if (!seen[from]) {
        seen[from] = 1;
        stack[depth++] = from;
    }
    while (depth) {
        uint32_t node = stack[--depth];
        for (uint32_t i = f->first[node]; i < f->first[node + 1]; i++) {
            if (seen[f->to[i]])
                continue;
            seen[f->to[i]] = 1;
            stack[depth++] = f->to[i];
        }
    }
    return true;
}
