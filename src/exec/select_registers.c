/* select_registers.c - GET, SET and their forms with an index.
 *
 * A part as wide as the element is the element's row. A narrower one is cut out or put in by one operation; a wider one
 * is put together from the rows of several elements, low word first. */
#include "exec/select.h"

#include <stddef.h>

static struct operand row_operand(uint32_t row, bool uniform)
{
    return (struct operand){row, (uint8_t)(uniform ? 0 : EXEC_CHUNK)};
}

static uint32_t part_ones(unsigned bits)
{
    return bits >= 32 ? ~0u : (1u << bits) - 1;
}

/* `bits` bits at `shift` of a row of 32-bit (or, wide, 64-bit) elements. */
static void emit_part_get(struct compiler *c, uint32_t d, struct operand from, unsigned shift, unsigned bits, bool wide,
                          bool uniform)
{
    struct lop *l = emit_simple(c, wide ? H_PART_GET64 : H_PART_GET32, 0, d, &from, 1, uniform);
    l->aux = shift;
    l->imm = part_ones(bits);
}

/* Where a SET applies: rows of the predicate and of the active lanes, or ones. */
static void write_conditions(struct compiler *c, struct operand o[2], ir_value pred, bool uniform_file)
{
    struct operand ones = const_operand(c, ~0u);
    o[0] = pred ? operand_of(c, pred) : ones;
    o[1] = c->masked && !uniform_file ? (struct operand){(uint32_t)offsetof(struct frame, mask), EXEC_CHUNK} : ones;
}

static void emit_part_set(struct compiler *c, uint32_t to, struct operand v, unsigned shift, unsigned bits, bool wide,
                          ir_value pred, bool uniform_file)
{
    struct operand o[3] = {v};
    write_conditions(c, o + 1, pred, uniform_file);
    struct lop *l = emit_simple(c, wide ? H_PART_SET64 : H_PART_SET32, 0, to, o, 3, uniform_file);
    l->aux = shift;
    l->imm = part_ones(bits);
}

/* Whole elements into a register's row, in active lanes and under a predicate. */
static void store_row(struct compiler *c, uint32_t to, struct operand v, bool wide, ir_value pred, bool uniform_file)
{
    if (pred) {
        struct operand o[3] = {v};
        write_conditions(c, o + 1, pred, uniform_file);
        emit_simple(c, wide ? H_PRED_SET64 : H_PRED_SET32, 0, to, o, 3, uniform_file);
    } else {
        uint32_t mask = c->masked && !uniform_file ? (uint32_t)offsetof(struct frame, mask) : 0;
        emit_simple(c, wide ? H_COPY64 : H_COPY32, mask, to, &v, 1, uniform_file);
    }
}

/* count elements of `bits` bits from element `elem` on, as one 32-bit number in row d. */
static void gather_word(struct compiler *c, uint32_t d, const struct ir_reg *r, uint32_t elem, unsigned count,
                        bool uniform)
{
    unsigned bits = c->p->ir->files[r->file].bits;
    struct operand from = row_operand(reg_row(c, r->file, elem), uniform), sum = row_operand(d, uniform);
    emit_simple(c, H_COPY32, 0, d, &from, 1, uniform);
    uint32_t t = temp_take(c, !uniform, false);
    for (unsigned k = 1; k < count; k++) {
        struct operand o[2] = {row_operand(reg_row(c, r->file, elem + k), uniform), const_operand(c, k * bits)};
        emit_simple(c, H_SHL32, 0, t, o, 2, uniform);
        struct operand both[2] = {sum, row_operand(t, uniform)};
        emit_simple(c, H_OR32, 0, d, both, 2, uniform);
    }
    temp_give(c, t, !uniform, false);
}

/* The value of a GET into row d. */
static void get_into(struct compiler *c, const struct ir_reg *r, uint32_t d, bool uniform)
{
    const struct ir_file *file = &c->p->ir->files[r->file];
    unsigned part = ir_type_bits((enum ir_type)r->part);
    struct operand o[2] = {row_operand(reg_row(c, r->file, r->elem), file->uniform)};
    if (part == file->bits) {
        emit_simple(c, part == 64 ? H_COPY64 : H_COPY32, 0, d, o, 1, uniform);
    } else if (part < file->bits) {
        emit_part_get(c, d, o[0], r->shift, part, file->bits == 64, uniform);
        if (part == 1)
            cut_to_type(c, d, IR_I1, uniform);
    } else if (part == 64 && file->bits == 32) {
        o[1] = row_operand(reg_row(c, r->file, r->elem + 1), file->uniform);
        emit_simple(c, H_PACK64, 0, d, o, 2, uniform);
    } else if (part == 64) {
        unsigned half = 32 / file->bits;
        uint32_t low = temp_take(c, !uniform, false), high = temp_take(c, !uniform, false);
        gather_word(c, low, r, r->elem, half, uniform);
        gather_word(c, high, r, r->elem + half, half, uniform);
        o[0] = row_operand(low, uniform);
        o[1] = row_operand(high, uniform);
        emit_simple(c, H_PACK64, 0, d, o, 2, uniform);
        temp_give(c, high, !uniform, false);
        temp_give(c, low, !uniform, false);
    } else {
        gather_word(c, d, r, r->elem, part / file->bits, uniform);
    }
}

void select_get(struct compiler *c, const struct ir_op *op)
{
    const struct ir_reg *r = &c->p->ir->regs[op->desc];
    struct value_info *v = info_of(c, op->res);
    if (v->home) {
        v->row = v->home;
        return;
    }
    uint32_t d = result_row(c, op->res);
    if (!op->uniform || c->scalar) {
        get_into(c, r, d, op->uniform);
        return;
    }
    /* a uniform register is a scalar, and here it is needed as a row */
    bool wide = ir_type_bits((enum ir_type)r->part) == 64;
    uint32_t from = reg_row(c, r->file, r->elem);
    c->scalar = true;
    if (!plain_reg(c, r))
        get_into(c, r, from = d, true);
    c->scalar = false;
    struct lop *l = emit(c, wide ? H_SPREAD64 : H_SPREAD32, 0);
    l->d = d;
    l->a = from;
}

/* A value wider than the elements: cut up, low word first. */
static void set_several(struct compiler *c, const struct ir_op *op, const struct ir_reg *r, struct operand v)
{
    const struct ir_file *file = &c->p->ir->files[r->file];
    unsigned part = ir_type_bits((enum ir_type)r->part);
    bool uniform = v.stride == 0;
    uint32_t t = temp_take(c, !uniform, false);
    for (unsigned k = 0; k < part / file->bits; k++) {
        unsigned at = k * file->bits;
        if (file->bits == 32)
            emit_simple(c, k ? H_HI32 : H_LO32, 0, t, &v, 1, uniform);
        else
            emit_part_get(c, t, v, at, file->bits, part == 64, uniform);
        store_row(c, reg_row(c, r->file, r->elem + k), row_operand(t, uniform), false, op->pred, file->uniform);
    }
    temp_give(c, t, !uniform, false);
}

void select_set(struct compiler *c, const struct ir_op *op)
{
    const struct ir_reg *r = &c->p->ir->regs[op->desc];
    const struct ir_file *file = &c->p->ir->files[r->file];
    unsigned part = ir_type_bits((enum ir_type)r->part);
    struct operand v = operand_of(c, ir_args(c->p->ir, op)[0]);
    struct operand to = row_operand(reg_row(c, r->file, r->elem), file->uniform);
    const struct value_info *from = info_of(c, root_of(c, ir_args(c->p->ir, op)[0]));
    if (from->block == c->block && from->in_register && from->set_at == c->at)
        return;
    if (part > file->bits) {
        set_several(c, op, r, v);
    } else if (part < file->bits) {
        emit_part_set(c, to.row, v, r->shift, part, file->bits == 64, op->pred, file->uniform);
    } else if (v.row != to.row || op->pred) { /* else it was made in place */
        store_row(c, to.row, v, part == 64, op->pred, file->uniform);
    }
}

/* a: the first word; b: the value; c: the predicate; aux: how far the part is up; imm: its bits, and above them the
 * words from element to element. */
static void select_column(struct compiler *c, const struct ir_op *op, const struct column *column)
{
    const struct ir_reg *r = &c->p->ir->regs[op->desc];
    bool set = op->code == IR_SET_LANE;
    struct operand o[3] = {{reg_row(c, r->file, column->elem) + column->lane * 4, 0}, {0, 0}, {0, 0}};
    if (set)
        o[1] = operand_of(c, ir_args(c->p->ir, op)[2]);
    if (op->pred)
        o[2] = operand_of(c, op->pred);
    uint32_t d = set ? 0 : result_row(c, op->res);
    struct lop *l = emit(c, set ? H_SET_COLUMN32 : H_GET_COLUMN32, 0);
    l->d = d;
    l->n = 1;
    l->aux = r->shift;
    l->imm = part_ones(ir_type_bits((enum ir_type)r->part)) | (uint64_t)(c->p->file_pitch[r->file] / 4) << 32;
    set_operands(l, o, 3);
}

void select_indexed(struct compiler *c, const struct ir_op *op)
{
    struct column column;
    if (find_column(c, op, &column)) {
        select_column(c, op, &column);
        return;
    }
    const struct ir_reg *r = &c->p->ir->regs[op->desc];
    const struct ir_file *file = &c->p->ir->files[r->file];
    const ir_value *args = ir_args(c->p->ir, op);
    unsigned part = ir_type_bits((enum ir_type)r->part);
    bool lane = op->code == IR_GET_LANE || op->code == IR_SET_LANE;
    bool words = file->bits <= 32 && part == file->bits;
    struct operand o[3] = {{0, 0}, {0, 0}, {0, 0}}, pred = {0, 0};
    for (unsigned k = 0; k < op->nargs; k++)
        o[k] = operand_of(c, args[k]);
    if (op->pred)
        pred = operand_of(c, op->pred);
    bool of_words = !file->uniform && file->bits <= 32 && part <= file->bits && (part > 1 || words);
    enum handler_id h = op->code == IR_GET_DYN   ? (words ? H_GET_DYN32 : H_GET_DYN)
                        : op->code == IR_SET_DYN ? H_SET_DYN
                        : op->code == IR_SET_LANE ? (of_words ? H_SET_LANE32 : H_SET_LANE)
                        : of_words                ? H_GET_LANE32
                                                  : H_GET_LANE;
    uint32_t d = op->nres ? result_row(c, op->res) : 0;
    if (op->code == IR_SET_DYN)
        o[2] = pred;
    struct lop *l = emit(c, h, 0);
    l->d = d;
    l->n = chunks_of(c, op->nres && op->uniform);
    l->aux = op->desc;
    set_operands(l, o, 3);
    if (op->code == IR_GET_DYN)
        l->imm = c->scalar;
    if (lane)
        l->imm = pred.row | (uint64_t)pred.stride << 32;
    *(!op->nres ? &l->d : lane ? &l->c : &l->b) = op->insn; /* for accesses outside; not an operand */
}
