#include "random_program.h"

enum { POOL = 64 };

struct maker {
    struct ir_builder b;
    struct test_rng *r;
    ir_value values[IR_TYPES][POOL]; /* that an op may use here */
    unsigned count[IR_TYPES];
    unsigned prologue[IR_TYPES];     /* how many of them are of the prologue */
};

static uint32_t below(struct maker *m, uint32_t n) { return test_next(m->r) % n; }

static void keep(struct maker *m, ir_value v)
{
    enum ir_type t = ir_type_of(&m->b, v);
    if (m->count[t] < POOL)
        m->values[t][m->count[t]++] = v;
    else
        m->values[t][m->prologue[t] + below(m, POOL - m->prologue[t])] = v;
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
    if (!m->count[t] || below(m, 6) == 0)
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

static enum ir_type int_type(struct maker *m) { return (enum ir_type)(IR_I8 + below(m, 4)); }

static enum ir_type float_type(struct maker *m) { return (enum ir_type)(IR_F16 + below(m, 3)); }

static enum ir_type any_type(struct maker *m) { return (enum ir_type)(IR_I1 + below(m, IR_TYPES - 1)); }

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

static void any_op(struct maker *m)
{
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
    if (block + 2 >= o->blocks && block == first) {
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
    ir_value condition = block == first ? any_value(m, IR_I1) : 0;
    ir_control(&m->b, c, &condition, block == first);
}

struct ir_program *random_program(struct arena *a, struct test_rng *r, struct random_options o)
{
    struct ir_program *p = ir_program_new(a, "test", IR_FRAGMENT, 16);
    static struct maker maker;
    struct maker *m = &maker;
    memset(m, 0, sizeof *m);
    m->b = (struct ir_builder){p, IR_PROLOGUE, 0};
    m->r = r;
    ir_add_file(p, (struct ir_file){.name = "r", .bits = 32, .count = 8});
    ir_add_file(p, (struct ir_file){.name = "h", .bits = 16, .count = 8});
    ir_add_file(p, (struct ir_file){.name = "u", .bits = 32, .count = 4, .uniform = true});
    ir_add_file(p, (struct ir_file){.name = "f", .bits = 1, .count = 4});
    ir_add_file(p, (struct ir_file){.name = "keep", .bits = 32, .count = 2, .preserved = true});
    ir_add_space(p, (struct ir_space){.name = "c", .kind = IR_SPACE_CONST});
    ir_add_space(p, (struct ir_space){.name = "g", .kind = IR_SPACE_GLOBAL});
    for (unsigned i = 0; i < 4; i++)
        ir_add_output(p, (struct ir_slot){.semantic = IR_SEM_GENERIC, .index = (uint16_t)i, .mask = 15});
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
