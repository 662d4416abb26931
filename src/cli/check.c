/* check.c - weft check: is a program legal? */
#include "cli/check_forms.h"
#include "cli/json.h"
#include "cli/limits.h"
#include "cli/list.h"

#include <weft/job.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_JSON = 256, KEY_FORM, KEY_WERROR, KEY_FILES_FROM };

static const struct cli_option options[] = {
    CLI_TARGET_OPTIONS,
    CLI_COMPILE_OPTIONS,
    CLI_PACK_OPTION,
    {'q', "quiet", NULL, "show errors only: neither warnings nor the summary"},
    {KEY_WERROR, "werror", NULL, "warnings count as errors: the exit status is 1"},
    {KEY_FORM, "form", "FORM", "text (default), json, github (annotations) or sarif, on standard output but for text"},
    {KEY_JSON, "json", NULL, "the same as --form json"},
    {KEY_FILES_FROM, "files-from", "DIR",
     "the folder, at any depth, of files that a job names (default: the job's own)"},
    LIST_FILES_OPTION,
    LIST_RESUME_OPTION,
    {0},
};

/* What is checked, and how it is shown. */
struct check {
    struct list_args list;
    struct cli_target target;
    const char *asked;      /* the first option that is about programs; NULL: there was none */
    const char *files_from; /* of jobs; NULL: their own folders */
    const struct check_form *form;
    bool quiet, werror;
    bool unnamed; /* the only input is standard input, which nothing names */
};

/* What a result counts. */
enum { COUNT_PROGRAMS, COUNT_ERRORS, COUNT_OTHERS };

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

/* A job: all of its programs, as they would be made when it runs. */
static bool check_job(const struct check *c, const char *path, struct check_finding *f, FILE *err)
{
    struct cli_bytes in;
    f->status = WEFT_ERROR_USAGE;
    if (c->asked) {
        cli_wrong_to(err, &command_check, "%s is for a program, and '%s' is a job; -i ISA says that it is a program",
                     c->asked, path);
        return false;
    }
    f->status = WEFT_ERROR_FILE;
    if (!cli_read_for(path, &in, f->diags))
        return true;
    weft_job_params params;
    weft_job_params_init(&params);
    params.files_from = c->files_from;
    params.memory = limits_memory();
    weft_job *job = NULL;
    size_t programs = 0;
    f->status = weft_job_new(in.name, in.data, in.size, f->diags, &job);
    if (f->status == WEFT_OK)
        f->status = weft_job_check(job, &params, f->diags, &programs);
    f->programs = (uint32_t)programs;
    weft_job_free(job);
    free(in.data);
    return true;
}

/* All programs of an input. */
static bool check_one(const struct check *c, const char *path, struct check_finding *f, FILE *err)
{
    struct cli_bytes in;
    const struct cli_target *target = &c->target;
    if (!target->isa && path && cli_is_job(path))
        return check_job(c, path, f, err);
    const weft_isa *isa = cli_isa_to(err, target, &command_check, path);
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
    const struct check_form *before = c->form;
    c->form = check_form_find(name);
    if (c->form && before && before != c->form) {
        cli_wrong(&command_check, "--json does not go with another --form");
        return false;
    }
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
    case KEY_FILES_FROM:
        c->files_from = args->value;
        return true;
    default:
        if (list_take(&c->list, args, key))
            return true;
        c->asked = c->asked ? c->asked : cli_target_option(key);
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
static bool check_input(const struct check *c, const char *path, const struct check_streams *to, struct list_result *r)
{
    struct check_finding f = {cli_file_name(path), WEFT_OK, c->quiet, 1, cli_kept(weft_diags_new())};
    if (!f.diags)
        return false;
    if (check_one(c, path, &f, to->err) || to->array)
        c->form->add(to, &f);
    r->status = result_worse(r->status, status_of(c, &f));
    r->counts[COUNT_PROGRAMS] += f.programs;
    r->counts[COUNT_ERRORS] += weft_diags_errors(f.diags);
    r->counts[COUNT_OTHERS] += weft_diags_count(f.diags) - weft_diags_errors(f.diags);
    weft_diags_free(f.diags);
    return true;
}

/* ---- the list ---- */

static bool parse(void *state, int argc, char **argv, int *status)
{
    struct check *c = state;
    struct cli_args args = {&command_check, argc, argv, NULL, 0};
    static char standard[] = "-", *unnamed[] = {standard};
    c->target.stage = WEFT_STAGE_NONE;
    *status = STATUS_USAGE;
    for (int key; (key = cli_next(&args)) != OPTION_END;) {
        if (key == OPTION_STOP)
            *status = args.status;
        if (key == OPTION_STOP || !take(c, &args, key))
            return false;
    }
    c->form = c->form ? c->form : check_form_find("text");
    c->list.operands = argv + cli_operands(&args);
    c->list.noperands = argc - cli_operands(&args);
    c->unnamed = !c->list.noperands && !c->list.list;
    if (c->unnamed) {
        c->list.operands = unnamed;
        c->list.noperands = 1;
    }
    return true;
}

static bool is_list(const void *state)
{
    (void)state;
    return true;
}

static int open_inputs(void *state, struct list_items *items)
{
    const struct check *c = state;
    return list_open_files(&c->list, items);
}

static void run_inputs(const void *state, const struct list_range *range, struct list_result *result)
{
    const struct check *c = state;
    struct result_streams s;
    if (!result_open(result, &s))
        return;
    struct check_streams to = {s.out, s.err, c->form->end ? json_array() : NULL};
    const char *path = range->text;
    for (size_t i = 0; i < range->count && !result->stopped; i++, path += strlen(path) + 1)
        if (!check_input(c, c->unnamed ? NULL : path, &to, result)) {
            result->status = STATUS_INPUT;
            result->stopped = true;
        }
    if (to.array)
        json_put_elements(to.array, c->form->flags, s.data);
    json_decref(to.array);
    result_close(result, &s);
}

/* On standard error, where there is something to sum up. */
static void summary(const struct check *c, const uint64_t *counts)
{
    size_t programs = counts[COUNT_PROGRAMS], errors = counts[COUNT_ERRORS], others = counts[COUNT_OTHERS];
    if (c->quiet || (programs < 2 && errors + others < 2))
        return;
    fprintf(stderr, "%zu program%s checked: %zu error%s, %zu warning%s\n", programs, programs == 1 ? "" : "s", errors,
            errors == 1 ? "" : "s", others, others == 1 ? "" : "s");
}

static int finish(void *state, const struct list_result *total)
{
    const struct check *c = state;
    if (total->stopped) {
        cli_message("out of memory");
        return total->status;
    }
    int shown = c->form->end ? c->form->end(total->data.data, total->data.size) : STATUS_FINE;
    summary(c, total->counts);
    return result_worse(total->status, shown);
}

static const struct list_kind list_kind = {
    sizeof(struct check), parse, is_list, NULL, open_inputs, run_inputs, list_take_text, finish,
};

const struct cli_command command_check = {
    "check",
    "[-i ISA] [-m CHIP] [-s STAGE] [-q] [--werror] [--form FORM] [--json]\n"
    "                  [--files-from DIR] [--list FILE] [--resume JOURNAL] [IN...]",
    "say what is wrong with a program",
    "IN is a file of text or bytes, or - for standard input (the default). Of a log that holds several programs of "
    "tgsi,\n"
    "all are checked; IN#2 is the second alone, here and in the other commands. Of a job (IN.amber) all shaders are\n"
    "checked, and no command runs. The exit status is 0 when there are no errors; there may be warnings. When there "
    "is\n"
    "more than one program or message, the last line of standard error says how many errors and warnings there are.",
    options,
    NULL,
    &list_kind,
};
