/* Parts of Rogue groups and whole groups, with the names of their forms and the values of their fields: each must
 * decode to them, and come back from the decoded group and from its text as the same bytes. Usage: rogue_fields FILE;
 * lines are bytes, form and fields, with tabs between. A part is put into a small group that can have it. Prints what
 * differs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/rogue/template.h"

enum { LINE = 2048, MOST_BYTES = 64 };

struct line {
    uint8_t bytes[MOST_BYTES];
    size_t size;
    const char *form, *fields;
};

static bool complain(const struct line *l, const char *what, const char *value)
{
    printf("%s %s: %s %s\n", l->form, l->fields, what, value);
    return false;
}

/* ---- a group around a part (encoding, sections 1 to 3) ---- */

enum { MAIN, BITWISE = 2, CONTROL = 3 };
enum { OPORG_P0, OPORG_P2, OPORG_BE, OPORG_P0_P1, OPORG_P0_P2, OPORG_P0_P1_P2, OPORG_P0_P2_BE, OPORG_ALL };

/* What a group is made of. Absent parts are the shortest there are. */
struct shell {
    unsigned alu, ops;          /* oporg, opcnt or ctrlop */
    uint8_t insn[16];           /* instructions as they are */
    size_t insn_size, ahead;    /* ahead: of phase 1 and 0 */
    const struct line *lower, *upper, *iss, *dst;
    unsigned w;                 /* w1p and w0p */
    const uint8_t *header;      /* bytes 1 and on, whatever the rest says; NULL: made */
    bool sources;
};

static uint8_t *put(uint8_t *p, const struct line *part)
{
    static const uint8_t zero = 0;
    memcpy(p, part ? part->bytes : &zero, part ? part->size : 1);
    return p + (part ? part->size : 1);
}

static size_t make(const struct shell *s, uint8_t *out)
{
    bool brief = s->header ? !(s->header[0] & 0x80) : s->alu == MAIN;
    uint8_t *p = out + (brief ? 2 : 3);
    out[1] = (uint8_t)(brief ? s->ops << 4 | s->w << 1 : 0x80 | (s->alu == BITWISE ? s->ops << 4 : 0) | s->w << 1);
    out[2] = (uint8_t)(s->alu << 5 | (s->alu == CONTROL ? s->ops << 1 : 0));
    if (s->header)
        memcpy(out + 1, s->header, brief ? 1 : 2);
    size_t start = (size_t)(p - out);
    memcpy(p, s->insn, s->insn_size);
    p += s->insn_size;
    if (s->sources) {
        p = put(p, s->lower);
        p = put(p, s->upper);
    }
    if (s->alu == MAIN)
        p = put(p, s->iss);
    unsigned count = (s->w & 1) + (s->w >> 1);
    if (count)
        p = put(p, s->dst);
    if (count == 2 && !s->dst)
        p = put(p, NULL);
    if ((p - out) & 1)
        *p++ = 0xff;
    size_t assist = s->alu == CONTROL && !s->sources && !count ? 0 : start + s->ahead;
    out[0] = (uint8_t)(assist << 4 | ((size_t)(p - out) / 2 & 15));
    return (size_t)(p - out);
}

static void add(struct shell *s, const uint8_t *bytes, size_t size, bool ahead)
{
    memcpy(s->insn + s->insn_size, bytes, size);
    s->insn_size += size;
    s->ahead += ahead ? size : 0;
}

static const uint8_t pack[] = {0x9c, 0x0f}, bypass[] = {0x87}, add_f32[] = {0}, emit[] = {1};

static const char *const ctrlops[] = {"branch", "lapc",   "savl", "cnd", "wop", "wdf", "mutex",
                                      "nop",    "itrsmp", "",     "",    "sbo", "ditr"};
enum { CTRLOPS = sizeof ctrlops / sizeof *ctrlops, SAVL = 2, CND = 3, WDF = 5, NOP = 7 };

static unsigned ctrlop_of(const char *form)
{
    for (unsigned i = 1; i < CTRLOPS; i++)
        if (*ctrlops[i] && strncmp(form, ctrlops[i], strlen(ctrlops[i])) == 0)
            return i;
    return 0;
}

/* A header alone says what has to follow. */
static void fill_for_header(struct shell *s, const struct line *l)
{
    static const uint8_t itrsmp[] = {0, 0, 0, 1, 0, 0}, zeros[8] = {0}, logical[] = {0x47};
    static const size_t ctrl_size[CTRLOPS] = {5, 0, 0, 1, 0, 0, 1, 1, 6, 0, 0, 2, 5};
    bool brief = l->size == 2;
    s->header = l->bytes + 1;
    s->alu = brief ? MAIN : l->bytes[2] >> 5 & 3;
    s->ops = s->alu == CONTROL ? l->bytes[2] >> 1 & 15 : l->bytes[1] >> 4 & 7;
    s->w = l->bytes[1] >> 1 & 3;
    if (s->alu == MAIN) {
        if (s->ops == OPORG_BE || s->ops >= OPORG_P0_P2_BE)
            add(s, emit, 1, true);
        if (s->ops == OPORG_P2 || s->ops >= OPORG_P0_P2)
            add(s, pack, 2, true);
        if (s->ops == OPORG_P0_P1 || s->ops == OPORG_P0_P1_P2 || s->ops == OPORG_ALL)
            add(s, bypass, 1, false);
        if (s->ops != OPORG_P2 && s->ops != OPORG_BE)
            add(s, add_f32, 1, false);
    } else if (s->alu == BITWISE) {
        if (s->ops & 4)
            add(s, zeros, 1, true);
        if (s->ops & 2)
            add(s, logical, 1, true);
        if (s->ops & 1)
            add(s, zeros, 1, true);
    } else if (s->ops < CTRLOPS) {
        add(s, s->ops == 8 ? itrsmp : zeros, ctrl_size[s->ops], true);
        s->sources = s->ops == CND;
    }
}

/* Fields that say that nothing of phase 2 follows: of those forms that have the field. */
static bool phase_2_goes_on(const struct line *l)
{
    return strncmp(l->form, "main.pck", 8) != 0 && !strstr(l->fields, "p2end=1");
}

static bool is_class(const struct line *l, const char *name)
{
    return strncmp(l->form, name, strlen(name)) == 0;
}

static size_t surround(const struct line *l, bool phase_1, uint8_t *out)
{
    struct shell s = {.sources = true};
    if (is_class(l, "igrp_hdr.")) {
        fill_for_header(&s, l);
    } else if (is_class(l, "main.pck") || is_class(l, "main.movc") || is_class(l, "main.tst")) {
        s.ops = OPORG_P2;
        add(&s, l->bytes, l->size, true);
        if (phase_2_goes_on(l))
            add(&s, pack, 2, true);
    } else if (is_class(l, "main.")) {
        s.ops = phase_1 ? OPORG_P0_P1 : OPORG_P0;
        add(&s, l->bytes, l->size, false);
        if (phase_1)
            add(&s, add_f32, 1, false);
    } else if (is_class(l, "backend.")) {
        s.ops = OPORG_BE;
        add(&s, l->bytes, l->size, true);
    } else if (is_class(l, "bitwise.phase")) {
        s.alu = BITWISE;
        s.ops = 1u << (l->form[strlen("bitwise.phase")] - '0');
        add(&s, l->bytes, l->size, true);
    } else if (is_class(l, "ctrl.")) {
        s.alu = CONTROL;
        s.ops = ctrlop_of(l->form + strlen("ctrl."));
        s.sources = s.ops == CND;
        s.w = s.ops == SAVL;
        add(&s, l->bytes, l->size, true);
    } else { /* registers and selectors: around an addition */
        add(&s, add_f32, 1, false);
        s.lower = is_class(l, "src.") && strstr(l->form, "lo_") ? l : NULL;
        s.upper = is_class(l, "src.") && strstr(l->form, "up_") ? l : NULL;
        s.iss = is_class(l, "iss.") ? l : NULL;
        s.dst = is_class(l, "dst.") ? l : NULL;
        s.w = is_class(l, "dst.1") ? 1 : is_class(l, "dst.2") ? 3 : 0;
    }
    return make(&s, out);
}

/* ---- values ---- */

/* Words that the tables have otherwise than weft's text. */
static const struct {
    const char *field, *word;
    uint64_t code;
} words[] = {
    {"bpred", "allp", 1}, {"bpred", "anyp", 2}, {"dsize", "8bit", 0}, {"dsize", "16bit", 1}, {"dsize", "32bit", 2},
    {"cachemode_st", "write_through", 0}, {"cachemode_st", "write_back", 1}, {"cachemode_st", "write_back_lazy", 2},
    {"cachemode_ld", "force_line_fill", 2}, {"swap", "swap", 1}, {"sched_ctrl", "swap", 1}, {"sched_ctrl", "wdf", 2},
    {"red_part", "a", 0}, {"red_part", "b", 1}, {"pcnd", "always", 0}, {"pcnd", "p0_true", 1}, {"pcnd", "never", 2},
    {"pcnd", "p0_false", 3}, {"lr", "release_sleep", 1}, {"lr", "release_wakeup", 2}, {"maskw0", "all", 15},
    {"p", "none", 0}, {"p", "iter_mul", 1},
};

static uint64_t bits_of(const char *list) /* e0|e2, p0|p1; none */
{
    uint64_t mask = 0;
    for (; list[0] == 'e' || list[0] == 'p'; list += strcspn(list, "|"), list += *list == '|')
        mask |= UINT64_C(1) << (list[1] - '0');
    return mask;
}

static bool is_number(const char *value)
{
    value += *value == '-';
    return value[strspn(value, "0123456789")] == '\0';
}

static bool has_value(const struct rogue_insn *insn, enum rogue_field field, const char *name, const char *value)
{
    const struct rogue_field_info *info = &rogue_fields[field];
    int64_t got = rogue_get(insn, field);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].field, name) == 0 && strcmp(words[i].word, value) == 0)
            return (uint64_t)got == words[i].code;
    if (is_number(value))
        return (info->type == ROGUE_BYTES ? (int64_t)(int32_t)got : got) == strtoll(value, NULL, 10) ||
               (info->type == ROGUE_BYTES && (uint32_t)got == strtoull(value, NULL, 10));
    if (info->type == ROGUE_MASK)
        return (uint64_t)got == bits_of(value);
    if (info->type == ROGUE_SOURCE)
        return value[0] == 's' && value[1] - '0' == got;
    return info->type == ROGUE_WORDS && strcmp(info->words[got], value) == 0;
}

/* Codes of the one-source operations that are instructions with forms of their own; three of them have their fields
 * where others have modifiers. */
static bool is_other_sngl(const struct line *l)
{
    static const char *const ops[] = {"=gamma", "=red", "=pck"};
    const char *op = strstr(l->fields, "sngl_op=");
    for (size_t i = 0; op && i < sizeof ops / sizeof *ops; i++)
        if (strncmp(op + strlen("sngl_op"), ops[i], strlen(ops[i])) == 0)
            return true;
    return false;
}

/* The field of an instruction, among those of units that share a phase's bytes. */
static bool check_insn_field(const struct line *l, const struct rogue_group *g, unsigned from, unsigned to,
                             const char *name, const char *value)
{
    const char *ours = strncmp(name, "imm", 3) == 0 && name[3] >= '1' && name[3] <= '3' ? "imm" : name;
    if (is_class(l, "ctrl.sbo") || strstr(l->fields, "ctrl:sbo"))
        ours = strcmp(name, "offset") == 0 ? "base_offset" : ours;
    int field = rogue_find_field(ours, strlen(ours));
    for (unsigned unit = from; unit <= to; unit++) {
        const struct rogue_insn *insn = rogue_at(g, (enum rogue_unit)unit);
        if (field < 0 || !insn->row)
            continue;
        const struct rogue_variant *v = rogue_variant_of(rogue_table(), insn);
        if (v->form->slot[field] >= 0)
            return has_value(insn, (enum rogue_field)field, name, value) || complain(l, "has another", name);
    }
    return complain(l, "lacks", name);
}

static struct rogue_reg register_of(const char *text)
{
    struct rogue_reg r = {0};
    size_t letters = strspn(text, "abcdefghijklmnopqrstuvwxyz");
    const char *index = strchr(text, '[');
    if (index) { /* vi[idx1+165] */
        unsigned offset = index[5] == '+' ? (unsigned)strtoul(index + 6, NULL, 10) : 0;
        int of = rogue_find_indexed(text, letters);
        return (struct rogue_reg){index[4] == '0' ? ROGUE_IDX0 : ROGUE_IDX1, 0, (uint16_t)(offset << 3 | (unsigned)of)};
    }
    if (!rogue_find_reg(text, letters, strtoull(text + letters, NULL, 10), &r))
        r.bank = 0xff;
    return r;
}

static bool same_reg(struct rogue_reg a, struct rogue_reg b)
{
    return a.bank == b.bank && a.index == b.index && a.dim == b.dim;
}

/* s0=po5 w1=r3; sb0=temp s0=12 db1=idx0 dN=7; is0=s4 is5=fte. *mine is false for fields of another kind. */
static bool check_port_field(const struct line *l, const struct rogue_group *g, const char *name, const char *value,
                             bool *mine)
{
    static const char *const banks[] = {"special", "temp", "vtxin", "coeff", "shared", "coeff_alt", "idx0", "idx1"};
    static const char *const is0[] = {"s0", "s3", "s4", "s5", "s1", "s2"}, *const feeds[] = {"ft0", "ft1", "ft2",
                                                                                             "fte"};
    char last = name[strlen(name) - 1];
    unsigned n = last == 'N' ? 0 : (unsigned)(last - '0');
    bool source = name[0] == 's' && (name[1] == 'b' ? name[3] : name[2]) == '\0' && last >= '0' && last <= '5';
    bool destination = (name[0] == 'd' && (name[1] == 'b' ? name[3] : name[2]) == '\0' && n < 2) ||
                       (name[0] == 'w' && name[2] == '\0' && n < 2);
    *mine = true;
    if (name[0] == 'i' && name[1] == 's' && name[3] == '\0') {
        const uint8_t codes[] = {g->is0, g->is1, g->is2, g->is3, g->is4, g->is5};
        const char *got = n == 0 ? is0[codes[0]] : n < 3 && codes[n] ? "fte" : n < 3 ? feeds[n - 1]
                        : n == 3 && codes[3] == 2 ? "s2" : feeds[codes[n]];
        return strcmp(got, value) == 0 || complain(l, "has another", name);
    }
    *mine = source || destination;
    if (!*mine)
        return true;
    struct rogue_reg got = source ? g->s[n] : g->w[n];
    if (name[1] == 'b')
        return strcmp(banks[got.bank & 7], value) == 0 || complain(l, "has another", name);
    if (is_number(value))
        return got.index == strtoul(value, NULL, 10) || complain(l, "has another", name);
    return same_reg(got, register_of(value)) || complain(l, "has another", name);
}

/* ---- headers ---- */

static unsigned parts_of(const struct rogue_group *g)
{
    bool p2 = rogue_at(g, ROGUE_PCK)->row || rogue_at(g, ROGUE_TST)->row || rogue_at(g, ROGUE_MOV)->row;
    return (rogue_at(g, ROGUE_P0)->row != NULL) | (rogue_at(g, ROGUE_P1)->row != NULL) << 1 | p2 << 2 |
           (rogue_at(g, ROGUE_BACKEND)->row != NULL) << 3;
}

static const char *form_name(enum rogue_part part, unsigned n)
{
    const struct rogue_port_form *f = rogue_port_form(rogue_table(), part, n);
    return f ? f->name : "-";
}

static bool number_is(uint64_t got, const char *value)
{
    return got == strtoull(value, NULL, 10);
}

static bool header_has(const struct rogue_group *g, const uint8_t *bytes, const char *name, const char *value)
{
    static const char *const alus[] = {"main", "1", "bitwise", "control"}, *const ccs[] = {"e1_zx", "e1_z1", "ex_zx",
                                                                                           "e1_z0"};
    static const char *const oporgs[16] = {[1] = "p0",    [4] = "p2",       [8] = "be",        [3] = "p0_p1",
                                           [5] = "p0_p2", [7] = "p0_p1_p2", [13] = "p0_p2_be", [15] = "p0_p1_p2_be"};
    unsigned bitwise = (rogue_at(g, ROGUE_BITMASK)->row != NULL) | (rogue_at(g, ROGUE_LOGICAL)->row != NULL) << 1 |
                       (rogue_at(g, ROGUE_SHIFT2)->row != NULL) << 2;
    const struct rogue_insn *control = rogue_at(g, ROGUE_CTRL);
    const struct {
        const char *name;
        uint64_t got;
    } numbers[] = {{"da", bytes[0] >> 4}, {"length", bytes[0] & 15 ? bytes[0] & 15u : 16u}, {"len", g->size},
                   {"olchk", g->olchk}, {"w0p", g->destinations & 1}, {"w1p", g->destinations >> 1}, {"end", g->end},
                   {"atom", g->atom}, {"rpt", g->repeat}, {"miscctl", g->end || g->drc}};
    const struct {
        const char *name, *got;
    } names[] = {{"alu", alus[g->alu & 3]},
                 {"cc", ccs[g->cc & 3]},
                 {"hdr", g->header == 3 ? "full" : "brief"},
                 {"oporg", oporgs[parts_of(g) & 15]},
                 {"lo", form_name(ROGUE_LOWER, g->lower)},
                 {"up", form_name(ROGUE_UPPER, g->upper)},
                 {"dst", form_name(ROGUE_DESTINATION, g->dst)},
                 {"ctrlop", g->alu == CONTROL
                                ? ctrlops[rogue_variant_of(rogue_table(), control)->form->ctrlop % CTRLOPS]
                                : NULL}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(numbers[i].name, name) == 0)
            return number_is(numbers[i].got, value);
    if (strcmp(name, "opcnt") == 0)
        return bitwise == (strcmp(value, "all") == 0 ? 7
                           : is_number(value)        ? strtoull(value, NULL, 10)
                                                     : bits_of(value));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].name, name) == 0)
            return names[i].got && strcmp(names[i].got, strcmp(value, "b") == 0 ? "branch" : value) == 0;
    return false;
}

/* ---- one line ---- */

enum kind { INSN, PORTS, HEADER };

/* NAME=VALUE with blanks between them. */
static bool check_fields(const struct line *l, const struct rogue_group *g, const uint8_t *bytes, char *fields,
                         enum kind kind, unsigned from, unsigned to)
{
    bool fine = true, mine = true;
    char *rest;
    for (char *field = strtok_r(fields, " ", &rest); field; field = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(field, '=');
        if (!value)
            continue;
        *value++ = '\0';
        if (kind == HEADER)
            fine = (header_has(g, bytes, field, value) || complain(l, "has another", field)) && fine;
        else if (kind == PORTS)
            fine = check_port_field(l, g, field, value, &mine) &&
                   (mine || complain(l, "has a field of no kind:", field)) && fine;
        else
            fine = check_insn_field(l, g, from, to, field, value) && fine;
    }
    return fine;
}

/* Units of a phase as the lines call it, and of a form of phase 2. */
static void units_of(const char *phase, const char *form, bool bitwise, unsigned *from, unsigned *to)
{
    bool p2 = strcmp(phase, "p2") == 0, p1 = strcmp(phase, "p1") == 0;
    if (strcmp(phase, "ctrl") == 0)
        *from = *to = ROGUE_CTRL;
    else if (strcmp(phase, "be") == 0)
        *from = *to = ROGUE_BACKEND;
    else if (bitwise) {
        *from = p2 ? ROGUE_SHIFT2 : p1 ? ROGUE_LOGICAL : ROGUE_BITMASK;
        *to = p2 ? ROGUE_BITTEST : p1 ? ROGUE_LOGICAL : ROGUE_COUNT;
    } else {
        *from = *to = !p2                            ? p1 ? ROGUE_P1 : ROGUE_P0
                      : strncmp(form, "pck", 3) == 0 ? ROGUE_PCK
                      : strncmp(form, "tst", 3) == 0 ? ROGUE_TST
                                                     : ROGUE_MOV;
    }
}

static bool check_form(const struct line *l, const struct rogue_group *g, unsigned unit, const char *form)
{
    const struct rogue_insn *insn = rogue_at(g, (enum rogue_unit)unit);
    if (!insn->row)
        return complain(l, "has no", form);
    if (unit >= ROGUE_BITMASK && unit < ROGUE_CTRL) /* units that share a phase have forms of their own */
        return true;
    const char *got = rogue_variant_of(rogue_table(), insn)->form->name;
    return strcmp(got, form) == 0 || complain(l, "is decoded as", got);
}

/* "p0:fadd sat=1 ..." */
static bool check_insn(const struct line *l, const struct rogue_group *g, const uint8_t *bytes, char *text)
{
    unsigned from, to;
    char *colon = strchr(text, ':'), none[] = "";
    *colon = '\0';
    char *fields = strchr(colon + 1, ' ');
    if (fields)
        *fields++ = '\0';
    units_of(text, colon + 1, g->alu == BITWISE, &from, &to);
    if (strncmp(colon + 1, "sngl", 4) == 0 && is_other_sngl(l)) /* GCMP, GEXP, FRED, UNPCK */
        return rogue_at(g, (enum rogue_unit)from)->row != NULL || complain(l, "has no", colon + 1);
    return check_form(l, g, from, colon + 1) && check_fields(l, g, bytes, fields ? fields : none, INSN, from, to);
}

static bool check_group(const struct line *l, const struct rogue_group *g, const uint8_t *bytes)
{
    char text[LINE], *rest;
    bool fine = true;
    snprintf(text, sizeof text, "%s", l->fields);
    for (char *part = strtok_r(text, "|", &rest); part; part = strtok_r(NULL, "|", &rest)) {
        part += strspn(part, " ");
        bool insn = strchr(part, ':') != NULL, ports = part[0] == 's' || part[0] == 'w' || part[0] == 'i';
        fine = (insn ? check_insn(l, g, bytes, part) : check_fields(l, g, bytes, part, ports ? PORTS : HEADER, 0, 0)) &&
               fine;
    }
    return fine;
}

static bool check_part(const struct line *l, const struct rogue_group *g, bool phase_1)
{
    char text[LINE];
    const char *form = strchr(l->form, '.') + 1;
    if (is_class(l, "igrp_hdr.")) { /* the group around it is as long as it is */
        const char *rest = strstr(l->fields, "length=");
        if (l->bytes[0] >> 4 != strtoul(l->fields + strlen("da="), NULL, 10) ||
            (l->bytes[0] & 15) != (strtoul(rest + strlen("length="), NULL, 10) & 15))
            return complain(l, "has another", "da or length");
        snprintf(text, sizeof text, "%s", strchr(rest, ' ') + 1);
        return check_fields(l, g, l->bytes, text, HEADER, 0, 0);
    }
    if (is_class(l, "src.") || is_class(l, "dst.") || is_class(l, "iss.")) {
        const char *got = is_class(l, "dst.")  ? form_name(ROGUE_DESTINATION, g->dst)
                        : strstr(form, "lo_") ? form_name(ROGUE_LOWER, g->lower) : form_name(ROGUE_UPPER, g->upper);
        snprintf(text, sizeof text, "%s", l->fields);
        return (is_class(l, "iss.") || strcmp(got, form) == 0 || complain(l, "is decoded as", got)) &&
               check_fields(l, g, l->bytes, text, PORTS, 0, 0);
    }
    bool phase_2 = is_class(l, "main.pck") || is_class(l, "main.movc") || is_class(l, "main.tst");
    char phase[3] = {'p',
                     is_class(l, "bitwise.") ? l->form[strlen("bitwise.phase")]
                     : phase_2               ? '2'
                     : phase_1               ? '1'
                                             : '0',
                     0};
    const char *where = is_class(l, "ctrl.") ? "ctrl" : is_class(l, "backend.") ? "be" : phase;
    const char *fields = strcmp(l->fields, "-") == 0 ? "" : l->fields;
    snprintf(text, sizeof text, "%s:%s%s%s", where, form, *fields ? " " : "", fields);
    return check_insn(l, g, l->bytes, text);
}

/* From the group and from its text the same bytes. */
static bool comes_back(const struct line *l, const uint8_t *bytes, size_t size)
{
    struct isa_params params = {.stage = -1};
    struct arena arena = {0};
    struct isa_module *m, *again;
    uint8_t *encoded = NULL;
    char *text = NULL;
    size_t length = 0;
    weft_diags *diags = weft_diags_new();
    bool fine = rogue_decode(bytes, size, "t", &params, &arena, &m, diags) == WEFT_OK &&
                rogue_encode(m, &arena, &encoded, &length, diags) == WEFT_OK && length == size &&
                memcmp(encoded, bytes, size) == 0;
    if (!fine)
        complain(l, "comes back as other bytes", "");
    fine = fine && rogue_print(m, &arena, &text, &length, NULL) == WEFT_OK;
    struct source src = {"t", text, length};
    if (fine && (rogue_parse(&src, &params, &arena, &again, diags) != WEFT_OK ||
                 rogue_encode(again, &arena, &encoded, &length, diags) != WEFT_OK || length != size ||
                 memcmp(encoded, bytes, size) != 0))
        fine = complain(l, "does not come back from", text);
    weft_diags_free(diags);
    arena_free(&arena);
    return fine;
}

/* A control header with miscctl set is one of WDF or NOP alone. */
static bool is_possible(const struct line *l)
{
    if (!is_class(l, "igrp_hdr.control") || !(l->bytes[2] & 0x80))
        return true;
    unsigned ctrlop = l->bytes[2] >> 1 & 15;
    return ctrlop == WDF || ctrlop == NOP;
}

static bool check_line(const struct line *l, bool phase_1)
{
    bool whole = is_class(l, "group.");
    uint8_t bytes[2 * MOST_BYTES];
    size_t size = l->size;
    struct rogue_group g;
    if (!is_possible(l))
        return true;
    if (whole)
        memcpy(bytes, l->bytes, size);
    else
        size = surround(l, phase_1, bytes);
    rogue_read_group(bytes, size, &g);
    if (g.data)
        return complain(l, "is not decoded", "");
    return (whole ? check_group(l, &g, bytes) : check_part(l, &g, phase_1)) && comes_back(l, bytes, size);
}

/* Additions, multiplications, bypasses and gradients run in both phases. */
static bool runs_in_phase_1(const struct line *l)
{
    static const char *const ops[] = {"byp", "dsx", "dsy", "dsxf", "dsyf"};
    const char *op = strstr(l->fields, "sngl_op=");
    for (size_t i = 0; is_class(l, "main.sngl") && op && i < sizeof ops / sizeof *ops; i++) {
        size_t length = strcspn(op + strlen("sngl_op="), " ");
        if (strlen(ops[i]) == length && strncmp(op + strlen("sngl_op="), ops[i], length) == 0)
            return true;
    }
    return is_class(l, "main.fadd") || is_class(l, "main.fmul") || is_class(l, "main.fmad");
}

static bool split(char *text, struct line *l)
{
    char *form = strchr(text, '\t'), *fields = form ? strchr(form + 1, '\t') : NULL;
    unsigned byte;
    if (!fields)
        return false;
    *form++ = *fields++ = '\0';
    fields[strcspn(fields, "\n")] = '\0';
    *l = (struct line){.form = form, .fields = fields};
    for (const char *p = text; p[0] && p[1] && l->size < MOST_BYTES && sscanf(p, "%2x", &byte) == 1; p += 2)
        l->bytes[l->size++] = (uint8_t)byte;
    return true;
}

int main(int argc, char **argv)
{
    FILE *f = argc == 2 ? fopen(argv[1], "r") : NULL;
    char text[LINE];
    unsigned lines = 0, wrong = 0;
    if (!f)
        return fprintf(stderr, "usage: rogue_fields FILE\n"), 2;
    while (fgets(text, sizeof text, f)) {
        struct line l;
        bool fine = split(text, &l) && check_line(&l, false) && (!runs_in_phase_1(&l) || check_line(&l, true));
        lines++;
        wrong += !fine;
    }
    fclose(f);
    printf("%u of %u lines differ\n", wrong, lines);
    return wrong || !lines;
}
