/* pack_fuse.c - bitwise instructions of a list that follow each other through the units of one group: "and r0, r1, r2"
 * and "shr r0, r0, r3" are the logical unit and shift unit 2. The result in between has no register of its own then, so
 * that the second line has to overwrite it. */
#include "isa/rogue/pack.h"

#include <string.h>

enum { REACH = 16, MOST_PARTS = 3 };

static bool is_reg(const struct rogue_raw *raw, struct rogue_reg r)
{
    return raw->kind == ROGUE_RAW_REG && raw->nmods == 0 && rogue_same_reg(raw->reg, r);
}

/* The way's parts run on these units, and it gives one register a value. */
static bool is_form(const struct rogue_pack_way *w, unsigned count, const uint8_t *units)
{
    bool fine = w->nparts == count && w->ndeclared == 1;
    for (unsigned i = 0; fine && i < count; i++)
        fine = w->parts[i].units == 1u << units[i];
    return fine;
}

static struct rogue_reg result(const struct rogue_pack_way *w)
{
    return w->declared[0]->operands[0].reg;
}

/* Does a part read the register as one of its operands from `first` on? */
static bool reads(const struct rogue_pack_part *part, unsigned first, struct rogue_reg r)
{
    for (unsigned i = first; i < part->st->noperands; i++)
        if (is_reg(&part->st->operands[i], r))
            return true;
    return false;
}

static bool bypasses(const struct rogue_pack_part *part)
{
    return rogue_rows()[part->op].traits & ROGUE_BYPASSES;
}

/* byp ft2, D before what uses FT2. */
static bool starts_with_bypass(const struct rogue_pack_way *w, struct rogue_reg r)
{
    return bypasses(&w->parts[0]) && is_reg(&w->parts[0].st->operands[1], r);
}

/* The ways of `first` and `second` as one, where the second reads and overwrites what the first makes. */
static bool fuse(const struct rogue_pack_way *first, const struct rogue_pack_way *second, struct rogue_pack_way *out)
{
    static const uint8_t shift_1[] = {ROGUE_SHIFT1, ROGUE_COUNT}, logical[] = {ROGUE_SHIFT1, ROGUE_LOGICAL},
                         shift_2[] = {ROGUE_SHIFT1, ROGUE_LOGICAL, ROGUE_SHIFT2};
    bool shifts = is_form(second, 3, shift_2);
    if (first->ndeclared != 1 || (!shifts && !is_form(second, 2, logical)))
        return false;
    struct rogue_reg r = result(first);
    if (!rogue_same_reg(r, result(second)) || !starts_with_bypass(second, r))
        return false;
    for (unsigned i = 1; i < second->nparts; i++)
        if (reads(&second->parts[i], 1, r))
            return false;
    *out = *second;
    if (is_form(first, 2, shift_1) && bypasses(&first->parts[1]) && !bypasses(&first->parts[0])) {
        out->parts[0] = first->parts[0]; /* rev, shfl or lsl instead of the bypass */
        return true;
    }
    /* the wanted operation replaces the OR with 0 before the shift */
    if (!shifts || !is_form(first, 2, logical) || rogue_argument(&rogue_rows()[second->parts[1].op]) != IR_OR)
        return false;
    memcpy(out->parts, first->parts, 2 * sizeof *out->parts);
    return true;
}

static bool fuse_bundles(struct rogue_pack_list *l, struct rogue_pack_bundle *first, struct rogue_pack_bundle *second)
{
    struct rogue_pack_way way;
    if (first->cc != second->cc || first->alone || second->alone)
        return false;
    for (unsigned i = 0; i < second->nways; i++) {
        if (!fuse(&first->ways[0], &second->ways[i], &way))
            continue;
        second->ways[0] = way;
        second->nways = 1;
        second->text = first->text;
        first->empty = true;
        return rogue_pack_add_effects(&second->effects, l->arena, &first->effects);
    }
    return false;
}

/* The line before `k` whose result it reads, if it may move after all lines between them. */
static void fuse_backwards(struct rogue_pack_list *l, size_t k)
{
    struct rogue_pack_bundle *second = &l->bundles[k];
    size_t end = k > REACH ? k - REACH : 0;
    for (size_t i = k; i-- > end;) {
        struct rogue_pack_bundle *first = &l->bundles[i];
        if (first->empty || rogue_pack_order(&first->effects, &second->effects) == ROGUE_PACK_FREE)
            continue;
        bool fine = first->nways && !first->effects.barrier;
        for (size_t m = i + 1; fine && m < k; m++)
            fine = l->bundles[m].empty || rogue_pack_order(&first->effects, &l->bundles[m].effects) == ROGUE_PACK_FREE;
        if (fine)
            fuse_bundles(l, first, second);
        return;
    }
}

void rogue_pack_fuse(struct rogue_pack_list *list)
{
    for (size_t k = 1; k < list->count; k++)
        if (!list->bundles[k].empty && list->bundles[k].nways && !list->bundles[k].effects.barrier)
            fuse_backwards(list, k);
}
