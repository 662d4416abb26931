/* parse_listing.c - the groups of a text as they come, with its labels and the branches that go to them. */
#include "isa/rogue/parse.h"

#include <stdlib.h>
#include <string.h>

/* Groups and their places grow to many megabytes. False without memory. */
static bool make_room(struct rogue_listing *l)
{
    enum { FIRST = 16 };
    size_t most = l->groups_cap ? 2 * l->groups_cap : FIRST;
    struct rogue_group *groups = arena_block(l->arena, l->groups, most * sizeof *groups);
    if (!groups)
        return false;
    l->groups = groups;
    struct span *spans = arena_block(l->arena, l->where, most * sizeof *spans);
    if (!spans)
        return false;
    l->where = spans;
    l->groups_cap = most;
    return true;
}

bool rogue_list_group(struct rogue_listing *l, const struct rogue_group *g, struct span where)
{
    if (l->ngroups >= l->groups_cap && !make_room(l))
        return false;
    l->groups[l->ngroups] = *g;
    l->where[l->ngroups++] = where;
    return true;
}

static bool add_label(struct rogue_listing *l, struct rogue_label **list, size_t *count, size_t *cap,
                      struct rogue_word name)
{
    struct rogue_label *grown = arena_grow(l->arena, *list, sizeof *grown, *count, cap, *count + 1);
    if (!grown)
        return false;
    *list = grown;
    (*list)[(*count)++] = (struct rogue_label){name.p, name.length, (uint32_t)l->ngroups};
    return true;
}

bool rogue_list_label(struct rogue_listing *l, struct rogue_word name)
{
    return add_label(l, &l->labels, &l->nlabels, &l->labels_cap, name);
}

bool rogue_list_pending(struct rogue_listing *l, const struct rogue_pending *p, struct span where)
{
    struct rogue_word label = {p->label, p->label_length};
    return (!p->label || add_label(l, &l->branches, &l->nbranches, &l->branches_cap, label)) &&
           rogue_list_group(l, &p->g, where);
}

/* ---- labels ---- */

static int by_name(const void *a, const void *b)
{
    const struct rogue_label *x = a, *y = b;
    uint32_t n = x->length < y->length ? x->length : y->length;
    int order = memcmp(x->name, y->name, n);
    return order ? order : (x->length > y->length) - (x->length < y->length);
}

static struct span place(const struct scan *s, const struct rogue_label *l)
{
    return rogue_span(s, (struct rogue_word){l->name, l->length});
}

/* Relative ones count from the start of the branch's own group. */
static void resolve(const struct isa_module *m, const struct rogue_label *branch, const struct rogue_label *label)
{
    struct rogue_group *g = &m->groups[branch->group];
    struct rogue_insn *insn = &g->insn[0];
    const struct rogue_variant *v = rogue_variant_of(rogue_table(), insn);
    uint64_t end = m->ngroups ? m->groups[m->ngroups - 1].offset + m->groups[m->ngroups - 1].size : 0;
    uint64_t target = label->group < m->ngroups ? m->groups[label->group].offset : end;
    target = rogue_get(insn, ROGUE_F_ABS) ? m->base + target : target - g->offset;
    rogue_set(v, &insn->bits, ROGUE_F_OFFSET, target >> 1 & 0x7FFFFFFF);
}

void rogue_resolve_labels(struct rogue_listing *l, struct scan *s, struct isa_module *m)
{
    if (l->nlabels)
        qsort(l->labels, l->nlabels, sizeof *l->labels, by_name);
    for (size_t i = 1; i < l->nlabels; i++)
        if (by_name(&l->labels[i - 1], &l->labels[i]) == 0)
            scan_error(s, place(s, &l->labels[i]), "duplicate-label", NULL, "label '%.*s' is defined twice",
                       (int)l->labels[i].length, l->labels[i].name);
    for (size_t i = 0; i < l->nbranches; i++) {
        const struct rogue_label *b = &l->branches[i];
        const struct rogue_label *to = l->nlabels ? bsearch(b, l->labels, l->nlabels, sizeof *to, by_name) : NULL;
        if (to)
            resolve(m, b, to);
        else
            scan_error(s, place(s, b), "unknown-label", NULL, "no label '%.*s'", (int)b->length, b->name);
    }
}
