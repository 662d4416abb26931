/* slots.c - operands in words, read and written; along all words and operands of an instruction, where types and signs
 * meet the operands that they are for. */
#include "isa/tesla/slots.h"

#include "isa/tesla/names.h"

#define F(id)          TESLA_FIELD_##id
#define HALF_OR_MEMORY "a half register, or memory that the form and the program's type have"
#define WORD_OR_MEMORY "a register, or memory that the form and the program's type have"

const struct tesla_slot_info tesla_slots[TESLA_SLOTS] = {
#define OPERAND(name, wants, role, kind, ...) {wants, TESLA_R_##role, TESLA_S_##kind, {__VA_ARGS__}},
#include "isa/tesla/operands.inc"
#undef OPERAND
};

/* The integer types of ISRC by their code. */
static const uint8_t isrc_types[8] = {TESLA_U16, TESLA_U32, TESLA_U8, TESLA_U8,
                                      TESLA_S16, TESLA_S32, TESLA_S8, TESLA_S8};
/* Bits of the register that holds it; codes 3 and 7 are bytes in whole registers. */
static const uint8_t isrc_sizes[8] = {16, 32, 16, 32, 16, 32, 16, 32};

/* ---- bits ---- */

/* Columns of a slot that are fields. The registers of a texture access are in the fields of both ends. */
unsigned tesla_slot_fields(enum tesla_slot slot, uint8_t fields[TESLA_SLOT_FIELDS])
{
    const struct tesla_slot_info *s = &tesla_slots[slot];
    const uint8_t *c = s->column;
    unsigned n = 0;
    switch ((enum tesla_slot_kind)s->kind) {
    case TESLA_S_REGISTER:
    case TESLA_S_OPTIONAL:
    case TESLA_S_ADDRESS:
        fields[n++] = c[TESLA_REG_FIELD];
        break;
    case TESLA_S_NUMBER:
    case TESLA_S_TARGET:
        fields[n++] = c[TESLA_NUM_FIELD];
        break;
    case TESLA_S_MEMORY:
        fields[n++] = c[TESLA_MEM_FIELD];
        fields[n++] = c[TESLA_MEM_ADDRESS];
        if (c[TESLA_MEM_INCREMENT])
            fields[n++] = F(INCREMENT);
        if (c[TESLA_MEM_SPACE] == TESLA_C_SPACE)
            fields[n++] = F(CONSTANT_SPACE);
        break;
    case TESLA_S_GLOBAL:
        fields[n++] = F(SRC1);
        fields[n++] = c[TESLA_GLOBAL_FIELD];
        break;
    case TESLA_S_SOURCE:
        fields[n++] = c[TESLA_SRC_FIELD];
        break;
    case TESLA_S_INTEGER:
        fields[n++] = F(SRC1);
        fields[n++] = c[0];
        break;
    case TESLA_S_DESTINATION:
        fields[n++] = F(DST);
        fields[n++] = F(DST_TYPE);
        break;
    case TESLA_S_WRITTEN:
        fields[n++] = c[0];
        if (c[0] == F(DST))
            fields[n++] = F(DST_MASK);
        break;
    case TESLA_S_READ:
        fields[n++] = F(SRC_COUNT);
        break;
    case TESLA_S_FIXED:
    case TESLA_S_SAME:
        break;
    }
    return n;
}

uint64_t tesla_slot_used(enum tesla_slot slot)
{
    const struct tesla_slot_info *s = &tesla_slots[slot];
    uint8_t fields[TESLA_SLOT_FIELDS];
    uint64_t used = 0;
    if (s->kind == TESLA_S_OPTIONAL)
        return tesla_mask_of(F(DST_C_ENABLE)); /* which $c only counts with it */
    for (unsigned i = tesla_slot_fields(slot, fields); i-- > 0;)
        used |= tesla_mask_of(fields[i]);
    if (s->kind == TESLA_S_REGISTER) /* of a pair's number the low bit is not a part: it must be 0 */
        used &= ~((uint64_t)(s->column[TESLA_REG_MULTIPLE] - 1u) << tesla_fields[fields[0]].low);
    return used;
}

uint8_t tesla_slot_source(enum tesla_slot slot)
{
    const struct tesla_slot_info *s = &tesla_slots[slot];
    if (s->kind == TESLA_S_SOURCE)
        return (uint8_t)(1u << s->column[TESLA_SRC_NUMBER]);
    return s->kind == TESLA_S_INTEGER ? TESLA_HAS_A : 0;
}

static void set_shape(struct tesla_item *item, bool half, enum tesla_shape whole, enum tesla_field_id field)
{
    item->shape = (uint8_t)(whole + half);
    tesla_set_field(item, tesla_fields[field].low, tesla_fields[field].width);
}

/* A register that is a letter and a number. */
static void set_letter(struct tesla_item *item, enum tesla_shape shape)
{
    const uint8_t *c = tesla_slots[item->slot].column;
    for (unsigned i = 0; i < TESLA_REGISTERS; i++)
        if (tesla_registers[i].kind == c[TESLA_REG_KIND] && !tesla_registers[i].suffix) {
            set_shape(item, false, shape, c[TESLA_REG_FIELD]);
            item->letter = tesla_registers[i].letter;
        }
}

void tesla_slot_shape(struct tesla_item *item)
{
    const struct tesla_slot_info *s = &tesla_slots[item->slot];
    const uint8_t *c = s->column;
    if (s->kind == TESLA_S_REGISTER && (c[TESLA_REG_KIND] == TESLA_O_REG || c[TESLA_REG_KIND] == TESLA_O_HALF))
        set_shape(item, c[TESLA_REG_KIND] == TESLA_O_HALF, TESLA_SHAPE_REGISTER, c[TESLA_REG_FIELD]);
    else if (s->kind == TESLA_S_SOURCE)
        set_shape(item, c[TESLA_SRC_SIZE] == 16, TESLA_SHAPE_SOURCE, c[TESLA_SRC_FIELD]);
    else if (s->kind == TESLA_S_DESTINATION)
        set_shape(item, c[0] == 16, TESLA_SHAPE_DESTINATION, F(DST));
    else if (s->kind == TESLA_S_REGISTER || s->kind == TESLA_S_OPTIONAL)
        set_letter(item, s->kind == TESLA_S_OPTIONAL ? TESLA_SHAPE_OPTIONAL : TESLA_SHAPE_LETTER);
}

static enum tesla_field_id destination_field(const struct tesla_template *t)
{
    return t->small ? F(DST_SHORT) : F(DST);
}

/* ---- vectors of texture accesses ---- */

bool tesla_vectors_fit(const struct tesla_template *t, uint64_t word)
{
    unsigned first = tesla_get(word, destination_field(t));
    unsigned written = t->small ? 4 : (unsigned)__builtin_popcount(tesla_get(word, F(DST_MASK)));
    unsigned read = tesla_has(t, TESLA_S_SAME) ? 1 : tesla_get(word, F(SRC_COUNT)) + 1;
    return first + (written > read ? written : read) <= 128;
}

static void read_vector(uint64_t word, enum tesla_field_id first, unsigned items, unsigned mask,
                        struct tesla_operand *out)
{
    out->kind = TESLA_O_VECTOR;
    out->reg = (uint8_t)tesla_get(word, first);
    out->mask = (uint8_t)mask;
    out->value = items;
}

/* ---- reading ---- */

static void read_register(unsigned kind, enum tesla_field_id field, uint64_t word, struct tesla_operand *out)
{
    uint32_t n = tesla_get(word, field);
    out->kind = (uint8_t)kind;
    out->reg = (uint8_t)(kind == TESLA_O_HALF ? n >> 1 : n);
    out->high = kind == TESLA_O_HALF && (n & 1);
}

static void read_number(const uint8_t *c, uint64_t word, struct tesla_operand *out)
{
    enum tesla_field_id field = c[TESLA_NUM_FIELD];
    out->kind = TESLA_O_IMMEDIATE;
    out->value = c[TESLA_NUM_SIGNED] ? (uint32_t)tesla_get_signed(word, field) : tesla_get(word, field);
}

static void read_memory(const uint8_t *c, uint64_t word, struct tesla_operand *out)
{
    out->kind = TESLA_O_MEMORY;
    out->space = c[TESLA_MEM_SPACE];
    out->index = (uint8_t)(out->space == TESLA_C_SPACE ? tesla_get(word, F(CONSTANT_SPACE)) : 0);
    out->areg = (uint8_t)tesla_get(word, c[TESLA_MEM_ADDRESS]);
    out->increment = c[TESLA_MEM_INCREMENT] && tesla_get(word, F(INCREMENT));
    out->offset = (int32_t)(tesla_get(word, c[TESLA_MEM_FIELD]) * c[TESLA_MEM_STEP]);
}

static void read_global(const uint8_t *c, uint64_t word, struct tesla_operand *out)
{
    out->kind = TESLA_O_MEMORY;
    out->space = TESLA_G_SPACE;
    out->reg = (uint8_t)tesla_get(word, F(SRC1));
    out->index = (uint8_t)tesla_get(word, c[TESLA_GLOBAL_FIELD]);
}

/* A register, o[], or with all ones nothing. */
static void read_destination(unsigned size, uint64_t word, struct tesla_operand *out)
{
    uint32_t n = tesla_get(word, F(DST));
    if (!tesla_get(word, F(DST_TYPE))) {
        read_register(size == 16 ? TESLA_O_HALF : TESLA_O_REG, F(DST), word, out);
    } else if (n != TESLA_NO_DESTINATION) {
        out->kind = TESLA_O_MEMORY;
        out->space = TESLA_O_SPACE;
        out->offset = (int32_t)(n * size / 8);
    }
}

bool tesla_is_wide(const struct tesla_template *t, uint64_t word)
{
    uint32_t n = tesla_get(word, F(DST));
    return t->wide && tesla_get(word, F(DST_TYPE)) && (n == TESLA_NO_DESTINATION || n * 2 < TESLA_NO_DESTINATION);
}

void tesla_read_operand(const struct tesla_template *t, enum tesla_slot slot, uint64_t word,
                        const struct tesla_selection *sel, struct tesla_operand *out)
{
    const struct tesla_slot_info *s = &tesla_slots[slot];
    const uint8_t *c = s->column;
    *out = (struct tesla_operand){0};
    switch ((enum tesla_slot_kind)s->kind) {
    case TESLA_S_REGISTER:
    case TESLA_S_OPTIONAL:
    case TESLA_S_ADDRESS:
        read_register(c[TESLA_REG_KIND], c[TESLA_REG_FIELD], word, out);
        break;
    case TESLA_S_FIXED:
        out->kind = c[0];
        break;
    case TESLA_S_NUMBER:
        read_number(c, word, out);
        break;
    case TESLA_S_TARGET:
        out->kind = TESLA_O_TARGET;
        out->value = tesla_get(word, c[TESLA_NUM_FIELD]) * c[TESLA_NUM_STEP];
        break;
    case TESLA_S_MEMORY:
        read_memory(c, word, out);
        break;
    case TESLA_S_GLOBAL:
        read_global(c, word, out);
        break;
    case TESLA_S_SOURCE:
        tesla_read_source(t, c[TESLA_SRC_NUMBER], c[TESLA_SRC_SIZE], word, sel, out);
        break;
    case TESLA_S_INTEGER:
        tesla_read_source(t, 0, isrc_sizes[tesla_get(word, c[0])], word, sel, out);
        out->type = isrc_types[tesla_get(word, c[0])];
        break;
    case TESLA_S_DESTINATION:
        read_destination(c[0], word, out);
        break;
    case TESLA_S_SAME:
        read_register(TESLA_O_REG, destination_field(t), word, out);
        break;
    case TESLA_S_WRITTEN:
        read_vector(word, c[0], 4, t->small ? 15 : tesla_get(word, F(DST_MASK)), out);
        break;
    case TESLA_S_READ: {
        unsigned count = tesla_get(word, F(SRC_COUNT)) + 1;
        read_vector(word, c[0], count, (1u << count) - 1, out);
        break;
    }
    }
}

/* ---- writing ---- */

static bool write_register(const uint8_t *c, const struct tesla_operand *o, uint64_t *word)
{
    enum tesla_field_id field = c[TESLA_REG_FIELD];
    if (o->kind != c[TESLA_REG_KIND] || o->reg % c[TESLA_REG_MULTIPLE] != 0)
        return false;
    uint32_t n = o->kind == TESLA_O_HALF ? o->reg * 2u + o->high : o->reg;
    if (field == F(CSRC) && tesla_get(*word, field) && tesla_get(*word, field) != n)
        return false; /* $c of the predicate is in the same field */
    return tesla_put(word, field, n);
}

/* $a0 is written 0x0. */
static bool write_address_register(const uint8_t *c, const struct tesla_operand *o, uint64_t *word)
{
    if (o->kind == TESLA_O_IMMEDIATE && o->value == 0)
        return true;
    return o->kind == TESLA_O_A && tesla_put(word, c[TESLA_REG_FIELD], o->reg);
}

static bool write_number(const uint8_t *c, const struct tesla_operand *o, uint64_t *word)
{
    if (o->kind != TESLA_O_IMMEDIATE)
        return false;
    return c[TESLA_NUM_SIGNED] ? tesla_put_signed(word, c[TESLA_NUM_FIELD], (int32_t)o->value)
                               : tesla_put(word, c[TESLA_NUM_FIELD], o->value);
}

static bool write_target(const uint8_t *c, const struct tesla_operand *o, uint64_t *word)
{
    return o->kind == TESLA_O_IMMEDIATE && o->value % c[TESLA_NUM_STEP] == 0 &&
           tesla_put(word, c[TESLA_NUM_FIELD], o->value / c[TESLA_NUM_STEP]);
}

static bool write_memory(const uint8_t *c, const struct tesla_operand *o, uint64_t *word)
{
    uint32_t offset = (uint32_t)o->offset, step = c[TESLA_MEM_STEP];
    if (o->kind != TESLA_O_MEMORY || o->space != c[TESLA_MEM_SPACE] || (o->increment && !c[TESLA_MEM_INCREMENT]))
        return false;
    if (o->increment && o->offset < 0)
        offset &= 0xffff; /* the step wraps */
    if (offset % step != 0 || !tesla_put(word, c[TESLA_MEM_FIELD], offset / step))
        return false;
    if (o->increment)
        tesla_put(word, F(INCREMENT), 1);
    if (o->space == TESLA_C_SPACE)
        tesla_put(word, F(CONSTANT_SPACE), o->index);
    return tesla_put(word, c[TESLA_MEM_ADDRESS], o->areg);
}

static bool write_global(const uint8_t *c, const struct tesla_operand *o, uint64_t *word)
{
    return o->kind == TESLA_O_MEMORY && o->space == TESLA_G_SPACE && tesla_put(word, F(SRC1), o->reg) &&
           tesla_put(word, c[TESLA_GLOBAL_FIELD], o->index);
}

static bool write_destination(unsigned size, const struct tesla_operand *o, uint64_t *word)
{
    uint32_t step = size / 8, offset = (uint32_t)o->offset;
    if (o->kind == (size == 16 ? TESLA_O_HALF : TESLA_O_REG))
        return tesla_put(word, F(DST), size == 16 ? o->reg * 2u + o->high : o->reg);
    tesla_put(word, F(DST_TYPE), 1);
    if (o->kind == TESLA_O_NONE)
        return tesla_put(word, F(DST), TESLA_NO_DESTINATION);
    return o->kind == TESLA_O_MEMORY && o->space == TESLA_O_SPACE && !o->areg && !o->increment && offset % step == 0 &&
           offset / step < TESLA_NO_DESTINATION && tesla_put(word, F(DST), offset / step);
}

/* The register at which a texture access starts: destination and source have the same. */
static bool write_base(const struct tesla_template *t, unsigned reg, uint64_t *word, bool *known)
{
    if (*known)
        return tesla_get(*word, destination_field(t)) == reg;
    *known = true;
    return tesla_put(word, destination_field(t), reg);
}

static bool write_written(const struct tesla_template *t, const struct tesla_operand *o, uint64_t *word, bool *known)
{
    if (o->kind != TESLA_O_VECTOR || o->value != 4 || (t->small && o->mask != 15))
        return false;
    if (!t->small)
        tesla_put(word, F(DST_MASK), o->mask);
    return o->mask == 0 || write_base(t, o->reg, word, known);
}

static bool write_read(const struct tesla_template *t, const struct tesla_operand *o, uint64_t *word, bool *known)
{
    unsigned count = o->kind == TESLA_O_REG ? 1 : o->value;
    if (o->kind != TESLA_O_REG && (o->kind != TESLA_O_VECTOR || o->mask != (1u << count) - 1))
        return false;
    return tesla_put(word, F(SRC_COUNT), count - 1) && write_base(t, o->reg, word, known);
}

bool tesla_write_operand(const struct tesla_template *t, enum tesla_slot slot, const struct tesla_operand *o,
                         uint64_t *word, bool *base_known)
{
    const uint8_t *c = tesla_slots[slot].column;
    switch ((enum tesla_slot_kind)tesla_slots[slot].kind) {
    case TESLA_S_OPTIONAL:
        return tesla_put(word, F(DST_C_ENABLE), 1) && write_register(c, o, word);
    case TESLA_S_REGISTER:
        return write_register(c, o, word);
    case TESLA_S_ADDRESS:
        return write_address_register(c, o, word);
    case TESLA_S_FIXED:
        return o->kind == c[0] && o->reg == 0;
    case TESLA_S_NUMBER:
        return write_number(c, o, word);
    case TESLA_S_TARGET:
        return write_target(c, o, word);
    case TESLA_S_MEMORY:
        return write_memory(c, o, word);
    case TESLA_S_GLOBAL:
        return write_global(c, o, word);
    case TESLA_S_DESTINATION:
        return write_destination(c[0], o, word);
    case TESLA_S_SAME:
        *base_known |= !tesla_has(t, TESLA_S_WRITTEN);
        return o->kind == TESLA_O_REG && write_base(t, o->reg, word, base_known);
    case TESLA_S_WRITTEN:
        return write_written(t, o, word, base_known);
    case TESLA_S_READ:
        return write_read(t, o, word, base_known);
    case TESLA_S_SOURCE: /* all of them at once: tesla_write_sources */
    case TESLA_S_INTEGER:
        break;
    }
    return false;
}

int tesla_isrc_code(uint8_t type, const struct tesla_operand *o)
{
    bool whole = o->kind == TESLA_O_REG;
    for (int code = 0; code < 8; code++) {
        bool byte_register = (code & 3) == 3;
        if (isrc_types[code] == type && byte_register == (whole && (type == TESLA_U8 || type == TESLA_S8)))
            return code;
    }
    return -1;
}

bool tesla_slot_range(enum tesla_slot slot, uint32_t *step, uint32_t *last)
{
    const struct tesla_slot_info *s = &tesla_slots[slot];
    if (s->kind != TESLA_S_MEMORY)
        return false;
    *step = s->column[TESLA_MEM_STEP];
    *last = ((1u << tesla_width_of(s->column[TESLA_MEM_FIELD])) - 1) * *step;
    return true;
}

/* ---- along an instruction ---- */

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
