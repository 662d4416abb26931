/* apart.c - glslang and SPIRV-Tools' optimiser in a process of its own: some texts and modules kill them, and they must
 * not take weft with them.
 *
 * The process is forked at the first text and goes from task to task, so that the tables that glslang makes for a
 * version of GLSL are made once. Neither works in weft's process at that moment, so their locks are free in the new
 * one. It has no file but its link to weft and /dev/null, and the limits of memory that weft has. It ends when weft
 * does, however weft ends and whatever it is doing then: the pipe that only weft holds tells it by SIGIO.
 *
 * Each call takes a process that is idle, or a new one. If an old one dies, a new one gets the task: what is said of it
 * does not depend on those before it. Where there can be no process (--sandbox), the task is done in weft's own. */
#include "isa/spirv/tools/link.h"

#include "base/pages.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__linux__)
#define WITH_PROCESS 0
#elif defined(__has_feature)
#define WITH_PROCESS                                                                                                   \
    !(__has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer))
#else
#define WITH_PROCESS 1
#endif

static weft_status tools_do(const struct tools_task *task, struct spirv_result *r)
{
    return task->source ? tools_compile(task->source, r)
                        : tools_optimize(task->words, task->env, task->flags, task->nflags, r);
}

#if WITH_PROCESS

#include <errno.h>
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ASK_INCLUDE = 1, RESULT = 2, NO_MEMORY = 3, LINK = 3, LIFE = 4, AFTER_LIFE = 5, ABOVE = 10, MOST_IDLE = 4 };

/* ---- the process that works ---- */

/* Memory of one task. */
struct kept {
    struct kept *next;
    _Alignas(16) char bytes[];
};

static void *keep(void *context, size_t size)
{
    struct kept **all = context, *k = calloc(1, sizeof *k + size);
    if (!k)
        return NULL;
    k->next = *all;
    *all = k;
    return k->bytes;
}

struct asker {
    struct link *link;
    struct spirv_result *r;
};

static bool ask_include(void *context, const char *name, const char *includer, bool angle, struct spirv_text *out)
{
    const struct asker *a = context;
    uint32_t asked[2] = {ASK_INCLUDE, angle}, found;
    link_put(a->link, asked, sizeof asked);
    link_put_name(a->link, name);
    link_put_name(a->link, includer);
    link_get(a->link, &found, sizeof found);
    out->name = link_get_name(a->link, a->r);
    out->text = link_get_text(a->link, a->r, &out->size);
    return found && out->name;
}

/* The next task; false: there are no more. */
static bool do_next(struct link *l)
{
    struct kept *all = NULL;
    struct spirv_result r = {.memory = {keep, &all}};
    struct asker asker = {l, &r};
    struct spirv_source s;
    struct tools_task task;
    link_get_task(l, &r, &task, &s);
    if (r.no_memory)
        _exit(NO_MEMORY);
    if (l->broken)
        return false;
    s.include = s.include ? ask_include : NULL;
    s.context = &asker;
    weft_status status = tools_do(&task, &r);
    uint32_t what[2] = {RESULT};
    link_put(l, what, sizeof what);
    link_put_result(l, status, &r);
    while (all) {
        struct kept *next = all->next;
        free(all);
        all = next;
    }
    return !l->broken;
}

/* Signals as a process begins with, but for those that a terminal sends to all that belong to it: weft decides. */
static void default_signals(void)
{
    sigset_t none;
    for (int i = 1; i < NSIG; i++)
        signal(i, i == SIGINT || i == SIGQUIT || i == SIGHUP ? SIG_IGN : SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* No file but these two, and nothing to say on the standard ones. */
static bool only_files(int file, int life)
{
    enum { OLD_KERNEL = 1024 };
    int null = open("/dev/null", O_RDWR);
    file = fcntl(file, F_DUPFD, ABOVE);
    life = fcntl(life, F_DUPFD, ABOVE);
    null = fcntl(null, F_DUPFD, ABOVE);
    if (file < 0 || life < 0 || null < 0 || dup2(file, LINK) < 0 || dup2(life, LIFE) < 0)
        return false;
    for (int i = 0; i < LINK; i++)
        if (dup2(null, i) < 0)
            return false;
    if (close_range(AFTER_LIFE, ~0U, 0) != 0)
        for (int i = AFTER_LIFE; i < OLD_KERNEL; i++)
            close(i);
    return true;
}

/* glslang fills some 25 MB with its tables and a first text. The system hands out small pages one by one: with large
 * ones a short shader takes a third less time on some machines. Blocks that are taken after this lie in them; those of
 * them that are never used are not handed out. */
static void take_large_pages(void)
{
#ifdef __GLIBC__
    enum { TABLES = 64 << 20 };
    if (!mallopt(M_MMAP_THRESHOLD, 2 * TABLES) || !mallopt(M_TRIM_THRESHOLD, 2 * TABLES))
        return;
    void *all = malloc(TABLES);
    if (all)
        ask_for_large_pages(all, TABLES);
    free(all);
#endif
}

static void serve(int file, int life)
{
    struct link link = {.file = LINK};
    default_signals();
    take_large_pages();
    prctl(PR_SET_DUMPABLE, 0);
    prctl(PR_SET_NAME, "weft-glslang");
    if (!only_files(file, life) || fcntl(LIFE, F_SETOWN, getpid()) != 0 || fcntl(LIFE, F_SETFL, O_ASYNC) != 0)
        _exit(1);
    while (do_next(&link)) {
    }
    _exit(0);
}

/* ---- weft's end ---- */

struct worker {
    struct link link;
    pid_t process;
    int life;
    bool used;
};

/* Held to read while a task is done in weft's own process, and to write while a process is forked of it. */
static pthread_rwlock_t within = PTHREAD_RWLOCK_INITIALIZER;

/* Those that nobody uses now. They belong to the process that forked them. */
static struct {
    pthread_mutex_t lock;
    pid_t owner;
    int count;
    struct worker idle[MOST_IDLE];
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* How it ended, as waitpid says it; 0: somebody else knows. */
static int end_worker(const struct worker *w)
{
    int status = 0;
    kill(w->process, SIGKILL); /* one that has ended keeps its own reason */
    while (waitpid(w->process, &status, 0) < 0) {
        if (errno != EINTR)
            return 0;
    }
    return status;
}

static void close_worker(const struct worker *w)
{
    close(w->link.file);
    close(w->life);
}

static bool begin_worker(struct worker *w)
{
    int ends[2], life[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    if (pipe2(life, O_CLOEXEC) != 0) {
        close(ends[0]);
        close(ends[1]);
        return false;
    }
    pid_t process = -1;
    if (pthread_rwlock_trywrlock(&within) == 0) {
        process = fork();
        if (process == 0)
            serve(ends[1], life[0]);
        pthread_rwlock_unlock(&within);
    }
    close(ends[1]);
    close(life[0]);
    *w = (struct worker){{.file = ends[0]}, process, life[1], false};
    if (process < 0)
        close_worker(w);
    return process > 0;
}

/* A thread in weft's sandbox (base/confine.h) can ask nobody, not even this. */
static bool confined(void)
{
    return prctl(PR_GET_SECCOMP) < 0;
}

static bool take_worker(struct worker *w)
{
    bool found = false;
    if (confined())
        return false;
    pthread_mutex_lock(&pool.lock);
    if (pool.owner != getpid()) { /* this process was forked of theirs */
        while (pool.count)
            close_worker(&pool.idle[--pool.count]);
        pool.owner = getpid();
    }
    if (pool.count) {
        *w = pool.idle[--pool.count];
        found = true;
    }
    pthread_mutex_unlock(&pool.lock);
    return found || begin_worker(w);
}

static void give_back(struct worker *w)
{
    bool kept = false;
    w->used = true;
    pthread_mutex_lock(&pool.lock);
    if (pool.count < MOST_IDLE && pool.owner == getpid()) {
        pool.idle[pool.count++] = *w;
        kept = true;
    }
    pthread_mutex_unlock(&pool.lock);
    if (kept)
        return;
    close_worker(w);
    end_worker(w);
}

static void answer_include(struct link *l, const struct spirv_source *s, struct spirv_result *r, bool angle)
{
    struct spirv_text text = {0};
    const char *name = link_get_name(l, r), *includer = link_get_name(l, r);
    uint32_t found = !l->broken && s->include && s->include(s->context, name, includer, angle, &text);
    link_put(l, &found, sizeof found);
    link_put_name(l, text.name);
    link_put_text(l, text.text, text.size);
}

/* With the link broken there is no answer. */
static weft_status ask(struct link *l, const struct tools_task *task, struct spirv_result *r)
{
    uint32_t what[2];
    link_put_task(l, task);
    for (link_get(l, what, sizeof what); what[0] == ASK_INCLUDE && task->source; link_get(l, what, sizeof what))
        answer_include(l, task->source, r, what[1]);
    l->broken |= what[0] != RESULT;
    return link_get_result(l, r);
}

static weft_status died(const struct tools_task *task, struct spirv_result *r, int how)
{
    const char *who = !task->source                             ? "the optimiser"
                      : task->source->language == SPIRV_HLSL ? "the HLSL compiler"
                                                                : "the GLSL compiler";
    const char *on = task->source ? "on this text: glslang" : "on this module: it is not valid, or SPIRV-Tools";
    char text[120];
    if (r->no_memory || (WIFEXITED(how) && WEXITSTATUS(how) == NO_MEMORY)) {
        r->no_memory = true;
        return WEFT_ERROR_MEMORY;
    }
    if (WIFSIGNALED(how))
        snprintf(text, sizeof text, "%s died (signal %d) %s has a fault", who, WTERMSIG(how), on);
    else
        snprintf(text, sizeof text, "%s ended %s has a fault", who, on);
    tools_error(r, text);
    return WEFT_ERROR_INPUT;
}

static weft_status do_within(const struct tools_task *task, struct spirv_result *r)
{
    pthread_rwlock_rdlock(&within);
    weft_status status = tools_do(task, r);
    pthread_rwlock_unlock(&within);
    return status;
}

static weft_status do_apart(const struct tools_task *task, struct spirv_result *r)
{
    struct worker w;
    for (bool again = false;; again = true) {
        if (!take_worker(&w))
            return again ? died(task, r, 0) : do_within(task, r);
        weft_status status = ask(&w.link, task, r);
        if (!w.link.broken) {
            if (r->no_memory) { /* what it has left is in pieces */
                close_worker(&w);
                end_worker(&w);
            } else
                give_back(&w);
            return status;
        }
        r->nmessages = 0;
        r->words = (struct spirv_words){0};
        int end = end_worker(&w);
        close_worker(&w);
        if (!w.used || r->no_memory)
            return died(task, r, end);
    }
}

#else

static weft_status do_apart(const struct tools_task *task, struct spirv_result *r)
{
    return tools_do(task, r);
}

#endif

weft_status tools_compile_apart(const struct spirv_source *source, struct spirv_result *r)
{
    return do_apart(&(struct tools_task){.source = source}, r);
}

weft_status tools_optimize_apart(struct spirv_words words, const char *env, const char *const *flags, size_t nflags,
                                 struct spirv_result *r)
{
    return do_apart(&(struct tools_task){.words = words, .env = env, .flags = flags, .nflags = nflags}, r);
}
