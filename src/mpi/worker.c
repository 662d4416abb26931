/* worker.c - see worker.h. */
#include "mpi/worker.h"

static void *work(void *argument)
{
    struct worker *w = argument;
    pthread_mutex_lock(&w->lock);
    while (w->state != WORKER_ENDS) {
        if (w->state != WORKER_BUSY) {
            pthread_cond_wait(&w->changed, &w->lock);
            continue;
        }
        pthread_mutex_unlock(&w->lock);
        collect_run(w->kind, w->command, &w->range, &w->result);
        pthread_mutex_lock(&w->lock);
        w->state = WORKER_DONE;
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

bool worker_begin(struct worker *w, const struct list_kind *kind, const void *command)
{
    *w = (struct worker){.kind = kind, .command = command};
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
    return pthread_create(&w->thread, NULL, work, w) == 0;
}

static enum worker_state state_of(struct worker *w)
{
    pthread_mutex_lock(&w->lock);
    enum worker_state state = w->state;
    pthread_mutex_unlock(&w->lock);
    return state;
}

static void set_state(struct worker *w, enum worker_state state)
{
    pthread_mutex_lock(&w->lock);
    w->state = state;
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

bool worker_is_idle(struct worker *w)
{
    return state_of(w) == WORKER_IDLE;
}

void worker_give(struct worker *w, const struct list_range *range)
{
    w->range = *range;
    set_state(w, WORKER_BUSY);
}

bool worker_take(struct worker *w, struct list_range *range, struct list_result *result)
{
    if (state_of(w) != WORKER_DONE)
        return false;
    *range = w->range;
    *result = w->result;
    set_state(w, WORKER_IDLE);
    return true;
}

void worker_end(struct worker *w)
{
    set_state(w, WORKER_ENDS);
    pthread_join(w->thread, NULL);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
}
