/* lift_memory.c - data fences, loads, stores and atomics (chapters 11 and 14; semantics, section 6). Addresses are 64 bits in two
 * registers, low word first.
 *
 * The result of a request lands in its registers where the fence is waited for, or at the latest where the straight run of groups
 * ends that made it. Until then they keep what they had; strict programs find poison in them. */
#include "isa/rogue/lift.h"

enum { POISON = 0x7fdeadbd /* a NaN, and an address of nothing */ };

void rogue_send(struct rogue_lifter *l, unsigned drc, struct rogue_reg to, unsigned further, ir_value v)
{
    to.index = (uint16_t)(to.index + (to.bank == ROGUE_SPECIAL ? 0 : further));
    struct rogue_pending *grown = arena_grow(l->arena, l->pending, sizeof *grown, l->npending, &l->pending_cap,
                                             (size_t)l->npending + 1);
    if (!grown)
        return;
    l->pending = grown;
    grown[l->npending++] = (struct rogue_pending){to, v, l->run, (uint8_t)drc};
    if (l->m->strict)
        rogue_write(l, to, 0, ir_const_i32(&l->b, POISON), l->run);
}

static void land(struct rogue_lifter *l, unsigned drcs)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < l->npending; i++) {
        struct rogue_pending *p = &l->pending[i];
        if (drcs >> p->drc & 1)
            rogue_write(l, p->reg, 0, p->value, p->pred);
        else
            l->pending[left++] = *p;
    }
    l->npending = left;
}

void rogue_wait(struct rogue_lifter *l, unsigned drc)
{
    land(l, 1u << drc);
}

void rogue_land(struct rogue_lifter *l)
{
    land(l, UINT32_MAX);
}

void rogue_lift_wdf(struct rogue_lifter *l, const struct rogue_group *g, const struct rogue_insn *insn, enum rogue_unit unit)
{
    (void)insn, (void)unit;
    rogue_wait(l, g->drc);
}

/* ---- addresses ---- */

static struct ir_mem memory(struct rogue_lifter *l, enum ir_type type, unsigned count, int64_t offset)
{
    if (l->bus == ROGUE_NONE)
        l->bus = ir_add_space(l->b.p, (struct ir_space){.name = "memory", .kind = IR_SPACE_BUS});
    return (struct ir_mem){(uint16_t)l->bus, (uint8_t)type, (uint8_t)count, 0, offset};
}

/* The register behind source n, and so on. */
static ir_value behind(struct rogue_lifter *l, unsigned n, unsigned further)
{
    if (n >= ROGUE_SOURCES) {
        rogue_refuse(l, "there is no source S%u", n);
        return ir_const_i32(&l->b, 0);
    }
    return rogue_read(l, l->group->s[n], (l->fixed_sources >> n & 1 ? 0 : l->step) + further);
}

static ir_value address(struct rogue_lifter *l, unsigned n)
{
    return ir_cvt2(&l->b, IR_PACK64, IR_I64, 0, behind(l, n, 0), behind(l, n, 1));
}

static ir_value emit_load(struct rogue_lifter *l, struct ir_mem mem, ir_value from)
{
    uint32_t desc = ir_add_mem(l->b.p, mem);
    return ir_emit(&l->b, IR_LOAD, IR_I32, 0, 1, &from, 1, desc, 0, l->run);
}

void rogue_lift_ld(struct rogue_lifter *l, const struct rogue_group *g, const struct rogue_insn *insn, enum rogue_unit unit)
{
    (void)unit;
    ir_value from = address(l, (unsigned)rogue_get(insn, ROGUE_F_SRCSELADD));
    unsigned count = (unsigned)rogue_get(insn, ROGUE_F_BURSTLEN);
    for (unsigned i = 0; i < count; i++)
        rogue_send(l, (unsigned)rogue_get(insn, ROGUE_F_DRC), g->s[3], i, emit_load(l, memory(l, IR_I32, 1, 4 * (int64_t)i), from));
}

void rogue_lift_st(struct rogue_lifter *l, const struct rogue_group *g, const struct rogue_insn *insn, enum rogue_unit unit)
{
    (void)g, (void)unit;
    static const enum ir_type types[] = {IR_I8, IR_I16, IR_I32, IR_I32};
    unsigned size = (unsigned)rogue_get(insn, ROGUE_F_DSIZE), count = (unsigned)rogue_get(insn, ROGUE_F_BURSTLEN);
    unsigned data = (unsigned)rogue_get(insn, ROGUE_F_SRCSELDATA);
    ir_value to = address(l, (unsigned)rogue_get(insn, ROGUE_F_SRCSELADD));
    for (unsigned i = 0; i < count; i++) {
        ir_value v = behind(l, data, i);
        v = size < 2 ? ir_cvt(&l->b, IR_TRUNC, types[size], 0, v) : v;
        ir_store(&l->b, memory(l, types[size], 1, (int64_t)i << (size < 2 ? size : 2)), to, &v, l->run);
    }
}

/* The operand is behind the address pair. */
void rogue_lift_atomic(struct rogue_lifter *l, const struct rogue_group *g, const struct rogue_insn *insn, enum rogue_unit unit)
{
    (void)unit;
    static const uint8_t ops[] = {IR_ATOMIC_ADD, IR_ATOMIC_ADD, IR_ATOMIC_XCHG, 0xff, IR_ATOMIC_MIN_U, IR_ATOMIC_MIN_S,
                                  IR_ATOMIC_MAX_U, IR_ATOMIC_MAX_S, IR_ATOMIC_AND, IR_ATOMIC_OR, IR_ATOMIC_XOR};
    enum { SUB = 1 };
    unsigned op = (unsigned)rogue_get(insn, ROGUE_F_ATOMIC_OP), from = (unsigned)rogue_get(insn, ROGUE_F_SRCSEL);
    unsigned to = (unsigned)rogue_get(insn, ROGUE_F_DSTSEL);
    if (op >= sizeof ops || ops[op] == 0xff || to >= ROGUE_SOURCES) {
        rogue_refuse(l, "operation %u of '%s' into S%u has no known meaning", op, insn->row->name, to);
        return;
    }
    ir_value operand = behind(l, from, 2);
    ir_value args[] = {address(l, from), op == SUB ? ir_op1(&l->b, IR_NEG, 0, operand) : operand};
    uint32_t desc = ir_add_mem(l->b.p, memory(l, IR_I32, 1, 0));
    ir_value old = ir_emit(&l->b, IR_ATOMIC, IR_I32, 0, 1, args, 2, desc, ops[op], l->run);
    rogue_send(l, (unsigned)rogue_get(insn, ROGUE_F_DRC), g->s[to], 0, old);
}
