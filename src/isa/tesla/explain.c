/* explain.c - an instruction taken apart into operands and modifiers. */
#include "isa/tesla/operand.h"

#include <string.h>

/* What has been read on the way along the template. */
struct reader {
    struct tesla_decoded *d;
    const struct tesla_tables *tables;
    uint8_t type;           /* of the operands that follow */
    bool neg, abs, inv;     /* of the next source */
    bool written;           /* the destination is behind */
    unsigned words, quad_ops, offsets;
};

static uint8_t type_by_size(const struct tesla_operand *o)
{
    switch (o->kind) {
    case TESLA_O_HALF:
        return TESLA_B16;
    case TESLA_O_PAIR:
        return TESLA_B64;
    case TESLA_O_QUAD:
        return TESLA_B128;
    default:
        return TESLA_B32;
    }
}

static void take_word(struct reader *r, uint8_t number, const struct tesla_item *item, uint32_t code)
{
    /* words that no text says have codes without a word; the chip reads their bits all the same */
    const struct tesla_word *w = &r->tables->word[number == TESLA_BAD_CODE ? TESLA_NO_WORD : number];
    struct tesla_decoded *d = r->d;
    d->modifiers |= w->modifier;
    if (w->type)
        r->type = w->type;
    r->neg |= strcmp(w->text, "neg") == 0;
    r->abs |= strcmp(w->text, "abs") == 0;
    r->inv |= strcmp(w->text, "not") == 0;
    if (w->text[0] == ')' && d->row->meaning == TESLA_M_MUL_ADD) /* what is added has all 32 bits */
        r->type = TESLA_NOTYPE;
    if (item->kind != TESLA_I_CHOICE)
        return;
    if (w->text[0] == 'r' && (w->modifier & TESLA_TO_INTEGER || w->length == 2))
        d->rounding = (uint8_t)code;
    else if (d->row->meaning == TESLA_M_SET && item->width >= 3)
        d->condition = (uint8_t)code;
    else if (d->row->meaning == TESLA_M_QUADOP && item->width == 2)
        d->quad_op[r->quad_ops++ & 3] = (uint8_t)code;
    else if (d->row->meaning == TESLA_M_QUADOP && item->width == 3)
        d->quad_lane = (uint8_t)code;
}

static bool has_destination(const struct tesla_decoded *d)
{
    return d->row->form != TESLA_CONTROL && d->row->meaning != TESLA_M_PMEVENT && d->row->meaning != TESLA_M_MOV_TO_C;
}

static void take_operand(struct reader *r, const struct tesla_operand *read)
{
    struct tesla_decoded *d = r->d;
    struct tesla_operand *o;
    if (!r->written && has_destination(d)) {
        r->written = true;
        o = &d->dst;
        *o = *read;
    } else {
        o = &d->src[d->nsrc < TESLA_MAX_SOURCES ? d->nsrc++ : TESLA_MAX_SOURCES - 1];
        *o = *read;
        o->neg = r->neg;
        o->abs = r->abs;
        o->inv = r->inv;
        r->neg = r->abs = r->inv = false;
    }
    if (o->kind == TESLA_O_MEMORY && !o->access)
        o->access = r->type ? r->type : TESLA_B32;
    if (!o->type)
        o->type = r->type ? r->type : type_by_size(o);
}

/* Operands that are no numbers to compute with have fields of their own. */
static bool take_special(struct reader *r, enum tesla_slot slot, const struct tesla_operand *o, uint64_t word)
{
    struct tesla_decoded *d = r->d;
    switch (slot) {
    case TESLA_SLOT_CDST:
        d->cdst = o->reg;
        return true;
    case TESLA_SLOT_MAYBE_CDST:
        d->cdst = tesla_bit(word, 38) ? o->reg : TESLA_NO_C;
        return true;
    case TESLA_SLOT_C0:
        d->csrc = 0;
        return true;
    case TESLA_SLOT_TEX:
        d->texture = o->reg;
        return true;
    case TESLA_SLOT_SAMP:
        d->sampler = o->reg;
        return true;
    case TESLA_SLOT_TOFFX:
    case TESLA_SLOT_TOFFY:
    case TESLA_SLOT_TOFFZ:
        d->texel_offset[slot - TESLA_SLOT_TOFFX] = (int8_t)(int32_t)o->value;
        return true;
    case TESLA_SLOT_BAR:
        d->barrier = (uint8_t)o->value;
        return true;
    case TESLA_SLOT_BARMASK:
        d->barrier_count = (uint16_t)o->value;
        return true;
    default:
        return slot == TESLA_SLOT_CSRC && d->row->meaning != TESLA_M_MOV_FROM_C;
    }
}

void tesla_explain(const struct tesla_insn *insn, const struct tesla_target *target, struct tesla_decoded *d)
{
    const struct tesla_template *t = tesla_template_of(insn->row);
    uint64_t word = insn->word;
    struct tesla_selection sel = {0};
    struct reader r = {.d = d, .tables = tesla_tables()};
    *d = (struct tesla_decoded){.row = insn->row, .predicate = TESLA_ALWAYS, .cdst = TESLA_NO_C, .lanes = 15};
    if (insn->row->form == TESLA_LONG) {
        d->exit = tesla_bits(word, 32, 2) == 1;
        d->join = tesla_bits(word, 32, 2) == 2;
    }
    if (t->predicated) {
        d->predicate = (uint8_t)tesla_bits(word, 39, 5);
        d->csrc = (uint8_t)tesla_bits(word, 44, 2);
    }
    if (t->lanes)
        d->lanes = (uint8_t)tesla_bits(word, 46, 4);
    if (t->sources)
        tesla_select(t, word, target->stage, &sel);
    for (unsigned i = 1; i < t->nitems; i++) { /* behind the mnemonic */
        const struct tesla_item *item = &t->items[i];
        struct tesla_operand o;
        uint32_t code = item->kind == TESLA_I_CHOICE ? tesla_bits(word, item->low, item->width) : 0;
        if (item->kind != TESLA_I_OPERAND) {
            take_word(&r, item->words[code], item, code);
            continue;
        }
        tesla_read_operand(t, (enum tesla_slot)item->slot, word, &sel, &o);
        if (!take_special(&r, (enum tesla_slot)item->slot, &o, word))
            take_operand(&r, &o);
    }
    if (d->row->meaning == TESLA_M_BAR && tesla_bit(word, 46))
        d->modifiers |= TESLA_ALL_WARPS;
}
