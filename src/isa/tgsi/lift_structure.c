/* lift_structure.c - the structure of a program, before it is lifted: which instructions belong to one construct, where
 * subroutines and the main program are, what labels name. */
#include "isa/tgsi/flow.h"
#include "isa/tgsi/lift_flow.h"

struct scan {
    struct tgsi_lifter *l;
    struct tgsi_lift_flow *f;
    struct tgsi_nesting nesting;
    uint32_t deepest, side, sides, switches;
    uint32_t sub; /* the subroutine that is being read, LIFT_NONE: the main program */
    bool ended;   /* END was met */
};

static void report(void *user, uint32_t insn, const char *code, const char *message)
{
    struct scan *s = user;
    lift_error_at(&s->l->lift, s->l->m->insns[insn].where, code, "%s", message);
}

/* Constructs that are open in the main program or the subroutine. */
static uint32_t depth_of(const struct scan *s)
{
    return (uint32_t)s->nesting.depth - (s->sub != LIFT_NONE);
}

static struct tgsi_open *innermost(struct scan *s)
{
    return &s->nesting.open[s->nesting.depth - 1];
}

static bool opened(struct scan *s, uint32_t i)
{
    uint32_t depth = depth_of(s);
    if (depth > TGSI_LIFT_NESTING) {
        lift_error_at(&s->l->lift, s->l->m->insns[i].where, "nesting", "more than %d constructs inside one another",
                      TGSI_LIFT_NESTING);
        return false;
    }
    innermost(s)->side = s->side;
    s->deepest = depth > s->deepest ? depth : s->deepest;
    s->side = ++s->sides;
    if (innermost(s)->flow == TGSI_FLOW_SWITCH)
        s->f->switch_of[i] = innermost(s)->ordinal = s->switches++;
    return true;
}

/* ELSE, CASE and DEFAULT. */
static bool labelled(struct scan *s, uint32_t i)
{
    struct tgsi_open *o = innermost(s);
    s->f->link[o->label] = i;
    if (o->flow == TGSI_FLOW_SWITCH)
        s->f->switch_of[i] = o->ordinal;
    o->label = i;
    s->side = ++s->sides;
    return true;
}

static bool closed(struct scan *s, uint32_t i)
{
    const struct tgsi_open *o = &s->nesting.closed;
    s->f->link[o->label] = i;
    if (o->flow == TGSI_FLOW_SWITCH)
        s->f->switch_of[i] = o->ordinal;
    s->side = o->side;
    return true;
}

static bool begin_sub(struct scan *s, uint32_t i)
{
    struct tgsi_lift_flow *f = s->f;
    if (!s->ended) {
        f->main_end = i; /* a main program without END; none at all: see main_is_sub */
        f->main_frames = s->deepest;
    }
    s->ended = true;
    s->sub = f->nsubs++;
    f->subs[s->sub] = (struct tgsi_subroutine){.begin = i, .end = LIFT_NONE};
    s->deepest = 0;
    s->f->side[i] = ++s->sides; /* who jumps here ends, as who comes from the main program */
    s->side = ++s->sides;
    return true;
}

static bool end_sub(struct scan *s, uint32_t i)
{
    s->f->subs[s->sub].end = i;
    s->f->subs[s->sub].frames = s->deepest;
    s->sub = LIFT_NONE;
    s->side = ++s->sides;
    return true;
}

/* Inside a construct, or in a program that is a subroutine (main_is_sub), END stops lanes as RET does. */
static bool end_main(struct scan *s, uint32_t i)
{
    bool first_sub = s->sub == 0 && s->f->subs[0].begin == 0;
    if (s->sub != LIFT_NONE && !first_sub) {
        lift_refuse_at(&s->l->lift, s->l->m->insns[i].where, "END inside a subroutine is not executed yet");
        return false;
    }
    if (depth_of(s) || first_sub) {
        s->f->main_returns |= !s->ended;
        return true;
    }
    if (!s->ended) {
        s->f->main_end = i;
        s->f->main_frames = s->deepest;
    }
    s->ended = true;
    s->side = ++s->sides;
    return true;
}

static bool scan_insn(struct scan *s, uint32_t i)
{
    enum tgsi_flow flow = (enum tgsi_flow)tgsi_lift_row(&s->l->m->insns[i])->flow;
    s->f->side[i] = s->side;
    if (!tgsi_nest(&s->nesting, i))
        return false;
    switch (flow) {
    case TGSI_FLOW_IF:
    case TGSI_FLOW_LOOP:
    case TGSI_FLOW_SWITCH:
        return opened(s, i);
    case TGSI_FLOW_ELSE:
    case TGSI_FLOW_CASE:
    case TGSI_FLOW_DEFAULT:
        return labelled(s, i);
    case TGSI_FLOW_ENDIF:
    case TGSI_FLOW_ENDLOOP:
    case TGSI_FLOW_ENDSWITCH:
        return closed(s, i);
    case TGSI_FLOW_CONTINUE:
        s->f->continues[tgsi_nest_left(&s->nesting, false)->insn] = true;
        return true;
    case TGSI_FLOW_SUB:
        return begin_sub(s, i);
    case TGSI_FLOW_ENDSUB:
        return end_sub(s, i);
    case TGSI_FLOW_END:
        return end_main(s, i);
    case TGSI_FLOW_RETURN:
        s->f->main_returns |= s->sub == LIFT_NONE && !s->ended;
        return true;
    default:
        return true;
    }
}

uint32_t tgsi_lift_sub_at(const struct tgsi_lift_flow *f, uint32_t insn)
{
    for (uint32_t i = 0; i < f->nsubs; i++)
        if (f->subs[i].begin == insn)
            return i;
    return LIFT_NONE;
}

/* Labels name instructions that exist, and of the right kind. */
static bool check_labels(struct tgsi_lifter *l, struct tgsi_lift_flow *f)
{
    for (uint32_t i = 0; i < l->m->ninsns; i++) {
        const struct tgsi_insn *insn = &l->m->insns[i];
        if (tgsi_lift_row(insn)->flow == TGSI_FLOW_CALL &&
            (!insn->has_label || tgsi_lift_sub_at(f, insn->label) == LIFT_NONE)) {
            lift_error_at(&l->lift, insn->where, "label", "%s needs the number of a BGNSUB", tgsi_lift_row(insn)->name);
            return false;
        }
        if (tgsi_lift_row(insn)->flow == TGSI_FLOW_CALL)
            f->jumps |= insn->label == 0; /* the main program is a subroutine too, but is lifted once */
        if (tgsi_lift_row(insn)->flow != TGSI_FLOW_JUMP)
            continue;
        if (!insn->has_label || insn->label >= l->m->ninsns) {
            lift_error_at(&l->lift, insn->where, "label", "%s needs the number of an instruction",
                          tgsi_lift_row(insn)->name);
            return false;
        }
        f->jumps |= f->side[insn->label] != f->side[i];
        f->target[insn->label] = true;
    }
    return true;
}

/* Programs for OpenCL begin with a subroutine and have no main program: execution starts at instruction 0. */
static void main_is_sub(struct tgsi_lift_flow *f, struct tgsi_lifter *l)
{
    if (f->main_end != 0 || !f->nsubs || f->subs[0].begin != 0)
        return;
    f->main_begin = 1;
    f->main_end = f->subs[0].end;
    f->main_frames = f->subs[0].frames;
    for (uint32_t i = 1; i < f->main_end; i++)
        f->main_returns |= tgsi_lift_row(&l->m->insns[i])->flow == TGSI_FLOW_RETURN ||
                           tgsi_lift_row(&l->m->insns[i])->flow == TGSI_FLOW_END;
}

static struct tgsi_lift_flow *flow_new(struct tgsi_lifter *l)
{
    struct tgsi_lift_flow *f = ARENA_NEW(l->arena, struct tgsi_lift_flow);
    if (!f)
        return NULL;
    uint32_t n = f->ninsns = l->m->ninsns;
    f->main_end = n;
    uint32_t subs = 0;
    for (uint32_t i = 0; i < n; i++)
        subs += tgsi_lift_row(&l->m->insns[i])->flow == TGSI_FLOW_SUB;
    f->link = ARENA_ARRAY(l->arena, uint32_t, n + 1);
    f->join = ARENA_ARRAY(l->arena, uint32_t, n + 1);
    f->after = ARENA_ARRAY(l->arena, uint32_t, n + 1);
    f->side = ARENA_ARRAY(l->arena, uint32_t, n);
    f->switch_of = ARENA_ARRAY(l->arena, uint32_t, n);
    f->target = ARENA_ARRAY(l->arena, bool, n);
    f->continues = ARENA_ARRAY(l->arena, bool, n);
    f->subs = ARENA_ARRAY(l->arena, struct tgsi_subroutine, subs);
    return arena_failed(l->arena) ? NULL : f;
}

bool tgsi_lift_flow_prepare(struct tgsi_lifter *l)
{
    struct tgsi_lift_flow *f = l->flow = flow_new(l);
    if (!f)
        return false;
    struct scan s = {.l = l, .f = f, .sub = LIFT_NONE};
    s.nesting = (struct tgsi_nesting){.m = l->m, .arena = l->arena, .report = report, .user = &s};
    for (uint32_t i = 0; i < f->ninsns; i++)
        if (!scan_insn(&s, i))
            return false;
    if (!tgsi_nest_end(&s.nesting))
        return false;
    if (!s.ended)
        f->main_frames = s.deepest;
    main_is_sub(f, l);
    if (s.switches)
        f->switch_file = ir_add_file(l->b.p, (struct ir_file){.name = "SWITCH", .bits = 32, .count = s.switches});
    return check_labels(l, f);
}
