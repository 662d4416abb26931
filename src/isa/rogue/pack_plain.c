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

static bool add_part(struct rogue_pack_way *way, struct rogue_statement *st, struct rogue_draft *d,
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

/* ---- routes ---- */

/* What a statement becomes, in the order in which it is tried: parts, and after -> what drives the register that is its
 * first operand, operand 0. The words of a part are a name and operands:
 *   $     the statement's own name and modifiers
 *   %1    its operand 1; =1 the same without modifiers, #1 if it is a number
 *   p0    its operand in that place, as the result of part 0
 *   ...   its further operands, from that place on
 *   ft2   that feedthrough; c0: constant 0; _: nothing */
enum { BY_PHASE = 2 /* the first ones */, BY_SHIFT_2 = 6 };
static const struct route {
    const char *name; /* of the statement; NULL: any */
    uint8_t operands; /* that it has; 0: any number */
    uint16_t units;   /* of its first part: one of these; 0: any */
    const char *parts;
} routes[] = {
    {NULL, 0, BOTH, "$ ft0 ... -> p0"}, /* fmul r0, r1, r2; umadd32 r0, r1, r2, r3 */
    {NULL, 0, 1 << ROGUE_PCK, "$ ft2 ... -> ft2"},
    {NULL, 0, 1 << ROGUE_SHIFT1, "$ ft2 ...; byp ft3 ft2 -> ft3"}, /* rev r0, r1: the count unit hands it on to W1 */
    {NULL, 0, 0, "$ ft3 ... -> ft3"},                              /* cbs r0, r1: from S2, */
    {NULL, 2, 0, "byp ft2 %1; $ ft3 ft2 -> ft3"},                  /* or where it reads only FT2 */
    {NULL, 3, 0, "byp ft2 %1; $ ft4 _ ft2 _ %2 -> ft4"},           /* and r0, r1, r2 */
    [BY_SHIFT_2] = {NULL, 3, 0,
                    "byp ft2 %1; or ft4 _ ft2 _ c0; $ ft5 ft4 %2 -> ft5"}, /* shr r0, r1, r2: as the document has it */
    {"mov", 2, 0, "byp ft0 ft1 c0 #1 -> ft1"},                             /* mov r0, 1234 */
    {NULL, 3, 0, "$ ft0 ft1 %1 %2 -> ft1"},                                /* msk r0, r1, r2 */
    {NULL, 2, 0, "byp ft3 %1; $ %0 ft3"},                                  /* tz p0, r1: the count unit hands S2 on */
    {NULL, 0, 0, "mov ft0 =0; $ p0 ..."},                                  /* uvsw.write r0, 3 */
};
enum { ROUTES = sizeof routes / sizeof *routes };

/* tstl.f32 ftt, p0, r0, r1: only one register goes through FTE, so that phase 0 moves the left one, or phases 0 and 1
 * both. */
static const struct route comparisons[] = {{NULL, 4, 0, "mov ft0 =2; $ %0 %1 p0 ..."},
                                           {NULL, 4, 0, "mov ft0 =2; mov ft1 =3; $ %0 %1 p0 p1"}};

/* What makes a way of a statement. */
struct maker {
    struct arena *arena;
    const struct rogue_statement *st;
    struct rogue_pack_way *way;
    struct rogue_mismatch *wrong;
};

static const char *next_word(const char *p)
{
    return p + strcspn(p, " ;");
}

static bool ends(const char *p)
{
    return *p != ' ' || p[1] == '-';
}

static unsigned count_operands(const struct maker *m, const char *p)
{
    unsigned count = 0;
    for (; !ends(p); p = next_word(p + 1)) {
        if (p[1] == '.')
            return m->st->noperands;
        count++;
    }
    return count;
}

/* A statement of a name of its own, "$" the maker's; its text in messages is the maker's. */
static struct rogue_statement *named(const struct maker *m, const char *name, unsigned operands)
{
    struct rogue_statement *st = rogue_pack_copy(m->arena, m->st, operands);
    if (!st || *name == '$')
        return st;
    st->name = (struct rogue_word){name, (uint32_t)(next_word(name) - name)};
    st->nmods = 0;
    st->end = st->name.p + st->name.length;
    return st;
}

static bool take_operand(const struct maker *m, const char *word, unsigned at, struct rogue_raw *raw)
{
    static const struct rogue_raw zero = {.kind = ROGUE_RAW_REG, .reg = {ROGUE_SPECIAL, 0, 0}, .text = {"c0", 2}},
                                  absent = {.text = {"_", 1}};
    unsigned n = *word == 'p' ? at : (unsigned)(word[1] - '0');
    if (*word == 'f' || *word == 'c' || *word == '_') {
        *raw = *word == 'f' ? feedthrough((unsigned)(word[2] - '0')) : *word == 'c' ? zero : absent;
        return true;
    }
    if (n >= m->st->noperands)
        return false;
    *raw = m->st->operands[n];
    if (*word == 'p')
        rogue_pack_set_feedthrough(raw, (unsigned)(word[1] - '0'));
    raw->nmods = *word == '=' ? 0 : raw->nmods;
    return *word == '#'   ? raw->kind == ROGUE_RAW_NUMBER
           : *word == '=' ? raw->kind == ROGUE_RAW_REG || raw->kind == ROGUE_RAW_NUMBER
                          : true;
}

/* One part of a route; where it ends, NULL when it does not fit. Results of other parts are links once the part has
 * been matched with them as feedthroughs. */
static const char *make_part(const struct maker *m, const char *p)
{
    const char *name = p;
    unsigned links = 0;
    struct rogue_draft d;
    p = next_word(p);
    struct rogue_statement *st = named(m, name, count_operands(m, p));
    for (unsigned at = 0; st && !ends(p); at++, p = next_word(p + 1)) {
        if (p[1] != '.' && !take_operand(m, p + 1, at, &st->operands[at]))
            return NULL;
        links |= (unsigned)(p[1] == 'p') << at;
    }
    if (!add_part(m->way, st, &d, m->wrong))
        return NULL;
    for (; links; links &= links - 1) {
        struct rogue_raw *raw = &st->operands[__builtin_ctz(links)];
        raw->number = raw->n;
        raw->n = ROGUE_PACK_PART;
    }
    return p;
}

/* mov D, ftN: D is the statement's first operand. */
static bool declare(const struct maker *m, const char *result)
{
    struct rogue_statement *st = named(m, "mov", 2);
    if (!st || m->st->operands[0].nmods)
        return false;
    st->operands[1] = feedthrough(*result == 'p' ? ROGUE_PACK_PART : (unsigned)(result[2] - '0'));
    m->way->declared[m->way->ndeclared++] = st;
    return true;
}

static bool make_route(const struct maker *m, const struct route *r)
{
    const char *p = r->parts, *result = strstr(p, "-> ");
    const struct rogue_statement *st = m->st;
    *m->way = (struct rogue_pack_way){0};
    if ((r->operands && r->operands != st->noperands) || (r->name && !rogue_word_is(st->name, r->name)) ||
        (result && (!st->noperands || st->operands[0].kind != ROGUE_RAW_REG)))
        return false;
    for (bool more = true; more; p += more ? 2 : 0) {
        p = make_part(m, p);
        if (!p || (r->units && !(m->way->parts[0].units & r->units)))
            return false;
        more = *p == ';';
    }
    return !result || declare(m, result + 3);
}

/* mov r0, r1 */
static bool is_copy(const struct rogue_statement *st)
{
    const struct rogue_raw *from = rogue_moved(st);
    return from && from->kind == ROGUE_RAW_REG;
}

/* The first route that fits; false with *wrong of the attempt that came furthest. */
static bool make(struct maker *m, unsigned count)
{
    struct rogue_mismatch *furthest = m->wrong, here;
    bool fine = false;
    for (unsigned i = 0; i < count && !fine; i++) {
        here = (struct rogue_mismatch){0};
        m->wrong = &here;
        fine = make_route(m, &routes[i]);
        bool ranged = furthest->code && strcmp(furthest->code, "out-of-range") == 0; /* nothing else says more */
        if (!fine && !ranged && (here.message || here.expected) && here.depth > furthest->depth)
            *furthest = here;
    }
    m->wrong = furthest;
    return fine;
}

unsigned rogue_pack_ways(struct arena *arena, const struct rogue_statement *st, struct rogue_pack_way *ways,
                         struct rogue_mismatch *wrong)
{
    struct rogue_draft d;
    struct rogue_mismatch ignored;
    struct maker m = {arena, st, ways, wrong};
    memset(ways, 0, ROGUE_PACK_WAYS * sizeof *ways);
    if (is_copy(st)) {
        ways[1].declared[ways[1].ndeclared++] = rogue_pack_copy(arena, st, 2);
        return make(&m, BY_PHASE) ? 2 : 0;
    }
    bool itself = add_part(ways, rogue_pack_copy(arena, st, st->noperands), &d, wrong);
    if (!itself && !make(&m, ROUTES))
        return 0;
    unsigned n = 1;
    m.wrong = &ignored;
    for (unsigned i = 0; itself && d.unit == ROGUE_TST && i < sizeof comparisons / sizeof *comparisons; i++) {
        m.way = &ways[n];
        n += make_route(&m, &comparisons[i]);
    }
    m.way = &ways[1]; /* shifts to the left are of two units */
    return itself || ways->parts[0].units != 1u << ROGUE_SHIFT1 ? n : n + make_route(&m, &routes[BY_SHIFT_2]);
}
