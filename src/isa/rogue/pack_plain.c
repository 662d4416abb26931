/* pack_plain.c - instructions of a list that name registers where a group has feedthroughs: "fmul r0, r1, r2" for "fmul
 * ft0, r1, r2" and "mov r0, ft0", "and r0, r1, r2" for three units of a bitwise group. The operands are those of the
 * document's "Format" lines (chapters 6 to 11). */
#include "isa/rogue/pack.h"
#include "isa/rogue/ports.h"

#include <string.h>

enum { ANY_UNIT = 0xFFFF, BOTH = 1 << ROGUE_P0 | 1 << ROGUE_P1 };

struct rogue_statement *rogue_pack_copy(struct arena *arena, const struct rogue_statement *st, unsigned operands)
{
    size_t size = offsetof(struct rogue_statement, operands);
    unsigned kept = st->noperands < operands ? st->noperands : operands;
    struct rogue_statement *copy = arena_alloc(arena, size + operands * sizeof st->operands[0]);
    if (!copy)
        return NULL;
    memcpy(copy, st, size + kept * sizeof st->operands[0]);
    copy->noperands = (uint8_t)operands;
    copy->units = ANY_UNIT;
    return copy;
}

/* ---- parts ---- */

/* Sums and products whose two registers only fit the ports the other way round: S1 and S4 read no shared registers, S0
 * and S3 no special ones. */
static bool turns_round(unsigned op, const struct rogue_raw *a, const struct rogue_raw *b)
{
    return rogue_rows()[op].traits & ROGUE_COMMUTES && a->kind == ROGUE_RAW_REG && b->kind == ROGUE_RAW_REG &&
           !a->nmods && !b->nmods && !(rogue_port_reads(0, a->reg) && rogue_port_reads(1, b->reg)) &&
           rogue_port_reads(0, b->reg) && rogue_port_reads(1, a->reg);
}

bool rogue_pack_add_part(struct rogue_pack_way *way, struct rogue_statement *st, struct rogue_draft *d,
                         struct rogue_mismatch *wrong)
{
    static const struct rogue_mismatch full = {.code = "phase-taken",
                                               .message = "more instructions than a group has phases"};
    if (!st || !rogue_match(st, d, wrong))
        return false;
    if (way->nparts >= ROGUE_PACK_PARTS) {
        *wrong = full;
        wrong->where = st->name;
        return false;
    }
    if (turns_round(d->op, &st->operands[1], &st->operands[2])) {
        struct rogue_raw first = st->operands[1];
        st->operands[1] = st->operands[2];
        st->operands[2] = first;
    }
    unsigned units = 1u << d->unit;
    const struct rogue_template *t = &rogue_table()->templates[d->op];
    bool renamed = units & BOTH && t->noperands && t->operands[0].kind == ROGUE_ON_FT;
    if (renamed)
        units = rogue_rows()[d->op].units & BOTH;
    way->parts[way->nparts++] = (struct rogue_pack_part){st, (uint16_t)units, d->op, renamed};
    return true;
}

void rogue_pack_set_feedthrough(struct rogue_raw *raw, unsigned n)
{
    static const char *const names[] = {"ft0", "ft1", "ft2", "ft3", "ft4", "ft5", "fte"};
    raw->kind = ROGUE_RAW_FT;
    raw->n = (uint8_t)n;
    if (n < sizeof names / sizeof names[0]) /* templates have some by their names */
        raw->text = (struct rogue_word){names[n], 3};
}

static struct rogue_raw feedthrough(unsigned n)
{
    struct rogue_raw raw = {0};
    rogue_pack_set_feedthrough(&raw, n);
    return raw;
}

/* What makes a way of a statement. */
struct maker {
    struct arena *arena;
    const struct rogue_statement *st;
    struct rogue_pack_way *way;
    struct rogue_mismatch *wrong;
};

/* A part with another mnemonic; its text in messages is the statement's. */
static struct rogue_statement *other(const struct maker *m, const char *name, unsigned operands)
{
    struct rogue_statement *st = rogue_pack_copy(m->arena, m->st, operands);
    if (st) {
        st->name = (struct rogue_word){name, (uint32_t)strlen(name)};
        st->nmods = 0;
        st->end = st->name.p + st->name.length;
    }
    return st;
}

static bool part(const struct maker *m, struct rogue_statement *st)
{
    struct rogue_draft d;
    return rogue_pack_add_part(m->way, st, &d, m->wrong);
}

/* mov D, ftN: D is the statement's first operand. `n` may be ROGUE_PACK_PART with the number of a part. */
static bool declare(const struct maker *m, unsigned n, unsigned number)
{
    struct rogue_statement *st = other(m, "mov", 2);
    if (!st || m->st->operands[0].kind != ROGUE_RAW_REG || m->st->operands[0].nmods)
        return false;
    st->operands[1] = feedthrough(n);
    st->operands[1].number = number;
    m->way->declared[m->way->ndeclared++] = st;
    return true;
}

/* byp ftN, A: a source as the result of a unit of the bitwise ALU. */
static bool bypass(const struct maker *m, unsigned n, const struct rogue_raw *from)
{
    struct rogue_statement *st = other(m, "byp", 2);
    if (!st)
        return false;
    st->operands[0] = feedthrough(n);
    st->operands[1] = *from;
    return part(m, st);
}

/* The statement with ftN as its destination. */
static bool itself(const struct maker *m, unsigned n)
{
    struct rogue_statement *st = rogue_pack_copy(m->arena, m->st, m->st->noperands);
    if (!st || !st->noperands || st->operands[0].kind != ROGUE_RAW_REG)
        return false;
    st->operands[0] = feedthrough(n);
    return part(m, st);
}

/* ---- ways ---- */

/* fmul r0, r1, r2: phase 0 or 1; umadd32 r0, r1, r2, r3: phase 0; pck.u32 r0, r1: phase 2. */
static bool through_phase(const struct maker *m)
{
    if (itself(m, 0) && rogue_rows()[m->way->parts[0].op].units & BOTH)
        return declare(m, ROGUE_PACK_PART, 0);
    m->way->nparts = 0;
    return itself(m, 2) && m->way->parts[0].units == 1u << ROGUE_PCK && declare(m, 2, 0);
}

/* rev r0, r1: shift unit 1, which the count unit hands on to W1. */
static bool through_shift_1(const struct maker *m)
{
    const struct rogue_raw ft2 = feedthrough(2);
    return itself(m, 2) && m->way->parts[0].units == 1u << ROGUE_SHIFT1 && bypass(m, 3, &ft2) && declare(m, 3, 0);
}

/* cbs r0, r1: the count unit, from S2, or from FT2 where it reads only that. */
static bool through_count(const struct maker *m)
{
    if (itself(m, 3))
        return declare(m, 3, 0);
    m->way->nparts = 0;
    if (m->st->noperands != 2 || !bypass(m, 2, &m->st->operands[1]))
        return false;
    struct rogue_statement *st = rogue_pack_copy(m->arena, m->st, 2);
    if (!st)
        return false;
    st->operands[0] = feedthrough(3);
    st->operands[1] = feedthrough(2);
    return part(m, st) && declare(m, 3, 0);
}

/* name ft4, _, ft2, _, B */
static bool logical(const struct maker *m, struct rogue_statement *st, const struct rogue_raw *b)
{
    static const struct rogue_raw absent = {.text = {"_", 1}};
    if (!st)
        return false;
    st->operands[0] = feedthrough(4);
    st->operands[2] = feedthrough(2);
    st->operands[1] = st->operands[3] = absent;
    st->operands[4] = *b;
    return part(m, st);
}

/* and r0, r1, r2: S2 through shift unit 1, S3. */
static bool through_logical(const struct maker *m)
{
    return m->st->noperands == 3 && bypass(m, 2, &m->st->operands[1]) &&
           logical(m, rogue_pack_copy(m->arena, m->st, 5), &m->st->operands[2]) && declare(m, 4, 0);
}

/* shr r0, r1, r2: S2 through shift unit 1 and an OR with 0, as the document's examples have it. */
static bool through_shift_2(const struct maker *m)
{
    static const struct rogue_raw zero = {.kind = ROGUE_RAW_REG, .reg = {ROGUE_SPECIAL, 0, 0}, .text = {"c0", 2}};
    if (m->st->noperands != 3 || !bypass(m, 2, &m->st->operands[1]) || !logical(m, other(m, "or", 5), &zero))
        return false;
    struct rogue_statement *st = rogue_pack_copy(m->arena, m->st, 3);
    if (!st)
        return false;
    st->operands[0] = feedthrough(5);
    st->operands[1] = feedthrough(4);
    return part(m, st) && declare(m, 5, 0);
}

/* msk r0, r1, r2 and mov r0, 1234: the bit mask unit, FT1. */
static bool through_bitmask(const struct maker *m)
{
    static const struct rogue_raw zero = {.kind = ROGUE_RAW_REG, .reg = {ROGUE_SPECIAL, 0, 0}, .text = {"c0", 2}};
    bool number =
        m->st->noperands == 2 && m->st->operands[1].kind == ROGUE_RAW_NUMBER && rogue_word_is(m->st->name, "mov");
    struct rogue_statement *st = number ? other(m, "byp", 4) : rogue_pack_copy(m->arena, m->st, 4);
    if (!st || (!number && m->st->noperands != 3))
        return false;
    st->operands[0] = feedthrough(0);
    st->operands[1] = feedthrough(1);
    st->operands[2] = number ? zero : m->st->operands[1];
    st->operands[3] = number ? m->st->operands[1] : m->st->operands[2];
    return part(m, st) && declare(m, 1, 0);
}

/* tz p0, r1: the count unit hands S2 on. */
static bool through_bit_test(const struct maker *m)
{
    if (m->st->noperands != 2 || !bypass(m, 3, &m->st->operands[1]))
        return false;
    struct rogue_statement *st = rogue_pack_copy(m->arena, m->st, 2);
    if (!st)
        return false;
    st->operands[1] = feedthrough(3);
    return part(m, st);
}

/* The operand as the result of a part "mov ft, A" before it: phase `n`. */
static bool by_move(const struct maker *m, struct rogue_statement *st, unsigned operand, unsigned n)
{
    struct rogue_statement *move = other(m, "mov", 2);
    struct rogue_raw *raw = &st->operands[operand];
    if (!move || (raw->kind != ROGUE_RAW_REG && raw->kind != ROGUE_RAW_NUMBER))
        return false;
    move->operands[0] = feedthrough(n);
    move->operands[1] = *raw;
    move->operands[1].nmods = 0; /* those of the operand stay where it is */
    rogue_pack_set_feedthrough(raw, n);
    return part(m, move);
}

/* Operands that have been moved are links to the parts that move them. */
static void link_moves(struct rogue_statement *st, const uint8_t *operands, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        st->operands[operands[i]].n = ROGUE_PACK_PART;
        st->operands[operands[i]].number = i;
    }
}

/* uvsw.write r0, 3: phase 0 moves the data. */
static bool through_w0(const struct maker *m)
{
    static const uint8_t data[] = {0};
    struct rogue_statement *st = rogue_pack_copy(m->arena, m->st, m->st->noperands);
    if (!st || !st->noperands || !by_move(m, st, 0, 0) || !part(m, st))
        return false;
    link_moves(st, data, 1);
    return true;
}

/* tstl.f32 ftt, p0, r0, r1: only one register goes through FTE, so that phase 0 moves the left one, or phases 0 and 1
 * both. */
static bool by_moves(const struct maker *m, unsigned count)
{
    static const uint8_t sides[] = {2, 3};
    struct rogue_statement *st = rogue_pack_copy(m->arena, m->st, m->st->noperands);
    bool fine = st && st->noperands == 4;
    for (unsigned i = 0; fine && i < count; i++)
        fine = by_move(m, st, sides[i], i);
    if (!fine || !part(m, st))
        return false;
    link_moves(st, sides, count);
    return true;
}

/* mov r0, r1 */
static bool is_copy(const struct rogue_statement *st)
{
    const struct rogue_raw *to = &st->operands[0], *from = &st->operands[1];
    return rogue_word_is(st->name, "mov") && st->nmods == 0 && st->noperands == 2 && to->kind == ROGUE_RAW_REG &&
           to->nmods == 0 && from->kind == ROGUE_RAW_REG && from->nmods == 0;
}

static bool routed(const struct maker *m)
{
    m->way->declared[m->way->ndeclared++] = rogue_pack_copy(m->arena, m->st, 2);
    return m->way->declared[0] != NULL;
}

typedef bool make_fn(const struct maker *m);

/* The first that fits; false with *wrong of the attempt that came furthest. */
static bool make(struct maker *m, make_fn *const *makers, unsigned count)
{
    struct rogue_mismatch *furthest = m->wrong, here;
    bool fine = false;
    for (unsigned i = 0; i < count && !fine; i++) {
        here = (struct rogue_mismatch){0};
        m->wrong = &here;
        *m->way = (struct rogue_pack_way){0};
        fine = makers[i](m);
        if (!fine && (here.message || here.expected) && here.depth > furthest->depth)
            *furthest = here;
    }
    m->wrong = furthest;
    return fine;
}

unsigned rogue_pack_ways(struct arena *arena, const struct rogue_statement *st, struct rogue_pack_way *ways,
                         struct rogue_mismatch *wrong)
{
    static make_fn *const makers[] = {through_phase,   through_shift_1, through_count,    through_logical,
                                      through_shift_2, through_bitmask, through_bit_test, through_w0};
    static make_fn *const shift_2[] = {through_shift_2};
    struct rogue_draft d;
    struct rogue_mismatch ignored;
    struct maker m = {arena, st, ways, wrong};
    memset(ways, 0, ROGUE_PACK_WAYS * sizeof *ways);
    if (!is_copy(st) && rogue_pack_add_part(ways, rogue_pack_copy(arena, st, st->noperands), &d, wrong)) {
        bool compares = d.unit == ROGUE_TST && st->noperands == 4;
        unsigned n = 1;
        for (unsigned moves = 1; compares && moves <= 2; moves++) {
            m.way = &ways[n];
            m.wrong = &ignored;
            n += by_moves(&m, moves);
        }
        return n;
    }
    if (is_copy(st)) {
        m.way = &ways[1];
        routed(&m);
        m.way = &ways[0];
        return through_phase(&m) ? 2 : 0;
    }
    if (!make(&m, makers, sizeof makers / sizeof makers[0]))
        return 0;
    bool shifts_left = ways->nparts && ways->parts[0].units == 1u << ROGUE_SHIFT1 &&
                       rogue_argument(&rogue_rows()[ways->parts[0].op]) == ROGUE_SHIFT1_LSL;
    m.way = &ways[1];
    m.wrong = &ignored;
    return shifts_left && make(&m, shift_2, 1) ? 2 : 1;
}
