/* flow.h - where control goes in a program, and its basic blocks. */
#ifndef WEFT_ISA_VALHALL_FLOW_H
#define WEFT_ISA_VALHALL_FLOW_H

#include "isa/valhall/valhall.h"

enum { VALHALL_NOWHERE = UINT32_MAX };

/* Where control goes after one instruction: numbers of instructions, VALHALL_NOWHERE: it does not. They may be beyond
 * the program, which is an error for the checker to tell. */
struct valhall_way {
    uint32_t next;    /* the one that follows */
    uint32_t target;  /* that of a branch */
    bool diverges;    /* lanes may go either way: the source is in a register */
    bool outside;     /* or to a place that the program does not say (BRANCHZI) */
};
struct valhall_way valhall_way_of(const struct valhall_insn *insn);

struct valhall_block {
    uint32_t first, count;   /* instructions */
    uint32_t next, target;   /* blocks; VALHALL_NOWHERE */
    bool entry;              /* control comes in from outside: the first instruction, and every one after zeros */
};

struct valhall_blocks {
    struct valhall_block *blocks; /* by address; zero words and other data are in none */
    uint32_t count;
    uint32_t *block_of;      /* by instruction; VALHALL_NOWHERE: data */
};

/* The blocks of a program, from an arena. False without memory. */
bool valhall_find_blocks(const struct isa_module *m, struct arena *arena, struct valhall_blocks *flow);

/* Whether control comes to a word: from the first instruction, and in a vertex program from its second part. */
enum valhall_reached { VALHALL_UNREACHED, VALHALL_MAYBE, VALHALL_SURELY };

struct valhall_reach {
    uint8_t *word;           /* enum valhall_reached, by word */
    bool anywhere;           /* some branch goes to an address that the program does not say */
};

/* False without memory. */
bool valhall_find_reach(const struct isa_module *m, int stage, struct arena *arena, struct valhall_reach *reach);

#endif
