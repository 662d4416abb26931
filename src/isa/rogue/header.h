/* header.h - the bits of a group's header and of the bytes that units share, as header.inc has them. */
#ifndef WEFT_ISA_ROGUE_HEADER_H
#define WEFT_ISA_ROGUE_HEADER_H

#include "isa/rogue/rogue.h"

enum rogue_header {
#define HEADER(id, name, bit, width, kind, in) ROGUE_H_##id,
#include "isa/rogue/header.inc"
#undef HEADER
    ROGUE_HEADER_FIELDS
};

enum {
#define HEADER(id, name, bit, width, kind, in) ROGUE_H_##id##_AT = bit, ROGUE_H_##id##_WIDTH = width,
#include "isa/rogue/header.inc"
#undef HEADER
    ROGUE_SHORT_HEADER = 2,
    ROGUE_LONG_HEADER = 3
};

/* A field of the header's bytes, the first byte lowest; and the bits of a value in it. */
#define ROGUE_HEADER_GET(header, id) ((header) >> ROGUE_H_##id##_AT & ((1u << ROGUE_H_##id##_WIDTH) - 1))
#define ROGUE_HEADER_PUT(id, value)  (((uint32_t)(value) & ((1u << ROGUE_H_##id##_WIDTH) - 1)) << ROGUE_H_##id##_AT)

/* Bytes that the group at `bytes` has, by its first byte. */
static inline unsigned rogue_group_size(const uint8_t *bytes)
{
    unsigned words = ROGUE_HEADER_GET(bytes[0], LENGTH);
    return words ? 2 * words : ROGUE_GROUP_BYTES;
}

/* The parts of a main group by its oporg, and of a bitwise one by the bits of its opcnt. */
enum { ROGUE_HAS_NONE, ROGUE_HAS_P0 = 1, ROGUE_HAS_P1 = 2, ROGUE_HAS_P2 = 4, ROGUE_HAS_BACKEND = 8 };
extern const uint8_t rogue_oporgs[8];
/* The units of a main group in the order of its bytes. */
extern const uint8_t rogue_main_order[ROGUE_SLOTS];
/* Has the group something that a short header does not say? */
bool rogue_needs_long_header(const struct rogue_group *g);

/* Bit of the bitwise phase-0 byte that belongs to no unit. */
enum { ROGUE_PH0 = 0x80 };

#endif
