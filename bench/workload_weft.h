/* workload_weft.h - a workload as weft's device runs it, with one thread. */
#ifndef BENCH_WORKLOAD_WEFT_H
#define BENCH_WORKLOAD_WEFT_H

#include "workload.h"

struct weft_workload;

/* Make it of the files of the source tree, which is the current folder; NULL, having said why, when that fails. */
struct weft_workload *weft_workload_new(const struct workload *w);
void weft_workload_free(struct weft_workload *w);

/* Draw or dispatch `count` times; the CPU seconds that it took, negative (with a message) when it failed. */
double weft_workload_run(struct weft_workload *w, unsigned count);

/* What it drew or computed: workload_result_size bytes. */
const void *weft_workload_result(const struct weft_workload *w);

#endif
