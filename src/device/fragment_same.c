/* fragment_same.c - programs that give every fragment the same: fills of one colour.
 *
 * Such a program has nothing but outputs of numbers that are known when a draw begins. It runs for the first block; the
 * others are counted, and where a whole block is overwritten its pixels are copied from one that was stored. */
#include "device/fragment.h"

#include <string.h>

bool fragment_same_outputs(const struct ir_program *ir)
{
    for (uint32_t b = IR_ENTRY; b < ir->nblocks; b++)
        for (uint32_t i = 0; i < ir->blocks[b].count; i++) {
            const struct ir_op *op = &ir->blocks[b].ops[i];
            bool ends = op->code == IR_END || (op->code == IR_GOTO && op->desc > b);
            bool given = op->code == IR_OUTPUT && !op->pred && ir->value_uniform[ir->pool[op->args]];
            if (!ends && !given && op->code != IR_CONST)
                return false;
        }
    return true;
}

bool fragment_same_run(struct fragment_stage *s)
{
    if (!s->same || !s->runs)
        return false;
    s->live = ~(lane_mask)0;
    s->runs++;
    return true;
}

void fragment_same_keep(struct fragment_stage *s, lane_mask mask)
{
    if (!s->same || s->fills || !s->runs || !s->overwrites || mask != ~(lane_mask)0)
        return;
    for (unsigned i = 0; i < s->targets; i++) {
        const struct surface *to = &s->p->color[i];
        if (!s->target[i].store)
            continue;
        if (s->layer >= surface_layers(to))
            return;
        memcpy(s->fill[i], fragment_pixels(s, to, 0), (size_t)to->format->bytes * BLOCK_SIZE);
    }
    s->fills = true;
}

static void fill_block(uint8_t *to, size_t stride, const uint8_t *row, size_t bytes)
{
    if (bytes == 4 * BLOCK_SIZE) { /* by far the most: pixels of 4 bytes */
        for (unsigned y = 0; y < BLOCK_SIZE; y++)
            memcpy(to + y * stride, row, 4 * BLOCK_SIZE);
        return;
    }
    for (unsigned y = 0; y < BLOCK_SIZE; y++)
        memcpy(to + y * stride, row, bytes);
}

bool fragment_same_block(struct fragment_stage *s, uint32_t layer, int32_t x, int32_t y, lane_mask mask)
{
    if (!s->fills || mask != ~(lane_mask)0)
        return false;
    s->layer = layer;
    s->x = x;
    s->y = y;
    s->fragments += BLOCK_LANES;
    s->runs++;
    for (unsigned i = 0; i < s->targets; i++) {
        const struct surface *to = &s->p->color[i];
        if (s->target[i].store && layer < surface_layers(to))
            fill_block(fragment_pixels(s, to, 0), to->stride, s->fill[i], (size_t)to->format->bytes * BLOCK_SIZE);
    }
    return true;
}

void fragment_same_count(const struct fragment_stage *s, struct exec_counts *counts)
{
    if (!s->same || !s->runs)
        return;
    counts->insns *= s->runs;
    counts->lane_insns *= s->runs;
    counts->bad_access *= s->runs;
}
