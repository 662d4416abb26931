/* items.h - reading a token stream item by item. */
#ifndef WEFT_ISA_TGSI_ITEMS_H
#define WEFT_ISA_TGSI_ITEMS_H

#include "isa/tgsi/tgsi.h"
#include "isa/tgsi/tokens.h"

/* Why an item cannot be read. */
struct tgsi_fault {
    uint32_t token; /* its number */
    uint32_t bits;  /* those of the token that are at fault; 0: not known */
    const char *code;
};

struct tgsi_reader {
    const uint8_t *bytes;
    uint32_t at, end;  /* in tokens */
    uint32_t body;     /* that the header promises */
    bool whole;        /* `end` is that of the stream, which must be as long as the header says */
    uint8_t processor; /* enum tgsi_processor: what an empty bracket means depends on it */
    uint32_t more;     /* predicate bits of the instruction's extra token that nobody has asked for yet */
    const char *name;  /* for messages */
    weft_diags *diags; /* NULL: no messages */
    struct tgsi_fault fault;
};

/* An item of any kind. */
struct tgsi_any {
    struct tgsi_operands operands; /* of the instruction */
    enum tgsi_item_kind kind;
    union {
        struct tgsi_decl decl;
        struct tgsi_imm imm;
        struct tgsi_property property;
        struct tgsi_insn insn;
    };
};

/* Each is false, with r->fault and a message, where the tokens are at fault. */

/* The header and the processor, at token 0. */
bool tgsi_read_front(struct tgsi_reader *r);
/* The item at r->at, which is then after it. Of an instruction, the operands that it does not have are left as they
 * are. */
bool tgsi_read_item(struct tgsi_reader *r, struct tgsi_any *out);

#endif
