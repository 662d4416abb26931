/* function.h - a function of runs while it is made: what its loops share (function.c, strip.c). */
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
/* What the first `n` runs wrote and nobody sees after them: the next one may use the row for something else. */
void chain_forget(struct gen *g, const struct chain *c, unsigned n);

/* Strips: strip.c. */
bool strip_fits(const struct gen *g, const struct chain *c);
/* When the plain loop has been made: what of its rows a strip has to know. NULL: there can be no strip. */
struct strip *strip_rows(struct gen *g, const struct chain *c);
/* From block `begin`, to `plain`, where the plain loop begins. Frees the strip. */
void strip_emit(struct gen *g, const struct function *f, const struct chain *c, struct strip *s,
                LLVMBasicBlockRef begin, LLVMBasicBlockRef plain);

#endif
