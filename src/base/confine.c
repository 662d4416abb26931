/* confine.c - see confine.h. Constants of Landlock are those of Linux' Documentation/userspace-api/landlock.rst: the
 * headers of the system may be older than the system. */
#include "base/confine.h"

void confine_read(struct confine *c, const char *path)
{
    if (c->nread < CONFINE_MOST)
        c->read[c->nread++] = path;
}

void confine_write(struct confine *c, const char *path)
{
    if (c->nwrite < CONFINE_MOST)
        c->write[c->nwrite++] = path;
}

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- files and the network ---- */

enum { LANDLOCK_CREATE = 444, LANDLOCK_ADD = 445, LANDLOCK_RESTRICT = 446 }; /* numbers of the calls, everywhere */
enum { BENEATH = 1 };

/* Rights, and the version of Landlock that first has them. */
#define FS_EXECUTE (UINT64_C(1) << 0)
#define FS_WRITE_FILE (UINT64_C(1) << 1)
#define FS_READ_FILE (UINT64_C(1) << 2)
#define FS_READ_DIR (UINT64_C(1) << 3)
#define FS_REMOVE_FILE (UINT64_C(1) << 5)
#define FS_MAKE_REG (UINT64_C(1) << 8)
#define FS_OF_1 ((UINT64_C(1) << 13) - 1)
#define FS_REFER (UINT64_C(1) << 13)     /* 2 */
#define FS_TRUNCATE (UINT64_C(1) << 14)  /* 3 */
#define NET_TCP UINT64_C(3)              /* 4: bind, connect */
#define FS_IOCTL_DEV (UINT64_C(1) << 15) /* 5 */
#define SCOPES UINT64_C(3)               /* 6: abstract sockets, signals */

struct ruleset {
    uint64_t fs, net, scoped;
};

struct beneath {
    uint64_t rights;
    int32_t folder;
} __attribute__((packed));

static struct ruleset ruleset_of(long version)
{
    struct ruleset r = {.fs = FS_OF_1};
    r.fs |= version >= 2 ? FS_REFER : 0;
    r.fs |= version >= 3 ? FS_TRUNCATE : 0;
    r.net = version >= 4 ? NET_TCP : 0;
    r.fs |= version >= 5 ? FS_IOCTL_DEV : 0;
    r.scoped = version >= 6 ? SCOPES : 0;
    return r;
}

static bool allow(int ruleset, const char *path, uint64_t rights)
{
    struct stat st;
    struct beneath rule = {.rights = rights, .folder = open(path, O_PATH | O_CLOEXEC)};
    if (rule.folder < 0)
        return true;
    if (fstat(rule.folder, &st) == 0 && !S_ISDIR(st.st_mode)) /* what is about folders is refused for files */
        rule.rights &= FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV;
    long result = syscall(LANDLOCK_ADD, ruleset, BENEATH, &rule, 0);
    close(rule.folder);
    return result == 0;
}

static bool restrict_files(const struct confine *c)
{
    long version = syscall(LANDLOCK_CREATE, NULL, 0, 1); /* -1 where there is none: the next call fails too */
    struct ruleset r = ruleset_of(version);
    size_t size = version >= 6 ? sizeof r : version >= 4 ? offsetof(struct ruleset, scoped)
                                                          : offsetof(struct ruleset, net);
    int fd = (int)syscall(LANDLOCK_CREATE, &r, size, 0);
    bool fine = fd >= 0;
    uint64_t write = r.fs & (FS_WRITE_FILE | FS_REMOVE_FILE | FS_MAKE_REG | FS_TRUNCATE);
    for (size_t i = 0; i < c->nread && fine; i++)
        fine = allow(fd, c->read[i], FS_READ_FILE | FS_READ_DIR);
    for (size_t i = 0; i < c->nwrite && fine; i++)
        fine = allow(fd, c->write[i], write);
    fine = fine && syscall(LANDLOCK_RESTRICT, fd, 0) == 0;
    if (fd >= 0)
        close(fd);
    return fine;
}

/* ---- calls of the system ---- */

#ifdef __x86_64__
#define OWN_ARCH AUDIT_ARCH_X86_64
#else
#define OWN_ARCH AUDIT_ARCH_AARCH64
#endif

/* What reading, computing and writing take. Files are Landlock's business. */
static const uint16_t allowed[] = {
    SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_close, SYS_fstat, SYS_newfstatat,
    SYS_statx, SYS_lseek, SYS_openat, SYS_faccessat, SYS_faccessat2, SYS_readlinkat, SYS_getcwd, SYS_renameat,
    SYS_renameat2, SYS_unlinkat, SYS_fchmod, SYS_umask, SYS_ftruncate, SYS_fsync, SYS_fdatasync, SYS_flock, SYS_fcntl,
    SYS_dup, SYS_dup3, SYS_ioctl, SYS_ppoll, SYS_pselect6, SYS_getdents64,
    SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_madvise, SYS_brk,
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_restart_syscall,
    SYS_futex, SYS_clock_gettime, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday, SYS_times, SYS_getrusage,
    SYS_sched_yield, SYS_sched_getaffinity, SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid,
    SYS_getegid, SYS_getrandom, SYS_sysinfo, SYS_uname, SYS_set_robust_list, SYS_set_tid_address, SYS_rseq,
    SYS_setitimer, SYS_exit, SYS_exit_group, SYS_membarrier, SYS_getcpu,
#ifdef __x86_64__
    SYS_open, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_rename, SYS_unlink, SYS_poll, SYS_select, SYS_dup2,
    SYS_arch_prctl, SYS_time,
#endif
};
enum { ALLOWED = sizeof allowed / sizeof allowed[0], SPECIAL = 24 };

static void put(struct sock_filter *program, unsigned short *count, struct sock_filter op)
{
    program[(*count)++] = op;
}

#define DO(...) put(p, n, (struct sock_filter)__VA_ARGS__)

/* A call whose argument 0 decides, by a comparison or by bits. */
static void allow_if(struct sock_filter *p, unsigned short *n, uint32_t call, uint16_t jump, uint32_t value)
{
    DO(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4));
    DO(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])));
    DO(BPF_JUMP((uint16_t)(BPF_JMP | jump | BPF_K), value, 0, 1));
    DO(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    DO(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
}

static bool restrict_calls(void)
{
    static const uint32_t ours = SECCOMP_RET_ALLOW;
    struct sock_filter p[2 * ALLOWED + SPECIAL];
    unsigned short count = 0, *n = &count;
    DO(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)));
    DO(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCH, 1, 0));
    DO(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
    DO(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
    for (unsigned i = 0; i < ALLOWED; i++) {
        DO(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, allowed[i], 0, 1));
        DO(BPF_STMT(BPF_RET | BPF_K, ours));
    }
    /* Threads, by the call whose flags can be seen; the C library takes it where the other one is unknown. */
    DO(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1));
    DO(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS));
    allow_if(p, n, SYS_clone, BPF_JSET, CLONE_THREAD);
    DO(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
    allow_if(p, n, SYS_tgkill, BPF_JEQ, (uint32_t)getpid());
    DO(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
    struct sock_fprog program = {count, p};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

bool confine_thread(const struct confine *c, const char **why)
{
    *why = "this system has no Landlock";
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !restrict_files(c))
        return false;
    *why = "this system has no seccomp";
    return restrict_calls();
}

#else

bool confine_thread(const struct confine *c, const char **why)
{
    (void)c;
    *why = "weft can do it on Linux alone, on x86-64 and AArch64";
    return false;
}

#endif
