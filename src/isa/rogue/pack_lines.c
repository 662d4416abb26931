/* pack_lines.c - the lines of a list, and which of them have to be one group. */
#include "isa/rogue/pack.h"

#include <string.h>

/* What a feedthrough holds at a line: the result of a part of a bundle. */
enum { FTE = ROGUE_RAW_FTE, FTT, CARRY, VALUES };
struct value {
    uint32_t bundle;
    int16_t part; /* -1: nothing drives it */
};

/* A line that has become a part or a destination of a bundle. */
struct line {
    uint32_t bundle;
    struct rogue_word text;
    struct rogue_pack_effects effects;
};

struct reader {
    struct rogue_pack_list *list;
    struct scan *scan;
    struct value values[VALUES];
    struct line *lines; /* since the last barrier */
    size_t nlines, lines_cap;
    struct rogue_statement statement;
    bool asked[2];    /* by fence: something has been asked for since the last wait, */
    bool far[2];      /* maybe before a label or a control operation */
    size_t waited[2]; /* lines before the last wait */
    uint8_t cc, repeat;
};

static bool error_at(struct reader *r, struct rogue_word where, const char *code, const char *fmt,
                     struct rogue_word what)
{
    return scan_error(r->scan, rogue_span(r->scan, where), code, NULL, fmt, ROGUE_WORD(what));
}

/* ---- bundles ---- */

static struct rogue_pack_bundle *new_bundle(struct reader *r, struct rogue_word text)
{
    struct rogue_pack_list *l = r->list;
    struct rogue_pack_bundle *grown = arena_grow(l->arena, l->bundles, sizeof *grown, l->count, &l->cap, l->count + 1);
    if (!grown)
        return NULL;
    l->bundles = grown;
    struct rogue_pack_bundle *b = &l->bundles[l->count++];
    *b = (struct rogue_pack_bundle){
        .cc = r->cc, .repeat = r->repeat, .alone = r->repeat > 1, .text = text, .first_line = r->nlines};
    return b;
}

static struct line *new_line(struct reader *r, uint32_t bundle, struct rogue_word text)
{
    struct line *grown = arena_grow(r->list->arena, r->lines, sizeof *grown, r->nlines, &r->lines_cap, r->nlines + 1);
    if (!grown)
        return NULL;
    r->lines = grown;
    struct line *line = &r->lines[r->nlines++];
    *line = (struct line){.bundle = bundle, .text = text};
    return line;
}

/* Nothing is handed over a label or a control operation. */
static void forget(struct reader *r)
{
    r->nlines = r->waited[0] = r->waited[1] = 0;
    for (int i = 0; i < VALUES; i++)
        r->values[i].part = -1;
}

/* ---- joining ---- */

/* Links of a way's parts count from its first part. */
static void move_links(struct rogue_statement *st, int by)
{
    for (unsigned i = 0; i < st->noperands; i++)
        if (st->operands[i].kind == ROGUE_RAW_FT && st->operands[i].n == ROGUE_PACK_PART)
            st->operands[i].number = (uint64_t)((int64_t)st->operands[i].number + by);
}

static void move_all_links(struct rogue_pack_way *w, int by)
{
    for (unsigned i = 0; i < w->nparts; i++)
        move_links(w->parts[i].st, by);
    for (unsigned i = 0; i < w->ndeclared; i++)
        move_links(w->declared[i], by);
}

/* Everything of bundle `from` becomes part of `to`, as its first way has it. */
static bool join(struct reader *r, uint32_t to, uint32_t from, struct rogue_word where)
{
    struct rogue_pack_bundle *b = &r->list->bundles[to], *other = &r->list->bundles[from];
    struct rogue_pack_way *w = &b->ways[0], *more = &other->ways[0];
    if (b->cc != other->cc || b->repeat != other->repeat)
        return error_at(r, where, "condition", "'%.*s' has to be in a group with a line of another condition", where);
    if (w->nparts + more->nparts > ROGUE_PACK_PARTS || w->ndeclared + more->ndeclared > ROGUE_PACK_DECLARED)
        return error_at(r, where, "phase-taken", "'%.*s' has to be in a group that has no room left", where);
    move_all_links(more, w->nparts);
    memcpy(&w->parts[w->nparts], more->parts, more->nparts * sizeof *more->parts);
    memcpy(&w->declared[w->ndeclared], more->declared, more->ndeclared * sizeof *more->declared);
    w->ndeclared = (uint8_t)(w->ndeclared + more->ndeclared);
    for (int i = 0; i < VALUES; i++)
        if (r->values[i].part >= 0 && r->values[i].bundle == from)
            r->values[i] = (struct value){to, (int16_t)(r->values[i].part + w->nparts)};
    for (size_t i = other->first_line; i < r->nlines; i++)
        if (r->lines[i].bundle == from)
            r->lines[i].bundle = to;
    b->first_line = b->first_line < other->first_line ? b->first_line : other->first_line;
    w->nparts = (uint8_t)(w->nparts + more->nparts);
    b->nways = 1;
    b->alone |= other->alone;
    other->empty = true;
    return rogue_pack_add_effects(&b->effects, r->list->arena, &other->effects);
}

/* The bundle of a line that uses a feedthrough; the one of lowest number when it uses several. */
static bool join_users(struct reader *r, const struct rogue_statement *st, const uint8_t *used, unsigned count,
                       int64_t *bundle)
{
    static const char *const names[VALUES] = {"ft0", "ft1", "ft2", "ft3", "ft4", "ft5", "fte", "ftt", "the carry"};
    for (unsigned i = 0; i < count; i++) {
        const struct value *v = &r->values[used[i]];
        if (v->part < 0)
            return scan_error(r->scan, rogue_span(r->scan, rogue_text_of(st)), "feed-missing", NULL,
                              "'%.*s' uses %s, which no instruction before it drives", ROGUE_WORD(rogue_text_of(st)),
                              names[used[i]]);
        uint32_t b = v->bundle;
        if (*bundle >= 0 && b != (uint32_t)*bundle) {
            uint32_t low = b < (uint32_t)*bundle ? b : (uint32_t)*bundle,
                     high = b < (uint32_t)*bundle ? (uint32_t)*bundle : b;
            if (!join(r, low, high, rogue_text_of(st)))
                return false;
            b = low;
        }
        *bundle = b;
    }
    return true;
}

/* The first line of another bundle between the first line of this one and `last` that `last` may not come before;
 * nlines: none. */
static size_t find_between(const struct reader *r, uint32_t bundle, size_t first, size_t last)
{
    for (size_t i = first; i < last; i++)
        if (r->lines[i].bundle != bundle &&
            rogue_pack_order(&r->lines[i].effects, &r->lines[last].effects) != ROGUE_PACK_FREE)
            return i;
    return r->nlines;
}

/* A bundle takes the place of its first line. Lines before a later one of its lines that have to stay there are of
 * the same group. One round; *joined when there was such a line. */
static bool join_between(struct reader *r, uint32_t *bundle, bool *joined)
{
    size_t first = r->list->bundles[*bundle].first_line;
    *joined = false;
    for (size_t i = first; i < r->nlines && !*joined; i++) {
        size_t other = r->lines[i].bundle == *bundle ? find_between(r, *bundle, first, i) : r->nlines;
        if (other == r->nlines)
            continue;
        uint32_t a = r->lines[other].bundle, low = a < *bundle ? a : *bundle;
        if (!join(r, low, a < *bundle ? *bundle : a, r->lines[i].text))
            return false;
        *bundle = low;
        *joined = true;
    }
    return true;
}

/* In a group nothing is read that the group writes. */
static bool check_group(struct reader *r, uint32_t bundle)
{
    size_t start = r->list->bundles[bundle].first_line;
    for (size_t k = start; k < r->nlines; k++)
        for (size_t i = start; r->lines[k].bundle == bundle && i < k; i++) {
            const struct line *first = &r->lines[i], *second = &r->lines[k];
            if (first->bundle == bundle && rogue_pack_order(&first->effects, &second->effects) == ROGUE_PACK_LATER)
                return scan_error(
                    r->scan, rogue_span(r->scan, second->text), "group-order", NULL,
                    "'%.*s' has to come after '%.*s', and is of the same group, which reads before it writes",
                    ROGUE_WORD(second->text), ROGUE_WORD(first->text));
        }
    return true;
}

static bool keep_order(struct reader *r, uint32_t bundle)
{
    bool joined = true;
    while (joined)
        if (!join_between(r, &bundle, &joined))
            return false;
    return check_group(r, bundle);
}

/* ---- feedthroughs of a line ---- */

static bool is_declaration(const struct rogue_statement *st)
{
    const struct rogue_raw *from = rogue_moved(st);
    return from && from->kind == ROGUE_RAW_FT;
}

static bool has_trait(const struct rogue_pack_part *part, uint64_t trait)
{
    return rogue_rows()[part->op].traits & trait;
}

/* Is operand i a result of the line itself? */
static bool is_result(const struct rogue_pack_part *part, unsigned i)
{
    const struct rogue_template *t = &rogue_table()->templates[part->op];
    bool move = part->units == 1u << ROGUE_MOV;
    if (part->units >> ROGUE_BACKEND & 1)
        return false;
    if (part->units >> ROGUE_BITMASK & 1 || has_trait(part, ROGUE_GIVES_FT0))
        return i < 2;
    if (move)
        return i == 0;
    return i == 0 || (i == 1 && has_trait(part, ROGUE_LARGE)) ||
           (i < t->noperands && t->operands[i].kind == ROGUE_ON_W);
}

static bool is_word(const struct rogue_raw *raw, const char *word)
{
    return raw->kind == ROGUE_RAW_WORD && rogue_word_is(raw->text, word);
}

/* Values that a part uses, as indices of reader.values. */
static unsigned used_by(const struct rogue_pack_part *part, uint8_t *used)
{
    unsigned n = 0;
    for (unsigned i = 0; i < part->st->noperands; i++) {
        const struct rogue_raw *raw = &part->st->operands[i];
        if (raw->kind == ROGUE_RAW_FT && raw->n <= FTE && !is_result(part, i))
            used[n++] = raw->n;
        else if (is_word(raw, "ftt") && part->units == 1u << ROGUE_MOV)
            used[n++] = FTT;
    }
    if (has_trait(part, ROGUE_TESTS_CARRY))
        used[n++] = CARRY;
    return n;
}

/* Feedthroughs of the main ALU that name phases 0 and 1 are links, because packing chooses the phase. */
static void link_values(const struct reader *r, struct rogue_statement *st, const struct rogue_pack_part *part)
{
    for (unsigned i = 0; i < st->noperands; i++) {
        struct rogue_raw *raw = &st->operands[i];
        bool use = raw->kind == ROGUE_RAW_FT && raw->n < 2 && (!part || !is_result(part, i));
        if (!use || r->values[raw->n].part < 0)
            continue;
        const struct rogue_pack_way *w = &r->list->bundles[r->values[raw->n].bundle].ways[0];
        if (!(w->parts[r->values[raw->n].part].units & (1 << ROGUE_P0 | 1 << ROGUE_P1)))
            continue;
        raw->number = (uint64_t)r->values[raw->n].part;
        raw->n = ROGUE_PACK_PART;
    }
}

static void drive(struct reader *r, const struct rogue_pack_part *part, uint32_t bundle, unsigned number)
{
    struct value v = {bundle, (int16_t)number};
    const struct rogue_raw *to = &part->st->operands[0];
    unsigned unit = (unsigned)__builtin_ctz(part->units);
    int n = unit <= ROGUE_P1 && to->kind == ROGUE_RAW_FT ? to->n & 1 : unit == ROGUE_TST ? FTT : rogue_units[unit].ft;
    if (n >= 0)
        r->values[n] = v;
    if (unit == ROGUE_BITMASK)
        r->values[1] = v;
    if (has_trait(part, ROGUE_GIVES_FT0)) /* FT0 is the low word, FT2 the high one */
        r->values[0] = v;
    if (has_trait(part, ROGUE_LARGE))
        r->values[FTE] = v;
    if (has_trait(part, ROGUE_INTEGERS))
        r->values[CARRY] = v;
}

/* ---- fences ---- */

/* Does the line ask for something (or, with `waits`, wait) by this fence? */
static bool is_of_fence(const struct rogue_pack_effects *e, unsigned fence, bool waits)
{
    for (size_t i = 0; i < e->count; i++)
        if (e->spans[i].space == ROGUE_PACK_FENCE && e->spans[i].first == fence && e->spans[i].writes == waits)
            return true;
    return false;
}

/* What was asked for lands at the wait. Where requests from before a label or a control operation may be on their way,
 * anything may land. */
static bool add_landing(struct reader *r, struct rogue_pack_effects *wait)
{
    unsigned fence = wait->spans[0].first & 1;
    for (size_t i = r->waited[fence]; i < r->nlines; i++) {
        const struct rogue_pack_effects *e = &r->lines[i].effects;
        for (size_t k = 0; is_of_fence(e, fence, false) && k < e->count; k++)
            if (e->spans[k].writes) {
                struct rogue_pack_effects one = {.count = 1, .spans = (struct rogue_pack_span *)&e->spans[k]};
                if (!rogue_pack_add_effects(wait, r->list->arena, &one))
                    return false;
            }
    }
    r->waited[fence] = r->nlines;
    wait->barrier |= r->far[fence];
    return true;
}

/* Which requests are on their way after a line. */
static void note_fences(struct reader *r, const struct rogue_pack_part *part, const struct rogue_pack_effects *e)
{
    bool wait = part && part->units >> ROGUE_CTRL & 1 && rogue_first_form(part->op)->misc == ROGUE_MISC_DRC;
    for (unsigned fence = 0; fence < 2; fence++) {
        if (wait && is_of_fence(e, fence, true))
            r->asked[fence] = r->far[fence] = false;
        else if (!wait)
            r->asked[fence] |= is_of_fence(e, fence, false);
        if (e->barrier && !wait) /* control operations that iterate ask too */
            r->far[fence] |= r->asked[fence] || (part && part->units >> ROGUE_CTRL & 1 && has_trait(part, ROGUE_ASKS));
    }
}

/* ---- lines ---- */

/* FTE is the high word of what these integers make, and no register that another line could route; FT0 of CONVERTTOF64
 * is not that of phase 0. */
static bool has_high_word(const struct rogue_pack_part *part)
{
    return has_trait(part, ROGUE_GIVES_FTE | ROGUE_GIVES_FT0);
}

/* Complex operations and sums of products take the whole main ALU; shifts by FT0 or FT3 would get those of others; a
 * control operation has no units beside it. */
static bool is_alone(const struct rogue_pack_part *part)
{
    const struct rogue_row *row = &rogue_rows()[part->op];
    bool shifts_by = has_trait(part, ROGUE_READS_FT0 | ROGUE_READS_FT3);
    return (part->units >> ROGUE_P0 & 1 && rogue_takes_alu(row)) || has_high_word(part) || shifts_by ||
           part->units >> ROGUE_CTRL & 1;
}

/* An instruction that is a bundle by itself so far. */
static bool add_bundle(struct reader *r, const struct rogue_pack_way *ways, unsigned nways,
                       const struct rogue_pack_effects *effects, struct rogue_word text)
{
    struct rogue_pack_bundle *b = new_bundle(r, text);
    if (!b)
        return false;
    b->nways = (uint8_t)nways;
    b->ways = ARENA_ARRAY(r->list->arena, struct rogue_pack_way, nways);
    if (!b->ways || !rogue_pack_add_effects(&b->effects, r->list->arena, effects))
        return false;
    memcpy(b->ways, ways, nways * sizeof *ways);
    for (unsigned i = 0; i < ways->nparts; i++)
        b->alone |= is_alone(&ways->parts[i]);
    return true;
}

/* Feedthroughs in the text are whatever phase they come from: where they do not fit as they stand, the other way round
 * does. */
static void swap_phases(struct rogue_statement *st)
{
    for (unsigned i = 0; i < st->noperands; i++)
        if (st->operands[i].kind == ROGUE_RAW_FT && st->operands[i].n < 2)
            rogue_pack_set_feedthrough(&st->operands[i], st->operands[i].n ^ 1u);
}

/* What all parts and destinations of a way do. */
static bool add_way_effects(struct reader *r, const struct rogue_pack_way *way, struct rogue_pack_effects *e)
{
    struct arena *arena = r->list->arena;
    struct rogue_mismatch wrong;
    struct rogue_draft d;
    for (unsigned i = 0; i < way->nparts; i++) {
        struct rogue_statement *st = rogue_pack_copy(arena, way->parts[i].st, way->parts[i].st->noperands);
        for (unsigned k = 0; st && k < st->noperands; k++) /* any feedthrough does here */
            if (st->operands[k].kind == ROGUE_RAW_FT && st->operands[k].n == ROGUE_PACK_PART)
                rogue_pack_set_feedthrough(&st->operands[k], (unsigned)st->operands[k].number);
        bool fine = st && rogue_match(st, &d, &wrong);
        if (st && !fine) {
            swap_phases(st);
            fine = rogue_match(st, &d, &wrong);
        }
        if (!fine || !rogue_pack_add_insn(e, arena, &d, r->repeat))
            return false;
    }
    for (unsigned i = 0; i < way->ndeclared; i++) {
        const struct rogue_raw *to = &way->declared[i]->operands[0], *from = &way->declared[i]->operands[1];
        if (!rogue_pack_add_reg(e, arena, to->reg, r->repeat, true) ||
            (from->kind == ROGUE_RAW_REG && !rogue_pack_add_reg(e, arena, from->reg, r->repeat, false)))
            return false;
    }
    return true;
}

/* The line's ways become a bundle or join one. */
static bool place_line(struct reader *r, const struct rogue_pack_way *ways, unsigned nways, const uint8_t *used,
                       unsigned nused, struct rogue_word text)
{
    struct rogue_pack_effects effects = {0};
    int64_t to = -1;
    if (!add_way_effects(r, ways, &effects) || !join_users(r, &r->statement, used, nused, &to))
        return false;
    if (to < 0 && !rogue_pack_add_condition(&effects, r->list->arena, r->cc)) /* once for a group */
        return false;
    struct rogue_pack_way own[ROGUE_PACK_WAYS];
    memcpy(own, ways, nways * sizeof *own);
    for (unsigned i = 0; to >= 0 && i < own->nparts; i++)
        link_values(r, own->parts[i].st, &own->parts[i]);
    for (unsigned i = 0; to >= 0 && i < own->ndeclared; i++)
        link_values(r, own->declared[i], NULL);
    const struct rogue_pack_part *part = own->nparts ? &own->parts[own->nparts - 1] : NULL;
    bool control = part && part->units >> ROGUE_CTRL & 1;
    if (control && !effects.barrier && !add_landing(r, &effects))
        return false;
    if (effects.barrier)
        forget(r);
    note_fences(r, part, &effects);
    if (!add_bundle(r, own, nways, &effects, text))
        return false;
    uint32_t bundle = (uint32_t)(r->list->count - 1);
    unsigned at = 0;
    if (to >= 0) { /* links of the line are to parts of the bundle it joins, its own parts come after those */
        struct rogue_pack_bundle *b = &r->list->bundles[to], *new = &r->list->bundles[bundle];
        at = b->ways[0].nparts;
        move_all_links(&new->ways[0], -(int)at);
        if (!join(r, (uint32_t)to, bundle, text))
            return false;
        bundle = (uint32_t)to;
    }
    struct line *line = new_line(r, bundle, text);
    if (!line)
        return false;
    line->effects = effects;
    if (own->nparts == 1 && !own->ndeclared) /* what plain instructions drive has no name */
        drive(r, part, bundle, at + own->nparts - 1u);
    return to < 0 || keep_order(r, bundle);
}

static bool add_declaration(struct reader *r)
{
    struct rogue_pack_way way = {.ndeclared = 1};
    const struct rogue_statement *st = &r->statement;
    const struct rogue_raw *from = &st->operands[1];
    way.declared[0] = rogue_pack_copy(r->list->arena, st, 2);
    return way.declared[0] && place_line(r, &way, 1, &from->n, 1, rogue_text_of(st));
}

static bool in_text(const struct reader *r, struct rogue_word w)
{
    return w.p >= r->scan->begin && w.p < r->scan->end;
}

/* Ports, selectors and destinations are those of a group that other lines share; only what has the whole ALU may name
 * them. */
static bool check_operands(struct reader *r, const struct rogue_pack_way *way)
{
    const struct rogue_statement *st = &r->statement;
    for (unsigned i = 0; i < st->noperands; i++) {
        const struct rogue_raw *raw = &st->operands[i];
        bool of_group = raw->kind == ROGUE_RAW_SOURCE || raw->kind == ROGUE_RAW_IS || raw->kind == ROGUE_RAW_W;
        if (of_group && !is_alone(&way->parts[0]))
            return error_at(r, raw->text, "bad-operand", "'%.*s' is of a group: lists name registers and feedthroughs",
                            raw->text);
    }
    return true;
}

static bool add_instruction(struct reader *r)
{
    struct rogue_pack_way ways[ROGUE_PACK_WAYS];
    struct rogue_mismatch wrong = {0}, ignored = {0};
    struct rogue_statement *st = &r->statement;
    uint8_t used[ROGUE_RAW_OPERANDS + 1];
    unsigned nused = 0, nways = rogue_pack_ways(r->list->arena, st, ways, &wrong);
    struct rogue_statement *swapped = nways ? NULL : rogue_pack_copy(r->list->arena, st, st->noperands);
    if (swapped) {
        swap_phases(swapped);
        nways = rogue_pack_ways(r->list->arena, swapped, ways, &ignored);
        if (nways && ways->nparts == 1)
            swap_phases(ways->parts[0].st);
    }
    if (!nways) {
        wrong.where = in_text(r, wrong.where) ? wrong.where : st->name;
        return rogue_report_mismatch(r->scan, st, &wrong);
    }
    if (!check_operands(r, ways))
        return false;
    if (ways->nparts == 1 && !ways->ndeclared)
        nused = used_by(&ways->parts[0], used);
    struct rogue_word label = st->noperands ? st->operands[0].text : st->name;
    if (rogue_is_branch(&rogue_rows()[ways->parts[0].op]) && st->operands[0].kind == ROGUE_RAW_NUMBER)
        return error_at(r, label, "bad-operand",
                        "in a list branches go to labels, not to '%.*s': packing moves the groups", label);
    return place_line(r, ways, nways, used, nused, rogue_text_of(st));
}

static bool add_label(struct reader *r, struct rogue_word name)
{
    r->cc = 0;
    r->repeat = 1;
    struct rogue_pack_bundle *b = new_bundle(r, name);
    if (!b)
        return false;
    b->label = name;
    b->effects.barrier = b->alone = true;
    r->far[0] = r->far[1] = true; /* of whoever comes from elsewhere */
    forget(r);
    return true;
}

static bool read_line(struct reader *r)
{
    struct scan *s = r->scan;
    struct rogue_word w = rogue_peek(s);
    if (rogue_at_constant(s))
        return rogue_read_constant(s);
    if (rogue_at_group(s) || *s->p == '{')
        return scan_error(s, rogue_span(s, (struct rogue_word){s->p, 1}), "list",
                          "groups are as they are written where no list is packed (--pack, weft_program_options.pack)",
                          "a list that is to be packed has instructions only, no groups");
    if (w.length && scan_is(*w.p, SCAN_LETTER) && w.p[w.length] == ':') {
        rogue_take(s, w.length + 1);
        return add_label(r, w);
    }
    r->cc = ROGUE_CC_PE;
    r->repeat = 1;
    if (!rogue_parse_conditions(s, &r->cc, &r->repeat) || !rogue_parse_statement(s, &r->statement))
        return false;
    rogue_take_char(s, ';');
    rogue_skip(s, false, false);
    if (!rogue_at_end(s) && *s->p != '\n')
        return scan_expected(s, "the end of the line");
    r->statement.units = 0xFFFF;
    r->statement.labelled = false;
    return is_declaration(&r->statement) ? add_declaration(r) : add_instruction(r);
}

/* What a move leaves alone comes from IS4 and IS5, which by default are the last phases of its own group (chapter 3):
 * its phases are those of the text, and no others. */
static void keep_phases(struct rogue_pack_bundle *b)
{
    struct rogue_pack_way *w = b->ways;
    bool moves = false;
    for (unsigned i = 0; w && i < w->nparts; i++)
        moves |= w->parts[i].units == 1u << ROGUE_MOV;
    b->alone |= moves;
    for (unsigned i = 0; moves && i < w->nparts; i++)
        if (w->parts[i].renamed)
            w->parts[i].units &= w->parts[i].st->operands[0].n & 1 ? 1u << ROGUE_P1 : 1u << ROGUE_P0;
}

bool rogue_pack_read(struct rogue_pack_list *list)
{
    struct reader *r = ARENA_NEW(list->arena, struct reader);
    if (!r)
        return false;
    r->list = list;
    r->scan = list->scan;
    forget(r);
    while (r->scan->errors < SCAN_MAX_ERRORS && !arena_failed(list->arena)) {
        rogue_skip(r->scan, true, false);
        if (rogue_at_end(r->scan))
            break;
        if (!read_line(r))
            while (!rogue_at_end(r->scan) && *r->scan->p != '\n')
                r->scan->p++;
    }
    for (size_t i = 0; i < list->count; i++)
        keep_phases(&list->bundles[i]);
    rogue_pack_fuse(list);
    return r->scan->errors == 0 && !arena_failed(list->arena);
}
