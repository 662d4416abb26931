/* policy.c - divergence: a program counter for each lane, and the lowest one runs.
 *
 * Lanes that branch another way than the rest wait in groups, each at a block. Wherever lanes may part or meet (a
 * branch, `.reconverge`, the end of a lane) the group with the lowest address goes on; groups that wait at one block
 * are one group. Blocks are numbered in the order of their addresses. */
#include "isa/lowest.h"
#include "isa/valhall/lift.h"

#include <stddef.h>
#include <stdio.h>

/* Each lane to the address in its row. 0 is the end: the return address of a caller that has nothing left to do. */
static void scatter(struct lowest *s, struct exec_masks *m, lane_mask lanes, const uint32_t *address,
                    const char **fault)
{
    for (unsigned lane = 0; lane < VALHALL_LANES_TOGETHER; lane++) {
        if (!(lanes >> lane & 1) || address[lane] == 0)
            continue;
        uint32_t block = exec_block_at(m->program, address[lane]);
        if (block == IR_PROLOGUE)
            *fault = "a branch to an address where no instruction is";
        else
            lowest_wait(s, block, (lane_mask)1 << lane);
    }
}

static uint32_t control(void *opaque, struct exec_masks *m, const struct ir_control *c, const lane_mask *args,
                        const void *const *rows, const char **fault)
{
    struct lowest *s = opaque;
    uint32_t epilogue = c->target[2];
    switch ((enum valhall_control)c->op) {
    case VALHALL_CTL_BRANCH:
        return lowest_part(s, m, c, args[0]);
    case VALHALL_CTL_INDIRECT:
        lowest_wait(s, c->target[1], m->active & ~args[0]);
        scatter(s, m, args[0], rows[1], fault);
        break;
    case VALHALL_CTL_RECONVERGE:
        return lowest_go(s, m, c->target[0], epilogue);
    case VALHALL_CTL_END:
        break;
    case VALHALL_CTL_DROP: /* lanes that pass are done; the others do not part */
        m->active &= ~args[0];
        if (m->active)
            return c->target[1];
        break;
    }
    return lowest_next(s, m, epilogue);
}

/* The groups that wait: "0x40:000000000000000f", each an address and lanes. */
static int describe(const void *opaque, const struct ir_program *program, char *buffer, size_t size)
{
    const struct lowest *s = opaque;
    int n = 0;
    for (uint32_t i = 0; i < s->waiting; i++)
        n += snprintf((size_t)n < size ? buffer + n : NULL, (size_t)n < size ? size - (size_t)n : 0, "%s0x%llx:%016llx",
                      i ? " " : "", (unsigned long long)program->blocks[s->group[i].block].addr,
                      (unsigned long long)s->group[i].lanes);
    return n;
}

const struct exec_policy valhall_policy = {.name = "valhall",
                                           .state_size = sizeof(struct lowest),
                                           .start = lowest_start,
                                           .control = control,
                                           .low_at = offsetof(struct lowest, low),
                                           .describe = describe};
