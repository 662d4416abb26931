/* dis.c - weft dis: bytes to text. */
#include "cli/convert.h"

#include "base/diag.h"

#include <stdlib.h>
#include <string.h>

static const struct cli_option options[] = {
    CLI_TARGET_OPTIONS,
    {'f', "format", "bin|hex", "what is read: bytes as they are (ELF too), or hex digits (default: bin)"},
    {'e', "each", NULL, "every line of hex digits is a program of its own, and so is every line written"},
    {CONVERT_ADDR, "addr", NULL, "show the address of every instruction"},
    {CONVERT_BYTES, "bytes", NULL, "show the bytes of every instruction"},
    {CONVERT_LABELS, "labels", NULL, "labels at the targets of branches, which name them (tesla, valhall)"},
    {CONVERT_BASE, "base", "ADDRESS", "address of the first byte (all but tgsi; default: 0)"},
    {CONVERT_ENTRY, "entry", "SYMBOL", "where the program starts, a symbol or an address (vpu)"},
    {CONVERT_LINEAR, "linear", NULL, "all bytes are instructions, reached or not (vpu; as with -f hex)"},
    {'o', "output", "OUT", "where to write (default: standard output)"},
    {0},
};

/* How much of a line is said before its comment, which would hide the rest of a joined line. */
static size_t without_comment(const char *line, size_t size)
{
    size_t length = 0;
    while (length < size && !(line[length] == '/' && length + 1 < size && line[length + 1] == '/'))
        length++;
    while (length < size && length && line[length - 1] == ' ')
        length--;
    return length;
}

/* Text on one line, as programs of --each are. */
static bool put_line(const struct convert *c, const char *text, size_t size, FILE *out)
{
    const char *separator = weft_isa_separator(c->isa);
    bool fine = true, some = false;
    for (const char *line = text, *stop; line < text + size && fine; line = stop + 1) {
        stop = memchr(line, '\n', (size_t)(text + size - line));
        stop = stop ? stop : text + size;
        size_t length = without_comment(line, (size_t)(stop - line));
        if (!length)
            continue;
        fine = fputs(some ? separator : "", out) >= 0 && fwrite(line, 1, length, out) == length;
        some = true;
    }
    return fine && putc('\n', out) != EOF;
}

/* Text with the address and the bytes of each instruction in front of it, as asked for. */
static void put_listing(const struct convert *c, const char *text, size_t size, const uint8_t *bytes,
                        const weft_place *places, size_t count, FILE *out)
{
    enum { SHOWN = 10 /* bytes: as many as most instructions have at most */ };
    size_t next = 0;
    for (const char *line = text, *stop; line < text + size; line = stop + 1) {
        stop = memchr(line, '\n', (size_t)(text + size - line));
        stop = stop ? stop : text + size;
        const weft_place *at = next < count && places[next].line <= (size_t)(line - text) ? &places[next++] : NULL;
        if (at && c->address)
            fprintf(out, "%08llx: ", (unsigned long long)at->address);
        if (at && c->bytes) {
            for (size_t k = 0; k < at->size; k++)
                fprintf(out, "%02x ", bytes[at->offset + k]);
            fprintf(out, "%*s", (int)(at->size < SHOWN ? (SHOWN - at->size) * 3 : 0), "");
        }
        fprintf(out, "%.*s\n", (int)(stop - line), line);
    }
}

static weft_status list(const struct convert *c, const weft_program *program, FILE *out, weft_diags *diags)
{
    char *text = NULL;
    size_t size = 0, count = 0, nbytes = 0;
    weft_place *places = NULL;
    uint8_t *bytes = NULL;
    weft_status status = weft_program_listing(program, &text, &size, &places, &count);
    if (status == WEFT_OK)
        status = weft_program_bytes(program, &bytes, &nbytes, diags);
    if (status == WEFT_OK)
        put_listing(c, text, size, bytes, places, count, out);
    weft_free(bytes);
    weft_free(places);
    weft_free(text);
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

static weft_status disassemble(struct convert *c, const char *name, const uint8_t *bytes, size_t count, FILE *out,
                               weft_diags *diags)
{
    weft_program_options params = convert_options(c);
    weft_program *program = NULL;
    weft_status status = weft_program_from_bytes(weft_isa_name(c->isa), name, bytes, count, &params, diags, &program);
    if (status == WEFT_OK) {
        c->unknown += weft_program_unknown(program);
        status = c->listing ? list(c, program, out, diags) : put_text(c, program, out);
    }
    weft_program_free(program);
    return status;
}

/* The bytes that in->data[begin, end) says, or a diagnostic where it says none. */
static weft_status read_digits(const struct cli_bytes *in, size_t begin, size_t end, uint8_t *bytes, size_t *count,
                               weft_diags *diags)
{
    size_t stop = begin + hex_parse(in->data + begin, end - begin, bytes, count);
    if (stop == end)
        return WEFT_OK;
    struct source source = {in->name, in->data, in->size};
    diag_at(diags, WEFT_ERROR, "not-hex", &source, (struct span){(uint32_t)stop, 1}, NULL,
            "expected two hexadecimal digits for each byte");
    return WEFT_ERROR_INPUT;
}

static weft_status disassemble_line(struct convert *c, const struct convert_line *line, FILE *out, weft_diags *diags)
{
    uint8_t *bytes = malloc((line->end - line->begin) / 2 + 1);
    size_t count;
    if (!bytes)
        return WEFT_ERROR_MEMORY;
    weft_status status = read_digits(line->in, line->begin, line->end, bytes, &count, diags);
    if (status == WEFT_OK)
        status = disassemble(c, line->name, bytes, count, out, diags);
    free(bytes);
    return status;
}

static weft_status disassemble_input(struct convert *c, const struct cli_bytes *in, FILE *out, weft_diags *diags)
{
    if (c->each)
        return convert_lines(c, in, disassemble_line, out, diags);
    if (c->hex)
        return disassemble_line(c, &(struct convert_line){in, 0, in->size, in->name}, out, diags);
    return disassemble(c, in->name, (const uint8_t *)in->data, in->size, out, diags);
}

static int run(int argc, char **argv)
{
    struct convert c = {.command = &command_dis};
    int status;
    if (!convert_parse(&c, argc, argv, &status))
        return status;
    if (c.each && !c.hex)
        return cli_wrong(&command_dis, "--each reads lines: it needs -f hex");
    if (c.listing && !weft_isa_has_places(c.isa))
        return cli_wrong(&command_dis, "%s: instructions of %s have no addresses; the text shows their numbers",
                         c.listing, weft_isa_name(c.isa));
    if (c.listing && c.each)
        return cli_wrong(&command_dis, "%s and --each do not go together: every program is at address 0", c.listing);
    status = convert_run(&c, disassemble_input);
    if (c.unknown)
        cli_message("%zu unknown instruction%s, printed as data", c.unknown, c.unknown == 1 ? "" : "s");
    return status == STATUS_FINE && c.unknown ? STATUS_INPUT : status;
}

const struct cli_command command_dis = {
    "dis",
    "[-i ISA] [-m CHIP] [-s STAGE] [-f bin|hex] [--each] [--addr] [--bytes] [--labels] [--base ADDRESS] [--entry "
    "SYMBOL] "
    "[--linear] [-o OUT] [IN]",
    "disassemble: bytes to text",
    "IN is a file, or - for standard input (the default). The text assembles to the same bytes.\n"
    "-f hex reads bytes in memory order as pairs of digits, blanks and line ends wherever they are.\n"
    "Unknown instructions are printed as data; the exit status is then 1. With --each, a comment takes the place of a\n"
    "line at fault; the exit status is 1 then too.",
    options,
    run,
};
