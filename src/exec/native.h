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
    struct lop **place; /* by run: its first operation */
    uint32_t nplaces, operations, compiled;
    const char *why;
};

/* The two forms of a program's code are compiled apart: many a program runs with all lanes active only. */
struct exec_native {
    bool waits;     /* EXEC_ENGINE_JIT: no code runs before it is compiled */
    uint64_t worth; /* how many instructions make it worth to compile a form */
    struct native_form form[EXEC_FORMS];
};

/* The runs of a form of a program as a request, malloc'ed, and their places in the program's arena; NULL without any,
 * with the reason in n->why. */
struct jit_request *native_plan(struct exec_program *p, enum exec_form form, const struct jit_api *api,
                                struct native_form *n);

#endif
