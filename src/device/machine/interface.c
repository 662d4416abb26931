/* interface.c - weft/machine.h over the machine. A weft_machine is a struct machine. */
#include "device/machine/parts.h"

#include "base/sized.h"
#include "device/pipeline.h"

#include <weft/machine.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static struct machine *inner(weft_machine *m)
{
    return (struct machine *)m;
}
static const struct machine *inner_const(const weft_machine *m)
{
    return (const struct machine *)m;
}

static weft_status refuse(weft_diags *diags, const char *why)
{
    diag_add(diags, WEFT_ERROR, "usage", NULL, NULL, "%s", why);
    return WEFT_ERROR_USAGE;
}

/* ---- life ---- */

static bool find_level(weft_cpu_level wanted, enum exec_level *level)
{
    static const enum exec_level levels[] = {
        [WEFT_CPU_BASELINE] = EXEC_BASELINE, [WEFT_CPU_AVX2] = EXEC_AVX2, [WEFT_CPU_AVX512] = EXEC_AVX512};
    if ((unsigned)wanted >= sizeof levels / sizeof *levels)
        return false;
    *level = wanted == WEFT_CPU_BEST ? exec_best_level() : levels[wanted];
    return exec_level_usable(*level);
}

weft_status weft_machine_new(const weft_machine_options *options, weft_diags *diags, weft_machine **out)
{
    static const weft_machine_options defaults = {0};
    weft_machine_options o;
    struct machine_params params = {0};
    *out = NULL;
    weft_status status = sized_copy(&o, sizeof o, SIZED_FIRST(weft_machine_options, pass),
                                    options ? options : &defaults, "weft_machine_options", diags);
    if (status != WEFT_OK)
        return status;
    if (o.sdram > WEFT_MACHINE_MAX_SDRAM || o.sdram % 4096)
        return refuse(diags, "the memory of a machine is a multiple of 4096 bytes, and at most 512 MiB");
    if (!find_level(o.cpu_level, &params.level))
        return refuse(diags, "this machine or build does not have that CPU level");
    if ((unsigned)o.engine > WEFT_ENGINE_JIT)
        return refuse(diags, "the engine is not one of weft_engine");
    params.engine = stage_engine(o.engine);
    params.sdram = o.sdram;
    params.context = o.context;
    params.transmit = o.transmit;
    params.receive = o.receive;
    params.wait = o.wait;
    params.log = o.log;
    params.pass = o.pass;
    *out = (weft_machine *)machine_new(&params);
    if (*out)
        return WEFT_OK;
    diag_add(diags, WEFT_ERROR, "memory", NULL, NULL, "no memory for the machine");
    return WEFT_ERROR_MEMORY;
}

void weft_machine_free(weft_machine *m)
{
    machine_free(inner(m));
}

weft_status weft_machine_load(weft_machine *m, const char *name, const uint8_t *bytes, size_t size, uint32_t address,
                              weft_diags *diags)
{
    return machine_load(inner(m), name ? name : "<image>", bytes, size, address, diags);
}

/* ---- running ---- */

weft_machine_stop weft_machine_run(weft_machine *m, uint64_t limit)
{
    static const weft_machine_stop stops[] = {
        [MACHINE_LIMIT] = WEFT_MACHINE_LIMIT,         [MACHINE_SLEEP] = WEFT_MACHINE_SLEEP,
        [MACHINE_BREAKPOINT] = WEFT_MACHINE_BKPT,     [MACHINE_EXCEPTION] = WEFT_MACHINE_EXCEPTION,
        [MACHINE_BREAK] = WEFT_MACHINE_BREAK,         [MACHINE_WATCH] = WEFT_MACHINE_WATCH,
        [MACHINE_STOPPED] = WEFT_MACHINE_INTERRUPTED, [MACHINE_ERROR] = WEFT_MACHINE_ERROR};
    return stops[machine_run(inner(m), limit)];
}

void weft_machine_interrupt(weft_machine *m)
{
    machine_interrupt(inner(m));
}
uint64_t weft_machine_instructions(const weft_machine *m)
{
    return machine_instructions(inner_const(m));
}
uint64_t weft_machine_lost_accesses(const weft_machine *m)
{
    return inner_const(m)->lost;
}
void weft_machine_get_engine(const weft_machine *m, weft_engine_stats *stats)
{
    struct exec_engine_report r;
    machine_engine(inner_const(m), &r);
    *stats = (weft_engine_stats){.programs = 1,
                                 .native = r.native,
                                 .operations = r.operations,
                                 .compiled = r.compiled,
                                 .seconds = r.seconds,
                                 .refused = r.why};
}

unsigned weft_machine_exception(const weft_machine *m)
{
    return machine_exception(inner_const(m));
}
const char *weft_machine_exception_name(unsigned number)
{
    return machine_exception_name(number);
}

static int describe_exception(const struct machine *m, uint32_t pc, char *buffer, size_t size)
{
    unsigned number = machine_exception(m);
    const char *kind = number < 64 ? "exception" : "interrupt", *name = machine_exception_name(number);
    uint32_t stack;
    if (machine_lacked(m, &stack) == MACHINE_NO_STACK)
        return snprintf(buffer, size,
                        "%s %u (%s) at 0x%x, whose handler has no stack: pc and sr cannot be pushed below 0x%x", kind,
                        number, name, pc, stack);
    if (number == VPU_EXCEPTION_MEMORY && m->has_data_address)
        return snprintf(buffer, size, "%s %u (%s: 0x%x) at 0x%x, which has no handler", kind, number, name,
                        m->data_address, pc);
    return snprintf(buffer, size, "%s %u (%s) at 0x%x, which has no handler", kind, number, name, pc);
}

static int describe(const struct machine *m, weft_machine_stop stop, char *buffer, size_t size)
{
    uint32_t pc = machine_pc(m);
    switch (stop) {
    case WEFT_MACHINE_SLEEP:
        return snprintf(buffer, size, "sleep at 0x%x, r0 = 0x%x", pc, machine_register(m, 0));
    case WEFT_MACHINE_BKPT:
        return snprintf(buffer, size, "bkpt at 0x%x", pc);
    case WEFT_MACHINE_EXCEPTION:
        return describe_exception(m, pc, buffer, size);
    case WEFT_MACHINE_LIMIT:
        return snprintf(buffer, size, "stopped at 0x%x after %" PRIu64 " instruction%s", pc, machine_instructions(m),
                        machine_instructions(m) == 1 ? "" : "s");
    case WEFT_MACHINE_BREAK:
        return snprintf(buffer, size, "breakpoint at 0x%x", pc);
    case WEFT_MACHINE_WATCH:
        return snprintf(buffer, size, "watchpoint of 0x%x, before 0x%x", m->watch_address, pc);
    case WEFT_MACHINE_ERROR:
        return snprintf(buffer, size, "error at 0x%x: %s", pc, machine_error(m) ? machine_error(m) : "none");
    default:
        return snprintf(buffer, size, "interrupted at 0x%x", pc);
    }
}

size_t weft_machine_stop_text(const weft_machine *m, weft_machine_stop stop, char *buffer, size_t size)
{
    int length = describe(inner_const(m), stop, buffer, size);
    return length < 0 ? 0 : (size_t)length;
}

weft_status weft_machine_set_break(weft_machine *m, uint32_t address, int on)
{
    return machine_set_break(inner(m), address, on != 0) ? WEFT_OK : WEFT_ERROR_USAGE;
}

weft_status weft_machine_set_watch(weft_machine *m, uint32_t address, uint32_t bytes, unsigned kinds, int on)
{
    const unsigned all = WEFT_MACHINE_WATCH_WRITE | WEFT_MACHINE_WATCH_READ;
    if (!bytes || bytes - 1 > UINT32_MAX - address || !kinds || (kinds & ~all))
        return WEFT_ERROR_USAGE;
    return machine_set_watch(inner(m), address, bytes, kinds, on != 0) ? WEFT_OK : WEFT_ERROR_USAGE;
}

void weft_machine_clear_points(weft_machine *m)
{
    machine_clear_points(inner(m));
}
int weft_machine_at_break(const weft_machine *m)
{
    return machine_at_break(inner_const(m));
}

uint32_t weft_machine_watched(const weft_machine *m, unsigned *kinds)
{
    unsigned found;
    return machine_watched(inner_const(m), kinds ? kinds : &found);
}

/* ---- registers and memory ---- */

uint32_t weft_machine_register(const weft_machine *m, unsigned number)
{
    return number < 32 ? machine_register(inner_const(m), number) : 0;
}

void weft_machine_set_register(weft_machine *m, unsigned number, uint32_t value)
{
    if (number < 32)
        machine_set_register(inner(m), number, value);
}

uint32_t weft_machine_vector(const weft_machine *m, unsigned row, unsigned lane)
{
    return row < 64 && lane < 16 ? machine_vector(inner_const(m), row, lane) : 0;
}

void weft_machine_set_vector(weft_machine *m, unsigned row, unsigned lane, uint32_t value)
{
    if (row < 64 && lane < 16)
        machine_set_vector(inner(m), row, lane, value);
}

weft_status weft_machine_read(const weft_machine *m, uint32_t address, void *bytes, size_t size)
{
    uint32_t left = 0;
    const uint8_t *from = bus_memory(inner_const(m), address, &left);
    if (!from || left < size)
        return WEFT_ERROR_USAGE;
    if (size)
        memcpy(bytes, from, size);
    return WEFT_OK;
}

weft_status weft_machine_write(weft_machine *m, uint32_t address, const void *bytes, size_t size)
{
    if (!size)
        return weft_machine_read(m, address, NULL, 0);
    return machine_write(inner(m), address, bytes, size) ? WEFT_OK : WEFT_ERROR_USAGE;
}

/* ---- devices and interrupts ---- */

static bool overlap(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size)
{
    return a < b + b_size && b < a + a_size;
}

weft_status weft_machine_add_device(weft_machine *machine, const weft_device *device, weft_diags *diags)
{
    struct machine *m = inner(machine);
    weft_device d;
    weft_status status = sized_copy(&d, sizeof d, SIZED_FIRST(weft_device, store), device, "weft_device", diags);
    if (status != WEFT_OK)
        return status;
    if (!d.bytes || d.bytes - 1 > UINT32_MAX - d.first)
        return refuse(diags, "a device has at least one address, and ends at 0xffffffff");
    if (m->ndevices == WEFT_MACHINE_DEVICES)
        return refuse(diags, "a machine has at most 32 devices of the caller's");
    for (uint64_t a = 0; a < ALIASES; a++)
        if (overlap(d.first, d.bytes, a << 30, m->sdram_size) ||
            overlap(d.first, d.bytes, (a << 30) + BOOT_ROM, BOOT_ROM_SIZE))
            return refuse(diags, "there is memory at the addresses of the device");
    for (unsigned i = 0; i < m->ndevices; i++)
        if (overlap(d.first, d.bytes, m->devices[i].first, m->devices[i].bytes))
            return refuse(diags, "there is another device at the addresses of the device");
    m->devices[m->ndevices++] = d;
    return WEFT_OK;
}

weft_status weft_machine_raise(weft_machine *machine, unsigned number, int raised)
{
    struct machine *m = inner(machine);
    if (number < VPU_EXCEPTION_EXTERNAL || number > 127)
        return WEFT_ERROR_USAGE;
    uint64_t line = UINT64_C(1) << (number - VPU_EXCEPTION_EXTERNAL);
    m->lines = raised ? m->lines | line : m->lines & ~line;
    exec_interrupt(m->code.warp); /* who runs looks for it */
    return WEFT_OK;
}
