/* kernels.h - the device's inner loops, compiled once per CPU level.
 *
 * sample.c, texels.c, blend.c and blocks.c are compiled with the flags of each level and WEFT_LEVEL set to its name;
 * results are the same bits in every level (no contraction, no approximate instruction). */
#ifndef WEFT_DEVICE_KERNELS_H
#define WEFT_DEVICE_KERNELS_H

#include "device/texture.h"
#include "exec/exec.h"

/* A block is 8x8 pixels, one warp of 64 lanes: 16 quads row by row, lanes of a quad (0,0) (1,0) (0,1) (1,1). */
enum { BLOCK_SIZE = 8, BLOCK_LANES = 64 };

static inline unsigned lane_x(unsigned lane)
{
    return (lane & 1) | ((lane >> 2 & 3) << 1);
}
static inline unsigned lane_y(unsigned lane)
{
    return (lane >> 1 & 1) | ((lane >> 4) << 1);
}

/* An edge inside a block: e + a * x + b * y is not negative in the covered pixels (x, y counted from the block's
 * corner). */
struct block_edge {
    int32_t e, a, b;
};

enum compare_op {
    COMPARE_NEVER,
    COMPARE_LESS,
    COMPARE_EQUAL,
    COMPARE_LESS_EQUAL,
    COMPARE_GREATER,
    COMPARE_NOT_EQUAL,
    COMPARE_GREATER_EQUAL,
    COMPARE_ALWAYS
};

/* Lanes side by side that have planes in common: `count` of them, a multiple of 4. */
struct plane_lanes {
    const struct exec_plane *planes;
    unsigned count;
};

/* Rows of the values of planes: row k, at rows + k * stride, of planes[which[k]] of each lane, at the lane's (x, y).
 * Rows, x and y are aligned to 64 bytes and have room for whole chunks of 16 lanes. */
struct plane_rows {
    const struct plane_lanes *piece; /* from lane 0 on */
    unsigned pieces;
    const uint16_t *which;
    unsigned count;
    const float *x, *y;
    float *rows;
    size_t stride;
};

struct blend_call; /* blend.h */
struct texels;     /* texels.h */

struct device_kernels {
    /* Lanes on the right side of all `count` edges. */
    lane_mask (*cover)(const struct block_edge *edges, unsigned count);
    /* Values of a plane in the pixels of the block at (x, y), clamped to low..high. */
    void (*plane)(const struct exec_plane *p, int32_t x, int32_t y, float low, float high, float z[BLOCK_LANES]);
    void (*plane_rows)(const struct plane_rows *call);
    /* Multiply `count` rows of `lanes` (a multiple of 16) by 1 / w. */
    void (*divide_rows)(const float *w, float *rows, size_t stride, unsigned count, unsigned lanes);
    /* Compare z with what is stored, a block of D32 pixels: lanes for which `z op stored` holds. Memory of lanes
     * outside `mask` is not touched. */
    lane_mask (*depth_test)(const uint8_t *pixels, size_t stride, const float z[BLOCK_LANES], enum compare_op op,
                            lane_mask mask);
    void (*depth_write)(uint8_t *pixels, size_t stride, const float z[BLOCK_LANES], lane_mask mask);
    /* Write rows R, G, B, A of f32 to the pixels of a block, by enum format_layout. */
    void (*store_bytes4)(uint8_t *pixels, size_t stride, const float *const rows[4], lane_mask mask);
    void (*store_floats4)(uint8_t *pixels, size_t stride, const float *const rows[4], lane_mask mask);
    /* The pixels of a block as rows; memory of lanes outside `mask` is not touched, their values are 0. */
    void (*load_bytes4)(const uint8_t *pixels, size_t stride, lane_mask mask, float *const rows[4]);
    void (*load_floats4)(const uint8_t *pixels, size_t stride, lane_mask mask, float *const rows[4]);
    void (*blend)(const struct blend_call *call);
    /* Blend a block of 4 unorm bytes: source times its alpha plus target times the rest of it, and store. Rows in the
     * order of the bytes; `ones`: bytes whose source is taken as it is. */
    void (*blend_over)(uint8_t *pixels, size_t stride, const float *const rows[4], const float *alpha, unsigned ones,
                       lane_mask mask);
    /* Execute a TEXTURE op; its view and sampler numbers are not looked at. t NULL: zeros. */
    void (*sample)(const struct weft_texture *t, const weft_sampler *s, const struct exec_texture_call *call);
    /* Rows R, G, B, A of texels; chunks of 16 lanes of which none is in `lanes` are not touched. Loads give 0 in other
     * lanes and outside the level, NULL rows are left out; stores outside are dropped. */
    void (*load_texels)(const struct texels *t, lane_mask lanes, float *const rows[4]);
    void (*store_texels)(const struct texels *t, lane_mask lanes, const float *const rows[4]);
};

/* The kernels of a level that exec_level_usable accepts. */
const struct device_kernels *device_kernels(enum exec_level level);

#define WEFT_LEVEL_NAME2(name, level) name##_##level
#define WEFT_LEVEL_NAME1(name, level) WEFT_LEVEL_NAME2(name, level)
#define LEVEL(name)                   WEFT_LEVEL_NAME1(name, WEFT_LEVEL)

#ifdef WEFT_LEVEL
extern const struct device_kernels LEVEL(device_kernels);
void LEVEL(sample)(const struct weft_texture *t, const weft_sampler *s, const struct exec_texture_call *call);
#endif

#endif
