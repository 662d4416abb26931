/* short.c - whether the text of a long instruction would be read as a short one: printer and parser put short forms
 * first, so that such text says `long`. */
#include "isa/tesla/short.h"

#include "isa/tesla/parse_match.h"
#include "isa/tesla/slots.h"

/* ---- short forms of a row ---- */

/* What every text of a row has: its words and operands without the optional ones. */
static unsigned next_required(const struct tesla_template *t, unsigned i)
{
    while (i < t->nitems && ((t->items[i].kind == TESLA_I_CHOICE && t->items[i].words[0] == TESLA_NO_WORD) ||
                             tesla_is_optional(&t->items[i])))
        i++;
    return i;
}

static bool alike(const struct tesla_template *a, const struct tesla_template *b)
{
    unsigned i = next_required(a, 0), j = next_required(b, 0);
    while (i < a->nitems && j < b->nitems) {
        const struct tesla_item *x = &a->items[i], *y = &b->items[j];
        if (x->kind != y->kind || (x->kind != TESLA_I_OPERAND && x->words[0] != y->words[0]))
            return false;
        i = next_required(a, i + 1);
        j = next_required(b, j + 1);
    }
    return i == a->nitems && j == b->nitems;
}

/* What short forms lack: join and exit, predicates, lane masks, $c, o[]. */
static void find_plain(struct tesla_template *t, const struct tesla_row *row)
{
    if (row->form == TESLA_LONG)
        t->plain = tesla_mask_of(TESLA_FIELD_TAIL) | tesla_mask_of(TESLA_FIELD_DST_TYPE);
    if (t->predicated) {
        t->plain |= tesla_mask_of(TESLA_FIELD_PREDICATE) | tesla_mask_of(TESLA_FIELD_CSRC);
        tesla_put(&t->plain_value, TESLA_FIELD_PREDICATE, TESLA_ALWAYS);
    }
    if (t->lanes) {
        t->plain |= tesla_mask_of(TESLA_FIELD_LANES);
        t->plain_value |= tesla_mask_of(TESLA_FIELD_LANES);
    }
    if (tesla_has(t, TESLA_S_OPTIONAL))
        t->plain |= tesla_mask_of(TESLA_FIELD_DST_C_ENABLE);
}

/* May it be $r0, or $r0l? */
static bool is_numbered(const struct tesla_item *item)
{
    return item->shape >= TESLA_SHAPE_REGISTER && item->shape <= TESLA_SHAPE_HALF_SOURCE;
}

/* Adds to the bits of struct tesla_short for an operand of both. False: they do not say whether it fits. */
static bool compare_operands(const struct tesla_item *x, const struct tesla_item *y, struct tesla_short *s)
{
    enum tesla_slot_kind kind = (enum tesla_slot_kind)tesla_slots[y->slot].kind;
    if (kind == TESLA_S_SAME && x->shape == TESLA_SHAPE_SOURCE && tesla_shape_source(x) == 2) {
        s->again = true;
        return true;
    }
    if (x->slot == y->slot)
        return kind == TESLA_S_REGISTER || kind == TESLA_S_NUMBER || kind == TESLA_S_FIXED;
    if (!is_numbered(x) || !is_numbered(y) || tesla_shape_is_half(x) != tesla_shape_is_half(y))
        return false;
    s->extra |= tesla_field_mask(x->low, x->width) & ~tesla_field_mask(x->low, y->width);
    return true;
}

/* What of a word says that its text is that of the short form too, if all sources are registers. */
static void compare(const struct tesla_template *a, const struct tesla_template *b, struct tesla_short *s)
{
    bool known = !b->plus_carry;
    unsigned j = next_required(b, 0);
    for (unsigned i = 0; i < a->nitems; i++) {
        const struct tesla_item *x = &a->items[i];
        bool optional = next_required(a, i) != i;
        if (x->kind == TESLA_I_CHOICE)
            s->extra |= tesla_field_mask(x->low, x->width); /* the first word is in both, the others may not */
        else if (x->kind == TESLA_I_OPERAND && !optional)
            known = compare_operands(x, &b->items[j], s) && known;
        if (!optional)
            j = next_required(b, j + 1);
    }
    if (a->sources)
        s->extra |= tesla_mask_of(TESLA_FIELD_SRC1_TYPE) | tesla_mask_of(TESLA_FIELD_SRC2_TYPE) |
                    tesla_mask_of(TESLA_FIELD_SRC3_TYPE);
    if (!known)
        s->extra = UINT64_MAX;
}

bool tesla_add_short_form(struct tesla_tables *tables, uint32_t row, uint32_t short_row)
{
    struct tesla_template *t = &tables->row[row], *of_short = &tables->row[short_row];
    if (!alike(t, of_short))
        return true;
    if (t->nshort == TESLA_MAX_SHORT)
        return false;
    struct tesla_short *s = &t->short_form[t->nshort++];
    s->row = (uint16_t)short_row;
    compare(t, of_short, s);
    if (t->nshort == 1)
        find_plain(t, &tesla_rows[row]);
    return true;
}

/* ---- words ---- */

/* The tokens that the text of a word has: what put_instruction in print.c writes. */
static void tokens_of(const struct tesla_tables *tables, const struct tesla_template *t, uint64_t word, uint8_t stage,
                      struct tesla_line *line)
{
    struct tesla_selection sel = {0};
    if (t->sources)
        tesla_select(t, word, stage, &sel);
    line->ntokens = 0;
    for (unsigned i = 0; i < t->nitems; i++) {
        const struct tesla_item *item = &t->items[i];
        struct tesla_token *token = &line->token[line->ntokens];
        if (tesla_is_optional(item))
            continue; /* there is none */
        unsigned code = item->kind == TESLA_I_CHOICE ? tesla_bits(word, item->low, item->width) : 0;
        token->word = TESLA_NO_WORD;
        if (item->kind != TESLA_I_OPERAND) {
            token->word = item->words[code];
            line->ntokens += token->word != TESLA_NO_WORD;
            continue;
        }
        tesla_read_operand(t, (enum tesla_slot)item->slot, word, &sel, &token->operand);
        token->number = token->operand.value;
        const struct tesla_operand *o = &token->operand;
        if (o->kind == TESLA_O_MEMORY && o->space == TESLA_S_SPACE && t->sources) {
            token[1] = *token;
            token->word = tables->type_word[o->access];
            line->ntokens++;
        }
        line->ntokens++;
    }
}

/* The bits that a field has and its short form does not. */
static uint64_t long_part(enum tesla_field_id field, enum tesla_field_id short_field)
{
    return tesla_mask_of(field) & ~tesla_mask_of(short_field);
}

/* Registers that no short form can name. Memory has other things in these bits, and is left to the closer look. */
static bool registers_too_high(const struct tesla_template *t, uint64_t word)
{
    uint64_t high = long_part(TESLA_FIELD_DST, TESLA_FIELD_DST_SHORT);
    bool b_type = tesla_get(word, TESLA_FIELD_SRC2_TYPE), c_type = tesla_get(word, TESLA_FIELD_SRC3_TYPE);
    bool memory_a = tesla_get(word, TESLA_FIELD_SRC1_TYPE) || (b_type && c_type);
    if (!memory_a && (t->sources & TESLA_HAS_A))
        high |= long_part(TESLA_FIELD_SRC1, TESLA_FIELD_SRC1_SHORT);
    if ((t->sources & TESLA_HAS_B) && !b_type)
        high |= long_part(TESLA_FIELD_SRC2, TESLA_FIELD_SRC2_SHORT);
    if ((t->sources & TESLA_HAS_C) && !c_type) /* in short forms the destination again */
        high |= tesla_mask_of(TESLA_FIELD_SRC3) & ~(tesla_mask_of(TESLA_FIELD_SRC3) >> 1);
    return (word & high) != 0;
}

/* Has the word nothing that short forms lack? */
static bool is_plain(const struct tesla_template *t, const struct tesla_row *row, uint64_t word)
{
    return (word & t->plain) == t->plain_value && !(word & tesla_ignored(t, word)) &&
           !(row->form == TESLA_LONG && registers_too_high(t, word));
}

/* Is source C another register than the destination, which the short form has in its place? */
static bool another_register(const struct tesla_short *s, uint64_t word)
{
    return s->again && !tesla_get(word, TESLA_FIELD_SRC3_TYPE) &&
           tesla_get(word, TESLA_FIELD_SRC3) != tesla_get(word, TESLA_FIELD_DST);
}

static bool matches(const struct tesla_tables *tables, const struct tesla_template *t, uint64_t word, uint8_t stage)
{
    struct tesla_line line;
    bool made = false;
    line.length = TESLA_ANY_LENGTH;
    line.tail = 0;
    line.has_predicate = line.has_lanes = false;
    for (unsigned i = 0; i < t->nshort; i++) {
        uint64_t found;
        if (another_register(&t->short_form[i], word))
            continue;
        if (!made)
            tokens_of(tables, t, word, stage, &line);
        made = true;
        if (tesla_match(tables, &tesla_rows[t->short_form[i].row], &line, stage, false, &found, NULL))
            return true;
    }
    return false;
}

bool tesla_reads_short(const struct tesla_tables *tables, const struct tesla_row *row, uint64_t word, uint8_t stage)
{
    const struct tesla_template *t = &tables->row[tesla_row_number(row)];
    if (!t->nshort || !is_plain(t, row, word))
        return false;
    for (unsigned i = 0; i < t->nshort; i++)
        if (!(word & t->short_form[i].extra) && !another_register(&t->short_form[i], word))
            return true;
    return matches(tables, t, word, stage);
}
