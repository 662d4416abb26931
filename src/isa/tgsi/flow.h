/* flow.h - how constructs and subroutines are nested: for the checker and the lift. */
#ifndef WEFT_ISA_TGSI_FLOW_H
#define WEFT_ISA_TGSI_FLOW_H

#include "isa/tgsi/tgsi.h"

/* A construct or a subroutine that is open. */
struct tgsi_open {
    uint32_t insn;          /* that opened it */
    uint32_t label;         /* its last ELSE, CASE or DEFAULT; insn: none yet */
    uint8_t flow;           /* TGSI_FLOW_IF, _LOOP, _SWITCH or _SUB */
    bool split;             /* its ELSE or DEFAULT has been met */
    uint32_t ordinal, side; /* the lift's: number of a switch, what is outside */
};

struct tgsi_nesting {
    const struct isa_module *m;
    struct arena *arena;
    /* Something at an instruction is wrong. */
    void (*report)(void *user, uint32_t insn, const char *code, const char *message);
    void *user;
    struct tgsi_open *open;
    size_t depth, cap;
    struct tgsi_open closed; /* what the last instruction closed */
};

/* Follow the next instruction. False after a report; what is open is then what was most likely meant. */
bool tgsi_nest(struct tgsi_nesting *n, uint32_t insn);
/* Report what is still open after the last instruction. */
bool tgsi_nest_end(struct tgsi_nesting *n);
/* The innermost loop, or with `switches` loop or switch, that is open; NULL: none. */
struct tgsi_open *tgsi_nest_left(const struct tgsi_nesting *n, bool switches);

#endif
