/* convert.c - one input becomes one output, or nothing. */
#include "cli/convert.h"

#include "base/diag.h"
#include "isa/text.h"
#include "base/text_stream.h"

#include <stdlib.h>
#include <string.h>

const char *convert_language(const struct convert *c)
{
    return c->target.isa ? c->target.isa : weft_isa_name(c->isa);
}

weft_program_options convert_options(const struct convert *c)
{
    weft_program_options options = cli_options(&c->target);
    options.base = c->base;
    options.linear = c->linear || c->hex;
    options.no_relax = c->no_relax;
    options.shorten = c->shorten;
    options.labels = c->labels;
    options.program = c->program;
    return options;
}

static bool take_format(struct convert *c, const char *word)
{
    bool assembles = c->command == &command_asm;
    c->words = strcmp(word, "words") == 0;
    c->hex = c->words || strcmp(word, "hex") == 0;
    c->elf = assembles && strcmp(word, "elf") == 0;
    if (c->hex || c->elf || strcmp(word, "bin") == 0)
        return true;
    cli_wrong(c->command, "-f is %s, not '%s'", assembles ? "bin, hex, words or elf" : "bin, hex or words", word);
    return false;
}

/* A number of bytes or an address of 32 bits. */
static bool take_number(const struct convert *c, const char *name, const char *text, uint64_t *out)
{
    if (cli_number(text, 0, UINT32_MAX, out))
        return true;
    cli_wrong(c->command, "%s is a number of 32 bits, not '%s'", name, text);
    return false;
}

static bool take(struct convert *c, const struct cli_args *args, int key)
{
    switch (key) {
    case 'f':
        return take_format(c, args->value);
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
    case 'l':
        c->labels = true;
        return true;
    case CONVERT_NO_RELAX:
        c->no_relax = true;
        return true;
    case CONVERT_BASE:
        return take_number(c, "--base", args->value, &c->base);
    case CONVERT_START:
        return take_number(c, "--start", args->value, &c->start);
    case CONVERT_LENGTH:
        c->has_length = true;
        return take_number(c, "--length", args->value, &c->length);
    case CONVERT_JSON:
        c->listing = "--json";
        c->json = true;
        return true;
    case CONVERT_GRAPH:
        c->listing = "--graph";
        c->graph = true;
        return true;
    case CONVERT_SYMBOLS:
        c->listing = "--symbols";
        c->symbols = args->value;
        return true;
    case CONVERT_GUESS:
        c->guess = true;
        return true;
    case CONVERT_BYTES:
        c->listing = "--bytes";
        c->bytes = true;
        return true;
    default:
        return list_take(&c->list, args, key) || cli_take_target(&c->target, args, key);
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
    if (c->list.resume && !c->each) {
        cli_wrong(c->command, "--resume is for the lines of --each");
        return false;
    }
    c->isa = c->guess ? NULL : cli_isa(&c->target, c->command, c->input);
    return (c->guess || c->isa) && cli_distinct(c->command, c->input, c->output) &&
           cli_distinct(c->command, c->list.resume, c->output);
}

static bool is_empty_or_comment(const char *line, size_t size)
{
    size_t at = 0;
    while (at < size && (line[at] == ' ' || line[at] == '\t' || line[at] == '\r'))
        at++;
    return at == size || line[at] == '#';
}

/* "INPUT[NUMBER]" at `name`: most programs of --each take less time than snprintf. */
static void name_line(char *name, size_t size, const char *input, size_t number)
{
    enum { NUMBER = 24 };
    size_t length = strnlen(input, size - NUMBER);
    char *p = write_bytes(name, input, length);
    *p++ = '[';
    p = write_unsigned(p, number);
    *p++ = ']';
    *p = '\0';
}

weft_status convert_lines(struct convert *c, const struct cli_bytes *in, convert_line_fn *one, FILE *out,
                          weft_diags *diags)
{
    weft_status worst = WEFT_OK;
    size_t number = c->lines_before + 1;
    for (size_t begin = 0, end; begin < in->size; begin = end + 1, number++) {
        char name[4200];
        const char *stop = memchr(in->data + begin, '\n', in->size - begin);
        end = stop ? (size_t)(stop - in->data) : in->size;
        if (is_empty_or_comment(in->data + begin, end - begin)) {
            if (c->hex)
                fprintf(out, "%.*s\n", (int)(end - begin), in->data + begin);
            continue;
        }
        name_line(name, sizeof name, in->name, number);
        weft_status status = one(c, &(struct convert_line){in, begin, end, number, name}, out, diags);
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

int convert_run(struct convert *c)
{
    struct cli_bytes in;
    char *result = NULL;
    size_t size = 0;
    if (!cli_read(c->input, &in))
        return STATUS_INPUT;
    weft_diags *diags = cli_kept(weft_diags_new());
    FILE *out = cli_kept(text_stream(&result, &size));
    weft_status status = WEFT_ERROR_MEMORY;
    if (diags && out)
        status = c->fn(c, &in, out, diags);
    if (!text_stream_close(out))
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

/* ---- the lines of --each as a list ---- */

bool convert_is_list(const void *state)
{
    const struct convert *c = state;
    return c->each;
}

int convert_open(void *state, struct list_items *items)
{
    const struct convert *c = state;
    struct cli_bytes in;
    return cli_read(c->input, &in) ? list_open_lines(in.data, in.size, items) : STATUS_INPUT;
}

/* Diagnostics for convert_take: of each whether it is an error, its text, and a zero. */
static void put_diags(const weft_diags *diags, FILE *err)
{
    const weft_diag *d;
    for (size_t i = 0; (d = weft_diags_get(diags, i)); i++) {
        putc(d->severity == WEFT_ERROR ? 'e' : 'o', err);
        cli_put_diag(err, d);
        putc(0, err);
    }
}

void convert_range(const void *state, const struct list_range *range, struct list_result *result)
{
    struct convert c = *(const struct convert *)state;
    struct cli_bytes in = {.data = (char *)range->text, .size = range->size, .name = cli_file_name(c.input)};
    struct result_streams s;
    if (!result_open(result, &s))
        return;
    weft_diags *diags = cli_kept(weft_diags_new());
    weft_status status = WEFT_ERROR_MEMORY;
    c.lines_before = range->first;
    if (diags)
        status = c.fn(&c, &in, s.data, diags);
    if (diags)
        put_diags(diags, s.err);
    result->counts[CONVERT_COUNT_UNKNOWN] = c.unknown;
    result->counts[CONVERT_COUNT_DIAGS] = diags ? weft_diags_count(diags) : 0;
    result->stopped = status == WEFT_ERROR_MEMORY || status == WEFT_ERROR_USAGE;
    result->status = cli_status(status);
    weft_diags_free(diags);
    result_close(result, &s);
}

/* Of all diagnostics together as many are shown as a list of them keeps. */
void convert_take(void *state, struct list_result *total, const struct list_result *part)
{
    struct convert *c = state;
    const char *at = part->err.data, *end = at + part->err.size;
    for (size_t length; at < end; at += length + 1) {
        length = strlen(at);
        if (c->reported[*at != 'e']++ < DIAGS_KEPT && !result_append(&total->err, at + 1, length - 1))
            cli_kept(NULL);
    }
    if (!result_join(total, part))
        cli_kept(NULL);
}

int convert_finish(void *state, const struct list_result *total)
{
    struct convert *c = state;
    size_t shown = 0;
    for (int i = 0; i < 2; i++)
        shown += c->reported[i] < DIAGS_KEPT ? c->reported[i] : DIAGS_KEPT;
    result_write(&total->err, stderr);
    cli_put_more(stderr, total->counts[CONVERT_COUNT_DIAGS] - shown);
    if (total->stopped && total->status == STATUS_INPUT && !total->counts[CONVERT_COUNT_DIAGS])
        cli_message("out of memory");
    c->unknown = total->counts[CONVERT_COUNT_UNKNOWN];
    if (total->stopped || (total->status != STATUS_FINE && !c->hex))
        return total->status;
    int written = cli_write(c->output, total->data.data, total->data.size);
    return written == STATUS_FINE ? total->status : written;
}
