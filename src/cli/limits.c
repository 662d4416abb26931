/* limits.c - see limits.h. Memory is the system's limit of the process, time its clock. */
#include "cli/limits.h"

#include "base/confine.h"
#include "cli/beside.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

const struct cli_option limit_options[] = {
    {LIMIT_MEMORY, "memory", "SIZE", "stop when weft would take more: bytes, or 512K, 64M, 2G (default: no limit)"},
    {LIMIT_TIME, "timeout", "SECONDS", "stop when all of it takes longer, by the clock (default: no limit)"},
    {LIMIT_TIME, "time", "SECONDS", "the same"},
    {LIMIT_BUDGET, "budget", "N", "stop a program that has run N instructions; this command runs none"},
    {LIMIT_SANDBOX, "sandbox", NULL,
     "give up all other files, the network and other processes before reading anything"},
    {0},
};

/* Of this run of the program. */
static struct {
    uint64_t memory;
    double seconds;
    bool sandbox, begun;
} limits;

uint64_t limits_memory(void)
{
    return limits.memory;
}

double limits_seconds(void)
{
    return limits.seconds;
}

weft_engine limits_engine(weft_engine asked)
{
    return limits.memory && asked == WEFT_ENGINE_AUTO ? WEFT_ENGINE_INTERP : asked;
}

bool limits_applies(const struct cli_command *command, const struct cli_option *limit)
{
    for (const struct cli_option *o = command->options; o->key; o++)
        if (strcmp(o->name, limit->name) == 0)
            return false;
    return true;
}

/* ---- options ---- */

static bool take_memory(const struct cli_args *a)
{
    enum { LEAST = 1 << 20 };
    static const char units[] = "KMG";
    char digits[32];
    size_t n = strlen(a->value);
    const char *unit = n ? strchr(units, a->value[n - 1]) : NULL;
    unsigned shift = unit && *unit ? 10 * (unsigned)(unit - units + 1) : 0;
    uint64_t number = 0;
    snprintf(digits, sizeof digits, "%.*s", (int)(n - (shift != 0)), a->value);
    if (n < sizeof digits && cli_number(digits, 1, UINT64_MAX >> shift, &number) && number << shift >= LEAST) {
        limits.memory = number << shift;
        return true;
    }
    cli_wrong(a->command, "--memory is a size of 1M or more, in bytes or with K, M or G, not '%s'", a->value);
    return false;
}

static bool take_seconds(const struct cli_args *a)
{
    char *end;
    double seconds = strtod(a->value, &end);
    if (end != a->value && !*end && isfinite(seconds) && seconds >= 0.001 && seconds <= 1e8) {
        limits.seconds = seconds;
        return true;
    }
    cli_wrong(a->command, "--timeout is a number of seconds, 0.001 at least, not '%s'", a->value);
    return false;
}

/* Commands that run programs have an option of their own: here it is one that everybody may give. */
static bool take_budget(const struct cli_args *a)
{
    uint64_t budget;
    if (cli_number(a->value, 0, UINT64_MAX, &budget))
        return true;
    cli_wrong(a->command, "--budget is a number of instructions, not '%s'", a->value);
    return false;
}

bool limits_take(const struct cli_args *a, int key)
{
    if (key == LIMIT_BUDGET)
        return take_budget(a);
    if (key == LIMIT_MEMORY)
        return take_memory(a);
    if (key == LIMIT_TIME)
        return take_seconds(a);
    limits.sandbox = true;
    return true;
}

/* ---- time ---- */

/* The library stops programs in time, and says where; this is for all else that takes long. */
static void is_late(int number)
{
    static const char text[] = "weft: error: the time limit is used up (--timeout) [time-limit]\n";
    (void)number;
    beside_remove();
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
        _exit(STATUS_INPUT);
    _exit(STATUS_INPUT);
}

static void begin_clock(void)
{
    enum { MICROSECONDS = 1000000 };
    double later = limits.seconds + (limits.seconds < 2 ? limits.seconds * 0.2 : 0.4);
    struct itimerval when = {.it_value = {.tv_sec = (time_t)later,
                                          .tv_usec = (suseconds_t)((later - floor(later)) * MICROSECONDS)}};
    struct sigaction action = {.sa_handler = is_late};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &when, NULL);
}

/* ---- the sandbox ---- */

/* Options that name files to be written. */
static bool is_written(const char *name)
{
    static const char *const names[] = {"output", "dump",   "dump-buffer", "dump-image",
                                        "trace",  "resume", "html",        "uart"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* The folder of a path, to be kept until the program ends. */
static const char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? cli_kept(strndup(path, slash == path ? 1 : (size_t)(slash - path))) : ".";
}

/* FILE[,FILE...][:WORD...]: a file's name may end before each colon, and begins after each comma. */
static void allow_texture(struct confine *c, const char *files)
{
    for (const char *at = files; *at; at++) {
        bool begins = at == files || at[-1] == ',';
        for (const char *end = at; begins && *end; end++)
            if (!end[1] || end[1] == ':' || end[1] == ',')
                confine_read(c, cli_kept(strndup(at, (size_t)(end + 1 - at))));
    }
}

/* What an option or operand names: FILE, N=FILE, FILE#N. */
static void allow_read(struct confine *c, const char *word)
{
    uint32_t program;
    const char *equals = strchr(word, '=');
    confine_read(c, cli_kept(strndup(word, cli_path_length(word, &program))));
    if (equals)
        confine_read(c, equals + 1);
}

static void allow_option(struct confine *c, const struct cli_option *o, const char *value)
{
    const char *equals = strrchr(value, '=');
    if (strcmp(o->name, "define") == 0 || strcmp(o->name, "uniform") == 0) /* are not files */
        return;
    if (equals && (strcmp(o->name, "texture") == 0 || strcmp(o->name, "image") == 0)) {
        allow_texture(c, strchr(value, '=') + 1);
        return;
    }
    if (strcmp(o->name, "resume") == 0) /* is read as well */
        confine_read(c, folder_of(value));
    if (is_written(o->name))
        confine_write(c, folder_of(equals ? equals + 1 : value));
    else if (strcmp(o->name, "list") == 0)
        confine_read(c, folder_of(value));
    else
        allow_read(c, value);
}

/* Every option that has a value: the command line is read once more, in which options may be shortened and joined. */
static void allow_options(struct confine *c, const struct cli_args *a)
{
    struct cli_args again = {.command = a->command, .argc = a->argc, .argv = a->argv};
    optind = 0;
    for (int key; (key = cli_next(&again)) != OPTION_END && key != OPTION_STOP;)
        for (const struct cli_option *o = a->command->options; o->key; o++)
            if (o->key == key && o->arg) {
                allow_option(c, o, again.value);
                break;
            }
}

static int begin_sandbox(const struct cli_args *a)
{
    static struct confine c;
    const char *why;
    weft_jit(); /* what may be needed is loaded now: later nothing more can be */
    weft_shader_compilers();
    allow_options(&c, a);
    for (int i = cli_operands(a); i < a->argc; i++) {
        allow_read(&c, a->argv[i]);
        if (strcmp(a->command->name, "run") == 0) /* a job's own folder */
            confine_read(&c, folder_of(a->argv[i]));
    }
    if (confine_thread(&c, &why))
        return STATUS_FINE;
    cli_message("--sandbox: %s", why);
    return STATUS_INPUT;
}

int limits_begin(const struct cli_args *a)
{
    struct rlimit most = {limits.memory, limits.memory};
    if (limits.begun)
        return STATUS_FINE;
    limits.begun = true;
    if (limits.memory && setrlimit(RLIMIT_DATA, &most) != 0) {
        cli_message("--memory: the system refuses it: %s", strerror(errno));
        return STATUS_INPUT;
    }
    if (limits.seconds > 0)
        begin_clock();
    return limits.sandbox ? begin_sandbox(a) : STATUS_FINE;
}
