/* test_option_ends.c - the least and the most of each number that an option takes, and one less and one more. The input
 * is a file that is not there: a command that takes the number says so, one that does not calls it wrong usage. */
#include "line.h"
#include "test.h"

#include <fcntl.h>
#include <getopt.h>
#include <stdbool.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/list.h"

enum { TEXT = 300 };

#define DRAW "draw none.tgsi -o none/x.png "
#define RUN  "run none.tgsi "
#define JOB  "run none.amber "
#define BOOT "boot none.bin "
#define DIS  "dis -i vpu none.bin "

/* What a command line takes in the place of %s; or names. */
static const struct {
    const char *line;
    uint64_t least, most;
    bool names;
} rows[] = {
    {DRAW "--size %sx1", 1, 16384},
    {DRAW "--size 1x%s", 1, 16384},
    {DRAW "--threads %s", 1, 256},
    {DRAW "--repeat %s", 1, 1000000},
    {DRAW "--frames %s", 1, 100000},
    {DRAW "--frame %s", 0, 1000000},
    {DRAW "--frame 0 --rate %s", 1, 1000},
    {DRAW "--frames 2 --rate %s", 1, 1000},
    {DRAW "--vertex none.tgsi --vertices %s", 3, 3 << 20},
    {DRAW "--budget %s", 0, UINT64_MAX},
    {DRAW "--texture %s=none.png", 0, 31, true},
    {DRAW "--texture 0=none.raw:%sx1:R8_UNORM", 1, 16384},
    {DRAW "--texture 0=none.raw:1x%s:R8_UNORM", 1, 16384},
    {DRAW "--const %s=none.txt", 0, 15, true},
    {RUN "--groups %s", 1, 65535},
    {RUN "--groups 1,%s", 1, 65535},
    {RUN "--groups 1,1,%s", 1, 65535},
    {RUN "--buffer %s=none.bin", 0, 63, true},
    {RUN "--buffer 0=%s:zero", 1, (uint64_t)1 << 30},
    {RUN "--image %s=4x4", 0, 31, true},
    {RUN "--image 0=%sx1", 1, 16384, true},
    {RUN "--image 0=1x%s", 1, 16384, true},
    {RUN "--texture %s=none.png", 0, 31, true},
    {RUN "--const %s=none.txt", 0, 31, true},
    {RUN "--threads %s", 1, 256},
    {RUN "--budget %s", 0, UINT64_MAX},
    {JOB "--threads %s", 1, 256},
    {JOB "--budget %s", 0, UINT64_MAX},
    {JOB "--trace none/t --trace-id %s", 0, UINT64_MAX},
    {JOB "--trace none/t --trace-at %s,0", 0, UINT32_MAX},
    {JOB "--trace none/t --trace-at 0,%s", 0, UINT32_MAX},
    {BOOT "--load %s", 0, UINT32_MAX},
    {BOOT "--sdram %s", 1, 512},
    {BOOT "--limit %s", 1, UINT64_MAX},
    {BOOT "--gdb %s", 0, 65535},
    {BOOT "--set r30=%s", 0, UINT32_MAX},
    {BOOT "--set r%s=0", 0, 30},
    {BOOT "--dump %s:1=none/x", 0, UINT32_MAX},
    {BOOT "--dump 0:%s=none/x", 0, UINT32_MAX},
    {DIS "--base %s", 0, UINT32_MAX},
    {DIS "--start %s", 0, UINT32_MAX},
    {DIS "--length %s", 0, UINT32_MAX},
    {"asm -i vpu none.vpu --base %s", 0, UINT32_MAX},
};

static const struct cli_command *const commands[] = {&command_asm, &command_dis, &command_draw, &command_run,
                                                     &command_boot};

static int status_of(const char *line)
{
    struct line l;
    line_split(&l, line);
    const struct cli_commands all = {commands, sizeof commands / sizeof commands[0], "", "", ""};
    const struct cli_command *command = cli_find(&all, l.word[0]);
    assert_non_null(command);
    optind = 0; /* getopt begins anew */
    return command->list ? list_command(command, l.words, l.word) : command->run(l.words, l.word);
}

static unsigned wrong;

static void try(const char *row, const char *number, int wanted)
{
    char line[TEXT];
    snprintf(line, sizeof line, row, number);
    int status = status_of(line);
    if (status != wanted) {
        printf("# %s: status %d, not %d\n", line, status, wanted);
        wrong++;
    }
}

static void numbers_end(void **state)
{
    (void)state;
    int was = dup(STDERR_FILENO), nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDERR_FILENO); /* where what is wrong is said */
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[40];
        snprintf(text, sizeof text, "%llu", (unsigned long long)rows[i].least);
        try(rows[i].line, text, STATUS_INPUT);
        snprintf(text, sizeof text, "%lld", (long long)rows[i].least - 1);
        if (!rows[i].names || rows[i].least)
            try(rows[i].line, text, STATUS_USAGE);
        snprintf(text, sizeof text, "%llu", (unsigned long long)rows[i].most);
        try(rows[i].line, text, STATUS_INPUT);
        snprintf(text, sizeof text, "%llu", (unsigned long long)rows[i].most + 1);
        try(rows[i].line, rows[i].most == UINT64_MAX ? "18446744073709551616" : text, STATUS_USAGE);
        if (!rows[i].names)
            try(rows[i].line, "", STATUS_USAGE);
    }
    dup2(was, STDERR_FILENO);
    close(was);
    close(nowhere);
    assert_int_equal(wrong, 0);
}

TEST_MAIN(TEST(numbers_end))
