/* parse_operand.c - the operands of an instruction: staging registers, destination, sources, immediates. */
#include "isa/valhall/names.h"
#include "isa/valhall/parse.h"

#include "base/decimal.h"

#include <string.h>

/* ---- registers ---- */

/* One or two digits, and nothing that goes on like a number: true with *number (0 to 99) and *at after it. */
static bool read_number(const char **at, unsigned *number)
{
    const char *p = *at;
    unsigned n = 0, digits = 0;
    for (; scan_is(*p, SCAN_DIGIT) && digits < 4; p++, digits++)
        n = n * 10 + (unsigned)(*p - '0');
    if (digits == 0 || scan_is(*p, SCAN_DIGIT | SCAN_LETTER))
        return false;
    *number = n;
    *at = p;
    return true;
}

/* r0 to r63. */
static bool parse_register(struct valhall_parser *p, unsigned *number)
{
    struct scan *s = &p->a.scan;
    const char *start = s->p, *at = s->p + 1;
    if (*start != 'r' || !read_number(&at, number))
        return scan_expected_or(s, "a register (r0 to r63)", *start == 'R' ? "registers are in lower case" : NULL);
    s->p = s->last = at;
    if (*number > 63)
        return scan_error(s, scan_span(s, start), "bad-register", NULL, "register r%u does not exist: r0 to r63 do",
                          *number);
    return true;
}

/* @ or @r4:r5:r6, consecutive. */
static bool parse_staging(struct valhall_parser *p, const struct valhall_staging_rule *rule)
{
    struct scan *s = &p->a.scan;
    const char *start = s->p;
    unsigned base = 0, count = 0, least = rule->least, most = 7 + least;
    if (!scan_take(s, '@'))
        return scan_expected(s, "staging registers (@r0 or @r0:r1, ...)");
    if (*s->p == 'r') {
        do {
            unsigned number;
            if (!parse_register(p, &number))
                return false;
            if (count == 0)
                base = number;
            else if (number != base + count)
                return scan_error(s, scan_span(s, start), "staging-order", NULL,
                                  "staging registers must be consecutive: r%u is next, not r%u", base + count, number);
            count++;
        } while (*s->p == ':' && *++s->p);
    }
    if (count < least || count > most)
        return scan_error(s, scan_span(s, start), "staging-count", NULL, "%u staging registers: there may be %u to %u",
                          count, least, most);
    p->word |= valhall_put_field(rule->base, base) | valhall_put_field(rule->number, count - least);
    return true;
}

/* r5, r5.h0 or r5.h1. */
static bool parse_destination(struct valhall_parser *p)
{
    struct scan *s = &p->a.scan;
    unsigned number, mask = 3;
    if (!parse_register(p, &number))
        return false;
    if (*s->p == '.') {
        const char *half = s->p + 1;
        if (half[0] != 'h' || (half[1] != '0' && half[1] != '1') || scan_word_length(half) != 2) {
            s->last = half + scan_word_length(half);
            return scan_error(s, scan_span(s, s->p), "destination", NULL,
                              "a destination is a whole register or one half of it: .h0 or .h1");
        }
        mask = half[1] == '0' ? 1 : 2;
        s->p = s->last = half + 2;
    }
    p->word |= valhall_put_field(VALHALL_FIELD_DST, number) | valhall_put_field(VALHALL_FIELD_HALVES, mask);
    return true;
}

/* ---- sources ---- */

/* Uniforms and special values of one instruction are of one page. */
static void use_page(struct valhall_parser *p, unsigned page)
{
    if (p->page == VALHALL_NO_PAGE)
        p->page = (uint8_t)page;
    else if (p->page != page)
        p->pages_differ = true;
}

/* 1.0 and the like: the table is named by its bits, but for 0.0, which is 0 once more. */
static bool parse_decimal(struct valhall_parser *p, unsigned *byte)
{
    struct scan *s = &p->a.scan;
    const char *start = s->p;
    char text[24] = "";
    size_t n = 0, dots = 0;
    while (n < sizeof text - 1 && (scan_is(start[n], SCAN_DIGIT) || (start[n] == '.' && dots == 0))) {
        dots += start[n] == '.';
        text[n] = start[n];
        n++;
    }
    s->p = s->last = start + n;
    if (strcmp(text, "0.0") == 0) {
        *byte = VALHALL_BYTE_CONSTANT + VALHALL_FLOAT_ZERO;
        return true;
    }
    return scan_error(s, scan_span(s, start), "constant", valhall_constant_hint(p, p->rule, true, decimal_value(text)),
                      "a constant is written by its bits, as the table of immediates has it: '%s' is not", text);
}

static bool is_decimal(const char *p)
{
    while (scan_is(*p, SCAN_DIGIT))
        p++;
    return p[0] == '.' && scan_is(p[1], SCAN_DIGIT);
}

/* The entry of the table that a number from `start` on is. */
static bool find_constant(struct valhall_parser *p, const char *start, uint64_t value, unsigned *byte)
{
    struct scan *s = &p->a.scan;
    for (unsigned i = 0; i < 32; i++)
        if (valhall_constants[i] == value) {
            *byte = VALHALL_BYTE_CONSTANT + i;
            return true;
        }
    return scan_error(s, scan_span(s, start), "constant", valhall_constant_hint(p, p->rule, false, (double)value),
                      "0x%llX is not in the table of immediates", (unsigned long long)value);
}

static bool parse_constant(struct valhall_parser *p, unsigned *byte)
{
    const char *start = p->a.scan.p;
    uint64_t value;
    if (is_decimal(start))
        return parse_decimal(p, byte);
    return scan_number(&p->a.scan, &value) && find_constant(p, start, value, byte);
}

/* A name that .equ has given a value. */
static bool parse_named_constant(struct valhall_parser *p, const char *name, const struct asm_expr *e, unsigned *byte)
{
    int64_t value;
    if (!asm_evaluate(&p->a, e, &value))
        return asm_error(&p->a, name, "not-constant", NULL, "a constant must be known here");
    return find_constant(p, name, (uint32_t)value, byte);
}

static bool parse_uniform(struct valhall_parser *p, unsigned *byte)
{
    struct scan *s = &p->a.scan;
    const char *start = s->p, *at = start + 1;
    unsigned number;
    if (!read_number(&at, &number))
        return scan_expected(s, "a uniform (u0 to u127)");
    s->p = s->last = at;
    if (number > 127)
        return scan_error(s, scan_span(s, start), "uniform-range", NULL, "uniform u%u does not exist: u0 to u127 do",
                          number);
    *byte = VALHALL_BYTE_UNIFORM + (number & 63);
    use_page(p, number >> 6);
    return true;
}

static bool unknown_source(struct valhall_parser *p, const char *word, size_t length)
{
    const char *names[VALHALL_SPECIALS];
    size_t n = 0;
    for (unsigned i = 0; i < VALHALL_SPECIALS; i++)
        if (valhall_special_names[i])
            names[n++] = valhall_special_names[i];
    const char *near = nearest_word(word, length, names, n);
    return scan_error(&p->a.scan, scan_span(&p->a.scan, word), "source",
                      near ? arena_printf(p->a.arena, "did you mean '%s'?", near)
                           : "a source is r0 to r63, u0 to u127, a constant by its bits or a special value",
                      "unknown source '%.*s'%s", length > 40 ? 40 : (int)length, word, length > 40 ? "..." : "");
}

/* thread_local_pointer.w0 */
static bool parse_special(struct valhall_parser *p, unsigned *byte)
{
    struct scan *s = &p->a.scan;
    const char *word;
    size_t length = scan_word(s, &word);
    int name = valhall_word(p->words, word, length), special = name < 0 ? -1 : p->words->special[name];
    const struct asm_expr *constant = special < 0 ? asm_known_value(&p->a, word, length) : NULL;
    if (constant)
        return parse_named_constant(p, word, constant, byte);
    if (special < 0)
        return unknown_source(p, word, length);
    use_page(p, (unsigned)special / 16);
    p->specials_differ |= p->special >= 0 && p->special != special;
    p->special = special;
    *byte = VALHALL_BYTE_SPECIAL + 2 * ((unsigned)special % 16);
    if (s->p[0] == '.' && s->p[1] == 'w' && (s->p[2] == '0' || s->p[2] == '1') && scan_word_length(s->p + 1) == 2) {
        *byte += s->p[2] == '1';
        s->p += 3;
        s->last = s->p;
        return true;
    }
    /* Go on after this one: the rest of the statement may have more to say. */
    scan_error(s, scan_span(s, word), "special-word", NULL, "a special value needs its word: %s.w0 or %s.w1",
               valhall_special_names[special], valhall_special_names[special]);
    return true;
}

static bool parse_source_value(struct valhall_parser *p, unsigned *byte)
{
    struct scan *s = &p->a.scan;
    char c = *s->p;
    if (c == '^' || c == '`' || (c == 'r' && scan_is(s->p[1], SCAN_DIGIT))) {
        unsigned last = c != 'r';
        s->p += last;
        if (!parse_register(p, byte))
            return false;
        *byte |= last << 6;
        return true;
    }
    if (c == 'u' && scan_is(s->p[1], SCAN_DIGIT))
        return parse_uniform(p, byte);
    if (scan_is(c, SCAN_DIGIT))
        return parse_constant(p, byte);
    if ((c == 'R' || c == 'U') && scan_is(s->p[1], SCAN_DIGIT))
        return scan_expected_or(s, "a source (register, uniform, constant or special value)",
                                "registers and uniforms are in lower case");
    if (scan_is(c, SCAN_LETTER))
        return parse_special(p, byte);
    return scan_expected_or(s, "a source (register, uniform, constant or special value)",
                            valhall_sign_hint(p, p->rule, s->p));
}

/* The names that may follow a source, for a message. */
static bool unknown_source_word(struct valhall_parser *p, const struct valhall_source_rule *rule, const char *word,
                                size_t length)
{
    const char *names[20];
    size_t n = 0;
    if (rule->neg) {
        names[n++] = "neg";
        names[n++] = "abs";
    }
    if (rule->invert)
        names[n++] = "not";
    const struct valhall_picks *all = &valhall_picks[rule->select];
    for (unsigned v = 0; rule->select && v < 1u << all->bits; v++)
        if (all->picks[v].name && strcmp(all->picks[v].name, "none") != 0)
            names[n++] = all->picks[v].name;
    if (n == 0)
        return scan_error(&p->a.scan, scan_span(&p->a.scan, word), "source-modifier", NULL,
                          "'.%.*s' cannot follow this source: nothing can", (int)length, word);
    return scan_error(&p->a.scan, scan_span(&p->a.scan, word), "source-modifier",
                      valhall_names_hint(p, word, length, names, n, n), "unknown modifier of this source '.%.*s'",
                      (int)length, word);
}

static bool twice(struct valhall_parser *p, const char *word, size_t length, const char *what)
{
    return scan_error(&p->a.scan, scan_span(&p->a.scan, word), "twice", NULL, "'.%.*s': %s is there already",
                      (int)length, word, what);
}

/* .neg .abs .not, or a swizzle. */
static bool parse_source_words(struct valhall_parser *p, const struct valhall_source_rule *rule)
{
    struct scan *s = &p->a.scan;
    bool selected = false;
    while (*s->p == '.') {
        const char *word = s->p + 1;
        size_t length = scan_word_length(word);
        s->p = s->last = word + length;
        unsigned at = 0;
        if (length == 3)
            at = memcmp(word, "neg", 3) == 0   ? rule->neg
                 : memcmp(word, "abs", 3) == 0 ? rule->abs
                 : memcmp(word, "not", 3) == 0 ? rule->invert
                                               : 0;
        if (at) {
            if (p->word >> at & 1)
                return twice(p, word, length, "it");
            p->word |= 1ull << at;
            continue;
        }
        int name = valhall_word(p->words, word, length), value = name < 0 ? -1 : p->words->select[rule->select][name];
        if (value < 0)
            return unknown_source_word(p, rule, word, length);
        if (selected)
            return twice(p, word, length, "a selection");
        selected = true;
        p->word |= (uint64_t)value << rule->select_at;
    }
    if (rule->select && !selected && valhall_picks[rule->select].initial > 0)
        p->word |= (uint64_t)valhall_picks[rule->select].initial << rule->select_at;
    return true;
}

static bool parse_source(struct valhall_parser *p, const struct valhall_source_rule *rule)
{
    unsigned byte = 0;
    p->rule = rule;
    if (!parse_source_value(p, &byte))
        return false;
    p->word |= (uint64_t)byte << rule->at;
    return parse_source_words(p, rule);
}

/* ---- immediates ---- */

static bool parse_immediate_name(struct valhall_parser *p, const struct valhall_field *rule)
{
    struct scan *s = &p->a.scan;
    const char *word;
    bool constant = rule->role == VALHALL_ROLE_CONSTANT;
    if (constant && scan_take(s, '#'))
        return true;
    const char *start = s->p;
    size_t length = scan_word(s, &word);
    if (length == strlen(rule->name) && memcmp(word, rule->name, length) == 0 && scan_take(s, ':'))
        return true;
    s->p = start;
    if (constant)
        return scan_expected_or(s, "'#' and a constant",
                                scan_is(*start, SCAN_DIGIT) ? "write # before the number" : NULL);
    const char *what = arena_printf(p->a.arena, "'%s:' and a number", rule->name), *hint = NULL;
    if (rule->role >= VALHALL_ROLE_BLEND_TARGET && length && length < 40)
        hint = arena_printf(p->a.arena, "write %s:%.*s, the way to a label", rule->name, (int)length, word);
    return what && scan_expected_or(s, what, hint);
}

/* An address, of labels that may come later. */
static bool parse_target(struct valhall_parser *p, const struct valhall_field *rule)
{
    struct scan *s = &p->a.scan;
    const char *start = s->p;
    const struct asm_expr *e = asm_expression(&p->a);
    return e && asm_add_fixup(&p->a, &(struct asm_fixup){.role = ASM_INSN, .expr = e, .own = rule, .src = s->src,
                                                          .where = scan_span(s, start)});
}

static bool parse_immediate(struct valhall_parser *p, const struct valhall_field *rule)
{
    struct scan *s = &p->a.scan;
    const char *start = s->p;
    uint64_t value;
    bool negative, branch = rule->role >= VALHALL_ROLE_BLEND_TARGET;
    if (!parse_immediate_name(p, rule))
        return false;
    if (branch && scan_is(*s->p, SCAN_LETTER) && !asm_expression_begins(&p->a))
        return parse_target(p, rule);
    uint32_t errors = s->errors;
    if (asm_expression_begins(&p->a)) {
        int64_t known;
        if (!asm_constant(&p->a, -(int64_t)UINT32_MAX, UINT32_MAX, "a number", &known))
            return false;
        negative = known < 0;
        value = (uint64_t)(negative ? -known : known);
    } else if (!scan_signed(s, &value, &negative))
        return s->errors > errors ? false : scan_expected(s, branch ? "a number or a label" : "a number");
    uint64_t most = rule->is_signed ? (1ull << (rule->size - 1)) - !negative : negative ? 0 : (1ull << rule->size) - 1;
    if (value > most)
        return scan_error(s, scan_span(s, start), "immediate-range", NULL, "'%s' has %u bits%s: %lld to %lld",
                          rule->name, rule->size, rule->is_signed ? " with a sign" : "",
                          rule->is_signed ? -(long long)(1ull << (rule->size - 1)) : 0,
                          (long long)(1ull << (rule->size - rule->is_signed)) - 1);
    p->word |= ((negative ? 0 - value : value) & ((1ull << rule->size) - 1)) << rule->at;
    return true;
}

/* ---- the list ---- */

/* What an instruction takes, for messages about a wrong number of operands. */
static const char *operands_text(struct valhall_parser *p, const struct valhall_row *row)
{
    const char *parts[4];
    unsigned n = 0;
    if (row->nstaging)
        parts[n++] = row->nstaging == 2 ? "two groups of staging registers" : "staging registers";
    if (row->has_dst)
        parts[n++] = "a destination";
    if (row->nsrc)
        parts[n++] = arena_printf(p->a.arena, "%u source%s", row->nsrc, row->nsrc == 1 ? "" : "s");
    if (row->nimm)
        parts[n++] = arena_printf(p->a.arena, "%u immediate%s", row->nimm, row->nimm == 1 ? "" : "s");
    const char *text = n ? parts[0] : "no operands";
    for (unsigned i = 1; text && i < n; i++)
        text = arena_printf(p->a.arena, "%s%s%s", text, i + 1 < n ? ", " : " and ", parts[i] ? parts[i] : "");
    return text ? arena_printf(p->a.arena, "%s takes %s", row->name, text) : NULL;
}

/* To operand `number`: past the comma before it. */
static bool next_operand(struct valhall_parser *p, const struct valhall_row *row, unsigned number)
{
    struct scan *s = &p->a.scan;
    if (scan_at_line_end(s))
        return scan_error(s, scan_at(s, s->last, 0), "operand-count", operands_text(p, row),
                          "operand %u of %s is missing", number + 1, row->name);
    if (number == 0)
        return true;
    if (!scan_take(s, ','))
        return scan_expected(s, "','");
    scan_blanks(s);
    return true;
}

bool valhall_parse_operands(struct valhall_parser *p, const struct valhall_row *row)
{
    unsigned number = 0;
    for (unsigned i = 0; i < row->nstaging; i++)
        if (!next_operand(p, row, number++) || !parse_staging(p, &row->staging[i]))
            return false;
    if (row->has_dst && (!next_operand(p, row, number++) || !parse_destination(p)))
        return false;
    for (unsigned i = 0; i < row->nsrc; i++)
        if (!next_operand(p, row, number++) || !parse_source(p, &row->src[i]))
            return false;
    for (unsigned i = 0; i < row->nimm; i++)
        if (!next_operand(p, row, number++) || !parse_immediate(p, &valhall_fields[row->imm[i]]))
            return false;
    struct scan *s = &p->a.scan;
    if (scan_at_line_end(s))
        return true;
    if (*s->p != ',')
        return scan_expect_line_end(s);
    return scan_error(s, scan_at(s, s->p, 1), "operand-count", operands_text(p, row),
                      "%s has no more than %u operand%s", row->name, number, number == 1 ? "" : "s");
}
