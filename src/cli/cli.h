/* cli.h - what the subcommands of weft share: the command table, options, files, messages. */
#ifndef WEFT_CLI_CLI_H
#define WEFT_CLI_CLI_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <weft/weft.h>

/* Exit statuses: the design's, whatever the platform's stdlib.h calls them. */
enum { STATUS_FINE = 0, STATUS_INPUT = 1, STATUS_USAGE = 2, STATUS_EXPECTATION = 3 };

/* ---- commands and their options: options.c ---- */

/* An option. A key below 128 is its letter too; a table ends with key 0. One with an argument is given once at most,
 * under any of its names, unless it is one of many. */
struct cli_option {
    int key;
    const char *name; /* long name */
    const char *arg;  /* what messages call its argument; NULL: it has none */
    const char *help;
    bool many;
};

struct cli_command {
    const char *name;
    const char *synopsis; /* after the name: "[-i ISA] [IN]" */
    const char *summary;  /* one line */
    const char *details;  /* paragraphs of the command's help; "" for none */
    const struct cli_option *options;
    int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns an exit status */
    const struct list_kind *list;      /* NULL: run; otherwise the command is about a list (list.h) */
};

extern const struct cli_command command_asm, command_dis, command_check, command_isa, command_draw, command_run,
    command_boot,
    command_explain;

/* What a program of commands says of itself. */
struct cli_commands {
    const struct cli_command *const *commands;
    size_t count;
    const char *about;   /* one sentence */
    const char *call;    /* "weft" */
    const char *closing; /* after the list of commands: lines */
};
const struct cli_command *cli_find(const struct cli_commands *list, const char *name); /* NULL: none */
void cli_usage(FILE *out, const struct cli_commands *list);
/* Whether the word that may be a command asks for help, or for the version. */
bool cli_asks_help(const char *word);
bool cli_asks_version(const char *word);

enum { CLI_MOST_OPTIONS = 48 };
enum { OPTION_END = -1, OPTION_STOP = -2 /* help was shown or a message printed: return cli_stop() */ };

/* The arguments of a command as they are read, one after the other. */
struct cli_args {
    const struct cli_command *command;
    int argc;
    char **argv;
    const char *value; /* of the option that cli_next returned */
    int status;        /* why OPTION_STOP */
    const char *given[CLI_MOST_OPTIONS]; /* values so far of the options of the tables that have one alone */
};

/* The next option's key; OPTION_END when only operands are left: argv[cli_operands(a)] on. */
int cli_next(struct cli_args *a);
int cli_operands(const struct cli_args *a);

void cli_help(const struct cli_command *command);

/* "weft NAME: MESSAGE" and how to get help, on standard error; returns STATUS_USAGE. */
int cli_wrong(const struct cli_command *command, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int cli_wrong_to(FILE *to, const struct cli_command *command, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* A number of an option's value, decimal or hexadecimal with 0x, never octal: false when it is not one or out of range.
 */
bool cli_number(const char *text, uint64_t least, uint64_t most, uint64_t *out);

/* Whether a name is longer than an ending and ends so, in small or capital letters. */
bool cli_ends(const char *name, const char *ending);

/* " (did you mean 'X'?)" for the nearest of the words, or "", in a buffer of the caller's. */
const char *cli_nearest(const char *word, const char *const *words, size_t count, char *buffer, size_t size);

/* ---- messages: messages.c ---- */

/* All diagnostics on standard error, as people read them; in colour on a terminal unless NO_COLOR is set. */
void cli_report(const weft_diags *diags);
/* Those that are as severe as `least`, or more. */
void cli_report_severity(FILE *to, const weft_diags *diags, weft_severity least);
/* One diagnostic, and how many more there were, for standard error. */
void cli_put_diag(FILE *to, const weft_diag *d);
void cli_put_more(FILE *to, size_t more);
/* A message for standard error, where characters that steer a terminal are shown by their numbers. */
void cli_say(FILE *to, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
/* "weft: MESSAGE" on standard error. */
void cli_message(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Memory that the program needs to go on: where there is none it says so and ends with STATUS_INPUT. Returns `memory`.
 */
void *cli_kept(void *memory);
/* The exit status for what a call of the library answered. */
int cli_status(weft_status status);

/* ---- engines: engine.c ---- */

#define CLI_ENGINE_HELP "auto (default), interp or jit: the same bits, another speed"

/* --engine. False, having said so, when the value is wrong or this machine has no JIT. */
bool cli_take_engine(const struct cli_args *a, weft_engine *engine);
/* Lines of --stats, for standard error. */
void cli_show_engine(FILE *to, const weft_engine_stats *s);
/* Lines of --version. */
void cli_show_engines(void);

/* ---- files: files.c ---- */

struct cli_bytes {
    char *data; /* free() it; terminated by a zero that does not count */
    size_t size;
    const char *name; /* what messages call it */
    uint32_t program; /* N of a path FILE#N: which of the programs in it, from 1; 0: not said */
};

/* The length of a path without its #N, and N: 0 where a file has the whole path as its name, or there is no #N. */
size_t cli_path_length(const char *path, uint32_t *program);

/* What messages call a file; NULL or "-": "<stdin>". */
const char *cli_file_name(const char *path);
/* Read a whole file; NULL or "-" is standard input. Says what is wrong and returns false on failure: among
 * the diagnostics, unless they are NULL. */
bool cli_read(const char *path, struct cli_bytes *out);
/* Printable ASCII and white space alone: machine code has zeros and high bytes soon. */
bool cli_is_ascii(const struct cli_bytes *in);
bool cli_read_for(const char *path, struct cli_bytes *out, weft_diags *diags);

/* open, again when a signal interrupts it; a new file has the mode that the umask leaves of 0666. */
int cli_open(const char *path, int flags);

/* Write a whole file; NULL or "-" is standard output. The file either has the old or all of the new contents: they are
 * written next to it and renamed, unless it is not a regular file. Returns an exit status, having said what is wrong.
 */
int cli_write(const char *path, const void *data, size_t size);
/* All of it to an open file; false with errno where that fails. */
bool cli_write_all(int fd, const char *data, size_t size);
bool cli_to_terminal(const char *path);

/* False when the output is the file of an input, having said so: what went in would be lost. Either may be NULL. */
bool cli_distinct(const struct cli_command *command, const char *input, const char *output);

/* ---- programs: load.c ---- */

enum { CLI_MOST_MACROS = 64, CLI_MOST_FOLDERS = 32 };

/* -i, -m, -s, -D, -I, --common, --entry and --pack. */
struct cli_target {
    const char *isa;
    const char *chip;
    weft_stage stage;
    bool strict, pack;
    const char *define[CLI_MOST_MACROS], *folder[CLI_MOST_FOLDERS], *common[CLI_MOST_FOLDERS];
    size_t ndefines, nfolders, ncommon;
    const char *entry; /* NULL: as the program says */
};

#define CLI_TARGET_OPTIONS_OF(stages)                                                                                  \
    {'i', "isa", "ISA", "instruction set (default: the extension of the input's name)"},                               \
        {'m', "chip", "CHIP", "chip, where an instruction set has several (default: the newest)"},                     \
    {'s', "stage", "STAGE", stages}
#define CLI_TARGET_OPTIONS                                                                                             \
    CLI_TARGET_OPTIONS_OF("vertex, tess-control, tess-evaluation, geometry, fragment or compute")

/* Where a program starts, of commands that read one. */
enum { CLI_ENTRY = 940, CLI_COMMON, CLI_PACK };
#define CLI_ENTRY_OPTION                                                                                               \
    {CLI_ENTRY, "entry", "NAME", "where it starts: a function (hlsl, spirv), kernel, label or address (tesla, vpu)"}

/* Of commands that read a text. */
#define CLI_PACK_OPTION {CLI_PACK, "pack", NULL, "the text is a plain list of instructions: group them (rogue)"}

/* Of commands that compile. */
#define CLI_COMPILE_OPTIONS                                                                                            \
    {'D', "define", "NAME[=VALUE]", "a macro of GLSL or HLSL (without VALUE: 1)", true},                               \
        {'I', "include", "DIR", "where #include looks after the folder of the file that has it", true},                \
        {CLI_COMMON, "common", "FILE", "a text of GLSL or HLSL that is read before each shader", true},                \
        CLI_ENTRY_OPTION

/* The options of a program, for the library. */
weft_program_options cli_options(const struct cli_target *t);

/* Take one of these options. False when the value is wrong, having said so. */
bool cli_take_target(struct cli_target *t, const struct cli_args *a, int key);
/* One of these options as it is written: "-i". */
const char *cli_target_option(int key);

/* The instruction set of an input: -i, or the extension. NULL when there is none, having said so. */
const weft_isa *cli_isa(const struct cli_target *t, const struct cli_command *command, const char *path);
const weft_isa *cli_isa_to(FILE *to, const struct cli_target *t, const struct cli_command *command, const char *path);

/* Whether the name is one that scripts have, of Amber and of VkRunner. */
bool cli_is_job(const char *path);

/* Whether an input looks like text: it has no control characters but white space. */
bool cli_is_text(const struct cli_bytes *in);

/* How many programs there are in what was read: several in a log of shaders, unless the path chose one. */
uint32_t cli_programs(const weft_isa *isa, const struct cli_bytes *in);

/* A program from what was read, text or bytes: whichever it is. linkage may be NULL: the instruction set's default. */
weft_status cli_program(const struct cli_target *t, const weft_isa *isa, const struct cli_bytes *in,
                        const struct cli_bytes *linkage, weft_diags *diags, weft_program **out);

/* ---- hex: hex.c ---- */

/* Bytes as lines of `unit` bytes, two digits each in memory order; unit 0: all on one line. free() the result. */
char *hex_print(const uint8_t *bytes, size_t size, size_t unit, size_t *length);
/* The same with the bytes of each of `count` places on a line of their own. */
char *hex_print_places(const uint8_t *bytes, const weft_place *places, size_t count, size_t *length);
/* The bytes of hex digits in pairs, blanks and line ends wherever they are. `bytes` holds size / 2 at least.
 * Returns the offset of what is not a pair of digits, or `size`. */
size_t hex_parse(const char *text, size_t size, uint8_t *bytes, size_t *count);

#endif
