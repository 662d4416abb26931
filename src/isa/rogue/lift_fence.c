/* lift_fence.c - data fences (chapters 11 and 14; semantics, section 6): the result of a request lands in its registers
 * where its fence is waited for. Until then they keep what they had; strict programs find poison in them.
 *
 * Between a request and a wait in one straight run of groups, results are values. Where the run ends before it is
 * waited for, they are kept in registers of the device's own, each with a bit for the instances that it is for, and
 * every wait for that fence lets them land. What nobody waits for lands when the program ends. */
#include "isa/rogue/lift.h"

enum { POISON = 0x7fdeadbd /* a NaN, and an address of nothing */ };

/* ---- requests ---- */

/* Registers from source n on that the backend writes: all of a bank where a source says how many. */
static unsigned backend_results(const struct rogue_insn *insn, unsigned n)
{
    enum { WHOLE_BANK = 4096, S3 = 3, S4 = 4 };
    switch ((enum rogue_op)insn->row->op) {
    case ROGUE_OP_FITR:
    case ROGUE_OP_FITRP:
        return n == S3 ? (unsigned)rogue_get(insn, ROGUE_F_COUNT) : 0;
    case ROGUE_OP_LD:
        return n == S3 ? (unsigned)rogue_get(insn, ROGUE_F_BURSTLEN) : 0;
    case ROGUE_OP_LD_REG:
        return n == S3 ? WHOLE_BANK : 0;
    case ROGUE_OP_ATOM:
        return n == (unsigned)rogue_get(insn, ROGUE_F_DSTSEL);
    case ROGUE_OP_SMP1D:
    case ROGUE_OP_SMP2D:
    case ROGUE_OP_SMP3D:
        return n == S4 ? rogue_smp_registers(insn) : 0;
    default:
        return 0;
    }
}

/* Of the control groups that iterate. */
static unsigned iterated_results(const struct rogue_insn *insn)
{
    unsigned op = insn->row->op, count = (unsigned)rogue_get(insn, ROGUE_F_COUNT);
    bool halves = rogue_get(insn, ROGUE_F_F16) != 0;
    if (op >= ROGUE_OP_DITR && op <= ROGUE_OP_DITRP_READ)
        return rogue_registers_of(count, halves);
    if (op >= ROGUE_OP_ITRSMP1D && op <= ROGUE_OP_ITRSMP3D)
        return count * rogue_registers_of((unsigned)rogue_get(insn, ROGUE_F_CHAN), halves);
    return 0;
}

unsigned rogue_results_of(const struct rogue_group *g, struct rogue_reg *first, unsigned *drc)
{
    const struct rogue_insn *insn = rogue_at(g, g->alu == ROGUE_CONTROL ? ROGUE_CTRL : ROGUE_BACKEND);
    if (g->data || (g->alu != ROGUE_MAIN && g->alu != ROGUE_CONTROL) || !insn->row)
        return 0;
    unsigned results = g->alu == ROGUE_CONTROL ? iterated_results(insn) : 0;
    *first = (struct rogue_reg){ROGUE_TEMP, 0, (uint16_t)(results ? rogue_get(insn, ROGUE_F_DEST) : 0)};
    for (unsigned n = 0; g->alu == ROGUE_MAIN && n < ROGUE_SOURCES && !results; n++)
        if ((results = backend_results(insn, n)))
            *first = g->s[n];
    if (results)
        *drc = (unsigned)rogue_get(insn, ROGUE_F_DRC);
    return results;
}

/* Number of what is kept of result `further` of the group at work; ROGUE_NONE: it is waited for in its run. */
static uint32_t kept_number(const struct rogue_lifter *l, struct rogue_reg first, unsigned further)
{
    for (uint32_t i = 0; i < l->nlate; i++)
        if (l->late[i].group == l->at) {
            unsigned n = (unsigned)(first.index - l->late[i].first.index) + further;
            return n < l->late[i].count ? l->late[i].number + n : ROGUE_NONE;
        }
    return ROGUE_NONE;
}

void rogue_send(struct rogue_lifter *l, unsigned drc, struct rogue_reg to, unsigned further, ir_value v, ir_value pred)
{
    struct rogue_pending *grown =
        arena_grow(l->arena, l->pending, sizeof *grown, l->npending, &l->pending_cap, (size_t)l->npending + 1);
    if (!grown)
        return;
    l->pending = grown;
    grown[l->npending++] = (struct rogue_pending){to, further, v, pred, (uint8_t)drc, kept_number(l, to, further)};
    if (l->m->strict)
        rogue_write(l, to, further, ir_const_i32(&l->b, POISON), pred);
}

/* A float as a half, a number's low 16 bits: IR_I32. */
static ir_value half_of(struct rogue_lifter *l, ir_value v)
{
    if (ir_type_of(&l->b, v) == IR_F32)
        return ir_cvt(&l->b, IR_ZEXT, IR_I32, 0, ir_as(&l->b, IR_I16, ir_cvt(&l->b, IR_F2F, IR_F16, IR_NAN_CANON, v)));
    return ir_op2(&l->b, IR_AND, 0, v, ir_const_i32(&l->b, 0xffff));
}

void rogue_send_values(struct rogue_lifter *l, unsigned drc, struct rogue_reg to, const ir_value *v, unsigned count,
                       bool halves)
{
    enum { HALF = 16 };
    for (unsigned n = 0; n < rogue_registers_of(count, halves) && !l->failed; n++) {
        ir_value word = halves ? half_of(l, v[2 * n]) : ir_as(&l->b, IR_I32, v[n]);
        if (halves && 2 * n + 1 < count)
            word = ir_op2(&l->b, IR_OR, 0, word,
                          ir_op2(&l->b, IR_SHL, 0, half_of(l, v[2 * n + 1]), ir_const_i32(&l->b, HALF)));
        rogue_send(l, drc, to, n, word, l->run);
    }
}

/* ---- waits ---- */

/* Results that earlier runs have asked for. */
static void land_kept(struct rogue_lifter *l, unsigned drc)
{
    for (uint32_t i = 0; i < l->nlate; i++) {
        const struct rogue_late *late = &l->late[i];
        for (unsigned n = 0; late->drc == drc && n < late->count; n++) {
            ir_value waiting = ir_get(&l->b, l->file[ROGUE_FILE_WAITING], late->number + n, IR_I1);
            rogue_write(l, late->first, n, ir_get(&l->b, l->file[ROGUE_FILE_KEPT], late->number + n, IR_I32), waiting);
            ir_set(&l->b, l->file[ROGUE_FILE_WAITING], late->number + n, ir_const(&l->b, IR_I1, 0), 0);
        }
    }
}

void rogue_wait(struct rogue_lifter *l, unsigned drc)
{
    uint32_t left = 0;
    land_kept(l, drc);
    for (uint32_t i = 0; i < l->npending; i++) {
        struct rogue_pending *p = &l->pending[i];
        if (p->drc == drc)
            rogue_write(l, p->reg, p->further, p->value, p->pred);
        else
            l->pending[left++] = *p;
    }
    l->npending = left;
}

void rogue_carry(struct rogue_lifter *l)
{
    ir_value on = l->npending ? ir_const(&l->b, IR_I1, 1) : 0;
    for (uint32_t i = 0; i < l->npending; i++) {
        const struct rogue_pending *p = &l->pending[i];
        if (p->kept == ROGUE_NONE)
            continue;
        ir_set(&l->b, l->file[ROGUE_FILE_KEPT], p->kept, ir_as(&l->b, IR_I32, p->value), p->pred);
        ir_set(&l->b, l->file[ROGUE_FILE_WAITING], p->kept, on, p->pred);
    }
    l->npending = 0;
}

void rogue_land(struct rogue_lifter *l)
{
    enum { FENCES = 2 };
    for (unsigned drc = 0; drc < FENCES; drc++)
        land_kept(l, drc);
}

void rogue_lift_wdf(struct rogue_lifter *l, const struct rogue_group *g, const struct rogue_insn *insn,
                    enum rogue_unit unit)
{
    (void)insn, (void)unit;
    rogue_wait(l, g->drc);
}

/* ---- which results are kept ---- */

/* Does a group wait for the fence? */
static bool waits(const struct rogue_group *g, unsigned drc)
{
    enum { SCHEDWDF = 2 };
    const struct rogue_insn *insn = g->alu == ROGUE_CONTROL && !g->data ? rogue_at(g, ROGUE_CTRL) : NULL;
    if (!insn || !insn->row)
        return false;
    if (insn->row->op == ROGUE_OP_WDF)
        return g->drc == drc;
    bool iterates = (insn->row->op >= ROGUE_OP_DITR && insn->row->op <= ROGUE_OP_DITRP_READ) ||
                    (insn->row->op >= ROGUE_OP_ITRSMP1D && insn->row->op <= ROGUE_OP_ITRSMP3D);
    return iterates && rogue_get(insn, ROGUE_F_SCHED_CTRL) == SCHEDWDF && (unsigned)rogue_get(insn, ROGUE_F_DRC) == drc;
}

/* Is the fence waited for before the run of group i ends? */
static bool waited_for(const struct rogue_lifter *l, uint32_t i, unsigned drc)
{
    for (uint32_t n = i; n < l->m->ngroups && (n == i || !l->block[n]); n++)
        if (waits(&l->m->groups[n], drc))
            return true;
    return false;
}

static void keep(struct rogue_lifter *l, uint32_t i, uint32_t *number)
{
    struct rogue_late late = {.group = i, .number = *number};
    unsigned drc = 0;
    late.count = rogue_results_of(&l->m->groups[i], &late.first, &drc);
    late.drc = (uint8_t)drc;
    unsigned there = late.count ? rogue_registers_from(l, late.first) : 0;
    late.count = late.count < there ? late.count : there;
    if (!late.count || waited_for(l, i, drc))
        return;
    struct rogue_late *grown =
        arena_grow(l->arena, l->late, sizeof *grown, l->nlate, &l->late_cap, (size_t)l->nlate + 1);
    if (!grown)
        return;
    l->late = grown;
    grown[l->nlate++] = late;
    *number += late.count;
}

void rogue_keep_results(struct rogue_lifter *l)
{
    uint32_t number = 0;
    for (uint32_t i = 0; i < l->m->ngroups; i++)
        keep(l, i, &number);
    if (!number)
        return;
    l->file[ROGUE_FILE_KEPT] = ir_add_file(l->b.p, (struct ir_file){.name = "kept", .bits = 32, .count = number});
    l->file[ROGUE_FILE_WAITING] = ir_add_file(l->b.p, (struct ir_file){.name = "waiting", .bits = 1, .count = number});
    for (uint32_t n = 0; n < number; n++)
        ir_set(&l->b, l->file[ROGUE_FILE_WAITING], n, ir_const(&l->b, IR_I1, 0), 0);
}
