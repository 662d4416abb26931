/* bench.h - what the command line asks for, and the parts of a run. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "scenes.h"

#include <stdbool.h>
#include <stddef.h>

enum { MAX_ROUNDS = 25, MAX_REPEAT = 1 << 16, MAX_WANTED = 32 };

struct options {
    const char *root;      /* the source tree */
    char peer[SCENE_PATH]; /* gl_peer */
    char weft[SCENE_PATH]; /* the program, for its start-up time */
    unsigned width, height, rounds;
    double seconds; /* least CPU time of one measurement */
    bool is_float, no_peers;
    const char *wanted[MAX_WANTED];
    size_t nwanted; /* 0: all */
};

/* Whether something of this name is to be measured. */
bool is_wanted(const struct options *o, const char *name);

/* pictures.c: the gallery. False when something failed. The current folder is the source tree. */
bool bench_pictures(const struct options *o);

/* workloads.c: the table of workload.h. False when something failed. */
bool bench_workloads(const struct options *o);

/* jobs.c: the jobs of bench/jobs. False when one failed. */
bool bench_jobs(const struct options *o);

/* twins.c: the gallery from GLSL against TGSI. False when one failed. */
bool bench_twins(const struct options *o);

/* vpu.c: instructions per second of the VPU's machine. False when a program failed. */
bool bench_vpu(const struct options *o);

/* language.c: text and bytes of every instruction set that has a template in bench/language. False when one failed. */
bool bench_language(void);

/* language.c: the median time of 20 runs of `weft isa tgsi`; `weft` is the path of the program. */
void bench_start_up(const char *weft);

#endif
