/* lift_flow.c - control flow: blocks, branches, phis and calls, which are inlined. */
#include "isa/spirv/flow.h"
#include "isa/spirv/lift_io.h"

#include <assert.h>
#include <string.h>

/* ---- labels: blocks of the IR get their numbers where they are placed, in the order of the layout ---- */

uint32_t spirv_label(struct spirv_lifter *l)
{
    l->label_block = arena_grow(l->arena, l->label_block, sizeof *l->label_block, l->label_count, &l->label_cap,
                                l->label_count + 1);
    if (!l->label_block)
        return 0;
    l->label_block[l->label_count] = 0;
    return l->label_count++;
}

void spirv_place_label(struct spirv_lifter *l, uint32_t label)
{
    if (arena_failed(l->arena))
        return;
    l->b.block = lift_new_block(&l->lift);
    l->label_block[label] = l->b.block;
    l->b.p->blocks[l->b.block].insn = l->at;
}

void spirv_goto(struct spirv_lifter *l, uint32_t label)
{
    ir_emit(&l->b, IR_GOTO, IR_VOID, 0, 0, NULL, 0, label, 0, 0);
}

static void ask(struct spirv_lifter *l, enum spirv_control op, uint32_t yes, uint32_t no, ir_value condition)
{
    bool direct = op != SPIRV_CTL_END;
    struct ir_control c = {.op = (uint16_t)op,
                           .ntargets = 3,
                           .direct_none = op == SPIRV_CTL_BRANCH,
                           .direct_all = direct,
                           .way = op == SPIRV_CTL_BRANCH ? IR_WAY_SPLIT
                                  : op == SPIRV_CTL_MEET ? IR_WAY_MEET
                                                         : IR_WAY_ASK,
                           .target = {yes, no, l->done}};
    ir_control(&l->b, c, &condition, 1);
}

/* Lanes that come from elsewhere may wait there, or on the way. */
static void meet(struct spirv_lifter *l, uint32_t label)
{
    ask(l, SPIRV_CTL_MEET, label, label, spirv_const(l, IR_I1, 1));
}

/* To a block of the function, whose phis are written. The next one with no other way to it needs nobody to be asked,
 * and on the way back everybody who waits does so further on. */
static void jump(struct spirv_lifter *l, const struct spirv_block *to)
{
    struct spirv_frame *k = l->frame;
    uint32_t i = (uint32_t)(to - k->f->block);
    bool next = k->at + 1 < k->f->norder && k->f->order[k->at + 1] == i;
    bool back = l->label_block[k->label[i]] != 0;
    if (back || (next && to->preds == 1))
        spirv_goto(l, k->label[i]);
    else
        meet(l, k->label[i]);
}

/* ---- phis ---- */

/* What a phi gets from the block at work; SPIRV_NONE: nothing. */
static uint32_t incoming(const struct spirv_lifter *l, uint32_t insn)
{
    const uint32_t *w = spirv_words(l->m, insn);
    for (uint32_t k = 3; k + 1 < l->m->insns[insn].count; k += 2)
        if (w[k + 1] == l->current)
            return w[k];
    return SPIRV_NONE;
}

/* Write the phis of a block that lanes of `pred` (0: all) go to: all are read before one is written. */
static void write_phis(struct spirv_lifter *l, const struct spirv_block *to, ir_value pred)
{
    uint32_t count = 0;
    for (uint32_t i = to->first; i < to->end; i++)
        count += l->m->insns[i].op == SpvOpPhi;
    if (!count)
        return;
    const ir_value **v = ARENA_ARRAY(l->arena, const ir_value *, count);
    struct spirv_value **phi = ARENA_ARRAY(l->arena, struct spirv_value *, count);
    uint32_t k = 0;
    for (uint32_t i = to->first; i < to->end && v && phi && !l->failed; i++) {
        if (l->m->insns[i].op != SpvOpPhi)
            continue;
        uint32_t id = incoming(l, i), n = 0, self = spirv_words(l->m, i)[2];
        struct spirv_value *e = &l->values[self];
        if (id == SPIRV_NONE || id == self)
            continue;
        phi[k] = e;
        v[k] = spirv_use(l, id, &n);
        if (v[k] && !spirv_fits(l, e->type, v[k], n))
            spirv_wrong(l, "a phi takes %s, which is of another type", spirv_name(l->m, l->arena, id));
        k += v[k] != NULL;
    }
    for (uint32_t i = 0; i < k && !l->failed; i++)
        spirv_write_kept(l, phi[i], v[i], pred);
}

static void prepare_phi(struct spirv_lifter *l, uint32_t insn)
{
    spirv_begin_insn(l, insn);
    struct spirv_value *e = &l->values[l->w[2]];
    const struct spirv_type *t = spirv_type(l, l->w[1]);
    e->type = l->w[1];
    e->what = SPIRV_SCALARS;
    e->n = t->scalars;
    e->everywhere = false;
    if (!e->v)
        e->v = spirv_room(l, e->n);
    if (!e->n && !t->empty)
        spirv_wrong(l, "a phi of this type is not executed");
    else
        spirv_keep(l, e);
}

static void prepare_phis(struct spirv_lifter *l, const struct spirv_function *f)
{
    for (uint32_t k = 0; k < f->norder; k++)
        for (uint32_t i = f->block[f->order[k]].first; i < f->block[f->order[k]].end && !l->failed; i++)
            if (l->m->insns[i].op == SpvOpPhi)
                prepare_phi(l, i);
}

void spirv_lift_phi(struct spirv_lifter *l, const uint32_t *w)
{
    l->values[w[2]].block = SPIRV_NONE; /* its registers hold it */
}

/* ---- branches ---- */

static const struct spirv_block *target(struct spirv_lifter *l, uint32_t id)
{
    return spirv_block_of(l, l->frame->f, id);
}

/* A block does nothing but go on to another, which takes note of nobody who comes from there; NULL: it does more. */
static const struct spirv_block *passes_on(struct spirv_lifter *l, const struct spirv_block *b)
{
    const struct isa_module *m = l->m;
    uint32_t i = b->first;
    while (i < b->end && spirv_is_of(m->insns[i].op, "Debug"))
        i++;
    const struct spirv_does does = spirv_does(&spirv_rows[m->insns[i].row]);
    bool only_goes = does.flow == WEFT_FLOW_BRANCH && does.label == 1; /* no condition is before its label */
    if (i != b->end || !only_goes || b->preds != 1)
        return NULL;
    const struct spirv_block *to = target(l, spirv_words(m, i)[does.label]);
    for (i = to->first; i < to->end; i++)
        if (m->insns[i].op == SpvOpPhi)
            return NULL;
    return to;
}

/* The label where lanes that part from others go on. A `break` of its own block is on its way already: it would run for
 * nothing but to wait behind the loop. Not so on the way back, before which lanes wait for each other. */
static uint32_t label_to(struct spirv_lifter *l, const struct spirv_block *to)
{
    struct spirv_frame *k = l->frame;
    for (const struct spirv_block *next = passes_on(l, to); next; next = passes_on(l, to)) {
        if (l->label_block[k->label[next - k->f->block]] != 0)
            break;
        to = next;
    }
    return k->label[to - k->f->block];
}

void spirv_lift_branch(struct spirv_lifter *l, const uint32_t *w)
{
    const struct spirv_block *to = target(l, w[1]);
    write_phis(l, to, 0);
    jump(l, to);
}

void spirv_lift_branch_conditional(struct spirv_lifter *l, const uint32_t *w)
{
    const struct spirv_block *yes = target(l, w[2]), *no = target(l, w[3]);
    ir_value condition = spirv_use_one(l, w[1], IR_I1);
    if (!condition)
        return;
    if (yes == no) {
        write_phis(l, yes, 0);
        jump(l, yes);
        return;
    }
    write_phis(l, yes, condition);
    if (!l->failed)
        write_phis(l, no, spirv_1(l, IR_NOT, condition));
    if (l->failed)
        return;
    uint32_t here = label_to(l, yes), there = label_to(l, no);
    if (here == there)
        meet(l, here);
    else
        ask(l, SPIRV_CTL_BRANCH, here, there, condition);
}

/* One target of a switch. */
struct arm {
    const struct spirv_block *to;
    ir_value condition;
};

/* The arms, those of one target together. Returns how many; the default's has no condition and is not among them. */
static uint32_t find_arms(struct spirv_lifter *l, ir_value selector, struct arm *arm)
{
    enum ir_type type = ir_type_of(&l->b, selector);
    unsigned step = ir_type_bits(type) == 64 ? 3 : 2;
    uint32_t count = 0;
    const struct spirv_block *otherwise = target(l, l->w[2]);
    for (unsigned k = 3; k + step <= l->nw; k += step) {
        const struct spirv_block *to = target(l, l->w[k + step - 1]);
        uint64_t number = l->w[k] | (step == 3 ? (uint64_t)l->w[k + 1] << 32 : 0);
        uint32_t i = 0;
        if (to == otherwise)
            continue;
        ir_value same = spirv_2(l, IR_EQ, selector, spirv_const(l, type, number));
        while (i < count && arm[i].to != to)
            i++;
        arm[i] = (struct arm){to, i < count ? spirv_2(l, IR_OR, arm[i].condition, same) : same};
        count += i == count;
    }
    return count;
}

/* Where the arms' conditions are while the blocks that ask for them run. */
static uint32_t keep_conditions(struct spirv_lifter *l, const struct arm *arm, uint32_t count)
{
    uint32_t first = l->flags;
    l->flags += count;
    for (uint32_t i = 1; i < count; i++)
        if (!spirv_in_prologue(l, arm[i].condition))
            ir_set(&l->b, l->file_b, first + i, arm[i].condition, 0);
    return first;
}

void spirv_lift_switch(struct spirv_lifter *l, const uint32_t *w)
{
    uint32_t have;
    const ir_value *v = spirv_use(l, w[1], &have);
    struct arm *arm = ARENA_ARRAY(l->arena, struct arm, l->nw);
    if (!v || !arm || have != 1 || ir_type_of(&l->b, v[0]) < IR_I8 || ir_type_of(&l->b, v[0]) > IR_I64) {
        spirv_wrong(l, "the selector is not an integer");
        return;
    }
    const struct spirv_block *otherwise = target(l, w[2]);
    uint32_t count = find_arms(l, v[0], arm);
    ir_value none = 0;
    for (uint32_t i = 0; i < count && !l->failed; i++) {
        write_phis(l, arm[i].to, arm[i].condition);
        none = none ? spirv_2(l, IR_OR, none, arm[i].condition) : arm[i].condition;
    }
    write_phis(l, otherwise, none ? spirv_1(l, IR_NOT, none) : 0);
    if (l->failed || count == 0) {
        if (!l->failed)
            jump(l, otherwise);
        return;
    }
    struct spirv_frame *k = l->frame;
    uint32_t flag = keep_conditions(l, arm, count);
    for (uint32_t i = 0; i < count && !l->failed && !arena_failed(l->arena); i++) {
        bool last = i + 1 == count;
        uint32_t next = last ? k->label[otherwise - k->f->block] : spirv_label(l);
        ir_value c = arm[i].condition;
        if (i && !spirv_in_prologue(l, c))
            c = ir_get(&l->b, l->file_b, flag + i, IR_I1);
        ask(l, SPIRV_CTL_BRANCH, k->label[arm[i].to - k->f->block], next, c);
        if (!last)
            spirv_place_label(l, next);
    }
}

/* ---- ends ---- */

/* Lanes are done. */
static void end_lanes(struct spirv_lifter *l)
{
    ask(l, SPIRV_CTL_END, l->done, l->done, spirv_const(l, IR_I1, 1));
}

void spirv_lift_kill(struct spirv_lifter *l, const uint32_t *w)
{
    ir_value all = spirv_const(l, IR_I1, 1);
    (void)w;
    l->b.p->io.uses_discard = true;
    ir_emit(&l->b, IR_DISCARD, IR_VOID, 0, 0, &all, 1, 0, 0, 0);
    end_lanes(l);
}

void spirv_lift_demote(struct spirv_lifter *l, const uint32_t *w)
{
    ir_value all = spirv_const(l, IR_I1, 1);
    (void)w;
    l->b.p->io.uses_discard = true;
    ir_emit(&l->b, IR_DISCARD, IR_VOID, 0, 0, &all, 1, 0, 0, 0);
}

void spirv_lift_unreachable(struct spirv_lifter *l, const uint32_t *w)
{
    (void)w;
    end_lanes(l);
}

/* The last block of a function that nobody returned from before goes on in its caller. */
static bool falls(const struct spirv_frame *k)
{
    return k->call != SPIRV_NONE && k->returns == 0 && k->at + 1 == k->f->norder;
}

void spirv_lift_return(struct spirv_lifter *l, const uint32_t *w)
{
    struct spirv_frame *k = l->frame;
    (void)w;
    k->fell = falls(k);
    if (k->fell)
        return;
    k->returns++;
    meet(l, k->done);
}

/* A value that a call gives. */
static void give(struct spirv_lifter *l, const uint32_t *call, uint32_t id)
{
    const uint32_t *w = l->w;
    bool variable = l->variables[id] != NULL;
    const struct spirv_value *from = variable ? NULL : spirv_value_of(l, id);
    uint32_t n;
    l->w = call;
    if (from && from->what == SPIRV_SCALARS) {
        const ir_value *v = spirv_use(l, id, &n);
        if (v)
            spirv_result(l, v, n);
    } else if (from && from->what == SPIRV_OPAQUE) {
        const ir_value *chosen;
        const struct spirv_opaque *o = spirv_use_opaque(l, id, &chosen);
        if (o)
            spirv_result_opaque(l, o, chosen);
    } else if (from || variable) {
        struct spirv_pointer p;
        ir_value dynamic;
        if (spirv_pointer_of(l, id, &p, &dynamic))
            spirv_result_pointer(l, &p, dynamic);
    }
    l->w = w;
}

void spirv_lift_return_value(struct spirv_lifter *l, const uint32_t *w)
{
    struct spirv_frame *k = l->frame;
    if (k->call == SPIRV_NONE) {
        spirv_wrong(l, "an entry point returns nothing");
        return;
    }
    const uint32_t *call = spirv_words(l->m, k->call);
    struct spirv_value *e = &l->values[call[2]];
    k->fell = falls(k);
    if (k->fell) {
        give(l, call, w[1]);
        return;
    }
    uint32_t have;
    const ir_value *v = spirv_use(l, w[1], &have);
    if (!v || !spirv_fits(l, call[1], v, have)) {
        spirv_wrong(l, "what is returned is not of the function's type");
        return;
    }
    e->type = call[1];
    e->what = SPIRV_SCALARS;
    e->n = have;
    e->everywhere = false;
    e->v = spirv_room(l, have);
    spirv_keep(l, e);
    if (!l->failed)
        spirv_write_kept(l, e, v, 0);
    e->block = SPIRV_NONE;
    k->returns++;
    meet(l, k->done);
}

/* ---- functions ---- */

static void lift_insn(struct spirv_lifter *l, uint32_t insn)
{
    const struct spirv_meaning *meaning = l->meaning = spirv_meaning_of(l->m->insns[insn].op);
    spirv_begin_insn(l, insn);
    l->b.p->blocks[l->b.block].insns++;
    if (!meaning)
        spirv_wrong(l, "the instruction is not executed");
    else if (++l->lifted > SPIRV_MOST_OPS)
        spirv_wrong(l, "calls make the program longer than %d instructions", SPIRV_MOST_OPS);
    else
        meaning->lift(l, l->w);
}

static void lift_body(struct spirv_lifter *l, struct spirv_frame *k)
{
    struct spirv_function *f = k->f;
    k->label = ARENA_ARRAY(l->arena, uint32_t, f->nblocks);
    for (uint32_t i = 0; k->label && i < f->nblocks; i++)
        k->label[i] = spirv_label(l);
    prepare_phis(l, f);
    for (k->at = 0; k->at < f->norder && !l->failed && !arena_failed(l->arena); k->at++) {
        const struct spirv_block *b = &f->block[f->order[k->at]];
        l->at = b->first - 1;
        if (!k->at && b->preds)
            spirv_goto(l, k->label[f->order[0]]);
        if (k->at || b->preds)
            spirv_place_label(l, k->label[f->order[k->at]]);
        for (uint32_t i = b->first; i <= b->end && !l->failed; i++) {
            l->current = b->id;
            lift_insn(l, i);
        }
    }
}

static bool is_running(const struct spirv_frame *k, const struct spirv_function *f)
{
    for (; k; k = k->caller)
        if (k->f == f)
            return true;
    return false;
}

void spirv_lift_call(struct spirv_lifter *l, const uint32_t *w)
{
    struct spirv_function *f = l->functions[w[3]];
    uint32_t call = l->at;
    if (!f || f->nparams != l->nw - 4) {
        spirv_wrong(l, "%s is not a function of %u parameters", spirv_name(l->m, l->arena, w[3]), l->nw - 4);
        return;
    }
    if (is_running(l->frame, f) || l->depth >= SPIRV_MOST_DEPTH) {
        spirv_wrong(l, "the function calls itself, or calls are too deep");
        return;
    }
    if (!spirv_lay_out(l, f))
        return;
    struct spirv_frame k = {.f = f, .caller = l->frame, .call = call, .done = spirv_label(l)};
    for (uint32_t i = 0; i < f->nparams && !l->failed; i++)
        give(l, spirv_words(l->m, f->param[i]), w[4 + i]);
    l->depth++;
    l->frame = &k;
    if (!l->failed)
        lift_body(l, &k);
    l->frame = k.caller;
    l->depth--;
    spirv_begin_insn(l, call);
    if (!k.fell && !l->failed)
        spirv_place_label(l, k.done);
}

/* ---- the entry point ---- */

static void finish_stage(struct spirv_lifter *l)
{
    struct ir_io *io = &l->b.p->io;
    static const uint8_t vertices[] = {[IR_PRIM_POINTS] = 1,
                                       [IR_PRIM_LINES] = 2,
                                       [IR_PRIM_TRIANGLES] = 3,
                                       [IR_PRIM_LINES_ADJACENCY] = 4,
                                       [IR_PRIM_TRIANGLES_ADJACENCY] = 6};
    if (l->stage == IR_GEOMETRY && l->stage_space[0])
        l->b.p->spaces[l->stage_space[0] - 1].size = (uint64_t)vertices[io->gs_input] * io->ninputs * 16;
}

void spirv_lift_entry(struct spirv_lifter *l)
{
    uint32_t id = spirv_words(l->m, l->m->entry)[2];
    struct spirv_function *f = l->functions[id];
    spirv_take_modes(l);
    l->at = l->m->entry;
    if (!f) {
        spirv_wrong(l, "the entry point has no function");
        return;
    }
    if (f->nparams) {
        spirv_wrong(l, "an entry point has no parameters");
        return;
    }
    spirv_open_stage(l);
    if (l->failed || !spirv_lay_out(l, f))
        return;
    uint32_t body = (spirv_label(l), spirv_label(l)); /* label 0 is not a label */
    l->done = spirv_label(l);
    struct spirv_frame k = {.f = f, .call = SPIRV_NONE, .done = l->done};
    l->frame = &k;
    spirv_place_label(l, body);
    lift_body(l, &k);
    if (l->failed || arena_failed(l->arena))
        return;
    spirv_place_label(l, l->done);
    if (l->stage != IR_GEOMETRY)
        spirv_write_outputs(l);
    lift_end(&l->lift);
    l->b.block = IR_ENTRY;
    spirv_initialise(l);
    spirv_goto(l, body);
    finish_stage(l);
}

/* ---- labels become blocks ---- */

static bool parts_lanes(const struct spirv_lifter *l)
{
    const struct ir_program *p = l->b.p;
    for (uint32_t k = IR_ENTRY; k < p->nblocks; k++) { /* each of them ends with something */
        assert(p->blocks[k].count);
        const struct ir_op *op = &p->blocks[k].ops[p->blocks[k].count - 1];
        if (op->code == IR_CONTROL && p->controls[op->desc].op == SPIRV_CTL_BRANCH &&
            !p->value_uniform[ir_args(p, op)[0]])
            return true;
    }
    return false;
}

static void plain(struct spirv_lifter *l, struct ir_op *op)
{
    struct ir_control *c = &l->b.p->controls[op->desc];
    if (c->op == SPIRV_CTL_BRANCH) {
        op->code = IR_BRANCH;
        op->desc = c->target[0];
        op->imm = c->target[1];
        return;
    }
    op->code = IR_GOTO;
    op->nargs = 0;
    op->desc = c->target[c->op == SPIRV_CTL_MEET ? 0 : 2];
}

void spirv_resolve(struct spirv_lifter *l)
{
    struct ir_program *p = l->b.p;
    bool parted = parts_lanes(l);
    for (uint32_t k = IR_ENTRY; k < p->nblocks; k++) {
        struct ir_op *op = &p->blocks[k].ops[p->blocks[k].count - 1];
        if (op->code == IR_CONTROL) {
            struct ir_control *c = &p->controls[op->desc];
            for (unsigned i = 0; i < c->ntargets; i++)
                c->target[i] = l->label_block[c->target[i]];
            if (!parted)
                plain(l, op);
        } else if (op->code == IR_GOTO || op->code == IR_BARRIER) {
            op->desc = l->label_block[op->desc];
        }
    }
    if (!parted) {
        p->ncontrols = 0;
        p->policy = NULL;
    }
}
