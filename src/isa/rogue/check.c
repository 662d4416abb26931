/* check.c - the rules of groups beyond what their encoding can say (chapter 3), and where branches go. */
#include "isa/rogue/alu.h"
#include "isa/rogue/insn.h"
#include "isa/rogue/ports.h"
#include "isa/rogue/template.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct checker {
    const struct isa_module *m;
    const struct source *src;
    weft_diags *diags;
    uint32_t number; /* the group */
    const struct rogue_group *g;
    struct arena scratch;
    uint8_t *reach; /* by group: enum rogue_reach */
    bool anywhere;  /* any group may be reached */
    bool running;
    unsigned errors;
};

static void report(struct checker *c, weft_severity severity, const char *code, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
static void report(struct checker *c, weft_severity severity, const char *code, const char *fmt, ...)
{
    char text[320];
    va_list args;
    if (severity == WEFT_ERROR && !c->reach[c->number] && !c->anywhere)
        severity = WEFT_WARNING; /* it may be data */
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    c->errors += severity == WEFT_ERROR;
    if (c->src && c->m->where)
        diag_at(c->diags, severity, code, c->src, c->m->where[c->number], NULL, "%s", text);
    else
        diag_at_address(c->diags, severity, code, c->m->name, c->m->base + c->g->offset, NULL, "group %u at 0x%llx: %s",
                        c->number, (unsigned long long)(c->m->base + c->g->offset), text);
}

static const struct rogue_row *row_at(const struct checker *c, enum rogue_unit unit)
{
    return rogue_at(c->g, unit)->row;
}

/* ---- phases ---- */

/* Does the instruction of phase 2 do anything? A move of no bytes does nothing. */
static bool is_idle_move(const struct checker *c, enum rogue_unit unit)
{
    const struct rogue_insn *insn = rogue_at(c->g, unit);
    return unit == ROGUE_MOV && !(insn->row->traits & ROGUE_WHERE_TRUE) && rogue_get(insn, ROGUE_F_MASKW0) == 0;
}

/* Complex operations and sums of products take the whole main ALU ("Complex Instructions", "F16 Sum-of-Products Unit"):
 * moves, packs and the backend come after it (chapter 2). Range reductions are alone; GTA takes all phases
 * ("Texture Address Unit"). */
static void check_coissue(struct checker *c, const struct rogue_row *p0)
{
    const struct rogue_row *p1 = row_at(c, ROGUE_P1);
    if (p1 && rogue_takes_alu(p0))
        report(c, WEFT_ERROR, "coissue", "'%s' takes the whole main ALU: '%s' cannot be in phase 1 beside it", p0->name,
               p1->name);
    for (int unit = ROGUE_PCK; unit <= ROGUE_BACKEND; unit++)
        if (p0->traits & (unit == ROGUE_BACKEND ? ROGUE_NO_BACKEND : ROGUE_NO_PHASE_2) &&
            row_at(c, (enum rogue_unit)unit) && !is_idle_move(c, (enum rogue_unit)unit))
            report(c, WEFT_ERROR, "coissue", "'%s' cannot be issued together with '%s'", p0->name,
                   row_at(c, (enum rogue_unit)unit)->name);
}

static void check_phases(struct checker *c)
{
    const struct rogue_row *p0 = row_at(c, ROGUE_P0), *move = row_at(c, ROGUE_MOV), *test = row_at(c, ROGUE_TST);
    if (!rogue_phases_fit(c->g))
        report(c, WEFT_ERROR, "phase-missing",
               "phase 1 needs phase 0, and the backend is alone or with phases 0 and 2");
    if (p0)
        check_coissue(c, p0);
    if (move && move->traits & ROGUE_WHERE_TRUE && !test)
        report(c, WEFT_ERROR, "test-missing", "movc needs a test in its group");
    if (test && test->traits & ROGUE_TESTS_CARRY && !(p0 && p0->traits & ROGUE_INTEGERS))
        report(c, WEFT_ERROR, "carry-missing", "tstc needs an integer instruction in phase 0, whose carry it tests");
}

/* ---- feedthroughs ---- */

static void check_feed(struct checker *c, const char *what, unsigned code, bool of_pack)
{
    if (code >= ROGUE_FTE || (code == ROGUE_FT2 && !of_pack) || row_at(c, rogue_driver(false, code)))
        return;
    if (code == ROGUE_FT0 && row_at(c, ROGUE_PCK) && row_at(c, ROGUE_PCK)->traits & ROGUE_GIVES_FT0)
        return; /* the low word of its result */
    report(c, WEFT_ERROR, "feed-missing", "%s selects FT%u, which no instruction of the group drives", what, code);
}

static bool uses_w0(const struct checker *c)
{
    const struct rogue_insn *b = rogue_at(c->g, ROGUE_BACKEND);
    return (c->g->destinations & 1) ||
           (b->row && rogue_table()->templates[b->row->op].noperands &&
            rogue_variant_of(rogue_table(), b)->form->slot[ROGUE_F_DSEL] >= 0 && rogue_get(b, ROGUE_F_DSEL) == 0);
}

static void check_feeds(struct checker *c)
{
    const struct rogue_group *g = c->g;
    const struct rogue_row *test = row_at(c, ROGUE_TST);
    const struct rogue_insn *move = rogue_at(g, ROGUE_MOV);
    unsigned selectors = 0;
    if (test)
        for (unsigned i = 0; i < rogue_table()->templates[test->op].noperands; i++)
            if (rogue_table()->templates[test->op].operands[i].kind == ROGUE_ON_IS)
                selectors |= 1u << rogue_table()->templates[test->op].operands[i].n;
    if (selectors & 2 && !g->is1)
        check_feed(c, "IS1", ROGUE_FT0, false);
    if (selectors & 4 && !g->is2)
        check_feed(c, "IS2", ROGUE_FT1, false);
    if (row_at(c, ROGUE_PCK) && row_at(c, ROGUE_PCK)->traits & ROGUE_PACKS)
        check_feed(c, "IS3", g->is3, false);
    const struct rogue_row *backend = row_at(c, ROGUE_BACKEND);
    bool saves_mask = backend && backend->traits & ROGUE_GIVES_W;
    bool routed = !row_at(c, ROGUE_P0) || !rogue_takes_alu(row_at(c, ROGUE_P0));
    if (routed && !saves_mask && uses_w0(c) && (!move->row || move->row->traits & ROGUE_WHERE_TRUE))
        check_feed(c, "IS4", g->is4, true);
    if (routed && !saves_mask && g->destinations & 2)
        check_feed(c, "IS5", g->is5, true);
    if (move->row && rogue_get(move, ROGUE_F_MASKW0))
        check_feed(c, "the move", (unsigned)rogue_get(move, ROGUE_F_MOVW0), true);
}

/* ---- ports ---- */

static void check_ports(struct checker *c)
{
    const struct rogue_group *g = c->g;
    unsigned reads = rogue_reads(g);
    for (unsigned port = 0; port < ROGUE_SOURCES; port++) {
        unsigned below = ((1u << port) - 1) & (port < 3 ? 7u : 0x38u);
        struct rogue_reg_name n = rogue_name_reg(g->s[port]);
        if (!(g->sources >> port & 1))
            continue;
        if (!rogue_port_reads(port, g->s[port]))
            report(c, WEFT_ERROR, "port-register",
                   "source port S%u cannot read %s%u: special registers go through S1, S2 and S4; "
                   "coefficients, shared registers and pixel outputs through S0, S2 and S3",
                   port, n.name, n.number);
        if (!(reads >> port & 1) && (below & ~g->sources))
            report(c, WEFT_ERROR, "source-order",
                   "S%u is used and S%u is not: the lowest numbered sources of each three are used first", port,
                   (unsigned)__builtin_ctz(below & ~g->sources));
    }
}

/* Special constants and dynamic ones are read only (chapter 4). */
static void check_destinations(struct checker *c)
{
    for (unsigned n = 0; n < ROGUE_DESTINATIONS; n++) {
        struct rogue_reg r = c->g->w[n];
        struct rogue_reg_name name = rogue_name_reg(r);
        bool dynamic = rogue_reg_is_indexed(r) && (r.index & 7) == ROGUE_INDEXED_DC;
        if (c->g->destinations >> n & 1 && (dynamic || rogue_reg_is_constant(r)))
            report(c, WEFT_ERROR, "destination", "%s%u is read only: W%u cannot go there", name.name, name.number, n);
    }
}

/* Bytes can name more registers than there are (chapter 4). */
static void check_registers(struct checker *c)
{
    char text[ROGUE_MISSING_TEXT];
    for (unsigned n = 0; n < ROGUE_REGISTERS; n++)
        if (rogue_names(c->g, n) && rogue_missing_register(c->g->reg[n], text))
            report(c, WEFT_ERROR, "out-of-range", "%s", text);
}

/* Registers that an instruction takes one after the other, or a repeat steps through, end where their bank does. */
static void check_run(struct checker *c, struct rogue_reg r, unsigned count)
{
    struct rogue_reg_name name = rogue_name_reg(r);
    int last = r.bank == ROGUE_SPECIAL || r.bank >= ROGUE_IDX0 ? -1 : rogue_last_register(name.name, strlen(name.name));
    if (count > 1 && (int)name.number <= last && name.number + count - 1 > (unsigned)last)
        report(c, WEFT_ERROR, "out-of-range", "%u registers from %s%u on do not exist: %s%d is the last", count,
               name.name, name.number, name.name, last);
}

/* How many registers a source of the backend is; a number that a register has is not known. */
static unsigned span_of_port(const struct checker *c, unsigned port)
{
    const struct rogue_insn *insn = rogue_at(c->g, ROGUE_BACKEND);
    const struct rogue_access *access = insn->row ? rogue_access_of(insn, port) : NULL;
    unsigned span = access && access->extent != ROGUE_TO_BANK_END ? rogue_extent_of(insn, access) : 1;
    return span ? span : 1;
}

static void check_runs(struct checker *c)
{
    const struct rogue_group *g = c->g;
    bool main = g->alu == ROGUE_MAIN;
    const struct rogue_row *p0 = main ? row_at(c, ROGUE_P0) : NULL, *pack = main ? row_at(c, ROGUE_PCK) : NULL;
    for (unsigned port = 0; port < ROGUE_SOURCES; port++) {
        bool fixed = port == 0 && p0 && p0->traits & ROGUE_FIXED_SOURCE;
        if (g->sources >> port & 1)
            check_run(c, g->s[port], (main ? span_of_port(c, port) : 1) + (fixed ? 0 : g->repeat - 1u));
    }
    for (unsigned n = 0; n < ROGUE_DESTINATIONS; n++)
        if (g->destinations >> n & 1)
            check_run(c, g->w[n], pack && pack->traits & ROGUE_PACKS ? 1 : g->repeat);
}

/* ---- instructions ---- */

/* Ports that an instruction of the backend reads or loads to: those of its text and those that its fields number. */
static unsigned backend_ports(const struct rogue_insn *insn)
{
    const struct rogue_variant *v = rogue_variant_of(rogue_table(), insn);
    unsigned ports = v->reads;
    for (unsigned f = 0; f < ROGUE_FIELDS; f++)
        if (rogue_fields[f].type == ROGUE_SOURCE && v->form->slot[f] >= 0)
            ports |= 1u << rogue_get(insn, (enum rogue_field)f);
    return ports;
}

/* "they cannot be used for DMA or FITR operations" (chapter 4). */
static void check_internal(struct checker *c)
{
    const struct rogue_insn *insn = rogue_at(c->g, ROGUE_BACKEND);
    bool asks = insn->row && insn->row->traits & ROGUE_ASKS;
    unsigned ports = asks ? backend_ports(insn) & c->g->sources : 0;
    for (unsigned n = 0; n < ROGUE_SOURCES; n++) {
        struct rogue_spot s = rogue_spot_of(c->g->s[n], 0);
        if (ports >> n & 1 && s.file == ROGUE_FILE_I)
            report(c, WEFT_ERROR, "internal-register", "'%s' cannot have the internal register i%u: it is in no store",
                   insn->row->name, s.number);
    }
}

/* FITR and FITRP take planes, which only coefficient registers name (chapter 11). */
static void check_sets(struct checker *c)
{
    const struct rogue_insn *insn = rogue_at(c->g, ROGUE_BACKEND);
    const struct rogue_template *t = insn->row ? &rogue_table()->templates[insn->row->op] : NULL;
    for (unsigned i = 0; t && i < t->noperands; i++) {
        const struct rogue_operand *o = &t->operands[i];
        if (!(o->access.how & ROGUE_SETS))
            continue;
        struct rogue_reg_name n = rogue_name_reg(c->g->s[o->n]);
        if (!(c->g->sources >> o->n & 1))
            report(c, WEFT_ERROR, "coefficients", "'%s' iterates by coefficient registers in S%u, which is not used",
                   insn->row->name, o->n);
        else if (rogue_spot_of(c->g->s[o->n], 0).file != ROGUE_FILE_CF)
            report(c, WEFT_ERROR, "coefficients", "'%s' iterates by coefficient registers, and S%u is %s%u",
                   insn->row->name, o->n, n.name, n.number);
    }
}

/* ".PPLOD: only valid when LODM = Bias or Replace" (chapter 5). */
static void check_level(struct checker *c)
{
    const struct rogue_insn *insn = rogue_at(c->g, ROGUE_BACKEND);
    if (insn->row && rogue_get(insn, ROGUE_F_PPLOD) && !rogue_gives_level(insn))
        report(c, WEFT_ERROR, "bad-modifier", "'%s' has .pplod, which is for .bias and .replace only", insn->row->name);
}

/* Elements of operands narrower than 32 bits: two halves, four bytes (chapter 5). */
static void check_element(struct checker *c, const struct rogue_insn *insn, enum rogue_field field, unsigned count)
{
    if (rogue_get(insn, field) >= count)
        report(c, WEFT_ERROR, "element", "'%s' has element e%lld of an operand with %u", insn->row->name,
               (long long)rogue_get(insn, field), count);
}

static void check_elements(struct checker *c)
{
    enum { HALF = 16, HALVES = 2 };
    const struct rogue_insn *p0 = rogue_at(c->g, ROGUE_P0), *test = rogue_at(c->g, ROGUE_TST);
    if (p0->row && rogue_has_field(p0, ROGUE_F_INT8_16_OP) && rogue_get(p0, ROGUE_F_F)) {
        check_element(c, p0, ROGUE_F_S0CH, HALVES);
        check_element(c, p0, ROGUE_F_S1CH, HALVES);
        if (rogue_get(p0, ROGUE_F_INT8_16_OP) >= 2)
            check_element(c, p0, ROGUE_F_S2ELEM, HALVES);
    }
    if (test->row && rogue_types[rogue_get(test, ROGUE_F_TYPE) & 7].bits == HALF)
        check_element(c, test, ROGUE_F_ELEM, HALVES);
    unsigned format = p0->row ? (unsigned)rogue_get(p0, ROGUE_F_PCK_FORMAT) : 0;
    if (rogue_pack_only(format))
        report(c, WEFT_ERROR, "format", "'unpck' has no format '%s': it is one of pck only",
               rogue_fields[ROGUE_F_PCK_FORMAT].words[format]);
}

/* What a format has no use for: scales, and repeats beyond its components. */
static void check_pack(struct checker *c, const struct rogue_insn *pack)
{
    unsigned format = (unsigned)rogue_get(pack, ROGUE_F_PCK_FORMAT), count = rogue_pack_components(format);
    if (rogue_get(pack, ROGUE_F_SCALE) && !rogue_pack_scales(format))
        report(c, WEFT_WARNING, "no-effect", "'pck' has .scale, and its format no scale");
    if (count && c->g->repeat > count)
        report(c, WEFT_WARNING, "no-effect", "'pck' is repeated %u times, and .%s packs the first %u", c->g->repeat,
               rogue_fields[ROGUE_F_PCK_FORMAT].words[format], count);
}

static void check_unpack(struct checker *c, const struct rogue_insn *unpack)
{
    unsigned format = (unsigned)rogue_get(unpack, ROGUE_F_PCK_FORMAT), count = rogue_pack_components(format);
    unsigned last = (unsigned)rogue_get(unpack, ROGUE_F_ELEM) + c->g->repeat - 1;
    if (count && last >= count)
        report(c, WEFT_WARNING, "no-effect", "'unpck' gives elements to e%u, and .%s ends with e%u: zeros follow", last,
               rogue_fields[ROGUE_F_PCK_FORMAT].words[format], count - 1);
}

static void check_remarks(struct checker *c)
{
    const struct rogue_insn *pack = rogue_at(c->g, ROGUE_PCK), *unpack = rogue_at(c->g, ROGUE_P0);
    if (pack->row && pack->row->traits & ROGUE_PACKS && !rogue_get(pack, ROGUE_F_PROG))
        check_pack(c, pack);
    if (unpack->row && rogue_has_field(unpack, ROGUE_F_PCK_FORMAT))
        check_unpack(c, unpack);
}

static void check_overlap(struct checker *c)
{
    if (rogue_has_pixels(c->g) && !c->g->olchk)
        report(c, WEFT_WARNING, "no-overlap-check",
               "pixel outputs without .olchk: on a chip another pixel's task may still use them");
}

/* What the pseudo-code of chapter 13 has for sourceAdjust. */
static void check_adjust(struct checker *c)
{
    const struct rogue_insn *insn = rogue_at(c->g, ROGUE_CTRL);
    unsigned how = insn->row->traits & ROGUE_WRITES_PE ? rogue_argument(insn->row) : 0;
    int64_t adjust = rogue_get(insn, ROGUE_F_ADJUST), least = how == ROGUE_CND_ELSE ? 0 : 1;
    bool has = how == ROGUE_CND_START || how == ROGUE_CND_ELSE || how == ROGUE_CND_LOOP || how == ROGUE_CND_END;
    if (has && (adjust < least || adjust > 2))
        report(c, WEFT_ERROR, "out-of-range", "'%s' adjusts by %lld: expected %lld to 2", insn->row->name,
               (long long)adjust, (long long)least);
}

/* Registers that control operations name by number: where they go to, and the coefficients. */
static void check_numbered(struct checker *c, const struct rogue_insn *insn)
{
    const struct rogue_template *t = &rogue_table()->templates[insn->row->op];
    for (unsigned i = 0; i < t->noperands; i++) {
        const struct rogue_operand *o = &t->operands[i];
        unsigned count = o->length && o->access.extent != ROGUE_TO_BANK_END ? rogue_extent_of(insn, &o->access) : 1;
        int64_t first = rogue_get(insn, o->field);
        int last = o->field == ROGUE_F_DEST ? ROGUE_LAST_DEST : rogue_last_register(o->word, o->length);
        if (o->kind == ROGUE_ON_FIELD && count > 1 && last >= 0 && first <= last && first + count - 1 > last)
            report(c, WEFT_ERROR, "out-of-range", "%u registers from %.*s%lld on do not exist: %.*s%d is the last",
                   count, (int)o->length, o->word, (long long)first, (int)o->length, o->word, last);
    }
}

static void check_dest(struct checker *c)
{
    const struct rogue_insn *insn = rogue_at(c->g, ROGUE_CTRL);
    int64_t dest = rogue_get(insn, ROGUE_F_DEST);
    if (!rogue_has_field(insn, ROGUE_F_DEST))
        return;
    check_numbered(c, insn);
    if (dest > ROGUE_LAST_DEST)
        report(c, WEFT_ERROR, "out-of-range", "'%s' has no destination r%lld: r0 to r%d", insn->row->name,
               (long long)dest, ROGUE_LAST_DEST);
    else if (dest > rogue_last_register("r", 1))
        report(c, WEFT_WARNING, "out-of-range", "'%s' iterates to r%lld: nothing else can name it", insn->row->name,
               (long long)dest);
}

/* ---- programs ---- */

static void check_branch(struct checker *c)
{
    const struct rogue_insn *insn = rogue_branch_of(c->g);
    if (!insn)
        return;
    int64_t offset = rogue_get(insn, ROGUE_F_OFFSET);
    uint64_t target =
        rogue_get(insn, ROGUE_F_ABS) ? (uint64_t)(uint32_t)offset - c->m->base : c->g->offset + (uint64_t)offset;
    if (rogue_target_of(c->m, c->g) > c->m->ngroups)
        report(c, WEFT_ERROR, "branch-target", "'%s' goes to byte %lld of the program, where no group starts",
               insn->row->name, (long long)target);
}

/* "The predicate condition code must be set to always" (chapter 12). */
static void check_return(struct checker *c)
{
    const struct rogue_row *row = rogue_at(c->g, ROGUE_CTRL)->row;
    if (rogue_flow_of(row) == WEFT_FLOW_RETURN && row->traits & ROGUE_COMPUTES && rogue_is_predicated(c->g))
        report(c, WEFT_ERROR, "condition", "'bpret' cannot be under a predicate: its condition is always");
}

/* What has no public encoding is said once for each instruction. */
static void check_encoding(struct checker *c)
{
    for (int slot = 0; slot < ROGUE_SLOTS; slot++)
        if (c->g->insn[slot].row && rogue_insn_is_weft(&c->g->insn[slot]))
            report(c, WEFT_NOTE, "weft-encoding", "'%s' has no public encoding in this form: the bytes are weft's own",
                   c->g->insn[slot].row->name);
}

static void check_group(struct checker *c)
{
    if (c->g->alu == ROGUE_MAIN) {
        check_phases(c);
        check_feeds(c);
        check_internal(c);
        check_sets(c);
        check_level(c);
        check_elements(c);
    }
    if (c->g->lower)
        check_ports(c);
    check_registers(c);
    check_runs(c);
    check_destinations(c);
    if (c->g->alu == ROGUE_CONTROL) {
        check_branch(c);
        check_return(c);
        check_adjust(c);
        check_dest(c);
    }
    if (!c->running && c->g->alu == ROGUE_MAIN)
        check_remarks(c);
    if (!c->running)
        check_overlap(c);
    if (c->g->weft)
        check_encoding(c);
}

/* What may or may not be reached stops a running program when it is. */
static void check_data(struct checker *c)
{
    enum { SHOWN = 8 };
    static const char *const how[] = {"; control flow does not get there", "; control flow may get there", ""};
    uint8_t reach = c->reach[c->number];
    char hex[2 * SHOWN + 4];
    size_t at = 0;
    for (unsigned i = 0; i < c->g->size && i < SHOWN; i++)
        at += (size_t)snprintf(hex + at, sizeof hex - at, "%02x", c->g->data[i]);
    bool fatal = reach == ROGUE_REACH_ALWAYS || (reach == ROGUE_REACH_MAYBE && !c->running);
    report(c, fatal ? WEFT_ERROR : WEFT_WARNING, "unknown-group", "these %u bytes are not an instruction group: %s%s%s",
           c->g->size, hex, c->g->size > SHOWN ? "..." : "",
           !reach && c->anywhere ? "; only an address that is computed may get there" : how[reach]);
}

weft_status rogue_check(const struct isa_module *m, const struct source *src, const struct isa_params *params,
                        weft_diags *diags)
{
    struct checker c = {.m = m, .src = src, .diags = diags, .running = params && params->running};
    c.reach = rogue_find_reach(m, &c.scratch, &c.anywhere);
    if (!c.reach) {
        arena_free(&c.scratch);
        return WEFT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < m->ngroups; i++) {
        c.number = i;
        c.g = &m->groups[i];
        if (c.g->data)
            check_data(&c);
        else
            check_group(&c);
    }
    arena_free(&c.scratch);
    return c.errors ? WEFT_ERROR_INPUT : WEFT_OK;
}
