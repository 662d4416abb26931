/* lift.c - a whole Rogue program becomes lane IR, group by group: a group's units in order, what drives W0 and W1, and
 * its repeats (chapter 3). */
#include "isa/rogue/lift.h"

/* ---- a group ---- */

static void lift_unit(struct rogue_lifter *l, enum rogue_unit unit)
{
    const struct rogue_insn *insn = rogue_at(l->group, unit);
    if (!insn->row || l->failed)
        return;
    l->unit = unit;
    insn->row->lift(l, insn);
}

/* Which instances run this iteration; 0: all of them. */
static ir_value running(struct rogue_lifter *l)
{
    if (l->group->cc == ROGUE_CC_IGNORE_PE)
        return 0;
    ir_value run = l->masks ? rogue_pe(l) : 0;
    if (l->group->cc == ROGUE_CC_PE)
        return run;
    ir_value p0 = rogue_p0(l);
    return rogue_and(l, run, l->group->cc == ROGUE_CC_PE_P0 ? p0 : ir_op1(&l->b, IR_NOT, 0, p0));
}

static void start_step(struct rogue_lifter *l)
{
    for (unsigned i = 0; i < ROGUE_SOURCES; i++)
        l->source[i] = 0;
    for (unsigned i = 0; i < ROGUE_FTS; i++)
        l->ft[i] = 0;
    l->fte = l->ftt = l->carry = 0;
    l->direct[0] = l->direct[1] = l->w[0] = l->w[1] = 0;
    l->run = running(l);
}

static void write_destinations(struct rogue_lifter *l, unsigned step)
{
    for (unsigned n = 0; n < ROGUE_DESTINATIONS; n++)
        if (l->group->destinations >> n & 1)
            rogue_write(l, l->group->w[n], step, l->w[n] ? l->w[n] : rogue_word(l, 0), l->run);
}

/* ---- main ---- */

static bool is(const struct rogue_group *g, enum rogue_unit unit, uint64_t trait)
{
    return rogue_has(g, unit) && rogue_at(g, unit)->row->traits & trait;
}

/* Destinations before a MOVC. */
static void route(struct rogue_lifter *l)
{
    for (unsigned n = 0; n < ROGUE_DESTINATIONS; n++)
        l->w[n] = l->direct[n] ? l->direct[n] : rogue_feed(l, n ? l->group->is5 : l->group->is4);
}

static void finish_main(struct rogue_lifter *l, unsigned step)
{
    lift_unit(l, ROGUE_TST);
    route(l);
    lift_unit(l, ROGUE_MOV);
    lift_unit(l, ROGUE_BACKEND);
    write_destinations(l, step);
}

/* Formats of one word that need no table: the first of the values. 0: other formats. */
static ir_value packed_word(struct rogue_lifter *l, unsigned format, bool truncates, ir_value value)
{
    unsigned rounding = truncates ? IR_RTZ : IR_RNE;
    switch (format) {
    case ROGUE_PACK_U32:
        return ir_cvt(&l->b, IR_F2U, IR_I32, rounding, ir_as(&l->b, IR_F32, value));
    case ROGUE_PACK_S32:
        return ir_cvt(&l->b, IR_F2S, IR_I32, rounding, ir_as(&l->b, IR_F32, value));
    case ROGUE_PACK_F32:
        return value;
    case ROGUE_PACK_ZERO:
        return rogue_word(l, 0);
    case ROGUE_PACK_ONE:
        return ir_as(&l->b, IR_I32, ir_const_f32(&l->b, 1.0f));
    default:
        return 0;
    }
}

/* FT2 from up to four values; with .prog the format is in the low five bits of what FTE was in the first iteration. */
static ir_value packed(struct rogue_lifter *l, const struct rogue_insn *insn,
                       const ir_value value[ROGUE_PACK_COMPONENTS + 1])
{
    unsigned how = (unsigned)rogue_get(insn, ROGUE_F_PCK_FORMAT);
    unsigned flags = (rogue_get(insn, ROGUE_F_SCALE) ? ROGUE_PACK_SCALE : 0u) |
                     (rogue_get(insn, ROGUE_F_RTZ) ? ROGUE_PACK_TRUNCATE : 0u);
    if (rogue_get(insn, ROGUE_F_PROG))
        return lift_call(&l->b, "pack_prog", rogue_lanes_pack_prog, IR_I32, flags, value, ROGUE_PACK_COMPONENTS + 1);
    ir_value word = packed_word(l, how, flags & ROGUE_PACK_TRUNCATE, value[0]);
    return word ? word : lift_call(&l->b, "pack", rogue_lanes_pack, IR_I32, how | flags, value, ROGUE_PACK_COMPONENTS);
}

/* A repeated PCK makes one result of all its sources: the units before it run as often as it says, those after it
 * once. */
static void lift_packing(struct rogue_lifter *l)
{
    const struct rogue_group *g = l->group;
    ir_value value[ROGUE_PACK_COMPONENTS + 1] = {0};
    for (l->step = 0; l->step < g->repeat; l->step++) {
        start_step(l);
        lift_unit(l, ROGUE_P0);
        lift_unit(l, ROGUE_P1);
        value[l->step & 3] = rogue_is3(l);
        if (l->step == 0 && rogue_get(rogue_at(g, ROGUE_PCK), ROGUE_F_PROG))
            value[ROGUE_PACK_COMPONENTS] = rogue_fte(l);
    }
    l->step = g->repeat - 1u;
    for (unsigned i = 0; i < ROGUE_PACK_COMPONENTS; i++)
        value[i] = value[i] ? value[i] : rogue_word(l, 0);
    l->ft[2] = packed(l, rogue_at(g, ROGUE_PCK), value);
    finish_main(l, 0);
}

static void lift_main(struct rogue_lifter *l)
{
    const struct rogue_group *g = l->group;
    if (is(g, ROGUE_PCK, ROGUE_PACKS)) {
        lift_packing(l);
        return;
    }
    l->fixed_sources = is(g, ROGUE_P0, ROGUE_FIXED_SOURCE) ? 1 : 0;
    for (l->step = 0; l->step < g->repeat; l->step++) {
        start_step(l);
        lift_unit(l, ROGUE_P0);
        lift_unit(l, ROGUE_P1);
        lift_unit(l, ROGUE_PCK);
        finish_main(l, l->step);
    }
}

/* ---- bitwise ---- */

/* Results of phases that a group leaves out: each hands on what comes before it. */
static void lift_bitwise(struct rogue_lifter *l)
{
    const struct rogue_group *g = l->group;
    for (l->step = 0; l->step < g->repeat; l->step++) {
        start_step(l);
        for (unsigned unit = ROGUE_BITMASK; unit <= ROGUE_BITTEST; unit++)
            lift_unit(l, (enum rogue_unit)unit);
        bool shifts = rogue_at(g, ROGUE_SHIFT2)->row, logical = rogue_at(g, ROGUE_LOGICAL)->row;
        l->w[0] = shifts ? l->ft[5] : logical ? l->ft[4] : l->ft[1];
        if (g->destinations & 2)
            l->w[1] = l->ft[3] ? l->ft[3] : rogue_source(l, 2);
        write_destinations(l, l->step);
    }
}

/* Bytes can name more registers than there are. */
static bool registers_exist(struct rogue_lifter *l, const struct rogue_group *g)
{
    char text[ROGUE_MISSING_TEXT];
    for (unsigned n = 0; n < ROGUE_REGISTERS; n++) {
        if (!rogue_names(g, n) || !rogue_missing_register(g->reg[n], text))
            continue;
        lift_refuse(&l->lift, "%s", text);
        return false;
    }
    return true;
}

static void lift_group(struct rogue_lifter *l)
{
    const struct rogue_group *g = l->group;
    if (!registers_exist(l, g))
        return;
    l->fixed_sources = 0;
    if (g->alu == ROGUE_BITWISE) {
        lift_bitwise(l);
    } else if (g->alu == ROGUE_CONTROL) {
        l->step = 0;
        start_step(l);
        lift_unit(l, ROGUE_CTRL);
    } else {
        lift_main(l);
    }
}

/* PCK is one of these: lift_packing has done its work before. */
void rogue_lift_nothing(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    (void)l, (void)insn;
}

/* ---- from group to group, as blocks (lift_flow.c) ---- */

/* To the block that begins with group i, if one does; `open`: what is before it goes on there. */
static bool enter(struct rogue_lifter *l, uint32_t i, bool open)
{
    if (!l->block[i])
        return open;
    if (open) {
        l->b.insn = i ? i - 1 : 0; /* what is kept is of the block that ends */
        rogue_carry(l);
        l->b.insn = i;
        ir_goto(&l->b, l->block[i]);
    }
    l->b.block = l->block[i];
    for (uint32_t k = 0; k < l->link.nbreakpoints; k++)
        if (l->link.breakpoints[k].at == l->group->offset) {
            rogue_break(l, rogue_block_of(l, rogue_group_at(l->m, l->link.breakpoints[k].handler)));
            break;
        }
    return true;
}

static void end_phase(struct rogue_lifter *l)
{
    rogue_carry(l);
    ir_goto(&l->b, l->ending);
}

static void finish(struct rogue_lifter *l)
{
    l->run = 0;
    if (l->phases) {
        l->b.block = l->ending;
        rogue_next_phase(l);
    }
    lift_begin_epilogue(&l->lift);
    rogue_land(l);
    rogue_write_results(l);
    rogue_write_cover(l);
    lift_end(&l->lift);
    rogue_lift_landings(l);
}

static void start(struct rogue_lifter *l)
{
    if (l->masks)
        ir_set(&l->b, l->file[ROGUE_FILE_PE], 0, ir_const(&l->b, IR_I1, 1), 0);
    if (l->covers)
        ir_set(&l->b, l->file[ROGUE_FILE_COVER], 0, rogue_word(l, UINT32_MAX), 0);
}

/* Bytes that are not a group stop the program when it gets there. What it never gets to is left out. */
enum { FAULT_NO_GROUP = 1 };

static void leave_out(struct rogue_lifter *l, uint32_t i)
{
    if (!l->block[i])
        return;
    l->b.block = l->block[i];
    ir_goto(&l->b, l->ending);
}

/* What a group counts for: the instructions in it. */
static uint32_t instructions_of(const struct rogue_group *g)
{
    uint32_t count = 0;
    for (unsigned slot = 0; slot < ROGUE_SLOTS; slot++)
        count += g->insn[slot].row != NULL;
    return count ? count : 1;
}

static void lift_groups(struct rogue_lifter *l)
{
    const struct isa_module *m = l->m;
    bool open = true;
    start(l);
    for (uint32_t i = 0; i < m->ngroups && !l->failed && !arena_failed(l->arena); i++) {
        const struct rogue_group *g = &m->groups[i];
        l->at = l->b.insn = i;
        l->group = g;
        if (!l->reach[i]) {
            leave_out(l, i);
            open = false;
            continue;
        }
        open = enter(l, i, open);
        if (!open) /* nothing leads here: after bytes that are not a group, say */
            continue;
        l->b.p->blocks[l->b.block].insns += instructions_of(g);
        if (rogue_closes_loop(l, i))
            l->b.p->blocks[l->b.block].insns += instructions_of(&m->groups[++i]);
        if (g->data) {
            rogue_carry(l);
            lift_stop(&l->lift, "these bytes are not an instruction group", FAULT_NO_GROUP);
            open = false;
            continue;
        }
        lift_group(l);
        if (rogue_ends_block(&m->groups[i]) || rogue_lands_apart(l, i))
            open = false;
        if (rogue_ends_phase(g)) {
            end_phase(l);
            open = false;
        }
    }
    if (!l->failed && open)
        end_phase(l);
    if (!l->failed)
        finish(l);
}

/* ---- the program ---- */

static struct rogue_lifter *lifter_of(struct lift *l)
{
    return (struct rogue_lifter *)l;
}

/* The row of a group is that of its first slot that has one. */
static struct lift_insn insn_at(const struct lift *l, uint32_t number)
{
    const struct rogue_group *g = &l->m->groups[number];
    uint32_t row = 0;
    for (unsigned slot = ROGUE_SLOTS; slot-- > 0;)
        row = g->insn[slot].row ? g->insn[slot].row->op : row;
    return (struct lift_insn){l->m->where ? &l->m->where[number] : NULL, l->m->base + g->offset, row};
}

static weft_status read_linkage(struct lift *l)
{
    return rogue_read_linkage(l->m->linkage, l->stage, l->arena, &lifter_of(l)->link, l->diags);
}

static void lift_program(struct lift *base)
{
    struct rogue_lifter *l = lifter_of(base);
    if (l->m->ngroups == 0) {
        diag_add(l->diags, WEFT_ERROR, "not-executed", NULL, NULL, "a program without groups");
        l->failed = true;
        return;
    }
    bool anywhere;
    l->reach = rogue_find_reach(l->m, l->arena, &anywhere);
    for (uint32_t i = 0; l->reach && (anywhere || l->link.nbreakpoints) && i < l->m->ngroups; i++)
        l->reach[i] = l->reach[i] ? l->reach[i] : ROGUE_REACH_MAYBE;
    if (!l->reach)
        return;
    rogue_apply_bases(l);
    rogue_note_registers(l);
    rogue_declare_io(l);
    rogue_make_files(l);
    if (!l->failed && !arena_failed(l->arena) && rogue_flow_prepare(l)) {
        lift_groups(l);
        if (!l->failed && !arena_failed(l->arena))
            l->b.p->lanes = rogue_lanes(l);
    }
}

static const struct lift_set set = {.name = "rogue",
                                    .title = "Rogue",
                                    .noun = "group",
                                    .stages = ISA_ALL_STAGES,
                                    .lanes = ROGUE_INSTANCES,
                                    .insn = insn_at,
                                    .linkage = read_linkage,
                                    .program = lift_program};

weft_status rogue_lift(const struct isa_module *m, const struct source *src, struct arena *arena,
                       struct ir_program **out, weft_diags *diags)
{
    *out = NULL;
    struct rogue_lifter *l = ARENA_NEW(arena, struct rogue_lifter);
    if (!l)
        return WEFT_ERROR_MEMORY;
    *l = (struct rogue_lifter){
        .lift = {
            .set = &set, .m = m, .src = src, .name = m->name, .diags = diags, .arena = arena, .ninsns = m->ngroups}};
    return lift_run(&l->lift, m->stage, out);
}
