/* gpio.c - GPIO: functions, outputs and pulls are recorded; what a program drives is told to the log. */
#include "device/machine/parts.h"

enum { GPFSEL0 = 0x00, GPSET0 = 0x1c, GPCLR0 = 0x28, GPLEV0 = 0x34 };

uint32_t gpio_load(struct machine *m, uint32_t offset)
{
    if (offset >= GPLEV0 && offset < GPLEV0 + 8)
        return m->gpio.levels[(offset - GPLEV0) / 4];
    return offset < sizeof m->gpio.regs ? m->gpio.regs[offset / 4] : 0;
}

void gpio_store(struct machine *m, uint32_t offset, uint32_t value)
{
    if (offset >= sizeof m->gpio.regs)
        return;
    m->gpio.regs[offset / 4] = value;
    bool set = offset >= GPSET0 && offset < GPSET0 + 8, clear = offset >= GPCLR0 && offset < GPCLR0 + 8;
    if (!set && !clear)
        return;
    unsigned bank = (offset - (set ? GPSET0 : GPCLR0)) / 4;
    uint32_t old = m->gpio.levels[bank];
    m->gpio.levels[bank] = set ? old | value : old & ~value;
    if (m->gpio.levels[bank] != old)
        machine_log(m, "GPIO %u-%u: %08x", 32 * bank, 32 * bank + 31, m->gpio.levels[bank]);
}
