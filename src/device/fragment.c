/* fragment.c - a block of pixels through depth test, fragment program and stores. */
#include "device/pipeline.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

struct fragment_stage {
    const struct pipeline *p;
    struct failure *failure;
    const struct device_kernels *kernels;
    struct exec_env env;
    struct exec_warp *warp;
    void **output; /* outputs * 4 */
    float *rows;   /* of the outputs; then a row of 0 and one of 1 for components that nobody writes */
    const float *color[PIPELINE_COLORS][4];
    const float *depth; /* row of the depth that the program writes, or NULL */
    bool all_lanes;     /* lanes outside the primitive may run too: cheaper than masking them */
    bool discards, early;
    bool overwrites; /* a fully covered block leaves nothing of what was there */
    int32_t tile_x, tile_y;
    uint64_t fresh; /* blocks of the tile that are still to be cleared: bit 8 * row + column */
    uint64_t fragments;
    alignas(64) float z[BLOCK_LANES];
};

/* Whether a program may run in lanes that nobody asked for: no control flow that might never end for them, and
 * nothing that counts bad accesses or acts outside. */
static bool runs_anywhere(const struct ir_program *ir)
{
    for (uint32_t b = IR_ENTRY; b < ir->nblocks; b++)
        for (uint32_t i = 0; i < ir->blocks[b].count; i++) {
            const struct ir_op *op = &ir->blocks[b].ops[i];
            switch (op->code) {
            case IR_CONTROL:
            case IR_BRANCH:
            case IR_JUMP:
            case IR_BARRIER:
            case IR_TRAP:
            case IR_GET_DYN:
            case IR_SET_DYN:
            case IR_GET_LANE:
            case IR_SET_LANE:
            case IR_STORE:
            case IR_ATOMIC:
            case IR_SERVICE:
            case IR_CHECK:
            case IR_PROBE:
            case IR_BALLOT:
            case IR_ANY:
            case IR_ALL:
            case IR_FIRST:
            case IR_REDUCE:
                return false;
            case IR_GOTO:
                if (op->desc <= b)
                    return false;
                break;
            case IR_SYSVAL:
                if (op->imm == IR_SYS_HELPER)
                    return false;
                break;
            case IR_LOAD:
                if (!op->uniform)
                    return false;
                break;
            default:
                break;
            }
        }
    return true;
}

void fragment_stage_free(struct fragment_stage *s, struct pipeline_stats *stats)
{
    if (!s)
        return;
    if (s->warp && stats) {
        const struct exec_counts *counts = exec_warp_counts(s->warp);
        stats->fragments += s->fragments;
        stats->instructions += counts->lane_insns;
        stats->bad_accesses += counts->bad_access;
    }
    if (s->warp)
        exec_warp_free(s->warp);
    free(s->output);
    free(s->rows);
    free(s);
}

/* Which rows go to which target. */
static void link_outputs(struct fragment_stage *s, const float *zero, const float *one)
{
    const struct ir_io *io = &s->p->fragment.ir->io;
    for (uint32_t i = 0; i < io->noutputs; i++) {
        const struct ir_slot *slot = &io->outputs[i];
        const float *row = s->rows + (size_t)i * 4 * BLOCK_LANES;
        if (slot->semantic == IR_SEM_POSITION)
            s->depth = row + 2 * BLOCK_LANES;
        if (slot->semantic != IR_SEM_COLOR)
            continue;
        for (unsigned target = 0; target < PIPELINE_COLORS; target++) {
            if (slot->index != target && !(slot->index == 0 && io->color0_all))
                continue;
            for (unsigned c = 0; c < 4; c++)
                s->color[target][c] = slot->mask >> c & 1 ? row + c * BLOCK_LANES : c == 3 ? one : zero;
        }
    }
}

/* Whether full blocks need no clearing: every target is written, and nothing can keep a fragment from it. */
static bool overwrites(const struct fragment_stage *s)
{
    if (s->discards || s->p->depth.pixels)
        return false;
    for (unsigned target = 0; target < PIPELINE_COLORS; target++)
        if (s->p->color[target].pixels && !s->color[target][0])
            return false;
    return true;
}

struct fragment_stage *fragment_stage_new(const struct pipeline *p, struct failure *f)
{
    const struct ir_io *io = &p->fragment.ir->io;
    size_t count = (size_t)io->noutputs * 4;
    struct fragment_stage *s = aligned_alloc(64, (sizeof *s + 63) & ~(size_t)63);
    if (!s)
        return NULL;
    memset(s, 0, sizeof *s);
    s->p = p;
    s->failure = f;
    s->kernels = device_kernels(p->resources.level);
    s->output = calloc(count + 1, sizeof *s->output);
    s->rows = aligned_alloc(64, (count + 2) * BLOCK_LANES * sizeof *s->rows);
    s->warp = exec_warp_new(p->fragment.program);
    if (!s->output || !s->rows || !s->warp) {
        fragment_stage_free(s, NULL);
        return NULL;
    }
    memset(s->rows, 0, (count + 2) * BLOCK_LANES * sizeof *s->rows);
    float *zero = s->rows + count * BLOCK_LANES, *one = zero + BLOCK_LANES;
    for (unsigned i = 0; i < BLOCK_LANES; i++)
        one[i] = 1.0f;
    for (size_t i = 0; i < count; i++)
        s->output[i] = s->rows + i * BLOCK_LANES;
    link_outputs(s, zero, one);
    s->discards = io->uses_discard;
    s->overwrites = overwrites(s);
    s->early = io->early_depth_stencil || (!s->depth && !s->discards);
    if (s->early)
        s->depth = NULL;
    s->all_lanes = runs_anywhere(p->fragment.ir);
    bind_resources(&p->resources, p->fragment.ir, &s->env);
    s->env.output = s->output;
    s->env.frag_y_base = p->origin_far_row ? (int32_t)p->color[0].height - 1 : 0;
    s->env.frag_y_sign = p->origin_far_row ? -1 : 1;
    weft_status status = exec_bind(s->warp, &s->env);
    if (status != WEFT_OK)
        failure_set(f, status, p->fragment.ir, 0, NULL);
    return s;
}

/* ---- clearing ---- */

/* Fill a block, as far as it is inside the surface, with one pixel. */
static void clear_surface_block(const struct surface *s, int32_t x, int32_t y, const float rgba[4])
{
    if (!s->pixels || x >= (int32_t)s->width || y >= (int32_t)s->height)
        return;
    uint32_t width = s->width - (uint32_t)x, height = s->height - (uint32_t)y;
    width = width < BLOCK_SIZE ? width : BLOCK_SIZE;
    height = height < BLOCK_SIZE ? height : BLOCK_SIZE;
    uint8_t row[16 * BLOCK_SIZE];
    for (unsigned i = 0; i < BLOCK_SIZE; i++)
        format_encode(s->format, rgba, row + i * s->format->bytes);
    for (uint32_t i = 0; i < height; i++)
        memcpy(s->pixels + ((size_t)y + i) * s->stride + (size_t)x * s->format->bytes, row, width * s->format->bytes);
}

static void clear_block(const struct fragment_stage *s, int32_t x, int32_t y)
{
    const float depth[4] = {s->p->clear_depth, 0, 0, 1};
    for (unsigned target = 0; target < PIPELINE_COLORS; target++)
        clear_surface_block(&s->p->color[target], x, y, s->p->clear_color);
    clear_surface_block(&s->p->depth, x, y, depth);
}

void fragment_tile(struct fragment_stage *s, int32_t x, int32_t y, bool clear)
{
    s->tile_x = x;
    s->tile_y = y;
    s->fresh = clear ? ~(uint64_t)0 : 0;
}

void fragment_tile_end(struct fragment_stage *s)
{
    for (uint64_t m = s->fresh; m; m &= m - 1) {
        int32_t i = __builtin_ctzll(m);
        clear_block(s, s->tile_x + i % 8 * BLOCK_SIZE, s->tile_y + i / 8 * BLOCK_SIZE);
    }
    s->fresh = 0;
}

/* Before block (x, y) is drawn to where `mask` is. */
static void clear_for(struct fragment_stage *s, int32_t x, int32_t y, lane_mask mask)
{
    uint64_t bit = (uint64_t)1 << ((y - s->tile_y) / BLOCK_SIZE * 8 + (x - s->tile_x) / BLOCK_SIZE);
    if (!(s->fresh & bit))
        return;
    s->fresh &= ~bit;
    if (!s->overwrites || mask != ~(lane_mask)0)
        clear_block(s, x, y);
}

/* ---- shading ---- */

/* All lanes of the quads that a mask touches. */
static lane_mask whole_quads(lane_mask m)
{
    m |= m >> 1;
    m |= m >> 2;
    m &= 0x1111111111111111u;
    return m * 15;
}

static uint8_t *block_pixels(const struct surface *s, int32_t x, int32_t y)
{
    return s->pixels + (size_t)y * s->stride + (size_t)x * s->format->bytes;
}

static void store_color(const struct fragment_stage *s, unsigned target, int32_t x, int32_t y, lane_mask mask)
{
    const struct surface *to = &s->p->color[target];
    uint8_t *pixels = block_pixels(to, x, y);
    if (to->format->layout == FORMAT_BYTES4)
        s->kernels->store_bytes4(pixels, to->stride, s->color[target], mask);
    else if (to->format->layout == FORMAT_FLOATS4)
        s->kernels->store_floats4(pixels, to->stride, s->color[target], mask);
    else
        for (lane_mask m = mask; m; m &= m - 1) {
            unsigned i = (unsigned)__builtin_ctzll(m);
            float rgba[4];
            for (unsigned c = 0; c < 4; c++)
                rgba[c] = s->color[target][c][i];
            format_encode(to->format, rgba, pixels + lane_y(i) * to->stride + (size_t)lane_x(i) * to->format->bytes);
        }
}

/* The depth that the program wrote, within 0..1. */
static void written_depth(struct fragment_stage *s)
{
    for (unsigned i = 0; i < BLOCK_LANES; i++) {
        float v = s->depth[i] > 0.0f ? s->depth[i] : 0.0f;
        s->z[i] = v < 1.0f ? v : 1.0f;
    }
}

void fragment_block(struct fragment_stage *s, const struct shading *shading, const struct exec_plane *planes, int32_t x,
                    int32_t y, lane_mask mask)
{
    const struct pipeline *p = s->p;
    bool depth = p->depth_test && p->depth.pixels;
    clear_for(s, x, y, mask);
    uint8_t *depth_pixels = depth ? block_pixels(&p->depth, x, y) : NULL;
    if (depth && !s->depth) {
        s->kernels->plane(&shading->z_plane, x, y, 0.0f, 1.0f, s->z);
        mask = s->kernels->depth_test(depth_pixels, p->depth.stride, s->z, p->depth_op, mask);
        if (!mask)
            return;
        if (s->early && p->depth_write)
            s->kernels->depth_write(depth_pixels, p->depth.stride, s->z, mask);
    }
    s->env.plane = planes;
    s->env.w_plane = shading->w_plane;
    s->env.z_plane = shading->z_plane;
    s->env.w_one = shading->w_one;
    s->env.front = shading->front;
    s->env.x = x;
    s->env.y = y;
    /* Where lanes outside do no harm, and nobody asks which they are, they count as live: the engine need not mask
     * outputs. */
    lane_mask active = s->all_lanes ? ~(lane_mask)0 : whole_quads(mask);
    lane_mask live = s->all_lanes && !s->discards ? ~(lane_mask)0 : mask;
    if (!run_warp(s->warp, p->fragment.ir, active, live, p->budget, s->failure))
        return;
    s->fragments += (unsigned)__builtin_popcountll(mask);
    if (s->discards)
        mask &= exec_live(s->warp);
    if (depth && s->depth) {
        written_depth(s);
        mask = s->kernels->depth_test(depth_pixels, p->depth.stride, s->z, p->depth_op, mask);
    }
    if (!mask)
        return;
    if (depth && !s->early && p->depth_write)
        s->kernels->depth_write(depth_pixels, p->depth.stride, s->z, mask);
    for (unsigned target = 0; target < PIPELINE_COLORS; target++)
        if (p->color[target].pixels && s->color[target][0])
            store_color(s, target, x, y, mask);
}
