/* isa.c - weft isa: the reference of the instruction sets, from the rows that everything else is made of. */
#include "cli/cli.h"
#include "cli/isa_html.h"
#include "cli/isa_row.h"
#include "cli/json.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { KEY_JSON = 256, KEY_HTML };

static const struct cli_option options[] = {
    {KEY_JSON, "json", NULL, "write JSON"},
    {KEY_HTML, "html", "DIR", "write a set of reference pages into the folder DIR"},
    {0},
};

static size_t executed(const weft_isa *isa)
{
    weft_isa_row row;
    size_t n = 0;
    for (size_t i = 0; weft_isa_get_row_names(isa, i, &row); i++)
        n += row.executes != 0;
    return n;
}

static int list_isas(bool as_json)
{
    json_t *list = as_json ? json_array() : NULL;
    const weft_isa *isa;
    if (!as_json)
        printf("%-10s %12s %9s  %s\n", "NAME", "INSTRUCTIONS", "EXECUTED", "WHAT IT IS");
    for (size_t i = 0; (isa = weft_isa_get(i)); i++) {
        if (as_json) {
            json_t *o = json_of_isa(isa);
            json_object_set_new(o, "instructions", json_integer((json_int_t)weft_isa_rows(isa)));
            json_object_set_new(o, "executed", json_integer((json_int_t)executed(isa)));
            json_array_append_new(list, o);
        } else {
            printf("%-10s %12zu %9zu  %s\n", weft_isa_name(isa), weft_isa_rows(isa), executed(isa),
                   weft_isa_title(isa));
        }
    }
    return as_json ? json_show(list) : STATUS_FINE;
}

/* A word and blanks up to a column's width. Lists are thousands of lines: printf would take most of the time. */
static void put_column(const char *word, size_t width)
{
    static const char blanks[] = "                                ";
    size_t length = strlen(word), rest = length < width ? width - length : 0;
    fwrite(word, 1, length, stdout);
    for (rest++; rest; rest -= rest < sizeof blanks - 1 ? rest : sizeof blanks - 1)
        fwrite(blanks, 1, rest < sizeof blanks - 1 ? rest : sizeof blanks - 1, stdout);
}

static void put_row(size_t width, const char *mnemonic, const char *provenance, const char *group, const char *doc)
{
    put_column(mnemonic, width);
    put_column(provenance, 11);
    put_column(group, 22);
    fputs(doc, stdout);
}

/* One line an instruction, so that grep finds what one wants. */
static int list_rows(const weft_isa *isa, bool as_json)
{
    weft_isa_row row;
    if (as_json) {
        json_t *o = json_of_isa(isa), *rows = json_array();
        for (size_t i = 0; i < weft_isa_rows(isa); i++)
            json_array_append_new(rows, json_of_reference(isa, i));
        json_object_set_new(o, "instructions", rows);
        return json_show(o);
    }
    size_t width = 14;
    for (size_t i = 0; weft_isa_get_row_names(isa, i, &row); i++)
        width = strlen(row.mnemonic) > width ? strlen(row.mnemonic) : width;
    put_row(width, "INSTRUCTION", "PROVENANCE", "GROUP", "WHAT IT DOES\n");
    for (size_t i = 0; weft_isa_get_row_names(isa, i, &row); i++) {
        put_row(width, row.mnemonic, weft_provenance_name(row.provenance), row.group, row.doc);
        fputs(row.executes ? "\n" : " (not executed yet)\n", stdout);
    }
    return STATUS_FINE;
}

/* Of names up to their first dot, which say a type after it. */
static void nearest_stem(const char *mnemonic, const char *const *names, size_t count, char *hint, size_t size)
{
    char **stems = cli_kept(calloc(count + 1, sizeof *stems));
    for (size_t i = 0; stems && i < count; i++)
        stems[i] = cli_kept(strndup(names[i], strcspn(names[i], ".")));
    if (stems)
        cli_nearest(mnemonic, (const char *const *)stems, count, hint, size);
    for (size_t i = 0; stems && i < count; i++)
        free(stems[i]);
    free(stems);
}

/* "unknown instruction", with the nearest of the names there are. */
static int unknown_row(const weft_isa *isa, const char *mnemonic)
{
    size_t count = weft_isa_rows(isa), n = 0, others = 0, of;
    const char *what;
    while (weft_isa_other_name(isa, others, &of, &what))
        others++;
    const char **names = cli_kept(calloc(count + others + 1, sizeof *names));
    weft_isa_row row;
    char hint[200] = "";
    for (size_t i = 0; names && weft_isa_get_row_names(isa, i, &row); i++)
        names[n++] = row.mnemonic;
    for (size_t i = 0; names && i < others; i++)
        names[n++] = weft_isa_other_name(isa, i, &of, &what);
    cli_nearest(mnemonic, names, n, hint, sizeof hint);
    if (!hint[0])
        nearest_stem(mnemonic, names, n, hint, sizeof hint);
    free(names);
    return cli_wrong(&command_isa, "%s has no instruction '%s'%s", weft_isa_name(isa), mnemonic, hint);
}

/* How well a row answers to a word. */
enum match { NO_MATCH, HAS, BEGINS, IS_BEFORE_DOT, IS };

static enum match match_name(const char *name, const char *word)
{
    const char *at = strcasestr(name, word);
    size_t length = strlen(word);
    if (!at || at > name)
        return at ? HAS : NO_MATCH;
    return !name[length] ? IS : name[length] == '.' ? IS_BEFORE_DOT : BEGINS;
}

static enum match match_row(const weft_isa *isa, size_t index, const char *word)
{
    weft_isa_row row;
    if (weft_isa_row_is(isa, index, word))
        return IS;
    weft_isa_get_row(isa, index, &row);
    enum match how = match_name(row.mnemonic, word);
    return how == IS ? BEGINS : how; /* as the set's own way to spell it says */
}

static void add_row(size_t *rows, size_t *n, size_t row)
{
    for (size_t i = 0; i < *n; i++)
        if (rows[i] == row)
            return;
    rows[(*n)++] = row;
}

/* The rows that have other names of this kind. A line says what a name is that is more than another spelling. */
static void find_others(const weft_isa *isa, const char *word, enum match wanted, bool quiet, size_t *rows, size_t *n)
{
    const char *name, *what;
    bool said = false;
    for (size_t i = 0, row; *word && (name = weft_isa_other_name(isa, i, &row, &what)); i++) {
        if (match_name(name, word) != wanted)
            continue;
        add_row(rows, n, row);
        if (*what && !quiet)
            said = printf("%s: %s\n", name, what);
    }
    if (said)
        putchar('\n');
}

/* The rows that are called `word`, or else `word` and a dot, or else those that begin with it, or else those that have
 * it. */
static size_t find_rows(const weft_isa *isa, const char *word, bool quiet, size_t *rows)
{
    size_t count = weft_isa_rows(isa), n = 0;
    for (enum match wanted = IS; wanted > NO_MATCH && n == 0; wanted--) {
        for (size_t i = 0; i < count; i++)
            if (match_row(isa, i, word) == wanted)
                add_row(rows, &n, i);
        find_others(isa, word, wanted, quiet, rows, &n);
    }
    return n;
}

/* Rows of one mnemonic are one entry, wherever they are in the list. */
static void show_entries(const weft_isa *isa, size_t *rows, size_t count)
{
    size_t *entry = cli_kept(calloc(count + 1, sizeof *entry));
    bool some = false;
    for (size_t i = 0; entry && i < count; i++) {
        weft_isa_row first, row;
        size_t n = 0;
        if (rows[i] == SIZE_MAX)
            continue;
        weft_isa_get_row(isa, rows[i], &first);
        for (size_t k = i; k < count; k++)
            if (rows[k] != SIZE_MAX && weft_isa_get_row(isa, rows[k], &row) &&
                strcmp(row.mnemonic, first.mnemonic) == 0) {
                entry[n++] = rows[k];
                rows[k] = SIZE_MAX;
            }
        if (some)
            putchar('\n');
        some = true;
        isa_row_show(isa, entry, n);
    }
    free(entry);
}

static int show_mnemonic(const weft_isa *isa, const char *word, bool as_json)
{
    size_t *rows = cli_kept(calloc(weft_isa_rows(isa) + 1, sizeof *rows));
    size_t n = rows ? find_rows(isa, word, as_json, rows) : 0;
    int status = STATUS_FINE;
    if (n == 0) {
        status = unknown_row(isa, word);
    } else if (as_json) {
        json_t *list = json_array();
        for (size_t i = 0; i < n; i++)
            json_array_append_new(list, json_of_reference(isa, rows[i]));
        status = json_show(list);
    } else {
        show_entries(isa, rows, n);
    }
    free(rows);
    return status;
}

static int run(int argc, char **argv)
{
    struct cli_args args = {&command_isa, argc, argv, NULL, 0};
    const char *html = NULL;
    bool as_json = false;
    for (int key; (key = cli_next(&args)) != OPTION_END;) {
        switch (key) {
        case OPTION_STOP:
            return args.status;
        case KEY_JSON:
            as_json = true;
            break;
        default:
            html = args.value;
        }
    }
    int operand = cli_operands(&args), given = argc - operand;
    if (given > 2)
        return cli_wrong(&command_isa, "one instruction at a time: '%s' is a second one", argv[operand + 2]);
    if (html && (as_json || given > 1))
        return cli_wrong(&command_isa,
                         "--html writes whole instruction sets: neither --json nor an instruction goes with it");
    struct cli_target target = {.stage = WEFT_STAGE_NONE};
    if (given > 0) {
        args.value = argv[operand];
        if (!cli_take_target(&target, &args, 'i'))
            return STATUS_USAGE;
    }
    const weft_isa *isa = given > 0 ? weft_isa_find(target.isa) : NULL;
    if (html)
        return isa_html_write(html, isa);
    if (given == 0)
        return list_isas(as_json);
    return given == 1 ? list_rows(isa, as_json) : show_mnemonic(isa, argv[operand + 1], as_json);
}

const struct cli_command command_isa = {
    "isa",
    "[ISA [INSTRUCTION]] [--json] [--html DIR]",
    "show the instruction sets, their instructions, and what weft knows of each",
    "Without ISA it lists the instruction sets; with one, its instructions: where weft has their meaning from\n"
    "(documented, known, inferred, or differs from the document); with INSTRUCTION, the beginning or a part of\n"
    "its name, or what others call it, all of its forms with their bits, a letter for each field.",
    options,
    run,
};
