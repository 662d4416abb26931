/* flow.h - what the control flow of a program reaches. */
#ifndef WEFT_ISA_TESLA_FLOW_H
#define WEFT_ISA_TESLA_FLOW_H

#include "isa/tesla/tesla.h"

/* What an instruction does to the flow of control: columns of its row, and bits that say it. Data does nothing. */
struct tesla_flow {
    uint8_t flow;      /* weft_flow, without the tails */
    uint8_t predicate; /* for which it and its exit are; TESLA_ALWAYS: they are not held back */
    bool exits, joins; /* the tails: an exit after it, a join before it */
    bool limited;      /* it is not done where there are too many calls */
    bool has_target;
    uint32_t target;
};
struct tesla_flow tesla_flow_of(const struct tesla_insn *insn);

/* Of an instruction, or of data. */
enum tesla_reached {
    TESLA_REACHED_NEVER, /* but by a branch to an address that the program reads from memory, if it has any */
    TESLA_REACHED_MAYBE, /* some way leads there */
    TESLA_REACHED_ALWAYS /* every way leads there: nothing before it branches */
};

struct tesla_reach {
    uint8_t *insn;      /* by instruction: enum tesla_reached */
    uint8_t *runs_off; /* by instruction: control goes on after it, where the code of its kernel ends; the same enum */
    bool indirect;      /* a branch to an address from memory is reached: control may get anywhere */
};

/* The instruction at which a program starts. */
uint32_t tesla_entry(const struct isa_module *m);
/* Whether the program has the entry that its parameters ask for; says so if it does not. */
bool tesla_check_entry(const struct isa_module *m, struct arena *arena, weft_diags *diags);

/* Follow the control flow: from that instruction, or with `every` from the first one of every kernel. False without
 * memory. */
bool tesla_find_reach(const struct isa_module *m, bool every, struct arena *arena, struct tesla_reach *out);

/* What control does after an instruction: go on, and where else. */
struct tesla_ways {
    bool falls, branches; /* after it; to `target` too, or alone */
    bool indirect;
    uint32_t target;      /* number of an instruction; ninsns: none is there */
};
struct tesla_ways tesla_ways_of(const struct isa_module *m, uint32_t insn);

/* "0x8 holds 00000000: ...", about `count` items of data one after the other. NULL without memory. */
const char *tesla_unknown_words(struct arena *arena, const struct tesla_target *target, const struct tesla_insn *insn,
                                uint32_t count);

#endif
