/* beside.c - see beside.h. */
#include "cli/beside.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

/* What a handler needs. The name is there before the file is, and goes after it. */
static char name[PATH_MAX + 32];
static volatile sig_atomic_t named;

void beside_remove(void)
{
    if (named)
        unlink(name);
    named = 0;
}

/* As it would end without us. */
static void ends(int number)
{
    int reason = errno;
    beside_remove();
    signal(number, SIG_DFL);
    raise(number);
    errno = reason;
}

/* What ends the program when nobody asked for something else. */
static void watch_signals(void)
{
    static const int numbers[] = {SIGHUP, SIGINT, SIGTERM, SIGPIPE, SIGXCPU, SIGXFSZ, SIGQUIT};
    struct sigaction now, ours = {.sa_handler = ends};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            sigaction(numbers[i], &ours, NULL);
}

int beside_open(const char *path)
{
    uint64_t number = (uint64_t)getpid();
    if (strlen(path) >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return -1;
    }
    watch_signals();
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) < 0)
        number ^= (uint64_t)(uintptr_t)&number << 16;
    snprintf(name, sizeof name, "%s.%016llx", path, (unsigned long long)number);
    named = 1;
    int fd;
    do
        fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    while (fd < 0 && errno == EINTR);
    if (fd < 0)
        named = 0;
    return fd;
}

bool beside_rename(const char *path)
{
    int result;
    do
        result = rename(name, path);
    while (result != 0 && errno == EINTR);
    int reason = errno;
    if (result == 0)
        named = 0;
    else
        beside_remove();
    errno = reason;
    return result == 0;
}
