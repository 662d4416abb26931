/* native_plan.c - which operations of a program are runs that can be compiled, and what must be stored after each. */
#include "exec/native.h"
#include "exec/select.h"

#include <stdlib.h>
#include <string.h>

enum { SHORTEST = 2, LONGEST = 256 /* what LLVM does to long blocks takes time by the square */, MOST_STEPS = 6000 };

/* ---- which handler an operation names ---- */

struct handler_name {
    lop_fn *fn;
    uint16_t handler;
    uint8_t form;
};
struct handler_names {
    struct handler_name *slot;
    uint32_t size;
};

static uint32_t hash_fn(lop_fn *fn)
{
    return (uint32_t)(((uint64_t)(uintptr_t)fn * 0x9e3779b97f4a7c15u) >> 40);
}

/* Compilers may make one function of several handlers: then these do the same, and the first will do. */
static void enter_name(struct handler_names *n, lop_fn *fn, unsigned handler, enum jit_form form)
{
    for (uint32_t i = hash_fn(fn); fn; i++) {
        struct handler_name *s = &n->slot[i & (n->size - 1)];
        if (s->fn == fn)
            return;
        if (!s->fn) {
            *s = (struct handler_name){fn, (uint16_t)handler, (uint8_t)form};
            return;
        }
    }
}

static const struct handler_name *find_name(const struct handler_names *n, lop_fn *fn)
{
    for (uint32_t i = hash_fn(fn);; i++) {
        const struct handler_name *s = &n->slot[i & (n->size - 1)];
        if (s->fn == fn || !s->fn)
            return s->fn ? s : NULL;
    }
}

static bool name_handlers(struct handler_names *n, const struct handler_table *t)
{
    n->size = 8192;
    _Static_assert(HANDLER_COUNT * 5 < 6000, "the table is large enough");
    n->slot = calloc(n->size, sizeof *n->slot);
    for (unsigned h = 0; n->slot && h < HANDLER_COUNT; h++) {
        const struct handler *k = exec_handler(t, (enum handler_id)h);
        enter_name(n, k->plain, h, JIT_PLAIN);
        enter_name(n, k->plain4, h, JIT_PLAIN);
        enter_name(n, k->masked, h, JIT_MASKED);
        enter_name(n, k->masked4, h, JIT_MASKED);
        enter_name(n, k->scalar, h, JIT_SCALAR);
    }
    return n->slot;
}

/* ---- the plan ---- */

struct plan {
    struct exec_program *p;
    struct native_piece of;
    enum exec_form form;
    bool straight; /* see jit_request */
    const struct jit_api *api;
    struct handler_names names;
    struct jit_step *steps;
    struct jit_run *runs;
    uint32_t *live, *place;
    uint32_t nsteps, nruns, nlive, steps_cap, runs_cap, live_cap, place_cap, operations;
    /* rows that operations after the current one name: the time of the last block that did, by row / 4 */
    uint32_t *named, now;
    bool failed;
};

static bool grow(void **list, uint32_t *cap, uint32_t need, size_t size)
{
    if (need <= *cap)
        return true;
    uint32_t more = need + need / 2 + 64;
    void *p = realloc(*list, more * size);
    if (!p)
        return false;
    *list = p;
    *cap = more;
    return true;
}

static void name_row(struct plan *l, uint64_t row)
{
    if (row >= FRAME_ROWS && row < l->p->compiler->frame)
        l->named[row / 4] = l->now;
}

/* Whatever may be a row: where it is none, a temporary is stored for nobody. */
static void name_rows(struct plan *l, const struct lop *op)
{
    const struct handler_name *k = find_name(&l->names, op->fn);
    const uint32_t fields[] = {op->d, op->a, op->b, op->c, op->aux, (uint32_t)op->imm, (uint32_t)(op->imm >> 32)};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        name_row(l, fields[i]);
    uint32_t call = UINT32_MAX;
    if (!k || k->handler == H_TEXTURE || k->handler == H_HELPER || k->handler == H_SERVICE)
        call = op->aux;
    else if (k->handler == H_CONTROL)
        call = op->b;
    else if (k->handler == H_ATOMIC || k->handler == H_BUS_ATOMIC)
        call = op->c;
    if (call >= l->p->ncalls)
        return;
    const struct lop_call *c = &l->p->calls[call];
    for (unsigned i = 0; i < c->nargs; i++)
        name_row(l, c->arg[i]);
    for (unsigned i = 0; i < c->nres; i++)
        name_row(l, c->res[i]);
}

static bool is_branch(uint16_t handler)
{
    return handler >= H_BRANCH && handler <= H_BRANCH_LE_U;
}

/* Ends of blocks that may end a run. */
static bool is_terminator(uint16_t handler)
{
    return is_branch(handler) || handler == H_GOTO || handler == H_CONTROL_NONE || handler == H_CONTROL_EITHER ||
           handler == H_END;
}

/* How many targets a terminator has that runs may begin at. */
static unsigned targets_of(uint16_t handler)
{
    bool two = is_branch(handler) || handler == H_CONTROL_EITHER;
    return two ? 2 : handler == H_GOTO || handler == H_CONTROL_NONE;
}

/* Is it the second target of the operation before it? */
static bool is_target(const struct plan *l, const struct lop *op)
{
    const struct handler_name *k = op > l->of.code ? find_name(&l->names, op[-1].fn) : NULL;
    return k && (is_branch(k->handler) || k->handler == H_CONTROL_EITHER);
}

static enum jit_space space_of(const struct plan *l, const struct lop *op, uint16_t handler)
{
    if (handler != H_LOAD && handler != H_BUS_LOAD)
        return JIT_SPACE_OTHER;
    const struct ir_space *s = &l->p->ir->spaces[MEM_SPACE(op)];
    bool own = s->kind == IR_SPACE_PRIVATE || s->kind == IR_SPACE_INPUT;
    return !own && s->bounds == IR_BOUNDS_ZERO ? JIT_SPACE_PLAIN : JIT_SPACE_OTHER;
}

/* What a step is told beside its operation's fields. */
static uint32_t more_of(const struct plan *l, const struct lop *op, uint16_t handler)
{
    if (handler != H_END)
        return space_of(l, op, handler);
    const struct ir_block *b = &l->p->ir->blocks[op->aux];
    return b->count ? b->ops[b->count - 1].insn : b->insn;
}

/* A call of a helper that the module may compute by itself: a step with up to three rows of lanes, of 32 bits. */
static bool make_call(const struct plan *l, const struct lop *op, struct jit_step *s)
{
    const struct lop_call *call = &l->p->calls[op->aux];
    const struct ir_helper *h = call->desc;
    bool fits = call->nargs <= 3 && call->nres == 1 && !call->op->uniform;
    for (unsigned k = 0; fits && k < call->nargs; k++)
        fits = ir_type_bits((enum ir_type)l->p->ir->value_type[ir_args(l->p->ir, call->op)[k]]) <= 32;
    if (!fits || ir_type_bits((enum ir_type)call->op->type) > 32)
        return false;
    *s = (struct jit_step){.handler = H_HELPER, .form = JIT_PLAIN, .n = op->n, .d = call->res[0], .aux = op->aux,
                           .more = h->form, .imm = call->op->imm};
    uint32_t *row[3] = {&s->a, &s->b, &s->c};
    uint8_t *stride[3] = {&s->sa, &s->sb, &s->sc};
    for (unsigned k = 0; k < call->nargs; k++) {
        *row[k] = call->arg[k];
        *stride[k] = EXEC_CHUNK;
    }
    return true;
}

/* Is it an access of one element for the warp, which is a scalar? */
static bool is_scalar_access(const struct lop *op, uint16_t handler)
{
    return handler >= H_BUS_LOAD8 && handler <= H_BUS_STORE64 && !op->n;
}

static bool make_step(const struct plan *l, const struct lop *op, struct jit_step *s)
{
    const struct handler_name *k = find_name(&l->names, op->fn);
    if (!k)
        return false;
    if (k->handler == H_HELPER)
        return make_call(l, op, s) && l->api->knows(s, l->p->level);
    *s = (struct jit_step){.handler = k->handler,
                           .form = is_scalar_access(op, k->handler) ? JIT_SCALAR : k->form,
                           .n = op->n,
                           .sa = op->sa,
                           .sb = op->sb,
                           .sc = op->sc,
                           .straight = l->straight,
                           .d = op->d,
                           .a = op->a,
                           .b = op->b,
                           .c = op->c,
                           .aux = op->aux,
                           .more = more_of(l, op, k->handler),
                           .imm = is_terminator(k->handler) ? 0 : op->imm};
    return l->api->knows(s, l->p->level);
}

static bool is_register(const struct plan *l, uint32_t row)
{
    const struct exec_program *p = l->p;
    for (uint32_t f = 0; f < p->ir->nfiles; f++)
        if (row - p->file_row[f] < (uint64_t)p->ir->files[f].count * p->file_pitch[f] && row >= p->file_row[f])
            return true;
    return false;
}

/* Rows that steps from `first` on write and that can be seen afterwards, each once. */
static void find_live(struct plan *l, struct jit_run *run)
{
    run->live = l->nlive;
    for (uint32_t i = 0; i < run->count; i++) {
        uint32_t d = l->steps[run->first + i].d;
        if (d < FRAME_ROWS || (l->named[d / 4] != l->now && !is_register(l, d)))
            continue;
        bool there = false;
        for (uint32_t k = run->live; k < l->nlive && !there; k++)
            there = l->live[k] == d;
        if (there)
            continue;
        if (!grow((void **)&l->live, &l->live_cap, l->nlive + 1, sizeof *l->live)) {
            l->failed = true;
            return;
        }
        l->live[l->nlive++] = d;
    }
    run->nlive = l->nlive - run->live;
}

/* Operations first..end-1 of a block, all of them known. */
static void add_run(struct plan *l, uint32_t first, uint32_t end)
{
    const struct lop *code = l->of.code;
    uint32_t count = end - first;
    bool alone = count < SHORTEST && !targets_of(find_name(&l->names, code[first].fn)->handler);
    if (alone || l->nsteps + count > MOST_STEPS)
        return;
    if (!grow((void **)&l->steps, &l->steps_cap, l->nsteps + count, sizeof *l->steps) ||
        !grow((void **)&l->runs, &l->runs_cap, l->nruns + 1, sizeof *l->runs) ||
        !grow((void **)&l->place, &l->place_cap, l->nruns + 1, sizeof *l->place)) {
        l->failed = true;
        return;
    }
    struct jit_run *run = &l->runs[l->nruns];
    *run = (struct jit_run){.first = l->nsteps, .count = count, .full = l->form == EXEC_FULL};
    for (uint32_t i = 0; i < count; i++)
        make_step(l, &code[first + i], &l->steps[l->nsteps + i]);
    find_live(l, run);
    const struct jit_step *last = &l->steps[l->nsteps + count - 1];
    bool asks = last->handler == H_CONTROL_NONE || last->handler == H_CONTROL_EITHER;
    run->rare = asks && last->sa && !is_register(l, last->a) ? last->a : 0;
    l->place[l->nruns++] = first;
    l->nsteps += count;
}

/* Where the run begins that has the operations before `end`; a terminator is the last of its run. */
static uint32_t run_before(const struct plan *l, uint32_t first, uint32_t end)
{
    const struct lop *code = l->of.code;
    struct jit_step s;
    uint32_t i = end;
    while (i > first && end - i < LONGEST && make_step(l, &code[i - 1], &s)) {
        if (is_terminator(s.handler) && (i < end || is_target(l, &code[i - 1])))
            break;
        i--;
    }
    return i;
}

/* Where the last run of operations first..end-1 begins, which are known but may not fit into one. */
static uint32_t last_that_fits(struct plan *l, uint32_t first, uint32_t end)
{
    const struct lop *code = l->of.code;
    if (first == end || l->straight)
        return first;
    if (!grow((void **)&l->steps, &l->steps_cap, l->nsteps + end - first, sizeof *l->steps)) {
        l->failed = true;
        return first;
    }
    struct jit_step *s = &l->steps[l->nsteps];
    for (uint32_t i = first; i < end; i++)
        make_step(l, &code[i], &s[i - first]);
    while (first < end) {
        uint32_t fit = l->api->fits(s, end - first);
        if (fit == end - first)
            break;
        first += fit;
        s += fit;
    }
    return first;
}

/* From its end, so that what comes after a run is known. */
static void plan_block(struct plan *l, uint32_t first, uint32_t end)
{
    const struct lop *code = l->of.code;
    struct jit_step s;
    l->now++;
    l->operations += end - first;
    for (uint32_t i = end; i > first && !l->failed;) {
        uint32_t last = i;
        i = last_that_fits(l, run_before(l, first, i), i);
        /* the terminator's own handler looks at its rows where something rare happens */
        if (!l->straight && i < last && make_step(l, &code[last - 1], &s) && is_terminator(s.handler))
            name_rows(l, &code[last - 1]);
        if (i == last)
            i--;
        else
            add_run(l, i, last);
        for (uint32_t k = i; k < last; k++)
            name_rows(l, &code[k]);
    }
}

/* Where the code of a block ends: that of the masked form follows that of the other. */
static uint32_t end_of(const struct plan *l, uint32_t block)
{
    const struct compiler *c = l->p->compiler;
    if (block + 1 < l->of.end)
        return c->code_at[l->form][block + 1];
    return l->form == EXEC_FULL ? c->code_at[EXEC_PARTIAL][l->of.first] : l->of.ncode;
}

static void plan_blocks(struct plan *l)
{
    const struct compiler *c = l->p->compiler;
    for (uint32_t i = l->of.blocks ? l->of.nblocks : l->of.end - l->of.first; i-- > 0;) {
        uint32_t b = l->of.blocks ? l->of.blocks[i] : l->of.first + i;
        plan_block(l, c->code_at[l->form][b], end_of(l, b));
    }
}

/* The run that begins at the operation, + 1; 0: none. */
static uint32_t run_at(const struct plan *l, const uint32_t *by_place, uint64_t address)
{
    const struct lop *code = l->of.code, *op = (const struct lop *)(uintptr_t)address;
    return op >= code && op < code + l->of.ncode ? by_place[op - code] : 0;
}

/* Which runs go on to which. */
static void link_runs(struct plan *l)
{
    const struct lop *code = l->of.code;
    uint32_t *by_place = calloc(l->of.ncode + 1, sizeof *by_place);
    for (uint32_t i = 0; by_place && i < l->nruns; i++)
        by_place[l->place[i]] = i + 1;
    for (uint32_t i = 0; by_place && i < l->nruns; i++) {
        struct jit_run *run = &l->runs[i];
        run->place = l->place[i];
        uint32_t last = run->place + run->count - 1;
        for (unsigned k = 0; k < targets_of(l->steps[run->first + run->count - 1].handler); k++)
            run->to[k] = run_at(l, by_place, code[last + k].imm);
    }
    l->failed |= !by_place;
    free(by_place);
}

static void plan_program(struct plan *l)
{
    plan_blocks(l);
    link_runs(l);
}

/* ---- as one block of memory ---- */

static uint32_t part(char *base, uint32_t *at, const void *from, size_t bytes)
{
    uint32_t here = *at;
    if (bytes && base)
        memcpy(base + here, from, bytes);
    *at += (uint32_t)((bytes + 7) / 8 * 8);
    return here;
}

static void put_parts(struct jit_request *r, char *base, const struct plan *l, const struct jit_const *consts)
{
    uint32_t at = (sizeof *r + 7) / 8 * 8;
    r->level = l->p->level;
    r->chunks = l->p->chunks;
    r->straight = l->straight;
    r->nsteps = l->nsteps;
    r->nruns = l->nruns;
    r->nlive = l->nlive;
    r->nconsts = l->p->nconsts;
    r->steps = part(base, &at, l->steps, l->nsteps * sizeof *l->steps);
    r->runs = part(base, &at, l->runs, l->nruns * sizeof *l->runs);
    r->live = part(base, &at, l->live, l->nlive * sizeof *l->live);
    r->consts = part(base, &at, consts, l->p->nconsts * sizeof *consts);
    r->size = at;
}

static struct jit_request *pack(const struct plan *l)
{
    struct jit_request head = {0}, *r = NULL;
    struct jit_const *consts = calloc(l->p->nconsts + 1, sizeof *consts);
    for (uint32_t i = 0; consts && i < l->p->nconsts; i++)
        consts[i] = (struct jit_const){l->p->consts[i].row, l->p->consts[i].bytes, l->p->consts[i].bits};
    if (consts)
        put_parts(&head, NULL, l, consts);
    if (consts && (r = calloc(1, head.size)))
        put_parts(r, (char *)r, l, consts);
    free(consts);
    return r;
}

static bool note_places(const struct plan *l, struct native_form *n)
{
    lop_fn **replaced = ARENA_ARRAY(l->p->compiler->arena, lop_fn *, l->nruns + 1);
    n->place = ARENA_ARRAY(l->p->compiler->arena, struct lop *, l->nruns + 1);
    n->nplaces = l->nruns;
    n->operations = l->operations;
    for (uint32_t i = 0; n->place && replaced && i < l->nruns; i++) {
        n->place[i] = l->of.code + l->place[i];
        replaced[i] = n->place[i]->fn;
    }
    n->replaced = replaced;
    return n->place && replaced;
}

struct jit_request *native_plan(struct exec_program *p, const struct native_piece *of, enum exec_form form,
                                const struct jit_api *api, struct native_form *n)
{
    struct plan l = {.p = p, .of = *of, .form = form, .api = api, .straight = of->blocks};
    struct jit_request *r = NULL;
    l.named = calloc(p->compiler->frame / 4 + 1, sizeof *l.named);
    if (l.named && name_handlers(&l.names, p->handlers))
        plan_program(&l);
    else
        l.failed = true;
    n->why = l.failed ? "no memory" : l.nruns ? NULL : "nothing in it can be compiled";
    if (!n->why && (!note_places(&l, n) || !(r = pack(&l))))
        n->why = "no memory";
    free(l.named);
    free(l.names.slot);
    free(l.steps);
    free(l.runs);
    free(l.live);
    free(l.place);
    return r;
}
