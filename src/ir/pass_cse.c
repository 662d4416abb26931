/* pass_cse.c - equal ops become one. An op is looked up among those of its block and of the prologue.
 *
 * Ops that read state are equal when nothing wrote that state between them: each file and the memory have a
 * version, counted up by what writes. */
#include "ir/pass.h"

#include "ir/rewrite.h"

#include <string.h>

struct entry {
    uint32_t op;   /* 1 + its place in its block, where the pass leaves it; 0: free */
    uint32_t hash;
};

struct table {
    struct entry *entries;
    uint32_t *version; /* by place, of ops in the table */
    size_t mask;
};

struct cse {
    struct rewrite rw;
    struct arena scratch;
    struct table prologue, own; /* of the prologue; of the block that the pass is in */
    uint32_t *file_version; /* each op counts one of them up at most */
    uint32_t memory_version;
    uint32_t block;
    uint32_t *checked; /* by value, from rw.first on: the block that had a CHECK of it last */
};

static bool commutes(unsigned code)
{
    switch (code) {
    case IR_ADD: case IR_ADD_SATU: case IR_MUL: case IR_MULHI_S: case IR_MULHI_U:
    case IR_MIN_S: case IR_MAX_S: case IR_MIN_U: case IR_MAX_U:
    case IR_AND: case IR_OR: case IR_XOR: case IR_EQ: case IR_NE:
    case IR_FEQ: case IR_FNE: case IR_FUNORD:
        return true;
    default: /* float sums and products do not: of two NaNs the first one counts */
        return false;
    }
}

/* Whether op can equal an earlier one, and the version of what it reads. */
static bool comparable(const struct cse *c, const struct ir_op *op, uint32_t *version)
{
    const struct ir_program *p = c->rw.p;
    *version = 0;
    if (!op->nres || (ir_op_info[op->code].flags & IR_OP_EFFECT))
        return false;
    switch (op->code) {
    case IR_GET:
    case IR_GET_DYN:
    case IR_GET_LANE:
        *version = c->file_version[p->regs[op->desc].file];
        return true;
    case IR_LOAD: {
        const struct ir_space *s = &p->spaces[p->mems[op->desc].space];
        *version = s->kind == IR_SPACE_CONST ? 0 : c->memory_version;
        return s->kind != IR_SPACE_BUS;
    }
    case IR_SYSVAL: /* discards change one of these, time the other */
        return op->imm != IR_SYS_HELPER && op->imm != IR_SYS_CLOCK;
    case IR_TEXTURE:
        return false;
    default:
        return true;
    }
}

static void count_writes(struct cse *c, const struct ir_op *op)
{
    switch (op->code) {
    case IR_SET:
    case IR_SET_DYN:
    case IR_SET_LANE:
        c->file_version[c->rw.p->regs[op->desc].file]++;
        break;
    case IR_STORE:
    case IR_ATOMIC:
    case IR_SERVICE:
    case IR_FENCE:
    case IR_PROBE:
        c->memory_version++;
        break;
    default:
        break;
    }
}

static uint64_t mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0x9e3779b97f4a7c15u;
    return h ^ (h >> 29);
}

/* The table that desc is an index of does not matter, what it says does. */
static uint64_t hash_desc(const struct ir_program *p, const struct ir_op *op)
{
    uint64_t h = 0;
    if (reg_access(op) != REG_NONE) {
        const struct ir_reg *r = &p->regs[op->desc];
        h = mix(mix(h, (uint64_t)r->file << 32 | r->elem), (uint64_t)r->shift << 8 | r->part);
    } else if (op->code == IR_LOAD) {
        const struct ir_mem *m = &p->mems[op->desc];
        h = mix(mix(h, (uint64_t)m->space << 32 | (unsigned)m->elem << 8 | m->count), (uint64_t)m->offset);
    } else {
        h = op->desc;
    }
    return h;
}

static bool same_desc(const struct ir_program *p, const struct ir_op *a, const struct ir_op *b)
{
    if (a->desc == b->desc)
        return true;
    if (a->code == IR_LOAD) {
        const struct ir_mem *x = &p->mems[a->desc], *y = &p->mems[b->desc];
        return x->space == y->space && x->elem == y->elem && x->count == y->count && x->align == y->align &&
               x->offset == y->offset;
    }
    if (reg_access(a) == REG_NONE)
        return false;
    const struct ir_reg *x = &p->regs[a->desc], *y = &p->regs[b->desc];
    return x->file == y->file && x->elem == y->elem && x->shift == y->shift && x->part == y->part &&
           (a->code == IR_GET || (x->stride == y->stride && x->first == y->first && x->last == y->last));
}

static uint64_t hash_op(const struct ir_program *p, const struct ir_op *op, uint32_t version)
{
    uint64_t h = mix((uint64_t)op->code << 32 | (uint32_t)op->attr << 16 | (unsigned)op->type << 8 | op->nres, op->imm);
    h = mix(mix(mix(h, hash_desc(p, op)), version), op->pred);
    for (unsigned i = 0; i < op->nargs; i++)
        h = mix(h, ir_args(p, op)[i]);
    return h;
}

static bool same_op(const struct ir_program *p, const struct ir_op *a, const struct ir_op *b)
{
    return a->code == b->code && a->attr == b->attr && a->type == b->type && a->nres == b->nres &&
           a->nargs == b->nargs && a->imm == b->imm && a->pred == b->pred && same_desc(p, a, b) &&
           (!a->nargs || !memcmp(ir_args(p, a), ir_args(p, b), a->nargs * sizeof(ir_value)));
}

static void order_args(struct ir_program *p, const struct ir_op *op)
{
    ir_value *args = p->pool + op->args;
    if (args[0] > args[1]) {
        ir_value first = args[0];
        args[0] = args[1];
        args[1] = first;
    }
}

/* The op of `block` that equals op; else a free place for it. The table is never full: it has more places than the
 * block has ops, and each op takes at most one. */
static struct entry *find(const struct cse *c, const struct table *t, uint32_t block, const struct ir_op *op,
                          uint64_t hash, uint32_t version)
{
    const struct ir_op *ops = c->rw.p->blocks[block].ops;
    for (size_t i = (hash >> 32) & t->mask;; i = (i + 1) & t->mask) {
        struct entry *e = &t->entries[i];
        if (!e->op || (e->hash == (uint32_t)hash && t->version[e->op - 1] == version &&
                       same_op(c->rw.p, &ops[e->op - 1], op)))
            return e;
    }
}

/* An equal op earlier in the block or in the prologue; NULL: none, and op is now in the table, with the place
 * where it will be. */
static const struct ir_op *earlier(struct cse *c, const struct ir_op *op, uint32_t place, uint32_t version)
{
    const struct ir_block *blocks = c->rw.p->blocks;
    uint64_t hash = hash_op(c->rw.p, op, version);
    bool in_prologue = c->block == IR_PROLOGUE;
    const struct entry *common =
        op->uniform && !in_prologue ? find(c, &c->prologue, IR_PROLOGUE, op, hash, version) : NULL;
    if (common && common->op)
        return &blocks[IR_PROLOGUE].ops[common->op - 1];
    struct table *t = in_prologue ? &c->prologue : &c->own;
    struct entry *e = find(c, t, c->block, op, hash, version);
    if (e->op)
        return &blocks[c->block].ops[e->op - 1];
    *e = (struct entry){.op = place + 1, .hash = (uint32_t)hash};
    t->version[place] = version;
    return NULL;
}

/* The second CHECK of one condition, which would have stopped the warp at the first. */
static bool is_checked(struct cse *c, const struct ir_op *op)
{
    if (op->code != IR_CHECK || op->pred)
        return false;
    uint32_t *last = &c->checked[ir_args(c->rw.p, op)[0] - c->rw.first];
    bool again = *last == c->block;
    *last = c->block;
    return again;
}

/* Places for so many ops; not all of them will take one. */
static size_t places(size_t ops)
{
    size_t size = 16;
    while (size < ops + ops / 8 + 1)
        size *= 2;
    return size;
}

static void make_table(struct cse *c, struct table *t, size_t ops)
{
    t->entries = ARENA_ARRAY(&c->scratch, struct entry, places(ops));
    t->version = ARENA_ARRAY(&c->scratch, uint32_t, ops);
    t->mask = places(ops) - 1;
}

/* Empty the table of blocks for a block of so many ops. */
static void clear_table(struct table *t, size_t ops)
{
    t->mask = places(ops) - 1;
    memset(t->entries, 0, places(ops) * sizeof *t->entries);
}

static void cse_block(struct cse *c)
{
    struct ir_program *p = c->rw.p;
    struct ir_block *b = &p->blocks[c->block];
    uint32_t kept = 0;
    if (c->block != IR_PROLOGUE)
        clear_table(&c->own, b->count);
    for (uint32_t i = 0; i < b->count; i++) {
        struct ir_op *op = &b->ops[i];
        uint32_t version;
        rewrite_op(&c->rw, op);
        if (is_checked(c, op))
            continue;
        if (commutes(op->code))
            order_args(p, op);
        count_writes(c, op);
        if (comparable(c, op, &version)) {
            const struct ir_op *same = earlier(c, op, kept, version);
            if (same) {
                rewrite_results(&c->rw, op, same->res);
                continue;
            }
        }
        b->ops[kept++] = *op;
    }
    b->count = kept;
}

void ir_pass_cse(struct ir_program *p)
{
    struct cse c = {.scratch = {.limit = PASS_MEMORY}};
    size_t most = 0;
    for (uint32_t b = pass_first(p); b < p->nblocks; b++)
        most = p->blocks[b].count > most ? p->blocks[b].count : most;
    if (!arena_failed(p->arena) && rewrite_start(&c.rw, p, &c.scratch)) {
        make_table(&c, &c.prologue, p->frozen ? 0 : p->blocks[IR_PROLOGUE].count);
        make_table(&c, &c.own, most);
        c.checked = ARENA_ARRAY(&c.scratch, uint32_t, p->nvalues - c.rw.first + 1u);
        c.file_version = ARENA_ARRAY(&c.scratch, uint32_t, p->nfiles);
        if (!arena_failed(&c.scratch))
            for (c.block = p->frozen ? pass_first(p) : IR_PROLOGUE; c.block < p->nblocks; c.block++)
                cse_block(&c);
    }
    pass_end(p, &c.scratch);
}
