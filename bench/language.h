/* language.h - how fast programs are read and written, and how fast `weft` starts. */
#ifndef BENCH_LANGUAGE_H
#define BENCH_LANGUAGE_H

/* Print MB of TGSI text per CPU second, parsed and printed. */
void bench_language(void);

/* Print the median time of 20 runs of `weft isa tgsi`; `weft` is the path of the program. */
void bench_start_up(const char *weft);

#endif
