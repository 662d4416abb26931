/* policy.c - divergence: a program counter for each lane, and the lowest one runs.
 *
 * Lanes that branch another way than the rest wait in groups, each at a block. Wherever lanes may part or meet (a
 * branch, `.reconverge`, the end of a lane) the group with the lowest address goes on; groups that wait at one block are
 * one group. Blocks are numbered in the order of their addresses. */
#include "exec/exec.h"
#include "isa/valhall/lift.h"

#include <stdio.h>

struct group {
    uint32_t block;
    lane_mask lanes;
};

struct state {
    uint32_t waiting;
    struct group group[VALHALL_LANES_TOGETHER];
};

static void start(void *opaque, struct exec_masks *m)
{
    struct state *s = opaque;
    (void)m;
    s->waiting = 0;
}

static void wait_at(struct state *s, uint32_t block, lane_mask lanes)
{
    for (uint32_t i = 0; i < s->waiting; i++)
        if (s->group[i].block == block) {
            s->group[i].lanes |= lanes;
            return;
        }
    if (lanes && s->waiting < VALHALL_LANES_TOGETHER)
        s->group[s->waiting++] = (struct group){block, lanes};
}

/* The group with the lowest address runs. When nobody is left the warp ends, all of it. */
static uint32_t lowest(struct state *s, struct exec_masks *m, uint32_t epilogue)
{
    if (!s->waiting) {
        m->active = m->all;
        return epilogue;
    }
    uint32_t low = 0;
    for (uint32_t i = 1; i < s->waiting; i++)
        if (s->group[i].block < s->group[low].block)
            low = i;
    struct group next = s->group[low];
    s->group[low] = s->group[--s->waiting];
    m->active = next.lanes;
    return next.block;
}

/* Each lane to the address in its row. 0 is the end: the return address of a caller that has nothing left to do. */
static void scatter(struct state *s, struct exec_masks *m, lane_mask lanes, const uint32_t *address, const char **fault)
{
    for (unsigned lane = 0; lane < VALHALL_LANES_TOGETHER; lane++) {
        if (!(lanes >> lane & 1) || address[lane] == 0)
            continue;
        uint32_t block = ir_block_at(m->program, address[lane]);
        if (block == IR_PROLOGUE)
            *fault = "a branch to an address where no instruction is";
        else
            wait_at(s, block, (lane_mask)1 << lane);
    }
}

static uint32_t control(void *opaque, struct exec_masks *m, const struct ir_control *c, const lane_mask *args,
                        const void *const *rows, const char **fault)
{
    struct state *s = opaque;
    uint32_t epilogue = c->target[2];
    switch ((enum valhall_control)c->op) {
    case VALHALL_CTL_BRANCH:
        if (!s->waiting && (!args[0] || args[0] == m->active))
            return args[0] ? c->target[0] : c->target[1];
        wait_at(s, c->target[0], args[0]);
        wait_at(s, c->target[1], m->active & ~args[0]);
        break;
    case VALHALL_CTL_INDIRECT:
        wait_at(s, c->target[1], m->active & ~args[0]);
        scatter(s, m, args[0], rows[1], fault);
        break;
    case VALHALL_CTL_RECONVERGE:
        if (!s->waiting)
            return c->target[0];
        wait_at(s, c->target[0], m->active);
        break;
    case VALHALL_CTL_END:
        break;
    case VALHALL_CTL_DROP: /* lanes that pass are done; the others do not part */
        m->active &= ~args[0];
        if (m->active)
            return c->target[1];
        break;
    }
    return lowest(s, m, epilogue);
}

/* The groups that wait: "0x40:000000000000000f", each an address and lanes. */
static int describe(const void *opaque, const struct ir_program *program, char *buffer, size_t size)
{
    const struct state *s = opaque;
    int n = 0;
    for (uint32_t i = 0; i < s->waiting; i++)
        n += snprintf((size_t)n < size ? buffer + n : NULL, (size_t)n < size ? size - (size_t)n : 0, "%s0x%llx:%016llx",
                      i ? " " : "", (unsigned long long)program->blocks[s->group[i].block].addr,
                      (unsigned long long)s->group[i].lanes);
    return n;
}

const struct exec_policy valhall_policy = {
    .name = "valhall", .state_size = sizeof(struct state), .start = start, .control = control, .describe = describe};
