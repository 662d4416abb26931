/* place.c - what the compiler must know of a block's values before it makes code: who uses them, which of them are
 * scalars, which ops are done together, and which values live in the rows of registers. */
#include "exec/select.h"

#include <string.h>

#include "ir/words.h"

/* Ops that only give another name to their argument's row. */
static bool is_alias(const struct compiler *c, const struct ir_op *op)
{
    const struct ir_program *ir = c->p->ir;
    if (op->code == IR_COPY && !op->attr)
        return op->uniform == ir->value_uniform[ir_args(ir, op)[0]];
    if (op->code == IR_BITCAST)
        return true;
    if (op->code == IR_ZEXT && ir_type_bits((enum ir_type)op->type) == 32)
        return type_is_narrow((enum ir_type)ir->value_type[ir_args(ir, op)[0]]);
    return op->code == IR_SEXT && ir->value_type[ir_args(ir, op)[0]] == IR_I1 &&
           ir_type_bits((enum ir_type)op->type) == 32;
}

/* Does the op read lanes other than its own, so that its result must not share a row with its argument? */
bool crosses_lanes(const struct ir_op *op)
{
    switch (op->code) {
    case IR_QUAD_LANE:
    case IR_QUAD_XOR:
    case IR_SHUFFLE:
    case IR_TEXTURE:
    case IR_HELPER:
    case IR_ATOMIC:
    case IR_GET_DYN:
    case IR_GET_LANE:
    case IR_LOAD:
        return true;
    default:
        return false;
    }
}

/* The op that makes a value for one user in this block only, at index i; NULL: not so. */
static const struct ir_op *sole_maker(const struct compiler *c, const struct ir_block *b, ir_value v, uint32_t i)
{
    const struct value_info *k = info_of(c, v);
    return k->block == c->block && k->def < i && k->uses == 1 && !k->alias ? &b->ops[k->def] : NULL;
}

static void live_until(struct compiler *c, const struct ir_op *op, uint32_t i)
{
    for (unsigned j = 0; j < op->nargs; j++) {
        ir_value r = root_of(c, ir_args(c->p->ir, op)[j]);
        if (info_of(c, r)->block == c->block && info_of(c, r)->last < i)
            info_of(c, r)->last = i;
    }
}

static bool is_comparison(uint16_t code)
{
    return code >= IR_EQ && code <= IR_LE_U;
}

/* The op that makes a value; NULL: it cannot be told. */
static const struct ir_op *maker(const struct compiler *c, ir_value v)
{
    const struct ir_block *b = &c->p->ir->blocks[info_of(c, v)->block == c->block ? c->block : IR_PROLOGUE];
    const struct ir_op *op = info_of(c, v)->def < b->count ? &b->ops[info_of(c, v)->def] : NULL;
    return op && op->res == v ? op : NULL;
}

static const struct ir_op *constant(const struct compiler *c, ir_value v)
{
    const struct ir_op *op = maker(c, v);
    return op && op->code == IR_CONST ? op : NULL;
}

static bool is_zero(const struct compiler *c, ir_value v)
{
    const struct ir_op *op = constant(c, v);
    return op && op->imm == 0;
}

/* The number of the lane, plus a constant? */
static bool counts_lanes(const struct compiler *c, ir_value v, uint32_t *from)
{
    const struct ir_op *op = maker(c, v);
    *from = 0;
    if (op && op->code == IR_ADD) {
        const ir_value *args = ir_args(c->p->ir, op);
        const struct ir_op *left = constant(c, args[0]), *right = constant(c, args[1]);
        if (left || right) {
            *from = (uint32_t)(left ? left : right)->imm;
            op = maker(c, args[left ? 1 : 0]);
        }
    }
    return op && op->code == IR_LANE_ID;
}

bool find_column(const struct compiler *c, const struct ir_op *op, struct column *out)
{
    if ((op->code != IR_GET_LANE && op->code != IR_SET_LANE) || c->p->ir->lanes != EXEC_CHUNK)
        return false;
    const struct ir_reg *r = &c->p->ir->regs[op->desc];
    const struct ir_file *file = &c->p->ir->files[r->file];
    const ir_value *args = ir_args(c->p->ir, op);
    const struct ir_op *lane = constant(c, args[1]);
    unsigned part = ir_type_bits((enum ir_type)r->part);
    uint32_t from;
    if (file->uniform || file->bits != 32 || part == 1 || part > 32 || !lane || lane->imm >= EXEC_CHUNK ||
        r->stride != 1 || r->first < 0 || !counts_lanes(c, args[0], &from))
        return false;
    if (from < (uint32_t)r->first || from > INT32_MAX || (int64_t)from + EXEC_CHUNK - 1 > r->last)
        return false;
    *out = (struct column){r->elem + from, (uint32_t)lane->imm};
    return true;
}

/* A BRANCH on a comparison of words is one operation, and so is a CHECK that two words have no bit in common. */
static void fuse_condition(struct compiler *c, const struct ir_block *b, uint32_t i)
{
    const struct ir_op *op = &b->ops[i];
    const ir_value *args = ir_args(c->p->ir, op);
    const struct ir_op *test = sole_maker(c, b, args[0], i);
    if (!test || !test->uniform || op->pred || !is_comparison(test->code) || ir_type_bits(arg_type(c, test, 0)) != 32)
        return;
    if (op->code == IR_CHECK) {
        const ir_value *sides = ir_args(c->p->ir, test);
        const struct ir_op *both = test->code == IR_NE && is_zero(c, sides[1]) ? sole_maker(c, b, sides[0], i) : NULL;
        if (!both || both->code != IR_AND)
            return;
        info_of(c, sides[0])->fused = true;
        live_until(c, both, i);
    } else {
        live_until(c, test, i);
    }
    info_of(c, args[0])->fused = true;
}

/* The sign of a part of a register is spread where the part is cut out. Nothing is between the two. */
static void fuse_part(struct compiler *c, const struct ir_block *b, uint32_t i)
{
    const struct ir_op *op = &b->ops[i];
    ir_value v = op->code == IR_SEXT && op->type == IR_I32 ? ir_args(c->p->ir, op)[0] : 0;
    const struct ir_op *get = v ? sole_maker(c, b, v, i) : NULL;
    if (!get || get->code != IR_GET || get->uniform || info_of(c, v)->def + 1 != i)
        return;
    unsigned bits = ir_type_bits((enum ir_type)op_reg(c, get)->part);
    if ((bits == 8 || bits == 16) && c->p->ir->files[op_reg(c, get)->file].bits == 32)
        info_of(c, v)->fused = true;
}

/* Ops that only one other op uses, and that are done together with it. */
static void find_fused(struct compiler *c, const struct ir_block *b)
{
    const struct ir_program *ir = c->p->ir;
    for (uint32_t i = 0; i < b->count; i++) {
        const struct ir_op *op = &b->ops[i];
        if (op->code == IR_BRANCH || op->code == IR_CHECK)
            fuse_condition(c, b, i);
        fuse_part(c, b, i);
        if (op->nres != 1 || op->uniform || op->nargs == 0 || op->nargs > 2)
            continue;
        const struct fusion *f = NULL;
        for (unsigned k = 0; k < op->nargs && !f; k++) {
            ir_value a = ir_args(ir, op)[k];
            struct value_info *inner = info_of(c, a), *outer = info_of(c, op->res);
            uint32_t at = inner->def;
            if (at >= i || inner->block != c->block || inner->uses != 1 || inner->alias || inner->fuse ||
                b->ops[at].uniform)
                continue;
            f = find_fusion(ir, op, k, &b->ops[at]);
            if (!f)
                continue;
            inner->fused = true;
            outer->fuse = a;
            outer->fusion = f;
            outer->fuse_side = (uint8_t)k;
            for (unsigned j = 0; j < b->ops[at].nargs; j++) {
                ir_value r = root_of(c, ir_args(ir, &b->ops[at])[j]);
                if (info_of(c, r)->block == c->block && info_of(c, r)->last < i)
                    info_of(c, r)->last = i;
            }
        }
    }
}

/* ---- scalars ---- */

/* Uniform ops whose result may be one element. */
static bool makes_scalar(const struct ir_op *op)
{
    switch (op->code) {
    case IR_CONST:
    case IR_LANE_ID:
    case IR_QUAD_LANE:
    case IR_QUAD_XOR:
    case IR_SHUFFLE:
    case IR_HELPER:
        return false;
    case IR_GET:
    case IR_GET_DYN:
    case IR_LOAD:
        return true;
    default:
        return ir_op_info[op->code].flags & IR_OP_PURE;
    }
}

bool one_for_all(const struct ir_program *ir, const struct ir_op *op)
{
    for (unsigned k = 0; k < op->nargs; k++)
        if (!ir->value_uniform[ir_args(ir, op)[k]])
            return false;
    if (op->pred && !ir->value_uniform[op->pred])
        return false;
    if (op->code != IR_STORE)
        return true;
    unsigned kind = ir->spaces[ir->mems[op->desc].space].kind;
    return kind != IR_SPACE_PRIVATE && kind != IR_SPACE_INPUT;
}

/* Does the op take a uniform argument k as a scalar? */
static bool takes_scalar(const struct compiler *c, const struct ir_op *op, bool scalar)
{
    const struct ir_program *ir = c->p->ir;
    switch (op->code) {
    case IR_SET:
        return ir->files[op_reg(c, op)->file].uniform;
    case IR_BRANCH:
    case IR_JUMP:
        return true;
    case IR_GET_DYN:
        return true;
    case IR_LOAD:
        return op->uniform;
    case IR_CHECK:
    case IR_STORE:
        return one_for_all(ir, op);
    default:
        return scalar;
    }
}

/* Which uniform values nobody needs as a row of equal elements. */
static void find_scalars(struct compiler *c, const struct ir_block *b)
{
    const struct ir_program *ir = c->p->ir;
    for (uint32_t i = b->count; i-- > 0;) {
        const struct ir_op *op = &b->ops[i];
        bool one = op->nres && op->uniform && makes_scalar(op);
        for (unsigned k = 0; k < op->nres; k++)
            one &= !info_of(c, op->res + k)->row_wanted;
        for (unsigned k = 0; k < op->nres; k++)
            info_of(c, op->res + k)->scalar = one;
        if (takes_scalar(c, op, one))
            continue;
        for (unsigned k = 0; k <= op->nargs; k++) {
            ir_value a = k < op->nargs ? ir_args(ir, op)[k] : op->pred;
            if (a && ir->value_uniform[a])
                info_of(c, a)->row_wanted = true;
        }
    }
}

/* Does nothing above argument k's own bits count, as it is put into a part of an element, or gets its sign there? */
static bool is_cut_off(const struct compiler *c, const struct ir_op *op, unsigned k)
{
    if (op->code == IR_SEXT && op->type == IR_I32)
        return k == 0;
    if (k != (op->code == IR_SET ? 0 : op->code == IR_SET_DYN ? 1 : op->code == IR_SET_LANE ? 2 : op->nargs))
        return false;
    const struct ir_reg *r = op_reg(c, op);
    return ir_type_bits((enum ir_type)r->part) < c->p->ir->files[r->file].bits;
}

/* Words that are cut to a narrow type for parts of registers alone need not be: that is done where they are put in. */
static void find_needless_cuts(struct compiler *c, const struct ir_block *b)
{
    const struct ir_program *ir = c->p->ir;
    for (uint32_t i = 0; i < b->count; i++) {
        const struct ir_op *op = &b->ops[i];
        if (op->code != IR_TRUNC || (op->type != IR_I8 && op->type != IR_I16) || info_of(c, op->res)->kept_whole)
            continue;
        ir_value word = ir_args(ir, op)[0], root = root_of(c, word);
        if (ir->value_type[word] != IR_I32 || ir->value_uniform[word] != op->uniform)
            continue;
        info_of(c, op->res)->alias = word;
        if (info_of(c, root)->block == c->block && info_of(c, root)->last < info_of(c, op->res)->last)
            info_of(c, root)->last = info_of(c, op->res)->last;
    }
}

/* Definitions, uses, last uses and aliases of a block's values. */
static void scan_values(struct compiler *c, const struct ir_block *b)
{
    const struct ir_program *ir = c->p->ir;
    for (uint32_t i = 0; i < b->count; i++) {
        const struct ir_op *op = &b->ops[i];
        for (unsigned k = 0; k < op->nres; k++) {
            *info_of(c, op->res + k) = (struct value_info){.def = i, .block = c->block, .last = i};
        }
        if (op->nres && is_alias(c, op))
            info_of(c, op->res)->alias = ir_args(ir, op)[0];
        struct column column;
        unsigned known = find_column(c, op, &column) ? 2 : 0; /* arguments that the operation knows */
        for (unsigned k = known; k <= op->nargs; k++) {
            ir_value a = k < op->nargs ? ir_args(ir, op)[k] : op->pred;
            if (!a || info_of(c, a)->block != c->block)
                continue;
            info_of(c, a)->uses++;
            info_of(c, a)->kept_whole |= k == op->nargs || !is_cut_off(c, op, k);
            ir_value r = root_of(c, a);
            if (info_of(c, r)->block == c->block) {
                info_of(c, r)->last = i;
                if (crosses_lanes(op))
                    info_of(c, r)->crossed = true;
            }
        }
    }
    find_needless_cuts(c, b);
    /* and what such values are made of */
    for (uint32_t i = b->count; i-- > 0;) {
        const struct ir_op *op = &b->ops[i];
        if (!op->nres || !info_of(c, root_of(c, op->res))->crossed)
            continue;
        for (unsigned k = 0; k < op->nargs; k++) {
            ir_value r = root_of(c, ir_args(ir, op)[k]);
            if (info_of(c, r)->block == c->block)
                info_of(c, r)->crossed = true;
        }
    }
}

/* The next write to plain register `reg` at or after op i: tables made from the end of the block. */
static uint32_t next_write(const struct compiler *c, const struct ir_block *b, uint32_t from, uint32_t to,
                           unsigned file, uint32_t elem)
{
    for (uint32_t i = from; i < to && i < b->count; i++) {
        const struct ir_op *op = &b->ops[i];
        if (op->code == IR_SET_DYN || op->code == IR_SET_LANE) {
            if (op_reg(c, op)->file == file)
                return i;
        } else if (op->code == IR_SET) {
            const struct ir_reg *r = op_reg(c, op);
            if (r->file == file && elem >= r->elem && elem < r->elem + span_of_reg(c, r))
                return i;
        }
    }
    return to;
}

/* Does op i, which reads a row, write other lanes of rows of the file? It would read what it has just written. */
static bool writes_across(const struct compiler *c, const struct ir_block *b, uint32_t i, unsigned file)
{
    const struct ir_op *op = &b->ops[i];
    return op->code == IR_SET_LANE && op_reg(c, op)->file == file;
}

/* Is the register read (or written otherwise) strictly between two ops? */
static bool touched_between(const struct compiler *c, const struct ir_block *b, uint32_t from, uint32_t to,
                            unsigned file, uint32_t elem)
{
    for (uint32_t i = from; i < to; i++) {
        const struct ir_op *op = &b->ops[i];
        if (op->code != IR_GET && op->code != IR_SET && !ir_reg_indexed(op->code))
            continue;
        const struct ir_reg *r = op_reg(c, op);
        if (r->file != file)
            continue;
        if (ir_reg_indexed(op->code))
            return true;
        if (elem >= r->elem && elem < r->elem + span_of_reg(c, r))
            return true;
    }
    return false;
}

/* Does an op after `from` and before `to` stop the warp, so that registers must not change before it? */
static bool may_stop_between(const struct ir_block *b, uint32_t from, uint32_t to)
{
    for (uint32_t i = from + 1; i < to; i++) {
        switch (b->ops[i].code) {
        case IR_CHECK:
        case IR_LOAD:
        case IR_STORE:
        case IR_ATOMIC:
        case IR_SERVICE:
        case IR_PROBE:
            return true;
        default:
            break;
        }
    }
    return false;
}

/* Scalar ops that read everything before they write their result, or write nothing when they stop. */
static bool makes_in_place(const struct compiler *c, const struct ir_op *op)
{
    return single_step(c, op, false) || (op->code == IR_LOAD && op->nres == 1);
}

/* Whether only one op looks at the value that is SET, under whatever other names. */
static bool used_once(const struct compiler *c, ir_value v)
{
    for (; info_of(c, v)->alias; v = info_of(c, v)->alias)
        if (info_of(c, v)->uses != 1)
            return false;
    return info_of(c, v)->uses == 1;
}

/* Whether the value of a SET with a predicate can be made in the register's row, in lanes that the predicate holds in:
 * it must be known by then, and what the other lanes would have had must be nobody's business. */
static bool made_under_condition(const struct compiler *c, const struct ir_block *b, const struct ir_op *set,
                                 ir_value v)
{
    const struct ir_op *def = &b->ops[info_of(c, v)->def];
    ir_value condition = root_of(c, set->pred);
    const struct value_info *k = info_of(c, condition);
    return !c->p->ir->value_uniform[condition] && k->block == c->block && k->def < info_of(c, v)->def &&
           used_once(c, ir_args(c->p->ir, set)[0]) && !info_of(c, v)->fuse && has_masked_form(c, def);
}

enum { LOOK_AHEAD = 4096 }; /* bounds the searches above: beyond it a copy is made */

/* Which GETs may read the register's own row, and which values may be made in one. */
static void place_registers(struct compiler *c, const struct ir_block *b)
{
    const struct ir_program *ir = c->p->ir;
    for (uint32_t i = 0; i < b->count; i++) {
        const struct ir_op *op = &b->ops[i];
        if (op->code != IR_GET)
            continue;
        const struct ir_reg *r = op_reg(c, op);
        struct value_info *v = info_of(c, op->res);
        if (!plain_reg(c, r) || v->last - i > LOOK_AHEAD || (op->uniform && !v->scalar))
            continue;
        if (next_write(c, b, i + 1, v->last, r->file, r->elem) < v->last || writes_across(c, b, v->last, r->file))
            continue;
        v->home = reg_row(c, r->file, r->elem);
        v->from_register = true;
    }
    /* last use so far of values that live in a register's row, walking forward */
    memset(c->reader_block, 0xff, c->nregisters * sizeof *c->reader_block);
    for (uint32_t i = 0; i < b->count; i++) {
        const struct ir_op *op = &b->ops[i];
        if (op->code == IR_GET && info_of(c, op->res)->from_register) {
            const struct ir_reg *r = op_reg(c, op);
            uint32_t n = reg_number(c, r->file, r->elem);
            if (c->reader_block[n] != c->block || c->reader_last[n] < info_of(c, op->res)->last)
                c->reader_last[n] = info_of(c, op->res)->last;
            c->reader_block[n] = c->block;
        }
        if (op->code != IR_SET)
            continue;
        const struct ir_reg *r = op_reg(c, op);
        ir_value a = root_of(c, ir_args(ir, op)[0]);
        struct value_info *v = info_of(c, a);
        if (!plain_reg(c, r) || v->block != c->block || v->home || v->fused || ir->files[r->file].uniform != v->scalar)
            continue;
        if (i - v->def > LOOK_AHEAD || v->last - v->def > LOOK_AHEAD)
            continue;
        const struct ir_op *def = &b->ops[v->def];
        if (def->nres != 1 || !(v->scalar ? makes_in_place(c, def) : !def->uniform && single_step(c, def, true)))
            continue;
        if (op->pred && (v->scalar || !made_under_condition(c, b, op, a)))
            continue;
        if (ir->precise && may_stop_between(b, v->def, i))
            continue;
        if (!v->scalar && (v->crossed || crosses_lanes(def)))
            continue;
        if (touched_between(c, b, v->def + 1, i, r->file, r->elem))
            continue;
        uint32_t n = reg_number(c, r->file, r->elem);
        if (c->reader_block[n] == c->block && c->reader_last[n] > v->def)
            continue;
        if (v->last > i && (next_write(c, b, i + 1, v->last, r->file, r->elem) < v->last ||
                            writes_across(c, b, v->last, r->file)))
            continue;
        v->home = reg_row(c, r->file, r->elem);
        v->set_at = i;
        v->in_register = true;
        v->condition = op->pred ? root_of(c, op->pred) : 0;
        if (c->reader_block[n] != c->block || c->reader_last[n] < v->last)
            c->reader_last[n] = v->last;
        c->reader_block[n] = c->block;
    }
}

void scan_block(struct compiler *c, const struct ir_block *b)
{
    scan_values(c, b);
    if (c->block != IR_PROLOGUE)
        find_scalars(c, b);
    find_fused(c, b);
    memset(c->reader_block, 0xff, c->nregisters * sizeof *c->reader_block);
    place_registers(c, b);
}
