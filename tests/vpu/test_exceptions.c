/* Exceptions, software and external interrupts, modes and stacks: chapter "Interrupts" of the manual, and sections 1
 * and 6 of the notes. Every handler is `bkpt` and `rti`, and bkpt itself has none, so that the machine stops where it
 * was entered. */
#include "test.h"

#include "device/machine/machine.h"
#include "program.h"

enum {
    SDRAM = 0x10000, SCRATCH = 0xf000, TABLE = 0x4000, HANDLERS = 0x6000, SUPERVISOR_SP = 0xa000, OTHER_SP = 0xb000,
    SP = 25, R28 = 28, SR = 30, SUPERVISOR = 1 << 29, INTERRUPTS = 1 << 30, FLAGS = 5,
    IC = 0x7e002000, IC_S = 4, IC_MASK = 0x10, IC_VADDR = 0x30, IC_FORCE = 0x40, IC_SET = 0x48, IC_CLEAR = 0x50,
    TIMER_LOW = 0x7e003004, TIMER_C0 = 0x7e00300c
};
static const uint32_t user = 1u << 31;

static struct machine *m;

static uint32_t handler(unsigned number) { return HANDLERS + 4 * number; }

static int start(void **state)
{
    (void)state;
    struct machine_params params = {.sdram = SDRAM, .level = exec_best_level()};
    m = machine_new(&params);
    if (!m)
        return 1;
    static const uint8_t bkpt_rti[] = {0, 0, 0x0a, 0};
    for (unsigned n = 0; n < 128; n++) {
        uint32_t entry = n == 13 ? 0 : handler(n) | (n >= 32 && n < 64); /* user code may call them */
        machine_write(m, TABLE + 4 * n, &entry, 4);
        machine_write(m, handler(n), bkpt_rti, 4);
    }
    return 0;
}

static int stop(void **state)
{
    (void)state;
    machine_free(m);
    return 0;
}

/* A text at an address. */
static void put(uint32_t at, const char *text)
{
    struct program p = from_text(text);
    if (p.status != WEFT_OK)
        show_diagnostics(p.diags);
    assert_int_equal(p.status, WEFT_OK);
    size_t size;
    const uint8_t *bytes = bytes_of(&p, &size);
    assert_true(machine_write(m, at, bytes, size));
    drop(&p);
}

/* A store or load of the core, to registers of devices; it leaves no traces. */
static uint32_t through_core(const char *text, uint32_t address, uint32_t value)
{
    uint32_t sr = machine_register(m, SR), pc = machine_pc(m), r5 = machine_register(m, 5), r6 = machine_register(m, 6);
    put(SCRATCH, text);
    machine_set_register(m, SR, sr & ~(uint32_t)INTERRUPTS);
    machine_set_register(m, 5, value);
    machine_set_register(m, 6, address);
    machine_set_pc(m, SCRATCH);
    assert_int_equal(machine_run(m, 1), MACHINE_LIMIT);
    uint32_t got = machine_register(m, 5);
    machine_set_register(m, 5, r5);
    machine_set_register(m, 6, r6);
    machine_set_register(m, SR, sr);
    machine_set_pc(m, pc);
    return got;
}
static void poke(uint32_t address, uint32_t value) { through_core("st r5, (r6)", address, value); }
static uint32_t peek(uint32_t address) { return through_core("ld r5, (r6)", address, 0); }

static void enable(unsigned number, unsigned priority)
{
    uint32_t at = IC + IC_MASK + 4 * ((number - 64) >> 3), shift = 4 * (number & 7);
    poke(at, (peek(at) & ~(7u << shift)) | priority << shift);
}
static void raise_line(unsigned number) { poke(IC + IC_SET + 4 * (number >= 96), 1u << (number & 31)); }
static void clear_line(unsigned number) { poke(IC + IC_CLEAR + 4 * (number >= 96), 1u << (number & 31)); }

/* Supervisor mode with both stacks as they are at the start of each case. */
static void reset(uint32_t at)
{
    machine_set_register(m, SR, SUPERVISOR | FLAGS);
    machine_set_register(m, SP, SUPERVISOR_SP);
    machine_set_register(m, R28, OTHER_SP);
    for (unsigned k = 0; k < SP; k++)
        machine_set_register(m, k, 0);
    machine_set_pc(m, at);
}

static const uint32_t modes[] = {SUPERVISOR | FLAGS, FLAGS, 0x80000000u | FLAGS, SUPERVISOR | INTERRUPTS | FLAGS};

/* The machine is in the handler of `number`: pc and sr are on the supervisor's stack, and rti goes back to both. */
static void check_entered(unsigned number, uint32_t sr, uint32_t return_address)
{
    uint32_t frame[2], sp = SUPERVISOR_SP - 8;
    assert_int_equal(machine_pc(m), handler(number));
    assert_int_equal(machine_register(m, SP), sp);
    assert_int_equal(machine_register(m, R28), OTHER_SP); /* from other modes it is the interrupted stack */
    assert_true(machine_read(m, sp, frame, 8));
    assert_int_equal(frame[0], sr);
    assert_int_equal(frame[1], return_address);
    assert_int_equal(machine_register(m, SR) & (SUPERVISOR | INTERRUPTS | user), SUPERVISOR);
    machine_set_pc(m, handler(number) + 2);
    assert_int_equal(machine_run(m, 1), MACHINE_LIMIT);
    assert_int_equal(machine_pc(m), return_address);
    assert_int_equal(machine_register(m, SR), sr);
    assert_int_equal(machine_register(m, SP), sr & SUPERVISOR ? SUPERVISOR_SP : OTHER_SP);
}

struct fault {
    unsigned number;
    const char *text;
    uint32_t r0;
};

static const struct fault faults[] = {
    {1, "ld r1, (r0)", 0x2001}, {1, "ld r1, (r0)", 0x2002}, {1, "ld r1, (r0)", 0x2003}, {1, "ldh r1, (r0)", 0x2001},
    {1, "ldsh r1, (r0)", 0x2003}, {1, "st r1, (r0)", 0x2002}, {1, "sth r1, (r0)", 0x2001},
        {1, "ld r1, (r0 + 2)", 0x2000},
    {1, "ld r1, (r0++)", 0x2002}, {1, "st r1, (--r0)", 0x2001}, {1, "ld r1, (r0 + r2 << 2)", 0x2002},
    {2, "div.ss r1, r1, r2", 0}, {2, "div.su r1, r1, r2", 0}, {2, "div.us r1, r1, r2", 0}, {2, "div.uu r1, r1, r2", 0},
    {2, "div.uu r1, r1, 0", 0},
    {3, ".short 0x000b", 0}, {3, ".short 0x001f", 0}, {3, ".short 0x0100", 0}, {3, ".short 0xcd00, 0", 0},
    {3, ".short 0xc721, 0x0700", 0}, {3, ".short 0xe400, 0, 0", 0}, {3, ".short 0xac00, 0", 0},
    {5, "ld r1, (r0)", 0x30000000}, {5, "st r1, (r0)", 0x30000000}, {5, "ldb r1, (r0)", SDRAM},
        {5, "ldh r1, (r0)", 0xf0000000},
    {5, "v8ld H(0,0), (r0)", 0x30000000}, {5, "v32st HY(0,0), (r0)", 0x30000000},
        {5, "v16ld VX(0,3), (r0)", SDRAM - 16},
};

static void each_fault(void **state)
{
    (void)state;
    poke(IC + IC_VADDR, TABLE);
    for (unsigned k = 0; k < sizeof faults / sizeof faults[0]; k++) {
        put(0x1000, faults[k].text);
        for (unsigned mode = 0; mode < 4; mode++) {
            reset(0x1000);
            machine_set_register(m, SR, modes[mode]);
            machine_set_register(m, 0, faults[k].r0);
            machine_set_register(m, 1, 77);
            machine_set_vector(m, 0, 15, 0x12345678);
            if (machine_run(m, 10) != MACHINE_BREAKPOINT || machine_pc(m) != handler(faults[k].number))
                fail_msg("%s: it is at %x, exception %u", faults[k].text, machine_pc(m), machine_exception(m));
            assert_int_equal(machine_register(m, 0), faults[k].r0);
            assert_int_equal(machine_register(m, 1), 77);
            assert_int_equal(machine_vector(m, 0, 15), 0x12345678);
            check_entered(faults[k].number, modes[mode], 0x1000);
        }
    }
}

/* A store of lanes goes as far as there is memory. */
static void vector_store_across_the_end(void **state)
{
    (void)state;
    put(0x1000, "v8st H(0,0), (r0)");
    reset(0x1000);
    for (unsigned l = 0; l < 16; l++)
        machine_set_vector(m, 0, l, 0x40 + l);
    machine_set_register(m, 0, SDRAM - 5);
    assert_int_equal(machine_run(m, 10), MACHINE_BREAKPOINT);
    assert_int_equal(machine_pc(m), handler(5));
    uint8_t bytes[5];
    assert_true(machine_read(m, SDRAM - 5, bytes, 5));
    assert_memory_equal(bytes, "@ABCD", 5);
}

/* A jump to where nothing is: the exception is there. */
static void jump_to_nowhere(void **state)
{
    (void)state;
    put(0x1000, "b r0");
    reset(0x1000);
    machine_set_register(m, 0, 0x30000000);
    assert_int_equal(machine_run(m, 10), MACHINE_BREAKPOINT);
    assert_int_equal(machine_pc(m), handler(5));
    uint32_t frame[2];
    assert_true(machine_read(m, SUPERVISOR_SP - 8, frame, 8));
    assert_int_equal(frame[1], 0x30000000);
}

static void software_interrupts(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 64; n++)
        for (unsigned mode = 0; mode < 4; mode++) {
            char text[32];
            snprintf(text, sizeof text, mode & 1 ? "swi r7" : "swi %u", n);
            put(0x1000, text);
            reset(0x1000);
            machine_set_register(m, SR, modes[mode]);
            machine_set_register(m, 7, n + 0x500); /* the low five bits count */
            assert_int_equal(machine_run(m, 10), MACHINE_BREAKPOINT);
            check_entered(32 + (n & 31), modes[mode], 0x1002);
        }
    /* Without bit 0 of its entry user code may not call it: the exception is "forbidden". */
    uint32_t entry = handler(32 + 9);
    machine_write(m, TABLE + 4 * (32 + 9), &entry, 4);
    put(0x1000, "swi 9");
    for (unsigned mode = 0; mode < 4; mode++) {
        reset(0x1000);
        machine_set_register(m, SR, modes[mode]);
        assert_int_equal(machine_run(m, 10), MACHINE_BREAKPOINT);
        check_entered(modes[mode] & user ? 4 : 32 + 9, modes[mode], 0x1002);
    }
    entry |= 1;
    machine_write(m, TABLE + 4 * (32 + 9), &entry, 4);
}

static void privileged(void **state)
{
    (void)state;
    static const char *const texts[] = {"ei", "di", "rti", "sleep"};
    for (unsigned k = 0; k < 4; k++) {
        put(0x1000, texts[k]);
        reset(0x1000);
        machine_set_register(m, SR, user | FLAGS);
        assert_int_equal(machine_run(m, 10), MACHINE_BREAKPOINT);
        check_entered(4, user | FLAGS, 0x1000);
    }
    /* writing sr changes flags and column there, and the mode nowhere but from supervisor and normal mode */
    put(0x1000, "mov sr, r1");
    reset(0x1000);
    machine_set_register(m, SR, user);
    machine_set_register(m, 1, SUPERVISOR | INTERRUPTS | 0x3a);
    assert_int_equal(machine_run(m, 1), MACHINE_LIMIT);
    assert_int_equal(machine_register(m, SR), user | 0x3a);
    reset(0x1000);
    machine_set_register(m, 1, INTERRUPTS | 0x15);
    assert_int_equal(machine_run(m, 1), MACHINE_LIMIT);
    assert_int_equal(machine_register(m, SR), INTERRUPTS | 0x15);
    assert_int_equal(machine_register(m, SP), OTHER_SP);
    assert_int_equal(machine_register(m, R28), OTHER_SP); /* another name of sp there */
}

static void user_mode(void **state)
{
    (void)state;
    put(0x1000, "user\nmov r28, 5\nmov r1, r27");
    reset(0x1000);
    assert_int_equal(machine_run(m, 3), MACHINE_LIMIT);
    assert_int_equal(machine_register(m, SR) & user, user);
    assert_int_equal(machine_register(m, 1), 5); /* r28 is r27 there */
    assert_int_equal(machine_register(m, SP), OTHER_SP);
    machine_set_register(m, SR, SUPERVISOR);
    assert_int_equal(machine_register(m, SP), SUPERVISOR_SP);
}

static void external(void **state)
{
    (void)state;
    put(0x1000, "nop\nnop\nnop\nnop");
    for (unsigned n = 64; n < 128; n++) {
        unsigned priority = 1 + n % 7;
        enable(n, priority);
        for (unsigned mode = 0; mode < 3; mode++) {
            uint32_t sr = modes[mode] | INTERRUPTS, s = n | priority << 8;
            reset(0x1000);
            raise_line(n);
            machine_set_register(m, SR, modes[mode]); /* not let through */
            assert_int_equal(machine_run(m, 1), MACHINE_LIMIT);
            assert_int_equal(machine_pc(m), 0x1002);
            machine_set_register(m, SR, sr);
            assert_int_equal(machine_run(m, 10), MACHINE_BREAKPOINT);
            assert_int_equal(peek(IC + IC_S), s | s << 16);
            clear_line(n);
            check_entered(n, sr, 0x1002);
            assert_int_equal(peek(IC + IC_S), 0);
        }
        enable(n, 0);
    }
}

static void priorities(void **state)
{
    (void)state;
    put(0x1000, "nop\nnop\nnop\nnop");
    enable(70, 2);
    enable(100, 5);
    reset(0x1000);
    raise_line(70);
    raise_line(100);
    machine_set_register(m, SR, SUPERVISOR | INTERRUPTS);
    assert_int_equal(machine_run(m, 10), MACHINE_BREAKPOINT);
    assert_int_equal(machine_pc(m), handler(100));
    /* the other one waits for ei in the handler */
    clear_line(100);
    assert_int_equal(machine_register(m, SR) & INTERRUPTS, 0);
    put(0x1100, "nop\nei\nnop");
    machine_set_pc(m, 0x1100);
    assert_int_equal(machine_run(m, 10), MACHINE_BREAKPOINT);
    assert_int_equal(machine_pc(m), handler(70));
    uint32_t frame[2];
    assert_true(machine_read(m, SUPERVISOR_SP - 16, frame, 8));
    assert_int_equal(frame[1], 0x1104);
    assert_int_equal(peek(IC + IC_S) & 127, 70);
    machine_set_pc(m, handler(70) + 2);
    clear_line(70);
    assert_int_equal(machine_run(m, 1), MACHINE_LIMIT);
    assert_int_equal(peek(IC + IC_S) & 127, 100); /* back in the outer one */
    /* the gate holds back priorities up to its value */
    for (unsigned gate = 0; gate < 8; gate++) {
        reset(0x1000);
        raise_line(100);
        poke(IC, gate);
        machine_set_register(m, SR, SUPERVISOR | INTERRUPTS);
        assert_int_equal(machine_run(m, 2), gate < 5 ? MACHINE_BREAKPOINT : MACHINE_LIMIT);
        clear_line(100);
    }
    poke(IC, 0);
    enable(70, 0);
    enable(100, 0);
}

static void timer(void **state)
{
    (void)state;
    put(0x1000, "loop: add r1, 1\nb loop");
    for (unsigned channel = 0; channel < 4; channel++) {
        reset(0x1000);
        enable(64 + channel, 1);
        uint32_t at = peek(TIMER_LOW) + 20;
        poke(TIMER_C0 + 4 * channel, at);
        machine_set_register(m, SR, SUPERVISOR | INTERRUPTS);
        assert_int_equal(machine_run(m, 100000), MACHINE_BREAKPOINT);
        assert_int_equal(machine_pc(m), handler(64 + channel));
        assert_true(peek(TIMER_LOW) >= at && peek(TIMER_LOW) <= at + 2);
        assert_int_equal(peek(TIMER_LOW - 4) >> channel & 1, 1);
        poke(TIMER_LOW - 4, 1u << channel);
        assert_int_equal(peek(TIMER_LOW - 4) >> channel & 1, 0);
        /* asleep it wakes, let through or not */
        put(0x1200, "sleep\nmov r2, 9\nbkpt");
        reset(0x1200);
        poke(TIMER_C0 + 4 * channel, peek(TIMER_LOW) + 5000);
        assert_int_equal(machine_run(m, 10), MACHINE_BREAKPOINT);
        assert_int_equal(machine_register(m, 2), 9);
        poke(TIMER_LOW - 4, 1u << channel);
        enable(64 + channel, 0);
    }
    machine_set_pc(m, 0x1200);
    assert_int_equal(machine_run(m, 10), MACHINE_SLEEP); /* nothing could wake it */
    assert_int_equal(machine_pc(m), 0x1200);
}

/* bkpt is exception 13: its handler finds the address of the bkpt, in each mode. */
static void breakpoint_handler(void **state)
{
    (void)state;
    uint32_t at = 0x1200, none = 0;
    poke(IC + IC_VADDR, TABLE);
    machine_write(m, TABLE + 4 * 13, &at, 4);
    put(0x1200, "mov r5, 13\nsleep");
    put(0x1000, "bkpt");
    for (unsigned mode = 0; mode < 4; mode++) {
        uint32_t frame[2];
        reset(0x1000);
        machine_set_register(m, SR, modes[mode]);
        assert_int_equal(machine_run(m, 10), MACHINE_SLEEP);
        assert_int_equal(machine_register(m, 5), 13);
        assert_int_equal(machine_register(m, SP), SUPERVISOR_SP - 8);
        assert_true(machine_read(m, SUPERVISOR_SP - 8, frame, 8));
        assert_int_equal(frame[0], modes[mode]);
        assert_int_equal(frame[1], 0x1000);
    }
    machine_write(m, TABLE + 4 * 13, &none, 4);
}

/* What has no room for pc and sr, or no handler, leaves everything as it is, and says which it was. */
static void cannot_be_entered(void **state)
{
    (void)state;
    static const char *const texts[] = {"swi 2", "bkpt", "ld r1, (r0)"};
    uint32_t stack, entry = handler(13), none = 0;
    poke(IC + IC_VADDR, TABLE);
    machine_write(m, TABLE + 4 * 13, &entry, 4);
    for (unsigned k = 0; k < 3; k++) {
        put(0x1000, texts[k]);
        for (unsigned mode = 0; mode < 2; mode++) {
            reset(0x1000);
            machine_set_register(m, 0, 1);
            machine_set_register(m, SP, 4); /* of supervisor mode */
            machine_set_register(m, SR, modes[mode]);
            assert_int_equal(machine_run(m, 10), MACHINE_EXCEPTION);
            assert_int_equal(machine_lacked(m, &stack), MACHINE_NO_STACK);
            assert_int_equal(machine_register(m, SR), modes[mode]);
        }
    }
    machine_write(m, TABLE + 4 * 13, &none, 4);
    put(0x1000, "nop\nnop\nnop");
    machine_write(m, TABLE + 4 * 77, &none, 4);
    enable(77, 3);
    reset(0x1000);
    raise_line(77);
    machine_set_register(m, SR, SUPERVISOR | INTERRUPTS);
    assert_int_equal(machine_run(m, 10), MACHINE_EXCEPTION);
    assert_int_equal(machine_exception(m), 77);
    assert_int_equal(machine_lacked(m, &stack), MACHINE_NO_HANDLER);
    entry = handler(77);
    machine_write(m, TABLE + 4 * 77, &entry, 4);
    clear_line(77);
    enable(77, 0);
}

/* bkpt without a handler stops the machine; so does an exception. */
static void stops(void **state)
{
    (void)state;
    put(0x1000, "bkpt");
    reset(0x1000);
    assert_int_equal(machine_run(m, 10), MACHINE_BREAKPOINT);
    assert_int_equal(machine_exception(m), 13);
    assert_int_equal(machine_pc(m), 0x1000);
    uint32_t none = 0, entry = handler(2);
    machine_write(m, TABLE + 4 * 2, &none, 4);
    put(0x1000, "div.uu r1, r1, r2");
    reset(0x1000);
    assert_int_equal(machine_run(m, 10), MACHINE_EXCEPTION);
    assert_int_equal(machine_exception(m), 2);
    assert_int_equal(machine_pc(m), 0x1000);
    assert_int_equal(machine_register(m, SP), SUPERVISOR_SP);
    machine_write(m, TABLE + 4 * 2, &entry, 4);
    /* no place for the frame */
    machine_set_register(m, SP, 0x30000000);
    assert_int_equal(machine_run(m, 10), MACHINE_EXCEPTION);
    for (unsigned n = 0; n < 128; n++)
        assert_true(strlen(machine_exception_name(n)) > 2);
    assert_string_equal(machine_exception_name(1), "misaligned memory access");
    assert_string_equal(machine_exception_name(13), "breakpoint");
    assert_string_equal(machine_exception_name(31), "unknown");
}

TEST_MAIN_BETWEEN(start, stop, TEST(each_fault), TEST(vector_store_across_the_end), TEST(jump_to_nowhere),
                  TEST(software_interrupts), TEST(privileged), TEST(user_mode), TEST(external), TEST(priorities),
                  TEST(timer), TEST(breakpoint_handler), TEST(cannot_be_entered), TEST(stops))
