/* pool.h - a draw's threads: numbered jobs, taken in order by whoever is free, or in ranges. */
#ifndef WEFT_DEVICE_POOL_H
#define WEFT_DEVICE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pool;

/* How many threads a caller means who asks for this many: 0 is one for each processor, and at most WEFT_MAX_THREADS. */
unsigned pool_threads_for(uint32_t asked);
/* A pool of `threads` threads, the caller's among them. Fewer when the system gives no more; NULL without memory. */
struct pool *pool_new(unsigned threads);
void pool_free(struct pool *pool);
unsigned pool_threads(const struct pool *pool);
/* Whether the caller's thread takes all jobs, in their order. */
void pool_set_in_order(struct pool *pool, bool in_order);

/* Call fn(context, thread, job) for job 0 .. jobs - 1, thread being 0 .. pool_threads - 1; returns when all are done.
 * No thread takes a job before one that it has done. */
void pool_run(struct pool *pool, void (*fn)(void *context, unsigned thread, size_t job), void *context, size_t jobs);
/* The same in any order: each thread begins with the jobs that it had in the last round of as many. */
void pool_run_ranges(struct pool *pool, void (*fn)(void *context, unsigned thread, size_t job), void *context,
                     size_t jobs);

/* Processor seconds that all threads have spent in pool_run. */
double pool_cpu_seconds(const struct pool *pool);

#endif
