/* Scalar operations against plain C, written from the manual and its notes: results, flags, conditions, exceptions. */
#include "test.h"

#include "device/machine/machine.h"
#include "scalar_model.h"

enum { CODE = 0x1000, STEP = 16, D = 5, A = 6, B = 7, SAMPLES = 200 };

static struct machine *m;

static int start(void **state)
{
    (void)state;
    struct machine_params params = {.sdram = 1 << 20, .level = exec_best_level()};
    m = machine_new(&params);
    return m ? 0 : 1;
}

static int stop(void **state)
{
    (void)state;
    machine_free(m);
    return 0;
}

static void put_half(uint32_t at, uint32_t h)
{
    uint8_t bytes[] = {(uint8_t)h, (uint8_t)(h >> 8)};
    assert_true(machine_write(m, at, bytes, 2));
}

/* op.cc r5,r6,r7 and bkpt: 1100 0 op:6 d:5 a:5 c:4 00 b:5 */
static uint32_t put_three(uint32_t at, unsigned op, unsigned cond)
{
    put_half(at, 0xc000 | op << 5 | D);
    put_half(at + 2, A << 11 | cond << 7 | B);
    put_half(at + 4, 0);
    return at;
}

static void go(uint32_t at)
{
    machine_set_pc(m, at);
    assert_int_equal(machine_run(m, 100), MACHINE_BREAKPOINT);
    assert_int_equal(machine_pc(m), at + 4);
}

static uint32_t interesting(struct test_rng *r)
{
    static const uint32_t corners[] = {0, 1, 2, 31, 32, 33, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff,
                                       0xfffffffe, 0x7fff, 0x8000, 0xffff8000, 0x55555555};
    uint32_t v = test_next(r);
    return v & 1 ? corners[test_next(r) % (sizeof corners / sizeof corners[0])] : test_next(r) >> (test_next(r) & 31);
}

static void results(void **state)
{
    (void)state;
    struct test_rng r = test_seed("results");
    for (unsigned op = 0; op < 57; op++) {
        uint32_t at = put_three(CODE + STEP * op, op, 14);
        for (unsigned k = 0; k < SAMPLES && !is_compare(op); k++) {
            uint32_t a = interesting(&r), b = interesting(&r), flags = test_next(&r) & 15;
            if (op >= 36 && op <= 39 && b == 0)
                continue;
            machine_set_register(m, 30, 0x20000000 | flags);
            machine_set_register(m, A, a);
            machine_set_register(m, B, b);
            go(at);
            if (machine_register(m, D) != oracle(op, a, b))
                fail_msg("operation %u of %x and %x: %x, not %x", op, a, b, machine_register(m, D), oracle(op, a, b));
            assert_int_equal(machine_register(m, 30), 0x20000000 | flags);
            assert_int_equal(machine_register(m, A), a);
            assert_int_equal(machine_register(m, B), b);
        }
    }
}

static void compares(void **state)
{
    (void)state;
    struct test_rng r = test_seed("compares");
    static const unsigned ops[] = {1, 10, 12};
    for (unsigned k = 0; k < 3; k++) {
        uint32_t at = put_three(CODE + STEP * ops[k], ops[k], 14);
        for (unsigned n = 0; n < 10 * SAMPLES; n++) {
            uint32_t a = interesting(&r), b = n & 1 ? a : interesting(&r);
            machine_set_register(m, A, a);
            machine_set_register(m, B, b);
            machine_set_register(m, D, 77);
            machine_set_register(m, 30, 0x20000000 | (n & 15));
            go(at);
            if ((machine_register(m, 30) & 15) != flags_of(ops[k], a, b))
                fail_msg("operation %u of %x and %x: flags %x, not %x", ops[k], a, b, machine_register(m, 30) & 15,
                         flags_of(ops[k], a, b));
            assert_int_equal(machine_register(m, D), 77);
        }
    }
}

/* All conditions under all flags, of an operation and of compares. */
static void conditions(void **state)
{
    (void)state;
    for (unsigned cond = 0; cond < 16; cond++) {
        uint32_t add = put_three(0x4000 + STEP * cond, 2, cond), cmp = put_three(0x5000 + STEP * cond, 10, cond),
                 cmn = put_three(0x6000 + STEP * cond, 1, cond);
        for (unsigned flags = 0; flags < 16; flags++) {
            bool on = passes(cond, flags);
            machine_set_register(m, A, 5);
            machine_set_register(m, B, 0xfffffffb);
            machine_set_register(m, D, 1);
            machine_set_register(m, 30, 0x20000000 | flags);
            go(add);
            assert_int_equal(machine_register(m, D), on ? 0 : 1);
            assert_int_equal(machine_register(m, 30) & 15, flags);
            go(cmp);
            assert_int_equal(machine_register(m, 30) & 15, on ? flags_of(10, 5, 0xfffffffb) : flags);
            machine_set_register(m, 30, 0x20000000 | flags);
            go(cmn);
            assert_int_equal(machine_register(m, 30) & 15, on ? flags_of(1, 5, 0xfffffffb) : flags);
        }
    }
}

/* ---- floats ---- */

static void floats(void **state)
{
    (void)state;
    struct test_rng r = test_seed("floats");
    for (unsigned op = 0; op < 14; op++) {
        uint32_t at = put_three(0x7000 + STEP * op, 0x20 + op, 14); /* 1100 100 fop:4 d:5 */
        put_half(at, 0xc800 | op << 5 | D);
        for (unsigned k = 0; k < SAMPLES; k++) {
            float a = (float)(int32_t)test_next(&r) / (float)(1 << (test_next(&r) % 30));
            float b = (float)(int32_t)test_next(&r) / 65536.0f;
            if (op == 9)
                b = fabsf(b);
            machine_set_register(m, A, as_bits(a));
            machine_set_register(m, B, as_bits(b));
            go(at);
            if (op == 4) {
                unsigned want = a < b ? 6 : a == b ? 8 : 0;
                assert_int_equal(machine_register(m, 30) & 15, want);
            } else if (machine_register(m, D) != as_bits(float_oracle(op, a, b))) {
                fail_msg("float operation %u of %g and %g: %g", op, (double)a, (double)b,
                         (double)as_float(machine_register(m, D)));
            }
        }
    }
}

/* ftrunc, floor, flts, fltu with a signed shift. */
static void conversions(void **state)
{
    (void)state;
    struct test_rng r = test_seed("conversions");
    for (unsigned op = 0; op < 4; op++) {
        uint32_t at = put_three(0x8000 + STEP * op, 0, 14); /* 1100 101 0 0 op:2 d:5 */
        put_half(at, 0xca00 | op << 5 | D);
        for (unsigned k = 0; k < SAMPLES; k++) {
            int shift = (int)(test_next(&r) % 21) - 10;
            uint32_t a = op < 2 ? as_bits((float)(int32_t)test_next(&r) / 65536.0f) : test_next(&r), want;
            if (op < 2) {
                double x = ldexp((double)as_float(a), shift);
                x = op ? floor(x) : trunc(x);
                want = (uint32_t)(int32_t)clamp((int64_t)x, INT32_MIN, INT32_MAX);
            } else {
                double x = op == 2 ? (double)(int32_t)a : (double)a;
                want = as_bits((float)ldexp(x, -shift));
            }
            machine_set_register(m, A, a);
            machine_set_register(m, B, (uint32_t)shift);
            go(at);
            if (machine_register(m, D) != want)
                fail_msg("conversion %u of %x by %d: %x, not %x", op, a, shift, machine_register(m, D), want);
        }
    }
}

/* ---- exceptions ---- */

static void expect_exception(uint32_t at, unsigned number)
{
    machine_set_pc(m, at);
    assert_int_equal(machine_run(m, 10), MACHINE_EXCEPTION);
    assert_int_equal(machine_exception(m), number);
    assert_int_equal(machine_pc(m), at);
}

static void exceptions(void **state)
{
    (void)state;
    for (unsigned op = 36; op < 40; op++) {
        uint32_t at = put_three(0x9000 + STEP * op, op, 14), never = put_three(0xa000 + STEP * op, op, 15);
        machine_set_register(m, A, 1);
        machine_set_register(m, B, 0);
        machine_set_register(m, D, 9);
        expect_exception(at, 2);
        assert_int_equal(machine_register(m, D), 9);
        go(never);
    }
    put_half(0xb000, 0x0867); /* ld r7,(r6) */
    machine_set_register(m, A, 0x2002);
    expect_exception(0xb000, 1);
    put_half(0xb010, 0x0867);
    machine_set_register(m, A, 0x30000000);
    expect_exception(0xb010, 5);
    put_half(0xb020, 0x000b); /* undefined */
    expect_exception(0xb020, 3);
    for (unsigned op = 57; op < 64; op++)
        expect_exception(put_three(0xc000 + STEP * op, op, 14), 3);
}

/* With a table: swi enters the handler on the supervisor's stack, rti comes back. */
static void software_interrupt(void **state)
{
    (void)state;
    uint32_t handler = 0xd100, table = 0xe000, zero = 0;
    for (unsigned n = 0; n < 128; n++)
        assert_true(machine_write(m, table + 4 * n, n == 32 + 9 ? &handler : &zero, 4));
    put_half(0xd000, 0x3067); /* st r7,(r6): the table's address to the controller */
    put_half(0xd002, 0x01c9); /* swi 9 */
    put_half(0xd004, 0x0000);
    put_half(handler, 0x6018); /* mov r8,1 */
    put_half(handler + 2, 0x000a); /* rti */
    machine_set_register(m, A, 0x7e002030);
    machine_set_register(m, B, table);
    machine_set_register(m, 25, 0x10000);
    machine_set_register(m, 8, 0);
    machine_set_register(m, 30, 0x20000005);
    machine_set_pc(m, 0xd000);
    assert_int_equal(machine_run(m, 3), MACHINE_LIMIT);
    uint32_t frame[2];
    assert_int_equal(machine_register(m, 25), 0x10000 - 8);
    assert_true(machine_read(m, 0x10000 - 8, frame, 8));
    assert_int_equal(frame[0], 0x20000005);
    assert_int_equal(frame[1], 0xd004);
    assert_int_equal(machine_run(m, 10), MACHINE_BREAKPOINT);
    assert_int_equal(machine_pc(m), 0xd004);
    assert_int_equal(machine_register(m, 8), 1);
    assert_int_equal(machine_register(m, 25), 0x10000);
    assert_int_equal(machine_register(m, 30), 0x20000005);
    /* from user mode the stack changes */
    machine_set_register(m, 28, 0x12000); /* what sp is there */
    machine_set_register(m, 30, 0x80000000);
    assert_int_equal(machine_register(m, 25), 0x12000);
    machine_set_pc(m, 0xd002);
    handler |= 1; /* user code may call it */
    assert_true(machine_write(m, table + 4 * 41, &handler, 4));
    assert_int_equal(machine_run(m, 2), MACHINE_LIMIT);
    assert_int_equal(machine_register(m, 25), 0x10000 - 8);
    assert_int_equal(machine_register(m, 28), 0x12000);
    assert_int_equal(machine_run(m, 10), MACHINE_BREAKPOINT);
    assert_int_equal(machine_register(m, 25), 0x12000);
    assert_int_equal(machine_register(m, 30), 0x80000000);
}

/* Code that is written while it is known. */
static void code_changes(void **state)
{
    (void)state;
    put_half(0xf000, 0x6018); /* mov r8,1 */
    put_half(0xf002, 0x0000);
    machine_set_pc(m, 0xf000);
    assert_int_equal(machine_run(m, 0), MACHINE_BREAKPOINT);
    assert_int_equal(machine_register(m, 8), 1);
    put_half(0xf010, 0x0b67); /* sth r7,(r6) */
    put_half(0xf012, 0x1800 | 14 << 7 | ((0x7f & (uint32_t)((0xf000 - 0xf012) / 2)))); /* b 0xf000 */
    machine_set_register(m, A, 0xf000);
    machine_set_register(m, B, 0x6058); /* mov r8,5 */
    machine_set_pc(m, 0xf010);
    assert_int_equal(machine_run(m, 0), MACHINE_BREAKPOINT);
    assert_int_equal(machine_register(m, 8), 5);
}

/* A limit is kept to the instruction, and steps come to the same end. */
static void limits(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 100; k++)
        put_half(0x12000 + 2 * k, 0x6018); /* mov r8,1 */
    put_half(0x12000 + 200, 0);
    machine_set_pc(m, 0x12000);
    uint64_t before = machine_instructions(m);
    assert_int_equal(machine_run(m, 77), MACHINE_LIMIT);
    assert_int_equal(machine_pc(m), 0x12000 + 2 * 77);
    assert_int_equal(machine_instructions(m) - before, 77);
    for (unsigned k = 77; k < 100; k++) {
        assert_int_equal(machine_pc(m), 0x12000 + 2 * k);
        assert_int_equal(machine_run(m, 1), MACHINE_LIMIT);
    }
    assert_int_equal(machine_run(m, 1), MACHINE_BREAKPOINT);
    machine_set_break(m, 0x12010, true);
    machine_set_pc(m, 0x12000);
    assert_int_equal(machine_run(m, 0), MACHINE_BREAK);
    assert_int_equal(machine_pc(m), 0x12010);
    machine_set_break(m, 0x12010, false);
    assert_int_equal(machine_run(m, 0), MACHINE_BREAKPOINT);
}

TEST_MAIN_BETWEEN(start, stop, TEST(results), TEST(compares), TEST(conditions), TEST(floats), TEST(conversions),
                  TEST(exceptions), TEST(software_interrupt), TEST(code_changes), TEST(limits))
