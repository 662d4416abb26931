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
    bool mux;                  /* has IS0 */
    uint8_t npieces;
    struct rogue_port_piece piece[ROGUE_PORT_PIECES];
    uint64_t mask, value;      /* fixed bits of the bytes, the first byte lowest */
    uint64_t room;             /* bits of the packed registers that it holds */
};

/* May source port n read the register? */
bool rogue_port_reads(unsigned port, struct rogue_reg r);

/* All forms of a part in the order in which they are tried: form n, from 1, is form[n - 1]. */
enum { ROGUE_PORT_FORMS = 8 };
struct rogue_part_forms {
    uint8_t count;
    uint8_t first[4];          /* by number of registers: the first form that has as many */
    struct rogue_port_form form[ROGUE_PORT_FORMS];
};

/* Make them: part of making the table of instructions (template.h), which has them. */
void rogue_make_ports(struct rogue_part_forms parts[ROGUE_PARTS]);

/* The first form that holds `count` registers, and IS0 if needs_mux; 0: none does. A part of destinations has
 * forms of exactly `count`. */
unsigned rogue_choose_ports(const struct rogue_part_forms *part, const struct rogue_ports *ports, unsigned count,
                            bool needs_mux);
/* Does the form hold them? */
bool rogue_ports_fit(const struct rogue_port_form *f, const struct rogue_ports *ports);
/* Write them; the number of bytes. */
unsigned rogue_write_ports(const struct rogue_port_form *f, const struct rogue_ports *ports, uint8_t *out);
/* Read the part that starts at `bytes` (at least 8 may be read) into `count` registers, three for sources, and IS0; the number
 * of its form, or 0 when reserved bits are set. */
unsigned rogue_read_ports(const struct rogue_part_forms *part, const uint8_t *bytes, unsigned count,
                          struct rogue_reg *reg, uint8_t *mux);

#endif
