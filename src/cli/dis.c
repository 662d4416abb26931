/* dis.c - weft dis: bytes to text. */
#include "cli/dis.h"
#include "cli/words.h"

#include "base/diag.h"

#include <stdlib.h>
#include <string.h>

static const struct cli_option options[] = {
    CLI_TARGET_OPTIONS,
    CLI_COMPILE_OPTIONS,
    {'f', "format", "bin|hex|words", "what is read: bytes (ELF too), hex digits, or machine words (default: bin)"},
    {'e', "each", NULL, "every line of hex digits is a program of its own, and so is every line written"},
    {CONVERT_ADDR, "addr", NULL, "show the address of every instruction"},
    {CONVERT_BYTES, "bytes", NULL, "show the bytes of every instruction"},
    {'l', "labels", NULL, "a text to change: labels at the targets of branches, which name them"},
    {CONVERT_SYMBOLS, "symbols", "FILE", "labels with the names of FILE's lines ADDRESS NAME (nm's output too)"},
    {CONVERT_JSON, "json", NULL, "the instructions as JSON: text, flow, operands, effects, fields"},
    {CONVERT_GRAPH, "graph", NULL, "the blocks and the ways between them, for Graphviz (dot)"},
    {CONVERT_START, "start", "N", "leave out the first N bytes"},
    {CONVERT_LENGTH, "length", "N", "read N bytes (default: all)"},
    {CONVERT_GUESS, "guess", NULL, "say which instruction set, chip and stage it could be, with scores"},
    {CONVERT_BASE, "base", "ADDRESS", "address of the first byte (all but tgsi; default: 0)"},
    {CONVERT_LINEAR, "linear", NULL, "all bytes are instructions, reached or not (vpu; as with -f hex)"},
    LIST_RESUME_OPTION,
    {'o', "output", "OUT", "where to write (default: standard output)"},
    {0},
};

/* How much of a line is said before its comment, which would hide the rest of a joined line. */
static size_t without_comment(const char *line, size_t size)
{
    size_t length = size;
    for (const char *p = line, *slash; (slash = memchr(p, '/', (size_t)(line + size - p))) != NULL; p = slash + 1)
        if (slash + 1 < line + size && slash[1] == '/') {
            length = (size_t)(slash - line);
            break;
        }
    while (length && line[length - 1] == ' ')
        length--;
    return length;
}

/* Text on one line, as programs of --each are. */
static bool put_line(const struct convert *c, const char *text, size_t size, FILE *out)
{
    const char *separator = weft_isa_separator(c->isa), *next = "";
    bool fine = true;
    for (const char *line = text, *stop; line < text + size && fine; line = stop + 1) {
        stop = memchr(line, '\n', (size_t)(text + size - line));
        stop = stop ? stop : text + size;
        size_t length = without_comment(line, (size_t)(stop - line));
        if (!length)
            continue;
        fine = (!*next || fputs(next, out) >= 0) && fwrite(line, 1, length, out) == length;
        next = separator;
    }
    return fine && putc('\n', out) != EOF;
}

/* What is listed with more than its text. */
static weft_status list(const struct convert *c, const struct listing *l, FILE *out, weft_diags *diags)
{
    if (c->json)
        return listing_put_json(l, out);
    if (c->graph)
        return listing_put_graph(l, out);
    if (!c->symbols) {
        listing_put(c, l, out);
        return WEFT_OK;
    }
    struct symbols *symbols = symbols_read(c->symbols, diags);
    weft_status status = symbols ? listing_put_symbols(c, l, symbols, out) : WEFT_ERROR_INPUT;
    symbols_free(symbols);
    return status;
}

static weft_status put_text(const struct convert *c, const weft_program *program, FILE *out)
{
    char *text = NULL;
    size_t size = 0;
    weft_status status = weft_program_text(program, &text, &size);
    if (status == WEFT_OK && !(c->each ? put_line(c, text, size, out) : fwrite(text, 1, size, out) == size))
        status = WEFT_ERROR_MEMORY;
    weft_free(text);
    return status;
}

/* The part of the bytes that --start and --length name. */
static weft_status cut(const struct convert *c, const char *name, const uint8_t **bytes, size_t *count,
                       weft_diags *diags)
{
    if (c->start > *count || c->length > *count - c->start) {
        diag_add(diags, WEFT_ERROR, "beyond-the-end", name, NULL, "%s beyond its %zu bytes",
                 !c->has_length ? "--start is" : c->start ? "--start and --length reach" : "--length reaches", *count);
        return WEFT_ERROR_INPUT;
    }
    *bytes += c->start;
    *count = c->has_length ? (size_t)c->length : *count - (size_t)c->start;
    return WEFT_OK;
}

/* The stages in whose programs the fewest instructions are unknown, if those are fewer than `unknown`. */
static uint32_t better_stages(const struct convert *c, const uint8_t *bytes, size_t count, size_t unknown)
{
    weft_program_options params = convert_options(c);
    uint32_t better = 0;
    for (int stage = WEFT_VERTEX; stage < WEFT_STAGES; stage++) {
        weft_program *program = NULL;
        params.stage = (weft_stage)stage;
        if (weft_program_from_bytes(weft_isa_name(c->isa), NULL, bytes, count, &params, NULL, &program) != WEFT_OK)
            continue;
        size_t left = weft_program_unknown(program);
        if (left < unknown)
            better = 1u << stage;
        else if (better && left == unknown)
            better |= 1u << stage;
        unknown = left < unknown ? left : unknown;
        weft_program_free(program);
    }
    return better;
}

static weft_status disassemble(struct convert *c, const char *name, const uint8_t *bytes, size_t count, FILE *out,
                               weft_diags *diags)
{
    if (cut(c, name, &bytes, &count, diags) != WEFT_OK)
        return WEFT_ERROR_INPUT;
    if (c->guess && count == 0) {
        diag_add(diags, WEFT_ERROR, "truncated", name, NULL, "there are no bytes to guess by");
        return WEFT_ERROR_INPUT;
    }
    if (c->guess)
        return guess(bytes, count, out);
    weft_program_options params = convert_options(c);
    weft_program *program = NULL;
    weft_status status = weft_program_from_bytes(weft_isa_name(c->isa), name, bytes, count, &params, diags, &program);
    size_t unknown = status == WEFT_OK ? weft_program_unknown(program) : 0;
    struct listing l = {0};
    c->unknown += unknown;
    if (unknown && !c->each && c->target.stage == WEFT_STAGE_NONE)
        c->better = better_stages(c, bytes, count, unknown);
    if (status == WEFT_OK && (c->listing || (unknown && !c->each)))
        status = listing_of(c, program, &l, diags);
    if (status == WEFT_OK && unknown && !c->each)
        listing_note_unknown(c, &l);
    if (status == WEFT_OK && l.text && !c->listing)
        status = fwrite(l.text, 1, l.size, out) == l.size ? WEFT_OK : WEFT_ERROR_MEMORY;
    else if (status == WEFT_OK)
        status = c->listing ? list(c, &l, out, diags) : put_text(c, program, out);
    listing_free(&l);
    weft_program_free(program);
    return status;
}

/* Bytes of a word of -f words; without an instruction set, words of 32 bits. */
static unsigned unit_of(const struct convert *c)
{
    return c->isa ? weft_isa_unit(c->isa) : 4;
}

/* The bytes that in->data[begin, end) says, or a diagnostic where it says none. */
static weft_status read_digits(const struct convert *c, const struct cli_bytes *in, size_t begin, size_t end,
                               size_t *count, weft_diags *diags)
{
    const char *text = in->data + begin;
    size_t stop = begin + (c->words ? words_parse(text, end - begin, unit_of(c), c->digits, count)
                                    : hex_parse(text, end - begin, c->digits, count));
    if (stop == end)
        return WEFT_OK;
    struct source source = {in->name, in->data, in->size};
    size_t odd = c->words ? words_odd_digits(in->data + stop, in->data + end, unit_of(c)) : 0;
    if (odd) {
        size_t prefix = (in->data[stop + 1] | 0x20) == 'x' ? 2 : 0;
        diag_at(diags, WEFT_ERROR, "not-hex", &source, (struct span){(uint32_t)stop, (uint32_t)(odd + prefix)},
                "digits without blanks between their bytes are read by -f hex",
                "%zu digits are not a number of words, which have %u each", odd, 2 * unit_of(c));
        return WEFT_ERROR_INPUT;
    }
    const char *hint = c->words ? "leave out what is not a word; dumps of od and hexdump are read when -v made them, "
                                  "and digits without blanks between their bytes by -f hex"
                                : "-f words reads dumps with offsets, and words with 0x or commas";
    diag_at(diags, WEFT_ERROR, "not-hex", &source, (struct span){(uint32_t)stop, 1}, hint,
            c->words ? "expected hexadecimal words" : "expected two hexadecimal digits for each byte");
    return WEFT_ERROR_INPUT;
}

static weft_status disassemble_line(struct convert *c, const struct convert_line *line, FILE *out, weft_diags *diags)
{
    size_t count;
    weft_status status = read_digits(c, line->in, line->begin, line->end, &count, diags);
    return status == WEFT_OK ? disassemble(c, line->name, c->digits, count, out, diags) : status;
}

static weft_status disassemble_digits(struct convert *c, const struct cli_bytes *in, FILE *out, weft_diags *diags)
{
    c->digits = cli_kept(malloc((in->size / 2 + 1) * (c->words ? unit_of(c) : 1)));
    if (!c->digits)
        return WEFT_ERROR_MEMORY;
    struct convert_line all = {in, 0, in->size, 1, in->name};
    diags_lines_before(diags, (uint32_t)c->lines_before);
    weft_status status =
        c->each ? convert_lines(c, in, disassemble_line, out, diags) : disassemble_line(c, &all, out, diags);
    free(c->digits);
    c->digits = NULL;
    return status;
}

/* Text that is not bytes of a program. Of a few bytes both may be true: then they are bytes. */
static bool is_source(const struct convert *c, const struct cli_bytes *in)
{
    if (c->guess || !in->size || !cli_is_text(in))
        return false;
    weft_program_options params;
    weft_program *program = NULL;
    weft_program_options_init(&params); /* macros and folders mean nothing to bytes */
    params.chip = c->target.chip;
    params.stage = c->target.stage;
    weft_status status = weft_program_from_bytes(weft_isa_name(c->isa), NULL, (const uint8_t *)in->data, in->size,
                                                 &params, NULL, &program);
    weft_program_free(program);
    return status == WEFT_ERROR_INPUT;
}

/* What a source file, such as a shader in GLSL, becomes. */
static weft_status disassemble_source(struct convert *c, const struct cli_bytes *in, FILE *out, weft_diags *diags)
{
    weft_program_options params = convert_options(c);
    weft_program *program = NULL;
    uint8_t *bytes = NULL;
    size_t count = 0;
    params.program = in->program ? in->program - 1 : 0;
    weft_status status =
        weft_program_from_text(convert_language(c), in->name, in->data, in->size, &params, diags, &program);
    if (status == WEFT_OK)
        status = weft_program_bytes(program, &bytes, &count, diags);
    if (status == WEFT_OK)
        status = disassemble(c, in->name, bytes, count, out, diags);
    weft_free(bytes);
    weft_program_free(program);
    return status;
}

/* Whether a text is of hexadecimal numbers and what separates them. */
static bool is_of_digits(const struct cli_bytes *in)
{
    size_t n = 0;
    while (n < in->size && strchr("0123456789abcdefABCDEFxX \t\r\n,;:[]{}()", in->data[n]))
        n++;
    return n == in->size;
}

static weft_status disassemble_input(struct convert *c, const struct cli_bytes *in, FILE *out, weft_diags *diags)
{
    if (c->hex)
        return disassemble_digits(c, in, out, diags);
    if (is_source(c, in))
        return disassemble_source(c, in, out, diags);
    weft_status status = disassemble(c, in->name, (const uint8_t *)in->data, in->size, out, diags);
    if ((c->unknown || c->guess) && cli_is_ascii(in)) {
        c->text = true;
        c->text_of_digits = is_of_digits(in);
    }
    c->in_elf |= c->unknown && !c->start && in->size > 4 && memcmp(in->data, "\177ELF", 4) == 0 &&
                 !weft_isa_has_elf(c->isa);
    return status;
}

/* Options that do not go together. STATUS_FINE: they do. */
static int check_options(const struct convert *c)
{
    if (c->each && !c->hex)
        return cli_wrong(&command_dis, "--each reads lines: it needs -f hex or -f words");
    if (c->guess && (c->each || c->listing || c->target.isa))
        return cli_wrong(&command_dis, "--guess tries all instruction sets: leave out -i, --each and listings");
    if (c->listing && !weft_isa_has_places(c->isa))
        return cli_wrong(&command_dis, "%s: instructions of %s have no addresses; the text shows their numbers",
                         c->listing, weft_isa_name(c->isa));
    if (c->listing && c->each)
        return cli_wrong(&command_dis, "%s and --each do not go together: every program is at address 0", c->listing);
    if (c->each && (c->start || c->has_length))
        return cli_wrong(&command_dis, "--start and --length do not go with --each");
    if (c->json + c->graph + (c->symbols != NULL) + (c->address || c->bytes) > 1)
        return cli_wrong(&command_dis, "%s does not go with another kind of listing", c->listing);
    return STATUS_FINE;
}

/* Stages in which fewer are unknown. */
static void report_better(uint32_t stages)
{
    char list[160] = "";
    for (int stage = 0; stage < WEFT_STAGES; stage++) {
        if (!(stages >> stage & 1))
            continue;
        uint32_t rest = stages >> stage >> 1;
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", weft_stage_name((weft_stage)stage),
                 !rest ? "" : rest & (rest - 1) ? ", " : " or ");
    }
    if (list[0])
        cli_message("fewer are unknown with -s %s", list);
}

static void report_text(const struct convert *c)
{
    if (c->text_of_digits)
        cli_message("these bytes are text, of hexadecimal digits: give -f hex or -f words");
    else
        cli_message("these bytes are text: 'weft asm' and 'weft check' take that");
}

/* How many are unknown, and the addresses of the first. */
static void report_unknown(const struct convert *c)
{
    char where[CONVERT_UNKNOWN * 20] = "";
    size_t shown = c->nunknown < CONVERT_UNKNOWN ? c->nunknown : CONVERT_UNKNOWN;
    for (size_t i = 0; i < shown; i++)
        snprintf(where + strlen(where), sizeof where - strlen(where), "%s0x%llx", i ? ", " : ": ",
                 (unsigned long long)c->unknown_at[i]);
    cli_message("%zu unknown instruction%s, printed as data%s%s", c->unknown, c->unknown == 1 ? "" : "s", where,
                c->nunknown > shown ? ", ..." : "");
    if (c->text)
        report_text(c);
    else if (c->in_elf)
        cli_message("this is an ELF file, read for vpu alone: take the code out of it by --start and --length");
    else
        report_better(c->better);
}

static bool parse(void *state, int argc, char **argv, int *status)
{
    struct convert *c = state;
    c->command = &command_dis;
    c->fn = disassemble_input;
    if (!convert_parse(c, argc, argv, status))
        return false;
    *status = check_options(c);
    if (*status != STATUS_FINE)
        return false;
    if (c->isa && weft_isa_takes_base(c->isa))
        c->base += c->start;
    return true;
}

/* The exit status, with what was unknown in mind. */
static int end(const struct convert *c, int status)
{
    if (c->unknown)
        report_unknown(c);
    else if (c->guess && c->text)
        report_text(c);
    return status == STATUS_FINE && c->unknown ? STATUS_INPUT : status;
}

static int run_alone(void *state)
{
    int status = convert_run(state);
    return end(state, status);
}

static int finish(void *state, const struct list_result *total)
{
    int status = convert_finish(state, total);
    return end(state, status);
}

static const struct list_kind list_kind = {
    sizeof(struct convert), parse, convert_is_list, run_alone, convert_open, convert_range, convert_take, finish,
};

const struct cli_command command_dis = {
    "dis",
    "[-i ISA] [-m CHIP] [-s STAGE] [-f bin|hex|words] [--each] [--addr] [--bytes] [-l] [--symbols FILE]\n"
    "                [--json] [--graph] [--start N] [--length N] [--base ADDRESS] [--entry NAME] [--linear]\n"
    "                [--resume JOURNAL] [-o OUT] [IN]\n"
    "       weft dis --guess [-f bin|hex|words] [IN]",
    "disassemble: bytes to text",
    "IN is a file, or - for standard input (the default). The text assembles to the same bytes. Targets of branches\n"
    "are what each instruction set's own tools print: addresses, distances. -l gives them labels, so that lines can\n"
    "be put in and taken out.\n"
    "-f hex reads bytes in memory order as pairs of digits, blanks and line ends wherever they are. -f words reads "
    "words\n"
    "as drivers print them: 0x1000c805, 0x0423c780, with commas and offsets; logs of the kernel, arrays of C,\n"
    "listings that have bytes, and dumps of xxd, hexdump, od and gdb.\n"
    "Unknown instructions are printed as data; the exit status is then 1. With --each, a comment takes the place of a\n"
    "line at fault; the exit status is 1 then too.",
    options,
    NULL,
    &list_kind,
};
