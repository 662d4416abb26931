/* commands.c - a program's list of commands: which is meant, and how they are shown. */
#include "cli/cli.h"

#include <string.h>

const struct cli_command *cli_find(const struct cli_commands *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->commands[i]->name, name) == 0)
            return list->commands[i];
    return NULL;
}

void cli_usage(FILE *out, const struct cli_commands *list)
{
    fprintf(out, "%s\n\nusage: %s COMMAND [OPTION...] [FILE...]\n\n", list->about, list->call);
    for (size_t i = 0; i < list->count; i++)
        fprintf(out, "  %-10s %s\n", list->commands[i]->name, list->commands[i]->summary);
    fputs(list->closing, out);
}

bool cli_asks_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
}

bool cli_asks_version(const char *word)
{
    return strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0;
}
