/* language.c - how fast programs of the instruction sets are read and written, and how fast `weft` starts. */
#include "bench.h"
#include "statistics.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <weft/insn.h>
#include <weft/program.h>

enum { TEXT_SIZE = 16 << 20, PARTS = 3, TEXT_ROUNDS = 5, START_ROUNDS = 20 };

/* ---- a long program ----
 *
 * bench/language/ISA.txt has three parts with lines of %% between: what a program begins with, lines of instructions
 * that are repeated, what it ends with. {n} becomes the instruction's number, {64} a number below 64, another each
 * time. */

struct text {
    char *bytes;
    size_t size, cap, instructions;
    uint32_t state;
};

static bool put(struct text *t, const char *bytes, size_t size)
{
    if (t->size + size >= t->cap) {
        size_t cap = 2 * (t->size + size) + 4096;
        char *more = realloc(t->bytes, cap);
        if (!more)
            return false;
        t->bytes = more;
        t->cap = cap;
    }
    memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
    return true;
}

/* A line with its {} filled in. */
static bool put_line(struct text *t, const char *line, size_t size)
{
    const char *end = line + size;
    while (line < end) {
        const char *open = memchr(line, '{', (size_t)(end - line));
        unsigned below = 0;
        char number[16];
        int place = 0; /* its length */
        if (!open)
            return put(t, line, (size_t)(end - line));
        bool numbered = sscanf(open, "{n}%n", &place) == 0 && place > 0;
        if (!numbered &&
            (sscanf(open, "{%u}%n", &below, &place) != 1 || place == 0)) { /* a brace of the language's own */
            if (!put(t, line, (size_t)(open + 1 - line)))
                return false;
            line = open + 1;
            continue;
        }
        t->state = t->state * 1664525u + 1013904223u;
        int length = numbered ? snprintf(number, sizeof number, "%3zu", t->instructions)
                              : snprintf(number, sizeof number, "%u", below ? (t->state >> 16) % below : 0);
        if (!put(t, line, (size_t)(open - line)) || !put(t, number, (size_t)length))
            return false;
        line = open + place;
    }
    return true;
}

static bool put_part(struct text *t, const char *part, size_t size, bool instructions)
{
    for (const char *end = part + size; part < end;) {
        const char *newline = memchr(part, '\n', (size_t)(end - part));
        size_t length = newline ? (size_t)(newline + 1 - part) : (size_t)(end - part);
        if (!put_line(t, part, length))
            return false;
        t->instructions += instructions;
        part += length;
    }
    return true;
}

/* A program of about TEXT_SIZE bytes; free() its bytes. False: the template is none, or there is no memory. */
static bool expand(const struct cli_bytes *in, struct text *t)
{
    const char *part[PARTS] = {in->data}, *end = in->data + in->size;
    size_t size[PARTS];
    *t = (struct text){.state = 1};
    for (unsigned i = 0; i < PARTS; i++) {
        const char *next = i < PARTS - 1 ? strstr(part[i], "%%\n") : end;
        if (!next)
            return false;
        size[i] = (size_t)(next - part[i]);
        if (i < PARTS - 1)
            part[i + 1] = next + 3;
    }
    bool ok = size[1] > 0 && put_part(t, part[0], size[0], false);
    while (ok && t->size < TEXT_SIZE)
        ok = put_part(t, part[1], size[1], true);
    return ok && put_part(t, part[2], size[2], true);
}

/* ---- measuring ---- */

enum { PARSE, ENCODE, DECODE, PRINT, WALK, STEPS };

/* Each instruction by itself, as weft/insn.h decodes it; *count is how many there are, 0 where the bytes of a program
 * have more than instructions (TGSI). False: one is unknown. */
static bool walk(const char *isa, const uint8_t *bytes, size_t size, size_t *count)
{
    weft_decoder *decoder;
    weft_insn insn;
    bool ok = true;
    *count = 0;
    if (strcmp(isa, "tgsi") == 0)
        return true;
    if (weft_decoder_new(isa, NULL, &decoder) != WEFT_OK)
        return false;
    for (size_t at = 0; ok && at < size; at += insn.size, ++*count)
        ok = weft_insn_decode(decoder, bytes + at, size - at, at, &insn) == WEFT_OK;
    weft_decoder_free(decoder);
    return ok;
}

/* One way around, text to bytes to text; rates in MB of text or in millions of instructions per CPU second. */
static bool measure_round(const char *isa, const struct text *t, double rate[STEPS], weft_diags *diags)
{
    const weft_program_options all = {.stage = WEFT_STAGE_NONE, .linear = 1}; /* vpu: without telling code from data */
    weft_program *read = NULL, *decoded = NULL;
    uint8_t *bytes = NULL;
    char *printed = NULL;
    size_t size = 0, printed_size = 0, walked = 0;
    double at[STEPS + 1] = {cpu_seconds()};
    bool ok = weft_program_from_text(isa, "generated", t->bytes, t->size, NULL, diags, &read) == WEFT_OK;
    at[1] = cpu_seconds();
    ok = ok && weft_program_bytes(read, &bytes, &size, diags) == WEFT_OK;
    at[2] = cpu_seconds();
    ok = ok && weft_program_from_bytes(isa, "generated", bytes, size, &all, diags, &decoded) == WEFT_OK;
    at[3] = cpu_seconds();
    ok = ok && weft_program_text(decoded, &printed, &printed_size) == WEFT_OK;
    at[4] = cpu_seconds();
    ok = ok && walk(isa, bytes, size, &walked);
    at[5] = cpu_seconds();
    const size_t handled[STEPS] = {t->size, t->instructions, t->instructions, printed_size, walked};
    for (unsigned i = 0; i < STEPS; i++)
        rate[i] = (double)handled[i] * 1e-6 / (at[i + 1] - at[i]);
    weft_free(bytes);
    weft_free(printed);
    weft_program_free(read);
    weft_program_free(decoded);
    return ok;
}

static bool measure_isa(const char *isa, const struct text *t)
{
    double rate[STEPS][TEXT_ROUNDS], one[STEPS];
    weft_diags *diags = weft_diags_new();
    bool ok = true;
    for (unsigned r = 0; ok && r < TEXT_ROUNDS; r++) {
        ok = measure_round(isa, t, one, diags);
        for (unsigned i = 0; i < STEPS; i++)
            rate[i][r] = one[i];
    }
    if (!ok)
        cli_report(diags);
    weft_diags_free(diags);
    if (!ok)
        return false;
    printf("%-12s %12zu %9.1f", isa, t->instructions, (double)t->size * 1e-6);
    for (unsigned i = 0; i < WALK; i++)
        printf(" %9.*f", i == PARSE || i == PRINT ? 0 : 1, median(rate[i], TEXT_ROUNDS));
    double walked = median(rate[WALK], TEXT_ROUNDS);
    if (walked > 0)
        printf(" %11.1f\n", walked);
    else
        printf(" %11s\n", "-");
    fflush(stdout);
    return true;
}

bool bench_language(void)
{
    bool ok = true, first = true;
    for (size_t i = 0; i < weft_isa_count(); i++) {
        const char *isa = weft_isa_name(weft_isa_get(i));
        char path[64];
        struct cli_bytes in;
        struct text text;
        snprintf(path, sizeof path, "bench/language/%s.txt", isa);
        if (access(path, R_OK) != 0 || !cli_read(path, &in))
            continue;
        if (first)
            printf(
                "\nPer CPU second, medians of %d: MB of text parsed and printed, millions of instructions encoded, "
                "decoded as a\nprogram, and decoded one by one with weft/insn.h (one_by_one; Rogue: groups)\n\n"
                "%-12s %12s %9s %9s %9s %9s %9s %11s\n",
                TEXT_ROUNDS, "", "instructions", "MB", "parsed", "encoded", "decoded", "printed", "one_by_one");
        first = false;
        if (!expand(&in, &text) || !measure_isa(isa, &text)) {
            printf("%-12s failed\n", isa);
            ok = false;
        }
        free(text.bytes);
        free(in.data);
    }
    return ok;
}

/* ---- start-up ---- */

static int run_quietly(const char *program)
{
    pid_t pid = fork();
    if (pid == 0) {
        int null = open("/dev/null", O_WRONLY);
        dup2(null, STDOUT_FILENO);
        execl(program, program, "isa", "tgsi", (char *)NULL);
        _exit(127);
    }
    int status = -1;
    if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

void bench_start_up(const char *weft)
{
    double times[START_ROUNDS];
    for (size_t i = 0; i < START_ROUNDS; i++) {
        double start = elapsed_seconds();
        if (run_quietly(weft) != 0) {
            printf("\nweft isa tgsi: left out, %s cannot be run\n", weft);
            return;
        }
        times[i] = elapsed_seconds() - start;
    }
    printf("\nweft isa tgsi: %.2f ms from start to end (median of %d)\n", 1e3 * median(times, START_ROUNDS),
           START_ROUNDS);
}
