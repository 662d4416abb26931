/* How fast TGSI text is parsed and printed: a program of the given size, repeated, on one thread. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "isa/tgsi/tgsi.h"

static const char *const lines[] = {
    "TEX TEMP[0], IN[0].xyyy, SAMP[0], 2D",
    "DP3 TEMP[1].x, TEMP[0].xyzz, IMM[0]",
    "MAD TEMP[4].x, -IMM[1].yyyy, TEMP[1].xxxx, IMM[2].wwww",
    "MUL TEMP[3].x, TEMP[1].xxxx, TEMP[4].xxxx",
    "ADD TEMP[2], TEMP[0].xxxx, -TEMP[1]",
    "MOV TEMP[1].y, TEMP[0].xxxx",
    "SGE TEMP[2], |TEMP[2]|, CONST[0][3].xxxx",
    "MOV OUT[0].xyz, CONST[ADDR[0].x+4]",
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static char *make_program(size_t want, size_t *size)
{
    char *text = malloc(want + 4096);
    size_t n = 0;
    if (!text)
        return NULL;
    n += (size_t)sprintf(text, "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..4]\n"
                               "IMM[0] FLT32 {0.2126, 0.7152, 0.0722, 4.0}\n");
    for (unsigned i = 0; n < want; i++)
        n += (size_t)sprintf(text + n, "%3u: %s\n", i, lines[i % (sizeof lines / sizeof *lines)]);
    n += (size_t)sprintf(text + n, "END\n");
    *size = n;
    return text;
}

int main(int argc, char **argv)
{
    size_t size, want = (argc > 1 ? strtoul(argv[1], NULL, 10) : 16) << 20;
    char *text = make_program(want, &size);
    if (!text)
        return 1;
    double parse = 1e9, print = 1e9;
    size_t printed = 0;
    for (int round = 0; round < 5; round++) {
        struct arena arena = {0};
        struct source src = {"bench", text, size};
        struct isa_params params = {NULL, -1};
        struct isa_module *m;
        char *out;
        double t0 = now();
        if (tgsi_parse(&src, &params, &arena, &m, NULL) != WEFT_OK)
            return 1;
        double t1 = now();
        if (tgsi_print(m, &arena, &out, &printed, NULL) != WEFT_OK)
            return 1;
        double t2 = now();
        parse = t1 - t0 < parse ? t1 - t0 : parse;
        print = t2 - t1 < print ? t2 - t1 : print;
        arena_free(&arena);
    }
    printf("parse %.0f MB/s, print %.0f MB/s (%.1f MB, best of 5, one thread)\n", (double)size / parse * 1e-6,
           (double)printed / print * 1e-6, (double)size * 1e-6);
    free(text);
    return 0;
}
