/* policy.c - divergence: a program counter for each lane, and the lowest one runs.
 *
 * Lanes that branch another way than the rest wait in groups, each at a block. Wherever lanes may part or meet (a
 * branch, `.reconverge`, the end of a lane) the group with the lowest address goes on; groups that wait at one block
 * are one group. Blocks are numbered in the order of their addresses. */
#include "exec/exec.h"
#include "isa/valhall/lift.h"

#include <stddef.h>
#include <stdio.h>

struct group {
    uint32_t block;
    lane_mask lanes;
};

struct state {
    uint32_t waiting;
    uint32_t low; /* the lowest block that a group waits at: below it nobody else has a turn */
    struct group group[VALHALL_LANES_TOGETHER];
};

static void start(void *opaque, struct exec_masks *m)
{
    struct state *s = opaque;
    (void)m;
    s->waiting = 0;
    s->low = UINT32_MAX;
}

static void wait_at(struct state *s, uint32_t block, lane_mask lanes)
{
    if (!lanes)
        return;
    if (block < s->low)
        s->low = block;
    for (uint32_t i = 0; i < s->waiting; i++)
        if (s->group[i].block == block) {
            s->group[i].lanes |= lanes;
            return;
        }
    if (s->waiting < VALHALL_LANES_TOGETHER)
        s->group[s->waiting++] = (struct group){block, lanes};
}

/* The group with the lowest address runs. When nobody is left the warp ends, all of it. */
static uint32_t lowest(struct state *s, struct exec_masks *m, uint32_t epilogue)
{
    if (!s->waiting) {
        m->active = m->all;
        return epilogue;
    }
    uint32_t next = s->low, low = UINT32_MAX, kept = 0;
    for (uint32_t i = 0; i < s->waiting; i++) {
        struct group g = s->group[i];
        if (g.block == next) {
            m->active = g.lanes;
            continue;
        }
        s->group[kept++] = g;
        low = g.block < low ? g.block : low;
    }
    s->waiting = kept;
    s->low = low;
    return next;
}

/* The active lanes go to a block: on, or into a group. */
static uint32_t go(struct state *s, struct exec_masks *m, uint32_t to, uint32_t epilogue)
{
    if (to < s->low)
        return to;
    wait_at(s, to, m->active);
    return lowest(s, m, epilogue);
}

/* Those of `first` and the rest go apart. */
static uint32_t part(struct state *s, struct exec_masks *m, const struct ir_control *c, lane_mask first)
{
    lane_mask rest = m->active & ~first;
    bool first_low = c->target[0] < c->target[1];
    if (!first || !rest || c->target[0] == c->target[1])
        return go(s, m, c->target[first ? 0 : 1], c->target[2]);
    wait_at(s, c->target[first_low ? 1 : 0], first_low ? rest : first);
    m->active = first_low ? first : rest;
    return go(s, m, c->target[first_low ? 0 : 1], c->target[2]);
}

/* Each lane to the address in its row. 0 is the end: the return address of a caller that has nothing left to do. */
static void scatter(struct state *s, struct exec_masks *m, lane_mask lanes, const uint32_t *address, const char **fault)
{
    for (unsigned lane = 0; lane < VALHALL_LANES_TOGETHER; lane++) {
        if (!(lanes >> lane & 1) || address[lane] == 0)
            continue;
        uint32_t block = exec_block_at(m->program, address[lane]);
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
        return part(s, m, c, args[0]);
    case VALHALL_CTL_INDIRECT:
        wait_at(s, c->target[1], m->active & ~args[0]);
        scatter(s, m, args[0], rows[1], fault);
        break;
    case VALHALL_CTL_RECONVERGE:
        return go(s, m, c->target[0], epilogue);
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
    .name = "valhall", .state_size = sizeof(struct state), .start = start, .control = control,
    .low_at = offsetof(struct state, low), .describe = describe};
