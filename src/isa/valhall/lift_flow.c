/* lift_flow.c - blocks, branches, the flow field of every word, and what a program finds in its registers. Where lanes
 * may part, the policy (policy.c) keeps their program counters. */
#include "exec/exec.h"
#include "isa/valhall/check.h"
#include "isa/valhall/lift.h"
#include "isa/valhall/lift_rows.h"

enum { PART_ALIGNMENT = 16 /* words: where a second part may begin */ };

/* ---- which instructions are reached ---- */

enum valhall_blend_path valhall_blend_path(const struct valhall_lifter *l, const struct valhall_insn *insn)
{
    const struct valhall_source *descriptor = &insn->src[0];
    bool shaded = false;
    if (descriptor->kind == VALHALL_SPECIAL) {
        unsigned target = descriptor->special - VALHALL_BLEND_DESCRIPTOR_0;
        return target < VALHALL_TARGETS && l->link.shaded[target] ? VALHALL_BLEND_SHADER : VALHALL_BLEND_FIXED;
    }
    for (unsigned n = 0; n < VALHALL_TARGETS; n++)
        shaded |= l->link.shaded[n];
    return shaded && descriptor->kind != VALHALL_CONSTANT ? VALHALL_BLEND_EITHER : VALHALL_BLEND_FIXED;
}

static bool is_branch(const struct valhall_insn *insn)
{
    return insn->row->opcode == VALHALL_OPCODE_BRANCHZ || insn->row->opcode == VALHALL_OPCODE_BRANCHZI;
}

static uint32_t relative(const struct valhall_insn *insn, int64_t by)
{
    int64_t to = (int64_t)insn->number + 1 + by;
    return to < 0 || to > UINT32_MAX ? VALHALL_ABSENT : (uint32_t)to;
}

/* Whether a branch's condition is the same for all lanes: a constant. 1: always, 0: never, -1: lanes say. */
static int constant_condition(const struct valhall_insn *insn)
{
    if (insn->src[0].kind != VALHALL_CONSTANT || (insn->src[0].pick && insn->src[0].pick->part))
        return -1;
    return (insn->src[0].value == 0) == (valhall_mod(insn, VALHALL_MOD_EQ) != 0);
}

struct ways {
    uint32_t target; /* VALHALL_ABSENT: no branch, or to who knows where */
    bool next, anywhere, parts;
};

static struct ways ways_of(const struct valhall_lifter *l, const struct valhall_insn *insn)
{
    struct ways w = {VALHALL_ABSENT, true, false, false};
    bool ends = insn->flow == VALHALL_END;
    if (insn->row->opcode == VALHALL_OPCODE_BLEND) {
        enum valhall_blend_path path = valhall_blend_path(l, insn);
        w.next = path != VALHALL_BLEND_FIXED;
        w.parts = path == VALHALL_BLEND_EITHER;
        if (path != VALHALL_BLEND_SHADER && !ends)
            w.target = relative(insn, insn->imm[0]);
        return w;
    }
    w.next = !ends;
    if (!is_branch(insn))
        return w;
    int taken = constant_condition(insn);
    w.parts = taken < 0;
    w.next = w.next && taken != 1;
    if (taken == 0)
        return w;
    if (insn->row->opcode == VALHALL_OPCODE_BRANCHZI)
        w.anywhere = true;
    else
        w.target = relative(insn, insn->imm[0]);
    return w;
}

static void add_work(struct valhall_lifter *l, uint32_t *work, uint32_t *count, uint32_t number)
{
    if (number < l->m->nwords && !l->reached[number]) {
        l->reached[number] = true;
        work[(*count)++] = number;
    }
}

static void note_pointer(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    for (unsigned i = 0; i < insn->nsrc; i++)
        if (insn->src[i].kind == VALHALL_SPECIAL) {
            l->uses_local |= insn->src[i].special == VALHALL_THREAD_LOCAL_POINTER;
            l->uses_workgroup |= insn->src[i].special == VALHALL_WORKGROUP_LOCAL_POINTER;
            l->uses_samples |= insn->src[i].special == VALHALL_SAMPLE_POSITIONS && l->stage == IR_FRAGMENT;
            l->lanes_matter |= insn->src[i].special == VALHALL_LANE_ID || insn->src[i].special == VALHALL_WARP_ID;
        }
    l->uses_output |= l->stage == IR_VERTEX && insn->row->opcode == VALHALL_OPCODE_LEA_BUF_IMM;
}

/* What the whole program has to be asked for before any of it is lifted. */
static bool survey(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    const struct valhall_row *row = insn->row;
    int slot = valhall_slot(insn);
    l->written |= valhall_writes(insn);
    if (slot >= 0)
        l->writers[slot] |= valhall_writes(insn);
    note_pointer(l, insn);
    l->targets |= valhall_targets(insn);
    l->lanes_matter |= row->opcode == 0x95 || (row->second == 0xF && !valhall_is_message(row->unit) &&
                                               row->opcode < 0x1AC && row->opcode >= 0xA0);
    valhall_survey_coverage(l, insn);
    return row->opcode == VALHALL_OPCODE_BRANCHZI;
}

/* Everything that control reaches from `first`; whether it may go to an address of a register. */
static bool reach(struct valhall_lifter *l, uint32_t first, uint32_t *work)
{
    uint32_t count = 0;
    bool anywhere = false;
    add_work(l, work, &count, first);
    while (count) {
        struct valhall_insn insn;
        valhall_insn_at(l->m, work[--count], &insn);
        if (!insn.row)
            continue;
        anywhere |= survey(l, &insn);
        struct ways w = ways_of(l, &insn);
        l->diverges |= w.parts || w.anywhere;
        if (w.next)
            add_work(l, work, &count, insn.number + 1);
        if (w.target != VALHALL_ABSENT)
            add_work(l, work, &count, w.target);
    }
    return anywhere;
}

/* One target, written whichever way: not by a BLEND that goes on to a blend shader. */
static bool surely_writes(const struct valhall_lifter *l, const struct valhall_insn *insn, unsigned n)
{
    return valhall_targets(insn) == 1u << n &&
           (insn->row->opcode != VALHALL_OPCODE_BLEND || valhall_blend_path(l, insn) == VALHALL_BLEND_FIXED);
}

bool valhall_may_miss(const struct valhall_lifter *l, unsigned n)
{
    uint32_t words = l->m->nwords, count = 1;
    uint32_t *work = ARENA_ARRAY(l->arena, uint32_t, (size_t)words * 2 + 1);
    bool *seen = ARENA_ARRAY(l->arena, bool, words + 1);
    if (!work || !seen)
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
        struct ways w = ways_of(l, &insn);
        if (w.anywhere || (!w.next && w.target == VALHALL_ABSENT))
            return true;
        if (w.next)
            work[count++] = at + 1;
        if (w.target != VALHALL_ABSENT && !(w.target < words && seen[w.target]))
            work[count++] = w.target;
    }
    return false;
}

/* A vertex program's second part: the first word that is not zero, behind zeros or the first part, at which a part may
 * begin and where the first part never comes. 0: there is none. */
static uint32_t find_second(const struct valhall_lifter *l)
{
    uint32_t end = 0;
    for (uint32_t i = 0; i < l->m->nwords; i++)
        if (l->reached[i])
            end = i + 1;
    for (uint32_t i = end; l->stage == IR_VERTEX && end && i < l->m->nwords; i++)
        if (l->m->words[i])
            return i % PART_ALIGNMENT == 0 ? i : 0;
    return 0;
}

/* ---- blocks ---- */

static void lead(struct valhall_lifter *l, uint32_t i, bool *leads)
{
    if (i < l->m->nwords && l->reached[i])
        leads[i] = true;
}

static void find_leaders(struct valhall_lifter *l, bool *leads, bool anywhere)
{
    for (uint32_t i = 0; i < l->m->nwords; i++) {
        struct valhall_insn insn;
        if (!l->reached[i])
            continue;
        if (anywhere)
            leads[i] = true;
        valhall_insn_at(l->m, i, &insn);
        if (!insn.row)
            continue;
        struct ways w = ways_of(l, &insn);
        if (w.target != VALHALL_ABSENT)
            lead(l, w.target, leads);
        l->reenters |= w.anywhere || w.target == 0 || (l->second && w.target == l->second);
        if (!w.next || w.parts || w.anywhere || insn.flow == VALHALL_RECONVERGE || insn.flow == VALHALL_DISCARD ||
            insn.row->opcode == VALHALL_OPCODE_BARRIER)
            lead(l, i + 1, leads);
    }
}

bool valhall_flow_prepare(struct valhall_lifter *l)
{
    uint32_t n = l->m->nwords;
    l->reached = ARENA_ARRAY(l->arena, bool, n + 1);
    l->block = ARENA_ARRAY(l->arena, uint32_t, n + 1);
    uint32_t *work = ARENA_ARRAY(l->arena, uint32_t, n + 1);
    bool *leads = ARENA_ARRAY(l->arena, bool, n + 1);
    if (!l->reached || !l->block || !work || !leads)
        return false;
    bool anywhere = reach(l, 0, work);
    l->second = find_second(l);
    if (l->second)
        anywhere |= reach(l, l->second, work);
    if (anywhere) /* a blend shader or a subroutine may be any instruction */
        for (uint32_t i = 0; i < n; i++)
            if (!l->reached[i] && l->m->words[i])
                reach(l, i, work);
    l->b.p->lanes = l->lanes_matter ? VALHALL_LANES : VALHALL_LANES_TOGETHER;
    lead(l, 0, leads);
    lead(l, l->second, leads);
    find_leaders(l, leads, anywhere);
    for (uint32_t i = 0; i < n; i++)
        if (leads[i])
            l->block[i] = ir_new_block(l->b.p); /* in the order of addresses: the policy compares them */
    l->epilogue = ir_new_block(l->b.p);
    return true;
}

static uint32_t block_at(struct valhall_lifter *l, uint32_t number)
{
    return number < l->m->nwords && l->block[number] ? l->block[number] : l->epilogue;
}

/* ---- leaving an instruction ---- */

static void ask(struct valhall_lifter *l, enum valhall_control op, uint32_t target, const ir_value *args,
                unsigned nargs)
{
    struct ir_control c = {.op = (uint16_t)op, .ntargets = 3, .target = {target, block_at(l, l->at + 1), l->epilogue}};
    ir_control(&l->b, c, args, nargs);
}

/* The active lanes are done. */
void valhall_leave(struct valhall_lifter *l)
{
    if (l->diverges)
        ask(l, VALHALL_CTL_END, l->epilogue, NULL, 0);
    else
        ir_goto(&l->b, l->epilogue);
}

void valhall_goto(struct valhall_lifter *l, uint32_t number)
{
    if (number >= l->m->nwords || !l->block[number]) {
        valhall_refuse(l, "there is no instruction where this branch goes");
        number = 0;
    }
    if (l->diverges && l->insn->flow == VALHALL_RECONVERGE)
        ask(l, VALHALL_CTL_RECONVERGE, block_at(l, number), NULL, 0);
    else
        ir_goto(&l->b, block_at(l, number));
}

/* Helper lanes are done: visible only where something asks which lanes are active. */
static void drop_helpers(struct valhall_lifter *l)
{
    uint32_t next = block_at(l, l->at + 1);
    if (l->stage != IR_FRAGMENT || !l->lanes_matter || next == l->epilogue) {
        ir_goto(&l->b, next);
        return;
    }
    ir_value helper = valhall_sysval(l, IR_SYS_HELPER, IR_I1, 0);
    l->diverges = true;
    ask(l, VALHALL_CTL_DROP, next, &helper, 1);
}

/* ---- branches ---- */

/* What a branch looks at, as a condition: nonzero. lowbits looks at the lowest bit of each half, and at both halves. */
static ir_value looks_nonzero(struct valhall_lifter *l, const struct valhall_source *s)
{
    struct ir_builder *b = &l->b;
    enum { COMBINE_AT = 37 };
    unsigned combine = (unsigned)(l->insn->word >> COMBINE_AT) & 7;
    ir_value v = valhall_bits(l, s), zero = valhall_i32(l, 0);
    ir_value low = ir_op2(b, IR_AND, 0, v, valhall_i32(l, 0xffff));
    ir_value high = ir_op2(b, IR_SHR_U, 0, v, valhall_i32(l, 16));
    switch ((enum valhall_combine)combine) {
    case VALHALL_COMBINE_H0:
        return ir_op2(b, IR_NE, 0, low, zero);
    case VALHALL_COMBINE_H1:
        return ir_op2(b, IR_NE, 0, high, zero);
    case VALHALL_COMBINE_AND:
        return ir_op2(b, IR_AND, 0, ir_op2(b, IR_NE, 0, low, zero), ir_op2(b, IR_NE, 0, high, zero));
    case VALHALL_COMBINE_LOWBITS:
        return ir_op2(b, IR_NE, 0, ir_op2(b, IR_AND, 0, v, valhall_i32(l, 0x00010001)), zero);
    default:
        return ir_op2(b, IR_NE, 0, v, zero);
    }
}

static ir_value taken(struct valhall_lifter *l)
{
    int constant = constant_condition(l->insn);
    if (constant >= 0)
        return ir_const(&l->b, IR_I1, (uint64_t)constant);
    ir_value v = looks_nonzero(l, &l->insn->src[0]);
    return valhall_mod(l->insn, VALHALL_MOD_EQ) ? ir_op1(&l->b, IR_NOT, 0, v) : v;
}

void valhall_lift_branchz(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    uint32_t to = relative(insn, insn->imm[0]);
    int constant = constant_condition(insn);
    if (constant >= 0) {
        valhall_goto(l, constant ? to : l->at + 1);
        return;
    }
    if (to >= l->m->nwords || !l->block[to]) {
        valhall_refuse(l, "there is no instruction where this branch goes");
        return;
    }
    ir_value condition = taken(l);
    ask(l, VALHALL_CTL_BRANCH, block_at(l, to), &condition, 1);
}

/* To an address, or past the next instruction by as many bytes. */
void valhall_lift_branchzi(struct valhall_lifter *l, const struct valhall_insn *insn)
{
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
        ir_emit(&l->b, IR_BARRIER, IR_VOID, 0, 0, NULL, 0, block_at(l, l->at + 1), 0, 0);
}

/* ---- waits ---- */

/* Strict: results are poison from their message on, until an instruction has waited for the slot. */
static void set_poison(struct valhall_lifter *l, unsigned slot, uint64_t registers, bool poison)
{
    for (unsigned n = 0; n < VALHALL_REGISTERS; n++)
        if (registers >> n & 1)
            ir_set(&l->b, l->file_poison, slot * VALHALL_REGISTERS + n, ir_const(&l->b, IR_I1, poison), 0);
}

static void check_reads(struct valhall_lifter *l)
{
    uint64_t reads = valhall_reads(l->insn);
    ir_value bad = 0;
    for (unsigned slot = 0; slot < VALHALL_SLOTS; slot++)
        for (unsigned n = 0; n < VALHALL_REGISTERS; n++)
            if ((reads & l->writers[slot]) >> n & 1) {
                ir_value v = ir_get(&l->b, l->file_poison, slot * VALHALL_REGISTERS + n, IR_I1);
                bad = bad ? ir_op2(&l->b, IR_OR, 0, bad, v) : v;
            }
    if (bad)
        ir_check(&l->b, bad, VALHALL_FAULT_POISON);
}

static void mark_message(struct valhall_lifter *l)
{
    int slot = valhall_slot(l->insn);
    uint8_t waits = valhall_waits(l->insn->flow);
    if (slot >= 0 && !(waits >> slot & 1))
        set_poison(l, (unsigned)slot, valhall_writes(l->insn), true);
    for (unsigned k = 0; k < VALHALL_SLOTS; k++)
        if (waits >> k & 1)
            set_poison(l, k, l->writers[k], false);
}

/* ---- instructions in order ---- */

static bool is_open(const struct valhall_lifter *l)
{
    const struct ir_block *b = &l->b.p->blocks[l->b.block];
    return !b->count || !(ir_op_info[b->ops[b->count - 1].code].flags & IR_OP_TERM);
}

static void begin(struct valhall_lifter *l, uint32_t block)
{
    l->b.block = block;
    l->b.p->blocks[block].addr = l->m->base + (uint64_t)l->at * 8;
    l->b.p->blocks[block].insn = l->at;
    l->known = 0;
    bool first = !l->reenters && (l->at == 0 || l->at == l->second);
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

/* Moves and sums of constants. */
static bool makes_constant(const struct valhall_lifter *l, uint32_t *value)
{
    const struct valhall_insn *insn = l->insn;
    uint32_t known;
    if (insn->row->opcode == 0x110 && valhall_constant(l, &insn->src[0], &known))
        *value = known + (uint32_t)insn->imm[0];
    else if (insn->row->opcode == 0x91 && insn->row->second == 0 && valhall_constant(l, &insn->src[0], &known))
        *value = known;
    else
        return false;
    return true;
}

/* The fixed functions end the program or branch; a blend shader is called by what follows. */
static void finish_blend(struct valhall_lifter *l)
{
    const struct valhall_insn *insn = l->insn;
    uint32_t to = relative(insn, insn->imm[0]);
    bool ends = insn->flow == VALHALL_END;
    switch (valhall_blend_path(l, insn)) {
    case VALHALL_BLEND_SHADER:
        return;
    case VALHALL_BLEND_FIXED:
        if (ends)
            valhall_leave(l);
        else
            valhall_goto(l, to);
        return;
    case VALHALL_BLEND_EITHER: {
        ir_value fixed = valhall_blends_fixed(l);
        ask(l, VALHALL_CTL_BRANCH, ends ? l->epilogue : block_at(l, to), &fixed, 1);
    }
    }
}

static void finish(struct valhall_lifter *l)
{
    const struct valhall_insn *insn = l->insn;
    if (!is_open(l))
        return;
    if (insn->row->opcode == VALHALL_OPCODE_BLEND) {
        finish_blend(l);
        return;
    }
    if (insn->flow == VALHALL_END)
        valhall_leave(l);
    else if (insn->flow == VALHALL_RECONVERGE)
        ask(l, VALHALL_CTL_RECONVERGE, block_at(l, l->at + 1), NULL, 0);
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
        l->insn_fault[l->at] = valhall_data_text(insn.word, l->b.p->arena);
        ir_emit(&l->b, IR_TRAP, IR_VOID, 0, 0, NULL, 0, 0, VALHALL_FAULT_DATA, 0);
        return;
    }
    if (!insn.row->lift) {
        valhall_refuse(l, "'%s' is not executed", insn.row->name);
        return;
    }
    if (l->m->strict)
        check_reads(l);
    bool constant = makes_constant(l, &value);
    insn.row->lift(l, &insn);
    note_constant(l, constant, value);
    if (l->m->strict && is_open(l))
        mark_message(l);
    finish(l);
}

/* ---- what registers hold at the start ---- */

static ir_value both_halves(struct valhall_lifter *l, ir_value low, ir_value high)
{
    return ir_op2(&l->b, IR_OR, 0, low, ir_op2(&l->b, IR_SHL, 0, high, valhall_i32(l, 16)));
}

static ir_value pixel(struct valhall_lifter *l, enum ir_sysval which)
{
    return ir_cvt(&l->b, IR_F2U, IR_I32, IR_RTZ, valhall_sysval(l, which, IR_F32, 0));
}

static void preload_fragment(struct valhall_lifter *l)
{
    ir_value front = valhall_sysval(l, IR_SYS_FACE, IR_I1, 0);
    uint32_t back = !l->link.zero_is_back;
    valhall_set(l, 58, ir_select(&l->b, front, valhall_i32(l, !back), valhall_i32(l, back)));
    valhall_set(l, 59, both_halves(l, pixel(l, IR_SYS_FRAG_X), pixel(l, IR_SYS_FRAG_Y)));
    valhall_set(l, VALHALL_COVERAGE_REGISTER, valhall_sysval(l, IR_SYS_SAMPLE_MASK, IR_I32, 0));
    valhall_set(l, 61, valhall_sysval(l, IR_SYS_SAMPLE_ID, IR_I32, 0));
    if (l->uses_samples)
        valhall_store_sample_positions(l);
    valhall_begin_outputs(l);
}

static void preload_vertex(struct valhall_lifter *l)
{
    ir_value vertex = valhall_sysval(l, IR_SYS_VERTEX_ID, IR_I32, 0);
    valhall_set(l, 59, vertex);
    valhall_set(l, 60, vertex);
    valhall_set(l, 61, valhall_sysval(l, IR_SYS_INSTANCE_ID, IR_I32, 0));
}

static void preload_compute(struct valhall_lifter *l)
{
    ir_value local[3];
    for (unsigned c = 0; c < 3; c++) {
        local[c] = valhall_sysval(l, IR_SYS_THREAD_ID, IR_I32, c);
        ir_value group = valhall_sysval(l, IR_SYS_BLOCK_ID, IR_I32, c);
        ir_value size = valhall_sysval(l, IR_SYS_BLOCK_SIZE, IR_I32, c);
        valhall_set(l, 57 + c, group);
        valhall_set(l, VALHALL_COVERAGE_REGISTER + c,
                    ir_op2(&l->b, IR_ADD, 0, ir_op2(&l->b, IR_MUL, 0, group, size), local[c]));
    }
    valhall_set(l, 55, both_halves(l, local[0], local[1]));
    valhall_set(l, 56, local[2]);
}

static void preload(struct valhall_lifter *l)
{
    if (l->stage == IR_FRAGMENT)
        preload_fragment(l);
    else if (l->stage == IR_VERTEX)
        preload_vertex(l);
    else
        preload_compute(l);
}

/* Between the parts of a vertex program: all lanes begin again. */
static void begin_second(struct valhall_lifter *l)
{
    if (is_open(l))
        ir_goto(&l->b, l->epilogue);
    l->b.block = l->epilogue;
    l->b.insn = l->second;
    l->b.p->blocks[l->epilogue].insn = l->second;
    l->b.p->blocks[l->epilogue].addr = UINT64_MAX;
    preload(l);
    ir_goto(&l->b, l->block[l->second]);
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
        if (!l->reached[i] || !insn.row)
            continue;
        l->insn = &insn;
        if (insn.row->unit == VALHALL_T || insn.row->unit == VALHALL_VT)
            valhall_note_texture(l, &insn);
        uint32_t value = 0;
        bool constant = makes_constant(l, &value);
        note_constant(l, constant, value);
    }
    l->insn = NULL;
}

void valhall_flow_run(struct valhall_lifter *l)
{
    survey_textures(l);
    preload(l);
    ir_goto(&l->b, block_at(l, 0));
    for (l->at = 0; l->at < l->m->nwords && !arena_failed(l->arena); l->at++) {
        if (l->second && l->at == l->second)
            begin_second(l);
        if (!l->reached[l->at])
            continue;
        if (l->block[l->at]) {
            if (is_open(l))
                ir_goto(&l->b, l->block[l->at]);
            begin(l, l->block[l->at]);
        } else if (!is_open(l)) {
            continue; /* nobody comes here */
        }
        lift_one(l);
        l->insn = NULL;
        if (is_open(l) && (l->at + 1 >= l->m->nwords || !l->reached[l->at + 1]))
            valhall_leave(l);
    }
    if (is_open(l))
        ir_goto(&l->b, l->epilogue);
    l->b.block = l->epilogue;
    l->b.insn = l->m->nwords ? l->m->nwords - 1 : 0;
    l->b.p->blocks[l->epilogue].insn = l->b.insn;
    l->b.p->blocks[l->epilogue].addr = UINT64_MAX; /* no guest address */
    if (l->stage == IR_VERTEX)
        valhall_write_outputs(l);
    ir_end(&l->b);
    if (l->b.p->ncontrols)
        l->b.p->policy = &valhall_policy;
}
