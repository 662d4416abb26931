/* source.c - sources that may be memory.
 *
 * The tables SA, SB and IA (short and immediate forms), LA, LB and LC (long forms). One point is
 * the text's alone: in geometry programs with a p[] source, 32-bit constants of source C are written with half of
 * their offset, which every established text has; `halved` says so, and the operand has
 * the true offset. */
#include "isa/tesla/source.h"

#define F(id)    TESLA_FIELD_##id
#define MASK(id) tesla_mask_of(TESLA_FIELD_##id)

/* The access types of s[] as a source, by their code. */
static const uint8_t shared_types[4] = {TESLA_U8, TESLA_U16, TESLA_S16, TESLA_B32};
static const uint8_t shared_steps[4] = {1, 2, 2, 4};

/* ---- selection ---- */

static bool select_long_a(const struct tesla_template *t, uint64_t word, uint8_t stage, struct tesla_selection *s)
{
    if (tesla_get(word, F(SRC2_TYPE)) && tesla_get(word, F(SRC3_TYPE))) {
        s->kind[0] = TESLA_FROM_P;
        s->used |= MASK(SRC2_TYPE) | MASK(SRC3_TYPE) | MASK(ADDRESS);
        if (t->sources & (TESLA_HAS_B | TESLA_HAS_C))
            s->used |= MASK(SRC1_TYPE);
        return stage == TESLA_GP;
    }
    if (!tesla_get(word, F(SRC1_TYPE)))
        return true;
    s->used |= MASK(SRC1_TYPE);
    if (stage == TESLA_CP) {
        s->kind[0] = TESLA_FROM_S;
        s->used |= MASK(INCREMENT) | MASK(ADDRESS);
        return true;
    }
    s->kind[0] = TESLA_FROM_A;
    return stage == TESLA_VP || stage == TESLA_GP;
}

/* Sources B and C are c[] by a bit each. Both bits mean p[] for A, and then the bit of A says registers or c[]. */
static void select_long_c(unsigned which, enum tesla_field_id mine, enum tesla_field_id other, uint64_t word,
                          uint8_t stage, struct tesla_selection *s)
{
    if (!tesla_get(word, mine))
        return;
    s->used |= tesla_mask_of(mine);
    if (tesla_get(word, other)) {
        s->kind[which] = tesla_get(word, F(SRC1_TYPE)) ? TESLA_FROM_REGISTER : TESLA_FROM_PLAIN_C;
    } else if (stage == TESLA_CP && tesla_get(word, F(SRC1_TYPE))) {
        s->kind[which] = TESLA_FROM_PLAIN_C;
    } else {
        s->kind[which] = TESLA_FROM_C;
        s->used |= MASK(INCREMENT) | MASK(ADDRESS);
    }
    if (s->kind[which] != TESLA_FROM_REGISTER)
        s->used |= MASK(CONSTANT_SPACE);
}

/* Codes 3 and 7 of ISRC are whole registers. */
static bool isrc_is_register(const struct tesla_template *t, uint64_t word)
{
    return tesla_has(t, TESLA_S_INTEGER) && (tesla_get(word, F(SRC1_INTEGER)) & 3) == 3;
}

static bool select_long(const struct tesla_template *t, uint64_t word, uint8_t stage, struct tesla_selection *s)
{
    if (isrc_is_register(t, word))
        return true;
    if ((t->sources & TESLA_HAS_A) && !select_long_a(t, word, stage, s))
        return false;
    if (t->sources & TESLA_HAS_B)
        select_long_c(1, F(SRC2_TYPE), F(SRC3_TYPE), word, stage, s);
    if (t->sources & TESLA_HAS_C)
        select_long_c(2, F(SRC3_TYPE), F(SRC2_TYPE), word, stage, s);
    return true;
}

static bool select_small(const struct tesla_template *t, uint64_t word, uint8_t stage, struct tesla_selection *s)
{
    bool immediate = tesla_is_long(word);
    if (!tesla_get(word, F(SRC1_TYPE_SHORT))) {
        if ((t->sources & TESLA_HAS_B) && tesla_get(word, F(SRC2_TYPE))) {
            s->kind[1] = TESLA_FROM_C;
            s->used |= MASK(SRC2_TYPE) | MASK(INCREMENT) | MASK(ADDRESS_SHORT);
        }
        return true;
    }
    if (!(t->sources & TESLA_HAS_A))
        return true;
    s->used |= MASK(SRC1_TYPE_SHORT);
    if (stage == TESLA_GP && (immediate || tesla_get(word, F(SRC2_TYPE)))) {
        s->kind[0] = TESLA_FROM_P;
        s->used |= MASK(ADDRESS_SHORT) | (immediate ? 0 : MASK(SRC2_TYPE));
    } else if (stage == TESLA_CP) {
        s->kind[0] = TESLA_FROM_S;
        s->used |= MASK(INCREMENT) | MASK(ADDRESS_SHORT);
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

/* Where long forms have what a source may be, and where short and immediate ones do, whose c[] has a bit of the field
 * for the space. */
static const struct layout {
    uint8_t source[3], constant[3];
    uint8_t constant_space, shared, shared_mode, address, type;
} layouts[2] = {{{F(SRC1), F(SRC2), F(SRC3)},
                 {F(SRC1), F(SRC2), F(SRC3)},
                 F(CONSTANT_SPACE),
                 F(SHARED_OFFSET),
                 F(SHARED_MODE),
                 F(ADDRESS),
                 F(SRC1_TYPE)},
                {{F(SRC1_SHORT), F(SRC2_SHORT), F(SRC2_SHORT)},
                 {F(CONSTANT_OFFSET_SHORT), F(CONSTANT_OFFSET_SHORT), F(CONSTANT_OFFSET_SHORT)},
                 F(CONSTANT_SPACE_SHORT),
                 F(SHARED_OFFSET_SHORT),
                 F(SHARED_MODE_SHORT),
                 F(ADDRESS_SHORT),
                 F(SRC1_TYPE_SHORT)}};

static const struct layout *layout_of(const struct tesla_template *t)
{
    return &layouts[t->small];
}

unsigned tesla_source_fields(const struct tesla_template *t, unsigned which, const struct tesla_selection *s,
                             uint8_t fields[TESLA_SOURCE_FIELDS])
{
    unsigned n = 0;
    switch ((enum tesla_source_kind)s->kind[which]) {
    case TESLA_FROM_S:
        fields[n++] = layout_of(t)->shared;
        fields[n++] = layout_of(t)->shared_mode;
        break;
    case TESLA_FROM_C:
    case TESLA_FROM_PLAIN_C:
        fields[n++] = layout_of(t)->constant[which];
        fields[n++] = layout_of(t)->constant_space;
        break;
    default:
        fields[n++] = layout_of(t)->source[which];
        break;
    }
    if (s->used & MASK(INCREMENT))
        fields[n++] = F(INCREMENT);
    if (s->used & tesla_mask_of(layout_of(t)->address))
        fields[n++] = layout_of(t)->address;
    return n;
}

/* ---- reading ---- */

/* An address of $a and an offset field in steps. */
static void read_address(const struct tesla_template *t, uint64_t word, enum tesla_field_id f, int32_t step,
                         struct tesla_operand *out)
{
    out->areg = (uint8_t)tesla_get(word, layout_of(t)->address);
    out->increment = tesla_get(word, F(INCREMENT));
    out->offset = (out->increment ? tesla_get_signed(word, f) : (int32_t)tesla_get(word, f)) * step;
}

static void read_shared(const struct tesla_template *t, uint64_t word, struct tesla_operand *out)
{
    unsigned mode = tesla_get(word, layout_of(t)->shared_mode);
    out->space = TESLA_S_SPACE;
    out->access = shared_types[mode];
    read_address(t, word, layout_of(t)->shared, shared_steps[mode], out);
}

static void read_constant(const struct tesla_template *t, unsigned which, unsigned size, uint64_t word,
                          const struct tesla_selection *s, struct tesla_operand *out)
{
    int32_t step = (int32_t)(size / 8);
    enum tesla_field_id f = layout_of(t)->constant[which];
    out->space = TESLA_C_SPACE;
    out->index = (uint8_t)tesla_get(word, layout_of(t)->constant_space);
    if (s->kind[which] == TESLA_FROM_C)
        read_address(t, word, f, step, out);
    else
        out->offset = (int32_t)tesla_get(word, f) * step;
    out->halved = which == 2 && size == 32 && s->kind[0] == TESLA_FROM_P;
}

void tesla_read_source(const struct tesla_template *t, unsigned which, unsigned size, uint64_t word,
                       const struct tesla_selection *s, struct tesla_operand *out)
{
    uint32_t value = tesla_get(word, layout_of(t)->source[which]);
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
        out->areg = (uint8_t)(out->space == TESLA_P_SPACE ? tesla_get(word, layout_of(t)->address) : 0);
        out->offset = (int32_t)value * 4;
        break;
    case TESLA_FROM_C:
    case TESLA_FROM_PLAIN_C:
        read_constant(t, which, size, word, s, out);
        break;
    }
}

/* ---- writing ---- */

static bool write_register(uint64_t *word, enum tesla_field_id f, const struct tesla_operand *o, unsigned size)
{
    if (o->kind != (size == 16 ? TESLA_O_HALF : TESLA_O_REG))
        return false;
    return tesla_put(word, f, size == 16 ? o->reg * 2u + o->high : o->reg);
}

static bool write_offset(uint64_t *word, enum tesla_field_id f, int32_t step, const struct tesla_operand *o)
{
    int32_t value = o->offset / step;
    if (o->offset % step != 0)
        return false;
    return o->increment ? tesla_put_signed(word, f, value) : value >= 0 && tesla_put(word, f, (uint32_t)value);
}

static bool write_address(const struct tesla_template *t, uint64_t *word, enum tesla_field_id f, int32_t step,
                          const struct tesla_operand *o)
{
    return tesla_put(word, F(INCREMENT), o->increment) && tesla_put(word, layout_of(t)->address, o->areg) &&
           write_offset(word, f, step, o);
}

static bool write_shared(const struct tesla_template *t, uint64_t *word, const struct tesla_operand *o)
{
    unsigned mode = 0;
    while (mode < 4 && shared_types[mode] != o->access)
        mode++;
    return mode < 4 && tesla_put(word, layout_of(t)->type, 1) &&
           tesla_put(word, layout_of(t)->shared_mode, mode) &&
           write_address(t, word, layout_of(t)->shared, shared_steps[mode], o);
}

/* Source A as memory: which of the spaces a program of this type has. */
static bool write_memory_a(const struct tesla_template *t, uint64_t *word, const struct tesla_operand *o, uint8_t stage)
{
    bool immediate = tesla_is_long(*word) && t->small;
    switch (o->space) {
    case TESLA_S_SPACE:
        return stage == TESLA_CP && write_shared(t, word, o);
    case TESLA_P_SPACE:
        *word |= MASK(SRC3_TYPE) | (immediate ? 0 : MASK(SRC2_TYPE));
        return stage == TESLA_GP && !o->increment && tesla_put(word, layout_of(t)->address, o->areg) &&
               write_offset(word, layout_of(t)->source[0], 4, o);
    case TESLA_A_SPACE:
        *word |= tesla_mask_of(layout_of(t)->type);
        return (stage == TESLA_VP || stage == TESLA_GP) && !immediate && !o->increment && !o->areg &&
               write_offset(word, layout_of(t)->source[0], 4, o);
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
        *word |= MASK(SRC2_TYPE);
        return !(a && a->kind == TESLA_O_MEMORY) && tesla_put(word, layout_of(t)->constant_space, o->index) &&
               write_address(t, word, layout_of(t)->constant[which], step, o);
    }
    if (from_p || from_s) {
        if (o->areg || o->increment)
            return false;
    } else if (*word & (MASK(SRC2_TYPE) | MASK(SRC3_TYPE))) {
        return false; /* both would be c[], which only p[] allows */
    }
    if (from_p && which == 2 && (t->sources & TESLA_HAS_B) &&
        tesla_get(*word, layout_of(t)->constant_space) != o->index)
        return false;
    *word |= which == 1 ? MASK(SRC2_TYPE) : MASK(SRC3_TYPE);
    tesla_put(word, layout_of(t)->constant_space, o->index);
    if (from_p || from_s)
        return write_offset(word, layout_of(t)->source[which], step, o);
    return write_address(t, word, layout_of(t)->source[which], step, o);
}

bool tesla_write_sources(const struct tesla_template *t, const struct tesla_source_list *l, uint8_t stage,
                         uint64_t *word, unsigned *wrong)
{
    const struct tesla_operand *a = l->operand[0];
    unsigned constants = 0, registers = 0;
    *wrong = 0;
    if (a && !(a->kind == TESLA_O_MEMORY ? write_memory_a(t, word, a, stage)
                                         : write_register(word, layout_of(t)->source[0], a, l->size[0])))
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
                     : write_register(word, layout_of(t)->source[i], o, l->size[i])))
            return false;
    }
    if (a && a->kind == TESLA_O_MEMORY && a->space == TESLA_P_SPACE && !t->small) {
        if (constants && registers)
            return false; /* bit 53 says the same of both */
        *word |= registers ? MASK(SRC1_TYPE) : 0;
    }
    return true;
}

bool tesla_source_reach(const struct tesla_template *t, unsigned which, unsigned size, const struct tesla_operand *o,
                        uint32_t *step, uint32_t *last)
{
    uint8_t field = layout_of(t)->source[which];
    *step = 4;
    if (o->space == TESLA_C_SPACE && which > 0) {
        field = layout_of(t)->constant[which];
        *step = size / 8;
    } else if (o->space == TESLA_S_SPACE && which == 0) {
        field = layout_of(t)->shared;
        *step = tesla_type_bits(o->access) / 8;
    } else if (which > 0 || (o->space != TESLA_A_SPACE && o->space != TESLA_P_SPACE)) {
        return false;
    }
    *last = ((UINT32_C(1) << tesla_width_of(field)) - 1) * *step;
    return *step > 0;
}
