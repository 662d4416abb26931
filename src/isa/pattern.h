/* pattern.h - bit patterns as the manuals write them, compiled to masks and fields.
 *
 * A pattern is read from the most significant bit down, as "1100 0 op:6 d:5 a:5 c:4 00 b:5": digits are fixed bits,
 * NAME:WIDTH is a field, x or x:WIDTH bits that nothing depends on, and blanks and underscores are for the eye. A name
 * that occurs twice is one field in pieces, its high piece first. A field NAME:WIDTH=VALUE is fixed to a value (0x, 0b
 * or decimal), which spells opcode numbers. The whole is at most 128 bits; bit 0 is the last one written.
 *
 * Compiled patterns are plain data and may be shared by threads. */
#ifndef WEFT_ISA_PATTERN_H
#define WEFT_ISA_PATTERN_H

#include "base/arena.h"

enum { PATTERN_MAX_FIELDS = 24, PATTERN_MAX_PIECES = 4, PATTERN_NAME = 16 };

/* Up to 128 bits of an instruction: bit i is bit i & 63 of word i >> 6. */
struct pattern_word {
    uint64_t w[2];
};

struct pattern_piece {
    uint8_t low, width; /* at most 64 bits, and never across bit 64 */
};

struct pattern_field {
    char name[PATTERN_NAME];
    uint8_t width;      /* of all pieces */
    uint8_t npieces;
    struct pattern_piece piece[PATTERN_MAX_PIECES]; /* the most significant one first */
};

struct pattern {
    struct pattern_word value, mask; /* fixed bits */
    uint8_t bits;
    uint8_t nfields;
    struct pattern_field field[PATTERN_MAX_FIELDS]; /* in the order in which they are written first */
};

/* Compile `text`. False with *wrong at the character where it is at fault. */
bool pattern_compile(const char *text, struct pattern *out, const char **wrong);

/* The number of a field by its name; -1 when there is none. */
int pattern_find_field(const struct pattern *p, const char *name);

static inline bool pattern_matches(const struct pattern *p, const struct pattern_word *word)
{
    return (((word->w[0] ^ p->value.w[0]) & p->mask.w[0]) | ((word->w[1] ^ p->value.w[1]) & p->mask.w[1])) == 0;
}

static inline uint64_t pattern_piece_get(const struct pattern_piece *piece, const struct pattern_word *word)
{
    return word->w[piece->low >> 6] >> (piece->low & 63) & (~UINT64_C(0) >> (64 - piece->width));
}

static inline uint64_t pattern_get(const struct pattern_field *f, const struct pattern_word *word)
{
    uint64_t value = pattern_piece_get(&f->piece[0], word);
    for (unsigned i = 1; i < f->npieces; i++)
        value = value << f->piece[i].width | pattern_piece_get(&f->piece[i], word);
    return value;
}

/* Put the low bits of `value` into the field; bits beyond its width are dropped (check with pattern_fits). */
static inline void pattern_set(const struct pattern_field *f, struct pattern_word *word, uint64_t value)
{
    for (unsigned i = f->npieces; i-- > 0;) {
        const struct pattern_piece *piece = &f->piece[i];
        uint64_t ones = ~UINT64_C(0) >> (64 - piece->width);
        uint64_t *w = &word->w[piece->low >> 6];
        *w = (*w & ~(ones << (piece->low & 63))) | (value & ones) << (piece->low & 63);
        value = piece->width < 64 ? value >> piece->width : 0;
    }
}

static inline bool pattern_fits(const struct pattern_field *f, uint64_t value)
{
    return f->width >= 64 || value >> f->width == 0;
}

static inline int64_t pattern_sign_extend(uint64_t value, unsigned width)
{
    return (int64_t)(value << (64 - width)) >> (64 - width);
}

#endif
