/* policy.c - structured masks: IF, loops, SWITCH and subroutines of TGSI ("GLSL ISA").
 *
 * A lane that does not run now waits at the end of a construct. The state keeps two sets for the innermost loop, switch
 * or subroutine: `live`, the lanes that are still inside, and `continued`, those that wait for the loop's next
 * iteration. Leaving takes lanes out of both the running and the live set, so that an ENDIF on the way needs no more
 * than `saved & live` to know who goes on; nothing walks the stack. */
#include "isa/tgsi/policy.h"

#include "exec/exec.h"
#include "isa/tgsi/tgsi.h"

#include <stdio.h>

enum { FRAMES = 160 }; /* constructs that are open at once, subroutine calls included */

/* One open construct: what to restore when it ends. */
struct frame {
    lane_mask saved;     /* lanes that ran before it */
    lane_mask live;      /* loop, switch, call */
    lane_mask continued; /* loop, call; switch: lanes that run while a CASE is tested */
    lane_mask waiting;   /* IF: lanes for ELSE; switch: lanes that have not met their CASE; call: returned lanes */
    lane_mask other;     /* switch: lanes for DEFAULT; call: the block to return to */
};

struct state {
    lane_mask live, continued, returned;
    uint32_t depth;
    struct frame frames[FRAMES];
};

static void start(void *state, struct exec_masks *m)
{
    struct state *s = state;
    s->live = m->all;
    s->continued = 0;
    s->returned = 0;
    s->depth = 0;
}

/* Lanes that BREAK, CONTINUE and RETURN are about: all running ones when there is no condition, and so no second
 * target. */
static lane_mask leaving(const struct exec_masks *m, const struct ir_control *c, const lane_mask *args)
{
    return c->ntargets > 1 ? args[0] : m->active;
}

/* Lanes leave the innermost construct that can be left. Returns where the others go on, or where all lanes are
 * joined again when there are no others. */
static uint32_t leave(struct state *s, struct exec_masks *m, const struct ir_control *c, lane_mask lanes)
{
    m->active &= ~lanes;
    s->live &= ~lanes;
    return c->target[m->active && c->ntargets > 1 ? 1 : 0];
}

/* The innermost open construct, and the one that is opened next. */
static struct frame *innermost(struct state *s)
{
    return s->depth ? &s->frames[s->depth - 1] : s->frames;
}

static struct frame *open_frame(struct state *s)
{
    return &s->frames[s->depth++];
}

/* ---- IF ---- */

static uint32_t begin_if(struct state *s, struct exec_masks *m, const struct ir_control *c, lane_mask taken)
{
    bool has_else = c->op == TGSI_CTL_IF_ELSE;
    if (!taken && !has_else)
        return c->target[1];
    struct frame *f = open_frame(s);
    f->saved = m->active;
    if (has_else)
        f->waiting = taken ? m->active & ~taken : 0;
    if (taken)
        m->active = taken;
    return c->target[taken ? 0 : 1];
}

static uint32_t other_branch(struct state *s, struct exec_masks *m, const struct ir_control *c)
{
    const struct frame *f = innermost(s);
    if (f->waiting) {
        m->active = f->waiting;
        return c->target[0];
    }
    m->active = f->saved & s->live;
    s->depth--;
    return c->target[m->active ? 1 : 2];
}

static uint32_t end_if(struct state *s, struct exec_masks *m, const struct ir_control *c)
{
    m->active = innermost(s)->saved & s->live;
    s->depth--;
    return c->target[m->active ? 0 : 1];
}

/* ---- loops ---- */

static uint32_t begin_loop(struct state *s, struct exec_masks *m, const struct ir_control *c)
{
    *open_frame(s) = (struct frame){.saved = m->active, .live = s->live, .continued = s->continued};
    s->live = m->active;
    s->continued = 0;
    return c->target[0];
}

static uint32_t end_loop(struct state *s, struct exec_masks *m, const struct ir_control *c)
{
    const struct frame *f = innermost(s);
    m->active |= s->continued;
    s->continued = 0;
    s->live = m->active;
    if (m->active)
        return c->target[0];
    m->active = f->saved & ~s->returned;
    s->live = f->live & ~s->returned;
    s->continued = f->continued;
    s->depth--;
    return c->target[m->active ? 1 : 2];
}

/* ---- SWITCH ---- */

static uint32_t begin_switch(struct state *s, struct exec_masks *m, const struct ir_control *c, lane_mask others)
{
    *open_frame(s) =
        (struct frame){.saved = m->active, .live = s->live, .waiting = m->active & ~others, .other = others};
    s->live = m->active;
    m->active = 0;
    return c->target[0];
}

static uint32_t test_case(struct state *s, struct exec_masks *m, const struct ir_control *c)
{
    struct frame *f = innermost(s);
    if (!f->waiting)
        return c->target[m->active ? 1 : 2];
    f->continued = m->active;
    m->active = f->waiting;
    return c->target[0];
}

static uint32_t match_case(struct state *s, struct exec_masks *m, const struct ir_control *c, lane_mask matching)
{
    struct frame *f = innermost(s);
    f->waiting &= ~matching;
    m->active = f->continued | matching;
    return c->target[m->active ? 0 : 1];
}

static uint32_t end_switch(struct state *s, struct exec_masks *m, const struct ir_control *c)
{
    const struct frame *f = innermost(s);
    lane_mask gone = s->returned | s->continued;
    m->active = f->saved & ~gone;
    s->live = f->live & ~gone;
    s->depth--;
    return c->target[m->active ? 0 : 1];
}

/* ---- subroutines ---- */

static uint32_t call(struct state *s, struct exec_masks *m, const struct ir_control *c, lane_mask lanes,
                     const char **fault)
{
    if (!lanes)
        return c->target[1];
    if (s->depth + c->imm > FRAMES) {
        *fault = "subroutine calls are nested too deeply";
        return EXEC_BLOCK_END;
    }
    *open_frame(s) = (struct frame){
        .saved = m->active, .live = s->live, .continued = s->continued, .waiting = s->returned, .other = c->target[1]};
    m->active = lanes;
    s->live = lanes;
    s->continued = 0;
    s->returned = 0;
    return c->target[0];
}

static uint32_t end_sub(struct state *s, struct exec_masks *m)
{
    const struct frame *f = innermost(s);
    m->active = f->saved;
    s->live = f->live;
    s->continued = f->continued;
    s->returned = f->waiting;
    s->depth--;
    return (uint32_t)f->other;
}

static uint32_t control(void *state, struct exec_masks *m, const struct ir_control *c, const lane_mask *args,
                        const void *const *rows, const char **fault)
{
    struct state *s = state;
    (void)rows;
    switch ((enum tgsi_control)c->op) {
    case TGSI_CTL_IF:
    case TGSI_CTL_IF_ELSE:
        return begin_if(s, m, c, args[0]);
    case TGSI_CTL_ELSE:
        return other_branch(s, m, c);
    case TGSI_CTL_ENDIF:
        return end_if(s, m, c);
    case TGSI_CTL_LOOP:
        return begin_loop(s, m, c);
    case TGSI_CTL_ENDLOOP:
        return end_loop(s, m, c);
    case TGSI_CTL_BREAK:
        return leave(s, m, c, leaving(m, c, args));
    case TGSI_CTL_CONTINUE:
        s->continued |= leaving(m, c, args);
        return leave(s, m, c, leaving(m, c, args));
    case TGSI_CTL_RETURN:
        s->returned |= leaving(m, c, args);
        return leave(s, m, c, leaving(m, c, args));
    case TGSI_CTL_SWITCH:
        return begin_switch(s, m, c, args[0]);
    case TGSI_CTL_CASE:
        return test_case(s, m, c);
    case TGSI_CTL_MATCH:
        return match_case(s, m, c, args[0]);
    case TGSI_CTL_DEFAULT:
        m->active |= innermost(s)->other;
        return c->target[m->active ? 0 : 1];
    case TGSI_CTL_ENDSWITCH:
        return end_switch(s, m, c);
    case TGSI_CTL_CALL:
        return call(s, m, c, m->active, fault);
    case TGSI_CTL_CALL_IF:
        return call(s, m, c, args[0], fault);
    case TGSI_CTL_ENDSUB:
        return end_sub(s, m);
    case TGSI_CTL_FINISH:
        m->active = m->all;
        s->live = m->all;
        return c->target[0];
    }
    *fault = "unknown control word";
    return EXEC_BLOCK_END;
}

static int describe(const void *state, const struct ir_program *program, char *buffer, size_t size)
{
    const struct state *s = state;
    (void)program;
    return snprintf(buffer, size, "depth %u live %016llx continued %016llx returned %016llx", s->depth,
                    (unsigned long long)s->live, (unsigned long long)s->continued, (unsigned long long)s->returned);
}

const struct exec_policy tgsi_policy = {
    .name = "tgsi",
    .state_size = sizeof(struct state),
    .start = start,
    .control = control,
    .describe = describe,
};
