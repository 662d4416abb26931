/* lift_flow.c - blocks, branches and the flow field of every word. Where lanes may part, the policy (policy.c) keeps
 * their program counters. */
#include "isa/valhall/check.h"
#include "isa/valhall/lift.h"
#include "isa/valhall/lift_rows.h"

/* ---- which instructions are reached ---- */

static void note_pointer(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    for (unsigned i = 0; i < insn->nsrc; i++)
        if (insn->src[i].kind == VALHALL_SPECIAL) {
            l->uses_local |= insn->src[i].special == VALHALL_THREAD_LOCAL_POINTER;
            l->uses_workgroup |= insn->src[i].special == VALHALL_WORKGROUP_LOCAL_POINTER;
            l->uses_samples |= insn->src[i].special == VALHALL_SAMPLE_POSITIONS && l->stage == IR_FRAGMENT;
            l->lanes_matter |= insn->src[i].special == VALHALL_LANE_ID || insn->src[i].special == VALHALL_WARP_ID;
        }
    l->uses_output |= l->stage == IR_VERTEX && insn->row->form->tables == VALHALL_TABLES_OF_BUFFERS;
}

/* What the whole program has to be asked for before any of it is lifted. */
static void survey(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    int slot = valhall_slot(insn->row, insn->word);
    l->written |= valhall_writes(insn);
    if (slot >= 0)
        l->writers[slot] |= valhall_writes(insn);
    note_pointer(l, insn);
    l->targets |= valhall_targets(insn);
    l->lanes_matter |= (insn->row->form->effects & WEFT_EFFECT_LANES) != 0;
    valhall_survey_coverage(l, insn);
}

static void survey_reached(struct valhall_lifter *l)
{
    for (uint32_t i = 0; i < l->m->nwords; i++) {
        struct valhall_insn insn;
        valhall_insn_at(l->m, i, &insn);
        if (!l->reach.word[i] || !insn.row)
            continue;
        survey(l, &insn);
        struct valhall_way way = valhall_linked_way_of(&l->link, &insn);
        l->diverges |= way.conditional || way.outside;
    }
}

/* One target, written whichever way: not by a BLEND that goes on to a blend shader. */
static bool surely_writes(const struct valhall_lifter *l, const struct valhall_insn *insn, unsigned n)
{
    return valhall_targets(insn) == 1u << n && (insn->row->form->way != VALHALL_WAY_BLEND_PATH ||
                                                valhall_blend_path(&l->link, insn) == VALHALL_BLEND_FIXED);
}

bool valhall_may_miss(const struct valhall_lifter *l, unsigned n)
{
    uint32_t words = l->m->nwords, count = 1;
    uint32_t *work = ARENA_ARRAY(l->arena, uint32_t, (size_t)words * 2 + 1);
    bool *seen = ARENA_ARRAY(l->arena, bool, words + 1);
    if (arena_failed(l->arena))
        return true;
    work[0] = 0;
    while (count) {
        struct valhall_insn insn;
        uint32_t at = work[--count];
        if (at >= words)
            return true;
        if (seen[at])
            continue;
        seen[at] = true;
        valhall_insn_at(l->m, at, &insn);
        if (!insn.row)
            return true;
        if (surely_writes(l, &insn, n))
            continue;
        struct valhall_way way = valhall_linked_way_of(&l->link, &insn);
        if (way.outside || (way.next == VALHALL_NOWHERE && way.target == VALHALL_NOWHERE))
            return true;
        if (way.next != VALHALL_NOWHERE)
            work[count++] = way.next;
        if (way.target != VALHALL_NOWHERE && !(way.target < words && seen[way.target]))
            work[count++] = way.target;
    }
    return false;
}

/* ---- blocks ---- */

static void lead(struct valhall_lifter *l, uint32_t i)
{
    if (i < l->m->nwords && l->reach.word[i])
        lift_lead(&l->lift, i);
}

static void find_leaders(struct valhall_lifter *l)
{
    for (uint32_t i = 0; i < l->m->nwords; i++) {
        struct valhall_insn insn;
        if (!l->reach.word[i])
            continue;
        if (l->reach.anywhere)
            lift_lead(&l->lift, i);
        valhall_insn_at(l->m, i, &insn);
        if (!insn.row)
            continue;
        struct valhall_way way = valhall_linked_way_of(&l->link, &insn);
        lead(l, way.target);
        l->reenters |= way.outside || way.target == 0 || (l->reach.second && way.target == l->reach.second);
        if (way.next == VALHALL_NOWHERE || way.conditional || way.outside || insn.flow == VALHALL_RECONVERGE ||
            insn.flow == VALHALL_DISCARD || insn.row->form->way == VALHALL_WAY_MEET)
            lead(l, i + 1);
    }
}

bool valhall_flow_prepare(struct valhall_lifter *l)
{
    if (!valhall_find_reach(l->m, (int)l->stage, &l->link, l->arena, &l->reach))
        return false;
    survey_reached(l);
    l->b.p->lanes = l->lanes_matter ? VALHALL_LANES : VALHALL_LANES_TOGETHER;
    lead(l, 0);
    lead(l, l->reach.second);
    find_leaders(l);
    lift_make_blocks(&l->lift); /* in the order of addresses: the policy compares them */
    return true;
}

/* ---- leaving an instruction ---- */

static void ask(struct valhall_lifter *l, enum valhall_control op, uint32_t target, const ir_value *args,
                unsigned nargs)
{
    struct ir_control c = {
        .op = (uint16_t)op, .ntargets = 3, .target = {target, lift_block_at(&l->lift, l->at + 1), l->epilogue}};
    c.direct_none = c.direct_all = op == VALHALL_CTL_BRANCH;
    ir_control(&l->b, c, args, nargs);
}

/* The active lanes are done. */
static void leave(struct valhall_lifter *l)
{
    if (l->diverges)
        ask(l, VALHALL_CTL_END, l->epilogue, NULL, 0);
    else
        ir_goto(&l->b, l->epilogue);
}

static void go_to(struct valhall_lifter *l, uint32_t number)
{
    if (number >= l->m->nwords || !l->block[number]) {
        lift_refuse(&l->lift, "there is no instruction where this branch goes");
        number = 0;
    }
    if (l->diverges && l->insn->flow == VALHALL_RECONVERGE)
        ask(l, VALHALL_CTL_RECONVERGE, lift_block_at(&l->lift, number), NULL, 0);
    else
        ir_goto(&l->b, lift_block_at(&l->lift, number));
}

/* Helper lanes are done: visible only where something asks which lanes are active. */
static void drop_helpers(struct valhall_lifter *l)
{
    uint32_t next = lift_block_at(&l->lift, l->at + 1);
    if (l->stage != IR_FRAGMENT || !l->lanes_matter || next == l->epilogue) {
        ir_goto(&l->b, next);
        return;
    }
    ir_value helper = ir_sysval(&l->b, IR_SYS_HELPER, IR_I1, 0);
    l->diverges = true;
    ask(l, VALHALL_CTL_DROP, next, &helper, 1);
}

/* ---- branches ---- */

static ir_value is_nonzero(struct valhall_lifter *l, ir_value v)
{
    return ir_op2(&l->b, IR_NE, 0, v, valhall_i32(l, 0));
}

/* What a branch looks at, as a condition: nonzero. lowbits looks at the lowest bit of each half, and at both halves. */
static ir_value looks_nonzero(struct valhall_lifter *l, const struct valhall_source *s)
{
    struct ir_builder *b = &l->b;
    ir_value v = valhall_whole(l, s, false); /* of a half that is picked, that half */
    switch ((enum valhall_combine)valhall_get_field(l->insn->word, VALHALL_FIELD_COMBINE)) {
    case VALHALL_COMBINE_AND: {
        ir_value low = ir_op2(b, IR_AND, 0, v, valhall_i32(l, 0xffff));
        return ir_op2(b, IR_AND, 0, is_nonzero(l, low), is_nonzero(l, ir_op2(b, IR_SHR_U, 0, v, valhall_i32(l, 16))));
    }
    case VALHALL_COMBINE_LOWBITS:
        return is_nonzero(l, ir_op2(b, IR_AND, 0, v, valhall_i32(l, 0x00010001)));
    default:
        return is_nonzero(l, v);
    }
}

static ir_value taken(struct valhall_lifter *l)
{
    int constant = valhall_branch_taken(l->insn);
    if (constant >= 0)
        return ir_const(&l->b, IR_I1, (uint64_t)constant);
    ir_value v = looks_nonzero(l, &l->insn->src[0]);
    return valhall_mod(l->insn, VALHALL_MOD_EQ) ? ir_op1(&l->b, IR_NOT, 0, v) : v;
}

void valhall_lift_branchz(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    struct valhall_way way = valhall_way_of(insn);
    uint32_t to = way.target;
    if (insn->flow == VALHALL_END)
        return;
    if (!way.conditional) {
        go_to(l, to == VALHALL_NOWHERE ? way.next : to);
        return;
    }
    if (to >= l->m->nwords || !l->block[to]) {
        lift_refuse(&l->lift, "there is no instruction where this branch goes");
        return;
    }
    ir_value condition = taken(l);
    ask(l, VALHALL_CTL_BRANCH, lift_block_at(&l->lift, to), &condition, 1);
}

/* To an address, or past the next instruction by as many bytes. */
void valhall_lift_branchzi(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    if (insn->flow == VALHALL_END)
        return;
    ir_value args[2] = {taken(l), valhall_bits(l, &insn->src[1])};
    if (!valhall_mod(insn, VALHALL_MOD_ABSOLUTE))
        args[1] = ir_op2(&l->b, IR_ADD, 0, args[1], valhall_i32(l, (uint32_t)(l->m->base + (uint64_t)(l->at + 1) * 8)));
    /* the policy wants a row of all lanes, also of an address that is the same for all of them */
    args[1] = ir_op2(&l->b, IR_SHUFFLE, 0, args[1], ir_emit(&l->b, IR_LANE_ID, IR_I32, 0, 1, NULL, 0, 0, 0, 0));
    ask(l, VALHALL_CTL_INDIRECT, l->epilogue, args, 2);
}

void valhall_lift_nop(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    (void)l;
    (void)insn;
}

/* Outside of dispatches nobody else is there to be waited for. */
void valhall_lift_barrier(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    (void)insn;
    if (l->stage == IR_COMPUTE)
        ir_emit(&l->b, IR_BARRIER, IR_VOID, 0, 0, NULL, 0, lift_block_at(&l->lift, l->at + 1), 0, 0);
}

/* ---- instructions in order ---- */

static void begin(struct valhall_lifter *l)
{
    lift_begin(&l->lift);
    l->known = 0;
    bool first = !l->reenters && (l->at == 0 || l->at == l->reach.second);
    l->preloaded = first ? UINT64_MAX : ~l->written;
}

/* Constants that registers hold from here on: handles of textures and the like are made of them. */
static void note_constant(struct valhall_lifter *l, bool is_constant, uint32_t value)
{
    l->known &= ~valhall_writes(l->insn);
    l->preloaded &= ~valhall_writes(l->insn);
    if (is_constant && l->insn->dst_mask == 3) {
        l->known |= UINT64_C(1) << l->insn->dst;
        l->value[l->insn->dst] = value;
    }
}

/* A constant result: of a constant source, with the immediate if there is one. */
static bool folds(const struct valhall_lifter *l, uint32_t *value)
{
    const struct valhall_insn *insn = l->insn;
    if (!insn->row->folds || !valhall_constant(l, &insn->src[0], value))
        return false;
    *value += insn->nimm ? (uint32_t)insn->imm[0] : 0;
    return true;
}

/* The fixed functions end the program or branch; a blend shader is called by what follows. */
static void finish_blend(struct valhall_lifter *l)
{
    const struct valhall_insn *insn = l->insn;
    uint32_t to = valhall_way_of(insn).target;
    bool ends = insn->flow == VALHALL_END;
    switch (valhall_blend_path(&l->link, insn)) {
    case VALHALL_BLEND_SHADER:
        return;
    case VALHALL_BLEND_FIXED:
        if (ends)
            leave(l);
        else
            go_to(l, to);
        return;
    case VALHALL_BLEND_EITHER: {
        ir_value fixed = valhall_blends_fixed(l);
        ask(l, VALHALL_CTL_BRANCH, ends ? l->epilogue : lift_block_at(&l->lift, to), &fixed, 1);
    }
    }
}

static void finish(struct valhall_lifter *l)
{
    const struct valhall_insn *insn = l->insn;
    if (!lift_is_open(&l->lift))
        return;
    if (insn->row->form->way == VALHALL_WAY_BLEND_PATH) {
        finish_blend(l);
        return;
    }
    if (insn->flow == VALHALL_END)
        leave(l);
    else if (insn->flow == VALHALL_RECONVERGE)
        ask(l, VALHALL_CTL_RECONVERGE, lift_block_at(&l->lift, l->at + 1), NULL, 0);
    else if (insn->flow == VALHALL_DISCARD)
        drop_helpers(l);
}

static void lift_one(struct valhall_lifter *l)
{
    struct valhall_insn insn;
    uint32_t value = 0;
    valhall_insn_at(l->m, l->at, &insn);
    l->b.insn = l->at;
    l->insn = &insn;
    l->b.p->blocks[l->b.block].insns++;
    if (!insn.row) {
        lift_stop(&l->lift, valhall_data_text(insn.word, l->b.p->arena), VALHALL_FAULT_DATA);
        return;
    }
    if (!insn.row->lift) {
        lift_refuse(&l->lift, "'%s' is not executed", insn.row->name);
        return;
    }
    if (l->m->strict)
        valhall_check_reads(l);
    bool constant = folds(l, &value);
    if (constant)
        valhall_write(l, valhall_i32(l, value));
    else
        insn.row->lift(l, &insn);
    note_constant(l, constant, value);
    if (l->m->strict && lift_is_open(&l->lift))
        valhall_mark_message(l);
    finish(l);
}

/* Between the parts of a vertex program: all lanes begin again. */
static void begin_second(struct valhall_lifter *l)
{
    l->b.block = l->epilogue;
    l->b.insn = l->reach.second;
    l->b.p->blocks[l->epilogue].insn = l->reach.second;
    l->b.p->blocks[l->epilogue].addr = UINT64_MAX;
    valhall_preload(l);
    ir_goto(&l->b, l->block[l->reach.second]);
    l->epilogue = ir_new_block(l->b.p);
}

/* The textures that the program names by constants. */
static void survey_textures(struct valhall_lifter *l)
{
    struct valhall_insn insn;
    for (uint32_t i = 0; l->link.sysvals && i < l->m->nwords; i++) {
        if (l->block[i])
            l->known = 0;
        valhall_insn_at(l->m, i, &insn);
        if (!l->reach.word[i] || !insn.row)
            continue;
        l->insn = &insn;
        if (insn.row->unit == VALHALL_T || insn.row->unit == VALHALL_VT)
            valhall_note_texture(l, &insn);
        uint32_t value = 0;
        bool constant = folds(l, &value);
        note_constant(l, constant, value);
    }
    l->insn = NULL;
}

void valhall_flow_run(struct valhall_lifter *l)
{
    survey_textures(l);
    valhall_preload(l);
    ir_goto(&l->b, lift_block_at(&l->lift, 0));
    for (l->at = 0; l->at < l->m->nwords && !arena_failed(l->arena); l->at++) {
        if (l->reach.second && l->at == l->reach.second)
            begin_second(l);
        if (!l->reach.word[l->at])
            continue;
        if (l->block[l->at]) {
            if (lift_is_open(&l->lift))
                ir_goto(&l->b, l->block[l->at]);
            begin(l);
        } else if (!lift_is_open(&l->lift)) {
            continue; /* nobody comes here */
        }
        lift_one(l);
        l->insn = NULL;
        if (lift_is_open(&l->lift) && (l->at + 1 >= l->m->nwords || !l->reach.word[l->at + 1]))
            leave(l);
    }
    lift_begin_epilogue(&l->lift);
    if (l->stage == IR_VERTEX)
        valhall_write_outputs(l);
    lift_end(&l->lift);
}
