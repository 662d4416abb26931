/* convert.h - what assembling and disassembling share: one input becomes one output, or nothing. */
#ifndef WEFT_CLI_CONVERT_H
#define WEFT_CLI_CONVERT_H

#include "cli/list.h"

#include <stdio.h>

enum { CONVERT_UNKNOWN = 16 };

struct convert;

/* From the whole input to the output; WEFT_ERROR_MEMORY also when the stream fails. */
typedef weft_status convert_fn(struct convert *c, const struct cli_bytes *in, FILE *out, weft_diags *diags);

struct convert {
    struct list_args list;
    convert_fn *fn;
    const struct cli_command *command;
    struct cli_target target;
    const weft_isa *isa;
    const char *input, *output; /* NULL: the standard ones */
    bool hex, words, elf, each, shorten; /* words: hex digits too, as manuals write machine words */
    bool linear, no_relax, labels;
    uint64_t base;
    const char *listing; /* "--addr" or "--bytes" when one was given */
    bool address, bytes; /* what a listing shows */
    bool json, guess, graph;
    uint32_t program; /* of a log, from 0 */
    const char *symbols; /* file of names of addresses */
    uint64_t start, length; /* bytes of the input that are read */
    bool has_length;        /* otherwise all that are left */
    size_t unknown;      /* instructions that were printed as data */
    bool text;           /* the bytes of a program that has some, or that are guessed, are text */
    bool text_of_digits; /* and that is hexadecimal digits */
    bool in_elf;         /* or a file of ELF that is not read as such */
    uint32_t better;     /* no stage was given: those that know most, bits by weft_stage; 0: none knows more */
    uint64_t unknown_at[CONVERT_UNKNOWN]; /* addresses of the first of them, where they are known */
    size_t nunknown;
    uint8_t *digits;     /* what the digits of the input say; room for all of it */
    bool partial;        /* some lines of --each are marked as faulty: the output is written all the same */
    size_t lines_before; /* of the input, before what is converted (--each) */
    size_t reported[2];  /* errors, and others, that are shown (--each) */
};

enum {
    CONVERT_ADDR = 256, CONVERT_BYTES, CONVERT_LINEAR, CONVERT_NO_RELAX, CONVERT_BASE, CONVERT_SHORT,
    CONVERT_JSON, CONVERT_GRAPH, CONVERT_GUESS, CONVERT_SYMBOLS, CONVERT_START,
    CONVERT_LENGTH
};

/* Read the arguments. False: return *status. */
bool convert_parse(struct convert *c, int argc, char **argv, int *status);

/* Do it: nothing is written unless all of it went well, or the rest is `partial`. Returns an exit status. */
int convert_run(struct convert *c);

/* The lines of --each as a list: functions of a list_kind. */
bool convert_is_list(const void *state);
int convert_open(void *state, struct list_items *items);
void convert_range(const void *state, const struct list_range *range, struct list_result *result);
void convert_take(void *state, struct list_result *total, const struct list_result *part);
int convert_finish(void *state, const struct list_result *total);
/* What a result counts. */
enum { CONVERT_COUNT_UNKNOWN, CONVERT_COUNT_DIAGS };

/* A line of --each: in->data[begin, end). */
struct convert_line {
    const struct cli_bytes *in;
    size_t begin, end;
    size_t number;    /* of the line, from 1 */
    const char *name; /* what messages call it when it is a program of its own */
};
typedef weft_status convert_line_fn(struct convert *c, const struct convert_line *line, FILE *out, weft_diags *diags);

/* Every line of the input by `one`. Where the output has lines too, they match the input's: what is empty or a comment
 * stays as it is, and a comment marks a line at fault. */
weft_status convert_lines(struct convert *c, const struct cli_bytes *in, convert_line_fn *one, FILE *out,
                          weft_diags *diags);

/* The options of a program, for the library. */
weft_program_options convert_options(const struct convert *c);

/* What texts are written in: the instruction set's name, or a language's that -i names ("glsl"). */
const char *convert_language(const struct convert *c);

#endif
