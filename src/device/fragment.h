/* fragment.h - the fragment stage of one thread, as the files that make it up share it. */
#ifndef WEFT_DEVICE_FRAGMENT_H
#define WEFT_DEVICE_FRAGMENT_H

#include "device/color_target.h"
#include "device/depth_stencil.h"
#include "device/multisample.h"
#include "device/pipeline.h"
#include "device/warps.h"

#include <stdalign.h>

/* What a program asks of the device besides interpolation: found once, to make only what is read. */
struct fragment_reads {
    bool sample_id, sample_pos, sample_mask, point_coord, prim_id, layer, viewport;
    bool centroid, at_sample; /* INTERP there */
    bool tile_load, services; /* any that fragment_service answers */
    bool effects;             /* writes to buffers or images */
};

/* Rows of system values. */
struct fragment_rows {
    alignas(64) uint32_t sample_id[BLOCK_LANES], sample_mask[BLOCK_LANES], prim_id[BLOCK_LANES], layer[BLOCK_LANES],
        viewport[BLOCK_LANES];
    alignas(64) float sample_pos[2][BLOCK_LANES], sample[2][BLOCK_LANES], centroid[2][BLOCK_LANES],
        point_coord[2][BLOCK_LANES];
};

/* What a row of a tile holds when it is cleared. */
struct clear_row {
    uint8_t bytes[32 * PIPELINE_TILE];
};

struct few;    /* fragment_few.c */
struct shared; /* fragment_shared.c */

struct fragment_stage {
    const struct pipeline *p;
    struct failure *failure;
    const struct device_kernels *kernels;
    struct exec_env env;
    struct warps warps;
    struct few *few; /* NULL: the program has no form for few quads */
    struct shared *shared; /* NULL: triangles do not share warps */
    lane_mask live;  /* lanes that the program left alive in its last run */
    void **output; /* outputs * 4 */
    float *rows;   /* of the outputs; then a row of 0 and one of 1 for components that nobody writes */
    const float *color[PIPELINE_COLORS][4];
    const float *color1[4];     /* second source */
    const float *depth;         /* row of the depth that the program writes, or NULL */
    const uint32_t *stencil;    /* rows of stencil references and sample masks that it writes */
    const uint32_t *samplemask;
    const uint32_t *colormask[PIPELINE_COLORS]; /* samples that a colour is for; NULL: all */
    struct color_target target[PIPELINE_COLORS]; /* store NULL: nothing is bound or nobody writes it */
    unsigned targets;                            /* of these: up to the last that is written */
    struct depth_stencil depth_stencil;
    bool all_lanes;  /* lanes outside the primitive may run too: cheaper than masking them */
    bool discards, early;
    bool overwrites; /* a fully covered block leaves nothing of what was there */
    bool simple;     /* one sample, and no test but a depth test that the inner loops do */
    bool per_sample; /* the program runs for each sample */
    bool clear_first; /* surfaces with layers or samples are cleared when a tile begins */
    uint32_t samples;
    int32_t tile_x, tile_y;
    struct clear_row clear_color[PIPELINE_COLORS], clear_depth;
    bool clear_rows; /* those are made */
    uint64_t fresh; /* blocks of the tile that are still to be cleared: bit 8 * row + column */
    uint64_t fragments;

    bool same, fills; /* fragment_same.c: it is such a program; `fill` is made */
    uint64_t runs;
    uint8_t fill[PIPELINE_COLORS][32 * BLOCK_SIZE]; /* a row of a block */

    /* The block at work, or 8x8 pixels of up to four blocks. */
    uint32_t layer, sample;
    int32_t x, y;
    uint64_t blocks; /* as bits of `fresh` */

    struct fragment_reads reads;
    const void **sysval; /* IR_SYSVALS * 4 */
    struct fragment_rows values;
    alignas(64) float z[BLOCK_LANES];
};

/* fragment_values.c: system values and services. */
void fragment_find_reads(const struct ir_program *ir, struct fragment_reads *reads);
void fragment_bind_values(struct fragment_stage *s);
/* Values that a primitive gives to all its fragments in the block at work, and those of a sample. */
void fragment_primitive_values(struct fragment_stage *s, const struct shading *shading);
void fragment_sample_values(struct fragment_stage *s, uint32_t sample);

/* fragment_few.c: a warp for few quads, NULL without memory; the warp is to be bound to the stage's environment. */
struct few *few_new(const struct pipeline *p);
void few_free(struct few *few);
struct exec_warp *few_warp(const struct few *few);
/* Whether the quads that a mask touches are few enough, and run the program for them: outputs go to the stage's rows,
 * *live gets the lanes of the mask that were not discarded. False: it failed. */
bool few_enough(lane_mask mask);
bool few_shade(struct fragment_stage *s, lane_mask mask, lane_mask *live);

/* fragment_shared.c. NULL without memory; what binds the warp to the stage's environment comes once the targets are
 * known. */
struct shared *shared_new(const struct pipeline *p);
void shared_free(struct shared *shared);
struct exec_warp *shared_warp(const struct shared *shared);
weft_status shared_bind(struct fragment_stage *s);
/* Keep the lanes of `mask`, which have passed all tests, to be shaded and stored with others later. False: there are so
 * many that the block is to be shaded by itself, now. */
bool shared_take(struct fragment_stage *s, const struct shading *shading, lane_mask mask);
/* Shade and store what is kept. */
void shared_flush(struct fragment_stage *s);

/* fragment.c: the outputs' colours to the block at work. */
void fragment_store_colors(const struct fragment_stage *s, uint32_t sample, lane_mask mask);

/* fragment_same.c. Whether a program gives every fragment the same. Where s->same says so: counts a run when there has
 * been one, and says whether that was all there is to do; what has just been stored for `mask` serves other blocks too;
 * the block at (x, y), where that serves; the counts of all runs, from those of the first. */
bool fragment_same_outputs(const struct ir_program *ir);
bool fragment_same_run(struct fragment_stage *s);
void fragment_same_keep(struct fragment_stage *s, lane_mask mask);
bool fragment_same_block(struct fragment_stage *s, uint32_t layer, int32_t x, int32_t y, lane_mask mask);
void fragment_same_count(const struct fragment_stage *s, struct exec_counts *counts);

/* The block at work in a plane of a surface. */
static inline uint8_t *fragment_pixels(const struct fragment_stage *s, const struct surface *surface, uint32_t sample)
{
    return surface_plane(surface, s->layer, sample) + (size_t)s->y * surface->stride +
           (size_t)s->x * surface->format->bytes;
}

#endif
