/* ends.c - linked into a build that counts what runs, where a process ends without leaving its counts: by _exit, by a
 * signal that weft sends itself, by the one that tells its compiler of shaders that weft has ended, or without rights
 * to write files.
 *
 * The linker's --wrap leads calls here: __wrap_X is called for X, and __real_X is X. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "../faults/inject.h"

#define HERE __attribute__((visibility("hidden")))

void __gcov_dump(void);
void __real__exit(int status) __attribute__((noreturn));
int __real_raise(int number);
void (*__real_signal(int number, void (*handler)(int)))(int);
long __real_syscall(long number, ...);

/* Where calls of the system fail on purpose, those that write counts do not. libgcc's own destructors come later. */
#pragma weak inject
__attribute__((destructor)) static void let_through(void)
{
    if (&inject && inject)
        inject->kind = INJECT_NOTHING;
}

/* A handler may have interrupted what holds a lock that writing takes: then the process ends all the same. */
static void dump(void)
{
    enum { SECONDS = 20 };
    __real_signal(SIGALRM, SIG_DFL);
    alarm(SECONDS);
    let_through();
    __gcov_dump();
}

HERE void __wrap__exit(int status)
{
    dump();
    __real__exit(status);
}

HERE int __wrap_raise(int number)
{
    dump();
    return __real_raise(number);
}

static void dump_and_end(int number)
{
    dump();
    __real_signal(number, SIG_DFL);
    __real_raise(number);
}

/* What SIGIO does by default is to end the process. */
HERE void (*__wrap_signal(int number, void (*handler)(int)))(int)
{
    return __real_signal(number, number == SIGIO && handler == SIG_DFL ? dump_and_end : handler);
}

/* Landlock: before a thread gives up its rights, the folder of the counts joins those that it may write. */
HERE long __wrap_syscall(long number, ...)
{
    enum { ADD_RULE = 445, RESTRICT_SELF = 446, BENEATH = 1 };
    enum { WRITE_FILE = 1 << 1, READ_FILE = 1 << 2, READ_FOLDER = 1 << 3, MAKE_FILE = 1 << 8 };
    struct {
        uint64_t rights;
        int32_t folder;
    } __attribute__((packed)) rule = {WRITE_FILE | READ_FILE | READ_FOLDER | MAKE_FILE, -1};
    long a[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(list, long);
    va_end(list);
    if (number == RESTRICT_SELF && (rule.folder = open(COUNTS, O_PATH | O_CLOEXEC)) >= 0) {
        __real_syscall(ADD_RULE, a[0], (long)BENEATH, &rule, 0L);
        close(rule.folder);
    }
    return __real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
