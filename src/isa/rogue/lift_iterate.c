/* lift_iterate.c - coefficient registers: the planes of FITR, FITRP and DITR (chapters 4, 11 and 14). The planes
 * themselves are the device's; the linkage says whose set begins at which register. */
#include "isa/rogue/lift.h"

enum { SET = 4 /* registers of a coefficient set */, SET_C = 2 /* the one that a flat input is in */ };

static uint32_t find_set(const struct rogue_lifter *l, uint32_t n)
{
    for (uint32_t i = 0; i < l->link.nplaces; i++)
        if (!l->link.places[i].output && l->link.places[i].where == ROGUE_AT_CF && l->link.places[i].number == n)
            return i;
    return LIFT_NONE;
}

bool rogue_has_coefficient(const struct rogue_lifter *l, uint32_t n)
{
    uint32_t i = n >= SET_C ? find_set(l, n - SET_C) : LIFT_NONE;
    return i != LIFT_NONE && l->link.places[i].flat;
}

/* Of a flat input, C is the value. The planes of others are in the device, so that only FITR and DITR get at them. */
ir_value rogue_coefficient(struct rogue_lifter *l, uint32_t n)
{
    uint32_t i = n >= SET_C ? find_set(l, n - SET_C) : LIFT_NONE;
    if (!rogue_has_coefficient(l, n)) {
        lift_refuse(&l->lift, "cf%u cannot be read: only the C coefficient of a flat input has a value", n);
        return rogue_word(l, 0);
    }
    return ir_as(&l->b, IR_I32,
                 ir_emit(&l->b, IR_INTERP, IR_F32, IR_INTERP_CONSTANT, 1, NULL, 0, rogue_iterated_slot(l, i),
                         l->link.places[i].component, 0));
}

/* ---- planes ---- */

static ir_value interpolate(const struct rogue_iteration *it, uint32_t i, enum ir_interp how)
{
    static const uint8_t locations[] = {IR_LOC_CENTER, IR_LOC_SAMPLE, IR_LOC_CENTROID};
    struct rogue_lifter *l = it->l;
    unsigned where = how == IR_INTERP_CONSTANT ? IR_LOC_CENTER : locations[it->mode % 3];
    return ir_emit(&l->b, IR_INTERP, IR_F32, how | where << 4, 1, NULL, 0, rogue_iterated_slot(l, i),
                   l->link.places[i].component, 0);
}

static ir_value one_over_w(const struct rogue_iteration *it)
{
    return ir_sysval(&it->l->b, IR_SYS_FRAG_W, IR_F32, 0);
}

/* The value of the plane of place i: of an input in perspective that is value/w. */
static ir_value plane(const struct rogue_iteration *it, uint32_t i)
{
    const struct rogue_place *p = &it->l->link.places[i];
    if (p->one_over_w)
        return one_over_w(it);
    if (p->flat || p->linear)
        return interpolate(it, i, p->flat ? IR_INTERP_CONSTANT : IR_INTERP_LINEAR);
    return ir_op2(&it->l->b, IR_FMUL, ROGUE_FLOAT, interpolate(it, i, IR_INTERP_PERSPECTIVE), one_over_w(it));
}

/* The same over the plane of 1/w. What is in perspective the device has divided already. */
static ir_value plane_times_w(const struct rogue_iteration *it, uint32_t i)
{
    const struct rogue_place *p = &it->l->link.places[i];
    if (it->w != LIFT_NONE && p->one_over_w)
        return ir_const_f32(&it->l->b, 1.0f);
    if (it->w != LIFT_NONE && !p->flat && !p->linear)
        return interpolate(it, i, IR_INTERP_PERSPECTIVE);
    return ir_op2(&it->l->b, IR_FMUL, ROGUE_FLOAT, plane(it, i), it->reciprocal);
}

static ir_value value_of(const struct rogue_iteration *it, uint32_t i)
{
    return it->perspective == ROGUE_PLAIN ? plane(it, i) : plane_times_w(it, i);
}

/* ---- sets chosen at run time ---- */

typedef ir_value place_fn(const struct rogue_iteration *it, uint32_t i);

/* What `of` says of the set at register `number` past `index`; 0 where none begins there. */
static ir_value choose_set(const struct rogue_iteration *it, uint32_t number, ir_value index, place_fn *of)
{
    struct rogue_lifter *l = it->l;
    ir_value v = ir_const_f32(&l->b, 0);
    ir_value at = ir_op2(&l->b, IR_ADD, 0, index, rogue_word(l, number));
    for (uint32_t i = 0; i < l->link.nplaces; i++) {
        const struct rogue_place *p = &l->link.places[i];
        if (p->output || p->where != ROGUE_AT_CF)
            continue;
        ir_value here = ir_op2(&l->b, IR_EQ, 0, at, rogue_word(l, p->number));
        v = ir_select(&l->b, here, of(it, i), v);
    }
    return v;
}

static ir_value at_set(const struct rogue_iteration *it, uint32_t number, ir_value index, place_fn *of)
{
    if (index)
        return choose_set(it, number, index, of);
    uint32_t i = find_set(it->l, number);
    if (i != LIFT_NONE)
        return of(it, i);
    lift_refuse(&it->l->lift,
                "the linkage has no coefficient set at cf%u: where it has 'in' lines, they are all sets there are",
                number);
    return ir_const_f32(&it->l->b, 0);
}

ir_value rogue_iterate(struct rogue_iteration *it, unsigned n)
{
    ir_value v = at_set(it, it->first + n * SET, it->index, value_of);
    return it->sat ? ir_op1(&it->l->b, IR_FSAT, 0, v) : v;
}

/* ---- perspective ---- */

/* Values are over the plane of the set at register `number`. */
static void divide_by(struct rogue_iteration *it, uint32_t number, ir_value index)
{
    struct ir_builder *b = &it->l->b;
    uint32_t i = index ? LIFT_NONE : find_set(it->l, number);
    it->w = i != LIFT_NONE && it->l->link.places[i].one_over_w ? i : LIFT_NONE;
    it->reciprocal = ir_op2(b, IR_FDIV, ROGUE_FLOAT, ir_const_f32(b, 1.0f), at_set(it, number, index, plane));
}

static ir_value index_register(struct rogue_lifter *l, unsigned control)
{
    enum { NONE };
    return control == NONE ? 0 : ir_get(&l->b, l->file[ROGUE_FILE_IDX], control - 1, IR_I32);
}

bool rogue_iteration_of(struct rogue_lifter *l, const struct rogue_insn *insn, enum rogue_perspective perspective,
                        struct rogue_iteration *out)
{
    unsigned index = (unsigned)rogue_get(insn, ROGUE_F_COFF_IDX_CTRL),
             w_index = (unsigned)rogue_get(insn, ROGUE_F_WOFF_IDX_CTRL);
    *out = (struct rogue_iteration){.l = l,
                                    .mode = (uint8_t)rogue_get(insn, ROGUE_F_MODE),
                                    .perspective = (uint8_t)perspective,
                                    .sat = rogue_get(insn, ROGUE_F_SAT) != 0,
                                    .w = LIFT_NONE};
    out->first = rogue_based(l, ROGUE_COEFF, (uint32_t)rogue_get(insn, ROGUE_F_COFF)).index;
    out->index = index_register(l, index);
    uint32_t w = rogue_based(l, ROGUE_COEFF, (uint32_t)rogue_get(insn, ROGUE_F_WOFF)).index;
    if (perspective == ROGUE_TIMES_W || perspective == ROGUE_TIMES_W_KEPT)
        divide_by(out, w, index_register(l, w_index));
    if (perspective == ROGUE_TIMES_W_KEPT)
        ir_set(&l->b, l->file[ROGUE_FILE_RECIPROCAL], 0, ir_as(&l->b, IR_I32, out->reciprocal), l->run);
    if (perspective == ROGUE_TIMES_KEPT)
        out->reciprocal = ir_get(&l->b, l->file[ROGUE_FILE_RECIPROCAL], 0, IR_F32);
    return !l->failed;
}

/* ---- instructions ---- */

static void send_values(struct rogue_iteration *it, const struct rogue_insn *insn, struct rogue_reg to)
{
    enum { MOST = 16 };
    ir_value v[MOST];
    unsigned count = (unsigned)rogue_get(insn, ROGUE_F_COUNT);
    for (unsigned n = 0; n < count && n < MOST; n++)
        v[n] = rogue_iterate(it, n);
    rogue_send_values(it->l, (unsigned)rogue_get(insn, ROGUE_F_DRC), to, v, count, rogue_get(insn, ROGUE_F_F16) != 0);
}

/* Where the set of a source begins: its register, and what an index register adds. */
static bool source_set(struct rogue_lifter *l, unsigned n, const struct rogue_insn *insn, uint32_t *number,
                       ir_value *index)
{
    struct rogue_reg r = l->group->s[n];
    *number = r.index;
    *index = 0;
    if (rogue_reg_is_indexed(r) && (r.index & 7) == ROGUE_INDEXED_COEFF) {
        *number = r.index >> 3;
        ir_value v = ir_get(&l->b, l->file[ROGUE_FILE_IDX], r.bank == ROGUE_IDX1, IR_I32);
        *index = ir_op2(&l->b, IR_SHL, 0, v, rogue_word(l, r.dim));
        return true;
    }
    if (r.bank != ROGUE_COEFF)
        lift_refuse(&l->lift, "S%u of '%s' is not a coefficient register", n, insn->row->name);
    return r.bank == ROGUE_COEFF;
}

void rogue_lift_fitr(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    struct rogue_iteration it = {.l = l,
                                 .mode = (uint8_t)rogue_get(insn, ROGUE_F_ITER_MODE),
                                 .w = LIFT_NONE,
                                 .sat = rogue_get(insn, ROGUE_F_SAT) != 0};
    uint32_t w;
    ir_value w_index;
    if (!source_set(l, 0, insn, &it.first, &it.index))
        return;
    if (rogue_argument(insn->row) == ROGUE_TIMES_W) {
        if (!source_set(l, 2, insn, &w, &w_index))
            return;
        it.perspective = ROGUE_TIMES_W;
        divide_by(&it, w, w_index);
    }
    send_values(&it, insn, l->group->s[3]);
}

/* .schedwdf waits for the result. */
void rogue_lift_ditr(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    struct rogue_iteration it;
    if (!rogue_iteration_of(l, insn, (enum rogue_perspective)rogue_argument(insn->row), &it))
        return;
    send_values(&it, insn, (struct rogue_reg){ROGUE_TEMP, 0, (uint16_t)rogue_get(insn, ROGUE_F_DEST)});
    if (rogue_waits_itself(insn))
        rogue_wait(l, (unsigned)rogue_get(insn, ROGUE_F_DRC));
}
