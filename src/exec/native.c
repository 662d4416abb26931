/* native.c - the JIT of the process: the module weft-jit.so found and loaded at the first use, a thread that
 * compiles in the background, and everything compiled so far.
 *
 * This is the one thing that the library keeps for the whole process: code belongs to no program, so that a
 * program that is made again finds it, and a program may end while its code is being made. */
#include "exec/native.h"
#include "base/module.h"
#include "exec/select.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef WEFT_JIT
#define WITH_JIT true
#else
#define WITH_JIT false
#endif

enum {
    MOST_BYTES = 64 << 20, /* of requests kept; code is of the same order */
    MOST_FRAME = 64 << 20, /* of a frame of a program that is looked at */
    /* A form of a program is compiled in the background when warps have run so many instructions in it: for each
     * that the program has, and besides, with the module loaded or not. It is about the time that compiling takes, at
     * 15 ns an instruction. */
    WORTH_EACH = 7000,
    WORTH_LOADED = 500000,
    WORTH_AT_ALL = 4000000
};

static struct native {
    pthread_mutex_t lock, compiling; /* the second: the module is used by one thread at a time */
    pthread_mutex_t planning;        /* plans are noted in the arena of a program, which may be another's as well */
    pthread_cond_t work, idle;
    bool running, stop, busy; /* busy: the thread loads or compiles */
    int tried; /* atomic */
    pthread_t thread;
    const struct jit_api *api;
    char why[200];
    struct native_entry *entries, *first, *last;
    size_t bytes;
} native = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .compiling = PTHREAD_MUTEX_INITIALIZER, .planning = PTHREAD_MUTEX_INITIALIZER,
    .work = PTHREAD_COND_INITIALIZER, .idle = PTHREAD_COND_INITIALIZER};

/* ---- the module ---- */

static void stop_thread(void);

static const struct jit_api *find_module(void)
{
    static const struct module_place place = {
        .file = "weft-jit.so", .environment = "WEFT_JIT_MODULE", .installed = WEFT_MODULES "/weft-jit.so",
        .symbol = JIT_SYMBOL};
    jit_api_fn *get = (jit_api_fn *)module_open(&place, native.why, sizeof native.why);
    const struct jit_api *api = get ? get() : NULL;
    if (!get || (api && api->version == JIT_VERSION))
        return api;
    snprintf(native.why, sizeof native.why, "weft-jit.so is of another version");
    return NULL;
}

/* Loads it at the first call; the lock `compiling` is held. */
static const struct jit_api *load_module(void)
{
    if (!native.tried) {
        const struct jit_api *api = WITH_JIT ? find_module() : NULL;
        if (!WITH_JIT)
            snprintf(native.why, sizeof native.why, "weft was built without the JIT");
        __atomic_store_n(&native.api, api, __ATOMIC_RELEASE);
        __atomic_store_n(&native.tried, 1, __ATOMIC_RELEASE);
    }
    return native.api;
}

const char *exec_jit_name(void)
{
    pthread_mutex_lock(&native.compiling);
    const struct jit_api *api = load_module();
    pthread_mutex_unlock(&native.compiling);
    return api ? api->name : NULL;
}

const char *exec_jit_missing(void)
{
    return native.why;
}

/* ---- entries ---- */

static uint64_t hash_request(const struct jit_request *r)
{
    uint64_t h = r->size;
    for (uint32_t i = 0; i + 8 <= r->size; i += 8) {
        uint64_t w;
        memcpy(&w, (const char *)r + i, 8);
        h = (h ^ w) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return h;
}

/* The entry of a request, which is taken over. The lock is held. NULL: no room. */
static struct native_entry *enter(struct jit_request *r)
{
    uint64_t hash = hash_request(r);
    for (struct native_entry *e = native.entries; e; e = e->next)
        if (e->hash == hash && e->request->size == r->size && memcmp(e->request, r, r->size) == 0) {
            free(r);
            return e;
        }
    struct native_entry *e = native.bytes + r->size <= MOST_BYTES ? calloc(1, sizeof *e) : NULL;
    lop_fn **functions = e ? calloc(r->nruns + 1, sizeof *functions) : NULL;
    if (!functions) {
        free(e);
        free(r);
        return NULL;
    }
    *e = (struct native_entry){.next = native.entries, .hash = hash, .request = r, .functions = functions};
    native.entries = e;
    native.bytes += r->size;
    return e;
}

/* Of this thread's work. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The lock `compiling` is held. */
static void compile_entry(struct native_entry *e)
{
    if (__atomic_load_n(&e->state, __ATOMIC_ACQUIRE) != NATIVE_WAITS)
        return;
    double before = now();
    bool fine = native.api->compile(e->request, e->functions, e->why, sizeof e->why);
    e->seconds = now() - before;
    __atomic_store_n(&e->state, fine ? NATIVE_READY : NATIVE_FAILED, __ATOMIC_RELEASE);
}

/* ---- in the background ---- */

static void *work(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&native.compiling);
    load_module();
    pthread_mutex_unlock(&native.compiling);
    pthread_mutex_lock(&native.lock);
    while (!native.stop) {
        struct native_entry *e = native.first;
        native.busy = e != NULL;
        if (!e) {
            pthread_cond_broadcast(&native.idle);
            pthread_cond_wait(&native.work, &native.lock);
            continue;
        }
        native.first = e->queue;
        e->queued = false;
        pthread_mutex_unlock(&native.lock);
        pthread_mutex_lock(&native.compiling);
        compile_entry(e);
        pthread_mutex_unlock(&native.compiling);
        pthread_mutex_lock(&native.lock);
    }
    native.busy = false;
    pthread_cond_broadcast(&native.idle);
    pthread_mutex_unlock(&native.lock);
    return NULL;
}

static void stop_thread(void)
{
    pthread_mutex_lock(&native.lock);
    bool running = native.running;
    native.running = false;
    native.stop = true;
    pthread_cond_broadcast(&native.work);
    pthread_mutex_unlock(&native.lock);
    if (running && !pthread_equal(native.thread, pthread_self()))
        pthread_join(native.thread, NULL);
}

void exec_jit_settle(void)
{
    pthread_mutex_lock(&native.lock);
    for (; native.first; native.first = native.first->queue)
        native.first->queued = false;
    while (native.busy)
        pthread_cond_wait(&native.idle, &native.lock);
    pthread_mutex_unlock(&native.lock);
}

/* The lock is held. */
static void start_thread(void)
{
    if (native.running || native.stop)
        return;
    native.busy = native.running = pthread_create(&native.thread, NULL, work, NULL) == 0;
    if (native.running)
        atexit(stop_thread);
}

static void queue(struct native_entry *e)
{
    if (e->queued)
        return;
    e->queued = true;
    e->queue = NULL;
    if (native.first)
        native.last->queue = e;
    else
        native.first = e;
    native.last = e;
    pthread_cond_signal(&native.work);
}

/* ---- programs ---- */

/* From now on the first operation of each run is the run's function. Warps that are inside a run go on by handlers. */
static void apply(struct native_form *n)
{
    for (uint32_t i = 0; i < n->nplaces; i++) {
        lop_fn *fn = n->entry->functions[i];
        if (!fn)
            continue;
        const struct jit_run *run = (const struct jit_run *)jit_part(n->entry->request, n->entry->request->runs) + i;
        n->compiled += run->count;
        __atomic_store_n(&n->place[i]->fn, fn, __ATOMIC_RELEASE);
    }
}

/* From `use` to NATIVE_BUSY, if that is what it is: nobody else does anything to it then. */
static bool take(struct native_form *n, int use)
{
    return __atomic_compare_exchange_n(&n->use, &use, NATIVE_BUSY, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* What came of the request, if anything yet. */
static void look(struct native_form *n)
{
    int state = __atomic_load_n(&n->entry->state, __ATOMIC_ACQUIRE);
    if (state == NATIVE_WAITS || !take(n, NATIVE_ASKED))
        return;
    if (state == NATIVE_READY)
        apply(n);
    else
        n->why = n->entry->why;
    __atomic_store_n(&n->use, state == NATIVE_READY ? NATIVE_RUNS : NATIVE_REFUSED, __ATOMIC_RELEASE);
}

static void refuse(struct native_form *n, const char *why)
{
    n->why = why;
    __atomic_store_n(&n->use, NATIVE_REFUSED, __ATOMIC_RELEASE);
}

/* Ask for the code of what the piece has in a form, into n, which is taken. */
static void ask(struct exec_program *p, const struct native_piece *of, enum exec_form form, struct native_form *n,
                const struct jit_api *api)
{
    pthread_mutex_lock(&native.planning);
    struct jit_request *r = native_plan(p, of, form, api, n);
    pthread_mutex_unlock(&native.planning);
    if (!r) {
        refuse(n, n->why);
        return;
    }
    pthread_mutex_lock(&native.lock);
    n->entry = enter(r);
    if (n->entry && !p->native->waits && __atomic_load_n(&n->entry->state, __ATOMIC_RELAXED) == NATIVE_WAITS)
        queue(n->entry);
    pthread_mutex_unlock(&native.lock);
    if (!n->entry)
        refuse(n, "too much is compiled already");
    else
        __atomic_store_n(&n->use, NATIVE_ASKED, __ATOMIC_RELEASE);
}

/* The same of a whole program. */
static void ask_all(struct exec_program *p, enum exec_form form, const struct jit_api *api)
{
    struct native_form *n = &p->native->form[form];
    const struct native_piece all = {
        .code = p->compiler->code, .ncode = (uint32_t)p->compiler->ncode, .first = IR_ENTRY, .end = p->nblocks};
    ask(p, &all, form, n, api);
    p->replaced[form] = n->replaced;
}

static void compile_now(struct exec_program *p, enum exec_form form)
{
    struct native_form *n = &p->native->form[form];
    if (!take(n, NATIVE_IDLE))
        return;
    pthread_mutex_lock(&native.compiling);
    const struct jit_api *api = load_module();
    if (api)
        ask_all(p, form, api);
    else
        refuse(n, native.why);
    if (n->entry)
        compile_entry(n->entry);
    pthread_mutex_unlock(&native.compiling);
    if (n->entry)
        look(n);
}

static enum exec_engine chosen(enum exec_engine engine)
{
    const char *said = getenv("WEFT_ENGINE");
    if (engine != EXEC_ENGINE_AUTO || !said)
        return engine;
    return strcmp(said, "jit") == 0 ? EXEC_ENGINE_JIT : strcmp(said, "interp") == 0 ? EXEC_ENGINE_INTERP : engine;
}

/* Straight runs are of one chunk, and their accesses are those of hosts whose low byte is the first. */
static bool blocks_may_be_native(const struct exec_program *p)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return p->chunks == 1 && !p->no_full;
#else
    (void)p;
    return false;
#endif
}

void exec_native_start(struct exec_program *p, const struct exec_options *options, struct arena *arena)
{
    enum exec_engine engine = chosen(options ? options->engine : EXEC_ENGINE_AUTO);
    bool grows = p->compiler->extensible;
    if (engine == EXEC_ENGINE_INTERP || (grows ? !blocks_may_be_native(p) : p->frame_size > MOST_FRAME))
        return;
    if (!WITH_JIT && engine == EXEC_ENGINE_AUTO)
        return;
    struct exec_native *n = ARENA_NEW(arena, struct exec_native);
    if (!n)
        return;
    n->waits = engine == EXEC_ENGINE_JIT;
    n->worth = (uint64_t)WORTH_EACH * p->ir->ninsns;
    p->native = n;
    if (grows) {
        if (!native_blocks_start(p, arena))
            p->native = NULL;
        return;
    }
    p->awaited[EXEC_FULL] = p->awaited[EXEC_PARTIAL] = n->waits;
    if (n->waits && !(options && options->spare))
        exec_native_await(p, p->no_full ? EXEC_PARTIAL : EXEC_FULL);
}

/* A program that is const to who runs it: what is changed here is atomic, or taken by one thread. */
static struct exec_program *to_change(const struct exec_program *p)
{
    return (struct exec_program *)(uintptr_t)p;
}

void exec_native_await(const struct exec_program *program, enum exec_form form)
{
    struct exec_program *p = to_change(program);
    compile_now(p, form);
    __atomic_store_n(&p->awaited[form], 0, __ATOMIC_RELAXED);
}

/* `more` instructions were run in a form that nobody has asked for. */
static void count_work(const struct exec_program *p, enum exec_form form, uint64_t more)
{
    struct native_form *n = &p->native->form[form];
    const struct jit_api *api = __atomic_load_n(&native.api, __ATOMIC_ACQUIRE);
    uint64_t worth = p->native->worth + (api ? WORTH_LOADED : WORTH_AT_ALL);
    if (__atomic_add_fetch(&n->work, more, __ATOMIC_RELAXED) < worth)
        return;
    if (!api && __atomic_load_n(&native.tried, __ATOMIC_ACQUIRE)) {
        refuse(n, native.why);
        return;
    }
    pthread_mutex_lock(&native.lock);
    start_thread();
    pthread_mutex_unlock(&native.lock);
    if (api && take(n, NATIVE_IDLE))
        ask_all(to_change(p), form, api);
}

void exec_native_tick(const struct exec_program *p, const uint64_t insns[EXEC_FORMS])
{
    if (p->native->blocks)
        return;
    for (unsigned k = 0; k < EXEC_FORMS; k++) {
        struct native_form *n = &p->native->form[k];
        int use = __atomic_load_n(&n->use, __ATOMIC_ACQUIRE);
        if (use == NATIVE_ASKED)
            look(n);
        else if (use == NATIVE_IDLE && !p->native->waits)
            count_work(p, (enum exec_form)k, insns[k]);
    }
}

/* ---- programs whose blocks come at run time: native_blocks.c ---- */

const struct jit_api *native_module(const char **why)
{
    const struct jit_api *api = __atomic_load_n(&native.api, __ATOMIC_ACQUIRE);
    if (!api && __atomic_load_n(&native.tried, __ATOMIC_ACQUIRE))
        *why = native.why;
    return api;
}

void native_load(void)
{
    pthread_mutex_lock(&native.lock);
    start_thread();
    pthread_mutex_unlock(&native.lock);
}

void native_load_now(void)
{
    pthread_mutex_lock(&native.compiling);
    load_module();
    pthread_mutex_unlock(&native.compiling);
}

void native_ask(struct exec_program *p, const struct native_piece *of, struct native_form *n,
                const struct jit_api *api, bool now)
{
    if (!now)
        native_load(); /* who compiles: the module may have been loaded without it */
    ask(p, of, EXEC_FULL, n, api);
    if (now && n->entry) {
        pthread_mutex_lock(&native.compiling);
        compile_entry(n->entry);
        pthread_mutex_unlock(&native.compiling);
    }
    if (n->entry)
        look(n);
}

/* exec_jit_settle, of another program's end, may have forgotten that this one waits. */
void native_look(struct native_form *n)
{
    pthread_mutex_lock(&native.lock);
    if (__atomic_load_n(&n->entry->state, __ATOMIC_ACQUIRE) == NATIVE_WAITS)
        queue(n->entry);
    pthread_mutex_unlock(&native.lock);
    look(n);
}

void native_undo(struct native_form *n)
{
    for (uint32_t i = 0; n->use == NATIVE_RUNS && i < n->nplaces; i++)
        if (n->entry->functions[i])
            n->place[i]->fn = n->replaced[i];
    refuse(n, "its code has changed");
}

/* ---- reports ---- */

void native_report(const struct native_form *n, struct exec_engine_report *out)
{
    int use = __atomic_load_n(&n->use, __ATOMIC_ACQUIRE);
    out->native |= use == NATIVE_RUNS;
    out->operations += n->operations;
    out->compiled += n->compiled;
    out->seconds += use == NATIVE_RUNS ? n->entry->seconds : 0;
    out->why = use == NATIVE_REFUSED && !out->why ? n->why : out->why;
}

void exec_engine_report(const struct exec_program *p, struct exec_engine_report *out)
{
    *out = (struct exec_engine_report){0};
    for (unsigned k = 0; p->native && k < EXEC_FORMS; k++)
        native_report(&p->native->form[k], out);
    if (p->native && p->native->blocks)
        native_blocks_report(p->native->blocks, out);
}
