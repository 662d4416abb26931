/* source.h - sources 1 to 3 (A, B, C): registers, or memory by a bit each. */
#ifndef WEFT_ISA_TESLA_SOURCE_H
#define WEFT_ISA_TESLA_SOURCE_H

#include "isa/tesla/table.h"

enum tesla_source_kind {
    TESLA_FROM_REGISTER,
    TESLA_FROM_S, TESLA_FROM_A, TESLA_FROM_P, /* source A */
    TESLA_FROM_C, /* c[] with $a */
    TESLA_FROM_PLAIN_C /* c[] without: $a belongs to source A, or does not exist */
};

/* Bits of a word that mean nothing in its row, and yet may be set: the chip and established disassemblers ignore them.
 * Text has them after the instruction, "ignored 0x...".
 *   long forms without a source C: bit 24, unless bit 23 is set too; without a source B the other way round
 *   long forms with p[] and no source B or C: bit 53
 *   mov to $c, vote, ld lock: bit 38, which elsewhere says that a $c is written
 *   control without a predicate: the predicate's fields
 *   dx and dy of quadop: bit 17 */
static inline uint64_t tesla_ignored(const struct tesla_template *t, uint64_t word)
{
    uint64_t ignored = t->ignored;
    if (tesla_get(word, TESLA_FIELD_SRC2_TYPE) && tesla_get(word, TESLA_FIELD_SRC3_TYPE)) {
        ignored &= ~(tesla_mask_of(TESLA_FIELD_SRC2_TYPE) | tesla_mask_of(TESLA_FIELD_SRC3_TYPE));
        if (t->sources == TESLA_HAS_A && !t->small)
            ignored |= tesla_mask_of(TESLA_FIELD_SRC1_TYPE);
    }
    /* $c of a predicate that has no condition, unless an addition reads its carry there */
    unsigned predicate = tesla_get(word, TESLA_FIELD_PREDICATE);
    if (t->predicated && !t->plus_carry && (predicate == 0 || predicate == TESLA_ALWAYS))
        ignored |= tesla_mask_of(TESLA_FIELD_CSRC);
    if (t->quad_lane && (tesla_get(word, TESLA_FIELD_QUAD_LANE) & TESLA_QUAD_NEIGHBOUR))
        ignored |= tesla_mask_of(TESLA_FIELD_QUAD_SPARE);
    return ignored;
}

struct tesla_selection {
    uint8_t kind[3]; /* enum tesla_source_kind */
    uint64_t used;   /* bits that the selection and the addresses use */
};

/* Without these bits all sources are registers, and there is nothing to select. */
static inline bool tesla_selects(const struct tesla_template *t, uint64_t word)
{
    uint64_t bits = tesla_mask_of(TESLA_FIELD_SRC1_TYPE) | tesla_mask_of(TESLA_FIELD_SRC2_TYPE) |
                    tesla_mask_of(TESLA_FIELD_SRC3_TYPE);
    return t->sources && (word & bits);
}

/* What the sources of a word are. False: they are nothing in programs of this type. */
bool tesla_select(const struct tesla_template *t, uint64_t word, uint8_t stage, struct tesla_selection *s);

/* Source `which` (0-2) of a word, of `size` 16 or 32 bits. */
void tesla_read_source(const struct tesla_template *t, unsigned which, unsigned size, uint64_t word,
                       const struct tesla_selection *s, struct tesla_operand *out);

/* The fields of a source, the main one first; how many. */
enum { TESLA_SOURCE_FIELDS = 4 };
unsigned tesla_source_fields(const struct tesla_template *t, unsigned which, const struct tesla_selection *s,
                             uint8_t fields[TESLA_SOURCE_FIELDS]);

/* The sources that a line of text has. */
struct tesla_source_list {
    const struct tesla_operand *operand[3]; /* NULL: the row has no such source */
    uint8_t size[3];
};

/* Put them into a word. False with *wrong, the number of the source that does not fit. */
bool tesla_write_sources(const struct tesla_template *t, const struct tesla_source_list *l, uint8_t stage,
                         uint64_t *word, unsigned *wrong);

/* Where source `which` of `size` bits may be in its space of memory: from 0 to *last in steps of *step. False: it
 * cannot be in that space. */
bool tesla_source_reach(const struct tesla_template *t, unsigned which, unsigned size, const struct tesla_operand *o,
                        uint32_t *step, uint32_t *last);

#endif
