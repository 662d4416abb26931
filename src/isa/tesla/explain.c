/* explain.c - an instruction taken apart into operands and modifiers. */
#include "isa/tesla/walk.h"

static void take_word(struct tesla_decoded *d, const struct tesla_walk *w, unsigned *quad_operations)
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
        d->quad_lane = (uint8_t)w->code;
        break;
    default:
        break;
    }
}

static void take_operand(struct tesla_decoded *d, const struct tesla_walk *w)
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
            take_operand(d, &w);
        else
            take_word(d, &w, &quad_operations);
    }
}
