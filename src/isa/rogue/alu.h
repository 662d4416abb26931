/* alu.h - arithmetic of the chip that no op of the IR gives: functions of bit patterns, and the same over rows of
 * lanes, as IR's HELPER calls them. Chapters are the document's. */
#ifndef WEFT_ISA_ROGUE_ALU_H
#define WEFT_ISA_ROGUE_ALU_H

#include <stdbool.h>
#include <stdint.h>

typedef void rogue_lanes_fn(unsigned count, const void *const *args, void *const *results, uint64_t imm);

/* ---- complex operations (alu_complex.c) ---- */

/* Exact to half a unit in the last place, with the special cases of chapter 6. */

enum rogue_complex {
    ROGUE_RCP,
    ROGUE_RSQ,
    ROGUE_SQRT,
    ROGUE_LOG,
    ROGUE_EXP,
    ROGUE_GAMMA_COMPRESS,
    ROGUE_GAMMA_EXPAND,
    ROGUE_SINC,
    ROGUE_ARCTANC,
    ROGUE_RED_SIN,
    ROGUE_RED_COS,
    ROGUE_COMPLEX
};
uint32_t rogue_complex(enum rogue_complex op, uint32_t x);
/* imm: the enum rogue_complex. */
rogue_lanes_fn rogue_lanes_complex;

/* The one pattern of NaN results, as lane IR has it. */
enum { ROGUE_NAN = 0x7fffffff };

/* ---- pack formats (alu_pack.c) ---- */

enum {
    ROGUE_PACK_COMPONENTS = 4,
    ROGUE_PACK_SCALE = 32,
    ROGUE_PACK_TRUNCATE = 64,
    ROGUE_PACK_ELEMENT = 8 /* first bit */
};

/* Number of components of a format (code of pck_format), 0: there is no such format. PCK has at most
 * ROGUE_PACK_COMPONENTS of them. */
unsigned rogue_pack_components(unsigned format);
/* Does it hold parts of 0 to 1, or -1 to 1, when it is scaled? Floats and whole words have no scale. */
bool rogue_pack_scales(unsigned format);
/* Is it one of pck alone? */
bool rogue_pack_only(unsigned format);
/* Codes of formats that are one number or none. */
enum { ROGUE_PACK_U32 = 6, ROGUE_PACK_S32 = 7, ROGUE_PACK_F32 = 15, ROGUE_PACK_ZERO = 30, ROGUE_PACK_ONE };

/* how: the code, ROGUE_PACK_SCALE, ROGUE_PACK_TRUNCATE. */
uint32_t rogue_pack(unsigned how, const uint32_t value[ROGUE_PACK_COMPONENTS]);
/* Component `element` of a packed word as a float. */
uint32_t rogue_unpack(unsigned how, unsigned element, uint32_t word);
/* imm: how; of unpack also the element, from bit ROGUE_PACK_ELEMENT on. pack_prog has the format in the low bits of a
 * fifth argument. */
rogue_lanes_fn rogue_lanes_pack, rogue_lanes_pack_prog, rogue_lanes_unpack;

#endif
