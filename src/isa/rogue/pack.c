/* pack.c - which bundles of a list share a group.
 *
 * Groups are made one after the other. Of the bundles next in the list, those whose predecessors are all in earlier
 * groups are candidates; the one with the longest chain of others that wait for it starts the group, and as many more
 * as fit join it. */
#include "isa/rogue/pack.h"

#include <string.h>

enum { WINDOW = 64 };

struct packer {
    struct rogue_pack_list list;
    struct rogue_listing *out;
    struct rogue_pack_place place;
    uint32_t next;           /* the first bundle that may be in the window */
    uint32_t window[WINDOW]; /* bundles in the order of the list, none of which is in a group yet */
    unsigned nwindow;
    uint64_t after[WINDOW];  /* bit i: has to be in a later group than window[i] */
    uint64_t beside[WINDOW]; /* bit i: may not be in an earlier one */
    unsigned height[WINDOW]; /* groups that have to follow */
};

/* ---- the window ---- */

static const struct rogue_pack_bundle *at(const struct packer *p, unsigned i)
{
    return &p->list.bundles[p->window[i]];
}

static uint64_t without_bit(uint64_t mask, unsigned bit)
{
    uint64_t below = (UINT64_C(1) << bit) - 1;
    return (mask & below) | (mask >> 1 & ~below);
}

static void remove_bundle(struct packer *p, unsigned gone)
{
    p->nwindow--;
    for (unsigned i = gone; i < p->nwindow; i++) {
        p->window[i] = p->window[i + 1];
        p->after[i] = p->after[i + 1];
        p->beside[i] = p->beside[i + 1];
    }
    for (unsigned i = gone; i < p->nwindow; i++) { /* earlier ones have no bits of later ones */
        p->after[i] = without_bit(p->after[i], gone);
        p->beside[i] = without_bit(p->beside[i], gone);
    }
}

static void append_bundle(struct packer *p, uint32_t bundle)
{
    unsigned k = p->nwindow++;
    p->window[k] = bundle;
    p->after[k] = p->beside[k] = 0;
    for (unsigned i = 0; i < k; i++) {
        enum rogue_pack_order order = rogue_pack_order(&at(p, i)->effects, &at(p, k)->effects);
        p->after[k] |= (uint64_t)(order == ROGUE_PACK_LATER) << i;
        p->beside[k] |= (uint64_t)(order == ROGUE_PACK_BESIDE) << i;
    }
}

static void find_heights(struct packer *p)
{
    memset(p->height, 0, sizeof p->height);
    for (unsigned k = p->nwindow; k-- > 0;)
        for (uint64_t before = p->after[k] | p->beside[k]; before; before &= before - 1) {
            unsigned i = (unsigned)__builtin_ctzll(before), least = p->height[k] + (unsigned)(p->after[k] >> i & 1);
            if (p->height[i] < least)
                p->height[i] = least;
        }
}

/* Leave out what has been done, and fill up from the list. */
static void move_window(struct packer *p, uint64_t done)
{
    for (unsigned i = p->nwindow; i-- > 0;)
        if (done >> i & 1)
            remove_bundle(p, i);
    for (; p->nwindow < WINDOW && p->next < p->list.count; p->next++)
        if (!p->list.bundles[p->next].empty)
            append_bundle(p, p->next);
    find_heights(p);
}

/* ---- values of a group as feedthroughs ---- */

/* Operands that selectors read: those of tests and of packing, the data of the backend. */
static bool is_selected(const struct rogue_pack_part *part, unsigned operand)
{
    if (part->units == 1u << ROGUE_TST)
        return operand >= 2;
    if (part->units == 1u << ROGUE_PCK)
        return operand >= 1;
    return rogue_makes_vertices(&rogue_rows()[part->op]) && operand == 0;
}

/* The register is the result of a member. */
static bool is_value(const struct packer *p, uint32_t bundle, struct rogue_reg r)
{
    const struct rogue_pack_way *w = &p->list.bundles[bundle].ways[0];
    for (unsigned i = 0; i < w->ndeclared; i++)
        if (rogue_same_reg(w->declared[i]->operands[0].reg, r))
            return true;
    return false;
}

/* The way of a bundle with the registers that a member writes as links to its feedthroughs. Looks at the statement as
 * the list has it: the test or the write of the last part. NULL: there is nothing of the kind. */
static struct rogue_pack_way *forward(struct packer *p, const struct rogue_pack_bundle *b, uint32_t from,
                                      struct rogue_reg *value)
{
    const struct rogue_pack_part *last =
        b->nways && b->ways[0].nparts ? &b->ways[0].parts[b->ways[0].nparts - 1] : NULL;
    bool found = false;
    if (!last || last->units & (last->units - 1u))
        return NULL;
    struct rogue_statement *st = rogue_pack_copy(p->list.arena, last->st, last->st->noperands);
    for (unsigned i = 0; st && i < st->noperands; i++) {
        struct rogue_raw *raw = &st->operands[i];
        if (raw->kind == ROGUE_RAW_FT && raw->n == ROGUE_PACK_PART && is_selected(last, i) &&
            raw->number < b->ways[0].nparts)
            *raw = b->ways[0].parts[raw->number].st->operands[1]; /* what a part "mov ft0, r0" moves */
        if (raw->kind != ROGUE_RAW_REG || !is_selected(last, i) || !is_value(p, from, raw->reg) ||
            (found && !rogue_same_reg(raw->reg, *value)))
            continue;
        *value = raw->reg;
        raw->kind = ROGUE_RAW_FT;
        raw->n = ROGUE_PACK_VALUE;
        raw->number = from;
        found = true;
    }
    struct rogue_pack_way *way = found ? ARENA_NEW(p->list.arena, struct rogue_pack_way) : NULL;
    if (!way)
        return NULL;
    *way = b->ways[0];
    way->parts[0] = *last;
    way->parts[0].st = st;
    way->nparts = 1;
    return way;
}

/* ---- groups ---- */

struct forming {
    struct rogue_pack_member members[ROGUE_PACK_MEMBERS];
    unsigned count;
    uint64_t set;  /* bits of the window */
    uint64_t open; /* bits of the window that are in no group yet */
};

/* A bundle whose predecessors but one member are in earlier groups, and which can have that member's value as a
 * feedthrough. */
static const struct rogue_pack_way *find_forwarded(struct packer *p, const struct forming *f, unsigned k)
{
    uint64_t waits = p->after[k] & f->open;
    if (waits == 0 || (waits & (waits - 1)) || !(waits & f->set))
        return NULL;
    unsigned from = (unsigned)__builtin_ctzll(waits);
    struct rogue_reg value = {0};
    const struct rogue_pack_bundle *b = at(p, k);
    bool simple = b->ways && b->ways[0].ndeclared <= 1;
    const struct rogue_pack_way *way = simple ? forward(p, b, p->window[from], &value) : NULL;
    return way && rogue_pack_order_forwarded(&at(p, from)->effects, &b->effects, value) != ROGUE_PACK_LATER ? way
                                                                                                            : NULL;
}

static bool fits(struct packer *p, struct forming *f, unsigned k, const struct rogue_pack_way *way)
{
    const struct rogue_pack_bundle *b = at(p, k), *first = f->count ? &p->list.bundles[f->members[0].bundle] : b;
    if (f->count && (f->count == ROGUE_PACK_MEMBERS || b->alone || first->alone || b->cc != first->cc))
        return false;
    f->members[f->count] = (struct rogue_pack_member){p->window[k], way};
    return rogue_pack_place(&p->place, f->members, f->count + 1, f->count == 0);
}

static bool try_bundle(struct packer *p, struct forming *f, unsigned k)
{
    const struct rogue_pack_way *way = NULL;
    if (p->beside[k] & f->open & ~f->set)
        return false;
    if (p->after[k] & f->open) {
        way = find_forwarded(p, f, k);
        if (!way)
            return false;
    }
    if (!fits(p, f, k, way))
        return false;
    f->count++;
    f->set |= UINT64_C(1) << k;
    return true;
}

/* Candidates by height; those that a member makes into candidates are looked at again. */
static void extend(struct packer *p, struct forming *f)
{
    uint64_t tried = f->set;
    for (;;) {
        int best = -1;
        for (unsigned k = 0; k < p->nwindow; k++)
            if (!(tried >> k & 1) && (best < 0 || p->height[k] > p->height[best]))
                best = (int)k;
        if (best < 0)
            return;
        tried |= UINT64_C(1) << best;
        if (try_bundle(p, f, (unsigned)best))
            tried = f->set;
    }
}

static int first_of_group(const struct packer *p)
{
    int best = -1;
    for (unsigned k = 0; k < p->nwindow; k++)
        if (!p->after[k] && !p->beside[k] && (best < 0 || p->height[k] > p->height[best]))
            best = (int)k;
    return best;
}

static struct span span_of(const struct packer *p, const struct rogue_pack_bundle *b)
{
    return rogue_span(p->list.scan, b->text);
}

/* What is in the way of a bundle. For words that are not in the text, those of its first line are shown. */
static bool report(struct packer *p, const struct rogue_pack_bundle *b)
{
    const struct rogue_trouble *t = &p->place.trouble;
    const struct scan *s = p->list.scan;
    struct rogue_word where = t->where.p >= s->begin && t->where.p < s->end ? t->where : b->text;
    return scan_error(p->list.scan, rogue_span(s, where), t->code, NULL, "%s", t->message);
}

/* *done: bits of the window that the group, or the label, has used up; after an error too. */
static bool make_group(struct packer *p, uint64_t *done)
{
    struct forming f = {.open = p->nwindow == WINDOW ? ~UINT64_C(0) : (UINT64_C(1) << p->nwindow) - 1};
    int first = first_of_group(p);
    const struct rogue_pack_bundle *b = at(p, (unsigned)first);
    *done = UINT64_C(1) << first;
    if (b->label.length)
        return rogue_list_label(p->out, b->label);
    if (!try_bundle(p, &f, (unsigned)first))
        return report(p, b);
    struct rogue_pending best = p->place.pending;
    if (!b->alone) {
        extend(p, &f);
        rogue_pack_place(&p->place, f.members, f.count, false);
        best = p->place.pending;
    }
    *done = f.set;
    return rogue_list_pending(p->out, &best, span_of(p, b));
}

/* nop.end after a group that can say itself that it is the last: it does, unless a branch goes to the nop. */
static void fold_end(struct rogue_listing *l)
{
    struct rogue_group *last = l->ngroups >= 2 ? &l->groups[l->ngroups - 1] : NULL;
    if (!last || !rogue_at(last, ROGUE_CTRL)->row || last->alu != ROGUE_CONTROL || !last->end ||
        last[-1].alu == ROGUE_CONTROL || last->cc != ROGUE_CC_PE)
        return;
    for (size_t i = 0; i < l->a.nsymbols; i++)
        if (l->a.symbol[i]->defined && l->a.symbol[i]->index + 1 >= l->ngroups)
            return;
    last[-1].end = true;
    last[-1].header = 0; /* chosen again */
    l->ngroups--;
    l->a.section[0].count--;
}

bool rogue_pack_list(struct rogue_listing *out)
{
    struct scan *scan = &out->a.scan;
    struct packer *p = ARENA_NEW(out->a.arena, struct packer);
    if (!p)
        return false;
    p->list = (struct rogue_pack_list){.scan = scan, .arena = out->a.arena};
    p->out = out;
    p->place.list = &p->list;
    if (!rogue_pack_read(&p->list))
        return false;
    bool fine = true;
    move_window(p, 0);
    while (fine && p->nwindow && scan->errors < SCAN_MAX_ERRORS && !arena_failed(out->a.arena)) {
        uint64_t done;
        fine = make_group(p, &done) || scan->errors;
        move_window(p, done);
    }
    if (fine)
        fold_end(out);
    return fine && scan->errors == 0 && !arena_failed(out->a.arena);
}
