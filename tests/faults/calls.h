/* calls.h - representative calls of the library, for a test that lets the machine fail in the middle of each. */
#ifndef WEFT_TESTS_FAULTS_CALLS_H
#define WEFT_TESTS_FAULTS_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <weft/weft.h>

/* A call at work. */
struct call {
    weft_diags *diags;
    uint64_t hash;  /* of what it gave */
    bool silent;    /* what found no memory has no list to say so */
    unsigned which; /* of several alike: an instruction set, a job */
    void (*begin)(struct call *); /* from here on the machine may fail, */
    void (*end)(struct call *);   /* until here: what comes before and after is not what is tested */
};

struct call_kind {
    const char *name;
    weft_status (*run)(struct call *c);
    unsigned which;
    bool jit; /* needs weft-jit.so */
};

extern const struct call_kind calls[];
extern const size_t ncalls;

#endif
