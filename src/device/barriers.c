/* barriers.c - counters of warps. See barriers.h. */
#include "device/barriers.h"

#include "ir/ir.h"

void barriers_start(struct barriers *b, uint32_t warps)
{
    *b = (struct barriers){.live = warps};
}

uint32_t barriers_arrive(struct barriers *b, uint64_t imm)
{
    unsigned number = imm & IR_BARRIER_NUMBER;
    bool all = imm & IR_BARRIER_ALL;
    if (!(imm & IR_BARRIER_INC)) {
        bool clears = all && !(imm & IR_BARRIER_WAIT);
        b->count[number] = clears ? 0 : b->count[number];
        return (uint32_t)clears << number;
    }
    b->all = (b->all & ~(1u << number)) | (uint32_t)all << number;
    if (++b->count[number] != (all ? b->live : imm >> IR_BARRIER_COUNT))
        return 0;
    b->count[number] = 0;
    return 1u << number;
}

uint32_t barriers_leave(struct barriers *b)
{
    uint32_t released = 0;
    b->live--;
    for (unsigned i = 0; i < BARRIERS; i++)
        if ((b->all >> i & 1) && b->count[i] && b->count[i] >= b->live) {
            b->count[i] = 0;
            released |= 1u << i;
        }
    return released;
}

bool barriers_wait(const struct barriers *b, uint64_t imm)
{
    return (imm & IR_BARRIER_WAIT) && b->count[imm & IR_BARRIER_NUMBER];
}
