/* options.c - options of the subcommands: reading them, explaining them, and saying what is wrong with them. */
#include "cli/limits.h"

#include "base/diag.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { KEY_HELP = 1000 };

static int wrong(FILE *to, const struct cli_command *command, const char *fmt, va_list ap)
{
    fprintf(to, "weft %s: ", command->name);
    cli_say(to, fmt, ap);
    fprintf(to, "\n'weft help %s' explains it\n", command->name);
    return STATUS_USAGE;
}

int cli_wrong(const struct cli_command *command, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    wrong(stderr, command, fmt, ap);
    va_end(ap);
    return STATUS_USAGE;
}

int cli_wrong_to(FILE *to, const struct cli_command *command, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    wrong(to, command, fmt, ap);
    va_end(ap);
    return STATUS_USAGE;
}

const char *cli_nearest(const char *word, const char *const *words, size_t count, char *buffer, size_t size)
{
    const char *found = nearest_word(word, strlen(word), words, count);
    buffer[0] = 0;
    if (found)
        snprintf(buffer, size, "; did you mean '%s'?", found);
    return buffer;
}

bool cli_ends(const char *name, const char *ending)
{
    size_t n = strlen(name), k = strlen(ending);
    return n > k && strcasecmp(name + n - k, ending) == 0;
}

bool cli_number(const char *text, uint64_t least, uint64_t most, uint64_t *out)
{
    char *end;
    errno = 0;
    if (*text < '0' || *text > '9')
        return false;
    bool hex = text[0] == '0' && (text[1] | 0x20) == 'x';
    unsigned long long n = strtoull(text, &end, hex ? 16 : 10);
    if (*end || errno || n < least || n > most)
        return false;
    *out = n;
    return true;
}

/* getopt's two views of a command's table; --help is in every one. */
struct getopt_tables {
    char letters[2 * CLI_MOST_OPTIONS + 3];
    struct option names[CLI_MOST_OPTIONS + 2];
    size_t count;
};

static void make_tables(const struct cli_command *command, struct getopt_tables *t)
{
    char *letter = t->letters;
    size_t n = 0;
    *letter++ = ':'; /* tell a missing argument from an unknown option */
    for (const struct cli_option *o = command->options; o->key && n < CLI_MOST_OPTIONS; o++) {
        if (o->key < 128) {
            *letter++ = (char)o->key;
            if (o->arg)
                *letter++ = ':';
        }
        t->names[n++] = (struct option){o->name, o->arg ? required_argument : no_argument, NULL, o->key};
    }
    for (const struct cli_option *o = limit_options; o->key && n < CLI_MOST_OPTIONS; o++)
        if (limits_applies(command, o))
            t->names[n++] = (struct option){o->name, o->arg ? required_argument : no_argument, NULL, o->key};
    *letter++ = 'h';
    *letter = 0;
    t->names[n++] = (struct option){"help", no_argument, NULL, KEY_HELP};
    t->names[n] = (struct option){0};
    t->count = n;
}

static int unknown_option(const struct cli_args *a, const struct getopt_tables *t)
{
    const char *given = a->argv[optind - 1];
    if (given[0] != '-' || given[1] != '-')
        return cli_wrong(a->command, "unknown option '-%c'", optopt);
    const char *equals = strchr(given, '=');
    size_t length = equals ? (size_t)(equals - given) : strlen(given);
    const char *names[CLI_MOST_OPTIONS + 2];
    for (size_t i = 0; i < t->count; i++)
        names[i] = t->names[i].name;
    const char *near = nearest_word(given + 2, length - 2, names, t->count);
    if (optopt) /* known, but given an argument that it does not take */
        return cli_wrong(a->command, "option '%.*s' takes no argument", (int)length, given);
    if (near)
        return cli_wrong(a->command, "unknown option '%.*s'; did you mean '--%s'?", (int)length, given, near);
    return cli_wrong(a->command, "unknown option '%.*s'", (int)length, given);
}

/* Options that have one value are given once: of two, somebody has forgotten one. False, having said so. */
static bool is_first(struct cli_args *a, int key)
{
    size_t at = 0;
    const struct cli_option *o = a->command->options;
    for (; o->key && o->key != key; o++)
        at++;
    if (!o->key)
        for (o = limit_options; o->key != key; o++)
            at++;
    if (!o->arg || o->many || at >= CLI_MOST_OPTIONS)
        return true;
    if (!a->given[at]) {
        a->given[at] = a->value;
        return true;
    }
    cli_wrong(a->command, "--%s is given twice: '%s' and '%s'", o->name, a->given[at], a->value);
    return false;
}

/* The next option of all that there are. */
static int next_of_all(struct cli_args *a)
{
    struct getopt_tables tables;
    make_tables(a->command, &tables);
    opterr = 0;
    int key = getopt_long(a->argc, a->argv, tables.letters, tables.names, NULL);
    a->value = optarg;
    switch (key) {
    case -1:
        return OPTION_END;
    case KEY_HELP:
    case 'h':
        cli_help(a->command);
        a->status = STATUS_FINE;
        return OPTION_STOP;
    case ':':
        a->status = cli_wrong(a->command, "option '%s' needs an argument", a->argv[optind - 1]);
        return OPTION_STOP;
    case '?':
        a->status = unknown_option(a, &tables);
        return OPTION_STOP;
    default:
        if (is_first(a, key))
            return key;
        a->status = STATUS_USAGE;
        return OPTION_STOP;
    }
}

int cli_next(struct cli_args *a)
{
    int key;
    while ((key = next_of_all(a)) >= LIMIT_MEMORY && key <= LIMIT_SANDBOX)
        if (!limits_take(a, key)) {
            a->status = STATUS_USAGE;
            return OPTION_STOP;
        }
    if (key != OPTION_END)
        return key;
    a->status = limits_begin(a);
    return a->status == STATUS_FINE ? OPTION_END : OPTION_STOP;
}

int cli_operands(const struct cli_args *a)
{
    (void)a;
    return optind;
}

static void show_option(const struct cli_option *o)
{
    char left[64];
    int n = snprintf(left, sizeof left, "%c%c%s--%s%s%s", o->key < 128 ? '-' : ' ', o->key < 128 ? o->key : ' ',
                     o->key < 128 ? ", " : "  ", o->name, o->arg ? " " : "", o->arg ? o->arg : "");
    printf(n <= 26 ? "  %-26s  %s\n" : "  %s\n                              %s\n", left, o->help);
}

void cli_help(const struct cli_command *command)
{
    printf("weft %s - %s\n\nusage: weft %s %s\n", command->name, command->summary, command->name, command->synopsis);
    if (command->details[0])
        printf("\n%s\n", command->details);
    puts("\nOptions:");
    for (const struct cli_option *o = command->options; o->key; o++)
        show_option(o);
    for (const struct cli_option *o = limit_options; o->key; o++)
        if (limits_applies(command, o))
            show_option(o);
    printf("  %-26s  %s\n", "-h, --help", "show this");
}
