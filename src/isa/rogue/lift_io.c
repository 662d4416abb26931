/* lift_io.c - what registers hold at the start, iteration, vertex and pixel outputs (chapters 4 and 11): the linkage turns them into
 * slots of the device. */
#include "isa/rogue/lift.h"

enum { SET = 4 /* registers of a coefficient set */, SET_C = 2 /* the one that a flat input is in */ };

static ir_value sysval(struct rogue_lifter *l, enum ir_sysval which, enum ir_type type, unsigned component)
{
    return ir_emit(&l->b, IR_SYSVAL, type, 0, 1, NULL, 0, component, which, 0);
}

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
    return ROGUE_NONE;
}

/* Attributes of vertex programs have numbers alone. */
static uint32_t slot_of(struct rogue_lifter *l, const struct rogue_place *p)
{
    struct ir_io *io = &l->b.p->io;
    uint8_t semantic = !p->output && l->stage == IR_VERTEX ? IR_SEM_NONE : p->semantic;
    struct ir_slot made = {.semantic = semantic, .interp = interpolation(l, p), .index = p->index};
    uint32_t slot = p->output ? find_slot(io->outputs, io->noutputs, semantic, p->index)
                              : find_slot(io->inputs, io->ninputs, semantic, p->index);
    if (slot == ROGUE_NONE)
        slot = p->output ? ir_add_output(l->b.p, made) : ir_add_input(l->b.p, made);
    struct ir_slot *s = p->output ? &io->outputs[slot] : &io->inputs[slot];
    s->mask |= (uint8_t)(p->format >= 0 ? 15 : 1u << p->component);
    return slot;
}

void rogue_declare_io(struct rogue_lifter *l)
{
    struct ir_io *io = &l->b.p->io;
    l->slot = ARENA_ARRAY(l->arena, uint32_t, l->link.nplaces + 1);
    for (uint32_t i = 0; l->slot && i < l->link.nplaces; i++) {
        const struct rogue_place *p = &l->link.places[i];
        bool unnamed = !p->output && p->where == ROGUE_AT_VI && p->number >= l->count[ROGUE_FILE_VI];
        bool has_slot = p->sysval < 0 && !p->one_over_w && !unnamed;
        l->slot[i] = has_slot ? slot_of(l, p) : ROGUE_NONE;
        if (p->output && l->stage == IR_FRAGMENT && p->semantic == IR_SEM_POSITION)
            io->writes_depth = true;
    }
    for (uint32_t i = 0; i < l->m->ngroups; i++) {
        const struct rogue_row *row = l->m->groups[i].alu == ROGUE_MAIN ? rogue_at(&l->m->groups[i], ROGUE_BACKEND)->row : NULL;
        io->uses_discard |= row && row->op == ROGUE_OP_ATST;
        io->writes_depth |= row && row->op == ROGUE_OP_DEPTHF;
    }
    for (unsigned c = 0; c < 3; c++)
        io->block[c] = (uint16_t)l->link.block[c];
    io->uses_derivatives = l->stage == IR_FRAGMENT;
    for (unsigned i = 0; i < ROGUE_BUFFERS; i++)
        l->space[i] = ROGUE_NONE;
    l->bus = l->globals = ROGUE_NONE;
}

/* ---- shared registers ---- */

static const struct rogue_shared_range *shared_range(const struct rogue_lifter *l, uint32_t n)
{
    for (uint32_t i = 0; i < l->link.nshared; i++)
        if (n >= l->link.shared[i].first && n - l->link.shared[i].first < l->link.shared[i].count)
            return &l->link.shared[i];
    return NULL;
}

const struct rogue_shared_range *rogue_shared_state(const struct rogue_lifter *l, struct rogue_reg r, enum rogue_shared_kind kind)
{
    const struct rogue_shared_range *range = r.bank == ROGUE_SHARED ? shared_range(l, r.index) : NULL;
    return range && range->kind == kind && range->first == r.index ? range : NULL;
}

static ir_value buffer_word(struct rogue_lifter *l, uint32_t buffer, uint32_t offset)
{
    if (l->space[buffer] == ROGUE_NONE)
        l->space[buffer] = ir_add_space(l->b.p, (struct ir_space){.name = "constants", .kind = IR_SPACE_CONST, .slot = (uint16_t)buffer});
    struct ir_mem mem = {(uint16_t)l->space[buffer], IR_I32, 1, 4, offset};
    return ir_load(&l->b, mem, IR_I32, ir_const_i32(&l->b, 0));
}

/* Where the device has a buffer (device/resources.h); word 0 is the low one. */
static ir_value address_word(struct rogue_lifter *l, const struct rogue_shared_range *range, uint32_t word)
{
    bool storage = range->kind == ROGUE_SH_STORAGE_ADDRESS;
    uint64_t address = (storage ? RESOURCE_STORAGE_ADDRESS(range->number) : RESOURCE_CONSTANT_ADDRESS(range->number)) + range->offset;
    return ir_const_i32(&l->b, (uint32_t)(address >> (word & 1) * 32));
}

/* Values of the prologue, so that they are made once for all tasks. */
ir_value rogue_shared(struct rogue_lifter *l, uint32_t n)
{
    if (l->constant[n])
        return l->constant[n];
    const struct rogue_shared_range *range = shared_range(l, n);
    uint32_t block = l->b.block, word = range ? n - range->first : 0;
    l->b.block = IR_PROLOGUE;
    ir_value v;
    if (range && range->kind == ROGUE_SH_CONSTANTS)
        v = buffer_word(l, range->number, range->offset + 4 * word);
    else if (range && (range->kind == ROGUE_SH_STORAGE_ADDRESS || range->kind == ROGUE_SH_UNIFORM_ADDRESS))
        v = address_word(l, range, word);
    else /* states of textures and samplers have no bits that mean anything here */
        v = ir_const_i32(&l->b, range ? range->number : 0);
    l->b.block = block;
    l->constant[n] = v;
    return v;
}

/* ---- coefficient sets ---- */

static uint32_t find_set(const struct rogue_lifter *l, uint32_t n)
{
    for (uint32_t i = 0; i < l->link.nplaces; i++)
        if (!l->link.places[i].output && l->link.places[i].where == ROGUE_AT_CF && l->link.places[i].number == n)
            return i;
    return ROGUE_NONE;
}

/* Of a flat input, C is the value. The planes of others are in the device, so that only FITR and DITR get at them. */
ir_value rogue_coefficient(struct rogue_lifter *l, uint32_t n)
{
    uint32_t i = n >= SET_C ? find_set(l, n - SET_C) : ROGUE_NONE;
    if (i == ROGUE_NONE || !l->link.places[i].flat) {
        rogue_refuse(l, "cf%u holds nothing that can be read: of a set, only C of a flat input has a value", n);
        return ir_const_i32(&l->b, 0);
    }
    return ir_as(&l->b, IR_I32, ir_emit(&l->b, IR_INTERP, IR_F32, IR_INTERP_CONSTANT, 1, NULL, 0, l->slot[i], l->link.places[i].component, 0));
}

/* FITR gives the plane as it is: of an input in perspective that is value/w. FITRP divides. */
static ir_value iterate(struct rogue_lifter *l, uint32_t set, bool perspective, unsigned mode)
{
    uint32_t i = find_set(l, set);
    if (i == ROGUE_NONE) {
        rogue_refuse(l, "the linkage has no coefficient set at cf%u", set);
        return ir_const_f32(&l->b, 0);
    }
    const struct rogue_place *p = &l->link.places[i];
    if (p->one_over_w)
        return perspective ? ir_const_f32(&l->b, 1.0f) : sysval(l, IR_SYS_FRAG_W, IR_F32, 0);
    static const uint8_t locations[] = {IR_LOC_CENTER, IR_LOC_SAMPLE, IR_LOC_CENTROID};
    unsigned how = p->flat ? IR_INTERP_CONSTANT : perspective && !p->linear ? IR_INTERP_PERSPECTIVE : IR_INTERP_LINEAR;
    return ir_emit(&l->b, IR_INTERP, IR_F32, how | (unsigned)locations[mode % 3] << 4, 1, NULL, 0, l->slot[i], p->component, 0);
}

static void iterate_sets(struct rogue_lifter *l, const struct rogue_insn *insn, uint32_t first, unsigned count, bool perspective,
                         unsigned mode, struct rogue_reg to)
{
    for (unsigned n = 0; n < count && !l->failed; n++) {
        ir_value v = iterate(l, first + n * SET, perspective, mode);
        if (rogue_get(insn, ROGUE_F_SAT))
            v = ir_op1(&l->b, IR_FSAT, 0, v);
        rogue_send(l, (unsigned)rogue_get(insn, ROGUE_F_DRC), to, n, ir_as(&l->b, IR_I32, v));
    }
}

void rogue_lift_fitr(struct rogue_lifter *l, const struct rogue_group *g, const struct rogue_insn *insn, enum rogue_unit unit)
{
    (void)unit;
    if (g->s[0].bank != ROGUE_COEFF) {
        rogue_refuse(l, "'%s' of anything but a coefficient register is not executed", insn->row->name);
        return;
    }
    iterate_sets(l, insn, g->s[0].index, (unsigned)rogue_get(insn, ROGUE_F_COUNT), insn->row->op == ROGUE_OP_FITRP,
                 (unsigned)rogue_get(insn, ROGUE_F_ITER_MODE), g->s[3]);
}

/* The reciprocal that DITRP.WRITE keeps for DITRP.READ is the device's. .schedwdf waits for the result. */
void rogue_lift_ditr(struct rogue_lifter *l, const struct rogue_group *g, const struct rogue_insn *insn, enum rogue_unit unit)
{
    (void)g, (void)unit;
    enum { SCHEDWDF = 2 };
    if (rogue_get(insn, ROGUE_F_COFF_IDX_CTRL) || rogue_get(insn, ROGUE_F_F16)) {
        rogue_refuse(l, "'%s' with an index register or halves is not executed", insn->row->name);
        return;
    }
    struct rogue_reg to = {ROGUE_TEMP, 0, (uint16_t)rogue_get(insn, ROGUE_F_DEST)};
    iterate_sets(l, insn, (uint32_t)rogue_get(insn, ROGUE_F_COFF), (unsigned)rogue_get(insn, ROGUE_F_COUNT),
                 insn->row->op != ROGUE_OP_DITR, (unsigned)rogue_get(insn, ROGUE_F_MODE), to);
    if (rogue_get(insn, ROGUE_F_SCHED_CTRL) == SCHEDWDF)
        rogue_wait(l, (unsigned)rogue_get(insn, ROGUE_F_DRC));
}

/* ---- vertex outputs ---- */

static void put_output(struct rogue_lifter *l, uint32_t i, unsigned component, ir_value v)
{
    ir_value f = ir_as(&l->b, IR_F32, v);
    ir_emit(&l->b, IR_OUTPUT, IR_VOID, 0, 0, &f, 1, l->slot[i], component, l->run);
}

void rogue_lift_uvsw_write(struct rogue_lifter *l, const struct rogue_group *g, const struct rogue_insn *insn, enum rogue_unit unit)
{
    (void)g, (void)unit;
    uint32_t address = (uint32_t)rogue_get(insn, ROGUE_F_IMM_ADDR) + l->step;
    bool named = insn->row->op == ROGUE_OP_UVSW_WRITE || insn->row->op == ROGUE_OP_UVSW_WRITE_EMIT_ENDTASK;
    if (!named || l->stage != IR_VERTEX) {
        rogue_refuse(l, "'%s' %s is not executed", insn->row->name, named ? "outside vertex programs" : "to the output that a source numbers");
        return;
    }
    for (uint32_t i = 0; i < l->link.nplaces; i++) {
        const struct rogue_place *p = &l->link.places[i];
        if (p->output && p->where == ROGUE_AT_VO && p->number == address)
            put_output(l, i, p->component, l->w[rogue_get(insn, ROGUE_F_DSEL) != 0]);
    }
}

/* Emitting and ending the task: a vertex program makes one vertex, and is done with it at its end. */
void rogue_lift_uvsw(struct rogue_lifter *l, const struct rogue_group *g, const struct rogue_insn *insn, enum rogue_unit unit)
{
    (void)g, (void)unit;
    if (l->stage != IR_VERTEX)
        rogue_refuse(l, "'%s' outside vertex programs is not executed", insn->row->name);
}

/* ---- pixels ---- */

/* Data S1 against the reference S0 by the function in the low bits of S2, as depth functions are numbered. Instances that fail are
 * drawn no further. */
void rogue_lift_atst(struct rogue_lifter *l, const struct rogue_group *g, const struct rogue_insn *insn, enum rogue_unit unit)
{
    (void)g, (void)unit;
    ir_value reference = ir_as(&l->b, IR_F32, rogue_source(l, 0)), data = ir_as(&l->b, IR_F32, rogue_source(l, 1));
    ir_value function = rogue_source(l, 2);
    const ir_value relation[3] = {ir_op2(&l->b, IR_FLT, 0, data, reference), ir_op2(&l->b, IR_FEQ, 0, data, reference),
                                  ir_op2(&l->b, IR_FLT, 0, reference, data)};
    ir_value pass = ir_const(&l->b, IR_I1, 0); /* bits: less, equal, greater */
    for (unsigned i = 0; i < 3; i++) {
        ir_value bit = ir_op2(&l->b, IR_AND, 0, function, ir_const_i32(&l->b, 1u << i));
        ir_value asked = ir_op2(&l->b, IR_NE, 0, bit, ir_const_i32(&l->b, 0));
        pass = ir_op2(&l->b, IR_OR, 0, pass, ir_op2(&l->b, IR_AND, 0, asked, relation[i]));
    }
    ir_value low = ir_op2(&l->b, IR_AND, 0, function, ir_const_i32(&l->b, 7));
    pass = ir_op2(&l->b, IR_OR, 0, pass, ir_op2(&l->b, IR_EQ, 0, low, ir_const_i32(&l->b, 7))); /* always, of NaNs too */
    if (rogue_get(insn, ROGUE_F_PWEN))
        rogue_set_p0(l, pass);
    if (l->stage == IR_FRAGMENT) {
        ir_value fails = rogue_and(l, l->run, ir_op1(&l->b, IR_NOT, 0, pass));
        ir_emit(&l->b, IR_DISCARD, IR_VOID, 0, 0, &fails, 1, 0, 0, 0);
    }
}

void rogue_lift_depthf(struct rogue_lifter *l, const struct rogue_group *g, const struct rogue_insn *insn, enum rogue_unit unit)
{
    (void)g, (void)unit;
    if (l->stage != IR_FRAGMENT) {
        rogue_refuse(l, "'%s' outside fragment programs is not executed", insn->row->name);
        return;
    }
    struct ir_io *io = &l->b.p->io;
    uint32_t slot = find_slot(io->outputs, io->noutputs, IR_SEM_POSITION, 0);
    if (slot == ROGUE_NONE)
        slot = ir_add_output(l->b.p, (struct ir_slot){.semantic = IR_SEM_POSITION, .mask = 4});
    ir_value depth = ir_as(&l->b, IR_F32, l->w[0]);
    ir_emit(&l->b, IR_OUTPUT, IR_VOID, 0, 0, &depth, 1, slot, 2, l->run);
}

static void write_packed(struct rogue_lifter *l, uint32_t i, ir_value word)
{
    const struct rogue_place *p = &l->link.places[i];
    unsigned how = (unsigned)p->format | ROGUE_PACK_SCALE, count = rogue_pack_components((unsigned)p->format);
    for (unsigned c = 0; c < 4; c++) {
        uint64_t imm = how | (uint64_t)c << ROGUE_PACK_ELEMENT;
        ir_value v = c < count ? rogue_call(l, "unpack", rogue_lanes_unpack, IR_I32, imm, &word, 1)
                               : ir_const_i32(&l->b, c == 3 ? 0x3f800000 : 0);
        put_output(l, i, c, v);
    }
}

void rogue_write_results(struct rogue_lifter *l)
{
    for (uint32_t i = 0; i < l->link.nplaces; i++) {
        const struct rogue_place *p = &l->link.places[i];
        unsigned file = p->where == ROGUE_AT_O ? ROGUE_FILE_O : ROGUE_FILE_R;
        if (!p->output || (p->where != ROGUE_AT_O && p->where != ROGUE_AT_R) || p->number >= l->count[file])
            continue;
        ir_value v = ir_get(&l->b, l->file[file], p->number, IR_I32);
        if (p->format >= 0)
            write_packed(l, i, v);
        else
            put_output(l, i, p->component, v);
    }
}
