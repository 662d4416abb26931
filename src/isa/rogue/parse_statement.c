/* parse_statement.c - text to statements: a mnemonic, its modifiers, operands as written (docs/manual/rogue.md).
 */
#include "isa/rogue/parse.h"

#include "base/decimal.h"

#include <stdlib.h>
#include <string.h>

/* ---- blanks and comments ---- */

/* # starts a comment, unless a number, or the name of one, follows at once where an operand may be: that is a constant
 * by value. */
static bool is_value(struct scan *s, const char *p)
{
    p += p[1] == '-';
    if (scan_is(p[1], SCAN_LETTER))
        return asm_known_value(rogue_assembler(s), p + 1, scan_word_length(p + 1));
    return scan_is(p[1], SCAN_DIGIT) || (p[1] == '.' && scan_is(p[2], SCAN_DIGIT));
}

void rogue_skip(struct scan *s, bool newlines, bool values)
{
    const char *q = s->p, *end = s->end;
    for (;;) {
        if (scan_is(*q, SCAN_BLANK) || (newlines && *q == '\n')) {
            q++;
        } else if ((*q == '#' && !(values && is_value(s, q))) || (*q == '/' && q[1] == '/')) {
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
    s->p = q;
}

/* A number and a colon: a group starts. */
bool rogue_at_group(const struct scan *s)
{
    const char *q = s->p;
    while (scan_is(*q, SCAN_DIGIT))
        q++;
    if (q == s->p)
        return false;
    while (*q == ' ' || *q == '\t')
        q++;
    return *q == ':';
}

bool rogue_take_char(struct scan *s, char c)
{
    rogue_skip(s, false, false);
    if (*s->p != c)
        return false;
    rogue_take(s, 1);
    return true;
}

struct span rogue_span(const struct scan *s, struct rogue_word w)
{
    const char *begin = s->begin, *end = s->end;
    if (w.p < begin || w.p > end)
        return scan_at(s, s->p, 0);
    return scan_at(s, w.p, w.length);
}

/* ---- operands ---- */

bool rogue_take_number(struct scan *s, uint64_t *value)
{
    uint64_t v = 0;
    const char *q = s->p;
    if (!scan_is(*q, SCAN_DIGIT))
        return false;
    for (; scan_is(*q, SCAN_DIGIT); q++)
        v = v < UINT32_MAX ? v * 10 + (uint64_t)(*q - '0') : v;
    rogue_take(s, (size_t)(q - s->p));
    *value = v;
    return true;
}

/* 12, 0x1f, 1.5, 1.0f, 3u, -2i */
static bool parse_number(struct scan *s, struct rogue_raw *raw)
{
    const char *q = s->p, *end;
    raw->kind = ROGUE_RAW_NUMBER;
    raw->negative = *q == '-';
    q += *q == '-';
    bool hex = q[0] == '0' && (q[1] | 32) == 'x';
    if (!scan_is(*q, SCAN_DIGIT) && !(*q == '.' && scan_is(q[1], SCAN_DIGIT)))
        return scan_expected(s, "a number");
    size_t digits = strspn(q, "0123456789");
    raw->is_float = !hex && ((q[digits] == '.' && scan_is(q[digits + 1], SCAN_DIGIT)) || (q[digits] | 32) == 'f');
    if (raw->is_float) {
        uint32_t bits;
        end = q + decimal_to_f32(q, &bits);
        raw->number = bits;
        if (bits == 0x7f800000)
            return scan_error(s, scan_at(s, q, end - q), "out-of-range", "infinity is 0x7f800000",
                              "this number does not fit 32 bits");
        end += (*end | 32) == 'f';
    } else {
        char *after;
        raw->number = strtoull(q, &after, hex ? 16 : 10);
        end = after;
        end += (*end | 32) == 'u' || (*end | 32) == 'i';
    }
    rogue_take(s, (size_t)(end - s->p));
    if (scan_is(*s->p, SCAN_LETTER | SCAN_DIGIT))
        return scan_expected(s, "the end of the number");
    return true;
}

/* ---- expressions ---- */

static bool parse_expression(struct scan *s, struct rogue_raw *raw)
{
    int64_t value;
    uint32_t comments = s->comments;
    s->comments = SCAN_HASH | SCAN_SLASHES | SCAN_C;
    bool fine = asm_constant(rogue_assembler(s), INT32_MIN, UINT32_MAX, "a number", &value);
    s->comments = comments;
    if (!fine)
        return false;
    raw->kind = ROGUE_RAW_NUMBER;
    raw->negative = value < 0;
    raw->number = (uint64_t)(value < 0 ? -value : value);
    return true;
}

/* ---- registers and ports ---- */

/* [idx0], [idx1+3], [idx0, 4]; r[0], r[0..3] */
static bool parse_index(struct scan *s, const char *name, size_t length, bool numbered, struct rogue_raw *raw)
{
    enum { MOST_OFFSET = 255, DIM_OFFSET = 31 };
    uint64_t offset = 0, more = 0, dim = 1;
    rogue_take(s, 1);
    struct rogue_word w = rogue_peek(s);
    if (!numbered && scan_is(*s->p, SCAN_DIGIT)) { /* an array's registers */
        rogue_take_number(s, &raw->number);
        if (s->p[0] == '.' && s->p[1] == '.') {
            rogue_take(s, 2);
            rogue_take_number(s, &more);
        }
        if (*s->p != ']' || !rogue_find_reg(name, length, raw->number, &raw->reg))
            return scan_expected(s, "']' and a register of that number");
        rogue_take(s, 1);
        return true;
    }
    int pointee = rogue_find_indexed(name, length);
    struct rogue_word bank = {name, (uint32_t)length};
    if (pointee < 0)
        return scan_error(s, rogue_span(s, bank), "bad-operand", NULL,
                          "'%.*s' cannot be indexed: r, vi, cf, cfa, sh, o and dc can", ROGUE_WORD(bank));
    if ( w.length != 4 || !scan_word_is(w.p, 3, "idx") || (w.p[3] != '0' && w.p[3] != '1'))
        return scan_expected(s, "idx0 or idx1");
    rogue_take(s, 4);
    offset = numbered ? raw->number : 0;
    struct rogue_word number = numbered ? bank : w;
    if (rogue_take_char(s, '+')) {
        rogue_skip(s, false, false);
        number = rogue_peek(s);
        if (!rogue_take_number(s, &more))
            return scan_expected(s, "a number");
        offset += more < MOST_OFFSET + 1 ? more : MOST_OFFSET + 1;
    }
    if (rogue_take_char(s, ',')) {
        rogue_skip(s, false, false);
        struct rogue_word size = rogue_peek(s);
        if (!rogue_take_number(s, &dim))
            return scan_expected(s, "a dimension: 1, 2, 4, 8 or 16");
        if (dim == 0 || dim > 16 || (dim & (dim - 1)))
            return scan_error(s, rogue_span(s, size), "out-of-range", NULL, "a dimension is 1, 2, 4, 8 or 16, not %.*s",
                              ROGUE_WORD(size));
    }
    if (!rogue_take_char(s, ']'))
        return scan_expected(s, "']'");
    if (offset > (dim > 1 ? DIM_OFFSET : MOST_OFFSET))
        return scan_error(s, rogue_span(s, number), "out-of-range", NULL, "an offset is at most %d%s",
                          dim > 1 ? DIM_OFFSET : MOST_OFFSET, dim > 1 ? " with a dimension" : "");
    raw->reg = (struct rogue_reg){(uint8_t)(w.p[3] == '0' ? ROGUE_IDX0 : ROGUE_IDX1), (uint8_t)__builtin_ctzll(dim),
                                  (uint16_t)(offset << 3 | (unsigned)pointee)};
    return true;
}

bool rogue_find_port_word(const char *word, size_t letters, uint64_t n, bool numbered, struct rogue_raw *raw)
{
    static const struct {
        const char *name;
        uint8_t kind, most;
    } words[] = {{"s", ROGUE_RAW_SOURCE, 5},
                 {"is", ROGUE_RAW_IS, 5},
                 {"ft", ROGUE_RAW_FT, 5},
                 {"w", ROGUE_RAW_W, 1},
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
static bool parse_name(struct scan *s, struct rogue_raw *raw)
{
    const char *word = s->p;
    size_t length = scan_word_length(word), letters = length;
    while (letters > 0 && scan_is(word[letters - 1], SCAN_DIGIT))
        letters--;
    bool numbered = letters < length && length - letters < 10;
    rogue_take(s, letters);
    raw->kind = ROGUE_RAW_WORD;
    raw->number = 0;
    if (numbered)
        rogue_take_number(s, &raw->number);
    else
        rogue_take(s, length - letters);
    if (!numbered && scan_word_is(word, length, "fte")) {
        raw->kind = ROGUE_RAW_FT;
        raw->n = ROGUE_RAW_FTE;
        return true;
    }
    if (rogue_find_port_word(word, letters, raw->number, numbered, raw))
        return true;
    if (numbered && s->p[0] == '.' && s->p[1] == '.') {
        uint64_t last;
        rogue_take(s, 2);
        if (!rogue_take_number(s, &last))
            return scan_expected(s, "the last register of the range");
    }
    if (*s->p == '[') {
        raw->kind = ROGUE_RAW_REG;
        return parse_index(s, word, letters, numbered, raw);
    }
    if (numbered && rogue_find_reg(word, letters, raw->number, &raw->reg))
        raw->kind = ROGUE_RAW_REG;
    return true;
}

static bool parse_mods(struct scan *s, struct rogue_word *mods, unsigned most, uint8_t *count)
{
    while (*s->p == '.' && s->p[1] != '.') {
        rogue_take(s, 1);
        struct rogue_word w = rogue_peek(s);
        if (w.length == 0)
            return scan_expected(s, "a modifier");
        rogue_take(s, w.length);
        if (*count >= most)
            return scan_error(s, rogue_span(s, w), "bad-modifier", NULL, "too many modifiers");
        mods[(*count)++] = w;
    }
    return true;
}

bool rogue_parse_operand(struct scan *s, struct rogue_raw *raw)
{
    static const struct rogue_word invert = {"invert", 6};
    const char *start = s->p;
    raw->kind = ROGUE_RAW_ABSENT; /* word for word: the room for modifiers is left as it is */
    raw->n = raw->nmods = 0;
    raw->is_float = raw->negative = false;
    raw->reg = (struct rogue_reg){0};
    raw->number = 0;
    bool fine = true, inverted = *start == '~';
    if (*start == '_' && !scan_is(start[1], SCAN_LETTER | SCAN_DIGIT)) {
        rogue_take(s, 1);
    } else if (asm_expression_begins(rogue_assembler(s))) {
        fine = parse_expression(s, raw);
    } else if (*start == '#' && scan_is(start[start[1] == '-' ? 2 : 1], SCAN_LETTER)) {
        rogue_take(s, 1);
        fine = parse_expression(s, raw);
    } else if (*start == '#' || scan_is(*start, SCAN_DIGIT) || *start == '-') {
        rogue_take(s, *start == '#');
        fine = parse_number(s, raw);
    } else {
        rogue_take(s, inverted);
        if (!scan_is(*s->p, SCAN_LETTER))
            return scan_expected(s, "an operand");
        fine = parse_name(s, raw);
    }
    raw->text = (struct rogue_word){start + inverted, (uint32_t)(s->p - start - inverted)};
    if (inverted)
        raw->mods[raw->nmods++] = invert;
    return fine && parse_mods(s, raw->mods, ROGUE_OPERAND_MODS, &raw->nmods);
}

/* ---- statements ---- */

/* In parentheses, are there not the words that groups and phases have there? */
static bool names_value(const struct scan *s)
{
    static const char *const words[] = {"ignorepe", "rpt1", "rpt2", "rpt3", "rpt4"};
    const char *word = s->p + 1 + strspn(s->p + 1, " \t");
    return scan_word_index(word, scan_word_length(word), words, sizeof words / sizeof words[0]) < 0;
}

static bool operand_follows(struct scan *s, bool new_line)
{
    char c = *s->p;
    if (rogue_at_end(s) || c == '}' || c == ';' || c == '{' || (new_line && rogue_at_group(s)))
        return false;
    if (c == '_' || c == '#' || c == '~' || c == '-' || scan_is(c, SCAN_DIGIT))
        return true;
    if (c == '(')
        return !new_line && names_value(s);
    struct rogue_word w = rogue_peek(s);
    bool starts = new_line && (rogue_is_mnemonic(w.p, w.length) || w.p[w.length] == ':' || rogue_word_is(w, "if"));
    return w.length && !starts;
}

/* Operands may continue on the next line after a comma, and before the first operand. */
static bool parse_operands(struct scan *s, struct rogue_statement *st)
{
    rogue_skip(s, false, true);
    bool new_line = *s->p == '\n';
    const char *line_end = s->p;
    rogue_skip(s, true, true);
    if (!operand_follows(s, new_line)) {
        s->p = new_line ? line_end : s->p;
        return true;
    }
    for (;;) {
        if (st->noperands >= ROGUE_RAW_OPERANDS)
            return scan_error(s, rogue_span(s, st->name), "operand-count", NULL, "too many operands");
        struct rogue_raw *raw = &st->operands[st->noperands++];
        if (*s->p == ',')
            *raw = (struct rogue_raw){.text = {s->p, 1}};
        else if (!rogue_parse_operand(s, raw))
            return false;
        if (!rogue_take_char(s, ','))
            return true;
        rogue_skip(s, false, true);
        new_line = *s->p == '\n';
        line_end = s->p;
        rogue_skip(s, true, true);
        if (*s->p != ',' && !operand_follows(s, new_line)) {
            s->p = new_line ? line_end : s->p;
            return true;
        }
    }
}

bool rogue_parse_statement(struct scan *s, struct rogue_statement *st)
{
    st->name = rogue_peek(s);
    st->nmods = st->noperands = 0;
    if (st->name.length == 0 || !scan_is(*st->name.p, SCAN_LETTER))
        return scan_expected(s, "an instruction");
    rogue_take(s, st->name.length);
    st->end = s->p;
    if (!parse_mods(s, st->mods, ROGUE_WORD_MODS, &st->nmods))
        return false;
    st->end = s->p;
    return parse_operands(s, st);
}

bool rogue_is_move(struct rogue_word name)
{
    return rogue_word_is(name, rogue_rows()[rogue_units[ROGUE_MOV].plain].name);
}

const struct rogue_raw *rogue_moved(const struct rogue_statement *st)
{
    const struct rogue_raw *to = &st->operands[0], *from = &st->operands[1];
    bool plain = st->noperands == 2 && !st->nmods && to->kind == ROGUE_RAW_REG && !to->nmods && !from->nmods;
    return plain && rogue_is_move(st->name) ? from : NULL;
}

/* ---- conditions ---- */

bool rogue_parse_count(struct scan *s, struct rogue_word digits, uint8_t *repeat)
{
    if (digits.length != 1 || *digits.p < '1' || *digits.p > '4')
        return scan_error(s, rogue_span(s, digits), "out-of-range", NULL, "a group is repeated 1 to 4 times");
    if (*repeat > 1 && *repeat != *digits.p - '0') /* older listings say it twice */
        return scan_error(s, rogue_span(s, digits), "twice", NULL, "the group is repeated %u times already", *repeat);
    *repeat = (uint8_t)(*digits.p - '0');
    return true;
}

bool rogue_parse_repeat(struct scan *s, uint8_t *repeat, bool *found)
{
    *found = *s->p == '(' && scan_word_length(s->p + 1) == 4 && scan_word_is(s->p + 1, 3, "rpt");
    if (!*found)
        return true;
    struct rogue_word digit = {s->p + 4, 1};
    rogue_take(s, 5);
    return rogue_parse_count(s, digit, repeat) && (rogue_take_char(s, ')') || scan_expected(s, "')'"));
}

bool rogue_parse_conditions(struct scan *s, uint8_t *cc, uint8_t *repeat)
{
    for (bool given = false;;) {
        bool found;
        rogue_skip(s, true, false);
        struct rogue_word w = rogue_peek(s);
        if (!rogue_parse_repeat(s, repeat, &found))
            return false;
        bool condition = rogue_word_is(w, "if");
        if (!found && !condition && *s->p != '(')
            return true;
        if (found)
            continue;
        if (given)
            return scan_error(s, scan_at(s, s->p, 1), "condition", NULL, "a group has one condition");
        given = true;
        rogue_take(s, w.length);
        if (!rogue_take_char(s, '('))
            return scan_expected(s, "'('");
        bool no = condition && rogue_take_char(s, '!');
        rogue_skip(s, false, false);
        w = rogue_peek(s);
        rogue_take(s, w.length);
        if (!rogue_word_is(w, condition ? "p0" : "ignorepe") || !rogue_take_char(s, ')'))
            return scan_error(s, rogue_span(s, w), "condition", "if(p0), if(!p0), (ignorepe)", "unknown condition");
        *cc = condition ? no ? ROGUE_CC_PE_NOT_P0 : ROGUE_CC_PE_P0 : ROGUE_CC_IGNORE_PE;
    }
}
