/* rewrite.h - what passes share: values that replace others, register elements by number, flow between blocks. */
#ifndef WEFT_IR_REWRITE_H
#define WEFT_IR_REWRITE_H

#include "ir/ir.h"

/* Memory that a pass may use. Programs that would need more are left as they are. */
enum { PASS_MEMORY = 256 << 20 };

/* Free what a pass used. Where the system gave it no memory the program fails: left as it was it would give the same
 * results, but count other instructions. */
void pass_end(struct ir_program *p, struct arena *scratch);

/* ---- values ---- */

/* A pass walks blocks in order, the prologue first. A value that it finds to equal an earlier one stands for it from
 * then on: `with` says which, 0 for values that stand for themselves. */
struct rewrite {
    struct ir_program *p;
    ir_value *with;   /* by value, from `first` on */
    ir_value first;
    uint32_t nvalues; /* values made by the pass itself are not replaced */
};

/* The lowest value that the blocks have which passes may change. A pass over the few blocks that are new takes tables
 * for their values, not for those of all the blocks before. */
ir_value pass_first_value(const struct ir_program *p);
bool rewrite_start(struct rewrite *rw, struct ir_program *p, struct arena *scratch);
/* Put in the values that the op's arguments and predicate stand for, and derive its uniformity anew. */
void rewrite_op(struct rewrite *rw, struct ir_op *op);
/* The results of op stand for `value` and those that follow it. */
void rewrite_results(struct rewrite *rw, const struct ir_op *op, ir_value value);
/* Derive the uniformity of an op whose code or arguments changed. */
void rewrite_uniform(struct ir_program *p, struct ir_op *op);

/* ---- registers ---- */

/* Where the bits of a register access are. */
struct reg_span {
    uint32_t file, elem, count; /* elements */
    uint64_t mask;              /* bits of each */
};
struct reg_span reg_span(const struct ir_program *p, const struct ir_reg *reg);
/* The elements that an access with an index may touch. */
struct reg_span reg_range(const struct ir_program *p, const struct ir_reg *reg);

/* Numbers for the elements that ops name: base[file] + element. */
struct elements {
    uint32_t *base;
    uint32_t count;
};
bool elements_number(struct elements *e, const struct ir_program *p, struct arena *scratch);

/* What an op does to registers. */
enum reg_access { REG_NONE, REG_READ, REG_READ_RANGE, REG_WRITE, REG_WRITE_RANGE };
enum reg_access reg_access(const struct ir_op *op);

/* Whether a warp may stop at op so that somebody looks at its registers. */
bool may_stop(const struct ir_program *p, const struct ir_op *op);

/* ---- flow ---- */

/* Successors of blocks. Node nblocks stands for every place that a control policy may go to: the targets of
 * all CONTROLs, since policies keep places to come back to, and all blocks where jumps are computed. */
struct flow {
    uint32_t nodes, nblocks;
    uint32_t *first; /* by node: its successors are to[first[n]] .. to[first[n + 1] - 1] */
    uint32_t *to;
    bool computed;   /* a jump to an address: any block may be entered */
    bool control;    /* there are CONTROLs */
};
bool flow_make(struct flow *f, const struct ir_program *p, struct arena *scratch);
/* Mark what is reached from `from` (a node) in seen, which may have marks already. */
bool flow_reach(const struct flow *f, uint32_t from, uint8_t *seen, struct arena *scratch);

/* The terminator of a block; NULL for the prologue. */
const struct ir_op *block_terminator(const struct ir_program *p, uint32_t block);

#endif
