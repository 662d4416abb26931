/* emit.c - making ops: constants are folded and made once, and what takes nothing but values of the prologue is made
 * there, so that every block sees it. */
#include "isa/spirv/lift.h"

#include "ir/constant.h"

#include <string.h>

static void know(struct spirv_lifter *l, ir_value v, bool constant, uint64_t bits)
{
    if (v >= l->known_cap) {
        size_t old = l->known_cap;
        l->known = arena_grow(l->arena, l->known, sizeof *l->known, old, &l->known_cap, (size_t)v + 1);
        if (!l->known) {
            l->known_cap = 0;
            return;
        }
        memset(l->known + old, 0, (l->known_cap - old) * sizeof *l->known);
    }
    l->known[v] = (struct spirv_known){bits, true, constant};
}

bool spirv_in_prologue(const struct spirv_lifter *l, ir_value v)
{
    return v < l->known_cap && l->known[v].prologue;
}

bool spirv_bits(const struct spirv_lifter *l, ir_value v, uint64_t *bits)
{
    if (v >= l->known_cap || !l->known[v].constant)
        return false;
    *bits = l->known[v].bits;
    return true;
}

/* ---- constants ---- */

static uint32_t hash(uint64_t bits, unsigned type)
{
    bits = (bits + type) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(bits >> 32);
}

static bool grow(struct spirv_lifter *l)
{
    uint32_t cap = l->constants_cap ? l->constants_cap * 2 : 256;
    struct spirv_constant *table = ARENA_ARRAY(l->arena, struct spirv_constant, cap);
    if (!table)
        return false;
    for (uint32_t i = 0; i < l->constants_cap; i++) {
        const struct spirv_constant *c = &l->constants[i];
        uint32_t at = hash(c->bits, c->type) & (cap - 1);
        while (c->v && table[at].v)
            at = (at + 1) & (cap - 1);
        if (c->v)
            table[at] = *c;
    }
    l->constants = table;
    l->constants_cap = cap;
    return true;
}

ir_value spirv_const(struct spirv_lifter *l, enum ir_type type, uint64_t bits)
{
    unsigned width = ir_type_bits(type);
    if (width < 64)
        bits &= ((uint64_t)1 << width) - 1;
    if (l->nconstants * 2 >= l->constants_cap && !grow(l))
        return 0;
    uint32_t at = hash(bits, type) & (l->constants_cap - 1);
    for (; l->constants[at].v; at = (at + 1) & (l->constants_cap - 1))
        if (l->constants[at].bits == bits && l->constants[at].type == type)
            return l->constants[at].v;
    uint32_t block = l->b.block;
    l->b.block = IR_PROLOGUE;
    ir_value v = ir_const(&l->b, type, bits);
    l->b.block = block;
    l->constants[at] = (struct spirv_constant){bits, v, (uint8_t)type};
    l->nconstants++;
    know(l, v, true, bits);
    return v;
}

ir_value spirv_i32(struct spirv_lifter *l, uint32_t v)
{
    return spirv_const(l, IR_I32, v);
}

ir_value spirv_f32(struct spirv_lifter *l, float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return spirv_const(l, IR_F32, bits);
}

ir_value spirv_float(struct spirv_lifter *l, enum ir_type type, double v)
{
    uint64_t bits;
    if (type == IR_F32)
        return spirv_f32(l, (float)v);
    memcpy(&bits, &v, sizeof bits);
    ir_value wide = spirv_const(l, IR_F64, bits);
    return type == IR_F64 ? wide : spirv_cvt(l, IR_F2F, type, wide);
}

/* ---- ops ---- */

static bool all_in_prologue(const struct spirv_lifter *l, const ir_value *a, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (!spirv_in_prologue(l, a[i]))
            return false;
    return true;
}

static bool folded(struct spirv_lifter *l, enum ir_opcode code, enum ir_type type, unsigned attr, const ir_value *a,
                   unsigned n, uint64_t imm, ir_value *out)
{
    uint64_t bits[3], result;
    if (n == 0 || n > 3)
        return false;
    for (unsigned i = 0; i < n; i++)
        if (!spirv_bits(l, a[i], &bits[i]))
            return false;
    enum ir_type to = ir_op_info[code].result == IR_RES_SAME  ? ir_type_of(&l->b, a[0])
                      : ir_op_info[code].result == IR_RES_I1  ? IR_I1
                      : ir_op_info[code].result == IR_RES_I32 ? IR_I32
                                                              : type;
    struct ir_program *p = l->b.p;
    struct ir_op op = {.code = (uint16_t)code, .type = (uint8_t)to, .attr = (uint16_t)attr, .imm = imm};
    uint32_t first = p->npool; /* the arguments are where those of an op are, for as long as it takes */
    ir_value *pool = arena_grow(p->arena, p->pool, sizeof *pool, first, &p->pool_cap, (size_t)first + n);
    if (!pool)
        return false;
    p->pool = pool;
    memcpy(p->pool + first, a, n * sizeof *a);
    op.args = first;
    op.nargs = (uint8_t)n;
    if (!ir_constant(p, &op, bits, &result))
        return false;
    *out = spirv_const(l, to, result);
    return true;
}

/* What the modes of float controls ask of a type, from `mask`. */
static unsigned asked(const struct spirv_lifter *l, enum ir_type type, unsigned mask)
{
    return type >= IR_F16 ? l->float_attr[type - IR_F16] & mask : 0;
}

/* The attributes of an op that the modes of float controls ask for: a rounding where results round, denormals that are
 * flushed where a float comes in or goes out. */
static unsigned float_controls(const struct spirv_lifter *l, enum ir_opcode code, enum ir_type to, enum ir_type from)
{
    enum { FLUSH = IR_FLUSH_IN | IR_FLUSH_OUT };
    switch (code) {
    case IR_FADD:
    case IR_FSUB:
    case IR_FMUL:
    case IR_FDIV:
    case IR_FFMA:
    case IR_FSQRT:
    case IR_FLDEXP:
        return asked(l, from, IR_ROUND_MASK | FLUSH);
    case IR_FMIN:
    case IR_FMAX:
    case IR_FEXP2:
    case IR_FLOG2:
    case IR_FPOW:
    case IR_FSIN:
    case IR_FCOS:
        return asked(l, from, FLUSH);
    case IR_FEQ:
    case IR_FNE:
    case IR_FLT:
    case IR_FLE:
    case IR_FRINT:
        return asked(l, from, IR_FLUSH_IN);
    case IR_F2F:
        return asked(l, from, IR_FLUSH_IN) | asked(l, to, IR_FLUSH_OUT | IR_ROUND_MASK);
    case IR_S2F:
    case IR_U2F:
        return asked(l, to, IR_ROUND_MASK);
    default:
        return 0;
    }
}

ir_value spirv_emit(struct spirv_lifter *l, enum ir_opcode code, enum ir_type type, unsigned attr, const ir_value *a,
                    unsigned n, uint64_t imm)
{
    ir_value v;
    unsigned controls = n ? float_controls(l, code, type, ir_type_of(&l->b, a[0])) : 0;
    attr |= attr & IR_ROUND_MASK ? controls & ~(unsigned)IR_ROUND_MASK : controls;
    bool prologue = ir_op_info[code].flags == IR_OP_PURE && all_in_prologue(l, a, n);
    if (!prologue)
        return ir_emit(&l->b, code, type, attr, 1, a, n, 0, imm, 0);
    if (folded(l, code, type, attr, a, n, imm, &v))
        return v;
    uint32_t block = l->b.block;
    l->b.block = IR_PROLOGUE;
    v = ir_emit(&l->b, code, type, attr, 1, a, n, 0, imm, 0);
    l->b.block = block;
    know(l, v, false, 0);
    return v;
}

ir_value spirv_1(struct spirv_lifter *l, enum ir_opcode code, ir_value a)
{
    return spirv_emit(l, code, IR_VOID, 0, &a, 1, 0);
}

ir_value spirv_2(struct spirv_lifter *l, enum ir_opcode code, ir_value a, ir_value b)
{
    return spirv_emit(l, code, IR_VOID, 0, (const ir_value[]){a, b}, 2, 0);
}

ir_value spirv_3(struct spirv_lifter *l, enum ir_opcode code, ir_value a, ir_value b, ir_value c)
{
    return spirv_emit(l, code, IR_VOID, 0, (const ir_value[]){a, b, c}, 3, 0);
}

ir_value spirv_cvt(struct spirv_lifter *l, enum ir_opcode code, enum ir_type to, ir_value a)
{
    return spirv_emit(l, code, to, 0, &a, 1, 0);
}

ir_value spirv_select(struct spirv_lifter *l, ir_value c, ir_value yes, ir_value no)
{
    uint64_t bits;
    if (yes == no)
        return yes;
    if (spirv_bits(l, c, &bits))
        return bits ? yes : no;
    return spirv_emit(l, IR_SELECT, ir_type_of(&l->b, yes), 0, (const ir_value[]){c, yes, no}, 3, 0);
}

ir_value spirv_as(struct spirv_lifter *l, enum ir_type type, ir_value a)
{
    return ir_type_of(&l->b, a) == type ? a : spirv_cvt(l, IR_BITCAST, type, a);
}

ir_value spirv_call(struct spirv_lifter *l, const char *name, lift_lanes_fn *fn, enum ir_type type, uint64_t imm,
                    const ir_value *args, unsigned n)
{
    bool prologue = all_in_prologue(l, args, n);
    uint32_t block = l->b.block;
    if (prologue)
        l->b.block = IR_PROLOGUE;
    struct ir_helper helper = {.name = name, .fn = fn, .numbers = true};
    ir_value v = lift_call_helper(&l->b, helper, type, imm, args, n);
    l->b.block = block;
    if (prologue)
        know(l, v, false, 0);
    return v;
}

ir_value spirv_load(struct spirv_lifter *l, struct ir_mem mem, enum ir_type type, ir_value address)
{
    bool prologue = l->b.p->spaces[mem.space].kind == IR_SPACE_CONST && spirv_in_prologue(l, address);
    uint32_t block = l->b.block;
    if (prologue)
        l->b.block = IR_PROLOGUE;
    ir_value v = ir_load(&l->b, mem, type, address);
    l->b.block = block;
    for (unsigned i = 0; prologue && v && i < mem.count; i++)
        know(l, v + i, false, 0);
    return v;
}

ir_value spirv_sysval(struct spirv_lifter *l, enum ir_sysval which, enum ir_type type, unsigned component)
{
    return ir_sysval(&l->b, which, type, component);
}
