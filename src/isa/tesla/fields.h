/* fields.h - the fields of words, each named once in fields.inc. */
#ifndef WEFT_ISA_TESLA_FIELDS_H
#define WEFT_ISA_TESLA_FIELDS_H

#include <weft/insn.h>

#include <stdbool.h>
#include <stdint.h>

/* Consecutive bits, and those above them elsewhere, if `more` is not 0. */
struct tesla_field {
    const char *name;
    uint8_t kind; /* weft_field_kind */
    uint8_t low, width, high, more;
};

enum tesla_field_id {
#define FIELD(id, ...) TESLA_FIELD_##id,
#include "isa/tesla/fields.inc"
#undef FIELD
    TESLA_FIELDS
};

static const struct tesla_field tesla_fields[TESLA_FIELDS] = {
#define FIELD(id, name, kind, ...) {name, WEFT_FIELD_##kind, __VA_ARGS__},
#include "isa/tesla/fields.inc"
#undef FIELD
};

/* ---- bits ---- */

static inline uint64_t tesla_field_mask(unsigned low, unsigned width)
{
    return (~UINT64_C(0) >> (64 - width)) << low;
}

static inline uint32_t tesla_bits(uint64_t word, unsigned low, unsigned width)
{
    return (uint32_t)(word >> low & (~UINT64_C(0) >> (64 - width)));
}

/* ---- fields ---- */

/* The bits of a field in a word. */
static inline uint64_t tesla_mask_of(enum tesla_field_id id)
{
    const struct tesla_field *f = &tesla_fields[id];
    return tesla_field_mask(f->low, f->width) | (f->more ? tesla_field_mask(f->high, f->more) : 0);
}

static inline unsigned tesla_width_of(enum tesla_field_id id)
{
    return tesla_fields[id].width + tesla_fields[id].more;
}

static inline uint32_t tesla_get(uint64_t word, enum tesla_field_id id)
{
    const struct tesla_field *f = &tesla_fields[id];
    uint32_t low = tesla_bits(word, f->low, f->width);
    return f->more ? low | tesla_bits(word, f->high, f->more) << f->width : low;
}

static inline int32_t tesla_get_signed(uint64_t word, enum tesla_field_id id)
{
    unsigned unused = 32 - tesla_width_of(id);
    return (int32_t)(tesla_get(word, id) << unused) >> unused;
}

/* Put a value into a field that is 0. False when it does not fit: the word is of no use then. */
static inline bool tesla_put(uint64_t *word, enum tesla_field_id id, uint32_t value)
{
    const struct tesla_field *f = &tesla_fields[id];
    unsigned width = f->width + f->more;
    if (width < 32 && value >> width != 0)
        return false;
    *word |= (uint64_t)(value & (UINT32_MAX >> (32 - f->width))) << f->low;
    if (f->more)
        *word |= (uint64_t)(value >> f->width) << f->high;
    return true;
}

static inline bool tesla_put_signed(uint64_t *word, enum tesla_field_id id, int32_t value)
{
    unsigned width = tesla_width_of(id);
    int32_t half = 1 << (width - 1);
    return value >= -half && value < half && tesla_put(word, id, (uint32_t)value & (UINT32_MAX >> (32 - width)));
}

#endif
