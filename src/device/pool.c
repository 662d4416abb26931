/* pool.c - a draw's threads.
 *
 * With pool_run_ranges each begins with a range of the jobs that is the same in each round of as many, and then helps
 * the others with theirs: what a job of the last round wrote is in the cache of the processor that does the same job in
 * this one. */
#include "device/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <weft/draw.h>

struct worker {
    struct pool *pool;
    pthread_t thread;
    unsigned number;
};

/* Jobs next .. end - 1. No two in one line of a cache. */
struct job_range {
    alignas(64) atomic_size_t next;
    size_t end;
};

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    struct worker *workers; /* all but the caller's thread */
    unsigned threads;       /* with the caller's */
    atomic_ulong busy;      /* workers that have joined the round and not finished it */
    atomic_ulong round;
    bool open;              /* workers may join it */
    bool quit, in_order;
    double cpu;

    void (*fn)(void *, unsigned, size_t);
    void *context;
    unsigned nranges; /* of this round: one for each thread, or one */
    struct job_range *ranges;
};

unsigned pool_threads_for(uint32_t asked)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned threads = asked ? asked : processors > 0 ? (unsigned)processors : 1;
    return threads < WEFT_MAX_THREADS ? threads : WEFT_MAX_THREADS;
}

static double thread_seconds(void)
{
    struct timespec t;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t))
        return 0;
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double now(void)
{
    struct timespec t;
    if (clock_gettime(CLOCK_MONOTONIC, &t))
        return 0;
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* To sleep and to wake takes as long as a small draw, so who waits looks for a change of `value` first, for at most
 * PATIENCE seconds. Others that want the processor get it. */
static const double PATIENCE = 60e-6;

static bool changes_soon(const atomic_ulong *value, unsigned long old)
{
    double end = 0;
    while (atomic_load_explicit(value, memory_order_relaxed) == old) {
        double at = now();
        if (end == 0)
            end = at + PATIENCE;
        else if (at == 0 || at >= end)
            return false;
        sched_yield();
    }
    return true;
}

/* Take jobs until there are none, of the thread's own range first; the processor time it took. */
static double take_jobs(struct pool *p, unsigned number)
{
    double start = thread_seconds();
    for (unsigned i = 0; i < p->nranges; i++) {
        struct job_range *s = &p->ranges[(number + i) % p->nranges];
        for (size_t job; (job = atomic_fetch_add(&s->next, 1)) < s->end;)
            p->fn(p->context, number, job);
    }
    return thread_seconds() - start;
}

static void make_ranges(struct pool *p, unsigned n, size_t jobs)
{
    size_t each = jobs / n, more = jobs % n, at = 0;
    p->nranges = n;
    for (unsigned i = 0; i < n; i++) {
        atomic_store(&p->ranges[i].next, at);
        at += each + (i < more);
        p->ranges[i].end = at;
    }
}

static void *work(void *arg)
{
    struct worker *w = arg;
    struct pool *p = w->pool;
    unsigned long seen = 0;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        /* Nobody waits for who wakes when all jobs have been taken: that one waits for the next round. */
        while (!p->quit && (!p->open || p->round == seen))
            pthread_cond_wait(&p->work, &p->lock);
        if (p->quit)
            break;
        seen = p->round;
        p->busy++;
        pthread_mutex_unlock(&p->lock);
        double spent = take_jobs(p, w->number);
        pthread_mutex_lock(&p->lock);
        p->cpu += spent;
        if (--p->busy == 0)
            pthread_cond_signal(&p->done);
        if (p->quit)
            break;
        pthread_mutex_unlock(&p->lock);
        (void)changes_soon(&p->round, seen);
        pthread_mutex_lock(&p->lock);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

struct pool *pool_new(unsigned threads)
{
    struct pool *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->threads = 1;
    p->ranges = aligned_alloc(alignof(struct job_range), (threads ? threads : 1) * sizeof *p->ranges);
    if (!p->ranges) {
        free(p);
        return NULL;
    }
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work, NULL);
    pthread_cond_init(&p->done, NULL);
    if (threads > 1)
        p->workers = calloc(threads - 1, sizeof *p->workers);
    for (unsigned i = 1; p->workers && i < threads; i++) {
        struct worker *w = &p->workers[i - 1];
        *w = (struct worker){.pool = p, .number = i};
        if (pthread_create(&w->thread, NULL, work, w))
            break;
        p->threads = i + 1;
    }
    return p;
}

void pool_free(struct pool *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->quit = true;
    p->round++;
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
    for (unsigned i = 1; i < p->threads; i++)
        pthread_join(p->workers[i - 1].thread, NULL);
    pthread_cond_destroy(&p->done);
    pthread_cond_destroy(&p->work);
    pthread_mutex_destroy(&p->lock);
    free(p->workers);
    free(p->ranges);
    free(p);
}

unsigned pool_threads(const struct pool *p)
{
    return p->threads;
}

void pool_set_in_order(struct pool *p, bool in_order)
{
    p->in_order = in_order;
}

/* Jobs in as many ranges as that. */
static void run(struct pool *p, void (*fn)(void *, unsigned, size_t), void *context, size_t jobs, unsigned ranges)
{
    p->fn = fn;
    p->context = context;
    bool help = jobs > 1 && p->threads > 1 && !p->in_order;
    make_ranges(p, help ? ranges : 1, jobs);
    if (help) {
        pthread_mutex_lock(&p->lock);
        p->open = true;
        p->round++;
        pthread_cond_broadcast(&p->work);
        pthread_mutex_unlock(&p->lock);
    }
    double spent = take_jobs(p, 0);
    pthread_mutex_lock(&p->lock);
    p->open = false;
    pthread_mutex_unlock(&p->lock);
    for (unsigned long busy = p->busy; busy && changes_soon(&p->busy, busy); busy = p->busy)
        ;
    pthread_mutex_lock(&p->lock);
    while (p->busy)
        pthread_cond_wait(&p->done, &p->lock);
    p->cpu += spent;
    pthread_mutex_unlock(&p->lock);
}

void pool_run(struct pool *p, void (*fn)(void *, unsigned, size_t), void *context, size_t jobs)
{
    run(p, fn, context, jobs, 1);
}

void pool_run_ranges(struct pool *p, void (*fn)(void *, unsigned, size_t), void *context, size_t jobs)
{
    run(p, fn, context, jobs, p->threads);
}

double pool_cpu_seconds(const struct pool *p)
{
    return p->cpu;
}
