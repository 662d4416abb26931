/* source.c - sources that may be memory.
 *
 * The encoding reference's tables SA, SB and IA (short and immediate forms), LA, LB and LC (long forms). One point is
 * the text's alone: in geometry programs with a p[] source, 32-bit constants of source C are written with half of
 * their offset (its note D9), which every established text has; `halved` says so, and the operand has
 * the true offset. */
#include "isa/tesla/source.h"

enum { BIT_B = TESLA_SELECT_B, BIT_C = TESLA_SELECT_C, BIT_A = TESLA_SELECT_A, BIT_INCREMENT = 25 };

static const uint64_t LONG_ADDRESS = UINT64_C(3) << 26 | UINT64_C(1) << 34; /* $a0-$a7 */
static const uint64_t SHORT_ADDRESS = UINT64_C(3) << 26;                    /* $a0-$a3 */

const uint8_t tesla_shared_types[4] = {TESLA_U8, TESLA_U16, TESLA_S16, TESLA_B32};
static const uint8_t shared_steps[4] = {1, 2, 2, 4};

/* ---- selection ---- */

static uint64_t bit(unsigned n)
{
    return UINT64_C(1) << n;
}

static bool select_long_a(const struct tesla_template *t, uint64_t word, uint8_t stage, struct tesla_selection *s)
{
    if (tesla_bit(word, BIT_B) && tesla_bit(word, BIT_C)) {
        s->kind[0] = TESLA_FROM_P;
        s->used |= bit(BIT_B) | bit(BIT_C) | LONG_ADDRESS;
        if (t->sources & (TESLA_HAS_B | TESLA_HAS_C))
            s->used |= bit(BIT_A);
        return stage == TESLA_GP;
    }
    if (!tesla_bit(word, BIT_A))
        return true;
    s->used |= bit(BIT_A);
    if (stage == TESLA_CP) {
        s->kind[0] = TESLA_FROM_S;
        s->used |= bit(BIT_INCREMENT) | LONG_ADDRESS;
        return true;
    }
    s->kind[0] = TESLA_FROM_A;
    return stage == TESLA_VP || stage == TESLA_GP;
}

/* Source B is c[] by bit 23, source C by bit 24. Both bits mean p[] for A, and then bit 53 says registers or c[]. */
static void select_long_c(unsigned which, unsigned mine, unsigned other, uint64_t word, uint8_t stage,
                          struct tesla_selection *s)
{
    if (!tesla_bit(word, mine))
        return;
    s->used |= bit(mine);
    if (tesla_bit(word, other)) {
        s->kind[which] = tesla_bit(word, BIT_A) ? TESLA_FROM_REGISTER : TESLA_FROM_PLAIN_C;
    } else if (stage == TESLA_CP && tesla_bit(word, BIT_A)) {
        s->kind[which] = TESLA_FROM_PLAIN_C;
    } else {
        s->kind[which] = TESLA_FROM_C;
        s->used |= bit(BIT_INCREMENT) | LONG_ADDRESS;
    }
    if (s->kind[which] != TESLA_FROM_REGISTER)
        s->used |= tesla_field_mask(54, 4);
}

/* Codes 3 and 7 of ISRC are whole registers. */
static bool isrc_is_register(const struct tesla_template *t, uint64_t word)
{
    return t->isrc && tesla_bits(word, 46, 2) == 3;
}

static bool select_long(const struct tesla_template *t, uint64_t word, uint8_t stage, struct tesla_selection *s)
{
    if (isrc_is_register(t, word))
        return true;
    if ((t->sources & TESLA_HAS_A) && !select_long_a(t, word, stage, s))
        return false;
    if (t->sources & TESLA_HAS_B)
        select_long_c(1, BIT_B, BIT_C, word, stage, s);
    if (t->sources & TESLA_HAS_C)
        select_long_c(2, BIT_C, BIT_B, word, stage, s);
    return true;
}

static bool select_small(const struct tesla_template *t, uint64_t word, uint8_t stage, struct tesla_selection *s)
{
    bool immediate = tesla_is_long(word);
    if (!tesla_bit(word, BIT_C)) {
        if ((t->sources & TESLA_HAS_B) && tesla_bit(word, BIT_B)) {
            s->kind[1] = TESLA_FROM_C;
            s->used |= bit(BIT_B) | bit(BIT_INCREMENT) | SHORT_ADDRESS;
        }
        return true;
    }
    if (!(t->sources & TESLA_HAS_A))
        return true;
    s->used |= bit(BIT_C);
    if (stage == TESLA_GP && (immediate || tesla_bit(word, BIT_B))) {
        s->kind[0] = TESLA_FROM_P;
        s->used |= SHORT_ADDRESS | (immediate ? 0 : bit(BIT_B));
    } else if (stage == TESLA_CP) {
        s->kind[0] = TESLA_FROM_S;
        s->used |= bit(BIT_INCREMENT) | SHORT_ADDRESS;
    } else {
        s->kind[0] = TESLA_FROM_A;
        return !immediate && (stage == TESLA_VP || stage == TESLA_GP);
    }
    return true;
}

bool tesla_select(const struct tesla_template *t, uint64_t word, uint8_t stage, struct tesla_selection *s)
{
    *s = (struct tesla_selection){0};
    return (t->small ? select_small : select_long)(t, word, stage, s);
}

/* ---- fields ---- */

struct field {
    uint8_t low, width;
};

static const struct field long_fields[3] = {{9, 7}, {16, 7}, {46, 7}};
static const struct field small_fields[3] = {{9, 6}, {16, 6}, {16, 6}};

static struct field field_of(const struct tesla_template *t, unsigned which)
{
    return (t->small ? small_fields : long_fields)[which];
}

static uint8_t read_address_register(const struct tesla_template *t, uint64_t word)
{
    return (uint8_t)(tesla_bits(word, 26, 2) | (t->small ? 0 : tesla_bits(word, 34, 1) << 2));
}

static int32_t sign_extend(uint32_t value, unsigned width)
{
    return (int32_t)(value << (32 - width)) >> (32 - width);
}

/* An address of $a and an offset field in steps. */
static void read_address(const struct tesla_template *t, uint64_t word, struct field f, int32_t step,
                         struct tesla_operand *out)
{
    uint32_t value = tesla_bits(word, f.low, f.width);
    out->areg = read_address_register(t, word);
    out->increment = tesla_bit(word, BIT_INCREMENT);
    out->offset = (out->increment ? sign_extend(value, f.width) : (int32_t)value) * step;
}

static void read_shared(const struct tesla_template *t, uint64_t word, struct tesla_operand *out)
{
    struct field f = t->small ? (struct field){9, 4} : (struct field){9, 5};
    unsigned type = tesla_bits(word, f.low + f.width, 2);
    out->space = TESLA_S_SPACE;
    out->access = tesla_shared_types[type];
    read_address(t, word, f, shared_steps[type], out);
}

static void read_constant(const struct tesla_template *t, unsigned which, unsigned size, uint64_t word,
                          const struct tesla_selection *s, struct tesla_operand *out)
{
    int32_t step = (int32_t)(size / 8);
    struct field f = t->small ? (struct field){16, 5} : field_of(t, which);
    out->space = TESLA_C_SPACE;
    out->index = (uint8_t)(t->small ? tesla_bits(word, 21, 1) : tesla_bits(word, 54, 4));
    if (s->kind[which] == TESLA_FROM_C)
        read_address(t, word, f, step, out);
    else
        out->offset = (int32_t)tesla_bits(word, f.low, f.width) * step;
    out->halved = which == 2 && size == 32 && s->kind[0] == TESLA_FROM_P;
}

void tesla_read_source(const struct tesla_template *t, unsigned which, unsigned size, uint64_t word,
                       const struct tesla_selection *s, struct tesla_operand *out)
{
    struct field f = field_of(t, which);
    uint32_t value = tesla_bits(word, f.low, f.width);
    out->kind = TESLA_O_MEMORY;
    switch ((enum tesla_source_kind)s->kind[which]) {
    case TESLA_FROM_REGISTER:
        out->kind = size == 16 ? TESLA_O_HALF : TESLA_O_REG;
        out->reg = (uint8_t)(size == 16 ? value >> 1 : value);
        out->high = size == 16 && (value & 1);
        break;
    case TESLA_FROM_S:
        read_shared(t, word, out);
        break;
    case TESLA_FROM_A:
    case TESLA_FROM_P:
        out->space = s->kind[which] == TESLA_FROM_A ? TESLA_A_SPACE : TESLA_P_SPACE;
        out->areg = out->space == TESLA_P_SPACE ? read_address_register(t, word) : 0;
        out->offset = (int32_t)value * 4;
        break;
    case TESLA_FROM_C:
    case TESLA_FROM_PLAIN_C:
        read_constant(t, which, size, word, s, out);
        break;
    }
}

/* ---- writing ---- */

static bool write_field(uint64_t *word, struct field f, uint32_t value)
{
    *word |= (uint64_t)value << f.low;
    return f.width >= 32 || value >> f.width == 0;
}

static bool write_register(uint64_t *word, struct field f, const struct tesla_operand *o, unsigned size)
{
    if (o->kind != (size == 16 ? TESLA_O_HALF : TESLA_O_REG))
        return false;
    return write_field(word, f, size == 16 ? o->reg * 2u + o->high : o->reg);
}

static bool write_address_register(const struct tesla_template *t, uint64_t *word, uint8_t areg)
{
    *word |= (uint64_t)(areg & 3) << 26 | (uint64_t)(areg >> 2) << 34;
    return areg < (t->small ? 4 : 8);
}

static bool write_offset(uint64_t *word, struct field f, int32_t step, const struct tesla_operand *o)
{
    int32_t value = o->offset / step;
    if (o->offset % step != 0)
        return false;
    if (!o->increment)
        return value >= 0 && write_field(word, f, (uint32_t)value);
    int32_t half = 1 << (f.width - 1);
    return value >= -half && value < half && write_field(word, f, (uint32_t)value & ((1u << f.width) - 1));
}

static bool write_address(const struct tesla_template *t, uint64_t *word, struct field f, int32_t step,
                          const struct tesla_operand *o)
{
    *word |= (uint64_t)o->increment << BIT_INCREMENT;
    return write_address_register(t, word, o->areg) && write_offset(word, f, step, o);
}

static bool write_shared(const struct tesla_template *t, uint64_t *word, const struct tesla_operand *o)
{
    struct field f = t->small ? (struct field){9, 4} : (struct field){9, 5};
    unsigned type = 0;
    while (type < 4 && tesla_shared_types[type] != o->access)
        type++;
    if (type == 4)
        return false;
    *word |= bit(t->small ? BIT_C : BIT_A) | (uint64_t)type << (f.low + f.width);
    return write_address(t, word, f, shared_steps[type], o);
}

/* Source A as memory: which of the spaces a program of this type has. */
static bool write_memory_a(const struct tesla_template *t, uint64_t *word, const struct tesla_operand *o, uint8_t stage)
{
    bool immediate = tesla_is_long(*word) && t->small;
    struct field f = field_of(t, 0);
    switch (o->space) {
    case TESLA_S_SPACE:
        return stage == TESLA_CP && write_shared(t, word, o);
    case TESLA_P_SPACE:
        *word |= bit(BIT_C) | (immediate ? 0 : bit(BIT_B));
        return stage == TESLA_GP && !o->increment && write_address_register(t, word, o->areg) &&
               write_offset(word, f, 4, o);
    case TESLA_A_SPACE:
        *word |= bit(t->small ? BIT_C : BIT_A);
        return (stage == TESLA_VP || stage == TESLA_GP) && !immediate && !o->increment && !o->areg &&
               write_offset(word, f, 4, o);
    default:
        return false;
    }
}

/* c[] as source B or C. The address register is the row's only one: A must not have taken it. */
static bool write_constant(const struct tesla_template *t, unsigned which, unsigned size, const struct tesla_operand *o,
                           const struct tesla_operand *a, uint64_t *word)
{
    bool from_p = a && a->kind == TESLA_O_MEMORY && a->space == TESLA_P_SPACE;
    bool from_s = a && a->kind == TESLA_O_MEMORY && a->space == TESLA_S_SPACE;
    int32_t step = which == 2 && from_p ? 2 : (int32_t)(size / 8);
    if (o->kind != TESLA_O_MEMORY || o->space != TESLA_C_SPACE)
        return false;
    if (t->small) {
        *word |= bit(BIT_B) | (uint64_t)(o->index & 1) << 21;
        return o->index < 2 && !from_p && !from_s && !(a && a->kind == TESLA_O_MEMORY) &&
               write_address(t, word, (struct field){16, 5}, step, o);
    }
    uint64_t index = (uint64_t)o->index << 54, bits = bit(which == 1 ? BIT_B : BIT_C);
    if (from_p || from_s) {
        if (o->areg || o->increment)
            return false;
    } else if (*word & (bit(BIT_B) | bit(BIT_C))) {
        return false; /* both would be c[], which only p[] allows */
    }
    if (from_p && which == 2 && (t->sources & TESLA_HAS_B) && (*word & tesla_field_mask(54, 4)) != index)
        return false;
    *word |= bits | index;
    if (from_p || from_s)
        return write_offset(word, field_of(t, which), step, o);
    return write_address(t, word, field_of(t, which), step, o);
}

bool tesla_write_sources(const struct tesla_template *t, const struct tesla_source_list *l, uint8_t stage,
                         uint64_t *word, unsigned *wrong)
{
    const struct tesla_operand *a = l->operand[0];
    unsigned constants = 0, registers = 0;
    *wrong = 0;
    if (a && !(a->kind == TESLA_O_MEMORY ? write_memory_a(t, word, a, stage)
                                         : write_register(word, field_of(t, 0), a, l->size[0])))
        return false;
    for (unsigned i = 1; i < 3; i++) {
        const struct tesla_operand *o = l->operand[i];
        *wrong = i;
        if (!o)
            continue;
        bool memory = o->kind == TESLA_O_MEMORY;
        constants += memory;
        registers += !memory;
        if (!(memory ? write_constant(t, i, l->size[i], o, a, word)
                     : write_register(word, field_of(t, i), o, l->size[i])))
            return false;
    }
    if (a && a->kind == TESLA_O_MEMORY && a->space == TESLA_P_SPACE && !t->small) {
        if (constants && registers)
            return false; /* bit 53 says the same of both */
        *word |= registers ? bit(BIT_A) : 0;
    }
    return true;
}
