/* gallery_list.c - lines of the gallery's lists, and command lines of `weft draw` in them. */
#include "gallery_list.h"

#include <getopt.h>
#include <string.h>

enum { MOST_WORDS = 64, PARTS = 4 };

/* What scene_parse calls the command in messages. */
const struct cli_command gallery_command = {
    .name = "draw", .synopsis = "", .summary = "", .details = "", .options = scene_options};

static char *trim(char *s)
{
    while (*s == ' ' || *s == '\t')
        s++;
    size_t n = strlen(s);
    while (n && strchr(" \t\r\n", s[n - 1]))
        s[--n] = 0;
    return s;
}

/* False: the line has no four parts. */
static bool split_line(char *line, struct gallery_entry *e)
{
    char *part[PARTS];
    for (int i = 0; i < PARTS; i++) {
        part[i] = line;
        char *bar = i < PARTS - 1 ? strchr(line, '|') : NULL;
        if (i < PARTS - 1 && !bar)
            return false;
        if (bar) {
            *bar = 0;
            line = bar + 1;
        }
    }
    *e = (struct gallery_entry){trim(part[0]), trim(part[1]), trim(part[3]), trim(part[2])};
    return e->name[0] && e->file[0];
}

bool gallery_next(struct gallery_list *l, struct gallery_entry *e)
{
    while (l->rest) {
        char *line = l->rest, *end = strchr(line, '\n');
        l->rest = end ? end + 1 : NULL;
        if (end)
            *end = 0;
        l->number++;
        line = trim(line);
        if (!line[0] || line[0] == '#')
            continue;
        if (split_line(line, e))
            return true;
        cli_message("%s:%zu: not a line `name | file | more | caption`", l->name, l->number);
        l->bad++;
    }
    return false;
}

bool gallery_scene(const struct gallery_entry *e, struct scene_args *args)
{
    static char command[] = "draw";
    char *argv[MOST_WORDS + 1] = {command, (char *)(uintptr_t)e->file}, *rest = NULL;
    int argc = 2, status;
    for (char *word = strtok_r(e->more, " \t", &rest); word && argc < MOST_WORDS; word = strtok_r(NULL, " \t", &rest))
        argv[argc++] = word;
    optind = 1; /* another line, another command line */
    return scene_parse(args, &gallery_command, argc, argv, &status);
}
