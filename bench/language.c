/* language.c - how fast programs are read and written, and how fast `weft` starts. */
#include "language.h"

#include "statistics.h"

#include "cli/cli.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <weft/program.h>

enum { TEXT_SIZE = 16 << 20, MAX_INSTRUCTION = 128, MAX_HEADER = 4096, TEXT_ROUNDS = 5, START_ROUNDS = 20 };

/* ---- text ---- */

static const char header[] = "FRAG\n"
                             "PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\n"
                             "DCL IN[0].xy, GENERIC[0], PERSPECTIVE\n"
                             "DCL OUT[0], COLOR\n"
                             "DCL SAMP[0]\n"
                             "DCL SVIEW[0], 2D, FLOAT\n"
                             "DCL CONST[0][0..63]\n"
                             "DCL TEMP[0..63]\n"
                             "DCL ADDR[0]\n"
                             "IMM[0] FLT32 {0.5000, 1.0000, -2.2500, 3.1416}\n"
                             "IMM[1] UINT32 {1, 65535, 2147483648, 13}\n";

/* What compilers print most: one of each in turn, with changing registers. %u: destination, then sources. */
static const char *const forms[] = {
    "MUL TEMP[%u].xyz, TEMP[%u].xyzx, TEMP[%u].xxxx",
    "MAD TEMP[%u].xy, TEMP[%u].xyxx, IMM[0].yyyy, -TEMP[%u].zwzz",
    "MOV TEMP[%u], CONST[0][%u]",
    "DP3 TEMP[%u].x, TEMP[%u].xyzx, TEMP[%u].xyzx",
    "RSQ TEMP[%u].x, |TEMP[%u].xxxx|",
    "ADD_SAT TEMP[%u].xyz, TEMP[%u], CONST[0][%u].xyzw",
    "TEX TEMP[%u], TEMP[%u].xyxx, SAMP[0], 2D",
    "USHR TEMP[%u].x, TEMP[%u].yyyy, IMM[1].wwww",
    "LRP TEMP[%u].xyz, TEMP[%u].wwww, TEMP[%u].xyzz, IMM[0].xyzz",
    "FSLT TEMP[%u].w, TEMP[%u].xxxx, CONST[0][%u].yyyy",
    "UIF TEMP[%u].wwww",
    "EX2 TEMP[%u].y, TEMP[%u].zzzz",
    "ENDIF",
    "MAX TEMP[%u].z, -TEMP[%u].yyyy, TEMP[%u].xxxx",
};

/* A program of about TEXT_SIZE bytes, in the layout of TGSI dumps. NULL without memory. */
static char *generate(size_t *size, size_t *instructions)
{
    char *text = malloc(TEXT_SIZE + MAX_HEADER);
    if (!text)
        return NULL;
    const size_t nforms = sizeof forms / sizeof forms[0];
    size_t n = (size_t)sprintf(text, "%s", header), i = 0;
    unsigned state = 1;
    for (; n + nforms * MAX_INSTRUCTION < TEXT_SIZE || i % nforms != 0; i++) {
        unsigned r[3];
        for (size_t k = 0; k < 3; k++) {
            state = state * 1664525u + 1013904223u;
            r[k] = state >> 26;
        }
        n += (size_t)sprintf(text + n, "%3zu: ", i);
        n += (size_t)sprintf(text + n, forms[i % nforms], r[0], r[1], r[2]);
        text[n++] = '\n';
    }
    n += (size_t)sprintf(text + n, "%3zu: END\n", i);
    *size = n;
    *instructions = i + 1;
    return text;
}

void bench_language(void)
{
    size_t size = 0, instructions = 0;
    char *text = generate(&size, &instructions);
    if (!text)
        return;
    double parse[TEXT_ROUNDS], print[TEXT_ROUNDS];
    weft_diags *diags = weft_diags_new();
    size_t rounds = 0;
    for (; rounds < TEXT_ROUNDS; rounds++) {
        weft_program *program;
        double start = cpu_seconds();
        if (weft_program_from_text("tgsi", "generated", text, size, NULL, diags, &program) != WEFT_OK)
            break;
        double parsed = cpu_seconds();
        char *printed = NULL;
        size_t printed_size = 0;
        weft_status status = weft_program_text(program, &printed, &printed_size);
        double end = cpu_seconds();
        weft_free(printed);
        weft_program_free(program);
        if (status != WEFT_OK)
            break;
        parse[rounds] = (double)size * 1e-6 / (parsed - start);
        print[rounds] = (double)printed_size * 1e-6 / (end - parsed);
    }
    if (rounds < TEXT_ROUNDS)
        cli_report(diags);
    else
        printf("TGSI text, %zu instructions, %.1f MB: parsed at %.0f MB/s, printed at %.0f MB/s\n", instructions,
               (double)size * 1e-6, median(parse, rounds), median(print, rounds));
    weft_diags_free(diags);
    free(text);
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
            printf("weft isa tgsi: left out, %s cannot be run\n", weft);
            return;
        }
        times[i] = elapsed_seconds() - start;
    }
    printf("weft isa tgsi: %.2f ms from start to end (median of %d)\n", 1e3 * median(times, START_ROUNDS),
           START_ROUNDS);
}
