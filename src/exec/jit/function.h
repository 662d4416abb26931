/* function.h - a function of runs while it is made: what the files that make it share. */
#ifndef WEFT_EXEC_JIT_FUNCTION_H
#define WEFT_EXEC_JIT_FUNCTION_H

#include "exec/jit/gen.h"

/* Where each of its runs begins. */
struct function {
    V fn;
    LLVMTypeRef type; /* of handlers */
    const struct region *of;
    LLVMBasicBlockRef *begin;
};

enum { MOST_CHAINED = 4, LONGEST_CHAIN = 96 /* operations */ };

/* Runs that are done as one: each but the last ends with GOTO to the next. */
struct chain {
    const struct jit_run *run[MOST_CHAINED];
    unsigned count;
    uint32_t steps;
    uint64_t cost; /* of the blocks before the last one's */
};

static inline const struct jit_run *run_of(const struct jit_request *r, uint32_t n)
{
    return (const struct jit_run *)jit_part(r, r->runs) + n;
}

static inline const struct jit_step *steps_of(const struct jit_request *r, const struct jit_run *run)
{
    return (const struct jit_step *)jit_part(r, r->steps) + run->first;
}

/* Empty tables of rows, for that many steps; false: no memory. They end with the run. */
bool run_tables(struct gen *g, uint32_t steps);
void run_forget(struct gen *g);
/* The current run is this one. */
void run_begin(struct gen *g, const struct function *f, const struct jit_run *run);
/* Where `loop` begins: the chunk's number and its rows. */
void run_open(struct gen *g);
bool run_is_once(const struct gen *g); /* the lanes are done in one go */
bool run_keeps(const struct gen *g, const struct jit_run *run, uint32_t row); /* it stores the row */
void run_store(struct gen *g, struct row_value *r);
void run_store_rows(struct gen *g); /* that are seen after the run */
void run_emit_steps(struct gen *g);
const struct jit_step *run_last_step(const struct gen *g);
unsigned chain_way_back(const struct gen *g, const struct chain *c); /* the target that goes back; 2: none does */
/* What the first `n` runs wrote and nobody sees after them: the next one may use the row for something else. */
void chain_forget(struct gen *g, const struct chain *c, unsigned n);

/* The ways on: where run `n` begins, NULL when it is not in the function; out of it, to `next`, by a jump; to the runs
 * that the terminator's targets begin with, else out. */
LLVMBasicBlockRef function_beginning(const struct function *f, uint32_t n);
void function_go_out(struct gen *g, LLVMTypeRef type, V next);
void function_go_on(struct gen *g, const struct function *f);

/* Straight runs: straight.c. */
void straight_emit_run(struct gen *g, const struct function *f, LLVMBasicBlockRef entry, const struct jit_run *run);

/* Flushing by the host: flush.c. Do all operations take denormal operands for zeros, or not see them? That is of runs
 * that may be flushed. The call, in `top`: sets the host, calls `inner`, sets it back and goes on. */
bool host_may_zero(const struct jit_request *r, const struct region *of);
void host_call_flushing(struct gen *g, LLVMTypeRef type, V inner, LLVMTypeRef inner_type, V args[3], unsigned nargs);

/* Strips: strip.c. */
bool strip_fits(const struct gen *g, const struct chain *c);
/* When the plain loop has been made: what of its rows a strip has to know. NULL: there can be no strip. */
struct strip *strip_rows(struct gen *g, const struct chain *c);
/* From block `begin`, to `plain`, where the plain loop begins. Frees the strip. */
void strip_emit(struct gen *g, const struct function *f, const struct chain *c, struct strip *s,
                LLVMBasicBlockRef begin, LLVMBasicBlockRef plain);

#endif
