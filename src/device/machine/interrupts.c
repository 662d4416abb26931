/* interrupts.c - the interrupt controllers: priorities, the table's address, forced sources (machine notes, "Interrupt
 * controllers"). Numbers are 64 to 127; core 1 does not run. */
#include "device/machine/parts.h"

enum { TIMER0 = 64, AUX = 93, PL011 = 121, BLOCK_ID = 0x494e5445 };

static uint64_t lines(struct machine *m, const struct interrupt_controller *ic)
{
    uint64_t raised = m->lines | ic->force[0] | (uint64_t)ic->force[1] << 32;
    timer_look(m);
    raised |= (uint64_t)(m->timer.cs & 15) << (TIMER0 - 64);
    raised |= (uint64_t)uart_interrupts(m, true) << (AUX - 64);
    raised |= (uint64_t)uart_interrupts(m, false) << (PL011 - 64);
    return raised;
}

/* The higher priority wins, then the lower number; C holds back priorities up to its value. */
unsigned ic_pending(struct machine *m, unsigned *priority)
{
    const struct interrupt_controller *ic = &m->ic[0];
    uint64_t raised = lines(m, ic);
    unsigned best = 0;
    *priority = ic->c & 15;
    for (; raised; raised &= raised - 1) {
        unsigned source = (unsigned)__builtin_ctzll(raised), p = ic->mask[source >> 3] >> 4 * (source & 7) & 7;
        if (p > *priority) {
            *priority = p;
            best = 64 + source;
        }
    }
    return best;
}

static uint32_t load(struct machine *m, struct interrupt_controller *ic, uint32_t offset)
{
    switch (offset) {
    case 0x00: return ic->c;
    case 0x04: return ic->depth ? ic->s[(ic->depth - 1) & 15] : 0;
    case 0x08: return (uint32_t)lines(m, ic);
    case 0x0c: return (uint32_t)(lines(m, ic) >> 32);
    case 0x30: return 0;
    case 0x40: case 0x44: return ic->force[(offset - 0x40) / 4];
    default: return offset >= 0x10 && offset < 0x30 ? ic->mask[(offset - 0x10) / 4] : BLOCK_ID;
    }
}

static void store(struct machine *m, struct interrupt_controller *ic, uint32_t offset, uint32_t value)
{
    if (offset >= 0x10 && offset < 0x30) {
        ic->mask[(offset - 0x10) / 4] = value & 0x77777777;
        return;
    }
    switch (offset) {
    case 0x00:
        ic->c = value & 15;
        break;
    case 0x30:
        ic->vaddr = value & ~0x1ffu;
        ic->has_table = true;
        break;
    case 0x34:
        machine_log(m, "core 1 is told to start at %08x: there is one core", value);
        break;
    case 0x40: case 0x44:
        ic->force[(offset - 0x40) / 4] = value;
        break;
    case 0x48: case 0x4c:
        ic->force[(offset - 0x48) / 4] |= value;
        break;
    case 0x50: case 0x54:
        ic->force[(offset - 0x50) / 4] &= ~value;
        break;
    default:
        break;
    }
}

uint32_t ic0_load(struct machine *m, uint32_t offset) { return load(m, &m->ic[0], offset); }
void ic0_store(struct machine *m, uint32_t offset, uint32_t value) { store(m, &m->ic[0], offset, value); }
uint32_t ic1_load(struct machine *m, uint32_t offset) { return load(m, &m->ic[1], offset); }
void ic1_store(struct machine *m, uint32_t offset, uint32_t value) { store(m, &m->ic[1], offset, value); }
