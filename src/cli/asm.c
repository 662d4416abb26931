/* asm.c - weft asm: text to bytes. */
#include "cli/convert.h"

#include "base/diag.h"
#include "cli/words.h"

#include <stdlib.h>
#include <string.h>

static const struct cli_option options[] = {
    CLI_TARGET_OPTIONS,
    CLI_COMPILE_OPTIONS,
    {'f', "format", "bin|hex|words|elf",
     "what to write: bytes as they are, their hex digits, machine words, or ELF (vpu; default: bin)"},
    {'e', "each", NULL, "every line of the input is a program of its own"},
    {CONVERT_BASE, "base", "ADDRESS", "address of the first byte (all but tgsi; default: 0)"},
    {CONVERT_NO_RELAX, "no-relax", NULL, "branches to symbols are as long as their plain spelling (vpu)"},
    {CONVERT_SHORT, "short", NULL, "the shortest encodings, even where the text asks for longer ones"},
    CLI_PACK_OPTION,
    LIST_RESUME_OPTION,
    {'o', "output", "OUT", "where to write (default: standard output)"},
    {0},
};

/* The places and, as ones of their own, the bytes that none has: the head of a module of SPIR-V. */
static weft_place *all_places(const weft_place *places, size_t *count, size_t size)
{
    weft_place *all = cli_kept(calloc(2 * *count + 1, sizeof *all));
    size_t n = 0, at = 0;
    for (size_t i = 0; all && i < *count; i++) {
        if (places[i].offset > at)
            all[n++] = (weft_place){.offset = at, .size = places[i].offset - at};
        all[n++] = places[i];
        at = places[i].offset + places[i].size;
    }
    if (all && at < size)
        all[n++] = (weft_place){.offset = at, .size = size - at};
    *count = n;
    return all;
}

/* Digits: an instruction a line, or with --each a program a line. */
static char *digits_of(const struct convert *c, const weft_program *program, const uint8_t *bytes, size_t count,
                       size_t *length)
{
    char *text = NULL, *digits = NULL;
    weft_place *places = NULL, *all = NULL;
    size_t nplaces = 0;
    unsigned unit = weft_isa_unit(c->isa);
    if (c->each && c->words)
        return words_print(bytes, count, unit, &(weft_place){.size = (uint32_t)count}, count != 0, length);
    if (c->each)
        return hex_print(bytes, count, 0, length);
    weft_status status = weft_program_listing(program, &text, NULL, &places, &nplaces);
    if (status == WEFT_OK && nplaces)
        all = all_places(places, &nplaces, count);
    if (status == WEFT_OK && c->words)
        digits = words_print(bytes, count, unit, all, nplaces, length);
    else if (status == WEFT_OK)
        digits = nplaces ? hex_print_places(bytes, all, nplaces, length)
                         : hex_print(bytes, count, unit, length);
    weft_free(text);
    weft_free(places);
    free(all);
    return digits;
}

/* One program's bytes as -f asks. */
static weft_status put(const struct convert *c, const weft_program *program, const uint8_t *bytes, size_t count,
                       FILE *out, weft_diags *diags)
{
    if (c->words && count % weft_isa_unit(c->isa)) {
        diag_add(diags, WEFT_ERROR, "part-of-word", NULL, "write them with -f hex",
                 "the %zu bytes of the program are not whole words of %u", count, weft_isa_unit(c->isa));
        return WEFT_ERROR_INPUT;
    }
    if (!c->hex)
        return fwrite(bytes, 1, count, out) == count ? WEFT_OK : WEFT_ERROR_MEMORY;
    size_t length;
    char *text = digits_of(c, program, bytes, count, &length);
    bool fine = text && fwrite(text, 1, length, out) == length;
    if (c->each && !length) /* a line without instructions is a line of the output all the same */
        fine = fine && putc('\n', out) != EOF;
    free(text);
    return fine ? WEFT_OK : WEFT_ERROR_MEMORY;
}

static weft_status assemble(const struct convert *c, const char *name, const char *text, size_t size, FILE *out,
                            weft_diags *diags)
{
    weft_program_options params = convert_options(c);
    weft_program *program = NULL;
    uint8_t *bytes = NULL;
    size_t count = 0;
    weft_status status = weft_program_from_text(convert_language(c), name, text, size, &params, diags, &program);
    if (status == WEFT_OK)
        status = (c->elf ? weft_program_elf : weft_program_bytes)(program, &bytes, &count, diags);
    if (status == WEFT_OK)
        status = put(c, program, bytes, count, out, diags);
    weft_free(bytes);
    weft_program_free(program);
    return status;
}

/* To each program its own text is line 1: messages have the line of the input. */
static weft_status assemble_line(struct convert *c, const struct convert_line *line, FILE *out, weft_diags *diags)
{
    diags_lines_before(diags, (uint32_t)(line->number - 1));
    weft_status status =
        assemble(c, line->in->name, line->in->data + line->begin, line->end - line->begin, out, diags);
    diags_lines_before(diags, 0);
    return status;
}

static weft_status assemble_input(struct convert *c, const struct cli_bytes *in, FILE *out, weft_diags *diags)
{
    if (c->each)
        return convert_lines(c, in, assemble_line, out, diags);
    c->program = in->program ? in->program - 1 : 0;
    return assemble(c, in->name, in->data, in->size, out, diags);
}

static bool parse(void *state, int argc, char **argv, int *status)
{
    struct convert *c = state;
    c->command = &command_asm;
    c->fn = assemble_input;
    if (!convert_parse(c, argc, argv, status))
        return false;
    if (c->each && c->elf) {
        *status = cli_wrong(&command_asm, "--each makes many programs, and -f elf is for one");
        return false;
    }
    if (c->hex || !cli_to_terminal(c->output))
        return true;
    *status = cli_wrong(&command_asm, "bytes are not for a terminal: give -o OUT or -f hex");
    return false;
}

static int run_alone(void *state)
{
    return convert_run(state);
}

static const struct list_kind list_kind = {
    sizeof(struct convert), parse, convert_is_list, run_alone, convert_open, convert_range, convert_take,
    convert_finish,
};

const struct cli_command command_asm = {
    "asm",
    "[-i ISA] [-m CHIP] [-s STAGE] [-f bin|hex|words|elf] [--each] [--base ADDRESS] [--no-relax] [--short] [--pack]\n"
    "                [--resume JOURNAL] [-o OUT] [IN]",
    "assemble: text to bytes",
    "IN is a file, or - for standard input (the default). Nothing is written when the text is at fault.\n"
    "-f hex writes one instruction a line, its bytes in memory order; for tgsi one 32-bit token a line.\n"
    "-f words writes machine words as C has them, 0x1000c805, 0x0423c780, which dis reads back.\n"
    "With --each the bytes of a whole program are on one line; of a line at fault, a comment is (with -f hex).",
    options,
    NULL,
    &list_kind,
};
