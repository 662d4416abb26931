/* lowest.c - see lowest.h. */
#include "isa/lowest.h"

void lowest_start(void *state, struct exec_masks *m)
{
    struct lowest *s = state;
    (void)m;
    s->waiting = 0;
    s->low = UINT32_MAX;
}

void lowest_wait(struct lowest *s, uint32_t block, lane_mask lanes)
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
    if (s->waiting < EXEC_MAX_LANES)
        s->group[s->waiting++] = (struct lowest_group){block, lanes};
}

uint32_t lowest_next(struct lowest *s, struct exec_masks *m, uint32_t epilogue)
{
    if (!s->waiting) {
        m->active = m->all;
        return epilogue;
    }
    uint32_t next = s->low, low = UINT32_MAX, kept = 0;
    for (uint32_t i = 0; i < s->waiting; i++) {
        struct lowest_group g = s->group[i];
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

uint32_t lowest_go(struct lowest *s, struct exec_masks *m, uint32_t to, uint32_t epilogue)
{
    if (to < s->low)
        return to;
    lowest_wait(s, to, m->active);
    return lowest_next(s, m, epilogue);
}

uint32_t lowest_part(struct lowest *s, struct exec_masks *m, const struct ir_control *c, lane_mask first)
{
    lane_mask rest = m->active & ~first;
    bool first_low = c->target[0] < c->target[1];
    if (!first || !rest || c->target[0] == c->target[1])
        return lowest_go(s, m, c->target[first ? 0 : 1], c->target[2]);
    lowest_wait(s, c->target[first_low ? 1 : 0], first_low ? rest : first);
    m->active = first_low ? first : rest;
    return lowest_go(s, m, c->target[first_low ? 0 : 1], c->target[2]);
}
