/* parse_wrong.c - messages about a statement that is not an instruction: what is expected there, and what to do. */
#include "isa/rogue/parse.h"
#include "isa/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- registers ---- */

const char *rogue_no_register(struct arena *arena, struct rogue_word w)
{
    size_t letters = w.length;
    while (letters && scan_is(w.p[letters - 1], SCAN_DIGIT))
        letters--;
    int last = letters && letters < w.length ? rogue_last_named(w.p, letters) : -1;
    bool shared = letters && rogue_word_is((struct rogue_word){w.p, (uint32_t)letters}, "sh");
    struct rogue_word bank = {w.p, (uint32_t)letters};
    struct rogue_reg there;
    bool numbered = letters && letters < w.length && w.length - letters < 10 &&
                    !rogue_find_reg(w.p, letters, strtoull(w.p + letters, NULL, 10), &there);
    if (numbered && (rogue_word_is(bank, "c") || rogue_word_is(bank, "sc")))
        return arena_printf(arena, "there is no special constant %.*s: c0 to c31, c64 to c95 and c128 to c159",
                            ROGUE_WORD(w));
    if (numbered && rogue_word_is(bank, "dc"))
        return arena_printf(arena, "dynamic constants are indexed: %.*s[idx0]", ROGUE_WORD(w));
    if (numbered && rogue_word_is(bank, "vo"))
        return arena_printf(arena, "'%.*s' is a vertex output, which uvsw.write alone writes", ROGUE_WORD(w));
    if (last < 0 || strtoull(w.p + letters, NULL, 10) <= (unsigned)last)
        return NULL;
    return arena_printf(arena, "there is no register %.*s%s: %.*s0 to %.*s%d", ROGUE_WORD(w),
                        shared ? " that an instruction can name" : "", (int)letters, w.p, (int)letters, w.p, last);
}

/* ---- what an operand can be ---- */

/* 'a', 'b' or 'c' */
static void add_words(struct text *t, const char *const *words)
{
    unsigned left = 0;
    for (unsigned i = 0; words[i]; i++)
        left += words[i][0] != '\0';
    for (unsigned i = 0; words[i]; i++) {
        if (!words[i][0])
            continue;
        put_char(t, '\'');
        put_text(t, words[i]);
        left--;
        const char *between = left > 1 ? "', " : left ? "' or " : "'";
        put_text(t, between);
    }
}

/* cf0 to cf252 in steps of 4 */
static void add_numbers(struct text *t, const struct rogue_operand *o, uint16_t op)
{
    uint64_t low, high;
    unsigned step;
    rogue_number_range(op, (enum rogue_field)o->field, &low, &high, &step);
    if (rogue_fields[o->field].type == ROGUE_BYTES) {
        put_text(t, "a label or an even number of bytes of 32 bits");
        return;
    }
    put_bytes(t, o->word, o->length);
    put_unsigned(t, low);
    put_text(t, " to ");
    put_bytes(t, o->word, o->length);
    put_unsigned(t, high);
    if (step > 1) {
        put_text(t, " in steps of ");
        put_unsigned(t, step);
    }
}

static void describe(struct text *t, const struct rogue_operand *o, uint16_t op)
{
    static const char *const kinds[] = {[ROGUE_ON_FT] = "the feedthrough that the phase drives",
                                        [ROGUE_ON_PORT] = "a source",
                                        [ROGUE_ON_IS] = "a feedthrough or an internal selector",
                                        [ROGUE_ON_W] = "a destination",
                                        [ROGUE_ON_DRC] = "drc0 or drc1"};
    if (o->kind == ROGUE_ON_FIELD && rogue_fields[o->field].type == ROGUE_WORDS) {
        add_words(t, rogue_fields[o->field].words);
    } else if (o->kind == ROGUE_ON_FIELD && rogue_is_sop_argument(o->field)) {
        put_text(t, "a source, a register, 0 or z");
    } else if (o->kind == ROGUE_ON_FIELD && rogue_fields[o->field].type == ROGUE_SOURCE) {
        put_text(t, "a source");
    } else if (o->kind == ROGUE_ON_FIELD) {
        add_numbers(t, o, op);
    } else if (o->kind == ROGUE_ON_WORD || o->kind == ROGUE_ON_OPTION) {
        put_char(t, '\'');
        put_bytes(t, o->word, o->length);
        put_text(t, o->kind == ROGUE_ON_OPTION ? "' or '_'" : "'");
    } else {
        put_text(t, kinds[o->kind]);
    }
}

/* ---- messages ---- */

/* Is this a list of instructions (pack.c), whose operands are registers throughout? */
static bool is_list(struct scan *scan)
{
    return ((struct rogue_listing *)rogue_assembler(scan))->packs;
}

/* A number where a register is expected: the constant that is it. */
static const char *constant_hint(struct scan *scan, const struct rogue_statement *s, const struct rogue_mismatch *m)
{
    struct rogue_reg reg;
    bool unknown = strcmp(m->code, "constant") == 0;
    if (!unknown && (!m->message || strncmp(m->message, "expected a register or a source", 31) != 0))
        return NULL;
    for (unsigned i = 0; i < s->noperands; i++) {
        const struct rogue_raw *raw = &s->operands[i];
        if (raw->text.p != m->where.p || raw->kind != ROGUE_RAW_NUMBER)
            continue;
        if (!unknown && rogue_constant_of(raw, &reg))
            return arena_printf(scan->arena, "write #%.*s: a constant by value", ROGUE_WORD(m->where));
        uint64_t bits = !raw->negative ? raw->number : raw->is_float ? raw->number ^ 0x80000000u : 0 - raw->number;
        if (!rogue_has_32_bits(raw))
            return "numbers have 32 bits";
        return arena_printf(scan->arena,
                            is_list(scan) ? "put it into a shared register, or into r0 by mov r0, 0x%x"
                                          : "put it into a shared register, or into r0 by { bitwise p0: byp ft0, ft1, "
                                            "sc0, 0x%x; w0 = r0 }",
                            (unsigned)bits);
    }
    return NULL;
}

/* The result of an instruction is a feedthrough, which a declaration after it brings to a register. */
static const char *result_hint(struct scan *scan, const struct rogue_statement *s, const struct rogue_mismatch *m)
{
    const struct rogue_operand *o = m->expected;
    if (!o || is_list(scan) || !s->noperands || m->where.p != s->operands[0].text.p ||
        s->operands[0].kind != ROGUE_RAW_REG)
        return NULL;
    struct rogue_word result = {o->word, o->length};
    if (o->kind == ROGUE_ON_FT) {
        const char *end = strrchr(m->message, ' ');
        result = (struct rogue_word){end + 1, (uint32_t)strlen(end + 1)};
    } else if (o->kind == ROGUE_ON_FIELD && o->field == ROGUE_F_DSEL)
        return arena_printf(scan->arena, "write 'mov ft0, %.*s' before it and ft0 here", ROGUE_WORD(m->where));
    else if (o->kind != ROGUE_ON_WORD || o->length != 3 || strncmp(o->word, "ft", 2) != 0)
        return NULL;
    return arena_printf(scan->arena, "write 'mov %.*s, %.*s' after the instructions: it writes the register",
                        ROGUE_WORD(m->where), ROGUE_WORD(result));
}

/* The word that is nearest to a wrong modifier of those that there are, or all of a few. */
static const char *near_modifier(struct scan *scan, const struct rogue_statement *s, const struct rogue_mismatch *m)
{
    enum { MOST = 160, FEW = 12 };
    const char *names[MOST] = {NULL};
    size_t n = s->nmods && m->where.p == s->mods[0].p ? rogue_name_endings(s->name.p, s->name.length, names, MOST) : 0;
    for (unsigned i = 0; i < m->nmods; i++) {
        const struct rogue_field_info *info = &rogue_fields[m->mods[i].field];
        const struct rogue_mod *mod = &m->mods[i];
        if (mod->length && n < MOST)
            names[n++] = arena_printf(scan->arena, "%.*s", (int)mod->length, mod->word);
        else if (info->type == ROGUE_MASK && n < MOST)
            names[n++] = "e0";
        for (unsigned code = 0; !mod->length && info->type == ROGUE_WORDS && info->words[code]; code++)
            if (info->words[code][0] && n < MOST)
                names[n++] = info->words[code];
    }
    const char *near = nearest_word(m->where.p, m->where.length, names, n);
    if (near)
        return arena_printf(scan->arena, "did you mean '.%s'?", near);
    const char *list = n && n <= FEW ? arena_printf(scan->arena, n > 1 ? "one of .%s" : "only .%s", names[0]) : NULL;
    for (size_t i = 1; list && i < n; i++)
        list = arena_printf(scan->arena, "%s, .%s", list, names[i]);
    return list;
}

/* How many registers an instruction of a list has whose units of a bitwise group hand feedthroughs on; 0: it is of no
 * such unit. */
static unsigned plain_registers(const struct rogue_row *row)
{
    enum { THREE = 1 << ROGUE_LOGICAL | 1 << ROGUE_SHIFT2 | 1 << ROGUE_BITMASK, TWO = 1 << ROGUE_COUNT };
    const struct rogue_template *t = &rogue_table()->templates[row->op];
    if (row->units & 1 << ROGUE_SHIFT1) /* FT2, S2, and a count in S1 */
        return t->noperands;
    return row->units & THREE ? 3 : row->units & TWO ? 2 : 0;
}

/* The syntax of a row with registers for the feedthroughs, ports and selectors of a group. */
static const char *list_syntax(struct arena *arena, const struct rogue_row *row)
{
    static const char *const ports[] = {"ft0|ft1", "s0|s3", "s1|s4", "s2|s5", "ft0", "ft2", "w0", "w1", "is0", "is1",
                                        "is2",     "is3",   "s0",    "s1",    "s2",  "s3",  "s4", "s5"};
    unsigned registers = plain_registers(row);
    if (registers)
        return arena_printf(arena, "%s r0, r1%s", row->name, registers > 2 ? ", r2" : "");
    if (row->units & 1 << ROGUE_BITTEST)
        return arena_printf(arena, "%s p0, r0", row->name);
    const char *p = rogue_syntax(row->op), *first = strchr(p, ' ');
    char out[TEXT_ROOM];
    struct text t = {.p = out};
    for (const char *q = p; *q && t.p < out + TEXT_ROOM - 8;) {
        size_t length = 0;
        for (size_t i = 0; first && q > first && q[-1] == ' ' && !length && i < sizeof ports / sizeof *ports; i++)
            if (strncmp(q, ports[i], strlen(ports[i])) == 0)
                length = strlen(ports[i]);
        if (length)
            put_text(&t, "rN");
        else
            put_char(&t, *q);
        q += length ? length : 1;
    }
    text_end(&t);
    return arena_printf(arena, "%s", out);
}

/* How the instruction is written, of which all names that take these operands are listed. */
static const char *syntax_hint(struct scan *scan, const struct rogue_statement *s, const struct rogue_mismatch *m)
{
    enum { MOST = 8, LONG = 200 };
    bool list = is_list(scan);
    if (rogue_is_move(s->name))
        return list ? "write 'mov r0, r1' for a copy, 'mov r0, 0x3f800000' for a number of 32 bits"
                    : "write 'mov ft0, r1' for a copy in a phase, 'mov r0, ft0' for a destination";
    const char *names[MOST + 1] = {0};
    unsigned count = s->nmods || m->mods ? 0 : rogue_longer_names(s, names, MOST);
    const char *syntax = list ? list_syntax(scan->arena, &rogue_rows()[m->op]) : rogue_syntax(m->op);
    if (!syntax)
        return NULL;
    if (count == 0 || count > MOST)
        return strlen(syntax) > LONG ? arena_printf(scan->arena, "weft isa rogue %s says how it is written",
                                                    rogue_rows()[m->op].name)
                                     : arena_printf(scan->arena, "write %s", syntax);
    char words[TEXT_ROOM];
    struct text t = {.p = words};
    add_words(&t, names);
    text_end(&t);
    return arena_printf(scan->arena, "there is %s", words);
}

/* Of a list: a feedthrough that a unit of a bitwise group takes is nothing that its text has. */
static bool is_of_group(struct scan *scan, const struct rogue_mismatch *m)
{
    const struct rogue_operand *o = m->expected;
    return is_list(scan) && o && o->kind == ROGUE_ON_WORD && o->length == 3 && strncmp(o->word, "ft", 2) == 0 &&
           o->word[2] != 't';
}

static const char *hint_of(struct scan *scan, const struct rogue_statement *s, const struct rogue_mismatch *m)
{
    enum { HINTS = 10 };
    if (scan->errors >= HINTS)
        return NULL;
    const char *hint = m->mods ? near_modifier(scan, s, m) : result_hint(scan, s, m);
    hint = hint ? hint : constant_hint(scan, s, m);
    if (!hint && (m->mods || strcmp(m->code, "operand-count") == 0 || is_of_group(scan, m)))
        hint = syntax_hint(scan, s, m);
    return hint;
}

/* One word, or all that instructions of the name have there. */
static void describe_words(struct text *t, struct arena *arena, const struct rogue_mismatch *m)
{
    const char *words[ROGUE_WORDS_EXPECTED + 2] = {NULL};
    unsigned count = 0;
    for (unsigned i = 0; i <= m->nwords; i++) {
        const struct rogue_operand *o = i ? m->words[i - 1] : m->expected;
        char *word = arena_printf(arena, "%.*s", (int)o->length, o->word);
        bool known = !word;
        for (unsigned k = 0; k < count && !known; k++)
            known = strcmp(words[k], word) == 0;
        if (!known)
            words[count++] = word;
    }
    add_words(t, words);
}

const char *rogue_mismatch_text(struct arena *arena, const struct rogue_mismatch *m)
{
    char expected[TEXT_ROOM];
    struct text t = {.p = expected};
    if (m->nwords)
        describe_words(&t, arena, m);
    else if (m->expected)
        describe(&t, m->expected, m->op);
    text_end(&t);
    if (!m->message && strcmp(m->code, "out-of-range") == 0)
        return arena_printf(arena, "'%.*s' is out of range: expected %s", ROGUE_WORD(m->where), expected);
    if (!m->message && strcmp(m->code, "operand-count") == 0)
        return arena_printf(arena, "operands are missing after '%.*s': expected %s", ROGUE_WORD(m->where), expected);
    if (!m->message)
        return arena_printf(arena, "expected %s, found '%.*s'", expected, ROGUE_WORD(m->where));
    const char *at = strstr(m->message, "%.*s");
    return at ? arena_printf(arena, "%.*s%.*s%s", (int)(at - m->message), m->message, ROGUE_WORD(m->where), at + 4)
              : m->message;
}

/* What an unknown name may have meant; NULL: nothing is near. */
static const char *meant(struct scan *scan, struct rogue_word name)
{
    static const struct scan_meant others[] = {
#define MEANT(theirs, write, why) {theirs, write, why},
#include "isa/rogue/hints.inc"
#undef MEANT
    };
    const char *hint = scan_label_hint(name.p);
    if (!hint)
        hint = scan_meant(scan, others, sizeof others / sizeof others[0], name.p, name.length);
    const char *near = hint || scan->errors >= 10 ? NULL : rogue_near_mnemonic(name.p, name.length);
    return near ? arena_printf(scan->arena, "did you mean '%s'?", near) : hint;
}

bool rogue_report_mismatch(struct scan *scan, const struct rogue_statement *s, const struct rogue_mismatch *m)
{
    if (!rogue_is_mnemonic(s->name.p, s->name.length) || (!m->message && !m->expected))
        return scan_error(scan, rogue_span(scan, s->name), "unknown-instruction", meant(scan, s->name),
                          "unknown instruction '%.*s'", ROGUE_WORD(rogue_text_of(s)));
    rogue_skip(scan, false, true);
    bool more = !rogue_at_end(scan) && *scan->p != '\n' && *scan->p != ';' && *scan->p != '}' && *scan->p != ']';
    if (more && !m->message && strcmp(m->code, "operand-count") == 0)
        return scan_expected(scan, *scan->p == ',' ? "an operand" : "','");
    bool numbers = m->expected && m->expected->kind == ROGUE_ON_FIELD && m->expected->length;
    const char *none = numbers ? NULL : rogue_no_register(scan->arena, m->where);
    const char *text = none                  ? none
                       : is_of_group(scan, m) ? arena_printf(scan->arena, "'%.*s' has other operands in a list",
                                                             ROGUE_WORD(rogue_text_of(s)))
                                              : rogue_mismatch_text(scan->arena, m);
    return scan_error(scan, rogue_span(scan, m->where), none ? "out-of-range" : m->code, hint_of(scan, s, m), "%s",
                      text ? text : "out of memory");
}
