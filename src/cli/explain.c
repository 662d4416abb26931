/* explain.c - weft explain: one instruction, as words or as a line of text, taken apart; the code of a diagnostic. */
#include "cli/explain.h"
#include "base/diag.h"
#include "cli/cli.h"
#include "cli/json.h"
#include "cli/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_JSON = 256, MOST_BYTES = 1024 };

static const struct cli_option options[] = {
    CLI_TARGET_OPTIONS,
    {'f', "format", "words|hex", "what is given: machine words as manuals write them, or bytes in memory order"},
    CLI_PACK_OPTION,
    {KEY_JSON, "json", NULL, "write JSON"},
    {0},
};

/* What is to be explained. */
struct question {
    struct cli_target target;
    bool hex, as_json;
    char *text;    /* the operands with blanks between them */
    bool is_words; /* each operand is a word */
    json_t *answers;
    size_t shown;
    weft_stage stage; /* of the answer */
    char *last;       /* the text of the last answer: what several stages agree on is shown once */
};

static char *join(int argc, char **argv)
{
    size_t size = 1;
    for (int i = 0; i < argc; i++)
        size += strlen(argv[i]) + 1;
    char *text = cli_kept(calloc(size, 1));
    for (int i = 0; text && i < argc; i++) {
        strcat(text, i ? " " : "");
        strcat(text, argv[i]);
    }
    return text;
}

static void put_bytes(const weft_insn *insn)
{
    for (uint32_t i = 0; i < insn->size; i++)
        printf(" %02x", insn->bytes[i]);
}

/* Whether the last answer, of another stage, had the same text. */
static bool was_last(struct question *q, const weft_isa *isa, const char *text)
{
    char *now = cli_kept(malloc(strlen(text) + strlen(weft_isa_name(isa)) + 2));
    if (!now)
        return false;
    sprintf(now, "%s %s", weft_isa_name(isa), text);
    bool same = q->stage != WEFT_STAGE_NONE && q->last && strcmp(now, q->last) == 0;
    free(q->last);
    q->last = now;
    return same;
}

static void show_insn(struct question *q, const weft_decoder *decoder, const weft_insn *insn)
{
    const weft_isa *isa = weft_decoder_isa(decoder);
    char text[WEFT_INSN_TEXT];
    weft_insn_text(decoder, insn, NULL, text, sizeof text, NULL, NULL);
    if (was_last(q, isa, text))
        return;
    if (q->as_json) {
        json_t *o = json_of_insn(decoder, insn);
        json_object_set_new(o, "instructions", json_of_insn_rows(decoder, insn));
        json_object_set_new(o, "isa", json_string(weft_isa_name(isa)));
        json_array_append_new(q->answers, o);
        return;
    }
    printf("%s%s\n  %s%s%s, bytes", q->shown++ ? "\n" : "", text, weft_isa_name(isa),
           q->stage != WEFT_STAGE_NONE ? ", " : "", q->stage != WEFT_STAGE_NONE ? weft_stage_name(q->stage) : "");
    put_bytes(insn);
    putchar('\n');
    if (insn->nrows == 0) {
        printf("  unknown: %s\n", insn->fault ? insn->fault : "no instruction has these bits");
        if (insn->fault_width)
            printf("  bits at fault: %u to %u\n", insn->fault_bit, insn->fault_bit + insn->fault_width - 1);
        return;
    }
    putchar('\n');
    explain_bits(stdout, decoder, insn);
    putchar('\n');
    explain_meaning(stdout, decoder, insn);
}

/* All instructions in the bytes. Returns whether all of them are known. */
static bool show_all(struct question *q, const weft_decoder *decoder, const uint8_t *bytes, size_t size, bool quiet)
{
    bool known = size > 0;
    for (size_t at = 0; at < size;) {
        weft_insn insn;
        known &= weft_insn_decode(decoder, bytes + at, size - at, at, &insn) == WEFT_OK;
        if (insn.size == 0) {
            if (!quiet)
                cli_message("'%s' ends within an instruction: %zu byte%s of it %s there", q->text, size - at,
                            size - at == 1 ? "" : "s", size - at == 1 ? "is" : "are");
            return false;
        }
        if (!quiet)
            show_insn(q, decoder, &insn);
        at += insn.size;
    }
    return known;
}

static bool bytes_of_words(const struct question *q, const weft_isa *isa, uint8_t *bytes, size_t *count)
{
    size_t size = strlen(q->text), stop;
    if ((size / 2 + 1) * weft_isa_unit(isa) > MOST_BYTES)
        return false;
    stop =
        q->hex ? hex_parse(q->text, size, bytes, count) : words_parse(q->text, size, weft_isa_unit(isa), bytes, count);
    return stop == size;
}

/* The text is a plain list of instructions, and the bytes are those of the groups that are made of it. */
static weft_status pack(const struct question *q, const weft_isa *isa, uint8_t *bytes, size_t *count, weft_diags *diags)
{
    weft_program_options how = cli_options(&q->target);
    weft_program *program = NULL;
    uint8_t *all = NULL;
    weft_status status =
        weft_program_from_text(weft_isa_name(isa), "<line>", q->text, strlen(q->text), &how, diags, &program);
    if (status == WEFT_OK)
        status = weft_program_bytes(program, &all, count, diags);
    if (status == WEFT_OK && *count <= MOST_BYTES)
        memcpy(bytes, all, *count);
    else if (status == WEFT_OK) {
        cli_message("the groups have %zu bytes; give fewer instructions, for at most %d", *count, MOST_BYTES);
        status = WEFT_ERROR_INPUT;
    }
    weft_free(all);
    weft_program_free(program);
    return status;
}

/* The bytes that the question means to an instruction set. False: none; `diags` says why of a text. */
static bool find_bytes(const struct question *q, const weft_decoder *decoder, uint8_t *bytes, size_t *count,
                       weft_diags *diags)
{
    if (q->is_words)
        return bytes_of_words(q, weft_decoder_isa(decoder), bytes, count) && *count;
    weft_status status = q->target.pack ? pack(q, weft_decoder_isa(decoder), bytes, count, diags)
                                        : weft_insn_assemble(decoder, q->text, 0, bytes, MOST_BYTES, count, diags);
    if (status == WEFT_ERROR_MEMORY)
        cli_kept(NULL);
    return status == WEFT_OK;
}

/* What to do with an answer. */
enum asking { ASK_QUIETLY /* only whether all is known */, SHOW, SHOW_FAULTS };

/* The answer of one instruction set for one stage. */
static int ask_stage(struct question *q, const weft_isa *isa, weft_stage stage, enum asking how)
{
    weft_decoder_options options_of = {sizeof options_of, q->target.chip, stage};
    weft_decoder *decoder;
    weft_status status = weft_decoder_new(weft_isa_name(isa), &options_of, &decoder);
    if (status == WEFT_ERROR_USAGE && how == SHOW_FAULTS)
        return cli_wrong(&command_explain, "%s has no chip '%s'", weft_isa_name(isa), q->target.chip);
    if (status == WEFT_ERROR_MEMORY)
        cli_kept(NULL);
    if (status != WEFT_OK)
        return STATUS_INPUT;
    uint8_t bytes[MOST_BYTES];
    size_t count = 0;
    weft_diags *diags = cli_kept(weft_diags_new());
    bool found = find_bytes(q, decoder, bytes, &count, diags), known = false;
    q->stage = stage;
    if (found)
        known = show_all(q, decoder, bytes, count, how == ASK_QUIETLY);
    else if (how == SHOW_FAULTS && q->hex)
        cli_message("'%s' is not a list of hexadecimal bytes", q->text);
    else if (how == SHOW_FAULTS && q->is_words)
        cli_message("'%s' is not a list of hexadecimal words of %u bits", q->text, 8 * weft_isa_unit(isa));
    else if (how == SHOW_FAULTS)
        cli_report(diags);
    weft_diags_free(diags);
    weft_decoder_free(decoder);
    return known ? STATUS_FINE : STATUS_INPUT;
}

/* The answer of one instruction set. Bits that mean nothing where no stage is given may do so in a stage: each that
 * knows them answers. */
static int ask_one(struct question *q, const weft_isa *isa, enum asking how)
{
    int best = STATUS_INPUT;
    if (q->target.stage != WEFT_STAGE_NONE || ask_stage(q, isa, WEFT_STAGE_NONE, ASK_QUIETLY) == STATUS_FINE)
        return ask_stage(q, isa, q->target.stage, how);
    for (int stage = 0; stage < WEFT_STAGES; stage++)
        if (ask_stage(q, isa, (weft_stage)stage, ASK_QUIETLY) == STATUS_FINE) {
            best = STATUS_FINE;
            ask_stage(q, isa, (weft_stage)stage, SHOW);
        }
    return best == STATUS_FINE || how != SHOW_FAULTS ? best : ask_stage(q, isa, WEFT_STAGE_NONE, how);
}

/* The code that a word may have meant; NULL: none is near. */
static const char *code_near(const char *word)
{
    const char *near = NULL;
    size_t count = 0, length = strlen(word);
    while (weft_diag_code(count))
        count++;
    const char **codes = cli_kept(calloc(count, sizeof *codes));
    if (codes && strspn(word, "abcdefghijklmnopqrstuvwxyz-0123456789") == length) {
        for (size_t i = 0; i < count; i++)
            codes[i] = weft_diag_code(i);
        near = nearest_word(word, length, codes, count);
    }
    free(codes);
    return near;
}

/* Each instruction set that knows all of it. */
static int ask_all(struct question *q)
{
    int best = STATUS_INPUT;
    const weft_isa *isa;
    q->target.chip = NULL;
    for (size_t i = 0; (isa = weft_isa_get(i)); i++)
        if (ask_stage(q, isa, q->target.stage, ASK_QUIETLY) == STATUS_FINE || q->target.stage == WEFT_STAGE_NONE)
            best = ask_one(q, isa, SHOW) == STATUS_FINE ? STATUS_FINE : best;
    const char *code = best == STATUS_FINE || q->is_words ? NULL : code_near(q->text);
    if (code)
        cli_message("no instruction set knows '%s'; did you mean the code '%s'?", q->text, code);
    else if (best != STATUS_FINE)
        cli_message("no instruction set knows '%s'; give -i ISA to hear why", q->text);
    return best;
}

/* A name alone is not a line of assembly: say which instructions have it. */
static void name_rows(const struct question *q)
{
    const weft_isa *isa;
    const weft_isa *asked = q->target.isa ? weft_isa_find(q->target.isa) : NULL;
    for (size_t i = 0; (isa = weft_isa_get(i)); i++)
        for (size_t row = 0; (!asked || isa == asked) && row < weft_isa_rows(isa); row++)
            if (weft_isa_row_is(isa, row, q->text)) {
                cli_message("'%s' is the name of an instruction; 'weft isa %s %s' shows what it does", q->text,
                            weft_isa_name(isa), q->text);
                break;
            }
}

/* Is an operand one word, or several in quotes as logs have them: "0x1000c805, 0x0423c780"? */
static bool has_words_only(const char *operand)
{
    char *words = cli_kept(strdup(operand)), *rest;
    bool all = words && strtok_r(words, " \t,", &rest) && words_is_word(words);
    for (char *word = all ? strtok_r(NULL, " \t,", &rest) : NULL; word && all; word = strtok_r(NULL, " \t,", &rest))
        all = words_is_word(word);
    free(words);
    return all;
}

static int ask(struct question *q, int argc, char **argv)
{
    q->text = join(argc, argv);
    if (!q->text) {
        cli_message("out of memory");
        return STATUS_INPUT;
    }
    q->is_words = true;
    for (int i = 0; i < argc; i++)
        q->is_words &= has_words_only(argv[i]);
    q->is_words |= q->hex;
    q->answers = q->as_json ? json_array() : NULL;
    int status = q->target.isa ? ask_one(q, weft_isa_find(q->target.isa), SHOW_FAULTS) : ask_all(q);
    if (status != STATUS_FINE && !q->is_words)
        name_rows(q);
    if (q->as_json) {
        int shown = json_show(q->answers);
        status = shown > status ? shown : status;
    }
    free(q->last);
    free(q->text);
    return status;
}

/* ---- codes of diagnostics ---- */

static int show_code(const char *code, bool as_json)
{
    if (!as_json) {
        printf("%s\n  %s\n", code, weft_diag_explain(code));
        return STATUS_FINE;
    }
    return json_show(json_pack("[{s:s, s:s}]", "code", code, "explanation", weft_diag_explain(code)));
}

/* Answers a word that is a code or nearly one. False: it is neither. */
static bool ask_code(const char *word, bool as_json, int *status)
{
    const char *near = NULL;
    bool known = weft_diag_explain(word) != NULL;
    if (!known && !words_is_word(word) && strchr(word, '-'))
        near = code_near(word);
    if (known)
        *status = show_code(word, as_json);
    else if (near)
        *status = STATUS_INPUT;
    if (near)
        cli_message("there is no code '%s'; did you mean '%s'?", word, near);
    return known || near;
}

static int run(int argc, char **argv)
{
    struct question q = {.target = {.stage = WEFT_STAGE_NONE}};
    struct cli_args args = {&command_explain, argc, argv, NULL, 0};
    for (int key; (key = cli_next(&args)) != OPTION_END;) {
        if (key == OPTION_STOP)
            return args.status;
        if (key == KEY_JSON)
            q.as_json = true;
        else if (key == 'f' && (strcmp(args.value, "words") == 0 || strcmp(args.value, "hex") == 0))
            q.hex = args.value[0] == 'h';
        else if (key == 'f')
            return cli_wrong(&command_explain, "-f is words or hex, not '%s'", args.value);
        else if (!cli_take_target(&q.target, &args, key))
            return STATUS_USAGE;
    }
    int operand = cli_operands(&args);
    if (operand == argc)
        return cli_wrong(&command_explain, "give the words of an instruction, its text in quotes, or a code");
    int status;
    if (operand == argc - 1 && !q.target.isa && ask_code(argv[operand], q.as_json, &status))
        return status;
    return ask(&q, argc - operand, argv + operand);
}

const struct cli_command command_explain = {
    "explain",
    "[-i ISA] [-m CHIP] [-s STAGE] [-f words|hex] [--pack] [--json] WORD... | 'TEXT' | CODE",
    "take an instruction apart: its bits, operands, effects and meaning; explain a diagnostic",
    "WORD is hexadecimal, with or without 0x, as the manual of the instruction set writes it: tesla in words of 32 "
    "bits,\n"
    "valhall of 64, vpu and rogue of 16, tgsi in tokens of 32. With -f hex, bytes in memory order. TEXT is a line of\n"
    "assembly. Without -i every instruction set that knows the whole of it answers.\n"
    "CODE, alone and without -i, is the code of a diagnostic, as --json has it: what is wrong and what to do.",
    options,
    run,
};
