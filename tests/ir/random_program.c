#include "random_program.h"

enum { POOL = 64, TIGHT_POOL = 12 };

struct maker {
    struct ir_builder b;
    struct test_rng *r;
    ir_value values[IR_TYPES][POOL]; /* that an op may use here */
    unsigned count[IR_TYPES];
    unsigned prologue[IR_TYPES];     /* how many of them are of the prologue */
    unsigned pool;                   /* most values of a type */
    bool tight, everything;
};

static uint32_t below(struct maker *m, uint32_t n) { return test_next(m->r) % n; }

static void keep(struct maker *m, ir_value v)
{
    enum ir_type t = ir_type_of(&m->b, v);
    if (m->count[t] < m->pool)
        m->values[t][m->count[t]++] = v;
    else
        m->values[t][m->prologue[t] + below(m, m->pool - m->prologue[t])] = v;
}

/* Numbers that rules are about. */
static uint64_t bits_of_rules(struct maker *m, enum ir_type t)
{
    static const uint64_t few[] = {0, 1, UINT64_MAX, 2, 16, 255, 0xffff, 31};
    static const uint32_t f32[] = {0, 0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0x40000000, 0x7fc00000, 1};
    unsigned n = below(m, 8), bits = ir_type_bits(t);
    if (t == IR_F32)
        return f32[n];
    return below(m, 8) ? few[n] : (uint64_t)1 << (bits - 1);
}

/* Bits that matter: small numbers, ones, infinities, NaNs, denormals, and any. */
static uint64_t bits_for(struct maker *m, enum ir_type t)
{
    static const uint64_t f32[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
                                   0x7fc00000, 0xffc12345, 0x7f800001, 1,          0x80000001, 0x00800000,
                                   0x3f000000, 0x40490fdb, 0x4f000000, 0x7f7fffff};
    static const uint64_t f64[] = {0, 1ull << 63, 0x3ff0000000000000, 0x7ff0000000000000, 0x7ff8000000000000, 1,
                                   0xfff8000000000123, 0x0010000000000000, 0x4000000000000000, 0x7fefffffffffffff};
    if (t == IR_I1)
        return below(m, 2);
    if (m->tight)
        return bits_of_rules(m, t);
    if (t == IR_F32 && below(m, 2))
        return f32[below(m, sizeof f32 / sizeof *f32)];
    if (t == IR_F64 && below(m, 2))
        return f64[below(m, sizeof f64 / sizeof *f64)];
    switch (below(m, 4)) {
    case 0: return below(m, 4);
    case 1: return UINT64_MAX - below(m, 3);
    case 2: return (uint64_t)1 << below(m, 64);
    default: return test_next64(m->r);
    }
}

static ir_value any_value(struct maker *m, enum ir_type t)
{
    if (!m->count[t] || below(m, m->tight ? 4 : 6) == 0)
        keep(m, ir_const(&m->b, t, bits_for(m, t)));
    return m->values[t][below(m, m->count[t])];
}

static ir_value uniform_bool(struct maker *m)
{
    for (int i = 0; i < 20; i++) {
        ir_value v = any_value(m, IR_I1);
        if (m->b.p->value_uniform[v])
            return v;
    }
    return ir_const(&m->b, IR_I1, below(m, 2));
}

static enum ir_type int_type(struct maker *m)
{
    return m->tight && below(m, 4) ? IR_I32 : (enum ir_type)(IR_I8 + below(m, 4));
}

static enum ir_type float_type(struct maker *m)
{
    return m->tight && below(m, 4) ? IR_F32 : (enum ir_type)(IR_F16 + below(m, 3));
}

static enum ir_type any_type(struct maker *m)
{
    static const enum ir_type few[] = {IR_I1, IR_I32, IR_I32, IR_F32, IR_F32, IR_I64};
    return m->tight && below(m, 4) ? few[below(m, 6)] : (enum ir_type)(IR_I1 + below(m, IR_TYPES - 1));
}

static unsigned float_attr(struct maker *m)
{
    unsigned attr = 0;
    if (below(m, 3))
        return 0;
    attr = below(m, 5);
    attr |= below(m, 4) ? 0 : IR_FLUSH_IN;
    attr |= below(m, 4) ? 0 : IR_FLUSH_OUT;
    attr |= below(m, 3) ? 0 : below(m, 2) ? IR_NAN_CANON : IR_NAN_X86;
    attr |= below(m, 5) ? 0 : IR_SAT;
    attr |= below(m, 5) ? 0 : IR_SAT_KEEP_NAN;
    attr |= below(m, 3) << 8;
    attr |= below(m, 3) ? 0 : IR_MINMAX_ZEROS;
    return attr;
}

/* Words cut to their low bits, with and without a sign, and held to a range: often they are that small already. */
static void small_number(struct maker *m)
{
    static const uint8_t few[] = {8, 16, 17, 24, 31};
    unsigned bits = few[below(m, sizeof few)];
    ir_value a = any_value(m, IR_I32), count = ir_const_i32(&m->b, 32 - bits);
    if (below(m, 3) == 0)
        a = ir_op2(&m->b, below(m, 2) ? IR_SHR_U : IR_SHR_S, 0, a, count);
    switch (below(m, 4)) {
    case 0:
        a = ir_op2(&m->b, IR_AND, 0, a, ir_const_i32(&m->b, ((uint32_t)1 << bits) - 1));
        break;
    case 1:
        a = ir_op2(&m->b, below(m, 2) ? IR_MIN_S : IR_MAX_S, 0, a, ir_const_i32(&m->b, (uint32_t)-1 >> below(m, 32)));
        break;
    default:
        a = ir_op2(&m->b, IR_SHR_S, 0, ir_op2(&m->b, IR_SHL, 0, a, count), count);
        break;
    }
    keep(m, a);
}

static void integer_op(struct maker *m)
{
    if (below(m, 6) == 0) {
        small_number(m);
        return;
    }
    enum ir_opcode code = (enum ir_opcode)(IR_ADD + below(m, IR_LE_U - IR_ADD + 1));
    bool bits = code == IR_AND || code == IR_OR || code == IR_XOR || code == IR_NOT || code == IR_EQ || code == IR_NE;
    enum ir_type t = bits && below(m, 3) == 0 ? IR_I1 : int_type(m);
    bool shift = code == IR_SHL || code == IR_SHR_S || code == IR_SHR_U;
    ir_value a = any_value(m, t);
    unsigned attr = (code == IR_ADD || code == IR_SUB) && below(m, 4) == 0 ? IR_SAT : 0;
    if (ir_op_info[code].args == 1)
        keep(m, ir_op1(&m->b, code, attr, a));
    else
        keep(m, ir_op2(&m->b, code, attr, a, below(m, 8) || shift ? any_value(m, shift ? IR_I32 : t) : a));
}

static void float_op(struct maker *m)
{
    enum ir_opcode code = (enum ir_opcode)(IR_FADD + below(m, IR_FREXP_EXP - IR_FADD + 1));
    enum ir_type t = float_type(m);
    ir_value a = any_value(m, t);
    unsigned attr = float_attr(m);
    if (ir_op_info[code].args == 1)
        keep(m, ir_op1(&m->b, code, attr, a));
    else if (ir_op_info[code].args == 3)
        keep(m, ir_op3(&m->b, code, attr, a, any_value(m, t), any_value(m, t)));
    else
        keep(m, ir_op2(&m->b, code, attr, a, any_value(m, code == IR_FLDEXP ? IR_I32 : t)));
}

static void conversion(struct maker *m)
{
    enum ir_type i = int_type(m), j = int_type(m), f = float_type(m), g = float_type(m), t = any_type(m);
    unsigned cvt = below(m, 3);
    unsigned attr = (float_attr(m) & ~(unsigned)IR_SAT) | (cvt == 1 ? IR_CVT_WRAP : cvt == 2 ? IR_CVT_X86 : 0);
    static const enum ir_type other[IR_TYPES] = {[IR_I16] = IR_F16, [IR_I32] = IR_F32, [IR_I64] = IR_F64,
                                                 [IR_F16] = IR_I16, [IR_F32] = IR_I32, [IR_F64] = IR_I64};
    switch (below(m, 12)) {
    case 0: if (i < j) keep(m, ir_cvt(&m->b, IR_ZEXT, j, 0, any_value(m, i))); break;
    case 1: if (i < j) keep(m, ir_cvt(&m->b, IR_SEXT, j, 0, any_value(m, i))); break;
    case 2: if (i < j) keep(m, ir_cvt(&m->b, IR_TRUNC, i, 0, any_value(m, j))); break;
    case 3: keep(m, ir_cvt(&m->b, below(m, 2) ? IR_SEXT : IR_ZEXT, i, 0, any_value(m, IR_I1))); break;
    case 4: keep(m, ir_cvt(&m->b, below(m, 2) ? IR_S2F : IR_U2F, f, float_attr(m), any_value(m, i))); break;
    case 5: case 6: keep(m, ir_cvt(&m->b, below(m, 2) ? IR_F2S : IR_F2U, i, attr, any_value(m, f))); break;
    case 7: if (f != g) keep(m, ir_cvt(&m->b, IR_F2F, g, float_attr(m), any_value(m, f))); break;
    case 8: if (other[t]) keep(m, ir_cvt(&m->b, IR_BITCAST, other[t], 0, any_value(m, t))); break;
    case 9:
        keep(m, ir_cvt2(&m->b, IR_PACK64, below(m, 2) ? IR_I64 : IR_F64, 0, any_value(m, IR_I32),
                        any_value(m, below(m, 2) ? IR_I32 : IR_F32)));
        break;
    case 10:
        keep(m, ir_cvt(&m->b, below(m, 2) ? IR_LO32 : IR_HI32, below(m, 2) ? IR_I32 : IR_F32, 0,
                       any_value(m, below(m, 2) ? IR_I64 : IR_F64)));
        break;
    default: keep(m, ir_select(&m->b, any_value(m, IR_I1), any_value(m, t), any_value(m, t)));
    }
}

/* A part of a random register. */
static struct ir_reg any_reg(struct maker *m, bool warp)
{
    static const unsigned counts[] = {8, 8, 4, 4, 2}, widths[] = {32, 16, 32, 1, 32};
    unsigned file = warp ? 2 : below(m, 5);
    if (!warp && file == 2)
        file = 0;
    enum ir_type t = file == 3 ? IR_I1 : any_type(m);
    unsigned bits = ir_type_bits(t), span = bits > widths[file] ? bits / widths[file] : 1;
    if (span > counts[file])
        return any_reg(m, warp);
    return (struct ir_reg){.file = (uint16_t)file,
                           .elem = below(m, counts[file] - span + 1),
                           .part = (uint8_t)t,
                           .shift = (uint8_t)(bits < widths[file] ? bits * below(m, widths[file] / bits) : 0)};
}

static void register_op(struct maker *m)
{
    bool warp = below(m, 6) == 0;
    struct ir_reg r = any_reg(m, warp);
    enum ir_type t = (enum ir_type)r.part;
    ir_value pred = below(m, 3) ? 0 : any_value(m, IR_I1);
    if (warp && pred && !m->b.p->value_uniform[pred])
        pred = 0;
    if (r.file == 0 && ir_type_bits(t) == 32 && below(m, 4) == 0) {
        r.elem = 2;
        r.stride = below(m, 2) ? 1 : -1;
        r.first = -2;
        r.last = 2;
        if (below(m, 2))
            keep(m, ir_get_dyn(&m->b, r, any_value(m, IR_I32), t));
        else
            ir_set_dyn(&m->b, r, any_value(m, IR_I32), any_value(m, t), pred);
        return;
    }
    if (below(m, 2)) {
        keep(m, ir_get_part(&m->b, r.file, r.elem, r.shift, t));
        return;
    }
    ir_value v = any_value(m, t);
    if (!warp || m->b.p->value_uniform[v])
        ir_set_part(&m->b, r.file, r.elem, r.shift, t, v, pred);
}

static void memory_op(struct maker *m)
{
    struct ir_mem mem = {
        .space = (uint16_t)below(m, 2), .elem = IR_I32, .count = (uint8_t)(1 + below(m, 3)), .offset = 4 * below(m, 8)};
    ir_value addr = below(m, 2) ? ir_const_i32(&m->b, 4 * below(m, 8))
                                : ir_op2(&m->b, IR_AND, 0, any_value(m, IR_I32), ir_const_i32(&m->b, 60));
    if (mem.space == 0 || below(m, 2)) {
        ir_value v = ir_load(&m->b, mem, below(m, 2) ? IR_I32 : IR_F32, addr);
        for (unsigned i = 0; i < mem.count; i++)
            keep(m, v + i);
        return;
    }
    ir_value data[3] = {any_value(m, IR_I32), any_value(m, IR_F32), any_value(m, IR_I32)};
    ir_store(&m->b, mem, addr, data, below(m, 3) ? 0 : any_value(m, IR_I1));
}

/* ---- what passes have rules for, and random ops seldom are ---- */

static ir_value comparison(struct maker *m, enum ir_type t, ir_value a, ir_value b)
{
    static const uint16_t reals[] = {IR_FEQ, IR_FNE, IR_FLT, IR_FLE};
    uint16_t code = t == IR_F32 ? reals[below(m, 4)] : (uint16_t)(IR_EQ + below(m, 6));
    return ir_op2(&m->b, (enum ir_opcode)code, 0, a, b);
}

/* One of two numbers, as a condition says. */
static ir_value chosen(struct maker *m, enum ir_type t)
{
    ir_value c = any_value(m, IR_I1);
    if (below(m, 2))
        return ir_as(&m->b, t, ir_cvt(&m->b, below(m, 2) ? IR_SEXT : IR_ZEXT, IR_I32, 0, c));
    ir_value yes = ir_const(&m->b, t, bits_for(m, t)), no = ir_const(&m->b, t, bits_for(m, t));
    return ir_select(&m->b, c, yes, no);
}

static ir_value truth(struct maker *m)
{
    static const uint16_t both[] = {IR_ADD, IR_SUB, IR_MUL, IR_AND, IR_OR, IR_XOR, IR_MIN_S, IR_MAX_U};
    static const uint16_t real[] = {IR_FADD, IR_FSUB, IR_FMUL, IR_FMIN, IR_FMAX};
    enum ir_type t = below(m, 2) ? IR_I32 : IR_F32;
    ir_value v = chosen(m, t), k = ir_const(&m->b, t, bits_for(m, t));
    if (below(m, 2))
        v = ir_op2(&m->b, (enum ir_opcode)(t == IR_I32 ? both[below(m, 8)] : real[below(m, 5)]), 0, v, chosen(m, t));
    return below(m, 2) ? comparison(m, t, v, k) : comparison(m, t, k, v);
}

/* A register that is SET under a condition, and chosen under it or its opposite. */
static ir_value under_condition(struct maker *m)
{
    ir_value c = any_value(m, IR_I1), on = below(m, 2) ? ir_op1(&m->b, IR_NOT, 0, c) : c;
    enum ir_type t = below(m, 2) ? IR_I32 : IR_F32;
    unsigned elem = below(m, 8);
    ir_set(&m->b, 0, elem, any_value(m, t), on);
    ir_value got = ir_get(&m->b, 0, elem, t), by = below(m, 2) ? c : below(m, 2) ? on : any_value(m, IR_I1);
    return below(m, 2) ? ir_select(&m->b, by, got, any_value(m, t)) : ir_select(&m->b, by, any_value(m, t), got);
}

static ir_value words_of(struct maker *m)
{
    ir_value wide = any_value(m, below(m, 2) ? IR_I64 : IR_F64), other = below(m, 4) ? wide : any_value(m, IR_I64);
    ir_value low = ir_cvt(&m->b, IR_LO32, below(m, 4) ? IR_I32 : IR_F32, 0, wide);
    ir_value high = ir_cvt(&m->b, IR_HI32, below(m, 4) ? IR_I32 : IR_F32, 0, other);
    ir_value made = ir_cvt2(&m->b, IR_PACK64, below(m, 2) ? IR_I64 : IR_F64, 0, below(m, 4) ? low : high, high);
    keep(m, made);
    return ir_cvt(&m->b, below(m, 2) ? IR_LO32 : IR_HI32, IR_I32, 0, made);
}

/* Signs, opposites and products, one made of another. */
static ir_value made_of_another(struct maker *m)
{
    static const uint16_t nans[] = {0, IR_NAN_CANON, IR_NAN_X86, IR_RDN};
    ir_value a = any_value(m, IR_F32), b = any_value(m, IR_F32);
    ir_value minus = ir_op1(&m->b, below(m, 4) ? IR_FNEG : IR_FABS, 0, b);
    switch (below(m, 5)) {
    case 0: return ir_op1(&m->b, below(m, 2) ? IR_FNEG : IR_FABS, 0, minus);
    case 1: return ir_op2(&m->b, IR_FADD, nans[below(m, 4)], below(m, 2) ? a : minus, minus);
    case 2: return ir_op2(&m->b, IR_FADD, nans[below(m, 4)], minus, a);
    case 3:
        return ir_op3(&m->b, IR_FFMA, nans[below(m, 4)], a, b,
                      ir_const(&m->b, IR_F32, below(m, 2) ? 0x80000000 : bits_for(m, IR_F32)));
    default:
        return ir_op1(&m->b, IR_NOT, 0, ir_op1(&m->b, IR_NOT, 0, any_value(m, IR_I32)));
    }
}

static void tight_op(struct maker *m)
{
    enum ir_type t = below(m, 2) ? IR_I32 : IR_F32;
    switch (below(m, 8)) {
    case 0: case 1: keep(m, truth(m)); break;
    case 2: keep(m, under_condition(m)); break;
    case 3: keep(m, words_of(m)); break;
    case 4: keep(m, made_of_another(m)); break;
    case 5: keep(m, ir_op1(&m->b, IR_NOT, 0, comparison(m, t, any_value(m, t), any_value(m, t)))); break;
    case 6:
        keep(m, ir_select(&m->b, any_value(m, IR_I1), any_value(m, IR_I1), any_value(m, IR_I1)));
        break;
    default: /* what was made is seen */
        ir_set(&m->b, 4, below(m, 2), any_value(m, t), below(m, 3) ? 0 : any_value(m, IR_I1));
    }
}

/* ---- what only the device and other lanes know ---- */

static ir_value maybe(struct maker *m) { return below(m, 3) ? 0 : any_value(m, IR_I1); }

static void several(struct maker *m, ir_value first, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        keep(m, first + i);
}

static void across_lanes(struct maker *m)
{
    static const uint16_t votes[] = {IR_BALLOT, IR_ANY, IR_ALL};
    static const uint16_t sums[] = {IR_ADD, IR_MIN_S, IR_MAX_U, IR_XOR};
    unsigned attr = below(m, 2) ? IR_ALL_LANES : 0;
    ir_value v = any_value(m, below(m, 2) ? IR_I32 : IR_F32), a[2] = {v, 0};
    switch (below(m, 6)) {
    case 0: case 1:
        keep(m, ir_emit(&m->b, below(m, 2) ? IR_QUAD_LANE : IR_QUAD_XOR, ir_type_of(&m->b, v), 0, 1, a, 1, 0,
                        below(m, 4), 0));
        break;
    case 2: keep(m, ir_op2(&m->b, IR_SHUFFLE, 0, v, any_value(m, IR_I32))); break;
    case 3: keep(m, ir_op1(&m->b, (enum ir_opcode)votes[below(m, 3)], attr, any_value(m, IR_I1))); break;
    case 4: keep(m, ir_op1(&m->b, IR_FIRST, attr, v)); break;
    default:
        a[0] = any_value(m, IR_I32);
        keep(m, ir_emit(&m->b, IR_REDUCE, IR_I32, attr, 1, a, 1, 0, sums[below(m, 4)], 0));
    }
}

static void of_device(struct maker *m)
{
    static const uint8_t ops[] = {IR_TEX_SAMPLE, IR_TEX_BIAS, IR_TEX_LOD, IR_TEX_QUERY_LOD};
    ir_value a[3] = {any_value(m, IR_F32), any_value(m, IR_F32), any_value(m, IR_F32)};
    switch (below(m, 6)) {
    case 0: case 1: {
        struct ir_texture t = {.op = ops[below(m, 4)], .dim = IR_TEX_2D};
        several(m, ir_texture_op(&m->b, t, IR_F32, a, t.op == IR_TEX_BIAS || t.op == IR_TEX_LOD ? 3 : 2), 4);
        break;
    }
    case 2:
        keep(m, ir_emit(&m->b, IR_INTERP, IR_F32, below(m, 3) | below(m, 3) << 4, 1, NULL, 0, below(m, 2), below(m, 4),
                        0));
        break;
    case 3:
        a[0] = any_value(m, IR_I32);
        several(m, ir_emit(&m->b, IR_SERVICE, IR_F32, 0, 4, a, 1, 0, IR_SVC_SAMPLE_POS, maybe(m)), 4);
        break;
    case 4: keep(m, ir_emit(&m->b, IR_HELPER, IR_F32, 0, 1, a, 3, below(m, 2), 0, 0)); break;
    default: ir_emit(&m->b, IR_OUTPUT, IR_VOID, 0, 0, a, 1, 4, below(m, 4), maybe(m));
    }
}

static void any_memory(struct maker *m)
{
    static const uint8_t elems[] = {IR_I32, IR_I8, IR_I16, IR_I32};
    struct ir_mem mem = {.space = (uint16_t)below(m, 6), .elem = elems[below(m, 4)], .count = 1, .offset = below(m, 8)};
    ir_value a[3] = {any_value(m, IR_I32), any_value(m, IR_I32), any_value(m, IR_I32)};
    bool constant = mem.space == 0 || mem.space == 2;
    uint32_t desc;
    switch (below(m, constant ? 2 : 5)) {
    case 0: case 1:
        keep(m, ir_load(&m->b, mem, IR_I32, a[0]));
        break;
    case 2: case 3: ir_store(&m->b, mem, a[0], a + 1, maybe(m)); break;
    default:
        mem.elem = IR_I32;
        ir_store(&m->b, mem, a[0], a + 1, 0); /* for its descriptor */
        desc = m->b.p->nmems - 1;
        keep(m, ir_emit(&m->b, IR_ATOMIC, IR_I32, 0, 1, a, 2, desc, IR_ATOMIC_XOR, maybe(m)));
    }
}

static void stopping(struct maker *m)
{
    ir_value c = any_value(m, IR_I1), a[2] = {any_value(m, IR_I32), any_value(m, IR_F32)};
    switch (below(m, 4)) {
    case 0: ir_emit(&m->b, IR_PROBE, IR_VOID, 0, 0, a, 2, 0, 1, maybe(m)); break;
    case 1: ir_emit(&m->b, IR_FENCE, IR_VOID, 0, 0, NULL, 0, 0, 1, 0); break;
    default:
        ir_check(&m->b, c, 1);
        if (below(m, 2))
            ir_check(&m->b, below(m, 2) ? c : any_value(m, IR_I1), 1 + below(m, 2));
    }
}

static void of_other_lanes(struct maker *m)
{
    struct ir_reg r = {.file = 0, .part = IR_I32, .elem = 1, .stride = 1, .first = 0, .last = 3};
    ir_value index = any_value(m, IR_I32), lane = any_value(m, IR_I32);
    switch (below(m, 4)) {
    case 0: keep(m, ir_get_lane(&m->b, r, index, lane, IR_I32)); break;
    case 1: ir_set_lane(&m->b, r, index, lane, any_value(m, IR_I32), maybe(m)); break;
    case 2: keep(m, ir_lane_id(&m->b)); break;
    default:
        keep(m, ir_op1(&m->b, IR_COPY, below(m, 2) ? 0 : IR_NAN_X86, any_value(m, IR_F32)));
    }
}

static void device_op(struct maker *m)
{
    switch (below(m, 6)) {
    case 0: case 1: across_lanes(m); break;
    case 2: of_device(m); break;
    case 3: any_memory(m); break;
    case 4: stopping(m); break;
    default: of_other_lanes(m);
    }
}

static void any_op(struct maker *m)
{
    if (m->tight && below(m, 3) == 0) {
        tight_op(m);
        return;
    }
    if (m->everything && below(m, 3) == 0) {
        device_op(m);
        return;
    }
    switch (below(m, 20)) {
    case 0: case 1: case 2: case 3: integer_op(m); break;
    case 4: case 5: case 6: case 7: float_op(m); break;
    case 8: case 9: case 10: conversion(m); break;
    case 11: case 12: case 13: case 14: case 15: register_op(m); break;
    case 16: case 17: memory_op(m); break;
    case 18:
        keep(m, ir_emit(&m->b, IR_SYSVAL, below(m, 2) ? IR_F32 : IR_I32, 0, 1, NULL, 0, below(m, 4),
                        below(m, 2) ? IR_SYS_SAMPLE_POS : IR_SYS_BLOCK_ID, 0));
        break;
    default:
        if (below(m, 10) == 0)
            ir_emit(&m->b, IR_DISCARD, IR_VOID, 0, 0, (const ir_value[]){any_value(m, IR_I1)}, 1, 0, 0, 0);
        else
            ir_emit(&m->b, IR_OUTPUT, IR_VOID, 0, 0, (const ir_value[]){any_value(m, IR_F32)}, 1, below(m, 4),
                    below(m, 4), below(m, 3) ? 0 : any_value(m, IR_I1));
    }
}

static void terminate(struct maker *m, const struct random_options *o, uint32_t block)
{
    uint32_t first = o->backward && below(m, 3) == 0 ? IR_ENTRY : block + 1, last = o->blocks;
    if (block == last) {
        ir_end(&m->b);
        return;
    }
    uint32_t yes = first + below(m, last - first + 1), no = block + 1 + below(m, last - block);
    switch (below(m, o->control ? 4 : 3)) {
    case 0: ir_goto(&m->b, no); break;
    case 3:
        ir_control(&m->b, (struct ir_control){.op = 1, .ntargets = 2, .target = {yes, no}},
                   (const ir_value[]){any_value(m, IR_I1)}, 1);
        break;
    default: ir_branch(&m->b, uniform_bool(m), yes, no);
    }
}

/* What arms of branches often are: a few ops on numbers and registers. */
static void arm_op(struct maker *m)
{
    struct ir_reg r = any_reg(m, false);
    enum ir_type t = (enum ir_type)r.part;
    switch (below(m, 4)) {
    case 0: keep(m, ir_op2(&m->b, IR_FADD, float_attr(m), any_value(m, IR_F32), any_value(m, IR_F32))); break;
    case 1: keep(m, ir_op2(&m->b, IR_XOR, 0, any_value(m, IR_I32), any_value(m, IR_I32))); break;
    case 2: keep(m, ir_get_part(&m->b, r.file, r.elem, r.shift, t)); break;
    default: ir_set_part(&m->b, r.file, r.elem, r.shift, t, any_value(m, t), 0);
    }
}

/* Three blocks together: lanes split at the first into one arm or two, and meet after them. */
static void terminate_arms(struct maker *m, const struct random_options *o, uint32_t block)
{
    static const struct ir_control split = {.op = 2, .ntargets = 2, .way = IR_WAY_SPLIT};
    uint32_t first = block - (block - IR_ENTRY) % 3, after = first + 3;
    struct ir_control c = split;
    if (block == first && (block + 2 >= o->blocks || (o->backward && below(m, 3) == 0))) {
        terminate(m, o, block);
        return;
    }
    after = after < o->blocks ? after : o->blocks;
    c.target[0] = first + 1;
    c.target[1] = below(m, 2) ? first + 2 : after;
    if (below(m, 4) == 0)
        c = (struct ir_control){.op = 2, .ntargets = 2, .way = IR_WAY_SPLIT, .target = {c.target[1], c.target[0]}};
    if (block != first)
        c = (struct ir_control){.op = 3, .ntargets = 1, .way = IR_WAY_MEET, .target = {after}};
    if (block != first && m->everything) /* where lanes go that have ended */
        c = (struct ir_control){
            .op = 3, .ntargets = (uint8_t)(1 + below(m, 3)), .way = IR_WAY_MEET, .target = {after, o->blocks, after}};
    ir_value condition = block == first ? any_value(m, IR_I1) : 0;
    ir_control(&m->b, c, &condition, block == first);
}

static void declare_everything(struct ir_program *p)
{
    static const struct ir_space spaces[] = {
        {.name = "t", .kind = IR_SPACE_CONST, .bounds = IR_BOUNDS_TRAP},
        {.name = "b", .kind = IR_SPACE_BUS},
        {.name = "s", .kind = IR_SPACE_SHARED, .bounds = IR_BOUNDS_WRAP, .size = 64},
        {.name = "p", .kind = IR_SPACE_PRIVATE, .bounds = IR_BOUNDS_TRAP, .size = 64},
    };
    for (unsigned i = 0; i < 4; i++)
        ir_add_space(p, spaces[i]);
    for (unsigned i = 0; i < 2; i++)
        ir_add_input(p, (struct ir_slot){.semantic = IR_SEM_GENERIC, .index = (uint16_t)i, .interp = 2, .mask = 15});
    ir_add_output(p, (struct ir_slot){.semantic = IR_SEM_COLOR, .mask = 15});
    static struct ir_helper helpers[] = {{.name = "odd"}, {.name = "mad", .form = IR_HELPER_CUT_MAD, .numbers = true}};
    p->helpers = helpers;
    p->nhelpers = 2;
}

struct ir_program *random_program(struct arena *a, struct test_rng *r, struct random_options o)
{
    struct ir_program *p = ir_program_new(a, "test", IR_FRAGMENT, 16);
    static struct maker maker;
    struct maker *m = &maker;
    memset(m, 0, sizeof *m);
    m->b = (struct ir_builder){p, IR_PROLOGUE, 0};
    m->r = r;
    m->pool = o.tight ? TIGHT_POOL : POOL;
    m->tight = o.tight;
    m->everything = o.everything;
    ir_add_file(p, (struct ir_file){.name = "r", .bits = 32, .count = 8});
    ir_add_file(p, (struct ir_file){.name = "h", .bits = 16, .count = 8});
    ir_add_file(p, (struct ir_file){.name = "u", .bits = 32, .count = 4, .uniform = true});
    ir_add_file(p, (struct ir_file){.name = "f", .bits = 1, .count = 4});
    ir_add_file(p, (struct ir_file){.name = "keep", .bits = 32, .count = 2, .preserved = true});
    ir_add_space(p, (struct ir_space){.name = "c", .kind = IR_SPACE_CONST});
    ir_add_space(p, (struct ir_space){.name = "g", .kind = IR_SPACE_GLOBAL});
    for (unsigned i = 0; i < 4; i++)
        ir_add_output(p, (struct ir_slot){.semantic = IR_SEM_GENERIC, .index = (uint16_t)i, .mask = 15});
    if (o.everything)
        declare_everything(p);
    for (unsigned i = 0; i < 8; i++)
        keep(m, ir_const(&m->b, any_type(m), bits_for(m, IR_I64)));
    memcpy(m->prologue, m->count, sizeof m->count);
    for (uint32_t block = IR_ENTRY; block <= o.blocks; block++) {
        if (block >= p->nblocks)
            ir_new_block(p);
    }
    for (uint32_t block = IR_ENTRY; block <= o.blocks; block++) {
        m->b.block = block;
        memcpy(m->count, m->prologue, sizeof m->count);
        bool arm = o.arms && (block - IR_ENTRY) % 3;
        for (unsigned i = below(m, arm ? 8 : 2 * o.ops + 1); i > 0; i--)
            (arm ? arm_op : any_op)(m);
        (o.arms && block < o.blocks ? terminate_arms : terminate)(m, &o, block);
    }
    return p;
}
