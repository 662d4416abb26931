/* gl_workload.h - a workload in OpenGL ES 3.1. */
#ifndef BENCH_GL_WORKLOAD_H
#define BENCH_GL_WORKLOAD_H

#include "workload.h"

/* Make everything that a row needs of the files of the source tree, which is the current folder, and leave it bound.
 * Ends the process when that fails. */
void gl_workload_make(const struct workload *w);

/* Draw or dispatch once. */
void gl_workload_frame(const struct workload *w);

/* The result, workload_result_size bytes. */
void gl_workload_read(const struct workload *w, void *bytes);

#endif
