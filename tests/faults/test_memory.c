/* test_memory.c - the n-th time that the library asks for memory there is none: in each of the calls of calls.c, for
 * each n until the call gets through (a sample of them; all with WEFT_TEST_ALL set). A call either gives what it always
 * gives, or fails with WEFT_ERROR_MEMORY and says so; nothing leaks, and the same call works afterwards.
 *
 * Each time is a process of its own. It is cold (nothing was called in it before) or warm (the call was made once, so
 * that what is made at the first use is there): only then memory that is still taken afterwards is a leak. */
#include "calls.h"
#include "inject.h"
#include "turn.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SAMPLE = 8, EACH_OF_FIRST = 4, STRANGE = 1 << 14, SECONDS = 60 };

/* What a child tells. */
struct told {
    unsigned long seen, fired;
    uint64_t hash;
    weft_status status;
    char what[400];
};
static struct told *told;

static unsigned long times, faults, bad;

static void begin(struct call *c)
{
    (void)c;
    inject->kind = INJECT_MEMORY;
}

static void end(struct call *c)
{
    (void)c;
    inject->kind = INJECT_NOTHING;
}

static void tell(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void tell(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    if (!told->what[0])
        vsnprintf(told->what, sizeof told->what, fmt, ap);
    va_end(ap);
}

/* Is there a message, and does one of them say what is missing? */
static bool says_memory(const weft_diags *d)
{
    const weft_diag *g;
    for (size_t i = 0; (g = weft_diags_get(d, i)) != NULL; i++)
        if (strcasestr(g->message, "memory"))
            return true;
    return false;
}

static weft_status run(const struct call_kind *kind, unsigned long at, bool lasting, uint64_t *hash, bool *said)
{
    struct call c = {.diags = weft_diags_new(), .which = kind->which, .begin = begin, .end = end};
    inject->seen = inject->fired = 0;
    inject->at = at;
    inject->lasting = lasting;
    weft_status status = kind->run(&c);
    *hash = c.hash;
    *said = c.silent || says_memory(c.diags);
    weft_diags_free(c.diags);
    return status;
}

/* What gcov counts is written when a process ends in the usual way, and here where it does not. */
extern void __gcov_dump(void) __attribute__((weak));

static void child(const struct call_kind *kind, unsigned long at, bool lasting, bool warm, uint64_t expected)
{
    uint64_t hash;
    bool said;
    alarm(SECONDS);
    long before = inject->live;
    told->status = run(kind, at, lasting, &hash, &said);
    told->seen = inject->seen;
    told->fired = inject->fired;
    told->hash = hash;
    long after = inject->live;
    if (!at)
        return;
    if (told->status == WEFT_OK && hash != expected)
        tell("it got through with another result");
    else if (told->status != WEFT_OK && told->status != WEFT_ERROR_MEMORY)
        tell("the status is '%s'", weft_status_name(told->status));
    else if (told->status == WEFT_ERROR_MEMORY && !said)
        tell("no message says that there is no memory");
    if (warm && after != before)
        tell("%ld blocks are still taken", after - before);
    if (run(kind, 0, false, &hash, &said) != WEFT_OK || hash != expected)
        tell("the next call fails");
    if (warm && inject->live != before)
        tell("%ld blocks are still taken after the next call", inject->live - before);
}

/* Do it in a process of its own; false: it was not as it should be. */
static bool apart(const struct call_kind *kind, unsigned long at, bool lasting, bool warm, uint64_t expected)
{
    int status = 0;
    memset(told, 0, sizeof *told);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        child(kind, at, lasting, warm, expected);
        if (__gcov_dump)
            __gcov_dump();
        _exit(0);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid) {
        perror("# fork");
        exit(2);
    }
    if (WIFSIGNALED(status))
        snprintf(told->what, sizeof told->what, "signal %d%s", WTERMSIG(status),
                 WTERMSIG(status) == SIGALRM ? " (it takes too long)" : "");
    else if (WEXITSTATUS(status))
        snprintf(told->what, sizeof told->what, "exit status %d", WEXITSTATUS(status));
    times++;
    faults += told->fired;
    if (!told->what[0])
        return true;
    printf("# %s, n = %lu%s, %s: %s\n", kind->name, at, lasting ? " and all that follow" : "", warm ? "warm" : "cold",
           told->what);
    return false;
}

/* The next n that is tried: the first few, then a sample that goes evenly through the others, fewer where a run has a
 * share. `turn` is where that begins. */
static unsigned long next(unsigned long n, unsigned long most, unsigned turn)
{
    unsigned long sample = (SAMPLE + test_share() - 1) / test_share(), step = (most + sample - 1) / sample;
    if (getenv("WEFT_TEST_ALL") || n < EACH_OF_FIRST || step == 0)
        return n + 1;
    return n + (n == EACH_OF_FIRST ? 1 + turn % step : step);
}

static bool try_call(const struct call_kind *kind, bool warm, unsigned turn)
{
    bool fine = apart(kind, 0, false, false, 0);
    uint64_t expected = told->hash;
    unsigned long most = told->seen;
    if (!fine || told->status != WEFT_OK) {
        printf("# %s: without a fault: '%s'\n", kind->name, weft_status_name(told->status));
        return false;
    }
    if (warm) {
        bool said;
        uint64_t hash;
        fine = run(kind, 0, false, &hash, &said) == WEFT_OK;
        most = inject->seen;
    }
    for (unsigned long n = 1; n <= most && n < STRANGE; n = next(n, most, turn)) {
        fine &= apart(kind, n, false, warm, expected);
        fine &= apart(kind, n, true, warm, expected);
    }
    return fine;
}

int main(int argc, char **argv)
{
    told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    setenv("WEFT_ENGINE", "interp", 1);
    size_t count = 0;
    unsigned tried = 0;
    const unsigned turn = test_turn();
    const char *only = argc > 1 ? argv[1] : getenv("WEFT_TEST_ONLY");
    for (int warm = 0; warm < 2; warm++)
        for (size_t i = 0; i < ncalls; i++) {
            const struct call_kind *kind = &calls[i];
            if ((only && !strstr(kind->name, only)) || (kind->jit && warm))
                continue;
            if ((kind->jit && !getenv("WEFT_TEST_JIT")) || (!only && !test_takes(test_slow_share(), &tried)))
                continue;
            bool fine = try_call(kind, warm, turn);
            bad += !fine;
            printf("%s %zu - %s, %s\n", fine ? "ok" : "not ok", ++count, kind->name, warm ? "warm" : "cold");
        }
    printf("# %zu calls, %lu times, %lu faults\n1..%zu\n", ncalls, times, faults, count);
    return bad != 0;
}
