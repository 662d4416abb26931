/* policy.c - divergence: lanes wait in groups, each at a block, and the group at the lowest block runs.
 *
 * Blocks are numbered in the order of the layout (layout.c), in which a construct is before its merge block: lanes that
 * leave a construct wait at the merge block until the others have come there too, which is where SPIR-V promises that
 * they meet. Groups that wait at one block are one group. */
#include "exec/exec.h"
#include "isa/spirv/lift.h"

#include <stddef.h>
#include <stdio.h>

struct group {
    uint32_t block;
    lane_mask lanes;
};

struct state {
    uint32_t waiting;
    uint32_t low; /* the lowest block that a group waits at: below it nobody else has a turn */
    struct group group[SPIRV_LANES];
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
    if (s->waiting < SPIRV_LANES)
        s->group[s->waiting++] = (struct group){block, lanes};
}

/* The group at the lowest block runs. When nobody is left the warp ends, all of it. */
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

static uint32_t control(void *opaque, struct exec_masks *m, const struct ir_control *c, const lane_mask *args,
                        const void *const *rows, const char **fault)
{
    struct state *s = opaque;
    uint32_t epilogue = c->target[2];
    (void)rows;
    (void)fault;
    switch ((enum spirv_control)c->op) {
    case SPIRV_CTL_BRANCH:
        return part(s, m, c, args[0]);
    case SPIRV_CTL_MEET:
        return go(s, m, c->target[0], epilogue);
    case SPIRV_CTL_END:
        break;
    }
    return lowest(s, m, epilogue);
}

/* The groups that wait: "block 4:000000000000000f", each a block and lanes. */
static int describe(const void *opaque, const struct ir_program *program, char *buffer, size_t size)
{
    const struct state *s = opaque;
    int n = 0;
    (void)program;
    for (uint32_t i = 0; i < s->waiting; i++)
        n += snprintf((size_t)n < size ? buffer + n : NULL, (size_t)n < size ? size - (size_t)n : 0,
                      "%sblock %u:%016llx", i ? " " : "", s->group[i].block, (unsigned long long)s->group[i].lanes);
    return n;
}

const struct exec_policy spirv_policy = {
    .name = "spirv", .state_size = sizeof(struct state), .start = start, .control = control,
    .low_at = offsetof(struct state, low), .describe = describe};
