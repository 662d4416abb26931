/* compute.h - a dispatch: a grid of workgroups run by a compute program.
 *
 * Invocations. Invocation (x, y, z) of a workgroup has the number x + y * width + z * width * height; numbers go to
 * warps of the program's size (16, 32 or 64) in order. SHARED spaces are one per workgroup, PRIVATE and INPUT ones one
 * per invocation; all are zero when the workgroup begins.
 *
 * Order. The warps of a workgroup run one after the other, each to its end or to the next barrier; then, at a barrier,
 * all go on in the same order. So what invocations of a workgroup do to its memory is in order of their warps, and
 * within a warp in order of its instructions and, where lanes meet in one, of its lanes. Where a warp may wait for what
 * another one stores, it is paused for the others after 65536 guest instructions, and then after every 4096: a warp
 * that spins does not stop those that it waits for.
 *
 * Workgroups run on all threads where nothing can tell: where no memory that is written is also read, and atomics on a
 * memory are of one kind that does not care for order (add, and, or, xor, minimum, maximum of integers), with results
 * that nobody uses. All other programs run their workgroups in order (x first, then y, then z) on one thread. Results
 * then are the same on every run, whatever the number of threads; but for workgroups that store different values at
 * one place, and programs that sample what they store to as an image. */
#ifndef WEFT_DEVICE_COMPUTE_H
#define WEFT_DEVICE_COMPUTE_H

#include "device/pipeline.h"

enum {
    COMPUTE_LEAST_LANES = 16, COMPUTE_MOST_LANES = 64, /* of a warp */
    COMPUTE_MAX_BLOCK = 1024,      /* invocations of a workgroup */
    COMPUTE_MAX_WARPS = COMPUTE_MAX_BLOCK / COMPUTE_LEAST_LANES,
    COMPUTE_MAX_GROUPS = 65535,    /* each way */
    COMPUTE_MAX_SHARED = 1 << 20,  /* bytes of a workgroup */
    COMPUTE_MAX_PRIVATE = 1 << 20  /* bytes of an invocation */
};

struct dispatch {
    struct stage program;
    struct resources resources;
    uint32_t groups[3];
    uint32_t block[3];  /* size of a workgroup where the program does not say; 0: 1 */
    uint32_t work_dim;  /* 0: 3 */
    struct share share; /* which of the workgroups */
    uint64_t budget;    /* guest instructions of a warp; 0: no limit */
    double until;       /* by failure_clock, when it must have ended; 0: no limit */
    /* What PROBE ops call, with probe_context for the device: then workgroups run in order. NULL: nobody looks. */
    void (*probe)(void *context, struct exec_warp *w, const struct ir_op *op, const void *const *args);
    void *probe_context;
};

struct dispatch_stats {
    uint64_t groups, invocations, instructions, bad_accesses;
    struct outside outside; /* the first of bad_accesses */
    bool in_order; /* workgroups ran in order, on one thread */
};

/* Can several processes do it together, each a share of the workgroups? What they write is to be put together after. */
bool compute_divisible(const struct dispatch *d);

/* Run it; the stats are added to. WEFT_ERROR_USAGE: sizes beyond the limits above; WEFT_ERROR_INPUT: the program
 * faults, or some of its invocations wait at a barrier that others never reach; WEFT_ERROR_BUDGET, WEFT_ERROR_MEMORY.
 * The diagnostic is that of the first workgroup in order that stopped. */
weft_status compute_dispatch(const struct dispatch *d, struct pool *pool, struct dispatch_stats *stats,
                             weft_diags *diags);

#endif
