/* parse_insn.c - an instruction to its word: the first row, in the order of preference, that its tokens fit. */
#include "isa/tesla/names.h"
#include "isa/tesla/slots.h"
#include "isa/tesla/parse.h"

#include <stdio.h>
#include <string.h>

/* ---- messages ---- */

static const char *mnemonic_text(const struct tesla_parser *ps, const struct tesla_line *line)
{
    return ps->tables->word[line->token[0].word].text;
}

/* The rows that fit furthest, and what is in the way of each. */
enum { MAX_REACHED = 8 };

struct search {
    bool long_form, short_form;
    uint32_t furthest; /* token */
    uint32_t rank;     /* of struct tesla_mismatch */
    struct tesla_mismatch reached[MAX_REACHED];
    unsigned nreached, more;
    const struct tesla_row *elsewhere; /* fits, but not on this chip or in this type of program */
};

static void remember(struct search *s, const struct tesla_row *row, const struct tesla_mismatch *why)
{
    if (why->rank < s->rank)
        return;
    if (why->rank > s->rank)
        s->nreached = s->more = 0;
    s->rank = why->rank;
    s->furthest = why->token;
    if (s->nreached == MAX_REACHED) {
        s->more++;
        return;
    }
    s->reached[s->nreached] = *why;
    s->reached[s->nreached++].row = row;
}

/* What a row wants at an item, as messages say it. */
static void describe_item(const struct tesla_parser *ps, const struct tesla_item *item, char *out, size_t size)
{
    if (!item) {
        snprintf(out, size, "nothing more");
    } else if (item->kind == TESLA_I_WORD) {
        snprintf(out, size, "'%s'", ps->tables->word[item->words[0]].text);
    } else if (item->kind == TESLA_I_CHOICE) {
        size_t n = 0;
        out[0] = '\0';
        for (unsigned i = 0; i < item->nwords && n < size; i++)
            if (item->words[i] != TESLA_BAD_CODE && item->words[i] != TESLA_NO_WORD &&
                !memchr(item->words, item->words[i], i))
                n += (size_t)snprintf(out + n, size - n, "%s'%s'", n ? " or " : "",
                                      ps->tables->word[item->words[i]].text);
    } else {
        uint32_t step, last;
        int n = snprintf(out, size, "%s", tesla_slots[item->slot].wants);
        if (n > 0 && (size_t)n < size && tesla_slot_range((enum tesla_slot)item->slot, &step, &last))
            snprintf(out + n, size - (size_t)n, step == 1 ? " at 0x0 to 0x%x" : " at 0x0 to 0x%x in steps of %u", last,
                     step);
    }
}

/* "a register, or a number": what all of them want, each once. */
static void describe_reached(const struct tesla_parser *ps, const struct search *s, char *out, size_t size)
{
    size_t n = 0;
    out[0] = '\0';
    for (unsigned i = 0; i < s->nreached; i++) {
        char one[160];
        describe_item(ps, s->reached[i].wanted, one, sizeof one);
        if (!strstr(out, one) && n + strlen(one) + 6 < size)
            n += (size_t)snprintf(out + n, size - n, "%s%s", n ? ", or " : "", one);
    }
}

/* The forms that come near, for hints; all of the mnemonic's, as far as there is room, when none does. */
static const char *list_forms(struct tesla_parser *ps, const struct tesla_word *w, const struct search *s)
{
    char text[1200];
    size_t n = (size_t)snprintf(text, sizeof text, "forms:");
    unsigned shown = 0, count = s->nreached ? s->nreached : w->nrows;
    for (; shown < count && n < sizeof text - 160; shown++) {
        const struct tesla_row *row =
            s->nreached ? s->reached[shown].row : &tesla_rows[ps->tables->by_mnemonic[w->first_row + shown]];
        n += (size_t)snprintf(text + n, sizeof text - n, "\n    %s", row->syntax);
    }
    if (shown < w->nrows)
        snprintf(text + n, sizeof text - n, "\n  weft isa tesla %s shows all of them", w->text);
    return arena_strndup(ps->a.scan.arena, text, strlen(text));
}

/* "vertex, geometry and compute" */
static const char *stage_names(const struct tesla_parser *ps, uint8_t stages)
{
    static const char *const names[] = {"vertex", "geometry", "fragment", "compute"};
    const char *text = "";
    for (unsigned i = 0; text && i < 4; i++) {
        unsigned before = stages & ((1u << i) - 1);
        const char *joint = !before ? "" : stages >> (i + 1) ? ", " : " and ";
        if (stages >> i & 1)
            text = arena_printf(ps->a.arena, "%s%s%s", text, joint, names[i]);
    }
    return text ? text : "other";
}

static bool not_on_target(struct tesla_parser *ps, const struct tesla_line *line, const struct tesla_row *row)
{
    struct span where = line->token[0].where;
    if (row->stages != TESLA_ANY && !(row->stages & ps->target.stage))
        return scan_error(&ps->a.scan, where, "wrong-stage", tesla_stage_hint(&ps->target),
                          "'%s' exists in %s programs only", mnemonic_text(ps, line), stage_names(ps, row->stages));
    return scan_error(&ps->a.scan, where, "wrong-chip", tesla_chips_with(ps->a.scan.arena, row->features),
                      "%s has no such instruction: %s", ps->target.chip, row->syntax);
}

/* Which programs have a space: enum tesla_stage. */
static uint8_t stages_of_space(uint8_t space)
{
    static const uint8_t stages[TESLA_SPACES] = {
        [TESLA_A_SPACE] = TESLA_VP | TESLA_GP, [TESLA_P_SPACE] = TESLA_GP, [TESLA_V_SPACE] = TESLA_FP,
        [TESLA_O_SPACE] = TESLA_ANY,           [TESLA_S_SPACE] = TESLA_CP, [TESLA_L_SPACE] = TESLA_ANY,
        [TESLA_C_SPACE] = TESLA_ANY,           [TESLA_G_SPACE] = TESLA_CP};
    return stages[space];
}

/* Memory that no program of this type has. */
static const struct tesla_token *wrong_space(const struct tesla_parser *ps, const struct tesla_line *line)
{
    for (uint32_t i = 1; i < line->ntokens; i++) {
        const struct tesla_token *token = &line->token[i];
        if (!token->word && token->operand.kind == TESLA_O_MEMORY &&
            stages_of_space(token->operand.space) != TESLA_ANY &&
            !(stages_of_space(token->operand.space) & ps->target.stage))
            return token;
    }
    return NULL;
}

/* c[] in the place of the first source, which no form allows; NULL: it is not that. */
static const struct tesla_token *constant_first(const struct tesla_parser *ps, const struct tesla_line *line)
{
    const struct tesla_word *w = &ps->tables->word[line->token[0].word];
    unsigned operands = 0;
    bool sources = false;
    for (unsigned i = 0; i < w->nrows; i++)
        sources |= (ps->tables->row[ps->tables->by_mnemonic[w->first_row + i]].sources & TESLA_HAS_B) != 0;
    for (uint32_t i = 1; sources && i < line->ntokens; i++) {
        const struct tesla_token *token = &line->token[i];
        if (token->word || token->operand.kind == TESLA_O_C)
            continue;
        if (token->operand.kind == TESLA_O_MEMORY && token->operand.space == TESLA_C_SPACE)
            return operands == 1 ? token : NULL;
        operands++;
    }
    return NULL;
}

/* A number next to a register that forms with a number do not have. */
static bool number_with_high_register(const struct tesla_line *line, uint32_t at)
{
    bool high = false;
    for (uint32_t i = 1; i < line->ntokens; i++)
        high |= !line->token[i].word && line->token[i].operand.kind == TESLA_O_REG && line->token[i].operand.reg > 63;
    return high && !line->token[at].word && line->token[at].operand.kind == TESLA_O_IMMEDIATE;
}

static const struct tesla_token *find_sat(const struct tesla_parser *ps, const struct tesla_line *line)
{
    for (uint32_t i = 1; i < line->ntokens; i++)
        if (ps->tables->word[line->token[i].word].modifier == TESLA_SAT)
            return &line->token[i];
    return NULL;
}

/* The document's words for what other mnemonics do. False: it is not that. */
static bool say_document_pair(struct tesla_parser *ps, const struct tesla_line *line)
{
    static const struct {
        const char *first, *second, *says, *hint;
    } pairs[] = {{"mov", "lock", "the document's 'mov lock' and 'mov unlock' are 'ld lock' and 'st unlock'",
                  "write ld lock $c1 $r0 b32 s[...], and st unlock b32 s[...] $r0"}};
    const struct tesla_word *words = ps->tables->word;
    for (size_t i = 0; line->ntokens > 1 && i < sizeof pairs / sizeof pairs[0]; i++)
        if (strcmp(words[line->token[0].word].text, pairs[i].first) == 0 &&
            strcmp(words[line->token[1].word].text, pairs[i].second) == 0) {
            scan_error(&ps->a.scan, line->token[1].where, "bad-operand", pairs[i].hint, "%s", pairs[i].says);
            return true;
        }
    return false;
}

/* Mistakes that the forms alone would explain badly. False: it is none of them. */
static bool say_known_mistake(struct tesla_parser *ps, const struct tesla_line *line, const struct search *s,
                              const char *hint)
{
    const struct tesla_word *w = &ps->tables->word[line->token[0].word];
    const struct tesla_token *constant = constant_first(ps, line), *sat = find_sat(ps, line);
    if (say_document_pair(ps, line))
        return true;
    if (constant) {
        scan_error(&ps->a.scan, constant->where, "bad-operand", "exchange the sources, or move it to a register first",
                   "the first source of '%s' cannot be c[]", w->text);
        return true;
    }
    if (s->nreached && s->furthest != TESLA_PREFIX && s->furthest < line->ntokens &&
        number_with_high_register(line, s->furthest)) {
        scan_error(&ps->a.scan, line->token[s->furthest].where, "bad-operand", hint,
                   "with a number of 32 bits registers end at $r63");
        return true;
    }
    if (s->nreached && sat && s->furthest != TESLA_PREFIX && s->furthest >= line->ntokens && !s->reached[0].wanted) {
        scan_error(&ps->a.scan, sat->where, "bad-operand", hint, "this form of '%s' has no sat", w->text);
        return true;
    }
    return false;
}

/* s[] without the word for its size, where a source may be memory. */
static bool lacks_size(const struct tesla_line *line, const struct search *s)
{
    const struct tesla_token *at = &line->token[s->furthest];
    const struct tesla_item *wanted = s->reached[0].wanted;
    return !at->word && at->operand.kind == TESLA_O_MEMORY && at->operand.space == TESLA_S_SPACE && wanted &&
           wanted->kind == TESLA_I_OPERAND && tesla_slot_source((enum tesla_slot)wanted->slot);
}

/* The types that forms of a mnemonic have, as enum tesla_type: a bit each; all: a form takes any integer. */
static uint32_t types_of(const struct tesla_parser *ps, const struct tesla_word *w)
{
    uint32_t types = 0;
    for (unsigned i = 0; i < w->nrows; i++) {
        const struct tesla_template *t = &ps->tables->row[ps->tables->by_mnemonic[w->first_row + i]];
        for (unsigned k = 1; k < t->nitems; k++) {
            const struct tesla_item *item = &t->items[k];
            if (item->kind == TESLA_I_OPERAND && tesla_slots[item->slot].kind == TESLA_S_INTEGER)
                return UINT32_MAX;
            for (unsigned n = 0; item->kind != TESLA_I_OPERAND && n < (item->kind == TESLA_I_WORD ? 1 : item->nwords);
                 n++)
                if (item->words[n] != TESLA_BAD_CODE)
                    types |= UINT32_C(1) << ps->tables->word[item->words[n]].type;
        }
    }
    return types & ~(UINT32_C(1) << TESLA_NOTYPE);
}

/* A type that no form of the mnemonic has: those that there are, as an error. False: they have it, or any. */
static bool say_types(struct tesla_parser *ps, const struct tesla_line *line, const struct tesla_token *at,
                      const char *hint)
{
    const struct tesla_word *w = &ps->tables->word[line->token[0].word], *word = &ps->tables->word[at->word];
    uint32_t types = types_of(ps, w);
    const char *list = "";
    if (!word->type || types >> word->type & 1)
        return false;
    for (uint32_t i = 1; i < ps->tables->nwords && list; i++)
        if (types >> ps->tables->word[i].type & 1)
            list = arena_printf(ps->a.arena, "%s%s%s", list, *list ? ", " : "", ps->tables->word[i].text);
    scan_error(&ps->a.scan, at->where, "bad-operand", hint,
               types ? "'%s' cannot be here: the types of %s are %s" : "'%s' cannot be here: %s takes no type%s",
               word->text, w->text, types && list ? list : "");
    return true;
}

/* A number at which forms have numbers, none of which is it. */
static bool is_far(const struct tesla_token *at, const struct search *s)
{
    bool numbers = false;
    for (unsigned i = 0; i < s->nreached; i++) {
        const struct tesla_item *item = s->reached[i].wanted;
        numbers |= item && item->kind == TESLA_I_OPERAND && tesla_slots[item->slot].kind == TESLA_S_NUMBER;
    }
    return numbers && !at->word && at->operand.kind == TESLA_O_IMMEDIATE;
}

/* Memory that the fields of the forms do not reach, although all words and operands are theirs. */
static bool out_of_reach(struct tesla_parser *ps, const struct tesla_line *line, const struct search *s,
                         const char *hint)
{
    const struct tesla_mismatch *widest = NULL;
    uint32_t step, last, most = 0, steps = 1;
    for (unsigned i = 0; i < s->nreached; i++) {
        const struct tesla_mismatch *why = &s->reached[i];
        const struct tesla_template *t = &ps->tables->row[tesla_row_number(why->row)];
        struct tesla_operand o = line->token[why->token].operand;
        const struct tesla_token *before = &line->token[why->token - 1];
        o.access = before->word ? ps->tables->word[before->word].type : TESLA_NOTYPE;
        unsigned size = why->wanted && tesla_shape_is_half(why->wanted) ? 16 : 32;
        if (tesla_source_reach(t, why->source - 1u, size, &o, &step, &last) && (!widest || last > most)) {
            widest = why;
            most = last;
            steps = step;
        }
    }
    const struct tesla_token *at = &line->token[widest ? widest->token : s->furthest];
    const struct tesla_operand *o = &at->operand;
    if (widest && !o->increment && (o->offset < 0 || (uint32_t)o->offset > most || (uint32_t)o->offset % steps))
        return scan_error(&ps->a.scan, at->where, "bad-operand", hint,
                          "as a source %c[] is at 0x0 to 0x%x in steps of %u here", tesla_space_letters[o->space], most,
                          steps);
    int32_t half = (int32_t)((most + steps) / 2);
    if (widest && o->increment && (o->offset < -half || o->offset >= half || o->offset % (int32_t)steps))
        return scan_error(&ps->a.scan, at->where, "bad-operand", hint,
                          "here $a%u is incremented by -0x%x to 0x%x in steps of %u", o->areg, (unsigned)half,
                          (unsigned)half - steps, steps);
    return scan_error(&ps->a.scan, at->where, "bad-operand", hint,
                      "this memory does not go with the other operands: an instruction has one $a, and one source in "
                      "c[], which is not the first");
}

/* The token at which the nearest forms end, and what they have there. */
static bool does_not_fit(struct tesla_parser *ps, const struct tesla_line *line, const struct search *s,
                         const char *wanted, const char *hint)
{
    const struct tesla_token *at = &line->token[s->furthest];
    if (s->reached[0].source)
        return out_of_reach(ps, line, s, hint);
    if (lacks_size(line, s))
        return scan_error(&ps->a.scan, at->where, "bad-operand", hint, "write %s before s[...]: it has no size",
                          tesla_shape_is_half(s->reached[0].wanted) ? "u16, s16 or u8" : "b32");
    if (at->word && say_types(ps, line, at, hint))
        return false;
    if (at->word)
        return scan_error(&ps->a.scan, at->where, "bad-operand", hint, "'%s' cannot be here: expected %s",
                          ps->tables->word[at->word].text, wanted);
    if (is_far(at, s))
        return scan_error(&ps->a.scan, at->where, "bad-operand", hint, "%s0x%llx is out of range: expected %s",
                          at->number < 0 ? "-" : "",
                          (unsigned long long)(at->number < 0 ? 0 - (uint64_t)at->number : (uint64_t)at->number),
                          wanted);
    return scan_error(&ps->a.scan, at->where, "bad-operand", hint, "operand does not fit: expected %s", wanted);
}

static bool no_form_fits(struct tesla_parser *ps, const struct tesla_line *line, const struct search *s)
{
    const struct tesla_word *w = &ps->tables->word[line->token[0].word];
    const char *hint = list_forms(ps, w, s);
    char wanted[400];
    const struct tesla_token *space = wrong_space(ps, line);
    if (say_known_mistake(ps, line, s, hint))
        return false;
    if (space)
        return scan_error(&ps->a.scan, space->where, "wrong-stage", tesla_stage_hint(&ps->target),
                          "%c[] exists in %s programs only", tesla_space_letters[space->operand.space],
                          stage_names(ps, stages_of_space(space->operand.space)));
    if (!s->nreached)
        return scan_error(&ps->a.scan, line->token[0].where, "no-form", hint, "'%s' has no %s form", w->text,
                          s->short_form ? "short" : "long");
    if (s->furthest == TESLA_PREFIX)
        return scan_error(&ps->a.scan, s->reached[0].where, "bad-operand", hint,
                          "%s cannot come before this form of '%s'", s->reached[0].prefix, w->text);
    describe_reached(ps, s, wanted, sizeof wanted);
    if (s->furthest >= line->ntokens) {
        struct span last = line->token[line->ntokens - 1].where;
        return scan_error(&ps->a.scan, (struct span){last.offset + last.length, 1}, "missing-operand", hint,
                          "'%s' ends too early: expected %s", w->text, wanted);
    }
    return does_not_fit(ps, line, s, wanted, hint);
}

/* ---- the document's order of words ---- */

/* Whether a token is one of the words of those modifiers. */
static bool is_modifier(const struct tesla_parser *ps, const struct tesla_token *token, unsigned modifiers)
{
    return (ps->tables->word[token->word].modifier & modifiers) != 0;
}

static void swap_tokens(struct tesla_token *a, struct tesla_token *b)
{
    struct tesla_token t = *a;
    *a = *b;
    *b = t;
}

/* The document writes "interp cent D" and "texauto deriv all", the established text "interp D cent" and "texauto all
 * deriv". */
static void order_words(const struct tesla_parser *ps, struct tesla_line *line)
{
    struct tesla_token *t = line->token;
    if (line->ntokens > 2 && !t[2].word && is_modifier(ps, &t[1], TESLA_CENT | TESLA_FLAT))
        swap_tokens(&t[1], &t[2]);
    for (uint32_t i = 1; i + 1 < line->ntokens && i < 3; i++)
        if (is_modifier(ps, &t[i], TESLA_DERIV) && t[i + 1].word)
            swap_tokens(&t[i], &t[i + 1]);
}

/* ---- rows ---- */

static bool available(const struct tesla_parser *ps, const struct tesla_row *row)
{
    return !(row->features & ~ps->target.features) && (row->stages == TESLA_ANY || (row->stages & ps->target.stage));
}

static bool wrong_length(const struct search *s, const struct tesla_row *row)
{
    return row->form == TESLA_SHORT ? s->long_form : s->short_form;
}

/* The row as the text is meant to be written. */
static const struct tesla_row *find_exact(const struct tesla_parser *ps, const struct tesla_line *line,
                                          const struct search *s, uint64_t *word)
{
    const struct tesla_tables *t = ps->tables;
    const struct tesla_word *w = &t->word[line->token[0].word];
    for (unsigned i = w->first_row; i < (unsigned)w->first_row + w->nrows; i++) {
        const struct tesla_row *row = &tesla_rows[t->by_mnemonic[i]];
        if (tesla_may_match(&t->row[t->by_mnemonic[i]], line) && !wrong_length(s, row) && available(ps, row) &&
            tesla_match(t, row, line, ps->target.stage, false, word, NULL))
            return row;
    }
    return NULL;
}

/* The row with leniency; what is wrong with all of them, if there is none. What programs of another type would have is
 * tried too, for the message. */
static const struct tesla_row *find_near(const struct tesla_parser *ps, const struct tesla_line *line, struct search *s,
                                         uint64_t *word)
{
    const struct tesla_tables *t = ps->tables;
    const struct tesla_word *w = &t->word[line->token[0].word];
    for (unsigned i = w->first_row; i < (unsigned)w->first_row + w->nrows; i++) {
        const struct tesla_row *row = &tesla_rows[t->by_mnemonic[i]];
        struct tesla_mismatch why;
        bool here = available(ps, row);
        if (wrong_length(s, row))
            continue;
        if (!tesla_match(t, row, line, here ? ps->target.stage : row->stages, true, word, &why))
            remember(s, row, &why);
        else if (here)
            return row;
        else
            s->elsewhere = row;
    }
    return NULL;
}

static const struct tesla_row *find_row(struct tesla_parser *ps, const struct tesla_line *line, struct search *s,
                                        uint64_t *word)
{
    const struct tesla_row *row = find_exact(ps, line, s, word);
    return row ? row : find_near(ps, line, s, word);
}

/* ---- words that nothing has ---- */

/* The words that the rows want at the token that they reach. */
static uint32_t wanted_words(const struct tesla_parser *ps, const struct search *s, const char **names)
{
    uint32_t n = 0;
    for (unsigned i = 0; i < s->nreached; i++) {
        const struct tesla_item *item = s->reached[i].wanted;
        if (!item || item->kind == TESLA_I_OPERAND)
            continue;
        for (unsigned k = 0; k < (item->kind == TESLA_I_WORD ? 1 : item->nwords) && n < TESLA_MAX_WORDS; k++)
            if (item->words[k] != TESLA_BAD_CODE && item->words[k] != TESLA_NO_WORD)
                names[n++] = ps->tables->word[item->words[k]].text;
    }
    return n;
}

/* The word that may have been meant: one that can be here, else any but the mnemonic; NULL: none is near. */
static const char *near_word(const struct tesla_parser *ps, const struct tesla_line *line, const struct search *s,
                             const char *word, size_t length)
{
    const char *names[TESLA_MAX_WORDS], *near = nearest_word(word, length, names, wanted_words(ps, s, names));
    uint32_t n = 0;
    if (near)
        return near;
    for (uint32_t i = 1; i < ps->tables->nwords; i++)
        if (scan_is(ps->tables->word[i].text[0], SCAN_LETTER) && i != line->token[0].word)
            names[n++] = ps->tables->word[i].text;
    return nearest_word(word, length, names, n);
}

/* The last token is an unknown word: what would be expected after those before it. */
static bool unknown_word(struct tesla_parser *ps, struct tesla_line *line)
{
    struct tesla_token last = line->token[--line->ntokens];
    const size_t length = last.where.length < 40 ? last.where.length : 40;
    const char *word = ps->a.scan.begin + last.where.offset, *hint = tesla_word_meant(ps, word, last.where.length);
    struct search s = {.furthest = line->ntokens};
    uint64_t made;
    char wanted[400] = "nothing more";
    order_words(ps, line);
    if (!find_near(ps, line, &s, &made))
        describe_reached(ps, &s, wanted, sizeof wanted);
    const char *near = hint ? NULL : near_word(ps, line, &s, word, last.where.length);
    if (near)
        hint = arena_printf(ps->a.arena, "did you mean '%s'?", near);
    if (hint || !wanted[0])
        return scan_error(&ps->a.scan, last.where, "unknown-word", hint, "unknown word '%.*s'", (int)length, word);
    if (s.nreached)
        hint = list_forms(ps, &ps->tables->word[line->token[0].word], &s);
    return scan_error(&ps->a.scan, last.where, "unknown-word", hint, "unknown word '%.*s': expected %s", (int)length,
                      word, wanted);
}


/* ---- instructions ---- */

/* Whether a short form does what this long one does: with --short its text may differ by `rn`, which short forms do
 * without a word for it. */
static const struct tesla_row *find_shorter(const struct tesla_parser *ps, const struct tesla_line *line,
                                            const struct tesla_row *row, uint64_t *word)
{
    struct tesla_line plain = *line;
    struct search s = {.short_form = true};
    if (row->form != TESLA_LONG)
        return NULL;
    plain.ntokens = 0;
    for (uint32_t i = 0; i < line->ntokens; i++)
        if (line->token[i].word != ps->tables->nearest_word)
            plain.token[plain.ntokens++] = line->token[i];
    return find_near(ps, &plain, &s, word);
}

static void make_insn(const struct tesla_parser *ps, const struct tesla_row *row, uint64_t word, const char *start,
                      struct tesla_insn *insn)
{
    *insn = (struct tesla_insn){.row = row, .word = word, .size = row->form == TESLA_SHORT ? 4 : 8};
    insn->where = scan_span(&ps->a.scan, start);
}

bool tesla_parse_instruction(struct tesla_parser *ps, enum tesla_length length, struct tesla_insn *insn)
{
    struct tesla_line line;
    uint64_t word;
    const char *start = ps->a.scan.p;
    if (!tesla_parse_line(ps, &line))
        return line.unknown && unknown_word(ps, &line);
    order_words(ps, &line);
    struct search s = {.long_form = length == TESLA_ASK_LONG || (line.length == TESLA_ASK_LONG && !ps->shorten),
                       .short_form = length == TESLA_ASK_SHORT || line.length == TESLA_ASK_SHORT};
    const struct tesla_row *row = find_row(ps, &line, &s, &word);
    if (row) {
        uint64_t shorter;
        const struct tesla_row *small =
            ps->shorten && length == TESLA_ANY_LENGTH ? find_shorter(ps, &line, row, &shorter) : NULL;
        make_insn(ps, small ? small : row, small ? shorter : word, start, insn);
        return true;
    }
    if (s.elsewhere)
        return not_on_target(ps, &line, s.elsewhere);
    return no_form_fits(ps, &line, &s);
}

bool tesla_lengthen(struct tesla_parser *ps, struct tesla_insn *insn)
{
    struct tesla_line line;
    struct search s = {.long_form = true};
    uint64_t word;
    const char *here = ps->a.scan.p, *start = ps->a.scan.begin + insn->where.offset;
    ps->a.scan.p = start;
    bool fine = tesla_parse_line(ps, &line) && line.length != TESLA_ASK_SHORT;
    if (fine)
        order_words(ps, &line);
    const struct tesla_row *row = fine ? find_row(ps, &line, &s, &word) : NULL;
    if (row) {
        uint32_t address = insn->address;
        make_insn(ps, row, word, start, insn);
        insn->address = address;
    }
    ps->a.scan.p = here;
    return row != NULL;
}
