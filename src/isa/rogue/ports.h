/* ports.h - the bytes of sources and destinations: choosing a form, writing, reading. */
#ifndef WEFT_ISA_ROGUE_PORTS_H
#define WEFT_ISA_ROGUE_PORTS_H

#include "isa/rogue/rogue.h"

enum rogue_part { ROGUE_LOWER, ROGUE_UPPER, ROGUE_DESTINATION, ROGUE_PARTS };

/* Up to three registers of a part and, in the lower one, IS0. */
struct rogue_ports {
    struct rogue_reg reg[3];
    uint8_t mux;
};

/* A form's field numbers in its pattern; -1: it has none. */
struct rogue_port_form {
    const char *name;
    uint8_t part, count, bytes;
    struct pattern pattern;
    int8_t bank[3], index[3], mux;
};

/* May source port n read the register? */
bool rogue_port_reads(unsigned port, struct rogue_reg r);

/* The n-th form of a part, from 1; NULL: there is none. */
const struct rogue_port_form *rogue_port_form(enum rogue_part part, unsigned n);

/* The first form that holds `count` registers, and IS0 if needs_mux; 0: none does. A part of destinations has
 * forms of exactly `count`. */
unsigned rogue_choose_ports(enum rogue_part part, const struct rogue_ports *ports, unsigned count, bool needs_mux);
/* Does form n hold them? */
bool rogue_ports_fit(enum rogue_part part, unsigned n, const struct rogue_ports *ports);
/* Write form n; the number of bytes. */
unsigned rogue_write_ports(enum rogue_part part, unsigned n, const struct rogue_ports *ports, uint8_t *out);
/* Read the part that starts at `bytes` (at least 8 may be read); its form, or 0 when reserved bits are set. `count` registers
 * for destinations. */
unsigned rogue_read_ports(enum rogue_part part, const uint8_t *bytes, unsigned count, struct rogue_ports *ports);

#endif
