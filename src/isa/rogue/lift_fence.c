/* lift_fence.c - data fences (chapters 11 and 14): the result of a request lands in its registers
 * where its fence is waited for. Until then they keep what they had; strict programs find poison in them. Which they
 * are, an index register says when it is asked for.
 *
 * Between a request and a wait in one straight run of groups, results are values. Where the run ends before it is
 * waited for, they are kept in registers of the device's own, one for each fence and register that they are for, with a
 * bit for the instances; every wait for that fence lets them land. A result without a wait lands when the program ends.
 *
 * Where many are kept, all waits for the fence share one place that lets them land, and a run of groups ends with each,
 * so that what a program becomes grows as the program does and not as waits times results. */
#include "isa/rogue/insn.h"
#include "isa/rogue/lift.h"

#include <stdlib.h>

enum { MANY = 48 /* registers that one fence keeps */ };

/* ---- requests ---- */

unsigned rogue_results_of(const struct rogue_group *g, struct rogue_reg *first, unsigned *drc)
{
    const struct rogue_insn *insn = rogue_at(g, g->alu == ROGUE_CONTROL ? ROGUE_CTRL : ROGUE_BACKEND);
    if (!(rogue_flow_traits(g) & ROGUE_ASKS))
        return 0;
    const struct rogue_template *t = &rogue_table()->templates[insn->row->op];
    *drc = (unsigned)rogue_get(insn, ROGUE_F_DRC);
    for (unsigned i = 0; i < t->noperands; i++) {
        const struct rogue_operand *o = &t->operands[i];
        if (!(o->access.how & ROGUE_WRITE))
            continue;
        unsigned number = o->kind == ROGUE_ON_PORT ? o->n : (unsigned)rogue_get(insn, o->field);
        if (g->alu == ROGUE_CONTROL)
            *first = (struct rogue_reg){ROGUE_TEMP, 0, (uint16_t)number};
        else
            *first = g->s[number];
        return rogue_extent_of(insn, &o->access);
    }
    return 0;
}

/* ---- waits ---- */

/* Results that earlier runs have asked for. */
static void land_kept(struct rogue_lifter *l, unsigned drc)
{
    for (uint32_t i = 0; i < l->nkept; i++) {
        const struct rogue_kept *k = &l->kept[i];
        for (unsigned n = 0; k->drc == drc && n < k->count; n++) {
            ir_value waiting = ir_get(&l->b, l->file[ROGUE_FILE_WAITING], k->number + n, IR_I1);
            if (rogue_reg_is_indexed(k->first))
                l->index = ir_get(&l->b, l->file[ROGUE_FILE_CHOSEN], k->number + n, IR_I32);
            rogue_write(l, k->first, n, ir_get(&l->b, l->file[ROGUE_FILE_KEPT], k->number + n, IR_I32), waiting);
            l->index = 0;
            ir_set(&l->b, l->file[ROGUE_FILE_WAITING], k->number + n, ir_const(&l->b, IR_I1, 0), 0);
        }
    }
}

/* Does a group wait for the fence? */
static bool waits(const struct rogue_group *g, unsigned drc)
{
    const struct rogue_insn *insn = rogue_control_of(g);
    if (!insn)
        return false;
    if (rogue_first_form(insn->row->op)->misc == ROGUE_MISC_DRC)
        return g->drc == drc;
    return rogue_waits_itself(insn) && (unsigned)rogue_get(insn, ROGUE_F_DRC) == drc;
}

/* Does the wait of group i go to the place of its fence? It comes back to the next group. */
static bool lands_apart(const struct rogue_lifter *l, uint32_t i, unsigned drc)
{
    return l->landing[drc] && i + 1 < l->m->ngroups && !rogue_ends_phase(&l->m->groups[i]) &&
           waits(&l->m->groups[i], drc);
}

bool rogue_lands_apart(const struct rogue_lifter *l, uint32_t i)
{
    return lands_apart(l, i, 0) || lands_apart(l, i, 1);
}

void rogue_wait(struct rogue_lifter *l, unsigned drc)
{
    struct rogue_requests *r = &l->requests[drc];
    if (lands_apart(l, l->at, drc)) {
        uint64_t back = l->m->base + l->m->groups[l->at + 1].offset;
        rogue_carry(l);
        ir_set(&l->b, l->file[ROGUE_FILE_LANDED], 0, rogue_word(l, (uint32_t)back), 0);
        ir_goto(&l->b, l->landing[drc]);
        return;
    }
    land_kept(l, drc);
    for (uint32_t i = 0; i < r->count; i++) {
        l->index = r->pending[i].index;
        rogue_write(l, r->pending[i].reg, r->pending[i].further, r->pending[i].value, r->pending[i].pred);
    }
    l->index = 0;
    r->count = 0;
}

static void carry(struct rogue_lifter *l, struct rogue_requests *r)
{
    ir_value on = r->count ? ir_const(&l->b, IR_I1, 1) : 0;
    for (uint32_t i = 0; i < r->count; i++) {
        const struct rogue_result *p = &r->pending[i];
        if (p->kept == LIFT_NONE)
            continue;
        ir_set(&l->b, l->file[ROGUE_FILE_KEPT], p->kept, ir_as(&l->b, IR_I32, p->value), p->pred);
        ir_set(&l->b, l->file[ROGUE_FILE_WAITING], p->kept, on, p->pred);
        if (p->index)
            ir_set(&l->b, l->file[ROGUE_FILE_CHOSEN], p->kept, p->index, p->pred);
    }
    r->count = 0;
}

void rogue_carry(struct rogue_lifter *l)
{
    for (unsigned drc = 0; drc < ROGUE_FENCES; drc++)
        carry(l, &l->requests[drc]);
}

void rogue_land(struct rogue_lifter *l)
{
    for (unsigned drc = 0; drc < ROGUE_FENCES; drc++)
        land_kept(l, drc);
}

void rogue_lift_landings(struct rogue_lifter *l)
{
    for (unsigned drc = 0; drc < ROGUE_FENCES; drc++) {
        if (!l->landing[drc])
            continue;
        l->b.block = l->landing[drc];
        land_kept(l, drc);
        ir_value back = ir_get(&l->b, l->file[ROGUE_FILE_LANDED], 0, IR_I32);
        ir_emit(&l->b, IR_JUMP, IR_VOID, 0, 0, &back, 1, 0, 0, 0);
    }
}

void rogue_lift_wdf(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    (void)insn;
    rogue_wait(l, l->group->drc);
}

/* ---- which results are kept ---- */

/* A request whose fence is not waited for in the run of groups that it is in. */
struct late {
    uint32_t group;
    uint64_t kind; /* fence, bank and what an index register adds: the same of registers that lie in a row */
    struct rogue_reg first;
    uint32_t start, count; /* registers of that row */
};

static struct late late_request(const struct rogue_lifter *l, uint32_t i, unsigned *drc)
{
    struct late late = {.group = i};
    unsigned count = rogue_results_of(&l->m->groups[i], &late.first, drc);
    unsigned there = count ? rogue_registers_from(l, late.first) : 0;
    bool indexed = rogue_reg_is_indexed(late.first);
    late.count = count < there ? count : there;
    late.start = indexed ? late.first.index >> 3 : late.first.index;
    late.kind = (uint64_t)(late.count ? *drc : 0) << 32 | (uint64_t)late.first.bank << 16 |
                (uint64_t)late.first.dim << 8 | (indexed ? late.first.index & 7u : 0);
    return late;
}

/* Requests that are late, from the last group to the first, since the next wait of the run is what counts. */
static uint32_t find_late(const struct rogue_lifter *l, struct late *late)
{
    bool waited[ROGUE_FENCES] = {false};
    uint32_t n = 0;
    for (uint32_t i = l->m->ngroups; i-- > 0;) {
        unsigned drc = 0;
        if (i + 1 < l->m->ngroups && l->block[i + 1])
            waited[0] = waited[1] = false;
        for (unsigned d = 0; d < ROGUE_FENCES; d++)
            waited[d] |= waits(&l->m->groups[i], d);
        struct late found = late_request(l, i, &drc);
        if (found.count && (!waited[drc] || l->landing[drc]))
            late[n++] = found;
    }
    return n;
}

static int by_registers(const void *a, const void *b)
{
    const struct late *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->start != y->start ? (x->start < y->start ? -1 : 1) : 0;
}

/* Registers in rows, as they are kept: l->kept, and for each request its first number in l->kept_at. Returns how many
 * there are. */
static uint32_t number_registers(struct rogue_lifter *l, struct late *late, uint32_t nlate)
{
    uint32_t number = 0, end = 0;
    uint64_t kind = UINT64_MAX;
    l->nkept = 0;
    qsort(late, nlate, sizeof *late, by_registers);
    for (uint32_t i = 0; i < nlate; i++) {
        if (late[i].kind != kind || late[i].start > end) {
            l->kept[l->nkept++] = (struct rogue_kept){(uint8_t)(late[i].kind >> 32), late[i].first, number, 0};
            kind = late[i].kind;
            end = late[i].start;
        }
        struct rogue_kept *k = &l->kept[l->nkept - 1];
        uint32_t start = end - k->count, behind = late[i].start + late[i].count;
        if (behind > end) {
            number += behind - end;
            k->count += behind - end;
            end = behind;
        }
        l->kept_at[late[i].group] = k->number + (late[i].start - start);
    }
    return number;
}

/* A fence that keeps many gets a place where all its waits land. True when there is a new one: runs of groups then end
 * earlier. */
static bool choose_landings(struct rogue_lifter *l)
{
    uint32_t kept[ROGUE_FENCES] = {0};
    bool chosen = false;
    for (uint32_t i = 0; i < l->nkept; i++)
        kept[l->kept[i].drc] += l->kept[i].count;
    for (unsigned drc = 0; drc < ROGUE_FENCES; drc++) {
        if (kept[drc] < MANY || l->landing[drc])
            continue;
        chosen = true;
        l->landing[drc] = lift_new_block(&l->lift);
        for (uint32_t i = 0; i < l->m->ngroups; i++)
            if (lands_apart(l, i, drc))
                lift_lead(&l->lift, i + 1);
    }
    return chosen;
}

static void add_files(struct rogue_lifter *l, uint32_t number)
{
    struct ir_program *p = l->b.p;
    l->file[ROGUE_FILE_KEPT] = ir_add_file(p, (struct ir_file){.name = "kept", .bits = 32, .count = number});
    l->file[ROGUE_FILE_WAITING] = ir_add_file(p, (struct ir_file){.name = "waiting", .bits = 1, .count = number});
    l->file[ROGUE_FILE_LANDED] =
        ir_add_file(p, (struct ir_file){.name = "landed", .bits = 32, .count = 1, .uniform = true});
    bool indexed = false;
    for (uint32_t i = 0; i < l->nkept; i++)
        indexed |= rogue_reg_is_indexed(l->kept[i].first);
    if (indexed)
        l->file[ROGUE_FILE_CHOSEN] = ir_add_file(p, (struct ir_file){.name = "chosen", .bits = 32, .count = number});
    for (uint32_t n = 0; n < number; n++)
        ir_set(&l->b, l->file[ROGUE_FILE_WAITING], n, ir_const(&l->b, IR_I1, 0), 0);
}

void rogue_keep_results(struct rogue_lifter *l)
{
    struct late *late = ARENA_ARRAY(l->arena, struct late, l->m->ngroups + 1);
    l->kept = ARENA_ARRAY(l->arena, struct rogue_kept, l->m->ngroups + 1);
    l->kept_at = ARENA_ARRAY(l->arena, uint32_t, l->m->ngroups + 1);
    if (!late || !l->kept || !l->kept_at)
        return;
    uint32_t number;
    do {
        for (uint32_t i = 0; i < l->m->ngroups; i++)
            l->kept_at[i] = LIFT_NONE;
        number = number_registers(l, late, find_late(l, late));
    } while (choose_landings(l) && !arena_failed(l->arena));
    if (number)
        add_files(l, number);
}
