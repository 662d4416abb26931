/* parse_group.c - groups out of instructions: which phase and port each takes, routes through IS0, defaults (chapter
 * 3).
 */
#include "isa/rogue/parse.h"
#include "isa/rogue/ports.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool trouble_is(struct rogue_trouble *t, const char *code, struct rogue_word where, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
static bool trouble_is(struct rogue_trouble *t, const char *code, struct rogue_word where, const char *fmt, ...)
{
    va_list args;
    t->code = code;
    t->where = where;
    va_start(args, fmt);
    vsnprintf(t->message, sizeof t->message, fmt, args);
    va_end(args);
    return false;
}

void rogue_start_pending(struct rogue_pending *p)
{
    memset(&p->g, 0, sizeof p->g);
    p->g.repeat = 1;
    p->g.pad = -1;
    p->is_explicit = p->alu_known = false;
    memset(p->fed, 0, sizeof p->fed);
    p->ndrafts = 0;
    p->last = NULL;
    p->declared = (struct rogue_word){0};
    p->label = NULL;
}

/* ---- ports ---- */

/* A register of chapter 4? Explicit groups are as they are written, whatever bytes can say. */
static bool must_exist(const struct rogue_pending *p, struct rogue_reg r, struct rogue_word where,
                       struct rogue_trouble *trouble)
{
    char text[ROGUE_MISSING_TEXT];
    return p->is_explicit || !rogue_missing_register(r, text) || trouble_is(trouble, "out-of-range", where, "%s", text);
}

static bool take_port(struct rogue_pending *p, unsigned port, const struct rogue_want *w, struct rogue_trouble *trouble)
{
    if (p->g.sources >> port & 1 && !rogue_same_reg(p->g.s[port], w->reg))
        return trouble_is(trouble, "port-taken", w->text, "source port S%u is taken by '%.*s'", port,
                          ROGUE_WORD(p->port_text[port]));
    if (!(p->g.sources >> port & 1))
        p->port_text[port] = w->text;
    p->g.sources |= (uint8_t)(1u << port);
    p->g.s[port] = w->reg;
    return true;
}

/* A port for a register that may be read through any: one that has it, else the first free one, without leaving one out
 * below it if that can be. -1: none. */
static int find_port(const struct rogue_pending *p, struct rogue_reg r)
{
    const struct rogue_group *g = &p->g;
    for (int port = 0; port < ROGUE_SOURCES; port++)
        if (g->sources >> port & 1 && rogue_same_reg(g->s[port], r))
            return port;
    for (int gaps = 0; gaps < 2; gaps++)
        for (int port = 0; port < ROGUE_SOURCES; port++) {
            unsigned below = port < 3 ? (1u << port) - 1 : ((1u << port) - 1) & 0x38;
            if (!(g->sources >> port & 1) && rogue_port_reads((unsigned)port, r) &&
                (gaps || (g->sources & below) == below))
                return port;
        }
    return -1;
}

static int any_port(struct rogue_pending *p, const struct rogue_want *w, struct rogue_trouble *trouble)
{
    int port = find_port(p, w->reg);
    if (port < 0) {
        trouble_is(trouble, "port-taken", w->text, "no source port is left that can read '%.*s'", ROGUE_WORD(w->text));
        return -1;
    }
    return take_port(p, (unsigned)port, w, trouble) ? port : -1;
}

/* ---- selectors ---- */

int rogue_selector_code(unsigned n, struct rogue_word word)
{
    return scan_word_index(word.p, word.length, rogue_selectors[n].words,
                           sizeof rogue_selectors->words / sizeof(char *));
}

static bool set_feed(struct rogue_pending *p, unsigned n, uint8_t code, struct rogue_word where,
                     struct rogue_trouble *trouble)
{
    uint8_t *is = &p->g.is[n];
    if (p->fed[n] && *is != code)
        return trouble_is(trouble, "port-taken", where,
                          "internal selector IS%u is already set to something else than '%.*s'", n, ROGUE_WORD(where));
    p->fed[n] = true;
    *is = code;
    return true;
}

/* ---- instructions ---- */

static bool set_destination(struct rogue_pending *p, const struct rogue_want *w, struct rogue_trouble *trouble)
{
    if (p->g.destinations >> w->n & 1 && !rogue_same_reg(p->g.w[w->n], w->reg))
        return trouble_is(trouble, "port-taken", w->text, "destination W%u is taken", w->n);
    p->g.destinations |= (uint8_t)(1u << w->n);
    p->g.w[w->n] = w->reg;
    return true;
}

static bool add_alu(struct rogue_pending *p, unsigned unit, struct rogue_word where, struct rogue_trouble *trouble)
{
    static const char *const names[] = {"main", "main", "bitwise", "control"};
    enum rogue_alu alu = (enum rogue_alu)rogue_units[unit].alu;
    if (p->alu_known && p->g.alu != alu)
        return trouble_is(trouble, "phase-taken", where, "'%.*s' is for the %s ALU, and the group is one of the %s ALU",
                          ROGUE_WORD(where), names[alu], names[p->g.alu]);
    p->g.alu = (uint8_t)alu;
    p->alu_known = true;
    return true;
}

/* "Instructions should appear in the code in phase order (zero to two) and if there is a TEST instruction it should
 * appear before the MOV instruction"; the document does not place PACK among these two. Destinations are declared after
 * the instructions. */
static bool in_order(const struct rogue_pending *p, const struct rogue_draft *d, struct rogue_trouble *trouble)
{
    const struct rogue_draft *last = p->last;
    bool pack = last && d->unit == ROGUE_PCK && (last->unit == ROGUE_TST || last->unit == ROGUE_MOV);
    if (last && last->unit > d->unit && !pack)
        return trouble_is(trouble, "phase-order", d->text,
                          "'%.*s' of %s comes after '%.*s' of %s: write instructions in the order of phases",
                          ROGUE_WORD(d->text), rogue_units[d->unit].name, ROGUE_WORD(last->text),
                          rogue_units[last->unit].name);
    if (p->declared.length && d->unit != ROGUE_BACKEND)
        return trouble_is(trouble, "phase-order", d->text,
                          "'%.*s' comes after the declaration of destination '%.*s': write declarations last",
                          ROGUE_WORD(d->text), ROGUE_WORD(p->declared));
    return true;
}

bool rogue_add(struct rogue_pending *p, const struct rogue_draft *d, struct rogue_trouble *trouble)
{
    if (!add_alu(p, d->unit, d->text, trouble))
        return false;
    for (uint32_t i = 0; i < p->ndrafts; i++)
        if (p->drafts[i].unit == d->unit)
            return trouble_is(trouble, "phase-taken", d->text, "%s is taken by '%.*s'", rogue_units[d->unit].name,
                              ROGUE_WORD(p->drafts[i].text));
    if (!in_order(p, d, trouble))
        return false;
    if (d != &p->drafts[p->ndrafts])
        p->drafts[p->ndrafts] = *d;
    p->last = &p->drafts[p->ndrafts++];
    p->g.end |= d->end;
    for (unsigned i = 0; i < d->nwants; i++) {
        const struct rogue_want *w = &d->wants[i];
        bool fine = must_exist(p, w->reg, w->text, trouble);
        if (!fine)
            return false;
        if (w->kind == ROGUE_WANT_PORT)
            fine = take_port(p, w->n, w, trouble);
        else if (w->kind == ROGUE_WANT_FEED)
            fine = set_feed(p, w->n, w->code, w->text, trouble);
        else if (w->kind == ROGUE_WANT_W)
            fine = set_destination(p, w, trouble);
        else if (w->kind == ROGUE_WANT_DRC)
            p->g.drc = w->n;
        if (!fine)
            return false;
        if (w->kind == ROGUE_WANT_LABEL) {
            p->label = w->text.p;
            p->label_length = w->text.length;
        }
    }
    return true;
}

bool rogue_declare_as(struct rogue_pending *p, unsigned n, const struct rogue_statement *s,
                      struct rogue_trouble *trouble)
{
    const struct rogue_raw *to = &s->operands[0], *from = &s->operands[1];
    struct rogue_want w = {ROGUE_WANT_W, (uint8_t)n, 0, to->reg, to->text};
    if (p->g.destinations >> n & 1)
        return trouble_is(trouble, "port-taken", to->text, "both destinations of the group are taken: '%.*s' has none",
                          ROGUE_WORD(to->text));
    if (!must_exist(p, to->reg, to->text, trouble) || !set_destination(p, &w, trouble))
        return false;
    if ((p->alu_known && p->g.alu == ROGUE_BITWISE) || from->kind == ROGUE_RAW_W)
        return true;
    if (from->kind == ROGUE_RAW_REG && !must_exist(p, from->reg, from->text, trouble))
        return false;
    if (from->kind == ROGUE_RAW_FT && from->n != ROGUE_RAW_FTE && from->n > 2)
        return trouble_is(trouble, "bad-operand", from->text, "'%.*s' is of a bitwise group", ROGUE_WORD(from->text));
    if (from->kind == ROGUE_RAW_FT)
        return set_feed(p, 4u + n, from->n == ROGUE_RAW_FTE ? ROGUE_FTE : from->n, from->text, trouble);
    if (p->ndrafts >= ROGUE_DRAFT_INSNS)
        return trouble_is(trouble, "phase-taken", to->text, "too many instructions in one group");
    /* kept with the instructions, to be routed when all ports are known */
    struct rogue_draft *d = &p->drafts[p->ndrafts++];
    *d = (struct rogue_draft){.op = ROGUE_OPS, .unit = ROGUE_UNITS, .nwants = 1, .text = s->name};
    d->wants[0] = (struct rogue_want){ROGUE_WANT_ROUTED, (uint8_t)(4 + n), 0, from->reg, from->text};
    return true;
}

/* ---- destinations of bitwise groups ---- */

static struct rogue_draft *draft_of(struct rogue_pending *p, unsigned unit)
{
    for (uint32_t i = 0; i < p->ndrafts; i++)
        if (p->drafts[i].unit == unit)
            return &p->drafts[i];
    return NULL;
}

/* What W0 takes instead of feedthrough n: the result of a later phase. NULL: n gets there. */
static const struct rogue_draft *in_the_way(struct rogue_pending *p, unsigned n)
{
    enum { LOGICAL_RESULT = 4 };
    const struct rogue_draft *shift = draft_of(p, ROGUE_SHIFT2), *logical = draft_of(p, ROGUE_LOGICAL);
    if (n > LOGICAL_RESULT)
        return NULL;
    if (shift)
        return shift;
    return n < LOGICAL_RESULT && logical && !(rogue_rows()[logical->op].traits & ROGUE_BYPASSES) ? logical : NULL;
}

/* FT2 goes to W1 through the count unit, if that has nothing else to do. */
static bool pass_through_count(struct rogue_pending *p, const struct rogue_raw *from, struct rogue_trouble *trouble)
{
    const struct rogue_draft *count = draft_of(p, ROGUE_COUNT);
    if (count && rogue_rows()[count->op].traits & ROGUE_BYPASSES && count->nvalues && count->values[0].code)
        return true;
    if (count)
        return trouble_is(
            trouble, "port-taken", from->text,
            "'%.*s' goes to W1 through the count unit, which '%.*s' has taken: 'mov' of ft3 is its result",
            ROGUE_WORD(from->text), ROGUE_WORD(count->text));
    if (p->ndrafts >= ROGUE_DRAFT_INSNS)
        return trouble_is(trouble, "phase-taken", from->text, "too many instructions in one group");
    struct rogue_draft *d = &p->drafts[p->ndrafts++];
    *d = (struct rogue_draft){
        .op = rogue_units[ROGUE_COUNT].plain, .unit = ROGUE_COUNT, .form = -1, .nvalues = 1, .text = from->text};
    d->values[0] = (struct rogue_value){ROGUE_F_COUNT_SRC, 1};
    return true;
}

/* Does some unit of the group drive the feedthrough? The bit test makes the shifter hand FT4 on. */
static bool is_driven(struct rogue_pending *p, unsigned n)
{
    return draft_of(p, rogue_driver(true, n)) || (n == 5 && draft_of(p, ROGUE_BITTEST));
}

/* "ft3 implicitly drives w1", "ft5 implicitly drives w0", which without phase 2 is FT4, without phase 1 FT1 (chapter
 * 3).
 */
static bool declare_bitwise(struct rogue_pending *p, const struct rogue_statement *s, struct rogue_trouble *trouble)
{
    enum { SHIFT_RESULT = 2, COUNT_RESULT };
    const struct rogue_raw *from = &s->operands[1];
    unsigned n = from->n;
    int length = (int)from->text.length;
    if (from->kind != ROGUE_RAW_FT || n == ROGUE_RAW_FTE)
        return trouble_is(
            trouble, "bad-operand", from->text,
            "'%.*s' does not reach the destination of a bitwise group: ft1, ft4 or ft5 go to W0, ft2 and ft3 "
            "to W1",
            length, from->text.p);
    if (!is_driven(p, n))
        return trouble_is(trouble, "feed-missing", from->text, "no instruction of the group drives '%.*s'", length,
                          from->text.p);
    if (n == 0)
        return trouble_is(
            trouble, "bad-operand", from->text,
            "'%.*s' of a bitwise group goes to no destination, only to asr.mtb: ft1, ft4 or ft5 go to W0, ft2 "
            "and ft3 to W1",
            length, from->text.p);
    const struct rogue_draft *later = n == SHIFT_RESULT || n == COUNT_RESULT ? NULL : in_the_way(p, n);
    if (later)
        return trouble_is(trouble, "port-taken", from->text, "'%.*s' does not reach W0, which '%.*s' drives with ft%u",
                          length, from->text.p, ROGUE_WORD(later->text), later->unit == ROGUE_SHIFT2 ? 5u : 4u);
    bool second = n == SHIFT_RESULT || n == COUNT_RESULT;
    if (n == SHIFT_RESULT && !pass_through_count(p, from, trouble))
        return false;
    if (p->g.destinations >> second & 1)
        return trouble_is(trouble, "port-taken", s->operands[0].text, "W%u, where '%.*s' goes, is taken", second,
                          length, from->text.p);
    return rogue_declare_as(p, second, s, trouble);
}

/* In a main group IS4 and IS5 choose. */
bool rogue_declare(struct rogue_pending *p, const struct rogue_statement *s, struct rogue_trouble *trouble)
{
    if (p->alu_known && p->g.alu == ROGUE_BITWISE && s->operands[1].kind != ROGUE_RAW_W)
        return declare_bitwise(p, s, trouble);
    return rogue_declare_as(p, p->g.destinations & 1, s, trouble);
}

/* ---- completing ---- */

/* All that goes through FTE is one register. */
static bool route(struct rogue_pending *p, const struct rogue_want *w, struct rogue_trouble *trouble)
{
    int port = any_port(p, w, trouble);
    if (port < 0)
        return false;
    uint8_t code = (uint8_t)rogue_selector_code(0, (struct rogue_word){(char[]){'s', (char)('0' + port)}, 2});
    if (p->fed[0] && p->g.is0 != code)
        return trouble_is(trouble, "port-taken", w->text,
                          "'%.*s' has to go through IS0, which another register is routed through",
                          ROGUE_WORD(w->text));
    p->fed[0] = true;
    p->g.is0 = code;
    p->g.mux |= code != ROGUE_IS0_S0;
    return w->n == 0 || set_feed(p, w->n, w->n <= 2 ? 1 : ROGUE_FTE, w->text, trouble);
}

static bool resolve_any(struct rogue_pending *p, struct rogue_draft *d, const struct rogue_want *w,
                        struct rogue_trouble *trouble)
{
    enum { FROM = 7 };
    int port = any_port(p, w, trouble);
    for (unsigned i = 0; port >= 0 && i < d->nvalues; i++)
        if (d->values[i].field == w->n)
            d->values[i].code = (d->values[i].code & ~(uint64_t)FROM) | (unsigned)port;
    return port >= 0;
}

/* "FT2 drives W0 by default, last phase present; FT1 drives W1, second to last phase" (chapter 3). */
static void default_routes(struct rogue_pending *p)
{
    const struct rogue_draft *p0 = draft_of(p, ROGUE_P0);
    uint8_t present[3], n = 0;
    for (uint8_t ft = ROGUE_FT0; ft <= ROGUE_FT2; ft++)
        if (draft_of(p, rogue_driver(false, ft)))
            present[n++] = ft;
    if (n == 0 || (p0 && rogue_takes_alu(&rogue_rows()[p0->op])))
        return;
    if (!p->fed[4])
        p->g.is4 = present[n - 1];
    if (!p->fed[5] && p->g.destinations & 2 && n > 1)
        p->g.is5 = present[n - 2];
}

bool rogue_build(const struct rogue_draft *d, struct rogue_insn *insn)
{
    const struct rogue_table *t = rogue_table();
    unsigned from = d->form >= 0 ? (unsigned)d->form : 0, to = d->form >= 0 ? from + 1 : rogue_nforms(d->op);
    for (unsigned form = from; form < to; form++) {
        const struct rogue_variant *v = &t->variants[t->first[d->op] + form];
        bool fine = true;
        *insn = (struct rogue_insn){.row = &rogue_rows()[d->op], .form = (uint8_t)form, .bits = v->start};
        for (unsigned i = 0; fine && i < d->nvalues; i++)
            fine = rogue_set(v, &insn->bits, (enum rogue_field)d->values[i].field, d->values[i].code);
        if (fine && rogue_matches(v, &insn->bits)) /* what the row fixes stays */
            return true;
    }
    return false;
}

/* The backend beside phase 0 takes a phase 2: a move of no bytes, as Imagination's compiler has it. */
static void add_phase_2(struct rogue_pending *p)
{
    bool phase_2 = draft_of(p, ROGUE_PCK) || draft_of(p, ROGUE_TST) || draft_of(p, ROGUE_MOV);
    if (!draft_of(p, ROGUE_P0) || !draft_of(p, ROGUE_BACKEND) || phase_2 || p->ndrafts >= ROGUE_DRAFT_INSNS)
        return;
    struct rogue_draft *d = &p->drafts[p->ndrafts++];
    *d = (struct rogue_draft){
        .op = rogue_units[ROGUE_MOV].plain, .unit = ROGUE_MOV, .form = -1, .nvalues = 2, .text = p->drafts[0].text};
    d->values[0] = (struct rogue_value){ROGUE_F_MASKW0, 0};
    d->values[1] = (struct rogue_value){ROGUE_F_MOVW0, 0};
}

/* "mov r1, r2" without an instruction: copies, each through a phase of its own where its source can read the register;
 * the others leave it to the move of phase 2, which has FTE. */
static void make_copies(struct rogue_pending *p)
{
    static const uint8_t ports[] = {0, 3};
    unsigned phase = 0;
    for (uint32_t i = 0, count = p->ndrafts; i < count; i++) {
        struct rogue_draft *d = &p->drafts[i];
        struct rogue_want w = d->wants[0];
        if (d->unit != ROGUE_UNITS || phase > 1 || !rogue_port_reads(ports[phase], w.reg))
            continue;
        *d = (struct rogue_draft){.op = rogue_units[phase].plain,
                                  .unit = phase ? ROGUE_P1 : ROGUE_P0,
                                  .form = -1,
                                  .nwants = 1,
                                  .text = w.text};
        d->wants[0] = (struct rogue_want){ROGUE_WANT_PORT, ports[phase], 0, w.reg, w.text};
        p->fed[w.n] = true;
        p->g.is[w.n] = phase ? ROGUE_FT1 : ROGUE_FT0;
        phase++;
    }
    if (phase == 0 && p->ndrafts < ROGUE_DRAFT_INSNS) {
        struct rogue_draft *d = &p->drafts[p->ndrafts++];
        *d = (struct rogue_draft){
            .op = rogue_units[ROGUE_MOV].plain, .unit = ROGUE_MOV, .form = -1, .nvalues = 1, .text = p->drafts[0].text};
        d->values[0] = (struct rogue_value){ROGUE_F_MOVW0, ROGUE_FTE};
    }
}

static bool take_ports(struct rogue_pending *p, const struct rogue_draft *d, struct rogue_trouble *trouble)
{
    for (unsigned k = 0; k < d->nwants; k++)
        if (d->wants[k].kind == ROGUE_WANT_PORT && !take_port(p, d->wants[k].n, &d->wants[k], trouble))
            return false;
    return true;
}

bool rogue_complete(struct rogue_pending *p, struct rogue_trouble *trouble)
{
    bool copies = !p->alu_known && !p->is_explicit;
    if (copies)
        make_copies(p);
    for (uint32_t i = 0; copies && i < p->ndrafts; i++)
        if (!take_ports(p, &p->drafts[i], trouble))
            return false;
    for (uint32_t i = 0; i < p->ndrafts; i++)
        for (unsigned k = 0; k < p->drafts[i].nwants; k++)
            if (p->drafts[i].wants[k].kind == ROGUE_WANT_ROUTED && !route(p, &p->drafts[i].wants[k], trouble))
                return false;
    for (uint32_t i = 0; i < p->ndrafts; i++)
        for (unsigned k = 0; k < p->drafts[i].nwants; k++)
            if (p->drafts[i].wants[k].kind == ROGUE_WANT_ANY &&
                !resolve_any(p, &p->drafts[i], &p->drafts[i].wants[k], trouble))
                return false;
    if (!p->is_explicit && p->g.alu == ROGUE_MAIN) {
        default_routes(p);
        add_phase_2(p);
    }
    for (uint32_t i = 0; i < p->ndrafts; i++)
        if (p->drafts[i].unit < ROGUE_UNITS && !rogue_build(&p->drafts[i], &p->g.insn[rogue_slot(p->drafts[i].unit)]))
            return trouble_is(trouble, "out-of-range", p->drafts[i].text,
                              "no form of '%.*s' holds these operands: a number is out of range",
                              ROGUE_WORD(p->drafts[i].text));
    p->g.olchk |= !p->is_explicit && rogue_has_pixels(&p->g);
    rogue_finish(&p->g);
    if (!p->is_explicit)
        rogue_fill_gaps(&p->g);
    return true;
}
