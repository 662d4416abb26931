/* pass_flush.c - denormal arguments need not be flushed where there are none.
 *
 * Chips that count denormals as zeros make none, so most of what they compute with is a number that was flushed when it was
 * made. Registers are looked at without regard to the order of things: one holds no denormal when nothing that is ever
 * SET to it is one, since it is zero in the beginning. */
#include "ir/pass.h"

#include "ir/rewrite.h"

enum { ROUNDS = 16 }; /* programs that are not through by then stay as they are */

struct flush {
    struct ir_program *p;
    struct elements elements;
    uint8_t *normal; /* by value of 32 bits: as an f32 it is no denormal */
    uint8_t *mixed;  /* by register element: it may hold a denormal */
    bool changed;    /* an element has become mixed */
};

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

static void mix(struct flush *f, const struct reg_span *s)
{
    uint8_t *mixed = f->mixed + f->elements.base[s->file] + s->elem;
    for (uint32_t i = 0; i < s->count; i++) {
        f->changed |= !mixed[i];
        mixed[i] = 1;
    }
}

static void note_write(struct flush *f, const struct ir_op *op)
{
    const struct ir_reg *r = &f->p->regs[op->desc];
    bool range = reg_access(op) == REG_WRITE_RANGE;
    if (!range && is_whole(f->p, r) && f->normal[ir_args(f->p, op)[0]])
        return;
    struct reg_span s = range ? reg_range(f->p, r) : reg_span(f->p, r);
    mix(f, &s);
}

/* What a caller may have put there. */
static void mix_preserved(struct flush *f)
{
    for (uint32_t i = 0; i < f->p->nfiles; i++) {
        struct reg_span s = {.file = i, .count = f->elements.base[i + 1] - f->elements.base[i]};
        if (f->p->files[i].preserved)
            mix(f, &s);
    }
}

/* ---- values ---- */

static bool makes_normal(const struct flush *f, const struct ir_op *op)
{
    const struct ir_program *p = f->p;
    const ir_value *args = ir_args(p, op);
    switch (op->code) {
    case IR_CONST:
        return (op->imm & 0x7f800000) || !(op->imm & 0x007fffff);
    case IR_COPY:
    case IR_BITCAST:
    case IR_FNEG:
    case IR_FABS:
    case IR_FSAT:
    case IR_QUAD_LANE:
    case IR_QUAD_XOR:
    case IR_SHUFFLE:
        return f->normal[args[0]];
    case IR_SELECT:
        return f->normal[args[1]] && f->normal[args[2]];
    case IR_S2F:
    case IR_U2F:
    case IR_FRINT:
        return true; /* integers */
    case IR_FMIN:
    case IR_FMAX:
        return (op->attr & (IR_FLUSH_IN | IR_FLUSH_OUT)) || (f->normal[args[0]] && f->normal[args[1]]);
    case IR_GET: {
        const struct ir_reg *r = &p->regs[op->desc];
        return is_whole(p, r) && !f->mixed[f->elements.base[r->file] + r->elem];
    }
    default:
        return op->type == IR_F32 && (op->attr & IR_FLUSH_OUT) && (ir_op_info[op->code].flags & IR_OP_PURE);
    }
}

static void look(struct flush *f)
{
    for (uint32_t b = 0; b < f->p->nblocks; b++) {
        for (uint32_t i = 0; i < f->p->blocks[b].count; i++) {
            const struct ir_op *op = &f->p->blocks[b].ops[i];
            enum reg_access access = reg_access(op);
            if (access == REG_WRITE || access == REG_WRITE_RANGE)
                note_write(f, op);
            else if (op->nres == 1 && is_word((enum ir_type)op->type))
                f->normal[op->res] = makes_normal(f, op);
        }
    }
}

/* ---- the pass ---- */

static bool flushes_in(const struct ir_program *p, const struct ir_op *op)
{
    return (ir_op_info[op->code].flags & IR_OP_PURE) && (op->attr & IR_FLUSH_IN) && op->nargs &&
           p->value_type[ir_args(p, op)[0]] == IR_F32;
}

static bool has_work(const struct ir_program *p)
{
    for (uint32_t b = 0; b < p->nblocks; b++)
        for (uint32_t i = 0; i < p->blocks[b].count; i++)
            if (flushes_in(p, &p->blocks[b].ops[i]))
                return true;
    return false;
}

static void drop_attribute(const struct flush *f, struct ir_op *op)
{
    for (unsigned k = 0; k < op->nargs; k++) {
        ir_value v = ir_args(f->p, op)[k];
        if (f->p->value_type[v] == IR_F32 && !f->normal[v])
            return;
    }
    op->attr &= (uint16_t)~IR_FLUSH_IN;
}

void ir_pass_flush(struct ir_program *p)
{
    if (arena_failed(p->arena) || p->precise || p->frozen || !has_work(p))
        return;
    struct arena scratch = {.limit = PASS_MEMORY};
    struct flush f = {.p = p, .changed = true};
    bool ok = elements_number(&f.elements, p, &scratch);
    f.normal = ARENA_ARRAY(&scratch, uint8_t, p->nvalues);
    f.mixed = ARENA_ARRAY(&scratch, uint8_t, f.elements.count + 1u);
    if (ok && f.normal && f.mixed) {
        mix_preserved(&f);
        for (unsigned round = 0; round < ROUNDS && f.changed; round++) {
            f.changed = false;
            look(&f);
        }
        for (uint32_t b = 0; b < p->nblocks && !f.changed; b++)
            for (uint32_t i = 0; i < p->blocks[b].count; i++)
                if (flushes_in(p, &p->blocks[b].ops[i]))
                    drop_attribute(&f, &p->blocks[b].ops[i]);
    }
    arena_free(&scratch);
}
