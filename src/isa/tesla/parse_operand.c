/* parse_operand.c - an instruction's text to tokens. */
#include "isa/tesla/names.h"
#include "isa/tesla/parse.h"

#include "base/decimal.h"

#include <stdio.h>
#include <string.h>

/* What the document and neighbouring tools call otherwise. */
static const char *other_word(struct tesla_parser *ps, const char *word, size_t length)
{
    static const struct scan_meant words[] = {
#define MEANT(theirs, write, why) {theirs, write, why},
#define MEANT_WORD MEANT
#include "isa/tesla/hints.inc"
#undef MEANT
#undef MEANT_WORD
    };
    return scan_meant(&ps->a.scan, words, sizeof words / sizeof words[0], word, length);
}

/* ---- registers ---- */

static bool bad_register(struct tesla_parser *ps, const char *start, const char *hint)
{
    struct scan *s = &ps->a.scan;
    size_t length = scan_word_length(start + 1) + 1;
    struct span where = {scan_offset(s, start), (uint32_t)length};
    return scan_error(s, where, "bad-register", hint, "there is no register '%.*s'", (int)(length < 40 ? length : 40),
                      start);
}

/* "$physid" and the others; the number, or -1. */
static int special_register(const char *name, size_t length)
{
    for (int i = 0; i < 16; i++)
        if (scan_same(name, length, tesla_special_registers[i]))
            return i;
    for (int i = 0; i < 16; i++) { /* $srN means all of them */
        char numbered[8];
        if (snprintf(numbered, sizeof numbered, "sr%d", i) > 0 && scan_same(name, length, numbered))
            return i;
    }
    return -1;
}

/* Digits of a register number. False when there are none, or more than three. */
static bool register_number(const char **p, unsigned *number)
{
    const char *start = *p;
    *number = 0;
    while (scan_is(**p, SCAN_DIGIT) && *p - start < 3)
        *number = *number * 10 + (unsigned)(*(*p)++ - '0');
    return *p > start;
}

/* A register whose number, n, ends at p: its letter is known. */
static bool numbered_register(struct tesla_parser *ps, const char *start, const char *p, unsigned n,
                              struct tesla_operand *o)
{
    const struct tesla_register *r = tesla_registers, *end = tesla_registers + TESLA_REGISTERS, *plain = NULL;
    for (; r < end; r++) {
        if (r->letter != start[1])
            continue;
        plain = plain ? plain : r;
        const char *after = p + (r->suffix != 0);
        if ((r->suffix && *p != r->suffix) || scan_is(*after, SCAN_LETTER | SCAN_DIGIT))
            continue;
        if (n >= r->count)
            break;
        o->kind = r->kind;
        o->high = r->high;
        o->reg = (uint8_t)n;
        ps->a.scan.p = ps->a.scan.last = after;
        return true;
    }
    return bad_register(ps, start, r < end ? r->hint : plain->hint);
}

static bool is_register_letter(char letter)
{
    unsigned i = 0;
    while (i < TESLA_REGISTERS && tesla_registers[i].letter != letter)
        i++;
    return i < TESLA_REGISTERS;
}

/* "$r1", "$r1l", "$a1", "$c1", "$t1", "$s1", "$physid" */
static bool parse_register(struct tesla_parser *ps, struct tesla_operand *o)
{
    const char *start = ps->a.scan.p, *p = start + 2;
    unsigned n;
    *o = (struct tesla_operand){0};
    if (scan_is(*p, SCAN_DIGIT) && is_register_letter(start[1])) {
        register_number(&p, &n);
        return numbered_register(ps, start, p, n, o);
    }
    size_t length = scan_word_length(start + 1);
    int special = special_register(start + 1, length);
    if (special < 0)
        return bad_register(ps, start, other_word(ps, start + 1, length));
    if (special == TESLA_SAMPLEID && length > 3 && !(ps->target.features & TESLA_D3D10_1))
        return bad_register(ps, start, tesla_chips_with(ps->a.scan.arena, TESLA_D3D10_1));
    o->kind = TESLA_O_SREG;
    o->reg = (uint8_t)special;
    ps->a.scan.p = ps->a.scan.last = start + 1 + length;
    return true;
}

/* ---- vectors: "$r0:#:$r1" ---- */

static bool vector_item(struct tesla_parser *ps, struct tesla_operand *o, unsigned *next)
{
    struct scan *s = &ps->a.scan;
    const char *start = s->p;
    struct tesla_operand item = {0};
    if (*start == '#') {
        s->last = ++s->p;
    } else if (*start != '$') {
        return scan_expected(s, "a register or '#'");
    } else if (!parse_register(ps, &item)) {
        return false;
    }
    if (o->value == 4)
        return scan_error(s, scan_span(s, start), "bad-vector", NULL, "a vector of more than four registers");
    if (item.kind == TESLA_O_REG) {
        if (o->mask == 0)
            o->reg = item.reg;
        else if (item.reg != *next)
            return scan_error(s, scan_span(s, start), "bad-vector", NULL,
                              "registers of a vector follow each other: expected $r%u", *next);
        o->mask |= (uint8_t)(1u << o->value);
        *next = item.reg + 1u;
    } else if (*start == '$') {
        return scan_error(s, scan_span(s, start), "bad-vector", NULL, "a vector is made of whole registers");
    }
    o->value++;
    return true;
}

static bool parse_vector(struct tesla_parser *ps, const char *start, struct tesla_operand *o)
{
    unsigned next = 0;
    ps->a.scan.p = start;
    *o = (struct tesla_operand){.kind = TESLA_O_VECTOR};
    do {
        if (!vector_item(ps, o, &next))
            return false;
    } while (*ps->a.scan.p == ':' && (ps->a.scan.last = ++ps->a.scan.p, true));
    return true;
}

/* ---- memory ---- */

static int space_of(char letter)
{
    const char *at = letter ? strchr(tesla_space_letters, letter) : NULL;
    return at ? (int)(at - tesla_space_letters) : -1;
}

/* Whether "s[", "c12[" or the like is here: the space, and where the bracket is. */
static int memory_space(const char *p, const char **bracket, unsigned *index)
{
    int space = space_of(*p++);
    *index = 0;
    if (space >= TESLA_C_SPACE && !(scan_is(*p, SCAN_DIGIT) && register_number(&p, index)))
        return -1;
    *bracket = p;
    return *p == '[' ? space : -1;
}

/* What follows a base: "++4", "--4", "+4", "-4" or nothing. */
static bool parse_offset(struct tesla_parser *ps, struct tesla_operand *o, int64_t *offset)
{
    struct scan *s = &ps->a.scan;
    scan_blanks(s);
    char sign = *s->p;
    if (sign != '+' && sign != '-')
        return true;
    o->increment = s->p[1] == sign;
    s->p += o->increment ? 2 : 1;
    s->last = s->p;
    scan_blanks(s);
    if (!tesla_parse_expression(ps, true, offset))
        return false;
    *offset = sign == '-' ? (int64_t)(0 - (uint64_t)*offset) : *offset;
    return true;
}

static bool parse_address(struct tesla_parser *ps, struct tesla_operand *o, int64_t *offset)
{
    struct scan *s = &ps->a.scan;
    struct tesla_operand base;
    scan_blanks(s);
    if (*s->p != '$') {
        if (!tesla_parse_expression(ps, true, offset))
            return false;
        scan_blanks(s);
        if (*offset == 0 && (*s->p == '+' || *s->p == '-') && s->p[1] == *s->p)
            return parse_offset(ps, o, offset); /* $a0, which is not written */
        return true;
    }
    const char *start = s->p;
    if (!parse_register(ps, &base))
        return false;
    bool global = o->space == TESLA_G_SPACE;
    if (base.kind != (global ? TESLA_O_REG : TESLA_O_A))
        return scan_error(s, scan_span(s, start), "bad-address", NULL,
                          global ? "g[] is addressed by a register $r0 to $r127"
                                 : "only g0[] to g15[] are addressed by anything but $a0 to $a7");
    if (global)
        o->reg = base.reg;
    else
        o->areg = base.reg;
    return parse_offset(ps, o, offset);
}

/* What is read so far of a space with a number, from `start`. */
static bool bad_space(struct scan *s, const char *start)
{
    const char *hint = start[1] == '[' ? arena_printf(s->arena, "write %c0[", *start) : NULL;
    return scan_error(s, scan_span(s, start), "bad-space", hint, "spaces are %c0[] to %c15[]", *start, *start);
}

static bool parse_memory(struct tesla_parser *ps, int space, unsigned index, const char *bracket,
                         struct tesla_operand *o)
{
    struct scan *s = &ps->a.scan;
    const char *start = s->p;
    int64_t offset = 0;
    *o = (struct tesla_operand){.kind = TESLA_O_MEMORY, .space = (uint8_t)space, .index = (uint8_t)index};
    s->p = s->last = bracket + 1;
    if (index > 15)
        return bad_space(s, start);
    if (!parse_address(ps, o, &offset))
        return false;
    if (!scan_take(s, ']'))
        return scan_expected(s, "']'");
    bool addressed =
        space != TESLA_G_SPACE || (offset == 0 && !o->increment && s->last - bracket > 2 && bracket[1] == '$');
    if (!addressed)
        return scan_error(s, scan_span(s, start), "bad-address", NULL, "g[] is addressed by a register alone, g0[$r1]");
    if (offset < -0x10000 || offset > 0x3ffff)
        return scan_error(s, scan_span(s, start), "bad-address", NULL, "an offset that no form has");
    o->offset = (int32_t)offset;
    return true;
}

/* ---- prefixes ---- */

static void read_lanes(struct tesla_line *line, const char *word, size_t length)
{
    line->has_lanes = true;
    line->lanes = 0;
    for (size_t i = 1; i < length && word[i] >= '0' && word[i] <= '3'; i++)
        line->lanes |= (uint8_t)(1u << (word[i] - '0'));
}

static bool is_lane_mask(const char *word, size_t length)
{
    if (scan_same(word, length, "lnone"))
        return true;
    for (size_t i = 1; i < length; i++)
        if (word[i] < '0' || word[i] > '3')
            return false;
    return length > 1 && length <= 5 && word[0] == 'l';
}

static bool parse_predicate(struct tesla_parser *ps, struct tesla_line *line, const char *word, size_t length)
{
    struct scan *s = &ps->a.scan;
    struct tesla_operand c;
    int code = -1;
    for (int i = 0; i < 32; i++)
        if (tesla_predicates[i] && scan_same(word, length, tesla_predicates[i]))
            code = i;
    const char *hint = code < 0 ? other_word(ps, word, length) : NULL;
    if (hint)
        return scan_error(s, scan_at(s, word, length), "unknown-predicate", hint, "unknown predicate '%.*s'",
                          (int)length, word);
    if (code < 0 && length > 1 && nearest_word(word, length, tesla_predicates, 20))
        return scan_unknown(s, "unknown-predicate", "predicate", word, length, tesla_predicates, 20);
    if (code < 0)
        return scan_error(s, scan_at(s, word, length), "unknown-predicate",
                          "a predicate is a condition and its register, (lg $c0): never, a subset of l, e, g and u, or "
                          "o, c, a, s, no, nc, na, ns",
                          "unknown predicate '%.*s'", length > 40 ? 40 : (int)length, word);
    line->has_predicate = true;
    line->predicate = (uint8_t)code;
    line->csrc = 0;
    if (code == 0 || code == TESLA_ALWAYS)
        return true;
    scan_blanks(s);
    if (*s->p != '$')
        return scan_expected(s, "a condition register $c0 to $c3");
    const char *start = s->p;
    if (!parse_register(ps, &c))
        return false;
    if (c.kind != TESLA_O_C)
        return scan_error(s, scan_span(s, start), "bad-predicate", NULL, "predicates look at $c0 to $c3");
    line->csrc = c.reg;
    return true;
}

/* "(ge $c1)", "(never)", "(l03)" */
static bool parse_parenthesis(struct tesla_parser *ps, struct tesla_line *line)
{
    struct scan *s = &ps->a.scan;
    const char *start = s->p++, *word;
    size_t length = scan_word(s, &word);
    if (length == 0)
        return scan_expected(s, "a predicate or a lane mask");
    bool lanes = is_lane_mask(word, length);
    if (lanes)
        read_lanes(line, word, length);
    else if (!parse_predicate(ps, line, word, length))
        return false;
    if (!scan_take(s, ')'))
        return scan_expected(s, "')'");
    if (lanes ? line->lanes_where.length : line->predicate_where.length)
        return scan_error(s, scan_span(s, start), "bad-prefix", NULL, "an instruction has one %s",
                          lanes ? "lane mask" : "predicate");
    *(lanes ? &line->lanes_where : &line->predicate_where) = scan_span(s, start);
    return true;
}

/* Is it a prefix? *fine: there is no other of its kind. */
static bool take_prefix_word(struct tesla_parser *ps, struct tesla_line *line, const char *word, size_t length,
                             bool *fine)
{
    static const struct {
        const char *word;
        uint8_t length, tail;
    } prefixes[] = {{"long", TESLA_ASK_LONG, 0}, {"short", TESLA_ASK_SHORT, 0}, {"exit", 0, 1}, {"join", 0, 2}};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (scan_same(word, length, prefixes[i].word)) {
            if ((line->length & prefixes[i].length) | (line->tail & prefixes[i].tail))
                *fine = scan_error(&ps->a.scan, scan_span(&ps->a.scan, word), "bad-prefix", NULL,
                                   "'%s' is there twice", prefixes[i].word);
            line->length |= prefixes[i].length;
            line->tail |= prefixes[i].tail;
            if (prefixes[i].tail)
                line->tail_where = scan_span(&ps->a.scan, word);
            return true;
        }
    return false;
}

/* ---- tokens ---- */

static struct tesla_token *new_token(struct tesla_parser *ps, struct tesla_line *line)
{
    if (line->ntokens == TESLA_MAX_TOKENS - 1) { /* one is left for the type word that a source may bring */
        scan_error(&ps->a.scan, scan_at(&ps->a.scan, ps->a.scan.p, 1), "too-large", NULL,
                   "more operands than any instruction has");
        return NULL;
    }
    struct tesla_token *token = &line->token[line->ntokens++];
    token->word = TESLA_NO_WORD;
    return token;
}

/* "write $r1", for a register without its sign. */
static const char *register_without_sign(struct tesla_parser *ps, const char *word, size_t length)
{
    size_t digits = 0;
    while (digits + 1 < length && scan_is(word[digits + 1], SCAN_DIGIT))
        digits++;
    bool named = digits && length - digits <= 2 && is_register_letter(word[0]);
    return named ? arena_printf(ps->a.arena, "write $%.*s", (int)length, word) : NULL;
}

/* "write #name", for the name of a label: one that a line of the text begins with. */
static const char *label_without_sign(struct tesla_parser *ps, const char *word, size_t length)
{
    const char *p = ps->a.scan.src->text, *end = p + ps->a.scan.src->size;
    while (p < end) {
        while (p < end && scan_is(*p, SCAN_BLANK))
            p++;
        if ((size_t)(end - p) > length && memcmp(p, word, length) == 0 && p[length] == ':')
            return arena_printf(ps->a.arena, "write #%.*s", (int)length, word);
        p = memchr(p, '\n', (size_t)(end - p));
        p = p ? p + 1 : end;
    }
    return NULL;
}

static bool unknown_mnemonic(struct tesla_parser *ps, const char *word, size_t length)
{
    const char *names[TESLA_MAX_WORDS], *hint = scan_label_hint(word);
    uint32_t n = 0;
    hint = hint ? hint : other_word(ps, word, length);
    if (hint)
        return scan_error(&ps->a.scan, scan_at(&ps->a.scan, word, length), "unknown-instruction", hint,
                          "unknown instruction '%.*s'", (int)length, word);
    for (uint32_t i = 1; i < ps->tables->nwords; i++)
        if (scan_is(ps->tables->word[i].text[0], SCAN_LETTER) && ps->tables->word[i].nrows)
            names[n++] = ps->tables->word[i].text;
    return scan_unknown(&ps->a.scan, "unknown-instruction", "instruction", word, length, names, n);
}

const char *tesla_word_meant(struct tesla_parser *ps, const char *word, size_t length)
{
    const char *hint = other_word(ps, word, length);
    if (!hint)
        hint = register_without_sign(ps, word, length);
    return hint ? hint : label_without_sign(ps, word, length);
}

static bool parse_word(struct tesla_parser *ps, struct tesla_token *token, const char *word, size_t length,
                       bool mnemonic)
{
    token->word = tesla_find_word(ps->tables, word, length);
    ps->a.scan.p = ps->a.scan.last = word + length;
    if (token->word && (!mnemonic || ps->tables->word[token->word].nrows))
        return true;
    token->word = TESLA_BAD_CODE;
    return mnemonic && unknown_mnemonic(ps, word, length);
}

static bool parse_dollar_or_hash(struct tesla_parser *ps, struct tesla_operand *o)
{
    struct scan *s = &ps->a.scan;
    const char *start = s->p;
    if (*start == '#') {
        *o = (struct tesla_operand){0};
        s->last = ++s->p;
    } else if (!parse_register(ps, o)) {
        return false;
    }
    return *s->p != ':' || parse_vector(ps, start, o);
}

static bool parse_number_token(struct tesla_parser *ps, struct tesla_token *token)
{
    token->operand = (struct tesla_operand){.kind = TESLA_O_IMMEDIATE};
    if (!tesla_parse_expression(ps, false, &token->number))
        return false;
    token->operand.value = (uint32_t)token->number;
    return true;
}

/* "1.0", whose whole part has been taken for a number. */
static bool says_fraction(struct tesla_parser *ps, const char *dot)
{
    struct scan *s = &ps->a.scan;
    const char *start = dot;
    while (scan_is(start[-1], SCAN_DIGIT))
        start--;
    uint32_t bits;
    const char *end = start + decimal_to_f32(start, &bits);
    return scan_error(s, scan_at(s, start, end - start), "syntax",
                      arena_printf(s->arena, "write 0x%x, the bits of %.*s", bits, (int)(end - start), start),
                      "a number has no fraction here");
}

/* "(mul" opens the product of a multiply-add; any other parenthesis is one of an expression. */
static bool opens_product(const struct tesla_parser *ps, const char *p)
{
    p++;
    while (scan_is(*p, SCAN_BLANK))
        p++;
    return tesla_find_word(ps->tables, p, scan_word_length(p)) == ps->tables->product_word;
}

static bool parse_token(struct tesla_parser *ps, struct tesla_token *token, bool mnemonic)
{
    struct scan *s = &ps->a.scan;
    const char *start = s->p, *bracket;
    char c = *start;
    unsigned index;
    if (c == '$' || (c == '#' && !scan_is(start[1], SCAN_LETTER)))
        return parse_dollar_or_hash(ps, &token->operand);
    if (scan_is(c, SCAN_LETTER)) {
        int space = memory_space(start, &bracket, &index);
        if (space >= 0 && !mnemonic)
            return parse_memory(ps, space, index, bracket, &token->operand);
        if (space_of(c) >= TESLA_C_SPACE && start[1] == '[' && !mnemonic) {
            s->p = s->last = start + 2;
            return bad_space(s, start);
        }
        return parse_word(ps, token, start, scan_word_length(start), mnemonic);
    }
    if (c == ')' || (c == '(' && opens_product(ps, start)))
        return parse_word(ps, token, start, 1, false);
    if (c == '-' && start[1] == '$')
        return scan_expected_or(s, "an operand", "write neg before the source: neg $r0");
    if (scan_is(c, SCAN_DIGIT) || c == '#' || c == '-' || c == '~' || c == '!' || c == '(' || c == '+')
        return parse_number_token(ps, token);
    if (c == '.' && !mnemonic && scan_is(start[-1], SCAN_DIGIT))
        return says_fraction(ps, start);
    if (c == ',')
        return scan_error(s, scan_at(s, start, 1), "syntax", "leave it out", "operands have no comma between them");
    const char *hint = c == '.' && scan_is(start[1], SCAN_LETTER) ? "types are words of their own: add b32, not add.b32"
                       : c == '['                                 ? "memory has a letter: s[0x10], l[0x0], g0[$r1]"
                                                                  : NULL;
    return scan_expected_or(s, "an operand", hint);
}

/* Prefixes up to the mnemonic. */
static bool parse_prefixes(struct tesla_parser *ps, struct tesla_line *line)
{
    struct scan *s = &ps->a.scan;
    for (;;) {
        const char *word;
        scan_blanks(s);
        if (*s->p == '(') {
            if (!parse_parenthesis(ps, line))
                return false;
            continue;
        }
        size_t length = scan_word(s, &word);
        if (length == 0)
            return scan_expected_or(s, "an instruction",
                                    *s->p == '@' ? "write a predicate as (lg $c0), its condition and its register"
                                    : line->tail ? "exit and join go before an instruction: exit nop"
                                                 : NULL);
        bool fine = true;
        if (!take_prefix_word(ps, line, word, length, &fine)) {
            s->p = word;
            return true;
        }
        if (!fine)
            return false;
    }
}

bool tesla_parse_line(struct tesla_parser *ps, struct tesla_line *line)
{
    line->ntokens = 0;
    line->length = line->tail = 0;
    line->has_predicate = line->has_lanes = line->unknown = false;
    line->predicate_where = line->lanes_where = (struct span){0, 0};
    if (!parse_prefixes(ps, line))
        return false;
    const char *mnemonic = ps->a.scan.p;
    if (line->tail == 3)
        return scan_error(&ps->a.scan, line->tail_where, "bad-prefix", NULL,
                          "an instruction has exit or join, not both");
    if (line->length == (TESLA_ASK_LONG | TESLA_ASK_SHORT))
        return scan_error(&ps->a.scan, scan_at(&ps->a.scan, mnemonic, 1), "bad-prefix", NULL,
                          "an instruction is long or short, not both");
    while (!tesla_at_end(ps)) {
        struct tesla_token *token = new_token(ps, line);
        const char *start = ps->a.scan.p;
        bool fine = token && parse_token(ps, token, line->ntokens == 1);
        if (token)
            token->where = scan_at(&ps->a.scan, start, ps->a.scan.p - start);
        line->unknown = token && token->word == TESLA_BAD_CODE && line->ntokens > 1;
        if (!fine)
            return false;
    }
    return true;
}
