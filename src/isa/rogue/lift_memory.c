/* lift_memory.c - loads, stores and atomics (chapters 11 and 14). Addresses are 64 bits in two
 * registers, low word first. */
#include "isa/rogue/lift.h"

/* ---- addresses ---- */

static struct ir_mem memory(struct rogue_lifter *l, enum ir_type type, unsigned count, int64_t offset)
{
    if (l->bus == LIFT_NONE)
        l->bus = ir_add_space(l->b.p, (struct ir_space){.name = "memory", .kind = IR_SPACE_BUS});
    return (struct ir_mem){(uint16_t)l->bus, (uint8_t)type, (uint8_t)count, 0, offset};
}

/* The register `further` after that of source n. */
static ir_value after(struct rogue_lifter *l, unsigned n, unsigned further)
{
    return rogue_read(l, l->group->s[n], (l->fixed_sources >> n & 1 ? 0 : l->step) + further);
}

static ir_value address(struct rogue_lifter *l, unsigned n)
{
    return ir_cvt2(&l->b, IR_PACK64, IR_I64, 0, after(l, n, 0), after(l, n, 1));
}

/* ---- bursts ---- */

/* How many elements a burst has: as the instruction says, or a source does for each instance. */
struct burst {
    unsigned most;  /* elements that there are registers for */
    ir_value count; /* 0: all of them */
};

/* A source says it in its low 10 bits, 0 for 1024. Registers end where their bank does. */
static struct burst burst_of(struct rogue_lifter *l, const struct rogue_insn *insn, struct rogue_reg data,
                             bool in_source)
{
    enum { LONGEST = 1024 };
    if (!in_source)
        return (struct burst){(unsigned)rogue_get(insn, ROGUE_F_BURSTLEN), 0};
    unsigned n = (unsigned)rogue_get(insn, ROGUE_F_SRCSELBL), most = rogue_registers_from(l, data);
    bool known = rogue_reg_is_constant(l->group->s[n]);
    uint32_t constant = known ? rogue_constant(l->group->s[n].index, &known) : 0;
    if (known) {
        unsigned count = ((constant - 1) & (LONGEST - 1)) + 1;
        return (struct burst){count < most ? count : most, 0};
    }
    ir_value less = ir_op2(&l->b, IR_SUB, 0, rogue_source(l, n), rogue_word(l, 1));
    return (struct burst){most < LONGEST ? most : LONGEST, ir_op2(&l->b, IR_AND, 0, less, rogue_word(l, LONGEST - 1))};
}

/* The instances whose burst has an element i: the count is one less than there are. */
static ir_value has_element(struct rogue_lifter *l, const struct burst *burst, unsigned i)
{
    return burst->count ? rogue_and(l, l->run, ir_op2(&l->b, IR_LE_U, 0, rogue_word(l, i), burst->count)) : l->run;
}

void rogue_lift_ld(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    const struct rogue_group *g = l->group;
    ir_value from = address(l, (unsigned)rogue_get(insn, ROGUE_F_SRCSELADD));
    struct burst burst = burst_of(l, insn, g->s[3], rogue_has_field(insn, ROGUE_F_SRCSELBL));
    for (unsigned i = 0; i < burst.most && !l->failed; i++) {
        ir_value pred = has_element(l, &burst, i);
        uint32_t desc = ir_add_mem(l->b.p, memory(l, IR_I32, 1, 4 * (int64_t)i));
        ir_value v = ir_emit(&l->b, IR_LOAD, IR_I32, 0, 1, &from, 1, desc, 0, pred);
        rogue_send(l, (unsigned)rogue_get(insn, ROGUE_F_DRC), g->s[3], i, v, pred);
    }
}

/* One element of 1 << size bytes. */
static void store_element(struct rogue_lifter *l, unsigned size, ir_value to, unsigned i, ir_value v, ir_value pred)
{
    static const enum ir_type types[] = {IR_I8, IR_I16, IR_I32};
    v = size < 2 ? ir_cvt(&l->b, IR_TRUNC, types[size], 0, v) : v;
    ir_store(&l->b, memory(l, types[size], 1, (int64_t)i << size), to, &v, pred);
}

/* Under a coverage mask, an instance stores where its mask covers anything. */
static void cover(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    ir_value mask = rogue_source(l, (unsigned)rogue_get(insn, ROGUE_F_SRCMASK));
    l->run = rogue_and(l, l->run, ir_op2(&l->b, IR_NE, 0, mask, rogue_word(l, 0)));
}

void rogue_lift_st(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    unsigned size = (unsigned)rogue_get(insn, ROGUE_F_DSIZE), data = (unsigned)rogue_get(insn, ROGUE_F_SRCSELDATA);
    ir_value to = address(l, (unsigned)rogue_get(insn, ROGUE_F_SRCSELADD)), run = l->run;
    if (rogue_has_field(insn, ROGUE_F_SRCMASK))
        cover(l, insn);
    struct burst burst = burst_of(l, insn, l->group->s[data], rogue_has_field(insn, ROGUE_F_SRCSELBL));
    for (unsigned i = 0; i < burst.most && !l->failed; i++)
        store_element(l, size, to, i, after(l, data, i), has_element(l, &burst, i));
    l->run = run;
}

/* What GTA says in W0 and W1 (docs/manual/rogue.md): the low word of the address; its high half, the size, the burst.
 */
void rogue_lift_st_texelmode(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    (void)insn;
    enum { DATA = 2, SIZES = 3, MOST = 4 };
    struct ir_builder *b = &l->b;
    ir_value high = ir_op2(b, IR_AND, 0, l->w[1], ir_const_i32(b, (1u << ROGUE_GTA_SIZE) - 1));
    ir_value to = ir_cvt2(b, IR_PACK64, IR_I64, 0, l->w[0], high);
    ir_value said =
        ir_op2(b, IR_AND, 0, ir_op2(b, IR_SHR_U, 0, l->w[1], ir_const_i32(b, ROGUE_GTA_SIZE)), ir_const_i32(b, 0xff));
    ir_value burst = ir_op2(b, IR_SHR_U, 0, l->w[1], ir_const_i32(b, ROGUE_GTA_BURST));
    for (unsigned size = 0; size < SIZES; size++) {
        ir_value sized = rogue_and(l, l->run, ir_op2(b, IR_EQ, 0, said, ir_const_i32(b, size)));
        for (unsigned i = 0; i < MOST; i++)
            store_element(l, size, to, i, after(l, DATA, i),
                          rogue_and(l, sized, ir_op2(b, IR_LT_U, 0, ir_const_i32(b, i), burst)));
    }
}

/* ---- atomics ---- */

/* The operand comes after the address pair. */
void rogue_lift_atomic(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    static const uint8_t ops[] = {IR_ATOMIC_ADD,   IR_ATOMIC_ADD,   IR_ATOMIC_XCHG,  0 /* no code is 3 */,
                                  IR_ATOMIC_MIN_U, IR_ATOMIC_MIN_S, IR_ATOMIC_MAX_U, IR_ATOMIC_MAX_S,
                                  IR_ATOMIC_AND,   IR_ATOMIC_OR,    IR_ATOMIC_XOR};
    enum { SUB = 1 };
    unsigned op = (unsigned)rogue_get(insn, ROGUE_F_ATOMIC_OP), from = (unsigned)rogue_get(insn, ROGUE_F_SRCSEL);
    unsigned to = (unsigned)rogue_get(insn, ROGUE_F_DSTSEL);
    ir_value operand = after(l, from, 2);
    ir_value args[] = {address(l, from), op == SUB ? ir_op1(&l->b, IR_NEG, 0, operand) : operand};
    uint32_t desc = ir_add_mem(l->b.p, memory(l, IR_I32, 1, 0));
    ir_value old = ir_emit(&l->b, IR_ATOMIC, IR_I32, 0, 1, args, 2, desc, ops[op], l->run);
    rogue_send(l, (unsigned)rogue_get(insn, ROGUE_F_DRC), l->group->s[to], 0, old, l->run);
}
