/* test_limits.c - the limits that each command may be given: their numbers, and which files a sandbox lets be read and
 * written, with confinement of the test's own that notes what it is told. Each command line has a process of its own.
 */
#include "line.h"
#include "test.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/confine.h"
#include "cli/cli.h"
#include "cli/limits.h"

enum { TEXT = 1000 };

static int to; /* a pipe, in the process of a command line */

static void tell(const char *what, const char *path)
{
    char text[TEXT];
    int n = snprintf(text, sizeof text, "%s%s ", what, path);
    if (write(to, text, (size_t)n) != n)
        _exit(9);
}

void confine_read(struct confine *c, const char *path)
{
    (void)c;
    tell("r:", path);
}

void confine_write(struct confine *c, const char *path)
{
    (void)c;
    tell("w:", path);
}

bool confine_thread(const struct confine *c, const char **why)
{
    (void)c;
    (void)why;
    return true;
}

/* Reads the options of "NAME WORD...", as the command does. The status: 0, or of what is wrong. */
static int take(const char *line, const struct cli_command *command)
{
    struct line l;
    line_split(&l, line);
    struct cli_args a = {.command = command, .argc = l.words, .argv = l.word};
    int key;
    while ((key = cli_next(&a)) != OPTION_END)
        if (key == OPTION_STOP)
            return a.status;
    return 0;
}

static const struct cli_command *const commands[] = {&command_asm,  &command_dis, &command_check, &command_isa,
                                                     &command_draw, &command_run, &command_boot,  &command_explain};

static const struct cli_command *command_of(const char *line)
{
    const struct cli_commands all = {commands, sizeof commands / sizeof commands[0], "", "", ""};
    char name[20];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(line, " "), line);
    const struct cli_command *found = cli_find(&all, name);
    assert_non_null(found);
    return found;
}

/* What a process of the command line tells, and its status. */
static int tried(const char *line, void (*ask)(void), char *told, size_t size)
{
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDERR_FILENO);
        to = ends[1];
        status = take(line, command_of(line));
        if (status == 0 && ask)
            ask();
        _exit(status);
    }
    close(ends[1]);
    size_t n = 0;
    for (ssize_t more; (more = read(ends[0], told + n, size - 1 - n)) > 0;)
        n += (size_t)more;
    told[n] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* ---- files ---- */

/* A command line, and all that may be read (r:) and written (w:), in any order. */
static const struct {
    const char *line, *files;
} rows[] = {
    {"asm --sandbox a.vpu", "r:a.vpu"},
    {"asm a.vpu", ""},
    {"asm --sandbox a.vpu -o b.bin", "r:a.vpu w:."},
    {"asm --sandbox a.vpu --out=dir/sub/b.bin", "r:a.vpu w:dir/sub"},
    {"asm --sandbox -eo /b.bin a.vpu", "r:a.vpu w:/"},
    {"asm --sandbox -e --resume=dir/j a.vpu", "r:a.vpu r:dir w:dir"},
    {"dis --sandbox dir/a.bin -i vpu", "r:dir/a.bin r:vpu"},
    {"dis --sandbox a.tgsi#2", "r:a.tgsi"},
    {"dis --sandbox -D k=v -I lib -I more/lib a.frag", "r:a.frag r:lib r:more/lib"},
    {"run --sandbox jobs/a.amber", "r:jobs/a.amber r:jobs"},
    {"run --sandbox a.amber /b.amber", "r:a.amber r:. r:/b.amber r:/"},
    {"run --sandbox --list lists/l", "r:lists"},
    {"run --sandbox a.comp --uniform u=3", "r:a.comp r:."},
    {"draw --sandbox a.tgsi -o p.png --uniform u=1,2", "r:a.tgsi w:."},
    {"draw --sandbox a.tgsi --texture 0=t/x.png", "r:a.tgsi r:t/x.png"},
    {"draw --sandbox a.tgsi --texture 0=t/x.png:nearest", "r:a.tgsi r:t/x.png r:t/x.png:nearest"},
    {"draw --sandbox a.tgsi --texture n=a,b/c:array:repeat",
     "r:a.tgsi r:a r:a,b/c r:a,b/c:array r:a,b/c:array:repeat r:b/c r:b/c:array r:b/c:array:repeat"},
    {"draw --sandbox a.tgsi --texture n=a=b", "r:a.tgsi r:a=b"},
    {"explain --sandbox a.vpu", "r:a.vpu"},
};

static void a_sandbox_lets_files_be_read(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char told[TEXT];
        struct line got, want;
        assert_int_equal(tried(rows[i].line, NULL, told, sizeof told), 0);
        line_split(&got, told);
        line_split(&want, rows[i].files);
        bool same = got.words == want.words;
        for (int k = 0; k < want.words && same; k++) {
            bool there = false;
            for (int g = 0; g < got.words; g++)
                there = there || strcmp(got.word[g], want.word[k]) == 0;
            same = there;
        }
        if (!same)
            fail_msg("%s: %s, not %s", rows[i].line, told, rows[i].files);
    }
}

/* ---- numbers ---- */

static void ask_memory(void)
{
    struct rlimit most;
    char text[40];
    getrlimit(RLIMIT_DATA, &most);
    snprintf(text, sizeof text, "%llu", (unsigned long long)limits_memory());
    tell(limits_memory() && most.rlim_cur != limits_memory() ? "another:" : "", text);
    tell("", limits_engine(WEFT_ENGINE_AUTO) == WEFT_ENGINE_INTERP && limits_engine(WEFT_ENGINE_JIT) == WEFT_ENGINE_JIT
                 ? "interp"
                 : "auto");
}

static const struct {
    const char *size;
    uint64_t bytes; /* 0: refused */
} sizes[] = {
    {"1M", 1 << 20},
    {"1048576", 1 << 20},
    {"1048575", 0},
    {"1K", 0},
    {"1024K", 1 << 20},
    {"1023K", 0},
    {"0x100000", 1 << 20},
    {"0xfffff", 0},
    {"3G", 3ull << 30},
    {"0G", 0},
    {"G", 0},
    {"1m", 0},
    {"1T", 0},
    {"1.5G", 0},
    {"-1M", 0},
    {"1MM", 0},
    {"17179869183G", 17179869183ull << 30},
    {"17179869184G", 0},
    {"18446744073709551615", UINT64_MAX},
    {"18446744073709551616", 0},
    {"00000000000000000000000000001M", 1 << 20},
    {"000000000000000000000000000000001M", 0},
};

static void memory_has_a_size(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char line[TEXT], told[TEXT], want[TEXT] = "";
        snprintf(line, sizeof line, "dis --memory %s a", sizes[i].size);
        if (sizes[i].bytes)
            snprintf(want, sizeof want, "%llu interp ", (unsigned long long)sizes[i].bytes);
        int status = tried(line, ask_memory, told, sizeof told);
        if (status != (sizes[i].bytes ? 0 : STATUS_USAGE) || strcmp(told, want) != 0)
            fail_msg("%s: status %d, '%s', not '%s'", line, status, told, want);
    }
    char told[TEXT];
    assert_int_equal(tried("dis a", ask_memory, told, sizeof told), 0);
    assert_string_equal(told, "0 auto ");
}

/* The library stops programs in time; the clock of the process is for all else, a little later. */
static void ask_time(void)
{
    struct itimerval left;
    char text[60];
    getitimer(ITIMER_REAL, &left);
    double later = (double)left.it_value.tv_sec + 1e-6 * (double)left.it_value.tv_usec - limits_seconds();
    snprintf(text, sizeof text, "%g", limits_seconds());
    tell(limits_seconds() == 0 || (later > -0.05 && later < 0.5) ? "" : "late:", text);
}

static const struct {
    const char *time, *seconds; /* NULL: refused */
} times[] = {
    {"0.5", "0.5"}, {"1", "1"},   {"2", "2"},    {"3.25", "3.25"}, {"1e8", "1e+08"}, {"100000001", NULL}, {"0", NULL},
    {"9e-4", NULL}, {"-1", NULL}, {"nan", NULL}, {"inf", NULL},    {"1s", NULL},     {"s", NULL},
};

static void time_is_seconds(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof times / sizeof times[0]; i++)
        for (unsigned other = 0; other < 2; other++) {
            char line[TEXT], told[TEXT], want[TEXT] = "";
            snprintf(line, sizeof line, "dis %s %s a", other ? "--time" : "--timeout", times[i].time);
            if (times[i].seconds)
                snprintf(want, sizeof want, "%s ", times[i].seconds);
            int status = tried(line, ask_time, told, sizeof told);
            if (status != (times[i].seconds ? 0 : STATUS_USAGE) || strcmp(told, want) != 0)
                fail_msg("%s: status %d, '%s', not '%s'", line, status, told, want);
        }
}

static void a_budget_is_a_number(void **state)
{
    static const char *const fine[] = {"0", "1", "0x10", "18446744073709551615"}, *const wrong[] = {
                                                                                      "-1",  "x",
                                                                                      "1x",  "0x",
                                                                                      "1.0", "18446744073709551616"};
    (void)state;
    char line[TEXT], told[TEXT];
    for (unsigned i = 0; i < sizeof fine / sizeof fine[0]; i++) {
        snprintf(line, sizeof line, "dis --budget %s a", fine[i]);
        assert_int_equal(tried(line, NULL, told, sizeof told), 0);
    }
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        snprintf(line, sizeof line, "dis --budget %s a", wrong[i]);
        assert_int_equal(tried(line, NULL, told, sizeof told), STATUS_USAGE);
    }
}

/* A command with an option of the same name has its own; all others have these. */
static void commands_have_limits(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof commands / sizeof commands[0]; i++)
        for (const struct cli_option *limit = limit_options; limit->key; limit++) {
            bool own = false;
            for (const struct cli_option *o = commands[i]->options; o->key; o++)
                own = own || strcmp(o->name, limit->name) == 0;
            assert_int_equal(limits_applies(commands[i], limit), !own);
        }
}

TEST_MAIN(TEST(a_sandbox_lets_files_be_read), TEST(memory_has_a_size), TEST(time_is_seconds),
          TEST(a_budget_is_a_number), TEST(commands_have_limits))
