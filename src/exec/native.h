/* native.h - the library's side of the JIT: which runs of operations a program has (native_plan.c), and the
 * process's one compiler of them, with what it has compiled (native.c). */
#ifndef WEFT_EXEC_NATIVE_H
#define WEFT_EXEC_NATIVE_H

#include "exec/jit/jit.h"

/* A request and what became of it. Entries live as long as the process and are found again by their request. */
enum native_state { NATIVE_WAITS, NATIVE_READY, NATIVE_FAILED };
struct native_entry {
    struct native_entry *next;
    struct native_entry *queue;
    uint64_t hash;
    struct jit_request *request;
    lop_fn **functions; /* by run; NULL where there is none */
    int state;          /* enum native_state, atomic */
    bool queued;
    double seconds;
    char why[160];
};

/* What a program has to do with it: in the program's arena. */
enum native_use { NATIVE_IDLE, NATIVE_BUSY, NATIVE_ASKED, NATIVE_RUNS, NATIVE_REFUSED };
struct native_form {
    int use;       /* enum native_use, atomic */
    uint64_t work; /* instructions that warps have run, atomic */
    struct native_entry *entry;
    struct lop **place; /* by run: its first operation, */
    lop_fn **replaced;  /* and the handler that it had */
    uint32_t nplaces, operations, compiled;
    const char *why;
};

/* The two forms of a program's code are compiled apart: many a program runs with all lanes active only. */
struct exec_native {
    bool waits;     /* EXEC_ENGINE_JIT: no code runs before it is compiled */
    uint64_t worth; /* how many instructions make it worth to compile a form */
    struct native_form form[EXEC_FORMS];
    struct native_blocks *blocks; /* of a program that gets blocks at run time, which has no forms */
};

/* What is planned at once: blocks whose code was made together. */
struct native_piece {
    struct lop *code;
    uint32_t ncode;
    uint32_t first, end; /* blocks whose code it is, */
    const uint32_t *blocks;
    uint32_t nblocks;    /* and those of them that are planned; NULL: all */
};

/* The runs of a form of a program as a request, malloc'ed, and their places in the program's arena; NULL without any,
 * with the reason in n->why. Those of chosen blocks are straight (jit_request). */
struct jit_request *native_plan(struct exec_program *p, const struct native_piece *of, enum exec_form form,
                                const struct jit_api *api, struct native_form *n);

/* native.c, for programs whose blocks come at run time. */
/* The module; NULL: it is not loaded. `why`: nor ever will be. */
const struct jit_api *native_module(const char **why);
void native_load(void);       /* in the background */
void native_load_now(void);
/* Ask for the code of what the piece has, into n; `now`: it is compiled at once. */
void native_ask(struct exec_program *p, const struct native_piece *of, struct native_form *n,
                const struct jit_api *api, bool now);
void native_look(struct native_form *n); /* code that is ready takes the places of handlers */
void native_undo(struct native_form *n); /* handlers have their places again, for good */
void native_report(const struct native_form *n, struct exec_engine_report *out); /* adds to it */

/* native_blocks.c: p->native is there; false without memory. */
bool native_blocks_start(struct exec_program *p, struct arena *arena);
void native_blocks_report(const struct native_blocks *k, struct exec_engine_report *out);

#endif
