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
          TEST(atomics_of_64_bits), TEST(ends_of_buffers))
