/* check.c - weft check: is a program legal? */
#include "cli/check_forms.h"
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_JSON = 256, KEY_FORM, KEY_WERROR };

static const struct cli_option options[] = {
    CLI_TARGET_OPTIONS,
    {'q', "quiet", NULL, "show errors only: neither warnings nor the summary"},
    {KEY_WERROR, "werror", NULL, "warnings count as errors: the exit status is 1"},
    {KEY_FORM, "form", "FORM", "text (default), json, github (annotations) or sarif, on standard output but for text"},
    {KEY_JSON, "json", NULL, "the same as --form json"},
    {0},
};

/* What is checked, and how it is shown. */
struct check {
    struct cli_target target;
    const struct check_form *form;
    bool quiet, werror;
    size_t programs, errors, others;
    int worst;
};

static weft_status check_program(const struct cli_target *target, const weft_isa *isa, const struct cli_bytes *in,
                                 weft_diags *diags)
{
    weft_program *program = NULL;
    weft_status status = cli_program(target, isa, in, NULL, diags, &program);
    if (status == WEFT_OK)
        status = weft_program_check(program, diags);
    weft_program_free(program);
    return status;
}

/* All programs of an input. */
static bool check_one(const struct cli_target *target, const char *path, struct check_finding *f)
{
    struct cli_bytes in;
    const weft_isa *isa = cli_isa(target, &command_check, path);
    f->status = WEFT_ERROR_USAGE;
    if (!isa)
        return false;
    f->status = WEFT_ERROR_FILE;
    if (!cli_read_for(path, &in, f->diags))
        return true;
    uint32_t count = cli_programs(isa, &in);
    f->status = check_program(target, isa, &in, f->diags);
    for (in.program = 2; in.program <= count; in.program++) {
        weft_status status = check_program(target, isa, &in, f->diags);
        f->status = f->status == WEFT_OK ? status : f->status;
    }
    f->programs = count;
    free(in.data);
    return true;
}

static bool take_form(struct check *c, const char *name)
{
    c->form = check_form_find(name);
    if (c->form)
        return true;
    cli_wrong(&command_check, "--form is text, json, github or sarif, not '%s'", name);
    return false;
}

static bool take(struct check *c, const struct cli_args *args, int key)
{
    switch (key) {
    case 'q':
        c->quiet = true;
        return true;
    case KEY_WERROR:
        c->werror = true;
        return true;
    case KEY_JSON:
        return take_form(c, "json");
    case KEY_FORM:
        return take_form(c, args->value);
    default:
        return cli_take_target(&c->target, args, key);
    }
}

static int status_of(const struct check *c, const struct check_finding *f)
{
    int status = cli_status(f->status);
    bool warned = weft_diags_count(f->diags) > weft_diags_errors(f->diags);
    return status == STATUS_FINE && c->werror && warned ? STATUS_INPUT : status;
}

/* One input, looked at and shown. False: no memory. */
static bool check_input(struct check *c, const char *path, json_t *out)
{
    struct check_finding f = {cli_file_name(path), WEFT_OK, c->quiet, 1, weft_diags_new()};
    if (!f.diags) {
        cli_message("out of memory");
        return false;
    }
    if (check_one(&c->target, path, &f) || out)
        c->form->add(out, &f);
    int status = status_of(c, &f);
    c->programs += f.programs;
    c->errors += weft_diags_errors(f.diags);
    c->others += weft_diags_count(f.diags) - weft_diags_errors(f.diags);
    c->worst = status > c->worst ? status : c->worst;
    weft_diags_free(f.diags);
    return true;
}

/* On standard error, where there is something to sum up. */
static void summary(const struct check *c)
{
    if (c->quiet || (c->programs < 2 && c->errors + c->others < 2))
        return;
    fprintf(stderr, "%zu program%s checked: %zu error%s, %zu warning%s\n", c->programs, c->programs == 1 ? "" : "s",
            c->errors, c->errors == 1 ? "" : "s", c->others, c->others == 1 ? "" : "s");
}

static int run(int argc, char **argv)
{
    struct check c = {.target = {.stage = WEFT_STAGE_NONE}, .form = check_form_find("text")};
    struct cli_args args = {&command_check, argc, argv, NULL, 0};
    for (int key; (key = cli_next(&args)) != OPTION_END;) {
        if (key == OPTION_STOP)
            return args.status;
        if (!take(&c, &args, key))
            return STATUS_USAGE;
    }
    json_t *out = c.form->begin ? c.form->begin() : NULL;
    int operand = cli_operands(&args);
    do {
        if (!check_input(&c, operand < argc ? argv[operand] : NULL, out)) {
            json_decref(out);
            return STATUS_INPUT;
        }
    } while (++operand < argc);
    int shown = c.form->end ? c.form->end(out) : STATUS_FINE;
    summary(&c);
    return shown > c.worst ? shown : c.worst;
}

const struct cli_command command_check = {
    "check",
    "[-i ISA] [-m CHIP] [-s STAGE] [-q] [--werror] [--form FORM] [--json] [IN...]",
    "say what is wrong with a program",
    "IN is a file of text or bytes, or - for standard input (the default). Of a log that holds several programs of "
    "tgsi,\n"
    "all are checked; IN#2 is the second alone, here and in the other commands. The exit status is 0 when there are "
    "no\n"
    "errors; there may be warnings. When there is more than one input or message, the last line of standard error "
    "says\n"
    "how many errors and warnings there are.",
    options,
    run,
};
