/* inject.c - calls of the system that fail at the n-th time. It is linked to test programs, and preloaded (LD_PRELOAD)
 * into the weft program. What libraries ask for that end the process where there is no memory is let through: LLVM and
 * the library of C++. */
#include "inject.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The C library's own, by the names that it exports for this. */
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static struct inject own;
struct inject *inject = &own;

/* ---- who asks ---- */

enum { CALLERS = 4096 };

/* Places that were looked up: the address, and whether its library is let through as the lowest bit of a word. */
static _Atomic uintptr_t callers[CALLERS];

static bool is_foreign_file(const char *path)
{
    static const char *const names[] = {"libLLVM", "libstdc++", "ld-linux", "libmpi", "libopen-", "libgcc_s", "libz3"};
    for (size_t i = 0; path && i < sizeof names / sizeof names[0]; i++)
        if (strstr(path, names[i]))
            return true;
    return false;
}

static bool is_foreign(const void *caller)
{
    _Atomic uintptr_t *place = &callers[((uintptr_t)caller >> 2) % CALLERS];
    uintptr_t known = atomic_load(place), key = (uintptr_t)caller << 1;
    if ((known & ~(uintptr_t)1) == key && known)
        return known & 1;
    Dl_info info;
    bool foreign = dladdr(caller, &info) && is_foreign_file(info.dli_fname);
    atomic_store(place, key | foreign);
    return foreign;
}

/* Is this the call that fails? */
static bool fails(int kind, const void *caller)
{
    struct inject *i = inject;
    if (i->kind != kind || is_foreign(caller))
        return false;
    unsigned long n = atomic_fetch_add(&i->seen, 1) + 1;
    if (!i->at || (i->lasting ? n < i->at : n != i->at))
        return false;
    atomic_fetch_add(&i->fired, 1);
    return true;
}

#define CALLER __builtin_return_address(0)

static void *counted(void *p)
{
    if (p)
        atomic_fetch_add(&inject->live, 1);
    return p;
}

static void *no_memory(void)
{
    errno = ENOMEM;
    return NULL;
}

/* ---- memory ---- */

void *malloc(size_t size)
{
    return fails(INJECT_MEMORY, CALLER) ? no_memory() : counted(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return fails(INJECT_MEMORY, CALLER) ? no_memory() : counted(__libc_calloc(count, size));
}

void *realloc(void *old, size_t size)
{
    if (fails(INJECT_MEMORY, CALLER))
        return no_memory();
    void *p = __libc_realloc(old, size);
    return old ? p : counted(p);
}

void *aligned_alloc(size_t align, size_t size)
{
    return fails(INJECT_MEMORY, CALLER) ? no_memory() : counted(__libc_memalign(align, size));
}

void *memalign(size_t align, size_t size);
void *memalign(size_t align, size_t size)
{
    return fails(INJECT_MEMORY, CALLER) ? no_memory() : counted(__libc_memalign(align, size));
}

int posix_memalign(void **out, size_t align, size_t size)
{
    if (fails(INJECT_MEMORY, CALLER))
        return ENOMEM;
    *out = counted(__libc_memalign(align, size));
    return *out ? 0 : ENOMEM;
}

void free(void *p)
{
    if (p)
        atomic_fetch_sub(&inject->live, 1);
    __libc_free(p);
}

void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    if (fails(INJECT_MEMORY, CALLER)) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return (void *)syscall(SYS_mmap, address, size, protection, flags, fd, offset);
}

void *mremap(void *old, size_t had, size_t size, int flags, ...)
{
    va_list ap;
    va_start(ap, flags);
    void *where = flags & MREMAP_FIXED ? va_arg(ap, void *) : NULL;
    va_end(ap);
    if (fails(INJECT_MEMORY, CALLER)) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return (void *)syscall(SYS_mremap, old, had, size, flags, where);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*fn)(void *), void *argument)
{
    static int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "pthread_create");
    return fails(INJECT_MEMORY, CALLER) ? EAGAIN : next(thread, attributes, fn, argument);
}

/* ---- files ---- */

/* errno of a call that fails; 0: it goes through. `may`: the kinds that it can fail by. */
static int refused(unsigned may, const void *caller)
{
    static const int numbers[INJECT_KINDS] = {
        [INJECT_EINTR] = EINTR, [INJECT_EIO] = EIO, [INJECT_ENOSPC] = ENOSPC, [INJECT_SIGNAL] = EINTR};
    int kind = inject->kind;
    if (kind <= INJECT_SHORT || kind >= INJECT_KINDS || !(may & 1u << kind) || !fails(kind, caller))
        return 0;
    if (kind == INJECT_SIGNAL) {
        raise(inject->signal);
        return 0;
    }
    return numbers[kind];
}

enum {
    ANY_WAY = 1u << INJECT_EINTR | 1u << INJECT_EIO | 1u << INJECT_ENOSPC | 1u << INJECT_SIGNAL,
    NO_SPACE_EXCEPT = ANY_WAY & ~(1u << INJECT_ENOSPC),
    NOT_INTERRUPTED = ANY_WAY & ~(1u << INJECT_EINTR)
};

static long answer(int error, long result)
{
    if (error)
        errno = error;
    return error ? -1 : result;
}

static size_t shorter(size_t size, const void *caller)
{
    return size > 1 && fails(INJECT_SHORT, caller) ? 1 : size;
}

ssize_t read(int fd, void *to, size_t size)
{
    int error = refused(NO_SPACE_EXCEPT, CALLER);
    return error ? answer(error, 0) : syscall(SYS_read, fd, to, shorter(size, CALLER));
}

/* -D_FORTIFY_SOURCE calls this instead. */
ssize_t __read_chk(int fd, void *to, size_t size, size_t room);
ssize_t __read_chk(int fd, void *to, size_t size, size_t room)
{
    int error = refused(NO_SPACE_EXCEPT, CALLER);
    if (size > room)
        abort();
    return error ? answer(error, 0) : syscall(SYS_read, fd, to, shorter(size, CALLER));
}

ssize_t write(int fd, const void *from, size_t size)
{
    int error = refused(ANY_WAY, CALLER);
    return error ? answer(error, 0) : syscall(SYS_write, fd, from, shorter(size, CALLER));
}

int fsync(int fd)
{
    int error = refused(ANY_WAY, CALLER);
    return error ? (int)answer(error, 0) : (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd)
{
    int error = refused(ANY_WAY, CALLER);
    return error ? (int)answer(error, 0) : (int)syscall(SYS_fdatasync, fd);
}

/* The descriptor is closed whatever it answers, as Linux does. */
int close(int fd)
{
    int error = refused(ANY_WAY, CALLER);
    int result = (int)syscall(SYS_close, fd);
    return error ? (int)answer(error, 0) : result;
}

int rename(const char *from, const char *to)
{
    int error = refused(NOT_INTERRUPTED, CALLER);
    return error ? (int)answer(error, 0) : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

static int opened(const char *path, int flags, mode_t mode, const void *caller)
{
    int error = refused(flags & O_CREAT ? ANY_WAY : NO_SPACE_EXCEPT, caller);
    return error ? (int)answer(error, 0) : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
    va_list ap;
    va_start(ap, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0;
    va_end(ap);
    return opened(path, flags, mode, CALLER);
}

/* fopen asks the system by itself, so what it and its like do is asked for here. */
typedef struct _IO_FILE FILE;
FILE *fopen(const char *path, const char *mode);
FILE *fopen(const char *path, const char *mode)
{
    static FILE *(*next)(const char *, const char *);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "fopen");
    int error = refused((mode[0] == 'r' ? NO_SPACE_EXCEPT : ANY_WAY) & NOT_INTERRUPTED, CALLER);
    if (error)
        errno = error;
    return error ? NULL : next(path, mode);
}

/* Ends the file with an error, which ferror tells as it would of a disk. */
extern int ferror(FILE *);
size_t fread(void *to, size_t size, size_t count, FILE *file);
size_t fread(void *to, size_t size, size_t count, FILE *file)
{
    static size_t (*next)(void *, size_t, size_t, FILE *);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "fread");
    int error = refused(1u << INJECT_EIO | 1u << INJECT_SIGNAL, CALLER);
    if (!error)
        return next(to, size, count, file);
    *(int *)file |= 0x20; /* _IO_ERR_SEEN: the first member holds the flags */
    errno = error;
    return 0;
}

/* ---- told by the environment ---- */

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("WEFT_FAULTS");
    int fd = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0) : -1;
    if (fd < 0)
        return;
    void *shared =
        (void *)syscall(SYS_mmap, NULL, sizeof(struct inject), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0L);
    syscall(SYS_close, fd);
    if (shared != MAP_FAILED)
        inject = shared;
}
