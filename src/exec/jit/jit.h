/* jit.h - machine code for runs of operations: what the library hands to the module weft-jit.so, and what it gets
 * back.
 *
 * The interpreter's compiler makes a flat list of operations (frame.h). A *run* is a stretch of them, inside one
 * block, of which the module knows every one. It becomes one function of the type that handlers have: called in
 * place of the run's first operation, it does what all of them do and goes on with the operation after the last, or
 * from the end of a block to the next block. So whatever the module does not know, and everything that stops a warp or
 * changes its mask, is done by the handlers as before, and both engines agree about it because there is only one of it.
 *
 * Inside a run rows are values in registers. What is a row of the frame is loaded at its first use, and rows that
 * are written are stored once, at the end, if anybody can still see them: registers, and temporaries that an
 * operation after the run names. Uniform values are scalars, computed before the lanes; what lanes compute is a
 * loop over chunks of 16, so that a chunk's values fit the host's vector registers.
 *
 * A request is one block of memory without pointers: it is compared, kept and compiled without the program that
 * it came from. */
#ifndef WEFT_EXEC_JIT_JIT_H
#define WEFT_EXEC_JIT_JIT_H

#include "exec/frame.h"

enum jit_form { JIT_PLAIN, JIT_MASKED, JIT_SCALAR };

/* What a space is for a load: PLAIN ones are shared by all lanes, and what is outside is 0. */
enum jit_space { JIT_SPACE_OTHER, JIT_SPACE_PLAIN };

/* An operation: the fields of struct lop, and which handler it names. Of a terminator, which only the last step of a
 * run may be, imm is 0: the code that it goes to is read from the operation itself. */
struct jit_step {
    uint16_t handler; /* enum handler_id */
    uint8_t form;     /* enum jit_form */
    uint8_t n, sa, sb, sc;
    uint8_t straight; /* of a request that is */
    uint32_t d, a, b, c, aux;
    uint32_t more; /* of a load: enum jit_space; of END: the instruction where the warp ends; of HELPER, which has its
                    * rows in d, a, b and c: enum ir_helper_form */
    uint64_t imm;
};

struct jit_run {
    uint32_t first, count;  /* steps */
    uint32_t live, nlive;   /* rows that are stored */
    uint32_t full;          /* all lanes are active */
    uint32_t place;         /* of its first operation, in the program's */
    uint32_t to[2];         /* the runs that the terminator's targets begin with, + 1; 0: none */
    uint32_t rare;          /* a row of lanes that only the terminator and what follows it in the block read; 0: none */
};

struct jit_const {
    uint32_t row, bytes; /* 4 or 8 */
    uint64_t bits;
};

struct jit_request {
    uint32_t size; /* of the block */
    uint32_t level, chunks;
    uint32_t straight; /* one chunk, operations in their order, and runs are left before what is rare (leave_unless) */
    uint32_t steps, nsteps, runs, nruns, live, nlive, consts, nconsts; /* offsets from the start, and counts */
};

static inline const void *jit_part(const struct jit_request *r, uint32_t offset)
{
    return (const char *)r + offset;
}

/* Both sides must have been built from the same headers. */
#define JIT_VERSION                                                                                                  \
    ((uint64_t)sizeof(struct exec_program) << 56 | (uint64_t)sizeof(struct jit_run) << 48 |                          \
     (uint64_t)sizeof(struct frame) << 32 | sizeof(struct jit_step) << 24 | sizeof(struct lop) << 16 | HANDLER_COUNT)

struct jit_api {
    uint64_t version;
    const char *name; /* "LLVM 19.1.7" */
    /* Can the operation be part of a run? */
    bool (*knows)(const struct jit_step *step, enum exec_level level);
    /* How many of these steps, all known, can be one run? */
    uint32_t (*fits)(const struct jit_step *steps, uint32_t count);
    /* Functions for all runs; false with a reason. By one thread at a time. What is compiled stays. */
    bool (*compile)(const struct jit_request *request, lop_fn **functions, char *why, size_t size);
    /* What would be compiled for them, as text that the caller frees, for any level: nothing of it runs. NULL: none. */
    char *(*text)(const struct jit_request *request);
};

/* What the module exports. */
#define JIT_SYMBOL "weft_jit_api"
typedef const struct jit_api *jit_api_fn(void);

#endif
