/* parse_match.c - a line's tokens against the rows' syntaxes, item by item. */
#include "isa/tesla/parse_match.h"

#include "isa/tesla/slots.h"

#include <string.h>

struct matcher {
    const struct tesla_tables *tables;
    const struct tesla_template *t;
    const struct tesla_line *line;
    uint64_t word;
    uint32_t at; /* token */
    struct tesla_source_list sources;
    uint32_t source_token[3];
    uint32_t end;      /* tokens */
    bool base_known;   /* of a texture access */
    bool lenient, sat; /* sat: lenient, and a `sat` not used yet */
    uint8_t isrc;      /* type that stood before a conversion's source */
};

/* ---- items ---- */

static const struct tesla_token *next(const struct matcher *m)
{
    static const struct tesla_token none = {.word = TESLA_BAD_CODE};
    return m->at < m->end ? &m->line->token[m->at] : &none;
}

static bool is_sat(const struct matcher *m, uint8_t word)
{
    return m->tables->word[word].modifier == TESLA_SAT;
}

/* A lenient match has taken every `sat` out of the line beforehand. */
static bool skip_sat(struct matcher *m)
{
    while (m->lenient && m->at < m->end && m->line->token[m->at].word && is_sat(m, m->line->token[m->at].word))
        m->at++;
    return true;
}

static bool match_word(struct matcher *m, uint8_t word)
{
    if (m->lenient && is_sat(m, word)) {
        bool there = m->sat;
        m->sat = false;
        return there;
    }
    if (next(m)->word != word)
        return false;
    m->at++;
    return true;
}

/* The words may be left out of a long form that is short with others: rn is meant. */
static bool is_rounding(const struct matcher *m, uint8_t word)
{
    const struct tesla_word *w = &m->tables->word[word];
    return w->role == TESLA_W_ROUNDING && !(w->modifier & TESLA_TO_INTEGER);
}

static bool match_choice(struct matcher *m, const struct tesla_item *item)
{
    uint8_t word = next(m)->word;
    bool optional = item->words[0] == TESLA_NO_WORD;
    if (optional && m->lenient && is_sat(m, item->words[1])) {
        m->word |= (uint64_t)m->sat << item->low;
        m->sat = false;
        return true;
    }
    if (word != TESLA_NO_WORD && word != TESLA_BAD_CODE)
        for (unsigned code = 0; code < item->nwords; code++)
            if (item->words[code] == word) {
                m->word |= (uint64_t)code << item->low;
                m->at++;
                return true;
            }
    return optional || (m->lenient && is_rounding(m, item->words[0]));
}

static bool type_word(struct matcher *m, uint8_t *type)
{
    const struct tesla_token *token = next(m);
    *type = token->word && token->word != TESLA_BAD_CODE ? m->tables->word[token->word].type : TESLA_NOTYPE;
    m->at += *type != TESLA_NOTYPE;
    return *type != TESLA_NOTYPE;
}

/* A source of `size` bits, 0: of either size. The type of an s[] access comes before it. */
static bool match_source(struct matcher *m, unsigned which, unsigned size, struct tesla_operand *shared)
{
    const struct tesla_token *token = next(m);
    uint8_t access = TESLA_NOTYPE;
    if (token->word && type_word(m, &access))
        token = next(m);
    if (token->word)
        return false;
    uint8_t kind = token->operand.kind;
    if (kind != TESLA_O_MEMORY && kind != (size == 16 ? TESLA_O_HALF : TESLA_O_REG) &&
        !(size == 0 && kind == TESLA_O_HALF))
        return false;
    bool is_shared = kind == TESLA_O_MEMORY && token->operand.space == TESLA_S_SPACE;
    if (is_shared != (access != TESLA_NOTYPE))
        return false;
    m->sources.operand[which] = &token->operand;
    if (is_shared) {
        *shared = token->operand;
        shared->access = access;
        m->sources.operand[which] = shared;
    }
    m->sources.size[which] = (uint8_t)size;
    m->source_token[which] = m->at++;
    return true;
}

static bool match_isrc(struct matcher *m, struct tesla_operand *shared)
{
    uint8_t type;
    if (!type_word(m, &type) || !match_source(m, 0, 0, shared))
        return false;
    int code = tesla_isrc_code(type, m->sources.operand[0]);
    if (code < 0)
        return false;
    tesla_put(&m->word, TESLA_FIELD_SRC1_INTEGER, (uint32_t)code);
    m->sources.size[0] = (code & 1) ? 32 : 16;
    return true;
}

/* Numbers that do not fit 32 bits fit nothing; negative ones only what is signed, wraps or has all 32 bits. */
static bool number_possible(enum tesla_slot slot, const struct tesla_token *token, struct tesla_operand *copy)
{
    const struct tesla_slot_info *s = &tesla_slots[slot];
    bool negative = s->kind == TESLA_S_NUMBER && s->column[TESLA_NUM_NEGATIVE];
    unsigned width = negative ? tesla_width_of(s->column[TESLA_NUM_FIELD]) : 32;
    if (token->number > UINT32_MAX || token->number < (negative ? INT32_MIN : 0))
        return false;
    *copy = token->operand;
    copy->value = (uint32_t)token->number;
    if (width < 32 && !s->column[TESLA_NUM_SIGNED] && token->number < 0 && token->number >= -(1 << (width - 1)))
        copy->value &= (1u << width) - 1; /* it wraps */
    return true;
}

static bool match_slot(struct matcher *m, const struct tesla_item *item, struct tesla_operand *shared)
{
    const struct tesla_token *token = next(m);
    enum tesla_slot slot = (enum tesla_slot)item->slot;
    if (item->shape == TESLA_SHAPE_SOURCE || item->shape == TESLA_SHAPE_HALF_SOURCE)
        return match_source(m, tesla_shape_source(item), tesla_shape_is_half(item) ? 16 : 32, shared);
    enum tesla_slot_kind kind = (enum tesla_slot_kind)tesla_slots[slot].kind;
    if (kind == TESLA_S_INTEGER)
        return match_isrc(m, shared);
    if (kind == TESLA_S_OPTIONAL && (token->word || token->operand.kind != TESLA_O_C))
        return true;
    if (m->lenient && m->at == m->end && kind == TESLA_S_NUMBER &&
        tesla_slots[slot].column[TESLA_NUM_SIGNED])
        return true; /* short forms have no texel offsets: those of the long form are 0 */
    if (token->word)
        return false;
    const struct tesla_operand *o = &token->operand;
    struct tesla_operand copy;
    if (o->kind == TESLA_O_IMMEDIATE) {
        if (!number_possible(slot, token, &copy))
            return false;
        o = &copy;
    }
    if (!tesla_write_operand(m->t, slot, o, &m->word, &m->base_known))
        return false;
    m->at++;
    return true;
}

/* "ignored 0x1000000" at the end: bits without a meaning. */
static uint64_t match_ignored(struct matcher *m)
{
    uint32_t at = m->at;
    if (m->end - at != 2 || m->line->token[at].word != m->tables->ignored_word)
        return 0;
    const struct tesla_token *bits = &m->line->token[at + 1];
    if (bits->word || bits->operand.kind != TESLA_O_IMMEDIATE)
        return 0;
    m->at += 2;
    return (uint64_t)bits->number;
}

/* ---- rows ---- */

static bool refuse(struct tesla_mismatch *why, uint32_t token, const struct tesla_item *wanted)
{
    if (why) {
        why->token = why->rank = token;
        why->wanted = wanted;
        why->prefix = NULL;
        why->source = 0;
    }
    return false;
}

/* All tokens match, but source `which` does not fit. */
static bool refuse_source(struct tesla_mismatch *why, const struct matcher *m, unsigned which,
                          const struct tesla_item *wanted)
{
    refuse(why, m->source_token[which], wanted);
    if (why && m->sources.operand[which]->kind == TESLA_O_MEMORY) {
        why->rank = TESLA_MAX_TOKENS;
        why->source = (uint8_t)(which + 1);
    }
    return false;
}

static bool refuse_prefix(struct tesla_mismatch *why, struct span where, const char *what)
{
    if (why) {
        why->token = why->rank = TESLA_PREFIX;
        why->wanted = NULL;
        why->source = 0;
        why->where = where;
        why->prefix = what;
    }
    return false;
}

static bool match_prefixes(struct matcher *m, const struct tesla_row *row, struct tesla_mismatch *why)
{
    const struct tesla_line *line = m->line;
    const struct tesla_template *t = m->t;
    if (line->tail && row->form != TESLA_LONG)
        return refuse_prefix(why, line->tail_where, "exit and join");
    if (line->has_predicate && !t->predicated)
        return refuse_prefix(why, line->predicate_where, "a predicate");
    if (line->has_lanes && !t->lanes)
        return refuse_prefix(why, line->lanes_where, "a lane mask");
    if (line->tail)
        tesla_put(&m->word, TESLA_FIELD_TAIL, line->tail);
    if (t->predicated) {
        tesla_put(&m->word, TESLA_FIELD_PREDICATE, line->has_predicate ? line->predicate : TESLA_ALWAYS);
        tesla_put(&m->word, TESLA_FIELD_CSRC, line->has_predicate ? line->csrc : 0);
    }
    if (t->lanes)
        tesla_put(&m->word, TESLA_FIELD_LANES, line->has_lanes ? line->lanes : 15);
    return true;
}

static bool names_condition(const struct tesla_line *line)
{
    return line->has_predicate && line->predicate != 0 && line->predicate != TESLA_ALWAYS;
}

static bool match_item(struct matcher *m, const struct tesla_item *item, struct tesla_operand *shared)
{
    skip_sat(m);
    if (item->kind == TESLA_I_WORD)
        return match_word(m, item->words[0]);
    if (item->kind == TESLA_I_CHOICE)
        return match_choice(m, item);
    return match_slot(m, item, shared);
}

static bool has_sat(const struct matcher *m)
{
    for (uint32_t i = 1; i < m->end; i++)
        if (m->line->token[i].word && is_sat(m, m->line->token[i].word))
            return true;
    return false;
}

static const struct tesla_item *item_of_source(const struct tesla_template *t, unsigned which)
{
    for (unsigned i = 0; i < t->nitems; i++)
        if (t->items[i].kind == TESLA_I_OPERAND && (tesla_slot_source((enum tesla_slot)t->items[i].slot) >> which & 1))
            return &t->items[i];
    return NULL;
}

bool tesla_match(const struct tesla_tables *tables, const struct tesla_row *row, const struct tesla_line *line,
                 uint8_t stage, bool lenient, uint64_t *word, struct tesla_mismatch *why)
{
    const struct tesla_template *t = &tables->row[tesla_row_number(row)];
    struct matcher m = {
        .tables = tables, .t = t, .line = line, .word = row->value, .at = 1, .end = line->ntokens, .lenient = lenient};
    struct tesla_operand shared;
    unsigned wrong;
    m.sat = lenient && has_sat(&m);
    for (unsigned i = 1; i < t->nitems; i++)
        if (!match_item(&m, &t->items[i], &shared))
            return refuse(why, m.at, &t->items[i]);
    skip_sat(&m);
    bool wide = t->wide && match_word(&m, tables->wide_word);
    uint64_t ignored = match_ignored(&m);
    if (m.at != m.end || m.sat)
        return refuse(why, m.at, NULL);
    if (!match_prefixes(&m, row, why))
        return false;
    if (t->plus_carry && names_condition(line) && tesla_get(m.word, TESLA_FIELD_CSRC) != line->csrc)
        return refuse(why, m.end - 1, &t->items[t->nitems - 1]);
    if (t->sources && !tesla_write_sources(t, &m.sources, stage, &m.word, &wrong))
        return refuse_source(why, &m, wrong, item_of_source(t, wrong));
    if (wide && !tesla_is_wide(t, m.word))
        return refuse(why, m.end - 1, NULL);
    if (ignored & ~tesla_ignored(t, m.word | ignored))
        return refuse(why, m.end - 1, NULL);
    m.word |= ignored;
    if (tesla_has(t, TESLA_S_WRITTEN) && !tesla_vectors_fit(t, m.word))
        return refuse(why, 1, &t->items[1]);
    *word = m.word;
    return true;
}
