/* policy_jumps.c - the masks of programs that jump into and out of constructs (BRA): a place for each lane, and the
 * lanes at the first place in the program run. Blocks that lanes may wait at are numbered in the order of the program.
 */
#include "isa/tgsi/policy.h"

#include "exec/exec.h"
#include "isa/tgsi/tgsi.h"

#include <stdio.h>

enum { LANES = 64 };

struct state {
    lane_mask waiting;
    uint32_t at[LANES]; /* blocks, of the lanes that wait */
};

static void start(void *opaque, struct exec_masks *m)
{
    struct state *s = opaque;
    (void)m;
    s->waiting = 0;
}

static void wait_at(struct state *s, uint32_t block, lane_mask lanes)
{
    s->waiting |= lanes;
    for (; lanes; lanes &= lanes - 1)
        s->at[__builtin_ctzll(lanes)] = block;
}

/* The lanes at the lowest block run. When none is left all of them are at the end. */
static uint32_t lowest(struct state *s, struct exec_masks *m, uint32_t end)
{
    uint32_t low = UINT32_MAX;
    if (!s->waiting) {
        m->active = m->all;
        return end;
    }
    for (lane_mask lanes = s->waiting; lanes; lanes &= lanes - 1) {
        uint32_t at = s->at[__builtin_ctzll(lanes)];
        if (at < low) {
            low = at;
            m->active = 0;
        }
        if (at == low)
            m->active |= lanes & -lanes;
    }
    s->waiting &= ~m->active;
    return low;
}

static uint32_t control(void *opaque, struct exec_masks *m, const struct ir_control *c, const lane_mask *args,
                        const void *const *rows, const char **fault)
{
    struct state *s = opaque;
    (void)rows;
    switch ((enum tgsi_jump)c->op) {
    case TGSI_JUMP_GO:
        wait_at(s, c->target[0], m->active);
        return lowest(s, m, c->target[1]);
    case TGSI_JUMP_BRANCH:
        wait_at(s, c->target[0], args[0]);
        wait_at(s, c->target[1], m->active & ~args[0]);
        return lowest(s, m, c->target[2]);
    case TGSI_JUMP_CALL:
        if (args[0])
            *fault = "subroutine calls are nested too deeply";
        wait_at(s, c->target[0], m->active);
        return lowest(s, m, c->target[1]);
    case TGSI_JUMP_END:
        return lowest(s, m, c->target[0]);
    }
    *fault = "unknown control word";
    return EXEC_BLOCK_END;
}

static int describe(const void *opaque, const struct ir_program *program, char *buffer, size_t size)
{
    const struct state *s = opaque;
    (void)program;
    return snprintf(buffer, size, "waiting %016llx", (unsigned long long)s->waiting);
}

const struct exec_policy tgsi_jump_policy = {
    .name = "tgsi-jumps",
    .state_size = sizeof(struct state),
    .start = start,
    .control = control,
    .describe = describe,
};
