/* failure.h - the first thing that stopped a draw or a dispatch. */
#ifndef WEFT_DEVICE_FAILURE_H
#define WEFT_DEVICE_FAILURE_H

#include "exec/exec.h"

#include <stdatomic.h>

/* The fault of a CHECK by which a hook of the caller's stops a program. */
#define FAILURE_BY_HOOK UINT64_C(0x73746f70)

/* Shared by the threads at work. */
struct failure {
    atomic_int status; /* a weft_status; not WEFT_OK: stop */
    atomic_bool taken;
    const struct ir_program *ir;
    uint32_t insn;
    uint64_t budget;
    const char *fault; /* static text or a warp's */
    double until;      /* by failure_clock, when the work must have ended; 0: no limit */
};
void failure_set(struct failure *f, weft_status status, const struct ir_program *ir, uint32_t insn, const char *fault);

static inline bool failure_seen(const struct failure *f)
{
    return atomic_load_explicit(&f->status, memory_order_relaxed) != WEFT_OK;
}

/* Seconds of a clock that nobody sets. */
double failure_clock(void);
static inline bool failure_late(double until)
{
    return until > 0 && failure_clock() > until;
}

/* Run a warp to its end; false after failure_set. */
bool run_warp(struct exec_warp *w, const struct ir_program *ir, lane_mask active, lane_mask live, uint64_t budget,
              struct failure *f);
/* What a warp that did not end stopped for: failure_set with it. */
void failure_of_warp(struct failure *f, enum exec_stop stop, const struct exec_warp *w, const struct ir_program *ir);

/* Say what it was: `source` is the text of its program (may be NULL), `budget` the one that it may have used up, `work`
 * what was stopped ("draw"). */
void failure_report(const struct failure *f, const struct source *source, uint64_t budget, const char *work,
                    weft_diags *diags);

/* ---- accesses outside their range ---- */

/* The first one, in the program of the first stage that made any. */
struct outside {
    const struct ir_program *ir; /* NULL: none */
    const struct source *source;
    struct exec_outside first;
};
/* Those of a warp, whose lanes count from first_lane. */
void outside_add(struct outside *o, const struct ir_program *ir, const struct source *source,
                 const struct exec_counts *counts, unsigned first_lane);
/* Warn of `count` of them at the first one's instruction. `buffer` is what users call the buffer of its space; NULL:
 * the kind and number of the space say it. */
void outside_report(const struct outside *o, uint64_t count, const char *buffer, weft_diags *diags);

#endif
