/* Address spaces of each kind, elements of each width, and what happens at their ends. */
#include "test.h"

#include "exec/exec.h"
#include "ir/build.h"
#include "ir/program.h"

struct bench {
    struct arena *arena;
    weft_diags *diags;
    struct ir_program *p;
    struct ir_builder b;
    unsigned r;
    struct exec_env env;
    struct exec_warp *w;
};

static struct bench start(unsigned lanes)
{
    struct bench t = {.arena = calloc(1, sizeof *t.arena), .diags = weft_diags_new()};
    t.p = ir_program_new(t.arena, "test", IR_COMPUTE, lanes);
    t.r = ir_add_file(t.p, (struct ir_file){.name = "r", .bits = 32, .count = 16, .preserved = true});
    t.b = (struct ir_builder){t.p, IR_ENTRY, 0};
    t.p->blocks[IR_ENTRY].insns = 1;
    return t;
}

static enum exec_stop run(struct bench *t, enum exec_level level, lane_mask active)
{
    if (ir_verify(t->p, t->diags) != WEFT_OK)
        fail_msg("%s", weft_diags_get(t->diags, 0)->message);
    struct exec_program *x = NULL;
    if (exec_compile(t->p, &(struct exec_options){.level = level}, t->arena, &x, t->diags) != WEFT_OK)
        fail_msg("%s", weft_diags_get(t->diags, 0)->message);
    if (t->w)
        exec_warp_free(t->w);
    t->w = exec_warp_new(x);
    assert_int_equal(exec_bind(t->w, &t->env), WEFT_OK);
    return exec_run(t->w, active, active, 0);
}

static void finish(struct bench *t)
{
    if (t->w)
        exec_warp_free(t->w);
    weft_diags_free(t->diags);
    arena_free(t->arena);
    free(t->arena);
}

static const uint32_t *reg(struct bench *t, uint32_t n)
{
    return exec_warp_register(t->w, t->r, n);
}

#define EACH_LEVEL(level)                                                                                              \
    for (enum exec_level level = 0; level < EXEC_LEVELS; level = (enum exec_level)(level + 1))                         \
        if (exec_level_usable(level))

static ir_value load(struct bench *t, uint32_t space, enum ir_type elem, enum ir_type type, ir_value at, int64_t offset,
                     ir_value pred)
{
    uint32_t mem = ir_add_mem(
        t->p, (struct ir_mem){.space = (uint16_t)space, .elem = (uint8_t)elem, .count = 1, .offset = offset});
    return ir_emit(&t->b, IR_LOAD, type, 0, 1, &at, 1, mem, 0, pred);
}

static void store(struct bench *t, uint32_t space, enum ir_type elem, ir_value at, ir_value v)
{
    ir_store(&t->b, (struct ir_mem){.space = (uint16_t)space, .elem = (uint8_t)elem, .count = 1}, at, &v, 0);
}

/* An address is held against a lane's own size, even where the next lane's memory is. */
static void lanes_have_their_own(void **state)
{
    (void)state;
    static const unsigned widths[] = {64, 32, 16, 4};
    for (unsigned k = 0; k < 4; k++) {
        struct bench t = start(widths[k]);
        uint32_t in = ir_add_space(t.p, (struct ir_space){.name = "in", .kind = IR_SPACE_INPUT, .size = 12}),
                 own = ir_add_space(t.p, (struct ir_space){.name = "own", .kind = IR_SPACE_PRIVATE, .size = 8});
        ir_set(&t.b, t.r, 0, load(&t, in, IR_I32, IR_I32, ir_const_i32(&t.b, 4), 0, 0), 0);
        ir_set(&t.b, t.r, 1, load(&t, in, IR_I32, IR_I32, ir_const_i32(&t.b, 8), 4, 0), 0); /* beyond */
        store(&t, own, IR_I32, ir_const_i32(&t.b, 4), ir_get(&t.b, t.r, 0, IR_I32));
        store(&t, own, IR_I32, ir_const_i32(&t.b, 8), ir_get(&t.b, t.r, 0, IR_I32)); /* beyond */
        ir_set(&t.b, t.r, 2, load(&t, own, IR_I32, IR_I32, ir_const_i32(&t.b, 4), 0, 0), 0);
        ir_end(&t.b);
        uint32_t input[64][3], private[64][2];
        EACH_LEVEL(level)
        {
            for (unsigned i = 0; i < 64; i++)
                for (unsigned c = 0; c < 3; c++) {
                    input[i][c] = 10 * i + c;
                    private[i][c & 1] = 5;
                }
            t.env.space[in] = (struct exec_buffer){(uint8_t *)input, 12 * widths[k]};
            t.env.space[own] = (struct exec_buffer){(uint8_t *)private, 8 * widths[k]};
            lane_mask active = widths[k] == 64 ? ~(lane_mask)0 : ((lane_mask)1 << widths[k]) - 1;
            assert_int_equal(run(&t, level, active & ~(lane_mask)2), EXEC_DONE);
            for (unsigned i = 0; i < widths[k]; i++) {
                bool on = i != 1;
                assert_int_equal(reg(&t, 0)[i], on ? 10 * i + 1 : 0);
                assert_int_equal(reg(&t, 1)[i], 0);
                assert_int_equal(reg(&t, 2)[i], on ? 10 * i + 1 : 0);
                assert_int_equal(private[i][0], 5);
                assert_int_equal(private[i][1], on ? 10 * i + 1 : 5);
            }
            assert_int_equal(exec_warp_counts(t.w)->bad_access, 2 * (widths[k] - 1));
        }
        finish(&t);
    }
}

static void narrow_and_wide_elements(void **state)
{
    (void)state;
    struct bench t = start(64);
    uint32_t m = ir_add_space(t.p, (struct ir_space){.name = "m", .kind = IR_SPACE_GLOBAL});
    ir_value id = ir_emit(&t.b, IR_LANE_ID, IR_I32, 0, 1, NULL, 0, 0, 0, 0),
             at = ir_op2(&t.b, IR_MUL, 0, id, ir_const_i32(&t.b, 9));
    ir_value wide = load(&t, m, IR_I64, IR_I64, at, 1, 0);
    ir_set(&t.b, t.r, 0, load(&t, m, IR_I8, IR_I32, at, 1, 0), 0);
    ir_set(&t.b, t.r, 1, load(&t, m, IR_I16, IR_I32, at, 1, 0), 0);
    ir_set(&t.b, t.r, 2, ir_cvt(&t.b, IR_HI32, IR_I32, 0, wide), 0);
    store(&t, m, IR_I64, ir_op2(&t.b, IR_ADD, 0, at, ir_const_i32(&t.b, 1000)), wide);
    store(&t, m, IR_I16, ir_op2(&t.b, IR_ADD, 0, at, ir_const_i32(&t.b, 2000)), ir_get(&t.b, t.r, 1, IR_I32));
    ir_end(&t.b);
    static uint8_t bytes[3000], want[3000];
    EACH_LEVEL(level)
    {
        for (unsigned i = 0; i < sizeof bytes; i++)
            want[i] = bytes[i] = (uint8_t)(i * 37 + i / 256);
        t.env.space[m] = (struct exec_buffer){bytes, sizeof bytes};
        assert_int_equal(run(&t, level, ~(lane_mask)0), EXEC_DONE);
        for (unsigned i = 0; i < 64; i++) {
            memcpy(want + 1000 + 9 * i, want + 9 * i + 1, 8);
            memcpy(want + 2000 + 9 * i, want + 9 * i + 1, 2);
            assert_int_equal(reg(&t, 0)[i], want[9 * i + 1]);
            assert_int_equal(reg(&t, 1)[i], want[9 * i + 1] | want[9 * i + 2] << 8);
            assert_int_equal(reg(&t, 2)[i], want[9 * i + 5] | want[9 * i + 6] << 8 | want[9 * i + 7] << 16 |
                                                (uint32_t)want[9 * i + 8] << 24);
        }
        assert_memory_equal(bytes, want, sizeof bytes);
    }
    finish(&t);
}

/* A uniform load is one access, and none at all where its predicate does not hold. */
static void uniform_loads(void **state)
{
    (void)state;
    struct bench t = start(16);
    uint32_t m = ir_add_space(t.p, (struct ir_space){.name = "m", .kind = IR_SPACE_GLOBAL});
    ir_value yes = ir_const(&t.b, IR_I1, 1), no = ir_const(&t.b, IR_I1, 0), far = ir_const_i32(&t.b, 400);
    ir_set(&t.b, t.r, 0, load(&t, m, IR_I32, IR_I32, ir_const_i32(&t.b, 4), 0, yes), 0);
    ir_set(&t.b, t.r, 1, load(&t, m, IR_I32, IR_I32, ir_const_i32(&t.b, 4), 0, no), 0);
    ir_set(&t.b, t.r, 2, load(&t, m, IR_I32, IR_I32, far, 0, yes), 0);
    ir_set(&t.b, t.r, 3, load(&t, m, IR_I32, IR_I32, far, 0, no), 0);
    ir_set(&t.b, t.r, 4, load(&t, m, IR_I32, IR_I32, far, 0, 0), 0);
    ir_end(&t.b);
    uint32_t words[2] = {1, 77};
    EACH_LEVEL(level)
    {
        t.env.space[m] = (struct exec_buffer){(uint8_t *)words, sizeof words};
        assert_int_equal(run(&t, level, 0xfff0), EXEC_DONE);
        for (unsigned i = 4; i < 16; i++) {
            assert_int_equal(reg(&t, 0)[i], 77);
            assert_int_equal(reg(&t, 1)[i] | reg(&t, 2)[i] | reg(&t, 3)[i] | reg(&t, 4)[i], 0);
        }
        assert_int_equal(exec_warp_counts(t.w)->bad_access, 2);
    }
    finish(&t);
}

static void traps(void **state)
{
    (void)state;
    static const char *const faults[] = {"load outside its memory", "store outside its memory",
                                         "atomic outside its memory"};
    for (unsigned k = 0; k < 3; k++) {
        struct bench t = start(64);
        uint32_t m =
            ir_add_space(t.p, (struct ir_space){.name = "m", .kind = IR_SPACE_GLOBAL, .bounds = IR_BOUNDS_TRAP});
        ir_value id = ir_emit(&t.b, IR_LANE_ID, IR_I32, 0, 1, NULL, 0, 0, 0, 0),
                 at = ir_op2(&t.b, IR_SHL, 0, id, ir_const_i32(&t.b, 2)), args[2] = {at, id};
        if (k == 0)
            ir_set(&t.b, t.r, 0, load(&t, m, IR_I32, IR_I32, at, 0, 0), 0);
        if (k == 1)
            store(&t, m, IR_I32, at, id);
        if (k == 2)
            ir_emit(&t.b, IR_ATOMIC, IR_I32, 0, 1, args, 2,
                    ir_add_mem(t.p, (struct ir_mem){.space = (uint16_t)m, .elem = IR_I32, .count = 1}), IR_ATOMIC_ADD,
                    0);
        ir_end(&t.b);
        static uint32_t words[64];
        EACH_LEVEL(level)
        {
            t.env.space[m] = (struct exec_buffer){(uint8_t *)words, sizeof words};
            assert_int_equal(run(&t, level, ~(lane_mask)0), EXEC_DONE);
            t.env.space[m].size = 252;
            assert_int_equal(run(&t, level, ~(lane_mask)0), EXEC_FAULT);
            assert_string_equal(exec_warp_fault(t.w), faults[k]);
            assert_int_equal(run(&t, level, ~(lane_mask)0 >> 1), EXEC_DONE);
        }
        finish(&t);
    }
}

static uint64_t counted_up(uint64_t old, uint64_t limit)
{
    bool kept = limit >> 63 ? old + 1 >= limit || old == UINT64_MAX : old < limit;
    return kept ? old + 1 : limit >> 63 ? limit : 0;
}

static uint64_t counted_down(uint64_t old, uint64_t limit)
{
    bool kept = limit >> 63 ? old > limit || old == 0 || old == 1 : old && old <= limit;
    return kept ? old - 1 : limit >> 63 ? 0 : limit;
}

/* Every atomic on 64 bits, lanes in ascending order on one word: the old values and what is left, with and without
 * other threads. */
static void atomics_of_64_bits(void **state)
{
    (void)state;
    enum { LANES = 16 };
    static const uint64_t operand[4] = {UINT64_C(0x8000000100000003), 5, UINT64_C(0x100000000),
                                        UINT64_C(0xfffffffffffffff0)};
    for (unsigned what = IR_ATOMIC_ADD; what <= IR_ATOMIC_DEC_WRAP_S; what++) {
        struct bench t = start(64);
        uint32_t m = ir_add_space(t.p, (struct ir_space){.name = "m", .kind = IR_SPACE_GLOBAL});
        uint32_t table = ir_add_space(t.p, (struct ir_space){.name = "t", .kind = IR_SPACE_GLOBAL});
        ir_value id = ir_emit(&t.b, IR_LANE_ID, IR_I32, 0, 1, NULL, 0, 0, 0, 0),
                 which =
                     ir_op2(&t.b, IR_SHL, 0, ir_op2(&t.b, IR_AND, 0, id, ir_const_i32(&t.b, 3)), ir_const_i32(&t.b, 3)),
                 v = load(&t, table, IR_I64, IR_I64, which, 0, 0),
                 args[3] = {ir_const_i32(&t.b, 0), v, ir_const(&t.b, IR_I64, operand[1])};
        uint32_t desc = ir_add_mem(t.p, (struct ir_mem){.space = (uint16_t)m, .elem = IR_I64, .count = 1, .align = 8});
        ir_value old = ir_emit(&t.b, IR_ATOMIC, IR_I64, 0, 1, args, what == IR_ATOMIC_CAS ? 3 : 2, desc, what, 0);
        ir_set(&t.b, t.r, 0, ir_cvt(&t.b, IR_LO32, IR_I32, 0, old), 0);
        ir_set(&t.b, t.r, 1, ir_cvt(&t.b, IR_HI32, IR_I32, 0, old), 0);
        ir_end(&t.b);
        EACH_LEVEL(level)
            for (unsigned concurrent = 0; concurrent < 2; concurrent++) {
                uint64_t word = operand[1], want = operand[1];
                t.env.space[m] = (struct exec_buffer){(uint8_t *)&word, sizeof word};
                t.env.space[table] = (struct exec_buffer){(uint8_t *)(uintptr_t)operand, sizeof operand};
                t.env.concurrent = concurrent;
                assert_int_equal(run(&t, level, ((lane_mask)1 << LANES) - 1), EXEC_DONE);
                for (unsigned i = 0; i < LANES; i++) {
                    uint64_t x = operand[i & 3];
                    assert_int_equal(reg(&t, 0)[i], (uint32_t)want);
                    assert_int_equal(reg(&t, 1)[i], (uint32_t)(want >> 32));
                    switch ((enum ir_atomic)what) {
                    case IR_ATOMIC_ADD: want += x; break;
                    case IR_ATOMIC_MIN_S: want = (int64_t)x < (int64_t)want ? x : want; break;
                    case IR_ATOMIC_MAX_S: want = (int64_t)x > (int64_t)want ? x : want; break;
                    case IR_ATOMIC_MIN_U: want = x < want ? x : want; break;
                    case IR_ATOMIC_MAX_U: want = x > want ? x : want; break;
                    case IR_ATOMIC_AND: want &= x; break;
                    case IR_ATOMIC_OR: want |= x; break;
                    case IR_ATOMIC_XOR: want ^= x; break;
                    case IR_ATOMIC_XCHG: want = x; break;
                    case IR_ATOMIC_CAS: want = want == operand[1] ? x : want; break;
                    case IR_ATOMIC_INC_WRAP: want = want >= x ? 0 : want + 1; break;
                    case IR_ATOMIC_INC_WRAP_S: want = counted_up(want, x); break;
                    case IR_ATOMIC_DEC_WRAP_S: want = counted_down(want, x); break;
                    default: want = want == 0 || want > x ? x : want - 1; break;
                    }
                }
                assert_int_equal(word, want);
            }
        finish(&t);
    }
}

/* ---- atomics of each width, in memory of each kind, with operands of the warp or of lanes ---- */

enum { ATOMIC_LANES = 32, ATOMIC_BYTES = 64 };

struct atomic_case {
    unsigned what, bytes, kind, align;
    bool of_warp[4]; /* address, value, compare, predicate */
    bool predicated, concurrent;
    int64_t offset;
};

/* Halves, not below zero, as multiples of 2^-24: their sum, to the nearest half, of two as near the even one. */
static uint64_t half_sum(uint64_t a, uint64_t b)
{
    uint64_t sum = 0, bits[2] = {a, b}, shift = 0;
    for (unsigned i = 0; i < 2; i++)
        sum += bits[i] >> 10 ? (1024 + (bits[i] & 1023)) << ((bits[i] >> 10) - 1) : bits[i];
    while (sum >> shift >= 2048)
        shift++;
    uint64_t kept = sum >> shift, rest = sum - (kept << shift), half = shift ? (uint64_t)1 << (shift - 1) : 0;
    kept += shift && (rest > half || (rest == half && kept & 1));
    return kept + (shift << 10);
}

/* Floats, none of them a NaN or below zero: the larger has the larger bits. */
static uint64_t float_sum(unsigned bits, uint64_t a, uint64_t b)
{
    float f[2], sum;
    double d[2], wide;
    uint32_t words[2] = {(uint32_t)a, (uint32_t)b};
    uint64_t out = bits == 16 ? half_sum(a, b) : 0;
    memcpy(f, words, sizeof f);
    memcpy(&d[0], &a, 8);
    memcpy(&d[1], &b, 8);
    sum = f[0] + f[1];
    wide = d[0] + d[1];
    if (bits == 32)
        memcpy(&out, &sum, 4);
    if (bits == 64)
        memcpy(&out, &wide, 8);
    return out;
}

/* Below zero: the next number if it is between the operand and 0, else what takes its place. */
static uint64_t counted_next(uint64_t next, uint64_t v, uint64_t ones, uint64_t other)
{
    next &= ones;
    return next == 0 || next >= v ? next : other;
}

/* The new number, of `bits` bits, as the header says it. */
static uint64_t atomic_model(enum ir_atomic what, unsigned bits, uint64_t old, uint64_t v, uint64_t compare)
{
    uint64_t ones = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1, top = (uint64_t)1 << (bits - 1);
    switch (what) {
    case IR_ATOMIC_ADD:
        return (old + v) & ones;
    case IR_ATOMIC_MIN_S:
        return (v ^ top) < (old ^ top) ? v : old;
    case IR_ATOMIC_MAX_S:
        return (v ^ top) > (old ^ top) ? v : old;
    case IR_ATOMIC_MIN_U:
        return v < old ? v : old;
    case IR_ATOMIC_MAX_U:
        return v > old ? v : old;
    case IR_ATOMIC_AND:
        return old & v;
    case IR_ATOMIC_OR:
        return old | v;
    case IR_ATOMIC_XOR:
        return old ^ v;
    case IR_ATOMIC_XCHG:
        return v;
    case IR_ATOMIC_CAS:
        return old == compare ? v : old;
    case IR_ATOMIC_INC_WRAP:
        return old >= v ? 0 : old + 1;
    case IR_ATOMIC_INC_WRAP_S:
        return v & top ? counted_next(old + 1, v, ones, v) : atomic_model(IR_ATOMIC_INC_WRAP, bits, old, v, 0);
    case IR_ATOMIC_DEC_WRAP_S:
        return v & top ? counted_next(old - 1, v, ones, 0) : atomic_model(IR_ATOMIC_DEC_WRAP, bits, old, v, 0);
    case IR_ATOMIC_FADD:
        return float_sum(bits, old, v);
    case IR_ATOMIC_FMIN:
        return v < old ? v : old;
    case IR_ATOMIC_FMAX:
        return v > old ? v : old;
    default:
        return old == 0 || old > v ? v : old - 1;
    }
}

static enum ir_type atomic_type(const struct atomic_case *k)
{
    static const enum ir_type ints[9] = {[2] = IR_F16, [4] = IR_I32, [8] = IR_I64};
    static const enum ir_type floats[9] = {[2] = IR_F16, [4] = IR_F32, [8] = IR_F64};
    return (k->what >= IR_ATOMIC_FADD ? floats : ints)[k->bytes];
}

struct device {
    uint8_t *bytes;
    unsigned reads, writes;
};

enum { DEVICE_AT = 0x1000 };

static bool device_load(void *device, uint64_t address, unsigned size, uint64_t *value)
{
    struct device *d = device;
    if (address - DEVICE_AT > ATOMIC_BYTES - size)
        return false;
    *value = 0;
    for (unsigned i = 0; i < size; i++)
        *value |= (uint64_t)d->bytes[address - DEVICE_AT + i] << (8 * i);
    d->reads++;
    return true;
}

static bool device_store(void *device, uint64_t address, unsigned size, uint64_t value)
{
    struct device *d = device;
    if (address - DEVICE_AT > ATOMIC_BYTES - size)
        return false;
    for (unsigned i = 0; i < size; i++)
        d->bytes[address - DEVICE_AT + i] = (uint8_t)(value >> (8 * i));
    d->writes++;
    return true;
}

/* Registers: 0 address, 2 value, 4 compare, 6 predicate; 8 the result. Those of the warp are in a file of its own. */
static ir_value operand(struct bench *t, unsigned warp, const struct atomic_case *k, unsigned which)
{
    return ir_get_part(&t->b, k->of_warp[which] ? warp : t->r, 2 * which, 0, which ? atomic_type(k) : IR_I32);
}

static unsigned emit_atomic(struct bench *t, const struct atomic_case *k, uint32_t space)
{
    unsigned warp =
        ir_add_file(t->p, (struct ir_file){.name = "u", .bits = 32, .count = 8, .uniform = true, .preserved = true});
    ir_value args[3] = {operand(t, warp, k, 0), operand(t, warp, k, 1), 0}, pred = 0, one = ir_const_i32(&t->b, 1);
    if (k->what == IR_ATOMIC_CAS)
        args[2] = operand(t, warp, k, 2);
    if (k->predicated)
        pred = ir_op2(&t->b, IR_EQ, 0, ir_get(&t->b, k->of_warp[3] ? warp : t->r, 6, IR_I32), one);
    uint32_t desc = ir_add_mem(t->p, (struct ir_mem){.space = (uint16_t)space,
                                                     .elem = (uint8_t)atomic_type(k),
                                                     .count = 1,
                                                     .align = (uint8_t)k->align,
                                                     .offset = k->offset});
    ir_value old = ir_emit(&t->b, IR_ATOMIC, atomic_type(k), 0, 1, args, args[2] ? 3 : 2, desc, k->what, pred);
    ir_set_part(&t->b, t->r, 8, 0, atomic_type(k), old, 0);
    ir_end(&t->b);
    return warp;
}

static uint64_t bytes_at(const uint8_t *p, unsigned bytes)
{
    uint64_t v = 0;
    memcpy(&v, p, bytes);
    return v;
}

/* One case with random numbers, of which some are equal and some addresses outside. */
static void try_atomic(struct bench *t, const struct atomic_case *k, unsigned warp, uint32_t space, struct test_rng *r,
                       enum exec_level level)
{
    struct exec_program *x = NULL;
    if (exec_compile(t->p, &(struct exec_options){.level = level}, t->arena, &x, t->diags) != WEFT_OK)
        fail_msg("%s", weft_diags_get(t->diags, 0)->message);
    struct exec_warp *w = exec_warp_new(x);
    static uint8_t memory[ATOMIC_LANES * ATOMIC_BYTES + 8], want[ATOMIC_LANES * ATOMIC_BYTES + 8];
    bool own = k->kind == IR_SPACE_PRIVATE, bus = k->kind >= IR_SPACE_BUS, device = k->kind > IR_SPACE_BUS;
    struct device there = {.bytes = memory};
    const struct exec_range range = {.first = DEVICE_AT, .size = ATOMIC_BYTES, .data = device ? NULL : memory};
    struct exec_bus all = {
        .ranges = &range, .nranges = 1, .device = &there, .load = device_load, .store = device_store};
    for (size_t i = 0; i < sizeof memory; i++)
        memory[i] = want[i] = (uint8_t)(test_next(r) % 3);
    t->env.space[space] = (struct exec_buffer){memory, own ? ATOMIC_LANES * ATOMIC_BYTES : ATOMIC_BYTES};
    t->env.bus = &all;
    t->env.concurrent = k->concurrent;
    assert_int_equal(exec_bind(w, &t->env), WEFT_OK);
    uint64_t numbers[4][ATOMIC_LANES], old[ATOMIC_LANES], bad = 0;
    for (unsigned o = 0; o < 4; o++)
        for (unsigned i = 0; i < ATOMIC_LANES; i++) {
            uint64_t v = o == 0   ? test_next(r) % (ATOMIC_BYTES + 8) + (bus ? DEVICE_AT : 0)
                         : o == 3 ? test_next(r) % 2
                                  : bytes_at(memory + test_next(r) % ATOMIC_BYTES, k->bytes);
            if (k->of_warp[o] && i)
                v = numbers[o][0];
            v &= o == 0 || o == 3 ? UINT32_MAX : UINT64_MAX;
            numbers[o][i] = v;
            for (unsigned part = 0; part < 2; part++) {
                uint32_t *row = exec_warp_register(w, k->of_warp[o] ? warp : t->r, 2 * o + part);
                row[k->of_warp[o] ? 0 : i] = (uint32_t)(v >> (32 * part));
            }
        }
    lane_mask active = test_next(r) | (lane_mask)1, live = active & (test_next(r) | test_next(r));
    assert_int_equal(exec_run(w, active, live, 0), EXEC_DONE);
    const uint32_t *low = exec_warp_register(w, t->r, 8), *high = exec_warp_register(w, t->r, 9);
    for (unsigned i = 0; i < ATOMIC_LANES; i++) {
        old[i] = 0;
        if (!((own ? active : live) >> i & 1) || (k->predicated && !numbers[3][i]))
            continue;
        /* The offset is added to the rounded address. */
        uint64_t address = (numbers[0][i] & ~(uint64_t)(k->align - 1)) + (uint64_t)k->offset;
        uint64_t at = address - (bus ? DEVICE_AT : 0u);
        if (at > ATOMIC_BYTES - k->bytes) {
            bad++;
            continue;
        }
        uint8_t *p = want + at + (own ? i * ATOMIC_BYTES : 0);
        old[i] = bytes_at(p, k->bytes);
        uint64_t now = atomic_model((enum ir_atomic)k->what, 8 * k->bytes, old[i], numbers[1][i], numbers[2][i]);
        memcpy(p, &now, k->bytes);
    }
    assert_int_equal(exec_warp_counts(w)->bad_access, bad);
    assert_memory_equal(memory, want, sizeof memory);
    for (unsigned i = 0; i < ATOMIC_LANES; i++)
        if (active >> i & 1)
            assert_true(low[i] == (uint32_t)old[i] && (k->bytes < 8 || high[i] == (uint32_t)(old[i] >> 32)));
    assert_true(!device || there.reads == there.writes);
    exec_warp_free(w);
}

static void atomics_with_any_operands(void **state)
{
    (void)state;
    static const unsigned kinds[] = {IR_SPACE_GLOBAL, IR_SPACE_SHARED, IR_SPACE_PRIVATE, IR_SPACE_BUS,
                                     IR_SPACE_BUS + 1};
    struct test_rng r = test_seed("atomics");
    unsigned tried = 0;
    for (unsigned n = 0; n < 600; n++) {
        if (test_left_out(&tried, 13))
            continue;
        unsigned what = n % (IR_ATOMIC_FMAX + 1);
        bool halves = what >= IR_ATOMIC_FADD || what == IR_ATOMIC_XCHG;
        struct atomic_case k = {.what = what,
                                .bytes = halves ? 2u << test_next(&r) % 3 : 4u << test_next(&r) % 2,
                                .kind = kinds[n % 5],
                                .predicated = test_next(&r) & 1,
                                .concurrent = test_next(&r) & 1,
                                .offset = 4 * (int64_t)(test_next(&r) % 3)};
        k.align = test_next(&r) & 1 ? k.bytes : 1;
        if (what >= IR_ATOMIC_FADD) { /* halves of two floats might be what is not a number */
            k.align = k.bytes;
            k.offset = k.bytes * (int64_t)(test_next(&r) % 3);
        }
        for (unsigned o = 0; o < 4; o++)
            k.of_warp[o] = test_next(&r) % 3 == 0;
        struct bench t = start(ATOMIC_LANES);
        uint32_t space =
            ir_add_space(t.p, (struct ir_space){.name = "m",
                                                .size = ATOMIC_BYTES,
                                                .kind = (uint8_t)(k.kind > IR_SPACE_BUS ? IR_SPACE_BUS : k.kind)});
        unsigned warp = emit_atomic(&t, &k, space);
        if (ir_verify(t.p, t.diags) != WEFT_OK)
            fail_msg("%s", weft_diags_get(t.diags, 0)->message);
        EACH_LEVEL(level)
        try_atomic(&t, &k, warp, space, &r, level);
        finish(&t);
    }
}

/* ---- loads and stores of each width, in memory of each kind ---- */

enum { MOST_ELEMENTS = 3 };

struct access_case {
    bool stores, predicated, of_warp[3]; /* address, data, predicate */
    unsigned log2, count, kind, align;
    bool as_words; /* bytes and halves as i32: zero-extended, cut off */
    int64_t offset;
};

static enum ir_type access_type(const struct access_case *k, bool elem)
{
    static const enum ir_type types[] = {IR_I8, IR_I16, IR_I32, IR_I64};
    return !elem && k->as_words && k->log2 < 2 ? IR_I32 : types[k->log2];
}

/* Registers: 0 address, 1 predicate, from 2 on data or results, two for each element. */
static unsigned emit_access(struct bench *t, const struct access_case *k, uint32_t space)
{
    unsigned warp = ir_add_file(
        t->p, (struct ir_file){.name = "u", .bits = 32, .count = 8, .uniform = true, .preserved = true});
    enum ir_type type = access_type(k, false);
    ir_value at = ir_get(&t->b, k->of_warp[0] ? warp : t->r, 0, IR_I32), pred = 0, args[1 + MOST_ELEMENTS] = {at};
    if (k->predicated)
        pred = ir_op2(&t->b, IR_EQ, 0, ir_get(&t->b, k->of_warp[2] ? warp : t->r, 1, IR_I32), ir_const_i32(&t->b, 1));
    uint32_t desc = ir_add_mem(t->p, (struct ir_mem){.space = (uint16_t)space,
                                                     .elem = (uint8_t)access_type(k, true),
                                                     .count = (uint8_t)k->count,
                                                     .align = (uint8_t)k->align,
                                                     .offset = k->offset});
    if (k->stores) {
        for (unsigned e = 0; e < k->count; e++)
            args[1 + e] = ir_get_part(&t->b, k->of_warp[1] ? warp : t->r, 2 + 2 * e, 0, type);
        ir_emit(&t->b, IR_STORE, IR_VOID, 0, 0, args, 1 + k->count, desc, 0, pred);
    } else {
        ir_value first = ir_emit(&t->b, IR_LOAD, type, 0, k->count, args, 1, desc, 0, pred);
        for (unsigned e = 0; e < k->count; e++)
            ir_set_part(&t->b, t->r, 2 + 2 * e, 0, type, first + e, 0);
    }
    ir_end(&t->b);
    return warp;
}

struct access_state {
    uint8_t memory[ATOMIC_LANES * ATOMIC_BYTES + 8];
    uint64_t address[ATOMIC_LANES], holds[ATOMIC_LANES], data[MOST_ELEMENTS][ATOMIC_LANES];
    uint64_t bad;
};

static void put_number(struct exec_warp *w, unsigned file, bool of_warp, unsigned reg, unsigned lane, uint64_t v)
{
    for (unsigned part = 0; part < 2; part++)
        ((uint32_t *)exec_warp_register(w, file, reg + part))[of_warp ? 0 : lane] = (uint32_t)(v >> (32 * part));
}

static void fill_access(struct bench *t, const struct access_case *k, struct exec_warp *w, unsigned warp,
                        struct access_state *s, struct test_rng *r)
{
    static const unsigned apart[] = {0, 1, 4, 8, 3};
    unsigned step = apart[test_next(r) % 5] << (test_next(r) & 1), first = test_next(r) % ATOMIC_BYTES;
    bool any = test_next(r) & 1;
    for (size_t i = 0; i < sizeof s->memory; i++)
        s->memory[i] = (uint8_t)test_next(r);
    for (unsigned i = 0; i < ATOMIC_LANES; i++) {
        s->address[i] = any ? test_next(r) % (ATOMIC_BYTES + 8) : first + i * step;
        s->holds[i] = test_next(r) & 1;
        if (k->of_warp[0])
            s->address[i] = s->address[0];
        if (k->of_warp[2])
            s->holds[i] = s->holds[0];
        for (unsigned e = 0; e < k->count; e++) {
            s->data[e][i] = k->of_warp[1] && i ? s->data[e][0] : test_next64(r);
            put_number(w, k->of_warp[1] ? warp : t->r, k->of_warp[1], 2 + 2 * e, i, s->data[e][i]);
        }
        ((uint32_t *)exec_warp_register(w, k->of_warp[0] ? warp : t->r, 0))[k->of_warp[0] ? 0 : i] =
            (uint32_t)s->address[i];
        ((uint32_t *)exec_warp_register(w, k->of_warp[2] ? warp : t->r, 1))[k->of_warp[2] ? 0 : i] =
            (uint32_t)s->holds[i];
    }
}

/* What one lane does with one element; loads give their data. */
static void model_access(const struct access_case *k, struct access_state *s, unsigned i, unsigned e, bool own)
{
    unsigned bytes = 1u << k->log2;
    uint64_t at = (s->address[i] & ~(uint64_t)(k->align - 1)) + (uint64_t)k->offset + e * bytes;
    bool inside = at <= ATOMIC_BYTES - bytes;
    uint8_t *p = s->memory + at + (own ? i * ATOMIC_BYTES : 0);
    s->bad += !inside;
    if (k->stores && inside)
        memcpy(p, &s->data[e][i], bytes);
    if (!k->stores)
        s->data[e][i] = inside ? bytes_at(p, bytes) : 0;
}

static void try_access(struct bench *t, const struct access_case *k, unsigned warp, uint32_t space, struct test_rng *r,
                       enum exec_level level)
{
    struct exec_program *x = NULL;
    static struct access_state s;
    static uint8_t memory[sizeof s.memory];
    if (exec_compile(t->p, &(struct exec_options){.level = level}, t->arena, &x, t->diags) != WEFT_OK)
        fail_msg("%s", weft_diags_get(t->diags, 0)->message);
    struct exec_warp *w = exec_warp_new(x);
    bool own = k->kind == IR_SPACE_PRIVATE || k->kind == IR_SPACE_INPUT;
    t->env.space[space] = (struct exec_buffer){memory, own ? ATOMIC_LANES * ATOMIC_BYTES : ATOMIC_BYTES};
    assert_int_equal(exec_bind(w, &t->env), WEFT_OK);
    s.bad = 0;
    fill_access(t, k, w, warp, &s, r);
    memcpy(memory, s.memory, sizeof memory);
    lane_mask active = test_next(r) | (lane_mask)1, live = active & (test_next(r) | test_next(r) | 1);
    if (test_next(r) & 1)
        active = live = UINT32_MAX;
    assert_int_equal(exec_run(w, active, live, 0), EXEC_DONE);
    bool once = !own && k->of_warp[0] && (!k->predicated || k->of_warp[2]) && (!k->stores || k->of_warp[1]);
    lane_mask act = k->stores && k->kind != IR_SPACE_PRIVATE ? live : active;
    /* All lanes are done with an element before the next one. */
    for (unsigned e = 0; e < k->count; e++)
        for (unsigned i = 0; i < ATOMIC_LANES; i++) {
            bool runs = (act >> i & 1) && (!k->predicated || s.holds[i]);
            if (runs && !(once && act & (((lane_mask)1 << i) - 1)))
                model_access(k, &s, i, e, own);
            if (!k->stores)
                s.data[e][i] = !runs ? 0 : once ? s.data[e][__builtin_ctzll(act)] : s.data[e][i];
        }
    assert_memory_equal(memory, s.memory, sizeof memory);
    assert_int_equal(exec_warp_counts(w)->bad_access, s.bad);
    unsigned bits = ir_type_bits(access_type(k, false));
    for (unsigned e = 0; e < k->count && !k->stores; e++)
        for (unsigned i = 0; i < ATOMIC_LANES; i++) {
            uint32_t low = ((uint32_t *)exec_warp_register(w, t->r, 2 + 2 * e))[i];
            uint32_t high = ((uint32_t *)exec_warp_register(w, t->r, 3 + 2 * e))[i];
            uint32_t part = bits < 32 ? (1u << bits) - 1 : UINT32_MAX;
            if (active >> i & 1)
                assert_true((low & part) == (uint32_t)s.data[e][i] &&
                            (bits < 64 || high == (uint32_t)(s.data[e][i] >> 32)));
        }
    exec_warp_free(w);
}

static void accesses_with_any_operands(void **state)
{
    (void)state;
    static const unsigned kinds[] = {IR_SPACE_GLOBAL, IR_SPACE_SHARED, IR_SPACE_PRIVATE, IR_SPACE_CONST,
                                     IR_SPACE_INPUT};
    struct test_rng r = test_seed("accesses");
    unsigned tried = 0;
    for (unsigned n = 0; n < 800; n++) {
        if (test_left_out(&tried, 13))
            continue;
        struct access_case k = {.kind = kinds[n % 5], .log2 = n / 5 % 4, .stores = n % 5 < 3 && n / 20 % 2};
        k.predicated = test_next(&r) & 1;
        k.as_words = test_next(&r) & 1;
        k.count = 1 + test_next(&r) % MOST_ELEMENTS;
        k.offset = (int64_t)(test_next(&r) % 3) << k.log2;
        k.align = test_next(&r) % 3 ? 1u : 1u << k.log2;
        for (unsigned o = 0; o < 3; o++)
            k.of_warp[o] = test_next(&r) % 3 == 0;
        struct bench t = start(ATOMIC_LANES);
        uint32_t space = ir_add_space(
            t.p, (struct ir_space){.name = "m", .size = ATOMIC_BYTES, .kind = (uint8_t)k.kind});
        unsigned warp = emit_access(&t, &k, space);
        if (ir_verify(t.p, t.diags) != WEFT_OK)
            fail_msg("%s", weft_diags_get(t.diags, 0)->message);
        EACH_LEVEL(level)
            try_access(&t, &k, warp, space, &r, level);
        finish(&t);
    }
}

/* A buffer's last word, for accesses that run past it by any number of bytes. */
static void ends_of_buffers(void **state)
{
    (void)state;
    struct bench t = start(64);
    uint32_t m = ir_add_space(t.p, (struct ir_space){.name = "m", .kind = IR_SPACE_GLOBAL});
    ir_value id = ir_emit(&t.b, IR_LANE_ID, IR_I32, 0, 1, NULL, 0, 0, 0, 0);
    ir_set(&t.b, t.r, 0, load(&t, m, IR_I32, IR_I32, id, 0, 0), 0);                                       /* bytes */
    ir_set(&t.b, t.r, 1, load(&t, m, IR_I32, IR_I32, ir_op2(&t.b, IR_SHL, 0, id, ir_const_i32(&t.b, 2)), 0, 0), 0);
    ir_end(&t.b);
    uint8_t bytes[300];
    memset(bytes, 0x5a, sizeof bytes);
    EACH_LEVEL(level)
        for (uint64_t size = 0; size < 270; size++) {
            t.env.space[m] = (struct exec_buffer){bytes, size};
            assert_int_equal(run(&t, level, ~(lane_mask)0), EXEC_DONE);
            uint64_t bad = 0;
            for (unsigned i = 0; i < 64; i++) {
                assert_int_equal(reg(&t, 0)[i], i + 4 <= size ? 0x5a5a5a5a : 0);
                assert_int_equal(reg(&t, 1)[i], 4 * i + 4 <= size ? 0x5a5a5a5a : 0);
                bad += (i + 4 > size) + (4 * i + 4 > size);
            }
            assert_int_equal(exec_warp_counts(t.w)->bad_access, bad);
        }
    finish(&t);
}

TEST_MAIN(TEST(lanes_have_their_own), TEST(narrow_and_wide_elements), TEST(uniform_loads), TEST(traps),
          TEST(atomics_of_64_bits), TEST(atomics_with_any_operands), TEST(accesses_with_any_operands),
          TEST(ends_of_buffers))
