/* threads.h - the threads of the fuzzers of states, made once and kept. */
#ifndef WEFT_FUZZ_THREADS_H
#define WEFT_FUZZ_THREADS_H

#include "choice.h"

#include "device/pool.h"

enum { MOST_THREADS = 3 };

static inline struct pool *pool_of(unsigned threads)
{
    static struct pool *kept[MOST_THREADS + 1];
    if (!kept[threads])
        must((kept[threads] = pool_new(threads)) != NULL);
    return kept[threads];
}

#endif
