/* statistics.h - clocks, medians and geometric means. */
#ifndef BENCH_STATISTICS_H
#define BENCH_STATISTICS_H

#include <stddef.h>

double elapsed_seconds(void); /* of a clock that only goes forward */
double cpu_seconds(void);     /* of all threads of this process */

/* Sorts the values. 0 of none. */
double median(double *values, size_t count);

/* A geometric mean that is built up value by value; values that are not positive are left out. */
struct geomean {
    double log_sum;
    size_t count;
};
void geomean_add(struct geomean *g, double value);
double geomean_get(const struct geomean *g); /* 0 of none */

#endif
