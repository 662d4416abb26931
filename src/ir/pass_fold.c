/* pass_fold.c - constants, and what an op is by algebra alone. Only what holds for every bit pattern is done here,
 * NaNs included. */
#include "ir/pass.h"

#include "ir/constant.h"
#include "ir/program.h"
#include "ir/rewrite.h"

#include <string.h>

struct fold {
    struct rewrite rw;
    struct arena scratch;
    /* by value, from rw.first on: 1 + place of the op that makes it, as the pass left it, in the prologue or in `ops`;
     * 0: not yet */
    uint32_t *def;
    const struct ir_op *ops; /* of the block at work */
};

static const uint32_t IN_PROLOGUE = 1u << 31;

/* What became of an op. */
enum outcome { SAME /* nothing */, CHANGED /* into another op: look again */, GONE };

static const struct ir_op *def_of(const struct fold *f, ir_value v)
{
    uint32_t place = v >= f->rw.first && v < f->rw.nvalues ? f->def[v - f->rw.first] : 0;
    const struct ir_op *ops = place & IN_PROLOGUE ? f->rw.p->blocks[IR_PROLOGUE].ops : f->ops;
    return place ? &ops[(place & ~IN_PROLOGUE) - 1] : NULL;
}

static ir_value arg_of(const struct fold *f, const struct ir_op *op, unsigned i)
{
    return f->rw.p->pool[op->args + i];
}

static bool made_by(const struct fold *f, ir_value v, unsigned code)
{
    const struct ir_op *d = def_of(f, v);
    return d && d->code == code;
}

static bool constant(const struct fold *f, ir_value v, uint64_t *bits)
{
    if (!made_by(f, v, IR_CONST))
        return false;
    *bits = def_of(f, v)->imm;
    return true;
}

static unsigned type_of(const struct fold *f, ir_value v)
{
    return f->rw.p->value_type[v];
}

/* ---- outcomes ---- */

static enum outcome become_value(struct fold *f, struct ir_op *op, ir_value v)
{
    rewrite_results(&f->rw, op, v);
    return GONE;
}

static enum outcome become_constant(struct ir_op *op, uint64_t bits)
{
    unsigned width = ir_type_bits((enum ir_type)op->type);
    op->code = IR_CONST;
    op->attr = 0;
    op->nargs = 0;
    op->imm = width < 64 ? bits & (((uint64_t)1 << width) - 1) : bits;
    return CHANGED;
}

/* An op with as many arguments as it has, or fewer: they take the places of the old ones. */
static enum outcome become_op(struct fold *f, struct ir_op *op, unsigned code, ir_value a, ir_value b)
{
    ir_value *args = f->rw.p->pool + op->args;
    unsigned n = b ? 2 : 1;
    args[0] = a;
    if (b)
        args[1] = b;
    op->code = (uint16_t)code;
    op->nargs = (uint8_t)n;
    return CHANGED;
}

/* New places for two arguments. */
static bool room_for_two(struct ir_program *p, struct ir_op *op)
{
    ir_value *pool = NULL;
    if (p->npool < UINT32_MAX - 2)
        pool = arena_grow(p->arena, p->pool, sizeof *pool, p->npool, &p->pool_cap, (size_t)p->npool + 2);
    if (!pool)
        return false;
    p->pool = pool;
    op->args = p->npool;
    p->npool += 2;
    return true;
}

/* The value, or its bits in the op's type. */
static enum outcome become_bits(struct fold *f, struct ir_op *op, ir_value v)
{
    if (type_of(f, v) == op->type)
        return become_value(f, op, v);
    op->attr = 0;
    return become_op(f, op, IR_BITCAST, v, 0);
}

/* ---- rules ---- */

static enum outcome fold_constants(struct fold *f, struct ir_op *op)
{
    uint64_t args[3], result;
    if (op->nres != 1 || op->nargs < 1 || op->nargs > 3 || !(ir_op_info[op->code].flags & IR_OP_PURE))
        return SAME;
    for (unsigned i = 0; i < op->nargs; i++)
        if (!constant(f, arg_of(f, op, i), &args[i]))
            return SAME;
    return ir_constant(f->rw.p, op, args, &result) ? become_constant(op, result) : SAME;
}

/* What an integer, read with its sign, can be. */
struct range {
    int64_t low, high;
};

static struct range full_range(enum ir_type type)
{
    return ir_type_bits(type) == 64 ? (struct range){INT64_MIN, INT64_MAX} : (struct range){INT32_MIN, INT32_MAX};
}

/* All that fits `bits` bits, of at most 32. */
static struct range range_of_bits(unsigned bits, bool is_signed)
{
    int64_t half = (int64_t)1 << (bits - 1);
    return is_signed ? (struct range){-half, half - 1} : (struct range){0, 2 * half - 1};
}

static bool within(struct range r, struct range wanted)
{
    return r.low >= wanted.low && r.high <= wanted.high;
}

enum { RANGE_DEPTH = 5 }; /* bounds how far the makers of a value are looked at */

static struct range range_of(const struct fold *f, ir_value v, unsigned depth);

/* Sum or difference; all where it may wrap. */
static struct range range_of_sum(const struct fold *f, const struct ir_op *d, unsigned depth)
{
    struct range x = range_of(f, arg_of(f, d, 0), depth), y = range_of(f, arg_of(f, d, 1), depth), r;
    struct range all = full_range((enum ir_type)d->type);
    bool wraps = d->code == IR_ADD
                     ? __builtin_add_overflow(x.low, y.low, &r.low) || __builtin_add_overflow(x.high, y.high, &r.high)
                     : __builtin_sub_overflow(x.low, y.high, &r.low) || __builtin_sub_overflow(x.high, y.low, &r.high);
    return wraps || d->attr || !within(r, all) ? all : r;
}

/* AND and shifts to the right by constants. */
static struct range range_of_cut(const struct fold *f, const struct ir_op *d, unsigned depth)
{
    struct range x = range_of(f, arg_of(f, d, 0), depth), all = full_range((enum ir_type)d->type);
    unsigned bits = ir_type_bits((enum ir_type)d->type);
    uint64_t k;
    if (!constant(f, arg_of(f, d, 1), &k) || bits != 32)
        return all;
    if (d->code == IR_AND)
        return k <= INT32_MAX ? (struct range){0, (int64_t)k} : all;
    k &= bits - 1;
    if (d->code == IR_SHR_S || x.low >= 0)
        return (struct range){x.low >> k, x.high >> k};
    return k ? (struct range){0, UINT32_MAX >> k} : all;
}

/* Of the smaller, the larger, or either of two values. */
static struct range range_of_choice(const struct fold *f, const struct ir_op *d, unsigned depth)
{
    unsigned from = d->code == IR_SELECT;
    struct range x = range_of(f, arg_of(f, d, from), depth), y = range_of(f, arg_of(f, d, from + 1), depth);
    bool least = x.low < y.low, most = x.high > y.high;
    return (struct range){.low = (d->code == IR_MAX_S) != least ? x.low : y.low,
                          .high = (d->code == IR_MIN_S) != most ? x.high : y.high};
}

static struct range range_of(const struct fold *f, ir_value v, unsigned depth)
{
    const struct ir_op *d = def_of(f, v);
    enum ir_type type = (enum ir_type)type_of(f, v);
    struct range all = full_range(type);
    if (!d || d->nres != 1 || (type != IR_I32 && type != IR_I64) || !depth)
        return all;
    unsigned from = d->nargs ? ir_type_bits((enum ir_type)type_of(f, arg_of(f, d, 0))) : 0;
    switch (d->code) {
    case IR_CONST:
        all.low = all.high = type == IR_I32 ? (int32_t)(uint32_t)d->imm : (int64_t)d->imm;
        return all;
    case IR_LANE_ID:
        return (struct range){0, 63};
    case IR_SEXT: case IR_ZEXT:
        return from <= 32 ? range_of_bits(from, d->code == IR_SEXT) : all;
    case IR_LOAD: { /* narrow elements come without a sign */
        unsigned bits = ir_type_bits((enum ir_type)f->rw.p->mems[d->desc].elem);
        return bits < 32 ? range_of_bits(bits, false) : all;
    }
    case IR_ADD: case IR_SUB:
        return range_of_sum(f, d, depth - 1);
    case IR_AND: case IR_SHR_S: case IR_SHR_U:
        return range_of_cut(f, d, depth - 1);
    case IR_MIN_S: case IR_MAX_S: case IR_SELECT:
        return range_of_choice(f, d, depth - 1);
    default:
        return all;
    }
}

/* x << k >> k, with its sign: the word x of which 32 - k bits count. */
static bool is_narrowed(const struct fold *f, const struct ir_op *op, ir_value *x, unsigned *bits)
{
    uint64_t left, right;
    ir_value shifted = op->nargs == 2 ? arg_of(f, op, 0) : 0;
    if (op->code != IR_SHR_S || op->type != IR_I32 || !made_by(f, shifted, IR_SHL) ||
        !constant(f, arg_of(f, op, 1), &right) || !constant(f, arg_of(f, def_of(f, shifted), 1), &left) ||
        ((left ^ right) & 31))
        return false;
    *x = arg_of(f, def_of(f, shifted), 0);
    *bits = 32 - (unsigned)(right & 31);
    return true;
}

/* An op that would change nothing, as its argument is small enough. */
static enum outcome fold_small(struct fold *f, struct ir_op *op)
{
    ir_value x = arg_of(f, op, 0);
    unsigned bits;
    uint64_t k;
    if (is_narrowed(f, op, &x, &bits))
        return within(range_of(f, x, RANGE_DEPTH), range_of_bits(bits, true)) ? become_value(f, op, x) : SAME;
    if ((op->code != IR_AND && op->code != IR_MIN_S && op->code != IR_MAX_S) || !constant(f, arg_of(f, op, 1), &k))
        return SAME;
    struct range r = range_of(f, x, RANGE_DEPTH);
    int64_t limit = op->type == IR_I32 ? (int32_t)(uint32_t)k : (int64_t)k;
    bool same = false;
    if (op->code == IR_AND) /* ones from bit 0 on */
        same = limit >= 0 && !(limit & (limit + 1)) && r.low >= 0 && r.high <= limit;
    else if (op->code == IR_MIN_S)
        same = r.high <= limit;
    else if (op->code == IR_MAX_S)
        same = r.low >= limit;
    return same && (op->type == IR_I32 || op->type == IR_I64) ? become_value(f, op, x) : SAME;
}

/* Made wider and cut again, or cut and made wider again where that changes nothing. */
static enum outcome fold_narrow(struct fold *f, struct ir_op *op)
{
    ir_value x = arg_of(f, op, 0);
    const struct ir_op *d = def_of(f, x);
    if (!d || d->nres != 1 || !d->nargs)
        return SAME;
    if (op->code == IR_SEXT) {
        ir_value inner = arg_of(f, d, 0);
        unsigned bits = ir_type_bits((enum ir_type)type_of(f, x));
        if (d->code != IR_TRUNC || op->type != IR_I32 || type_of(f, inner) != IR_I32)
            return SAME;
        return within(range_of(f, inner, RANGE_DEPTH), range_of_bits(bits, true)) ? become_value(f, op, inner) : SAME;
    }
    if ((d->code == IR_SEXT || d->code == IR_ZEXT) && type_of(f, arg_of(f, d, 0)) == op->type)
        return become_value(f, op, arg_of(f, d, 0));
    return SAME;
}

/* An integer op of x and a constant, which is on the right unless the op commutes. */
static enum outcome fold_identity(struct fold *f, struct ir_op *op)
{
    ir_value x = arg_of(f, op, 0), y = arg_of(f, op, 1);
    uint64_t k, all = ir_type_bits((enum ir_type)op->type) < 64
                          ? ((uint64_t)1 << ir_type_bits((enum ir_type)op->type)) - 1
                          : UINT64_MAX;
    bool commutes =
        op->code == IR_ADD || op->code == IR_MUL || op->code == IR_AND || op->code == IR_OR || op->code == IR_XOR;
    if (commutes && constant(f, x, &k)) {
        ir_value swap = x;
        x = y;
        y = swap;
    }
    if (!constant(f, y, &k))
        return SAME;
    switch (op->code) {
    case IR_ADD: case IR_SUB: case IR_XOR: case IR_ADD_SATU: case IR_SUB_SATU:
        return k == 0 ? become_value(f, op, x) : SAME;
    case IR_OR:
        return k == 0 ? become_value(f, op, x) : k == all ? become_value(f, op, y) : SAME;
    case IR_AND:
        return k == all ? become_value(f, op, x) : k == 0 ? become_value(f, op, y) : SAME;
    case IR_MUL:
        return k == 1 ? become_value(f, op, x) : k == 0 ? become_value(f, op, y) : SAME;
    case IR_SHL: case IR_SHR_S: case IR_SHR_U:
        return (k & (ir_type_bits((enum ir_type)op->type) - 1)) == 0 ? become_value(f, op, x) : SAME;
    default:
        return SAME;
    }
}

/* An integer op of a value and itself. */
static enum outcome fold_twice(struct fold *f, struct ir_op *op)
{
    ir_value x = arg_of(f, op, 0);
    if (x != arg_of(f, op, 1))
        return SAME;
    switch (op->code) {
    case IR_AND: case IR_OR: case IR_MIN_S: case IR_MAX_S: case IR_MIN_U: case IR_MAX_U:
        return become_value(f, op, x);
    case IR_XOR: case IR_SUB: case IR_SUB_SATU: case IR_NE: case IR_LT_S: case IR_LT_U:
        return become_constant(op, 0);
    case IR_EQ: case IR_LE_S: case IR_LE_U:
        return become_constant(op, 1);
    default:
        return SAME;
    }
}

/* A choice between two constants: SELECT of them, or the extension of an i1. */
struct choice {
    ir_value condition;
    uint64_t yes, no;
};

static bool chooses(const struct fold *f, ir_value v, struct choice *c)
{
    while (made_by(f, v, IR_BITCAST))
        v = arg_of(f, def_of(f, v), 0);
    const struct ir_op *d = def_of(f, v);
    unsigned bits = ir_type_bits((enum ir_type)type_of(f, v));
    if (!d || !d->nargs)
        return false;
    c->condition = arg_of(f, d, 0);
    c->no = 0;
    c->yes = d->code == IR_ZEXT ? 1 : bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
    if (d->code == IR_ZEXT || d->code == IR_SEXT)
        return type_of(f, c->condition) == IR_I1;
    return d->code == IR_SELECT && constant(f, arg_of(f, d, 1), &c->yes) && constant(f, arg_of(f, d, 2), &c->no);
}

/* A comparison of such a choice with a constant is the condition, its opposite, or known. */
static enum outcome fold_choice(struct fold *f, struct ir_op *op)
{
    struct choice c;
    uint64_t yes, no;
    for (unsigned side = 0; side < 2; side++) {
        uint64_t args[2];
        if (!constant(f, arg_of(f, op, 1 - side), &args[1 - side]) || !chooses(f, arg_of(f, op, side), &c))
            continue;
        args[side] = c.yes;
        if (!ir_constant(f->rw.p, op, args, &yes))
            return SAME;
        args[side] = c.no;
        if (!ir_constant(f->rw.p, op, args, &no))
            return SAME;
        if (yes == no)
            return become_constant(op, yes);
        op->attr = 0;
        return yes ? become_value(f, op, c.condition) : become_op(f, op, IR_NOT, c.condition, 0);
    }
    return SAME;
}

/* The same for an op of two such choices, as of SLT and SGE: AND, OR or XOR of their conditions. */
static enum outcome fold_choices(struct fold *f, struct ir_op *op)
{
    for (unsigned side = 0; side < 2; side++) {
        struct choice x, y;
        uint64_t args[2], inner[2], made, k;
        const struct ir_op *d = def_of(f, arg_of(f, op, side));
        if (!constant(f, arg_of(f, op, 1 - side), &args[1 - side]) || !d || d->nargs != 2 || d->nres != 1 ||
            !chooses(f, arg_of(f, d, 0), &x) || !chooses(f, arg_of(f, d, 1), &y))
            continue;
        unsigned table = 0; /* bit 2 * x + y */
        for (unsigned i = 0; i < 4; i++) {
            inner[0] = i & 2 ? x.yes : x.no;
            inner[1] = i & 1 ? y.yes : y.no;
            if (!ir_constant(f->rw.p, d, inner, &made))
                return SAME;
            args[side] = made;
            if (!ir_constant(f->rw.p, op, args, &k))
                return SAME;
            table |= (unsigned)(k & 1) << i;
        }
        enum ir_opcode code = table == 14 ? IR_OR : table == 8 ? IR_AND : table == 6 ? IR_XOR : IR_OPCODES;
        if (code == IR_OPCODES)
            return SAME;
        op->attr = 0;
        return become_op(f, op, code, x.condition, y.condition);
    }
    return SAME;
}

/* The comparison that holds where another does not; IR_OPCODES: none, as where NaNs fail both. */
static unsigned opposite(unsigned code, bool *swapped)
{
    *swapped = code == IR_LT_S || code == IR_LE_S || code == IR_LT_U || code == IR_LE_U;
    switch (code) {
    case IR_EQ: return IR_NE;
    case IR_NE: return IR_EQ;
    case IR_LT_S: return IR_LE_S;
    case IR_LE_S: return IR_LT_S;
    case IR_LT_U: return IR_LE_U;
    case IR_LE_U: return IR_LT_U;
    case IR_FEQ: return IR_FNE;
    case IR_FNE: return IR_FEQ;
    default: return IR_OPCODES;
    }
}

static enum outcome fold_not(struct fold *f, struct ir_op *op)
{
    ir_value x = arg_of(f, op, 0);
    const struct ir_op *d = def_of(f, x);
    if (made_by(f, x, IR_NOT))
        return become_value(f, op, arg_of(f, d, 0));
    bool swapped = false;
    unsigned code = d && d->nargs == 2 ? opposite(d->code, &swapped) : IR_OPCODES;
    if (code == IR_OPCODES)
        return SAME;
    ir_value a = arg_of(f, d, swapped), b = arg_of(f, d, !swapped);
    if (!room_for_two(f->rw.p, op))
        return SAME;
    op->attr = d->attr;
    return become_op(f, op, code, a, b);
}

static enum outcome fold_sign(struct fold *f, struct ir_op *op)
{
    ir_value x = arg_of(f, op, 0);
    const struct ir_op *d = def_of(f, x);
    if (op->code == IR_FNEG && made_by(f, x, IR_FNEG))
        return become_value(f, op, arg_of(f, d, 0));
    if (op->code == IR_FABS && made_by(f, x, IR_FABS))
        return become_value(f, op, x);
    if (op->code == IR_FABS && made_by(f, x, IR_FNEG))
        return become_op(f, op, IR_FABS, arg_of(f, d, 0), 0);
    if (op->code == IR_NEG && made_by(f, x, IR_NEG))
        return become_value(f, op, arg_of(f, d, 0));
    return SAME;
}

/* a + -b and -b + a are a - b but for the sign of a NaN in b, which one NaN for all takes away. */
static enum outcome fold_fadd(struct fold *f, struct ir_op *op)
{
    ir_value a = arg_of(f, op, 0), b = arg_of(f, op, 1);
    if (!(op->attr & (IR_NAN_CANON | IR_NAN_X86)))
        return SAME;
    if (made_by(f, b, IR_FNEG))
        return become_op(f, op, IR_FSUB, a, arg_of(f, def_of(f, b), 0));
    if (made_by(f, a, IR_FNEG))
        return become_op(f, op, IR_FSUB, b, arg_of(f, def_of(f, a), 0));
    return SAME;
}

/* a * b + -0 is a * b: only rounded down would a product of +0 become -0. */
static enum outcome fold_ffma(struct fold *f, struct ir_op *op)
{
    uint64_t k, minus_zero = (uint64_t)1 << (ir_type_bits((enum ir_type)op->type) - 1);
    if ((op->attr & IR_ROUND_MASK) == IR_RDN || !constant(f, arg_of(f, op, 2), &k) || k != minus_zero)
        return SAME;
    return become_op(f, op, IR_FMUL, arg_of(f, op, 0), arg_of(f, op, 1));
}

static enum outcome fold_select(struct fold *f, struct ir_op *op)
{
    ir_value c = arg_of(f, op, 0), yes = arg_of(f, op, 1), no = arg_of(f, op, 2);
    uint64_t k, a, b;
    if (yes == no)
        return become_value(f, op, yes);
    if (constant(f, c, &k))
        return become_value(f, op, k ? yes : no);
    if (op->type == IR_I1 && constant(f, yes, &a) && constant(f, no, &b) && a != b)
        return a ? become_value(f, op, c) : become_op(f, op, IR_NOT, c, 0);
    if (made_by(f, c, IR_NOT)) {
        ir_value *args = f->rw.p->pool + op->args;
        args[0] = arg_of(f, def_of(f, c), 0);
        args[1] = no;
        args[2] = yes;
        return CHANGED;
    }
    if (op->type == IR_I1 && (yes == c || (constant(f, yes, &a) && a)))
        return become_op(f, op, IR_OR, c, no);
    if (op->type == IR_I1 && (no == c || (constant(f, no, &b) && !b)))
        return become_op(f, op, IR_AND, c, yes);
    return SAME;
}

static enum outcome fold_words(struct fold *f, struct ir_op *op)
{
    ir_value x = arg_of(f, op, 0);
    const struct ir_op *d = def_of(f, x);
    switch (op->code) {
    case IR_COPY:
        return op->attr ? SAME : become_value(f, op, x);
    case IR_BITCAST:
        if (type_of(f, x) == op->type)
            return become_value(f, op, x);
        return made_by(f, x, IR_BITCAST) ? become_bits(f, op, arg_of(f, d, 0)) : SAME;
    case IR_LO32:
        return made_by(f, x, IR_PACK64) ? become_bits(f, op, arg_of(f, d, 0)) : SAME;
    case IR_HI32:
        return made_by(f, x, IR_PACK64) ? become_bits(f, op, arg_of(f, d, 1)) : SAME;
    default: { /* PACK64 */
        ir_value y = arg_of(f, op, 1);
        if (made_by(f, x, IR_LO32) && made_by(f, y, IR_HI32) && arg_of(f, d, 0) == arg_of(f, def_of(f, y), 0))
            return become_bits(f, op, arg_of(f, d, 0));
        return SAME;
    }
    }
}

/* An index that is constant and in range names its register. */
static enum outcome fold_index(struct fold *f, struct ir_op *op)
{
    struct ir_program *p = f->rw.p;
    struct ir_reg r = p->regs[op->desc];
    uint64_t k;
    if (!constant(f, arg_of(f, op, 0), &k) || (int32_t)(uint32_t)k < r.first || (int32_t)(uint32_t)k > r.last)
        return SAME;
    r.elem = (uint32_t)(r.elem + (int64_t)(int32_t)(uint32_t)k * r.stride);
    r.stride = r.first = r.last = 0;
    uint32_t desc = ir_add_reg(p, r);
    if (arena_failed(p->arena))
        return SAME;
    op->desc = desc;
    op->code = op->code == IR_GET_DYN ? IR_GET : IR_SET;
    op->args++; /* past the index */
    op->nargs--;
    return CHANGED;
}

static enum outcome fold_branch(struct fold *f, struct ir_op *op)
{
    ir_value c = arg_of(f, op, 0);
    uint64_t k;
    bool known = constant(f, c, &k);
    if (known || op->desc == (uint32_t)op->imm) {
        op->code = IR_GOTO;
        op->desc = !known || k ? op->desc : (uint32_t)op->imm;
        op->imm = 0;
        op->nargs = 0;
        return CHANGED;
    }
    if (!made_by(f, c, IR_NOT))
        return SAME;
    uint32_t yes = op->desc;
    op->desc = (uint32_t)op->imm;
    op->imm = yes;
    return become_op(f, op, IR_BRANCH, arg_of(f, def_of(f, c), 0), 0);
}

/* Effects under a known predicate, and those that a known argument makes idle. */
static enum outcome fold_effect(struct fold *f, struct ir_op *op)
{
    uint64_t k;
    bool alone = op->nres == 0 && op->code != IR_PROBE && op->code != IR_SERVICE;
    if (op->pred && constant(f, op->pred, &k)) {
        if (k) {
            op->pred = 0;
            return CHANGED;
        }
        if (alone)
            return GONE;
    }
    if ((op->code == IR_DISCARD || op->code == IR_CHECK) && constant(f, arg_of(f, op, 0), &k) && !k)
        return GONE;
    return op->code == IR_SET_DYN ? fold_index(f, op) : SAME;
}

static enum outcome fold_rule(struct fold *f, struct ir_op *op)
{
    enum outcome o = fold_constants(f, op);
    if (o != SAME)
        return o;
    if (ir_op_info[op->code].flags & IR_OP_EFFECT)
        return fold_effect(f, op);
    switch (op->code) {
    case IR_ADD: case IR_SUB: case IR_ADD_SATU: case IR_SUB_SATU: case IR_MUL: case IR_AND: case IR_OR: case IR_XOR:
    case IR_MIN_S: case IR_MAX_S: case IR_MIN_U: case IR_MAX_U:
        o = fold_identity(f, op);
        o = o != SAME ? o : fold_twice(f, op);
        return o != SAME ? o : fold_small(f, op);
    case IR_SHL: case IR_SHR_U:
        return fold_identity(f, op);
    case IR_SHR_S:
        o = fold_identity(f, op);
        return o != SAME ? o : fold_small(f, op);
    case IR_TRUNC: case IR_SEXT:
        return fold_narrow(f, op);
    case IR_EQ: case IR_NE: case IR_LT_S: case IR_LE_S: case IR_LT_U: case IR_LE_U:
        o = fold_twice(f, op);
        o = o != SAME ? o : fold_choice(f, op);
        return o != SAME ? o : fold_choices(f, op);
    case IR_FEQ: case IR_FNE: case IR_FLT: case IR_FLE:
        o = fold_choice(f, op);
        return o != SAME ? o : fold_choices(f, op);
    case IR_NOT:
        return fold_not(f, op);
    case IR_FNEG: case IR_FABS: case IR_NEG:
        return fold_sign(f, op);
    case IR_FADD:
        return fold_fadd(f, op);
    case IR_FFMA:
        return fold_ffma(f, op);
    case IR_SELECT:
        return fold_select(f, op);
    case IR_COPY: case IR_BITCAST: case IR_LO32: case IR_HI32: case IR_PACK64:
        return fold_words(f, op);
    case IR_GET_DYN:
        return fold_index(f, op);
    case IR_BRANCH:
        return fold_branch(f, op);
    default:
        return SAME;
    }
}

static void note_op(struct fold *f, const struct ir_op *op, uint32_t place, uint32_t in)
{
    for (unsigned k = 0; k < op->nres; k++)
        f->def[op->res - f->rw.first + k] = (place + 1) | in;
}

static void fold_block(struct fold *f, uint32_t block)
{
    struct ir_block *b = &f->rw.p->blocks[block];
    uint32_t in = block == IR_PROLOGUE ? IN_PROLOGUE : 0;
    f->ops = b->ops;
    enum { MOST = 8 }; /* rules that apply one after the other to one op */
    uint32_t kept = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        struct ir_op *op = &b->ops[i];
        enum outcome o = CHANGED;
        rewrite_op(&f->rw, op);
        for (int k = 0; k < MOST && o == CHANGED; k++) {
            o = fold_rule(f, op);
            if (o != GONE)
                rewrite_uniform(f->rw.p, op);
        }
        if (o == GONE)
            continue;
        b->ops[kept] = *op;
        note_op(f, op, kept++, in);
    }
    b->count = kept;
}

void ir_pass_fold(struct ir_program *p)
{
    struct fold f = {.scratch = {.limit = PASS_MEMORY}};
    if (!arena_failed(p->arena) && rewrite_start(&f.rw, p, &f.scratch)) {
        f.def = ARENA_ARRAY(&f.scratch, uint32_t, p->nvalues - f.rw.first + 1u);
        const struct ir_block *prologue = &p->blocks[IR_PROLOGUE];
        for (uint32_t i = 0; f.def && p->frozen && i < prologue->count; i++)
            note_op(&f, &prologue->ops[i], i, IN_PROLOGUE);
        for (uint32_t b = p->frozen ? pass_first(p) : IR_PROLOGUE; f.def && b < p->nblocks; b++)
            fold_block(&f, b);
    }
    pass_end(p, &f.scratch);
}
