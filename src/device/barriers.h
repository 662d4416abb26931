/* barriers.h - the barriers of a workgroup that count warps: see enum ir_barrier. */
#ifndef WEFT_DEVICE_BARRIERS_H
#define WEFT_DEVICE_BARRIERS_H

#include <stdbool.h>
#include <stdint.h>

enum { BARRIERS = 16 };

struct barriers {
    uint32_t count[BARRIERS];
    uint32_t all;  /* bit i: barrier i was last raised for all warps */
    uint32_t live; /* warps that have not ended */
};

/* Barriers of a workgroup that begins. */
void barriers_start(struct barriers *b, uint32_t warps);
/* A warp does what imm says; IR_BARRIER_ALL alone sets the barrier back to 0. Returns the barriers that went back to 0
 * by it, as bits. */
uint32_t barriers_arrive(struct barriers *b, uint64_t imm);
/* A warp ends: it is not waited for any more. Returns as barriers_arrive. */
uint32_t barriers_leave(struct barriers *b);
/* Whether imm makes a warp wait, once it has arrived. */
bool barriers_wait(const struct barriers *b, uint64_t imm);

#endif
