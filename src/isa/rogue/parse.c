/* parse.c - text to groups: the seed's and the published compilers' (syntax.md, section 5). */
#include "isa/rogue/parse.h"

#include <stdlib.h>
#include <string.h>

struct label {
    const char *name;
    uint32_t length, group;
};

struct parser {
    struct scan scan;
    struct arena *arena;
    struct rogue_pending pending;
    struct rogue_statement statement;
    struct rogue_group *groups;
    struct span *where;
    size_t ngroups, groups_cap, where_cap;
    struct label *labels, *branches; /* branches: what group goes to what label */
    size_t nlabels, labels_cap, nbranches, branches_cap;
};

/* ---- blanks and comments ---- */

/* # starts a comment, unless a number is right behind it where an operand may be: that is a constant by value. */
static bool is_value(const char *p)
{
    p += p[1] == '-';
    return scan_is(p[1], SCAN_DIGIT) || (p[1] == '.' && scan_is(p[2], SCAN_DIGIT));
}

static void skip(struct parser *p, bool newlines, bool values)
{
    const char *q = p->scan.p, *end = p->scan.end;
    for (;;) {
        if (*q == ' ' || *q == '\t' || *q == '\r' || (newlines && *q == '\n')) {
            q++;
        } else if ((*q == '#' && !(values && is_value(q))) || (*q == '/' && q[1] == '/')) {
            while (q < end && *q != '\n')
                q++;
        } else if (*q == '/' && q[1] == '*') {
            q += 2;
            while (q < end && !(q[0] == '*' && q[1] == '/'))
                q++;
            q += q < end ? 2 : 0;
        } else {
            break;
        }
    }
    p->scan.p = q;
}

static bool at_end(const struct parser *p)
{
    return p->scan.p >= p->scan.end;
}

/* A number and a colon: a group starts. */
static bool at_group(const struct parser *p)
{
    const char *q = p->scan.p;
    while (scan_is(*q, SCAN_DIGIT))
        q++;
    if (q == p->scan.p)
        return false;
    while (*q == ' ' || *q == '\t')
        q++;
    return *q == ':';
}

static struct rogue_word peek_word(const struct parser *p)
{
    return (struct rogue_word){p->scan.p, (uint32_t)scan_word_length(p->scan.p)};
}

static void take(struct parser *p, size_t length)
{
    p->scan.p += length;
    p->scan.last = p->scan.p;
}

static bool take_char(struct parser *p, char c)
{
    skip(p, false, false);
    if (*p->scan.p != c)
        return false;
    take(p, 1);
    return true;
}

static bool word_is(struct rogue_word w, const char *name)
{
    return w.length && scan_word_is(w.p, w.length, name);
}

static struct span span_of(const struct parser *p, struct rogue_word w)
{
    const char *begin = p->scan.begin, *end = p->scan.end;
    if (w.p < begin || w.p > end)
        return (struct span){scan_offset(&p->scan, p->scan.p), 0};
    return (struct span){scan_offset(&p->scan, w.p), w.length};
}

/* ---- operands ---- */

static bool take_number(struct parser *p, uint64_t *value)
{
    uint64_t v = 0;
    const char *q = p->scan.p;
    if (!scan_is(*q, SCAN_DIGIT))
        return false;
    for (; scan_is(*q, SCAN_DIGIT); q++)
        v = v < UINT32_MAX ? v * 10 + (uint64_t)(*q - '0') : v;
    take(p, (size_t)(q - p->scan.p));
    *value = v;
    return true;
}

/* 12, 0x1f, 1.5, 1.0f, 3u, -2i */
static bool parse_number(struct parser *p, struct rogue_raw *raw)
{
    const char *q = p->scan.p;
    char *end;
    raw->kind = ROGUE_RAW_NUMBER;
    raw->negative = *q == '-';
    q += *q == '-';
    bool hex = q[0] == '0' && (q[1] | 32) == 'x';
    if (!scan_is(*q, SCAN_DIGIT) && !(*q == '.' && scan_is(q[1], SCAN_DIGIT)))
        return scan_expected(&p->scan, "a number");
    size_t digits = strspn(q, "0123456789");
    raw->is_float = !hex && ((q[digits] == '.' && scan_is(q[digits + 1], SCAN_DIGIT)) || (q[digits] | 32) == 'f');
    if (raw->is_float) {
        float f = strtof(q, &end);
        uint32_t bits;
        memcpy(&bits, &f, sizeof bits);
        raw->number = bits;
        end += (*end | 32) == 'f';
    } else {
        raw->number = strtoull(q, &end, hex ? 16 : 10);
        end += (*end | 32) == 'u' || (*end | 32) == 'i';
    }
    take(p, (size_t)(end - p->scan.p));
    if (scan_is(*p->scan.p, SCAN_LETTER | SCAN_DIGIT))
        return scan_expected(&p->scan, "the end of the number");
    return true;
}

/* [idx0], [idx1+3], [idx0, 4]; r[0], r[0..3] */
static bool parse_index(struct parser *p, const char *name, size_t length, bool numbered, struct rogue_raw *raw)
{
    enum { MOST_OFFSET = 255, DIM_OFFSET = 31 };
    uint64_t offset = 0, more = 0, dim = 1;
    take(p, 1);
    struct rogue_word w = peek_word(p);
    if (!numbered && scan_is(*p->scan.p, SCAN_DIGIT)) { /* an array's registers */
        take_number(p, &raw->number);
        if (p->scan.p[0] == '.' && p->scan.p[1] == '.') {
            take(p, 2);
            take_number(p, &more);
        }
        if (*p->scan.p != ']' || !rogue_find_reg(name, length, raw->number, &raw->reg))
            return scan_expected(&p->scan, "']' and a register of that number");
        take(p, 1);
        return true;
    }
    int pointee = rogue_find_indexed(name, length);
    if (pointee < 0 || w.length != 4 || !scan_word_is(w.p, 3, "idx") || (w.p[3] != '0' && w.p[3] != '1'))
        return scan_expected(&p->scan, "idx0 or idx1 behind a bank that can be indexed");
    take(p, 4);
    offset = numbered ? raw->number : 0;
    if (take_char(p, '+')) {
        skip(p, false, false);
        if (!take_number(p, &more))
            return scan_expected(&p->scan, "a number");
        offset += more;
    }
    if (take_char(p, ',')) {
        skip(p, false, false);
        if (!take_number(p, &dim) || dim == 0 || dim > 16 || (dim & (dim - 1)))
            return scan_expected(&p->scan, "a dimension: 1, 2, 4, 8 or 16");
    }
    if (!take_char(p, ']'))
        return scan_expected(&p->scan, "']'");
    if (offset > (dim > 1 ? DIM_OFFSET : MOST_OFFSET))
        return scan_expected(&p->scan, dim > 1 ? "an offset up to 31 with a dimension" : "an offset up to 255");
    raw->reg = (struct rogue_reg){(uint8_t)(w.p[3] == '0' ? ROGUE_IDX0 : ROGUE_IDX1), (uint8_t)__builtin_ctzll(dim),
                                  (uint16_t)(offset << 3 | (unsigned)pointee)};
    return true;
}

static bool find_port_word(const char *word, size_t letters, uint64_t n, bool numbered, struct rogue_raw *raw)
{
    static const struct {
        const char *name;
        uint8_t kind, most;
    } words[] = {{"s", ROGUE_RAW_SOURCE, 5}, {"is", ROGUE_RAW_IS, 5}, {"ft", ROGUE_RAW_FT, 5}, {"w", ROGUE_RAW_W, 1},
                 {"drc", ROGUE_RAW_DRC, 1}};
    raw->n = (uint8_t)n;
    for (size_t i = 0; numbered && i < sizeof words / sizeof words[0]; i++)
        if (scan_word_is(word, letters, words[i].name) && n <= words[i].most) {
            raw->kind = words[i].kind;
            return true;
        }
    return false;
}

/* A register, a port or any other word. */
static bool parse_name(struct parser *p, struct rogue_raw *raw)
{
    const char *word = p->scan.p;
    size_t length = scan_word_length(word), letters = length;
    while (letters > 0 && scan_is(word[letters - 1], SCAN_DIGIT))
        letters--;
    bool numbered = letters < length && length - letters < 10;
    take(p, letters);
    raw->kind = ROGUE_RAW_WORD;
    raw->number = 0;
    if (numbered)
        take_number(p, &raw->number);
    else
        take(p, length - letters);
    if (scan_word_is(word, length, "fte")) {
        raw->kind = ROGUE_RAW_FT;
        raw->n = ROGUE_RAW_FTE;
        return true;
    }
    if (find_port_word(word, letters, raw->number, numbered, raw))
        return true;
    if (numbered && p->scan.p[0] == '.' && p->scan.p[1] == '.') {
        uint64_t last;
        take(p, 2);
        if (!take_number(p, &last))
            return scan_expected(&p->scan, "the last register of the range");
    }
    if (*p->scan.p == '[') {
        raw->kind = ROGUE_RAW_REG;
        return parse_index(p, word, letters, numbered, raw);
    }
    if (numbered && rogue_find_reg(word, letters, raw->number, &raw->reg))
        raw->kind = ROGUE_RAW_REG;
    return true;
}

static bool parse_mods(struct parser *p, struct rogue_word *mods, unsigned most, uint8_t *count)
{
    while (*p->scan.p == '.' && p->scan.p[1] != '.') {
        take(p, 1);
        struct rogue_word w = peek_word(p);
        if (w.length == 0)
            return scan_expected(&p->scan, "a modifier");
        take(p, w.length);
        if (*count >= most)
            return scan_error(&p->scan, span_of(p, w), "modifier", NULL, "too many modifiers");
        mods[(*count)++] = w;
    }
    return true;
}

static bool parse_operand(struct parser *p, struct rogue_raw *raw)
{
    static const struct rogue_word invert = {"invert", 6};
    const char *start = p->scan.p;
    *raw = (struct rogue_raw){0};
    bool fine = true, inverted = *start == '~';
    if (*start == '_' && !scan_is(start[1], SCAN_LETTER | SCAN_DIGIT)) {
        take(p, 1);
    } else if (*start == '#' || scan_is(*start, SCAN_DIGIT) || *start == '-') {
        take(p, *start == '#');
        fine = parse_number(p, raw);
    } else {
        take(p, inverted);
        if (!scan_is(*p->scan.p, SCAN_LETTER))
            return scan_expected(&p->scan, "an operand");
        fine = parse_name(p, raw);
    }
    raw->text = (struct rogue_word){start + inverted, (uint32_t)(p->scan.p - start - inverted)};
    if (inverted)
        raw->mods[raw->nmods++] = invert;
    return fine && parse_mods(p, raw->mods, ROGUE_OPERAND_MODS, &raw->nmods);
}

/* ---- statements ---- */

static bool operand_follows(struct parser *p, bool new_line)
{
    char c = *p->scan.p;
    if (at_end(p) || c == '}' || c == ';' || c == '{' || (new_line && at_group(p)))
        return false;
    if (c == '_' || c == '#' || c == '~' || c == '-' || scan_is(c, SCAN_DIGIT))
        return true;
    struct rogue_word w = peek_word(p);
    return w.length && !(new_line && rogue_is_mnemonic(w.p, w.length)) && (!new_line || w.p[w.length] != ':');
}

/* Operands go over lines behind commas, and in front of the first one. */
static bool parse_operands(struct parser *p, struct rogue_statement *s)
{
    skip(p, false, true);
    bool new_line = *p->scan.p == '\n';
    const char *line_end = p->scan.p;
    skip(p, true, true);
    if (!operand_follows(p, new_line)) {
        p->scan.p = new_line ? line_end : p->scan.p;
        return true;
    }
    for (;;) {
        if (s->noperands >= ROGUE_RAW_OPERANDS)
            return scan_error(&p->scan, span_of(p, s->name), "operands", NULL, "too many operands");
        struct rogue_raw *raw = &s->operands[s->noperands++];
        if (*p->scan.p == ',')
            *raw = (struct rogue_raw){.text = {p->scan.p, 1}};
        else if (!parse_operand(p, raw))
            return false;
        if (!take_char(p, ','))
            return true;
        skip(p, false, true);
        new_line = *p->scan.p == '\n';
        line_end = p->scan.p;
        skip(p, true, true);
        if (*p->scan.p != ',' && !operand_follows(p, new_line)) {
            p->scan.p = new_line ? line_end : p->scan.p;
            return true;
        }
    }
}

static bool report(struct parser *p, const struct rogue_trouble *t)
{
    return scan_error(&p->scan, span_of(p, t->where), t->code, NULL, "%s", t->message);
}

static bool report_mismatch(struct parser *p, const struct rogue_statement *s, const struct rogue_mismatch *m)
{
    if (!rogue_is_mnemonic(s->name.p, s->name.length) || !m->message) {
        const char *near = p->scan.errors < 10 ? rogue_near_mnemonic(s->name.p, s->name.length) : NULL;
        return scan_error(&p->scan, span_of(p, s->name), "unknown-instruction",
                          near ? arena_printf(p->arena, "did you mean '%s'?", near) : NULL, "unknown instruction '%.*s'",
                          (int)(s->end - s->name.p), s->name.p);
    }
    const char *at = strstr(m->message, "%.*s");
    const char *text = at ? arena_printf(p->arena, "%.*s%.*s%s", (int)(at - m->message), m->message, (int)m->where.length,
                                         m->where.p, at + 4)
                          : m->message;
    return scan_error(&p->scan, span_of(p, m->where), m->code, NULL, "%s", text ? text : m->message);
}

/* "mov r0, ft0", without bytes and without a label, names a destination. */
static bool is_declaration(const struct parser *p, const struct rogue_statement *s)
{
    if (s->labelled || p->pending.is_explicit || !word_is(s->name, "mov") || s->nmods || s->noperands != 2)
        return false;
    const struct rogue_raw *to = &s->operands[0], *from = &s->operands[1];
    return to->kind == ROGUE_RAW_REG && to->nmods == 0 && from->nmods == 0 &&
           (from->kind == ROGUE_RAW_FT || from->kind == ROGUE_RAW_REG);
}

/* The seed writes the two halves of a sum of products as two instructions: sop r0.joutj, a, e, op, b, f and the same with koutk. */
static void join_sop(struct parser *p, struct rogue_statement *s);

static bool parse_statement(struct parser *p, uint16_t units, bool labelled)
{
    struct rogue_statement *s = &p->statement;
    s->name = peek_word(p);
    s->nmods = s->noperands = 0;
    s->units = units;
    s->labelled = labelled;
    if (s->name.length == 0 || !scan_is(*s->name.p, SCAN_LETTER))
        return scan_expected(&p->scan, "an instruction");
    take(p, s->name.length);
    s->end = p->scan.p;
    if (!parse_mods(p, s->mods, ROGUE_WORD_MODS, &s->nmods))
        return false;
    s->end = p->scan.p;
    if (!parse_operands(p, s))
        return false;
    if (word_is(s->name, "sop"))
        join_sop(p, s);
    struct rogue_trouble trouble;
    struct rogue_mismatch wrong;
    if (is_declaration(p, s))
        return rogue_declare(&p->pending, s, &trouble) || report(p, &trouble);
    struct rogue_draft *d = &p->pending.drafts[p->pending.ndrafts];
    if (p->pending.ndrafts + 1 >= ROGUE_DRAFT_INSNS)
        return scan_error(&p->scan, span_of(p, s->name), "phase-taken", NULL, "more instructions than a group has phases");
    if (!rogue_match(s, d, &wrong))
        return report_mismatch(p, s, &wrong);
    d->text = (struct rogue_word){s->name.p, (uint32_t)(s->end - s->name.p)};
    struct rogue_draft copy = *d;
    return rogue_add(&p->pending, &copy, &trouble) || report(p, &trouble);
}

/* jDest.joutj kDest.koutk: the first half waits for the second, which follows it. */
static void join_sop(struct parser *p, struct rogue_statement *s)
{
    enum { HALF = 6, MOVES = 2 };
    static const struct rogue_raw absent = {.text = {"_", 1}};
    struct rogue_raw all[2 * HALF + MOVES];
    const char *before = p->scan.p;
    if (s->noperands != HALF)
        return;
    struct rogue_statement *second = arena_alloc(p->arena, sizeof *second);
    take_char(p, ';');
    skip(p, true, false);
    struct rogue_word w = peek_word(p);
    if (!second || !word_is(w, "sop")) {
        p->scan.p = before;
        return;
    }
    *second = (struct rogue_statement){.name = w};
    take(p, w.length);
    if (!parse_mods(p, second->mods, ROGUE_WORD_MODS, &second->nmods) || !parse_operands(p, second) || second->noperands != HALF) {
        p->scan.p = before;
        return;
    }
    struct rogue_raw *halves[2] = {s->operands, second->operands};
    for (unsigned h = 0; h < 2; h++) { /* joutj, koutk are the first code of their fields; the destinations are declared */
        static const char *const names[] = {"w0", "w1"};
        struct rogue_raw *to = &halves[h][0];
        struct rogue_trouble trouble;
        if (to->kind == ROGUE_RAW_REG) {
            struct rogue_statement declared = {.noperands = 2};
            declared.operands[0] = *to;
            declared.operands[1] = (struct rogue_raw){.kind = ROGUE_RAW_W, .n = (uint8_t)h, .text = to->text};
            rogue_declare(&p->pending, &declared, &trouble);
        }
        *to = (struct rogue_raw){.kind = ROGUE_RAW_W, .n = (uint8_t)h, .text = {names[h], 2}};
    }
    all[0] = halves[0][0];
    all[1] = halves[1][0];
    all[2] = absent;
    memcpy(all + 3, halves[0] + 1, (HALF - 1) * sizeof *all);
    memcpy(all + 3 + HALF - 1, halves[1] + 1, (HALF - 1) * sizeof *all);
    all[2 * HALF + 1] = absent;
    memcpy(s->operands, all, sizeof all);
    s->noperands = 2 * HALF + MOVES;
}

/* ---- items of a group ---- */

static bool parse_count(struct parser *p, const char *digits, size_t length)
{
    bool fine = length == 1 && *digits >= '1' && *digits <= '4';
    if (!fine)
        return scan_error(&p->scan, (struct span){scan_offset(&p->scan, digits), (uint32_t)length}, "range", NULL,
                          "a group is repeated 1 to 4 times");
    p->pending.g.repeat = (uint8_t)(*digits - '0');
    return true;
}

/* s0 = r1, is4 = ft0, w0 = r2 */
static bool parse_assignment(struct parser *p, const struct rogue_raw *io)
{
    struct rogue_pending *pend = &p->pending;
    struct rogue_raw raw;
    skip(p, false, true);
    if (!parse_operand(p, &raw))
        return false;
    pend->is_explicit = true;
    struct span where = span_of(p, raw.text);
    int code = -1;
    if (io->kind == ROGUE_RAW_SOURCE || io->kind == ROGUE_RAW_W) {
        if (raw.kind != ROGUE_RAW_REG)
            return scan_error(&p->scan, where, "operand", NULL, "expected a register, found '%.*s'", (int)raw.text.length, raw.text.p);
        uint8_t *set = io->kind == ROGUE_RAW_W ? &pend->g.destinations : &pend->g.sources;
        if (*set >> io->n & 1)
            return scan_error(&p->scan, where, "port-taken", NULL, "'%.*s' is already given", (int)io->text.length, io->text.p);
        *set |= (uint8_t)(1u << io->n);
        *(io->kind == ROGUE_RAW_W ? &pend->g.w[io->n] : &pend->g.s[io->n]) = raw.reg;
        if (io->kind == ROGUE_RAW_SOURCE)
            pend->port_text[io->n] = raw.text;
        return true;
    }
    if (io->n == 0 && raw.kind == ROGUE_RAW_SOURCE) {
        static const uint8_t codes[] = {ROGUE_IS0_S0, ROGUE_IS0_S1, ROGUE_IS0_S2, ROGUE_IS0_S3, ROGUE_IS0_S4, ROGUE_IS0_S5};
        pend->g.is0 = codes[raw.n];
        pend->g.mux = true;
        pend->feeds |= 1;
        return true;
    }
    if (io->n == 3 && raw.kind == ROGUE_RAW_SOURCE && raw.n == 2)
        code = ROGUE_FT2; /* IS3 has S2 where the others have FT2 */
    else if (raw.kind == ROGUE_RAW_FT && io->n >= 3)
        code = raw.n == ROGUE_RAW_FTE ? ROGUE_FTE : raw.n < 2 || (raw.n == 2 && io->n != 3) ? raw.n : -1;
    else if (raw.kind == ROGUE_RAW_FT && io->n)
        code = raw.n == ROGUE_RAW_FTE ? 1 : raw.n == io->n - 1 ? 0 : -1;
    if (code < 0)
        return scan_error(&p->scan, where, "operand", NULL, "'%.*s' cannot be '%.*s'", (int)io->text.length, io->text.p,
                          (int)raw.text.length, raw.text.p);
    if (pend->feeds >> io->n & 1)
        return scan_error(&p->scan, where, "port-taken", NULL, "'%.*s' is already given", (int)io->text.length, io->text.p);
    pend->feeds |= 1u << io->n;
    uint8_t *const selectors[] = {&pend->g.is0, &pend->g.is1, &pend->g.is2, &pend->g.is3, &pend->g.is4, &pend->g.is5};
    *selectors[io->n] = (uint8_t)code;
    return true;
}

/* Units that a phase label is for; 0: it is none. */
static uint16_t label_units(struct rogue_word w)
{
    static const struct {
        const char *name;
        uint16_t units;
    } labels[] = {
        {"p0", 1 << ROGUE_P0 | 1 << ROGUE_BITMASK | 1 << ROGUE_SHIFT1 | 1 << ROGUE_COUNT},
        {"p1", 1 << ROGUE_P1 | 1 << ROGUE_LOGICAL},
        {"p2", 1 << ROGUE_SHIFT2 | 1 << ROGUE_BITTEST},
        {"p2_pck", 1 << ROGUE_PCK}, {"p2pck", 1 << ROGUE_PCK}, {"p2_tst", 1 << ROGUE_TST}, {"p2tst", 1 << ROGUE_TST},
        {"p2_mov", 1 << ROGUE_MOV}, {"p2mov", 1 << ROGUE_MOV}, {"backend", 1 << ROGUE_BACKEND}, {"ctrl", 1 << ROGUE_CTRL},
        {"p0bm", 1 << ROGUE_BITMASK}, {"p0shf1", 1 << ROGUE_SHIFT1}, {"p0cnt", 1 << ROGUE_COUNT}, {"p1log", 1 << ROGUE_LOGICAL},
        {"p2shf2", 1 << ROGUE_SHIFT2},
    };
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++)
        if (word_is(w, labels[i].name))
            return labels[i].units;
    return 0;
}

/* (rpt4) of the older compiler. */
static bool parse_rpt(struct parser *p, bool *found)
{
    *found = *p->scan.p == '(' && scan_word_length(p->scan.p + 1) == 4 && scan_word_is(p->scan.p + 1, 3, "rpt");
    if (!*found)
        return true;
    const char *digit = p->scan.p + 4;
    take(p, 5);
    return parse_count(p, digit, 1) && (take_char(p, ')') || scan_expected(&p->scan, "')'"));
}

/* name = register; is4/w0 = ft0. False with *found when it is wrong. */
static bool try_assignment(struct parser *p, struct rogue_word w, bool *found)
{
    const char *q = w.p + w.length;
    if (*q == '/')
        q += 1 + scan_word_length(q + 1);
    while (*q == ' ' || *q == '\t')
        q++;
    struct rogue_raw io = {.text = w};
    *found = *q == '=' && w.length >= 2 &&
             find_port_word(w.p, w.length - 1, (uint64_t)(w.p[w.length - 1] - '0'), true, &io) &&
             io.kind != ROGUE_RAW_FT && io.kind != ROGUE_RAW_DRC;
    if (!*found)
        return true;
    take(p, (size_t)(q + 1 - p->scan.p));
    return parse_assignment(p, &io);
}

static bool parse_item(struct parser *p)
{
    bool found;
    if (!parse_rpt(p, &found) || found)
        return p->scan.errors == 0 || found;
    struct rogue_word w = peek_word(p);
    if (word_is(w, "main") || word_is(w, "bitwise") || word_is(w, "control") || word_is(w, "type")) {
        take(p, w.length);
        return true;
    }
    if (word_is(w, "repeat")) {
        take(p, w.length);
        skip(p, false, false);
        struct rogue_word digits = peek_word(p);
        take(p, digits.length);
        return parse_count(p, digits.p, digits.length);
    }
    if (!try_assignment(p, w, &found) || found)
        return found && p->scan.last >= w.p && p->scan.p > w.p;
    uint16_t units = 0xFFFF;
    bool labelled = false;
    if (w.length && w.p[w.length] == ':') {
        units = label_units(w);
        if (!units)
            return scan_error(&p->scan, span_of(p, w), "phase", "p0, p1, p2_pck, p2_tst, p2_mov, backend or ctrl; bitwise: p0, p1, p2",
                              "unknown phase '%.*s'", (int)w.length, w.p);
        take(p, w.length + 1);
        skip(p, true, false);
        p->pending.is_explicit = labelled = true;
        if (!parse_rpt(p, &found))
            return false;
        skip(p, true, false);
    }
    return parse_statement(p, units, labelled);
}

/* ---- groups ---- */

static bool parse_suffix(struct parser *p)
{
    static const char *const flags[] = {"olchk", "atom", "end", "ph0"};
    static const char *const numbers[] = {"hdr", "lo", "up", "dst", "pad"};
    struct rogue_group *g = &p->pending.g;
    bool *const flag[] = {&g->olchk, &g->atom, &g->end, &g->ph0_low};
    uint8_t *const number[] = {&g->header, &g->lower, &g->upper, &g->dst};
    static const uint8_t most[] = {3, 8, 8, 5, 30};
    take(p, 1);
    struct rogue_word w = peek_word(p);
    take(p, w.length);
    size_t letters = w.length;
    while (letters && scan_is(w.p[letters - 1], SCAN_DIGIT))
        letters--;
    uint64_t value = 0;
    for (size_t i = letters; i < w.length && value < 100; i++)
        value = value * 10 + (uint64_t)(w.p[i] - '0');
    int i = scan_word_index(w.p, w.length, flags, 4), n = scan_word_index(w.p, letters, numbers, 5);
    if (i >= 0)
        *flag[i] = true;
    else if (n >= 0 && letters < w.length && value <= most[n] && (n < 4 ? value > 0 : value % 2 == 0) && (n > 0 || value == 3)) {
        if (n < 4)
            *number[n] = (uint8_t)value;
        else
            g->pad = (int8_t)value;
    } else {
        return scan_error(&p->scan, span_of(p, w), "modifier", "olchk, atom, end, ph0, hdr3, lo1.., up1.., dst1.., pad0..",
                          "unknown suffix '.%.*s' of a group", (int)w.length, w.p);
    }
    return true;
}

static bool grow(struct parser *p)
{
    if (p->ngroups < p->groups_cap)
        return true;
    struct rogue_group *groups = arena_grow(p->arena, p->groups, sizeof *groups, p->ngroups, &p->groups_cap, p->ngroups + 1);
    struct span *where = arena_grow(p->arena, p->where, sizeof *where, p->ngroups, &p->where_cap, p->ngroups + 1);
    if (!groups || !where)
        return false;
    p->groups = groups;
    p->where = where;
    if (p->where_cap < p->groups_cap)
        p->groups_cap = p->where_cap;
    return true;
}

static bool add_label(struct parser *p, struct label **list, size_t *count, size_t *cap, const char *name, uint32_t length)
{
    if (*count >= *cap) {
        struct label *grown = arena_grow(p->arena, *list, sizeof *grown, *count, cap, *count + 1);
        if (!grown)
            return false;
        *list = grown;
    }
    (*list)[(*count)++] = (struct label){name, length, (uint32_t)p->ngroups};
    return true;
}

static bool finish_group(struct parser *p, const char *start)
{
    struct rogue_trouble trouble;
    struct rogue_pending *pend = &p->pending;
    struct rogue_word all = {start, (uint32_t)(p->scan.last > start ? p->scan.last - start : 0)};
    if (pend->ndrafts == 0)
        return scan_error(&p->scan, span_of(p, all), "empty-group", NULL, "the group has no instruction");
    if (!rogue_complete(pend, &trouble))
        return report(p, &trouble);
    if (!rogue_phases_fit(&pend->g))
        return scan_error(&p->scan, span_of(p, all), "phase-missing", NULL, "%s", rogue_fit(&pend->g));
    const char *why = rogue_fit(&pend->g);
    if (why)
        return scan_error(&p->scan, span_of(p, all), "does-not-fit", NULL, "%s", why);
    if (!grow(p))
        return false;
    if (pend->label && !add_label(p, &p->branches, &p->nbranches, &p->branches_cap, pend->label, pend->label_length))
        return false;
    p->groups[p->ngroups] = pend->g;
    p->where[p->ngroups++] = span_of(p, all);
    return true;
}

/* .data 0123abcd: bytes that are no group. */
static bool parse_data(struct parser *p, const char *start)
{
    take(p, 1);
    struct rogue_word w = peek_word(p);
    take(p, w.length);
    if (!word_is(w, "data"))
        return scan_error(&p->scan, span_of(p, w), "unknown-directive", NULL, "expected '.data', found '.%.*s'", (int)w.length, w.p);
    skip(p, false, false);
    w = peek_word(p);
    take(p, w.length);
    uint8_t *bytes = w.length ? ARENA_ARRAY(p->arena, uint8_t, w.length / 2 + 1) : NULL;
    bool fine = w.length >= 2 && w.length % 2 == 0 && w.length <= 2 * ROGUE_GROUP_BYTES;
    for (uint32_t i = 0; fine && bytes && i < w.length; i++) {
        char c = w.p[i];
        fine = scan_is(c, SCAN_HEX);
        unsigned digit = (unsigned)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
        bytes[i / 2] = (uint8_t)((unsigned)bytes[i / 2] << 4 | (digit & 15));
    }
    if (!fine || !bytes || !grow(p))
        return scan_error(&p->scan, span_of(p, w), "operand", NULL, "expected 1 to 32 bytes as pairs of hex digits");
    p->groups[p->ngroups] = (struct rogue_group){.data = bytes, .size = (uint8_t)(w.length / 2)};
    p->where[p->ngroups++] = (struct span){scan_offset(&p->scan, start), (uint32_t)(p->scan.last - start)};
    return true;
}

/* if(p0), if(!p0), (ignorepe), (rpt2) */
static bool parse_conditions(struct parser *p)
{
    for (;;) {
        bool found;
        skip(p, true, false);
        struct rogue_word w = peek_word(p);
        if (!parse_rpt(p, &found))
            return false;
        if (found)
            continue;
        bool condition = word_is(w, "if");
        if (!condition && *p->scan.p != '(')
            return true;
        take(p, w.length);
        if (!take_char(p, '('))
            return scan_expected(&p->scan, "'('");
        bool no = condition && take_char(p, '!');
        skip(p, false, false);
        w = peek_word(p);
        take(p, w.length);
        if (!word_is(w, condition ? "p0" : "ignorepe") || !take_char(p, ')'))
            return scan_error(&p->scan, span_of(p, w), "condition", "if(p0), if(!p0), (ignorepe)", "unknown condition");
        p->pending.g.cc = condition ? no ? ROGUE_CC_PE_NOT_P0 : ROGUE_CC_PE_P0 : ROGUE_CC_IGNORE_PE;
    }
}

static bool at_line_label(const struct parser *p)
{
    struct rogue_word w = peek_word(p);
    return w.length && scan_is(*w.p, SCAN_LETTER) && w.p[w.length] == ':' && !label_units(w);
}

static bool parse_body(struct parser *p, bool braces)
{
    for (;;) {
        skip(p, true, false);
        char c = *p->scan.p;
        if (c == ';' || c == ',') {
            take(p, 1);
            continue;
        }
        if (at_end(p) || (!braces && (at_group(p) || at_line_label(p))))
            return !braces || scan_expected(&p->scan, "'}'");
        if (c == '}') {
            if (!braces)
                return true;
            take(p, 1);
            while (*p->scan.p == '.')
                if (!parse_suffix(p))
                    return false;
            return true;
        }
        if (!parse_item(p))
            return false;
    }
}

static void start_pending(struct parser *p)
{
    memset(&p->pending.g, 0, sizeof p->pending.g);
    p->pending.g.repeat = 1;
    p->pending.g.pad = -1;
    p->pending.is_explicit = p->pending.alu_known = false;
    p->pending.feeds = 0;
    p->pending.ndrafts = 0;
    p->pending.last = NULL;
    p->pending.label = NULL;
}

static bool parse_group(struct parser *p)
{
    const char *start = p->scan.p;
    uint64_t number;
    start_pending(p);
    take_number(p, &number);
    take_char(p, ':');
    skip(p, true, false);
    if (*p->scan.p == '.')
        return parse_data(p, start);
    if (!parse_conditions(p))
        return false;
    skip(p, true, false);
    bool braces = *p->scan.p == '{';
    take(p, braces);
    return parse_body(p, braces) && finish_group(p, start);
}

/* Lines of the published compilers' listings that are no groups. */
static bool skip_frame(struct parser *p)
{
    static const char *const words[] = {"shader", "stage", "internal", "func", "block", "after"};
    struct rogue_word w = peek_word(p);
    bool block = w.length > 5 && scan_word_is(w.p, 5, "block") && w.p[w.length] == ':';
    if (*p->scan.p != '{' && *p->scan.p != '}' && !block && scan_word_index(w.p, w.length, words, 6) < 0)
        return false;
    if (*p->scan.p == '{' || *p->scan.p == '}') {
        take(p, 1);
        return true;
    }
    if (word_is(w, "block")) { /* block B0: the name is a label */
        take(p, w.length);
        skip(p, false, false);
        w = peek_word(p);
        block = w.length && w.p[w.length] == ':';
    }
    if (block && !add_label(p, &p->labels, &p->nlabels, &p->labels_cap, w.p, w.length))
        return false;
    while (!at_end(p) && *p->scan.p != '\n')
        p->scan.p++;
    return true;
}

static void parse_program(struct parser *p)
{
    while (p->scan.errors < SCAN_MAX_ERRORS && !arena_failed(p->arena)) {
        skip(p, true, false);
        if (at_end(p))
            return;
        bool fine = true;
        if (at_group(p)) {
            fine = parse_group(p);
        } else if (at_line_label(p) && !skip_frame(p)) {
            struct rogue_word w = peek_word(p);
            fine = add_label(p, &p->labels, &p->nlabels, &p->labels_cap, w.p, w.length);
            take(p, w.length + 1);
        } else if (!skip_frame(p) && !at_group(p) && !at_end(p) && !scan_is(*p->scan.p, SCAN_BLANK) && *p->scan.p != '\n') {
            fine = scan_expected(&p->scan, "a group: its number and ':'");
        }
        if (!fine) { /* on with the next group */
            do {
                while (!at_end(p) && *p->scan.p != '\n')
                    p->scan.p++;
                skip(p, true, false);
            } while (!at_end(p) && !at_group(p));
        }
    }
}

/* ---- labels ---- */

static int by_name(const void *a, const void *b)
{
    const struct label *x = a, *y = b;
    uint32_t n = x->length < y->length ? x->length : y->length;
    int order = memcmp(x->name, y->name, n);
    return order ? order : (x->length > y->length) - (x->length < y->length);
}

/* Relative ones count from the start of the branch's own group (encoding, section 8). */
static void resolve_labels(struct parser *p, struct isa_module *m)
{
    if (p->nlabels)
        qsort(p->labels, p->nlabels, sizeof *p->labels, by_name);
    for (size_t i = 1; i < p->nlabels; i++)
        if (by_name(&p->labels[i - 1], &p->labels[i]) == 0)
            scan_error(&p->scan, span_of(p, (struct rogue_word){p->labels[i].name, p->labels[i].length}), "label-twice", NULL,
                       "label '%.*s' is defined twice", (int)p->labels[i].length, p->labels[i].name);
    for (size_t i = 0; i < p->nbranches; i++) {
        const struct label *b = &p->branches[i];
        const struct label *l = p->nlabels ? bsearch(b, p->labels, p->nlabels, sizeof *l, by_name) : NULL;
        if (!l) {
            scan_error(&p->scan, span_of(p, (struct rogue_word){b->name, b->length}), "unknown-label", NULL, "no label '%.*s'",
                       (int)b->length, b->name);
            continue;
        }
        struct rogue_group *g = &m->groups[b->group];
        struct rogue_insn *insn = &g->insn[0];
        const struct rogue_variant *v = rogue_variant_of(rogue_table(), insn);
        uint64_t end = m->ngroups ? m->groups[m->ngroups - 1].offset + m->groups[m->ngroups - 1].size : 0;
        uint64_t target = l->group < m->ngroups ? m->groups[l->group].offset : end;
        target = rogue_get(insn, ROGUE_F_ABS) ? m->base + target : target - g->offset;
        rogue_set(v, &insn->bits, ROGUE_F_OFFSET, target >> 1 & 0x7FFFFFFF);
    }
}

weft_status rogue_parse(const struct source *src, const struct isa_params *params, struct arena *arena,
                        struct isa_module **out, weft_diags *diags)
{
    struct parser *p = ARENA_NEW(arena, struct parser);
    struct isa_module *m = ARENA_NEW(arena, struct isa_module);
    const char *why;
    *out = NULL;
    if (!p || !m)
        return WEFT_ERROR_MEMORY;
    p->arena = arena;
    if (!scan_start(&p->scan, src, 0, arena, diags))
        return WEFT_ERROR_MEMORY;
    parse_program(p);
    *m = (struct isa_module){.base = params->base, .strict = params->strict, .stage = params->stage, .linkage = params->linkage,
                             .groups = p->groups, .where = p->where, .ngroups = (uint32_t)p->ngroups};
    int64_t misfit = p->scan.errors ? -1 : rogue_layout(m, &why);
    if (misfit >= 0)
        scan_error(&p->scan, p->where[misfit], "does-not-fit", NULL, "%s", why);
    resolve_labels(p, m);
    if (arena_failed(arena))
        return WEFT_ERROR_MEMORY;
    *out = m;
    return p->scan.errors ? WEFT_ERROR_INPUT : WEFT_OK;
}
