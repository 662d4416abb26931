/* lift_io.c - a[], p[], v[], o[] and result registers: what the linkage says about them becomes slots of the device. */
#include "isa/tesla/lift.h"

enum { COMPONENTS = 4 };

/* ---- declaring ---- */

static uint8_t interpolation(const struct tesla_lifter *l, const struct tesla_place *p)
{
    if (l->stage != IR_FRAGMENT)
        return IR_INTERP_CONSTANT;
    return p->flat ? IR_INTERP_CONSTANT : p->linear ? IR_INTERP_LINEAR : IR_INTERP_PERSPECTIVE;
}

static uint32_t slot_of(struct ir_slot *slots, uint32_t count, const struct tesla_place *p, bool vertex_input)
{
    for (uint32_t i = 0; i < count; i++)
        if (slots[i].index == p->index && (vertex_input || slots[i].semantic == p->semantic))
            return i;
    return LIFT_NONE;
}

/* Values that the device has under another name than a slot. */
static bool is_sysval(const struct tesla_lifter *l, const struct tesla_place *p)
{
    return p->sysval >= 0 || (!p->output && l->stage == IR_FRAGMENT &&
                              (p->semantic == IR_SEM_POSITION || p->semantic == IR_SEM_FACE));
}

/* Attributes of vertex programs have numbers alone: their places in a[] in steps of 16 bytes count where no linkage
 * numbers them. */
static void declare_place(struct tesla_lifter *l, uint32_t i)
{
    const struct tesla_place *p = &l->link.places[i];
    struct ir_io *io = &l->b.p->io;
    bool vertex_input = !p->output && l->stage == IR_VERTEX;
    uint32_t *slot = p->output ? &l->output[i] : &l->input[i];
    *slot = LIFT_NONE;
    if (is_sysval(l, p))
        return;
    struct ir_slot made = {.semantic = vertex_input ? IR_SEM_NONE : p->semantic,
                           .interp = interpolation(l, p),
                           .location = p->centroid ? IR_LOC_CENTROID : IR_LOC_CENTER,
                           .index = p->index};
    if (p->output)
        *slot = slot_of(io->outputs, io->noutputs, p, false);
    else
        *slot = slot_of(io->inputs, io->ninputs, p, vertex_input);
    if (*slot == LIFT_NONE)
        *slot = p->output ? ir_add_output(l->b.p, made) : ir_add_input(l->b.p, made);
    struct ir_slot *s = p->output ? &io->outputs[*slot] : &io->inputs[*slot];
    s->mask |= (uint8_t)(1u << p->component);
    if (p->output && l->stage == IR_FRAGMENT && p->semantic == IR_SEM_POSITION)
        io->writes_depth = true;
    if (p->output && p->semantic == IR_SEM_STENCIL)
        io->writes_stencil = true;
    if (p->output && p->semantic == IR_SEM_SAMPLEMASK)
        io->writes_samplemask = true;
}

/* ---- inputs that `interp flat` reads ---- */

static bool reads_flat(const struct tesla_lifter *l, const struct tesla_place *p)
{
    for (uint32_t i = 0; i < l->m->ninsns; i++) {
        struct tesla_decoded d;
        if (!l->m->insns[i].row || !tesla_is_lifted(l, i))
            continue;
        tesla_explain(&l->m->insns[i], &l->m->target, &d);
        if ((d.modifiers & TESLA_FLAT) && (d.src[0].areg || (uint32_t)d.src[0].offset == p->offset))
            return true;
    }
    return false;
}

/* Such an input is the provoking vertex', whatever the linkage says of others that read it: a slot of its own. */
static void declare_flat(struct tesla_lifter *l, uint32_t i)
{
    const struct tesla_place *p = &l->link.places[i];
    struct ir_io *io = &l->b.p->io;
    uint32_t slot = 0;
    l->flat[i] = l->input[i];
    if (p->output || p->where != TESLA_IN_V || l->input[i] == LIFT_NONE || p->flat || !reads_flat(l, p))
        return;
    while (slot < io->ninputs && !(io->inputs[slot].semantic == p->semantic && io->inputs[slot].index == p->index &&
                                   io->inputs[slot].interp == IR_INTERP_CONSTANT))
        slot++;
    if (slot == io->ninputs)
        slot = ir_add_input(l->b.p, (struct ir_slot){.semantic = p->semantic, .interp = IR_INTERP_CONSTANT,
                                                     .location = IR_LOC_CENTER, .index = p->index});
    io->inputs[slot].mask |= (uint8_t)(1u << p->component);
    l->flat[i] = slot;
}

/* ---- places that programs without a list of inputs and outputs use ---- */

enum { PLACES = 256 }; /* words of each space */

struct used {
    bool word[4][PLACES]; /* by enum tesla_where: a[], v[], o[], p[] */
    bool all[4];          /* an address register chooses */
};

static void use(struct used *u, const struct tesla_operand *o)
{
    static const uint8_t spaces[4][2] = {{TESLA_A_SPACE, TESLA_IN_A}, {TESLA_V_SPACE, TESLA_IN_V},
                                         {TESLA_O_SPACE, TESLA_IN_O}, {TESLA_P_SPACE, TESLA_IN_P}};
    uint32_t word = (uint32_t)o->offset / 4;
    for (unsigned k = 0; k < 4 && o->kind == TESLA_O_MEMORY; k++) {
        if (o->space != spaces[k][0])
            continue;
        u->all[spaces[k][1]] |= o->areg != 0 && o->space != TESLA_P_SPACE;
        if (word < PLACES)
            u->word[spaces[k][1]][word] = true;
    }
}

static void find_used(const struct tesla_lifter *l, struct used *u)
{
    for (uint32_t i = 0; i < l->m->ninsns; i++) {
        struct tesla_decoded d;
        if (!l->m->insns[i].row || !tesla_is_lifted(l, i))
            continue;
        tesla_explain(&l->m->insns[i], &l->m->target, &d);
        use(u, &d.dst);
        for (unsigned k = 0; k < d.nsrc; k++)
            use(u, &d.src[k]);
    }
}

static bool is_used(const struct used *u, const struct tesla_place *p)
{
    return p->where == TESLA_IN_R || u->all[p->where] || (p->offset / 4 < PLACES && u->word[p->where][p->offset / 4]);
}

void tesla_declare_io(struct tesla_lifter *l)
{
    struct ir_io *io = &l->b.p->io;
    l->input = ARENA_ARRAY(l->arena, uint32_t, l->link.nplaces);
    l->output = ARENA_ARRAY(l->arena, uint32_t, l->link.nplaces);
    l->flat = ARENA_ARRAY(l->arena, uint32_t, l->link.nplaces);
    struct used *used = ARENA_NEW(l->arena, struct used);
    if (!used || !l->input || !l->output || !l->flat)
        return;
    *used = (struct used){0};
    if (!l->link.given)
        find_used(l, used);
    for (uint32_t i = 0; i < l->link.nplaces; i++) {
        l->input[i] = l->output[i] = LIFT_NONE;
        if (l->link.given || is_used(used, &l->link.places[i]))
            declare_place(l, i);
    }
    for (uint32_t i = 0; i < l->link.nplaces; i++)
        declare_flat(l, i);
    for (unsigned c = 0; c < 3; c++)
        io->block[c] = (uint16_t)l->link.block[c];
    io->gs_input = l->link.input_primitive;
    io->gs_output = l->link.output_primitive;
    io->gs_max_vertices = (uint16_t)l->link.max_vertices;
    io->gs_invocations = 1;
    io->gs_streams = 1;
    io->uses_derivatives = l->stage == IR_FRAGMENT;
}

/* ---- reading ---- */

static uint32_t find_place(const struct tesla_lifter *l, bool output, enum tesla_where where, uint32_t offset)
{
    for (uint32_t i = 0; i < l->link.nplaces; i++) {
        const struct tesla_place *p = &l->link.places[i];
        if (p->output == output && p->where == where && p->offset == offset)
            return i;
    }
    return LIFT_NONE;
}

static ir_value bits_of(struct tesla_lifter *l, ir_value v)
{
    return ir_as(&l->b, IR_I32, v);
}

/* FACE is +1.0 or -1.0, POSITION the fragment's place and 1/w. */
static ir_value read_sysval(struct tesla_lifter *l, const struct tesla_place *p)
{
    if (p->sysval >= 0)
        return ir_sysval(&l->b, (enum ir_sysval)p->sysval, IR_I32, p->component);
    if (p->semantic == IR_SEM_FACE)
        return ir_select(&l->b, ir_sysval(&l->b, IR_SYS_FACE, IR_I1, 0), ir_const_i32(&l->b, 0x3f800000),
                         ir_const_i32(&l->b, 0xbf800000));
    return bits_of(l, ir_sysval(&l->b, (enum ir_sysval)(IR_SYS_FRAG_X + p->component), IR_F32, 0));
}

/* Where 1/w is unless the linkage has a place for it: after the components of the position that it lists, at v[0]
 * where it lists none (Mesa's nv50 compiler, nv50_fragprog_assign_slots). */
static uint32_t place_of_w(const struct tesla_lifter *l)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < l->link.nplaces; i++) {
        const struct tesla_place *p = &l->link.places[i];
        if (!p->output && p->where == TESLA_IN_V && p->sysval < 0 && p->semantic == IR_SEM_POSITION && p->offset >= at)
            at = p->component == 3 ? LIFT_NONE - 3 : p->offset + 4;
    }
    return at;
}

static ir_value read_unlinked(struct tesla_lifter *l, const struct tesla_operand *o)
{
    if (o->space == TESLA_V_SPACE && (uint32_t)o->offset == place_of_w(l))
        return bits_of(l, ir_sysval(&l->b, IR_SYS_FRAG_W, IR_F32, 0));
    return ir_const_i32(&l->b, 0);
}

/* The value of the plane, without the multiplication that makes it correct in perspective: that is the program's. */
static ir_value read_varying(struct tesla_lifter *l, const struct tesla_place *p, uint32_t slot, bool centroid,
                             bool flat)
{
    unsigned mode = flat || p->flat ? IR_INTERP_CONSTANT : IR_INTERP_LINEAR;
    unsigned where = centroid || p->centroid ? IR_LOC_CENTROID : IR_LOC_CENTER;
    return bits_of(l, ir_emit(&l->b, IR_INTERP, IR_F32, mode | where << 4, 1, NULL, 0, slot, p->component, 0));
}

/* a[4 n] of geometry programs: where vertex n is in p[], in bytes of the device's primitive memory. */
static ir_value vertex_pointer(struct tesla_lifter *l, const struct tesla_operand *o)
{
    uint32_t vertex = l->b.p->io.ninputs * 16;
    if (!o->areg)
        return ir_const_i32(&l->b, (uint32_t)o->offset / 4 * vertex);
    int64_t offset;
    ir_value address = tesla_address(l, o, &offset);
    tesla_increment(l, o);
    ir_value number = ir_op2(&l->b, IR_SHR_U, 0, address, ir_const_i32(&l->b, 2));
    return ir_op2(&l->b, IR_MUL, 0, number, ir_const_i32(&l->b, vertex));
}

/* p[$a + offset]: the linkage's places in a vertex are those of the device's slots. */
static ir_value read_primitive(struct tesla_lifter *l, const struct tesla_operand *o)
{
    uint32_t i = find_place(l, false, TESLA_IN_P, (uint32_t)o->offset);
    ir_value base = tesla_get_a(l, o->areg);
    int64_t offset = i == LIFT_NONE ? o->offset : (int64_t)l->input[i] * 16 + l->link.places[i].component * 4;
    struct ir_mem mem = {(uint16_t)tesla_space(l, TESLA_SPACE_P), IR_I32, 1, 4, offset};
    return ir_load(&l->b, mem, IR_I32, base);
}

/* How v[] is to be read: words of the instruction. */
struct look {
    bool centroid, flat;
};

static ir_value read_linked(struct tesla_lifter *l, uint32_t i, struct look look)
{
    const struct tesla_place *p = &l->link.places[i];
    if (is_sysval(l, p))
        return read_sysval(l, p);
    if (p->where == TESLA_IN_V)
        return read_varying(l, p, look.flat ? l->flat[i] : l->input[i], look.centroid, look.flat);
    return bits_of(l, ir_emit(&l->b, IR_ATTR, IR_F32, 0, 1, NULL, 0, l->input[i], p->component, 0));
}

/* Threads whose address, of `o` with its address register, is that place. */
static ir_value is_there(struct tesla_lifter *l, ir_value address, uint32_t place)
{
    return ir_op2(&l->b, IR_EQ, 0, address, ir_const_i32(&l->b, place));
}

/* The places of a[] and v[] are the linkage's, not bytes of a memory: an address register chooses among them. What is
 * not a place reads 0, as in the direct form. */
static ir_value read_chosen(struct tesla_lifter *l, const struct tesla_operand *o, enum tesla_where where,
                            struct look look)
{
    int64_t offset;
    ir_value address = tesla_address(l, o, &offset), v = ir_const_i32(&l->b, 0);
    for (uint32_t i = 0; i < l->link.nplaces; i++) {
        const struct tesla_place *p = &l->link.places[i];
        if (!p->output && p->where == where && (l->input[i] != LIFT_NONE || is_sysval(l, p)))
            v = ir_select(&l->b, is_there(l, address, p->offset), read_linked(l, i, look), v);
    }
    uint32_t w = place_of_w(l);
    if (where == TESLA_IN_V && find_place(l, false, where, w) == LIFT_NONE)
        v = ir_select(&l->b, is_there(l, address, w), bits_of(l, ir_sysval(&l->b, IR_SYS_FRAG_W, IR_F32, 0)), v);
    tesla_increment(l, o);
    return v;
}

static ir_value read_place(struct tesla_lifter *l, const struct tesla_operand *o, enum tesla_where where,
                           struct look look)
{
    if (o->areg)
        return read_chosen(l, o, where, look);
    uint32_t i = find_place(l, false, where, (uint32_t)o->offset);
    return i == LIFT_NONE ? read_unlinked(l, o) : read_linked(l, i, look);
}

/* a[] and p[]; v[] is for interp alone. */
ir_value tesla_input(struct tesla_lifter *l, const struct tesla_operand *o)
{
    if (o->space == TESLA_P_SPACE)
        return read_primitive(l, o);
    if (o->space == TESLA_A_SPACE && l->stage == IR_GEOMETRY &&
        find_place(l, false, TESLA_IN_A, (uint32_t)o->offset) == LIFT_NONE)
        return vertex_pointer(l, o);
    return read_place(l, o, TESLA_IN_A, (struct look){false, false});
}

/* interp D v[] [$r]: the value of the plane, times the source. */
void tesla_lift_interp(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    const struct tesla_operand *o = &d->src[0];
    struct look look = {.centroid = d->modifiers & TESLA_CENT, .flat = d->modifiers & TESLA_FLAT};
    ir_value v = read_place(l, o, TESLA_IN_V, look);
    if (d->nsrc > 1) {
        ir_value by = ir_as(&l->b, IR_F32, tesla_source_bits(l, &d->src[1]));
        if (d->src[1].neg)
            by = ir_op1(&l->b, IR_FNEG, 0, by);
        v = ir_op2(&l->b, IR_FMUL, IR_FLUSH_IN | IR_FLUSH_OUT | IR_NAN_CANON, ir_as(&l->b, IR_F32, v), by);
    }
    tesla_write(l, &d->dst, v);
}

/* ---- writing ---- */

static void put_output(struct tesla_lifter *l, uint32_t i, ir_value v, ir_value pred)
{
    ir_value f = ir_as(&l->b, IR_F32, v);
    ir_emit(&l->b, IR_OUTPUT, IR_VOID, 0, 0, &f, 1, l->output[i], l->link.places[i].component, pred);
}

/* As read_chosen: what is not a place is not written. */
static void write_chosen(struct tesla_lifter *l, const struct tesla_operand *o, ir_value v)
{
    int64_t offset;
    ir_value address = tesla_address(l, o, &offset);
    for (uint32_t i = 0; i < l->link.nplaces; i++) {
        const struct tesla_place *p = &l->link.places[i];
        if (!p->output || p->where != TESLA_IN_O || l->output[i] == LIFT_NONE)
            continue;
        ir_value there = is_there(l, address, p->offset);
        put_output(l, i, v, l->pred ? ir_op2(&l->b, IR_AND, 0, l->pred, there) : there);
    }
    tesla_increment(l, o);
}

void tesla_output(struct tesla_lifter *l, const struct tesla_operand *o, ir_value v)
{
    uint32_t i = find_place(l, true, TESLA_IN_O, (uint32_t)o->offset);
    if (o->areg)
        write_chosen(l, o, v);
    else if (i != LIFT_NONE && l->output[i] != LIFT_NONE)
        put_output(l, i, v, l->pred);
}

void tesla_write_results(struct tesla_lifter *l)
{
    l->pred = 0;
    for (uint32_t i = 0; i < l->link.nplaces; i++) {
        const struct tesla_place *p = &l->link.places[i];
        if (p->output && p->where == TESLA_IN_R && l->output[i] != LIFT_NONE)
            put_output(l, i, tesla_get_r(l, p->offset), 0);
    }
}

void tesla_lift_emit(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    (void)d;
    ir_emit(&l->b, IR_EMIT, IR_VOID, 0, 0, NULL, 0, 0, 0, l->pred);
    for (uint32_t i = 0; i < l->link.nplaces; i++)
        if (l->output[i] != LIFT_NONE)
            put_output(l, i, ir_const_i32(&l->b, 0), l->pred); /* o[] is cleared */
}

void tesla_lift_restart(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    (void)d;
    ir_emit(&l->b, IR_CUT, IR_VOID, 0, 0, NULL, 0, 0, 0, l->pred);
}
