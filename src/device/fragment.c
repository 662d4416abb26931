/* fragment.c - a block of pixels through tests, fragment program and stores.
 *
 * A draw takes one of two ways, chosen when it begins: simple_block for one sample with at most the usual depth test,
 * sampled_block for everything else, which treats single-sampled surfaces as ones of a single sample. */
#include "device/fragment.h"

#include <stdlib.h>
#include <string.h>

static void add_counts(const struct stage *stage, const struct exec_counts *counts, struct pipeline_stats *stats)
{
    stats->instructions += counts->lane_insns;
    stats->bad_accesses += counts->bad_access;
    outside_add(&stats->outside, stage->ir, stage->source, counts, 0);
}

void fragment_stage_free(struct fragment_stage *s, struct pipeline_stats *stats)
{
    if (!s)
        return;
    if (stats) {
        struct exec_counts counts = warps_counts(&s->warps);
        fragment_same_count(s, &counts);
        stats->fragments += s->fragments;
        add_counts(&s->p->fragment, &counts, stats);
        if (s->few)
            add_counts(&s->p->fragment, exec_warp_counts(few_warp(s->few)), stats);
        if (s->shared)
            add_counts(&s->p->fragment, exec_warp_counts(shared_warp(s->shared)), stats);
    }
    warps_free(&s->warps);
    few_free(s->few);
    shared_free(s->shared);
    free(s->output);
    free(s->rows);
    free(s->sysval);
    free(s);
}

/* ---- binding ---- */

static void color_rows(const struct ir_slot *slot, const float *row, const float *zero, const float *one,
                       const float *to[4])
{
    for (unsigned c = 0; c < 4; c++)
        to[c] = slot->mask >> c & 1 ? row + c * BLOCK_LANES : c == 3 ? one : zero;
}

/* Which rows go where. */
static void link_outputs(struct fragment_stage *s, const float *zero, const float *one)
{
    const struct ir_io *io = &s->p->fragment.ir->io;
    for (unsigned c = 0; c < 4; c++)
        s->color1[c] = zero;
    for (uint32_t i = 0; i < io->noutputs; i++) {
        const struct ir_slot *slot = &io->outputs[i];
        const float *row = s->rows + (size_t)i * 4 * BLOCK_LANES;
        if (slot->semantic == IR_SEM_POSITION)
            s->depth = row + 2 * BLOCK_LANES;
        if (slot->semantic == IR_SEM_STENCIL)
            s->stencil = (const uint32_t *)(const void *)(row + BLOCK_LANES);
        if (slot->semantic == IR_SEM_SAMPLEMASK)
            s->samplemask = (const uint32_t *)(const void *)row;
        if (slot->semantic == IR_SEM_COLORMASK && slot->index < PIPELINE_COLORS)
            s->colormask[slot->index] = (const uint32_t *)(const void *)row;
        if (slot->semantic != IR_SEM_COLOR)
            continue;
        if (slot->index == 1)
            color_rows(slot, row, zero, one, s->color1);
        for (unsigned target = 0; target < PIPELINE_COLORS; target++)
            if (slot->index == target || (slot->index == 0 && io->color0_all))
                color_rows(slot, row, zero, one, s->color[target]);
    }
}

/* The targets that something is written to; false when one has a format that colours cannot be drawn to. */
static bool bind_targets(struct fragment_stage *s)
{
    const struct pipeline *p = s->p;
    s->overwrites = !s->discards && !p->depth.pixels && !s->reads.tile_load;
    bool dual = blend_is_dual(&p->targets.blend[0]);
    for (unsigned i = 0; i < PIPELINE_COLORS; i++) {
        const struct surface *to = &p->color[i];
        struct color_target *t = &s->target[i];
        if (!to->pixels)
            continue;
        if (!color_target_init(t, to, &p->targets, i, s->kernels))
            return false;
        if (!s->color[i][0] || (dual && i)) /* nobody writes it; a second source goes to no target of its own */
            t->store = NULL;
        else
            s->targets = i + 1;
        s->overwrites = s->overwrites && t->store && t->overwrites && !s->colormask[i];
    }
    return true;
}

/* Samples of the surfaces, of which there is the same number in all; 0: there is not, or no such number. */
static uint32_t count_samples(const struct pipeline *p)
{
    uint32_t samples = 0;
    for (unsigned i = 0; i <= PIPELINE_COLORS; i++) {
        const struct surface *s = i < PIPELINE_COLORS ? &p->color[i] : &p->depth;
        if (!s->pixels)
            continue;
        if (samples && samples != surface_samples(s))
            return 0;
        samples = surface_samples(s);
    }
    samples = samples ? samples : 1;
    return sample_positions(samples) ? samples : 0;
}

static bool clears_first(const struct pipeline *p)
{
    bool first = false;
    for (unsigned i = 0; i < PIPELINE_COLORS; i++)
        first = first || surface_samples(&p->color[i]) > 1 || surface_layers(&p->color[i]) > 1;
    return first || surface_samples(&p->depth) > 1 || surface_layers(&p->depth) > 1;
}

/* Which of the ways a block goes. */
static void choose_path(struct fragment_stage *s)
{
    const struct pipeline *p = s->p;
    const struct target_state *state = &p->targets;
    const struct ir_io *io = &p->fragment.ir->io;
    bool asks = io->per_sample || s->reads.sample_id || s->reads.sample_pos || s->reads.at_sample ||
                s->reads.tile_load || state->min_sample_shading * (float)s->samples > 1.0f;
    s->per_sample = s->samples > 1 && asks;
    bool changes_cover = s->discards || s->samplemask || state->alpha_to_coverage;
    /* What a program writes to memory is there even where a test fails, unless it asks for early tests. */
    bool effects = s->reads.effects && !io->early_depth_stencil && depth_stencil_used(&s->depth_stencil);
    s->early = io->early_depth_stencil || (!s->depth && !s->stencil && !changes_cover && !effects);
    if (s->early) {
        s->depth = NULL;
        s->stencil = NULL;
    }
    s->simple = s->samples == 1 && !s->samplemask && !state->alpha_to_coverage && !state->has_sample_mask && !effects &&
                (s->depth_stencil.plain || !depth_stencil_used(&s->depth_stencil));
    s->overwrites = s->overwrites && s->simple;
    s->clear_first = clears_first(p);
}

/* Whether triangles may share warps: where nothing but colours comes after the program. */
static bool may_share(const struct fragment_stage *s)
{
    return s->p->fragment.shared && s->samples == 1 && s->early && !s->same && !s->p->targets.alpha_to_coverage;
}

static bool allocate(struct fragment_stage *s, size_t count)
{
    s->output = calloc(count + 1, sizeof *s->output);
    s->rows = aligned_alloc(64, (count + 2) * BLOCK_LANES * sizeof *s->rows);
    s->sysval = calloc(IR_SYSVALS * 4, sizeof *s->sysval);
    s->few = s->p->fragment.few ? few_new(s->p) : NULL;
    return warps_new(&s->warps, s->p->fragment.program, s->p->fragment.ir) && s->output && s->rows && s->sysval &&
           (s->few || !s->p->fragment.few);
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
    if (!allocate(s, count)) {
        fragment_stage_free(s, NULL);
        return NULL;
    }
    memset(s->rows, 0, (count + 2) * BLOCK_LANES * sizeof *s->rows);
    float *zero = s->rows + count * BLOCK_LANES, *one = zero + BLOCK_LANES;
    for (unsigned i = 0; i < BLOCK_LANES; i++)
        one[i] = 1.0f;
    for (size_t i = 0; i < count; i++)
        s->output[i] = s->rows + i * BLOCK_LANES;
    fragment_find_reads(p->fragment.ir, &s->reads);
    link_outputs(s, zero, one);
    s->discards = io->uses_discard;
    s->samples = count_samples(p);
    if (!s->samples)
        failure_set(f, WEFT_ERROR_USAGE, p->fragment.ir, 0,
                    "targets differ in their samples, or have not 1, 2, 4 or 8");
    if (!bind_targets(s))
        failure_set(f, WEFT_ERROR_UNSUPPORTED, p->fragment.ir, 0, "colours cannot be drawn to a target's format");
    depth_stencil_init(&s->depth_stencil, &p->depth, &p->targets, p->depth_test, p->depth_write, p->depth_op,
                       s->kernels);
    choose_path(s);
    s->all_lanes = stage_runs_anywhere(p->fragment.ir);
    s->same = s->all_lanes && !s->discards && fragment_same_outputs(p->fragment.ir);
    bind_resources(&p->resources, p->fragment.ir, &s->env);
    s->env.output = s->output;
    s->env.frag_y_base = p->origin_far_row ? (int32_t)p->color[0].height - 1 : 0;
    s->env.frag_y_sign = p->origin_far_row ? -1 : 1;
    fragment_bind_values(s);
    weft_status status = warps_bind(&s->warps, &s->env);
    if (status == WEFT_OK && s->few)
        status = exec_bind(few_warp(s->few), &s->env);
    if (status == WEFT_OK && may_share(s))
        status = (s->shared = shared_new(p)) ? shared_bind(s) : WEFT_ERROR_MEMORY;
    if (status != WEFT_OK)
        failure_set(f, status, p->fragment.ir, 0, NULL);
    return s;
}

uint32_t fragment_samples(const struct fragment_stage *s)
{
    return s->samples;
}

/* ---- clearing ---- */

/* A row of a tile in the colour that a surface is cleared to. */
static void make_clear_row(const struct surface *s, const float rgba[4], struct clear_row *row)
{
    if (!s->pixels)
        return;
    unsigned bytes = s->format->bytes;
    format_encode(s->format, rgba, row->bytes);
    for (unsigned i = 1; i < PIPELINE_TILE; i++)
        memcpy(row->bytes + i * bytes, row->bytes, bytes);
}

static void make_clear_rows(struct fragment_stage *s)
{
    const float depth[4] = {s->p->clear_depth, 0, 0, 1};
    for (unsigned i = 0; i < PIPELINE_COLORS; i++)
        make_clear_row(&s->p->color[i], s->p->clear_color, &s->clear_color[i]);
    make_clear_row(&s->p->depth, depth, &s->clear_depth);
}

/* Fill `rows` rows of memory with the first bytes of another. */
static void fill_rows(uint8_t *to, size_t stride, const uint8_t *row, size_t bytes, uint32_t rows)
{
    if (bytes == 4 * BLOCK_SIZE) { /* by far the most: a block of pixels of 4 bytes */
        for (uint32_t i = 0; i < rows; i++)
            memcpy(to + i * stride, row, 4 * BLOCK_SIZE);
        return;
    }
    for (uint32_t i = 0; i < rows; i++)
        memcpy(to + i * stride, row, bytes);
}

/* Fill blocks side by side, as far as they are inside the surface. */
static void clear_surface(const struct surface *s, int32_t x, int32_t y, uint32_t blocks, const struct clear_row *row)
{
    if (!s->pixels || x >= (int32_t)s->width || y >= (int32_t)s->height)
        return;
    uint32_t width = s->width - (uint32_t)x, height = s->height - (uint32_t)y;
    width = width < blocks * BLOCK_SIZE ? width : blocks * BLOCK_SIZE;
    height = height < BLOCK_SIZE ? height : BLOCK_SIZE;
    size_t at = (size_t)y * s->stride + (size_t)x * s->format->bytes;
    for (uint32_t layer = 0; layer < surface_layers(s); layer++)
        for (uint32_t sample = 0; sample < surface_samples(s); sample++)
            fill_rows(surface_plane(s, layer, sample) + at, s->stride, row->bytes, (size_t)width * s->format->bytes,
                      height);
}

static void clear_blocks(const struct fragment_stage *s, int32_t x, int32_t y, uint32_t blocks)
{
    for (unsigned i = 0; i < PIPELINE_COLORS; i++)
        clear_surface(&s->p->color[i], x, y, blocks, &s->clear_color[i]);
    clear_surface(&s->p->depth, x, y, blocks, &s->clear_depth);
}

/* Clear what is left of the tile, in runs of blocks. */
static void clear_rest(struct fragment_stage *s)
{
    for (int32_t row = 0; s->fresh && row < 8; row++) {
        unsigned left = (unsigned)(s->fresh >> (8 * row) & 255);
        while (left) {
            unsigned first = (unsigned)__builtin_ctz(left), count = (unsigned)__builtin_ctz(~(left >> first));
            clear_blocks(s, s->tile_x + (int32_t)first * BLOCK_SIZE, s->tile_y + row * BLOCK_SIZE, count);
            left &= left + (1u << first);
        }
    }
    s->fresh = 0;
}

void fragment_tile(struct fragment_stage *s, int32_t x, int32_t y, bool clear)
{
    s->tile_x = x;
    s->tile_y = y;
    s->fresh = clear ? ~(uint64_t)0 : 0;
    if (clear && !s->clear_rows) {
        make_clear_rows(s);
        s->clear_rows = true;
    }
    if (s->clear_first)
        clear_rest(s);
}

void fragment_tile_end(struct fragment_stage *s)
{
    shared_flush(s);
    clear_rest(s);
}

static uint64_t block_bit(const struct fragment_stage *s, int32_t x, int32_t y)
{
    return (uint64_t)1 << ((y - s->tile_y) / BLOCK_SIZE * 8 + (x - s->tile_x) / BLOCK_SIZE);
}

/* Before block (x, y) is drawn to where `mask` is. */
static void clear_for(struct fragment_stage *s, int32_t x, int32_t y, lane_mask mask)
{
    s->blocks = block_bit(s, x, y);
    if (!(s->fresh & s->blocks))
        return;
    s->fresh &= ~s->blocks;
    if (!s->overwrites || mask != ~(lane_mask)0)
        clear_blocks(s, x, y, 1);
}

/* The same for the blocks of the tile that 8x8 pixels are in. */
static void clear_for_window(struct fragment_stage *s, int32_t x, int32_t y)
{
    const int32_t x0 = x & ~(BLOCK_SIZE - 1), y0 = y & ~(BLOCK_SIZE - 1);
    const int32_t end_x = s->tile_x + PIPELINE_TILE, end_y = s->tile_y + PIPELINE_TILE;
    s->blocks = 0;
    for (int32_t v = y0; v < y + BLOCK_SIZE && v < end_y; v += BLOCK_SIZE)
        for (int32_t u = x0; u < x + BLOCK_SIZE && u < end_x; u += BLOCK_SIZE)
            s->blocks |= block_bit(s, u, v);
    uint64_t left = s->fresh & s->blocks;
    s->fresh &= ~left;
    for (; left; left &= left - 1) {
        int32_t block = __builtin_ctzll(left);
        clear_blocks(s, s->tile_x + block % 8 * BLOCK_SIZE, s->tile_y + block / 8 * BLOCK_SIZE, 1);
    }
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

/* The lanes that have a sample in their mask. */
static lane_mask with_sample(const uint32_t row[BLOCK_LANES], uint32_t sample, lane_mask mask)
{
    for (lane_mask m = mask; m; m &= m - 1) {
        unsigned i = (unsigned)__builtin_ctzll(m);
        if (!(row[i] >> sample & 1))
            mask &= ~((lane_mask)1 << i);
    }
    return mask;
}

void fragment_store_colors(const struct fragment_stage *s, uint32_t sample, lane_mask mask)
{
    for (unsigned i = 0; i < s->targets; i++) {
        const struct color_target *t = &s->target[i];
        const struct surface *to = &s->p->color[i];
        lane_mask own = s->colormask[i] ? with_sample(s->colormask[i], sample, mask) : mask;
        if (t->store && own && s->layer < surface_layers(to))
            t->store(t, fragment_pixels(s, to, sample), s->color[i], s->color1, own);
    }
}

/* The depth that the program wrote, within the viewport's range. */
static void written_depth(struct fragment_stage *s, const struct shading *shading)
{
    for (unsigned i = 0; i < BLOCK_LANES; i++) {
        float v = s->depth[i] > shading->z_low ? s->depth[i] : shading->z_low;
        s->z[i] = v < shading->z_high ? v : shading->z_high;
    }
}

/* Make the block at (x, y) the one at work. */
static void begin_block(struct fragment_stage *s, const struct shading *shading, const struct exec_plane *planes,
                        int32_t x, int32_t y)
{
    s->env.plane = planes;
    s->env.w_plane = shading->w_plane;
    s->env.z_plane = shading->z_plane;
    s->env.w_one = shading->w_one;
    s->env.front = shading->front;
    s->env.x = s->x = x;
    s->env.y = s->y = y;
    s->layer = shading->layer;
    s->sample = 0;
    fragment_primitive_values(s, shading);
}

/* Run the program for the lanes of `mask`; s->live gets those that it did not discard. */
static bool shade(struct fragment_stage *s, lane_mask mask)
{
    s->fragments += (unsigned)__builtin_popcountll(mask);
    if (s->few && s->samples == 1 && few_enough(mask))
        return few_shade(s, mask, &s->live);
    if (fragment_same_run(s))
        return true;
    /* Where lanes outside do no harm, and nobody asks which they are, they count as live: the engine need not mask
     * outputs. */
    lane_mask active = s->all_lanes ? ~(lane_mask)0 : whole_quads(mask);
    lane_mask live = s->all_lanes && !s->discards ? ~(lane_mask)0 : mask;
    if (!warps_run(&s->warps, active, live, s->p->budget, s->failure))
        return false;
    s->live = warps_live(&s->warps);
    s->runs++;
    return true;
}

/* One sample, and at most a depth test by the inner loops. */
static void simple_block(struct fragment_stage *s, const struct shading *shading, int32_t x, int32_t y, lane_mask mask)
{
    const struct pipeline *p = s->p;
    bool depth = s->depth_stencil.plain && s->layer < surface_layers(&p->depth);
    uint8_t *depth_pixels = depth ? fragment_pixels(s, &p->depth, 0) : NULL;
    if (depth && !s->depth) {
        s->kernels->plane(&shading->z_plane, x, y, shading->z_low, shading->z_high, s->z);
        mask = s->kernels->depth_test(depth_pixels, p->depth.stride, s->z, p->depth_op, mask);
        if (!mask)
            return;
        if (s->early && p->depth_write)
            s->kernels->depth_write(depth_pixels, p->depth.stride, s->z, mask);
    }
    if (s->shared && shared_take(s, shading, mask))
        return;
    if (!shade(s, mask))
        return;
    if (s->discards)
        mask &= s->live;
    if (depth && s->depth) {
        written_depth(s, shading);
        mask = s->kernels->depth_test(depth_pixels, p->depth.stride, s->z, p->depth_op, mask);
    }
    if (!mask)
        return;
    if (depth && !s->early && p->depth_write)
        s->kernels->depth_write(depth_pixels, p->depth.stride, s->z, mask);
    fragment_store_colors(s, 0, mask);
}

/* ---- blocks of samples ---- */

static lane_mask any_sample(const lane_mask cover[TARGET_MAX_SAMPLES], uint32_t samples)
{
    lane_mask any = 0;
    for (uint32_t i = 0; i < samples; i++)
        any |= cover[i];
    return any;
}

static void test_samples(struct fragment_stage *s, const struct shading *shading, lane_mask cover[TARGET_MAX_SAMPLES])
{
    const struct surface *depth = &s->p->depth;
    if (!depth_stencil_used(&s->depth_stencil) || s->layer >= surface_layers(depth))
        return;
    if (s->depth)
        written_depth(s, shading);
    for (uint32_t i = 0; i < s->samples; i++) {
        if (!cover[i])
            continue;
        float distance[2];
        sample_distance(s->samples, i, distance);
        if (!s->depth)
            plane_at(&shading->z_plane, s->x, s->y, distance, shading->z_low, shading->z_high, s->z);
        cover[i] = depth_stencil_test(&s->depth_stencil, shading->front, fragment_pixels(s, depth, i), s->z, s->stencil,
                                      cover[i]);
    }
}

/* Run the program for the samples of `cover`, and do what comes after it. */
static void shade_samples(struct fragment_stage *s, const struct shading *shading, lane_mask cover[TARGET_MAX_SAMPLES])
{
    lane_mask mask = any_sample(cover, s->samples);
    if (s->reads.sample_mask)
        mask_rows(cover, s->samples, s->values.sample_mask);
    if (!mask || !shade(s, mask))
        return;
    for (uint32_t i = 0; s->discards && i < s->samples; i++)
        cover[i] &= s->live;
    if (s->samplemask)
        limit_cover(cover, s->samples, s->samplemask);
    if (s->p->targets.alpha_to_coverage && s->color[0][3])
        alpha_to_coverage(cover, s->samples, s->color[0][3]);
    if (!s->early)
        test_samples(s, shading, cover);
    for (uint32_t i = 0; i < s->samples; i++)
        if (cover[i])
            fragment_store_colors(s, i, cover[i]);
}

static void sampled_block(struct fragment_stage *s, const struct shading *shading,
                          const lane_mask given[TARGET_MAX_SAMPLES])
{
    const struct target_state *state = &s->p->targets;
    lane_mask cover[TARGET_MAX_SAMPLES] = {0};
    for (uint32_t i = 0; i < s->samples; i++)
        cover[i] = state->has_sample_mask && !(state->sample_mask >> i & 1) ? 0 : given[i];
    if (s->early)
        test_samples(s, shading, cover);
    if (s->shared && (!cover[0] || shared_take(s, shading, cover[0])))
        return;
    if (s->samples > 1 && s->reads.centroid)
        centroid_rows(cover, s->samples, (float *const[2]){s->values.centroid[0], s->values.centroid[1]});
    if (!s->per_sample) {
        shade_samples(s, shading, cover);
        return;
    }
    for (uint32_t i = 0; i < s->samples; i++) {
        lane_mask one[TARGET_MAX_SAMPLES] = {0};
        one[i] = cover[i];
        if (!one[i])
            continue;
        s->sample = i;
        fragment_sample_values(s, i);
        shade_samples(s, shading, one);
    }
}

/* ---- blocks ---- */

void fragment_block_samples(struct fragment_stage *s, const struct shading *shading, const struct exec_plane *planes,
                            int32_t x, int32_t y, const lane_mask cover[TARGET_MAX_SAMPLES])
{
    clear_for(s, x, y, any_sample(cover, s->samples));
    begin_block(s, shading, planes, x, y);
    sampled_block(s, shading, cover);
}

bool fragment_takes_windows(const struct fragment_stage *s)
{
    return s->shared && s->simple;
}

void fragment_window(struct fragment_stage *s, const struct shading *shading, const struct exec_plane *planes,
                     int32_t x, int32_t y, lane_mask mask)
{
    clear_for_window(s, x, y);
    begin_block(s, shading, planes, x, y);
    simple_block(s, shading, x, y, mask);
}

void fragment_block(struct fragment_stage *s, const struct shading *shading, const struct exec_plane *planes, int32_t x,
                    int32_t y, lane_mask mask)
{
    clear_for(s, x, y, mask);
    if (fragment_same_block(s, shading->layer, x, y, mask))
        return;
    begin_block(s, shading, planes, x, y);
    if (s->simple) {
        simple_block(s, shading, x, y, mask);
        fragment_same_keep(s, mask);
        return;
    }
    lane_mask cover[TARGET_MAX_SAMPLES];
    for (unsigned i = 0; i < TARGET_MAX_SAMPLES; i++)
        cover[i] = mask;
    sampled_block(s, shading, cover);
}
