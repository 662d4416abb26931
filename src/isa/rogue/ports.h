/* ports.h - the bytes of sources and destinations: choosing a form, writing, reading. */
#ifndef WEFT_ISA_ROGUE_PORTS_H
#define WEFT_ISA_ROGUE_PORTS_H

#include "isa/rogue/rogue.h"

#include <string.h>

enum rogue_part { ROGUE_LOWER, ROGUE_UPPER, ROGUE_DESTINATION, ROGUE_PARTS };

/* Up to three registers of a part and, in the lower one, IS0. */
struct rogue_ports {
    struct rogue_reg reg[3];
    uint8_t mux;
};

/* A piece of a field: these bits of the bytes, turned left, are its bits of the packed registers. */
struct rogue_port_piece {
    uint64_t bits;
    uint8_t turn;
};

/* A form. Packed registers are all fields of a part, each with room for what any form holds (ports.c). */
enum { ROGUE_PORT_PIECES = 24 };
struct rogue_port_form {
    const char *name;
    uint8_t part, count, bytes;
    bool mux; /* has IS0 */
    uint8_t npieces;
    struct rogue_port_piece piece[ROGUE_PORT_PIECES];
    uint64_t mask, value; /* fixed bits of the bytes, the first byte lowest */
    uint64_t room;        /* bits of the packed registers that it holds */
};

/* May source port n read the register? */
bool rogue_port_reads(unsigned port, struct rogue_reg r);

/* All forms of a part in the order in which they are tried: form n, from 1, is form[n - 1]. */
enum { ROGUE_PORT_FORMS = 8 };
struct rogue_part_forms {
    uint8_t count;
    uint8_t first[4]; /* by number of registers: the first form that has as many */
    struct rogue_port_form form[ROGUE_PORT_FORMS];
};

/* Make them: part of making the table of instructions (template.h), which has them. */
void rogue_make_ports(struct rogue_part_forms parts[ROGUE_PARTS]);

/* Padding: the byte that makes whole words, and the first of the bytes that align, plus half their number. */
enum { ROGUE_PAD = 0xFF, ROGUE_PAD_START = 0xF0 };

/* ---- packed registers: three indices of 16 bits, three banks, IS0 ---- */

enum {
    ROGUE_INDEX_BITS = 16,
    ROGUE_BANK_AT = 3 * ROGUE_INDEX_BITS,
    ROGUE_BANK_BITS = 3,
    ROGUE_MUX_AT = ROGUE_BANK_AT + 3 * ROGUE_BANK_BITS,
    ROGUE_INDEX_MASK = (1 << ROGUE_INDEX_BITS) - 1,
    ROGUE_BANK_MASK = (1 << ROGUE_BANK_BITS) - 1
};

uint64_t rogue_pack_ports(const struct rogue_ports *ports);

/* Registers are read as whole words soon after: each is one store, where bytes lie so that it can be. */
static inline struct rogue_reg rogue_packed_reg(uint64_t packed, unsigned i)
{
    uint32_t bank = packed >> (ROGUE_BANK_AT + ROGUE_BANK_BITS * i) & ROGUE_BANK_MASK;
    uint32_t index = packed >> ROGUE_INDEX_BITS * i & ROGUE_INDEX_MASK;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint32_t word = bank | index << 16;
    struct rogue_reg r;
    _Static_assert(sizeof r == sizeof word, "bank, dimension and index");
    memcpy(&r, &word, sizeof r);
    return r;
#else
    return (struct rogue_reg){.bank = (uint8_t)bank, .index = (uint16_t)index};
#endif
}

/* Is it constant 0: bank 0, index 0? */
static inline bool rogue_packed_is_zero(uint64_t packed, unsigned i)
{
    return !(packed & ((uint64_t)ROGUE_INDEX_MASK << ROGUE_INDEX_BITS * i |
                       (uint64_t)ROGUE_BANK_MASK << (ROGUE_BANK_AT + ROGUE_BANK_BITS * i)));
}

static inline uint8_t rogue_packed_mux(uint64_t packed)
{
    return (uint8_t)(packed >> ROGUE_MUX_AT);
}

/* The first form that holds `count` packed registers, and IS0 if needs_mux; 0: none does. A part of destinations has
 * forms of exactly `count`. */
unsigned rogue_choose_packed(const struct rogue_part_forms *part, uint64_t packed, unsigned count, bool needs_mux);
/* Does the form hold them? */
bool rogue_ports_fit(const struct rogue_port_form *f, const struct rogue_ports *ports);
/* Write them; the number of bytes. */
unsigned rogue_write_ports(const struct rogue_port_form *f, const struct rogue_ports *ports, uint8_t *out);
/* Read the part that starts at `bytes` (at least 8 may be read), which has `count` registers, three for sources; the
 * number of its form, or 0 when reserved bits are set. */
unsigned rogue_read_ports(const struct rogue_part_forms *part, const uint8_t *bytes, unsigned count, uint64_t *packed);

/* The registers of a part of a group. */
static inline struct rogue_ports rogue_ports_of(const struct rogue_group *g, enum rogue_part part)
{
    if (part == ROGUE_LOWER)
        return (struct rogue_ports){{g->s[0], g->s[1], g->s[2]}, g->is0};
    if (part == ROGUE_UPPER)
        return (struct rogue_ports){{g->s[3], g->s[4], g->s[5]}, 0};
    if (g->destinations == 2)
        return (struct rogue_ports){{g->w[1], {0}, {0}}, 0};
    return (struct rogue_ports){{g->w[0], g->w[1], {0}}, 0};
}

/* Of three sources, a bit each: how many there are, counting those below. */
static inline unsigned rogue_source_count(unsigned declared)
{
    return declared & 4 ? 3 : declared & 2 ? 2 : 1;
}

/* What is below the declared ports in their halves, but for those that are read by themselves. */
static inline unsigned rogue_gaps(unsigned declared, unsigned reads)
{
    enum { LOW_TWO = 033, LOWEST = 011 }; /* of each half */
    unsigned d = declared & ~reads;
    return (d >> 1 & LOW_TWO) | (d >> 2 & LOWEST);
}

#endif
