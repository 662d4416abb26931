/* layout.c - functions: their blocks, the order in which these are laid out, and values that more than one uses. */
#include "isa/spirv/flow.h"

#include <string.h>

/* Does an instruction of this flow end its block? */
static bool is_end(weft_flow flow)
{
    return flow == WEFT_FLOW_BRANCH || flow == WEFT_FLOW_RETURN || flow == WEFT_FLOW_DISCARD || flow == WEFT_FLOW_END;
}

/* Words of a number that a switch compares with. */
static unsigned switch_words(struct spirv_lifter *l, uint32_t selector)
{
    uint32_t def = l->m->def[selector];
    uint32_t type = def == SPIRV_NONE ? 0 : spirv_words(l->m, def)[1];
    return type < l->m->bound && l->types[type].bits == 64 ? 2 : 1;
}

/* Blocks that a terminator goes to: fn gets each id. */
typedef void successor(void *context, uint32_t id);
static void successors(struct spirv_lifter *l, uint32_t insn, successor *fn, void *context)
{
    const struct spirv_insn *i = &l->m->insns[insn];
    const struct spirv_row *row = &spirv_rows[i->row];
    struct spirv_does does = spirv_does(row);
    const uint32_t *w = spirv_words(l->m, insn);
    if (does.flow != WEFT_FLOW_BRANCH)
        return;
    if (spirv_has_cases(row))
        for (unsigned step = switch_words(l, w[1]) + 1, k = does.label + 1u; k + step <= i->count; k += step)
            fn(context, w[k + step - 1]);
    for (unsigned k = 0; k < does.labels; k++)
        fn(context, w[does.label + k]);
}

struct spirv_block *spirv_block_of(struct spirv_lifter *l, struct spirv_function *f, uint32_t id)
{
    uint32_t i = id < l->m->bound ? l->block_of[id] : SPIRV_NONE;
    return i < f->nblocks && f->block[i].id == id ? &f->block[i] : NULL;
}

/* ---- functions and blocks ---- */

static bool wrong_at(struct spirv_lifter *l, uint32_t insn, const char *what)
{
    l->at = insn;
    spirv_wrong(l, "%s", what);
    return false;
}

static bool take_block(struct spirv_lifter *l, struct spirv_function *f, uint32_t *at)
{
    struct spirv_block *b = &f->block[f->nblocks];
    uint32_t i = *at;
    *b = (struct spirv_block){.id = spirv_words(l->m, i)[1], .first = i + 1};
    for (i++; i < l->m->ninsns; i++) {
        unsigned op = l->m->insns[i].op;
        const uint32_t *w = spirv_words(l->m, i);
        struct spirv_does does = spirv_does(&spirv_rows[l->m->insns[i].row]);
        if (is_end(does.flow))
            break;
        if (op == SpvOpLabel || op == SpvOpFunctionEnd || op == SpvOpFunction)
            return wrong_at(l, i, "the block before it has no end");
        if (does.labels > 0)
            b->merge = w[does.label];
        if (does.labels > 1)
            b->cont = w[does.label + 1];
    }
    if (i == l->m->ninsns)
        return wrong_at(l, *at, "the block has no end");
    b->end = i;
    l->block_of[b->id] = f->nblocks++;
    *at = i;
    return true;
}

static bool take_function(struct spirv_lifter *l, uint32_t *at)
{
    uint32_t i = *at, labels = 0, params = 0;
    struct spirv_function *f = ARENA_NEW(l->arena, struct spirv_function);
    for (i++; i < l->m->ninsns && l->m->insns[i].op != SpvOpFunctionEnd; i++) {
        labels += l->m->insns[i].op == SpvOpLabel;
        params += l->m->insns[i].op == SpvOpFunctionParameter;
    }
    if (i == l->m->ninsns)
        return wrong_at(l, *at, "the function has no end");
    uint32_t end = i;
    if (!f || !(f->block = ARENA_ARRAY(l->arena, struct spirv_block, labels + 1)) ||
        !(f->param = ARENA_ARRAY(l->arena, uint32_t, params + 1)))
        return false;
    f->insn = *at;
    for (i = *at + 1; i < end; i++) {
        unsigned op = l->m->insns[i].op;
        if (op == SpvOpFunctionParameter)
            f->param[f->nparams++] = i;
        else if (op == SpvOpLabel && !take_block(l, f, &i))
            return false;
        else if (op != SpvOpLabel && op != SpvOpExtInst && !spirv_is_of(op, "Debug"))
            return wrong_at(l, i, "it is not in a block");
    }
    l->functions[spirv_words(l->m, f->insn)[2]] = f;
    *at = end;
    return true;
}

bool spirv_find_functions(struct spirv_lifter *l)
{
    l->block_of = ARENA_ARRAY(l->arena, uint32_t, l->m->bound);
    l->home = ARENA_ARRAY(l->arena, uint32_t, l->m->bound);
    if (!l->block_of || !l->home)
        return false;
    memset(l->block_of, 0xff, l->m->bound * sizeof *l->block_of);
    for (uint32_t i = 0; i < l->m->ninsns; i++)
        if (l->m->insns[i].op == SpvOpFunction && !take_function(l, &i))
            return false;
    return !arena_failed(l->arena);
}

/* ---- the order ---- */

/* A depth-first walk that takes the merge block first, then the continue target, then the rest from the last to the
 * first. Reversed, the order of its ends has a construct before its continue target, and that before its merge
 * block. */
struct orderer {
    struct spirv_lifter *l;
    struct spirv_function *f;
    uint8_t *state;          /* 1: found, 2: taken apart */
    uint32_t *stack, depth;
    size_t cap;
    bool order, failed;
};

static void push(void *context, uint32_t id)
{
    struct orderer *o = context;
    struct spirv_block *b = spirv_block_of(o->l, o->f, id);
    if (!b) {
        o->failed = true;
        return;
    }
    uint32_t i = (uint32_t)(b - o->f->block);
    if (o->order ? !b->reachable || o->state[i] : b->reachable)
        return;
    o->stack = arena_grow(o->l->arena, o->stack, sizeof *o->stack, o->depth, &o->cap, o->depth + 1);
    if (!o->stack) {
        o->failed = true;
        return;
    }
    o->stack[o->depth++] = i;
}

static void count_edge(void *context, uint32_t id)
{
    struct orderer *o = context;
    struct spirv_block *b = spirv_block_of(o->l, o->f, id);
    if (b)
        b->preds++;
    else
        o->failed = true;
}

static void find_reachable(struct orderer *o)
{
    o->order = false;
    push(o, o->f->block[0].id);
    while (o->depth && !o->failed) {
        struct spirv_block *b = &o->f->block[o->stack[--o->depth]];
        if (b->reachable)
            continue;
        b->reachable = true;
        successors(o->l, b->end, count_edge, o);
        successors(o->l, b->end, push, o);
    }
}

/* What is pushed last is walked first. So that merge comes first it is pushed last. */
static void push_all(struct orderer *o, const struct spirv_block *b)
{
    successors(o->l, b->end, push, o);
    if (b->cont && spirv_block_of(o->l, o->f, b->cont))
        push(o, b->cont);
    if (b->merge && spirv_block_of(o->l, o->f, b->merge))
        push(o, b->merge);
}

static void find_order(struct orderer *o)
{
    struct spirv_function *f = o->f;
    uint32_t ends = f->nblocks;
    o->order = true;
    push(o, f->block[0].id);
    while (o->depth && !o->failed) {
        uint32_t i = o->stack[o->depth - 1];
        if (o->state[i] == 0) {
            o->state[i] = 1;
            push_all(o, &f->block[i]);
        } else {
            o->depth--;
            if (o->state[i] == 1)
                f->order[--ends] = i;
            o->state[i] = 2;
        }
    }
    f->norder = f->nblocks - ends;
    memmove(f->order, f->order + ends, f->norder * sizeof *f->order);
}

/* ---- values that cross blocks ---- */

struct crossing {
    struct spirv_lifter *l;
    const uint32_t *w;
    uint32_t segment;
};

static void note_use(void *context, char letter, unsigned kind, uint32_t at, uint32_t count)
{
    struct crossing *c = context;
    uint32_t id = c->w[at];
    (void)kind;
    (void)count;
    if (letter == 'r')
        c->l->home[id] = c->segment;
    else if (letter == 'i' && c->l->home[id] && c->l->home[id] != c->segment)
        c->l->values[id].crosses = true;
}

static void mark_block(struct spirv_lifter *l, struct spirv_block *b)
{
    struct crossing c = {.l = l, .segment = ++l->segments};
    for (uint32_t i = b->first; i <= b->end; i++) {
        const struct spirv_insn *insn = &l->m->insns[i];
        const struct spirv_row *row = &spirv_rows[insn->row];
        weft_flow flow = spirv_does(row).flow;
        c.w = spirv_words(l->m, i);
        if (flow == WEFT_FLOW_CALL || flow == WEFT_FLOW_BARRIER) { /* a new block of the IR begins after it: */
            /* the arguments belong to the segment before, the result to that after */
            for (uint32_t k = 3; flow == WEFT_FLOW_CALL && k < insn->count; k++)
                note_use(&c, 'i', 0, k, 1);
            c.segment = ++l->segments;
            if (flow == WEFT_FLOW_CALL)
                l->home[c.w[2]] = c.segment;
        } else if (spirv_has_cases(row)) {
            note_use(&c, 'i', 0, 1, 1);
        } else if (insn->op == SpvOpPhi) {
            l->home[c.w[2]] = c.segment;
        } else {
            spirv_walk(row, c.w, insn->count, note_use, &c);
        }
    }
    b->segment = c.segment;
}

/* Operands of phis are used at the ends of the blocks that they come from. */
static void mark_phis(struct spirv_lifter *l, struct spirv_function *f, const struct spirv_block *b)
{
    for (uint32_t i = b->first; i < b->end; i++) {
        if (l->m->insns[i].op != SpvOpPhi)
            continue;
        const uint32_t *w = spirv_words(l->m, i);
        l->values[w[2]].crosses = true;
        for (uint32_t k = 3; k + 1 < l->m->insns[i].count; k += 2) {
            const struct spirv_block *from = spirv_block_of(l, f, w[k + 1]);
            if (l->home[w[k]] && (!from || l->home[w[k]] != from->segment))
                l->values[w[k]].crosses = true;
        }
    }
}

static void mark_crossing(struct spirv_lifter *l, struct spirv_function *f)
{
    for (uint32_t i = 0; i < f->nparams; i++)
        l->home[spirv_words(l->m, f->param[i])[2]] = l->segments + 1;
    for (uint32_t i = 0; i < f->nblocks; i++)
        if (f->block[i].reachable)
            mark_block(l, &f->block[i]);
    for (uint32_t i = 0; i < f->nblocks; i++)
        if (f->block[i].reachable)
            mark_phis(l, f, &f->block[i]);
}

bool spirv_lay_out(struct spirv_lifter *l, struct spirv_function *f)
{
    struct orderer o = {.l = l, .f = f};
    if (f->ready)
        return true;
    if (!f->nblocks)
        return wrong_at(l, f->insn, "the function has no blocks");
    f->order = ARENA_ARRAY(l->arena, uint32_t, f->nblocks + 1);
    o.state = ARENA_ARRAY(l->arena, uint8_t, f->nblocks);
    if (!f->order || !o.state)
        return false;
    find_reachable(&o);
    if (!o.failed)
        find_order(&o);
    if (o.failed)
        return !arena_failed(l->arena) && wrong_at(l, f->insn, "a branch goes to what is not a block of the function");
    mark_crossing(l, f);
    f->ready = true;
    return !arena_failed(l->arena);
}
