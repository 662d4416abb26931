/* reach.c - what the control flow of a program reaches. */
#include "isa/tesla/reach.h"

#include <string.h>

uint32_t tesla_entry(const struct isa_module *m)
{
    for (uint32_t i = 0; i < m->nkernels; i++)
        if (!m->entry || strcmp(m->kernels[i].name, m->entry) == 0)
            return m->kernels[i].first;
    for (uint32_t i = 0; m->entry && i < m->nlabels; i++)
        if (strcmp(m->labels[i].name, m->entry) == 0) {
            const struct tesla_insn *at = tesla_item_at(m, 0, m->labels[i].address);
            return at ? (uint32_t)(at - m->insns) : m->ninsns;
        }
    return 0;
}

static uint32_t target_of(const struct isa_module *m, uint32_t insn, const struct tesla_decoded *d)
{
    for (unsigned k = 0; k < d->nsrc; k++)
        if (d->src[k].kind == TESLA_O_TARGET) {
            const struct tesla_insn *to = tesla_item_at(m, insn, d->src[k].value);
            return to ? (uint32_t)(to - m->insns) : m->ninsns;
        }
    return m->ninsns;
}

/* What is pushed with an address comes back there; what pops goes where others have pushed. */
struct tesla_ways tesla_ways_of(const struct isa_module *m, uint32_t insn)
{
    const struct tesla_insn *at = &m->insns[insn];
    struct tesla_ways w = {.falls = true, .target = m->ninsns};
    struct tesla_decoded d;
    if (!at->row) {
        w.falls = tesla_unlisted_row(at, &m->target) != NULL;
        return w;
    }
    if (at->row->form != TESLA_CONTROL && at->row->form != TESLA_LONG && at->row->meaning != TESLA_M_TRAP)
        return w;
    tesla_explain(at, &m->target, &d);
    bool always = d.predicate == TESLA_ALWAYS;
    switch ((enum tesla_meaning)at->row->meaning) {
    case TESLA_M_BRA:
        w.falls = !always;
        w.branches = d.predicate != 0;
        break;
    case TESLA_M_CALL:
    case TESLA_M_BREAKADDR:
    case TESLA_M_JOINAT:
    case TESLA_M_PRERET:
        w.branches = true;
        break;
    case TESLA_M_BRA_C:
        w.falls = d.modifiers & TESLA_LIMIT;
        w.indirect = true;
        break;
    case TESLA_M_RET:
    case TESLA_M_BREAK:
    case TESLA_M_DISCARD:
        w.falls = !always;
        break;
    case TESLA_M_TRAP:
        w.falls = false;
        break;
    case TESLA_M_VOTE: /* its predicate is an operand */
        w.falls = !d.exit;
        break;
    case TESLA_M_NOP:
        w.falls = !(d.exit && (always || d.predicate == 0));
        break;
    default:
        w.falls = !(d.exit && always);
        break;
    }
    if (w.branches)
        w.target = target_of(m, insn, &d);
    return w;
}

/* The last instruction of its kernel, or of the program. */
static bool is_last(const struct isa_module *m, uint32_t insn)
{
    return insn + 1 >= m->ninsns || tesla_kernel_of(m, insn) != tesla_kernel_of(m, insn + 1);
}

struct walk {
    const struct isa_module *m;
    struct tesla_reach *out;
    uint32_t *waiting, nwaiting;
};

static void visit(struct walk *w, uint32_t insn, uint8_t how)
{
    if (insn >= w->m->ninsns || w->out->insn[insn] >= how)
        return;
    if (!w->out->insn[insn])
        w->waiting[w->nwaiting++] = insn;
    w->out->insn[insn] = how;
}

/* The way that all threads go. */
static void walk_straight(struct walk *w, uint32_t insn)
{
    while (insn < w->m->ninsns && !w->out->insn[insn]) {
        struct tesla_ways ways = tesla_ways_of(w->m, insn);
        visit(w, insn, TESLA_REACHED_ALWAYS);
        if (ways.falls == ways.branches || ways.indirect || (ways.falls && is_last(w->m, insn)))
            return;
        insn = ways.falls ? insn + 1 : ways.target;
    }
}

bool tesla_find_reach(const struct isa_module *m, bool every, struct arena *arena, struct tesla_reach *out)
{
    *out = (struct tesla_reach){ARENA_ARRAY(arena, uint8_t, m->ninsns + 1), ARENA_ARRAY(arena, uint8_t, m->ninsns + 1),
                                false};
    struct walk w = {m, out, ARENA_ARRAY(arena, uint32_t, m->ninsns + 1), 0};
    if (!out->insn || !out->runs_off || !w.waiting)
        return false;
    walk_straight(&w, tesla_entry(m));
    for (uint32_t i = 0; every && i < m->nkernels; i++)
        visit(&w, m->kernels[i].first, TESLA_REACHED_MAYBE);
    while (w.nwaiting) {
        uint32_t insn = w.waiting[--w.nwaiting];
        struct tesla_ways ways = tesla_ways_of(m, insn);
        out->indirect |= ways.indirect;
        if (ways.branches)
            visit(&w, ways.target, TESLA_REACHED_MAYBE);
        if (ways.falls && is_last(m, insn))
            out->runs_off[insn] = out->insn[insn];
        else if (ways.falls)
            visit(&w, insn + 1, TESLA_REACHED_MAYBE);
    }
    return true;
}

/* "00000000", or "f0000001 e0000780". */
static const char *words_of(struct arena *arena, const struct tesla_insn *insn)
{
    if (insn->size == 8)
        return arena_printf(arena, "%08x %08x", (unsigned)insn->word, (unsigned)(insn->word >> 32));
    return arena_printf(arena, "%0*x", insn->size * 2, (unsigned)insn->word);
}

const char *tesla_unknown_words(struct arena *arena, const struct tesla_target *target, const struct tesla_insn *insn,
                                uint32_t count)
{
    static const char *const stages[] = {[TESLA_VP] = " in vertex programs", [TESLA_GP] = " in geometry programs",
                                         [TESLA_FP] = " in fragment programs", [TESLA_CP] = " in compute programs"};
    const struct tesla_insn *last = insn + count - 1;
    const char *stage = target->stage ? stages[target->stage] : "", *words = words_of(arena, insn);
    bool odd = count == 1 && insn->size == 8 && (insn->word & 1) && insn->address % 8 != 0;
    if (!words)
        return NULL;
    if (odd)
        return arena_printf(arena, "0x%x holds %s: a long instruction is at a multiple of 8", insn->address, words);
    if (count == 1)
        return arena_printf(arena, "0x%x holds %s, which is not an instruction of %s%s", insn->address, words,
                            target->chip, stage);
    return arena_printf(arena, "0x%x to 0x%x hold no instructions of %s%s: %s and so on", insn->address,
                        last->address + last->size - 1, target->chip, stage, words);
}
