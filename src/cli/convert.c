/* convert.c - one input becomes one output, or nothing. */
#include "cli/convert.h"

#include <stdlib.h>
#include <string.h>

weft_program_options convert_options(const struct convert *c)
{
    return (weft_program_options){.chip = c->target.chip,
                                  .stage = c->target.stage,
                                  .base = c->base,
                                  .entry = c->entry,
                                  .linear = c->linear || c->hex,
                                  .no_relax = c->no_relax,
                                  .shorten = c->shorten,
                                  .pack = c->pack,
                                  .labels = c->labels};
}

static bool take(struct convert *c, const struct cli_args *args, int key)
{
    switch (key) {
    case 'f':
        c->hex = strcmp(args->value, "hex") == 0;
        c->elf = strcmp(args->value, "elf") == 0;
        if (c->hex || (c->elf && c->command == &command_asm) || strcmp(args->value, "bin") == 0)
            return true;
        cli_wrong(c->command, "-f is %s, not '%s'", c->command == &command_asm ? "bin, hex or elf" : "bin or hex",
                  args->value);
        return false;
    case 'e':
        c->each = true;
        return true;
    case CONVERT_SHORT:
        c->shorten = true;
        return true;
    case 'o':
        c->output = args->value;
        return true;
    case CONVERT_ADDR:
        c->listing = "--addr";
        c->address = true;
        return true;
    case CONVERT_LINEAR:
        c->linear = true;
        return true;
    case CONVERT_PACK:
        c->pack = true;
        return true;
    case CONVERT_LABELS:
        c->labels = true;
        return true;
    case CONVERT_NO_RELAX:
        c->no_relax = true;
        return true;
    case CONVERT_BASE:
        if (cli_number(args->value, 0, UINT32_MAX, &c->base))
            return true;
        cli_wrong(c->command, "--base is an address of 32 bits, not '%s'", args->value);
        return false;
    case CONVERT_ENTRY:
        c->entry = args->value;
        return true;
    case CONVERT_BYTES:
        c->listing = "--bytes";
        c->bytes = true;
        return true;
    default:
        return cli_take_target(&c->target, args, key);
    }
}

bool convert_parse(struct convert *c, int argc, char **argv, int *status)
{
    struct cli_args args = {c->command, argc, argv, NULL, STATUS_USAGE};
    *status = STATUS_USAGE;
    c->target.stage = WEFT_STAGE_NONE;
    for (int key; (key = cli_next(&args)) != OPTION_END;) {
        *status = args.status;
        if (key == OPTION_STOP || !take(c, &args, key))
            return false;
    }
    *status = STATUS_USAGE;
    int operand = cli_operands(&args);
    if (argc - operand > 1) {
        cli_wrong(c->command, "one input at a time: '%s' is a second one", argv[operand + 1]);
        return false;
    }
    c->input = operand < argc ? argv[operand] : NULL;
    c->isa = cli_isa(&c->target, c->command, c->input);
    return c->isa != NULL && cli_distinct(c->command, c->input, c->output);
}

static bool is_empty_or_comment(const char *line, size_t size)
{
    size_t at = 0;
    while (at < size && strchr(" \t\r", line[at]))
        at++;
    return at == size || line[at] == '#';
}

weft_status convert_lines(struct convert *c, const struct cli_bytes *in, convert_line_fn *one, FILE *out,
                          weft_diags *diags)
{
    weft_status worst = WEFT_OK;
    size_t number = 1;
    for (size_t begin = 0, end; begin < in->size; begin = end + 1, number++) {
        char name[4200];
        const char *stop = memchr(in->data + begin, '\n', in->size - begin);
        end = stop ? (size_t)(stop - in->data) : in->size;
        if (is_empty_or_comment(in->data + begin, end - begin)) {
            if (c->hex)
                fprintf(out, "%.*s\n", (int)(end - begin), in->data + begin);
            continue;
        }
        snprintf(name, sizeof name, "%s[%zu]", in->name, number);
        weft_status status = one(c, &(struct convert_line){in, begin, end, name}, out, diags);
        if (status == WEFT_ERROR_MEMORY || status == WEFT_ERROR_USAGE)
            return status;
        if (status == WEFT_OK)
            continue;
        worst = status;
        if (c->hex)
            fprintf(out, "# error in line %zu\n", number);
    }
    c->partial = c->hex && worst != WEFT_OK;
    return worst;
}

int convert_run(struct convert *c, convert_fn *fn)
{
    struct cli_bytes in;
    char *result = NULL;
    size_t size = 0;
    if (!cli_read(c->input, &in))
        return STATUS_INPUT;
    weft_diags *diags = weft_diags_new();
    FILE *out = open_memstream(&result, &size);
    weft_status status = WEFT_ERROR_MEMORY;
    if (diags && out)
        status = fn(c, &in, out, diags);
    if (out && fclose(out) != 0)
        status = WEFT_ERROR_MEMORY;
    if (diags)
        cli_report(diags);
    if (status == WEFT_ERROR_MEMORY && (!diags || !weft_diags_count(diags)))
        cli_message("out of memory");
    int exit_status = cli_status(status);
    if (status == WEFT_OK || c->partial) {
        int written = cli_write(c->output, result, size);
        exit_status = written == STATUS_FINE ? exit_status : written;
    }
    weft_diags_free(diags);
    free(result);
    free(in.data);
    return exit_status;
}
