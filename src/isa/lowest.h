/* lowest.h - divergence by the lowest block: lanes wait in groups, each at a block, and the lowest one has its turn.
 *
 * What the control policies of Valhall and SPIR-V share. Each numbers its blocks so that lanes meet where the chip or
 * the specification says: by address, or a construct before its merge block. */
#ifndef WEFT_ISA_LOWEST_H
#define WEFT_ISA_LOWEST_H

#include "exec/exec.h"

/* All of a policy's state. Groups that wait at one block are one group. */
struct lowest {
    uint32_t waiting;
    uint32_t low; /* the lowest block that a group waits at (exec_policy.low_at): below it nobody else has a turn */
    struct lowest_group {
        uint32_t block;
        lane_mask lanes;
    } group[EXEC_MAX_LANES];
};

/* exec_policy.start: nobody waits. */
void lowest_start(void *state, struct exec_masks *m);

/* These lanes wait at a block; none: nothing happens. */
void lowest_wait(struct lowest *s, uint32_t block, lane_mask lanes);

/* Each of these returns the block that runs, and makes its lanes the active ones.
 * The group at the lowest block; when nobody waits the warp ends, all of it: `epilogue`. */
uint32_t lowest_next(struct lowest *s, struct exec_masks *m, uint32_t epilogue);
/* The active lanes go to a block: on, or into a group. */
uint32_t lowest_go(struct lowest *s, struct exec_masks *m, uint32_t to, uint32_t epilogue);
/* `first` of the active lanes to target 0 and the rest to target 1; target 2 is the epilogue. */
uint32_t lowest_part(struct lowest *s, struct exec_masks *m, const struct ir_control *c, lane_mask first);

#endif
