/* The VPU's machine through weft/machine.h: steps, stops, registers, memory, points, devices and interrupts of the
 * test's own. */
#include "programs.h"

enum { DEVICE = 0x7e300000, TABLE = 0x4000, HANDLER = 0x6000, STACK = 0x8000 };

/* A program's bytes at an address, entered there. */
static void load(weft_machine *m, uint32_t address, const char *text)
{
    weft_program *p = make_text("vpu", NULL, WEFT_STAGE_NONE, NULL, text);
    uint8_t *bytes;
    size_t size;
    assert_int_equal(weft_program_bytes(p, &bytes, &size, NULL), WEFT_OK);
    assert_int_equal(weft_machine_load(m, "test", bytes, size, address, NULL), WEFT_OK);
    weft_free(bytes);
    weft_program_free(p);
}

static weft_machine *make(const weft_machine_options *options, const char *text)
{
    weft_machine *m;
    assert_int_equal(weft_machine_new(options, NULL, &m), WEFT_OK);
    load(m, 0, text);
    return m;
}

static void runs_and_steps(void **state)
{
    (void)state;
    weft_machine *m = make(NULL, "mov r1, 5\nlp: add r0, r1\nsub r1, 1\ncmp r1, 0\nbne lp\nsleep\n");
    char text[100];
    assert_int_equal(weft_machine_run(m, 1), WEFT_MACHINE_LIMIT);
    assert_int_equal(weft_machine_instructions(m), 1);
    assert_int_equal(weft_machine_register(m, 1), 5);
    assert_int_equal(weft_machine_register(m, WEFT_MACHINE_PC), 2);
    assert_int_equal(weft_machine_run(m, 2), WEFT_MACHINE_LIMIT);
    assert_int_equal(weft_machine_register(m, 0), 5);
    assert_int_equal(weft_machine_register(m, 1), 4);
    assert_int_equal(weft_machine_stop_text(m, WEFT_MACHINE_LIMIT, text, sizeof text), 35);
    assert_string_equal(text, "stopped at 0x6 after 3 instructions");
    assert_int_equal(weft_machine_run(m, 0), WEFT_MACHINE_SLEEP);
    assert_int_equal(weft_machine_register(m, 0), 5 + 4 + 3 + 2 + 1);
    assert_int_equal(weft_machine_instructions(m), 1 + 5 * 4 + 1);
    assert_int_equal(weft_machine_stop_text(m, WEFT_MACHINE_SLEEP, text, 6), 22);
    assert_string_equal(text, "sleep");
    weft_machine_free(m);
    weft_machine_free(NULL);
}

static void registers_and_memory(void **state)
{
    (void)state;
    weft_machine *m = make(NULL, "add r2, r3\nst r2, (r4)\nv32add HY(1,0), HY(0,0), 1\nbkpt\n");
    uint32_t word = 0;
    weft_machine_set_register(m, 2, 40);
    weft_machine_set_register(m, 3, 2);
    weft_machine_set_register(m, 4, 0x1000);
    weft_machine_set_register(m, 32, 9);
    for (unsigned lane = 0; lane < 16; lane++)
        weft_machine_set_vector(m, 0, lane, 100 * lane);
    weft_machine_set_vector(m, 64, 0, 9);
    weft_machine_set_vector(m, 0, 16, 9);
    assert_int_equal(weft_machine_run(m, 0), WEFT_MACHINE_BKPT);
    assert_int_equal(weft_machine_read(m, 0x1000, &word, 4), WEFT_OK);
    assert_int_equal(word, 42);
    assert_int_equal(weft_machine_read(m, 0xc0001000, &word, 4), WEFT_OK);
    assert_int_equal(word, 42);
    for (unsigned lane = 0; lane < 16; lane++)
        assert_int_equal(weft_machine_vector(m, 1, lane), 100 * lane + 1);
    assert_int_equal(weft_machine_vector(m, 64, 0) | weft_machine_vector(m, 0, 16) | weft_machine_register(m, 32), 0);
    assert_int_equal(weft_machine_read(m, 128u << 20, &word, 4), WEFT_ERROR_USAGE);
    assert_int_equal(weft_machine_read(m, (128u << 20) - 2, &word, 4), WEFT_ERROR_USAGE);
    assert_int_equal(weft_machine_write(m, (128u << 20) - 2, &word, 4), WEFT_ERROR_USAGE);
    assert_int_equal(weft_machine_read(m, 0x7e000000, &word, 4), WEFT_ERROR_USAGE);
    assert_int_equal(weft_machine_write(m, 0, NULL, 0), WEFT_OK);
    /* code that is written runs */
    load(m, 0, "mov r0, 7\nbkpt\n");
    assert_int_equal(weft_machine_run(m, 0), WEFT_MACHINE_BKPT);
    assert_int_equal(weft_machine_register(m, 0), 7);
    weft_machine_free(m);
}

/* Each register keeps what is put there, and none is another; what there is not reads 0 and changes nothing. */
static void registers_are_apart(void **state)
{
    (void)state;
    enum { ROWS = 64, LANES = 16, SCALARS = 24 };
    static const unsigned beyond[] = {0, 1, 15, 16, 32, 63, 64, 65, 80, 127, 128, 0x10000, 0x80000000, 0xffffffff};
    enum { BEYOND = sizeof beyond / sizeof *beyond };
    weft_machine *m = make(NULL, "bkpt\n");
    for (unsigned i = 0; i < ROWS * LANES; i++)
        weft_machine_set_vector(m, i / LANES, i % LANES, 1000 + i);
    for (unsigned r = 0; r < SCALARS; r++)
        weft_machine_set_register(m, r, 5000 + r);
    for (unsigned i = 0; i < BEYOND * BEYOND; i++) {
        unsigned row = beyond[i / BEYOND], lane = beyond[i % BEYOND];
        if (row < ROWS && lane < LANES)
            continue;
        weft_machine_set_vector(m, row, lane, 9);
        if (weft_machine_vector(m, row, lane) != 0)
            fail_msg("row %u, lane %u is %u", row, lane, weft_machine_vector(m, row, lane));
    }
    for (unsigned k = 0; k < BEYOND; k++)
        if (beyond[k] > WEFT_MACHINE_PC) {
            weft_machine_set_register(m, beyond[k], 9);
            assert_int_equal(weft_machine_register(m, beyond[k]), 0);
        }
    for (unsigned i = 0; i < ROWS * LANES; i++)
        assert_int_equal(weft_machine_vector(m, i / LANES, i % LANES), 1000 + i);
    for (unsigned r = 0; r < SCALARS; r++)
        assert_int_equal(weft_machine_register(m, r), 5000 + r);
    weft_machine_free(m);
}

static void points_stop(void **state)
{
    (void)state;
    weft_machine *m = make(NULL, "mov r0, 1\nmov r0, 2\nst r0, (r1+16)\nmov r0, 3\nsleep\n");
    unsigned kinds = 0;
    char text[100];
    weft_machine_set_register(m, 1, 0x1000);
    assert_int_equal(weft_machine_set_break(m, 2, 1), WEFT_OK);
    assert_int_equal(weft_machine_set_break(m, 4, 0), WEFT_ERROR_USAGE);
    assert_int_equal(weft_machine_run(m, 0), WEFT_MACHINE_BREAK);
    assert_int_equal(weft_machine_register(m, 0), 1);
    assert_int_equal(weft_machine_at_break(m), 1);
    weft_machine_stop_text(m, WEFT_MACHINE_BREAK, text, sizeof text);
    assert_string_equal(text, "breakpoint at 0x2");
    assert_int_equal(weft_machine_set_watch(m, 0x1010, 4, WEFT_MACHINE_WATCH_WRITE, 1), WEFT_OK);
    assert_int_equal(weft_machine_set_watch(m, 0x1010, 0, WEFT_MACHINE_WATCH_WRITE, 1), WEFT_ERROR_USAGE);
    assert_int_equal(weft_machine_set_watch(m, 0x1010, 4, 0, 1), WEFT_ERROR_USAGE);
    assert_int_equal(weft_machine_set_watch(m, 0x1010, 4, 4, 1), WEFT_ERROR_USAGE);
    assert_int_equal(weft_machine_set_watch(m, 0x1020, 4, WEFT_MACHINE_WATCH_WRITE, 0), WEFT_ERROR_USAGE);
    assert_int_equal(weft_machine_run(m, 0), WEFT_MACHINE_WATCH);
    assert_int_equal(weft_machine_watched(m, &kinds), 0x1010);
    assert_int_equal(weft_machine_watched(m, NULL), 0x1010);
    assert_int_equal(kinds, WEFT_MACHINE_WATCH_WRITE);
    weft_machine_stop_text(m, WEFT_MACHINE_WATCH, text, sizeof text);
    assert_non_null(strstr(text, "watchpoint of 0x1010"));
    weft_machine_clear_points(m);
    assert_int_equal(weft_machine_at_break(m), 0);
    assert_int_equal(weft_machine_run(m, 0), WEFT_MACHINE_SLEEP);
    assert_int_equal(weft_machine_register(m, 0), 3);
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(weft_machine_set_break(m, 0x100 + 2 * i, 1), WEFT_OK);
    assert_int_equal(weft_machine_set_break(m, 0x900, 1), WEFT_ERROR_USAGE);
    weft_machine_clear_points(m);
    assert_int_equal(weft_machine_set_break(m, 0x101, 1), WEFT_ERROR_USAGE); /* no instruction can be there */
    weft_machine_free(m);
}

static void exceptions_stop(void **state)
{
    (void)state;
    char text[200];
    weft_machine *m = make(NULL, "mov r1, 3\nld r0, (r1)\nsleep\n");
    assert_int_equal(weft_machine_run(m, 0), WEFT_MACHINE_EXCEPTION);
    assert_int_equal(weft_machine_exception(m), 1);
    assert_string_equal(weft_machine_exception_name(1), "misaligned memory access");
    assert_string_equal(weft_machine_exception_name(64), "interrupt");
    assert_string_equal(weft_machine_exception_name(1000), "interrupt");
    weft_machine_stop_text(m, WEFT_MACHINE_EXCEPTION, text, sizeof text);
    assert_string_equal(text, "exception 1 (misaligned memory access) at 0x2, which has no handler");
    weft_machine_stop_text(m, WEFT_MACHINE_ERROR, text, sizeof text);
    assert_string_equal(text, "error at 0x2: none");
    weft_machine_interrupt(m);
    assert_int_equal(weft_machine_run(m, 0), WEFT_MACHINE_INTERRUPTED);
    weft_machine_stop_text(m, WEFT_MACHINE_INTERRUPTED, text, sizeof text);
    assert_string_equal(text, "interrupted at 0x2");
    weft_machine_free(m);
}

static weft_status fail_new(weft_machine_options o)
{
    weft_machine *m = (weft_machine *)&m;
    weft_diags *diags = weft_diags_new();
    weft_status status = weft_machine_new(&o, diags, &m);
    assert_null(m);
    assert_int_equal(weft_diags_errors(diags), 1);
    weft_diags_free(diags);
    return status;
}

static void refuses(void **state)
{
    (void)state;
    assert_int_equal(fail_new((weft_machine_options){.sdram = WEFT_MACHINE_MAX_SDRAM + 4096}), WEFT_ERROR_USAGE);
    assert_int_equal(fail_new((weft_machine_options){.sdram = 5000}), WEFT_ERROR_USAGE);
    assert_int_equal(fail_new((weft_machine_options){.cpu_level = (weft_cpu_level)44}), WEFT_ERROR_USAGE);
    assert_int_equal(fail_new((weft_machine_options){.size = 9}), WEFT_ERROR_USAGE);
    const weft_machine_options none = {.size = sizeof none, .engine = (weft_engine)3};
    assert_int_equal(fail_new(none), WEFT_ERROR_USAGE);
    weft_machine_options small = {.sdram = 8192};
    weft_machine *m = make(&small, "sleep\n");
    weft_diags *diags = weft_diags_new();
    uint8_t bytes[100] = "\177ELF";
    assert_int_equal(weft_machine_load(m, "x", bytes, 100, 8100, diags), WEFT_ERROR_INPUT);
    assert_int_equal(weft_machine_load(m, "x", bytes + 1, 99, 8100, diags), WEFT_ERROR_INPUT);
    assert_int_equal(weft_machine_load(m, NULL, bytes + 1, 92, 8100, diags), WEFT_OK);
    assert_int_equal(weft_diags_errors(diags), 2);
    assert_string_equal(weft_diags_get(diags, 0)->code, "bad-image");
    weft_diags_free(diags);
    weft_machine_free(m);
}

static void elf_files_are_entered_where_they_say(void **state)
{
    (void)state;
    static const char text[] = "bkpt\nmain: mov r0, 12\nsleep\n";
    weft_program *p;
    weft_program_options o;
    weft_program_options_init(&o);
    o.entry = "main";
    assert_int_equal(weft_program_from_text("vpu", "a", text, sizeof text - 1, &o, NULL, &p), WEFT_OK);
    uint8_t *bytes;
    size_t size;
    weft_machine *m;
    assert_int_equal(weft_program_elf(p, &bytes, &size, NULL), WEFT_OK);
    assert_int_equal(weft_machine_new(NULL, NULL, &m), WEFT_OK);
    assert_int_equal(weft_machine_load(m, "a.elf", bytes, size, 0x5555, NULL), WEFT_OK);
    assert_int_equal(weft_machine_run(m, 0), WEFT_MACHINE_SLEEP);
    assert_int_equal(weft_machine_register(m, 0), 12);
    weft_machine_free(m);
    weft_free(bytes);
    weft_program_free(p);
}

/* ---- UARTs ---- */

struct terminal {
    char said[32];
    size_t length, heard;
    unsigned passes, waits;
};

static void transmit(void *context, uint8_t byte)
{
    struct terminal *t = context;
    if (t->length + 1 < sizeof t->said)
        t->said[t->length++] = (char)byte;
}

static int receive(void *context)
{
    struct terminal *t = context;
    return t->heard < 2 ? "ok"[t->heard++] : -1;
}

static void pass(void *context)
{
    ((struct terminal *)context)->passes++;
}

static void uarts_speak(void **state)
{
    (void)state;
    struct terminal t = {.length = 0};
    weft_machine_options o = {.size = sizeof o, .context = &t, .transmit = transmit, .receive = receive, .pass = pass};
    /* the PL011: two bytes back, each one more */
    weft_machine *m = make(&o, "mov r6, 0x7e201000\nmov r5, 2\nlp: ld r0, (r6)\nadd r0, 1\nst r0, (r6)\nsub r5, 1\n"
                               "cmp r5, 0\nbne lp\nsleep\n");
    assert_int_equal(weft_machine_run(m, 0), WEFT_MACHINE_SLEEP);
    assert_string_equal(t.said, "pl");
    assert_true(t.passes > 0);
    weft_machine_free(m);
}

/* ---- the peripherals' registers ---- */

enum { POKE = 0x100, PEEK = 0x200, IC0 = 0x7e002000, IC1 = 0x7e002800, GPIO = 0x7e200000, PL011 = 0x7e201000,
       AUX = 0x7e215000 };

struct listener {
    struct terminal terminal; /* first: what uarts are given */
    char last[120];
    unsigned lines;
};

static void hear(void *context, const char *line)
{
    struct listener *l = context;
    snprintf(l->last, sizeof l->last, "%s", line);
    l->lines++;
}

static weft_machine *make_listened(struct listener *l)
{
    *l = (struct listener){.lines = 0};
    weft_machine_options o = {.size = sizeof o, .context = l, .transmit = transmit, .receive = receive, .log = hear};
    weft_machine *m = make(&o, "bkpt\n");
    load(m, POKE, "st r1, (r2)\nbkpt\n");
    load(m, PEEK, "ld r1, (r2)\nbkpt\n");
    return m;
}

/* The processor stores a word, or loads one. */
static void poke(weft_machine *m, uint32_t address, uint32_t value)
{
    weft_machine_set_register(m, 1, value);
    weft_machine_set_register(m, 2, address);
    weft_machine_set_register(m, WEFT_MACHINE_PC, POKE);
    assert_int_equal(weft_machine_run(m, 0), WEFT_MACHINE_BKPT);
}

static uint32_t peek(weft_machine *m, uint32_t address)
{
    weft_machine_set_register(m, 2, address);
    weft_machine_set_register(m, WEFT_MACHINE_PC, PEEK);
    assert_int_equal(weft_machine_run(m, 0), WEFT_MACHINE_BKPT);
    return weft_machine_register(m, 1);
}

/* What the BCM2835's document says of AUX_MU_*: bit 0 of IIR is 0 while an interrupt is pending, bits 2-1 are 1 for an
 * empty transmitter and 2 for a byte that is there; bit 0 of LSR and of STAT says that one is. */
static void the_mini_uart_has_registers(void **state)
{
    (void)state;
    struct listener l;
    weft_machine *m = make_listened(&l);
    assert_int_equal(peek(m, AUX + 0x40), 0);
    poke(m, AUX + 0x40, 'A');
    assert_string_equal(l.last, "store of 00000041 to register 40 of the mini UART, which is not enabled");
    assert_int_equal(weft_machine_lost_accesses(m), 1);
    assert_string_equal(l.terminal.said, "");
    poke(m, AUX + 4, 6); /* both SPIs alone */
    assert_int_equal(peek(m, AUX + 0x48), 0);
    assert_int_equal(peek(m, AUX + 0x64), 0);
    poke(m, AUX + 4, 0xff);
    assert_int_equal(peek(m, AUX + 4), 7);
    assert_int_equal(peek(m, AUX), 0);
    assert_int_equal(peek(m, AUX + 0x48), 0xc5);
    assert_int_equal(peek(m, AUX + 0x64), 0x30f);
    poke(m, AUX + 0x4c, 0x80); /* then IO is the baud rate */
    poke(m, AUX + 0x40, 'B');
    poke(m, AUX + 0x4c, 3);
    assert_int_equal(peek(m, AUX + 0x4c), 3);
    poke(m, AUX + 0x40, 'C');
    assert_string_equal(l.terminal.said, "C");
    poke(m, AUX + 0x44, 1);
    assert_int_equal(peek(m, AUX), 1);
    assert_int_equal(peek(m, AUX + 0x48), 0xc4);
    assert_int_equal(peek(m, AUX + 0x40), 'o');
    assert_int_equal(peek(m, AUX + 0x48), 0xc4); /* the next one is there, and was not looked for before */
    assert_int_equal(peek(m, AUX + 0x54), 0x61);
    assert_int_equal(peek(m, AUX + 0x40), 'k');
    assert_int_equal(peek(m, AUX + 0x48), 0xc3);
    assert_int_equal(peek(m, AUX + 0x54), 0x60);
    assert_int_equal(peek(m, AUX + 0x64), 0x30e);
    assert_int_equal(peek(m, AUX), 0);
    poke(m, AUX + 0x44, 2);
    assert_int_equal(peek(m, AUX), 1);
    assert_int_equal(peek(m, AUX + 0x48), 0xc2);
    assert_int_equal(l.lines, 1);
    weft_machine_free(m);
}

/* The PL011's flags: 0x80 and 0x20 room to send, 0x40 a byte is there, 0x10 none is; raw interrupts: 0x20 sent, 0x10
 * received. */
static void the_pl011_has_registers(void **state)
{
    (void)state;
    struct listener l;
    weft_machine *m = make_listened(&l);
    assert_int_equal(peek(m, PL011 + 0x18), 0xc0);
    assert_int_equal(peek(m, PL011 + 0x3c), 0x30);
    assert_int_equal(peek(m, PL011 + 0x40), 0);
    poke(m, PL011 + 0x38, 0x10);
    assert_int_equal(peek(m, PL011 + 0x40), 0x10);
    assert_int_equal(peek(m, PL011), 'o');
    assert_int_equal(peek(m, PL011), 'k');
    assert_int_equal(peek(m, PL011), 0);
    assert_int_equal(peek(m, PL011 + 0x18), 0x90);
    assert_int_equal(peek(m, PL011 + 0x3c), 0x20);
    assert_int_equal(peek(m, PL011 + 0x40), 0);
    poke(m, PL011 + 0x38, 0x30);
    assert_int_equal(peek(m, PL011 + 0x40), 0x20);
    poke(m, PL011 + 0x44, 0xffff); /* there is nothing to clear */
    assert_int_equal(peek(m, PL011 + 0x44), 0);
    poke(m, PL011 + 0x30, 0x301);
    assert_int_equal(peek(m, PL011 + 0x30), 0x301);
    poke(m, PL011 + 0xff0, 5);
    assert_int_equal(peek(m, PL011 + 0xff0), 0);
    poke(m, PL011, 'x');
    assert_string_equal(l.terminal.said, "x");
    assert_int_equal(l.lines, 0);
    weft_machine_free(m);
}

static void pins_are_driven(void **state)
{
    (void)state;
    struct listener l;
    weft_machine *m = make_listened(&l);
    poke(m, GPIO + 4, 0x1234);
    assert_int_equal(peek(m, GPIO + 4), 0x1234);
    poke(m, GPIO + 0x1c, 0x28);
    assert_string_equal(l.last, "GPIO 0-31: 00000028");
    poke(m, GPIO + 0x20, 2);
    assert_string_equal(l.last, "GPIO 32-63: 00000002");
    poke(m, GPIO + 0x1c, 8); /* it is driven already */
    assert_int_equal(l.lines, 2);
    assert_int_equal(peek(m, GPIO + 0x34), 0x28);
    assert_int_equal(peek(m, GPIO + 0x38), 2);
    poke(m, GPIO + 0x28, 0x20);
    assert_string_equal(l.last, "GPIO 0-31: 00000008");
    poke(m, GPIO + 0x2c, 2);
    assert_string_equal(l.last, "GPIO 32-63: 00000000");
    assert_int_equal(peek(m, GPIO + 0x34), 8);
    assert_int_equal(l.lines, 4);
    assert_int_equal(weft_machine_lost_accesses(m), 0);
    weft_machine_free(m);
}

/* Lines that a program forces, of each controller by itself; none of them has a priority here, so that none comes. */
static void interrupts_are_forced(void **state)
{
    (void)state;
    struct listener l;
    weft_machine *m = make_listened(&l);
    poke(m, IC0, 0x1f);
    assert_int_equal(peek(m, IC0), 15);
    assert_int_equal(peek(m, IC0 + 4), 0);
    poke(m, IC0 + 0x40, 0x10);
    poke(m, IC0 + 0x4c, 0x300);
    poke(m, IC0 + 0x48, 0x60);
    poke(m, IC0 + 0x50, 0x10);
    poke(m, IC0 + 0x54, 0x200);
    assert_int_equal(peek(m, IC0 + 0x40), 0x60);
    assert_int_equal(peek(m, IC0 + 0x44), 0x100);
    assert_int_equal(peek(m, IC0 + 8), 0x60);
    assert_int_equal(peek(m, IC0 + 12), 0x100);
    assert_int_equal(peek(m, IC1 + 8), 0);
    poke(m, IC1 + 0x44, 7);
    assert_int_equal(peek(m, IC1 + 12), 7);
    assert_int_equal(peek(m, IC0 + 12), 0x100);
    poke(m, IC1 + 0x14, 0xffffffff);
    assert_int_equal(peek(m, IC1 + 0x14), 0x77777777);
    assert_int_equal(peek(m, IC0 + 0x14), 0);
    poke(m, IC0 + 0x30, 0x12345);
    assert_int_equal(peek(m, IC0 + 0x30), 0);
    assert_int_equal(peek(m, IC0 + 0x60), 0x494e5445);
    assert_int_equal(l.lines, 0);
    poke(m, IC0 + 0x34, 0x8000);
    assert_string_equal(l.last, "core 1 is told to start at 00008000: there is one core");
    /* Blocks that firmware touches: nothing is said of them. */
    poke(m, 0x7e100020, 1);
    assert_int_equal(peek(m, 0x7e100020), 0);
    assert_int_equal(l.lines, 1);
    assert_int_equal(weft_machine_lost_accesses(m), 0);
    weft_machine_free(m);
}

static uint8_t *put(uint8_t *at, unsigned size, uint32_t value)
{
    for (unsigned i = 0; i < size; i++)
        at[i] = (uint8_t)(value >> 8 * i);
    return at + size;
}

/* An executable with one segment, whose heading has one thing wrong. */
static void small_memories_are_told(void **state)
{
    (void)state;
    static const uint8_t byte[1] = {0};
    const weft_machine_options o = {.size = sizeof o, .sdram = 3 << 12};
    weft_diags *diags = weft_diags_new();
    weft_machine *m;
    assert_int_equal(weft_machine_new(&o, NULL, &m), WEFT_OK);
    assert_int_equal(weft_machine_load(m, "a.bin", byte, 1, 3 << 12, diags), WEFT_ERROR_INPUT);
    assert_non_null(strstr(weft_diags_get(diags, 0)->message, "there are 12 KiB from address 0 on"));
    assert_int_equal(weft_machine_add_device(m, NULL, diags), WEFT_ERROR_USAGE);
    weft_machine_free(m);
    weft_diags_free(diags);
}

static void elf_files_may_be_wrong(void **state)
{
    (void)state;
    static const struct {
        unsigned at, size;
        uint32_t value;
        const char *says;
    } faults[] = {
        {18, 2, 62, "the ELF file is not for the VPU (machine 137)"},
        {16, 2, 1, "the ELF file is not linked: an executable is needed"},
        {28, 4, 0x1000, "the program header table of the ELF file reaches beyond its end"},
        {42, 2, 8, "the program header table of the ELF file reaches beyond its end"},
        {44, 2, 9, "the program header table of the ELF file reaches beyond its end"},
        {52 + 16, 4, 0x1000, "a segment of the ELF file reaches beyond its end"},
        {52 + 4, 4, 0x1000, "a segment of the ELF file reaches beyond its end"},
        {52 + 20, 4, 1, "a segment of the ELF file reaches beyond its end"},
        {52 + 8, 4, 0x30000000, "a segment of the ELF file does not fit the memory"},
    };
    weft_machine *m = make(NULL, "bkpt\n");
    for (size_t i = 0; i <= sizeof faults / sizeof *faults; i++) {
        uint8_t bytes[88] = {0x7f, 'E', 'L', 'F', 1, 1, 1};
        weft_diags *diags = weft_diags_new();
        put(put(put(bytes + 16, 2, 2), 2, 137), 4, 1);
        put(put(bytes + 24, 4, 0x400), 4, 52); /* entry, program headers */
        put(put(put(bytes + 40, 2, 52), 2, 32), 2, 1);
        uint8_t *segment = put(put(put(put(bytes + 52, 4, 1), 4, 84), 4, 0x400), 4, 0x400);
        put(put(segment, 4, 4), 4, 4);
        put(bytes + 84, 4, 0); /* bkpt */
        bool wrong = i < sizeof faults / sizeof *faults;
        if (wrong)
            put(bytes + faults[i].at, faults[i].size, faults[i].value);
        weft_status status = weft_machine_load(m, "a.elf", bytes, sizeof bytes, 0, diags);
        if (status != (wrong ? WEFT_ERROR_INPUT : WEFT_OK))
            fail_msg("heading %zu: %s", i, weft_status_name(status));
        if (wrong)
            assert_string_equal(weft_diags_get(diags, 0)->message, faults[i].says);
        else
            assert_int_equal(weft_machine_register(m, WEFT_MACHINE_PC), 0x400);
        weft_diags_free(diags);
    }
    weft_machine_free(m);
}

/* ---- code that is written again and again ---- */

/* A function whose bytes are stored anew before each call. After 20000 of them the machine begins its translations
 * anew: registers, also of vectors, and the count of instructions go on. */
static void translations_begin_anew(void **state)
{
    (void)state;
    enum { CALLS = 20010, FUNCTION = 0x300 };
    weft_machine *m = make(NULL, "lp: st r1, (r2)\nbl r2\nsub r3, 1\ncmp r3, 0\nbne lp\nbkpt\n");
    uint32_t words = 0;
    load(m, FUNCTION, "add r0, 3\nrts\n");
    assert_int_equal(weft_machine_read(m, FUNCTION, &words, 4), WEFT_OK);
    weft_machine_set_register(m, 1, words);
    weft_machine_set_register(m, 2, FUNCTION);
    weft_machine_set_register(m, 3, CALLS);
    weft_machine_set_register(m, WEFT_MACHINE_PC, 0);
    weft_machine_set_vector(m, 5, 3, 0x12345678);
    assert_int_equal(weft_machine_run(m, 0), WEFT_MACHINE_BKPT);
    assert_int_equal(weft_machine_register(m, 0), 3 * CALLS);
    assert_int_equal(weft_machine_instructions(m), 7 * CALLS + 1);
    assert_int_equal(weft_machine_vector(m, 5, 3), 0x12345678);
    weft_machine_free(m);
}

/* ---- devices ---- */

/* Word 0 adds up what is stored; word 1 is the sum; byte 8 and half 10 are parts; word 3 refuses; word 4 ends the run;
 * word 5 raises interrupt 100. */
struct adder {
    uint32_t sum, last;
    unsigned loads, stores, sizes;
    weft_machine *machine;
};

static int adder_load(void *context, weft_machine *m, uint32_t offset, unsigned size, uint32_t *value)
{
    struct adder *a = context;
    a->loads++;
    a->sizes |= size;
    a->machine = m;
    *value = offset == 4 ? a->sum : 0xff00 + offset;
    return offset != 12;
}

static int adder_store(void *context, weft_machine *m, uint32_t offset, unsigned size, uint32_t value)
{
    struct adder *a = context;
    a->stores++;
    a->sizes |= size;
    a->last = value;
    if (offset == 0)
        a->sum += value;
    if (offset == 16)
        weft_machine_interrupt(m);
    if (offset == 20)
        assert_int_equal(weft_machine_raise(m, 100, 1), WEFT_OK);
    if (offset == 24)
        assert_int_equal(weft_machine_raise(m, 100, 0), WEFT_OK);
    return offset != 12;
}

static void add_device(weft_machine *m, struct adder *a)
{
    const weft_device d = {
        .size = sizeof d, .first = DEVICE, .bytes = 64, .context = a, .load = adder_load, .store = adder_store};
    assert_int_equal(weft_machine_add_device(m, &d, NULL), WEFT_OK);
}

/* Of the last bytes that there are: their end is not a number of 32 bits. */
static void the_last_bytes_are_watched(void **state)
{
    (void)state;
    struct adder a = {.sum = 0};
    const weft_device d = {
        .size = sizeof d, .first = 0xfffffff0, .bytes = 16, .context = &a, .load = adder_load, .store = adder_store};
    unsigned kinds;
    weft_machine *m = make(NULL, "mov r6, -16\nst r0, (r6)\nld r0, (r6+8)\nld r0, (r6+0)\nst r0, (r6+8)\nbkpt\n");
    assert_int_equal(weft_machine_add_device(m, &d, NULL), WEFT_OK);
    assert_int_equal(weft_machine_set_watch(m, 0xfffffff8, 8, WEFT_MACHINE_WATCH_READ, 1), WEFT_OK);
    assert_int_equal(weft_machine_run(m, 0), WEFT_MACHINE_WATCH);
    assert_int_equal(weft_machine_watched(m, &kinds), 0xfffffff8);
    assert_int_equal(weft_machine_instructions(m), 3);
    weft_machine_clear_points(m);
    assert_int_equal(weft_machine_set_watch(m, 0xfffffff9, 7, WEFT_MACHINE_WATCH_WRITE, 1), WEFT_OK);
    assert_int_equal(weft_machine_run(m, 0), WEFT_MACHINE_WATCH);
    assert_int_equal(weft_machine_instructions(m), 5);
    assert_int_equal(weft_machine_run(m, 0), WEFT_MACHINE_BKPT);
    weft_machine_free(m);
}

static void devices_are_reached(void **state)
{
    (void)state;
    struct adder a = {.sum = 0};
    weft_machine *m = make(NULL, "mov r6, 0x7e300000\nmov r1, 30\nst r1, (r6)\nmov r1, 12\nst r1, (r6)\n"
                                 "ld r0, (r6+4)\nldb r2, (r6+8)\nldh r3, (r6+10)\nmov r1, 0x12345678\nstb r1, (r6+8)\n"
                                 "sleep\n");
    add_device(m, &a);
    assert_int_equal(weft_machine_run(m, 0), WEFT_MACHINE_SLEEP);
    assert_int_equal(weft_machine_register(m, 0), 42);
    assert_int_equal(weft_machine_register(m, 2), 0x08);
    assert_int_equal(weft_machine_register(m, 3), 0xff0a);
    assert_int_equal(a.last, 0x78);
    assert_int_equal(a.loads, 3);
    assert_int_equal(a.stores, 3);
    assert_int_equal(a.sizes, 1 | 2 | 4);
    assert_ptr_equal(a.machine, m);
    /* it refuses */
    load(m, 0, "mov r6, 0x7e300000\nld r0, (r6+12)\nsleep\n");
    assert_int_equal(weft_machine_run(m, 0), WEFT_MACHINE_EXCEPTION);
    assert_int_equal(weft_machine_exception(m), 5);
    load(m, 0, "mov r6, 0x7e300000\nst r0, (r6+12)\nsleep\n");
    assert_int_equal(weft_machine_run(m, 0), WEFT_MACHINE_EXCEPTION);
    /* it ends the run */
    load(m, 0, "mov r6, 0x7e300000\nst r0, (r6+16)\nsleep\n");
    assert_int_equal(weft_machine_run(m, 0), WEFT_MACHINE_INTERRUPTED);
    assert_int_equal(weft_machine_run(m, 0), WEFT_MACHINE_SLEEP);
    weft_machine_free(m);
}

/* ---- registers in the middle of what is translated as a whole ---- */

enum { BODY = 10, SHOWN = 5, PASSES = 3 };

/* What r1 to r5 hold after each instruction of the body: worked out by hand. Much of it can be known in advance, is
 * computed twice or overwritten unread. Stores are where `stores` says. */
static const char body[] = "mov r1, 5\nadd r2, r1, 3\nmov r3, r2\nst r1, (r6)\nmov r2, 7\nadd r1, r2\nmov r3, 1\n"
                           "mov r3, r1\nst r1, (r6)\nsub r4, r1, r1\n";
static const uint32_t after[BODY][SHOWN] = {{5, 7, 12, 0, 9}, {5, 8, 12, 0, 9},  {5, 8, 8, 0, 9},  {5, 8, 8, 0, 9},
                                            {5, 7, 8, 0, 9},  {12, 7, 8, 0, 9},  {12, 7, 1, 0, 9}, {12, 7, 12, 0, 9},
                                            {12, 7, 12, 0, 9}, {12, 7, 12, 0, 9}};
static const unsigned stores[] = {3, 8};

static void assert_shown(const weft_machine *m, unsigned insn)
{
    for (unsigned r = 0; r < SHOWN; r++)
        if (weft_machine_register(m, r + 1) != after[insn][r])
            fail_msg("instruction %u: r%u is %u", insn, r + 1, weft_machine_register(m, r + 1));
}

static int look_at_registers(void *context, weft_machine *m, uint32_t offset, unsigned size, uint32_t value)
{
    unsigned *count = context;
    (void)offset, (void)size, (void)value;
    assert_shown(m, stores[(*count)++ % 2]);
    return 1;
}

/* The loop, before its first pass, with registers as each pass leaves them. */
static weft_machine *make_loop(weft_engine engine, unsigned *count)
{
    char text[400];
    const weft_machine_options o = {.size = sizeof o, .sdram = 1 << 16, .engine = engine};
    const weft_device d = {.size = sizeof d, .first = DEVICE, .bytes = 4, .context = count, .store = look_at_registers};
    *count = 0;
    snprintf(text, sizeof text, "lp: %saddcmpbne r7, -1, 0, lp\nsleep\n", body);
    weft_machine *m = make(&o, text);
    assert_int_equal(weft_machine_add_device(m, &d, NULL), WEFT_OK);
    for (unsigned r = 0; r < SHOWN; r++)
        weft_machine_set_register(m, r + 1, after[BODY - 1][r]);
    weft_machine_set_register(m, 6, DEVICE);
    weft_machine_set_register(m, 7, PASSES);
    return m;
}

static void registers_are_exact_inside_blocks(void **state)
{
    (void)state;
    static const weft_engine engines[] = {WEFT_ENGINE_INTERP, WEFT_ENGINE_JIT};
    for (unsigned e = 0; e < 2; e++) {
        unsigned count;
        uint32_t there[BODY];
        weft_machine *m = make_loop(engines[e], &count);
        assert_int_equal(weft_machine_run(m, 0), WEFT_MACHINE_SLEEP); /* the device looks */
        assert_int_equal(count, 2 * PASSES);
        weft_machine_free(m);
        m = make_loop(engines[e], &count);
        for (unsigned n = 0; n < PASSES * (BODY + 1); n++) { /* step by step */
            assert_int_equal(weft_machine_run(m, 1), WEFT_MACHINE_LIMIT);
            assert_shown(m, n % (BODY + 1) < BODY ? n % (BODY + 1) : BODY - 1);
            if (n < BODY)
                there[n] = weft_machine_register(m, WEFT_MACHINE_PC);
        }
        weft_machine_free(m);
        for (unsigned n = 0; n < BODY; n++) { /* to a breakpoint after so many */
            m = make_loop(engines[e], &count);
            assert_int_equal(weft_machine_set_break(m, there[n], 1), WEFT_OK);
            for (unsigned pass = 0; pass < PASSES; pass++) {
                assert_int_equal(weft_machine_run(m, 0), WEFT_MACHINE_BREAK);
                assert_shown(m, n);
            }
            weft_machine_free(m);
        }
    }
}

/* Compiled meanwhile, which takes a part of the instructions that it may run here; also when the JIT is there already
 * and has compiled nothing yet. */
static void hot_code_is_compiled_meanwhile(void **state)
{
    (void)state;
    enum { PART = 20000000, PARTS = 400 };
    const weft_machine_options o = {.size = sizeof o, .sdram = 1 << 16};
    const char *engine = getenv("WEFT_ENGINE");
    weft_engine_stats stats = {0};
    if (!weft_jit() || (engine && strcmp(engine, "interp") == 0))
        return;
    weft_machine *m = make(&o, "lp: add r3, r6\nsub r6, 1\nb lp\n");
    unsigned n = 0;
    for (; n < PARTS && !stats.native; n++) {
        assert_int_equal(weft_machine_run(m, PART), WEFT_MACHINE_LIMIT);
        weft_machine_get_engine(m, &stats);
    }
    assert_int_equal(stats.native, 1);
    assert_int_equal(weft_machine_run(m, PART), WEFT_MACHINE_LIMIT);
    uint64_t instructions = (uint64_t)PART * (n + 1), passes = instructions / 3;
    assert_int_equal(weft_machine_instructions(m), instructions);
    uint32_t subtracted = (uint32_t)(passes + (instructions % 3 == 2));
    assert_int_equal(weft_machine_register(m, 6), 0u - subtracted);
    uint64_t sum = passes * (passes - 1) / 2 + (instructions % 3 ? passes : 0); /* of 0, 1, 2, ..., taken away */
    assert_int_equal(weft_machine_register(m, 3), 0u - (uint32_t)sum);
    weft_machine_free(m);
}

static void a_vector_reaches_devices_lane_by_lane(void **state)
{
    (void)state;
    struct adder a = {.sum = 0};
    weft_machine *m = make(NULL, "mov r6, 0x7e300000\nv32st HY(0,0), (r6)\nsleep\n");
    add_device(m, &a);
    weft_machine_set_vector(m, 0, 0, 77);
    assert_int_equal(weft_machine_set_break(m, 0xf000, 1), WEFT_OK);
    weft_machine_stop stop = weft_machine_run(m, 0); /* lane 3 is refused: the access is an exception */
    assert_int_equal(stop, WEFT_MACHINE_EXCEPTION);
    assert_int_equal(a.sum, 77);
    weft_machine_free(m);
}

static void devices_come_before_weft_s_own(void **state)
{
    (void)state;
    struct adder a = {.sum = 5};
    weft_machine *m = make(NULL, "mov r6, 0x7e003000\nld r0, (r6+4)\nsleep\n");
    const weft_device d = {.first = 0x7e003000, .bytes = 32, .context = &a, .load = adder_load};
    assert_int_equal(weft_machine_add_device(m, &d, NULL), WEFT_OK);
    assert_int_equal(weft_machine_run(m, 0), WEFT_MACHINE_SLEEP);
    assert_int_equal(weft_machine_register(m, 0), 5);
    load(m, 0, "mov r6, 0x7e003000\nst r0, (r6+12)\nsleep\n"); /* it has no store */
    assert_int_equal(weft_machine_run(m, 0), WEFT_MACHINE_EXCEPTION);
    weft_machine_free(m);
}

static void devices_are_checked(void **state)
{
    (void)state;
    weft_machine *m = make(NULL, "sleep\n");
    weft_diags *diags = weft_diags_new();
    const uint32_t wrong[][2] = {{DEVICE, 0},     {0xffffff00, 0x200}, {0, 4},          {(128u << 20) - 4, 8},
                                 {0x47ffffff, 1}, {0x20000000, 4},     {0x6000ffff, 2}, {0x3fffffff, 2}};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const weft_device d = {.first = wrong[i][0], .bytes = wrong[i][1]};
        assert_int_equal(weft_machine_add_device(m, &d, diags), WEFT_ERROR_USAGE);
    }
    weft_device d = {.first = DEVICE, .bytes = 16};
    assert_int_equal(weft_machine_add_device(m, &d, diags), WEFT_OK);
    d.first += 15;
    assert_int_equal(weft_machine_add_device(m, &d, diags), WEFT_ERROR_USAGE);
    d.size = 7;
    assert_int_equal(weft_machine_add_device(m, &d, diags), WEFT_ERROR_USAGE);
    assert_int_equal(weft_diags_errors(diags), 10);
    for (unsigned i = 1; i < WEFT_MACHINE_DEVICES; i++) {
        d = (weft_device){.first = DEVICE + 16 * i, .bytes = 16};
        assert_int_equal(weft_machine_add_device(m, &d, NULL), WEFT_OK);
    }
    d.first += 16;
    assert_int_equal(weft_machine_add_device(m, &d, NULL), WEFT_ERROR_USAGE);
    weft_diags_free(diags);
    weft_machine_free(m);
}

/* ---- interrupts ---- */

/* Interrupt 100 with a priority, a table and a stack, and interrupts on; the handler counts in r9 and lowers the line.
 */
static void set_up_interrupts(weft_machine *m)
{
    const uint32_t handler = HANDLER;
    assert_int_equal(weft_machine_write(m, TABLE + 4 * 100, &handler, 4), WEFT_OK);
    load(m, HANDLER, "add r9, 1\nst r9, (r6+24)\nrti\n");
}

static const char interrupted[] = "mov sp, 0x8000\nmov r6, 0x7e300000\nmov r7, 0x7e002000\nmov r1, 0x4000\n"
                                  "st r1, (r7+0x30)\nmov r1, 0x70000\nst r1, (r7+0x20)\nei\n";

static void devices_interrupt(void **state)
{
    (void)state;
    char text[400];
    struct adder a = {.sum = 0};
    weft_machine *m;
    assert_int_equal(weft_machine_new(NULL, NULL, &m), WEFT_OK);
    set_up_interrupts(m);
    snprintf(text, sizeof text, "%sst r0, (r6+20)\nmov r0, 1\nb on\non: st r0, (r6+20)\nmov r0, 0\nlp: sleep\nb lp\n",
             interrupted);
    load(m, 0, text);
    add_device(m, &a);
    assert_int_equal(weft_machine_run(m, 10000), WEFT_MACHINE_SLEEP);
    assert_int_equal(weft_machine_register(m, 9), 2);
    /* from outside, while it sleeps */
    assert_int_equal(weft_machine_raise(m, 100, 1), WEFT_OK);
    assert_int_equal(weft_machine_run(m, 10000), WEFT_MACHINE_SLEEP);
    assert_int_equal(weft_machine_register(m, 9), 3);
    assert_int_equal(weft_machine_raise(m, 63, 1), WEFT_ERROR_USAGE);
    assert_int_equal(weft_machine_raise(m, 128, 1), WEFT_ERROR_USAGE);
    weft_machine_free(m);
}

static weft_machine *asleep;

static int wake(void *context)
{
    struct terminal *t = context;
    if (t->waits++ > 2)
        return 0;
    return weft_machine_raise(asleep, 100, 1) == WEFT_OK;
}

static void a_device_may_wake(void **state)
{
    (void)state;
    char text[400];
    struct terminal t = {.length = 0};
    struct adder a = {.sum = 0};
    const weft_machine_options o = {.size = sizeof o, .context = &t, .wait = wake};
    assert_int_equal(weft_machine_new(&o, NULL, &asleep), WEFT_OK);
    set_up_interrupts(asleep);
    snprintf(text, sizeof text, "%slp: sleep\nb lp\n", interrupted);
    load(asleep, 0, text);
    add_device(asleep, &a);
    assert_int_equal(weft_machine_run(asleep, 10000), WEFT_MACHINE_SLEEP);
    assert_int_equal(weft_machine_register(asleep, 9), 3);
    assert_int_equal(t.waits, 4);
    weft_machine_free(asleep);
}

/* What a run leaves. */
struct outcome {
    uint64_t instructions;
    uint32_t registers[16], places[5];
};

enum way { WHOLE, WITH_A_BREAKPOINT, WITH_A_WATCHPOINT, COMPILED, IN_STEPS /* and more: of so many instructions */ };

/* The timer interrupts a long block, whose places are kept; the program looks at the time, and writes over the next
 * instruction. */
static struct outcome outcome_of(unsigned way)
{
    struct outcome out = {0};
    const weft_machine_options o = {.size = sizeof o,
                                    .engine = way == COMPILED ? WEFT_ENGINE_JIT : WEFT_ENGINE_INTERP};
    const uint32_t handler = HANDLER;
    weft_machine_stop stop = WEFT_MACHINE_LIMIT;
    weft_machine *m;
    assert_int_equal(weft_machine_new(&o, NULL, &m), WEFT_OK);
    assert_int_equal(weft_machine_write(m, TABLE + 4 * 64, &handler, 4), WEFT_OK);
    load(m, HANDLER, "ld r12, (sp+4)\nst r12, (r10++)\nld r12, (r8+4)\nadd r12, 3\nst r12, (r8+0xc)\n"
                     "mov r12, 1\nst r12, (r8)\nadd r9, 1\nrti\n");
    load(m, 0, "mov sp, 0x8000\nmov r7, 0x7e002000\nmov r1, 0x4000\nst r1, (r7+0x30)\nmov r1, 7\nst r1, (r7+0x10)\n"
               "mov r8, 0x7e003000\nmov r1, 3\nst r1, (r8+0xc)\nmov r10, 0x9000\nei\n"
               "lp: .rept 20\nadd r2, r3\nadd r3, 1\n.endr\nld r4, (r8+4)\nadd r5, r4\ncmp r9, 5\nbne lp\n"
               "lea r1, patch\nlea r0, other\nldh r0, (r0)\nsth r0, (r1)\npatch: mov r11, 1\nbkpt\n"
               "other: mov r11, 2\n");
    if (way == WITH_A_BREAKPOINT)
        assert_int_equal(weft_machine_set_break(m, 0x10000, 1), WEFT_OK);
    if (way == WITH_A_WATCHPOINT)
        assert_int_equal(weft_machine_set_watch(m, 0x10000, 4, WEFT_MACHINE_WATCH_WRITE, 1), WEFT_OK);
    for (unsigned runs = 0; stop == WEFT_MACHINE_LIMIT && runs < 100000; runs++)
        stop = weft_machine_run(m, way >= IN_STEPS ? way - IN_STEPS + 1 : 100000);
    assert_int_equal(stop, WEFT_MACHINE_BKPT);
    out.instructions = weft_machine_instructions(m);
    for (unsigned r = 0; r < 16; r++)
        out.registers[r] = weft_machine_register(m, r);
    assert_int_equal(weft_machine_read(m, 0x9000, out.places, sizeof out.places), WEFT_OK);
    weft_machine_free(m);
    return out;
}

static void a_run_is_the_same_in_parts(void **state)
{
    (void)state;
    static const unsigned ways[] = {WITH_A_BREAKPOINT, WITH_A_WATCHPOINT, COMPILED,      IN_STEPS,
                                    IN_STEPS + 6,      IN_STEPS + 63,     IN_STEPS + 332};
    struct outcome whole = outcome_of(WHOLE);
    assert_int_equal(whole.registers[9], 5);
    assert_int_equal(whole.registers[11], 2);
    assert_int_not_equal(whole.places[1], whole.places[2]);
    for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct outcome part = outcome_of(ways[i]);
        if (memcmp(&whole, &part, sizeof whole) != 0)
            fail_msg("way %u: %llu instructions rather than %llu", ways[i], (unsigned long long)part.instructions,
                     (unsigned long long)whole.instructions);
    }
}

/* A step at an instruction that faults, or before which an interrupt comes, is the entry of the handler; a breakpoint
 * at its first instruction stops there. */
static void steps_enter_handlers(void **state)
{
    (void)state;
    const uint32_t handler = HANDLER;
    weft_machine *m;
    assert_int_equal(weft_machine_new(NULL, NULL, &m), WEFT_OK);
    set_up_interrupts(m);
    assert_int_equal(weft_machine_write(m, TABLE + 4 * 2, &handler, 4), WEFT_OK);
    load(m, 0, interrupted);
    assert_int_equal(weft_machine_run(m, 8), WEFT_MACHINE_LIMIT);
    load(m, 0x1000, "div.uu r1, r2\nsleep\n");
    assert_int_equal(weft_machine_run(m, 1), WEFT_MACHINE_LIMIT);
    assert_int_equal(weft_machine_register(m, WEFT_MACHINE_PC), HANDLER);
    assert_int_equal(weft_machine_instructions(m), 8);
    load(m, 0x1000, "div.uu r1, r2\nsleep\n");
    assert_int_equal(weft_machine_set_break(m, HANDLER, 1), WEFT_OK);
    assert_int_equal(weft_machine_run(m, 0), WEFT_MACHINE_BREAK);
    assert_int_equal(weft_machine_instructions(m), 8);
    weft_machine_clear_points(m);
    /* interrupts are on again, and the line is raised while one instruction runs */
    load(m, 0x1000, "ei\nmov r1, 1\nsleep\n");
    assert_int_equal(weft_machine_run(m, 1), WEFT_MACHINE_LIMIT);
    assert_int_equal(weft_machine_raise(m, 100, 1), WEFT_OK);
    assert_int_equal(weft_machine_run(m, 1), WEFT_MACHINE_LIMIT);
    assert_int_equal(weft_machine_register(m, WEFT_MACHINE_PC), HANDLER);
    assert_int_equal(weft_machine_register(m, 1), 0x70000);
    weft_machine_free(m);
}

/* A function of the caller's that raises an interrupt while code runs: it is taken soon, not in a million
 * instructions. */
static void raise_once(void *context)
{
    weft_machine **m = context;
    if (*m)
        assert_int_equal(weft_machine_raise(*m, 100, 1), WEFT_OK);
    *m = NULL;
}

static void functions_interrupt(void **state)
{
    (void)state;
    char text[400];
    weft_machine *m, *raised = NULL;
    struct adder a = {.sum = 0};
    const weft_machine_options o = {.size = sizeof o, .context = &raised, .pass = raise_once};
    assert_int_equal(weft_machine_new(&o, NULL, &m), WEFT_OK);
    set_up_interrupts(m);
    add_device(m, &a);
    snprintf(text, sizeof text, "%slp: add r2, 1\ncmp r9, 1\nbne lp\nbkpt\n", interrupted);
    load(m, 0, text);
    assert_int_equal(weft_machine_run(m, 100), WEFT_MACHINE_LIMIT);
    raised = m;
    assert_int_equal(weft_machine_run(m, 1000000), WEFT_MACHINE_BKPT);
    assert_true(weft_machine_instructions(m) < 300);
    weft_machine_free(m);
}

/* Bytes and halves of weft's own registers, which are words. */
static void narrow_accesses_see_parts(void **state)
{
    (void)state;
    weft_machine *m = make(NULL, "mov r6, 0x7e002000\nld r0, (r6+0x3c)\nldb r1, (r6+0x3d)\nldh r2, (r6+0x3e)\nsleep\n");
    assert_int_equal(weft_machine_run(m, 0), WEFT_MACHINE_SLEEP);
    assert_int_equal(weft_machine_register(m, 0), 0x494e5445); /* the block's name */
    assert_int_equal(weft_machine_register(m, 1), 0x54);
    assert_int_equal(weft_machine_register(m, 2), 0x494e);
    weft_machine_free(m);
}

TEST_MAIN(TEST(runs_and_steps), TEST(registers_and_memory), TEST(registers_are_apart), TEST(points_stop),
          TEST(exceptions_stop), TEST(refuses), TEST(elf_files_are_entered_where_they_say),
          TEST(uarts_speak), TEST(devices_are_reached),
          TEST(the_mini_uart_has_registers), TEST(the_pl011_has_registers), TEST(pins_are_driven),
          TEST(interrupts_are_forced), TEST(elf_files_may_be_wrong),
          TEST(translations_begin_anew),
          TEST(registers_are_exact_inside_blocks), TEST(hot_code_is_compiled_meanwhile),
          TEST(a_vector_reaches_devices_lane_by_lane), TEST(devices_come_before_weft_s_own),
          TEST(devices_are_checked), TEST(devices_interrupt), TEST(narrow_accesses_see_parts),
          TEST(a_device_may_wake), TEST(a_run_is_the_same_in_parts), TEST(steps_enter_handlers),
          TEST(functions_interrupt), TEST(small_memories_are_told),
          TEST(the_last_bytes_are_watched))
