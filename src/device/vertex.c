/* vertex.c - the vertex stage: attributes into rows, warps of 64 vertices, outputs kept as rows. */
#include "device/pipeline.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 64 };

struct vertex_stage {
    const struct pipeline *p;
    struct vertices *out;
    struct failure *failure;
    struct exec_env env;
    struct exec_warp *warp;
    const void **attr; /* inputs * 4 */
    void **output;     /* outputs * 4 */
    const void *sysval[IR_SYSVALS * 4];
    float *rows; /* of the attributes, then of the vertex number */
    uint64_t vertices;
};

void vertex_stage_free(struct vertex_stage *s, struct pipeline_stats *stats)
{
    if (!s)
        return;
    if (s->warp && stats) {
        const struct exec_counts *counts = exec_warp_counts(s->warp);
        stats->vertices += s->vertices;
        stats->instructions += counts->lane_insns;
        stats->bad_accesses += counts->bad_access;
    }
    if (s->warp)
        exec_warp_free(s->warp);
    free(s->attr);
    free(s->output);
    free(s->rows);
    free(s);
}

struct vertex_stage *vertex_stage_new(const struct pipeline *p, struct vertices *out, struct failure *f)
{
    const struct ir_io *io = &p->vertex.ir->io;
    struct vertex_stage *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->p = p;
    s->out = out;
    s->failure = f;
    s->attr = calloc(io->ninputs * 4 + 1, sizeof *s->attr);
    s->output = calloc(io->noutputs * 4 + 1, sizeof *s->output);
    s->rows = aligned_alloc(64, ((size_t)io->ninputs * 4 + 1) * LANES * sizeof *s->rows);
    s->warp = exec_warp_new(p->vertex.program);
    if (!s->attr || !s->output || !s->rows || !s->warp) {
        vertex_stage_free(s, NULL);
        return NULL;
    }
    for (uint32_t i = 0; i < io->ninputs * 4; i++)
        s->attr[i] = s->rows + (size_t)i * LANES;
    const void *numbers = s->rows + (size_t)io->ninputs * 4 * LANES;
    s->sysval[IR_SYS_VERTEX_ID * 4] = s->sysval[IR_SYS_VERTEX_ID_NOBASE * 4] = numbers;
    bind_resources(&p->resources, p->vertex.ir, &s->env);
    s->env.attr = s->attr;
    s->env.output = s->output;
    s->env.sysval = s->sysval;
    weft_status status = exec_bind(s->warp, &s->env);
    if (status != WEFT_OK)
        failure_set(f, status, p->vertex.ir, 0, NULL);
    return s;
}

/* One element of an attribute; vertices past the end of its buffer are zeros. */
static void fetch(const struct attribute *a, uint32_t index, float value[4])
{
    memset(value, 0, 4 * sizeof *value);
    if (!a->format) {
        value[3] = 1.0f;
        return;
    }
    size_t at = a->offset + (size_t)index * a->stride;
    if (at <= a->size && a->size - at >= a->format->bytes)
        format_decode(a->format, a->data + at, value);
}

void vertex_stage_run(struct vertex_stage *s, uint32_t warp)
{
    const struct ir_io *io = &s->p->vertex.ir->io;
    static const struct attribute none;
    uint32_t first = warp * LANES, count = s->out->count - first < LANES ? s->out->count - first : LANES;
    for (uint32_t i = 0; i < io->ninputs; i++) {
        uint32_t number = io->inputs[i].index;
        const struct attribute *a = number < PIPELINE_ATTRIBUTES ? &s->p->attribute[number] : &none;
        float *row = s->rows + (size_t)i * 4 * LANES;
        for (uint32_t lane = 0; lane < LANES; lane++) {
            float value[4] = {0};
            if (lane < count)
                fetch(a, first + lane, value);
            for (unsigned c = 0; c < 4; c++)
                row[c * LANES + lane] = value[c];
        }
    }
    uint32_t *number = (uint32_t *)(void *)(s->rows + (size_t)io->ninputs * 4 * LANES);
    for (uint32_t lane = 0; lane < LANES; lane++)
        number[lane] = first + lane;
    for (uint32_t i = 0; i < io->noutputs; i++)
        for (unsigned c = 0; c < 4; c++)
            s->output[i * 4 + c] = vertex_row(s->out, warp, i, c);
    lane_mask lanes = count == LANES ? ~(lane_mask)0 : ((lane_mask)1 << count) - 1;
    if (run_warp(s->warp, s->p->vertex.ir, lanes, lanes, s->p->budget, s->failure))
        s->vertices += count;
}
