/* parse.c - text to groups: the document's and the published compilers'; labels, and the branches that go to them. */
#include "isa/rogue/parse.h"

#include "isa/linkage.h"

#include <stdlib.h>
#include <string.h>

/* ---- the groups of a text as they come ---- */

/* Where a group is: known when all are laid out. */
struct item {
    uint32_t address, size;
};

/* Groups and their places grow to many megabytes. False without memory. */
static bool make_room(struct rogue_listing *l)
{
    enum { FIRST = 16 };
    size_t most = l->groups_cap ? 2 * l->groups_cap : FIRST;
    struct rogue_group *groups = arena_block(l->a.arena, l->groups, most * sizeof *groups);
    if (!groups)
        return false;
    l->groups = groups;
    struct span *spans = arena_block(l->a.arena, l->where, most * sizeof *spans);
    if (!spans)
        return false;
    l->where = spans;
    l->groups_cap = most;
    return true;
}

static bool list_group(struct rogue_listing *l, const struct rogue_group *g, struct span where)
{
    if ((l->ngroups >= l->groups_cap && !make_room(l)) || !asm_append(&l->a)) {
        asm_drop_fixups(&l->a);
        return false;
    }
    l->groups[l->ngroups] = *g;
    l->where[l->ngroups++] = where;
    return true;
}

bool rogue_list_label(struct rogue_listing *l, struct rogue_word name)
{
    struct asm_symbol *label = asm_symbol(&l->a, name.p, name.length);
    l->a.scan.last = name.p + name.length;
    if (label)
        asm_define_label(&l->a, label, name.p); /* a label that is there twice does not end a line */
    return label != NULL;
}

/* A register or a port. */
static bool is_register(const char *word, size_t length)
{
    size_t letters = length;
    uint64_t number = 0;
    struct rogue_raw port;
    struct rogue_reg reg;
    while (letters && scan_is(word[letters - 1], SCAN_DIGIT))
        letters--;
    for (size_t i = letters; i < length; i++)
        number = number < UINT16_MAX ? number * 10 + (uint64_t)(word[i] - '0') : number;
    return scan_word_is(word, length, "fte") ||
           (letters && letters < length &&
            (rogue_find_reg(word, letters, number, &reg) || rogue_find_port_word(word, letters, number, true, &port)));
}

bool rogue_at_constant(const struct scan *s)
{
    static const char *const names[] = {"equ", "set", "equiv"};
    size_t length = *s->p == '.' ? scan_word_length(s->p + 1) : 0;
    return length && scan_word_index(s->p + 1, length, names, sizeof names / sizeof names[0]) >= 0;
}

bool rogue_read_constant(struct scan *s)
{
    rogue_take(s, 1 + scan_word_length(s->p + 1));
    rogue_skip(s, false, false);
    struct rogue_word w = rogue_peek(s);
    if (!w.length || !scan_is(*w.p, SCAN_LETTER))
        return scan_expected(s, "a name");
    if (is_register(w.p, w.length))
        return asm_error(rogue_assembler(s), w.p, "symbol", NULL, "'%.*s' is a register or a port", ROGUE_WORD(w));
    rogue_take(s, w.length);
    if (!rogue_take_char(s, ','))
        return scan_expected(s, "','");
    s->comments = SCAN_HASH | SCAN_SLASHES | SCAN_C;
    bool fine = asm_equ(rogue_assembler(s), w.p, w.length);
    s->comments = 0;
    return fine;
}

bool rogue_list_pending(struct rogue_listing *l, const struct rogue_pending *p, struct span where)
{
    if (p->label) {
        struct asm_symbol *label = asm_symbol(&l->a, p->label, p->label_length);
        struct span at = rogue_span(&l->a.scan, (struct rogue_word){p->label, p->label_length});
        const struct asm_expr *e = label ? asm_symbol_here(&l->a, label) : NULL;
        if (!e || !asm_add_fixup(&l->a, &(struct asm_fixup){.role = ASM_INSN, .expr = e, .where = at}))
            return false;
    }
    return list_group(l, &p->g, where);
}

/* ---- labels ---- */

/* Relative ones count from the start of the branch's own group. */
static bool settle(struct asm_state *a, const struct asm_fixup *f, void *item, int64_t target)
{
    const struct isa_module *m = a->own;
    struct rogue_group *g = &m->groups[f->index];
    struct rogue_insn *insn = &g->insn[0];
    const struct item *branch = item;
    uint64_t to = (uint64_t)target;
    to = rogue_get(insn, ROGUE_F_ABS) ? m->base + to : to - branch->address;
    rogue_set(rogue_variant_of(rogue_table(), insn), &insn->bits, ROGUE_F_OFFSET, to >> 1 & 0x7FFFFFFF);
    return true;
}

static void open_section(struct asm_section *s)
{
    s->code = true;
}

static const struct asm_isa assembler = {
    .item = sizeof(struct item), .is_register = is_register, .open = open_section, .settle = settle};

static bool list_start(struct rogue_listing *l, const struct source *src, struct arena *arena, weft_diags *diags)
{
    l->a = (struct asm_state){.isa = &assembler, .arena = arena, .diags = diags};
    return scan_start(&l->a.scan, src, 0, arena, diags) && asm_start(&l->a, ".text");
}

/* Point the branches of the module made of the listing, which has been laid out, to their labels. */
static void resolve_labels(struct rogue_listing *l, struct isa_module *m)
{
    struct asm_section *section = &l->a.section[0];
    for (uint32_t i = 0; i < m->ngroups; i++) {
        *(struct item *)asm_item(&l->a, section, i) = (struct item){m->groups[i].offset, m->groups[i].size};
        section->size = m->groups[i].offset + m->groups[i].size;
    }
    l->a.own = m;
    l->a.pass = 1; /* from here on addresses are known */
    asm_layout(&l->a);
}

/* ---- instructions of a group ---- */

struct parser {
    struct rogue_pending pending;
    struct rogue_statement statement;
    struct rogue_listing list;
    struct scan *scan; /* the list's */
    unsigned frames;   /* of listings, that are open */
};

static struct span span_of(const struct parser *p, struct rogue_word w)
{
    return rogue_span(p->scan, w);
}

static bool report(struct parser *p, const struct rogue_trouble *t)
{
    return scan_error(p->scan, span_of(p, t->where), t->code, NULL, "%s", t->message);
}

/* "mov r0, ft0", without bytes and without a label, names a destination. */
static bool is_declaration(const struct parser *p, const struct rogue_statement *s)
{
    const struct rogue_raw *from = s->labelled || p->pending.is_explicit ? NULL : rogue_moved(s);
    return from && (from->kind == ROGUE_RAW_FT || from->kind == ROGUE_RAW_REG);
}

/* The document writes the two halves of a sum of products as two instructions: sop r0.joutj, a, e, op, b, f and the
 * same with koutk. */
enum { HALF = 6, MOVES = 2 };
static void join_halves(struct parser *p, struct rogue_statement *s);

static bool parse_statement(struct parser *p, uint16_t units, bool labelled)
{
    struct rogue_statement *s = &p->statement;
    s->units = units;
    s->labelled = labelled;
    if (!rogue_parse_statement(p->scan, s))
        return false;
    if (s->noperands == HALF && rogue_is_half(s->name.p, s->name.length))
        join_halves(p, s);
    struct rogue_trouble trouble;
    struct rogue_mismatch wrong;
    if (is_declaration(p, s)) {
        p->pending.declared = s->operands[0].text;
        return rogue_declare(&p->pending, s, &trouble) || report(p, &trouble);
    }
    struct rogue_draft *d = &p->pending.drafts[p->pending.ndrafts];
    if (p->pending.ndrafts + 1 >= ROGUE_DRAFT_INSNS)
        return scan_error(p->scan, span_of(p, s->name), "phase-taken", NULL,
                          "more instructions than a group has phases");
    if (!rogue_match(s, d, &wrong))
        return rogue_report_mismatch(p->scan, s, &wrong);
    d->text = rogue_text_of(s);
    return rogue_add(&p->pending, d, &trouble) || report(p, &trouble);
}

/* jDest.joutj kDest.koutk: the first half waits for the second, which follows it. */
static void join_halves(struct parser *p, struct rogue_statement *s)
{
    static const struct rogue_raw absent = {.text = {"_", 1}};
    struct rogue_raw all[2 * HALF + MOVES];
    const char *before = p->scan->p;
    struct rogue_statement *second = arena_alloc(p->list.a.arena, sizeof *second);
    rogue_take_char(p->scan, ';');
    rogue_skip(p->scan, true, false);
    struct rogue_word w = rogue_peek(p->scan);
    if (!second || !rogue_is_half(w.p, w.length) || !rogue_parse_statement(p->scan, second) ||
        second->noperands != HALF) {
        p->scan->p = before;
        return;
    }
    struct rogue_raw *halves[2] = {s->operands, second->operands};
    for (unsigned h = 0; h < 2;
         h++) { /* joutj, koutk are the first code of their fields; the destinations are declared */
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

static bool not_a_register(struct parser *p, const struct rogue_raw *raw)
{
    const char *none = rogue_no_register(p->list.a.arena, raw->text);
    return none ? scan_error(p->scan, span_of(p, raw->text), "out-of-range", NULL, "%s", none)
                : scan_error(p->scan, span_of(p, raw->text), "bad-operand", NULL, "expected a register, found '%.*s'",
                             ROGUE_WORD(raw->text));
}

/* s0 = r1, is4 = ft0, w0 = r2 */
static bool parse_assignment(struct parser *p, const struct rogue_raw *io)
{
    struct rogue_pending *pend = &p->pending;
    struct rogue_raw raw;
    rogue_skip(p->scan, false, true);
    if (!rogue_parse_operand(p->scan, &raw))
        return false;
    pend->is_explicit = true;
    struct span where = span_of(p, raw.text);
    if (raw.nmods)
        return scan_error(p->scan, span_of(p, raw.mods[0]), "bad-modifier",
                          arena_printf(p->list.a.arena, "write %.*s.%.*s in the instruction", ROGUE_WORD(io->text),
                                       ROGUE_WORD(raw.mods[0])),
                          "'.%.*s' cannot be here: this says which register it is", ROGUE_WORD(raw.mods[0]));
    if (io->kind == ROGUE_RAW_SOURCE || io->kind == ROGUE_RAW_W) {
        if (raw.kind != ROGUE_RAW_REG)
            return not_a_register(p, &raw);
        uint8_t *set = io->kind == ROGUE_RAW_W ? &pend->g.destinations : &pend->g.sources;
        if (*set >> io->n & 1)
            return scan_error(p->scan, where, "port-taken", NULL, "'%.*s' is already given", ROGUE_WORD(io->text));
        *set |= (uint8_t)(1u << io->n);
        *(io->kind == ROGUE_RAW_W ? &pend->g.w[io->n] : &pend->g.s[io->n]) = raw.reg;
        if (io->kind == ROGUE_RAW_SOURCE)
            pend->port_text[io->n] = raw.text;
        return true;
    }
    bool selects = raw.kind == ROGUE_RAW_SOURCE || raw.kind == ROGUE_RAW_FT;
    int code = selects ? rogue_selector_code(io->n, raw.text) : -1;
    if (code < 0)
        return scan_error(p->scan, where, "bad-operand", NULL, "'%.*s' cannot be '%.*s'", ROGUE_WORD(io->text),
                          ROGUE_WORD(raw.text));
    if (pend->fed[io->n])
        return scan_error(p->scan, where, "port-taken", NULL, "'%.*s' is already given", ROGUE_WORD(io->text));
    pend->fed[io->n] = true;
    pend->g.is[io->n] = (uint8_t)code;
    pend->g.mux |= io->n == 0;
    return true;
}

/* Units that a phase label is for; 0: it is not a phase label. */
static uint16_t label_units(struct rogue_word w)
{
    unsigned units = 0;
    for (unsigned unit = 0; unit < ROGUE_UNITS; unit++) {
        const struct rogue_unit_info *u = &rogue_units[unit];
        if ((w.length == u->label_length && rogue_word_is(w, u->label)) ||
            (w.length == u->alias_length && rogue_word_is(w, u->alias)))
            units |= 1u << unit;
    }
    return (uint16_t)units;
}

/* name = register; is4/w0 = ft0. */
static bool try_assignment(struct parser *p, struct rogue_word w, bool *found)
{
    const char *q = w.p + w.length;
    if (*q == '/')
        q += 1 + scan_word_length(q + 1);
    while (*q == ' ' || *q == '\t')
        q++;
    *found = w.length && *q == '=';
    if (!*found)
        return true;
    struct rogue_raw io;
    io.text = w;
    if (!rogue_find_port_word(w.p, w.length - 1, (uint64_t)(w.p[w.length - 1] - '0'), true, &io) ||
        io.kind == ROGUE_RAW_FT || io.kind == ROGUE_RAW_DRC)
        return scan_error(p->scan, span_of(p, w), "bad-operand", NULL,
                          "'%.*s' cannot be assigned: s0 to s5, is0 to is5, w0 and w1 can", ROGUE_WORD(w));
    rogue_take(p->scan, (size_t)(q + 1 - p->scan->p));
    return parse_assignment(p, &io);
}

static bool parse_item(struct parser *p)
{
    bool found;
    if (!rogue_parse_repeat(p->scan, &p->pending.g.repeat, &found) || found)
        return p->scan->errors == 0 || found;
    static const char *const alus[] = {[ROGUE_MAIN] = "main", [ROGUE_BITWISE] = "bitwise", [ROGUE_CONTROL] = "control"};
    struct rogue_word w = rogue_peek(p->scan);
    for (uint8_t alu = 0; alu < sizeof alus / sizeof *alus; alu++) {
        if (!alus[alu] || !rogue_word_is(w, alus[alu]))
            continue;
        if (p->pending.alu_known && p->pending.g.alu != alu)
            return scan_error(p->scan, span_of(p, w), "phase-taken", NULL, "the group is one of the %s ALU",
                              alus[p->pending.g.alu]);
        p->pending.g.alu = alu;
        p->pending.alu_known = true;
        rogue_take(p->scan, w.length);
        return true;
    }
    if (rogue_word_is(w, "type")) {
        rogue_take(p->scan, w.length);
        return true;
    }
    if (rogue_word_is(w, "repeat")) {
        rogue_take(p->scan, w.length);
        rogue_skip(p->scan, false, false);
        struct rogue_word digits = rogue_peek(p->scan);
        rogue_take(p->scan, digits.length);
        return rogue_parse_count(p->scan, digits, &p->pending.g.repeat);
    }
    if (!try_assignment(p, w, &found) || found)
        return found && p->scan->last >= w.p && p->scan->p > w.p;
    uint16_t units = 0xFFFF;
    bool labelled = false;
    if (w.length && w.p[w.length] == ':') {
        units = label_units(w);
        if (!units)
            return scan_error(p->scan, span_of(p, w), "phase",
                              "p0, p1, p2_pck, p2_tst, p2_mov, backend or ctrl; bitwise: p0, p1, p2",
                              "unknown phase '%.*s'", ROGUE_WORD(w));
        rogue_take(p->scan, w.length + 1);
        rogue_skip(p->scan, true, false);
        p->pending.is_explicit = labelled = true;
        if (!rogue_parse_repeat(p->scan, &p->pending.g.repeat, &found))
            return false;
        rogue_skip(p->scan, true, false);
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
    rogue_take(p->scan, 1);
    struct rogue_word w = rogue_peek(p->scan);
    rogue_take(p->scan, w.length);
    size_t letters = w.length;
    while (letters && scan_is(w.p[letters - 1], SCAN_DIGIT))
        letters--;
    uint64_t value = 0;
    for (size_t i = letters; i < w.length && value < 100; i++)
        value = value * 10 + (uint64_t)(w.p[i] - '0');
    int i = scan_word_index(w.p, w.length, flags, 4), n = scan_word_index(w.p, letters, numbers, 5);
    if (i >= 0)
        *flag[i] = true;
    else if (n >= 0 && letters < w.length && value <= most[n] && (n < 4 ? value > 0 : value % 2 == 0) &&
             (n > 0 || value == 3)) {
        if (n < 4)
            *number[n] = (uint8_t)value;
        else
            g->pad = (int8_t)value;
    } else {
        return scan_error(p->scan, span_of(p, w), "bad-modifier",
                          "olchk, atom, end, ph0, hdr3, lo1.., up1.., dst1.., pad0..",
                          "unknown suffix '.%.*s' of a group", ROGUE_WORD(w));
    }
    return true;
}

static bool finish_group(struct parser *p, const char *start)
{
    struct rogue_trouble trouble;
    struct rogue_pending *pend = &p->pending;
    struct rogue_word all = {start, (uint32_t)(p->scan->last > start ? p->scan->last - start : 0)};
    if (pend->ndrafts == 0)
        return scan_error(p->scan, span_of(p, all), "empty-group", NULL, "the group has no instruction");
    if (!rogue_complete(pend, &trouble))
        return report(p, &trouble);
    if (!rogue_phases_fit(&pend->g))
        return scan_error(p->scan, span_of(p, all), "phase-missing", NULL, "%s", rogue_fit(&pend->g));
    const char *why = rogue_fit(&pend->g);
    if (why)
        return scan_error(p->scan, span_of(p, all), "does-not-fit", NULL, "%s", why);
    return rogue_list_pending(&p->list, pend, span_of(p, all));
}

/* .data 0123abcd: bytes that are not a group. */
static bool parse_data(struct parser *p, const char *start)
{
    rogue_take(p->scan, 1);
    struct rogue_word w = rogue_peek(p->scan);
    rogue_take(p->scan, w.length);
    if (rogue_word_is(w, "link"))
        return scan_error(p->scan, span_of(p, w), "unknown-directive", LINKAGE_HINT,
                          "lines of .link are not part of a program");
    if (!rogue_word_is(w, "data"))
        return scan_error(p->scan, span_of(p, w), "unknown-directive", NULL,
                          "expected '.data' or '.equ', found '.%.*s'", ROGUE_WORD(w));
    rogue_skip(p->scan, false, false);
    w = rogue_peek(p->scan);
    rogue_take(p->scan, w.length);
    uint8_t *bytes = w.length ? ARENA_ARRAY(p->list.a.arena, uint8_t, w.length / 2 + 1) : NULL;
    bool fine = w.length >= 2 && w.length % 2 == 0 && w.length <= 2 * ROGUE_GROUP_BYTES;
    for (uint32_t i = 0; fine && bytes && i < w.length; i++) {
        char c = w.p[i];
        fine = scan_is(c, SCAN_HEX);
        unsigned digit = (unsigned)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
        bytes[i / 2] = (uint8_t)((unsigned)bytes[i / 2] << 4 | (digit & 15));
    }
    if (!fine || !bytes)
        return scan_error(p->scan, span_of(p, w), "bad-operand", NULL,
                          "expected 1 to 32 bytes as pairs of hex digits");
    struct rogue_group g = {.data = bytes, .size = (uint8_t)(w.length / 2)};
    return list_group(&p->list, &g, scan_at(p->scan, start, p->scan->last - start));
}

static bool at_line_label(const struct parser *p)
{
    struct rogue_word w = rogue_peek(p->scan);
    return w.length && scan_is(*w.p, SCAN_LETTER) && w.p[w.length] == ':' && !label_units(w);
}

/* Is a group next that leaves out its number: "{ " with something after it on the line, "if(p0)", ".data"? */
static bool at_bare_group(const struct parser *p)
{
    const char *q = p->scan->p;
    struct rogue_word w = rogue_peek(p->scan);
    if (*q == '.' || (*q == '(' && scan_word_is(q + 1, scan_word_length(q + 1), "ignorepe")))
        return true;
    if (rogue_word_is(w, "if") && q[2] == '(')
        return true;
    if (*q != '{')
        return false;
    q += 1 + strspn(q + 1, " \t");
    return *q != '\n' && *q != '\r' && *q != '/' && *q != '#' && *q != '\0';
}

/* What ends a group without braces. */
static bool next_begins(const struct parser *p)
{
    return rogue_at_group(p->scan) || at_line_label(p) || rogue_at_constant(p->scan) || at_bare_group(p);
}

static bool parse_body(struct parser *p, bool braces)
{
    for (;;) {
        rogue_skip(p->scan, true, false);
        char c = *p->scan->p;
        if (c == ';' || c == ',') {
            rogue_take(p->scan, 1);
            continue;
        }
        if (rogue_at_end(p->scan) || (!braces && next_begins(p)))
            return !braces || scan_expected(p->scan, "'}'");
        if (c == '}') {
            if (!braces)
                return true;
            rogue_take(p->scan, 1);
            while (*p->scan->p == '.')
                if (!parse_suffix(p))
                    return false;
            return true;
        }
        if (rogue_at_group(p->scan))
            return scan_expected_or(p->scan, "'}'", "the group before this one is open");
        if (!parse_item(p))
            return false;
    }
}

static bool parse_group(struct parser *p)
{
    const char *start = p->scan->p;
    uint64_t number;
    rogue_start_pending(&p->pending);
    rogue_take_number(p->scan, &number);
    rogue_take_char(p->scan, ':');
    rogue_skip(p->scan, true, false);
    if (*p->scan->p == '.')
        return parse_data(p, start);
    if (!rogue_parse_conditions(p->scan, &p->pending.g.cc, &p->pending.g.repeat))
        return false;
    rogue_skip(p->scan, true, false);
    bool braces = *p->scan->p == '{';
    rogue_take(p->scan, braces);
    return parse_body(p, braces) && finish_group(p, start);
}

/* Lines of the published compilers' listings that are not groups. */
static bool skip_frame(struct parser *p)
{
    static const char *const words[] = {"shader", "stage", "internal", "func", "block", "after"};
    struct rogue_word w = rogue_peek(p->scan);
    bool block = w.length > 5 && scan_word_is(w.p, 5, "block") && w.p[w.length] == ':';
    if (*p->scan->p != '{' && *p->scan->p != '}' && !block && scan_word_index(w.p, w.length, words, 6) < 0)
        return false;
    if (*p->scan->p == '}' && p->frames == 0)
        return false;
    if (*p->scan->p == '{' || *p->scan->p == '}') {
        p->frames += *p->scan->p == '{' ? 1 : -1u;
        rogue_take(p->scan, 1);
        return true;
    }
    if (rogue_word_is(w, "block")) { /* block B0: the name is a label */
        rogue_take(p->scan, w.length);
        rogue_skip(p->scan, false, false);
        w = rogue_peek(p->scan);
        block = w.length && w.p[w.length] == ':';
    }
    if (block && !rogue_list_label(&p->list, w))
        return false;
    while (!rogue_at_end(p->scan) && *p->scan->p != '\n')
        p->scan->p++;
    return true;
}

/* An instruction by itself is one of a list, or belongs between braces. */
static bool expected_group(struct parser *p)
{
    struct rogue_word w = rogue_peek(p->scan);
    bool known = rogue_is_mnemonic(w.p, w.length);
    const char *hint = known ? arena_printf(p->list.a.arena,
                                            "write { %.*s ... }, or a list that is packed (--pack, "
                                            "weft_program_options.pack)",
                                            ROGUE_WORD(w))
                       : *p->scan->p == '}' ? "no '{' is open here"
                                            : NULL;
    return scan_expected_or(p->scan, "a group: its number and ':'", hint);
}

static void parse_program(struct parser *p)
{
    while (p->scan->errors < SCAN_MAX_ERRORS && !arena_failed(p->list.a.arena)) {
        rogue_skip(p->scan, true, false);
        if (rogue_at_end(p->scan))
            return;
        bool fine = true;
        if (rogue_at_constant(p->scan)) {
            fine = rogue_read_constant(p->scan);
        } else if (rogue_at_group(p->scan) || at_bare_group(p)) {
            fine = parse_group(p);
        } else if (skip_frame(p)) {
            continue;
        } else if (at_line_label(p)) {
            struct rogue_word w = rogue_peek(p->scan);
            fine = rogue_list_label(&p->list, w);
            rogue_take(p->scan, w.length + 1);
        } else {
            fine = expected_group(p);
        }
        if (!fine) { /* on with the next group */
            do {
                while (!rogue_at_end(p->scan) && *p->scan->p != '\n')
                    p->scan->p++;
                rogue_skip(p->scan, true, false);
            } while (!rogue_at_end(p->scan) && !next_begins(p));
        }
    }
}

weft_status rogue_parse(const struct source *src, const struct isa_params *params, struct arena *arena,
                        struct isa_module **out, weft_diags *diags)
{
    struct parser *p = ARENA_NEW(arena, struct parser);
    struct isa_module *m = rogue_new_module(params, arena);
    const char *why;
    *out = NULL;
    if (!p || !m)
        return WEFT_ERROR_MEMORY;
    p->scan = &p->list.a.scan;
    if (!list_start(&p->list, src, arena, diags))
        return WEFT_ERROR_MEMORY;
    p->list.packs = params->pack;
    if (params->pack)
        rogue_pack_list(&p->list);
    else
        parse_program(p);
    m->groups = p->list.groups;
    m->where = p->list.where;
    m->ngroups = (uint32_t)p->list.ngroups;
    for (uint32_t i = 0; params->shorten && i < m->ngroups; i++)
        rogue_shorten(&m->groups[i]);
    int64_t misfit = p->scan->errors ? -1 : rogue_layout(m, &why);
    if (misfit >= 0)
        scan_error(p->scan, p->list.where[misfit], "does-not-fit", NULL, "%s", why);
    resolve_labels(&p->list, m);
    if (arena_failed(arena))
        return WEFT_ERROR_MEMORY;
    *out = m;
    return p->list.a.errors || p->scan->errors ? WEFT_ERROR_INPUT : WEFT_OK;
}
