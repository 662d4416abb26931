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
    static const char *const names[] = {"read/a", "other", "write/new"}, *const folders_of[] = {"read", "write", ""};
    char path[200];
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, folders_of[i]);
        rmdir(path);
    }
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(rights_are_gone), TEST(jobs_in_the_sandbox), TEST(jobs_with_limits),
                                       TEST(texts_with_limits), TEST(folders)};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
