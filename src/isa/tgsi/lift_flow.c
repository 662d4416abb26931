/* lift_flow.c - control flow (document: "GLSL ISA"): blocks, and what the control policy is asked to do.
 *
 * Every instruction that closes something (ELSE, ENDIF, ENDLOOP, CASE, DEFAULT, ENDSWITCH, ENDSUB, END) has a *join*:
 * a block of its own that the code before it goes to, and that is the place to go on when no lane is left. Every path
 * that a lane can take is a path of the block graph, so that the passes may think of one lane only.
 *
 * Programs whose BRA leads into or out of a construct are lifted by lift_jumps.c instead. */
#include "isa/tgsi/lift_flow.h"

#include <string.h>

#include "isa/tgsi/op.h"
#include "isa/tgsi/policy.h"

/* ---- finding the structure ---- */

struct open {
    uint32_t insn;
    uint8_t flow;
    bool has_default;
    uint32_t last_label; /* SWITCH: its last label, or itself */
    uint32_t ordinal;    /* SWITCH */
    uint32_t side;       /* what is outside */
};

struct scan {
    struct tgsi_lifter *l;
    struct lift_flow *f;
    struct open open[LIFT_NESTING];
    uint32_t depth, deepest, side, sides, switches;
    uint32_t sub;        /* the subroutine that is being read, LIFT_NONE: the main program */
    bool ended;          /* END was met */
};

static bool misplaced(struct scan *s, uint32_t i)
{
    lift_error(s->l, s->l->m->insns[i].where, "control-flow", "%s has no matching beginning",
               lift_row(&s->l->m->insns[i])->name);
    return false;
}

static bool open_construct(struct scan *s, uint32_t i, uint8_t flow)
{
    if (s->depth == LIFT_NESTING) {
        lift_error(s->l, s->l->m->insns[i].where, "nesting", "more than %d constructs inside one another",
                   LIFT_NESTING);
        return false;
    }
    s->open[s->depth++] = (struct open){.insn = i, .flow = flow, .last_label = i, .side = s->side};
    s->deepest = s->depth > s->deepest ? s->depth : s->deepest;
    s->side = ++s->sides;
    return true;
}

static struct open *innermost(struct scan *s, uint8_t flow)
{
    return s->depth && s->open[s->depth - 1].flow == flow ? &s->open[s->depth - 1] : NULL;
}

static bool close_construct(struct scan *s, uint32_t i, uint8_t flow)
{
    struct open *o = innermost(s, flow);
    if (!o)
        return misplaced(s, i);
    s->f->link[o->last_label] = i;
    if (flow == TGSI_FLOW_SWITCH)
        s->f->switch_of[i] = o->ordinal;
    s->side = o->side;
    s->depth--;
    return true;
}

static bool scan_else(struct scan *s, uint32_t i)
{
    struct open *o = innermost(s, TGSI_FLOW_IF);
    if (!o || o->last_label != o->insn)
        return misplaced(s, i);
    s->f->link[o->insn] = i;
    o->last_label = i;
    s->side = ++s->sides;
    return true;
}

static bool scan_label(struct scan *s, uint32_t i, bool is_default)
{
    struct open *o = innermost(s, TGSI_FLOW_SWITCH);
    if (!o)
        return misplaced(s, i);
    if (is_default && o->has_default) {
        lift_error(s->l, s->l->m->insns[i].where, "control-flow", "a SWITCH has one DEFAULT");
        return false;
    }
    o->has_default |= is_default;
    s->f->link[o->last_label] = i;
    s->f->switch_of[i] = o->ordinal;
    o->last_label = i;
    s->side = ++s->sides;
    return true;
}

static bool can_leave(struct scan *s, uint32_t i, bool switches_too)
{
    for (uint32_t d = s->depth; d; d--)
        if (s->open[d - 1].flow == TGSI_FLOW_LOOP || (switches_too && s->open[d - 1].flow == TGSI_FLOW_SWITCH)) {
            s->f->continues[s->open[d - 1].insn] |= !switches_too;
            return true;
        }
    lift_error(s->l, s->l->m->insns[i].where, "control-flow", "%s outside a loop%s", lift_row(&s->l->m->insns[i])->name,
               switches_too ? " or switch" : "");
    return false;
}

static bool begin_sub(struct scan *s, uint32_t i)
{
    struct lift_flow *f = s->f;
    if (s->sub != LIFT_NONE || s->depth)
        return misplaced(s, i);
    if (!s->ended) {
        f->main_end = i; /* a main program without END; none at all: see main_is_sub */
        f->main_frames = s->deepest;
    }
    s->ended = true;
    s->sub = f->nsubs++;
    f->subs[s->sub] = (struct subroutine){.begin = i, .end = LIFT_NONE};
    s->deepest = 0;
    s->side = ++s->sides;
    return true;
}

static bool end_sub(struct scan *s, uint32_t i)
{
    if (s->sub == LIFT_NONE || s->depth)
        return misplaced(s, i);
    s->f->subs[s->sub].end = i;
    s->f->subs[s->sub].frames = s->deepest;
    s->sub = LIFT_NONE;
    s->side = 0;
    return true;
}

/* Inside a construct, or in a program that is a subroutine (main_is_sub), END stops lanes as RET does. */
static bool end_main(struct scan *s, uint32_t i)
{
    bool first_sub = s->sub == 0 && s->f->subs[0].begin == 0;
    if (s->sub != LIFT_NONE && !first_sub) {
        lift_unsupported(s->l, s->l->m->insns[i].where, "END inside a subroutine is not executed yet");
        return false;
    }
    if (s->depth || first_sub) {
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
    const struct tgsi_insn *insn = &s->l->m->insns[i];
    s->f->side[i] = s->side;
    switch ((enum tgsi_flow)lift_row(insn)->flow) {
    case TGSI_FLOW_IF:
    case TGSI_FLOW_LOOP:
        return open_construct(s, i, lift_row(insn)->flow);
    case TGSI_FLOW_SWITCH:
        if (!open_construct(s, i, TGSI_FLOW_SWITCH))
            return false;
        s->f->switch_of[i] = s->open[s->depth - 1].ordinal = s->switches++;
        return true;
    case TGSI_FLOW_ELSE:
        return scan_else(s, i);
    case TGSI_FLOW_ENDIF:
        return close_construct(s, i, TGSI_FLOW_IF);
    case TGSI_FLOW_ENDLOOP:
        return close_construct(s, i, TGSI_FLOW_LOOP);
    case TGSI_FLOW_CASE:
    case TGSI_FLOW_DEFAULT:
        return scan_label(s, i, lift_row(insn)->flow == TGSI_FLOW_DEFAULT);
    case TGSI_FLOW_ENDSWITCH:
        return close_construct(s, i, TGSI_FLOW_SWITCH);
    case TGSI_FLOW_BREAK:
        return can_leave(s, i, true);
    case TGSI_FLOW_CONTINUE:
        return can_leave(s, i, false);
    case TGSI_FLOW_SUB:
        return begin_sub(s, i);
    case TGSI_FLOW_ENDSUB:
        return end_sub(s, i);
    case TGSI_FLOW_END:
        return end_main(s, i);
    case TGSI_FLOW_RETURN:
        s->f->main_returns |= s->sub == LIFT_NONE && !s->ended;
        return true;
    case TGSI_FLOW_NONE:
    case TGSI_FLOW_CALL:
        return true;
    }
    return true;
}

uint32_t lift_sub_at(const struct lift_flow *f, uint32_t insn)
{
    for (uint32_t i = 0; i < f->nsubs; i++)
        if (f->subs[i].begin == insn)
            return i;
    return LIFT_NONE;
}

/* Labels name instructions that exist, and of the right kind. */
static bool check_labels(struct tgsi_lifter *l, struct lift_flow *f)
{
    for (uint32_t i = 0; i < l->m->ninsns; i++) {
        const struct tgsi_insn *insn = &l->m->insns[i];
        if (lift_row(insn)->flow == TGSI_FLOW_CALL && (!insn->has_label || lift_sub_at(f, insn->label) == LIFT_NONE)) {
            lift_error(l, insn->where, "label", "%s needs the number of a BGNSUB", lift_row(insn)->name);
            return false;
        }
        if (insn->opcode != TGSI_OP_BRA)
            continue;
        if (!insn->has_label || insn->label >= l->m->ninsns) {
            lift_error(l, insn->where, "label", "BRA needs the number of an instruction");
            return false;
        }
        f->jumps |= f->side[insn->label] != f->side[i];
        f->target[insn->label] = true;
    }
    return true;
}

/* Programs for OpenCL begin with a subroutine and have no main program: execution starts at instruction 0. */
static void main_is_sub(struct lift_flow *f, struct tgsi_lifter *l)
{
    if (f->main_end != 0 || !f->nsubs || f->subs[0].begin != 0)
        return;
    f->main_begin = 1;
    f->main_end = f->subs[0].end;
    f->main_frames = f->subs[0].frames;
    for (uint32_t i = 1; i < f->main_end; i++)
        f->main_returns |=
            lift_row(&l->m->insns[i])->flow == TGSI_FLOW_RETURN || lift_row(&l->m->insns[i])->flow == TGSI_FLOW_END;
}

static struct lift_flow *flow_new(struct tgsi_lifter *l)
{
    struct lift_flow *f = ARENA_NEW(l->arena, struct lift_flow);
    if (!f)
        return NULL;
    uint32_t n = f->ninsns = l->m->ninsns;
    f->main_end = n;
    uint32_t subs = 0;
    for (uint32_t i = 0; i < n; i++)
        subs += lift_row(&l->m->insns[i])->flow == TGSI_FLOW_SUB;
    f->link = ARENA_ARRAY(l->arena, uint32_t, n + 1);
    f->join = ARENA_ARRAY(l->arena, uint32_t, n + 1);
    f->after = ARENA_ARRAY(l->arena, uint32_t, n + 1);
    f->side = ARENA_ARRAY(l->arena, uint32_t, n + 1);
    f->switch_of = ARENA_ARRAY(l->arena, uint32_t, n + 1);
    f->target = ARENA_ARRAY(l->arena, bool, n + 1);
    f->continues = ARENA_ARRAY(l->arena, bool, n + 1);
    f->subs = ARENA_ARRAY(l->arena, struct subroutine, subs + 1);
    return arena_failed(l->arena) ? NULL : f;
}

bool lift_flow_prepare(struct tgsi_lifter *l)
{
    struct lift_flow *f = l->flow = flow_new(l);
    if (!f)
        return false;
    struct scan s = {.l = l, .f = f, .sub = LIFT_NONE};
    for (uint32_t i = 0; i < f->ninsns; i++)
        if (!scan_insn(&s, i))
            return false;
    if (s.depth || s.sub != LIFT_NONE) {
        uint32_t i = s.depth ? s.open[s.depth - 1].insn : f->subs[s.sub].begin;
        lift_error(l, l->m->insns[i].where, "control-flow", "%s is not ended", lift_row(&l->m->insns[i])->name);
        return false;
    }
    if (!s.ended)
        f->main_frames = s.deepest;
    main_is_sub(f, l);
    if (s.switches)
        f->switch_file = ir_add_file(l->b.p, (struct ir_file){.name = "SWITCH", .bits = 32, .count = s.switches});
    return check_labels(l, f);
}

/* ---- blocks ---- */

static uint32_t block_in(struct tgsi_lifter *l, uint32_t *table, uint32_t i)
{
    if (!table[i])
        table[i] = ir_new_block(l->b.p);
    return table[i];
}

static uint32_t join_of(struct tgsi_lifter *l, uint32_t insn)
{
    return block_in(l, l->flow->join, insn);
}

void lift_start_block(struct tgsi_lifter *l, uint32_t block)
{
    l->b.block = block;
    if (block >= l->b.p->nblocks)
        return; /* no memory */
    l->b.p->blocks[block].insn = l->flow->at < l->flow->ninsns ? l->flow->at : 0;
    l->b.p->blocks[block].addr = l->b.p->blocks[block].insn;
}

static void start_new_block(struct tgsi_lifter *l)
{
    lift_start_block(l, ir_new_block(l->b.p));
}

/* Where lanes are joined again when none is left here. */
static uint32_t skip_block(struct tgsi_lifter *l)
{
    struct lift_flow *f = l->flow;
    return join_of(l, f->narms ? f->arms[f->narms - 1].close : f->region_end);
}

static void control(struct tgsi_lifter *l, struct ir_control c, ir_value arg)
{
    ir_control(&l->b, c, &arg, arg ? 1 : 0);
}

static void push_arm(struct lift_flow *f, uint32_t opener)
{
    f->arms[f->narms++] = (struct arm){.open = opener, .close = f->link[opener]};
}

/* ---- IF ---- */

ir_value lift_condition(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    unsigned type = lift_row(insn)->src_type[0];
    ir_value v = lift_source(l, &insn->src[0], 0, type);
    enum ir_type t = ir_type_of(&l->b, v);
    return ir_op2(&l->b, t == IR_F32 ? IR_FNE : IR_NE, 0, v, ir_const(&l->b, t, 0));
}

static const struct tgsi_insn *insn_at(const struct tgsi_lifter *l, uint32_t i)
{
    return i < l->m->ninsns ? &l->m->insns[i] : NULL;
}

static void leave(struct tgsi_lifter *l, const struct tgsi_insn *insn, ir_value which)
{
    static const uint8_t words[] = {[TGSI_FLOW_BREAK] = TGSI_CTL_BREAK,
                                    [TGSI_FLOW_CONTINUE] = TGSI_CTL_CONTINUE,
                                    [TGSI_FLOW_RETURN] = TGSI_CTL_RETURN,
                                    [TGSI_FLOW_END] = TGSI_CTL_RETURN};
    uint32_t next = ir_new_block(l->b.p);
    control(l, (struct ir_control){.op = words[lift_row(insn)->flow],
                                   .ntargets = which ? 2 : 1,
                                   .direct_none = which != 0,
                                   .target = {skip_block(l), which ? next : 0}},
            which);
    lift_start_block(l, next);
}

/* `IF c; BRK; ENDIF` and its like (CONT, RET, KILL) are one conditional step without masks to keep. */
static bool lift_short_if(struct tgsi_lifter *l, ir_value c)
{
    struct lift_flow *f = l->flow;
    const struct tgsi_insn *inner = insn_at(l, f->at + 1), *end = insn_at(l, f->at + 2);
    if (!inner || !end || lift_row(end)->flow != TGSI_FLOW_ENDIF || f->target[f->at + 1] || f->target[f->at + 2])
        return false;
    bool leaves = lift_row(inner)->lift == tgsi_lift_leave;
    bool kills = inner->opcode == TGSI_OP_KILL || inner->opcode == TGSI_OP_DEMOTE;
    if (!leaves && !kills)
        return false;
    f->next = f->at + 3;
    l->b.p->blocks[l->b.block].insns += 2;
    if (leaves) {
        leave(l, inner, c);
        return true;
    }
    l->b.p->io.uses_discard = true;
    ir_emit(&l->b, IR_DISCARD, IR_VOID, 0, 0, &c, 1, 0, 0, 0);
    return true;
}

void tgsi_lift_if(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct lift_flow *f = l->flow;
    ir_value c = lift_condition(l, insn);
    if (lift_short_if(l, c))
        return;
    uint32_t close = f->link[f->at], then = ir_new_block(l->b.p);
    bool has_else = lift_row(&l->m->insns[close])->flow == TGSI_FLOW_ELSE;
    control(l, (struct ir_control){.op = has_else ? TGSI_CTL_IF_ELSE : TGSI_CTL_IF,
                                   .ntargets = 2,
                                   .direct_none = !has_else,
                                   .target = {then, block_in(l, f->after, close)}},
            c);
    push_arm(f, f->at);
    lift_start_block(l, then);
}

void tgsi_lift_else(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct lift_flow *f = l->flow;
    (void)insn;
    uint32_t end = f->link[f->at], other = block_in(l, f->after, f->at), next = block_in(l, f->after, end);
    f->narms--;
    control(l, (struct ir_control){.op = TGSI_CTL_ELSE, .ntargets = 3, .target = {other, next, skip_block(l)}}, 0);
    push_arm(f, f->at);
    lift_start_block(l, other);
}

/* ENDIF and ENDSWITCH. */
static void end_construct(struct tgsi_lifter *l, enum tgsi_control word)
{
    struct lift_flow *f = l->flow;
    uint32_t next = block_in(l, f->after, f->at);
    f->narms--;
    control(l, (struct ir_control){.op = (uint16_t)word, .ntargets = 2, .target = {next, skip_block(l)}}, 0);
    lift_start_block(l, next);
}

void tgsi_lift_endif(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    (void)insn;
    end_construct(l, TGSI_CTL_ENDIF);
}

/* ---- loops ---- */

void tgsi_lift_bgnloop(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct lift_flow *f = l->flow;
    (void)insn;
    uint32_t head = ir_new_block(l->b.p);
    control(l, (struct ir_control){.op = TGSI_CTL_LOOP, .ntargets = 1, .target = {head}}, 0);
    f->head[f->narms] = head;
    push_arm(f, f->at);
    lift_start_block(l, head);
}

void tgsi_lift_endloop(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct lift_flow *f = l->flow;
    (void)insn;
    uint32_t next = ir_new_block(l->b.p), head = f->head[--f->narms];
    control(l, (struct ir_control){.op = TGSI_CTL_ENDLOOP, .ntargets = 3, .target = {head, next, skip_block(l)}}, 0);
    lift_start_block(l, next);
}

/* BRK, CONT, RET, and END before the end. */
void tgsi_lift_leave(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    leave(l, insn, 0);
}

void tgsi_lift_breakc(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    leave(l, insn, lift_condition(l, insn));
}

/* ---- switches ---- */

ir_value lift_switch_equals(struct tgsi_lifter *l, ir_value v, uint32_t label)
{
    return ir_op2(&l->b, IR_EQ, 0, v, lift_source(l, &l->m->insns[label].src[0], 0, TGSI_T_U32));
}

/* DEFAULT may stand anywhere, so which lanes want it has to be known before the first label. */
void tgsi_lift_switch(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct lift_flow *f = l->flow;
    ir_value v = lift_source(l, &insn->src[0], 0, TGSI_T_U32), wanted = ir_const(&l->b, IR_I1, 0);
    bool has_default = false;
    uint32_t label = f->link[f->at];
    for (; lift_row(&l->m->insns[label])->flow != TGSI_FLOW_ENDSWITCH; label = f->link[label]) {
        if (lift_row(&l->m->insns[label])->flow == TGSI_FLOW_DEFAULT)
            has_default = true;
        else
            wanted = ir_op2(&l->b, IR_OR, 0, wanted, lift_switch_equals(l, v, label));
    }
    ir_value others = has_default ? ir_op1(&l->b, IR_NOT, 0, wanted) : ir_const(&l->b, IR_I1, 0);
    ir_set(&l->b, f->switch_file, f->switch_of[f->at], v, 0);
    control(l, (struct ir_control){.op = TGSI_CTL_SWITCH, .ntargets = 1, .target = {join_of(l, f->link[f->at])}},
            others);
    push_arm(f, f->at);
    start_new_block(l); /* instructions before the first label are never reached */
}

void tgsi_lift_case(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct lift_flow *f = l->flow;
    (void)insn;
    uint32_t test = ir_new_block(l->b.p), body = ir_new_block(l->b.p), next = join_of(l, f->link[f->at]);
    control(l, (struct ir_control){.op = TGSI_CTL_CASE, .ntargets = 3, .target = {test, body, next}}, 0);
    lift_start_block(l, test);
    ir_value v = ir_get(&l->b, f->switch_file, f->switch_of[f->at], IR_I32);
    control(l, (struct ir_control){.op = TGSI_CTL_MATCH, .ntargets = 2, .target = {body, next}},
            lift_switch_equals(l, v, f->at));
    f->arms[f->narms - 1].close = f->link[f->at];
    lift_start_block(l, body);
}

void tgsi_lift_default(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct lift_flow *f = l->flow;
    (void)insn;
    uint32_t body = ir_new_block(l->b.p), next = join_of(l, f->link[f->at]);
    control(l, (struct ir_control){.op = TGSI_CTL_DEFAULT, .ntargets = 2, .target = {body, next}}, 0);
    f->arms[f->narms - 1].close = f->link[f->at];
    lift_start_block(l, body);
}

void tgsi_lift_endswitch(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    (void)insn;
    end_construct(l, TGSI_CTL_ENDSWITCH);
}

/* ---- subroutines ---- */

static void add_return(struct tgsi_lifter *l, struct subroutine *sub, uint32_t block)
{
    uint32_t *grown =
        arena_grow(l->arena, sub->returns, sizeof *grown, sub->nreturns, &sub->returns_cap, sub->nreturns + 1u);
    if (!grown)
        return;
    sub->returns = grown;
    sub->returns[sub->nreturns++] = block;
}

/* CAL and CALLNZ. */
void tgsi_lift_call(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct subroutine *sub = &l->flow->subs[lift_sub_at(l->flow, insn->label)];
    uint32_t next = ir_new_block(l->b.p);
    if (!sub->called) {
        sub->called = true;
        sub->body = ir_new_block(l->b.p);
    }
    add_return(l, sub, next);
    ir_value c = insn->nsrc ? lift_condition(l, insn) : 0;
    control(l, (struct ir_control){.op = c ? TGSI_CTL_CALL_IF : TGSI_CTL_CALL,
                                   .ntargets = 2,
                                   .direct_none = c != 0,
                                   .target = {sub->body, next},
                                   .imm = 1 + sub->frames},
            c);
    lift_start_block(l, next);
}

void tgsi_lift_bgnsub(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    (void)l;
    (void)insn;
}

void tgsi_lift_endsub(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    (void)l; /* closed by end_of_sub, when all calls are known */
    (void)insn;
}

/* All lanes that run go together, and stay inside the construct: a plain jump. Others are lift_jumps.c's. */
void tgsi_lift_bra(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    ir_goto(&l->b, join_of(l, insn->label));
    start_new_block(l);
}

/* The warp stops between two blocks. */
void tgsi_lift_barrier(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    (void)insn;
    if (l->m->processor == TGSI_TESS_CTRL)
        return; /* a patch is one warp: what comes before has been done by all its lanes */
    uint32_t next = ir_new_block(l->b.p);
    ir_emit(&l->b, IR_BARRIER, IR_VOID, 0, 0, NULL, 0, next, 0, 0);
    lift_start_block(l, next);
}

/* ---- lifting instructions in order ---- */

static bool is_join(const struct tgsi_row *row)
{
    switch ((enum tgsi_flow)row->flow) {
    case TGSI_FLOW_ELSE:
    case TGSI_FLOW_ENDIF:
    case TGSI_FLOW_ENDLOOP:
    case TGSI_FLOW_CASE:
    case TGSI_FLOW_DEFAULT:
    case TGSI_FLOW_ENDSWITCH:
        return true;
    default:
        return false;
    }
}

static void go_to_join(struct tgsi_lifter *l, uint32_t insn)
{
    uint32_t join = join_of(l, insn);
    ir_goto(&l->b, join);
    lift_start_block(l, join);
}

/* ENDLOOP where no lane waits for the next iteration: those that get here go round again, and the policy need not be
 * asked. Its join is only for when no lane is left. */
static void repeat(struct tgsi_lifter *l, uint32_t insn)
{
    struct lift_flow *f = l->flow;
    l->b.p->blocks[l->b.block].insns++;
    ir_goto(&l->b, f->head[f->narms - 1]);
    lift_start_block(l, join_of(l, insn));
}

static void lift_range(struct tgsi_lifter *l, uint32_t begin, uint32_t end)
{
    struct lift_flow *f = l->flow;
    f->narms = 0;
    f->region_end = end;
    for (uint32_t i = begin; i < end; i = f->next) {
        const struct tgsi_insn *insn = &l->m->insns[i];
        f->at = i;
        f->next = i + 1;
        l->b.insn = i;
        if (lift_row(insn)->flow == TGSI_FLOW_ENDLOOP && !f->continues[f->arms[f->narms - 1].open])
            repeat(l, i);
        else if (is_join(lift_row(insn)) || f->target[i])
            go_to_join(l, i);
        if (arena_failed(l->arena))
            return;
        l->b.p->blocks[l->b.block].insns++;
        lift_row(insn)->lift(l, insn);
        if (l->failed)
            return;
    }
    f->at = end;
    l->b.insn = end < f->ninsns ? end : f->ninsns ? f->ninsns - 1 : 0;
    go_to_join(l, end);
    if (end < f->ninsns && !arena_failed(l->arena))
        l->b.p->blocks[l->b.block].insns++;
}

/* The policy knows which call to return to; the targets tell the passes about all of them, in a chain of blocks
 * where one control cannot hold them. Only the first block of the chain is ever run. */
static void end_of_sub(struct tgsi_lifter *l, const struct subroutine *sub)
{
    l->b.block = sub->leave;
    l->b.insn = sub->end;
    for (uint32_t done = 0;;) {
        struct ir_control c = {.op = TGSI_CTL_ENDSUB};
        while (done < sub->nreturns && c.ntargets < IR_TARGETS - 1)
            c.target[c.ntargets++] = sub->returns[done++];
        bool more = done < sub->nreturns;
        uint32_t rest = more ? ir_new_block(l->b.p) : 0;
        if (more)
            c.target[c.ntargets++] = rest;
        control(l, c, 0);
        if (!more || arena_failed(l->arena))
            return;
        l->b.block = rest;
    }
}

static bool lift_subs(struct tgsi_lifter *l)
{
    struct lift_flow *f = l->flow;
    bool found = false;
    for (uint32_t i = 0; i < f->nsubs && !l->failed && !arena_failed(l->arena); i++) {
        struct subroutine *sub = &f->subs[i];
        if (!sub->called || sub->lifted)
            continue;
        sub->lifted = found = true;
        f->at = sub->begin;
        l->b.insn = sub->begin;
        lift_start_block(l, sub->body);
        lift_range(l, sub->begin, sub->end);
        sub->leave = l->b.block;
    }
    return found;
}

void lift_flow_run(struct tgsi_lifter *l)
{
    struct lift_flow *f = l->flow;
    if (f->jumps) {
        lift_jumps_run(l);
        return;
    }
    lift_range(l, f->main_begin, f->main_end);
    uint32_t last = ir_new_block(l->b.p);
    if (f->main_returns)
        control(l, (struct ir_control){.op = TGSI_CTL_FINISH, .ntargets = 1, .target = {last}}, 0);
    else
        ir_goto(&l->b, last);
    while (lift_subs(l))
        continue;
    for (uint32_t i = 0; i < f->nsubs && !l->failed && !arena_failed(l->arena); i++)
        if (f->subs[i].lifted)
            end_of_sub(l, &f->subs[i]);
    f->at = f->main_end;
    l->b.insn = f->main_end < f->ninsns ? f->main_end : 0;
    lift_start_block(l, last);
}
