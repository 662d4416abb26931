/* facts.c - what values of 32 bits never are, as f32: denormals, NaNs, -0.
 *
 * Registers are looked at without regard to the order of things: a fact holds of one when it holds of everything that
 * is ever SET to it, since it is +0 in the beginning. */
#include "ir/facts.h"

enum { ROUNDS = 16 }; /* programs that are not through by then stay as they are */

static bool is_word(enum ir_type t)
{
    return ir_type_bits(t) == 32;
}

/* ---- registers ---- */

/* A whole element of 32 bits. */
static bool is_whole(const struct ir_program *p, const struct ir_reg *r)
{
    return r->shift == 0 && is_word((enum ir_type)r->part) && p->files[r->file].bits == 32;
}

static void limit(struct facts *f, const struct reg_span *s, uint8_t known)
{
    uint8_t *element = f->element + f->elements.base[s->file] + s->elem;
    for (uint32_t i = 0; i < s->count; i++) {
        f->changed |= (element[i] & ~known) != 0;
        element[i] &= known;
    }
}

static void note_write(struct facts *f, const struct ir_op *op)
{
    const struct ir_reg *r = &f->p->regs[op->desc];
    bool range = reg_access(op) == REG_WRITE_RANGE;
    struct reg_span s = range ? reg_range(f->p, r) : reg_span(f->p, r);
    limit(f, &s, !range && is_whole(f->p, r) ? f->value[ir_args(f->p, op)[0]] : 0);
}

/* What a caller may have put there. */
static void limit_preserved(struct facts *f)
{
    for (uint32_t i = 0; i < f->p->nfiles; i++) {
        struct reg_span s = {.file = i, .count = f->elements.base[i + 1] - f->elements.base[i]};
        if (f->p->files[i].preserved)
            limit(f, &s, 0);
    }
}

/* ---- values ---- */

static uint8_t of_constant(uint64_t bits)
{
    uint32_t magnitude = bits & 0x7fffffff;
    return (uint8_t)((magnitude == 0 || magnitude >= 0x00800000 ? FACT_NORMAL : 0) |
                     (magnitude <= 0x7f800000 ? FACT_NUMBER : 0) |
                     (bits != 0x80000000 ? FACT_PLUS_ZERO : 0));
}

/* Minimum and maximum are one of their arguments, flushed or not. */
static uint8_t of_minmax(const struct ir_op *op, uint8_t a, uint8_t b)
{
    uint8_t known = a & b;
    unsigned nan = op->attr & IR_MINMAX_MASK;
    if (op->attr & (IR_FLUSH_IN | IR_FLUSH_OUT))
        known = (uint8_t)((known | FACT_NORMAL) & ~FACT_PLUS_ZERO);
    if (nan == IR_MINMAX_NUMBER)
        known |= (a | b) & FACT_NUMBER;
    else if (nan == IR_MINMAX_SECOND)
        known |= b & FACT_NUMBER;
    return known;
}

/* A sum of two is -0 when both are, and when what is rounded down or flushed is; a square never is. */
static uint8_t of_arithmetic(const struct ir_op *op, const ir_value *args, uint8_t a, uint8_t b)
{
    bool flushes = op->attr & (IR_FLUSH_IN | IR_FLUSH_OUT);
    uint8_t known = op->attr & IR_FLUSH_OUT ? FACT_NORMAL : 0;
    if (op->code == IR_FMUL)
        return known | (args[0] == args[1] ? FACT_PLUS_ZERO : 0);
    bool rounds_down = (op->attr & IR_ROUND_MASK) == IR_RDN;
    return known | (!flushes && !rounds_down ? (a | b) & FACT_PLUS_ZERO : 0);
}

static uint8_t facts_of(const struct facts *f, const struct ir_op *op)
{
    const struct ir_program *p = f->p;
    const ir_value *args = ir_args(p, op);
    switch (op->code) {
    case IR_CONST:
        return of_constant(op->imm);
    case IR_COPY:
    case IR_BITCAST:
    case IR_QUAD_LANE:
    case IR_QUAD_XOR:
    case IR_SHUFFLE:
        return f->value[args[0]];
    case IR_FNEG:
        return f->value[args[0]] & ~FACT_PLUS_ZERO;
    case IR_FABS:
        return f->value[args[0]] | FACT_PLUS_ZERO;
    case IR_FSAT:
        return f->value[args[0]] & FACT_NORMAL;
    case IR_SELECT:
        return f->value[args[1]] & f->value[args[2]];
    case IR_S2F:
    case IR_U2F:
        return FACTS;
    case IR_FRINT: /* an integer; of -0.25 it is -0 */
        return FACT_NORMAL | (f->value[args[0]] & FACT_NUMBER);
    case IR_FMIN:
    case IR_FMAX:
        return of_minmax(op, f->value[args[0]], f->value[args[1]]);
    case IR_GET: {
        const struct ir_reg *r = &p->regs[op->desc];
        return is_whole(p, r) ? f->element[f->elements.base[r->file] + r->elem] : 0;
    }
    case IR_HELPER:
        return p->helpers[op->desc].form == IR_HELPER_CUT_MAD ? FACT_NORMAL : 0;
    case IR_FADD:
    case IR_FMUL:
        if (op->type == IR_F32 && !(op->attr & IR_SAT))
            return of_arithmetic(op, args, f->value[args[0]], f->value[args[1]]);
        break;
    default:
        break;
    }
    bool flushed = op->type == IR_F32 && (op->attr & IR_FLUSH_OUT) && (ir_op_info[op->code].flags & IR_OP_PURE);
    return flushed ? FACT_NORMAL : 0;
}

static void look(struct facts *f)
{
    for (uint32_t b = 0; b < f->p->nblocks; b++) {
        for (uint32_t i = 0; i < f->p->blocks[b].count; i++) {
            const struct ir_op *op = &f->p->blocks[b].ops[i];
            enum reg_access access = reg_access(op);
            if (access == REG_WRITE || access == REG_WRITE_RANGE)
                note_write(f, op);
            else if (op->nres == 1 && is_word((enum ir_type)op->type))
                f->value[op->res] = facts_of(f, op);
        }
    }
}

/* False: no memory, or the program is not through in time: nothing is known. */
static bool find(struct facts *f, const struct ir_program *p, struct arena *scratch)
{
    *f = (struct facts){.p = p, .changed = true};
    bool ok = elements_number(&f->elements, p, scratch);
    f->value = ARENA_ARRAY(scratch, uint8_t, p->nvalues);
    f->element = ARENA_ARRAY(scratch, uint8_t, f->elements.count + 1u);
    if (!ok || !f->value || !f->element)
        return false;
    for (uint32_t i = 0; i < f->elements.count; i++)
        f->element[i] = FACTS;
    limit_preserved(f);
    for (unsigned round = 0; round < ROUNDS && f->changed; round++) {
        f->changed = false;
        look(f);
    }
    return !f->changed;
}

/* ---- what is made of them ---- */

typedef bool wanted_fn(const struct ir_program *p, const struct ir_op *op);

static bool has_work(const struct ir_program *p, wanted_fn *wanted)
{
    for (uint32_t b = 0; b < p->nblocks; b++)
        for (uint32_t i = 0; i < p->blocks[b].count; i++)
            if (wanted(p, &p->blocks[b].ops[i]))
                return true;
    return false;
}

void facts_change(struct ir_program *p, wanted_fn *wanted, void (*change)(const struct facts *f, struct ir_op *op))
{
    if (arena_failed(p->arena) || p->precise || p->frozen || !has_work(p, wanted))
        return;
    struct arena scratch = {.limit = PASS_MEMORY};
    struct facts f;
    if (find(&f, p, &scratch))
        for (uint32_t b = 0; b < p->nblocks; b++)
            for (uint32_t i = 0; i < p->blocks[b].count; i++)
                if (wanted(p, &p->blocks[b].ops[i]))
                    change(&f, &p->blocks[b].ops[i]);
    pass_end(p, &scratch);
}
