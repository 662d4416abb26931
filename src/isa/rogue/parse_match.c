/* parse_match.c - which instruction a statement is: every way to write its name is tried, the first that fits is it. */
#include "isa/rogue/alu.h"
#include "isa/rogue/parse.h"

#include <stdlib.h>
#include <string.h>

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 32) : c;
}

/* ---- words ---- */

static bool is_word(const struct rogue_word *w, const char *name, size_t length)
{
    return w->length == length && strncasecmp(w->p, name, length) == 0;
}

/* Spellings of words: the document's, older ones. */
static struct rogue_word plain_word(const struct rogue_word *w)
{
    static const char *const spellings[][2] = {
        {"rndzero", "roundzero"}, {"coveragemask", "cov"},       {"const0", "zero"},        {"const1", "one"},
        {"f32mask", "f32_mask"},  {"2f102f10f10", "2f10f10f10"}, {"gradient", "gradients"},
    };
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++)
        if (is_word(w, spellings[i][0], strlen(spellings[i][0])))
            return (struct rogue_word){spellings[i][1], (uint32_t)strlen(spellings[i][1])};
    return *w;
}

/* How many of the words at mods[0..] spell `name`, which may have dots; 0: they do not. */
static unsigned spell(const struct rogue_word *mods, unsigned count, const char *name)
{
    unsigned used = 0;
    while (*name) {
        size_t length = strcspn(name, ".");
        if (used >= count)
            return 0;
        struct rogue_word w = plain_word(&mods[used]);
        if (!is_word(&w, name, length))
            return 0;
        used++;
        name += length;
        name += *name == '.';
    }
    return used;
}

static bool set_value(struct rogue_draft *d, uint8_t field, uint64_t code)
{
    for (unsigned i = 0; i < d->nvalues; i++)
        if (d->values[i].field == field)
            return d->values[i].code == code;
    if (d->nvalues >= ROGUE_DRAFT_VALUES)
        return false;
    d->values[d->nvalues++] = (struct rogue_value){field, code};
    return true;
}

static void add_want(struct rogue_draft *d, struct rogue_want want)
{
    d->wants[d->nwants++] = want;
}

/* e0 to e3 in a mask; none. */
static bool mask_word(const struct rogue_word *w, uint64_t *mask)
{
    if (w->length == 2 && lower(w->p[0]) == 'e' && w->p[1] >= '0' && w->p[1] <= '3')
        *mask |= 1u << (w->p[1] - '0');
    else if (!is_word(w, "none", 4))
        return false;
    return true;
}

static bool no_word(struct rogue_mismatch *wrong, const char *code, const char *message, struct rogue_word where,
                    unsigned depth)
{
    *wrong = (struct rogue_mismatch){.code = code, .message = message, .where = where, .depth = depth};
    return false;
}

static unsigned match_mod(const struct rogue_mod *m, const struct rogue_word *words, unsigned count,
                          struct rogue_draft *d)
{
    const struct rogue_field_info *info = &rogue_fields[m->field];
    char text[32] = "";
    if (info->type == ROGUE_MASK) {
        uint64_t mask = 0;
        unsigned n = 0;
        while (n < count && mask_word(&words[n], &mask))
            n++;
        return n && set_value(d, m->field, mask) ? n : 0;
    }
    if (info->type == ROGUE_WORDS) {
        unsigned best = 0, code = 0;
        for (unsigned c = 0; info->words[c]; c++) {
            unsigned n = info->words[c][0] ? spell(words, count, info->words[c]) : 0;
            if (n > best) {
                best = n;
                code = c;
            }
        }
        return best && set_value(d, m->field, code) ? best : 0;
    }
    if (info->type == ROGUE_NUMBER) { /* .adjust2 */
        const struct rogue_word *w = words;
        if (w->length != m->length + 1u || strncasecmp(w->p, m->word, m->length) != 0)
            return 0;
        unsigned digit = (unsigned)(w->p[m->length] - '0');
        return digit < 10 && set_value(d, m->field, digit) ? 1 : 0;
    }
    memcpy(text, m->word, m->length < sizeof text ? m->length : sizeof text - 1);
    unsigned n = spell(words, count, text);
    if (m->field == ROGUE_F_SCALE_RTZ) { /* one bit, named by what it does to the format */
        d->scale = n ? 1 : 2;
        n = n ? n : spell(words, count, "roundzero");
        d->scale = n ? d->scale : 0;
    }
    return n && set_value(d, m->field, 1) ? n : 0;
}

/* What is wrong with a modifier that fits no more, though by itself it would; NULL: it would not. */
static const char *again(const struct rogue_mod *mods, unsigned count, const struct rogue_word *word)
{
    for (unsigned i = 0; i < count; i++) {
        struct rogue_draft alone = {0};
        if (match_mod(&mods[i], word, 1, &alone))
            return "'.%.*s' is a second modifier of its kind";
    }
    return NULL;
}

static bool match_mods(const struct rogue_mod *mods, unsigned count, const struct rogue_word *words, unsigned nwords,
                       struct rogue_draft *d, struct rogue_mismatch *wrong, unsigned depth)
{
    uint32_t taken = 0; /* each fits once: .neg.neg is not the operand itself */
    for (unsigned at = 0; at < nwords;) {
        unsigned used = 0;
        for (unsigned i = 0; i < count && !used; i++) {
            used = taken >> i & 1 ? 0 : match_mod(&mods[i], words + at, nwords - at, d);
            taken |= (uint32_t)(used != 0) << i;
        }
        if (!used) {
            const char *second = again(mods, count, &words[at]);
            no_word(wrong, "bad-modifier", second ? second : "there is no modifier '.%.*s' here", words[at], depth);
            wrong->mods = second ? NULL : mods;
            wrong->nmods = (uint8_t)count;
            return false;
        }
        at += used;
    }
    return true;
}

/* ---- operands ---- */

static bool no(struct rogue_mismatch *wrong, const char *code, const char *message, const struct rogue_raw *raw,
               unsigned depth)
{
    return no_word(wrong, code, message, raw->text, depth);
}

/* Of a field, "out of range" and what would be in it is said where the row is known. */
static bool out_of_range(struct rogue_mismatch *wrong, const struct rogue_raw *raw, unsigned depth)
{
    return no(wrong, "out-of-range", NULL, raw, depth);
}

static bool not_expected(struct rogue_mismatch *wrong, const struct rogue_raw *raw, unsigned depth)
{
    return no(wrong, "bad-operand", NULL, raw, depth);
}

bool rogue_has_32_bits(const struct rogue_raw *raw)
{
    return raw->number <= (raw->negative && !raw->is_float ? 0x80000000u : UINT32_MAX);
}

bool rogue_constant_of(const struct rogue_raw *raw, struct rogue_reg *reg)
{
    uint64_t bits = raw->number;
    if (raw->negative)
        bits = raw->is_float ? bits ^ 0x80000000u : 0 - bits;
    int index = rogue_has_32_bits(raw) ? rogue_find_constant((uint32_t)bits) : -1;
    *reg = (struct rogue_reg){ROGUE_SPECIAL, 0, (uint16_t)index};
    return index >= 0;
}

/* "#1.0": a constant by value; without the mark it is a number, which some operands are too. */
static bool is_by_value(const struct rogue_raw *raw)
{
    return raw->kind == ROGUE_RAW_NUMBER && raw->text.p[0] == '#';
}

static bool register_of(const struct rogue_raw *raw, struct rogue_reg *reg)
{
    *reg = raw->reg;
    return raw->kind == ROGUE_RAW_REG || (is_by_value(raw) && rogue_constant_of(raw, reg));
}

static bool match_port(const struct rogue_operand *o, const struct rogue_raw *raw, struct rogue_draft *d,
                       struct rogue_mismatch *wrong, unsigned depth)
{
    uint8_t port = (uint8_t)(o->n + (d->unit == ROGUE_P1 && o->n < 3 ? 3 : 0));
    struct rogue_reg reg;
    if (raw->kind == ROGUE_RAW_ABSENT)
        return o->optional || no(wrong, "bad-operand", "a source is missing here", raw, depth);
    if (raw->kind == ROGUE_RAW_SOURCE)
        return raw->n == port ||
               no(wrong, "port", "'%.*s' is not the source port that this operand is read through", raw, depth);
    if (is_by_value(raw) && !rogue_constant_of(raw, &reg))
        return no(wrong, "constant", "no special constant is '%.*s'", raw, depth);
    if (!register_of(raw, &reg))
        return no(wrong, "bad-operand", "expected a register or a source, found '%.*s'", raw, depth);
    add_want(d, (struct rogue_want){ROGUE_WANT_PORT, port, 0, reg, raw->text});
    return true;
}

static bool match_selector(const struct rogue_operand *o, const struct rogue_raw *raw, struct rogue_draft *d,
                           struct rogue_mismatch *wrong, unsigned depth)
{
    struct rogue_reg reg;
    if (raw->kind == ROGUE_RAW_IS)
        return raw->n == o->n || no(wrong, "port", "'%.*s' is not the internal selector of this operand", raw, depth);
    if (raw->kind == ROGUE_RAW_FT && o->n > 0) {
        int code = rogue_selector_code(o->n, raw->text);
        if (code < 0)
            return no(wrong, "port", "the internal selector of this operand cannot be '%.*s'", raw, depth);
        add_want(d, (struct rogue_want){ROGUE_WANT_FEED, o->n, (uint8_t)code, {0}, raw->text});
        return true;
    }
    if (!register_of(raw, &reg))
        return no(wrong, "bad-operand", "expected an internal selector, a feedthrough or a register, found '%.*s'", raw,
                  depth);
    add_want(d, (struct rogue_want){ROGUE_WANT_ROUTED, o->n, 0, reg, raw->text});
    return true;
}

static bool match_destination(const struct rogue_operand *o, const struct rogue_raw *raw, struct rogue_draft *d,
                              struct rogue_mismatch *wrong, unsigned depth)
{
    if (raw->kind == ROGUE_RAW_ABSENT)
        return true;
    if (raw->kind == ROGUE_RAW_FT) { /* nothing is written; of a conditional move: what W0 is when the test fails */
        if (d->unit == ROGUE_MOV && o->n == 1 && rogue_selector_code(4, raw->text) >= 0)
            add_want(
                d, (struct rogue_want){ROGUE_WANT_FEED, 4, (uint8_t)rogue_selector_code(4, raw->text), {0}, raw->text});
        return true;
    }
    if (raw->kind == ROGUE_RAW_W)
        return raw->n == o->n || no(wrong, "port", "'%.*s' is not the destination of this operand", raw, depth);
    if (raw->kind != ROGUE_RAW_REG)
        return no(wrong, "bad-operand", "expected a destination, found '%.*s'", raw, depth);
    add_want(d, (struct rogue_want){ROGUE_WANT_W, o->n, 0, raw->reg, raw->text});
    return true;
}

/* The text of an operand with its modifiers: w0.f16.e0. */
static bool whole_is(const struct rogue_raw *raw, const char *name, size_t length, unsigned *mods)
{
    char text[32];
    size_t first = strcspn(name, ".");
    *mods = 0;
    if (length >= sizeof text || first > length)
        first = length;
    if (!is_word(&raw->text, name, first < length ? first : length))
        return false;
    if (first >= length)
        return true;
    memcpy(text, name + first + 1, length - first - 1);
    text[length - first - 1] = '\0';
    *mods = spell(raw->mods, raw->nmods, text);
    return *mods > 0;
}

void rogue_number_range(uint16_t op, enum rogue_field field, uint64_t *low, uint64_t *high, unsigned *step)
{
    enum { SETS = 4 };
    const struct rogue_table *t = rogue_table();
    unsigned width = 0;
    for (unsigned form = 0; form < rogue_nforms(op); form++) {
        const struct rogue_form *f = t->variants[t->first[op] + form].form;
        unsigned bits = f->slot[field] >= 0 ? f->pattern.field[f->slot[field]].width : 0;
        width = bits > width ? bits : width;
    }
    uint64_t codes = UINT64_C(1) << (width < 63 ? width : 63);
    uint8_t type = rogue_fields[field].type;
    *low = type == ROGUE_WRAP || type == ROGUE_PLUS1;
    *step = type == ROGUE_TIMES4 ? SETS : type == ROGUE_BYTES ? 2 : 1;
    *high = type == ROGUE_BYTES ? codes * 2 - 2 : (codes - 1) * *step + *low;
    if (field == ROGUE_F_DEST)
        *high = ROGUE_LAST_DEST;
}

static bool encode_number(uint16_t op, const struct rogue_raw *raw, enum rogue_field field, uint64_t *code)
{
    enum { NIBBLE = 15 };
    int64_t value = raw->negative ? -(int64_t)raw->number : (int64_t)raw->number;
    uint64_t low, high;
    unsigned step;
    if (rogue_fields[field].type == ROGUE_BYTES) { /* signed, or an address */
        *code = (uint64_t)value >> 1 & 0x7FFFFFFF;
        return value % 2 == 0 && value >= INT32_MIN && value <= (int64_t)UINT32_MAX;
    }
    rogue_number_range(op, field, &low, &high, &step);
    if (field == ROGUE_F_DEST) /* what bytes can say; match_dest checks the rest for text */
        high = UINT8_MAX;
    if (value < (int64_t)low || (uint64_t)value > high || (uint64_t)value % step)
        return false;
    *code = rogue_fields[field].type == ROGUE_WRAP ? (uint64_t)value & NIBBLE : ((uint64_t)value - low) / step;
    return true;
}

static bool match_sop_argument(enum rogue_field field, const struct rogue_raw *raw, struct rogue_draft *d,
                               struct rogue_mismatch *wrong, unsigned depth)
{
    struct rogue_sop_source s = {.type = ROGUE_SOP_F32};
    struct rogue_reg reg;
    bool *const flags[] = {&s.neg, &s.oneminus, &s.abs, &s.clamp, &s.flr};
    static const char *const names[] = {"neg", "oneminus", "abs", "clamp", "flr"};
    bool element = false;
    uint64_t code;
    if (raw->kind == ROGUE_RAW_SOURCE)
        s.from = raw->n;
    else if (raw->kind == ROGUE_RAW_NUMBER && raw->number == 0)
        s.from = ROGUE_SOP_ZERO;
    else if (raw->kind == ROGUE_RAW_WORD && is_word(&raw->text, "z", 1))
        s.from = ROGUE_SOP_Z;
    else if (register_of(raw, &reg))
        add_want(d, (struct rogue_want){ROGUE_WANT_ANY, (uint8_t)field, 0, reg, raw->text});
    else
        return no(wrong, "bad-operand", "expected a source, a register, 0 or z, found '%.*s'", raw, depth);
    for (unsigned i = 0; i < raw->nmods; i++) {
        const struct rogue_word *w = &raw->mods[i];
        int flag = scan_word_index(w->p, w->length, names, 5);
        if (flag >= 0 && *flags[flag])
            return no_word(wrong, "bad-modifier", "'.%.*s' is a second modifier of its kind", *w, depth);
        if (flag >= 0)
            *flags[flag] = true;
        else if (is_word(w, "u8", 2))
            s.type = ROGUE_SOP_U8;
        else if (is_word(w, "f16", 3))
            s.type = ROGUE_SOP_F16;
        else if (w->length == 2 && lower(w->p[0]) == 'e' && w->p[1] >= '0' && w->p[1] <= '3' && !element) {
            element = true;
            s.element = (uint8_t)(w->p[1] - '0');
            s.type = s.type == ROGUE_SOP_F32 ? ROGUE_SOP_F16 : s.type;
        } else
            return no(wrong, "bad-modifier", "this argument cannot have these modifiers: '%.*s'", raw, depth);
    }
    if (!rogue_sop_write(rogue_first_form(d->op), field, &s, &code))
        return no(wrong, "bad-modifier", "this argument cannot have these modifiers: '%.*s'", raw, depth);
    return set_value(d, (uint8_t)field, code);
}

/* An operand that names one of the words of a field: its dots are modifiers to the text. */
static bool match_choice(const struct rogue_operand *o, const struct rogue_raw *raw, struct rogue_draft *d,
                         unsigned *mods, struct rogue_mismatch *wrong, unsigned depth)
{
    const struct rogue_field_info *info = &rogue_fields[o->field];
    unsigned best = 0;
    int code = -1;
    for (unsigned c = 0; info->words[c]; c++) {
        unsigned used;
        if (info->words[c][0] && whole_is(raw, info->words[c], strlen(info->words[c]), &used) &&
            (code < 0 || used > best)) {
            best = used;
            code = (int)c;
        }
    }
    if (code < 0 && raw->kind == ROGUE_RAW_NUMBER && !raw->is_float &&
        !raw->negative) { /* by number, as the document has it */
        unsigned n = 0;
        while (info->words[n])
            n++;
        code = raw->number < n && info->words[raw->number][0] ? (int)raw->number : -1;
    }
    if (code < 0 && o->field == ROGUE_F_DSEL && raw->kind == ROGUE_RAW_FT && rogue_selector_code(4, raw->text) >= 0) {
        add_want(d,
                 (struct rogue_want){ROGUE_WANT_FEED, 4, (uint8_t)rogue_selector_code(4, raw->text), {0}, raw->text});
        code = 0; /* the document names what drives W0 */
    }
    *mods = best;
    if (code < 0)
        return not_expected(wrong, raw, depth);
    return set_value(d, o->field, (uint64_t)code);
}

static bool match_field(const struct rogue_operand *o, const struct rogue_raw *raw, struct rogue_draft *d,
                        unsigned *mods, struct rogue_mismatch *wrong, unsigned depth)
{
    const struct rogue_field_info *info = &rogue_fields[o->field];
    struct rogue_reg reg;
    uint64_t code;
    if (rogue_is_sop_argument(o->field)) {
        *mods = raw->nmods;
        return match_sop_argument((enum rogue_field)o->field, raw, d, wrong, depth);
    }
    if (info->type == ROGUE_WORDS)
        return match_choice(o, raw, d, mods, wrong, depth);
    if (info->type == ROGUE_SOURCE) {
        if (raw->kind == ROGUE_RAW_SOURCE)
            return set_value(d, o->field, raw->n);
        if (!register_of(raw, &reg))
            return no(wrong, "bad-operand", "expected a source or a register, found '%.*s'", raw, depth);
        add_want(d, (struct rogue_want){ROGUE_WANT_ANY, o->field, 0, reg, raw->text});
        return set_value(d, o->field, 0);
    }
    if (o->length) { /* a number after a word: drc0, cf4, r0 */
        bool fine = raw->text.length > o->length && strncasecmp(raw->text.p, o->word, o->length) == 0 &&
                    raw->text.p[o->length] >= '0' && raw->text.p[o->length] <= '9';
        uint64_t number = 0;
        for (uint32_t i = o->length; fine && i < raw->text.length && raw->text.p[i] >= '0' && raw->text.p[i] <= '9';
             i++)
            number = number < 100000 ? number * 10 + (uint64_t)(raw->text.p[i] - '0') : number;
        struct rogue_raw plain = {.kind = ROGUE_RAW_NUMBER, .number = number};
        if (!fine)
            return not_expected(wrong, raw, depth);
        if (!encode_number(d->op, &plain, (enum rogue_field)o->field, &code))
            return out_of_range(wrong, raw, depth);
        return set_value(d, o->field, code);
    }
    if (info->type == ROGUE_BYTES && raw->kind == ROGUE_RAW_WORD) {
        add_want(d, (struct rogue_want){ROGUE_WANT_LABEL, o->field, 0, {0}, raw->text});
        return set_value(d, o->field, 0);
    }
    if (raw->kind != ROGUE_RAW_NUMBER)
        return not_expected(wrong, raw, depth);
    if (raw->is_float && o->field == ROGUE_F_IMM)
        return set_value(d, o->field, raw->negative ? raw->number ^ 0x80000000u : raw->number);
    if (raw->negative && o->field == ROGUE_F_IMM && raw->number <= 0x80000000u)
        return set_value(d, o->field, (0 - raw->number) & 0xFFFFFFFF);
    if (raw->is_float || !encode_number(d->op, raw, (enum rogue_field)o->field, &code))
        return out_of_range(wrong, raw, depth);
    return set_value(d, o->field, code);
}

static bool match_operand(const struct rogue_operand *o, const struct rogue_raw *raw, struct rogue_draft *d,
                          unsigned *mods, struct rogue_mismatch *wrong, unsigned depth)
{
    *mods = 0;
    switch ((enum rogue_operand_kind)o->kind) {
    case ROGUE_ON_WORD:
        if (o->length == 1 && *o->word == '_' && raw->kind == ROGUE_RAW_ABSENT)
            return true;
        return whole_is(raw, o->word, o->length, mods) || not_expected(wrong, raw, depth);
    case ROGUE_ON_FIELD:
        return match_field(o, raw, d, mods, wrong, depth);
    case ROGUE_ON_OPTION:
        if (raw->kind == ROGUE_RAW_ABSENT)
            return set_value(d, o->field, 0);
        if (whole_is(raw, o->word, o->length, mods))
            return set_value(d, o->field, 1);
        return not_expected(wrong, raw, depth);
    case ROGUE_ON_FT:
        return (raw->kind == ROGUE_RAW_FT && raw->n == (d->unit == ROGUE_P1)) ||
               no(wrong, "bad-operand",
                  d->unit == ROGUE_P1 ? "'%.*s' is not what this phase drives: that is ft1"
                                      : "'%.*s' is not what this phase drives: that is ft0",
                  raw, depth);
    case ROGUE_ON_PORT:
        return match_port(o, raw, d, wrong, depth);
    case ROGUE_ON_IS:
        return match_selector(o, raw, d, wrong, depth);
    case ROGUE_ON_W:
        return match_destination(o, raw, d, wrong, depth);
    case ROGUE_ON_DRC:
        if (raw->kind != ROGUE_RAW_DRC || raw->n > 1)
            return no(wrong, "bad-operand", "expected drc0 or drc1, found '%.*s'", raw, depth);
        add_want(d, (struct rogue_want){ROGUE_WANT_DRC, raw->n, 0, {0}, raw->text});
        return true;
    }
    return false;
}

/* ---- statements ---- */

/* .form1, .end of nop: modifiers that are not the row's own. */
static unsigned special_mod(const struct rogue_word *w, struct rogue_draft *d)
{
    if (rogue_first_form(d->op)->misc == ROGUE_MISC_END && is_word(w, "end", 3))
        d->end = true;
    else if (w->length == 5 && strncasecmp(w->p, "form", 4) == 0 && w->p[4] >= '0' &&
             w->p[4] < '0' + (int)rogue_nforms(d->op))
        d->form = (int8_t)(w->p[4] - '0');
    else
        return 0;
    return 1;
}

/* Which of the words is the first `length` characters of a name; nmods: none. */
static unsigned find_word(const struct rogue_statement *s, const char *name, size_t length)
{
    unsigned i = 0;
    while (i < s->nmods && !is_word(&s->mods[i], name, length))
        i++;
    return i;
}

/* The words of a name may come among the modifiers: the document has .WRT after seven others. */
static bool match_name(const struct rogue_name *c, const struct rogue_statement *s, struct rogue_draft *d,
                       struct rogue_mismatch *wrong)
{
    const struct rogue_template *t = &rogue_table()->templates[c->op];
    const char *rest = c->name + c->first;
    uint32_t used = 0;
    unsigned kept = 0;
    struct rogue_word words[ROGUE_WORD_MODS];
    while (*rest == '.') {
        size_t length = strcspn(++rest, ".");
        unsigned at = find_word(s, rest, length);
        if (at == s->nmods)
            return false;
        used |= UINT32_C(1) << at;
        rest += length;
    }
    for (unsigned i = 0; i < s->nmods; i++)
        if (!(used >> i & 1) && !special_mod(&s->mods[i], d))
            words[kept++] = s->mods[i];
    return match_mods(t->mods, t->nmods, words, kept, d, wrong, 1);
}

static uint64_t value_of(const struct rogue_draft *d, enum rogue_field field)
{
    for (unsigned i = 0; i < d->nvalues; i++)
        if (d->values[i].field == field)
            return d->values[i].code;
    return rogue_fields[field].initial;
}

/* The one element of a test is for IS1 and IS2: where IS2 names one it is IS1's, after a type or not. */
static bool match_second_element(const struct rogue_raw *raw, const struct rogue_draft *d, unsigned *nmods,
                                 struct rogue_mismatch *wrong, unsigned depth)
{
    if (*nmods == 0)
        return true;
    const struct rogue_word *last = &raw->mods[*nmods - 1];
    uint64_t mask = 0;
    if (is_word(last, "none", 4) || !mask_word(last, &mask))
        return true;
    if (mask == UINT64_C(1) << value_of(d, ROGUE_F_ELEM)) {
        --*nmods;
        return true;
    }
    return no_word(wrong, "bad-modifier",
                   "the element '.%.*s' differs from the left operand's: a test has one for both sides", *last, depth);
}

/* The bit that scales formats of parts rounds others to zero (chapter 7). */
static bool match_scale(const struct rogue_draft *d, const struct rogue_statement *s, struct rogue_mismatch *wrong)
{
    bool scales = rogue_pack_scales((unsigned)value_of(d, ROGUE_F_PCK_FORMAT));
    if (!d->scale || scales == (d->scale == 1))
        return true;
    return no_word(
        wrong, "bad-modifier",
        scales ? "'%.*s' cannot round to zero by this format: .scale is all that it has"
               : "'%.*s' cannot scale by this format, which is of whole words or floats: .roundzero is all that it has",
        s->name, 3 + ROGUE_OPERANDS);
}

/* The destination of DITR and ITRSMP, of instructions that are not given as bytes have them. */
static bool match_dest(const struct rogue_template *t, const struct rogue_statement *s, const struct rogue_draft *d,
                       struct rogue_mismatch *wrong)
{
    for (unsigned i = 0; i < t->noperands && i < s->noperands && !s->labelled; i++)
        if (t->operands[i].kind == ROGUE_ON_FIELD && t->operands[i].field == ROGUE_F_DEST &&
            value_of(d, ROGUE_F_DEST) > ROGUE_LAST_DEST) {
            no_word(wrong, "out-of-range", NULL, s->operands[i].text, 3 + ROGUE_OPERANDS);
            wrong->expected = &t->operands[i];
            return false;
        }
    return true;
}

static bool match_candidate(const struct rogue_name *c, const struct rogue_statement *s, unsigned unit,
                            struct rogue_draft *d, struct rogue_mismatch *wrong)
{
    static const struct rogue_raw absent = {.kind = ROGUE_RAW_ABSENT, .text = {"", 0}};
    const struct rogue_template *t = c->operands;
    d->op = c->op;
    d->unit = (uint8_t)unit;
    d->form = -1;
    d->end = false;
    d->scale = 0;
    d->nvalues = d->nwants = 0;
    if (!match_name(c, s, d, wrong))
        return false;
    if (s->noperands > t->noperands)
        return no_word(wrong, "operand-count", "more operands than the instruction has: '%.*s'",
                       s->operands[t->noperands].text, t->noperands ? 2 : 1);
    for (unsigned i = 0; i < t->noperands; i++) {
        const struct rogue_raw *raw = i < s->noperands ? &s->operands[i] : &absent;
        const struct rogue_operand *o = &t->operands[i];
        unsigned used;
        if (i >= s->noperands && o->kind == ROGUE_ON_FIELD && (o->field == ROGUE_F_COUNT || o->optional))
            continue;
        if (i >= s->noperands)
            raw = &absent;
        if (!match_operand(o, raw, d, &used, wrong, 2 + i)) {
            if (i >= s->noperands)
                no_word(wrong, "operand-count", NULL, s->name, 2 + i);
            wrong->expected = o;
            return false;
        }
        unsigned nmods = raw->nmods;
        if (o->kind == ROGUE_ON_IS && o->n == 2 && !match_second_element(raw, d, &nmods, wrong, 3 + i))
            return false;
        if (!match_mods(o->mods, o->nmods, raw->mods + used, nmods - used, d, wrong, 3 + i))
            return false;
    }
    return match_dest(t, s, d, wrong) && match_scale(d, s, wrong);
}

/* Is it that one certain word was expected? */
static bool names_word(const struct rogue_mismatch *m)
{
    return m->expected && m->expected->kind == ROGUE_ON_WORD && !m->message;
}

bool rogue_match(const struct rogue_statement *s, struct rogue_draft *out, struct rogue_mismatch *wrong)
{
    struct rogue_mismatch here;
    no_word(wrong, "unknown-instruction", NULL, s->name, 0);
    for (const struct rogue_name *c = rogue_first_name(s->name.p, s->name.length); c;
         c = rogue_next_name(c, s->name.p, s->name.length)) {
        unsigned units = rogue_rows()[c->op].units & s->units;
        if (!units && wrong->depth == 0)
            no_word(wrong, "phase", "'%.*s' does not run in this phase", s->name, 0);
        for (unsigned unit = 0; unit < ROGUE_UNITS; unit++) {
            here.depth = 0;
            if (!(units >> unit & 1))
                continue;
            if (match_candidate(c, s, unit, out, &here))
                return true;
            if (here.depth > wrong->depth) {
                *wrong = here;
                wrong->op = c->op;
            } else if (here.depth && here.depth == wrong->depth && names_word(&here) && names_word(wrong) &&
                       here.where.p == wrong->where.p && wrong->nwords < ROGUE_WORDS_EXPECTED) {
                wrong->words[wrong->nwords++] = here.expected;
            }
        }
    }
    return false;
}

/* Does the statement fit when its name is all of the candidate's? */
static bool fits_longer(const struct rogue_name *c, const struct rogue_statement *s)
{
    struct rogue_statement longer = *s;
    struct rogue_draft draft;
    struct rogue_mismatch wrong;
    for (const char *rest = c->name + c->first; *rest == '.';) {
        size_t length = strcspn(++rest, ".");
        if (longer.nmods >= ROGUE_WORD_MODS)
            return false;
        longer.mods[longer.nmods++] = (struct rogue_word){rest, (uint32_t)length};
        rest += length;
    }
    for (unsigned unit = 0; unit < ROGUE_UNITS; unit++)
        if (rogue_rows()[c->op].units & s->units & 1u << unit && match_candidate(c, &longer, unit, &draft, &wrong))
            return true;
    return false;
}

unsigned rogue_longer_names(const struct rogue_statement *s, const char **names, unsigned most)
{
    unsigned count = 0;
    for (const struct rogue_name *c = rogue_first_name(s->name.p, s->name.length); c;
         c = rogue_next_name(c, s->name.p, s->name.length)) {
        bool known = c->name[s->name.length] != '.';
        for (unsigned k = 0; k < count && k < most && !known; k++)
            known = strcmp(names[k], c->name) == 0;
        if (known || !fits_longer(c, s))
            continue;
        if (count < most)
            names[count] = c->name;
        count++;
    }
    return count;
}
