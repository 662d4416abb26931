/* uart.c - the mini UART of the AUX block and the PL011: bytes go out at once, and come in when a program looks. */
#include "device/machine/parts.h"

enum { MINI_IO = 0x40, MINI_IER = 0x44, MINI_IIR = 0x48, MINI_LCR = 0x4c, MINI_LSR = 0x54, MINI_STAT = 0x64,
       DLAB = 0x80 };
enum { PL_DR = 0x00, PL_FR = 0x18, PL_CR = 0x30, PL_IMSC = 0x38, PL_RIS = 0x3c, PL_MIS = 0x40, PL_ICR = 0x44 };

static void look(struct machine *m, struct uart *u)
{
    if (u->received < 0 && m->params.receive)
        u->received = m->params.receive(m->params.context);
}

static uint32_t take(struct uart *u)
{
    uint32_t byte = u->received < 0 ? 0 : (uint32_t)u->received & 0xff;
    u->received = -1;
    return byte;
}

static void send(struct machine *m, uint32_t value)
{
    if (m->params.transmit)
        m->params.transmit(m->params.context, (uint8_t)value);
}

/* ---- mini UART ---- */

static uint32_t *mini_reg(struct machine *m, uint32_t offset)
{
    return &m->mini.regs[offset / 4 & 31];
}

bool uart_interrupts(struct machine *m, bool mini)
{
    struct uart *u = mini ? &m->mini : &m->pl011;
    uint32_t enabled = mini ? u->regs[MINI_IER / 4] : u->regs[PL_IMSC / 4];
    if (mini) {
        if (!(m->aux_enables & 1) || !(enabled & 3))
            return false;
        if (enabled & 2) /* the transmitter is empty */
            return true;
        look(m, u);
        return u->received >= 0;
    }
    if (!(enabled & 0x70))
        return false;
    look(m, u);
    return (enabled & 0x20) != 0 || u->received >= 0;
}

bool uart_waits(const struct machine *m)
{
    bool mini = (m->aux_enables & 1) && (m->mini.regs[MINI_IER / 4] & 1);
    return m->params.receive && (mini || (m->pl011.regs[PL_IMSC / 4] & 0x50));
}

uint32_t aux_load(struct machine *m, uint32_t offset)
{
    if (offset == 0x00)
        return uart_interrupts(m, true);
    if (offset == 0x04)
        return m->aux_enables;
    if (!(m->aux_enables & 1))
        return 0;
    switch (offset) {
    case MINI_IO:
        look(m, &m->mini);
        return take(&m->mini);
    case MINI_IIR:
        look(m, &m->mini);
        return 0xc0 | (m->mini.received >= 0 ? 4 : 2) | !uart_interrupts(m, true);
    case MINI_LSR: /* room for a byte, idle */
        look(m, &m->mini);
        return 0x60 | (m->mini.received >= 0);
    case MINI_STAT:
        look(m, &m->mini);
        return 0x30e | (m->mini.received >= 0);
    default:
        return *mini_reg(m, offset);
    }
}

void aux_store(struct machine *m, uint32_t offset, uint32_t value)
{
    if (offset == 0x04) {
        m->aux_enables = value & 7;
        return;
    }
    if (!(m->aux_enables & 1)) {
        m->lost++;
        machine_log(m, "store of %08x to register %02x of the mini UART, which is not enabled", value, offset);
        return;
    }
    if (offset == MINI_IO && !(*mini_reg(m, MINI_LCR) & DLAB))
        send(m, value);
    else
        *mini_reg(m, offset) = value;
}

/* ---- PL011 ---- */

uint32_t pl011_load(struct machine *m, uint32_t offset)
{
    struct uart *u = &m->pl011;
    uint32_t raw;
    switch (offset) {
    case PL_DR:
        look(m, u);
        return take(u);
    case PL_FR:
        look(m, u);
        return 0x80 | (u->received < 0 ? 0x10 : 0x40);
    case PL_RIS: case PL_MIS:
        look(m, u);
        raw = 0x20 | (u->received < 0 ? 0 : 0x10);
        return offset == PL_RIS ? raw : raw & u->regs[PL_IMSC / 4];
    default:
        return offset < sizeof u->regs ? u->regs[offset / 4] : 0;
    }
}

void pl011_store(struct machine *m, uint32_t offset, uint32_t value)
{
    if (offset == PL_DR)
        send(m, value);
    else if (offset < sizeof m->pl011.regs && offset != PL_ICR)
        m->pl011.regs[offset / 4] = value;
}
