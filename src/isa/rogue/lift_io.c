/* lift_io.c - inputs and outputs as slots of the device, by the linkage; alpha test, depth and pixels (chapters 4 and
 * 11). */
#include "isa/rogue/lift.h"

/* ---- declaring ---- */

static uint8_t interpolation(const struct rogue_lifter *l, const struct rogue_place *p)
{
    if (l->stage != IR_FRAGMENT || p->flat)
        return IR_INTERP_CONSTANT;
    return p->linear ? IR_INTERP_LINEAR : IR_INTERP_PERSPECTIVE;
}

static uint32_t find_slot(const struct ir_slot *slots, uint32_t count, uint8_t semantic, uint16_t index)
{
    for (uint32_t i = 0; i < count; i++)
        if (slots[i].index == index && slots[i].semantic == semantic)
            return i;
    return LIFT_NONE;
}

/* Attributes of vertex programs have numbers alone. */
static uint32_t slot_of(struct rogue_lifter *l, const struct rogue_place *p)
{
    struct ir_io *io = &l->b.p->io;
    uint8_t semantic = !p->output && l->stage == IR_VERTEX ? IR_SEM_NONE : p->semantic;
    struct ir_slot made = {.semantic = semantic, .interp = interpolation(l, p), .index = p->index, .patch = p->patch};
    uint32_t slot = p->output ? find_slot(io->outputs, io->noutputs, semantic, p->index)
                              : find_slot(io->inputs, io->ninputs, semantic, p->index);
    if (slot == LIFT_NONE)
        slot = p->output ? ir_add_output(l->b.p, made) : ir_add_input(l->b.p, made);
    struct ir_slot *s = p->output ? &io->outputs[slot] : &io->inputs[slot];
    s->mask |= (uint8_t)(p->format >= 0 ? 15 : 1u << p->component);
    return slot;
}

uint32_t rogue_iterated_slot(struct rogue_lifter *l, uint32_t i)
{
    if (l->slot[i] == LIFT_NONE)
        l->slot[i] = slot_of(l, &l->link.places[i]);
    return l->slot[i];
}

void rogue_declare_io(struct rogue_lifter *l)
{
    struct ir_io *io = &l->b.p->io;
    l->slot = ARENA_ARRAY(l->arena, uint32_t, l->link.nplaces);
    for (uint32_t i = 0; l->slot && i < l->link.nplaces; i++) {
        const struct rogue_place *p = &l->link.places[i];
        bool unnamed = !p->output && p->where == ROGUE_AT_VI && p->number >= l->count[ROGUE_FILE_VI];
        bool iterated = !p->output && p->where == ROGUE_AT_CF; /* found where it is */
        bool has_slot = p->sysval < 0 && !iterated && !unnamed;
        l->slot[i] = has_slot ? slot_of(l, p) : LIFT_NONE;
        if (p->output && l->stage == IR_FRAGMENT && p->semantic == IR_SEM_POSITION)
            io->writes_depth = true;
    }
    for (uint32_t i = 0; i < l->m->ngroups; i++) {
        const struct rogue_insn *insn = rogue_backend_of(&l->m->groups[i]);
        io->uses_discard |= insn && rogue_flow_of(insn->row) == WEFT_FLOW_DISCARD;
        io->writes_depth |= insn && insn->row->traits & ROGUE_WRITES_DEPTH;
    }
    for (unsigned c = 0; c < 3; c++)
        io->block[c] = (uint16_t)l->link.block[c];
    io->uses_derivatives = l->stage == IR_FRAGMENT;
    rogue_declare_stage(l);
    l->bus = l->globals = LIFT_NONE;
}

/* ---- pixels ---- */

/* Data S1 against the reference S0 by the function in the low bits of S2, as depth functions are numbered. Instances
 * that fail are drawn no further; with .ifb the test alone is made. */
void rogue_lift_atst(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    enum { RELATIONS = 3, UNEQUAL = 5 };
    ir_value reference = ir_as(&l->b, IR_F32, rogue_source(l, 0)), data = ir_as(&l->b, IR_F32, rogue_source(l, 1));
    ir_value function = rogue_source(l, 2);
    const ir_value relation[RELATIONS] = {ir_op2(&l->b, IR_FLT, IR_FLUSH_IN, data, reference),
                                          ir_op2(&l->b, IR_FEQ, IR_FLUSH_IN, data, reference),
                                          ir_op2(&l->b, IR_FLT, IR_FLUSH_IN, reference, data)};
    ir_value unordered = ir_op2(&l->b, IR_FUNORD, 0, data, reference);
    ir_value unequal = ir_op2(&l->b, IR_AND, 0, function, rogue_word(l, UNEQUAL));
    unequal = ir_op2(&l->b, IR_EQ, 0, unequal, rogue_word(l, UNEQUAL)); /* of NaNs too, as always is */
    ir_value pass = ir_op2(&l->b, IR_AND, 0, unequal, unordered);
    for (unsigned i = 0; i < RELATIONS; i++) { /* bits: less, equal, greater */
        ir_value bit = ir_op2(&l->b, IR_AND, 0, function, rogue_word(l, 1u << i));
        ir_value asked = ir_op2(&l->b, IR_NE, 0, bit, rogue_word(l, 0));
        pass = ir_op2(&l->b, IR_OR, 0, pass, ir_op2(&l->b, IR_AND, 0, asked, relation[i]));
    }
    if (rogue_get(insn, ROGUE_F_PWEN))
        rogue_set_p0(l, pass);
    if (l->stage == IR_FRAGMENT && !rogue_get(insn, ROGUE_F_IFB)) {
        ir_value fails = rogue_and(l, l->run, ir_op1(&l->b, IR_NOT, 0, pass));
        ir_emit(&l->b, IR_DISCARD, IR_VOID, 0, 0, &fails, 1, 0, 0, 0);
    }
}

void rogue_lift_depthf(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    if (l->stage != IR_FRAGMENT) {
        lift_refuse(&l->lift, "'%s' outside fragment programs is not executed", insn->row->name);
        return;
    }
    struct ir_io *io = &l->b.p->io;
    uint32_t slot = find_slot(io->outputs, io->noutputs, IR_SEM_POSITION, 0);
    if (slot == LIFT_NONE)
        slot = ir_add_output(l->b.p, (struct ir_slot){.semantic = IR_SEM_POSITION, .mask = 4});
    ir_value depth = ir_as(&l->b, IR_F32, l->w[0]);
    ir_emit(&l->b, IR_OUTPUT, IR_VOID, 0, 0, &depth, 1, slot, 2, l->run);
}

static void write_packed(struct rogue_lifter *l, uint32_t i, ir_value word)
{
    const struct rogue_place *p = &l->link.places[i];
    unsigned how = (unsigned)p->format | ROGUE_PACK_SCALE, count = rogue_pack_components((unsigned)p->format);
    if (count > ROGUE_PACK_COMPONENTS)
        count /= 2; /* u565u565 has two colours: the first is this pixel's */
    for (unsigned c = 0; c < 4; c++) {
        uint64_t imm = how | (uint64_t)c << ROGUE_PACK_ELEMENT;
        ir_value v = c < count ? lift_call(&l->b, "unpack", rogue_lanes_unpack, IR_I32, imm, &word, 1)
                               : rogue_word(l, c == 3 ? 0x3f800000 : 0);
        rogue_put_output(l, i, c, v, l->run);
    }
}

void rogue_write_results(struct rogue_lifter *l)
{
    for (uint32_t i = 0; i < l->link.nplaces; i++) {
        const struct rogue_place *p = &l->link.places[i];
        unsigned file = p->where == ROGUE_AT_O ? ROGUE_FILE_O : ROGUE_FILE_R;
        if (!p->output || (p->where != ROGUE_AT_O && p->where != ROGUE_AT_R))
            continue;
        ir_value v = ir_get(&l->b, l->file[file], p->number, IR_I32);
        if (p->format >= 0)
            write_packed(l, i, v);
        else
            rogue_put_output(l, i, p->component, v, l->run);
    }
}
