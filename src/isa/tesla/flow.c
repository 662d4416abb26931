/* flow.c - what the control flow of a program reaches. */
#include "isa/tesla/flow.h"

#include "base/diag.h"
#include "isa/entry.h"
#include "isa/tesla/table.h"

#include <string.h>

/* By the name of a kernel or of a label, or by address. */
static bool find_entry(const struct isa_module *m, uint32_t *insn)
{
    uint64_t address;
    const struct tesla_insn *at = NULL;
    for (uint32_t i = 0; i < m->nkernels; i++)
        if (strcmp(m->kernels[i].name, m->entry) == 0) {
            *insn = m->kernels[i].first;
            return true;
        }
    for (uint32_t i = 0; !at && i < m->nlabels; i++)
        if (strcmp(m->labels[i].name, m->entry) == 0)
            at = tesla_item_at(m, 0, m->labels[i].address);
    if (!at && entry_address(m->entry, &address) && address < TESLA_CODE_SPACE)
        at = tesla_item_at(m, 0, (uint32_t)address);
    if (at)
        *insn = (uint32_t)(at - m->insns);
    return at != NULL;
}

uint32_t tesla_entry(const struct isa_module *m)
{
    uint32_t insn = m->nkernels ? m->kernels[0].first : 0;
    if (m->entry)
        find_entry(m, &insn);
    return insn;
}

/* The kernel or label that the entry may have meant, or what it can be. */
static const char *entry_hint(const struct isa_module *m, struct arena *arena, char *hint, size_t size)
{
    const char **names = ARENA_ARRAY(arena, const char *, m->nkernels + m->nlabels + 1), *found = NULL;
    size_t n = 0;
    for (uint32_t i = 0; names && i < m->nkernels; i++)
        names[n++] = m->kernels[i].name;
    for (uint32_t i = 0; names && i < m->nlabels; i++)
        names[n++] = m->labels[i].name;
    if (n)
        found = word_hint(m->entry, strlen(m->entry), names, n, hint, size);
    return found ? found : "give a kernel, a label or an address of an instruction";
}

bool tesla_check_entry(const struct isa_module *m, struct arena *arena, weft_diags *diags)
{
    char hint[400];
    uint32_t insn;
    if (!m->entry || find_entry(m, &insn))
        return true;
    diag_add(diags, WEFT_ERROR, "entry", m->name, entry_hint(m, arena, hint, sizeof hint),
             "the program has no '%s' to start at", m->entry);
    return false;
}

/* ---- one instruction ---- */

struct tesla_flow tesla_flow_of(const struct tesla_insn *insn)
{
    struct tesla_flow f = {.flow = WEFT_FLOW_NEXT, .predicate = TESLA_ALWAYS};
    if (!insn->row)
        return f;
    const struct tesla_template *t = tesla_template_of(insn->row);
    const struct tesla_meaning_info *meaning = &tesla_meanings[insn->row->meaning];
    unsigned tail = insn->row->form == TESLA_LONG ? tesla_get(insn->word, TESLA_FIELD_TAIL) : 0;
    f.flow = meaning->flow;
    f.joins = tail == TESLA_JOIN;
    f.exits = tail == TESLA_EXIT;
    f.has_target = tesla_has(t, TESLA_S_TARGET);
    if (f.has_target)
        f.target = tesla_get(insn->word, TESLA_FIELD_CODE_ADDRESS) * TESLA_CODE_STEP;
    if (t->predicated && !(meaning->properties & TESLA_TESTS))
        f.predicate = (uint8_t)tesla_get(insn->word, TESLA_FIELD_PREDICATE);
    if ((meaning->properties & TESLA_EXITS_ANYWAY) && f.predicate == TESLA_NEVER)
        f.predicate = TESLA_ALWAYS;
    f.limited = t->limited && tesla_get(insn->word, TESLA_FIELD_LIMIT);
    return f;
}

/* What is pushed with an address comes back there; what pops goes where others have pushed. */
struct tesla_ways tesla_ways_of(const struct isa_module *m, uint32_t insn)
{
    struct tesla_insn at = m->insns[insn];
    struct tesla_ways w = {.falls = false, .target = m->ninsns};
    if (!at.row && !tesla_take_unlisted(&at, &m->target))
        return w;
    struct tesla_flow f = tesla_flow_of(&at);
    w.falls = true;
    bool always = f.predicate == TESLA_ALWAYS;
    switch ((weft_flow)f.flow) {
    case WEFT_FLOW_BRANCH:
        w.falls = f.limited || (f.has_target && !always);
        w.branches = f.has_target && f.predicate != TESLA_NEVER;
        w.indirect = !f.has_target;
        break;
    case WEFT_FLOW_CALL:
    case WEFT_FLOW_MARK:
        w.branches = true;
        break;
    case WEFT_FLOW_RETURN:
    case WEFT_FLOW_DISCARD:
        w.falls = !always;
        break;
    case WEFT_FLOW_TRAP:
        w.falls = false;
        break;
    default:
        w.falls = !(f.exits && always);
        break;
    }
    if (w.branches) {
        const struct tesla_insn *to = tesla_item_at(m, insn, f.target);
        w.target = to ? (uint32_t)(to - m->insns) : m->ninsns;
    }
    return w;
}

/* ---- the program ---- */

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
    static const char *const stages[] = {[TESLA_VP] = " in vertex programs",
                                         [TESLA_GP] = " in geometry programs",
                                         [TESLA_FP] = " in fragment programs",
                                         [TESLA_CP] = " in compute programs"};
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
