/* sample_query.c - sizes, levels and sample positions of textures. */
#include "device/sample_query.h"

#include "device/targets.h"

#include <string.h>

void texture_size(const struct weft_texture *t, const struct ir_texture *op, int32_t level, int32_t size[4])
{
    memset(size, 0, 4 * sizeof size[0]);
    if (op->dim != IR_TEX_BUFFER)
        size[3] = (int32_t)t->levels;
    if (level < 0 || level >= (int32_t)t->levels)
        return;
    const struct texture_level *l = &t->level[level];
    size[0] = l->width;
    if (op->dim == IR_TEX_1D && op->array)
        size[1] = (int32_t)t->layers;
    if (op->dim == IR_TEX_1D || op->dim == IR_TEX_BUFFER)
        return;
    size[1] = l->height;
    if (op->dim == IR_TEX_3D)
        size[2] = l->depth;
    else if (op->array)
        size[2] = (int32_t)t->layers;
}

void texture_sample_position(const struct weft_texture *t, int32_t sample, float position[4])
{
    memset(position, 0, 4 * sizeof position[0]);
    if (t->samples <= 1 || sample < 0 || sample >= (int32_t)t->samples)
        return;
    const struct sample_position *p = &sample_positions(t->samples)[sample];
    position[0] = (float)(p->x - 8) / 16.0f;
    position[1] = (float)(p->y - 8) / 16.0f;
}
