/* lift_vector.c - the vector register file: views of it, repetition, accumulators and the scalar result unit.
 *
 * Element e of a row of elements of w bytes is byte (e / 16) * w of the word of lane e % 16. A register is 16 of them
 * from e0 on: of one row, or of the same e of 16 rows. Where it begins with lane 0 of a row it is a part of that row's
 * words and is read and written in place. Everywhere else a lane computes the row, lane and bits that it is about. */
#include "isa/vpu/flow.h"
#include "isa/vpu/lift_vector.h"

enum { BITS_OF_ROWS = 63, MOST_REPEATS = 65535, NOT_ROWS = 0x103f /* of a register that is added: x, replicated */ };

static unsigned bits_of(const struct vpu_operand *o)
{
    return 8u << o->width;
}

/* The first element as encoded; of a dash nothing. */
static unsigned first_element(const struct vpu_operand *o)
{
    unsigned band = o->width == VPU_8 ? o->x >> 4 : o->width == VPU_16 ? o->x >> 5 : 0;
    return band * 16 + (o->x & 15u);
}

ir_value vpu_narrow(struct vpu_lifter *l, ir_value v, unsigned bits)
{
    if (bits == 32)
        return v;
    return vpu_op2c(l, IR_SHR_S, vpu_op2c(l, IR_SHL, v, 32 - bits), 32 - bits);
}

/* Where the elements of an operand are. Constants where nothing is added at run time: row and element are 0 then. */
struct place {
    unsigned y, e;         /* constant parts */
    ir_value row, element; /* uniform parts, 0: none */
    ir_value steps;        /* 0 where all lanes read element 0, else all ones; 0: no such choice */
    ir_value columns;      /* bits by which the column base moves the bytes of a lane's word; 0: none */
};

static ir_value add(struct vpu_lifter *l, ir_value a, ir_value b)
{
    return a ? vpu_op2(l, IR_ADD, a, b) : b;
}

static struct place place_of(struct vpu_lifter *l, const struct vpu_turn *t, const struct vpu_operand *o)
{
    struct place p = {.y = o->y, .e = first_element(o)};
    if (o->inc && !t->count)
        *(o->vertical ? &p.e : &p.y) += t->n;
    if (o->inc && t->count) {
        ir_value *to = o->vertical ? &p.element : &p.row;
        *to = add(l, *to, t->count);
    }
    if (o->reg != VPU_NO_REG) {
        ir_value r = vpu_get(l, o->reg);
        p.row = add(l, p.row, vpu_op2c(l, IR_SHR_U, r, 6)); /* bits 11:6, and 5:0: sum_of cuts the sums */
        if (!t->rows)
            p.element = add(l, p.element, r);
        if (!t->rows)
            p.steps = vpu_op2c(l, IR_ADD, vpu_op2c(l, IR_AND, vpu_op2c(l, IR_SHR_U, r, 12), 1), UINT32_MAX);
    }
    if (o->column) { /* each count of sr's column base is 16 columns, which is the next byte of a lane */
        ir_value sr = ir_get(&l->b, VPU_FILE_R, VPU_SR, IR_I32);
        p.columns = vpu_op2c(l, IR_SHR_U, vpu_op2c(l, IR_AND, sr, VPU_SR_COLUMN), 1);
    }
    p.y &= BITS_OF_ROWS;
    p.e &= 64 / (bits_of(o) / 8) - 1;
    return p;
}

/* A part of the words of one row, constant or not. */
static bool is_in_place(const struct vpu_operand *o, const struct place *p)
{
    return !o->vertical && !p->element && !p->columns && (p->e & 15) == 0;
}

static enum ir_type part_type(const struct vpu_operand *o)
{
    return o->width == VPU_8 ? IR_I8 : o->width == VPU_16 ? IR_I16 : IR_I32;
}

static ir_value extend(struct vpu_lifter *l, const struct vpu_operand *o, ir_value v)
{
    return o->width == VPU_32 ? v : ir_cvt(&l->b, o->width == VPU_8 ? IR_ZEXT : IR_SEXT, IR_I32, 0, v);
}

/* Row, lane and shift of each lane's element. With a column base the shift goes round the word. */
struct cells {
    ir_value row, lane, shift; /* shift 0: the constant `bit` */
    unsigned bit;
};

/* A constant with what is added at run time, modulo a power of two. */
static ir_value sum_of(struct vpu_lifter *l, unsigned constant, ir_value uniform, ir_value lanes, unsigned last)
{
    ir_value v = vpu_const(l, constant);
    if (uniform)
        v = constant ? vpu_op2(l, IR_ADD, v, uniform) : uniform;
    if (lanes)
        v = constant || uniform ? vpu_op2(l, IR_ADD, v, lanes) : lanes;
    bool fits = !uniform && constant + (lanes ? 15 : 0) <= last;
    return fits ? v : vpu_op2c(l, IR_AND, v, last);
}

static struct cells fixed_cells_of(struct vpu_lifter *l, const struct vpu_turn *t, const struct vpu_operand *o,
                                   const struct place *p, bool reads)
{
    unsigned bits = bits_of(o), elements = 64 / (bits / 8);
    ir_value step = reads && p->steps ? vpu_op2(l, IR_AND, t->lane, p->steps) : t->lane;
    struct cells c = {.row = sum_of(l, p->y, p->row, o->vertical ? step : 0, BITS_OF_ROWS)};
    if (o->vertical && !p->element) {
        c.lane = vpu_const(l, p->e & 15);
        c.bit = (p->e >> 4) * bits;
        return c;
    }
    ir_value element = sum_of(l, p->e, p->element, o->vertical ? 0 : step, elements - 1);
    c.lane = elements == 16 ? element : vpu_op2c(l, IR_AND, element, 15);
    if (o->width == VPU_16) /* 16 for the second band */
        c.shift = vpu_op2c(l, IR_AND, element, 16);
    else if (o->width == VPU_8) /* 8 for each band */
        c.shift = vpu_op2c(l, IR_AND, vpu_op2c(l, IR_SHR_U, element, 1), 24);
    return c;
}

static struct cells cells_of(struct vpu_lifter *l, const struct vpu_turn *t, const struct vpu_operand *o,
                             const struct place *p, bool reads)
{
    struct cells c = fixed_cells_of(l, t, o, p, reads);
    if (p->columns)
        c.shift = vpu_op2(l, IR_ADD, p->columns, c.shift ? c.shift : vpu_const(l, c.bit));
    return c;
}

/* A word turned right by a number of bits; shift counts are taken modulo 32. */
static ir_value turned(struct vpu_lifter *l, ir_value word, ir_value right)
{
    ir_value left = vpu_op1(l, IR_NEG, right);
    return vpu_op2(l, IR_OR, vpu_op2(l, IR_SHR_U, word, right), vpu_op2(l, IR_SHL, word, left));
}

static struct ir_reg file_part(unsigned shift, enum ir_type part)
{
    return (struct ir_reg){
        .file = VPU_FILE_VRF, .shift = (uint8_t)shift, .part = (uint8_t)part, .stride = 1, .last = BITS_OF_ROWS};
}

/* A part of each word of a row. */
static ir_value read_row(struct vpu_lifter *l, const struct vpu_operand *o, const struct place *p)
{
    unsigned shift = (p->e >> 4) * bits_of(o);
    if (!p->row)
        return extend(l, o, ir_get_part(&l->b, VPU_FILE_VRF, p->y, shift, part_type(o)));
    ir_value row = sum_of(l, p->y, p->row, 0, BITS_OF_ROWS);
    ir_value word = ir_get_dyn(&l->b, file_part(0, IR_I32), row, IR_I32);
    if (o->width == VPU_8)
        return vpu_op2c(l, IR_AND, shift ? vpu_op2c(l, IR_SHR_U, word, shift) : word, 0xff);
    return shift ? vpu_op2c(l, IR_SHR_S, word, shift) : vpu_narrow(l, word, bits_of(o));
}

ir_value vpu_vread(struct vpu_lifter *l, const struct vpu_turn *t, const struct vpu_operand *o)
{
    if (o->kind == VPU_DASH)
        return vpu_const(l, 0);
    struct place p = place_of(l, t, o);
    unsigned bits = bits_of(o);
    if (is_in_place(o, &p))
        return read_row(l, o, &p);
    struct cells c = cells_of(l, t, o, &p, true);
    if (!c.shift)
        return extend(l, o, ir_get_lane(&l->b, file_part(c.bit, part_type(o)), c.row, c.lane, part_type(o)));
    ir_value word = ir_get_lane(&l->b, file_part(0, IR_I32), c.row, c.lane, IR_I32);
    word = p.columns ? turned(l, word, c.shift) : vpu_op2(l, IR_SHR_U, word, c.shift);
    return o->width == VPU_8 ? vpu_op2c(l, IR_AND, word, 0xff) : vpu_narrow(l, word, bits);
}

void vpu_vwrite(struct vpu_lifter *l, const struct vpu_turn *t, const struct vpu_operand *o, ir_value v)
{
    if (o->kind == VPU_DASH)
        return;
    struct place p = place_of(l, t, o);
    unsigned bits = bits_of(o);
    enum ir_type part = part_type(o);
    ir_value low = o->width == VPU_32 ? v : ir_cvt(&l->b, IR_TRUNC, part, 0, v);
    if (is_in_place(o, &p) && p.row) {
        struct ir_reg to = file_part((p.e >> 4) * bits, part);
        ir_set_dyn(&l->b, to, sum_of(l, p.y, p.row, 0, BITS_OF_ROWS), low, t->on);
        return;
    }
    if (is_in_place(o, &p)) {
        ir_set_part(&l->b, VPU_FILE_VRF, p.y, (p.e >> 4) * bits, part, low, t->on);
        return;
    }
    struct cells c = cells_of(l, t, o, &p, false);
    if (!c.shift) {
        ir_set_lane(&l->b, file_part(c.bit, part), c.row, c.lane, low, t->on);
        return;
    }
    /* No two lanes are about the same word. */
    ir_value ones = vpu_const(l, UINT32_MAX >> (32 - bits)), mask, placed;
    if (p.columns) {
        ir_value left = vpu_op1(l, IR_NEG, c.shift);
        mask = turned(l, ones, left);
        placed = turned(l, v, left);
    } else {
        mask = vpu_op2(l, IR_SHL, ones, c.shift);
        placed = vpu_op2(l, IR_SHL, v, c.shift);
    }
    ir_value old = ir_get_lane(&l->b, file_part(0, IR_I32), c.row, c.lane, IR_I32);
    ir_value changed = vpu_op2(l, IR_AND, vpu_op2(l, IR_XOR, old, placed), mask);
    ir_set_lane(&l->b, file_part(0, IR_I32), c.row, c.lane, vpu_op2(l, IR_XOR, old, changed), t->on);
}

ir_value vpu_vread_b(struct vpu_lifter *l, const struct vpu_turn *t)
{
    const struct vpu_insn *i = t->i;
    switch (i->vb.kind) {
    case VPU_SCALAR: {
        if (i->vb.reg >= VPU_REGISTERS) /* there is no register */
            return vpu_const(l, (uint32_t)i->imm);
        ir_value r = vpu_get(l, i->vb.reg);
        return i->imm ? vpu_op2c(l, IR_ADD, r, (uint32_t)i->imm) : r;
    }
    case VPU_VIMM:
        return vpu_const(l, (uint32_t)i->imm);
    default:
        return vpu_vread(l, t, &i->vb);
    }
}

/* ---- repetition and conditions ---- */

static ir_value lanes_of(struct vpu_lifter *l, const struct vpu_insn *i)
{
    unsigned lanes = i->lanes;
    static const uint8_t files[] = {[VPU_IFZ] = VPU_FILE_Z, [VPU_IFN] = VPU_FILE_N, [VPU_IFC] = VPU_FILE_C};
    if (lanes == VPU_ALL)
        return 0;
    if (lanes == VPU_NONE)
        return ir_const(&l->b, IR_I1, 0);
    bool negated = (lanes & 1) != 0; /* IFNZ, IFNN, IFNC follow IFZ, IFN, IFC */
    ir_value flag = ir_get(&l->b, files[lanes & ~1u], 0, IR_I1);
    return negated ? vpu_op1(l, IR_NOT, flag) : flag;
}

static struct vpu_turn turn_of(struct vpu_lifter *l, const struct vpu_insn *i, uint32_t n, bool counted)
{
    ir_value lane = ir_emit(&l->b, IR_LANE_ID, IR_I32, 0, 1, NULL, 0, 0, 0, 0);
    return (struct vpu_turn){.i = i,
                             .n = n,
                             .on = lanes_of(l, i),
                             .lane = lane,
                             .count = counted ? ir_get(&l->b, VPU_FILE_R, VPU_REPEAT, IR_I32) : 0};
}

struct vpu_turn vpu_turn_here(struct vpu_lifter *l, const struct vpu_turn *t)
{
    struct vpu_turn here = turn_of(l, t->i, t->n, t->count != 0);
    here.rows = t->rows;
    return here;
}

/* The vector registers that an instruction reads or writes; of the others NULL. */
static void find_used(const struct vpu_insn *i, const struct vpu_operand *used[3])
{
    static const unsigned uses[] = {VPU_D_WRITE, VPU_A_READ, VPU_B_READ};
    const struct vpu_operand *named[] = {&i->vd, &i->va, &i->vb};
    bool address = vpu_ops[i->op].effects != 0, zeros = vpu_writes_zeros(i);
    for (unsigned k = 0; k < 3; k++) {
        bool is_used = vpu_ops[i->op].uses & uses[k] && !(k && zeros) && !(k == 2 && address);
        used[k] = is_used && named[k]->kind == VPU_VREG ? named[k] : NULL;
    }
}

/* Registers are added to rows only: then most often they move by whole rows, which needs no lane to look for its
 * cell. */
static bool may_be_rows(const struct vpu_insn *i)
{
    const struct vpu_operand *used[3];
    bool any = false;
    find_used(i, used);
    for (unsigned k = 0; k < 3; k++) {
        const struct vpu_operand *o = used[k];
        if (!o || o->reg == VPU_NO_REG)
            continue;
        if (o->column || (!o->vertical && (first_element(o) & 15)))
            return false;
        any = true;
    }
    return any;
}

/* Do they? */
static ir_value moves_by_rows(struct vpu_lifter *l, const struct vpu_insn *i)
{
    const struct vpu_operand *used[3];
    ir_value all = 0;
    uint32_t seen = UINT32_C(1) << VPU_NO_REG;
    find_used(i, used);
    for (unsigned k = 0; k < 3; k++) {
        const struct vpu_operand *o = used[k];
        if (!o || seen >> o->reg & 1)
            continue;
        seen |= UINT32_C(1) << o->reg;
        ir_value r = vpu_get(l, o->reg);
        all = all ? vpu_op2(l, IR_OR, all, r) : r;
    }
    return vpu_op2c(l, IR_EQ, vpu_op2c(l, IR_AND, all, NOT_ROWS), 0);
}

/* One repetition, in two ways where registers are added. `first` has its number. */
static void one_turn(struct vpu_lifter *l, const struct vpu_turn *first)
{
    vpu_turn_fn *turn = vpu_ops[first->i->op].turn;
    if (!may_be_rows(first->i)) {
        turn(l, first);
        return;
    }
    uint32_t ways[2] = {vpu_inner_block(l), vpu_inner_block(l)}, end = vpu_inner_block(l);
    ir_branch(&l->b, moves_by_rows(l, first->i), ways[0], ways[1]);
    for (unsigned k = 0; k < 2; k++) {
        l->b.block = ways[k];
        struct vpu_turn t = vpu_turn_here(l, first);
        t.rows = k == 0;
        turn(l, &t);
        ir_goto(&l->b, end);
    }
    l->b.block = end;
}

/* Does an instruction find a scalar register in one of its operands? */
static bool reads_scalar(const struct vpu_insn *i, unsigned reg)
{
    const struct vpu_operand *used[3];
    bool source = vpu_ops[i->op].uses & VPU_B_READ && !vpu_writes_zeros(i);
    find_used(i, used);
    for (unsigned k = 0; k < 3; k++)
        if (used[k] && used[k]->reg == reg)
            return true;
    return source && i->vb.kind == VPU_SCALAR && i->vb.reg == reg;
}

/* The manual reads scalar registers before the first repetition, so that scalar results of the repetitions do not
 * change them. What they were is kept; `held` of struct vpu_lifter. */
static uint8_t hold_source(struct vpu_lifter *l, const struct vpu_insn *i)
{
    const unsigned reg = i->acc & 7;
    if (!i->rep || !(i->acc & VPU_SRU) || !reads_scalar(i, reg))
        return 0;
    ir_set(&l->b, VPU_FILE_R, VPU_HELD, vpu_get(l, reg), 0);
    return (uint8_t)(reg + 1);
}

/* As many times as r0 says, once at least. An instruction cannot be interrupted, so there is a most, too; the
 * chip's is not known. */
static void loop(struct vpu_lifter *l, const struct vpu_insn *i)
{
    ir_set(&l->b, VPU_FILE_R, VPU_REPEAT, vpu_const(l, 0), 0);
    ir_value count = vpu_op2c(l, IR_MIN_U, vpu_get(l, VPU_R0), MOST_REPEATS);
    ir_set(&l->b, VPU_FILE_R, VPU_REPEATS, count, 0);
    uint32_t body = vpu_inner_block(l), end = vpu_inner_block(l);
    ir_goto(&l->b, body);
    l->b.block = body;
    struct vpu_turn t = turn_of(l, i, 0, true);
    one_turn(l, &t);
    ir_value next = vpu_op2c(l, IR_ADD, ir_get(&l->b, VPU_FILE_R, VPU_REPEAT, IR_I32), 1);
    ir_set(&l->b, VPU_FILE_R, VPU_REPEAT, next, 0);
    ir_value more = vpu_op2(l, IR_LT_U, next, ir_get(&l->b, VPU_FILE_R, VPU_REPEATS, IR_I32));
    ir_branch(&l->b, more, body, end);
    l->b.block = end;
}

/* The repetitions of an instruction: unrolled, or a loop where r0 says how many. */
void vpu_lift_vector(struct vpu_lifter *l, const struct vpu_insn *i)
{
    if (vpu_does_nothing(i))
        return;
    l->held = hold_source(l, i);
    if (i->rep == VPU_REP_R0)
        loop(l, i);
    for (uint32_t n = 0; i->rep != VPU_REP_R0 && n < 1u << i->rep; n++) {
        struct vpu_turn t = turn_of(l, i, n, false);
        one_turn(l, &t);
    }
    l->held = 0;
}

/* ---- accumulator ---- */

static ir_value clamp64(struct vpu_lifter *l, ir_value v, int64_t least, int64_t most)
{
    v = vpu_op2(l, IR_MIN_S, v, ir_const(&l->b, IR_I64, (uint64_t)most));
    return vpu_op2(l, IR_MAX_S, v, ir_const(&l->b, IR_I64, (uint64_t)least));
}

/* What D gets of a sum: its low bits; with HIGH its bits from 16 on, held to what D can hold and the operation is
 * wide. */
static ir_value accumulated(struct vpu_lifter *l, const struct vpu_operand *d, ir_value sum, bool high, unsigned bits)
{
    if (high) {
        if (d->kind == VPU_VREG && bits_of(d) < bits)
            bits = bits_of(d);
        int64_t most = bits == 8 ? 255 : ((int64_t)1 << (bits - 1)) - 1, least = bits == 8 ? 0 : -most - 1;
        sum = clamp64(l, vpu_op2c(l, IR_SHR_S, sum, 16), least, most);
    }
    return ir_cvt(&l->b, IR_LO32, IR_I32, 0, sum);
}

static ir_value cleared(struct vpu_lifter *l, const struct vpu_turn *t)
{
    ir_value zero = ir_const(&l->b, IR_I64, 0);
    if (t->i->acc & VPU_ACC_CLRA && !t->count && t->n == 0)
        return zero;
    ir_value acc = ir_get(&l->b, VPU_FILE_ACC, 0, IR_I64);
    if (!(t->i->acc & VPU_ACC_CLRA) || !t->count)
        return acc;
    return ir_select(&l->b, vpu_op2c(l, IR_EQ, t->count, 0), zero, acc);
}

/* The accumulator of 48 bits saturates; 64 hold every sum exactly. */
static ir_value accumulate(struct vpu_lifter *l, const struct vpu_turn *t, ir_value result, unsigned bits)
{
    unsigned acc = t->i->acc;
    bool is_signed = (acc & VPU_ACC_SIGN) != 0;
    ir_value term =
        bits == 32 || is_signed ? vpu_narrow(l, result, bits) : vpu_op2c(l, IR_AND, result, (1u << bits) - 1);
    term = ir_cvt(&l->b, is_signed ? IR_SEXT : IR_ZEXT, IR_I64, 0, term);
    if (acc & VPU_ACC_HIGH)
        term = vpu_op2c(l, IR_SHL, term, 16);
    ir_value old = cleared(l, t), sum = vpu_op2(l, acc & VPU_ACC_SUB ? IR_SUB : IR_ADD, old, term);
    const int64_t most = 0x7fffffffffff;
    sum = clamp64(l, sum, -most - 1, most);
    if (acc & (VPU_ACC_WBA | VPU_ACC_CLRA))
        ir_set(&l->b, VPU_FILE_ACC, 0, acc & VPU_ACC_WBA ? sum : old, t->on);
    return accumulated(l, &t->i->vd, sum, (acc & VPU_ACC_HIGH) != 0, bits);
}

/* ---- scalar result unit ---- */

static ir_value reduce(struct vpu_lifter *l, enum ir_opcode code, ir_value v)
{
    return ir_emit(&l->b, IR_REDUCE, IR_I32, 0, 1, &v, 1, 0, code, 0);
}

/* Lanes that do not run count as `otherwise`. */
static ir_value of_running(struct vpu_lifter *l, const struct vpu_turn *t, ir_value v, uint32_t otherwise)
{
    return t->on ? ir_select(&l->b, t->on, v, vpu_const(l, otherwise)) : v;
}

static ir_value index_of(struct vpu_lifter *l, const struct vpu_turn *t, ir_value v, bool least)
{
    ir_value value = of_running(l, t, v, least ? INT32_MAX : (uint32_t)INT32_MIN);
    ir_value best = reduce(l, least ? IR_MIN_S : IR_MAX_S, value);
    ir_value index = ir_select(&l->b, vpu_op2(l, IR_EQ, value, best), t->lane, vpu_const(l, UINT32_MAX));
    return reduce(l, least ? IR_MIN_U : IR_MAX_S, of_running(l, t, index, UINT32_MAX));
}

static void scalar_result(struct vpu_lifter *l, const struct vpu_turn *t, ir_value result, unsigned bits)
{
    unsigned function = t->i->acc >> 3 & 7, reg = t->i->acc & 7;
    ir_value v = vpu_narrow(l, result, bits), sum = v;
    switch (function) {
    case VPU_SUMU:
        sum = bits == 32 ? result : vpu_op2c(l, IR_AND, result, (1u << bits) - 1);
        /* fall through */
    case VPU_SUMS:
        vpu_set(l, reg, reduce(l, IR_ADD, of_running(l, t, sum, 0)));
        break;
    case VPU_IMIN:
    case VPU_IMAX:
        vpu_set(l, reg, index_of(l, t, v, function == VPU_IMIN));
        break;
    default:
        vpu_set(l, reg, reduce(l, IR_MAX_S, of_running(l, t, v, (uint32_t)INT32_MIN)));
        break;
    }
}

void vpu_finish(struct vpu_lifter *l, const struct vpu_turn *t, ir_value result, unsigned bits)
{
    unsigned acc = t->i->acc;
    if (acc & VPU_SRU) {
        vpu_vwrite(l, t, &t->i->vd, result);
        scalar_result(l, t, result, bits);
        return;
    }
    if (acc & VPU_ACC_ENA)
        result = accumulate(l, t, result, bits);
    else if (acc & VPU_ACC_CLRA)
        ir_set(&l->b, VPU_FILE_ACC, 0, cleared(l, t), t->on);
    vpu_vwrite(l, t, &t->i->vd, result);
}
