/* slots.h - operands in words: every slot of the syntax, read and written, one by one and in the order of the text. */
#ifndef WEFT_ISA_TESLA_SLOTS_H
#define WEFT_ISA_TESLA_SLOTS_H

#include "isa/tesla/source.h"
#include "isa/tesla/table.h"

/* Where the columns of operands.inc are, by kind (enum tesla_slot_kind). */
enum { TESLA_REG_KIND, TESLA_REG_FIELD, TESLA_REG_MULTIPLE };             /* REGISTER, OPTIONAL, ADDRESS */
enum { TESLA_NUM_FIELD, TESLA_NUM_SIGNED, TESLA_NUM_NEGATIVE };           /* NUMBER */
enum { TESLA_NUM_STEP = 1 };                                              /* TARGET, after the field */
enum { TESLA_MEM_SPACE, TESLA_MEM_FIELD, TESLA_MEM_STEP, TESLA_MEM_INCREMENT, TESLA_MEM_ADDRESS }; /* MEMORY */
enum { TESLA_GLOBAL_FIELD };                                              /* GLOBAL */
enum { TESLA_SRC_NUMBER, TESLA_SRC_SIZE, TESLA_SRC_FIELD };               /* SOURCE */

struct tesla_slot_info {
    const char *wants; /* what an operand looks like, for messages: "a register, $r0 to $r127" */
    uint8_t role;      /* enum tesla_role */
    uint8_t kind;      /* enum tesla_slot_kind */
    uint8_t column[5];
};
extern const struct tesla_slot_info tesla_slots[TESLA_SLOTS];

/* Whether it may be left out. */
static inline bool tesla_is_optional(const struct tesla_item *item)
{
    return item->kind == TESLA_I_OPERAND && tesla_slots[item->slot].kind == TESLA_S_OPTIONAL;
}

/* The fields that a slot always has, the main one first; how many. */
enum { TESLA_SLOT_FIELDS = 4 };
unsigned tesla_slot_fields(enum tesla_slot slot, uint8_t fields[TESLA_SLOT_FIELDS]);

/* In the destination's field, when its type is not a register: nothing is written. */
enum { TESLA_NO_DESTINATION = 127 };

/* Bits that a slot uses whatever they are. */
uint64_t tesla_slot_used(enum tesla_slot slot);
/* Which source it is (enum tesla_sources), 0: none. */
uint8_t tesla_slot_source(enum tesla_slot slot);

/* Fill in the shape of an operand's item, and its field if it is a register. */
void tesla_slot_shape(struct tesla_item *item);

/* Whether the registers of a texture access all exist. */
bool tesla_vectors_fit(const struct tesla_template *t, uint64_t word);

/* o[] and # as a destination do not say how wide they are: the text has the narrow row in mind wherever its offset
 * fits. A word of the wide row is written with a last word, `wide`. */
bool tesla_is_wide(const struct tesla_template *t, uint64_t word);

/* The operand in a slot of a word. `s` is what tesla_select said, for rows with sources. */
void tesla_read_operand(const struct tesla_template *t, enum tesla_slot slot, uint64_t word,
                        const struct tesla_selection *s, struct tesla_operand *out);

/* Put an operand into a slot that is not a source. `base_known`: the register that a texture access starts at is
 * written. False when it does not fit. */
bool tesla_write_operand(const struct tesla_template *t, enum tesla_slot slot, const struct tesla_operand *o,
                         uint64_t *word, bool *base_known);

/* Code of a type and an operand, or -1. */
int tesla_isrc_code(uint8_t type, const struct tesla_operand *o);

/* Offsets that memory in the slot may have: multiples of *step up to *last. False where it is not such memory. */
bool tesla_slot_range(enum tesla_slot slot, uint32_t *step, uint32_t *last);

/* Along an instruction's words and operands, in the order of the text. */
struct tesla_walk {
    const struct tesla_tables *tables;
    const struct tesla_template *t;
    uint64_t word;
    struct tesla_selection selection;
    unsigned at;
    uint8_t type, outer;    /* of the operands that follow; outside of the parenthesis */
    bool neg, abs, inv;     /* of the next source */
    /* where it is */
    const struct tesla_item *item;
    uint32_t code;                /* WORD, CHOICE: of the word */
    const struct tesla_word *said;
    struct tesla_operand operand; /* OPERAND */
};

/* Start before the first item after the mnemonic. */
void tesla_walk_start(struct tesla_walk *w, const struct tesla_row *row, uint64_t word,
                      const struct tesla_target *target);
/* Go to the next one; an optional operand that is not there is passed over. False at the end. */
bool tesla_walk_next(struct tesla_walk *w);

#endif
