/* flow.h - functions and their blocks. */
#ifndef WEFT_ISA_SPIRV_FLOW_H
#define WEFT_ISA_SPIRV_FLOW_H

#include "isa/spirv/lift.h"

struct spirv_block {
    uint32_t id;               /* of its label */
    uint32_t first, end;       /* instructions after the label, and the terminator */
    uint32_t merge, cont;      /* ids of its merge instruction; 0: none */
    uint32_t preds;            /* edges that come here */
    uint32_t segment;          /* the last one of it: spirv_mark_crossing */
    bool reachable;
};

struct spirv_function {
    uint32_t insn;             /* OpFunction */
    uint32_t *param, nparams;  /* instructions */
    struct spirv_block *block;
    uint32_t nblocks;
    uint32_t *order, norder;   /* blocks as they are laid out */
    bool ready;
};

/* A function that is being lifted, inside of its callers. */
struct spirv_frame {
    struct spirv_function *f;
    struct spirv_frame *caller;
    uint32_t *label;           /* by block: of the IR */
    uint32_t at;               /* place in the order */
    uint32_t done;             /* label that returns go to */
    uint32_t call;             /* instruction that called; SPIRV_NONE: the entry point */
    uint32_t returns;          /* how many went to `done` */
    bool fell;                 /* the last block returned by going on */
};

/* The order of a function's blocks, and which values cross blocks; false after an error. */
bool spirv_lay_out(struct spirv_lifter *l, struct spirv_function *f);
/* The block of a function by its label; NULL: none. */
struct spirv_block *spirv_block_of(struct spirv_lifter *l, struct spirv_function *f, uint32_t id);

#endif
