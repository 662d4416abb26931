/* boot.c - weft boot: a bare program on the machine. */
#include "cli/boot_trace.h"
#include "cli/boot_uart.h"
#include "cli/cli.h"
#include "cli/gdb_server.h"
#include "cli/limits.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum { KEY_LOAD = 256, KEY_UART, KEY_LIMIT, KEY_DUMP, KEY_REGS, KEY_STATS, KEY_GDB, KEY_SDRAM, KEY_CPU, KEY_LOG,
       KEY_ENGINE, KEY_ENTRY, KEY_TRACE, KEY_SET };
enum { MOST_DUMPS = 64, REGISTERS = 31 /* without pc, which --entry gives */ };

struct boot_dump {
    uint64_t address, length;
    const char *file;
};

struct boot_args {
    uint64_t load, entry, limit, gdb, sdram;
    const char *uart, *trace, *entry_name; /* NULL: --entry is an address */
    struct boot_dump dumps[MOST_DUMPS];
    size_t ndumps;
    uint32_t values[REGISTERS]; /* that --set gives */
    bool is_set[REGISTERS];
    bool regs, stats, debug, log, has_entry, has_load;
    weft_cpu_level level;
    weft_engine engine;
};

static const struct cli_option options[] = {
    {KEY_LOAD, "load", "ADDR", "address of a flat image, which is entered there (default: 0); ELF files say their own"},
    {KEY_ENTRY, "entry", "ADDR", "where it starts, or a symbol of an ELF file (default: at --load, or as that says)"},
    {KEY_SET, "set", "REG=VALUE", "what a register holds at the start: r0 to r30, gp, sp, lr or sr (default: 0)", true},
    {KEY_UART, "uart", "WHERE",
     "the UARTs: - (standard input and output, the default), pty (a pseudo-terminal), or a file to write"},
    {KEY_SDRAM, "sdram", "MIB", "size of the memory: 1 to 512 MiB (default: 128)"},
    {KEY_LIMIT, "limit", "N", "stop after N instructions; exit status 1"},
    {KEY_LIMIT, "budget", "N", "the same"},
    {KEY_DUMP, "dump", "ADDR:LENGTH=FILE", "write memory to a file at the end", true},
    {KEY_REGS, "regs", NULL, "print the registers at the end"},
    {KEY_STATS, "stats", NULL, "print how many instructions were executed, their rate, and what is compiled"},
    {KEY_LOG, "log", NULL, "print accesses to unknown peripherals and changes of GPIO as they come"},
    {KEY_TRACE, "trace", "FILE", "a line of JSON for each instruction: its address, its text, what it changed"},
    {KEY_GDB, "gdb", "PORT", "wait for a GDB client on port PORT of the loopback interface; 0: any free one"},
    {KEY_CPU, "cpu", "LEVEL", "best (default), baseline, avx2 or avx512: the same bits, another speed"},
    {KEY_ENGINE, "engine", "ENGINE", CLI_ENGINE_HELP},
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

/* r0 to r30 or a name; REGISTERS: none. */
static unsigned register_number(const char *name, size_t length)
{
    static const struct {
        const char *name;
        unsigned number;
    } roles[] = {{"gp", 24}, {"sp", WEFT_MACHINE_SP}, {"lr", WEFT_MACHINE_LR}, {"sr", WEFT_MACHINE_SR}};
    char digits[4];
    uint64_t number;
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++)
        if (strlen(roles[i].name) == length && strncmp(name, roles[i].name, length) == 0)
            return roles[i].number;
    if (length < 2 || length > 3 || name[0] != 'r')
        return REGISTERS;
    snprintf(digits, sizeof digits, "%.*s", (int)length - 1, name + 1);
    return cli_number(digits, 0, REGISTERS - 1, &number) ? (unsigned)number : REGISTERS;
}

static bool take_register(struct boot_args *b, const struct cli_args *a)
{
    size_t length = strcspn(a->value, "=");
    unsigned number = register_number(a->value, length);
    uint64_t value;
    if (a->value[length] != '=' || number == REGISTERS || !cli_number(a->value + length + 1, 0, UINT32_MAX, &value)) {
        cli_wrong(a->command, "--set is REG=VALUE with a register r0 to r30, gp, sp, lr or sr and 32 bits, not '%s'",
                  a->value);
        return false;
    }
    if (b->is_set[number]) {
        cli_wrong(a->command, "--set %s: r%u is given twice", a->value, number);
        return false;
    }
    b->values[number] = (uint32_t)value;
    return b->is_set[number] = true;
}

static bool take_level(struct boot_args *b, const struct cli_args *a)
{
    static const char *const names[] = {[WEFT_CPU_BEST] = "best",
                                        [WEFT_CPU_BASELINE] = "baseline",
                                        [WEFT_CPU_AVX2] = "avx2",
                                        [WEFT_CPU_AVX512] = "avx512"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(a->value, names[i]) == 0) {
            b->level = (weft_cpu_level)i;
            return true;
        }
    cli_wrong(a->command, "--cpu is best, baseline, avx2 or avx512, not '%s'", a->value);
    return false;
}

static bool take(struct boot_args *b, const struct cli_args *a, int key)
{
    switch (key) {
    case KEY_LOAD:
        b->has_load = true;
        return take_number(a, "load", 0, UINT32_MAX, &b->load);
    case KEY_ENTRY:
        b->has_entry = true;
        b->entry_name = *a->value >= '0' && *a->value <= '9' ? NULL : a->value;
        return b->entry_name || take_number(a, "entry", 0, UINT32_MAX, &b->entry);
    case KEY_SET:
        return take_register(b, a);
    case KEY_TRACE:
        b->trace = a->value;
        return true;
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
    case KEY_ENGINE:
        return cli_take_engine(a, &b->engine);
    default:
        return take_level(b, a);
    }
}

/* ---- the machine's functions ---- */

struct host {
    struct boot_uart uart;
};

static void transmit(void *context, uint8_t byte) { boot_uart_transmit(&((struct host *)context)->uart, byte); }
static int receive(void *context) { return boot_uart_receive(&((struct host *)context)->uart); }
static void pass(void *context) { boot_uart_pass(&((struct host *)context)->uart); }

static void log_line(void *context, const char *line)
{
    (void)context;
    fprintf(stderr, "weft boot: %s\n", line);
}

/* Ctrl-C and the like end the run, which still shows what was asked for. */
static weft_machine *running;
static volatile sig_atomic_t signalled;
static volatile sig_atomic_t debugger = -1; /* its connection */

static void on_interrupt(int signal)
{
    (void)signal;
    signalled = 1;
    if (running)
        weft_machine_interrupt(running);
    if (debugger >= 0)
        shutdown(debugger, SHUT_RDWR); /* what waits for a packet goes on */
}

static void catch_signals(void (*handler)(int))
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        signal(signals[i], handler);
}

/* A debugger that wants something ends sleep too. */
static int wait_for_input(void *context)
{
    struct boot_uart *u = &((struct host *)context)->uart;
    bool more = boot_uart_wait(u);
    if (more && u->input_at == u->input_end && running)
        weft_machine_interrupt(running);
    return more;
}

/* ---- the end ---- */

static void print_registers(const weft_machine *m)
{
    static const char *const roles[32] = {[24] = "gp", [25] = "sp", [26] = "lr", [28] = "esp",
                                          [29] = "tp", [30] = "sr", [31] = "pc"};
    for (unsigned r = 0; r < 32; r++)
        printf("r%-2u %-3s %08x%s", r, roles[r] ? roles[r] : "", weft_machine_register(m, r),
               r % 4 == 3 ? "\n" : "   ");
}

static int write_dumps(const struct boot_args *b, const weft_machine *m)
{
    int status = STATUS_FINE;
    for (size_t i = 0; i < b->ndumps && status == STATUS_FINE; i++) {
        const struct boot_dump *d = &b->dumps[i];
        uint8_t *bytes = cli_kept(malloc((size_t)d->length + 1));
        if (!bytes || weft_machine_read(m, (uint32_t)d->address, bytes, (size_t)d->length) != WEFT_OK) {
            cli_message("--dump: there is no memory of %" PRIu64 " bytes at 0x%" PRIx64, d->length, d->address);
            status = STATUS_INPUT;
        } else {
            status = cli_write(d->file, bytes, (size_t)d->length);
        }
        free(bytes);
    }
    return status;
}

/* Where and why it stopped, on standard error; the exit status. */
static int tell_stop(const weft_machine *m, weft_machine_stop stop, const struct boot_symbols *symbols)
{
    char text[300], where[WEFT_INSN_TEXT + 300];
    weft_machine_stop_text(m, stop, text, sizeof text);
    fprintf(stderr, "weft boot: %s\n", text);
    if (stop != WEFT_MACHINE_SLEEP && stop != WEFT_MACHINE_BKPT) {
        boot_symbols_where(symbols, m, where, sizeof where);
        fprintf(stderr, "weft boot: at %s\n", where);
    }
    return stop == WEFT_MACHINE_SLEEP && weft_machine_register(m, 0) == 0 ? STATUS_FINE : STATUS_INPUT;
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* With a debugger; true: it has left the machine to run, *limit instructions. */
static bool debug(struct gdb_link *link, weft_machine *m, struct host *host, uint64_t *limit, weft_machine_stop *stop)
{
    host->uart.at_once = true;
    host->uart.also = link->fd;
    debugger = link->fd;
    enum gdb_end end = gdb_serve(link, m, *limit, stop);
    debugger = -1;
    gdb_link_close(link);
    host->uart.also = -1;
    host->uart.at_once = false;
    if (*limit)
        *limit -= weft_machine_instructions(m);
    return end == GDB_DETACHED && !signalled;
}

static int run_machine(const struct boot_args *b, weft_machine *m, const struct boot_symbols *symbols,
                       struct host *host)
{
    weft_machine_stop stop = WEFT_MACHINE_INTERRUPTED;
    struct gdb_link link;
    uint64_t limit = b->limit;
    int untraced = 0;
    if (b->debug && !gdb_link_open(&link, (unsigned)b->gdb))
        return STATUS_INPUT;
    double start = seconds();
    running = m;
    catch_signals(on_interrupt);
    if (b->trace)
        stop = boot_trace_run(m, symbols, limit, b->trace, &untraced);
    else if (!b->debug || debug(&link, m, host, &limit, &stop))
        stop = weft_machine_run(m, limit);
    catch_signals(SIG_DFL);
    running = NULL;
    double took = seconds() - start;
    boot_uart_flush(&host->uart);
    if (untraced)
        return STATUS_INPUT;
    int status = tell_stop(m, stop, symbols);
    if (!b->log && weft_machine_lost_accesses(m))
        fprintf(stderr, "weft boot: accesses to peripherals that are not there, or not enabled: %" PRIu64
                        "; --log shows them\n", weft_machine_lost_accesses(m));
    if (b->regs)
        print_registers(m);
    if (b->stats) {
        weft_engine_stats engine;
        fprintf(stderr, "weft boot: %" PRIu64 " instructions in %.3f s, %.1f million a second\n",
                weft_machine_instructions(m), took, (double)weft_machine_instructions(m) / took * 1e-6);
        weft_machine_get_engine(m, &engine);
        cli_show_engine(stderr, &engine);
    }
    int dumped = write_dumps(b, m);
    if (host->uart.failed)
        cli_message("cannot write what the UART says");
    return dumped != STATUS_FINE ? dumped : host->uart.failed ? STATUS_INPUT : status;
}

/* sr before the others: which stack pointer is sp depends on it. */
static void set_registers(const struct boot_args *b, weft_machine *m, uint32_t entry)
{
    for (unsigned r = REGISTERS; r-- > 0;)
        if (b->is_set[r])
            weft_machine_set_register(m, r, b->values[r]);
    if (b->has_entry)
        weft_machine_set_register(m, WEFT_MACHINE_PC, entry);
}

/* False, having said so, where the file is not an image, or the options are not for it. */
static bool image_fits(const struct boot_args *b, const struct cli_bytes *in)
{
    bool elf = boot_is_elf(in);
    if (in->size == 0)
        cli_message("'%s' is empty", in->name);
    else if (cli_is_ascii(in))
        cli_message("'%s' is text: 'weft asm -i vpu' makes the image that runs", in->name);
    else if (b->entry_name && !elf)
        cli_message("--entry %s: '%s' is a flat image, which has no symbols: give an address", b->entry_name, in->name);
    else if (b->has_load && elf)
        cli_message("'%s' is an ELF file, which says its own addresses: leave out --load", in->name);
    else if (b->load % 2 && !b->has_entry)
        cli_message("instructions are at even addresses, not at 0x%" PRIx64 ": give another --load, or --entry",
                    b->load);
    else
        return true;
    return false;
}

static int boot(const struct boot_args *b, const char *path)
{
    struct cli_bytes in;
    struct host host = {0};
    if (!cli_read(path, &in))
        return STATUS_INPUT;
    if (!image_fits(b, &in)) {
        free(in.data);
        return STATUS_INPUT;
    }
    if (!boot_uart_open(&host.uart, b->uart)) {
        free(in.data);
        return STATUS_INPUT;
    }
    const weft_machine_options machine_options = {.size = sizeof machine_options,
                                                     .sdram = (uint32_t)b->sdram << 20,
                                                     .cpu_level = b->level,
                                                     .engine = limits_engine(b->engine),
                                                     .context = &host,
                                                     .transmit = transmit,
                                                     .receive = receive,
                                                     .wait = wait_for_input,
                                                     .log = b->log ? log_line : NULL,
                                                     .pass = pass};
    weft_diags *diags = cli_kept(weft_diags_new());
    weft_machine *m = NULL;
    weft_status ready = weft_machine_new(&machine_options, diags, &m);
    if (ready == WEFT_OK)
        ready = weft_machine_load(m, in.name, (const uint8_t *)in.data, in.size, (uint32_t)b->load, diags);
    struct boot_symbols *symbols = ready == WEFT_OK ? boot_symbols_of(&in) : NULL;
    uint64_t entry = b->entry;
    bool found = !b->entry_name || ready != WEFT_OK || boot_symbols_find(symbols, b->entry_name, &entry);
    if (ready == WEFT_OK && found)
        set_registers(b, m, (uint32_t)entry);
    int status = !found ? STATUS_USAGE : ready == WEFT_OK ? run_machine(b, m, symbols, &host) : cli_status(ready);
    boot_symbols_free(symbols);
    if (ready != WEFT_OK)
        cli_report(diags);
    weft_machine_free(m);
    weft_diags_free(diags);
    boot_uart_close(&host.uart);
    free(in.data);
    return status;
}

static int run(int argc, char **argv)
{
    struct boot_args b = {.uart = "-", .sdram = 128, .level = WEFT_CPU_BEST};
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
    if (b.has_entry && b.entry % 2)
        return cli_wrong(&command_boot, "--entry: instructions are at even addresses, not at 0x%" PRIx64, b.entry);
    if (b.trace && b.debug)
        return cli_wrong(&command_boot, "--trace and --gdb do not go together");
    if (b.trace && strcmp(b.trace, "-") == 0 && (!b.uart || strcmp(b.uart, "-") == 0))
        return cli_wrong(&command_boot, "--trace - and the UARTs are both standard output: give --uart FILE");
    if (b.trace && !cli_distinct(&command_boot, argv[first], b.trace))
        return STATUS_USAGE;
    return boot(&b, argv[first]);
}

const struct cli_command command_boot = {
    "boot",
    "IMAGE [--load ADDR] [--entry ADDR] [--set REG=VALUE] [--uart WHERE] [--limit N]\n"
    "                 [--dump ADDR:LENGTH=FILE] [--regs] [--stats] [--trace FILE] [--gdb PORT]",
    "run a bare VPU program on the machine",
    "A flat image is loaded at --load and entered there with all registers zero, an ELF executable at its addresses.\n"
    "It runs until it halts: bkpt, an exception without a handler, or sleep when nothing enabled could wake it; where\n"
    "and why goes to standard error. Exit status 0: sleep with r0 = 0. 250 instructions are a microsecond of the\n"
    "system timer.",
    options,
    run,
};
