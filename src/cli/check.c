/* check.c - weft check: is a program legal? */
#include "cli/cli.h"
#include "cli/json.h"

#include <stdio.h>
#include <stdlib.h>

enum { KEY_JSON = 256 };

static const struct cli_option options[] = {
    CLI_TARGET_OPTIONS,
    {KEY_JSON, "json", NULL, "write what was found as JSON on standard output"},
    {0},
};

/* What was found in one input. */
struct finding {
    weft_status status;
    weft_diags *diags;
};

static bool check_one(const struct cli_target *target, const char *path, struct finding *f)
{
    struct cli_bytes in;
    const weft_isa *isa = cli_isa(target, &command_check, path);
    f->status = WEFT_ERROR_USAGE;
    if (!isa)
        return false;
    f->status = WEFT_ERROR_FILE;
    if (!cli_read_for(path, &in, f->diags))
        return true;
    weft_program *program = NULL;
    f->status = cli_program(target, isa, &in, NULL, f->diags, &program);
    if (f->status == WEFT_OK)
        f->status = weft_program_check(program, f->diags);
    weft_program_free(program);
    free(in.data);
    return true;
}

static json_t *finding_json(const char *path, const struct finding *f)
{
    json_t *o = json_object();
    json_object_set_new(o, "file", json_of_text(cli_file_name(path)));
    json_object_set_new(o, "status", json_string(weft_status_name(f->status)));
    json_object_set_new(o, "errors", json_integer((json_int_t)weft_diags_errors(f->diags)));
    json_object_set_new(o, "diagnostics", json_of_diags(f->diags));
    return o;
}

static int run(int argc, char **argv)
{
    struct cli_target target = {.stage = WEFT_STAGE_NONE};
    struct cli_args args = {&command_check, argc, argv, NULL, 0};
    bool as_json = false;
    for (int key; (key = cli_next(&args)) != OPTION_END;) {
        if (key == OPTION_STOP)
            return args.status;
        if (key == KEY_JSON)
            as_json = true;
        else if (!cli_take_target(&target, &args, key))
            return STATUS_USAGE;
    }
    json_t *list = as_json ? json_array() : NULL;
    int worst = STATUS_FINE, operand = cli_operands(&args);
    do {
        const char *path = operand < argc ? argv[operand] : NULL;
        struct finding f = {.diags = weft_diags_new()};
        if (!f.diags) {
            cli_message("out of memory");
            return STATUS_INPUT;
        }
        bool looked = check_one(&target, path, &f);
        if (as_json)
            json_array_append_new(list, finding_json(path, &f));
        else if (looked)
            cli_report(f.diags);
        int status = cli_status(f.status);
        worst = status > worst ? status : worst;
        weft_diags_free(f.diags);
    } while (++operand < argc);
    if (!as_json)
        return worst;
    int status = json_show(list);
    return status > worst ? status : worst;
}

const struct cli_command command_check = {
    "check",
    "[-i ISA] [-m CHIP] [-s STAGE] [--json] [IN...]",
    "say what is wrong with a program",
    "IN is a file of text or bytes, or - for standard input (the default). The exit status is 0 when there are no\n"
    "errors; there may be warnings.",
    options,
    run,
};
