/* tokens.h - reading and writing the fields of Gallium's token stream (fields.inc).
 *
 * TGSI_GET(word, INSN_OPCODE) and TGSI_PUT(value, INSN_OPCODE) read like the table of docs/manual/tgsi.md. */
#ifndef WEFT_ISA_TGSI_TOKENS_H
#define WEFT_ISA_TGSI_TOKENS_H

#include "base/bytes.h"

enum {
#define FIELD(token, field, low, width, ...) TGSI_LOW_##token##_##field = low, TGSI_WIDTH_##token##_##field = width,
#include "isa/tgsi/fields.inc"
#undef FIELD
};

static inline uint32_t tgsi_mask_of(unsigned low, unsigned width)
{
    return (width == 32 ? UINT32_MAX : (1u << width) - 1u) << low;
}

#define TGSI_MASK(field) tgsi_mask_of(TGSI_LOW_##field, TGSI_WIDTH_##field)
#define TGSI_GET(word, field) (((word) & TGSI_MASK(field)) >> TGSI_LOW_##field)
/* A 16-bit field that holds a signed number. */
#define TGSI_GET16S(word, field) ((int32_t)(int16_t)TGSI_GET(word, field))
#define TGSI_PUT(value, field) (((uint32_t)(value) << TGSI_LOW_##field) & TGSI_MASK(field))

/* What begins with an item's type and its count of tokens: the first token of a declaration, ... */
enum tgsi_token_type {
    TGSI_TYPE_DECLARATION,
    TGSI_TYPE_IMMEDIATE,
    TGSI_TYPE_INSTRUCTION,
    TGSI_TYPE_PROPERTY,
    TGSI_TOKEN_TYPES
};

enum {
    TGSI_FILE_OLDER = 15, /* RES or PRED */
    TGSI_HEADER_TOKENS = 2,
    TGSI_BODY_MOST = (1 << 24) - 1,
    TGSI_OPCODE_NUMBERS = 512,
    TGSI_SLOT_SOURCES = 2, /* of the operands, destinations come first */
    TGSI_SLOTS = 7,
    TGSI_RETURN_TYPES = 5,
    TGSI_RETURN_UNKNOWN = 5, /* in texture tokens */
    TGSI_PROPERTY_VALUES = 8,
    TGSI_TEX_OFFSETS = 4
};

#endif
