/* Random programs on both engines, bit by bit: registers of every type, memory, counts, the lanes that are left and how
 * it ended. Programs have loops, branches, predicates, parts of registers, indexed registers, memory, ops across lanes
 * and all component-wise ops with any attributes. Every type has a file of its own, because which NaN an op gives is
 * nobody's to see; half of the programs have one NaN for all (ir_nans_of_x86), whose bits count. WEFT_TEST_PROGRAMS
 * says how many; the number of the one that fails makes it again. */
#include "test.h"

#include "exec/exec.h"
#include "ir/build.h"
#include "ir/pass.h"

enum { REGISTERS = 6, MEMORY = 256, BLOCKS = 5, KEPT = 24 };

struct pool {
    ir_value v[IR_TYPES][KEPT];
    unsigned n[IR_TYPES];
};

struct maker {
    struct ir_program *p;
    struct ir_builder b;
    struct test_rng *r;
    struct pool pool;
    unsigned file[IR_TYPES], uniform, space, bus;
    bool chip;  /* of f32 only what most chips do */
    bool exact; /* of NaNs the bits count too */
};

static const enum ir_type ints[] = {IR_I8, IR_I16, IR_I32, IR_I64};
static const enum ir_type floats[] = {IR_F16, IR_F32, IR_F64};

static unsigned roll(struct maker *m, unsigned n) { return test_next(m->r) % n; }
static enum ir_type some_int(struct maker *m) { return ints[roll(m, 4)]; }
static enum ir_type some_float(struct maker *m) { return roll(m, 2) ? IR_F32 : floats[roll(m, 3)]; }

static void keep(struct maker *m, ir_value v)
{
    enum ir_type t = (enum ir_type)m->p->value_type[v];
    unsigned k = m->pool.n[t] < KEPT ? m->pool.n[t]++ : roll(m, KEPT);
    m->pool.v[t][k] = v;
}

static ir_value constant(struct maker *m, enum ir_type t)
{
    static const uint64_t corners[] = {0, 1, 0x80, 0x7f, 0x8000, 0x7c00, 0x3c00, 0x80000000u, 0x3f800000, 0x7f800000,
                                       0x00800000, 0x3ff0000000000000u, 0x7ff0000000000000u, ~(uint64_t)0};
    uint64_t bits = roll(m, 2) ? corners[roll(m, sizeof corners / sizeof corners[0])] : test_next64(m->r);
    unsigned width = ir_type_bits(t);
    return ir_const(&m->b, t, width == 64 ? bits : bits & (((uint64_t)1 << width) - 1));
}

static ir_value pick(struct maker *m, enum ir_type t)
{
    unsigned n = m->pool.n[t], how = roll(m, 8);
    if (n && how > 1)
        return m->pool.v[t][roll(m, n)];
    if (how == 0)
        return constant(m, t);
    return ir_get(&m->b, m->file[t], roll(m, REGISTERS), t);
}

/* ---- ops ---- */

static unsigned float_attributes(struct maker *m)
{
    static const unsigned flags[] = {IR_FLUSH_IN, IR_FLUSH_OUT, IR_NAN_CANON, IR_SAT, IR_NAN_X86};
    unsigned attr = roll(m, 2) ? roll(m, 5) : IR_RNE;
    for (unsigned k = 0; k < 5; k++)
        attr |= roll(m, 3) == 0 && !(attr & IR_NAN_CANON && flags[k] == IR_NAN_X86) ? flags[k] : 0;
    return attr;
}

static void integer_op(struct maker *m)
{
    enum ir_opcode code = (enum ir_opcode)(IR_ADD + roll(m, IR_LE_U - IR_ADD + 1));
    enum ir_type t = some_int(m);
    unsigned n = (unsigned)ir_op_info[code].args;
    bool shift = code == IR_SHL || code == IR_SHR_S || code == IR_SHR_U;
    ir_value a = pick(m, t), c = n > 1 ? pick(m, shift ? IR_I32 : t) : 0;
    keep(m, n > 1 ? ir_op2(&m->b, code, 0, a, c) : ir_op1(&m->b, code, 0, a));
}

static void logic_op(struct maker *m)
{
    static const enum ir_opcode codes[] = {IR_AND, IR_OR, IR_XOR};
    ir_value a = pick(m, IR_I1);
    keep(m, roll(m, 4) ? ir_op2(&m->b, codes[roll(m, 3)], 0, a, pick(m, IR_I1)) : ir_op1(&m->b, IR_NOT, 0, a));
}

static void rounded_op(struct maker *m)
{
    static const enum ir_opcode codes[] = {IR_FADD, IR_FSUB, IR_FMUL, IR_FDIV, IR_FFMA, IR_FSQRT, IR_FADD, IR_FMUL};
    enum ir_opcode code = codes[roll(m, 8)];
    enum ir_type t = some_float(m);
    unsigned attr = roll(m, 2) ? 0 : float_attributes(m), n = (unsigned)ir_op_info[code].args;
    ir_value a = pick(m, t), c = pick(m, t), d = pick(m, t);
    keep(m, n == 1   ? ir_op1(&m->b, code, attr, a)
            : n == 2 ? ir_op2(&m->b, code, attr, a, c)
                     : ir_op3(&m->b, code, attr, a, c, d));
}

/* To nearest even, denormal results zero, NaNs canonical: the host may be told to do so, and must not be elsewhere. */
static void chip_op(struct maker *m)
{
    static const enum ir_opcode codes[] = {IR_FADD, IR_FSUB, IR_FMUL, IR_FFMA, IR_FMUL};
    static const uint32_t units[] = {0, 0x80000000u, 0x3f800000, 0xbf800000, 0x00800000, 0x00400000};
    enum ir_opcode code = codes[roll(m, 5)];
    unsigned attr = IR_RNE | IR_FLUSH_OUT | IR_NAN_CANON | (roll(m, 2) ? (unsigned)IR_FLUSH_IN : 0);
    ir_value a = pick(m, IR_F32), c = roll(m, 4) ? pick(m, IR_F32) : ir_const(&m->b, IR_F32, units[roll(m, 6)]);
    keep(m, code == IR_FFMA ? ir_op3(&m->b, code, attr, a, c, pick(m, IR_F32)) : ir_op2(&m->b, code, attr, a, c));
    if (roll(m, 3) == 0)
        ir_set(&m->b, m->file[IR_F32], roll(m, REGISTERS), pick(m, IR_F32), 0);
}

static void float_op(struct maker *m)
{
    static const enum ir_opcode one[] = {IR_FNEG, IR_FABS, IR_FSAT, IR_FREXP_MANT, IR_FREXP_EXP};
    static const enum ir_opcode two[] = {IR_FEQ, IR_FNE, IR_FLT, IR_FLE, IR_FUNORD};
    enum ir_type t = some_float(m);
    ir_value a = pick(m, t);
    switch (roll(m, 5)) {
    case 0:
        keep(m, ir_op1(&m->b, one[roll(m, 5)], 0, a));
        break;
    case 1:
        keep(m, ir_op2(&m->b, two[roll(m, 5)], roll(m, 3) ? 0 : IR_FLUSH_IN, a, pick(m, t)));
        break;
    case 2:
        keep(m, ir_op1(&m->b, IR_FRINT, roll(m, 5), a));
        break;
    case 3:
        keep(m, ir_op2(&m->b, roll(m, 2) ? IR_FMIN : IR_FMAX,
                       roll(m, 3) << 8 | (roll(m, 2) ? (unsigned)IR_MINMAX_ZEROS : 0), a, pick(m, t)));
        break;
    default:
        keep(m, ir_op2(&m->b, IR_FLDEXP, roll(m, 2) ? 0 : float_attributes(m), a, pick(m, IR_I32)));
        break;
    }
}

static void function_op(struct maker *m)
{
    static const enum ir_opcode codes[] = {IR_FEXP2, IR_FLOG2, IR_FSIN, IR_FCOS};
    ir_value a = pick(m, IR_F32);
    keep(m, roll(m, 5) ? ir_op1(&m->b, codes[roll(m, 4)], 0, a) : ir_op2(&m->b, IR_FPOW, 0, a, pick(m, IR_F32)));
}

static void conversion(struct maker *m)
{
    enum ir_type i = some_int(m), f = some_float(m), other = some_float(m);
    switch (roll(m, 6)) {
    case 0:
        keep(m, ir_cvt(&m->b, roll(m, 2) ? IR_S2F : IR_U2F, f, roll(m, 2) ? 0 : roll(m, 5), pick(m, i)));
        break;
    case 1:
        keep(m,
             ir_cvt(&m->b, roll(m, 2) ? IR_F2S : IR_F2U, i, roll(m, 5) | (roll(m, 4) ? 0 : IR_CVT_WRAP), pick(m, f)));
        break;
    case 2:
        if (f != other)
            keep(m, ir_cvt(&m->b, IR_F2F, other, roll(m, 2) || other > f ? 0 : roll(m, 5), pick(m, f)));
        break;
    case 3:
        if (i != IR_I8)
            keep(m, ir_cvt(&m->b, IR_TRUNC, (enum ir_type)(i - 1), 0, pick(m, i)));
        break;
    case 4:
        if (i != IR_I64)
            keep(m, ir_cvt(&m->b, roll(m, 2) ? IR_ZEXT : IR_SEXT, (enum ir_type)(i + 1), 0, pick(m, i)));
        break;
    default:
        keep(m, ir_cvt(&m->b, roll(m, 2) ? IR_ZEXT : IR_SEXT, IR_I32, 0, pick(m, IR_I1)));
        break;
    }
}

static ir_value with_imm(struct maker *m, enum ir_opcode code, uint64_t imm, ir_value a)
{
    return ir_emit(&m->b, code, IR_VOID, 0, 1, &a, 1, 0, imm, 0);
}

static void lanes_op(struct maker *m)
{
    enum ir_type t = roll(m, 2) ? IR_I32 : IR_F32;
    switch (roll(m, 6)) {
    case 0:
        keep(m, with_imm(m, IR_QUAD_LANE, roll(m, 4), pick(m, t)));
        break;
    case 1:
        keep(m, with_imm(m, IR_QUAD_XOR, roll(m, 4), pick(m, t)));
        break;
    case 2:
        keep(m, ir_op2(&m->b, IR_SHUFFLE, 0, pick(m, t), pick(m, IR_I32)));
        break;
    case 3:
        keep(m, ir_op1(&m->b, roll(m, 2) ? IR_ANY : IR_ALL, 0, pick(m, IR_I1)));
        break;
    case 4:
        keep(m, ir_op1(&m->b, IR_FIRST, 0, pick(m, t)));
        break;
    default:
        keep(m, ir_emit(&m->b, IR_LANE_ID, IR_VOID, 0, 1, NULL, 0, 0, 0, 0));
        break;
    }
}

/* Two ranges with a gap between them: words of either, of both, or of neither. */
static const uint64_t bus_first[2] = {0x100000f00u, 0x100001000u};
enum { BUS_RANGE = 192 };

static void bus_op(struct maker *m)
{
    struct ir_mem mem = {.space = (uint16_t)m->bus, .elem = IR_I32, .count = 1};
    ir_value offset = ir_op2(&m->b, IR_AND, 0, pick(m, IR_I32), ir_const_i32(&m->b, roll(m, 3) ? 63 : 255));
    ir_value address = ir_op2(&m->b, IR_ADD, 0, ir_cvt(&m->b, IR_ZEXT, IR_I64, 0, offset),
                              ir_const(&m->b, IR_I64, bus_first[roll(m, 2)]));
    if (roll(m, 3)) {
        keep(m, ir_load(&m->b, mem, IR_I32, address));
    } else {
        ir_value v = pick(m, IR_I32);
        ir_store(&m->b, mem, address, &v, roll(m, 2) ? pick(m, IR_I1) : 0);
    }
}

/* Words in a row. */
static void row_op(struct maker *m)
{
    struct ir_mem mem = {.space = (uint16_t)m->space, .elem = IR_I32, .count = 1};
    ir_value lane = ir_emit(&m->b, IR_LANE_ID, IR_VOID, 0, 1, NULL, 0, 0, 0, 0);
    ir_value at = ir_op2(&m->b, IR_SHL, 0, lane, ir_const_i32(&m->b, roll(m, 8) ? 2 : 3));
    keep(m, ir_load(&m->b, mem, IR_I32, ir_op2(&m->b, IR_ADD, 0, at, ir_const_i32(&m->b, roll(m, 3) * 60))));
}

static void memory_op(struct maker *m)
{
    if (roll(m, 3) == 0) {
        bus_op(m);
        return;
    }
    if (roll(m, 4) == 0) {
        row_op(m);
        return;
    }
    ir_value mask = ir_const_i32(&m->b, roll(m, 8) ? MEMORY - 4 : 2 * MEMORY - 1);
    ir_value address = ir_op2(&m->b, IR_AND, 0, pick(m, IR_I32), mask);
    struct ir_mem mem = {.space = (uint16_t)m->space, .elem = IR_I32, .count = 1};
    if (roll(m, 2)) {
        keep(m, ir_load(&m->b, mem, IR_I32, address));
    } else {
        ir_value v = pick(m, IR_I32);
        ir_store(&m->b, mem, address, &v, roll(m, 2) ? pick(m, IR_I1) : 0);
    }
}

static void register_op(struct maker *m)
{
    static const enum ir_type any[] = {IR_I1, IR_I8, IR_I16, IR_I32, IR_I64, IR_F16, IR_F32, IR_F64, IR_F32, IR_I32};
    enum ir_type t = any[roll(m, 10)];
    ir_value pred = roll(m, 3) ? 0 : pick(m, IR_I1);
    struct ir_reg reg = {.file = (uint16_t)m->file[IR_I32], .part = IR_I32, .stride = 1, .last = REGISTERS - 1};
    switch (roll(m, 6)) {
    case 0:
        keep(m, ir_get(&m->b, m->file[t], roll(m, REGISTERS), t));
        break;
    case 1:
        keep(m, ir_get_dyn(&m->b, reg, ir_op2(&m->b, IR_AND, 0, pick(m, IR_I32), ir_const_i32(&m->b, 7)), IR_I32));
        break;
    case 2:
        ir_set_dyn(&m->b, reg, ir_op2(&m->b, IR_AND, 0, pick(m, IR_I32), ir_const_i32(&m->b, 7)), pick(m, IR_I32),
                   pred);
        break;
    case 3: /* parts of words */
        t = roll(m, 2) ? IR_I8 : IR_I16;
        if (roll(m, 2))
            keep(m, ir_get_part(&m->b, m->file[IR_I32], roll(m, REGISTERS), 16, t));
        else
            ir_set_part(&m->b, m->file[IR_I32], roll(m, REGISTERS), 16, t, pick(m, t), pred);
        break;
    default:
        ir_set(&m->b, m->file[t], roll(m, REGISTERS), pick(m, t), pred);
        break;
    }
}

static void select_op(struct maker *m)
{
    enum ir_type t = roll(m, 2) ? some_int(m) : some_float(m);
    keep(m, ir_select(&m->b, pick(m, IR_I1), pick(m, t), pick(m, t)));
}

static void some_op(struct maker *m)
{
    static void (*const makers[])(struct maker *) = {integer_op, integer_op, logic_op,    rounded_op,  rounded_op,
                                                     float_op,   conversion, register_op, register_op, register_op,
                                                     select_op,  select_op,  lanes_op,    memory_op,   function_op};
    static void (*const chips[])(struct maker *) = {chip_op,    chip_op,  chip_op,   chip_op,
                                                    integer_op, logic_op, select_op, register_op};
    if (m->chip)
        chips[roll(m, sizeof chips / sizeof chips[0])](m);
    else
        makers[roll(m, sizeof makers / sizeof makers[0])](m);
}

/* ---- a control policy ---- */

/* Lanes of which the condition does not hold are parked; JOIN wakes them. */
enum { PART, JOIN };
struct parked {
    lane_mask lanes;
    uint32_t low; /* the policy wants to be asked about blocks from here on: it does what is direct in any case */
};

static void policy_start(void *state, struct exec_masks *m)
{
    (void)m;
    *(struct parked *)state = (struct parked){0, UINT32_MAX};
}

static uint32_t policy_control(void *state, struct exec_masks *m, const struct ir_control *c, const lane_mask *args,
                               const void *const *rows, const char **fault)
{
    struct parked *parked = state;
    (void)rows, (void)fault;
    if (c->op == JOIN) {
        m->active |= parked->lanes;
        parked->lanes = 0;
        parked->low = UINT32_MAX;
        return c->target[0];
    }
    if (!args[0])
        return c->target[1];
    parked->lanes |= m->active & ~args[0];
    m->active = args[0];
    parked->low = m->block + 1;
    return c->target[0];
}

static const struct exec_policy policy = {
    .name = "test", .state_size = sizeof(struct parked), .start = policy_start, .control = policy_control};
static const struct exec_policy low_policy = {.name = "low",
                                              .state_size = sizeof(struct parked),
                                              .start = policy_start,
                                              .control = policy_control,
                                              .low_at = offsetof(struct parked, low)};

/* ---- programs ---- */

/* To block `again` while the uniform condition holds, or else on; by a branch, or lane by lane. */
static void make_end(struct maker *m, ir_value more, uint32_t again, uint32_t on)
{
    struct ir_control part = {.op = PART, .ntargets = 2, .target = {again, on}};
    struct ir_control join = {.op = JOIN, .ntargets = 1, .target = {on}};
    switch (roll(m, 4)) {
    case 0:
        part.direct_none = roll(m, 4);
        part.direct_all = part.direct_none && roll(m, 2);
        more = ir_op2(&m->b, IR_AND, 0, more, roll(m, 4) ? pick(m, IR_I1) : ir_const(&m->b, IR_I1, 1));
        ir_control(&m->b, part, &more, 1);
        break;
    case 1:
        ir_control(&m->b, join, NULL, 0);
        break;
    case 2:
        ir_goto(&m->b, on);
        break;
    default:
        ir_branch(&m->b, more, again, on);
        break;
    }
}

/* Blocks 1 to BLOCKS, each of which goes back to itself or an earlier one while a counter lasts, or on. */
static void make_program(struct maker *m)
{
    m->p->policy = roll(m, 2) ? &policy : &low_policy;
    uint32_t block[BLOCKS + 1] = {IR_ENTRY};
    for (unsigned k = 1; k <= BLOCKS; k++)
        block[k] = ir_new_block(m->p);
    for (unsigned k = 0; k < BLOCKS; k++) {
        m->b.block = block[k];
        memset(&m->pool, 0, sizeof m->pool);
        for (unsigned i = roll(m, 14) + 2; i > 0; i--)
            some_op(m);
        ir_value count = ir_op2(&m->b, IR_ADD, 0, ir_get(&m->b, m->uniform, 0, IR_I32), ir_const_i32(&m->b, 1));
        ir_set(&m->b, m->uniform, 0, count, 0);
        ir_value again = ir_op2(&m->b, IR_LT_U, 0, count, ir_const_i32(&m->b, 4 + roll(m, 12)));
        if (roll(m, 2))
            again = ir_op2(&m->b, IR_AND, 0, again, ir_op1(&m->b, IR_ANY, 0, pick(m, IR_I1)));
        make_end(m, again, block[roll(m, k + 1)], block[k + 1]);
        m->p->blocks[block[k]].insns = k ? roll(m, 4) : 1;
    }
    m->b.block = block[BLOCKS];
    ir_end(&m->b);
}

static void start(struct maker *m, struct arena *a, struct test_rng *r)
{
    static const unsigned lanes[] = {16, 32, 64};
    *m = (struct maker){.r = r, .chip = test_next(r) % 3 == 0};
    m->p = ir_program_new(a, "test", IR_COMPUTE, lanes[test_next(r) % 3]);
    m->b = (struct ir_builder){m->p, IR_ENTRY, 0};
    for (unsigned t = IR_I1; t < IR_TYPES; t++)
        m->file[t] = ir_add_file(m->p, (struct ir_file){.name = ir_type_name((enum ir_type)t),
                                                        .bits = ir_type_bits((enum ir_type)t),
                                                        .count = REGISTERS,
                                                        .preserved = true});
    m->uniform = ir_add_file(m->p, (struct ir_file){.name = "u", .bits = 32, .count = 1, .uniform = true});
    m->space = ir_add_space(m->p, (struct ir_space){.name = "m", .kind = IR_SPACE_GLOBAL});
    m->bus = ir_add_space(m->p, (struct ir_space){.name = "b", .kind = IR_SPACE_BUS});
    make_program(m);
}

/* ---- results ---- */

struct outcome {
    uint64_t registers[IR_TYPES][REGISTERS][64];
    uint8_t memory[MEMORY], ranges[2][BUS_RANGE];
    struct exec_counts counts;
    enum exec_stop stop;
    unsigned slices;
    uint64_t places; /* where it stopped between them */
};

/* Numbers as they are, every NaN the same. */
static uint64_t canonical(enum ir_type t, uint64_t v)
{
    if (t == IR_F16)
        return (v & 0x7fff) > 0x7c00 ? 0x7e00 : v;
    if (t == IR_F32)
        return (v & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : v;
    return t == IR_F64 && (v & INT64_MAX) > 0x7ff0000000000000u ? 0x7ff8000000000000u : v;
}

static uint64_t seed_value(enum ir_type t, bool exact, struct test_rng *r)
{
    unsigned bits = ir_type_bits(t);
    uint64_t v = test_next64(r);
    static const uint32_t near[] = {0, 0x00800000, 0x20000000, 0x1f800000}; /* the least normal number, and its root */
    if (t == IR_F32 && (v & 1))
        v = (v & 2 ? 0x3f000000u : near[v >> 2 & 3]) + (v >> 40) % 0x01000000;
    if (t == IR_I1)
        return v & 1 ? UINT32_MAX : 0;
    v = bits == 64 ? v : v & (((uint64_t)1 << bits) - 1);
    return exact ? v : canonical(t, v);
}

static void fill(struct exec_warp *w, const struct maker *m, struct test_rng r)
{
    for (unsigned t = IR_I1; t < IR_TYPES; t++)
        for (unsigned k = 0; k < REGISTERS; k++) {
            void *row = exec_warp_register(w, m->file[t], k);
            for (unsigned i = 0; i < m->p->lanes; i++) {
                uint64_t v = seed_value((enum ir_type)t, m->exact, &r);
                if (ir_type_bits((enum ir_type)t) == 64)
                    ((uint64_t *)row)[i] = v;
                else
                    ((uint32_t *)row)[i] = (uint32_t)v;
            }
        }
}

static void read_back(struct exec_warp *w, const struct maker *m, struct outcome *o)
{
    for (unsigned t = IR_I1; t < IR_TYPES; t++)
        for (unsigned k = 0; k < REGISTERS; k++) {
            const void *row = exec_warp_register(w, m->file[t], k);
            bool wide = ir_type_bits((enum ir_type)t) == 64;
            for (unsigned i = 0; i < m->p->lanes; i++) {
                uint64_t v = wide ? ((const uint64_t *)row)[i] : ((const uint32_t *)row)[i];
                o->registers[t][k][i] = m->exact ? v : canonical((enum ir_type)t, v);
            }
        }
    o->counts = *exec_warp_counts(w);
}

/* To the end, or for some time: so many instructions at once. */
static void run_slices(struct exec_warp *w, lane_mask lanes, uint64_t slice, struct outcome *o)
{
    o->stop = exec_run(w, lanes, lanes & ~(lane_mask)2, slice);
    for (o->slices = 1; o->stop == EXEC_OUT_OF_BUDGET && o->slices < 100; o->slices++) {
        o->places = o->places * 31 + exec_warp_counts(w)->insns * 7 + exec_warp_insn(w);
        o->stop = exec_continue(w, slice);
    }
}

/* False: the interpreter has no operation for something in it. */
static bool run(const struct maker *m, struct exec_options options, struct test_rng values, lane_mask lanes,
                struct outcome *o)
{
    struct arena a = {0};
    weft_diags *d = weft_diags_new();
    struct exec_program *x = NULL;
    weft_status s = exec_compile(m->p, &options, &a, &x, d);
    assert_true(s == WEFT_OK || s == WEFT_ERROR_UNSUPPORTED);
    memset(o, 0, sizeof *o);
    for (unsigned i = 0; i < MEMORY; i++)
        o->memory[i] = o->ranges[i & 1][i / 2] = (uint8_t)(i * 37 + 1);
    if (s == WEFT_OK) {
        struct exec_warp *w = exec_warp_new(x);
        const struct exec_range ranges[2] = {{.first = bus_first[0], .size = BUS_RANGE, .data = o->ranges[0]},
                                             {.first = bus_first[1], .size = BUS_RANGE, .data = o->ranges[1]}};
        const struct exec_bus bus = {.ranges = ranges, .nranges = 2};
        struct exec_env env = {.space = {[0] = {o->memory, MEMORY}}, .bus = &bus};
        assert_int_equal(exec_bind(w, &env), WEFT_OK);
        fill(w, m, values);
        run_slices(w, lanes, test_next(&values) & 1 ? 200 : 1 + test_next(&values) % 8, o);
        read_back(w, m, o);
        struct exec_engine_report report;
        exec_engine_report(x, &report);
        if (options.engine == EXEC_ENGINE_JIT && report.why && strcmp(report.why, "nothing in it can be compiled") != 0)
            fail_msg("the JIT refuses a program: %s", report.why);
        assert_true(options.engine == EXEC_ENGINE_INTERP || report.native || report.why);
        exec_warp_free(w);
    }
    weft_diags_free(d);
    arena_free(&a);
    return s == WEFT_OK;
}

static void compare(const struct maker *m, unsigned program, const char *how, const struct outcome *want,
                    const struct outcome *got)
{
    for (unsigned t = IR_I1; t < IR_TYPES; t++)
        for (unsigned k = 0; k < REGISTERS; k++)
            for (unsigned i = 0; i < m->p->lanes; i++)
                if (want->registers[t][k][i] != got->registers[t][k][i]) {
                    char *text = getenv("WEFT_TEST_VERBOSE") ? ir_print(m->p, m->p->arena, NULL) : NULL;
                    fail_msg("program %u, %s: %s%u of lane %u is %llx, was %llx\n%s", program, how,
                             ir_type_name((enum ir_type)t), k, i, (unsigned long long)got->registers[t][k][i],
                             (unsigned long long)want->registers[t][k][i], text ? text : "");
                }
    assert_memory_equal(want->memory, got->memory, MEMORY);
    assert_memory_equal(want->ranges, got->ranges, sizeof want->ranges);
    const struct exec_outside *x = &want->counts.outside, *y = &got->counts.outside;
    assert_true(x->any == y->any && x->lane == y->lane && x->insn == y->insn && x->place == y->place &&
                x->address == y->address);
    assert_int_equal(want->stop, got->stop);
    assert_int_equal(want->slices, got->slices);
    assert_true(want->places == got->places);
    assert_int_equal(want->counts.insns, got->counts.insns);
    assert_int_equal(want->counts.lane_insns, got->counts.lane_insns);
    assert_int_equal(want->counts.bad_access, got->counts.bad_access);
}

static bool check_program(const struct maker *m, unsigned program, struct test_rng values, lane_mask lanes)
{
    static struct outcome want, got;
    if (!run(m, (struct exec_options){.engine = EXEC_ENGINE_INTERP}, values, lanes, &want))
        return false;
    for (int level = 0; level < EXEC_LEVELS; level++) {
        if (!exec_level_usable((enum exec_level)level))
            continue;
        bool masked = (program + (unsigned)level) & 1;
        struct exec_options options = {.level = (enum exec_level)level, .engine = EXEC_ENGINE_JIT, .no_full = masked};
        char how[64];
        snprintf(how, sizeof how, "level %d, masked %d", level, masked);
        assert_true(run(m, options, values, lanes, &got));
        compare(m, program, how, &want, &got);
    }
    return true;
}

static void engines_agree(void **state)
{
    (void)state;
    const char *more = getenv("WEFT_TEST_PROGRAMS");
    unsigned programs = more ? (unsigned)strtoul(more, NULL, 10) : 60 / test_share(), ran = 0;
    struct test_rng r = test_seed("engines_agree");
    for (unsigned n = 0; n < programs; n++) {
        struct arena a = {0};
        struct maker m;
        weft_diags *d = weft_diags_new();
        start(&m, &a, &r);
        if (ir_verify(m.p, d) != WEFT_OK)
            fail_msg("program %u: %s", n, weft_diags_get(d, 0)->message);
        m.exact = n & 2;
        if (m.exact)
            ir_nans_of_x86(m.p);
        if (n & 1)
            ir_optimise(m.p);
        struct test_rng values = r;
        test_next64(&r);
        ran += check_program(&m, n, values, n % 3 ? ~(lane_mask)0 : test_next64(&r) | 1);
        weft_diags_free(d);
        arena_free(&a);
    }
    print_message("# %u of %u programs ran\n", ran, programs);
    assert_true(2 * ran > programs);
}

/* The program of a warp that runs again and again is compiled in the background. Whatever runs it, a run gives the
 * same. */
static void auto_takes_over(void **state)
{
    (void)state;
    struct test_rng r = test_seed("auto_takes_over");
    struct arena a = {0};
    struct maker m;
    weft_diags *d = weft_diags_new();
    start(&m, &a, &r);
    struct exec_program *x = NULL;
    assert_int_equal(exec_compile(m.p, &(struct exec_options){0}, &a, &x, d), WEFT_OK);
    struct exec_warp *w = exec_warp_new(x);
    static struct outcome first, now;
    struct exec_env env = {.space = {[0] = {now.memory, MEMORY}}};
    assert_int_equal(exec_bind(w, &env), WEFT_OK);
    struct exec_engine_report report = {0};
    unsigned after = 0;
    for (unsigned n = 0; n < 4000000 && after < 200; n++) {
        for (unsigned k = 0; k < 100 && !report.native; k++)
            exec_run(w, ~(lane_mask)0, ~(lane_mask)0, 200);
        struct exec_counts before = *exec_warp_counts(w);
        memset(now.memory, 0, MEMORY);
        fill(w, &m, r);
        now.stop = exec_run(w, ~(lane_mask)0, ~(lane_mask)0, 200);
        read_back(w, &m, &now);
        now.counts.insns -= before.insns;
        now.counts.lane_insns -= before.lane_insns;
        now.counts.bad_access -= before.bad_access;
        now.counts.outside = (struct exec_outside){0}; /* of all runs since the warp was bound, not of this one */
        if (n == 0)
            first = now;
        compare(&m, n, "again", &first, &now);
        exec_engine_report(x, &report);
        if (report.why)
            break;
        after += report.native;
    }
    assert_true(report.native || report.why || !exec_jit_name());
    exec_jit_settle();
    exec_warp_free(w);
    weft_diags_free(d);
    arena_free(&a);
}

/* A loop may go round as often as it likes: code goes on by jumps, and uses no stack. */
static void long_loops(void **state)
{
    (void)state;
    struct arena a = {0};
    weft_diags *d = weft_diags_new();
    struct ir_program *p = ir_program_new(&a, "test", IR_COMPUTE, 64);
    struct ir_builder b = {p, IR_ENTRY, 0};
    unsigned lanes = ir_add_file(p, (struct ir_file){.name = "r", .bits = 32, .count = 40});
    unsigned count = ir_add_file(p, (struct ir_file){.name = "u", .bits = 32, .count = 1, .uniform = true});
    uint32_t body = ir_new_block(p), out = ir_new_block(p);
    ir_goto(&b, body);
    b.block = body;
    ir_value v[36], sum = ir_get(&b, lanes, 0, IR_F32);
    for (unsigned k = 0; k < 36; k++) /* more than the host has registers for */
        v[k] = ir_op2(&b, IR_FMUL, 0, ir_get(&b, lanes, k, IR_F32), ir_op1(&b, k % 9 ? IR_FSQRT : IR_FSIN, 0, sum));
    for (unsigned k = 0; k < 36; k++)
        ir_set(&b, lanes, k, ir_op2(&b, IR_FADD, 0, v[k], v[(k * 7 + 5) % 36]), 0);
    for (unsigned k = 0; k < 3; k++) /* what the host flushes */
        ir_set(&b, lanes, 36 + k, ir_op2(&b, IR_FADD, IR_FLUSH_OUT | IR_NAN_CANON, sum, v[k]), 0);
    ir_value n = ir_op2(&b, IR_ADD, 0, ir_get(&b, count, 0, IR_I32), ir_const_i32(&b, 1));
    ir_set(&b, count, 0, n, 0);
    ir_branch(&b, ir_op2(&b, IR_LT_U, 0, n, ir_const_i32(&b, 100000)), body, out);
    b.block = out;
    ir_end(&b);
    assert_int_equal(ir_verify(p, d), WEFT_OK);
    for (int level = 0; level < EXEC_LEVELS; level++) {
        struct exec_options o = {.level = (enum exec_level)level, .engine = EXEC_ENGINE_JIT};
        struct exec_program *x = NULL;
        if (!exec_level_usable(o.level))
            continue;
        assert_int_equal(exec_compile(p, &o, &a, &x, d), WEFT_OK);
        struct exec_warp *w = exec_warp_new(x);
        struct exec_env env = {0};
        assert_int_equal(exec_bind(w, &env), WEFT_OK);
        assert_int_equal(exec_run(w, ~(lane_mask)0, ~(lane_mask)0, 0), EXEC_DONE);
        exec_warp_free(w);
    }
    weft_diags_free(d);
    arena_free(&a);
}

/* Blocks that go on to each other without a condition are one loop over lanes: what each sets is there at the end, and
 * budgets of any size stop between them. */
static void chains(void **state)
{
    (void)state;
    enum { CHAIN = 4, TIMES = 9, LANES = 64, INSNS = TIMES * CHAIN - 2 };
    static uint32_t want[CHAIN][LANES];
    struct arena a = {0};
    weft_diags *d = weft_diags_new();
    struct ir_program *p = ir_program_new(&a, "test", IR_COMPUTE, LANES);
    struct ir_builder b = {p, IR_ENTRY, 0};
    unsigned lanes = ir_add_file(p, (struct ir_file){.name = "r", .bits = 32, .count = CHAIN});
    unsigned count = ir_add_file(p, (struct ir_file){.name = "u", .bits = 32, .count = 1, .uniform = true});
    uint32_t block[CHAIN + 1];
    for (unsigned k = 0; k <= CHAIN; k++)
        block[k] = ir_new_block(p);
    ir_goto(&b, block[0]);
    for (unsigned k = 0; k < CHAIN; k++) {
        b.block = block[k];
        p->blocks[b.block].insns = 1;
        ir_value sum = ir_emit(&b, IR_LANE_ID, IR_I32, 0, 1, NULL, 0, 0, 0, 0);
        for (unsigned i = 0; i < CHAIN; i++)
            sum = ir_op2(&b, IR_ADD, 0, sum, ir_get(&b, lanes, i, IR_I32));
        ir_set(&b, lanes, k, ir_op2(&b, IR_XOR, 0, sum, ir_const_i32(&b, k * 77)), 0);
        if (k == 1) { /* the end of the loop and its first two blocks are a chain */
            ir_value n = ir_op2(&b, IR_ADD, 0, ir_get(&b, count, 0, IR_I32), ir_const_i32(&b, 1));
            ir_set(&b, count, 0, n, 0);
            ir_branch(&b, ir_op2(&b, IR_LT_U, 0, n, ir_const_i32(&b, TIMES)), block[2], block[CHAIN]);
        } else {
            ir_goto(&b, block[(k + 1) % CHAIN]);
        }
    }
    b.block = block[CHAIN];
    ir_end(&b);
    assert_int_equal(ir_verify(p, d), WEFT_OK);
    for (unsigned t = 0; t < TIMES; t++)
        for (unsigned k = 0; k < (t + 1 < TIMES ? CHAIN : 2); k++)
            for (unsigned i = 0; i < LANES; i++)
                want[k][i] = (i + want[0][i] + want[1][i] + want[2][i] + want[3][i]) ^ (k * 77);
    for (int level = 0; level < EXEC_LEVELS; level++)
        for (unsigned slice = 0; slice <= 7; slice++) {
            struct exec_options o = {.level = (enum exec_level)level, .engine = EXEC_ENGINE_JIT, .no_full = slice & 1};
            struct exec_program *x = NULL;
            if (!exec_level_usable(o.level))
                continue;
            assert_int_equal(exec_compile(p, &o, &a, &x, d), WEFT_OK);
            struct exec_warp *w = exec_warp_new(x);
            struct exec_env env = {0};
            assert_int_equal(exec_bind(w, &env), WEFT_OK);
            enum exec_stop stop = exec_run(w, ~(lane_mask)0, ~(lane_mask)0, slice);
            unsigned stops = 0;
            for (; stop == EXEC_OUT_OF_BUDGET && stops < 100; stops++)
                stop = exec_continue(w, slice);
            assert_int_equal(stop, EXEC_DONE);
            assert_int_equal(stops, slice ? (INSNS - 1) / slice : 0);
            assert_int_equal(exec_warp_counts(w)->insns, INSNS);
            for (unsigned k = 0; k < CHAIN; k++)
                assert_memory_equal(exec_warp_register(w, lanes, k), want[k], sizeof want[k]);
            exec_warp_free(w);
        }
    weft_diags_free(d);
    arena_free(&a);
}

/* What runs were refused for once: doubles that become narrower in each rounding, and numbers of the warp made of two
 * words where lanes have made theirs. All of it is compiled, for lanes and for the warp. */
enum { DOUBLES = 8, SUMS = 4, NARROW = 2 * 5 * 4 };

static struct ir_program *narrowing(struct arena *a, bool warp)
{
    static const unsigned flushes[] = {0, IR_FLUSH_IN, IR_FLUSH_OUT, IR_FLUSH_IN | IR_FLUSH_OUT};
    struct ir_program *p = ir_program_new(a, "test", IR_COMPUTE, 64);
    struct ir_builder b = {p, IR_ENTRY, 0};
    ir_add_file(p, (struct ir_file){.name = "d", .bits = 32, .count = 2 * DOUBLES, .preserved = true});
    ir_add_file(p, (struct ir_file){.name = "w", .bits = 32, .count = 2 * DOUBLES, .preserved = true, .uniform = true});
    ir_add_file(p, (struct ir_file){.name = "r", .bits = 32, .count = NARROW + 4 * SUMS});
    for (unsigned n = 0; n < NARROW; n++) {
        ir_value v = ir_get(&b, warp, 2 * (n % DOUBLES), IR_F64);
        enum ir_type t = n % 2 ? IR_F16 : IR_F32;
        v = ir_cvt(&b, IR_F2F, t, n / 2 % 5 | flushes[n / 10] | IR_NAN_CANON, v);
        ir_set_part(&b, 2, n, 0, t, v, 0);
    }
    for (unsigned n = 0; n < SUMS; n++) {
        ir_value x = ir_get(&b, 0, 2 * n, IR_I64), y = ir_get(&b, 1, 2 * n, IR_I64), z = ir_get(&b, 1, 2, IR_I64);
        ir_set(&b, 2, NARROW + 4 * n, ir_op2(&b, n % 2 ? IR_XOR : IR_ADD, 0, x, x), 0);
        ir_set(&b, 2, NARROW + 4 * n + 2, ir_op2(&b, IR_ADD, 0, ir_op2(&b, n % 2 ? IR_ADD : IR_MUL, 0, y, z), x), 0);
    }
    ir_end(&b);
    return p;
}

static void run_narrowing(struct ir_program *p, struct exec_options o, struct test_rng r, uint32_t out[][64])
{
    static const uint64_t special[] = {0x7ff0000000000000, 0x7ff8000000000001, 0x380ffffff0000000, 0x3690000000000000,
                                       0x3e6fffffffffffff, 0x40effe0000000000, 0x47efffffe8000000, 1};
    struct arena a = {0};
    weft_diags *d = weft_diags_new();
    struct exec_program *x = NULL;
    assert_int_equal(exec_compile(p, &o, &a, &x, d), WEFT_OK);
    struct exec_warp *w = exec_warp_new(x);
    assert_int_equal(exec_bind(w, &(struct exec_env){0}), WEFT_OK);
    for (unsigned n = 0; n < 2 * DOUBLES; n++)
        for (unsigned i = 0; i < 64; i++) {
            uint64_t bits = (test_next64(&r) & 0x83ffffffffffffff) | (uint64_t)(test_next(&r) % 2 ? 0x3c : 0x38) << 56;
            bits = test_next(&r) % 4 ? bits : special[test_next(&r) % 8] ^ (uint64_t)(test_next(&r) % 2) << 63;
            for (unsigned k = 0; k < 2 && n % 2 == 0; k++) {
                ((uint32_t *)exec_warp_register(w, 0, n + k))[i] = (uint32_t)(bits >> 32 * k);
                *(uint32_t *)exec_warp_register(w, 1, n + k) = (uint32_t)(bits >> 32 * k);
            }
        }
    assert_int_equal(exec_run(w, ~(lane_mask)0, ~(lane_mask)0, 0), EXEC_DONE);
    for (unsigned n = 0; n < NARROW + 4 * SUMS; n++)
        memcpy(out[n], exec_warp_register(w, 2, n), sizeof out[n]);
    struct exec_engine_report report;
    exec_engine_report(x, &report);
    assert_true(report.native == (o.engine == EXEC_ENGINE_JIT));
    if (report.native)
        assert_int_equal(report.compiled, report.operations);
    exec_warp_free(w);
    weft_diags_free(d);
    arena_free(&a);
}

static void all_is_compiled(void **state)
{
    (void)state;
    static uint32_t want[NARROW + 4 * SUMS][64], got[NARROW + 4 * SUMS][64];
    struct test_rng r = test_seed("all_is_compiled");
    for (unsigned warp = 0; warp < 2; warp++) {
        struct arena a = {0};
        weft_diags *d = weft_diags_new();
        struct ir_program *p = narrowing(&a, warp);
        assert_int_equal(ir_verify(p, d), WEFT_OK);
        run_narrowing(p, (struct exec_options){.engine = EXEC_ENGINE_INTERP}, r, want);
        for (int level = 0; level < EXEC_LEVELS; level++) {
            if (!exec_level_usable((enum exec_level)level))
                continue;
            struct exec_options o = {.level = (enum exec_level)level, .engine = EXEC_ENGINE_JIT};
            run_narrowing(p, o, r, got);
            for (unsigned n = 0; n < NARROW + 4 * SUMS; n++)
                for (unsigned i = 0; i < 64; i++)
                    if (want[n][i] != got[n][i])
                        fail_msg("level %d, warp %u: register %u of lane %u is %x, not %x", level, warp, n, i,
                                 got[n][i], want[n][i]);
        }
        weft_diags_free(d);
        arena_free(&a);
    }
}

TEST_MAIN(TEST(long_loops), TEST(chains), TEST(all_is_compiled), TEST(engines_agree), TEST(auto_takes_over))
