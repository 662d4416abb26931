/* test_confine.c - a thread that gave up its rights: what it named can be read and written, and nothing else; memory
 * and threads are there; a job of the library in the sandbox leaves the caller's rights alone, and its limits hold. */
#include "test.h"

#include "base/below.h"
#include "base/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <weft/weft.h>

static char folder[] = "/tmp/weft-confine-XXXXXX";

static void put(const char *name, const char *text)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static int opens(const char *name, int flags)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int fd = open(path, flags | O_CLOEXEC, 0600);
    if (fd >= 0)
        close(fd);
    return fd < 0 ? errno : 0;
}

static void *nothing(void *argument)
{
    return argument;
}

/* What differs from what is expected, as bits. */
static int look_around(void)
{
    char read_too[200], write_too[200];
    struct confine c = {0};
    const char *why;
    pthread_t thread;
    snprintf(read_too, sizeof read_too, "%s/read", folder);
    snprintf(write_too, sizeof write_too, "%s/write", folder);
    confine_read(&c, read_too);
    confine_read(&c, "/nowhere/at/all");
    confine_write(&c, write_too);
    if (!confine_thread(&c, &why))
        return 1 << 15;
    int wrong = 0;
    wrong |= opens("read/a", O_RDONLY) != 0 ? 1 : 0;
    wrong |= opens("read/a", O_WRONLY) != EACCES ? 1 << 1 : 0;
    wrong |= opens("read/new", O_WRONLY | O_CREAT) != EACCES ? 1 << 2 : 0;
    wrong |= opens("other", O_RDONLY) != EACCES ? 1 << 3 : 0;
    wrong |= opens("read/../other", O_RDONLY) != EACCES ? 1 << 4 : 0;
    wrong |= opens("write/new", O_WRONLY | O_CREAT | O_EXCL) != 0 ? 1 << 5 : 0;
    wrong |= socket(AF_INET, SOCK_STREAM, 0) >= 0 || errno != EPERM ? 1 << 6 : 0;
    wrong |= fork() >= 0 || errno != EPERM ? 1 << 7 : 0;
    wrong |= kill(getppid(), 0) == 0 || errno != EPERM ? 1 << 8 : 0;
    execl("/bin/true", "true", (char *)NULL);
    wrong |= errno != EPERM ? 1 << 9 : 0;
    free(malloc(64 << 20));
    wrong |= pthread_create(&thread, NULL, nothing, NULL) != 0 || pthread_join(thread, NULL) != 0 ? 1 << 10 : 0;
    return wrong;
}

static bool can_confine;

static void rights_are_gone(void **state)
{
    (void)state;
    int report[2], wrong = -1, status;
    assert_int_equal(pipe(report), 0);
    pid_t pid = fork();
    if (pid == 0) {
        wrong = look_around();
        _exit(write(report[1], &wrong, sizeof wrong) == sizeof wrong ? 0 : 1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    assert_int_equal(read(report[0], &wrong, sizeof wrong), sizeof wrong);
    close(report[0]);
    close(report[1]);
    can_confine = wrong != 1 << 15;
    if (!can_confine) {
        print_message("there is no Landlock\n");
        skip();
    }
    assert_int_equal(wrong, 0);
}

/* ---- one thing at a time ---- */

enum what { LIST, TRUNCATE, REMOVE, RENAME, MAKE_FOLDER, LINK, READ, WRITE };

/* What is asked for, and the error that it gives; two where systems differ. */
static const struct {
    enum what what;
    const char *a, *b;
    int error, other;
} rows[] = {
    {LIST, "read", NULL, 0, 0},
    {LIST, "read/inner", NULL, 0, 0},
    {LIST, "write", NULL, EACCES, 0},
    {LIST, "beside", NULL, EACCES, 0},
    {READ, "read/inner/b", NULL, 0, 0},
    {READ, "file", NULL, 0, 0},
    {READ, "beside/file", NULL, EACCES, 0},
    {READ, "write/old", NULL, EACCES, 0},
    {READ, "read/none", NULL, ENOENT, 0},
    {WRITE, "file", NULL, EACCES, 0},
    {WRITE, "read/inner/b", NULL, EACCES, 0},
    {WRITE, "write/old", NULL, 0, 0},
    {WRITE, "write/inner/old", NULL, 0, 0},
    {TRUNCATE, "write/old", NULL, 0, 0},
    {TRUNCATE, "read/inner/b", NULL, EACCES, 0},
    {RENAME, "write/old", "write/new name", 0, 0},
    {RENAME, "write/new name", "read/stolen", EACCES, EXDEV},
    {RENAME, "read/inner/b", "write/stolen", EACCES, EXDEV},
    {RENAME, "beside/file", "beside/file2", EACCES, 0},
    {REMOVE, "write/new name", NULL, 0, 0},
    {REMOVE, "write/none", NULL, ENOENT, 0},
    {REMOVE, "read/inner/b", NULL, EACCES, 0},
    {REMOVE, "file", NULL, EACCES, 0},
    {REMOVE, "beside/file", NULL, EACCES, 0},
    {MAKE_FOLDER, "write/folder", NULL, EPERM, 0},
    {LINK, "write/link", "/", EPERM, 0},
};

/* Calls that are refused whatever their arguments are; others that are not. */
static const int refused[] = {SYS_socket,  SYS_connect, SYS_bind,     SYS_listen,    SYS_accept4, SYS_sendto,
                              SYS_kill,    SYS_tkill,   SYS_ptrace,   SYS_mount,     SYS_chroot,  SYS_execve,
                              SYS_execveat, SYS_mkdirat, SYS_symlinkat, SYS_linkat,  SYS_fchmodat, SYS_fchownat,
                              SYS_unshare, SYS_setns,   SYS_reboot,   SYS_sethostname, SYS_bpf,   SYS_perf_event_open,
                              SYS_setuid,  SYS_setgid,  SYS_process_vm_readv, SYS_keyctl, SYS_io_setup, SYS_shmget},
                 granted[] = {SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid,
                              SYS_sched_yield, SYS_close, SYS_fsync, SYS_fdatasync, SYS_dup, SYS_lseek, SYS_fstat,
                              SYS_read, SYS_write, SYS_fchmod, SYS_ftruncate, SYS_getdents64};

static int try_row(size_t i)
{
    char a[200], b[200];
    int fd = -1, result = -1;
    errno = 0;
    snprintf(a, sizeof a, "%s/%s", folder, rows[i].a);
    snprintf(b, sizeof b, rows[i].b && rows[i].b[0] == '/' ? "%.0s%s" : "%s/%s", folder, rows[i].b ? rows[i].b : "");
    switch (rows[i].what) {
    case LIST: fd = result = open(a, O_RDONLY | O_DIRECTORY | O_CLOEXEC); break;
    case READ: fd = result = open(a, O_RDONLY | O_CLOEXEC); break;
    case WRITE: fd = result = open(a, O_WRONLY | O_CLOEXEC); break;
    case TRUNCATE: fd = result = open(a, O_WRONLY | O_TRUNC | O_CLOEXEC); break;
    case REMOVE: result = unlink(a); break;
    case RENAME: result = rename(a, b); break;
    case MAKE_FOLDER: result = mkdir(a, 0700); break;
    case LINK: result = symlink(b, a); break;
    }
    int error = result < 0 ? errno : 0;
    if (fd >= 0)
        close(fd);
    return error;
}

static bool confine_child(void)
{
    static const char *const read_too[] = {"read", "file"};
    static char path[3][200];
    struct confine c = {0};
    const char *why;
    for (int i = 0; i < 2; i++) {
        snprintf(path[i], sizeof path[i], "%s/%s", folder, read_too[i]);
        confine_read(&c, path[i]);
    }
    snprintf(path[2], sizeof path[2], "%s/write", folder);
    confine_write(&c, path[2]);
    return confine_thread(&c, &why);
}

/* 0: all is as expected; else which was not. */
static int try_all(void)
{
    if (!confine_child())
        return 1;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int error = try_row(i);
        if (error != rows[i].error && (!rows[i].other || error != rows[i].other))
            return 10 + (int)i;
    }
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (syscall(refused[i], -1, 0, 0, 0, 0, 0) != -1 || errno != EPERM)
            return 100 + (int)i;
    for (size_t i = 0; i < sizeof granted / sizeof granted[0]; i++)
        if (syscall(granted[i], -1, 0, 0, 0, 0, 0) == -1 && errno == EPERM)
            return 150 + (int)i;
    return 0;
}

static void each_right_by_itself(void **state)
{
    (void)state;
    if (!can_confine)
        skip();
    static const char *const folders_of[] = {"read/inner", "write/inner", "beside"},
                            *const files[] = {"read/inner/b", "write/old", "write/inner/old", "beside/file", "file"};
    for (int i = 0; i < 3; i++) {
        char path[200];
        snprintf(path, sizeof path, "%s/%s", folder, folders_of[i]);
        mkdir(path, 0700);
    }
    for (int i = 0; i < 5; i++)
        put(files[i], "text\n");
    int status;
    pid_t pid = fork();
    if (pid == 0)
        _exit(try_all());
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    int wrong = WEXITSTATUS(status);
    if (wrong >= 10 && wrong < 100)
        fail_msg("%s, thing %d", rows[wrong - 10].a, rows[wrong - 10].what);
    assert_int_equal(wrong, 0);
}

/* Numbers of calls are others where a process calls as one of 32 bits: it is ended. */
static void calls_of_32_bits(void **state)
{
    (void)state;
#ifdef __x86_64__
    if (!can_confine)
        skip();
    int status[2];
    for (int confined = 0; confined < 2; confined++) {
        pid_t pid = fork();
        if (pid == 0) {
            signal(SIGSEGV, SIG_DFL); /* which a system without such calls sends; else the tests would go on here */
            long result = 20;         /* getpid */
            if (confined && !confine_child())
                _exit(1);
            __asm__ volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
            _exit(result == getpid() ? 0 : 2);
        }
        assert_int_equal(waitpid(pid, &status[confined], 0), pid);
    }
    if (!WIFEXITED(status[0]) || WEXITSTATUS(status[0]) != 0)
        skip(); /* this system has none */
    assert_true(WIFSIGNALED(status[1]) && WTERMSIG(status[1]) == SIGSYS);
#else
    skip();
#endif
}

/* ---- jobs ---- */

static const char good[] = "#!amber\nBUFFER b DATA_TYPE uint32 SIZE 2 FILE TEXT read/a\nEXPECT b IDX 0 EQ 7 8\n";
static const char above[] = "#!amber\nBUFFER b DATA_TYPE uint32 SIZE 2 FILE TEXT read/../../../etc/passwd\n";
static const char endless[] =
    "#!amber\nSHADER compute c TGSI\nCOMP\nDCL TEMP[0]\nBGNLOOP\nADD TEMP[0], TEMP[0], TEMP[0]\nENDLOOP\nEND\nEND\n"
    "PIPELINE compute p\nATTACH c\nEND\nRUN p 1 1 1\n";
static const char large[] = "#!amber\nBUFFER b DATA_TYPE uint32 SIZE 1000000 FILL 1\n";

static weft_status run(const char *text, const weft_job_params *params, char code[40])
{
    char name[200];
    weft_job *job;
    weft_diags *diags = weft_diags_new();
    snprintf(name, sizeof name, "%s/job.amber", folder);
    weft_status status = weft_job_new(name, text, strlen(text), diags, &job);
    if (status == WEFT_OK)
        status = weft_job_run(job, params, diags);
    const weft_diag *d = weft_diags_get(diags, 0);
    snprintf(code, 40, "%s", d ? d->code : "");
    weft_job_free(job);
    weft_diags_free(diags);
    return status;
}

static void jobs_in_the_sandbox(void **state)
{
    (void)state;
    char code[40];
    weft_job_params params;
    weft_job_params_init(&params);
    assert_int_equal(run(good, &params, code), WEFT_OK);
    params.sandbox = 1;
    if (!can_confine) {
        assert_int_equal(run(good, &params, code), WEFT_ERROR_UNSUPPORTED);
        assert_string_equal(code, "sandbox");
        return;
    }
    assert_int_equal(run(good, &params, code), WEFT_OK);
    assert_int_equal(run(above, &params, code), WEFT_ERROR_FILE);
    assert_string_equal(code, "outside-folder");
    params.engine = weft_jit() ? WEFT_ENGINE_JIT : WEFT_ENGINE_INTERP;
    params.seconds = 0.2;
    params.budget = 0;
    assert_int_equal(run(endless, &params, code), WEFT_ERROR_TIME);
    /* The caller has its rights. */
    assert_int_equal(opens("other", O_RDONLY), 0);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(fd >= 0);
    close(fd);
}

static void jobs_with_limits(void **state)
{
    (void)state;
    char code[40];
    weft_job_params params;
    weft_job_params_init(&params);
    params.memory = 1 << 20;
    assert_int_equal(run(large, &params, code), WEFT_ERROR_MEMORY);
    assert_string_equal(code, "memory-limit");
    params.memory = 64 << 20;
    assert_int_equal(run(large, &params, code), WEFT_OK);
    params.budget = 0;
    params.seconds = 0.1;
    assert_int_equal(run(endless, &params, code), WEFT_ERROR_TIME);
    assert_string_equal(code, "time-limit");
    params.budget = 100000;
    params.seconds = 100;
    assert_int_equal(run(endless, &params, code), WEFT_ERROR_BUDGET);
    assert_string_equal(code, "budget");
}

static void texts_with_limits(void **state)
{
    (void)state;
    weft_program *p;
    weft_program_options o;
    weft_diags *diags = weft_diags_new();
    char *text = malloc(400000), *to = text;
    for (int i = 0; i < 50000; i++)
        to += sprintf(to, "nop\n");
    weft_program_options_init(&o);
    o.memory = 1 << 20;
    assert_int_equal(weft_program_from_text("vpu", "a", text, (size_t)(to - text), &o, diags, &p), WEFT_ERROR_MEMORY);
    assert_non_null(weft_diags_get(diags, 0));
    assert_string_equal(weft_diags_get(diags, 0)->code, "memory");
    o.memory = 256 << 20;
    assert_int_equal(weft_program_from_text("vpu", "a", text, (size_t)(to - text), &o, NULL, &p), WEFT_OK);
    weft_program_free(p);
    weft_diags_free(diags);
    free(text);
}

static void folders(void **state)
{
    (void)state;
    char path[200];
    snprintf(path, sizeof path, "%s/read", folder);
    assert_true(path_is_below(folder, path));
    assert_true(path_is_below(path, path));
    assert_false(path_is_below(path, folder));
    assert_false(path_is_below(NULL, path));
    assert_false(path_is_below("/nowhere", "/nowhere/a"));
    assert_true(path_is_below("/", path));
    snprintf(path, sizeof path, "%s/read/none", folder);
    assert_true(path_is_below(folder, path));
    snprintf(path, sizeof path, "%s/read/../../none", folder);
    assert_false(path_is_below(folder, path));
    snprintf(path, sizeof path, "%s2/a", folder);
    assert_false(path_is_below(folder, path));
}

static int make_folder(void **state)
{
    (void)state;
    char path[200];
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/read", folder);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/write", folder);
    mkdir(path, 0700);
    put("read/a", "7 8\n");
    put("other", "9\n");
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[200];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

TEST_MAIN_BETWEEN(make_folder, remove_folder, TEST(rights_are_gone), TEST(each_right_by_itself),
                  TEST(calls_of_32_bits), TEST(jobs_in_the_sandbox), TEST(jobs_with_limits), TEST(texts_with_limits),
                  TEST(folders))
