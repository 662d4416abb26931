/* warps.h - the 64 lanes that a stage of the device works on, as warps of the size that a program has.
 *
 * Stages keep rows of 64 lanes: pixels of a block of 8x8, vertices, primitives. A program of 64 lanes runs on them at
 * once; one of 32 or 16 runs two or four times, warp k on the lanes from k * its lanes on. Its rows are parts of the
 * stage's rows, and in the fragment stage its pixels are rows of the block: 8x4 or 8x2.
 *
 * Memory that each lane has of its own (spaces of kind PRIVATE) is made here and is zero when a run begins.
 *
 * The functions of the environment (services, probes) see the warp at work: its lane 0 is lane
 * exec_warp_env(w)->first_lane of the stage. */
#ifndef WEFT_DEVICE_WARPS_H
#define WEFT_DEVICE_WARPS_H

#include "device/failure.h"

enum { WARPS_LANES = 64, WARPS_MOST = 4, WARPS_MAX_PRIVATE = 1 << 16 /* bytes of a lane */ };

struct warps {
    const struct ir_program *ir;
    const struct exec_env *env;      /* the stage's, of 64 lanes */
    unsigned count, lanes;           /* how many warps, lanes of each */
    struct exec_warp *warp[WARPS_MOST];
    struct exec_env *part;           /* `count` of them; NULL: the stage's serves as it is */
    const void **rows;               /* the pointers to rows in these */
    uint8_t *lane_memory;            /* spaces of kind PRIVATE, one after the other; NULL: none */
    size_t lane_bytes;
    bool ran[WARPS_MOST];            /* in the last run */
};

/* Whether a program's warps are of a size that stages of 64 lanes can be cut into. */
bool warps_fit(const struct ir_program *ir);

/* Make the warps of a program whose size fits. False without memory; free them either way. */
bool warps_new(struct warps *w, const struct exec_program *program, const struct ir_program *ir);
void warps_free(struct warps *w);

/* Bind them to the stage's environment, which is kept by reference and may change between runs: see exec_bind. */
weft_status warps_bind(struct warps *w, const struct exec_env *env);

/* Run lanes `active`, `live` of which have effects. False after failure_set. */
bool warps_run(struct warps *w, lane_mask active, lane_mask live, uint64_t budget, struct failure *f);

/* After a run: lanes still live. */
lane_mask warps_live(const struct warps *w);

/* Counts of all runs. */
struct exec_counts warps_counts(const struct warps *w);

#endif
