/* made.h - what is made at the first use and kept for the process. Where there was no memory for it the next use tries
 * again. */
#ifndef WEFT_ISA_VPU_MADE_H
#define WEFT_ISA_VPU_MADE_H

#include "base/arena.h"

#include <pthread.h>

struct vpu_made {
    void *what; /* NULL: not yet */
    pthread_mutex_t lock;
    struct arena arena; /* of what it is made */
};

#define VPU_MADE {.lock = PTHREAD_MUTEX_INITIALIZER}

/* NULL without memory. `make` returns what it made in the arena. */
static inline const void *vpu_make_once(struct vpu_made *m, void *(*make)(struct arena *arena))
{
    void *made = __atomic_load_n(&m->what, __ATOMIC_ACQUIRE);
    if (made)
        return made;
    pthread_mutex_lock(&m->lock);
    made = m->what ? m->what : make(&m->arena);
    if (made && arena_failed(&m->arena))
        made = NULL;
    if (!made)
        arena_free(&m->arena);
    __atomic_store_n(&m->what, made, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&m->lock);
    return made;
}

#endif
