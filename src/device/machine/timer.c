/* timer.c - the system timer: 64 bits of microseconds and four channels that match its low word (machine notes,
 * "System timer"). */
#include "device/machine/parts.h"

uint64_t timer_now(const struct machine *m)
{
    return machine_instructions(m) / CLOCKS_PER_US + m->skipped;
}

uint64_t timer_start(const struct machine *m, uint64_t us)
{
    return us > m->skipped ? (us - m->skipped) * CLOCKS_PER_US : 0;
}

/* Microseconds from the last look to a channel's match: the value that the counter had then comes again after a whole
 * turn. */
static uint64_t distance(const struct system_timer *t, unsigned channel)
{
    uint32_t d = t->compare[channel] - (uint32_t)t->seen;
    return d ? d : (uint64_t)1 << 32;
}

/* A channel matches when the counter comes to its value, not while it waits there. */
void timer_look(struct machine *m)
{
    struct system_timer *t = &m->timer;
    uint64_t now = timer_now(m), passed = now - t->seen;
    for (unsigned n = 0; n < 4; n++) {
        if (distance(t, n) <= passed)
            t->cs |= 1u << n;
    }
    t->seen = now;
}

bool timer_next(const struct machine *m, uint64_t *us)
{
    const struct system_timer *t = &m->timer;
    bool any = false;
    for (unsigned n = 0; n < 4; n++) {
        if (!(m->ic[0].mask[0] >> 4 * n & 7) || (t->cs >> n & 1))
            continue;
        uint64_t wait = distance(t, n);
        if (!any || wait < *us)
            *us = wait;
        any = true;
    }
    return any;
}

uint32_t timer_load(struct machine *m, uint32_t offset)
{
    timer_look(m);
    switch (offset) {
    case 0x00: return m->timer.cs;
    case 0x04: return (uint32_t)timer_now(m);
    case 0x08: return (uint32_t)(timer_now(m) >> 32);
    case 0x0c: case 0x10: case 0x14: case 0x18: return m->timer.compare[(offset - 0x0c) / 4];
    default: return 0;
    }
}

void timer_store(struct machine *m, uint32_t offset, uint32_t value)
{
    timer_look(m);
    if (offset == 0x00)
        m->timer.cs &= ~(value & 15);
    else if (offset >= 0x0c && offset <= 0x18)
        m->timer.compare[(offset - 0x0c) / 4] = value;
}
