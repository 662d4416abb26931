/* walk.h - along an instruction's words and operands, in the order of the text. */
#ifndef WEFT_ISA_TESLA_WALK_H
#define WEFT_ISA_TESLA_WALK_H

#include "isa/tesla/slots.h"

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
