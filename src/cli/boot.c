/* boot.c - weft boot: a bare program on the machine. */
#include "cli/boot_uart.h"
#include "cli/cli.h"
#include "cli/gdb_server.h"
#include "device/machine/machine.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { KEY_LOAD = 256, KEY_UART, KEY_LIMIT, KEY_DUMP, KEY_REGS, KEY_STATS, KEY_GDB, KEY_SDRAM, KEY_CPU, KEY_LOG };
enum { MOST_DUMPS = 64 };

struct boot_dump {
    uint64_t address, length;
    const char *file;
};

struct boot_args {
    uint64_t load, limit, gdb, sdram;
    const char *uart;
    struct boot_dump dumps[MOST_DUMPS];
    size_t ndumps;
    bool regs, stats, debug, log;
    enum exec_level level;
};

static const struct cli_option options[] = {
    {KEY_LOAD, "load", "ADDR", "address of a flat image, which is entered there (default: 0); ELF files say their own"},
    {KEY_UART, "uart", "WHERE",
     "the UARTs: - is standard input and output (default), pty a pseudo-terminal, or a file to write"},
    {KEY_SDRAM, "sdram", "MIB", "size of the memory: 1 to 512 MiB (default: 128)"},
    {KEY_LIMIT, "limit", "N", "stop after N instructions; exit status 1"},
    {KEY_DUMP, "dump", "ADDR:LENGTH=FILE", "write memory to a file at the end"},
    {KEY_REGS, "regs", NULL, "print the registers at the end"},
    {KEY_STATS, "stats", NULL, "print how many instructions were executed, and their rate"},
    {KEY_LOG, "log", NULL, "print accesses to unknown peripherals and changes of GPIO as they come"},
    {KEY_GDB, "gdb", "PORT", "wait for a GDB client on port PORT of the loopback interface; 0: any free one"},
    {KEY_CPU, "cpu", "LEVEL", "best (default), baseline, avx2 or avx512: the same bits, another speed"},
    {0},
};

/* ---- arguments ---- */

static bool take_number(const struct cli_args *a, const char *name, uint64_t least, uint64_t most, uint64_t *n)
{
    if (cli_number(a->value, least, most, n))
        return true;
    cli_wrong(a->command, "--%s is a number from %" PRIu64 " to %" PRIu64 ", not '%s'", name, least, most, a->value);
    return false;
}

static bool take_dump(struct boot_args *b, const struct cli_args *a)
{
    char numbers[2][32];
    const char *colon = strchr(a->value, ':'), *equals = colon ? strchr(colon, '=') : NULL;
    struct boot_dump *d = &b->dumps[b->ndumps];
    if (b->ndumps == MOST_DUMPS) {
        cli_wrong(a->command, "--dump can be given %d times", MOST_DUMPS);
        return false;
    }
    if (equals && equals[1]) {
        snprintf(numbers[0], sizeof numbers[0], "%.*s", (int)(colon - a->value), a->value);
        snprintf(numbers[1], sizeof numbers[1], "%.*s", (int)(equals - colon - 1), colon + 1);
        if (cli_number(numbers[0], 0, UINT32_MAX, &d->address) && cli_number(numbers[1], 0, UINT32_MAX, &d->length)) {
            d->file = equals + 1;
            b->ndumps++;
            return true;
        }
    }
    cli_wrong(a->command, "--dump is ADDR:LENGTH=FILE, not '%s'", a->value);
    return false;
}

static bool take_level(struct boot_args *b, const struct cli_args *a)
{
    if (strcmp(a->value, "best") == 0)
        return true;
    for (unsigned l = 0; l < EXEC_LEVELS; l++)
        if (strcmp(a->value, exec_level_name((enum exec_level)l)) == 0) {
            b->level = exec_level_usable((enum exec_level)l) ? (enum exec_level)l : exec_best_level();
            return true;
        }
    cli_wrong(a->command, "--cpu is best, baseline, avx2 or avx512, not '%s'", a->value);
    return false;
}

static bool take(struct boot_args *b, const struct cli_args *a, int key)
{
    switch (key) {
    case KEY_LOAD:
        return take_number(a, "load", 0, UINT32_MAX, &b->load);
    case KEY_UART:
        b->uart = a->value;
        return true;
    case KEY_SDRAM:
        return take_number(a, "sdram", 1, 512, &b->sdram);
    case KEY_LIMIT:
        return take_number(a, "limit", 1, UINT64_MAX, &b->limit);
    case KEY_DUMP:
        return take_dump(b, a);
    case KEY_REGS:
        return b->regs = true;
    case KEY_STATS:
        return b->stats = true;
    case KEY_LOG:
        return b->log = true;
    case KEY_GDB:
        b->debug = true;
        return take_number(a, "gdb", 0, 65535, &b->gdb);
    default:
        return take_level(b, a);
    }
}

/* ---- the machine's functions ---- */

struct host {
    struct boot_uart uart;
    bool log;
};

static void transmit(void *context, uint8_t byte) { boot_uart_transmit(&((struct host *)context)->uart, byte); }
static int receive(void *context) { return boot_uart_receive(&((struct host *)context)->uart); }
static void pass(void *context) { boot_uart_pass(&((struct host *)context)->uart); }

static void log_line(void *context, const char *line)
{
    const struct host *h = context;
    if (h->log)
        fprintf(stderr, "weft boot: %s\n", line);
}

/* Ctrl-C and the like end the run, which still shows what was asked for. */
static struct machine *running;

static void on_interrupt(int signal)
{
    (void)signal;
    if (running)
        machine_interrupt(running);
}

static void catch_signals(void (*handler)(int))
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        signal(signals[i], handler);
}

/* A debugger that wants something ends sleep too. */
static bool wait_for_input(void *context)
{
    struct boot_uart *u = &((struct host *)context)->uart;
    bool more = boot_uart_wait(u);
    if (more && u->input_at == u->input_end && running)
        machine_interrupt(running);
    return more;
}

/* ---- the end ---- */

static void print_registers(const struct machine *m)
{
    static const char *const roles[32] = {[24] = "gp", [25] = "sp", [26] = "lr", [28] = "esp",
                                          [29] = "tp", [30] = "sr", [31] = "pc"};
    for (unsigned r = 0; r < 32; r++)
        printf("r%-2u %-3s %08x%s", r, roles[r] ? roles[r] : "", machine_register(m, r), r % 4 == 3 ? "\n" : "   ");
}

static int write_dumps(const struct boot_args *b, struct machine *m)
{
    int status = STATUS_FINE;
    for (size_t i = 0; i < b->ndumps && status == STATUS_FINE; i++) {
        const struct boot_dump *d = &b->dumps[i];
        uint8_t *bytes = malloc((size_t)d->length + 1);
        if (!bytes || !machine_read(m, (uint32_t)d->address, bytes, (size_t)d->length)) {
            cli_message("--dump: there is no memory of %" PRIu64 " bytes at 0x%" PRIx64, d->length, d->address);
            status = STATUS_INPUT;
        } else {
            status = cli_write(d->file, bytes, (size_t)d->length);
        }
        free(bytes);
    }
    return status;
}

static int tell_exception(const struct machine *m, uint32_t pc)
{
    unsigned number = machine_exception(m);
    uint32_t stack;
    fprintf(stderr, "weft boot: %s %u (%s) at 0x%x, ", number < 64 ? "exception" : "interrupt", number,
            machine_exception_name(number), pc);
    if (machine_lacked(m, &stack) == MACHINE_NO_STACK)
        fprintf(stderr, "whose handler has no stack: pc and sr cannot be pushed below 0x%x\n", stack);
    else
        fprintf(stderr, "which has no handler\n");
    return STATUS_INPUT;
}

/* Where and why it stopped, on standard error; the exit status. */
static int tell_stop(const struct machine *m, enum machine_stop stop)
{
    uint32_t pc = machine_pc(m), r0 = machine_register(m, 0);
    switch (stop) {
    case MACHINE_SLEEP:
        fprintf(stderr, "weft boot: sleep at 0x%x, r0 = 0x%x\n", pc, r0);
        return r0 == 0 ? STATUS_FINE : STATUS_INPUT;
    case MACHINE_BREAKPOINT:
        fprintf(stderr, "weft boot: bkpt at 0x%x\n", pc);
        return STATUS_INPUT;
    case MACHINE_EXCEPTION:
        return tell_exception(m, pc);
    case MACHINE_LIMIT:
        fprintf(stderr, "weft boot: stopped at 0x%x after %" PRIu64 " instructions\n", pc, machine_instructions(m));
        return STATUS_INPUT;
    case MACHINE_ERROR:
        fprintf(stderr, "weft boot: error at 0x%x: %s\n", pc, machine_error(m));
        return STATUS_INPUT;
    default:
        fprintf(stderr, "weft boot: interrupted at 0x%x\n", pc);
        return STATUS_INPUT;
    }
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* With a debugger; true: it has left the machine to run, *limit instructions. */
static bool debug(struct gdb_link *link, struct machine *m, struct host *host, uint64_t *limit, enum machine_stop *stop)
{
    host->uart.at_once = true;
    host->uart.also = link->fd;
    enum gdb_end end = gdb_serve(link, m, *limit, stop);
    gdb_link_close(link);
    host->uart.also = -1;
    host->uart.at_once = false;
    if (*limit)
        *limit -= machine_instructions(m);
    return end == GDB_DETACHED;
}

static int run_machine(const struct boot_args *b, struct machine *m, struct host *host)
{
    enum machine_stop stop = MACHINE_STOPPED;
    struct gdb_link link;
    uint64_t limit = b->limit;
    if (b->debug && !gdb_link_open(&link, (unsigned)b->gdb))
        return STATUS_INPUT;
    double start = seconds();
    running = m;
    catch_signals(on_interrupt);
    if (!b->debug || debug(&link, m, host, &limit, &stop))
        stop = machine_run(m, limit);
    catch_signals(SIG_DFL);
    running = NULL;
    double took = seconds() - start;
    boot_uart_flush(&host->uart);
    int status = tell_stop(m, stop);
    if (b->regs)
        print_registers(m);
    if (b->stats)
        fprintf(stderr, "weft boot: %" PRIu64 " instructions in %.3f s, %.1f million a second\n",
                machine_instructions(m), took, (double)machine_instructions(m) / took * 1e-6);
    int dumped = write_dumps(b, m);
    if (host->uart.failed)
        cli_message("cannot write what the UART says");
    return dumped != STATUS_FINE ? dumped : host->uart.failed ? STATUS_INPUT : status;
}

/* No byte that text has not: machine code has zeros and high bytes soon. */
static bool is_text(const struct cli_bytes *in)
{
    for (size_t i = 0; i < in->size; i++) {
        unsigned char c = (unsigned char)in->data[i];
        if (c >= 0x7f || (c < ' ' && c != '\n' && c != '\t' && c != '\r'))
            return false;
    }
    return in->size != 0;
}

static int boot(const struct boot_args *b, const char *path)
{
    struct cli_bytes in;
    struct host host = {.log = b->log};
    if (!cli_read(path, &in))
        return STATUS_INPUT;
    if (is_text(&in)) {
        cli_message("'%s' is text: 'weft asm -i vpu' makes the image that runs", path);
        free(in.data);
        return STATUS_INPUT;
    }
    if (!boot_uart_open(&host.uart, b->uart)) {
        free(in.data);
        return STATUS_INPUT;
    }
    struct machine_params params = {.sdram = (uint32_t)b->sdram << 20,
                                    .level = b->level,
                                    .context = &host,
                                    .transmit = transmit,
                                    .receive = receive,
                                    .wait = wait_for_input,
                                    .pass = pass,
                                    .log = log_line};
    weft_diags *diags = weft_diags_new();
    struct machine *m = diags ? machine_new(&params) : NULL;
    int status = STATUS_INPUT;
    if (!m)
        cli_message("out of memory");
    else if (machine_load(m, in.name, (const uint8_t *)in.data, in.size, (uint32_t)b->load, diags) != WEFT_OK)
        cli_report(diags);
    else
        status = run_machine(b, m, &host);
    machine_free(m);
    weft_diags_free(diags);
    boot_uart_close(&host.uart);
    free(in.data);
    return status;
}

static int run(int argc, char **argv)
{
    struct boot_args b = {.uart = "-", .sdram = 128, .level = exec_best_level()};
    struct cli_args a = {.command = &command_boot, .argc = argc, .argv = argv};
    int key;
    while ((key = cli_next(&a)) != OPTION_END) {
        if (key == OPTION_STOP)
            return a.status;
        if (!take(&b, &a, key))
            return STATUS_USAGE;
    }
    int first = cli_operands(&a);
    if (argc - first != 1)
        return cli_wrong(&command_boot, "which program? Give one flat image or ELF file");
    return boot(&b, argv[first]);
}

const struct cli_command command_boot = {
    "boot",
    "IMAGE [--load ADDR] [--uart WHERE] [--limit N] [--dump ADDR:LENGTH=FILE] [--regs] [--stats]\n"
    "                 [--gdb PORT]",
    "run a bare VPU program on the machine",
    "A flat image is loaded at --load and entered there with all registers zero, an ELF executable at its addresses.\n"
    "It runs until it halts: bkpt, an exception without a handler, or sleep when nothing enabled could wake it; where\n"
    "and why goes to standard error. Exit status 0: sleep with r0 = 0. 250 instructions are a microsecond of the\n"
    "system timer.",
    options,
    run,
};
