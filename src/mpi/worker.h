/* worker.h - a thread of rank 0 that does items next to the thread that deals them. */
#ifndef WEFT_MPI_WORKER_H
#define WEFT_MPI_WORKER_H

#include "cli/collect.h"

#include <pthread.h>

enum worker_state { WORKER_IDLE, WORKER_BUSY, WORKER_DONE, WORKER_ENDS };

struct worker {
    const struct list_kind *kind;
    const void *command; /* the command's state */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    enum worker_state state;
    struct list_range range;
    struct list_result result;
};

bool worker_begin(struct worker *w, const struct list_kind *kind, const void *command);
/* Give it items when it is idle. */
bool worker_is_idle(struct worker *w);
void worker_give(struct worker *w, const struct list_range *range);
/* Take what it has done; false: it is not ready. */
bool worker_take(struct worker *w, struct list_range *range, struct list_result *result);
/* When it is idle. */
void worker_end(struct worker *w);

#endif
