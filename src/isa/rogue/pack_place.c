/* pack_place.c - bundles to one group: which way each is written, which phase and which destination its results take.
 * All of chapter 3's rules are those of the assembler and of the checker: a choice is made, assembled and looked at. */
#include "isa/rogue/pack.h"

#include <stdio.h>
#include <string.h>

enum { MOST = ROGUE_PACK_MEMBERS * ROGUE_PACK_PARTS };

/* A part and the unit that it has been given. */
struct placed {
    const struct rogue_pack_part *part;
    uint8_t member, number, unit;
};

struct choice {
    struct rogue_pack_place *p;
    const struct rogue_pack_member *members;
    unsigned count;
    const struct rogue_pack_way *way[ROGUE_PACK_MEMBERS];
    struct placed placed[MOST];
    unsigned nplaced;
    unsigned taken; /* bit per unit */
};

static bool trouble(struct choice *c, const struct rogue_trouble *t)
{
    if (!c->p->troubled)
        c->p->trouble = *t;
    c->p->troubled = true;
    return false;
}

static bool mismatch(struct choice *c, const struct rogue_mismatch *m)
{
    struct rogue_trouble t = {.code = m->code, .where = m->where};
    const char *text = m->message || m->expected ? rogue_mismatch_text(c->p->list->arena, m) : NULL;
    snprintf(t.message, sizeof t.message, "%s", text ? text : "the instructions do not fit one group");
    return trouble(c, &t);
}

/* ---- feedthroughs ---- */

/* The feedthrough of the part that gives a member's register its value; -1: none does. */
static int ft_of_part(const struct choice *c, unsigned member, uint64_t number)
{
    for (unsigned i = 0; i < c->nplaced; i++)
        if (c->placed[i].member == member && c->placed[i].number == number)
            return c->placed[i].unit <= ROGUE_PCK ? rogue_units[c->placed[i].unit].ft : -1;
    return -1;
}

static int ft_of_value(const struct choice *c, const struct rogue_raw *raw)
{
    for (unsigned m = 0; m < c->count; m++) {
        if (c->members[m].bundle != raw->number)
            continue;
        for (unsigned i = 0; i < c->way[m]->ndeclared; i++) {
            const struct rogue_raw *to = &c->way[m]->declared[i]->operands[0],
                                   *from = &c->way[m]->declared[i]->operands[1];
            if (to->reg.bank != raw->reg.bank || to->reg.index != raw->reg.index || from->kind != ROGUE_RAW_FT)
                continue;
            return from->n == ROGUE_PACK_PART ? ft_of_part(c, m, from->number) : from->n == 2 ? 2 : -1;
        }
    }
    return -1;
}

/* The statement as it is in the group. False when a link leads to nothing that can be selected. */
static bool resolve(const struct choice *c, unsigned member, const struct rogue_statement *st,
                    struct rogue_statement *out)
{
    memcpy(out, st, offsetof(struct rogue_statement, operands) + st->noperands * sizeof st->operands[0]);
    for (unsigned i = 0; i < st->noperands; i++) {
        struct rogue_raw *raw = &out->operands[i];
        if (raw->kind != ROGUE_RAW_FT || raw->n < ROGUE_PACK_PART)
            continue;
        int ft = raw->n == ROGUE_PACK_PART ? ft_of_part(c, member, raw->number) : ft_of_value(c, raw);
        if (ft < 0)
            return false;
        rogue_pack_set_feedthrough(raw, (unsigned)ft);
    }
    return true;
}

/* ---- one choice ---- */

static bool add_parts(struct choice *c)
{
    struct rogue_statement st;
    struct rogue_draft d;
    struct rogue_mismatch wrong;
    struct rogue_trouble t;
    for (unsigned unit = 0; unit < ROGUE_UNITS; unit++)
        for (unsigned i = 0; i < c->nplaced; i++) {
            const struct placed *at = &c->placed[i];
            if (at->unit != unit)
                continue;
            if (!resolve(c, at->member, at->part->st, &st))
                return false;
            st.units = (uint16_t)(1u << unit);
            if (unit <= ROGUE_P1 && st.noperands && st.operands[0].kind == ROGUE_RAW_FT)
                rogue_pack_set_feedthrough(&st.operands[0], unit == ROGUE_P1);
            if (!rogue_match(&st, &d, &wrong))
                return mismatch(c, &wrong);
            d.text = rogue_text_of(&st);
            if (!rogue_add(&c->p->pending, &d, &t))
                return trouble(c, &t);
        }
    return true;
}

/* In a bitwise group FT3 drives W1 and the last phase W0, which also hands on what the phase before it drives if it is
 * there by default. -1: the value drives nothing. */
static int bitwise_destination(const struct choice *c, unsigned ft)
{
    enum { FT_COUNT = 3 };
    unsigned above = ft == 5 ? 0 : ft == 4 ? 1u << ROGUE_SHIFT2 : 1u << ROGUE_SHIFT2 | 1u << ROGUE_LOGICAL;
    if (ft == FT_COUNT)
        return 1;
    return ft == 0 || ft == 2 || ft == ROGUE_RAW_FTE || c->taken & above ? -1 : 0;
}

/* Destinations in turn, from W0 or from W1 on. */
static bool add_destinations(struct choice *c, unsigned first)
{
    static const struct rogue_trouble none = {.code = "bad-operand",
                                              .message = "this feedthrough drives no destination here"};
    struct rogue_statement st;
    struct rogue_trouble t;
    bool bitwise = c->p->pending.alu_known && c->p->pending.g.alu == ROGUE_BITWISE;
    for (unsigned m = 0; m < c->count; m++)
        for (unsigned i = 0; i < c->way[m]->ndeclared; i++) {
            if (!resolve(c, m, c->way[m]->declared[i], &st))
                return false;
            bool result = st.operands[1].kind == ROGUE_RAW_FT; /* only the main ALU routes a register past its phases */
            int n = !bitwise ? (int)first : result ? bitwise_destination(c, st.operands[1].n) : -1;
            first ^= 1;
            if (n < 0) {
                t = none;
                t.where = st.operands[1].text;
                return trouble(c, &t);
            }
            if (!rogue_declare_as(&c->p->pending, (unsigned)n, &st, &t))
                return trouble(c, &t);
        }
    return true;
}

/* Is the group one that the checker lets pass? Branches go to labels that have no place yet. */
static bool is_legal(struct choice *c)
{
    struct isa_module m = {.groups = &c->p->pending.g, .ngroups = 1};
    struct isa_params params = {.stage = -1};
    if (c->p->pending.g.alu == ROGUE_CONTROL || rogue_check(&m, NULL, &params, NULL) == WEFT_OK)
        return true;
    struct rogue_trouble t = {.code = "does-not-fit",
                              .where = c->p->list->bundles[c->members[0].bundle].text,
                              .message = "the instructions do not fit one group"};
    weft_diags *diags = c->p->troubled ? NULL : weft_diags_new();
    if (diags && rogue_check(&m, NULL, &params, diags) != WEFT_OK) { /* what it says, for people */
        for (size_t i = 0; i < weft_diags_count(diags); i++)
            if (weft_diags_get(diags, i)->severity == WEFT_ERROR)
                snprintf(t.message, sizeof t.message, "%s", weft_diags_get(diags, i)->message);
        weft_diags_free(diags);
    }
    return trouble(c, &t);
}

static bool assemble(struct choice *c, unsigned first)
{
    struct rogue_pending *p = &c->p->pending;
    struct rogue_trouble t = {.where = c->p->list->bundles[c->members[0].bundle].text, .code = "does-not-fit"};
    const struct rogue_pack_bundle *b = &c->p->list->bundles[c->members[0].bundle];
    rogue_start_pending(p);
    p->g.cc = b->cc;
    p->g.repeat = b->repeat;
    if (!add_parts(c) || !add_destinations(c, first))
        return false;
    if (p->ndrafts == 0 || !p->alu_known) {
        snprintf(t.message, sizeof t.message, "a group that only routes has no instruction");
        return trouble(c, &t);
    }
    if (!rogue_complete(p, &t))
        return trouble(c, &t);
    const char *why = rogue_fit(&p->g);
    snprintf(t.message, sizeof t.message, "%s", why ? why : "");
    return why ? trouble(c, &t) : is_legal(c);
}

/* ---- choices ---- */

static bool choose_way(struct choice *c, unsigned member);

static bool is_taken(struct choice *c, const struct rogue_pack_part *part)
{
    struct rogue_trouble t = {.code = "phase-taken",
                              .where = {part->st->name.p, (uint32_t)(part->st->end - part->st->name.p)}};
    if (part->units & ~c->taken)
        return false;
    if (c->p->troubled)
        return true;
    for (unsigned i = 0; i < c->nplaced; i++)
        if (part->units >> c->placed[i].unit & 1) {
            const struct rogue_statement *by = c->placed[i].part->st;
            snprintf(t.message, sizeof t.message, "%s is taken by '%.*s'", rogue_units[c->placed[i].unit].name,
                     ROGUE_WORD(rogue_text_of(by)));
        }
    trouble(c, &t);
    return true;
}

static bool choose_units(struct choice *c, unsigned member, unsigned number)
{
    const struct rogue_pack_way *w = c->way[member];
    if (number == w->nparts)
        return choose_way(c, member + 1);
    const struct rogue_pack_part *part = &w->parts[number];
    if (is_taken(c, part) || c->nplaced >= MOST)
        return false;
    for (unsigned unit = 0; unit < ROGUE_UNITS; unit++) {
        if (!(part->units & ~c->taken & 1u << unit))
            continue;
        c->placed[c->nplaced++] = (struct placed){part, (uint8_t)member, (uint8_t)number, (uint8_t)unit};
        c->taken |= 1u << unit;
        if (choose_units(c, member, number + 1))
            return true;
        c->taken &= ~(1u << unit);
        c->nplaced--;
    }
    return false;
}

static bool choose_way(struct choice *c, unsigned member)
{
    if (member == c->count)
        return assemble(c, 0) || assemble(c, 1);
    const struct rogue_pack_bundle *b = &c->p->list->bundles[c->members[member].bundle];
    const struct rogue_pack_way *only = c->members[member].forwarded;
    for (unsigned i = 0; i < (only ? 1u : b->nways); i++) {
        c->way[member] = only ? only : &b->ways[i];
        if (choose_units(c, member, 0))
            return true;
    }
    return false;
}

bool rogue_pack_place(struct rogue_pack_place *p, const struct rogue_pack_member *members, unsigned count, bool explain)
{
    struct choice c;
    c.p = p;
    c.members = members;
    c.count = count;
    c.nplaced = c.taken = 0;
    p->troubled = !explain;
    if (choose_way(&c, 0))
        return true;
    /* nothing was tried when a part takes what another one cannot hand on */
    struct rogue_trouble t = {.code = "does-not-fit",
                              .where = p->list->bundles[members[0].bundle].text,
                              .message = "the parts of this instruction do not fit one group"};
    return trouble(&c, &t);
}
