/* inject.h - the machine fails at the n-th time: what inject.c looks at whenever the program asks the system. */
#ifndef WEFT_TESTS_FAULTS_INJECT_H
#define WEFT_TESTS_FAULTS_INJECT_H

#include <stdatomic.h>
#include <stdbool.h>

/* What fails. */
enum inject_kind {
    INJECT_NOTHING,
    INJECT_MEMORY,    /* malloc, calloc, realloc, aligned_alloc, posix_memalign, mmap, mremap, pthread_create */
    INJECT_SHORT,     /* read and write move one byte */
    INJECT_EINTR,     /* read, write, open, close are interrupted */
    INJECT_EIO,       /* open, read, write, fsync, close, rename fail: EIO */
    INJECT_ENOSPC,    /* open, write, fsync, close, rename, mkstemp fail: ENOSPC */
    INJECT_SIGNAL,    /* at such a call the process gets `signal` */
    INJECT_KINDS
};

struct inject {
    atomic_ulong seen;  /* calls that could have failed since they are counted */
    atomic_ulong fired; /* calls that did */
    unsigned long at;   /* the first one that fails, from 1; 0: none, they are counted alone */
    int kind;           /* of enum inject_kind */
    int lasting;        /* not 0: all that follow fail too */
    int signal;
    atomic_long live; /* blocks of memory that were given and not taken back */
};

/* Where a test program puts what it wants; a program that is told by the environment (WEFT_FAULTS: the name of a file
 * with a struct inject) shares it with the one that started it. */
extern struct inject *inject;

#endif
