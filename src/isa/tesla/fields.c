/* fields.c - the bits of an instruction by name, for weft/insn.h: rows and operands claim theirs, the rest is unused.
 */
#include "isa/insn.h"
#include "isa/text.h"
#include "isa/tesla/names.h"
#include "isa/tesla/slots.h"

#include <string.h>

struct claims {
    const struct weft_insn *insn;
    const struct tesla_target *target;
    struct weft_field *fields;
    size_t n;
    uint64_t free; /* bits that nothing has claimed */
};

/* ---- claiming ---- */

/* The lowest run of a mask that does not cross from word 0 into word 1. */
static weft_bits lowest_run(uint64_t mask)
{
    unsigned bit = (unsigned)__builtin_ctzll(mask), width = 1;
    while (bit + width < 64 && (bit + width) % 32 != 0 && (mask >> (bit + width) & 1))
        width++;
    return (weft_bits){(uint16_t)bit, (uint16_t)width};
}

/* What is free of the mask's bits becomes a field; NULL when nothing is. */
static struct weft_field *claim(struct claims *c, const char *name, weft_field_kind kind, uint64_t mask)
{
    struct weft_field *f = NULL;
    mask &= c->free;
    c->free &= ~mask;
    while (mask) {
        weft_bits run = lowest_run(mask);
        if (f && f->npieces < WEFT_FIELD_PIECES)
            insn_piece(f, c->insn, run.bit, run.width);
        else
            f = insn_field(c->fields, &c->n, c->insn, name, kind, run.bit, run.width);
        mask &= ~tesla_field_mask(run.bit, run.width);
    }
    return f;
}

static struct weft_field *claim_field(struct claims *c, enum tesla_field_id id)
{
    return claim(c, tesla_fields[id].name, (weft_field_kind)tesla_fields[id].kind, tesla_mask_of(id));
}

/* Each run of the bits by itself. */
static void claim_runs(struct claims *c, const char *name, weft_field_kind kind, uint64_t mask)
{
    for (mask &= c->free; mask;) {
        weft_bits run = lowest_run(mask);
        claim(c, name, kind, tesla_field_mask(run.bit, run.width));
        mask &= ~tesla_field_mask(run.bit, run.width);
    }
}

static void set_word(struct weft_field *f, const char *word)
{
    if (f)
        memcpy(f->word, word, strnlen(word, sizeof f->word - 1));
}

/* ---- operands ---- */

static void set_operand_word(const struct claims *c, struct weft_field *f, const struct tesla_operand *o)
{
    char text[TEXT_ROOM];
    text[tesla_print_operand(o, c->target, text)] = '\0';
    set_word(f, text);
}

/* The first of an operand's fields has the whole operand in words, that of the $a its register. */
static void claim_fields(struct claims *c, const uint8_t *fields, unsigned count, const struct tesla_operand *o)
{
    for (unsigned i = 0; i < count; i++) {
        struct weft_field *f = claim_field(c, fields[i]);
        if (i == 0 && f)
            set_operand_word(c, f, o);
        bool address = fields[i] == TESLA_FIELD_ADDRESS || fields[i] == TESLA_FIELD_ADDRESS_SHORT;
        if (i > 0 && address && f && f->value)
            snprintf(f->word, sizeof f->word, "$a%u", (unsigned)f->value);
    }
}

/* The bits that say what the sources of a row are. */
static void claim_source_types(struct claims *c, const struct tesla_walk *w)
{
    static const uint8_t types[] = {TESLA_FIELD_SRC1_TYPE, TESLA_FIELD_SRC2_TYPE, TESLA_FIELD_SRC3_TYPE};
    for (unsigned i = 0; i < 3; i++)
        if (!w->t->small && (w->t->sources >> i & 1))
            claim_field(c, types[i]);
    if (w->t->small && (w->t->sources & TESLA_HAS_A))
        claim_field(c, TESLA_FIELD_SRC1_TYPE_SHORT);
    if (w->t->small && (w->t->sources & TESLA_HAS_B))
        claim_field(c, TESLA_FIELD_SRC2_TYPE);
    claim_runs(c, "source type", WEFT_FIELD_OPERAND,
               w->selection.used & (tesla_mask_of(TESLA_FIELD_SRC1_TYPE) | tesla_mask_of(TESLA_FIELD_SRC2_TYPE) |
                                    tesla_mask_of(TESLA_FIELD_SRC3_TYPE)));
}

static void claim_operand(struct claims *c, const struct tesla_walk *w)
{
    uint8_t fields[TESLA_SLOT_FIELDS];
    uint8_t sources = tesla_slot_source((enum tesla_slot)w->item->slot);
    if (sources) {
        uint8_t of_source[TESLA_SOURCE_FIELDS];
        unsigned n = tesla_source_fields(w->t, (unsigned)__builtin_ctz(sources), &w->selection, of_source);
        claim_fields(c, of_source, n, &w->operand);
    }
    if (tesla_slots[w->item->slot].kind == TESLA_S_INTEGER)
        set_word(claim_field(c, TESLA_FIELD_SRC1_INTEGER), tesla_types[w->operand.type].name);
    else if (!sources)
        claim_fields(c, fields, tesla_slot_fields((enum tesla_slot)w->item->slot, fields), &w->operand);
}

/* Fields that the row has for other operands than these: they are 0 here, and say nothing. */
static void claim_possible(struct claims *c, const struct tesla_template *t)
{
    static const uint8_t fields[2][3] = {
        {TESLA_FIELD_INCREMENT, TESLA_FIELD_ADDRESS, TESLA_FIELD_CONSTANT_SPACE},
        {TESLA_FIELD_INCREMENT, TESLA_FIELD_ADDRESS_SHORT, TESLA_FIELD_ADDRESS_SHORT},
    };
    for (unsigned i = 0; t->sources && i < 3; i++)
        claim_field(c, fields[t->small][i]);
    if (tesla_has(t, TESLA_S_OPTIONAL))
        claim_field(c, TESLA_FIELD_DST_C);
}

/* ---- modifiers ---- */

/* What a choice is called: its word, where there is one to choose. */
static const char *name_of_choice(const struct tesla_walk *w)
{
    const struct tesla_word *first = &w->tables->word[w->item->words[0]];
    switch ((enum tesla_role)w->item->role) {
    case TESLA_R_ROUNDING:
        return "rounding";
    case TESLA_R_CONDITION:
        return "condition";
    case TESLA_R_QUAD_OPERATION:
        return "quad operation";
    case TESLA_R_QUAD_LANE:
        return "quad lane";
    default:
        break;
    }
    if (w->item->words[0] == TESLA_NO_WORD)
        return w->tables->word[w->item->words[1]].text;
    return first->type ? "type" : first->text;
}

static void claim_choice(struct claims *c, const struct tesla_walk *w)
{
    struct weft_field *f =
        claim(c, name_of_choice(w), WEFT_FIELD_MODIFIER, tesla_field_mask(w->item->low, w->item->width));
    set_word(f, w->said->text);
}

/* ---- what is the same in all rows ---- */

/* The bits that make it this row. */
static void claim_opcode(struct claims *c, const struct tesla_row *row)
{
    static const uint8_t named[] = {TESLA_FIELD_LENGTH, TESLA_FIELD_PRIMARY, TESLA_FIELD_SECONDARY};
    for (unsigned i = 0; i < sizeof named; i++)
        if ((row->mask & tesla_mask_of(named[i])) == tesla_mask_of(named[i])) {
            struct weft_field *f = claim_field(c, named[i]);
            if (named[i] == TESLA_FIELD_PRIMARY)
                set_word(f, row->mnemonic);
        }
    claim_runs(c, "opcode", WEFT_FIELD_OPCODE, row->mask);
}

static void claim_prefixes(struct claims *c, const struct tesla_walk *w, const struct tesla_row *row)
{
    static const char *const tails[4] = {"", "exit", "join", ""};
    if (row->form == TESLA_LONG)
        set_word(claim_field(c, TESLA_FIELD_TAIL), tails[tesla_get(w->word, TESLA_FIELD_TAIL)]);
    if (w->t->predicated) {
        uint32_t code = tesla_get(w->word, TESLA_FIELD_PREDICATE);
        struct weft_field *f;
        set_word(claim_field(c, TESLA_FIELD_PREDICATE), tesla_predicates[code] ? tesla_predicates[code] : "");
        f = claim_field(c, TESLA_FIELD_CSRC);
        if (code != TESLA_ALWAYS || w->t->plus_carry)
            snprintf(f->word, sizeof f->word, "$c%u", (unsigned)f->value);
    }
    if (w->t->lanes)
        claim_field(c, TESLA_FIELD_LANES);
    if (tesla_has(w->t, TESLA_S_OPTIONAL))
        claim_field(c, TESLA_FIELD_DST_C_ENABLE);
}

/* ---- order ---- */

/* Greater for what is drawn first: word 0 before word 1, and in a word the high bits first. */
static unsigned place_of(const struct weft_field *f)
{
    unsigned unit = f->pieces[0].bit / 32, top = 0;
    for (uint32_t i = 0; i < f->npieces; i++) {
        unsigned last = f->pieces[i].bit + f->pieces[i].width - 1u;
        if (last / 32 == unit && last > top)
            top = last;
    }
    return top % 32 + (unit ? 0 : 32);
}

static void sort(struct weft_field *fields, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct weft_field f = fields[i];
        size_t at = i;
        for (; at > 0 && place_of(&fields[at - 1]) < place_of(&f); at--)
            fields[at] = fields[at - 1];
        fields[at] = f;
    }
}

size_t tesla_insn_fields(const struct isa_decoder *d, const struct weft_insn *insn, struct weft_field *fields)
{
    const struct tesla_row *row = &tesla_rows[insn->rows[0]];
    struct tesla_target target = tesla_target_at(d->chip_number, d->stage);
    struct claims c = {
        .insn = insn, .target = &target, .fields = fields, .free = insn->size == 8 ? ~UINT64_C(0) : UINT32_MAX};
    struct tesla_walk w;
    tesla_walk_start(&w, row, insn_bits(insn->bytes, 0, insn->size * 8), &target);
    claim_opcode(&c, row);
    claim_prefixes(&c, &w, row);
    while (tesla_walk_next(&w)) {
        if (w.item->kind == TESLA_I_CHOICE)
            claim_choice(&c, &w);
        else if (w.item->kind == TESLA_I_OPERAND)
            claim_operand(&c, &w);
    }
    claim_source_types(&c, &w);
    claim_possible(&c, w.t);
    claim_runs(&c, "unused", WEFT_FIELD_UNUSED, c.free);
    sort(fields, c.n);
    return c.n;
}
