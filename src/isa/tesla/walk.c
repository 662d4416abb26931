/* walk.c - along an instruction's words and operands: types and signs meet the operands that they are for; and all of
 * it at once. */
#include "isa/tesla/walk.h"

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

void tesla_walk_start(struct tesla_walk *w, const struct tesla_row *row, uint64_t word,
                      const struct tesla_target *target)
{
    *w = (struct tesla_walk){.tables = tesla_tables(), .t = tesla_template_of(row), .word = word};
    if (w->t->sources)
        tesla_select(w->t, word, target->stage, &w->selection);
}

static void take_word(struct tesla_walk *w)
{
    w->code = w->item->kind == TESLA_I_CHOICE ? tesla_bits(w->word, w->item->low, w->item->width) : 0;
    uint8_t number = w->item->words[w->code];
    /* words that no text says have codes without a word; the chip reads their bits all the same */
    w->said = &w->tables->word[number == TESLA_BAD_CODE ? TESLA_NO_WORD : number];
    if (w->said->type)
        w->type = w->said->type;
    w->neg |= w->said->role == TESLA_W_NEG;
    w->abs |= w->said->role == TESLA_W_ABS;
    w->inv |= w->said->role == TESLA_W_NOT;
    if (w->said->role == TESLA_W_OPEN)
        w->outer = w->type;
    if (w->said->role == TESLA_W_CLOSE)
        w->type = w->outer;
}

/* The type of a source's value: that of the words before it, but the sum's addend in `sad u16` has all 32 bits. */
static uint8_t type_of_value(const struct tesla_walk *w)
{
    const struct tesla_slot_info *slot = &tesla_slots[w->item->slot];
    bool wide = slot->kind == TESLA_S_SOURCE && slot->column[TESLA_SRC_SIZE] == 32;
    return wide && tesla_type_bits(w->type) == 16 ? TESLA_B32 : w->type;
}

/* How memory is read or written whose text has no type of its own. a[] and p[] have words alone. */
static uint8_t access_of(const struct tesla_operand *o, uint8_t type)
{
    if (o->space == TESLA_A_SPACE || o->space == TESLA_P_SPACE || !type)
        return TESLA_B32;
    return type;
}

static void take_operand(struct tesla_walk *w)
{
    struct tesla_operand *o = &w->operand;
    uint8_t type = type_of_value(w);
    tesla_read_operand(w->t, (enum tesla_slot)w->item->slot, w->word, &w->selection, o);
    if (w->item->role == TESLA_R_SOURCE) {
        o->neg = w->neg;
        o->abs = w->abs;
        o->inv = w->inv;
        w->neg = w->abs = w->inv = false;
    }
    if (o->kind == TESLA_O_MEMORY && !o->access)
        o->access = access_of(o, type);
    if (!o->type)
        o->type = type ? type : type_by_size(o);
}

bool tesla_walk_next(struct tesla_walk *w)
{
    do {
        if (++w->at >= w->t->nitems)
            return false;
        w->item = &w->t->items[w->at];
    } while (tesla_is_optional(w->item) && !tesla_get(w->word, TESLA_FIELD_DST_C_ENABLE));
    if (w->item->kind == TESLA_I_OPERAND)
        take_operand(w);
    else
        take_word(w);
    return true;
}

/* ---- taken apart into operands and modifiers: for lift and checker ---- */

static void note_word(struct tesla_decoded *d, const struct tesla_walk *w, unsigned *quad_operations)
{
    d->modifiers |= w->said->modifier;
    switch ((enum tesla_role)w->item->role) {
    case TESLA_R_ROUNDING:
        d->rounding = (uint8_t)w->code;
        break;
    case TESLA_R_CONDITION:
        d->condition = (uint8_t)w->code;
        break;
    case TESLA_R_QUAD_OPERATION:
        d->quad_op[(*quad_operations)++ & 3] = (uint8_t)w->code;
        break;
    case TESLA_R_QUAD_LANE:
        d->quad_lane = (uint8_t)(w->code & TESLA_QUAD_NEIGHBOUR ? w->code & ~2u : w->code);
        break;
    default:
        break;
    }
}

static void note_operand(struct tesla_decoded *d, const struct tesla_walk *w)
{
    const struct tesla_operand *o = &w->operand;
    switch ((enum tesla_role)w->item->role) {
    case TESLA_R_RESULT:
        d->dst = *o;
        break;
    case TESLA_R_SOURCE:
        d->src[d->nsrc < TESLA_MAX_SOURCES ? d->nsrc++ : TESLA_MAX_SOURCES - 1] = *o;
        break;
    case TESLA_R_CSRC:
        d->csrc = o->reg;
        break;
    case TESLA_R_CDST:
        d->cdst = o->reg;
        break;
    case TESLA_R_TEXTURE:
        d->texture = o->reg;
        break;
    case TESLA_R_SAMPLER:
        d->sampler = o->reg;
        break;
    case TESLA_R_TEXEL_X:
    case TESLA_R_TEXEL_Y:
    case TESLA_R_TEXEL_Z:
        d->texel_offset[w->item->role - TESLA_R_TEXEL_X] = (int8_t)(int32_t)o->value;
        break;
    case TESLA_R_BARRIER:
        d->barrier = (uint8_t)o->value;
        break;
    case TESLA_R_BARRIER_COUNT:
        d->barrier_count = (uint16_t)o->value;
        break;
    default: /* words */
        break;
    }
}

void tesla_explain(const struct tesla_insn *insn, const struct tesla_target *target, struct tesla_decoded *d)
{
    struct tesla_walk w;
    unsigned quad_operations = 0;
    tesla_walk_start(&w, insn->row, insn->word, target);
    *d = (struct tesla_decoded){.row = insn->row, .predicate = TESLA_ALWAYS, .cdst = TESLA_NO_C, .lanes = 15};
    if (insn->row->form == TESLA_LONG) {
        d->exit = tesla_get(insn->word, TESLA_FIELD_TAIL) == TESLA_EXIT;
        d->join = tesla_get(insn->word, TESLA_FIELD_TAIL) == TESLA_JOIN;
    }
    if (w.t->predicated) {
        d->predicate = (uint8_t)tesla_get(insn->word, TESLA_FIELD_PREDICATE);
        d->csrc = (uint8_t)tesla_get(insn->word, TESLA_FIELD_CSRC);
    }
    if (w.t->lanes)
        d->lanes = (uint8_t)tesla_get(insn->word, TESLA_FIELD_LANES);
    while (tesla_walk_next(&w)) {
        if (w.item->kind == TESLA_I_OPERAND)
            note_operand(d, &w);
        else
            note_word(d, &w, &quad_operations);
    }
}
