/* lift.c - a whole Tesla program becomes lane IR: its blocks, and its instructions one after the other. */
#include "isa/tesla/lift.h"
#include "isa/tesla/table.h"

enum { FAULT_DATA = 2 };

const struct tesla_meaning_info tesla_meanings[TESLA_MEANINGS] = {
#define MEANING(name, lift, flow, properties, effects, what) {tesla_lift_##lift, WEFT_FLOW_##flow, properties, effects},
#include "isa/tesla/meanings.inc"
#undef MEANING
};

static uint64_t chip_rules(const struct tesla_lifter *l)
{
    uint8_t features = l->m->target.features;
    uint64_t how = l->link.control & 2 ? TESLA_HOW_ZERO_WINS : 0;
    if ((l->link.control & 0x80000) && (features & TESLA_NAN_CONTROL))
        how |= TESLA_HOW_SAT_NAN | (features & TESLA_NAN_OPERAND ? TESLA_HOW_SAT_NAN_INPUT : 0);
    return how;
}

static void make_files(struct tesla_lifter *l)
{
    uint32_t registers = l->link.registers ? l->link.registers : 1;
    l->file_r = ir_add_file(l->b.p, (struct ir_file){.name = "r", .bits = 32, .count = registers});
    l->file_a = ir_add_file(l->b.p, (struct ir_file){.name = "a", .bits = 32, .count = 5});
    l->file_warp_a = LIFT_NONE;
    l->file_c = ir_add_file(l->b.p, (struct ir_file){.name = "c", .bits = 1, .count = 16});
    for (unsigned i = 0; i < TESLA_IR_SPACES; i++)
        l->space[i] = LIFT_NONE;
}

/* ---- blocks ---- */

/* Whether it ends a block. */
static bool is_control(const struct tesla_row *row)
{
    uint8_t flow = row ? tesla_meanings[row->meaning].flow : WEFT_FLOW_NEXT;
    return flow != WEFT_FLOW_NEXT && flow != WEFT_FLOW_EMIT;
}

/* Whether it parts threads or brings them together, which is the policy's. */
static bool parts(const struct tesla_flow *f)
{
    switch ((weft_flow)f->flow) {
    case WEFT_FLOW_NEXT:
    case WEFT_FLOW_EMIT:
    case WEFT_FLOW_BARRIER:
    case WEFT_FLOW_TRAP:
        return f->joins || (f->exits && f->predicate != TESLA_ALWAYS);
    case WEFT_FLOW_BRANCH:
        return !f->has_target || f->predicate != TESLA_ALWAYS;
    default:
        return true;
    }
}

bool tesla_is_lifted(const struct tesla_lifter *l, uint32_t insn)
{
    return l->reach.insn[insn] ||
           (l->reach.indirect && tesla_kernel_of(l->m, insn) == tesla_kernel_of(l->m, tesla_entry(l->m)));
}

static void lead(struct tesla_lifter *l, uint32_t i)
{
    if (i < l->ninsns && tesla_is_lifted(l, i))
        lift_lead(&l->lift, i);
}

/* What the whole program has to be asked for before any of it is lifted. */
static void survey(struct tesla_lifter *l, uint32_t i)
{
    struct tesla_insn insn = l->m->insns[i];
    if (!tesla_is_lifted(l, i) || (!insn.row && !tesla_take_unlisted(&insn, &l->m->target)))
        return;
    struct tesla_flow flow = tesla_flow_of(&insn);
    l->locks |= (tesla_meanings[insn.row->meaning].properties & TESLA_LOCKS) != 0;
    l->diverges |= parts(&flow);
    if (flow.exits || is_control(insn.row))
        lead(l, i + 1);
    if (flow.joins)
        lead(l, i);
    struct tesla_ways ways = tesla_ways_of(l->m, i);
    if (ways.branches)
        lead(l, ways.target);
}

static void prepare(struct tesla_lifter *l)
{
    for (uint32_t i = 0; i < l->m->ninsns; i++)
        survey(l, i);
    lead(l, tesla_entry(l->m));
    for (uint32_t i = 0; l->reach.indirect && i < l->m->ninsns; i++)
        lead(l, i); /* an address from memory may be that of any instruction */
    lift_make_blocks(&l->lift);
    if (l->locks)
        l->file_lock = ir_add_file(l->b.p, (struct ir_file){.name = "lock", .bits = 32, .count = 1, .uniform = true});
}

/* ---- instructions in order ---- */

uint32_t tesla_next_block(struct tesla_lifter *l)
{
    bool last = l->at + 1 >= l->m->ninsns || tesla_kernel_of(l->m, l->at) != tesla_kernel_of(l->m, l->at + 1);
    return last ? l->epilogue : lift_block_at(&l->lift, l->at + 1);
}

void tesla_begin(struct tesla_lifter *l, uint32_t block)
{
    l->b.block = block;
    l->b.p->blocks[block].addr = l->m->insns[l->at].address;
    l->b.p->blocks[block].insn = l->at;
}

/* `join` comes before the instruction that it is tacked to: a block of its own. */
static void join(struct tesla_lifter *l)
{
    uint32_t main = ir_new_block(l->b.p);
    struct ir_control c = {.op = TESLA_CTL_JOIN, .ntargets = 3, .target = {main, main, l->epilogue}};
    ir_control(&l->b, c, NULL, 0);
    tesla_begin(l, main);
}

/* The lanes of a quad that a mov or ld a[] is for. */
static void limit_lanes(struct tesla_lifter *l, unsigned lanes)
{
    ir_value lane =
        ir_op2(&l->b, IR_AND, 0, ir_lane_id(&l->b), ir_const_i32(&l->b, 3));
    ir_value bit =
        ir_op2(&l->b, IR_AND, 0, ir_op2(&l->b, IR_SHR_U, 0, ir_const_i32(&l->b, lanes), lane), ir_const_i32(&l->b, 1));
    ir_value in = ir_op2(&l->b, IR_NE, 0, bit, ir_const_i32(&l->b, 0));
    l->pred = l->pred ? ir_op2(&l->b, IR_AND, 0, l->pred, in) : in;
}

/* A word that is not an instruction: the fault names it. */
static void stop_at_data(struct tesla_lifter *l)
{
    const char *what = tesla_unknown_words(l->arena, &l->m->target, l->insn, 1);
    lift_stop(&l->lift, what ? what : "a word that is not an instruction", FAULT_DATA);
}

static void lift_one(struct tesla_lifter *l)
{
    struct tesla_insn insn = l->m->insns[l->at];
    struct tesla_decoded d;
    l->insn = &l->m->insns[l->at];
    l->b.insn = l->at;
    if (!insn.row && !tesla_take_unlisted(&insn, &l->m->target)) {
        stop_at_data(l);
        return;
    }
    tesla_explain(&insn, &l->m->target, &d);
    if (d.join)
        join(l);
    if (!tesla_wait_for_lock(l, &d))
        l->b.p->blocks[l->b.block].insns++;
    l->pred = tesla_condition_of(l, tesla_flow_of(&insn).predicate, d.csrc);
    ir_value passes = l->pred;
    if (d.lanes != 15)
        limit_lanes(l, d.lanes);
    if (l->insn->row)
        tesla_meanings[d.row->meaning].lift(l, &d);
    else
        tesla_lift_unlisted_atomic(l, &d);
    if (d.exit && !is_control(insn.row))
        tesla_leave(l, passes);
}

/* $r0 of a compute program: the thread's number in its block, packed. */
static void set_thread_number(struct tesla_lifter *l)
{
    static const uint8_t shifts[3] = {0, 16, 26};
    ir_value v = ir_const_i32(&l->b, 0);
    for (unsigned c = 0; c < 3; c++) {
        ir_value part = ir_sysval(&l->b, IR_SYS_THREAD_ID, IR_I32, c);
        v = ir_op2(&l->b, IR_OR, 0, v, ir_op2(&l->b, IR_SHL, 0, part, ir_const_i32(&l->b, shifts[c])));
    }
    tesla_set_r(l, 0, v);
}

/* Instructions of the kernel, one after the other. */
static void lift_in_order(struct tesla_lifter *l)
{
    for (l->at = 0; l->at < l->m->ninsns && !arena_failed(l->arena); l->at++) {
        if (!tesla_is_lifted(l, l->at))
            continue;
        if (l->block[l->at])
            lift_begin(&l->lift);
        if (!lift_is_open(&l->lift))
            continue; /* control does not come here */
        lift_one(l);
        uint32_t next = tesla_next_block(l);
        bool ends = l->at + 1 >= l->m->ninsns || !tesla_is_lifted(l, l->at + 1);
        if (lift_is_open(&l->lift) && (ends || next != l->epilogue))
            ir_goto(&l->b, next);
    }
}

static void run(struct tesla_lifter *l)
{
    if (l->stage == IR_COMPUTE) {
        tesla_fill_shared(l);
        set_thread_number(l);
    }
    ir_goto(&l->b, lift_block_at(&l->lift, tesla_entry(l->m)));
    lift_in_order(l);
    lift_begin_epilogue(&l->lift);
    if (l->stage == IR_FRAGMENT)
        tesla_write_results(l);
    lift_end(&l->lift);
}

/* ---- the program ---- */

static struct tesla_lifter *lifter_of(const struct lift *l)
{
    return (struct tesla_lifter *)l;
}

static struct lift_insn insn_at(const struct lift *l, uint32_t number)
{
    const struct tesla_insn *insn = &l->m->insns[number];
    return (struct lift_insn){insn->where.length ? &insn->where : NULL, insn->address,
                              insn->row ? tesla_row_number(insn->row) : 0};
}

static weft_status read_linkage(struct lift *base)
{
    struct tesla_lifter *l = lifter_of(base);
    weft_status status = tesla_read_linkage(l->m->linkage, l->stage, l->arena, &l->link, l->diags);
    if (status == WEFT_OK)
        l->how = chip_rules(l);
    l->derivative_infinite = l->link.control & 1;
    return status;
}

static void lift_program(struct lift *base)
{
    struct tesla_lifter *l = lifter_of(base);
    make_files(l);
    if (!tesla_find_reach(l->m, false, l->arena, &l->reach))
        return;
    tesla_declare_io(l);
    if (arena_failed(l->arena))
        return;
    prepare(l);
    run(l);
    if (!l->failed && !arena_failed(l->arena))
        l->b.p->lanes = tesla_lanes(l);
}

static const struct lift_set set = {.name = "tesla",
                                    .title = "Tesla",
                                    .stages = TESLA_STAGES,
                                    .lanes = TESLA_LANES,
                                    .insn = insn_at,
                                    .linkage = read_linkage,
                                    .program = lift_program,
                                    .policy = &tesla_policy};

weft_status tesla_lift(const struct isa_module *m, const struct source *src, struct arena *arena,
                       struct ir_program **out, weft_diags *diags)
{
    *out = NULL;
    struct tesla_lifter *l = ARENA_NEW(arena, struct tesla_lifter);
    if (!l)
        return WEFT_ERROR_MEMORY;
    *l = (struct tesla_lifter){
        .lift = {
            .set = &set, .m = m, .src = src, .name = m->name, .diags = diags, .arena = arena, .ninsns = m->ninsns}};
    return lift_run(&l->lift, tesla_ir_stage(m->target.stage), out);
}
