/* main.c - the weft program: which subcommand is meant. */
#include "cli/cli.h"
#include "cli/json.h"
#include "cli/list.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct cli_command *const commands[] = {
    &command_draw, &command_run, &command_boot, &command_asm, &command_dis, &command_check,
    &command_explain, &command_isa,
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static const struct cli_commands program = {
    commands, COMMANDS,
    "weft runs, draws, assembles, disassembles and checks shader programs of GPU instruction sets on a CPU.",
    "weft",
    "  help       explain a command: weft help COMMAND\n\n"
    "weft --version shows the version. Exit status: 0 fine, 1 the input is at fault, 2 wrong usage,\n"
    "3 an expectation failed. For a first picture: weft draw examples/tgsi/phong.tgsi -o phong.png\n",
};

static int unknown(const char *name)
{
    const char *names[COMMANDS + 2];
    char hint[80];
    for (size_t i = 0; i < COMMANDS; i++)
        names[i] = commands[i]->name;
    names[COMMANDS] = "help";
    names[COMMANDS + 1] = "--version";
    cli_message("unknown %s '%s'%s", name[0] == '-' ? "option" : "command", name,
                cli_nearest(name, names, COMMANDS + 2, hint, sizeof hint));
    fputs("'weft help' lists what there is\n", stderr);
    return STATUS_USAGE;
}

static int help(int argc, char **argv)
{
    if (argc < 2 || cli_asks_help(argv[1])) {
        cli_usage(stdout, &program);
        return STATUS_FINE;
    }
    const struct cli_command *c = cli_find(&program, argv[1]);
    if (!c)
        return unknown(argv[1]);
    cli_help(c);
    return STATUS_FINE;
}

static int dispatch(int argc, char **argv)
{
    const char *name = argv[1];
    if (cli_asks_help(name))
        return help(argc - 1, argv + 1);
    if (cli_asks_version(name)) {
        printf("weft %s\n", weft_version());
        cli_show_engines();
        return STATUS_FINE;
    }
    const struct cli_command *c = cli_find(&program, name);
    if (!c)
        return unknown(name);
    return c->list ? list_command(c, argc - 1, argv + 1) : c->run(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    static char buffer[1 << 16]; /* or the C library would ask for one, and lose text where there is none */
    setvbuf(stdout, buffer, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, sizeof buffer);
    if (argc < 2) {
        cli_usage(stderr, &program);
        return STATUS_USAGE;
    }
    json_start();
    int status = dispatch(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        cli_message("cannot write '<stdout>': %s", strerror(errno));
        return STATUS_INPUT;
    }
    return status;
}
