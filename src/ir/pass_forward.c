/* pass_forward.c - registers inside a block: a GET becomes the value that was SET or got before, and a SET that is
 * overwritten unread goes.
 *
 * Within a block the mask is constant, so in active lanes a GET after an unpredicated SET is the value set. In
 * inactive lanes it is not: the register keeps what it had. A GET whose inactive lanes other lanes can see (by way
 * of a quad op, a shuffle, a texture op that makes derivatives) is therefore left alone, except where no lane of
 * the warp can be inactive. */
#include "ir/pass.h"

#include "ir/program.h"
#include "ir/rewrite.h"

#include <string.h>

/* What is known of a register element: the access that last told its value. */
struct known {
    uint64_t epoch;   /* holds when it is the file's */
    uint32_t serial;  /* of the access: equal in all elements that it spans */
    uint32_t desc;
    ir_value value;
    bool set;         /* by SET: true of active lanes only */
    ir_value pred;    /* of the SET: it tells no more than these lanes; 0: all */
};

/* A GET after a SET under a condition, and the opposite of a condition: the last few of the block. */
enum { RECENT = 8 };
struct recent {
    struct {
        ir_value got, pred, value; /* `got` is `value` where `pred` holds */
    } part[RECENT];
    struct {
        ir_value opposite, of;
    } no[RECENT];
    unsigned parts, nos;
};

struct forward {
    struct rewrite rw;
    struct elements elements;
    struct arena scratch;
    struct known *known;
    uint64_t *epoch; /* by file */
    uint64_t now;
    uint32_t serial;
    uint8_t *whole;    /* by block: no lane that was started is inactive; NULL: so are all */
    uint8_t *crossing; /* by value, from rw.first on: other lanes may see what inactive lanes have */
    struct recent recent;
};

/* ---- which values cross lanes ---- */

static bool derives(const struct ir_program *p, const struct ir_op *op)
{
    unsigned t = p->textures[op->desc].op;
    return t == IR_TEX_SAMPLE || t == IR_TEX_BIAS || t == IR_TEX_QUERY_LOD;
}

/* Whether op looks at values of lanes that do not run. */
static bool crosses(const struct ir_program *p, const struct ir_op *op, bool whole)
{
    bool quads_whole = whole && p->stage == IR_FRAGMENT; /* fragments are started by quads */
    switch (op->code) {
    case IR_QUAD_LANE:
    case IR_QUAD_XOR:
        return !quads_whole;
    case IR_TEXTURE:
        return derives(p, op) && !quads_whole;
    case IR_BALLOT:
    case IR_ANY:
    case IR_ALL:
    case IR_FIRST:
    case IR_REDUCE:
        return (op->attr & IR_ALL_LANES) && !whole;
    case IR_SHUFFLE:
    case IR_CONTROL:
        return true;
    default:
        return false;
    }
}

static uint8_t *crossing(const struct forward *f, ir_value v)
{
    return &f->crossing[v - f->rw.first];
}

static void find_crossing(struct forward *f, const struct ir_block *b, bool whole)
{
    const struct ir_program *p = f->rw.p;
    for (uint32_t i = b->count; i-- > 0;) {
        const struct ir_op *op = &b->ops[i];
        bool seen = crosses(p, op, whole);
        for (unsigned k = 0; k < op->nres && !seen; k++)
            seen = *crossing(f, op->res + k);
        /* i1 arguments of CONTROL are masks, limited to active lanes */
        for (unsigned k = 0; k < op->nargs && seen; k++)
            if (op->code != IR_CONTROL || p->value_type[ir_args(p, op)[k]] != IR_I1)
                *crossing(f, ir_args(p, op)[k]) = 1;
        if (seen && op->pred)
            *crossing(f, op->pred) = 1;
    }
}

/* ---- knowledge ---- */

static struct known *known_at(struct forward *f, const struct reg_span *s, uint32_t i)
{
    return &f->known[f->elements.base[s->file] + s->elem + i];
}

static void learn(struct forward *f, const struct ir_op *op, ir_value value, bool set)
{
    const struct ir_reg *r = &f->rw.p->regs[op->desc];
    struct reg_span s = reg_span(f->rw.p, r);
    uint32_t serial = ++f->serial;
    for (uint32_t i = 0; i < s.count; i++)
        *known_at(f, &s, i) = (struct known){f->epoch[r->file], serial, op->desc, value, set, set ? op->pred : 0};
}

/* What a GET would read, when one earlier access tells all of it. */
static const struct known *recall(struct forward *f, const struct ir_op *op)
{
    const struct ir_program *p = f->rw.p;
    const struct ir_reg *r = &p->regs[op->desc];
    struct reg_span s = reg_span(p, r);
    const struct known *k = known_at(f, &s, 0);
    if (k->epoch != f->epoch[r->file])
        return NULL;
    const struct ir_reg *earlier = &p->regs[k->desc];
    if (earlier->elem != r->elem || earlier->shift != r->shift ||
        ir_type_bits((enum ir_type)earlier->part) != ir_type_bits((enum ir_type)r->part))
        return NULL;
    for (uint32_t i = 1; i < s.count; i++)
        if (known_at(f, &s, i)->epoch != k->epoch || known_at(f, &s, i)->serial != k->serial)
            return NULL;
    return k;
}

/* Make op a bitcast of value. */
static bool become_bitcast(struct ir_program *p, struct ir_op *op, ir_value value)
{
    ir_value *pool = p->npool < UINT32_MAX
                         ? arena_grow(p->arena, p->pool, sizeof *pool, p->npool, &p->pool_cap, (size_t)p->npool + 1)
                         : NULL;
    if (!pool)
        return false;
    p->pool = pool;
    pool[p->npool] = value;
    op->code = IR_BITCAST;
    op->args = p->npool++;
    op->nargs = 1;
    op->desc = 0;
    rewrite_uniform(p, op);
    return true;
}

/* ---- what is known of some lanes ---- */

static void note_part(struct forward *f, const struct ir_op *get, const struct known *k)
{
    const struct ir_program *p = f->rw.p;
    if (*crossing(f, get->res) || p->files[p->regs[get->desc].file].uniform || p->value_type[k->value] != get->type)
        return;
    unsigned i = f->recent.parts++ % RECENT;
    f->recent.part[i].got = get->res;
    f->recent.part[i].pred = k->pred;
    f->recent.part[i].value = k->value;
}

static void note_opposite(struct forward *f, const struct ir_op *op)
{
    unsigned i = f->recent.nos++ % RECENT;
    f->recent.no[i].opposite = op->res;
    f->recent.no[i].of = ir_args(f->rw.p, op)[0];
}

/* What `got` is in the lanes where `condition` holds, or does not hold; itself: not known. */
static ir_value value_where(const struct forward *f, ir_value got, ir_value condition, bool holds)
{
    const struct recent *r = &f->recent;
    for (unsigned i = 0; i < RECENT; i++) {
        ir_value pred = r->part[i].pred;
        bool fits = holds && pred == condition;
        for (unsigned k = 0; k < RECENT && !holds && !fits; k++)
            fits = (r->no[k].opposite == condition && r->no[k].of == pred) ||
                   (r->no[k].opposite == pred && r->no[k].of == condition);
        if (r->part[i].got == got && fits)
            return r->part[i].value;
    }
    return got;
}

/* The arms of a SELECT that is made of a register which was SET under its condition, or under the opposite. */
static void choose_arms(struct forward *f, struct ir_op *op)
{
    ir_value *args = f->rw.p->pool + op->args;
    args[1] = value_where(f, args[1], args[0], true);
    args[2] = value_where(f, args[2], args[0], false);
    rewrite_uniform(f->rw.p, op);
}

/* Returns whether the GET goes. */
static bool forward_get(struct forward *f, struct ir_op *op, bool whole)
{
    struct ir_program *p = f->rw.p;
    const struct known *k = recall(f, op);
    bool uniform_file = p->files[p->regs[op->desc].file].uniform;
    /* A warp without active lanes does not SET registers of the warp either. */
    if (k && k->pred)
        note_part(f, op, k);
    if (!k || k->pred || (k->set && (*crossing(f, op->res) || (uniform_file && !whole)))) {
        learn(f, op, op->res, false);
        return false;
    }
    if (p->value_type[k->value] == op->type) {
        rewrite_results(&f->rw, op, k->value);
        return true;
    }
    become_bitcast(p, op, k->value);
    return false;
}

static void forward_block(struct forward *f, uint32_t block)
{
    struct ir_block *b = &f->rw.p->blocks[block];
    bool whole = !f->whole || f->whole[block];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < f->rw.p->nfiles; i++)
        f->epoch[i] = ++f->now;
    find_crossing(f, b, whole);
    f->recent = (struct recent){0};
    for (uint32_t i = 0; i < b->count; i++) {
        struct ir_op *op = &b->ops[i];
        bool gone = false;
        rewrite_op(&f->rw, op);
        switch (reg_access(op)) {
        case REG_READ:
            gone = forward_get(f, op, whole);
            break;
        case REG_WRITE:
            learn(f, op, f->rw.p->pool[op->args], true);
            break;
        case REG_WRITE_RANGE:
            f->epoch[f->rw.p->regs[op->desc].file] = ++f->now;
            break;
        case REG_READ_RANGE:
            break;
        case REG_NONE:
            if (op->code == IR_NOT && op->type == IR_I1)
                note_opposite(f, op);
            else if (op->code == IR_SELECT)
                choose_arms(f, op);
            break;
        }
        if (!gone)
            b->ops[kept++] = *op;
    }
    b->count = kept;
}

/* ---- overwritten SETs ---- */

/* Bits of a register element that a later SET of the block writes before anything reads them. */
struct covered {
    uint64_t epoch, bits;
};

static bool overwritten(struct covered *c, uint64_t epoch, const struct reg_span *s, bool sure)
{
    bool all = true;
    for (uint32_t i = 0; i < s->count; i++) {
        if (c[i].epoch != epoch)
            c[i] = (struct covered){epoch, 0};
        all = all && (c[i].bits & s->mask) == s->mask;
        if (sure)
            c[i].bits |= s->mask;
    }
    return all;
}

static void drop_overwritten(struct forward *f, struct covered *covered, struct ir_block *b)
{
    const struct ir_program *p = f->rw.p;
    uint32_t kept = b->count;
    for (uint32_t i = 0; i < p->nfiles; i++)
        f->epoch[i] = ++f->now;
    for (uint32_t i = b->count; i-- > 0;) {
        const struct ir_op *op = &b->ops[i];
        enum reg_access access = reg_access(op);
        bool gone = false;
        if (access == REG_READ || access == REG_WRITE) {
            struct reg_span s = reg_span(p, &p->regs[op->desc]);
            struct covered *c = &covered[f->elements.base[s.file] + s.elem];
            if (access == REG_WRITE)
                gone = overwritten(c, f->epoch[s.file], &s, !op->pred);
            for (uint32_t k = 0; access == REG_READ && k < s.count; k++)
                c[k].bits &= ~s.mask;
        } else if (access == REG_READ_RANGE) {
            f->epoch[p->regs[op->desc].file] = ++f->now;
        } else if (may_stop(p, op)) {
            for (uint32_t k = 0; k < p->nfiles; k++)
                f->epoch[k] = ++f->now;
        }
        if (!gone)
            b->ops[--kept] = b->ops[i];
    }
    memmove(b->ops, b->ops + kept, (b->count - kept) * sizeof *b->ops);
    b->count -= kept;
}

/* ---- the pass ---- */

/* Blocks that no control policy leads to run with all lanes that the warp was started with. */
static bool find_whole(struct forward *f)
{
    struct ir_program *p = f->rw.p;
    struct flow flow;
    if (p->frozen && !p->policy) /* no look at all the blocks that were there before */
        return true;
    if (!flow_make(&flow, p, &f->scratch))
        return false;
    f->whole = ARENA_ARRAY(&f->scratch, uint8_t, flow.nodes);
    if (!f->whole || (flow.control && !flow_reach(&flow, p->nblocks, f->whole, &f->scratch)))
        return false;
    for (uint32_t b = 0; b < p->nblocks; b++)
        f->whole[b] = !f->whole[b];
    return true;
}

void ir_pass_forward(struct ir_program *p)
{
    struct forward f = {.scratch = {.limit = PASS_MEMORY}};
    bool ok =
        !arena_failed(p->arena) && rewrite_start(&f.rw, p, &f.scratch) && elements_number(&f.elements, p, &f.scratch);
    if (ok) {
        f.known = ARENA_ARRAY(&f.scratch, struct known, f.elements.count);
        f.epoch = ARENA_ARRAY(&f.scratch, uint64_t, p->nfiles);
        f.crossing = ARENA_ARRAY(&f.scratch, uint8_t, p->nvalues - f.rw.first + 1u);
    }
    struct covered *covered = ok ? ARENA_ARRAY(&f.scratch, struct covered, f.elements.count) : NULL;
    if (ok && covered && !arena_failed(&f.scratch) && find_whole(&f)) {
        for (uint32_t b = pass_first(p); b < p->nblocks; b++)
            forward_block(&f, b);
        for (uint32_t b = pass_first(p); b < p->nblocks; b++)
            drop_overwritten(&f, covered, &p->blocks[b]);
    }
    pass_end(p, &f.scratch);
}
