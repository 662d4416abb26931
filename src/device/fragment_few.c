/* fragment_few.c - blocks of which few quads are covered, as those of small triangles: the quads are put side by side
 * into a warp of STAGE_FEW_LANES, and its outputs back where the block has them. A quad computes the same bits in
 * either. */
#include "device/fragment.h"

#include <stdlib.h>
#include <string.h>

enum { QUAD = 4, FEW_QUADS = STAGE_FEW_LANES / QUAD };

struct few {
    struct exec_warp *warp;
    void **output; /* where the program's outputs go: to rows, or NULL where it writes none */
    uint32_t outputs;
    float *rows; /* of STAGE_FEW_LANES */
    alignas(64) float x[BLOCK_LANES], y[BLOCK_LANES]; /* pixels of the lanes of a block */
};

struct few *few_new(const struct pipeline *p)
{
    const struct ir_io *io = &p->fragment.ir->io;
    struct few *few = aligned_alloc(64, (sizeof *few + 63) & ~(size_t)63);
    if (!few)
        return NULL;
    memset(few, 0, sizeof *few);
    few->outputs = io->noutputs * 4;
    few->warp = exec_warp_new(p->fragment.few);
    few->output = calloc(few->outputs + 1, sizeof *few->output);
    few->rows = aligned_alloc(64, (few->outputs + 1) * STAGE_FEW_LANES * sizeof *few->rows);
    if (!few->warp || !few->output || !few->rows) {
        few_free(few);
        return NULL;
    }
    memset(few->rows, 0, (few->outputs + 1) * STAGE_FEW_LANES * sizeof *few->rows);
    for (uint32_t i = 0; i < few->outputs; i++)
        few->output[i] = io->outputs[i / 4].mask >> (i % 4) & 1 ? few->rows + (size_t)i * STAGE_FEW_LANES : NULL;
    for (unsigned i = 0; i < BLOCK_LANES; i++) {
        few->x[i] = (float)lane_x(i);
        few->y[i] = (float)lane_y(i);
    }
    return few;
}

void few_free(struct few *few)
{
    if (!few)
        return;
    if (few->warp)
        exec_warp_free(few->warp);
    free(few->output);
    free(few->rows);
    free(few);
}

struct exec_warp *few_warp(const struct few *few)
{
    return few->warp;
}

/* First lanes of the quads that a mask touches, at most FEW_QUADS; the rest of the list repeats the first one. Returns
 * how many there are. */
static unsigned list_quads(lane_mask mask, uint8_t first[FEW_QUADS])
{
    lane_mask quads = mask | mask >> 1;
    quads = (quads | quads >> 2) & 0x1111111111111111u;
    unsigned count = 0;
    for (; quads && count < FEW_QUADS; quads &= quads - 1)
        first[count++] = (uint8_t)__builtin_ctzll(quads);
    for (unsigned i = count; i < FEW_QUADS; i++)
        first[i] = first[0];
    return count;
}

bool few_enough(lane_mask mask)
{
    lane_mask quads = mask | mask >> 1;
    quads = (quads | quads >> 2) & 0x1111111111111111u;
    for (unsigned i = 0; i < FEW_QUADS; i++)
        quads &= quads - 1;
    return !quads;
}

bool few_shade(struct fragment_stage *s, lane_mask mask, lane_mask *live)
{
    struct few *few = s->few;
    uint8_t first[FEW_QUADS] = {0};
    unsigned count = list_quads(mask, first);
    alignas(64) float x[STAGE_FEW_LANES], y[STAGE_FEW_LANES];
    for (unsigned q = 0; q < FEW_QUADS; q++) {
        memcpy(x + q * QUAD, few->x + first[q], QUAD * sizeof *x);
        memcpy(y + q * QUAD, few->y + first[q], QUAD * sizeof *y);
    }
    exec_place(few->warp, x, y);
    const lane_mask all = ((lane_mask)1 << STAGE_FEW_LANES) - 1;
    lane_mask packed = all;
    if (s->discards) {
        packed = 0;
        for (unsigned q = 0; q < count; q++)
            packed |= (mask >> first[q] & 15) << (q * QUAD);
    }
    s->env.output = few->output;
    bool ok = run_warp(few->warp, s->p->fragment.ir, all, packed, s->p->budget, s->failure);
    s->env.output = s->output;
    for (uint32_t i = 0; i < few->outputs; i++)
        for (unsigned q = 0; few->output[i] && q < count; q++)
            memcpy(s->rows + (size_t)i * BLOCK_LANES + first[q], (const float *)few->output[i] + q * QUAD,
                   QUAD * sizeof(float));
    *live = mask;
    if (s->discards) {
        packed = exec_live(few->warp);
        *live = 0;
        for (unsigned q = 0; q < count; q++)
            *live |= (packed >> (q * QUAD) & 15) << first[q];
    }
    return ok;
}
