/* bus.c - the memory map: four aliases of SDRAM, the boot ROM area, peripherals; what is written into code;
 * watchpoints. */
#include "device/machine/parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A sentinel: blocks that firmware touches and that do nothing here. They answer 0 without a line in the log. */
static uint32_t quiet_load(struct machine *m, uint32_t offset)
{
    (void)m;
    (void)offset;
    return 0;
}

static void quiet_store(struct machine *m, uint32_t offset, uint32_t value)
{
    (void)m;
    (void)offset;
    (void)value;
}

static const struct peripheral peripherals[] = {
    {0x7e002000, 0x800, "interrupt controller 0", ic0_load, ic0_store},
    {0x7e002800, 0x800, "interrupt controller 1", ic1_load, ic1_store},
    {0x7e003000, 0x20, "system timer", timer_load, timer_store},
    {0x7e00b000, 0x1000, "ARM control", quiet_load, quiet_store},
    {0x7e100000, 0x1000, "power management", quiet_load, quiet_store},
    {0x7e101000, 0x1000, "clock manager", quiet_load, quiet_store},
    {0x7e102000, 0x2000, "PLLs", quiet_load, quiet_store},
    {0x7e200000, 0xc0, "GPIO", gpio_load, gpio_store},
    {0x7e201000, 0x1000, "PL011", pl011_load, pl011_store},
    {0x7e20f000, 0x1000, "OTP", quiet_load, quiet_store},
    {0x7e215000, 0x80, "mini UART", aux_load, aux_store},
    {0x7ee00000, 0x100000, "SDRAM controllers", quiet_load, quiet_store},
};

const struct peripheral *peripheral_at(uint32_t address)
{
    for (size_t i = 0; i < sizeof peripherals / sizeof peripherals[0]; i++)
        if (address - peripherals[i].first < peripherals[i].size)
            return &peripherals[i];
    return NULL;
}

void machine_log(const struct machine *m, const char *fmt, ...)
{
    char line[200];
    va_list ap;
    if (!m->params.log)
        return;
    va_start(ap, fmt);
    vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    m->params.log(m->params.context, line);
}

uint8_t *bus_memory(const struct machine *m, uint32_t address, uint32_t *left)
{
    uint32_t at = address & 0x3fffffff;
    if (at < m->sdram_size) {
        *left = m->sdram_size - at;
        return m->sdram + at;
    }
    if (at - BOOT_ROM < BOOT_ROM_SIZE) {
        *left = BOOT_ROM_SIZE - (at - BOOT_ROM);
        return m->rom + (at - BOOT_ROM);
    }
    return NULL;
}

static void look_at_watches(struct machine *m, uint32_t address, unsigned size, unsigned kind)
{
    for (unsigned i = 0; i < m->nwatches; i++) {
        const struct watch *w = &m->watches[i];
        /* the end of either may be 2^32 */
        if ((w->kinds & kind) && (address - w->address < w->size || w->address - address < size)) {
            m->watch_hit = true;
            m->watch_address = address;
            m->watch_kinds = w->kinds;
        }
    }
}

/* The caller's device at an address; NULL: none. */
static const weft_device *device_at(const struct machine *m, uint32_t address)
{
    for (unsigned i = 0; i < m->ndevices; i++)
        if (address - m->devices[i].first < m->devices[i].bytes)
            return &m->devices[i];
    return NULL;
}

/* The low bits of a word, as many as an access has. */
static uint32_t part_of(uint32_t word, unsigned size)
{
    return size < 4 ? word & ((UINT32_C(1) << 8 * size) - 1) : word;
}

static bool device_load(struct machine *m, const weft_device *d, uint32_t address, unsigned size, uint64_t *value)
{
    uint32_t word = 0;
    bool found = size <= 4 && d->load && d->load(d->context, (weft_machine *)m, address - d->first, size, &word);
    *value = part_of(word, size);
    return found;
}

static bool device_store(struct machine *m, const weft_device *d, uint32_t address, unsigned size, uint64_t value)
{
    return size <= 4 && d->store &&
           d->store(d->context, (weft_machine *)m, address - d->first, size, part_of((uint32_t)value, size));
}

/* What depends on how many instructions were executed, or changes what is executed next, is done when the instruction
 * is a block of its own: time is exact then, and what was changed holds from the next instruction on. So it happens at
 * the same instruction however the code was cut into blocks. Within a longer block the access fails, and the machine
 * runs the instruction again. */
static bool runs_alone(struct machine *m)
{
    m->alone = !m->stepping;
    return !m->alone;
}

bool bus_load(void *machine, uint64_t at, unsigned size, uint64_t *value)
{
    struct machine *m = machine;
    uint32_t address = (uint32_t)at, left;
    *value = 0;
    if (m->nwatches)
        look_at_watches(m, address, size, MACHINE_WATCH_READ);
    const weft_device *d = device_at(m, address);
    if (d)
        return runs_alone(m) && device_load(m, d, address, size, value);
    const uint8_t *memory = address - IO_BASE < IO_SIZE ? NULL : bus_memory(m, address, &left);
    if (memory && left >= size) {
        memcpy(value, memory, size);
        return true;
    }
    if (address - IO_BASE >= IO_SIZE || !runs_alone(m))
        return false;
    const struct peripheral *p = peripheral_at(address);
    if (!p) {
        m->lost++;
        machine_log(m, "load of %u bytes from %08x: no peripheral is known there", size, address);
        return true;
    }
    /* Registers are words: narrower accesses see parts of them. */
    uint32_t word = p->load(m, (address & ~3u) - p->first);
    *value = part_of(word >> 8 * (address & 3), size);
    return true;
}

bool bus_store(void *machine, uint64_t at, unsigned size, uint64_t value)
{
    struct machine *m = machine;
    uint32_t address = (uint32_t)at, left;
    if (m->nwatches)
        look_at_watches(m, address, size, MACHINE_WATCH_WRITE);
    const weft_device *d = device_at(m, address);
    if (d)
        return runs_alone(m) && device_store(m, d, address, size, value);
    uint8_t *memory = address - IO_BASE < IO_SIZE ? NULL : bus_memory(m, address, &left);
    if (memory && left >= size) {
        if (memory >= m->rom && memory < m->rom + BOOT_ROM_SIZE)
            return true; /* not written */
        if (!runs_alone(m))
            return false;
        memcpy(memory, &value, size);
        code_changed(m, address, size);
        return true;
    }
    if (address - IO_BASE >= IO_SIZE || !runs_alone(m))
        return false;
    const struct peripheral *p = peripheral_at(address);
    if (!p) {
        m->lost++;
        machine_log(m, "store of %0*llx to %08x: no peripheral is known there", (int)(2 * size),
                    (unsigned long long)value, address);
        return true;
    }
    p->store(m, (address & ~3u) - p->first, (uint32_t)(value << 8 * (address & 3)));
    return true;
}
