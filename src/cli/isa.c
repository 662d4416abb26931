/* isa.c - weft isa: the reference of the instruction sets, from the rows that everything else is made of. */
#include "cli/cli.h"
#include "cli/isa_html.h"
#include "cli/json.h"

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
    for (size_t i = 0; weft_isa_get_row(isa, i, &row); i++)
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

/* One line an instruction, so that grep finds what one wants. */
static int list_rows(const weft_isa *isa, bool as_json)
{
    weft_isa_row row;
    if (as_json) {
        json_t *o = json_of_isa(isa), *rows = json_array();
        for (size_t i = 0; weft_isa_get_row(isa, i, &row); i++)
            json_array_append_new(rows, json_of_row(&row));
        json_object_set_new(o, "instructions", rows);
        return json_show(o);
    }
    int width = 14;
    for (size_t i = 0; weft_isa_get_row(isa, i, &row); i++)
        width = (int)strlen(row.mnemonic) > width ? (int)strlen(row.mnemonic) : width;
    printf("%-*s %-11s %-9s %-22s %s\n", width, "INSTRUCTION", "PROVENANCE", "EXECUTES", "GROUP", "WHAT IT DOES");
    for (size_t i = 0; weft_isa_get_row(isa, i, &row); i++)
        printf("%-*s %-11s %-9s %-22s %s\n", width, row.mnemonic, weft_provenance_name(row.provenance),
               row.executes ? "yes" : "not yet", row.group, row.doc);
    return STATUS_FINE;
}

static void field(const char *name, const char *value)
{
    if (value && value[0])
        printf("  %-12s %s\n", name, value);
}

/* The words of modifiers, a line each. */
static void show_modifiers(const char *lines)
{
    for (const char *name = "modifiers"; lines && *lines; name = "") {
        int n = (int)strcspn(lines, "\n");
        printf("  %-12s %.*s\n", name, n, lines);
        lines += n + (lines[n] != 0);
    }
}

static void show_row(const weft_isa_row *row)
{
    static const char *const provenance[] = {"documented: the source document says it",
                                             "known: a public implementation or a measurement says it",
                                             "inferred: nobody says it, weft chose",
                                             "differs: not as the source document says (docs/fidelity.md)"};
    char stages[128] = "";
    for (int s = 0; s < WEFT_STAGES; s++)
        if (row->stages >> s & 1) {
            size_t at = strlen(stages);
            snprintf(stages + at, sizeof stages - at, "%s%s", at ? ", " : "", weft_stage_name((weft_stage)s));
        }
    printf("%s\n  %s\n\n", row->mnemonic, row->doc);
    field("syntax", row->syntax);
    show_modifiers(row->modifiers);
    field("operands", row->operands);
    field("encoding", row->pattern);
    field("group", row->group);
    field("stages", stages);
    field("chips", row->chips);
    field("provenance", provenance[row->provenance]);
    field("difference", row->difference);
    field("reason", row->reason);
    field("executes", row->executes ? "yes" : "not yet: running it is an error that names it");
}

/* The names of an instruction that has several types: "FADD" is FADD.f32 or FADD.v2f16. */
static void types_of(const char *mnemonic, const char *const *names, size_t count, char *hint, size_t size)
{
    size_t length = strlen(mnemonic), used = 0;
    for (size_t i = 0; i < count; i++)
        if (strncasecmp(names[i], mnemonic, length) == 0 && names[i][length] == '.' &&
            used + strlen(names[i]) + 8 < size)
            used += (size_t)snprintf(hint + used, size - used, "%s%s", used ? ", " : "; there is ", names[i]);
}

/* "unknown instruction", with the nearest of the names there are. */
static int unknown_row(const weft_isa *isa, const char *mnemonic)
{
    size_t count = weft_isa_rows(isa), n = 0;
    const char **names = calloc(count + 1, sizeof *names);
    weft_isa_row row;
    char hint[200] = "";
    for (size_t i = 0; names && weft_isa_get_row(isa, i, &row); i++)
        names[n++] = row.mnemonic;
    types_of(mnemonic, names, n, hint, sizeof hint);
    if (!hint[0])
        cli_nearest(mnemonic, names, n, hint, sizeof hint);
    free(names);
    return cli_wrong(&command_isa, "%s has no instruction '%s'%s", weft_isa_name(isa), mnemonic, hint);
}

/* All rows of that mnemonic: an instruction may have several forms. */
static int show_mnemonic(const weft_isa *isa, const char *mnemonic, bool as_json)
{
    json_t *list = as_json ? json_array() : NULL;
    weft_isa_row row;
    size_t found = 0;
    for (size_t i = 0; weft_isa_get_row(isa, i, &row); i++) {
        if (!weft_isa_row_is(isa, i, mnemonic))
            continue;
        if (as_json)
            json_array_append_new(list, json_of_row(&row));
        else if (found)
            putchar('\n');
        if (!as_json)
            show_row(&row);
        found++;
    }
    if (found)
        return as_json ? json_show(list) : STATUS_FINE;
    json_decref(list);
    return unknown_row(isa, mnemonic);
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
    "(documented, known, inferred, or differs from the document) and whether it executes them; with an instruction, "
    "everything about it.",
    options,
    run,
};
