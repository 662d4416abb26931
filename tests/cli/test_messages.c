/* test_messages.c - what weft says on standard error: in colour on terminals that want it, whole however long it is,
 * and how much more there was. */
#include "test.h"

#include <fcntl.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/diag.h"
#include "cli/cli.h"

/* ---- colour ---- */

static void set(const char *name, const char *value)
{
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

/* What comes out of a process whose standard error is a terminal, or a pipe. */
static void say(bool terminal, const char *term, const char *no, char *said, size_t size)
{
    int ends[2] = {-1, -1}, status;
    if (terminal) {
        ends[0] = posix_openpt(O_RDWR | O_NOCTTY);
        assert_true(ends[0] >= 0 && grantpt(ends[0]) == 0 && unlockpt(ends[0]) == 0);
        ends[1] = open(ptsname(ends[0]), O_RDWR | O_NOCTTY);
        assert_true(ends[1] >= 0);
    } else {
        assert_int_equal(pipe(ends), 0);
    }
    pid_t pid = fork();
    if (pid == 0) {
        weft_diags *diags = weft_diags_new();
        diag_add(diags, WEFT_ERROR, "syntax", NULL, NULL, "wrong");
        set("TERM", term);
        set("NO_COLOR", no);
        dup2(ends[1], STDERR_FILENO);
        cli_report(diags);
        weft_diags_free(diags);
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    ssize_t n = read(ends[0], said, size - 1); /* a line, which is less than either keeps */
    said[n > 0 ? n : 0] = '\0';
    close(ends[0]);
    close(ends[1]);
}

static void colours_are_for_terminals(void **state)
{
    static const struct {
        bool terminal;
        const char *term, *no;
        bool coloured;
    } rows[] = {
        {true, "xterm", NULL, true},   {true, NULL, NULL, true},   {true, "", NULL, true},
        {true, "dumb", NULL, false},   {true, "xterm", "", true},  {true, "xterm", "1", false},
        {true, "xterm", "0", false},   {true, "dumb", "", false},  {true, "dumber", NULL, true},
        {false, "xterm", NULL, false}, {false, NULL, NULL, false},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char said[200];
        say(rows[i].terminal, rows[i].term, rows[i].no, said, sizeof said);
        assert_non_null(strstr(said, "wrong"));
        if (!!strstr(said, "\033[") != rows[i].coloured)
            fail_msg("row %u: '%s'", i, said);
    }
}

/* ---- length ---- */

static void messages_are_whole(void **state)
{
    (void)state;
    for (size_t length = 900; length < 1100; length++) {
        weft_diags *diags = weft_diags_new();
        char text[1200], *printed = NULL, want[2000];
        size_t size;
        memset(text, 'a', length);
        text[length - 1] = 'z';
        text[length] = '\0';
        diag_add(diags, WEFT_ERROR, "syntax", NULL, text, "m");
        FILE *f = open_memstream(&printed, &size);
        cli_put_diag(f, weft_diags_get(diags, 0));
        fclose(f);
        assert_true(weft_diag_format(weft_diags_get(diags, 0), 0, want, sizeof want) < sizeof want);
        assert_string_equal(printed, want);
        assert_non_null(strstr(printed, text));
        free(printed);
        weft_diags_free(diags);
    }
}

static void say_to(FILE *to, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    cli_say(to, fmt, ap);
    va_end(ap);
}

static void texts_are_whole_and_steer_nothing(void **state)
{
    (void)state;
    for (size_t length = 4090; length < 4102; length++) {
        char text[4200], *printed = NULL;
        size_t size;
        memset(text, 'b', length);
        text[length] = '\0';
        FILE *f = open_memstream(&printed, &size);
        say_to(f, "%s", text);
        fclose(f);
        assert_string_equal(printed, text);
        free(printed);
    }
    char *printed = NULL;
    size_t size;
    FILE *f = open_memstream(&printed, &size);
    say_to(f, "%d%s", 7, "a\033[2Jb");
    fclose(f);
    assert_null(strchr(printed, '\033'));
    assert_true(printed[0] == '7' && printed[1] == 'a' && printed[size - 1] == 'b');
    free(printed);
}

/* ---- which ---- */

static void printed_of(const weft_diags *diags, weft_severity least, char *out, size_t size)
{
    FILE *f = fmemopen(out, size, "w");
    cli_report_severity(f, diags, least);
    fclose(f);
}

static unsigned times(const char *text, const char *word)
{
    unsigned n = 0;
    for (; (text = strstr(text, word)) != NULL; text += strlen(word))
        n++;
    return n;
}

static void those_that_are_severe(void **state)
{
    (void)state;
    static char text[100000], more[60];
    weft_diags *diags = weft_diags_new();
    diag_add(diags, WEFT_NOTE, "syntax", NULL, NULL, "of note");
    diag_add(diags, WEFT_WARNING, "syntax", NULL, NULL, "of warning");
    diag_add(diags, WEFT_ERROR, "syntax", NULL, NULL, "of error");
    printed_of(diags, WEFT_NOTE, text, sizeof text);
    assert_true(strstr(text, "of note") && strstr(text, "of warning") && strstr(text, "of error"));
    printed_of(diags, WEFT_WARNING, text, sizeof text);
    assert_true(!strstr(text, "of note") && strstr(text, "of warning") && strstr(text, "of error"));
    printed_of(diags, WEFT_ERROR, text, sizeof text);
    assert_true(!strstr(text, "of note") && !strstr(text, "of warning") && strstr(text, "of error"));
    assert_null(strstr(text, "more"));
    for (unsigned i = 0; i < 300; i++)
        diag_add(diags, i % 3 ? WEFT_ERROR : WEFT_WARNING, "syntax", NULL, NULL, "of many");
    size_t stored = 0, errors = 0;
    for (const weft_diag *d; (d = weft_diags_get(diags, stored)) != NULL; stored++)
        errors += d->severity == WEFT_ERROR;
    assert_true(stored == 200 && errors == 100); /* weft/diag.h */
    printed_of(diags, WEFT_NOTE, text, sizeof text);
    snprintf(more, sizeof more, "\n%zu more not shown\n", 303 - stored);
    assert_non_null(strstr(text, more));
    assert_int_equal(times(text, "of "), stored);
    printed_of(diags, WEFT_ERROR, text, sizeof text);
    snprintf(more, sizeof more, "\n%zu more not shown\n", 201 - errors);
    assert_non_null(strstr(text, more));
    assert_int_equal(times(text, "of "), errors);
    weft_diags_free(diags);
}

static void statuses(void **state)
{
    (void)state;
    assert_int_equal(cli_status(WEFT_OK), 0);
    assert_int_equal(cli_status(WEFT_ERROR_USAGE), 2);
    assert_int_equal(cli_status(WEFT_ERROR_INPUT), 1);
    assert_int_equal(cli_status(WEFT_ERROR_MEMORY), 1);
}

TEST_MAIN(TEST(colours_are_for_terminals), TEST(messages_are_whole), TEST(texts_are_whole_and_steer_nothing),
          TEST(those_that_are_severe), TEST(statuses))
