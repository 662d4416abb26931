/* print.c - groups to text: one line each, in the layout of the published compiler. */
#include "isa/rogue/print.h"
#include "isa/rogue/header.h"
#include "isa/rogue/insn.h"
#include "isa/rogue/ports.h"

#include <stdio.h>

/* ---- units ---- */

/* Units of a used phase that do what they do by default are not written; something of each phase is. */
bool rogue_is_default(const struct rogue_group *g, enum rogue_unit unit)
{
    const struct rogue_insn *insn = rogue_at(g, unit);
    if (unit == ROGUE_SHIFT2 || !insn->row || insn->row->op != rogue_units[unit].plain)
        return false;
    return rogue_variant_of(rogue_table(), insn)->start.w[0] == insn->bits.w[0];
}

static bool is_written(const struct rogue_group *g, enum rogue_unit unit)
{
    if (unit == ROGUE_BITMASK && rogue_is_default(g, ROGUE_SHIFT1) && rogue_is_default(g, ROGUE_COUNT))
        return true;
    return !rogue_is_default(g, unit);
}

/* ---- ports ---- */

/* How many registers a port is printed with: of instructions that show ranges all but the data of textures. */
static unsigned registers_at(const struct rogue_group *g, unsigned port)
{
    const struct rogue_insn *b = rogue_backend_of(g);
    if (!b || !(b->row->traits & ROGUE_SHOWS_RANGES))
        return port == 0 ? g->repeat : 1;
    const struct rogue_access *access = rogue_access_of(b, port);
    if (!access)
        return 1;
    return access->extent == ROGUE_TEXELS        ? (unsigned)rogue_get(b, ROGUE_F_CHAN)
           : access->extent == ROGUE_TIMES_FIELD ? rogue_extent_of(b, access)
                                                 : 1;
}

struct items {
    struct text *t;
    bool some;
};

/* "s0 = ", after a comma if it is not the first. */
static void put_item(struct items *i, const char *name, unsigned n)
{
    if (i->some)
        put_bytes(i->t, ", ", 2);
    put_text(i->t, name);
    put_char(i->t, (char)('0' + n));
    put_bytes(i->t, " = ", 3);
    i->some = true;
}

/* A register and where it is in the text. */
static void put_register(struct text *t, const struct rogue_group *g, unsigned port, unsigned registers,
                         struct rogue_reg_places *places)
{
    struct rogue_reg_place *at = &places->at[places->count++];
    *at = (struct rogue_reg_place){t->p, t->p, (uint8_t)port, (uint8_t)registers};
    rogue_put_any_reg(t, g->reg[port], registers);
    at->end = t->p;
}

/* Sources that are declared or read, then the internal selectors that are not zero or are used. */
static void put_sources(struct text *t, const struct rogue_group *g, struct rogue_reg_places *places)
{
    struct items items = {t, false};
    unsigned read = g->lower ? rogue_reads(g) : 0;
    bool alone = g->alu != ROGUE_MAIN; /* IS0 is */
    const bool shown[ROGUE_SELECTORS] = {g->mux,
                                         g->is1 || rogue_has(g, ROGUE_TST),
                                         g->is2,
                                         g->is3 || rogue_has(g, ROGUE_PCK),
                                         g->is4 || g->destinations & 1,
                                         g->is5 || g->destinations & 2};
    for (unsigned i = 0; i < ROGUE_SOURCES; i++)
        if (g->sources >> i & 1 || (read >> i & 1 && i % 3 == 0)) {
            put_item(&items, "s", i);
            put_register(t, g, i, registers_at(g, i), places);
        }
    for (unsigned n = 0; n < (alone ? 1 : ROGUE_SELECTORS); n++)
        if (shown[n]) {
            put_item(&items, "is", n);
            put_text(t, rogue_selectors[n].words[g->is[n]]);
        }
    if (items.some)
        put_char(t, ' ');
}

static void put_destinations(struct text *t, const struct rogue_group *g, struct rogue_reg_places *places)
{
    struct items items = {t, false};
    for (unsigned i = 0; i < ROGUE_DESTINATIONS; i++)
        if (g->destinations >> i & 1) {
            put_item(&items, "w", i);
            put_register(t, g, ROGUE_SOURCES + i, 1, places);
        }
    if (items.some)
        put_char(t, ' ');
}

/* ---- groups ---- */

static void put_suffix(struct text *t, const char *name, int number)
{
    put_char(t, '.');
    put_text(t, name);
    if (number >= 0)
        put_unsigned(t, (unsigned)number);
}

/* What the text so far would be encoded differently without. */
static void put_encoding(struct text *t, const struct rogue_group *g, int padding)
{
    if (g->header == 3 && !rogue_needs_long_header(g))
        put_suffix(t, "hdr", g->header);
    if (g->asked & 1u << ROGUE_LOWER)
        put_suffix(t, "lo", g->lower);
    if (g->asked & 1u << ROGUE_UPPER)
        put_suffix(t, "up", g->upper);
    if (g->asked & 1u << ROGUE_DESTINATION)
        put_suffix(t, "dst", g->dst);
    if (g->ph0_low)
        put_suffix(t, "ph0", -1);
    if (g->pad != padding)
        put_suffix(t, "pad", g->pad);
}

/* The number of a group and ": ", at least four digits. */
static void put_number(struct text *t, uint32_t number)
{
    enum { ALWAYS = 10000 };
    if (number >= ALWAYS)
        put_unsigned(t, number / ALWAYS);
    for (uint32_t digit = ALWAYS / 10; digit; digit /= 10)
        put_char(t, (char)('0' + number / digit % 10));
    put_bytes(t, ": ", 2);
}

static void put_data(struct text *t, const struct rogue_group *g)
{
    put_text(t, ".data ");
    for (unsigned i = 0; i < g->size; i++) {
        put_char(t, "0123456789abcdef"[g->data[i] >> 4]);
        put_char(t, "0123456789abcdef"[g->data[i] & 15]);
    }
    put_char(t, '\n');
}

static void put_insns(struct text *t, const struct rogue_group *g, const struct rogue_table *table)
{
    enum rogue_unit first = rogue_first_unit(g);
    for (unsigned i = 0; i < ROGUE_SLOTS && first + i < ROGUE_UNITS; i++)
        if (g->insn[i].row && (g->alu != ROGUE_BITWISE || is_written(g, first + i)))
            rogue_put_insn(t, table, g, first + i);
}

static void put_group(struct text *t, const struct rogue_group *g, int padding, const struct rogue_table *table,
                      struct rogue_reg_places *places)
{
    static const char *const conditions[] = {"", "if(p0) ", "(ignorepe) ", "if(!p0) "};
    places->count = 0;
    if (g->data) {
        put_data(t, g);
        return;
    }
    put_text(t, conditions[g->cc]);
    put_bytes(t, "{ ", 2);
    if (g->repeat > 1) {
        put_text(t, "repeat ");
        put_unsigned(t, g->repeat);
        put_char(t, ' ');
    }
    put_sources(t, g, places);
    put_insns(t, g, table);
    put_destinations(t, g, places);
    put_char(t, '}');
    if (g->olchk)
        put_suffix(t, "olchk", -1);
    if (g->atom)
        put_suffix(t, "atom", -1);
    if (g->end)
        put_suffix(t, "end", -1);
    put_encoding(t, g, padding);
    put_char(t, '\n');
}

/* ---- labels ---- */

/* By group, and one more for the end: does a branch go there? NULL: no labels are asked for. */
static bool *find_targets(const struct isa_module *m, struct arena *arena)
{
    bool *targets = ARENA_ARRAY(arena, bool, (size_t)m->ngroups + 1);
    for (uint32_t i = 0; targets && i < m->ngroups; i++) {
        uint32_t target = rogue_branch_of(&m->groups[i]) ? rogue_target_of(m, &m->groups[i]) : UINT32_MAX;
        if (target <= m->ngroups)
            targets[target] = true;
    }
    return targets;
}

static void put_label(struct text *t, uint32_t group)
{
    put_char(t, 'L');
    put_unsigned(t, group);
}

/* The number before the last semicolon of the group's text becomes a name. */
static void name_target(struct text *t, const char *name)
{
    enum { TAIL = 64 };
    char tail[TAIL], *semicolon = t->p, *number;
    while (*--semicolon != ';')
        ;
    for (number = semicolon; number[-1] != ' ';)
        number--;
    size_t length = (size_t)(t->p - semicolon);
    if (length > TAIL)
        return;
    memcpy(tail, semicolon, length);
    t->p = number;
    put_text(t, name);
    put_bytes(t, tail, length);
}

void rogue_put_group(struct text *t, const struct rogue_group *g, int padding, const char *name)
{
    struct rogue_reg_places places;
    put_group(t, g, padding, rogue_table(), &places);
    if (name)
        name_target(t, name);
    t->p--;
}

/* What is written of the groups, and what is known of it. */
struct printer {
    struct text text;
    const struct rogue_table *table;
    struct rogue_group_text *groups;
    const struct rogue_reg_texts *names; /* for groups */
    const bool *targets;                 /* groups that get labels; NULL: none do */
};

/* Padding depends on the place only of the last two groups. */
static void print_group(struct printer *p, const struct isa_module *m, uint32_t i)
{
    enum { LAST = 2 };
    const struct rogue_group *g = &m->groups[i];
    struct rogue_group plain;
    struct rogue_group_text *keep = NULL;
    struct rogue_reg_places places;
    if (m->where && !g->data) { /* what was declared for nothing is not shown: the text is that of the bytes */
        plain = *g;
        rogue_normalise(&plain);
        g = &plain;
    }
    bool last = i + LAST >= m->ngroups, named = p->targets && rogue_branch_of(g);
    if (!last && !named && rogue_put_again(&p->text, p->names, g, p->groups, &keep))
        return;
    const char *begin = p->text.p;
    put_group(&p->text, g, last ? rogue_padding(m, i) : 0, p->table, &places);
    if (keep)
        rogue_keep_text(keep, &p->text, begin, &places);
    if (named && rogue_target_of(m, g) <= m->ngroups) {
        char label[16];
        snprintf(label, sizeof label, "L%u", rogue_target_of(m, g));
        name_target(&p->text, label);
    }
}

weft_status rogue_print(const struct isa_module *m, struct arena *arena, char **text, size_t *size,
                        struct isa_places *places)
{
    enum { EXPECTED = 100 };
    struct printer p = {.table = rogue_table(), .groups = rogue_group_texts(m, arena)};
    p.names = p.groups ? rogue_reg_texts() : NULL;
    p.targets = m->labels && m->ngroups ? find_targets(m, arena) : NULL;
    if (m->labels && m->ngroups && !p.targets)
        return WEFT_ERROR_MEMORY;
    struct isa_place *place = places ? ARENA_ARRAY(arena, struct isa_place, m->ngroups + 1) : NULL;
    if ((places && !place) || !text_start(&p.text, arena, (size_t)m->ngroups * EXPECTED))
        return WEFT_ERROR_MEMORY;
    for (uint32_t i = 0; i < m->ngroups; i++) {
        if (!text_room(&p.text))
            return WEFT_ERROR_MEMORY;
        if (p.targets && p.targets[i]) {
            put_label(&p.text, i);
            put_bytes(&p.text, ":\n", 2);
        }
        if (place)
            place[i] = (struct isa_place){m->base + m->groups[i].offset, m->groups[i].offset, m->groups[i].size,
                                          (uint32_t)text_length(&p.text)};
        put_number(&p.text, i);
        print_group(&p, m, i);
    }
    if (p.targets && p.targets[m->ngroups]) {
        put_label(&p.text, m->ngroups);
        put_bytes(&p.text, ":\n", 2);
    }
    text_end(&p.text);
    *text = p.text.begin;
    *size = text_length(&p.text);
    if (places)
        *places = (struct isa_places){place, m->ngroups};
    return WEFT_OK;
}
