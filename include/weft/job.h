/* weft/job.h - jobs in AmberScript: parse one, run it, ask what its expectations found.
 *
 *     weft_job *job;
 *     if (weft_job_new("a.amber", text, size, diags, &job) == WEFT_OK && weft_job_run(job, NULL, diags) == WEFT_OK)
 *         printf("%zu of %zu failed\n", weft_job_failures(job), weft_job_expectations(job));
 *     weft_job_free(job);
 *
 * A job belongs to one thread at a time; its draws and dispatches use as many as the parameters say, with the same
 * results for any number. Files that a script names are read relative to the script's own name, and are
 * below its folder (weft_job_params.files_from).
 *
 * Limits: a buffer or an image has at most 1 GiB, all of a job together WEFT_JOB_MAX_BYTES; more is an error.
 */
#ifndef WEFT_JOB_H
#define WEFT_JOB_H

#include <stddef.h>
#include <stdint.h>
#include <weft/api.h>
#include <weft/diag.h>
#include <weft/draw.h>
#include <weft/status.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_JOB_MAX_BYTES ((uint64_t)2 << 30)

typedef struct weft_job weft_job;

/* Parse `size` bytes of AmberScript, which are copied. `name` is its file's name. WEFT_ERROR_INPUT: the diagnostics say
 * what is wrong; WEFT_ERROR_UNSUPPORTED: they name what the script uses that weft does not run; WEFT_ERROR_MEMORY. */
WEFT_API weft_status weft_job_new(const char *name, const char *text, size_t size, weft_diags *diags, weft_job **out);
WEFT_API void weft_job_free(weft_job *job); /* NULL is fine */

/* Whose instructions are written down. WEFT_TRACE_PIXEL: fragments of pixel (trace_x, trace_y). WEFT_TRACE_INVOCATION:
 * vertices of number trace_id, and compute invocations, counted workgroup by workgroup. */
typedef enum weft_trace { WEFT_TRACE_NONE, WEFT_TRACE_PIXEL, WEFT_TRACE_INVOCATION } weft_trace;

/* Several processes that run one job together: each has the same script, files and parameters, but for `index` and
 * `context`. A draw is divided by tiles and a dispatch by workgroups where nobody can tell; the rest is done by each.
 * All have the same memories after each command, bit for bit, and the same results: those of a single process. */
typedef struct weft_job_share {
    uint32_t index, count; /* this process, from 0, of how many */
    /* Give `size` bytes to the others, and call take(to, process, bytes, size) for what each of them gives. Returns 0
     * when one of them has left: it stopped with an error of its own. From then on this process does all by itself. */
    int (*exchange)(void *context, const void *bytes, size_t size,
                    void (*take)(void *to, uint32_t process, const void *bytes, size_t size), void *to);
    void *context;
    uint64_t divided, whole; /* weft_job_run adds: draws and dispatches that were divided, and that were not */
} weft_job_share;

typedef struct weft_job_params {
    size_t size;      /* weft/api.h */
    uint32_t threads; /* 0: as many as there are processors; a trace takes one */
    uint64_t budget;  /* instructions that one warp may run in a draw or a dispatch; 0: no limit */
    weft_cpu_level cpu_level;
    weft_engine engine;
    weft_trace trace;
    uint32_t trace_x, trace_y;
    uint64_t trace_id;
    int strict; /* results of messages are poison until they are waited for: reading one stops the program */
    /* Limits. memory: bytes of buffers and images, and of what programs are made into; 0: WEFT_JOB_MAX_BYTES, of the
     * former alone. seconds: by the clock, for all commands together; 0: no limit. Beyond them: WEFT_ERROR_MEMORY,
     * WEFT_ERROR_TIME. */
    uint64_t memory;
    double seconds;
    /* The folder that the files of the script must be in, at any depth and wherever links lead; NULL: the script's own.
     * A file elsewhere is WEFT_ERROR_FILE. */
    const char *files_from;
    /* Not 0: the job runs on a thread that has given up all files outside of that folder, the network, other processes
     * and new programs (Linux: Landlock and seccomp). WEFT_ERROR_UNSUPPORTED: the system cannot do that. */
    int sandbox;
    weft_job_share *share; /* NULL: one process. A job that is traced is not divided */
} weft_job_params;

/* All processors, budget WEFT_DEFAULT_BUDGET, the best level; see weft_draw_params_init. */
WEFT_API void weft_job_params_init_sized(weft_job_params *params, size_t size);
static inline void weft_job_params_init(weft_job_params *params)
{
    weft_job_params_init_sized(params, sizeof *params);
}

/* Run all commands once; params NULL means the defaults. A job runs once only: WEFT_ERROR_USAGE the second time. A
 * failed expectation is an error among the diagnostics, and the job goes on: WEFT_OK says that everything ran.
 * WEFT_ERROR_INPUT, WEFT_ERROR_UNSUPPORTED, WEFT_ERROR_FILE, WEFT_ERROR_BUDGET, WEFT_ERROR_TIME, WEFT_ERROR_MEMORY: the
 * job stopped. */
WEFT_API weft_status weft_job_run(weft_job *job, const weft_job_params *params, weft_diags *diags);

/* Look at the programs of all pipelines, and at shaders that no pipeline has, without running a command: each is read,
 * compiled, checked and lifted as it would be for a command. Diagnostics name lines of the script where the shader is
 * in it. *programs: how many were looked at; NULL is fine. Of params only files_from, memory, strict and sandbox have
 * an effect. A job is either run or checked, and once: WEFT_ERROR_USAGE the second time. WEFT_OK: all of them can run;
 * otherwise the status of the first that cannot. Errors of bindings, memories, commands and expectations are found by
 * weft_job_run alone. */
WEFT_API weft_status weft_job_check(weft_job *job, const weft_job_params *params, weft_diags *diags, size_t *programs);

/* What an EXPECT found. Strings live as long as the job. */
typedef struct weft_expectation {
    uint32_t line;        /* of the script, from 1 */
    int passed;
    const char *command;  /* the EXPECT as written */
    const char *where;    /* "byte 24", "pixel (3, 5)"; "" where it is about whole buffers, or passed */
    const char *found;    /* the value found; "" if it passed */
    const char *wanted;   /* and the one wanted */
} weft_expectation;

/* How many expectations were looked at, how many of them failed, and number `index` of those that are kept, in the
 * order in which they were looked at: returns 0 past the end. At most 65536 are kept. */
WEFT_API size_t weft_job_expectations(const weft_job *job);
WEFT_API size_t weft_job_failures(const weft_job *job);
WEFT_API int weft_job_get_expectation(const weft_job *job, size_t index, weft_expectation *out);

/* What its draws and dispatches did. */
typedef struct weft_job_stats {
    uint64_t vertices, fragments, invocations; /* shaded; of compute programs */
    uint64_t instructions;                     /* guest instructions, counted for each lane that ran them */
    double cpu_seconds;                        /* of all threads, in draws and dispatches alone */
    weft_engine_stats engine;
} weft_job_stats;

WEFT_API void weft_job_get_stats(const weft_job *job, weft_job_stats *stats);

/* The trace: a line of JSON for each instruction that a chosen invocation of a vertex, fragment or compute program ran,
 * with its stage, shader, address, line, lane, the warp's mask and the 32-bit patterns that it wrote to registers and
 * outputs (at most 14 of them). The line is of the script, when the shader is in it; of the file "source", when the
 * record has that: a shader includes it, or a module was made from it. A record of "kind" "start" comes before the
 * first instruction and has the registers that the program begins with. Lives as long as the job; ends after 256 MiB,
 * with a warning, and a trace of nothing is a warning too. */
WEFT_API const char *weft_job_trace(const weft_job *job, size_t *size);

/* What a buffer or an image holds as a file. */
typedef enum weft_dump_format {
    WEFT_DUMP_RAW, /* its bytes: numbers little endian, rows from row 0 on, level 0 alone */
    WEFT_DUMP_PNG, /* row 0 on top, values clamped to 0..1; images and buffers with a pixel format alone */
    WEFT_DUMP_CSV  /* a line for each row of pixels or for each element, numbers separated by commas */
} weft_dump_format;

/* *bytes is the caller's to free with weft_free. WEFT_ERROR_USAGE: there is no such buffer, or it has no pixels to show
 * as a PNG; the diagnostics say which. */
WEFT_API weft_status weft_job_dump(const weft_job *job, const char *buffer, weft_dump_format format, uint8_t **bytes,
                                   size_t *size, weft_diags *diags);

#ifdef __cplusplus
}
#endif
#endif
